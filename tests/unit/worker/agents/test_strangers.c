/* Reads the tables of what strangers say (strangers_*.txt and constructs.txt of
 * tests/unit/worker/builtin/sentences/) over the facts of the scenes they name.
 * Each table tells how many of its rows are read right and how many wrongly at
 * the least and at the most; what is offered in place of a refused sentence is
 * read itself. */
#include "tests/unit/worker/agents/readings.h"
#include "tests/unit/worker/agents/scene_shelf.h"
#include "worker/builtin/builtin.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static scene_shelf shelf; /* of all tables */

enum {
    STYLES = 4
};
static const char style_letters[] = "hfce";
static const char *const style_names[STYLES] = {"hurried", "formal",
                                                "a child's", "an engineer's"};

typedef struct tally {
    unsigned rows, right, refused, wrong, skipped;
    unsigned impossible,
        /* rows that must be refused; of these, refused with a code that is
         * right */
        told;
} tally;

static void add_tally(tally *sum, const tally *more)
{
    sum->rows += more->rows;
    sum->right += more->right;
    sum->refused += more->refused;
    sum->wrong += more->wrong;
    sum->skipped += more->skipped;
    sum->impossible += more->impossible;
    sum->told += more->told;
}

static void tell_tally(const char *what, const tally *t)
{
    print_message(
        "%s: %u read: %u right, %u refused, %u wrong; %u to be refused, %u with the right code; %u skipped for "
        "want of their scene\n",
        what, t->rows - t->skipped, t->right, t->refused, t->wrong,
        t->impossible, t->told, t->skipped);
}

/* The next field of a row up to a single bar, trimmed. */
static char *next_field(char **row)
{
    char *field = *row, *bar = strchr(field, '|');
    if (!bar)
        fail_msg("a field is missing: %s", field);
    *bar = 0;
    *row = bar + 1;
    return readings_trim(field);
}

static void tell_row(const char *verdict,
                     const char *where,
                     const char *sentence,
                     const char *wanted,
                     const char *got)
{
    print_message("%s | %s | %s\n    wanted %s\n    read   %s\n", verdict,
                  where, sentence, wanted, got);
}

/* A refusal quotes what it is about; what it offers instead, if anything, is
 * read, over the same scene. */
static void check_refusal(const builtin_facts *facts,
                          const builtin_reading *reading,
                          const char *sentence,
                          etna_arena *arena)
{
    static const char lead[] = "for instance '";
    const builtin_refusal *refusal = &reading->refusal;
    const char *offer = strstr(refusal->advice, lead);
    etna_error err = {0};
    if (refusal->code[0] == 'i' || refusal->code[0] == 'n')
        return; /* impossible, no_place: the reason says it */
    if (!offer)
        return; /* nothing is like it */
    char *said = etna_arena_strdup(arena, offer + sizeof lead - 1);
    char *next = said ? strstr(said, "', '") : NULL,
         *rest = said ? strstr(said, "'; the rest") : NULL;
    builtin_reading *again = etna_arena_alloc(arena, 1, sizeof *again);
    if (!said || !again)
        fail_msg("out of memory");
    said[strlen(said) - 1] = 0;
    if (next)
        *next = 0;
    if (rest)
        *rest = 0;
    memset(again, 0, sizeof *again);
    if (builtin_read(facts, said, arena, again, &err) != ETNA_OK)
        fail_msg("offered for '%s' and refused: %s: %s", sentence, said,
                 err.text);
}

/* A row, and what is read, to its style's tally. */
static void read_row(const builtin_facts *facts,
                     const char *where,
                     const char *sentence,
                     const char *wanted,
                     bool show,
                     tally *ret)
{
    etna_arena arena = ETNA_ARENA_INIT;
    etna_error err = {0};
    builtin_reading *reading = etna_arena_alloc(&arena, 1, sizeof *reading);
    char text[2000];
    if (!reading)
        fail_msg("out of memory");
    memset(reading, 0, sizeof *reading);
    bool is_read =
        builtin_read(facts, sentence, &arena, reading, &err) == ETNA_OK;
    bool right = readings_match(facts, is_read ? reading : NULL, wanted);
    if (is_read)
        readings_write(facts, reading, text, sizeof text);
    if (!is_read)
        check_refusal(facts, reading, sentence, &arena);
    ret->impossible += readings_refused(wanted);
    ret->told += readings_refused(wanted) && !is_read &&
                 readings_has_code(wanted, reading->refusal.code);
    ret->right += right;
    ret->wrong += !right && is_read;
    ret->refused += !right && !is_read;
    if (!right && show)
        tell_row(is_read ? "WRONG" : "refused", where, sentence, wanted,
                 is_read ? text : err.text);
    etna_arena_free(&arena);
}

/* Rows that a stranger wrote, with what they mean. Counts are told; falling
 * below the file's own floor fails ("# floor 367 wrong 0", "# all of them
 * hold"). */
