/* See embed.h. */
#include "worker/provider/embed.h"
#include "worker/provider/provider_internal.h"
#include "worker/provider/provider_shape.h"

#include <math.h>
#include <string.h>

enum {
    /* as of plain English: for what a call may cost, and where the server tells
     * no usage */
    BYTES_A_TOKEN = 4
};

static const wire wire_embed = {.key_header = "authorization",
                                .key_prefix = "Bearer "};

/* ---- there ---- */

/* NULL: out of memory. A server that refuses `encoding_format` is asked again
 * without it (provider_dropped). */
static json_t *embed_body(const wire_writer *w, const embed_texts *texts)
{
    json_t *root = json_object();
    json_t *input = json_array();
    bool ok = root && input &&
              wire_put(root, "model", wire_text(w, w->model->id)) &&
              json_object_set(root, "input", input) == 0;
    for (uint32_t i = 0; ok && i < texts->count; i++)
        ok = wire_append(input, wire_text(w, texts->texts[i]));
    if (ok && !wire_is_dropped(w, "encoding_format"))
        ok = wire_put(root, "encoding_format", json_string("float"));
    ok = ok && wire_put_knobs(w, root, NULL, NULL);
    json_decref(input);
    if (ok)
        return root;
    json_decref(root);
    return NULL;
}

etna_code embed_write(const models *m,
                      const models_model *model,
                      const embed_texts *texts,
                      const provider_dropped *dropped,
                      etna_arena *arena,
                      provider_call *ret,
                      etna_error *err)
{
    const models_endpoint *endpoint = &m->endpoints[model->endpoint];
    const model_request none = {.model = model->name};
    const uint32_t first = 0; /* it has no parts */
    const wire_writer w = {.m = m,
                           .model = model,
                           .endpoint = endpoint,
                           .request = &none,
                           .dropped = dropped,
                           .arena = arena,
                           .first = &first};
    provider_call call = {0};
    bool has_call =
        endpoint->wire == MODELS_CHAT || endpoint->wire == MODELS_RESPONSES;
    if (!has_call)
        return etna_fail(
            err, ETNA_E_USAGE,
            "model %.80s: texts are embedded by /embeddings, which only endpoints of the wires chat and responses have",
            model->name);
    call.url = etna_arena_printf(arena, "%s/embeddings", endpoint->url);
    etna_code code =
        call.url
            ? wire_put_headers(&wire_embed, endpoint, &none, arena, &call, err)
            : etna_fail(err, ETNA_E_NOMEM,
                        "out of memory while writing a request to a model");
    if (code == ETNA_OK)
        code = wire_pieces(&w, embed_body(&w, texts), &call, err);
    if (code == ETNA_OK)
        *ret = call;
    return code;
}

/* ---- back ---- */

/* Numbers that say something: finite, and not all zero. */
static bool vector_take(const json_t *from, uint32_t dimensions, double *to)
{
    double most = 0;
    for (uint32_t i = 0; i < dimensions; i++) {
        const json_t *number = json_array_get(from, i);
        to[i] = json_number_value(number);
        if (!json_is_number(number) || !isfinite(to[i]))
            return false;
        most = fmax(most, fabs(to[i]));
    }
    /* squares of what is larger or smaller leave the numbers there are */
    return most > 1e-100 && most < 1e100;
}

/* The place of a vector among the texts: what it says, else its own. */
static uint32_t vector_place(const json_t *row, size_t i)
{
    const json_t *index = json_object_get(row, "index");
    json_int_t at =
        json_is_integer(index) ? json_integer_value(index) : (json_int_t)i;
    return at >= 0 && at < EMBED_TEXTS_MAX ? (uint32_t)at : EMBED_TEXTS_MAX;
}

/* False: it is no answer to so many texts, or there is no memory, which
 * *ret_lost tells. Rows may come in any order; `has` sees to it that each text
 * gets one vector and none gets two. */
static bool vectors_take(const json_t *root,
                         uint32_t count,
                         etna_arena *arena,
                         embed_vectors *ret,
                         bool *ret_lost)
{
    const json_t *rows = json_object_get(root, "data");
    const json_t *row;
    bool has[EMBED_TEXTS_MAX] = {false};
    size_t i;
    if (json_array_size(rows) != count || !count)
        return false;
    size_t dimensions =
        json_array_size(json_object_get(json_array_get(rows, 0), "embedding"));
    if (!dimensions || dimensions > EMBED_DIMENSIONS_MAX)
        return false;
    double *at = etna_arena_alloc(arena, dimensions * count, sizeof *at);
    *ret_lost = !at;
    json_array_foreach(rows, i, row)
    {
        const json_t *one = json_object_get(row, "embedding");
        uint32_t place = vector_place(row, i);
        bool fits = at && place < count && !has[place] &&
                    json_array_size(one) == dimensions;
        if (!fits ||
            !vector_take(one, (uint32_t)dimensions, at + place * dimensions))
            return false;
        has[place] = true;
    }
    *ret = (embed_vectors){(uint32_t)dimensions, at};
    return true;
}

message_usage embed_estimate(const models_model *model,
                             const embed_texts *texts)
{
    message_usage usage = {.calls = 1};
    for (uint32_t i = 0; i < texts->count; i++)
        usage.tokens_in += strlen(texts->texts[i]) / BYTES_A_TOKEN + 1;
    usage.cost_micros = models_cost_micros(model, &usage);
    return usage;
}

/* What the server tells it used, where that can be, else the estimate. */
static void usage_take(const json_t *root,
                       const models_model *model,
                       const embed_texts *texts,
                       provider_outcome *ret)
{
    message_usage *usage = &ret->reply.usage;
    usage->calls = 1;
    usage->tokens_in = wire_count_in(root, "usage", "prompt_tokens");
    if (!usage->tokens_in)
        usage->tokens_in = wire_count_in(root, "usage", "total_tokens");
    const message_usage estimate = embed_estimate(model, texts);
    ret->usage_guessed =
        !usage->tokens_in ||
        usage->tokens_in > provider_most_in(estimate.tokens_in, 0);
    if (ret->usage_guessed)
        *usage = estimate;
    usage->cost_micros = models_cost_micros(model, usage);
}

etna_code embed_read(const models *m,
                     const models_model *model,
                     const embed_texts *texts,
                     const provider_answer *answer,
                     etna_arena *arena,
                     provider_outcome *ret,
                     embed_vectors *ret_vectors,
                     etna_error *err)
{
    const model_request none = {.model = model->name};
    const wire_reader r = {.model = model,
                           .endpoint = &m->endpoints[model->endpoint],
                           .request = &none,
                           .arena = arena};
    provider_outcome out = {0};
    embed_vectors vectors = {0};
    bool good = answer->status >= 200 && answer->status < 300;
    bool lost = false;
    json_t *root = NULL;
    etna_code code = ETNA_OK;
    if (answer->size && answer->size <= PROVIDER_ANSWER_MAX)
        root = shape_parse((const char *)answer->body, answer->size);
    bool is_reply = good && !wire_has_error(root) &&
                    vectors_take(root, texts->count, arena, &vectors, &lost);
    if (lost) {
        code = etna_fail(err, ETNA_E_NOMEM,
                         "out of memory while reading a model's answer");
    } else if (is_reply) {
        out.end = PROVIDER_REPLY;
        out.reply.text = "";
        usage_take(root, model, texts, &out);
    } else {
        code = wire_failure(&r, root, answer, &out, err);
        out.lost = answer->status ? good : answer->may_be_billed;
    }
    json_decref(root);
    if (code == ETNA_OK) {
        *ret = out;
        *ret_vectors = vectors;
    }
    return code;
}
