/* A template is a text and its meaning. In both, {T} stands for a thing, the
 * same one for the same letter; in the text also "(a|b)" for either, and words
 * of classes. Letters choose by role:
 *   T S U V  small things that are moved    L M  furniture that is moved     B X  what things can stand on
 *   C        what things are put in         R Q  what a place is said by     F    furniture a place is said by
 *   D        what has room under it         W    the wall                    O    something that stands on B
 * {t} is the thing without its article. {*B}: all that stands on B but O. {G}:
 * a group of the scene, {H}: one of it. {1} {2}: a place; {3}: one that suits
 * several things; {4}: one for furniture; {N}: a length; {A}: degrees. */
#include "tests/unit/worker/agents/phrases.h"
#include "tests/unit/worker/agents/words.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct thing {
    const char *name, *said, *roles; /* said: phrases apart by '|' */
} thing;

typedef struct group {
    /* with its quantifier; how one of it is called: NULL, by name */
    const char *said, *one;
    const char *names;
} group;

typedef struct form {
    const char *said, *means;
} form;

struct phrases_scene {
    const char *name;
    const thing *things;
    const group *groups;
    const form *own; /* that no other scene has */
};

static const thing kitchen_things[] = {
    {"Toaster", "toaster|red toaster", "mr"},
    {"Kettle", "kettle", "mr"},
    {"Apple", "apple", "m"},
    {"Jug", "jug|yellow jug", "mr"},
    {"Red Cup", "red cup", "mr"},
    {"White Cup", "white cup", "mr"},
    {"White Plate", "white plate", "mr"},
    {"Blue Plate", "blue plate", "mr"},
    {"Sugar Jar", "sugar jar", "mr"},
    {"Coffee Jar", "coffee jar", "mr"},
    {"Sauce Jar", "sauce jar", "mr"},
    {"Bread", "bread", "mr"},
    {"Cutting Board", "cutting board", "m"},
    {"Tray", "tray", "bmr"},
    {"Wooden Bowl", "wooden bowl|bowl", "c"},
    {"Sink", "sink", "cf"},
    {"Table", "table", "bdf"},
    {"Kitchen Counter", "kitchen counter|counter", "bf"},
    {"Fridge", "fridge", "f"},
    {"Stool", "stool", "ldf"},
    {"Chair 1", "chair 1", "ldf"},
    {"Chair 2", "chair 2", "ldf"},
    {"Wall", "wall", "w"},
    {NULL, NULL, NULL}};
static const group kitchen_groups[] = {
    {"(both|the two|both of the|both the) cups", "cup", "Red Cup + White Cup"},
    {"(both|the two|both the) plates", "plate", "White Plate + Blue Plate"},
    {"(all|all the|all three|the three|all of the) jars", "jar",
     "Sugar Jar + Coffee Jar + Sauce Jar"},
    {"(every|each) jar", "jar", "Sugar Jar + Coffee Jar + Sauce Jar"},
    {NULL, NULL, NULL}};
static const form kitchen_own[] = {
    {"(Push|Slide) (both|the|the two) chairs in",
     "Chair 1 + Chair 2 > tuck Table"},
    {"(Push|Tuck) in (both|the|the two) chairs",
     "Chair 1 + Chair 2 > tuck Table"},
    {"Tuck (both|the|the two) chairs under the table",
     "Chair 1 + Chair 2 > tuck/under Table"},
    {"{v} (both|the|the two) chairs around the table",
     "Chair 1 + Chair 2 > around Table"},
    {"{v} (a|one) plate in front of each chair",
     "White Plate + Blue Plate > front/setting ?[on Table] ?[slot plate] [each Chair 1 + Chair 2] || "
     "White Plate + Blue Plate > setting Table ?[slot plate] [each Chair 1 + Chair 2]"},
    {"Set the table for two",
     "White Plate + Blue Plate > setting Table ?[slot plate] ?[each *] ; ? Red Cup + White Cup > setting Table [slot far] "
     "?[each *]"},
    {NULL, NULL}};

