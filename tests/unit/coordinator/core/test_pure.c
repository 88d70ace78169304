/* The core is pure: its library asks the system for nothing but memory and
 * strings. `nm -u` says what it asks for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

/* What the linker could not find inside the library, and who may be asked for
 * it. */
static const char *const allowed[] = {
    "calloc",
    "malloc",
    "realloc",
    "free",
    "snprintf",
    "vsnprintf",
    "bcmp" /* what a compiler makes of memcmp() == 0 */,
    "arrange_ablation_name",
    "arrange_instruction_shown",
    "arrange_task_size",
    "models_cost_micros",
    "run_state_name"};
static const char *const prefixes[] = {"mem",
                                       "str", /* of the C library */
                                       "etna_arena_",
                                       "canon_",
                                       "etna_fail",
                                       "etna_error_",
                                       "etna_code_",
                                       "etna_hash_",
                                       "etna_id_",
                                       "etna_seed",
                                       "etna_utf8_",
                                       "message_usage_",
                                       "table_", /* proto's pure objects */
                                       "__asan_",
                                       "__ubsan_",
                                       "__tsan_",
                                       "__sanitizer_",
                                       "__stack_chk_fail",
                                       "_GLOBAL_OFFSET_TABLE_"};
/* Of the pure prefixes, what is not pure: it needs libsodium. */
static const char *const forbidden[] = {"etna_hash_bytes"};

static bool listed(const char *name,
                   const char *const *list,
                   size_t count,
                   bool prefix)
{
    for (size_t i = 0; i < count; i++) {
        if (prefix ? strncmp(name, list[i], strlen(list[i])) == 0
                   : strcmp(name, list[i]) == 0)
            return true;
    }
    return false;
}

static bool may(const char *name)
{
    if (listed(name, forbidden, sizeof forbidden / sizeof *forbidden, false))
        return false;
    return listed(name, allowed, sizeof allowed / sizeof *allowed, false) ||
           listed(name, prefixes, sizeof prefixes / sizeof *prefixes, true);
}

static void the_library_asks_for_memory_and_strings_only(void **state)
{
    (void)state;
    static char defined[65536];
    char line[512], name[256], kind;
    size_t used = 1;
    defined[0] = '\n';
    FILE *nm = popen("nm --defined-only " ETNA_BINARY_DIR
                     "/coordinator/libetna_core.a 2>/dev/null",
                     "r");
    assert_non_null(nm);
    while (fgets(line, sizeof line, nm)) {
        if (sscanf(line, "%*x %c %255s", &kind, name) != 2)
            continue;
        used += (size_t)snprintf(defined + used, sizeof defined - used, "%s\n",
                                 name);
        assert_true(used < sizeof defined);
    }
    assert_int_equal(pclose(nm), 0);
    assert_non_null(strstr(defined, "\ncore_step\n"));
    nm = popen("nm -u " ETNA_BINARY_DIR
               "/coordinator/libetna_core.a 2>/dev/null",
               "r");
    assert_non_null(nm);
    uint32_t asked = 0, wrong = 0;
    while (fgets(line, sizeof line, nm)) {
        if (sscanf(line, " U %255s", name) != 1)
            continue;
        char within[260];
        snprintf(within, sizeof within, "\n%s\n", name);
        if (strstr(defined, within))
            continue;
        asked++;
        if (may(name))
            continue;
        print_message("the core asks for %s\n", name);
        wrong++;
    }
    assert_int_equal(pclose(nm), 0);
    assert_true(asked > 5);
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_library_asks_for_memory_and_strings_only)};
    return cmocka_run_group_tests_name("pure", tests, NULL, NULL);
}
