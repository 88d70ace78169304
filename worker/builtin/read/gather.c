/* Which things answer to the words of a phrase. First by name and kind; where
 * none does, by the place that the first word names ("the bedroom desk"), or as
 * the only kindred thing of the colour; for a refusal by the nouns alone. */
#include "worker/builtin/read/match_internal.h"
#include "worker/builtin/read/refer_internal.h"

#include <math.h>

enum {
    COST_BY_PLACE = 30,
    COST_BY_FORM = 30,
    COST_OF_FAMILY = 120,
    NEAR_PLACE = MATCH_NOT_HEAD + 50
};

/* ---- by words ---- */

static bool scope_allows(const builtin_facts *facts,
                         const refer_scope *scope,
                         uint32_t object)
{
    if (scope->barred && set_has(scope->barred, object))
        return false;
    if (scope->on == BUILTIN_NONE)
        return true;
    const builtin_object *o = &facts->objects[object];
    double bottom = builtin_foot(o);
    return builtin_stands_on(facts, object, scope->on) &&
           !(builtin_off_level(facts, scope->on, scope->on_level, bottom) > 0);
}

/* "The rest" is what was not spoken of, "the other" not what was spoken of
 * last. */
static bool quantity_allows(const reader *r,
                            const quantity *amount,
                            uint32_t object)
{
    if ((amount->says & SAYS_REST) &&
        reading_moves(r->reading, r->first_move, object))
        return false;
    if (!(amount->says & SAYS_OTHER))
        return true;
    /* "leave the red mug alone and wash the other two" */
    if (set_has(&r->memory.last, object) || set_has(&r->memory.stays, object))
        return false;
    bool named_some = r->memory.named.count < r->facts->object_count;
    return !(named_some && set_has(&r->memory.named, object));
}

/* "The book to the other table": not the one on which it lies. */
static bool candidate_is_left(const resolution *t, uint32_t object)
{
    const builtin_set *moved = t->scope.barred;
    bool stands = false;
    if (t->scope.movers || !moved || !(t->amount.says & SAYS_OTHER))
        return false;
    for (uint32_t i = 0; i < moved->count; i++)
        stands =
            stands || builtin_stands_on(t->r->facts, moved->objects[i], object);
    return stands;
}

bool gather_allows(const resolution *t, uint32_t object)
{
    if (!scope_allows(t->r->facts, &t->scope, object) ||
        candidate_is_left(t, object))
        return false;
    return quantity_allows(t->r, &t->amount, object);
}

/* All objects that answer the words, each with what it costs to mean it. Words
 * that are no head ("table" of a table lamp) count only where nothing better
 * answers. */
void gather(const resolution *t, const match_query *query, candidates *ret)
{
    const builtin_facts *facts = t->r->facts;
    bool any_kind = !query->has_noun && query->generic;
    ret->count = 0;
    for (uint32_t i = reader_match_next(t->r, 0, query);
         i < facts->object_count; i = reader_match_next(t->r, i + 1, query)) {
        if (any_kind && facts->objects[i].is_static)
            continue;
        if (gather_allows(t, i))
            candidates_add(ret, i, reader_match(t->r, i, query).cost);
    }
    /* a lamp's shade is what "the table" means of a table lamp only for want of
     * a table */
    uint32_t least = candidates_least(ret);
    if (least < MATCH_NOT_HEAD)
        candidates_within(ret, MATCH_NOT_HEAD - 1 - least);
}

etna_code gather_called(reader *r,
                        const char *const *words,
                        uint32_t count,
                        uint32_t most,
                        match_query *ret_query,
                        candidates *ret)
{
    const uint32_t objects = r->facts->object_count;
    *ret = (candidates){0};
    etna_code code = reader_query(r, words, count, ret_query);
    if (code != ETNA_OK || !ret_query->has_noun)
        return code;
    code = candidates_make(r, ret);
    if (code != ETNA_OK)
        return code;
    for (uint32_t i = reader_match_next(r, 0, ret_query); i < objects;
         i = reader_match_next(r, i + 1, ret_query)) {
        const uint32_t cost = reader_match(r, i, ret_query).cost;
        if (cost <= most)
            candidates_add(ret, i, cost);
    }
    return ETNA_OK;
}

