/* Answers of models, good, sloppy and malformed, for every role: what is read,
 * or which complaint goes back. The first rows of a table are as the prompts
 * ask, the next say the same in other ways, the last say nothing or two
 * things. */
#include "worker/agents/evaluator.h"
#include "worker/agents/executor.h"
#include "worker/agents/judge.h"
#include "worker/agents/planner.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define INSTRUCTION(text) \
    "[updated_instruction]\n" text "\n[end of updated_instruction]\n"
#define COORDINATE(text) "[coordinate]\n" text "\n[end of coordinate]\n"
#define GOOD_COORDINATE \
    COORDINATE("The bottom of the object should be around [0.52, 0.56].")

/* `want`: "edit x y bottom|center instruction", a status' name and its reason,
 * or "! part of the complaint". */
static const struct {
    const char *text, *want;
} plans[] = {
    /* further places keep their lines, a sentence that is broken over two does
     * not */
    {"[updated_instruction]\nPut \"A\" on \"B\" at (1, 2, 3)\nor on \"C\" at (4, 5, 6).\n[end of updated_instruction]\n"
     "[coordinate]\nThe bottom of the object should be around [0.5, 0.5].\n[end of coordinate]\n",
     "edit 0.5 0.5 bottom Put \"A\" on \"B\" at (1, 2, 3)\nor on \"C\" at (4, 5, 6)."},
    {"[updated_instruction]\nPut the cup\n  on the table.\n[end of updated_instruction]\n"
     "[coordinate]\nThe bottom of the object should be around [0.5, 0.5].\n[end of coordinate]\n",
     "edit 0.5 0.5 bottom Put the cup on the table."},
    {"Prose.\n" INSTRUCTION("Put A on B.") GOOD_COORDINATE "More prose.",
     "edit 0.52 0.56 bottom Put A on B."},
    {INSTRUCTION("Put A on B.") COORDINATE("center at (0.1, .25)"),
     "edit 0.1 0.25 center Put A on B."},
    {INSTRUCTION("  Put \t A\n on B. ") COORDINATE("The Centre: [0,1]"),
     "edit 0 1 center Put A on B."},
    {"All is well. <finished>", "finished All is well."},
    {"One.\n\nThere is no room.\n<impossible>\n",
     "impossible There is no room."},
    {"<unreadable>", "unreadable "},
    {"", "! no [updated_instruction] block"},
    {"Put A on B at [0.5, 0.5].", "! no [updated_instruction] block"},
    {INSTRUCTION("Put A on B."), "! no [coordinate] block"},
    {"[updated_instruction]\nPut A on", "! cut off"},
    {INSTRUCTION("a") INSTRUCTION("b") GOOD_COORDINATE,
     "edit 0.52 0.56 bottom b"},
    {INSTRUCTION("a") COORDINATE("bottom [0.1, 0.2]") INSTRUCTION("b"),
     "! no [coordinate] block"},
    {"I will now write the [updated_instruction] block.\n" INSTRUCTION(
         "Put A on B.") GOOD_COORDINATE,
     "edit 0.52 0.56 bottom Put A on B."},
    {INSTRUCTION("Put A on B.") GOOD_COORDINATE
     "As asked, [updated_instruction] and [end of updated_instruction] are there.",
     "edit 0.52 0.56 bottom Put A on B."},
    {"**[UPDATED INSTRUCTION]**\r\n**Put A on B.**\r\n**[/updated_instruction]**\r\n### [Coordinate]\r\n"
     "The **bottom** at (x: 0.52, y: 0.56)\r\n### [END OF COORDINATE]",
     "edit 0.52 0.56 bottom Put A on B."},
    {"<updated_instruction>Put A on B.</updated_instruction>\n<coordinate>bottom: 52%, 56%</coordinate>",
     "edit 0.52 0.56 bottom Put A on B."},
    {"\\[updated\\_instruction\\]\n\"Put A on B.\"\n\\[end\\_of\\_updated\\_instruction\\]\n" GOOD_COORDINATE,
     "edit 0.52 0.56 bottom Put A on B."},
    {"\u3010updated_instruction\u3011\nPut \u201cA\u201d on B.\n\u3010end_of_updated_instruction\u3011\n" COORDINATE(
         "bottom \uff3b\uff10\uff0e\uff15\uff12\uff0c\u00a00.56\uff3d"),
     "edit 0.52 0.56 bottom Put \u201cA\u201d on B."},
    {"**Updated instruction:** Put A on B.\n**Coordinate:** The bottom of the object at [0.52 0.56].",
     "edit 0.52 0.56 bottom Put A on B."},
    {INSTRUCTION(
         "Put A on B.") "The bottom of the object should be around [0.52, 0.56].",
     "edit 0.52 0.56 bottom Put A on B."},
    {"```json\n{\"updated_instruction\": \"Put A on B.\", \"coordinate\": {\"x\": \"0.52\", \"y\": 0.56}, \"anchor\": \"bottom\"}\n```",
     "edit 0.52 0.56 bottom Put A on B."},
    {"<think>" INSTRUCTION("no") COORDINATE(
         "center [0, 0]") "</think>" INSTRUCTION("Put A on B.") GOOD_COORDINATE,
     "edit 0.52 0.56 bottom Put A on B."},
    {"It is not <finished> yet.\n" INSTRUCTION("Put A on B.") GOOD_COORDINATE,
     "edit 0.52 0.56 bottom Put A on B."},
    {INSTRUCTION("Put A on B.")
         COORDINATE("bottom center of the object: [0.52, 0.56]"),
     "edit 0.52 0.56 bottom Put A on B."},
    {INSTRUCTION("a") COORDINATE("bottom [900, 990]"),
     "edit 0.9 0.99 bottom a"},
    {INSTRUCTION("a") COORDINATE("bottom [520, 560]"),
     "! could be thousandths or pixels"},
    {INSTRUCTION("a") COORDINATE(
         "bottom: 52 percent from the left, 56 percent from the top"),
     "edit 0.52 0.56 bottom a"},
    {INSTRUCTION("a")
         COORDINATE("the bottom at 0.52 of the width and 0.56 of the height"),
     "edit 0.52 0.56 bottom a"},
    {INSTRUCTION("a") COORDINATE("bottom of 1 bottle at 0.52"),
     "! coordinates"},
    {INSTRUCTION("\"Put \"A\" on \"B\".\"") GOOD_COORDINATE,
     "edit 0.52 0.56 bottom Put \"A\" on \"B\"."},
    {INSTRUCTION("A") COORDINATE("The bottom should be around x=0.52, y=0.56."),
     "edit 0.52 0.56 bottom A"},
    {INSTRUCTION("A") COORDINATE("The bottom should be around 0.52, 0.56."),
     "edit 0.52 0.56 bottom A"},
    {INSTRUCTION("\"A\" goes on \"B\"") GOOD_COORDINATE,
     "edit 0.52 0.56 bottom \"A\" goes on \"B\""},
    {"All is well.\n\n**[Finished]**", "finished All is well."},
    {"All is well.\n\nFinished.", "finished All is well."},
    {"My plan is as follows.\n<answer>\n" INSTRUCTION("Put A on B.")
         GOOD_COORDINATE "</answer>",
     "edit 0.52 0.56 bottom Put A on B."},
    {"\\boxed{\n" INSTRUCTION("Put A on B.") GOOD_COORDINATE "}",
     "edit 0.52 0.56 bottom Put A on B."},
    {INSTRUCTION("Put A on B.")
         COORDINATE("<|box_start|>(520,560)<|box_end|> bottom of the object"),
     "! could be thousandths or pixels"},
    {INSTRUCTION("Put A on B.")
         COORDINATE("{\"point_2d\": [0.52, 0.56], \"label\": \"bottom\"}"),
     "edit 0.52 0.56 bottom Put A on B."},
    {INSTRUCTION("Put A on B.") COORDINATE(
         "<point x=\"0.52\" y=\"0.56\" alt=\"bottom\">bottom</point>"),
     "edit 0.52 0.56 bottom Put A on B."},
    {"| part | value |\n|---|---|\n\n" INSTRUCTION("Put A on B.")
         COORDINATE("| bottom | [0.52, 0.56] |"),
     "edit 0.52 0.56 bottom Put A on B."},
    {INSTRUCTION("Put A on B.")
         COORDINATE("bottom: [0.52,\u00a00.56] (approximately)"),
     "edit 0.52 0.56 bottom Put A on B."},
    {"$$\\text{Final}$$\n" INSTRUCTION("Put A on B.")
         COORDINATE("The bottom should be at $[0.52, 0.56]$."),
     "edit 0.52 0.56 bottom Put A on B."},
    {"It is not <finished> yet.", "! no [updated_instruction] block"},
    {"[end of updated_instruction] a [updated_instruction]" GOOD_COORDINATE,
     "! no [updated_instruction] block"},
    {INSTRUCTION(" \n ") GOOD_COORDINATE, "! no [updated_instruction] block"},
    {INSTRUCTION("a") COORDINATE("bottom"), "! holds 0 coordinates"},
    {INSTRUCTION("a") COORDINATE("bottom [0.1, 0.2] or [0.3, 0.4]"),
     "! holds 2 coordinates"},
    {INSTRUCTION("a") COORDINATE("bottom [NaN, 0.2]"), "! holds 0 coordinates"},
    {INSTRUCTION("a") COORDINATE("bottom [inf, 0.2]"), "! holds 0 coordinates"},
    {INSTRUCTION("a") COORDINATE("bottom [1e-1, 0.2]"),
     "! holds 0 coordinates"},
    {INSTRUCTION("a") COORDINATE("bottom [0x1p-1, 0.2]"),
     "! holds 0 coordinates"},
    {INSTRUCTION("a") COORDINATE("bottom [0.1, 0.2, 0.3]"),
     "! holds 0 coordinates"},
    {INSTRUCTION("a") COORDINATE("bottom [0.1, 1.2]"), "! y is 1.2"},
    {INSTRUCTION("a") COORDINATE("bottom [-0.1, 0.2]"), "! x is -0.1"},
    {INSTRUCTION("a") COORDINATE(
         "bottom [11111111111111111111111111111111111111111111111111, 0.2]"),
     "! holds 0 coordinates"},
    {INSTRUCTION("a") COORDINATE("[0.1, 0.2]"), "! center or its bottom"},
    {INSTRUCTION("a") COORDINATE("bottom or center [0.1, 0.2]"), "! not both"},
    {INSTRUCTION("a") COORDINATE("bottomless [0.1, 0.2]"),
     "! center or its bottom"},
    {"<finished> <impossible>", "! 2 verdicts"},
    {"<finished>\n<finished>", "finished <finished>"},
    {"<finished>\n" INSTRUCTION("a") GOOD_COORDINATE, "! a verdict and a plan"},
    {INSTRUCTION(" <finished>\n") GOOD_COORDINATE, "! a verdict and a plan"},
    {"All is well.\n" INSTRUCTION(" <finished>\n"), "finished All is well."},
    {INSTRUCTION("<impossible>") COORDINATE("N/A"), "impossible "},
    {"All is well. FINISHED \xe2\x9c\x85", "finished "},
    {"Is all well? Finished?", "! no [updated_instruction] block"},
    {"{\"name\": \"finished\", \"arguments\": {}}", "finished "},
    {"No edit is left. <impossible reason=\"no edits\"/>",
     "impossible No edit is left."},
    {"<impossible>" INSTRUCTION("Move the <finished> block") GOOD_COORDINATE,
     "! a verdict and a plan"},
    {INSTRUCTION("Move the <finished> block") GOOD_COORDINATE,
     "edit 0.52 0.56 bottom Move the <finished> block"},
};

