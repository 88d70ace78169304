/* What stands as people seldom want it: small things on the floor, seats away
 * from their table, what stands askew. Each is one sentence that the built-in
 * agent reads. A vague wish ("make it cosier") is answered with three of them,
 * and tidying up is all of them. */
#include "worker/builtin/read/reader.h"
#include "worker/builtin/read/trait.h"

#include <math.h>
#include <strings.h>

enum {
    PROPOSALS_TOLD = 3,
    PROPOSALS_MAX = 24
};

/* Sentences that would be read, in the arena. */
typedef struct proposals {
    uint32_t count, most;
    bool is_short; /* of memory */
    const char *sentences[PROPOSALS_MAX];
} proposals;

static void proposals_add(proposals *p, const char *said)
{
    p->is_short = p->is_short || !said;
    if (said && p->count < p->most)
        p->sentences[p->count++] = said;
}

static bool object_is_movable(const builtin_object *o)
{
    return !o->is_static && !o->immovable && o->half[2] > 0.01;
}

static bool object_is_nearly(const reader *r, uint32_t object, const char *kind)
{
    kinds_id id;
    kinds_find(kind, &id);
    return kinds_id_distance(&r->kinds[object], &id) < 2 * KINDS_STEP;
}

static bool object_is_on_ground(const reader *r, uint32_t object)
{
    const builtin_object *o = &r->facts->objects[object];
    uint32_t floor = refer_floor(r->facts);
    return floor != BUILTIN_NONE &&
           builtin_stands_on(r->facts, object, floor) && !o->attached;
}

/* The nearest thing that is there to have things on it; BUILTIN_NONE: none. */
static uint32_t bearer_near(const reader *r, uint32_t object)
{
    uint32_t found = BUILTIN_NONE;
    double least = INFINITY;
    for (uint32_t i = 0; i < r->facts->object_count; i++) {
        const builtin_object *o = &r->facts->objects[i];
        bool table = i != object &&
                     (object_is_nearly(r, i, "table") ||
                      object_is_nearly(r, i, "desk")) &&
                     !o->is_static && o->half[2] > 0.15;
        table = table && !builtin_is_seat(o) &&
                o->half[0] * o->half[1] > r->facts->objects[object].half[0] *
                                              r->facts->objects[object].half[1];
        double way =
            table ? where_between(o, &r->facts->objects[object]) : INFINITY;
        if (way >= least)
            continue;
        least = way;
        found = i;
    }
    return found;
}

/* What is turned for those who sit there, or lies as it fell, is not askew. */
static bool object_has_free_heading(reader *r, uint32_t object)
{
    return builtin_is_seat(&r->facts->objects[object]) ||
           object_is_called_of(r, object, NOUNS_FREE_HEADING);
}

/* May the thing be put there without others having to make way? Half of a top
 * is as much as is easily found. */
static bool bearer_has_room(const reader *r, uint32_t bearer, uint32_t object)
{
    const builtin_object *base = &r->facts->objects[bearer];
    const builtin_object *o = &r->facts->objects[object];
    double taken = o->half[0] * o->half[1];
    for (uint32_t i = 0; i < r->facts->object_count; i++) {
        const builtin_object *load = &r->facts->objects[i];
        bool stands =
            i != object && load->by_count > 0 && load->by[0] == bearer;
        if (stands)
            taken += load->half[0] * load->half[1];
    }
    return 2 * taken < base->half[0] * base->half[1];
}

/* A small thing on the floor goes onto the table. */
static bool propose_onto(reader *r,
                         uint32_t object,
                         uint32_t table,
                         proposals *p)
{
    const builtin_object *o = &r->facts->objects[object];
    const double small = 0.2; /* metres */
    const bool little =
        o->half[0] < small && o->half[1] < small && o->half[2] < small;
    const bool lost =
        little && !builtin_is_seat(o) && !object_lives_on_ground(r, object);
    if (!lost || !bearer_has_room(r, table, object))
        return false;
    proposals_add(p, etna_arena_printf(r->arena, "Put \"%.80s\" on \"%.80s\"",
                                       o->name, r->facts->objects[table].name));
    return true;
}

/* A chair away from its table goes under it. */
static bool propose_under(reader *r,
                          uint32_t object,
                          uint32_t table,
                          proposals *p)
{
    const builtin_object *o = &r->facts->objects[object];
    const builtin_object *t = &r->facts->objects[table];
    const double way = where_between(o, t);
    const bool away = way > 0.1 && way < 1.5;
    if (!away || !object_is_nearly(r, object, "chair") || t->half[2] <= 0.3)
        return false;
    proposals_add(p,
                  etna_arena_printf(r->arena, "Push \"%.80s\" under \"%.80s\"",
                                    o->name, t->name));
    return true;
}

