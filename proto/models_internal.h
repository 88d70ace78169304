/* What models.c and models_yaml.c share. Nobody else includes this. */
#ifndef ETNA_PROTO_MODELS_INTERNAL_H
#define ETNA_PROTO_MODELS_INTERNAL_H

#include "proto/models.h"

#include <jansson.h>

etna_code models_read_tree(json_t *root,
                           etna_arena *arena,
                           models *ret,
                           etna_error *err);

#endif
