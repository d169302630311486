//go:build race

package index

const raceDetector = true