static const thing shelf_things[] = {{"Teddy Bear", "teddy bear|teddy", "mr"},
                                     {"Globe", "globe", "mr"},
                                     {"Radio", "radio|brown radio", "mr"},
                                     {"Toy Car", "toy car", "mr"},
                                     {"Clock", "clock", "mr"},
                                     {"Mug", "mug", "mr"},
                                     {"Trophy", "trophy", "mr"},
                                     {"Piggy Bank", "piggy bank", "mr"},
                                     {"Film Camera", "film camera", "m"},
                                     {"Vase", "vase", "mr"},
                                     {"Red Book", "red book", "m"},
                                     {"Purple Book", "purple book", "m"},
                                     {"Atlas", "atlas", "m"},
                                     {"Plant", "plant", "mr"},
                                     {"Lamp", "lamp", "mr"},
                                     {"Green Tin", "green tin", "mr"},
                                     {"Yellow Tin", "yellow tin", "mr"},
                                     {"Basket", "basket", "cr"},
                                     {"Blue Box", "blue box", "br"},
                                     {"Red Box", "red box", "br"},
                                     {"Floor", "floor", "b"},
                                     {NULL, NULL, NULL}};
static const group shelf_groups[] = {
    {"(both|the two|both the|all the) tins", "tin", "Green Tin + Yellow Tin"},
    {"(all|all the|all three|the three) candles", NULL,
     "Candle + Candle.001 + Candle.002"},
    {"(every|each) candle", NULL, "Candle + Candle.001 + Candle.002"},
    {"(all|all five|the five|all of the) jars", NULL,
     "Jar + Jar.001 + Jar.002 + Jar.003 + Jar.004"},
    {"(all|all the|all four) boxes", "box",
     "Blue Box + Green Box + Red Box + Grey Box"},
    {NULL, NULL, NULL}};
static const form shelf_own[] = {
    {"{v} {T} on the (top|highest) (board|shelf)",
     "{T} > on/in Shelf [level 4]"},
    {"{v} {T} on the (bottom|lowest) (board|shelf)",
     "{T} > on/in Shelf [level 1]"},
    {"{v} {T} on the second (board|shelf) from the (top|bottom)",
     "{T} > on/in Shelf [level 2..3]"},
    {"{v} {T} on the (board|shelf) below the top one",
     "{T} > on/in Shelf [level 3]"},
    {NULL, NULL}};

static const thing study_things[] = {
    {"Laptop", "laptop", "mr"},
    {"Book", "book|blue book", "mr"},
    {"Phone", "phone", "mr"},
    {"Pen", "pen|blue pen", "m"},
    {"Plant", "plant", "mr"},
    {"Notebook", "notebook|red notebook", "mr"},
    {"Lamp", "lamp", "mr"},
    {"Mug", "mug|white mug", "mr"},
    {"Photo Frame", "photo frame", "mr"},
    {"Pencil Cup", "pencil cup", "cr"},
    {"Waste Basket", "waste basket", "clf"},
    {"Desk", "desk", "bdf"},
    {"Desk Chair", "desk chair|chair", "ldf"},
    {"Floor", "floor", "b"},
    {"Wall", "wall", "w"},
    {NULL, NULL, NULL}};
static const group study_groups[] = {{NULL, NULL, NULL}};
static const form study_own[] = {
    {"(Push|Slide) the (desk |)chair in", "Desk Chair > tuck Desk"},
    {"Push in the (desk |)chair", "Desk Chair > tuck Desk"},
    {"Tuck the (desk |)chair under the desk", "Desk Chair > tuck/under Desk"},
    {"Pull the (desk |)chair up to the desk",
     "Desk Chair > beside/toward/tuck Desk"},
    {NULL, NULL}};

static const phrases_scene scenes[] = {
    {"kitchen", kitchen_things, kitchen_groups, kitchen_own},
    {"shelf", shelf_things, shelf_groups, shelf_own},
    {"study", study_things, study_groups, study_own}};

