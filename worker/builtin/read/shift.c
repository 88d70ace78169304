/* What goes some way from where it stands: which way, and how far. */
#include "worker/builtin/read/clause.h"
#include "worker/builtin/read/set.h"
#include "worker/builtin/read/side.h"
#include "worker/builtin/read/trait.h"

/* "Turn the chair to the desk and pull it 30 cm closer": what it was just turned
 * to; BUILTIN_NONE: it was not. */
static uint32_t shift_faced(const reader *r, uint32_t object)
{
    const builtin_reading *const reading = r->reading;
    if (reading->count == r->first_move)
        return BUILTIN_NONE;
    const builtin_move *const last = &reading->moves[reading->count - 1];
    const bool turned =
        set_has(&last->objects, object) && last->facing != FACING_NONE;
    return turned ? last->faced : BUILTIN_NONE;
}

/* "Closer", and not to what: to what it is said to be too far from, to what it
 * was turned to, or to what it went to before. False: to nothing. */
static bool shift_relates(const reader *r,
                          lexicon_direction direction,
                          uint32_t object,
                          double ret[3])
{
    const builtin_move *before = move_before(r);
    uint32_t reference = r->memory.complained - 1;
    bool goes_on = before && r->reading->count == r->first_move &&
                   before->reference != object;
    if (!bit_is_in(direction, BIT(DIR_CLOSER) | BIT(DIR_AWAY)))
        return false;
    if (r->memory.complained == 0)
        reference = goes_on ? before->reference : shift_faced(r, object);
    if (reference >= r->facts->object_count || reference == object)
        return false;
    shift_toward(r, object, reference, 1, direction == DIR_AWAY, ret);
    return true;
}

/* "Too close to the table, a bit further away": by what nothing here is called,
 * no way is told. */
static bool shift_is_from_unknown(const reader *r, lexicon_direction direction)
{
    return r->memory.complained == COMPLAINED_OF_UNKNOWN &&
           bit_is_in(direction, BIT(DIR_CLOSER) | BIT(DIR_AWAY));
}

/* "Up there" is where something is, and no way to go. */
static bool shift_is_place(const reader *r, const chart_node *dir)
{
    const bool more = r->part->first + dir->end < r->part->end;
    return more && reader_lists(r, dir->end, "turn: here");
}

/* The way of a shift, unit. */
static etna_code shift_find_way(reader *r,
                                const chart_node *node,
                                lexicon_direction direction,
                                uint32_t object,
                                double ret[3])
{
    if (shift_relates(r, direction, object, ret))
        return ETNA_OK;
    if (shift_is_from_unknown(r, direction))
        return reader_refuse_said(r, CODE_UNREAD, node, "of what is not known");
    if (direction == DIR_CLOSER)
        direction = DIR_FRONT;
    if (direction == DIR_AWAY)
        direction = DIR_BACK;
    if (direction)
        direction_way(r, direction, ret);
    else if (!way_onward(r, object, ret))
        return reader_refuse_said(r, CODE_UNREAD, node,
                                  "which way is not said");
    return ETNA_OK;
}

/* How far: as said, as much as it was told to be off, or a bit of the
 * object. */
double shift_metres(const reader *r, const chart_node *dist, uint32_t object)
{
    double metres = dist ? where_metres(r, dist, NULL) : -1;
    if (!dist && set_has(&r->memory.off_things, object))
        metres = r->memory.off_metres;
    return metres < 0 ? object_bit(r, object) : metres;
}

/* "In the direction of +x, i.e. to the right": said twice, it is one way. */
static etna_code shift_check_gloss(reader *r,
                                   const chart_node *node,
                                   const chart_node *dir,
                                   const double way[3])
{
    const double alike = 0.9; /* cosine */
    for (uint32_t i = 0; i < node->child_count; i++) {
        const chart_node *const again = node->children[i];
        double other[3];
        if (!node_is(again, "$dir") || again == dir)
            continue;
        direction_way(r, (lexicon_direction)again->value, other);
        if (way[0] * other[0] + way[1] * other[1] + way[2] * other[2] < alike)
            return reader_refuse_said(r, CODE_UNREAD, node,
                                      "these are two ways");
    }
    return ETNA_OK;
}

/* A shift in metres of the world. Without a distance it is "a bit" of that
 * object; without a direction the one of the text before. */
etna_code shift_read(reader *r,
                     const chart_node *node,
                     lexicon_direction fallback,
                     uint32_t object,
                     double ret[3])
{
    const chart_node *dir = chart_find(node, "$dir");
    const chart_node *dist = chart_find(node, "DIST");
    const lexicon_direction direction =
        dir ? (lexicon_direction)dir->value : fallback;
    if (dir && !dist && shift_is_place(r, dir))
        return reader_refuse_said(r, CODE_UNREAD, node,
                                  "where that is is not said");
    /* "behind the table and half a metre to its left" */
    if (dist && dir && dir->end - dir->first > 2 &&
        reader_word_is(r, dir->first + 1, "its") &&
        r->memory.last_reference < r->facts->object_count)
        return reader_refuse_said(r, CODE_UNREAD, node,
                                  "of which of the two is not clear");
    etna_code code = shift_find_way(r, node, direction, object, ret);
    if (code == ETNA_OK)
        code = shift_check_gloss(r, node, dir, ret);
    if (code != ETNA_OK)
        return code;
    const double metres = shift_metres(r, dist, object);
    for (int k = 0; k < 3; k++)
        ret[k] *= metres;
    return ETNA_OK;
}

