/* The link says so wherever memory ends, and leaks nothing. */
#include "tests/support/torture.h"
#include "worker/link/link.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static bool lease(worker_link *l,
                  uint64_t request,
                  uint64_t task,
                  link_update *update)
{
    message m = {
        .version = 1, .epoch = 1, .sequence = request, .kind = MESSAGE_LEASE};
    m.body.lease = (message_lease){
        .task_kind = 1, .ref = {.run = {{1}}, .task = task, .attempt = 1}};
    return !link_step(
        l,
        &(link_event){.kind = LINK_RECEIVED, .request = request, .message = &m},
        update, NULL);
}

static bool life(void *context)
{
    (void)context;
    worker_link *l;
    link_config config = link_config_default();
    config.sender = 1;
    config.slots = 40;
    if (link_new(&config, &l, NULL))
        return false;
    link_update update;
    bool ok = !link_step(l, &(link_event){.kind = LINK_START}, &update, NULL);
    for (uint64_t i = 0; ok && i < 40;
         i++) { /* each step's last output is the next lease request */
        uint64_t request = 0;
        for (size_t o = 0; o < update.count; o++) {
            const link_output *out = &update.outputs[o];
            if (out->kind == LINK_OUT_SEND &&
                out->message->kind == MESSAGE_LEASE_REQUEST)
                request = out->request;
        }
        ok = lease(l, request, i + 1, &update);
    }
    for (uint64_t job = 1; ok && job <= 40; job++) {
        link_event event = {.kind = LINK_JOB_DONE,
                            .job = job,
                            .text = "why",
                            .data = (const uint8_t *)"x",
                            .size = 1};
        ok = !link_step(l, &event, &update, NULL);
    }
    if (ok)
        ok = !link_step(l, &(link_event){.kind = LINK_TICK, .time_ms = 100000},
                        &update, NULL);
    if (!ok) { /* it stays so */
        assert_int_equal(
            link_step(l, &(link_event){.kind = LINK_TICK}, &update, NULL),
            ETNA_E_NOMEM);
    }
    link_free(l);
    return ok;
}

static void the_link_survives_failing_allocations(void **state)
{
    (void)state;
    assert_true(torture(life, NULL) > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_link_survives_failing_allocations)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
