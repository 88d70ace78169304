/* Trees read one by one, each by a copy of the reader, and which of them is
 * meant: the cheapest by grammar and scene, unless another that takes a misspelt
 * word for another is as good. */
#include "worker/builtin/read/account.h"
#include "worker/builtin/read/part_internal.h"

#include <stddef.h>

enum {
    COST_OF_ASIDE = 90,
    COST_OF_ASIDE_WITH_MORE = 150
};

static bool part_has_comma(const reader *r)
{
    bool has = false;
    for (uint32_t at = r->part->first; at < r->part->end && !has; at++)
        has =
            r->s->tokens[at].is_mark && strcmp(r->s->tokens[at].text, ",") == 0;
    return has;
}

/* Reads a tree as part of the sentence whose misspelt words the tree has
 * chosen. */
etna_code attempt_make(const reader *r, const chart_tree *tree, attempt *ret)
{
    sentence *chosen = etna_arena_alloc(r->arena, 1, sizeof *chosen);
    ret->r = *r;
    ret->r.cost = 0;
    ret->r.strained = false;
    ret->r.reading = &ret->reading;
    ret->reading = *r->reading;
    ret->root = tree->root;
    if (!chosen)
        return reader_no_memory(&ret->r);
    etna_code code =
        sentence_choose(r->s, r->part, tree->root, r->arena, chosen, r->err);
    if (code != ETNA_OK)
        return code;
    ret->r.s = chosen;
    code = tree_read(&ret->r, tree->root);
    if (code == ETNA_OK)
        code = account_check(&ret->r, tree->root);
    ret->cost =
        tree->cost + ret->r.cost + tree_cost_of_shape(&ret->r, tree->root);
    bool asks = ret->reading.count > r->reading->count ||
                !chart_find(tree->root, "ASIDE");
    if (!asks)
        /* "I want the cap in the box" is no talk about oneself */
        ret->cost += COST_OF_ASIDE;
    if (!asks && part_has_comma(r))
        /* "I am hungry, put the rolls on the table" is more than that */
        ret->cost += COST_OF_ASIDE_WITH_MORE;
    return code;
}

static bool sets_same(const builtin_set *a, const builtin_set *b)
{
    if (a->count != b->count || a->need != b->need)
        return false;
    return a->count == 0 ||
           memcmp(a->objects, b->objects, a->count * sizeof *a->objects) == 0;
}

#define MOVE_FIELD(field) \
    { \
        offsetof(builtin_move, field), \
            sizeof(((const builtin_move *)NULL)->field) \
    }

/* A member of builtin_move by which two readings are compared. */
typedef struct move_field {
    size_t offset, size;
} move_field;

static const move_field move_words[] = {
    MOVE_FIELD(relation),  MOVE_FIELD(reference),  MOVE_FIELD(second),
    MOVE_FIELD(support),   MOVE_FIELD(sides),      MOVE_FIELD(level),
    MOVE_FIELD(slot),      MOVE_FIELD(facing),     MOVE_FIELD(faced),
    MOVE_FIELD(order),     MOVE_FIELD(even),       MOVE_FIELD(align),
    MOVE_FIELD(row_count), MOVE_FIELD(also_count), MOVE_FIELD(abreast)};

static const move_field move_numbers[] = {MOVE_FIELD(gap), MOVE_FIELD(turn),
                                          MOVE_FIELD(spacing),
                                          MOVE_FIELD(shift), MOVE_FIELD(at)};

static const void *field_of(const builtin_move *m, const move_field *field)
{
    return (const char *)m + field->offset;
}

static bool move_words_same(const builtin_move *a, const builtin_move *b)
{
    for (size_t i = 0; i < COUNT_OF(move_words); i++) {
        const move_field *field = &move_words[i];
        if (memcmp(field_of(a, field), field_of(b, field), field->size) != 0)
            return false;
    }
    return true;
}

/* All numbers that the table lists. */
static bool move_numbers_same(const builtin_move *a, const builtin_move *b)
{
    for (size_t i = 0; i < COUNT_OF(move_numbers); i++) {
        const double *x = field_of(a, &move_numbers[i]);
        const double *y = field_of(b, &move_numbers[i]);
        for (size_t k = 0; k < move_numbers[i].size / sizeof *x; k++) {
            if (x[k] != y[k])
                return false;
        }
    }
    return true;
}

/* Of as many as each other. */
static bool move_lists_same(const builtin_move *a, const builtin_move *b)
{
    for (uint32_t i = 0; i < a->row_count; i++) {
        if (a->row[i] != b->row[i])
            return false;
    }
    for (uint32_t i = 0; i < a->also_count; i++) {
        const builtin_condition *x = &a->also[i];
        const builtin_condition *y = &b->also[i];
        if (x->relation != y->relation || x->reference != y->reference ||
            x->second != y->second)
            return false;
    }
    return sets_same(&a->objects, &b->objects) &&
           sets_same(&a->each, &b->each) && a->each_number == b->each_number;
}

/* Do two moves ask for the same, as far as words that may be misspelt decide
 * it? */
static bool moves_same(const builtin_move *a, const builtin_move *b)
{
    return move_words_same(a, b) && move_numbers_same(a, b) &&
           move_lists_same(a, b);
}

bool readings_same(const builtin_reading *a, const builtin_reading *b)
{
    if (a->count != b->count)
        return false;
    for (uint32_t i = 0; i < a->count; i++) {
        if (!moves_same(&a->moves[i], &b->moves[i]))
            return false;
    }
    return true;
}

