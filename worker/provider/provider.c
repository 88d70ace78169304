/* What all wires have in common: what is left out of a conversation that has
 * become too long, what a request may use, how long to wait before the next
 * try, and which wire it is. */
#include "proto/array.h"
#include "worker/provider/provider_internal.h"
#include "worker/provider/provider_shape.h"

#include <limits.h>
#include <string.h>
#include <strings.h>

enum {
    BYTES_A_TOKEN = 3, /* English runs at about four, JSON at three */
    /* at least, beside one a 750 pixels: no vendor takes more at the sizes we
     * send */
    IMAGE_TOKENS = 300,
    PIXELS_A_TOKEN = 750,
    /* what a vendor's chat template puts around each part: roles, separators,
     * names */
    MESSAGE_TOKENS = 8
};

static const wire *wire_of(const models_endpoint *endpoint)
{
    switch (endpoint->wire) {
    case MODELS_CHAT: return &wire_chat;
    case MODELS_RESPONSES: return &wire_responses;
    case MODELS_GEMINI: return &wire_gemini;
    case MODELS_ANTHROPIC: return &wire_anthropic;
    default: return NULL;
    }
}

/* ---- how much it is at the most ---- */

/* An upper estimate: it decides what is left out, and a request that is too
 * long fails whole while one that is a little short loses only an old image.
 * provider_count.c has the best estimate, for the bill. What is left out still
 * costs its placeholder, 20 tokens. */
static uint64_t part_tokens(const wire_part *part)
{
    const model_part *p = part->part;
    if (part->left_out)
        return 20;
    if (p->kind == MODEL_IMAGE)
        return IMAGE_TOKENS +
               (uint64_t)p->image.width * p->image.height / PIXELS_A_TOKEN;
    return (p->text ? strlen(p->text) / BYTES_A_TOKEN : 0) + MESSAGE_TOKENS;
}

/* Tools count, too: their schemas are sent with every request and are often
 * longer than the first turn. */
static uint64_t request_tokens(const wire_part *parts,
                               uint32_t count,
                               const model_request *request)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += part_tokens(&parts[i]);
    for (uint32_t i = 0; i < request->tool_count; i++) {
        const model_tool *tool = &request->tools[i];
        sum += (strlen(tool->name) + strlen(tool->description) +
                strlen(tool->schema)) /
                   BYTES_A_TOKEN +
               MESSAGE_TOKENS;
    }
    return sum;
}

/* ---- what is left out ---- */

/* Numbers the parts of all messages in a row. Images keep their number even
 * when one of them is left out later, because `images` of the caller is indexed
 * by it. */
static etna_code list_parts(wire_writer *w, etna_error *err)
{
    const model_request *request = w->request;
    uint32_t *first = etna_arena_alloc(
        w->arena, (size_t)request->message_count + 1, sizeof *first);
    uint64_t total = 0;
    for (uint32_t i = 0; i < request->message_count; i++)
        total += request->messages[i].part_count;
    w->parts = total < UINT32_MAX / 4
                   ? etna_arena_alloc(w->arena, (size_t)total, sizeof *w->parts)
                   : NULL;
    if (!first || !w->parts)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory while writing a request to a model");
    uint32_t count = 0, image = 0;
    for (uint32_t i = 0; i < request->message_count; i++) {
        first[i] = count;
        for (uint32_t k = 0; k < request->messages[i].part_count; k++) {
            w->parts[count].part = &request->messages[i].parts[k];
            if (w->parts[count].part->kind == MODEL_IMAGE)
                w->parts[count].image = image++;
            count++;
        }
    }
    first[request->message_count] = count;
    w->first = first;
    return ETNA_OK;
}

/* The last turn is what follows the assistant's last words; of it only images
 * go, and only those before its last one: a planner's history comes in its
 * first turn. */
static uint32_t last_turn(const wire_writer *w)
{
    uint32_t i = w->request->message_count;
    while (i > 0 && w->request->messages[i - 1].author != MODEL_ASSISTANT)
        i--;
    return w->first[i];
}

/* Oldest first, from part `from` up to `to`, while there are too many or all is
 * too long. */
static void leave_out_images(wire_writer *w,
                             uint32_t from,
                             uint32_t to,
                             uint64_t budget,
                             uint64_t *tokens,
                             uint32_t *images,
                             provider_call *ret)
{
    for (uint32_t i = from; i < to; i++) {
        wire_part *part = &w->parts[i];
        bool too_many = w->model->images_max && *images > w->model->images_max;
        bool too_long = w->model->context_tokens && *tokens > budget;
        if (part->part->kind != MODEL_IMAGE || (!too_many && !too_long))
            continue;
        *tokens -= part_tokens(part);
        part->left_out = true;
        *tokens += part_tokens(part);
        --*images;
        ret->images_left_out++;
    }
}

