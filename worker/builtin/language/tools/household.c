/* Reads household.txt, which describes its own lines, and says which senses of
 * a word count.
 *
 * WordNet knows every word and no household: its "chair" is first a person, and
 * its kinds are finer than anybody speaks. household.txt mends that by hand,
 * line by line; each kind of line is a row of the table in line_read with its
 * own function. This is a program of the build (kinds-build): whatever is wrong
 * with a line ends it with the line's number (fail), so nothing here returns an
 * error. */
#include "proto/array.h"
#include "worker/builtin/language/kinds.h"
#include "worker/builtin/language/kinds_table.h"
#include "worker/builtin/language/tools/build.h"

#include <stdlib.h>
#include <string.h>

/* WordNet's lexicographer files, lexnames(5WN). */
enum {
    FILE_ANIMAL = 5,
    FILE_ARTIFACT = 6,
    FILE_BODY = 8,
    FILE_FOOD = 13,
    FILE_OBJECT = 17
};
enum {
    FILE_PLANT = 20,
    FILE_SUBSTANCE = 27,
    FILE_OURS = 255
};
enum {
    LINE_TERMS = 64,
    VERB_DEPTH = 2,
    PREFER_MAX = 64
};

typedef struct term {
    char *text;
    int sense; /* as WordNet counts, from 1; 0: not said */
} term;

typedef struct terms {
    term list[LINE_TERMS];
    size_t count;
} terms;

typedef struct household {
    dictionary *d;
    const char *path;
    int line;
    int32_t prefer[PREFER_MAX];
    size_t prefer_count;
} household;

/* Things that could stand in a room, and what is eaten from plates; proper
 * names are not. */
static bool sense_fits(const lemma *l, const synset *s)
{
    if (s->is_instance)
        return false;
    bool is_single = !strchr(l->text, ' ');
    switch (s->file) {
    case FILE_ARTIFACT:
    case FILE_FOOD: return true;
    case FILE_ANIMAL:
    case FILE_PLANT: return !s->is_proper && (is_single || l->is_attested);
    case FILE_OBJECT:
    case FILE_BODY:
    case FILE_SUBSTANCE: return !s->is_proper && is_single && l->is_attested;
    default: return false;
    }
}

/* 0 for what stands in a house, 2 for what hardly is a thing of a scene. */
static int sense_rank(const synset *s)
{
    if (s->depth)
        return 0;
    bool is_rare = s->file == FILE_BODY || s->file == FILE_SUBSTANCE;
    return is_rare ? 2 : 1;
}

/* In any of its senses. */
static bool lemma_is_eaten(const dictionary *d, const lemma *l)
{
    for (size_t i = 0; i < l->noun.count; i++) {
        if (d->nouns.list[l->noun.list[i]].file == FILE_FOOD)
            return true;
    }
    return false;
}

/* In a room the coffee and the lettuce are what is eaten, and not the plants
 * that they come from. */
static bool sense_is_kept(const dictionary *d, const lemma *l, size_t index)
{
    const synset *s = &d->nouns.list[l->noun.list[index]];
    bool is_dropped = l->dropped >> index & 1;
    if (is_dropped || (s->file == FILE_PLANT && lemma_is_eaten(d, l)))
        return false;
    return sense_fits(l, s);
}

/* Does the word mostly mean what is no thing of a scene? A "guest" is a
 * computer in WordNet's last sense only. */
static bool lemma_is_abstract(const dictionary *d, const lemma *l)
{
    for (size_t i = 0; i < l->noun.attested; i++) {
        if (sense_is_kept(d, l, i))
            return false;
    }
    return l->noun.attested > 0;
}

/* False: it is there already, or there are too many. */
static bool sense_add(int32_t ret[LEMMA_SENSES], size_t *count, int32_t sense)
{
    for (size_t i = 0; i < *count; i++) {
        if (ret[i] == sense)
            return false;
    }
    if (*count == LEMMA_SENSES)
        return false;
    ret[(*count)++] = sense;
    return true;
}

