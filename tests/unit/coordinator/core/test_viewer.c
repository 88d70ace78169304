/* Viewers and the finished run: narration ordered and complete from any point,
 * and what a run leaves behind. */
#include "harness.h"

#include <stdlib.h>
#include <string.h>

static const char *const script[] = {"edit ggg C eee fff", "edit C ggg C C",
                                     "done"};

static uint64_t ask(world *w, uint64_t viewer, uint64_t after)
{
    message m = {.kind = MESSAGE_EVENTS_REQUEST};
    m.body.events_request =
        (message_events_request){.run = w->run, .after = after};
    uint64_t request = viewer << 32 | w->next_request;
    world_message(w, viewer, 1, w->next_sequence++, &m, NULL, NULL);
    return request;
}

static void a_viewer_that_follows_sees_every_line_once_and_in_order(
    void **state)
{
    (void)state;
    arrange_config config = world_config("tidy up");
    world *w = world_new(&config, script, 3);
    uint64_t after = 0, request = ask(w, 50, 0);
    char seen[65536] = "";
    uint32_t run = RUN_RUNNING, happened[HAPPENED_COUNT] = {0};
    for (int i = 0; i < 1000 && run == RUN_RUNNING; i++) {
        const message *m = world_answer(w, request);
        if (m) {
            for (uint32_t j = 0; j < m->body.events.count; j++) {
                assert_true(m->body.events.events[j].sequence > after);
                after = m->body.events.events[j].sequence;
                happened[m->body.events.events[j].happening.kind]++;
                strcat(strcat(seen, m->body.events.events[j].line), "\n");
            }
            run = m->body.events.state;
            request = ask(w, 50, after);
            continue;
        }
        if (w->held_count) {
            world_give(w, 0);
        } else {
            world_lease(w, 1);
        }
    }
    assert_int_equal(run, RUN_COMPLETE);
    assert_string_equal(seen, w->lines);
    assert_int_equal(happened[HAPPENED_SUBMITTED], 1);
    assert_int_equal(happened[HAPPENED_PLANNED], 2);
    assert_int_equal(happened[HAPPENED_EDITED], 2);
    assert_int_equal(happened[HAPPENED_COMPLETE], 1);
    assert_int_equal(happened[HAPPENED_BACKTRACKED], 0);
    assert_true(happened[HAPPENED_BRANCH_VALID] >= 2 &&
                happened[HAPPENED_POLLED] >= 6);
    /* the same story from the journal, from the middle */
    world *again = world_restart(w, w->record_count);
    request = ask(again, 51, 5);
    const message *m = world_answer(again, request);
    assert_int_equal(m->body.events.events[0].sequence, 6);
    assert_int_equal(m->body.events.events[0].happening.node, 1);
    assert_non_null(strstr(w->lines, m->body.events.events[0].line));
    world_free(again);
    world_free(w);
}

static void a_viewer_waits_10_s_at_most(void **state)
{
    (void)state;
    arrange_config config = world_config("tidy up");
    world *w = world_new(&config, script, 3);
    uint64_t request = ask(w, 50, 1);
    assert_null(world_answer(w, request));
    world_tick(w, 9999);
    assert_int_equal(core_count(w->c).viewers_parked, 1);
    world_tick(w, 1);
    assert_int_equal(core_count(w->c).viewers_parked, 0);
    w->run.bytes[5] = 1;
    request = ask(w, 50, 1);
    assert_int_equal(world_answer(w, request)->kind, MESSAGE_REFUSED);
    world_free(w);
}

static void a_finished_run_has_its_result_and_images(void **state)
{
    (void)state;
    arrange_config config = world_config("tidy up");
    config.images = true;
    world *w = world_new(&config, script, 3);
    world_drive(w);
    etna_arena arena = ETNA_ARENA_INIT;
    core_run_view view = world_view(w, &arena);
    assert_int_equal(view.state, RUN_COMPLETE);
    assert_int_equal(view.edit_count, 2);
    assert_int_equal(view.edits[0].branches, 1);
    assert_int_equal(view.edits[1].branches, 2);
    assert_string_equal(view.edits[1].object, "bottle");
    assert_true(view.edits[1].score == 1.0);
    assert_int_equal(view.result.bytes[0], 0x40);
    for (uint32_t i = 0; i <= view.edit_count; i++)
        assert_int_equal(view.images[i].bytes[0], 0x40 + i);
    assert_memory_equal(&view.final_snapshot, &view.edits[1].snapshot,
                        sizeof view.final_snapshot);
    assert_string_equal(view.nodes[0].branches[1].reason, "hits the lamp");
    etna_arena_free(&arena);
    world_step(w, (core_event){.kind = CORE_FORGET, .run = w->run});
    assert_int_equal(core_count(w->c).runs, 0);
    world_free(w);
}

