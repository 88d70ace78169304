/* What a sentence can speak of without naming it: what the sentence before it
 * moved, or an earlier run. The reader takes "it" and "them" from the last move
 * of a reading, so this leaves one there that names these things. */
#include "proto/array.h"
#include "worker/builtin/plan/planner_internal.h"

#include <jansson.h>
#include <string.h>

static etna_code recall_no_memory(const planner *p)
{
    return etna_fail(p->err, ETNA_E_NOMEM, "out of memory while planning");
}

/* Things of the rows from `first` on whose instruction is `item` (0: any), each
 * once, in the order of their last edit. NULL: out of memory. */
static uint32_t *recall_edited(const planner *p,
                               const json_t *rows,
                               uint32_t item,
                               uint32_t *ret_count)
{
    uint32_t *list = etna_arena_alloc(
        p->talk->arena, p->facts->object_count + 1u, sizeof *list);
    uint32_t count = 0;
    for (size_t i = json_array_size(rows); list && i > 0; i--) {
        const json_t *row = json_array_get(rows, i - 1);
        const char *name = json_string_value(json_object_get(row, "object"));
        if (item && builtin_edit_item(row, p->list_mode) != item)
            continue;
        for (uint32_t k = 0; name && k < p->facts->object_count; k++) {
            if (strcmp(p->facts->objects[k].name, name) != 0 ||
                number_is_of(k, list, count))
                continue;
            memmove(list + 1, list, count * sizeof *list);
            list[0] = k;
            count++;
            break;
        }
    }
    *ret_count = count;
    return list;
}

/* The only move of p->reading, of these things; none where there are none. */
static etna_code recall_leave(planner *p,
                              const uint32_t *objects,
                              uint32_t count,
                              uint32_t reference)
{
    uint32_t *sorted =
        etna_arena_alloc(p->talk->arena, count + 1u, sizeof *sorted);
    uint32_t used = 0;
    if (!sorted)
        return recall_no_memory(p);
    for (uint32_t i = 0; i < p->facts->object_count && used < count; i++) {
        if (number_is_of(i, objects, count))
            sorted[used++] = i;
    }
    p->reading.count = used > 0 ? 1 : 0;
    p->reading.moves[0] = (builtin_move){
        .objects = {.count = used, .objects = sorted, .need = used},
        .relation = RELATION_GROUP,
        .reference = reference,
        .second = BUILTIN_NONE,
        .support = BUILTIN_NONE,
        .faced = BUILTIN_NONE,
        .gap = -1,
        .spacing = -1};
    return ETNA_OK;
}

/* Of any so many: those that the instruction moved, then those that stand as it
 * asks, then the others. */
static etna_code recall_choose(planner *p,
                               const builtin_move *m,
                               const json_t *edits,
                               uint32_t item)
{
    uint32_t edited_count, used = 0;
    uint32_t *edited = recall_edited(p, edits, item, &edited_count);
    uint32_t *chosen =
        etna_arena_alloc(p->talk->arena, m->objects.count + 1u, sizeof *chosen);
    if (!edited || !chosen)
        return recall_no_memory(p);
    for (int pass = 0; pass < 3; pass++) {
        for (uint32_t i = 0; i < m->objects.count && used < m->objects.need;
             i++) {
            uint32_t object = m->objects.objects[i];
            bool fits = pass == 2;
            if (pass == 0)
                fits = number_is_of(object, edited, edited_count);
            if (pass == 1)
                fits = planner_holds(p, m, object);
            if (fits && !number_is_of(object, chosen, used))
                chosen[used++] = object;
        }
    }
    return recall_leave(p, chosen, used, m->reference);
}

/* What "it" and "the other one" mean at the beginning of an instruction, from
 * the one before. */
etna_code planner_recall(planner *p,
                         const builtin_reading *said,
                         const builtin_facts *earlier,
                         const json_t *edits,
                         uint32_t item)
{
    if (earlier) {
        etna_code code = builtin_facts_tell_earlier(&p->then, earlier,
                                                    p->talk->arena, p->err);
        if (code != ETNA_OK)
            return code;
    }
    if (said->count == 0) {
        p->reading.count = 0;
        return ETNA_OK;
    }
    const builtin_move *m = &said->moves[said->count - 1];
    uint32_t pair[2] = {m->objects.count == 1 ? m->objects.objects[0] : 0,
                        m->reference};
    if (m->relation == RELATION_SWAP && m->objects.count == 1 &&
        m->reference < p->facts->object_count)
        return recall_leave(p, pair, 2, BUILTIN_NONE); /* both were moved */
    if (m->objects.need < m->objects.count)
        return recall_choose(p, m, edits, item);
    p->reading.count = 1;
    p->reading.moves[0] = *m;
    return ETNA_OK;
}