static const form places[] = {
    {"(on|onto|on top of|upon|atop) {B}", "on {B}"},
    {"(in|into|inside) {C}", "in {C}"},
    {"(under|underneath|beneath) {D}", "under {D}"},
    {"(next to|beside|alongside|adjacent to) {R}", "beside {R}"},
    {"(by|near|close to) {R}", "beside/toward {R}"},
    {"(to the left of|left of) {R}", "left {R}"},
    {"(to the right of|right of) {R}", "right {R}"},
    {"in front of {R}", "front {R}"},
    {"(behind|in back of) {R}", "behind {R}"},
    {"between {R} and {Q}", "between {R} & {Q}"},
    {"(in|at) the (middle|centre|center) of {B}", "middle {B}"},
    {"in the (back left|left back|rear left) corner of {B}",
     "corner {B} [side back left]"},
    {"in the (front right|right front) corner of {B}",
     "corner {B} [side front right]"},
    {"(at|on) the left edge of {B}", "edge {B} [side left]"},
    {"(at|on) the (back|rear) edge of {B}", "edge {B} [side back]"},
    {"(at|on) the front edge of {B}", "edge {B} [side front]"},
    {"{N} (to the left of|left of) {R}", "left {R} [gap {N}]"},
    {"{N} (to the right of|right of) {R}", "right {R} [gap {N}]"},
    {"{N} from {R}", "beside/away {R} [gap {N}]"},
    {"{N} behind {R}", "behind {R} [gap {N}]"},
    {"{N} in front of {R}", "front {R} [gap {N}]"},
    {"where {R} (is|stands|is now)", "place {R}"},
    {"where {R} was(| initially| before| at the beginning| at first)",
     "place {R}"},
    {"on {B}, (next to|beside) {O}", "beside {O} [on {B}]"},
    {"on {B}, (to the left of|left of) {O}", "left {O} [on {B}]"},
    {"on {B} behind {O}", "behind {O} [on {B}]"},
    {NULL, NULL}};
static const form place_for_several[] = {
    {"(on|onto|on top of) {B}", "on {B}"},
    {"(in|into|inside) {C}", "in {C}"},
    {"(under|underneath) {D}", "under {D}"},
    {"(next to|beside) {R}", "beside {R}"},
    {"(to the left of|left of) {R}", "left {R}"},
    {"behind {R}", "behind {R}"},
    {NULL, NULL}};
static const form place_for_furniture[] = {
    {"(next to|beside) {F}", "beside {F}"},
    {"(to the left of|left of) {F}", "left {F}"},
    {"(to the right of|right of) {F}", "right {F}"},
    {"in front of {F}", "front {F}"},
    {"{N} from {F}", "beside/away {F} [gap {N}]"},
    {"next to {F}, facing {M}", "beside {F} [face {M}]"},
    {"in front of {F}, facing it", "front {F} [face {F}]"},
    {"against {W}", "against {W}"},
    {NULL, NULL}};

