/* `.blend` files, by an installed Blender: its own glTF exporter writes the
 * GLB. Internal to worker/convert. */
#ifndef ETNA_WORKER_CONVERT_BLEND_H
#define ETNA_WORKER_CONVERT_BLEND_H

#include "proto/error.h"

#include <stddef.h>
#include <stdint.h>

/* ETNA_E_INPUT: no Blender here (and what to do), or it could not read the
 * file. Caller frees *ret_glb. Scripts inside the file are not run; what it
 * links to outside its folder is left out. */
etna_code blend_convert(const char *path,
                        uint8_t **ret_glb,
                        size_t *ret_size,
                        etna_error *err);

#endif
