/* See read/details.h. */
#include "worker/builtin/read/details.h"

#include "worker/builtin/read/clause.h"

/* ---- nodes ---- */

bool node_lists(const reader *r, const chart_node *node, const char *class)
{
    for (uint32_t at = node->first; at < node->end; at++) {
        if (lexicon_lists(class, reader_word(r, at)))
            return true;
    }
    return false;
}

uint32_t node_value(const chart_node *node, const char *name)
{
    const chart_node *found = node ? chart_find(node, name) : NULL;
    return found ? found->value : 0;
}

uint32_t node_sides(const chart_node *node)
{
    return node_value(node, "$side") | node_value(node, "$side_h") |
           node_value(node, "$end_seen");
}

bool node_says(const chart_node *node, const char *name, uint32_t values)
{
    for (uint32_t i = 0; i < node->child_count; i++) {
        const chart_node *c = node->children[i];
        if (node_is(c, name) && bit_is_in(c->value, values))
            return true;
    }
    return false;
}

/* The which-th child that names things; NULL: there are not so many. */
const chart_node *node_things(const chart_node *node, uint32_t which)
{
    static const char *const names[] = {
        "THING",  "PRON",    "AND",    "OR",        "EXCEPT",
        "BUTFOR", "NAMELY",  "OWNED",  "OF",        "QUOTED",
        "ALLOF",  "APPOSED", "NOTBUT", "CORRECTED", "BASE"};
    for (uint32_t i = 0, found = 0; i < node->child_count; i++) {
        for (size_t k = 0; k < COUNT_OF(names); k++) {
            if (node_is(node->children[i], names[k]) && found++ == which)
                return node->children[i];
        }
    }
    return NULL;
}

const chart_node *node_phrase(const chart_node *node, uint32_t first)
{
    for (uint32_t i = node->child_count; i > first; i--) {
        if (!node->children[i - 1]->is_terminal)
            return node->children[i - 1];
    }
    return NULL;
}

/* What the zone is a part of ("the edge of the table"); NULL: it is not
 * said. */
const chart_node *zone_owner(const chart_node *zone)
{
    static const char *const others[] = {"NUMBER", "DIST", "ONEEACH", "NEAREST",
                                         "FROMMID"};
    const chart_node *found = NULL;
    for (uint32_t i = 0; i < zone->child_count; i++) {
        const chart_node *c = zone->children[i];
        if (!c->is_terminal && !WORD_IS_OF(c->name, others))
            found = c;
    }
    return found;
}

/* The parts of "a, b and c"; anything else is its only part. */
uint32_t node_conjuncts(const chart_node *things,
                        const chart_node *ret[CONJUNCTS_MAX])
{
    uint32_t count = 0;
    if (!node_is(things, "AND")) {
        ret[0] = things;
        return 1;
    }
    for (uint32_t i = 0; i < things->child_count && count < CONJUNCTS_MAX;
         i++) {
        if (!things->children[i]->is_terminal)
            ret[count++] = things->children[i];
    }
    return count;
}

/* ---- gathering ---- */

static builtin_bound bound_of(uint32_t said)
{
    static const builtin_bound bounds[] = {
        [LEXICON_AT_MOST] = BOUND_MOST, [LEXICON_AT_LEAST] = BOUND_LEAST};
    return said < COUNT_OF(bounds) ? bounds[said] : BOUND_NONE;
}

builtin_bound details_bound(const chart_node *dist)
{
    return bound_of(node_value(dist, "$about") | node_value(dist, "$bound"));
}

/* "A gap of one metre" is how far apart things are then, and no way. */
static bool says_gap(const reader *r, const chart_node *said)
{
    bool gap = false;
    for (uint32_t at = said->first; at < said->end; at++)
        gap = gap || reader_lists(r, at, "details: gap");
    return gap;
}

