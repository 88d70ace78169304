/* From a brief to things with models: the models that answer each thing, and
 * whether the room can hold them. Which things there are is furnish_things.c's,
 * how they go together furnish_ties.c's. */
#include "proto/array.h"
#include "worker/cli/furnish_pick_internal.h"
#include "worker/cli/furnish_scene.h"

#include "worker/assets/query.h"
#include "worker/builtin/language/kinds.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- models ---- */

/* Is one of the model's kinds the thing's? */
static bool doc_is_of(const index_doc *d, const char *head)
{
    kinds_id said, one;
    if (!kinds_find(head, &said))
        return false;
    for (uint32_t i = 0; i < INDEX_DOC_KINDS && d->kinds[i]; i++) {
        kinds_find_above(d->kinds[i], &one);
        if (kinds_id_distance(&one, &said) < KINDS_NEAR)
            return true;
    }
    return false;
}

/* May what is only near it stand in for a thing? A table for a side table,
 * which is one; no painting for a mirror, and nothing that merely is a board
 * for a dartboard, which hangs. */
static bool near_suits(const index_doc *d, const char *head)
{
    kinds_id said, one;
    const habits_kind *own = habits_of(head);
    bool hangs =
        own && (own->footing == HABITS_HUNG || own->footing == HABITS_CEILING);
    if (!own || !kinds_find(head, &said))
        return true;
    if (!d->kinds[0])
        return false;
    /* what it is first of all: a vase that is a glass, too, is no mirror */
    kinds_find_above(d->kinds[0], &one);
    bool is_related = kinds_id_distance(&one, &said) != KINDS_UNRELATED;
    return is_related && (!hangs || habits_of_kind(&one));
}

static bool size_fits(const furnishing *f, const double size[3])
{
    double wide = size[0] > size[2] ? size[0] : size[2],
           narrow = size[0] > size[2] ? size[2] : size[0];
    double longer =
        f->room.width > f->room.depth ? f->room.width : f->room.depth;
    double shorter =
        f->room.width > f->room.depth ? f->room.depth : f->room.width;
    return wide <= longer - 0.02 && narrow <= shorter - 0.02 &&
           size[1] <= f->room.height - 0.01;
}

/* "king-size", "single": beds are told apart by their breadth. 1: it is not as
 * said. */
static int bed_misfits(const char *said, const char *head, const double size[3])
{
    static const struct {
        const char *word;
        double low, high;
    } beds[] = {{"king", 1.6, 9},    {"queen", 1.35, 2.1}, {"double", 1.3, 2.1},
                {"full", 1.25, 1.9}, {"single", 0.6, 1.3}, {"twin", 0.6, 1.3}};
    if (!habits_is(head, "bed"))
        return 0;
    double wide = size[0] < size[2] ? size[0] : size[2];
    for (size_t i = 0; i < COUNT_OF(beds); i++) {
        if (strstr(said, beds[i].word))
            return wide < beds[i].low || wide > beds[i].high;
    }
    return strstr(head, "hospital") == NULL && wide < 0.6;
}

/* The search for models. least: the size of the smallest that did not fit, for
 * the message. */
typedef struct picking {
    furnishing *f;
    const index_view *v;
    find_result *found;
    etna_error *err;
    bool any_unfit; /* of the kind, but too large for the room */
    int rank_unfit; /* the best of these */
    double least[3];
} picking;

static const char *picking_keep(picking *p, const char *text)
{
    return etna_arena_strdup(&p->f->arena, text);
}

static bool thing_has(const furnish_thing *t, const etna_hash *hash)
{
    for (uint32_t i = 0; i < t->pick_count; i++) {
        if (memcmp(&t->picks[i].hash, hash, sizeof *hash) == 0)
            return true;
    }
    return false;
}

/* Made to hang where the thing is to stand, or the other way round? */
static bool mounting_fits(const habits_kind *habit, const furnish_pick *p)
{
    bool hangs = !p->movable && p->model.elevation > 0.3;
    if (!habit)
        return !hangs;
    switch (habit->footing) {
    case HABITS_CEILING:
        return p->model.elevation + p->model.size[1] > 1.5 || p->light;
    case HABITS_HUNG: return true;
    default: return !hangs && p->model.elevation < 1.2;
    }
}

