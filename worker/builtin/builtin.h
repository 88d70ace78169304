/* The built-in agent: a rule-based model behind conversation.h. A pure function
 * of the request: it sees the texts, the `facts` JSON and the tool results in
 * the conversation and nothing else, and answers by the grammar and with the
 * tool calls a network model would use. builtin_answer itself is declared in
 * conversation.h.
 *
 *   place/  facts.c      facts JSON -> builtin_facts     words.c     names -> words, colours, numbers
 *           likeness.c   what nameless copies are called after
 *           start.c      who stands on whom, now and before
 *           relation.c   relations -> geometry           relation_zone.c  middles, edges, corners
 *           level.c      the boards of one thing         surface.c   which of a thing's surfaces is meant
 *           front.c      which way things look           carrier.c   what they are to stand on
 *           hang.c       free places on walls            place.c     free-space maps -> spots
 *           worth.c      which spot is better            rect.c      what is in the way, from above
 *           exact.c      the planner's sentence to the executor
 *   read/   read.c       sentences -> moves; what it is made of: read/reader.h
 *   plan/   planner.c    the task -> the next edit       expand.c    rows, piles and trades to single moves
 *           tactics.c    how a thing comes there         aside.c     what makes way
 *           seek.c       places for one                  history.c   what was done and tried
 *           step.c       what holds and how it is said   find.c, hang_plan.c
 *   executor.c, evaluator.c, single.c: the other roles
 *
 * What they speak in: facts.h (the scene), words.h, this header (what a sentence
 * asks for), spot.h (free places), relation.h and hang.h (moves as geometry),
 * roles.h (conversations).
 *
 * World frame: metres, Z up; image coordinates normalised, (0,0) top left. All
 * pointers live in the caller's arena. */
#ifndef ETNA_WORKER_BUILTIN_BUILTIN_H
#define ETNA_WORKER_BUILTIN_BUILTIN_H

#include "worker/builtin/facts.h"
#include "worker/builtin/words.h"

enum {
    BUILTIN_MOVES_MAX = 64, /* moves of one reading */
    BUILTIN_WHY_MAX = 480   /* bytes of a reason, NUL included */
};

/* ---- reading ---- */
typedef enum builtin_order {
    ORDER_AS_SAID = 0,
    ORDER_LARGEST,
    ORDER_SMALLEST
} builtin_order;

typedef struct builtin_set { /* what a phrase means */
    uint32_t count;
    /* ascending; the same list as another set's: the same ones are spoken of,
     * and "it" is the one that was */
    const uint32_t *objects;
    uint32_t need; /* == count: all of them; less: any that many */
} builtin_set;

typedef enum builtin_relation {
    RELATION_ON = 0,
    RELATION_IN,
    RELATION_UNDER,
    RELATION_ABOVE,
    RELATION_BESIDE,
    RELATION_LEFT, /* of the image, as RIGHT */
    RELATION_RIGHT,
    /* where the reference's front is known to be, else toward the camera */
    RELATION_FRONT,
    RELATION_BEHIND,
    RELATION_BETWEEN,
    RELATION_AGAINST,
    RELATION_MIDDLE, /* of the reference's top, as CORNER and EDGE */
    RELATION_CORNER,
    RELATION_EDGE,
    RELATION_TOWARD,
    RELATION_AWAY,
    RELATION_PLACE, /* where the reference stood at the start */
    RELATION_SWAP,
    RELATION_OFF,    /* anywhere but on the reference */
    RELATION_TURN,   /* in place, by degrees */
    RELATION_TURNED, /* in place, toward or away from what `facing` says */
    /* a row of `objects` (in the order of `row` where it has one), along what
     * `reference` and `sides` say: an edge of its top, its front, a wall;
     * BUILTIN_NONE: where they stand */
    RELATION_LINE,
    /* by `shift` from where it stood before the first edit of the instruction,
     * heading kept */
    RELATION_SHIFT,
    /* the middle of its bottom (hung: of its box) at `at`; with the heading
     * `yaw_deg` where `has_yaw` */
    RELATION_AT,
    /* pushed in under the reference from the side where it stands, its front to
     * it: a chair at a table */
    RELATION_TUCK,
    /* `row` one on another, the first lowest, on `support` where that is said,
     * else where the first is */
    RELATION_STACK,
    RELATION_AROUND, /* evenly around the reference, facing it */
    RELATION_GROUP,  /* close to each other; with a reference: close to that */
    /* on `reference` (a table) before the seat `second`, at the place that
     * `slot` names */
    RELATION_SETTING,
    /* hung: up or down where it hangs, until `align` of its box and of the
     * reference's are equally high */
    RELATION_LEVEL,
    /* its middle over the reference's as seen from above, standing on what
     * bears that: a sunshade */
    RELATION_OVER,
    /* beside the reference at its own side (`sides` in its own frame:
     * SIDE_FRONT is its front's), in the middle of that side */
    RELATION_END,
    RELATION_COUNT
} builtin_relation;

