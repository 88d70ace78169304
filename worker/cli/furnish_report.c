/* What became of a brief: phrase by phrase, with places, relations and
 * licences.
 *
 * Two forms of the same facts: furnish_report makes JSON (etna.furnish/1),
 * furnish_words the text that people read. Both go by furnish_measure, which
 * counts what was asked for and what of it holds; a room is complete only when
 * every named thing is there in number, every relation of the text holds, people
 * can come to every seat and no part of the text was left unread. Relations that are only habits are told,
 * but never make a room incomplete. */
#include "proto/array.h"
#include "worker/assets/text.h"
#include "worker/builtin/language/kinds.h"
#include "worker/builtin/language/lexicon.h"
#include "worker/cli/furnish_scene.h"
#include "worker/cli/load.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HELD 0.05 /* metres: a relation holds when it is off by no more */

/* By the number of a wall in the layout. */
static const char *const wall_names[4] = {"north", "east", "south", "west"};
/* Why a thing is there, in the order of its enum: the text named it, the room's
 * use asks for it, every room has it, another thing needs it to stand on, or
 * the scene had it. */
static const char *const source_names[] = {"named", "use", "room", "support",
                                           "scene"};

/* Items of all things stand in one list, one thing's behind another's. */
static uint32_t first_item(const furnishing *f, uint32_t thing)
{
    uint32_t first = 0;
    for (uint32_t i = 0; i < thing; i++)
        first += f->layout[i].count;
    return first;
}

/* Those that were there already count, too. */
static uint32_t placed_count(const furnishing *f, uint32_t thing)
{
    uint32_t count = 0;
    uint32_t first = first_item(f, thing);
    for (uint32_t i = 0; i < f->layout[thing].count; i++)
        count += f->plan.items[first + i].placed;
    return count;
}

/* The worst of the thing's items; INFINITY: no item of it, or of the anchor, is
 * there. */
static double tie_worst(const furnishing *f,
                        uint32_t thing,
                        const layout_tie *tie)
{
    double worst = -1;
    uint32_t first = first_item(f, thing);
    for (uint32_t i = 0; i < f->layout[thing].count; i++) {
        if (!f->plan.items[first + i].placed)
            continue;
        double one =
            layout_residual(&f->room, f->layout, &f->plan, first + i, tie);
        if (one > worst)
            worst = one;
    }
    return worst < 0 ? INFINITY : worst;
}

/* Of a habit with several anchors one is enough: a chair is at the desk or at
 * the table. */
static double habits_worst(const furnishing *f, uint32_t thing)
{
    const layout_thing *l = &f->layout[thing];
    double worst = -1;
    uint32_t first = first_item(f, thing);
    for (uint32_t i = 0; i < l->count; i++) {
        double least = INFINITY;
        if (!f->plan.items[first + i].placed)
            continue;
        for (uint32_t k = 0; k < l->tie_count; k++) {
            if (l->ties[k].told)
                continue;
            double one = layout_residual(&f->room, f->layout, &f->plan,
                                         first + i, &l->ties[k]);
            if (one < least)
                least = one;
        }
        if (least > worst)
            worst = least;
    }
    return worst < 0 ? INFINITY : worst;
}

/* A colour that an item of the thing should have and has not; NULL: none. */
static const char *thing_lacks(const furnishing *f, uint32_t thing)
{
    uint32_t first = first_item(f, thing);
    bool is_made = f->things[thing].source == FURNISH_NAMED;
    for (uint32_t i = 0; is_made && i < f->layout[thing].count; i++) {
        const layout_place *p = &f->plan.items[first + i];
        const char *lacks =
            p->placed ? f->things[thing].picks[p->model].lacks : NULL;
        if (lacks)
            return lacks;
    }
    return NULL;
}

/* Does a word of a thing's phrase say something that is looked at: a colour with
 * its shade, an outline, or how many and how alike they are? */