/* what mounting, seats, looks and habits change of a rank is less */
enum {
    RANK_MOUNTS = 8
};

#define SEAT_WIDTH 0.6 /* metres that one takes at a table or a counter */

/* How many sit at a table of that foot: by its long sides, and at its ends
 * where they are wide. */
uint32_t furnish_seats_at(const double size[3])
{
    static const double END = 0.75;
    double longer = size[0] > size[2] ? size[0] : size[2];
    bool has_ends = size[0] >= END && size[2] >= END;
    return 2 * (uint32_t)(longer / SEAT_WIDTH) + (has_ends ? 2 : 0);
}

/* How well it serves, least first: of the kind before near ones, as large as
 * said before others, for the same use before others, and with the colour and
 * outline that are asked for before without. */
static int pick_rank(const furnish_thing *t,
                     const furnish_pick *p,
                     const habits_kind *habit)
{
    int rank = bed_misfits(t->said, t->head, p->model.size);
    bool hung = habit && (habit->footing == HABITS_HUNG ||
                          habit->footing == HABITS_CEILING);
    const habits_form *own = habits_form_of(t->head);
    bool has_usual = own && own->usual > 0;
    /* a low shelf that was made to stand hangs as well as one that was not */
    bool hangs_well =
        p->model.elevation > 0 || (has_usual && p->model.size[1] <= own->usual);
    bool mounts = hung && !hangs_well;
    uint32_t seats = habits_is(t->head, "table")
                         ? furnish_seats_at(p->model.size)
                         : (uint32_t)(p->model.size[0] / SEAT_WIDTH + 0.02);
    /* nobody sits at chairs before a low table */
    const double lowest = 0.6;
    bool is_low =
        t->seats && habits_is(t->head, "table") && p->model.size[1] < lowest;
    bool is_crowded = is_low || (t->seats && seats < t->seats);
    bool is_high = t->below_window && p->model.size[1] > LAYOUT_WINDOW_HIDDEN;
    is_high = is_high || (has_usual && p->model.size[1] > own->usual);
    const double chair_wide = 0.5; /* metres: wider ones crowd a table */
    bool is_wide = t->at_table && p->model.size[0] > chair_wide;
    bool is_unhandy = is_crowded || is_high || is_wide;
    int looks = (p->lacks != NULL) + 2 * p->other_use;
    return 2 * RANK_MOUNTS * (p->of_kind ? 0 : 1) + RANK_MOUNTS * rank +
           4 * (mounts || is_unhandy) + looks;
}

/* "bed" of "double bed": what serves where no catalogue tells the finer
 * kind. */
static const char *last_word(const char *head)
{
    const char *blank = strrchr(head, ' ');
    return blank ? blank + 1 : head;
}

/* Is the hit a model of the thing, or nearly? *ret without texts. */
static bool hit_serves(const furnish_thing *t,
                       const index_doc *d,
                       const find_hit *hit,
                       furnish_pick *ret)
{
    furnish_pick pick = {.number = d->number,
                         .hash = d->hash,
                         .front = d->front,
                         .movable = d->movable,
                         .light = d->light};
    for (int k = 0; k < 3; k++)
        pick.model.size[k] =
            (double)d->size[k] > 0.005 ? (double)d->size[k] : 0.005;
    pick.model.elevation = (double)d->elevation;
    /* an island bath is no kitchen island: it is a bath first of all, and its
     * name has but a word of that */
    bool is_called_so =
        hit->kind * 2 >= INDEX_KIND || strcasestr(d->name, t->head);
    bool is_named_so = is_called_so && doc_is_of(d, t->head);
    bool is_near =
        hit->kind * 10 >= INDEX_KIND * 4 || doc_is_of(d, last_word(t->head));
    pick.of_kind = is_named_so || (is_near && hit->kind * 10 >= INDEX_KIND * 9);
    *ret = pick;
    bool serves = is_named_so || (is_near && near_suits(d, t->head));
    if (!serves || d->opening)
        return false;
    return mounting_fits(habits_of(t->head), &pick) &&
           habits_form_fits(t->head, pick.model.size) &&
           !thing_has(t, &d->hash);
}

/* A colour that the thing should have and the model shows too little of, or an
 * outline that it has not; NULL: none. */
