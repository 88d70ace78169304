/* Descriptors read and written to the end. */
#include "proto/fd.h"

#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum {
    MUCH = 1 << 20 /* bytes: far more than a pipe holds */
};

typedef struct sending {
    int fd;
    const char *data;
    bool good;
} sending;

static void *send_all(void *context)
{
    sending *s = context;
    s->good = fd_write(s->fd, s->data, MUCH);
    close(s->fd);
    return NULL;
}

static void what_is_more_than_a_pipe_holds_comes_whole(void **state)
{
    (void)state;
    int ends[2];
    pthread_t thread;
    char *out = malloc(MUCH), *in = malloc(MUCH + 1);
    assert_non_null(out);
    assert_non_null(in);
    for (int i = 0; i < MUCH; i++)
        out[i] = (char)(i * 7);
    assert_int_equal(pipe(ends), 0);
    sending s = {.fd = ends[1], .data = out};
    assert_int_equal(pthread_create(&thread, NULL, send_all, &s), 0);
    /* one more than there is: it ends where the pipe does */
    assert_int_equal(fd_read(ends[0], in, MUCH + 1), MUCH);
    pthread_join(thread, NULL);
    assert_true(s.good);
    assert_memory_equal(in, out, MUCH);
    close(ends[0]);
    free(in);
    free(out);
}

static void a_file_is_read_and_written_where_it_is_said(void **state)
{
    (void)state;
    char name[] = "/tmp/etna-fd-XXXXXX", text[8] = "";
    int fd = mkstemp(name);
    assert_true(fd >= 0);
    unlink(name);
    assert_true(fd_write(fd, "abcdef", 6));
    assert_true(fd_write_at(fd, "XY", 2, 2));
    assert_int_equal(fd_read_at(fd, text, 3, 1), 3);
    assert_string_equal(text, "bXY");
    assert_int_equal(fd_read_at(fd, text, sizeof text, 5), 1);
    assert_int_equal(fd_read_at(fd, text, sizeof text, 6), 0);
    close(fd);
}

static void what_fails_says_so(void **state)
{
    (void)state;
    char text[4];
    int fd = open("/dev/null", O_WRONLY);
    assert_true(fd >= 0);
    assert_int_equal(fd_read(fd, text, sizeof text), -1);
    close(fd);
    fd = open("/dev/full", O_WRONLY);
    assert_true(fd >= 0);
    assert_false(fd_write(fd, "a", 1));
    close(fd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_more_than_a_pipe_holds_comes_whole),
        cmocka_unit_test(a_file_is_read_and_written_where_it_is_said),
        cmocka_unit_test(what_fails_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
