/* Places that are several things: each thing goes to its own, to the nearest of
 * them, or to where most of them stand. */
#include "worker/builtin/read/put_internal.h"
#include "worker/builtin/read/refer_internal.h"
#include "worker/builtin/read/set.h"
#include "worker/builtin/read/trait.h"

/* Others on the floor: by the nearest of them. */
static etna_code put_beside_others(put *p, const builtin_set *others)
{
    p->m.each = (builtin_set){0};
    p->m.relation = RELATION_BESIDE;
    p->m.reference = set_nearest(p->r, others, p->movers->objects[0]);
    return ETNA_OK;
}

/* The board on which all of them stand that stand on the base; 0: there is
 * none, or the base has but one. */
static uint32_t others_level(const reader *r,
                             const builtin_set *others,
                             uint32_t base)
{
    const uint32_t levels = builtin_levels(r->facts, base);
    for (uint32_t level = 1; levels > 1 && level <= levels; level++) {
        bool all = true;
        for (uint32_t i = 0; i < others->count && all; i++) {
            const uint32_t other = others->objects[i];
            const double bottom =
                object_at(r, other)->centre[2] - object_at(r, other)->half[2];
            all = !builtin_stands_on(r->facts, other, base) ||
                  !(builtin_off_level(r->facts, base, level, bottom) > 0);
        }
        if (all)
            return level;
    }
    return 0;
}

typedef struct bearing {
    const builtin_set *of;
    uint32_t base;
} bearing;

static bool object_is_borne(const reader *r,
                            uint32_t object,
                            const void *context)
{
    const bearing *b = context;
    return set_has(b->of, object) &&
           builtin_is_above(r->facts, object, b->base);
}

/* Where they stand, and beside the nearest of those that stand there: all of
 * the base is not with them. */
static etna_code put_in_their_company(put *p,
                                      const builtin_set *others,
                                      uint32_t base)
{
    const bearing borne = {.of = others, .base = base};
    builtin_set there = {0};
    etna_code code = set_filter(p->r, object_is_borne, &borne, &there);
    if (code != ETNA_OK)
        return code;
    p->m.reference = set_nearest(p->r, &there, p->movers->objects[0]);
    p->m.support = base;
    return ETNA_OK;
}

etna_code put_with_others(put *p)
{
    builtin_move *m = &p->m;
    const builtin_set others = m->each;
    uint32_t base = BUILTIN_NONE, most = 0;
    if (m->relation != RELATION_GROUP || others.count < 2 ||
        !put_is_object(p, m->reference))
        return ETNA_OK;
    for (uint32_t i = 0; i < others.count; i++) {
        const builtin_object *o = object_at(p->r, others.objects[i]);
        uint32_t same = 0;
        for (uint32_t k = 0; k < others.count && o->by_count; k++)
            same += builtin_stands_on(p->r->facts, others.objects[k], o->by[0]);
        if (same <= most)
            continue;
        most = same;
        base = o->by[0];
    }
    if (base == BUILTIN_NONE || object_is_ground(p->r, base))
        return put_beside_others(p, &others);
    m->each = (builtin_set){0};
    m->level = others_level(p->r, &others, base);
    return put_in_their_company(p, &others, base);
}

/* Metres. Of a seat it counts where it looks, too (seat_way): it belongs to the
 * table before it rather than to one behind. */
static double rank_own(const reader *r, uint32_t object, const void *context)
{
    const uint32_t *mover = context;
    return object_is_seat(r, *mover) ? seat_way(r, *mover, object)
                                     : object_way(r, object, *mover);
}

/* Which of several is the mover's own; one that is said is that of all. */
static uint32_t own_of(const put *p, uint32_t mover)
{
    if (p->m.each.count == 0)
        return p->m.reference;
    return set_least(p->r, &p->m.each, rank_own, &mover);
}

/* "Each bear on its own bed", where two of them are nearest to one: a bed for
 * each is asked for, and not the nearest. */
