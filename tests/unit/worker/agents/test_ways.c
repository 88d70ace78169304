/* Ways in which models write what the prompts ask, of all roles. Beside each a
 * person sees what is meant, and so it is read; of the last of each table
 * nobody does, and nothing is made of them. */
#include "worker/agents/evaluator.h"
#include "worker/agents/executor.h"
#include "worker/agents/planner.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define PLAN \
    "[updated_instruction]\nPut A on B.\n[end of updated_instruction]\n[coordinate]\n"
#define ROWS \
    "[[\"ObjectName\",\"Cup\"],[\"CloseToPix\",\"down\",[0.5,0.25]],[\"Contact\",\"down\",\"Desk_1\"]]"

typedef struct way {
    const char *name, *text;
    int verdict; /* an evaluator's; 0: none */
} way;

static const way rows[] =
    {
        {"out_of_force",
         "[constraints]\nObjectName -> Cup\nCloseToPix -> down -> [0.5, 0.25]\n# [\"Contact\", \"down\", \"Wall_1\"]\nContact -> down -> "
         "Desk_1\n[end of constraints]\n<completion>",
         0},
        {"escaped_quotes",
         "[constraints]\n[\\\"ObjectName\\\", \\\"Cup\\\"],\n[\\\"CloseToPix\\\", \\\"down\\\", [0.5, 0.25]],\n[\\\"Contact\\\", \\\"down\\\", \\\"Desk_1\\\"]\n[end of constraints]\n<completion>",
         0},
        {"arrow",
         "[constraints]\nObjectName -> \"Cup\"\nCloseToPix -> \"down\", [0.5, 0.25]\nContact -> \"down\", \"Desk_1\"\n[end of constraints]\n<completion>",
         0},
        {"arrow_wide",
         "[constraints]\nObjectName \u2192 Cup\nCloseToPix \u2192 down \u2192 [0.5, 0.25]\nContact \u2192 down \u2192 Desk_1\n[end of constraints]\n<completion>",
         0},
        {"fat_arrow",
         "[constraints]\nObjectName => \"Cup\"\nCloseToPix => [\"down\", [0.5, 0.25]]\nContact => [\"down\", \"Desk_1\"]\n[end of constraints]\n<completion>",
         0},
        {"why_dash",
         "[constraints]\n[\"ObjectName\", \"Cup\"] - because this is needed (see image).\n[\"CloseToPix\", \"down\", [0.5, 0.25]] - as planned.\n[\"Contact\", \"down\", \"Desk_1\"] - it stands there, on the desk.\n[end of constraints]\n<completion>",
         0},
        {"why_colon",
         "[constraints]\n[\"ObjectName\", \"Cup\"]: the object that moves\n[\"CloseToPix\", \"down\", [0.5, 0.25]]: near the middle\n[\"Contact\", \"down\", \"Desk_1\"]: on the desk\n[end of constraints]\n<completion>",
         0},
        {"why_paren",
         "[constraints]\n[\"ObjectName\", \"Cup\"] (the cup)\n[\"CloseToPix\", \"down\", [0.5, 0.25]] (near the middle)\n[\"Contact\", \"down\", \"Desk_1\"] (on the desk)\n[end of constraints]\n<completion>",
         0},
        {"why_arrow",
         "[constraints]\n[\"ObjectName\", \"Cup\"]  <- the cup\n[\"CloseToPix\", \"down\", [0.5, 0.25]]  <- near\n[\"Contact\", \"down\", \"Desk_1\"]  <- stands\n[end of constraints]\n<completion>",
         0},
        {"object_head",
         "[constraints]\n[\"Object\", \"Cup\"],\n[\"CloseToPix\", \"down\", [0.5, 0.25]],\n[\"Contact\", \"down\", \"Desk_1\"]\n[end of constraints]\n<completion>",
         0},
        {"name_head",
         "[constraints]\n[\"name\", \"Cup\"],\n[\"CloseToPix\", \"down\", [0.5, 0.25]],\n[\"Contact\", \"down\", \"Desk_1\"]\n[end of constraints]\n<completion>",
         0},
        {"object_beside",
         "```json\n{\"object\": \"Cup\", \"constraints\": [[\"CloseToPix\", \"down\", [0.5, 0.25]], [\"Contact\", \"down\", \"Desk_1\"]]}\n```\n<completion>",
         0},
        {"object_name_beside",
         "[constraints]\n{\"object_name\": \"Cup\", \"constraints\": [{\"type\": \"CloseToPix\", \"anchor\": \"down\", \"pixel\": [0.5, 0.25]}, {\"type\": \"Contact\", \"side\": \"down\", \"plane\": \"Desk_1\"}]}\n[end of constraints]\n<completion>",
         0},
        {"reason_keys",
         "[constraints]\n[{\"constraint\": \"ObjectName\", \"value\": \"Cup\", \"reason\": \"it moves\"}, {\"constraint\": \"CloseToPix\", \"anchor\": \"down\", \"point\": [0.5, 0.25], \"reason\": \"asked for\"}, {\"constraint\": \"Contact\", \"face\": \"down\", \"plane\": \"Desk_1\", \"reason\": \"it stands there\"}]\n[end of constraints]\n<completion>",
         0},
        {"weights",
         "[constraints]\n[{\"type\": \"ObjectName\", \"object\": \"Cup\", \"weight\": 1.0}, {\"type\": \"CloseToPix\", \"face\": \"down\", \"pixel\": [0.5, 0.25], \"weight\": 0.8}, {\"type\": \"Contact\", \"face\": \"down\", \"plane\": \"Desk_1\", \"weight\": 1.0}]\n[end of constraints]\n<completion>",
         0},
        {"subject_each",
         "[constraints]\n[{\"type\": \"ObjectName\", \"object\": \"Cup\"}, {\"type\": \"CloseToPix\", \"object\": \"Cup\", \"part\": \"down\", \"pixel\": [0.5, 0.25]}, {\"type\": \"Contact\", \"object\": \"Cup\", \"part\": \"down\", \"plane\": \"Desk_1\"}]\n[end of constraints]\n<completion>", 0},
        {"subject_in_calls",
         "[constraints]\nObjectName(\"Cup\")\nCloseToPix(\"Cup\", \"down\", [0.5, 0.25])\nContact(\"Cup\", \"down\", \"Desk_1\")\n[end of constraints]\n<completion>",
         0},
        {"yaml",
         "[constraints]\nconstraints:\n  - ObjectName: Cup\n  - CloseToPix:\n      - down\n      - [0.5, 0.25]\n  - Contact:\n      - down\n      - Desk_1\n[end of constraints]\n<completion>",
         0},
        {"yaml_typed",
         "[constraints]\n- type: ObjectName\n  name: Cup\n- type: CloseToPix\n  face: down\n  point: [0.5, 0.25]\n- type: Contact\n  face: down\n  plane: Desk_1\n[end of constraints]\n<completion>",
         0},
        {"yaml_typed2",
         "[constraints]\nconstraints:\n  - type: ObjectName\n    object: \"Cup\"\n  - type: CloseToPix\n    anchor: \"down\"\n    pixel:\n      x: 0.5\n      y: 0.25\n  - type: Contact\n    face: \"down\"\n    plane: \"Desk_1\"\n[end of constraints]\n<completion>",
         0},
        {"yaml_keys",
         "[constraints]\nObjectName:\n  name: Cup\nCloseToPix:\n  anchor: down\n  coordinate: [0.5, 0.25]\nContact:\n  face: down\n  plane: Desk_1\n[end of constraints]\n<completion>",
         0},
        {"html_table",
         "[constraints]\n<table><tr><th>Constraint</th><th>Arguments</th></tr><tr><td>ObjectName</td><td>Cup</td></tr><tr><td>CloseToPix</td><td>down</td><td>[0.5, 0.25]</td></tr><tr><td>Contact</td><td>down</td><td>Desk_1</td></tr></table>\n[end of constraints]\n<completion>",
         0},
        {"placeholder_after",
         "[constraints]\n[\"ObjectName\", \"Cup\"],\n[\"CloseToPix\", \"down\", [0.5, 0.25]],\n[\"Contact\", \"down\", \"Desk_1\"]\n[end of constraints]\n<completion>\n\nThe format was:\n[constraints]\n...\n[end of constraints]\n",
         0},
        {"minus_z",
         "[constraints]\n[\"ObjectName\", \"Cup\"],\n[\"CloseToPix\", \"down\", [0.5, 0.25]],\n[\"Contact\", \"-z\", \"Desk_1\"]\n[end of constraints]\n<completion>",
         0},
        {"downward",
         "[constraints]\n[\"ObjectName\", \"Cup\"],\n[\"CloseToPix\", \"down\", [0.5, 0.25]],\n[\"Contact\", \"downward\", \"Desk_1\"]\n[end of constraints]\n<completion>",
         0},
        {"below",
         "[constraints]\n[\"ObjectName\", \"Cup\"],\n[\"CloseToPix\", \"down\", [0.5, 0.25]],\n[\"Contact\", \"below\", \"Desk_1\"]\n[end of constraints]\n<completion>",
         0},
        {"decimal_comma",
         "[constraints]\n[\"ObjectName\", \"Cup\"],\n[\"CloseToPix\", \"down\", [\"0,5\", \"0,25\"]],\n[\"Contact\", \"down\", \"Desk_1\"]\n[end of constraints]\n<completion>",
         0},
        {"decimal_comma_bare",
         "[constraints]\n[\"ObjectName\", \"Cup\"],\n[\"CloseToPix\", \"down\", [0,5; 0,25]],\n[\"Contact\", \"down\", \"Desk_1\"]\n[end of constraints]\n<completion>",
         0},
        {"xml_rows",
         "<constraints>\n  <constraint type=\"ObjectName\" value=\"Cup\"/>\n  <constraint type=\"CloseToPix\" face=\"down\" x=\"0.5\" y=\"0.25\"/>\n  <constraint type=\"Contact\" face=\"down\" plane=\"Desk_1\"/>\n</constraints>\n<completion>",
         0},
        {"xml_nested",
         "<constraints>\n<constraint><type>ObjectName</type><object>Cup</object></constraint>\n<constraint><type>CloseToPix</type><face>down</face><point>[0.5, 0.25]</point></constraint>\n<constraint><type>Contact</type><face>down</face><plane>Desk_1</plane></constraint>\n</constraints>\n<completion>",
         0},
        {"xml_own",
         "<constraints>\n<ObjectName>Cup</ObjectName>\n<CloseToPix>\n<face>down</face>\n<point>0.5, 0.25</point>\n</CloseToPix>\n<Contact>\n<face>down</face>\n<plane>Desk_1</plane>\n</Contact>\n</constraints>\n<completion/>",
         0},
        {"latex_array",
         "[constraints]\n\\[\n\\begin{aligned}\n& [\\text{\"ObjectName\"}, \\text{\"Cup\"}] \\\\\n& [\\text{\"CloseToPix\"}, \\text{\"down\"}, [0.5, 0.25]] \\\\\n& [\\text{\"Contact\"}, \\text{\"down\"}, \\text{\"Desk_1\"}]\n\\end{aligned}\n\\]\n[end of constraints]\n<completion>",
         0},
        {"kwargs",
         "[constraints]\nObjectName(name=\"Cup\")\nCloseToPix(anchor=\"down\", pixel=(0.5, 0.25))\nContact(face=\"down\", plane=\"Desk_1\")\n[end of constraints]\n<completion>",
         0},
        {"method_calls",
         "[constraints]\nc = []\nc.append(ObjectName(\"Cup\"))\nc.append(CloseToPix(\"down\", [0.5, 0.25]))\nc.append(Contact(\"down\", \"Desk_1\"))\n[end of constraints]\n<completion>",
         0},
        {"dataclass",
         "[constraints]\nconstraints = [\n    Constraint(\"ObjectName\", \"Cup\"),\n    Constraint(\"CloseToPix\", \"down\", [0.5, 0.25]),\n    Constraint(\"Contact\", \"down\", \"Desk_1\"),\n]\n[end of constraints]\n<completion>",
         0},
        {"lisp",
         "[constraints]\n(ObjectName \"Cup\")\n(CloseToPix \"down\" (0.5 0.25))\n(Contact \"down\" \"Desk_1\")\n[end of constraints]\n<completion>",
         0},
        {"pipes",
         "[constraints]\nObjectName | Cup\nCloseToPix | down | 0.5, 0.25\nContact | down | Desk_1\n[end of constraints]\n<completion>",
         0},
        {"csv",
         "[constraints]\nObjectName,Cup\nCloseToPix,down,0.5,0.25\nContact,down,Desk_1\n[end of constraints]\n<completion>",
         0},
        {"tabs",
         "[constraints]\nObjectName\tCup\nCloseToPix\tdown\t[0.5, 0.25]\nContact\tdown\tDesk_1\n[end of constraints]\n<completion>",
         0},
        {"spaces",
         "[constraints]\nObjectName Cup\nCloseToPix down [0.5, 0.25]\nContact down Desk_1\n[end of constraints]\n<completion>",
         0},
        {"guillemets",
         "[constraints]\n[\u00abObjectName\u00bb, \u00abCup\u00bb],\n[\u00abCloseToPix\u00bb, \u00abdown\u00bb, [0.5, 0.25]],\n[\u00abContact\u00bb, \u00abdown\u00bb, \u00abDesk_1\u00bb]\n[end of constraints]\n<completion>",
         0},
        {"german_quotes",
         "[constraints]\n[\u201eObjectName\u201c, \u201eCup\u201c],\n[\u201eCloseToPix\u201c, \u201edown\u201c, [0.5, 0.25]],\n[\u201eContact\u201c, \u201edown\u201c, \u201eDesk_1\u201c]\n[end of constraints]\n<completion>",
         0},
        {"cjk_quotes",
         "[constraints]\n\u3010\u300cObjectName\u300d\uff0c\u300cCup\u300d\u3011\uff0c\n\u3010\u300cCloseToPix\u300d\uff0c\u300cdown\u300d\uff0c\u30100.5\uff0c0.25\u3011\u3011\uff0c\n\u3010\u300cContact\u300d\uff0c\u300cdown\u300d\uff0c\u300cDesk_1\u300d\u3011\n[end of constraints]\n<completion>",
         0},
        {"prime_quotes",
         "[constraints]\n[\u2033ObjectName\u2033, \u2033Cup\u2033],\n[\u2033CloseToPix\u2033, \u2033down\u2033, [0.5, 0.25]],\n[\u2033Contact\u2033, \u2033down\u2033, \u2033Desk_1\u2033]\n[end of constraints]\n<completion>",
         0},
        {"double_double",
         "[constraints]\n[\"\"ObjectName\"\", \"\"Cup\"\"],\n[\"\"CloseToPix\"\", \"\"down\"\", [0.5, 0.25]],\n[\"\"Contact\"\", \"\"down\"\", \"\"Desk_1\"\"]\n[end of constraints]\n<completion>",
         0},
        {"jsonl",
         "[constraints]\n{\"name\": \"ObjectName\", \"object\": \"Cup\"}\n{\"name\": \"CloseToPix\", \"direction\": \"down\", \"pixel\": {\"x\": 0.5, \"y\": 0.25}}\n{\"name\": \"Contact\", \"direction\": \"down\", \"plane\": \"Desk_1\"}\n[end of constraints]\n<completion>",
         0},
        {"args_object",
         "[constraints]\n[{\"constraint_name\": \"ObjectName\", \"arguments\": {\"name\": \"Cup\"}}, {\"constraint_name\": \"CloseToPix\", \"arguments\": {\"part\": \"down\", \"pixel\": [0.5, 0.25]}}, {\"constraint_name\": \"Contact\", \"arguments\": {\"part\": \"down\", \"plane\": \"Desk_1\"}}]\n[end of constraints]\n<completion>", 0},
        {"numbered_keys",
         "[constraints]\n{\"1\": [\"ObjectName\", \"Cup\"], \"2\": [\"CloseToPix\", \"down\", [0.5, 0.25]], \"3\": [\"Contact\", \"down\", \"Desk_1\"]}\n[end of constraints]\n<completion>",
         0},
        {"c_keys",
         "[constraints]\n{\"constraint_1\": [\"ObjectName\", \"Cup\"], \"constraint_2\": [\"CloseToPix\", \"down\", [0.5, 0.25]], \"constraint_3\": [\"Contact\", \"down\", \"Desk_1\"]}\n[end of constraints]\n<completion>",
         0},
        {"json_in_string_rows",
         "[constraints]\n[\"[\\\"ObjectName\\\", \\\"Cup\\\"]\", \"[\\\"CloseToPix\\\", \\\"down\\\", [0.5, 0.25]]\", \"[\\\"Contact\\\", \\\"down\\\", \\\"Desk_1\\\"]\"]\n[end of constraints]\n<completion>",
         0},
        {"final_answer_tag",
         "Thinking about it.\n<final_answer>\n[[\"ObjectName\", \"Cup\"], [\"CloseToPix\", \"down\", [0.5, 0.25]], [\"Contact\", \"down\", \"Desk_1\"]]\n</final_answer>",
         0},
        {"output_tool",
         "<tool_call>\n{\"name\": \"constraints\", \"arguments\": {\"constraints\": [[\"ObjectName\", \"Cup\"], [\"CloseToPix\", \"down\", [0.5, 0.25]], [\"Contact\", \"down\", \"Desk_1\"]]}}\n</tool_call>",
         0},
        {"twice_corrected",
         "[constraints]\n[\"ObjectName\", \"Mug\"],\n[\"CloseToPix\", \"down\", [0.1, 0.2]]\n[end of constraints]\n<completion>\nWait, the cup is meant. Corrected:\n[constraints]\n[\"ObjectName\", \"Cup\"],\n[\"CloseToPix\", \"down\", [0.5, 0.25]],\n[\"Contact\", \"down\", \"Desk_1\"]\n[end of constraints]\n<completion>",
         0},
        {"nan_end_of_sentence",
         "[constraints]\n[\"ObjectName\", \"Cup\"].\n[\"CloseToPix\", \"down\", [0.5, 0.25]].\n[\"Contact\", \"down\", \"Desk_1\"].\n[end of constraints]\n<completion>",
         0},
        {"missing_close",
         "[constraints]\n[\"ObjectName\", \"Cup\"],\n[\"CloseToPix\", \"down\", [0.5, 0.25],\n[\"Contact\", \"down\", \"Desk_1\"]\n[end of constraints]\n<completion>",
         0},
        {"extra_close",
         "[constraints]\n[\"ObjectName\", \"Cup\"]],\n[\"CloseToPix\", \"down\", [0.5, 0.25]]],\n[\"Contact\", \"down\", \"Desk_1\"]]\n[end of constraints]\n<completion>",
         0},
        {"missing_open_quote",
         "[constraints]\n[ObjectName\", \"Cup\"],\n[CloseToPix\", \"down\", [0.5, 0.25]],\n[Contact\", \"down\", \"Desk_1\"]\n[end of constraints]\n<completion>",
         0},
        {"missing_end_quote",
         "[constraints]\n[\"ObjectName, \"Cup\"],\n[\"CloseToPix, \"down\", [0.5, 0.25]],\n[\"Contact, \"down\", \"Desk_1\"]\n[end of constraints]\n<completion>",
         0},
        {"unclosed_block_then_words",
         "[constraints]\n[\"ObjectName\", \"Cup\"],\n[\"CloseToPix\", \"down\", [0.5, 0.25]],\n[\"Contact\", \"down\", \"Desk_1\"]\n\n<completion>\nThis places the cup.",
         0},
        {"end_misspelt",
         "[constraints]\n[\"ObjectName\", \"Cup\"],\n[\"CloseToPix\", \"down\", [0.5, 0.25]],\n[\"Contact\", \"down\", \"Desk_1\"]\n[end of constraint]\n<completion>",
         0},
        {"end_of_block",
         "[constraints]\n[\"ObjectName\", \"Cup\"],\n[\"CloseToPix\", \"down\", [0.5, 0.25]],\n[\"Contact\", \"down\", \"Desk_1\"]\n[end of constraints block]\n<completion>",
         0},
        {"equals_rule",
         "=== constraints ===\n[\"ObjectName\", \"Cup\"],\n[\"CloseToPix\", \"down\", [0.5, 0.25]],\n[\"Contact\", \"down\", \"Desk_1\"]\n=== end of constraints ===\n<completion>",
         0},
        {"dash_rule",
         "--- constraints ---\n[\"ObjectName\", \"Cup\"],\n[\"CloseToPix\", \"down\", [0.5, 0.25]],\n[\"Contact\", \"down\", \"Desk_1\"]\n--- end of constraints ---\n<completion>",
         0},
        {"fence_name",
         "```constraints\n[\"ObjectName\", \"Cup\"],\n[\"CloseToPix\", \"down\", [0.5, 0.25]],\n[\"Contact\", \"down\", \"Desk_1\"]\n```\n<completion>",
         0},
        {"bold_list",
         "**Constraints**\n\n* **ObjectName**: `Cup`\n* **CloseToPix**: `down`, `[0.5, 0.25]`\n* **Contact**: `down`, `Desk_1`\n\n<completion>",
         0},
        {"refusal_mid",
         "I'm sorry, I can't move the object myself, but here are the constraints:\n[constraints]\n[\"ObjectName\", \"Cup\"],\n[\"CloseToPix\", \"down\", [0.5, 0.25]],\n[\"Contact\", \"down\", \"Desk_1\"]\n[end of constraints]\n<completion>",
         0},
        {"ansi",
         "\033[1m[constraints]\033[0m\n[\"ObjectName\", \"Cup\"],\n[\"CloseToPix\", \"down\", [0.5, 0.25]],\n[\"Contact\", \"down\", \"Desk_1\"]\n\033[1m[end of constraints]\033[0m\n<completion>",
         0},
        {"zero_width",
         "[constraints]\n[\"Object\u200bName\", \"Cup\"],\n[\"CloseTo\u200bPix\", \"down\", [0.5, 0.25]],\n[\"Contact\", \"down\", \"Desk_1\"]\n[end of constraints]\n<completion>",
         0},
        {"num_words",
         "[constraints]\n[\"ObjectName\", \"Cup\"],\n[\"CloseToPix\", \"down\", [\"x=0.5\", \"y=0.25\"]],\n[\"Contact\", \"down\", \"Desk_1\"]\n[end of constraints]\n<completion>",
         0},
        {"approx",
         "[constraints]\n[\"ObjectName\", \"Cup\"],\n[\"CloseToPix\", \"down\", [~0.5, ~0.25]],\n[\"Contact\", \"down\", \"Desk_1\"]\n[end of constraints]\n<completion>",
         0},
        {"point_text_brackets",
         "[constraints]\n[\"ObjectName\", \"Cup\"],\n[\"CloseToPix\", \"down\", \"[0.5, 0.25]\"],\n[\"Contact\", \"down\", \"Desk_1\"]\n[end of constraints]\n<completion>",
         0},
        {"row_tags",
         "[constraints]\n[constraint][\"ObjectName\", \"Cup\"][/constraint]\n[constraint][\"CloseToPix\", \"down\", [0.5, 0.25]][/constraint]\n[constraint][\"Contact\", \"down\", \"Desk_1\"][/constraint]\n[end of constraints]\n<completion>",
         0},
        {"fence_named",
         "```constraints\n[\"ObjectName\", \"Cup\"],\n[\"CloseToPix\", \"down\", [0.5, 0.25]],\n[\"Contact\", \"down\", \"Desk_1\"]\n```",
         0},
        {"completion_said",
         "Done looking.\n\nConstraints:\n[\"ObjectName\", \"Cup\"]\n[\"CloseToPix\", \"down\", [0.5, 0.25]]\n[\"Contact\", \"down\", \"Desk_1\"]\n\nCompletion.",
         0},
        {"xml_typed_children",
         "[constraints]\n<constraint type=\"ObjectName\"><object>Cup</object></constraint>\n<constraint "
         "type=\"CloseToPix\"><anchor>down</anchor><point>0.5, 0.25</point></constraint>\n<constraint "
         "type=\"Contact\"><face>down</face><plane>Desk_1</plane></constraint>\n[end of constraints]\n<completion>",
         0},
        {"dash_comments",
         "[constraints]\n-- what moves\n[\"ObjectName\", \"Cup\"],\n-- where to\n[\"CloseToPix\", \"down\", [0.5, 0.25]],\n[\"Contact\", \"down\", \"Desk_1\"]\n[end of constraints]\n<completion>",
         0},
        {"numbered_entities",
         "[constraints]\n&#91;&#34;ObjectName&#34;, &#34;Cup&#34;&#93;,\n&#x5B;\"CloseToPix\", \"down\", [0.5, 0.25]&#x5d;,\n[\"Contact\", \"down\", \"Desk_1\"]\n[end of constraints]\n<completion>",
         0},
        {"bare_pair",
         "[constraints]\nObjectName Cup\nCloseToPix down 0.5 0.25\nContact down Desk_1\n[end of constraints]\n<completion>",
         0},
        {"kinds_spaced",
         "[constraints]\n[\"Object Name\", \"Cup\"],\n[\"Close To Pix\", \"down\", [0.5, 0.25]],\n[\"Contact\", \"down\", \"Desk_1\"]\n[end of constraints]\n<completion>",
         0},
        {"kinds_pixel",
         "[constraints]\n[\"ObjectName\", \"Cup\"],\n[\"CloseToPixel\", \"down\", [0.5, 0.25]],\n[\"Contact\", \"down\", \"Desk_1\"]\n[end of constraints]\n<completion>",
         0},
        {"center_bottom",
         "[constraints]\n[\"ObjectName\", \"Cup\"],\n[\"CloseToPix\", \"bottom center\", [0.5, 0.25]],\n[\"Contact\", \"bottom side\", \"Desk_1\"]\n[end of constraints]\n<completion>",
         0},
        {"html_entities_lists",
         "[constraints]\n[&quot;ObjectName&quot;, &quot;Cup&quot;],\n[&#x22;CloseToPix&#x22;, &#x22;down&#x22;, [0.5, 0.25]],\n[&#34;Contact&#34;, &#34;down&#34;, &#34;Desk_1&#34;]\n[end of constraints]\n<completion>",
         0},
        {"u_escapes",
         "[constraints]\n[\"ObjectName\", \"\\u0043up\"],\n[\"CloseToPix\", \"down\", [0.5, 0.25]],\n[\"Contact\", \"down\", \"Desk_1\"]\n[end of constraints]\n<completion>",
         0},
};
static const way no_rows[] = {
    {"unknown_in_table",
     "[constraints]\n| Constraint | Arguments |\n|---|---|\n| ObjectName | Cup |\n| CloseToPix | down | [0.5, 0.25] |\n| LeftOf "
     "| Lamp |\n[end of constraints]\n<completion>",
     0},
    {"unknown_of_label",
     "[constraints]\n- ObjectName: Cup\n- CloseToPix: down, (0.5, 0.25)\n- LeftOf: Lamp\n[end of constraints]\n<completion>",
     0},
    {"unknown_call",
     "[constraints]\nObjectName(\"Cup\")\nCloseToPix(\"down\", [0.5, 0.25])\nLeftOf(\"Lamp\")\n[end of "
     "constraints]\n<completion>",
     0},
    {"taken_back",
     "[constraints]\n[\"ObjectName\", \"Cup\"]\n[\"CloseToPix\", \"down\", [0.5, 0.25]]\n[\"Contact\", \"down\", \"Desk_1\"] - not "
     "needed\n[end of constraints]\n<completion>",
     0},
    {"dots",
     "[constraints]\n[\"ObjectName\", \"Cup\"],\n...\n[\"Contact\", \"down\", \"Desk_1\"]\n[end of constraints]\n<completion>",
     0},
    {"choice",
     "[constraints]\n[\"ObjectName\", \"Cup\" or \"Mug\"],\n[\"CloseToPix\", \"down\", [0.5, 0.25]]\n[end of constraints]\n<completion>",
     0},
    {"two_points",
     "[constraints]\n[\"ObjectName\", \"Cup\"],\n[\"CloseToPix\", \"down\", [0.5, 0.25], [0.1, 0.2]]\n[end of constraints]\n<completion>",
     0},
    {"placeholder",
     "[constraints]\n[\"ObjectName\", \"<object>\"],\n[\"CloseToPix\", \"center\" or \"down\", [x, y]]\n[end of constraints]\n<completion>",
     0},
    {"thousand_comma",
     "[constraints]\n[\"ObjectName\", \"Cup\"],\n[\"CloseToPix\", \"down\", [\"1,000\", \"2,000\"]]\n[end of constraints]\n<completion>",
     0},
    {"cut_mid",
     "[constraints]\n[\"ObjectName\", \"Cup\"],\n[\"CloseToPix\", \"down\", [0.5, 0.25]],\n[\"Contact\", \"do",
     0},
};
static const way plans[] =
    {
        {"middle_of_another",
         PLAN
         "The bottom of the object should be around [0.52, 0.56] (the middle of the block).\n[end of coordinate]",
         0},
        {"json_answer",
         "```json\n{\"answer\": \"So.\\n[updated_instruction]\\nPut A on B.\\n[end of updated_instruction]\\n[coordinate]\\nThe bottom at "
         "[0.52, 0.56].\\n[end of coordinate]\"}\n```",
         0},
        {"escaped_answer",
         "So.\\n[updated_instruction]\\nPut A on B.\\n[end of updated_instruction]\\n[coordinate]\\nThe bottom at [0.52, "
         "0.56].\\n[end of coordinate]",
         0},
        {"decimal_comma",
         PLAN
         "The bottom of the object should be around [0,52; 0,56].\n[end of coordinate]\n",
         0},
        {"decimal_comma2",
         PLAN "bottom: x = 0,52; y = 0,56\n[end of coordinate]\n", 0},
        {"fraction",
         PLAN
         "The bottom of the object should be around [52/100, 56/100].\n[end of coordinate]\n",
         0},
        {"plusminus",
         PLAN
         "The bottom of the object should be around [0.52 \u00b1 0.01, 0.56 \u00b1 0.01].\n[end of coordinate]\n",
         0},
        {"plusminus2",
         PLAN
         "The bottom of the object should be around [0.52 +/- 0.01, 0.56 +/- 0.01].\n[end of coordinate]\n",
         0},
        {"molmo",
         PLAN
         "The bottom of the object should be around <point x=\"52.0\" y=\"56.0\" alt=\"block\">block</point>.\n[end of coordinate]\n",
         0},
        {"label_inside",
         "[updated_instruction]\nUpdated instruction: Put A on B.\n[end of updated_instruction]\n[coordinate]\nbottom [0.52, 0.56]\n[end of coordinate]\n",
         0},
        {"label_inside2",
         "[updated_instruction]\n**Instruction:** Put A on B.\n[end of updated_instruction]\n[coordinate]\nbottom [0.52, 0.56]\n[end of coordinate]\n",
         0},
        {"german",
         PLAN
         "Die Unterseite des Objekts sollte bei [0.52, 0.56] liegen.\n[end of coordinate]\n",
         0},
        {"chinese",
         PLAN
         "\u7269\u4f53\u7684\u5e95\u90e8\u5e94\u4f4d\u4e8e [0.52, 0.56] \u9644\u8fd1\u3002\n[end of coordinate]\n",
         0},
        {"chinese2",
         "\u3010updated_instruction\u3011\nPut A on B.\n\u3010end of updated_instruction\u3011\n\u3010coordinate\u3011\n\u7269\u4f53\u5e95\u90e8\uff1a\uff080.52\uff0c0.56\uff09\n\u3010end of coordinate\u3011",
         0},
        {"spanish",
         PLAN
         "La base del objeto debe estar alrededor de [0.52, 0.56].\n[end of coordinate]\n",
         0},
        {"french",
         PLAN
         "Le bas de l\u2019objet devrait \u00eatre autour de [0.52, 0.56].\n[end of coordinate]\n",
         0},
        {"json_anchor",
         "{\"updated_instruction\": \"Put A on B.\", \"coordinate\": {\"anchor\": \"bottom\", \"x\": 0.52, \"y\": 0.56}}",
         0},
        {"json_anchor2",
         "{\"updated_instruction\": \"Put A on B.\", \"coordinate\": {\"point\": [0.52, 0.56], \"type\": \"bottom\"}}",
         0},
        {"json_anchor3",
         "{\"updated_instruction\": \"Put A on B.\", \"coordinate\": [0.52, 0.56], \"coordinate_is\": \"bottom\"}",
         0},
        {"json_text",
         "{\"updated_instruction\": \"Put A on B.\", \"coordinate\": \"The bottom of the object should be around [0.52, 0.56].\"}",
         0},
        {"json_keys",
         "```json\n{\"Updated Instruction\": \"Put A on B.\", \"Coordinate\": {\"bottom\": [0.52, 0.56]}}\n```",
         0},
        {"json_nested",
         "{\"plan\": {\"reasoning\": \"x\", \"step\": {\"updated_instruction\": \"Put A on B.\", \"coordinate\": \"bottom at [0.52, 0.56]\"}}}",
         0},
        {"yaml",
         "updated_instruction: Put A on B.\ncoordinate: The bottom at [0.52, 0.56]",
         0},
        {"yaml_block",
         "updated_instruction: |\n  Put A on B.\ncoordinate: |\n  The bottom of the object should be around [0.52, 0.56].",
         0},
        {"xml_attr",
         "<updated_instruction>Put A on B.</updated_instruction>\n<coordinate anchor=\"bottom\" x=\"0.52\" y=\"0.56\"/>",
         0},
        {"xml_children",
         "<plan><updated_instruction>Put A on B.</updated_instruction><coordinate><anchor>bottom</anchor><x>0.52</x><y>0.56</y></coordinate></plan>",
         0},
        {"numbered",
         "1. The scene is so.\n2. One edit is left.\n3. [updated_instruction]\n   Put A on B.\n   [end of updated_instruction]\n4. [coordinate]\n   The bottom of the object should be around [0.52, 0.56].\n   [end of coordinate]",
         0},
        {"table",
         "| Field | Value |\n|---|---|\n| updated_instruction | Put A on B. |\n| coordinate | bottom [0.52, 0.56] |",
         0},
        {"table_bold",
         "| **Updated instruction** | Put A on B. |\n|---|---|\n| **Coordinate** | The bottom of the object should be around [0.52, 0.56]. |",
         0},
        {"rule",
         "=== updated_instruction ===\nPut A on B.\n=== end of updated_instruction ===\n=== coordinate ===\nThe bottom of the object should be around [0.52, 0.56].\n=== end of coordinate ===",
         0},
        {"fence_names",
         "```updated_instruction\nPut A on B.\n```\n```coordinate\nThe bottom of the object should be around [0.52, 0.56].\n```",
         0},
        {"latex",
         PLAN
         "The bottom of the object should be around \\([0.52, 0.56]\\).\n[end of coordinate]\n",
         0},
        {"latex2",
         PLAN "$$\\text{bottom} = (0.52,\\ 0.56)$$\n[end of coordinate]\n", 0},
        {"latex3",
         PLAN
         "The bottom: $x \\approx 0.52,\\; y \\approx 0.56$\n[end of coordinate]\n",
         0},
        {"words",
         PLAN
         "The bottom of the object should be around x = 0.52 and y = 0.56 in the image.\n[end of coordinate]\n",
         0},
        {"xy_paren", PLAN "bottom (x: 0.52, y: 0.56)\n[end of coordinate]\n",
         0},
        {"norm",
         PLAN
         "The bottom of the object should be around [0.52, 0.56] (normalized coordinates, 0 to 1).\n[end of coordinate]\n",
         0},
        {"json_target",
         "{\"analysis\": \"x\", \"next_step\": {\"instruction\": \"Put A on B.\", \"target\": {\"type\": \"bottom\", \"position\": [0.52, 0.56]}}}",
         0},
        {"json_bottom_key",
         "{\"instruction\": \"Put A on B.\", \"bottom_coordinate\": [0.52, 0.56]}",
         0},
        {"variables",
         "```python\nupdated_instruction = \"Put A on B.\"\ncoordinate = (0.52, 0.56)  # bottom of the object\n```",
         0},
        {"toml",
         "updated_instruction = \"Put A on B.\"\n\n[coordinate]\nanchor = \"bottom\"\nx = 0.52\ny = 0.56\n",
         0},
        {"approximately",
         "[updated_instruction]\nPut A on B.\n[end of updated_instruction]\n[coordinate]\nx \u2248 0.52 (52 % across), y \u2248 0.56 (56 % down), bottom\n[end of coordinate]",
         0},
        {"html_class",
         "<div class=\"updated_instruction\">Put A on B.</div>\n<div class=\"coordinate\">The bottom at [0.52, 0.56]</div>",
         0},
        {"html_headings",
         "<h3>Updated instruction</h3><p>Put A on B.</p><h3>Coordinate</h3><p>The bottom at [0.52, 0.56].</p>",
         0},
        {"location_label",
         "1. The scene is so.\n2. One edit is left.\n3. **Instruction:** Put A on B.\n4. **Location:** bottom at [0.52, 0.56]",
         0},
        {"numbered_entities",
         "&#91;updated_instruction&#93;\nPut A on B.\n&#91;end of updated_instruction&#93;\n&#x5b;coordinate&#x5D;\nThe bottom at &#91;0.52, 0.56&#93;.\n&#91;end of coordinate&#93;",
         0},
        {"one_line",
         "One edit is left.\n[updated_instruction]Put A on B.[coordinate]The bottom of the object should be around [0.52, 0.56].",
         0},
        {"chinese_marks", "[\u66f4\u65b0\u540e\u7684\u6307\u4ee4]\nPut A on B.\n[\u66f4\u65b0\u540e\u7684\u6307\u4ee4\u7ed3\u675f]\n[\u5750\u6807]\n\u7269\u4f53\u5e95\u90e8\u5e94\u5728 [0.52, 0.56] \u9644\u8fd1\u3002\n[\u5750\u6807\u7ed3\u675f]",
         0},
        {"y_first",
         "[updated_instruction]\nPut A on B.\n[end of updated_instruction]\n[coordinate]\nbottom: (y=0.56, x=0.52)\n[end of coordinate]",
         0},
        {"named_with_digits",
         "[updated_instruction]\nPut A on B.\n[end of updated_instruction]\n[coordinate]\nThe bottom of Bottle.001 should be around 0.52, 0.56.\n[end of coordinate]",
         0},
        {"misspelt_marks",
         "[updated_instuction]\nPut A on B.\n[end of updated_instuction]\n[coordinate]\nThe bottom at [0.52, 0.56].\n[end of coordinate]",
         0},
        {"ruled",
         "---\n**updated_instruction**\nPut A on B.\n---\n**coordinate**\nThe bottom at [0.52, 0.56].\n---",
         0},
        {"image_named",
         PLAN
         "In image 3, the bottom of the object should be around [0.52, 0.56].\n[end of coordinate]\n",
         0},
        {"object_hyphen_numbered",
         PLAN
         "The bottom of Bottle-2 should be around 0.52, 0.56.\n[end of coordinate]\n",
         0},
        {"abbreviated",
         PLAN "The bottom at approx.0.52, approx.0.56\n[end of coordinate]\n",
         0},
        {"object_numbered",
         PLAN
         "The bottom of Bottle_2 should be around [0.52, 0.56].\n[end of coordinate]\n",
         0},
        {"percent_pct", PLAN "bottom at (52 %, 56 %)\n[end of coordinate]\n",
         0},
        {"refusal_mid",
         "I can't see very well, sorry. But:\n[updated_instruction]\nPut A on B.\n[end of updated_instruction]\n[coordinate]\nbottom [0.52, 0.56]\n[end of coordinate]\n",
         0},
        {"echo_template",
         "[updated_instruction]\none object, one sentence\n[end of updated_instruction]\n\nNow filled in:\n[updated_instruction]\nPut A on B.\n[end of updated_instruction]\n[coordinate]\nbottom [0.52, 0.56]\n[end of coordinate]\n",
         0},
        {"placeholder_after",
         PLAN
         "bottom [0.52, 0.56]\n[end of coordinate]\n\nFormat used:\n[updated_instruction]\n...\n[end of updated_instruction]\n[coordinate]\n...\n[end of coordinate]",
         0},
        {"coordinates_plural",
         "[updated_instruction]\nPut A on B.\n[end of updated_instruction]\n[coordinates]\nThe bottom of the object should be around [0.52, 0.56].\n[end of coordinates]",
         0},
        {"one_block",
         "[updated_instruction]\nPut A on B.\n[coordinate]\nThe bottom of the object should be around [0.52, 0.56].\n[end of coordinate]\n[end of updated_instruction]",
         0},
        {"dict_py",
         "{'updated_instruction': 'Put A on B.', 'coordinate': {'bottom': (0.52, 0.56)}}",
         0},
        {"tool_call",
         "<tool_call>\n{\"name\": \"plan\", \"arguments\": {\"updated_instruction\": \"Put A on B.\", \"coordinate\": [0.52, 0.56], \"coordinate_is\": \"bottom\"}}\n</tool_call>",
         0},
        {"bold_colon",
         "**Updated instruction**: Put A on B.\n\n**Coordinate**: The bottom of the object should be around **[0.52, 0.56]**.",
         0},
        {"heading_lines",
         "## Updated Instruction\n\nPut A on B.\n\n## Coordinate\n\nThe bottom of the object should be around [0.52, 0.56].",
         0},
        {"after_think_unclosed",
         "<think>\nI look.\n\n[updated_instruction]\nPut A on B.\n[end of updated_instruction]\n[coordinate]\nbottom [0.52, 0.56]\n[end of coordinate]\n",
         0},
};
static const way no_plans[] = {
    {"bbox",
     PLAN
     "The bottom of the object should be around [0.50, 0.54, 0.54, 0.58].\n[end of coordinate]\n",
     0},
    {"no_point",
     PLAN
     "The bottom of the object should be on the table.\n[end of coordinate]\n",
     0},
};
static const way verdicts[] = {
    {"same_slash",
     "[evaluation]\nvisual_exam: x\nverdict: excellent/excellent\n[end of evaluation]",
     5},
    {"typo",
     "[evaluation]\nvisual_exam: x\nverdict: excelent\n[end of evaluation]", 5},
    {"typo2",
     "[evaluation]\nvisual_exam: x\nverdict: terible\n[end of evaluation]", 1},
    {"german",
     "[evaluation]\nvisual_exam: Die Flasche steht.\nverdict: ausgezeichnet\n[end of evaluation]",
     5},
    {"german_bad",
     "[evaluation]\nvisual_exam: x\nverdict: schlecht\n[end of evaluation]", 2},
    {"chinese",
     "[evaluation]\n\u89c6\u89c9\u68c0\u67e5\uff1a\u74f6\u5b50\u5728\u65b9\u5757\u4e0a\u3002\n\u7ed3\u8bba\uff1a\u4f18\u79c0\n[end of evaluation]",
     5},
    {"chinese2",
     "[evaluation]\nvisual_exam: \u74f6\u5b50\u5728\u65b9\u5757\u4e0a\u3002\nverdict\uff1a\u5dee\n[end of evaluation]",
     2},
    {"chinese3",
     "\u3010evaluation\u3011\nvisual_exam\uff1a\u74f6\u5b50\u5728\u65b9\u5757\u4e0a\u3002\nverdict\uff1aexcellent\n\u3010end of evaluation\u3011",
     5},
    {"chinese_both",
     "[evaluation]\nvisual_exam: x\nverdict: excellent\uff08\u4f18\u79c0\uff09\n[end of evaluation]",
     5},
    {"french",
     "[evaluation]\nvisual_exam: x\nverdict : excellent\n[end of evaluation]",
     5},
    {"spanish",
     "[evaluation]\nvisual_exam: x\nveredicto: excelente\n[end of evaluation]",
     5},
    {"would", "I would rate this placement as excellent.", 5},
    {"would2", "The bottle stands on the block. I rate it good.", 4},
    {"rated", "The bottle leans. Rating: **bad**", 2},
    {"score_word",
     "[evaluation]\nvisual_exam: x\nverdict: 5 (excellent)\n[end of evaluation]",
     5},
    {"score_word2",
     "[evaluation]\nvisual_exam: x\nverdict: excellent (5/5)\n[end of evaluation]",
     5},
    {"emoji",
     "[evaluation]\nvisual_exam: x\nverdict: \u2705 excellent\n[end of evaluation]",
     5},
    {"upper",
     "[evaluation]\nVISUAL_EXAM: x\nVERDICT: EXCELLENT\n[end of evaluation]",
     5},
    {"json_nested",
     "{\"evaluation\": {\"visual_exam\": \"x\", \"verdict\": \"excellent\"}}",
     5},
    {"json_list", "[{\"visual_exam\": \"x\", \"verdict\": \"excellent\"}]", 5},
    {"json_rating", "{\"visual_exam\": \"x\", \"rating\": \"excellent\"}", 5},
    {"json_broken",
     "{\"visual_exam\": \"the \"red\" bottle stands\", \"verdict\": \"excellent\"}",
     5},
    {"json_newline",
     "{\"visual_exam\": \"it stands\nthere\", \"verdict\": \"excellent\"}", 5},
    {"json_cut", "{\"visual_exam\": \"it stands\", \"verdict\": \"excellent\"",
     5},
    {"yaml", "evaluation:\n  visual_exam: x\n  verdict: excellent", 5},
    {"xml_attr", "<evaluation visual_exam=\"x\" verdict=\"excellent\"/>", 5},
    {"xml", "<verdict>excellent</verdict>", 5},
    {"table",
     "| Criterion | Result |\n|---|---|\n| visual_exam | x |\n| verdict | **excellent** |",
     5},
    {"boxed",
     "[evaluation]\nvisual_exam: x\n[end of evaluation]\n\\boxed{excellent}",
     5},
    {"dot_end",
     "[evaluation]\nvisual_exam: x\nverdict: excellent.\n[end of evaluation]",
     5},
    {"sentence",
     "[evaluation]\nvisual_exam: x\nverdict: The edit is excellent.\n[end of evaluation]",
     5},
    {"i_think",
     "[evaluation]\nvisual_exam: x\nverdict: I would say excellent\n[end of evaluation]",
     5},
    {"new_line_bold", "**Visual exam:** x\n\n**Verdict:**\n\n**Excellent**", 5},
    {"final_only", "Final verdict \u2014 excellent", 5},
    {"no_exam", "verdict: excellent", 5},
    {"label_bracket",
     "[visual_exam]\nx\n[end of visual_exam]\n[verdict]\nexcellent\n[end of verdict]",
     5},
    {"label_bracket2",
     "[evaluation]\n[visual_exam] x\n[verdict] excellent\n[end of evaluation]",
     5},
    {"angle", "<visual_exam>x</visual_exam><verdict>excellent</verdict>", 5},
    {"quoted",
     "[evaluation]\nvisual_exam: \"x\"\nverdict: \"excellent\"\n[end of evaluation]",
     5},
    {"guillemet",
     "[evaluation]\nvisual_exam: \u00abx\u00bb\nverdict: \u00abexcellent\u00bb\n[end of evaluation]",
     5},
    {"revised",
     "[evaluation]\nvisual_exam: x\nverdict: excellent \u2192 revised to good\n[end of evaluation]",
     4},
    {"therefore",
     "[evaluation]\nvisual_exam: x\nverdict: excellent except for the heading, therefore good\n[end of evaluation]",
     4},
    {"so",
     "[evaluation]\nvisual_exam: x\nverdict: somewhere between good and fair, so fair\n[end of evaluation]",
     3},
    {"not_but",
     "[evaluation]\nvisual_exam: x\nverdict: The verdict is not terrible; it is fair.\n[end of evaluation]",
     3},
    {"no_longer",
     "[evaluation]\nvisual_exam: x\nverdict: no longer excellent, only fair\n[end of evaluation]",
     3},
    {"neither",
     "[evaluation]\nvisual_exam: x\nverdict: neither excellent nor good, just fair\n[end of evaluation]",
     3},
    {"as_it_is",
     "[evaluation]\nvisual_exam: x\nverdict: would be excellent if it were turned; as it is, fair\n[end of evaluation]",
     3},
    {"almost",
     "[evaluation]\nvisual_exam: x\nverdict: almost excellent: good\n[end of evaluation]",
     4},
    {"isnt",
     "[evaluation]\nvisual_exam: x\nverdict: isn't bad, it's good\n[end of evaluation]",
     4},
    {"choice_then",
     "[evaluation]\nvisual_exam: x\nverdict: one of excellent, good, fair, bad, terrible: good\n[end of evaluation]",
     4},
    {"good_checked",
     "[evaluation]\nvisual_exam: x\nverdict: \n- [ ] excellent\n- [x] good\n- [ ] fair\n- [ ] bad\n- [ ] terrible\n[end of evaluation]",
     4},
    {"good_checked_line",
     "[evaluation]\nvisual_exam: x\nverdict: [ ] excellent [x] good [ ] fair [ ] bad [ ] terrible\n[end of evaluation]",
     4},
    {"would_be", "My verdict would be: fair.", 3},
    {"boxed_at_end", "It stands on the block. $\\boxed{\\text{good}}$", 4},
    {"worse_than",
     "[evaluation]\nvisual_exam: x\nverdict: worse than fair: bad\n[end of evaluation]",
     2},
    {"no_collision",
     "[evaluation]\nvisual_exam: x\nverdict: no collision, excellent\n[end of evaluation]",
     5},
    {"close_by",
     "[evaluation]\nvisual_exam: x\nverdict: it stands close to the corner, excellent\n[end of evaluation]",
     5},
    {"better_than",
     "[evaluation]\nvisual_exam: x\nverdict: better than fair, so good\n[end of evaluation]",
     4},
    {"exam_says_bad",
     "[evaluation]\nvisual_exam: no bad contact, nothing terrible\nverdict: excellent\n[end of evaluation]",
     5},
    {"echo_choice_then",
     "[evaluation]\nvisual_exam: what you saw, in one or two sentences\nverdict: one of excellent, good, fair, bad, terrible\n[end of evaluation]\n[evaluation]\nvisual_exam: x\nverdict: excellent\n[end of evaluation]",
     5},
    {"choice_marked",
     "[evaluation]\nvisual_exam: x\nverdict: [x] excellent [ ] good [ ] fair [ ] bad [ ] terrible\n[end of evaluation]",
     5},
    {"choice_marked2",
     "[evaluation]\nvisual_exam: x\nverdict:\n- [x] excellent\n- [ ] good\n- [ ] fair\n- [ ] bad\n- [ ] terrible\n[end of evaluation]",
     5},
    {"rather",
     "[evaluation]\nvisual_exam: x\nverdict: excellent, since nothing is wrong\n[end of evaluation]",
     5},
    {"instead",
     "[evaluation]\nvisual_exam: x\nverdict: bad because it stands on the floor, not the table\n[end of evaluation]",
     2},
    {"trailing_json",
     "[evaluation]\nvisual_exam: x\nverdict: excellent\n[end of evaluation]\n{\"confidence\": 0.9}",
     5},
    {"tool_call",
     "<tool_call>\n{\"name\": \"evaluation\", \"arguments\": {\"visual_exam\": \"x\", \"verdict\": \"excellent\"}}\n</tool_call>",
     5},
    {"python", "evaluation(visual_exam=\"x\", verdict=\"excellent\")", 5},
};
static const way no_verdicts[] = {
    {"numeric", "[evaluation]\nvisual_exam: x\nverdict: 2\n[end of evaluation]",
     0},
    {"range",
     "[evaluation]\nvisual_exam: x\nverdict: good to excellent\n[end of evaluation]",
     0},
    {"between",
     "[evaluation]\nvisual_exam: x\nverdict: between good and excellent\n[end of evaluation]",
     0},
    {"not",
     "[evaluation]\nvisual_exam: x\nverdict: not excellent\n[end of evaluation]",
     0},
    {"template",
     "[evaluation]\nvisual_exam: what you saw\nverdict: one of excellent, good, fair, bad, terrible\n[end of evaluation]",
     0},
    {"two", "The edit is good. Then again it is bad.", 0},
    {"story", "A good model would place it better.", 0},
    {"anything_but",
     "[evaluation]\nvisual_exam: x\nverdict: anything but excellent\n[end of evaluation]",
     0},
    {"far_from",
     "[evaluation]\nvisual_exam: x\nverdict: far from good\n[end of evaluation]",
     0},
    {"none_checked",
     "[evaluation]\nvisual_exam: x\nverdict: [ ] excellent [ ] good [ ] fair [ ] bad [ ] terrible\n[end of evaluation]",
     0},
    {"then_denied",
     "[evaluation]\nvisual_exam: x\nverdict: not excellent, and not good\n[end of evaluation]",
     0},
    {"does_not_look",
     "[evaluation]\nvisual_exam: x\nverdict: it doesn't look good\n[end of evaluation]",
     0},
    {"if_it_were",
     "[evaluation]\nvisual_exam: x\nverdict: if it were upright, excellent\n[end of evaluation]",
     0},
    {"close_to",
     "[evaluation]\nvisual_exam: x\nverdict: close to excellent\n[end of evaluation]",
     0},
    {"short_of",
     "[evaluation]\nvisual_exam: x\nverdict: short of excellent\n[end of evaluation]",
     0},
    {"below",
     "[evaluation]\nvisual_exam: x\nverdict: below good\n[end of evaluation]",
     0},
    {"opposite",
     "[evaluation]\nvisual_exam: x\nverdict: the opposite of good\n[end of evaluation]",
     0},
    {"failed_to_be",
     "[evaluation]\nvisual_exam: x\nverdict: failed to be excellent\n[end of evaluation]",
     0},
    {"question",
     "[evaluation]\nvisual_exam: x\nverdict: excellent?\n[end of evaluation]",
     0},
};

