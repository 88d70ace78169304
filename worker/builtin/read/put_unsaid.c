/* Places that no preposition tells: something else of the clause does, or what
 * was said before it. */
#include "worker/builtin/read/put_internal.h"
#include "worker/builtin/read/refer_internal.h"
#include "worker/builtin/read/set.h"
#include "worker/builtin/read/trait.h"

etna_code put_refuse_no_place(put *p)
{
    return clause_refuse(p->c, "it does not say on what to put it");
}

/* The one place, as though it had been said. */
static void put_to(put *p, builtin_relation relation, uint32_t reference)
{
    p->at.list[0] = destination_plain(relation, reference);
    p->at.count = 1;
}

/* "so that it shades the table": over it. */
static etna_code put_over_shaded(put *p)
{
    const chart_node *shade = p->d->shade;
    const refer_scope scope = {.on = BUILTIN_NONE, .barred = p->movers};
    uint32_t reference = BUILTIN_NONE;
    if (!shade)
        return ETNA_OK;
    etna_code code = refer_one(p->r, node_phrase(shade, 0), &scope, &reference);
    put_to(p, RELATION_OVER, reference);
    return code;
}

/* "The chairs opposite the sofa with the table in between": from what the two
 * were put before; NULL: they were put before nothing. */
static const builtin_move *put_opposite_last(const put *p)
{
    const builtin_set *const last = &p->r->memory.last;
    const builtin_move *const before = reader_last_move(p->r);
    const bool opposite = before && before->relation == RELATION_FRONT &&
                          put_is_object(p, before->reference) &&
                          before->each.count == 0;
    const bool theirs = opposite && last->count == before->objects.count &&
                        set_is_within(last, &before->objects);
    return theirs ? before : NULL;
}

/* "Swap the two and put the vase in between": of two that were just moved. */
static etna_code put_between_last(put *p)
{
    const builtin_set *const last = &p->r->memory.last;
    const builtin_move *const before = reader_last_move(p->r);
    const builtin_move *const opposite = put_opposite_last(p);
    const bool swap = before && before->relation == RELATION_SWAP &&
                      before->objects.count == 1;
    uint32_t two[2] = {BUILTIN_NONE, BUILTIN_NONE};
    if (swap) {
        two[0] = before->objects.objects[0];
        two[1] = before->reference;
    } else if (opposite && last->count == 1) {
        two[0] = last->objects[0];
        two[1] = opposite->reference;
    } else if (last->count == 2 && last->need == 2 && !opposite) {
        two[0] = last->objects[0];
        two[1] = last->objects[1];
    } else if (!placed_last_two(p->r, p->movers, two)) {
        two[0] = two[1] = BUILTIN_NONE;
    }
    if (!put_is_object(p, two[0]) || !put_is_object(p, two[1]) ||
        set_has(p->movers, two[0]) || set_has(p->movers, two[1]))
        return reader_refuse_said(p->r, CODE_UNREAD, p->d->centred,
                                  "between which two is not clear");
    put_to(p, RELATION_BETWEEN, two[0]);
    p->at.list[0].second = two[1];
    return ETNA_OK;
}

/* "The armchairs opposite each other and the side table in the middle": amid
 * those two, and of no room. */
static void put_amid_last(put *p)
{
    const reader *const r = p->r;
    const builtin_move *const last = reader_last_move(r);
    if (!last || set_has(p->movers, last->reference))
        return;
    const bool mutual =
        last->relation == RELATION_FRONT && last->facing == FACING_TO &&
        last->faced == last->reference && last->objects.count == 1;
    if (!mutual || set_has(p->movers, last->objects.objects[0]))
        return;
    put_to(p, RELATION_BETWEEN, last->reference);
    p->at.list[0].second = last->objects.objects[0];
}

/* "centre it": on what it was just put on, or stands on. */
static etna_code put_on_middle_of_ground(put *p)
{
    reader *const r = p->r;
    const builtin_move *last = reader_last_move(r);
    if (p->d->centred && reader_word_is(r, p->d->centred->end - 1, "between"))
        return put_between_last(p);
    const uint32_t before = zone_last_place(r, p->movers);
    const bool onto = last && last->relation == RELATION_ON &&
                      set_is_within(p->movers, &last->objects);
    uint32_t ground = onto ? last->reference
                           /* "put it on the desk and centre it there" */
                           : ground_of(p->r, p->movers);
    if (!onto && before != BUILTIN_NONE)
        ground = before;
    if (!p->d->centred || !put_is_object(p, ground))
        return ETNA_OK;
    put_to(p, RELATION_MIDDLE, ground);
    if (object_is_ground(r, ground))
        put_amid_last(p);
    return ETNA_OK;
}

/* What was moved last, or where that went. */
static uint32_t put_leader(const put *p)
{
    /* "the table: a stool in front, a lamp on top" */
    const uint32_t owner = topic_owner(p->r, p->movers);
    return owner != BUILTIN_NONE ? owner : p->r->memory.last_reference;
}

