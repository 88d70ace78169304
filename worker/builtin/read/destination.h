/* Where a clause wants its things: each "on the table", "in the corner", "where
 * the lamp was" becomes a destination, and all of a clause's destinations
 * together one move. */
#ifndef ETNA_WORKER_BUILTIN_READ_DESTINATION_H
#define ETNA_WORKER_BUILTIN_READ_DESTINATION_H

#include "worker/builtin/read/details.h"

enum {
    RELATIONS_UPON = BIT(RELATION_ON) | BIT(RELATION_IN),
    RELATIONS_SIDE = BIT(RELATION_LEFT) | BIT(RELATION_RIGHT) |
                     BIT(RELATION_FRONT) | BIT(RELATION_BEHIND),
    RELATIONS_ASIDE = RELATIONS_SIDE | BIT(RELATION_BESIDE)
};

typedef struct destination { /* fields as the move's */
    builtin_relation relation;
    uint32_t reference, second;
    unsigned sides;
    double gap;
    builtin_bound bound;
    uint32_t level;
    builtin_set each, there;
    bool exact;
    bool across;   /* "opposite" it */
    bool furthest; /* "as far back as it goes" */
    bool is_shift; /* by `shift`, whatever the relation */
    double shift[3];
    bool upon;  /* said as "on" or "in", and not as "to" */
    bool faces; /* a seat at a table faces it */
    /* along the wall, of what hangs there: its way, where another place is
     * said */
    bool is_path;
    bool any_wall; /* "the wall", and another place is said: that tells which */
    bool unowned;  /* a zone of which it is not said whose */
    bool guessed;  /* which corner is not said either: the nearest */
    bool its;      /* a zone of "it" */
    bool is_side;  /* a zone that is a whole side: "on the right-hand side" */
    bool is_one_of; /* the reference is one of several that are said, any */
} destination;

typedef struct destinations {
    uint32_t count;
    destination list[CONDITIONS_MAX];
} destinations;

destination destination_plain(builtin_relation relation, uint32_t reference);
/* Before or behind, as the picture shows it ("on its other side"): the end of
 * the reference on that side, where the reference's own front looks elsewhere.
 */
void destination_keep_side(const reader *r, destination *to);
builtin_condition destination_condition(const destination *s);
/* Is it one relation to one thing, which can be measured, and so denied? */
bool destination_is_measured(const destination *s);
/* The first of the list by that relation; NULL: there is none. */
const destination *destination_find(const destinations *list,
                                    builtin_relation relation);

/* All that a clause says of where, in the order relations, zones, the rest.
 * ETNA_E_INPUT with a refusal; ETNA_E_NOMEM. */
etna_code destinations_gather(reader *r,
                              const details *d,
                              const builtin_set *movers,
                              lexicon_verb verb,
                              destinations *ret);
/* "I'm making a corner on the floor by the wall, between the bed and the shelf.
 * The cushions there": is what was told last but a part of that place? `first`:
 * the clause's first move. */
bool there_is_of_several(const reader *r, uint32_t first);
/* Adds what "there" means: where something was put, is told to be, or what was
 * spoken of last and bears things. Nothing is added where it means nothing. */
void destinations_add_there(reader *r,
                            const builtin_set *movers,
                            destinations *list);
/* One or more destinations to the fields of a move: what it stands on, the
 * chief relation, and what must hold besides. Errors as above: a thing can
 * stand in one place only. */
etna_code destinations_apply(reader *r,
                             const chart_node *clause,
                             const destinations *list,
                             const builtin_set *movers,
                             builtin_move *ret);

/* The corner nearest to something fixed or to what is between two things,
 * farthest from it, or of those on one side of a thing the nearest to it: that
 * has told all it can by it. */
void destinations_choose_corner(const reader *r, destinations *list);
/* Places that qualify each other become one (read/chain.c): of a pile, the
 * moves of what is below are added, made like `plain`. Errors as above. */
etna_code destinations_chain(reader *r,
                             const builtin_move *plain,
                             destinations *list);

/* "Distribute the chairs among the tables", "spread the cups over the tables":
 * some to each of them, and no place between them or above them. */
bool preposition_shares_out(const reader *r,
                            const condition *c,
                            const builtin_set *movers,
                            lexicon_verb verb);
/* One relation and its thing (read/preposition.c), one zone (read/zone.c).
 * Errors as above. */
etna_code preposition_read(reader *r,
                           const condition *c,
                           const builtin_set *movers,
                           lexicon_verb verb,
                           destination *ret);
etna_code zone_read(reader *r,
                    const chart_node *node,
                    const builtin_set *movers,
                    destination *ret);
/* "The cup in the left corner of the tray, the spoon in the middle": what the
 * last thing was put upon, where what is moved now may go there, too.
 * BUILTIN_NONE: it means no such thing. */
uint32_t zone_last_place(reader *r, const builtin_set *movers);
/* What a bare "to", "at", "over to" means for these things and that
 * reference. */
builtin_relation preposition_to(reader *r,
                                const builtin_set *movers,
                                uint32_t reference,
                                lexicon_relation said);

/* "Put the jug on the table and the bowl to its left": is the shift a side of
 * what was moved before? */
bool shift_is_its_side(const reader *r,
                       const chart_node *shift,
                       const builtin_set *movers);

/* Whose corner a bare "in the corner" is: what was cleared for these things
 * just before, else what they stand on if that is a table, else the floor.
 * BUILTIN_NONE: there is none. */
uint32_t ground_of(const reader *r, const builtin_set *movers);
/* The first part of that alone: "clear the table, then put the tray in the
 * middle". */
uint32_t ground_cleared(const reader *r, const builtin_set *movers);

/* The two that the text's last two moves put by the same thing, where neither
 * is moved. False: they do not. */
bool placed_last_two(const reader *r,
                     const builtin_set *movers,
                     uint32_t ret[2]);

#endif