static const form clauses[] = {
    {"{v} {T} {1}", "{T} > {1}"},
    {"{v} {T} {1}", "{T} > {1}"},
    {"{v} {T} {1}", "{T} > {1}"},
    {"(Please |Kindly ){v} {T} {1}", "{T} > {1}"},
    {"(Could|Would|Can) you (please |kindly |){v} {T} {1}?", "{T} > {1}"},
    {"I (want|would like|need) you to {v} {T} {1}", "{T} > {1}"},
    {"{v} {T} {1}(, please| please| pls|, thanks)", "{T} > {1}"},
    {"(I want|I would like|I'd like) {T} (to be|to go|to stand|) {1}",
     "{T} > {1}"},
    {"{T} (should|must|ought to|has to) (be|go|stand) {1}", "{T} > {1}"},
    {"{T} (is to be|should be|must be|has to be) (put|placed|positioned|set) {1}",
     "{T} > {1}"},
    {"{t} {1}", "{T} > {1}"},
    {"{t} -> {b}", "{T} > on {B}"},
    {"(Take|Grab) {T} and (put|place|set) it {1}", "{T} > {1}"},
    {"(Pick up|Take) {T}. (Put|Place) it {1}", "{T} > {1}"},
    {"{v} {T} {1}(, because| because) (granny comes|it is in the way|I need space)",
     "{T} > {1}"},
    {"{v} {T} and {S} {3}", "{T} + {S} > {3}"},
    {"{v} {T}, {S} and {U} {3}", "{T} + {S} + {U} > {3}"},
    {"{v} {G} {3}", "{G} > {3}"},
    {"{v} {G} except {H} {3}", "{-G} > {3}"},
    {"{m} {L} {4}", "{L} > {4}"},
    {"{v} {T} {1}(, then| and|, and then|;|, and) {v} {S} {2}",
     "{T} > {1} ; {S} > {2}"},
    {"{v} {T} {1}. (Then |){v} {S} {2}", "{T} > {1} ; {S} > {2}"},
    {"{v} {T} {1} and {S} {2}", "{T} > {1} ; {S} > {2}"},
    {"(Swap|Exchange|Switch) {T} (and|with) {S}", "{T} > swap {S}"},
    {"Swap the (places|positions) of {T} and {S}", "{T} > swap {S}"},
    {"{T} and {S} should (swap|change|trade|exchange) places",
     "{T} > swap {S}"},
    {"{m} {T} {N} (to the left|left)", "{T} > shift [by {N} left]"},
    {"{m} {T} {N} (to the right|right)", "{T} > shift [by {N} right]"},
    {"{m} {T} (to the left|left) by {N}", "{T} > shift [by {N} left]"},
    {"{m} {T} (back|backwards) by {N}", "{T} > shift [by {N} back]"},
    {"{m} {T} {N} (forward|forwards|toward me)", "{T} > shift [by {N} front]"},
    {"{m} {L} {N} (closer to|toward|towards) {F}",
     "{L} > shift [by {N} toward {F}]"},
    {"{m} {L} {N} away from {F}",
     "{L} > shift [by {N} away {F}] || {L} > beside/away {F} [gap {N}]"},
    {"(Rotate|Turn|Spin) {T} (by |){A} (degrees|deg) (clockwise|CW)",
     "{T} > turn -{A}"},
    {"(Rotate|Turn) {T} (by |){A} (degrees|deg) (counterclockwise|counter-clockwise|anticlockwise|CCW)",
     "{T} > turn {A}"},
    {"Turn {L} around", "{L} > turn 180"},
    {"(Turn|Rotate) {L} (to face|toward|towards|so that it faces) {F}",
     "{L} > turned [face {F}]"},
    {"{L} should face {F}", "{L} > turned [face {F}]"},
    {"(Stack|Pile) {T}, {S} and {U}( up|)", "{T} + {S} + {U} > stack"},
    {"(Stack|Pile up) {T}, {S} and {U} with {U} (on top|at the top)",
     "{T} + {S} + {U} > stack [top {U}]"},
    {"(Stack|Pile up) {T}, {S} and {U}, {T} at the bottom",
     "{T} + {S} + {U} > stack [bottom {T}]"},
    {"Line up {T}, {S} and {U}", "{T} + {S} + {U} > line"},
    {"(Arrange|Put|Place) {T}, {S} and {U} in a (row|line)",
     "{T} + {S} + {U} > line"},
    {"(Arrange|Put) {T}, {S} and {U} in a (row|line) on {B}",
     "{T} + {S} + {U} > line [on/along {B}]"},
    {"Line up {T}, {S} and {U} along the back edge of {B}",
     "{T} + {S} + {U} > line [along {B}] [side back]"},
    {"Line up {T}, {S} and {U} along the front edge of {B}",
     "{T} + {S} + {U} > line [along {B}] [side front]"},
    {"Line up {T}, {S} and {U} (from left to right|in that order|in this order)",
     "{T} + {S} + {U} > line [order]"},
    {"(Arrange|Put) {T}, {S} and {U} in a row, {N} apart",
     "{T} + {S} + {U} > line [spacing {N}]"},
    {"(Arrange|Put) {T}, {S} and {U} in an evenly spaced row",
     "{T} + {S} + {U} > line [even]"},
    {"(Group|Gather|Put) {T}, {S} and {U} together", "{T} + {S} + {U} > group"},
    {"(Clear|Empty|Clear off) {B}", "{*B} > off {B}"},
    {"(Take|Remove) everything (off|from) {B}", "{*B} > off {B}"},
    {"(Clear|Empty) {B}(,|) (except for|except) {O}", "{*B} > off {B}"},
    {"{v} everything (on|that is on) {B} on {X}", "{*B} > on {X}"},
    {"{v} everything on {B} except {O} on {X}", "{*B} > on {X}"},
    {NULL, NULL}};

