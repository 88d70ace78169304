/* The rows of a codec's table of fields, for message.c and arrange.c alone:
 * their names are short because a table is read by the line. A member is named
 * as its field in the .proto, where NAMED does not say otherwise. */
#ifndef ETNA_PROTO_CODEC_ROWS_H
#define ETNA_PROTO_CODEC_ROWS_H

#include "proto/array.h"
#include "proto/codec.h"

#define NAMED(name_, type_, struct_, member) \
    { \
        .name = name_, .type = type_, .at = offsetof(struct_, member) \
    }
#define SCALAR(type_, struct_, member) NAMED(#member, type_, struct_, member)
#define ENUM(struct_, member, most) \
    { \
        .name = #member, .type = CODEC_ENUM, .at = offsetof(struct_, member), \
        .max = most \
    }
#define TEXT(struct_, member, most) \
    { \
        .name = #member, .type = CODEC_TEXT, .at = offsetof(struct_, member), \
        .max = most \
    }
/* Not on the wire while it is 0; `most` is an ENUM's. */
#define SPARSE(type_, struct_, member, most) \
    SPARSE_NAMED(#member, type_, struct_, member, most)
#define SPARSE_NAMED(name_, type_, struct_, member, most) \
    { \
        .name = name_, .type = type_, .at = offsetof(struct_, member), \
        .max = most, .sparse = true \
    }
/* `count_` of what `member` points to: BYTES, HASHES or TEXTS, and TEXT_MAX for
 * these. */
#define MANY(type_, struct_, member, count_, most, text_most) \
    { \
        .name = #member, .type = type_, .at = offsetof(struct_, member), \
        .count_at = offsetof(struct_, count_), .max = most, \
        .text_max = text_most \
    }
#define BYTES(struct_, member, size_, most) \
    MANY(CODEC_BYTES, struct_, member, size_, most, 0)
#define HASHES(struct_, member, count_, most) \
    MANY(CODEC_HASHES, struct_, member, count_, most, 0)
#define TEXTS(struct_, member, count_, most, text_most) \
    MANY(CODEC_TEXTS, struct_, member, count_, most, text_most)
#define ONE(struct_, member, shape_) \
    { \
        .name = #member, .type = CODEC_ONE, .at = offsetof(struct_, member), \
        .shape = &(shape_) \
    }
/* Not on the wire while nothing is in it. */
#define SPARSE_ONE(struct_, member, shape_) \
    { \
        .name = #member, .type = CODEC_ONE, .at = offsetof(struct_, member), \
        .shape = &(shape_), .sparse = true \
    }
#define LIST(struct_, member, count_, most, shape_) \
    { \
        .name = #member, .type = CODEC_LIST, .at = offsetof(struct_, member), \
        .count_at = offsetof(struct_, count_), .max = most, .shape = &(shape_) \
    }
#define SKIP(name_) \
    { \
        .name = #name_, .type = CODEC_SKIP \
    }
#define SHAPE_OF(descriptor_, struct_, fields_, check_) \
    { \
        .descriptor = &(descriptor_), .fields = fields_, \
        .count = COUNT_OF(fields_), .size = sizeof(struct_), .check = check_ \
    }

#endif