static bool own_is_shared(const put *p)
{
    const builtin_set *const movers = &p->m.objects;
    const uint32_t for_one =
        BIT(RELATION_ON) | BIT(RELATION_IN) | BIT(RELATION_FRONT);
    if (!phrase_is_own(p->r, p->d->relations[0].what) ||
        !bit_is_in(p->m.relation, for_one))
        return false;
    for (uint32_t i = 0; i < movers->count; i++) {
        for (uint32_t k = 0; k < i; k++) {
            if (own_of(p, movers->objects[i]) == own_of(p, movers->objects[k]))
                return true;
        }
    }
    return false;
}

/* "Each car on its own shelf", where there is one shelf. */
static bool own_is_one(const put *p)
{
    const clause *const c = p->c;
    bool each = false;
    for (uint32_t at = c->said->first; at < c->said->end; at++)
        each = each || reader_lists(c->r, at, "put: each");
    return each && p->m.each.count <= 1 && p->m.objects.count > 1 &&
           own_is_shared(p);
}

etna_code put_to_own(put *p)
{
    static const char fewer[] =
        "there are fewer of these than each of them needs";
    const builtin_move *m = &p->m;
    if (p->d->relation_count == 0 ||
        !node_says(p->d->relations[0].what, "$det", BIT(DET_ITS)))
        return ETNA_OK;
    if (own_is_one(p))
        return clause_refuse(p->c, fewer);
    if (m->each.count <= 1)
        return ETNA_OK;
    if (own_is_shared(p) && m->each.count < m->objects.count)
        return clause_refuse(p->c, fewer);
    if (own_is_shared(p))
        return set_deal(p->r, &m->objects, &m->each, &p->m.each);
    etna_code code = ETNA_OK;
    for (uint32_t i = 0; i < m->objects.count && code == ETNA_OK; i++) {
        builtin_move one = *m;
        one.objects = set_one(p->r, m->objects.objects[i]);
        one.reference = own_of(p, m->objects.objects[i]);
        one.each = (builtin_set){0};
        if (one.facing != FACING_NONE && set_has(&m->each, m->faced))
            one.faced = one.reference;
        code = move_add(p->r, &one);
    }
    p->done = true;
    return code;
}

etna_code put_before_seats(put *p)
{
    /* metres: what is higher and stands on the floor stays there */
    const double tableware = 0.2;
    const builtin_move *m = &p->m;
    if (m->relation != RELATION_FRONT || !p->movers->count)
        return ETNA_OK;
    uint32_t mover = p->movers->objects[0];
    bool high = 2 * object_at(p->r, mover)->half[2] > tableware;
    uint32_t table = high && object_is_on_floor(p->r, mover)
                         ? BUILTIN_NONE
                         : setting_table(p->r, m);
    if (table == BUILTIN_NONE)
        return ETNA_OK;
    const builtin_set seats =
        m->each.count ? m->each : set_one(p->r, m->reference);
    p->done = true;
    return setting_add(p->c, table, &seats, seats.count, &m->objects);
}

/* How many each gets: "two cups on each table", "two cups each on the tables",
 * "the cups on the tables, two on each". 0: that is not said. */
static uint32_t put_number_of_each(const put *p)
{
    const chart_node *const dealt = p->d->each_number;
    const chart_node *const things = p->c->things;
    if (dealt)
        return node_value(dealt, "$num") / 1000;
    const bool goes_on = things && things->end < p->r->s->token_count;
    if (goes_on && reader_word_is(p->r, things->end, "each"))
        return phrase_number(things);
    for (uint32_t i = 0; i < p->d->relation_count; i++) {
        const chart_node *const what = p->d->relations[i].what;
        if (what && phrase_is_each(what))
            return phrase_number(things);
    }
    return 0;
}

/* Is the thing of "two per table" what the place is told by already? */
static etna_code put_each_is_same(put *p)
{
    const chart_node *const dealt = p->d->each_number;
    const chart_node *const what = dealt ? node_things(dealt, 0) : NULL;
    refer_scope scope = refer_scope_place(NULL);
    scope.many = true;
    builtin_set named = {0};
    if (!what)
        return ETNA_OK;
    const etna_code code = refer_things(p->r, what, &scope, &named);
    if (code != ETNA_OK || set_is_within(&p->m.each, &named))
        return code;
    return clause_refuse_all(p->c);
}