/* Ours first, then WordNet's by rank. Returns how many. */
size_t lemma_senses(const dictionary *d,
                    const lemma *l,
                    int32_t ret[LEMMA_SENSES])
{
    size_t count = 0;
    for (size_t i = 0; i < l->front_count; i++)
        sense_add(ret, &count, l->front[i]);
    if (lemma_is_abstract(d, l))
        return count;
    for (int rank = 0; rank <= 2; rank++) {
        for (size_t i = 0; i < l->noun.count; i++) {
            bool has_rank = sense_rank(&d->nouns.list[l->noun.list[i]]) == rank;
            if (has_rank && sense_is_kept(d, l, i))
                sense_add(ret, &count, l->noun.list[i]);
        }
    }
    return count;
}

/* "table.2, chair" up to the end of the text. */
static void terms_read(const household *h, char *text, terms *ret)
{
    ret->count = 0;
    for (char *next; text; text = next) {
        next = strchr(text, ',');
        if (next)
            *next++ = 0;
        while (*text == ' ')
            text++;
        size_t length = strlen(text);
        while (length && text[length - 1] == ' ')
            text[--length] = 0;
        char *dot = strrchr(text, '.');
        int sense = dot ? atoi(dot + 1) : 0;
        if (dot)
            *dot = 0;
        if (!text_normal(text) || sense < 0 || sense > LEMMA_SENSES)
            fail("%s:%d: \"%s\" is no term", h->path, h->line, text);
        if (ret->count == LINE_TERMS)
            fail("%s:%d: more than %d terms", h->path, h->line, LINE_TERMS);
        ret->list[ret->count++] = (term){.text = text, .sense = sense};
    }
}

/* A kind of our own. */
static int32_t synset_add(synsets *all)
{
    all->list = grown(all->list, all->count, &all->capacity, sizeof *all->list);
    all->list[all->count] = (synset){.file = FILE_OURS};
    return (int32_t)all->count++;
}

/* Made where WordNet does not have it. */
static lemma *ours(household *h, const term *t)
{
    lemma *l = lemma_get(h->d, t->text);
    l->flags |= KINDS_NOUN;
    l->is_ours = true;
    return l;
}

/* To the front; what stood there moves back. */
static void lemma_prefer(household *h, lemma *l, int32_t sense)
{
    size_t at = 0;
    while (at < l->front_count && l->front[at] != sense)
        at++;
    if (at == LEMMA_FRONT)
        fail("%s:%d: \"%s\" has more than %d senses of ours", h->path, h->line,
             l->text, LEMMA_FRONT);
    if (at == l->front_count)
        l->front_count++;
    memmove(l->front + 1, l->front, at * sizeof l->front[0]);
    l->front[0] = sense;
}

/* "word.2" is its second sense. */
static int32_t term_numbered(household *h, const term *t, const senses *of)
{
    if (t->sense > of->count)
        fail("%s:%d: WordNet has no %s.%d", h->path, h->line, t->text,
             t->sense);
    return of->list[t->sense - 1];
}

/* The synset that a term means; a new one for a word without a kept sense. */
static int32_t term_synset(household *h, const term *t)
{
    lemma *l = ours(h, t);
    if (t->sense)
        return term_numbered(h, t, &l->noun);
    int32_t kept[LEMMA_SENSES];
    if (lemma_senses(h->d, l, kept))
        return kept[0];
    int32_t made = synset_add(&h->d->nouns);
    lemma_prefer(h, l, made);
    return made;
}

/* Once for each pair. */
static void synset_put_below(household *h, int32_t below, int32_t above)
{
    synset *s = &h->d->nouns.list[below];
    for (size_t i = 0; i < s->above_count; i++) {
        if (s->above[i] == above)
            return;
    }
    if (below == above)
        return;
    if (s->above_count == SYNSET_ABOVE)
        fail("%s:%d: too many kinds above one", h->path, h->line);
    s->above[s->above_count++] = above;
}

