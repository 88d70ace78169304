/* Verbs that do not simply put things somewhere: taking up, clearing, keeping,
 * trading places, giving. */
#include "worker/builtin/read/clause.h"
#include "worker/builtin/read/set.h"
#include "worker/builtin/read/side.h"
#include "worker/builtin/read/trait.h"

/* "Clear the cups onto the tray", "take the cup to the table": as if "put" were
 * said. */
static etna_code clause_put_found(clause *c)
{
    etna_code code = movers_find(c, c->things, &c->movers);
    c->verb = VERB_PUT;
    return code == ETNA_OK ? clause_put(c) : code;
}

/* ---- clear ---- */

typedef struct clearing {
    uint32_t base, level;
    builtin_set kept;
} clearing;

/* Stands on the base (at that level) and carries nothing that stays. */
static bool object_is_cleared(const reader *r,
                              uint32_t object,
                              const void *context)
{
    const clearing *from = context;
    const builtin_object *o = object_at(r, object);
    if (o->is_static || set_has(&from->kept, object) ||
        !builtin_stands_on(r->facts, object, from->base))
        return false;
    double bottom = builtin_foot(o);
    if (from->level &&
        builtin_off_level(r->facts, from->base, from->level, bottom) > 0)
        return false;
    for (uint32_t k = 0; k < from->kept.count; k++) {
        if (builtin_is_above(r->facts, from->kept.objects[k], object))
            return false; /* it carries what stays */
    }
    return true;
}

/* A thing that others stand on, or a board of it. */
static etna_code laden_find(reader *r,
                            const chart_node *what,
                            uint32_t *ret_base,
                            uint32_t *ret_level)
{
    const refer_scope laden = {.on = BUILTIN_NONE, .flat = true, .laden = true};
    const builtin_set none = {0};
    bool is_level = false;
    etna_code code =
        refer_level(r, what, &none, &is_level, ret_base, ret_level);
    return code == ETNA_OK && !is_level ? refer_one(r, what, &laden, ret_base)
                                        : code;
}

/* What is cleared and what stays there. */
static etna_code clearing_find(clause *c, clearing *ret)
{
    reader *r = c->r;
    const refer_scope any = {.on = BUILTIN_NONE, .many = true};
    bool excepts = node_is(c->things, "EXCEPT");
    const chart_node *of = excepts ? c->things->children[0] : c->things;
    const chart_node *but = excepts ? node_phrase(c->things, 1) : c->d.except;
    *ret = (clearing){.base = BUILTIN_NONE};
    etna_code code = laden_find(r, of, &ret->base, &ret->level);
    if (code != ETNA_OK)
        return code;
    if (ret->base >= r->facts->object_count)
        return reader_refuse(r, CODE_UNREAD, c->said,
                             "what is to be cleared is not said");
    code = but ? refer_things(r, but, &any, &ret->kept) : ETNA_OK;
    /* "except for one plate", of four */
    if (code == ETNA_OK && ret->kept.need < ret->kept.count)
        return reader_refuse_said(r, CODE_AMBIGUOUS, but,
                                  "which of them is to stay is not said");
    return code;
}

/* Where what is cleared goes, as the clause says. */
static etna_code clearing_lead(clause *c, builtin_move *m)
{
    destinations at;
    etna_code code =
        destinations_gather(c->r, &c->d, &c->movers, VERB_PUT, &at);
    if (code == ETNA_OK && at.count)
        code = destinations_apply(c->r, c->said, &at, &c->movers, m);
    return code;
}

/* All that stands on a thing, but for what is to stay; anywhere, or where it is
 * said. */
etna_code clause_clear(clause *c)
{
    reader *r = c->r;
    clearing from;
    etna_code code = clearing_find(c, &from);
    if (code == ETNA_OK)
        code = set_filter(r, object_is_cleared, &from, &c->movers);
    if (code != ETNA_OK)
        return code;
    const builtin_object *base = object_at(r, from.base);
    bool floor = base->is_static && refer_floor(r->facts) == from.base;
    if (floor && c->movers.count > 0)
        return clause_refuse(c, "what is to leave the floor is not said");
    if (c->movers.count == 0)
        return reader_refuse(
            r, CODE_IMPOSSIBLE, c->said,
            "nothing stands on %.200s that could be cleared away", base->name);
    builtin_move m = move_plain(c, RELATION_OFF);
    m.reference = from.base;
    m.level = from.level;
    if (details_have_destination(&c->d))
        code = clearing_lead(c, &m);
    if (code != ETNA_OK)
        return code;
    r->memory.context = from.base;
    r->memory.last_reference = from.base;
    r->memory.last = c->movers;
    return move_add(r, &m);
}

/* What of the things on it is to leave: "of its plates"; NULL: that is not
 * said. */