static const char *const lengths[][2] = {{"10 cm", "0.1"},
                                         {"20 cm", "0.2"},
                                         {"5 centimetres", "0.05"},
                                         {"15 centimeters", "0.15"},
                                         {"0.3 m", "0.3"},
                                         {"half a metre", "0.5"},
                                         {"4 inches", "0.1016"},
                                         {"a foot", "0.3048"},
                                         {"120 mm", "0.12"},
                                         {"thirty cm", "0.3"},
                                         {"a quarter of a metre", "0.25"}};
static const char *const degrees[] = {"30", "45", "60", "90", "20", "75"};

/* ---- words ---- */

static const char *pick_piece(etna_random *random,
                              const char *list,
                              char *ret,
                              size_t size)
{
    uint32_t count = 1;
    for (const char *p = list; *p; p++)
        count += *p == '|';
    uint32_t at = (uint32_t)etna_random_below(random, count);
    for (; at; at--)
        list = strchr(list, '|') + 1;
    snprintf(ret, size, "%.*s", (int)strcspn(list, "|"), list);
    return ret;
}

/* ---- making ---- */

enum {
    SLOTS = 128,
    LAYERS = 3
};

typedef struct maker {
    const phrases_scene *scene;
    const builtin_facts *facts;
    etna_random *random;
    const thing *bound[LAYERS][SLOTS];
    const form *place[LAYERS];
    const group *crowd;
    uint32_t length[LAYERS];
    uint32_t angle;
    bool failed; /* the scene has nothing for a slot: another form */
} maker;

typedef struct text {
    char *bytes;
    size_t size, used;
} text;

static void add(text *t, const char *more)
{
    size_t size = strlen(more);
    if (t->used + size + 1 > t->size)
        fail_msg("too long: %s", t->bytes);
    memcpy(t->bytes + t->used, more, size + 1);
    t->used += size;
}

static uint32_t object_of(const builtin_facts *facts, const char *name)
{
    for (uint32_t i = 0; i < facts->object_count; i++) {
        if (strcmp(facts->objects[i].name, name) == 0)
            return i;
    }
    fail_msg("no thing is called '%s'", name);
    return BUILTIN_NONE;
}

static const char *roles_of(char slot)
{
    static const struct {
        const char *slots, *roles;
    } table[] = {{"TSUV", "m"}, {"LM", "l"}, {"BX", "b"},
                 {"C", "c"},    {"RQ", "r"}, {"F", "f"},
                 {"D", "d"},    {"W", "w"},  {"O", "mr"}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        if (strchr(table[i].slots, slot))
            return table[i].roles;
    }
    fail_msg("no slot is called %c", slot);
    return "";
}

static bool is_taken(const maker *m, const thing *t)
{
    for (uint32_t k = 0; k < LAYERS; k++) {
        for (uint32_t i = 0; i < SLOTS; i++) {
            if (m->bound[k][i] == t)
                return true;
        }
    }
    return m->crowd && strstr(m->crowd->names, t->name);
}

/* Things of the sentence that stand on each other give readings of their own:
 * none is taken. */
static bool is_near(const maker *m, const thing *t)
{
    uint32_t object = object_of(m->facts, t->name);
    for (uint32_t i = 0; i < SLOTS; i++) {
        const thing *other = m->bound[0][i];
        uint32_t at = other ? object_of(m->facts, other->name) : BUILTIN_NONE;
        bool small =
            other && strchr(other->roles, 'm') && strchr(t->roles, 'm');
        if (small && (builtin_is_above(m->facts, at, object) ||
                      builtin_is_above(m->facts, object, at)))
            return true;
    }
    return false;
}

static const thing *bind(maker *m, char slot, uint32_t layer)
{
    uint32_t at = strchr("TSUVLMGH", slot) ? 0 : layer;
    const thing **place = &m->bound[at][(unsigned char)slot];
    if (*place)
        return *place;
    const char *roles = roles_of(slot);
    const thing *open[64];
    uint32_t count = 0;
    for (const thing *t = m->scene->things; t->name && count < 64; t++) {
        bool suits =
            strpbrk(t->roles, roles) && !is_taken(m, t) && !is_near(m, t);
        const thing *under = slot == 'O' ? m->bound[at]['B'] : NULL;
        if (slot == 'O') {
            suits = suits && under &&
                    builtin_stands_on(m->facts, object_of(m->facts, t->name),
                                      object_of(m->facts, under->name));
        }
        /* not onto what goes as well */
        const thing *emptied = slot == 'X' ? m->bound[at]['B'] : NULL;
        if (emptied) {
            suits = suits &&
                    !builtin_is_above(m->facts, object_of(m->facts, t->name),
                                      object_of(m->facts, emptied->name));
        }
        if (suits)
            open[count++] = t;
    }
    if (!count) {
        m->failed = true;
        return NULL;
    }
    *place = open[etna_random_below(m->random, count)];
    return *place;
}

