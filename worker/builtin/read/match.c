/* Does a thing answer to a phrase's words? First by its name, word for word;
 * then by kind ("the couch" for a sofa, "the fruit" for an apple); what is left
 * over may be a colour, a size, a side or a material, which other files rank
 * among the candidates. A name that says nothing more than the phrase is nearer
 * than one that does ("table" is Table_01 before CoffeeTable), and a phrase
 * that is only a name's modifier is far (a TableLamp is no table). */
#include "worker/builtin/read/match_internal.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    COST_EXTRA_WORD = 6,
    COST_KIND = 12,
    COST_HINT = 10,
    COST_COLLECTION = 8,
    COST_UNPROVEN = 15,
    COST_OTHER_STUFF = 60,
    COST_NARROWER = 60,
    COST_COMPOUND = 70
};

enum {
    NAME_WORDS_MAX = 64
}; /* words of a name that are looked at */

typedef struct comparison {
    const builtin_facts *facts;
    const builtin_object *o;
    const match_query *q;
    const kinds_id *kind; /* the thing's */
    uint32_t word_count;  /* of the name, at most NAME_WORDS_MAX */
    /* words of the name that were said, a bit each */
    uint64_t used;
    uint32_t distance; /* of kinds */
    /* nouns said; those that neither name nor hint has */
    uint32_t nouns, open_nouns;
    uint32_t unproven; /* properties that nothing is known of */
    bool other_stuff;  /* the name tells another stuff than was said */
    bool suffix;       /* a word is the end of the name's */
    bool by_name, by_hint, by_stuff;
    bool head_open; /* the last noun is an open one */
    match_result m;
} comparison;

static void name_use(comparison *c, uint32_t word, uint64_t bits)
{
    c->used |= bits << word;
}

/* A number in words behind the noun: "table two", and no "two tables". */
static bool word_is_label(const match_query *q, uint32_t i)
{
    if (i == 0 || i + 1 != q->count)
        return false;
    return !q->is_property[i - 1] && lexicon_number(q->words[i]) > 0;
}

/* "chair two" is Chair_2. The word found is used up, so that it does not answer
 * twice. */
static bool name_has_word(comparison *c, uint32_t i)
{
    const uint32_t label =
        word_is_label(c->q, i) ? lexicon_number(c->q->words[i]) : 0;
    for (uint32_t k = 0; k < c->word_count; k++) {
        const char *own = c->o->words[k];
        bool labelled =
            label > 0 && word_is_number(own) && strtoul(own, NULL, 10) == label;
        if (!labelled && !match_word_same(own, c->q->words[i]))
            continue;
        name_use(c, k, 1);
        return true;
    }
    return false;
}

/* "Nightstand" for NightStand. */
static bool name_has_in_two(comparison *c, uint32_t i)
{
    char joined[2 * KINDS_WORD_SIZE];
    const char *said = c->q->words[i];
    for (uint32_t k = 0; k + 1 < c->o->word_count && k + 1 < NAME_WORDS_MAX;
         k++) {
        const char *own = c->o->words[k];
        const bool begins =
            word_is_number(said) ? word_is_number(own) : own[0] == said[0];
        if (!begins)
            continue;
        snprintf(joined, sizeof joined, "%.39s%.39s", own, c->o->words[k + 1]);
        if (!match_word_same(joined, said))
            continue;
        name_use(c, k, 3);
        return true;
    }
    return false;
}

/* "The pot" for a teapot, and no "door" of an outdoor sofa. */
static bool name_has_as_end(comparison *c, uint32_t i)
{
    /* asked first: what the name's head is takes longer to find */
    bool ends = false;
    for (uint32_t k = 0; k < c->word_count && !ends; k++)
        ends = match_word_is_end(c->q->words[i], c->o->words[k]);
    if (!ends)
        return false;
    const uint32_t head = match_name_head(c->o, c->kind);
    if (head >= c->word_count ||
        !match_word_is_end(c->q->words[i], c->o->words[head]))
        return false;
    /* an ashtray is no tray */
    bool known = c->kind->self_count > 0 && c->q->said.self_count > 0;
    if (known && kinds_id_distance(c->kind, &c->q->said) == KINDS_UNRELATED)
        return false;
    name_use(c, head, 1);
    c->suffix = true;
    return true;
}

