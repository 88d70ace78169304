/* One clause -> moves. What stands at a clause's places is gathered first; then the verb, and what was gathered, say which
 * moves are meant. The verbs that only say how things get there (put, move, "should be") share one way. */
#include "worker/model/builtin_destination.h"
#include "worker/model/builtin_details.h"
#include "worker/model/builtin_reader.h"
#include "worker/model/builtin_set.h"
#include "worker/model/builtin_side.h"
#include "worker/model/builtin_trait.h"

#include <math.h>

/* ---- helpers ---- */

static builtin_move move_plain(const reader *r, const chart_node *clause)
{
    builtin_move m = {.reference = BUILTIN_NONE,
                      .second = BUILTIN_NONE,
                      .support = BUILTIN_NONE,
                      .gap = -1,
                      .faced = BUILTIN_NONE,
                      .spacing = -1};
    reader_span(r, clause, m.span);
    return m;
}

static bool move_goes(const builtin_move *m)
{
    return m->relation != RELATION_TURN && m->relation != RELATION_TURNED && m->relation != RELATION_SHIFT &&
           m->relation != RELATION_OFF;
}

/* Is something that stands on the moved excepted: "the tray without the glass"? */
static bool move_sheds(const reader *r, const builtin_move *m)
{
    for (uint32_t i = 0; i < m->objects.count; i++) {
        for (uint32_t k = 0; k < r->excepted.count; k++) {
            const uint32_t load = r->excepted.objects[k], by = m->objects.objects[i];
            if (load < r->facts->object_count && builtin_stands_on(r->facts, load, by)) return true;
        }
    }
    return false;
}

static etna_code move_add(reader *r, const builtin_move *m)
{
    builtin_move *before = r->reading->count > r->first_move ? &r->reading->moves[r->reading->count - 1] : NULL;
    for (; before && before->relation == RELATION_OFF && move_goes(m) && set_is_within(&before->objects, &m->objects);
         before--) {
        r->reading->count--; /* "take it off the box and put it beside the plant" is one way to go */
        if (r->reading->count == r->first_move) break;
    }
    if (r->reading->count == BUILTIN_MOVES_MAX)
        return reader_refuse(r, CODE_UNREAD, NULL, "it asks for more than %d moves", BUILTIN_MOVES_MAX);
    builtin_move *added = &r->reading->moves[r->reading->count++];
    *added = *m;
    added->alone = m->alone || move_sheds(r, m);
    return ETNA_OK;
}

/* ---- movers ---- */

/* "One chair from the middle table": of several that may be meant, those that stand by it. */
static etna_code movers_from(reader *r, const condition *origin, builtin_set *movers)
{
    if (movers->need == movers->count) return ETNA_OK;
    uint32_t *kept = etna_arena_alloc(r->arena, movers->count + 1u, sizeof *kept), count = 0;
    if (!kept) return reader_no_memory(r);
    for (uint32_t i = 0; i < movers->count; i++) {
        double way = INFINITY;
        etna_code code = where_holds(r, origin->node, movers->objects[i], &way);
        if (code != ETNA_OK) return code;
        if (isfinite(way)) kept[count++] = movers->objects[i];
    }
    if (count < movers->need)
        return reader_refuse(r, CODE_UNKNOWN, origin->node, "nothing that is meant stands \"%s\"",
                             reader_said(r, origin->node));
    *movers = (builtin_set){.count = count, .objects = kept, .need = movers->need};
    return ETNA_OK;
}

/* Which things: those at the origin, where one is said ("take the plates from the tray"). */
static etna_code movers_at(reader *r, const chart_node *things, const details *d, builtin_set *ret)
{
    refer_scope scope = refer_scope_movers();
    const condition *origin = NULL;
    for (uint32_t i = 0; i < d->relation_count; i++) {
        if (condition_is_origin(&d->relations[i]) && !d->relations[i].has_gap) origin = &d->relations[i];
    }
    if (origin && !phrase_is_pronoun(things, PRON_IT) && !phrase_is_pronoun(things, PRON_THEM)) {
        builtin_set from;
        refer_scope any = {.on = BUILTIN_NONE, .many = true, .flat = true};
        reader before = *r;
        const builtin_set none = {0};
        bool is_level = false;
        uint32_t base = BUILTIN_NONE, level = 0;
        etna_code code = refer_level(r, origin->what, &none, &is_level, &base, &level);
        if (code == ETNA_OK && is_level) from = set_one(r, base);
        if (code == ETNA_OK && !is_level) code = refer_things(r, origin->what, &any, &from);
        reader_memory memory = before.memory;
        scope.on_level = level;
        builtin_set all = {0}, some;
        for (uint32_t i = 0; code == ETNA_OK && node_is(origin->what, "AND") && i < from.count;
             i++) { /* of each its own */
            scope.on = from.objects[i];
            *r = before;
            code = refer_things(r, things, &scope, &some);
            if (code == ETNA_OK) code = set_union(r, &all, &some, &all);
            if (code == ETNA_OK && i + 1 == from.count) {
                *ret = all;
                return ETNA_OK;
            }
        }
        if (code == ETNA_OK && from.count >= 1) {
            for (uint32_t i = 0; i < from.count; i++) {
                scope.on = from.objects[i];
                *r = before;
                code = refer_things(r, things, &scope, ret);
                if (code != ETNA_E_INPUT) {
                    r->memory.context = from.objects[i];
                    r->memory.context_level = level;
                    if (is_level) r->memory.last_reference = base;
                    return code;
                }
            }
        }
        *r = before;
        r->memory = memory;
        scope.on = BUILTIN_NONE;
        scope.on_level = 0;
    }
    etna_code code = refer_things(r, things, &scope, ret);
    return code == ETNA_OK && origin ? movers_from(r, origin, ret) : code;
}

static etna_code movers_of(reader *r, const chart_node *things, const details *d, builtin_set *ret)
{
    etna_code code = movers_at(r, things, d, ret);
    if (code != ETNA_OK || !d->except) return code;
    builtin_set but;
    refer_scope any = {.on = BUILTIN_NONE, .many = true};
    reader_memory memory = r->memory;
    code = refer_things(r, d->except, &any, &but);
    r->memory = memory;
    uint32_t *kept = etna_arena_alloc(r->arena, ret->count + 1u, sizeof *kept), count = 0;
    if (code != ETNA_OK || !kept) return code != ETNA_OK ? code : reader_no_memory(r);
    r->excepted = but;
    for (uint32_t i = 0; i < ret->count; i++) {
        if (!set_has(&but, ret->objects[i])) kept[count++] = ret->objects[i];
    }
    if (count == 0) return reader_refuse(r, CODE_UNKNOWN, things, "\"%s\" leaves nothing", reader_said(r, things));
    *ret = (builtin_set){.count = count, .objects = kept, .need = ret->need < count ? ret->need : count};
    return ETNA_OK;
}

/* ---- places ---- */

/* ---- putting it together ---- */

static etna_code faced_of(reader *r, const chart_node *node, const builtin_set *movers, uint32_t reference,
                          uint32_t *ret)
{
    const chart_node *what = node_things(node, 0);
    if (!what)
        return reader_refuse(r, CODE_UNREAD, node, "\"%s\": what it is to face is not said", reader_said(r, node));
    if (phrase_is_pronoun(what, PRON_ME)) {
        *ret = BUILTIN_CAMERA;
        return ETNA_OK;
    }
    if (phrase_is_pronoun(what, PRON_IT) && reference < r->facts->object_count) {
        *ret = reference;
        return ETNA_OK;
    }
    if (phrase_means_room(r, what)) {
        uint32_t floor = refer_floor(r->facts);
        if (floor == BUILTIN_NONE) return reader_refuse(r, CODE_UNREAD, node, "where the room is is not clear");
        *ret = floor;
        return ETNA_OK;
    }
    refer_scope scope = {.on = BUILTIN_NONE, .barred = movers->need == movers->count ? movers : NULL};
    return refer_one(r, what, &scope, ret);
}

static etna_code move_facing(reader *r, const details *d, const builtin_set *movers, builtin_move *m)
{
    const chart_node *node = d->face ? d->face : d->back_to;
    if (!node) return ETNA_OK;
    m->facing = d->face ? FACING_TO : FACING_BACK;
    return faced_of(r, node, movers, m->reference, &m->faced);
}

/* How far, and which way: "20 cm to the left", "a bit lower". */
static etna_code shift_of(reader *r, const chart_node *node, lexicon_direction fallback, uint32_t mover, double ret[3])
{
    const chart_node *dir = chart_find(node, "$dir"), *dist = chart_find(node, "DIST");
    lexicon_direction direction = dir ? (lexicon_direction)dir->value : fallback;
    if (direction == DIR_CLOSER) direction = DIR_FRONT;
    if (direction == DIR_AWAY) direction = DIR_BACK;
    if (!direction) return reader_refuse(r, CODE_UNREAD, node, "\"%s\": which way is not said", reader_said(r, node));
    double metres = dist ? where_metres(r, dist, NULL) : -1;
    if (metres < 0) metres = object_bit(r, mover);
    direction_way(r, direction, ret);
    for (int k = 0; k < 3; k++) ret[k] *= metres;
    return ETNA_OK;
}

static double angle_of(const chart_node *node, double *ret_sign)
{
    const chart_node *number = chart_find(node, "$num"), *by = chart_find(node, "$turn_by"),
                     *spin = chart_find(node, "$spin"), *side = chart_find(node, "$side");
    double sign = 1, degrees = by ? by->value : number ? number->value / 1000.0 : 90;
    for (uint32_t i = 0; i < node->child_count; i++) {
        if (node_is(node->children[i], "$spin") && node->children[i]->value) spin = node->children[i];
    }
    if (spin && spin->value == 2) sign = -1;
    if (side && (side->value & LEXICON_RIGHT)) sign = -1;
    *ret_sign = sign;
    return degrees;
}

/* To the nearest heading that is square to the walls, or to what it stands on. */
static double straight_of(const reader *r, uint32_t object)
{
    const builtin_object *o = object_at(r, object);
    double yaw = o->yaw_deg, frame = 0;
    for (uint32_t i = 0; i < r->facts->object_count; i++) {
        if (!object_is_wall_like(r, i)) continue;
        frame = object_at(r, i)->yaw_deg;
        break;
    }
    double off = yaw - frame;
    off -= 90 * floor(off / 90 + 0.5);
    return -off;
}

/* ---- the verbs ---- */

