//go:build oracle

// The three compressors behind WiredTiger's public WT_COMPRESSOR interface, with
// the conventions of its own extensions (ext/compressors of the release): snappy
// and zstd store an eight-byte little-endian length before their output and are
// accepted when both together are smaller than the input; zlib stores its stream
// alone and is accepted when it fits into as many bytes as the input.
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <snappy-c.h>
#include <zlib.h>
#include <zstd.h>

#include "engine.h"

#define PREFIX sizeof(uint64_t)

// A compressor and its level. zstd keeps its contexts between pages, as the
// servers' extension does: a new one for each page would show in the CPU time of
// a scan.
#define CONTEXTS 32

typedef struct {
    WT_COMPRESSOR compressor; // first: WiredTiger hands back a pointer to it
    int level;
    pthread_mutex_t lock;
    ZSTD_CCtx *cctx[CONTEXTS];
    ZSTD_DCtx *dctx[CONTEXTS];
    int ncctx, ndctx;
} CODEC;

static void
put_length(uint8_t *p, uint64_t n)
{
    for (size_t i = 0; i < PREFIX; i++)
        p[i] = (uint8_t)(n >> (8 * i));
}

static uint64_t
get_length(const uint8_t *p)
{
    uint64_t n = 0;

    for (size_t i = 0; i < PREFIX; i++)
        n |= (uint64_t)p[i] << (8 * i);
    return (n);
}

// Stores the length of n compressed bytes, if the whole is smaller than the source.
static int
accept(uint8_t *dst, size_t n, size_t src_len, size_t *lenp, int *failed)
{
    *failed = n + PREFIX >= src_len;
    if (!*failed) {
        put_length(dst, n);
        *lenp = n + PREFIX;
    }
    return (0);
}

static int
snappy_c(WT_COMPRESSOR *c, WT_SESSION *session, uint8_t *src, size_t src_len, uint8_t *dst,
  size_t dst_len, size_t *lenp, int *failed)
{
    size_t n = dst_len - PREFIX;

    (void)c, (void)session;
    if (snappy_compress((char *)src, src_len, (char *)dst + PREFIX, &n) != SNAPPY_OK)
        return (WT_ERROR);
    return (accept(dst, n, src_len, lenp, failed));
}

static int
snappy_d(WT_COMPRESSOR *c, WT_SESSION *session, uint8_t *src, size_t src_len, uint8_t *dst,
  size_t dst_len, size_t *lenp)
{
    uint64_t n = get_length(src);

    (void)c, (void)session;
    *lenp = dst_len;
    if (n > src_len - PREFIX ||
      snappy_uncompress((char *)src + PREFIX, n, (char *)dst, lenp) != SNAPPY_OK)
        return (WT_ERROR);
    return (0);
}

static int
snappy_pre(WT_COMPRESSOR *c, WT_SESSION *session, uint8_t *src, size_t src_len, size_t *lenp)
{
    (void)c, (void)session, (void)src;
    *lenp = snappy_max_compressed_length(src_len) + PREFIX;
    return (0);
}

static int
zlib_c(WT_COMPRESSOR *c, WT_SESSION *session, uint8_t *src, size_t src_len, uint8_t *dst,
  size_t dst_len, size_t *lenp, int *failed)
{
    z_stream zs = {0};

    (void)session;
    if (deflateInit(&zs, ((CODEC *)c)->level) != Z_OK)
        return (WT_ERROR);
    zs.next_in = src;
    zs.avail_in = (uInt)src_len;
    zs.next_out = dst;
    zs.avail_out = (uInt)dst_len;
    *failed = deflate(&zs, Z_FINISH) != Z_STREAM_END;
    *lenp = zs.total_out;
    deflateEnd(&zs); // Z_DATA_ERROR when the stream was cut short
    return (0);
}

static int
zlib_d(WT_COMPRESSOR *c, WT_SESSION *session, uint8_t *src, size_t src_len, uint8_t *dst,
  size_t dst_len, size_t *lenp)
{
    uLongf n = dst_len;
    uLong used = src_len;

    (void)c, (void)session;
    if (uncompress2(dst, &n, src, &used) != Z_OK)
        return (WT_ERROR);
    *lenp = n;
    return (0);
}

static ZSTD_CCtx *
take_cctx(CODEC *z)
{
    ZSTD_CCtx *x = NULL;

    pthread_mutex_lock(&z->lock);
    if (z->ncctx > 0)
        x = z->cctx[--z->ncctx];
    pthread_mutex_unlock(&z->lock);
    return (x == NULL ? ZSTD_createCCtx() : x);
}

