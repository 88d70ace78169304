/* From light to bytes: exposed so that the median is neither dark nor pale,
 * with what is brighter than white pressed together and not cut off. Private to
 * worker/view; for eyes only. */
#ifndef ETNA_WORKER_VIEW_TONE_H
#define ETNA_WORKER_VIEW_TONE_H

#include "worker/view/view.h"

typedef struct tone_encoder { /* linear to sRGB bytes by a table */
    uint8_t byte[4096];
} tone_encoder;
/* Linear light to bytes. */
void tone_encoder_fill(tone_encoder *encoder);
static inline uint8_t tone_encode(const tone_encoder *encoder, float linear)
{
    float at = linear * 4095.0f + 0.5f;
    if (!(at > 0))
        return encoder->byte[0];
    return encoder->byte[at < 4095.0f ? (int)at : 4095];
}

/* The tone that brings the median luminance of what is covered by half or more
 * to 0.35 .. 0.55 of encoded white (METHODS.md 3), as near as may be to how
 * bright things are under plain light; less where a bright tenth of the picture
 * would be lost in white. `linear`: count x 3, premultiplied. */
etna_code tone_measure(const float *linear,
                       const float *cover,
                       size_t count,
                       view_tone *ret,
                       etna_error *err);
/* Changes one colour; hue stays. */
void tone_apply(const view_tone *tone, float rgb[3]);

#endif
