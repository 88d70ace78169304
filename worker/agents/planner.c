/* See planner.h. Lenient in the form of an answer and strict in what it says: a
 * verdict or a plan, never both, because a guess here sends four branches after
 * it. */
#include "worker/agents/planner.h"

#include "proto/array.h"
#include "worker/agents/agents_internal.h"
#include "worker/agents/inner.h"
#include "worker/agents/plan_internal.h"
#include "worker/provider/text.h"

#include <string.h>

/* The last paragraph before the verdict, and before the blocks that may stand
 * with it: what it rests on. */
static const char *words_before(const plain *p, size_t mark, etna_arena *arena)
{
    static const char *const names[] = {BLOCK_ITEM, BLOCK_PART, BLOCK_REFUSAL};
    size_t start = 0;
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        block b;
        if (block_find(p, names[i], &b, NULL) == ETNA_OK && b.begin < mark)
            mark = b.begin;
    }
    for (size_t i = 0; i + 1 < mark; i++) {
        bool paragraph = p->text[i] == '\n' && p->text[i + 1] == '\n';
        if (paragraph && !plan_is_blank(p->text + i, mark - i))
            start = i + 2;
    }
    char *said = plain_written(p, start, mark, arena);
    return said ? text_clean(arena, said, strlen(said), ARRANGE_REASON_MAX)
                : NULL;
}

/* The instruction ends where a coordinate begins in it: some models close
 * neither. `scale` NULL: no coordinate is asked for. */
static etna_code read_blocks(const plain *p,
                             const plan_draft *d,
                             picture_scale *scale,
                             etna_arena *arena,
                             planner_result *result,
                             etna_error *err)
{
    block coordinate;
    block own = d->instruction;
    block *instruction = &own;
    plain within = plain_part(p, instruction->from, instruction->to);
    bool is_inside =
        scale &&
        plan_find_coordinate_within(&within, instruction->end, &coordinate) &&
        coordinate.begin > 0;
    if (instruction->end == BLOCK_OPEN && !is_inside) {
        return etna_fail(err, ETNA_E_INPUT,
                         "the [%s] block is cut off: [end of %s] is missing",
                         BLOCK_INSTRUCTION, BLOCK_INSTRUCTION);
    }
    if (is_inside)
        instruction->to = instruction->from + coordinate.begin;
    etna_code code =
        scale && !is_inside
            ? plan_find_coordinate(p, instruction, &coordinate, err)
            : ETNA_OK;
    if (code == ETNA_OK && scale)
        code = plan_read_coordinate(&coordinate, scale, result, err);
    if (code != ETNA_OK)
        return code;
    return plan_take_instruction(
        plain_written(p, instruction->from, instruction->to, arena), arena,
        result, err);
}

/* Decides between a verdict and a plan where both stand there: d->there or
 * verdict->count is taken back. ETNA_E_INPUT: it means both, or several
 * verdicts. */
static etna_code plan_weigh_verdict(const plain *p,
                                    plan_draft *d,
                                    verdict_search *verdict,
                                    etna_error *err)
{
    if (verdict->count > 1)
        return etna_fail(
            err, ETNA_E_INPUT,
            "it gives %u verdicts; give at most one of <finished>, <impossible>, <unreadable>",
            verdict->count);
    if (verdict->count == 0 || !d->there)
        return ETNA_OK;
    if (plan_verdict_fills(p, d, verdict)) {
        d->there = false;
        return ETNA_OK;
    }
    if (!plan_verdict_is_foretold(p, verdict->at))
        return etna_fail(
            err, ETNA_E_INPUT,
            "it gives a verdict and a plan; give one or the other");
    verdict->count = 0;
    return ETNA_OK;
}

/* `scale` NULL: no coordinate is asked for. */
static etna_code read_plan(const char *text,
                           picture_scale *scale,
                           etna_arena *arena,
                           planner_result *ret,
                           etna_error *err)
{
    planner_result result = {.instruction = "", .reason = ""};
    plain p;
    plan_draft d = {.there = false};
    etna_code code = plain_make(text, arena, &p, err);
    if (code != ETNA_OK)
        return code;
    d.there = block_find(&p, BLOCK_INSTRUCTION, &d.instruction, NULL) == ETNA_OK
                  ? !plan_says_nothing(&p, &d.instruction)
                  : scale && plan_find_numbered(&p, &d.instruction);
    verdict_search verdict = plan_find_verdict(&p, &d);
    code = plan_weigh_verdict(&p, &d, &verdict, err);
    if (code != ETNA_OK)
        return code;
    if (verdict.count == 1) {
        result.status = verdict.status;
        result.reason = words_before(&p, verdict.at, arena);
        if (!result.reason)
            return etna_fail(err, ETNA_E_NOMEM,
                             "out of memory while reading a plan");
    } else {
        code = d.there ? read_blocks(&p, &d, scale, arena, &result, err)
                       : plan_read_object(&p, scale, arena, &result, err);
    }
    if (code != ETNA_OK)
        return code;
    if (!plan_read_beside(&p, arena, &result))
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory while reading a plan");
    *ret = result;
    return ETNA_OK;
}

/* As executor_read. A question about the coordinate ends the search: another
 * reading would hide it. */
