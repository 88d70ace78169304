/* Recovery: a run cut after any record goes on to the same end; a journal that was tampered with is refused by number.
 */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const winding[] = {"edit fff ggg eee C",   "edit C eea bbb gff", "edit C F U M",
                                      "edit aaa gbg eeg ggg", "edit R C ffg tte",   "edit C C F F",
                                      "edit ggg C C C",       "edit gef C C C",     "done"};
enum { WINDING = sizeof winding / sizeof *winding };

static void check_same(const world *a, const world *b, const char *where)
{
    etna_arena arena = ETNA_ARENA_INIT;
    core_run_view x = world_view(a, &arena), y = world_view(b, &arena);
    if (x.state != y.state || !etna_hash_equal(&x.final_snapshot, &y.final_snapshot) || !same_usage(&x.used, &y.used) ||
        x.node_count != y.node_count || x.backtracks != y.backtracks || !etna_hash_equal(&x.result, &y.result) ||
        strcmp(x.reason, y.reason) != 0) {
        fail_msg("%s: ended otherwise: state %u/%u, %u/%u nodes, %llu/%llu tokens\n%s", where, (unsigned)x.state,
                 (unsigned)y.state, (unsigned)x.node_count, (unsigned)y.node_count,
                 (unsigned long long)x.used.tokens_in, (unsigned long long)y.used.tokens_in, b->lines);
    }
    etna_arena_free(&arena);
}

static void cut_everywhere(arrange_config config, const char *const *script, uint32_t lines, world_order order,
                           bool same_end)
{
    world *whole = world_new(&config, script, lines);
    whole->order = order;
    world_drive(whole);
    for (uint32_t n = 1; n <= whole->record_count; n++) {
        char where[64];
        snprintf(where, sizeof where, "cut after record %u of %u", (unsigned)n, (unsigned)whole->record_count);
        world *again = world_restart(whole, n);
        world_resume(again);
        world_drive(again);
        etna_arena arena = ETNA_ARENA_INIT;
        core_run_view view = world_view(again, &arena);
        if (view.state <= RUN_SUSPENDED) fail_msg("%s: never ended\n%s", where, again->lines);
        etna_arena_free(&arena);
        if (same_end) check_same(whole, again, where);
        world *third = world_restart(again, again->record_count); /* what it wrote is a journal too */
        check_same(again, third, where);
        world_free(third);
        world_free(again);
    }
    world_free(whole);
}

static void an_ablated_run_cut_anywhere_comes_to_the_same_end(void **state)
{
    (void)state;
    static const char *const script[] = {"edit fff ggg C C", "edit C C C C", "edit ggg C C C", "edit aab ggg U U",
                                         "done"};
    for (uint32_t ablation = ABLATION_SINGLE_AGENT; ablation < ABLATION_COUNT; ablation++) {
        arrange_config config = world_config("tidy up");
        config.ablation = ablation;
        config.cameras = ablation % 2;
        if (ablation == ABLATION_SINGLE_AGENT) config.branches = 1;
        cut_everywhere(config, script, 5, ORDER_FIFO, true);
    }
}

static void a_run_cut_anywhere_comes_to_the_same_end(void **state)
{
    (void)state;
    for (uint32_t mode = EARLY_END_ORDERED; mode <= EARLY_END_OFF; mode++) {
        for (uint32_t anchor = ANCHOR_HALF_ANCHOR; anchor <= ANCHOR_HALF_DEPTH; anchor++) {
            for (world_order order = ORDER_FIFO; order <= ORDER_RANDOM; order++) {
                arrange_config config = world_config("tidy up");
                config.early_end = mode;
                config.anchor = anchor;
                config.images = order == ORDER_LIFO;
                config.plan_per_branch = order == ORDER_RANDOM;
                config.paper_solver = order == ORDER_FIFO;
                config.any_place = order == ORDER_FIFO;
                cut_everywhere(config, winding, WINDING, order, true);
            }
        }
    }
}

static void in_first_mode_a_cut_run_ends_and_its_journal_holds(void **state)
{
    (void)state;
    arrange_config config = world_config("tidy up");
    config.early_end = EARLY_END_FIRST;
    for (world_order order = ORDER_FIFO; order <= ORDER_RANDOM; order++) {
        cut_everywhere(config, winding, WINDING, order, false);
    }
}

