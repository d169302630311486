package cost

import (
	"math"
	"strings"
	"testing"
)

func TestParseDisk(t *testing.T) {
	for _, c := range []struct {
		in   string
		want Disk
	}{
		{"gp3", Disk{"gp3", 125 << 20, 3000, 0.001, ""}},
		{"gp3,throughput=250MB/s", Disk{"gp3", 250e6, 3000, 0.001, ""}},
		{"gp3, throughput=250MiB/s, iops=6000, latency=800us", Disk{"gp3", 250 << 20, 6000, 0.0008, ""}},
		{"nvme,latency=0.1ms", Disk{"nvme", 3500e6, 600000, 0.0001, ""}},
		{"throughput=2GB/s,iops=5e4,latency=2ms", Disk{"custom", 2e9, 50000, 0.002, ""}},
		{"hdd,throughput=1048576", Disk{"hdd", 1 << 20, 80, 0.0124, ""}},
		{"hdd,throughput=10KiB", Disk{"hdd", 10 << 10, 80, 0.0124, ""}},
	} {
		got, err := ParseDisk(c.in)
		if err != nil {
			t.Errorf("%q: %v", c.in, err)
			continue
		}
		if got.Source == "" {
			t.Errorf("%q: no source", c.in)
		}
		got.Source = ""
		if got.Profile != c.want.Profile || math.Abs(got.Throughput-c.want.Throughput) > 1 ||
			got.IOPS != c.want.IOPS || math.Abs(got.Latency-c.want.Latency) > 1e-12 {
			t.Errorf("%q: %+v, want %+v", c.in, got, c.want)
		}
	}
}

func TestParseDiskErrors(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", "no disk profile"},
		{"ssd", `no disk profile "ssd"; there are hdd, gp3`},
		{"gp3,", "want throughput="},
		{"gp3,speed=1", `"speed"`},
		{"gp3,iops=0", "positive"},
		{"gp3,iops=-5", "positive"},
		{"gp3,iops=NaN", "positive"},
		{"gp3,iops=Inf", "positive"},
		{"gp3,throughput=fast", "250MB/s"},
		{"gp3,throughput=1e300GB/s", "250MB/s"},
		{"gp3,latency=3", "0.5ms"},
		{"gp3,latency=-1ms", "0.5ms"},
		{"throughput=1GB/s", "give throughput, iops and latency"},
	} {
		if d, err := ParseDisk(c.in); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %+v, %v; want an error with %q", c.in, d, err, c.want)
		}
	}
}

// A preset whose latency is above 1/IOPS is bound by it, never the reverse: one
// thread cannot be refused reads that its own waiting makes impossible.
func TestPresets(t *testing.T) {
	seen := map[string]bool{}
	for _, d := range Presets() {
		if d.Throughput <= 0 || d.IOPS <= 0 || d.Latency <= 0 || d.Source == "" || seen[d.Profile] {
			t.Errorf("%+v", d)
		}
		seen[d.Profile] = true
		if got, err := ParseDisk(d.Profile); err != nil || got != d {
			t.Errorf("%s: %+v, %v", d.Profile, got, err)
		}
		if d.Latency < 0.9/d.IOPS {
			t.Errorf("%s: latency %g s, but only %g reads a second", d.Profile, d.Latency, d.IOPS)
		}
	}
	for _, name := range strings.Fields("hdd sata-ssd nvme gp3 gp3-max io2 network-1ms") {
		if !seen[name] {
			t.Errorf("no preset %s", name)
		}
	}
}

func FuzzParseDisk(f *testing.F) {
	f.Add("gp3,throughput=250MB/s,iops=6000,latency=0.8ms")
	f.Add("throughput=2GiB/s,iops=50000,latency=200us")
	f.Fuzz(func(t *testing.T, s string) {
		d, err := ParseDisk(s)
		if err != nil {
			return
		}
		for _, v := range []float64{d.Throughput, d.IOPS, d.Latency, d.ReadSeconds(4096)} {
			if !(v > 0) || math.IsInf(v, 0) {
				t.Errorf("%q: %+v", s, d)
			}
		}
	})
}
