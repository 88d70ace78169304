/* Colours by our own functions: sRGB and CIE Lab reach facts, so they must be
 * the same bits on every machine; the C library's pow and cbrt are not
 * (ARCHITECTURE.md, The same bits). Pure. */
#ifndef ETNA_WORKER_MATH_COLOUR_H
#define ETNA_WORKER_MATH_COLOUR_H

#include <stdint.h>

/* 0..1 to 0..1 (IEC 61966-2-1); clamped, NaN is 0 */
double colour_srgb_to_linear(double encoded);
double colour_linear_to_srgb(double linear); /* the inverse */

/* Linear sRGB (0..1 each) to CIE L*a*b* under D65: L 0..100. */
void colour_linear_to_lab(const double linear[3], double ret_lab[3]);
/* Encoded sRGB, 0..255 each, to Lab. */
void colour_srgb255_to_lab(const double srgb[3], double ret_lab[3]);
/* CIE76 distance of two Lab colours. */
double colour_lab_distance(const double a[3], const double b[3]);

#endif
