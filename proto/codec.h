/* Between plain structs and protobuf-c's: one table of fields per struct says
 * both directions and every bound, so that what we pack is what we would
 * accept, and a new field is one line. Private to proto/; message.h and
 * arrange.h are the public face.
 *
 * A shape's table has one line per field of its protobuf message, in the order
 * of the field numbers (a unit test compares names and counts), so the
 * generated descriptor supplies the offsets on that side. */
#ifndef ETNA_PROTO_CODEC_H
#define ETNA_PROTO_CODEC_H

#include "proto/arena.h"
#include "proto/error.h"
#include <protobuf-c/protobuf-c.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum codec_type {
    CODEC_SKIP = 1, /* on the wire for later versions; no member here */
    CODEC_U32,
    CODEC_U64,
    CODEC_ENUM, /* uint32_t member, 0..max */
    CODEC_BOOL,
    CODEC_F64,   /* finite */
    CODEC_HASH,  /* zero: absent */
    CODEC_ID,    /* zero: absent */
    CODEC_TEXT,  /* const char *, at most max bytes, UTF-8; NULL: absent */
    CODEC_BYTES, /* const uint8_t * and a size_t at count_at, at most max */
    CODEC_ONE,   /* a struct by value, `shape` */
    /* const T * and a uint32_t at count_at, at most max of `shape` */
    CODEC_LIST,
    CODEC_HASHES, /* const etna_hash * and a uint32_t at count_at */
    /* const char *const * and a uint32_t at count_at; each at most text_max
     * bytes */
    CODEC_TEXTS
} codec_type;

typedef struct codec codec;
typedef struct codec_shape codec_shape;

typedef struct codec_field {
    /* as in the .proto, for complaints; held against it by a unit test */
    const char *name;
    codec_type type;
    /* offsets in the plain struct: of the member, and of its count where it has
     * one (BYTES: size_t; LIST, HASHES, TEXTS: uint32_t) */
    size_t at, count_at;
    /* ENUM: the greatest value; TEXT, BYTES: bytes; LIST, HASHES, TEXTS: items.
     * text_max: bytes of each of TEXTS */
    uint32_t max, text_max;
    /* ONE, LIST: of what */
    const codec_shape *shape;
    /* U32, ENUM, BOOL: 0 is not written, so that messages without it have the
     * bytes they had before the field */
    bool sparse;
} codec_field;

struct codec_shape {
    /* protobuf-c's generated one: names, offsets and presence on the wire's
     * side */
    const ProtobufCMessageDescriptor *descriptor;
    /* one per field of the descriptor, in the order of the field numbers */
    const codec_field *fields;
    size_t count;
    size_t size; /* of the plain struct */
    /* What one field's bounds cannot say; NULL: nothing. Calls codec_refuse and
     * returns false. Runs in both directions. */
    bool (*check)(codec *c, const void *value);
};

struct codec {
    /* what the output is made in; borrowed, and on failure it keeps the
     * pieces */
    etna_arena *arena;
    /* where a complaint goes; may be NULL */
    etna_error *err;
    /* ETNA_OK until something failed; the first failure ends the work */
    etna_code code;
};

/* Records why and returns false. `field` is a name in the .proto, `shape` tells
 * in what. */
bool codec_refuse(codec *c,
                  etna_code code,
                  const codec_shape *shape,
                  const char *field,
                  const char *why);

/* Wire to plain: everything copied into c->arena. Members whose field is absent
 * keep what `plain` held. */
bool codec_from_wire(codec *c,
                     const codec_shape *shape,
                     const ProtobufCMessage *wire,
                     void *plain);

/* protobuf_c_message_unpack with a byte budget: 8 x size, at least 64 KiB
 * (small messages have fixed costs), at most 16 MiB. The result lives in
 * `scratch`, an empty arena whose limit is set here. ETNA_E_MESSAGE when the
 * bytes are no such message or need more than the budget, ETNA_E_NOMEM. */
etna_code codec_unpack(const ProtobufCMessageDescriptor *descriptor,
                       const uint8_t *data,
                       size_t size,
                       etna_arena *scratch,
                       ProtobufCMessage **ret_wire,
                       etna_error *err);

/* A whole payload of one shape, both ways (what arrange.h exports per struct).
 * `plain` is written only on success; its absent fields keep what it held. */
etna_code codec_pack_shape(const codec_shape *shape,
                           const void *plain,
                           size_t max,
                           uint8_t **ret_data,
                           size_t *ret_size,
                           etna_error *err);
/* How many bytes packing would take. */
etna_code codec_size_shape(const codec_shape *shape,
                           const void *plain,
                           size_t *ret_size,
                           etna_error *err);
etna_code codec_unpack_shape(const codec_shape *shape,
                             const uint8_t *data,
                             size_t size,
                             size_t max,
                             etna_arena *arena,
                             void *plain,
                             etna_error *err);

/* All shapes of message.c and of arrange.c, for the test that holds tables and
 * .proto files together; NULL-terminated. */
extern const codec_shape *const message_shapes[];
/* the header fields; the bodies' fields follow in the order of message_kind */
extern const codec_shape message_envelope_shape;
extern const codec_shape message_usage_shape;
/* of a message_kind above NONE */
const codec_shape *message_body_shape(uint32_t kind);
extern const codec_shape *const arrange_shapes[];

#endif
