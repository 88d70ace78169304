/* What codec.c, codec_write.c and message.c share. */
#ifndef ETNA_PROTO_CODEC_INTERNAL_H
#define ETNA_PROTO_CODEC_INTERNAL_H

#include "proto/codec.h"
#include "proto/hash.h"

/* One behind the other in a message: the fields of a shape, or, with a number,
 * all of it as that field. */
typedef struct codec_part {
    const codec_shape *shape;
    const void *plain;
    uint32_t number;
} codec_part;

/* Into malloc'd bytes. ETNA_E_LIMIT above `max` of them. */
etna_code codec_pack(const codec_part *parts,
                     size_t part_count,
                     size_t max,
                     uint8_t **ret_data,
                     size_t *ret_size,
                     etna_error *err);

/* In both directions: we send no text and no number that we would refuse. */
bool codec_text_ok(codec *c,
                   const codec_shape *shape,
                   const codec_field *field,
                   const char *text,
                   size_t max);
bool codec_copy_number(codec *c,
                       const codec_shape *shape,
                       const codec_field *field,
                       const void *from,
                       void *to);
/* Bytes of an item of a list of plain values. */
size_t codec_item_size(const codec_field *field);
/* Always false. */
bool codec_out_of_memory(codec *c);

#endif
