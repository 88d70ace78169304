/* What a phrase says by its determiners, its numbers and the shape of its
 * words, before anybody looks at the scene. */
#include "proto/ascii.h"
#include "worker/builtin/read/clause.h"
#include "worker/builtin/read/details.h"
#include "worker/builtin/read/refer_internal.h"

bool node_is(const chart_node *node, const char *name)
{
    return node && strcmp(node->name, name) == 0;
}

/* ---- determiners ---- */

static const quantity determiners[] = {
    [DET_THE] = {.says = SAYS_DEFINITE},
    [DET_A] = {.says = SAYS_INDEFINITE},
    [DET_ALL] = {.says = SAYS_ALL},
    [DET_BOTH] = {.says = SAYS_BOTH},
    [DET_EACH] = {.says = SAYS_EACH},
    [DET_ANY] = {.says = SAYS_ANY},
    [DET_SOME] = {.says = 0},
    [DET_THIS] = {.says = SAYS_DEFINITE | SAYS_POINTED},
    [DET_OWN] = {.says = SAYS_DEFINITE},
    [DET_ITS] = {.says = SAYS_DEFINITE},
    [DET_OTHER] = {.says = SAYS_OTHER},
    [DET_REST] = {.says = SAYS_REST},
    [DET_SAME] = {.says = SAYS_DEFINITE | SAYS_POINTED},
    [DET_NO] = {.says = SAYS_NONE},
    [DET_ONLY] = {.says = SAYS_ONLY},
    [DET_COUPLE] = {.number = 2},
};

static void quantity_add_number(quantity *q, uint32_t number)
{
    bool says_which = (q->says & SAYS_ANY) || q->number > 0;
    /* "one of the three" */
    bool of_them = (q->says & SAYS_DEFINITE) && says_which;
    if (!of_them)
        q->number = number;
}

static void quantity_add_determiner(quantity *q, uint32_t determiner)
{
    if (determiner >= COUNT_OF(determiners))
        return;
    q->says |= determiners[determiner].says;
    if (determiners[determiner].number)
        q->number = determiners[determiner].number;
}

/* What determiners and numbers say of how many. value / 1000: numbers are kept
 * in thousandths. */
quantity phrase_quantity(const chart_node *thing)
{
    quantity q = {0};
    for (uint32_t i = 0; i < thing->child_count; i++) {
        const chart_node *c = thing->children[i];
        bool determines =
            node_is(c, "$det") || node_is(c, "$quant") || node_is(c, "$per");
        if (node_is(c, "NUMBER"))
            quantity_add_number(&q, c->children[0]->value / 1000);
        if (determines)
            quantity_add_determiner(&q, c->value);
        if (node_is(c, "REST"))
            quantity_add_determiner(&q, DET_REST);
    }
    if (q.says & SAYS_BOTH)
        q.number = 2;
    return q;
}

const chart_node *phrase_thing(const chart_node *node)
{
    while (node_is(node, "EXCEPT") || node_is(node, "ALLOF")) {
        if (node->child_count == 0)
            return node;
        node = node->children[0];
    }
    return node;
}

bool phrase_is_modified(const chart_node *thing)
{
    for (uint32_t i = 0; i < thing->child_count; i++) {
        const chart_node *c = thing->children[i];
        if (!c->is_terminal && !node_is(c, "CORE") && !node_is(c, "NUMBER"))
            return true;
    }
    return false;
}

/* "Every", "all" in one word: each of them for itself. */
static bool says_every(const chart_node *child)
{
    return node_is(child, "$quant") && child->value == DET_ALL &&
           child->end - child->first == 1;
}

/* "each cup", "every one of them". */
bool phrase_is_each(const chart_node *node)
{
    node = phrase_thing(node);
    if (!node_is(node, "THING") && !node_is(node, "OF"))
        return false;
    if (phrase_quantity(node).says & SAYS_EACH)
        return true;
    for (uint32_t i = 0; i < node->child_count; i++) {
        if (says_every(node->children[i]) && node->child_count > 1)
            return true;
    }
    return false;
}

