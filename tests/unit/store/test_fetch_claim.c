/* Of several processes of a host that want one blob one fetches it, and who
 * stands still or died holds up nobody. */
#include "store/fetch_claim.h"
#include "support.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct claims {
    char folder[FOLDER_SIZE];
    etna_hash blob;
    fetch_claim *mine, *other;
} claims;

static int set_up(void **state)
{
    claims *c = calloc(1, sizeof *c);
    assert_non_null(c);
    folder_make(c->folder);
    c->blob = etna_hash_bytes("a blob", 6);
    c->mine = fetch_claim_new();
    c->other = fetch_claim_new();
    *state = c;
    return 0;
}

static int take_down(void **state)
{
    claims *c = *state;
    fetch_claim_free(c->mine);
    fetch_claim_free(c->other);
    folder_remove(c->folder);
    free(c);
    return 0;
}

static void one_of_two_is_to_fetch_a_blob(void **state)
{
    claims *c = *state;
    etna_hash another = etna_hash_bytes("another", 7);
    assert_true(fetch_claim_take(c->mine, c->folder, &c->blob));
    assert_false(fetch_claim_take(c->other, c->folder, &c->blob));
    assert_true(fetch_claim_take(c->other, c->folder, &another));
    fetch_claim_drop(c->mine);
    assert_true(fetch_claim_take(c->other, c->folder, &c->blob));
    assert_false(fetch_claim_take(c->mine, c->folder, &c->blob));
}

static void without_a_cache_on_disk_each_fetches(void **state)
{
    claims *c = *state;
    assert_true(fetch_claim_take(c->mine, NULL, &c->blob));
    assert_true(fetch_claim_take(c->other, NULL, &c->blob));
    assert_true(fetch_claim_take(c->mine, "/nowhere/at/all", &c->blob));
    assert_true(fetch_claim_take(NULL, c->folder, &c->blob));
}

static void a_claim_goes_with_its_process(void **state)
{
    claims *c = *state;
    int ready[2], status;
    char byte;
    assert_int_equal(pipe(ready), 0);
    pid_t pid = fork();
    if (!pid) {
        bool taken = fetch_claim_take(c->other, c->folder, &c->blob);
        (void)!write(ready[1], taken ? "y" : "n", 1);
        for (;;)
            pause();
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    assert_int_equal(byte, 'y');
    assert_false(fetch_claim_take(c->mine, c->folder, &c->blob));
    kill(pid, SIGKILL);
    waitpid(pid, &status, 0);
    assert_true(fetch_claim_take(c->mine, c->folder, &c->blob));
    close(ready[0]);
    close(ready[1]);
}

static void who_stands_still_is_not_waited_for(void **state)
{
    claims *c = *state;
    struct timespec long_ago[2] = {{.tv_nsec = UTIME_NOW},
                                   {.tv_nsec = UTIME_NOW}};
    struct stat st;
    assert_true(fetch_claim_take(c->mine, c->folder, &c->blob));
    assert_int_equal(fstat(c->mine->fd, &st), 0);
    long_ago[1] = st.st_mtim;
    long_ago[1].tv_sec -= FETCH_CLAIM_MS / 1000 + 1;
    assert_int_equal(futimens(c->mine->fd, long_ago), 0);
    assert_true(fetch_claim_take(c->other, c->folder, &c->blob));
    fetch_claim_goes_on(c->mine);
    assert_false(fetch_claim_take(c->other, c->folder, &c->blob));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(one_of_two_is_to_fetch_a_blob, set_up,
                                        take_down),
        cmocka_unit_test_setup_teardown(without_a_cache_on_disk_each_fetches,
                                        set_up, take_down),
        cmocka_unit_test_setup_teardown(a_claim_goes_with_its_process, set_up,
                                        take_down),
        cmocka_unit_test_setup_teardown(who_stands_still_is_not_waited_for,
                                        set_up, take_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