/* `said` has the distance, and perhaps words that make a bound of it. */
static void condition_measure(const reader *r,
                              const chart_node *said,
                              condition *c)
{
    const chart_node *const dist =
        node_is(said, "DIST") ? said : chart_find(said, "DIST");
    double most = 0;
    const double least = where_metres(r, dist, &most);
    const bool is_range = most > least && least >= 0;
    c->has_gap = true;
    /* "not closer than 20 cm and not more than 50 cm": halfway */
    c->gap = is_range ? (least + most) / 2 : least;
    c->bound = is_range ? BOUND_NONE : details_bound(said);
    c->is_gap = says_gap(r, said);
}

/* "It", for a place that is told by "there" alone; `node` itself where there is
 * no memory, which names nothing. */
static const chart_node *place_pronoun(const reader *r, const chart_node *node)
{
    const chart_node *const word = terminal_make(r, "$pron", node, PRON_IT);
    const chart_node *const made =
        word ? node_make(r, "PRON", node, &word, 1) : NULL;
    return made ? made : node;
}

/* "To its left", "on the sofa's right": by the word for the side alone. */
static lexicon_relation relation_of_side(uint32_t side)
{
    if (side == LEXICON_LEFT)
        return REL_LEFT;
    if (side == LEXICON_RIGHT)
        return REL_RIGHT;
    return side == LEXICON_FRONT ? REL_FRONT : REL_BEHIND;
}

/* A phrase of place as relation, what it relates to, and a distance (gap -1:
 * none is said). */
static condition condition_of(const reader *r, const chart_node *node)
{
    static const char *const names[] = {
        "$rel",          "$rel_to",      "$rel_off",
        "$rel_lean",     "$rel_leave",   "$rel_light",
        "$rel_for",      "$rel_side",    "$rel_top",
        "$rel_seat",     "$rel_free",    "$rel_length",
        "$rel_touch",    "$rel_across",  "$rel_across_from",
        "$rel_upon",     "$rel_sided",   "$rel_fore",
        "$rel_join",     "$rel_beside",  "$rel_has",
        "$rel_distance", "$rel_closer",  "$rel_there",
        "$rel_aside",    "$rel_fore_of", "$rel_bare",
        "$rel_use",      "$rel_serve",   "$rel_bears",
        "$rel_guard",    "$rel_above",   "$rel_distance_of",
        "$rel_load",     "$rel_company"};
    const chart_node *rel = NULL;
    const chart_node *dist = chart_child(node, "DIST");
    condition c = {.node = node, .gap = -1, .has_gap = dist != NULL};
    for (size_t i = 0; !rel && i < COUNT_OF(names); i++)
        rel = chart_child(node, names[i]);
    /* "two to a table" */
    const bool is_dealt = chart_child(node, "EACHNUM") != NULL;
    c.relation = is_dealt ? REL_TO : REL_BESIDE;
    if (rel)
        c.relation = (lexicon_relation)rel->value;
    for (uint32_t i = 0; i < node->child_count; i++) {
        const chart_node *const child = node->children[i];
        bool phrase =
            !child->is_terminal && child != dist && !node_is(child, "EACHNUM");
        if (phrase)
            c.what = child;
    }
    /* "from there": from what was spoken of as a place */
    static const char *const bare[] = {"$rel_there", "$rel_aside", "$rel_bare"};
    if (rel && WORD_IS_OF(rel->name, bare))
        c.what = place_pronoun(r, node);
    if (!rel && chart_child(node, "$side"))
        c.relation = relation_of_side(chart_child(node, "$side")->value);
    if (dist)
        condition_measure(r, dist, &c);
    if (dist && chart_child(node, "$bound"))
        c.bound = bound_of(chart_child(node, "$bound")->value);
    return c;
}

