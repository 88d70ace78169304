/* Sentences made from templates (phrases.c), whose meaning is known, and the
 * same with a slip of the finger in each: how many are read rightly, refused
 * and read wrongly. ETNA_GENERATED says how many of each are made (default 600;
 * the full measure is 10000), ETNA_GENERATED_SHOW=1 prints those that are not
 * right. */
#include "tests/unit/worker/agents/phrases.h"
#include "tests/unit/worker/agents/readings.h"
#include "tests/unit/worker/agents/scene_facts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* In thousandths of all sentences. */
enum {
    RIGHT_LEAST = 998,
    WRONG_MOST = 2,
    SLIPPED_RIGHT_LEAST = 950,
    SLIPPED_WRONG_MOST = 5
};
enum {
    SEED = 13,
    FORMS_MAX = 200
};

typedef struct tally {
    unsigned made, right, refused, wrong;
} tally;

typedef struct form_tally {
    const char *form;
    tally count;
} form_tally;

static void count_one(tally *t, bool is_read, bool right)
{
    t->made++;
    t->right += right;
    t->refused += !right && !is_read;
    t->wrong += !right && is_read;
}

static tally *tally_of(form_tally *forms, const char *form)
{
    for (int i = 0; i < FORMS_MAX; i++) {
        if (!forms[i].form)
            forms[i].form = form;
        if (forms[i].form == form)
            return &forms[i].count;
    }
    fail_msg("too many forms");
    return NULL;
}

static bool is_shown(void)
{
    const char *show = getenv("ETNA_GENERATED_SHOW");
    return show && strcmp(show, "1") == 0;
}

static bool reads_right(const builtin_facts *facts, const phrase *p)
{
    etna_arena arena = ETNA_ARENA_INIT;
    builtin_reading *reading = etna_arena_alloc(&arena, 1, sizeof *reading);
    if (!reading)
        fail_msg("out of memory");
    memset(reading, 0, sizeof *reading);
    bool is_read =
        builtin_read(facts, p->said, &arena, reading, NULL) == ETNA_OK;
    bool right = readings_match(facts, is_read ? reading : NULL, p->means);
    etna_arena_free(&arena);
    return right;
}

static void read_one(const builtin_facts *facts,
                     const phrase *p,
                     const char *said,
                     const char *scene,
                     tally *all,
                     tally *of_form)
{
    etna_arena arena = ETNA_ARENA_INIT;
    etna_error err = {0};
    builtin_reading *reading = etna_arena_alloc(&arena, 1, sizeof *reading);
    char got[2000];
    if (!reading)
        fail_msg("out of memory");
    memset(reading, 0, sizeof *reading);
    bool is_read = builtin_read(facts, said, &arena, reading, &err) == ETNA_OK;
    bool right = readings_match(facts, is_read ? reading : NULL, p->means);
    count_one(all, is_read, right);
    count_one(of_form, is_read, right);
    if (is_read)
        readings_write(facts, reading, got, sizeof got);
    if (!right && is_shown()) {
        bool slipped = strcmp(said, p->said) != 0;
        const char *by = slipped && reads_right(facts, p) ? " by the slip" : "";
        print_message("%s%s | %s | %s\n    wanted %s\n    read   %s\n",
                      is_read ? "WRONG" : "refused", by, scene, said, p->means,
                      is_read ? got : err.text);
    }
    etna_arena_free(&arena);
}

static void make_and_read(bool slips, tally *ret)
{
    const char *asked = getenv("ETNA_GENERATED");
    unsigned count = asked ? (unsigned)strtoul(asked, NULL, 10) : 600,
             scenes = phrases_scene_count();
    etna_random random = etna_random_from(SEED + slips);
    form_tally *forms = calloc(FORMS_MAX, sizeof *forms);
    if (!forms)
        fail_msg("out of memory");
    for (unsigned s = 0; s < scenes; s++) {
        const phrases_scene *scene = phrases_scene_at(s);
        etna_arena arena = ETNA_ARENA_INIT;
        etna_error err = {0};
        builtin_facts facts;
        char *json = scene_facts(phrases_scene_name(scene));
        assert_non_null(json);
        if (builtin_facts_read(json, strlen(json), &arena, &facts, &err) !=
            ETNA_OK)
            fail_msg("%s", err.text);
        for (unsigned i = s; i < count; i += scenes) {
            phrase p;
            char slipped[PHRASES_TEXT];
            phrases_make(scene, &facts, &random, &p);
            bool slips_here =
                slips && phrases_slip(&facts, &random, p.said, slipped);
            if (slips && !slips_here)
                continue;
            read_one(&facts, &p, slips ? slipped : p.said,
                     phrases_scene_name(scene), ret, tally_of(forms, p.form));
        }
        etna_arena_free(&arena);
        free(json);
    }
    for (int i = 0; is_shown() && i < FORMS_MAX && forms[i].form; i++) {
        const tally *t = &forms[i].count;
        if (t->right < t->made)
            print_message("%u/%u right, %u refused, %u wrong: %s\n", t->right,
                          t->made, t->refused, t->wrong, forms[i].form);
    }
    free(forms);
    print_message("%s: %u made: %u right, %u refused, %u wrong\n",
                  slips ? "with a slip each" : "without slips", ret->made,
                  ret->right, ret->refused, ret->wrong);
}

static void sentences_of_known_meaning_are_read_so(void **state)
{
    (void)state;
    tally t = {0};
    make_and_read(false, &t);
    assert_true(t.right * 1000 >= t.made * RIGHT_LEAST);
    assert_true(t.wrong * 1000 <= t.made * WRONG_MOST);
}

static void a_slip_of_the_finger_is_mended_or_refused(void **state)
{
    (void)state;
    tally t = {0};
    make_and_read(true, &t);
    assert_true(t.right * 1000 >= t.made * SLIPPED_RIGHT_LEAST);
    assert_true(t.wrong * 1000 <= t.made * SLIPPED_WRONG_MOST);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sentences_of_known_meaning_are_read_so),
        cmocka_unit_test(a_slip_of_the_finger_is_mended_or_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
