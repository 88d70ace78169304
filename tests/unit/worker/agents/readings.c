/* Wanted readings are parsed to ranges and sets, so that "20 to 30 cm" or
 * "either wall" can be said; what a reader makes of it is compared field by
 * field. Places for one thing are a set of conditions: which of them is the
 * move's own relation and which stand beside it, is the reader's affair. */
#include "tests/unit/worker/agents/readings_internal.h"
#include "worker/builtin/relation.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* things of all moves that were read */
enum {
    GOT_MAX = 256
};

static const double NEAR = 0.05; /* metres */
static const double TURNED_BY =
    45; /* degrees: "left" is the picture's, or the room's nearest to it */

static bool within(double value, range r)
{
    double slack = 1e-3 + 0.02 * fabs(value);
    return value >= r.low - slack && value <= r.high + slack;
}

static bool is_among(uint32_t object, const names *list)
{
    if (list->any)
        return true;
    for (uint32_t i = 0; i < list->count; i++) {
        if (list->objects[i] == object)
            return true;
    }
    return false;
}

static bool is_set(const builtin_set *set, const names *list)
{
    bool same = list->any || set->count == list->count;
    for (uint32_t i = 0; same && i < set->count; i++)
        same = is_among(set->objects[i], list);
    return same;
}

static bool fits(double turn, const condition *wanted)
{
    double within_half = remainder(turn, 360);
    if (!wanted->turn_count)
        return true;
    for (uint32_t i = 0; i < wanted->turn_count; i++) {
        for (int k = -1; k <= 1; k++) {
            if (within(within_half + 360 * k, wanted->turns[i]))
                return true;
        }
    }
    return false;
}

typedef struct spoken { /* one condition of what was read */
    uint64_t relation;
    uint32_t reference, second;
    double turn;
} spoken;

static bool condition_fits(const spoken *got, const condition *wanted)
{
    if (!(got->relation & wanted->relations))
        return false;
    if (got->relation == (uint64_t)1 << RELATION_TURN)
        return fits(got->turn, wanted);
    bool seated = got->relation == (uint64_t)1 << RELATION_SETTING;
    bool none = !wanted->references.count && !wanted->references.any;
    if (none)
        return got->reference == BUILTIN_NONE || seated;
    if (seated && !wanted->seconds.count)
        return is_among(got->reference, &wanted->references);
    if (!wanted->seconds.count)
        return got->second == BUILTIN_NONE &&
               is_among(got->reference, &wanted->references);
    bool straight = is_among(got->reference, &wanted->references) &&
                    is_among(got->second, &wanted->seconds);
    bool crossed = is_among(got->second, &wanted->references) &&
                   is_among(got->reference, &wanted->seconds);
    return straight || (crossed && !seated);
}

/* A present field is asked for, a missing one is not needed. */
static bool state_fits(need wanted, bool present, bool same)
{
    return present ? wanted != NEED_NONE && same : wanted != NEED_ALWAYS;
}

/* An end is a side of the thing's own frame; the rows speak of the picture. The
 * picture's side (a bit) of an own one. */
static unsigned side_in_picture(const builtin_facts *facts,
                                uint32_t object,
                                unsigned side)
{
    double right[2], away[2];
    const double *heading = facts->objects[object].heading;
    const bool lengthwise = side & (SIDE_FRONT | SIDE_BACK);
    const double sign = side & (SIDE_BACK | SIDE_RIGHT) ? -1 : 1;
    const double way[2] = {sign * (lengthwise ? heading[0] : -heading[1]),
                           sign * (lengthwise ? heading[1] : heading[0])};
    builtin_picture_axes(facts, right, away);
    const double across = way[0] * right[0] + way[1] * right[1],
                 along = way[0] * away[0] + way[1] * away[1];
    if (fabs(across) >= fabs(along))
        return across > 0 ? SIDE_RIGHT : SIDE_LEFT;
    return along > 0 ? SIDE_BACK : SIDE_FRONT;
}

/* What the move's own relation is called: "at the left end of" is to the left
 * of it, too. */
