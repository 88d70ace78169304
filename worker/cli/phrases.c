/* See phrases.h. */
#include "worker/cli/phrases.h"
#include "proto/array.h"
#include "worker/builtin/language/sentence.h"

#include <string.h>

enum {
    WORDS_MAX = 512
};

typedef struct phraser { /* the first failure sticks */
    const char *text;
    const sentence *s;
    const sentence_part *part;
    json_t *predicates, *unread;
    bool failed;
} phraser;

static bool is_clause(const chart_node *node)
{
    static const char *const names[] = {"DO",   "NOTDO", "STATE", "NOTSTATE",
                                        "GIVE", "LIST",  "BARE"};
    return WORD_IS_OF(node->name, names);
}

static bool phrase_is_thing(const chart_node *node)
{
    static const char *const names[] = {"THING", "AND",   "OR",    "EXCEPT",
                                        "PRON",  "OF",    "OWNED", "APPOSED",
                                        "ALLOF", "QUOTED"};
    return !node->is_terminal && WORD_IS_OF(node->name, names);
}

static const sentence_token *token_of(const phraser *p, uint32_t token)
{
    return &p->s->tokens[p->part->first + token];
}

static json_t *span_of(const phraser *p, uint32_t first, uint32_t end)
{
    json_int_t from = 0, to = 0;
    if (first < end)
        from = token_of(p, first)->at, to = token_of(p, end - 1)->end;
    return json_pack("[I,I]", from, to);
}

/* As it is written between two tokens. */
static json_t *phrase_text(const phraser *p, const chart_node *node)
{
    uint32_t from = token_of(p, node->first)->at;
    uint32_t to = token_of(p, node->end - 1)->end;
    return json_stringn(p->text + from, to - from);
}

/* The phrases of an AND apart, of anything else as one. */
static void add_phrases(phraser *p, json_t *names, const chart_node *node)
{
    bool several = strcmp(node->name, "AND") == 0;
    for (uint32_t i = 0; several && i < node->child_count; i++) {
        if (phrase_is_thing(node->children[i]))
            add_phrases(p, names, node->children[i]);
    }
    if (!several && node->first < node->end &&
        json_array_append_new(names, phrase_text(p, node)) != 0)
        p->failed = true;
}

/* The words of a place that are none of its things. */
static void add_words(const phraser *p,
                      const chart_node *node,
                      char words[WORDS_MAX])
{
    if (phrase_is_thing(node))
        return;
    for (uint32_t i = 0; i < node->child_count; i++)
        add_words(p, node->children[i], words);
    for (uint32_t i = node->first; node->is_terminal && i < node->end; i++) {
        size_t used = strlen(words);
        size_t more = strlen(token_of(p, i)->text);
        if (used + more + 2 > WORDS_MAX)
            return;
        if (used)
            words[used++] = ' ';
        memcpy(words + used, token_of(p, i)->text, more + 1);
    }
}

static void add_things(phraser *p, const chart_node *node, json_t *things)
{
    if (phrase_is_thing(node)) {
        json_t *names = json_array();
        if (json_array_append_new(things, names) != 0)
            p->failed = true;
        add_phrases(p, names, node);
        return;
    }
    for (uint32_t i = 0; i < node->child_count; i++)
        add_things(p, node->children[i], things);
}

static void add_unread(phraser *p, const chart_node *node)
{
    json_t *row =
        json_pack("{s:o,s:o}", "span", span_of(p, node->first, node->end),
                  "text", phrase_text(p, node));
    if (json_array_append_new(p->unread, row) != 0)
        p->failed = true;
}

/* A clause's place with the things it names. Words without anything asked are
 * told as unread. */
