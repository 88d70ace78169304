/* See assets_ask.h. */
#include "worker/cli/assets_ask.h"
#include "proto/canon.h"
#include "worker/assets/vectors.h"
#include "worker/cli/load.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* As proto/models.h: millionths of the list's currency. */
etna_code ask_read_cost(const char *name,
                        const char *value,
                        void *into,
                        etna_error *err)
{
    double cost;
    uint64_t *micros = into;
    bool is_read = load_numbers(value, ',', 1, &cost);
    if (!is_read || !(cost > 0 && cost <= 1e9))
        return etna_fail(
            err, ETNA_E_USAGE,
            "--%s wants money in the list's currency, as 0.50, not \"%.60s\"",
            name, value);
    *micros = (uint64_t)ceil(cost * 1e6);
    return ETNA_OK;
}

etna_code ask_open(ask *a,
                   shelf *s,
                   const ask_options *options,
                   const char *what,
                   const char *name,
                   ask_used *used,
                   etna_error *err)
{
    *a = (ask){
        .shelf = s, .options = options, .used = used, .kept = ETNA_ARENA_INIT};
    if (!options->list)
        return etna_fail(err, ETNA_E_USAGE,
                         "--%s: which list of models? `etna assets` gives it",
                         what);
    etna_code code = consult_read_list(options->list, name, &a->kept, &a->list,
                                       &a->model, err);
    return code == ETNA_OK ? code : etna_error_prefix(err, "--%s", what);
}

void ask_close(ask *a)
{
    if (a->is_open)
        consult_close(&a->consult);
    etna_arena_free(&a->kept);
    *a = (ask){.is_open = false};
}

/* ---- the journal ---- */

/* What stands there while a call is under way. No answer has this key, though
 * both are rows of one table. */
static etna_hash begun_key(const ask *a, const etna_hash *call)
{
    const etna_hash parts[2] = {
        etna_hash_bytes(a->model->id, strlen(a->model->id)), *call};
    return etna_hash_bytes(parts, sizeof parts);
}

static uint64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

/* A call of the same texts that was begun by a command that ended without its
 * answer. Nobody knows whether it was paid, so this command's cap bears it. */
static etna_code begun_find(ask *a, const etna_hash *key, etna_error *err)
{
    etna_arena arena = ETNA_ARENA_INIT;
    const uint8_t *data = NULL;
    size_t size = 0;
    etna_code code = shelf_get_reply(a->shelf, key, &arena, &data, &size, err);
    if (code == ETNA_OK) {
        canon_reader r = canon_read(data, size);
        a->used->lost++;
        a->used->lost_micros += canon_get_u64(&r);
    }
    etna_arena_free(&arena);
    return code == ETNA_E_NOTFOUND ? ETNA_OK : code;
}

/* Is there money for it? What was lost counts as spent. The cost is held
 * against what is left, as a sum of both may overflow. */
static etna_code cap_check(const ask *a, uint64_t cost, etna_error *err)
{
    const uint64_t spent = a->used->cost_micros + a->used->lost_micros;
    const uint64_t cap = a->options->cap_micros;
    if (!cap || (spent <= cap && cost <= cap - spent))
        return ETNA_OK;
    return etna_fail(
        err, ETNA_E_LIMIT,
        "--max-cost: %.6f %s are spent, and the next call may cost %.6f; what was answered is kept, and the same command with more money goes on",
        (double)spent / 1e6, a->list.currency, (double)cost / 1e6);
}

/* On disk before the call leaves: a command that is killed while it waits
 * leaves word of what it may have spent. */
static etna_code call_begin(ask *a,
                            const etna_hash *key,
                            uint64_t cost,
                            etna_error *err)
{
    canon_writer w = {0};
    etna_code code = begun_find(a, key, err);
    if (code == ETNA_OK)
        code = cap_check(a, cost, err);
    canon_u64(&w, cost);
    if (code == ETNA_OK && w.failed)
        code = etna_fail(err, ETNA_E_NOMEM, "no memory for a call");
    const shelf_reply row = {*key, w.data, w.size};
    if (code == ETNA_OK)
        code = shelf_put_replies(a->shelf, &row, 1, err);
    canon_writer_free(&w);
    return code;
}

