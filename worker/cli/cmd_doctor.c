/* `etna-worker doctor`: asks a model the six questions of exam.h over its own wire, one after another, and tells what the
 * answers show. `etna doctor` gives it the model's part of the list. */
#include "proto/secrets.h"
#include "worker/cli/cli.h"
#include "worker/cli/exam.h"
#include "worker/cli/load.h"
#include "worker/gltf/bundle.h"
#include "worker/shell/http.h"
#include "worker/shell/key.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char help[] = "usage: etna-worker doctor --list FILE --model NAME [--patience S] [--json]\n"
                           "FILE is a list of models as JSON, as a run carries it. See `etna doctor --help`.\n";

enum { TRIES = 3, WAIT_MAX_MS = 10000 };

typedef struct consultation {
    exam exam;
    uv_loop_t loop;
    http *http;
    key key;
    uint32_t patience_ms; /* of one answer */
    provider_dropped dropped;
    const char *dropped_names[MODELS_KNOBS_MAX];
    /* of the question under way */
    etna_arena arena;
    const model_request *request;
    provider_outcome outcome;
    uint32_t status;
    uint64_t ms;
    bool has_come, is_late;
    etna_error error;
} consultation;

/* ---- one try ---- */

static void answer_came(void *context, const provider_answer *answer)
{
    consultation *c = context;
    c->has_come = true;
    c->status = answer->status;
    provider_read(&c->exam.list, c->exam.model, c->request, answer, &c->arena, &c->outcome, &c->error);
    uv_stop(&c->loop);
}

static void time_ran_out(uv_timer_t *timer)
{
    consultation *c = timer->data;
    c->is_late = true;
    uv_stop(&c->loop);
}

static void loop_wait(consultation *c, uint64_t ms)
{
    uv_timer_t timer;
    uv_timer_init(&c->loop, &timer);
    timer.data = c;
    uv_timer_start(&timer, time_ran_out, ms, 0);
    c->is_late = false;
    uv_run(&c->loop, UV_RUN_DEFAULT);
    uv_close((uv_handle_t *)&timer, NULL);
    uv_run(&c->loop, UV_RUN_NOWAIT);
}

static etna_code question_try(consultation *c, const provider_image *images, etna_error *err)
{
    const models_endpoint *endpoint = &c->exam.list.endpoints[c->exam.model->endpoint];
    provider_call call;
    http_call *flying = NULL;
    c->has_come = false;
    c->outcome = (provider_outcome){0};
    etna_code code =
        provider_write(&c->exam.list, c->exam.model, c->request, images, &c->dropped, &c->arena, &call, err);
    uint64_t began = uv_hrtime();
    if (code == ETNA_OK)
        code = http_start(c->http, endpoint, &call, images, c->key.given ? c->key.text : NULL, NULL, answer_came, c,
                          &flying, err);
    if (code != ETNA_OK) return code;
    loop_wait(c, c->patience_ms);
    c->ms = (uv_hrtime() - began) / 1000000;
    if (!c->has_come) http_cancel(flying);
    return c->error.code ? etna_fail(err, c->error.code, "%s", c->error.text) : ETNA_OK;
}

/* The server refused a parameter: it is left out from now on. */
static bool parameter_drop(consultation *c)
{
    const char *name = c->outcome.drop ? etna_arena_strdup(&c->exam.kept, c->outcome.drop) : NULL;
    if (!name || c->dropped.count == MODELS_KNOBS_MAX) return false;
    c->dropped_names[c->dropped.count++] = name;
    c->dropped.names = c->dropped_names;
    return true;
}

/* ---- one question ---- */

/* Tries until there is an answer, or no use in trying. */
static etna_code question_try_again(consultation *c, const provider_image *images, etna_error *err)
{
    for (uint32_t tries = 1;; tries++) {
        etna_code code = question_try(c, images, err);
        if (code != ETNA_OK || !c->has_come) return code;
        bool again = c->outcome.end == PROVIDER_AGAIN && tries < TRIES;
        if (c->outcome.end == PROVIDER_DROP) again = parameter_drop(c);
        if (!again) return ETNA_OK;
        uint64_t wait = c->outcome.end == PROVIDER_DROP ? 0 : provider_backoff(&c->outcome, tries + 1, 500, tries);
        if (wait > WAIT_MAX_MS) return ETNA_OK;
        if (wait) loop_wait(c, wait);
    }
}

static etna_code question_ask(consultation *c, exam_question q, etna_error *err)
{
    provider_image images[EXAM_PICTURES];
    model_request request;
    uint32_t count = 0;
    c->arena = (etna_arena)ETNA_ARENA_INIT;
    etna_code code = exam_ask(&c->exam, q, &c->arena, &request, images, &count, err);
    c->request = &request;
    if (code == ETNA_OK) code = question_try_again(c, images, err);
    if (code == ETNA_OK && !c->has_come) {
        char words[128];
        snprintf(words, sizeof words, "no answer within %u s (--patience); is the model still being loaded?",
                 c->patience_ms / 1000);
        exam_miss(&c->exam, q, 0, words);
    } else if (code == ETNA_OK && c->outcome.end == PROVIDER_REPLY) {
        code = exam_hear(&c->exam, q, &c->outcome, c->ms, err);
    } else if (code == ETNA_OK) {
        exam_miss(&c->exam, q, c->status, c->outcome.text ? c->outcome.text : "no answer");
    } else if (code == ETNA_E_USAGE) { /* a header's variable, a URL */
        exam_miss(&c->exam, q, 0, err->text);
        code = ETNA_OK;
    }
    etna_arena_free(&c->arena);
    return code;
}

