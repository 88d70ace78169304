/* See planner.h. Strict on the answer: one verdict and no block, or both blocks and no verdict; a model that hedges is
 * asked again, because a guess here sends four branches after it. */
#include "worker/agents/planner.h"

#include "worker/agents/agent_own.h"
#include "worker/agents/block.h"
#include "worker/provider/text.h"

#include <string.h>

static const struct {
    const char *mark;
    arrange_plan_status status;
} verdicts[] = {{"<finished>", PLAN_FINISHED}, {"<impossible>", PLAN_IMPOSSIBLE}, {"<unreadable>", PLAN_UNREADABLE}};
enum { VERDICTS = sizeof verdicts / sizeof verdicts[0] };

/* The last paragraph before the verdict, and before the blocks that may stand with it: what it rests on. */
static const char *words_before(const char *text, const char *mark, etna_arena *arena)
{
    static const char *const openings[] = {"[list_item]", "[refusal]"};
    const char *start = text;
    for (size_t i = 0; i < sizeof openings / sizeof *openings; i++) {
        const char *at = strstr(text, openings[i]);
        if (at && at < mark) mark = at;
    }
    for (const char *at = strstr(text, "\n\n"); at && at < mark; at = strstr(at + 2, "\n\n")) {
        const char *p = at + 2;
        while (p < mark && (*p == ' ' || *p == '\n' || *p == '\r' || *p == '\t')) p++;
        if (p < mark) start = at + 2;
    }
    return text_clean(arena, start, (size_t)(mark - start), ARRANGE_REASON_MAX);
}

/* "[x, y]" or "(x, y)" at p; moves nothing when it is none. */
static bool read_point(const char *p, const char *end, double ret[2])
{
    char close = *p == '[' ? ']' : ')';
    p++;
    double value[2];
    for (int i = 0; i < 2; i++) {
        while (p < end && *p == ' ') p++;
        if (!block_number(&p, end, &value[i])) return false;
        while (p < end && *p == ' ') p++;
        if (p >= end || *p != (i == 0 ? ',' : close)) return false;
        p++;
    }
    ret[0] = value[0];
    ret[1] = value[1];
    return true;
}

static etna_code read_coordinate(const block *b, planner_result *result, etna_error *err)
{
    unsigned points = 0;
    for (const char *p = b->text, *end = b->text + b->size; p < end; p++) {
        if ((*p == '[' || *p == '(') && read_point(p, end, result->coordinate)) points++;
    }
    if (points != 1) {
        return etna_fail(err, ETNA_E_INPUT,
                         "the [coordinate] block holds %u coordinates; give exactly one as [x, y] in plain decimals",
                         points);
    }
    for (int i = 0; i < 2; i++) {
        if (!(result->coordinate[i] >= 0 && result->coordinate[i] <= 1)) {
            return etna_fail(err, ETNA_E_INPUT, "the coordinate's %c is %g; it must lie between 0 and 1", 'x' + i,
                             result->coordinate[i]);
        }
    }
    bool bottom = block_has_word(b, "bottom"), centre = block_has_word(b, "center") || block_has_word(b, "centre");
    if (bottom == centre) {
        return etna_fail(err, ETNA_E_INPUT,
                         "the [coordinate] block must say whether it is the object's center or its bottom%s",
                         bottom ? ", not both" : "");
    }
    result->coordinate_is_bottom = bottom;
    return ETNA_OK;
}

static bool is_blank(const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (!strchr(" \t\r\n", text[i])) return false;
    }
    return true;
}

/* How often `mark` stands in the text; within an instruction that says more it is part of a thing's name. */
static unsigned count_verdict(const char *text, const char *mark, const block *instruction, const char **ret_last)
{
    unsigned count = 0;
    const char *end = instruction->text + instruction->size;
    for (const char *at = strstr(text, mark); at; at = strstr(at + strlen(mark), mark)) {
        const char *behind = at + strlen(mark);
        bool within = at >= instruction->text && behind <= end;
        if (within && !(is_blank(instruction->text, (size_t)(at - instruction->text)) &&
                        is_blank(behind, (size_t)(end - behind))))
            continue;
        *ret_last = at;
        count++;
    }
    return count;
}

