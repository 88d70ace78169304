/* Which texts are told to be in another language. */
#include "tests/support/arena_fixture.h"
#include "worker/builtin/language/language.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const char *language_of(const char *text)
{
    static const char *const words[] = {"desk", "lamp", "stuhl_01", "table"};
    static const sentence_vocabulary vocabulary = {
        .count = sizeof words / sizeof words[0], .words = words};
    sentence s;
    etna_error err = {0};
    if (sentence_split(text, &vocabulary, &arena, &s, &err) != ETNA_OK)
        fail_msg("%s: %s", text, err.text);
    const char *language = language_guess(&s);
    return language ? language : "English";
}

static void check_language(const char *text, const char *expected)
{
    const char *language = language_of(text);
    if (strcmp(language, expected) != 0)
        fail_msg("%s: %s, not %s", text, language, expected);
}

static void a_language_is_known_by_its_small_words(void **state)
{
    (void)state;
    check_language("Stell den Stuhl neben das Bett", "German");
    check_language("Mach das Sofa n\xC3\xA4her an den Tisch", "German");
    check_language("Mets la chaise devant la table", "French");
    check_language("place la silla junto a la mesa", "Spanish");
    check_language("Coloca el libro sobre la mesa", "Spanish");
    check_language("Coloque a cadeira ao lado da mesa", "Portuguese");
    check_language("Metti la sedia vicino al tavolo", "Italian");
    check_language("Zet het boek op de tafel", "Dutch");
    check_language(
        "St\xC3\xA4ll stolen bredvid bordet och lampan p\xC3\xA5 golvet",
        "Swedish");
    check_language("Laita tuoli p\xC3\xB6yd\xC3\xA4n viereen", "Finnish");
    check_language("Postaw krzes\xC5\x82o obok sto\xC5\x82u", "Polish");
    check_language("L\xC3\xBCtfen sandalyeyi masan\xC4\xB1n yan\xC4\xB1na koy",
                   "Turkish");
}

static void a_script_is_known_by_its_letters(void **state)
{
    (void)state;
    check_language(
        "\xE6\x8A\x8A\xE6\xA4\x85\xE5\xAD\x90\xE6\x94\xBE\xE5\x9C\xA8\xE6\xA1\x8C\xE5\xAD\x90\xE6\x97\x81\xE8"
        "\xBE\xB9",
        "Chinese or Japanese");
    check_language(
        "\xE6\xA4\x85\xE5\xAD\x90\xE3\x82\x92\xE6\x9C\xBA\xE3\x81\xAE\xE9\x9A\xA3\xE3\x81\xAB",
        "Japanese");
    check_language(
        "\xD0\x9F\xD0\xBE\xD1\x81\xD1\x82\xD0\xB0\xD0\xB2\xD1\x8C \xD1\x81\xD1\x82\xD1\x83\xD0\xBB",
        "a language in Cyrillic letters");
}

static void what_several_languages_would_write_is_another_one(void **state)
{
    (void)state;
    /* Spanish and Italian alike */
    check_language("la lampada con la mesa", "another language");
    check_language("den, den", "another language");
}

static void english_stays_english_however_it_is_written(void **state)
{
    (void)state;
    check_language("Put the lamp in the den", "English");
    check_language("pls move teh lamp closer to desk", "English");
    check_language("put stuhl_01 on the desk", "English");
    check_language(
        "Put \"der Stuhl von der Oma\" next to \"el sof\xC3\xA1 de la abuela\"",
        "English");
    check_language("put \xE6\xA4\x85\xE5\xAD\x90 on the table", "English");
    check_language(
        "move the la la land poster and the del monte can to the desk",
        "English");
    check_language("set two mugs on a desk, then pull a chair up", "English");
    check_language("cosier", "English");
}

#define TEST(name) \
    cmocka_unit_test_setup_teardown(name, arena_open, arena_close)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_language_is_known_by_its_small_words),
        TEST(a_script_is_known_by_its_letters),
        TEST(what_several_languages_would_write_is_another_one),
        TEST(english_stays_english_however_it_is_written)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
