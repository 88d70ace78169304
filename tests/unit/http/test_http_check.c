/* By which names and from which pages a server may be called, and where it
 * listens. */
#include "http/http_server.h"

#include <netinet/in.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void on_loopback_only_local_names_are_ours(void **state)
{
    (void)state;
    static const char *const ours[] = {"localhost",      "LocalHost:80",
                                       "127.0.0.1:8080", "127.5.5.5",
                                       "[::1]:9",        "[::1]"};
    static const char *const others[] = {"",
                                         "evil.example",
                                         "localhost.evil.example",
                                         "127.0.0.1.evil.example:80",
                                         "10.0.0.1",
                                         "[::2]",
                                         "[::1",
                                         "[::1]x",
                                         "localhost:8x",
                                         "localhost:80:80",
                                         ":80",
                                         "::1",
                                         "localhost:123456",
                                         " localhost"};
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        assert_true(http_host_fits(ours[i], true, NULL));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(http_host_fits(others[i], true, NULL));
    assert_true(http_host_fits("box.lan:80", true, "box.lan"));
    assert_true(http_host_fits("10.0.0.1:80", false, NULL));
    assert_false(http_host_fits("evil.example", false, "box.lan"));
}

static void origins_are_pages_of_those_names(void **state)
{
    (void)state;
    assert_true(http_origin_fits("http://localhost:5173", true, NULL));
    assert_true(http_origin_fits("https://127.0.0.1", true, NULL));
    static const char *const others[] = {"null",
                                         "",
                                         "http://evil.example",
                                         "file://localhost",
                                         "http://localhost@evil.example",
                                         "http://localhost/x",
                                         "localhost"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(http_origin_fits(others[i], true, NULL));
}

static void places_are_read_strictly(void **state)
{
    (void)state;
    http_place place = {.loopback = false};
    static const char *const local[] = {
        "8080", ":8080", "localhost:8080", "127.0.0.1:8080", "[::1]:8080", "0"};
    for (size_t i = 0; i < sizeof local / sizeof *local; i++) {
        assert_int_equal(http_place_read("--http", local[i], &place, NULL),
                         ETNA_OK);
        assert_true(place.loopback);
    }
    assert_int_equal(http_place_read("--http", "0.0.0.0:80", &place, NULL),
                     ETNA_OK);
    assert_false(place.loopback);
    assert_int_equal(ntohs(((struct sockaddr_in *)&place.address)->sin_port),
                     80);
    static const char *const wrong[] = {"",
                                        "x",
                                        "localhost",
                                        "127.0.0.1",
                                        "127.0.0.1:",
                                        "127.0.0.1:65536",
                                        "1.2.3:80",
                                        "host.example:80",
                                        "[::1]",
                                        "99999",
                                        "127.0.0.1:-1"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(http_place_read("--http", wrong[i], &place, NULL),
                         ETNA_E_USAGE);
}

static void a_header_says_what_stands_between_its_white_space(void **state)
{
    (void)state;
    char room[16];
    assert_null(http_header_value(NULL, true, room, sizeof room));
    assert_string_equal(http_header_value("look", false, room, sizeof room),
                        "look");
    assert_string_equal(
        http_header_value(" \t look \t ", false, room, sizeof room), "look");
    assert_string_equal(http_header_value("  ", false, room, sizeof room), "");
    assert_string_equal(http_header_value("", false, room, sizeof room), "");
    assert_string_equal(
        http_header_value("two words ", true, room, sizeof room), "two words");
    assert_string_equal(
        http_header_value(" =?base64?w6Q=?= ", true, room, sizeof room),
        "\xc3\xa4");
    assert_string_equal(
        http_header_value("=?base64?w6Q=?=", false, room, sizeof room),
        "=?base64?w6Q=?=");
    /* As they came: no base64, an end within it, too long for the room. */
    static const char *const left[] = {"=?base64?!?=",
                                       "=?base64?YQBi?=",
                                       "=?base64?MDEyMzQ1Njc4OWFiY2RlZg==?=",
                                       "0123456789abcdef ",
                                       "=?base64?=",
                                       "=?base64??"};
    for (size_t i = 0; i < sizeof left / sizeof *left; i++)
        assert_string_equal(http_header_value(left[i], true, room, sizeof room),
                            left[i]);
}

static bool head_is_plain(const char *name, const char *value)
{
    http_head head = {0};
    http_head_add(&head, "Host", "localhost");
    http_head_add(&head, name, value);
    return http_head_is_plain(&head);
}

static void a_body_ends_where_everybody_says_so(void **state)
{
    (void)state;
    assert_true(head_is_plain("Content-Length", "5"));
    assert_true(head_is_plain("transfer-encoding", "Chunked \t"));
    assert_true(head_is_plain("X-Any", "a, b\t\"c\""));
    assert_false(head_is_plain("Transfer-Encoding", "chunked, chunked"));
    assert_false(head_is_plain("Transfer-Encoding", "chunkedly"));
    assert_false(head_is_plain("Transfer-Encoding", ""));
    assert_false(head_is_plain("Content-Length\t", "5"));
    assert_false(head_is_plain("", "5"));
    assert_false(head_is_plain("Host", "elsewhere"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_header_says_what_stands_between_its_white_space),
        cmocka_unit_test(a_body_ends_where_everybody_says_so),
        cmocka_unit_test(on_loopback_only_local_names_are_ours),
        cmocka_unit_test(origins_are_pages_of_those_names),
        cmocka_unit_test(places_are_read_strictly)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