static const char *status_name(arrange_plan_status status)
{
    static const char *const names[] = {
        "", "edit", "finished", "impossible", "unreadable", "malformed"};
    return names[status];
}

static bool complains(etna_code code, const etna_error *err, const char *want)
{
    return want[0] == '!' && code == ETNA_E_INPUT &&
           strstr(err->text, want + 2);
}

static void plans_are_read_for_what_they_say(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof plans / sizeof plans[0]; i++) {
        etna_arena arena = ETNA_ARENA_INIT;
        planner_result result = {.status = (arrange_plan_status)99};
        picture_scale known = {.width = 1024, .height = 768};
        etna_error err = {0};
        etna_code code =
            planner_read(plans[i].text, &known, &arena, &result, &err);
        char got[400] = "";
        if (code == ETNA_OK && result.status == PLAN_EDIT) {
            snprintf(got, sizeof got, "edit %g %g %s %s", result.coordinate[0],
                     result.coordinate[1],
                     result.coordinate_is_bottom ? "bottom" : "center",
                     result.instruction);
        } else if (code == ETNA_OK) {
            snprintf(got, sizeof got, "%s %s", status_name(result.status),
                     result.reason);
        }
        if (!complains(code, &err, plans[i].want) &&
            strcmp(got, plans[i].want) != 0) {
            fail_msg("case %zu: wanted \"%s\", got \"%s\" %s", i, plans[i].want,
                     got, err.text);
        }
        if (code != ETNA_OK)
            assert_int_equal(result.status, 99);
        etna_arena_free(&arena);
    }
}

