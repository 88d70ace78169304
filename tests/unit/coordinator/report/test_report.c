/* What a person reads of a run: why it ended so and what to try, constraints in
 * words, the page that can be sent, the tree. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "coordinator/report/constraint_text.h"
#include "coordinator/report/failure_report.h"
#include "coordinator/report/report.h"
#include "coordinator/report/run_json.h"
#include "coordinator/report/tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- words ---- */

static void reads(const char *constraint, const char *wanted)
{
    json_t *c = json_loads(constraint, 0, NULL);
    page words = {0};
    assert_true(constraint_text_add(&words, c));
    assert_string_equal(words.data, wanted);
    page_free(&words);
    json_decref(c);
}

static void constraints_read_as_words(void **state)
{
    (void)state;
    reads("[\"ObjectName\",\"Mug\"]", "moves Mug");
    reads("[\"CloseToPix\",\"down\",[0.64,0.42]]",
          "bottom at pixel (0.64, 0.42)");
    reads("[\"CloseToPix\",\"center\",[0.5,0.25]]",
          "centre at pixel (0.50, 0.25)");
    reads("[\"Contact\",\"down\",\"Yellow Block_14\"]",
          "stands on Yellow Block's plane 14");
    reads("[\"Contact\",\"side\",\"Wall_3\"]", "is set against Wall's plane 3");
    reads("[\"Contact\",\"down\",\"Desk_up\"]", "stands on the top of Desk");
    reads("[\"NoOverhang\",\"down\",\"Table_1_7\",\"full_only\"]",
          "nothing overhangs Table_1's plane 7");
    reads("[\"NoOverhang\",\"down\",\"Book#7\",\"center\"]",
          "its middle stays on Book's plane 7 (it may overhang there)");
    reads("[\"Distance\",\"Sofa\",0.3]", "its centre 0.30 m from that of Sofa");
    reads("[\"FaceTo\",\"camera\"]", "its front to the camera");
    reads("[\"BackTo\",\"Wall_3\"]", "its back to Wall's plane 3");
    reads("[\"Rotate\",90]", "turned by 90 degrees");
    static const char *const none[] = {"[\"Fly\"]", "[]", "{}", "[7]"};
    for (size_t i = 0; i < 4; i++) {
        json_t *c = json_loads(none[i], 0, NULL);
        page words = {0};
        assert_false(constraint_text_add(&words, c));
        assert_null(words.data);
        json_decref(c);
    }
    page odd = {0};
    /* half a constraint is no crash */
    reads("[\"Contact\",\"down\"]", "stands on ");
    constraint_text_plane(&odd, "_");
    constraint_text_plane(&odd, "Mug_");
    assert_string_equal(odd.data, "_Mug_");
    page_free(&odd);
}

/* ---- why ---- */

/* A document of one failed step whose plan is `plan` and says `planned`, and
 * whose branches came to `status`. It ended because the step failed as it did
 * before. */
static json_t *failed(const char *plan,
                      const char *planned,
                      const char *status,
                      const char *object,
                      const char *reason)
{
    json_t *branches = json_array(), *tree;
    for (int i = 0; i < 4; i++) {
        json_array_append_new(
            branches, json_pack("{s:i,s:s,s:s,s:s,s:s,s:s,s:f,s:[]}", "branch",
                                i, "state", "failed", "status", status,
                                "object", object, "plane", "Tablet_14",
                                "reason", reason, "mean", 0.0, "evaluations"));
    }
    tree = json_pack(
        "[{s:i,s:i,s:i,s:i,s:s,s:s,s:s,s:s,s:s,s:s,s:n,s:n,s:f,s:f,s:o}]",
        "node", 1, "parent", 0, "step", 1, "anchor", 1, "state", "failed",
        "plan", plan, "instruction", "Put it there.", "reason", planned,
        "plan_reason", planned, "failure",
        strcmp(plan, "edit") ? "impossible" : "branches", "winner", "snapshot",
        "begun_s", 1.0, "decided_s", 2.5, "branches", branches);
    return json_pack(
        "{s:s,s:s,s:s,s:{s:s,s:i},s:i,s:s,s:s,s:[],s:i,s:f,s:o,s:{s:i,s:i,s:i,s:f}}",
        "run", "00112233445566778899aabbccddeeff", "status", "failed", "reason",
        "step 1 failed exactly as it did before (node 1): ...", "end", "kind",
        "identical_failure", "node", 1, "exit_code", 1, "scene", "room.glb",
        "goal", "Put it there", "steps", "backtracks", 1, "wall_s", 2.5, "tree",
        tree, "limits", "backtracks", 8, "max_steps", 6, "max_tokens", 1000,
        "max_wall_s", 60.0);
}

