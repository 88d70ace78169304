/* Hostile briefs: what is read of any text stays within it, and refers to what
 * was read. */
#include "tests/fuzz/fuzz.h"
#include "worker/furnish/brief.h"

#include <stdlib.h>
#include <string.h>

static void check(bool holds)
{
    if (!holds)
        abort();
}

static void spans_check(const brief *b, size_t size)
{
    for (uint32_t i = 0; i < b->wish_count; i++) {
        const brief_wish *w = &b->wishes[i];
        check(w->from <= w->to && w->to <= size);
        check(w->count >= 1 && w->head[0]);
    }
    for (uint32_t i = 0; i < b->want_count; i++)
        check(b->wants[i].from <= b->wants[i].to && b->wants[i].to <= size);
    for (uint32_t i = 0; i < b->unread_count; i++)
        check(b->unread[i].from < b->unread[i].to && b->unread[i].to <= size);
    for (uint32_t i = 0; i < b->tie_count; i++) {
        const brief_tie *t = &b->ties[i];
        check(t->wish < b->wish_count && t->relation < BRIEF_RELATIONS);
        check(t->anchor == BRIEF_NONE || t->anchor < b->wish_count);
        check(t->from <= t->to && t->to <= size);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    brief *b = malloc(sizeof *b);
    char *text = malloc(size + 1);
    if (b && text) {
        memcpy(text, data, size);
        text[size] = 0;
        etna_error err = {0};
        if (brief_read(text, size, b, &err) == ETNA_OK)
            spans_check(b, size);
    }
    free(text);
    free(b);
    return 0;
}

void fuzz_seeds(void (*add)(const void *data, size_t size))
{
    static const char *const texts[] = {
        "Two rows of three desks facing a blackboard, each with a chair and a lamp, and a plant in each corner.",
        "a bed flanked by two nightstands, each holding a lamp; opposite the bed, a dresser with a mirror above it",
        "I want a modern, minimalist bedroom with a king-size bed (no rug), good lighting and storage for two",
        "four tables, four chairs along each side and one at each end, a vase on every table",
        "six chairs in a circle, 1.5 m apart, back to back, facing each other, on both sides of it",
        "She doesn't want any shelves on the east wall. A desk/table for six by the window, and it in the middle",
        "each facing its own mirror per the east",
        ", a bed",
        "each facing its own mirror pern the east",
        "each facing its own mirror per desk in two of the far corners either side behind each stand",
        "\xe4\xb8\x80\xe4\xb8\xaa bed \xe2\x80\x93 desk \xe2\x80\xa6 and \xc3\xa9 chair"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        add(texts[i], strlen(texts[i]));
    char deep[4000];
    for (size_t i = 0; i < sizeof deep; i++)
        deep[i] = "two rows of each chair on it, "[i % 30];
    add(deep, sizeof deep);
}
