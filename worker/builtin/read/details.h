/* What a clause says besides its verb and its things: relations to other
 * things, zones of them, and how it is to be done. Gathered from the tree
 * before anything is looked up in the scene. */
#ifndef ETNA_WORKER_BUILTIN_READ_DETAILS_H
#define ETNA_WORKER_BUILTIN_READ_DETAILS_H

#include "worker/builtin/read/reader.h"

enum {
    CONDITIONS_MAX = 8,
    CONJUNCTS_MAX = 32
};

enum { /* $order of the lexicon */
    BY_SIZE = 1,
    BY_SIZE_RISING = 2,
    BY_HEIGHT = 3,
    BY_COLOUR = 4,
    BY_NUMBER = 5,
    BY_HEIGHT_RISING = 6,
    BY_NUMBER_FALLING = 7,
    FROM_LEFT = 10,
    FROM_RIGHT = 11,
    FROM_TOP = 13,
    IN_DEPTH = 14, /* from the back to the front, or the other way */
    BY_DARKNESS = 15,
    BY_LIGHTNESS = 16,
    BY_LENGTH = 17,
    BY_LENGTH_RISING = 18,
    BY_THICKNESS = 19,
    BY_THICKNESS_RISING = 20
};

/* ---- values of the lexicon's lists, as sets ---- */
#define BIT(value) (1u << (value))

static inline bool bit_is_in(uint32_t value, uint32_t bits)
{
    return value < 32 && bits >> value & 1;
}

enum {
    /* where a thing is taken from */
    RELS_ORIGIN = BIT(REL_OFF) | BIT(REL_FROM),
    RELS_SIDE =
        BIT(REL_LEFT) | BIT(REL_RIGHT) | BIT(REL_FRONT) | BIT(REL_BEHIND)
};

/* ---- nodes of the tree ---- */
static inline bool reader_word_is(const reader *r,
                                  uint32_t token,
                                  const char *word)
{
    return strcmp(reader_word(r, token), word) == 0;
}

/* Is the word in that class of the lexicon? */
static inline bool reader_lists(const reader *r,
                                uint32_t token,
                                const char *class)
{
    return lexicon_lists(class, reader_word(r, token));
}
/* Is any word of the node? */
bool node_lists(const reader *r, const chart_node *node, const char *class);
/* The value of the first node of that name in the tree below; 0: there is none,
 * or no tree. */
uint32_t node_value(const chart_node *node, const char *name);
/* The side that is said in it, by the thing or by who looks ("nearest to us"):
 * LEXICON_LEFT and its like; 0: none. */
uint32_t node_sides(const chart_node *node);
/* Has the node a child of that name with one of these values (bits)? */
bool node_says(const chart_node *node, const char *name, uint32_t values);
/* The phrases among the node's children that name things: the first is 0; NULL:
 * there are fewer. */
const chart_node *node_things(const chart_node *node, uint32_t which);
/* The last phrase of any kind among the children from `first`; NULL: none. */
const chart_node *node_phrase(const chart_node *node, uint32_t first);
/* The owner's phrase of a zone ("of the desk"), which is neither a number nor a
 * distance; NULL: none is said. */
const chart_node *zone_owner(const chart_node *zone);
/* Conjuncts of a phrase, each by itself: "a plate and a glass". */
uint32_t node_conjuncts(const chart_node *things,
                        const chart_node *ret[CONJUNCTS_MAX]);

/* ---- details ---- */
typedef struct condition { /* one relation: "20 cm left of the lamp" */
    lexicon_relation relation;
    const chart_node *node, *what; /* what: the phrase */
    double gap;                    /* metres; < 0: not said */
    builtin_bound bound;           /* of it */
    bool has_gap, exact;
    bool is_gap;     /* of the two, and no way that is gone: "a gap of 1 m" */
    bool in_company; /* the clause also says what the place is by */
    /* 1 + what the place right before it in the clause is by or on; 0: none
     * is */
    uint32_t behind;
    /* by what it is besides: "on the nightstand next to the book"; NULL */
    const chart_node *neighbour;
} condition;