/* ---- by place ---- */

/* Beds make a bedroom. */
static const struct {
    const char *room, *marks[5];
} rooms[] = {
    {"bedroom", {"bed", "wardrobe", "nightstand"}},
    {"living", {"sofa", "television", "coffee table"}},
    {"kitchen", {"refrigerator", "stove", "kitchen table", "kitchen counter"}},
    {"bathroom", {"toilet", "bathtub", "basin"}},
    {"dining", {"dining table"}},
    {"office", {"desk"}},
    {"study", {"desk"}},
    {"lounge", {"sofa", "television"}},
    {"hall", {"front door", "shoe rack"}},
    {"hallway", {"front door", "shoe rack", "coat rack"}},
    {"parlour", {"sofa", "television", "fireplace"}},
    {"workshop", {"workbench", "drill", "saw"}},
    {"garage", {"car", "bicycle", "workbench"}},
    {"nursery", {"crib", "toy", "doll"}},
    {"gym", {"treadmill", "dumbbell", "barbell"}}};

/* What tells the room of that name; NULL: the word names none. */
static const char *const *room_marks(const char *word)
{
    for (size_t i = 0; i < COUNT_OF(rooms); i++) {
        if (strcmp(rooms[i].room, word) == 0)
            return rooms[i].marks;
    }
    return NULL;
}

static bool scene_has_kind(const reader *r, const char *kind)
{
    kinds_id mark;
    kinds_find(kind, &mark);
    for (uint32_t i = 0; i < r->facts->object_count; i++) {
        if (kinds_id_distance(&r->kinds[i], &mark) <= KINDS_STEP)
            return true;
    }
    return false;
}

static bool scene_has_marks(const reader *r, const char *const *marks)
{
    bool has = false;
    for (; *marks && !has; marks++)
        has = scene_has_kind(r, *marks);
    return has;
}

bool scene_is_another_room(const reader *r, const char *word)
{
    const char *const *const own = room_marks(word);
    bool other = false;
    if (!own || scene_has_marks(r, own))
        return false;
    for (size_t i = 0; i < COUNT_OF(rooms) && !other; i++)
        other = scene_has_marks(r, rooms[i].marks);
    return other;
}

/* Metres from a thing to the nearest other that is of a kind. */
static double object_way_to_kind(const reader *r,
                                 uint32_t object,
                                 const char *kind)
{
    kinds_id mark;
    double least = INFINITY;
    kinds_find(kind, &mark);
    for (uint32_t i = 0; i < r->facts->object_count; i++) {
        if (i == object || kinds_id_distance(&r->kinds[i], &mark) > KINDS_STEP)
            continue;
        double way = object_way(r, i, object);
        least = way < least ? way : least;
    }
    return least;
}

static double object_way_to_room(const reader *r,
                                 uint32_t object,
                                 const char *const *marks)
{
    double least = INFINITY;
    for (; *marks; marks++) {
        double way = object_way_to_kind(r, object, *marks);
        least = way < least ? way : least;
    }
    return least;
}

/* "the kitchen table", "the bedside lamp": the word before the noun as a
 * place. */
typedef struct place {
    const reader *r;
    match_query where;        /* the other thing */
    match_query own;          /* the thing itself, which makes no place */
    const char *const *marks; /* or the room; NULL: it is none */
    /* metres of the candidate nearest to the room's marks */
    double nearest;
    bool is_ground; /* "the floor lamp" */
} place;

/* A patio door is no patio: what is called so by it may be on either side. */
static bool object_leads_to_place(const place *p, uint32_t object)
{
    return reader_match(p->r, object, &p->where).cost >= MATCH_NOT_HEAD &&
           (object_is_kind(p->r, object, "door") ||
            object_is_kind(p->r, object, "window"));
}

