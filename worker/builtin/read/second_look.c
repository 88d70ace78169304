/* A second look at what was refused because a phrase means several things or
 * none: a place behind the phrase may tell which. */
#include "worker/builtin/read/details.h"
#include "worker/builtin/read/part_internal.h"
#include "worker/builtin/read/refer_internal.h"

#include <math.h>

static bool node_is_place(const chart_node *node)
{
    static const char *const places[] = {"REL", "ZONE", "ENDOWN", "BETWEEN"};
    return WORD_IS_OF(node->name, places);
}

/* "The chair | in the corner": where it is, and nothing else about it. What it
 * is taken off asks for that. */
static bool node_tells_place(const chart_node *node)
{
    if (!node_is(node, "MOD") || node->child_count != 1 ||
        !node_is_place(node->children[0]))
        return false;
    const chart_node *rel = chart_child(node->children[0], "$rel");
    return !rel || rel->value != REL_OFF;
}

/* How many words of the tree tell a thing by its place, or by what it has. */
static uint32_t tree_words_of_place(const chart_node *node)
{
    if (node_tells_place(node) || node_is(node, "HAVING"))
        return node->end - node->first;
    uint32_t sum = 0;
    for (uint32_t i = 0; i < node->child_count; i++)
        sum += tree_words_of_place(node->children[i]);
    return sum;
}

/* Of a kind, the first of the tree that begins at that token (`first`) or ends
 * before it; NULL: none. */
static const chart_node *tree_find_at(const chart_node *node,
                                      bool (*is)(const chart_node *node),
                                      uint32_t token,
                                      bool begins)
{
    if (is(node) && (begins ? node->first : node->end) == token)
        return node;
    for (uint32_t i = 0; i < node->child_count; i++) {
        const chart_node *found =
            tree_find_at(node->children[i], is, token, begins);
        if (found)
            return found;
    }
    return NULL;
}

/* "On the table | by the window": where the place that is left may tell that
 * table as well, both may be meant. */
static etna_code place_may_tell(reader *r,
                                const chart_node *told,
                                const chart_node *place,
                                bool *ret)
{
    const chart_node *const where = told->children[0];
    const chart_node *const what =
        where->child_count ? where->children[where->child_count - 1] : NULL;
    const refer_scope scope = {.on = BUILTIN_NONE, .many = true, .any = true};
    builtin_set of = {0};
    *ret = false;
    if (!what || what->is_terminal)
        return ETNA_OK;
    if (reader_lists(r, place->first, "second look: way"))
        return ETNA_OK;
    etna_code code = refer_things(r, what, &scope, &of);
    for (uint32_t i = 0; i < of.count && code == ETNA_OK && !*ret; i++) {
        double way = INFINITY;
        code = where_holds(r, place, of.objects[i], &way);
        *ret = code == ETNA_OK && isfinite(way);
    }
    return code;
}

/* Is there a place in the tree that may tell what a place right before it
 * names? */
static etna_code tree_is_doubtful(reader *r, const chart_node *root, bool *ret)
{
    *ret = false;
    for (uint32_t token = root->first + 1; token < root->end && !*ret;
         token++) {
        const chart_node *told =
            tree_find_at(root, node_tells_place, token, false);
        const chart_node *place =
            told ? tree_find_at(root, node_is_place, token, true) : NULL;
        if (!place)
            continue;
        etna_code code = place_may_tell(r, told, place, ret);
        if (code != ETNA_OK)
            return code == ETNA_E_INPUT ? ETNA_OK : code;
    }
    return ETNA_OK;
}

/* "The lamp near the bear and the plant on the box": two things with a place
 * each, rather than the lamp that is near it. */
static bool tree_tells_one_of_two(const chart_node *node)
{
    if (node_is(node, "AND") && node->child_count > 1) {
        const chart_node *last = node->children[node->child_count - 1];
        const bool told = tree_words_of_place(node) > tree_words_of_place(last);
        if (told && tree_words_of_place(last) == 0)
            return true;
    }
    for (uint32_t i = 0; i < node->child_count; i++) {
        if (tree_tells_one_of_two(node->children[i]))
            return true;
    }
    return false;
}

static bool look_is_better(const second_look *look,
                           uint32_t told,
                           const attempt *a)
{
    if (!look->best || told != look->told)
        return !look->best || told > look->told;
    return a->cost < look->best->cost;
}

/* Is neither by far the likelier? */
static bool look_is_near(const attempt *a, const attempt *b)
{
    return a->cost <= b->cost + MARGIN_OF_MENDED &&
           b->cost <= a->cost + MARGIN_OF_MENDED;
}

/* Takes the reading where it is the better one. */
static void look_take(second_look *look,
                      uint32_t told,
                      attempt *a,
                      bool doubtful)
{
    const bool other = look->best && look_is_near(look->best, a) &&
                       !readings_same(&look->best->reading, &a->reading);
    const bool same_words = look->best && told == look->told;
    if (look_is_better(look, told, a)) {
        look->doubtful = doubtful || (same_words && other);
        look->best = a;
        look->told = told;
    } else if (same_words) {
        look->doubtful = look->doubtful || other;
    }
}

/* Does a place tell a thing in the clause that has the refused phrase? "Round
 * the jug" tells nothing of "a third one" in another clause. */
static bool tree_tells_refused(const reader *r,
                               const chart_node *node,
                               const builtin_refusal *refusal)
{
    uint32_t span[2];
    reader_span(r, node, span);
    if (span[0] >= refusal->to || span[1] <= refusal->from)
        return false;
    if (node_is(node, "CLAUSE"))
        return tree_words_of_place(node) > 0;
    for (uint32_t i = 0; i < node->child_count; i++) {
        if (tree_tells_refused(r, node->children[i], refusal))
            return true;
    }
    return false;
}

bool look_answers(const second_look *look, const builtin_refusal *refusal)
{
    return look->best &&
           tree_tells_refused(&look->best->r, look->best->root, refusal);
}

/* In the second look: of several readings that one counts which explains most
 * words of place; two that differ make it doubtful. */
static etna_code look_at(reader *r, const chart_tree *tree, second_look *look)
{
    const uint32_t told = tree_words_of_place(tree->root);
    if (told == 0 || !tree_may_be_meant(r, tree->root) ||
        tree_tells_one_of_two(tree->root))
        return ETNA_OK;
    attempt *a = etna_arena_alloc(r->arena, 1, sizeof *a);
    if (!a)
        return reader_no_memory(r);
    etna_code code = attempt_make(r, tree, a);
    if (code != ETNA_OK)
        return code == ETNA_E_INPUT ? ETNA_OK : code;
    bool doubtful = false;
    reader before = *r;
    code = tree_is_doubtful(&before, tree->root, &doubtful);
    if (code != ETNA_OK)
        return code;
    look_take(look, told, a, doubtful);
    return ETNA_OK;
}

/* What was refused because a phrase means several things or none: a place
 * behind the phrase may tell which. The reading that tells most so is taken,
 * where it is one. */
etna_code part_look_again(reader *r,
                          const sentence_vocabulary *vocabulary,
                          second_look *ret)
{
    chart_tree trees[CHART_TREES_MAX];
    uint32_t count = 0;
    sentence s = *r->s;
    reader own = *r;
    own.s = &s;
    *ret = (second_look){0};
    s.again = true;
    etna_code code = sentence_parse(&s, r->part, vocabulary, r->arena, trees,
                                    &count, r->err);
    for (uint32_t i = 0; i < count && code == ETNA_OK; i++)
        code = look_at(&own, &trees[i], ret);
    return code;
}
