/* Plain structs to bytes: the other direction of codec.c. What we send is our
 * own, so it needs no detour by protobuf-c's structs: the bytes are written from
 * the last one to the first, so that a message within a message is there, and
 * its size known, before what leads it. They are the bytes that protobuf-c would
 * write, which tests/unit/proto/test_shapes.c holds. */
#include "proto/codec_internal.h"

#include <stdlib.h>
#include <string.h>

/* Bytes that grow to the front of their room, and their size, which goes on
 * being counted when that is full. */
typedef struct codec_writer {
    codec *c; /* its checks and its complaint; it needs no arena */
    uint8_t *bytes;
    size_t room, size;
} codec_writer;

enum {
    WIRE_VARINT = 0,
    WIRE_FIXED64 = 1,
    WIRE_SIZED = 2
};

/* Room for so many bytes in front of what is there; NULL: it is at its end, and
 * from here on sizes alone are counted. */
static uint8_t *writer_take(codec_writer *w, size_t size)
{
    w->size += size;
    return w->size <= w->room ? w->bytes + w->room - w->size : NULL;
}

static void writer_raw(codec_writer *w, const void *data, size_t size)
{
    uint8_t *to = writer_take(w, size);
    if (to && size)
        memcpy(to, data, size);
}

static void writer_varint(codec_writer *w, uint64_t value)
{
    size_t size = 1;
    for (uint64_t left = value >> 7; left; left >>= 7)
        size++;
    uint8_t *to = writer_take(w, size);
    if (!to)
        return;
    for (; value >= 0x80; value >>= 7)
        *to++ = (uint8_t)(value | 0x80);
    *to = (uint8_t)value;
}

static void writer_tag(codec_writer *w, uint32_t number, uint32_t type)
{
    writer_varint(w, (uint64_t)number << 3 | type);
}

static void writer_sized(codec_writer *w,
                         uint32_t number,
                         const void *data,
                         size_t size)
{
    writer_raw(w, data, size);
    writer_varint(w, size);
    writer_tag(w, number, WIRE_SIZED);
}

static void writer_fixed64(codec_writer *w, uint32_t number, uint64_t value)
{
    uint8_t bytes[8];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(value >> 8 * i);
    writer_raw(w, bytes, sizeof bytes);
    writer_tag(w, number, WIRE_FIXED64);
}

/* Hashes and ids of zeros are left out on the wire. */
static bool all_zero(const uint8_t *bytes, size_t size)
{
    static const uint8_t zeros[sizeof(etna_hash)];
    return memcmp(bytes, zeros, size) == 0;
}

/* Bytes of a number in the plain struct. */
static size_t scalar_size(codec_type type)
{
    switch (type) {
    case CODEC_BOOL: return sizeof(bool);
    case CODEC_U64:
    case CODEC_F64: return sizeof(uint64_t);
    default: return sizeof(uint32_t);
    }
}

/* A sparse 0 is left out. The same memory is read whatever its type, so it is
 * copied and not cast. */
static bool write_scalar(codec_writer *w,
                         const codec_shape *shape,
                         const codec_field *field,
                         const void *from,
                         const ProtobufCFieldDescriptor *d)
{
    uint64_t wide = 0;
    uint32_t narrow = 0;
    bool flag;
    if (field->sparse && all_zero(from, scalar_size(field->type)))
        return true;
    if (field->type == CODEC_BOOL) {
        memcpy(&flag, from, sizeof flag);
        narrow = flag;
    } else if (scalar_size(field->type) == sizeof wide) {
        if (!codec_copy_number(w->c, shape, field, from, &wide))
            return false;
    } else if (!codec_copy_number(w->c, shape, field, from, &narrow)) {
        return false;
    }
    if (d->type == PROTOBUF_C_TYPE_DOUBLE ||
        d->type == PROTOBUF_C_TYPE_FIXED64) {
        writer_fixed64(w, d->id, wide);
    } else {
        writer_varint(w, wide | narrow);
        writer_tag(w, d->id, WIRE_VARINT);
    }
    return true;
}

static bool write_shape(codec_writer *w,
                        const codec_shape *shape,
                        const void *plain);

/* A message in a message; where it is sparse, one without anything is left
 * out. */
static bool write_one(codec_writer *w,
                      const codec_shape *shape,
                      const void *from,
                      uint32_t number,
                      bool is_sparse)
{
    const size_t before = w->size;
    if (!write_shape(w, shape, from))
        return false;
    if (is_sparse && w->size == before)
        return true;
    writer_varint(w, w->size - before);
    writer_tag(w, number, WIRE_SIZED);
    return true;
}

static bool write_text(codec_writer *w,
                       const codec_shape *shape,
                       const codec_field *field,
                       const char *text,
                       size_t max,
                       uint32_t number)
{
    if (!codec_text_ok(w->c, shape, field, text, max))
        return false;
    writer_sized(w, number, text, strlen(text));
    return true;
}

static bool write_item(codec_writer *w,
                       const codec_shape *shape,
                       const codec_field *field,
                       const char *from,
                       uint32_t number)
{
    const char *text;
    if (field->type == CODEC_HASHES) {
        writer_sized(w, number, from, sizeof(etna_hash));
        return true;
    }
    if (field->type != CODEC_TEXTS)
        return write_one(w, field->shape, from, number, false);
    memcpy(&text, from, sizeof text);
    if (!text)
        return codec_refuse(w->c, ETNA_E_MESSAGE, shape, field->name,
                            "a text is missing");
    return write_text(w, shape, field, text, field->text_max, number);
}

