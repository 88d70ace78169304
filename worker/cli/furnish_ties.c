/* How the things of a brief go together: what the text tells, then what people
 * are used to. */
#include "proto/array.h"
#include "worker/cli/furnish_pick_internal.h"
#include "worker/cli/furnish_scene.h"

#include "worker/builtin/language/kinds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* NULL: there is such a tie, or no room for one. */
static layout_tie *tie_put(layout_thing *l,
                           brief_relation relation,
                           uint32_t anchor,
                           bool told,
                           uint8_t walls)
{
    if (l->tie_count == LAYOUT_TIES_MAX)
        return NULL;
    for (uint32_t i = 0; i < l->tie_count; i++) {
        if (l->ties[i].relation == relation && l->ties[i].anchor == anchor)
            return NULL;
    }
    layout_tie *tie = &l->ties[l->tie_count++];
    *tie = (layout_tie){.relation = relation,
                        .said = relation,
                        .anchor = anchor,
                        .told = told,
                        .walls = walls};
    return tie;
}

/* A thing of the kind that has models; not `self`. */
uint32_t furnish_thing_of_kind(const furnishing *f,
                               const char *kind,
                               uint32_t self,
                               uint32_t from)
{
    for (uint32_t i = from; i < f->thing_count; i++) {
        if (i != self && f->things[i].pick_count &&
            habits_is(f->things[i].head, kind))
            return i;
    }
    return BRIEF_NONE;
}

/* What stands on the floor, not taller than a sideboard: something can be put
 * on it. */
static bool can_bear(const furnishing *f, uint32_t thing)
{
    const furnish_thing *t = &f->things[thing];
    const habits_kind *habit = habits_of(t->head);
    bool is_seat = habit && habit->seat;
    if (!t->pick_count || is_seat || !furnish_thing_is_on_floor(t))
        return false;
    double high = t->picks[0].model.size[1];
    return high > 0.3 && high < 1.3;
}

/* Desks have a side for who works there: it matters where one sits. */
static bool is_worked_at(const char *head)
{
    return habits_is(head, "desk") || habits_is(head, "dressing table");
}

/* Where one sits close to it, turned to it. */
static bool is_sat_close_to(const char *head)
{
    static const char *const kinds[] = {
        "desk", "dressing table", "table",     "counter", "bar",
        "sink", "kitchen island", "workbench", "piano",   "sewing machine"};
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        if (habits_is(head, kinds[i]))
            return true;
    }
    return false;
}

/* At desks that face one another it is people that do: the desks stand back to
 * back. */
static bool are_desks_across(const furnishing *f,
                             uint32_t thing,
                             const brief_tie *tie)
{
    return tie->relation == BRIEF_OPPOSITE && tie->anchor != BRIEF_NONE &&
           is_worked_at(f->things[thing].head) &&
           is_worked_at(f->things[tie->anchor].head);
}

static bool sits(const furnishing *f, uint32_t thing)
{
    const habits_kind *habit = habits_of(f->things[thing].head);
    return habit && habit->seat;
}

/* Does the text seat somebody behind the desk? */
static bool desk_is_manned(const furnishing *f, uint32_t desk)
{
    for (uint32_t i = 0; i < f->brief->tie_count; i++) {
        const brief_tie *t = &f->brief->ties[i];
        bool is_behind = t->relation == BRIEF_BEHIND && t->anchor == desk;
        if (is_behind && t->wish < f->thing_count && sits(f, t->wish))
            return true;
    }
    return false;
}

/* Who sits behind a desk sits before its drawers, and who sits in front of it
 * then on its other side. */
static brief_relation relation_at_desk(const furnishing *f,
                                       uint32_t thing,
                                       const brief_tie *tie)
{
    bool is_seat = tie->anchor != BRIEF_NONE && sits(f, thing) &&
                   is_worked_at(f->things[tie->anchor].head);
    if (!is_seat || !desk_is_manned(f, tie->anchor))
        return tie->relation;
    if (tie->relation == BRIEF_BEHIND)
        return BRIEF_FRONT;
    return tie->relation == BRIEF_FRONT ? BRIEF_BEHIND : tie->relation;
}

