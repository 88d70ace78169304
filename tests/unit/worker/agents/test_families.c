/* How families of models write what the prompts ask: languages, formats and
 * templates of their own. Beside each a person sees what is meant, and so it is
 * read; of the unsure ones nobody does, and nothing is made of them. */
#include "worker/agents/evaluator.h"
#include "worker/agents/executor.h"
#include "worker/agents/planner.h"
#include "worker/agents/spoken.h"
#include "worker/agents/tools.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define ROWS \
    "[[\"ObjectName\",\"Cup\"],[\"CloseToPix\",\"down\",[0.5,0.25]],[\"Contact\",\"down\",\"Desk_1\"]," \
    "[\"NoOverhang\",\"down\",\"Desk_1\",\"full_only\"]]"
#define INSTRUCTION "Put the Red Bottle on the front part of the Yellow Block."

typedef struct written {
    const char *name, *text;
} written;

static const written rows[] = {
    {"german_end",
     "[constraints]\n[\"ObjectName\", \"Cup\"],\n[\"CloseToPix\", \"down\", [0.5, 0.25]],\n[\"Contact\", \"down\", \"Desk_1\"],\n[\"NoOverhang\", \"down\", \"Desk_1\", \"full_only\"]\n[Ende von constraints]\n<completion>"},
    {"french_end",
     "[constraints]\n[\"ObjectName\", \"Cup\"],\n[\"CloseToPix\", \"down\", [0.5, 0.25]],\n[\"Contact\", \"down\", \"Desk_1\"],\n[\"NoOverhang\", \"down\", \"Desk_1\", \"full_only\"]\n[fin de constraints]\n<completion>"},
    {"missing_shut",
     "[constraints]\n[\"ObjectName\", \"Cup\"],\n[\"CloseToPix\", \"down\", [0.5, 0.25]],\n[\"Contact\", \"down\", \"Desk_1\"],\n[\"NoOverhang\", \"down\", \"Desk_1\", \"full_only\"]\n[end of constraints\n<completion>"},
    {"typo_end",
     "[constraints]\n[\"ObjectName\", \"Cup\"],\n[\"CloseToPix\", \"down\", [0.5, 0.25]],\n[\"Contact\", \"down\", \"Desk_1\"],\n[\"NoOverhang\", \"down\", \"Desk_1\", \"full_only\"]\n[end of constrain]\n<completion>"},
    {"eoc",
     "[constraints]\n[\"ObjectName\", \"Cup\"],\n[\"CloseToPix\", \"down\", [0.5, 0.25]],\n[\"Contact\", \"down\", \"Desk_1\"],\n[\"NoOverhang\", \"down\", \"Desk_1\", \"full_only\"]\n[EOC]\n<completion>"},
    {"pipe_marks",
     "<|constraints|>\n[\"ObjectName\", \"Cup\"],\n[\"CloseToPix\", \"down\", [0.5, 0.25]],\n[\"Contact\", \"down\", \"Desk_1\"],\n[\"NoOverhang\", \"down\", \"Desk_1\", \"full_only\"]\n<|end of constraints|>\n<completion>"},
    {"at_marks",
     "@constraints\n[\"ObjectName\", \"Cup\"],\n[\"CloseToPix\", \"down\", [0.5, 0.25]],\n[\"Contact\", \"down\", \"Desk_1\"],\n[\"NoOverhang\", \"down\", \"Desk_1\", \"full_only\"]\n@end\n<completion>"},
    {"paren_marks",
     "(constraints)\n[\"ObjectName\", \"Cup\"],\n[\"CloseToPix\", \"down\", [0.5, 0.25]],\n[\"Contact\", \"down\", \"Desk_1\"],\n[\"NoOverhang\", \"down\", \"Desk_1\", \"full_only\"]\n(end of constraints)\n<completion>"},
    {"toml",
     "[constraints]\n[[constraint]]\ntype = \"ObjectName\"\nobject = \"Cup\"\n\n[[constraint]]\ntype = \"CloseToPix\"\nface = \"down\"\npoint = [0.5, 0.25]\n\n[[constraint]]\ntype = \"Contact\"\nface = \"down\"\nplane = \"Desk_1\"\n\n[[constraint]]\ntype = \"NoOverhang\"\nface = \"down\"\nplane = \"Desk_1\"\nmode = \"full_only\"\n[end of constraints]\n<completion>"},
    {"solver_add",
     "[constraints]\n```python\nsolver.add(ObjectName(\"Cup\"))\nsolver.add(CloseToPix(\"down\", [0.5, 0.25]))\nsolver.add(Contact(\"down\", \"Desk_1\"))\nsolver.add(NoOverhang(\"down\", \"Desk_1\", \"full_only\"))\n```\n[end of constraints]\n<completion>"},
    {"pt_point_2d",
     "[constraints]\n[\"ObjectName\", \"Cup\"],\n[\"CloseToPix\", \"down\", {\"point_2d\": [500, 250]}],\n[\"Contact\", \"down\", \"Desk_1\"],\n[\"NoOverhang\", \"down\", \"Desk_1\", \"full_only\"]\n[end of constraints]\n<completion>"},
    {"pt_point_tag",
     "[constraints]\n[\"ObjectName\", \"Cup\"],\n[\"CloseToPix\", \"down\", \"<point>500, 250</point>\"],\n[\"Contact\", \"down\", \"Desk_1\"],\n[\"NoOverhang\", \"down\", \"Desk_1\", \"full_only\"]\n[end of constraints]\n<completion>"},
    {"pt_quoted_paren",
     "[constraints]\n[\"ObjectName\", \"Cup\"],\n[\"CloseToPix\", \"down\", \"(500, 250)\"],\n[\"Contact\", \"down\", \"Desk_1\"],\n[\"NoOverhang\", \"down\", \"Desk_1\", \"full_only\"]\n[end of constraints]\n<completion>"},
    {"pt_fractions",
     "[constraints]\n[\"ObjectName\", \"Cup\"],\n[\"CloseToPix\", \"down\", [1/2, 1/4]],\n[\"Contact\", \"down\", \"Desk_1\"],\n[\"NoOverhang\", \"down\", \"Desk_1\", \"full_only\"]\n[end of constraints]\n<completion>"},
    {"pt_over_hundred",
     "[constraints]\n[\"ObjectName\", \"Cup\"],\n[\"CloseToPix\", \"down\", [50/100, 25/100]],\n[\"Contact\", \"down\", \"Desk_1\"],\n[\"NoOverhang\", \"down\", \"Desk_1\", \"full_only\"]\n[end of constraints]\n<completion>"},
    {"pt_approx_sign",
     "[constraints]\n[\"ObjectName\", \"Cup\"],\n[\"CloseToPix\", \"down\", [\u22480.5, \u22480.25]],\n[\"Contact\", \"down\", \"Desk_1\"],\n[\"NoOverhang\", \"down\", \"Desk_1\", \"full_only\"]\n[end of constraints]\n<completion>"},
    {"pt_np",
     "[constraints]\n[\"ObjectName\", \"Cup\"],\n[\"CloseToPix\", \"down\", np.array([0.5, 0.25])],\n[\"Contact\", \"down\", \"Desk_1\"],\n[\"NoOverhang\", \"down\", \"Desk_1\", \"full_only\"]\n[end of constraints]\n<completion>"},
    {"pt_vec",
     "[constraints]\n[\"ObjectName\", \"Cup\"],\n[\"CloseToPix\", \"down\", Vector2(0.5, 0.25)],\n[\"Contact\", \"down\", \"Desk_1\"],\n[\"NoOverhang\", \"down\", \"Desk_1\", \"full_only\"]\n[end of constraints]\n<completion>"},
    {"pt_three",
     "[constraints]\n[\"ObjectName\", \"Cup\"],\n[\"CloseToPix\", \"down\", [0.5, 0.25, 0]],\n[\"Contact\", \"down\", \"Desk_1\"],\n[\"NoOverhang\", \"down\", \"Desk_1\", \"full_only\"]\n[end of constraints]\n<completion>"},
    {"pt_small_box",
     "[constraints]\n[\"ObjectName\", \"Cup\"],\n[\"CloseToPix\", \"down\", {\"bbox_2d\": [498, 248, 502, 252]}],\n[\"Contact\", \"down\", \"Desk_1\"],\n[\"NoOverhang\", \"down\", \"Desk_1\", \"full_only\"]\n[end of constraints]\n<completion>"},
    {"pt_norm_word",
     "[constraints]\n[\"ObjectName\", \"Cup\"],\n[\"CloseToPix\", \"down\", [0.5, 0.25] (normalized)],\n[\"Contact\", \"down\", \"Desk_1\"],\n[\"NoOverhang\", \"down\", \"Desk_1\", \"full_only\"]\n[end of constraints]\n<completion>"},
    {"pt_point_label",
     "[constraints]\n[\"ObjectName\", \"Cup\"],\n[\"CloseToPix\", \"down\", {\"point\": [500, 250], \"label\": \"cup\"}],\n[\"Contact\", \"down\", \"Desk_1\"],\n[\"NoOverhang\", \"down\", \"Desk_1\", \"full_only\"]\n[end of constraints]\n<completion>"},
    {"pt_point_start",
     "[constraints]\n[\"ObjectName\", \"Cup\"],\n[\"CloseToPix\", \"down\", <|point_start|>(500,250)<|point_end|>],\n[\"Contact\", \"down\", \"Desk_1\"],\n[\"NoOverhang\", \"down\", \"Desk_1\", \"full_only\"]\n[end of constraints]\n<completion>"},
    {"pt_thousand_paren",
     "[constraints]\n[\"ObjectName\", \"Cup\"],\n[\"CloseToPix\", \"down\", (500, 250)],\n[\"Contact\", \"down\", \"Desk_1\"],\n[\"NoOverhang\", \"down\", \"Desk_1\", \"full_only\"]\n[end of constraints]\n<completion>"},
    {"enum_words",
     "[constraints]\n[\"ObjectName\", \"Cup\"],\n[\"CloseToPix\", Direction.DOWN, [0.5, 0.25]],\n[\"Contact\", Direction.DOWN, \"Desk_1\"],\n[\"NoOverhang\", Direction.DOWN, \"Desk_1\", OverhangMode.FULL_ONLY]\n[end of constraints]\n<completion>"},
    {"flag",
     "[constraints]\nObjectName(\"Cup\")\nCloseToPix(\"down\", [0.5, 0.25])\nContact(\"down\", \"Desk_1\")\nNoOverhang(\"down\", \"Desk_1\", full_only=True)\n[end of constraints]\n<completion>"},
    {"zh_faces",
     "[constraints]\n[\"ObjectName\", \"Cup\"],\n[\"CloseToPix\", \"\u5e95\u90e8\", [0.5, 0.25]],\n[\"Contact\", \"\u5e95\u90e8\", \"Desk_1\"],\n[\"NoOverhang\", \"\u5e95\u90e8\", \"Desk_1\", \"full_only\"]\n[end of constraints]\n<completion>"},
    {"zh_down", "[constraints]\n[\"ObjectName\", \"Cup\"],\n[\"CloseToPix\", \"\u5411\u4e0b\", [0.5, 0.25]],\n[\"Contact\", \"\u5411\u4e0b\", \"Desk_1\"],\n[\"NoOverhang\", \"\u5411\u4e0b\", \"Desk_1\", \"full_only\"]\n[end of constraints]\n<completion>"},
    {"fr_faces",
     "[constraints]\n[\"ObjectName\", \"Cup\"],\n[\"CloseToPix\", \"bas\", [0.5, 0.25]],\n[\"Contact\", \"bas\", \"Desk_1\"],\n[\"NoOverhang\", \"bas\", \"Desk_1\", \"full_only\"]\n[end of constraints]\n<completion>"},
    {"de_faces",
     "[constraints]\n[\"ObjectName\", \"Cup\"],\n[\"CloseToPix\", \"unten\", [0.5, 0.25]],\n[\"Contact\", \"unten\", \"Desk_1\"],\n[\"NoOverhang\", \"unten\", \"Desk_1\", \"full_only\"]\n[end of constraints]\n<completion>"},
    {"table_na",
     "[constraints]\n| # | Type | Arg 1 | Arg 2 | Arg 3 |\n|:-:|:--|:--|:--|:--|\n| 1 | ObjectName | Cup | N/A | N/A |\n| 2 | CloseToPix | down | (0.5, 0.25) | N/A |\n| 3 | Contact | down | Desk_1 | N/A |\n| 4 | NoOverhang | down | Desk_1 | full_only |\n[end of constraints]\n<completion>"},
    {"plane_call",
     "[constraints]\n[\"ObjectName\", \"Cup\"],\n[\"CloseToPix\", \"down\", [0.5, 0.25]],\n[\"Contact\", \"down\", Plane(\"Desk_1\")],\n[\"NoOverhang\", \"down\", Plane(\"Desk_1\"), \"full_only\"]\n[end of constraints]\n<completion>"},
    {"subject_object",
     "[constraints]\n{\"object\": {\"name\": \"Cup\"}, \"constraints\": [[\"CloseToPix\", \"down\", [0.5, 0.25]], [\"Contact\", \"down\", \"Desk_1\"], [\"NoOverhang\", \"down\", \"Desk_1\", \"full_only\"]]}\n[end of constraints]\n<completion>"},
    {"carried_y_first",
     "{\"response\": \"[constraints]\\n[\\\"ObjectName\\\", \\\"Cup\\\"],\\n[\\\"CloseToPix\\\", \\\"down\\\", {\\\"y\\\": 0.25, \\\"x\\\": 0.5}],\\n[\\\"Contact\\\", \\\"down\\\", \\\"Desk_1\\\"],\\n[\\\"NoOverhang\\\", \\\"down\\\", \\\"Desk_1\\\", \\\"full_only\\\"]\\n[end of constraints]\\n<completion>\"}"},
    {"object_amid",
     "I submit this:\n{\"constraints\": [[\"ObjectName\", \"Cup\"], [\"CloseToPix\", \"down\", [0.5, 0.25]], [\"Contact\", \"down\", \"Desk_1\"], [\"NoOverhang\", \"down\", \"Desk_1\", \"full_only\"]]}\n\nLet me know if you want more!"},
    {"nulls",
     "[constraints]\n[\"ObjectName\", \"Cup\"],\n[\"CloseToPix\", \"down\", [0.5, 0.25]],\n[\"Contact\", \"down\", \"Desk_1\"],\n[\"NoOverhang\", \"down\", \"Desk_1\", \"full_only\"],\n[\"FaceTo\", null],\n[\"BackTo\", \"\"],\n[\"Rotate\", \"none\"],\n[\"Distance\", null, null]\n[end of constraints]\n<completion>"},
    {"bottom_faces",
     "[constraints]\n[\"ObjectName\", \"Cup\"],\n[\"CloseToPix\", \"bottom face\", [0.5, 0.25]],\n[\"Contact\", \"bottom face\", \"Desk_1\"],\n[\"NoOverhang\", \"bottom face\", \"Desk_1\", \"full_only\"]\n[end of constraints]\n<completion>"},
    {"cut_mark",
     "[constraints]\n[\"ObjectName\", \"Cup\"],\n[\"CloseToPix\", \"down\", [0.5, 0.25]],\n[\"Contact\", \"down\", \"Desk_1\"],\n[\"NoOverhang\", \"down\", \"Desk_1\", \"full_only\"]\n[end of constr"},
    {"reasons",
     "[constraints]\n[\"ObjectName\", \"Cup\", \"this is the cup to move\"],\n[\"CloseToPix\", \"down\", [0.5, 0.25]],\n[\"Contact\", \"down\", \"Desk_1\", \"it stands on the desk\"],\n[\"NoOverhang\", \"down\", \"Desk_1\", \"full_only\", \"the desk is large\"]\n[end of constraints]\n<completion>"},
    {"next_turn",
     "[constraints]\n[\"ObjectName\", \"Cup\"],\n[\"CloseToPix\", \"down\", [0.5, 0.25]],\n[\"Contact\", \"down\", \"Desk_1\"],\n[\"NoOverhang\", \"down\", \"Desk_1\", \"full_only\"]\n[end of constraints]\n<completion>\n\nUser: And now the mug?\n\nAssistant: [constraints]\n[\"ObjectName\", \"Mug\"],\n[\"CloseToPix\", \"down\", [0.5, 0.25]],\n[\"Contact\", \"down\", \"Desk_1\"],\n[\"NoOverhang\", \"down\", \"Desk_1\", \"full_only\"]\n[end of constraints]\n<completion>"},
    {"bullet_arrows",
     "[constraints]\n- **ObjectName**: Cup\n- **CloseToPix**: down \u2192 (0.5, 0.25)\n- **Contact**: down \u2194 Desk_1\n- **NoOverhang**: down, Desk_1 (full_only)\n[end of constraints]\n<completion>"},
    {"call_with_object",
     "<tool_call>\n{\"name\": \"place_object\", \"arguments\": {\"object\": \"Cup\", \"constraints\": [[\"CloseToPix\",\"down\",[0.5,0.25]],[\"Contact\",\"down\",\"Desk_1\"],[\"NoOverhang\",\"down\",\"Desk_1\",\"full_only\"]]}}\n</tool_call>"},
    {"python_dump",
     "```python\nimport json\nconstraints = [\n    [\"ObjectName\", \"Cup\"],\n    [\"CloseToPix\", \"down\", [0.5, 0.25]],\n    [\"Contact\", \"down\", \"Desk_1\"],\n    [\"NoOverhang\", \"down\", \"Desk_1\", \"full_only\"],\n]\nprint(json.dumps(constraints))\n```"},
    {"steps_of_prose",
     "1. **Object to move**: Cup \u2192 `[\"ObjectName\", \"Cup\"]`\n2. **Target point** \u2192 `[\"CloseToPix\", \"down\", [0.5, 0.25]]`\n3. **Support** \u2192 `[\"Contact\", \"down\", \"Desk_1\"]`\n4. **Stability** \u2192 `[\"NoOverhang\", \"down\", \"Desk_1\", \"full_only\"]`\n\n<completion>"},
    {"conjunction",
     "[constraints]\nObjectName(Cup) \u2227 CloseToPix(down, (0.5, 0.25)) \u2227 Contact(down, Desk_1) \u2227 NoOverhang(down, Desk_1, full_only)\n[end of constraints]\n<completion>"},
    {"ol_html",
     "<ol>\n<li>[\"ObjectName\", \"Cup\"]</li>\n<li>[\"CloseToPix\", \"down\", [0.5, 0.25]]</li>\n<li>[\"Contact\", \"down\", \"Desk_1\"]</li>\n<li>[\"NoOverhang\", \"down\", \"Desk_1\", \"full_only\"]</li>\n</ol>\n<completion>"},
    {"final_json_lines",
     "{\"ObjectName\": \"Cup\"}\n{\"CloseToPix\": [\"down\", [0.5, 0.25]]}\n{\"Contact\": [\"down\", \"Desk_1\"]}\n{\"NoOverhang\": [\"down\", \"Desk_1\", \"full_only\"]}"},
    {"submit_fn",
     "submit([\n  (\"ObjectName\", \"Cup\"),\n  (\"CloseToPix\", \"down\", (0.5, 0.25)),\n  (\"Contact\", \"down\", \"Desk_1\"),\n  (\"NoOverhang\", \"down\", \"Desk_1\", \"full_only\"),\n])"},
    {"suffix_in_table",
     "[constraints]\n| Constraint | Arguments |\n|---|---|\n| ObjectName | Cup |\n| CloseToPix | down | [0.5, 0.25] |\n| ContactConstraint | down | Desk_1 |\n| NoOverhang | down | Desk_1 | full_only |\n[end of constraints]\n<completion>"},
    {"suffix_of_call",
     "[constraints]\nObjectName(\"Cup\")\nCloseToPix(\"down\", [0.5, 0.25])\nContactConstraint(\"down\", \"Desk_1\")\nNoOverhang(\"down\", \"Desk_1\", \"full_only\")\n[end of constraints]\n<completion>"},
};
static const written plans[] =
    {
        {"line_numbers",
         "1: The red bottle is on the table: one edit is left.\n2: [updated_instruction]\n3: Put the Red Bottle on the front part of the Yellow Block.\n4: [end of updated_instruction]\n5: [coordinate]\n6: The bottom of the object should be around [0.52, 0.56].\n7: [end of coordinate]"},
        {"json_content_list",
         "[{\"type\": \"text\", \"text\": \"The red bottle is on the table: one edit is left.\\n[updated_instruction]\\nPut the Red Bottle on the front part of the Yellow Block.\\n[end of updated_instruction]\\n[coordinate]\\nThe bottom of the object should be around [0.52, 0.56].\\n[end of coordinate]\"}]"},
        {"json_thought_answer",
         "{\"thought\": \"I compare.\\nTwo things matter.\", \"answer\": \"The red bottle is on the table: one edit is left.\\n[updated_instruction]\\nPut the Red Bottle on the front part of the Yellow Block.\\n[end of updated_instruction]\\n[coordinate]\\nThe bottom of the object should be around [0.52, 0.56].\\n[end of coordinate]\"}"},
        {"attr_marks",
         "The red bottle is on the table: one edit is left.\n<updated_instruction lang=\"en\" version=\"1\">\nPut the Red Bottle on the front part of the Yellow Block.\n</updated_instruction>\n<coordinate lang=\"en\" version=\"1\">\nThe bottom of the object should be around [0.52, 0.56].\n</coordinate>"},
        {"block_attr",
         "The red bottle is on the table: one edit is left.\n<block name=\"updated_instruction\">\nPut the Red Bottle on the front part of the Yellow Block.\n</block>\n<block name=\"coordinate\">\nThe bottom of the object should be around [0.52, 0.56].\n</block>"},
        {"begin_end",
         "The red bottle is on the table: one edit is left.\nBEGIN UPDATED_INSTRUCTION\nPut the Red Bottle on the front part of the Yellow Block.\nEND UPDATED_INSTRUCTION\nBEGIN COORDINATE\nThe bottom of the object should be around [0.52, 0.56].\nEND COORDINATE"},
        {"colons_fence",
         "The red bottle is on the table: one edit is left.\n::: updated_instruction\nPut the Red Bottle on the front part of the Yellow Block.\n:::\n::: coordinate\nThe bottom of the object should be around [0.52, 0.56].\n:::"},
        {"german_end",
         "The red bottle is on the table: one edit is left.\n[updated_instruction]\nPut the Red Bottle on the front part of the Yellow Block.\n[Ende von updated_instruction]\n[coordinate]\nThe bottom of the object should be around [0.52, 0.56].\n[Ende von coordinate]"},
        {"french_end",
         "The red bottle is on the table: one edit is left.\n[updated_instruction]\nPut the Red Bottle on the front part of the Yellow Block.\n[fin de updated_instruction]\n[coordinate]\nThe bottom of the object should be around [0.52, 0.56].\n[fin de coordinate]"},
        {"missing_shut",
         "The red bottle is on the table: one edit is left.\n[updated_instruction]\nPut the Red Bottle on the front part of the Yellow Block.\n[end of updated_instruction\n[coordinate]\nThe bottom of the object should be around [0.52, 0.56].\n[end of coordinate"},
        {"typo_end",
         "The red bottle is on the table: one edit is left.\n[updated_instruction]\nPut the Red Bottle on the front part of the Yellow Block.\n[end of updated_i]\n[coordinate]\nThe bottom of the object should be around [0.52, 0.56].\n[end of coordinat]"},
        {"bare_words",
         "The red bottle is on the table: one edit is left.\nupdated_instruction\nPut the Red Bottle on the front part of the Yellow Block.\nend of updated_instruction\ncoordinate\nThe bottom of the object should be around [0.52, 0.56].\nend of coordinate"},
        {"latex_env",
         "The red bottle is on the table: one edit is left.\n\\begin{updated_instruction}\nPut the Red Bottle on the front part of the Yellow Block.\n\\end{updated_instruction}\n\\begin{coordinate}\nThe bottom of the object should be around [0.52, 0.56].\n\\end{coordinate}"},
        {"cdata",
         "The red bottle is on the table: one edit is left.\n<updated_instruction><![CDATA[\nPut the Red Bottle on the front part of the Yellow Block.\n]]></updated_instruction>\n<coordinate><![CDATA[\nThe bottom of the object should be around [0.52, 0.56].\n]]></coordinate>"},
        {"eoc",
         "The red bottle is on the table: one edit is left.\n[updated_instruction]\nPut the Red Bottle on the front part of the Yellow Block.\n[EOC]\n[coordinate]\nThe bottom of the object should be around [0.52, 0.56].\n[EOC]"},
        {"comment_marks",
         "The red bottle is on the table: one edit is left.\n<!-- updated_instruction -->\nPut the Red Bottle on the front part of the Yellow Block.\n<!-- end of updated_instruction -->\n<!-- coordinate -->\nThe bottom of the object should be around [0.52, 0.56].\n<!-- end of coordinate -->"},
        {"pipe_marks",
         "The red bottle is on the table: one edit is left.\n<|updated_instruction|>\nPut the Red Bottle on the front part of the Yellow Block.\n<|end of updated_instruction|>\n<|coordinate|>\nThe bottom of the object should be around [0.52, 0.56].\n<|end of coordinate|>"},
        {"at_marks",
         "The red bottle is on the table: one edit is left.\n@updated_instruction\nPut the Red Bottle on the front part of the Yellow Block.\n@end\n@coordinate\nThe bottom of the object should be around [0.52, 0.56].\n@end"},
        {"paren_marks",
         "The red bottle is on the table: one edit is left.\n(updated_instruction)\nPut the Red Bottle on the front part of the Yellow Block.\n(end of updated_instruction)\n(coordinate)\nThe bottom of the object should be around [0.52, 0.56].\n(end of coordinate)"},
        {"at_thousand",
         "The red bottle is on the table: one edit is left.\n[updated_instruction]\nPut the Red Bottle on the front part of the Yellow Block.\n[end of updated_instruction]\n[coordinate]\nThe bottom of the object should be around [520, 560].\n[end of coordinate]"},
        {"at_point_2d",
         "The red bottle is on the table: one edit is left.\n[updated_instruction]\nPut the Red Bottle on the front part of the Yellow Block.\n[end of updated_instruction]\n[coordinate]\n{\"point_2d\": [520, 560], \"anchor\": \"bottom\"}\n[end of coordinate]"},
        {"at_hv",
         "The red bottle is on the table: one edit is left.\n[updated_instruction]\nPut the Red Bottle on the front part of the Yellow Block.\n[end of updated_instruction]\n[coordinate]\nThe bottom: 0.52 horizontally, 0.56 vertically.\n[end of coordinate]"},
        {"at_point_tag",
         "The red bottle is on the table: one edit is left.\n[updated_instruction]\nPut the Red Bottle on the front part of the Yellow Block.\n[end of updated_instruction]\n[coordinate]\nThe bottom: <point>520 560</point>\n[end of coordinate]"},
        {"at_small_box",
         "The red bottle is on the table: one edit is left.\n[updated_instruction]\nPut the Red Bottle on the front part of the Yellow Block.\n[end of updated_instruction]\n[coordinate]\nThe bottom: {\"bbox_2d\": [518, 558, 522, 562]}\n[end of coordinate]"},
        {"at_es",
         "The red bottle is on the table: one edit is left.\n[updated_instruction]\nPut the Red Bottle on the front part of the Yellow Block.\n[end of updated_instruction]\n[coordinate]\nLa parte inferior del objeto debe estar alrededor de [0.52, 0.56].\n[end of coordinate]"},
        {"at_from_to",
         "The red bottle is on the table: one edit is left.\n[updated_instruction]\nPut the Red Bottle on the front part of the Yellow Block.\n[end of updated_instruction]\n[coordinate]\nThe bottom of the object should move from [0.31, 0.74] to around [0.52, 0.56].\n[end of coordinate]"},
        {"plan_step_label",
         "The red bottle is on the table: one edit is left.\n[updated_instruction]\nStep 1: Put the Red Bottle on the front part of the Yellow Block.\n[end of updated_instruction]\n[coordinate]\nThe bottom of the object should be around [0.52, 0.56].\n[end of coordinate]"},
        {"finished_after",
         "The red bottle is on the table: one edit is left.\n[updated_instruction]\nPut the Red Bottle on the front part of the Yellow Block.\n[end of updated_instruction]\n[coordinate]\nThe bottom of the object should be around [0.52, 0.56].\n[end of coordinate]\nAfter this edit the goal will be <finished>."},
        {"p_label_step",
         "Updated instruction (step 1): Put the Red Bottle on the front part of the Yellow Block.\nCoordinate: bottom, [0.52, 0.56]"},
        {"pj_text_object",
         "{\"updated_instruction\": {\"text\": \"Put the Red Bottle on the front part of the Yellow Block.\"}, \"coordinate\": {\"bottom\": [0.52, 0.56]}}"},
        {"p_arrows",
         "Instruction \u2192 Put the Red Bottle on the front part of the Yellow Block.\nCoordinate \u2192 bottom [0.52, 0.56]"},
        {"p_xml",
         "<updated_instruction>Put the Red Bottle on the front part of the Yellow Block.</updated_instruction>\n<coordinate><part>bottom</part><x>0.52</x><y>0.56</y></coordinate>"},
        {"carried_twice",
         "{\"response\": \"{\\\"answer\\\": \\\"The red bottle is on the table: one edit is left.\\\\n[updated_instruction]\\\\nPut the Red Bottle on the front part of the Yellow Block.\\\\n[end of updated_instruction]\\\\n[coordinate]\\\\nThe bottom of the object should be around [0.52, 0.56].\\\\n[end of coordinate]\\\"}\"}"},
        {"range",
         "The red bottle is still on the table: one edit is left.\n[updated_instruction]\nPut the Red Bottle on the front part of the Yellow Block.\n[end of updated_instruction]\n[coordinate]\nThe bottom of the object should be around [0.50-0.54, 0.55-0.57].\n[end of coordinate]"},
        {"three",
         "The red bottle is still on the table: one edit is left.\n[updated_instruction]\nPut the Red Bottle on the front part of the Yellow Block.\n[end of updated_instruction]\n[coordinate]\nThe bottom of the object should be around [0.52, 0.56, 0.0]\n[end of coordinate]"},
        {"px_words",
         "The red bottle is still on the table: one edit is left.\n[updated_instruction]\nPut the Red Bottle on the front part of the Yellow Block.\n[end of updated_instruction]\n[coordinate]\nThe bottom of the object should be around pixel (466, 502) of the 896x896 image\n[end of coordinate]"},
        {"grid_cell",
         "The red bottle is still on the table: one edit is left.\n[updated_instruction]\nPut the Red Bottle on the front part of the Yellow Block.\n[end of updated_instruction]\n[coordinate]\nThe bottom of the object should be around [0.52, 0.56], i.e. grid cell (5, 5).\n[end of coordinate]"},
        {"two_named",
         "The red bottle is still on the table: one edit is left.\n[updated_instruction]\nPut the Red Bottle on the front part of the Yellow Block.\n[end of updated_instruction]\n[coordinate]\nThe bottom of the object should be around [0.52, 0.56] (currently at [0.21, 0.40]).\n[end of coordinate]"},
        {"both_anchors",
         "The red bottle is still on the table: one edit is left.\n[updated_instruction]\nPut the Red Bottle on the front part of the Yellow Block.\n[end of updated_instruction]\n[coordinate]\nThe bottom of the object should be around [0.52, 0.56], its center around [0.52, 0.50].\n[end of coordinate]"},
        {"ko",
         "The red bottle is still on the table: one edit is left.\n[updated_instruction]\nPut the Red Bottle on the front part of the Yellow Block.\n[end of updated_instruction]\n[coordinate]\n\ubb3c\uccb4\uc758 \ubc14\ub2e5\uc740 [0.52, 0.56] \uadfc\ucc98\uc5d0 \uc788\uc5b4\uc57c \ud569\ub2c8\ub2e4.\n[end of coordinate]"},
        {"ru",
         "The red bottle is still on the table: one edit is left.\n[updated_instruction]\nPut the Red Bottle on the front part of the Yellow Block.\n[end of updated_instruction]\n[coordinate]\n\u041d\u0438\u0437 \u043e\u0431\u044a\u0435\u043a\u0442\u0430 \u0434\u043e\u043b\u0436\u0435\u043d \u0431\u044b\u0442\u044c \u043e\u043a\u043e\u043b\u043e [0.52, 0.56].\n[end of coordinate]"},
        {"it",
         "The red bottle is still on the table: one edit is left.\n[updated_instruction]\nPut the Red Bottle on the front part of the Yellow Block.\n[end of updated_instruction]\n[coordinate]\nLa parte inferiore dell'oggetto dovrebbe stare a [0.52, 0.56].\n[end of coordinate]"},
        {"foot",
         "The red bottle is still on the table: one edit is left.\n[updated_instruction]\nPut the Red Bottle on the front part of the Yellow Block.\n[end of updated_instruction]\n[coordinate]\nFoot of the bottle: [0.52, 0.56]\n[end of coordinate]"},
        {"step_headings",
         "## Step 1: Scene analysis\nThe red bottle is still on the table: one edit is left.\n\n## Step 2: Remaining work\nOne edit.\n\n## Step 3: Updated instruction\nPut the Red Bottle on the front part of the Yellow Block.\n\n## Step 4: Coordinate\nThe bottom of the object should be around [0.52, 0.56]."},
        {"goes_on",
         "The red bottle is still on the table: one edit is left.\n[updated_instruction]\nPut the Red Bottle on the front part of the Yellow Block.\n[end of updated_instruction]\n[coordinate]\nThe bottom of the object should be around [0.52, 0.56].\n[end of coordinate]\n\nuser\n[task]\n{\"goal\":\"Another\"}\n[end of task]\nassistant\nThe goal holds. <finished>"},
        {"human_turn",
         "The red bottle is still on the table: one edit is left.\n[updated_instruction]\nPut the Red Bottle on the front part of the Yellow Block.\n[end of updated_instruction]\n[coordinate]\nThe bottom of the object should be around [0.52, 0.56].\n[end of coordinate]\n\nHuman: What next?\n\nAssistant: <finished>"},
        {"repeat_cut",
         "The red bottle is still on the table: one edit is left.\n[updated_instruction]\nPut the Red Bottle on the front part of the Yellow Block.\n[end of updated_instruction]\n[coordinate]\nThe bottom of the object should be around [0.52, 0.56].\n[end of coordinate]\nThe red bottle is still on the table: one edit is left.\n[updated_instruction]\nPut the Red Bottle on the front part of the Yellow Block.\n[end of updated_instruction]\n[coordinate]\nThe bottom of the object should be around [0.52, 0.56].\n[end of coordinate]\nThe red bottle is still on the table: one edit is left.\n[updated_instruction]\nPut the Red Bottle on the front part of the Yellow Block.\n[end of updated_instruction]\n[co"},
        {"br",
         "The red bottle is still on the table: one edit is left.<br>\n[updated_instruction]<br>\nPut the Red Bottle on the front part of the Yellow Block.<br>\n[end of updated_instruction]<br>\n[coordinate]<br>\nThe bottom of the object should be around [0.52, 0.56].<br>\n[end of coordinate]"},
        {"html",
         "<p>The red bottle is still on the table: one edit is left.</p>\n<p>[updated_instruction]</p>\n<p>Put the Red Bottle on the front part of the Yellow Block.</p>\n<p>[end of updated_instruction]</p>\n<p>[coordinate]</p>\n<p>The bottom of the object should be around [0.52, 0.56].</p>\n<p>[end of coordinate]</p>"},
        {"numbered_inst",
         "The red bottle is still on the table: one edit is left.\n[updated_instruction]\n1. Put the Red Bottle on the front part of the Yellow Block.\n[end of updated_instruction]\n[coordinate]\nThe bottom of the object should be around [0.52, 0.56].\n[end of coordinate]"},
        {"strong_html",
         "The red bottle is still on the table: one edit is left.\n[updated_instruction]\n<b>Put the Red Bottle on the front part of the Yellow Block.</b>\n[end of updated_instruction]\n[coordinate]\nThe bottom of the object should be around [0.52, 0.56].\n[end of coordinate]"},
        {"other_end",
         "The red bottle is still on the table: one edit is left.\n[updated_instruction]\nPut the Red Bottle on the front part of the Yellow Block.\n[coordinate]\nThe bottom of the object should be around [0.52, 0.56].\n[end of updated_instruction]"},
        {"wait_inline",
         "[updated_instruction]\nPut the Red Bottle on the front part of the Yellow Block.\n[end of updated_instruction]\n[coordinate]\nThe bottom of the object should be around [0.52, 0.46]. Wait, that is the back part. The bottom of the object should be around [0.52, 0.56].\n[end of coordinate]"},
        {"numbered_answer",
         "1. The scene at the start has three bottles on the table; two were moved.\n2. One edit is left: the red bottle.\n3. Put the Red Bottle on the front part of the Yellow Block.\n4. The bottom of the object should be around [0.52, 0.56]."},
        {"inline_labels",
         "**Instruction:** Put the Red Bottle on the front part of the Yellow Block. **Coordinate (bottom):** (0.52, 0.56)"},
        {"objects_within",
         "{\"updated_instruction\": {\"object\": \"Red Bottle\", \"instruction\": \"Put the Red Bottle on the front part of the Yellow Block.\"}, \"coordinate\": {\"point\": {\"x\": 0.52, \"y\": 0.56}, \"anchor\": \"bottom\"}}"},
        {"point_call",
         "[updated_instruction]\ninstruction = \"Put the Red Bottle on the front part of the Yellow Block.\"\n[end of updated_instruction]\n[coordinate]\ncoordinate = Point(x=0.52, y=0.56)  # bottom of the object\n[end of coordinate]"},
};
static const written ends[] = {
    {"fin_status",
     "All three bottles stand on the block, so the goal holds.\n**Status:** finished"},
    {"fin_json",
     "All three bottles stand on the block, so the goal holds.\n{\"status\": \"finished\"}"},
    {"fin_pipe",
     "All three bottles stand on the block, so the goal holds.\n<|finished|>"},
    {"fin_done",
     "All three bottles stand on the block, so the goal holds.\n<done>"},
    {"fin_status_tag",
     "All three bottles stand on the block, so the goal holds.\n<status>finished</status>"},
    {"finished_polite",
     "All stand there.\n\nFINISHED\n\nLet me know if you need anything else!"},
    {"json_end", "{\"status\": \"finished\", \"reason\": \"The goal holds.\"}"},
    {"jsonf_end",
     "{\"finished\": true, \"updated_instruction\": null, \"coordinate\": null}"},
    {"none_end",
     "The goal holds. <finished>\n[updated_instruction]\nNone\n[end of updated_instruction]\n[coordinate]\nNone\n[end of coordinate]"},
    {"na_end",
     "The goal holds.\n\n<finished>\n\n[updated_instruction]\nN/A\n[end of updated_instruction]"},
};
static const written verdicts[] =
    {
        {"thought_of",
         "[evaluation]\nvisual_exam: It stands on the block.\nverdict: excellent, I first thought of bad contact, but there is no bad one; wait, nothing is bad contact\n[end of evaluation]"},
        {"json_content_list",
         "[{\"type\": \"text\", \"text\": \"[evaluation]\\nvisual_exam: The bottle stands upright on the block and nothing looks bad.\\nverdict: excellent\\n[end of evaluation]\"}]"},
        {"json_thought_answer",
         "{\"thought\": \"I compare.\\nTwo things matter.\", \"answer\": \"[evaluation]\\nvisual_exam: The bottle stands upright on the block and nothing looks bad.\\nverdict: excellent\\n[end of evaluation]\"}"},
        {"v_json_camel",
         "{\"visualExam\": \"The bottle stands upright on the block and nothing looks bad.\", \"finalVerdict\": \"excellent\"}"},
        {"v_json_eval_word",
         "{\"visual_exam\": \"The bottle stands upright on the block and nothing looks bad.\", \"evaluation\": \"excellent\"}"},
        {"v_zh_trad",
         "[evaluation]\nvisual_exam: The bottle stands upright on the block and nothing looks bad.\nverdict: \u512a\u79c0\n[end of evaluation]"},
        {"v_de",
         "[evaluation]\nvisual_exam: The bottle stands upright on the block and nothing looks bad.\nverdict: hervorragend\n[end of evaluation]"},
        {"v_ru",
         "[evaluation]\nvisual_exam: The bottle stands upright on the block and nothing looks bad.\n\u0432\u0435\u0440\u0434\u0438\u043a\u0442: \u043e\u0442\u043b\u0438\u0447\u043d\u043e\n[end of evaluation]"},
        {"v_ja",
         "[evaluation]\nvisual_exam: The bottle stands upright on the block and nothing looks bad.\n\u5224\u5b9a: \u512a\u79c0\n[end of evaluation]"},
        {"v_pt",
         "[evaluation]\nvisual_exam: The bottle stands upright on the block and nothing looks bad.\nveredito: excelente\n[end of evaluation]"},
        {"v_it",
         "[evaluation]\nvisual_exam: The bottle stands upright on the block and nothing looks bad.\nverdetto: eccellente\n[end of evaluation]"},
        {"v_no_colon",
         "[evaluation]\nvisual_exam The bottle stands upright on the block and nothing looks bad.\nverdict excellent\n[end of evaluation]"},
        {"v_underlined",
         "Visual exam\n===========\nThe bottle stands upright on the block and nothing looks bad.\n\nVerdict\n=======\nexcellent"},
        {"v_val",
         "<visual_exam>The bottle stands upright on the block and nothing looks bad.</visual_exam>\n<verdict value=\"excellent\"/>"},
        {"v_strike",
         "[evaluation]\nvisual_exam: The bottle stands upright on the block and nothing looks bad.\nverdict: ~~good~~ excellent\n[end of evaluation]"},
        {"v_quality",
         "[evaluation]\nvisual_exam: The bottle stands upright on the block and nothing looks bad.\nquality: excellent\n[end of evaluation]"},
        {"v3_final_paren",
         "[evaluation]\nvisual_exam: The bottle stands upright on the block and nothing looks bad.\nVerdict (final): excellent\n[end of evaluation]"},
        {"v3_result",
         "[evaluation]\nvisual_exam: The bottle stands upright on the block and nothing looks bad.\nResult: excellent\n[end of evaluation]"},
        {"v3_call",
         "[evaluation]\nvisual_exam: The bottle stands upright on the block and nothing looks bad.\nI'd call this excellent.\n[end of evaluation]"},
        {"carried_amid", "Here it is:\n{\"thought\": \"I compare.\\nTwo things matter.\", \"answer\": \"[evaluation]\\nvisual_exam: The bottle stands upright on the block and nothing looks bad.\\nverdict: excellent\\n[end of evaluation]\"}\nDone."},
        {"tw_word",
         "[evaluation]\nvisual_exam: The bottle stands upright on the block, no bad contact.\n\u8a55\u50f9\uff1a\u512a\u79c0\n[end of evaluation]"},
        {"ko_word",
         "[evaluation]\nvisual_exam: The bottle stands upright on the block, no bad contact.\n\ud310\uc815: \uc6b0\uc218\n[end of evaluation]"},
        {"ko2_word",
         "[evaluation]\nvisual_exam: The bottle stands upright on the block, no bad contact.\n\ud3c9\uac00: \ud6cc\ub96d\ud568\n[end of evaluation]"},
        {"ar_word",
         "[evaluation]\nvisual_exam: The bottle stands upright on the block, no bad contact.\n\u0627\u0644\u062d\u0643\u0645: \u0645\u0645\u062a\u0627\u0632\n[end of evaluation]"},
        {"tr_word",
         "[evaluation]\nvisual_exam: The bottle stands upright on the block, no bad contact.\nkarar: m\u00fckemmel\n[end of evaluation]"},
        {"pl_word",
         "[evaluation]\nvisual_exam: The bottle stands upright on the block, no bad contact.\nwerdykt: doskona\u0142y\n[end of evaluation]"},
        {"vi_word",
         "[evaluation]\nvisual_exam: The bottle stands upright on the block, no bad contact.\n\u0111\u00e1nh gi\u00e1: xu\u1ea5t s\u1eafc\n[end of evaluation]"},
        {"next_turn",
         "[evaluation]\nvisual_exam: The bottle stands upright on the block, no bad contact.\nverdict: excellent - the object is placed well\n[end of evaluation]<|im_end|>\n<|im_start|>user\nAnd this one?<|im_end|>\n<|im_start|>assistant\nverdict: bad"},
        {"dutch",
         "[evaluation]\nvisual_exam: The bottle stands on the front part of the block; nothing looks bad.\nverdict: uitstekend\n[end of evaluation]"},
        {"ticks_list",
         "[evaluation]\nvisual_exam: The bottle stands on the front part of the block; nothing looks bad.\nverdict: terrible \u2717, bad \u2717, fair \u2717, good \u2717, excellent \u2713\n[end of evaluation]"},
        {"japanese",
         "[evaluation]\nvisual_exam: The bottle stands on the front part of the block; nothing looks bad.\nverdict: \u512a\u79c0\n[end of evaluation]"},
        {"typo2",
         "[evaluation]\nvisual_exam: The bottle stands on the front part of the block; nothing looks bad.\nverdict: Excellant\n[end of evaluation]"},
        {"json_list",
         "[{\"visual_exam\": \"The bottle stands on the block.\"}, {\"verdict\": \"excellent\"}]"},
        {"no_space",
         "[evaluation]\nvisual_exam: The bottle stands on the front part of the block; nothing looks bad.\nverdict:excellent\n[end of evaluation]"},
};
static const written calls[] = {
    {"call_dsml",
     "<\uff5cDSML\uff5cfunction_calls>\n<\uff5cDSML\uff5cinvoke name=\"ray_probe\">\n<\uff5cDSML\uff5cparameter name=\"coord_list\" string=\"false\">[[0.5, 0.25], [0.4, 0.3]]</\uff5cDSML\uff5cparameter>\n</\uff5cDSML\uff5cinvoke>\n</\uff5cDSML\uff5cfunction_calls>"},
    {"call_yaml",
     "<tool_call>\nname: ray_probe\narguments:\n  coord_list: [[0.5, 0.25], [0.4, 0.3]]\n</tool_call>"},
    {"t3_upper", "RAY_PROBE([[0.5, 0.25], [0.4, 0.3]])"},
    {"harmony_role",
     "<|start|>assistant to=functions.ray_probe<|channel|>commentary json<|message|>{\"coord_list\": [[0.5, 0.25], [0.4, 0.3]]}<|call|>"},
    {"hyphen",
     "{\"name\": \"ray-probe\", \"arguments\": {\"coord_list\": [[0.5, 0.25], [0.4, 0.3]]}}"},
    {"camel",
     "{\"name\": \"rayProbe\", \"arguments\": {\"coord_list\": [[0.5, 0.25], [0.4, 0.3]]}}"},
};
static const written unsure[] = {
    {"v_probs",
     "[evaluation]\nvisual_exam: The bottle stands upright on the block and nothing looks bad.\nverdict: excellent 0.4, good 0.4, fair 0.2\n[end of evaluation]"},
    {"v_if",
     "[evaluation]\nvisual_exam: The bottle stands upright on the block and nothing looks bad.\nverdict: would be excellent if it stood upright\n[end of evaluation]"},
    {"v3_both",
     "[evaluation]\nvisual_exam: The bottle stands upright on the block and nothing looks bad.\nverdict: good, or rather bad\n[end of evaluation]"},
    {"second_thought",
     "[evaluation]\nvisual_exam: The bottle stands upright on the block, no bad contact.\nverdict: good... no, on second thought: excellent\n[end of evaluation]"},
    {"u_to",
     "[evaluation]\nvisual_exam: The bottle stands on the front part of the block; nothing looks bad.\nverdict: fair-to-good\n[end of evaluation]"},
    {"u_depends",
     "[evaluation]\nvisual_exam: The bottle stands on the front part of the block; nothing looks bad.\nverdict: excellent if the cap is closed, otherwise fair\n[end of evaluation]"},
    {"u_not_sure",
     "[evaluation]\nvisual_exam: The bottle stands on the front part of the block; nothing looks bad.\nverdict: I'm not sure whether it is good\n[end of evaluation]"},
    {"u_all",
     "[evaluation]\nvisual_exam: The bottle stands on the front part of the block; nothing looks bad.\nverdict: excellent good fair bad terrible\n[end of evaluation]"},
    {"u_hedge",
     "[evaluation]\nvisual_exam: The bottle stands on the front part of the block; nothing looks bad.\nverdict: good? maybe fair\n[end of evaluation]"},
    {"nothing_bad",
     "The bottle stands on the block, nothing looks bad.\n\nLet me check once more... Yes, this is right."},
};

