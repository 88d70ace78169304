/* See exam.h: the answers, and what follows from them. */
#include "worker/agents/arguments.h"
#include "worker/agents/block.h"
#include "worker/agents/evaluator.h"
#include "worker/agents/executor.h"
#include "worker/agents/names.h"
#include "worker/agents/spoken.h"
#include "worker/cli/exam_internal.h"
#include "worker/serve/chat.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const double near = 0.06; /* of the picture: a disc's radius */

static const char *const kind_names[COORDINATES_COUNT] = {
    "unknown", "shares",  "thousandths",
    "pixels",  "percent", "thousandths_y_first"};

/* The last one counts. */
__attribute__((format(printf, 3, 4))) static void finding_set(
    exam_finding *f, exam_mark mark, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    f->mark = mark;
    vsnprintf(f->words, sizeof f->words, format, args);
    va_end(args);
}

/* ---- places ---- */

/* The coordinate of the only CloseToPix of constraints. */
static bool point_take(const char *constraints, double ret[2])
{
    json_t *rows = json_loads(constraints, 0, NULL);
    json_t *row;
    size_t i;
    bool found = false;
    json_array_foreach(rows, i, row)
    {
        const char *name = json_string_value(json_array_get(row, 0));
        const json_t *point = json_array_get(row, 2);
        if (!name || strcmp(name, "CloseToPix") != 0)
            continue;
        ret[0] = json_number_value(json_array_get(point, 0));
        ret[1] = json_number_value(json_array_get(point, 1));
        found = true;
    }
    json_decref(rows);
    return found;
}

typedef struct place { /* as a counter of one kind would mean it */
    double at[2], away;
    /* the one it was tried as, or the only one that the numbers can be */
    uint32_t kind;
    bool is_certain;
} place;

/* The place in the answer and how far it is from the truth (shares of the
 * picture). is_certain: the answer itself shows what it counts in. */
static bool place_read(const exam *x,
                       exam_question q,
                       const char *text,
                       uint32_t kind,
                       etna_arena *arena,
                       place *ret)
{
    picture_scale scale = {.known = kind};
    executor_result told;
    const exam_truth *truth = &exam_truths[q];
    exam_size(x, q, &scale.width, &scale.height);
    if (executor_read(text, &scale, arena, &told, NULL) != ETNA_OK ||
        !point_take(told.constraints, ret->at))
        return false;
    ret->is_certain = scale.found != COORDINATES_UNKNOWN;
    ret->kind = ret->is_certain ? scale.found : kind;
    ret->away = hypot(ret->at[0] - truth->x, ret->at[1] - truth->y);
    return true;
}

/* Reads the answer in every kind of coordinates and takes the kind whose point
 * is nearest to the disc. Where all kinds give the same point and the text names
 * none, the numbers were shares of the picture. */
static void place_hear(exam *x,
                       exam_question q,
                       const char *text,
                       etna_arena *arena)
{
    uint32_t which = q == EXAM_SIGHT ? 0 : 1;
    uint32_t count = 0;
    place tried[COORDINATES_COUNT], *best = tried;
    bool are_shares = true;
    for (uint32_t kind = COORDINATES_THOUSANDTHS; kind < COORDINATES_COUNT;
         kind++) {
        if (!place_read(x, q, text, kind, arena, &tried[count]))
            continue;
        place *now = &tried[count++];
        bool is_first =
            now->at[0] == tried[0].at[0] && now->at[1] == tried[0].at[1];
        are_shares = are_shares && is_first && !now->is_certain;
        if (now->away < best->away)
            best = now;
    }
    if (!count)
        return;
    x->away[which] = best->away;
    if (best->away > near)
        return;
    x->kind[which] =
        are_shares && count > 1 ? (uint32_t)COORDINATES_SHARES : best->kind;
}

/* ---- marks, tools ---- */