/* "on the table except the cup": the exception belongs to what is moved. */
static void details_add_relation(const reader *r,
                                 const chart_node *node,
                                 details *d)
{
    if (chart_child(node, "EACHNUM")) {
        d->each_number = node;
        if (d->relation_count > 0)
            return; /* "at the tables, two per table": they are the same */
    }
    if (d->relation_count == CONDITIONS_MAX)
        return;
    condition *c = &d->relations[d->relation_count++];
    *c = condition_of(r, node);
    if (chart_child(node, "$rel_length"))
        d->straight = node;
    if (d->straight == node && d->relation_count > 1 &&
        phrase_is_pronoun(c->what, PRON_IT))
        d->relation_count--; /* "by the wall, long side along it" */
    if (!node_is(c->what, "EXCEPT"))
        return;
    const chart_node *but = node_phrase(c->what, 1);
    if (but)
        /* of the things that are moved, not of what they stand on */
        d->except = but;
    c->what = c->what->children[0];
}

/* What something was taken off just before; BUILTIN_NONE: nothing. */
uint32_t memory_bared(const reader *r)
{
    const builtin_reading *reading = r->reading;
    if (r->memory.taken.count > 0)
        return r->memory.context;
    const builtin_move *last =
        reading->count > 0 ? &reading->moves[reading->count - 1] : NULL;
    return last && last->relation == RELATION_OFF ? last->reference
                                                  : BUILTIN_NONE;
}

/* "Cup: left tray", "milk: top shelf": a place and no word of how. */
static void details_add_place(const reader *r,
                              const chart_node *node,
                              details *d)
{
    /* "take the tin off the crate, that's where the jug goes": on it */
    const bool there =
        memory_bared(r) != BUILTIN_NONE && node_is(node->children[0], "PRON");
    if (d->relation_count == CONDITIONS_MAX)
        return;
    d->relations[d->relation_count++] =
        (condition){.relation = there ? REL_ON : REL_TO,
                    .node = node,
                    .what = node->children[0],
                    .gap = -1};
}

static void details_add_zone(const reader *r,
                             const chart_node *node,
                             details *d)
{
    (void)r;
    if (d->zone_count < CONDITIONS_MAX)
        d->zones[d->zone_count++] = node;
}

static void details_add_order(const reader *r,
                              const chart_node *node,
                              details *d)
{
    (void)r;
    if (d->order_count < CONDITIONS_MAX)
        d->orders[d->order_count++] = node;
}

static void details_add_shift(const reader *r,
                              const chart_node *node,
                              details *d)
{
    (void)r;
    if (d->shift)
        d->second_shift = node;
    else
        d->shift = node;
}

/* "in an even row" */
static void details_add_row(const reader *r, const chart_node *node, details *d)
{
    const chart_node *row = chart_child(node, "$row");
    (void)r;
    if (chart_find(node, "$evenly") || (row && row->value == 2))
        d->evenly = node;
}

static void details_add_evenly(const reader *r,
                               const chart_node *node,
                               details *d)
{
    (void)r;
    if (chart_find(node, "DIST") && !d->apart_by)
        d->apart_by = node;
}

static void details_add(const reader *r, const chart_node *node, details *d);

static void details_add_exact(const reader *r,
                              const chart_node *node,
                              details *d)
{
    d->exact = true;
    details_gather(r, node, d);
}

static void details_add_exception(const reader *r,
                                  const chart_node *node,
                                  details *d)
{
    (void)r;
    d->except = node_things(node, 0);
}

/* "..., but not on the mat" */
static void details_add_denial(const reader *r,
                               const chart_node *node,
                               details *d)
{
    (void)r;
    if (d->denied_count < CONDITIONS_MAX)
        d->denied[d->denied_count++] = node;
}

/* "Next to the jug or on it": who does the first has done one of them. */
static void details_add_either(const reader *r,
                               const chart_node *node,
                               details *d)
{
    for (uint32_t i = 0; i < node->child_count; i++) {
        if (node->children[i]->is_terminal)
            continue;
        details_add(r, node->children[i], d);
        return;
    }
}

/* Whether a purpose speaks of the clause's own things: it has no other subject,
 * or a pronoun. */
