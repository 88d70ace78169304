/* OBJ, FBX, PLY, STL and DAE through Assimp to GLB. Runs in the converter's
 * child. Internal to worker/convert. */
#ifndef ETNA_WORKER_CONVERT_FOREIGN_H
#define ETNA_WORKER_CONVERT_FOREIGN_H

#include "proto/error.h"
#include "worker/convert/catalogue.h"
#include "worker/convert/glb.h"
#include "worker/convert/source.h"

#include <stdbool.h>

typedef struct foreign_options {
    double metres_per_unit; /* 0: what the file declares, else 1 */
    /* 'Y', 'Z' or 0: what the file declares, else Y */
    char up;
    /* of a library: one object with this name and size; NULL: a scene with its
     * own nodes */
    const catalogue_model *model;
    /* what the file leaves unnamed is not called after it: equal files come out
     * equal */
    bool nameless;
} foreign_options;

/* Reads the scene `name` of the source and writes it into the GLB: metres, Y
 * up. ETNA_E_INPUT, ETNA_E_LIMIT. */
etna_code foreign_convert(source *files,
                          const char *name,
                          const foreign_options *options,
                          glb *out,
                          etna_error *err);

#endif
