/* What `etna doctor --model` asks a model, and what its answers tell: six
 * questions of which the right answers are known, read by the same readers as a
 * run's. Questions and reading are pure; who asks is cmd_doctor.c. */
#ifndef ETNA_WORKER_CLI_EXAM_H
#define ETNA_WORKER_CLI_EXAM_H

#include "proto/models.h"
#include "worker/provider/provider.h"

#include <jansson.h>

typedef enum exam_question {
    EXAM_MARKS, /* an instruction between marks, as a planner writes it */
    /* where is the red disc? as constraints, as an executor writes them */
    EXAM_SIGHT,
    EXAM_PLACE,  /* the same in a picture of another shape */
    EXAM_TOOL,   /* a call of a tool */
    EXAM_RESULT, /* what the tool answered, used */
    EXAM_MANY,   /* many pictures, and a verdict, as an evaluator writes it */
    EXAM_QUESTIONS
} exam_question;

enum {
    EXAM_PICTURES = 8 /* of EXAM_MANY: as many as a long run's planner sees */
};

typedef enum exam_mark {
    EXAM_NOT_ASKED,
    EXAM_GOOD,
    EXAM_ODD,
    EXAM_BAD
} exam_mark; /* odd: Etna makes do with it */

enum {
    EXAM_WORDS_MAX = 400
};

typedef struct exam_finding {
    exam_mark mark;
    /* one line: what it is and, unless it is good, what to do */
    char words[EXAM_WORDS_MAX];
} exam_finding;

typedef struct exam {
    models list;
    const models_model *model;
    /* as it goes on */
    exam_finding reach, marks, vision, coordinates, tools, results, verdict,
        pictures, price;
    /* arrange_coordinates of SIGHT and PLACE; UNKNOWN: no place was read, or a
     * wrong one */
    uint32_t kind[2];
    /* from the right place, as a share of the picture; < 0: no place was
     * read */
    double away[2];
    bool has_call; /* EXAM_RESULT can be asked */
    bool call_as_text;
    model_part call; /* of EXAM_TOOL; in `kept` */
    model_turn turn;
    /* at most so many pictures in one request; 0: all of them were taken */
    uint32_t images_max;
    message_usage usage; /* of all answers */
    /* that came; of these the server told no usage of */
    uint32_t answers, guessed;
    uint64_t tokens_in[EXAM_QUESTIONS];
    uint64_t slowest_ms;
    etna_arena kept;
} exam;

/* `list` lives longer. */
void exam_begin(exam *x, const models *list, const models_model *model);
void exam_free(exam *x);

/* Whether the question makes sense after the answers so far. */
bool exam_wants(const exam *x, exam_question q);
/* The request, and its pictures (EXAM_PICTURES at most, *ret_count of them),
 * all in `arena`. */
etna_code exam_ask(const exam *x,
                   exam_question q,
                   etna_arena *arena,
                   model_request *ret,
                   provider_image *ret_images,
                   uint32_t *ret_count,
                   etna_error *err);
/* An answer came. ETNA_E_NOMEM. */
etna_code exam_hear(exam *x,
                    exam_question q,
                    const provider_outcome *outcome,
                    uint64_t ms,
                    etna_error *err);
/* None came: `why` in one line; `status` of HTTP, 0: no answer at all;
 * `error_code`: the server's own, or NULL. */
void exam_miss(exam *x,
               exam_question q,
               uint32_t status,
               const char *error_code,
               const char *why);
/* After the last question: what follows from all of them. */
void exam_finish(exam *x);

/* The findings by name, in the order of telling. */
typedef struct exam_row {
    const char *name;
    const exam_finding *finding;
} exam_row;
enum {
    EXAM_ROWS = 9
};
void exam_rows(const exam *x, exam_row ret[EXAM_ROWS]);
/* Can it drive a run? */
bool exam_is_passed(const exam *x);
/* The entry for models.yaml, one line of YAML: what stands in the list, with
 * what was found. NULL: out of memory; free. */
char *exam_entry(const exam *x);

#endif
