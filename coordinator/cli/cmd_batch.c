/* `etna batch`: the runs of a list, as one. */
#include "coordinator/cli/batch.h"
#include "coordinator/cli/batch_carry.h"
#include "coordinator/cli/batch_work.h"
#include "coordinator/cli/cli.h"
#include "coordinator/cli/remote.h"
#include "coordinator/report/output.h"
#include "coordinator/report/page.h"
#include "coordinator/report/terminal.h"
#include "proto/array.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char help[] =
    "usage: etna batch LIST.jsonl -o DIR [OPTION...]\n"
    "Arranges many scenes. A line of the list is one run:\n"
    "  {\"name\": \"flat-7\", \"scene\": \"flat-7.glb\", \"goal\": \"Clear the table\", \"seed\": 1, \"flags\": [\"--no-images\"]}\n"
    "\"steps\": [\"...\", \"...\"] instead of \"goal\": a list of instructions. \"seed\" and \"flags\" (those of `etna run` that say\n"
    "what a run is like) need not be. A scene is looked for beside the list. The whole list is checked before the first run.\n\n"
    "  -o, --output DIR     DIR/NAME/ gets what `etna run -o` writes; DIR/summary.csv and DIR/summary.html tell of all:\n"
    "                       before and after of each, failures by cause\n"
    "      --active N       most runs begun and not ended (64); the next begins when a worker would stand idle\n"
    "      --max-cost M     end before all runs together have spent more: a run begins when its own --max-cost\n"
    "                       is left, and one without when eight times the dearest so far is, or it is alone and once that is;\n"
    "                       with more another start does those that were not begun\n"
    "      --priority N     0 to 9: while it has work it goes before lists and runs of a lower one (0); equal ones take turns\n"
    "      --json           print what became of each as one JSON document\n"
    "      --workers N      worker processes (one per 8 CPUs)\n"
    "      --connect URL    let the coordinator at URL run them\n"
    "      --wait S         with --connect: how long to wait for a coordinator that is being restarted (600)\n"
    "      --store DIR      where runs are kept\n"
    "Started again after Ctrl-C or any death it goes on where it was; started beside itself it waits for the other to end.\n"
    "What has ended is done anew only where its line or its scene's file has changed. A line that cannot be done stops no\n"
    "other. Exit code 0 when all are complete, else 1; 3 when the list is wrong: then nothing was begun.\n";

/* How often a batch that another process carries is looked at, and after how
 * many looks its journal is read. */
enum {
    ATTACH_LOOK_MS = 200,
    ATTACH_READ_LOOKS = 10
};

/* 0: the command ends with *ret_exit. */
static int cmd_batch_read(int argc, char **argv, batch_work *a, int *ret_exit)
{
    const flags_row flags[] = {
        {"output", 'o', .text = &a->output},
        {"json", .yes = &a->json},
        {"active", .number = &a->active, .least = 1, .most = 1000000},
        {"max-cost", .read = run_request_read_cost, .into = &a->max_cost},
        {"priority", .number = &a->priority, .most = ARRANGE_PRIORITY_MAX},
        {"workers", .number = &a->carry.workers, .least = 1, .most = 256},
        {"connect", .text = &a->carry.connect},
        {"wait", .number = &a->carry.wait_s, .most = 1000000},
        {"store", .text = &a->carry.store},
        {0}};
    int first = cli_flags("etna batch", argc, argv, flags, help, ret_exit);
    if (!first)
        return 0;
    const char *wrong = NULL;
    if (first + 1 != argc)
        wrong = "batch: which list? etna batch LIST.jsonl -o DIR";
    if (!wrong && !a->output)
        wrong = "batch: where to? etna batch LIST.jsonl -o DIR";
    bool has_own = a->carry.workers || a->carry.store;
    if (!wrong && a->carry.connect && has_own)
        wrong =
            "batch: with --connect the coordinator has its workers and its store; leave --workers and --store out";
    if (!wrong) {
        a->list = argv[first];
        return first;
    }
    *ret_exit = cli_usage("%s", wrong);
    return 0;
}

/* What its line of the list of models says is looked at before anything begins,
 * too. */