static bool subject_is_same(const chart_node *so_that)
{
    for (uint32_t i = 0; i < so_that->child_count; i++) {
        const chart_node *c = so_that->children[i];
        if (node_is(c, "PRON"))
            return true;
        static const char *const others[] = {"THING", "AND", "OWNED", "OF"};
        if (WORD_IS_OF(c->name, others))
            return false;
    }
    return true;
}

static void details_add_purpose(const reader *r,
                                const chart_node *node,
                                details *d)
{
    bool same = subject_is_same(node);
    bool measured = d->shift && chart_find(d->shift, "DIST");
    if (!same)
        d->other_clause = node;
    if (same && !measured)
        details_gather(r, node, d); /* else it is what the distance is for */
}

const chart_node *angle_turn_by(const chart_node *angle)
{
    const chart_node *by = chart_find(angle, "$turn_by");
    return by ? by : chart_find(angle, "$turned_away");
}

bool angle_is_measured(const chart_node *angle)
{
    return chart_find(angle, "$num") || chart_find(angle, "$num_negative") ||
           angle_turn_by(angle);
}

/* "Seen from above, turn it clockwise by 45 degrees": how far may be said apart
 * from the sense, and a point of view is neither. */
static void details_add_angle(const reader *r,
                              const chart_node *node,
                              details *d)
{
    (void)r;
    const bool measures = angle_is_measured(node);
    const chart_node *spin = chart_find(node, "$spin");
    const bool views = !measures && spin && spin->value == 0;
    if (views)
        return;
    if (!d->angle) {
        d->angle = node;
        return;
    }
    if (measures && !angle_is_measured(d->angle)) {
        d->sense = d->angle;
        d->angle = node;
        return;
    }
    if (!measures && !d->sense)
        d->sense = node;
}

/* "At the same height, upper edges level": the edge says more than the
 * height. */
static void details_add_level(const reader *r,
                              const chart_node *node,
                              details *d)
{
    enum {
        AT_ONE_HEIGHT = 2 /* the lexicon's value where no edge is said */
    };
    (void)r;
    if (!d->one_height ||
        node_value(d->one_height, "$one_height") == AT_ONE_HEIGHT)
        d->one_height = node;
}

/* Sorts one phrase into the details. Only the first of a kind is kept in a
 * slot; coverage_check finds the others missing. */
static void details_add(const reader *r, const chart_node *node, details *d)
{
    const struct {
        const char *name;
        const chart_node **slot;
    } slots[] = {{"APARTBY", &d->apart_by},
                 {"ATHEIGHT", &d->at_height},
                 {"BACKTO", &d->back_to},
                 {"BETWEEN", &d->between},
                 {"BOTHGAPS", &d->both_gaps},
                 {"CENTRED", &d->centred},
                 {"EACHNUM", &d->each_number},
                 {"ENDOWN", &d->end_own},
                 {"EVENLY", &d->evenly},
                 {"EYELEVEL", &d->eye_level},
                 {"FACE", &d->face},
                 {"TOVIEWER", &d->face},
                 {"SEES", &d->face},
                 {"FOLLOW", &d->follow},
                 {"HEIGHT", &d->height},
                 {"HIGHER", &d->higher},
                 {"LEVELBY", &d->level_by},
                 {"NOGAP", &d->no_gap},
                 {"OLD", &d->old},
                 {"ORDER", &d->order},
                 {"OPPOSED", &d->opposed},
                 {"INORDER", &d->in_order},
                 {"PAIR", &d->pair},
                 {"PAIRSOME", &d->pair},
                 {"PART", &d->part},
                 {"FORPEOPLE", &d->people},
                 {"PILE", &d->pile},
                 {"ROW", &d->row},
                 {"SHADE", &d->shade},
                 {"SIDE", &d->side},
                 {"STAYS", &d->stays},
                 {"STRAIGHT", &d->straight},
                 {"THERE", &d->there},
                 {"TOGETHER", &d->together},
                 {"TOO", &d->too},
                 {"TOP", &d->top}};
    static const struct {
        const char *name;
        void (*add)(const reader *r, const chart_node *node, details *d);
    } adders[] = {
        {"ANGLE", details_add_angle},     {"REL", details_add_relation},
        {"TO", details_add_place},        {"ZONE", details_add_zone},
        {"ORDERED", details_add_order},   {"SHIFT", details_add_shift},
        {"ROW", details_add_row},         {"EVENLY", details_add_evenly},
        {"EXACT", details_add_exact},     {"BUT", details_add_exception},
        {"SOTHAT", details_add_purpose},  {"EITHER", details_add_either},
        {"NOTPLACE", details_add_denial}, {"ONEHEIGHT", details_add_level}};
    for (size_t i = 0; i < COUNT_OF(slots); i++) {
        if (node_is(node, slots[i].name) && !*slots[i].slot)
            *slots[i].slot = node;
    }
    for (size_t i = 0; i < COUNT_OF(adders); i++) {
        if (node_is(node, adders[i].name))
            adders[i].add(r, node, d);
    }
}

