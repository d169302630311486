//go:build cgo && unix && !nodlopen

package codec

// knownInputs are the sources of the check that a libz found on the system is
// the zlib that servers link: pages over several windows, text with short
// matches, random bytes (stored blocks), one repeated byte, a short page.
func knownInputs() [][]byte {
	r := rng(7)
	random := make([]byte, 20_000)
	for i := range random {
		random[i] = byte(r.next() >> 40)
	}
	return [][]byte{
		generatePage(1, 120_000),
		[]byte(hex(&r, 30_000)),
		append(random, generatePage(2, 20_000)...),
		make([]byte, 70_000),
		generatePage(3, 1_000),
	}
}

// knownSums are the CRC-32 (IEEE) of the streams of knownInputs, one after
// another, at levels 1 to 9. zlib 1.2.8, 1.2.11, 1.2.12, 1.3 and 1.3.1, built from
// their sources, and Debian's 1.2.13 give these; zlib-ng 2 gives others at every
// level.
var knownSums = [9]uint32{
	0x74ccc086, 0xfd90915b, 0xb8310cad, 0xa52541e4, 0x778d6c16,
	0x9572c6c9, 0xf40f1e78, 0xb3c16ef7, 0x9105aded,
}
