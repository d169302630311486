package build

import (
	"math/rand/v2"

	"github.com/wtsize/wtsize/estimate/wt"
)

// keeper keeps a uniform choice of images: reservoir sampling, algorithm R
// (Vitter 1985).
type keeper struct {
	most, seen int
	rng        *rand.Rand
	images     [][]byte
}

// mostImage of an image is kept. A page of one huge document takes no other time
// for each of its bytes.
const mostImage = 128 << 10

func newKeeper(cfg Config) keeper {
	return keeper{most: cfg.Images, rng: rand.New(rand.NewPCG(cfg.Seed, 0))}
}

func (k *keeper) offer(cells []byte) {
	if k.most == 0 || len(cells) <= wt.CompressSkip {
		return
	}
	k.seen++
	at := len(k.images)
	if at == k.most {
		if at = k.rng.IntN(k.seen); at >= k.most {
			return
		}
	} else {
		k.images = append(k.images, nil)
	}
	image := cells[wt.CompressSkip-wt.HeaderBytes:]
	k.images[at] = append(k.images[at][:0], image[:min(len(image), mostImage)]...)
}
