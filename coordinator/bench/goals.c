/* See goals.h. A fact is [kind, thing, thing or number, ...]; what may be left
 * out has a default. */
#include "coordinator/bench/goals.h"
#include "coordinator/report/field.h"
#include "proto/array.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum {
    DEPTH_MAX = 4
};

static json_t *fact_predicate(const json_t *fact, int depth);

/* "" where there is none. */
static const char *fact_text(const json_t *fact, size_t i)
{
    const char *text = json_string_value(json_array_get(fact, i));
    return text ? text : "";
}

/* `otherwise` where it was left out. */
static double fact_number(const json_t *fact, size_t i, double otherwise)
{
    const json_t *value = json_array_get(fact, i);
    return json_is_number(value) ? json_number_value(value) : otherwise;
}

/* {word: [the first `count` things]}; NULL: one of them is no name. */
static json_t *fact_things(const json_t *fact, const char *word, size_t count)
{
    json_t *things = json_array();
    for (size_t i = 1; i <= count; i++) {
        if (json_is_string(json_array_get(fact, i)))
            json_array_append(things, json_array_get(fact, i));
    }
    if (json_array_size(things) == count)
        return json_pack("{s:o}", word, things);
    json_decref(things);
    return NULL;
}

/* Takes and returns the predicate. */
static json_t *fact_limit(json_t *predicate, const char *key, double value)
{
    if (predicate)
        json_object_set_new(predicate, key, json_real(value));
    return predicate;
}

/* Kinds of [kind, thing.., most]: word for word. */
static const struct fact_row {
    const char *fact, *word;
    size_t things;
    /* of the number behind them; NULL: it has none that we have */
    const char *limit;
    double otherwise;
} rows[] = {
    {"on_top", "on", 2, "most", 0.03},
    {"within", "inside", 2, NULL, 0},
    {"under", "under", 2, NULL, 0},
    {"over", "over", 2, NULL, 0},
    {"between", "between", 3, "most", 0.35},
    {"at_start_of", "at the former place of", 2, "most", 0.2},
    {"moved", "moved", 1, "least", 0.05},
    {"nearer", "nearer to", 3, NULL, 0},
};

/* By the table. */
static json_t *fact_plain(const json_t *fact)
{
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const struct fact_row *row = &rows[i];
        if (strcmp(fact_text(fact, 0), row->fact) != 0)
            continue;
        json_t *predicate = fact_things(fact, row->word, row->things);
        if (!row->limit)
            return predicate;
        return fact_limit(predicate, row->limit,
                          fact_number(fact, row->things + 1, row->otherwise));
    }
    return NULL;
}

/* Missing ends are open. */
static json_t *fact_range(const json_t *fact, const char *word, size_t things)
{
    json_t *predicate = fact_limit(fact_things(fact, word, things), "least",
                                   fact_number(fact, things + 1, 0));
    return fact_limit(predicate, "most", fact_number(fact, things + 2, 1000));
}

/* A place or a shift, with how far off it may be. */
static json_t *fact_place(const json_t *fact,
                          const char *word,
                          const char *key,
                          double most)
{
    json_t *predicate = fact_limit(fact_things(fact, word, 1), "most",
                                   fact_number(fact, 3, most));
    if (predicate)
        json_object_set(predicate, key, json_array_get(fact, 2));
    return predicate;
}

/* Within 12 degrees. */
static json_t *fact_turned(const json_t *fact)
{
    json_t *predicate = fact_limit(fact_things(fact, "turned by", 1), "degrees",
                                   fact_number(fact, 2, 0));
    return fact_limit(predicate, "most", fact_number(fact, 3, 12));
}

/* A front that is not the node's own, or a point to face, we have not. */
static json_t *fact_faces(const json_t *fact)
{
    if (fact_number(fact, 4, 0) != 0)
        return NULL;
    return fact_limit(fact_things(fact, "facing", 2), "most",
                      fact_number(fact, 3, 25));
}

/* Its middle has not come farther, along any axis: what is turned where it
 * stands is still there. */
static json_t *fact_still(const json_t *fact)
{
    json_t *predicate = fact_limit(fact_things(fact, "shifted", 1), "most",
                                   fact_number(fact, 2, 0.01));
    if (predicate)
        json_object_set_new(predicate, "by", json_pack("[i, i, i]", 0, 0, 0));
    return predicate;
}

