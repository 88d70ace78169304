/* Forwarders of the functions of Assimp that are used here. */
#include "worker/convert/assimp_late.h"
#include "proto/late.h"

#include <assimp/cimport.h>
#include <assimp/material.h>

#include <stdbool.h>

#define FUNCTIONS(X) \
    X(aiCreatePropertyStore) \
    X(aiGetErrorString) \
    X(aiGetMaterialColor) \
    X(aiGetMaterialFloatArray) \
    X(aiGetMaterialString) \
    X(aiGetMaterialTexture) \
    X(aiGetMaterialUVTransform) \
    X(aiImportFileExWithProperties) \
    X(aiReleaseImport) \
    X(aiReleasePropertyStore) \
    X(aiSetImportPropertyInteger)

static struct {
    FUNCTIONS(LATE_MEMBER)
} late;
static const late_function functions[] = {FUNCTIONS(LATE_ROW)};
static late_library library = LATE_LIBRARY(ETNA_ASSIMP_SONAME, functions);

etna_code assimp_load(etna_error *err) { return late_ready(&library, err); }

static bool ready(void) { return late_ready(&library, NULL) == ETNA_OK; }

struct aiPropertyStore *aiCreatePropertyStore(void) { return ready() ? late.aiCreatePropertyStore() : NULL; }

void aiReleasePropertyStore(struct aiPropertyStore *store)
{
    if (ready()) late.aiReleasePropertyStore(store);
}

void aiSetImportPropertyInteger(struct aiPropertyStore *store, const char *name, int value)
{
    if (ready()) late.aiSetImportPropertyInteger(store, name, value);
}

const struct aiScene *aiImportFileExWithProperties(const char *file, unsigned int flags, struct aiFileIO *io,
                                                   const struct aiPropertyStore *store)
{
    return ready() ? late.aiImportFileExWithProperties(file, flags, io, store) : NULL;
}

void aiReleaseImport(const struct aiScene *s)
{
    if (ready()) late.aiReleaseImport(s);
}

const char *aiGetErrorString(void) { return ready() ? late.aiGetErrorString() : library.trouble.text; }

aiReturn aiGetMaterialFloatArray(const struct aiMaterial *m, const char *key, unsigned int type, unsigned int index,
                                 ai_real *ret, unsigned int *max)
{
    return ready() ? late.aiGetMaterialFloatArray(m, key, type, index, ret, max) : aiReturn_FAILURE;
}

aiReturn aiGetMaterialColor(const struct aiMaterial *m, const char *key, unsigned int type, unsigned int index,
                            struct aiColor4D *ret)
{
    return ready() ? late.aiGetMaterialColor(m, key, type, index, ret) : aiReturn_FAILURE;
}

aiReturn aiGetMaterialUVTransform(const struct aiMaterial *m, const char *key, unsigned int type, unsigned int index,
                                  struct aiUVTransform *ret)
{
    return ready() ? late.aiGetMaterialUVTransform(m, key, type, index, ret) : aiReturn_FAILURE;
}

aiReturn aiGetMaterialString(const struct aiMaterial *m, const char *key, unsigned int type, unsigned int index,
                             struct aiString *ret)
{
    return ready() ? late.aiGetMaterialString(m, key, type, index, ret) : aiReturn_FAILURE;
}

aiReturn aiGetMaterialTexture(const struct aiMaterial *m, enum aiTextureType type, unsigned int index,
                              struct aiString *path, enum aiTextureMapping *mapping, unsigned int *uv, ai_real *blend,
                              enum aiTextureOp *op, enum aiTextureMapMode *mode, unsigned int *flags)
{
    return ready() ? late.aiGetMaterialTexture(m, type, index, path, mapping, uv, blend, op, mode, flags)
                   : aiReturn_FAILURE;
}
