/* Choosing among the things that answer to a phrase: what can be moved or bears things, what shows, what is said by
 * number, size and place. What stays ambiguous is refused with the candidates. */
#include "worker/model/builtin_name_own.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

double name_way_between(const builtin_object *a, const builtin_object *b)
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

void name_told(const builtin_facts *facts, const found *list, char *text, size_t size)
{
    size_t used = 0;
    text[0] = 0;
    for (uint32_t i = 0; i < list->count && i < NAMES_TOLD && used + 1 < size; i++) {
        const builtin_object *object = &facts->objects[list->objects[i]];
        const char *colour = object->has_colour ? builtin_colour_name(builtin_colour_of(object->lab)) : NULL;
        int n = snprintf(text + used, size - used, "%s%.80s%s%s%s", i ? ", " : "", object->name, colour ? " (" : "",
                         colour ? colour : "", colour ? ")" : "");
        used += n > 0 ? (size_t)n : 0;
    }
    if (list->count > NAMES_TOLD && used + 8 < size) snprintf(text + used, size - used, ", ...");
}

void name_said(const builtin_phrase *phrase, char *text, size_t size)
{
    uint32_t at = phrase->words[phrase->first].at, end = phrase->words[phrase->end - 1].end;
    snprintf(text, size, "%.*s", (int)(end - at < 120 ? end - at : 120), phrase->sentence + at);
}

/* Keeps those for which `good` holds, if there are any. */
static void prefer(const builtin_facts *facts, found *list, bool (*good)(const builtin_facts *facts, uint32_t object))
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < list->count; i++) kept += good(facts, list->objects[i]);
    if (kept == 0 || kept == list->count) return;
    kept = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        if (good(facts, list->objects[i])) list->objects[kept++] = list->objects[i];
    }
    list->count = kept;
}

static bool can_move(const builtin_facts *facts, uint32_t object)
{
    return !facts->objects[object].is_static && !facts->objects[object].immovable;
}

/* "carpet 1" is Carpet_01_001 before Carpet_01_002: the last number of a name counts them. */
static void prefer_number(const builtin_facts *facts, found *list, const query *q)
{
    const char *number = NULL;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < q->token_count; i++) {
        if (q->tokens[i].text[0] >= '0' && q->tokens[i].text[0] <= '9') number = q->tokens[i].text;
    }
    for (int pass = 0; number && pass < 2; pass++) {
        if (pass && kept == 0) return;
        kept = 0;
        for (uint32_t i = 0; i < list->count; i++) {
            const builtin_object *o = &facts->objects[list->objects[i]];
            if (o->word_count == 0 || strcmp(o->words[o->word_count - 1], number) != 0) continue;
            if (pass) list->objects[kept] = list->objects[i];
            kept++;
        }
        if (pass) list->count = kept;
    }
}

static bool is_seen(const builtin_facts *facts, uint32_t object) { return facts->objects[object].visible; }

static bool carries(const builtin_facts *facts, uint32_t object)
{
    for (uint32_t i = 0; i < facts->surface_count; i++) {
        if (facts->surfaces[i].object == object) return true;
    }
    return false;
}

static double middle_of(const builtin_object *o, int axis)
{
    return 0.5 * (o->image_box[axis] + o->image_box[axis + 2]);
}

/* From left to right as seen, unseen ones last; ties in file order. */
static void sort_by_image(const builtin_facts *facts, found *list, int axis)
{
    for (uint32_t i = 1; i < list->count; i++) {
        for (uint32_t k = i; k > 0; k--) {
            const builtin_object *a = &facts->objects[list->objects[k - 1]], *b = &facts->objects[list->objects[k]];
            bool before = !b->visible || (a->visible && middle_of(a, axis) <= middle_of(b, axis));
            if (before) break;
            uint32_t swap = list->objects[k];
            list->objects[k] = list->objects[k - 1];
            list->objects[k - 1] = swap;
        }
    }
}

static void keep_run(found *list, uint32_t first, uint32_t count)
{
    memmove(list->objects, list->objects + first, count * sizeof *list->objects);
    list->count = count;
    for (uint32_t i = 1; i < count; i++) { /* file order again */
        for (uint32_t k = i; k > 0 && list->objects[k - 1] > list->objects[k]; k--) {
            uint32_t swap = list->objects[k];
            list->objects[k] = list->objects[k - 1];
            list->objects[k - 1] = swap;
        }
    }
}