/* ---- one call ---- */

/* The line is opened by the first call, and calls keep the endpoint's pace. It
 * counts as open before it is: what failed to open is to be closed, too. */
static etna_code line_open(ask *a, etna_error *err)
{
    const models_endpoint *e = &a->list.endpoints[a->model->endpoint];
    if (!a->is_open) {
        a->is_open = true;
        etna_code code = consult_open(&a->consult, &a->list, a->model,
                                      1000 * a->options->patience, err);
        if (code != ETNA_OK)
            return code;
    }
    uint64_t now = now_ms();
    if (now < a->next_ms) {
        const uint64_t wait = a->next_ms - now;
        const struct timespec t = {(time_t)(wait / 1000),
                                   (long)(wait % 1000) * 1000000};
        nanosleep(&t, NULL);
    }
    uint64_t gap = e->requests_per_minute ? 60000 / e->requests_per_minute : 0;
    a->next_ms = now_ms() + gap;
    return ETNA_OK;
}

/* What came is counted; what did not is an error that says why. What the
 * server refused unpaid is as if it had not been begun. */
static etna_code call_end(ask *a,
                          bool has_come,
                          const etna_hash *begun,
                          uint64_t cost,
                          etna_error *err)
{
    const provider_outcome *o = &a->consult.outcome;
    char plain[600];
    if (has_come && o->end == PROVIDER_REPLY) {
        a->used->calls++;
        a->used->tokens_in += o->reply.usage.tokens_in;
        a->used->tokens_out += o->reply.usage.tokens_out;
        a->used->cost_micros += o->reply.usage.cost_micros;
        return ETNA_OK;
    }
    bool is_lost = !has_come || o->lost;
    const shelf_reply unpaid = {.key = *begun};
    a->used->lost += is_lost;
    a->used->lost_micros += is_lost ? cost : 0;
    if (!is_lost && shelf_put_replies(a->shelf, &unpaid, 1, err) != ETNA_OK)
        return err->code;
    if (!has_come)
        return etna_fail(err, ETNA_E_IO,
                         "model %.80s: no answer within %u s (--patience)",
                         a->model->name, a->options->patience);
    return etna_fail(
        err, ETNA_E_IO, "model %.80s: %s", a->model->name,
        load_plain(o->text ? o->text : "no answer", plain, sizeof plain));
}

/* ---- vectors ---- */

/* Of the texts those without a vector, each once; `ret` has room for all. A row
 * that is damaged counts as none and is asked for anew. */
static etna_code vectors_lacking(ask *a,
                                 const char *const *texts,
                                 uint32_t count,
                                 const char **ret,
                                 uint32_t *ret_count,
                                 etna_error *err)
{
    etna_code code = ETNA_OK;
    *ret_count = 0;
    for (uint32_t i = 0; code == ETNA_OK && i < count; i++) {
        etna_arena arena = ETNA_ARENA_INIT;
        const etna_hash key = vectors_key(a->model->id, texts[i]);
        const uint8_t *data = NULL;
        size_t size = 0;
        vector v;
        bool is_twice = false;
        for (uint32_t k = 0; k < *ret_count && !is_twice; k++)
            is_twice = strcmp(ret[k], texts[i]) == 0;
        if (is_twice)
            continue;
        code = shelf_get_reply(a->shelf, &key, &arena, &data, &size, err);
        bool is_there = code == ETNA_OK && vector_open(data, size, &v);
        a->used->kept += is_there;
        if (!is_there && (code == ETNA_OK || code == ETNA_E_NOTFOUND)) {
            ret[(*ret_count)++] = texts[i];
            code = ETNA_OK;
        }
        etna_arena_free(&arena);
    }
    return code;
}