static const chart_node *clearing_of(const clause *c)
{
    return node_is(c->things, "THING") ? chart_child(c->things, "OF") : NULL;
}

bool clause_clears_of(const clause *c)
{
    static const char *const words[] = {"clear", "rid", "empty", "free",
                                        "strip"};
    const chart_node *verb = chart_child(c->said, "$verb");
    for (size_t i = 0;
         verb && clearing_of(c) && i < sizeof words / sizeof words[0]; i++) {
        if (reader_word_is(c->r, verb->first, words[i]))
            return true;
    }
    return false;
}

/* The phrase without what is said of its things. ETNA_E_NOMEM. */
static etna_code phrase_without(reader *r,
                                const chart_node *phrase,
                                const chart_node *part,
                                chart_node *ret)
{
    const chart_node **kept =
        etna_arena_alloc(r->arena, phrase->child_count + 1u, sizeof *kept);
    uint32_t count = 0;
    if (!kept)
        return reader_no_memory(r);
    for (uint32_t i = 0; i < phrase->child_count; i++) {
        if (phrase->children[i] != part)
            kept[count++] = phrase->children[i];
    }
    *ret = *phrase;
    ret->children = kept;
    ret->child_count = count;
    return ETNA_OK;
}

/* "Clear the table of plates and glasses": those of its things, and no
 * others. */
etna_code clause_clear_of(clause *c)
{
    reader *r = c->r;
    const chart_node *of = clearing_of(c);
    builtin_move m = move_plain(c, RELATION_OFF);
    refer_scope there = refer_scope_movers();
    chart_node base;
    there.many = true;
    etna_code code = phrase_without(r, c->things, of, &base);
    if (code == ETNA_OK)
        code = laden_find(r, &base, &m.reference, &m.level);
    if (code != ETNA_OK)
        return code;
    if (m.reference >= r->facts->object_count)
        return clause_refuse(c, "from what is not clear");
    there.on = m.reference;
    there.on_level = m.level;
    code = refer_things(r, node_phrase(of, 0), &there, &c->movers);
    if (code != ETNA_OK)
        return code;
    r->memory.context = r->memory.last_reference = m.reference;
    r->memory.last = r->memory.named = m.objects = c->movers;
    c->verb = VERB_PUT;
    return details_have_destination(&c->d) ? clause_put(c) : move_add(r, &m);
}

/* ---- remove ---- */

/* "The cups on one tray": is each of them there at all? */
static etna_code removal_check(const clause *c, const builtin_move *m)
{
    /* metres: what is farther away is not on it, nor does it hang there */
    const double apart = 0.4;
    reader *r = c->r;
    const bool all = m->objects.need == m->objects.count;
    for (uint32_t i = 0; i < m->objects.count; i++) {
        const uint32_t object = m->objects.objects[i], base = m->reference;
        const builtin_object *o = object_at(r, object), *b = object_at(r, base);
        if (builtin_is_above(r->facts, object, base))
            continue;
        if (all && !o->attached)
            return reader_refuse(r, CODE_UNKNOWN, c->said,
                                 "%.100s does not stand on %.100s", o->name,
                                 b->name);
        if (object_way(r, object, base) >= apart)
            return reader_refuse(r, CODE_UNKNOWN, c->said,
                                 "%.120s is not on %.120s", o->name, b->name);
    }
    return ETNA_OK;
}

/* Off one of the places that are said. */
static etna_code removal_add(const clause *c,
                             const condition *from,
                             const chart_node *place,
                             builtin_set *all)
{
    reader *r = c->r;
    builtin_move m = move_plain(c, RELATION_OFF);
    etna_code code = laden_find(r, place, &m.reference, &m.level);
    if (code != ETNA_OK)
        return code;
    if (m.reference >= r->facts->object_count)
        return clause_refuse(c, "from what is not clear");
    if (m.level) {
        refer_scope there = refer_scope_movers();
        there.on = m.reference;
        there.on_level = m.level;
        code = refer_things(r, c->things, &there, &m.objects);
    } else {
        clause bare = *c;
        bare.d = (details){
            .relation_count = 1, .relations = {*from}, .except = c->d.except};
        bare.d.relations[0].what = place;
        code = movers_find(&bare, c->things, &m.objects);
    }
    if (code == ETNA_OK)
        code = removal_check(c, &m);
    if (code == ETNA_OK)
        code = move_add(r, &m);
    if (code == ETNA_OK)
        code = set_union(r, all, &m.objects, all);
    if (code != ETNA_OK)
        return code;
    r->memory.last = *all;
    r->memory.last_reference = m.reference;
    return ETNA_OK;
}

/* "Get rid of the plate on the table": where it is, and not where it is to go,
 * as after "put away" and "clear away". */
