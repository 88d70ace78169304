/* "Back to the table", of seats: how they stand, and no way back to it. */
#include "worker/builtin/read/put_internal.h"
#include "worker/builtin/read/trait.h"

static bool put_are_seats(const put *p)
{
    bool seats = p->movers->count > 0;
    for (uint32_t i = 0; i < p->movers->count; i++)
        seats = seats && object_is_seat(p->r, p->movers->objects[i]);
    return seats;
}

/* "..., back to the table", behind a place; NULL: that is not said. */
static const chart_node *put_back_behind(const put *p)
{
    const uint32_t count = p->d->relation_count;
    const condition *const last =
        count > 0 ? &p->d->relations[count - 1] : NULL;
    if (!last || last->has_gap || last->relation != REL_TO || !last->what)
        return NULL;
    const uint32_t first = last->node->first;
    const bool said = reader_word_is(p->r, first, "back") && first > 0 &&
                      reader_word_is(p->r, first - 1, ",");
    const bool placed = count > 1 ? !condition_is_origin(&p->d->relations[0])
                                  : p->d->zone_count > 0;
    return said && placed ? last->node : NULL;
}

/* The one place of "the chair: back to the table", where its words stand apart
 * from the thing's; NULL: it is told otherwise. */
static const condition *put_back_apart(const put *p)
{
    const condition *const to =
        p->d->relation_count == 1 ? &p->d->relations[0] : NULL;
    if (!to || to->has_gap || to->relation != REL_TO || !to->what ||
        p->d->zone_count > 0)
        return NULL;
    const uint32_t first = to->node->first;
    const bool before = first > 0 && reader_word_is(p->r, first - 1, "back");
    const uint32_t word = before ? first - 1 : first;
    const bool apart = word > 0 && (reader_word_is(p->r, word - 1, ",") ||
                                    reader_word_is(p->r, word - 1, ":"));
    return apart && reader_word_is(p->r, word, "back") ? to : NULL;
}

/* "The chair: back to the table" is how it is to stand, unless it has left its
 * table. "The armchair by the bookcase, back to the sofa" has no place at a
 * sofa to go back to. */
static etna_code put_back_there(const put *p, const chart_node **ret)
{
    const double at_it = 0.6; /* metres */
    const condition *const to = put_back_apart(p);
    const refer_scope place = refer_scope_place(p->movers);
    uint32_t object = BUILTIN_NONE;
    *ret = NULL;
    if (!to)
        return ETNA_OK;
    const etna_code code = refer_peek_one(p->r, to->what, &place, &object);
    if (code == ETNA_E_NOMEM)
        return reader_no_memory(p->r);
    bool stays = code == ETNA_OK && put_is_object(p, object);
    const bool is_table = stays && object_is_table(p->r, object);
    for (uint32_t i = 0; i < p->movers->count && stays && is_table; i++)
        stays = object_way(p->r, object, p->movers->objects[i]) < at_it;
    *ret = stays ? to->node : NULL;
    return ETNA_OK;
}

etna_code put_turn_back(put *p)
{
    const chart_node *turned = NULL;
    if (p->d->back_to || p->d->face || !put_are_seats(p))
        return ETNA_OK;
    const chart_node *const behind = put_back_behind(p);
    etna_code code = behind ? ETNA_OK : put_back_there(p, &turned);
    if (code != ETNA_OK || (!behind && !turned))
        return code;
    details *const d = &p->c->d;
    d->back_to = behind ? behind : turned;
    d->relation_count--;
    return turned ? put_leave(p, clause_turn) : ETNA_OK;
}