/* A floor lamp that arches over a chair stands beside it. */
static bool arches_over(const furnishing *f,
                        uint32_t thing,
                        const brief_tie *tie)
{
    return tie->relation == BRIEF_ABOVE && tie->anchor != BRIEF_NONE &&
           habits_is(f->things[thing].head, "floor lamp");
}

/* "A desk with a chair" says that the two go together; how, habit says. */
static brief_relation relation_of(const furnishing *f,
                                  uint32_t thing,
                                  const brief_tie *tie)
{
    const habits_kind *habit = habits_of(f->things[thing].head);
    if (are_desks_across(f, thing, tie))
        return BRIEF_BACK;
    if (arches_over(f, thing, tie))
        return BRIEF_BESIDE;
    if (!tie->loose || !habit || tie->anchor == BRIEF_NONE ||
        habit->beside >= BRIEF_WALL)
        return relation_at_desk(f, thing, tie);
    for (uint32_t k = 0; k < HABITS_ANCHORS && habit->anchors[k]; k++) {
        if (habits_is(f->things[tie->anchor].head, habit->anchors[k]))
            return habit->beside;
    }
    return tie->relation;
}

/* The walls that a tie names: those of a window or a door are of this room. 0 where
 * it has no such. */
static uint8_t walls_here(const furnishing *f, uint8_t walls)
{
    uint8_t here = walls & (uint8_t)~BRIEF_OF_OPENINGS;
    for (uint32_t i = 0; i < f->room.opening_count; i++) {
        const layout_opening *o = &f->room.openings[i];
        const uint8_t own = o->is_door ? BRIEF_OF_DOOR : BRIEF_OF_WINDOW;
        const uint8_t across =
            o->is_door ? BRIEF_ACROSS_DOOR : BRIEF_ACROSS_WINDOW;
        if (walls & own)
            here |= (uint8_t)(1u << (o->wall & 3));
        if (walls & across)
            here |= (uint8_t)(1u << ((o->wall + 2) & 3));
    }
    return here;
}

/* At a wall by an opening that is not there: it is told that it cannot hold. */
static brief_relation relation_of_opening(const furnishing *f,
                                          const brief_tie *tie,
                                          brief_relation relation)
{
    if (!(tie->walls & BRIEF_OF_OPENINGS) || walls_here(f, tie->walls))
        return relation;
    const uint8_t windows = BRIEF_ACROSS_WINDOW | BRIEF_OF_WINDOW;
    return tie->walls & windows ? BRIEF_WINDOW : BRIEF_DOOR;
}

/* A tie of the text, where what it is tied to is there. */
static void tie_told(furnishing *f, uint32_t thing, const brief_tie *tie)
{
    layout_thing *l = &f->layout[thing];
    bool is_room = tie->anchor == BRIEF_NONE;
    if (!is_room &&
        (tie->anchor >= f->thing_count || !f->things[tie->anchor].pick_count))
        return;
    brief_relation relation =
        relation_of_opening(f, tie, relation_of(f, thing, tie));
    if (relation != BRIEF_BETWEEN && tie->relation == BRIEF_BETWEEN)
        is_room = true; /* between something and an opening that is not here */
    layout_tie *own = tie_put(l, relation, is_room ? LAYOUT_NONE : tie->anchor,
                              true, walls_here(f, tie->walls));
    if (own) {
        own->said = tie->loose ? relation : tie->relation;
        own->rows = tie->rows;
        own->gap = tie->gap;
        own->share = is_room ? 0 : f->things[thing].share;
    }
    if (relation == BRIEF_ON)
        l->footing = HABITS_ON;
    if (relation == BRIEF_UNDER && l->footing == HABITS_ON)
        l->footing = HABITS_FREE; /* shoes under a bench are on the floor */
    if (relation == BRIEF_WALL && tie->hung && l->footing == HABITS_ON)
        l->footing = HABITS_HUNG;
    bool are_rows = relation == BRIEF_ROWS && tie->rows > 1;
    bool is_off_walls =
        relation == BRIEF_MIDDLE || relation == BRIEF_BACK || are_rows;
    if (is_off_walls && l->footing == HABITS_AT_WALL)
        l->footing = HABITS_FREE;
}

