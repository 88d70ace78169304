/* A list of instructions: each speaks of the scene that those before it left,
 * and at the end all of them hold. */
#include "proto/array.h"
#include "worker/builtin/plan/planner_internal.h"

#include <jansson.h>
#include <string.h>

static const char *list_sentence(const json_t *rows, size_t i)
{
    const char *text =
        json_string_value(json_object_get(json_array_get(rows, i), "text"));
    return text ? text : "";
}

/* The instruction that this step is for, where the list has one edit for each;
 * 0: it has as many as they take. */
static uint32_t list_marked(const json_t *rows)
{
    for (size_t i = 0; i < json_array_size(rows); i++) {
        if (json_is_true(json_object_get(json_array_get(rows, i), "current")))
            return (uint32_t)i + 1;
    }
    return 0;
}

/* Could it not be read or done, and is left out? */
static bool list_is_passed(const json_t *rows, uint32_t i)
{
    return json_is_string(
        json_object_get(json_array_get(rows, i - 1), "passed_over"));
}

typedef struct list_item { /* as it was read, on the scene as it was then */
    bool is_read;
    /* what takes something up, for the next to say where to; NULL: it is
     * whole */
    const char *begun;
    builtin_reading reading;
    builtin_facts then;
} list_item;

static void list_serve(bool *served, const builtin_reading *reading)
{
    for (uint32_t i = 0; i < reading->count; i++) {
        const builtin_move *m = &reading->moves[i];
        for (uint32_t k = 0; k < m->objects.count; k++)
            served[m->objects.objects[k]] = true;
        if (m->relation == RELATION_SWAP && m->reference != BUILTIN_NONE)
            served[m->reference] = true;
    }
}

/* Does the move still hold, but for what later ones and later instructions
 * (`later`) say something else of? */
static bool list_still_holds(const planner *p,
                             uint32_t index,
                             const bool *later)
{
    const builtin_move *move = &p->reading.moves[index];
    const uint32_t named[3] = {move->reference, move->second, move->support};
    for (int i = 0; i < 3; i++) {
        if (named[i] < p->facts->object_count && later[named[i]])
            return true;
    }
    builtin_move state = *move;
    /* whether there was a nearer place was asked when it was its turn */
    state.goes = false;
    if (planner_gap_may_widen(p, move))
        state.gap = -1;
    uint32_t there = 0, taken = 0;
    for (uint32_t i = 0; i < move->objects.count; i++) {
        const uint32_t object = move->objects.objects[i];
        const bool goes =
            later[object] || planner_is_taken_later(p, index, object);
        taken += goes;
        there += !goes && planner_holds(p, &state, object);
    }
    return there >= planner_need_of(&move->objects, taken);
}

/* Does all that one instruction asked still hold? *ret_said: not, and *ret says
 * so. */
static etna_code list_check_item(planner *p,
                                 const list_item *item,
                                 const bool *later,
                                 model_reply *ret,
                                 bool *ret_said)
{
    etna_error why = {0};
    etna_error *err = p->err;
    p->reading = item->reading;
    p->then = item->then;
    p->err = &why;
    etna_code code = planner_expand(p);
    if (code == ETNA_OK)
        code = planner_choose_supports(p);
    p->err = err;
    if (code == ETNA_E_NOMEM)
        return planner_no_memory(p);
    for (uint32_t k = 0; code == ETNA_OK && k < p->reading.count; k++) {
        const builtin_move *m = &p->reading.moves[k];
        if (list_still_holds(p, k, later))
            continue;
        *ret_said = true;
        return planner_say_impossible(
            p, "no_place", ret,
            etna_arena_printf(
                p->talk->arena,
                "What instruction %u asks of %.255s does not hold any more at the end.",
                p->instruction, p->facts->objects[m->objects.objects[0]].name));
    }
    return ETNA_OK;
}

/* Each instruction holds when the next is begun; at the end all must: what one
 * brought about another may have undone. */
static etna_code list_check(planner *p,
                            const list_item *all,
                            uint32_t count,
                            model_reply *ret,
                            bool *ret_said)
{
    bool *later = p->served;
    memset(later, 0, p->facts->object_count * sizeof *later);
    for (uint32_t i = count; i > 0 && !*ret_said; i--) {
        const list_item *item = &all[i - 1];
        if (!item->is_read)
            continue;
        p->instruction = i;
        etna_code code = list_check_item(p, item, later, ret, ret_said);
        if (code != ETNA_OK)
            return code;
        list_serve(later, &item->reading);
    }
    return ETNA_OK;
}

typedef struct list { /* of instructions */
    planner *p;
    const json_t *rows, *edits;
    uint32_t count;
    uint32_t current; /* the one of the last edit, from 1 */
    /* the one that this step is for, where each has one edit; 0: as many as
     * they take */
    uint32_t only;
    list_item *items;
    builtin_reading *last; /* what "it" means: the reading of the one before */
} list;

