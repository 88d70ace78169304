/* What is to stay: no move of the text takes it along. */
#include "worker/builtin/read/clause.h"
#include "worker/builtin/read/refer_internal.h"
#include "worker/builtin/read/set.h"

/* "The rest", "everything else": whatever no move takes along anyway. */
static bool things_are_the_rest(const reader *r, const chart_node *things)
{
    const chart_node *all = chart_find(things, "$pron");
    if (all && all->value == PRON_EVERYTHING && everything_is_the_rest(r, all))
        return true;
    return node_lists(r, things, "spare: rest");
}

/* Does a move of this text take any of them, or what bears it? */
static bool moves_take_any(const reader *r, const builtin_set *of)
{
    for (uint32_t i = r->first_move; i < r->reading->count; i++) {
        const builtin_set *moved = &r->reading->moves[i].objects;
        for (uint32_t k = 0; k < of->count; k++) {
            for (uint32_t n = 0; n < moved->count; n++) {
                if (builtin_is_above(r->facts, of->objects[k],
                                     moved->objects[n]))
                    return true;
            }
        }
    }
    return false;
}

/* Is it one of many that a move of the text takes? */
static bool object_goes_with_many(const reader *r, uint32_t object)
{
    for (uint32_t i = r->first_move; i < r->reading->count; i++) {
        const builtin_move *const m = &r->reading->moves[i];
        const bool many = m->objects.need == m->objects.count &&
                          (m->objects.count > 1 || m->relation == RELATION_OFF);
        if (many && set_has(&m->objects, object))
            return true;
    }
    return false;
}

/* "The salt stays there", of what all was to leave: all of it. */
static bool moves_take_all(const reader *r, const builtin_set *of)
{
    for (uint32_t i = 0; i < of->count; i++) {
        if (!object_goes_with_many(r, of->objects[i]))
            return false;
    }
    return of->count > 0;
}

/* Each part of a list, whichever it may mean. */
static etna_code spare_find_any(clause *c, builtin_set *ret)
{
    const refer_scope any = {.on = BUILTIN_NONE, .many = true, .any = true};
    const chart_node *parts[CONJUNCTS_MAX];
    const uint32_t count = node_conjuncts(c->things, parts);
    etna_code code = ETNA_OK;
    for (uint32_t i = 0; i < count && code == ETNA_OK; i++) {
        builtin_set some = {0};
        code = refer_things(c->r, parts[i], &any, &some);
        if (code == ETNA_OK)
            code = set_union(c->r, ret, &some, ret);
    }
    return code;
}

/* "The bottle on the floor may stay", of two bottles of which none is moved:
 * whichever it is, it stays; so do both of what would all be cleared away. The
 * refusal that was made stands where one of them is moved by itself. `ret`: what
 * is taken out of the moves. */
static etna_code spare_whichever(clause *c, builtin_set *ret)
{
    reader *r = c->r;
    const reader refused = *r;
    const etna_error why = *r->err;
    builtin_set of = {0};
    if (!node_is(c->said, "STATE") || strcmp(r->refusal.code, "ambiguous") != 0)
        return ETNA_E_INPUT;
    etna_code code = spare_find_any(c, &of);
    const bool cleared = code == ETNA_OK && moves_take_all(r, &of);
    const bool moved = code != ETNA_OK || (!cleared && moves_take_any(r, &of));
    *r = refused;
    *r->err = why;
    if (code == ETNA_E_NOMEM)
        return reader_no_memory(r);
    if (moved)
        return ETNA_E_INPUT;
    *r->err = (etna_error){0};
    if (cleared)
        *ret = of;
    return ETNA_OK;
}

/* Does one of them stand on what is moved? */
static bool set_stands_on(const reader *r,
                          const builtin_set *things,
                          const builtin_set *moved)
{
    for (uint32_t k = 0; k < things->count; k++) {
        for (uint32_t n = 0; n < moved->count; n++) {
            if (builtin_stands_on(r->facts, things->objects[k],
                                  moved->objects[n]))
                return true;
        }
    }
    return false;
}

/* "Push the chairs in": one move a chair. Is there another that asks the same of
 * another thing? */