/* Into so many rows people put so many desks: three of four, five of six. */
static uint8_t rows_usual(uint32_t count)
{
    uint8_t rows = 2;
    while (rows < 10 && (rows + 1u) * (rows + 1u) <= count)
        rows++;
    return rows;
}

/* Relations of the text, then those of habit. */
static void ties_told(furnishing *f, uint32_t thing)
{
    const furnish_thing *t = &f->things[thing];
    layout_thing *l = &f->layout[thing];
    for (uint32_t i = 0; t->wish != BRIEF_NONE && i < f->brief->tie_count;
         i++) {
        if (f->brief->ties[i].wish == t->wish)
            tie_told(f, thing, &f->brief->ties[i]);
    }
    if (t->relation == BRIEF_RELATIONS)
        return;
    if (t->to) {
        uint32_t anchor = furnish_thing_of_kind(f, t->to, thing, 0);
        if (anchor != BRIEF_NONE)
            tie_put(l, t->relation, anchor, false, 0);
    } else if (t->relation >= BRIEF_WALL) {
        layout_tie *own = tie_put(l, t->relation, LAYOUT_NONE, false, 0);
        if (own && t->relation == BRIEF_ROWS)
            own->rows = rows_usual(t->wanted);
    }
}

/* Which way it looks is no place: a thing that only faces another still goes
 * where such things usually stand. */
static bool says_where(const layout_thing *l)
{
    for (uint32_t i = 0; i < l->tie_count; i++) {
        bool is_way = l->ties[i].relation == BRIEF_FACING ||
                      l->ties[i].relation == BRIEF_AWAY;
        if (!is_way)
            return true;
    }
    return false;
}

/* How many seats go with all of these. A table has as many as its sides are
 * long; a desk, a bar or a piano has one each. */
static uint32_t seats_of(const furnish_thing *t)
{
    if (!t->pick_count || !habits_is(t->head, "table"))
        return 1;
    const habits_kind *habit = habits_of(t->head);
    if (!habit || habit->footing != HABITS_FREE)
        return 1;
    uint32_t seats = furnish_seats_at(t->picks[0].model.size);
    return t->wanted * (seats ? seats : 1);
}

/* Can the thing go with this one, of a kind that it usually goes with? */
static bool anchor_suits(const furnishing *f,
                         const habits_kind *habit,
                         const char *kind,
                         uint32_t anchor)
{
    const char *head = f->things[anchor].head;
    if (habit->footing == HABITS_ON && !can_bear(f, anchor)) {
        if (!habits_is(head, "bed") && !habits_is(head, "bookcase"))
            return false;
    }
    const habits_kind *of = habits_of(head);
    bool is_low_shelf =
        strcmp(kind, "table") == 0 && of && of->footing != HABITS_FREE;
    /* a nightstand is a table, and nobody sits at it */
    return !habit->seat || !is_low_shelf;
}