/* "Put the knife away", "put up the sign": the word belongs to the verb and
 * tells no way to go, as it does in "push it away" and "put it up 10 cm". */
static bool shift_is_of_verb(const clause *c)
{
    const chart_node *dir = chart_find(c->d.shift, "$dir");
    if (c->verb != VERB_PUT || c->d.second_shift || !dir)
        return false;
    return c->d.shift->end == c->d.shift->first + 1 &&
           reader_lists(c->r, dir->first, "clause: particle");
}

/* "Facing the desk, a metre away": from that. */
static bool shift_is_from_faced(const clause *c)
{
    const chart_node *const dir = chart_find(c->d.shift, "$dir");
    return c->d.face && dir && dir->value == DIR_AWAY &&
           chart_find(c->d.shift, "DIST");
}

/* "The jug and the cup 10 cm to its right": of several things it is no own
 * side. */
static bool shift_is_of_other(const clause *c)
{
    const chart_node *const shift = c->d.shift;
    bool its = false;
    for (uint32_t at = shift ? shift->first : 0; shift && at < shift->end; at++)
        its = its || reader_word_is(c->r, at, "its");
    return its && c->movers.count > 1;
}

/* "A bit closer together" */
static bool shift_is_together(const clause *c)
{
    const chart_node *const dir = chart_find(c->d.shift, "$dir");
    return dir && dir->value == DIR_CLOSER && !c->d.second_shift &&
           reader_word_is(c->r, dir->end - 1, "together");
}

/* "Pull out the chair a little", "move left the plant by 10 cm": the way stands
 * before the thing, how far behind it. */
bool clause_splits_shift(const clause *c)
{
    const chart_node *const way = c->d.shift, *const far = c->d.second_shift;
    return way && far && chart_find(way, "$dir") && !chart_find(way, "DIST") &&
           chart_find(far, "DIST") && !chart_find(far, "$dir");
}

static etna_code shift_read_split(const clause *c, double ret[3])
{
    const chart_node *const dir = chart_find(c->d.shift, "$dir");
    const uint32_t object = c->movers.objects[0];
    etna_code code = shift_find_way(c->r, c->d.shift,
                                    (lexicon_direction)dir->value, object, ret);
    const double metres =
        shift_metres(c->r, chart_find(c->d.second_shift, "DIST"), object);
    for (int k = 0; k < 3 && code == ETNA_OK; k++)
        ret[k] *= metres;
    return code;
}

/* Two shifts add up. */
static etna_code clause_read_shift(const clause *c, double ret[3])
{
    reader *const r = c->r;
    double more[3];
    if (clause_splits_shift(c))
        return shift_read_split(c, ret);
    const uint32_t object = c->movers.objects[0];
    etna_code code = shift_read(r, c->d.shift, 0, object, ret);
    if (code != ETNA_OK || !c->d.second_shift)
        return code;
    code = shift_read(r, c->d.second_shift, 0, object, more);
    for (int k = 0; k < 3 && code == ETNA_OK; k++)
        ret[k] += more[k];
    return code;
}

etna_code clause_shift(clause *c)
{
    reader *r = c->r;
    if (shift_is_together(c))
        return clause_draw_together(c);
    bool told = false;
    const etna_code gap_code = shift_tells_gap(c, &told);
    if (gap_code != ETNA_OK || told)
        return gap_code;
    if (shift_is_of_verb(c))
        return clause_refuse(c, "it does not say on what to put it");
    if (clause_pulls(c))
        return clause_pull(c);
    if (shift_is_of_other(c))
        return clause_refuse(c, "whose side that is is not clear");
    if (shift_is_from_faced(c))
        return reader_refuse_finally(
            r, clause_refuse(c, "whether it is to go so far or to a place so "
                                "far from something is not clear"));
    builtin_move m = move_plain(c, RELATION_SHIFT);
    etna_code code = turn_is_kept(c) ? turn_keep(c) : ETNA_OK;
    if (code == ETNA_OK)
        code = clause_read_shift(c, m.shift);
    if (code == ETNA_OK)
        code = move_face(c, &m);
    return code == ETNA_OK ? move_add(r, &m) : code;
}

/* "It must be 65 cm above the stove, so lower it": how far is said already. */
static bool clause_raises_as_told(const clause *c)
{
    const builtin_move *const last = reader_last_move(c->r);
    if (!last || details_say_anything(&c->d) ||
        last->relation != RELATION_ABOVE || last->gap < 0)
        return false;
    return set_is_within(&c->movers, &last->objects);
}

etna_code clause_raise(clause *c)
{
    builtin_move m = move_plain(c, RELATION_SHIFT);
    lexicon_direction way = c->verb == VERB_RAISE ? DIR_UP : DIR_DOWN;
    const chart_node *shift = c->d.shift ? c->d.shift : c->said;
    etna_code code =
        shift_read(c->r, shift, way, c->movers.objects[0], m.shift);
    if (clause_raises_as_told(c)) {
        reader_remark(c->r, c->said);
        return ETNA_OK;
    }
    return code == ETNA_OK ? move_add(c->r, &m) : code;
}
