package report

import (
	"fmt"

	"github.com/wtsize/wtsize/estimate"
)

// todayBlocks say how the collection is stored now and how well the model meets
// that; nothing when it is not known.
func todayBlocks(c estimate.CollectionResult, o Options) []block {
	var f facts
	if t := currentText(c, o); t != "" {
		f = append(f, fact{"stored", t})
	}
	if s := c.SelfCheck; s != nil {
		f = append(f, fact{"self-check", selfCheckText(*s, o)})
		for _, w := range s.Why {
			f = append(f, fact{"", Safe(w)})
		}
	}
	if len(f) == 0 {
		return nil
	}
	return []block{f}
}

func currentText(c estimate.CollectionResult, o Options) string {
	cur := c.Current
	if cur == nil {
		return ""
	}
	s := Safe(cur.Compressor)
	if cur.StorageSize > 0 {
		if s != "" {
			s += ", "
		}
		s += "storageSize " + bytesText(cur.StorageSize, o.Bytes)
		if cur.FreeStorageSize > 0 {
			s += ", of which free for reuse " + bytesText(cur.FreeStorageSize, o.Bytes)
		}
	}
	if cur.TotalIndexSize > 0 {
		s += "; indexes " + bytesText(cur.TotalIndexSize, o.Bytes)
	}
	return s
}

func selfCheckText(s estimate.SelfCheck, o Options) string {
	t := fmt.Sprintf("projected %s, actual %s without free space, ", bytesText(s.Projected, o.Bytes),
		bytesText(s.Actual, o.Bytes))
	switch e := percentNumber(s.ErrorRatio); {
	case s.ErrorRatio > 0:
		t += "+" + e + nbsp + "%"
	default:
		t += e + nbsp + "%"
	}
	if s.WindowedShare > 0 {
		t += "; " + percent(s.WindowedShare) + " of records seem to carry time windows"
	}
	return t
}

// adviceSection gives the answer, the reasons and what to type.
func adviceSection(c estimate.CollectionResult, id string, o Options) section {
	blocks := []block{para{text: adviceText(c, o), strong: true}}
	if len(c.Advice.Why) > 0 {
		blocks = append(blocks, safeBullets(c.Advice.Why))
	}
	if len(c.Advice.Commands) > 0 {
		blocks = append(blocks, recipes(c.Advice.Commands))
	}
	return section{id: id + "-advice", title: "Advice", sub: true, blocks: blocks}
}

func adviceText(c estimate.CollectionResult, o Options) string {
	a := *c.Advice
	setting := settingOf(c, a.Compressor, a.Level)
	switch a.Action {
	case "change":
		s := "Change to " + setting
		if a.SavesBytes > 0 {
			s += fmt.Sprintf(": saves %s", bytesText(a.SavesBytes, o.Bytes))
			if whole := baselineOf(c).size + c.TotalIndexSize; whole > 0 {
				s += ", " + percent(share(a.SavesBytes, whole)) + " of data and indexes"
			}
		}
		return s + "."
	case "keep":
		if setting == "" && c.Current != nil {
			setting = Safe(c.Current.Compressor)
		}
		if setting == "" {
			return "Keep what you have."
		}
		return "Keep " + setting + "."
	}
	return "Undecided: the figures do not say whether a change pays."
}

func safeBullets(list []string) bullets {
	out := make(bullets, len(list))
	for i, s := range list {
		out[i] = Safe(s)
	}
	return out
}
