/* `etna store`: what is kept, whether it is whole, what is no longer wanted,
 * and a copy of it. Verbs that write need the store's ownership. While a
 * process owns it, gc, compact and rm are asked of that process.
 *
 * Begin at the table of verbs: each row says whether the verb writes, which
 * function does it, and which one lets an owner do it. cmd_store_run decides
 * who does it. Verbs that take other words (rm, backup, restore) are checked by
 * cmd_store_check_words before anything is opened. Faults that verify finds are
 * told line by line and make the command fail at the end, not at the first. */
#include "coordinator/cli/cli.h"
#include "coordinator/cli/unwanted.h"
#include "coordinator/core/core.h"
#include "coordinator/report/terminal.h"
#include "coordinator/shell/client.h"
#include "coordinator/shell/collect.h"
#include "proto/array.h"

#include <fts.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

static const char help[] =
    "usage: etna store ls|stats|verify|gc|compact [--json] [--store DIR]\n"
    "       etna store rm RUN... | --older-than AGE | --keep N [--json] [--store DIR]\n"
    "       etna store backup DIR | restore DIR [--store DIR]\n"
    "  ls       runs with the number of their records\n"
    "  stats    counts and sizes; what is on the disk is what `du` says\n"
    "  verify   every checksum, chain and blob; exit code 4 when one is wrong\n"
    "  gc       removes blobs that no run, journal or reply names. While the store is in use its owner does it, and spares\n"
    "           what may have been put within the hour\n"
    "  compact  gives what is free in the file back to the system; by a copy, so as much room as what is kept is needed\n"
    "           meanwhile, and the owner of a store in use stands still\n"
    "  rm       removes runs, and then what only they named. By name any that nobody carries; else those that ended longer\n"
    "           ago than AGE (30d, 12h, 2w) and are not among the N that ended last. Of a store in use runs that are not\n"
    "           named stay for an hour after their end, and so does what may have been put within the hour, for a later gc\n"
    "  backup   a copy of the store in DIR, as it stands, also while it is in use; DIR is a store by itself\n"
    "  restore  the store from such a copy, where there is none yet\n"
    "What is removed makes room for later runs; the file shrinks by compact alone.\n";

/* What the command line says. */
typedef struct store_arguments {
    const char *path;
    bool json;
    const etna_id *runs; /* of `rm`: by name */
    /* 0: `rm` chooses by age and number */
    size_t run_count;
    /* 0: not given */
    uint64_t older_ms;
    uint32_t keep;
    bool has_keep;
} store_arguments;

/* For store_read_journal(): the last record's number is their count. */
static etna_code count_record(void *context,
                              uint64_t sequence,
                              const uint8_t *record,
                              size_t size,
                              etna_error *err)
{
    (void)record, (void)size, (void)err;
    *(uint64_t *)context = sequence;
    return ETNA_OK;
}

/* A run that its store calls running is told as suspended when nobody carries
 * it (cli_shown_state). */
