/* Compressed geometry: KHR_draco_mesh_compression and EXT_meshopt_compression
 * (KHR_meshopt_compression where it is written in the same way). It is decoded
 * once, when the bundle is made, and the bundle carries the decoded numbers
 * beside the file: so every worker computes on the same bits whatever library
 * it has, a foreign decoder meets a hostile file in one place only
 * (worker/convert runs it in a child with limits), and export gives back the
 * compressed bytes as they were.
 *
 * A decoded part is a file of the bundle under a URI that no scene can name:
 * "etna:accessor/7" is what Draco holds of accessor 7, its elements packed in
 * the accessor's own type; "etna:view/3" are the bytes of bufferView 3. Where
 * the file also holds the geometry uncompressed, that is read and nothing is
 * decoded. */
#ifndef ETNA_WORKER_GLTF_UNPACK_H
#define ETNA_WORKER_GLTF_UNPACK_H

#include "proto/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether the bundle's JSON speaks of compressed geometry: a look at its text,
 * cheap and never wrong to the other side for what a file's writer means to be
 * read. */
bool unpack_wanted(const uint8_t *bundle, size_t size);

/* Decodes all compressed geometry of the bundle into parts, in the order of the
 * file. Before a decoder runs, the counts that its data claims are held against
 * the accessors'; afterwards what it made is. ETNA_E_INPUT with the primitive
 * or view; ETNA_E_LIMIT above 2 GiB in all. Caller frees *ret_parts. */
etna_code unpack_parts(const uint8_t *bundle,
                       size_t size,
                       uint8_t **ret_parts,
                       size_t *ret_size,
                       etna_error *err);

/* The bundle with the parts in it; a new one, caller frees. ETNA_E_LIMIT when
 * it would be too large. */
etna_code unpack_join(const uint8_t *bundle,
                      size_t size,
                      const uint8_t *parts,
                      size_t parts_size,
                      uint8_t **ret_data,
                      size_t *ret_size,
                      etna_error *err);

#endif