/* The same with an obstacle of every branch; `others` is an array's text. */
static json_t *blocked(json_t *document,
                       const char *kind,
                       const char *plane,
                       const char *others)
{
    json_t *node = json_array_get(json_object_get(document, "tree"), 0),
           *branch;
    size_t i;
    json_array_foreach(json_object_get(node, "branches"), i, branch)
    {
        json_t *obstacle =
            json_pack("{s:s,s:s,s:o}", "kind", kind, "plane", plane, "others",
                      json_loads(others, 0, NULL));
        json_object_set_new(branch, "obstacle", obstacle);
    }
    return document;
}

static json_t *ended(json_t *document, const char *kind, const char *cap)
{
    json_object_set_new(document, "end",
                        json_pack("{s:s,s:s}", "kind", kind, "cap", cap));
    return document;
}

static const char *why_of(json_t *document)
{
    return json_string_value(json_object_get(document, "why"));
}

static bool advises(json_t *document, const char *piece)
{
    json_t *one, *list = json_object_get(document, "advice");
    size_t i;
    json_array_foreach(list, i, one)
    {
        if (strstr(json_string_value(one), piece))
            return true;
    }
    return false;
}

static void tells(json_t *document, const char *why, const char *advice)
{
    failure_report_add(document);
    assert_string_equal(why_of(document), why);
    if (advice && !advises(document, advice))
        fail_msg("\"%s\" is not advised for: %s", advice, why);
    if (!advice)
        assert_int_equal(json_array_size(json_object_get(document, "advice")),
                         0);
    json_decref(document);
}

static json_t *with(json_t *document, const char *key, const char *value)
{
    json_object_set_new(document, key, json_string(value));
    return document;
}

static json_t *because(json_t *document,
                       const char *code,
                       const char *what,
                       const char *advice)
{
    json_object_set_new(
        document, "failure",
        json_pack("{s:s,s:s,s:s}", "code", code, "what", what, "do", advice));
    return document;
}

static void each_failure_is_told_with_what_to_try(void **state)
{
    (void)state;
    static const char none[] = "no branch was accepted; ...";
    tells(
        failed("impossible",
               "There is no free place for Mug on Shelf that the camera sees.",
               "", "", ""),
        "step 1 could not be done: there is no free place for Mug on Shelf that the camera sees",
        NULL);
    tells(because(failed("impossible", "There is no free place for Mug.", "",
                         "", ""),
                  "no_place", "the shelf is full", ""),
          "step 1 could not be done: the shelf is full", "--camera");
    tells(because(failed("impossible", "No.", "", "", ""), "no_place",
                  "Wall leaves no room there.", "Choose another side of it."),
          "step 1 could not be done: Wall leaves no room there",
          "another side of it");
    tells(because(failed("impossible", "No.", "", "", ""), "impossible",
                  "The goal needs 9 more edits.",
                  "Allow more edits: --max-steps 9."),
          "step 1 could not be done: The goal needs 9 more edits",
          "--max-steps 9");
    tells(
        blocked(failed("edit", none, "collision", "Mug", "x"), "taken", "",
                "[\"Cup\", \"Jar\"]"),
        "step 1 could not be done: every place tried for Mug is taken by Cup, Jar",
        "move Cup, Jar out of the way");
    tells(
        blocked(failed("edit", none, "collision", "Mug", "x"), "taken", "",
                "[\"A\", \"B\", \"C\", \"D\"]"),
        "step 1 could not be done: every place tried for Mug is taken by A, B, C and others",
        "A, B, C and others out");
    tells(
        failed("edit", none, "collision", "Mug",
               "all collide: with \"Cup\" (2); move what is in the way"),
        "step 1 could not be done: every place tried for Mug is taken by something else",
        "Clear the place first");
    tells(
        blocked(failed("edit", none, "floating", "Sofa", "x"), "unsteady", "",
                "[]"),
        "step 1 could not be done: Sofa would be left without firm support on Tablet's plane 14",
        "larger, flatter surface");
    /* what a real checker says names the moved thing, too */
    tells(
        blocked(failed("edit", none, "floating", "Tray",
                       "what stands on or over \"Tray\" must be moved first"),
                "burden", "", "[\"Cup\", \"Jar\"]"),
        "step 1 could not be done: moving Tray would leave Cup, Jar without support",
        "Move Cup, Jar first");
    tells(blocked(failed("edit", none, "unsolved", "Sofa", "x"), "too_wide",
                  "Tablet_14", "[]"),
          "step 1 could not be done: Sofa is too large for Tablet's plane 14",
          "bigger or emptier surface");
    tells(
        blocked(failed("edit", none, "unsolved", "Sofa", "x"), "edge",
                "Tablet_14", "[]"),
        "step 1 could not be done: Sofa would hang over the edge of Tablet's plane 14 at every place tried",
        "bigger or emptier surface");
    tells(
        blocked(failed("edit", none, "unsolved", "Sofa",
                       "Distance: 1 m off; drop it"),
                "constraint", "", "[]"),
        "step 1 could not be done: no place for Sofa meets every constraint (Distance: 1 m off)",
        "less exactly");
    tells(
        failed("edit", none, "malformed", "",
               "there is no [constraints] block"),
        "step 1 could not be done: the model's answer could not be used (there is no [constraints] block)",
        "--model");
    tells(
        ended(blocked(failed("edit", none, "collision", "Mug", "x"), "taken",
                      "", "[\"Cup\"]"),
              "cap", "backtracks"),
        "it went back 1 time, as often as it may, and found no way; step 1 could not be done: every place tried for Mug is taken by Cup",
        "--backtracks 16");
    tells(
        ended(failed("edit", none, "repeated", "Mug", "again"), "cap",
              "tokens"),
        "it used the 1000 tokens it was given; step 1 could not be done: for Mug only a place was found that had been given up before",
        "--max-tokens 2000");
    tells(
        ended(failed("edit", none, "repeated", "Mug", "again"), "cap",
              "wall_time"),
        "it used the 60 s it was given; step 1 could not be done: for Mug only a place was found that had been given up before",
        "--max-wall 120");
}

