/* One clause -> moves, by the kind of its verb. */
#include "worker/model/builtin_clause_own.h"

etna_code clause_find_marks(reader *r, clause *c)
{
    c->things_end = c->end;
    for (uint32_t i = c->first; i < c->end;) {
        builtin_mark mark;
        bool nearest = i > c->first && (is_word(r, i - 1, "nearest") ||
                                        is_word(r, i - 1, "closest")); /* "closest to": which one, not where to */
        if (nearest || !mark_at(r, i, c->end, &mark)) {
            i++;
            continue;
        }
        bool over = mark.relation == RELATION_ABOVE &&
                    is_word(r, mark.end - 1, "over"); /* a cloth goes over a table by lying on it */
        bool hangs = c->verb == VERB_HANG || (mark.end > i + 1 && is_word(r, mark.end - 2, "hangs"));
        if (over && !hangs) return reader_refuse(r, i, c->end, "whether on it or above it is not clear");
        if (c->mark_count == 0) c->things_end = i;
        if (c->mark_count == MARKS_MAX) return reader_refuse(r, c->start, c->end, "it says \"on\" too often");
        c->marks[c->mark_count++] = mark;
        i = mark.end;
    }
    return ETNA_OK;
}

static etna_code add_move(reader *r, const builtin_move *move)
{
    if (r->reading->count == BUILTIN_MOVES_MAX)
        return etna_fail(r->err, ETNA_E_INPUT, "it asks for more than %d moves", BUILTIN_MOVES_MAX);
    r->reading->moves[r->reading->count++] = *move;
    r->last = move->objects;
    r->last_reference = move->reference;
    r->last_relation = move->relation;
    r->taken = false;
    return ETNA_OK;
}

/* An order by size is over all things of a clause: its sets become one. Sets of which only some are meant stay apart. */
static etna_code merge_sets(reader *r, builtin_set *sets, uint32_t *count)
{
    uint32_t total = 0, used = 0;
    for (uint32_t i = 0; i < *count; i++) {
        if (sets[i].need != sets[i].count) return ETNA_OK;
        total += sets[i].count;
    }
    uint32_t *all = etna_arena_alloc(r->arena, total, sizeof *all);
    if (!all) return etna_fail(r->err, ETNA_E_NOMEM, "out of memory while reading an instruction");
    for (uint32_t i = 0; i < *count; i++) {
        for (uint32_t k = 0; k < sets[i].count; k++) {
            uint32_t object = sets[i].objects[k], at = used;
            while (at > 0 && all[at - 1] > object) at--;
            if (at > 0 && all[at - 1] == object) continue;
            memmove(all + at + 1, all + at, (used - at) * sizeof *all);
            all[at] = object;
            used++;
        }
    }
    sets[0] = (builtin_set){.count = used, .objects = all, .need = used};
    *count = 1;
    return ETNA_OK;
}

etna_code clause_add_moves(reader *r, const clause *c, builtin_set *sets, uint32_t set_count, const builtin_move *like)
{
    etna_code code = ETNA_OK;
    if (c->order != ORDER_AS_SAID || like->relation == RELATION_LINE) code = merge_sets(r, sets, &set_count);
    for (uint32_t i = 0; code == ETNA_OK && i < set_count; i++) {
        builtin_move move = *like;
        move.objects = sets[i];
        for (uint32_t k = 0; k < sets[i].count && sets[i].count == sets[i].need; k++) {
            if (sets[i].objects[k] == move.reference || sets[i].objects[k] == move.second) {
                return reader_refuse(r, c->start, c->end, "a thing cannot be placed by itself");
            }
        }
        code = add_move(r, &move);
    }
    if (code == ETNA_OK && set_count > 1) { /* "them" is all of these */
        uint32_t total = 0, used = 0;
        for (uint32_t i = 0; i < set_count; i++) total += sets[i].count;
        uint32_t *all = etna_arena_alloc(r->arena, total, sizeof *all);
        if (!all) return etna_fail(r->err, ETNA_E_NOMEM, "out of memory while reading an instruction");
        for (uint32_t i = 0; i < set_count; i++) {
            for (uint32_t k = 0; k < sets[i].count; k++) all[used++] = sets[i].objects[k];
        }
        r->last = (builtin_set){.count = used, .objects = all, .need = used};
    }
    return code;
}