static void add_thing(
    maker *m, char slot, uint32_t layer, bool means, text *out)
{
    char phrase_of_it[80];
    const thing *t = bind(m, (char)toupper((unsigned char)slot), layer);
    if (!t)
        return;
    if (means) {
        add(out, t->name);
        return;
    }
    if (isupper((unsigned char)slot) &&
        !isdigit((unsigned char)t->said[strlen(t->said) - 1]))
        add(out, "the ");
    add(out, pick_piece(m->random, t->said, phrase_of_it, sizeof phrase_of_it));
}

/* All that stands on B, but O; what stands on these goes along or not. */
static void add_all(maker *m, uint32_t layer, text *out)
{
    const thing *b = m->bound[layer]['B'], *kept = m->bound[layer]['O'];
    if (b && strcmp(b->name, "Floor") == 0)
        m->failed = true; /* nobody has all furniture cleared away */
    uint32_t count = 0, by = b ? object_of(m->facts, b->name) : BUILTIN_NONE;
    uint32_t stays = kept ? object_of(m->facts, kept->name) : BUILTIN_NONE;
    for (uint32_t pass = 0; b && pass < 2; pass++) {
        for (uint32_t i = 0; i < m->facts->object_count; i++) {
            const builtin_object *o = &m->facts->objects[i];
            bool direct = builtin_stands_on(m->facts, i, by),
                 here = direct || builtin_is_above(m->facts, i, by);
            if (i == stays || o->is_static || !here || direct != (pass == 0))
                continue;
            if (count)
                add(out, pass ? " ?+ " : " + ");
            add(out, o->name);
            count++;
        }
        if (!count)
            break;
    }
    if (!count || count > 14)
        m->failed = true;
}

static void choose_group(maker *m)
{
    uint32_t count = 0;
    while (m->scene->groups[count].said)
        count++;
    if (!m->crowd && count)
        m->crowd = &m->scene->groups[etna_random_below(m->random, count)];
    if (!m->crowd)
        m->failed = true;
}

/* One of the group, by its own name; kept in slot H as a thing of the scene. */
static void choose_one(maker *m)
{
    if (m->failed || m->bound[0]['H'])
        return;
    if (!m->crowd->one || strstr(m->crowd->said, "two") ||
        strstr(m->crowd->said, "every"))
        m->failed = true;
    const thing *open[8];
    uint32_t count = 0;
    for (const thing *t = m->scene->things; !m->failed && t->name && count < 8;
         t++) {
        if (strstr(m->crowd->names, t->name))
            open[count++] = t;
    }
    if (!count) {
        m->failed = true;
        return;
    }
    m->bound[0]['H'] = open[etna_random_below(m->random, count)];
}

static void expand(
    maker *m, const char *form_text, uint32_t layer, bool means, text *out);

static void add_group(maker *m, bool means, bool without, text *out)
{
    choose_group(m);
    if (m->failed)
        return;
    if (!means) {
        expand(m, m->crowd->said, 0, false, out);
        return;
    }
    const char *kept =
        without && m->bound[0]['H'] ? m->bound[0]['H']->name : "";
    char copy[300], *more = NULL;
    snprintf(copy, sizeof copy, "%s", m->crowd->names);
    bool first = true;
    for (char *one = strtok_r(copy, "+", &more); one;
         one = strtok_r(NULL, "+", &more)) {
        while (*one == ' ')
            one++;
        size_t size = strlen(one);
        if (size && one[size - 1] == ' ')
            one[size - 1] = 0;
        if (strcmp(one, kept) == 0)
            continue;
        if (!first)
            add(out, " + ");
        add(out, one);
        first = false;
    }
}