typedef enum builtin_facing {
    FACING_NONE = 0,
    FACING_TO,
    FACING_BACK
} builtin_facing;

/* of the picture */
enum {
    SIDE_LEFT = 1,
    SIDE_RIGHT = 2,
    SIDE_FRONT = 4,
    SIDE_BACK = 8
};
#define BUILTIN_CAMERA (UINT32_MAX - 1) /* as what is faced */

/* of a place laid at a table, as who sits there sees it */
typedef enum builtin_slot {
    SLOT_PLATE = 0,
    SLOT_RIGHT, /* knife, spoon */
    SLOT_LEFT,  /* fork, napkin */
    /* glass, cup: beyond the plate, to the right */
    SLOT_FAR
} builtin_slot;

typedef enum builtin_align {
    ALIGN_NONE = 0,
    ALIGN_TOP,
    ALIGN_MIDDLE,
    ALIGN_BOTTOM,
    ALIGN_HEIGHT
} builtin_align;

typedef enum builtin_bound {
    BOUND_NONE = 0,
    BOUND_MOST,
    BOUND_LEAST
} builtin_bound; /* "within 20 cm": nearer will do */

/* what must hold of the same place besides: fields as the move's */
typedef struct builtin_condition {
    builtin_relation relation;
    uint32_t reference, second;
    unsigned sides;
    double gap;
    builtin_bound bound;
    bool denied; /* "..., but not on the mat": it must not hold */
} builtin_condition;

/* Is a move only told of as how things stand: "the towel is on the rail"? Then
 * a later move of the same things makes it mere context, where it is so. */
typedef enum builtin_told {
    TOLD_NOT,
    TOLD_SO,
    TOLD_UNTRUE
} builtin_told;

typedef struct builtin_move { /* these things there */
    builtin_set objects;
    uint32_t reference;
    builtin_order order;
    builtin_relation relation;
    uint32_t second; /* BETWEEN: the other reference; else BUILTIN_NONE */
    /* what it is to stand on when said besides ("on the desk near the lamp"),
     * else BUILTIN_NONE */
    uint32_t support;
    unsigned sides;      /* CORNER, EDGE: which, 0: any */
    double gap;          /* metres between the surfaces; < 0: not said */
    builtin_bound bound; /* of the gap */
    builtin_facing facing;
    uint32_t faced; /* object or BUILTIN_CAMERA */
    double turn;    /* TURN: degrees, counter-clockwise from above */
    /* of what it stands on (OFF: of the reference), 1 the lowest; 0: not
     * said */
    uint32_t level;
    bool hung; /* said so: "hang", "mount" */
    /* "exactly on": the place that is pointed at, and none beside it */
    bool exact;
    /* said as a movement ("move it next to"), not as how things should be: near
     * means near */
    bool goes;
    builtin_told told;
    /* "..., where the chair and the plant are": they stood at the place and
     * make room; PLACE: around the middle of them */
    builtin_set there;
    uint32_t also_count; /* several places for one thing: all must hold */
    const builtin_condition *also;
    /* "in front of each chair": one of `objects` for each of these, which takes
     * the place of `reference` (SETTING: of `second`); count 0: not said */
    builtin_set each;
    /* "two chairs at each table": so many for each of these; 0: one */
    uint32_t each_number;
    double shift[3]; /* SHIFT: world, metres */
    double at[3];    /* AT: world, metres */
    bool has_yaw;    /* AT */
    double yaw_deg;  /* AT: as builtin_object's */
    double slack;    /* AT: metres from `at` that will do; 0: 3 cm */
    /* LINE, STACK: all of `objects` in their order: from the left (near, low)
     * one; 0: any order */
    uint32_t row_count;
    const uint32_t *row;
    bool even;      /* LINE: at equal steps */
    bool abreast;   /* LINE: near one another, whatever room there is */
    bool sideways;  /* LINE: its order is told by left and right */
    double spacing; /* LINE: metres between neighbours; < 0: not said */
    builtin_slot slot;
    /* LEVEL; with another hung relation: besides; HEIGHT: the box's middle as
     * high as at[2] */
    builtin_align align;
    bool alone; /* what stands on it or in it stays behind */
    /* "take it off the tray and put it ...": none of it stays on these */
    builtin_set leaves;
    /* LEFT, RIGHT: not as the picture shows it, but to this side (world,
     * unit) */
    bool has_right;
    double right[2];
    uint32_t instruction; /* of a list, from 0 */
    uint32_t span[2];     /* bytes of the sentence */
    /* and of the clause that asks for it; both 0: of none */
    uint32_t clause[2];
} builtin_move;

/* what must be brought in or taken out before a text can be read */
typedef struct builtin_want {
    builtin_change kind;
    const char *said, *by; /* as builtin_staged's */
    uint32_t from;         /* ADD: where `said` begins in the text */
    const char *query;     /* what to look for; "" */
    uint32_t count;        /* how many */
    builtin_set objects;   /* REMOVE, REPLACE: of the scene */
} builtin_want;

