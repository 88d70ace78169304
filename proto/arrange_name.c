/* The default configuration, and names of the arrange method's enums for
 * narrations and reports. Pure, and apart from arrange.c so that the core can
 * link them without the codec. */
#include "proto/arrange.h"
#include "proto/array.h"

#include <string.h>

arrange_config arrange_config_default(void)
{
    return (arrange_config){
        .branches = 4,
        .polls = 3,
        .early_end = EARLY_END_FIRST,
        .anchor = ANCHOR_HALF_ANCHOR,
        .max_steps = 6,
        .max_backtracks = 8,
        .images = true,
        .model = "builtin",
    };
}

static const char *arrange_enum_name(const char *const *names,
                                     uint32_t count,
                                     uint32_t value)
{
    return value < count && names[value] ? names[value] : "unknown";
}

const char *run_state_name(uint32_t state)
{
    static const char *const names[] = {"unknown",  "running", "suspended",
                                        "complete", "partial", "failed",
                                        "cancelled"};
    return arrange_enum_name(names, COUNT_OF(names), state);
}

const char *task_kind_name(uint32_t kind)
{
    static const char *const names[TASK_KIND_COUNT] = {
        [TASK_NONE] = "none",       [TASK_IMPORT] = "import",
        [TASK_PLAN] = "plan",       [TASK_BRANCH] = "branch",
        [TASK_POLL] = "poll",       [TASK_JUDGE] = "judge",
        [TASK_RENDER] = "render",   [TASK_EXPORT] = "export",
        [TASK_READ] = "read",       [TASK_ASSET] = "asset",
        [TASK_FURNISH] = "furnish",
    };
    return arrange_enum_name(names, TASK_KIND_COUNT, kind);
}

const char *arrange_coordinates_name(uint32_t coordinates)
{
    static const char *const names[COORDINATES_COUNT] = {
        [COORDINATES_UNKNOWN] = "unknown",
        [COORDINATES_SHARES] = "shares",
        [COORDINATES_THOUSANDTHS] = "thousandths",
        [COORDINATES_PIXELS] = "pixels",
        [COORDINATES_PERCENT] = "percent",
        [COORDINATES_THOUSANDTHS_Y_FIRST] = "thousandths_y_first",
    };
    return arrange_enum_name(names, COORDINATES_COUNT, coordinates);
}

const char *arrange_refusal_name(uint32_t code)
{
    static const char *const names[REFUSAL_CODE_COUNT] = {
        [REFUSAL_NONE] = "none",
        [REFUSAL_UNREAD] = "unread",
        [REFUSAL_UNKNOWN] = "unknown",
        [REFUSAL_AMBIGUOUS] = "ambiguous",
        [REFUSAL_IMPOSSIBLE] = "impossible",
        [REFUSAL_NO_PLACE] = "no_place",
        [REFUSAL_MODEL] = "model",
        [REFUSAL_LIMIT] = "limit",
        [REFUSAL_INTERNAL] = "internal",
    };
    return arrange_enum_name(names, REFUSAL_CODE_COUNT, code);
}

const char *arrange_ablation_name(uint32_t ablation)
{
    static const char *const names[ABLATION_COUNT] = {
        [ABLATION_NONE] = "none",
        [ABLATION_SINGLE_AGENT] = "single-agent",
        [ABLATION_NO_BACKTRACKING] = "no-backtracking",
        [ABLATION_NO_PLANNER_COORDINATE] = "no-planner-coordinate",
        [ABLATION_NO_TOOL_LIBRARY] = "no-tool-library",
        [ABLATION_NO_MCP_TOOLS] = "no-mcp-tools",
        [ABLATION_BASIC] = "basic",
        [ABLATION_BASIC_3] = "basic-3",
    };
    return arrange_enum_name(names, ABLATION_COUNT, ablation);
}

const char *arrange_obstacle_name(uint32_t kind)
{
    static const char *const names[OBSTACLE_KIND_COUNT] = {
        [OBSTACLE_NONE] = "none",         [OBSTACLE_CONSTRAINT] = "constraint",
        [OBSTACLE_TOO_WIDE] = "too_wide", [OBSTACLE_EDGE] = "edge",
        [OBSTACLE_TAKEN] = "taken",       [OBSTACLE_UNSTEADY] = "unsteady",
        [OBSTACLE_BURDEN] = "burden",     [OBSTACLE_UNREACHED] = "unreached",
    };
    return arrange_enum_name(names, OBSTACLE_KIND_COUNT, kind);
}

const char *arrange_verdict_name(uint32_t verdict)
{
    static const char *const names[] = {"abstain", "terrible", "bad",
                                        "fair",    "good",     "excellent"};
    return arrange_enum_name(names, COUNT_OF(names), verdict);
}

const char *arrange_branch_status_name(uint32_t status)
{
    static const char *const names[] = {
        [BRANCH_VALID] = "valid",       [BRANCH_MALFORMED] = "malformed",
        [BRANCH_UNSOLVED] = "unsolved", [BRANCH_COLLISION] = "collision",
        [BRANCH_FLOATING] = "floating", [BRANCH_REPEATED] = "repeated",
    };
    return arrange_enum_name(names, COUNT_OF(names), status);
}
