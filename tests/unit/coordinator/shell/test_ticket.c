/* What a ticket proves, and the file that its key stands in. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "coordinator/shell/ticket.h"
#include "tests/support/folder.h"

enum {
    WORKER = 41
};

static void a_ticket_is_of_one_lease_of_one_worker(void **state)
{
    (void)state;
    const seal_key key = {{1}}, another_key = {{2}};
    message_task_ref ref = {
        .run = {{7}}, .task = UINT64_C(1) << 40, .attempt = 2};
    assert_false(ticket_fits(&key, &ref, WORKER));
    ref.ticket = ticket_make(&key, &ref, WORKER);
    assert_true(ticket_fits(&key, &ref, WORKER));
    assert_false(ticket_fits(&key, &ref, WORKER + 1));
    assert_false(ticket_fits(&another_key, &ref, WORKER));
    message_task_ref others[4] = {ref, ref, ref, ref};
    others[0].run.bytes[15] = 1;
    others[1].task++;
    others[2].attempt++;
    others[3].ticket.bytes[15] ^= 1;
    for (size_t i = 0; i < 4; i++)
        assert_false(ticket_fits(&key, &others[i], WORKER));
}

static void a_stores_key_is_made_once_and_kept_from_others(void **state)
{
    (void)state;
    char folder[FOLDER_SIZE], path[FOLDER_SIZE + 16];
    seal_key made, read;
    struct stat status;
    folder_make(folder);
    snprintf(path, sizeof path, "%s/tickets", folder);
    assert_int_equal(ticket_key_open(folder, &made, NULL), ETNA_OK);
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0600);
    assert_int_equal(ticket_key_open(folder, &read, NULL), ETNA_OK);
    assert_memory_equal(&made, &read, sizeof made);
    assert_int_equal(chmod(path, 0644), 0);
    assert_int_equal(ticket_key_open(folder, &read, NULL), ETNA_E_USAGE);
    assert_int_equal(chmod(path, 0600), 0);
    unlink(path);
    rmdir(folder);
}

static void a_damaged_key_is_told_and_not_replaced(void **state)
{
    (void)state;
    static const char *const damaged[] = {"", "\n", "etna-tickets 1\n",
                                          "etna-tickets 1\nkey 00\n",
                                          "etna-tickets 2\nkey "};
    char folder[FOLDER_SIZE], path[FOLDER_SIZE + 16];
    folder_make(folder);
    snprintf(path, sizeof path, "%s/tickets", folder);
    for (size_t i = 0; i < sizeof damaged / sizeof *damaged; i++) {
        seal_key key = {{5}};
        struct stat status;
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        fputs(damaged[i], file);
        fclose(file);
        assert_int_equal(chmod(path, 0600), 0);
        assert_int_equal(ticket_key_open(folder, &key, NULL), ETNA_E_CORRUPT);
        assert_int_equal(key.bytes[0], 5);
        assert_int_equal(stat(path, &status), 0);
        assert_int_equal(status.st_size, strlen(damaged[i]));
    }
    unlink(path);
    rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ticket_is_of_one_lease_of_one_worker),
        cmocka_unit_test(a_stores_key_is_made_once_and_kept_from_others),
        cmocka_unit_test(a_damaged_key_is_told_and_not_replaced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
