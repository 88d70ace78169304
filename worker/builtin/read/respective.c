/* "The cup and the jug on the desk and the shelf respectively": the first of the
 * one list with the first of the other, each pair as a clause of its own. */
#include "worker/builtin/read/clause.h"

/* The place that has one for each of the things; NULL: none has. */
static const chart_node *respective_place(const chart_node *said)
{
    for (uint32_t i = 0; i < said->child_count; i++) {
        if (chart_child(said->children[i], "$respectively"))
            return said->children[i];
    }
    return NULL;
}

bool clause_is_respective(const clause *c)
{
    return respective_place(c->said) != NULL;
}

/* The node with one of its children another; `without`: and without that. NULL:
 * no memory. */
static const chart_node *node_with(const reader *r,
                                   const chart_node *node,
                                   const chart_node *old,
                                   const chart_node *now,
                                   const char *without)
{
    const chart_node **parts =
        etna_arena_alloc(r->arena, node->child_count, sizeof *parts);
    uint32_t count = 0;
    for (uint32_t i = 0; parts && i < node->child_count; i++) {
        const chart_node *const child = node->children[i];
        if (without && node_is(child, without))
            continue;
        parts[count++] = child == old ? now : child;
    }
    return parts ? node_make(r, node->name, node, parts, count) : NULL;
}

etna_code clause_read_respective(clause *c)
{
    const chart_node *things[CONJUNCTS_MAX], *others[CONJUNCTS_MAX];
    const chart_node *const place = respective_place(c->said);
    const chart_node *const list = node_things(place, 0);
    const uint32_t count = c->things ? node_conjuncts(c->things, things) : 0;
    if (count < 2 || !list || node_conjuncts(list, others) != count)
        return clause_refuse(c, "which goes with which is not clear");
    for (uint32_t i = 0; i < count; i++) {
        const chart_node *const own =
            node_with(c->r, place, list, others[i], "$respectively");
        const chart_node *one =
            own ? node_with(c->r, c->said, place, own, NULL) : NULL;
        if (one)
            one = node_with(c->r, one, c->things, things[i], NULL);
        if (!one)
            return reader_no_memory(c->r);
        etna_code code = clause_read(c->r, one);
        if (code != ETNA_OK)
            return code;
    }
    return ETNA_OK;
}
