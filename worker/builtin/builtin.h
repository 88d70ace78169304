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
 * World frame: metres, Z up; image coordinates normalised, (0,0) top left. All
 * pointers live in the caller's arena. */
#ifndef ETNA_WORKER_BUILTIN_BUILTIN_H
#define ETNA_WORKER_BUILTIN_BUILTIN_H

#include "worker/provider/conversation.h"

#include <stdint.h>

struct json_t;

#define BUILTIN_NONE UINT32_MAX

enum {
    BUILTIN_FACTS_MAX = 64 << 20, /* bytes of facts JSON */
    BUILTIN_OBJECTS_MAX = 100000,
    BUILTIN_SURFACES_MAX = 20000,
    BUILTIN_WALLS_MAX = 1000,
    BUILTIN_SIDE_MAX = 1 << 16,  /* columns or rows of a map */
    BUILTIN_CELLS_MAX = 4 << 20, /* of one map */
    BUILTIN_CLEAR_MOST = 255,    /* centimetres that a map tells */
    BUILTIN_CLEAR_LEAST = 2,     /* less is no place at all */
    /* before a wall: what is nearer hides what hangs there */
    BUILTIN_CLEAR_WALL = 30,
    BUILTIN_MOVES_MAX = 64,  /* moves of one reading */
    BUILTIN_WORDS_MAX = 400, /* words of one sentence */
    /* alternatives that are thought of for one placement */
    BUILTIN_SPOTS_MAX = 6,
    BUILTIN_WHY_MAX = 480 /* bytes of a reason, NUL included */
};

/* ---- facts ---- */
typedef struct builtin_object {
    const char *name;
    uint32_t word_count, hint_count;
    /* of the name; of category and description */
    const char *const *words, *const *hints;
    /* what its name's words say it is, for builtin_is_seat and its like */
    unsigned classes;
    bool is_static, immovable, visible;
    bool static_by_cut;     /* static only because it cuts into what is */
    const char *static_why; /* the rule that made it static; "": not told */
    bool has_colour;
    double lab[3];             /* CIELAB, D65 */
    double image_box[4];       /* x1, y1, x2, y2 when visible */
    double centre[3], half[3]; /* box; half: across the heading, along it, up */
    double yaw_deg;            /* as facts tell it */
    double heading[2];         /* unit; world direction of the box's front */
    double start[3];           /* centre of the box when the run began */
    bool moved;                /* since then; if so: */
    double start_heading[2];
    uint32_t start_by_count; /* who carried it */
    const uint32_t *start_by;
    bool has_front; /* somebody said that the heading is the front */
    /* as it stood at the start: its surfaces, which tell the front, are told
     * where it stands now */
    bool had_front;
    double front_then[2];
    /* before what the sentence goes on from, a run or an instruction; if so: */
    bool was_elsewhere;
    double earlier[3]; /* centre of the box */
    double earlier_yaw_deg;
    bool hovering;
    /* hangs: held by a wall or a ceiling at its side or top */
    bool attached;
    uint32_t by_count, on_count; /* who carries it, who stands on it: indices */
    const uint32_t *by, *on;
    /* of a wall that is no thing of the file: its index + 1
     * (builtin_facts_wall_in); else 0 */
    uint32_t stretch;
    /* leading words of the name that most names here begin with */
    uint32_t shared_words;
    uint32_t material_count;
    const char *const *materials; /* words of their names */
    /* "ball", "block": what it is by its mere form; NULL: neither */
    const char *form;
} builtin_object;

/* what one thing that could be taken away leaves free over a map's cells */
typedef struct builtin_layer {
    uint32_t object;
    uint32_t column, row, columns, rows; /* of its cells */
    const uint8_t *clear;                /* per cell of these, as the map's */
} builtin_layer;

/* what is free over the cells of a surface, or before those of a wall */
typedef struct builtin_map {
    /* per cell, row by row: whole centimetres, BUILTIN_CLEAR_MOST: that or
     * more */
    const uint8_t *clear;
    /* the same, were all taken away that the layers are of */
    const uint8_t *fixed;
    uint32_t layer_count;
    const builtin_layer *layers;
} builtin_map;

