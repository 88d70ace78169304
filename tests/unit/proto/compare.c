/* See compare.h. */
#include "compare.h"

#include "proto/hash.h"
#include <string.h>

static size_t scalar_size(codec_type type)
{
    switch (type) {
    case CODEC_U32:
    case CODEC_ENUM: return 4;
    case CODEC_U64:
    case CODEC_F64: return 8;
    case CODEC_BOOL: return sizeof(bool);
    case CODEC_HASH: return sizeof(etna_hash);
    case CODEC_ID: return sizeof(etna_id);
    default: return 0;
    }
}

static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool same_list(const codec_field *f, const char *a, const char *b)
{
    uint32_t n, m;
    const char *x, *y;
    memcpy(&n, a + f->count_at, sizeof n);
    memcpy(&m, b + f->count_at, sizeof m);
    memcpy(&x, a + f->at, sizeof x);
    memcpy(&y, b + f->at, sizeof y);
    if (n != m)
        return false;
    if (f->type == CODEC_HASHES)
        return n == 0 || memcmp(x, y, n * sizeof(etna_hash)) == 0;
    for (uint32_t i = 0; i < n; i++) {
        if (f->type == CODEC_TEXTS) {
            const char *s, *t;
            memcpy(&s, x + i * sizeof s, sizeof s);
            memcpy(&t, y + i * sizeof t, sizeof t);
            if (!same_text(s, t))
                return false;
        } else if (compare_shape(f->shape, x + i * f->shape->size,
                                 y + i * f->shape->size)) {
            return false;
        }
    }
    return true;
}

static bool same_field(const codec_field *f, const char *a, const char *b)
{
    const char *x, *y;
    size_t n, m;
    switch (f->type) {
    case CODEC_SKIP: return true;
    case CODEC_ONE:
        return compare_shape(f->shape, a + f->at, b + f->at) == NULL;
    case CODEC_TEXT:
        memcpy(&x, a + f->at, sizeof x);
        memcpy(&y, b + f->at, sizeof y);
        return same_text(x, y);
    case CODEC_BYTES:
        memcpy(&x, a + f->at, sizeof x);
        memcpy(&y, b + f->at, sizeof y);
        memcpy(&n, a + f->count_at, sizeof n);
        memcpy(&m, b + f->count_at, sizeof m);
        return n == m && (n == 0 || memcmp(x, y, n) == 0);
    case CODEC_LIST:
    case CODEC_HASHES:
    case CODEC_TEXTS: return same_list(f, a, b);
    default: return memcmp(a + f->at, b + f->at, scalar_size(f->type)) == 0;
    }
}

const char *compare_shape(const codec_shape *shape,
                          const void *a,
                          const void *b)
{
    for (size_t i = 0; i < shape->count; i++) {
        if (!same_field(&shape->fields[i], a, b))
            return shape->fields[i].name;
    }
    return NULL;
}

static bool filled(const codec_field *f, const char *value)
{
    static const char zero[64];
    const void *pointer;
    switch (f->type) {
    case CODEC_SKIP: return true;
    case CODEC_ONE: return unfilled_field(f->shape, value + f->at) == NULL;
    case CODEC_TEXT:
    case CODEC_BYTES:
    case CODEC_LIST:
    case CODEC_HASHES:
    case CODEC_TEXTS:
        memcpy(&pointer, value + f->at, sizeof pointer);
        return pointer != NULL;
    default: return memcmp(value + f->at, zero, scalar_size(f->type)) != 0;
    }
}

const char *unfilled_field(const codec_shape *shape, const void *value)
{
    for (size_t i = 0; i < shape->count; i++) {
        if (!filled(&shape->fields[i], value))
            return shape->fields[i].name;
    }
    return NULL;
}