static bool removal_says_where_it_is(const clause *c)
{
    const uint32_t there = BIT(REL_ON) | BIT(REL_IN) | BIT(REL_AT) |
                           BIT(REL_UNDER) | BIT(REL_BESIDE) | BIT(REL_BEHIND);
    return clause_word_is(c, "$verb", "clause: discards") &&
           c->d.relation_count == 1 &&
           bit_is_in(c->d.relations[0].relation, there);
}

/* "take the cups off the table"; with a destination it is an ordinary move. */
etna_code clause_remove(clause *c)
{
    const condition *from = details_origin(&c->d, true);
    const chart_node *parts[CONJUNCTS_MAX];
    builtin_set all = {0};
    if (removal_says_where_it_is(c))
        return clause_refuse(c, "it does not say on what to put it");
    if (details_have_destination(&c->d))
        return clause_put_found(c);
    if (!from)
        return clause_refuse(c, "it does not say on what to put it");
    uint32_t count = node_conjuncts(from->what, parts);
    etna_code code = ETNA_OK;
    for (uint32_t i = 0; i < count && code == ETNA_OK; i++)
        code = removal_add(c, from, parts[i], &all);
    return code;
}

/* ---- keep ---- */

/* "The rest", "everything else": whatever no move takes along anyway. */
static bool things_are_the_rest(const reader *r, const chart_node *things)
{
    static const char *const words[] = {"rest", "else", "others", "remainder"};
    for (uint32_t at = things->first; at < things->end; at++) {
        for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
            if (reader_word_is(r, at, words[i]))
                return true;
        }
    }
    return false;
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

/* "The bottle on the floor may stay", of two bottles of which none is moved:
 * whichever it is, it stays. The refusal that was made stands where one of them
 * is. */