static etna_code cmd_batch_check_models(const batch_work *a,
                                        const batch_line *lines,
                                        uint32_t count,
                                        etna_error *err)
{
    for (uint32_t i = 0; i < count; i++) {
        etna_arena arena = ETNA_ARENA_INIT;
        etna_error why = {ETNA_OK, ""};
        run_request request = lines[i].request;
        etna_code code = run_request_read_models(&request, &arena, &why);
        etna_arena_free(&arena);
        if (code)
            return etna_fail(err, ETNA_E_INPUT, "%s, line %u: %s", a->list,
                             lines[i].number, why.text);
    }
    return ETNA_OK;
}

/* How many runs of the batch are begun, as far as its journal says. */
static void cmd_batch_count_begun(batch *b)
{
    static const etna_id none;
    b->begun = 0;
    for (uint32_t i = 0; i < b->count; i++) {
        const batch_item *item = &b->items[i];
        if (item->state != BATCH_ENDED && !etna_id_equal(&item->run, &none))
            b->begun++;
    }
}

/* Until the folder is ours: another process carries the batch, and what it does
 * is shown. */
static etna_code cmd_batch_attach(batch *b,
                                  const batch_line *lines,
                                  uint32_t count,
                                  etna_error *err)
{
    const struct timespec pause = {.tv_nsec = ATTACH_LOOK_MS * 1000000L};
    bool held = false;
    etna_code code = batch_folder_lock(&b->folder, &held, err);
    if (!code && !held) {
        visit_catch_signals();
        fputs(
            "etna: another process carries this batch; staying with it until it ends\n",
            stderr);
    }
    for (int looks = 0; !code && !held; looks++) {
        nanosleep(&pause, NULL);
        if (*visit_signal())
            return etna_fail(err, ETNA_E_CANCELLED, "interrupted");
        code = batch_folder_lock(&b->folder, &held, err);
        if (code || held || looks % ATTACH_READ_LOOKS)
            continue;
        batch_close(b);
        code = batch_open(b, lines, count, err);
        cmd_batch_count_begun(b);
        if (!looks)
            batch_meter_start(b);
        if (!code)
            batch_meter_tell(b);
    }
    batch_close(b); /* what ended meanwhile is read anew */
    return code;
}

/* In the document's order, which is the alphabet's. */
static void cmd_batch_print_causes(const json_t *document)
{
    const char *cause;
    json_t *count;
    json_object_foreach(json_object_get(document, "causes"), cause, count)
    {
        printf("%6lld  ", (long long)json_integer_value(count));
        terminal_print(stdout, *cause ? cause : "unknown");
        putchar('\n');
    }
}

/* Counts, causes, and where the page is. */
static void cmd_batch_print(const batch_work *a, const json_t *document)
{
    long long complete =
        json_integer_value(json_object_get(document, "complete"));
    long long failed = json_integer_value(json_object_get(document, "failed"));
    printf("%lld complete, %lld failed, cost %.2f\n", complete, failed,
           json_number_value(json_object_get(document, "cost")));
    cmd_batch_print_causes(document);
    terminal_print_written(stdout, a->output, "summary.html");
}

/* All lines have ended. */
static int cmd_batch_tell(const batch *b, const batch_work *a)
{
    etna_error err = {ETNA_OK, ""};
    if (a->again)
        return b->left ? 1 : 0; /* who asked tells */
    summary_row *rows = batch_rows(b);
    json_t *document = rows ? summary_json(rows, b->count) : NULL;
    summary_counts sum =
        rows ? summary_count(rows, b->count) : (summary_counts){0};
    free(rows);
    if (!document) {
        etna_fail(&err, ETNA_E_NOMEM, "out of memory for the summary");
        return cli_fail(&err);
    }
    if (a->json) {
        cli_print("etna.batch/1", document);
    } else {
        cmd_batch_print(a, document);
        json_decref(document);
    }
    if (fflush(stdout) || ferror(stdout)) {
        etna_fail(&err, ETNA_E_IO, "standard output cannot be written");
        return cli_fail(&err);
    }
    return sum.complete == b->count ? 0 : 1;
}

