package cost

import "math"

// Table is the file of a collection under one compressor.
type Table struct {
	Count, Size, StorageSize int64
	// Leaf holds the leaf pages, grouped by size. One class of mean sizes will
	// do where all pages are alike; under snappy they often are not: some
	// images have 118 KB, others 28 KB, and a document is four times likelier
	// to sit in one of the former.
	Leaf []Class
	// CompressNs and DecompressNs are the codec's time per byte of page image
	// on one core; 0 without compression.
	CompressNs, DecompressNs float64
}

// Class is a number of pages of about the same size.
type Class struct {
	Pages int64
	// ImageBytes is the mean size uncompressed, BlockBytes that on disk.
	ImageBytes, BlockBytes float64
}

// ShareImages fills in ImageBytes where only the blocks are known by size: the
// images of a class are taken to be in proportion to its blocks, and all of them
// add up to total. Smaller images compress a little worse, which this neglects.
func ShareImages(classes []Class, total float64) []Class {
	var disk float64
	for _, c := range classes {
		disk += float64(c.Pages) * c.BlockBytes
	}
	shared := make([]Class, len(classes))
	for i, c := range classes {
		if disk > 0 {
			c.ImageBytes = c.BlockBytes * total / disk
		}
		shared[i] = c
	}
	return shared
}

// ImageBytes is the size of all leaf page images together.
func (t Table) ImageBytes() float64 {
	var sum float64
	for _, c := range t.Leaf {
		sum += float64(c.Pages) * c.ImageBytes
	}
	return sum
}

// PageOfDocument is the page that a document chosen at random is on: its mean
// image and block. Larger pages hold more documents and weigh more.
func (t Table) PageOfDocument() (image, block float64) {
	total := t.ImageBytes()
	if total == 0 {
		return 0, 0
	}
	for _, c := range t.Leaf {
		share := float64(c.Pages) * c.ImageBytes / total
		image += share * c.ImageBytes
		block += share * c.BlockBytes
	}
	return image, block
}

// imagePerRecord is what a record takes in a page image.
func (t Table) imagePerRecord() float64 {
	if t.Count == 0 {
		return 0
	}
	return t.ImageBytes() / float64(t.Count)
}

// records is how many records a page image of so many bytes holds.
func (t Table) records(image float64) float64 {
	per := t.imagePerRecord()
	if per == 0 {
		return 0
	}
	return image / per
}

// touched is how many different pages n random accesses reach, when an access
// reaches this class with probability share: P (1 − (1 − share/P)^n).
func (c Class) touched(n, share float64) float64 {
	p := float64(c.Pages)
	if p == 0 || n <= 0 || share <= 0 {
		return 0
	}
	if share >= p { // one page that every access reaches
		return p
	}
	return -p * math.Expm1(n*math.Log1p(-share/p))
}

// PagesTouched is what n accesses to random documents reach, each page counted
// once: how many pages, and their bytes in images and in blocks.
func (t Table) PagesTouched(n float64) (pages, images, blocks float64) {
	total := t.ImageBytes()
	if total == 0 {
		return 0, 0, 0
	}
	for _, c := range t.Leaf {
		k := c.touched(n, float64(c.Pages)*c.ImageBytes/total)
		pages += k
		images += k * c.ImageBytes
		blocks += k * c.BlockBytes
	}
	return pages, images, blocks
}
