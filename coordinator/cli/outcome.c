/* Everything a command prints when its run is over. Results go to stdout; what
 * to do next goes to stderr, so that a pipe gets results alone. */
#include "coordinator/cli/outcome.h"
#include "coordinator/cli/cli.h"
#include "coordinator/report/field.h"
#include "coordinator/report/page.h"
#include "coordinator/report/progress.h"
#include "coordinator/report/refusal_text.h"
#include "coordinator/report/terminal.h"
#include "proto/array.h"
#include "proto/error_json.h"

#include <stdio.h>
#include <string.h>

/* The command line that takes the run up again, quoted for a shell. The caller
 * frees the page. */
static void outcome_resume_command(page *command,
                                   const etna_id *run,
                                   const char *store_given,
                                   const char *output)
{
    char name[33], word[4096];
    etna_id_hex(run, name);
    page_add(command, "etna resume %s", name);
    const char *const flags[] = {"--store", store_given, "-o", output};
    for (size_t i = 0; i < COUNT_OF(flags); i += 2) {
        if (!flags[i + 1])
            continue;
        terminal_quote(flags[i + 1], word, sizeof word);
        page_add(command, " %s %s", flags[i], word);
    }
}

/* `hint`: what may be said besides; "" */
static void outcome_print_command(const etna_id *run,
                                  const char *why,
                                  const char *hint,
                                  const char *store_given,
                                  const char *output)
{
    page command = {0};
    outcome_resume_command(&command, run, store_given, output);
    fprintf(stderr, "etna: %s: ", why);
    terminal_print(stderr, command.data);
    fprintf(stderr, "%s\n", hint);
    page_free(&command);
}

void outcome_print_resume(const etna_id *run,
                          const char *why,
                          const char *store_given,
                          const char *output)
{
    outcome_print_command(run, why, "", store_given, output);
}

int outcome_interrupted(const runner_options *o, const char *state, int number)
{
    page command = {0};
    if (!state)
        return cli_interrupted(
            number, &o->run, "interrupted before anybody had the run", "", "");
    outcome_resume_command(&command, &o->run, o->store, o->output);
    int exit_code =
        cli_interrupted(number, &o->run, state, "go on with",
                        command.data ? command.data : "etna resume");
    page_free(&command);
    return exit_code;
}

/* For who asked for JSON: which run it is, and how it goes on. */
static json_t *suspended_document(const runner_options *o,
                                  const etna_error *why)
{
    char name[33];
    page command = {0};
    json_t *document = error_json(why);
    outcome_resume_command(&command, &o->run, o->store, o->output);
    if (command.data)
        json_object_set_new(json_object_get(document, "error"), "do",
                            json_string(command.data));
    etna_id_hex(&o->run, name);
    json_object_set_new(document, "run", json_string(name));
    page_free(&command);
    return document;
}

int outcome_suspended(const runner_options *o,
                      etna_code rests_by,
                      const char *outage)
{
    bool is_of_models = rests_by == ETNA_OK || rests_by == ETNA_E_NETWORK;
    etna_error why = {.code = is_of_models ? ETNA_E_NETWORK : rests_by};
    snprintf(why.text, sizeof why.text, "%s", outage);
    cli_print_error(cli_errors_are_json() ? suspended_document(o, &why) : NULL);
    fputs("etna: ", stderr);
    terminal_print(stderr, why.text);
    fputc('\n', stderr);
    outcome_print_command(
        &o->run,
        is_of_models ? "suspended; go on with"
                     : "suspended, nothing is lost; make room and go on with",
        is_of_models ? ", or with another model by --model NAME" : "", o->store,
        o->output);
    return etna_exit_code(why.code);
}

/* What of a list or a goal is not done, a line each. */
static void print_passed(const json_t *document)
{
    const bool is_list = !json_is_string(json_object_get(document, "goal"));
    const json_t *row;
    size_t i;
    json_array_foreach(json_object_get(document, "passed_over"), i, row)
    {
        fputs("    passed over: ", stdout);
        if (is_list)
            printf("instruction %lld, ",
                   (long long)json_integer_value(json_object_get(row, "item")));
        if (*field_string(row, "thing")) {
            terminal_print(stdout, field_string(row, "thing"));
            fputs(" of ", stdout);
        }
        terminal_print(stdout, field_string(row, "instruction"));
        fputs(": ", stdout);
        terminal_print(stdout, field_string(row, "what"));
        putchar('\n');
    }
}