/* What goes on with it. The caller frees it. */
static void cmd_batch_command(const batch_work *a, page *command)
{
    char word[4096];
    page_raw(command, "etna batch");
    const char *const words[] = {"",           a->list,         " -o",
                                 a->output,    " --store",      a->carry.store,
                                 " --connect", a->carry.connect};
    for (size_t i = 0; i < COUNT_OF(words); i += 2) {
        if (!words[i + 1])
            continue;
        terminal_quote(words[i + 1], word, sizeof word);
        page_add(command, "%s %s", words[i], word);
    }
}

/* The batch did not end; by `signal`, unless it is 0. */
static int cmd_batch_tell_again(const batch_work *a, int signal, int exit_code)
{
    const char *state = a->again ? a->again : "nothing is lost";
    page command = {0};
    if (!a->again)
        cmd_batch_command(a, &command);
    const char *text = command.data ? command.data : "";
    if (signal) {
        exit_code = cli_interrupted(signal, NULL, state, "go on with", text);
    } else {
        fprintf(stderr, "etna: %s%s", state, *text ? "; go on with: " : "");
        terminal_print(stderr, text);
        fputc('\n', stderr);
    }
    page_free(&command);
    return exit_code;
}

/* The summary is written in any case, with the lines that are still open.
 * Returns the exit code. */
static int cmd_batch_end(const batch *b,
                         const batch_work *a,
                         int signal,
                         etna_error *err)
{
    etna_error second = {ETNA_OK, ""};
    bool written = !b->items || !batch_write_summary(b, &second);
    bool interrupted = err->code == ETNA_E_CANCELLED && signal;
    int exit_code = err->code && !interrupted ? cli_fail(err) : 0;
    if (err->code)
        return cmd_batch_tell_again(a, interrupted ? signal : 0, exit_code);
    return written ? cmd_batch_tell(b, a) : cli_fail(&second);
}

/* Folder, lock, then the lines; what is done already is read from the journal
 * and not done again. */
static int cmd_batch_run(const batch_work *a,
                         const batch_line *lines,
                         uint32_t count)
{
    etna_error err = {ETNA_OK, ""};
    int signal = 0;
    batch b = {.active_max = a->active,
               .cost_max = a->max_cost,
               .priority = a->priority,
               .assets_store = a->carry.store};
    if (batch_folder_open(a->output, &b.folder, &err))
        return cli_fail(&err);
    etna_code code = cmd_batch_attach(&b, lines, count, &err);
    if (!code)
        code = batch_open(&b, lines, count, &err);
    if (!code) {
        batch_meter_start(&b);
        if (b.left)
            code = batch_carry(&b, &a->carry, &signal, &err);
        batch_meter_end(&b);
    }
    err.code = code;
    bool is_gone = code && batch_folder_is_gone(&b.folder, &err);
    int exit_code =
        is_gone ? cli_fail(&err)
                : cmd_batch_end(&b, a, signal ? signal : *visit_signal(), &err);
    batch_close(&b);
    batch_folder_close(&b.folder);
    return exit_code;
}

/* Also for `etna bench run`. Everything that can be checked is checked before
 * the folder is made. */
int batch_work_do(const batch_work *a)
{
    etna_arena arena = ETNA_ARENA_INIT;
    etna_error err = {ETNA_OK, ""};
    batch_line *lines = NULL;
    uint32_t count = 0;
    etna_code code = batch_list_read(a->list, &arena, &lines, &count, &err);
    if (!code)
        code = cmd_batch_check_models(a, lines, count, &err);
    int exit_code = code ? cli_fail(&err) : cmd_batch_run(a, lines, count);
    etna_arena_free(&arena);
    return exit_code;
}

/* Exit codes are the help's. */
int cmd_batch(int argc, char **argv)
{
    batch_work a = {.active = BATCH_ACTIVE, .carry = {.wait_s = REMOTE_WAIT_S}};
    int exit_code = 0;
    if (!cmd_batch_read(argc, argv, &a, &exit_code))
        return exit_code;
    return batch_work_do(&a);
}