#define ITEM(text) "[list_item]\n" text "\n[end of list_item]\n"
#define REFUSAL(text) "[refusal]\n" text "\n[end of refusal]\n"
#define GOOD_PLAN INSTRUCTION("Put A on B.") GOOD_COORDINATE

/* `want`: item, code, from-to, what|where|do; reason. A plan is read whatever
 * is wrong with what stands beside it. */
static const struct {
    const char *text, *want;
} besides[] = {
    {GOOD_PLAN, "0 none 0-0 || ;"},
    {ITEM("3") GOOD_PLAN, "3 none 0-0 || ;"},
    {ITEM(" 256 ") GOOD_PLAN, "256 none 0-0 || ;"},
    {ITEM("257") GOOD_PLAN, "0 none 0-0 || ;"},
    {ITEM("0") GOOD_PLAN, "0 none 0-0 || ;"},
    {ITEM("-1") GOOD_PLAN, "0 none 0-0 || ;"},
    {ITEM("1.5") GOOD_PLAN, "0 none 0-0 || ;"},
    {ITEM("2 3") GOOD_PLAN, "0 none 0-0 || ;"},
    {ITEM("two") GOOD_PLAN, "0 none 0-0 || ;"},
    {ITEM("2") ITEM("3") GOOD_PLAN, "3 none 0-0 || ;"},
    {REFUSAL("{\"code\":\"no_place\"}") GOOD_PLAN, "0 none 0-0 || ;"},
    {"It is full.\n\n" REFUSAL(
         "{\"code\":\"no_place\",\"what\":\"no room\",\"where\":\"table\",\"do\":\"clear it\","
         "\"span\":[4,9]}") "<impossible>",
     "0 no_place 4-9 no room|table|clear it;It is full."},
    {ITEM("2") REFUSAL(
         "{\"code\":\"unread\",\"what\":\"\\u0007 sofa\"}") "<unreadable>",
     "2 unread 0-0 sofa||;sofa"},
    {"Why.\n" REFUSAL("{\"code\":\"ambiguous\",\"span\":[9,4]}") "<unreadable>",
     "0 ambiguous 0-0 Why.||;Why."},
    {REFUSAL(
         "{\"code\":\"unknown\",\"span\":[-1,4],\"what\":7}") "<unreadable>",
     "0 unknown 0-0 ||;"},
    {REFUSAL("{\"code\":\"unknown\",\"span\":[1,99999999999]}") "<unreadable>",
     "0 unknown 0-0 ||;"},
    {REFUSAL("{\"code\":\"unknown\",\"span\":[1]}") "<unreadable>",
     "0 unknown 0-0 ||;"},
    {REFUSAL("{\"code\":\"limit\"}") "<unreadable>", "0 none 0-0 || ;"},
    {REFUSAL("{\"code\":3}") "<unreadable>", "0 none 0-0 || ;"},
    {REFUSAL("[\"unread\"]") "<unreadable>", "0 none 0-0 || ;"},
    {REFUSAL("{\"code\":\"unread\"") "<unreadable>", "0 none 0-0 || ;"},
    {REFUSAL("{\"code\":\"unread\",\"code\":\"unknown\"}") "<unreadable>",
     "0 none 0-0 || ;"},
};

