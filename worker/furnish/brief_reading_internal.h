/* The one pass over a brief, and what its parts promise each other. Internal to
 * worker/furnish.
 *
 *   brief.c           the steps, and words between phrases
 *   brief_thing.c     things that are named
 *   brief_want.c      uses and rooms that are named
 *   brief_people.c    whom the room is for
 *   brief_relation.c  what stands between things
 *   brief_tie.c       relations that wait for their other side
 *   brief_gap.c       how far apart
 *   brief_unread.c    what is not understood
 *
 * A function that reads moves r->at behind what it read and marks the words as
 * used. None of them fails: what does not fit into the brief is dropped and
 * counted, or told as not understood. */
#ifndef ETNA_WORKER_FURNISH_BRIEF_READING_INTERNAL_H
#define ETNA_WORKER_FURNISH_BRIEF_READING_INTERNAL_H

#include "worker/furnish/brief_internal.h"

typedef struct open_tie { /* a relation of which one side was read */
    bool is_open, both, loose;
    bool row;  /* several of it stand in one row */
    bool hung; /* "on the wall" */
    /* BETWEEN: of the second, "and the wardrobe"; anchor is who stands there. Of
     * a list: its first is read */
    bool second;
    bool shared; /* "one on each side": of several, one at each place */
    uint8_t walls, rows;
    uint8_t some_walls; /* "along two walls": how many of them; 0: all named */
    double gap;         /* metres; 0: unsaid */
    brief_relation relation;
    uint32_t anchor; /* BRIEF_NONE: the room, or not read yet */
    uint32_t from, to;
} open_tie;

typedef enum word_use {
    WORD_UNUSED,
    WORD_OF_THING, /* of a thing's or a room's phrase */
    WORD_BETWEEN   /* it says how things stand, or asks for nothing */
} word_use;

/* State of the one pass over the text. Its words are never looked at again, so
 * all that a later word may refer back to is kept here. */
typedef struct brief_reading {
    const char *text;
    const brief_word *words;
    uint32_t count, at;
    brief *b;
    uint32_t start;   /* where the phrase that is gathered begins */
    uint32_t subject; /* the thing that the clause speaks of */
    uint32_t last;    /* the last thing met, new or known */
    uint32_t said;    /* what the sentence before was about; BRIEF_NONE */
    /* what relations without an anchor were about in this sentence */
    uint32_t topic;
    open_tie ahead;   /* its anchor comes: "a lamp on ..." */
    open_tie front;   /* its thing comes: "in one corner, ..." */
    open_tie list;    /* things that come are its: "a desk holding ..." */
    uint32_t ended;   /* the word behind the last thing or want */
    bool fresh;       /* no thing since the clause began */
    bool after_comma; /* nothing but the comma was read since */
    bool with;        /* parts may come */
    bool with_tie;    /* the next thing goes with the clause's */
    bool with_each;   /* and each of these has so many */
    uint32_t each_of; /* of whom each has what is listed; BRIEF_NONE */
    bool each_ended;  /* its last was read */
    /* what is named from here on is on the other side; BRIEF_NONE */
    uint32_t other_side;
    uint32_t each_people; /* "each with ...", of so many people; 0 */
    uint32_t want_to;     /* the word behind the last want and its people */
    uint32_t of_want;     /* things that come are listed as its; BRIEF_NONE */
    bool purpose, denied, other_way, aside;
    bool is_role; /* what is denied is what a thing serves as */
    bool known, every, different, is_new; /* of the phrase that is gathered */
    uint32_t number, rows;                /* "two rows of three": 3, 2 */
    uint32_t places;                      /* "three-seat": 3; 0: unsaid */
    uint32_t people;
    uint32_t room_people; /* "where two people work": of a room that comes; 0 */
    bool room_apart;      /* as brief_want's */
    uint32_t seats;       /* "to seat six"; 0: unsaid */
    uint32_t clause_from; /* its first wish, or where that will be */
    uint32_t run_first;   /* of the things that are listed without a place */
    uint8_t *used;        /* of each word, a word_use */
    bool shares;          /* "one" of several is where the relation says */
    double gap;           /* "40 cm" before the place at gap_at; 0 */
    uint32_t gap_at;
    bool of_part; /* places that come are of a part: "a mirror leaning ..." */
    bool denial_is_spent; /* what was denied was named: "no rug" */
} brief_reading;

/* ---- what they share: brief.c ---- */
void brief_words_use(brief_reading *r,
                     uint32_t from,
                     uint32_t to,
                     word_use use);
/* Behind the last word a full stop. Borrowed. */
const brief_word *brief_word_at(const brief_reading *r, uint32_t i);
/* Bytes of the text that are not understood; no more than BRIEF_UNREAD_MAX,
 * each once. */
void brief_unread_add(brief_reading *r, uint32_t from, uint32_t to);
/* BRIEF_COUNT_MAX at the most */
uint32_t brief_count_times(uint32_t count, uint32_t by);
/* "facing the TV": is it there in the text only for others to look at? */
bool brief_is_only_faced(const brief_reading *r, uint32_t wish);
/* The next phrase begins at r->at. */
void brief_phrase_restart(brief_reading *r);

/* ---- things: brief_thing.c ---- */
/* How many words from `at` on name a thing; 0. */
uint32_t brief_thing_length(const brief_reading *r,
                            uint32_t at,
                            char ret[BRIEF_HEAD_SIZE]);
/* Does a name that ends before `at` end there, or do more words of it follow
 * ("light gray bed")? */