/* a horizontal place things can stand on, with its map of free cells */
typedef struct builtin_surface {
    const char *plane;
    uint32_t object;
    /* metres; width: the shorter side of the polygon */
    double height, cell, width;
    double origin[2];       /* world xy of the low corner of cell (0, 0) */
    uint32_t columns, rows; /* row along +Y */
    /* nowhere free for 8 cm both ways: crowded, or a rim */
    bool narrow;
    builtin_map map;
    /* no hand comes to any of it: the roof of a room in one mesh, the boards of
     * a closed cupboard */
    bool shut;
    uint32_t corner_count;
    const double (*corners)[2]; /* convex hull, world xy, counter-clockwise */
} builtin_surface;

/* an upright place things can hang on; a point of it is s right + t Z + offset
 * normal */
typedef struct builtin_wall {
    const char *plane;
    uint32_t object;
    double normal[2], right[2], offset, cell;
    bool has_colour;
    double lab[3];    /* CIELAB, D65: its own, where its thing has others */
    double origin[2]; /* s, t of the low corner of cell (0, 0) */
    uint32_t columns, rows;
    builtin_map map;
    uint32_t corner_count;
    const double (*corners)[2]; /* convex hull, s and t, counter-clockwise */
} builtin_wall;

typedef struct builtin_checks { /* after an edit: for the evaluator */
    uint32_t object;
    double target[2], moved;
    bool no_target; /* the planner pointed at no place */
    double turned;  /* degrees, counter-clockwise from above, within +-180 */
    uint32_t collision_count, floating_count, others_moved;
    const char *collisions; /* names of what it cuts, as a list; "" when none */
    const char *floating;
    bool object_floats;
} builtin_checks;

typedef enum builtin_change {
    CHANGE_ADD,
    CHANGE_REMOVE,
    CHANGE_REPLACE
} builtin_change;

/* what was brought in or taken out for this text (worker/convert/stage.h) */
typedef struct builtin_staged {
    builtin_change kind;
    /* the phrases, as written; by: REPLACE, by what; else "" */
    const char *said, *by;
    /* ADD: the text that asks for it, and where `said` begins there: what is
     * said twice comes twice; NULL: not known */
    const char *text;
    uint32_t from;
    const char *refused; /* why nothing was done for it; "": something was */
    uint32_t count;      /* things that came for it */
    const uint32_t *objects;
    /* REPLACE: of each, where the middle of the old one's foot was (hung: of
     * its box) */
    const double (*at)[3];
    const double *yaw_deg; /* and its yaw */
    bool hung;
    uint32_t load_count; /* REPLACE: what stood on the old ones */
    const uint32_t *load;
} builtin_staged;

typedef struct builtin_facts {
    /* Of the camera by which left, right, near and far are said. */
    double position[3], right[3], up[3], forward[3];
    /* Of the one whose picture image places are of: mostly the same. */
    double lens_position[3], lens_right[3], lens_up[3], lens_forward[3];
    double half_height, aspect;
    bool orthographic;
    uint32_t object_count, surface_count, wall_count;
    const builtin_object *objects;
    const builtin_surface *surfaces;
    const builtin_wall *walls;
    /* of each wall that is a stretch and has a map, else NULL: rows x
     * (columns + 1), how many cells of that row, up to that column, are the
     * wall's own; builtin_facts_wall_in sets it */
    const uint32_t *const *wall_sums;
    bool has_checks;
    builtin_checks checks;
    uint32_t staged_count;
    const builtin_staged *staged;
    /* what is to be brought in or taken out is asked for
     * (builtin_refusal.want) */
    bool gathers;
} builtin_facts;

/* Reads the facts JSON of worker/agents/facts.h: hostile, bounded. ETNA_E_INPUT
 * names the field that is wrong; *ret untouched then. */
etna_code builtin_facts_read(const char *json,
                             size_t size,
                             etna_arena *arena,
                             builtin_facts *ret,
                             etna_error *err);
/* The same things as they stood when the run began: a goal speaks of these.
 * Places, headings, who carries whom and the image boxes of what has moved
 * (from its box's corners) are those of then; colours and maps are those of
 * now. ETNA_E_NOMEM. */
