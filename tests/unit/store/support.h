/* What the store's tests share: runs and blobs to put, and both makers behind
 * one opener. */
#ifndef ETNA_TESTS_UNIT_STORE_SUPPORT_H
#define ETNA_TESTS_UNIT_STORE_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>

#include "store/store_internal.h"
#include "tests/support/folder.h"

typedef struct fixture {
    bool memory;
    char directory[FOLDER_SIZE]; /* removed at the end */
    store *s;
} fixture;

/* cmocka set-up and tear-down; *state is a fixture with an open store. */
int set_up_memory(void **state);
int set_up_disk(void **state);
int tear_down(void **state);
void reopen(fixture *f); /* disk only */

etna_id run_id(uint8_t number);
store_run run_row(uint8_t number, uint64_t started_ms);
void put_run(store *s, uint8_t number, uint64_t started_ms);
void append(store *s, uint8_t run, uint64_t sequence, const char *text);
etna_hash put_blob(store *s, const void *data, size_t size);
void put_reply(store *s, uint8_t run, uint32_t node, const etna_hash *blob);
uint64_t count_faults(store *s);

#define ok(expression) assert_int_equal((expression), ETNA_OK)

#endif