static bool object_makes_place(const place *p, uint32_t object)
{
    return !object_is_ground(p->r, object) &&
           reader_match(p->r, object, &p->where).cost < NEAR_PLACE &&
           reader_match(p->r, object, &p->own).cost >= MATCH_NONE &&
           !object_leads_to_place(p, object);
}

/* Of "the kitchen table": near what makes a kitchen, or clearly nearer to it
 * than all others. */
static bool object_is_at_place(const void *context, uint32_t object)
{
    const double within = 0.6, room_reach = 4, lead = 1; /* metres */
    const place *p = context;
    const builtin_facts *facts = p->r->facts;
    if (p->is_ground)
        return object_is_on_floor(p->r, object);
    for (uint32_t i = 0; i < facts->object_count; i++) {
        if (i == object || !object_makes_place(p, i))
            continue;
        if (builtin_is_above(facts, object, i))
            return true;
        if (object_way(p->r, object, i) < within)
            return true;
    }
    double way =
        p->marks ? object_way_to_room(p->r, object, p->marks) : INFINITY;
    return way < room_reach && way < p->nearest + lead;
}

/* "The stove counter" is the one that the stove stands on, where one bears it. */
static bool object_bears_place(const void *context, uint32_t object)
{
    const place *p = context;
    for (uint32_t i = 0; i < p->r->facts->object_count; i++) {
        const bool other = i != object && object_makes_place(p, i);
        if (other && builtin_is_above(p->r->facts, i, object))
            return true;
    }
    return false;
}

/* How near the nearest of them is to the room that such things mark. */
static void place_measure_room(place *p, const candidates *c)
{
    for (uint32_t i = 0; i < c->count; i++) {
        double way = object_way_to_room(p->r, c->items[i].object, p->marks);
        p->nearest = way < p->nearest ? way : p->nearest;
    }
}

/* Is a whole phrase another kind than the thing is: "the umbrella stand" by a
 * coat stand beside which an umbrella stands? */
static bool object_is_other_kind(const void *context, uint32_t object)
{
    const resolution *const t = context;
    return match_kinds_deny(&t->r->kinds[object], &t->query.said);
}

typedef struct room_word {
    const reader *r;
    const char *word;
} room_word;

static bool object_is_named_after_room(const void *context, uint32_t object)
{
    const room_word *room = context;
    return object_has_word(object_at(room->r, object), room->word);
}

static bool object_is_in_room(const void *context, uint32_t object)
{
    const double room_reach = 4, lead = 1; /* metres */
    const place *p = context;
    const double way = object_way_to_room(p->r, object, p->marks);
    return way < room_reach && way < p->nearest + lead;
}

bool candidates_by_room(const reader *r, const char *word, candidates *c)
{
    const room_word named = {.r = r, .word = word};
    place p = {.r = r, .marks = room_marks(word), .nearest = INFINITY};
    if (candidates_prefer(c, object_is_named_after_room, &named))
        return true;
    if (!p.marks)
        return false;
    place_measure_room(&p, c);
    return candidates_prefer(c, object_is_in_room, &p);
}

/* "The dining chairs", where none is called so: the chairs by a dining table;
 * "the bedroom desk": the desk in the room with the bed; "the desk lamp": the
 * lamp on the desk. The first words are the other thing's, the rest the thing's
 * own. */
etna_code gather_by_place(const resolution *t, candidates *ret)
{
    reader *r = t->r;
    const match_query *q = &t->query;
    ret->count = 0;
    if (q->count < 2 || lexicon_colour(q->words[0]))
        return ETNA_OK;
    bool room_said = q->count > 2 && strcmp(q->words[1], "room") == 0;
    uint32_t skip = room_said ? 2 : 1;
    match_query own;
    place p = {.r = r, .marks = room_marks(q->words[0]), .nearest = INFINITY};
    etna_code code = reader_query(r, q->words + skip, q->count - skip, &own);
    if (code == ETNA_OK)
        code = reader_query(r, q->words, 1, &p.where);
    if (code != ETNA_OK)
        return code;
    if (!own.has_noun)
        return ETNA_OK; /* "the sun one" is not whatever stands by the sun */
    gather(t, &own, ret);
    p.own = own;
    p.is_ground = lexicon_lists("gather: ground", q->words[0]);
    if (p.marks)
        place_measure_room(&p, ret);
    candidates_select(ret, object_is_other_kind, t, false);
    candidates_select(ret, object_is_at_place, &p, true);
    if (!p.marks)
        candidates_prefer(ret, object_bears_place, &p);
    for (uint32_t i = 0; i < ret->count; i++)
        ret->items[i].cost += COST_BY_PLACE;
    return ETNA_OK;
}

