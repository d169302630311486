package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"github.com/wtsize/wtsize/sampler/generate"
	"github.com/wtsize/wtsize/sampler/live/fakemongod"
	"github.com/wtsize/wtsize/sampler/racetest"
)

// generated are n documents of a shape, one after the other.
func generated(t testing.TB, shape string, n int) []byte {
	t.Helper()
	g, err := generate.New(shape, 1)
	if err != nil {
		t.Fatal(err)
	}
	var all []byte
	for range n {
		all = append(all, g.Next()...)
	}
	return all
}

func written(t testing.TB, name string, content []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestInputFails: standard input that fails half way gives a partial result and
// says so, and no result where nothing came.
func TestInputFails(t *testing.T) {
	for name, file := range fuzzFiles(t) {
		for _, n := range []int{0, 3, len(file) * 3 / 4} {
			in := io.MultiReader(bytes.NewReader(file[:n]), iotest.ErrReader(errors.New("input/output error")))
			out, errs, status := runWith(in, "estimate", "-", "--no-indexes", "--compressors", "snappy", "--format", "json")
			if !strings.Contains(errs, "input/output error") || (status == exitFailed) != (out == "") ||
				status == exitPartial && !strings.Contains(out, `"partial": true`) || status != exitFailed && status != exitPartial {
				t.Errorf("%s failing at %d: status %d, %s", name, n, status, errs)
			}
		}
	}
}

// TestDiskFull: each command that writes says that the disk is full, and leaves
// neither a file nor what was written of one.
func TestDiskFull(t *testing.T) {
	path := written(t, "c.bson", generated(t, "orders", 500))
	result := filepath.Join(t.TempDir(), "r.json")
	if _, errs, status := runOn(t, "estimate", path, "--no-indexes", "--out", result); status != exitOK {
		t.Fatal(errs)
	}
	commands := map[string][]string{"estimate": {"estimate", path, "--no-indexes", "--format", "json"}, "sample": {"sample", path},
		"report": {"report", result, "--format", "html"}, "compare": {"compare", result, result, "--format", "json"}}
	for _, disk := range fullDisks(t) {
		for name, args := range commands {
			out, errs, status := runOn(t, append(args, "--out", disk.path)...)
			if status != exitFailed || out != "" || !strings.Contains(errs, "no space left on device") || !strings.Contains(errs, "hint: the disk is full") {
				t.Errorf("%s: status %d, %s", name, status, errs)
			}
			if left := names(t, disk.dir); disk.dir != "/dev" && left != disk.holds {
				t.Errorf("%s: left behind: %s", name, left)
			}
		}
	}
}

// disk is a place in dir to write to, which has no room.
type disk struct{ dir, path, holds string }

// fullDisks are the device that is full, and a small file system where one can
// be had.
func fullDisks(t *testing.T) []disk {
	all := []disk{{"/dev", "/dev/full", ""}}
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("no /dev/full here")
	}
	dir := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=8k", "tmpfs", dir).CombinedOutput(); err != nil {
		t.Logf("no file system of 8 KiB, /dev/full alone: %s", out)
		return all
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", dir).CombinedOutput(); err != nil {
			t.Errorf("%s", out)
		}
	})
	if err := os.WriteFile(filepath.Join(dir, "filler"), make([]byte, 8<<10), 0o600); err != nil {
		t.Fatal(err)
	}
	return append(all, disk{dir, filepath.Join(dir, "out"), "filler"})
}

// TestClosedOutput: a pipe that nobody reads any more ends each command with an
// error and not with a signal.
func TestClosedOutput(t *testing.T) {
	path := written(t, "c.bson", generated(t, "orders", 500))
	for _, args := range [][]string{{"estimate", path, "--no-indexes"}, {"sample", path, "--out", "-"}, {"codecs"}, {"version"}} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		r.Close()
		cmd := command(t, args...)
		var errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = w, &errs
		_ = cmd.Run() // what matters is how it ended
		w.Close()
		if cmd.ProcessState.ExitCode() != exitFailed || !strings.Contains(errs.String(), "broken pipe") {
			t.Errorf("%q: %v, %s", args, cmd.ProcessState, errs.String())
		}
	}
}

// command is wtsize in a process of its own: this binary under its name.
func command(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Args[0] = "wtsize"
	cmd.Env = append(os.Environ(), "GORACE=atexit_sleep_ms=0")
	return cmd
}

// TestConnectionCut cuts the connection at every message of an estimate, once
// and for good, before the reply and within it. What is not marked knows as much
// of the collection as an estimate without a cut; the server may have drawn other
// documents. They wait for the server to come back, all at a time.
func TestConnectionCut(t *testing.T) {
	t.Parallel() // it waits most of the time
	want := estimateCut(t, nil)
	const known = "\ncompressor,shop.orders,snappy,,500,measured,"
	if want.status != exitOK || want.commands < 10 || !strings.Contains(want.out, known) {
		t.Fatalf("%+v", want)
	}
	var all sync.WaitGroup
	step := 1
	if racetest.Enabled {
		step = 3 // the same goroutines each time
	}
	for n := 0; n < want.commands; n += step {
		for _, f := range []fakemongod.Fault{{After: n, Times: 1, Drop: true}, {After: n, Times: 1, Cut: true}, {After: n, Drop: true}, {After: n, Cut: true}} {
			all.Go(func() {
				got := estimateCut(t, &f)
				marked := strings.Contains(got.errs, "error: ") && (got.status == exitPartial || got.status == exitFailed && got.out == "")
				if got.status == exitOK && !strings.Contains(got.out, known) || got.status != exitOK && !marked {
					t.Errorf("cut at command %d of %d (%+v): %+v", n, want.commands, f, got)
				}
			})
		}
	}
	all.Wait()
}