/* Where such a thing usually is, with what is there. */
static void ties_habit(furnishing *f, uint32_t thing, const habits_kind *habit)
{
    layout_thing *l = &f->layout[thing];
    uint32_t room = 0, wanted = f->things[thing].wanted;
    bool takes_all = habit->footing == HABITS_ON ||
                     (habit->seat && habit->beside == BRIEF_FRONT);
    /* several have no one middle */
    bool is_crowd = habit->beside == BRIEF_MIDDLE && wanted > 1;
    if (habit->beside >= BRIEF_WALL && !is_crowd)
        tie_put(l, habit->beside, LAYOUT_NONE, false, 0);
    for (uint32_t k = 0; k < HABITS_ANCHORS && habit->anchors[k]; k++) {
        const char *kind = habit->anchors[k];
        for (uint32_t a = furnish_thing_of_kind(f, kind, thing, 0);
             a != BRIEF_NONE;
             a = furnish_thing_of_kind(f, kind, thing, a + 1)) {
            if (!anchor_suits(f, habit, kind, a))
                continue;
            tie_put(l, habit->beside, a, false, 0);
            room += seats_of(&f->things[a]);
            bool has_seats = habit->seat && room >= wanted;
            if (!takes_all || has_seats)
                return;
        }
    }
}

/* All that can bear it are named: which of them has room shows in the layout
 * only. */
static void ties_on_any(furnishing *f, uint32_t thing)
{
    for (uint32_t i = 0; i < f->thing_count; i++) {
        if (i != thing && can_bear(f, i))
            tie_put(&f->layout[thing], BRIEF_ON, i, false, 0);
    }
}

/* "wall shelf": what it is called says that it hangs, however the model that
 * serves is made. */
static bool is_of_walls(const habits_kind *habit)
{
    static const char wall[] = "wall ";
    return strncmp(habit->kind, wall, sizeof wall - 1) == 0;
}

/* By habit, unless the model's own size or height contradicts. */
static habits_footing footing_of(const furnish_thing *t,
                                 const habits_kind *habit)
{
    const furnish_pick *p = &t->picks[0];
    double wide = p->model.size[0] > p->model.size[2] ? p->model.size[0]
                                                      : p->model.size[2];
    double high = p->model.size[1];
    bool is_small = wide <= 0.6 && high <= 0.6,
         is_large = wide > 1.3 || high > 1;
    bool hangs = p->model.elevation > 0.5;
    if (!habit)
        return is_small ? HABITS_ON : HABITS_FREE;
    if (habit->footing == HABITS_ON && is_large)
        return HABITS_FREE;
    if (habit->footing == HABITS_ON && hangs && !p->movable)
        return HABITS_HUNG;
    if (habit->footing == HABITS_HUNG && p->movable && !hangs && high > 1.1)
        return HABITS_AT_WALL;
    if (habit->footing == HABITS_HUNG && p->movable && !hangs)
        return is_of_walls(habit) ? HABITS_HUNG : HABITS_ON;
    return habit->footing;
}

static bool has_on(const layout_thing *l)
{
    for (uint32_t i = 0; i < l->tie_count; i++) {
        if (l->ties[i].relation == BRIEF_ON)
            return true;
    }
    return false;
}

/* What things of its kind are like: where they look, who sits at them. */
static void thing_lay_habit(const furnish_thing *t,
                            const habits_kind *habit,
                            layout_thing *l)
{
    l->front = habit->front;
    l->seat = habit->seat;
    l->table = habit->footing == HABITS_FREE && habits_is(t->head, "table");
    l->worked_at = is_worked_at(t->head);
    l->sat_at = is_sat_close_to(t->head);
}

/* What stands on things and is told to be beside one that can bear it stands on
 * that: "a vase next to the mirror on the dresser"; beside what bears nothing it
 * stands on the floor: shoes beside a wardrobe. */
static void ties_near(furnishing *f, uint32_t thing)
{
    layout_thing *l = &f->layout[thing];
    const uint32_t count = l->tie_count;
    for (uint32_t k = 0; k < count; k++) {
        const layout_tie tie = l->ties[k];
        bool is_near = tie.told && tie.relation >= BRIEF_BESIDE &&
                       tie.relation <= BRIEF_RIGHT &&
                       tie.anchor != LAYOUT_NONE && tie.anchor != thing;
        if (!is_near)
            continue;
        const layout_thing *anchor = &f->layout[tie.anchor];
        if (can_bear(f, tie.anchor))
            tie_put(l, BRIEF_ON, tie.anchor, false, 0);
        else if (anchor->footing <= HABITS_CORNER && !anchor->seat)
            l->footing = HABITS_FREE;
        for (uint32_t n = 0;
             anchor->footing == HABITS_ON && n < anchor->tie_count; n++) {
            if (anchor->ties[n].relation == BRIEF_ON)
                tie_put(l, BRIEF_ON, anchor->ties[n].anchor, false, 0);
        }
    }
}