static bool word_is_checked(const furnish_thing *t, const char *word)
{
    static const char *const others[] = {
        "light",    "dark",      "pale",      "deep",    "bright",
        "matching", "identical", "same",      "similar", "pair",
        "pairs",    "set",       "different", "other",   "separate",
        "more",     "new",       "row",       "rows"};
    if (WORD_IS_OF(word, others))
        return true;
    static const char *const bed_sizes[] = {"king", "queen",  "full", "double",
                                            "twin", "single", "size", "sized"};
    if (habits_is(t->head, "bed") && WORD_IS_OF(word, bed_sizes))
        return true;
    bool is_outline = t->outline && strcmp(t->outline, word) == 0;
    return is_outline || lexicon_colour(word) != 0 || text_is_stop(word);
}

/* "desk" and "desks" of a desk; its head is in the singular. */
static bool word_is_of_head(const char *head, const char *word)
{
    char lemma[KINDS_WORD_SIZE], own[TEXT_WORD_SIZE];
    bool is_plural;
    bool has_lemma = kinds_lemma(word, lemma, sizeof lemma, &is_plural) > 0;
    for (const char *at = head; text_next(&at, own);) {
        bool is_same = strcmp(own, word) == 0;
        if (is_same || (has_lemma && strcmp(own, lemma) == 0))
            return true;
    }
    return false;
}

/* Words of what the text calls a thing that nothing of a model is held against:
 * "leather", "baroque". With ", " between; "": none. */
static void thing_unchecked(const furnishing *f,
                            const furnish_thing *t,
                            char *to,
                            size_t size)
{
    char word[TEXT_WORD_SIZE];
    size_t used = 0;
    to[0] = 0;
    if (t->source != FURNISH_NAMED || t->wish == BRIEF_NONE)
        return;
    const brief_wish *w = &f->brief->wishes[t->wish];
    for (const char *at = w->said; text_next(&at, word);) {
        bool is_said_by_kind =
            word_is_checked(t, word) || word_is_of_head(w->head, word);
        if (is_said_by_kind || used + strlen(word) + 3 > size)
            continue;
        used += (size_t)snprintf(to + used, size - used, "%s%s",
                                 used ? ", " : "", word);
    }
}

/* Whether habits say anything of it at all. */
static bool has_habit_tie(const layout_thing *l)
{
    for (uint32_t i = 0; i < l->tie_count; i++) {
        if (!l->ties[i].told)
            return true;
    }
    return false;
}

/* Did less come than the text asks for: of what it names, or of what the use or
 * the room that it names is not without? */
static bool thing_is_missing(const furnishing *f, uint32_t thing)
{
    const furnish_thing *t = &f->things[thing];
    bool is_core =
        t->told && (t->source == FURNISH_USE || t->source == FURNISH_ROOM);
    bool is_asked = t->source == FURNISH_NAMED || is_core;
    return is_asked && placed_count(f, thing) < t->wanted;
}

/* Of the seats of a thing those that are there, and those that nobody can come
 * to. What was there before is not ours. */
static uint32_t seats_of(const furnishing *f, uint32_t thing, uint32_t *ret_cut)
{
    uint32_t seats = 0;
    uint32_t first = first_item(f, thing);
    bool is_ours = f->things[thing].source != FURNISH_SCENE;
    *ret_cut = 0;
    for (uint32_t i = 0; i < f->layout[thing].count; i++) {
        bool is_seat = f->layout[thing].seat && f->plan.items[first + i].placed;
        if (!is_seat)
            continue;
        bool is_reached =
            layout_reaches(&f->room, f->layout, &f->plan, first + i);
        seats++;
        *ret_cut += is_ours && !is_reached;
    }
    return seats;
}

/* Counts of what was asked for and holds. The thing that is lacking in number
 * counts as not there. */