static etna_code spare_whichever(clause *c)
{
    reader *r = c->r;
    const reader refused = *r;
    const etna_error why = *r->err;
    const refer_scope any = {.on = BUILTIN_NONE, .many = true, .any = true};
    builtin_set of = {0};
    if (!node_is(c->said, "STATE") || strcmp(r->refusal.code, "ambiguous") != 0)
        return ETNA_E_INPUT;
    etna_code code = refer_things(r, c->things, &any, &of);
    const bool moved = code != ETNA_OK || moves_take_any(r, &of);
    *r = refused;
    *r->err = why;
    if (code == ETNA_E_NOMEM)
        return reader_no_memory(r);
    if (moved)
        return ETNA_E_INPUT;
    *r->err = (etna_error){0};
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
    builtin_set kept = {0};
    /* nothing is asked that could take it along */
    bool none = !c->things || reading->count == r->first_move;
    if (none || things_are_the_rest(r, c->things))
        return ETNA_OK;
    etna_code code = movers_find(c, c->things, &kept);
    r->memory = memory;
    if (code == ETNA_E_INPUT)
        return spare_whichever(c);
    for (uint32_t i = r->first_move; i < reading->count && code == ETNA_OK;) {
        builtin_move *m = &reading->moves[i];
        bool empty = false;
        code = move_spare(c, m, &kept, &empty);
        /* all else has a place of its own */
        if (code != ETNA_OK || !empty || reading->count <= r->first_move + 1) {
            i++;
            continue;
        }
        reading->count--;
        memmove(m, m + 1, (reading->count - i) * sizeof *m);
    }
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

/* What is to stay stays from here on; `asked`: something was asked before it. */
static etna_code things_spare(clause *c, bool asked)
{
    reader *r = c->r;
    const refer_scope any = {.on = BUILTIN_NONE, .many = true};
    builtin_set kept = {0};
    etna_code code = refer_peek_things(r, c->things, &any, &kept);
    if (code == ETNA_E_NOMEM)
        return reader_no_memory(r);
    /* "leave it there", of what was just put there */
    if (code != ETNA_OK || (asked && moves_take_any(r, &kept)))
        return ETNA_OK;
    if (kept.count == 1 && !asked)
        r->memory.last = kept;
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
    if (!moved || d->stays || clause_says_own_place(c))
        return clause_spare(c); /* "leave the rest" */
    c->verb = VERB_PUT;
    return clause_move_things(c);
}

/* ---- take ---- */

/* What all of them stand on, and no ground; BUILTIN_NONE: nothing. */
static uint32_t base_of_all(const reader *r, const builtin_set *things)
{
    uint32_t base = BUILTIN_NONE;
    for (uint32_t i = 0; i < things->count; i++) {
        const builtin_object *o = object_at(r, things->objects[i]);
        const uint32_t own = o->by_count == 1 ? o->by[0] : BUILTIN_NONE;
        if (own == BUILTIN_NONE || object_is_ground(r, own))
            return BUILTIN_NONE;
        if (i > 0 && own != base)
            return BUILTIN_NONE;
        base = own;
    }
    return base;
}

/* "Take away what is on the crate": off that. */
static void clause_take_up(const clause *c)
{
    reader_memory *memory = &c->r->memory;
    const bool placed = c->things && chart_child(c->things, "MOD");
    memory->last = memory->taken = memory->named = c->movers;
    if (placed && memory->context == BUILTIN_NONE)
        memory->context = base_of_all(c->r, &c->movers);
}

/* Some there are, and each stands on that. */
static bool set_all_stand_on(const reader *r,
                             const builtin_set *set,
                             uint32_t base)
{
    if (base >= r->facts->object_count)
        return false;
    for (uint32_t i = 0; i < set->count; i++) {
        if (!builtin_stands_on(r->facts, set->objects[i], base))
            return false;
    }
    return set->count > 0;
}

/* "Pick up the bowl on the cabinet": it is there already, and is taken from
 * there. */
static etna_code taken_where_it_is(const clause *c, bool *ret)
{
    reader *r = c->r;
    const refer_scope place = {.flat = true, .on = BUILTIN_NONE};
    const reader before = *r;
    details rest = c->d;
    uint32_t base;
    rest.relation_count = 0;
    *ret = false;
    bool only =
        c->d.relation_count == 1 && !c->d.shift && !details_have_places(&rest);
    if (!only ||
        !bit_is_in(c->d.relations[0].relation, BIT(REL_ON) | BIT(REL_IN)))
        return ETNA_OK;
    etna_code code = refer_one(r, c->d.relations[0].what, &place, &base);
    *ret = code == ETNA_OK && set_all_stand_on(r, &c->movers, base);
    if (*ret)
        r->memory.context = base;
    else
        *r = before;
    return code == ETNA_E_INPUT ? ETNA_OK : code;
}

/* "Take it down": no way to go. */
static bool shift_is_mere_way(const chart_node *shift)
{
    bool bare = shift && !chart_find(shift, "DIST");
    return bare && bit_is_in(node_value(shift, "$dir"),
                             BIT(DIR_DOWN) | BIT(DIR_UP) | BIT(DIR_AWAY));
}

/* "take it to the shelf". */
static etna_code clause_take_somewhere(clause *c)
{
    const builtin_set *movers = &c->movers;
    bool there = false;
    etna_code code = movers_find(c, c->things, &c->movers);
    if (code == ETNA_OK)
        code = taken_where_it_is(c, &there);
    c->verb = VERB_PUT;
    if (code == ETNA_OK && there)
        clause_take_up(c);
    if (code != ETNA_OK || there)
        return code;
    code = clause_put(c);
    if (code == ETNA_OK)
        c->r->memory.last = *movers;
    return code;
}

/* What was asked for one of several takes the very one that is taken: "give
 * table 3 a menu - take the one from table 2". */
static bool taken_was_asked_for(const clause *c)
{
    const builtin_reading *reading = c->r->reading;
    if (reading->count == 0 || c->movers.count != 1)
        return false;
    const builtin_set *before = &reading->moves[reading->count - 1].objects;
    return before->need == 1 && before->count > 1 &&
           set_has(before, c->movers.objects[0]);
}

/* Which of the bases bears it; BUILTIN_NONE: none does. */
static uint32_t base_of(const reader *r,
                        uint32_t object,
                        const builtin_set *bases)
{
    for (uint32_t i = 0; i < bases->count; i++) {
        if (builtin_is_above(r->facts, object, bases->objects[i]))
            return bases->objects[i];
    }
    return BUILTIN_NONE;
}

/* "Both cups off their saucers", each of which is on one of them: each leaves
 * its own. */
static etna_code clause_take_each(clause *c, const condition *origin, bool *ret)
{
    reader *r = c->r;
    const refer_scope many = {.on = BUILTIN_NONE, .many = true, .flat = true};
    builtin_set bases = {0};
    etna_code code = refer_peek_things(r, origin->what, &many, &bases);
    *ret = code == ETNA_OK && c->movers.count > 1 && bases.count > 1;
    for (uint32_t i = 0; i < c->movers.count && *ret; i++)
        *ret = base_of(r, c->movers.objects[i], &bases) != BUILTIN_NONE;
    if (!*ret)
        return code == ETNA_E_NOMEM ? code : ETNA_OK;
    builtin_move m = move_plain(c, RELATION_OFF);
    m.objects = c->movers;
    m.reference = base_of(r, c->movers.objects[0], &bases);
    m.leaves = bases;
    code = move_add(r, &m);
    r->memory.last = r->memory.named = c->movers;
    return code;
}

/* "Take the cup from the table and put it ...", where it is not: it stands
 * neither there nor close by. */
static etna_code taken_check_there(const clause *c, const condition *origin)
{
    const double close = 1.0; /* metres */
    reader *r = c->r;
    const uint32_t base = r->memory.context;
    const bool all = c->movers.need == c->movers.count;
    for (uint32_t i = 0; i < c->movers.count && all; i++) {
        const uint32_t object = c->movers.objects[i];
        if (base >= r->facts->object_count ||
            builtin_is_above(r->facts, object, base) ||
            object_way(r, object, base) < close)
            continue;
        etna_code code = reader_refuse(
            r, CODE_UNKNOWN, origin->node, "\"%s\": %.120s is not there",
            reader_said(r, origin->node), object_at(r, object)->name);
        r->refusal.is_final = true;
        return code;
    }
    return ETNA_OK;
}

/* Things taken up: the next clause says where to. */
static etna_code clause_take_from(clause *c)
{
    reader *r = c->r;
    const refer_scope flat = {.on = BUILTIN_NONE, .flat = true};
    const condition *origin = details_origin(&c->d, false);
    bool each = false;
    etna_code code = movers_find(c, c->things, &c->movers);
    /* else it is off there */
    const bool is_open = origin && r->memory.context == BUILTIN_NONE;
    if (code == ETNA_OK && is_open)
        code = clause_take_each(c, origin, &each);
    if (code != ETNA_OK || each)
        return code;
    if (is_open)
        code = refer_one(r, origin->what, &flat, &r->memory.context);
    if (code == ETNA_OK && is_open)
        code = taken_check_there(c, origin);
    if (code != ETNA_OK)
        return code;
    if (taken_was_asked_for(c))
        r->reading->moves[r->reading->count - 1].objects = r->memory.last =
            c->movers;
    else
        clause_take_up(c);
    return ETNA_OK;
}

etna_code clause_take(clause *c)
{
    if (shift_is_mere_way(c->d.shift))
        c->d.shift = NULL;
    if (details_lead_elsewhere(&c->d))
        return clause_take_somewhere(c);
    for (uint32_t i = 0; i < c->d.relation_count; i++) {
        if (node_is(c->d.relations[i].what, "AND"))
            return clause_remove(c);
    }
    return clause_take_from(c);
}

/* ---- trade, replace, give ---- */

/* Of the two, first the one that is said first. */
static etna_code traders_order(const clause *c, uint32_t pair[2])
{
    const refer_scope one = refer_scope_movers();
    const reader before = *c->r;
    uint32_t named;
    etna_code code = refer_one(c->r, c->things->children[0], &one, &named);
    if (code == ETNA_E_NOMEM)
        return code;
    if (code == ETNA_OK && named == pair[1]) {
        pair[1] = pair[0];
        pair[0] = named;
    } else {
        *c->r = before;
    }
    return ETNA_OK;
}

/* "It is too near to the table, increase the distance": that, and from what. */
static bool traders_complained_of(const reader *r, uint32_t ret[2])
{
    const builtin_set *last = &r->memory.last;
    const uint32_t from = r->memory.complained - 1;
    if (r->memory.complained == 0 || from >= r->facts->object_count ||
        last->count != 1 || last->objects[0] == from)
        return false;
    ret[0] = last->objects[0];
    ret[1] = from;
    return true;
}

/* "The vase is too close to the edge. Swap them": only the complaint names
 * two. */
static bool traders_are_unsaid(const clause *c)
{
    const reader_memory *memory = &c->r->memory;
    if (!c->things)
        return true;
    return phrase_is_pronoun(c->things, PRON_THEM) && memory->last.count == 1 &&
           memory->complained > 0;
}

/* Who trades places; false: it is not clear which two. */
static etna_code traders_find(const clause *c,
                              const condition *with,
                              uint32_t ret[2],
                              bool *ret_clear)
{
    reader *r = c->r;
    builtin_set a, b = {0};
    refer_scope scope = refer_scope_movers();
    if (traders_are_unsaid(c)) {
        *ret_clear = traders_complained_of(r, ret);
        return ETNA_OK;
    }
    scope.many = true;
    etna_code code = refer_things(r, c->things, &scope, &a);
    scope.many = false;
    scope.barred = &a;
    if (code == ETNA_OK && with)
        code = refer_things(r, with->what, &scope, &b);
    if (code != ETNA_OK)
        return code;
    *ret_clear =
        with ? a.count == 1 && b.count == 1 : a.count == 2 && a.need == 2;
    if (!*ret_clear)
        return ETNA_OK;
    ret[0] = a.objects[0];
    ret[1] = with ? b.objects[0] : a.objects[1];
    return !with && node_is(c->things, "AND") ? traders_order(c, ret) : ETNA_OK;
}

/* "The plates with the glasses", as one phrase: of the plates those that have
 * glasses with them, where two kinds were to trade places. */
static bool things_say_with(const clause *c)
{
    if (!c->things || !node_is(c->things, "THING"))
        return false;
    for (uint32_t i = c->things->first; i < c->things->end; i++) {
        if (reader_word_is(c->r, i, "with"))
            return true;
    }
    return false;
}

/* Two things trade places. */
etna_code clause_swap(clause *c)
{
    reader *r = c->r;
    const condition *with = NULL;
    uint32_t pair[2];
    bool clear = false;
    for (uint32_t i = 0; i < c->d.relation_count; i++) {
        if (bit_is_in(c->d.relations[i].relation, BIT(REL_WITH) | BIT(REL_TO)))
            with = &c->d.relations[i];
    }
    etna_code code = traders_find(c, with, pair, &clear);
    if (code != ETNA_OK)
        return code;
    if (!clear || (!with && things_say_with(c)))
        return clause_refuse(c, "which two are to trade places is not clear");
    const builtin_set one = set_one(r, pair[0]), other = set_one(r, pair[1]);
    builtin_move m = move_plain(c, RELATION_SWAP);
    m.objects = one;
    m.reference = pair[1];
    code = move_add(r, &m);
    return code == ETNA_OK ? set_union(r, &one, &other, &r->memory.last) : code;
}

/* First the one that is to move: which is said ("by moving the table"), else
 * the smaller. */
static etna_code pair_order(const clause *c, uint32_t pair[2])
{
    reader *r = c->r;
    const chart_node *said = node_things(c->said, 1);
    const refer_scope movers = refer_scope_movers();
    if (!c->things)
        return ETNA_OK; /* it is known what was complained of */
    uint32_t moving =
        object_area(r, pair[0]) < object_area(r, pair[1]) ? pair[0] : pair[1];
    r->memory.named = set_one(r, pair[0]);
    etna_code code = said ? refer_one(r, said, &movers, &moving) : ETNA_OK;
    if (code != ETNA_OK)
        return code;
    if (moving != pair[0] && moving != pair[1])
        return clause_refuse(c, "that is neither of the two");
    if (moving == pair[1]) {
        pair[1] = pair[0];
        pair[0] = moving;
    }
    return ETNA_OK;
}

/* "Leave 80 cm between the crates": the smaller goes so far from the other. */
etna_code clause_space(clause *c)
{
    reader *r = c->r;
    uint32_t pair[2];
    bool clear = false;
    etna_code code = traders_find(c, NULL, pair, &clear);
    if (code != ETNA_OK)
        return code;
    if (!clear)
        return clause_refuse(c, "between which two is not clear");
    builtin_move m = move_plain(c, RELATION_BESIDE);
    code = pair_order(c, pair);
    if (code != ETNA_OK)
        return code;
    m.objects = set_one(r, pair[0]);
    m.reference = pair[1];
    const chart_node *dist = chart_child(c->said, "DIST");
    m.gap = dist ? where_metres(r, dist, NULL) : 0; /* "no gap between" */
    m.bound = dist ? details_bound(dist) : BOUND_NONE;
    r->memory.last = m.objects;
    r->memory.last_reference = m.reference;
    return move_add(r, &m);
}

etna_code clause_close_up(clause *c)
{
    reader *r = c->r;
    const refer_scope movers = refer_scope_movers();
    builtin_move *m = reader_last_move(r);
    builtin_set things = {0};
    if (!m || !bit_is_in(m->relation, RELATIONS_ASIDE) || m->gap > 0)
        return clause_refuse_all(c);
    etna_code code = refer_things(r, c->things, &movers, &things);
    if (code != ETNA_OK)
        return code;
    const uint32_t other = m->reference;
    const bool same = set_is_within(&things, &m->objects);
    const bool pushed = things.count == 1 && things.objects[0] == other &&
                        m->objects.count == 1;
    if (!same && !pushed)
        return clause_refuse_all(c);
    if (pushed) { /* the other of the two is to move */
        m->reference = m->objects.objects[0];
        m->objects = things;
    }
    m->gap = 0;
    return ETNA_OK;
}

/* "Reduce the gap between the bed and the chair by 10 cm" */
etna_code clause_space_by(clause *c)
{
    static const char *const widening[] = {"increase", "widen"};
    reader *r = c->r;
    uint32_t pair[2];
    bool clear = false, away = false;
    etna_code code = traders_find(c, NULL, pair, &clear);
    if (code == ETNA_OK && !clear)
        return clause_refuse(c, "between which two is not clear");
    if (code == ETNA_OK)
        code = pair_order(c, pair);
    if (code != ETNA_OK)
        return code;
    for (size_t i = 0; i < sizeof widening / sizeof widening[0]; i++)
        away = away || reader_word_is(r, c->said->first, widening[i]);
    builtin_move m = move_plain(c, RELATION_SHIFT);
    m.objects = set_one(r, pair[0]);
    m.reference = pair[1];
    shift_toward(r, pair[0], pair[1],
                 where_metres(r, chart_child(c->said, "DIST"), NULL), away,
                 m.shift);
    r->memory.last = m.objects;
    return move_add(r, &m);
}

/* "..., spacing 5 cm", "equal gaps": of the row that was told of, or of the two
 * that stand beside each other. */
etna_code clause_space_last(clause *c)
{
    reader *r = c->r;
    builtin_move *m = reader_last_move(r);
    if (!m)
        return clause_refuse_all(c);
    const chart_node *dist = chart_find(c->said, "DIST");
    const bool aside =
        dist && m->gap < 0 && bit_is_in(m->relation, RELATIONS_ASIDE);
    if (m->relation != RELATION_LINE && !aside)
        return clause_refuse_all(c);
    const double metres = dist ? where_metres(r, dist, NULL) : -1;
    if (aside) {
        m->gap = metres;
        return ETNA_OK;
    }
    m->even = m->even || !dist;
    m->spacing = dist ? metres : m->spacing;
    return ETNA_OK;
}

/* "Replaced with the cup", "replaced by the cup" */
static bool replace_names_other(const clause *c, const condition *other)
{
    if (!other)
        return false;
    return other->relation == REL_WITH ||
           (chart_child(c->said, "$pp") &&
            reader_word_is(c->r, other->node->first, "by"));
}

/* "Replace the lamp with the cup", "substitute the cup for the lamp", "the lamp
 * should be replaced by the cup": the cup goes where the lamp is. */
etna_code clause_replace(clause *c)
{
    reader *r = c->r;
    const condition *other = c->d.relation_count ? &c->d.relations[0] : NULL;
    if (!replace_names_other(c, other))
        return clause_refuse(c, "it does not say by what to replace it");
    const refer_scope movers = refer_scope_movers(),
                      place = {.on = BUILTIN_NONE};
    const bool replaces = c->verb == VERB_REPLACE;
    builtin_move m = move_plain(c, RELATION_PLACE);
    etna_code code = refer_things(r, replaces ? other->what : c->things,
                                  &movers, &m.objects);
    if (code == ETNA_OK)
        code = refer_one(r, replaces ? c->things : other->what, &place,
                         &m.reference);
    if (code != ETNA_OK)
        return code;
    r->memory.last = r->memory.named = m.objects;
    r->memory.last_reference = m.reference;
    return move_add(r, &m);
}

/* "Give table 3 a menu", "table 3 gets a menu", and not "make table 3 a
 * menu". */
static bool clause_gives(const clause *c)
{
    static const char *const giving[] = {"give", "hand",  "bring",
                                         "get",  "fetch", "send"};
    const chart_node *verb = chart_child(c->said, "$verb");
    if (!verb)
        return true; /* the grammar has only "gets" without a verb of ours */
    for (size_t i = 0; i < sizeof giving / sizeof giving[0]; i++) {
        if (reader_word_is(c->r, verb->first, giving[i]))
            return true;
    }
    return false;
}

/* "The sofa gets a cushion": on it, whatever stands before it. */
static bool lies_on_seats(const reader *r, uint32_t object)
{
    static const char *const kinds[] = {"cushion", "animal", "clothing",
                                        "bedclothes", "toy"};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (object_is_kind(r, object, kinds[i]))
            return true;
    }
    return false;
}

