/* Join files: what stands in them, who may read them, and where they are looked
 * for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "proto/join.h"
#include "proto/secret_file.h"
#include "tests/support/folder.h"

#define TOKEN "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"
#define HEAD \
    "etna-join 1\nconnect tcp://127.0.0.1:7890\nrealm r\ngeneration 3\n"

#define CERTIFICATE "-----BEGIN CERTIFICATE-----\nabc\n"

static join sample(void)
{
    join j = {.endpoint = "tcp://127.0.0.1:7890",
              .realm = "r",
              .generation = 3,
              .certificate = CERTIFICATE "-----END CERTIFICATE-----\n"};
    j.given[SEAL_WORKER] = j.given[SEAL_VIEWER] = true;
    memset(j.tokens[SEAL_WORKER].bytes, 0xab, SEAL_KEY);
    memset(j.tokens[SEAL_VIEWER].bytes, 0xcd, SEAL_KEY);
    return j;
}

static etna_code parse(const char *text, join *ret)
{
    return join_parse(text, strlen(text), ret, NULL);
}

static void what_is_written_is_read(void **state)
{
    (void)state;
    char text[JOIN_FILE_MAX];
    const join j = sample();
    join got;
    size_t size = join_format(&j, text, sizeof text);
    assert_true(size > 0);
    assert_int_equal(join_parse(text, size, &got, NULL), ETNA_OK);
    assert_string_equal(got.endpoint, j.endpoint);
    assert_string_equal(got.realm, j.realm);
    assert_string_equal(got.certificate, j.certificate);
    assert_int_equal(got.generation, 3);
    assert_false(got.given[SEAL_SUBMITTER]);
    assert_memory_equal(&got.tokens[SEAL_VIEWER], &j.tokens[SEAL_VIEWER],
                        SEAL_KEY);
    for (size_t room = 0; room <= size; room++)
        assert_int_equal(join_format(&j, text, room), 0);
}

static void a_file_of_another_kind_is_refused_and_changes_nothing(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "",
        "etna-join 2\n",
        "etna-join 1\nconnect tcp://a:1\n",
        "etna-join 1\nrealm r\n",
        HEAD "worker " TOKEN "0\n",
        HEAD "worker 00\n",
        HEAD "generation 4294967296\n",
        HEAD "generation -1\n",
        HEAD
        "realm 0123456789012345678901234567890123456789012345678901234567890123456789\n",
        HEAD "certificate\n",
        HEAD "certificate\n" CERTIFICATE,
        HEAD "certificate\n" CERTIFICATE "-----END CERTIF",
        HEAD "certificate\nabc\n-----END CERTIFICATE-----\n",
        HEAD "connect tls+tcp://127.0.0.1:7890\n",
        HEAD "viewer \xff\n",
    };
    join got = sample();
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(parse(wrong[i], &got), ETNA_E_USAGE);
    static const char zero[] = HEAD "\0";
    assert_int_equal(join_parse(zero, sizeof zero, &got, NULL), ETNA_E_USAGE);
    char *huge = calloc(1, JOIN_FILE_MAX + 1);
    assert_non_null(huge);
    memset(huge, '\n', JOIN_FILE_MAX + 1);
    assert_int_equal(join_parse(huge, JOIN_FILE_MAX + 1, &got, NULL),
                     ETNA_E_USAGE);
    free(huge);
    const join before = sample();
    assert_memory_equal(&got, &before, sizeof got);
}

static void ends_of_lines_of_another_system_are_read(void **state)
{
    (void)state;
    static const char text[] = "\xef\xbb\xbf" HEAD "certificate\n" CERTIFICATE
                               "-----END CERTIFICATE-----\n";
    char other[2 * sizeof text];
    size_t at = 0;
    for (size_t i = 0; i + 1 < sizeof text; i++) {
        if (text[i] == '\n')
            other[at++] = '\r';
        other[at++] = text[i];
    }
    join got;
    assert_int_equal(join_parse(other, at, &got, NULL), ETNA_OK);
    assert_string_equal(got.endpoint, sample().endpoint);
    assert_string_equal(got.certificate, sample().certificate);
}

static void what_a_later_version_adds_is_passed_over(void **state)
{
    (void)state;
    join got;
    assert_int_equal(
        parse(HEAD "colour green\nworker " TOKEN "\nalone\n", &got), ETNA_OK);
    assert_true(got.given[SEAL_WORKER]);
    assert_int_equal(join_looker(&got), SEAL_NOBODY);
    assert_int_equal(parse(HEAD "viewer " TOKEN "\n", &got), ETNA_OK);
    assert_int_equal(join_looker(&got), SEAL_VIEWER);
}

static void a_file_that_others_may_read_is_refused(void **state)
{
    (void)state;
    char folder[FOLDER_SIZE], path[FOLDER_SIZE + 16];
    const join j = sample();
    join got;
    etna_error err;
    struct stat status;
    folder_make(folder);
    snprintf(path, sizeof path, "%s/j", folder);
    assert_int_equal(join_write(path, &j, NULL), ETNA_OK);
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0600);
    assert_int_equal(join_read(path, &got, NULL), ETNA_OK);
    static const mode_t open_modes[] = {0640, 0604, 0620, 0610};
    for (size_t i = 0; i < sizeof open_modes / sizeof *open_modes; i++) {
        chmod(path, open_modes[i]);
        assert_int_equal(join_read(path, &got, &err), ETNA_E_USAGE);
        assert_non_null(strstr(err.text, "chmod 600"));
    }
    assert_int_equal(join_read(folder, &got, NULL), ETNA_E_USAGE);
    assert_int_equal(join_read("/dev/null", &got, NULL), ETNA_E_USAGE);
    assert_int_equal(join_write("/nowhere/at/all", &j, NULL), ETNA_E_IO);
    assert_int_equal(folder_count(folder), 1); /* nothing half-written */
    unlink(path);
    rmdir(folder);
}

