/* `etna replay`: a run once more from what is kept of it, without network or
 * model. Every decision is made again from the journal's causes, and the
 * geometry of every task is computed again with the stored replies. What comes
 * out differently is named with its record's number. This is the check that a
 * run can be trusted: same journal, same machine code, same result. */
#include "coordinator/cli/cli.h"
#include "coordinator/report/replay.h"
#include "coordinator/report/terminal.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static const char help[] =
    "usage: etna replay RUN | DIR [--json] [--store DIR]\n"
    "Decides the run again from its journal and computes each of its tasks again with the model replies that are\n"
    "kept, without network. Exit code 0: every decision, snapshot and verdict is the same; 1: something differs, told\n"
    "with the number of its record in the journal. Pictures are not compared: they decide nothing.\n\n"
    "DIR is what a run or `etna furnish --batch` wrote, or a room that `etna furnish --room` wrote. Of the latter words, models\n"
    "and places are found again by what was kept of the index and of the models, without the library; 1: the room or its report\n"
    "comes out otherwise.\n";

/* Adds a difference to the document. */
static void cmd_replay_add(json_t *differences,
                           uint64_t sequence,
                           const char *task,
                           const char *what)
{
    json_t *one = json_object();
    json_object_set_new(one, "record", json_integer((json_int_t)sequence));
    json_object_set_new(one, "task", json_string(task));
    json_t *text = json_string(what);
    json_object_set_new(one, "what",
                        /* of a file that is no UTF-8 */
                        text ? text : json_string(""));
    json_array_append_new(differences, one);
}

/* What differs between the recorded result of a task and the one computed
 * now. */
static void cmd_replay_compare(json_t *differences, const replay_task *t)
{
    char name[96], what[640], before[65], now[65];
    const char *differs =
        t->done ? replay_difference(t->kind, &t->recorded, &t->result) : NULL;
    replay_task_name(t, name);
    if (t->failure) {
        snprintf(what, sizeof what, "it cannot be computed again: %s",
                 t->failure);
        cmd_replay_add(differences, t->sequence, name, what);
    } else if (differs && strcmp(differs, "the snapshot") == 0) {
        etna_hash_hex(&t->recorded.snapshot, before);
        etna_hash_hex(&t->result.snapshot, now);
        snprintf(what, sizeof what,
                 "the snapshot differs: %s in the journal, %s now", before,
                 now);
        cmd_replay_add(differences, t->sequence, name, what);
    } else if (differs) {
        snprintf(what, sizeof what, "%s differs", differs);
        cmd_replay_add(differences, t->sequence, name, what);
    }
    if (t->mismatch)
        cmd_replay_add(differences, t->sequence, name, t->mismatch);
}

static void cmd_replay_print_text(const json_t *document)
{
    json_t *differences = json_object_get(document, "differences");
    json_t *one;
    size_t i;
    size_t count = json_array_size(differences);
    json_array_foreach(differences, i, one)
    {
        terminal_printf(
            stdout, "record %lld: %s: %s",
            (long long)json_integer_value(json_object_get(one, "record")),
            json_string_value(json_object_get(one, "task")),
            json_string_value(json_object_get(one, "what")));
        putchar('\n');
    }
    printf(
        "%s: %lld records decided again, %lld tasks computed again, %lld pictures left out",
        count ? "different" : "the same",
        (long long)json_integer_value(json_object_get(document, "records")),
        (long long)json_integer_value(json_object_get(document, "tasks")),
        (long long)json_integer_value(json_object_get(document, "pictures")));
    const char *final =
        json_string_value(json_object_get(document, "final_snapshot"));
    if (final)
        printf("; final snapshot %s", final);
    putchar('\n');
}

/* The final snapshot that the replay came to; null where it parted from the
 * journal. */
static json_t *hash_of_end(replay *a, const etna_id *run)
{
    core_run_view view;
    char hex[65];
    if (a->parted || core_view(a->core, run, &a->arena, &view, NULL) ||
        etna_hash_is_zero(&view.final_snapshot))
        return json_null();
    etna_hash_hex(&view.final_snapshot, hex);
    return json_string(hex);
}