etna_code builtin_facts_at_start(const builtin_facts *facts,
                                 etna_arena *arena,
                                 builtin_facts *ret,
                                 etna_error *err);
/* The instruction that an edit's row belongs to: its "item", else its "step";
 * of a goal 1. */
uint32_t builtin_edit_item(const struct json_t *row, bool in_list);
/* The scene before the first edit that belongs to that instruction of a list
 * (from 1), by the task's `edits`; a goal is instruction 1. Where there is no
 * such edit yet: as it is now. What stood on a moved thing went with it.
 * ETNA_E_NOMEM. */
etna_code builtin_facts_before(const builtin_facts *facts,
                               const struct json_t *edits,
                               uint32_t item,
                               etna_arena *arena,
                               builtin_facts *ret,
                               etna_error *err);
/* The scene with these things (rows of an object, a position and a yaw) where
 * the rows say, on whatever is below them there. ETNA_E_NOMEM. */
etna_code builtin_facts_put_back(const builtin_facts *facts,
                                 const struct json_t *rows,
                                 etna_arena *arena,
                                 builtin_facts *ret,
                                 etna_error *err);
/* Tells the objects of `facts` where those stood in `earlier` that stand
 * elsewhere now. ETNA_E_NOMEM. */
etna_code builtin_facts_tell_earlier(builtin_facts *facts,
                                     const builtin_facts *earlier,
                                     etna_arena *arena,
                                     etna_error *err);
/* Image place and depth of a world point; false behind the camera. */
bool builtin_project(const builtin_facts *facts,
                     const double point[3],
                     double ret_image[2],
                     double *ret_depth);
/* What hovers a little over a thing stands on it here (place/start.c); done by
 * builtin_facts_read. ETNA_E_NOMEM. */
etna_code builtin_facts_lay(builtin_facts *facts,
                            etna_arena *arena,
                            etna_error *err);
/* The walls of a room in one mesh become fixed things, so that a sentence can
 * speak of them and what is against them is measured as in rooms of several
 * meshes (place/stretch.c); done by builtin_facts_read. ETNA_E_NOMEM. */
etna_code builtin_facts_wall_in(builtin_facts *facts,
                                etna_arena *arena,
                                etna_error *err);
/* Is that wall one of the object, or the object a stretch of it? */
bool builtin_is_wall_of(const builtin_facts *facts,
                        uint32_t wall,
                        uint32_t object);
/* Of a stretch: is it there behind most of the object when the middle of its
 * bottom is at `at`, and not a passage? Of what is a thing of the file: yes. */
bool builtin_is_wall_behind(const builtin_facts *facts,
                            uint32_t wall,
                            const builtin_object *object,
                            const double at[3]);
/* Directly, by the facts of support. */
bool builtin_stands_on(const builtin_facts *facts,
                       uint32_t object,
                       uint32_t by);
/* A rug, a mat: things stand on it as on what it lies on, and it does not make
 * way for them. */
bool builtin_is_covering(const builtin_facts *facts, uint32_t object);
/* Does it stand on that, but at none of the heights at which it is level? */
bool builtin_is_on_a_slope(const builtin_facts *facts,
                           uint32_t object,
                           uint32_t base);
/* On it, or on what is on it, and so on. */
bool builtin_is_above(const builtin_facts *facts,
                      uint32_t object,
                      uint32_t base);

/* ---- words ---- */
typedef enum builtin_colour {
    COLOUR_NONE = 0,
    COLOUR_BLACK,
    COLOUR_WHITE,
    COLOUR_GREY,
    COLOUR_RED,
    COLOUR_ORANGE,
    COLOUR_YELLOW,
    COLOUR_GREEN,
    COLOUR_BLUE,
    COLOUR_PURPLE,
    COLOUR_PINK,
    COLOUR_BROWN,
    COLOUR_COUNT
} builtin_colour;

typedef struct builtin_word {
    const char *text; /* lower case (ASCII); a quoted one as written */
    bool quoted;      /* stood in quotes: a name */
    uint32_t at, end; /* bytes of the sentence it covers */
} builtin_word;

/* Words and the marks , . ; each as a word. ETNA_E_INPUT: more than
 * BUILTIN_WORDS_MAX. */