/* `anywhere`: what finds none of its usual bearers stands on whatever can bear
 * it. */
void furnish_thing_lay(furnishing *f, uint32_t thing, bool anywhere)
{
    const furnish_thing *t = &f->things[thing];
    const habits_kind *habit = habits_of(t->head);
    layout_thing *l = &f->layout[thing];
    if (t->source == FURNISH_SCENE) {
        furnish_scene_lay(f, thing, l);
        return;
    }
    *l = (layout_thing){.footing = HABITS_FREE,
                        .told = t->told,
                        .different = t->different,
                        .count = t->wanted,
                        .model_count = t->pick_count};
    for (uint32_t i = 0; i < t->pick_count; i++)
        l->models[i] = t->picks[i].model;
    if (!t->pick_count) {
        l->count = 0;
        return;
    }
    l->footing = footing_of(t, habit);
    l->bears = can_bear(f, thing);
    if (habit)
        thing_lay_habit(t, habit, l);
    if (t->overhead)
        l->footing = HABITS_CEILING;
    ties_told(f, thing);
    bool is_usual = !t->overhead || (habit && habit->footing == HABITS_CEILING);
    if (habit && is_usual && !says_where(l))
        ties_habit(f, thing, habit);
    if (anywhere && l->footing == HABITS_ON && !has_on(l))
        ties_near(f, thing);
    bool lacks_bearer = anywhere && l->footing == HABITS_ON && !has_on(l);
    if (lacks_bearer && habit && habit->beside == BRIEF_ON)
        ties_habit(f, thing, habit);
    if (lacks_bearer && !has_on(l))
        ties_on_any(f, thing);
}

/* What is placed by a thing that stands on another one comes before that: by
 * its bearer. */
static void ties_by_bearers(furnishing *f, uint32_t thing)
{
    layout_thing *l = &f->layout[thing];
    const uint32_t count = l->tie_count;
    for (uint32_t k = 0; k < count; k++) {
        const layout_tie tie = l->ties[k];
        bool is_beside =
            tie.relation >= BRIEF_BESIDE && tie.relation <= BRIEF_FACING;
        if (!is_beside || !tie.told || tie.anchor == LAYOUT_NONE)
            continue;
        const layout_thing *anchor = &f->layout[tie.anchor];
        for (uint32_t n = 0;
             anchor->footing == HABITS_ON && n < anchor->tie_count; n++) {
            if (anchor->ties[n].relation != BRIEF_ON ||
                anchor->ties[n].anchor == thing)
                continue;
            tie_put(l, tie.relation, anchor->ties[n].anchor, false, 0);
            break;
        }
    }
}

/* What bears a thing that the text puts into a corner is there. Rows are the
 * thing's own: a row of books makes no rows of shelves. */
static void bearers_follow(furnishing *f, uint32_t thing)
{
    const layout_thing *l = &f->layout[thing];
    uint32_t bearer = LAYOUT_NONE;
    for (uint32_t i = 0; l->footing == HABITS_ON && i < l->tie_count; i++) {
        if (l->ties[i].relation == BRIEF_ON && bearer == LAYOUT_NONE)
            bearer = l->ties[i].anchor;
    }
    for (uint32_t i = 0; bearer != LAYOUT_NONE && i < l->tie_count; i++) {
        const layout_tie *t = &l->ties[i];
        bool is_of_room = t->anchor == LAYOUT_NONE && t->relation != BRIEF_ROWS;
        if (t->told && is_of_room && !f->layout[bearer].fixed)
            tie_put(&f->layout[bearer], t->relation, LAYOUT_NONE, true,
                    t->walls);
    }
}

