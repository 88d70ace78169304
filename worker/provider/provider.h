/* Vendors' wires, as pure functions: a neutral request to the bytes of an HTTP
 * call, and a vendor's answer to a neutral reply or a reason. No network, no
 * clock, no key: the transport adds the key's header last and forgets it. A
 * file a wire: provider_chat.c, provider_responses.c, provider_gemini.c,
 * provider_anthropic.c. Every optional knob is unset unless the model's
 * configuration sets it. */
#ifndef ETNA_WORKER_PROVIDER_PROVIDER_H
#define ETNA_WORKER_PROVIDER_PROVIDER_H

#include "proto/models.h"
#include "worker/provider/conversation.h"

enum {
    /* bytes of an answer's body; more is a failure of the vendor's */
    PROVIDER_ANSWER_MAX = 64 << 20,
    /* bytes of a vendor's own words that are passed on, cleaned */
    PROVIDER_TEXT_MAX = 400
};

/* ---- there ---- */
/* the file of a request's image, in the order of its IMAGE parts */
typedef struct provider_image {
    const uint8_t *data;
    size_t size;
    const char *mime; /* image/png, image/jpeg */
} provider_image;

/* a body is pieces one after another; an image's bytes stand in base64 */
typedef struct provider_piece {
    const char *text; /* or NULL: image `image` */
    size_t size;
    uint32_t image;
} provider_piece;

typedef struct provider_call {
    const char *url;
    /* "authorization", "Bearer "; the key goes behind the prefix */
    const char *key_header, *key_prefix;
    uint32_t header_count;
    const models_pair *headers; /* content type, version ...; never the key */
    uint32_t piece_count;
    const provider_piece *pieces;
    uint64_t body_size; /* with the images in base64 */
    /* by images_max or context_tokens: the journal says so */
    uint32_t images_left_out, messages_cut;
} provider_call;

/* parameters this vendor's server refused before, by name; remembered by the
 * caller for the run */
typedef struct provider_dropped {
    uint32_t count;
    const char *const *names;
} provider_dropped;

/* Images are told by their IMAGE parts and come as files in `images` (one per
 * part, in order). Shortened by rule when too long: oldest images first, then
 * oldest tool results' texts, then the last turn's images before its last one;
 * never the instruction, never the last image. All memory is the arena's;
 * images are borrowed by the pieces. ETNA_E_NOMEM, ETNA_E_USAGE. */
etna_code provider_write(const models *m,
                         const models_model *model,
                         const model_request *request,
                         const provider_image *images,
                         const provider_dropped *dropped,
                         etna_arena *arena,
                         provider_call *ret,
                         etna_error *err);

/* ---- back ---- */
/* of the transport; or what went wrong before an answer was there */
typedef struct provider_answer {
    uint32_t status;       /* HTTP; 0: no whole answer */
    const char *transport; /* status 0: what went wrong, in words */
    /* no use to try again: a bad certificate, a URL that is none */
    bool transport_final;
    bool may_be_billed; /* status 0: the request was sent whole */
    const uint8_t *body;
    size_t size;
    const char *content_type, *retry_after, *retry_after_ms, *should_retry,
        *request_id;   /* headers, or NULL */
    uint64_t now_unix; /* seconds: for dates in Retry-After */
} provider_answer;

typedef enum provider_end {
    PROVIDER_REPLY = 1, /* `reply` holds */
    PROVIDER_AGAIN,     /* try again, not before wait_ms if that is not 0 */
    PROVIDER_DROP,      /* try again at once without parameter `drop` */
    PROVIDER_NEVER      /* give up: text says what to do */
} provider_end;

typedef struct provider_outcome {
    provider_end end;
    /* usage with cost; a vendor that tells no usage: estimated, and
     * usage_guessed */
    model_reply reply;
    bool usage_guessed;
    /* not REPLY: it may have been billed all the same: book the estimate */
    bool lost;
    bool overloaded;    /* everyone should slow down: 429, 503, 529 */
    bool endpoint_down; /* counts for the circuit breaker */
    uint64_t wait_ms;   /* the vendor's own hint; 0: none */
    const char *drop;
    /* one line: status, vendor's words cleaned, request id, what to do */
    const char *text;
    const char *error_code; /* the server's own, of a refusal; NULL: none */
} provider_outcome;

/* Hostile: bounded, any bytes. Only ETNA_E_NOMEM is an error. */
etna_code provider_read(const models *m,
                        const models_model *model,
                        const model_request *request,
                        const provider_answer *answer,
                        etna_arena *arena,
                        provider_outcome *ret,
                        etna_error *err);

/* Milliseconds to wait before try number `attempt` (2, 3 ..) after `outcome`:
 * hint plus up to `base_ms`, else full jitter from `base_ms` on (at most 30
 * times that; 5 and 60 times when overloaded) drawn from `seed`. */
uint64_t provider_backoff(const provider_outcome *outcome,
                          uint32_t attempt,
                          uint32_t base_ms,
                          uint64_t seed);

/* What the request is likely to use, for call_begin: texts by bytes, tables of
 * numbers by their numbers, images by the size they are sent in and the wire's
 * rule, output by its limit. */
message_usage provider_estimate(const models *m,
                                const models_model *model,
                                const model_request *request);

#endif