/* "The table wants a vase in the middle" says where, and not which. */
static bool give_says_where(const chart_node *what)
{
    const chart_node *mod = chart_child(what, "MOD");
    return mod && mod->child_count > 0 && node_is(mod->children[0], "ZONE");
}

/* "Chair 1 gets a plate": on the table in front of it, where it stands at one;
 * *ret_done false: it does not, or that is no place for it. */
static etna_code give_at_table(clause *c, bool *ret_done)
{
    reader *r = c->r;
    const reader before = *r;
    const etna_error why = *r->err;
    const uint32_t first = r->reading->count;
    const chart_node *what = node_things(c->said, 1);
    const chart_node *front[] = {terminal_make(r, "$rel", c->said, REL_FRONT),
                                 c->things};
    const chart_node *rel =
        front[0] ? node_make(r, "REL", c->said, front, 2) : NULL;
    const chart_node *parts[] = {what, rel};
    const chart_node *said = rel ? node_make(r, "DO", c->said, parts, 2) : NULL;
    *ret_done = false;
    if (!said)
        return reader_no_memory(r);
    clause put = {.r = r, .said = said, .things = what, .verb = VERB_PUT};
    details_gather(r, said, &put.d);
    etna_code code = clause_act(&put);
    const builtin_reading *reading = r->reading;
    const builtin_move *m = &reading->moves[first];
    *ret_done = code == ETNA_OK && reading->count == first + 1 &&
                m->relation == RELATION_SETTING &&
                !lies_on_seats(r, m->objects.objects[0]);
    if (*ret_done || code == ETNA_E_NOMEM)
        return code;
    *r = before;
    *r->err = why;
    r->reading->count = first;
    return ETNA_OK;
}