/* The token that two attempts take for different words; NULL: none. */
static const sentence_token *attempts_differ(const attempt *a, const attempt *b)
{
    for (uint32_t i = a->r.part->first; i < a->r.part->end; i++) {
        const sentence_token *t = &a->r.s->tokens[i];
        if (t->variant_count && strcmp(t->text, b->r.s->tokens[i].text) != 0)
            return t;
    }
    return NULL;
}

/* Is there a better one with the same words? */
static bool attempt_is_beaten(attempt *const *attempts,
                              uint32_t count,
                              uint32_t at)
{
    for (uint32_t i = 0; i < count; i++) {
        bool before = attempts[i]->cost < attempts[at]->cost ||
                      (attempts[i]->cost == attempts[at]->cost && i < at);
        if (before && !attempts_differ(attempts[i], attempts[at]))
            return true;
    }
    return false;
}

/* The best attempt; one that takes a misspelt word for another and is as good,
 * but asks for something else, makes it a guess, which is refused. */
etna_code attempts_choose(reader *r,
                          attempt *const *attempts,
                          uint32_t count,
                          const attempt **ret)
{
    const attempt *best = attempts[0];
    for (uint32_t i = 1; i < count; i++) {
        if (attempts[i]->cost < best->cost)
            best = attempts[i];
    }
    *ret = best;
    for (uint32_t i = 0; i < count; i++) {
        const attempt *other = attempts[i];
        const sentence_token *t = other->cost <= best->cost + MARGIN_OF_MENDED
                                      ? attempts_differ(best, other)
                                      : NULL;
        if (!t || attempt_is_beaten(attempts, count, i) ||
            readings_same(&best->reading, &other->reading))
            continue;
        const char *one = t->text;
        const char *two = other->r.s->tokens[t - best->r.s->tokens].text;
        etna_code code = reader_refuse(r, CODE_AMBIGUOUS, NULL,
                                       "\"%s\" may be \"%s\" or \"%s\"",
                                       t->written, one, two);
        r->refusal.from = t->at;
        r->refusal.to = t->end;
        return code;
    }
    return ETNA_OK;
}

/* Is a tree of that cost too far from the best to be worth reading? */
bool attempts_are_enough(const attempt_list *list, uint32_t cost)
{
    uint32_t margin = list->misspelt ? MARGIN_OF_MENDED + 1 : 0;
    if (list->count > 0 && cost >= list->best_cost + margin)
        return true;
    return cost >= list->limit;
}

/* The cheapest trees come first, so the first refusal is the best one to tell,
 * unless another is certain. How far each reaches bounds what is still read. */
static void attempts_note_refusal(const reader *r,
                                  const attempt *a,
                                  uint32_t cost,
                                  attempt_list *list)
{
    const uint32_t reach = a->r.refusal.reach;
    const uint32_t limit =
        reach < UINT32_MAX - cost ? cost + reach : UINT32_MAX;
    const bool final = reach == 0;
    if (list->limit > limit)
        list->limit = limit;
    if (list->refused && !final)
        return;
    list->refused = true;
    list->first_root = a->root;
    list->refusal = a->r.refusal;
    list->why = *r->err;
}

/* What the phrase of exactly those bytes of the text is a part of; NULL: it is
 * not in the tree. */
static const chart_node *tree_holder_of(const reader *r,
                                        const chart_node *node,
                                        const uint32_t span[2])
{
    const chart_node *holder = NULL;
    for (uint32_t i = 0; i < node->child_count && !holder; i++) {
        const chart_node *child = node->children[i];
        uint32_t own[2];
        reader_span(r, child, own);
        if (own[0] == span[0] && own[1] == span[1])
            holder = node;
        else if (own[0] <= span[0] && own[1] >= span[1])
            holder = tree_holder_of(r, child, span);
    }
    return holder;
}

/* "Face the sofa to the TV", of two: the likeliest tree asks which. Another
 * that takes the same words for what moves answers that by a guess. */
static bool attempt_dodges(const attempt_list *list, const attempt *a)
{
    static const char *const movers[] = {"DO", "STATE"};
    const uint32_t span[2] = {list->refusal.from, list->refusal.to};
    if (!list->refused || strcmp(list->refusal.code, "ambiguous") != 0)
        return false;
    const chart_node *first = tree_holder_of(&a->r, list->first_root, span);
    const chart_node *own = tree_holder_of(&a->r, a->root, span);
    return first && own && node_is(first, "REL") &&
           WORD_IS_OF(own->name, movers);
}

/* One tree read by a copy of the reader. ETNA_E_INPUT is noted and goes on. */
etna_code attempts_add(reader *r, const chart_tree *tree, attempt_list *list)
{
    attempt *a = etna_arena_alloc(r->arena, 1, sizeof *a);
    if (!a)
        return reader_no_memory(r);
    etna_code code = attempt_make(r, tree, a);
    if (code == ETNA_OK && attempt_dodges(list, a))
        return ETNA_OK;
    if (code == ETNA_OK) {
        list->items[list->count++] = a;
        if (a->cost < list->best_cost)
            list->best_cost = a->cost;
        return ETNA_OK;
    }
    if (code == ETNA_E_INPUT)
        attempts_note_refusal(r, a, tree->cost, list);
    return code == ETNA_E_INPUT ? ETNA_OK : code;
}

/* The reader goes on where the attempt ended. */
void attempt_take(reader *r, const attempt *a)
{
    builtin_reading *reading = r->reading;
    uint32_t cost = r->cost + a->cost;
    *reading = a->reading;
    *r = a->r;
    r->reading = reading;
    r->cost = cost;
    *r->err = (etna_error){0};
    account_tree(r, a->root);
}
