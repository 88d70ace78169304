/* Recovery: a run cut after any record goes on to the same end; a journal that
 * was tampered with is refused by number. */
#include "harness.h"
#include "proto/usage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const winding[] = {
    "edit fff ggg eee C",   "edit C eea bbb gff", "edit C F U M",
    "edit aaa gbg eeg ggg", "edit R C ffg tte",   "edit C C F F",
    "edit ggg C C C",       "edit gef C C C",     "done"};
enum {
    WINDING = sizeof winding / sizeof *winding
};

/* What is known of a failure as data comes back from the journal, too. */
static void check_same_failure(const core_node_view *a, const core_node_view *b)
{
    assert_int_equal(a->failure, b->failure);
    assert_int_equal(a->given_up_for, b->given_up_for);
    for (uint32_t i = 0; i < a->branch_count && a->state != NODE_STOPPED; i++) {
        const arrange_obstacle *x = &a->branches[i].obstacle,
                               *y = &b->branches[i].obstacle;
        bool is_collision = a->branches[i].status == BRANCH_COLLISION;
        if (a->branches[i].status != b->branches[i].status)
            continue; /* one was cut off by the step's end */
        assert_int_equal(x->kind,
                         is_collision ? OBSTACLE_TAKEN : OBSTACLE_NONE);
        assert_int_equal(x->kind, y->kind);
        assert_int_equal(x->other_count, y->other_count);
        if (is_collision)
            assert_string_equal(x->others[0], y->others[0]);
    }
}

static void check_same(const world *a, const world *b, const char *where)
{
    etna_arena arena = ETNA_ARENA_INIT;
    core_run_view x = world_view(a, &arena), y = world_view(b, &arena);
    if (x.state != y.state ||
        !etna_hash_equal(&x.final_snapshot, &y.final_snapshot) ||
        !same_usage(&x.used, &y.used) || x.node_count != y.node_count ||
        x.backtracks != y.backtracks ||
        !etna_hash_equal(&x.result, &y.result) ||
        strcmp(x.reason, y.reason) != 0) {
        fail_msg(
            "%s: ended otherwise: state %u/%u, %u/%u nodes, %llu/%llu tokens\n%s",
            where, (unsigned)x.state, (unsigned)y.state, (unsigned)x.node_count,
            (unsigned)y.node_count, (unsigned long long)x.used.tokens_in,
            (unsigned long long)y.used.tokens_in, b->lines);
    }
    assert_int_equal(x.end.kind, y.end.kind);
    assert_int_equal(x.end.cap, y.end.cap);
    assert_int_equal(x.end.node, y.end.node);
    for (uint32_t i = 0; i < x.node_count; i++)
        check_same_failure(&x.nodes[i], &y.nodes[i]);
    etna_arena_free(&arena);
}

static void cut_everywhere(arrange_config config,
                           const char *const *script,
                           uint32_t lines,
                           world_order order,
                           bool same_end)
{
    world *whole = world_new(&config, script, lines);
    whole->order = order;
    world_drive(whole);
    for (uint32_t n = 1; n <= whole->record_count; n++) {
        char where[64];
        snprintf(where, sizeof where, "cut after record %u of %u", (unsigned)n,
                 (unsigned)whole->record_count);
        world *again = world_restart(whole, n);
        world_resume(again);
        world_drive(again);
        etna_arena arena = ETNA_ARENA_INIT;
        core_run_view view = world_view(again, &arena);
        if (view.state <= RUN_SUSPENDED)
            fail_msg("%s: never ended\n%s", where, again->lines);
        etna_arena_free(&arena);
        if (same_end)
            check_same(whole, again, where);
        /* what it wrote is a journal too */
        world *third = world_restart(again, again->record_count);
        check_same(again, third, where);
        world_free(third);
        world_free(again);
    }
    world_free(whole);
}

static void an_ablated_run_cut_anywhere_comes_to_the_same_end(void **state)
{
    (void)state;
    static const char *const script[] = {"edit fff ggg C C", "edit C C C C",
                                         "edit ggg C C C", "edit aab ggg U U",
                                         "done"};
    for (uint32_t ablation = ABLATION_SINGLE_AGENT; ablation < ABLATION_COUNT;
         ablation++) {
        arrange_config config = world_config("tidy up");
        config.ablation = ablation;
        config.cameras = ablation % 2;
        if (arrange_is_single(ablation))
            config.branches = 1;
        cut_everywhere(config, script, 5, ORDER_FIFO, true);
    }
}

