/* One part of a text -> moves. Its trees are read for the scene, cheapest
 * first, and the one whose cost by grammar and by scene together is least is
 * what was meant. What none can mean is refused with the reason of the
 * likeliest. */
#include "worker/builtin/read/account.h"
#include "worker/builtin/read/leave.h"
#include "worker/builtin/read/part_internal.h"
#include "worker/builtin/read/passed.h"

enum {
    TREES_READ = 12,
    TREES_READ_OF_MISSPELT = 16
};

static uint32_t tree_count_clauses(const chart_node *node)
{
    uint32_t count = node_is(node, "CLAUSE");
    for (uint32_t i = 0; i < node->child_count; i++)
        count += tree_count_clauses(node->children[i]);
    return count;
}

/* "I want to mop the floor. Put the stools on the table": what the speaker will
 * do, and no more than that, before what is asked. */
static bool part_tells_why(const reader *r, const chart_node *root)
{
    const char *const first = reader_word(r, root->first);
    bool is_speaker = lexicon_lists("part: speaker", first);
    bool is_last = r->part == &r->s->parts[r->s->part_count - 1];
    return is_speaker && !is_last && tree_count_clauses(root) == 1;
}

static bool part_is_misspelt(const reader *r)
{
    for (uint32_t i = r->part->first; i < r->part->end; i++) {
        if (r->s->tokens[i].variant_count)
            return true;
    }
    return false;
}

static bool token_parts(const sentence_token *t)
{
    return !t->quoted && (t->is_mark || lexicon_lists("part: joint", t->text));
}

/* Of a part that has no tree: the first stretch between marks and joints that
 * has none by itself either; else all of it. */
static etna_code part_find_unread(reader *r,
                                  const sentence_vocabulary *vocabulary,
                                  sentence_part *ret)
{
    *ret = *r->part;
    for (uint32_t first = r->part->first; first < r->part->end;) {
        chart_tree trees[CHART_TREES_MAX];
        uint32_t end = first, count = 0;
        while (end < r->part->end && !token_parts(&r->s->tokens[end]))
            end++;
        const sentence_part stretch = {.first = first, .end = end};
        first = end + 1;
        if (stretch.end == stretch.first)
            continue;
        etna_code code = sentence_parse(r->s, &stretch, vocabulary, r->arena,
                                        trees, &count, r->err);
        if (code != ETNA_OK)
            return code;
        if (count > 0)
            continue;
        *ret = stretch;
        return ETNA_OK;
    }
    return ETNA_OK;
}

/* No tree at all: the shortest part that cannot be read is quoted. */
static etna_code part_refuse(reader *r, const sentence_vocabulary *vocabulary)
{
    const uint32_t longest = 160; /* bytes */
    sentence_part unread;
    etna_code found = part_find_unread(r, vocabulary, &unread);
    if (found != ETNA_OK)
        return found;
    const sentence_token *from = &r->s->tokens[unread.first];
    const sentence_token *to = &r->s->tokens[unread.end - 1];
    r->clause[0] = from->at;
    r->clause[1] = to->end;
    r->is_wish = leave_is_wish(r->s, &unread);
    uint32_t size = to->end - from->at;
    etna_code code = reader_refuse(
        r, CODE_UNREAD, NULL, "\"%.*s\" is not understood",
        (int)(size < longest ? size : longest), r->text + from->at);
    r->refusal.from = from->at;
    r->refusal.to = to->end;
    return code;
}

static etna_code part_impossible(reader *r, const chart_node *node)
{
    if (r->s->tokens[r->part->first + node->first].variant_count)
        return ETNA_OK; /* it may be another verb */
    r->is_wish = node_is(node, "DO");
    if (r->is_wish)
        reader_span(r, node, r->clause);
    return reader_refuse_said(
        r, CODE_IMPOSSIBLE, node,
        "things can be moved, turned and hung, and nothing else");
}

/* "Water cooler to the left", "Paint cans in a row", and no "water the plants": what may be an order
 * begins the name of a thing. */
static bool part_begins_name(const reader *r, const chart_node *order)
{
    const uint32_t at = order->first;
    for (uint32_t i = 0; order->end - at > 1 && i < r->facts->object_count;
         i++) {
        const builtin_object *const o = object_at(r, i);
        for (uint32_t k = 0; k + 1 < o->word_count; k++) {
            if (builtin_same_word(o->words[k], reader_word(r, at)) &&
                builtin_same_word(o->words[k + 1], reader_word(r, at + 1)))
                return true;
        }
    }
    return false;
}