/* ---- what may stand beside a plan ---- */

static uint32_t read_item(const char *text)
{
    block b;
    double number;
    if (block_find(text, "[list_item]", "[end_of_list_item]", &b, NULL) != ETNA_OK) return 0;
    const char *at = b.text, *end = b.text + b.size;
    while (at < end && is_blank(at, 1)) at++;
    if (!block_number(&at, end, &number) || !is_blank(at, (size_t)(end - at))) return 0;
    bool is_number = number >= 1 && number <= ARRANGE_STEPS_MAX && number == (double)(uint32_t)number;
    return is_number ? (uint32_t)number : 0;
}

static uint32_t refusal_code(const char *name)
{
    for (uint32_t code = REFUSAL_UNREAD; name && code <= REFUSAL_NO_PLACE; code++) {
        if (strcmp(name, arrange_refusal_name(code)) == 0) return code;
    }
    return REFUSAL_NONE;
}

/* NULL: out of memory. What is no text is "". */
static const char *refusal_text(const json_t *from, const char *key, size_t max, etna_arena *arena)
{
    const json_t *value = json_object_get(from, key);
    if (!json_is_string(value)) return "";
    return text_clean(arena, json_string_value(value), json_string_length(value), max);
}

static void read_span(const json_t *span, arrange_refusal *refusal)
{
    json_int_t from = json_integer_value(json_array_get(span, 0)), to = json_integer_value(json_array_get(span, 1));
    bool is_span = json_array_size(span) == 2 && from >= 0 && to > from && to <= MESSAGE_TEXT_MAX;
    if (!is_span) return;
    refusal->from = (uint32_t)from;
    refusal->to = (uint32_t)to;
}

/* False: out of memory. */
static bool read_refusal(const char *text, etna_arena *arena, arrange_refusal *ret)
{
    enum { BYTES_MAX = 8192 };
    block b;
    arrange_refusal refusal = {.code = REFUSAL_NONE};
    if (block_find(text, "[refusal]", "[end_of_refusal]", &b, NULL) != ETNA_OK || b.size > BYTES_MAX) return true;
    json_t *parts = json_loadb(b.text, b.size, JSON_REJECT_DUPLICATES, NULL);
    refusal.code = refusal_code(json_string_value(json_object_get(parts, "code")));
    bool is_read = refusal.code != REFUSAL_NONE;
    if (is_read) {
        refusal.what = refusal_text(parts, "what", ARRANGE_REASON_MAX, arena);
        refusal.where = refusal_text(parts, "where", ARRANGE_NAME_MAX, arena);
        refusal.advice = refusal_text(parts, "do", ARRANGE_REASON_MAX, arena);
        read_span(json_object_get(parts, "span"), &refusal);
    }
    json_decref(parts);
    if (is_read && !(refusal.what && refusal.where && refusal.advice)) return false;
    *ret = refusal;
    return true;
}

static bool read_beside(const char *text, etna_arena *arena, planner_result *result)
{
    bool refused = result->status == PLAN_IMPOSSIBLE || result->status == PLAN_UNREADABLE;
    result->item = read_item(text);
    if (refused && !read_refusal(text, arena, &result->refusal)) return false;
    if (result->refusal.code == REFUSAL_NONE) return true;
    if (!*result->refusal.what) result->refusal.what = result->reason;
    if (!*result->reason) result->reason = result->refusal.what;
    result->refusal.item = result->item;
    return true;
}

void planner_fit(const arrange_task *task, planner_result *result)
{
    arrange_refusal *refusal = &result->refusal;
    if (result->item > task->step_count) result->item = 0;
    refusal->item = refusal->code != REFUSAL_NONE ? result->item : 0;
    uint32_t marked = refusal->item;
    if (!marked && !task->goal && !task->open_list) marked = task->step;
    const char *sentence = task->goal;
    if (!sentence && marked >= 1 && marked <= task->step_count) sentence = task->steps[marked - 1];
    bool within = sentence && refusal->to <= strlen(sentence);
    if (!within) refusal->from = refusal->to = 0;
}

