/* Words go together as often as Dice's coefficient says: twice the models that
 * have both, over those that have either. */
#include "worker/assets/pivot.h"
#include "proto/array.h"
#include "worker/assets/strings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* words a side of one model that are paired; English names of one foreign one
 * that are told */
enum {
    KEY_SIZE = 160,
    PER_SIDE = 12,
    GROUP_MAX = 48
};
/* a third: below that, words go together by the theme of a library and not by
 * meaning */
static const double SHARE_MIN = 0.34;

/* a foreign word or name, an English one, and in how many models both are */
typedef struct pair {
    uint32_t foreign, english, count;
} pair;

typedef struct pairs {
    pair *list;
    size_t count, room;
} pairs;

typedef struct side { /* words, or names */
    strings foreign, english;
    uint32_t *foreign_count, *english_count;
    size_t foreign_room, english_room;
    pairs pairs;
    uint32_t *first; /* of a foreign one's pairs; one more at the end */
} side;

struct pivot {
    side words, names;
    bool failed;
};

/* ---- gathering ---- */

/* Number of the text, counted once more; STRINGS_NONE: no memory. */
static uint32_t counted_add(strings *among,
                            uint32_t **counts,
                            size_t *room,
                            const char *text)
{
    uint32_t number = strings_add(among, text);
    if (number == STRINGS_NONE)
        return number;
    if (number >= *room) {
        size_t more = *room ? 2 * *room : 512;
        uint32_t *grown = realloc(*counts, more * sizeof *grown);
        if (!grown)
            return STRINGS_NONE;
        memset(grown + *room, 0, (more - *room) * sizeof *grown);
        *counts = grown;
        *room = more;
    }
    (*counts)[number]++;
    return number;
}

static bool pivot_pair_add(pairs *p, uint32_t foreign, uint32_t english)
{
    if (p->count == p->room) {
        size_t room = p->room ? 2 * p->room : 4096;
        pair *grown = realloc(p->list, room * sizeof *grown);
        if (!grown)
            return false;
        p->list = grown;
        p->room = room;
    }
    p->list[p->count++] = (pair){foreign, english, 1};
    return true;
}

/* Distinct numbers of a text's words. */
static uint32_t words_number(pivot *p,
                             bool english,
                             const char *language,
                             const char *text,
                             uint32_t *list,
                             uint32_t count)
{
    char word[TEXT_WORD_SIZE], key[KEY_SIZE];
    side *s = &p->words;
    while (count < PER_SIDE && text_next(&text, word)) {
        if (english ? text_is_stop(word) : strlen(word) < 2)
            continue;
        if (english)
            text_stem(word);
        snprintf(key, sizeof key, "%s%s%s", language, english ? "" : ":", word);
        uint32_t known = strings_find(english ? &s->english : &s->foreign, key);
        if (known != STRINGS_NONE && number_is_of(known, list, count))
            continue;
        uint32_t number = english ? counted_add(&s->english, &s->english_count,
                                                &s->english_room, key)
                                  : counted_add(&s->foreign, &s->foreign_count,
                                                &s->foreign_room, key);
        if (number == STRINGS_NONE)
            p->failed = true;
        else
            list[count++] = number;
    }
    return count;
}

static void name_key(const char *language, const char *name, char to[KEY_SIZE])
{
    char word[TEXT_WORD_SIZE];
    size_t n = (size_t)snprintf(to, KEY_SIZE, "%s:", language);
    while (text_next(&name, word) && n + strlen(word) + 2 < KEY_SIZE)
        n += (size_t)snprintf(to + n, KEY_SIZE - n, " %s", word);
}

static void names_learn(pivot *p, const asset *a)
{
    char key[KEY_SIZE];
    side *s = &p->names;
    uint32_t english =
        counted_add(&s->english, &s->english_count, &s->english_room, a->name);
    for (uint32_t i = 0; i < a->word_count; i++) {
        name_key(a->words[i].language, a->words[i].name, key);
        uint32_t foreign =
            counted_add(&s->foreign, &s->foreign_count, &s->foreign_room, key);
        bool is_added = english != STRINGS_NONE && foreign != STRINGS_NONE &&
                        pivot_pair_add(&s->pairs, foreign, english);
        if (!is_added)
            p->failed = true;
    }
}

/* All words of one side with all of the other, as nobody says which goes with
 * which; counts over many models tell it. */
static void words_learn(pivot *p, const asset *a)
{
    uint32_t english[PER_SIDE], foreign[PER_SIDE];
    uint32_t count = words_number(p, true, "", a->name, english, 0);
    count = words_number(p, true, "", a->tags, english, count);
    for (uint32_t i = 0; i < a->word_count; i++) {
        const asset_words *w = &a->words[i];
        uint32_t others =
            words_number(p, false, w->language, w->name, foreign, 0);
        others = words_number(p, false, w->language, w->tags, foreign, others);
        for (uint32_t f = 0; f < others; f++) {
            for (uint32_t e = 0; e < count; e++) {
                if (!pivot_pair_add(&p->words.pairs, foreign[f], english[e]))
                    p->failed = true;
            }
        }
    }
}