static bool refusal_is_of_phrase(const builtin_refusal *refusal)
{
    return strcmp(refusal->code, "ambiguous") == 0 ||
           strcmp(refusal->code, "unknown") == 0;
}

/* What asks for a place that is none: a second look may find one. */
static etna_code part_look_past(reader *r,
                                const sentence_vocabulary *vocabulary,
                                const attempt **best)
{
    second_look look;
    etna_code code = part_look_again(r, vocabulary, &look);
    if (code == ETNA_OK && look.best && !look.best->r.strained)
        *best = look.best;
    return code;
}

/* Nothing that the part may say can be meant here. */
static etna_code part_give_up(reader *r,
                              const sentence_vocabulary *vocabulary,
                              const attempt_list *list)
{
    second_look look = {0};
    if (refusal_is_of_phrase(&list->refusal) && list->refusal.reach > 0) {
        etna_code code = part_look_again(r, vocabulary, &look);
        if (code != ETNA_OK)
            return code;
    }
    if (!look.doubtful && look_answers(&look, &list->refusal)) {
        attempt_take(r, look.best);
        return ETNA_OK;
    }
    r->refusal = list->refusal;
    *r->err = list->why;
    return ETNA_E_INPUT;
}

/* "The shelf is missing | it": of what is passed over in pieces all is looked at
 * together. */
static etna_code part_take(reader *r, const attempt *best)
{
    const uint32_t count = r->reading->count;
    const uint32_t remark_count = r->reading->remark_count;
    attempt_take(r, best);
    /* "if the cup is here, put it there": it is understood, and nothing is
     * asked */
    if (r->memory.conditional_end == r->part->end)
        return ETNA_OK;
    if (r->reading->count > count ||
        r->reading->remark_count < remark_count + 2)
        return ETNA_OK;
    return passed_check(r, r->part);
}

/* Tries the trees in the order of cost, until enough can be read. */
static etna_code part_try_trees(reader *r,
                                const chart_tree *trees,
                                uint32_t count,
                                attempt_list *list)
{
    const uint32_t most = list->misspelt ? TREES_READ_OF_MISSPELT : TREES_READ;
    uint32_t read = 0;
    for (uint32_t i = 0; i < count && read < most; i++) {
        if (!tree_may_be_meant(r, trees[i].root))
            continue;
        if (attempts_are_enough(list, trees[i].cost))
            break;
        etna_code code = attempts_add(r, &trees[i], list);
        if (code != ETNA_OK)
            return code;
        read++;
    }
    return ETNA_OK;
}

/* Of those that were read; attempts_choose decides. */
static etna_code part_choose(reader *r,
                             const sentence_vocabulary *vocabulary,
                             attempt_list *list)
{
    const attempt *best = NULL;
    etna_code code = attempts_choose(r, list->items, list->count, &best);
    if (code == ETNA_OK && best->r.strained)
        code = part_look_past(r, vocabulary, &best);
    return code == ETNA_OK ? part_take(r, best) : code;
}

/* r becomes the reader of the chosen tree. */
etna_code part_read(reader *r, const sentence_vocabulary *vocabulary)
{
    chart_tree trees[CHART_TREES_MAX];
    uint32_t count = 0;
    etna_code code = sentence_parse(r->s, r->part, vocabulary, r->arena, trees,
                                    &count, r->err);
    if (code == ETNA_E_INPUT)
        return reader_refuse(r, CODE_UNREAD, NULL, "%s", r->err->text);
    if (code != ETNA_OK)
        return code;
    const chart_node *impossible =
        count ? tree_impossible(r, trees[0].root) : NULL;
    if (impossible && part_tells_why(r, trees[0].root)) {
        account_talk(r, r->part);
        return ETNA_OK;
    }
    if (impossible && !part_begins_name(r, impossible))
        code = part_impossible(r, impossible);
    attempt_list list = {.misspelt = part_is_misspelt(r),
                         .best_cost = UINT32_MAX,
                         .limit = UINT32_MAX};
    if (code == ETNA_OK)
        code = part_try_trees(r, trees, count, &list);
    if (code != ETNA_OK)
        return code;
    if (list.count > 0)
        return part_choose(r, vocabulary, &list);
    return list.refused ? part_give_up(r, vocabulary, &list)
                        : part_refuse(r, vocabulary);
}