/* ---- by size ---- */

/* Kinds of one noun that only their size tells apart: a coffee table is a low
 * one. */
typedef struct sized_kind {
    const char *phrase;
    double lowest, highest;   /* metres */
    double shortest, longest; /* of the longer side */
} sized_kind;

/* Kinds that are told apart by their size only; NULL: it is none. */
static const sized_kind *sized_kind_find(const match_query *q)
{
    static const sized_kind kinds[] = {{"coffee table", 0.2, 0.56, 0.55, 1.8},
                                       {"side table", 0.35, 0.75, 0.2, 0.65},
                                       {"end table", 0.35, 0.75, 0.2, 0.65},
                                       {"dining table", 0.65, 0.85, 1.1, 5}};
    const char *last = q->count > 1 ? q->words[q->count - 1] : "";
    const char *first = q->count > 1 ? q->words[q->count - 2] : "";
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        const size_t length = strlen(first);
        const char *phrase = kinds[i].phrase;
        bool is = strncmp(phrase, first, length) == 0 && phrase[length] == ' ';
        if (is && strcmp(phrase + length + 1, last) == 0)
            return &kinds[i];
    }
    return NULL;
}

typedef struct sized_search {
    const reader *r;
    const sized_kind *kind;
} sized_search;

/* Height and length within the kind's limits, metres. */
static bool object_has_size(const void *context, uint32_t object)
{
    const sized_search *search = context;
    const sized_kind *k = search->kind;
    const builtin_object *o = object_at(search->r, object);
    const double high = 2 * o->half[2];
    const double wide = 2 * fmax(o->half[0], o->half[1]);
    const bool is_high = high >= k->lowest && high <= k->highest;
    return is_high && wide >= k->shortest && wide <= k->longest;
}

bool candidates_by_kind_size(const resolution *t, candidates *c)
{
    const sized_search search = {.r = t->r, .kind = sized_kind_find(&t->query)};
    if (!search.kind)
        return false;
    candidates_select(c, object_has_size, &search, true);
    return true;
}

/* ---- by form ---- */

/* No form of the scene's facts: it is told by where the thing is. */
#define FORM_CLOUD "cloud"

/* The form that a noun means by itself. */
static const char *form_of_noun(const char *noun)
{
    static const struct {
        const char *noun, *form;
    } nouns[] = {
        {"ball", "ball"},   {"sphere", "ball"},  {"orb", "ball"},
        {"box", "block"},   {"block", "block"},  {"cube", "block"},
        {"crate", "block"}, {"cuboid", "block"}, {"cloud", FORM_CLOUD}};
    char lemma[KINDS_WORD_SIZE];
    kinds_lemma(noun, lemma, sizeof lemma, NULL);
    for (size_t i = 0; i < COUNT_OF(nouns); i++) {
        if (strcmp(nouns[i].noun, lemma) == 0)
            return nouns[i].form;
    }
    return NULL;
}

/* Does nothing bear or hold it, above the heads of people? */
static bool object_is_in_the_sky(const reader *r, uint32_t object)
{
    const double overhead = 2; /* metres above the lowest thing of the scene */
    const builtin_object *const o = object_at(r, object);
    double lowest = builtin_foot(o);
    for (uint32_t i = 0; i < r->facts->object_count; i++)
        lowest = fmin(lowest, builtin_foot(object_at(r, i)));
    return o->hovering && builtin_foot(o) > lowest + overhead;
}

