/* Where a clause puts things: the last mark is where to; one before it tells which thing is meant ("the bottle on the
 * tray"), which reference ("the lamp on the desk") or what to stand on ("on the desk near the lamp"), whichever fits
 * the scene first. */
#include "worker/model/builtin_clause_own.h"

uint32_t clause_argument_end(const clause *c, uint32_t k)
{
    return k + 1 < c->mark_count ? c->marks[k + 1].first : c->end;
}

/* "the desk's left edge": the argument ends before the 's, and the mark becomes what follows. */
void clause_possessive(const reader *r, builtin_mark *mark, uint32_t first, uint32_t *end)
{
    uint32_t stop = *end, start = first;
    clause_trim(r, &start, &stop);
    for (uint32_t i = first; i + 1 < stop; i++) {
        if (!is_word(r, i, "'s") || !builtin_zone(r->words, i + 1, stop, mark)) continue;
        mark->bare_to = false;
        *end = i;
        return;
    }
}

static bool has_top(const reader *r, uint32_t object)
{
    for (uint32_t i = 0; i < r->facts->surface_count; i++) {
        if (r->facts->surfaces[i].object == object) return true;
    }
    return false;
}

static bool any_furniture(const reader *r, const builtin_set *sets, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < sets[i].count; k++) {
            const builtin_object *o = &r->facts->objects[sets[i].objects[k]];
            for (uint32_t w = 0; w < o->word_count; w++) {
                if (builtin_like_word(o->words[w], "furniture")) return true;
            }
        }
    }
    return false;
}

/* What a thing stands on; not the carpet, but the floor under it. */
static uint32_t ground_of(const reader *r, uint32_t object)
{
    const builtin_object *o = &r->facts->objects[object];
    for (int depth = 0; depth < 8 && o->by_count > 0; depth++) {
        uint32_t by = o->by[0];
        o = &r->facts->objects[by];
        if (o->is_static || o->half[2] > 0.015 || o->by_count == 0) return by;
    }
    return BUILTIN_NONE;
}

/* "where the chair and the plant are": several things whose place is meant. */
static bool names_several(const reader *r, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end; i++) {
        if (is_conjunction(r, i)) return true;
    }
    return end > first && !r->words[end - 1].quoted && builtin_is_plural(r->words[end - 1].text);
}

static etna_code read_there(reader *r, const clause *c, uint32_t first, uint32_t end, builtin_set *ret)
{
    static const char *const stand[] = {"stand", "lie", "sit", "rest", NULL};
    builtin_set sets[PHRASES_MAX];
    uint32_t set_count = 0, *all = NULL, count = 0;
    if (end > first + 1 && is_one_of(r, end - 1, stand)) end--;
    etna_code code = clause_things(r, first, end, BUILTIN_NONE, false, sets, &set_count);
    if (code == ETNA_OK) code = clause_flatten(r, c, sets, set_count, &all, &count);
    if (code == ETNA_OK) *ret = (builtin_set){.count = count, .objects = all, .need = count};
    return code;
}

/* Between which two. */
static etna_code read_pair(reader *r, uint32_t first, uint32_t end, builtin_move *move)
{
    builtin_phrase phrases[PHRASES_MAX];
    builtin_set pair[PHRASES_MAX];
    uint32_t count = clause_cut(r, first, end, false, phrases), refs[2] = {0}, used = 0;
    etna_code code = ETNA_OK;
    for (uint32_t i = 0; code == ETNA_OK && i < count; i++) {
        builtin_scope scope = {.movers = count == 1, .on = BUILTIN_NONE, .alike = BUILTIN_NONE};
        code = clause_resolve(r, &phrases[i], &scope, &pair[i]);
        for (uint32_t n = 0; code == ETNA_OK && n < pair[i].need && used < 3; n++, used++) {
            if (used < 2) refs[used] = pair[i].objects[n];
        }
    }
    if (code != ETNA_OK) return code;
    if (used != 2 || refs[0] == refs[1]) return reader_refuse(r, first, end, "it does not say between which two");
    move->reference = refs[0];
    move->second = refs[1];
    return ETNA_OK;
}

