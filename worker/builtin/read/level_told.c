/* Levels that are told by what is on them: "the empty shelf of the cabinet", "the
 * board with the tins", "the front edge of their shelf". */
#include "worker/builtin/read/details.h"
#include "worker/builtin/read/refer_internal.h"
#include "worker/builtin/read/set.h"

enum {
    SHELVES_LEAST = 3 /* what is "the shelves", and no table with a board */
};

/* Is the last of its words one for a level? *ret_noun: that. */
static bool phrase_is_of_level(const reader *r,
                               const chart_node *node,
                               const char **ret_noun)
{
    const char *words[REFER_WORDS_MAX];
    const uint32_t count =
        node_is(node, "THING") ? phrase_words(r, node, words) : 0;
    *ret_noun = count > 0 ? words[count - 1] : "";
    /* "the empty shelf": of other words nothing is known */
    const bool bare =
        count == 1 || (count == 2 && lexicon_lists("level: empty", words[0]));
    return bare && builtin_is_level_noun(*ret_noun);
}

static bool phrase_says_empty(const reader *r, const chart_node *node)
{
    const chart_node *core = chart_child(node, "CORE");
    return chart_child(node, "EMPTY") ||
           (core && lexicon_lists("level: empty", reader_word(r, core->first)));
}

static bool object_is_on_level(const reader *r,
                               uint32_t object,
                               uint32_t base,
                               uint32_t level)
{
    const double foot = builtin_foot(object_at(r, object));
    return object != base && builtin_is_above(r->facts, object, base) &&
           !(builtin_off_level(r->facts, base, level, foot) > 0);
}

/* Counted from 1; 0: none, or several. */
static uint32_t level_empty(const reader *r, uint32_t base)
{
    const uint32_t count = builtin_shelves(r->facts, base);
    uint32_t found = 0;
    for (uint32_t level = 1; level <= count; level++) {
        bool empty = true;
        for (uint32_t i = 0; i < r->facts->object_count && empty; i++)
            empty = !object_is_on_level(r, i, base, level);
        if (empty && found > 0)
            return 0;
        found = empty ? level : found;
    }
    return count > 1 ? found : 0;
}

/* The level on which all of them stand that are in it at all, or, with `every`,
 * all; 0: they stand on no one. */
static uint32_t level_bearing(const reader *r,
                              uint32_t base,
                              const builtin_set *things,
                              bool every)
{
    const uint32_t count = builtin_levels(r->facts, base);
    uint32_t within = 0;
    for (uint32_t i = 0; i < things->count; i++)
        within += things->objects[i] != base &&
                  builtin_is_above(r->facts, things->objects[i], base);
    if (every && within < things->count)
        return 0;
    for (uint32_t level = 1; level <= count && within > 0 && count > 1;
         level++) {
        uint32_t on = 0;
        for (uint32_t i = 0; i < things->count; i++)
            on += object_is_on_level(r, things->objects[i], base, level);
        if (on == within)
            return level;
    }
    return 0;
}

/* Of the phrase's own "of", else the only thing that has such a level. */
static etna_code level_find_empty(reader *r,
                                  const chart_node *node,
                                  uint32_t *ret_base,
                                  uint32_t *ret_level)
{
    const chart_node *of = chart_child(node, "OF");
    const refer_scope any = {.on = BUILTIN_NONE};
    uint32_t base = BUILTIN_NONE;
    *ret_level = 0;
    if (of) {
        etna_code code = refer_peek_one(r, node_last_phrase(of), &any, &base);
        const bool known = code == ETNA_OK && base < r->facts->object_count;
        *ret_base = base;
        *ret_level = known ? level_empty(r, base) : 0;
        return code == ETNA_E_NOMEM ? reader_no_memory(r) : ETNA_OK;
    }
    for (uint32_t i = 0; i < r->facts->object_count; i++) {
        const uint32_t level = builtin_shelves(r->facts, i) < SHELVES_LEAST
                                   ? 0
                                   : level_empty(r, i);
        if (level == 0)
            continue;
        if (base != BUILTIN_NONE) { /* which of them is not said */
            *ret_level = 0;
            return ETNA_OK;
        }
        base = *ret_base = i;
        *ret_level = level;
    }
    return ETNA_OK;
}