enum {
    WIDTH = 896,
    HEIGHT = 896
};

/* What could be counted in two ways is asked for once, and told how it will be
 * read. */
static bool reads_rows(const char *text, etna_arena *arena)
{
    picture_scale scale = {
        .known = COORDINATES_UNKNOWN, .width = WIDTH, .height = HEIGHT};
    executor_result result = {0};
    etna_code code = executor_read(text, &scale, arena, &result, NULL);
    if (code != ETNA_OK && scale.asked)
        code = executor_read(text, &scale, arena, &result, NULL);
    return code == ETNA_OK && strcmp(result.constraints, ROWS) == 0;
}

static void families_rows_are_read(void **state)
{
    (void)state;
    etna_arena arena = ETNA_ARENA_INIT;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!reads_rows(rows[i].text, &arena))
            fail_msg("%s is not read", rows[i].name);
    }
    etna_arena_free(&arena);
}

static bool reads_plan(const char *text, etna_arena *arena)
{
    static const double near = 0.0006;
    picture_scale scale = {
        .known = COORDINATES_UNKNOWN, .width = WIDTH, .height = HEIGHT};
    planner_result result = {.status = PLAN_MALFORMED};
    etna_code code = planner_read(text, &scale, arena, &result, NULL);
    bool is_asked = scale.asked || scale.asked_anchor;
    if (code != ETNA_OK && is_asked)
        code = planner_read(text, &scale, arena, &result, NULL);
    bool is_plan = code == ETNA_OK && result.status == PLAN_EDIT &&
                   result.coordinate_is_bottom;
    if (!is_plan || strcmp(result.instruction, INSTRUCTION) != 0)
        return false;
    double x = result.coordinate[0] - 0.52, y = result.coordinate[1] - 0.56;
    return x < near && x > -near && y < near && y > -near;
}