static const char *look_lacking(const picking *p,
                                const furnish_thing *t,
                                uint32_t doc,
                                const index_doc *d)
{
    enum {
        SHARE_ENOUGH = 10 /* percent of the surface, as when assets are found */
    };
    for (int i = 0; i < ASSET_COLOURS; i++) {
        const char *name = asset_colour_names[i];
        bool is_asked = t->colours >> i & 1;
        if (is_asked && d->colour[i] < SHARE_ENOUGH &&
            !strcasestr(d->name, name))
            return name;
    }
    bool is_outlined = !t->outline || find_is_outlined(p->v, doc, t->outline);
    return is_outlined ? NULL : t->outline;
}

/* Are such models used otherwise than what is asked for: a pool table, which
 * is a table, too, or a stool that is called a chair? */
static bool doc_is_used_otherwise(const index_doc *d, const char *head)
{
    kinds_id own;
    const habits_kind *asked = habits_of(head);
    if (!asked || !d->kinds[0])
        return false;
    kinds_find_above(d->kinds[0], &own);
    const habits_kind *used = habits_of_kind(&own);
    return used && used != asked;
}

/* Is the thing one of what the model is, told apart from others of these by its
 * size: a floor lamp, of which catalogues say "lamp"? */
static bool size_tells(const index_doc *d, const char *head)
{
    kinds_id said, one;
    bool has_form = habits_form_of(head) || habits_is(head, "bed");
    if (!has_form || !d->kinds[0] || !kinds_find(head, &said))
        return false;
    kinds_find_above(d->kinds[0], &one);
    return kinds_id_distance(&said, &one) < KINDS_NEAR;
}

/* What the model is not, if it only stands in for the thing: a washing machine
 * for a sewing machine. *ret in the arena, NULL: it is the thing. */
static etna_code standing_in(picking *p,
                             const furnish_thing *t,
                             const index_doc *d,
                             bool is_of_kind,
                             const char **ret)
{
    *ret = NULL;
    if (is_of_kind || size_tells(d, t->head) || strcasestr(d->name, t->head))
        return ETNA_OK;
    bool is_vowel = strchr("aeiou", t->head[0]) != NULL;
    *ret = etna_arena_printf(&p->f->arena, "%s %s", is_vowel ? "an" : "a",
                             t->head);
    return *ret ? ETNA_OK : furnish_no_memory(p->err);
}

/* The smallest of the best that are too large for the room. */
static void unfit_note(picking *p, const furnish_pick *pick, int rank)
{
    const double *size = pick->model.size;
    bool is_better = !p->any_unfit || rank < p->rank_unfit;
    bool is_less = is_better || (rank == p->rank_unfit &&
                                 size[0] * size[2] < p->least[0] * p->least[2]);
    if (is_less)
        memcpy(p->least, size, sizeof p->least);
    if (is_better)
        p->rank_unfit = rank;
    p->any_unfit = true;
}

/* By rank, of equals in the order of the search. */
static void pick_insert(furnish_thing *t, const furnish_pick *pick, int rank)
{
    const habits_kind *habit = habits_of(t->head);
    uint32_t at = t->pick_count;
    while (at > 0 && pick_rank(t, &t->picks[at - 1], habit) > rank)
        at--;
    if (at == LAYOUT_MODELS_MAX)
        return;
    uint32_t last = t->pick_count < LAYOUT_MODELS_MAX ? t->pick_count++
                                                      : LAYOUT_MODELS_MAX - 1;
    for (; last > at; last--)
        t->picks[last] = t->picks[last - 1];
    t->picks[at] = *pick;
}

/* A hit becomes a pick if it serves and fits the room; what does not fit is
 * remembered for the message. */