furnish_score furnish_measure(const furnishing *f)
{
    furnish_score s = {0};
    for (uint32_t i = 0; i < f->thing_count; i++) {
        const layout_thing *l = &f->layout[i];
        uint32_t there = placed_count(f, i);
        if (f->things[i].source == FURNISH_SCENE)
            continue;
        s.items += there;
        s.lacking += thing_is_missing(f, i);
        if (f->things[i].source == FURNISH_NAMED) {
            s.named++;
            s.named_there += there >= f->things[i].wanted;
            s.unlike += thing_lacks(f, i) != NULL;
        }
        if (!there)
            continue;
        for (uint32_t k = 0; k < l->tie_count; k++) {
            if (!l->ties[k].told)
                continue;
            bool held = tie_worst(f, i, &l->ties[k]) <= HELD;
            s.told++;
            s.told_held += held;
        }
        if (!has_habit_tie(l))
            continue;
        s.relations++;
        s.held += habits_worst(f, i) <= HELD;
    }
    s.relations += s.told;
    s.held += s.told_held;
    s.unread = f->brief->unread_count;
    for (uint32_t i = 0; i < f->thing_count; i++) {
        uint32_t cut;
        uint32_t seats = seats_of(f, i, &cut);
        s.seats += seats;
        s.reached += seats - cut;
    }
    return s;
}

/* Named things for which no model was found. */
uint32_t furnish_absent(const furnishing *f)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < f->thing_count; i++)
        count +=
            f->things[i].source == FURNISH_NAMED && !f->things[i].pick_count;
    return count;
}

/* ---- JSON ---- */

/* Where one item stands, or why not. */
static json_t *item_json(const furnishing *f, uint32_t item)
{
    const layout_place *p = &f->plan.items[item];
    const furnish_item *o = &f->items[item];
    json_t *row = json_pack("{s:s, s:b}", "name", o->name ? o->name : "",
                            "placed", p->placed);
    if (!row)
        return NULL;
    if (!p->placed) {
        json_object_set_new(
            row, "why_not",
            json_string(o->why_not ? o->why_not
                                   : "no free place was found for it"));
        return row;
    }
    json_object_set_new(
        row, "at",
        json_pack("[f,f,f]", o->at[0] + 0.0, o->at[1], o->at[2] + 0.0));
    json_object_set_new(row, "yaw_deg",
                        json_integer((json_int_t)(p->heading & 3) * 90));
    if (p->on != LAYOUT_NONE)
        json_object_set_new(row, "on", json_string(f->items[p->on].name));
    if (f->layout[p->thing].footing == HABITS_HUNG)
        json_object_set_new(row, "wall", json_string(wall_names[p->wall & 3]));
    if (f->layout[p->thing].seat)
        json_object_set_new(
            row, "reachable",
            json_boolean(layout_reaches(&f->room, f->layout, &f->plan, item)));
    return row;
}

/* What it is tied to, "" the room. Only with an opening is BETWEEN of walls. */
static const char *tie_to(const furnishing *f,
                          const layout_tie *tie,
                          char ret[BRIEF_HEAD_SIZE + 16])
{
    bool has_opening = tie->relation == BRIEF_BETWEEN && tie->walls;
    if (tie->anchor == LAYOUT_NONE)
        return "";
    snprintf(ret, BRIEF_HEAD_SIZE + 16, "%s%s", f->things[tie->anchor].head,
             has_opening ? " and opening" : "");
    return ret;
}

/* off_by_m is null where one of the two is not there. */
static json_t *tie_json(const furnishing *f,
                        uint32_t thing,
                        const layout_tie *tie)
{
    double by = tie_worst(f, thing, tie);
    char to[BRIEF_HEAD_SIZE + 16];
    const char *anchor = tie_to(f, tie, to);
    return json_pack("{s:s, s:s, s:b, s:b, s:o}", "relation",
                     brief_relation_names[tie->said], "to", anchor, "told",
                     tie->told, "held", by <= HELD, "off_by_m",
                     isfinite(by) ? json_real(by) : json_null());
}

/* Does the text tie the thing to another of which there is no model? A "with" is
 * no relation of its own. */
static bool tie_is_lost(const furnishing *f,
                        const furnish_thing *t,
                        const brief_tie *tie)
{
    const bool is_own = t->wish != BRIEF_NONE && tie->wish == t->wish;
    return is_own && !tie->loose && tie->anchor < f->thing_count &&
           !f->things[tie->anchor].pick_count;
}

/* Told, though the search knows nothing of them. */
static void lost_json(const furnishing *f, const furnish_thing *t, json_t *ties)
{
    for (uint32_t i = 0; i < f->brief->tie_count; i++) {
        const brief_tie *tie = &f->brief->ties[i];
        if (tie_is_lost(f, t, tie))
            json_array_append_new(
                ties, json_pack("{s:s, s:s, s:b, s:b, s:n}", "relation",
                                brief_relation_names[tie->relation], "to",
                                f->things[tie->anchor].head, "told", true,
                                "held", false, "off_by_m"));
    }
}