static void families_plans_are_read(void **state)
{
    (void)state;
    etna_arena arena = ETNA_ARENA_INIT;
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++) {
        if (!reads_plan(plans[i].text, &arena))
            fail_msg("%s is not read", plans[i].name);
    }
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        planner_result result = {.status = PLAN_MALFORMED};
        (void)planner_read(ends[i].text, NULL, &arena, &result, NULL);
        if (result.status != PLAN_FINISHED)
            fail_msg("%s is not read", ends[i].name);
    }
    etna_arena_free(&arena);
}

static void families_verdicts_are_read(void **state)
{
    (void)state;
    etna_arena arena = ETNA_ARENA_INIT;
    for (size_t i = 0; i < sizeof verdicts / sizeof *verdicts; i++) {
        evaluator_result result = {.verdict = VERDICT_ABSTAIN};
        (void)evaluator_read(verdicts[i].text, &arena, &result, NULL);
        if (result.verdict != VERDICT_EXCELLENT)
            fail_msg("%s is not read", verdicts[i].name);
    }
    for (size_t i = 0; i < sizeof unsure / sizeof *unsure; i++) {
        evaluator_result result;
        if (evaluator_read(unsure[i].text, &arena, &result, NULL) == ETNA_OK)
            fail_msg("%s is read", unsure[i].name);
    }
    etna_arena_free(&arena);
}

