/* Clauses without a verb of their own, which go on from what was said before:
 * things alone, "likewise the other one", "a bit more", "then 5 cm to the
 * right". */
#include "worker/builtin/read/clause_list.h"
#include "worker/builtin/read/passed.h"
#include "worker/builtin/read/refer_internal.h"
#include "worker/builtin/read/set.h"
#include "worker/builtin/read/side.h"
#include "worker/builtin/read/telling_internal.h"

#include <math.h>

etna_code clause_tell_more(clause *c, bool *ret_done)
{
    etna_code code = row_tell_order(c, ret_done);
    return code == ETNA_OK && !*ret_done ? setting_tell(c, ret_done) : code;
}

/* "5 cm closer to the bed; likewise the other one": as far, on its own way
 * there. */
static void shift_again(const reader *r, uint32_t before, builtin_move *m)
{
    double toward[3], along = 0, metres = 0;
    shift_toward(r, before, m->reference, 1, false, toward);
    for (int k = 0; k < 3; k++) {
        along += toward[k] * m->shift[k];
        metres += m->shift[k] * m->shift[k];
    }
    shift_toward(r, m->objects.objects[0], m->reference, sqrt(metres),
                 along < 0, m->shift);
}

/* Not what needs all of its things, nor what only names them. */
static bool move_is_repeatable(const builtin_move *m)
{
    const bool names =
        m->relation == RELATION_GROUP && m->reference == BUILTIN_NONE;
    const bool joint = m->row_count || m->relation == RELATION_SWAP ||
                       m->relation == RELATION_AT;
    return !names && !joint;
}

/* "Swap the mug and the bowl. Do the same with the red tin and the milk." */
static etna_code trade_repeat(clause *c, builtin_move *m, bool *ret_done)
{
    reader *r = c->r;
    const refer_scope movers = refer_scope_movers();
    builtin_set two;
    etna_code code = refer_things(r, c->things, &movers, &two);
    if (code != ETNA_OK || two.count != 2 || two.need != 2)
        return code;
    m->objects = set_one(r, two.objects[0]);
    m->reference = two.objects[1];
    code = move_add(r, m);
    if (code != ETNA_OK)
        return code;
    r->memory.last = r->memory.named = two;
    *ret_done = true;
    return ETNA_OK;
}

/* The move before the last, where the two turn a pair to face each other; NULL:
 * they do not. */
static const builtin_move *moves_face_each_other(const reader *r)
{
    const builtin_reading *const reading = r->reading;
    if (reading->count < r->first_move + 2)
        return NULL;
    const builtin_move *const one = &reading->moves[reading->count - 2];
    const builtin_move *const other = &reading->moves[reading->count - 1];
    const bool turned =
        one->relation == RELATION_TURNED && other->relation == RELATION_TURNED;
    const bool single = one->objects.count == 1 && other->objects.count == 1;
    return turned && single && one->faced == other->objects.objects[0] &&
                   other->faced == one->objects.objects[0]
               ? one
               : NULL;
}

/* "Chairs 1 and 2 face each other, 3 and 4, too": each its partner. */
static etna_code facing_repeat(clause *c,
                               const builtin_move *one,
                               bool *ret_done)
{
    reader *r = c->r;
    const refer_scope movers = refer_scope_movers();
    builtin_move m = *one;
    builtin_set two;
    etna_code code = refer_things(r, c->things, &movers, &two);
    if (code != ETNA_OK || two.count != 2 || two.need != 2)
        return code;
    reader_span(r, c->said, m.span);
    for (uint32_t i = 0; i < 2 && code == ETNA_OK; i++) {
        m.objects = set_one(r, two.objects[i]);
        m.faced = two.objects[1 - i];
        code = move_add(r, &m);
    }
    if (code != ETNA_OK)
        return code;
    r->memory.last = r->memory.named = two;
    *ret_done = true;
    return ETNA_OK;
}