static etna_code clause_turn(reader *r, const chart_node *said, const details *d, const builtin_set *movers)
{
    builtin_move m = move_plain(r, said);
    m.objects = *movers;
    bool mutual = false;
    const chart_node *facing = d->face ? d->face : d->back_to;
    const chart_node *what = facing ? node_things(facing, 0) : NULL;
    mutual = what && phrase_is_pronoun(what, PRON_EACH_OTHER);
    if (mutual && movers->count == 2) {
        for (uint32_t i = 0; i < 2; i++) {
            builtin_move one = m;
            one.objects = set_one(r, movers->objects[i]);
            one.relation = RELATION_TURNED;
            one.facing = d->face ? FACING_TO : FACING_BACK;
            one.faced = movers->objects[1 - i];
            etna_code code = move_add(r, &one);
            if (code != ETNA_OK) return code;
        }
        return ETNA_OK;
    }
    if (facing) {
        m.relation = RELATION_TURNED;
        etna_code code = move_facing(r, d, movers, &m);
        return code == ETNA_OK ? move_add(r, &m) : code;
    }
    for (uint32_t i = 0; i < d->relation_count; i++) { /* "turn it toward the window" */
        const condition *c = &d->relations[i];
        bool to = c->relation == REL_TOWARD || c->relation == REL_TO || c->relation == REL_AT;
        bool away = c->relation == REL_AWAY || c->relation == REL_FROM;
        if (!to && !away) continue;
        m.relation = RELATION_TURNED;
        m.facing = to ? FACING_TO : FACING_BACK;
        refer_scope scope = {.on = BUILTIN_NONE, .barred = movers};
        etna_code code = refer_one(r, c->what, &scope, &m.faced);
        return code == ETNA_OK ? move_add(r, &m) : code;
    }
    if (d->straight) {
        for (uint32_t i = 0; i < movers->count; i++) {
            builtin_move one = m;
            one.objects = set_one(r, movers->objects[i]);
            one.relation = RELATION_TURN;
            one.turn = straight_of(r, movers->objects[i]);
            etna_code code = move_add(r, &one);
            if (code != ETNA_OK) return code;
        }
        return ETNA_OK;
    }
    if (d->shift && !d->angle) {
        const chart_node *dir = chart_find(d->shift, "$dir");
        bool toward_me = dir && dir->value == DIR_FRONT && r->s->tokens[r->part->first + dir->end - 1].text[0] != 'f';
        if (toward_me) {
            m.relation = RELATION_TURNED;
            m.facing = FACING_TO;
            m.faced = BUILTIN_CAMERA;
            return move_add(r, &m);
        }
        bool sideways = dir && (dir->value == DIR_LEFT || dir->value == DIR_RIGHT);
        if (sideways) {
            m.relation = RELATION_TURN;
            m.turn = dir->value == DIR_LEFT ? 90 : -90;
            return move_add(r, &m);
        }
    }
    if (!d->angle)
        return reader_refuse(r, CODE_UNREAD, said, "\"%s\": how far it is to be turned, or to face what, is not said",
                             reader_said(r, said));
    double sign;
    m.relation = RELATION_TURN;
    m.turn = angle_of(d->angle, &sign);
    m.turn *= sign;
    return move_add(r, &m);
}

static etna_code clause_swap(reader *r, const chart_node *said, const details *d, const chart_node *things)
{
    builtin_set a, b;
    builtin_move m = move_plain(r, said);
    refer_scope scope = refer_scope_movers();
    const condition *with = NULL;
    for (uint32_t i = 0; i < d->relation_count; i++) {
        bool partner = d->relations[i].relation == REL_WITH || d->relations[i].relation == REL_TO;
        if (partner) with = &d->relations[i];
    }
    scope.many = true;
    etna_code code = refer_things(r, things, &scope, &a);
    if (code != ETNA_OK) return code;
    if (with) {
        refer_scope other = refer_scope_movers();
        other.barred = &a;
        code = refer_things(r, with->what, &other, &b);
        if (code != ETNA_OK) return code;
    }
    uint32_t first = a.count ? a.objects[0] : 0, second = with ? b.objects[0] : a.count > 1 ? a.objects[1] : 0;
    bool two = with ? a.count == 1 && b.count == 1 : a.count == 2 && a.need == 2;
    if (!two)
        return reader_refuse(r, CODE_UNREAD, said, "\"%s\": which two are to trade places is not clear",
                             reader_said(r, said));
    if (!with && node_is(things, "AND")) { /* in the order said */
        reader before = *r;
        refer_scope one = refer_scope_movers();
        uint32_t named;
        if (refer_one(r, things->children[0], &one, &named) == ETNA_OK && named == second) {
            second = first;
            first = named;
        } else if (r->err->code == ETNA_E_NOMEM) {
            return ETNA_E_NOMEM;
        } else {
            *r = before;
        }
    }
    m.relation = RELATION_SWAP;
    m.objects = set_one(r, first);
    m.reference = second;
    uint32_t *both = etna_arena_alloc(r->arena, 2, sizeof *both);
    if (!both || m.objects.count == 0) return reader_no_memory(r);
    both[0] = first < second ? first : second;
    both[1] = first < second ? second : first;
    code = move_add(r, &m);
    r->memory.last = (builtin_set){.count = 2, .objects = both, .need = 2};
    return code;
}

/* Largest footprint first: what a pile stands on. */
static bool order_before(const reader *r, uint32_t a, uint32_t b, uint32_t order)
{
    const builtin_object *x = object_at(r, a), *y = object_at(r, b);
    double one = x->half[0] * x->half[1], two = y->half[0] * y->half[1];
    if (order == 3) {
        one = x->half[2];
        two = y->half[2];
    }
    if (order == 2) return one < two - 1e-9;
    return one > two + 1e-9;
}

static uint32_t *row_by_size(reader *r, const builtin_set *set, uint32_t order)
{
    uint32_t *row = etna_arena_memdup(r->arena, set->objects, set->count * sizeof *row);
    for (uint32_t i = 1; row && i < set->count; i++) {
        for (uint32_t k = i; k > 0 && order_before(r, row[k], row[k - 1], order); k--) {
            uint32_t swap = row[k];
            row[k] = row[k - 1];
            row[k - 1] = swap;
        }
    }
    return row;
}

/* In the order of the conjuncts; NULL: they are not told apart so. */
static etna_code row_as_said(reader *r, const chart_node *things, const builtin_set *set, uint32_t **ret)
{
    *ret = NULL;
    const chart_node *parts[CONJUNCTS_MAX];
    uint32_t count = node_conjuncts(things, parts), used = 0;
    if (count < 2) return ETNA_OK;
    uint32_t *row = etna_arena_alloc(r->arena, set->count + 1u, sizeof *row);
    if (!row) return reader_no_memory(r);
    for (uint32_t i = 0; i < count; i++) {
        builtin_set one;
        refer_scope scope = refer_scope_movers();
        reader before = *r;
        etna_code code = refer_things(r, parts[i], &scope, &one);
        if (code == ETNA_E_INPUT) *r = before;
        if (code != ETNA_OK) return code == ETNA_E_INPUT ? ETNA_OK : code;
        for (uint32_t k = 0; k < one.count && used < set->count; k++) row[used++] = one.objects[k];
    }
    if (used == set->count) *ret = row;
    return ETNA_OK;
}

/* Puts one thing of a row to a place of its order: 0 first, count - 1 last. */
static void row_place(uint32_t *row, uint32_t count, uint32_t object, uint32_t place)
{
    uint32_t at = count;
    for (uint32_t i = 0; i < count; i++) at = row[i] == object ? i : at;
    if (at == count || place >= count) return;
    for (; at > place; at--) row[at] = row[at - 1];
    for (; at < place; at++) row[at] = row[at + 1];
    row[place] = object;
}

static void row_reverse(uint32_t *row, uint32_t count)
{
    for (uint32_t i = 0; i < count / 2; i++) {
        uint32_t swap = row[i];
        row[i] = row[count - 1 - i];
        row[count - 1 - i] = swap;
    }
}

/* One of the set that a short phrase means: "the white one", "the smallest". */
static etna_code member_of(reader *r, const chart_node *phrase, const builtin_set *set, uint32_t *ret)
{
    uint32_t *others = etna_arena_alloc(r->arena, r->facts->object_count + 1u, sizeof *others), count = 0;
    if (!others) return reader_no_memory(r);
    for (uint32_t i = 0; i < r->facts->object_count; i++) {
        if (!set_has(set, i)) others[count++] = i;
    }
    const builtin_set barred = {.count = count, .objects = others, .need = count};
    refer_scope scope = {.movers = true, .on = BUILTIN_NONE, .barred = &barred, .any = true};
    builtin_set one;
    reader_memory memory = r->memory;
    etna_code code = refer_things(r, phrase, &scope, &one);
    r->memory = memory;
    if (code == ETNA_OK && one.count != 1 && one.need != 1)
        code = reader_refuse(r, CODE_AMBIGUOUS, phrase, "\"%s\" may be any of %u", reader_said(r, phrase), one.count);
    if (code == ETNA_OK) *ret = one.objects[0];
    return code;
}

/* Where in a row or pile of `count` a place is: "at the bottom", "on top", "in the middle", "on the left". */
static uint32_t place_in_row(const chart_node *place, bool pile, uint32_t count)
{
    const chart_node *side = chart_find(place, "$side"), *zone = chart_find(place, "$zone"),
                     *centred = chart_find(place, "$centred");
    bool top = node_is(place, "TOP") || (side && side->value & LEXICON_TOP),
         bottom = node_is(place, "BOTTOM") || (side && side->value & LEXICON_BOTTOM);
    if (top) return pile ? count - 1 : count;
    if (bottom) return pile ? 0 : count;
    if (centred || (zone && zone->value == ZONE_MIDDLE) || (side && side->value & LEXICON_MIDDLE)) return count / 2;
    if (side && side->value & LEXICON_LEFT) return 0;
    if (side && side->value & LEXICON_RIGHT) return count - 1;
    return count;
}

/* "with the white one in the middle", "the red one at the bottom": in the row of move `at`. */
static etna_code row_order(reader *r, builtin_move *m, const chart_node *phrase, const chart_node *place,
                           bool *ret_done)
{
    bool pile = m->relation == RELATION_STACK;
    uint32_t object = 0, count = m->objects.count;
    uint32_t to = place_in_row(place, pile, count);
    *ret_done = false;
    if (to >= count) return ETNA_OK;
    etna_code code = member_of(r, phrase, &m->objects, &object);
    if (code != ETNA_OK) return code;
    uint32_t *row = etna_arena_memdup(r->arena, m->row_count ? m->row : m->objects.objects, count * sizeof *row);
    if (!row) return reader_no_memory(r);
    row_place(row, count, object, to);
    m->row = row;
    m->row_count = count;
    *ret_done = true;
    return ETNA_OK;
}

/* In which order things are put that go to one place. */
static builtin_order order_to_place(const details *d)
{
    uint32_t order = details_order(d);
    if (order == 1) return ORDER_LARGEST;
    return order == 2 ? ORDER_SMALLEST : ORDER_AS_SAID;
}

/* The left-to-right order in which things stand. */
static void row_as_seen(const reader *r, uint32_t *row, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        for (uint32_t k = i; k > 0; k--) {
            const double *a = object_at(r, row[k - 1])->centre, *b = object_at(r, row[k])->centre,
                         *right = r->facts->right;
            if (a[0] * right[0] + a[1] * right[1] <= b[0] * right[0] + b[1] * right[1]) break;
            uint32_t swap = row[k];
            row[k] = row[k - 1];
            row[k - 1] = swap;
        }
    }
}

/* Of those that are as large to the eye as the lowest, what stands on the base already is the lowest; what nothing can stand
 * on is the top. */
static void row_settle(const reader *r, uint32_t *row, uint32_t count, uint32_t base)
{
    const double alike = 0.98;
    uint32_t tops = 0, top = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (object_bears_things(r, row[i])) continue;
        tops++;
        top = row[i];
    }
    const builtin_object *low = object_at(r, row[0]);
    for (uint32_t i = 1; i < count && base != BUILTIN_NONE; i++) {
        const builtin_object *o = object_at(r, row[i]);
        bool as_large = o->half[0] * o->half[1] >= alike * low->half[0] * low->half[1];
        if (!as_large || !builtin_stands_on(r->facts, row[i], base)) continue;
        row_place(row, count, row[i], 0);
        break;
    }
    if (tops == 1) row_place(row, count, top, count - 1);
}

