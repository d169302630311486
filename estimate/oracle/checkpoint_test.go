package oracle

import (
	"encoding/hex"
	"strings"
	"testing"
)

// A file's configuration as WiredTiger 3.2.1 keeps it, shortened.
const metadata321 = `access_pattern_hint=none,allocation_size=4KB,app_metadata=,block_compressor=oracle_zstd,` +
	`checkpoint=(WiredTigerCheckpoint.1=(addr="018081e4aaaaaaaa8181e4bbbbbbbb8281e4cccccccc808080e29fc0e25fc0",order=1,time=1,size=8192),` +
	`WiredTigerCheckpoint.2=(addr="",order=2,time=2,size=0)),key_format=q,leaf_page_max=32KB,log=(enabled=false)`

func TestLastCheckpoint(t *testing.T) {
	for _, tc := range []struct{ config, want string }{
		{`a=b`, ""},
		{`checkpoint=(X.1=(addr="01",order=1),X.10=(addr="03",order=10),X.9=(addr="02",order=9))`, "03"},
		{metadata321, ""}, // the newest one is of an empty tree
	} {
		got, err := lastCheckpoint(tc.config)
		if err != nil || hex.EncodeToString(got) != tc.want {
			t.Errorf("%s: %x, %v; want %s", tc.config, got, err, tc.want)
		}
	}
	if _, err := lastCheckpoint(`addr="012",order=1`); err == nil {
		t.Error("half a byte: no error")
	}
	if _, err := lastCheckpoint(`addr="01",order=99999999999999999999`); err == nil {
		t.Error("order beyond int: no error")
	}
}

func TestParseCheckpoint(t *testing.T) {
	cookie, err := hex.DecodeString("018081e4aaaaaaaa8181e4bbbbbbbb8281e4cccccccc808080e29fc0e25fc0")
	if err != nil {
		t.Fatal(err)
	}
	got, err := parseCheckpoint(cookie, 4096)
	want := Checkpoint{
		Root:     Address{4096, 4096, 0xaaaaaaaa + 8256},
		Alloc:    Address{8192, 4096, 0xbbbbbbbb + 8256},
		Avail:    Address{12288, 4096, 0xcccccccc + 8256},
		FileSize: 0x9fc0 + 8256, Size: 0x5fc0 + 8256,
	}
	if err != nil || got != want {
		t.Errorf("%+v, %v; want %+v", got, err, want)
	}
	for n := range cookie {
		if _, err := parseCheckpoint(cookie[:n], 4096); err == nil {
			t.Errorf("%d bytes of the cookie: no error", n)
		}
	}
	if _, err := parseCheckpoint([]byte{2, 0x80}, 4096); err == nil {
		t.Error("version 2: no error")
	}
	huge := append([]byte{1, 0xe8}, strings.Repeat("\xff", 8)...)
	if _, err := parseCheckpoint(append(huge, 0x81, 0x80), 4096); err == nil {
		t.Error("offset beyond any file: no error")
	}
}

func FuzzParseCheckpoint(f *testing.F) {
	f.Add([]byte("\x01\x80\x81\x81\x81\x81\x81\x82\x81\x81\x80\x80\x80\x81\x81"), int64(4096))
	f.Fuzz(func(t *testing.T, p []byte, unit int64) {
		if unit < 512 || unit > maxImage {
			return
		}
		c, err := parseCheckpoint(p, unit)
		if err == nil && (c.Root.Offset < 0 || c.Root.Size < 0 || c.Root.Offset%unit != 0) {
			t.Errorf("%+v", c)
		}
	})
}

func TestSetting(t *testing.T) {
	for name, want := range map[string]string{
		"allocation_size": "4KB", "block_compressor": "oracle_zstd", "key_format": "q", "app_metadata": "", "absent": "", "enabled": "false",
	} {
		if got := setting(metadata321, name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestParseBytes(t *testing.T) {
	for s, want := range map[string]int64{"4096": 4096, "4KB": 4096, "10m": 10 << 20, "1G": 1 << 30, "0": 0} {
		if got, err := parseBytes(s); err != nil || got != want {
			t.Errorf("%s: %d, %v; want %d", s, got, err, want)
		}
	}
	for _, s := range []string{"", "KB", "x"} {
		if _, err := parseBytes(s); err == nil {
			t.Errorf("%q: no error", s)
		}
	}
}