static void add_place(
    maker *m, char slot, uint32_t outer, bool means, text *out)
{
    const form *list = slot == '3'
                           ? place_for_several
                           : (slot == '4' ? place_for_furniture : places);
    uint32_t layer = slot == '2' ? 2 : 1, count = 0;
    (void)outer;
    while (list[count].said)
        count++;
    if (!m->place[layer])
        m->place[layer] = &list[etna_random_below(m->random, count)];
    expand(m, means ? m->place[layer]->means : m->place[layer]->said, layer,
           means, out);
}

static void add_slot(
    maker *m, const char *slot, uint32_t layer, bool means, text *out)
{
    const size_t length_count = sizeof lengths / sizeof lengths[0],
                 angle_count = sizeof degrees / sizeof degrees[0];
    if (slot[0] == 'v')
        add(out, words_put(m->random));
    else if (slot[0] == 'm')
        add(out, words_move(m->random));
    else if (slot[0] >= '1' && slot[0] <= '4')
        add_place(m, slot[0], layer, means, out);
    else if (slot[0] == '*')
        add_all(m, layer, out);
    else if (slot[0] == 'G')
        add_group(m, means, false, out);
    else if (slot[0] == '-')
        add_group(m, means, true, out);
    else if (slot[0] == 'H') {
        choose_group(m);
        choose_one(m);
        if (!m->failed)
            add_thing(m, 'H', 0, means, out);
    } else if (slot[0] == 'N') {
        if (!m->length[layer])
            m->length[layer] =
                1 + (uint32_t)etna_random_below(m->random, length_count);
        add(out, lengths[m->length[layer] - 1][means]);
    } else if (slot[0] == 'A') {
        if (!m->angle)
            m->angle = 1 + (uint32_t)etna_random_below(m->random, angle_count);
        add(out, degrees[m->angle - 1]);
    } else
        add_thing(m, slot[0], layer, means, out);
}

static void expand(
    maker *m, const char *form_text, uint32_t layer, bool means, text *out)
{
    for (const char *p = form_text; *p && !m->failed; p++) {
        char piece[120], choice[120];
        char stop = *p == '{' ? '}' : ')';
        if (*p != '{' && (*p != '(' || means)) {
            char one[2] = {*p, 0};
            add(out, one);
            continue;
        }
        const char *end = strchr(p, stop);
        if (!end)
            fail_msg("no %c in %s", stop, form_text);
        snprintf(piece, sizeof piece, "%.*s", (int)(end - p - 1), p + 1);
        if (*p == '{')
            add_slot(m, piece, layer, means, out);
        else
            add(out, pick_piece(m->random, piece, choice, sizeof choice));
        p = end;
    }
}

static void tidy_spaces(char *said)
{
    char *to = said;
    for (const char *p = said; *p; p++) {
        bool needless = *p == ' ' && (p[1] == ' ' || p[1] == 0 || p[1] == '.' ||
                                      p[1] == ',' || p[1] == ';');
        if (!needless)
            *to++ = *p;
    }
    *to = 0;
    for (char *dot = strstr(said, ". "); dot; dot = strstr(dot + 2, ". "))
        dot[2] = (char)toupper((unsigned char)dot[2]);
    said[0] = (char)toupper((unsigned char)said[0]);
}

uint32_t phrases_scene_count(void)
{
    return sizeof scenes / sizeof scenes[0];
}

const phrases_scene *phrases_scene_at(uint32_t index)
{
    return &scenes[index];
}

const char *phrases_scene_name(const phrases_scene *scene)
{
    return scene->name;
}

void phrases_make(const phrases_scene *scene,
                  const builtin_facts *facts,
                  etna_random *random,
                  phrase *ret)
{
    static const char *const ends[] = {"", "", ".", "!", "!!"};
    uint32_t own = 0, common = 0;
    while (scene->own[own].said)
        own++;
    while (clauses[common].said)
        common++;
    do {
        maker m = {.scene = scene, .facts = facts, .random = random};
        uint32_t at = (uint32_t)etna_random_below(random, common + own);
        const form *f = at < common ? &clauses[at] : &scene->own[at - common];
        text said = {ret->said, sizeof ret->said, 0},
             means = {ret->means, sizeof ret->means, 0};
        ret->said[0] = ret->means[0] = 0;
        ret->form = f->said;
        expand(&m, f->said, 0, false, &said);
        if (!m.failed)
            expand(&m, f->means, 0, true, &means);
        if (m.failed)
            continue;
        tidy_spaces(ret->said);
        size_t size = strlen(ret->said);
        bool ended = size > 0 && ret->said[size - 1] == '?';
        if (!ended && size + 3 < sizeof ret->said)
            strcat(ret->said, ends[etna_random_below(random, 5)]);
        return;
    } while (true);
}