etna_code builtin_words(const char *sentence,
                        etna_arena *arena,
                        const builtin_word **ret,
                        uint32_t *ret_count,
                        etna_error *err);
/* A name's words: split at marks, CamelCase, between letters and digits; lower
 * case, numbers without leading zeros. NULL: out of memory. */
const char *const *builtin_name_words(const char *name,
                                      etna_arena *arena,
                                      uint32_t *ret_count);
/* but for plural and the synonyms */
bool builtin_same_word(const char *a, const char *b);
/* oak is wooden */
bool builtin_is_stuff(const char *material, const char *said);
/* by its name: people work and eat at it */
bool builtin_is_table(const builtin_object *object);
/* is it there to have things on it, by its name: a table, a tray */
bool builtin_is_bearer(const builtin_object *object);
/* a television, a mirror, by its name: one looks at its broad side */
bool builtin_is_screen(const builtin_object *object);
/* by its name: people come to its broad side */
bool builtin_is_counter(const builtin_object *object);
/* Gives a thing its name's words, borrowed, and what they say it is. */
void builtin_object_call(builtin_object *o,
                         const char *const *words,
                         uint32_t count);
/* a chair, a sofa, a bed, by its name */
bool builtin_is_seat(const builtin_object *object);
/* a pillow, a blanket, by its name */
bool builtin_is_bedding(const builtin_object *object);
/* May it stand on a floor, though it is small: a plant, a basket, a toy? */
bool builtin_is_of_the_floor(const builtin_object *object);
/* Does it open to the front, by its name: a wardrobe, a fridge? */
bool builtin_has_doors(const builtin_object *object);
uint32_t builtin_ordinal(const char *word); /* "second", "2nd"; 0: none */
const char *builtin_colour_name(builtin_colour colour);
/* The basic colour term of a Lab colour, and whether `colour` would do as well
 * for a careless eye. */
builtin_colour builtin_colour_of(const double lab[3]);
bool builtin_colour_near(const double lab[3], builtin_colour colour);
/* How far a Lab colour is from the nearest sample of the basic term. */
double builtin_colour_distance(const double lab[3], builtin_colour colour);

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
    /* it is understood and not so in the scene: hardly anything else is meant
     */
    bool is_final;
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

/* ---- places ---- */
/* where the middle of a thing's bottom could come */
typedef struct builtin_spot {
    double point[3], image[2];
    /* BUILTIN_NONE: the top of the box of a thing without a surface */
    uint32_t surface;
    /* the thing is larger than the surface: only its middle can be over it */
    bool centre_only;
    bool hidden; /* something nearer may stand before it in the picture */
    /* there is so little room that the true shapes must say */
    bool squeezed;
    /* metres from the footprint to the next cell that is not free */
    double clear;
} builtin_spot;

typedef enum builtin_taste {
    TASTE_ROOMY = 1,
    TASTE_TIGHT,
    TASTE_NEAR
} builtin_taste;

typedef struct builtin_rect { /* kept free for something: world xy */
    double low[2], high[2];
} builtin_rect;

typedef struct builtin_wish {
    uint32_t object, reference; /* what stands on what */
    builtin_taste taste;
    double near[2]; /* NEAR: world xy */
    /* metres: of several levels the one about as high; NULL: the highest */
    const double *near_foot;
    uint32_t avoid_count;
    const double (*avoid)[3]; /* places given up: farther ones come first */
    uint32_t taken_count;
    const builtin_rect *taken;
    /* only places where this holds; NULL: anywhere on the reference */
    const builtin_move *move;
    /* things that would make room: as if they were not there */
    uint32_t ignored_count;
    const uint32_t *ignored;
    /* how much worse a place is for each of them that stands in it */
    double ignored_cost;
    bool turned; /* as it would stand after a quarter turn */
} builtin_wish;

/* The middle of what is free, and open above, of a seat's widest level place
 * and those as high as it, and the world's rectangle about them; false, results
 * untouched: it has none. */
bool builtin_seat_middle(const builtin_facts *facts,
                         uint32_t object,
                         double ret[2],
                         builtin_rect *ret_open);
/* The same things, one of them turned by so many degrees, counter-clockwise
 * from above. ETNA_E_NOMEM. */
