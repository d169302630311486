//go:build oracle

package oracle

import "syscall"

// processCPU is the CPU time the process has used, in seconds, user and system.
func processCPU() float64 { return cpuSeconds(syscall.RUSAGE_SELF) }

// threadCPU is the same of the calling thread.
func threadCPU() float64 { return cpuSeconds(rusageThread) }

// rusageThread is Linux' RUSAGE_THREAD, which package syscall has not.
const rusageThread = 1

func cpuSeconds(who int) float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(who, &u); err != nil {
		return 0
	}
	return seconds(u.Utime) + seconds(u.Stime)
}

func seconds(t syscall.Timeval) float64 { return float64(t.Sec) + float64(t.Usec)/1e6 }