static uint64_t relations_spoken(const builtin_facts *facts,
                                 const builtin_move *move)
{
    const uint64_t own = (uint64_t)1 << move->relation;
    if (move->relation != RELATION_END || !move->sides ||
        move->reference >= facts->object_count)
        return own;
    switch (side_in_picture(facts, move->reference, move->sides)) {
    case SIDE_LEFT: return own | (uint64_t)1 << RELATION_LEFT;
    case SIDE_RIGHT: return own | (uint64_t)1 << RELATION_RIGHT;
    case SIDE_FRONT: return own | (uint64_t)1 << RELATION_FRONT;
    default: return own | (uint64_t)1 << RELATION_BEHIND;
    }
}

static bool sides_fit(const builtin_facts *facts,
                      const builtin_move *move,
                      unsigned sides,
                      const place *wanted)
{
    bool end = move->relation == RELATION_END && move->sides &&
               move->reference < facts->object_count;
    if (end && wanted->sides == NEED_NONE)
        return true; /* the relation has told it */
    bool same = sides == wanted->side_mask;
    same = same || (end && side_in_picture(facts, move->reference,
                                           move->sides) == wanted->side_mask);
    return state_fits(wanted->sides, sides != 0, same);
}

static uint32_t spoken_of(const builtin_facts *facts,
                          const builtin_move *move,
                          spoken *ret)
{
    uint32_t count = 0;
    bool row = move->relation == RELATION_LINE ||
               move->relation == RELATION_SHIFT ||
               move->relation == RELATION_AT;
    const uint64_t relations = relations_spoken(facts, move);
    ret[count++] = (spoken){relations, row ? BUILTIN_NONE : move->reference,
                            move->second, move->turn};
    if (move->relation == RELATION_LINE && move->reference != BUILTIN_NONE)
        ret[count++] = (spoken){(uint64_t)1 << RELATION_ALONG, move->reference,
                                BUILTIN_NONE, 0};
    for (uint32_t i = 0; i < move->also_count && count < CONDITIONS_MAX; i++) {
        const builtin_condition *also = &move->also[i];
        const uint64_t relation = (uint64_t)1 << also->relation;
        ret[count++] =
            (spoken){also->denied ? relation << RELATIONS_DENIED : relation,
                     also->reference, also->second, 0};
    }
    if (move->support != BUILTIN_NONE && count < CONDITIONS_MAX)
        ret[count++] = (spoken){(uint64_t)1 << RELATION_ON, move->support,
                                BUILTIN_NONE, 0};
    return count;
}

/* Standing on `by` goes without saying where the thing, or what it is put to,
 * stands there. */
static bool goes_without_saying(const builtin_facts *facts,
                                uint32_t by,
                                uint32_t thing,
                                const spoken *got,
                                uint32_t count)
{
    if (by >= facts->object_count)
        return false;
    if (facts->objects[by].is_static || builtin_stands_on(facts, thing, by))
        return true;
    for (uint32_t i = 0; i < count; i++) {
        bool known = got[i].reference < facts->object_count;
        if (known && builtin_is_above(facts, got[i].reference, by))
            return true;
    }
    return false;
}

static bool conditions_fit(const builtin_facts *facts,
                           const builtin_move *move,
                           uint32_t thing,
                           const place *wanted)
{
    const uint64_t on = (uint64_t)1 << RELATION_ON;
    spoken got[CONDITIONS_MAX + 1];
    bool used[CONDITIONS_MAX + 1] = {false};
    uint32_t count = spoken_of(facts, move, got),
             from = move->each.count ? 1 : 0;
    bool each_fits = false;
    if (from) { /* `each` takes the place of the reference */
        spoken first = got[0];
        bool seat = move->relation == RELATION_SETTING;
        first.reference = seat ? move->reference : BUILTIN_NONE;
        first.second = BUILTIN_NONE;
        each_fits = condition_fits(&first, &wanted->conditions[0]);
        if (!each_fits)
            return false;
    }
    for (uint32_t k = from; k < wanted->condition_count; k++) {
        const condition *c = &wanted->conditions[k];
        bool met = false;
        for (uint32_t i = from; !met && i < count; i++) {
            met = !used[i] && condition_fits(&got[i], c);
            if (met)
                used[i] = true;
        }
        bool implied = (c->relations & on) && c->references.count == 1 &&
                       goes_without_saying(facts, c->references.objects[0],
                                           thing, got, count);
        if (!met && !c->optional && !implied)
            return false;
    }
    for (uint32_t i = from; i < count; i++) {
        bool extra =
            i > 0 && got[i].relation == on &&
            goes_without_saying(facts, got[i].reference, thing, got, i);
        if (!used[i] && !extra)
            return false;
    }
    return true;
}