/* Whether instructions are found between marks, and in our spelling. */
static etna_code marks_hear(exam *x,
                            const char *text,
                            etna_arena *arena,
                            etna_error *err)
{
    plain p;
    block b;
    etna_code code = plain_make(text, arena, &p, err);
    if (code != ETNA_OK)
        return code;
    bool found = block_find(&p, BLOCK_INSTRUCTION, &b, NULL) == ETNA_OK;
    bool has_words = found && memmem(b.text, b.size, "cup on the tray", 15);
    if (!has_words) {
        finding_set(
            &x->marks, EXAM_BAD,
            "the instruction can't be found between marks in \"%.120s\": runs with it end suspended",
            text);
    } else if (strstr(text, "[updated_instruction]\n") &&
               strstr(text, "[end of updated_instruction]")) {
        finding_set(&x->marks, EXAM_GOOD, "as they were asked for");
    } else {
        finding_set(&x->marks, EXAM_ODD,
                    "in a spelling of its own, which is read");
    }
    return ETNA_OK;
}

/* Keeps the call for the next question. */
static bool call_keep(exam *x, const model_part *call, const model_turn *turn)
{
    const char *id = call->tool_id && *call->tool_id ? call->tool_id : "call_1";
    x->call = (model_part){.kind = MODEL_TOOL_CALL,
                           .text = etna_arena_strdup(&x->kept, call->text),
                           .tool_name = exam_tool.name,
                           .tool_id = etna_arena_strdup(&x->kept, id)};
    if (turn && turn->json)
        x->turn = (model_turn){etna_arena_strdup(&x->kept, turn->json),
                               etna_arena_strdup(&x->kept, turn->of)};
    x->has_call = x->call.text && x->call.tool_id;
    return x->has_call;
}

/* The call of the tool that was asked for, as a call or, where there is none,
 * in the text; NULL: neither. */
static etna_code exam_call_find(exam *x,
                                const model_reply *reply,
                                etna_arena *arena,
                                const model_part **ret,
                                etna_error *err)
{
    model_part *spoken = NULL;
    uint32_t count = 0;
    x->call_as_text = false;
    for (uint32_t i = 0; i < reply->call_count; i++) {
        *ret = &reply->calls[i];
        if (arguments_tool(reply->calls[i].tool_name, 1, &exam_tool))
            return ETNA_OK;
    }
    x->call_as_text = true;
    etna_code code =
        spoken_calls(reply->text, 1, &exam_tool, arena, &spoken, &count, err);
    *ret = code == ETNA_OK && count ? &spoken[0] : NULL;
    return code;
}

/* A call as text is read as well, but is a sign of a server without a
 * parser. */
static etna_code call_hear(exam *x,
                           const model_reply *reply,
                           etna_arena *arena,
                           etna_error *err)
{
    const model_part *call = NULL;
    etna_code code = exam_call_find(x, reply, arena, &call, err);
    if (code != ETNA_OK)
        return code;
    if (!call) {
        finding_set(
            &x->tools, EXAM_BAD,
            "none is called: it answers \"%.120s\". Is tool calling switched on where it is served? Without it: "
            "--ablation no-mcp-tools",
            reply->text);
        return ETNA_OK;
    }
    if (!call_keep(x, call, x->call_as_text ? NULL : &reply->turn))
        return etna_fail(err, ETNA_E_NOMEM, "out of memory");
    if (x->call_as_text) {
        finding_set(
            &x->tools, EXAM_ODD,
            "called in the text, which is read; its server has no parser for them switched on");
    } else {
        finding_set(&x->tools, EXAM_GOOD, "called");
    }
    return ETNA_OK;
}

/* The plane's name can only be known from the tool's answer. */
static void result_hear(exam *x, const char *text, etna_arena *arena)
{
    picture_scale scale = {.known = COORDINATES_SHARES};
    executor_result told;
    etna_error err = {0};
    if (executor_read(text, &scale, arena, &told, &err) != ETNA_OK) {
        finding_set(&x->results, EXAM_BAD,
                    "the constraints can't be read: %.200s", err.text);
    } else if (!names_mean(told.plane, EXAM_PLANE)) {
        finding_set(
            &x->results, EXAM_BAD,
            "it does not use what a tool answers: it wrote the plane \"%.60s\" for \"%s\"",
            told.plane, EXAM_PLANE);
    } else {
        finding_set(&x->results, EXAM_GOOD, "used in the answer");
    }
}

