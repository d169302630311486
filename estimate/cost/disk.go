package cost

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Disk is a storage device as one reading thread sees it.
type Disk struct {
	Profile    string
	Throughput float64 // bytes per second, sequential
	IOPS       float64 // random reads per second
	Latency    float64 // seconds for a random read to begin
	// Source says where the figures come from.
	Source string
}

const mebi = 1 << 20

// Presets are the disks known by name, slowest first. They describe classes of
// devices; a figure of one's own is better: see ParseDisk.
func Presets() []Disk {
	return []Disk{
		{"hdd", 170e6, 80, 0.0124,
			"7,200 rpm: average read seek of 8.2 ms (HGST Ultrastar 7K4000 specification), half a turn of 4.2 ms; 170 MB/s assumed"},
		{"gp3", 125 * mebi, 3000, 0.001,
			"Amazon EBS volume types: gp3 baseline of 125 MiB/s and 3,000 IOPS, single-digit millisecond latency; 1 ms assumed"},
		{"gp3-max", 1000 * mebi, 16000, 0.001,
			"Amazon EBS volume types: gp3 at most 1,000 MiB/s and 16,000 IOPS (until September 2025); 1 ms assumed"},
		{"network-1ms", 1.25e9, 100000, 0.001,
			"assumed: a round trip of 1 ms on a 10 Gbit/s network"},
		{"io2", 4000 * mebi, 256000, 0.0005,
			"Amazon EBS volume types: io2 Block Express at most 4,000 MiB/s and 256,000 IOPS, sub-millisecond latency; 0.5 ms assumed"},
		{"sata-ssd", 560e6, 98000, 1.0 / 13000,
			"Samsung 870 EVO, as specified: 560 MB/s, 98,000 IOPS at queue depth 32, 13,000 at queue depth 1"},
		{"nvme", 3500e6, 600000, 1.0 / 19000,
			"Samsung 970 EVO Plus 1 TB, as specified: 3,500 MB/s, 600,000 IOPS at queue depth 32, 19,000 at queue depth 1"},
	}
}

// ParseDisk reads a preset's name, with figures of one's own after commas:
//
//	gp3
//	gp3,throughput=250MB/s,iops=6000,latency=0.8ms
//	throughput=2GiB/s,iops=50000,latency=200us
//
// Without a name all three figures are needed; the profile is then "custom".
func ParseDisk(s string) (Disk, error) {
	parts := strings.Split(s, ",")
	d := Disk{Profile: "custom", Source: "given"}
	named := !strings.Contains(parts[0], "=")
	if named {
		preset, err := presetNamed(strings.TrimSpace(parts[0]))
		if err != nil {
			return Disk{}, err
		}
		d, parts = preset, parts[1:]
	}
	var given []string
	for _, part := range parts {
		name, err := d.set(part)
		if err != nil {
			return Disk{}, err
		}
		given = append(given, name)
	}
	if !named && (d.Throughput == 0 || d.IOPS == 0 || d.Latency == 0) {
		return Disk{}, fmt.Errorf("disk %q: name a preset (%s) or give throughput, iops and latency", s, presetNames())
	}
	if named && len(given) > 0 {
		d.Source += "; given: " + strings.Join(given, ", ")
	}
	return d, nil
}

func presetNamed(name string) (Disk, error) {
	for _, d := range Presets() {
		if d.Profile == name {
			return d, nil
		}
	}
	return Disk{}, fmt.Errorf("no disk profile %q; there are %s", name, presetNames())
}

func presetNames() string {
	var names []string
	for _, d := range Presets() {
		names = append(names, d.Profile)
	}
	return strings.Join(names, ", ")
}

// set reads one name=value and returns the name.
func (d *Disk) set(part string) (string, error) {
	name, value, ok := strings.Cut(strings.TrimSpace(part), "=")
	if !ok {
		return "", fmt.Errorf("disk setting %q: want throughput=, iops= or latency=", part)
	}
	var err error
	switch name {
	case "throughput":
		d.Throughput, err = parseThroughput(value)
	case "iops":
		d.IOPS, err = parsePositive(value)
	case "latency":
		d.Latency, err = parseLatency(value)
	default:
		return "", fmt.Errorf("disk setting %q: want throughput, iops or latency", name)
	}
	if err != nil {
		return "", fmt.Errorf("disk setting %s: %w", name, err)
	}
	return name, nil
}

// byteUnits by suffix; longer suffixes come before their endings.
var byteUnits = [...]struct {
	suffix string
	bytes  float64
}{
	{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30},
	{"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"B", 1}, {"", 1},
}

func parseThroughput(s string) (float64, error) {
	amount := strings.TrimSuffix(s, "/s")
	for _, u := range byteUnits {
		if number, ok := strings.CutSuffix(amount, u.suffix); ok {
			v, err := parsePositive(strings.TrimSpace(number))
			if err != nil {
				return 0, fmt.Errorf("%q is no throughput such as 250MB/s", s)
			}
			return v * u.bytes, nil
		}
	}
	return 0, fmt.Errorf("%q is no throughput such as 250MB/s", s)
}

// limit bounds every figure of a disk: beyond it, it is a typing error, and
// arithmetic stays finite below it.
const limit = 1e15

func parsePositive(s string) (float64, error) {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(v) || v <= 0 || v > limit {
		return 0, fmt.Errorf("%q is no positive number", s)
	}
	return v, nil
}

func parseLatency(s string) (float64, error) {
	d, err := time.ParseDuration(s)
	if err != nil || d <= 0 || d > time.Hour {
		return 0, fmt.Errorf("%q is no latency such as 0.5ms", s)
	}
	return d.Seconds(), nil
}