void details_gather(const reader *r, const chart_node *parent, details *ret)
{
    for (uint32_t i = 0; i < parent->child_count; i++)
        details_add(r, parent->children[i], ret);
}

/* ---- joining ---- */

enum {
    RELS_APART = RELS_SIDE | BIT(REL_BESIDE) | BIT(REL_NEAR) | BIT(REL_AROUND) |
                 BIT(REL_AGAINST) | BIT(REL_ABOVE) | BIT(REL_UNDER),
    RELS_THITHER = BIT(REL_TO) | BIT(REL_OVER_TO) | BIT(REL_AT),
    RELS_NEARER = BIT(REL_TO) | BIT(REL_TOWARD) | BIT(REL_CLOSER),
    RELS_FARTHER = RELS_ORIGIN | BIT(REL_AWAY) | BIT(REL_FARTHER),
    RELS_WAY = BIT(REL_TOWARD) | BIT(REL_AWAY) | BIT(REL_CLOSER) |
               BIT(REL_FARTHER) | BIT(REL_FROM)
};

/* Which shift belongs to which relation, and what that becomes; the first row
 * that fits. */
static const struct joint {
    lexicon_direction direction; /* 0: the shift has none */
    uint32_t relations;
    /* the shift has a distance; the relation has none of its own */
    bool measured, bare;
    lexicon_relation becomes; /* 0: stays */
} joints[] = {
    {DIR_DOWN, ~(RELS_ORIGIN | BIT(REL_ON)), true, true,
     0}, /* "put it down 10 cm left of the plant" */
    {0, RELS_APART, true, true, 0},
    {DIR_AWAY, RELS_APART, true, true, 0}, /* "left of the lamp, 10 cm away" */
    {DIR_UP, BIT(REL_ABOVE) | BIT(REL_OVER), true, true,
     0}, /* "above the sofa, 10 cm up" */
    {DIR_AWAY, RELS_THITHER, true, true, REL_BESIDE},
    {DIR_CLOSER, RELS_NEARER, false, false, REL_CLOSER},
    {DIR_AWAY, RELS_FARTHER, false, false, REL_FARTHER},
    {0, RELS_WAY, true, false, 0},
};

/* "Over the sofa, 10 cm higher": than it is; "the picture over the sofa 10 cm
 * up": the picture that is there. */
static bool joint_is_relative(const reader *r,
                              const chart_node *shift,
                              const struct joint *j)
{
    const chart_node *const way = chart_find(shift, "$dir");
    if (j->direction != DIR_UP)
        return false;
    const bool apart =
        shift->first > 0 && reader_word_is(r, shift->first - 1, ",");
    return !apart || !reader_lists(r, way->first, "way: distance");
}

