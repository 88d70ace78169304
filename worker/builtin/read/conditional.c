/* What is asked only if something is so. The condition is held against the
 * scene as it stands when the text is read, as a phrase is that tells which of
 * several things is meant: "if the cup is nearer to the jug than to the vase, put
 * it on the tray; otherwise on the desk". What cannot be measured, or is about as
 * much so as not, is refused. */
#include "worker/builtin/read/conditional.h"
#include "worker/builtin/read/clause.h"
#include "worker/builtin/read/part_internal.h"
#include "worker/builtin/read/refer_internal.h"
#include "worker/builtin/read/set.h"

#include <math.h>

static etna_code condition_refuse(reader *r, const chart_node *asked)
{
    return reader_refuse_said(r, CODE_UNREAD, asked,
                              "whether that is so is not clear");
}

static conditional_state state_of(bool is_so)
{
    return is_so ? CONDITIONAL_MET : CONDITIONAL_UNMET;
}

/* ---- nearer ---- */

static etna_code nearer_find(reader *r,
                             const chart_node *asked,
                             uint32_t which,
                             uint32_t *ret)
{
    const refer_scope scope = {.on = BUILTIN_NONE};
    const chart_node *const phrase = node_things(asked, which);
    etna_code code =
        phrase ? refer_one(r, phrase, &scope, ret) : condition_refuse(r, NULL);
    if (code == ETNA_OK && *ret >= r->facts->object_count)
        return condition_refuse(r, asked);
    return code;
}

/* "The lamp is nearer to the bed than to the door" */
static etna_code nearer_measure(reader *r,
                                const chart_node *asked,
                                conditional_state *ret)
{
    const double doubt = 0.03; /* metres */
    uint32_t which[3] = {BUILTIN_NONE, BUILTIN_NONE, BUILTIN_NONE};
    for (uint32_t i = 0; i < COUNT_OF(which); i++) {
        etna_code code = nearer_find(r, asked, i, &which[i]);
        if (code != ETNA_OK)
            return code;
    }
    const builtin_object *const of = object_at(r, which[0]);
    const double way = where_between(of, object_at(r, which[1]));
    const double than = where_between(of, object_at(r, which[2]));
    if (fabs(way - than) < doubt)
        return condition_refuse(r, asked);
    const chart_node *const word = chart_child(asked, "$nearest");
    const bool farther = word && word->value == 2;
    *ret = state_of(farther ? way > than : way < than);
    r->memory.last = r->memory.named = set_one(r, which[0]);
    return ETNA_OK;
}

/* ---- where things stand ---- */

/* How many of the things stand there. ETNA_E_INPUT: that place cannot be held
 * against them. */
static etna_code standing_count(reader *r,
                                const chart_node *asked,
                                const builtin_set *things,
                                builtin_set *ret)
{
    const uint32_t measured = BIT(REL_ON) | BIT(REL_IN) | BIT(REL_UNDER);
    const chart_node *const where = chart_child(asked, "REL");
    const chart_node *const rel = where ? chart_child(where, "$rel") : NULL;
    where_found found;
    *ret = (builtin_set){0};
    if (!rel || !bit_is_in(rel->value, measured))
        return condition_refuse(r, asked);
    etna_code code = where_find(r, where, &found);
    for (uint32_t i = 0; i < things->count && code == ETNA_OK; i++) {
        const builtin_set one = set_one(r, things->objects[i]);
        double way = INFINITY;
        code = where_found_holds(r, &found, things->objects[i], &way);
        if (code == ETNA_OK && isfinite(way))
            code = set_union(r, ret, &one, ret);
        /* what stands on nothing that is known may stand there */
        const builtin_object *const o = object_at(r, things->objects[i]);
        const bool known = o->by_count > 0 || o->attached;
        if (code == ETNA_OK && !isfinite(way) && !known)
            code = condition_refuse(r, asked);
    }
    ret->need = ret->count;
    return code;
}

/* "Any cup is not on the tray": those that are elsewhere are meant next. */
static etna_code elsewhere_measure(reader *r,
                                   const builtin_set *things,
                                   const builtin_set *there,
                                   conditional_state *ret)
{
    builtin_set others = {0};
    const etna_code code = set_without(r, things, there, &others);
    if (code != ETNA_OK)
        return code;
    others.need = others.count;
    *ret = state_of(others.count > 0);
    r->memory.last = r->memory.named = others.count > 0 ? others : *things;
    return ETNA_OK;
}

/* "The cup is (not) on the table", "the books are on the shelf": all of them, or
 * one where it may be any. */