static bool unit_of(const builtin_facts *facts,
                    const shift_part *part,
                    uint32_t thing,
                    uint32_t of,
                    bool nearest,
                    double ret[3])
{
    const char *d = part->direction;
    const double *right = facts->right, *forward = facts->forward;
    ret[0] = ret[1] = ret[2] = 0;
    if (strcmp(d, "up") == 0 || strcmp(d, "down") == 0) {
        ret[2] = d[0] == 'u' ? 1 : -1;
        return true;
    }
    double sign = strcmp(d, "left") == 0 || strcmp(d, "front") == 0 ||
                          strcmp(d, "away") == 0
                      ? -1
                      : 1;
    const double *along =
        strcmp(d, "left") == 0 || strcmp(d, "right") == 0 ? right : forward;
    double x = along[0], y = along[1];
    if (part->of.count) {
        const builtin_object *from = &facts->objects[thing];
        const double *to =
            of == BUILTIN_CAMERA ? facts->position : facts->objects[of].centre;
        x = to[0] - from->centre[0];
        y = to[1] - from->centre[1];
        /* to the nearest point of its box */
        if (nearest && of != BUILTIN_CAMERA) {
            const builtin_object *o = &facts->objects[of];
            double u[2] = {o->heading[1], -o->heading[0]},
                   v[2] = {o->heading[0], o->heading[1]};
            double p =
                fmin(fmax(-(x * u[0] + y * u[1]), -o->half[0]), o->half[0]);
            double q =
                fmin(fmax(-(x * v[0] + y * v[1]), -o->half[1]), o->half[1]);
            x += p * u[0] + q * v[0];
            y += p * u[1] + q * v[1];
        }
    }
    double length = sqrt(x * x + y * y);
    if (length < 1e-9)
        return false;
    ret[0] = sign * x / length;
    ret[1] = sign * y / length;
    return true;
}

static bool shift_fits_to(const builtin_facts *facts,
                          const builtin_move *move,
                          uint32_t thing,
                          const place *wanted,
                          uint32_t of,
                          bool nearest)
{
    double low[3] = {0}, sum[3] = {0};
    for (uint32_t i = 0; i < wanted->part_count; i++) {
        const shift_part *part = &wanted->parts[i];
        double unit[3], metres = (part->metres.low + part->metres.high) / 2;
        if (!unit_of(facts, part, thing, of, nearest, unit))
            return false;
        for (int k = 0; k < 3; k++)
            sum[k] += metres * unit[k];
        for (int k = 0; k < 3; k++)
            low[k] += part->metres.low * unit[k];
    }
    double ask = 0, least = 0, got = 0, dot = 0;
    for (int k = 0; k < 3; k++) {
        ask += sum[k] * sum[k];
        least += low[k] * low[k];
        got += move->shift[k] * move->shift[k];
        dot += sum[k] * move->shift[k];
    }
    ask = sqrt(ask);
    least = sqrt(least);
    got = sqrt(got);
    if (got < 1e-9 || !within(got, (range){least, 2 * ask - least}))
        return false;
    return dot / (ask * got) >= cos(TURNED_BY * 3.14159265358979 / 180);
}

static bool shift_fits(const builtin_facts *facts,
                       const builtin_move *move,
                       uint32_t thing,
                       const place *wanted)
{
    const names *of = &wanted->parts[0].of;
    for (uint32_t i = 0; i < (of->count ? of->count : 1); i++) {
        uint32_t to = of->count ? of->objects[i] : BUILTIN_NONE;
        if (shift_fits_to(facts, move, thing, wanted, to, false) ||
            shift_fits_to(facts, move, thing, wanted, to, true))
            return true;
    }
    return false;
}

