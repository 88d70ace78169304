/* What went wrong, in the many shapes vendors say it in: may it be tried again,
 * when, and what should a person do. */
#include "proto/array.h"
#include "worker/provider/provider_internal.h"
#include "worker/provider/text.h"

#include <ctype.h>
#include <curl/curl.h>
#include <stdlib.h>
#include <string.h>

/* bytes of a vendor's words in one line; a day in milliseconds: longer waits
 * are cut, for nobody holds a slot for that long */
enum {
    WORDS_MAX = 300,
    SAID_AROUND = 48, /* failure_say's own words */
    HINT_MAX_MS = 86400000,
    HINT_TOLD_MS = 60000 /* from here on a wait is told */
};

/* Where vendors put the error object. A choice's own error counts only when the
 * choice says nothing: with words it is an answer that ended early. */
static const json_t *error_of(const json_t *root)
{
    if (json_is_array(root))
        /* Gemini's streams and its OpenAI door */
        root = json_array_get(root, 0);
    const json_t *error = json_object_get(root, "error");
    if (error)
        return error;
    /* gateways, beside no answer */
    const json_t *errors = json_object_get(root, "errors");
    if (json_array_size(errors) > 0 && !json_object_get(root, "choices"))
        return json_array_get(errors, 0);
    /* OpenRouter */
    const json_t *choice = json_array_get(json_object_get(root, "choices"), 0);
    const json_t *content =
        json_object_get(json_object_get(choice, "message"), "content");
    return json_string_length(content) > 0 ? NULL
                                           : json_object_get(choice, "error");
}

/* Also an error that is sent with status 200, and an object whose type is
 * "error". */
bool wire_has_error(const json_t *root)
{
    const json_t *error = error_of(root);
    return json_object_size(error) > 0 ||
           (json_is_string(error) && json_string_length(error) > 0) ||
           (json_is_object(root) &&
            json_is_string(json_object_get(root, "object")) &&
            strcmp(json_string_value(json_object_get(root, "object")),
                   "error") == 0);
}

/* The first of six places that has a text, the most specific first: {error:
 * {message}}, {error: {msg}}, {error: "..."}, {message}, FastAPI's {detail:
 * "..."} and {detail: [{msg}]}. */
static const json_t *words_of(const json_t *root)
{
    const json_t *error = error_of(root);
    const json_t *tries[] = {
        json_object_get(error, "message"),
        json_object_get(error, "msg"),
        error,
        json_object_get(root, "message"),
        json_object_get(root, "detail"),
        json_object_get(json_array_get(json_object_get(root, "detail"), 0),
                        "msg")};
    for (size_t i = 0; i < COUNT_OF(tries); i++) {
        if (json_is_string(tries[i]) && json_string_length(tries[i]) > 0)
            return tries[i];
    }
    return NULL;
}

/* The vendor's own words on one line; the start of the body when there is no
 * error object. */
static const char *vendor_words(const wire_reader *r,
                                const json_t *root,
                                const provider_answer *answer)
{
    const json_t *words = words_of(root);
    if (words)
        return text_clean(r->arena, json_string_value(words),
                          json_string_length(words), WORDS_MAX);
    if (!answer->body || answer->size == 0)
        return "";
    return text_clean(r->arena, (const char *)answer->body,
                      answer->size < WORDS_MAX ? answer->size : WORDS_MAX,
                      WORDS_MAX);
}

static const char *text_in(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));
    return text ? text : "";
}

/* NULL: it told none, or there is no memory for it. */
static const char *vendor_code(const wire_reader *r, const json_t *root)
{
    enum {
        MOST = 64 /* bytes */
    };
    const char *const code = text_in(error_of(root), "code");
    return *code ? text_clean(r->arena, code, strlen(code), MOST) : NULL;
}

/* ---- when ---- */

/* "45.8s", "12" or "0.25" times `unit` milliseconds, rounded up; 0: none. What
 * is written in another way ("0x10", "1e9", "20ms") says none. */
static uint64_t duration_ms(const char *text, double unit)
{
    if (!text || !isdigit((unsigned char)*text))
        return 0;
    char behind = text[strspn(text, "0123456789.")];
    if (isalpha((unsigned char)behind) && behind != 's')
        return 0;
    double value = strtod(text, NULL) * unit;
    if (!(value > 0) || value > HINT_MAX_MS)
        return value > 0 ? HINT_MAX_MS : 0;
    return (uint64_t)value + 1;
}

/* The header with milliseconds is more exact than Retry-After and wins.
 * Retry-After is seconds or an HTTP date; a date in the past is no hint. */
static uint64_t retry_after_ms(const provider_answer *answer)
{
    uint64_t ms = duration_ms(answer->retry_after_ms, 1);
    if (ms || !answer->retry_after)
        return ms;
    if (isdigit((unsigned char)answer->retry_after[0]))
        return duration_ms(answer->retry_after, 1000);
    time_t at = curl_getdate(answer->retry_after, NULL);
    if (at <= 0 || (uint64_t)at <= answer->now_unix)
        return 0;
    uint64_t seconds = (uint64_t)at - answer->now_unix;
    return seconds < HINT_MAX_MS / 1000 ? seconds * 1000 : HINT_MAX_MS;
}