static void what_stands_beside_a_plan_is_read_or_left(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof besides / sizeof besides[0]; i++) {
        etna_arena arena = ETNA_ARENA_INIT;
        planner_result result;
        assert_int_equal(
            planner_read(besides[i].text, NULL, &arena, &result, NULL),
            ETNA_OK);
        const arrange_refusal *r = &result.refusal;
        char got[400];
        snprintf(got, sizeof got, "%u %s %u-%u %s|%s|%s;%s", result.item,
                 arrange_refusal_name(r->code), r->from, r->to,
                 r->what ? r->what : "", r->where ? r->where : "",
                 r->advice ? r->advice : " ", result.reason);
        if (strcmp(got, besides[i].want) != 0)
            fail_msg("case %zu: wanted \"%s\", got \"%s\"", i, besides[i].want,
                     got);
        etna_arena_free(&arena);
    }
}

static void what_is_not_of_the_task_is_dropped(void **state)
{
    (void)state;
    static const char *const steps[] = {"first", "the second"};
    const arrange_task goal = {.goal = "tidy"},
                       list = {.step_count = 2,
                               .steps = steps,
                               .open_list = true},
                       counted = {.step_count = 2, .steps = steps, .step = 2};
    const struct {
        const arrange_task *task;
        uint32_t item, to, want_item, want_to;
    } cases[] = {{&goal, 0, 4, 0, 4}, {&goal, 0, 5, 0, 0},
                 {&goal, 1, 4, 0, 4}, {&list, 2, 10, 2, 10},
                 {&list, 1, 6, 1, 0}, {&list, 0, 3, 0, 0},
                 {&list, 3, 3, 0, 0}, {&counted, 0, 10, 0, 10}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        planner_result result = {
            .item = cases[i].item,
            .refusal = {.code = REFUSAL_UNREAD, .to = cases[i].to}};
        planner_fit(cases[i].task, &result);
        assert_int_equal(result.item, cases[i].want_item);
        assert_int_equal(result.refusal.item, cases[i].want_item);
        assert_int_equal(result.refusal.to, cases[i].want_to);
    }
}