static int by_record(const replay_task *a, const replay_task *b)
{
    return a->sequence < b->sequence ? -1 : a->sequence > b->sequence;
}

/* Tasks are in the order of their records; the record where decisions part
 * comes at its place among them. */
static json_t *differences_of(const replay *a)
{
    json_t *differences = json_array();
    bool told = !a->parted;
    const replay_task parting = {.sequence = a->parted};
    for (uint32_t i = 0; i < a->count; i++) {
        if (!told && by_record(&a->tasks[i], &parting) > 0) {
            cmd_replay_add(differences, a->parted, "the decision",
                           a->parted_why);
            told = true;
        }
        cmd_replay_compare(differences, &a->tasks[i]);
    }
    if (!told)
        cmd_replay_add(differences, a->parted, "the decision", a->parted_why);
    return differences;
}

/* Fills the document, and prints it. *ret_exit 1: the run is not done again as
 * it was. */
static etna_code cmd_replay_tell(replay *a,
                                 const etna_id *run,
                                 bool json,
                                 json_t *document,
                                 int *ret_exit,
                                 etna_error *err)
{
    char name[33];
    json_t *differences = differences_of(a);
    etna_id_hex(run, name);
    *ret_exit = json_array_size(differences) ? 1 : 0;
    json_object_set_new(document, "run", json_string(name));
    json_object_set_new(document, "status",
                        json_string(*ret_exit ? "different" : "same"));
    json_object_set_new(document, "records",
                        json_integer((json_int_t)a->records));
    json_object_set_new(document, "tasks", json_integer((json_int_t)a->count));
    json_object_set_new(document, "pictures",
                        json_integer((json_int_t)a->pictures));
    json_object_set_new(document, "final_snapshot", hash_of_end(a, run));
    json_object_set_new(document, "differences", differences);
    if (json) {
        cli_print("etna.replay/1", json_incref(document));
    } else {
        cmd_replay_print_text(document);
    }
    if (fflush(stdout) || ferror(stdout))
        return etna_fail(err, ETNA_E_IO, "standard output cannot be written");
    return ETNA_OK;
}

static etna_code cmd_replay_run(store *s,
                                const char *path,
                                const etna_id *run,
                                bool json,
                                int *ret_exit,
                                etna_error *err)
{
    replay a;
    etna_code code = replay_read(&a, s, run, err);
    if (!code)
        code = replay_run(&a, path, run, false, err);
    json_t *document = code ? NULL : json_object();
    if (!code && !document)
        code = etna_fail(err, ETNA_E_NOMEM, "out of memory telling of a run");
    if (!code)
        code = cmd_replay_tell(&a, run, json, document, ret_exit, err);
    json_decref(document);
    replay_free(&a);
    return code;
}

int cmd_replay(int argc, char **argv)
{
    const char *given = NULL;
    bool json = false;
    const flags_row flags[] = {
        {"json", .yes = &json}, {"store", .text = &given}, {0}};
    int exit_code = 0;
    int first = cli_flags("etna replay", argc, argv, flags, help, &exit_code);
    if (!first)
        return exit_code;
    etna_id run;
    if (first + 1 != argc)
        return cli_usage("replay: which run? etna replay RUN; see `etna runs`");
    char path[4000];
    etna_error err = {ETNA_OK, ""};
    struct stat st;
    bool is_folder = !stat(argv[first], &st) && S_ISDIR(st.st_mode);
    snprintf(path, sizeof path, "%.3900s/run.json", argv[first]);
    /* else it is a run's */
    if (is_folder && stat(path, &st))
        return cmd_replay_room(argv[first], given, json);
    if (cli_find_run(given, argv[first], &run, &err))
        return cli_fail(&err);
    store *s = NULL;
    etna_code code = cli_store_path(given, path, sizeof path, &err);
    if (!code)
        code = cli_open_store(path, NULL, true, &s, &err);
    if (!code)
        code = cmd_replay_run(s, path, &run, json, &exit_code, &err);
    store_close(s);
    return code ? cli_fail(&err) : exit_code;
}