static etna_code hit_take(picking *p, furnish_thing *t, const find_hit *hit)
{
    index_doc d = index_doc_at(p->v, hit->doc);
    furnish_pick pick;
    if (!hit_serves(t, &d, hit, &pick))
        return ETNA_OK;
    if (standing_in(p, t, &d, pick.of_kind, &pick.lacks) != ETNA_OK)
        return ETNA_E_NOMEM;
    if (!pick.lacks)
        pick.lacks = look_lacking(p, t, hit->doc, &d);
    pick.other_use = doc_is_used_otherwise(&d, t->head);
    pick.model.misfits = bed_misfits(t->said, t->head, pick.model.size) != 0;
    int rank = pick_rank(t, &pick, habits_of(t->head));
    if (!size_fits(p->f, pick.model.size)) {
        unfit_note(p, &pick, rank);
        return ETNA_OK;
    }
    pick.path = picking_keep(p, d.path);
    pick.name = picking_keep(p, d.name);
    pick.licence = picking_keep(p, d.licence);
    pick.reason = picking_keep(p, hit->reason);
    if (!pick.path || !pick.name || !pick.licence || !pick.reason)
        return furnish_no_memory(p->err);
    pick_insert(t, &pick, rank);
    return ETNA_OK;
}

/* A crib is no double bed because the double beds are too large. */
static void keep_proper(const picking *p, furnish_thing *t)
{
    if (!p->any_unfit || !t->pick_count)
        return;
    int rank = pick_rank(t, &t->picks[0], habits_of(t->head));
    if (rank / RANK_MOUNTS > p->rank_unfit / RANK_MOUNTS)
        t->pick_count = 0;
}

/* One request to the index; that nothing answers is no failure. */
static etna_code query_take(picking *p, furnish_thing *t, const char *request)
{
    find_options options = p->f->find;
    options.k = 40;
    options.room = p->f->category;
    etna_code code = find_assets(p->v, request, &options, p->found, p->err);
    if (code == ETNA_E_INPUT)
        /* its words say nothing: what is left is nothing found */
        return ETNA_OK;
    if (code != ETNA_OK)
        return code;
    if (!p->found->found) {
        t->why_not = picking_keep(p, p->found->why_not);
        if (p->found->count)
            t->nearest =
                picking_keep(p, index_doc_at(p->v, p->found->hits[0].doc).name);
        return ETNA_OK;
    }
    for (uint32_t i = 0; code == ETNA_OK && i < p->found->count; i++)
        code = hit_take(p, t, &p->found->hits[i]);
    return code;
}

/* Near ones only serve where there is none of the kind. */
static void keep_best_rank(furnish_thing *t)
{
    if (!t->pick_count || !t->picks[0].of_kind)
        return;
    uint32_t n = 0;
    while (n < t->pick_count && t->picks[n].of_kind)
        n++;
    t->pick_count = n;
}

/* By what was said, then by its name, then by the name's last word. */
static etna_code thing_query(picking *p, furnish_thing *t)
{
    const char *last = last_word(t->head);
    etna_code code = query_take(p, t, t->said);
    bool is_short =
        t->pick_count < LAYOUT_MODELS_MAX && strcmp(t->said, t->head) != 0;
    if (code == ETNA_OK && is_short)
        code = query_take(p, t, t->head);
    bool tries_last = !t->pick_count && strcmp(last, t->head) != 0;
    return code == ETNA_OK && tries_last ? query_take(p, t, last) : code;
}

/* None of its models fits the room: a refusal where the text asks for it. */
static etna_code unfit_tell(picking *p, furnish_thing *t)
{
    const layout_room *room = &p->f->room;
    t->why_not = etna_arena_printf(
        &p->f->arena,
        "the smallest %s is %.2f x %.2f m and %.2f m high, too large for a room of %g x %g x %g m",
        t->head, p->least[0], p->least[2], p->least[1], room->width,
        room->depth, room->height);
    if (!t->why_not)
        return furnish_no_memory(p->err);
    bool is_asked = t->told && t->source == FURNISH_NAMED;
    return is_asked ? etna_fail(p->err, ETNA_E_INPUT,
                                "%s; give a larger --room, or leave it out",
                                t->why_not)
                    : ETNA_OK;
}

/* With why_not when there is none. */
static etna_code thing_pick(picking *p, furnish_thing *t)
{
    if (t->source == FURNISH_SCENE)
        return ETNA_OK;
    p->any_unfit = false;
    query said;
    if (query_read(t->said, &said, p->err) == ETNA_OK) {
        t->colours = said.named_colours;
        t->outline = query_outline(&said);
        /* "L-shaped": of what shape models are is not known */
        if (strstr(t->said, " shaped "))
            t->outline = "of that shape";
    }
    etna_code code = thing_query(p, t);
    if (code != ETNA_OK)
        return code;
    keep_best_rank(t);
    keep_proper(p, t);
    if (t->pick_count) {
        t->why_not = NULL;
        return ETNA_OK;
    }
    if (p->any_unfit)
        return unfit_tell(p, t);
    if (!t->why_not)
        t->why_not =
            etna_arena_printf(&p->f->arena, "no model here is a %s", t->head);
    return t->why_not ? ETNA_OK : furnish_no_memory(p->err);
}