/* The same step failed for the same reason again and again: to go back more
 * often is no advice. */
static void an_obstacle_met_every_time_is_told_as_such(void **state)
{
    (void)state;
    json_t *d =
        ended(failed("impossible", "There is no free place for Box on Mug.", "",
                     "", ""),
              "cap", "backtracks");
    d = because(d, "no_place", "There is no free place for Box on Mug.", "");
    json_t *tree = json_object_get(d, "tree"),
           *again = json_deep_copy(json_array_get(tree, 0));
    json_array_append_new(tree, again);
    json_t *other = json_deep_copy(d);
    failure_report_add(d);
    assert_string_equal(
        why_of(d),
        "it went back 1 time, as often as it may, and met the same obstacle every time; "
        "step 1 could not be done: there is no free place for Box on Mug");
    assert_false(advises(d, "--backtracks"));
    assert_true(advises(d, "bigger or emptier surface"));
    json_t *refused = json_array_get(json_object_get(other, "tree"), 0);
    json_object_set_new(refused, "plan_reason",
                        json_string("There is no free place for Box on Desk."));
    failure_report_add(other);
    assert_true(advises(other, "--backtracks 16"));
    /* what is counted in the words makes no other obstacle */
    json_t *unrefused = json_array_get(json_object_get(other, "tree"), 1);
    json_object_set_new(
        refused, "refusal",
        json_pack("{s:s,s:s}", "code", "no_place", "where", "Mug"));
    json_object_set_new(
        unrefused, "refusal",
        json_pack("{s:s,s:s}", "code", "no_place", "where", "Mug"));
    failure_report_add(other);
    assert_false(advises(other, "--backtracks"));
    json_decref(d);
    json_decref(other);
}

static void what_was_not_understood_is_named(void **state)
{
    (void)state;
    json_t *d = ended(failed("unreadable", "", "", "", ""), "unreadable", "");
    json_object_set_new(d, "exit_code", json_integer(3));
    tells(
        because(d, "unread",
                "Cannot read \"Blorp it\": it does not begin with put.", ""),
        "the instruction was not understood: Cannot read \"Blorp it\": it does not begin with put",
        "--model");
    d = ended(failed("unreadable", "", "", "", ""), "unreadable", "");
    tells(because(d, "impossible",
                  "Wall is a fixed part of the scene and cannot be moved.",
                  "Name something that can be moved."),
          "Wall is a fixed part of the scene and cannot be moved",
          "can be moved");
    tells(with(failed("edit", "", "", "", ""), "status", "complete"), "", NULL);
    json_t *bare = json_pack("{s:s}", "status", "failed");
    tells(bare, "", NULL); /* a document from elsewhere may lack anything */
}

/* ---- the page ---- */

