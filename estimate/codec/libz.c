//go:build cgo && unix && !nodlopen

#include "libz.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>

enum {
	Z_OK = 0,
	Z_STREAM_END = 1,
	Z_DATA_ERROR = -3,
	Z_BUF_ERROR = -5,
	Z_FINISH = 4,
	Z_DEFLATED = 8,
	WINDOW_BITS = 15,
	MEM_LEVEL = 8,
};

static int find(void *handle, const char *name, void *function) {
	void *p = dlsym(handle, name);
	*(void **)function = p;
	return p != NULL;
}

int wz_open(wz_lib *lib, const char *name) {
	void *h = dlopen(name, RTLD_NOW | RTLD_LOCAL);
	if (h == NULL)
		return -1;
	if (find(h, "zlibVersion", &lib->version) && find(h, "deflateInit2_", &lib->deflate_init) &&
	    find(h, "deflateReset", &lib->deflate_reset) && find(h, "deflate", &lib->deflate) &&
	    find(h, "deflateEnd", &lib->deflate_end) && find(h, "inflateInit2_", &lib->inflate_init) &&
	    find(h, "inflateReset", &lib->inflate_reset) && find(h, "inflate", &lib->inflate) &&
	    find(h, "inflateEnd", &lib->inflate_end)) {
		lib->handle = h;
		return 0;
	}
	dlclose(h);
	return -1;
}

const char *wz_version(const wz_lib *lib) {
	return lib->version();
}

wz_codec *wz_new(const wz_lib *lib, int level) {
	wz_codec *c = calloc(1, sizeof *c);
	const char *version = lib->version();
	const int size = (int)sizeof(wz_stream);

	if (c == NULL)
		return NULL;
	if (lib->deflate_init(&c->deflate, level, Z_DEFLATED, WINDOW_BITS, MEM_LEVEL, 0, version, size) != Z_OK) {
		free(c);
		return NULL;
	}
	if (lib->inflate_init(&c->inflate, WINDOW_BITS, version, size) != Z_OK) {
		lib->deflate_end(&c->deflate);
		free(c);
		return NULL;
	}
	return c;
}

void wz_free(const wz_lib *lib, wz_codec *c) {
	lib->deflate_end(&c->deflate);
	lib->inflate_end(&c->inflate);
	free(c);
}

static void aim(wz_stream *s, void *dst, size_t cap, const void *src, size_t len) {
	s->next_in = src;
	s->avail_in = (unsigned int)len;
	s->next_out = dst;
	s->avail_out = (unsigned int)cap;
}

long wz_compress(const wz_lib *lib, wz_codec *c, void *dst, size_t cap, const void *src, size_t len) {
	int ret = lib->deflate_reset(&c->deflate);
	if (ret != Z_OK)
		return ret;
	aim(&c->deflate, dst, cap, src, len);
	ret = lib->deflate(&c->deflate, Z_FINISH);
	if (ret == Z_STREAM_END)
		return (long)c->deflate.total_out;
	return ret == Z_BUF_ERROR ? 0 : ret;
}

long wz_decompress(const wz_lib *lib, wz_codec *c, void *dst, size_t cap, const void *src, size_t len) {
	int ret = lib->inflate_reset(&c->inflate);
	if (ret != Z_OK)
		return ret;
	aim(&c->inflate, dst, cap, src, len);
	ret = lib->inflate(&c->inflate, Z_FINISH);
	if (ret == Z_STREAM_END)
		return (long)c->inflate.total_out;
	return ret < 0 ? ret : Z_DATA_ERROR;
}