static etna_code clause_row(reader *r, const chart_node *said, const details *d, const chart_node *things,
                            const builtin_set *movers, lexicon_verb verb, bool pile)
{
    builtin_move m = move_plain(r, said);
    destinations at;
    destination *spots = at.list;
    uint32_t count = 0, order = details_order(d);
    details own = *d;
    own.side = NULL;
    etna_code code = destinations_gather(r, &own, movers, verb, &at);
    count = at.count;
    if (code != ETNA_OK) return code;
    if (movers->count < 2)
        return reader_refuse(r, CODE_UNREAD, said, "\"%s\": a row or a pile takes several things",
                             reader_said(r, said));
    m.objects = *movers;
    m.relation = pile ? RELATION_STACK : RELATION_LINE;
    for (uint32_t i = 0; i < count; i++) {
        const destination *s = &spots[i];
        bool upon = s->relation == RELATION_ON || s->relation == RELATION_IN;
        if (upon && m.support == BUILTIN_NONE) {
            m.support = s->reference;
            m.level = s->level;
            continue;
        }
        if (pile) { /* the pile's place: its first goes there */
            builtin_condition *also = etna_arena_alloc(r->arena, 1, sizeof *also);
            if (!also) return reader_no_memory(r);
            *also = (builtin_condition){.relation = s->relation,
                                        .reference = s->reference,
                                        .second = s->second,
                                        .sides = s->sides,
                                        .gap = s->gap};
            m.also = also;
            m.also_count = 1;
            continue;
        }
        m.reference = s->reference;
        m.sides = s->sides;
        if (side_of_relation(s->relation)) m.sides = side_of_relation(s->relation);
        bool beside = s->relation != RELATION_EDGE && s->relation != RELATION_LINE && s->relation != RELATION_AGAINST &&
                      s->relation != RELATION_MIDDLE && s->relation != RELATION_CORNER;
        if (beside) {
            builtin_condition *also = etna_arena_alloc(r->arena, 1, sizeof *also);
            if (!also) return reader_no_memory(r);
            *also = (builtin_condition){.relation = s->relation,
                                        .reference = s->reference,
                                        .second = s->second,
                                        .sides = s->sides,
                                        .gap = s->gap};
            m.also = also;
            m.also_count = 1;
        }
    }
    uint32_t *row = NULL;
    code = row_as_said(r, things, movers, &row);
    if (code != ETNA_OK) return code;
    bool named = row != NULL;
    if (order >= 1 && order <= 3) row = row_by_size(r, movers, order);
    if (!row && pile) {
        row = row_by_size(r, movers, 1);
        if (row) row_settle(r, row, movers->count, m.support);
    }
    if (!row) {
        row = etna_arena_memdup(r->arena, movers->objects, movers->count * sizeof *row);
        if (row) row_as_seen(r, row, movers->count);
    }
    if (!row) return reader_no_memory(r);
    if (order == 11 || order == 13) row_reverse(row, movers->count);
    bool ordered = pile || named || order > 0;
    m.row = row;
    m.row_count = ordered || d->order_count ? movers->count : 0;
    m.even = d->evenly || verb == VERB_SPACE;
    if (d->apart_by && chart_find(d->apart_by, "DIST"))
        m.spacing = where_metres(r, chart_find(d->apart_by, "DIST"), NULL);
    if (!ordered && d->order_count) m.row_count = movers->count;
    for (uint32_t i = 0; i < d->order_count && code == ETNA_OK; i++) {
        bool done = false;
        code = row_order(r, &m, node_things(d->orders[i], 0), d->orders[i]->children[d->orders[i]->child_count - 1],
                         &done);
    }
    if (code == ETNA_OK) code = move_facing(r, d, movers, &m);
    if (code == ETNA_OK) code = move_add(r, &m);
    if (code == ETNA_OK) r->memory.ordered = r->reading->count;
    return code;
}

/* All that stands on a thing, but for what is to stay. */
static etna_code clause_clear(reader *r, const chart_node *said, const details *d, const chart_node *things)
{
    uint32_t base = BUILTIN_NONE, level = 0;
    bool is_level = false;
    refer_scope scope = {.on = BUILTIN_NONE, .flat = true, .laden = true};
    const chart_node *of = things, *but = NULL;
    if (node_is(things, "EXCEPT")) {
        of = things->children[0];
        for (uint32_t i = 1; i < things->child_count; i++)
            but = things->children[i]->is_terminal ? but : things->children[i];
    }
    const builtin_set none = {0};
    etna_code code = refer_level(r, of, &none, &is_level, &base, &level);
    if (code == ETNA_OK && !is_level) code = refer_one(r, of, &scope, &base);
    if (code != ETNA_OK) return code;
    if (base >= r->facts->object_count) return reader_refuse(r, CODE_UNREAD, said, "what is to be cleared is not said");
    builtin_set kept = {0};
    refer_scope any = {.on = BUILTIN_NONE, .many = true};
    if (but) code = refer_things(r, but, &any, &kept);
    if (code != ETNA_OK) return code;
    const builtin_object *b = object_at(r, base);
    uint32_t *list = etna_arena_alloc(r->arena, r->facts->object_count + 1u, sizeof *list), count = 0;
    if (!list) return reader_no_memory(r);
    for (uint32_t i = 0; i < r->facts->object_count; i++) {
        const builtin_object *o = object_at(r, i);
        bool on = builtin_stands_on(r->facts, i, base) && !o->is_static && !set_has(&kept, i);
        if (on && level && builtin_off_level(r->facts, base, level, o->centre[2] - o->half[2]) > 0) on = false;
        for (uint32_t k = 0; on && k < kept.count; k++)
            on = !builtin_is_above(r->facts, kept.objects[k], i); /* it carries what stays */
        if (on) list[count++] = i;
    }
    if (b->is_static && refer_floor(r->facts) == base && count > 0)
        return reader_refuse(r, CODE_UNREAD, said, "\"%s\": what is to leave the floor is not said",
                             reader_said(r, said));
    if (count == 0)
        return reader_refuse(r, CODE_IMPOSSIBLE, said, "nothing stands on %.200s that could be cleared away", b->name);
    builtin_move m = move_plain(r, said);
    m.objects = (builtin_set){.count = count, .objects = list, .need = count};
    m.relation = RELATION_OFF;
    m.reference = base;
    m.level = level;
    destinations at;
    uint32_t spot_count = 0;
    bool somewhere = false;
    for (uint32_t i = 0; i < d->relation_count; i++) somewhere = somewhere || !condition_is_origin(&d->relations[i]);
    if (somewhere) {
        code = destinations_gather(r, d, &m.objects, VERB_PUT, &at);
        spot_count = at.count;
        if (code == ETNA_OK && spot_count) {
            at.count = spot_count;
            code = destinations_apply(r, said, &at, &m.objects, &m);
        }
        if (code != ETNA_OK) return code;
    }
    r->memory.context = base;
    r->memory.last_reference = base;
    r->memory.last = m.objects;
    return move_add(r, &m);
}

/* "set the table for four": places laid with the plates, glasses and so on that there are. */
static builtin_slot slot_of(const reader *r, uint32_t object)
{
    static const struct {
        const char *kind;
        builtin_slot slot;
    } slots[] = {{"plate", SLOT_PLATE}, {"bowl", SLOT_PLATE},  {"placemat", SLOT_PLATE}, {"fork", SLOT_LEFT},
                 {"napkin", SLOT_LEFT}, {"knife", SLOT_RIGHT}, {"spoon", SLOT_RIGHT},    {"glass", SLOT_FAR},
                 {"cup", SLOT_FAR},     {"mug", SLOT_FAR}};
    for (size_t i = 0; i < sizeof slots / sizeof slots[0]; i++) {
        if (object_is_kind(r, object, slots[i].kind)) return slots[i].slot;
    }
    return SLOT_PLATE;
}

/* Seats that stand around the table, nearest first, at most `wanted` (0: all within reach). */
static builtin_set seats_of(reader *r, uint32_t table, uint32_t wanted)
{
    const double reach = 1.0; /* metres */
    uint32_t *list = etna_arena_alloc(r->arena, r->facts->object_count + 1u, sizeof *list), count = 0;
    double *ways = etna_arena_alloc(r->arena, r->facts->object_count + 1u, sizeof *ways);
    for (uint32_t i = 0; list && ways && i < r->facts->object_count; i++) {
        double way = where_between(object_at(r, i), object_at(r, table));
        bool seat = builtin_is_seat(object_at(r, i)) && !object_at(r, i)->is_static && way < reach && i != table;
        if (!seat) continue;
        uint32_t at = count++;
        for (; at > 0 && ways[at - 1] > way; at--) {
            ways[at] = ways[at - 1];
            list[at] = list[at - 1];
        }
        ways[at] = way;
        list[at] = i;
    }
    if (wanted && count > wanted) count = wanted;
    for (uint32_t i = 1; i < count; i++) {
        for (uint32_t k = i; k > 0 && list[k - 1] > list[k]; k--) {
            uint32_t swap = list[k];
            list[k] = list[k - 1];
            list[k - 1] = swap;
        }
    }
    return (builtin_set){.count = list && ways ? count : 0, .objects = list, .need = count};
}

static etna_code setting_add(reader *r, const chart_node *said, uint32_t table, const builtin_set *seats,
                             uint32_t people, const builtin_set *what)
{
    builtin_move m = move_plain(r, said);
    m.objects = *what;
    if (people) m.objects.need = people < what->count ? people : what->count;
    if (people > what->count && what->count > 0)
        return reader_refuse(r, CODE_UNKNOWN, said, "there are %u of %.80s and others, and %u are needed", what->count,
                             object_at(r, what->objects[0])->name, people);
    m.relation = RELATION_SETTING;
    m.reference = table;
    m.each = *seats;
    m.slot = what->count ? slot_of(r, what->objects[0]) : SLOT_PLATE;
    return move_add(r, &m);
}

static etna_code clause_lay(reader *r, const chart_node *said, const details *d, const chart_node *things)
{
    uint32_t table = BUILTIN_NONE, people = 0;
    refer_scope scope = {.on = BUILTIN_NONE, .flat = true};
    etna_code code = refer_one(r, things, &scope, &table);
    if (code != ETNA_OK) return code;
    const chart_node *number = d->people ? chart_find(d->people, "$num") : NULL;
    if (number) people = number->value / 1000;
    builtin_set seats = seats_of(r, table, people);
    if (!people) people = seats.count;
    if (!people)
        return reader_refuse(r, CODE_UNREAD, said,
                             "for how many the table is to be laid is not said, and there are no chairs at it");
    uint32_t before = r->reading->count;
    for (uint32_t i = 0; i < d->relation_count && code == ETNA_OK; i++) {
        const chart_node *parts[CONJUNCTS_MAX];
        if (d->relations[i].relation != REL_WITH) continue;
        uint32_t count = node_conjuncts(d->relations[i].what, parts);
        for (uint32_t k = 0; k < count && code == ETNA_OK; k++) {
            builtin_set what;
            refer_scope movers = refer_scope_movers();
            code = refer_things(r, parts[k], &movers, &what);
            if (code == ETNA_OK) code = setting_add(r, said, table, &seats, people, &what);
        }
    }
    r->memory.table = before + 1;
    if (code != ETNA_OK || r->reading->count > before) return code;
    static const char *const kinds[] = {"plate", "glass", "fork", "knife", "spoon"};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0] && code == ETNA_OK; k++) {
        uint32_t *list = etna_arena_alloc(r->arena, r->facts->object_count + 1u, sizeof *list), count = 0;
        if (!list) return reader_no_memory(r);
        for (uint32_t i = 0; i < r->facts->object_count; i++) {
            bool is_kind = object_is_kind(r, i, kinds[k]) && !object_at(r, i)->is_static && i != table;
            if (is_kind) list[count++] = i;
        }
        const builtin_set what = {.count = count, .objects = list, .need = count};
        if (count >= people || (k == 0 && count > 0)) code = setting_add(r, said, table, &seats, people, &what);
    }
    if (code == ETNA_OK && r->reading->count == before)
        code = reader_refuse(r, CODE_UNKNOWN, said, "there are no plates to lay the table with");
    return code;
}