/* Fails only when nothing at all can come. */
static etna_code find_nothing(const furnishing *f, etna_error *err)
{
    bool is_licence = f->find.licence_count > 0;
    const char *why = NULL;
    uint32_t asked = 0;
    for (uint32_t i = 0; i < f->thing_count; i++) {
        const furnish_thing *t = &f->things[i];
        if (t->source == FURNISH_SCENE)
            continue;
        if (t->pick_count)
            return ETNA_OK;
        if (!asked++)
            why = t->why_not;
    }
    if (f->scene && !asked)
        return etna_fail(
            err, ETNA_E_INPUT,
            "all that the text names stands there already; say what is to come, as \"add a floor lamp\"");
    return etna_fail(
        err, ETNA_E_INPUT,
        is_licence
            ? "no model for any of it is under such a licence (%s); `etna assets ls` shows the licences"
            : "there is no model for any of it (%s); `etna assets index` reads more models",
        why ? why : "nothing was named");
}

/* ---- what the room can hold ---- */

/* The smallest footprint among the picks, m2. */
static double foot_least(const furnish_thing *t, uint32_t *ret_pick)
{
    double least = INFINITY;
    for (uint32_t i = 0; i < t->pick_count; i++) {
        double foot = t->picks[i].model.size[0] * t->picks[i].model.size[2];
        if (foot >= least)
            continue;
        least = foot;
        *ret_pick = i;
    }
    return least;
}

bool furnish_thing_is_on_floor(const furnish_thing *t)
{
    const habits_kind *habit = habits_of(t->head);
    if (!habit)
        return t->pick_count && t->picks[0].model.size[0] > 0.5;
    return habit->footing <= HABITS_CORNER;
}

/* What the text asks for: how many, of what most, and the floor that it needs
 * at least, m2. What the text needs at the least: floor in m2, items, and the
 * thing that has most of them. */
typedef struct demand {
    uint64_t items;
    const furnish_thing *most;
    double area;
} demand;

/* What the told things need at least, to refuse a room that is far too
 * small. */
static demand demand_of(const furnishing *f)
{
    demand d = {0};
    for (uint32_t i = 0; i < f->thing_count; i++) {
        const furnish_thing *t = &f->things[i];
        uint32_t pick = 0;
        if (!t->told || !t->pick_count)
            continue;
        d.items += t->wanted;
        if (!d.most || t->wanted > d.most->wanted)
            d.most = t;
        if (furnish_thing_is_on_floor(t))
            d.area += foot_least(t, &pick) * t->wanted;
    }
    return d;
}

/* More than the floor holds, even side by side, is no brief for this room. */
static etna_code check_room(const furnishing *f, etna_error *err)
{
    const demand d = demand_of(f);
    const furnish_thing *most = d.most;
    double floor = f->room.width * f->room.depth;
    if (!most || (d.area <= floor && d.items <= LAYOUT_ITEMS_MAX))
        return ETNA_OK;
    uint32_t pick = 0;
    foot_least(most, &pick);
    uint32_t fit = layout_fit(&f->room, &most->picks[pick].model);
    if (most->wanted > fit || d.items > LAYOUT_ITEMS_MAX)
        return etna_fail(
            err, ETNA_E_INPUT,
            "%u x \"%s\" do not fit a room of %g x %g m: at most %u stand side by side; ask for fewer, or give a larger --room",
            most->wanted, most->head, f->room.width, f->room.depth,
            fit < LAYOUT_ITEMS_MAX ? fit : (uint32_t)LAYOUT_ITEMS_MAX);
    return etna_fail(
        err, ETNA_E_INPUT,
        "what is asked for covers %.1f m2 at least, and the room has %.1f; ask for less, or give a larger --room",
        d.area, floor);
}

