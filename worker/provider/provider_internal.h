/* What the files of the providers share: provider.c decides what is left out
 * and hands over to the wire; provider_body.c turns a JSON tree with images in
 * it into pieces; provider_error.c reads what went wrong; a file a wire does
 * the rest. Nobody else includes this. */
#ifndef ETNA_WORKER_PROVIDER_PROVIDER_INTERNAL_H
#define ETNA_WORKER_PROVIDER_PROVIDER_INTERNAL_H

#include "worker/provider/provider.h"

#include <jansson.h>

typedef struct wire_part { /* of the request, all messages in a row */
    const model_part *part;
    uint32_t image; /* index of the file; only of IMAGE parts */
    bool left_out;
} wire_part;

typedef struct wire_writer {
    const models *m;
    const models_model *model;
    const models_endpoint *endpoint;
    const model_request *request;
    const provider_image *images;
    const provider_dropped *dropped;
    etna_arena *arena;
    wire_part *parts;
    /* of a message, its first part; one more at the end */
    const uint32_t *first;
} wire_writer;

typedef struct wire_reader {
    const models_model *model;
    const models_endpoint *endpoint;
    const model_request *request;
    etna_arena *arena;
    char *text; /* of wire_add_text; its room */
    size_t used, room;
    bool failed; /* out of memory */
} wire_reader;

typedef struct wire {
    const char *key_header, *key_prefix;
    const models_pair *headers; /* beside content-type */
    uint32_t header_count;
    const char *(*url)(const wire_writer *w); /* NULL: out of memory */
    json_t *(*body)(const wire_writer *w);    /* NULL: out of memory */
    /* an answer of this wire, whatever is in it */
    bool (*has_shape)(const json_t *root);
    void (*reply)(wire_reader *r,
                  const json_t *root,
                  model_reply *ret,
                  bool *ret_counted); /* counted: usage was told */
} wire;

extern const wire wire_chat, wire_responses, wire_gemini, wire_anthropic;

/* ---- writing ---- */
/* A text safe for any server: what is no UTF-8 becomes '?', control characters
 * but tab and newline a space. NULL: out of memory. */
json_t *wire_text(const wire_writer *w, const char *text);
/* A string value that stands for an image's base64, as a data URL or bare. */
json_t *wire_image(const wire_writer *w, bool as_url, uint32_t image);
/* Where an image, a text or facts stand, as text; NULL: out of memory. For
 * IMAGE only those left out. */
json_t *wire_part_text(const wire_writer *w, const wire_part *part);
bool wire_is_text(const wire_part *part); /* is it said in text? */
/* Texts of the parts [at, end) as one string, an empty line between two; NULL:
 * out of memory. */
json_t *wire_joined(const wire_writer *w, uint32_t at, uint32_t end);
/* The assistant's own turn, parsed, when this model made it and it is fit to go
 * back; NULL: rebuild it. New reference. */
json_t *wire_own_turn(const wire_writer *w, const model_message *said);
/* What a turn of this model is marked with: its wire and the vendor's name of
 * it. NULL: out of memory. */
const char *wire_turn_mark(const models_endpoint *endpoint,
                           const models_model *model,
                           etna_arena *arena);
/* The id of a call of message `m`, or of a result that answers a call of the
 * message before: a server's own as it is, another's made fit for any vendor.
 * NULL: out of memory. */
json_t *wire_id(const wire_writer *w, uint32_t m, const char *id);
/* A tool's schema; that of an object without arguments when it is no JSON. */
json_t *wire_schema(const char *schema);
/* A call's arguments as an object: {} when they are none. */
json_t *wire_arguments(const char *text);
/* Did this server refuse that parameter before, in this run? */
bool wire_is_dropped(const wire_writer *w, const char *name);
/* The model's knobs into `into`: without those of `not_these`, or only those of
 * `only_these` (lists end with NULL; NULL: no such list). False: out of memory,
 * or a knob is no JSON. */
bool wire_put_knobs(const wire_writer *w,
                    json_t *into,
                    const char *const *not_these,
                    const char *const *only_these);
/* Takes `value`; false when it is NULL or memory ends, so that what was made
 * for it need not be checked. wire_append likewise. */