bool brief_name_ends(const brief_reading *r, uint32_t at);
/* The relation at `at` that ends its phrase: "a mirror above", "a vase on top
 * of it"; NULL: there is none. */
const brief_phrase *brief_stranded_at(const brief_reading *r,
                                      uint32_t at,
                                      uint32_t *ret_length);
/* "a painting over the bed and another over the desk": a place comes, and what
 * is there is one more of the subject, which it becomes. True: it was that. */
bool brief_another_read(brief_reading *r);
/* A thing is named: one that was named before, or a new one. It becomes the
 * subject and closes ties that wait for it. */
void brief_thing_read(brief_reading *r,
                      char head[BRIEF_HEAD_SIZE],
                      uint32_t length);

/* ---- people: brief_people.c ---- */
/* "people", "guests", "boys". */
bool brief_names_people(const char *word);
/* "for two", "for a family of five", behind a thing or a use, and of how many
 * words; 0: it does not say. */
uint32_t brief_people_after(const brief_reading *r,
                            uint32_t at,
                            uint32_t *ret_length);
/* For how many people the room is that was named; 0: it does not say. */
uint32_t brief_people_of_room(const brief_reading *r);
/* "a desk for each person": so many of the subject. `length`: words of the
 * phrase before the person. True: it was that. */
bool brief_each_person_read(brief_reading *r, uint32_t length);
/* "where two people can work", "we are a family of five": whom the room is for.
 * True: it was that. */
bool brief_people_read(brief_reading *r);
/* Are those whom a word names no couple, so that nobody shares a bed? "Two
 * people" and "two adults" may be one. */
bool brief_people_are_apart(const char *word);

/* ---- uses and rooms: brief_want.c ---- */
/* A use or a room that is named. True: it was one. */
bool brief_want_read(brief_reading *r);

/* ---- between things: brief_relation.c ---- */
/* "a desk with a chair in front, a lamp on top and ...". False: it is no
 * such. */
bool brief_stranded_read(brief_reading *r);
/* A phrase of place. By its order the thing is before it ("a lamp beside the
 * bed"), behind it ("next to the bed is a lamp"), or alone ("in the
 * corner"). */
void brief_relation_read(brief_reading *r,
                         const brief_phrase *p,
                         uint32_t length);
/* "40 cm in front of": how far, before a place that may have it. True: it was
 * that. */
bool brief_gap_read(brief_reading *r);
/* What was read so just before; 0. */
double brief_gap_take(brief_reading *r);
/* "a rack with two hangers stands": a sentence's verb is of what these came
 * with, where its number fits; `at`: that verb. */
void brief_subject_lift(brief_reading *r, uint32_t at);
/* What the thing came with, or stands by or on; BRIEF_NONE. `loose`: only what it
 * came with. */
uint32_t brief_bearer_of(const brief_reading *r, uint32_t wish, bool loose);
/* "it" closes an open tie: rather with a thing that is not the subject
 * itself. */
void brief_it_read(brief_reading *r);
/* "two lamps, one on each table": the word before a place of each. True: it was
 * that. */
bool brief_share_read(brief_reading *r);
/* "four chairs around each": the last of which there are several. */
void brief_each_read(brief_reading *r);

/* ---- ties: brief_tie.c ---- */
/* Each tie once. Ties beyond BRIEF_TIES_MAX are dropped. */
void brief_tie_add(brief_reading *r,
                   uint32_t wish,
                   brief_relation relation,
                   uint32_t anchor,
                   const open_tie *t);
/* Of several there is one at each place: are there as many places? Where they
 * are counted by their anchors, there is one for each of these from now on. */
bool brief_share_fits(brief_reading *r,
                      const open_tie *t,
                      uint32_t wish,
                      uint32_t anchor,
                      bool every);
/* Could one who knows such things mean it: no lamp around a table? */
bool brief_tie_makes_sense(const brief_reading *r,
                           uint32_t wish,
                           brief_relation relation,
                           uint32_t anchor);
/* A relation that was read on both sides becomes a tie; counts follow where it
 * speaks of each. */
void brief_tie_close(brief_reading *r,
                     const open_tie *t,
                     uint32_t wish,
                     uint32_t anchor,
                     bool every);
/* "the window" of "between the window and the bed", from a word on: bits of
 * brief_wall, and how many words; 0: it is none. */
uint8_t brief_opening_at(const brief_reading *r,
                         uint32_t at,
                         uint32_t *ret_length);
/* Whom "each" is of: the thing itself, or the last before it of which there are
 * several. */
uint32_t brief_several_before(const brief_reading *r, uint32_t wish);
/* "a cart with two trays between the bed and the desk": the cart is, which the
 * trays stand on. Whose a place on the floor is that stands behind the last
 * thing: that one's, or of what it came with. */
uint32_t brief_place_owner(const brief_reading *r, uint32_t wish);
/* "a plant in each corner" are four, "five shelves along each side wall"
 * ten. */
void brief_places_multiply(brief_reading *r, const open_tie *t, uint32_t wish);
/* Does "and" join the thing that is read to the one before, with no comma? */
bool brief_is_joined(const brief_reading *r);
/* A thing was met: what was open about it is closed. */
void brief_thing_tie(brief_reading *r, uint32_t wish, bool is_new);

/* ---- what is not understood: brief_unread.c ---- */
/* Of the words that were not used: those that bound places, and names of
 * things. */
void brief_unread_collect(brief_reading *r);

#endif