static etna_code clause_tuck(reader *r, const chart_node *said, const details *d, const builtin_set *movers)
{
    builtin_move m = move_plain(r, said);
    m.relation = RELATION_TUCK;
    etna_code code = ETNA_OK;
    for (uint32_t i = 0; i < d->relation_count && code == ETNA_OK; i++) {
        refer_scope scope = {.on = BUILTIN_NONE, .barred = movers};
        if (!condition_is_origin(&d->relations[i])) code = refer_one(r, d->relations[i].what, &scope, &m.reference);
    }
    if (code != ETNA_OK) return code;
    for (uint32_t i = 0; i < movers->count; i++) {
        builtin_move one = m;
        one.objects = set_one(r, movers->objects[i]);
        double least = INFINITY;
        for (uint32_t k = 0; m.reference == BUILTIN_NONE && k < r->facts->object_count; k++) {
            bool table =
                object_is_kind(r, k, "table") || object_is_kind(r, k, "desk") || object_is_kind(r, k, "counter");
            double way = where_between(object_at(r, k), object_at(r, movers->objects[i]));
            bool taller = object_at(r, k)->half[2] > 0.25 && builtin_is_bearer(object_at(r, k));
            if (!(table || taller) || builtin_is_seat(object_at(r, k)) || k == movers->objects[i] || way >= least ||
                set_has(movers, k))
                continue;
            least = way;
            one.reference = k;
        }
        if (one.reference == BUILTIN_NONE)
            return reader_refuse(r, CODE_UNREAD, said, "\"%s\": under what is not said, and there is no table",
                                 reader_said(r, said));
        code = move_add(r, &one);
        if (code != ETNA_OK) return code;
    }
    return ETNA_OK;
}

static etna_code clause_shift(reader *r, const chart_node *said, const details *d, lexicon_direction fallback,
                              const builtin_set *movers)
{
    builtin_move m = move_plain(r, said);
    m.relation = RELATION_SHIFT;
    m.objects = *movers;
    etna_code code = shift_of(r, d->shift, fallback, movers->objects[0], m.shift);
    double more[3];
    if (code == ETNA_OK && d->second_shift) {
        code = shift_of(r, d->second_shift, 0, movers->objects[0], more);
        for (int k = 0; k < 3 && code == ETNA_OK; k++) m.shift[k] += more[k];
    }
    if (code == ETNA_OK) code = move_facing(r, d, movers, &m);
    return code == ETNA_OK ? move_add(r, &m) : code;
}

/* "put away", "tidy the room" without a word of where to. */
static etna_code refuse_no_place(reader *r, const chart_node *said)
{
    return reader_refuse(r, CODE_UNREAD, said, "\"%s\": it does not say on what to put it", reader_said(r, said));
}

static bool shift_is_alone(const details *d)
{
    const chart_node *dir = d->shift ? chart_find(d->shift, "$dir") : NULL,
                     *dist = d->shift ? chart_find(d->shift, "DIST") : NULL;
    return dir != NULL || dist != NULL;
}

/* ---- one thing for each of others ---- */

static etna_code clause_sides(reader *r, const chart_node *said, const destination *s, const builtin_set *movers,
                              bool *ret_done)
{
    *ret_done = false;
    bool flanks = s->relation == RELATION_BESIDE;
    if ((s->relation != RELATION_END && !flanks) || movers->count < 2) return ETNA_OK;
    unsigned ends[2] = {SIDE_LEFT, SIDE_RIGHT};
    if (!flanks) ends_own(r, s->reference, ends);
    for (uint32_t i = 0; i < 2; i++) {
        builtin_move m = move_plain(r, said);
        uint32_t near = 0;
        double way[2];
        side_way(r, s->reference, ends[0], way);
        double along[2];
        for (uint32_t k = 0; k < 2; k++) {
            const double *p = object_at(r, movers->objects[k])->centre, *q = object_at(r, s->reference)->centre;
            along[k] = (p[0] - q[0]) * way[0] + (p[1] - q[1]) * way[1];
        }
        near = along[0] >= along[1] ? 0 : 1;
        m.objects = set_one(r, movers->objects[i == 0 ? near : 1 - near]);
        m.relation = RELATION_END;
        m.reference = s->reference;
        m.sides = ends[i];
        etna_code code = move_add(r, &m);
        if (code != ETNA_OK) return code;
    }
    *ret_done = true;
    return ETNA_OK;
}

/* "one plant at each end": as many of the kind as there are places. */
static etna_code movers_for_ends(reader *r, const chart_node *things, const details *d, builtin_set *movers)
{
    if (!details_say_each_end(d) || movers->count != 1) {
        if (details_say_each_end(d) && movers->count >= 2 && movers->need < 2) movers->need = movers->count = 2;
        return ETNA_OK;
    }
    const char *words[REFER_WORDS_MAX];
    const chart_node *core = chart_child(things, "CORE");
    uint32_t count = 0;
    for (uint32_t i = 0; core && i < core->child_count && count < REFER_WORDS_MAX; i++) {
        if (node_is(core->children[i], "$w")) words[count++] = r->s->tokens[core->children[i]->value].text;
    }
    match_query q;
    etna_code code = match_query_make(words, count, r->arena, &q, r->err);
    uint32_t *list = etna_arena_alloc(r->arena, r->facts->object_count + 1u, sizeof *list), used = 0;
    if (code != ETNA_OK || !list) return code != ETNA_OK ? code : reader_no_memory(r);
    for (uint32_t i = 0; i < r->facts->object_count; i++) {
        bool fits = !object_at(r, i)->is_static && match_object(r->facts, r->kinds, i, &q).cost < 100;
        if (fits) list[used++] = i;
    }
    if (used >= 2) *movers = (builtin_set){.count = used, .objects = list, .need = used};
    return ETNA_OK;
}

/* ---- the common way ---- */

static etna_code clause_group(reader *r, const chart_node *said, const details *d, const builtin_set *movers)
{
    builtin_move m = move_plain(r, said);
    destinations at;
    uint32_t count = 0;
    etna_code code = destinations_gather(r, d, movers, VERB_GROUP, &at);
    count = at.count;
    if (code != ETNA_OK) return code;
    m.objects = *movers;
    if (count > 0) {
        {
            at.count = count;
            code = destinations_apply(r, said, &at, movers, &m);
        }
        return code == ETNA_OK ? move_add(r, &m) : code;
    }
    m.relation = RELATION_GROUP;
    return move_add(r, &m);
}

static etna_code clause_hang_adjust(reader *r, const details *d, builtin_move *m)
{
    if (d->height) {
        refer_scope scope = {.on = BUILTIN_NONE, .barred = &m->objects};
        const chart_node *what = node_things(d->height, 0);
        m->relation = RELATION_LEVEL;
        m->align = ALIGN_MIDDLE;
        return refer_one(r, what, &scope, &m->reference);
    }
    if (d->one_height) {
        const chart_node *word = chart_find(d->one_height, "$one_height");
        m->align = word && word->value == 1 ? ALIGN_TOP : word && word->value == 3 ? ALIGN_BOTTOM : ALIGN_MIDDLE;
    }
    return ETNA_OK;
}

/* Each thing to the nearest of the others. */
static etna_code moves_to_own(reader *r, const builtin_move *m)
{
    for (uint32_t i = 0; i < m->objects.count; i++) {
        builtin_move one = *m;
        double least = INFINITY;
        for (uint32_t k = 0; k < m->each.count; k++) {
            double way = where_between(object_at(r, m->objects.objects[i]), object_at(r, m->each.objects[k]));
            if (way >= least) continue;
            least = way;
            one.reference = m->each.objects[k];
        }
        one.objects = set_one(r, m->objects.objects[i]);
        one.each = (builtin_set){0};
        if (one.facing != FACING_NONE && set_has(&m->each, m->faced)) one.faced = one.reference;
        etna_code code = move_add(r, &one);
        if (code != ETNA_OK) return code;
    }
    return ETNA_OK;
}

/* The table at which all the seats stand that small things are to go before; BUILTIN_NONE: no such. */
static uint32_t table_of_seats(const reader *r, const builtin_move *m)
{
    const double reach = 1.0; /* metres */
    uint32_t seats = m->each.count ? m->each.count : 1, table = BUILTIN_NONE;
    if (object_is_furniture(r, m->objects.objects[0])) return BUILTIN_NONE;
    for (uint32_t i = 0; i < seats; i++) {
        uint32_t seat = m->each.count ? m->each.objects[i] : m->reference, nearest = BUILTIN_NONE;
        double least = reach;
        if (seat >= r->facts->object_count || !builtin_is_seat(object_at(r, seat))) return BUILTIN_NONE;
        for (uint32_t k = 0; k < r->facts->object_count; k++) {
            bool is_table = (object_is_kind(r, k, "table") || object_is_kind(r, k, "desk")) &&
                            object_bears_things(r, k) && !builtin_is_seat(object_at(r, k));
            double way = is_table ? where_between(object_at(r, k), object_at(r, seat)) : INFINITY;
            if (way >= least) continue;
            least = way;
            nearest = k;
        }
        if (nearest == BUILTIN_NONE) continue; /* a chair that stands apart */
        if (table != BUILTIN_NONE && table != nearest) return BUILTIN_NONE;
        table = nearest;
    }
    return m->support == BUILTIN_NONE || m->support == table ? table : BUILTIN_NONE;
}

/* Said as something to do, and not as how things should be or stay. */
static bool verb_puts(const reader *r, const chart_node *said, lexicon_verb verb)
{
    const chart_node *word = node_is(said, "DO") ? chart_child(said, "$verb") : NULL;
    const char *text = word ? reader_word(r, word->first) : "keep";
    return verb == VERB_PUT && strcmp(text, "keep") != 0 && strcmp(text, "leave") != 0;
}

/* "Around the table so that it stands to the right of it", "out of the way of the cabinet and onto the table": one thing's way
 * there is no place of its own. */
static uint32_t spots_without_path(const reader *r, destination spots[CONDITIONS_MAX], uint32_t count,
                                   const builtin_set *movers)
{
    uint32_t kept = 0, paths = 0;
    (void)r;
    for (uint32_t i = 0; i < count; i++)
        paths += spots[i].relation == RELATION_AROUND || (spots[i].relation == RELATION_AWAY && !spots[i].is_shift);
    if (paths == 0 || paths == count || movers->count != 1) return count;
    for (uint32_t i = 0; i < count; i++) {
        bool path = spots[i].relation == RELATION_AROUND || (spots[i].relation == RELATION_AWAY && !spots[i].is_shift);
        if (!path) spots[kept++] = spots[i];
    }
    return kept;
}