static void a_run_that_wants_them_has_the_scene_after_each_edit(void **state)
{
    (void)state;
    arrange_config config = world_config("tidy up");
    config.step_scenes = true;
    world *w = world_new(&config, script, 3);
    world_drive(w);
    world *again = world_restart(w, w->record_count);
    world *const both[] = {w, again};
    for (int i = 0; i < 2; i++) {
        etna_arena arena = ETNA_ARENA_INIT;
        core_run_view view = world_view(both[i], &arena);
        assert_int_equal(view.edit_count, 2);
        assert_non_null(view.scenes);
        assert_int_equal(view.scenes[1].bytes[0], 0x41);
        /* that after the last edit */
        assert_int_equal(view.result.bytes[0], 0x40);
        etna_arena_free(&arena);
    }
    world_free(again);
    world_free(w);
}

static void a_failed_image_costs_no_result_and_a_failed_export_is_an_error(
    void **state)
{
    (void)state;
    arrange_config config = world_config("tidy up");
    config.images = true;
    for (uint32_t bad = TASK_RENDER; bad <= TASK_EXPORT; bad++) {
        world *w = world_new(&config, script, 3);
        for (int i = 0;
             i < 200 && core_count(w->c).tasks_queued + w->held_count > 0;
             i++) {
            if (!w->held_count)
                world_lease(w, 1);
            if (w->held[0].task.kind != bad) {
                world_give(w, 0);
                continue;
            }
            message m = {.kind = MESSAGE_RESULT};
            m.body.result = (message_result){.ref = w->held[0].ref,
                                             .error = ETNA_E_LIMIT,
                                             .error_text = "too large"};
            w->held_count = 0;
            world_message(w, 1, 1, w->next_sequence++, &m, NULL, NULL);
        }
        etna_arena arena = ETNA_ARENA_INIT;
        core_run_view view = world_view(w, &arena);
        assert_int_equal(view.state,
                         bad == TASK_EXPORT ? RUN_FAILED : RUN_COMPLETE);
        assert_int_equal(view.error,
                         bad == TASK_EXPORT ? ETNA_E_LIMIT : ETNA_OK);
        assert_int_equal(etna_hash_is_zero(&view.result), bad == TASK_EXPORT);
        assert_int_equal(etna_hash_is_zero(&view.images[1]),
                         bad == TASK_RENDER);
        etna_arena_free(&arena);
        world *again = world_restart(w, w->record_count);
        world_free(again);
        world_free(w);
    }
}

static void what_is_no_business_of_the_core_is_refused(void **state)
{
    (void)state;
    arrange_config config = world_config("tidy up");
    world *w = world_new(&config, script, 3);
    message m = {.kind = MESSAGE_BLOB_GET};
    world_message(w, 3, 1, 1, &m, NULL, NULL);
    assert_int_equal(w->update.sends[0].message.kind, MESSAGE_REFUSED);
    const struct {
        uint32_t branches, polls, early_end, max_steps;
    } bad[] = {{0, 3, 1, 6}, {17, 3, 1, 6}, {4, 0, 1, 6}, {4, 10, 1, 6},
               {4, 3, 0, 6}, {4, 3, 4, 6},  {4, 3, 1, 0}, {4, 3, 1, 257}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        arrange_config wrong = config;
        wrong.branches = bad[i].branches;
        wrong.polls = bad[i].polls;
        wrong.early_end = bad[i].early_end;
        wrong.max_steps = bad[i].max_steps;
        message submit = {.kind = MESSAGE_RUN_SUBMIT};
        submit.body.run_submit.run.bytes[0] = 9;
        world_message(w, 99, 1, w->next_sequence++, &submit, &wrong, NULL);
        assert_int_equal(w->update.sends[0].message.kind, MESSAGE_REFUSED);
        assert_int_equal(w->update.record_count, 0);
    }
    world_free(w);
}