/* The same with other things; the move is a copy of the last one. */
static etna_code move_repeat(clause *c, builtin_move *m, bool *ret_done)
{
    reader *r = c->r;
    const uint32_t before = m->objects.objects[0];
    const builtin_set done = m->objects;
    refer_scope others = refer_scope_movers();
    others.barred = &done; /* "the same with the one on the right" */
    etna_code code = refer_things(r, c->things, &others, &m->objects);
    if (code == ETNA_OK && set_is_within(&m->objects, &done))
        return clause_refuse_all(c);
    const bool vector =
        m->relation == RELATION_SHIFT && m->reference < r->facts->object_count;
    if (code == ETNA_OK && vector)
        shift_again(r, before, m);
    if (code == ETNA_OK)
        code = move_add(r, m);
    if (code != ETNA_OK)
        return code;
    r->memory.last = r->memory.named = m->objects;
    *ret_done = true;
    return ETNA_OK;
}

/* What was asked before, of other things. */
static etna_code clause_repeat(clause *c, bool *ret_done)
{
    reader *r = c->r;
    *ret_done = false;
    if (r->reading->count == 0)
        return ETNA_OK;
    builtin_move m = r->reading->moves[r->reading->count - 1];
    const builtin_move *const pair = moves_face_each_other(r);
    if (pair)
        return facing_repeat(c, pair, ret_done);
    reader_span(r, c->said, m.span);
    if (m.relation == RELATION_SETTING)
        return setting_repeat(c, &m, ret_done);
    if (m.relation == RELATION_SWAP && m.objects.count == 1 && !m.row_count)
        return trade_repeat(c, &m, ret_done);
    return move_is_repeatable(&m) ? move_repeat(c, &m, ret_done) : ETNA_OK;
}

/* "Whatever is on top of them moves along": on what is moved, it does. */
static bool likewise_is_carried(const clause *c)
{
    reader *const r = c->r;
    const refer_scope any = {.movers = true, .on = BUILTIN_NONE, .many = true};
    builtin_set things = {0}, moved = {0};
    if (!c->things || refer_peek_things(r, c->things, &any, &things) != ETNA_OK)
        return false;
    for (uint32_t i = r->first_move; i < r->reading->count; i++) {
        const builtin_move *const m = &r->reading->moves[i];
        etna_code code = set_union(r, &moved, &m->objects, &moved);
        const builtin_set other = set_one(r, m->reference);
        if (code == ETNA_OK && m->relation == RELATION_SWAP)
            code = set_union(r, &moved, &other, &moved);
        if (code != ETNA_OK)
            return false;
    }
    return moved.count > 0 && set_is_carried(r, &things, &moved);
}

etna_code clause_read_likewise(clause *c)
{
    bool done = false;
    if (likewise_is_carried(c)) {
        reader_remark(c->r, c->said);
        return ETNA_OK;
    }
    etna_code code = clause_repeat(c, &done);
    return code == ETNA_OK && !done ? clause_refuse_all(c) : code;
}

/* The shift that this text asked for last; NULL: its last move is none. */
static const builtin_move *shift_last(reader *r)
{
    const builtin_move *const last = reader_last_move(r);
    return last && last->relation == RELATION_SHIFT ? last : NULL;
}

/* "The bed 20 cm to the left, and the nightstand along with it": by the same
 * vector, so that it stands to that as before. */
etna_code clause_read_goes_along(clause *c)
{
    reader *const r = c->r;
    const builtin_move *const last = shift_last(r);
    if (likewise_is_carried(c)) {
        reader_remark(r, c->said);
        return ETNA_OK;
    }
    if (!last || !c->things)
        return clause_refuse_all(c);
    builtin_move m = *last;
    const builtin_set moved = last->objects;
    refer_scope others = refer_scope_movers();
    others.barred = &moved;
    etna_code code = refer_things(r, c->things, &others, &m.objects);
    m.reference = BUILTIN_NONE; /* no way of its own there */
    m.gap = -1;
    reader_span(r, c->said, m.span);
    if (code == ETNA_OK)
        code = move_add(r, &m);
    if (code == ETNA_OK)
        r->memory.last = r->memory.named = m.objects;
    return code;
}