/* Hundredths: "to the wall with the window" is that wall rather than a place with the window; what is put somewhere is
 * hardly moved aside at once. */
static uint32_t places_strained(const details *d, lexicon_verb verb)
{
    uint32_t cost = 0;
    for (uint32_t i = 0; i < d->relation_count && d->relation_count > 1; i++)
        cost += d->relations[i].relation == REL_WITH ? 50 : 0;
    bool aside = d->shift && !chart_find(d->shift, "DIST") && d->relation_count > 0 && verb == VERB_PUT;
    return cost + (aside ? 5 : 0);
}

/* The side that a direction without a length is of the place it stands beside; 0: none. */
static unsigned shift_side(const details *d)
{
    const chart_node *dir = d->shift && !chart_find(d->shift, "DIST") ? chart_find(d->shift, "$dir") : NULL;
    if (!dir) return 0;
    if (dir->value == DIR_LEFT) return SIDE_LEFT;
    return dir->value == DIR_RIGHT ? SIDE_RIGHT : 0;
}

/* "1 m to the left and 50 cm toward the wall": two lengths, one way to go. */
static etna_code clause_vector(reader *r, const chart_node *said, const details *d, const builtin_set *movers,
                               lexicon_verb verb, bool *ret_done)
{
    *ret_done = false;
    const condition *c = d->relation_count == 1 ? &d->relations[0] : NULL;
    bool told = d->shift && chart_find(d->shift, "DIST") && chart_find(d->shift, "$dir");
    if (!told || !c || !c->has_gap || movers->count == 0) return ETNA_OK;
    destination spot;
    builtin_move m = move_plain(r, said);
    reader before = *r;
    etna_code code = preposition_read(r, c, movers, verb, &spot);
    if (code == ETNA_E_INPUT || (code == ETNA_OK && !spot.is_shift)) {
        *r = before;
        return ETNA_OK;
    }
    m.relation = RELATION_SHIFT;
    m.objects = *movers;
    if (code == ETNA_OK) code = shift_of(r, d->shift, 0, movers->objects[0], m.shift);
    for (int k = 0; k < 3 && code == ETNA_OK; k++) m.shift[k] += spot.shift[k];
    *ret_done = code == ETNA_OK;
    return code == ETNA_OK ? move_add(r, &m) : code;
}

static etna_code clause_put(reader *r, const chart_node *said, const details *d, const chart_node *things,
                            lexicon_verb verb, const builtin_set *movers)
{
    builtin_move m = move_plain(r, said);
    destinations at;
    destination *spots = at.list;
    uint32_t count = 0;
    (void)things;
    m.objects = *movers;
    m.hung = verb == VERB_HANG;
    m.goes = verb == VERB_MOVE || verb_puts(r, said, verb);
    m.order = order_to_place(d);
    etna_code code = ETNA_OK;
    bool shifts = shift_is_alone(d) && !details_have_places(d);
    for (uint32_t i = 0; verb == VERB_HANG && i < movers->count; i++) { /* whatever it is to hang from */
        const char *not_hung = builtin_why_not_hung(r->facts, movers->objects[i]);
        if (not_hung)
            return reader_refuse(r, CODE_IMPOSSIBLE, said, "%.200s cannot be hung: %s",
                                 object_at(r, movers->objects[i])->name, not_hung);
    }
    if (d->height) {
        code = clause_hang_adjust(r, d, &m);
        return code == ETNA_OK ? move_add(r, &m) : code;
    }
    if (shifts && !shift_is_its_side(r, d->shift, movers)) return clause_shift(r, said, d, 0, movers);
    bool vector = false;
    code = clause_vector(r, said, d, movers, verb, &vector);
    if (vector || code != ETNA_OK) return code;
    bool both = d->shift && chart_find(d->shift, "DIST") && details_have_places(d);
    for (uint32_t i = 0; i < d->relation_count; i++) both = both && !condition_is_origin(&d->relations[i]);
    if (both)
        return reader_refuse(r, CODE_UNREAD, d->shift,
                             "\"%s\": whether it is to go so far or to that place is not clear",
                             reader_said(r, d->shift));
    bool only_origin =
        d->relation_count > 0 && !details_lead_elsewhere(d) && !d->face && !d->angle && verb != VERB_HANG;
    for (uint32_t i = 0; i < d->relation_count; i++)
        only_origin = only_origin && condition_is_origin(&d->relations[i]) && !d->relations[i].has_gap;
    if (only_origin && r->memory.context != BUILTIN_NONE) { /* where to may follow */
        r->memory.last = r->memory.named = r->memory.taken = *movers;
        return ETNA_OK;
    }
    code = destinations_gather(r, d, movers, verb, &at);
    count = at.count;
    if (code != ETNA_OK) return code;
    r->cost += places_strained(d, verb);
    bool done = false;
    for (uint32_t i = 0; i < count && !done && code == ETNA_OK && details_say_each_end(d); i++)
        code = clause_sides(r, said, &spots[i], movers, &done);
    if (done || code != ETNA_OK) return code;
    if (d->shade && count == 0) {
        spots[count] = destination_plain(RELATION_ON, BUILTIN_NONE);
        spots[count].relation = RELATION_OVER;
        refer_scope scope = {.on = BUILTIN_NONE, .barred = movers};
        code = refer_one(r, d->shade->children[d->shade->child_count - 1], &scope, &spots[count].reference);
        count++;
        if (code != ETNA_OK) return code;
    }
    if (d->centred && count > 0) {
        destination *s = &spots[count - 1];
        bool upon = s->relation == RELATION_ON;
        if (upon) s->relation = RELATION_MIDDLE;
    }
    if (count == 0 && d->centred) {
        spots[0] = destination_plain(RELATION_ON, BUILTIN_NONE);
        spots[0].relation = RELATION_MIDDLE;
        spots[0].reference = ground_cleared(r, movers);
        if (spots[0].reference == BUILTIN_NONE) spots[0].reference = ground_of(r, movers);
        count = spots[0].reference < r->facts->object_count;
    }
    if (count == 0 && d->top && r->memory.last_reference < r->facts->object_count) {
        spots[0] = destination_plain(RELATION_ON, BUILTIN_NONE);
        spots[0].reference = r->memory.last.count == 1 && !set_has(movers, r->memory.last.objects[0])
                                 ? r->memory.last.objects[0]
                                 : r->memory.last_reference;
        count = 1;
    }
    if (count == 0 && d->eye_level) {
        m.relation = RELATION_ON;
        m.hung = true;
        for (uint32_t i = 0; i < r->facts->wall_count; i++) {
            bool own = movers->count && builtin_hangs_on(r->facts, movers->objects[0]) == i;
            if (own) m.reference = r->facts->walls[i].object;
        }
        if (m.reference == BUILTIN_NONE && r->facts->wall_count) m.reference = r->facts->walls[0].object;
        return m.reference == BUILTIN_NONE ? refuse_no_place(r, said) : move_add(r, &m);
    }
    const chart_node *back = d->back_to ? chart_child(d->back_to, "$back_to") : NULL;
    bool touches = back && strcmp(r->s->tokens[r->part->first + back->end - 1].text, "against") == 0;
    if (count == 0 && touches) { /* "with its back against the wall" */
        spots[0] = destination_plain(RELATION_ON, BUILTIN_NONE);
        spots[0].relation = RELATION_AGAINST;
        code = faced_of(r, d->back_to, movers, BUILTIN_NONE, &spots[0].reference);
        if (code != ETNA_OK) return code;
        count = 1;
    }
    if (count == 0 && d->follow && r->memory.last_reference < r->facts->object_count + 1) {
        uint32_t leader = r->memory.last.count == 1 && !set_has(movers, r->memory.last.objects[0])
                              ? r->memory.last.objects[0]
                              : r->memory.last_reference;
        if (leader >= r->facts->object_count)
            return reader_refuse(r, CODE_UNREAD, said, "what it is to follow is not said");
        spots[0] = destination_plain(RELATION_ON, BUILTIN_NONE);
        spots[0].relation = RELATION_BESIDE;
        spots[0].reference = leader;
        count = 1;
    }
    bool turns = d->face || d->back_to || d->angle || d->straight;
    if (count == 0 && turns) return clause_turn(r, said, d, movers);
    if (count == 0 && d->together) return clause_group(r, said, d, movers);
    if (count == 0 && d->part) {
        const chart_node *part = chart_child(d->part, "$part");
        bool in = part && part->value == DIR_FRONT,
             seats = movers->count && builtin_is_seat(object_at(r, movers->objects[0]));
        if (in && (verb == VERB_MOVE || seats)) return clause_tuck(r, said, d, movers);
    }
    if (count == 0) return refuse_no_place(r, said);
    for (uint32_t i = 0; i < count; i++) {
        bool line = spots[i].relation == RELATION_LINE;
        if (line) return clause_row(r, said, d, things, movers, verb, false);
    }
    at.count = spots_without_path(r, spots, count, movers);
    code = destinations_chain(r, &m, &at);
    if (code != ETNA_OK) return code;
    count = at.count;
    const unsigned aside = count == 1 && spots[0].relation == RELATION_ON ? shift_side(d) : 0;
    if (aside) { /* "on the desk, left" */
        spots[0].relation = RELATION_EDGE;
        spots[0].sides = aside;
    }
    {
        at.count = count;
        code = destinations_apply(r, said, &at, movers, &m);
    }
    if (code == ETNA_OK && d->one_height) code = clause_hang_adjust(r, d, &m);
    if (code == ETNA_OK) code = move_facing(r, d, movers, &m);
    if (code != ETNA_OK) return code;
    if (d->no_gap && (m.relation == RELATION_BESIDE || m.relation == RELATION_TOWARD)) {
        m.relation = RELATION_AGAINST;
        m.gap = -1;
    }
    if (d->apart_by && m.gap < 0 && m.relation >= RELATION_BESIDE && m.relation <= RELATION_BEHIND) {
        double most, least = where_metres(r, chart_find(d->apart_by, "DIST"), &most);
        m.gap = most > least ? (least + most) / 2 : least;
    }
    bool wall =
        m.relation == RELATION_AGAINST && m.reference < r->facts->object_count && object_is_wall_like(r, m.reference);
    bool seat = movers->count &&
                (builtin_is_seat(object_at(r, movers->objects[0])) || object_at(r, movers->objects[0])->has_front);
    if (wall && seat && m.facing == FACING_NONE) {
        m.facing = FACING_BACK;
        m.faced = m.reference;
    }
    bool in_table = m.relation == RELATION_UNDER && movers->count &&
                    builtin_is_seat(object_at(r, movers->objects[0])) &&
                    (object_is_kind(r, m.reference, "table") || object_is_kind(r, m.reference, "desk"));
    if (in_table) {
        details own = *d;
        own.relation_count = 0;
        for (uint32_t i = 0; i < d->relation_count; i++) {
            if (d->relations[i].relation == REL_UNDER) own.relations[own.relation_count++] = d->relations[i];
        }
        return clause_tuck(r, said, &own, movers);
    }
    if (m.relation == RELATION_GROUP && m.reference < r->facts->object_count &&
        m.each.count > 1) { /* with the others: where most of them stand */
        uint32_t base = BUILTIN_NONE, most = 0;
        for (uint32_t i = 0; i < m.each.count; i++) {
            const builtin_object *o = object_at(r, m.each.objects[i]);
            uint32_t same = 0;
            for (uint32_t k = 0; k < m.each.count && o->by_count; k++)
                same += builtin_stands_on(r->facts, m.each.objects[k], o->by[0]);
            if (same > most) {
                most = same;
                base = o->by[0];
            }
        }
        m.each = (builtin_set){0};
        if (base != BUILTIN_NONE) {
            m.relation = RELATION_ON;
            m.reference = base;
        }
    }
    if (r->memory.not_moved) {
        uint32_t *kept = etna_arena_alloc(r->arena, m.objects.count + 1u, sizeof *kept), used = 0;
        if (!kept) return reader_no_memory(r);
        for (uint32_t i = 0; i < m.objects.count; i++) {
            if (m.objects.objects[i] + 1 != r->memory.not_moved) kept[used++] = m.objects.objects[i];
        }
        r->memory.not_moved = 0;
        m.objects =
            (builtin_set){.count = used, .objects = kept, .need = m.objects.need < used ? m.objects.need : used};
    }
    if (m.each.count > 1 && d->relation_count && node_says(d->relations[0].what, "$det", BIT(DET_ITS)))
        return moves_to_own(r, &m);
    const double tableware = 0.2; /* metres: what is higher and stands on the floor stays there */
    const uint32_t mover = movers->count ? movers->objects[0] : BUILTIN_NONE;
    bool small = movers->count && !(object_is_on_floor(r, mover) && 2 * object_at(r, mover)->half[2] > tableware);
    uint32_t table = m.relation == RELATION_FRONT && small ? table_of_seats(r, &m) : BUILTIN_NONE;
    if (table != BUILTIN_NONE) { /* "a plate in front of each chair": on the table, before who sits there */
        builtin_set seats = m.each.count ? m.each : set_one(r, m.reference);
        return setting_add(r, said, table, &seats, seats.count, &m.objects);
    }
    bool pair_up = m.each.count > 0 && movers->count > 1 && movers->need < movers->count && movers->need == 1;
    if (pair_up) m.objects.need = m.objects.count < m.each.count ? m.objects.count : m.each.count;
    return move_add(r, &m);
}

