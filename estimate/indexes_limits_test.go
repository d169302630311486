package estimate

import "testing"

// However many indexes a collection has, up to the 64 of a server, their samples
// together stay within bounds, and each keeps enough to be projected from.
func TestSampleLimits(t *testing.T) {
	const perEntry = 44 // see index.Limits
	for n := range 65 {
		l := sampleLimits(n)
		if l.Entries < leastEntries || l.Entries > mostEntries || l.Bytes < leastKeys {
			t.Errorf("%d indexes: %+v", n, l)
		}
		if all := max(1, n) * (perEntry*l.Entries + l.Bytes); all > 128<<20 {
			t.Errorf("%d indexes hold %d MiB", n, all>>20)
		}
	}
	if few, many := sampleLimits(5), sampleLimits(64); few.Entries != mostEntries || many.Entries >= few.Entries {
		t.Errorf("5 indexes take %d entries each, 64 take %d", few.Entries, many.Entries)
	}
}