// ended is how an estimate of a deployment ended, after so many commands.
type ended struct {
	out, errs        string
	status, commands int
}

func estimateCut(t *testing.T, f *fakemongod.Fault) ended {
	orders := &fakemongod.Collection{Name: "orders"}
	g, err := generate.New("orders", 1)
	if err != nil {
		t.Error(err)
		return ended{}
	}
	for range 500 {
		orders.Add(bytes.Clone(g.Next()))
	}
	s, err := fakemongod.Start(fakemongod.V80(), fakemongod.DB{Name: "shop", Collections: []*fakemongod.Collection{orders}})
	if err != nil {
		t.Error(err)
		return ended{}
	}
	defer s.Close()
	wait := "10000"
	if f != nil {
		wait = "500"
		s.Inject(*f)
	}
	var e ended
	e.out, e.errs, e.status = runWith(nil, "estimate", "--uri", s.URI()+"/?serverSelectionTimeoutMS="+wait, "-d", "shop",
		"--sample", "128KiB", "--compressors", "snappy", "--format", "csv")
	e.commands = len(s.Commands())
	return e
}

// TestAnyNumberOfCores: the result is the same on one core and on eight.
func TestAnyNumberOfCores(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	path := written(t, "c.bson", generated(t, "orders", 6000))
	want := ""
	for n := 1; n <= 8; n++ {
		runtime.GOMAXPROCS(n)
		out, errs, status := runOn(t, "estimate", path, "--sample", "1MiB", "--index", "{userId:1}", "--format", "json")
		if status != exitOK {
			t.Fatalf("%d cores: %s", n, errs)
		}
		if want == "" {
			want = out
		}
		if out != want {
			t.Errorf("%d cores: another result", n)
		}
	}
}

// TestBoundedMemory runs wtsize on more than it keeps of a sample, in a group of
// processes that gets 300 MiB and no more, where that is to be had.
func TestBoundedMemory(t *testing.T) {
	racetest.OtherPrograms(t)
	if runtime.GOOS != "linux" {
		t.Skip("what a process takes is looked up in /proc")
	}
	const most = 300 << 20
	bin, path := filepath.Join(programs(t), "wtsize"), filepath.Join(t.TempDir(), "c.bson")
	if out, err := exec.Command(filepath.Join(programs(t), "wtsize-gen"), "log", "--docs", "350000", "--out", path).CombinedOutput(); err != nil {
		t.Fatalf("wtsize-gen: %v\n%s", err, out)
	}
	cmd := exec.Command(bin, "estimate", path, "--no-indexes", "--compressors", "snappy", "--sample", "all", "--format", "csv")
	join, remove := memoryGroup(t, most)
	defer remove()
	if join != "" {
		cmd = exec.Command("sh", append([]string{"-c", `echo $$ >"$0" && exec "$@"`, join}, cmd.Args...)...)
	}
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	done, taken := make(chan error), 0
	go func() { done <- cmd.Wait() }()
	for {
		select {
		case err := <-done:
			if err != nil || taken == 0 || taken > most {
				t.Errorf("%v with %d MiB taken\n%s", err, taken>>20, out.String())
			}
			return
		case <-time.After(20 * time.Millisecond):
			taken = max(taken, peak(cmd.Process.Pid))
		}
	}
}

// peak is the most memory that a process has had so far; what its parent had,
// as it is counted for rusage, is not in it.
func peak(pid int) int {
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	_, after, _ := strings.Cut(string(status), "VmHWM:")
	kib := 0
	_, _ = fmt.Sscan(after, &kib)
	return kib << 10
}

// memoryGroup makes a control group of so many bytes and gives the file that a
// process joins it by; "" where that is not to be had.
func memoryGroup(t *testing.T, most int) (join string, remove func()) {
	for _, v := range []struct{ root, limit string }{{"/sys/fs/cgroup/memory", "memory.limit_in_bytes"}, {"/sys/fs/cgroup", "memory.max"}} {
		dir := filepath.Join(v.root, fmt.Sprint("wtsize-test-", os.Getpid()))
		if os.Mkdir(dir, 0o755) != nil {
			continue
		}
		if f, err := os.OpenFile(filepath.Join(dir, v.limit), os.O_WRONLY, 0); err == nil {
			_, err := f.WriteString(strconv.Itoa(most))
			if f.Close(); err == nil {
				return filepath.Join(dir, "cgroup.procs"), func() { os.Remove(dir) }
			}
		}
		os.Remove(dir)
	}
	t.Log("no control group to be had: the memory taken is looked at afterwards")
	return "", func() {}
}