/* Three passes, the least useful first: images of earlier turns, results of
 * tools of earlier turns, then images of the last turn except its newest. Each
 * ends as soon as the rest fits. The answer needs room as well: its limit, or
 * an eighth of the window where none is set. */
static void provider_leave_out(wire_writer *w, provider_call *ret)
{
    uint32_t count = w->first[w->request->message_count];
    uint32_t last = last_turn(w);
    uint32_t images = 0, newest = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (w->parts[i].part->kind != MODEL_IMAGE)
            continue;
        images++;
        newest = i;
    }
    uint64_t budget = w->model->context_tokens;
    uint64_t out =
        w->model->output_tokens ? w->model->output_tokens : budget / 8;
    budget = budget > out ? budget - out : budget;
    uint64_t tokens = request_tokens(w->parts, count, w->request);
    leave_out_images(w, 0, last, budget, &tokens, &images, ret);
    for (uint32_t i = 0;
         i < last && w->model->context_tokens && tokens > budget; i++) {
        wire_part *part = &w->parts[i];
        if (part->part->kind != MODEL_TOOL_RESULT)
            continue;
        tokens -= part_tokens(part);
        part->left_out = true;
        tokens += part_tokens(part);
        ret->messages_cut++;
    }
    leave_out_images(w, last, newest, budget, &tokens, &images, ret);
}

/* Who asks, for servers that care: our own built-in agent behind HTTP
 * (worker/serve) plays the role and draws by the seed. */
static bool put_marks(const model_request *request,
                      etna_arena *arena,
                      models_pair *headers,
                      uint32_t *count)
{
    static const char *const roles[] = {[ROLE_PLANNER] = "planner",
                                        [ROLE_EXECUTOR] = "executor",
                                        [ROLE_EVALUATOR] = "evaluator",
                                        [ROLE_JUDGE] = "judge",
                                        [ROLE_READER] = "reader"};
    bool named = request->role < COUNT_OF(roles) && roles[request->role];
    if (!named)
        return true;
    const char *seed =
        etna_arena_printf(arena, "%llu", (unsigned long long)request->seed);
    headers[(*count)++] = (models_pair){"x-etna-role", roles[request->role]};
    headers[(*count)++] = (models_pair){"x-etna-seed", seed};
    return seed != NULL;
}

static bool is_given(const models_endpoint *endpoint, const char *name)
{
    for (uint32_t i = 0; i < endpoint->header_count; i++) {
        if (strcasecmp(endpoint->headers[i].name, name) == 0)
            return true;
    }
    return false;
}

/* The key is not among them: the transport adds it to the header named here
 * when the connection is made, so that no journal and no error text can hold
 * it. */
etna_code wire_put_headers(const wire *speak,
                           const models_endpoint *endpoint,
                           const model_request *request,
                           etna_arena *arena,
                           provider_call *ret,
                           etna_error *err)
{
    models_pair *headers = etna_arena_alloc(
        arena, (size_t)speak->header_count + endpoint->header_count + 3,
        sizeof *headers);
    if (!headers)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory while writing a request to a model");
    headers[ret->header_count++] =
        (models_pair){"content-type", "application/json"};
    /* the endpoint's own come instead: another version of a vendor's wire,
     * say */
    for (uint32_t i = 0; i < speak->header_count; i++) {
        if (!is_given(endpoint, speak->headers[i].name))
            headers[ret->header_count++] = speak->headers[i];
    }
    for (uint32_t i = 0; i < endpoint->header_count; i++)
        headers[ret->header_count++] = endpoint->headers[i];
    if (endpoint->wire == MODELS_CHAT &&
        !put_marks(request, arena, headers, &ret->header_count)) {
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory while writing a request to a model");
    }
    ret->headers = headers;
    ret->key_header = speak->key_header;
    ret->key_prefix = speak->key_prefix;
    return ETNA_OK;
}

etna_code provider_write(const models *m,
                         const models_model *model,
                         const model_request *request,
                         const provider_image *images,
                         const provider_dropped *dropped,
                         etna_arena *arena,
                         provider_call *ret,
                         etna_error *err)
{
    const models_endpoint *endpoint = &m->endpoints[model->endpoint];
    const wire *speak = wire_of(endpoint);
    wire_writer w = {m,       model, endpoint, request, images,
                     dropped, arena, NULL,     NULL};
    provider_call call = {0};
    if (!speak)
        return etna_fail(
            err, ETNA_E_USAGE,
            "model %.80s: its endpoint has no wire that this version speaks",
            model->name);
    etna_code code = list_parts(&w, err);
    if (code)
        return code;
    provider_leave_out(&w, &call);
    call.url = speak->url(&w);
    code = call.url
               ? wire_put_headers(speak, endpoint, request, arena, &call, err)
               : etna_fail(err, ETNA_E_NOMEM,
                           "out of memory while writing a request to a model");
    if (!code)
        code = wire_pieces(&w, speak->body(&w), &call, err);
    if (!code)
        *ret = call;
    return code;
}

