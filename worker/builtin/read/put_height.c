/* Putting things as high as something else, or at the height of an eye. */
#include "worker/builtin/read/put_internal.h"
#include "worker/builtin/read/set.h"
#include "worker/builtin/read/trait.h"

#include <math.h>

/* Of a word's value. */
static builtin_align align_said(uint32_t value)
{
    static const builtin_align aligns[] = {
        ALIGN_MIDDLE, ALIGN_TOP, ALIGN_MIDDLE, ALIGN_BOTTOM, ALIGN_HEIGHT};
    return aligns[value < 5 ? value : 0];
}

/* "Its lower edge level with that of the mirror"; false: with another edge. */
static bool height_edge(const chart_node *height, builtin_align *ret)
{
    const uint32_t value = node_value(height, "$edge");
    bool same = true;
    for (uint32_t i = 0; i < height->child_count; i++) {
        const chart_node *c = height->children[i];
        same = same && (!node_is(c, "$edge") || c->value == value);
    }
    *ret = align_said(value);
    return same;
}

/* "At the same height as the mirror, 30 cm to its left": to that side of it, as
 * high. Any other place besides is not read. */
static etna_code put_height_aside(put *p)
{
    static const builtin_relation sides[] = {
        [REL_LEFT] = RELATION_LEFT, [REL_RIGHT] = RELATION_RIGHT};
    const condition *const at = &p->d->relations[0];
    const refer_scope scope = {.on = BUILTIN_NONE, .barred = p->movers};
    uint32_t of = p->m.reference;
    if (p->d->relation_count == 0 || !bit_is_in(at->relation, RELS_SIDE))
        return ETNA_OK;
    etna_code code = phrase_is_pronoun(at->what, PRON_IT)
                         ? ETNA_OK
                         : refer_one(p->r, at->what, &scope, &of);
    if (code != ETNA_OK)
        return code;
    const bool level = at->relation == REL_LEFT || at->relation == REL_RIGHT;
    if (of != p->m.reference || p->d->relation_count > 1 || !level)
        return clause_refuse_all(p->c);
    p->m.relation = sides[at->relation];
    p->m.gap = at->gap;
    p->m.bound = at->bound;
    p->m.hung = true;
    return ETNA_OK;
}

/* "Over the dresser at the same height as the picture": the place is over the
 * one, and the other tells how high. */
static bool put_height_is_besides(const put *p)
{
    const uint32_t places = BIT(REL_ABOVE) | BIT(REL_OVER) | BIT(REL_ON);
    const bool one = p->d->relation_count == 1 && p->d->zone_count == 0 &&
                     p->movers->count == 1;
    if (!p->d->height || !one ||
        !bit_is_in(p->d->relations[0].relation, places))
        return false;
    return p->c->verb == VERB_HANG ||
           object_at(p->r, p->movers->objects[0])->attached;
}

/* The height of its middle at which it is level with the other thing. */
static etna_code put_height_of_other(put *p)
{
    const refer_scope scope = {.on = BUILTIN_NONE, .barred = p->movers};
    builtin_align edge;
    uint32_t of = BUILTIN_NONE;
    if (!height_edge(p->d->height, &edge))
        return reader_refuse_said(
            p->r, CODE_UNREAD, p->d->height,
            "one edge level with another is not understood");
    const etna_code code =
        refer_one(p->r, node_things(p->d->height, 0), &scope, &of);
    if (code != ETNA_OK)
        return code;
    const bool hung =
        builtin_is_hung(p->r->facts, &p->m, p->movers->objects[0]);
    if (!hung || !put_is_object(p, of) || !object_at(p->r, of)->attached)
        return reader_refuse_said(p->r, CODE_UNREAD, p->d->height,
                                  "as high as what is not clear");
    const builtin_object *const other = object_at(p->r, of);
    const builtin_object *const own = object_at(p->r, p->movers->objects[0]);
    const double longer = other->half[2] - own->half[2];
    double up = edge == ALIGN_TOP ? longer : 0;
    if (edge == ALIGN_BOTTOM)
        up = -longer;
    p->m.align = ALIGN_HEIGHT;
    p->m.at[2] = other->centre[2] + up;
    return ETNA_OK;
}

etna_code put_at_height(put *p)
{
    if (!p->d->height || put_height_is_besides(p))
        return ETNA_OK;
    const refer_scope scope = {.on = BUILTIN_NONE, .barred = p->movers};
    p->m.relation = RELATION_LEVEL;
    if (!height_edge(p->d->height, &p->m.align))
        return reader_refuse_said(
            p->r, CODE_UNREAD, p->d->height,
            "one edge level with another is not understood");
    etna_code code =
        refer_one(p->r, node_things(p->d->height, 0), &scope, &p->m.reference);
    p->r->memory.last_reference = p->m.reference; /* "30 cm to its left" */
    if (code != ETNA_OK)
        return code;
    /* "aligned with the wall behind the bed" */
    if (put_is_object(p, p->m.reference) &&
        object_is_wall_like(p->r, p->m.reference))
        return reader_refuse_said(p->r, CODE_UNREAD, p->d->height,
                                  "whether against the wall or parallel to it "
                                  "is not clear");
    code = put_height_aside(p);
    return code == ETNA_OK ? put_end(p) : code;
}