/* "Night stand" for Nightstand. */
static bool name_has_two_in_one(comparison *c, uint32_t i)
{
    char joined[2 * KINDS_WORD_SIZE];
    if (i + 1 >= c->q->count)
        return false;
    for (uint32_t k = 0; k < c->word_count; k++) {
        if (c->o->words[k][0] != c->q->words[i][0])
            continue;
        snprintf(joined, sizeof joined, "%.39s%.39s", c->q->words[i],
                 c->q->words[i + 1]);
        if (!match_word_same(c->o->words[k], joined))
            continue;
        name_use(c, k, 1);
        return true;
    }
    return false;
}

/* "Bread basket" for a baguette basket, "the fruit bowl" for an apple bowl. */
static bool name_has_kind_of_it(comparison *c, uint32_t i)
{
    kinds_id said;
    const uint32_t head = match_name_head(c->o, c->kind);
    const char *const word = c->q->words[i];
    if (i + 1 >= c->q->count || c->q->is_property[i] || head >= c->word_count ||
        !kinds_find(word, &said))
        return false;
    for (uint32_t k = 0; k < head; k++) {
        kinds_id own;
        if (kinds_find(c->o->words[k], &own) && own.head_words == own.words &&
            kinds_id_distance(&own, &said) < KINDS_NEAR) {
            name_use(c, k, 1);
            return true;
        }
    }
    return false;
}

/* "The waiting chair" for Chair_Wait; a painting is no paint. */
static bool name_has_verb_of_it(comparison *c, uint32_t i)
{
    char lemma[KINDS_WORD_SIZE];
    const char *const word = c->q->words[i];
    const size_t size = strlen(word);
    if (i + 1 >= c->q->count || size < 6 || strcmp(word + size - 3, "ing") != 0)
        return false;
    if (kinds_verb_lemma(word, lemma, sizeof lemma) == 0)
        return false;
    for (uint32_t k = 0; k < c->word_count; k++) {
        if (strcmp(c->o->words[k], lemma) != 0)
            continue;
        name_use(c, k, 1);
        return true;
    }
    return false;
}

/* How many of the phrase's words from i on the name has: 0, 1 or 2. */
static uint32_t name_take(comparison *c, uint32_t i)
{
    if (name_has_word(c, i) || name_has_in_two(c, i) || name_has_as_end(c, i))
        return 1;
    if (name_has_two_in_one(c, i))
        return 2;
    return name_has_kind_of_it(c, i) || name_has_verb_of_it(c, i) ? 1 : 0;
}

static bool hint_has(const builtin_object *o, const char *word)
{
    for (uint32_t k = 0; k < o->hint_count; k++) {
        if (match_word_same(o->hints[k], word))
            return true;
    }
    return false;
}

static bool material_has(const builtin_object *o, const char *word)
{
    if (!lexicon_material(word))
        return false;
    for (uint32_t k = 0; k < o->material_count; k++) {
        if (builtin_is_stuff(o->materials[k], word))
            return true;
    }
    return false;
}

static void compare_named(comparison *c,
                          const char *word,
                          bool property,
                          bool last)
{
    if (!property || (last && kinds_known(word)))
        c->by_name = true;
    if (lexicon_colour(word))
        c->m.colour_by_name = true;
}

/* "The wooden box", of what is called cardboard box, and "the plastic cup" of
 * a glass one. */
static bool name_has_other_stuff(const comparison *c, const char *said)
{
    const char *stuff = lexicon_material(said);
    for (uint32_t k = 0; k < c->word_count && stuff; k++) {
        const char *own = lexicon_material(c->o->words[k]);
        if (own && strcmp(own, stuff) != 0)
            return true;
    }
    return false;
}

/* A word that nothing of the thing is called by. */
static void compare_open(
    comparison *c, const char *word, bool property, bool last, bool head)
{
    if (property && !match_word_ranks(word) && !match_word_is_generic(word)) {
        c->unproven++;
        c->other_stuff = c->other_stuff || name_has_other_stuff(c, word);
    }
    if (property && !(last && kinds_known(word)))
        return;
    c->open_nouns++;
    c->head_open = c->head_open || head;
}

/* Does no noun follow? In "the shelf board dark" it is the board that is spoken
 * of. */