/* ---- what is to stand on something ---- */

/* The least and the most of two sides of a foot. */
typedef struct foot {
    double narrow, wide;
} foot;

static foot foot_of(const double size[3])
{
    return (foot){size[0] < size[2] ? size[0] : size[2],
                  size[0] < size[2] ? size[2] : size[0]};
}

static bool foot_fits(const double size[3], foot on)
{
    foot own = foot_of(size);
    return own.narrow <= on.narrow && own.wide <= on.wide;
}

/* The foot of the first model of what the text puts the thing on; false: it puts
 * it on nothing, or one of the thing's models fits there. */
static bool bearer_is_too_small(const furnishing *f, uint32_t thing, foot *ret)
{
    const layout_thing *l = &f->layout[thing];
    for (uint32_t k = 0; k < l->tie_count; k++) {
        const layout_tie *tie = &l->ties[k];
        bool bears = tie->relation == BRIEF_ON && tie->told &&
                     tie->anchor != LAYOUT_NONE &&
                     f->things[tie->anchor].source != FURNISH_SCENE;
        if (!bears || !f->things[tie->anchor].pick_count)
            continue;
        *ret = foot_of(f->things[tie->anchor].picks[0].model.size);
        for (uint32_t i = 0; i < f->things[thing].pick_count; i++) {
            if (foot_fits(f->things[thing].picks[i].model.size, *ret))
                return false;
        }
        return true;
    }
    return false;
}

/* Models that fit what they are to stand on, where all that were found are
 * larger: a basket for a shelf. Without any it stays as it was. */
static etna_code pick_for_bearer(picking *p, uint32_t thing)
{
    furnish_thing *t = &p->f->things[thing], before = *t;
    foot on;
    if (!t->told || !bearer_is_too_small(p->f, thing, &on))
        return ETNA_OK;
    const find_options asked = p->f->find;
    p->f->find.max_size[0] = on.wide;
    p->f->find.max_size[2] = on.narrow;
    t->pick_count = 0;
    etna_code code = thing_query(p, t);
    p->f->find = asked;
    keep_best_rank(t);
    if (!t->pick_count)
        *t = before;
    t->why_not = NULL;
    if (code == ETNA_OK)
        furnish_thing_lay(p->f, thing, false);
    return code;
}

/* What the text puts on the thing: the floor that it takes, and the largest foot
 * of it. */
static double load_told(const furnishing *f, uint32_t bearer, foot *ret)
{
    double sum = 0;
    *ret = (foot){0, 0};
    for (uint32_t i = 0; i < f->thing_count; i++) {
        const furnish_thing *t = &f->things[i];
        const layout_thing *l = &f->layout[i];
        uint32_t least = 0;
        bool is_on = false;
        for (uint32_t k = 0; t->pick_count && k < l->tie_count; k++)
            is_on |= l->ties[k].relation == BRIEF_ON && l->ties[k].told &&
                     l->ties[k].anchor == bearer;
        if (!is_on)
            continue;
        sum += foot_least(t, &least) * t->wanted;
        const foot own = foot_of(t->picks[least].model.size);
        ret->narrow = own.narrow > ret->narrow ? own.narrow : ret->narrow;
        ret->wide = own.wide > ret->wide ? own.wide : ret->wide;
    }
    return sum;
}

/* Has the model room for that, on as many boards as it is high? */
static bool pick_bears(const furnish_pick *pick,
                       uint32_t count,
                       double load,
                       const foot *largest)
{
    const double *size = pick->model.size, boards = floor(size[1] / 0.4);
    const foot own = foot_of(size);
    double area = own.narrow * own.wide * count * (boards > 2 ? boards : 1);
    return load <= 0.7 * area && largest->narrow <= own.narrow &&
           largest->wide <= own.wide;
}

/* Of models that serve as well those come first that have room for what is to
 * stand on them; the order stays else. */
