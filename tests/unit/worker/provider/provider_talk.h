/* One conversation that every wire is tested with: an instruction with an
 * image, a call, its result, and an image after it. */
#ifndef ETNA_TESTS_MODEL_PROVIDER_TALK_H
#define ETNA_TESTS_MODEL_PROVIDER_TALK_H

#include "worker/provider/provider.h"

#include <jansson.h>

typedef struct talk {
    etna_arena arena;
    models models;
    model_request request;
    model_message messages[5];
    model_part system, ask[2], call[2], result[1], seen[2];
    model_tool tool;
    provider_image images[2];
} talk;

void talk_begin(talk *t, const char *wire);
void talk_end(talk *t);
/* The body as a server gets it, images as <number> instead of base64; the
 * caller's. */
json_t *talk_sent(talk *t, provider_call *ret_call);
void talk_assert_sent(talk *t, const char *expected); /* as JSON */
/* What an answer is read as; its texts live as long as the talk. */
provider_outcome talk_read(talk *t, provider_answer answer);
provider_outcome talk_read_body(talk *t, uint32_t status, const char *body);

#endif