static bool row_fits(const builtin_move *move,
                     const place *wanted,
                     const names *things)
{
    bool same = move->row_count == things->count;
    for (uint32_t i = 0; same && i < things->count; i++)
        same = move->row[i] == things->objects[i];
    if (wanted->order == NEED_ALWAYS && !same)
        return false;
    if (wanted->order == NEED_MAYBE && move->row_count && !same)
        return false;
    bool ended = wanted->top == NEED_ALWAYS || wanted->bottom == NEED_ALWAYS;
    if (!ended)
        return true;
    return move->row_count > 0 &&
           is_among(wanted->top ? move->row[move->row_count - 1] : move->row[0],
                    &wanted->end);
}

/* Eye level: the middle of it 1.2 to 1.8 m up, or as high as something else
 * that hangs. */
static bool is_at_eyes(const builtin_move *move)
{
    return move->relation == RELATION_AT &&
           within(move->at[2], (range){1.2, 1.8});
}

static double first_gap(const builtin_move *move)
{
    double gap = move->gap;
    for (uint32_t i = 0; gap < 0 && i < move->also_count; i++)
        gap = move->also[i].gap;
    return gap;
}

static bool place_fits(const builtin_facts *facts,
                       const builtin_move *move,
                       uint32_t thing,
                       const wanted_move *wanted)
{
    const place *w = &wanted->where;
    double gap = first_gap(move);
    unsigned sides = move->sides;
    for (uint32_t i = 0; i < move->also_count; i++)
        sides |= move->also[i].sides;
    bool at = move->relation == RELATION_AT,
         seated = move->relation == RELATION_SETTING;
    bool at_fits = true;
    for (int k = 0; k < 3; k++)
        at_fits = at_fits && within(move->at[k], w->at_range[k]);
    double yaw = remainder(move->yaw_deg, 360);
    bool yaw_fits = within(yaw, w->yaw_range) ||
                    within(yaw + 360, w->yaw_range) ||
                    within(yaw - 360, w->yaw_range);
    bool faced = is_among(move->faced, &w->faced) &&
                 (w->faced.any || (move->facing == FACING_BACK) == w->backed);
    if (!conditions_fit(facts, move, thing, w))
        return false;
    /* that is what "at" and "by" say */
    bool near = move->relation == RELATION_BESIDE && gap <= NEAR;
    bool gapped = gap >= 0 && move->relation != RELATION_SHIFT &&
                  (!near || w->gap == NEED_ALWAYS);
    if (!state_fits(w->gap, gapped, within(gap, w->gap_range)))
        return false;
    if (!sides_fit(facts, move, sides, w))
        return false;
    if (!state_fits(w->level, move->level != 0,
                    within(move->level, w->level_range)))
        return false;
    bool leans = move->relation == RELATION_AGAINST &&
                 move->facing == FACING_BACK && move->faced == move->reference;
    bool facing =
        move->facing != FACING_NONE && (!leans || w->facing == NEED_ALWAYS);
    if (!state_fits(w->facing, facing, faced))
        return false;
    if (move->relation == RELATION_SHIFT && !shift_fits(facts, move, thing, w))
        return false;
    if (w->eye && at && !is_at_eyes(move))
        return false;
    if (!w->eye && !state_fits(w->at, at, at_fits))
        return false;
    if (!state_fits(w->yaw, at && move->has_yaw, yaw_fits))
        return false;
    if (w->even == NEED_ALWAYS && !move->even)
        return false;
    if (!state_fits(w->alone, move->alone, true))
        return false;
    bool spaced = move->relation == RELATION_LINE && move->spacing > 0;
    if (!state_fits(w->spacing, spaced,
                    within(move->spacing, w->spacing_range)))
        return false;
    if (w->slot == NEED_ALWAYS && (!seated || move->slot != w->slot_wanted))
        return false;
    if (!state_fits(w->each, move->each.count != 0,
                    is_set(&move->each, &w->each_of)))
        return false;
    if (!state_fits(w->per, move->each_number > 1,
                    within(move->each_number, w->per_range)))
        return false;
    bool aligned = move->align != ALIGN_NONE;
    if (!w->eye &&
        !state_fits(w->align, aligned, (w->align_mask >> move->align & 1) != 0))
        return false;
    return row_fits(move, w, &wanted->things);
}

