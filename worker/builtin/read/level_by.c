/* "One shelf higher", "two boards down": onto another board of what bears it. */
#include "worker/builtin/read/clause.h"
#include "worker/builtin/read/refer_internal.h"

bool clause_says_boards(const clause *c)
{
    return c->d.level_by && c->movers.count > 0;
}

/* On which board of that it stands; 0: on none. */
static uint32_t object_level(const reader *r, uint32_t object, uint32_t base)
{
    const double foot = builtin_foot(object_at(r, object));
    const uint32_t count = builtin_levels(r->facts, base);
    for (uint32_t level = 1; level <= count; level++) {
        if (!(builtin_off_level(r->facts, base, level, foot) > 0))
            return level;
    }
    return 0;
}

/* What bears it that has several boards; BUILTIN_NONE: nothing does. */
static uint32_t object_rack(const reader *r, uint32_t object)
{
    for (uint32_t i = 0; i < r->facts->object_count; i++) {
        if (i != object && builtin_levels(r->facts, i) > 1 &&
            builtin_stands_on(r->facts, object, i))
            return i;
    }
    return BUILTIN_NONE;
}

/* All of them stand on one board of one thing. */
etna_code clause_step_boards(clause *c)
{
    reader *r = c->r;
    const chart_node *const by = c->d.level_by;
    const chart_node *const number = chart_find(by, "NUMBER");
    const uint32_t steps = number ? number->children[0]->value / 1000 : 1;
    const uint32_t way = node_value(by, "$board_way");
    const bool up = way ? way == DIR_UP : c->verb == VERB_RAISE;
    if (!way && c->verb != VERB_RAISE && c->verb != VERB_LOWER)
        return reader_refuse_unread(r, by);
    const uint32_t base = object_rack(r, c->movers.objects[0]);
    const uint32_t from =
        base == BUILTIN_NONE ? 0 : object_level(r, c->movers.objects[0], base);
    bool together = from > 0 && steps > 0;
    for (uint32_t i = 1; i < c->movers.count && together; i++)
        together = builtin_stands_on(r->facts, c->movers.objects[i], base) &&
                   object_level(r, c->movers.objects[i], base) == from;
    if (!together)
        return reader_refuse_finally(
            r, reader_refuse_said(
                   r, CODE_UNREAD, by,
                   "from which board that is counted is not clear"));
    const uint32_t count = builtin_levels(r->facts, base);
    if (up ? from + steps > count : from <= steps)
        return reader_refuse_finally(r,
                                     reader_refuse(r, CODE_IMPOSSIBLE, by,
                                                   "%.120s has no board there",
                                                   object_at(r, base)->name));
    builtin_move m = move_plain(c, RELATION_ON);
    m.reference = base;
    m.level = up ? from + steps : from - steps;
    return move_add(r, &m);
}