/* "..., the cup on top": on what the text put there just before. */
static etna_code put_on_leader(put *p)
{
    if (!p->d->top || !put_is_object(p, p->r->memory.last_reference))
        return ETNA_OK;
    const uint32_t leader = put_leader(p);
    /* "the red one on the lowest shelf and the others on top" */
    if (p->movers->count > 1 && leader != p->r->memory.last_reference &&
        !builtin_is_bearer(object_at(p->r, leader)))
        return clause_refuse(p->c, "on top of what is not clear");
    put_to(p, RELATION_ON, leader);
    return ETNA_OK;
}

/* "With its back against the wall"; and who puts a sofa with its back to a wall
 * does not turn it amid the room. */
static etna_code put_against_back(put *p)
{
    const double at_wall = 0.2; /* metres */
    const chart_node *back =
        p->d->back_to ? chart_child(p->d->back_to, "$back_to") : NULL;
    const bool goes = p->m.goes && p->c->verb != VERB_TURN;
    const bool against = back && reader_word_is(p->r, back->end - 1, "against");
    uint32_t reference = BUILTIN_NONE;
    if (!back || (!against && !goes))
        return ETNA_OK;
    etna_code code =
        move_find_faced(p->c, p->d->back_to, BUILTIN_NONE, &reference);
    if (code != ETNA_OK)
        return code;
    const bool wall =
        put_is_object(p, reference) && object_bounds_place(p->r, reference);
    /* "under the window, its back to the wall": at that wall anyway */
    const uint32_t by =
        p->at.count > 0 ? p->at.list[0].reference : BUILTIN_NONE;
    const bool there = wall && put_is_object(p, by) && by != reference &&
                       object_way(p->r, by, reference) < at_wall;
    if (there)
        return ETNA_OK;
    if (against || wall)
        put_to(p, RELATION_AGAINST, reference);
    return ETNA_OK;
}

/* "..., followed by the jug": next to what was put there last. */
static etna_code put_beside_leader(put *p)
{
    /* "the lid off the pot, and lay it down beside" */
    const uint32_t bared = p->r->memory.context;
    if (!p->d->follow)
        return ETNA_OK;
    if (put_is_object(p, p->r->memory.last_reference))
        put_to(p, RELATION_BESIDE, put_leader(p));
    else if (put_is_object(p, bared) && !set_has(p->movers, bared))
        put_to(p, RELATION_BESIDE, bared);
    return ETNA_OK;
}

/* "The mug was next to the phone. Put it back there." */
static bool put_is_told_already(const put *p)
{
    /* a place of its own, where nothing else could come */
    const uint32_t single = BIT(RELATION_BETWEEN) | BIT(RELATION_LEFT) |
                            BIT(RELATION_RIGHT) | BIT(RELATION_FRONT) |
                            BIT(RELATION_BEHIND) | BIT(RELATION_AGAINST);
    const builtin_move *last = reader_last_move(p->r);
    if (!last || !set_is_within(p->movers, &last->objects))
        return false;
    return last->reference + 1 == p->r->memory.there.object ||
           bit_is_in(last->relation, single);
}

/* "There": where something was put before, or is told to be. */
static etna_code put_there(put *p)
{
    if (!details_say_there(p->r, p->d))
        return ETNA_OK;
    if (put_is_told_already(p)) {
        p->done = true;
        return ETNA_OK;
    }
    destinations_add_there(p->r, p->movers, &p->at);
    return ETNA_OK;
}

/* No place, and a word of turning: it is turned where it stands. */
static etna_code put_turned(put *p)
{
    return details_turn(p->d) ? put_leave(p, clause_turn) : ETNA_OK;
}

/* No place, and "together": the things come to each other. */
static etna_code put_together(put *p)
{
    return p->d->together ? put_leave(p, clause_group) : ETNA_OK;
}

/* "Push the chair in". */
static etna_code put_pushed_in(put *p)
{
    const chart_node *part =
        p->d->part ? chart_child(p->d->part, "$part") : NULL;
    bool in = part && part->value == DIR_FRONT;
    bool seat = p->movers->count && object_is_seat(p->r, p->movers->objects[0]);
    return in && (seat || p->c->verb == VERB_MOVE) ? put_leave(p, clause_tuck)
                                                   : ETNA_OK;
}

etna_code put_find_unsaid(put *p)
{
    static put_step *const steps[] = {
        put_over_shaded,    put_on_middle_of_ground,
        put_on_leader,      put_as_high_as_told,
        put_at_one_height,  put_at_eye_level,
        put_against_back,   put_beside_leader,
        put_there,          put_turned,
        put_together,       put_pushed_in,
        put_refuse_no_place};
    etna_code code = ETNA_OK;
    for (size_t i = 0; p->at.count == 0 && code == ETNA_OK && !p->done; i++)
        code = steps[i](p);
    return code;
}