static bool move_is_of_many(const reader *r, const builtin_move *m)
{
    const builtin_reading *reading = r->reading;
    bool many = false;
    for (uint32_t i = r->first_move; i < reading->count && !many; i++) {
        const builtin_move *other = &reading->moves[i];
        const bool same = other != m && other->relation == m->relation &&
                          memcmp(other->span, m->span, sizeof m->span) == 0;
        many = same && (m->relation == RELATION_TUCK ||
                        other->reference == m->reference);
    }
    return many;
}

/* The move takes none of what is kept along. *ret_empty: it asks for nothing
 * else, and may go. */
static etna_code move_spare(clause *c,
                            builtin_move *m,
                            const builtin_set *kept,
                            bool *ret_empty)
{
    builtin_set left = {0};
    etna_code code = set_without(c->r, &m->objects, kept, &left);
    if (code != ETNA_OK)
        return code;
    m->alone = m->alone || set_stands_on(c->r, kept, &m->objects);
    /* "push them in and leave the red one there": where it was just put */
    const bool left_there = details_say_there(c->r, &c->d);
    const bool of_many = !left_there && move_is_of_many(c->r, m);
    *ret_empty = left.count == 0 && (m->relation == RELATION_OFF || of_many);
    if (left.count == 0 || left.count == m->objects.count)
        return ETNA_OK;
    if (m->row_count > 0)
        return clause_refuse(c, "what is to stay is part of the row");
    m->objects = left;
    return ETNA_OK;
}

/* "Clear the desk, but leave the phone": no move of this text takes it along.
 * What would leave a move without things is no exception ("put it there and
 * leave it there"). */
static etna_code moves_spare(clause *c)
{
    reader *r = c->r;
    builtin_reading *reading = r->reading;
    const reader_memory memory = r->memory;
    builtin_set kept = {0}, spared = memory.spared;
    /* nothing is asked that could take it along */
    bool none = !c->things || reading->count == r->first_move;
    if (none || things_are_the_rest(r, c->things))
        return ETNA_OK;
    etna_code code = movers_find(c, c->things, &kept);
    r->memory = memory;
    if (code == ETNA_E_INPUT) {
        kept = (builtin_set){0};
        code = spare_whichever(c, &kept);
    }
    for (uint32_t i = r->first_move; i < reading->count && code == ETNA_OK;) {
        builtin_move *m = &reading->moves[i];
        bool empty = false;
        const uint32_t before = m->objects.count;
        code = move_spare(c, m, &kept, &empty);
        if (code == ETNA_OK && m->objects.count < before)
            spared = kept;
        /* all else has a place of its own */
        if (code != ETNA_OK || !empty || reading->count <= r->first_move + 1) {
            i++;
            continue;
        }
        reading->count--;
        memmove(m, m + 1, (reading->count - i) * sizeof *m);
    }
    /* "only chair F stays out, that one goes to the wall" */
    r->memory.spared = spared;
    return code;
}

bool clause_says_own_place(const clause *c)
{
    const chart_node *whose = c->d.old ? node_things(c->d.old, 0) : NULL;
    return whose && (phrase_is_pronoun(whose, PRON_IT) ||
                     phrase_is_pronoun(whose, PRON_THEM));
}

/* "Take everything off the desk, but the phone stays": nor is the phone taken
 * where it is not said yet where to. */
static etna_code taken_spare(clause *c)
{
    reader *r = c->r;
    const reader_memory memory = r->memory;
    builtin_set kept = {0}, left = {0};
    if (!c->things || memory.taken.count == 0 ||
        things_are_the_rest(r, c->things))
        return ETNA_OK;
    etna_code code = movers_find(c, c->things, &kept);
    r->memory = memory;
    if (code == ETNA_OK)
        code = set_without(r, &memory.taken, &kept, &left);
    if (code != ETNA_OK || left.count == memory.taken.count)
        return code;
    if (left.count == 0)
        return clause_refuse(c, "it is to be taken from there");
    r->memory.taken = r->memory.last = r->memory.named = left;
    return ETNA_OK;
}

/* A tray is drawn from under a cup, which comes to lie where it lay; a table is
 * not. Does a move take only such from under them? */
