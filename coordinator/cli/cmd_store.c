/* `etna store ls|stats|verify|gc`: what is kept, whether it is whole, and what nothing names any more. */
#include "coordinator/cli/cli.h"
#include "coordinator/core/core.h"
#include "coordinator/report/terminal.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] = "usage: etna store ls|stats|verify|gc [--json] [--store DIR]\n"
                           "  ls      runs with the number of their records\n"
                           "  stats   counts and sizes\n"
                           "  verify  every checksum, chain and blob; exit code 4 when one is wrong\n"
                           "  gc      removes blobs that no run, journal or reply names\n";

typedef struct hash_list {
    etna_hash *hashes;
    size_t count, room;
    bool failed;
} hash_list;

static etna_code count_record(void *context, uint64_t sequence, const uint8_t *record, size_t size, etna_error *err)
{
    (void)record, (void)size, (void)err;
    *(uint64_t *)context = sequence;
    return ETNA_OK;
}

static etna_code cmd_store_list(store *s, const char *path, bool json, etna_error *err)
{
    etna_arena arena = ETNA_ARENA_INIT;
    store_run *runs;
    size_t count;
    etna_code code = store_list_runs(s, &arena, &runs, &count, err);
    json_t *rows = json_array();
    for (size_t i = 0; !code && i < count; i++) {
        char name[33], started[24];
        uint64_t records = 0;
        const char *state = run_state_name(cli_shown_state(&runs[i], path));
        code = store_read_journal(s, &runs[i].id, 0, count_record, &records, err);
        etna_id_hex(&runs[i].id, name);
        terminal_time(runs[i].started_ms, started);
        if (json) {
            json_array_append_new(rows, json_pack("{s:s,s:s,s:s,s:I}", "run", name, "status", state, "started", started,
                                                  "records", (json_int_t)records));
        } else if (!code) {
            printf("%s  %-9s  %s  %llu records\n", name, state, started, (unsigned long long)records);
        }
    }
    if (json && !code) {
        json_t *document = json_pack("{s:O}", "runs", rows);
        cli_print("etna.runs/1", document);
    }
    json_decref(rows);
    etna_arena_free(&arena);
    return code;
}

static etna_code cmd_store_stats(store *s, const char *path, bool json, etna_error *err)
{
    store_stats st;
    etna_code code = store_get_stats(s, &st, err);
    if (code) return code;
    if (json) {
        json_t *document =
            json_pack("{s:I,s:I,s:I,s:I,s:I,s:I}", "runs", (json_int_t)st.runs, "records", (json_int_t)st.records,
                      "replies", (json_int_t)st.replies, "blobs", (json_int_t)st.blobs, "blob_bytes",
                      (json_int_t)st.blob_bytes, "file_bytes", (json_int_t)st.file_bytes);
        cli_print("etna.store/1", document);
        return ETNA_OK;
    }
    terminal_print(stdout, path);
    printf("\n%llu runs, %llu records, %llu replies, %llu blobs of %.1f MB, %.1f MB on disk\n",
           (unsigned long long)st.runs, (unsigned long long)st.records, (unsigned long long)st.replies,
           (unsigned long long)st.blobs, (double)st.blob_bytes / 1e6, (double)st.file_bytes / 1e6);
    return ETNA_OK;
}

static void print_fault(void *context, const char *line)
{
    FILE *to = *(bool *)context ? stderr : stdout;
    terminal_print(to, line);
    fputc('\n', to);
}

static etna_code cmd_store_verify(store *s, const char *path, bool json, etna_error *err)
{
    (void)path;
    uint64_t faults;
    etna_code code = store_verify(s, print_fault, &json, &faults, err);
    if (code) return code;
    if (json) {
        printf("{\"faults\": %llu}\n", (unsigned long long)faults);
    } else if (!faults) {
        puts("every checksum, chain and blob is right");
    }
    if (!faults) return ETNA_OK;
    return etna_fail(err, ETNA_E_CORRUPT, "%llu faults; restore the store from a copy, or use another --store",
                     (unsigned long long)faults);
}

static void name_blob(void *context, const etna_hash *blob)
{
    hash_list *l = context;
    if (l->count == l->room) {
        size_t room = l->room ? 2 * l->room : 256;
        etna_hash *grown = realloc(l->hashes, room * sizeof *grown);
        if (!grown) {
            l->failed = true;
            return;
        }
        l->hashes = grown;
        l->room = room;
    }
    l->hashes[l->count++] = *blob;
}

static etna_code name_of_record(void *context, uint64_t sequence, const uint8_t *record, size_t size, etna_error *err)
{
    (void)sequence;
    return core_record_hashes(record, size, name_blob, context, err);
}

static int cmd_store_compare(const void *a, const void *b) { return memcmp(a, b, sizeof(etna_hash)); }

static bool cmd_store_is_named(void *context, const etna_hash *blob)
{
    const hash_list *l = context;
    return l->count && bsearch(blob, l->hashes, l->count, sizeof *blob, cmd_store_compare);
}

static etna_code cmd_store_collect(store *s, const char *path, bool json, etna_error *err)
{
    (void)path;
    etna_arena arena = ETNA_ARENA_INIT;
    hash_list named = {.count = 0};
    store_run *runs;
    size_t count;
    uint64_t removed = 0, bytes = 0;
    etna_code code = store_list_runs(s, &arena, &runs, &count, err);
    for (size_t i = 0; !code && i < count; i++)
        code = store_read_journal(s, &runs[i].id, 0, name_of_record, &named, err);
    if (!code && named.failed)
        code = etna_fail(err, ETNA_E_NOMEM, "out of memory collecting what is named; nothing was removed");
    if (named.count) qsort(named.hashes, named.count, sizeof *named.hashes, cmd_store_compare);
    if (!code) code = store_gc(s, cmd_store_is_named, &named, &removed, &bytes, err);
    free(named.hashes);
    etna_arena_free(&arena);
    if (code) return code;
    printf(json ? "{\"removed\": %llu, \"bytes\": %llu}\n" : "%llu blobs of %llu bytes removed\n",
           (unsigned long long)removed, (unsigned long long)bytes);
    return ETNA_OK;
}

int cmd_store(int argc, char **argv)
{
    static const struct {
        const char *name;
        bool writes;
        etna_code (*run)(store *s, const char *path, bool json, etna_error *err);
    } verbs[] = {{"ls", false, cmd_store_list},
                 {"stats", false, cmd_store_stats},
                 {"verify", false, cmd_store_verify},
                 {"gc", true, cmd_store_collect}};
    const char *given = NULL;
    bool json = false;
    const flags_row flags[] = {{"json", .yes = &json}, {"store", .text = &given}, {0}};
    int exit_code, first = cli_flags("etna store", argc, argv, flags, help, &exit_code);
    if (!first) return exit_code;
    size_t verb = 0, count = sizeof verbs / sizeof *verbs;
    while (first + 1 == argc && verb < count && strcmp(argv[first], verbs[verb].name) != 0) verb++;
    if (first + 1 != argc || verb == count) return cli_usage("store: what? etna store ls, stats, verify or gc");
    char path[4000];
    etna_error err = {ETNA_OK, ""};
    store *s = NULL;
    etna_code code = cli_store_path(given, path, sizeof path, &err);
    if (!code) code = cli_open_store(path, NULL, !verbs[verb].writes, &s, &err);
    if (!code) code = verbs[verb].run(s, path, json, &err);
    store_close(s);
    return code ? cli_fail(&err) : 0;
}
