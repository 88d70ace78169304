/* Models of the list asked about assets. Every call is journaled on the shelf
 * before it leaves (what was begun, and what it may cost) and after it came
 * (what was answered): what was answered once is never asked again, by whatever
 * command, and needs no network any more. What the calls of one command cost
 * together stays within its cap. */
#ifndef ETNA_WORKER_CLI_ASSETS_ASK_H
#define ETNA_WORKER_CLI_ASSETS_ASK_H

#include "proto/flags.h"
#include "worker/assets/shelf.h"
#include "worker/cli/consult.h"

#include <jansson.h>

enum {
    ASK_PATIENCE = 120
};

typedef struct ask_options { /* as the command line has them */
    const char *list;        /* the models, as JSON; NULL: none may be asked */
    uint64_t cap_micros;     /* 0: none */
    uint32_t patience;       /* seconds for one answer */
} ask_options;

typedef struct ask_used { /* by all models of a command */
    /* `kept`: answers that were there already; money in millionths of the
     * list's currency */
    uint64_t calls, kept, tokens_in, tokens_out, cost_micros;
    /* begun, and no answer came or was kept: they may have been paid */
    uint64_t lost, lost_micros;
} ask_used;

typedef struct ask { /* one model */
    shelf *shelf;
    const ask_options *options;
    ask_used *used;
    etna_arena kept;
    models list;
    const models_model *model;
    consult consult;
    bool is_open;
    uint64_t next_ms; /* no call before */
} ask;

/* Rows of a command's table of flags. */
#define ASK_FLAGS(o) \
    {"list", .text = &(o)->list}, \
        {"max-cost", .read = ask_read_cost, .into = &(o)->cap_micros}, \
    { \
        "patience", .number = &(o)->patience, .least = 1, .most = 3600 \
    }
etna_code ask_read_cost(const char *name,
                        const char *value,
                        void *into,
                        etna_error *err);

/* `what`: the flag that names the model. The network is touched by the first
 * call alone. The caller closes, whatever came of it. ETNA_E_USAGE. */
etna_code ask_open(ask *a,
                   shelf *s,
                   const ask_options *options,
                   const char *what,
                   const char *name,
                   ask_used *used,
                   etna_error *err);
void ask_close(ask *a); /* all zero is fine */

/* Keeps a vector for each text that has none (vectors.h): one call, of at most
 * EMBED_TEXTS_MAX texts, or none. ETNA_E_LIMIT: the cap. ETNA_E_IO: the server
 * does not answer as it should; what came before is kept. */
etna_code ask_vectors(ask *a,
                      const char *const *texts,
                      uint32_t count,
                      etna_error *err);
/* What a model says to a text; in the arena. What it said once it says again:
 * the answer is kept by model, system message and text. Errors as above. */
etna_code ask_words(ask *a,
                    const char *system,
                    const char *text,
                    etna_arena *arena,
                    const char **ret,
                    etna_error *err);

/* The same with a picture, a square PNG of `side` pixels: it is known by its
 * bytes. */
etna_code ask_picture(ask *a,
                      const char *system,
                      const char *text,
                      const provider_image *png,
                      uint32_t side,
                      etna_arena *arena,
                      const char **ret,
                      etna_error *err);

/* For a command's document; `said`: of a vote, or "". NULL: no memory. */
json_t *ask_json(const ask_used *used, const char *said);
/* On stderr, what the calls came to; nothing where there were none. */
void ask_tell(const ask_used *used);

#endif