static void a_run_cut_anywhere_comes_to_the_same_end(void **state)
{
    (void)state;
    for (uint32_t mode = EARLY_END_ORDERED; mode <= EARLY_END_OFF; mode++) {
        for (uint32_t anchor = ANCHOR_HALF_ANCHOR; anchor <= ANCHOR_HALF_DEPTH;
             anchor++) {
            for (world_order order = ORDER_FIFO; order <= ORDER_RANDOM;
                 order++) {
                arrange_config config = world_config("tidy up");
                config.early_end = mode;
                config.anchor = anchor;
                config.images = order == ORDER_LIFO;
                config.plan_per_branch = order == ORDER_RANDOM;
                config.paper_solver = order == ORDER_FIFO;
                config.any_place = order == ORDER_FIFO;
                config.paper_collision = order == ORDER_FIFO;
                config.paper_floating = order == ORDER_LIFO;
                config.forgets = order == ORDER_RANDOM;
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
    static const char *const never[] = {"edit C C C C", "edit ggg C C C",
                                        "edit F F F C", "edit C C C F"};
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
        while (core_count(w->c).tasks_queued > 0)
            world_lease(w, 1);
        world_give(w, 0);
    }
    message m = {.kind = MESSAGE_RUN_CANCEL};
    m.body.run_cancel.run = w->run;
    world_message(w, 99, 1, w->next_sequence++, &m, NULL, NULL);
    assert_int_equal(w->update.send_count, 1);
    assert_int_equal(w->update.sends[0].message.body.run_status.state,
                     RUN_CANCELLED);
    world *again = world_restart(w, w->record_count);
    world_resume(again);
    assert_int_equal(again->update.record_count, 0);
    check_same(w, again, "after a cancel");
    /* the cancel, without its `ended` */
    world *cut = world_restart(w, w->record_count - 1);
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
    /* parked: a dormant run leases nothing */
    assert_int_equal(w->update.send_count, 0);
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
            while (core_count(w->c).tasks_queued > 0)
                world_lease(w, 1);
            world_give(w, 0);
        }
        while (core_count(w->c).tasks_queued > 0)
            world_lease(w, 1);
        world_step(w, (core_event){.kind = CORE_SUSPEND, .run = w->run});
        if (w->held_count > 1)
            world_give(w, 1); /* a result on its way is not lost */
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

static etna_code feed(core *c,
                      const world *from,
                      uint32_t changed,
                      const uint8_t *data,
                      size_t size,
                      etna_error *err)
{
    for (uint32_t i = 0; i < from->record_count; i++) {
        const world_record *r = &from->records[i];
        etna_code code =
            core_replay(c, &r->run, r->sequence, i == changed ? data : r->data,
                        i == changed ? size : r->size, err);
        if (code != ETNA_OK)
            return code;
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
        if (w->records[i].data[1] != 4)
            continue; /* DECISION */
        decisions++;
        uint8_t *copy = malloc(w->records[i].size);
        memcpy(copy, w->records[i].data, w->records[i].size);
        copy[w->records[i].size - 1] ^= 1; /* used.calls */
        core *c;
        core_options options = core_options_default();
        assert_int_equal(core_new(&options, &c, NULL), ETNA_OK);
        etna_error err = {0};
        assert_int_equal(feed(c, w, i, copy, w->records[i].size, &err),
                         ETNA_E_CORRUPT);
        char number[32];
        snprintf(number, sizeof number, "record %u:", (unsigned)i + 1);
        assert_non_null(strstr(err.text, number));
        core_free(c);
        free(copy);
    }
    assert_true(decisions >= 8);
    world_free(w);
}

/* A journal that could be read only in part leaves nothing behind, wherever
 * that was: it may be fed again from its start. A run that goes on is not
 * forgotten. */
static void what_was_read_in_part_is_forgotten(void **state)
{
    (void)state;
    arrange_config config = world_config("tidy up");
    world *w = world_new(&config, winding, WINDING);
    world_step(w, (core_event){.kind = CORE_FORGET, .run = w->run});
    assert_int_equal(core_count(w->c).runs, 1);
    world_drive(w);
    for (uint32_t records = 1; records < w->record_count;
         records += 1 + w->record_count / 20) {
        world *half = world_restart(w, records);
        world_step(half, (core_event){.kind = CORE_FORGET, .run = w->run});
        core_counts left = core_count(half->c);
        assert_true(left.runs == 0 && left.tasks_queued == 0 &&
                    left.calls_in_flight == 0);
        for (uint32_t i = 0; i < w->record_count; i++) {
            const world_record *r = &w->records[i];
            assert_int_equal(core_replay(half->c, &r->run, r->sequence, r->data,
                                         r->size, NULL),
                             ETNA_OK);
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
    assert_int_equal(core_replay(c, &w->run, 2, r[1].data, r[1].size, NULL),
                     ETNA_E_CORRUPT);
    assert_int_equal(core_replay(c, &w->run, 1, r[0].data, r[0].size, NULL),
                     ETNA_OK);
    assert_int_equal(core_replay(c, &w->run, 1, r[0].data, r[0].size, NULL),
                     ETNA_E_CORRUPT);
    assert_int_equal(core_replay(c, &w->run, 3, r[2].data, r[2].size, NULL),
                     ETNA_E_CORRUPT);
    for (size_t size = 0; size < r[1].size; size++) {
        assert_int_equal(core_replay(c, &w->run, 2, r[1].data, size, NULL),
                         ETNA_E_MESSAGE);
    }
    assert_int_equal(core_replay(c, &w->run, 2, r[1].data, r[1].size, NULL),
                     ETNA_OK);
    assert_int_equal(core_replay(c, &w->run, 2, r[1].data, r[1].size, NULL),
                     ETNA_E_CORRUPT);
    uint8_t newer[16] = {UINT8_MAX, 3};
    assert_int_equal(core_replay(c, &w->run, 3, newer, sizeof newer, NULL),
                     ETNA_E_NEWER);
    core_free(c);
    world_free(w);
}

static void older_journals_are_refused_by_name(void **state)
{
    (void)state;
    enum {
        VERSION_AT = 10
    }; /* after format, kind, interval */
    arrange_config config = world_config("tidy up");
    world *w = world_new(&config, winding, WINDING);
    world_drive(w);
    core *c;
    core_options options = core_options_default();
    etna_error err = {0};
    assert_int_equal(core_new(&options, &c, NULL), ETNA_OK);
    uint8_t *old = malloc(w->records[0].size);
    assert_non_null(old);
    memcpy(old, w->records[0].data, w->records[0].size);
    assert_int_equal(old[VERSION_AT], CORE_VERSION);
    old[VERSION_AT] = CORE_VERSION - 1;
    assert_int_equal(core_replay(c, &w->run, 1, old, w->records[0].size, &err),
                     ETNA_E_MESSAGE);
    assert_non_null(strstr(err.text, "core version"));
    old[VERSION_AT] = CORE_VERSION;
    old[0]--;
    assert_int_equal(core_replay(c, &w->run, 1, old, w->records[0].size, &err),
                     ETNA_E_MESSAGE);
    assert_non_null(strstr(err.text, "record format"));
    assert_int_equal(core_replay(c, &w->run, 1, w->records[0].data,
                                 w->records[0].size, NULL),
                     ETNA_OK);
    free(old);
    core_free(c);
    world_free(w);
}

/* Feeds all records of `w` to a new core, which must come to the same view of
 * edits and refusal. */
static void replays_alike(const world *w)
{
    etna_arena arena = ETNA_ARENA_INIT;
    core_run_view before = world_view(w, &arena), after;
    core *c;
    core_options options = core_options_default();
    assert_int_equal(core_new(&options, &c, NULL), ETNA_OK);
    for (uint32_t i = 0; i < w->record_count; i++)
        assert_int_equal(core_replay(c, &w->run, i + 1, w->records[i].data,
                                     w->records[i].size, NULL),
                         ETNA_OK);
    assert_int_equal(core_view(c, &w->run, &arena, &after, NULL), ETNA_OK);
    assert_int_equal(after.state, before.state);
    assert_int_equal(after.edit_count, before.edit_count);
    for (uint32_t i = 0; i < before.edit_count; i++)
        assert_int_equal(after.edits[i].item, before.edits[i].item);
    assert_int_equal(after.refusal.code, before.refusal.code);
    assert_int_equal(after.refusal.from, before.refusal.from);
    assert_int_equal(after.refusal.to, before.refusal.to);
    assert_string_equal(after.refusal.what, before.refusal.what);
    assert_string_equal(after.refusal.where, before.refusal.where);
    assert_string_equal(after.refusal.advice, before.refusal.advice);
    etna_arena_free(&arena);
    core_free(c);
}

static void an_open_list_and_a_refusal_replay(void **state)
{
    (void)state;
    static const char *const script[] = {
        "edit:2 ggg ggg ggg ggg", "edit:2 ggg ggg ggg ggg",
        "impossible:no_place", "edit:1 ggg ggg ggg ggg", "done"};
    static const char *const steps[] = {"first", "second"};
    arrange_config config = world_config(NULL);
    config.steps = steps;
    config.step_count = 2;
    config.open_list = true;
    world *w = world_new(&config, script, 5);
    world_drive(w);
    replays_alike(w);
    world_free(w);
}

static void a_list_that_is_done_but_for_what_is_passed_over_replays(
    void **state)
{
    (void)state;
    static const char *const script[] = {
        "edit:1 ggg ggg ggg ggg", "impossible:no_place:2",
        "unreadable:unread:1",    "unreadable:unknown:3",
        "edit:4 ggg ggg ggg ggg", "done"};
    static const char *const steps[] = {"first", "second", "third", "fourth"};
    arrange_config config = world_config(NULL);
    config.steps = steps;
    config.step_count = 4;
    config.open_list = true;
    for (world_order order = ORDER_FIFO; order <= ORDER_RANDOM; order++)
        cut_everywhere(config, script, 6, order, true);
}

static void a_goal_that_is_done_but_for_what_is_passed_over_replays(
    void **state)
{
    (void)state;
    static const char *const script[] = {
        "edit:1 ggg ggg ggg ggg", "impossible:no_place:2",
        "unreadable:unread:1",    "unreadable:unknown:3",
        "edit:4 ggg ggg ggg ggg", "done"};
    arrange_config config = world_config("first second third fourth");
    for (world_order order = ORDER_FIFO; order <= ORDER_RANDOM; order++)
        cut_everywhere(config, script, 6, order, true);
}

static void what_made_way_and_is_given_up_replays(void **state)
{
    (void)state;
    static const char *const script[] = {
        "edit:1 ggg ggg ggg ggg",     "edit:way:2 ggg ggg ggg ggg",
        "impossible:no_place:2",      "edit:1 ggg ggg ggg ggg",
        "edit:way:2 ggg ggg ggg ggg", "impossible:no_place:2",
        "edit:3 ggg ggg ggg ggg",     "done"};
    arrange_config config = world_config("first second third");
    for (world_order order = ORDER_FIFO; order <= ORDER_RANDOM; order++)
        cut_everywhere(config, script, 8, order, true);
}

static void count_hash(void *context, const etna_hash *blob)
{
    (void)blob;
    (*(uint32_t *)context)++;
}

static void a_reader_speaks_once_before_the_first_plan(void **state)
{
    (void)state;
    static const char *const script[] = {"edit ggg ggg ggg ggg", "done"};
    arrange_config config = world_config("r\xc3\xa4um auf");
    config.reader = "some-model";
    world *w = world_new(&config, script, 2);
    world_drive(w);
    etna_arena arena = ETNA_ARENA_INIT;
    core_run_view view = world_view(w, &arena);
    assert_int_equal(view.state, RUN_COMPLETE);
    assert_int_equal(w->plan_requests, 2);
    assert_int_equal(w->meanings_told, 2);
    assert_non_null(strstr(w->lines, "reader: read\n"));
    message_usage sum = {0};
    for (uint32_t i = 0; i < view.account_count; i++)
        message_usage_add(&sum, &view.accounts[i].used);
    /* the accounts are the whole */
    assert_int_equal(sum.calls, view.used.calls);
    etna_arena_free(&arena);
    replays_alike(w);
    world_free(w);
}

static void a_run_after_another_replays_and_tells_of_it(void **state)
{
    (void)state;
    static const char *const script[] = {"edit ggg ggg ggg ggg", "done"},
                             *const told[] = {"first", "second"};
    const arrange_edit edits[] = {{.step = 1,
                                   .item = 2,
                                   .instruction = "put it down",
                                   .object = "lamp",
                                   .plane = "table_up"}};
    arrange_config config = world_config("put it back");
    config.start.bytes[0] = 1; /* what the script's import answers */
    config.after.bytes[3] = 7;
    config.before = (arrange_before){
        .step_count = 2, .steps = told, .edit_count = 1, .edits = edits};
    config.before.snapshot.bytes[5] = 9;
    world *w = world_new(&config, script, 2);
    world_drive(w);
    etna_arena arena = ETNA_ARENA_INIT;
    core_run_view view = world_view(w, &arena);
    assert_int_equal(view.state, RUN_COMPLETE);
    assert_true(etna_hash_equal(&view.first_snapshot, &config.start));
    etna_arena_free(&arena);
    replays_alike(w);
    uint32_t named = 0;
    assert_int_equal(core_record_hashes(w->records[0].data, w->records[0].size,
                                        count_hash, &named, NULL),
                     ETNA_OK);
    /* scene, start, and what was before: `etna store gc` keeps them */
    assert_int_equal(named, 3);
    world_free(w);
}

/* Whatever bytes a journal holds, the core answers with a code and keeps its
 * invariants. */
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
        copy[etna_random_below(&random, w->records[i].size)] =
            (uint8_t)etna_random_next(&random);
        core *c;
        /* not strict: a broken transition must come out as a code */
        core_options options = core_options_default();
        assert_int_equal(core_new(&options, &c, NULL), ETNA_OK);
        etna_error err = {0};
        etna_code code = feed(c, w, i, copy, w->records[i].size, &err);
        if (code == ETNA_E_INTERNAL)
            fail_msg("record %u: %s", (unsigned)i + 1, err.text);
        if (code == ETNA_OK)
            assert_int_equal(core_check(c, &err), ETNA_OK);
        core_free(c);
        free(copy);
    }
    world_free(w);
}

static void records_name_their_blobs(void **state)
{
    (void)state;
    arrange_config config = world_config("tidy up");
    world *w = world_new(&config, winding, WINDING);
    world_drive(w);
    uint32_t named = 0, first = 0;
    for (uint32_t i = 0; i < w->record_count; i++) {
        assert_int_equal(core_record_hashes(w->records[i].data,
                                            w->records[i].size, count_hash,
                                            &named, NULL),
                         ETNA_OK);
        if (i == 0)
            first = named;
    }
    assert_int_equal(first, 1); /* the scene */
    assert_true(named > 10);
    assert_int_equal(core_record_hashes("\1", 1, count_hash, &named, NULL),
                     ETNA_E_MESSAGE);
    world_free(w);
}

static void a_failed_run_has_a_picture(void **state)
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
        cmocka_unit_test(older_journals_are_refused_by_name),
        cmocka_unit_test(an_open_list_and_a_refusal_replay),
        cmocka_unit_test(
            a_list_that_is_done_but_for_what_is_passed_over_replays),
        cmocka_unit_test(
            a_goal_that_is_done_but_for_what_is_passed_over_replays),
        cmocka_unit_test(what_made_way_and_is_given_up_replays),
        cmocka_unit_test(a_reader_speaks_once_before_the_first_plan),
        cmocka_unit_test(a_run_after_another_replays_and_tells_of_it),
        cmocka_unit_test(no_changed_byte_breaks_the_core),
        cmocka_unit_test(records_name_their_blobs),
        cmocka_unit_test(a_failed_run_has_a_picture),
    };
    return cmocka_run_group_tests_name("replay", tests, NULL, NULL);
}