#define BLOCK(text) \
    "[constraints]\n" text "\n[end of constraints]\n<completion>"
#define NAME "[\"ObjectName\", \"Cup\"],\n"
#define PIX "[\"CloseToPix\", \"down\", [0.5, 0.25]],\n"

#define READ "[[\"ObjectName\",\"Cup\"],[\"CloseToPix\",\"down\",[0.5,0.25]]]"

static const struct {
    /* a part of the compact JSON, or "! part of the complaint" */
    const char *text, *want;
} blocks[] = {
    {"So:\n" BLOCK(NAME PIX "[\"Contact\", \"down\", \"Desk_1\"]"),
     "[[\"ObjectName\",\"Cup\"],[\"CloseToPix\",\"down\",[0.5,0.25]],[\"Contact\",\"down\",\"Desk_1\"]]"},
    {BLOCK(NAME PIX),
     "[[\"ObjectName\",\"Cup\"],[\"CloseToPix\",\"down\",[0.5,0.25]]]"},
    {BLOCK("[" NAME "[\"CloseToPix\", \"down\", [0.5, 0.25]]]"),
     "[[\"ObjectName\",\"Cup\"],[\"CloseToPix\",\"down\",[0.5,0.25]]]"},
    {BLOCK("[[\"ObjectName\", \"Cup\"]," PIX "]"),
     "[[\"ObjectName\",\"Cup\"],[\"CloseToPix\",\"down\",[0.5,0.25]]]"},
    {"", "! no [constraints] block"},
    {"[constraints]\n" NAME PIX, "! cut off"},
    {"[constraints]\n" NAME PIX "[end of constraints]", READ},
    {"[constraints]\n" NAME PIX "<completion>", READ},
    {BLOCK("['ObjectName', 'Tea']" PIX) "\nNo:\n" BLOCK(NAME PIX), READ},
    {BLOCK("ObjectName(\"Cup\")\nCloseToPix(\"down\", (0.5, 0.25))"), READ},
    {BLOCK(
         "- ['ObjectName', 'Cup']  # it moves\n- ['CloseToPix', 'down', [0.5, 0.25],],"),
     READ},
    {BLOCK(
         "```json\n{\"constraints\": [[\"ObjectName\", \"Cup\"], [\"close_to_pix\", \"Bottom\", [\"0.5\", \"25%\"]]]}\n```"),
     "! "},
    {BLOCK(
         "```json\n{\"constraints\": [[\"ObjectName\", \"Cup\"], [\"close_to_pix\", \"Bottom\", [\"50%\", \"25%\"]]]}\n```"),
     READ},
    {BLOCK(
         "{\"ObjectName\": \"Cup\", \"CloseToPix\": [\"down\", {\"x\": 0.5, \"y\": 0.25}]}"),
     READ},
    {BLOCK(
         "[{\"type\": \"ObjectName\", \"object\": \"Cup\"}, {\"type\": \"CloseToPix\", \"face\": \"down\", \"point\": [0.5, 0.25]}]"),
     READ},
    {BLOCK("ObjectName: Cup\nCloseToPix: down, [0.5, 0.25]"), READ},
    {BLOCK(
         "These are they:\n1. [\u201cObjectName\u201d, \u201cCup\u201d]\n2. [\u201cCloseToPix\u201d, \u201cdown\u201d, [0.5, 0.25]]"),
     READ},
    {"So:\n```json\n[" NAME "[\"CloseToPix\", \"down\", [0.5, 0.25]]]\n```",
     READ},
    {BLOCK(NAME "[\"CloseToPix\", \"down\", [500, 900]]"),
     "[[\"ObjectName\",\"Cup\"],[\"CloseToPix\",\"down\",[0.5,0.9"},
    {BLOCK(NAME PIX "[\"Distance\", \"Lamp\", \"30 cm\"]"),
     "[\"Distance\",\"Lamp\",0.2"},
    {BLOCK(NAME PIX "[\"Rotate\", 90 degrees]"), "[\"Rotate\",90"},
    {BLOCK(
         "[\"ObjectName\", \"Cup\"],\\n[\"CloseToPix\", \"down\", [0.5, 0.25]]"),
     READ},
    {BLOCK(
         "/* the cup */ [\"ObjectName\", \"Cup\"], // moves\n[\"CloseToPix\", \"down\", [.50, .25]]"),
     READ},
    {BLOCK(
         "```python\nconstraints = [\n    (\"ObjectName\", \"Cup\"),\n    (\"CloseToPix\", \"down\", (0.5, 0.25)),\n]\n```"),
     READ},
    {BLOCK(
         "[{\"name\": \"ObjectName\", \"args\": [\"Cup\"]}, {\"name\": \"CloseToPix\", \"args\": [\"down\", [0.5, 0.25]]}]"),
     READ},
    {BLOCK(
         "{\"constraints\": [{\"ObjectName\": [\"Cup\"]}, {\"CloseToPix\": [\"down\", [0.5, 0.25]]}]}"),
     READ},
    {"<answer>" BLOCK(NAME PIX) "</answer>", READ},
    {BLOCK(NAME PIX "..."), "! dots stand for"},
    {BLOCK(NAME PIX "[\"Contact\", \"down\", \"upward\", \"P\"]"), "! Contact"},
    {BLOCK("[\"ObjectName\", \"Cup\"], [\"CloseToPix\", \"down\", [0.5, 0.25"),
     READ}, /* it ended its block itself */
    {"[constraints]\n" NAME "[\"CloseToPix\", \"down\", [0.5, 0.25]],",
     "! cut off"},
    {BLOCK(""), "! "},
    {BLOCK("ObjectName(\"Cup\")"), "! CloseToPix"},
    {BLOCK(NAME PIX "[\"Contact\", \"down\""), "! not a list of JSON arrays"},
    {BLOCK(NAME "[\"CloseToPix\", \"down\", [NaN, 0.5]]"), "! CloseToPix"},
    {BLOCK(NAME "[\"CloseToPix\", \"down\", [1e999, 0.5]]"), "! CloseToPix"},
    {BLOCK(NAME "[\"CloseToPix\", \"down\", [2, 0.5]]"), "! "},
    {BLOCK(NAME "[\"CloseToPix\", \"down\", \"0.5, 0.25\"]"), READ},
    {BLOCK(PIX), "! ObjectName"},
    {BLOCK(NAME "[\"ObjectName\", \"Pot\"]," PIX), "! ObjectName"},
    {BLOCK(NAME NAME PIX), READ}, /* the very same, said twice */
    {BLOCK(
         "[\"ObjectNameConstraint\", \"Cup\"], [\"CloseToPixConstraint\", \"down\", [0.5, 0.25]]"),
     READ},
    {BLOCK(
         "<ul><li>[\"ObjectName\", \"Cup\"]</li><li>[\"CloseToPix\", \"down\", [0.5, 0.25]]</li></ul>"),
     READ},
    {BLOCK(NAME "<br>\n" PIX "<br/>"), READ},
    {BLOCK("$$\n" NAME PIX "\n$$"), READ},
    {"{\"thought\": \"It fits.\", \"constraints\": [[\"ObjectName\", \"Cup\"], [\"CloseToPix\", \"down\", [0.5, 0.25]]], "
     "\"completion\": true}",
     READ},
    {"```json\n{\"constraints\": \"[\\\"ObjectName\\\", \\\"Cup\\\"], [\\\"CloseToPix\\\", \\\"down\\\", [0.5, 0.25]]\"}\n```",
     READ},
    {BLOCK(NAME "[\"Place\", {\"x\": 1, \"y\": 2, \"z\": 3}, 0.05]"),
     "[\"Place\",[1,2,3],0.0"},
    {BLOCK(NAME "Place(1, 2, 3)"), "[\"Place\",[1,2,3]]"},
    {BLOCK(NAME "[\"Place\", [1, 2], 3]"), "! [x, y, z]"},
    {BLOCK(NAME PIX "[\"Contact\", \"bottom face\", \"Desk_1\"]"),
     "[\"Contact\",\"down\",\"Desk_1\"]"},
    {BLOCK(NAME), "! CloseToPix"},
    {BLOCK(NAME PIX "[\"Teleport\", \"Desk\"]"), "! Teleport"},
    {BLOCK(NAME PIX "{\"Contact\": 1}"), "! "},
};