static bool object_has_form(const reader *r, uint32_t object, const char *form)
{
    const builtin_object *const o = object_at(r, object);
    if (strcmp(form, FORM_CLOUD) == 0)
        return object_is_in_the_sky(r, object);
    return o->form && strcmp(o->form, form) == 0;
}

/* Adds what has the form and no name of its own. */
static void gather_of_form(const resolution *t,
                           const char *form,
                           candidates *ret)
{
    const builtin_facts *facts = t->r->facts;
    for (uint32_t i = 0; i < facts->object_count; i++) {
        const builtin_object *o = &facts->objects[i];
        const bool is = !o->is_static && builtin_is_unnamed(o) &&
                        object_has_form(t->r, i, form);
        if (is && gather_allows(t, i))
            candidates_add(ret, i, COST_BY_FORM);
    }
}

/* "The orange ball", where a file calls it Object_14: what is one by its form
 * and has no better name. What is said of it besides stays to be asked of
 * them. */
etna_code gather_by_form(const resolution *t, match_query *q, candidates *ret)
{
    const char *words[REFER_WORDS_MAX];
    const char *form =
        q->has_noun && q->count ? form_of_noun(q->words[q->count - 1]) : NULL;
    uint32_t count = 0;
    ret->count = 0;
    if (form)
        gather_of_form(t, form, ret);
    if (ret->count == 0)
        return ETNA_OK;
    for (uint32_t i = 0; i + 1 < q->count; i++) {
        if (!q->is_property[i])
            ret->count = 0; /* "the tennis ball" */
        words[count++] = q->words[i];
    }
    words[count++] = "one";
    return reader_query(t->r, words, count, q);
}

/* ---- by default ---- */

/* How large things of a kind are, metres: the longer side, the shorter one, the
 * height. Narrow, since nothing else tells that a thing without a name is
 * one. */
typedef struct usual_size {
    const char *kind;
    double length[2], width[2], height[2];
    bool round; /* as long as it is wide */
} usual_size;

static const usual_size usual_sizes[] = {
    {"hat", {0.2, 0.5}, {0.18, 0.5}, {0.05, 0.35}, false},
    {"sign", {0.12, 0.9}, {0.005, 0.5}, {0.12, 1.3}, false},
    {"shoe", {0.18, 0.34}, {0.07, 0.14}, {0.05, 0.4}, false},
    {"glove", {0.12, 0.35}, {0.06, 0.3}, {0.005, 0.1}, false},
    {"cushion", {0.25, 0.8}, {0.2, 0.8}, {0.05, 0.3}, false},
    {"mug", {0.08, 0.15}, {0.06, 0.12}, {0.06, 0.14}, false},
    {"bottle", {0.05, 0.14}, {0.05, 0.14}, {0.15, 0.4}, true},
    {"plate", {0.14, 0.34}, {0.14, 0.34}, {0.005, 0.05}, true},
    {"bowl", {0.1, 0.4}, {0.1, 0.4}, {0.04, 0.2}, true},
    {"book", {0.15, 0.35}, {0.1, 0.28}, {0.008, 0.08}, false},
    {"magazine", {0.2, 0.35}, {0.15, 0.28}, {0.002, 0.02}, false},
    {"comb", {0.12, 0.25}, {0.02, 0.06}, {0.002, 0.03}, false},
    {"scissors", {0.1, 0.25}, {0.04, 0.12}, {0.002, 0.03}, false},
    {"key", {0.04, 0.14}, {0.01, 0.08}, {0.002, 0.03}, false},
    {"telephone", {0.1, 0.3}, {0.05, 0.25}, {0.005, 0.15}, false},
    {"candle", {0.02, 0.12}, {0.02, 0.12}, {0.05, 0.35}, true},
    {"vase", {0.06, 0.3}, {0.06, 0.3}, {0.12, 0.6}, false},
    {"ball", {0.04, 0.5}, {0.04, 0.5}, {0.04, 0.5}, true},
    {"clock", {0.06, 0.4}, {0.02, 0.4}, {0.06, 0.4}, false},
    {"basket", {0.18, 0.6}, {0.15, 0.5}, {0.08, 0.6}, false},
    {"bucket", {0.2, 0.4}, {0.2, 0.4}, {0.18, 0.45}, true},
    {"jar", {0.05, 0.16}, {0.05, 0.16}, {0.06, 0.25}, true},
    {"tin", {0.05, 0.18}, {0.05, 0.18}, {0.04, 0.22}, false},
    {"cutlery", {0.12, 0.3}, {0.01, 0.06}, {0.002, 0.04}, false},
    {"towel", {0.2, 0.8}, {0.15, 0.6}, {0.01, 0.2}, false},
    {"toy", {0.05, 0.45}, {0.04, 0.45}, {0.03, 0.5}, false},
    {"fruit", {0.04, 0.16}, {0.04, 0.12}, {0.03, 0.12}, false},
    {"pen", {0.1, 0.18}, {0.004, 0.03}, {0.004, 0.03}, false}};

