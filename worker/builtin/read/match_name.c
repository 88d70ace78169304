/* What the name of a thing says: which of its words is what the thing is, and how
 * two names differ. */
#include "proto/ascii.h"
#include "worker/builtin/read/match_internal.h"

uint32_t match_name_noun_before(const builtin_object *o, uint32_t end)
{
    for (uint32_t k = end; k > 0; k--) {
        const char *word = o->words[k - 1];
        if (match_word_says(word) && !match_word_side(word) &&
            !lexicon_is_mere_adjective(word))
            return k - 1;
    }
    return BUILTIN_NONE;
}

bool match_name_is_collection(const builtin_object *o,
                              const kinds_id *kind,
                              uint32_t last)
{
    if (last == BUILTIN_NONE || last == 0 || kind->head_words > 1)
        return false;
    return match_is_collection(o->words[last]) &&
           match_name_noun_before(o, last) != BUILTIN_NONE;
}

/* Does the word say where the thing is, and the one before what:
 * "picture_book_floor"? */
static bool name_ends_in_place(const builtin_object *o, uint32_t last)
{
    if (last == BUILTIN_NONE || last == 0 || o->is_static)
        return false;
    return match_is_place(o->words[last]) &&
           match_name_noun_before(o, last) != BUILTIN_NONE;
}

/* Where what the thing is ends in a name that goes on with what it is of:
 * "chest_of_drawers". A "stack_of_books" is called after the books. */
static uint32_t name_end_before_of(const builtin_object *o)
{
    for (uint32_t k = 1; k + 1 < o->word_count; k++) {
        if (strcmp(o->words[k], "of") == 0)
            return match_is_collection(o->words[k - 1]) ? o->word_count : k;
    }
    return o->word_count;
}

bool match_name_has_of(const builtin_object *o)
{
    return name_end_before_of(o) < o->word_count;
}

uint32_t match_name_head(const builtin_object *o, const kinds_id *kind)
{
    const uint32_t last = match_name_noun_before(o, name_end_before_of(o));
    const bool before =
        match_name_is_collection(o, kind, last) || name_ends_in_place(o, last);
    return before ? match_name_noun_before(o, last) : last;
}

bool match_is_compound_of(const builtin_object *o,
                          const kinds_id *kind,
                          const char *noun)
{
    char lemma[KINDS_WORD_SIZE];
    const uint32_t head = match_name_head(o, kind);
    if (head == BUILTIN_NONE ||
        kinds_lemma(noun, lemma, sizeof lemma, NULL) == 0)
        return false;
    return match_word_is_end(lemma, o->words[head]);
}

bool match_names_differ_in_trait(const builtin_object *a,
                                 const builtin_object *b)
{
    const uint32_t last = a->word_count - 1;
    if (a == b || a->word_count != b->word_count ||
        !lexicon_is_mere_adjective(b->words[last]))
        return false;
    for (uint32_t k = 0; k < last; k++) {
        if (strcmp(a->words[k], b->words[k]) != 0)
            return false;
    }
    return strcmp(a->words[last], b->words[last]) != 0;
}

bool match_names_have_own_traits(const builtin_object *a,
                                 const builtin_object *b)
{
    uint32_t differ = 0;
    if (a == b || a->word_count != b->word_count || a->word_count < 2)
        return false;
    for (uint32_t k = 0; k < a->word_count; k++) {
        if (strcmp(a->words[k], b->words[k]) == 0)
            continue;
        if (!match_word_is_trait(a->words[k]) ||
            !match_word_is_trait(b->words[k]))
            return false;
        differ++;
    }
    return differ == 1;
}

bool match_name_adds_trait(const builtin_object *a, const builtin_object *b)
{
    uint32_t added = 0;
    for (uint32_t k = 0; k < a->word_count; k++) {
        const uint32_t next = k - added;
        if (next < b->word_count && strcmp(a->words[k], b->words[next]) == 0)
            continue;
        if (!match_word_is_trait(a->words[k]))
            return false;
        added++;
    }
    return added > 0 && a->word_count - added == b->word_count;
}

/* Are they called the same but for numbers: Cactus_low.001 and Cactus_low.002? */
static bool names_are_of_series(const builtin_object *a,
                                const builtin_object *b)
{
    uint32_t i = 0, k = 0;
    for (;;) {
        while (i < a->word_count && word_is_number(a->words[i]))
            i++;
        while (k < b->word_count && word_is_number(b->words[k]))
            k++;
        if (i == a->word_count || k == b->word_count)
            return i == a->word_count && k == b->word_count;
        if (strcmp(a->words[i++], b->words[k++]) != 0)
            return false;
    }
}

/* What all of a series are called tells none of them: "the tall one". */
static bool name_is_of_series(const builtin_facts *facts,
                              const builtin_object *o)
{
    for (uint32_t i = 0; i < facts->object_count; i++) {
        if (&facts->objects[i] != o &&
            names_are_of_series(&facts->objects[i], o))
            return true;
    }
    return false;
}

bool match_name_denies(const builtin_facts *facts,
                       const builtin_object *o,
                       const match_query *q)
{
    for (uint32_t i = 0; i + 1 < q->count; i++) {
        for (uint32_t n = 0; n < o->word_count; n++) {
            if (!match_words_are_opposite(q->words[i], o->words[n]))
                continue;
            bool superlative;
            return lexicon_size(q->words[i], &superlative) == 0 ||
                   !name_is_of_series(facts, o);
        }
    }
    return false;
}

static char name_plain(char c)
{
    if (ascii_is_upper(c))
        return (char)(c - 'A' + 'a');
    return c == '_' || c == '-' ? ' ' : c;
}

bool match_name_is_whole(const char *name, const char *whole)
{
    for (; *name && *whole; name++, whole++) {
        char said = *whole == '_' || *whole == '-' ? ' ' : *whole;
        /* "ArtBook" is "art book" */
        if (said == ' ' && ascii_is_upper(*name) && whole[1])
            said = *++whole;
        if (name_plain(*name) != said)
            return false;
    }
    return *name == *whole;
}

bool match_name_is_plain(const builtin_object *o, const char *noun)
{
    bool called = false;
    for (uint32_t i = 0; i < o->word_count; i++) {
        const char *const word = o->words[i];
        const bool is_noun = match_word_same(word, noun);
        const bool tells =
            match_word_says(word) && !match_word_is_property(word);
        if (tells && !is_noun)
            return false;
        called = called || is_noun;
    }
    return called;
}