/* ---- slips ---- */

static char beside(char letter, etna_random *random)
{
    static const char *const rows[] = {"qwertyuiop", "asdfghjkl", "zxcvbnm"};
    for (int i = 0; i < 3; i++) {
        const char *at = strchr(rows[i], letter);
        if (!at)
            continue;
        bool left = at > rows[i] && (!at[1] || etna_random_below(random, 2));
        return left ? at[-1] : at[1];
    }
    return letter;
}

/* A slip at letter `k` of a word of `size` letters; false: it would change
 * nothing. */
static bool slip_at(
    etna_random *random, const char *word, size_t size, size_t k, char ret[64])
{
    memcpy(ret, word, size);
    ret[size] = 0;
    switch (etna_random_below(random, 4)) {
    case 0:
        if (k + 1 >= size)
            return false;
        ret[k] = word[k + 1];
        ret[k + 1] = word[k];
        break;
    case 1:
        memmove(ret + k, word + k + 1, size - k - 1);
        ret[size - 1] = 0;
        break;
    case 2:
        memmove(ret + k + 1, word + k, size - k);
        ret[size + 1] = 0;
        break;
    default: ret[k] = beside(word[k], random);
    }
    return strlen(ret) != size || memcmp(ret, word, size) != 0;
}

static bool is_name_word(const builtin_facts *facts, const char *word)
{
    for (uint32_t i = 0; i < facts->object_count; i++) {
        for (uint32_t k = 0; k < facts->objects[i].word_count; k++) {
            if (builtin_same_word(facts->objects[i].words[k], word))
                return true;
        }
    }
    return false;
}

static bool is_word_of(const char *list, const char *word)
{
    size_t size = strlen(word);
    for (const char *p = strstr(list, word); p; p = strstr(p + 1, word)) {
        bool begins = p == list || !isalpha((unsigned char)p[-1]);
        if (begins && !isalpha((unsigned char)p[size]))
            return true;
    }
    return false;
}

static bool is_form_word(const char *word)
{
    const form *const lists[] = {
        clauses,     places,    place_for_several, place_for_furniture,
        kitchen_own, shelf_own, study_own};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        for (const form *f = lists[i]; f->said; f++) {
            if (is_word_of(f->said, word))
                return true;
        }
    }
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        if (is_word_of(lengths[i][0], word))
            return true;
    }
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++) {
        for (const thing *t = scenes[i].things; t->name; t++) {
            if (is_word_of(t->said, word))
                return true;
        }
    }
    return false;
}

bool phrases_slip(const builtin_facts *facts,
                  etna_random *random,
                  const char *said,
                  char ret[PHRASES_TEXT])
{
    for (int attempt = 0; attempt < 60; attempt++) {
        size_t starts[64], sizes[64], count = 0;
        for (size_t i = 0; said[i] && count < 64;) {
            size_t size = 0;
            while (isalpha((unsigned char)said[i + size]))
                size++;
            if (size >= 4 && size < 40) {
                starts[count] = i;
                sizes[count++] = size;
            }
            i += size ? size : 1;
        }
        if (!count)
            return false;
        size_t w = etna_random_below(random, count), size = sizes[w];
        char word[64], slipped[64];
        for (size_t i = 0; i < size; i++)
            word[i] = (char)tolower((unsigned char)said[starts[w] + i]);
        word[size] = 0;
        if (!slip_at(random, word, size, etna_random_below(random, size),
                     slipped))
            continue;
        if (words_known(slipped) || is_form_word(slipped) ||
            is_name_word(facts, slipped))
            continue;
        snprintf(ret, PHRASES_TEXT, "%.*s%s%s", (int)starts[w], said, slipped,
                 said + starts[w] + size);
        return true;
    }
    return false;
}