typedef struct builtin_refusal { /* of a sentence that could not be read */
    /* "unread", "unknown", "ambiguous", "impossible", "no_place"; NULL: none */
    const char *code;
    const char *what, *where, *advice;
    bool names_reader; /* the advice is to let a text model read it */
    uint32_t from, to; /* bytes of the sentence */
    /* and of the clause that they are of; both 0: of none */
    uint32_t clause[2];
    /* it takes something up, and what follows may say where to */
    bool is_begun;
    /* that clause asks for something of its own, and bounds nothing else */
    bool is_wish;
    /* by how much more (hundredths) another reading of the words may cost; 0:
     * nothing else is meant */
    uint32_t reach;
    /* bytes without which the rest can be read; both 0: there are none */
    uint32_t part[2];
    /* 1 + one of several things that are meant as well; 0: none */
    uint32_t instead;
    const builtin_want *want; /* NULL: that is not why */
} builtin_refusal;

enum {
    BUILTIN_REMARKS_MAX = 16
};
/* What a word of a text became in its reading. */
typedef enum builtin_became {
    BECAME_NOTHING, /* it is in what is left out */
    BECAME_MARK,
    BECAME_ASKED, /* of what is asked: who, where, how, how many */
    BECAME_THING, /* of a thing's name */
    BECAME_POLITE,
    BECAME_REASON,
    BECAME_TALK, /* it tells how things are */
    BECAME_ANY   /* it stands where any word may */
} builtin_became;
typedef struct builtin_account {
    uint32_t from, to; /* bytes of the sentence */
    builtin_became became;
} builtin_account;
const char *builtin_became_name(builtin_became became);

typedef struct builtin_reading {
    builtin_refusal refusal;
    /* what tells how things are and asks for nothing, as far as there is
     * room */
    uint32_t remark_count;
    uint32_t remarks[BUILTIN_REMARKS_MAX][2]; /* bytes of the sentence */
    /* things said that were done when the scene was staged, and ask for no
     * move */
    uint32_t staged;
    builtin_set stays; /* told to stay where they are: they make no way */
    /* of each word, in the order of the text */
    uint32_t account_count;
    const builtin_account *account;
    /* set before it is read: bytes of the text that are left out, ascending */
    uint32_t left_count;
    const uint32_t (*left)[2];
    uint32_t count;
    builtin_move moves[BUILTIN_MOVES_MAX];
} builtin_reading;

/* What a text asks to bring in or to take out, in its order: as far as it can
 * be read. `facts` are of the scene as it is. *ret is in the arena.
 * ETNA_E_NOMEM alone; a text that cannot be read has what was found before.
 * `reading`: what it asks besides; empty where it cannot be read. */
etna_code builtin_gather(const builtin_facts *facts,
                         const char *text,
                         etna_arena *arena,
                         builtin_want **ret,
                         uint32_t *ret_count,
                         builtin_reading *reading,
                         etna_error *err);

const char *builtin_relation_name(builtin_relation relation);

/* ---- levels: the heights at which one thing can bear others ---- */
/* "the second board from the bottom of the shelf" */
typedef struct builtin_level_words {
    uint32_t ordinal; /* BUILTIN_NONE: the last */
    bool from_bottom, middle;
    /* "from the bottom": of one thing's levels, and not of several things */
    bool counted;
    const char *noun; /* "board" */
    /* words that say whose; first == end: none do */
    uint32_t owner_first, owner_end;
} builtin_level_words;

/* Is that all that the words [first, end) say? */
bool builtin_level_said(const builtin_word *words,
                        uint32_t first,
                        uint32_t end,
                        builtin_level_words *ret);
/* "shelf", "board", "tier" and the like, in the singular. */
bool builtin_is_level_noun(const char *word);
uint32_t builtin_levels(const builtin_facts *facts, uint32_t object);
/* How many of these, from the lowest, people mean by its shelves: all but the
 * roof of what is taller than they are. */
uint32_t builtin_shelves(const builtin_facts *facts, uint32_t object);
/* How high over the level the next one is; infinite over the last. */
double builtin_level_room(const builtin_facts *facts,
                          uint32_t object,
                          uint32_t level);
/* Metres from that level of the object to the height; 0 when it is at it, or no
 * level is asked. */
double builtin_off_level(const builtin_facts *facts,
                         uint32_t object,
                         uint32_t level,
                         double height);
/* Of `count` levels the one that is meant; 0: there is none. */
uint32_t builtin_level_of(const builtin_level_words *said, uint32_t count);

/* Adds the moves of one sentence (or several) to *reading; earlier moves are
 * what "it" and "them" mean. ETNA_E_INPUT quotes the part that could not be
 * read. */
etna_code builtin_read(const builtin_facts *facts,
                       const char *text,
                       etna_arena *arena,
                       builtin_reading *reading,
                       etna_error *err);

#endif
