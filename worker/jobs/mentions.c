/* See mentions.h. */
#include "worker/jobs/mentions.h"

#include "proto/ascii.h"
#include "worker/builtin/language/kinds.h"
#include "worker/builtin/language/lexicon.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* words of a text that are looked at; EXACT is above any run of words */
enum {
    WORDS_MAX = 120,
    EXACT = 100
};

typedef struct word {
    const char *at;
    size_t size;
    bool starts; /* a sentence begins with it */
} word;

static bool mention_is_alnum(char c)
{
    return ascii_is_letter_or_beyond(c) || ascii_is_digit(c);
}

/* Does a new word begin within a run of letters: "ChairA", "TVCabinet"? */
static bool is_hump(const char *p)
{
    bool upper = ascii_is_upper(*p);
    /* TVStand */
    bool is_last_of_capitals = ascii_is_upper(p[-1]) && ascii_is_lower(p[1]);
    return upper && (ascii_is_lower(p[-1]) || is_last_of_capitals);
}

/* The next run of letters or of digits, camel humps apart; false at the end.
 * Leading zeros are passed over, so "Chair 1" speaks of "Chair_01". */
static bool next_word(const char **text, word *ret)
{
    const char *p = *text;
    while (*p && !ascii_is_letter_or_beyond(*p) && !ascii_is_digit(*p))
        p++;
    if (!*p)
        return false;
    const char *start = p++;
    bool digits = ascii_is_digit(*start);
    while (digits ? ascii_is_digit(*p)
                  : ascii_is_letter_or_beyond(*p) && !is_hump(p))
        p++;
    while (digits && *start == '0' && p - start > 1)
        start++;
    *ret = (word){.at = start, .size = (size_t)(p - start)};
    *text = p;
    return true;
}

/* But for the case and one plural's s. Numbers have no plural: 1 and 1s are two
 * things. */
static bool word_is_same(const word *a, const word *b)
{
    const word *longer = a->size >= b->size ? a : b;
    const word *other = longer == a ? b : a;
    if (longer->size - other->size > 1 ||
        strncasecmp(a->at, b->at, other->size) != 0)
        return false;
    return longer->size == other->size ||
           (!ascii_is_digit(*other->at) && other->size >= 3 &&
            (longer->at[other->size] | 0x20) == 's');
}

static bool mention_bears(const char *name, const word *said)
{
    word own;
    while (next_word(&name, &own)) {
        if (word_is_same(&own, said))
            return true;
    }
    return false;
}

/* Is the word what the name calls the thing: its last one of letters, a TV and
 * no TV cabinet? */
static bool mention_is_head(const char *name, const word *said)
{
    word own, head = {0};
    while (next_word(&name, &own)) {
        if (ascii_is_letter_or_beyond(*own.at) && own.size >= 2)
            head = own;
    }
    return head.size > 0 && word_is_same(&head, said);
}

/* Ends the name there, and begins at a word's beginning? */
static bool name_stands_alone(const char *text, const char *at, size_t size)
{
    const char *const end = at + size;
    const bool is_within = at > text && mention_is_alnum(at[-1]);
    const bool is_numbered =
        (*end == '.' || *end == '_') && mention_is_alnum(end[1]);
    return !is_within && !mention_is_alnum(*end) && !is_numbered;
}

/* Does the whole name stand in the text around the word? "Block" does not in
 * "Block.001". */
static bool names_exactly(const char *text, const char *name, const word *said)
{
    size_t size = strlen(name);
    size_t before = (size_t)(said->at - text);
    const char *at = before >= size ? said->at - size + 1 : text;
    for (; size > 0 && at <= said->at; at++) {
        if (strncasecmp(at, name, size) == 0 &&
            name_stands_alone(text, at, size))
            return true;
    }
    return false;
}

static bool word_says(const word *w, const char *text)
{
    return w->size == strlen(text) && strncasecmp(w->at, text, w->size) == 0;
}

static bool mention_says_one_of(const word *w, const char *const *texts)
{
    for (; *texts; texts++) {
        if (word_says(w, *texts))
            return true;
    }
    return false;
}