/* Which way and relation belong together ("to the left of" after "20 cm"). */
static const struct joint *joint_find(const reader *r,
                                      const details *d,
                                      const condition *c)
{
    lexicon_direction direction = node_value(d->shift, "$dir");
    const chart_node *dist = chart_find(d->shift, "DIST");
    for (size_t i = 0; i < COUNT_OF(joints); i++) {
        const struct joint *j = &joints[i];
        if (j->direction != direction || !bit_is_in(c->relation, j->relations))
            continue;
        bool unmeasured = j->measured && !dist;
        bool taken = j->bare && c->has_gap;
        if (!unmeasured && !taken && !joint_is_relative(r, d->shift, j))
            return j;
    }
    return NULL;
}

/* "25 cm along the table toward the candle": the table is the way, and the
 * length is the other's. */
static void details_drop_way(details *d)
{
    const uint32_t leading =
        BIT(REL_TOWARD) | BIT(REL_CLOSER) | BIT(REL_AWAY) | BIT(REL_FARTHER);
    for (uint32_t i = 0; i < d->relation_count; i++) {
        if (d->relations[i].relation != REL_ALONG || i + 1 == d->relation_count)
            continue;
        condition *next = &d->relations[i + 1];
        if (!bit_is_in(next->relation, leading) || next->has_gap)
            continue;
        next->has_gap = d->relations[i].has_gap;
        next->gap = d->relations[i].gap;
        next->bound = d->relations[i].bound;
        memmove(&d->relations[i], next,
                (d->relation_count - 1 - i) * sizeof *next);
        d->relation_count--;
    }
}

/* What the first place is of; NULL: none is said. */
static const chart_node *details_first_place(const details *d)
{
    if (d->relation_count > 0)
        return d->relations[0].what;
    return d->zone_count > 0 ? zone_owner(d->zones[0]) : NULL;
}

/* Is the first place on or in a thing? */
static bool details_go_upon(const details *d)
{
    return d->relation_count > 0 &&
           bit_is_in(d->relations[0].relation, BIT(REL_ON) | BIT(REL_IN));
}

/* "Along the right side of the bed, parallel to it": to what the first place is
 * of. */
static void details_find_parallel(details *d)
{
    const chart_node *to = d->straight ? node_things(d->straight, 0) : NULL;
    const bool same = d->straight && chart_child(d->straight, "$same_way");
    const bool it = to && phrase_is_pronoun(to, PRON_IT);
    /* "parallel to its long side" */
    const bool edge =
        d->straight && !to && chart_child(d->straight, "$parallel");
    if (!same && !it && !edge)
        return;
    /* "on the big one, fronts pointing the same way" */
    const bool alike = same && chart_child(d->straight, "ALIKE");
    if (same && !alike && details_go_upon(d))
        return;
    const chart_node *first = details_first_place(d);
    if (first && !phrase_is_pronoun(first, PRON_IT))
        d->parallel_to = first;
}

/* "On each side of the altar, half a metre from it", "..., half a metre away":
 * from what the sides are of, and no way to go. */
static void details_find_off_sides(const reader *r, details *d)
{
    if (d->zone_count != 1 || d->relation_count > 1 ||
        !zone_owner(d->zones[0]) || !details_say_each_end(r, d))
        return;
    const condition *const from = &d->relations[0];
    const bool it = d->relation_count == 1 && from->has_gap &&
                    bit_is_in(from->relation, BIT(REL_FROM) | BIT(REL_AWAY)) &&
                    phrase_is_pronoun(from->what, PRON_IT);
    const bool away = d->relation_count == 0 && d->shift &&
                      node_value(d->shift, "$dir") == DIR_AWAY &&
                      chart_find(d->shift, "DIST");
    if (it) {
        d->off_sides = from->node;
        d->relation_count = 0;
    }
    if (away) {
        d->off_sides = d->shift;
        d->shift = NULL;
    }
}

/* "Next to the chair, 50 cm away | from the wall": away from what it stands
 * before, and not from the chair, which "from it" would mean. */
