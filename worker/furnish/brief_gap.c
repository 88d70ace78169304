/* How far apart a brief puts two things: "40 cm in front of the sofa". */
#include "worker/furnish/brief_reading_internal.h"

#include "proto/ascii.h"

#include <stdio.h>
#include <string.h>

/* May a place have a gap that is read, and not be farther than such a place may
 * be? */
static bool gap_fits(brief_relation relation, double gap)
{
    const double least = 0.05, beside = 0.6, before = 0.9; /* metres */
    bool is_before = relation == BRIEF_FRONT || relation == BRIEF_BEHIND;
    bool is_beside = relation == BRIEF_BESIDE || relation == BRIEF_LEFT ||
                     relation == BRIEF_RIGHT;
    if (gap < least)
        return false;
    return (is_before && gap <= before) || (is_beside && gap <= beside);
}

bool brief_gap_read(brief_reading *r)
{
    uint32_t length, n = 2;
    const brief_word *w = &r->words[r->at];
    if (w->mark || r->denied)
        return false;
    /* "half a metre" */
    n += strcmp(brief_word_at(r, r->at + 1)->text, "a") == 0;
    const char *unit = brief_word_at(r, r->at + n - 1)->text;
    char amount[BRIEF_WORD_SIZE];
    /* as it is written: folded, a number has no point */
    snprintf(amount, sizeof amount, "%.*s", (int)(w->to - w->from),
             r->text + w->from);
    const bool is_figure = ascii_is_digit(amount[0]);
    const double gap = brief_length_of(is_figure ? amount : w->text, unit);
    const brief_phrase *p =
        brief_phrase_at(r->words, r->count, r->at + n, &length);
    bool is_place = p && p->order == BRIEF_FORWARD && !p->both && !p->loose;
    if (!is_place || !gap_fits(p->relation, gap))
        return false;
    bool ended = r->ended == r->at;
    brief_words_use(r, r->at, r->at + n, WORD_BETWEEN);
    r->at += n;
    if (ended)
        r->ended = r->at; /* the place is of the thing before */
    r->gap = gap;
    r->gap_at = r->at;
    brief_phrase_restart(r);
    return true;
}

double brief_gap_take(brief_reading *r)
{
    const double gap = r->gap_at == r->at ? r->gap : 0;
    r->gap = 0;
    return gap;
}
