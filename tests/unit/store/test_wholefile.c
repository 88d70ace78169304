/* A file is there whole or as it was before, and nothing hidden stays beside
 * it. */
#include "store/wholefile.h"
#include "support.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[FOLDER_SIZE];
static int fd;

static int make(void **state)
{
    (void)state;
    folder_make(folder);
    fd = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    return fd < 0 ? -1 : 0;
}

static int drop(void **state)
{
    (void)state;
    unlinkat(fd, "a", 0);
    unlinkat(fd, "a", AT_REMOVEDIR);
    close(fd);
    return rmdir(folder); /* fails when something was left */
}

static void assert_holds(const char *name, const char *text)
{
    char found[64] = "";
    int file = openat(fd, name, O_RDONLY | O_CLOEXEC);
    assert_true(file >= 0);
    assert_int_equal(read(file, found, sizeof found - 1),
                     (ssize_t)strlen(text));
    close(file);
    assert_string_equal(found, text);
}

static void a_new_file_takes_the_old_ones_place(void **state)
{
    (void)state;
    assert_true(wholefile_write(fd, "a", "first", 5));
    assert_true(wholefile_write(fd, "a", "2", 1));
    assert_holds("a", "2");
}

static void what_a_killed_process_left_goes_with_the_next_write(void **state)
{
    (void)state;
    int left = openat(fd, ".a.part", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    assert_true(left >= 0);
    close(left);
    assert_true(wholefile_write(fd, "a", "new", 3));
    assert_holds("a", "new");
    assert_int_equal(faccessat(fd, ".a.part", F_OK, 0), -1);
}

static void a_name_that_is_taken_by_a_folder_is_an_error_and_leaves_nothing(
    void **state)
{
    (void)state;
    assert_int_equal(mkdirat(fd, "a", 0700), 0);
    assert_false(wholefile_write(fd, "a", "new", 3));
    assert_int_equal(errno, EISDIR);
    assert_int_equal(faccessat(fd, ".a.part", F_OK, 0), -1);
}

static void a_name_with_no_room_for_the_hidden_one_is_refused(void **state)
{
    (void)state;
    char name[256];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = 0;
    assert_false(wholefile_write(fd, name, "new", 3));
    assert_int_equal(errno, ENAMETOOLONG);
}

static void no_room_is_told_from_other_faults(void **state)
{
    (void)state;
    assert_int_equal(wholefile_code(ENOSPC), ETNA_E_FULL);
    assert_int_equal(wholefile_code(EDQUOT), ETNA_E_FULL);
    assert_int_equal(wholefile_code(EACCES), ETNA_E_IO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_new_file_takes_the_old_ones_place,
                                        make, drop),
        cmocka_unit_test_setup_teardown(
            what_a_killed_process_left_goes_with_the_next_write, make, drop),
        cmocka_unit_test_setup_teardown(
            a_name_that_is_taken_by_a_folder_is_an_error_and_leaves_nothing,
            make, drop),
        cmocka_unit_test_setup_teardown(
            a_name_with_no_room_for_the_hidden_one_is_refused, make, drop),
        cmocka_unit_test(no_room_is_told_from_other_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