static void caps_and_ends_replay(void **state)
{
    (void)state;
    static const char *const never[] = {"edit C C C C", "edit ggg C C C", "edit F F F C", "edit C C C F"};
    static const char *const unreadable[] = {"unreadable"};
    arrange_config config = world_config("tidy up");
    config.max_backtracks = 2;
    cut_everywhere(config, never, 4, ORDER_FIFO, true);
    cut_everywhere(config, unreadable, 1, ORDER_FIFO, true);
    for (uint64_t cap = 1; cap < 12; cap += 3) {
        config.max_tokens = cap * TOKENS_A_CALL;
        cut_everywhere(config, winding, WINDING, ORDER_RANDOM, true);
    }
}

static void a_cancelled_run_stays_cancelled(void **state)
{
    (void)state;
    arrange_config config = world_config("tidy up");
    world *w = world_new(&config, winding, WINDING);
    for (int i = 0; i < 12; i++) {
        while (core_count(w->c).tasks_queued > 0) world_lease(w, 1);
        world_give(w, 0);
    }
    message m = {.kind = MESSAGE_RUN_CANCEL};
    m.body.run_cancel.run = w->run;
    world_message(w, 99, 1, w->next_sequence++, &m, NULL, NULL);
    assert_int_equal(w->update.send_count, 1);
    assert_int_equal(w->update.sends[0].message.body.run_status.state, RUN_CANCELLED);
    world *again = world_restart(w, w->record_count);
    world_resume(again);
    assert_int_equal(again->update.record_count, 0);
    check_same(w, again, "after a cancel");
    world *cut = world_restart(w, w->record_count - 1); /* the cancel, without its `ended` */
    world_resume(cut);
    assert_int_equal(cut->update.record_count, 1);
    check_same(w, cut, "after a cut cancel");
    world_free(cut);
    world_free(again);
    world_free(w);
}

static void downtime_and_suspension_are_no_wall_time(void **state)
{
    (void)state;
    arrange_config config = world_config("tidy up");
    config.max_wall_ms = 5000;
    world *w = world_new(&config, winding, WINDING);
    world_lease(w, 1);
    world_tick(w, 1000);
    world_give(w, 0);
    world_lease(w, 1);
    world_tick(w, 500);
    world_step(w, (core_event){.kind = CORE_SUSPEND});
    assert_int_equal(w->update.record_count, 1);
    assert_int_equal(core_count(w->c).tasks_leased, 0);
    world_lease(w, 1);
    assert_int_equal(w->update.send_count, 0); /* parked: a dormant run leases nothing */
    world_tick(w, 100000);
    etna_arena arena = ETNA_ARENA_INIT;
    assert_int_equal(world_view(w, &arena).state, RUN_SUSPENDED);
    assert_int_equal(world_view(w, &arena).wall_ms, 1500);
    world *again = world_restart(w, w->record_count);
    again->now = 77;
    assert_int_equal(world_view(again, &arena).state, RUN_SUSPENDED);
    assert_int_equal(world_view(again, &arena).wall_ms, 1500);
    world_resume(again);
    assert_true(core_next_deadline(again->c) == 77 + 3500);
    world_tick(again, 3499);
    assert_int_equal(world_view(again, &arena).state, RUN_RUNNING);
    world_tick(again, 1);
    core_run_view view = world_view(again, &arena);
    assert_int_equal(view.state, RUN_FAILED);
    assert_non_null(strstr(view.reason, "wall time"));
    assert_int_equal(view.wall_ms, 5000);
    world *third = world_restart(again, again->record_count);
    check_same(again, third, "after the cap of wall time");
    etna_arena_free(&arena);
    world_free(third);
    world_free(again);
    world_free(w);
}