/* Verdict and number of pictures in one question. */
static void many_hear(exam *x, const char *text, etna_arena *arena)
{
    evaluator_result told;
    etna_error err = {0};
    if (evaluator_read(text, arena, &told, &err) != ETNA_OK) {
        finding_set(&x->verdict, EXAM_BAD, "can't be read: %.200s", err.text);
    } else if (told.verdict != VERDICT_GOOD) {
        finding_set(&x->verdict, EXAM_BAD,
                    "another word than the one that was asked for");
    } else {
        finding_set(&x->verdict, EXAM_GOOD, "read");
    }
    if (strcasestr(text, "yellow")) {
        finding_set(&x->pictures, EXAM_GOOD, "%d in one request are seen",
                    EXAM_PICTURES);
    } else {
        finding_set(
            &x->pictures, EXAM_ODD,
            "the last of %d in one request is not seen: it is safer to send fewer (images_max)",
            EXAM_PICTURES);
        x->images_max = EXAM_PICTURES / 2;
    }
}

/* ---- in and out ---- */

/* For the summary and the pace. */
static void usage_add(exam *x,
                      exam_question q,
                      const provider_outcome *outcome,
                      uint64_t ms)
{
    const message_usage *u = &outcome->reply.usage;
    x->answers++;
    x->guessed += outcome->usage_guessed;
    x->usage.calls++;
    x->usage.tokens_in += u->tokens_in;
    x->usage.tokens_out += u->tokens_out;
    x->usage.cost_micros += u->cost_micros;
    x->tokens_in[q] = u->tokens_in;
    if (ms > x->slowest_ms)
        x->slowest_ms = ms;
}

/* Puts what an answer shows into the findings. */
etna_code exam_hear(exam *x,
                    exam_question q,
                    const provider_outcome *outcome,
                    uint64_t ms,
                    etna_error *err)
{
    etna_arena arena = ETNA_ARENA_INIT;
    const model_reply *reply = &outcome->reply;
    const char *text = reply->text ? reply->text : "";
    etna_code code = ETNA_OK;
    if (q == EXAM_MARKS && !*text && !reply->call_count) {
        finding_set(
            &x->reach, EXAM_BAD,
            "its first answer holds no text: is this the wire that it speaks?");
        return ETNA_OK;
    }
    usage_add(x, q, outcome, ms);
    switch (q) {
    case EXAM_MARKS: code = marks_hear(x, text, &arena, err); break;
    case EXAM_TOOL: code = call_hear(x, reply, &arena, err); break;
    case EXAM_RESULT: result_hear(x, text, &arena); break;
    case EXAM_MANY: many_hear(x, text, &arena); break;
    default: place_hear(x, q, text, &arena); break;
    }
    etna_arena_free(&arena);
    return code;
}

/* No answer, or a refusal: which finding that is depends on the question. */
void exam_miss(exam *x,
               exam_question q,
               uint32_t status,
               const char *error_code,
               const char *why)
{
    /* it answers, but not that */
    bool is_refused = status >= 400 && status < 500 && x->answers > 0;
    bool is_own = error_code && strcmp(error_code, CHAT_NO_TASK) == 0;
    if (is_own) {
        finding_set(
            &x->reach, EXAM_BAD,
            "this is etna serve-builtin: no model, and it sees nothing but what --facts on sends, so there is nothing "
            "to examine");
    } else if (!is_refused) {
        finding_set(&x->reach, EXAM_BAD, "%.350s", why);
    } else if (q == EXAM_SIGHT || q == EXAM_PLACE) {
        finding_set(
            &x->vision, EXAM_BAD,
            "it takes no picture: %.200s. Name a model with eyes; this one can only be a --reader",
            why);
    } else if (q == EXAM_TOOL) {
        finding_set(
            &x->tools, EXAM_BAD,
            "it takes none: %.200s. Switch tool calling on where it is served, or --ablation "
            "no-mcp-tools",
            why);
    } else if (q == EXAM_RESULT) {
        finding_set(&x->results, EXAM_BAD, "refused: %.300s", why);
    } else if (q == EXAM_MANY) {
        finding_set(
            &x->pictures, EXAM_ODD,
            "%d in one request are refused: %.200s. Send fewer (images_max)",
            EXAM_PICTURES, why);
        x->images_max = 1;
    } else {
        finding_set(&x->marks, EXAM_BAD, "%.350s", why);
    }
}

