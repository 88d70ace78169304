/* What a sentence can speak of without naming it: what the sentence before it moved, or an earlier run. The reader takes "it"
 * and "them" from the last move of a reading, so this leaves one there that names these things. */
#include "worker/builtin/plan/planner_internal.h"

#include <jansson.h>
#include <string.h>

static etna_code recall_no_memory(const planner *p)
{
    return etna_fail(p->err, ETNA_E_NOMEM, "out of memory while planning");
}

static bool recall_has(const uint32_t *list, uint32_t count, uint32_t object)
{
    for (uint32_t i = 0; i < count; i++) {
        if (list[i] == object) return true;
    }
    return false;
}

/* Things of the rows from `first` on whose instruction is `item` (0: any), each once, in the order of their last edit. NULL:
 * out of memory. */
static uint32_t *recall_edited(const planner *p, const json_t *rows, uint32_t item, uint32_t *ret_count)
{
    uint32_t *list = etna_arena_alloc(p->talk->arena, p->facts->object_count + 1u, sizeof *list), count = 0;
    for (size_t i = json_array_size(rows); list && i > 0; i--) {
        const json_t *row = json_array_get(rows, i - 1);
        const char *name = json_string_value(json_object_get(row, "object"));
        if (item && builtin_edit_item(row, p->list_mode) != item) continue;
        for (uint32_t k = 0; name && k < p->facts->object_count; k++) {
            if (strcmp(p->facts->objects[k].name, name) != 0 || recall_has(list, count, k)) continue;
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
static etna_code recall_leave(planner *p, const uint32_t *objects, uint32_t count, uint32_t reference)
{
    uint32_t *sorted = etna_arena_alloc(p->talk->arena, count + 1u, sizeof *sorted), used = 0;
    if (!sorted) return recall_no_memory(p);
    for (uint32_t i = 0; i < p->facts->object_count && used < count; i++) {
        if (recall_has(objects, count, i)) sorted[used++] = i;
    }
    p->reading.count = used > 0 ? 1 : 0;
    p->reading.moves[0] = (builtin_move){.objects = {.count = used, .objects = sorted, .need = used},
                                         .relation = RELATION_GROUP,
                                         .reference = reference,
                                         .second = BUILTIN_NONE,
                                         .support = BUILTIN_NONE,
                                         .faced = BUILTIN_NONE,
                                         .gap = -1,
                                         .spacing = -1};
    return ETNA_OK;
}

/* Of any so many: those that the instruction moved, then those that stand as it asks, then the others. */
static etna_code recall_choose(planner *p, const builtin_move *m, const json_t *edits, uint32_t item)
{
    uint32_t edited_count, used = 0, *edited = recall_edited(p, edits, item, &edited_count),
                           *chosen = etna_arena_alloc(p->talk->arena, m->objects.count + 1u, sizeof *chosen);
    if (!edited || !chosen) return recall_no_memory(p);
    for (int pass = 0; pass < 3; pass++) {
        for (uint32_t i = 0; i < m->objects.count && used < m->objects.need; i++) {
            uint32_t object = m->objects.objects[i];
            bool fits = pass == 2;
            if (pass == 0) fits = recall_has(edited, edited_count, object);
            if (pass == 1) fits = planner_holds(p, m, object);
            if (fits && !recall_has(chosen, used, object)) chosen[used++] = object;
        }
    }
    return recall_leave(p, chosen, used, m->reference);
}

etna_code planner_recall(planner *p, const builtin_reading *said, const json_t *edits, uint32_t item)
{
    if (said->count == 0) {
        p->reading.count = 0;
        return ETNA_OK;
    }
    const builtin_move *m = &said->moves[said->count - 1];
    uint32_t pair[2] = {m->objects.count == 1 ? m->objects.objects[0] : 0, m->reference};
    if (m->relation == RELATION_SWAP && m->objects.count == 1 && m->reference < p->facts->object_count)
        return recall_leave(p, pair, 2, BUILTIN_NONE); /* both were moved */
    if (m->objects.need < m->objects.count) return recall_choose(p, m, edits, item);
    p->reading.count = 1;
    p->reading.moves[0] = *m;
    return ETNA_OK;
}

/* Does the sentence speak of several things without naming them? */
static etna_code recall_is_plural(const planner *p, const char *sentence, bool *ret)
{
    static const char *const plurals[] = {"them", "they", "their", "these", "those", "both"};
    const builtin_word *words = NULL;
    uint32_t count = 0;
    etna_error why = {0};
    etna_code code = builtin_words(sentence, p->talk->arena, &words, &count, &why);
    *ret = false;
    if (code == ETNA_E_INPUT) return ETNA_OK; /* the reader says what is wrong with it */
    if (code != ETNA_OK) return recall_no_memory(p);
    for (uint32_t i = 0; i < count; i++) {
        for (size_t k = 0; k < sizeof plurals / sizeof *plurals; k++)
            *ret = *ret || (!words[i].quoted && strcmp(words[i].text, plurals[k]) == 0);
    }
    return ETNA_OK;
}

etna_code planner_recall_run(planner *p, const char *sentence)
{
    const json_t *before = json_object_get(p->talk->task, "before"), *edits = json_object_get(before, "edits");
    size_t rows = json_array_size(edits);
    bool plural = false;
    uint32_t count = 0;
    p->reading.count = 0;
    if (rows == 0) return ETNA_OK;
    etna_code code = recall_is_plural(p, sentence, &plural);
    if (code != ETNA_OK) return code;
    json_int_t item = json_integer_value(json_object_get(json_array_get(edits, rows - 1), "item"));
    uint32_t *edited = NULL;
    const bool list_mode = p->list_mode;
    p->list_mode = json_object_get(before, "instructions") != NULL;
    edited = recall_edited(p, edits, p->list_mode && item > 0 ? (uint32_t)item : 0, &count);
    p->list_mode = list_mode;
    if (!edited) return recall_no_memory(p);
    bool last_alone = !plural && count > 1;
    return recall_leave(p, last_alone ? edited + count - 1 : edited, last_alone ? 1 : count, BUILTIN_NONE);
}