/* Which verb a clause without one means: how things should be, or what was asked before ("and the cup on the tray"). */
static lexicon_verb verb_state(const reader *r, const chart_node *said)
{
    const chart_node *pp = chart_child(said, "$pp");
    if (pp) return (lexicon_verb)pp->value;
    if (chart_child(said, "$be_hung")) return VERB_HANG;
    if (chart_child(said, "$swapping")) return VERB_SWAP;
    bool bare = !chart_child(said, "$be") && !chart_child(said, "$want");
    bool carries_on = r->memory.verb == VERB_HANG || r->memory.verb == VERB_TURN || r->memory.verb == VERB_MOVE;
    return bare && carries_on ? r->memory.verb : VERB_PUT;
}

static etna_code clause_dispatch(reader *r, const chart_node *said, lexicon_verb verb, const chart_node *things,
                                 details *d);

/* After "stack the books" or "in a row from left to right": which comes where. */
static etna_code clause_orders(reader *r, const chart_node *said, const chart_node *things, const details *d,
                               bool *ret_done)
{
    *ret_done = false;
    if (!r->memory.ordered || !things || chart_child(said, "$be")) return ETNA_OK;
    builtin_move *m = &r->reading->moves[r->memory.ordered - 1];
    const chart_node *place = NULL;
    for (uint32_t i = 0; i < said->child_count; i++) {
        const chart_node *c = said->children[i];
        bool spot = node_is(c, "TOP") || node_is(c, "BOTTOM") || node_is(c, "ZONE") || node_is(c, "SIDE") ||
                    node_is(c, "CENTRED");
        if (spot && !zone_owner(c)) place = c;
    }
    if (place) return row_order(r, m, things, place, ret_done);
    if (!node_is(said, "LIST")) return ETNA_OK;
    (void)d;
    const chart_node *parts[CONJUNCTS_MAX];
    uint32_t count = node_conjuncts(things, parts);
    if (count != m->objects.count) return ETNA_OK;
    uint32_t *row = etna_arena_alloc(r->arena, count, sizeof *row);
    if (!row) return reader_no_memory(r);
    for (uint32_t i = 0; i < count; i++) {
        etna_code code = member_of(r, parts[i], &m->objects, &row[i]);
        if (code != ETNA_OK) return code;
    }
    m->row = row;
    m->row_count = count;
    *ret_done = true;
    return ETNA_OK;
}

/* "a plate and a glass at each place", after "lay the table". */
static etna_code clause_settings(reader *r, const chart_node *said, const chart_node *things, bool *ret_done)
{
    *ret_done = false;
    if (!r->memory.table || !things) return ETNA_OK;
    const builtin_move first = r->reading->moves[r->memory.table - 1];
    const chart_node *parts[CONJUNCTS_MAX];
    uint32_t count = node_conjuncts(things, parts), people = first.objects.need;
    r->reading->count = r->memory.table - 1;
    for (uint32_t i = 0; i < count; i++) {
        builtin_set what;
        refer_scope movers = refer_scope_movers();
        etna_code code = refer_things(r, parts[i], &movers, &what);
        if (code == ETNA_OK) code = setting_add(r, said, first.reference, &first.each, people, &what);
        if (code != ETNA_OK) return code;
    }
    r->memory.table = 0;
    *ret_done = true;
    return ETNA_OK;
}

static etna_code clause_remove(reader *r, const chart_node *said, const details *d, const chart_node *things)
{
    for (uint32_t i = 0; i < d->relation_count; i++) {
        if (!condition_is_origin(&d->relations[i])) { /* "clear the cups onto the tray", "put away on the shelf" */
            builtin_set movers;
            etna_code code = movers_of(r, things, d, &movers);
            return code == ETNA_OK ? clause_put(r, said, d, things, VERB_PUT, &movers) : code;
        }
    }
    uint32_t base = BUILTIN_NONE, level = 0;
    bool is_level = false;
    const condition *from = NULL;
    for (uint32_t i = 0; i < d->relation_count; i++)
        from = condition_is_origin(&d->relations[i]) ? &d->relations[i] : from;
    if (!from) return refuse_no_place(r, said);
    const chart_node *parts[CONJUNCTS_MAX];
    uint32_t count = node_conjuncts(from->what, parts);
    const double apart = 0.4; /* metres: what is farther away is not on it, nor does it hang there */
    builtin_set all = {0};
    for (uint32_t i = 0; i < count; i++) {
        const builtin_set none = {0};
        refer_scope flat = {.on = BUILTIN_NONE, .flat = true, .laden = true};
        etna_code code = refer_level(r, parts[i], &none, &is_level, &base, &level);
        if (code == ETNA_OK && !is_level) code = refer_one(r, parts[i], &flat, &base);
        if (code != ETNA_OK) return code;
        builtin_move m = move_plain(r, said);
        refer_scope scope = refer_scope_movers();
        scope.on = base;
        scope.on_level = level;
        details bare = {.except = d->except};
        (void)scope;
        bare.relations[0] = *from;
        bare.relations[0].what = parts[i];
        bare.relation_count = 1;
        code = level ? refer_things(r, things, &scope, &m.objects) : movers_of(r, things, &bare, &m.objects);
        if (code != ETNA_OK) return code;
        for (uint32_t k = 0; k < m.objects.count && m.objects.need == m.objects.count; k++) {
            bool there =
                builtin_is_above(r->facts, m.objects.objects[k], base) || object_at(r, m.objects.objects[k])->attached;
            if (there) continue;
            return reader_refuse(r, CODE_UNKNOWN, said, "%.100s does not stand on %.100s",
                                 object_at(r, m.objects.objects[k])->name, object_at(r, base)->name);
        }
        m.relation = RELATION_OFF;
        m.reference = base;
        m.level = level;
        for (uint32_t k = 0; k < m.objects.count && base < r->facts->object_count; k++) {
            bool there = builtin_is_above(r->facts, m.objects.objects[k], base) ||
                         where_between(object_at(r, m.objects.objects[k]), object_at(r, base)) < apart;
            if (!there)
                return reader_refuse(r, CODE_UNKNOWN, said, "%.120s is not on %.120s",
                                     object_at(r, m.objects.objects[k])->name, object_at(r, base)->name);
        }
        code = move_add(r, &m);
        if (code == ETNA_OK) code = set_union(r, &all, &m.objects, &all);
        if (code != ETNA_OK) return code;
        r->memory.last = all;
    }
    r->memory.last_reference = base;
    return ETNA_OK;
}

static etna_code clause_keep(reader *r, const chart_node *said, const details *d, const chart_node *things)
{
    const chart_node *whose = d->old ? node_things(d->old, 0) : NULL;
    bool own_place = whose && (phrase_is_pronoun(whose, PRON_IT) || phrase_is_pronoun(whose, PRON_THEM));
    bool places = details_have_places(d) || d->shift || d->face;
    if (places && !d->stays && !own_place) {
        builtin_set movers;
        etna_code code = movers_of(r, things, d, &movers);
        return code == ETNA_OK ? clause_put(r, said, d, things, VERB_PUT, &movers) : code;
    }
    return ETNA_OK; /* "leave the rest": nothing is asked */
}

/* Several kinds of things for one place, each by its own words. */
static etna_code clause_each_conjunct(reader *r, const chart_node *said, const details *d, const chart_node *things,
                                      lexicon_verb verb, builtin_set *ret_all)
{
    const chart_node *parts[CONJUNCTS_MAX];
    uint32_t count = node_conjuncts(things, parts);
    bool mixed = false;
    builtin_set sets[CONJUNCTS_MAX];
    for (uint32_t i = 0; i < count; i++) {
        etna_code code = movers_of(r, parts[i], d, &sets[i]);
        if (code != ETNA_OK) return code;
        mixed = mixed || sets[i].need != sets[i].count;
    }
    etna_code code = movers_of(r, things, d, ret_all);
    if (code != ETNA_OK) return code;
    if (!mixed) return clause_put(r, said, d, things, verb, ret_all);
    for (uint32_t i = 0; i < count; i++) {
        code = clause_put(r, said, d, parts[i], verb, &sets[i]);
        if (code != ETNA_OK) return code;
    }
    return ETNA_OK;
}

/* "Pick up the bowl on the cabinet": it is there already, and is taken from there. */
static etna_code taken_where_it_is(reader *r, const details *d, const builtin_set *movers, bool *ret)
{
    *ret = false;
    bool one =
        d->relation_count == 1 && !d->zone_count && !d->between && !d->old && !d->end_own && !d->shift && !d->side;
    if (!one || (d->relations[0].relation != REL_ON && d->relations[0].relation != REL_IN)) return ETNA_OK;
    uint32_t base;
    reader before = *r;
    refer_scope place = {.flat = true, .on = BUILTIN_NONE};
    etna_code code = refer_one(r, d->relations[0].what, &place, &base);
    if (code != ETNA_OK || base >= r->facts->object_count) {
        *r = before;
        return code == ETNA_E_INPUT ? ETNA_OK : code;
    }
    *ret = movers->count > 0;
    for (uint32_t i = 0; i < movers->count; i++) *ret = *ret && builtin_stands_on(r->facts, movers->objects[i], base);
    if (*ret) r->memory.context = base;
    if (!*ret) *r = before;
    return ETNA_OK;
}