builtin_move clause_plain_move(const clause *c)
{
    return (builtin_move){.reference = BUILTIN_NONE,
                          .second = BUILTIN_NONE,
                          .support = BUILTIN_NONE,
                          .faced = BUILTIN_NONE,
                          .gap = -1,
                          .order = c->order,
                          .hung = c->verb == VERB_HANG};
}

/* "Pick up the bowl on the cabinet and set it in the shelf": the first place is where it stands now. */
static bool is_taken_up(const reader *r, const clause *c, uint32_t k)
{
    uint32_t next = reader_skip_fillers(r, c->end);
    bool goes_on =
        next < r->count && reader_is_verb(r, next) && (is_word(r, next + 1, "it") || is_word(r, next + 1, "them"));
    return c->verb == VERB_TAKE && goes_on && c->marks[k].relation == RELATION_ON && !c->marks[k].bare_to &&
           is_word(r, c->marks[k].first, "on");
}

/* Which marks of a clause say what; BUILTIN_NONE: none does. */
typedef struct put_marks {
    uint32_t places[2], place_count, origin, facing;
} put_marks;

static etna_code sort_marks(const reader *r, const clause *c, put_marks *ret)
{
    *ret = (put_marks){.origin = BUILTIN_NONE, .facing = BUILTIN_NONE};
    for (uint32_t k = 0; k < c->mark_count; k++) {
        bool place = c->marks[k].kind == MARK_RELATION;
        if (c->marks[k].kind == MARK_FACING)
            ret->facing = k;
        else if (c->marks[k].kind == MARK_ORIGIN && ret->origin == BUILTIN_NONE)
            ret->origin = k;
        else if (!place)
            return reader_refuse(r, c->start, c->end, "it says \"from\" too often");
        if (place && ret->place_count < 2) ret->places[ret->place_count] = k;
        ret->place_count += place;
    }
    return ret->place_count > 2 ? reader_refuse(r, c->start, c->end, "it says \"on\" too often") : ETNA_OK;
}

/* "From the table": what the things stand on. */
static etna_code read_origin(reader *r, const clause *c, const put_marks *marks, uint32_t *ret)
{
    const builtin_mark *mark = &c->marks[marks->origin];
    r->clearing = true; /* it bears what leaves it */
    etna_code code =
        clause_reference(r, mark->end, clause_argument_end(c, marks->origin), NULL, 0, BUILTIN_NONE, true, ret);
    r->clearing = false;
    if (code != ETNA_OK) return code;
    r->on_level = r->level;
    bool leaves = c->verb == VERB_TAKE || !is_word(r, mark->first, "from");
    return marks->place_count == 0 && !leaves
               ? reader_refuse(r, mark->first, c->end, "it is not clear what is to stand on what")
               : ETNA_OK;
}

static bool names_several(const reader *r, uint32_t first, uint32_t end)
{
    for (uint32_t i = first + 1; i + 1 < end; i++) {
        if (is_conjunction(r, i)) return true;
    }
    return false;
}

/* "The lids off the teapot and the sugar cup": of each what stands on it. */
static etna_code read_origins(reader *r, const clause *c, const put_marks *marks, builtin_set sets[PHRASES_MAX],
                              uint32_t bases[PHRASES_MAX], uint32_t *ret_count)
{
    builtin_phrase phrases[PHRASES_MAX];
    uint32_t first = c->marks[marks->origin].end, end = clause_argument_end(c, marks->origin),
             count = clause_cut(r, first, end, false, phrases);
    etna_code code = ETNA_OK;
    *ret_count = 0;
    for (uint32_t i = 0; code == ETNA_OK && i < count; i++) {
        builtin_set own[PHRASES_MAX];
        uint32_t base = BUILTIN_NONE, own_count = 0;
        r->clearing = true;
        code = clause_reference(r, phrases[i].first, phrases[i].end, NULL, 0, BUILTIN_NONE, true, &base);
        r->clearing = false;
        r->on_level = r->level;
        if (code == ETNA_OK) code = clause_things(r, c->first, c->things_end, base, false, own, &own_count);
        for (uint32_t k = 0; code == ETNA_OK && k < own_count; k++) {
            if (*ret_count == PHRASES_MAX) return reader_refuse(r, first, end, "it names too many things");
            bases[*ret_count] = base;
            sets[(*ret_count)++] = own[k];
        }
    }
    r->on_level = 0;
    return code;
}