static bool reads_rows(const char *text)
{
    etna_arena arena = ETNA_ARENA_INIT;
    executor_result result = {0};
    bool same = executor_read(text, NULL, &arena, &result, NULL) == ETNA_OK &&
                strcmp(result.constraints, ROWS) == 0;
    etna_arena_free(&arena);
    return same;
}

static bool reads_any_rows(const char *text)
{
    etna_arena arena = ETNA_ARENA_INIT;
    executor_result result = {0};
    bool is_read = executor_read(text, NULL, &arena, &result, NULL) == ETNA_OK;
    etna_arena_free(&arena);
    return is_read;
}

static void rows_are_read_in_whatever_form_they_come(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!reads_rows(rows[i].text))
            fail_msg("%s is not read", rows[i].name);
    }
    for (size_t i = 0; i < sizeof no_rows / sizeof *no_rows; i++) {
        if (reads_any_rows(no_rows[i].text))
            fail_msg("%s is read", no_rows[i].name);
    }
}

static void plans_are_read_in_whatever_form_they_come(void **state)
{
    (void)state;
    etna_arena arena = ETNA_ARENA_INIT;
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++) {
        planner_result result = {.status = PLAN_MALFORMED};
        etna_error err = {0};
        etna_code code =
            planner_read(plans[i].text, NULL, &arena, &result, &err);
        if (code != ETNA_OK || result.status != PLAN_EDIT)
            fail_msg("%s: %s", plans[i].name, err.text);
        assert_string_equal(result.instruction, "Put A on B.");
        assert_true(result.coordinate_is_bottom);
        if (result.coordinate[0] != 0.52 || result.coordinate[1] != 0.56)
            fail_msg("%s: at %g, %g", plans[i].name, result.coordinate[0],
                     result.coordinate[1]);
    }
    for (size_t i = 0; i < sizeof no_plans / sizeof *no_plans; i++) {
        planner_result result;
        assert_int_equal(
            planner_read(no_plans[i].text, NULL, &arena, &result, NULL),
            ETNA_E_INPUT);
    }
    etna_arena_free(&arena);
}