/* Each model once. */
static void asset_json(const furnishing *f, uint32_t thing, json_t *row)
{
    const furnish_thing *t = &f->things[thing];
    json_t *assets = json_array();
    uint32_t first = first_item(f, thing);
    bool is_there = t->source == FURNISH_SCENE;
    bool told[LAYOUT_MODELS_MAX] = {false};
    for (uint32_t i = 0; i < f->layout[thing].count && !is_there; i++) {
        const layout_place *p = &f->plan.items[first + i];
        if (!p->placed || told[p->model])
            continue;
        const furnish_pick *pick = &t->picks[p->model];
        char hash[65];
        told[p->model] = true;
        etna_hash_hex(&pick->hash, hash);
        json_array_append_new(
            assets, json_pack("{s:s, s:s, s:I, s:s, s:s, s:s, s:b, s:[f,f,f]}",
                              "name", pick->name, "path", pick->path, "number",
                              (json_int_t)pick->number, "hash", hash, "licence",
                              pick->licence, "reason", pick->reason, "of_kind",
                              pick->of_kind, "size", pick->model.size[0],
                              pick->model.size[1], pick->model.size[2]));
    }
    json_object_set_new(row, "assets", assets);
}

/* The phrase in the text that a thing comes from. */
static void thing_phrase(const furnishing *f,
                         const furnish_thing *t,
                         uint32_t *ret_from,
                         uint32_t *ret_to)
{
    *ret_from = *ret_to = 0;
    if (t->wish != BRIEF_NONE) {
        *ret_from = f->brief->wishes[t->wish].from;
        *ret_to = f->brief->wishes[t->wish].to;
    } else if (t->want != BRIEF_NONE) {
        *ret_from = f->brief->wants[t->want].from;
        *ret_to = f->brief->wants[t->want].to;
    } else if (t->for_thing != BRIEF_NONE) {
        thing_phrase(f, &f->things[t->for_thing], ret_from, ret_to);
    }
}

/* The words it comes from, its models, items and relations. */
static json_t *thing_json(const furnishing *f, uint32_t thing)
{
    const furnish_thing *t = &f->things[thing];
    const layout_thing *l = &f->layout[thing];
    uint32_t from, to;
    uint32_t first = first_item(f, thing);
    uint32_t there = placed_count(f, thing);
    thing_phrase(f, t, &from, &to);
    json_t *row = json_pack(
        "{s:s%, s:I, s:I, s:s, s:s, s:b, s:I, s:I}", "phrase", f->text + from,
        (size_t)(to - from), "from", (json_int_t)from, "to", (json_int_t)to,
        "source", source_names[t->source], "thing", t->head, "must", t->told,
        "wanted", (json_int_t)t->wanted, "placed", (json_int_t)there);
    if (!row)
        return NULL;
    asset_json(f, thing, row);
    if (!t->pick_count) {
        json_object_set_new(
            row, "why_not",
            json_string(t->why_not ? t->why_not : "no model was found"));
        if (t->nearest)
            json_object_set_new(row, "nearest", json_string(t->nearest));
        return row;
    }
    json_t *items = json_array();
    json_t *ties = json_array();
    for (uint32_t i = 0; i < l->count; i++)
        json_array_append_new(items, item_json(f, first + i));
    for (uint32_t i = 0; i < l->tie_count && there; i++)
        json_array_append_new(ties, tie_json(f, thing, &l->ties[i]));
    if (there)
        lost_json(f, t, ties);
    char unchecked[BRIEF_SAID_SIZE];
    thing_unchecked(f, t, unchecked, sizeof unchecked);
    if (unchecked[0])
        json_object_set_new(row, "unchecked", json_string(unchecked));
    json_object_set_new(row, "items", items);
    json_object_set_new(row, "relations", ties);
    return row;
}