static etna_code standing_measure(reader *r,
                                  const chart_node *asked,
                                  conditional_state *ret)
{
    const refer_scope any = {.on = BUILTIN_NONE, .many = true};
    const chart_node *const phrase = node_things(asked, 0);
    builtin_set things = {0}, there = {0};
    etna_code code = refer_things(r, phrase, &any, &things);
    if (code == ETNA_OK)
        code = standing_count(r, asked, &things, &there);
    if (code != ETNA_OK)
        return code;
    const bool some = things.need < things.count;
    if (!some && there.count > 0 && there.count < things.count)
        return condition_refuse(r, asked);
    const bool denied = chart_child(asked, "IFNOT") != NULL;
    if (denied && some)
        return elsewhere_measure(r, &things, &there, ret);
    const bool stands = some ? there.count >= things.need : there.count > 0;
    *ret = state_of(stands != denied);
    r->memory.last = r->memory.named = some && stands ? there : things;
    return ETNA_OK;
}

/* ---- what there is ---- */

static etna_code movable_find(reader *r, builtin_set *ret)
{
    etna_code code = ETNA_OK;
    *ret = (builtin_set){0};
    for (uint32_t i = 0; i < r->facts->object_count && code == ETNA_OK; i++) {
        const builtin_set one = set_one(r, i);
        if (object_moves(r->facts, i))
            code = set_union(r, ret, &one, ret);
    }
    ret->need = ret->count;
    return code;
}

/* "It" is next what is there, or what should be, or that on which nothing
 * is. */
static etna_code there_remember(reader *r,
                                const chart_node *asked,
                                const builtin_set *all,
                                const builtin_set *there)
{
    const bool named = chart_child(asked, "THING") != NULL;
    const bool denied = chart_child(asked, "IFNO") != NULL;
    const chart_node *const where = chart_child(asked, "REL");
    const chart_node *const what = node_phrase(where, 0);
    const refer_scope place = refer_scope_place(NULL);
    uint32_t base = BUILTIN_NONE;
    if (there->count > 0) {
        r->memory.last = r->memory.named = *there;
        return ETNA_OK;
    }
    if (named && !denied) {
        r->memory.last = r->memory.named = *all;
        return ETNA_OK;
    }
    etna_code code =
        what ? refer_peek_one(r, what, &place, &base) : ETNA_E_INPUT;
    if (code == ETNA_OK && base < r->facts->object_count)
        r->memory.last = r->memory.named = set_one(r, base);
    return code == ETNA_E_NOMEM ? reader_no_memory(r) : ETNA_OK;
}

/* "There is no cup on the table", "something lies on the washer" */
static etna_code there_measure(reader *r,
                               const chart_node *asked,
                               conditional_state *ret)
{
    const chart_node *const phrase = chart_child(asked, "THING");
    builtin_set all = {0}, there = {0};
    etna_code code =
        phrase ? gather_all_called(r, phrase, &all) : movable_find(r, &all);
    if (code == ETNA_OK)
        code = standing_count(r, asked, &all, &there);
    if (code == ETNA_OK)
        code = there_remember(r, asked, &all, &there);
    if (code != ETNA_OK)
        return code;
    const bool denied = chart_child(asked, "IFNO") != NULL;
    *ret = state_of((there.count > 0) != denied);
    r->memory.conditional_exists = state_of(there.count > 0);
    return ETNA_OK;
}

/* "The shelf is (not) empty": nothing that can be moved stands on or in it. */
static etna_code bare_measure(reader *r,
                              const chart_node *asked,
                              conditional_state *ret)
{
    const refer_scope place = {.on = BUILTIN_NONE, .flat = true};
    const chart_node *const phrase = node_things(asked, 0);
    builtin_set all = {0};
    uint32_t base = BUILTIN_NONE;
    bool bare = true;
    etna_code code = phrase ? refer_one(r, phrase, &place, &base)
                            : condition_refuse(r, asked);
    if (code == ETNA_OK && base >= r->facts->object_count)
        return condition_refuse(r, asked);
    if (code == ETNA_OK)
        code = movable_find(r, &all);
    if (code != ETNA_OK)
        return code;
    for (uint32_t i = 0; i < all.count; i++)
        bare = bare && !builtin_stands_on(r->facts, all.objects[i], base);
    const bool denied = chart_child(asked, "IFNOT") != NULL;
    *ret = state_of(bare != denied);
    r->memory.last = r->memory.named = set_one(r, base);
    return ETNA_OK;
}

/* "If there is one already", of what was asked right before. */
static etna_code again_measure(reader *r,
                               const chart_node *asked,
                               conditional_state *ret)
{
    const bool follows = r->memory.conditional_end + 1 == r->part->first;
    const bool denied = chart_child(asked, "IFNO") != NULL;
    if (!follows || r->memory.conditional_exists == CONDITIONAL_NONE)
        return condition_refuse(r, asked);
    *ret =
        state_of((r->memory.conditional_exists == CONDITIONAL_MET) != denied);
    return ETNA_OK;
}

/* ---- both ways ---- */

