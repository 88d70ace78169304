/* One move of a clause's destinations: which of them is what the thing stands
 * on, which the chief one, and what must hold besides. */
#include "worker/builtin/read/destination.h"
#include "worker/builtin/read/refer_internal.h"
#include "worker/builtin/read/set.h"
#include "worker/builtin/read/side.h"
#include "worker/builtin/read/trait.h"

typedef struct destinations_roles { /* places in the list; BUILTIN_NONE: none */
    uint32_t chief, support;
} destinations_roles;

static bool destination_is_support(const destination *s)
{
    return s->relation == RELATION_ON && s->each.count == 0;
}

/* False: the thing would have to stand on several at once. */
static bool destinations_roles_find(const destinations *list,
                                    destinations_roles *ret)
{
    uint32_t supports = 0;
    *ret = (destinations_roles){BUILTIN_NONE, BUILTIN_NONE};
    for (uint32_t i = 0; i < list->count; i++) {
        const destination *s = &list->list[i];
        if (destination_is_support(s)) {
            bool again = ret->support != BUILTIN_NONE &&
                         list->list[ret->support].reference == s->reference;
            if (!again)
                supports++;
            ret->support = i;
        } else if (ret->chief == BUILTIN_NONE ||
                   list->list[ret->chief].relation == RELATION_TOWARD) {
            ret->chief = i;
        }
    }
    if (ret->chief == BUILTIN_NONE)
        ret->chief = ret->support;
    return supports <= 1;
}

/* What the move is about; the others become conditions. */
static void move_take_chief(builtin_move *m,
                            const destination *s,
                            bool everywhere)
{
    m->relation = s->is_shift ? RELATION_SHIFT : s->relation;
    m->reference = s->reference;
    m->second = s->second;
    m->sides = s->sides;
    m->gap = s->gap;
    m->bound = s->bound;
    m->exact = s->exact;
    m->level = s->level;
    m->each = everywhere ? (builtin_set){0} : s->each;
    m->there = s->there;
    if (s->is_shift)
        memcpy(m->shift, s->shift, sizeof m->shift);
    if (!s->faces || m->facing != FACING_NONE)
        return;
    m->facing = FACING_TO;
    m->faced = s->reference;
}

static void move_take_support(builtin_move *m, const destination *s)
{
    if (s->reference != m->reference)
        m->support = s->reference;
    if (s->level)
        m->level = s->level;
}

/* Does the move say it already, or is it too vague to be held to? */
static bool move_says(const builtin_move *m, const destination *s)
{
    const uint32_t vague = BIT(RELATION_TOWARD) | BIT(RELATION_AWAY);
    bool same = s->relation == m->relation && s->reference == m->reference;
    /* "30 cm from the left edge and 20 cm from the front edge" */
    const bool other_edge = s->relation == RELATION_EDGE && s->gap >= 0 &&
                            (s->sides & ~m->sides) != 0;
    same = same && !other_edge;
    return same || s->is_shift || bit_is_in(s->relation, vague);
}

/* A further destination: a field of the move, or one more condition of it. */
static void move_take_other(builtin_move *m,
                            const destination *s,
                            builtin_condition *also)
{
    bool distance = s->relation == RELATION_BESIDE && s->gap >= 0 &&
                    s->reference == m->reference;
    bool inside = s->relation == RELATION_IN && m->support == BUILTIN_NONE &&
                  m->relation != RELATION_PLACE;
    if (distance) { /* "left of the lamp, 10 cm from it" */
        if (m->gap < 0)
            m->bound = s->bound;
        if (m->gap < 0)
            m->gap = s->gap;
    } else if (move_says(m, s)) {
        return;
    } else if (s->there.count > 0 &&
               /* "..., where the chair and the plant are" */
               s->relation == RELATION_PLACE) {
        m->there = s->there;
    } else if (inside) {
        m->support = s->reference;
    } else {
        also[m->also_count++] = destination_condition(s);
    }
}

/* "Next to the plate and the glass": the others besides the first. */
static void move_take_each(builtin_move *m,
                           const destination *s,
                           builtin_condition *also)
{
    for (uint32_t i = 0; i < s->each.count; i++) {
        destination one = destination_plain(s->relation, s->each.objects[i]);
        one.gap = s->gap;
        one.bound = s->bound;
        if (one.reference != m->reference)
            also[m->also_count++] = destination_condition(&one);
    }
}

/* "Behind the sofa and half a metre to its left": what is so far off to the one
 * side is not before the other. */
static bool sides_are_off_corner(const destination *one,
                                 const destination *other)
{
    const uint32_t across = BIT(RELATION_LEFT) | BIT(RELATION_RIGHT);
    const uint32_t away = BIT(RELATION_FRONT) | BIT(RELATION_BEHIND);
    const bool corner =
        (bit_is_in(one->relation, across) &&
         bit_is_in(other->relation, away)) ||
        (bit_is_in(one->relation, away) && bit_is_in(other->relation, across));
    return corner && one->reference == other->reference &&
           (one->gap > 0 || other->gap > 0);
}

