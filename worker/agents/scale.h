/* What a model counts image coordinates in. We ask for 0 to 1; families of
 * models were taught thousandths or pixels and keep to that whatever is asked.
 * A number tells which it is where only one of them can be so large; a value
 * that could be either waits for the configuration, for an answer that did
 * tell, or for the model's own word. Pure. */
#ifndef ETNA_WORKER_AGENTS_SCALE_H
#define ETNA_WORKER_AGENTS_SCALE_H

#include "proto/arrange.h"
#include "proto/error.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum point_unit {
    POINT_PLAIN = 0,
    POINT_PERCENT,
    POINT_PIXELS
} point_unit;

typedef struct picture_scale {
    /* arrange_coordinates: what is configured, or was found before */
    uint32_t known;
    /* what this answer showed; COORDINATES_UNKNOWN: nothing */
    uint32_t found;
    /* pixels of the image as it was sent; 0: not known */
    uint32_t width, height;
    /* the place that the answer is about, in 0..1: what comes near it is
     * meant */
    bool has_hint;
    double hint[2];
    /* the model was told that a value over 1 will be read as thousandths */
    bool asked;
    /* .. and that a place is the object's bottom unless it says otherwise */
    bool asked_anchor;
    bool asked_box; /* .. and that of a box the middle will be meant */
} picture_scale;

/* How many of these things the model was told. */
uint32_t scale_questions(const picture_scale *s);

/* What is to be made of a box where one point was asked for: its middle once
 * that was said; else *err (ETNA_E_INPUT) says so. */
bool scale_takes_box(picture_scale *s, etna_error *err);

/* Turns (x, y) as written into 0..1. True: it is so now; values from 0 to 1
 * stay what they are. False: it could be thousandths or pixels, or is out of
 * every range; *err (ETNA_E_INPUT) asks for what is wanted. `unit`: the sign
 * that it was written with. */
bool scale_point(picture_scale *s,
                 double point[2],
                 point_unit unit,
                 etna_error *err);

/* The same without a word, for a tool's list of points, `count` of them. */
bool scale_points(picture_scale *s, uint32_t count, double *points);

#endif