/* ---- telling ---- */

static const char *const mark_words[] = {"not asked", "ok", "odd", "BAD"};

static void findings_print(const consultation *c)
{
    exam_row rows[EXAM_ROWS];
    char *entry = exam_entry(&c->exam), plain[600];
    exam_rows(&c->exam, rows);
    for (int i = 0; i < EXAM_ROWS; i++)
        printf("%-9s %-12s %s\n", mark_words[rows[i].finding->mark], rows[i].name,
               load_plain(rows[i].finding->words, plain, sizeof plain));
    for (uint32_t i = 0; i < c->dropped.count; i++)
        printf("%-9s %-12s the server refuses \"%s\", which is left out; take it out of the model's knobs\n", "odd",
               "parameters", load_plain(c->dropped.names[i], plain, sizeof plain));
    printf("\nFor `models` in models.yaml:\n%s\n", entry ? entry : "");
    free(entry);
}

static int findings_print_json(const consultation *c)
{
    exam_row rows[EXAM_ROWS];
    char *entry = exam_entry(&c->exam);
    json_t *findings = json_object(), *dropped = json_array();
    exam_rows(&c->exam, rows);
    for (int i = 0; i < EXAM_ROWS; i++)
        json_object_set_new(
            findings, rows[i].name,
            json_pack("{s:s, s:s}", "mark", mark_words[rows[i].finding->mark], "words", rows[i].finding->words));
    for (uint32_t i = 0; i < c->dropped.count; i++) json_array_append_new(dropped, json_string(c->dropped.names[i]));
    json_t *whole =
        json_pack("{s:s, s:b, s:o, s:o, s:s?, s:I, s:I, s:I}", "model", c->exam.model->name, "passed",
                  exam_is_passed(&c->exam), "findings", findings, "refused_parameters", dropped, "entry", entry,
                  "tokens_in", (json_int_t)c->exam.usage.tokens_in, "tokens_out", (json_int_t)c->exam.usage.tokens_out,
                  "cost_micros", (json_int_t)c->exam.usage.cost_micros);
    free(entry);
    return load_print("etna-doctor-1", whole, exam_is_passed(&c->exam) ? 0 : 1);
}

/* ---- the command ---- */

static etna_code model_consult(consultation *c, etna_error *err)
{
    const models_endpoint *endpoint = &c->exam.list.endpoints[c->exam.model->endpoint];
    guard_secrets();
    etna_code code = key_read(endpoint, &c->key, err);
    if (code == ETNA_OK && uv_loop_init(&c->loop)) return etna_fail(err, ETNA_E_IO, "no event loop");
    if (code != ETNA_OK) return code;
    code = http_new(&c->loop, &c->http, err);
    for (int q = 0; q < EXAM_QUESTIONS && code == ETNA_OK; q++) {
        if (exam_wants(&c->exam, (exam_question)q)) code = question_ask(c, (exam_question)q, err);
    }
    http_close(c->http, NULL, NULL);
    uv_run(&c->loop, UV_RUN_DEFAULT);
    uv_loop_close(&c->loop);
    key_wipe(&c->key);
    exam_finish(&c->exam);
    return code;
}

static etna_code doctor_read_list(const char *path, const char *name, etna_arena *arena, models *ret,
                                  const models_model **ret_model, etna_error *err)
{
    uint8_t *text = NULL;
    size_t size = 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return etna_fail(err, ETNA_E_USAGE, "--list %s: %s", path, strerror(errno));
    etna_code code = bundle_read_file(fd, path, &text, &size, err);
    if (code == ETNA_OK) code = models_from_json((const char *)text, size, arena, ret, err);
    free(text);
    if (code != ETNA_OK) return code;
    *ret_model = models_find(ret, name);
    bool is_there = *ret_model && strcmp(name, "builtin") != 0;
    return is_there ? ETNA_OK : etna_fail(err, ETNA_E_USAGE, "--model %.80s: there is none of that name", name);
}

int worker_cmd_doctor(int argc, char **argv)
{
    const char *list_path = NULL, *name = NULL;
    uint32_t patience = 120;
    bool json = false;
    const flags_row flags[] = {{"list", .text = &list_path},
                               {"model", .text = &name},
                               {"patience", .number = &patience, .least = 1, .most = 3600},
                               {"json", .yes = &json},
                               {0}};
    int exit_code, first = load_flags("etna-worker doctor", argc, argv, flags, help, &exit_code);
    if (!first) return exit_code;
    if (first != argc || !list_path || !name) return load_usage("doctor wants --list and --model");
    etna_error err = {0};
    etna_arena arena = ETNA_ARENA_INIT;
    models list;
    const models_model *model = NULL;
    consultation c = {.patience_ms = 1000 * patience};
    etna_code code = doctor_read_list(list_path, name, &arena, &list, &model, &err);
    if (code == ETNA_OK) {
        exam_begin(&c.exam, &list, model);
        code = model_consult(&c, &err);
    }
    exit_code = code == ETNA_OK ? 0 : load_report(&err);
    if (code == ETNA_OK && json) exit_code = findings_print_json(&c);
    if (code == ETNA_OK && !json) {
        findings_print(&c);
        exit_code = load_printed(exam_is_passed(&c.exam) ? 0 : 1);
    }
    exam_free(&c.exam);
    etna_arena_free(&arena);
    return exit_code;
}
