/* Where things are, as phrases say it of them: "the cup on the tray", "the chair next to the door". Boxes and supports of the
 * scene as it stands; metres of way where several answer and the nearest is meant. */
#include "worker/model/builtin_reader.h"

#include <math.h>

double where_between(const builtin_object *a, const builtin_object *b)
{
    builtin_rect one = builtin_footprint(a, a->centre[0], a->centre[1], 0),
                 two = builtin_footprint(b, b->centre[0], b->centre[1], 0);
    double gap = 0, apart = 0;
    for (int k = 0; k < 3; k++) {
        double low[2] = {k < 2 ? one.low[k] : a->centre[2] - a->half[2],
                         k < 2 ? two.low[k] : b->centre[2] - b->half[2]};
        double high[2] = {k < 2 ? one.high[k] : a->centre[2] + a->half[2],
                          k < 2 ? two.high[k] : b->centre[2] + b->half[2]};
        double way = low[0] - high[1] > low[1] - high[0] ? low[0] - high[1] : low[1] - high[0];
        gap += way > 0 ? way * way : 0;
        apart += (a->centre[k] - b->centre[k]) * (a->centre[k] - b->centre[k]);
    }
    return sqrt(gap) + 0.05 * sqrt(apart);
}

static double amount_metres(const reader *r, const chart_node *amount)
{
    const chart_node *bit = chart_child(amount, "$bit"), *number = chart_child(amount, "$num"),
                     *unit = chart_child(amount, "$unit");
    (void)r;
    if (bit) return bit->value ? bit->value / 1000.0 : -1;
    double value = number ? number->value / 1000.0 : 1;
    if (node_is(amount, "HALF")) value += 0.5;
    return unit ? value * (unit->value / 1e6) : -1;
}

double where_metres(const reader *r, const chart_node *dist, double *ret_most)
{
    double first = -1, last = -1;
    bool any = false;
    for (uint32_t i = 0; i < dist->child_count; i++) {
        const chart_node *c = dist->children[i];
        if (!node_is(c, "AMOUNT") && !node_is(c, "HALF")) continue;
        last = amount_metres(r, c);
        if (!any) first = last;
        any = true;
    }
    if (ret_most) *ret_most = last;
    return first;
}

/* Stands on it, hangs on it, or lies in it. */
static bool object_is_on(const builtin_facts *facts, uint32_t object, uint32_t base)
{
    const builtin_object *o = &facts->objects[object], *b = &facts->objects[base];
    bool ground = b->is_static && b->half[0] > 1 && b->half[1] > 1; /* what stands on a table is not on the floor */
    if (ground ? builtin_stands_on(facts, object, base) : builtin_is_above(facts, object, base)) return true;
    for (uint32_t i = 0; ground && i < o->by_count; i++) {
        if (facts->objects[o->by[i]].half[2] < 0.02 && builtin_stands_on(facts, o->by[i], base))
            return true; /* a carpet */
    }
    bool within = true;
    for (int k = 0; k < 2; k++) {
        double reach = b->half[0] > b->half[1] ? b->half[0] : b->half[1];
        within = within && fabs(o->centre[k] - b->centre[k]) <= reach + 0.05;
    }
    bool upright = b->is_static && b->half[2] > 0.5 && (b->half[0] < 0.3 || b->half[1] < 0.3);
    bool hangs = upright && o->attached && where_between(o, b) < 0.5 && !within;
    bool wall = upright && o->attached && where_between(o, b) - 0.05 * 10 < 0.1;
    bool inside =
        within && !b->is_static && o->centre[2] < b->centre[2] + b->half[2] && o->centre[2] > b->centre[2] - b->half[2];
    return inside || hangs || wall;
}

/* Stands or hangs on it: what merely hangs beside or between its parts does not. */
static bool object_bears_it(const builtin_facts *facts, uint32_t object, uint32_t base)
{
    return facts->objects[base].is_static ? object_is_on(facts, object, base) : builtin_is_above(facts, object, base);
}

/* Which of the two axes of the picture, and which way. */
static double object_aside(const builtin_facts *facts, uint32_t object, uint32_t of, lexicon_relation relation)
{
    const builtin_object *o = &facts->objects[object], *b = &facts->objects[of];
    double right = 0, away = 0;
    const double ahead[2] = {-facts->right[1], facts->right[0]};
    double sign = facts->forward[0] * ahead[0] + facts->forward[1] * ahead[1] + facts->up[0] * ahead[0] +
                              facts->up[1] * ahead[1] <
                          0
                      ? -1
                      : 1;
    for (int k = 0; k < 2; k++) {
        right += (o->centre[k] - b->centre[k]) * facts->right[k];
        away += sign * (o->centre[k] - b->centre[k]) * ahead[k];
    }
    switch (relation) {
    case REL_LEFT: return -right;
    case REL_RIGHT: return right;
    case REL_FRONT: return -away;
    default: return away;
    }
}