static void constraint_blocks_are_read_for_what_they_say(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        etna_arena arena = ETNA_ARENA_INIT;
        executor_result result = {0};
        etna_error err = {0};
        etna_code code =
            executor_read(blocks[i].text, NULL, &arena, &result, &err);
        bool right = code == ETNA_OK
                         ? strstr(result.constraints, blocks[i].want) != NULL
                         : complains(code, &err, blocks[i].want);
        if (!right)
            fail_msg("case %zu: wanted \"%s\", got \"%s\" %s", i,
                     blocks[i].want, code == ETNA_OK ? result.constraints : "!",
                     err.text);
        if (code == ETNA_OK)
            assert_string_equal(result.object, "Cup");
        if (i == 0)
            assert_string_equal(result.plane, "Desk_1");
        if (i == 1)
            assert_string_equal(result.plane, "");
        etna_arena_free(&arena);
    }
}

static void a_block_of_brackets_does_not_exhaust_the_stack(void **state)
{
    (void)state;
    enum {
        DEPTH = 16000
    };
    char *text = malloc(DEPTH + 100);
    size_t used = (size_t)sprintf(text, "[constraints]");
    memset(text + used, '[', DEPTH);
    sprintf(text + used + DEPTH, "[end of constraints]<completion>");
    etna_arena arena = ETNA_ARENA_INIT;
    executor_result result;
    etna_error err;
    assert_int_equal(executor_read(text, NULL, &arena, &result, &err),
                     ETNA_E_INPUT);
    etna_arena_free(&arena);
    free(text);
}

