//go:build oracle

#include <inttypes.h>
#include <stdio.h>

#include "engine.h"

#define RET(call)            \
    do {                     \
        int ret_ = (call);   \
        if (ret_ != 0)       \
            return (ret_);   \
    } while (0)

int
oracle_open(const char *home, const char *config, WT_CONNECTION **connp)
{
    return (wiredtiger_open(home, NULL, config, connp));
}

int
oracle_close(WT_CONNECTION *conn)
{
    return (conn->close(conn, NULL));
}

int
oracle_set_timestamp(WT_CONNECTION *conn, const char *config)
{
    return (conn->set_timestamp(conn, config));
}

int
oracle_session(WT_CONNECTION *conn, WT_SESSION **sessionp)
{
    return (conn->open_session(conn, NULL, NULL, sessionp));
}

int
oracle_create(WT_SESSION *session, const char *uri, const char *config)
{
    return (session->create(session, uri, config));
}

int
oracle_checkpoint(WT_SESSION *session)
{
    return (session->checkpoint(session, NULL));
}

int
oracle_cursor(WT_SESSION *session, const char *uri, const char *config, WT_CURSOR **cursorp)
{
    return (session->open_cursor(session, uri, NULL, config, cursorp));
}

int
oracle_cursor_close(WT_CURSOR *cursor)
{
    return (cursor->close(cursor));
}

// Gives the running transaction the commit timestamp of the next record.
static int
set_commit_timestamp(WT_SESSION *session, uint64_t timestamp)
{
    char config[64];

    snprintf(config, sizeof(config), "commit_timestamp=%" PRIx64, timestamp);
    return (session->timestamp_transaction(session, config));
}

static int
end_transaction(WT_SESSION *session, int ret)
{
    if (ret == 0)
        return (session->commit_transaction(session, NULL));
    session->rollback_transaction(session, NULL);
    return (ret);
}

static int
insert_records(WT_SESSION *session, WT_CURSOR *cursor, int64_t recno, const uint8_t *values,
  const uint32_t *sizes, const uint64_t *timestamps, int n)
{
    WT_ITEM value = {0};

    for (int i = 0; i < n; i++) {
        if (timestamps != NULL)
            RET(set_commit_timestamp(session, timestamps[i]));
        value.data = values;
        value.size = sizes[i];
        cursor->set_key(cursor, recno + i);
        cursor->set_value(cursor, &value);
        RET(cursor->insert(cursor));
        values += sizes[i];
    }
    return (0);
}

int
oracle_insert_records(WT_SESSION *session, WT_CURSOR *cursor, int64_t recno, const uint8_t *values,
  const uint32_t *sizes, const uint64_t *timestamps, int n)
{
    if (timestamps == NULL)
        return (insert_records(session, cursor, recno, values, sizes, NULL, n));
    RET(session->begin_transaction(session, NULL));
    return (end_transaction(
      session, insert_records(session, cursor, recno, values, sizes, timestamps, n)));
}

static int
insert_entries(WT_SESSION *session, WT_CURSOR *cursor, const uint8_t *data, const uint32_t *sizes,
  const uint64_t *timestamps, int n)
{
    WT_ITEM key = {0}, value = {0};

    for (int i = 0; i < n; i++) {
        if (timestamps != NULL)
            RET(set_commit_timestamp(session, timestamps[i]));
        key.data = data;
        key.size = sizes[2 * i];
        value.data = data + key.size;
        value.size = sizes[2 * i + 1];
        cursor->set_key(cursor, &key);
        cursor->set_value(cursor, &value);
        RET(cursor->insert(cursor));
        data += key.size + value.size;
    }
    return (0);
}

int
oracle_insert_entries(WT_SESSION *session, WT_CURSOR *cursor, const uint8_t *data,
  const uint32_t *sizes, const uint64_t *timestamps, int n)
{
    if (timestamps == NULL)
        return (insert_entries(session, cursor, data, sizes, NULL, n));
    RET(session->begin_transaction(session, NULL));
    return (end_transaction(session, insert_entries(session, cursor, data, sizes, timestamps, n)));
}

int
oracle_scan(WT_CURSOR *cursor, int64_t *records, int64_t *bytes)
{
    WT_ITEM value;
    int ret;

    for (*records = *bytes = 0; (ret = cursor->next(cursor)) == 0; ++*records) {
        RET(cursor->get_value(cursor, &value));
        *bytes += (int64_t)value.size;
    }
    return (ret == WT_NOTFOUND ? 0 : ret);
}

int
oracle_next_statistic(WT_CURSOR *cursor, const char **name, int64_t *value)
{
    const char *printable;

    RET(cursor->next(cursor));
    return (cursor->get_value(cursor, name, &printable, value));
}

int
oracle_metadata(WT_CURSOR *cursor, const char *key, const char **value)
{
    cursor->set_key(cursor, key);
    RET(cursor->search(cursor));
    return (cursor->get_value(cursor, value));
}