static bool word_is_head(const match_query *q, uint32_t i)
{
    for (uint32_t k = i + 1; k < q->count; k++) {
        if (!q->is_property[k] && !word_is_number(q->words[k]))
            return false;
    }
    return true;
}

/* A wine glass is no bottle, though a bottle is of glass: what ends a phrase
 * says what the thing is, if it can. "The oak one" is of oak. */
static bool word_is_kind(const match_query *q, uint32_t i)
{
    return !q->generic && i + 1 == q->count && kinds_known(q->words[i]);
}

/* "The bookcase standing upright": what stands behind the noun, and is not
 * known of the thing, tells how it is to be rather than which it is. */
static bool word_trails(const match_query *q, uint32_t i)
{
    if (i == 0 || !q->is_property[i] || q->is_property[i - 1])
        return false;
    return i + 1 == q->count && lexicon_is_mere_adjective(q->words[i]);
}

/* How many words from i on are compared then; 0: the thing can't be meant. */
static uint32_t compare_word(comparison *c, uint32_t i)
{
    const char *word = c->q->words[i];
    bool property = c->q->is_property[i];
    uint32_t taken = name_take(c, i);
    bool last = i + (taken ? taken : 1) >= c->q->count;
    /* "the glass", which is a stuff too */
    const bool noun = !property || word_is_kind(c->q, i);
    if (noun && !word_is_number(word))
        c->nouns++;
    if (taken) {
        compare_named(c, word, property, last);
        return taken;
    }
    if (hint_has(c->o, word))
        c->by_hint = true;
    else if (material_has(c->o, word) && !word_is_kind(c->q, i))
        c->by_stuff = true;
    else if (word_is_number(word) || word_is_label(c->q, i) ||
             word_trails(c->q, i))
        return 0; /* a number that the name has not */
    else
        compare_open(c, word, property, last, word_is_head(c->q, i));
    return 1;
}

static bool kind_is(const kinds_id *kind, const char *name)
{
    kinds_id one;
    kinds_find(name, &one);
    return kinds_id_distance(kind, &one) < KINDS_NEAR;
}

/* Vessels that people call by each other's names: a mug is a cup, a jar a tin,
 * but what one drinks from or eats off is no bottle. */
static bool both_contain(const kinds_id *a, const kinds_id *b)
{
    return kind_is(a, "container") && kind_is(b, "container") &&
           kind_is(a, "crockery") == kind_is(b, "crockery");
}

/* A mug may be one for tea or for coffee, and a bowl for salad or for soup. */
static bool both_are_crockery(const kinds_id *a, const kinds_id *b)
{
    return kind_is(a, "crockery") && kind_is(b, "crockery");
}

bool match_kinds_deny(const kinds_id *named, const kinds_id *said)
{
    const bool both_compound = named->head_words > 1 && said->head_words > 1 &&
                               said->head_words == said->words;
    return both_compound && kinds_id_distance(named, said) == KINDS_UNRELATED &&
           !both_are_crockery(named, said);
}

/* "Balcony", "cooking": and no maker's name. */
static bool word_tells_purpose(const char *word)
{
    const size_t size = strlen(word);
    return kinds_known(word) || (size > 5 && !strcmp(word + size - 3, "ing"));
}

/* "The menu stand", where one is called cake stand: each is made for something
 * else. "The plate rack" may be the dish rack. */
static bool racks_deny(const comparison *c, uint32_t head, uint32_t before)
{
    kinds_id own;
    bool rack = false;
    for (const char *const *noun = nouns_of(NOUNS_RACK); *noun; noun++)
        rack = rack || builtin_same_word(c->o->words[head], *noun);
    if (!rack || !kinds_find(c->o->words[before], &own))
        return false;
    for (uint32_t i = 0; i + 1 < c->q->count; i++) {
        kinds_id said;
        if (kinds_find(c->q->words[i], &said) &&
            kinds_id_distance(&own, &said) != KINDS_UNRELATED)
            return false;
    }
    return true;
}

/* The place in the name of a noun that nobody said and that tells what the thing
 * is for; BUILTIN_NONE: it has none. */
