/* The verifier finds each fault in a scene that was made to have it, and none
 * in one without. */
#include "box_model.h"

static void model_move(model *m, size_t which, point to)
{
    m->pieces[which].after.t = to;
}

static findings model_verify(model *m, const char *named)
{
    findings found;
    pair p = {m->pieces, m->count};
    assert_true(pair_verify(&p, &named, named ? 1 : 0, NULL, &found));
    return found;
}

/* That this kind alone is found, and once; FINDING_KINDS: nothing. */
static void expect_only(model *m, const char *named, finding_kind kind)
{
    findings found = model_verify(m, named);
    for (size_t i = 0; i < found.count; i++) {
        if (found.list[i].kind != kind)
            fail_msg("%s: %s", finding_word(found.list[i].kind),
                     found.list[i].name);
    }
    assert_int_equal(found.count, kind == FINDING_KINDS ? 0 : 1);
    model_free(m, &found);
}

static void a_box_set_on_a_table_is_well(void **state)
{
    (void)state;
    model m = {.count = 0};
    model_with_table(&m);
    size_t box =
        model_box(&m, "box", (point){0.2, 0.2, 0.2}, (point){-1, -1, 0.1001});
    model_move(&m, box, (point){1, 1, 0.8002});
    expect_only(&m, NULL, FINDING_KINDS);
}

static void what_is_hidden_in_a_block_is_found(void **state)
{
    (void)state;
    model m = {.count = 0};
    model_with_table(&m);
    size_t box =
        model_box(&m, "box", (point){0.2, 0.2, 0.2}, (point){-1, -1, 0.1001});
    model_move(&m, box, (point){1, 1, 0.3});
    findings found = model_verify(&m, NULL);
    bool within = false;
    for (size_t i = 0; i < found.count; i++)
        within = within || found.list[i].kind == FINDING_WITHIN;
    assert_true(within);
    model_free(&m, &found);
}

static void what_is_sunk_is_found_with_its_depth(void **state)
{
    (void)state;
    model m = {.count = 0};
    model_with_table(&m);
    size_t box =
        model_box(&m, "box", (point){0.2, 0.2, 0.2}, (point){-1, -1, 0.1001});
    model_move(&m, box, (point){1, 1, 0.775});
    findings found = model_verify(&m, NULL);
    assert_int_equal(found.count, 1);
    assert_int_equal(found.list[0].kind, FINDING_CUTS);
    assert_string_equal(found.list[0].other, "table");
    assert_true(found.list[0].depth_m > 0.02 && found.list[0].depth_m < 0.04);
    model_free(&m, &found);
}

static void what_was_sunk_as_deep_at_the_start_is_let_pass(void **state)
{
    (void)state;
    model m = {.count = 0};
    model_with_table(&m);
    size_t box =
        model_box(&m, "box", (point){0.2, 0.2, 0.2}, (point){-1, -1, 0.075});
    model_move(&m, box, (point){-1, 0, 0.075});
    expect_only(&m, NULL, FINDING_KINDS);
}

static void what_hangs_in_the_air_is_found(void **state)
{
    (void)state;
    model m = {.count = 0};
    model_with_table(&m);
    size_t box =
        model_box(&m, "box", (point){0.3, 0.3, 0.3}, (point){-1, -1, 0.1501});
    model_move(&m, box, (point){1, 1, 0.95});
    expect_only(&m, NULL, FINDING_FLOATS);
}

static void what_tips_over_an_edge_is_found(void **state)
{
    (void)state;
    model m = {.count = 0};
    model_with_table(&m);
    size_t box =
        model_box(&m, "box", (point){0.4, 0.4, 0.2}, (point){-1, -1, 0.1001});
    model_move(&m, box, (point){0.35, 1, 0.8002});
    expect_only(&m, NULL, FINDING_TIPS);
}

/* Of five boards, and a sixth before it. */
static void model_cupboard(model *m, bool is_shut)
{
    model_box(m, "bottom", (point){0.8, 0.6, 0.02}, (point){-1, 1, 0.0101});
    model_box(m, "top", (point){0.8, 0.6, 0.02}, (point){-1, 1, 0.8103});
    model_box(m, "left", (point){0.02, 0.6, 0.78}, (point){-1.39, 1, 0.4102});
    model_box(m, "right", (point){0.02, 0.6, 0.78}, (point){-0.61, 1, 0.4102});
    model_box(m, "back", (point){0.76, 0.02, 0.78}, (point){-1, 1.29, 0.4102});
    if (is_shut)
        model_box(m, "door", (point){0.76, 0.02, 0.78},
                  (point){-1, 0.71, 0.4102});
}

static void what_is_shut_in_a_cupboard_is_found(void **state)
{
    (void)state;
    model m = {.count = 0};
    model_with_table(&m);
    size_t box =
        model_box(&m, "box", (point){0.2, 0.2, 0.2}, (point){1, -1, 0.1001});
    model_cupboard(&m, true);
    model_move(&m, box, (point){-1, 1, 0.1203});
    expect_only(&m, NULL, FINDING_UNREACHED);
}