static void
give_cctx(CODEC *z, ZSTD_CCtx *x)
{
    pthread_mutex_lock(&z->lock);
    if (z->ncctx < CONTEXTS) {
        z->cctx[z->ncctx++] = x;
        x = NULL;
    }
    pthread_mutex_unlock(&z->lock);
    ZSTD_freeCCtx(x);
}

static ZSTD_DCtx *
take_dctx(CODEC *z)
{
    ZSTD_DCtx *x = NULL;

    pthread_mutex_lock(&z->lock);
    if (z->ndctx > 0)
        x = z->dctx[--z->ndctx];
    pthread_mutex_unlock(&z->lock);
    return (x == NULL ? ZSTD_createDCtx() : x);
}

static void
give_dctx(CODEC *z, ZSTD_DCtx *x)
{
    pthread_mutex_lock(&z->lock);
    if (z->ndctx < CONTEXTS) {
        z->dctx[z->ndctx++] = x;
        x = NULL;
    }
    pthread_mutex_unlock(&z->lock);
    ZSTD_freeDCtx(x);
}

static int
zstd_c(WT_COMPRESSOR *c, WT_SESSION *session, uint8_t *src, size_t src_len, uint8_t *dst,
  size_t dst_len, size_t *lenp, int *failed)
{
    CODEC *z = (CODEC *)c;
    ZSTD_CCtx *x = take_cctx(z);
    size_t n;

    (void)session;
    if (x == NULL)
        return (ENOMEM);
    n = ZSTD_compressCCtx(x, dst + PREFIX, dst_len - PREFIX, src, src_len, z->level);
    give_cctx(z, x);
    if (ZSTD_isError(n))
        return (WT_ERROR);
    return (accept(dst, n, src_len, lenp, failed));
}

static int
zstd_d(WT_COMPRESSOR *c, WT_SESSION *session, uint8_t *src, size_t src_len, uint8_t *dst,
  size_t dst_len, size_t *lenp)
{
    CODEC *z = (CODEC *)c;
    ZSTD_DCtx *x;
    uint64_t n = get_length(src);

    (void)session;
    if (n > src_len - PREFIX)
        return (WT_ERROR);
    if ((x = take_dctx(z)) == NULL)
        return (ENOMEM);
    *lenp = ZSTD_decompressDCtx(x, dst, dst_len, src + PREFIX, n);
    give_dctx(z, x);
    return (ZSTD_isError(*lenp) ? WT_ERROR : 0);
}

static int
zstd_pre(WT_COMPRESSOR *c, WT_SESSION *session, uint8_t *src, size_t src_len, size_t *lenp)
{
    (void)c, (void)session, (void)src;
    *lenp = ZSTD_compressBound(src_len) + PREFIX;
    return (0);
}

static int
terminate(WT_COMPRESSOR *c, WT_SESSION *session)
{
    CODEC *z = (CODEC *)c;

    (void)session;
    while (z->ncctx > 0)
        ZSTD_freeCCtx(z->cctx[--z->ncctx]);
    while (z->ndctx > 0)
        ZSTD_freeDCtx(z->dctx[--z->ndctx]);
    pthread_mutex_destroy(&z->lock);
    free(z);
    return (0);
}

static int
add(WT_CONNECTION *conn, const char *name, WT_COMPRESSOR methods, int level)
{
    CODEC *c;

    if ((c = calloc(1, sizeof(CODEC))) == NULL)
        return (ENOMEM);
    c->compressor = methods;
    c->level = level;
    pthread_mutex_init(&c->lock, NULL);
    return (conn->add_compressor(conn, name, &c->compressor, NULL));
}

int
oracle_add_compressors(WT_CONNECTION *conn, int zlib_level, int zstd_level)
{
    WT_COMPRESSOR snappy = {snappy_c, snappy_d, snappy_pre, terminate};
    WT_COMPRESSOR zlib = {zlib_c, zlib_d, NULL, terminate};
    WT_COMPRESSOR zstd = {zstd_c, zstd_d, zstd_pre, terminate};
    int ret;

    if ((ret = add(conn, "oracle_snappy", snappy, 0)) == 0 &&
      (ret = add(conn, "oracle_zlib", zlib, zlib_level)) == 0)
        ret = add(conn, "oracle_zstd", zstd, zstd_level);
    return (ret);
}