/* "... all of them", "..., all three": that is known. */
static bool list_says_again(const clause *c)
{
    const uint32_t last = c->r->memory.last.count;
    if (phrase_is_pronoun(c->things, PRON_THEM) && last > 1)
        return !phrase_is_modified(c->things);
    if (!node_is(c->things, "THING") || chart_child(c->things, "CORE"))
        return false;
    const chart_node *number = chart_find(c->things, "$num");
    /* numbers are thousandths */
    return number && number->value == 1000 * last &&
           phrase_is_plural(c->r, c->things);
}

/* Are the listed things what the phrase before named: as many of them as were
 * to be moved, all of them, or all of them and more of the kind? */
static bool list_is_of_move(const reader *r,
                            const builtin_set *named,
                            const builtin_move *m)
{
    if (named->need != named->count || set_has(named, m->reference))
        return false;
    if (m->objects.need < m->objects.count)
        return named->count == m->objects.need &&
               set_is_within(named, &m->objects);
    const bool whole = m->objects.count > 1 && m->row_count == 0 &&
                       m->each.count == 0 && r->memory.taken.count == 0;
    return whole && set_is_within(&m->objects, named);
}

/* "A mug on the shelf, any mug": whichever it is, as was said. */
static bool list_says_any(const clause *c,
                          const builtin_set *named,
                          const builtin_move *m)
{
    return node_says(c->things, "$quant", BIT(DET_ANY)) &&
           m->objects.need < m->objects.count &&
           set_is_within(&m->objects, named);
}

/* "Sort the books on the shelf: red, green, blue": the list is their order. */
static bool list_sorts(const clause *c, const builtin_move *m)
{
    if (m->relation != RELATION_ON || m->objects.count < 3 ||
        m->each.count > 0 || m->also_count > 0)
        return false;
    bool sorts = false;
    for (uint32_t at = 0; at < c->said->first && !sorts; at++)
        sorts = reader_lists(c->r, at, "list: sorts");
    return sorts;
}

/* "Put two things on the tray: the cup and the spoon", "all the toys into the
 * box: the blocks, the truck and the bear": which are to be moved. */
static etna_code list_names_movers(clause *c, bool *ret_done)
{
    reader *r = c->r;
    const refer_scope movers = refer_scope_movers();
    builtin_move *m = reader_last_move(r);
    const bool colon =
        c->said->first > 0 && reader_word_is(r, c->said->first - 1, ":");
    *ret_done = false;
    if (!m || (m->objects.need >= m->objects.count && !colon))
        return ETNA_OK;
    const reader before = *r;
    const etna_error why = *r->err;
    builtin_set named;
    etna_code code = refer_things(r, c->things, &movers, &named);
    const bool any = code == ETNA_OK && list_says_any(c, &named, m);
    *ret_done = any || (code == ETNA_OK && list_is_of_move(r, &named, m));
    if (!*ret_done || any) {
        *r = before;
        *r->err = why;
        return code == ETNA_E_INPUT ? ETNA_OK : code;
    }
    m->objects = r->memory.last = r->memory.named = named;
    if (list_sorts(c, m)) {
        m->relation = RELATION_LINE;
        m->support = m->reference;
        m->reference = BUILTIN_NONE;
    }
    bool ordered; /* "in a row: red, green, blue" */
    return m->relation == RELATION_LINE ? clause_tell_more(c, &ordered)
                                        : ETNA_OK;
}

etna_code clause_read_list(clause *c)
{
    bool done = false;
    if (list_says_again(c))
        return ETNA_OK;
    etna_code code = list_names_movers(c, &done);
    if (code == ETNA_OK && !done)
        code = clause_tell_more(c, &done);
    /* "..., then the other one" */
    bool other = node_says(c->things, "$quant", BIT(DET_OTHER));
    if (code == ETNA_OK && !done && other)
        code = clause_repeat(c, &done);
    return code == ETNA_OK && !done
               ? clause_refuse(c, "it does not say what to do with that")
               : code;
}

