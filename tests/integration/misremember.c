/* For run_replay.sh: copies a run within a store under another id, with the
 * snapshot of its first valid branch changed by one bit in the journal
 * (checksums and all are right). Prints the new id and the number of that
 * record. With --running the copy stands as one that a killed coordinator left
 * running. */
#include "coordinator/core/core_internal.h"
#include "store/store.h"

#include <stdio.h>
#include <string.h>

typedef struct copying {
    store_group *group;
    etna_id to;
    uint64_t changed;
} copying;

static etna_code copy(void *context,
                      uint64_t sequence,
                      const uint8_t *data,
                      size_t size,
                      etna_error *err)
{
    copying *c = context;
    etna_arena arena = ETNA_ARENA_INIT;
    record rec;
    uint8_t *own = etna_arena_memdup(&arena, data, size);
    etna_code code = own ? record_parse(own, size, &arena, &rec, err)
                         : etna_fail(err, ETNA_E_NOMEM, "out of memory");
    if (!code && rec.kind == RECORD_REPLY) {
        store_reply reply = {rec.reply.request, rec.reply.reply,
                             rec.reply.usage};
        code = store_put_reply(c->group, &c->to, &rec.reply.slot, &reply, err);
    }
    bool valid = !code && rec.kind == RECORD_RESULT &&
                 rec.result.kind == TASK_BRANCH &&
                 rec.result.result.branch_status == BRANCH_VALID;
    if (valid && !c->changed) {
        uint8_t *at =
            memmem(own, size, &rec.result.result.snapshot, sizeof(etna_hash));
        if (at)
            at[7] ^= 1, c->changed = sequence;
    }
    if (!code)
        code = store_append(c->group, &c->to, sequence, own, size, err);
    etna_arena_free(&arena);
    return code;
}

int main(int argc, char **argv)
{
    store_options options = store_options_default();
    etna_error err = {0};
    etna_arena arena = ETNA_ARENA_INIT;
    store *s = NULL;
    store_run row;
    copying c = {.changed = 0};
    etna_id from;
    char name[33];
    bool running = argc == 4 && strcmp(argv[3], "--running") == 0;
    if (argc != 3 + running || !etna_id_parse(argv[2], &from))
        return 2;
    options.path = argv[1];
    etna_code code = store_open(&options, &s, &err);
    if (!code)
        code = store_get_run(s, &from, &row, &arena, &err);
    if (!code)
        code = store_group_begin(s, &c.group, &err);
    c.to = from;
    c.to.bytes[0] ^= 0xff;
    if (!code) {
        row.id = c.to;
        if (running) { /* as a coordinator leaves it */
            row.state = RUN_RUNNING;
            row.keeper = RUN_KEEPER_COORDINATOR;
        }
        code = store_put_run(c.group, &row, &err);
        if (!code)
            code = store_read_journal(s, &from, 0, copy, &c, &err);
        if (code)
            store_group_abandon(c.group);
        if (!code)
            code = store_group_commit(c.group, &err);
    }
    store_close(s);
    etna_arena_free(&arena);
    if (code)
        fprintf(stderr, "%s\n", err.text);
    etna_id_hex(&c.to, name);
    if (!code)
        printf("%s %llu\n", name, (unsigned long long)c.changed);
    return code ? 1 : 0;
}