static bool range_has(const double range[2], double value)
{
    return value >= range[0] && value <= range[1];
}

/* Of what people say in the plural, and a file has as one thing. */
static bool size_is_of_pairs(const usual_size *size)
{
    return lexicon_lists("gather: pair", size->kind);
}

static const usual_size *usual_size_find(const match_query *q)
{
    for (size_t i = 0; i < COUNT_OF(usual_sizes); i++) {
        kinds_id kind;
        kinds_find(usual_sizes[i].kind, &kind);
        if (kinds_id_distance(&q->said, &kind) < KINDS_NEAR)
            return &usual_sizes[i];
    }
    return NULL;
}

/* Can it be moved, is it as large as such things are, and of the colour that is
 * said? */
static bool object_may_be(const resolution *t,
                          uint32_t object,
                          const usual_size *size)
{
    const builtin_object *o = object_at(t->r, object);
    const builtin_colour colour = (builtin_colour)t->query.colour;
    const double most_oblong = 1.25;
    const double a = 2 * o->half[0];
    const double b = 2 * o->half[1];
    if (!object_moves(t->r->facts, object) || !gather_allows(t, object))
        return false;
    if (colour && !(o->has_colour && builtin_colour_near(o->lab, colour)))
        return false;
    if (size->round && fmax(a, b) > most_oblong * fmin(a, b))
        return false;
    return range_has(size->length, fmax(a, b)) &&
           range_has(size->width, fmin(a, b)) &&
           range_has(size->height, 2 * o->half[2]);
}

/* "The straw hat", where one thing is called Mesh.042 and all others by what
 * they are. */
void gather_by_default(const resolution *t, candidates *ret)
{
    enum {
        COST_BY_DEFAULT = 60,
        UNNAMED_MOST = 3, /* more, and names tell little here */
        NAMED_FOR_EACH = 6
    };
    const builtin_facts *facts = t->r->facts;
    const match_query *q = &t->query;
    const usual_size *const size = q->has_noun ? usual_size_find(q) : NULL;
    uint32_t unnamed = 0;
    ret->count = 0;
    if (!size || (t->plural && !size_is_of_pairs(size)))
        return;
    for (uint32_t i = 0; i < facts->object_count; i++) {
        if (!builtin_is_anonymous(object_at(t->r, i)))
            continue;
        unnamed++;
        if (object_may_be(t, i, size))
            candidates_add(ret, i, COST_BY_DEFAULT);
    }
    const uint32_t named = facts->object_count - unnamed;
    const bool told =
        unnamed <= UNNAMED_MOST && named >= NAMED_FOR_EACH * unnamed;
    if (!told || ret->count != 1)
        ret->count = 0;
}

/* ---- by family ---- */

static bool object_has_colour(const builtin_object *o,
                              builtin_colour colour,
                              bool strict)
{
    if (!o->has_colour)
        return false;
    return strict ? builtin_colour_of(o->lab) == colour
                  : builtin_colour_near(o->lab, colour);
}

