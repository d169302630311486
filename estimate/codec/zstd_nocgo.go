//go:build !cgo

package codec

import "errors"

func newLibzstd(int) (Codec, error) {
	return nil, errors.New("built without cgo")
}
