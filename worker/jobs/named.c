/* See named.h. */
#include "worker/jobs/named.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

enum { WORDS_MAX = 120, EXACT = 100 };

typedef struct word {
    const char *at;
    size_t size;
    bool starts; /* a sentence begins with it */
} word;

static bool is_letter(char c) { return isalpha((unsigned char)c) != 0 || (unsigned char)c >= 0x80; }

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* Does a new word begin within a run of letters: "ChairA", "TVCabinet"? */
static bool is_hump(const char *p)
{
    bool upper = isupper((unsigned char)*p) != 0;
    return upper && (islower((unsigned char)p[-1]) || (isupper((unsigned char)p[-1]) && islower((unsigned char)p[1])));
}

/* The next run of letters or of digits, camel humps apart; false at the end. */
static bool next_word(const char **text, word *ret)
{
    const char *p = *text;
    while (*p && !is_letter(*p) && !is_digit(*p)) p++;
    if (!*p) return false;
    const char *start = p++;
    bool digits = is_digit(*start);
    while (digits ? is_digit(*p) : is_letter(*p) && !is_hump(p)) p++;
    while (digits && *start == '0' && p - start > 1) start++;
    *ret = (word){.at = start, .size = (size_t)(p - start)};
    *text = p;
    return true;
}

/* But for the case and one plural's s. */
static bool same(const word *a, const word *b)
{
    const word *longer = a->size >= b->size ? a : b, *other = longer == a ? b : a;
    if (longer->size - other->size > 1 || strncasecmp(a->at, b->at, other->size) != 0) return false;
    return longer->size == other->size ||
           (!is_digit(*other->at) && other->size >= 3 && (longer->at[other->size] | 0x20) == 's');
}

static bool bears(const char *name, const word *said)
{
    word own;
    while (next_word(&name, &own)) {
        if (same(&own, said)) return true;
    }
    return false;
}

/* Is the word what the name calls the thing: its last one of letters, a TV and no TV cabinet? */
static bool is_head(const char *name, const word *said)
{
    word own, head = {0};
    while (next_word(&name, &own)) {
        if (is_letter(*own.at) && own.size >= 2) head = own;
    }
    return head.size > 0 && same(&head, said);
}

/* Does the whole name stand in the text around the word? "Block" does not in "Block.001". */
static bool names_exactly(const char *text, const char *name, const word *said)
{
    size_t size = strlen(name);
    for (const char *at = text; size > 0 && *at; at++) {
        if (strncasecmp(at, name, size) != 0 || said->at < at || said->at >= at + size) continue;
        const char *end = at + size;
        bool before = at > text && (is_letter(at[-1]) || is_digit(at[-1]));
        bool after = is_letter(*end) || is_digit(*end) ||
                     ((*end == '.' || *end == '_') && (is_letter(end[1]) || is_digit(end[1])));
        if (!before && !after) return true;
    }
    return false;
}

static bool says(const word *w, const char *text)
{
    return w->size == strlen(text) && strncasecmp(w->at, text, w->size) == 0;
}

/* How many words up to and with words[i] the name bears; EXACT: all of it stands there. */
static uint32_t run_of(const char *text, const word *words, uint32_t i, const char *name)
{
    uint32_t run = 0;
    bool letters = false;
    if (names_exactly(text, name, &words[i])) return EXACT;
    for (uint32_t k = i + 1; k-- > 0 && !says(&words[k], "a") && bears(name, &words[k]); run++) {
        letters = letters || (is_letter(*words[k].at) && words[k].size >= (run ? 2u : 3u)) ||
                  (run == 0 && is_letter(*words[k].at) && words[k].size == 2);
        if (words[k].starts) {
            run++;
            break;
        }
    }
    return letters ? run : 0;
}

/* "Both cans", "all bottles", "the chairs": all of them; "one of the chairs": one. */
static bool means_all(const word *words, uint32_t first, uint32_t last, const char *name)
{
    bool plural = false;
    word own;
    for (const char *at = name; next_word(&at, &own);)
        plural = plural || (same(&own, &words[last]) && own.size + 1 == words[last].size);
    for (uint32_t k = first; k-- > 0 && first - k <= 4 && !words[k + 1].starts;) {
        if (says(&words[k], "all") || says(&words[k], "every") || says(&words[k], "each") || says(&words[k], "both"))
            return true;
        if (says(&words[k], "one") || says(&words[k], "any") || says(&words[k], "either") || says(&words[k], "some"))
            return false;
    }
    return plural;
}

static bool is_room(const scene_object *o) { return o->is_static && o->box.half.x > 1.5 && o->box.half.y > 1.5; }

void named_find(const scene *s, const char *text, named_mention *list, uint32_t *count)
{
    word words[WORDS_MAX];
    uint32_t word_count = 0;
    bool spoken = false; /* in this sentence */
    for (const char *at = text, *last = text; word_count < WORDS_MAX && next_word(&at, &words[word_count]); last = at) {
        const char *stop = words[word_count].at;
        words[word_count].starts = word_count == 0;
        for (const char *p = last; p < stop; p++)
            words[word_count].starts =
                words[word_count].starts || *p == ';' || (*p == '.' && isspace((unsigned char)p[1]));
        word_count++;
    }
    for (uint32_t i = 0; i < word_count && *count < NAMED_MENTIONS_MAX; i++) {
        uint32_t best = 0, more = 0;
        spoken = spoken && !words[i].starts;
        for (uint32_t o = 0; o < s->object_count; o++) {
            uint32_t run = run_of(text, words, i, s->objects[o].name);
            uint32_t next =
                i + 1 < word_count && !words[i + 1].starts ? run_of(text, words, i + 1, s->objects[o].name) : 0;
            best = run > best ? run : best;
            more = run > 0 && next > more ? next : more;
        }
        if (best == 0 || more > best || (more == EXACT && best == EXACT)) continue; /* "tv" of "tv cabinet" */
        named_mention *m = &list[*count];
        *m = (named_mention){.first = !spoken};
        const char *name = NULL;
        bool heads = false;
        for (uint32_t o = 0; o < s->object_count && best < EXACT; o++)
            heads =
                heads || (run_of(text, words, i, s->objects[o].name) == best && is_head(s->objects[o].name, &words[i]));
        for (uint32_t o = 0; o < s->object_count && m->count < NAMED_OBJECTS_MAX; o++) {
            if (is_room(&s->objects[o]) || s->objects[o].stray || run_of(text, words, i, s->objects[o].name) != best)
                continue;
            if (heads && !is_head(s->objects[o].name, &words[i])) continue;
            m->objects[m->count++] = o;
            name = name ? name : s->objects[o].name;
        }
        if (m->count == 0) continue;
        m->need = best < EXACT && means_all(words, i + 1 - best, i, name) ? m->count : 1;
        spoken = true;
        ++*count;
    }
}

uint32_t named_worth(const named_mention *list, uint32_t count, const bool *shown)
{
    uint32_t worth = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t seen = 0;
        for (uint32_t k = 0; k < list[i].count; k++) seen += shown[list[i].objects[k]];
        if (seen >= list[i].need) worth += list[i].first ? 1 : 2;
    }
    return worth;
}
