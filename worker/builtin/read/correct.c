/* Self-corrections: "put the red book on the sofa, no, wait, the blue one",
 * "... on the sofa, or rather on the table". What follows takes the place of
 * what it contrasts with, and the clause is read as if it had been said so at
 * once. */
#include "worker/builtin/read/clause.h"

enum {
    CORRECTED_CHILDREN_MAX = 32
};

/* A node like the clause's, with other children. NULL: out of memory. */
static const chart_node *node_rebuild(const reader *r,
                                      const chart_node *like,
                                      const chart_node *const *children,
                                      uint32_t count)
{
    chart_node *made = etna_arena_memdup(r->arena, like, sizeof *like);
    const chart_node **list = etna_arena_memdup(
        r->arena, children, count * sizeof(const chart_node *));
    if (!made || !list)
        return NULL;
    made->children = list;
    made->child_count = count;
    return made;
}

/* Beside what the clause first had them: "left of the sofa". NULL: it names no
 * place, or several. */
static const chart_node *place_landmark(const chart_node *said,
                                        const chart_node *things)
{
    const chart_node *landmark = NULL;
    for (uint32_t i = 0; i < said->child_count; i++) {
        const chart_node *c = said->children[i];
        const chart_node *rel = c == things ? NULL : chart_find(c, "REL");
        if (!rel)
            continue;
        if (landmark)
            return NULL;
        landmark = node_things(rel, 0);
    }
    return landmark;
}

/* The phrase with the landmark where it has a pronoun: "no, right of it" is of
 * what it was to stand left of. NULL: out of memory. */
static const chart_node *phrase_name_again(const reader *r,
                                           const chart_node *phrase,
                                           const chart_node *landmark)
{
    const chart_node *children[CORRECTED_CHILDREN_MAX];
    if (node_is(phrase, "PRON") && phrase->child_count == 1)
        return landmark;
    const bool is_leaf = phrase->is_terminal || phrase->child_count == 0 ||
                         phrase->child_count > CORRECTED_CHILDREN_MAX;
    if (is_leaf)
        return phrase;
    for (uint32_t i = 0; i < phrase->child_count; i++) {
        children[i] = phrase_name_again(r, phrase->children[i], landmark);
        if (!children[i])
            return NULL;
    }
    return node_rebuild(r, phrase, children, phrase->child_count);
}

/* The things and what they are corrected to, as one phrase. NULL: out of
 * memory. */
static const chart_node *phrase_correct(const reader *r,
                                        const chart_node *things,
                                        const chart_node *fix)
{
    const chart_node *both[] = {things, fix};
    chart_node like = *things;
    like.name = "CORRECTED";
    like.end = fix->end;
    return node_rebuild(r, &like, both, 2);
}

/* Appends what stands behind the correction's first word and is no word. False:
 * out of memory. */
static bool children_add_phrases(const reader *r,
                                 const chart_node **children,
                                 uint32_t *count,
                                 const chart_node *correction,
                                 const chart_node *landmark)
{
    for (uint32_t i = 1; i < correction->child_count; i++) {
        const chart_node *c = correction->children[i];
        if (c->is_terminal)
            continue;
        if (landmark)
            c = phrase_name_again(r, c, landmark);
        if (!c)
            return false;
        children[(*count)++] = c;
    }
    return true;
}

/* The clause with another phrase for its things, or with other places for all
 * that it says of where. */
static etna_code clause_correct(reader *r,
                                const chart_node *said,
                                const chart_node *correction,
                                const chart_node **ret)
{
    const chart_node *children[CORRECTED_CHILDREN_MAX];
    const chart_node *things = node_things(said, 0);
    const chart_node *fix = node_things(correction, 0);
    uint32_t count = 0;
    if (!things ||
        said->child_count + correction->child_count > CORRECTED_CHILDREN_MAX)
        return reader_refuse_said(r, CODE_UNREAD, correction,
                                  "what that corrects is not clear");
    for (uint32_t i = 0; i < said->child_count; i++) {
        const chart_node *c = said->children[i];
        const bool replaced =
            fix ? c == things : !c->is_terminal && c != things;
        if (!replaced)
            children[count++] = c;
        if (!fix || !replaced)
            continue;
        children[count] = phrase_correct(r, things, fix);
        if (!children[count++])
            return reader_no_memory(r);
    }
    if (!fix && !children_add_phrases(r, children, &count, correction,
                                      place_landmark(said, things)))
        return reader_no_memory(r);
    *ret = node_rebuild(r, said, children, count);
    return *ret ? ETNA_OK : reader_no_memory(r);
}

/* "The hammer on the stool, no saw": no saw there, or the saw instead? */
static bool correction_may_deny(const reader *r, const chart_node *correction)
{
    const chart_node *const fix = node_things(correction, 0);
    const uint32_t first = fix ? fix->first : 0;
    if (!fix || first == 0 || !reader_word_is(r, first - 1, "no"))
        return false;
    const char *const word = r->s->tokens[first].text;
    return !lexicon_lists("$det", word) && !lexicon_lists("$pron", word);
}

etna_code correction_read(reader *r, const chart_node *correction)
{
    const chart_node *said = correction->children[0];
    const chart_node *corrected = NULL;
    if (correction_may_deny(r, correction))
        return reader_refuse_said(r, CODE_UNREAD, correction,
                                  "whether none is to be there, or that one "
                                  "instead, is not clear");
    if (!node_is(said, "CLAUSE"))
        return reader_refuse_said(r, CODE_UNREAD, correction,
                                  "what that corrects is not clear");
    etna_code code =
        clause_correct(r, said->children[0], correction, &corrected);
    return code == ETNA_OK ? clause_read(r, corrected) : code;
}
