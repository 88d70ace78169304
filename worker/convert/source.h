/* Where a foreign scene's files come from: the folder it lies in, or an
 * archive. Names are hostile: a relative one is opened beneath that place only,
 * one that leads outside is refused and remembered. Internal to
 * worker/convert. */
#ifndef ETNA_WORKER_CONVERT_SOURCE_H
#define ETNA_WORKER_CONVERT_SOURCE_H

#include "proto/error.h"
#include "worker/convert/archive.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct source {
    int folder; /* when there is no archive */
    /* the scene's own name in it: the user's word, so it may be a link that
     * leads outside; NULL: none */
    const char *own;
    archive *archive; /* borrowed; names are beneath `base` of it */
    const char *base; /* "" or "folder/of/the/model/" */
    size_t taken;     /* bytes read so far */
    /* the first name that leads outside, or a bound that was exceeded; ETNA_OK:
     * none */
    etna_error refusal;
} source;

/* Reads a file by the name that another file gives it. Returns false when it is
 * not there or may not be read (`refusal` is set when it leads outside). Caller
 * frees *ret_data, which has a NUL behind its end. The text of OBJ, MTL and DAE
 * is UTF-8 even where the file is UTF-16. */
bool source_read(source *s,
                 const char *name,
                 uint8_t **ret_data,
                 size_t *ret_size);
/* The same for a picture: a name that leads outside (an absolute one, of the
 * author's machine; "../textures/a.png"; an address) is looked for by its last
 * part, beside the scene and in a folder `textures`; that is no refusal. */
bool source_read_picture(source *s,
                         const char *name,
                         uint8_t **ret_data,
                         size_t *ret_size);

/* Why source_read_picture() found none by that name, as the end of a sentence
 * that begins with it. */
const char *source_missing_picture(const source *s, const char *name);

/* Does a name have such an end, in whatever case, and something before it? */
bool source_ends_with(const char *name, const char *end);

#endif
