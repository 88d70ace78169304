/* The machine behind the tables of message.c and arrange.c; see codec.h. Depth
 * is bounded by the shapes, which do not recurse. */
#include "proto/codec_internal.h"

#include "proto/hash.h"
#include "proto/utf8.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Memory that unpacking may take: so many times the message, within these
 * bounds. SHAPE_SIZE_MAX: bytes of the largest plain struct. */
enum {
    BUDGET_LEAST = 64 << 10,
    BUDGET_MOST = 16 << 20,
    BUDGET_FACTOR = 8,
    SHAPE_SIZE_MAX = 1024
};

/* Always false, so that a check can end with it. */
bool codec_refuse(codec *c,
                  etna_code code,
                  const codec_shape *shape,
                  const char *field,
                  const char *why)
{
    c->code = etna_fail(c->err, code, "message field %s.%s: %s",
                        shape->descriptor->short_name, field, why);
    return false;
}

bool codec_out_of_memory(codec *c)
{
    c->code = etna_fail(c->err, ETNA_E_NOMEM,
                        "out of memory while handling a message");
    return false;
}

/* In both directions: we send no text that we would refuse. */
bool codec_text_ok(codec *c,
                   const codec_shape *shape,
                   const codec_field *field,
                   const char *text,
                   size_t max)
{
    size_t size = strnlen(text, max + 1);
    if (size > max)
        return codec_refuse(c, ETNA_E_LIMIT, shape, field->name,
                            "text is too long");
    if (!etna_utf8_valid(text, size))
        return codec_refuse(c, ETNA_E_MESSAGE, shape, field->name,
                            "text is not UTF-8");
    return true;
}

/* A number is the same on both sides but for a bool. */
bool codec_copy_number(codec *c,
                       const codec_shape *shape,
                       const codec_field *field,
                       const void *from,
                       void *to)
{
    if (field->type == CODEC_U64) {
        memcpy(to, from, sizeof(uint64_t));
    } else if (field->type == CODEC_F64) {
        double value;
        memcpy(&value, from, sizeof value);
        if (!isfinite(value))
            return codec_refuse(c, ETNA_E_MESSAGE, shape, field->name,
                                "number is not finite");
        memcpy(to, &value, sizeof value);
    } else {
        uint32_t value;
        memcpy(&value, from, sizeof value);
        if (field->type == CODEC_ENUM && value > field->max)
            return codec_refuse(c, ETNA_E_MESSAGE, shape, field->name,
                                "no such value");
        memcpy(to, &value, sizeof value);
    }
    return true;
}

static void put_pointer(void *at, const void *pointer)
{
    memcpy(at, &pointer, sizeof pointer);
}

size_t codec_item_size(const codec_field *field)
{
    if (field->type == CODEC_HASHES)
        return sizeof(etna_hash);
    return field->type == CODEC_TEXTS ? sizeof(char *) : field->shape->size;
}

/* ---- wire to plain ---- */

/* As it is; enums are checked by codec_copy_number. */
static bool get_scalar(codec *c,
                       const codec_shape *shape,
                       const codec_field *field,
                       const void *from,
                       void *to)
{
    if (field->type != CODEC_BOOL)
        return codec_copy_number(c, shape, field, from, to);
    protobuf_c_boolean wide;
    memcpy(&wide, from, sizeof wide);
    bool value = wide != 0;
    memcpy(to, &value, sizeof value);
    return true;
}

/* Hashes and ids have one length. */
static bool codec_get_fixed(codec *c,
                            const codec_shape *shape,
                            const codec_field *field,
                            const ProtobufCBinaryData *binary,
                            void *to,
                            size_t size)
{
    if (binary->len != size)
        return codec_refuse(c, ETNA_E_MESSAGE, shape, field->name,
                            "has the wrong length");
    memcpy(to, binary->data, size);
    return true;
}