/* ---- ordering ---- */

static int pivot_pair_order(const void *a, const void *b)
{
    const pair *x = a, *y = b;
    if (x->foreign != y->foreign)
        return x->foreign < y->foreign ? -1 : 1;
    return (x->english > y->english) - (x->english < y->english);
}

/* Dice's coefficient. */
static double pair_share(const side *s, const pair *x)
{
    return 2.0 * x->count /
           (s->foreign_count[x->foreign] + s->english_count[x->english]);
}

/* Keeps the pairs of words that go together: a frequent word is met with nearly
 * all others. */
static size_t pairs_prune(const side *s, pair *list, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (list[i].count > 1 && pair_share(s, &list[i]) >= SHARE_MIN)
            list[kept++] = list[i];
    }
    return kept;
}

/* Equal pairs become one with a count; `first` then is where each foreign
 * text's pairs begin. */
static bool side_settle(side *s, bool prunes)
{
    size_t kept = 0;
    pairs *p = &s->pairs;
    if (p->count)
        qsort(p->list, p->count, sizeof *p->list, pivot_pair_order);
    for (size_t i = 0; i < p->count; i++) {
        if (kept && pivot_pair_order(&p->list[kept - 1], &p->list[i]) == 0)
            p->list[kept - 1].count++;
        else
            p->list[kept++] = p->list[i];
    }
    if (prunes)
        kept = pairs_prune(s, p->list, kept);
    p->count = kept;
    s->first = calloc(s->foreign.count + 1u, sizeof *s->first);
    if (!s->first)
        return false;
    for (size_t i = kept; i-- > 0;)
        s->first[p->list[i].foreign] = (uint32_t)i;
    s->first[s->foreign.count] = (uint32_t)kept;
    /* a word without an English one has no pairs */
    for (uint32_t i = s->foreign.count; i-- > 0;) {
        bool is_empty = kept == 0 || s->first[i] >= kept ||
                        p->list[s->first[i]].foreign != i;
        if (is_empty)
            s->first[i] = s->first[i + 1];
    }
    return true;
}

/* At most PIVOT_SOURCES_MAX models are learned from: more would not change what
 * words mean. NULL: no memory. */
pivot *pivot_make(const asset *assets, uint32_t count)
{
    pivot *p = calloc(1, sizeof *p);
    uint32_t learned = 0;
    for (uint32_t i = 0; p && i < count && learned < PIVOT_SOURCES_MAX; i++) {
        if (!assets[i].word_count)
            continue;
        words_learn(p, &assets[i]);
        names_learn(p, &assets[i]);
        learned++;
    }
    bool is_made = p && !p->failed && side_settle(&p->words, true) &&
                   side_settle(&p->names, false);
    if (is_made)
        return p;
    pivot_free(p);
    return NULL;
}

static void pivot_side_free(side *s)
{
    strings_free(&s->foreign);
    strings_free(&s->english);
    free(s->foreign_count);
    free(s->english_count);
    free(s->pairs.list);
    free(s->first);
}

void pivot_free(pivot *p)
{
    if (!p)
        return;
    pivot_side_free(&p->words);
    pivot_side_free(&p->names);
    free(p);
}

/* ---- asking ---- */

void pivot_of_word(const pivot *p,
                   const char *language,
                   const char *word,
                   pivot_word_fn each,
                   void *context)
{
    char key[KEY_SIZE];
    const side *s = &p->words;
    snprintf(key, sizeof key, "%s:%s", language, word);
    uint32_t foreign = strings_find(&s->foreign, key);
    if (foreign == STRINGS_NONE)
        return;
    for (uint32_t i = s->first[foreign]; i < s->first[foreign + 1]; i++) {
        const pair *x = &s->pairs.list[i];
        each(context, strings_text(&s->english, x->english), pair_share(s, x));
    }
}

void pivot_of_name(const pivot *p,
                   const char *language,
                   const char *name,
                   pivot_word_fn each,
                   void *context)
{
    char key[KEY_SIZE];
    const side *s = &p->names;
    name_key(language, name, key);
    uint32_t foreign = strings_find(&s->foreign, key);
    if (foreign == STRINGS_NONE)
        return;
    for (uint32_t i = s->first[foreign], n = 0;
         i < s->first[foreign + 1] && n < GROUP_MAX; i++, n++) {
        const pair *x = &s->pairs.list[i];
        each(context, strings_text(&s->english, x->english),
             (double)x->count / s->foreign_count[foreign]);
    }
}