static void a_suspended_run_goes_on_to_the_same_end(void **state)
{
    (void)state;
    arrange_config config = world_config("tidy up");
    world *whole = world_new(&config, winding, WINDING);
    world_drive(whole);
    for (uint32_t after = 0; after < 40; after += 3) {
        world *w = world_new(&config, winding, WINDING);
        for (uint32_t i = 0; i < after; i++) {
            while (core_count(w->c).tasks_queued > 0) world_lease(w, 1);
            world_give(w, 0);
        }
        while (core_count(w->c).tasks_queued > 0) world_lease(w, 1);
        world_step(w, (core_event){.kind = CORE_SUSPEND, .run = w->run});
        if (w->held_count > 1) world_give(w, 1); /* a result on its way is not lost */
        w->held_count = 0;
        world_resume(w);
        world_drive(w);
        check_same(whole, w, "after a suspension");
        world *again = world_restart(w, w->record_count);
        check_same(w, again, "its replay");
        world_free(again);
        world_free(w);
    }
    world_free(whole);
}

static etna_code feed(core *c, const world *from, uint32_t changed, const uint8_t *data, size_t size, etna_error *err)
{
    for (uint32_t i = 0; i < from->record_count; i++) {
        const world_record *r = &from->records[i];
        etna_code code =
            core_replay(c, &r->run, r->sequence, i == changed ? data : r->data, i == changed ? size : r->size, err);
        if (code != ETNA_OK) return code;
    }
    return ETNA_OK;
}

static void a_changed_decision_is_named_by_its_number(void **state)
{
    (void)state;
    arrange_config config = world_config("tidy up");
    world *w = world_new(&config, winding, WINDING);
    world_drive(w);
    uint32_t decisions = 0;
    for (uint32_t i = 0; i < w->record_count; i++) {
        if (w->records[i].data[1] != 4) continue; /* DECISION */
        decisions++;
        uint8_t *copy = malloc(w->records[i].size);
        memcpy(copy, w->records[i].data, w->records[i].size);
        copy[w->records[i].size - 1] ^= 1; /* used.calls */
        core *c;
        core_options options = core_options_default();
        assert_int_equal(core_new(&options, &c, NULL), ETNA_OK);
        etna_error err = {0};
        assert_int_equal(feed(c, w, i, copy, w->records[i].size, &err), ETNA_E_CORRUPT);
        char number[32];
        snprintf(number, sizeof number, "record %u:", (unsigned)i + 1);
        assert_non_null(strstr(err.text, number));
        core_free(c);
        free(copy);
    }
    assert_true(decisions >= 8);
    world_free(w);
}

/* A journal that could be read only in part leaves nothing behind, wherever that was: it may be fed again from its
 * start. A run that goes on is not forgotten. */
static void what_was_read_in_part_is_forgotten(void **state)
{
    (void)state;
    arrange_config config = world_config("tidy up");
    world *w = world_new(&config, winding, WINDING);
    world_step(w, (core_event){.kind = CORE_FORGET, .run = w->run});
    assert_int_equal(core_count(w->c).runs, 1);
    world_drive(w);
    for (uint32_t records = 1; records < w->record_count; records += 1 + w->record_count / 20) {
        world *half = world_restart(w, records);
        world_step(half, (core_event){.kind = CORE_FORGET, .run = w->run});
        core_counts left = core_count(half->c);
        assert_true(left.runs == 0 && left.tasks_queued == 0 && left.calls_in_flight == 0);
        for (uint32_t i = 0; i < w->record_count; i++) {
            const world_record *r = &w->records[i];
            assert_int_equal(core_replay(half->c, &r->run, r->sequence, r->data, r->size, NULL), ETNA_OK);
        }
        check_same(w, half, "fed again");
        world_free(half);
    }
    world_free(w);
}

static void gaps_repeats_and_stumps_are_refused(void **state)
{
    (void)state;
    arrange_config config = world_config("tidy up");
    world *w = world_new(&config, winding, WINDING);
    world_drive(w);
    core *c;
    core_options options = core_options_default();
    assert_int_equal(core_new(&options, &c, NULL), ETNA_OK);
    const world_record *r = w->records;
    assert_int_equal(core_replay(c, &w->run, 2, r[1].data, r[1].size, NULL), ETNA_E_CORRUPT);
    assert_int_equal(core_replay(c, &w->run, 1, r[0].data, r[0].size, NULL), ETNA_OK);
    assert_int_equal(core_replay(c, &w->run, 1, r[0].data, r[0].size, NULL), ETNA_E_CORRUPT);
    assert_int_equal(core_replay(c, &w->run, 3, r[2].data, r[2].size, NULL), ETNA_E_CORRUPT);
    for (size_t size = 0; size < r[1].size; size++) {
        assert_int_equal(core_replay(c, &w->run, 2, r[1].data, size, NULL), ETNA_E_MESSAGE);
    }
    assert_int_equal(core_replay(c, &w->run, 2, r[1].data, r[1].size, NULL), ETNA_OK);
    assert_int_equal(core_replay(c, &w->run, 2, r[1].data, r[1].size, NULL), ETNA_E_CORRUPT);
    uint8_t newer[16] = {4, 3};
    assert_int_equal(core_replay(c, &w->run, 3, newer, sizeof newer, NULL), ETNA_E_NEWER);
    core_free(c);
    world_free(w);
}