/* A copy in the arena, which outlives the wire. */
static bool codec_get_text(codec *c,
                           const codec_shape *shape,
                           const codec_field *field,
                           const char *text,
                           size_t max,
                           void *to)
{
    if (!text)
        text = "";
    if (!codec_text_ok(c, shape, field, text, max))
        return false;
    const char *copy = etna_arena_strdup(c->arena, text);
    if (!copy)
        return codec_out_of_memory(c);
    memcpy(to, &copy, sizeof copy);
    return true;
}

/* The count is checked before memory is taken for it. */
static bool get_array(codec *c,
                      const codec_shape *shape,
                      const codec_field *field,
                      const ProtobufCMessage *wire,
                      const ProtobufCFieldDescriptor *d,
                      void *plain)
{
    size_t n;
    const char *from;
    memcpy(&n, (const char *)wire + d->quantifier_offset, sizeof n);
    memcpy(&from, (const char *)wire + d->offset, sizeof from);
    if (n > field->max)
        return codec_refuse(c, ETNA_E_LIMIT, shape, field->name, "too many");
    if (!n)
        return true;
    size_t unit = codec_item_size(field);
    char *to = etna_arena_alloc(c->arena, n, unit);
    if (!to)
        return codec_out_of_memory(c);
    for (size_t i = 0; i < n; i++) {
        bool ok;
        if (field->type == CODEC_HASHES) {
            ProtobufCBinaryData binary;
            memcpy(&binary, from + i * sizeof binary, sizeof binary);
            ok = codec_get_fixed(c, shape, field, &binary, to + i * unit,
                                 sizeof(etna_hash));
        } else {
            const void *one;
            memcpy(&one, from + i * sizeof one, sizeof one);
            ok = field->type == CODEC_TEXTS
                     ? codec_get_text(c, shape, field, one, field->text_max,
                                      to + i * unit)
                     : codec_from_wire(c, field->shape, one, to + i * unit);
        }
        if (!ok)
            return false;
    }
    uint32_t count = (uint32_t)n;
    memcpy((char *)plain + field->count_at, &count, sizeof count);
    put_pointer((char *)plain + field->at, to);
    return true;
}

/* A copy. */
static bool get_bytes(codec *c,
                      const codec_shape *shape,
                      const codec_field *field,
                      const ProtobufCBinaryData *binary,
                      void *plain)
{
    if (binary->len > field->max)
        return codec_refuse(c, ETNA_E_LIMIT, shape, field->name,
                            "too many bytes");
    const uint8_t *copy = NULL;
    if (binary->len) {
        copy = etna_arena_memdup(c->arena, binary->data, binary->len);
        if (!copy)
            return codec_out_of_memory(c);
    }
    put_pointer((char *)plain + field->at, copy);
    memcpy((char *)plain + field->count_at, &binary->len, sizeof binary->len);
    return true;
}

/* What is not there leaves the plain struct as it was, which the caller filled
 * with defaults. */
static bool get_field(codec *c,
                      const codec_shape *shape,
                      const codec_field *field,
                      const ProtobufCMessage *wire,
                      const ProtobufCFieldDescriptor *d,
                      void *plain)
{
    const void *from = (const char *)wire + d->offset;
    void *to = (char *)plain + field->at;
    protobuf_c_boolean present = 0;
    const void *pointer = NULL;
    ProtobufCBinaryData binary;
    switch (field->type) {
    case CODEC_SKIP: return true;
    case CODEC_LIST:
    case CODEC_HASHES:
    case CODEC_TEXTS: return get_array(c, shape, field, wire, d, plain);
    case CODEC_TEXT:
    case CODEC_ONE:
        memcpy(&pointer, from, sizeof pointer);
        if (!pointer)
            return true;
        return field->type == CODEC_TEXT
                   ? codec_get_text(c, shape, field, pointer, field->max, to)
                   : codec_from_wire(c, field->shape, pointer, to);
    default: break;
    }
    memcpy(&present, (const char *)wire + d->quantifier_offset, sizeof present);
    if (!present)
        return true;
    switch (field->type) {
    case CODEC_HASH:
    case CODEC_ID:
        memcpy(&binary, from, sizeof binary);
        return codec_get_fixed(c, shape, field, &binary, to,
                               field->type == CODEC_HASH ? sizeof(etna_hash)
                                                         : sizeof(etna_id));
    case CODEC_BYTES:
        memcpy(&binary, from, sizeof binary);
        return get_bytes(c, shape, field, &binary, plain);
    default: return get_scalar(c, shape, field, from, to);
    }
}