/* Within a centimetre. */
static json_t *fact_others_still(const json_t *fact)
{
    const json_t *but = json_array_get(fact, 1);
    if (!json_is_array(but))
        return NULL;
    return fact_limit(json_pack("{s:O}", "still but", but), "most",
                      fact_number(fact, 2, 0.01));
}

/* All of the parts, which it takes; NULL: there are none. */
static json_t *parts_all(json_t *parts)
{
    if (json_array_size(parts))
        return json_pack("{s:o}", "all", parts);
    json_decref(parts);
    return NULL;
}

/* [bottom, .., top]: each on the one before. */
static json_t *names_stacked(const json_t *names, double most)
{
    json_t *all = json_array();
    for (size_t i = 1; i < json_array_size(names); i++)
        json_array_append_new(
            all, json_pack("{s:[O, O], s:f}", "on", json_array_get(names, i),
                           json_array_get(names, i - 1), "most", most));
    return parts_all(all);
}

static json_t *fact_stacked(const json_t *fact)
{
    return names_stacked(json_array_get(fact, 1), fact_number(fact, 2, 0.03));
}

/* Every order of `names` from `first` on, stacked, into `any`: each in turn
 * comes first, and the rest follows in all orders. */
static void pile_add(json_t *names, size_t first, double most, json_t *any)
{
    const size_t count = json_array_size(names);
    if (first + 1 >= count) {
        json_array_append_new(any, names_stacked(names, most));
        return;
    }
    for (size_t i = first; i < count; i++) {
        json_t *order = json_copy(names);
        json_array_set(order, first, json_array_get(names, i));
        json_array_set(order, i, json_array_get(names, first));
        pile_add(order, first + 1, most, any);
        json_decref(order);
    }
}

/* One on another, in whatever order. Orders grow as the factorial of the names,
 * so a higher pile is one that we have not. */
static json_t *fact_pile(const json_t *fact)
{
    enum {
        PILE_MAX = 4 /* 24 orders */
    };
    json_t *names = json_array_get(fact, 1);
    const size_t count = json_array_size(names);
    if (count < 2 || count > PILE_MAX)
        return NULL;
    json_t *any = json_array();
    json_t *order = json_copy(names);
    pile_add(order, 0, 0.03, any);
    json_decref(order);
    return json_pack("{s:o}", "any", any);
}

/* [names, most]. Of two names every row is one, so that it would say
 * nothing. */
static json_t *fact_row(const json_t *fact, const char *word, double most)
{
    const json_t *names = json_array_get(fact, 1);
    if (json_array_size(names) < 3)
        return NULL;
    return fact_limit(json_pack("{s:O}", word, names), "most",
                      fact_number(fact, 2, most));
}

static json_t *fact_aligned(const json_t *fact)
{
    return fact_row(fact, "in line with", 0.06);
}

static json_t *fact_spaced(const json_t *fact)
{
    return fact_row(fact, "evenly spaced with", 0.08);
}

/* [names, most]: no two middles farther apart. */
static json_t *fact_grouped(const json_t *fact)
{
    const json_t *names = json_array_get(fact, 1);
    if (json_array_size(names) < 2 || !json_is_number(json_array_get(fact, 2)))
        return NULL;
    return fact_limit(json_pack("{s:O}", "together with", names), "most",
                      fact_number(fact, 2, 0));
}

/* Toward [x, y] from a thing; from a point we have not. */
static json_t *fact_dir(const json_t *fact)
{
    json_t *predicate = fact_limit(fact_things(fact, "in direction from", 2),
                                   "most", fact_number(fact, 4, 45));
    if (predicate)
        json_object_set(predicate, "along", json_array_get(fact, 3));
    return predicate;
}

/* One after the other along [x, y]. Only neighbours are compared: what is
 * beyond the one before is beyond all before that. */
static json_t *fact_order(const json_t *fact)
{
    const json_t *names = json_array_get(fact, 1);
    json_t *all = json_array();
    for (size_t i = 1; i < json_array_size(names); i++)
        json_array_append_new(all,
                              json_pack("{s:[O, O], s:O, s:f}", "beyond",
                                        json_array_get(names, i),
                                        json_array_get(names, i - 1), "along",
                                        json_array_get(fact, 2), "least",
                                        fact_number(fact, 3, 0.02)));
    return parts_all(all);
}

