#include "tests/unit/worker/furnish/briefs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

brief *brief_of(const char *text)
{
    brief *b = malloc(sizeof *b);
    etna_error err = {0};
    assert_non_null(b);
    if (brief_read(text, strlen(text), b, &err) != ETNA_OK)
        fail_msg("%s: %s", text, err.text);
    return b;
}

void brief_has(const char *text, const char *wanted)
{
    brief *b = brief_of(text);
    char got[2000] = "";
    for (uint32_t i = 0; i < b->wish_count; i++) {
        size_t n = strlen(got);
        snprintf(got + n, sizeof got - n, "%s%u %s", n ? "; " : "",
                 b->wishes[i].count, b->wishes[i].head);
    }
    if (strcmp(got, wanted) != 0)
        fail_msg("%s:\n  got    %s\n  wanted %s", text, got, wanted);
    free(b);
}

bool brief_is_tied(const brief *b,
                   const char *head,
                   brief_relation relation,
                   const char *anchor)
{
    for (uint32_t i = 0; i < b->tie_count; i++) {
        const brief_tie *t = &b->ties[i];
        const char *to =
            t->anchor == BRIEF_NONE ? "" : b->wishes[t->anchor].head;
        if (t->relation == relation && strcmp(to, anchor) == 0 &&
            strcmp(b->wishes[t->wish].head, head) == 0)
            return true;
    }
    return false;
}

static bool text_is_tied(const char *text,
                         const char *head,
                         brief_relation relation,
                         const char *anchor)
{
    brief *b = brief_of(text);
    const bool is_tied = brief_is_tied(b, head, relation, anchor);
    free(b);
    return is_tied;
}

void brief_ties(const char *text,
                const char *head,
                brief_relation relation,
                const char *anchor)
{
    if (!text_is_tied(text, head, relation, anchor))
        fail_msg("%s: %s is not %s %s", text, head,
                 brief_relation_names[relation], anchor);
}

void brief_does_not_tie(const char *text,
                        const char *head,
                        brief_relation relation,
                        const char *anchor)
{
    if (text_is_tied(text, head, relation, anchor))
        fail_msg("%s: %s is %s %s", text, head, brief_relation_names[relation],
                 anchor);
}