/* With the lamp and on it, left and right of it? */
static bool destinations_contradict(const destinations *list)
{
    static const builtin_relation pairs[][2] = {
        {RELATION_ON, RELATION_GROUP},
        {RELATION_LEFT, RELATION_RIGHT},
        {RELATION_FRONT, RELATION_BEHIND}};
    const destination *upon = destination_find(list, RELATION_ON);
    for (size_t i = 0; i < COUNT_OF(pairs); i++) {
        const destination *one = destination_find(list, pairs[i][0]);
        const destination *other = destination_find(list, pairs[i][1]);
        if (one && other && one->reference == other->reference)
            return true;
    }
    for (uint32_t i = 0; i + 1 < list->count; i++) {
        if (sides_are_off_corner(&list->list[i], &list->list[i + 1]))
            return true;
    }
    for (uint32_t i = 0; i < list->count && upon; i++) {
        const destination *aside = &list->list[i];
        if (bit_is_in(aside->relation, RELATIONS_ASIDE) &&
            aside->reference == upon->reference)
            return true;
    }
    return false;
}

/* Does the support stand beside that other thing, as the scene is? */
static bool support_is_beside(const reader *r,
                              const destination *s,
                              const destination *other)
{
    const uint32_t count = r->facts->object_count;
    if (s->relation != RELATION_ON || other->relation != RELATION_BESIDE)
        return false;
    if (s->reference >= count || other->reference >= count ||
        s->reference == other->reference)
        return false;
    const builtin_object *o = &r->facts->objects[s->reference];
    const builtin_move it = {
        .objects = {.count = 1, .objects = &s->reference, .need = 1},
        .relation = RELATION_BESIDE,
        .reference = other->reference,
        .gap = other->gap,
        .bound = other->bound,
        .second = BUILTIN_NONE,
        .support = BUILTIN_NONE,
        .faced = BUILTIN_NONE,
        .spacing = -1};
    const double foot[3] = {o->centre[0], o->centre[1], builtin_foot(o)};
    return !o->is_static &&
           builtin_misfit(r->facts, &it, s->reference, foot) <= 0;
}

/* "The shoes nearer to the bed on the stool" are rather those shoes than to go
 * two ways; "on the low table next to the couch" says which table where one
 * stands there. */
static uint32_t cost_of_two_ways(const reader *r, const destinations *list)
{
    enum {
        COST_TWO_WAYS = 15,
        COST_OF_NEIGHBOUR = 60
    };
    const bool both = destination_find(list, RELATION_ON) &&
                      destination_find(list, RELATION_TOWARD);
    bool is_told = false;
    for (uint32_t i = 0; i < list->count * list->count; i++)
        is_told = is_told || support_is_beside(r, &list->list[i / list->count],
                                               &list->list[i % list->count]);
    return (both ? COST_TWO_WAYS : 0) + (is_told ? COST_OF_NEIGHBOUR : 0);
}

/* One chief place, perhaps a support, and conditions. Places that contradict
 * each other are refused: a thing can stand in one place only. */
etna_code destinations_apply(reader *r,
                             const chart_node *clause,
                             const destinations *list,
                             const builtin_set *movers,
                             builtin_move *ret)
{
    destinations_roles roles;
    bool one_place = destinations_roles_find(list, &roles);
    const destination *s = &list->list[roles.chief];
    bool everywhere = s->each.count > 1 && movers->count == 1;
    one_place = one_place && !destinations_contradict(list);
    if (!one_place || (everywhere && bit_is_in(s->relation, RELATIONS_UPON)))
        return reader_refuse_said(r, CODE_UNREAD, clause,
                                  "a thing can stand in one place only");
    builtin_condition *also = etna_arena_alloc(
        r->arena, list->count + s->each.count + 1u, sizeof *also);
    if (!also)
        return reader_no_memory(r);
    everywhere = everywhere &&
                 bit_is_in(s->relation, RELATIONS_ASIDE | BIT(RELATION_AWAY));
    ret->also = also;
    ret->also_count = 0;
    move_take_chief(ret, s, everywhere);
    if (roles.support != BUILTIN_NONE && roles.support != roles.chief)
        move_take_support(ret, &list->list[roles.support]);
    if (everywhere)
        move_take_each(ret, s, also);
    r->cost += cost_of_two_ways(r, list);
    for (uint32_t i = 0; i < list->count; i++) {
        if (i != roles.chief && i != roles.support)
            move_take_other(ret, &list->list[i], also);
    }
    return ETNA_OK;
}