/* Do several get one each? */
static bool give_is_to_each(const clause *c)
{
    const chart_node *per = chart_child(c->said, "FOREACH");
    if (per && reader_word_is(c->r, per->first, "per"))
        return true;
    return phrase_is_each(c->things) || chart_child(c->said, "'each'");
}

/* "Both tables get a cup" */
static bool give_is_to_all(const clause *c)
{
    return node_says(c->things, "$quant", BIT(DET_BOTH) | BIT(DET_ALL));
}

/* "A cup for each table": what is given is named first. */
static etna_code give_turn_round(clause *c)
{
    const chart_node *per = chart_child(c->said, "FOREACH");
    const chart_node *parts[3] = {node_things(c->said, 1),
                                  node_things(c->said, 0), per};
    if (!per)
        return ETNA_OK;
    const chart_node *said = node_make(c->r, "GIVE", c->said, parts, 3);
    if (!said)
        return reader_no_memory(c->r);
    c->said = said;
    c->things = parts[0];
    return give_is_to_each(c) || give_is_to_all(c) ? ETNA_OK
                                                   : clause_refuse_all(c);
}

/* "The lamp needs the plant", and no word of what for. */
static bool give_is_need(const clause *c)
{
    static const char *const words[] = {"'needs'", "'need'",  "'takes'",
                                        "'take'",  "'wants'", "'lacks'",
                                        "'lack'",  "'misses'"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (chart_child(c->said, words[i]))
            return true;
    }
    return false;
}