/* From each of several: somewhere else, or all to the one place that is said here or in the next clause. */
static etna_code put_from_several(reader *r, const clause *c, const put_marks *marks, bool goes_on)
{
    builtin_set sets[PHRASES_MAX];
    uint32_t bases[PHRASES_MAX], count = 0;
    builtin_move move = clause_plain_move(c);
    etna_code code = read_origins(r, c, marks, sets, bases, &count);
    if (code == ETNA_OK && marks->place_count == 1) {
        code = clause_place(r, c, marks->places[0], sets, count, BUILTIN_NONE, &move);
        return code == ETNA_OK ? clause_add_moves(r, c, sets, count, &move) : code;
    }
    move.relation = RELATION_OFF;
    for (uint32_t i = 0; code == ETNA_OK && i < count && !goes_on; i++) {
        move.reference = bases[i];
        code = clause_add_moves(r, c, &sets[i], 1, &move);
    }
    uint32_t *all = NULL, total = 0;
    if (code == ETNA_OK) code = clause_flatten(r, c, sets, count, &all, &total);
    if (code != ETNA_OK) return code;
    r->last = (builtin_set){.count = total, .objects = all, .need = total}; /* "them" */
    r->taken = goes_on;
    r->taken_at = c->start;
    return ETNA_OK;
}

/* Things and place where at most one mark says a place. */
static etna_code read_put(reader *r, const clause *c, put_marks *marks, uint32_t *on, builtin_set *sets,
                          uint32_t *set_count, builtin_move *move)
{
    if (marks->place_count == 2) return clause_two_places(r, c, marks->places, *on, sets, set_count, move);
    etna_code code = ETNA_OK;
    bool said = marks->place_count == 1 && (c->marks[marks->places[0]].is_said || is_taken_up(r, c, marks->places[0]));
    if (said && c->verb == VERB_TAKE) { /* "take what is on the book" */
        code = clause_reference(r, c->marks[marks->places[0]].end, clause_argument_end(c, marks->places[0]), NULL, 0,
                                BUILTIN_NONE, true, on);
        r->on_level = r->level;
        marks->place_count = 0;
    }
    if (code == ETNA_OK) code = clause_things(r, c->first, c->things_end, *on, false, sets, set_count);
    if (code == ETNA_OK && marks->place_count == 1)
        code = clause_place(r, c, marks->places[0], sets, *set_count, BUILTIN_NONE, move);
    return code;
}

/* Does the sentence go on with where to ("and stand it beside the plant") what this clause only takes away? */
static bool place_follows(const reader *r, const clause *c)
{
    bool follows = reader_is_verb(r, reader_skip_fillers(r, c->end)) || reader_is_verb(r, c->end + 1);
    if (!follows || c->verb != VERB_TAKE) return follows;
    uint32_t next = reader_is_verb(r, c->end + 1) ? c->end + 2 : reader_skip_fillers(r, c->end) + 1;
    return is_word(r, next, "it") || is_word(r, next, "them");
}

/* Putting: the common clause. */
etna_code clause_put(reader *r, clause *c)
{
    put_marks marks;
    uint32_t on = BUILTIN_NONE, set_count = 0;
    builtin_set sets[PHRASES_MAX];
    builtin_move move = clause_plain_move(c);
    move.goes = r->moving;
    etna_code code = sort_marks(r, c, &marks);
    if (code == ETNA_OK && marks.origin != BUILTIN_NONE && marks.facing == BUILTIN_NONE && marks.place_count < 2 &&
        (c->verb == VERB_TAKE || marks.place_count == 1) &&
        names_several(r, c->marks[marks.origin].end, clause_argument_end(c, marks.origin)))
        return put_from_several(r, c, &marks, place_follows(r, c));
    if (code == ETNA_OK && marks.origin != BUILTIN_NONE) code = read_origin(r, c, &marks, &on);
    if (code == ETNA_OK) code = read_put(r, c, &marks, &on, sets, &set_count, &move);
    if (code != ETNA_OK) return code;
    if (marks.place_count == 0 && marks.origin != BUILTIN_NONE) {
        move.relation = RELATION_OFF;
        move.reference = on;
        move.level = r->on_level;
        if (!place_follows(r, c)) return clause_add_moves(r, c, sets, set_count, &move);
    }
    if (marks.place_count == 0 && marks.facing == BUILTIN_NONE) {
        if (c->verb == VERB_TAKE && set_count == 1) {
            r->last = sets[0];
            r->last_reference = on;
            r->taken = true;
            r->taken_at = c->start;
            return ETNA_OK;
        }
        if (c->first == c->start && r->reading->count > 0) { /* "then the other one": where the one before went */
            builtin_move like = r->reading->moves[r->reading->count - 1];
            return clause_add_moves(r, c, sets, set_count, &like);
        }
        return reader_refuse(r, c->start, c->end, "it does not say on what to put it");
    }
    if (marks.place_count == 0) move.relation = RELATION_TURNED;
    if (marks.facing != BUILTIN_NONE) {
        move.facing = c->marks[marks.facing].facing;
        code = clause_faced(r, c->marks[marks.facing].end, clause_argument_end(c, marks.facing), move.reference,
                            &move.faced);
        if (code != ETNA_OK) return code;
        if (marks.place_count == 0) move.reference = BUILTIN_NONE;
    }
    return clause_add_moves(r, c, sets, set_count, &move);
}