/* "Both chairs", "all chairs", "the three chairs": of none is it left out. */
bool phrase_counts(const chart_node *node)
{
    const chart_node *thing = node ? phrase_thing(node) : NULL;
    if (!thing || !node_is(thing, "THING"))
        return false;
    const quantity q = phrase_quantity(thing);
    return q.number > 1 || (q.says & (SAYS_ALL | SAYS_BOTH));
}

uint32_t phrase_number(const chart_node *node)
{
    const chart_node *thing = node ? phrase_thing(node) : NULL;
    return thing && node_is(thing, "THING") ? phrase_quantity(thing).number : 0;
}

/* ---- words ---- */

/* "It", and the "it" of "it's". */
const chart_node *phrase_pronoun(const chart_node *node)
{
    const chart_node *p =
        node_is(node, "PRON") ? chart_child(node, "$pron") : NULL;
    if (!p && node_is(node, "PRON"))
        p = chart_child(node, "$pron_is");
    if (!p && node_is(node, "PRON")) /* "on its left" */
        p = chart_child(node, "$pron_its");
    if (!p && node_is(node, "PRON")) /* "each facing the other" */
        p = chart_child(node, "$pron_other");
    return p;
}

bool phrase_is_pronoun(const chart_node *node, lexicon_pronoun pronoun)
{
    const chart_node *p = phrase_pronoun(node);
    return p && p->value == (uint32_t)pronoun;
}

/* The words of the core, without determiners and modifiers. */
uint32_t phrase_words(const reader *r,
                      const chart_node *thing,
                      const char *ret[REFER_WORDS_MAX])
{
    const chart_node *core = chart_child(thing, "CORE");
    uint32_t children = core ? core->child_count : 0;
    uint32_t count = 0;
    for (uint32_t i = 0; i < children && count < REFER_WORDS_MAX; i++) {
        const chart_node *child = core->children[i];
        if (node_is(child, "$w"))
            ret[count++] = r->s->tokens[child->value].text;
        if (node_is(child, "'a'"))
            /* "shelf A": a letter of its name, and no article */
            ret[count++] = "a";
    }
    return count;
}

etna_code phrase_query(reader *r, const chart_node *thing, match_query *ret)
{
    const char *words[REFER_WORDS_MAX];
    uint32_t count = phrase_words(r, thing, words);
    return reader_query(r, words, count, ret);
}

bool phrase_has_noun(reader *r, const chart_node *thing, match_query *ret)
{
    return node_is(thing, "THING") && phrase_query(r, thing, ret) == ETNA_OK &&
           ret->has_noun;
}

bool phrase_lacks_noun(reader *r, const chart_node *thing, match_query *ret)
{
    if (!node_is(thing, "THING") || phrase_query(r, thing, ret) != ETNA_OK)
        return false;
    return !ret->has_noun && ret->count > 0;
}

/* r NULL: only "and" is seen. */
bool phrase_is_plural(const reader *r, const chart_node *node)
{
    node = phrase_thing(node);
    if (node_is(node, "AND"))
        return true;
    if (!r || !node_is(node, "THING"))
        return false;
    quantity q = phrase_quantity(node);
    if ((q.says & (SAYS_ALL | SAYS_BOTH)) || q.number > 1)
        return true;
    const char *words[REFER_WORDS_MAX];
    uint32_t count = phrase_words(r, node, words);
    /* "next to the others" */
    if (count == 0 && (q.says & SAYS_OTHER))
        return match_is_plural_word(reader_word(r, node->end - 1));
    return count > 0 && match_is_plural_word(words[count - 1]);
}

bool phrase_is_wall(const reader *r, const chart_node *thing)
{
    const chart_node *core =
        node_is(thing, "THING") ? chart_child(thing, "CORE") : NULL;
    if (!core || core->end != thing->end)
        return false;
    return core->end - core->first == 1 &&
           strcmp(reader_word(r, core->first), "wall") == 0;
}