static void an_address_finds_the_tokens_of_its_store(void **state)
{
    (void)state;
    char folder[FOLDER_SIZE], path[FOLDER_SIZE + 16], at[FOLDER_SIZE + 16];
    join j = sample(), got;
    etna_error err;
    folder_make(folder);
    snprintf(path, sizeof path, "%s/join", folder);
    snprintf(at, sizeof at, "@%s", path);
    assert_int_equal(join_find("tcp://host:5", folder, &got, &err),
                     ETNA_E_USAGE);
    assert_non_null(strstr(err.text, "--connect @FILE"));
    assert_int_equal(join_find("ipc:///x", folder, &got, NULL), ETNA_OK);
    assert_string_equal(got.realm, "");
    assert_int_equal(join_write(path, &j, NULL), ETNA_OK);
    assert_int_equal(join_find("tcp://host:5", folder, &got, NULL), ETNA_OK);
    /* whose certificate is there */
    assert_string_equal(got.endpoint, "tls+tcp://host:5");
    assert_string_equal(got.realm, "r");
    j.certificate[0] = 0;
    assert_int_equal(join_write(path, &j, NULL), ETNA_OK);
    assert_int_equal(join_find("tcp://host:5", folder, &got, NULL), ETNA_OK);
    assert_string_equal(got.endpoint, "tcp://host:5");
    assert_int_equal(join_find("tls+tcp://host:5", folder, &got, NULL),
                     ETNA_E_USAGE);
    setenv("ETNA_STORE", folder, 1);
    assert_int_equal(join_find("tcp://host:6", NULL, &got, NULL), ETNA_OK);
    assert_int_equal(join_find(at, "/nowhere", &got, NULL), ETNA_OK);
    assert_string_equal(got.endpoint, "tcp://127.0.0.1:7890");
    unlink(path);
    assert_int_equal(join_find(at, NULL, &got, NULL), ETNA_E_USAGE);
    rmdir(folder);
}

static void a_secret_file_longer_than_its_room_is_refused(void **state)
{
    (void)state;
    char folder[FOLDER_SIZE], path[FOLDER_SIZE + 16], text[8];
    size_t size = 0;
    folder_make(folder);
    snprintf(path, sizeof path, "%s/s", folder);
    assert_int_equal(secret_file_write(path, "it", "12345678", 8, NULL),
                     ETNA_OK);
    assert_int_equal(secret_file_read(path, "it", text, 8, &size, NULL),
                     ETNA_OK);
    assert_int_equal(size, 8);
    assert_int_equal(secret_file_read(path, "it", text, 7, &size, NULL),
                     ETNA_E_USAGE);
    unlink(path);
    rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(a_file_of_another_kind_is_refused_and_changes_nothing),
        cmocka_unit_test(ends_of_lines_of_another_system_are_read),
        cmocka_unit_test(what_a_later_version_adds_is_passed_over),
        cmocka_unit_test(a_file_that_others_may_read_is_refused),
        cmocka_unit_test(an_address_finds_the_tokens_of_its_store),
        cmocka_unit_test(a_secret_file_longer_than_its_room_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