static void escaping(void **state)
{
    (void)state;
    page p = {0};
    page_text(&p, "<b a=\"1\">&'\033[1m\xe2\x80\xae");
    assert_string_equal(p.data,
                        "&lt;b a=&quot;1&quot;&gt;&amp;&#39;\\x1b[1m\\u202e");
    page_free(&p);
    static const char *const pairs[][2] = {
        {"", ""},        {"f", "Zg=="},        {"fo", "Zm8="},
        {"foo", "Zm9v"}, {"foob", "Zm9vYg=="}, {"\xff\xfe\xfd", "//79"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        page_base64(&p, (const uint8_t *)pairs[i][0], strlen(pairs[i][0]));
        assert_string_equal(p.data ? p.data : "", pairs[i][1]);
        page_free(&p);
    }
}

/* A blob by its hash: its first byte says which. 0: there is none; 1: a PNG's
 * head; 2: something else. */
static etna_code fetch(void *context,
                       const etna_hash *hash,
                       uint8_t **ret_data,
                       size_t *ret_size,
                       etna_error *err)
{
    static const uint8_t png[32] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n',
                                    0,    0,   0,   13,  'I',  'H',  'D',  'R',
                                    0,    0,   1,   0,   0,    0,    0,    64};
    (void)context;
    if (!hash->bytes[0])
        return etna_fail(err, ETNA_E_NOTFOUND, "no such blob");
    *ret_data = calloc(1, sizeof png);
    if (hash->bytes[0] == 1)
        memcpy(*ret_data, png, sizeof png);
    *ret_size = sizeof png;
    return ETNA_OK;
}

static size_t times(const char *text, const char *piece)
{
    size_t count = 0;
    for (; (text = strstr(text, piece)); text += strlen(piece))
        count++;
    return count;
}

static void a_hostile_run_stays_text(void **state)
{
    (void)state;
    static const char evil[] =
        "</title><script>alert(1)</script><img src=http://x/ onerror=\"x\">";
    json_t *d = failed("edit", evil, "collision", evil, evil),
           *blobs = json_array();
    static const char *const keys[] = {"goal", "scene", "status",
                                       "run",  "model", "reason"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        json_object_set_new(d, keys[i], json_string(evil));
    json_object_set_new(d, "why", json_string(evil));
    json_object_set_new(d, "advice", json_pack("[s,i]", evil, 7));
    json_object_set_new(d, "warnings", json_pack("[s]", evil));
    json_object_set_new(
        d, "steps",
        json_pack("[{s:s,s:s}]", "instruction", evil, "object", evil));
    for (int i = 0; i < 3; i++) {
        char hex[65];
        snprintf(hex, sizeof hex, "%02x%062d", 1 + i % 2, 1);
        json_array_append_new(blobs, json_string(hex));
    }
    json_array_append_new(blobs, json_string("no hash"));
    json_object_set_new(d, "image_blobs", blobs);
    page p = {0};
    assert_int_equal(report_page(d, fetch, NULL, &p, NULL), ETNA_OK);
    assert_null(strstr(p.data, "<script"));
    assert_null(strstr(p.data, "<img src"));
    assert_non_null(strstr(p.data, "&lt;script&gt;"));
    assert_non_null(
        strstr(p.data,
               "default-src 'none'; img-src data:; style-src 'unsafe-inline'"));
    assert_int_equal(times(p.data, "src=\""),
                     /* nothing from elsewhere */
                     times(p.data, "src=\"data:image/png;base64,"));
    page_free(&p);
    json_decref(d);
    static const char *const odd[] = {
        "{}",
        "{\"steps\":[1,null],\"tree\":[null,{\"parent\":-5,\"step\":999999999,\"branches\":7}],\"image_blobs\":[{}]}",
        "{\"steps\":7,\"tree\":{},\"advice\":{}}"};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        d = json_loads(odd[i], 0, NULL);
        assert_int_equal(report_page(d, fetch, NULL, &p, NULL), ETNA_OK);
        page_free(&p);
        json_decref(d);
    }
}

/* In this order: the sentence, both pictures, what moved and why; each picture
 * once, all before the first step. */
