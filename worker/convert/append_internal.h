/* A GLB's text under the knife: what append.c and append_strip.c share. Faults
 * stick and come out at the end. */
#ifndef ETNA_WORKER_CONVERT_APPEND_INTERNAL_H
#define ETNA_WORKER_CONVERT_APPEND_INTERNAL_H

#include "worker/convert/append.h"
#include "worker/gltf/gltf.h"
#include "worker/gltf/json.h"

#define APPEND_REMOVED \
    "etna_removed" /* in asset.extras: numbers of nodes that were dropped */
#define APPEND_RECORD \
    "etna_added" /* in asset.extras: the layers, last one last */

enum {
    APPEND_ROOT_LISTS = 11
};
extern const char *const
    /* lists of the document that an append may lengthen */
    append_root_lists[APPEND_ROOT_LISTS];

typedef struct surgery {
    gltf_chunks chunks; /* of the file as it came */
    const uint8_t *bytes;
    json_t *root; /* the text as it came, parsed */
    /* as it is now, without the spaces at its end; NUL-terminated */
    char *text;
    size_t size, spaces;
    bool failed; /* out of memory */
} surgery;

/* ETNA_E_INPUT: no GLB, or no JSON. surgery_end in every case. */
etna_code surgery_begin(surgery *s,
                        const uint8_t *file,
                        size_t size,
                        etna_error *err);
void surgery_end(surgery *s);

/* Where things stand in the text as it is now; false: not there (or written
 * with escapes). */
bool surgery_asset(const surgery *s, json_span *ret);
bool surgery_extras(const surgery *s, json_span *ret);
bool surgery_scene(const surgery *s, json_span *ret); /* the default scene */
/* Each edit moves what stands behind it, so that spans are found anew after it.
 * When memory ends, s->failed sticks, and surgery_finish says so. */
/* Replaces the bytes [begin, end). */
void surgery_put(surgery *s, size_t begin, size_t end, const char *with);
/* Sets the member to the JSON text `value`: replaces the old one, or adds
 * it. */
void surgery_set(surgery *s,
                 json_span object,
                 const char *key,
                 const char *value);
void surgery_remove(surgery *s,
                    json_span object,
                    const char *key); /* nothing where it is not there */
/* Elements (",{...},{...}") behind the last of a list, which is made where
 * there is none. */
void surgery_lengthen(surgery *s,
                      json_span object,
                      const char *key,
                      const char *elements);
/* Cuts the list back to `count` elements; below 0: the list goes. */
void surgery_shorten(surgery *s,
                     json_span object,
                     const char *key,
                     int64_t count);

/* The file with the text as it is now, with `bin` as its binary chunk (NULL:
 * none), and all behind these as it was. `spaces`: at the text's end, where
 * that fits. */
etna_code surgery_finish(surgery *s,
                         const uint8_t *bin,
                         size_t bin_size,
                         size_t spaces,
                         uint8_t **ret,
                         size_t *ret_size,
                         etna_error *err);

/* The layers' list, or NULL. */
json_t *append_record(const json_t *root);

#endif