static uint32_t name_find_purpose(const comparison *c)
{
    const uint32_t head = match_name_head(c->o, c->kind);
    const uint32_t before =
        head == BUILTIN_NONE ? head : match_name_noun_before(c->o, head);
    if (before == BUILTIN_NONE || before < c->o->shared_words ||
        before >= c->word_count)
        return BUILTIN_NONE;
    const char *own = c->o->words[before];
    const bool is_said = c->used >> before & 1;
    const bool tells = word_tells_purpose(own) && !lexicon_material(own);
    return tells && !is_said ? before : BUILTIN_NONE;
}

/* Has the name the word, or the beginning of one of its words? */
static bool name_begins_with(const comparison *c, const char *word)
{
    for (uint32_t k = 0; k < c->word_count; k++) {
        if (match_word_same(c->o->words[k], word) ||
            strncmp(c->o->words[k], word, strlen(word)) == 0)
            return true;
    }
    return false;
}

/* Does a word that was said name some other thing than `own` of the name, and so
 * what the thing is for? Where it stands, whose it is and when it is used make
 * no other kind of it: "the kitchen table" may be the dining table. */
static bool word_tells_other_purpose(const char *said, const char *own)
{
    kinds_id thing, other;
    /* no coffee table is a patio table */
    const bool indoors =
        match_word_is_where(said) && !lexicon_lists("match: outdoors", said);
    if (indoors || lexicon_is_person(said) || !kinds_find(said, &thing))
        return false;
    if (kind_is(&thing, "person") || kind_is(&thing, "meal"))
        return false;
    kinds_find(own, &other);
    return kinds_id_distance(&other, &thing) >= KINDS_NEAR;
}

/* Is there such a word before the phrase's last? */
static bool phrase_tells_other_purpose(const comparison *c, const char *own)
{
    for (uint32_t i = 0; i + 1 < c->q->count; i++) {
        const char *const word = c->q->words[i];
        const bool open = !c->q->is_property[i] && !word_is_number(word) &&
                          !name_begins_with(c, word);
        if (open && word_tells_other_purpose(word, own))
            return true;
    }
    return false;
}

/* Is a phrase's kind what its last word alone is? A hand saw is just called a
 * saw, too. */
static bool kind_is_plain(const kinds_id *kind, const char *head)
{
    kinds_id alone;
    return kinds_find(head, &alone) &&
           kinds_id_distance(kind, &alone) < KINDS_STEP &&
           kinds_id_distance(&alone, kind) < KINDS_STEP;
}

/* "The table saw", of a hand saw; "the waste bin", of a bread bin: two of one
 * head, each for something else, though a dictionary calls one of them by the
 * head alone. */
static bool kinds_contrast(const comparison *c,
                           const char *own,
                           const char *head)
{
    const kinds_id *const said = &c->q->said;
    if (c->kind->head_words < 2 || both_are_crockery(c->kind, &c->q->said) ||
        !kinds_known(own) || match_word_is_where(own))
        return false;
    const bool other = phrase_tells_other_purpose(c, own);
    if (c->distance == KINDS_UNRELATED)
        return c->by_name && !c->head_open && other;
    if (c->distance >= KINDS_BELOW)
        return kind_is_plain(c->kind, head) && (other || said->words == 1);
    return c->distance >= KINDS_STEP && c->distance < KINDS_NEAR && other &&
           said->head_words > 1 && kind_is_plain(said, head);
}

/* "The pool table", where one is called balcony table: each has another noun
 * before the same head, and no kind says that the two are one. */
static bool names_deny(const comparison *c)
{
    const uint32_t before = name_find_purpose(c);
    if (c->open_nouns > 0 && c->suffix && c->distance >= KINDS_BELOW)
        return !both_are_crockery(c->kind, &c->q->said) &&
               phrase_tells_other_purpose(c, "");
    if (c->open_nouns == 0 || before == BUILTIN_NONE)
        return false;
    const uint32_t head = match_name_head(c->o, c->kind);

    if (kinds_contrast(c, c->o->words[before], c->o->words[head]))
        return true;
    const bool head_alone = c->by_name && !c->head_open;
    /* of neither a dictionary knows more than its head */
    const bool unknown = c->kind->head_words < 2 && c->q->said.head_words < 2;
    if (!head_alone || (c->distance < KINDS_NEAR && !unknown))
        return false;
    /* a coffee mug may be one for tea, but no napkin box holds money */
    const bool known =
        c->kind->head_words > 1 || both_are_crockery(c->kind, &c->q->said);
    return !known || racks_deny(c, head, before);
}

