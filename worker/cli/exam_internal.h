/* Inside the exam: what is right. */
#ifndef ETNA_WORKER_CLI_EXAM_INTERNAL_H
#define ETNA_WORKER_CLI_EXAM_INTERNAL_H

#include "worker/cli/exam.h"

typedef enum exam_colour {
    EXAM_RED,
    EXAM_BLUE,
    EXAM_GREEN,
    EXAM_YELLOW,
    EXAM_COLOURS
} exam_colour;

#define EXAM_PLANE "Tray_71"

typedef struct exam_truth { /* of a question's picture */
    uint32_t width, height;
    double x, y; /* of the disc that is asked for */
    exam_colour colour;
} exam_truth;

extern const exam_truth exam_truths[EXAM_QUESTIONS];
extern const model_tool exam_tool;

/* Pixels of a question's picture, as it is sent to this model. */
void exam_size(const exam *x,
               exam_question q,
               uint32_t *ret_width,
               uint32_t *ret_height);

#endif