/* The current instruction is the last that has an edit, or the one that is
 * marked. */
static etna_code list_begin(list *l, planner *p, const json_t *rows)
{
    *l = (list){.p = p,
                .rows = rows,
                .edits = json_object_get(p->talk->task, "edits"),
                .count = (uint32_t)json_array_size(rows),
                .current = 1,
                .only = list_marked(rows)};
    l->last = etna_arena_alloc(p->talk->arena, 1, sizeof *l->last);
    l->items =
        etna_arena_alloc(p->talk->arena, l->count + 1u, sizeof *l->items);
    if (!l->last || !l->items)
        return planner_no_memory(p);
    l->last->count = 0;
    for (size_t i = 0; i < json_array_size(l->edits); i++) {
        uint32_t item = builtin_edit_item(json_array_get(l->edits, i), true);
        if (item > l->current)
            l->current = item;
    }
    if (l->only)
        l->current = l->only;
    return ETNA_OK;
}

/* Leaves what an instruction's "it" means: what the one before it moved; of the
 * first, what the run before did. What was passed over has moved nothing, and
 * nobody meant what stands before it. */
static etna_code list_recall(const list *l, uint32_t i, const char *sentence)
{
    if (i == 1)
        return planner_recall_run(l->p, sentence);
    if (list_is_passed(l->rows, i - 1)) {
        l->p->reading.count = 0;
        return ETNA_OK;
    }
    const list_item *before = &l->items[i - 2];
    return planner_recall(l->p, l->last, before->is_read ? &before->then : NULL,
                          l->edits, i - 1);
}

/* The words of instruction i, from 1: behind "pick up the umbrella", all that
 * it is for. NULL: out of memory. */
static const char *list_text(const list *l, uint32_t i)
{
    const char *sentence = list_sentence(l->rows, i - 1);
    const char *begun = i > 1 ? l->items[i - 2].begun : NULL;
    return begun
               ? etna_arena_printf(l->p->talk->arena, "%s. %s", begun, sentence)
               : sentence;
}

/* Reads instruction i, from 1, on p->then. */
static etna_code list_read_there(const list *l, uint32_t i)
{
    const char *sentence = list_text(l, i);
    if (!sentence)
        return planner_no_memory(l->p);
    etna_code code = list_recall(l, i, sentence);
    return code == ETNA_OK ? planner_read_sentence(l->p, sentence) : code;
}

/* "Pick up the umbrella": it asks for nothing by itself, where another
 * follows. */
static etna_code list_note_begun(list *l, uint32_t i, bool is_refused)
{
    const builtin_refusal *refusal = &l->p->reading.refusal;
    if (!is_refused || !refusal->is_begun || i == l->count)
        return ETNA_OK;
    l->items[i - 1].begun = list_text(l, i);
    return l->items[i - 1].begun ? ETNA_OK : planner_no_memory(l->p);
}

/* The same on the scene that it speaks of. ETNA_E_INPUT: it cannot be read. */
static etna_code list_read(list *l, uint32_t i)
{
    planner *p = l->p;
    p->instruction = i;
    etna_code code = builtin_facts_before(p->facts, l->edits, i, p->talk->arena,
                                          &p->then, p->err);
    if (code == ETNA_OK)
        code = list_read_there(l, i);
    if (code == ETNA_E_INPUT && l->only > 1 &&
        i == l->only) { /* "the cup from the tray" that has left it since */
        code =
            builtin_facts_at_start(p->facts, p->talk->arena, &p->then, p->err);
        if (code == ETNA_OK)
            code = list_read_there(l, i);
    }
    if (i > 1)
        list_serve(p->served, l->last);
    if (code == ETNA_OK) {
        *l->last = p->reading;
        planner_note_stays(p);
    }
    l->items[i - 1] = (list_item){
        .is_read = code == ETNA_OK, .reading = p->reading, .then = p->then};
    etna_code noted = list_note_begun(l, i, code == ETNA_E_INPUT);
    return noted == ETNA_OK ? code : noted;
}