/* Does the sentence speak of several things without naming them? */
static etna_code recall_is_plural(const planner *p,
                                  const char *sentence,
                                  bool *ret)
{
    static const char *const plurals[] = {"them",  "they",  "their",
                                          "these", "those", "both"};
    const builtin_word *words = NULL;
    uint32_t count = 0;
    etna_error why = {0};
    etna_code code =
        builtin_words(sentence, p->talk->arena, &words, &count, &why);
    *ret = false;
    if (code == ETNA_E_INPUT)
        return ETNA_OK; /* the reader says what is wrong with it */
    if (code != ETNA_OK)
        return recall_no_memory(p);
    for (uint32_t i = 0; i < count; i++) {
        for (size_t k = 0; k < COUNT_OF(plurals); k++)
            *ret = *ret ||
                   (!words[i].quoted && strcmp(words[i].text, plurals[k]) == 0);
    }
    return ETNA_OK;
}

/* What the run before was asked for last. */
static const char *recall_goal(const json_t *before)
{
    const json_t *list = json_object_get(before, "instructions");
    const json_t *last = json_array_get(list, json_array_size(list) - 1);
    const char *goal = json_string_value(json_object_get(before, "goal"));
    const char *text =
        goal ? goal : json_string_value(json_object_get(last, "text"));
    return text ? text : "";
}

/* May what such a move asks of its things be asked of others, or go on? What
 * depends on how many there are may not. */
static bool recall_is_kept(const builtin_move *m)
{
    bool joint = m->relation == RELATION_SWAP || m->relation == RELATION_LINE ||
                 m->relation == RELATION_STACK;
    joint = joint || m->relation == RELATION_AROUND ||
            m->relation == RELATION_SETTING;
    return !joint && m->each.count == 0;
}

/* The last move of the reading, but its first, that moves one of these things;
 * NULL: there is none that is kept. */
static const builtin_move *recall_last_of(const builtin_reading *reading,
                                          const builtin_set *things)
{
    for (uint32_t i = reading->count; i > 1; i--) {
        const builtin_move *m = &reading->moves[i - 1];
        for (uint32_t k = 0; k < m->objects.count; k++) {
            if (number_is_of(m->objects.objects[k], things->objects,
                             things->count))
                return recall_is_kept(m) ? m : NULL;
        }
    }
    return NULL;
}

/* Makes the only move of p->reading, which names things, the one that the run
 * before was asked for: "a bit more" goes on from it. Its sentence is read once
 * more, on the scene that it spoke of; one that spoke of a run before it goes
 * on the way its things went. Where it cannot be read, the move stays as it
 * is. */
static etna_code recall_meaning(planner *p,
                                const builtin_facts *earlier,
                                const char *goal)
{
    builtin_move *named = &p->reading.moves[0];
    builtin_reading *said = etna_arena_alloc(p->talk->arena, 1, sizeof *said);
    etna_error why = {0};
    if (p->reading.count == 0)
        return ETNA_OK;
    if (!said)
        return recall_no_memory(p);
    const uint32_t first = named->objects.objects[0];
    *said = p->reading;
    said->moves[0].relation = RELATION_SHIFT;
    for (int k = 0; k < 3; k++)
        said->moves[0].shift[k] = p->then.objects[first].centre[k] -
                                  earlier->objects[first].centre[k];
    etna_code code = builtin_read(earlier, goal, p->talk->arena, said, &why);
    if (code == ETNA_E_NOMEM)
        return recall_no_memory(p);
    const builtin_move *last =
        code == ETNA_OK ? recall_last_of(said, &named->objects) : NULL;
    if (!last)
        return ETNA_OK;
    const builtin_set things = named->objects;
    *named = *last;
    named->objects = things;
    return ETNA_OK;
}

/* The things that the run before edited: of its last instruction, where it had
 * a list. */
static etna_code recall_run_things(planner *p,
                                   const json_t *before,
                                   const char *sentence)
{
    const json_t *edits = json_object_get(before, "edits");
    const size_t rows = json_array_size(edits);
    bool plural = false;
    uint32_t count = 0;
    p->reading.count = 0;
    if (rows == 0)
        return ETNA_OK;
    etna_code code = recall_is_plural(p, sentence, &plural);
    if (code != ETNA_OK)
        return code;
    json_int_t item = json_integer_value(
        json_object_get(json_array_get(edits, rows - 1), "item"));
    const bool list_mode = p->list_mode;
    p->list_mode = json_object_get(before, "instructions") != NULL;
    uint32_t *edited = recall_edited(
        p, edits, p->list_mode && item > 0 ? (uint32_t)item : 0, &count);
    p->list_mode = list_mode;
    if (!edited)
        return recall_no_memory(p);
    bool last_alone = !plural && count > 1;
    return recall_leave(p, last_alone ? edited + count - 1 : edited,
                        last_alone ? 1 : count, BUILTIN_NONE);
}

/* The same from an earlier run of the scene: its sentence is read in the scene
 * as it was then. */
etna_code planner_recall_run(planner *p, const char *sentence)
{
    const json_t *before = json_object_get(p->talk->task, "before");
    etna_arena *arena = p->talk->arena;
    builtin_facts earlier;
    etna_code code = recall_run_things(p, before, sentence);
    if (code != ETNA_OK || !before)
        return code;
    code = builtin_facts_put_back(&p->then, json_object_get(before, "moved"),
                                  arena, &earlier, p->err);
    if (code == ETNA_OK)
        code = recall_meaning(p, &earlier, recall_goal(before));
    if (code == ETNA_OK)
        code = builtin_facts_tell_earlier(&p->then, &earlier, arena, p->err);
    return code;
}