#define EVALUATION(text) "[evaluation]\n" text "\n[end of evaluation]"

static const struct {
    const char *text, *want; /* "verdict exam" or "! part of the complaint" */
} evaluations[] = {
    {"Well.\n" EVALUATION(
         "visual_exam: It stands on the table.\nverdict: good"),
     "good It stands on the table."},
    {EVALUATION("visual_exam: Two\nlines: of it.\nverdict: **Excellent**."),
     "excellent Two lines: of it."},
    {EVALUATION("Visual_Exam: x\nVerdict: TERRIBLE"), "terrible x"},
    {EVALUATION("visual_exam: x\nverdict: fair\n"), "fair x"},
    {EVALUATION("visual_exam: the verdict is bad\nverdict: bad"),
     "bad the verdict is bad"},
    {"visual_exam: x\nverdict: good", "good x"},
    {"It stands well. My verdict is: good.", "good It stands well. My"},
    {"It stands well.\n\nOverall: excellent", "excellent It stands well."},
    {EVALUATION("visual_exam: x\nverdict: good to excellent"), "! exactly one"},
    {"[evaluation]\nvisual_exam: x\nverdict: good", "good x"},
    {EVALUATION(
         "visual_exam: x\nverdict: Excellent - the object is placed well"),
     "excellent x"},
    {EVALUATION(
         "visual_exam: x\nverdict: excellent, good contact with the table"),
     "excellent x"},
    {EVALUATION("**Visual exam**: x\n**Verdict**: **Good** (about right)"),
     "good x"},
    {"### Visual exam\nx\n\n### Verdict\nFair", "fair x"},
    {"```json\n{\"visual_exam\": \"x\", \"verdict\": \"Bad\"}\n```", "bad x"},
    {"<think>verdict: bad</think>" EVALUATION("visual_exam: x\nverdict: good"),
     "good x"},
    {EVALUATION("visual_exam: y\nverdict: bad") "On second thought:\n" EVALUATION(
         "visual_exam: x\nverdict: good"),
     "good x"},
    {"It stands well.\n\nExcellent.", "excellent It stands well."},
    {EVALUATION("verdict: good"), "good "},
    {"<answer>\n" EVALUATION("visual_exam: x\nverdict: good") "\n</answer>",
     "good x"},
    {EVALUATION("visual_exam: x\n**Final verdict:** `good` \u2705"), "good x"},
    {EVALUATION("visual_exam: x\nverdict: \\boxed{good}"), "good x"},
    {EVALUATION("visual_exam: x\nverdict: Good\nconfidence: 0.9"), "good x"},
    {EVALUATION("visual_exam: x\nverdict = 'good';"), "good x"},
    {EVALUATION("visual_exam: x"), "! 'verdict: ...'"},
    {EVALUATION(
         "visual_exam: x\nverdict: one of excellent, good, fair, bad, terrible"),
     "! the verdict is"},
    {EVALUATION("visual_exam: x\nverdict: good/fair"), "! the verdict is"},
    {EVALUATION("visual_exam: x\nverdict: 5/5"), "! the verdict is"},
    {EVALUATION("visual_exam: x\nverdict: superb"), "! 'superb'"},
    {EVALUATION("visual_exam: x\nverdict: "), "! the verdict is ''"},
    {EVALUATION("visual_exam: x\nverdict: not good"), "! 'not good'"},
    {EVALUATION("visual_exam: x\nverdict: good or bad"), "! 'good or bad'"},
    {EVALUATION("visual_exam: x\nverdict: good\nverdict: bad"),
     "! 'verdict: ...'"},
    {EVALUATION("visual_exam: x\nverdict: abstain"), "! 'abstain'"},
};

