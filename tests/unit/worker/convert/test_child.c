/* What a child does wrong is one line of error in the parent, and what it makes
 * comes back whole. */
#include "worker/convert/child.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum {
    MANY = 3 << 20
};

static etna_code makes_bytes(void *context,
                             uint8_t **ret_data,
                             size_t *ret_size,
                             etna_error *err)
{
    (void)context, (void)err;
    if (!(*ret_data = malloc(MANY)))
        return ETNA_E_NOMEM;
    for (size_t i = 0; i < MANY; i++)
        (*ret_data)[i] = (uint8_t)(i * 7);
    *ret_size = MANY;
    return ETNA_OK;
}

static etna_code fails(void *context,
                       uint8_t **ret_data,
                       size_t *ret_size,
                       etna_error *err)
{
    (void)ret_data, (void)ret_size;
    return etna_fail(err, ETNA_E_LIMIT, "too much of %s",
                     (const char *)context);
}

static etna_code crashes(void *context,
                         uint8_t **ret_data,
                         size_t *ret_size,
                         etna_error *err)
{
    (void)context, (void)ret_data, (void)ret_size, (void)err;
    signal(SIGSEGV, SIG_DFL); /* also under a sanitizer */
    raise(SIGSEGV);
    return ETNA_OK;
}

static etna_code leaves(void *context,
                        uint8_t **ret_data,
                        size_t *ret_size,
                        etna_error *err)
{
    (void)context, (void)ret_data, (void)ret_size, (void)err;
    _exit(7);
}

static etna_code never_ends(void *context,
                            uint8_t **ret_data,
                            size_t *ret_size,
                            etna_error *err)
{
    (void)context, (void)ret_data, (void)ret_size, (void)err;
    volatile unsigned busy = 1;
    while (busy)
        busy = 1;
    return ETNA_OK;
}

static etna_code waits(void *context,
                       uint8_t **ret_data,
                       size_t *ret_size,
                       etna_error *err)
{
    (void)context, (void)ret_data, (void)ret_size, (void)err;
    while (pause() == -1) {
    }
    return ETNA_OK;
}

static etna_code talks(void *context,
                       uint8_t **ret_data,
                       size_t *ret_size,
                       etna_error *err)
{
    (void)context, (void)ret_data, (void)ret_size, (void)err;
    char c;
    return write(2, "noise\n", 6) == 6 && read(0, &c, 1) == 0
               ? ETNA_OK
               : etna_fail(err, ETNA_E_IO, "has streams of the parent");
}

static void expect_refusal(child_work work,
                           const child_limits *limits,
                           const char *words)
{
    uint8_t *data = NULL;
    size_t size = 0;
    etna_error err = {0};
    assert_int_equal(
        child_run("scene.obj", limits, work, NULL, &data, &size, &err),
        ETNA_E_INPUT);
    assert_null(data);
    assert_non_null(strstr(err.text, "scene.obj: "));
    if (!strstr(err.text, words))
        fail_msg("\"%s\" does not say \"%s\"", err.text, words);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* no child is left */
}

static void bytes_come_back_whole(void **state)
{
    (void)state;
    const child_limits limits = child_limits_default();
    uint8_t *data = NULL;
    size_t size = 0;
    etna_error err;
    assert_int_equal(
        child_run("x", &limits, makes_bytes, NULL, &data, &size, &err),
        ETNA_OK);
    assert_int_equal(size, MANY);
    for (size_t i = 0; i < MANY; i += 997)
        assert_int_equal(data[i], (uint8_t)(i * 7));
    free(data);
}

static void an_error_of_the_child_is_the_parents(void **state)
{
    (void)state;
    const child_limits limits = child_limits_default();
    uint8_t *data = NULL;
    size_t size = 0;
    etna_error err;
    char what[] = "a good thing";
    assert_int_equal(
        child_run("x.ply", &limits, fails, what, &data, &size, &err),
        ETNA_E_LIMIT);
    assert_string_equal(err.text, "x.ply: too much of a good thing");
    assert_int_equal(err.code, ETNA_E_LIMIT);
}

static void a_crash_or_an_exit_is_one_line(void **state)
{
    (void)state;
    const child_limits limits = child_limits_default();
    expect_refusal(crashes, &limits, "signal 11");
    expect_refusal(leaves, &limits, "code 7");
}

static void too_long_is_one_line(void **state)
{
    (void)state;
    const child_limits busy = {.cpu_s = 1, .wall_s = 300},
                       idle = {.cpu_s = 100, .wall_s = 1};
    expect_refusal(never_ends, &busy, "more than 1 s");
    expect_refusal(waits, &idle, "more than 1 s");
}

static void the_childs_streams_are_not_the_parents(void **state)
{
    (void)state;
    const child_limits limits = child_limits_default();
    uint8_t *data = NULL;
    size_t size = 0;
    etna_error err = {0};
    assert_int_equal(child_run("x", &limits, talks, NULL, &data, &size, &err),
                     ETNA_OK);
    assert_null(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_come_back_whole),
        cmocka_unit_test(an_error_of_the_child_is_the_parents),
        cmocka_unit_test(a_crash_or_an_exit_is_one_line),
        cmocka_unit_test(too_long_is_one_line),
        cmocka_unit_test(the_childs_streams_are_not_the_parents)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
