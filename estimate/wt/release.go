package wt

import (
	"fmt"
	"strconv"
	"strings"
)

// Release says which rules a server release follows. The engine's own version
// does not matter: MongoDB's release does. The zero value is no release.
type Release struct {
	name                string
	major, minor, patch int
}

// Newest is the release taken where none is known; it has every rule that this
// package knows.
func Newest() Release { return Release{"8.3", 8, 3, 0} }

// Oldest is the first release whose page building is as described here:
// adaptive page sizes came with WiredTiger 3.1 in MongoDB 4.2.
var oldest = Release{"4.2", 4, 2, 0}

// ParseRelease reads "8.0" or "8.0.14". A development suffix is passed over.
func ParseRelease(s string) (Release, error) {
	r := Release{name: s}
	number, _, _ := strings.Cut(s, "-")
	parts := strings.Split(number, ".")
	for i, p := range []*int{&r.major, &r.minor, &r.patch} {
		if i >= len(parts) {
			break
		}
		n, err := strconv.Atoi(parts[i])
		if err != nil || n < 0 {
			return Release{}, fmt.Errorf("release %q: not a version (write 7.0 or 8.0.14)", s)
		}
		*p = n
	}
	if len(parts) < 2 || len(parts) > 3 {
		return Release{}, fmt.Errorf("release %q: not a version (write 7.0 or 8.0.14)", s)
	}
	if r.before(oldest.major, oldest.minor, 0) {
		return Release{}, fmt.Errorf("release %q: pages of releases before %s are built by other rules", s, oldest)
	}
	return r, nil
}

func (r Release) String() string { return r.name }

func (r Release) before(major, minor, patch int) bool {
	if r.major != major {
		return r.major < major
	}
	if r.minor != minor {
		return r.minor < minor
	}
	return r.patch < patch
}

// SavesUnit: a compressed page must save a whole allocation unit, or it is
// stored as it is. WiredTiger: src/block_cache/block_io.c, __wt_blkcache_write,
// up to WT-14598.
func (r Release) SavesUnit() bool { return r.beforeDisaggregated() }

// beforeDisaggregated: without WT-14598 (May 2025), which the 8.1 branch does not
// have. No 8.2 branch was there yet when mongodb-master had it (June 2025).
func (r Release) beforeDisaggregated() bool { return r.before(8, 2, 0) }

// TimeWindows: cells can carry time windows, and every address cell carries a
// second descriptor byte, empty or not, because an aggregate that began as "no
// values" never compares equal to "visible to all".
// WiredTiger: src/include/timestamp_inline.h, WT_TIME_AGGREGATE_IS_EMPTY,
// from the mongodb-4.4 branch on.
func (r Release) TimeWindows() bool { return !r.before(4, 4, 0) }

// UpdateBytes is what an update costs in the cache beside its value:
// WT_UPDATE_SIZE without HAVE_DIAGNOSTIC, src/include/btmem.h, in the branches
// mongodb-4.2 (38), -4.4 and -5.0 (39), -6.0 and later (47).
func (r Release) UpdateBytes() int64 {
	switch {
	case r.before(4, 4, 0):
		return 38
	case r.before(6, 0, 0):
		return 39
	}
	return 47
}

// PrefixFloor is the smallest gain for which a key takes a longer prefix than
// the key before it. WiredTiger: src/reconcile/rec_row.c,
// WTI_KEY_PREFIX_PREVIOUS_MINIMUM, from WT-7234: in 4.4.7, not in 4.4.6.
func (r Release) PrefixFloor() int {
	if r.before(4, 4, 7) {
		return 0
	}
	return 10
}