static void evaluations_are_read_for_what_they_say(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof evaluations / sizeof evaluations[0]; i++) {
        etna_arena arena = ETNA_ARENA_INIT;
        evaluator_result result = {0};
        etna_error err = {0};
        etna_code code =
            evaluator_read(evaluations[i].text, &arena, &result, &err);
        char got[300] = "";
        if (code == ETNA_OK)
            snprintf(got, sizeof got, "%s %s",
                     arrange_verdict_name(result.verdict), result.text);
        if (!complains(code, &err, evaluations[i].want) &&
            strcmp(got, evaluations[i].want) != 0) {
            fail_msg("case %zu: wanted \"%s\", got \"%s\" %s", i,
                     evaluations[i].want, got, err.text);
        }
        etna_arena_free(&arena);
    }
}

#define ROW(c, p, j) \
    "{\"correctness\": \"" c "\", \"plausibility\": \"" p \
    "\", \"justification\": " j "}"

static const struct {
    const char *text, *want; /* NULL: read; else part of the complaint */
} scores[] = {
    {"```json\n{\"0\": " ROW("good", "excellent", "\"x\"") ", \"1\": " ROW(
         "bad", "fair", "\"y\"") "}\n```",
     NULL},
    {"{\"0\": " ROW("good", "excellent", "\"x\"") "}",
     "scores 1 steps; there are 2"},
    {"{\"0\": " ROW("good", "excellent", "\"x\"") ", \"2\": " ROW(
         "bad", "fair", "\"y\"") "}",
     "under the key \"1\""},
    {"{\"0\": " ROW("good", "superb", "\"x\"") ", \"1\": " ROW(
         "bad", "fair", "\"y\"") "}",
     "step 0: correctness and plausibility"},
    {"{\"0\": " ROW("good", "good", "3") ", \"1\": " ROW(
         "bad", "fair", "\"y\"") "}",
     "step 0: there is no justification"},
    {"{\"0\": 3, \"1\": " ROW("bad", "fair", "\"y\"") "}",
     "under the key \"0\""},
    {"{\"scores\": {\"1\": " ROW(
         "Good - sound", "good", "\"x\"") ", \"2\": " ROW("bad",
                                                          "FAIR",
                                                          "\"y\"") ",}}",
     NULL},
    {"[" ROW("good", "good", "\"x\"") ", " ROW("bad", "fair", "\"y\"") "]",
     NULL},
    {"[1, 2]", "no JSON object"},
    {"}{", "no JSON object"},
    {"{\"0\": ", "no JSON object"},
    {"{\"0\": {}", "no JSON object"},
    {"", "no JSON object"},
};

static void scores_are_read_for_what_they_say(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof scores / sizeof scores[0]; i++) {
        etna_arena arena = ETNA_ARENA_INIT;
        judge_result result = {0};
        etna_error err = {0};
        etna_code code = judge_read(scores[i].text, 2, &arena, &result, &err);
        bool right = scores[i].want ? code == ETNA_E_INPUT &&
                                          strstr(err.text, scores[i].want)
                                    : code == ETNA_OK;
        if (!right)
            fail_msg("case %zu: wanted \"%s\", got %s", i,
                     scores[i].want ? scores[i].want : "scores", err.text);
        if (code == ETNA_OK) {
            assert_int_equal(result.steps[1].plausibility, VERDICT_FAIR);
            assert_string_equal(result.steps[1].justification, "y");
        }
        etna_arena_free(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plans_are_read_for_what_they_say),
        cmocka_unit_test(what_stands_beside_a_plan_is_read_or_left),
        cmocka_unit_test(what_is_not_of_the_task_is_dropped),
        cmocka_unit_test(constraint_blocks_are_read_for_what_they_say),
        cmocka_unit_test(a_block_of_brackets_does_not_exhaust_the_stack),
        cmocka_unit_test(evaluations_are_read_for_what_they_say),
        cmocka_unit_test(scores_are_read_for_what_they_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