/* All words mean what the first one does. */
static void line_same(household *h, const terms *these, const terms *above)
{
    (void)above;
    int32_t sense = term_synset(h, &these->list[0]);
    for (size_t i = 0; i < these->count; i++)
        lemma_prefer(h, ours(h, &these->list[i]), sense);
}

/* The words are kinds of what stands behind the colon. */
static void line_kind(household *h, const terms *these, const terms *above)
{
    for (size_t i = 0; i < these->count; i++) {
        int32_t below = term_synset(h, &these->list[i]);
        for (size_t k = 0; k < above->count; k++)
            synset_put_below(h, below, term_synset(h, &above->list[k]));
    }
}

/* A kind that WordNet has and nobody means. */
static void line_unlink(household *h, const terms *these, const terms *above)
{
    for (size_t i = 0; i < these->count; i++) {
        int32_t wrong = term_synset(h, &above->list[0]);
        synset *s = &h->d->nouns.list[term_synset(h, &these->list[i])];
        uint8_t kept = 0;
        for (size_t k = 0; k < s->above_count; k++) {
            if (s->above[k] != wrong)
                s->above[kept++] = s->above[k];
        }
        s->above_count = kept;
    }
}

/* A group: its members are near each other, and nothing is called by it. */
static void line_near(household *h, const terms *these, const terms *above)
{
    (void)above;
    int32_t group = synset_add(&h->d->nouns);
    h->d->nouns.list[group].is_group = true;
    for (size_t i = 0; i < these->count; i++)
        synset_put_below(h, term_synset(h, &these->list[i]), group);
}

/* The senses in the order that they are said. */
static void line_first(household *h, const terms *these, const terms *above)
{
    (void)above;
    for (size_t i = these->count; i-- > 0;) {
        const term *t = &these->list[i];
        lemma_prefer(h, ours(h, t), term_synset(h, t));
    }
}

/* A sense, or all of WordNet's. */
static void line_drop(household *h, const terms *these, const terms *above)
{
    (void)above;
    for (size_t i = 0; i < these->count; i++) {
        const term *t = &these->list[i];
        lemma *l = ours(h, t);
        if (t->sense)
            term_numbered(h, t, &l->noun);
        l->dropped |= t->sense ? UINT64_C(1) << (t->sense - 1) : UINT64_MAX;
    }
}

/* One sense, and no other. */
static void line_only(household *h, const terms *these, const terms *above)
{
    (void)above;
    for (size_t i = 0; i < these->count; i++) {
        const term *t = &these->list[i];
        lemma_prefer(h, ours(h, t), term_synset(h, t));
        ours(h, t)->dropped = UINT64_MAX;
    }
}

/* Too general to tell anything by: the walk up ends there. */
static void line_general(household *h, const terms *these, const terms *above)
{
    (void)above;
    for (size_t i = 0; i < these->count; i++)
        h->d->nouns.list[term_synset(h, &these->list[i])].is_general = true;
}

/* Marks what is below the synsets that are marked already. */
static void depth_mark(synsets *all, uint8_t depth_max)
{
    for (bool has_changed = true; has_changed;) {
        has_changed = false;
        for (size_t i = 0; i < all->count; i++) {
            synset *s = &all->list[i];
            for (size_t k = 0; k < s->above_count && !s->depth; k++) {
                const synset *above = &all->list[s->above[k]];
                if (!above->depth || above->depth > depth_max)
                    continue;
                s->depth = above->depth + 1;
                s->id = above->id;
                has_changed = true;
            }
        }
    }
}

/* What is below counts more than other senses. */
static void line_prefer(household *h, const terms *these, const terms *above)
{
    (void)above;
    for (size_t i = 0; i < these->count; i++) {
        int32_t sense = term_synset(h, &these->list[i]);
        h->d->nouns.list[sense].depth = 1;
    }
    depth_mark(&h->d->nouns, 100);
}

