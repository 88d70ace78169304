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

/* ---- some of them stay ---- */

/* How many the phrase says, and no word of which; 0: that is not what it says.
 * *ret_bare: of what is not said either. */
static uint32_t thing_number(const reader *r,
                             const chart_node *thing,
                             bool *ret_bare)
{
    const unsigned which = SAYS_DEFINITE | SAYS_ALL | SAYS_BOTH | SAYS_EACH |
                           SAYS_OTHER | SAYS_REST;
    const chart_node *const core = chart_child(thing, "CORE");
    if (!node_is(thing, "THING") && !node_is(thing, "OF"))
        return 0;
    const quantity said = phrase_quantity(thing);
    const bool one = core && core->end == core->first + 1 &&
                     reader_word_is(r, core->first, "one");
    *ret_bare =
        node_is(thing, "THING") && (one || !core) && !phrase_is_modified(thing);
    if (said.says & which)
        return 0;
    return one ? 1 : said.number;
}

static etna_code spare_refuse_some(const clause *c)
{
    return reader_refuse_finally(
        c->r, clause_refuse(c, "which of them are to stay is not said"));
}

/* "One", "only two of the cups": so many of them, and no word of which; of what
 * was moved last, where it is not said of what. Empty: that is not what is
 * said. */
static etna_code spare_find_some(clause *c, builtin_set *ret)
{
    const refer_scope any = {.on = BUILTIN_NONE, .many = true, .any = true};
    const builtin_move *const last = reader_last_move(c->r);
    const builtin_set *const taken = &c->r->memory.taken;
    bool bare = false;
    const uint32_t number = thing_number(c->r, phrase_thing(c->things), &bare);
    *ret = (builtin_set){0};
    if (number == 0)
        return ETNA_OK;
    if (bare && taken->count > 0)
        *ret = *taken;
    else if (bare && last)
        *ret = last->objects;
    ret->need = number;
    etna_code code =
        bare ? ETNA_OK : refer_peek_things(c->r, c->things, &any, ret);
    if (code == ETNA_E_NOMEM)
        return reader_no_memory(c->r);
    /* "leave three where they are", of three that are moved */
    if (bare && number > 1 && number == ret->count)
        return spare_refuse_some(c);
    if (code != ETNA_OK || ret->need >= ret->count)
        *ret = (builtin_set){0};
    return ETNA_OK;
}

/* The move takes all of these but so many, whichever. */
static etna_code move_leave_some(clause *c,
                                 uint32_t at,
                                 const builtin_set *kept,
                                 uint32_t stay)
{
    const uint32_t plain = RELATIONS_UPON | BIT(RELATION_IN) |
                           BIT(RELATION_OFF) | BIT(RELATION_BESIDE) |
                           BIT(RELATION_UNDER) | BIT(RELATION_AGAINST);
    builtin_move *const m = &c->r->reading->moves[at];
    const bool some = m->objects.need < m->objects.count;
    if (!bit_is_in(m->relation, plain) || m->row_count > 0 || m->each.count > 0)
        return spare_refuse_some(c);
    /* "two of the three cups, one stays" says it again */
    if (some)
        return m->objects.need + stay <= m->objects.count
                   ? ETNA_OK
                   : spare_refuse_some(c);
    if (!set_is_within(&m->objects, kept) || m->objects.count <= stay)
        return spare_refuse_some(c);
    m->objects.need = m->objects.count - stay;
    return ETNA_OK;
}

/* "The towels in the basket, one stays where it is": of what a move takes so
 * many are left out, unless enough of them are none of its. */
static etna_code moves_spare_some(clause *c, const builtin_set *kept)
{
    reader *r = c->r;
    builtin_set left = *kept;
    uint32_t takers = 0;
    uint32_t taker = 0;
    etna_code code = ETNA_OK;
    for (uint32_t i = r->first_move; i < r->reading->count; i++) {
        const builtin_set *const moved = &r->reading->moves[i].objects;
        const uint32_t before = left.count;
        if (code == ETNA_OK)
            code = set_without(r, &left, moved, &left);
        if (left.count < before) {
            takers++;
            taker = i;
        }
    }
    if (code != ETNA_OK || takers == 0 || left.count >= kept->need)
        return code;
    return takers == 1
               ? move_leave_some(c, taker, kept, kept->need - left.count)
               : spare_refuse_some(c);
}

