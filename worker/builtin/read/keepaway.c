/* "No chair closer than 80 cm to the bar", "nothing on the floor may be nearer
 * than 1 m to the door": what is nearer than that is to stand so far from it at
 * least; what is not stays where it is. */
#include "worker/builtin/read/clause_stay.h"
#include "worker/builtin/read/refer_internal.h"
#include "worker/builtin/read/set.h"
#include "worker/builtin/spot.h"

typedef struct keeping {
    uint32_t from;   /* what it is to be kept from */
    builtin_set but; /* what may be near to it */
    double metres;
} keeping;

static double keeping_gap(const reader *r, uint32_t object, uint32_t from)
{
    const builtin_rect own = builtin_rect_of(object_at(r, object));
    const builtin_rect its = builtin_rect_of(object_at(r, from));
    return builtin_rects_apart(&own, &its);
}

/* Could move, stands on the floor, and is nearer than it may be. */
static bool object_is_too_near(const reader *r,
                               uint32_t object,
                               const void *context)
{
    const keeping *const k = context;
    if (object == k->from || set_has(&k->but, object) ||
        !object_moves(r->facts, object))
        return false;
    return object_is_on_floor(r, object) &&
           keeping_gap(r, object, k->from) < k->metres;
}

/* What it is about: all that stands on the floor, or those of a kind that do. */
static etna_code keeping_find(reader *r,
                              const chart_node *kind,
                              const keeping *k,
                              builtin_set *ret)
{
    builtin_set of = {0};
    if (!kind)
        return set_filter(r, object_is_too_near, k, ret);
    etna_code code = gather_all_called(r, kind, &of);
    *ret = (builtin_set){0};
    for (uint32_t i = 0; i < of.count && code == ETNA_OK; i++) {
        const uint32_t object = of.objects[i];
        const builtin_set one = set_one(r, object);
        if (!object_is_on_floor(r, object))
            return reader_refuse_said(r, CODE_UNREAD, kind,
                                      "not all of them stand on the floor");
        if (object_is_too_near(r, object, k))
            code = set_union(r, ret, &one, ret);
    }
    return code;
}

static etna_code keeping_read(clause *c, keeping *ret)
{
    reader *const r = c->r;
    const refer_scope any = {.on = BUILTIN_NONE, .many = true};
    const refer_scope one = {.on = BUILTIN_NONE};
    const chart_node *const dist = chart_child(c->said, "DIST");
    const chart_node *const but = chart_child(c->said, "BUT");
    const chart_node *const to = chart_child(c->said, "KEPTFROM");
    *ret = (keeping){.from = BUILTIN_NONE};
    if (!dist || !to)
        return clause_refuse_all(c);
    ret->metres = where_metres(r, dist, NULL);
    etna_code code = refer_one(r, node_things(to, 0), &one, &ret->from);
    if (code == ETNA_OK && but)
        code = refer_things(r, node_things(but, 0), &any, &ret->but);
    if (code != ETNA_OK)
        return code;
    if (ret->from >= r->facts->object_count || ret->metres <= 0)
        return clause_refuse(c, "from what, and how far, is not clear");
    return ret->but.need < ret->but.count
               ? clause_refuse(c, "which may be near to it is not clear")
               : ETNA_OK;
}

etna_code clause_keep_off(clause *c)
{
    reader *const r = c->r;
    const chart_node *const kind = chart_child(c->said, "THING");
    keeping k;
    builtin_set near = {0};
    etna_code code = keeping_read(c, &k);
    if (code == ETNA_OK)
        code = keeping_find(r, kind, &k, &near);
    if (code != ETNA_OK)
        return code;
    if (near.count == 0) {
        reader_remark(r, c->said);
        return ETNA_OK;
    }
    near.need = near.count;
    builtin_move m = move_plain(c, RELATION_BESIDE);
    m.objects = near;
    m.reference = k.from;
    m.gap = k.metres;
    m.bound = BOUND_LEAST;
    code = move_add(r, &m);
    r->memory.last = r->memory.named = near;
    return code;
}

/* "Pull back those that are": what was just asked, once more. */
etna_code clause_keep_off_again(clause *c)
{
    const builtin_move *const last = reader_last_move(c->r);
    const bool kept =
        last && last->relation == RELATION_BESIDE && last->bound == BOUND_LEAST;
    if (!kept)
        return clause_refuse_all(c);
    reader_remark(c->r, c->said);
    return ETNA_OK;
}