bool wire_put(json_t *object, const char *name, json_t *value);
/* Takes `value` over; false also where it is NULL. */
bool wire_append(json_t *array, json_t *value);
/* How a wire writes down what a tool answered. */
typedef struct wire_result_names {
    const char *member, *kind; /* of each row: what it is */
    const char *id, *text;     /* its members: of which call, the answer */
} wire_result_names;
/* Appends a row for each tool's answer in message `m`. False: out of memory. */
bool wire_put_results(const wire_writer *w,
                      uint32_t m,
                      json_t *rows,
                      const wire_result_names *names);
/* `row` with a tool's name, description and schema (under `schema_name`); takes
 * it. NULL: out of memory. */
json_t *wire_put_tool(const wire_writer *w,
                      json_t *row,
                      const model_tool *tool,
                      const char *schema_name);
/* The request's tools, a `row` each. NULL: out of memory. */
json_t *wire_tools(const wire_writer *w,
                   json_t *(*row)(const wire_writer *w,
                                  const model_tool *tool));
/* The tree's text cut at its images. Takes `root`. ETNA_E_NOMEM. */
etna_code wire_pieces(const wire_writer *w,
                      json_t *root,
                      provider_call *ret,
                      etna_error *err);

/* Those of the wire and the endpoint's own; never the key. ETNA_E_NOMEM. */
etna_code wire_put_headers(const wire *speak,
                           const models_endpoint *endpoint,
                           const model_request *request,
                           etna_arena *arena,
                           provider_call *ret,
                           etna_error *err);

/* ---- reading ---- */
/* A copy in the arena of at most `most` bytes, cut at a character's end, a NUL
 * in it as a space; "" for what is no string. */
const char *wire_string(wire_reader *r, const json_t *value, size_t most);
/* Adds `value`, when it is a string, to ret->text, whole or not at all;
 * MODEL_REPLY_TEXT_MAX in all. */
void wire_add_text(wire_reader *r, model_reply *ret, const json_t *value);
/* Is the member `name` this string? */
bool wire_is(const json_t *object, const char *name, const char *value);
/* 0 for what is no count */
uint64_t wire_count(const json_t *object, const char *name);
/* The count `name` of the member `inner`; 0 when either is missing. */
uint64_t wire_count_in(const json_t *object,
                       const char *inner,
                       const char *name);
/* Adds a call to ret->calls (which has room for MODEL_REPLY_CALLS_MAX): ids
 * made unique (then *ret_renamed), arguments as string or object, unwrapped;
 * with `cut` those that do not parse are left out. */
void wire_add_call(wire_reader *r,
                   model_reply *ret,
                   const json_t *id,
                   const json_t *name,
                   const json_t *arguments,
                   bool cut,
                   bool *ret_renamed);
/* Keeps `turn` as the model's own if it is not too large. */
void wire_keep_turn(wire_reader *r, model_reply *ret, const json_t *turn);
/* An answer without words or calls: says why, if `why` is a string. */
void wire_say_why(wire_reader *r, model_reply *ret, const json_t *why);
/* The text without a <think>..</think> in front of it. */
const char *wire_strip_thoughts(wire_reader *r, const char *text);

/* What went wrong, from a parsed body (or NULL) and the answer; fills all of
 * *ret but lost. ETNA_E_NOMEM. */
etna_code wire_failure(const wire_reader *r,
                       const json_t *root,
                       const provider_answer *answer,
                       provider_outcome *ret,
                       etna_error *err);
/* Of a server that does not say it: the words and the calls, what was thought
 * before them is not known. */
uint64_t provider_answer_tokens(const model_reply *reply);
/* The most tokens that may have gone in where `estimate` were reckoned and
 * `more` bytes went beside them: a vendor's own instructions and the pieces of
 * a large image are not seen from here. */
uint64_t provider_most_in(uint64_t estimate, uint64_t more);
/* Can a request have been so many tokens, and an answer of `size` bytes? A
 * server that claims more is not believed in money. Brings what is part of a
 * count down to the whole. */
bool provider_usage_can_be(const models *m,
                           const models_model *model,
                           const model_request *request,
                           size_t size,
                           message_usage *usage);
bool wire_has_error(const json_t *root); /* an error object behind HTTP 200 */

#endif