/* The record as the first journals had it: what was lost since the record before stands in its head. */
static uint8_t *as_format_1(const world_record *record, bool lost, size_t *ret_size)
{
    enum { HEAD = 10, USAGE = 5 * 8 + 4, COST_AT = 4 * 8, REPLY = 2, MODEL = 4 /* an empty name */ };
    uint8_t *old = calloc(1, record->size + 1 + USAGE);
    assert_non_null(old);
    memcpy(old, record->data, HEAD);
    old[0] = 1;
    old[HEAD] = lost;
    if (lost) old[HEAD + 1 + COST_AT] = 50;
    size_t head = HEAD + 1 + (lost ? USAGE : 0), tail = record->data[1] == REPLY ? MODEL : 0;
    memcpy(old + head, record->data + HEAD, record->size - HEAD - tail);
    *ret_size = head + record->size - HEAD - tail;
    return old;
}

static void journals_of_the_first_format_are_read(void **state)
{
    (void)state;
    arrange_config config = world_config("tidy up");
    world *w = world_new(&config, winding, WINDING);
    world_drive(w);
    core *c;
    core_options options = core_options_default();
    assert_int_equal(core_new(&options, &c, NULL), ETNA_OK);
    for (uint32_t i = 0; i < w->record_count; i++) {
        size_t size;
        uint8_t *old = as_format_1(&w->records[i], i == 2, &size);
        assert_int_equal(core_replay(c, &w->run, i + 1, old, size, NULL), ETNA_OK);
        free(old);
    }
    etna_arena arena = ETNA_ARENA_INIT;
    core_run_view view;
    assert_int_equal(core_view(c, &w->run, &arena, &view, NULL), ETNA_OK);
    assert_int_equal(view.lost.cost_micros, 50);
    assert_int_equal(view.spent.cost_micros, world_view(w, &arena).spent.cost_micros + 50);
    etna_arena_free(&arena);
    core_free(c);
    world_free(w);
}

/* Whatever bytes a journal holds, the core answers with a code and keeps its invariants. */
static void no_changed_byte_breaks_the_core(void **state)
{
    (void)state;
    arrange_config config = world_config("tidy up");
    config.images = true;
    world *w = world_new(&config, winding, WINDING);
    world_drive(w);
    etna_random random = etna_random_from(5);
    for (int round = 0; round < 3000; round++) {
        uint32_t i = (uint32_t)etna_random_below(&random, w->record_count);
        uint8_t *copy = malloc(w->records[i].size);
        memcpy(copy, w->records[i].data, w->records[i].size);
        copy[etna_random_below(&random, w->records[i].size)] = (uint8_t)etna_random_next(&random);
        core *c;
        core_options options = core_options_default(); /* not strict: a broken transition must come out as a code */
        assert_int_equal(core_new(&options, &c, NULL), ETNA_OK);
        etna_error err = {0};
        etna_code code = feed(c, w, i, copy, w->records[i].size, &err);
        if (code == ETNA_E_INTERNAL) fail_msg("record %u: %s", (unsigned)i + 1, err.text);
        if (code == ETNA_OK) assert_int_equal(core_check(c, &err), ETNA_OK);
        core_free(c);
        free(copy);
    }
    world_free(w);
}

static void count_hash(void *context, const etna_hash *blob)
{
    (void)blob;
    (*(uint32_t *)context)++;
}