/* "Higher than the portrait": on its wall, so that each of its edges is by some
 * centimetres higher, and its middle, too. */
etna_code put_higher(put *p)
{
    const double clearly = 0.1; /* metres */
    const builtin_facts *const facts = p->r->facts;
    const refer_scope scope = {.on = BUILTIN_NONE, .barred = p->movers};
    uint32_t than = BUILTIN_NONE;
    if (!p->d->higher)
        return ETNA_OK;
    /* "The picture hangs lower than the mirror": so it is, and no wish */
    if (node_lists(p->r, p->c->said, "height: told"))
        return clause_refuse_all(p->c);
    etna_code code =
        refer_one(p->r, node_things(p->d->higher, 0), &scope, &than);
    if (code != ETNA_OK)
        return code;
    const uint32_t own = p->movers->count == 1
                             ? builtin_hangs_on(facts, p->movers->objects[0])
                             : BUILTIN_NONE;
    const bool plain = put_is_object(p, than) && !details_have_places(p->d);
    if (!plain || own >= facts->wall_count ||
        builtin_hangs_on(facts, than) >= facts->wall_count)
        return reader_refuse_said(p->r, CODE_UNREAD, p->d->higher,
                                  "only one thing that hangs can be there");
    const builtin_object *const o = object_at(p->r, p->movers->objects[0]);
    const builtin_object *const other = object_at(p->r, than);
    const double by = clearly + fabs(other->half[2] - o->half[2]);
    const bool up = node_value(p->d->higher, "$lifted") == DIR_UP;
    p->m.relation = RELATION_ON;
    p->m.hung = true;
    p->m.reference = facts->walls[own].object;
    p->m.align = ALIGN_HEIGHT;
    p->m.at[2] = other->centre[2] + (up ? by : -by);
    return put_end(p);
}

/* Which edge is to be level: middle, upper, lower, or the height as it is. */
static builtin_align put_alignment(const put *p)
{
    const uint32_t whole = node_value(p->d->one_height, "$one_height");
    const uint32_t said =
        whole ? whole : node_value(p->d->one_height, "$edge_height");
    return align_said(said);
}

etna_code put_as_high_as_told(put *p)
{
    const uint32_t told = p->r->memory.last_reference;
    const bool one = p->d->one_height && p->movers->count == 1;
    if (!one || !put_is_object(p, told) || set_has(p->movers, told) ||
        !object_at(p->r, told)->attached)
        return ETNA_OK;
    p->m.relation = RELATION_LEVEL;
    p->m.reference = told;
    p->m.align = put_alignment(p);
    return put_end(p);
}

etna_code put_at_one_height(put *p)
{
    if (!p->d->one_height || p->movers->count < 2)
        return ETNA_OK;
    const builtin_set all = *p->movers;
    etna_code code = ETNA_OK;
    p->m.relation = RELATION_LEVEL;
    p->m.reference = all.objects[0];
    p->m.align = put_alignment(p);
    for (uint32_t i = 1; i < all.count && code == ETNA_OK; i++) {
        p->m.objects = set_one(p->r, all.objects[i]);
        code = p->m.objects.count ? put_end(p) : reader_no_memory(p->r);
    }
    return code;
}

/* False: there is no floor to measure from. */
static bool floor_height(const builtin_facts *facts, double *ret)
{
    const uint32_t floor = refer_floor(facts);
    bool found = false;
    for (uint32_t i = 0; i < facts->surface_count; i++) {
        const builtin_surface *s = &facts->surfaces[i];
        if (s->object == floor && (!found || s->height < *ret)) {
            *ret = s->height;
            found = true;
        }
    }
    return found;
}

/* "Its lower edge 60 cm | above the sofa": over that, and not over the floor. */
static bool height_is_over_thing(const reader *r, const chart_node *said)
{
    const uint32_t next = r->part->first + said->end;
    return next < r->part->end &&
           lexicon_lists("height: over", r->s->tokens[next].text);
}

/* "With its lower edge at 1.4 m": the height of its middle then. Of which edge
 * a height is must be said: a picture's edges are far apart. */
static etna_code put_told_height(put *p)
{
    const chart_node *said = p->d->at_height;
    double floor = 0;
    const double up = where_metres(p->r, chart_find(said, "DIST"), NULL);
    const bool one = p->movers->count == 1 && floor_height(p->r->facts, &floor);
    if (!chart_find(said, "$edge") || height_is_over_thing(p->r, said))
        return reader_refuse_said(p->r, CODE_UNREAD, said,
                                  "which edge is to be there is not said");
    const builtin_object *o =
        one ? object_at(p->r, p->movers->objects[0]) : NULL;
    const bool hangs = o && (o->attached || p->c->verb == VERB_HANG);
    if (!hangs || up < 0)
        return reader_refuse_said(p->r, CODE_UNREAD, said,
                                  "only one thing that hangs can be there");
    const builtin_align edge = align_said(node_value(said, "$edge"));
    double below = edge == ALIGN_BOTTOM ? o->half[2] : 0;
    if (edge == ALIGN_TOP)
        below = -o->half[2];
    p->m.align = ALIGN_HEIGHT;
    p->m.at[2] = floor + up + below;
    return ETNA_OK;
}