etna_code builtin_turned(const builtin_facts *facts,
                         uint32_t object,
                         double degrees,
                         etna_arena *arena,
                         builtin_facts *ret,
                         etna_error *err);
/* Up to BUILTIN_SPOTS_MAX, best first and apart from each other; *ret_count 0:
 * no room. ETNA_E_NOMEM. */
etna_code builtin_spots(const builtin_facts *facts,
                        const builtin_wish *wish,
                        builtin_spot *ret,
                        uint32_t *ret_count,
                        etna_error *err);
/* Is that height of `base` below the top that "on it" means: its lower board,
 * the bar between its legs? */
bool builtin_is_below_top(const builtin_facts *facts,
                          const builtin_move *move,
                          uint32_t base,
                          double height);
/* Does the rectangle of the surface's map span the point, seen from above? */
static inline bool builtin_spans(const builtin_surface *s, double x, double y)
{
    double along = x - s->origin[0], across = y - s->origin[1];
    bool is_along = along >= 0 && along <= s->columns * s->cell;
    return is_along && across >= 0 && across <= s->rows * s->cell;
}
/* Is that cell of the surface free, as things stand, up to so many
 * centimetres? */
static inline bool builtin_is_clear(const builtin_surface *s,
                                    uint32_t column,
                                    uint32_t row,
                                    uint32_t centimetres)
{
    return s->map.clear[(size_t)row * s->columns + column] >= centimetres;
}
/* What the map's cells leave free without the things that are away: ret[columns
 * x rows]; `away`: per object. */
void builtin_map_without(const builtin_map *map,
                         uint32_t columns,
                         uint32_t rows,
                         const bool *away,
                         uint8_t *ret);
/* Has the surface a free cell within the rectangle? */
bool builtin_is_free_near(const builtin_surface *s, const builtin_rect *rect);
/* Of its box: the heights of its foot and of its top, metres. */
static inline double builtin_foot(const builtin_object *object)
{
    return object->centre[2] - object->half[2];
}
static inline double builtin_top(const builtin_object *object)
{
    return object->centre[2] + object->half[2];
}
/* Half of its longer and of its shorter side on the ground, metres. */
static inline double builtin_half_longer(const builtin_object *object)
{
    return object->half[0] > object->half[1] ? object->half[0]
                                             : object->half[1];
}
static inline double builtin_half_shorter(const builtin_object *object)
{
    return object->half[0] < object->half[1] ? object->half[0]
                                             : object->half[1];
}
/* World-axis rectangle an object's box takes when its middle stands at (x, y),
 * grown by `margin`. */
builtin_rect builtin_footprint(const builtin_object *object,
                               double x,
                               double y,
                               double margin);
/* The same where it stands. */
builtin_rect builtin_rect_of(const builtin_object *object);

bool builtin_rects_meet(const builtin_rect *a, const builtin_rect *b);
/* Metres between two rectangles; 0: they meet or overlap. */
double builtin_rects_apart(const builtin_rect *a, const builtin_rect *b);
/* Square metres of the surface's map. */
double builtin_surface_area(const builtin_surface *s);
/* A fixed thing more than two metres wide both ways: floors, lawns. */
bool builtin_is_ground(const builtin_object *object);

/* How high the thing reaches with all that stands on it, for that goes with
 * it. */
double builtin_top_with_load(const builtin_facts *facts, uint32_t object);
/* The room that a thing leaves over the cells of a surface, at a point there;
 * INFINITY where nothing is told. */
double builtin_layer_clear(const builtin_surface *s,
                           uint32_t object,
                           double x,
                           double y);
/* Does a thing that stands lower than the surface about the rectangle's middle
 * leave so much room over it, as a chair at a table does? False where there is
 * no surface at that height. */
bool builtin_is_beneath_there(const builtin_facts *facts,
                              uint32_t object,
                              const builtin_rect *r,
                              double bottom,
                              double height);
/* Does `other` take room that `object` needs when the middle of its bottom
 * stands at `at`, as far as boxes and the surface's map tell? */
bool builtin_is_in_the_way(const builtin_facts *facts,
                           uint32_t other,
                           uint32_t object,
                           const double at[3]);