/* "Two chairs at each table", "the cups on the tables, one per table". */
static etna_code put_several_up(put *p, uint32_t number)
{
    builtin_move *m = &p->m;
    const uint32_t need = number * m->each.count;
    const etna_code same = put_each_is_same(p);
    if (same != ETNA_OK)
        return same;
    /* a number of any size may be said */
    if (number > p->movers->count / m->each.count)
        return reader_refuse_finally(
            p->r, clause_refuse_too_few(p->c, p->movers, need));
    m->objects.need = need;
    m->each_number = number;
    return ETNA_OK;
}

etna_code put_pair_up(put *p)
{
    builtin_move *m = &p->m;
    const builtin_set *movers = p->movers;
    bool any_one = movers->count > 1 && movers->need == 1;
    const uint32_t number = m->each.count > 0 ? put_number_of_each(p) : 0;
    const bool is_dealt = p->d->each_number && number == 1;
    if ((number > 1 || is_dealt) && movers->count > 0)
        return put_several_up(p, number);
    if (m->each.count > movers->count && movers->count > 0)
        return clause_refuse_too_few(p->c, movers, m->each.count);
    if (any_one && m->each.count > 0)
        m->objects.need =
            m->objects.count < m->each.count ? m->objects.count : m->each.count;
    return ETNA_OK;
}

etna_code put_keep_there(put *p)
{
    builtin_move *m = &p->m;
    const bool onto = m->relation == RELATION_ON || m->relation == RELATION_IN;
    const bool some =
        m->objects.need < m->objects.count && put_is_object(p, m->reference);
    /* "the books in the bin, one stays on the table" */
    if (onto && some && clause_keeps(p->c))
        return clause_spare_some(p->c, m->reference, &p->done);
    const bool several =
        m->objects.count > 1 && m->objects.need == m->objects.count;
    const bool one_place =
        m->each.count == 0 && m->reference < p->r->facts->object_count;
    if (!onto || !several || !one_place || !clause_keeps(p->c))
        return ETNA_OK;
    const bearing borne = {.of = &m->objects, .base = m->reference};
    builtin_set there = {0};
    etna_code code = set_filter(p->r, object_is_borne, &borne, &there);
    if (code == ETNA_OK && there.count > 0)
        m->objects = there;
    return code;
}

/* Nobody asks for what is so already: another reading is likelier. "The bell next
 * to the computer on the desk", where it is on the desk, goes to the computer,
 * whatever that is called. */
static void put_cost_of_nothing(const put *p)
{
    enum {
        COST_OF_NOTHING = 15,
        COST_OF_PLACE = 300
    };
    const bool placed = p->c->things && chart_child(p->c->things, "MOD");
    bool all = p->m.objects.count > 0;
    for (uint32_t i = 0; i < p->m.objects.count && all; i++)
        all = builtin_stands_on(p->r->facts, p->m.objects.objects[i],
                                p->m.reference);
    if (all)
        p->r->cost += placed ? COST_OF_PLACE : COST_OF_NOTHING;
}

/* Is what the move puts things by away from what they are to stand on? */
static bool place_is_far(const put *p, uint32_t reference)
{
    const double close = 0.4; /* metres */
    const uint32_t support = p->m.support;
    return reference < p->r->facts->object_count && reference != support &&
           !builtin_is_above(p->r->facts, reference, support) &&
           object_way(p->r, reference, support) >= close;
}

/* "The phone next to the bed on the desk": what is to stand on the one can hardly
 * be next to the other, unless that stands there too or is close to it. Nor can
 * "the plates at chairs A and B on the sideboard", far from both. */