/* "The shelf is for the books", "it should hold them" */
static bool give_bears(const clause *c)
{
    return chart_child(c->said, "BEARING") || chart_child(c->said, "MEANT");
}

/* Whatever "should carry" things has them on it, as far as they are to be told
 * from what it has in it. */
static builtin_relation give_relation(const clause *c,
                                      const builtin_set *objects,
                                      uint32_t reference)
{
    const reader *r = c->r;
    const builtin_relation to = preposition_to(r, objects, reference, REL_TO);
    const bool bears =
        chart_child(c->said, "BEARING") && object_bears_things(r, reference);
    return to == RELATION_BESIDE && bears ? RELATION_ON : to;
}

/* "every table a cup" */
static etna_code give_deal(clause *c, const builtin_set *each, builtin_move *m)
{
    m->each = *each;
    m->reference = each->objects[0];
    if (give_is_to_all(c) && m->objects.need != 1)
        return clause_refuse_all(c);
    if (m->objects.count < each->count)
        return clause_refuse_too_few(c, &m->objects, each->count);
    if (m->objects.need == 1)
        m->objects.need = each->count;
    return ETNA_OK;
}

/* What is given, and to what. */
static etna_code give_find(clause *c, builtin_move *m)
{
    reader *r = c->r;
    const refer_scope movers = refer_scope_movers();
    refer_scope place = refer_scope_place(NULL);
    builtin_set each = {0};
    place.many = give_is_to_all(c) || give_is_to_each(c);
    etna_code code = place.many
                         ? refer_things(r, c->things, &place, &each)
                         : refer_one(r, c->things, &place, &m->reference);
    if (code == ETNA_OK)
        code = refer_things(r, node_things(c->said, 1), &movers, &m->objects);
    return code == ETNA_OK && place.many ? give_deal(c, &each, m) : code;
}

