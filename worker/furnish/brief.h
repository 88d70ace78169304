/* What a sentence or a page wants in a room: things with their numbers and
 * attributes, and how they are to stand. English, read without a scene: words
 * are cut into segments, the things in them found by the dictionary of kinds,
 * and what stands between two things says how they stand to one another. The
 * text is data: whatever it says, it can only ask for things and places.
 *
 * "A table for six" has six chairs, unless seats are named. What a room and its
 * walls are made of, and parts of things ("a bed with a headboard"), are no
 * things. A plural without a number is two. What asks for more than is read
 * here ("in a circle", "1 m from the window", a thing that the dictionary does
 * not know as one) is in `unread`. A word that names no thing but a use
 * ("storage", "lighting", "a reading corner for two") is a want of its own:
 * habits.h says what serves it. Pure. */
#ifndef ETNA_WORKER_FURNISH_BRIEF_H
#define ETNA_WORKER_FURNISH_BRIEF_H

#include "proto/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    BRIEF_TEXT_MAX = 1 << 16, /* bytes */
    BRIEF_WISHES_MAX = 160,
    BRIEF_TIES_MAX = 400,
    BRIEF_WANTS_MAX = 24,
    BRIEF_UNREAD_MAX = 16,
    BRIEF_ROWS_MAX = 100,
    BRIEF_COUNT_MAX = 100000, /* of one wish; more is read as this */
    BRIEF_SAID_SIZE = 160,
    BRIEF_HEAD_SIZE = 64,
    BRIEF_NONE = UINT32_MAX
};

typedef enum brief_relation {
    BRIEF_ON,       /* stands on the anchor */
    BRIEF_UNDER,    /* beneath it */
    BRIEF_BESIDE,   /* at its left or right, or merely near */
    BRIEF_FLANK,    /* of several: on both sides of it */
    BRIEF_LEFT,     /* at the anchor's left, as one sees it from its front */
    BRIEF_RIGHT,    /* the same of its right */
    BRIEF_FRONT,    /* before its front */
    BRIEF_BEHIND,   /* at its back */
    BRIEF_FOOT,     /* at the end away from its head: of a bed */
    BRIEF_OPPOSITE, /* across the room from it, facing it */
    BRIEF_FACING,   /* its front toward it */
    BRIEF_AROUND,   /* seats about it */
    BRIEF_BETWEEN,  /* of two anchors */
    BRIEF_ABOVE,    /* over it, on the wall or from the ceiling */
    BRIEF_BACK,     /* its back at the anchor's back */
    BRIEF_AWAY,     /* its back toward the anchor */
    BRIEF_WALL,     /* its back at a wall */
    BRIEF_CORNER,   /* in a corner of the room */
    BRIEF_MIDDLE,   /* in the middle of the room */
    BRIEF_WINDOW,   /* at a window */
    BRIEF_SILL,     /* at its wall, beneath it */
    BRIEF_DOOR,     /* at a door */
    BRIEF_ROWS,     /* of several: in straight rows, all facing one way */
    BRIEF_CEILING, /* no tie: it hangs from the ceiling (brief_wish.overhead) */
    BRIEF_RELATIONS
} brief_relation;
/* Of the room as the viewer sees it: south is at the viewer. */
enum brief_wall {
    BRIEF_NORTH = 1,
    BRIEF_EAST = 2,
    BRIEF_SOUTH = 4,
    BRIEF_WEST = 8,
    /* whichever that is: across from a window or a door, or its own */
    BRIEF_ACROSS_WINDOW = 16,
    BRIEF_ACROSS_DOOR = 32,
    BRIEF_OF_WINDOW = 64,
    BRIEF_OF_DOOR = 128,
    BRIEF_OF_OPENINGS = 240
};
extern const char *const brief_relation_names[BRIEF_RELATIONS];

typedef struct brief_wish {
    uint32_t from, to; /* its phrase: bytes of the text */
    /* the phrase without number and article: "light gray single bed" */
    char said[BRIEF_SAID_SIZE];
    char head[BRIEF_HEAD_SIZE]; /* what it is, in the singular: "single bed" */
    uint32_t count;             /* at least 1 */
    uint32_t people;            /* "a table for six": 6; 0: unsaid */
    uint32_t seats;             /* "a three-seat sofa": 3; 0: unsaid */
    bool each;                  /* so many for each of its first anchor's */
    bool some;                  /* "plants": several, and no number is said */
    /* spoken of as if it were there: "beside the bed" */
    bool assumed;
    bool different; /* "mismatched": no two alike */
    bool overhead;  /* it hangs from the ceiling */
    /* of the use that it is told of, "a reading corner with a lamp";
     * BRIEF_NONE */
    uint32_t want;
} brief_wish;

typedef struct brief_tie { /* how a wish is to stand */
    /* anchor: BRIEF_NONE for what speaks of the room alone */
    uint32_t wish, anchor;
    brief_relation relation;
    /* bits of brief_wall: WALL or CORNER is of these; 0: any. Of BETWEEN: the
     * other end is the opening there */
    uint8_t walls;
    /* of ROWS: how many; of WALL: at so many of `walls`, 0: at any of them */
    uint8_t rows;
    bool loose;        /* "with": how, habits say */
    bool hung;         /* WALL: "on the wall", not at it */
    double gap;        /* metres between the two; 0: unsaid */
    uint32_t from, to; /* what says it: bytes of the text */
} brief_tie;

typedef enum brief_want_kind {
    BRIEF_USE,
    BRIEF_ROOM
} brief_want_kind;
/* what names no thing: "lighting", "reading corner", "bedroom" */
typedef struct brief_want {
    brief_want_kind kind;
    uint32_t from, to;
    uint32_t habit;  /* row of habits_uses or habits_rooms */
    uint32_t count;  /* "two light sources"; 1 */
    uint32_t people; /* "for two"; 0: unsaid */
    bool apart;      /* and these are no couple: "for two children" */
} brief_want;

typedef struct brief_span { /* bytes of the text */
    uint32_t from, to;
} brief_span;

typedef struct brief {
    uint32_t wish_count, tie_count, want_count, unread_count;
    uint32_t left_out; /* wishes beyond the limit */
    brief_wish wishes[BRIEF_WISHES_MAX];
    brief_tie ties[BRIEF_TIES_MAX];
    brief_want wants[BRIEF_WANTS_MAX];
    /* the first of what names a thing or bounds a place and was understood as
     * neither; in the text's order */
    brief_span unread[BRIEF_UNREAD_MAX];
} brief;

/* ETNA_E_INPUT: empty, too long, not UTF-8, or nothing is named that could
 * stand in a room. *ret is large: not for the stack. */
etna_code brief_read(const char *text,
                     size_t size,
                     brief *ret,
                     etna_error *err);

/* The thing that the words of a name end with, in the singular: "dining table"
 * of "old dining table 2". False: they name none. */
bool brief_name_read(const char *const *words,
                     uint32_t count,
                     char ret[BRIEF_HEAD_SIZE]);

#endif