/* ---- all of it ---- */

/* From both questions about places. */
static void coordinates_conclude(exam *x)
{
    uint32_t kind = x->kind[0] ? x->kind[0] : x->kind[1];
    bool always = x->kind[0] && x->kind[1];
    if (always && x->kind[0] != x->kind[1]) {
        finding_set(&x->coordinates, EXAM_ODD,
                    "%s at first, then %s: each answer is read by itself",
                    kind_names[x->kind[0]], kind_names[x->kind[1]]);
        x->kind[0] = x->kind[1] = COORDINATES_UNKNOWN;
    } else if (kind == COORDINATES_SHARES) {
        finding_set(&x->coordinates, EXAM_GOOD,
                    "shares, 0 to 1, as it is asked to");
    } else {
        finding_set(
            &x->coordinates, EXAM_ODD,
            "%s, though 0 to 1 is asked for: they are converted (coordinates: %s)",
            kind_names[kind], kind_names[kind]);
    }
}

/* Nothing where it was already told that it takes no pictures. */
static void sight_conclude(exam *x)
{
    double *away = x->away;
    if (x->vision.mark == EXAM_BAD || x->reach.mark == EXAM_BAD)
        return;
    if (away[0] < 0 && away[1] < 0) {
        finding_set(&x->vision, EXAM_BAD,
                    "no place could be read in its answers about pictures");
        return;
    }
    double worst = away[0] > away[1] ? away[0] : away[1];
    if (!x->kind[0] && !x->kind[1]) {
        finding_set(
            &x->vision, EXAM_BAD,
            "it points %.0f %% of the picture beside what was asked for, whatever its numbers count: does it get pictures at all?",
            100 * worst);
        return;
    }
    if (x->kind[0] && x->kind[1])
        finding_set(
            &x->vision, EXAM_GOOD,
            "two of two places are found, within %.1f %% of the picture",
            100 * worst);
    else
        finding_set(
            &x->vision, EXAM_ODD,
            "one of two places is wrong or can't be read; evaluators will refuse many edits");
    coordinates_conclude(x);
}

/* Tokens of the pictures: what EXAM_SIGHT took more than EXAM_MARKS, whose
 * words are about as many. */
static void price_conclude(exam *x)
{
    const models_model *m = x->model;
    bool has_price = m->price_in || m->price_out;
    char money[64] = "";
    if (!x->answers)
        return;
    long picture =
        (long)x->tokens_in[EXAM_SIGHT] - (long)x->tokens_in[EXAM_MARKS];
    if (has_price)
        snprintf(money, sizeof money, ", %.6f %s by the list",
                 (double)x->usage.cost_micros / 1e6, x->list.currency);
    if (x->guessed) {
        finding_set(
            &x->price, EXAM_ODD,
            "%u of %u answers tell no usage: tokens are estimated, and --max-cost with them",
            x->guessed, x->answers);
    } else if (!has_price) {
        finding_set(
            &x->price, EXAM_ODD,
            "%llu tokens in, %llu out, about %ld for a picture of 800 x 600; the list has no price: --max-cost can't hold",
            (unsigned long long)x->usage.tokens_in,
            (unsigned long long)x->usage.tokens_out, picture);
    } else {
        finding_set(
            &x->price, EXAM_GOOD,
            "%llu tokens in, %llu out%s; about %ld for a picture of 800 x 600",
            (unsigned long long)x->usage.tokens_in,
            (unsigned long long)x->usage.tokens_out, money, picture);
    }
}

/* What follows from several answers together. */
void exam_finish(exam *x)
{
    if (x->reach.mark != EXAM_BAD && x->answers)
        finding_set(&x->reach, EXAM_GOOD,
                    "%u answers, the slowest after %.1f s", x->answers,
                    (double)x->slowest_ms / 1000);
    sight_conclude(x);
    price_conclude(x);
}

