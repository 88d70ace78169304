/* See support.h. */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void reopen(fixture *f)
{
    etna_error err = {ETNA_OK, ""};
    store_options options = store_options_default();
    options.path = f->directory;
    store_close(f->s);
    f->s = NULL;
    etna_code code = store_open(&options, &f->s, &err);
    if (code)
        fail_msg("%s", err.text);
}

int set_up_memory(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    f->memory = true;
    ok(store_open_memory(&f->s, NULL));
    *state = f;
    return 0;
}

int set_up_disk(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    folder_make(f->directory);
    reopen(f);
    *state = f;
    return 0;
}

int tear_down(void **state)
{
    fixture *f = *state;
    store_close(f->s);
    if (f->directory[0])
        folder_remove(f->directory);
    free(f);
    return 0;
}

etna_id run_id(uint8_t number)
{
    etna_id id = {{0}};
    id.bytes[0] = number;
    id.bytes[15] = 7;
    return id;
}

store_run run_row(uint8_t number, uint64_t started_ms)
{
    static const uint8_t config[] = {1, 2, 3, 0, 5};
    store_run run = {.id = run_id(number),
                     .state = RUN_RUNNING,
                     .started_ms = started_ms,
                     .scene = "room.glb",
                     .goal = "tidy up"};
    run.config = config;
    run.config_size = sizeof config;
    return run;
}

void put_run(store *s, uint8_t number, uint64_t started_ms)
{
    store_run run = run_row(number, started_ms);
    store_group *group;
    ok(store_group_begin(s, &group, NULL));
    ok(store_put_run(group, &run, NULL));
    ok(store_group_commit(group, NULL));
}

void append(store *s, uint8_t run, uint64_t sequence, const char *text)
{
    etna_id id = run_id(run);
    store_group *group;
    ok(store_group_begin(s, &group, NULL));
    ok(store_append(group, &id, sequence, text, strlen(text), NULL));
    ok(store_group_commit(group, NULL));
}

etna_hash put_blob(store *s, const void *data, size_t size)
{
    etna_hash hash = etna_hash_bytes(data, size);
    store_group *group;
    ok(store_group_begin(s, &group, NULL));
    ok(store_put_blob(group, &hash, data, size, NULL));
    ok(store_group_commit(group, NULL));
    return hash;
}

void put_reply(store *s, uint8_t run, uint32_t node, const etna_hash *blob)
{
    etna_id id = run_id(run);
    etna_slot slot = {.node = node, .role = ROLE_PLANNER};
    store_reply reply = {
        .reply = *blob,
        .usage = {.tokens_in = 11, .tokens_out = 22, .calls = 1}};
    reply.request.bytes[3] = 9;
    store_group *group;
    ok(store_group_begin(s, &group, NULL));
    ok(store_put_reply(group, &id, &slot, &reply, NULL));
    ok(store_group_commit(group, NULL));
}

uint64_t count_faults(store *s)
{
    uint64_t faults = UINT64_MAX;
    ok(store_verify(s, NULL, NULL, &faults, NULL));
    return faults;
}