static void read_strangers(const char *name, bool show)
{
    char path[1000], line[4000];
    snprintf(path, sizeof path,
             ETNA_SOURCE_DIR "/tests/unit/worker/builtin/sentences/%s", name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    unsigned floor_right = 0, most_wrong = UINT32_MAX;
    tally styles[STYLES] = {{0}}, all = {0};
    bool has_floor = false, all_hold = false;
    while (fgets(line, sizeof line, file)) {
        has_floor = has_floor || sscanf(line, "# floor %u wrong %u",
                                        &floor_right, &most_wrong) == 2;
        all_hold = all_hold || strcmp(line, "# all of them hold\n") == 0;
        if (line[0] == '#' || line[0] == '\n')
            continue;
        char *row = line, *kind = next_field(&row), *where = next_field(&row),
             *sentence = next_field(&row);
        const char *letter = strchr(style_letters, kind[0]);
        if (!kind[0] || !letter)
            fail_msg("'%s' is no style", kind);
        tally *style = &styles[letter - style_letters];
        const builtin_facts *facts = scene_shelf_facts(&shelf, where);
        style->rows++;
        if (facts)
            read_row(facts, where, sentence, readings_trim(row), show, style);
        else
            style->skipped++;
    }
    fclose(file);
    for (int i = 0; i < STYLES; i++) {
        tell_tally(style_names[i], &styles[i]);
        add_tally(&all, &styles[i]);
    }
    tell_tally(name, &all);
    assert_true(has_floor || all_hold);
    if (all.skipped)
        return; /* the floor is that of all rows */
    if (all_hold) {
        assert_int_equal(all.right, all.rows);
        return;
    }
    assert_true(all.right >= floor_right);
    assert_true(all.wrong <= most_wrong);
}

static bool is_set(const char *variable)
{
    const char *value = getenv(variable);
    return value && strcmp(value, "1") == 0;
}

static void sentences_of_strangers_are_read_as_often_as_before(void **state)
{
    (void)state;
    read_strangers("strangers_tuned.txt", is_set("ETNA_SENTENCES_SHOW"));
}

static void sentences_that_nobody_tunes_on_are_read_as_often_as_before(
    void **state)
{
    (void)state;
    read_strangers("strangers_held.txt", is_set("ETNA_SENTENCES_SHOW") &&
                                             is_set("ETNA_SENTENCES_HELD"));
}

static void sentences_of_a_second_table_are_read_as_often_as_before(
    void **state)
{
    (void)state;
    read_strangers("strangers_second.txt", is_set("ETNA_SENTENCES_SHOW") &&
                                               is_set("ETNA_SENTENCES_HELD"));
}

static void sentences_about_composed_rooms_are_read_as_often_as_before(
    void **state)
{
    (void)state;
    read_strangers("strangers_third.txt", is_set("ETNA_SENTENCES_SHOW"));
}

static void sentences_of_a_fourth_table_are_read_as_often_as_before(
    void **state)
{
    (void)state;
    read_strangers("strangers_fourth.txt", is_set("ETNA_SENTENCES_SHOW") &&
                                               is_set("ETNA_SENTENCES_HELD"));
}

static void sentences_of_a_fifth_table_are_read_as_often_as_before(void **state)
{
    (void)state;
    read_strangers("strangers_fifth.txt", is_set("ETNA_SENTENCES_SHOW"));
}

static void sentences_of_a_sixth_table_are_read_as_often_as_before(void **state)
{
    (void)state;
    read_strangers("strangers_sixth.txt", is_set("ETNA_SENTENCES_SHOW"));
}

static void sentences_of_a_seventh_table_are_read_as_often_as_before(
    void **state)
{
    (void)state;
    read_strangers("strangers_seventh.txt", is_set("ETNA_SENTENCES_SHOW"));
}

static void sentences_of_an_eighth_table_are_read_as_often_as_before(
    void **state)
{
    (void)state;
    read_strangers("strangers_eighth.txt", is_set("ETNA_SENTENCES_SHOW"));
}

static void sentences_of_a_ninth_table_are_read_as_often_as_before(void **state)
{
    (void)state;
    read_strangers("strangers_ninth.txt", is_set("ETNA_SENTENCES_SHOW"));
}

static void what_bounds_a_wish_is_no_remark_beside_it(void **state)
{
    (void)state;
    read_strangers("remarks.txt", is_set("ETNA_SENTENCES_SHOW"));
}

static void all_of_a_forms_sentences_are_read(void **state)
{
    (void)state;
    read_strangers("constructs.txt", true);
}

static void no_word_is_read_as_if_it_were_not_there(void **state)
{
    (void)state;
    read_strangers("accounted.txt", true);
}

static void talk_is_passed_over_and_no_order_with_it(void **state)
{
    (void)state;
    read_strangers("talk.txt", true);
}

static void a_place_is_where_its_words_say(void **state)
{
    (void)state;
    read_strangers("places.txt", true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sentences_of_strangers_are_read_as_often_as_before),
        cmocka_unit_test(
            sentences_that_nobody_tunes_on_are_read_as_often_as_before),
        cmocka_unit_test(
            sentences_of_a_second_table_are_read_as_often_as_before),
        cmocka_unit_test(
            sentences_about_composed_rooms_are_read_as_often_as_before),
        cmocka_unit_test(
            sentences_of_a_fourth_table_are_read_as_often_as_before),
        cmocka_unit_test(
            sentences_of_a_fifth_table_are_read_as_often_as_before),
        cmocka_unit_test(
            sentences_of_a_sixth_table_are_read_as_often_as_before),
        cmocka_unit_test(
            sentences_of_a_seventh_table_are_read_as_often_as_before),
        cmocka_unit_test(
            sentences_of_an_eighth_table_are_read_as_often_as_before),
        cmocka_unit_test(
            sentences_of_a_ninth_table_are_read_as_often_as_before),
        cmocka_unit_test(what_bounds_a_wish_is_no_remark_beside_it),
        cmocka_unit_test(all_of_a_forms_sentences_are_read),
        cmocka_unit_test(no_word_is_read_as_if_it_were_not_there),
        cmocka_unit_test(talk_is_passed_over_and_no_order_with_it),
        cmocka_unit_test(a_place_is_where_its_words_say)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    scene_shelf_clear(&shelf);
    return failed;
}
