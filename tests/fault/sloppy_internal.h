/* What the files of habits share. A habit is a row of a table and a function that
 * returns a malloc'd text, or NULL where it finds nothing to change: then the
 * answer is not counted as spoilt. Without memory the program aborts. */
#ifndef ETNA_TESTS_FAULT_SLOPPY_INTERNAL_H
#define ETNA_TESTS_FAULT_SLOPPY_INTERNAL_H

#include "tests/fault/sloppy.h"

/* Writes one structured call as text; the text is the caller's. */
typedef char *call_writer(const char *name, const json_t *arguments);

/* roles, as bits */
enum {
    PLANNER = 1,
    EXECUTOR = 2,
    EVALUATOR = 4,
    ALL = 7
};

struct sloppy_habit {
    const char *name;
    unsigned roles;
    bool seen; /* a person would still see what is meant */
    /* rewrites an answer in text; NULL: not such a habit. So `call` and `wire` */
    char *(*text)(const char *text);
    call_writer *call;          /* turns structured calls into text */
    const char *before, *after; /* of calls */
    /* of coordinates in structured calls; 0: as they are */
    double x, y;
    bool (*wire)(json_t *calls); /* of structured calls: how they are written */
    enum {
        SHAPE_TEXT = 0,
        SHAPE_PARTS,
        SHAPE_REASONING,
        SHAPE_BOTH
    } shape; /* of the message around the text */
};

/* The habits of one file. */
typedef struct sloppy_group {
    const sloppy_habit *rows;
    size_t count;
} sloppy_group;

extern const sloppy_group sloppy_any, sloppy_executor, sloppy_evaluator,
    sloppy_planner, sloppy_calls;

/* ---- texts ---- */

/* sprintf into a text of the caller's. */
char *sloppy_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Every `from` becomes `to`; NULL: there is none. */
char *sloppy_replace(const char *text, const char *from, const char *to);
/* The same of a text that is given away: it is freed, or comes back as it is. */
char *sloppy_replace_in(char *text, const char *from, const char *to);
char *sloppy_dump(const json_t *value, size_t flags);
/* All calls of a message in one text, between `before` and `after`. */
char *sloppy_write_calls(const json_t *list,
                         const char *before,
                         call_writer *write,
                         const char *after);

/* ---- parts of an answer, between marks ---- */

enum {
    SLOPPY_PARTS = 5
};
extern const char *const sloppy_parts[SLOPPY_PARTS]; /* their names */

/* The marks of a part as our prompts write them. False: the text does not have
 * it. */
bool sloppy_marks_of(const char *text,
                     const char *part,
                     char open[64],
                     char close[64]);
/* Every part's marks by two formats, each of which takes the part's name; NULL:
 * there is none. */
char *sloppy_remark(const char *text,
                    const char *open_as,
                    const char *close_as);
/* What stands in a part goes through `change`; NULL: it has no such part, or
 * nothing changes. */
char *sloppy_within(const char *text,
                    const char *part,
                    char *(*change)(const char *inner));
/* Defines the habit `name`, which sends the executor's block through `change`. */
#define IN_CONSTRAINTS(name, change) \
    static char *name(const char *t) \
    { \
        return sloppy_within(t, "constraints", change); \
    }

#endif