/* In the order in which they are told. */
void exam_rows(const exam *x, exam_row ret[EXAM_ROWS])
{
    const exam_row rows[EXAM_ROWS] = {
        {"server", &x->reach},     {"marks", &x->marks},
        {"vision", &x->vision},    {"coordinates", &x->coordinates},
        {"tool calls", &x->tools}, {"tool results", &x->results},
        {"verdict", &x->verdict},  {"pictures", &x->pictures},
        {"price", &x->price}};
    memcpy(ret, rows, sizeof rows);
}

/* Without an answer nothing is. */
bool exam_is_passed(const exam *x)
{
    exam_row rows[EXAM_ROWS];
    exam_rows(x, rows);
    for (int i = 0; i < EXAM_ROWS; i++) {
        if (rows[i].finding->mark == EXAM_BAD)
            return false;
    }
    return x->answers > 0;
}

/* ---- the entry ---- */

/* 0 is what the list would take anyway. */
static void entry_put_number(json_t *entry, const char *name, uint64_t value)
{
    if (value)
        json_object_set_new(entry, name, json_integer((json_int_t)value));
}

/* In the list's own form: units for a million tokens. */
static json_t *price_tell(const models_model *m)
{
    json_t *price = json_pack("{s:f, s:f}", "in", (double)m->price_in / 1e6,
                              "out", (double)m->price_out / 1e6);
    if (price && m->price_cached)
        json_object_set_new(price, "cached",
                            json_real((double)m->price_cached / 1e6));
    if (price && m->price_written)
        json_object_set_new(price, "written",
                            json_real((double)m->price_written / 1e6));
    return price;
}

/* What stands in the list and is no question of this exam. */
static void entry_put_rest(json_t *entry, const models_model *m)
{
    static const char *const roles[MODELS_ROLES] = {NULL, "planner", "executor",
                                                    "evaluator", "judge"};
    json_t *sides = json_object();
    json_t *knobs = json_object();
    for (uint32_t i = 1; sides && i < MODELS_ROLES; i++)
        entry_put_number(sides, roles[i], m->image_side[i]);
    for (uint32_t i = 0; knobs && i < m->knob_count; i++)
        json_object_set_new(
            knobs, m->knobs[i].name,
            json_loads(m->knobs[i].value, JSON_DECODE_ANY, NULL));
    if (json_object_size(sides))
        json_object_set(entry, "image_side", sides);
    if (json_object_size(knobs))
        json_object_set(entry, "knobs", knobs);
    if (m->system_role)
        json_object_set_new(entry, "system_role", json_string(m->system_role));
    if (m->token_field)
        json_object_set_new(entry, "token_field", json_string(m->token_field));
    json_decref(sides);
    json_decref(knobs);
}

/* A line for models.yaml; NULL: out of memory. The caller frees it. */
char *exam_entry(const exam *x)
{
    const models_model *m = x->model;
    uint32_t kind = x->kind[0] ? x->kind[0] : x->kind[1];
    json_t *entry = json_pack("{s:s, s:s}", "endpoint",
                              x->list.endpoints[m->endpoint].name, "id", m->id);
    if (kind == COORDINATES_UNKNOWN)
        kind = m->coordinates;
    if (entry && (m->price_in || m->price_out))
        json_object_set_new(entry, "price", price_tell(m));
    if (entry && kind)
        json_object_set_new(entry, "coordinates",
                            json_string(kind_names[kind]));
    entry_put_number(entry, "context_tokens", m->context_tokens);
    entry_put_number(entry, "output_tokens", m->output_tokens);
    entry_put_number(entry, "images_max",
                     x->images_max ? x->images_max : m->images_max);
    entry_put_number(entry, "image_quality", m->image_quality);
    if (entry)
        entry_put_rest(entry, m);
    if (entry && m->fallback)
        json_object_set_new(entry, "fallback", json_string(m->fallback));
    char *flow = entry ? json_dumps(entry, JSON_REAL_PRECISION(12)) : NULL;
    char *line = NULL;
    json_decref(entry);
    if (flow && asprintf(&line, "  %s: %s", m->name, flow) < 0)
        line = NULL;
    free(flow);
    return line;
}
