/* The tasks of the place are done again by etna-worker, which reports each call
 * of a model as JSON: only the messages that are new with a call, as each
 * request repeats those before it. */
#include "coordinator/report/conversation.h"
#include "coordinator/report/field.h"

#include "coordinator/report/replay.h"
#include "coordinator/report/terminal.h"
#include "coordinator/report/truncation.h"
#include "proto/ascii.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Which part of a run's conversations is asked for. */
typedef struct place {
    uint32_t node, branch;
    bool one_branch, own_plans; /* own_plans: each branch has its plan */
} place;

static bool parse_number(const char **at, uint32_t *ret)
{
    char *end;
    if (!ascii_is_digit(**at))
        return false;
    unsigned long value = strtoul(*at, &end, 10);
    if (end - *at > 9)
        return false;
    *ret = (uint32_t)value;
    *at = end;
    return true;
}

/* "3" or "3.1". Numbers of more than nine digits are none. */
static bool conversation_parse(const char *text, place *ret)
{
    *ret = (place){.branch = 0};
    if (!parse_number(&text, &ret->node) || !ret->node)
        return false;
    if (*text == '.') {
        text++;
        ret->one_branch = true;
        if (!parse_number(&text, &ret->branch))
            return false;
    }
    return !*text;
}

/* A replay_filter: whether the task belongs to the place. With one plan for all
 * branches that plan belongs to each of them. */
static bool is_there(void *context, const replay_task *t)
{
    const place *p = context;
    if (t->node != p->node)
        return false;
    if (t->kind == TASK_PLAN)
        return !p->one_branch || !p->own_plans || t->branch == p->branch;
    bool is_of_branch = t->kind == TASK_BRANCH || t->kind == TASK_POLL;
    return is_of_branch && (!p->one_branch || t->branch == p->branch);
}

/* ---- printing ---- */

/* Every line of it by itself, so that only line ends of ours reach the
 * terminal. */
static void print_lines(const char *text, const char *indent)
{
    while (*text) {
        size_t size = strcspn(text, "\n");
        char *line = strndup(text, size);
        if (!line)
            return;
        fputs(indent, stdout);
        terminal_print(stdout, line);
        putchar('\n');
        free(line);
        text += size + (text[size] == '\n');
    }
}

static void print_image(const json_t *image)
{
    fputs("    [image of ", stdout);
    terminal_printf(stdout, "snapshot %.12s", field_string(image, "snapshot"));
    terminal_printf(stdout, ", camera %s", field_string(image, "camera"));
    printf(", %lld x %lld", field_integer(image, "width"),
           field_integer(image, "height"));
    if (json_is_true(json_object_get(image, "grid")))
        fputs(", grid", stdout);
    if (json_object_get(image, "object"))
        terminal_printf(stdout, ", marks %s", field_string(image, "object"));
    if (json_object_get(image, "highlight"))
        terminal_printf(stdout, ", highlights %s",
                        field_string(image, "highlight"));
    if (json_object_get(image, "before"))
        terminal_printf(stdout, ", since %.12s", field_string(image, "before"));
    puts("]");
}

static void print_part(const json_t *part)
{
    const char *kind = field_string(part, "kind");
    const char *text = field_string(part, "text");
    if (!strcmp(kind, "image")) {
        print_image(json_object_get(part, "image"));
    } else if (!strcmp(kind, "facts")) {
        printf("    [facts: %zu bytes, shown by --json]\n", strlen(text));
    } else if (!strcmp(kind, "tool_call")) {
        terminal_printf(stdout, "    calls %s %s", field_string(part, "tool"),
                        text);
        putchar('\n');
    } else if (!strcmp(kind, "tool_result")) {
        terminal_printf(stdout, "    %s says:", field_string(part, "tool"));
        putchar('\n');
        print_lines(text, "      ");
    } else {
        print_lines(text, "    ");
    }
}

/* What is new in this request. An assistant's message was printed as the answer
 * of the turn before. */
static void print_messages(const json_t *call)
{
    json_t *said, *part;
    size_t i, k;
    json_array_foreach(json_object_get(call, "messages"), i, said)
    {
        if (!strcmp(field_string(said, "author"), "assistant") &&
            field_integer(call, "turn"))
            continue; /* told as the answer before */
        terminal_printf(stdout, "  %s:", field_string(said, "author"));
        putchar('\n');
        json_array_foreach(json_object_get(said, "parts"), k, part)
            print_part(part);
    }
}

/* What was left out because the request was too long for its model. */
static void print_shortened(const json_t *call)
{
    const json_t *shortened = json_object_get(call, "shortened");
    const json_t *one;
    size_t i;
    if (!shortened)
        return;
    terminal_printf(stdout, "  [left out of this request: %s",
                    field_string(shortened, "why"));
    puts("]");
    json_array_foreach(json_object_get(shortened, "left_out"), i, one)
    {
        if (!strcmp(field_string(one, "kind"), "image")) {
            print_image(json_object_get(one, "image"));
        } else {
            terminal_printf(stdout, "    [what %s said",
                            field_string(one, "tool"));
            printf(" (turn %lld)]\n", field_integer(one, "turn") + 1);
        }
    }
}

