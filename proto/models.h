/* What `configs/models.yaml` says: where models are, what they cost, how much
 * of them may be used. Read by the coordinator (limits, prices, caps), cut down
 * to what a run names, and carried by value in the run's config and its tasks,
 * so that every worker does the same. No key is ever in it: only the name of
 * the environment variable or the file that holds one.
 *
 * The text is hostile: YAML in (libyaml: no anchors, no tags, bounded),
 * canonical JSON between processes. */
#ifndef ETNA_PROTO_MODELS_H
#define ETNA_PROTO_MODELS_H

#include "proto/arena.h"
#include "proto/error.h"
#include "proto/message.h"
#include "proto/seed.h"

enum {
    MODELS_TEXT_MAX = 256 << 10, /* bytes of YAML */
    MODELS_JSON_MAX = 64 << 10,  /* bytes of the cut-down JSON */
    MODELS_COUNT_MAX = 256,      /* models, and endpoints */
    MODELS_HEADERS_MAX = 16,
    MODELS_KNOBS_MAX = 32,
    MODELS_ROLES = 5, /* index: etna_role */
    MODELS_JPEG = 90  /* quality that no edge suffers by */
};

typedef enum models_wire {
    MODELS_BUILTIN = 1, /* the rules in this program */
    MODELS_CHAT,        /* OpenAI-compatible Chat Completions */
    MODELS_RESPONSES,   /* OpenAI Responses */
    MODELS_GEMINI,      /* generateContent */
    MODELS_ANTHROPIC,   /* Messages */
    MODELS_WIRE_COUNT
} models_wire;

/* A header or a knob, in the order of the file. */
typedef struct models_pair {
    const char *name, *value;
} models_pair;

/* Somewhere that models are called at. What is 0 or NULL is as its comment
 * says; numbers that begin a comment are the defaults. */
typedef struct models_endpoint {
    const char *name;
    models_wire wire;
    /* base, without the path of a call, which the wire adds */
    const char *url;
    const char *key_env, *key_file; /* one or none; the file must be 0600 */
    /* NULL: the system's, the environment's; "$NAME": a variable's */
    const char *ca_file, *proxy;
    uint32_t header_count;
    /* sent beside; a value may be "$NAME": from the worker's environment */
    const models_pair *headers;
    /* 0: no limit; held across all workers of a coordinator */
    uint64_t requests_per_minute, tokens_per_minute;
    uint32_t in_flight; /* calls at once; 0: no limit */
    /* 10,000; 600,000; 1,200,000 */
    uint32_t connect_ms, first_byte_ms, total_ms;
    /* 6: tries of one call until it has failed */
    uint32_t attempts;
    /* 600,000: of one call, waits included */
    uint32_t budget_ms;
    /* 1,000: what waits between tries begin at */
    uint32_t backoff_ms;
    /* 8: failures in a row until the endpoint is out of service; 0: never */
    uint32_t breaker;
} models_endpoint;

typedef struct models_model {
    const char *name, *id; /* ours, the vendor's */
    uint32_t endpoint;     /* index */
    /* name of the model to use when this one is out of service, or NULL */
    const char *fallback;
    /* millionths of the list's currency per million tokens; cached and written
     * 0: as in */
    uint64_t price_in, price_out, price_cached, price_written;
    /* 0: unknown; a longer conversation is shortened by rule */
    uint32_t context_tokens;
    /* limit that is sent; 0: none is (but where the wire demands one) */
    uint32_t output_tokens;
    uint32_t images_max; /* of one request; 0: no limit */
    /* longest side in pixels by role; 0: as the role made it */
    uint32_t image_side[MODELS_ROLES];
    /* 1..100: JPEG of it; 0: PNG where a place may be read from it, else JPEG
     * of MODELS_JPEG */
    uint32_t image_quality;
    uint32_t knob_count;
    /* name, JSON value: sent as they stand ("temperature": 0.2); none by
     * default */
    const models_pair *knobs;
    /* arrange_coordinates, as its family counts in a picture; 0: its answers
     * tell */
    uint32_t coordinates;
    /* Chat quirks: "system", "max_tokens"; NULL: by the endpoint's host */
    const char *system_role, *token_field;
} models_model;

/* The whole list. All it points to lies in the arena that it was read into. */
typedef struct models {
    const char *currency; /* "USD"; only shown */
    uint32_t endpoint_count, model_count;
    const models_endpoint *endpoints;
    const models_model *models;
    const char *role_model[MODELS_ROLES]; /* NULL: the run's */
} models;

/* Reads a models.yaml. ETNA_E_USAGE names line or entry, field, and what to do;
 * ETNA_E_NOMEM; *ret is untouched then. "builtin" is always there without being
 * in the list, and may not be defined. An empty file is an empty list. */
etna_code models_from_yaml(const char *text,
                           size_t size,
                           etna_arena *arena,
                           models *ret,
                           etna_error *err);
/* Canonical JSON of the models in `names` with their fallbacks and endpoints,
 * and of the roles whose model is among them (nothing else of the file
 * travels). The text lies in the arena. */
etna_code models_cut(const models *all,
                     const char *const *names,
                     uint32_t count,
                     etna_arena *arena,
                     const char **ret_json,
                     etna_error *err);
/* Reads what models_cut wrote, by the same rules as the YAML; errors alike. */
etna_code models_from_json(const char *json,
                           size_t size,
                           etna_arena *arena,
                           models *ret,
                           etna_error *err);
/* NULL: there is none of that name. */
const models_model *models_find(const models *m, const char *name);
/* What usage costs at the model's prices, in millionths of the currency:
 * rounded up, and UINT64_MAX where that is not enough. Cached and written
 * tokens are parts of tokens_in and are charged at their own price, or as
 * others where they have none. Pure. */
uint64_t models_cost_micros(const models_model *model,
                            const message_usage *usage);

#endif