/* Of all things that have levels the only one on a level of which they stand;
 * where all of them are to, of those with shelves: no tray of a printer. */
static bool level_find_bearing(const reader *r,
                               const builtin_set *things,
                               bool every,
                               uint32_t *ret_base,
                               uint32_t *ret_level)
{
    bool found = false;
    for (uint32_t i = 0; i < r->facts->object_count; i++) {
        const uint32_t level = level_bearing(r, i, things, every);
        const bool shelved = !every || object_is_shelf(r, i) ||
                             builtin_shelves(r->facts, i) >= SHELVES_LEAST;
        if (level == 0 || !shelved)
            continue;
        if (found)
            return false;
        found = true;
        *ret_level = level;
        *ret_base = i;
    }
    return found;
}

/* What the phrase says to be on it. ret->count 0: nothing. */
static etna_code level_find_load(reader *r,
                                 const chart_node *node,
                                 builtin_set *ret)
{
    const refer_scope many = {.on = BUILTIN_NONE, .many = true, .any = true};
    const chart_node *having = chart_child(node, "HAVING");
    *ret = (builtin_set){0};
    if (!having)
        return ETNA_OK;
    etna_code code = refer_peek_things(r, node_things(having, 0), &many, ret);
    if (code == ETNA_E_INPUT)
        *ret = (builtin_set){0};
    return code == ETNA_E_NOMEM ? reader_no_memory(r) : ETNA_OK;
}

/* Is there room for the tallest of them over that board? */
static bool level_has_room(const reader *r,
                           uint32_t base,
                           uint32_t level,
                           const builtin_set *things)
{
    const double room = builtin_level_room(r->facts, base, level);
    for (uint32_t i = 0; i < things->count; i++) {
        if (2 * object_at(r, things->objects[i])->half[2] >= room)
            return false;
    }
    return true;
}

uint32_t level_for_all(const reader *r,
                       uint32_t base,
                       const builtin_set *things)
{
    const uint32_t count = builtin_shelves(r->facts, base);
    uint32_t best = 0, best_own = 0, best_others = 0;
    for (uint32_t level = 1; level <= count && count > 1; level++) {
        uint32_t own = 0, others = 0;
        for (uint32_t i = 0; i < r->facts->object_count; i++) {
            const bool there = object_is_on_level(r, i, base, level);
            own += there && set_has(things, i);
            others += there && !set_has(things, i);
        }
        const bool better =
            own > best_own || (own == best_own && others < best_others);
        if (!level_has_room(r, base, level, things) || (best && !better))
            continue;
        best = level;
        best_own = own;
        best_others = others;
    }
    return best;
}

etna_code refer_level_told(reader *r,
                           const chart_node *node,
                           const builtin_set *movers,
                           bool *ret_is_level,
                           uint32_t *ret_object,
                           uint32_t *ret_level)
{
    const char *noun;
    builtin_set load = {0};
    *ret_is_level = false;
    if (!phrase_is_of_level(r, node, &noun))
        return ETNA_OK;
    if (phrase_says_empty(r, node)) {
        etna_code code = level_find_empty(r, node, ret_object, ret_level);
        *ret_is_level = code == ETNA_OK && *ret_level > 0;
        return code;
    }
    etna_code code = level_find_load(r, node, &load);
    if (code != ETNA_OK)
        return code;
    /* "their shelf": on which they stand */
    const bool its = movers && node_says(node, "$det", BIT(DET_ITS));
    if (its)
        load = *movers;
    *ret_is_level = load.count > 0 &&
                    level_find_bearing(r, &load, its, ret_object, ret_level);
    return ETNA_OK;
}
