/* Captions of assets by a model that sees. */
#ifndef ETNA_WORKER_CLI_ASSETS_CAPTION_H
#define ETNA_WORKER_CLI_ASSETS_CAPTION_H

#include "worker/cli/assets_ask.h"

typedef struct captioned {
    uint32_t docs;   /* that have a caption now */
    uint32_t unread; /* whose answers could not be read */
} captioned;

/* Of everything on the shelf that has views; a call for each that this model
 * has not answered yet. What it answered is kept at once, so that whatever ends
 * the command loses nothing. Errors as ask_picture; ETNA_E_IO, too, when
 * nothing that the model says can be read. */
etna_code assets_caption(shelf *s,
                         const ask_options *options,
                         const char *name,
                         ask_used *used,
                         captioned *ret,
                         etna_error *err);

#endif