etna_code clause_place(reader *r, const clause *c, uint32_t k, const builtin_set *sets, uint32_t set_count, uint32_t on,
                       builtin_move *move)
{
    builtin_mark mark = c->marks[k];
    uint32_t first = mark.end, end = clause_argument_end(c, k);
    etna_code code = ETNA_OK;
    move->gap = mark.gap;
    move->exact = mark.exact;
    move->second = BUILTIN_NONE;
    if (mark.its) {
        move->relation = mark.relation;
        move->sides = mark.sides;
        move->reference = r->last_reference;
        if (mark.bare && r->last_reference >= r->facts->object_count && set_count > 0)
            move->reference = ground_of(r, sets[0].objects[0]);
        if (move->reference >= r->facts->object_count)
            return reader_refuse(r, mark.first, mark.end, "it does not say whose");
        return ETNA_OK;
    }
    clause_possessive(r, &mark, first, &end);
    clause_trim(r, &first, &end);
    move->relation = mark.relation;
    move->sides = mark.sides;
    if (mark.relation == RELATION_LINE) {
        move->reference = BUILTIN_NONE;
        return first == end ? ETNA_OK : reader_refuse(r, first, end, "a row needs no place");
    }
    if (first >= end) return reader_refuse(r, c->start, c->end, "it does not say on what to put it");
    if (mark.relation == RELATION_PLACE && names_several(r, first, end)) {
        code = read_there(r, c, first, end, &move->there);
        if (code == ETNA_OK) move->reference = move->there.objects[0];
        return code;
    }
    if (mark.relation == RELATION_BETWEEN) return read_pair(r, first, end, move);
    bool flat = move->relation == RELATION_ON || move->relation == RELATION_IN ||
                (move->relation >= RELATION_MIDDLE && move->relation <= RELATION_EDGE);
    code = clause_reference(r, first, end, sets, set_count, on, flat, &move->reference);
    if (code == ETNA_OK && r->level > 0) {
        if (!flat && !mark.bare_to && !mark.over_to)
            return reader_refuse(r, mark.first, end,
                                 "things can be on or in a board of a thing, not beside or under it");
        move->level = r->level;
        if (!flat || move->relation == RELATION_IN) move->relation = RELATION_ON;
    }
    if (code == ETNA_OK && mark.bare_to && !has_top(r, move->reference)) move->relation = RELATION_BESIDE;
    bool onto = code == ETNA_OK && mark.over_to && builtin_is_bearer(&r->facts->objects[move->reference]) &&
                !any_furniture(r, sets, set_count);
    if (onto) move->relation = RELATION_ON; /* the cup over to the tray, but the chair over to the table */
    return code;
}

/* "The bottle on the table onto the block": the first place tells which thing. */
static etna_code first_tells_things(reader *r, const clause *c, const uint32_t at[2], builtin_set *sets,
                                    uint32_t *set_count, builtin_move *move)
{
    const builtin_mark *a = &c->marks[at[0]], *b = &c->marks[at[1]];
    uint32_t things_on = BUILTIN_NONE, from_level = r->on_level;
    etna_code code =
        clause_reference(r, a->end, clause_argument_end(c, at[0]), NULL, 0, BUILTIN_NONE, true, &things_on);
    r->on_level = r->level;
    if (code == ETNA_OK) code = clause_things(r, c->first, c->things_end, things_on, false, sets, set_count);
    r->on_level = from_level;
    if (code == ETNA_OK) code = clause_place(r, c, at[1], sets, *set_count, BUILTIN_NONE, move);
    if (code == ETNA_OK && b->relation != RELATION_ON && clause_any_on(r, sets, *set_count, things_on) &&
        builtin_is_above(r->facts, move->reference, things_on)) {
        move->support = things_on; /* it stays on the table, near the lamp */
    }
    return code;
}

/* "Near the lamp on the desk": the second place tells which lamp, else what to stand on. */
static etna_code second_tells_reference(reader *r, const clause *c, const uint32_t at[2], uint32_t on,
                                        builtin_set *sets, uint32_t *set_count, builtin_move *move)
{
    builtin_move other = {
        .reference = BUILTIN_NONE, .second = BUILTIN_NONE, .support = BUILTIN_NONE, .faced = BUILTIN_NONE};
    etna_code code = clause_things(r, c->first, c->things_end, on, false, sets, set_count);
    if (code == ETNA_OK) code = clause_place(r, c, at[1], sets, *set_count, BUILTIN_NONE, &other);
    if (code == ETNA_OK) code = clause_place(r, c, at[0], sets, *set_count, other.reference, move);
    bool stands = code == ETNA_OK && c->marks[at[0]].relation != RELATION_ON;
    if (code == ETNA_E_INPUT && other.reference < r->facts->object_count) {
        code = clause_place(r, c, at[0], sets, *set_count, BUILTIN_NONE, move);
        stands = true;
    }
    if (stands) {
        move->support = other.reference;
        move->level = other.level;
    }
    return code;
}

/* Of two counters the one on which stands what the thing is to be beside: it need not be said, and so is left open. The
 * refusal of before stays where that helps nothing. */