static void what_stands_in_an_open_cupboard_is_well(void **state)
{
    (void)state;
    model m = {.count = 0};
    model_with_table(&m);
    size_t box =
        model_box(&m, "box", (point){0.2, 0.2, 0.2}, (point){1, -1, 0.1001});
    model_cupboard(&m, false);
    model_move(&m, box, (point){-1, 1, 0.1203});
    expect_only(&m, NULL, FINDING_KINDS);
}

static void a_pile_is_taken_down_from_its_top(void **state)
{
    (void)state;
    model m = {.count = 0};
    model_with_table(&m);
    size_t low =
        model_box(&m, "low", (point){0.2, 0.2, 0.2}, (point){-1, -1, 0.1001});
    size_t high =
        model_box(&m, "high", (point){0.2, 0.2, 0.2}, (point){-1, 0, 0.1001});
    model_move(&m, low, (point){1, 1, 0.8002});
    model_move(&m, high, (point){1, 1, 1.0003});
    expect_only(&m, NULL, FINDING_KINDS);
}

static void load_left_behind_is_found_unless_it_is_named(void **state)
{
    (void)state;
    for (int named = 0; named < 2; named++) {
        model m = {.count = 0};
        size_t table = model_with_table(&m);
        model_box(&m, "cup", (point){0.1, 0.1, 0.1}, (point){1, 1, 0.7502});
        model_move(&m, table, (point){-1, -1, 0.3501});
        expect_only(&m, named ? "cup" : NULL,
                    named ? FINDING_KINDS : FINDING_LEFT_BEHIND);
    }
}

static void load_that_went_along_is_well(void **state)
{
    (void)state;
    model m = {.count = 0};
    size_t table = model_with_table(&m);
    size_t cup =
        model_box(&m, "cup", (point){0.1, 0.1, 0.1}, (point){1, 1, 0.7502});
    model_move(&m, table, (point){-1, -1, 0.3501});
    model_move(&m, cup, (point){-1, -1, 0.7502});
    findings found = model_verify(&m, NULL);
    assert_int_equal(found.count, 0);
    assert_int_equal(found.bodies, 1);
    model_free(&m, &found);
}

static void a_file_is_read_and_is_well_beside_itself(void **state)
{
    (void)state;
    pair p;
    char error[256];
    findings found;
    const char *path = ETNA_BINARY_DIR "/scenes/closed.glb";
    assert_true(pair_read(path, path, &p, error));
    assert_true(p.count > 3);
    assert_true(pair_verify(&p, NULL, 0, NULL, &found));
    assert_int_equal(found.bodies, 0);
    assert_int_equal(found.count, 0);
    pair_free(&p);
    assert_false(pair_read(path, ETNA_SOURCE_DIR "/README.md", &p, error));
    assert_non_null(strstr(error, "is no glTF"));
    assert_false(pair_read("/no/such.glb", path, &p, error));
    assert_non_null(strstr(error, "cannot be read"));
}

static void the_papers_rules_are_asked_where_they_are_wished_for(void **state)
{
    (void)state;
    static const struct {
        /* of the box's middle over the floor, of which 0.1 is its half */
        double height;
        bool cuts, floats;
    } cases[] = {{0.1001, false, false},
                 {0.095, false, false},
                 {0.08, true, true},
                 {0.108, false, false},
                 {0.12, false, true}};
    const verify_wish wish = {.paper = true, .no_reach = true};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        model m = {.count = 0};
        findings found;
        model_with_table(&m);
        size_t box = model_box(&m, "box", (point){0.2, 0.2, 0.2},
                               (point){-1, -1, 0.1001});
        model_move(&m, box, (point){-1, 1, cases[i].height});
        pair p = {m.pieces, m.count};
        assert_true(pair_verify(&p, NULL, 0, &wish, &found));
        bool cuts = false, floats = false;
        for (size_t k = 0; k < found.count; k++) {
            cuts = cuts || found.list[k].kind == FINDING_PAPER_CUTS;
            floats = floats || found.list[k].kind == FINDING_PAPER_FLOATS;
        }
        if (cuts != cases[i].cuts || floats != cases[i].floats)
            fail_msg("%zu: %d %d", i, cuts, floats);
        model_free(&m, &found);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_set_on_a_table_is_well),
        cmocka_unit_test(what_is_hidden_in_a_block_is_found),
        cmocka_unit_test(what_is_sunk_is_found_with_its_depth),
        cmocka_unit_test(what_was_sunk_as_deep_at_the_start_is_let_pass),
        cmocka_unit_test(what_hangs_in_the_air_is_found),
        cmocka_unit_test(what_tips_over_an_edge_is_found),
        cmocka_unit_test(what_is_shut_in_a_cupboard_is_found),
        cmocka_unit_test(what_stands_in_an_open_cupboard_is_well),
        cmocka_unit_test(a_pile_is_taken_down_from_its_top),
        cmocka_unit_test(load_left_behind_is_found_unless_it_is_named),
        cmocka_unit_test(load_that_went_along_is_well),
        cmocka_unit_test(a_file_is_read_and_is_well_beside_itself),
        cmocka_unit_test(the_papers_rules_are_asked_where_they_are_wished_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