/* [thing, degrees, most]. */
static json_t *fact_yaw(const json_t *fact)
{
    json_t *predicate = fact_limit(fact_things(fact, "heading", 1), "degrees",
                                   fact_number(fact, 2, 0));
    return fact_limit(predicate, "most", fact_number(fact, 3, 12));
}

/* Headings that are multiples of a right angle. */
static json_t *fact_square(const json_t *fact)
{
    const json_t *names = json_array_get(fact, 1);
    json_t *all = json_array();
    for (size_t i = 0; i < json_array_size(names); i++) {
        json_t *any = json_array();
        for (int turn = 0; turn < 360; turn += 90)
            json_array_append_new(any, json_pack("{s:[O], s:i, s:f}", "heading",
                                                 json_array_get(names, i),
                                                 "degrees", turn, "most",
                                                 fact_number(fact, 2, 8)));
        json_array_append_new(all, json_pack("{s:o}", "any", any));
    }
    return parts_all(all);
}

/* [thing, axis 0 or 1, value, most]. The other axis is left open. */
static json_t *fact_wall(const json_t *fact)
{
    const double axis = fact_number(fact, 2, -1);
    json_t *predicate = fact_limit(fact_things(fact, "a side at", 1), "most",
                                   fact_number(fact, 4, 0.05));
    if (!predicate || (axis != 0 && axis != 1)) {
        json_decref(predicate);
        return NULL;
    }
    json_t *value = json_array_get(fact, 3);
    json_object_set_new(predicate, "place",
                        axis == 0 ? json_pack("[O, n]", value)
                                  : json_pack("[n, O]", value));
    return predicate;
}

/* [place, names, least, most]: how many of them are there. */
static json_t *fact_count(const json_t *fact, const char *word)
{
    const json_t *place = json_array_get(fact, 1);
    const json_t *names = json_array_get(fact, 2);
    const double count = (double)json_array_size(names);
    const double least = fact_number(fact, 3, 0);
    if (count == 0 || !json_is_string(place))
        return NULL;
    json_t *parts = json_array();
    for (size_t i = 0; i < json_array_size(names); i++)
        json_array_append_new(
            parts,
            json_pack("{s:[O, O]}", word, json_array_get(names, i), place));
    if (least == count) /* as people would say it */
        return json_pack("{s:o}", "all", parts);
    return json_pack("{s:o, s:f, s:f}", "count", parts, "least", least, "most",
                     fact_number(fact, 4, count));
}

static bool kind_has_parts(const char *kind)
{
    return !strcmp(kind, "not") || !strcmp(kind, "any") || !strcmp(kind, "all");
}

/* "not", "any", "all": bounded in depth. */
static json_t *fact_parts(const json_t *fact, const char *kind, int depth)
{
    json_t *parts = json_array();
    for (size_t i = 1; i < json_array_size(fact); i++) {
        json_t *one = fact_predicate(json_array_get(fact, i), depth + 1);
        if (!one || json_array_append_new(parts, one)) {
            json_decref(parts);
            return NULL;
        }
    }
    bool is_not = strcmp(kind, "not") == 0;
    json_t *whole = is_not ? json_pack("{s:O}", kind, json_array_get(parts, 0))
                           : json_pack("{s:O}", kind, parts);
    json_decref(parts);
    return whole;
}

/* Height above the floor. */
static json_t *fact_bottom(const json_t *fact)
{
    return fact_range(fact, "foot of", 1);
}

/* Between two. */
static json_t *fact_gap(const json_t *fact)
{
    return fact_range(fact, "distance", 2);
}

/* Within 15 cm. */
static json_t *fact_at(const json_t *fact)
{
    return fact_place(fact, "at", "place", 0.15);
}

/* Within 5 cm. */
static json_t *fact_moved_by(const json_t *fact)
{
    return fact_place(fact, "shifted", "by", 0.05);
}

/* How many of a kind are in something. */
static json_t *fact_count_within(const json_t *fact)
{
    return fact_count(fact, "inside");
}

/* How many stand on something. */
static json_t *fact_count_on(const json_t *fact)
{
    return fact_count(fact, "on");
}