/* To itself: a tie tells how several items of it stand to one another. */
static bool has_tie_to(const layout_thing *l, uint32_t anchor)
{
    for (uint32_t i = 0; i < l->tie_count; i++) {
        if (l->ties[i].anchor == anchor)
            return true;
    }
    return false;
}

/* What the text puts at a wall stays there, whatever habit would have. */
static bool is_told_at_wall(const layout_thing *l)
{
    for (uint32_t i = 0; i < l->tie_count; i++) {
        bool is_wall = l->ties[i].relation == BRIEF_WALL ||
                       l->ties[i].relation == BRIEF_CORNER;
        if (is_wall && l->ties[i].told)
            return true;
    }
    return false;
}

/* Two of a kind stand side by side unless the text or a habit ties them
 * elsewhere. */
static void pair_tie(furnishing *f, uint32_t pair)
{
    layout_thing *l = &f->layout[pair];
    if (l->count == 2 && !l->fixed && !has_tie_to(l, pair))
        tie_put(l, BRIEF_BESIDE, pair, false, 0);
}

/* Two in a row leave what is to stand between them its room. */
static void pair_part(furnishing *f, uint32_t pair, uint32_t between)
{
    const double slack = 0.06; /* metres: a little at either side */
    layout_thing *l = &f->layout[pair];
    const layout_thing *b = &f->layout[between];
    double wide = b->model_count ? b->models[0].size[0] + slack : 0;
    if (l->count > 1 && wide > l->apart)
        l->apart = wide;
}

/* Two that something stands between are side by side, unless it is said how
 * they stand to one another; and so are the two seats of a use. */
static void pairs_tie(furnishing *f)
{
    for (uint32_t i = 0; i < f->thing_count; i++) {
        bool is_of_use = f->things[i].want != BRIEF_NONE &&
                         f->things[i].relation == BRIEF_CORNER;
        if (is_of_use && f->layout[i].seat)
            pair_tie(f, i);
    }
    for (uint32_t i = 0; i < f->thing_count; i++) {
        const layout_thing *l = &f->layout[i];
        for (uint32_t k = 0; k < l->tie_count; k++) {
            uint32_t pair = l->ties[k].anchor;
            bool is_between = l->ties[k].relation == BRIEF_BETWEEN &&
                              pair != LAYOUT_NONE && pair != i;
            if (is_between)
                pair_part(f, pair, i);
            /* chairs at a table sit across it */
            if (is_between && !has_tie_to(&f->layout[pair], i))
                pair_tie(f, pair);
        }
    }
}

/* Is it said, or usual with something that is there, to what the thing
 * turns? */
static bool is_turned(const layout_thing *l)
{
    for (uint32_t i = 0; i < l->tie_count; i++) {
        bool is_across = l->ties[i].relation == BRIEF_FACING ||
                         l->ties[i].relation == BRIEF_OPPOSITE ||
                         l->ties[i].relation == BRIEF_AWAY ||
                         l->ties[i].relation == BRIEF_BACK;
        if (is_across)
            return true;
    }
    return false;
}

/* Do the thing's items stand as an audience does: in rows, or many desks? */
static bool is_audience(const layout_thing *l)
{
    const uint32_t many = 4;
    bool sits = l->seat && layout_rows_of(l);
    return sits || (l->worked_at && (l->count >= many || layout_rows_of(l)));
}

/* What rows are told to face is looked at. */
static void audience_look(furnishing *f, layout_thing *l)
{
    for (uint32_t i = 0; layout_rows_of(l) && i < l->tie_count; i++) {
        const layout_tie *t = &l->ties[i];
        if (t->relation == BRIEF_FACING && t->anchor != LAYOUT_NONE)
            f->layout[t->anchor].looked_at = true;
    }
}