static etna_code clause_take(reader *r, const chart_node *said, const details *d, const chart_node *things)
{
    details own = *d; /* "take it down", and no way to go */
    const chart_node *dir = d->shift && !chart_find(d->shift, "DIST") ? chart_find(d->shift, "$dir") : NULL;
    if (dir && (dir->value == DIR_DOWN || dir->value == DIR_UP || dir->value == DIR_AWAY)) own.shift = NULL;
    d = &own;
    if (details_lead_elsewhere(d)) {
        builtin_set movers;
        bool there = false;
        etna_code code = movers_of(r, things, d, &movers);
        if (code == ETNA_OK) code = taken_where_it_is(r, d, &movers, &there);
        if (code == ETNA_OK && there) {
            r->memory.last = r->memory.taken = r->memory.named = movers;
            return ETNA_OK;
        }
        if (code == ETNA_OK) code = clause_put(r, said, d, things, VERB_PUT, &movers);
        if (code == ETNA_OK) r->memory.last = movers;
        return code;
    }
    for (uint32_t i = 0; i < d->relation_count; i++) {
        if (condition_is_origin(&d->relations[i]) && node_is(d->relations[i].what, "AND"))
            return clause_remove(r, said, d, things);
    }
    builtin_set movers;
    etna_code code = movers_of(r, things, d, &movers);
    const condition *origin = details_origin(d, false);
    refer_scope flat = {.on = BUILTIN_NONE, .flat = true};
    if (code == ETNA_OK && origin && r->memory.context == BUILTIN_NONE) /* it is off there already */
        code = refer_one(r, origin->what, &flat, &r->memory.context);
    if (code != ETNA_OK) return code;
    builtin_move *before = r->reading->count ? &r->reading->moves[r->reading->count - 1] : NULL;
    bool which = before && before->objects.need == 1 && before->objects.count > 1 && movers.count == 1 &&
                 set_has(&before->objects, movers.objects[0]);
    if (which) { /* "give table 3 a menu - take the one from table 2" */
        before->objects = r->memory.last = movers;
        return ETNA_OK;
    }
    r->memory.last = r->memory.taken = movers;
    r->memory.named = movers;
    return ETNA_OK;
}

/* "Tuck the pen against the book": beside, not under. */
static bool tuck_is_put(const details *d)
{
    static const lexicon_relation aside[] = {REL_AGAINST, REL_BESIDE, REL_NEAR,  REL_LEFT,
                                             REL_RIGHT,   REL_FRONT,  REL_BEHIND};
    for (uint32_t i = 0; i < d->relation_count; i++) {
        for (size_t k = 0; k < sizeof aside / sizeof aside[0]; k++) {
            if (d->relations[i].relation == aside[k]) return true;
        }
    }
    return d->between != NULL;
}

/* "Replace the lamp with the cup", "substitute the cup for the lamp": the cup goes where the lamp is. */
static etna_code clause_replace(reader *r, const chart_node *said, const details *d, const chart_node *things,
                                lexicon_verb verb)
{
    const condition *other = d->relation_count ? &d->relations[0] : NULL;
    if (!other || other->relation != REL_WITH)
        return reader_refuse(r, CODE_UNREAD, said, "\"%s\": it does not say by what to replace it",
                             reader_said(r, said));
    builtin_move m = move_plain(r, said);
    refer_scope movers = refer_scope_movers(), place = {.on = BUILTIN_NONE};
    const chart_node *comes = verb == VERB_REPLACE ? other->what : things,
                     *leaves = verb == VERB_REPLACE ? things : other->what;
    etna_code code = refer_things(r, comes, &movers, &m.objects);
    if (code == ETNA_OK) code = refer_one(r, leaves, &place, &m.reference);
    if (code != ETNA_OK) return code;
    m.relation = RELATION_PLACE;
    r->memory.last = r->memory.named = m.objects;
    r->memory.last_reference = m.reference;
    return move_add(r, &m);
}

/* "Spread them evenly around the table" */
static bool details_go_around(const details *d)
{
    for (uint32_t i = 0; i < d->relation_count; i++) {
        if (d->relations[i].relation == REL_AROUND) return true;
    }
    return false;
}

static bool details_tell_how(const details *d)
{
    bool moved = d->shift || d->height || d->one_height || d->eye_level || d->pile || d->row || d->together;
    return moved || d->face || d->back_to || d->angle;
}

/* "Fetch the cup and set it on the tray": where to is said next. */
static bool word_is_fetch(const reader *r, const chart_node *said)
{
    const chart_node *word = chart_child(said, "$verb");
    const char *text = word ? reader_word(r, word->first) : "";
    return strcmp(text, "fetch") == 0 || strcmp(text, "get") == 0 || strcmp(text, "bring") == 0;
}

/* What was taken off before and has no place of its own goes somewhere: before this clause's moves. */
static etna_code taken_put(reader *r, const chart_node *said, const reader_memory *before, uint32_t at)
{
    const builtin_set *taken = &before->taken;
    if (taken->count == 0 || before->context == BUILTIN_NONE || r->reading->count == at) return ETNA_OK;
    for (uint32_t i = at; i < r->reading->count; i++) {
        for (uint32_t k = 0; k < taken->count; k++) {
            if (set_has(&r->reading->moves[i].objects, taken->objects[k])) return ETNA_OK;
        }
    }
    builtin_move m = move_plain(r, said);
    m.objects = *taken;
    m.relation = RELATION_OFF;
    m.reference = before->context;
    m.level = before->context_level;
    etna_code code = move_add(r, &m);
    if (code != ETNA_OK) return code;
    memmove(&r->reading->moves[at + 1], &r->reading->moves[at], (r->reading->count - 1 - at) * sizeof m);
    r->reading->moves[at] = m;
    if (r->memory.ordered > at) r->memory.ordered++;
    return ETNA_OK;
}

/* "Move the chair 30 cm to the left, then rotate by 90 degrees": a verb without its object means what was moved before, as
 * a pronoun would. NULL: out of memory. */
static const chart_node *things_implied(const reader *r, const chart_node *said)
{
    chart_node *nodes = etna_arena_alloc(r->arena, 2, sizeof *nodes);
    const chart_node **child = etna_arena_alloc(r->arena, 1, sizeof *child);
    if (!nodes || !child) return NULL;
    *child = &nodes[1];
    nodes[0] =
        (chart_node){.name = "PRON", .first = said->first, .end = said->end, .child_count = 1, .children = child};
    nodes[1] =
        (chart_node){.name = "$pron", .first = said->first, .end = said->end, .value = PRON_THEM, .is_terminal = true};
    return nodes;
}

static etna_code clause_dispatch(reader *r, const chart_node *said, lexicon_verb verb, const chart_node *things,
                                 details *d)
{
    const reader_memory memory = r->memory;
    builtin_set movers = {0};
    etna_code code = ETNA_OK;
    uint32_t before_moves = r->reading->count;
    r->excepted = (builtin_set){0};
    details_join(r, d);
    if (verb == VERB_CANNOT)
        return reader_refuse(r, CODE_IMPOSSIBLE, said, "\"%s\": things can be moved, turned and hung, and nothing else",
                             reader_said(r, said));
    if (verb == VERB_TIDY) return ETNA_OK; /* no move: the caller proposes some */
    if (!things && verb == VERB_CLEAR && r->memory.context == BUILTIN_NONE)
        return reader_refuse(r, CODE_UNREAD, said, "what is to be cleared is not said");
    if (verb == VERB_ROOM) {
        for (uint32_t i = 0; i < d->relation_count; i++) {
            refer_scope scope = {.on = BUILTIN_NONE, .flat = true, .laden = true};
            code = refer_one(r, d->relations[i].what, &scope, &r->memory.context);
            if (code != ETNA_OK) return code;
        }
        return ETNA_OK; /* what is to go is said next, or the end of the sentence refuses */
    }
    if (!things && r->memory.last.count > 0) {
        things = things_implied(r, said);
        if (!things) return reader_no_memory(r);
    }
    if (!things)
        return reader_refuse(r, CODE_UNREAD, said, "\"%s\": it does not say what to move", reader_said(r, said));
    bool lay = (verb == VERB_PUT || verb == VERB_LAY_TABLE) && d->people;
    if (lay) return clause_lay(r, said, d, things);
    if (verb == VERB_REPLACE || verb == VERB_SUBSTITUTE) return clause_replace(r, said, d, things, verb);
    if (verb == VERB_KEEP) return clause_keep(r, said, d, things);
    if (verb == VERB_CLEAR) return clause_clear(r, said, d, things);
    if (verb == VERB_SWAP) return clause_swap(r, said, d, things);
    if (verb == VERB_REMOVE) return clause_remove(r, said, d, things);
    bool fetched = verb == VERB_MOVE && !details_have_places(d) && !details_tell_how(d) && word_is_fetch(r, said);
    if (verb == VERB_TAKE || fetched) return clause_take(r, said, d, things);
    code = movers_of(r, things, d, &movers);
    if (code == ETNA_OK) code = movers_for_ends(r, things, d, &movers);
    if (code != ETNA_OK) return code;
    const builtin_set said_movers = movers;
    bool upon_one =
        verb == VERB_STACK && movers.count == 1 && d->relation_count > 0; /* "stack the phone on the book" */
    if (upon_one) verb = VERB_PUT;
    bool pile = verb == VERB_STACK || d->pile, row = verb == VERB_LINE || verb == VERB_SPACE || d->row ||
                                                     (d->evenly && movers.count > 1) || (verb == VERB_USE && d->row);
    if (verb == VERB_TURN && !details_have_places(d) && d->shift && chart_find(d->shift, "$dir") && !d->angle &&
        !d->face && !d->back_to && chart_find(d->shift, "DIST"))
        verb = VERB_MOVE;
    if (pile) {
        code = clause_row(r, said, d, things, &movers, verb, true);
    } else if (row && verb != VERB_LINE && details_go_around(d)) {
        code = clause_put(r, said, d, things, VERB_PUT, &movers);
    } else if (row || (verb == VERB_ARRANGE && d->order)) {
        code = clause_row(r, said, d, things, &movers, verb, false);
    } else if (verb == VERB_TURN) {
        code = clause_turn(r, said, d, &movers);
    } else if (verb == VERB_TUCK && !tuck_is_put(d)) {
        code = clause_tuck(r, said, d, &movers);
    } else if (verb == VERB_GROUP || (verb == VERB_ARRANGE && !details_have_places(d))) {
        code = clause_group(r, said, d, &movers);
    } else if (verb == VERB_STRAIGHTEN) {
        d->straight = said;
        code = clause_turn(r, said, d, &movers);
    } else if (verb == VERB_CENTRE) {
        d->centred = said;
        code = clause_put(r, said, d, things, VERB_PUT, &movers);
    } else if ((verb == VERB_RAISE || verb == VERB_LOWER) && !details_have_places(d) && !d->height) {
        lexicon_direction way = verb == VERB_RAISE ? DIR_UP : DIR_DOWN;
        const chart_node *shift = d->shift ? d->shift : said;
        builtin_move m = move_plain(r, said);
        m.relation = RELATION_SHIFT;
        m.objects = movers;
        code = shift_of(r, shift, way, movers.objects[0], m.shift);
        if (code == ETNA_OK) code = move_add(r, &m);
    } else if (verb == VERB_FOLLOW) {
        code = clause_turn(r, said, d, &movers);
    } else if (node_is(things, "AND")) {
        code = clause_each_conjunct(r, said, d, things, verb, &movers);
    } else {
        code = clause_put(r, said, d, things, verb, &movers);
    }
    if (code != ETNA_OK) return code;
    r->memory.last = said_movers;
    r->memory.named = said_movers;
    code = taken_put(r, said, &memory, before_moves);
    if (code != ETNA_OK) return code;
    if (r->reading->count > before_moves) r->memory.taken = (builtin_set){0};
    if (!pile && !row) r->memory.ordered = 0;
    if (d->other_clause) {
        const chart_node *other = d->other_clause;
        details more = {0};
        details_gather(r, other, &more);
        return clause_dispatch(r, other, VERB_PUT, node_things(other, 0), &more);
    }
    return ETNA_OK;
}