/* Of what was taken up, and has no place yet, so many stay. */
static etna_code taken_spare_some(clause *c, const builtin_set *kept)
{
    builtin_set *const taken = &c->r->memory.taken;
    const bool all = taken->need == taken->count &&
                     set_is_within(taken, kept) && taken->count > kept->need;
    if (!all)
        return spare_refuse_some(c);
    taken->need = taken->count - kept->need;
    c->r->memory.last = c->r->memory.named = *taken;
    return ETNA_OK;
}

/* Those are not moved, whatever a move of several takes. */
etna_code moves_spare_these(reader *r, const builtin_set *these)
{
    etna_code code = ETNA_OK;
    for (uint32_t i = r->first_move; i < r->reading->count && code == ETNA_OK;
         i++) {
        builtin_set *const moved = &r->reading->moves[i].objects;
        if (moved->need == moved->count && !set_is_within(moved, these))
            code = set_without(r, moved, these, moved);
    }
    return code;
}

typedef struct spare_borne {
    const builtin_set *of;
    uint32_t base;
} spare_borne;

static bool object_is_spared_there(const reader *r,
                                   uint32_t object,
                                   const void *context)
{
    const spare_borne *const b = context;
    return set_has(b->of, object) &&
           builtin_is_above(r->facts, object, b->base);
}

etna_code clause_spare_some(clause *c, uint32_t base, bool *ret_done)
{
    reader *r = c->r;
    const bool taken = r->memory.taken.count > 0;
    builtin_set some = {0}, there = {0};
    *ret_done = false;
    if (!c->things || (r->reading->count == r->first_move && !taken))
        return ETNA_OK;
    etna_code code = spare_find_some(c, &some);
    const spare_borne borne = {.of = &some, .base = base};
    if (code == ETNA_OK && some.count > 0 && base != BUILTIN_NONE)
        code = set_filter(r, object_is_spared_there, &borne, &there);
    if (code != ETNA_OK || some.count == 0)
        return code;
    /* "leave two plates on the desk", where there is none: they go there */
    if (base != BUILTIN_NONE && there.count < some.need)
        return ETNA_OK;
    *ret_done = true;
    if (base != BUILTIN_NONE && there.count == some.need)
        return moves_spare_these(r, &there);
    if (base != BUILTIN_NONE && there.count < some.count)
        return spare_refuse_some(c);
    return taken ? taken_spare_some(c, &some) : moves_spare_some(c, &some);
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
    bool some = false;
    etna_code code = clause_spare_some(c, BUILTIN_NONE, &some);
    if (code == ETNA_OK && !some)
        code = moves_spare(c);
    if (code == ETNA_OK && !some)
        code = taken_spare(c);
    if (code != ETNA_OK || some || !c->things)
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

/* "The books in the bin, leave only one on the table": of what is there. */
static etna_code clause_keep_some(clause *c, bool *ret_some)
{
    reader *r = c->r;
    const condition *const on =
        c->d.relation_count == 1 ? &c->d.relations[0] : NULL;
    const refer_scope place = {.on = BUILTIN_NONE, .flat = true};
    uint32_t base = BUILTIN_NONE;
    if (!on || !on->what || !bit_is_in(on->relation, BIT(REL_ON) | BIT(REL_IN)))
        return ETNA_OK;
    const etna_code code = refer_peek_one(r, on->what, &place, &base);
    if (code == ETNA_E_NOMEM)
        return reader_no_memory(r);
    if (code != ETNA_OK || base >= r->facts->object_count)
        return ETNA_OK;
    return clause_spare_some(c, base, ret_some);
}

/* "Keep one back": where it is, and no way to go. */
static bool keep_is_back(const clause *c)
{
    const chart_node *const shift = c->d.shift;
    return c->verb == VERB_KEEP && shift && !chart_find(shift, "DIST") &&
           shift->end == shift->first + 1 &&
           reader_word_is(c->r, shift->first, "back");
}

etna_code clause_keep(clause *c)
{
    const details *d = &c->d;
    const bool way = d->shift && !keep_is_back(c);
    bool moved = details_have_places(d) || way || d->face;
    /* "leave 20 cm between its edge and the wall" keeps nothing where it is */
    if (chart_find(c->said, "DIST") && (!moved || !c->things))
        return clause_refuse_all(c);
    if (!moved || d->stays || clause_says_own_place(c))
        return clause_spare(c); /* "leave the rest" */
    bool some = false;
    etna_code code = clause_keep_some(c, &some);
    if (code != ETNA_OK || some)
        return code;
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
