/* A model asked over its own wire by a command, one request after another: no
 * coordinator, no journal. What is spent is told, and nobody else counts it. */
#ifndef ETNA_WORKER_CLI_CONSULT_H
#define ETNA_WORKER_CLI_CONSULT_H

#include "proto/models.h"
#include "worker/provider/embed.h"
#include "worker/shell/api_key.h"
#include "worker/shell/http.h"

typedef struct consult {
    const models *list;
    const models_model *model;
    uint32_t patience_ms; /* of one answer */
    provider_dropped dropped;
    uv_loop_t loop;
    http *http;
    api_key key;
    const char *dropped_names[MODELS_KNOBS_MAX];
    etna_arena kept;
    /* of the request under way */
    etna_arena *arena;
    const model_request *request;
    const embed_texts *texts; /* NULL: `request` is asked */
    embed_vectors vectors;
    bool has_come;
    etna_error error;
    /* of the last answer */
    provider_outcome outcome;
    uint32_t status; /* of HTTP; 0: none */
    uint64_t ms;
} consult;

/* Reads a list of models as a run carries it, into `arena`; *ret_model is the
 * one of that name. ETNA_E_USAGE: there is none, or it is the built-in
 * agent. */
etna_code consult_read_list(const char *path,
                            const char *name,
                            etna_arena *arena,
                            models *ret,
                            const models_model **ret_model,
                            etna_error *err);

/* `list` and `model` live longer. The caller closes, whatever came of it.
 * ETNA_E_USAGE: its key is not there. */
etna_code consult_open(consult *c,
                       const models *list,
                       const models_model *model,
                       uint32_t patience_ms,
                       etna_error *err);
void consult_close(consult *c);

/* Asks, three times at most where there is use in trying again. `images`: the
 * files of its IMAGE parts, in order. *ret_came: an answer or a reason is in
 * c->outcome, whose memory is `arena`'s; false: nothing came in time.
 * ETNA_E_USAGE: a header's variable or a URL is wrong; ETNA_E_NOMEM. */
etna_code consult_ask(consult *c,
                      const model_request *request,
                      const provider_image *images,
                      etna_arena *arena,
                      bool *ret_came,
                      etna_error *err);

/* The same for texts that become vectors: with a reply *ret has them. */
etna_code consult_embed(consult *c,
                        const embed_texts *texts,
                        etna_arena *arena,
                        bool *ret_came,
                        embed_vectors *ret,
                        etna_error *err);

#endif