static etna_code read_plan(const char *text, etna_arena *arena, bool points, planner_result *ret, etna_error *err)
{
    planner_result result = {.instruction = "", .reason = ""};
    const char *mark = NULL;
    unsigned given = 0;
    block instruction = {.text = text}, coordinate;
    if (block_find(text, "[updated_instruction]", "[end_of_updated_instruction]", &instruction, NULL) != ETNA_OK)
        instruction.size = 0;
    for (int i = 0; i < VERDICTS; i++) {
        const char *last = NULL;
        unsigned count = count_verdict(text, verdicts[i].mark, &instruction, &last);
        given += count;
        if (!count) continue;
        mark = last;
        result.status = verdicts[i].status;
    }
    bool blocks = strstr(text, "[updated_instruction]") || strstr(text, "[coordinate]");
    if (given > 1)
        return etna_fail(err, ETNA_E_INPUT,
                         "it gives %u verdicts; give at most one of <finished>, <impossible>, <unreadable>", given);
    if (given == 1 && blocks)
        return etna_fail(err, ETNA_E_INPUT, "it gives a verdict and a plan; give one or the other");
    if (given == 1) {
        result.reason = words_before(text, mark, arena);
        if (!result.reason || !read_beside(text, arena, &result))
            return etna_fail(err, ETNA_E_NOMEM, "out of memory while reading a plan");
        *ret = result;
        return ETNA_OK;
    }
    etna_code code = block_find(text, "[updated_instruction]", "[end_of_updated_instruction]", &instruction, err);
    if (code == ETNA_OK && points) code = block_find(text, "[coordinate]", "[end_of_coordinate]", &coordinate, err);
    if (code == ETNA_OK && points) code = read_coordinate(&coordinate, &result, err);
    if (code != ETNA_OK) return code;
    if (instruction.size > ARRANGE_INSTRUCTION_MAX) {
        return etna_fail(err, ETNA_E_INPUT, "the instruction has %zu bytes, at most %d are read", instruction.size,
                         ARRANGE_INSTRUCTION_MAX);
    }
    result.status = PLAN_EDIT;
    result.instruction = text_clean(arena, instruction.text, instruction.size, ARRANGE_INSTRUCTION_MAX);
    if (!result.instruction) return etna_fail(err, ETNA_E_NOMEM, "out of memory while reading a plan");
    if (!result.instruction[0]) return etna_fail(err, ETNA_E_INPUT, "the [updated_instruction] block is empty");
    if (!read_beside(text, arena, &result)) return etna_fail(err, ETNA_E_NOMEM, "out of memory while reading a plan");
    *ret = result;
    return ETNA_OK;
}

etna_code planner_read(const char *text, etna_arena *arena, planner_result *ret, etna_error *err)
{
    return read_plan(text, arena, true, ret, err);
}

etna_code planner_read_words(const char *text, etna_arena *arena, planner_result *ret, etna_error *err)
{
    return read_plan(text, arena, false, ret, err);
}

static etna_code read_reply(agent *a, const char *text, etna_error *err)
{
    return planner_read(text, &a->arena, &a->result.planner, err);
}

static etna_code read_words(agent *a, const char *text, etna_error *err)
{
    return planner_read_words(text, &a->arena, &a->result.planner, err);
}

static void give_up(agent *a, const char *reason)
{
    a->result.planner = (planner_result){.status = PLAN_MALFORMED, .instruction = "", .reason = reason};
}

static json_t *list_instructions(agent *a, const arrange_task *task)
{
    json_t *rows = json_array();
    bool ok = rows != NULL;
    for (uint32_t i = 0; ok && i < task->step_count; i++) {
        json_t *row = json_object();
        bool current = !task->open_list && i + 1 == task->step;
        ok = agent_json_set(row, "number", json_integer(i + 1)) &&
             agent_json_set(row, "text", agent_json_text(a, task->steps[i], ARRANGE_INSTRUCTION_MAX)) &&
             (!current || agent_json_set(row, "current", json_true()));
        ok = json_array_append_new(rows, row) == 0 && ok;
    }
    if (ok) return rows;
    json_decref(rows);
    return NULL;
}