/* "At eye level": as high as eyes, wherever on the wall it hangs now. What does
 * not hang is left to where it stands, and the words are told as unread. */
static void put_eye_height(put *p)
{
    const double eyes = 1.5; /* metres over the floor, of its middle */
    double floor = 0;
    bool hangs = p->movers->count > 0 && floor_height(p->r->facts, &floor);
    for (uint32_t i = 0; i < p->movers->count && hangs; i++)
        hangs = builtin_is_hung(p->r->facts, &p->m, p->movers->objects[i]);
    if (!hangs)
        return;
    p->m.align = ALIGN_HEIGHT;
    p->m.at[2] = floor + eyes;
}

/* On its own wall, at the height of eyes or at the one that is told; "on the
 * left wall" says which. */
static etna_code put_one_at_told_height(put *p)
{
    const builtin_facts *facts = p->r->facts;
    const bool told = p->d->at_height && !details_have_places(p->d);
    uint32_t own = p->movers->count
                       ? builtin_hangs_on(facts, p->movers->objects[0])
                       : BUILTIN_NONE;
    p->m.relation = RELATION_ON;
    p->m.hung = true;
    p->m.reference = facts->walls[own < facts->wall_count ? own : 0].object;
    const etna_code code = told ? put_told_height(p) : ETNA_OK;
    if (!told)
        put_eye_height(p);
    return code == ETNA_OK ? put_end(p) : code;
}

/* "All three pictures with their lower edges at 1.4 m": each on its wall. */
static etna_code put_each_at_told_height(put *p)
{
    etna_code code = ETNA_OK;
    for (uint32_t i = 0; i < p->movers->count && code == ETNA_OK; i++) {
        const builtin_set own = set_one(p->r, p->movers->objects[i]);
        put one = *p;
        one.movers = &own;
        one.m.objects = own;
        code =
            own.count ? put_one_at_told_height(&one) : reader_no_memory(p->r);
    }
    p->done = true;
    return code;
}

etna_code put_at_eye_level(put *p)
{
    const bool told = p->d->at_height && !details_have_places(p->d);
    if (!p->d->eye_level && !told)
        return ETNA_OK;
    if (p->r->facts->wall_count == 0)
        return put_refuse_no_place(p);
    const bool all =
        p->movers->count > 1 && p->movers->need == p->movers->count;
    return told && all ? put_each_at_told_height(p) : put_one_at_told_height(p);
}

/* Is there a hanging thing as high as which it could be? */
static bool put_has_equal(const put *p)
{
    return put_is_object(p, p->m.reference) &&
           object_at(p->r, p->m.reference)->attached;
}

/* The move by which the text has raised or lowered the one thing just before;
 * NULL: it has not, or has moved it aside, too. */
static const builtin_move *put_lifted_before(const put *p)
{
    const double level = 1e-6; /* metres */
    const builtin_move *const last = reader_last_move(p->r);
    const bool shifted = last && last->relation == RELATION_SHIFT;
    const bool one = shifted && last->objects.count == 1;
    if (!one || p->movers->count != 1 ||
        last->objects.objects[0] != p->movers->objects[0])
        return NULL;
    const bool upright =
        fabs(last->shift[0]) < level && fabs(last->shift[1]) < level;
    return upright ? last : NULL;
}

/* "Hang it 20 cm lower and centre it over the sofa": the place is besides that
 * height. */
static void put_keep_lifted(put *p)
{
    const builtin_move *const lifted = put_lifted_before(p);
    if (!lifted || p->m.align != ALIGN_NONE ||
        !builtin_is_hung(p->r->facts, &p->m, p->movers->objects[0]))
        return;
    const double *const from = object_at(p->r, p->movers->objects[0])->centre;
    p->m.align = ALIGN_HEIGHT;
    p->m.at[2] = from[2] + lifted->shift[2];
}

/* "On the left wall at the same height": as high as it hangs now. */
etna_code put_align(put *p)
{
    if (p->d->at_height)
        return put_told_height(p);
    if (put_height_is_besides(p))
        return put_height_of_other(p);
    if (p->d->eye_level)
        put_eye_height(p);
    put_keep_lifted(p);
    if (!p->d->one_height)
        return ETNA_OK;
    const bool one = p->movers->count == 1;
    p->m.align = put_alignment(p);
    if (one && p->m.align == ALIGN_MIDDLE && !put_has_equal(p))
        p->m.align = ALIGN_HEIGHT;
    if (p->m.align != ALIGN_HEIGHT)
        return ETNA_OK;
    if (!one || !builtin_is_hung(p->r->facts, &p->m, p->movers->objects[0]))
        return reader_refuse_said(p->r, CODE_UNREAD, p->d->one_height,
                                  "as high as what is not clear");
    p->m.at[2] = object_at(p->r, p->movers->objects[0])->centre[2];
    return ETNA_OK;
}
