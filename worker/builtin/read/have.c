/* What a thing should have: "every cup should have a saucer under it" puts a
 * saucer under every cup. */
#include "worker/builtin/read/clause_state.h"

/* "Every cup should have a saucer under it": a saucer goes under every cup. The
 * place with the thing itself for "it"; NULL: it is not by that. */
static const chart_node *have_place(const clause *c)
{
    reader *r = c->r;
    const chart_node *rel = chart_child(c->said, "REL");
    const chart_node *it = rel ? node_phrase(rel, 0) : NULL;
    if (!it ||
        !(phrase_is_pronoun(it, PRON_IT) || phrase_is_pronoun(it, PRON_THEM)))
        return NULL;
    chart_node *place = etna_arena_memdup(r->arena, rel, sizeof *place);
    const chart_node **children = etna_arena_memdup(
        r->arena, rel->children, rel->child_count * sizeof *children);
    if (!place || !children)
        return NULL;
    for (uint32_t i = 0; i < rel->child_count; i++) {
        if (children[i] == it)
            children[i] = c->things;
    }
    place->children = children;
    return place;
}

/* "In the middle", which is that of the thing itself. NULL: it is no such
 * place. */
static const chart_node *have_zone(const clause *c)
{
    enum {
        PARTS_MAX = 8
    };
    const chart_node *zone = chart_child(c->said, "ZONE");
    const chart_node *parts[PARTS_MAX];
    uint32_t count = 0;
    if (!zone || zone_owner(zone) || zone->child_count + 1 > PARTS_MAX)
        return NULL;
    for (uint32_t i = 0; i < zone->child_count; i++)
        parts[count++] = zone->children[i];
    parts[count++] = c->things;
    return node_make(c->r, "ZONE", zone, parts, count);
}

etna_code clause_read_have(clause *c)
{
    reader *r = c->r;
    const uint32_t first = r->reading->count;
    const chart_node *const upon = have_place(c);
    const chart_node *const place = upon ? upon : have_zone(c);
    const chart_node *const what = node_things(c->said, 1);
    const chart_node **children =
        etna_arena_alloc(r->arena, 2, sizeof *children);
    chart_node *said = etna_arena_memdup(r->arena, c->said, sizeof *said);
    if (!children || !said)
        return reader_no_memory(r);
    /* "chairs 1 and 2 need a cup on the table": how many is not said */
    const bool several =
        phrase_is_plural(r, c->things) && !phrase_is_each(c->things);
    if (!place || !what || several)
        return clause_refuse_all(c);
    children[0] = what;
    children[1] = place;
    said->name = "STATE";
    said->child_count = 2;
    said->children = children;
    clause put = {.r = r, .said = said, .things = what, .verb = VERB_PUT};
    etna_code code = clause_read_state(&put);
    if (code == ETNA_OK)
        code = coverage_check(r, said, first);
    return code == ETNA_OK ? moves_settle(r, first) : code;
}
