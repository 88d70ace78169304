/* Connections are ended from below, those that were named alone, and dead ones
 * are counted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "coordinator/shell/sever.h"

#include <netinet/in.h>
#include <string.h>
#include <unistd.h>

typedef struct pair {
    int listener, there, here; /* `here` was accepted: its peer is `there` */
    struct sockaddr_storage address;
} pair;

static pair connected(int listener, const struct sockaddr_in *at)
{
    pair p = {.listener = listener};
    socklen_t size = sizeof p.address;
    p.there = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(connect(p.there, (const struct sockaddr *)at, sizeof *at),
                     0);
    p.here = accept(listener, NULL, NULL);
    assert_true(p.here >= 0);
    memset(&p.address, 0, sizeof p.address);
    assert_int_equal(getsockname(p.there, (struct sockaddr *)&p.address, &size),
                     0);
    return p;
}

static int listening(struct sockaddr_in *ret_at)
{
    socklen_t size = sizeof *ret_at;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    *ret_at = (struct sockaddr_in){.sin_family = AF_INET,
                                   .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    assert_int_equal(
        bind(listener, (const struct sockaddr *)ret_at, sizeof *ret_at), 0);
    assert_int_equal(listen(listener, 4), 0);
    assert_int_equal(getsockname(listener, (struct sockaddr *)ret_at, &size),
                     0);
    return listener;
}

static void only_the_named_connection_is_ended(void **state)
{
    (void)state;
    struct sockaddr_in at;
    int listener = listening(&at);
    pair first = connected(listener, &at), second = connected(listener, &at);
    sever_peer peers[1] = {{.address = second.address}};
    char byte = 'x';
    sever(peers, 1);
    assert_true(peers[0].found);
    /* as if its peer had gone */
    assert_int_equal(read(second.there, &byte, 1), 0);
    assert_int_equal(write(first.there, &byte, 1), 1);
    assert_int_equal(read(first.here, &byte, 1), 1);
    const int all[] = {first.there, first.here, second.there, second.here,
                       listener};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        close(all[i]);
}

static void a_connection_that_is_not_ours_is_not_found(void **state)
{
    (void)state;
    sever_peer peers[1] = {{.found = false}};
    struct sockaddr_in *at = (void *)&peers[0].address;
    *at = (struct sockaddr_in){.sin_family = AF_INET,
                               .sin_port = 1,
                               .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    sever(peers, 1);
    assert_false(peers[0].found);
}

static void descriptors_of_ended_connections_are_counted(void **state)
{
    (void)state;
    struct sockaddr_in at;
    int listener = listening(&at);
    pair p = connected(listener, &at);
    size_t before = sever_count_dead();
    int dead[3];
    for (int i = 0; i < 3; i++)
        dead[i] = socket(AF_INET, SOCK_STREAM, 0); /* of no peer any more */
    assert_int_equal(sever_count_dead(), before + 3);
    for (int i = 0; i < 3; i++)
        close(dead[i]);
    assert_int_equal(sever_count_dead(), before);
    close(p.there);
    close(p.here);
    close(listener);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_the_named_connection_is_ended),
        cmocka_unit_test(a_connection_that_is_not_ours_is_not_found),
        cmocka_unit_test(descriptors_of_ended_connections_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