etna_code clause_read_carry(clause *c)
{
    reader *r = c->r;
    const builtin_set carrier = r->memory.last;
    const refer_scope scope = {
        .on = BUILTIN_NONE, .many = true, .barred = &carrier};
    builtin_set load = {0};
    if (carrier.count == 0)
        return clause_refuse_all(c);
    etna_code code =
        c->things ? refer_things(r, c->things, &scope, &load) : ETNA_OK;
    if (code == ETNA_OK && c->things && !set_is_carried(r, &load, &carrier))
        code = clause_refuse_all(c);
    r->memory.last = carrier;
    return code;
}

/* "The rug is very dirty": what no move could change. */
static bool clause_tells_quality(const clause *c)
{
    const reader *const r = c->r;
    const uint32_t last = c->said->end - 1;
    if (c->things->first != c->said->first || c->things->end >= last ||
        !reader_lists(r, last, "told: quality"))
        return false;
    for (uint32_t at = c->things->end; at < last; at++) {
        if (!reader_lists(r, at, "told: be") &&
            !reader_lists(r, at, "told: degree") &&
            !reader_lists(r, at, "trail: degree"))
            return false;
    }
    return !reader_lists(r, last - 1, "trail: degree") ||
           !reader_word_is(r, last - 1, "not");
}

/* "The yellow cushion is my boat", "the knife is dangerous there": what it is to
 * somebody, so that something is asked of it. */
static etna_code clause_describe(clause *c, const builtin_set *about)
{
    reader *r = c->r;
    const sentence_part words = {.first = r->part->first + c->said->first,
                                 .end = r->part->first + c->said->end};
    const chart_node *const what = node_things(c->said, 1);
    /* "the tide is coming" */
    if ((what && word_is_doing(reader_word(r, what->first))) ||
        r->s->tokens[words.first].mended ||
        r->s->tokens[r->part->first + c->things->end - 1].mended)
        return clause_refuse_all(c);
    for (uint32_t at = what ? what->first : c->said->first; at < c->said->end;
         at++) {
        const char *const word = reader_word(r, at);
        if (word_arranges(word) || word_bears(word) ||
            lexicon_lists("$zone", word) || lexicon_lists("$part", word))
            return clause_refuse_all(c);
    }
    etna_code code = passed_check(r, &words);
    if (code != ETNA_OK)
        return code;
    reader_remark(r, c->said);
    r->memory.last = r->memory.named = *about;
    return clause_tells_quality(c) ? ETNA_OK
                                   : unmet_await(r, about, r->first_move);
}

/* "Object_17 is the waste bin": of that is spoken next. */
etna_code clause_read_called(clause *c)
{
    reader *r = c->r;
    const refer_scope scope = {.on = BUILTIN_NONE};
    builtin_set named = {0};
    uint32_t object = BUILTIN_NONE;
    if (!c->things)
        return clause_refuse_all(c);
    etna_code code = refer_things(r, c->things, &scope, &named);
    if (code != ETNA_OK)
        return code == ETNA_E_NOMEM ? code : clause_refuse_all(c);
    if (!phrase_is_name(r, c->things, &object) ||
        !builtin_is_anonymous(object_at(r, object)))
        return clause_describe(c, &named);
    r->memory.last = r->memory.named = named;
    return ETNA_OK;
}

etna_code clause_read_onward(clause *c)
{
    if (!move_before(c->r) || c->r->reading->count > c->r->first_move)
        return clause_refuse_all(c);
    details_gather(c->r, c->said, &c->d);
    c->verb = clause_turns_on(c) ? VERB_TURN : VERB_MOVE;
    return clause_act(c);
}

etna_code clause_read_further(clause *c)
{
    const bool told = c->r->reading->remark_count > 0;
    const bool spoken = c->r->memory.last.count > 0 && told;
    if (c->r->reading->count == c->r->first_move && !spoken)
        return clause_refuse_all(c);
    details_gather(c->r, c->said, &c->d);
    c->verb = VERB_MOVE;
    return clause_act(c);
}