/* ---- relations as geometry ---- */
/* How far a thing whose bottom's middle is at `at` is from standing as the move
 * says, metres or so: 0 and less is right, and the less the better. Support and
 * facing apart. */
double builtin_misfit(const builtin_facts *facts,
                      const builtin_move *move,
                      uint32_t object,
                      const double at[3]);
/* Metres between the thing and what it is to be beside, on the side that is
 * asked; 0 where the move asks for no such. */
double builtin_gap(const builtin_facts *facts,
                   const builtin_move *move,
                   uint32_t object,
                   const double at[3]);
/* The wall that stands where the thing would come beside the reference, on the
 * side that is asked; BUILTIN_NONE. */
uint32_t builtin_wall_at_side(const builtin_facts *facts,
                              const builtin_move *move,
                              uint32_t object);
/* Where PLACE leads: the middle of the bottom of what stood there when the run
 * began (of several: the middle of them). */
void builtin_old_place(const builtin_facts *facts,
                       const builtin_move *move,
                       double ret[3]);
/* What a thing must stand on for the move to hold; BUILTIN_NONE: it does not
 * matter, or nobody knows. */
uint32_t builtin_support_of(const builtin_facts *facts,
                            const builtin_move *move,
                            uint32_t object);
/* Degrees between the thing's front and where the move wants it; 0 when it
 * wants nothing. */
double builtin_facing_off(const builtin_facts *facts,
                          const builtin_move *move,
                          uint32_t object);
/* Where its front is to point when the thing's middle is at `from`; false:
 * nowhere, it is there. */
bool builtin_facing_way(const builtin_facts *facts,
                        const builtin_move *move,
                        const double from[3],
                        double ret[2]);
/* From a chair that faces a table, at a side of it, straight to that side;
 * false: it stands at a corner, or the thing is no table. */
bool builtin_way_across_table(const builtin_facts *facts,
                              const builtin_move *move,
                              const double from[3],
                              double ret[2]);
/* The thing's front: as somebody said, else away from a seat's back. False:
 * nobody knows, and *ret is its heading. */
bool builtin_front_of(const builtin_facts *facts,
                      uint32_t object,
                      double ret[2]);
/* Furniture with its back to a wall looks away from it. False: it stands at
 * none, *ret untouched. */
bool builtin_front_from_wall(const builtin_facts *facts,
                             uint32_t object,
                             double ret[2]);
/* The wall that the thing has its back to, by its box, and the way that it looks
 * then; BUILTIN_NONE: it has none there. */
uint32_t builtin_wall_at_back(const builtin_facts *facts,
                              uint32_t object,
                              double ret_front[2]);
/* Fixed, higher than a person, and thin. */
bool builtin_is_wall(const builtin_object *object);
/* The same, or of half a person's height: a screen, a parapet. */
bool builtin_is_wall_like(const builtin_object *object);
/* Horizontal unit vectors of the picture: to its right, and away from the
 * viewer. */
void builtin_picture_axes(const builtin_facts *facts,
                          double ret_right[2],
                          double ret_away[2]);
/* LEFT to BEHIND: out of the reference to the side that is meant; unit,
 * level. */
void builtin_side_axis(const builtin_facts *facts,
                       const builtin_move *move,
                       double ret[2]);
/* Half of a box's extent along a horizontal direction. */
double builtin_extent(const builtin_object *object, const double way[2]);
/* OVER: metres from the reference's middle that will do. */
double builtin_over_slack(const builtin_object *object,
                          const builtin_object *reference,
                          bool stands_on_it);
/* END: from the reference's middle to the side that is meant; unit. */
void builtin_end_axis(const builtin_facts *facts,
                      const builtin_move *move,
                      double ret[2]);
/* One of a move's further conditions as a move of its own. */
builtin_move builtin_condition_move(const builtin_move *move,
                                    const builtin_condition *condition);
/* What is below the thing where `o` has it, which may hover over that by a
 * hand's breadth; BUILTIN_NONE: nothing that is known. */
uint32_t builtin_support_below(const builtin_facts *facts,
                               uint32_t object,
                               const builtin_object *o);
/* The surface under a place, and whose; BUILTIN_NONE: none. */
uint32_t builtin_surface_under(const builtin_facts *facts,
                               const double at[3],
                               uint32_t not_of);