/* `at` in metres along the wall. */
static json_t *openings_json(const furnishing *f)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < f->room.opening_count; i++) {
        const layout_opening *o = &f->room.openings[i];
        json_array_append_new(list,
                              json_pack("{s:s, s:s, s:f}", "kind",
                                        o->is_door ? "door" : "window", "wall",
                                        wall_names[o->wall & 3], "at", o->at));
    }
    return list;
}

/* What the text does not speak of and was there before is not told of. */
static bool is_told(const furnishing *f, uint32_t thing)
{
    const furnish_thing *t = &f->things[thing];
    return t->source != FURNISH_SCENE || t->wish != BRIEF_NONE;
}

/* Nothing placed is a failure, whatever was asked for. */
furnish_end furnish_ended(const furnish_score *s)
{
    if (!s->items)
        return FURNISH_FAILED;
    bool is_whole = s->named_there == s->named && s->told_held == s->told;
    is_whole = is_whole && !s->lacking && !s->unlike && !s->unread;
    is_whole = is_whole && s->reached == s->seats;
    return is_whole ? FURNISH_COMPLETE : FURNISH_PARTIAL;
}

/* "Scopia" of "/usr/share/.../Scopia.sh3f". */
static json_t *library_json(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    return json_stringn(name, dot && dot > name ? (size_t)(dot - name)
                                                : strlen(name));
}

/* The words of the text themselves, cut at its bytes. */
static json_t *phrase_json(const furnishing *f, const furnish_thing *t)
{
    uint32_t from, to;
    thing_phrase(f, t, &from, &to);
    return json_stringn(f->text + from, (size_t)(to - from));
}

/* A row for each thing that came: what was said, what it is in the scene, whose
 * model. */
static json_t *placed_json(const furnishing *f)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < f->plan.item_count; i++) {
        const layout_place *p = &f->plan.items[i];
        const furnish_thing *t = &f->things[p->thing];
        if (!p->placed || t->source == FURNISH_SCENE)
            continue;
        const furnish_pick *pick = &t->picks[p->model];
        json_array_append_new(
            list, json_pack("{s:o, s:s, s:o, s:I}", "phrase", phrase_json(f, t),
                            "object", f->items[i].name ? f->items[i].name : "",
                            "library", library_json(pick->path), "number",
                            (json_int_t)pick->number));
    }
    return list;
}

/* The first reason there is. */
static const char *thing_why_missing(const furnishing *f, uint32_t thing)
{
    const furnish_thing *t = &f->things[thing];
    uint32_t first = first_item(f, thing);
    if (!t->pick_count)
        return t->why_not ? t->why_not : "no model was found";
    for (uint32_t i = 0; i < f->layout[thing].count; i++) {
        if (!f->plan.items[first + i].placed && f->items[first + i].why_not)
            return f->items[first + i].why_not;
    }
    return "no free place was found for it";
}

#define WHY_UNREAD "it was not understood"
#define WHY_UNLIKE "it is not %s: no model that serves is"
#define WHY_CUT \
    "nobody comes to %u of its %u seats: other things stand in the way"

static void missing_put(json_t *list,
                        const furnishing *f,
                        uint32_t thing,
                        json_t *why)
{
    json_array_append_new(list, json_pack("{s:o, s:o}", "phrase",
                                          phrase_json(f, &f->things[thing]),
                                          "why", why));
}

/* Relations of the text that do not hold. */
static void missing_ties_put(json_t *list, const furnishing *f, uint32_t thing)
{
    const layout_thing *l = &f->layout[thing];
    for (uint32_t k = 0; k < l->tie_count && placed_count(f, thing); k++) {
        const layout_tie *tie = &l->ties[k];
        if (!tie->told || tie_worst(f, thing, tie) <= HELD)
            continue;
        char to[BRIEF_HEAD_SIZE + 16];
        const char *anchor = tie_to(f, tie, to);
        missing_put(list, f, thing,
                    json_sprintf("it does not stand %s%s%s",
                                 brief_relation_names[tie->said],
                                 *anchor ? " the " : "", anchor));
    }
}

/* A row for each named thing of which not all came, or that has another colour,
 * for each relation of the text that does not hold, and for each part of the
 * text that was not understood. */