static void families_calls_are_read(void **state)
{
    (void)state;
    etna_arena arena = ETNA_ARENA_INIT;
    uint32_t tool_count = 0;
    const model_tool *tools = tools_list(TOOLS_VISUAL, &tool_count);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        model_part *found = NULL;
        uint32_t count = 0;
        assert_int_equal(spoken_calls(calls[i].text, tool_count, tools, &arena,
                                      &found, &count, NULL),
                         ETNA_OK);
        bool same =
            count == 1 && strcmp(found->tool_name, "ray_probe") == 0 &&
            strcmp(found->text, "{\"coord_list\":[[0.5,0.25],[0.4,0.3]]}") == 0;
        if (!same)
            fail_msg("%s is not read", calls[i].name);
    }
    etna_arena_free(&arena);
}

/* Counted from the top first, and of 1024: no place that a reader knows. */
static void a_place_in_a_count_of_its_own_is_none(void **state)
{
    (void)state;
    etna_arena arena = ETNA_ARENA_INIT;
    assert_false(reads_plan(
        "[updated_instruction]\n" INSTRUCTION "\n[end of updated_instruction]\n"
        "[coordinate]\nThe bottom at <loc0573><loc0532>\n[end of coordinate]",
        &arena));
    etna_arena_free(&arena);
}