/* All that came, and the end of the call, are one commit. */
static etna_code vectors_keep(ask *a,
                              const embed_texts *texts,
                              const embed_vectors *v,
                              const etna_hash *begun,
                              etna_error *err)
{
    shelf_reply rows[EMBED_TEXTS_MAX + 1] = {{.key = *begun}};
    uint8_t *bytes[EMBED_TEXTS_MAX] = {NULL};
    etna_code code = ETNA_OK;
    for (uint32_t i = 0; code == ETNA_OK && i < texts->count; i++) {
        shelf_reply *r = &rows[i + 1];
        r->key = vectors_key(a->model->id, texts->texts[i]);
        code = vector_encode(v->at + (size_t)i * v->dimensions, v->dimensions,
                             &bytes[i], &r->size, err);
        r->data = bytes[i];
    }
    if (code == ETNA_OK)
        code = shelf_put_replies(a->shelf, rows, texts->count + 1, err);
    for (uint32_t i = 0; i < texts->count; i++)
        free(bytes[i]);
    return code;
}

/* A chain of the texts' own hashes: neither their order nor where one ends can
 * be mistaken. */
static etna_hash texts_hash(const char *const *texts, uint32_t count)
{
    etna_hash all = {{0}};
    for (uint32_t i = 0; i < count; i++) {
        const etna_hash parts[2] = {
            all, etna_hash_bytes(texts[i], strlen(texts[i]))};
        all = etna_hash_bytes(parts, sizeof parts);
    }
    return all;
}

etna_code ask_vectors(ask *a,
                      const char *const *texts,
                      uint32_t count,
                      etna_error *err)
{
    const char *lacking[EMBED_TEXTS_MAX];
    embed_texts asked = {.texts = lacking};
    embed_vectors came = {0};
    bool has_come = false;
    etna_arena arena = ETNA_ARENA_INIT;
    etna_code code =
        vectors_lacking(a, texts, count, lacking, &asked.count, err);
    if (code != ETNA_OK || !asked.count)
        return code;
    const etna_hash call = texts_hash(lacking, asked.count);
    const etna_hash begun = begun_key(a, &call);
    const uint64_t cost = embed_estimate(a->model, &asked).cost_micros;
    code = call_begin(a, &begun, cost, err);
    if (code == ETNA_OK)
        code = line_open(a, err);
    if (code == ETNA_OK)
        code =
            consult_embed(&a->consult, &asked, &arena, &has_come, &came, err);
    if (code == ETNA_OK)
        code = call_end(a, has_come, &begun, cost, err);
    if (code == ETNA_OK)
        code = vectors_keep(a, &asked, &came, &begun, err);
    etna_arena_free(&arena);
    return code;
}

/* ---- words ---- */

/* The answer, and the end of the call, are one commit. */
static etna_code words_keep(ask *a,
                            const etna_hash *key,
                            const etna_hash *begun,
                            const char *words,
                            etna_error *err)
{
    const shelf_reply rows[2] = {
        {.key = *begun},
        {.key = *key, .data = (const uint8_t *)words, .size = strlen(words)}};
    return shelf_put_replies(a->shelf, rows, 2, err);
}

/* Nothing is kept of what was no reply: the next command asks again. */
static etna_code words_call(ask *a,
                            const model_request *request,
                            const provider_image *images,
                            const etna_hash *key,
                            etna_arena *arena,
                            const char **ret,
                            etna_error *err)
{
    const etna_hash begun = begun_key(a, key);
    const uint64_t cost =
        provider_estimate(&a->list, a->model, request).cost_micros;
    bool has_come = false;
    etna_code code = call_begin(a, &begun, cost, err);
    if (code == ETNA_OK)
        code = line_open(a, err);
    if (code == ETNA_OK)
        code = consult_ask(&a->consult, request, images, arena, &has_come, err);
    if (code == ETNA_OK)
        code = call_end(a, has_come, &begun, cost, err);
    if (code != ETNA_OK)
        return code;
    *ret = a->consult.outcome.reply.text;
    return words_keep(a, key, &begun, *ret, err);
}