/* By its name and what that is a kind of. */
static bool kind_is_named(const kinds_id *kind, const char *name)
{
    kinds_id named;
    return kinds_find(name, &named) &&
           kinds_id_distance(kind, &named) < KINDS_NEAR;
}

/* A sofa may be called a chair, and a suitcase a box; where two cups are white a
 * green bottle is no green cup. */
static bool kinds_are_mixed_up(const kinds_id *own, const kinds_id *said)
{
    if (kinds_id_distance(own, said) < KINDS_BELOW)
        return true;
    const bool boxes = kind_is_named(said, "box") &&
                       kind_is_named(own, "container") &&
                       !kind_is_named(own, "vessel");
    return boxes || (kind_is_named(own, "seat") && kind_is_named(said, "seat"));
}

/* Objects of a related kind, if their colour is the one said. */
static void gather_kin(const resolution *t,
                       const char *family_name,
                       bool strict,
                       candidates *ret)
{
    const reader *r = t->r;
    kinds_id family;
    ret->count = 0;
    kinds_find(family_name, &family);
    if (kinds_id_distance(&t->query.said, &family) >= KINDS_NEAR)
        return;
    for (uint32_t i = 0; i < r->facts->object_count; i++) {
        const builtin_object *o = &r->facts->objects[i];
        bool coloured =
            !o->is_static &&
            object_has_colour(o, (builtin_colour)t->query.colour, strict);
        if (!coloured || kinds_id_distance(&r->kinds[i], &family) >= KINDS_NEAR)
            continue;
        if (kinds_are_mixed_up(&r->kinds[i], &t->query.said) &&
            gather_allows(t, i))
            candidates_add(ret, i, COST_OF_FAMILY);
    }
}

/* "The big blue box", where no box is blue: the only blue thing that is a
 * container as a box is. */
void gather_of_family(const resolution *t, candidates *ret)
{
    for (int strict = 1; strict >= 0; strict--) {
        const char *const *family = nouns_of(NOUNS_FAMILY);
        for (; *family; family++) {
            gather_kin(t, *family, strict != 0, ret);
            candidates_by_size(t->r, ret, t->query.size, 1);
            if (ret->count == 1)
                return;
        }
    }
    ret->count = 0;
}

/* ---- for the refusal ---- */

/* For messages: what answers at least the last words. */
etna_code gather_nearly(const resolution *t, candidates *ret)
{
    const char *nouns[REFER_WORDS_MAX];
    uint32_t count = 0;
    bool superlative;
    resolution any = *t;
    any.amount = (quantity){0};
    ret->count = 0;
    for (uint32_t i = 0; i < t->query.count; i++) {
        const char *word = t->query.words[i];
        if (!lexicon_colour(word) && !lexicon_size(word, &superlative))
            nouns[count++] = word;
    }
    for (uint32_t first = 0; first < count && ret->count == 0; first++) {
        match_query own;
        etna_code code = reader_query(t->r, nouns + first, count - first, &own);
        if (code != ETNA_OK)
            return code;
        gather(&any, &own, ret);
    }
    return ETNA_OK;
}

etna_code gather_all_called(reader *r,
                            const chart_node *phrase,
                            builtin_set *ret)
{
    const char *words[REFER_WORDS_MAX];
    match_query q;
    candidates called;
    const uint32_t most = 60; /* hundredths */
    const uint32_t count = phrase_words(r, phrase, words);
    etna_code code = gather_called(r, words, count, most, &q, &called);
    if (code == ETNA_OK && called.count == 0)
        return refuse_unknown(r, phrase, &called);
    if (code == ETNA_OK && (q.colour || q.size || q.sides))
        return reader_refuse_said(r, CODE_UNREAD, phrase,
                                  "which of all these are meant is not clear");
    if (code == ETNA_OK)
        code = refer_remember(r, &q, false);
    return code == ETNA_OK ? candidates_set(r, &called, called.count, ret)
                           : code;
}