/* An answer that was taken in another form than it was written in is shown in
 * that form, so that a reader sees what the run really used. */
static void print_read(const json_t *call)
{
    const char *read = field_string(call, "read_as");
    if (!*read)
        return;
    puts("  read as:");
    print_lines(read, "    ");
}

static void print_call(const json_t *call)
{
    const json_t *reply = json_object_get(call, "reply");
    const json_t *usage = json_object_get(reply, "usage");
    const json_t *one;
    size_t i;
    print_messages(call);
    print_shortened(call);
    if (!json_is_true(json_object_get(call, "as_answered")))
        puts(
            "  [this version asks something else than was asked; the answer is to what was]");
    terminal_printf(stdout, "  %s answers", field_string(call, "model"));
    if (strcmp(field_string(call, "model"), "builtin") &&
        (field_integer(usage, "in") ||
         field_integer(usage, "out"))) { /* what that counts costs nothing */
        printf(" (%lld tokens in, %lld out)", field_integer(usage, "in"),
               field_integer(usage, "out"));
    }
    puts(json_is_true(json_object_get(reply, "cut_off")) ? ", cut off:" : ":");
    print_lines(field_string(reply, "text"), "    ");
    json_array_foreach(json_object_get(reply, "tool_calls"), i, one)
        print_part(one);
    print_read(call);
}

static void print_head(const json_t *call, bool first)
{
    if (!first)
        putchar('\n');
    printf("== node %lld, branch %lld, ", field_integer(call, "node"),
           field_integer(call, "branch"));
    terminal_print(stdout, field_string(call, "role"));
    if (!strcmp(field_string(call, "role"), "evaluator"))
        printf(" %lld", field_integer(call, "poll"));
    puts(" ==");
}

static void print_turn(const json_t *call)
{
    printf("-- turn %lld", field_integer(call, "turn") + 1);
    if (field_integer(call, "repair"))
        printf(", after %lld malformed", field_integer(call, "repair"));
    puts(" --");
}

/* A head before the first call of each conversation, a line before each
 * turn. */
static void conversation_print_text(const replay *a)
{
    bool first = true;
    for (uint32_t i = 0; i < a->count; i++) {
        json_t *call;
        size_t k;
        json_array_foreach(a->tasks[i].calls, k, call)
        {
            if (k == 0)
                print_head(call, first);
            print_turn(call);
            print_call(call);
            first = false;
        }
        if (a->tasks[i].failure) {
            terminal_printf(stdout, "  [the rest cannot be rebuilt: %s]",
                            a->tasks[i].failure);
            putchar('\n');
        }
    }
}

static etna_code collect_calls(const replay *a, json_t **ret, etna_error *err)
{
    json_t *calls = json_array();
    for (uint32_t i = 0; i < a->count; i++) {
        if (a->tasks[i].calls)
            json_array_extend(calls, a->tasks[i].calls);
    }
    json_t *document = json_pack("{s:o}", "calls", calls);
    if (!document)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory telling a conversation");
    *ret = document;
    return ETNA_OK;
}

/* The tasks of the place `where`, each with the calls of models that it made;
 * replay_free in every case. */
static etna_code conversation_read_calls(replay *a,
                                         store *s,
                                         const char *path,
                                         const etna_id *run,
                                         const char *where,
                                         etna_error *err)
{
    core_run_view view;
    place p;
    *a = (replay){0};
    if (!conversation_parse(where, &p)) {
        return etna_fail(
            err, ETNA_E_USAGE,
            "--conversation wants NODE or NODE.BRANCH, as the tree of etna show numbers them; not %s",
            where);
    }
    etna_code code = replay_read(a, s, run, err);
    if (!code && a->parted)
        code = etna_fail(err, ETNA_E_CORRUPT, "%s", a->parted_why);
    if (!code)
        code = core_view(a->core, run, &a->arena, &view, err);
    if (code)
        return code;
    p.own_plans = view.config->plan_per_branch;
    replay_filter(a, is_there, &p);
    replay_sort(a);
    if (!a->count) {
        return etna_fail(
            err, ETNA_E_NOTFOUND,
            "there is no conversation %s in this run; see the tree of `etna show`",
            where);
    }
    code = replay_run(a, path, run, true, err);
    return code ? code : truncation_add(a, view.config->models, err);
}

etna_code conversation_print(store *s,
                             const char *path,
                             const etna_id *run,
                             const char *where,
                             etna_error *err)
{
    replay a;
    etna_code code = conversation_read_calls(&a, s, path, run, where, err);
    if (!code)
        conversation_print_text(&a);
    if (!code && (fflush(stdout) || ferror(stdout)))
        code = etna_fail(err, ETNA_E_IO, "standard output cannot be written");
    replay_free(&a);
    return code;
}

etna_code conversation_json(store *s,
                            const char *path,
                            const etna_id *run,
                            const char *where,
                            json_t **ret,
                            etna_error *err)
{
    replay a;
    etna_code code = conversation_read_calls(&a, s, path, run, where, err);
    if (!code)
        code = collect_calls(&a, ret, err);
    replay_free(&a);
    return code;
}
