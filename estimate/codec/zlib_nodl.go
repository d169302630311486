//go:build !cgo || !unix || nodlopen

package codec

import "errors"

func newLibz(int) (Codec, error) {
	return nil, errors.New("this build cannot load libz: it lacks cgo or dlopen")
}