/* Does the clause not say what for, or not where: "the lamp needs the plant",
 * "a cup for each chair" of chairs at no table? */
static bool give_is_vague(const clause *c, const builtin_move *m)
{
    const reader *r = c->r;
    const bool upon = give_is_need(c) || give_bears(c);
    const bool on_seats = chart_child(c->said, "FOREACH") &&
                          object_is_seat(r, m->reference) &&
                          !lies_on_seats(r, m->objects.objects[0]);
    return on_seats || (upon && m->relation == RELATION_BESIDE);
}

/* "give the table a cup". */
etna_code clause_give(clause *c)
{
    reader *r = c->r;
    bool done = false;
    builtin_move m = move_plain(c, RELATION_BESIDE);
    etna_code set = give_turn_round(c);
    if (set != ETNA_OK)
        return set;
    if (!clause_gives(c) || give_says_where(node_things(c->said, 1)))
        return clause_refuse_all(c);
    const bool takes = node_is(node_things(c->said, 1), "PRON");
    if (!takes && !give_bears(c))
        set = give_at_table(c, &done);
    if (set != ETNA_OK || done)
        return set;
    etna_code code = give_find(c, &m);
    if (code != ETNA_OK)
        return code;
    m.relation = give_relation(c, &m.objects, m.reference);
    if (give_is_vague(c, &m))
        return clause_refuse_all(c);
    r->memory.last = m.objects;
    r->memory.last_reference = m.reference;
    return move_add(r, &m);
}