/* How many words up to and with words[i] the name bears; EXACT: all of it
 * stands there. A single letter or number alone names nothing: "A" is an
 * article. */
static uint32_t mention_run_of(const char *text,
                               const word *words,
                               uint32_t i,
                               const char *name)
{
    uint32_t run = 0;
    bool letters = false;
    if (names_exactly(text, name, &words[i]))
        return EXACT;
    for (uint32_t k = i + 1; k-- > 0 && !word_says(&words[k], "a") &&
                             mention_bears(name, &words[k]);
         run++) {
        letters = letters || (words[k].size >= 2 &&
                              ascii_is_letter_or_beyond(*words[k].at));
        if (words[k].starts) {
            run++;
            break;
        }
    }
    return letters ? run : 0;
}

/* "Both cans", "all bottles", "the chairs": all of them; "one of the chairs":
 * one. The four words before the mention are looked at, and not beyond its
 * sentence. The plural is a name that is the word without its s. */
static bool means_all(const word *words,
                      uint32_t first,
                      uint32_t last,
                      const char *name)
{
    static const char *const all[] = {"all", "every", "each", "both", NULL};
    static const char *const any[] = {"one", "any", "either", "some", NULL};
    bool plural = false;
    word own;
    for (const char *at = name; next_word(&at, &own);)
        plural = plural || (word_is_same(&own, &words[last]) &&
                            own.size + 1 == words[last].size);
    for (uint32_t k = first;
         k-- > 0 && first - k <= 4 && !words[k + 1].starts;) {
        if (mention_says_one_of(&words[k], all))
            return true;
        if (mention_says_one_of(&words[k], any))
            return false;
    }
    return plural;
}

/* Fixed, and more than 3 m both ways: floors, walls and ceilings are in every
 * picture. */
static bool is_room(const scene_object *o)
{
    return o->is_static && o->box.half.x > 1.5 && o->box.half.y > 1.5;
}

/* A text's words, and what the things of a scene have to do with each. */
typedef struct mentions {
    const char *text;
    uint32_t count;
    word words[WORDS_MAX];
    /* of the words that are nouns; else its self_count is 0 */
    kinds_id kinds[WORDS_MAX];
    /* most words, up to this one, that a name bears; 0: none bears it */
    uint32_t best[WORDS_MAX];
    /* the same of the word behind it, by the names that bear this one */
    uint32_t next[WORDS_MAX];
    uint32_t nearest[WORDS_MAX]; /* least distance of a thing's kind */
    /* a name that bears `best` words calls its thing so */
    bool heads[WORDS_MAX];
} mentions;

/* A sentence also ends at a semicolon; a point ends one only before a blank
 * ("Block.001"). */
static void words_read(mentions *m)
{
    for (const char *at = m->text, *last = m->text;
         m->count < WORDS_MAX && next_word(&at, &m->words[m->count]);
         last = at) {
        word *w = &m->words[m->count];
        w->starts = m->count == 0;
        for (const char *p = last; p < w->at; p++)
            if (*p == ';' || (*p == '.' && ascii_is_blank(p[1])))
                w->starts = true;
        char noun[KINDS_WORD_SIZE];
        m->kinds[m->count] = (kinds_id){0};
        m->nearest[m->count] = KINDS_UNRELATED;
        snprintf(noun, sizeof noun, "%.*s",
                 (int)(w->size < sizeof noun ? w->size : 0), w->at);
        if (!lexicon_is_function_word(noun) &&
            !kinds_find(noun, &m->kinds[m->count]))
            m->kinds[m->count] = (kinds_id){0};
        m->count++;
    }
}

static uint32_t run_at(const mentions *m, uint32_t i, const char *name)
{
    return i < m->count ? mention_run_of(m->text, m->words, i, name) : 0;
}

/* How near a name's kind is to what the word may mean. */
static void kind_weigh_word(mentions *m, const kinds_id *kind, uint32_t i)
{
    if (!kind || !m->kinds[i].self_count)
        return;
    const uint32_t distance = kinds_id_distance(kind, &m->kinds[i]);
    if (distance < m->nearest[i])
        m->nearest[i] = distance;
}