/* Is the last word by itself a word for what the thing is: "cans" for a tin? Of
 * a luggage cart no more is known than that it is a cart: "the luggage trolley"
 * is one, but no garden trolley. */
static bool head_is_its_kind(const comparison *c)
{
    kinds_id head;
    if (c->q->count == 0 || c->q->said.words == 0)
        return false;
    const bool lifted = c->kind->self_count == 0 && c->open_nouns == 1;
    return kinds_find(c->q->words[c->q->count - 1], &head) &&
           kinds_id_distance(c->kind, &head) <
               (lifted && c->by_name ? 2 * KINDS_STEP : KINDS_STEP);
}

static bool kind_is_furniture(const kinds_id *kind);

/* "The bread knife", where one is called kitchen knife; "the tea tray" that is a
 * serving tray: for food, whichever. */
static bool purpose_is_food(const comparison *c, const char *own)
{
    kinds_id eaten, head;
    const uint32_t last = c->q->count - 1;
    return lexicon_lists("match: for food", own) &&
           kinds_find(c->q->words[0], &eaten) && kind_is(&eaten, "food") &&
           kinds_find(c->q->words[last], &head) &&
           kinds_id_distance(&c->q->said, &head) < KINDS_NEAR / 2;
}

/* Is nothing else called by the phrase's last word? */
static bool name_is_only_one(const comparison *c)
{
    const char *const said = c->q->words[c->q->count - 1];
    bool only = true;
    for (uint32_t i = 0; i < c->facts->object_count && only; i++) {
        const builtin_object *const other = &c->facts->objects[i];
        for (uint32_t k = 0; k < other->word_count && other != c->o; k++)
            only = only && !match_word_same(other->words[k], said);
    }
    return only;
}

/* One of the two words tells no purpose that the other could deny, as that of
 * "the storage box" does not deny a toy box. Of furniture each has its place. */
static bool purpose_is_general(const comparison *c)
{
    const uint32_t before = name_find_purpose(c);
    const bool head_alone = c->by_name && !c->head_open && !c->suffix;
    if (before == BUILTIN_NONE || !head_alone || c->q->count != 2 ||
        kind_is_furniture(c->kind))
        return false;
    const bool general = lexicon_lists("match: general", c->q->words[0]) ||
                         purpose_is_food(c, c->o->words[before]);
    return general && name_is_only_one(c);
}

/* "Mum" is somebody, and no chrysanthemum. */
static bool head_is_somebody(const comparison *c)
{
    const uint32_t count = c->q->count;
    return count > 0 && lexicon_is_person(c->q->words[count - 1]) &&
           !kind_is(c->kind, "person") && !kind_is(c->kind, "toy");
}

/* Open nouns must be told by the thing's kind. False: it can't be meant. */
static bool compare_kind(comparison *c)
{
    /* "paint tins" for a red tin: the name does not deny it */
    bool head_named = (c->by_name && !c->head_open) || head_is_its_kind(c);
    c->distance = kinds_id_distance(c->kind, &c->q->said);
    if (c->open_nouns == 0 || c->by_hint)
        return true;
    const bool denied = match_kinds_deny(c->kind, &c->q->said) || names_deny(c);
    const bool general = denied && purpose_is_general(c);
    if ((denied && !general) || head_is_somebody(c))
        return false;
    if (c->distance == KINDS_UNRELATED && !head_named) {
        bool vessels = c->by_name && both_contain(c->kind, &c->q->said);
        if (!vessels)
            return false;
        /* a sugar cup for the sugar bowl: the other words say which */
        c->distance = KINDS_NEAR / 2;
    }
    bool narrower = c->distance >= KINDS_BELOW;
    c->m.by_kind = true;
    c->m.unproven =
        narrower && (head_named || c->q->said.words > c->q->said.head_words);
    c->m.unproven = c->m.unproven || general;
    return head_named || !c->m.unproven;
}

/* For what is denied: "no furniture". */
static bool kind_is_furniture(const kinds_id *kind)
{
    const char *const *name = nouns_of(NOUNS_FURNITURE);
    for (; *name; name++) {
        kinds_id furniture;
        kinds_find(*name, &furniture);
        if (kinds_id_distance(kind, &furniture) < KINDS_NEAR)
            return true;
    }
    return false;
}