/* ---- back ---- */

/* A gateway's HTML page with status 200 is a failure of the gateway's, not an
 * answer to be paid for. */
static bool looks_like_json(const provider_answer *answer)
{
    const char *type = answer->content_type;
    return !type || strstr(type, "json") != NULL;
}

/* Is it an answer of the wire, or at least JSON with a good status that may be
 * paid for? */
static bool is_reply(const wire *speak,
                     const json_t *root,
                     const provider_answer *answer)
{
    /* a 2xx answer that cannot be read was computed all the same, and is booked
     * as lost */
    bool good = answer->status >= 200 && answer->status < 300;
    if (!good || wire_has_error(root))
        return false;
    bool ours = root && speak && speak->has_shape(root);
    return ours || (json_is_object(root) && looks_like_json(answer));
}

/* The reply, of `size` bytes, and what it cost; where its usage is not told, or
 * cannot be, that is guessed. False: no memory. */
static bool reply_read(wire_reader *r,
                       const wire *speak,
                       const json_t *root,
                       size_t size,
                       const models *m,
                       provider_outcome *out)
{
    model_reply *reply = &out->reply;
    bool counted = false;
    out->end = PROVIDER_REPLY;
    reply->text = "";
    reply->calls =
        etna_arena_alloc(r->arena, MODEL_REPLY_CALLS_MAX, sizeof *reply->calls);
    if (!reply->calls)
        return false;
    if (speak && speak->has_shape(root))
        speak->reply(r, root, reply, &counted);
    bool is_told = counted && provider_usage_can_be(m, r->model, r->request,
                                                    size, &reply->usage);
    if (!is_told) {
        out->usage_guessed = true;
        reply->usage = provider_estimate(m, r->model, r->request);
        reply->usage.tokens_out = provider_answer_tokens(reply);
    }
    reply->usage.calls = 1;
    reply->usage.cost_micros = models_cost_micros(r->model, &reply->usage);
    return !r->failed;
}

etna_code provider_read(const models *m,
                        const models_model *model,
                        const model_request *request,
                        const provider_answer *answer,
                        etna_arena *arena,
                        provider_outcome *ret,
                        etna_error *err)
{
    const models_endpoint *endpoint = &m->endpoints[model->endpoint];
    const wire *speak = wire_of(endpoint);
    wire_reader r = {.model = model,
                     .endpoint = endpoint,
                     .request = request,
                     .arena = arena};
    provider_outcome out = {0};
    bool good = answer->status >= 200 && answer->status < 300;
    json_t *root = NULL;
    if (answer->size && answer->size <= PROVIDER_ANSWER_MAX)
        root = shape_parse((const char *)answer->body, answer->size);
    if (good && speak == &wire_chat)
        root = shape_chat(root);
    etna_code code = ETNA_OK;
    if (!is_reply(speak, root, answer)) {
        code = wire_failure(&r, root, answer, &out, err);
        out.lost = answer->status ? good : answer->may_be_billed;
    } else if (!reply_read(&r, speak, root, answer->size, m, &out)) {
        code = etna_fail(err, ETNA_E_NOMEM,
                         "out of memory while reading a model's answer");
    }
    json_decref(root);
    if (!code)
        *ret = out;
    return code;
}

/* draw % (top + 1) is "full jitter": a draw from nothing up to the ceiling
 * spreads the callers better than a ceiling with a little noise, and 429s come
 * to all branches at once. The shift is bounded so that it cannot overflow. */
uint64_t provider_backoff(const provider_outcome *outcome,
                          uint32_t attempt,
                          uint32_t base_ms,
                          uint64_t seed)
{
    uint64_t unit = base_ms ? base_ms : 1;
    uint64_t base = unit * (outcome->overloaded ? 5 : 1);
    uint64_t most = unit * (outcome->overloaded ? 60 : 30);
    /* jitter only: it reaches no result; constants of Knuth's LCG and
     * MurmurHash's finalizer */
    uint64_t draw =
        seed * 6364136223846793005u + 1442695040888963407u * attempt;
    draw ^= draw >> 33;
    draw *= 0xff51afd7ed558ccdu;
    draw ^= draw >> 33;
    if (outcome->wait_ms)
        return outcome->wait_ms + draw % (unit + 1);
    uint32_t steps = attempt > 2 ? attempt - 2 : 0;
    uint64_t top = steps < 16 && base << steps < most ? base << steps : most;
    return draw % (top + 1);
}
