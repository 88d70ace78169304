/* `etna-worker doctor`: asks a model the six questions of exam.h over its own
 * wire, one after another, and tells what the answers show. `etna doctor` gives
 * it the model's part of the list. */
#include "worker/cli/cli.h"
#include "worker/cli/consult.h"
#include "worker/cli/exam.h"
#include "worker/cli/load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: etna-worker doctor --list FILE --model NAME [--patience S] [--json]\n"
    "FILE is a list of models as JSON, as a run carries it. See `etna doctor --help`.\n";

/* The questions, and the line on which they are asked. */
typedef struct consultation {
    exam exam;
    consult consult;
} consultation;

/* ---- one question ---- */

/* One question of the exam. No answer is a finding, not an error; only what is
 * wrong on our side ends the exam. */
static etna_code question_ask(consultation *c, exam_question q, etna_error *err)
{
    provider_image images[EXAM_PICTURES];
    model_request request;
    uint32_t count = 0;
    bool has_come = false;
    etna_arena arena = ETNA_ARENA_INIT;
    const provider_outcome *outcome = &c->consult.outcome;
    etna_code code =
        exam_ask(&c->exam, q, &arena, &request, images, &count, err);
    if (code == ETNA_OK)
        code =
            consult_ask(&c->consult, &request, images, &arena, &has_come, err);
    if (code == ETNA_OK && !has_come) {
        char words[128];
        snprintf(
            words, sizeof words,
            "no answer within %u s (--patience); is the model still being loaded?",
            c->consult.patience_ms / 1000);
        exam_miss(&c->exam, q, 0, NULL, words);
    } else if (code == ETNA_OK && outcome->end == PROVIDER_REPLY) {
        code = exam_hear(&c->exam, q, outcome, c->consult.ms, err);
    } else if (code == ETNA_OK) {
        exam_miss(&c->exam, q, c->consult.status, outcome->error_code,
                  outcome->text ? outcome->text : "no answer");
    } else if (code == ETNA_E_USAGE) { /* a header's variable, a URL */
        exam_miss(&c->exam, q, 0, NULL, err->text);
        code = ETNA_OK;
    }
    etna_arena_free(&arena);
    return code;
}

/* ---- telling ---- */

static const char *const mark_words[] = {"not asked", "ok", "odd", "BAD"};

/* Ends with the entry for models.yaml that fits what was found. */
static void findings_print(const consultation *c)
{
    exam_row rows[EXAM_ROWS];
    char *entry = exam_entry(&c->exam);
    char plain[600];
    exam_rows(&c->exam, rows);
    for (int i = 0; i < EXAM_ROWS; i++)
        printf("%-9s %-12s %s\n", mark_words[rows[i].finding->mark],
               rows[i].name,
               load_plain(rows[i].finding->words, plain, sizeof plain));
    for (uint32_t i = 0; i < c->consult.dropped.count; i++)
        printf(
            "%-9s %-12s the server refuses \"%s\", which is left out; take it out of the model's knobs\n",
            "odd", "parameters",
            load_plain(c->consult.dropped.names[i], plain, sizeof plain));
    printf("\nFor `models` in models.yaml:\n%s\n", entry ? entry : "");
    free(entry);
}

static int findings_print_json(const consultation *c)
{
    exam_row rows[EXAM_ROWS];
    char *entry = exam_entry(&c->exam);
    json_t *findings = json_object();
    json_t *dropped = json_array();
    exam_rows(&c->exam, rows);
    for (int i = 0; i < EXAM_ROWS; i++)
        json_object_set_new(findings, rows[i].name,
                            json_pack("{s:s, s:s}", "mark",
                                      mark_words[rows[i].finding->mark],
                                      "words", rows[i].finding->words));
    for (uint32_t i = 0; i < c->consult.dropped.count; i++)
        json_array_append_new(dropped,
                              json_string(c->consult.dropped.names[i]));
    json_t *whole =
        json_pack("{s:s, s:b, s:o, s:o, s:s?, s:I, s:I, s:I}", "model",
                  c->exam.model->name, "passed", exam_is_passed(&c->exam),
                  "findings", findings, "refused_parameters", dropped, "entry",
                  entry, "tokens_in", (json_int_t)c->exam.usage.tokens_in,
                  "tokens_out", (json_int_t)c->exam.usage.tokens_out,
                  "cost_micros", (json_int_t)c->exam.usage.cost_micros);
    free(entry);
    return load_print("etna-doctor-1", whole, exam_is_passed(&c->exam) ? 0 : 1);
}

/* ---- the command ---- */

/* What there is to tell lives until consultation_end. */
static etna_code consultation_hold(consultation *c,
                                   const models *list,
                                   const models_model *model,
                                   uint32_t patience,
                                   etna_error *err)
{
    exam_begin(&c->exam, list, model);
    etna_code code =
        consult_open(&c->consult, list, model, 1000 * patience, err);
    for (int q = 0; q < EXAM_QUESTIONS && code == ETNA_OK; q++) {
        if (exam_wants(&c->exam, (exam_question)q))
            code = question_ask(c, (exam_question)q, err);
    }
    exam_finish(&c->exam);
    return code;
}

static int consultation_tell(const consultation *c, bool json)
{
    if (json)
        return findings_print_json(c);
    findings_print(c);
    return load_printed(exam_is_passed(&c->exam) ? 0 : 1);
}

static void consultation_end(consultation *c)
{
    consult_close(&c->consult);
    exam_free(&c->exam);
}

int worker_cmd_doctor(int argc, char **argv)
{
    const char *list_path = NULL, *name = NULL;
    uint32_t patience = 120;
    bool json = false;
    const flags_row flags[] = {
        {"list", .text = &list_path},
        {"model", .text = &name},
        {"patience", .number = &patience, .least = 1, .most = 3600},
        {"json", .yes = &json},
        {0}};
    int exit_code;
    int first =
        load_flags("etna-worker doctor", argc, argv, flags, help, &exit_code);
    if (!first)
        return exit_code;
    if (first != argc || !list_path || !name)
        return load_usage("doctor wants --list and --model");
    etna_error err = {0};
    etna_arena arena = ETNA_ARENA_INIT;
    models list;
    const models_model *model = NULL;
    consultation c = {0};
    etna_code code =
        consult_read_list(list_path, name, &arena, &list, &model, &err);
    if (code == ETNA_OK) {
        code = consultation_hold(&c, &list, model, patience, &err);
        if (code == ETNA_OK)
            exit_code = consultation_tell(&c, json);
        consultation_end(&c);
    }
    if (code != ETNA_OK)
        exit_code = load_report(&err);
    etna_arena_free(&arena);
    return exit_code;
}
