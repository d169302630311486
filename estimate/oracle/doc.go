// Package oracle loads documents into the real WiredTiger engine and says what
// became of them: file size, free bytes, page counts, and every block of the
// file. It is for tests alone; nothing of the product imports it.
//
// The engine is linked under the build tag oracle:
//
//	apt-get install libwiredtiger-dev libsnappy-dev zlib1g-dev libzstd-dev
//	go test -tags oracle ./estimate/oracle
//
// Debian's package is WiredTiger 3.2.1. Another build is used by pointing the
// compiler, the linker and the loader at it:
//
//	export CGO_CFLAGS="-O2 -I$WT/include" CGO_LDFLAGS="-L$WT" LD_LIBRARY_PATH=$WT
//	go test -count=1 -tags oracle ./estimate/oracle
//
// To see the pages the engine made of a file:
//
//	go test -tags oracle -run TestDump -v ./estimate/oracle -bson /path/FILE.bson.gz -compressor snappy [-written]
//
// Reading a file's blocks needs no engine and no tag: OpenFile and its methods
// parse the block file, from the checkpoint's root down, in Go.
package oracle
