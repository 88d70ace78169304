/* See name_order.h. */
#include "worker/builtin/place/name_order.h"
#include "worker/builtin/language/kinds.h"
#include "worker/builtin/language/lexicon.h"
#include "worker/builtin/words.h"

#include <stdio.h>
#include <string.h>

enum {
    NAME_ORDER_WORDS_MAX = 8 /* longer names are left as they are */
};

/* What of a name is looked at, and what is to become of it. */
typedef struct name_order {
    const char *words[NAME_ORDER_WORDS_MAX]; /* without shared ones and tail */
    uint32_t count;
    uint32_t traits;   /* adjectives at its end */
    bool traits_first; /* these come first */
    bool noun_last;    /* the first noun comes behind the other nouns */
    bool is_doubtful;  /* the latter only if other names are so */
    bool may_turn;     /* or if the file's names are so by habit */
    bool begins, ends; /* surely with what the thing is */
} name_order;

/* All things of a file. */
typedef struct names {
    const builtin_object *objects;
    uint32_t count;
} names;

/* "2", "b": which of several it is. */
static bool word_labels(const char *word)
{
    return !word[0] || !word[1] || !word[strspn(word, "0123456789")];
}

static bool word_is_adjective(const char *word)
{
    bool superlative;
    return lexicon_is_mere_adjective(word) ||
           lexicon_size(word, &superlative) != 0 || lexicon_colour(word) != 0;
}

/* A light is a lamp, whatever else the word says. */
static bool word_is_lamp(const char *word)
{
    return kinds_distance(word, "lamp") < KINDS_STEP;
}

/* "Steel", of a tray: an adjective where other trays say what they are like. */
static bool word_is_look(const char *word)
{
    return word_is_adjective(word) || lexicon_material(word);
}

/* Is there one that differs in the last word alone, an adjective or a stuff: a
 * kettlebell_heavy beside the kettlebell_light? */
static bool name_has_opposite(const names *all, const builtin_object *o)
{
    for (uint32_t i = 0; i < all->count; i++) {
        const builtin_object *other = &all->objects[i];
        const uint32_t last = o->word_count - 1;
        if (other == o || other->word_count != o->word_count ||
            !word_is_look(other->words[last]))
            continue;
        bool same = strcmp(other->words[last], o->words[last]) != 0;
        for (uint32_t k = 0; k < last && same; k++)
            same = strcmp(other->words[k], o->words[k]) == 0;
        if (same)
            return true;
    }
    return false;
}

/* Does its last word say of which look it is, and not what it is? */
static bool name_ends_in_adjective(const names *all, const builtin_object *o)
{
    const char *last = o->words[o->word_count - 1];
    const bool doubtful = word_is_lamp(last) || !word_is_adjective(last);
    return word_is_look(last) && (!doubtful || name_has_opposite(all, o));
}

/* The words from `first` on, and `last` behind them unless it is NULL. */
static void order_phrase(const name_order *n,
                         uint32_t first,
                         uint32_t end,
                         const char *last,
                         char ret[KINDS_PHRASE_SIZE])
{
    size_t used = 0;
    ret[0] = 0;
    for (uint32_t i = first; i < end + (last ? 1 : 0); i++) {
        const int size =
            snprintf(ret + used, KINDS_PHRASE_SIZE - used, "%s%s",
                     used ? " " : "", i < end ? n->words[i] : last);
        if (size < 0 || (size_t)size >= KINDS_PHRASE_SIZE - used)
            return;
        used += (size_t)size;
    }
}

/* Is one of the adjectives at the end a noun, too, that the name would be taken
 * for, or is nothing known of the whole? */
static bool traits_hide_noun(const name_order *n)
{
    char phrase[KINDS_PHRASE_SIZE];
    kinds_id id;
    order_phrase(n, 0, n->count, NULL, phrase);
    if (kinds_known(phrase))
        return false;
    if (!kinds_find(phrase, &id))
        return true;
    for (uint32_t i = n->count - n->traits; i < n->count; i++) {
        if (kinds_known(n->words[i]))
            return true;
    }
    return false;
}

static void order_traits(const names *all,
                         const builtin_object *o,
                         name_order *n)
{
    char core[KINDS_PHRASE_SIZE];
    kinds_id id;
    const bool labelled = n->count + o->shared_words < o->word_count;
    while (n->traits < n->count) {
        const char *word = n->words[n->count - n->traits - 1];
        const bool is_last = n->traits == 0 && !labelled;
        if (is_last ? !name_ends_in_adjective(all, o)
                    : !word_is_adjective(word) || word_is_lamp(word))
            break;
        n->traits++;
    }
    if (n->traits == 0 || n->traits == n->count)
        return;
    order_phrase(n, 0, n->count - n->traits, NULL, core);
    n->traits_first = kinds_find(core, &id) && traits_hide_noun(n);
}

/* "Toy", "kitchen": what begins a name without being what the thing is. */
static bool word_is_category(const char *word)
{
    return lexicon_lists("name: category", word) ||
           lexicon_lists("match: where", word) ||
           lexicon_lists("room: of a home", word) ||
           lexicon_lists("$room", word);
}

/* Furniture and vessels are what a name is about, wherever they stand in it. */
static bool word_is_holder(const char *word)
{
    return kinds_distance(word, "furniture") < KINDS_NEAR ||
           kinds_distance(word, "container") < KINDS_NEAR;
}