static bool write_array(codec_writer *w,
                        const codec_shape *shape,
                        const codec_field *field,
                        const char *plain,
                        uint32_t number)
{
    uint32_t count;
    const char *from;
    memcpy(&count, plain + field->count_at, sizeof count);
    memcpy(&from, plain + field->at, sizeof from);
    if (count > field->max)
        return codec_refuse(w->c, ETNA_E_LIMIT, shape, field->name, "too many");
    const size_t unit = codec_item_size(field);
    for (uint32_t i = count; i-- > 0;) {
        if (!write_item(w, shape, field, from + i * unit, number))
            return false;
    }
    return true;
}

/* None is left out. */
static bool write_bytes(codec_writer *w,
                        const codec_shape *shape,
                        const codec_field *field,
                        const char *plain,
                        uint32_t number)
{
    const uint8_t *data;
    size_t size;
    memcpy(&data, plain + field->at, sizeof data);
    memcpy(&size, plain + field->count_at, sizeof size);
    if (size > field->max)
        return codec_refuse(w->c, ETNA_E_LIMIT, shape, field->name,
                            "too many bytes");
    if (size)
        writer_sized(w, number, data, size);
    return true;
}

/* By its type; the table's row and protobuf's descriptor belong together. */
static bool write_field(codec_writer *w,
                        const codec_shape *shape,
                        const codec_field *field,
                        const char *plain,
                        const ProtobufCFieldDescriptor *d)
{
    const char *from = plain + field->at, *text;
    const size_t fixed =
        field->type == CODEC_HASH ? sizeof(etna_hash) : sizeof(etna_id);
    switch (field->type) {
    case CODEC_SKIP: return true;
    case CODEC_HASH:
    case CODEC_ID:
        if (!all_zero((const uint8_t *)from, fixed))
            writer_sized(w, d->id, from, fixed);
        return true;
    case CODEC_TEXT:
        memcpy(&text, from, sizeof text);
        return !text || write_text(w, shape, field, text, field->max, d->id);
    case CODEC_BYTES: return write_bytes(w, shape, field, plain, d->id);
    case CODEC_ONE:
        return write_one(w, field->shape, from, d->id, field->sparse);
    case CODEC_LIST:
    case CODEC_HASHES:
    case CODEC_TEXTS: return write_array(w, shape, field, plain, d->id);
    default: return write_scalar(w, shape, field, from, d);
    }
}

/* False: w->c->code says why. The check comes last, as it may rely on the
 * bounds. */
static bool write_shape(codec_writer *w,
                        const codec_shape *shape,
                        const void *plain)
{
    for (size_t i = shape->count; i-- > 0;) {
        if (!write_field(w, shape, &shape->fields[i], plain,
                         &shape->descriptor->fields[i]))
            return false;
    }
    return !shape->check || shape->check(w->c, plain);
}

/* All of it, from the last field to the first. */
static bool write_parts(codec_writer *w,
                        const codec_part *parts,
                        size_t part_count)
{
    w->size = 0;
    for (size_t i = part_count; i-- > 0;) {
        const codec_part *part = &parts[i];
        bool is_written =
            part->number
                ? write_one(w, part->shape, part->plain, part->number, false)
                : write_shape(w, part->shape, part->plain);
        if (!is_written)
            return false;
    }
    return true;
}

/* What does not fit into the first room is written again where it does. */
etna_code codec_pack(const codec_part *parts,
                     size_t part_count,
                     size_t max,
                     uint8_t **ret_data,
                     size_t *ret_size,
                     etna_error *err)
{
    enum {
        FEW = 1024
    };
    uint8_t few[FEW];
    codec c = {.err = err};
    codec_writer w = {.c = &c, .bytes = few, .room = sizeof few};
    if (!write_parts(&w, parts, part_count))
        return c.code;
    const size_t size = w.size;
    if (size > max)
        return etna_fail(err, ETNA_E_LIMIT,
                         "a message of %zu bytes is above the limit of %zu",
                         size, max);
    uint8_t *data = malloc(size ? size : 1);
    if (!data)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory for a message of %zu bytes", size);
    if (size > sizeof few) {
        w = (codec_writer){.c = &c, .bytes = data, .room = size};
        write_parts(&w, parts, part_count);
    } else {
        memcpy(data, few + sizeof few - size, size);
    }
    *ret_data = data;
    *ret_size = size;
    return ETNA_OK;
}

/* For payloads without an envelope. */
etna_code codec_pack_shape(const codec_shape *shape,
                           const void *plain,
                           size_t max,
                           uint8_t **ret_data,
                           size_t *ret_size,
                           etna_error *err)
{
    const codec_part whole = {shape, plain, 0};
    return codec_pack(&whole, 1, max, ret_data, ret_size, err);
}

/* What packing would give, without the bytes. */
etna_code codec_size_shape(const codec_shape *shape,
                           const void *plain,
                           size_t *ret_size,
                           etna_error *err)
{
    codec c = {.err = err};
    codec_writer w = {.c = &c};
    if (!write_shape(&w, shape, plain))
        return c.code;
    *ret_size = w.size;
    return ETNA_OK;
}
