package keystring

import (
	"math"

	"github.com/golang/geo/s2"
)

// A shape is a point, or the regions of another geometry.
type shape struct {
	point   *s2.Point
	regions []s2.Region
}

// readGeometry reads a legacy pair ([lng, lat] or {lng, lat}) or GeoJSON.
// MongoDB: src/mongo/db/geo/geometry_container.cpp, parseFromStorage.
func readGeometry(e elem, depth int) (shape, error) {
	if e.typ != tObject && e.typ != tArray || depth > maxDepth {
		return shape{}, notGeometry
	}
	r := newReader(e.val)
	if _, first, ok, err := r.next(); err != nil {
		return shape{}, err
	} else if ok && isNumber(first) {
		p, err := readPoint(e)
		return shape{point: &p}, err
	}
	kind, err := lookup(e.val, "type")
	if err != nil {
		return shape{}, err
	}
	if stringOf(kind) == "GeometryCollection" {
		return readCollection(e.val, depth)
	}
	at, err := lookup(e.val, "coordinates")
	if err != nil {
		return shape{}, err
	}
	if at.typ != tArray {
		return shape{}, notGeometry
	}
	return readGeoJSON(stringOf(kind), at)
}

func readGeoJSON(kind string, at elem) (s shape, err error) {
	one := func(r s2.Region, err error) error { s.regions = append(s.regions, r); return err }
	switch kind {
	case "Point":
		p, err := readPoint(at)
		return shape{point: &p}, err
	case "LineString":
		err = one(readLine(at))
	case "Polygon":
		err = one(readPolygon(at))
	case "MultiPoint":
		err = eachItem(at.val, func(item elem) error {
			p, err := readPoint(item)
			s.regions = append(s.regions, s2.CellFromPoint(p))
			return err
		})
	case "MultiLineString":
		err = eachItem(at.val, func(item elem) error { return one(readLine(item)) })
	case "MultiPolygon":
		err = eachItem(at.val, func(item elem) error { return one(readPolygon(item)) })
	default:
		err = notGeometry
	}
	if err == nil && len(s.regions) == 0 {
		err = notGeometry
	}
	return s, err
}

func readCollection(doc []byte, depth int) (s shape, err error) {
	all, err := lookup(doc, "geometries")
	if err != nil {
		return s, err
	}
	if all.typ != tArray {
		return s, notGeometry
	}
	err = eachItem(all.val, func(item elem) error {
		sub, err := readGeometry(item, depth+1)
		if sub.point != nil {
			sub.regions = []s2.Region{s2.CellFromPoint(*sub.point)}
		}
		s.regions = append(s.regions, sub.regions...)
		return err
	})
	if err == nil && len(s.regions) == 0 {
		err = notGeometry
	}
	return s, err
}

// readPoint reads longitude and latitude in degrees.
func readPoint(e elem) (s2.Point, error) {
	if e.typ != tArray && e.typ != tObject {
		return s2.Point{}, notGeometry
	}
	lng, lat, err := pair(e.val)
	if err == notLocation {
		err = notGeometry
	}
	if err != nil {
		return s2.Point{}, err
	}
	if !(math.Abs(lng) <= 180 && math.Abs(lat) <= 90) {
		return s2.Point{}, notGeometry
	}
	return s2.PointFromLatLng(s2.LatLngFromDegrees(lat, lng)), nil
}

// readPoints reads a list of points without repetitions of the one before.
func readPoints(e elem) (points []s2.Point, err error) {
	if e.typ != tArray {
		return nil, notGeometry
	}
	err = eachItem(e.val, func(item elem) error {
		p, err := readPoint(item)
		if n := len(points); err == nil && (n == 0 || points[n-1] != p) {
			points = append(points, p)
		}
		return err
	})
	return points, err
}

func readLine(e elem) (s2.Region, error) {
	points, err := readPoints(e)
	if err == nil && len(points) < 2 {
		err = notGeometry
	}
	line := s2.Polyline(points)
	return &line, err
}

// readPolygon reads rings. A ring is taken to enclose the smaller side.
func readPolygon(e elem) (s2.Region, error) {
	if e.typ != tArray {
		return nil, notGeometry
	}
	var loops []*s2.Loop
	err := eachItem(e.val, func(item elem) error {
		points, err := readPoints(item)
		if err != nil {
			return err
		}
		n := len(points)
		if n < 4 || points[0] != points[n-1] {
			return notGeometry
		}
		loop := s2.LoopFromPoints(points[:n-1])
		if loop.Validate() != nil {
			return notGeometry
		}
		loop.Normalize()
		loops = append(loops, loop)
		return nil
	})
	if err == nil && len(loops) == 0 {
		err = notGeometry
	}
	if err != nil {
		return nil, err
	}
	return s2.PolygonFromLoops(loops), nil
}