/* ---- what it costs ---- */

/* Is what the thing is among the words that were said? */
static bool name_head_is_said(const comparison *c)
{
    const builtin_object *o = c->o;
    uint32_t head = match_name_head(o, c->kind);
    size_t first = o->word_count ? strlen(o->words[0]) : 0;
    bool dotted = strlen(o->name) > first && o->name[first] == '.';
    if ((c->used & 1) && dotted)
        return true; /* "Shoes.Heels": what follows the dot tells which */
    return head < NAME_WORDS_MAX && (c->used >> head & 1);
}

static uint32_t cost_of_kind(const comparison *c)
{
    if (!c->m.by_kind)
        return 0;
    return COST_KIND +
           (c->distance >= KINDS_BELOW ? (uint32_t)COST_NARROWER : c->distance);
}

/* A toy train is a toy, and a toy box is what holds them. */
static bool name_is_of_toy(const comparison *c)
{
    const uint32_t first = c->o->shared_words;
    return first < c->word_count && (c->used >> first & 1) &&
           kind_is(&c->q->said, "toy") && !kind_is(c->kind, "container") &&
           !kind_is_furniture(c->kind);
}

/* Only a modifier of the name was said. */
static uint32_t cost_of_head(const comparison *c)
{
    bool told = c->by_hint || c->m.by_kind;
    bool named = c->nouns > 0 && c->by_name && !told;
    return named && c->distance >= KINDS_NEAR && !name_head_is_said(c) &&
                   !name_is_of_toy(c)
               ? MATCH_NOT_HEAD
               : 0;
}

/* "The shoes" are no shoe rack, "the coffee" is no coffee table and "the bath"
 * no bath mat; "the milk" may be its carton. */
static bool furniture_is_denied(const comparison *c)
{
    bool known = c->q->said.self_count > 0 && c->kind->self_count > 0;
    /* a microphone stand is called a microphone */
    if (!known || cost_of_head(c) == 0 || c->distance < KINDS_BELOW)
        return false;
    const bool is_mat = kind_is(c->kind, "mat") && !kind_is(&c->q->said, "mat");
    return is_mat ||
           (kind_is_furniture(c->kind) && !kind_is_furniture(&c->q->said));
}

/* "The fire" is no fire extinguisher, and "the bed" none of a dog: a compound that
 * the dictionary knows as something else is called by neither of its words. What
 * is in a vessel may be, and what is eaten. */
static bool compound_is_denied(const comparison *c)
{
    const bool known = c->q->said.self_count > 0 && c->kind->self_count > 0;
    const bool other = known && c->by_name && c->kind->head_words > 1 &&
                       c->distance >= KINDS_NEAR / 2;
    if (!other || c->q->count != 1)
        return false;
    /* a garden is more than what is called after it */
    if (match_word_is_where(c->q->words[0]))
        return false;
    const bool holds =
        kind_is(c->kind, "container") || kind_is(c->kind, "crockery");
    if (cost_of_head(c) > 0)
        return c->distance == KINDS_UNRELATED && !holds &&
               !kind_is(&c->q->said, "food");
    return kind_is_furniture(&c->q->said) && !kind_is_furniture(c->kind);
}

static uint32_t cost_of_hint(const comparison *c)
{
    return c->by_hint ? COST_HINT : 0;
}

/* A notebook is a book only where there is none. */
static uint32_t cost_of_suffix(const comparison *c)
{
    return c->suffix ? COST_EXTRA_WORD + COST_COMPOUND : 0;
}

/* "The cups" are no sugar cup where there are others: the whole name is another
 * kind than its last word. */
static uint32_t cost_of_compound(const comparison *c)
{
    bool one = c->nouns == 1 && c->q->count == 1;
    bool named = one && c->by_name && !c->m.by_kind;
    bool other = c->kind->head_words > 1 && c->distance >= KINDS_NEAR / 2;
    /* a chest of drawers is called a chest */
    if (match_name_has_of(c->o))
        return 0;
    /* a white cup is no whitecup */
    for (uint32_t k = 0; k < c->word_count && other; k++)
        other = !match_word_is_property(c->o->words[k]);
    return named && other && name_head_is_said(c) ? COST_COMPOUND / 2 : 0;
}