/* "the left one", "the two leftmost", "the middle one", "the second from the left": as the image shows them. */
static void prefer_place(const builtin_facts *facts, found *list, const query *q, uint32_t wanted)
{
    if (wanted == 0) wanted = 1;
    if ((q->place == PLACE_NONE && !q->ordinal) || list->count <= (q->ordinal ? 0 : wanted)) return;
    if (q->ordinal) {
        sort_by_image(facts, list, 0);
        uint32_t at = q->ordinal == BUILTIN_NONE ? list->count : q->ordinal;
        if (at > list->count) {
            list->count = 0;
            return;
        }
        bool backward = q->from_right || q->place == PLACE_RIGHT;
        keep_run(list, backward ? list->count - at : at - 1, 1);
        return;
    }
    sort_by_image(facts, list, q->place == PLACE_FRONT || q->place == PLACE_BACK);
    if (q->place == PLACE_LEFT || q->place == PLACE_BACK)
        keep_run(list, 0, wanted);
    else if (q->place != PLACE_MIDDLE)
        keep_run(list, list->count - wanted, wanted);
    else if ((list->count - wanted) % 2 == 0)
        keep_run(list, (list->count - wanted) / 2, wanted);
}

static void prefer_nearest(const builtin_facts *facts, found *list, uint32_t to)
{
    uint32_t best = 0;
    double least = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        double way = name_way_between(&facts->objects[list->objects[i]], &facts->objects[to]);
        if (i > 0 && way >= least) continue;
        best = i;
        least = way;
    }
    keep_run(list, best, list->count ? 1 : 0);
}

static double measure(const builtin_object *object, size_word size)
{
    double volume = object->half[0] * object->half[1] * object->half[2];
    switch (size) {
    case SIZE_LARGEST: return volume;
    case SIZE_SMALLEST: return -volume;
    case SIZE_TALLEST: return object->half[2];
    default: return -object->half[2];
    }
}

/* The one that is largest (smallest, ...), if it is so by more than 2 %. */
static void prefer_size(const builtin_facts *facts, found *list, size_word size)
{
    if (size == SIZE_NONE || list->count < 2) return;
    uint32_t best = 0;
    for (uint32_t i = 1; i < list->count; i++) {
        if (measure(&facts->objects[list->objects[i]], size) > measure(&facts->objects[list->objects[best]], size))
            best = i;
    }
    double most = measure(&facts->objects[list->objects[best]], size), slack = 0.02 * (most < 0 ? -most : most);
    for (uint32_t i = 0; i < list->count; i++) {
        if (i != best && measure(&facts->objects[list->objects[i]], size) > most - slack) return;
    }
    list->objects[0] = list->objects[best];
    list->count = 1;
}

/* The first two tiers in one, in order: tier 0's array has room for every object. */
static void merge_tiers(found tiers[TIERS])
{
    found *list = &tiers[0];
    for (uint32_t i = 0; i < tiers[1].count; i++) {
        uint32_t at = list->count++;
        while (at > 0 && list->objects[at - 1] > tiers[1].objects[i]) {
            list->objects[at] = list->objects[at - 1];
            at--;
        }
        list->objects[at] = tiers[1].objects[i];
    }
    tiers[1].count = 0;
}

/* A notebook is the thing called so before a laptop, which is called a notebook, too. */
static void prefer_said(const builtin_facts *facts, found *list, const query *q)
{
    uint32_t kept = 0;
    for (int pass = 0; pass < 2; pass++) {
        if (pass && (kept == 0 || kept == list->count)) return;
        kept = 0;
        for (uint32_t i = 0; i < list->count; i++) {
            const builtin_object *o = &facts->objects[list->objects[i]];
            bool all = q->token_count > 0;
            for (uint32_t t = 0; t < q->token_count && all; t++) {
                bool own = q->tokens[t].colour != COLOUR_NONE;
                for (uint32_t k = 0; k < o->word_count && !own; k++) own = strcmp(o->words[k], q->tokens[t].text) == 0;
                all = own;
            }
            if (!all) continue;
            if (pass) list->objects[kept] = list->objects[i];
            kept++;
        }
        if (pass) list->count = kept;
    }
}

