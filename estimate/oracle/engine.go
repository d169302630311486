//go:build oracle

package oracle

/*
#cgo LDFLAGS: -lwiredtiger -lsnappy -lz -lzstd -lpthread
#include <stdlib.h>
#include "engine.h"
*/
import "C"

import (
	"errors"
	"fmt"
	"strings"
	"unsafe"
)

// Version is the linked engine's release.
type Version struct{ Major, Minor, Patch int }

func (v Version) String() string {
	return fmt.Sprintf("%d.%d.%d", v.Major, v.Minor, v.Patch)
}

// TimeWindows says whether cells keep commit timestamps on disk: since the
// WiredTiger 10.0.0 of MongoDB 4.4.
func (v Version) TimeWindows() bool { return v.Major >= 10 }

// UpdateBytes is the memory an update takes beside its value, which together are
// rounded up to 32 (src/include/btmem.h, WT_UPDATE_SIZE): it decides how many
// records fit into a page in memory, and so where page boundaries fall. Measured
// for 3.2.1: values of 122 bytes fill a page with as many records as those of 101,
// values of 123 with fewer. The figure of 12.0.0 is given for all between.
func (v Version) UpdateBytes() int {
	if v.Major < 10 {
		return 38
	}
	return 47
}

// Release is the server release whose rules the engine follows, as the model
// spells it; empty for the newest.
func (v Version) Release() string {
	if v.Major < 10 {
		return "4.2.0"
	}
	return ""
}

// EngineVersion returns the version of the library linked at run time.
func EngineVersion() Version {
	var major, minor, patch C.int
	C.wiredtiger_version(&major, &minor, &patch)
	return Version{int(major), int(minor), int(patch)}
}

// check turns a WiredTiger return code into an error naming the call.
func check(call string, ret C.int) error {
	if ret == 0 {
		return nil
	}
	return fmt.Errorf("%s: %s", call, C.GoString(C.wiredtiger_strerror(ret)))
}

// engine is an open database.
type engine struct {
	conn *C.WT_CONNECTION
}

// session is one session; one goroutine may use it at a time.
type session struct {
	s *C.WT_SESSION
}

type cursor struct {
	c *C.WT_CURSOR
}

// openEngine opens or creates the database in dir.
func openEngine(dir string, c Config) (*engine, error) {
	e := &engine{}
	home, config := C.CString(dir), C.CString(c.connection())
	defer C.free(unsafe.Pointer(home))
	defer C.free(unsafe.Pointer(config))
	if err := check("wiredtiger_open", C.oracle_open(home, config, &e.conn)); err != nil {
		return nil, err
	}
	zlib, zstd := c.levels()
	if err := check("add_compressor", C.oracle_add_compressors(e.conn, C.int(zlib), C.int(zstd))); err != nil {
		return nil, errors.Join(err, e.close())
	}
	return e, nil
}

func (e *engine) close() error {
	return check("connection close", C.oracle_close(e.conn))
}

func (e *engine) session() (*session, error) {
	s := &session{}
	return s, check("open_session", C.oracle_session(e.conn, &s.s))
}

func (e *engine) setTimestamp(config string) error {
	c := C.CString(config)
	defer C.free(unsafe.Pointer(c))
	return check("set_timestamp", C.oracle_set_timestamp(e.conn, c))
}

func (s *session) create(uri, config string) error {
	u, c := C.CString(uri), C.CString(config)
	defer C.free(unsafe.Pointer(u))
	defer C.free(unsafe.Pointer(c))
	return check("create "+uri, C.oracle_create(s.s, u, c))
}

func (s *session) checkpoint() error {
	return check("checkpoint", C.oracle_checkpoint(s.s))
}

func (s *session) cursor(uri, config string) (*cursor, error) {
	u, c := C.CString(uri), C.CString(config)
	defer C.free(unsafe.Pointer(u))
	defer C.free(unsafe.Pointer(c))
	k := &cursor{}
	return k, check("open_cursor "+uri, C.oracle_cursor(s.s, u, c, &k.c))
}

func (k *cursor) close() error {
	return check("cursor close", C.oracle_cursor_close(k.c))
}

// scan reads every record from the cursor's position on.
func (k *cursor) scan() (records, bytes int64, err error) {
	var n, size C.int64_t
	err = check("scan", C.oracle_scan(k.c, &n, &size))
	return int64(n), int64(size), err
}

// statistics returns the figures the engine keeps on a table, or on the database
// when uri is empty, by its own names.
func (s *session) statistics(uri string) (map[string]int64, error) {
	k, err := s.cursor("statistics:"+uri, "statistics=(fast)")
	if err != nil {
		return nil, err
	}
	all := map[string]int64{}
	for {
		var name *C.char
		var value C.int64_t
		ret := C.oracle_next_statistic(k.c, &name, &value)
		if ret == C.WT_NOTFOUND {
			return all, k.close()
		}
		if err := check("statistics", ret); err != nil {
			return nil, errors.Join(err, k.close())
		}
		all[strings.TrimSpace(C.GoString(name))] = int64(value)
	}
}

// metadata returns the engine's configuration string of one object.
func (s *session) metadata(key string) (string, error) {
	k, err := s.cursor("metadata:", "")
	if err != nil {
		return "", err
	}
	c := C.CString(key)
	defer C.free(unsafe.Pointer(c))
	var value *C.char
	if err := check("metadata "+key, C.oracle_metadata(k.c, c, &value)); err != nil {
		return "", errors.Join(err, k.close())
	}
	return C.GoString(value), k.close()
}