/* What seems out of place with this object: small things on the floor, chairs
 * away from their table, furniture a little askew. At most one proposal. */
static void propose_for(reader *r, uint32_t object, proposals *p)
{
    const builtin_object *o = &r->facts->objects[object];
    /* degrees: what stands farther off was put so */
    const double askew = 5, slantwise = 20;
    if (!object_is_movable(o) || !object_is_on_ground(r, object))
        return;
    const uint32_t table = bearer_near(r, object);
    const bool by_table =
        table != BUILTIN_NONE && (propose_onto(r, object, table, p) ||
                                  propose_under(r, object, table, p));
    if (by_table)
        return;
    double off = o->yaw_deg - 90 * floor(o->yaw_deg / 90 + 0.5);
    bool leans = fabs(off) > askew && fabs(off) < slantwise;
    if (leans && !object_has_free_heading(r, object))
        proposals_add(
            p, etna_arena_printf(r->arena, "Straighten \"%.80s\"", o->name));
}

/* Words of a wish that names nothing ("cosier"). */
bool propose_is_vague(const sentence *s)
{
    enum {
        LONGEST = 31 /* bytes of such a word */
    };
    for (uint32_t i = 0; i < s->token_count; i++) {
        const sentence_token *const t = &s->tokens[i];
        char word[LONGEST + 1];
        const size_t size = strlen(t->written);
        if (t->quoted || size > LONGEST)
            continue;
        for (size_t k = 0; k <= size; k++)
            word[k] = ascii_lower(t->written[k]);
        /* however it was mended */
        if (lexicon_lists("propose: vague", word))
            return true;
    }
    return false;
}

/* What lies about or stands askew, in the scene's order. */
static void proposals_find(reader *r, proposals *p)
{
    for (uint32_t i = 0; i < r->facts->object_count && p->count < p->most; i++)
        propose_for(r, i, p);
}

/* Nothing stands amiss: what is on a table, into its middle. */
static void proposals_fill(reader *r, proposals *p)
{
    for (uint32_t i = 0; i < r->facts->object_count && p->count < p->most;
         i++) {
        const builtin_object *o = &r->facts->objects[i];
        if (!object_is_movable(o) || o->by_count == 0)
            continue;
        const builtin_object *by = &r->facts->objects[o->by[0]];
        if (!builtin_is_bearer(by) || by->is_static)
            continue;
        proposals_add(
            p, etna_arena_printf(r->arena,
                                 "Put \"%.80s\" in the middle of \"%.80s\"",
                                 o->name, by->name));
    }
}

/* Up to PROPOSALS_TOLD sentences that would be read; "" if there are none,
 * NULL: out of memory. */
const char *propose_sentences(reader *r)
{
    proposals p = {.most = PROPOSALS_TOLD};
    proposals_find(r, &p);
    proposals_fill(r, &p);
    const char *told = "";
    for (uint32_t i = 0; i < p.count && told; i++)
        told = etna_arena_printf(r->arena, "%s%s'%s'", told, i ? ", " : "",
                                 p.sentences[i]);
    if (!told || p.is_short)
        return NULL;
    return p.count == 0
               ? told
               : etna_arena_printf(r->arena,
                                   "say what is to go where, for instance %s",
                                   told);
}

/* One sentence's moves, as if the clause that asks for tidying had said
 * them. */
static etna_code tidy_read_one(reader *r, const char *said)
{
    const uint32_t first = r->reading->count;
    const builtin_refusal before = r->reading->refusal;
    etna_code code = reader_read_plainly(r, said, r->reading);
    if (code == ETNA_E_NOMEM)
        return reader_no_memory(r);
    /* an odd name: the other things are tidied all the same */
    if (code != ETNA_OK) {
        r->reading->count = first;
        r->reading->refusal = before;
    }
    for (uint32_t i = first; i < r->reading->count; i++)
        memcpy(r->reading->moves[i].span, r->memory.tidying,
               sizeof r->memory.tidying);
    return ETNA_OK;
}

/* "tidy up": all proposals as if they had been said. */
etna_code tidy_read(reader *r)
{
    proposals p = {.most = PROPOSALS_MAX};
    proposals_find(r, &p);
    if (p.is_short)
        return reader_no_memory(r);
    for (uint32_t i = 0; i < p.count; i++) {
        etna_code code = tidy_read_one(r, p.sentences[i]);
        if (code != ETNA_OK)
            return code;
    }
    return ETNA_OK;
}