static double related(const builtin_facts *facts, lexicon_relation relation, uint32_t object, uint32_t of)
{
    const double beside = 1.2, near = 2.5; /* metres */
    const builtin_object *o = &facts->objects[object], *b = &facts->objects[of];
    double way = where_between(o, b);
    bool over = fabs(o->centre[0] - b->centre[0]) < b->half[0] + b->half[1] &&
                fabs(o->centre[1] - b->centre[1]) < b->half[0] + b->half[1];
    if (object == of) return INFINITY;
    switch (relation) {
    case REL_ON: return object_bears_it(facts, object, of) ? 0 : INFINITY;
    case REL_IN:
    case REL_OFF: return object_is_on(facts, object, of) ? 0 : INFINITY;
    case REL_FROM: return object_is_on(facts, object, of) ? 0 : way < beside ? way : INFINITY;
    case REL_UNDER:
        return over && o->centre[2] < b->centre[2] + b->half[2] - 0.02 && !object_is_on(facts, of, object) ? way
                                                                                                           : INFINITY;
    case REL_ABOVE:
    case REL_OVER: return over && o->centre[2] > b->centre[2] + b->half[2] ? way : INFINITY;
    case REL_LEFT:
    case REL_RIGHT:
    case REL_FRONT:
    case REL_BEHIND: return object_aside(facts, object, of, relation) > 0.02 && way < near ? way : INFINITY;
    case REL_WITH:
    case REL_TO:
    case REL_AT:
    case REL_OVER_TO: return object_is_on(facts, object, of) ? 0 : way < beside ? way : INFINITY;
    case REL_AGAINST: return way < 0.5 ? way : INFINITY;
    case REL_NEAR:
    case REL_AROUND: return way < near ? way : INFINITY;
    default: return way < beside ? way : INFINITY;
    }
}

static etna_code relation_holds(reader *r, const chart_node *where, uint32_t object, double *ret)
{
    const chart_node *rel = chart_child(where, "$rel"), *what = where->children[where->child_count - 1];
    lexicon_relation relation = rel ? (lexicon_relation)rel->value : REL_BESIDE;
    *ret = INFINITY;
    if (phrase_is_pronoun(what, PRON_ME) || phrase_is_pronoun(what, PRON_EACH_OTHER)) return ETNA_OK;
    builtin_set of;
    refer_scope scope = {.on = BUILTIN_NONE, .many = true, .any = true};
    bool is_level = false;
    uint32_t owner = BUILTIN_NONE, level = 0, cost = r->cost;
    etna_code code = refer_level(r, what, NULL, &is_level, &owner, &level);
    if (code == ETNA_OK && is_level) {
        const builtin_object *o = &r->facts->objects[object];
        bool there = builtin_is_above(r->facts, object, owner) &&
                     builtin_off_level(r->facts, owner, level, o->centre[2] - o->half[2]) <= 0;
        *ret = there ? 0 : INFINITY;
        return ETNA_OK;
    }
    reader_memory memory = r->memory;
    if (code == ETNA_OK) code = refer_things(r, what, &scope, &of);
    r->memory = memory;
    r->cost = cost;
    if (code != ETNA_OK) return code;
    for (uint32_t i = 0; i < of.count; i++) {
        double way = related(r->facts, relation, object, of.objects[i]);
        *ret = way < *ret ? way : *ret;
    }
    bool room = relation == REL_FROM || relation == REL_IN || relation == REL_OFF;
    if (!isfinite(*ret) && room && phrase_means_room(r, what)) *ret = 0;
    return ETNA_OK;
}

/* "on the left", "in the back corner": as a rank, for the caller keeps what is nearest. */
static etna_code side_holds(const reader *r, const chart_node *where, uint32_t object, double *ret)
{
    const chart_node *side = chart_find(where, "$side");
    const builtin_object *o = &r->facts->objects[object];
    double image[2] = {0.5 * (o->image_box[0] + o->image_box[2]), 0.5 * (o->image_box[1] + o->image_box[3])};
    *ret = 0;
    if (!side || !o->visible) return ETNA_OK;
    const double scale = 100; /* so that "within half a metre of the best" keeps the best alone */
    if (side->value & LEXICON_LEFT) *ret += scale * image[0];
    if (side->value & LEXICON_RIGHT) *ret += scale * (1 - image[0]);
    if (side->value & LEXICON_BACK) *ret += scale * image[1];
    if (side->value & LEXICON_FRONT) *ret += scale * (1 - image[1]);
    return ETNA_OK;
}

static etna_code between_holds(reader *r, const chart_node *where, uint32_t object, double *ret)
{
    builtin_set of;
    refer_scope scope = {.on = BUILTIN_NONE, .many = true};
    *ret = INFINITY;
    etna_code code = refer_things(r, where->children[where->child_count - 1], &scope, &of);
    if (code != ETNA_OK || of.count != 2) return code;
    const double *a = r->facts->objects[of.objects[0]].centre, *b = r->facts->objects[of.objects[1]].centre,
                 *p = r->facts->objects[object].centre;
    double dx = b[0] - a[0], dy = b[1] - a[1], length = dx * dx + dy * dy;
    double t = length > 0 ? ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / length : -1;
    double aside = fabs((p[0] - a[0]) * -dy + (p[1] - a[1]) * dx) / sqrt(length > 0 ? length : 1);
    if (t > 0 && t < 1 && aside < 0.6) *ret = aside;
    return ETNA_OK;
}

etna_code where_holds(reader *r, const chart_node *where, uint32_t object, double *ret_way)
{
    *ret_way = INFINITY;
    if (node_is(where, "REL")) return relation_holds(r, where, object, ret_way);
    if (node_is(where, "EXACT")) return where_holds(r, where->children[where->child_count - 1], object, ret_way);
    if (node_is(where, "BETWEEN")) return between_holds(r, where, object, ret_way);
    if (node_is(where, "ZONE") || node_is(where, "SIDE") || node_is(where, "ENDOWN"))
        return side_holds(r, where, object, ret_way);
    if (node_is(where, "OF")) { /* "the lid of the teapot" */
        builtin_set of;
        refer_scope scope = {.on = BUILTIN_NONE, .many = true};
        etna_code code = refer_things(r, where->children[where->child_count - 1], &scope, &of);
        for (uint32_t i = 0; code == ETNA_OK && i < of.count; i++) {
            double way = related(r->facts, REL_TO, object, of.objects[i]);
            *ret_way = way < *ret_way ? way : *ret_way;
        }
        return code;
    }
    return ETNA_OK;
}