/* A whole flat has a bedroom somewhere, and no file says where. */
static bool scene_is_a_room(const reader *r)
{
    const double largest = 60; /* square metres */
    const uint32_t floor = refer_floor(r->facts);
    if (floor == BUILTIN_NONE)
        return true;
    const builtin_object *o = &r->facts->objects[floor];
    return 4 * o->half[0] * o->half[1] < largest;
}

/* A fitted kitchen that its file calls so is a thing. */
static bool scene_has_thing_called(const reader *r, const char *word)
{
    for (uint32_t i = 0; i < r->facts->object_count; i++) {
        const builtin_object *o = &r->facts->objects[i];
        if (o->word_count == 1 && strcmp(o->words[0], word) == 0 &&
            !builtin_is_ground(o))
            return true;
    }
    return false;
}

/* Rooms that a home has besides the one that is shown. */
bool phrase_is_a_room_of_several(const reader *r, const chart_node *thing)
{
    const char *words[REFER_WORDS_MAX];
    uint32_t count =
        node_is(thing, "THING") ? phrase_words(r, thing, words) : 0;
    if (count == 2 && strcmp(words[1], "room") == 0 && !scene_is_a_room(r))
        return lexicon_lists("room: of several", words[0]);
    if (count != 1 || scene_is_a_room(r) || scene_has_thing_called(r, words[0]))
        return false;
    return lexicon_lists("room: several", words[0]);
}

static bool scene_names_thing_so(const reader *r, const char *word)
{
    for (uint32_t i = 0; i < r->facts->object_count; i++) {
        const builtin_object *o = &r->facts->objects[i];
        if (!builtin_is_ground(o) && object_has_word(o, word))
            return true;
    }
    return false;
}

/* The scene itself. */
bool phrase_means_room(const reader *r, const chart_node *node)
{
    const char *words[REFER_WORDS_MAX];
    uint32_t count = node_is(node, "THING") ? phrase_words(r, node, words) : 0;
    if (count == 0 || count > 2)
        return false;
    const char *const last = words[count - 1];
    if (lexicon_lists("room: any", last))
        return !scene_is_another_room(r, words[0]);
    /* a toy garage is a thing */
    return lexicon_lists("room: kind", last) && scene_is_a_room(r) &&
           !scene_names_thing_so(r, last) && !scene_is_another_room(r, last);
}

bool word_is_ground(const char *word)
{
    return lexicon_lists("ground", word);
}

bool phrase_means_floor(const reader *r, const chart_node *node)
{
    const char *words[REFER_WORDS_MAX];
    const uint32_t count =
        node_is(node, "THING") ? phrase_words(r, node, words) : 0;
    return count == 1 && word_is_ground(words[0]);
}

/* Also of several rooms. */
bool phrase_means_whole_scene(const reader *r, const chart_node *node)
{
    const char *words[REFER_WORDS_MAX];
    uint32_t count = node_is(node, "THING") ? phrase_words(r, node, words) : 0;
    if (count > 0 && lexicon_lists("room: home", words[count - 1]))
        return true;
    if (!phrase_means_room(r, node) || phrase_is_a_room_of_several(r, node))
        return false;
    return scene_is_a_room(r) || !lexicon_lists("room: of a home", words[0]);
}

/* ---- names ---- */

bool phrase_name_find(const reader *r, const char *name, uint32_t *ret_object)
{
    for (uint32_t i = 0; i < r->facts->object_count; i++) {
        if (strcmp(r->facts->objects[i].name, name) != 0)
            continue;
        *ret_object = i;
        return true;
    }
    return false;
}

/* "cup_small_01" of "tea_set_01_cup_small_01": the one thing whose name ends
 * so, where it is written as names are. */
