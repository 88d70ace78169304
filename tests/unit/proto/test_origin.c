/* Hosts have one number each, whatever their addresses look like. */
#include "proto/origin.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/un.h>

#include <cmocka.h>

static uint8_t of_four(const origin_salt *salt, const char *text, uint16_t port)
{
    struct sockaddr_storage at = {0};
    struct sockaddr_in *four = (void *)&at;
    four->sin_family = AF_INET;
    four->sin_port = htons(port);
    assert_int_equal(inet_pton(AF_INET, text, &four->sin_addr), 1);
    return origin_of(salt, &at);
}

static uint8_t of_six(const origin_salt *salt, const char *text)
{
    struct sockaddr_storage at = {0};
    struct sockaddr_in6 *six = (void *)&at;
    six->sin6_family = AF_INET6;
    assert_int_equal(inet_pton(AF_INET6, text, &six->sin6_addr), 1);
    return origin_of(salt, &at);
}

static void a_host_has_one_number(void **state)
{
    (void)state;
    const origin_salt salt = origin_draw();
    struct sockaddr_storage local = {.ss_family = AF_UNIX};
    assert_int_equal(of_four(&salt, "192.0.2.7", 1),
                     of_four(&salt, "192.0.2.7", 65535));
    assert_int_equal(of_four(&salt, "192.0.2.7", 1),
                     of_six(&salt, "::ffff:192.0.2.7"));
    assert_int_equal(of_six(&salt, "2001:db8:1:2::1"),
                     of_six(&salt, "2001:db8:1:2:ffff::9"));
    assert_int_equal(origin_of(&salt, &local), 0);
}

static void hosts_are_spread_and_nobody_knows_how(void **state)
{
    (void)state;
    enum {
        HOSTS = 2048
    };
    const origin_salt salt = origin_draw(), other = origin_draw();
    bool is_used[ORIGINS] = {false};
    int used = 0, same = 0;
    for (int i = 0; i < HOSTS; i++) {
        char text[32];
        snprintf(text, sizeof text, "10.0.%d.%d", i / 256, i % 256);
        uint8_t number = of_four(&salt, text, 1);
        used += !is_used[number];
        is_used[number] = true;
        same += number == of_four(&other, text, 1);
    }
    assert_true(used > ORIGINS * 9 / 10);
    assert_true(same < HOSTS / 16);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_host_has_one_number),
        cmocka_unit_test(hosts_are_spread_and_nobody_knows_how)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
