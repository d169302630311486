//go:build oracle

package oracle

import "golang.org/x/sys/unix"

// Both clocks count what runs to the nanosecond. getrusage would leave out what
// the thread did since the last tick of the scheduler, 1 to 10 ms: as much as a
// scan of a small collection takes.

// processCPU is the CPU time the process has used, in seconds, user and system.
func processCPU() float64 { return cpuSeconds(unix.CLOCK_PROCESS_CPUTIME_ID) }

// threadCPU is the same of the calling thread.
func threadCPU() float64 { return cpuSeconds(unix.CLOCK_THREAD_CPUTIME_ID) }

func cpuSeconds(clock int32) float64 {
	var t unix.Timespec
	if err := unix.ClockGettime(clock, &t); err != nil {
		return 0
	}
	return float64(t.Nano()) / 1e9
}