typedef struct details {
    uint32_t relation_count, zone_count, order_count, denied_count;
    condition relations[CONDITIONS_MAX];
    const chart_node *zones[CONDITIONS_MAX], *orders[CONDITIONS_MAX];
    /* "but not on the mat": what must not hold */
    const chart_node *denied[CONDITIONS_MAX];
    const chart_node *shift, *second_shift; /* "10 cm left and a bit lower" */
    /* how far from the thing that has sides: "on each side, 10 cm away" */
    const chart_node *off_sides;
    /* of the things: "everything off the table except the vase" */
    const chart_node *except;
    const chart_node *other_clause; /* "so that the lamp is behind it" */
    bool exact;
    /* The node that says it; NULL: nothing does. */
    const chart_node *angle, *apart_by, *at_height, *back_to, *between,
        *both_gaps, *centred, *each_number, *end_own, *evenly, *eye_level,
        *face, *follow, *height, *higher, *in_order, *level_by, *no_gap, *old,
        *one_height, *opposed, *order, *pair, *part, *people, *pile, *row,
        *shade, *side, *stays, *straight, *there, *together, *too, *top;
    /* what the "it" of `straight` is; NULL: that has none, or one said before
     */
    const chart_node *parallel_to;
    /* the sense of `angle` that is said apart: "clockwise, 45 degrees" */
    const chart_node *sense;
} details;

/* What an ANGLE says of how far in words: "half a turn", "the opposite way".
 * NULL: nothing, or only a number. */
const chart_node *angle_turn_by(const chart_node *angle);

/* Does an ANGLE say how far? Else only which way round, or seen from where. */
bool angle_is_measured(const chart_node *angle);

/* Adds what the children of a node say. */
void details_gather(const reader *r, const chart_node *parent, details *ret);
/* Gives a distance or "closer" that stands by itself to the relation that it
 * belongs to: "20 cm closer to the sofa". */
void details_join(const reader *r, details *d);

bool condition_is_origin(const condition *c);
/* The last thing that is moved away from; `measured`: even one with a distance,
 * "20 cm from the wall". NULL: none. */
const condition *details_origin(const details *d, bool measured);
/* any at all, origins too */
bool details_have_places(const details *d);
/* a relation that is no origin */
bool details_have_destination(const details *d);
/* anything that says where to */
bool details_lead_elsewhere(const details *d);
/* a way, a height, a row, a facing */
bool details_tell_how(const details *d);
bool details_say_anything(const details *d); /* where or how */
/* a facing or an angle */
bool details_turn(const details *d);
/* "one at each end" */
bool details_say_each_end(const reader *r, const details *d);
/* "On each side", "at both ends", "at the two ends"; several: "on either side",
 * of more than one thing. */
bool zone_says_each(const chart_node *zone, bool several);
/* "At the ends", of several things: at each. */
bool zone_says_ends(const reader *r, const chart_node *zone);
/* "at each", and not "at both" */
bool details_say_each(const details *d);
bool details_say_long_side(const reader *r, const details *d);
uint32_t details_order(const details *d);
/* The numbers of a NUMRANGE: "from 1 to 3". */
void range_find_ends(const chart_node *range,
                     uint32_t *ret_first,
                     uint32_t *ret_last);
uint32_t memory_bared(const reader *r);
/* "Where it was", and not "where it is". */
bool old_is_past(const reader *r,
                 const chart_node *old); /* $order of the lexicon; 0: none */

/* What "at least" or "at most" makes of a distance. */
builtin_bound details_bound(const chart_node *dist);

/* "Line them up there", "put it there": not where they are, but at what was
 * spoken of. */
bool details_say_there(const reader *r, const details *d);

#endif
