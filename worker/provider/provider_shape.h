/* What servers of the chat wire make of its answers: a stream that nobody asked
 * for, a byte order mark, an answer within a list or an envelope. Pure. Nobody
 * outside this room includes this. */
#ifndef ETNA_WORKER_PROVIDER_PROVIDER_SHAPE_H
#define ETNA_WORKER_PROVIDER_PROVIDER_SHAPE_H

#include <jansson.h>
#include <stddef.h>

/* The answer's JSON, perhaps behind a byte order mark; of an event stream's
 * chunks the one answer that they are pieces of. A new reference; NULL:
 * neither, or out of memory. */
json_t *shape_parse(const char *data, size_t size);
/* json_loadb(), and NULL for what would take more than a quarter of a gigabyte:
 * no model says that much, and a worker would die of it. */
json_t *shape_load(const char *data, size_t size, size_t flags);
/* An answer of the chat wire, found where it is the only one of a list, in an
 * envelope's `data`, or a choice has it as `delta` or plain `text`. Takes
 * `root` (or NULL) and returns it, or what was found in it, as a new
 * reference. */
json_t *shape_chat(json_t *root);

#endif