/* What the run's reader made of the goal: it was checked before it was journaled. */
static bool put_meaning(json_t *block_json, const char *meaning)
{
    json_t *value = json_loads(meaning, JSON_REJECT_DUPLICATES, NULL);
    return !value || agent_json_set(block_json, "meaning", value);
}

json_t *planner_task(agent *a, const arrange_task *task)
{
    json_t *block_json = json_object();
    bool ok = task->goal ? agent_json_set(block_json, "goal", agent_json_text(a, task->goal, ARRANGE_INSTRUCTION_MAX))
                         : agent_json_set(block_json, "instructions", list_instructions(a, task));
    ok = ok && agent_json_set(block_json, "step", json_integer(task->step));
    ok = ok && agent_json_set(block_json, "maximum_steps", json_integer(task->max_steps));
    ok = ok && agent_json_set(block_json, "edits", agent_json_edits(a, task));
    if (!etna_hash_is_zero(&task->start)) ok = ok && agent_json_set(block_json, "before", agent_json_before(a, task));
    if (task->meaning && *task->meaning) ok = ok && put_meaning(block_json, task->meaning);
    ok = ok && agent_json_set(block_json, "failed_here", agent_json_failures(a, task));
    ok = ok && agent_json_set(block_json, "given_up_here", agent_json_given_up(a, task));
    if (ok) return block_json;
    json_decref(block_json);
    return NULL;
}

agent_picture *planner_history(agent *a, const arrange_task *task, uint32_t *ret_count)
{
    agent_picture *pictures = etna_arena_alloc(&a->arena, task->edit_count + 2, sizeof *pictures);
    if (!pictures) return NULL;
    uint32_t used = 0;
    model_image image = {.camera = a->camera, .width = a->width, .height = a->height};
    image.snapshot = task->first_snapshot;
    if (task->edit_count > 0) pictures[used++] = (agent_picture){"Image: the scene at the start.", image};
    for (uint32_t i = 0; i < task->edit_count; i++) {
        image.before = i ? task->edits[i - 1].snapshot : task->first_snapshot;
        image.snapshot = task->edits[i].snapshot;
        image.object = etna_arena_strdup(&a->arena, task->edits[i].object ? task->edits[i].object : "");
        const char *label = etna_arena_printf(&a->arena, "Image: the result of step %u.", task->edits[i].step);
        if (!image.object || !label) return NULL;
        pictures[used++] = (agent_picture){label, image};
    }
    model_image now = {
        .camera = a->camera, .width = a->width, .height = a->height, .grid = true, .snapshot = task->snapshot};
    pictures[used++] = (agent_picture){"Image: the current scene under the grid.", now};
    *ret_count = used;
    return pictures;
}

static const char *prompt_of(const arrange_task *task, bool points)
{
    if (task->goal) return points ? "planner_goal" : "planner_goal-coordinate";
    if (task->open_list) return points ? "planner_list" : "planner_list-coordinate";
    return points ? "planner_steps" : "planner_steps-coordinate";
}

etna_code planner_begin(const arrange_task *task, const agent_view *view, agent **ret_agent, agent_step *ret_step,
                        etna_error *err)
{
    static const agent_role pointing = {ROLE_PLANNER, 1, read_reply, give_up},
                            wordy = {ROLE_PLANNER, 1, read_words, give_up};
    bool points = task->ablation != ABLATION_NO_PLANNER_COORDINATE;
    agent *a = NULL;
    etna_code code = agent_new(points ? &pointing : &wordy, task, view, &a, err);
    if (code != ETNA_OK) return code;
    a->slot.poll = 0;
    uint32_t picture_count = 0;
    agent_picture *pictures = planner_history(a, task, &picture_count);
    const char *prompt = prompt_of(task, points);
    code = pictures ? agent_open(a, prompt, planner_task(a, task), picture_count, pictures, view->facts, err)
                    : etna_fail(err, ETNA_E_NOMEM, "out of memory while beginning a plan");
    if (code != ETNA_OK) {
        agent_free(a);
        return code;
    }
    agent_ask(a, ret_step);
    *ret_agent = a;
    return ETNA_OK;
}

const planner_result *planner_done(const agent *a) { return &a->result.planner; }