/* "The table" beside a side table is the one that is laid: it bears clearly more things than any other. To be cleared:
 * more than none. */
static void prefer_laden(const builtin_facts *facts, found *list, bool clearing)
{
    uint32_t best = 0, most = 0, next = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        uint32_t on = facts->objects[list->objects[i]].on_count;
        if (facts->objects[list->objects[i]].half[2] < 0.02) return; /* what stands on a carpet stands in the room */
        if (on > most) {
            next = most;
            most = on;
            best = i;
        } else if (on > next) {
            next = on;
        }
    }
    bool clearly = most >= 2 && most >= 2 * next && most > next;
    if (clearly || (clearing && most > 0 && next == 0)) keep_run(list, best, 1);
}

etna_code name_choose_one(const builtin_facts *facts, const builtin_phrase *phrase, const builtin_scope *scope,
                          const query *q, uint32_t nearest_to, found tiers[TIERS], builtin_set *ret, etna_error *err)
{
    bool compared =
        q->size != SIZE_NONE && tiers[0].count > 0 && tiers[1].count > 0; /* "the small sofa": of all that are sofas */
    if (compared) merge_tiers(tiers);
    found *list = tiers[0].count ? &tiers[0] : tiers[1].count ? &tiers[1] : &tiers[2];
    if (scope->movers)
        prefer(facts, list, can_move);
    else if (scope->flat)
        prefer(facts, list, carries);
    prefer(facts, list, is_seen);
    if (list->count > 1) prefer_number(facts, list, q);
    if (list->count > 1) prefer_said(facts, list, q);
    prefer_size(facts, list, q->size);
    prefer_place(facts, list, q, 1);
    if (nearest_to != BUILTIN_NONE) prefer_nearest(facts, list, nearest_to);
    if (list->count > 1 && scope->flat && !q->any) prefer_laden(facts, list, scope->laden);
    if (list->count == 0) {
        char text[160];
        name_said(phrase, text, sizeof text);
        return etna_fail(err, ETNA_E_INPUT, "there are not so many things that \"%s\" could mean", text);
    }
    if (list->count > 1 && !q->any) {
        char text[160], names[280];
        name_said(phrase, text, sizeof text);
        name_told(facts, list, names, sizeof names);
        if (q->all)
            return etna_fail(err, ETNA_E_INPUT,
                             "\"%s\" means %u things (%s), and a place is by one of them: say it for each", text,
                             list->count, names);
        return etna_fail(err, ETNA_E_INPUT, "\"%s\" may be any of %u: %s", text, list->count, names);
    }
    *ret = (builtin_set){.count = list->count, .objects = list->objects, .need = 1};
    return ETNA_OK;
}

etna_code name_choose_set(const builtin_facts *facts, const builtin_phrase *phrase, const query *q, found tiers[TIERS],
                          builtin_set *ret, etna_error *err)
{
    found exact = tiers[0];
    merge_tiers(tiers);
    found list = tiers[0];
    if (list.count == 0) list = tiers[2];
    prefer(facts, &list, can_move);
    uint32_t number = q->number;
    if (q->place != PLACE_NONE && number && number < list.count) prefer_place(facts, &list, q, number);
    if (number && number != list.count && exact.count == number) {
        uint32_t kept = 0;
        for (uint32_t i = 0; i < list.count; i++) {
            if (query_tier_of(&facts->objects[list.objects[i]], q, true) == 0) list.objects[kept++] = list.objects[i];
        }
        list.count = kept;
    }
    bool short_of = number > list.count, too_many = number && number < list.count && q->all;
    if (short_of || too_many) {
        char text[160], names[280];
        name_said(phrase, text, sizeof text);
        name_told(facts, &list, names, sizeof names);
        return etna_fail(err, ETNA_E_INPUT, "\"%s\" asks for %u, but there are %u: %s", text, number, list.count,
                         names);
    }
    *ret = (builtin_set){.count = list.count,
                         .objects = list.objects,
                         .need = number   ? number
                                 : q->any ? 1
                                          : list.count};
    return ETNA_OK;
}