static bool name_end_find(const reader *r,
                          const char *end,
                          uint32_t *ret_object)
{
    const size_t size = strlen(end);
    uint32_t count = 0;
    if (!strchr(end, '_') || !ascii_is_digit(end[size - 1]))
        return false;
    for (uint32_t i = 0; i < r->facts->object_count; i++) {
        const char *const name = r->facts->objects[i].name;
        const size_t whole = strlen(name);
        if (whole <= size || name[whole - size - 1] != '_' ||
            strcmp(name + whole - size, end) != 0)
            continue;
        *ret_object = i;
        count++;
    }
    return count == 1;
}

/* "Block" beside "Block.001": a plain word in lower case is a noun, and no
 * name. */
static bool tokens_are_name(const reader *r,
                            uint32_t first,
                            uint32_t end,
                            uint32_t *ret_object)
{
    const sentence_token *tokens = r->s->tokens + r->part->first;
    uint32_t from = tokens[first].at;
    uint32_t to = tokens[end - 1].end;
    char *raw = etna_arena_strndup(r->arena, r->text + from, to - from);
    bool marked =
        raw && raw[strcspn(raw, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")] != 0;
    return marked && (phrase_name_find(r, raw, ret_object) ||
                      name_end_find(r, raw, ret_object));
}

bool phrase_is_name(const reader *r,
                    const chart_node *thing,
                    uint32_t *ret_object)
{
    const chart_node *core = chart_child(thing, "CORE");
    return core && tokens_are_name(r, core->first, core->end, ret_object);
}

bool phrase_ends_in_name(const reader *r,
                         const chart_node *thing,
                         uint32_t *ret_object)
{
    const chart_node *core = chart_child(thing, "CORE");
    return core && core->end > core->first + 1 &&
           tokens_are_name(r, core->end - 1, core->end, ret_object);
}

/* "At the garden table, facing the table": a bare noun of several things is
 * what it is put by. */
static bool phrase_is_bare(reader *r, const chart_node *what)
{
    const char *words[REFER_WORDS_MAX];
    uint32_t named;
    if (!node_is(what, "THING") || phrase_is_name(r, what, &named))
        return false;
    return node_says(what, "$det", BIT(DET_THE)) && !chart_child(what, "MOD") &&
           phrase_words(r, what, words) == 1;
}

etna_code phrase_is_again(reader *r,
                          const chart_node *what,
                          uint32_t reference,
                          bool *ret)
{
    match_query q;
    *ret = false;
    if (reference >= r->facts->object_count || !phrase_is_bare(r, what))
        return ETNA_OK;
    etna_code code = phrase_query(r, what, &q);
    *ret =
        code == ETNA_OK && reader_match(r, reference, &q).cost < MATCH_NOT_HEAD;
    return code;
}

/* ---- nodes as if said in full ---- */

const chart_node *node_make(const reader *r,
                            const char *name,
                            const chart_node *like,
                            const chart_node *const *children,
                            uint32_t count)
{
    chart_node *node = etna_arena_alloc(r->arena, 1, sizeof *node);
    const chart_node **list =
        etna_arena_memdup(r->arena, children, count * sizeof *children);
    if (!node || !list)
        return NULL;
    *node = (chart_node){.name = name,
                         .first = like->first,
                         .end = like->end,
                         .child_count = count,
                         .children = list};
    return node;
}

const chart_node *terminal_make(const reader *r,
                                const char *name,
                                const chart_node *like,
                                uint32_t value)
{
    chart_node *node = etna_arena_alloc(r->arena, 1, sizeof *node);
    if (!node)
        return NULL;
    *node = (chart_node){.name = name,
                         .first = like->first,
                         .end = like->end,
                         .value = value,
                         .is_terminal = true};
    return node;
}

bool phrase_word_holds(const char *word)
{
    for (const char *const *noun = nouns_of(NOUNS_HOLDER); *noun; noun++) {
        if (builtin_same_word(word, *noun))
            return true;
    }
    return false;
}

/* "Its own table" */
bool phrase_is_own(const reader *r, const chart_node *phrase)
{
    bool own = false;
    for (uint32_t at = phrase->first; at < phrase->end; at++)
        own = own || reader_word_is(r, at, "own");
    return own && node_says(phrase, "$det", BIT(DET_ITS));
}