/* "The book" is one rather than a set of them. */
static uint32_t cost_of_collection(const comparison *c)
{
    const uint32_t last = match_name_noun_before(c->o, c->o->word_count);
    const bool said = last < NAME_WORDS_MAX && (c->used >> last & 1);
    return !said && match_name_is_collection(c->o, c->kind, last)
               ? COST_COLLECTION
               : 0;
}

/* A noun was said, and only its stuff answers. */
static uint32_t cost_of_stuff(const comparison *c)
{
    bool known = c->by_name || c->by_hint || c->m.by_kind;
    bool noun_said = c->q->has_noun && !c->q->generic;
    return c->by_stuff && noun_said && !known ? MATCH_NOT_HEAD : 0;
}

static uint32_t cost_of_unproven(const comparison *c)
{
    const uint32_t other = c->other_stuff ? COST_OTHER_STUFF : 0;
    return c->unproven * COST_UNPROVEN + other;
}

/* "Orange jam" is of oranges, as plum jam is of plums, and no jam that happens
 * to be orange. */
static bool word_is_flavour(const comparison *c, const char *word)
{
    kinds_id one;
    const bool looks = lexicon_colour(word) || lexicon_material(word);
    return looks && kinds_find(word, &one) && kind_is(&one, "edible fruit") &&
           kind_is(c->kind, "food");
}

/* Words of the name that were not said, but for those that most names here
 * begin with. */
static uint32_t cost_of_more_words(const comparison *c)
{
    uint32_t told =
        c->m.by_kind ? match_name_head(c->o, c->kind) : BUILTIN_NONE;
    uint32_t cost = 0;
    for (uint32_t k = c->o->shared_words; k < c->word_count; k++) {
        const char *word = c->o->words[k];
        if (k == told || (c->used >> k & 1) || strcmp(word, "of") == 0)
            continue;
        if (word_is_flavour(c, word) ||
            (match_word_says(word) && !lexicon_material(word)))
            cost += COST_EXTRA_WORD;
    }
    return cost;
}

static uint32_t compare_cost(const comparison *c)
{
    static uint32_t (*const costs[])(const comparison *c) = {
        cost_of_kind,   cost_of_head,     cost_of_hint,
        cost_of_suffix, cost_of_compound, cost_of_collection,
        cost_of_stuff,  cost_of_unproven, cost_of_more_words};
    bool anything = c->q->generic && c->q->count == 0;
    uint32_t sum = 0;
    for (size_t i = 0; i < COUNT_OF(costs) && !anything; i++)
        sum += costs[i](c);
    return sum;
}

/* Its walls are things of their own: who says "the wall" means one that things
 * can stand at. */
static bool match_is_shell_for_wall(const builtin_object *o,
                                    const match_query *q)
{
    return o->is_shell && q->count > 0 &&
           builtin_same_word(q->words[q->count - 1], "wall");
}

/* What it costs to mean this object by the words; MATCH_NONE: they do not mean
 * it. A whole name is free. */
match_result match_object(const builtin_facts *facts,
                          const kinds_id *kinds,
                          uint32_t object,
                          const match_query *q)
{
    const builtin_object *o = &facts->objects[object];
    comparison c = {.facts = facts, .o = o, .q = q, .kind = &kinds[object]};
    if (match_is_shell_for_wall(o, q)) {
        c.m.cost = MATCH_NONE;
        return c.m;
    }
    c.m.whole = match_name_is_whole(o->name, q->whole);
    /* "red bike", whatever its paint */
    c.m.colour_by_name = c.m.whole && q->colour != 0;
    if (c.m.whole)
        return c.m;
    c.word_count =
        o->word_count < NAME_WORDS_MAX ? o->word_count : NAME_WORDS_MAX;
    uint32_t step = 1;
    for (uint32_t i = 0; i < q->count && step > 0; i += step)
        step = compare_word(&c, i);
    bool answers = step > 0 && compare_kind(&c) && !furniture_is_denied(&c);
    answers = answers && !compound_is_denied(&c);
    answers = answers && !match_name_denies(facts, o, q);
    c.m.doubtful = c.unproven > 0;
    c.m.cost = answers ? compare_cost(&c) : MATCH_NONE;
    return c.m;
}