/* A line for each edit; of an open list with the instruction that it is of. */
static void print_edits(const json_t *document)
{
    json_t *steps = json_object_get(document, "steps");
    json_t *step;
    size_t i;
    bool is_open = json_is_true(json_object_get(document, "open_list"));
    json_array_foreach(steps, i, step)
    {
        long long item =
            is_open
                ? (long long)json_integer_value(json_object_get(step, "item"))
                : 0;
        printf("%2zu  ", i + 1);
        if (item)
            printf("(instruction %lld) ", item);
        terminal_print(stdout, field_string(step, "object"));
        fputs(": ", stdout);
        terminal_print(stdout, field_string(step, "instruction"));
        putchar('\n');
    }
}

/* A model's own words may be long: one line is enough here, the report has them
 * whole. */
static void print_why(const char *why)
{
    char cut[1024];
    size_t size = progress_fit(why, 240);
    snprintf(cut, sizeof cut, "%.*s%s", (int)size, why, why[size] ? "..." : "");
    fputs("; ", stdout);
    terminal_print(stdout, cut);
}

/* A coordinator elsewhere hands its results out; what is in a store here is
 * written by taking the run up again. */
static void print_how_to_write(const etna_id *run,
                               const char *store_given,
                               const char *connect)
{
    char name[33], word[4096];
    page command = {0};
    etna_id_hex(run, name);
    if (connect) {
        terminal_quote(connect, word, sizeof word);
        page_add(&command, "etna fetch %s -o DIR --connect %s", name, word);
    } else {
        outcome_resume_command(&command, run, store_given, NULL);
        page_add(&command, " -o DIR");
    }
    fputs("to have it written: ", stdout);
    terminal_print(stdout, command.data);
    putchar('\n');
    page_free(&command);
}

/* The edits, what was passed over, one line of status, and where something went
 * wrong the first piece of advice; the report has the rest. */
static void print_summary(const json_t *document,
                          const runner_options *o,
                          const char *connect)
{
    const char *status = field_string(document, "status");
    const char *why = field_string(document, "why");
    const char *advice = json_string_value(
        json_array_get(json_object_get(document, "advice"), 0));
    size_t edits = json_array_size(json_object_get(document, "steps"));
    long long backtracks =
        (long long)json_integer_value(json_object_get(document, "backtracks"));
    print_edits(document);
    print_passed(document);
    printf("%s: %zu edit%s, %lld backtrack%s, %.1f s", status, edits,
           edits == 1 ? "" : "s", backtracks, backtracks == 1 ? "" : "s",
           json_number_value(json_object_get(document, "wall_s")));
    if (why && *why)
        print_why(why);
    putchar('\n');
    if (strcmp(field_string(document, "ablation"), "none"))
        printf("without a part of the method: %s\n",
               field_string(document, "ablation"));
    if (advice) {
        fputs("to try: ", stdout);
        terminal_print(stdout, advice);
        putchar('\n');
    }
    if (o->output)
        terminal_print_written(stdout, o->output, "report.html");
    else
        print_how_to_write(&o->run, o->store, connect);
}

/* The run could not be done at all: one line says why. */
static void report_error(const json_t *document, bool json)
{
    json_t *cause = json_object_get(document, "error");
    page line = {0};
    etna_error other = {.code = ETNA_E_INTERNAL};
    snprintf(other.text, sizeof other.text, "%s",
             field_string(document, "reason"));
    if (cause)
        refusal_text_line(&line, cause);
    fputs("etna: ", stderr);
    terminal_print(stderr, line.data ? line.data : other.text);
    fputc('\n', stderr);
    refusal_text_print(document, cause);
    page_free(&line);
    json_t *told = NULL;
    /* one that was cancelled has an exit code, and no cause of its own */
    if (json)
        told = cause ? error_json_document(json_incref(cause))
                     : error_json(&other);
    if (told)
        json_object_set(told, "run", json_object_get(document, "run"));
    cli_print_error(told);
}

int outcome_report(const json_t *document,
                   const runner_options *o,
                   const char *connect)
{
    int code = (int)json_integer_value(json_object_get(document, "exit_code"));
    if (code > 1) {
        report_error(document, o->json);
        return code;
    }
    if (o->json) {
        cli_print("etna.run/1", json_incref((json_t *)(uintptr_t)document));
    } else {
        print_summary(document, o, connect);
        refusal_text_print(document, json_object_get(document, "failure"));
    }
    if (fflush(stdout) || ferror(stdout)) {
        etna_error err = {ETNA_E_IO, "standard output cannot be written"};
        return cli_fail(&err);
    }
    return code;
}