/* As a model that was taught to point so does: only what is configured can
 * tell. */
static void a_place_whose_y_comes_first_is_read_where_that_is_known(
    void **state)
{
    (void)state;
    etna_arena arena = ETNA_ARENA_INIT;
    picture_scale scale = {.known = COORDINATES_THOUSANDTHS_Y_FIRST,
                           .width = WIDTH,
                           .height = HEIGHT};
    executor_result result = {0};
    assert_int_equal(
        executor_read(
            "[constraints]\n[\"ObjectName\", \"Cup\"],\n[\"CloseToPix\", \"down\", "
            "{\"point\": [250, 500], \"label\": \"cup\"}]\n[end of constraints]",
            &scale, &arena, &result, NULL),
        ETNA_OK);
    assert_non_null(strstr(result.constraints, "[0.5,0.25]"));
    assert_int_equal(
        executor_read(
            "[constraints]\n[\"ObjectName\", \"Cup\"],\n[\"CloseToPix\", \"down\", "
            "[0.5, 0.25]]\n[end of constraints]",
            &scale, &arena, &result, NULL),
        ETNA_OK);
    /* as it was asked to */
    assert_non_null(strstr(result.constraints, "[0.5,0.25]"));
    etna_arena_free(&arena);
}

/* What a model says itself that it calls is called, with nothing or the wrong
 * things: the tool tells what it wants. */