static etna_code put_check_far(const put *p)
{
    enum {
        COST_OF_FAR = 40
    };
    const builtin_move *const m = &p->m;
    const bool each = m->each.count > 1;
    const bool by = m->relation == RELATION_BESIDE ||
                    (each && m->relation == RELATION_FRONT);
    if (!by || m->support >= p->r->facts->object_count)
        return ETNA_OK;
    bool far = each || place_is_far(p, m->reference);
    for (uint32_t i = 0; i < m->each.count; i++)
        far = far && place_is_far(p, m->each.objects[i]);
    if (far && each)
        return clause_refuse(p->c, "what it is to be by is far from there");
    p->r->cost += far ? COST_OF_FAR : 0;
    return ETNA_OK;
}

etna_code put_one_elsewhere(put *p)
{
    builtin_move *m = &p->m;
    bool onto = m->relation == RELATION_ON || m->relation == RELATION_IN;
    const bool has_more = m->each.count > 0 || m->also_count > 0;
    const bool placed = p->c->things && chart_child(p->c->things, "MOD");
    etna_code code = put_check_far(p);
    if (code != ETNA_OK || !onto || has_more || m->alone)
        return code;
    if (!clause_puts(p->c)) {
        if (p->r->is_elliptic && placed)
            put_cost_of_nothing(p);
        return ETNA_OK;
    }
    code = movers_take_one_elsewhere(p->c, m->reference, &m->objects);
    if (code == ETNA_OK)
        put_cost_of_nothing(p);
    return code;
}

/* The place between two that is said, as the move's own or one that must hold
 * besides. False: there is none. */
static bool move_between(const builtin_move *m, uint32_t ret[2])
{
    bool found = m->relation == RELATION_BETWEEN;
    ret[0] = m->reference;
    ret[1] = m->second;
    for (uint32_t i = 0; i < m->also_count && !found; i++) {
        found = m->also[i].relation == RELATION_BETWEEN;
        ret[0] = m->also[i].reference;
        ret[1] = m->also[i].second;
    }
    return found;
}

etna_code put_both_gaps(put *p)
{
    const chart_node *const said = p->d->both_gaps;
    uint32_t two[2];
    double most;
    if (!said)
        return ETNA_OK;
    const chart_node *const dist = chart_find(said, "DIST");
    if (!dist || !move_between(&p->m, two))
        return clause_refuse(p->c, "from which two is not clear");
    builtin_condition apart = {.relation = RELATION_BESIDE,
                               .second = BUILTIN_NONE,
                               .gap = where_metres(p->r, dist, &most),
                               .bound = details_bound(dist)};
    if (most > apart.gap)
        return clause_refuse(p->c, "how far that is to be is not clear");
    /* "20 cm free on each side": more room is no less free */
    if (apart.bound == BOUND_NONE && chart_find(said, "CLEARBY"))
        apart.bound = BOUND_LEAST;
    etna_code code = ETNA_OK;
    for (int i = 0; i < 2 && code == ETNA_OK; i++) {
        apart.reference = two[i];
        code = move_add_condition(p->r, &p->m, apart);
    }
    return code;
}

/* "The other", "the other crate". */
static bool phrase_is_other(const chart_node *what)
{
    return what && node_is(what, "THING") && !chart_child(what, "MOD") &&
           (phrase_quantity(what).says & SAYS_OTHER) &&
           !phrase_quantity(what).number;
}

/* "One of the two crates on the other": either; the larger is rather below. */
etna_code put_one_by_other(put *p)
{
    const builtin_set *const two = p->movers;
    const condition *const to = &p->d->relations[0];
    const bool any = two->count == 2 && two->need == 1;
    if (!any || p->d->relation_count != 1 || p->d->zone_count > 0 ||
        !phrase_is_other(to->what))
        return ETNA_OK;
    const bool wider =
        object_area(p->r, two->objects[0]) > object_area(p->r, two->objects[1]);
    const bool upon = bit_is_in(to->relation, BIT(REL_ON) | BIT(REL_IN));
    p->c->movers = set_one(p->r, two->objects[upon && wider ? 1 : 0]);
    p->r->moving = p->c->movers;
    p->m.objects = p->c->movers;
    return ETNA_OK;
}