static void the_first_screen_tells_the_sentence_the_pictures_and_the_moves(
    void **state)
{
    (void)state;
    json_t *d = json_pack(
        "{s:s,s:s,s:[{s:s,s:s,s:s},{s:s,s:s,s:s}],s:[{s:i,s:s,s:i,s:[{s:[{s:s,s:s}]}]}]}",
        "status", "complete", "goal", "Tidy <up>", "steps", "instruction",
        "Put the cup away.", "object", "cup", "snapshot", "aa", "instruction",
        "Put the <b>jug</b> away.", "object", "jug", "snapshot", "bb", "tree",
        "step", 1, "snapshot", "aa", "winner", 0, "branches", "evaluations",
        "verdict", "good", "text", "cup stands in the cupboard.");
    json_t *blobs = json_array();
    for (int i = 0; i < 3; i++) {
        char hex[65];
        snprintf(hex, sizeof hex, "01%062d", i);
        json_array_append_new(blobs, json_string(hex));
    }
    json_object_set_new(d, "image_blobs", blobs);
    page p = {0};
    assert_int_equal(report_page(d, fetch, NULL, &p, NULL), ETNA_OK);
    const char *const order[] = {
        "Tidy &lt;up&gt;</h1>",
        "Before: the scene",
        "After all edits",
        "What moved, and why",
        "<b>cup</b>",
        "cup stands in the cupboard.",
        "<b>jug</b>: Put the &lt;b&gt;jug&lt;/b&gt; away.",
        "id=\"step-1\"",
        "After this step",
        "id=\"step-2\""};
    const char *at = strstr(p.data, "<h1>");
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        const char *next = strstr(at, order[i]);
        if (!next)
            fail_msg("not there, or too early: %s", order[i]);
        at = next;
    }
    assert_int_equal(times(p.data, "src=\"data:image/"), 3);
    page_free(&p);
    json_decref(d);
}

static void a_failed_run_says_why_on_its_page(void **state)
{
    (void)state;
    json_t *d =
        failed("edit", "no branch was accepted; ...", "floating", "Sofa",
               "after the edit \"Sofa\" is without support; choose");
    page p = {0};
    failure_report_add(d);
    assert_int_equal(report_page(d, NULL, NULL, &p, NULL), ETNA_OK);
    assert_non_null(strstr(p.data, "Nothing was changed"));
    assert_non_null(strstr(
        p.data,
        "Step 1 could not be done: Sofa would be left without firm support on Tablet&#39;s plane 14."));
    assert_non_null(strstr(p.data, "What to try next"));
    /* what they agree on is told once */
    assert_non_null(strstr(p.data, "branch 0, 1, 2, 3"));
    assert_int_equal(times(p.data, "is without support"), 1);
    page_free(&p);
    json_decref(d);
}

/* ---- the tree ---- */

static json_t *node(
    int number, int parent, int step, int anchor, const char *is)
{
    return json_pack("{s:i,s:i,s:i,s:i,s:s,s:s,s:s,s:f,s:f,s:[]}", "node",
                     number, "parent", parent, "step", step, "anchor", anchor,
                     "state", is, "instruction", "go\033[2J", "reason", "",
                     "begun_s", 1.0, "decided_s", 1.5, "branches");
}

static void the_tree_shows_where_the_search_went_back(void **state)
{
    (void)state;
    json_t *d = json_object(), *tree = json_array();
    json_array_append_new(tree, node(1, 0, 1, 1, "given up"));
    json_array_append_new(tree, node(2, 1, 2, 2, "failed"));
    json_array_append_new(tree, node(3, 0, 1, 1, "edited"));
    json_array_append_new(tree, node(4, 3, 2, 1, "complete"));
    json_object_set_new(d, "tree", tree);
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    tree_print(to, d, false);
    fclose(to);
    assert_string_equal(
        text, "  S0, the scene as it was\n"
              "  |-- node 1, step 1: given up (0.5 s)  go\\x1b[2J\n"
              "  |   `-- node 2, step 2: failed (0.5 s)  go\\x1b[2J\n"
              "  |              backtrack: anchor 2 -> 1, back to step 1\n"
              "  |-- node 3, step 1: edited (0.5 s)  go\\x1b[2J\n"
              "  `-- node 4, step 2: complete (0.5 s)  go\\x1b[2J\n");
    free(text);
    page p = {0};
    report_tree(&p, d);
    assert_non_null(strstr(p.data, ">2→1</text>"));
    assert_int_equal(times(p.data, "class=\"back\""), 1);
    page_free(&p);
    json_decref(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constraints_read_as_words),
        cmocka_unit_test(each_failure_is_told_with_what_to_try),
        cmocka_unit_test(an_obstacle_met_every_time_is_told_as_such),
        cmocka_unit_test(what_was_not_understood_is_named),
        cmocka_unit_test(escaping),
        cmocka_unit_test(a_hostile_run_stays_text),
        cmocka_unit_test(
            the_first_screen_tells_the_sentence_the_pictures_and_the_moves),
        cmocka_unit_test(a_failed_run_says_why_on_its_page),
        cmocka_unit_test(the_tree_shows_where_the_search_went_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
