package oracle

import (
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Address is where a block lies and the checksum its parent has for it. A block
// of size 0 is none.
type Address struct {
	Offset, Size int64
	Checksum     uint32
}

// Checkpoint is the state of a file that its metadata points to.
type Checkpoint struct {
	Root                  Address // of the tree; none when it is empty
	Alloc, Avail, Discard Address // extent lists
	FileSize, Size        int64   // of the file, and of its pages
}

// parseAddress reads an address cookie: offset and size in allocation units, the
// offset less one, and a checksum (src/block/block_addr.c, __block_addr_unpack).
func parseAddress(p []byte, unit int64) (Address, []byte, error) {
	v, rest, err := unpackAll(p, 3)
	if err != nil {
		return Address{}, nil, fmt.Errorf("address cookie: %w", err)
	}
	if v[1] == 0 {
		return Address{}, rest, nil
	}
	const limit = 1 << 47
	if v[0] >= limit/uint64(unit) || v[1] >= limit/uint64(unit) {
		return Address{}, nil, errors.New("address cookie: beyond any file")
	}
	return Address{int64(v[0]+1) * unit, int64(v[1]) * unit, uint32(v[2])}, rest, nil
}

// parseCheckpoint reads a checkpoint cookie (__block_ckpt_unpack).
func parseCheckpoint(p []byte, unit int64) (Checkpoint, error) {
	var c Checkpoint
	if len(p) == 0 || p[0] != 1 {
		return c, errors.New("checkpoint cookie: unknown version")
	}
	p = p[1:]
	for _, a := range []*Address{&c.Root, &c.Alloc, &c.Avail, &c.Discard} {
		var err error
		if *a, p, err = parseAddress(p, unit); err != nil {
			return c, err
		}
	}
	v, _, err := unpackAll(p, 2)
	if err != nil {
		return c, fmt.Errorf("checkpoint cookie: %w", err)
	}
	c.FileSize, c.Size = int64(v[0]), int64(v[1])
	return c, nil
}

var (
	checkpointAddr = regexp.MustCompile(`addr="([0-9a-f]*)",order=([0-9]+)`)
	settingValue   = regexp.MustCompile(`(?:^|[,(])([a-z_]+)=([^,()]*)`)
)

// setting returns one value of a configuration string, nested or not.
func setting(config, name string) string {
	for _, m := range settingValue.FindAllStringSubmatch(config, -1) {
		if m[1] == name {
			return strings.Trim(m[2], `"`)
		}
	}
	return ""
}

// lastCheckpoint returns the cookie of the newest checkpoint in a file's
// configuration; nil when there is none.
func lastCheckpoint(config string) ([]byte, error) {
	var newest string
	last := -1
	for _, m := range checkpointAddr.FindAllStringSubmatch(config, -1) {
		order, err := strconv.Atoi(m[2])
		if err != nil {
			return nil, fmt.Errorf("checkpoint order: %w", err)
		}
		if order > last {
			last, newest = order, m[1]
		}
	}
	return hex.DecodeString(newest)
}

// parseBytes reads a size such as 4KB or 4096.
func parseBytes(s string) (int64, error) {
	digits := strings.TrimRight(strings.ToUpper(s), "KMGB")
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("size %q: %w", s, err)
	}
	for i, unit := range []string{"K", "M", "G"} {
		if strings.HasPrefix(strings.ToUpper(s[len(digits):]), unit) {
			return n << (10 * (i + 1)), nil
		}
	}
	return n, nil
}