static void verdicts_are_read_in_whatever_form_they_come(void **state)
{
    (void)state;
    etna_arena arena = ETNA_ARENA_INIT;
    for (size_t i = 0; i < sizeof verdicts / sizeof *verdicts; i++) {
        evaluator_result result = {.verdict = VERDICT_ABSTAIN};
        etna_error err = {0};
        (void)evaluator_read(verdicts[i].text, &arena, &result, &err);
        if ((int)result.verdict != verdicts[i].verdict)
            fail_msg("%s: %s %s", verdicts[i].name,
                     arrange_verdict_name(result.verdict), err.text);
    }
    for (size_t i = 0; i < sizeof no_verdicts / sizeof *no_verdicts; i++) {
        evaluator_result result;
        if (evaluator_read(no_verdicts[i].text, &arena, &result, NULL) ==
            ETNA_OK)
            fail_msg("%s is read", no_verdicts[i].name);
    }
    etna_arena_free(&arena);
}

/* "0,52" may be one number or two: nothing is made of it, however often it is
 * said. */
static void a_comma_within_a_number_parts_no_two(void **state)
{
    (void)state;
    etna_arena arena = ETNA_ARENA_INIT;
    picture_scale scale = {.known = COORDINATES_UNKNOWN};
    planner_result result;
    for (int turn = 0; turn < 3; turn++) {
        assert_int_equal(
            planner_read(PLAN "Bottom: (0,52 | 0,56)\n[end of coordinate]",
                         &scale, &arena, &result, NULL),
            ETNA_E_INPUT);
    }
    etna_arena_free(&arena);
}