static void details_join_away(const reader *r, details *d)
{
    const bool away = d->shift && node_value(d->shift, "$dir") == DIR_AWAY &&
                      chart_find(d->shift, "DIST");
    for (uint32_t i = 1; i < d->relation_count && away; i++) {
        condition *const c = &d->relations[i];
        const bool parted =
            c->relation == REL_FROM && c->node->first == d->shift->end;
        if (!parted || c->has_gap || phrase_is_pronoun(c->what, PRON_IT))
            continue;
        c->relation = REL_AWAY;
        condition_measure(r, d->shift, c);
        d->shift = NULL;
        return;
    }
}

/* "30 cm away from the bench", and not "30 cm further away" from it. */
static bool shift_is_distance(const reader *r, const chart_node *shift)
{
    const chart_node *const way = chart_find(shift, "$dir");
    return way && reader_lists(r, way->first, "way: distance");
}

/* "20 cm to the left of the box" is parsed as a shift and a relation; here the
 * two become one. */
void details_join(const reader *r, details *d)
{
    details_drop_way(d);
    details_find_parallel(d);
    details_find_off_sides(r, d);
    details_join_away(r, d);
    for (uint32_t i = 0; d->shift && i < d->relation_count; i++) {
        condition *c = &d->relations[i];
        const chart_node *dist = chart_find(d->shift, "DIST");
        const struct joint *j = joint_find(r, d, c);
        if (!j)
            continue;
        if (j->becomes)
            c->relation = j->becomes;
        if (dist && j->becomes == REL_FARTHER && shift_is_distance(r, d->shift))
            c->relation = REL_AWAY;
        if (dist)
            condition_measure(r, d->shift, c);
        d->shift = NULL;
    }
}

/* ---- questions ---- */

bool condition_is_origin(const condition *c)
{
    return bit_is_in(c->relation, RELS_ORIGIN);
}

const condition *details_origin(const details *d, bool measured)
{
    for (uint32_t i = d->relation_count; i > 0; i--) {
        const condition *c = &d->relations[i - 1];
        if (condition_is_origin(c) && (measured || !c->has_gap))
            return c;
    }
    return NULL;
}

bool details_have_destination(const details *d)
{
    for (uint32_t i = 0; i < d->relation_count; i++) {
        if (!condition_is_origin(&d->relations[i]))
            return true;
    }
    return false;
}

static bool nodes_any(const chart_node *const *nodes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (nodes[i])
            return true;
    }
    return false;
}

bool details_have_places(const details *d)
{
    const chart_node *const places[] = {d->between, d->old, d->end_own, d->side,
                                        d->pair};
    return d->relation_count || d->zone_count ||
           nodes_any(places, COUNT_OF(places));
}

bool details_lead_elsewhere(const details *d)
{
    const chart_node *const places[] = {
        d->between, d->old, d->end_own, d->side,    d->shift,   d->row,
        d->pile,    d->top, d->pair,    d->opposed, d->level_by};
    return details_have_destination(d) || d->zone_count ||
           nodes_any(places, COUNT_OF(places));
}

bool details_tell_how(const details *d)
{
    const chart_node *const how[] = {d->at_height, d->shift,      d->height,
                                     d->higher,    d->one_height, d->eye_level,
                                     d->pile,      d->row,        d->together,
                                     d->face,      d->back_to,    d->angle};
    return nodes_any(how, COUNT_OF(how));
}

bool details_say_anything(const details *d)
{
    const chart_node *const all[] = {
        d->there,   d->shift,     d->row,      d->pile,     d->at_height,
        d->centred, d->eye_level, d->height,   d->together, d->shade,
        d->part,    d->evenly,    d->top,      d->order,    d->one_height,
        d->opposed, d->in_order,  d->level_by, d->higher};
    return details_have_places(d) || details_turn(d) ||
           nodes_any(all, COUNT_OF(all));
}

