//go:build oracle

// C side of package oracle: what Go cannot call itself, because WiredTiger's
// methods are function pointers, several of them variadic. Every function
// returns 0 or a WiredTiger error.
#include <stdint.h>
#include <wiredtiger.h>

int oracle_open(const char *home, const char *config, WT_CONNECTION **connp);
// Registers oracle_snappy, oracle_zlib and oracle_zstd: names of our own, since
// newer engines have the plain ones built in at a level of theirs.
int oracle_add_compressors(WT_CONNECTION *conn, int zlib_level, int zstd_level);
int oracle_close(WT_CONNECTION *conn);
int oracle_set_timestamp(WT_CONNECTION *conn, const char *config);

int oracle_session(WT_CONNECTION *conn, WT_SESSION **sessionp);
int oracle_create(WT_SESSION *session, const char *uri, const char *config);
int oracle_checkpoint(WT_SESSION *session);
int oracle_cursor(WT_SESSION *session, const char *uri, const char *config, WT_CURSOR **cursorp);
int oracle_cursor_close(WT_CURSOR *cursor);

// Inserts n records with RecordIds from recno on; values lie one after the
// other. With timestamps, one for each record, all in one transaction; without,
// each in its own.
int oracle_insert_records(WT_SESSION *session, WT_CURSOR *cursor, int64_t recno,
  const uint8_t *values, const uint32_t *sizes, const uint64_t *timestamps, int n);

// Inserts n entries; keys and values lie one after the other, two sizes each.
int oracle_insert_entries(WT_SESSION *session, WT_CURSOR *cursor, const uint8_t *data,
  const uint32_t *sizes, const uint64_t *timestamps, int n);

// Reads every record of a table with RecordIds and counts what it saw.
int oracle_scan(WT_CURSOR *cursor, int64_t *records, int64_t *bytes);

int oracle_next_statistic(WT_CURSOR *cursor, const char **name, int64_t *value);
int oracle_metadata(WT_CURSOR *cursor, const char *key, const char **value);