static bool take_one(const builtin_facts *facts,
                     const builtin_move *move,
                     uint32_t thing,
                     wanted_move *wanted,
                     uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        wanted_move *w = &wanted[i];
        for (uint32_t k = 0; k < w->things.count; k++) {
            bool open = !w->matched[k] && (!w->need || w->met < w->need);
            if (!open || w->things.objects[k] != thing ||
                !place_fits(facts, move, thing, w))
                continue;
            w->matched[k] = true;
            w->met++;
            return true;
        }
    }
    return false;
}

static bool take_some(const builtin_facts *facts,
                      const builtin_move *move,
                      wanted_move *wanted,
                      uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        wanted_move *w = &wanted[i];
        bool same = w->need == move->objects.need && !w->met &&
                    is_set(&move->objects, &w->things);
        if (!same || !place_fits(facts, move, move->objects.objects[0], w))
            continue;
        w->met = w->need;
        return true;
    }
    return false;
}

static bool take_swap(const builtin_facts *facts,
                      const builtin_move *move,
                      wanted_move *wanted,
                      uint32_t count)
{
    builtin_move turned = *move;
    uint32_t thing = move->objects.objects[0];
    turned.reference = thing;
    return take_one(facts, &turned, move->reference, wanted, count);
}

static bool take_move(const builtin_facts *facts,
                      const builtin_move *move,
                      wanted_move *wanted,
                      uint32_t count)
{
    if (move->objects.need != move->objects.count)
        return take_some(facts, move, wanted, count);
    for (uint32_t k = 0; k < move->objects.count; k++) {
        bool taken =
            take_one(facts, move, move->objects.objects[k], wanted, count);
        bool swapped = !taken && move->relation == RELATION_SWAP &&
                       take_swap(facts, move, wanted, count);
        if (!taken && !swapped)
            return false;
    }
    return true;
}

static bool all_met(const wanted_move *wanted, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const wanted_move *w = &wanted[i];
        if (w->optional && !w->met)
            continue;
        if (w->need && w->met < w->need)
            return false;
        for (uint32_t k = 0; !w->need && k < w->things.count; k++) {
            if (!w->matched[k] && !w->maybe[k])
                return false;
        }
    }
    return true;
}

static bool is_one(const builtin_facts *facts,
                   const builtin_reading *reading,
                   char *text)
{
    wanted_move *wanted = calloc(WANTED_MAX, sizeof *wanted);
    if (!wanted)
        fail_msg("out of memory");
    uint32_t count = readings_parse(facts, text, wanted);
    bool same = reading != NULL;
    for (uint32_t i = 0; same && i < reading->count; i++)
        same = take_move(facts, &reading->moves[i], wanted, count);
    same = same && all_met(wanted, count);
    free(wanted);
    return same;
}

static bool is_code(const char *text)
{
    static const char *const codes[] = {"unknown", "ambiguous", "impossible",
                                        "unread", "no_place"};
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        if (strcmp(text, codes[i]) == 0)
            return true;
    }
    return false;
}

bool readings_match(const builtin_facts *facts,
                    const builtin_reading *reading,
                    const char *wanted)
{
    char copy[TEXT_MAX], *rest = copy;
    bool fits = false;
    if (snprintf(copy, sizeof copy, "%s", wanted) >= (int)sizeof copy)
        fail_msg("too long: %s", wanted);
    for (char *one = readings_piece(&rest, "||"); one;
         one = readings_piece(&rest, "||")) {
        if (one[0] == '!') {
            if (!is_code(readings_trim(one + 1)))
                fail_msg("'%s' is no code", one);
            fits = fits || !reading;
            continue;
        }
        bool same = is_one(facts, reading, one);
        fits = fits || same;
    }
    return fits;
}

bool readings_refused(const char *wanted)
{
    char copy[TEXT_MAX], *rest = copy;
    bool all = true;
    snprintf(copy, sizeof copy, "%s", wanted);
    for (char *one = readings_piece(&rest, "||"); one;
         one = readings_piece(&rest, "||"))
        all = all && one[0] == '!';
    return all;
}

bool readings_has_code(const char *wanted, const char *code)
{
    char copy[TEXT_MAX], *rest = copy;
    bool found = false;
    snprintf(copy, sizeof copy, "%s", wanted);
    for (char *one = readings_piece(&rest, "||"); code && one;
         one = readings_piece(&rest, "||"))
        found = found ||
                (one[0] == '!' && strcmp(readings_trim(one + 1), code) == 0);
    return found;
}