static bool moves_draw_away(const reader *r, const builtin_set *kept)
{
    const double thin = 0.1; /* metres */
    for (uint32_t i = r->first_move; i < r->reading->count; i++) {
        const builtin_set *moved = &r->reading->moves[i].objects;
        for (uint32_t n = 0; n < moved->count; n++) {
            const uint32_t by = moved->objects[n];
            const bool is_thin = 2 * r->facts->objects[by].half[2] < thin;
            for (uint32_t k = 0; k < kept->count && !is_thin; k++) {
                if (builtin_is_above(r->facts, kept->objects[k], by))
                    return false;
            }
        }
    }
    return moves_take_any(r, kept);
}

/* What is to stay stays from here on; `asked`: something was asked before it. */
static etna_code things_spare(clause *c, bool asked)
{
    reader *r = c->r;
    const refer_scope any = {.on = BUILTIN_NONE, .many = true};
    builtin_set kept = {0};
    etna_code code = refer_peek_things(r, c->things, &any, &kept);
    if (code == ETNA_E_NOMEM)
        return reader_no_memory(r);
    if (code != ETNA_OK || (asked && moves_draw_away(r, &kept)))
        return ETNA_OK;
    if (kept.count == 1 && !asked)
        r->memory.last = kept;
    if (!asked)
        code = refer_remember_noun(r, c->things);
    if (code != ETNA_OK)
        return code;
    return set_union(r, &r->memory.stays, &kept, &r->memory.stays);
}

/* What stays is spoken of: "The crib stays where it is; the lamp goes to its
 * right". Nor does it make way: "..., but leave the toaster where it is". */
static etna_code clause_spare(clause *c)
{
    reader *r = c->r;
    etna_code code = moves_spare(c);
    if (code == ETNA_OK)
        code = taken_spare(c);
    if (code != ETNA_OK || !c->things)
        return code;
    const bool asked = r->reading->count > r->first_move;
    if (r->memory.taken.count > 0 ||
        (asked && things_are_the_rest(r, c->things)))
        return ETNA_OK;
    return things_spare(c, asked);
}

/* Whichever is meant, where none of them is moved. */
etna_code clause_ignore(clause *c)
{
    reader *r = c->r;
    const refer_scope any = {.on = BUILTIN_NONE, .many = true, .any = true};
    const reader_memory memory = r->memory;
    builtin_set of = {0};
    etna_code code = refer_things(r, c->things, &any, &of);
    r->memory = memory;
    if (code != ETNA_OK)
        return code;
    if (moves_take_any(r, &of))
        return clause_refuse_all(c);
    reader_remark(r, c->said);
    return ETNA_OK;
}

etna_code clause_keep(clause *c)
{
    const details *d = &c->d;
    bool moved = details_have_places(d) || d->shift || d->face;
    /* "leave 20 cm between its edge and the wall" keeps nothing where it is */
    if (chart_find(c->said, "DIST") && (!moved || !c->things))
        return clause_refuse_all(c);
    if (!moved || d->stays || clause_says_own_place(c))
        return clause_spare(c); /* "leave the rest" */
    c->verb = VERB_PUT;
    return clause_move_things(c);
}

/* ---- "nothing else changes" ---- */

/* Does the text move it, swap it away or move what it stands on? */
static bool object_is_asked(const reader *r, uint32_t object)
{
    const builtin_set one = set_one(r, object);
    for (uint32_t i = r->first_move; i < r->reading->count; i++) {
        const builtin_move *m = &r->reading->moves[i];
        if (m->relation == RELATION_SWAP && m->reference == object)
            return true;
    }
    return moves_take_any(r, &one);
}

static bool object_is_of_the_rest(const reader *r,
                                  uint32_t object,
                                  const void *context)
{
    (void)context;
    return object_moves(r->facts, object) && !object_is_asked(r, object);
}

etna_code moves_hold_rest(reader *r)
{
    builtin_set rest = {0};
    if (!r->memory.rest_stays)
        return ETNA_OK;
    etna_code code = set_filter(r, object_is_of_the_rest, NULL, &rest);
    return code == ETNA_OK
               ? set_union(r, &r->memory.stays, &rest, &r->memory.stays)
               : code;
}