static etna_code support_by_neighbour(reader *r, const clause *c, const uint32_t at[2], const builtin_set *sets,
                                      uint32_t set_count, builtin_move *ret)
{
    builtin_move beside = {
        .reference = BUILTIN_NONE, .second = BUILTIN_NONE, .support = BUILTIN_NONE, .faced = BUILTIN_NONE};
    etna_error *err = r->err, why = {0};
    r->err = &why;
    etna_code code = clause_place(r, c, at[1], sets, set_count, BUILTIN_NONE, &beside);
    const builtin_object *o = beside.reference < r->facts->object_count ? &r->facts->objects[beside.reference] : NULL;
    bool found = false;
    for (uint32_t i = 0; code == ETNA_OK && o && i < o->by_count && !found; i++) {
        uint32_t first = c->marks[at[0]].end, end = clause_argument_end(c, at[0]);
        clause_trim(r, &first, &end);
        builtin_phrase phrase = clause_phrase(r, first, end);
        builtin_scope scope = {.on = BUILTIN_NONE, .alike = BUILTIN_NONE, .flat = true, .only = o->by[i] + 1};
        builtin_set set = {0};
        etna_code fits = first < end ? clause_resolve(r, &phrase, &scope, &set) : ETNA_E_INPUT;
        if (fits != ETNA_OK && fits != ETNA_E_INPUT) code = fits;
        found = fits == ETNA_OK;
        if (found) *ret = (builtin_move){.relation = RELATION_ON, .reference = BUILTIN_NONE, .second = BUILTIN_NONE};
    }
    r->err = err;
    if (code != ETNA_OK && code != ETNA_E_INPUT && err) *err = why;
    return found ? ETNA_OK : code == ETNA_OK ? ETNA_E_INPUT : code;
}

/* "On the desk near the phone", "over to the counter, next to the kettle": the first place is what to stand on.
 * `before`: why the first was not taken to tell which thing. */
static etna_code first_tells_support(reader *r, const clause *c, const uint32_t at[2], uint32_t on,
                                     const etna_error *before, builtin_set *sets, uint32_t *set_count,
                                     builtin_move *move)
{
    const builtin_mark *a = &c->marks[at[0]], *b = &c->marks[at[1]];
    builtin_move other = {
        .reference = BUILTIN_NONE, .second = BUILTIN_NONE, .support = BUILTIN_NONE, .faced = BUILTIN_NONE};
    etna_code code = clause_things(r, c->first, c->things_end, on, false, sets, set_count);
    if (code == ETNA_OK) code = clause_place(r, c, at[0], sets, *set_count, BUILTIN_NONE, &other);
    if (code == ETNA_E_INPUT) code = support_by_neighbour(r, c, at, sets, *set_count, &other);
    if (code == ETNA_OK && other.relation != RELATION_ON)
        return reader_refuse(r, a->first, c->end, "it is not clear which of the two places is meant");
    if (code == ETNA_OK && b->relation == RELATION_ON) {
        if (r->err && before->text[0]) *r->err = *before;
        return before->text[0] ? ETNA_E_INPUT
                               : reader_refuse(r, a->first, c->end, "it is not clear what is to stand on what");
    }
    etna_error why = {0}, *err = r->err;
    r->err = &why;
    etna_code there = code == ETNA_OK ? clause_place(r, c, at[1], sets, *set_count, other.reference, move)
                                      : code; /* of two phones the one on the desk */
    r->err = err;
    if (code == ETNA_OK)
        code = there == ETNA_E_INPUT ? clause_place(r, c, at[1], sets, *set_count, BUILTIN_NONE, move) : there;
    if (there != ETNA_OK && there != ETNA_E_INPUT && err && why.text[0]) *err = why;
    if (code == ETNA_OK) {
        move->support = other.reference;
        move->level = other.level;
    }
    return code;
}

etna_code clause_two_places(reader *r, const clause *c, const uint32_t at[2], uint32_t on, builtin_set *sets,
                            uint32_t *set_count, builtin_move *move)
{
    etna_error first_why = {0}, second_why = {0}, *err = r->err;
    const builtin_mark *a = &c->marks[at[0]], *b = &c->marks[at[1]];
    etna_code code;
    if (b->relation == RELATION_PLACE && a->relation != RELATION_PLACE &&
        is_word(r, b->first, "where")) { /* in front of it, where the chair is */
        code = clause_things(r, c->first, c->things_end, on, false, sets, set_count);
        if (code == ETNA_OK) code = clause_place(r, c, at[0], sets, *set_count, BUILTIN_NONE, move);
        return code == ETNA_OK ? read_there(r, c, b->end, clause_argument_end(c, at[1]), &move->there) : code;
    }
    if (a->relation == RELATION_ON && !a->bare_to) {
        r->err = &first_why;
        code = first_tells_things(r, c, at, sets, set_count, move);
        r->err = err;
        if (code != ETNA_E_INPUT || a->is_said) {
            if (code != ETNA_OK && err) *err = first_why;
            return code;
        }
    }
    if (b->relation == RELATION_ON && !b->bare_to) {
        r->err = &second_why;
        code = second_tells_reference(r, c, at, on, sets, set_count, move);
        r->err = err;
        if (code != ETNA_E_INPUT) {
            if (code != ETNA_OK && err) *err = second_why;
            return code;
        }
    }
    if (a->relation == RELATION_ON || a->over_to)
        return first_tells_support(r, c, at, on, &first_why, sets, set_count, move);
    return reader_refuse(r, a->first, c->end, "it is not clear which of the two places is meant");
}
