//go:build !linux

package codec

import "time"

func threadTime() time.Duration { return wallTime() }
