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

// mostImage of an image is kept, from anywhere in it: a page of one huge document
// may begin with a picture and end with text.
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
	if more := len(image) - mostImage; more > 0 {
		image = image[k.rng.IntN(more+1):][:mostImage]
	}
	k.images[at] = append(k.images[at][:0], image...)
}