static void foreign_texts_are_cut_and_keep_to_one_line(void **state)
{
    (void)state;
    char goal[3000];
    memset(goal, 'x', sizeof goal);
    memcpy(goal, "put\nit\x1b[31m there", 16);
    goal[sizeof goal - 1] = 0;
    arrange_config config = world_config(goal);
    world *w = world_new(&config, script, 3);
    assert_null(strchr(w->lines, 0x1b));
    assert_int_equal(strncmp(w->lines, "goal \"put it [31m there", 22), 0);
    assert_ptr_equal(strchr(w->lines, '\n'), w->lines + strlen(w->lines) - 1);
    world_free(w);
}

/* Cut anywhere, a text stays UTF-8: an answer that does not pack would end the
 * coordinator. */
static void cut_texts_stay_whole_characters(void **state)
{
    (void)state;
    static const char *const characters[] = {"\xc3\xa9", "\xe2\x82\xac",
                                             "\xf0\x9f\x8d\xb7"};
    for (size_t shift = 0; shift < 8; shift++) {
        char goal[3000] = "";
        memset(goal, 'x', shift);
        for (size_t i = 0; strlen(goal) + 5 < sizeof goal; i++)
            strcat(goal, characters[i % 3]);
        arrange_config config = world_config(goal);
        world *w = world_new(&config, script, 3);
        world_lease(w, 1);
        message m = {.kind = MESSAGE_RESULT};
        m.body.result = (message_result){
            .ref = w->held[0].ref, .error = ETNA_E_INPUT, .error_text = goal};
        world_message(w, 1, 1, w->next_sequence++, &m, NULL, NULL);
        uint64_t request = ask(w, 50, 0);
        uint8_t *data = NULL;
        size_t size;
        etna_error err = {0};
        if (message_pack(world_answer(w, request), &data, &size, &err) !=
            ETNA_OK)
            fail_msg("%s", err.text);
        free(data);
        world_free(w);
    }
}

/* The longest list, every instruction at its longest, every place full of
 * failures: its plan request still packs. */
static void the_largest_task_packs(void **state)
{
    (void)state;
    enum {
        STEPS = 256
    };
    static char text[1025], reason[1025];
    static const char *steps[STEPS];
    memset(text, 'i', 1000);
    memset(reason, 'r', 1024);
    for (int i = 0; i < STEPS; i++)
        steps[i] = text;
    arrange_config config = world_config(NULL);
    config.steps = steps;
    config.step_count = STEPS;
    config.early_end = EARLY_END_OFF;
    config.max_backtracks = 3;
    static const char *const long_script[] = {"edit C C C ggg"};
    world *w = world_new(&config, long_script, 1);
    size_t largest = 0;
    for (uint32_t round = 0;
         round < 6000 && w->record_count < WORLD_RECORDS_MAX - 8; round++) {
        if (!w->held_count) {
            world_lease(w, 1);
            if (!w->update.send_count || !w->update.sends[0].task)
                break;
            uint8_t *data = NULL;
            size_t size = 0;
            etna_error err = {0};
            if (arrange_task_pack(w->update.sends[0].task, &data, &size,
                                  &err) != ETNA_OK)
                fail_msg("%s", err.text);
            free(data);
            if (size > largest)
                largest = size;
        }
        world_held held = w->held[0];
        arrange_result result = world_result_of(w, &held);
        if (held.task.kind == TASK_PLAN)
            result.instruction = text;
        if (held.task.kind == TASK_BRANCH)
            result.reason = reason;
        w->held_count = 0;
        message m = {.kind = MESSAGE_RESULT};
        m.body.result.ref = held.ref;
        world_message(w, 1, 1, w->next_sequence++, &m, NULL, &result);
    }
    assert_true(largest > 400000);
    world_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            a_viewer_that_follows_sees_every_line_once_and_in_order),
        cmocka_unit_test(a_viewer_waits_10_s_at_most),
        cmocka_unit_test(a_finished_run_has_its_result_and_images),
        cmocka_unit_test(a_run_that_wants_them_has_the_scene_after_each_edit),
        cmocka_unit_test(
            a_failed_image_costs_no_result_and_a_failed_export_is_an_error),
        cmocka_unit_test(what_is_no_business_of_the_core_is_refused),
        cmocka_unit_test(foreign_texts_are_cut_and_keep_to_one_line),
        cmocka_unit_test(cut_texts_stay_whole_characters),
        cmocka_unit_test(the_largest_task_packs),
    };
    return cmocka_run_group_tests_name("viewer", tests, NULL, NULL);
}