/* Is it a word for what was said before that is not understood? */
static etna_code list_is_pronoun(const planner *p,
                                 const char *sentence,
                                 bool *ret)
{
    static const char *const pronouns[] = {
        "it",   "its",   "they", "them", "their", "these", "those",
        "both", "there", "one",  "ones", "same",  "other", "others"};
    const builtin_refusal *refusal = &p->reading.refusal;
    const builtin_word *words = NULL;
    uint32_t count = 0;
    etna_error why = {0};
    *ret = false;
    if (refusal->to <= refusal->from || refusal->to > strlen(sentence))
        return ETNA_OK;
    const char *said = etna_arena_strndup(
        p->talk->arena, sentence + refusal->from, refusal->to - refusal->from);
    if (!said)
        return planner_no_memory(p);
    etna_code code = builtin_words(said, p->talk->arena, &words, &count, &why);
    if (code == ETNA_E_INPUT)
        return ETNA_OK;
    if (code != ETNA_OK)
        return planner_no_memory(p);
    for (uint32_t i = 0; i < count; i++) {
        for (size_t k = 0; k < COUNT_OF(pronouns); k++)
            *ret = *ret || (!words[i].quoted &&
                            strcmp(words[i].text, pronouns[k]) == 0);
    }
    return ETNA_OK;
}

/* Why instruction i was not read, where it speaks of what the one before it was
 * to move: that is told instead. */
static etna_code list_blame_passed(const list *l, uint32_t i)
{
    planner *p = l->p;
    bool speaks_of_it = false;
    if (i < 2 || !list_is_passed(l->rows, i - 1))
        return ETNA_OK;
    etna_code code =
        list_is_pronoun(p, list_sentence(l->rows, i - 1), &speaks_of_it);
    if (code != ETNA_OK || !speaks_of_it)
        return code;
    p->reading.refusal.what = etna_arena_printf(
        p->talk->arena,
        "it speaks of what instruction %u was to move, which was passed over",
        i - 1);
    p->reading.refusal.advice = "say which thing is meant";
    return p->reading.refusal.what ? ETNA_OK : planner_no_memory(p);
}

/* What one instruction of the list came to; both false: it is done already. */
typedef struct list_answer {
    bool is_refused; /* one of them is: *ret says why */
    bool is_done;    /* the next edit is in *ret */
} list_answer;

/* What instruction i, from 1, asks for next, where none before it asked for an
 * edit. */
static etna_code list_plan(list *l,
                           uint32_t i,
                           model_reply *ret,
                           list_answer *done)
{
    planner *p = l->p;
    if (list_is_passed(l->rows, i))
        return ETNA_OK;
    const etna_code read = list_read(l, i);
    if (read != ETNA_OK && read != ETNA_E_INPUT)
        return read;
    if (i < l->current || l->items[i - 1].begun)
        return ETNA_OK;
    const char *text = list_text(l, i);
    if (!text)
        return planner_no_memory(p);
    etna_code code = read == ETNA_E_INPUT ? list_blame_passed(l, i) : ETNA_OK;
    if (code == ETNA_OK)
        code = planner_take_apart(p, read, text, ret, &done->is_refused);
    if (code != ETNA_OK || done->is_refused)
        return code;
    return planner_answer(p, ret, &done->is_done);
}

/* One after another, until one is refused or has an edit. */
static etna_code list_plan_all(list *l, model_reply *ret, list_answer *done)
{
    const uint32_t last = l->only ? l->only : l->count;
    for (uint32_t i = 1; i <= last; i++) {
        etna_code code = list_plan(l, i, ret, done);
        if (code != ETNA_OK || done->is_refused || done->is_done)
            return code;
    }
    return ETNA_OK;
}

/* Was none passed over? */
static bool list_is_whole(const json_t *rows, uint32_t count)
{
    for (uint32_t i = 1; i <= count; i++) {
        if (list_is_passed(rows, i))
            return false;
    }
    return true;
}

/* All instructions are met: what made way goes back, and then all must hold
 * still. *ret_said: there is an answer. */
static etna_code list_end(list *l, model_reply *ret, bool *ret_said)
{
    planner *p = l->p;
    for (uint32_t i = 0; i < l->count; i++)
        planner_mark_spoken_of(p, &l->items[i].reading);
    if (!p->measures) {
        etna_code code = planner_go_back(p, ret, ret_said);
        if (code != ETNA_OK || *ret_said)
            return code;
    }
    return list_check(p, l->items, l->count, ret, ret_said);
}

/* Instructions in order; each is read in the scene as its predecessors left it.
 * With one edit an instruction (`only`) nothing behind it is looked at. */
etna_code planner_plan_instructions(planner *p,
                                    const json_t *rows,
                                    model_reply *ret)
{
    list_answer done = {false, false};
    list l;
    etna_code code = list_begin(&l, p, rows);
    if (code == ETNA_OK)
        code = list_plan_all(&l, ret, &done);
    if (code != ETNA_OK || done.is_refused || done.is_done)
        return code;
    if (!l.only)
        code = list_end(&l, ret, &done.is_done);
    if (code != ETNA_OK || done.is_done)
        return code;
    return builtin_say(
        p->talk, ret, p->err,
        "Everything%s stands where the instructions want it.\n<finished>\n",
        list_is_whole(rows, l.count) ? "" : " but what was passed over");
}