/* Gemini says it in the body only. */
static uint64_t body_hint_ms(const json_t *root, const char *words)
{
    const json_t *details = json_object_get(error_of(root), "details");
    for (size_t i = 0; i < json_array_size(details); i++) {
        uint64_t ms =
            duration_ms(json_string_value(json_object_get(
                            json_array_get(details, i), "retryDelay")),
                        1000);
        if (ms)
            return ms;
    }
    const char *at = strstr(words, "Please retry in ");
    return at ? duration_ms(at + strlen("Please retry in "), 1000) : 0;
}

/* ---- whether ---- */

static bool holds_one_of(const char *text, const char *const *list)
{
    for (; *list; list++) {
        if (strstr(text, *list))
            return true;
    }
    return false;
}

/* A spent quota comes as 429, like a rate limit, but waiting does not help. A
 * quota per day counts as spent: no run waits until midnight. */
static bool is_out_of_money(const json_t *root)
{
    static const char *const codes[] = {"insufficient_quota",
                                        "credit_balance_exhausted",
                                        "billing_hard_limit_reached"};
    const json_t *error = error_of(root);
    const json_t *details = json_object_get(error, "details");
    if (WORD_IS_OF(text_in(error, "code"), codes) ||
        WORD_IS_OF(text_in(error, "type"), codes))
        return true;
    for (size_t i = 0; i < json_array_size(details); i++) {
        const json_t *violations =
            json_object_get(json_array_get(details, i), "violations");
        for (size_t k = 0; k < json_array_size(violations); k++) {
            if (strstr(text_in(json_array_get(violations, k), "quotaId"),
                       "PerDay"))
                return true;
        }
    }
    return false;
}

static bool is_bad_key(const json_t *root) /* Gemini's is a 400 */
{
    const json_t *details = json_object_get(error_of(root), "details");
    for (size_t i = 0; i < json_array_size(details); i++) {
        if (wire_is(json_array_get(details, i), "reason", "API_KEY_INVALID"))
            return true;
    }
    return false;
}

/* Of 409 and 425 the request itself was fine. 501 and 505 say that the server
 * will never do it. 520 to 524 are a proxy's that did not reach its origin; 529
 * is Anthropic's "overloaded". */
static bool is_again(uint32_t status)
{
    static const uint32_t again[] = {408, 409, 425, 429, 500, 502, 503,
                                     504, 520, 521, 522, 523, 524, 529};
    return number_is_of(status, again, COUNT_OF(again));
}

/* Local servers answer 500 to what their model can never do. These are their
 * words in llama.cpp and vLLM. */
static bool is_permanent(const char *words)
{
    static const char *const permanent[] = {
        "image input is not supported", "requires --jinja",
        "no user query found in messages", "does not match number of markers",
        NULL};
    return holds_one_of(words, permanent);
}

/* What a person can change in the configuration, by the vendor's words where
 * they are specific, else by the status. */
static const char *failure_advice(uint32_t status,
                                  const json_t *root,
                                  const char *words)
{
    static const char *const too_long[] = {
        "context length", "context size", "prompt is too long",
        "no user query found in messages", NULL};
    if (strstr(words, "reasoning_effort") || strstr(words, "/v1/responses")) {
        return "; use an endpoint of wire responses, or set knobs: {reasoning_effort: none}";
    }
    if (strcmp(text_in(error_of(root), "code"), "context_length_exceeded") ==
            0 ||
        holds_one_of(words, too_long)) {
        return "; set the model's context_tokens, so that long conversations are shortened";
    }
    switch (is_bad_key(root) ? 401 : status) {
    case 400:
        if (strstr(words, "image(s) may be provided"))
            return "; set the model's images_max to what its server takes";
        return "; look at the model's knobs, output_tokens and image settings";
    case 401:
    case 403:
        return "; look at the endpoint's key_env or key_file, and at what the key may do";
    case 402: return "; the vendor wants to be paid first";
    case 404: return "; look at the endpoint's url and the model's id";
    case 413: return "; lower image_side or images_max of the model";
    default:
        return status >= 300 && status < 400
                   ? "; redirects are not followed: put the right address into the endpoint's url"
                   : "";
    }
}

/* A parameter of ours that this server refuses, when it says which. Only what
 * we sent of our own accord or from a knob may be dropped; dropping anything
 * else would change what is asked. */
static const char *refused_parameter(const wire_reader *r,
                                     uint32_t status,
                                     const json_t *root,
                                     const char *words)
{
    bool knows_no_cache = status == 400 &&
                          r->endpoint->wire == MODELS_ANTHROPIC &&
                          strstr(words, "cache_control");
    if (knows_no_cache)
        return "cache_control";
    const json_t *error = error_of(root);
    const char *code = text_in(error, "code");
    const char *name = text_in(error, "param");
    if (status != 400 ||
        (strcmp(code, "unsupported_parameter") != 0 &&
         strcmp(code, "unsupported_value") != 0) ||
        !*name)
        return NULL;
    static const char *const fixed[] = {"max_tokens", "max_completion_tokens",
                                        "max_output_tokens", "include",
                                        "store"};
    bool is_mine = WORD_IS_OF(name, fixed);
    for (uint32_t i = 0; i < r->model->knob_count && !is_mine; i++)
        is_mine = strcmp(r->model->knobs[i].name, name) == 0;
    return is_mine ? etna_arena_strdup(r->arena, name) : NULL;
}