static void pick_for_load(furnishing *f, uint32_t thing)
{
    furnish_thing *t = &f->things[thing];
    foot largest;
    const double load = load_told(f, thing, &largest);
    const habits_kind *habit = habits_of(t->head);
    bool is_moved = false;
    for (uint32_t i = 1; load > 0 && i < t->pick_count; i++) {
        const furnish_pick one = t->picks[i];
        uint32_t at = i;
        int rank = pick_rank(t, &one, habit);
        if (!pick_bears(&one, t->wanted, load, &largest))
            continue;
        while (at > 0 && pick_rank(t, &t->picks[at - 1], habit) == rank &&
               !pick_bears(&t->picks[at - 1], t->wanted, load, &largest)) {
            t->picks[at] = t->picks[at - 1];
            at--;
        }
        t->picks[at] = one;
        is_moved = is_moved || at != i;
    }
    if (is_moved)
        furnish_thing_lay(f, thing, false);
}

/* ---- all of it ---- */

/* What is to stand on something and has nothing to stand on gets it: a lamp its
 * side table. */
static etna_code add_supports(picking *p)
{
    furnishing *f = p->f;
    uint32_t count = f->thing_count;
    for (uint32_t i = 0; i < count; i++) {
        if (!furnish_thing_hovers(f, i))
            continue;
        const habits_kind *habit = habits_of(f->things[i].head);
        const char *kind =
            habit && habit->anchors[0] ? habit->anchors[0] : "side table";
        bool is_there = furnish_thing_of_kind(f, kind, i, 0) != BRIEF_NONE;
        furnish_thing *t =
            is_there ? NULL
                     : furnish_thing_add(f, FURNISH_SUPPORT, kind, kind, 1);
        if (!t)
            continue;
        t->for_thing = i;
        etna_code code = thing_pick(p, t);
        if (code != ETNA_OK)
            return code;
    }
    return ETNA_OK;
}

/* Picks, then ties: a tie needs the other thing's pick. */
static etna_code pick_things(picking *p)
{
    furnishing *f = p->f;
    etna_code code = ETNA_OK;
    for (uint32_t i = 0; code == ETNA_OK && i < f->thing_count; i++)
        code = thing_pick(p, &f->things[i]);
    if (code == ETNA_OK)
        code = find_nothing(f, p->err);
    if (code == ETNA_OK)
        code = check_room(f, p->err);
    for (uint32_t i = 0; code == ETNA_OK && i < f->thing_count; i++)
        furnish_thing_lay(f, i, false);
    for (uint32_t i = 0; code == ETNA_OK && i < f->thing_count; i++)
        pick_for_load(f, i);
    for (uint32_t i = 0; code == ETNA_OK && i < f->thing_count; i++)
        code = pick_for_bearer(p, i);
    if (code == ETNA_OK)
        code = add_supports(p);
    for (uint32_t i = 0; code == ETNA_OK && i < f->thing_count; i++)
        furnish_thing_lay(f, i, true);
    if (code == ETNA_OK)
        furnish_ties_settle(f);
    return code;
}

/* From text to things with models and ties. */
etna_code furnish_pick_all(furnishing *f,
                           const index_view *index,
                           etna_error *err)
{
    picking p = {
        .f = f, .v = index, .found = malloc(sizeof *p.found), .err = err};
    f->brief = malloc(sizeof *f->brief);
    etna_code code = p.found && f->brief ? ETNA_OK : furnish_no_memory(err);
    if (code == ETNA_OK)
        code = brief_read(f->text, f->text_size, f->brief, err);
    if (code == ETNA_OK) {
        furnish_things_name(f);
        if (f->scene)
            code = furnish_scene_enter(f, err);
    }
    if (code == ETNA_OK) {
        furnish_things_complete(f);
        code = pick_things(&p);
    }
    free(p.found);
    return code;
}

etna_code furnish_lay(furnishing *f, etna_error *err)
{
    if (f->published)
        return layout_as_published(&f->room, f->layout, f->thing_count, f->seed,
                                   &f->plan, err);
    etna_code code = layout_search(&f->room, f->layout, f->thing_count, f->seed,
                                   &f->plan, err);
    for (uint32_t i = 0; code == ETNA_OK && i < f->plan.item_count; i++) {
        const layout_thing *t = &f->layout[f->plan.items[i].thing];
        if (f->plan.items[i].in_way)
            f->items[i].why_not = t->seat ? "nobody could come to it"
                                          : "it would keep people from a seat";
        else if (!f->plan.items[i].placed && f->plan.items[i].spared)
            f->items[i].why_not = "the room is full enough without it";
    }
    return code;
}