static etna_code read_wrapped(const char *text,
                              picture_scale *scale,
                              etna_arena *arena,
                              planner_result *ret,
                              etna_error *err)
{
    const char *own = inner_own_turn(text, arena);
    const char *carried = inner_carried(text, arena);
    const uint32_t asked = scale ? scale_questions(scale) : 0;
    if (own && read_plan(own, scale, arena, ret, err) == ETNA_OK)
        return ETNA_OK;
    if (own && scale && scale_questions(scale) > asked)
        return ETNA_E_INPUT;
    if (carried && read_plan(carried, scale, arena, ret, err) == ETNA_OK)
        return ETNA_OK;
    /* read, but for what is unclear in it */
    bool is_asked = scale && scale_questions(scale) > asked;
    if (is_asked)
        return ETNA_E_INPUT;
    etna_code code = read_plan(text, scale, arena, ret, err);
    const char *inner = code == ETNA_E_INPUT ? inner_text(text, arena) : NULL;
    bool is_read =
        inner && read_plan(inner, scale, arena, ret, NULL) == ETNA_OK;
    return is_read ? ETNA_OK : code;
}

/* For tests and the log as well as for the agent: the pure reader. */
etna_code planner_read(const char *text,
                       picture_scale *known,
                       etna_arena *arena,
                       planner_result *ret,
                       etna_error *err)
{
    picture_scale none = {.known = COORDINATES_UNKNOWN};
    return read_wrapped(text, known ? known : &none, arena, ret, err);
}

/* For answers that have the plan in plain words. */
etna_code planner_read_words(const char *text,
                             etna_arena *arena,
                             planner_result *ret,
                             etna_error *err)
{
    return read_wrapped(text, NULL, arena, ret, err);
}

/* A network model's instruction goes on as one line of plain characters:
 * whoever carries it out may know no others. The built-in agent writes names as
 * the scene has them, whatever is in them. */
static etna_code make_plain(agent *a, etna_error *err)
{
    plain p;
    planner_result *result = &a->result.planner;
    bool keeps =
        strcmp(a->request.model, "builtin") == 0 || result->status != PLAN_EDIT;
    if (keeps)
        return ETNA_OK;
    etna_code code = plain_make(result->instruction, &a->arena, &p, err);
    if (code != ETNA_OK || p.size == 0)
        return code;
    result->instruction =
        text_clean(&a->arena, p.text, p.size, ARRANGE_INSTRUCTION_MAX);
    return result->instruction
               ? ETNA_OK
               : etna_fail(err, ETNA_E_NOMEM,
                           "out of memory while reading a plan");
}

/* A verdict that stands alone is told as such: the line that quotes its reason
 * would end in a colon. */
static void planner_give_reason(planner_result *result)
{
    bool denies =
        result->status == PLAN_IMPOSSIBLE || result->status == PLAN_UNREADABLE;
    if (denies && !*result->reason)
        result->reason = "it gives no reason";
}

/* Coordinates are brought to shares of the picture. */
static etna_code planner_read_reply(agent *a, const char *text, etna_error *err)
{
    etna_code code =
        planner_read(text, &a->scale, &a->arena, &a->result.planner, err);
    if (code == ETNA_OK)
        planner_give_reason(&a->result.planner);
    return code == ETNA_OK ? make_plain(a, err) : code;
}

/* In the ablation without a coordinate (VULCAN table 3). */
static etna_code planner_take_words(agent *a, const char *text, etna_error *err)
{
    etna_code code =
        planner_read_words(text, &a->arena, &a->result.planner, err);
    if (code == ETNA_OK)
        planner_give_reason(&a->result.planner);
    return code == ETNA_OK ? make_plain(a, err) : code;
}

/* PLAN_MALFORMED. */
static void planner_give_up(agent *a, const char *reason)
{
    a->result.planner = (planner_result){
        .status = PLAN_MALFORMED, .instruction = "", .reason = reason};
}

/* The template by the form of the request; "-coordinate" leaves out what is
 * said of coordinates. */
static const char *prompt_of(const arrange_task *task, bool points)
{
    if (task->goal)
        return points ? "planner_goal" : "planner_goal-coordinate";
    if (task->open_list)
        return points ? "planner_list" : "planner_list-coordinate";
    return points ? "planner_steps" : "planner_steps-coordinate";
}

/* Polls are for the evaluator; here they tell a measure from a plan. */
etna_code planner_begin(const arrange_task *task,
                        const agent_view *view,
                        agent **ret_agent,
                        agent_step *ret_step,
                        etna_error *err)
{
    static const agent_role pointing = {ROLE_PLANNER, 1, planner_read_reply,
                                        planner_give_up};
    static const agent_role wordy = {ROLE_PLANNER, 1, planner_take_words,
                                     planner_give_up};
    bool points = task->ablation != ABLATION_NO_PLANNER_COORDINATE;
    agent *a = NULL;
    etna_code code =
        agent_new(points ? &pointing : &wordy, task, view, &a, err);
    if (code != ETNA_OK)
        return code;
    a->slot.poll =
        task->poll == ARRANGE_PLAN_MEASURES ? ARRANGE_PLAN_MEASURES : 0;
    a->is_wordy = !points;
    uint32_t picture_count = 0;
    agent_picture *pictures = planner_history(a, task, &picture_count);
    const char *prompt = prompt_of(task, points);
    code = pictures ? agent_open(a, prompt, planner_task(a, task),
                                 picture_count, pictures, view->facts, err)
                    : etna_fail(err, ETNA_E_NOMEM,
                                "out of memory while beginning a plan");
    if (code != ETNA_OK) {
        agent_free(a);
        return code;
    }
    agent_ask(a, ret_step);
    *ret_agent = a;
    return ETNA_OK;
}

/* Borrowed from the agent. */
const planner_result *planner_done(const agent *a)
{
    return &a->result.planner;
}