/* Words that are known and are no things. */
static void line_words(household *h, const terms *these, const terms *above)
{
    (void)above;
    for (size_t i = 0; i < these->count; i++) {
        lemma *l = lemma_get(h->d, these->list[i].text);
        l->flags |= KINDS_OTHER;
        l->is_ours = true;
    }
}

/* Words that may follow a thing's name and add nothing. */
static void line_after(household *h, const terms *these, const terms *above)
{
    (void)above;
    for (size_t i = 0; i < these->count; i++)
        lemma_get(h->d, these->list[i].text)->flags |=
            KINDS_OTHER | KINDS_TRAILS;
}

static const char *const verb_classes[] = {"none",  "put",     "move",
                                           "turn",  "hang",    "remove",
                                           "stack", "arrange", "swap"};

/* Ends the build where there is none. */
static uint8_t class_named(household *h, const terms *name)
{
    for (size_t i = 0; name->count == 1 && i < COUNT_OF(verb_classes); i++) {
        if (!strcmp(name->list[0].text, verb_classes[i]))
            return (uint8_t)i;
    }
    fail("%s:%d: no class of verbs", h->path, h->line);
}

/* By word, or by a sense with all below it. */
static void line_verbs(household *h, const terms *these, const terms *of)
{
    uint8_t class = class_named(h, of);
    for (size_t i = 0; i < these->count; i++) {
        const term *t = &these->list[i];
        lemma *l = lemma_get(h->d, t->text);
        if (!t->sense) {
            l->flags |= KINDS_VERB;
            l->is_ours = true;
            l->verb_class = class;
            continue;
        }
        synset *s = &h->d->verbs.list[term_numbered(h, t, &l->verb)];
        s->depth = 1;
        s->id = class;
    }
}

/* Of the first sense that has one. */
static void verbs_class(dictionary *d)
{
    depth_mark(&d->verbs, VERB_DEPTH);
    for (size_t i = 0; i < d->slot_count; i++) {
        lemma *l = d->slots[i];
        if (!l || l->is_ours || !l->verb.count || strchr(l->text, ' '))
            continue;
        l->verb_class = (uint8_t)d->verbs.list[l->verb.list[0]].id;
    }
}

/* One line; a colon where the kind of line has one. */
static void line_read(household *h, char *line)
{
    static const struct {
        const char *name;
        void (*read)(household *h, const terms *these, const terms *above);
        bool has_above;
    } kinds[] = {
        {"same", line_same, false},     {"kind", line_kind, true},
        {"near", line_near, false},     {"first", line_first, false},
        {"drop", line_drop, false},     {"only", line_only, false},
        {"words", line_words, false},   {"general", line_general, false},
        {"prefer", line_prefer, false}, {"verbs", line_verbs, true},
        {"after", line_after, false},   {"unlink", line_unlink, true},
    };
    char *rest = strchr(line, ' ');
    if (!rest)
        fail("%s:%d: a line without terms", h->path, h->line);
    *rest++ = 0;
    char *colon = strchr(rest, ':');
    if (colon)
        *colon++ = 0;
    terms these;
    terms above = {.count = 0};
    terms_read(h, rest, &these);
    if (colon)
        terms_read(h, colon, &above);
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        if (strcmp(line, kinds[i].name))
            continue;
        if (kinds[i].has_above != (colon != NULL))
            fail("%s:%d: a colon is wrong or missing", h->path, h->line);
        kinds[i].read(h, &these, &above);
        return;
    }
    fail("%s:%d: \"%s\" is no kind of line", h->path, h->line, line);
}

/* Lines that begin with '#' are remarks. */
void household_read(dictionary *d, const char *path)
{
    household h = {.d = d, .path = path};
    char *text = file_read(NULL, path);
    for (char *line = text, *next; line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = 0;
        h.line++;
        if (*line && *line != '#')
            line_read(&h, line);
    }
    free(text);
    verbs_class(d);
}
