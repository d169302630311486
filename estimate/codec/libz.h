//go:build cgo && unix && !nodlopen

// Declarations of the part of zlib's interface that WiredTiger uses, written
// from the zlib manual so that building needs no header package.

#ifndef WTSIZE_LIBZ_H
#define WTSIZE_LIBZ_H

#include <stddef.h>

// wz_stream has the layout of z_stream. zlib checks its size in
// deflateInit2_ and inflateInit2_, and refuses a library whose layout differs.
typedef struct {
	const unsigned char *next_in;
	unsigned int avail_in;
	unsigned long total_in;
	unsigned char *next_out;
	unsigned int avail_out;
	unsigned long total_out;
	const char *msg;
	void *state;
	void *(*zalloc)(void *, unsigned int, unsigned int);
	void (*zfree)(void *, void *);
	void *opaque;
	int data_type;
	unsigned long adler;
	unsigned long reserved;
} wz_stream;

// wz_lib holds the functions of a loaded library.
typedef struct {
	void *handle;
	const char *(*version)(void);
	int (*deflate_init)(wz_stream *, int, int, int, int, int, const char *, int);
	int (*deflate_reset)(wz_stream *);
	int (*deflate)(wz_stream *, int);
	int (*deflate_end)(wz_stream *);
	int (*inflate_init)(wz_stream *, int, const char *, int);
	int (*inflate_reset)(wz_stream *);
	int (*inflate)(wz_stream *, int);
	int (*inflate_end)(wz_stream *);
} wz_lib;

// wz_codec is a pair of streams, reused for every page. zlib keeps pointers to
// them, so they live in C memory and do not move.
typedef struct {
	wz_stream deflate;
	wz_stream inflate;
} wz_codec;

// wz_open loads a library by file name: 0, or -1 if it is not there or lacks
// a function.
int wz_open(wz_lib *lib, const char *name);

// wz_version is the library's own name for its version.
const char *wz_version(const wz_lib *lib);

// wz_new opens both streams as deflateInit(level) and inflateInit do (32 KiB
// window, memLevel 8, default strategy). NULL if zlib refuses, or no memory.
wz_codec *wz_new(const wz_lib *lib, int level);
void wz_free(const wz_lib *lib, wz_codec *c);

// wz_compress deflates src with one call into at most cap bytes. It returns
// the length, 0 if the stream does not end within cap, or a negative error.
long wz_compress(const wz_lib *lib, wz_codec *c, void *dst, size_t cap, const void *src, size_t len);

// wz_decompress inflates src into dst: the length, or a negative error if the
// stream is damaged or does not end within cap.
long wz_decompress(const wz_lib *lib, wz_codec *c, void *dst, size_t cap, const void *src, size_t len);

#endif
