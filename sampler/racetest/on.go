//go:build race

package racetest

// Enabled: this is built with -race.
const Enabled = true