uint32_t clause_skip_positions(const reader *r, uint32_t i)
{
    static const char *const places[] = {"position", "positions", "place", "places", "spots", "locations", NULL};
    uint32_t at = is_word(r, i, "the") ? i + 1 : i;
    return is_one_of(r, at, places) && is_word(r, at + 1, "of") ? at + 2 : i;
}

etna_code clause_swap(reader *r, clause *c)
{
    builtin_set sets[PHRASES_MAX];
    uint32_t set_count = 0, *all = NULL, count = 0;
    etna_code code = clause_things(r, clause_skip_positions(r, c->first), c->end, BUILTIN_NONE, true, sets, &set_count);
    if (code == ETNA_OK) code = clause_flatten(r, c, sets, set_count, &all, &count);
    if (code != ETNA_OK) return code;
    if (count != 2 || all[0] == all[1]) return reader_refuse(r, c->start, c->end, "two things can be swapped");
    builtin_move move = clause_plain_move(c);
    move.relation = RELATION_SWAP;
    move.objects = (builtin_set){.count = 1, .objects = all, .need = 1};
    move.reference = all[1];
    return add_move(r, &move);
}

/* Everything that stands on a thing goes. */
etna_code clause_clear(reader *r, clause *c)
{
    uint32_t first = c->first, end = c->end, base = BUILTIN_NONE, used = 0;
    builtin_mark zone = {0};
    uint32_t top = is_word(r, first, "the") ? first + 1 : first;
    if (is_word(r, top, "top") && is_word(r, top + 1, "of")) first = top + 2;
    clause_possessive(r, &zone, first, &end);
    r->clearing = true;
    etna_code code = clause_reference(r, first, end, NULL, 0, BUILTIN_NONE, true, &base);
    r->clearing = false;
    if (code != ETNA_OK) return code;
    const builtin_object *o = &r->facts->objects[base];
    uint32_t *on = etna_arena_alloc(r->arena, o->on_count, sizeof *on);
    if (!on) return etna_fail(r->err, ETNA_E_NOMEM, "out of memory while reading an instruction");
    for (uint32_t i = 0; i < o->on_count; i++) {
        const builtin_object *thing = &r->facts->objects[o->on[i]];
        if (builtin_off_level(r->facts, base, r->level, thing->centre[2] - thing->half[2]) > 0) continue;
        if (!thing->is_static) on[used++] = o->on[i];
    }
    builtin_move move = clause_plain_move(c);
    move.relation = RELATION_OFF;
    move.reference = base;
    move.level = r->level;
    move.objects = (builtin_set){.count = used, .objects = on, .need = used};
    return add_move(r, &move);
}

static bool carries(const builtin_facts *facts, uint32_t object)
{
    for (uint32_t i = 0; i < facts->surface_count; i++) {
        if (facts->surfaces[i].object == object) return true;
    }
    return false;
}

/* "Stack the boxes": does `a` belong below `b`? What nothing can stand on goes on top, and of others the larger goes
 * below; of things as large as each other, to 2 %, what stands on the base already does. */
static bool belongs_below(const builtin_facts *facts, uint32_t a, uint32_t b, uint32_t base)
{
    if (carries(facts, a) != carries(facts, b)) return carries(facts, a);
    const double *one = facts->objects[a].half, *two = facts->objects[b].half;
    double own = one[0] * one[1], other = two[0] * two[1];
    if (own < 0.98 * other || other < 0.98 * own) return own > other;
    return base < facts->object_count && builtin_is_above(facts, a, base) && !builtin_is_above(facts, b, base);
}