/* Who sits in rows looks at what is written or shown before them. */
static void audiences_turn(furnishing *f)
{
    static const char *const shown[] = {"blackboard", "whiteboard", "screen",
                                        "television", "stage",      "lectern"};
    for (uint32_t i = 0; i < f->thing_count; i++) {
        layout_thing *l = &f->layout[i];
        uint32_t board = BRIEF_NONE;
        audience_look(f, l);
        if (l->fixed || !is_audience(l) || is_turned(l))
            continue;
        for (size_t k = 0; k < COUNT_OF(shown); k++) {
            if (board == BRIEF_NONE)
                board = furnish_thing_of_kind(f, shown[k], i, 0);
        }
        if (board == BRIEF_NONE || f->layout[board].footing == HABITS_ON)
            continue;
        tie_put(l, BRIEF_FACING, board, false, 0);
        f->layout[board].looked_at = true;
        if (l->footing == HABITS_AT_WALL && !is_told_at_wall(l))
            l->footing = HABITS_FREE;
    }
}

/* What something is to stand behind leaves its wall for it. */
static void anchors_free(furnishing *f)
{
    for (uint32_t i = 0; i < f->thing_count; i++) {
        const layout_thing *l = &f->layout[i];
        for (uint32_t k = 0; k < l->tie_count; k++) {
            const layout_tie *tie = &l->ties[k];
            if (tie->relation != BRIEF_BEHIND || !tie->told ||
                tie->anchor == LAYOUT_NONE)
                continue;
            layout_thing *anchor = &f->layout[tie->anchor];
            bool stays = anchor->fixed || is_told_at_wall(anchor);
            if (!stays && anchor->footing == HABITS_AT_WALL)
                anchor->footing = HABITS_FREE;
        }
    }
}

/* Does the text say where in the room it is? */
static bool has_told_place(const layout_thing *l)
{
    for (uint32_t i = 0; i < l->tie_count; i++) {
        bool is_place = l->ties[i].told && l->ties[i].anchor == LAYOUT_NONE &&
                        l->ties[i].relation != BRIEF_ROWS;
        if (is_place)
            return true;
    }
    return false;
}

static bool has_told_tie(const layout_thing *l)
{
    for (uint32_t i = 0; i < l->tie_count; i++) {
        if (l->ties[i].told)
            return true;
    }
    return false;
}

/* "along one side a wardrobe stands beside a bench": the bench is where the
 * wardrobe is, wherever benches usually are. */
static void anchors_follow(furnishing *f, uint32_t thing)
{
    const layout_thing *l = &f->layout[thing];
    for (uint32_t k = 0; has_told_place(l) && k < l->tie_count; k++) {
        const layout_tie *tie = &l->ties[k];
        bool is_beside = tie->told && tie->relation == BRIEF_BESIDE &&
                         tie->anchor != LAYOUT_NONE && tie->anchor != thing;
        layout_thing *anchor = is_beside ? &f->layout[tie->anchor] : NULL;
        bool may_follow = anchor && !anchor->fixed && !has_told_tie(anchor) &&
                          anchor->footing <= HABITS_CORNER &&
                          l->footing <= HABITS_CORNER;
        if (!may_follow)
            continue;
        anchor->tie_count = 0;
        tie_put(anchor, BRIEF_BESIDE, thing, false, 0);
    }
}

bool furnish_thing_hovers(const furnishing *f, uint32_t thing)
{
    const layout_thing *l = &f->layout[thing];
    return l->count && l->footing == HABITS_ON && !has_on(l) && !l->fixed;
}

/* The order matters: a bearer may get a wall or a corner from its load, and
 * what is told to be at a wall does not leave it afterwards. */
void furnish_ties_settle(furnishing *f)
{
    for (uint32_t i = 0; i < f->thing_count; i++)
        ties_by_bearers(f, i);
    for (uint32_t i = 0; i < f->thing_count; i++)
        bearers_follow(f, i);
    for (uint32_t i = 0; i < f->thing_count; i++)
        anchors_follow(f, i);
    anchors_free(f);
    audiences_turn(f);
    pairs_tie(f);
}
