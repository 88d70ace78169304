/* An asset: a model that can be brought into a scene, and what is known of it
 * without a language model. Its identity is the hash of the GLB that is made of
 * it, so that all files of one content are one asset. What is measured of that
 * content is its shape; what a catalogue or a file's place says of it, in
 * whatever language, is a source. Both are canonical bytes (proto/canon.h) in
 * the store, pure functions of the content and of ASSET_SCANNER. */
#ifndef ETNA_WORKER_ASSETS_ASSET_H
#define ETNA_WORKER_ASSETS_ASSET_H

#include "proto/arena.h"
#include "proto/error.h"
#include "proto/hash.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    /* raised when a shape or source of the same content comes out otherwise */
    ASSET_SCANNER = 4,
    ASSET_COLOURS = 12,
    ASSET_WORDS_MAX = 64,     /* languages of a source */
    ASSET_TEXT_MAX = 1 << 16, /* bytes of a text */
};

/* The names of the colours that an asset's surface is divided among, "black"
 * ... */
extern const char *const asset_colour_names[ASSET_COLOURS];

typedef struct asset_shape {
    double size[3]; /* width (X), height (Y), depth (Z), metres */
    uint32_t triangles;
    /* percent of the surface's area, by asset_colour_names */
    uint8_t colour[ASSET_COLOURS];
    /* percent that is seen through, that is metal */
    uint8_t clear, metal;
    /* percent of the box's foot that is covered, seen from above */
    uint8_t foot;
    /* that outline is a circle's, an ellipse's */
    bool round, oval;
    /* words of materials, sorted, with ' ' between */
    const char *materials;
} asset_shape;

/* What a model that sees said of it (caption.h). */
enum {
    CAPTION_PARTS = 3,
    CAPTION_TEXT_MAX = 600 /* bytes of a text */
};
typedef struct asset_caption {
    const char *model; /* that said it */
    const char *name;
    /* what it looks like, what it is for, where it is found */
    const char *parts[CAPTION_PARTS];
    /* 1 as it is presumed, 2 its right side, 3 behind, 4 left; 0: not said */
    uint32_t front;
} asset_caption;

typedef struct asset_words { /* in one language; "" when unsaid */
    const char *language, *name, *tags, *category;
} asset_words;

typedef struct asset {
    etna_hash hash;    /* of the GLB; zero: it could not be read */
    const char *fault; /* why; "" for a good one */
    const char *path;  /* of the file, absolute */
    uint32_t number;   /* in the library; 0: the file is the model */
    etna_hash stamp;   /* of the file's bytes */
    const char *id, *name, *tags, *category, *creator, *licence, *collection,
        *information;
    /* metres above the floor; of the surface things stand on; 0: unsaid */
    double elevation, top;
    bool movable, opening, light;
    uint32_t word_count;
    asset_words *words;
    asset_shape shape; /* not part of a source's bytes; nor is this: */
    const asset_caption *caption; /* NULL: none */
} asset;

/* An asset with every text "", movable. */
asset asset_empty(void);

/* Caller frees *ret. ETNA_E_NOMEM. */
etna_code asset_encode(const asset *a,
                       uint8_t **ret,
                       size_t *ret_size,
                       etna_error *err);
etna_code asset_shape_encode(const asset_shape *shape,
                             uint8_t **ret,
                             size_t *ret_size,
                             etna_error *err);
/* Texts live in the arena. ETNA_E_CORRUPT, ETNA_E_NOMEM; *ret is untouched
 * then. */
etna_code asset_decode(const uint8_t *data,
                       size_t size,
                       etna_arena *arena,
                       asset *ret,
                       etna_error *err);
/* Texts of *ret live in the arena. ETNA_E_CORRUPT for anything that
 * asset_shape_encode does not write. */
etna_code asset_shape_decode(const uint8_t *data,
                             size_t size,
                             etna_arena *arena,
                             asset_shape *ret,
                             etna_error *err);

/* "Scopia#12", or the file's name: how a person names it. */
void asset_short_name(const asset *a, char *to, size_t size);
/* Quarter turns counter-clockwise from above, from +Z to the side that is its
 * front: as a model that sees says of a file whose front nobody told. What a
 * catalogue lists faces +Z. */
uint32_t asset_front(const asset *a);
/* Its width, height and depth, as who looks at its front sees them. */
void asset_size(const asset *a, double ret[3]);
/* The licence as its short name, "CC-BY-3.0", "CC0", or as it is written. */
const char *asset_licence_short(const asset *a);

#endif
