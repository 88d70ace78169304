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

/* Appends what stands behind the correction's first word and is no word; returns
 * how many there are then. */
static uint32_t children_add_phrases(const chart_node **children,
                                     uint32_t count,
                                     const chart_node *correction)
{
    for (uint32_t i = 1; i < correction->child_count; i++) {
        const chart_node *c = correction->children[i];
        if (!c->is_terminal)
            children[count++] = c;
    }
    return count;
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
    if (!fix)
        count = children_add_phrases(children, count, correction);
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
