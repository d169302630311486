package oracle

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"testing"

	"github.com/golang/snappy"
	"github.com/klauspost/compress/zstd"
)

// block is a block on disk of the given image, compressed as the codec would.
func block(t testing.TB, codec string, image []byte) []byte {
	t.Helper()
	image = bytes.Clone(image)
	binary.LittleEndian.PutUint32(image[16:], uint32(len(image)))
	if codec != "" {
		image[25] |= flagCompressed
		image = append(image[:plainBytes:plainBytes], compressed(t, codec, image[plainBytes:])...)
	}
	disk := make([]byte, (len(image)+4095)/4096*4096)
	copy(disk, image)
	binary.LittleEndian.PutUint32(disk[28:], uint32(len(disk)))
	disk[36] = flagChecksum
	binary.LittleEndian.PutUint32(disk[32:], checksum(disk, true))
	return disk
}

func compressed(t testing.TB, codec string, p []byte) []byte {
	var out bytes.Buffer
	switch codec {
	case "zlib":
		z := zlib.NewWriter(&out)
		if _, err := z.Write(p); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		return out.Bytes()
	case "snappy":
		out.Write(snappy.Encode(nil, p))
	case "zstd":
		e, err := zstd.NewWriter(nil)
		if err != nil {
			t.Fatal(err)
		}
		out.Write(e.EncodeAll(p, nil))
	}
	return append(binary.LittleEndian.AppendUint64(nil, uint64(out.Len())), out.Bytes()...)
}

func TestDecode(t *testing.T) {
	image := append(make([]byte, headerBytes), bytes.Repeat([]byte("cells and cells "), 1000)...)
	image[24] = byte(RowLeaf)
	for _, codec := range []string{"", "snappy", "zlib", "zstd"} {
		disk := block(t, codec, image)
		h, err := parseHeader(disk)
		if err != nil || h.kind != RowLeaf || h.diskBytes != int64(len(disk)) || h.imageBytes != int64(len(image)) {
			t.Fatalf("%q: %+v, %v", codec, h, err)
		}
		if checksum(disk, true) != h.checksum {
			t.Errorf("%q: checksum depends on its own field", codec)
		}
		got, used, err := decode(disk, h, codec)
		if err != nil || !bytes.Equal(got[headerBytes:], image[headerBytes:]) {
			t.Errorf("%q: image differs, %v", codec, err)
		}
		if want := int64(len(disk)) - used; want < 0 || want >= 4096 {
			t.Errorf("%q: %d bytes used of %d", codec, used, len(disk))
		}
		if codec == "" {
			continue
		}
		h.imageBytes--
		if _, _, err := decode(disk, h, codec); err == nil {
			t.Errorf("%q: an image of another size: no error", codec)
		}
		if _, _, err := decode(disk[:plainBytes+10], h, codec); err == nil {
			t.Errorf("%q: cut short: no error", codec)
		}
	}
	if _, _, err := decode(block(t, "zstd", image), header{flags: flagCompressed, imageBytes: 100}, "lz4"); err == nil {
		t.Error("unknown compressor: no error")
	}
}

func TestParseHeader(t *testing.T) {
	if _, err := parseHeader(make([]byte, headerBytes-1)); err == nil {
		t.Error("39 bytes: no error")
	}
	b := make([]byte, headerBytes)
	for n, ok := range map[uint32]bool{headerBytes - 1: false, headerBytes: true, maxImage: true, maxImage + 1: false} {
		binary.LittleEndian.PutUint32(b[16:], n)
		if _, err := parseHeader(b); (err == nil) != ok {
			t.Errorf("image of %d bytes: %v", n, err)
		}
	}
	binary.LittleEndian.PutUint32(b[16:], headerBytes)
	b[25] = flagEncrypted
	if _, err := parseHeader(b); err == nil {
		t.Error("encrypted: no error")
	}
}

func FuzzDecode(f *testing.F) {
	image := append(make([]byte, headerBytes), bytes.Repeat([]byte("cells "), 50)...)
	for _, codec := range []string{"snappy", "zlib", "zstd"} {
		f.Add(block(f, codec, image), codec)
	}
	f.Fuzz(func(t *testing.T, p []byte, codec string) {
		h, err := parseHeader(p)
		if err != nil || h.imageBytes > 1<<20 {
			return
		}
		if got, _, err := decode(p, h, codec); err == nil && int64(len(got)) != h.imageBytes {
			t.Errorf("%d bytes, header says %d", len(got), h.imageBytes)
		}
	})
}