/* "Give table 3 a menu", "give the teapot a quarter turn". */
static etna_code clause_give(reader *r, const chart_node *said)
{
    const chart_node *to = node_things(said, 0), *what = node_things(said, 1);
    builtin_move m = move_plain(r, said);
    refer_scope movers = refer_scope_movers();
    uint32_t reference;
    refer_scope place = refer_scope_place(NULL);
    static const char *const giving[] = {"give", "hand", "bring", "get", "fetch", "send"};
    const char *word = reader_word(r, chart_child(said, "$verb")->first);
    bool gives = false;
    for (size_t i = 0; i < sizeof giving / sizeof giving[0]; i++) gives = gives || strcmp(word, giving[i]) == 0;
    if (!gives) return reader_refuse(r, CODE_UNREAD, said, "\"%s\" is not understood", reader_said(r, said));
    etna_code code = refer_one(r, to, &place, &reference);
    if (code == ETNA_OK) code = refer_things(r, what, &movers, &m.objects);
    if (code != ETNA_OK) return code;
    m.reference = reference;
    m.relation = preposition_to(r, &m.objects, reference, REL_TO);
    r->memory.last = m.objects;
    r->memory.last_reference = reference;
    return move_add(r, &m);
}

/* Complaints and statements that ask for nothing: "it is too close to the edge". */
static bool state_asks_nothing(const details *d, const chart_node *said)
{
    bool place = details_have_places(d) || d->shift || d->angle || d->face || d->back_to || d->row || d->pile ||
                 d->straight || d->centred || d->eye_level || d->height || d->old || d->together || d->shade ||
                 d->part || d->evenly || d->top || d->order || d->one_height;
    return d->too || (!place && !chart_child(said, "$swapping") && !chart_child(said, "$pp"));
}

static etna_code clause_not(reader *r, const chart_node *said);

/* "should never be on the shelf": what is denied is the whole, not some other place. */
static bool state_is_denied(const reader *r, const chart_node *said)
{
    static const char *const denying[] = {"never", "not",     "no",        "nowhere", "hardly", "cannot",
                                          "can't", "mustn't", "shouldn't", "won't",   "isn't"};
    const chart_node *not_place = chart_child(said, "NOTPLACE"), *word = chart_child(said, "$any");
    if (not_place && chart_child(not_place, "STAYS")) return true;
    for (size_t i = 0; word && i < sizeof denying / sizeof denying[0]; i++) {
        if (strcmp(reader_word(r, word->first), denying[i]) == 0) return true;
    }
    return false;
}

static etna_code clause_state(reader *r, const chart_node *said)
{
    details d = {0};
    details_gather(r, said, &d);
    const chart_node *things = node_things(said, 0);
    lexicon_verb verb = verb_state(r, said);
    bool done = false;
    if (state_is_denied(r, said)) return clause_not(r, said);
    bool bare = !chart_child(said, "$be") && !chart_child(said, "$want");
    etna_code code = bare ? clause_orders(r, said, things, &d, &done) : ETNA_OK;
    if (code == ETNA_OK && !done && bare) code = clause_settings(r, said, things, &done);
    if (code != ETNA_OK || done) return code;
    if (state_asks_nothing(&d, said)) {
        if (!d.too && coverage_is_request(r, said))
            return reader_refuse(r, CODE_UNREAD, said, "\"%s\" is not understood", reader_said(r, said));
        builtin_set about;
        refer_scope scope = refer_scope_movers();
        reader before = *r;
        code = refer_things(r, things, &scope, &about);
        if (code == ETNA_E_INPUT && !d.too) return code;
        if (code == ETNA_E_INPUT) *r = before;
        if (code == ETNA_OK) r->memory.last = r->memory.named = about;
        r->cost += d.too ? 5 : 60;
        return ETNA_OK;
    }
    return clause_dispatch(r, said, verb, things, &d);
}

static etna_code clause_do(reader *r, const chart_node *said)
{
    details d = {0};
    details_gather(r, said, &d);
    const chart_node *word = chart_child(said, "$verb");
    lexicon_verb verb = word ? (lexicon_verb)word->value : VERB_PUT;
    const chart_node *things = node_things(said, 0);
    bool alone = said->first > 0 || said->end == r->part->end - r->part->first;
    bool bare = alone && !things && verb == VERB_PUT && !details_have_places(&d) && said->end - said->first <= 2;
    if (bare && r->memory.taken.count == 0) {
        r->cost += 80; /* "Lean ...", "I want to sit there": nothing is to be moved by it */
        return ETNA_OK;
    }
    etna_code code = clause_dispatch(r, said, verb, things, &d);
    if (code == ETNA_OK && verb != VERB_KEEP && verb != VERB_ROOM) r->memory.verb = verb;
    return code;
}

/* "Do not touch the vase." Nothing is asked; anything else that is forbidden is not understood. */
static etna_code clause_not(reader *r, const chart_node *said)
{
    return reader_refuse(r, CODE_UNREAD, said, "\"%s\": what not to do and conditions are not understood",
                         reader_said(r, said));
}

static etna_code clause_introduce(reader *r, const chart_node *said)
{
    if (coverage_is_request(r, said)) return clause_not(r, said);
    builtin_set about;
    refer_scope scope = refer_scope_movers();
    etna_code code = refer_things(r, node_things(said, 0), &scope, &about);
    if (code != ETNA_OK) return code;
    const double lead = 0.1; /* metres by which the one is farther from there than all others */
    double farthest = -1, second = -1;
    uint32_t best = 0;
    for (uint32_t i = 0; i < about.count; i++) {
        double nearest = INFINITY;
        for (uint32_t k = 0; k < said->child_count && code == ETNA_OK; k++) {
            double way = INFINITY;
            if (node_is(said->children[k], "REL")) code = where_holds(r, said->children[k], about.objects[i], &way);
            nearest = way < nearest ? way : nearest;
        }
        if (nearest > farthest) {
            second = farthest;
            farthest = nearest;
            best = i;
        } else if (nearest > second) {
            second = nearest;
        }
    }
    bool leads = about.count > 0 && farthest > 0 && (isfinite(farthest) ? farthest > second + lead : isfinite(second));
    if (code == ETNA_OK && leads) r->memory.last = r->memory.named = set_one(r, about.objects[best]);
    return code;
}

/* "5 cm closer to the bed; likewise the other one": as far, on its own way there. */
static void shift_again(const reader *r, uint32_t before, builtin_move *m)
{
    double toward[3], along = 0, metres = 0;
    shift_toward(r, before, m->reference, 1, false, toward);
    for (int k = 0; k < 3; k++) {
        along += toward[k] * m->shift[k];
        metres += m->shift[k] * m->shift[k];
    }
    shift_toward(r, m->objects.objects[0], m->reference, sqrt(metres), along < 0, m->shift);
}

/* "Likewise the other one": what was asked before, of that. */
static etna_code clause_likewise(reader *r, const chart_node *said, const chart_node *things, bool *ret_done)
{
    *ret_done = false;
    if (r->reading->count == r->first_move) return ETNA_OK;
    builtin_move m = r->reading->moves[r->reading->count - 1];
    refer_scope movers = refer_scope_movers();
    reader_span(r, said, m.span);
    if (m.row_count || m.relation == RELATION_SWAP) return ETNA_OK;
    const uint32_t before = m.objects.objects[0];
    etna_code code = refer_things(r, things, &movers, &m.objects);
    const bool vector = m.relation == RELATION_SHIFT && m.reference < r->facts->object_count;
    if (code == ETNA_OK && vector) shift_again(r, before, &m);
    if (code == ETNA_OK) code = move_add(r, &m);
    if (code != ETNA_OK) return code;
    r->memory.last = r->memory.named = m.objects;
    *ret_done = true;
    return ETNA_OK;
}

/* "..., then the other one". */
static etna_code clause_again(reader *r, const chart_node *said, const chart_node *things, bool *ret_done)
{
    *ret_done = false;
    return node_says(things, "$quant", BIT(DET_OTHER)) ? clause_likewise(r, said, things, ret_done) : ETNA_OK;
}

etna_code clause_read(reader *r, const chart_node *said)
{
    const uint32_t first_move = r->reading->count;
    const chart_node *cannot = chart_child(said, "CANNOT");
    if (cannot)
        return reader_refuse(r, CODE_IMPOSSIBLE, cannot, "\"%s\": things stay upright and in the scene",
                             reader_said(r, cannot));
    if (node_is(said, "DO") || node_is(said, "STATE")) {
        etna_code code = node_is(said, "DO") ? clause_do(r, said) : clause_state(r, said);
        if (code == ETNA_OK) code = coverage_check(r, said, first_move);
        if (code == ETNA_OK) moves_settle(r, first_move);
        return code;
    }
    if (node_is(said, "GIVE")) return clause_give(r, said);
    if (node_is(said, "REMARK")) return clause_introduce(r, said); /* "the tin is lonely": it is spoken of next */
    if (node_is(said, "NOTDO")) return clause_not(r, said);
    if (node_is(said, "NOTSTATE")) { /* "one chair does not belong to any table": it is spoken of next */
        etna_code code = clause_introduce(r, said);
        r->cost += 30;
        return code;
    }
    if (node_is(said, "LIKEWISE")) {
        bool done = false;
        etna_code code = clause_likewise(r, said, node_things(said, 0), &done);
        if (code == ETNA_OK && !done)
            return reader_refuse(r, CODE_UNREAD, said, "\"%s\" is not understood", reader_said(r, said));
        return code;
    }
    if (node_is(said, "LIST")) {
        details d = {0};
        bool done = false;
        const chart_node *things = node_things(said, 0);
        bool again = phrase_is_pronoun(things, PRON_THEM) && r->memory.last.count > 1;
        if (again) return ETNA_OK; /* "... all of them" */
        const chart_node *number =
            node_is(things, "THING") && !chart_child(things, "CORE") ? chart_find(things, "$num") : NULL;
        bool counted = number && number->value == 1000 * r->memory.last.count && phrase_is_plural(r, things);
        if (counted) return ETNA_OK; /* "..., all three" */
        etna_code code = clause_orders(r, said, things, &d, &done);
        if (code == ETNA_OK && !done) code = clause_settings(r, said, things, &done);
        if (code == ETNA_OK && !done) code = clause_again(r, said, things, &done);
        if (code == ETNA_OK && !done)
            return reader_refuse(r, CODE_UNREAD, said, "\"%s\": it does not say what to do with that",
                                 reader_said(r, said));
        return code;
    }
    return reader_refuse(r, CODE_UNREAD, said, "\"%s\" is not understood", reader_said(r, said));
}