/* What was answered to that before. ETNA_E_NOTFOUND. */
static etna_code words_recall(ask *a,
                              const etna_hash *key,
                              etna_arena *arena,
                              const char **ret,
                              etna_error *err)
{
    const uint8_t *data = NULL;
    size_t size = 0;
    etna_code code = shelf_get_reply(a->shelf, key, arena, &data, &size, err);
    if (code != ETNA_OK)
        return code;
    a->used->kept++;
    *ret = etna_arena_strndup(arena, (const char *)data, size);
    return *ret ? ETNA_OK
                : etna_fail(err, ETNA_E_NOMEM, "no memory for a reply");
}

/* The first text of the key keeps these rows apart from vectors'. The system
 * message is in it, too: other instructions are another question. */
etna_code ask_words(ask *a,
                    const char *system,
                    const char *text,
                    etna_arena *arena,
                    const char **ret,
                    etna_error *err)
{
    const char *const told[] = {"words", a->model->id, system, text};
    const etna_hash key = texts_hash(told, 4);
    etna_code code = words_recall(a, &key, arena, ret, err);
    if (code != ETNA_E_NOTFOUND)
        return code;
    model_part parts[2] = {{.kind = MODEL_TEXT, .text = system},
                           {.kind = MODEL_TEXT, .text = text}};
    model_message messages[2] = {
        {.author = MODEL_SYSTEM, .part_count = 1, .parts = &parts[0]},
        {.author = MODEL_USER, .part_count = 1, .parts = &parts[1]}};
    const model_request request = {
        .model = a->model->name, .message_count = 2, .messages = messages};
    return words_call(a, &request, NULL, &key, arena, ret, err);
}

etna_code ask_picture(ask *a,
                      const char *system,
                      const char *text,
                      const provider_image *png,
                      uint32_t side,
                      etna_arena *arena,
                      const char **ret,
                      etna_error *err)
{
    const etna_hash picture = etna_hash_bytes(png->data, png->size);
    char digits[65];
    etna_hash_hex(&picture, digits);
    const char *const told[] = {"picture", a->model->id, system, text, digits};
    const etna_hash key = texts_hash(told, 5);
    etna_code code = words_recall(a, &key, arena, ret, err);
    if (code != ETNA_E_NOTFOUND)
        return code;
    model_part parts[3] = {
        {.kind = MODEL_TEXT, .text = system},
        {.kind = MODEL_TEXT, .text = text},
        {.kind = MODEL_IMAGE,
         .image = {.snapshot = picture, .width = side, .height = side}}};
    model_message messages[2] = {
        {.author = MODEL_SYSTEM, .part_count = 1, .parts = &parts[0]},
        {.author = MODEL_USER, .part_count = 2, .parts = &parts[1]}};
    const model_request request = {
        .model = a->model->name, .message_count = 2, .messages = messages};
    return words_call(a, &request, png, &key, arena, ret, err);
}

/* ---- telling ---- */

json_t *ask_json(const ask_used *used, const char *said)
{
    return json_pack("{s:I, s:I, s:I, s:I, s:f, s:I, s:f, s:s}", "calls",
                     (json_int_t)used->calls, "kept", (json_int_t)used->kept,
                     "tokens_in", (json_int_t)used->tokens_in, "tokens_out",
                     (json_int_t)used->tokens_out, "cost",
                     (double)used->cost_micros / 1e6, "lost_calls",
                     (json_int_t)used->lost, "lost_cost",
                     (double)used->lost_micros / 1e6, "vote", said);
}

void ask_tell(const ask_used *used)
{
    if (used->calls || used->kept)
        fprintf(stderr,
                "etna: %llu calls, %llu answers kept from before, cost %.6f\n",
                (unsigned long long)used->calls, (unsigned long long)used->kept,
                (double)used->cost_micros / 1e6);
    if (used->lost)
        fprintf(
            stderr,
            "etna: %llu calls were begun and no answer was kept; they may have been paid, cost %.6f\n",
            (unsigned long long)used->lost, (double)used->lost_micros / 1e6);
}
