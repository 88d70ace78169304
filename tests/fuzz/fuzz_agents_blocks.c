/* Answers of models, for all four roles: whatever is read keeps its promises
 * (bounded, finite, UTF-8), the rest is refused. */
#include "proto/utf8.h"
#include "tests/fuzz/fuzz.h"
#include "worker/agents/arguments.h"
#include "worker/agents/evaluator.h"
#include "worker/agents/executor.h"
#include "worker/agents/judge.h"
#include "worker/agents/planner.h"
#include "worker/agents/spoken.h"
#include "worker/agents/tools.h"

#include <stdlib.h>
#include <string.h>

static void check_text(const char *text, size_t max)
{
    if (!text || strlen(text) > max || !etna_utf8_valid(text, strlen(text)) ||
        strchr(text, '\n'))
        abort();
}

/* Calls are of a tool there is, with strict JSON for arguments, also after they
 * were mended. */
static void check_calls(const char *text, etna_arena *arena)
{
    uint32_t tool_count = 0, count = 0;
    const model_tool *tools = tools_list(TOOLS_VISUAL, &tool_count);
    model_part *calls = NULL, written = {.kind = MODEL_TOOL_CALL,
                                         .tool_name = "ray_probe",
                                         .text = text};
    picture_scale scale = {.width = 1024, .height = 768};
    if (spoken_calls(text, tool_count, tools, arena, &calls, &count, NULL) !=
        ETNA_OK)
        abort();
    if (count > SPOKEN_CALLS_MAX)
        abort();
    for (uint32_t i = 0; i < count; i++) {
        if (calls[i].text[0] != '{' || !calls[i].tool_name[0])
            abort();
        if (arguments_mend(&calls[i], tool_count, tools, &scale, arena, NULL) !=
            ETNA_OK)
            abort();
    }
    if (arguments_mend(&written, tool_count, tools, &scale, arena, NULL) !=
        ETNA_OK)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    etna_arena arena = ETNA_ARENA_INIT;
    const char *text = etna_arena_strndup(&arena, (const char *)data, size);
    planner_result plan;
    executor_result constraints;
    evaluator_result verdict;
    judge_result scores;
    if (!text)
        abort();
    if (planner_read(text, NULL, &arena, &plan, NULL) == ETNA_OK) {
        check_text(plan.instruction, ARRANGE_INSTRUCTION_MAX);
        check_text(plan.reason, ARRANGE_REASON_MAX);
        if (plan.status == PLAN_EDIT &&
            !(plan.coordinate[0] >= 0 && plan.coordinate[1] <= 1))
            abort();
    }
    if (executor_read(text, NULL, &arena, &constraints, NULL) == ETNA_OK) {
        if (!constraints.object || !constraints.plane ||
            constraints.constraints[0] != '[')
            abort();
    }
    if (evaluator_read(text, &arena, &verdict, NULL) == ETNA_OK) {
        check_text(verdict.text, ARRANGE_REASON_MAX);
        if (verdict.verdict < VERDICT_TERRIBLE ||
            verdict.verdict > VERDICT_EXCELLENT)
            abort();
    }
    check_calls(text, &arena);
    if (judge_read(text, 2, &arena, &scores, NULL) == ETNA_OK)
        check_text(scores.steps[1].justification, ARRANGE_REASON_MAX);
    etna_arena_free(&arena);
    return 0;
}

void fuzz_seeds(void (*add)(const void *data, size_t size))
{
    static const char plan[] =
        "Prose.\n[updated_instruction]\nPut A on B.\n[end of updated_instruction]\n"
        "[coordinate]\nThe bottom at [0.52, 0.56].\n[end of coordinate]";
    static const char constraints[] =
        "[constraints]\n[\"ObjectName\", \"Cup\"],\n[\"CloseToPix\", \"down\", [0.5, 0.5]],\n"
        "[\"Contact\", \"down\", \"Desk_118\"],\n[\"NoOverhang\", \"down\", \"Desk_118\", \"full_only\"],\n"
        "[\"Distance\", \"Lamp\", 0.3],\n[\"FaceTo\", \"camera\"],\n[\"Rotate\", 90]\n"
        "[end of constraints]\n<completion>";
    static const char evaluation[] =
        "[evaluation]\nvisual_exam: On the table.\nverdict: good\n[end of evaluation]";
    static const char scores[] =
        "{\"0\": {\"correctness\": \"good\", \"plausibility\": \"bad\", \"justification\": \"x\"}, "
        "\"1\": {\"correctness\": \"fair\", \"plausibility\": \"excellent\", \"justification\": \"y\"}}";
    static const char sloppy[] =
        "<think>no</think>**[CONSTRAINTS]**\n```json\n{'constraints': [ObjectName(\"Cup\"), # it\n"
        "- [\"CloseToPix\", \"bottom\", {\"x\": \"52%\", \"y\": '56%'}],], Contact: down, Desk_118}\n```\n[/constraints]";
    static const char spoken[] =
        "<tool_call>\n<function=ray_probe>\n<parameter=coord_list>[[520 560]]</parameter>\n"
        "{\"name\": \"list_all_object_in_view\", \"arguments\": \"{'interested_area': [0,0,1,1]}\"}";
    static const char heads[] =
        "<constraints>\n- type: ObjectName\n  name: Cup\n  reason: \"it moves\"\n<Contact>\n<face>down</face><plane>P_1</plane>\n"
        "</Contact>\n(CloseToPix \\text{down} [0,5; 0,25] 30 cm) - so\nNoOverhang | down P_1 | full_only\n</constraints>";
    static const char places[] =
        "=== updated_instruction ===\n| Put A on B. |\n[coordinate]\nx = 0,52; y: 0,56 (52/100 +/- 0.01) <point "
        "x=\"52\" y=\"56\">\xe5\xba\x95</point>\n[end of coordinate]";
    static const char rated[] =
        "[verdict] \\boxed{excelent}\n\xe7\xbb\x93\xe8\xae\xba\xef\xbc\x9a\xe4\xbc\x98\xe7\xa7\x80\nI rate it **bad**.";
    static const char *const seeds[] = {plan,
                                        constraints,
                                        evaluation,
                                        scores,
                                        sloppy,
                                        spoken,
                                        heads,
                                        places,
                                        rated,
                                        "Done. <finished>",
                                        "No room.\n\nNone.\n<impossible>",
                                        "<unreadable>"};
    for (size_t i = 0; i < sizeof seeds / sizeof seeds[0]; i++)
        add(seeds[i], strlen(seeds[i]));
}