static void a_call_without_arguments_is_one(void **state)
{
    (void)state;
    static const written bare[] = {
        {"none", "<tool_call>\n{\"name\": \"ray_probe\"}\n</tool_call>"},
        {"empty",
         "<tool_call>\n{\"name\": \"functions.ray_probe\", \"arguments\": {}}\n</tool_call>"},
    };
    etna_arena arena = ETNA_ARENA_INIT;
    uint32_t tool_count = 0;
    const model_tool *tools = tools_list(TOOLS_VISUAL, &tool_count);
    for (size_t i = 0; i < sizeof bare / sizeof *bare; i++) {
        model_part *found = NULL;
        uint32_t count = 0;
        assert_int_equal(spoken_calls(bare[i].text, tool_count, tools, &arena,
                                      &found, &count, NULL),
                         ETNA_OK);
        assert_int_equal(count, 1);
        assert_string_equal(found->tool_name, "ray_probe");
        assert_string_equal(found->text, "{}");
    }
    etna_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(families_rows_are_read),
        cmocka_unit_test(families_plans_are_read),
        cmocka_unit_test(families_verdicts_are_read),
        cmocka_unit_test(families_calls_are_read),
        cmocka_unit_test(a_place_in_a_count_of_its_own_is_none),
        cmocka_unit_test(
            a_place_whose_y_comes_first_is_read_where_that_is_known),
        cmocka_unit_test(a_call_without_arguments_is_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
