package codec

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Names of the compressors, spelled as in WiredTiger's block_compressor.
const (
	None   = "none"
	Snappy = "snappy"
	Zlib   = "zlib"
	Zstd   = "zstd"
)

// DefaultLevel is the level that servers use where none is configured:
// Z_DEFAULT_COMPRESSION is 6 for zlib (ext/compressors/zlib/zlib_compress.c),
// and zstd_compress.c sets 6 itself (CLEVEL), whatever its comment says.
const DefaultLevel = 6

// Setting is a compressor and its level. It is comparable.
type Setting struct {
	Name  string // none|snappy|zlib|zstd
	Level int    // zlib 1..9, zstd -7..22 except 0; 0 for the others
}

// Defaults are the four compressors at the levels that servers use.
func Defaults() []Setting {
	return []Setting{{Name: None}, {Name: Snappy}, {Zlib, DefaultLevel}, {Zstd, DefaultLevel}}
}

// String is the setting as Parse reads it, without the level where it is the
// default: "snappy", "zstd", "zstd:3".
func (s Setting) String() string {
	if s.Level == 0 || s.Level == DefaultLevel {
		return s.Name
	}
	return s.Name + ":" + strconv.Itoa(s.Level)
}

// levels is the range of levels of a compressor; ok is false if it has none.
// zstd's lowest level for servers is -7, although libzstd goes further down.
func levels(name string) (lo, hi int, ok bool) {
	switch name {
	case Zlib:
		return 1, 9, true
	case Zstd:
		return -7, 22, true
	}
	return 0, 0, false
}

// Parse reads one setting: "none", "snappy", "zlib", "zlib:9", "zstd:-5".
func Parse(text string) (Setting, error) {
	all, err := expand(text)
	if err != nil {
		return Setting{}, err
	}
	if len(all) != 1 {
		return Setting{}, fmt.Errorf("compressor %q: a range of levels where one is expected", text)
	}
	return all[0], nil
}

// ParseList reads settings separated by commas. A range of levels,
// "zstd:1-22" or "zstd:-7--1", stands for every level in it; level 0, which is
// libzstd's other name for 3, is left out of a range that spans it. Repeated settings are
// given once, where they came first.
func ParseList(text string) ([]Setting, error) {
	var list []Setting
	for item := range strings.SplitSeq(text, ",") {
		all, err := expand(strings.TrimSpace(item))
		if err != nil {
			return nil, err
		}
		for _, s := range all {
			if !slices.Contains(list, s) {
				list = append(list, s)
			}
		}
	}
	return list, nil
}

// expand reads one item of a list.
func expand(text string) ([]Setting, error) {
	name, level, hasLevel := strings.Cut(text, ":")
	switch name {
	case None, Snappy:
		if hasLevel {
			return nil, fmt.Errorf("compressor %q: %s has no levels", text, name)
		}
		return []Setting{{Name: name}}, nil
	case Zlib, Zstd:
		if !hasLevel {
			return []Setting{{name, DefaultLevel}}, nil
		}
	default:
		return nil, fmt.Errorf("compressor %q: not known; there are none, snappy, zlib[:1-9] and zstd[:-7-22]", text)
	}
	lo, hi, ok := splitRange(level)
	if !ok {
		return nil, fmt.Errorf("compressor %q: want a level, as in %s:3, or a range, as in %s:1-9", text, name, name)
	}
	var list []Setting
	for l := lo; l <= hi; l++ {
		s := Setting{name, l}
		if l == 0 && lo < 0 {
			continue
		}
		if err := s.check(); err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	return list, nil
}

// splitRange reads "3", "-3", "1-22" or "-7--1". Bounds are short, so that no
// range is long before its levels are checked.
func splitRange(text string) (lo, hi int, ok bool) {
	first, second := text, text
	if text != "" {
		if i := strings.IndexByte(text[1:], '-'); i >= 0 {
			first, second = text[:i+1], text[i+2:]
		}
	}
	lo, ok1 := shortInt(first)
	hi, ok2 := shortInt(second)
	return lo, hi, ok1 && ok2 && lo <= hi
}

func shortInt(text string) (int, bool) {
	digits := strings.TrimPrefix(text, "-")
	if len(digits) == 0 || len(digits) > 2 || strings.Trim(digits, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.Atoi(text)
	return n, err == nil
}

// check reports a setting that no server accepts.
func (s Setting) check() error {
	lo, hi, leveled := levels(s.Name)
	switch {
	case !leveled && s.Name != None && s.Name != Snappy:
		return fmt.Errorf("compressor %q: not known", s.Name)
	case !leveled && s.Level != 0:
		return fmt.Errorf("compressor %q has no levels", s.Name)
	case leveled && s.Level == 0:
		return fmt.Errorf("%s level 0 is not a level of its own: name the level, or leave it out for %d", s.Name, DefaultLevel)
	case leveled && (s.Level < lo || s.Level > hi):
		return fmt.Errorf("%s level %d: levels go from %d to %d", s.Name, s.Level, lo, hi)
	}
	return nil
}