/* ---- hanging: place/hang.c ---- */
typedef struct builtin_hook { /* a place on a wall */
    uint32_t wall;
    double at[2];              /* s, t of the middle of the thing's box */
    double point[3], image[2]; /* of the same */
} builtin_hook;

/* Is the move about hanging: said so, above something, on or along a wall by
 * what already hangs? */
bool builtin_is_hung(const builtin_facts *facts,
                     const builtin_move *move,
                     uint32_t object);
/* NULL: the thing can hang as it is turned (flat and upright, or hanging
 * already); else why not. */
const char *builtin_why_not_hung(const builtin_facts *facts, uint32_t object);
/* The wall the thing hangs on; BUILTIN_NONE: on none that is seen. */
uint32_t builtin_hangs_on(const builtin_facts *facts, uint32_t object);
/* LEVEL and `align`: how high the middle of the thing's box is to come; false:
 * nothing of the kind is asked. */
bool builtin_aligned_height(const builtin_facts *facts,
                            const builtin_move *move,
                            uint32_t object,
                            double *ret);
/* The yaw that the thing hangs with on that wall: what is at the wall now stays
 * there. */
double builtin_hang_yaw(const builtin_facts *facts,
                        uint32_t object,
                        uint32_t wall);
/* Does it hang as the move wants it? */
bool builtin_hangs_as_asked(const builtin_facts *facts,
                            const builtin_move *move,
                            uint32_t object);
/* Free places on walls where the move holds, at most BUILTIN_SPOTS_MAX, best
 * first and apart; `avoid` as in builtin_wish. ETNA_E_NOMEM. */
etna_code builtin_hooks(const builtin_facts *facts,
                        const builtin_move *move,
                        uint32_t object,
                        const double (*avoid)[3],
                        uint32_t avoid_count,
                        etna_arena *arena,
                        builtin_hook *ret,
                        uint32_t *ret_count,
                        etna_error *err);

/* ---- the roles: answer texts and calls ---- */
typedef struct builtin_talk { /* the parts of a request that the roles read */
    const model_request *request;
    builtin_facts facts;
    const struct json_t *task; /* the [task] block */
    uint32_t refusals;         /* how often an answer was sent back */
    const char *last_answer;   /* the assistant's last text, or "" */
    etna_arena *arena;
} builtin_talk;

etna_code builtin_planner(builtin_talk *talk,
                          model_reply *ret,
                          etna_error *err);
etna_code builtin_executor(builtin_talk *talk,
                           model_reply *ret,
                           etna_error *err);
/* The ablations' conversations (single.c): planner and executor in one; and the
 * pose itself, as a placement or a script, of an object whose bottom comes to
 * `bottom`, turned by `turn` degrees. */
etna_code builtin_single(builtin_talk *talk, model_reply *ret, etna_error *err);
etna_code builtin_pose(builtin_talk *talk,
                       uint32_t object,
                       const double bottom[3],
                       double turn,
                       bool script,
                       model_reply *ret,
                       etna_error *err);
etna_code builtin_evaluator(builtin_talk *talk,
                            model_reply *ret,
                            etna_error *err);
/* The executor's constraints for a thing that is to hang; the image coordinate
 * is the planner's. */
etna_code builtin_hang_constrain(builtin_talk *talk,
                                 const builtin_move *move,
                                 uint32_t object,
                                 const double coordinate[2],
                                 model_reply *ret,
                                 etna_error *err);
/* Places given up before, of the task's list `key`, for `object`; *ret_count 0
 * when there are none. ETNA_E_NOMEM. */
etna_code builtin_given_up(builtin_talk *talk,
                           const char *key,
                           uint32_t object,
                           const double (**ret)[3],
                           uint32_t *ret_count,
                           etna_error *err);
/* A reply of text alone, from a format. */
etna_code builtin_say(builtin_talk *talk,
                      model_reply *ret,
                      etna_error *err,
                      const char *format,
                      ...) __attribute__((format(printf, 4, 5)));
/* The name in quotes that builtin_words reads back as one word. */
const char *builtin_quote(builtin_talk *talk, const char *name);

#endif