static void order_tower(const builtin_facts *facts, uint32_t *all, uint32_t count, uint32_t base)
{
    for (uint32_t i = 1; i < count; i++) {
        for (uint32_t k = i; k > 0 && belongs_below(facts, all[k], all[k - 1], base); k--) {
            uint32_t swap = all[k];
            all[k] = all[k - 1];
            all[k - 1] = swap;
        }
    }
}

/* One on the other; "stack A, B and C on X", or beside it, begins there, while "pile A and B onto X" says of each only
 * that it is there. */
etna_code clause_stack(reader *r, clause *c)
{
    uint32_t places = 0, at = 0;
    for (uint32_t k = 0; k < c->mark_count; k++) {
        if (c->marks[k].kind != MARK_RELATION) continue;
        places++;
        at = k;
    }
    bool base = places == 1 && c->mark_count == 1 && c->marks[at].relation <= RELATION_EDGE &&
                !is_word(r, c->first - 1, "pile");
    if (places > 0 && !base) return clause_put(r, c);
    builtin_set sets[PHRASES_MAX];
    uint32_t set_count = 0, *all = NULL, count = 0;
    etna_code code = clause_things(r, c->first, c->things_end, BUILTIN_NONE, false, sets, &set_count);
    if (base && (code != ETNA_OK || set_count == 0 || (set_count == 1 && sets[0].count != sets[0].need)))
        return clause_put(r, c);
    if (code == ETNA_OK) code = clause_flatten(r, c, sets, set_count, &all, &count);
    if (code != ETNA_OK) return code;
    if (count < 2)
        return base ? clause_put(r, c) : reader_refuse(r, c->start, c->end, "it does not say on what to put it");
    builtin_move first = clause_plain_move(c);
    if (base) code = clause_place(r, c, at, sets, set_count, BUILTIN_NONE, &first);
    if (code == ETNA_OK && set_count == 1) order_tower(r->facts, all, count, first.reference);
    first.objects = (builtin_set){.count = 1, .objects = &all[0], .need = 1};
    if (code == ETNA_OK && base && first.reference == all[0])
        code = reader_refuse(r, c->start, c->end, "a thing cannot be placed by itself");
    if (code == ETNA_OK && base) code = add_move(r, &first);
    for (uint32_t i = 1; code == ETNA_OK && i < count; i++) {
        builtin_move move = clause_plain_move(c);
        move.objects = (builtin_set){.count = 1, .objects = &all[i], .need = 1};
        move.reference = all[i - 1];
        code = add_move(r, &move);
    }
    return code;
}

etna_code clause_line(reader *r, clause *c)
{
    builtin_set sets[PHRASES_MAX];
    uint32_t set_count = 0;
    builtin_move move = clause_plain_move(c);
    move.relation = RELATION_LINE;
    uint32_t on = BUILTIN_NONE;
    etna_code code = ETNA_OK;
    bool in_row = c->mark_count == 1 && c->marks[0].relation == RELATION_LINE; /* queue them up in a row */
    if (c->mark_count > 0 && !in_row) { /* "the books on the shelf", or "on the shelf" says where to */
        if (c->mark_count > 1 || c->marks[0].kind != MARK_RELATION || c->marks[0].relation != RELATION_ON) {
            return reader_refuse(r, c->marks[0].first, c->end,
                                 "a row can be asked on a thing; beside others say of each where it is to stand");
        }
        code = clause_reference(r, c->marks[0].end, c->end, NULL, 0, BUILTIN_NONE, true, &on);
        if (code != ETNA_OK) return code;
        etna_error why = {0}, *err = r->err;
        r->err = &why;
        r->on_level = r->level;
        code = clause_things(r, c->first, c->things_end, on, false, sets, &set_count);
        r->err = err;
        uint32_t *all = NULL, count = 0;
        if (code == ETNA_OK) code = clause_flatten(r, c, sets, set_count, &all, &count);
        if (code == ETNA_OK && count > 1) return clause_add_moves(r, c, sets, set_count, &move);
        if (code != ETNA_OK && code != ETNA_E_INPUT) return code;
        move.support = on;
        move.level = r->level;
    }
    code = clause_things(r, c->first, c->things_end, BUILTIN_NONE, false, sets, &set_count);
    return code == ETNA_OK ? clause_add_moves(r, c, sets, set_count, &move) : code;
}