static void add_predicate(phraser *p,
                          const chart_node *clause,
                          const chart_node *place,
                          json_t *moved)
{
    char words[WORDS_MAX] = "";
    bool is_not = strncmp(clause->name, "NOT", 3) == 0;
    json_t *things = json_array();
    json_t *span = span_of(p, place->first, place->end);
    if (json_array_append(things, moved) != 0)
        p->failed = true;
    if (place != clause) {
        add_things(p, place, things);
        add_words(p, place, words);
    }
    for (uint32_t i = 0; place == clause && i < clause->child_count; i++) {
        if (clause->children[i]->is_terminal)
            add_words(p, clause->children[i], words);
    }
    if (!*words) { /* things, and nothing that is asked of them */
        json_decref(things);
        json_decref(span);
        add_unread(p, place);
        return;
    }
    json_t *row = json_pack("{s:s,s:o,s:{},s:o}", "kind", words, "things",
                            things, "numbers", "span", span);
    if (row && is_not)
        json_object_set_new(row, "not", json_true());
    if (json_array_append_new(p->predicates, row) != 0)
        p->failed = true;
}

/* The moved things, then each place. */
static void read_clause(phraser *p, const chart_node *clause)
{
    json_t *moved = json_array();
    size_t before = json_array_size(p->predicates);
    for (uint32_t i = 0; i < clause->child_count; i++) {
        if (phrase_is_thing(clause->children[i]))
            add_phrases(p, moved, clause->children[i]);
    }
    for (uint32_t i = 0; i < clause->child_count; i++) {
        const chart_node *child = clause->children[i];
        bool is_place = !child->is_terminal && !phrase_is_thing(child);
        if (is_place)
            add_predicate(p, clause, child, moved);
    }
    if (json_array_size(p->predicates) == before)
        add_predicate(p, clause, clause, moved);
    json_decref(moved);
}

static void read_tree(phraser *p, const chart_node *node)
{
    if (is_clause(node)) {
        read_clause(p, node);
        return;
    }
    for (uint32_t i = 0; i < node->child_count; i++)
        read_tree(p, node->children[i]);
}

/* The cheapest tree; a part without one is unread as a whole. */
static etna_code read_part(phraser *p,
                           const sentence_vocabulary *none,
                           etna_arena *arena,
                           etna_error *err)
{
    chart_tree *trees = etna_arena_alloc(arena, CHART_TREES_MAX, sizeof *trees);
    uint32_t count = 0;
    uint32_t size = p->part->end - p->part->first;
    if (!trees)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory for a sentence");
    etna_code code =
        sentence_parse(p->s, p->part, none, arena, trees, &count, err);
    if (code != ETNA_OK)
        return code;
    if (count > 0) {
        read_tree(p, trees[0].root);
        return ETNA_OK;
    }
    if (size == 0)
        return ETNA_OK;
    const chart_node whole = {.name = "", .first = 0, .end = size};
    add_unread(p, &whole);
    return ETNA_OK;
}

/* The form of a text without a scene. */
etna_code phrases_of(const char *text,
                     etna_arena *arena,
                     json_t **ret,
                     etna_error *err)
{
    const sentence_vocabulary none = {0};
    sentence s = {0};
    etna_code code = sentence_split(text, &none, arena, &s, err);
    if (code != ETNA_OK)
        return code;
    json_t *predicates = json_array();
    json_t *unread = json_array();
    phraser p = {
        .text = text, .s = &s, .predicates = predicates, .unread = unread};
    for (uint32_t i = 0; code == ETNA_OK && i < s.part_count; i++) {
        p.part = &s.parts[i];
        code = read_part(&p, &none, arena, err);
    }
    bool has_memory = !p.failed && predicates && unread;
    json_t *whole = code == ETNA_OK && has_memory
                        ? json_pack("{s:s,s:O,s:O}", "sentence", text,
                                    "predicates", predicates, "unread", unread)
                        : NULL;
    json_decref(predicates);
    json_decref(unread);
    if (code == ETNA_OK && !whole)
        code = etna_fail(err, ETNA_E_NOMEM, "out of memory for a sentence");
    if (code == ETNA_OK)
        *ret = whole;
    return code;
}
