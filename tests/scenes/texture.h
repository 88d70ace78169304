/* Small pictures for the scene generator's materials: each tiles in both
 * directions, is made by integer noise and plain arithmetic, and is written as
 * a PNG with stored blocks, so that it has the same bytes on every machine.
 * They are light (white at most): the material's colour gives them their
 * hue. */
#ifndef ETNA_TESTS_SCENES_TEXTURE_H
#define ETNA_TESTS_SCENES_TEXTURE_H

#include <stddef.h>
#include <stdint.h>

typedef enum texture_kind {
    TEXTURE_WOOD,    /* grain along u */
    TEXTURE_PLANKS,  /* a floor of boards along u */
    TEXTURE_CLOTH,   /* a coarse weave */
    TEXTURE_RUG,     /* diamonds in rows */
    TEXTURE_TILES,   /* square, with joints */
    TEXTURE_PLASTER, /* nearly even */
    TEXTURE_STONE,   /* speckled: a worktop, flags */
    TEXTURE_GRASS,   /* blades and tufts */
    TEXTURE_BRICK,   /* a running bond with light joints */
    TEXTURE_STRAW,   /* wickerwork */
    TEXTURE_KINDS
} texture_kind;

const char *texture_name(texture_kind kind);
/* what one picture is across on the surface */
double texture_metres(texture_kind kind);
/* The picture as a PNG file; the caller frees *ret. Returns its size. */
size_t texture_png(texture_kind kind, uint8_t **ret);

#endif