/* What says neither bottom nor center is asked for, and told how it will be
 * read; what says another part never is. */
static void a_place_without_a_word_of_its_part_is_the_bottom_once_that_was_said(
    void **state)
{
    (void)state;
    etna_arena arena = ETNA_ARENA_INIT;
    picture_scale scale = {.known = COORDINATES_UNKNOWN};
    planner_result result;
    etna_error err;
    for (int turn = 0; turn < 2; turn++) {
        assert_int_equal(
            planner_read(PLAN "the upper edge [0.5, 0.5]\n[end of coordinate]",
                         &scale, &arena, &result, NULL),
            ETNA_E_INPUT);
    }
    assert_int_equal(planner_read(PLAN "[0.52, 0.56]\n[end of coordinate]",
                                  &scale, &arena, &result, &err),
                     ETNA_E_INPUT);
    assert_non_null(strstr(err.text, "the bottom will be meant"));
    assert_int_equal(planner_read(PLAN "[0.52, 0.56]\n[end of coordinate]",
                                  &scale, &arena, &result, &err),
                     ETNA_OK);
    assert_true(result.coordinate_is_bottom);
    etna_arena_free(&arena);
}

/* A box says no point; whoever writes one again, told that its middle will be
 * meant, means that. */
static void of_a_box_the_middle_is_meant_once_that_was_said(void **state)
{
    (void)state;
    static const char plan[] = PLAN
        "The bottom of the object should be around [0.48, 0.52, 0.56, 0.60].\n[end of coordinate]";
    static const char constraints[] =
        "[constraints]\n[\"ObjectName\", \"Cup\"],\n[\"CloseToPix\", \"down\", [0.4, 0.2, 0.6, 0.3]],\n"
        "[\"Contact\", \"down\", \"Desk_1\"]\n[end of constraints]\n<completion>";
    etna_arena arena = ETNA_ARENA_INIT;
    picture_scale scale = {.known = COORDINATES_UNKNOWN}, other = scale;
    planner_result result;
    executor_result rows_read;
    etna_error err;
    assert_int_equal(planner_read(plan, &scale, &arena, &result, &err),
                     ETNA_E_INPUT);
    assert_non_null(strstr(err.text, "its middle will be meant"));
    assert_int_equal(planner_read(plan, &scale, &arena, &result, &err),
                     ETNA_OK);
    assert_true(fabs(result.coordinate[0] - 0.52) < 1e-9);
    assert_true(fabs(result.coordinate[1] - 0.56) < 1e-9);
    assert_int_equal(
        executor_read(constraints, &other, &arena, &rows_read, &err),
        ETNA_E_INPUT);
    assert_non_null(strstr(err.text, "its middle will be meant"));
    assert_int_equal(
        executor_read(constraints, &other, &arena, &rows_read, &err), ETNA_OK);
    assert_string_equal(rows_read.constraints, ROWS);
    etna_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_read_in_whatever_form_they_come),
        cmocka_unit_test(plans_are_read_in_whatever_form_they_come),
        cmocka_unit_test(verdicts_are_read_in_whatever_form_they_come),
        cmocka_unit_test(a_comma_within_a_number_parts_no_two),
        cmocka_unit_test(
            a_place_without_a_word_of_its_part_is_the_bottom_once_that_was_said),
        cmocka_unit_test(of_a_box_the_middle_is_meant_once_that_was_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