/* False: c->code says why; *plain may be part-filled. */
bool codec_from_wire(codec *c,
                     const codec_shape *shape,
                     const ProtobufCMessage *wire,
                     void *plain)
{
    for (size_t i = 0; i < shape->count; i++) {
        if (!get_field(c, shape, &shape->fields[i], wire,
                       &shape->descriptor->fields[i], plain))
            return false;
    }
    return !shape->check || shape->check(c, plain);
}

/* ---- bytes ---- */

/* protobuf-c asks for memory as a message tells it to: this is the limit. */
typedef struct budget {
    etna_arena *arena;
    bool starved; /* malloc failed, as opposed to the budget being used up */
} budget;

/* Tells lack of memory from a message that asks for too much. */
static void *budget_alloc(void *context, size_t size)
{
    budget *b = context;
    void *pointer = etna_arena_room(b->arena, size);
    if (!pointer && size < b->arena->limit &&
        b->arena->used < b->arena->limit - size)
        b->starved = true;
    return pointer;
}

static void budget_free(void *context, void *pointer)
{
    (void)context;
    (void)pointer; /* all goes with the arena */
}

etna_code codec_unpack(const ProtobufCMessageDescriptor *descriptor,
                       const uint8_t *data,
                       size_t size,
                       etna_arena *scratch,
                       ProtobufCMessage **ret_wire,
                       etna_error *err)
{
    static const uint8_t none = 0;
    size_t limit =
        size > BUDGET_MOST / BUDGET_FACTOR ? BUDGET_MOST : size * BUDGET_FACTOR;
    scratch->limit = limit < BUDGET_LEAST ? BUDGET_LEAST : limit;
    budget b = {.arena = scratch};
    ProtobufCAllocator allocator = {
        .alloc = budget_alloc, .free = budget_free, .allocator_data = &b};
    ProtobufCMessage *wire = protobuf_c_message_unpack(
        descriptor, &allocator, size, data ? data : &none);
    if (wire) {
        *ret_wire = wire;
        return ETNA_OK;
    }
    if (b.starved)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory while reading a message of %zu bytes",
                         size);
    return etna_fail(err, ETNA_E_MESSAGE, "%zu bytes are not a well-formed %s",
                     size, descriptor->short_name);
}

/* By way of a copy, so that *plain is untouched on failure. */
etna_code codec_unpack_shape(const codec_shape *shape,
                             const uint8_t *data,
                             size_t size,
                             size_t max,
                             etna_arena *arena,
                             void *plain,
                             etna_error *err)
{
    _Alignas(16) unsigned char copy[SHAPE_SIZE_MAX];
    if (size > max)
        return etna_fail(err, ETNA_E_LIMIT,
                         "a payload of %zu bytes is above the limit of %zu",
                         size, max);
    if (shape->size > sizeof copy)
        return etna_fail(err, ETNA_E_INTERNAL, "SHAPE_SIZE_MAX is too small");
    etna_arena scratch = ETNA_ARENA_INIT;
    codec c = {.arena = arena, .err = err};
    ProtobufCMessage *wire = NULL;
    c.code = codec_unpack(shape->descriptor, data, size, &scratch, &wire, err);
    if (!c.code) {
        memcpy(copy, plain, shape->size);
        if (codec_from_wire(&c, shape, wire, copy))
            memcpy(plain, copy, shape->size);
    }
    etna_arena_free(&scratch);
    return c.code;
}