static void records_name_their_blobs(void **state)
{
    (void)state;
    arrange_config config = world_config("tidy up");
    world *w = world_new(&config, winding, WINDING);
    world_drive(w);
    uint32_t named = 0, first = 0;
    for (uint32_t i = 0; i < w->record_count; i++) {
        assert_int_equal(core_record_hashes(w->records[i].data, w->records[i].size, count_hash, &named, NULL), ETNA_OK);
        if (i == 0) first = named;
    }
    assert_int_equal(first, 1); /* the scene */
    assert_true(named > 10);
    assert_int_equal(core_record_hashes("\1", 1, count_hash, &named, NULL), ETNA_E_MESSAGE);
    world_free(w);
}

/* State of a run whose first record says `version`, when all but its last two records are there (the picture and the
 * end) and it goes on. */
static run_state state_under(const world *w, uint8_t version)
{
    enum { VERSION_AT = 10 }; /* after format, kind, interval */
    etna_arena arena = ETNA_ARENA_INIT;
    core_options options = core_options_default();
    core_run_view view;
    core *c;
    uint8_t *first = malloc(w->records[0].size);
    memcpy(first, w->records[0].data, w->records[0].size);
    assert_int_equal(first[VERSION_AT], CORE_VERSION);
    first[VERSION_AT] = version;
    /* It named no models, which here are none: a length of 0; and knew no other solver: a byte. */
    size_t size = w->records[0].size - (version < 3 ? 4 : 0) - (version < 4 ? 1 : 0);
    assert_int_equal(core_new(&options, &c, NULL), ETNA_OK);
    for (uint32_t i = 0; i + 2 < w->record_count; i++) {
        assert_int_equal(
            core_replay(c, &w->run, i + 1, i ? w->records[i].data : first, i ? w->records[i].size : size, NULL),
            ETNA_OK);
    }
    core_event resume = {.kind = CORE_RESUME, .run = w->run};
    core_update update;
    assert_int_equal(core_step(c, &resume, &update, NULL), ETNA_OK);
    assert_int_equal(core_view(c, &w->run, &arena, &view, NULL), ETNA_OK);
    run_state state = view.state;
    etna_arena_free(&arena);
    core_free(c);
    free(first);
    return state;
}

static void a_failed_run_has_a_picture_but_none_of_version_1(void **state)
{
    (void)state;
    static const char *const script[] = {"edit C C F F", "edit C C F F"};
    arrange_config config = world_config("tidy up");
    config.images = true;
    world *w = world_new(&config, script, 2);
    world_drive(w);
    etna_arena arena = ETNA_ARENA_INIT;
    core_run_view view = world_view(w, &arena);
    assert_int_equal(view.state, RUN_FAILED);
    assert_int_equal(view.edit_count, 0);
    assert_false(etna_hash_is_zero(&view.images[0]));
    assert_true(etna_hash_is_zero(&view.result));
    etna_arena_free(&arena);
    assert_int_equal(state_under(w, 2), RUN_RUNNING); /* the picture is awaited */
    assert_int_equal(state_under(w, 1), RUN_FAILED);  /* it was over with the decision */
    world_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_ablated_run_cut_anywhere_comes_to_the_same_end),
        cmocka_unit_test(a_run_cut_anywhere_comes_to_the_same_end),
        cmocka_unit_test(in_first_mode_a_cut_run_ends_and_its_journal_holds),
        cmocka_unit_test(caps_and_ends_replay),
        cmocka_unit_test(a_cancelled_run_stays_cancelled),
        cmocka_unit_test(downtime_and_suspension_are_no_wall_time),
        cmocka_unit_test(a_suspended_run_goes_on_to_the_same_end),
        cmocka_unit_test(a_changed_decision_is_named_by_its_number),
        cmocka_unit_test(what_was_read_in_part_is_forgotten),
        cmocka_unit_test(gaps_repeats_and_stumps_are_refused),
        cmocka_unit_test(journals_of_the_first_format_are_read),
        cmocka_unit_test(no_changed_byte_breaks_the_core),
        cmocka_unit_test(records_name_their_blobs),
        cmocka_unit_test(a_failed_run_has_a_picture_but_none_of_version_1),
    };
    return cmocka_run_group_tests_name("replay", tests, NULL, NULL);
}