static json_t *missing_json(const furnishing *f)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < f->thing_count; i++) {
        const char *lacks = thing_lacks(f, i);
        if (thing_is_missing(f, i))
            missing_put(list, f, i, json_string(thing_why_missing(f, i)));
        if (lacks)
            missing_put(list, f, i, json_sprintf(WHY_UNLIKE, lacks));
        missing_ties_put(list, f, i);
        uint32_t cut;
        uint32_t seats = seats_of(f, i, &cut);
        if (cut)
            missing_put(list, f, i, json_sprintf(WHY_CUT, cut, seats));
    }
    for (uint32_t i = 0; i < f->brief->unread_count; i++) {
        const brief_span *u = &f->brief->unread[i];
        json_array_append_new(
            list, json_pack("{s:s%, s:s}", "phrase", f->text + u->from,
                            (size_t)(u->to - u->from), "why", WHY_UNREAD));
    }
    return list;
}

/* Why the room is not complete, in the form of a run's failure: the first thing
 * that is missing. */
static json_t *failure_json(const furnishing *f, const json_t *missing)
{
    enum {
        UNKNOWN,
        NO_PLACE,
        UNREAD
    };
    static const struct {
        const char *code, *remedy;
    } causes[] = {
        {"unknown",
         "Index a library that has one (etna assets index), or ask for another thing."},
        {"no_place", "Ask for fewer or smaller things, or for a larger room."},
        {"unread",
         "Say it in other words, as \"a bed against the north wall\"."}};
    const json_t *first = json_array_get(missing, 0);
    bool is_all_unread = json_array_size(missing) == f->brief->unread_count;
    brief_span span = {0};
    int cause = is_all_unread ? UNREAD : NO_PLACE;
    if (is_all_unread && first)
        span = f->brief->unread[0];
    for (uint32_t i = 0; i < f->thing_count; i++) {
        bool is_missing = thing_is_missing(f, i);
        if (!is_missing && !thing_lacks(f, i))
            continue;
        bool has_models = f->things[i].pick_count > 0;
        cause = is_missing && has_models ? NO_PLACE : UNKNOWN;
        thing_phrase(f, &f->things[i], &span.from, &span.to);
        break;
    }
    if (!first)
        return NULL;
    return json_pack(
        "{s:s, s:s, s:s, s:[I,I], s:s}", "code", causes[cause].code, "what",
        json_string_value(json_object_get(first, "why")), "where",
        json_string_value(json_object_get(first, "phrase")), "span",
        (json_int_t)span.from, (json_int_t)span.to, "do", causes[cause].remedy);
}

/* NULL: out of memory. */
json_t *furnish_report(const furnishing *f)
{
    static const char *const ends[] = {"failed", "partial", "complete"};
    furnish_score s = furnish_measure(f);
    json_t *things = json_array();
    uint32_t there = 0;
    for (uint32_t i = 0; i < f->thing_count; i++) {
        if (f->things[i].source == FURNISH_SCENE)
            there += f->things[i].pick_count;
        if (is_told(f, i))
            json_array_append_new(things, thing_json(f, i));
    }
    json_t *score = json_pack(
        "{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "named",
        (json_int_t)s.named, "named_there", (json_int_t)s.named_there,
        "relations", (json_int_t)s.relations, "relations_held",
        (json_int_t)s.held, "told", (json_int_t)s.told, "told_held",
        (json_int_t)s.told_held, "seats", (json_int_t)s.seats,
        "seats_reachable", (json_int_t)s.reached, "items", (json_int_t)s.items);
    json_t *report = json_pack(
        "{s:s%, s:[f,f,f], s:o, s:I, s:o, s:o, s:o, s:I}", "goal", f->text,
        f->text_size, "room", f->room.width, f->room.depth, f->room.height,
        "openings", openings_json(f), "seed", (json_int_t)f->seed, "things",
        things, "score", score, "credits", compose_credits(f->glb, f->glb_size),
        "left_out", (json_int_t)f->brief->left_out);
    if (!report)
        return NULL;
    json_t *missing = missing_json(f);
    json_t *failure = failure_json(f, missing);
    furnish_end end = furnish_ended(&s);
    json_object_set_new(report, "status", json_string(ends[end]));
    json_object_set_new(report, "placed", placed_json(f));
    json_object_set_new(report, "missing", missing);
    if (failure && end != FURNISH_COMPLETE)
        json_object_set(report, "failure", failure);
    json_decref(failure);
    if (!f->scene)
        return report;
    json_object_set_new(report, "scene", furnish_scene_json(f));
    json_object_set_new(report, "there_before", json_integer(there));
    return report;
}