static etna_code cmd_store_list(store *s,
                                const store_arguments *a,
                                etna_error *err)
{
    const char *path = a->path;
    bool json = a->json;
    etna_arena arena = ETNA_ARENA_INIT;
    store_run *runs;
    size_t count;
    etna_code code = store_list_runs(s, &arena, &runs, &count, err);
    json_t *rows = json_array();
    for (size_t i = 0; !code && i < count; i++) {
        char name[33], started[24];
        uint64_t records = 0;
        const char *state = run_state_name(cli_shown_state(&runs[i], path));
        code =
            store_read_journal(s, &runs[i].id, 0, count_record, &records, err);
        etna_id_hex(&runs[i].id, name);
        terminal_time(runs[i].started_ms, started);
        if (json) {
            json_array_append_new(rows,
                                  json_pack("{s:s,s:s,s:s,s:I}", "run", name,
                                            "status", state, "started", started,
                                            "records", (json_int_t)records));
        } else if (!code) {
            printf("%s  %-9s  %s  %llu records\n", name, state, started,
                   (unsigned long long)records);
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

/* Bytes that the store's folder takes on the disk, as `du` counts them, its
 * cache included. */
static uint64_t cmd_store_disk_bytes(const char *path)
{
    char *const roots[] = {(char *)(uintptr_t)path, NULL};
    uint64_t bytes = 0;
    FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    if (!walk)
        return 0;
    for (FTSENT *entry; (entry = fts_read(walk));) {
        /* a folder comes twice */
        bool counts = entry->fts_info != FTS_DP && entry->fts_info != FTS_NS;
        if (counts)
            bytes += (uint64_t)entry->fts_statp->st_blocks * 512;
    }
    fts_close(walk);
    return bytes;
}

/* Bytes of blobs are what they hold; on the disk they take whole blocks. */
static etna_code cmd_store_stats(store *s,
                                 const store_arguments *a,
                                 etna_error *err)
{
    store_stats st;
    etna_code code = store_get_stats(s, &st, err);
    if (code)
        return code;
    uint64_t disk = cmd_store_disk_bytes(a->path);
    if (a->json) {
        json_t *document = json_pack(
            "{s:I,s:I,s:I,s:I,s:I,s:I,s:I}", "runs", (json_int_t)st.runs,
            "records", (json_int_t)st.records, "replies",
            (json_int_t)st.replies, "blobs", (json_int_t)st.blobs, "blob_bytes",
            (json_int_t)st.blob_bytes, "file_bytes", (json_int_t)st.file_bytes,
            "disk_bytes", (json_int_t)disk);
        cli_print("etna.store/1", document);
        return ETNA_OK;
    }
    terminal_print(stdout, a->path);
    printf(
        "\n%llu runs, %llu records, %llu replies, %llu blobs of %.1f MB; %.1f MB on the disk with the cache\n",
        (unsigned long long)st.runs, (unsigned long long)st.records,
        (unsigned long long)st.replies, (unsigned long long)st.blobs,
        (double)st.blob_bytes / 1e6, (double)disk / 1e6);
    return ETNA_OK;
}

/* With --json the lines go to stderr: stdout is one document. */
static void print_fault(void *context, const char *line)
{
    FILE *to = *(bool *)context ? stderr : stdout;
    terminal_print(to, line);
    fputc('\n', to);
}

/* Reads everything. That there are faults is a failure of the command, after
 * all have been told. */
static etna_code cmd_store_verify(store *s,
                                  const store_arguments *a,
                                  etna_error *err)
{
    bool json = a->json;
    uint64_t faults;
    etna_code code = store_verify(s, print_fault, &json, &faults, err);
    if (code)
        return code;
    if (json) {
        printf("{\"faults\": %llu}\n", (unsigned long long)faults);
    } else if (!faults) {
        puts("every checksum, chain and blob is right");
    }
    if (!faults)
        return ETNA_OK;
    return etna_fail(
        err, ETNA_E_CORRUPT,
        "%llu faults; restore the store from a copy, or use another --store",
        (unsigned long long)faults);
}

/* ---- upkeep: by ourselves, or by who owns the store ---- */

/* Also prints what an owner did in our place. */
static void cmd_store_tell_collected(const message_upkeep *done, bool json)
{
    unsigned long long removed = done->removed;
    unsigned long long bytes = done->removed_bytes;
    unsigned long long spared = done->spared;
    if (json) {
        printf("{\"removed\": %llu, \"bytes\": %llu, \"spared\": %llu}\n",
               removed, bytes, spared);
        return;
    }
    printf("%llu blobs of %llu bytes removed", removed, bytes);
    if (spared)
        printf("; %llu may have been put within the hour, and stay", spared);
    putchar('\n');
}

/* In the form that was asked for. */
static void cmd_store_tell_compacted(const message_upkeep *done, bool json)
{
    if (json) {
        printf("{\"before_bytes\": %llu, \"after_bytes\": %llu}\n",
               (unsigned long long)done->before_bytes,
               (unsigned long long)done->after_bytes);
        return;
    }
    printf("%.1f MB before, %.1f MB now\n", (double)done->before_bytes / 1e6,
           (double)done->after_bytes / 1e6);
}

/* Removes blobs that no run names. */
static etna_code cmd_store_collect(store *s,
                                   const store_arguments *a,
                                   etna_error *err)
{
    collect_sum sum;
    etna_code code = collect_unnamed(s, NULL, NULL, &sum, err);
    const message_upkeep done = {.removed = sum.removed,
                                 .removed_bytes = sum.bytes};
    if (!code)
        cmd_store_tell_collected(&done, a->json);
    return code;
}

/* Needs as much free space as what is kept. */
static etna_code cmd_store_compact(store *s,
                                   const store_arguments *a,
                                   etna_error *err)
{
    message_upkeep done = {.kind = UPKEEP_COMPACT};
    etna_code code =
        store_compact(s, &done.before_bytes, &done.after_bytes, err);
    if (!code)
        cmd_store_tell_compacted(&done, a->json);
    return code;
}

/* One thing that the owner does in our place. */
static etna_code cmd_store_ask(client *c,
                               const message_upkeep *what,
                               message_upkeep *ret,
                               etna_error *err)
{
    etna_arena arena = ETNA_ARENA_INIT;
    message request = {.kind = MESSAGE_UPKEEP};
    message answer;
    request.body.upkeep = *what;
    etna_code code = client_call(c, &request, &arena, &answer, err);
    if (!code && answer.kind != MESSAGE_UPKEEP_DONE)
        code =
            etna_fail(err, ETNA_E_MESSAGE, "the store's owner answers with %s",
                      message_kind_name(answer.kind));
    if (!code)
        *ret = answer.body.upkeep_done;
    etna_arena_free(&arena);
    return code;
}

static etna_code cmd_store_ask_collect(client *c,
                                       const store_arguments *a,
                                       etna_error *err)
{
    message_upkeep done;
    etna_code code =
        cmd_store_ask(c, &(message_upkeep){.kind = UPKEEP_COLLECT}, &done, err);
    if (!code)
        cmd_store_tell_collected(&done, a->json);
    return code;
}

static etna_code cmd_store_ask_compact(client *c,
                                       const store_arguments *a,
                                       etna_error *err)
{
    message_upkeep done;
    etna_code code =
        cmd_store_ask(c, &(message_upkeep){.kind = UPKEEP_COMPACT}, &done, err);
    if (!code)
        cmd_store_tell_compacted(&done, a->json);
    return code;
}

/* ---- rm ---- */

/* The runs to remove, in `arena` where they are not named. */
static etna_code cmd_store_choose(store *s,
                                  const store_arguments *a,
                                  etna_arena *arena,
                                  const etna_id **ret_runs,
                                  size_t *ret_count,
                                  etna_error *err)
{
    store_run *runs;
    size_t count;
    const unwanted_rule rule = {.now_ms = (uint64_t)time(NULL) * 1000,
                                .older_ms = a->older_ms,
                                .keep = a->keep};
    *ret_runs = a->runs;
    *ret_count = a->run_count;
    if (a->run_count)
        return ETNA_OK;
    etna_code code = store_list_runs(s, arena, &runs, &count, err);
    if (code)
        return code;
    etna_id *unwanted = etna_arena_alloc(arena, count + 1, sizeof *unwanted);
    if (!unwanted)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory");
    *ret_count = unwanted_choose(runs, count, &rule, unwanted);
    *ret_runs = unwanted;
    return ETNA_OK;
}

static void cmd_store_tell_removed(uint64_t runs,
                                   const message_upkeep *done,
                                   bool json)
{
    if (json) {
        printf(
            "{\"runs\": %llu, \"removed\": %llu, \"bytes\": %llu, \"spared\": %llu}\n",
            (unsigned long long)runs, (unsigned long long)done->removed,
            (unsigned long long)done->removed_bytes,
            (unsigned long long)done->spared);
        return;
    }
    printf("%llu runs removed, and ", (unsigned long long)runs);
    cmd_store_tell_collected(done, false);
}

/* Removes runs, then what only they named. In this order, a death between the
 * two leaves blobs that the next gc removes, never a run without its blobs. */
static etna_code cmd_store_remove(store *s,
                                  const store_arguments *a,
                                  etna_error *err)
{
    etna_arena arena = ETNA_ARENA_INIT;
    const etna_id *runs;
    size_t count;
    collect_sum sum = {0};
    etna_code code = cmd_store_choose(s, a, &arena, &runs, &count, err);
    for (size_t i = 0; !code && i < count; i++)
        code = store_remove_run(s, &runs[i], err);
    if (!code)
        code = collect_unnamed(s, NULL, NULL, &sum, err);
    const message_upkeep done = {.removed = sum.removed,
                                 .removed_bytes = sum.bytes};
    if (!code)
        cmd_store_tell_removed(count, &done, a->json);
    etna_arena_free(&arena);
    return code;
}

/* The same by the owner. Which runs it are is read here: what has ended does
 * not go on again. Of runs that are not named those that ended within the hour
 * stay, since whoever began them may not have their results yet. */
static etna_code cmd_store_ask_remove(client *c,
                                      const store_arguments *a,
                                      etna_error *err)
{
    enum {
        FRESH_MS = 3600000
    };
    etna_arena arena = ETNA_ARENA_INIT;
    store_arguments old = *a;
    store *s = NULL;
    const etna_id *runs = NULL;
    size_t count = 0;
    uint64_t removed = 0;
    message_upkeep done;
    if (old.older_ms < FRESH_MS)
        old.older_ms = FRESH_MS;
    etna_code code = cli_open_store(a->path, NULL, true, &s, err);
    if (!code)
        code = cmd_store_choose(s, &old, &arena, &runs, &count, err);
    store_close(s);
    for (size_t i = 0; !code && i < count; i++) {
        const message_upkeep remove = {.kind = UPKEEP_REMOVE, .run = runs[i]};
        code = cmd_store_ask(c, &remove, &done, err);
        if (!code)
            removed += done.removed;
    }
    if (!code)
        code = cmd_store_ask(c, &(message_upkeep){.kind = UPKEEP_COLLECT},
                             &done, err);
    if (!code)
        cmd_store_tell_removed(removed, &done, a->json);
    etna_arena_free(&arena);
    return code;
}

/* "30d": *into in milliseconds. */
static etna_code cmd_store_read_age(const char *name,
                                    const char *value,
                                    void *into,
                                    etna_error *err)
{
    static const struct {
        char letter;
        uint64_t ms;
    } units[] = {{'h', 3600000}, {'d', 86400000}, {'w', 604800000}};
    char digits[16];
    size_t size = strspn(value, "0123456789");
    uint64_t number = 0;
    for (size_t i = 0; i < COUNT_OF(units); i++) {
        bool is_number = size > 0 && size < sizeof digits;
        if (!is_number || value[size] != units[i].letter || value[size + 1])
            continue;
        snprintf(digits, sizeof digits, "%.*s", (int)size, value);
        etna_code code = flags_number(name, digits, 1, 100000, &number, err);
        if (!code)
            *(uint64_t *)into = number * units[i].ms;
        return code;
    }
    return etna_fail(err, ETNA_E_USAGE,
                     "--%s wants an age, as 12h, 30d or 2w, not %.80s", name,
                     value);
}

/* 0 is a number, too: so that it was given is told apart. */
static etna_code cmd_store_read_keep(const char *name,
                                     const char *value,
                                     void *into,
                                     etna_error *err)
{
    store_arguments *a = into;
    uint64_t number = 0;
    etna_code code = flags_number(name, value, 0, UINT32_MAX, &number, err);
    if (code)
        return code;
    a->keep = (uint32_t)number;
    a->has_keep = true;
    return ETNA_OK;
}

/* ---- the command ---- */

/* A verb and what it needs. */
typedef struct store_verb {
    const char *name;
    /* wants the store's ownership */
    bool writes;
    /* NULL: a copy of files, for which no store is opened */
    etna_code (*run)(store *s, const store_arguments *a, etna_error *err);
    /* lets an owner that runs do it; NULL: it can't be asked */
    etna_code (*ask)(client *c, const store_arguments *a, etna_error *err);
} store_verb;

/* The runs that are named, each once. */
static etna_code cmd_store_find_runs(const char *given,
                                     char **names,
                                     size_t count,
                                     etna_arena *arena,
                                     store_arguments *a,
                                     etna_error *err)
{
    etna_id *runs = etna_arena_alloc(arena, count, sizeof *runs);
    if (!runs)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory");
    for (size_t i = 0; i < count; i++) {
        etna_code code = cli_find_run(given, names[i], &runs[i], err);
        if (code)
            return code;
        for (size_t j = 0; j < i; j++) {
            if (etna_id_equal(&runs[i], &runs[j]))
                return etna_fail(err, ETNA_E_USAGE, "%s is named twice",
                                 names[i]);
        }
    }
    a->runs = runs;
    a->run_count = count;
    return ETNA_OK;
}

/* Neither way writes into a folder that holds something. */
static etna_code cmd_store_copy(const char *verb,
                                const char *folder,
                                const char *path,
                                etna_error *err)
{
    bool backs_up = strcmp(verb, "backup") == 0;
    etna_code code = backs_up ? store_copy(path, folder, err)
                              : store_copy(folder, path, err);
    if (code)
        return code;
    terminal_printf(stdout, backs_up ? "copied to %s" : "restored from %s",
                    folder);
    putchar('\n');
    return ETNA_OK;
}

/* Which words and flags a verb takes. */
static etna_code cmd_store_check_words(const char *verb,
                                       size_t words,
                                       const store_arguments *a,
                                       etna_error *err)
{
    bool is_copy = strcmp(verb, "backup") == 0 || strcmp(verb, "restore") == 0;
    bool is_rm = strcmp(verb, "rm") == 0;
    bool chooses = a->older_ms || a->has_keep;
    if (is_rm) {
        if (!words != !chooses)
            return ETNA_OK;
        return etna_fail(
            err, ETNA_E_USAGE,
            "store rm: which runs? etna store rm RUN..., or --older-than AGE, or --keep N");
    }
    if (chooses)
        return etna_fail(err, ETNA_E_USAGE,
                         "store %s: --older-than and --keep are of store rm",
                         verb);
    if (is_copy && words != 1)
        return etna_fail(err, ETNA_E_USAGE,
                         "store %s: which directory? etna store %s DIR", verb,
                         verb);
    return !is_copy && words ? etna_fail(err, ETNA_E_USAGE,
                                         "store %s takes no arguments", verb)
                             : ETNA_OK;
}

/* It waits up to an hour: a large store takes its time. */
static etna_code cmd_store_visit(const store_verb *verb,
                                 const char *url,
                                 const store_arguments *a,
                                 etna_error *err)
{
    enum {
        PATIENCE_MS = 3600000
    };
    client *c;
    client_options options = client_options_default();
    options.answer_ms = PATIENCE_MS;
    options.store = a->path;
    etna_code code = client_open(url, &options, &c, err);
    if (code)
        return code;
    code = verb->ask(c, a, err);
    client_close(c);
    return code;
}

/* By the owner where one is alive and the verb can be asked of it; otherwise by
 * this process. */
static etna_code cmd_store_run(const store_verb *verb,
                               const store_arguments *a,
                               etna_error *err)
{
    store *s = NULL;
    store_owner owner;
    bool alive = false;
    bool is_known =
        verb->ask && !store_owner_read(a->path, &owner, &alive, NULL);
    if (is_known && alive && *owner.endpoint)
        return cmd_store_visit(verb, owner.endpoint, a, err);
    etna_code code = cli_open_store(a->path, NULL, !verb->writes, &s, err);
    if (!code)
        code = verb->run(s, a, err);
    store_close(s);
    return code;
}

/* NULL: there is none of this name. */
static const store_verb *cmd_store_find_verb(const char *name)
{
    static const store_verb verbs[] = {
        {.name = "ls", .run = cmd_store_list},
        {.name = "stats", .run = cmd_store_stats},
        {.name = "verify", .run = cmd_store_verify},
        {.name = "gc",
         .writes = true,
         .run = cmd_store_collect,
         .ask = cmd_store_ask_collect},
        {.name = "compact",
         .writes = true,
         .run = cmd_store_compact,
         .ask = cmd_store_ask_compact},
        {.name = "rm",
         .writes = true,
         .run = cmd_store_remove,
         .ask = cmd_store_ask_remove},
        {.name = "backup"},
        {.name = "restore"},
    };
    for (size_t i = 0; i < COUNT_OF(verbs); i++) {
        if (strcmp(name, verbs[i].name) == 0)
            return &verbs[i];
    }
    return NULL;
}

/* `words` are what comes behind the verb. */
static etna_code cmd_store_do(const store_verb *verb,
                              const char *given,
                              char **words,
                              size_t count,
                              store_arguments *a,
                              etna_error *err)
{
    char path[4000];
    etna_arena arena = ETNA_ARENA_INIT;
    etna_code code = cmd_store_check_words(verb->name, count, a, err);
    if (!code)
        code = cli_store_path(given, path, sizeof path, err);
    if (code)
        return code;
    a->path = path;
    if (!verb->run)
        return cmd_store_copy(verb->name, words[0], path, err);
    if (count)
        code = cmd_store_find_runs(given, words, count, &arena, a, err);
    if (!code)
        code = cmd_store_run(verb, a, err);
    etna_arena_free(&arena);
    return code;
}

/* Words first, then who does it (cmd_store_run). */
int cmd_store(int argc, char **argv)
{
    const char *given = NULL;
    store_arguments a = {.json = false};
    const flags_row flags[] = {
        {"json", .yes = &a.json},
        {"older-than", .read = cmd_store_read_age, .into = &a.older_ms},
        {"keep", .read = cmd_store_read_keep, .into = &a},
        {"store", .text = &given},
        {0}};
    int exit_code;
    int first = cli_flags("etna store", argc, argv, flags, help, &exit_code);
    if (!first)
        return exit_code;
    etna_error err = {ETNA_OK, ""};
    const store_verb *verb =
        first < argc ? cmd_store_find_verb(argv[first]) : NULL;
    if (!verb)
        return cli_usage(
            "store: what? etna store ls, stats, verify, gc, compact, rm, backup or restore");
    etna_code code = cmd_store_do(verb, given, argv + first + 1,
                                  (size_t)(argc - first - 1), &a, &err);
    return code ? cli_fail(&err) : 0;
}
