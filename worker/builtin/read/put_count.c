/* How many are to be somewhere, where some of them are there already: "put two
 * tins on the bench", "another two tins", "only one tin on the bench". */
#include "worker/builtin/read/put_internal.h"
#include "worker/builtin/read/refer_internal.h"
#include "worker/builtin/read/set.h"
#include "worker/builtin/read/trait.h"

#include <math.h>

/* Of the move's things those that are where it leads. */
static bool object_is_there(const reader *r,
                            uint32_t object,
                            const void *context)
{
    const builtin_move *const m = context;
    if (!set_has(&m->objects, object) ||
        !builtin_is_above(r->facts, object, m->reference))
        return false;
    const double foot = builtin_foot(object_at(r, object));
    return m->level == 0 ||
           !(builtin_off_level(r->facts, m->reference, m->level, foot) > 0);
}

/* Is a word before the number, or the one before the phrase, of the class? */
static bool put_counts_by(const put *p, const char *class)
{
    const chart_node *const things = phrase_thing(p->c->things);
    for (uint32_t i = 0; i < things->child_count; i++) {
        const chart_node *const child = things->children[i];
        if (node_is(child, "CORE"))
            break;
        if (node_lists(p->r, child, class))
            return true;
    }
    /* "there should be only", as it may have been read without that */
    const uint32_t first = p->r->part->first + things->first;
    return first > 0 && lexicon_lists(class, p->r->s->tokens[first - 1].text);
}

/* Those of them that are elsewhere go there. Where all are there it is so. */
static etna_code put_count_others(put *p, const builtin_set *there)
{
    builtin_set *const all = &p->m.objects;
    const uint32_t need = all->need;
    builtin_set others = {0};
    etna_code code = set_without(p->r, all, there, &others);
    if (code != ETNA_OK || others.count == 0)
        return code;
    if (others.count < need)
        return reader_refuse_finally(
            p->r, clause_refuse(p->c, "fewer than so many are elsewhere"));
    others.need = need;
    *all = others;
    return ETNA_OK;
}

/* Those that are too many leave. */
static void put_count_surplus(put *p, const builtin_set *there)
{
    const uint32_t need = p->m.objects.need;
    p->m.relation = RELATION_OFF;
    p->m.objects = *there;
    p->m.objects.need = there->count - need;
}

/* "Only two crates next to the ladder", where three are: what leaves has no
 * place. */
static etna_code put_count_by(put *p)
{
    const builtin_set *const all = &p->m.objects;
    const bool one = p->d->relation_count == 1 && p->d->zone_count == 0;
    uint32_t there = 0;
    if (!one || !p->c->things || all->need == all->count ||
        !put_counts_by(p, "count: only"))
        return ETNA_OK;
    for (uint32_t i = 0; i < all->count; i++) {
        double way = INFINITY;
        const etna_code code =
            where_holds(p->r, p->d->relations[0].node, all->objects[i], &way);
        if (code != ETNA_OK)
            return code;
        there += isfinite(way) ? 1 : 0;
    }
    if (there <= all->need)
        return ETNA_OK;
    return reader_refuse_finally(
        p->r, clause_refuse(p->c, "more than so many are there already"));
}

/* Is it told of as many as are there, in a place where things are counted? */
static bool put_is_counted(const put *p)
{
    const builtin_move *const m = &p->m;
    const bool onto = m->relation == RELATION_ON || m->relation == RELATION_IN;
    const bool plain = m->each.count == 0 && m->also_count == 0 && !m->alone;
    return onto && plain && p->c->things && put_is_object(p, m->reference) &&
           m->objects.need < m->objects.count &&
           !object_is_ground(p->r, m->reference);
}

/* Does the text go on with the rest of them? */
static bool put_tells_rest(const put *p)
{
    const reader *const r = p->r;
    for (uint32_t at = r->part->first + p->c->said->end; at < r->s->token_count;
         at++) {
        if (lexicon_lists("spare: rest", r->s->tokens[at].text))
            return true;
    }
    return false;
}

etna_code put_skip_asked(put *p)
{
    reader *const r = p->r;
    builtin_set *const all = &p->m.objects;
    builtin_set left = *all;
    if (all->need == all->count)
        return ETNA_OK;
    for (uint32_t i = r->first_move; i < r->reading->count; i++) {
        const builtin_set *const moved = &r->reading->moves[i].objects;
        const bool whole = moved->need == moved->count;
        const etna_code code =
            whole ? set_without(r, &left, moved, &left) : ETNA_OK;
        if (code != ETNA_OK)
            return code;
    }
    const uint32_t need = all->need;
    if (left.count == all->count || left.count < need)
        return ETNA_OK;
    left.need = need;
    *all = left;
    return ETNA_OK;
}

/* "At most two": those that are there, but no more than so many. */
static etna_code put_count_most(put *p, const builtin_set *there)
{
    if (there->count > p->m.objects.need) {
        put_count_surplus(p, there);
        return ETNA_OK;
    }
    p->done = there->count == 0;
    if (p->done)
        reader_remark(p->r, p->c->said);
    else
        p->m.objects = *there;
    return ETNA_OK;
}

etna_code put_count(put *p)
{
    builtin_set there = {0};
    if (!put_is_counted(p))
        return put_count_by(p);
    if (put_counts_by(p, "count: least"))
        return ETNA_OK;
    const uint32_t need = p->m.objects.need;
    const quantity said = phrase_quantity(phrase_thing(p->c->things));
    etna_code code = set_filter(p->r, object_is_there, &p->m, &there);
    if (code != ETNA_OK)
        return code;
    const bool too_many = there.count > need;
    if (put_counts_by(p, "count: most"))
        return put_count_most(p, &there);
    if (put_counts_by(p, "count: only")) {
        if (too_many)
            put_count_surplus(p, &there);
        return ETNA_OK;
    }
    /* "one cup on the tray, the rest on the table": as it stands */
    if (put_tells_rest(p) && !too_many)
        return ETNA_OK;
    const bool more = said.number > 0 && ((said.says & SAYS_OTHER) ||
                                          put_counts_by(p, "count: more"));
    if (more || (clause_puts(p->c) && there.count >= need))
        return put_count_others(p, &there);
    /* "two of them stay on the table": that bounds the others */
    if (too_many && said.number > 1 && !clause_keeps(p->c))
        return reader_refuse_finally(
            p->r, clause_refuse(p->c, "more than so many are there already"));
    return ETNA_OK;
}