/* One line for people: which endpoint, status, the vendor's words, the
 * request's id (support asks for it) and the advice. */
static const char *failure_say(const wire_reader *r,
                               const provider_answer *answer,
                               const char *words,
                               const char *more)
{
    const char *id = answer->request_id
                         ? text_clean(r->arena, answer->request_id,
                                      strlen(answer->request_id), 80)
                         : "";
    if (!id)
        return NULL;
    /* the advice is more use than the end of a body that is none */
    const size_t around =
        strlen(r->endpoint->name) + strlen(id) + strlen(more) + SAID_AROUND;
    const size_t room =
        around < PROVIDER_TEXT_MAX ? PROVIDER_TEXT_MAX - around : 0;
    words = text_clean(r->arena, words, strlen(words), room);
    if (!words)
        return NULL;
    const char *text =
        answer->status
            ? etna_arena_printf(
                  r->arena, "endpoint %s answered %u%s%s%s%s%s%s",
                  r->endpoint->name, answer->status, *words ? ": " : "", words,
                  *id ? " (request " : "", id, *id ? ")" : "", more)
            : etna_arena_printf(r->arena, "endpoint %s: %s%s",
                                r->endpoint->name, words, more);
    return text ? text_clean(r->arena, text, strlen(text), PROVIDER_TEXT_MAX)
                : NULL;
}

/* Of a refusal of the vendor's: may it go well when it is tried again? Its own
 * word counts before the status. */
static bool may_try_again(const json_t *root,
                          const provider_answer *answer,
                          const char *words)
{
    const char *told = answer->should_retry;
    if (told && strcmp(told, "false") == 0)
        return false;
    if (is_permanent(words))
        return false;
    if (told && strcmp(told, "true") == 0)
        return true;
    return is_again(answer->status) && !is_out_of_money(root);
}

/* Sets what the circuit breaker and the throttle need beside the end. 5xx
 * counts as the endpoint being down; 429 does not: it works, for others. */
static const char *refusal_classify(const json_t *root,
                                    const provider_answer *answer,
                                    const char *words,
                                    provider_outcome *ret)
{
    uint32_t status = answer->status;
    ret->end =
        may_try_again(root, answer, words) ? PROVIDER_AGAIN : PROVIDER_NEVER;
    ret->overloaded = status == 429 || status == 503 || status == 529;
    ret->endpoint_down = status >= 500;
    return is_out_of_money(root)
               ? "; the account has no money or no quota left: trying again does not help"
               : failure_advice(status, root, words);
}

/* How it ends, and what is to be added to the vendor's words. */
static const char *failure_classify(const json_t *root,
                                    const provider_answer *answer,
                                    const char *words,
                                    provider_outcome *ret)
{
    bool good = answer->status >= 200 && answer->status < 300;
    if (answer->status == 0) {
        ret->end = answer->transport_final ? PROVIDER_NEVER : PROVIDER_AGAIN;
        ret->endpoint_down = true;
        return "";
    }
    if (good) { /* no answer of this wire, or an error in the clothes of one */
        ret->end = PROVIDER_AGAIN;
        ret->endpoint_down = true;
        return wire_has_error(root)
                   ? ""
                   : "; that is no answer of this wire: look at the endpoint's wire and url if it goes on";
    }
    if (!ret->drop)
        return refusal_classify(root, answer, words, ret);
    ret->end = PROVIDER_DROP;
    return "";
}

/* The server's own hint wins over the body's; both are only lower bounds for
 * the next try. */
etna_code wire_failure(const wire_reader *r,
                       const json_t *root,
                       const provider_answer *answer,
                       provider_outcome *ret,
                       etna_error *err)
{
    const char *words = answer->transport ? answer->transport : "no answer";
    if (answer->status)
        words = vendor_words(r, root, answer);
    if (!words)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory while reading a model's answer");
    ret->drop = refused_parameter(r, answer->status, root, words);
    ret->error_code = vendor_code(r, root);
    ret->wait_ms = retry_after_ms(answer);
    if (!ret->wait_ms)
        ret->wait_ms = body_hint_ms(root, words);
    const char *more = failure_classify(root, answer, words, ret);
    /* a run that ends by it is not to be started again at once */
    if (ret->end == PROVIDER_AGAIN && ret->wait_ms >= HINT_TOLD_MS)
        more = etna_arena_printf(r->arena,
                                 "%s; it asks to be left alone for %llu s",
                                 more, (unsigned long long)ret->wait_ms / 1000);
    if (!more)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory while reading a model's answer");
    ret->text = failure_say(r, answer, words, more);
    return ret->text
               ? ETNA_OK
               : etna_fail(err, ETNA_E_NOMEM,
                           "out of memory while reading a model's answer");
}