/* "Box toys": what is in it is told behind it. Boxes of bottles may be either. */
static bool name_tells_content(const char *first, const char *last)
{
    kinds_noun forms[KINDS_READINGS_MAX];
    if (word_is_holder(first) && lexicon_lists("name: category", last))
        return true; /* "crate toy" */
    const bool several =
        kinds_noun_readings(last, forms) > 0 && forms[0].is_plural;
    return several && kinds_distance(first, "container") < KINDS_NEAR &&
           kinds_distance(last, "container") == KINDS_UNRELATED;
}

/* "Poster sea", "painting horses": what a picture shows. */
static bool name_tells_shown(const char *first, const char *last)
{
    return kinds_distance(first, "picture") < KINDS_STEP * 3 &&
           lexicon_lists("name: shown", last);
}

/* "Chair desk": the dictionary has desk chairs. A towel stack is of towels. */
static void order_noun(name_order *n)
{
    char own[KINDS_PHRASE_SIZE], turned[KINDS_PHRASE_SIZE];
    kinds_id own_id, turned_id;
    const uint32_t end = n->count - n->traits;
    if (end < 2 || !kinds_known(n->words[0]) || word_is_adjective(n->words[0]))
        return;
    /* "crate toy plastic" is one for toys */
    uint32_t nouns = end;
    while (nouns > 2 && lexicon_material(n->words[nouns - 1]))
        nouns--;
    const char *const last = n->words[nouns - 1];
    if (lexicon_lists("noun: set", last))
        return;
    order_phrase(n, 0, end, NULL, own);
    order_phrase(n, 1, end, n->words[0], turned);
    if (kinds_known(own)) {
        n->ends = !kinds_known(turned);
        return;
    }
    if (name_tells_shown(n->words[0], last)) {
        n->noun_last = true;
        return;
    }
    const bool own_found = kinds_find(own, &own_id);
    if (!kinds_find(turned, &turned_id))
        return;
    const bool compound = turned_id.head_words > 1 && own_id.head_words < 2;
    n->is_doubtful = own_found || kinds_word(last);
    /* of three nouns the first may tell whose part it is */
    n->may_turn = nouns == 2 && !word_is_category(n->words[0]) &&
                  !(word_is_holder(last) && !word_is_holder(n->words[0]));
    n->noun_last =
        !own_found || compound || name_tells_content(n->words[0], last);
}

static void order_find(const names *all,
                       const builtin_object *o,
                       name_order *ret)
{
    uint32_t end = o->word_count;
    *ret = (name_order){0};
    while (end > o->shared_words && word_labels(o->words[end - 1]))
        end--;
    const uint32_t count = end - o->shared_words;
    if (count < 2 || count > NAME_ORDER_WORDS_MAX)
        return;
    memcpy(ret->words, o->words + o->shared_words, count * sizeof *ret->words);
    ret->count = count;
    order_traits(all, o, ret);
    order_noun(ret);
    const bool sure = ret->noun_last && !ret->is_doubtful;
    ret->ends = ret->ends || word_is_adjective(ret->words[0]);
    ret->begins = !ret->ends && (sure || ret->traits > 0);
}

/* ETNA_E_NOMEM: the object is as before. */
static etna_code order_put(const name_order *n,
                           builtin_object *o,
                           etna_arena *arena,
                           etna_error *err)
{
    const char **words =
        etna_arena_alloc(arena, o->word_count + 1u, sizeof *words);
    if (!words)
        return etna_fail(err, ETNA_E_NOMEM,
                         "builtin: no memory for a name's words");
    memcpy(words, o->words, o->word_count * sizeof *words);
    const uint32_t nouns = n->count - n->traits;
    const char **at = words + o->shared_words;
    for (uint32_t i = 0; n->traits_first && i < n->traits; i++)
        *at++ = n->words[nouns + i];
    for (uint32_t i = n->noun_last ? 1 : 0; i < nouns; i++)
        *at++ = n->words[i];
    if (n->noun_last)
        *at++ = n->words[0];
    builtin_object_call(o, words, o->word_count);
    return ETNA_OK;
}

etna_code builtin_names_order(builtin_object *objects,
                              uint32_t count,
                              etna_arena *arena,
                              etna_error *err)
{
    enum {
        HABIT_LEAST = 4,   /* names that begin so */
        HABIT_FOR_EACH = 4 /* that does not */
    };
    const names all = {objects, count};
    uint32_t begin = 0; /* names that begin with what their things are */
    uint32_t begins = 0, ends = 0;
    /* all are found before any is put: each is compared with the others */
    name_order *orders = etna_arena_alloc(arena, count + 1u, sizeof *orders);
    if (!orders)
        return etna_fail(err, ETNA_E_NOMEM,
                         "builtin: no memory for the names of %u objects",
                         count);
    for (uint32_t i = 0; i < count; i++) {
        order_find(&all, &objects[i], &orders[i]);
        begin += orders[i].noun_last || orders[i].traits_first;
        begins += orders[i].begins;
        ends += orders[i].ends;
    }
    const bool habit = begins >= HABIT_LEAST && begins >= HABIT_FOR_EACH * ends;
    for (uint32_t i = 0; i < count; i++) {
        name_order *n = &orders[i];
        n->noun_last = (n->noun_last && (begin > 1 || !n->is_doubtful)) ||
                       (n->may_turn && habit);
        if (!n->noun_last && !n->traits_first)
            continue;
        etna_code code = order_put(n, &objects[i], arena, err);
        if (code != ETNA_OK)
            return code;
    }
    return ETNA_OK;
}
