package advise

import (
	"fmt"
	"math"
)

func (v verdict) keep(why []string) Advice {
	a := Advice{Action: Keep, Compressor: v.now.Compressor, Level: v.now.Level}
	a.Why = v.addIndexes(append(why, v.whyKeep()))
	return a
}

func (v verdict) whyKeep() string {
	switch {
	case v.same() && v.smallest.StorageSize >= v.now.StorageSize:
		return fmt.Sprintf("%s makes the smallest file of all that was tried, and nothing within 5 %% of it costs less CPU.", v.now.name())
	case v.same():
		return fmt.Sprintf("%s costs the least CPU of all within 5 %% of the smallest file, which %s makes.", v.now.name(), v.smallest.name())
	case v.saves() <= 0 && v.smallest.StorageSize < v.now.StorageSize:
		return fmt.Sprintf("The smallest file, with %s, would save %s of data plus indexes: no change pays.",
			v.smallest.name(), v.shareOfAll(float64(v.now.StorageSize-v.smallest.StorageSize)))
	case v.saves() <= 0:
		return fmt.Sprintf("No setting makes the file smaller than %s does.", v.now.name())
	}
	s := fmt.Sprintf("%s instead of %s would save %s of data plus indexes, less than the 5 %% that a rebuild is worth",
		v.to.name(), v.now.name(), v.shareOfAll(v.saves()))
	if v.to.cheaper(v.now) {
		return s + "; it costs less CPU too, so take it for new collections."
	}
	return s + "."
}

func (v verdict) same() bool {
	return v.to.Compressor == v.now.Compressor && v.to.Level == v.now.Level
}

func (v verdict) undecided(why []string) Advice {
	why = append(why, fmt.Sprintf("%s instead of %s would save %s of data plus indexes, but between %s and %s are possible.",
		v.to.name(), v.now.name(), v.shareOfAll(v.saves()), v.shareOfAll(v.savesAtWorst()), v.shareOfAll(v.savesAtBest())))
	return undecided(v.addIndexes(append(why, v.sampleNeeded()))...)
}

// sampleNeeded says what would settle it. The sampling error falls with the
// square root of the sample, the rest of the intervals stays.
func (v verdict) sampleNeeded() string {
	sampling := v.now.SamplingError*float64(v.now.StorageSize) + v.to.SamplingError*float64(v.to.StorageSize)
	fixed := v.saves() - v.savesAtWorst() - sampling
	room := v.saves() - v.needed() - fixed
	switch {
	case v.in.Sample.Complete:
		return "All documents were read: what is left is the spread of the server itself and the error of the codec."
	case room <= 0:
		return "A larger sample will not settle it: the spread of the server itself and the error of the codec are wider than the difference."
	}
	grow := math.Pow(sampling/room, 2)
	if need := grow * float64(v.in.Sample.Bytes); need < float64(v.in.Size) {
		return fmt.Sprintf("A sample of about %s would settle it: --sample %s.", size(need), sampleFlag(need))
	}
	return "Only reading everything would settle it: --sample all."
}

func (in Input) thinSample() string {
	if in.Size > 2*minSample {
		return fmt.Sprintf("The sample of %s is too thin to advise on; at least %s are needed: --sample %s.",
			size(float64(in.Sample.Bytes)), size(minSample), sampleFlag(minSample))
	}
	return fmt.Sprintf("The sample of %s is too thin to advise on: --sample all.", size(float64(in.Sample.Bytes)))
}

func (v verdict) change(why []string) Advice {
	a := Advice{Action: Change, Compressor: v.to.Compressor, Level: v.to.Level, SavesBytes: v.now.StorageSize - v.to.StorageSize}
	why = append(why, fmt.Sprintf("%s instead of %s saves %s: %s of the data, %s of data plus indexes.",
		v.to.name(), v.now.name(), size(v.saves()), percent(v.saves()/float64(v.now.StorageSize)), v.shareOfAll(v.saves())))
	if worst := v.savesAtWorst(); worst < v.saves() {
		why = append(why, fmt.Sprintf("At the unfavourable ends of the intervals it still saves %s of data plus indexes.", v.shareOfAll(worst)))
	}
	why = v.addIndexes(why)
	why = v.addPrice(why)
	a.Why = append(why, "Where the file system compresses already (ZFS, Btrfs, VDO), less is gained on the device.")
	a.Commands = v.commands()
	return a
}

// addIndexes says what no compressor can shrink.
func (v verdict) addIndexes(why []string) []string {
	if v.in.IndexBytes == 0 {
		return why
	}
	return append(why, fmt.Sprintf("Indexes hold %s, %s of the total; no compressor shrinks them.",
		size(float64(v.in.IndexBytes)), v.shareOfAll(float64(v.in.IndexBytes))))
}

// addPrice says what the change costs: CPU, cache, time.
func (v verdict) addPrice(why []string) []string {
	now, to := v.now, v.to
	if to.CompressNs+to.DecompressNs > 0 {
		why = append(why, fmt.Sprintf("CPU of the codec on one core, for each GB of uncompressed pages: %s s instead of %s s to write, %s s instead of %s s to read.",
			number(to.CompressNs), number(now.CompressNs), number(to.DecompressNs), number(now.DecompressNs)))
	}
	if a, b := float64(to.PointReadCacheBytes), float64(now.PointReadCacheBytes); a > 0 && b > 0 && math.Abs(a-b) > Threshold*b {
		why = append(why, fmt.Sprintf("A document that is not in cache brings a page of %s with it, instead of %s.", size(a), size(b)))
	}
	if v.in.Disk != "" && to.ScanSeconds > 0 && now.ScanSeconds > 0 && to.PointReadSeconds > 0 && now.PointReadSeconds > 0 {
		why = append(why, fmt.Sprintf("On %s a full scan takes %s instead of %s, a cold point read %s instead of %s.",
			v.in.Disk, duration(to.ScanSeconds), duration(now.ScanSeconds), duration(to.PointReadSeconds), duration(now.PointReadSeconds)))
	}
	return why
}

// shareOfAll is a number of bytes as a share of today's data plus indexes.
func (v verdict) shareOfAll(bytes float64) string {
	return percent(bytes / float64(v.now.StorageSize+v.in.IndexBytes))
}