static const struct {
    const char *name;
    etna_code (*measure)(reader *r,
                         const chart_node *asked,
                         conditional_state *ret);
} conditions[] = {{"IFNEARER", nearer_measure},
                  {"IFBARE", bare_measure},
                  {"IFSTANDS", standing_measure},
                  {"IFTHERE", there_measure},
                  {"IFAGAIN", again_measure}};

/* What a node asks, without its condition. */
static etna_code asked_of_node(reader *r, const chart_node *node)
{
    etna_code code = ETNA_OK;
    for (uint32_t i = 0; i < node->child_count && code == ETNA_OK; i++) {
        const chart_node *const c = node->children[i];
        bool skipped = c->is_terminal || node_is(c, "ELSE");
        for (size_t k = 0; k < COUNT_OF(conditions); k++)
            skipped = skipped || node_is(c, conditions[k].name);
        if (!skipped)
            code = tree_read(r, c);
    }
    return code;
}

/* "..., if not, on the shelf": where what is spoken of goes. */
static etna_code place_of_node(reader *r, const chart_node *node)
{
    const bool many = r->memory.last.count > 1;
    const chart_node *const word =
        terminal_make(r, "$pron", node, many ? PRON_THEM : PRON_IT);
    const chart_node *const it =
        word ? node_make(r, "PRON", node, &word, 1) : NULL;
    const chart_node **children =
        etna_arena_alloc(r->arena, node->child_count + 1u, sizeof *children);
    if (!it || !children)
        return reader_no_memory(r);
    children[0] = it;
    for (uint32_t i = 0; i < node->child_count; i++)
        children[i + 1] = node->children[i];
    const chart_node *const said =
        node_make(r, "STATE", node, children, node->child_count + 1u);
    return said ? clause_read(r, said) : reader_no_memory(r);
}

static etna_code branch_say(reader *r, const chart_node *node)
{
    const chart_node *const place = chart_child(node, "ELSEWHERE");
    return place ? place_of_node(r, place) : asked_of_node(r, node);
}

/* It must be understood, and asks for nothing; what "it" is is known from it. */
static etna_code branch_leave(reader *r, const chart_node *node)
{
    const reader before = *r;
    builtin_reading *kept =
        etna_arena_memdup(r->arena, r->reading, sizeof *kept);
    if (!kept)
        return reader_no_memory(r);
    const uint32_t moves = kept->count;
    etna_code code = branch_say(r, node);
    if (code != ETNA_OK)
        return code;
    const bool moved = r->reading->count > moves;
    const builtin_set things =
        moved ? r->reading->moves[moves].objects : before.memory.last;
    *r->reading = *kept;
    *r = before;
    r->memory.last = r->memory.named = things;
    r->is_wish = false;
    reader_remark(r, node);
    return ETNA_OK;
}

static etna_code branch_read(reader *r, const chart_node *node, bool is_so)
{
    return is_so ? branch_say(r, node) : branch_leave(r, node);
}

etna_code alternative_read(reader *r, const chart_node *node)
{
    const conditional_state state = r->memory.conditional;
    const bool alone = node->first == 0;
    const bool follows =
        !alone || r->memory.conditional_end + 1 == r->part->first;
    if (state == CONDITIONAL_NONE || !follows)
        return reader_refuse_said(r, CODE_UNREAD, node,
                                  "if what is not so is not said");
    r->memory.conditional_end = r->part->end;
    return branch_read(r, node, state == CONDITIONAL_UNMET);
}

etna_code conditional_read(reader *r, const chart_node *node)
{
    const chart_node *const other = chart_child(node, "ELSE");
    conditional_state state = CONDITIONAL_NONE;
    etna_code code = reader_refuse_unread(r, node);
    for (size_t i = 0; i < COUNT_OF(conditions); i++) {
        const chart_node *const asked = chart_child(node, conditions[i].name);
        if (!asked)
            continue;
        code = conditions[i].measure(r, asked, &state);
        if (code == ETNA_OK)
            reader_remark(r, asked);
    }
    if (code == ETNA_OK)
        code = branch_read(r, node, state == CONDITIONAL_MET);
    if (code != ETNA_OK)
        return code;
    r->memory.conditional = state;
    r->memory.conditional_end = r->part->end;
    return other ? alternative_read(r, other) : ETNA_OK;
}

etna_code hindering_read(reader *r, const chart_node *node)
{
    const refer_scope any = {.on = BUILTIN_NONE, .many = true};
    const chart_node *const where = chart_child(node, "ELSEWHERE");
    builtin_set things = {0}, there = {0};
    etna_code code = refer_things(r, node_things(node, 0), &any, &things);
    if (code == ETNA_OK)
        code = standing_count(r, where, &things, &there);
    if (code != ETNA_OK)
        return code;
    if (there.count < things.count)
        return reader_refuse_said(r, CODE_UNREAD, node,
                                  "whether it is in the way is not known");
    r->memory.last = r->memory.named = things;
    return place_of_node(r, where);
}
