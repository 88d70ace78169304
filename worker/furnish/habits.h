/* What people do with things in rooms, as tables: where a kind of thing usually
 * stands, what serves a use ("a reading corner for two", "storage"), and what a
 * kind of room has. Data (habits.inc), compiled in: a new habit is a line
 * there. Pure. */
#ifndef ETNA_WORKER_FURNISH_HABITS_H
#define ETNA_WORKER_FURNISH_HABITS_H

#include "worker/builtin/language/kinds.h"
#include "worker/furnish/brief.h"

typedef enum habits_footing {
    HABITS_AT_WALL, /* on the floor, its back at a wall */
    HABITS_FREE,    /* on the floor, where there is room */
    HABITS_CORNER,  /* on the floor, in a corner rather than elsewhere */
    HABITS_FLAT,    /* lies on the floor; other things may stand on it */
    HABITS_ON,      /* stands on something */
    HABITS_HUNG,    /* on a wall */
    HABITS_CEILING, /* from the ceiling */
} habits_footing;

enum {
    HABITS_ANCHORS = 5,
    HABITS_SERVES = 8
};

typedef struct habits_kind { /* the first row of the nearest kind holds */
    const char *kind;
    habits_footing footing;
    double front; /* metres before it that are better left free */
    bool seat;    /* somebody must come to it */
    /* how it goes with the first of the anchors that is there */
    brief_relation beside;
    const char *anchors[HABITS_ANCHORS]; /* kinds; NULL ends the list */
} habits_kind;

/* Of a thing by what it is; NULL: nothing is known of such a thing. */
const habits_kind *habits_of(const char *head);
/* The nearest row of the table of kinds, NULL: none is near. Constant. */
const habits_kind *habits_of_kind(const kinds_id *named);
/* What size things of a kind have, where catalogues do not tell kinds apart: a
 * "coffee table" is low, whatever its model is called. Metres; 0: any. */
typedef struct habits_form {
    const char *kind;
    double low, high; /* height */
    double wide;      /* longest side of the foot at most */
    double broad;     /* and at least */
    double usual;     /* what is higher serves only where nothing lower is */
} habits_form;
/* NULL: no form is known of such a thing. Constant. */
const habits_form *habits_form_of(const char *head);
/* Whether a model (width, height, depth) has the form that the word suggests;
 * true where no form is known. */
bool habits_form_fits(const char *head, const double size[3]);
/* What to look for where the text puts a thing called so onto the floor: a
 * floor lamp for a lamp. The name itself where nothing else is meant; borrowed
 * from it, or constant. */
const char *habits_on_floor(const char *head);
/* The same where it is to be above a table, or above what is `at_wall`: a
 * pendant lamp for a lamp, or a wall lamp. */
const char *habits_overhead(const char *head, bool at_wall);
/* Is a thing (its head) of a kind, or nearly? Exactly: the same or below it. */
bool habits_is(const char *head, const char *kind);

typedef struct habits_item {
    const char *thing; /* a request for a model: "floor lamp" */
    uint8_t count;
    bool by_people; /* one for each person instead */
    brief_relation relation;
    const char *to; /* the kind of an item before it, or NULL */
} habits_item;

typedef struct habits_use {
    /* "storage", "storage piece"; matched word by word, in the singular */
    const char *names[6];
    /* each of the list serves alone: the first that is not there yet is
     * taken */
    bool one_of;
    habits_item items[HABITS_SERVES]; /* thing NULL ends the list */
} habits_use;
extern const habits_use habits_uses[];
extern const uint32_t habits_use_count;

typedef struct habits_room {
    const char *names[6];
    const char *category; /* a catalogue's name for it */
    /* so many of the items it is not without, though a text names others */
    uint32_t core;
    habits_item items[16]; /* in the order in which one would buy them */
} habits_room;
extern const habits_room habits_rooms[];
extern const uint32_t habits_room_count;

#endif
