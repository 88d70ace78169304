/* What becomes of the listening socket and of its connections when peers go
 * away in the middle of their handshake. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "coordinator/shell/inbox.h"
#include "coordinator/shell/inbox_probe.h"
#include "tests/support/alone.h"
#include "tests/support/folder.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum {
    PULSES = 8,
    PULSE_US = 500000,
    PIECE_US = 10000,
    TRIES = 1000
};

typedef struct fixture {
    char directory[FOLDER_SIZE], url[128];
    uv_loop_t loop;
    gate *gate; /* where the address wants one */
    inbox *in;
} fixture;

static void on_request(void *context,
                       uint64_t request,
                       uint64_t pipe,
                       uint64_t pid,
                       const uint8_t *data,
                       size_t size)
{
    (void)context, (void)request, (void)pipe, (void)pid, (void)data, (void)size;
}

static void on_pipe_gone(void *context, uint64_t pipe)
{
    (void)context, (void)pipe;
}

/* A port that nobody has; the system gives it again as the last. */
static int free_port(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(
        bind(fd, (const struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &size), 0);
    close(fd);
    return ntohs(address.sin_port);
}

static void open_at(fixture *f)
{
    inbox_handlers handlers = {.context = f,
                               .request = on_request,
                               .pipe_gone = on_pipe_gone,
                               .gate = f->gate};
    assert_int_equal(uv_loop_init(&f->loop), 0);
    assert_int_equal(inbox_open(&f->loop, f->url, &handlers, &f->in, NULL),
                     ETNA_OK);
}

static void close_at(fixture *f)
{
    inbox_close(f->in);
    uv_run(&f->loop, UV_RUN_DEFAULT);
    uv_loop_close(&f->loop);
    gate_free(f->gate);
}

static void await_pipes(fixture *f, size_t wanted)
{
    for (int i = 0; i < TRIES && inbox_pipes(f->in) != wanted; i++) {
        uv_run(&f->loop, UV_RUN_NOWAIT);
        usleep(PIECE_US);
    }
    assert_int_equal(inbox_pipes(f->in), wanted);
}

static void pulse(fixture *f)
{
    for (int i = 0; i < PULSES; i++) {
        usleep(PULSE_US);
        uv_run(&f->loop, UV_RUN_NOWAIT);
        inbox_heal(f->in);
    }
}

static void look_and_leave(int family, const void *address, socklen_t size)
{
    for (int i = 0; i < 10; i++) {
        int fd = socket(family, SOCK_STREAM, 0);
        (void)!connect(fd, address, size);
        close(fd);
    }
}

/* Its own greeting came, and nothing else: neither a byte nor the end. */
static bool stands(int fd)
{
    char bytes[16];
    ssize_t n = recv(fd, bytes, sizeof bytes, MSG_DONTWAIT);
    while (n > 0)
        n = recv(fd, bytes, sizeof bytes, MSG_DONTWAIT);
    return n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
}

static void a_probe_of_the_port_resets_no_other_connection(void **state)
{
    (void)state;
    fixture f = {.in = NULL};
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int port = free_port();
    address.sin_port = htons((uint16_t)port);
    snprintf(f.url, sizeof f.url, "tcp://127.0.0.1:%d", port);
    assert_int_equal(uv_loop_init(&f.loop), 0);
    const inbox_handlers open_to_all = {.request = on_request,
                                        .pipe_gone = on_pipe_gone};
    assert_int_equal(inbox_open(&f.loop, f.url, &open_to_all, &f.in, NULL),
                     ETNA_E_INTERNAL);
    uv_loop_close(&f.loop);
    f.gate = gate_new(&(realm){.name = "r", .generation = 1}, 1);
    assert_non_null(f.gate);
    open_at(&f);
    int peer = inbox_probe_open(f.url);
    assert_true(peer >= 0);
    await_pipes(&f, 1);
    look_and_leave(AF_INET, &address, sizeof address);
    pulse(&f);
    assert_true(stands(peer));
    int late = inbox_probe_open(f.url);
    assert_true(late >= 0);
    await_pipes(&f, 2);
    close(peer);
    close(late);
    close_at(&f);
}

static void a_listener_that_takes_nobody_is_opened_anew(void **state)
{
    (void)state;
    fixture f = {.in = NULL};
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    folder_make(f.directory);
    snprintf(f.url, sizeof f.url, "ipc://%s/s", f.directory);
    snprintf(address.sun_path, sizeof address.sun_path, "%s/s", f.directory);
    open_at(&f);
    look_and_leave(AF_UNIX, &address, sizeof address);
    pulse(&f);
    await_pipes(&f, 0); /* of what asked whether it lives, nothing is left */
    int peer = inbox_probe_open(f.url);
    assert_true(peer >= 0);
    await_pipes(&f, 1);
    close(peer);
    close_at(&f);
    rmdir(f.directory);
}

/* Who took the place is there to hold an address: it takes no connection, so a
 * probe that came to it would find our own listener dead. */
static void a_listener_leaves_the_place_to_whose_socket_took_it(void **state)
{
    (void)state;
    fixture f = {.in = NULL};
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    char aside[FOLDER_SIZE + 8];
    struct stat taken, left;
    folder_make(f.directory);
    snprintf(f.url, sizeof f.url, "ipc://%s/s", f.directory);
    snprintf(address.sun_path, sizeof address.sun_path, "%s/s", f.directory);
    snprintf(aside, sizeof aside, "%s/aside", f.directory);
    open_at(&f);
    look_and_leave(AF_UNIX, &address, sizeof address);
    assert_int_equal(rename(address.sun_path, aside), 0);
    int other = socket(AF_UNIX, SOCK_STREAM, 0);
    assert_int_equal(
        bind(other, (const struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(listen(other, 8), 0);
    assert_int_equal(stat(address.sun_path, &taken), 0);
    pulse(&f);
    assert_int_equal(stat(address.sun_path, &left), 0);
    assert_int_equal(left.st_ino, taken.st_ino);
    snprintf(address.sun_path, sizeof address.sun_path, "%s/aside",
             f.directory);
    int peer = socket(AF_UNIX, SOCK_STREAM, 0);
    assert_int_equal(
        connect(peer, (const struct sockaddr *)&address, sizeof address), 0);
    close(peer);
    close(other);
    close_at(&f);
    unlink(aside);
    snprintf(aside, sizeof aside, "%s/s", f.directory);
    unlink(aside);
    rmdir(f.directory);
}

static void file_in(fixture *f, struct sockaddr_un *ret)
{
    folder_make(f->directory);
    snprintf(f->url, sizeof f->url, "ipc://%s/s", f->directory);
    *ret = (struct sockaddr_un){.sun_family = AF_UNIX};
    snprintf(ret->sun_path, sizeof ret->sun_path, "%s/s", f->directory);
}

/* A second coordinator took the path while the first one still ran. */
static void a_listener_that_closes_takes_no_file_of_another(void **state)
{
    (void)state;
    fixture first = {.in = NULL};
    fixture second = {.in = NULL};
    struct sockaddr_un address;
    file_in(&first, &address);
    memcpy(second.url, first.url, sizeof first.url);
    open_at(&first);
    assert_int_equal(unlink(address.sun_path), 0);
    open_at(&second);
    close_at(&first);
    int peer = inbox_probe_open(second.url);
    assert_true(peer >= 0);
    await_pipes(&second, 1);
    close(peer);
    close_at(&second);
    assert_int_equal(rmdir(first.directory), 0); /* nothing is left */
}

static void a_file_of_a_dead_listener_is_replaced(void **state)
{
    (void)state;
    fixture f = {.in = NULL};
    struct sockaddr_un address;
    file_in(&f, &address);
    int dead = socket(AF_UNIX, SOCK_STREAM, 0);
    assert_int_equal(
        bind(dead, (const struct sockaddr *)&address, sizeof address), 0);
    close(dead);
    open_at(&f);
    int peer = inbox_probe_open(f.url);
    assert_true(peer >= 0);
    await_pipes(&f, 1);
    close(peer);
    close_at(&f);
    assert_int_equal(rmdir(f.directory), 0);
}

static void a_living_listener_keeps_its_place(void **state)
{
    (void)state;
    fixture f = {.in = NULL};
    struct sockaddr_un address;
    file_in(&f, &address);
    int other = socket(AF_UNIX, SOCK_STREAM, 0);
    assert_int_equal(
        bind(other, (const struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(listen(other, 8), 0);
    inbox_handlers handlers = {
        .context = &f, .request = on_request, .pipe_gone = on_pipe_gone};
    etna_error err;
    assert_int_equal(uv_loop_init(&f.loop), 0);
    assert_int_equal(inbox_open(&f.loop, f.url, &handlers, &f.in, &err),
                     ETNA_E_NETWORK);
    assert_non_null(strstr(err.text, "the address is in use"));
    uv_run(&f.loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&f.loop), 0);
    int peer = inbox_probe_open(f.url);
    assert_true(peer >= 0);
    close(peer);
    close(other);
    assert_int_equal(unlink(address.sun_path), 0);
    assert_int_equal(rmdir(f.directory), 0);
}

static void a_file_that_is_no_socket_keeps_its_place(void **state)
{
    (void)state;
    fixture f = {.in = NULL};
    struct sockaddr_un address;
    file_in(&f, &address);
    FILE *file = fopen(address.sun_path, "w");
    assert_non_null(file);
    assert_true(fputs("kept", file) >= 0);
    fclose(file);
    inbox_handlers handlers = {
        .context = &f, .request = on_request, .pipe_gone = on_pipe_gone};
    etna_error err;
    assert_int_equal(uv_loop_init(&f.loop), 0);
    assert_int_equal(inbox_open(&f.loop, f.url, &handlers, &f.in, &err),
                     ETNA_E_NETWORK);
    uv_run(&f.loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&f.loop), 0);
    struct stat there;
    assert_int_equal(stat(address.sun_path, &there), 0);
    assert_int_equal(there.st_size, strlen("kept"));
    assert_int_equal(unlink(address.sun_path), 0);
    assert_int_equal(rmdir(f.directory), 0);
}

static void a_probe_of_what_is_no_address_finds_nobody(void **state)
{
    (void)state;
    static const char *const nowhere[] = {"tcp://127.0.0.1", "tcp://[]:1",
                                          "tcp://:1", "ipc:///nowhere/at/all",
                                          "x"};
    for (size_t i = 0; i < sizeof nowhere / sizeof *nowhere; i++)
        assert_int_equal(inbox_probe_open(nowhere[i]), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_probe_of_the_port_resets_no_other_connection),
        cmocka_unit_test(a_listener_that_takes_nobody_is_opened_anew),
        cmocka_unit_test(a_listener_leaves_the_place_to_whose_socket_took_it),
        cmocka_unit_test(a_listener_that_closes_takes_no_file_of_another),
        cmocka_unit_test(a_file_of_a_dead_listener_is_replaced),
        cmocka_unit_test(a_living_listener_keeps_its_place),
        cmocka_unit_test(a_file_that_is_no_socket_keeps_its_place),
        cmocka_unit_test(a_probe_of_what_is_no_address_finds_nobody),
    };
    return alone_run(tests, sizeof tests / sizeof *tests);
}
