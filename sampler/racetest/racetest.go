// Package racetest tells tests whether the race detector watches them: it makes
// them five to twenty times as slow, and does not see everything. What is skipped
// under it runs without it.
package racetest

import "testing"

// OneGoroutine skips a long test that only ever runs one.
func OneGoroutine(t testing.TB) {
	t.Helper()
	if Enabled {
		t.Skip("one goroutine: nothing for the race detector")
	}
}

// OtherPrograms skips a long test that runs programs built without it.
func OtherPrograms(t testing.TB) {
	t.Helper()
	if Enabled {
		t.Skip("programs of their own: nothing for the race detector")
	}
}
