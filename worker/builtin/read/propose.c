/* What could be asked instead of a vague wish ("make it cosier"): up to three sentences that the built-in agent reads, about
 * things of this scene that stand as people seldom want them: small things on the floor, seats away from their table, what
 * stands askew. */
#include "worker/builtin/read/reader.h"

#include <math.h>
#include <strings.h>

enum { PROPOSALS_MAX = 3 };

typedef struct proposals {
    uint32_t count;
    const char *text; /* sentences in quotes, with commas; NULL: out of memory */
} proposals;

static void proposals_add(reader *r, proposals *p, const char *said)
{
    if (p->count == PROPOSALS_MAX || !p->text) return;
    p->text = said ? etna_arena_printf(r->arena, "%s%s'%s'", p->text, p->count ? ", " : "", said) : NULL;
    p->count++;
}

static bool object_is_loose(const builtin_object *o) { return !o->is_static && !o->immovable && o->half[2] > 0.01; }

static bool object_is_kind(const reader *r, uint32_t object, const char *kind)
{
    kinds_id id;
    kinds_find(kind, &id);
    return kinds_id_distance(&r->kinds[object], &id) < 2 * KINDS_STEP;
}

static bool object_is_on_ground(const reader *r, uint32_t object)
{
    const builtin_object *o = &r->facts->objects[object];
    uint32_t floor = refer_floor(r->facts);
    return floor != BUILTIN_NONE && builtin_stands_on(r->facts, object, floor) && !o->attached;
}

/* The nearest thing that is there to have things on it; BUILTIN_NONE: none. */
static uint32_t bearer_near(const reader *r, uint32_t object)
{
    uint32_t found = BUILTIN_NONE;
    double least = INFINITY;
    for (uint32_t i = 0; i < r->facts->object_count; i++) {
        const builtin_object *o = &r->facts->objects[i];
        bool table = i != object && (object_is_kind(r, i, "table") || object_is_kind(r, i, "desk")) && !o->is_static &&
                     o->half[2] > 0.15;
        table = table && !builtin_is_seat(o) &&
                o->half[0] * o->half[1] > r->facts->objects[object].half[0] * r->facts->objects[object].half[1];
        double way = table ? where_between(o, &r->facts->objects[object]) : INFINITY;
        if (way >= least) continue;
        least = way;
        found = i;
    }
    return found;
}

static void propose_for(reader *r, uint32_t object, proposals *p)
{
    const builtin_object *o = &r->facts->objects[object];
    const double small = 0.2;               /* metres */
    const double askew = 5, slantwise = 20; /* degrees: what stands farther off was put so */
    if (!object_is_loose(o) || !object_is_on_ground(r, object)) return;
    uint32_t table = bearer_near(r, object);
    bool little = o->half[0] < small && o->half[1] < small && o->half[2] < small;
    if (little && table != BUILTIN_NONE && !builtin_is_seat(o)) {
        proposals_add(
            r, p, etna_arena_printf(r->arena, "Put \"%.80s\" on \"%.80s\"", o->name, r->facts->objects[table].name));
        return;
    }
    double way = table == BUILTIN_NONE ? INFINITY : where_between(o, &r->facts->objects[table]);
    bool chair = object_is_kind(r, object, "chair") && table != BUILTIN_NONE && r->facts->objects[table].half[2] > 0.3;
    if (chair && way > 0.1 && way < 1.5) {
        proposals_add(
            r, p,
            etna_arena_printf(r->arena, "Push \"%.80s\" under \"%.80s\"", o->name, r->facts->objects[table].name));
        return;
    }
    double off = o->yaw_deg - 90 * floor(o->yaw_deg / 90 + 0.5);
    if (fabs(off) > askew && fabs(off) < slantwise)
        proposals_add(r, p, etna_arena_printf(r->arena, "Straighten \"%.80s\"", o->name));
}

bool propose_is_vague(const sentence *s)
{
    static const char *const vague[] = {
        "cosier",   "cozier",     "cosy",       "cozy",     "nicer",       "prettier",  "tidier",    "cleaner",
        "better",   "homelier",   "livelier",   "inviting", "comfortable", "spacious",  "beautiful", "festive",
        "romantic", "modern",     "minimalist", "elegant",  "organised",   "organized", "neater",    "improve",
        "decorate", "redecorate", "beautify",   "happier",  "welcoming",   "roomier",   "warmer",    NULL};
    for (uint32_t i = 0; i < s->token_count; i++) {
        for (const char *const *word = vague; *word && !s->tokens[i].quoted; word++) {
            if (strcasecmp(s->tokens[i].written, *word) == 0) return true; /* however it was mended */
        }
    }
    return false;
}

const char *propose_sentences(reader *r)
{
    proposals p = {.text = ""};
    for (uint32_t i = 0; i < r->facts->object_count && p.count < PROPOSALS_MAX; i++) propose_for(r, i, &p);
    for (uint32_t i = 0; i < r->facts->object_count && p.count < PROPOSALS_MAX;
         i++) { /* nothing stands amiss: what is on a table, into its middle */
        const builtin_object *o = &r->facts->objects[i];
        bool on_table = object_is_loose(o) && o->by_count > 0 && builtin_is_bearer(&r->facts->objects[o->by[0]]) &&
                        !r->facts->objects[o->by[0]].is_static;
        if (on_table)
            proposals_add(r, &p,
                          etna_arena_printf(r->arena, "Put \"%.80s\" in the middle of \"%.80s\"", o->name,
                                            r->facts->objects[o->by[0]].name));
    }
    if (!p.text || p.count == 0) return p.text;
    return etna_arena_printf(r->arena, "say what is to go where, for instance %s", p.text);
}