bool details_turn(const details *d)
{
    bool faces = d->face || d->back_to;
    return faces || d->angle || d->straight;
}

/* "On opposite sides of the table" */
static bool zone_word_is_plural(const reader *r, const chart_node *word)
{
    return word && reader_lists(r, word->end - 1, "details: ends");
}

bool zone_says_each(const chart_node *zone, bool several)
{
    const uint32_t every = BIT(DET_EACH) | BIT(DET_BOTH) | BIT(DET_ALL);
    const uint32_t any = several ? BIT(DET_ANY) : 0;
    const chart_node *const number = chart_child(zone, "$num");
    return node_says(zone, "$quant", every | any) ||
           (number && number->value == 2000);
}

bool zone_says_ends(const reader *r, const chart_node *zone)
{
    return (node_says(zone, "$det", BIT(DET_THE) | BIT(DET_ITS)) ||
            node_says(zone, "$zone_other", BIT(1))) &&
           zone_word_is_plural(r, chart_child(zone, "$zone"));
}

/* "at each end", "on both sides", "at opposite ends". */
bool details_say_each_end(const reader *r, const details *d)
{
    for (uint32_t i = 0; i < d->zone_count; i++) {
        const chart_node *word = chart_child(d->zones[i], "$zone");
        bool end =
            word && bit_is_in(word->value, BIT(ZONE_END) | BIT(ZONE_SIDE));
        if (end && (zone_says_ends(r, d->zones[i]) ||
                    zone_says_each(d->zones[i], true)))
            return true;
    }
    return false;
}

bool details_say_each(const details *d)
{
    for (uint32_t i = 0; i < d->zone_count; i++) {
        const bool is_one_each = chart_child(d->zones[i], "ONEEACH") != NULL;
        if (node_says(d->zones[i], "$quant", BIT(DET_EACH)) && !is_one_each)
            return true;
    }
    return false;
}

/* "along the long side". */
bool details_say_long_side(const reader *r, const details *d)
{
    for (uint32_t i = 0; i < d->zone_count; i++) {
        for (uint32_t k = 0; k < d->zones[i]->child_count; k++) {
            const chart_node *c = d->zones[i]->children[k];
            const bool word = node_is(c, "$zone") || node_is(c, "$zone_other");
            if (word && reader_word_is(r, c->first, "long"))
                return true;
        }
    }
    return false;
}

void range_find_ends(const chart_node *range,
                     uint32_t *ret_first,
                     uint32_t *ret_last)
{
    const chart_node *const last = range->children[range->child_count - 1];
    *ret_first = chart_child(range, "$num")->value / 1000;
    *ret_last = last->value / 1000;
}

/* "From 1 to 3": the order of rising numbers, or of falling ones. */
static uint32_t range_order(const chart_node *range)
{
    uint32_t first = 0, last = 0;
    range_find_ends(range, &first, &last);
    return first < last ? BY_NUMBER : BY_NUMBER_FALLING;
}

uint32_t details_order(const details *d)
{
    const chart_node *const range =
        d->order ? chart_child(d->order, "NUMRANGE") : NULL;
    if (range && !d->in_order)
        return range_order(range);
    /* "in the following order, starting on the right: ..." */
    const chart_node *said = d->in_order ? d->in_order : d->order;
    static const char *const words[] = {"$numbers", "$from_end", "$order",
                                        "$shades"};
    uint32_t order = 0;
    for (size_t i = 0; i < COUNT_OF(words) && order == 0; i++)
        order = node_value(said, words[i]);
    return order;
}

/* "where it was" rather than "where it is". */
bool old_is_past(const reader *r, const chart_node *old)
{
    const chart_node *was = old ? chart_child(old, "$was") : NULL;
    if (!was)
        return old != NULL; /* "its old place" */
    return !reader_lists(r, was->first, "details: is now");
}

bool details_say_there(const reader *r, const details *d)
{
    return d->there ||
           (d->stays && reader_word_is(r, d->stays->first, "there"));
}