/* ---- words ---- */

/* A growing text; lost: memory ran out, and nothing is added any more. */
typedef struct words {
    char *text;
    size_t size, room;
    bool lost;
} words;

static void say(words *w, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* A line of the words; after lost memory nothing more. */
static void say(words *w, const char *format, ...)
{
    char line[1024], plain[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    load_plain(line, plain, sizeof plain);
    size_t n = strlen(plain);
    if (w->lost)
        return;
    if (w->size + n + 2 > w->room) {
        size_t room = 2 * w->room + n + 1024;
        char *more = realloc(w->text, room);
        w->lost = !more;
        if (!more)
            return;
        w->text = more;
        w->room = room;
    }
    memcpy(w->text + w->size, plain, n);
    w->size += n;
    w->text[w->size++] = '\n';
    w->text[w->size] = 0;
}

/* Where it stands, on what, or why it is not there. */
static void say_item(words *w, const furnishing *f, uint32_t item)
{
    const layout_place *p = &f->plan.items[item];
    const furnish_item *o = &f->items[item];
    if (furnish_is_there(f, item)) {
        say(w, "    %s: there already, at %.2f, %.2f", o->name, o->at[0],
            o->at[2]);
    } else if (!p->placed) {
        say(w, "    %s: not there: %s", o->name,
            o->why_not ? o->why_not : "no free place was found for it");
    } else if (p->on != LAYOUT_NONE) {
        say(w, "    %s: on %s, at %.2f, %.2f", o->name, f->items[p->on].name,
            o->at[0], o->at[2]);
    } else {
        say(w, "    %s: at %.2f, %.2f, turned %u degrees", o->name, o->at[0],
            o->at[2], (p->heading & 3) * 90);
    }
}

/* By how much it does not hold. */
static void say_tie(words *w,
                    const furnishing *f,
                    uint32_t thing,
                    const layout_tie *tie)
{
    double by = tie_worst(f, thing, tie);
    char to[BRIEF_HEAD_SIZE + 16];
    const char *anchor = tie_to(f, tie, to);
    const char *by_whom = tie->told ? "" : " (usual)";
    if (by <= HELD)
        say(w, "    %s%s%s: holds%s", brief_relation_names[tie->said],
            *anchor ? " " : "", anchor, by_whom);
    else if (isfinite(by))
        say(w, "    %s%s%s: does not hold, off by %.2f m%s",
            brief_relation_names[tie->said], *anchor ? " " : "", anchor, by,
            by_whom);
    else
        say(w,
            *anchor ? "    %s%s%s: cannot hold, as it is not there%s"
                    : "    %s%s%s: cannot hold in this room%s",
            brief_relation_names[tie->said], *anchor ? " " : "", anchor,
            by_whom);
}

/* The phrase and what came of it. Equal models are told once; of a thing none
 * of which came only the reason is told. */
static void say_thing(words *w, const furnishing *f, uint32_t thing)
{
    const furnish_thing *t = &f->things[thing];
    const layout_thing *l = &f->layout[thing];
    uint32_t from, to;
    uint32_t first = first_item(f, thing);
    uint32_t there = placed_count(f, thing);
    thing_phrase(f, t, &from, &to);
    say(w, "\"%.*s\" (%s): %u of %u %s", (int)(to - from), f->text + from,
        source_names[t->source], there, t->wanted, t->head);
    if (!t->pick_count) {
        say(w, "    not there: %s%s%s",
            t->why_not ? t->why_not : "no model was found",
            t->nearest ? "; the nearest: " : "", t->nearest ? t->nearest : "");
        return;
    }
    bool is_there = t->source == FURNISH_SCENE;
    for (uint32_t i = 0; i < l->count && !is_there; i++) {
        if (!f->plan.items[first + i].placed)
            continue;
        const furnish_pick *pick = &t->picks[f->plan.items[first + i].model];
        say(w, "    %s (%s)%s; %s", pick->name, pick->reason,
            pick->of_kind ? "" : ", the nearest to it here", pick->licence);
        if (!t->different)
            break;
    }
    const char *lacks = thing_lacks(f, thing);
    if (lacks)
        say(w, "    not %s: no model that serves is", lacks);
    char unchecked[BRIEF_SAID_SIZE];
    thing_unchecked(f, t, unchecked, sizeof unchecked);
    if (unchecked[0])
        say(w, "    not looked at: %s", unchecked);
    for (uint32_t i = 0; i < l->count; i++)
        say_item(w, f, first + i);
    uint32_t cut;
    uint32_t seats = seats_of(f, thing, &cut);
    if (cut)
        say(w, "    " WHY_CUT, cut, seats);
    /* of several habits one is enough: the others are no fault */
    bool is_as_usual = habits_worst(f, thing) <= HELD;
    for (uint32_t i = 0; i < l->tie_count && there; i++) {
        const layout_tie *tie = &l->ties[i];
        bool is_spare = is_as_usual && !tie->told;
        if (!is_spare || tie_worst(f, thing, tie) <= HELD)
            say_tie(w, f, thing, tie);
    }
    for (uint32_t i = 0; there && i < f->brief->tie_count; i++) {
        const brief_tie *tie = &f->brief->ties[i];
        if (tie_is_lost(f, t, tie))
            say(w, "    %s %s: cannot hold, as it is not there",
                brief_relation_names[tie->relation],
                f->things[tie->anchor].head);
    }
}

/* A room that was given by its size, or what was seen of the scene's. */
static void say_room(words *w, const furnishing *f)
{
    const layout_room *r = &f->room;
    if (!f->scene) {
        say(w, "Room: %g x %g x %g m", r->width, r->depth, r->height);
        return;
    }
    uint32_t walls = 0, doors = 0;
    for (uint32_t i = 0; i < 4; i++)
        walls += !r->open[i];
    for (uint32_t i = 0; i < r->opening_count; i++)
        doors += r->openings[i].is_door;
    say(w,
        "Room: %.2f x %.2f m of the scene's floor, %u of 4 sides are walls, %u doors, %u windows",
        r->width, r->depth, walls, doors, r->opening_count - doors);
}

/* The report for people; NULL: out of memory. The caller frees it. */
char *furnish_words(const furnishing *f)
{
    words w = {.text = NULL};
    furnish_score s = furnish_measure(f);
    static const char *const ends[] = {
        "Nothing came.", "Partial: not all stands as the text says.",
        "Complete: all that the text names stands as it says."};
    say(&w, "%s", ends[furnish_ended(&s)]);
    say_room(&w, f);
    say(&w,
        "%u of %u named things are there with their number; %u of %u relations hold, %u of %u of the text's; %u of %u seats can be reached",
        s.named_there, s.named, s.held, s.relations, s.told_held, s.told,
        s.reached, s.seats);
    for (uint32_t i = 0; i < f->brief->unread_count; i++) {
        const brief_span *u = &f->brief->unread[i];
        say(&w, "\"%.*s\": not understood", (int)(u->to - u->from),
            f->text + u->from);
    }
    for (uint32_t i = 0; i < f->thing_count; i++) {
        if (is_told(f, i))
            say_thing(&w, f, i);
    }
    json_t *credits = compose_credits(f->glb, f->glb_size);
    json_t *row;
    size_t i;
    say(&w, "Models by");
    json_array_foreach(credits, i, row)
    {
        const char *model = json_string_value(json_object_get(row, "model"));
        const char *author = json_string_value(json_object_get(row, "author"));
        const char *licence =
            json_string_value(json_object_get(row, "licence"));
        say(&w, "    %s, by %s: %s", model ? model : "",
            author && *author ? author : "an unnamed author",
            licence ? licence : "not said");
    }
    json_decref(credits);
    if (w.lost)
        free(w.text);
    return w.lost ? NULL : w.text;
}
