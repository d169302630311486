//go:build !(cgo && unix)

package codec

import "errors"

func newLibz(int) (Codec, error) {
	return nil, errors.New("built without cgo, or for a system without dlopen")
}
