/* What a peer may lay into the store, and what is given back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "coordinator/shell/quota.h"

#define GIB (UINT64_C(1) << 30)

static message_task_ref lease_of(uint8_t task)
{
    return (message_task_ref){
        .run = {{1}}, .task = task, .attempt = 1, .ticket = {{task}}};
}

static etna_hash blob_of(uint32_t number)
{
    return etna_hash_bytes(&number, sizeof number);
}

static void a_lease_may_bring_so_many_bytes_and_another_as_many(void **state)
{
    (void)state;
    quota q;
    quota_init(&q);
    message_task_ref first = lease_of(1), second = lease_of(2);
    for (int i = 0; i < 8; i++)
        assert_true(quota_take_for_lease(&q, &first, GIB));
    assert_false(quota_take_for_lease(&q, &first, 1));
    assert_false(quota_take_for_lease(&q, &first, UINT64_MAX));
    assert_true(quota_take_for_lease(&q, &second, 8 * GIB));
    quota_free(&q);
}

static bool is_second(const void *context, const message_task_ref *ref)
{
    (void)context;
    return ref->task == 2;
}

static void leases_of_tasks_that_have_ended_are_forgotten(void **state)
{
    (void)state;
    quota q;
    quota_init(&q);
    for (uint8_t task = 1; task <= 3; task++) {
        message_task_ref ref = lease_of(task);
        assert_true(quota_take_for_lease(&q, &ref, 8 * GIB));
    }
    quota_sweep(&q, is_second, NULL);
    assert_int_equal(q.leases.live, 1);
    message_task_ref second = lease_of(2);
    assert_false(quota_take_for_lease(&q, &second, 1));
    quota_free(&q);
}

static void what_no_run_names_is_bounded_and_given_back_by_its_run(void **state)
{
    (void)state;
    quota q;
    quota_init(&q);
    etna_hash a = blob_of(1), b = blob_of(2), c = blob_of(3);
    assert_true(quota_take_unnamed(&q, &a, 1, 2 * GIB, 5));
    assert_true(quota_take_unnamed(&q, &a, 1, GIB, 5)); /* its second chunk */
    assert_true(quota_take_unnamed(&q, &b, 1, GIB, 5));
    assert_false(quota_take_unnamed(&q, &c, 1, 1, 5));
    assert_false(quota_take_unnamed(&q, &a, 1, 1, 5));
    assert_false(quota_take_unnamed(&q, &c, 1, UINT64_MAX, 5));
    quota_name(&q, &b);
    assert_true(quota_take_unnamed(&q, &c, 1, GIB, 5));
    assert_int_equal(q.unnamed_bytes, 4 * GIB);
    quota_free(&q);
}

/* What one has put, or only announced, is no other's loss. */
static void a_submitter_that_has_had_its_share_keeps_no_other_out(void **state)
{
    (void)state;
    quota q;
    quota_init(&q);
    for (uint32_t i = 0; i < QUOTA_SENDER_BLOBS; i++) {
        etna_hash blob = blob_of(i);
        assert_true(quota_take_unnamed(&q, &blob, 1, 1, 7));
    }
    etna_hash first = blob_of(QUOTA_SENDER_BLOBS),
              second = blob_of(QUOTA_SENDER_BLOBS + 1);
    assert_false(quota_take_unnamed(&q, &first, 1, 1, 7));
    assert_true(quota_take_unnamed(&q, &first, 2, 1, 7));
    /* who goes on with another's blob does it at the other's cost */
    assert_true(quota_take_unnamed(&q, &first, 1, 1, 7));
    assert_true(quota_take_unnamed(&q, &second, 2, 4 * GIB - 2, 7));
    assert_false(quota_take_unnamed(&q, &second, 2, 1, 7));
    assert_true(quota_take_unnamed(&q, &second, 3, 0, 7));
    for (uint32_t i = 3; i < 6; i++) {
        etna_hash blob = blob_of(QUOTA_SENDER_BLOBS + i);
        bool fits = quota_take_unnamed(&q, &blob, i, 4 * GIB, 7);
        assert_int_equal(fits, i < 5); /* all together have an end, too */
    }
    quota_free(&q);
}

static void the_next_hour_begins_anew(void **state)
{
    (void)state;
    quota q;
    quota_init(&q);
    message_task_ref lease = lease_of(1);
    assert_true(quota_take_for_lease(&q, &lease, 8 * GIB));
    for (uint32_t i = 0; i < QUOTA_UNNAMED_BLOBS; i++) {
        etna_hash blob = blob_of(i);
        assert_true(quota_take_unnamed(&q, &blob, 1 + i % 4, 1, 7));
    }
    etna_hash one_more = blob_of(QUOTA_UNNAMED_BLOBS);
    assert_false(quota_take_unnamed(&q, &one_more, 9, 1, 3599999));
    assert_true(quota_take_unnamed(&q, &one_more, 9, 4 * GIB, 3600000));
    /* leases know no hours */
    assert_false(quota_take_for_lease(&q, &lease, 1));
    quota_free(&q);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lease_may_bring_so_many_bytes_and_another_as_many),
        cmocka_unit_test(leases_of_tasks_that_have_ended_are_forgotten),
        cmocka_unit_test(
            what_no_run_names_is_bounded_and_given_back_by_its_run),
        cmocka_unit_test(a_submitter_that_has_had_its_share_keeps_no_other_out),
        cmocka_unit_test(the_next_hour_begins_anew),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