/* What one name, which may be of a kind, has to do with the word i. */
static void name_weigh_word(mentions *m,
                            const char *name,
                            const kinds_id *kind,
                            uint32_t i)
{
    uint32_t run = run_at(m, i, name);
    bool goes_on = i + 1 < m->count && !m->words[i + 1].starts;
    uint32_t next = run > 0 && goes_on ? run_at(m, i + 1, name) : 0;
    if (run > m->best[i]) {
        m->heads[i] = false;
        m->best[i] = run;
    }
    if (next > m->next[i])
        m->next[i] = next;
    if (run > 0 && run == m->best[i] && mention_is_head(name, &m->words[i]))
        m->heads[i] = true;
    kind_weigh_word(m, kind, i);
}

/* What one name has to do with each word. */
static void name_weigh(mentions *m, const char *name)
{
    kinds_id kind;
    bool is_kind = kinds_find(name, &kind);
    for (uint32_t i = 0; i < m->count; i++)
        name_weigh_word(m, name, is_kind ? &kind : NULL, i);
}

/* A word that no name bears, and none of its neighbours, may still say what
 * kind a thing is: a couch is a sofa. */
static bool is_kind_alone(const mentions *m, uint32_t i)
{
    bool before = i > 0 && m->best[i - 1] > 0;
    bool behind = i + 1 < m->count && m->best[i + 1] > 0;
    bool is_near = m->best[i] == 0 && m->nearest[i] < KINDS_NEAR;
    return is_near && !before && !behind;
}

/* Is this word the last of what is said of a thing? The "tv" of "tv cabinet" is
 * not. */
static bool is_mention(const mentions *m, uint32_t i)
{
    if (m->best[i] == 0)
        return is_kind_alone(m, i);
    return m->next[i] <= m->best[i] &&
           !(m->next[i] == EXACT && m->best[i] == EXACT);
}

static bool mention_is_meant(const mentions *m, uint32_t i, const char *name)
{
    if (m->best[i] == 0) {
        kinds_id kind;
        return kinds_find(name, &kind) &&
               kinds_id_distance(&kind, &m->kinds[i]) == m->nearest[i];
    }
    if (run_at(m, i, name) != m->best[i])
        return false;
    return m->best[i] == EXACT || !m->heads[i] ||
           mention_is_head(name, &m->words[i]);
}

static void mention_fill(const mentions *m,
                         uint32_t i,
                         const scene *s,
                         mention *ret)
{
    const char *first = NULL;
    for (uint32_t o = 0;
         o < s->object_count && ret->count < MENTION_OBJECTS_MAX; o++) {
        const scene_object *object = &s->objects[o];
        if (is_room(object) || scene_is_aside(object) ||
            !mention_is_meant(m, i, object->name))
            continue;
        ret->objects[ret->count++] = o;
        first = first ? first : object->name;
    }
    uint32_t run = m->best[i] > 0 ? m->best[i] : 1;
    bool all = ret->count > 0 && run < EXACT &&
               means_all(m->words, i + 1 - run, i, first);
    ret->need = all ? ret->count : 1;
}

void mentions_find(const scene *s,
                   const char *text,
                   mention *list,
                   uint32_t *count)
{
    mentions m = {.text = text};
    bool spoken = false; /* in this sentence */
    words_read(&m);
    for (uint32_t o = 0; o < s->object_count; o++)
        name_weigh(&m, s->objects[o].name);
    for (uint32_t i = 0; i < m.count && *count < MENTIONS_MAX; i++) {
        spoken = spoken && !m.words[i].starts;
        if (!is_mention(&m, i))
            continue;
        mention *said = &list[*count];
        *said = (mention){.first = !spoken};
        mention_fill(&m, i, s, said);
        if (said->count == 0)
            continue;
        spoken = true;
        ++*count;
    }
}

uint32_t mentions_worth(const mention *list, uint32_t count, const bool *shown)
{
    uint32_t worth = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t seen = 0;
        for (uint32_t k = 0; k < list[i].count; k++)
            seen += shown[list[i].objects[k]];
        if (seen >= list[i].need)
            worth += list[i].first ? 1 : 2;
    }
    return worth;
}