/* NULL: there is no predicate like it. */
static json_t *fact_predicate(const json_t *fact, int depth)
{
    static const struct {
        const char *kind;
        json_t *(*read)(const json_t *fact);
    } facts[] = {{"bottom", fact_bottom},
                 {"gap", fact_gap},
                 {"at", fact_at},
                 {"moved_by", fact_moved_by},
                 {"still", fact_still},
                 {"turned", fact_turned},
                 {"faces", fact_faces},
                 {"others_still", fact_others_still},
                 {"stacked", fact_stacked},
                 {"pile", fact_pile},
                 {"aligned", fact_aligned},
                 {"spaced", fact_spaced},
                 {"grouped", fact_grouped},
                 {"dir", fact_dir},
                 {"order", fact_order},
                 {"yaw", fact_yaw},
                 {"square", fact_square},
                 {"wall", fact_wall},
                 {"count_within", fact_count_within},
                 {"count_on", fact_count_on}};
    const char *kind = fact_text(fact, 0);
    if (depth >= DEPTH_MAX)
        return NULL;
    if (kind_has_parts(kind))
        return fact_parts(fact, kind, depth);
    for (size_t i = 0; i < COUNT_OF(facts); i++) {
        if (!strcmp(kind, facts[i].kind))
            return facts[i].read(fact);
    }
    return fact_plain(fact);
}

/* Of a fact that no predicate says, the kind of the innermost such part. */
static const char *fact_unsaid(const json_t *fact)
{
    for (int depth = 0; kind_has_parts(fact_text(fact, 0)); depth++) {
        const json_t *unsaid = NULL;
        for (size_t i = 1; !unsaid && i < json_array_size(fact); i++) {
            const json_t *part = json_array_get(fact, i);
            json_t *one = fact_predicate(part, depth + 1);
            if (!one)
                unsaid = part;
            json_decref(one);
        }
        if (!unsaid || depth >= DEPTH_MAX)
            break;
        fact = unsaid;
    }
    return fact_text(fact, 0);
}

/* A list's sentences one after the other: what is known is how it ends. */
static json_t *line_text(const json_t *line)
{
    size_t i;
    json_t *one;
    char text[4096] = "";
    size_t at = 0;
    if (json_is_string(json_object_get(line, "goal")))
        return json_incref(json_object_get(line, "goal"));
    json_array_foreach(json_object_get(line, "steps"), i, one)
    {
        const char *said = json_string_value(one);
        if (!said || at + strlen(said) + 2 >= sizeof text)
            return NULL;
        at += (size_t)snprintf(text + at, sizeof text - at, "%s%s",
                               i ? " " : "", said);
    }
    return at ? json_string(text) : NULL;
}

/* NULL with `why`: a fact that no predicate can say. */
static json_t *goals_line_after(const json_t *line, char *why, size_t size)
{
    size_t i;
    json_t *fact;
    json_t *after = json_array();
    json_array_foreach(json_object_get(line, "facts"), i, fact)
    {
        json_t *one = fact_predicate(fact, 0);
        if (one && !json_array_append_new(after, one))
            continue;
        snprintf(why, size, "no predicate says \"%.60s\"", fact_unsaid(fact));
        json_decref(after);
        return NULL;
    }
    if (json_array_size(after))
        return after;
    snprintf(why, size, "it has no facts");
    json_decref(after);
    return NULL;
}

/* NULL with `why`: the goal cannot be judged by facts. */
json_t *goals_scene(const json_t *line,
                    const char *path,
                    char *why,
                    size_t size)
{
    bool is_refused = strcmp(field_string(line, "expect"), "refused") == 0;
    bool needs_eyes = strcmp(field_string(line, "level"), "model") == 0;
    bool is_hard = strcmp(field_string(line, "level"), "hard") == 0;
    if (is_refused || needs_eyes || json_object_get(line, "import")) {
        snprintf(
            why, size, "%s",
            is_refused
                ? "it is to be refused"
                : "it wants eyes, or flags of an import that the referee does not know");
        return NULL;
    }
    json_t *text = line_text(line);
    json_t *after = text ? goals_line_after(line, why, size) : NULL;
    if (!text)
        snprintf(why, size, "it has no text");
    if (!text || !after) {
        json_decref(text);
        return NULL;
    }
    return json_pack("{s:s, s:s, s:s, s:s, s:{s:o, s:o}}", "name",
                     field_string(line, "id"), "scene", path, "split", "test",
                     "level", is_hard ? "hard" : "easy", "goal", "text", text,
                     "after", after);
}
