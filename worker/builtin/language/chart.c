/* See chart.h. A cell holds, for each symbol, the few cheapest
 * edges; an edge points to the edges that it is made of, which never change.
 * Cells are filled by their ends, from left to right, so that all that stands
 * before a token is known when anything is made that begins there: only symbols
 * are made that could continue it. Of a long sentence that leaves out nine
 * edges in ten. */
#include "worker/builtin/language/chart_internal.h"

#include <assert.h>
#include <string.h>

enum {
    BEST = 6,
    BEST_OF_VARIANTS = 10,
    BEST_AGAIN = 16,
    UNARY_DEPTH = 10,
    CELL_SIZE = 8
};

uint32_t chart_hash(const char *text, size_t size)
{
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ (unsigned char)text[i]) * 16777619u;
    return hash;
}

uint16_t chart_symbol(const chart_grammar *g, const char *text, size_t size)
{
    for (uint32_t at = chart_hash(text, size) % CHART_TABLE_SIZE; g->table[at];
         at = (at + 1) % CHART_TABLE_SIZE) {
        const char *own = g->symbols[g->table[at]];
        if (strncmp(own, text, size) == 0 && own[size] == 0)
            return g->table[at];
    }
    return 0;
}

typedef struct edge {
    uint32_t cost;
    int32_t production;              /* -1: a terminal */
    const struct edge *left, *right; /* right: NULL for one symbol */
    const chart_terminal *terminal;
    uint64_t said, shift; /* what it says, as a row of nodes (row_*) */
    uint8_t depth;        /* of productions with one symbol */
    uint16_t first, end;
} edge;

typedef struct entry { /* a symbol's edges in a cell, cheapest first */
    uint16_t symbol, count;
    const edge **edges; /* room for as many as the chart keeps */
} entry;

typedef struct cell {
    uint32_t count, capacity; /* capacity: 0 or a power of two */
    entry *entries;
    /* open addressing, twice the capacity: an entry and one; 0 is free */
    uint16_t *slots;
    uint64_t *has; /* a bit for every symbol: most are asked for in vain */
} cell;

typedef struct chart {
    const chart_grammar *grammar;
    etna_arena *arena;
    uint32_t token_count, best; /* edges of a symbol that a cell keeps */
    cell *cells;
    uint32_t words;   /* of a set of symbols, a bit each */
    uint64_t *wanted; /* a set a token: what may begin there */
    bool no_memory;
} chart;

static cell *cell_at(const chart *c, uint32_t first, uint32_t end)
{
    return &c->cells[(size_t)first * (c->token_count + 1) + end];
}

static bool set_has(const uint64_t *set, uint16_t symbol)
{
    return (set[symbol / 64] >> symbol % 64 & 1) != 0;
}

static void set_add(uint64_t *set, uint16_t symbol)
{
    set[symbol / 64] |= UINT64_C(1) << symbol % 64;
}

static uint64_t *wanted_at(const chart *c, uint32_t token)
{
    return &c->wanted[(size_t)token * c->words];
}

/* Where the symbol's entry stands, or the free slot where it would. */
static uint16_t *slot_of(const cell *own, uint16_t symbol)
{
    uint32_t mask = 2 * own->capacity - 1;
    uint32_t at = symbol * 2654435761u >> 16 & mask;
    while (own->slots[at] && own->entries[own->slots[at] - 1].symbol != symbol)
        at = (at + 1) & mask;
    return &own->slots[at];
}

/* The bit is asked first: of all symbols that are looked for in a cell most are
 * not there. */
static const entry *entry_find(const cell *own, uint16_t symbol)
{
    bool has = own->has && set_has(own->has, symbol);
    return has ? &own->entries[*slot_of(own, symbol) - 1] : NULL;
}

/* Slots are twice the entries, so a search in them ends soon. Cells that stay
 * empty cost nothing. */
static bool cell_grow(chart *c, cell *own)
{
    uint32_t capacity = own->capacity ? 2 * own->capacity : CELL_SIZE;
    entry *entries = etna_arena_alloc(c->arena, capacity, sizeof *entries);
    uint16_t *slots = etna_arena_alloc(c->arena, 2 * capacity, sizeof *slots);
    if (!own->has)
        own->has = etna_arena_alloc(c->arena, c->words, sizeof *own->has);
    if (!entries || !slots || !own->has)
        return false;
    memset(slots, 0, 2 * capacity * sizeof *slots);
    if (own->count)
        memcpy(entries, own->entries, own->count * sizeof *entries);
    own->entries = entries;
    own->slots = slots;
    own->capacity = capacity;
    for (uint32_t i = 0; i < own->count; i++)
        *slot_of(own, entries[i].symbol) = (uint16_t)(i + 1);
    return true;
}

/* The symbol's entry, made when missing; NULL: out of memory (c->no_memory).
 * Entries move when a cell grows, so the pointer holds only until the next one
 * is made. */
static entry *entry_of(chart *c, cell *own, uint16_t symbol)
{
    uint16_t known = own->capacity ? *slot_of(own, symbol) : 0;
    if (known)
        return &own->entries[known - 1];
    const edge **edges = etna_arena_alloc(c->arena, c->best, sizeof *edges);
    if (!edges || (own->count == own->capacity && !cell_grow(c, own))) {
        c->no_memory = true;
        return NULL;
    }
    entry *e = &own->entries[own->count++];
    *slot_of(own, symbol) = (uint16_t)own->count;
    set_add(own->has, symbol);
    *e = (entry){.symbol = symbol, .edges = edges};
    return e;
}

/* ---- what an edge says: a hash of the nodes that it gives the node above. A
 * production without a name gives its children; a comma gives nothing, so that
 * it is all one which phrase of two it belongs to ---- */

#define ROW_STEP UINT64_C(1099511628211)

static uint64_t row_mix(uint64_t hash, uint64_t more)
{
    return (hash ^ more) * UINT64_C(0x9E3779B97F4A7C15) ^ hash >> 29;
}

static void row_of_terminal(edge *e)
{
    const chart_terminal *t = e->terminal;
    const bool comma = strcmp(t->category, "','") == 0;
    uint64_t hash = chart_hash(t->category, strlen(t->category));
    hash = row_mix(hash, (uint64_t)t->value << 32 | t->variant);
    hash = row_mix(hash, (uint64_t)t->first << 32 | t->end);
    e->said = comma ? 0 : hash;
    e->shift = comma ? 1 : ROW_STEP;
}

static void row_of(const chart *c, edge *e)
{
    const char *const name = c->grammar->productions[e->production].name;
    const edge *const right = e->right;
    e->said =
        right ? e->left->said * right->shift + right->said : e->left->said;
    e->shift = right ? e->left->shift * right->shift : e->left->shift;
    if (!name)
        return;
    e->said = row_mix(chart_hash(name, strlen(name)), e->said);
    e->shift = ROW_STEP;
}

static void edge_add(chart *c, cell *own, uint16_t symbol, edge *proposed);

/* What the edge is by productions with one symbol. */
static void edge_close(chart *c, cell *own, uint16_t symbol, const edge *below)
{
    if (below->depth >= UNARY_DEPTH)
        return;
    for (int32_t i = c->grammar->unary[symbol]; i >= 0;
         i = c->grammar->productions[i].next) {
        const chart_production *p = &c->grammar->productions[i];
        edge above = {.cost = below->cost + p->cost,
                      .production = i,
                      .left = below,
                      .depth = (uint8_t)(below->depth + 1),
                      .first = below->first,
                      .end = below->end};
        edge_add(c, own, p->left, &above);
    }
}

/* Does one that costs no more say the same? */
static bool entry_says(const entry *e, const edge *proposed)
{
    for (uint32_t i = 0; i < e->count; i++) {
        if (e->edges[i]->cost > proposed->cost)
            return false;
        if (e->edges[i]->said == proposed->said)
            return true;
    }
    return false;
}

/* Drops what says the same at a higher cost. */
static void entry_drop(entry *e, const edge *kept)
{
    uint16_t count = 0;
    for (uint32_t i = 0; i < e->count; i++) {
        const edge *const one = e->edges[i];
        if (one->said != kept->said || one->cost <= kept->cost)
            e->edges[count++] = one;
    }
    e->count = count;
}

/* Keeps the cheapest `best` edges of a symbol, in order of cost; of equal ones
 * the first stays first, so that readings come out in one order everywhere. What
 * says the same as a cheaper one is none. A new edge is closed at once under
 * productions of one symbol. */
static void edge_add(chart *c, cell *own, uint16_t symbol, edge *proposed)
{
    if (!set_has(wanted_at(c, proposed->first), symbol))
        return;
    const entry *known = entry_find(own, symbol);
    if (known && known->count == c->best &&
        known->edges[c->best - 1]->cost <= proposed->cost)
        return;
    if (proposed->production < 0)
        row_of_terminal(proposed);
    else
        row_of(c, proposed);
    if (known && entry_says(known, proposed))
        return;
    entry *e = entry_of(c, own, symbol);
    if (!e ||
        (e->count == c->best && e->edges[c->best - 1]->cost <= proposed->cost))
        return;
    const edge *kept = etna_arena_memdup(c->arena, proposed, sizeof *proposed);
    if (!kept) {
        c->no_memory = true;
        return;
    }
    entry_drop(e, kept);
    uint32_t at = e->count < c->best ? e->count++ : c->best - 1;
    for (; at > 0 && e->edges[at - 1]->cost > kept->cost; at--)
        e->edges[at] = e->edges[at - 1];
    e->edges[at] = kept;
    edge_close(c, own, symbol, kept);
}

/* What an edge must cost less than to be kept. */
static uint32_t cell_worst(const chart *c, const cell *own, uint16_t symbol)
{
    const entry *e = entry_find(own, symbol);
    return e && e->count == c->best ? e->edges[c->best - 1]->cost : UINT32_MAX;
}

/* The cheapest pairs of two entries' edges. */
static void pair_add(
    chart *c, cell *own, int32_t index, const entry *left, const entry *right)
{
    const chart_production *p = &c->grammar->productions[index];
    const uint32_t worst = cell_worst(c, own, p->left);
    for (uint32_t x = 0; x < left->count; x++) {
        for (uint32_t y = 0; y < right->count && (x + 1) * (y + 1) <= c->best;
             y++) {
            const uint32_t cost =
                left->edges[x]->cost + right->edges[y]->cost + p->cost;
            if (cost >= worst)
                break; /* those behind it cost no less */
            edge both = {.cost = cost,
                         .production = index,
                         .left = left->edges[x],
                         .right = right->edges[y],
                         .first = left->edges[x]->first,
                         .end = right->edges[y]->end};
            edge_add(c, own, p->left, &both);
        }
    }
}

/* The symbol, and all that it may begin with. */
static void wanted_add(const chart *c, uint64_t *set, uint16_t symbol)
{
    const chart_grammar *g = c->grammar;
    uint16_t open[CHART_SYMBOLS_MAX]; /* each symbol comes in once */
    uint32_t count = 0;
    if (set_has(set, symbol))
        return;
    set_add(set, symbol);
    open[count++] = symbol;
    while (count > 0) {
        const uint16_t left = open[--count];
        for (uint32_t i = g->begin[left]; i < g->begin[left + 1]; i++) {
            const uint16_t first = g->firsts[i];
            if (set_has(set, first))
                continue;
            set_add(set, first);
            open[count++] = first;
        }
    }
}

/* What may begin at a token: what a wanted production goes on with whose first
 * symbol ends there. */
static void wanted_find(const chart *c, uint32_t at)
{
    uint64_t *set = wanted_at(c, at);
    if (at == 0)
        wanted_add(c, set, c->grammar->start);
    for (uint32_t first = 0; first < at; first++) {
        const cell *own = cell_at(c, first, at);
        const uint64_t *before = wanted_at(c, first);
        for (uint32_t k = 0; k < own->count; k++) {
            for (int32_t i = c->grammar->binary[own->entries[k].symbol]; i >= 0;
                 i = c->grammar->productions[i].next) {
                const chart_production *p = &c->grammar->productions[i];
                if (set_has(before, p->left))
                    wanted_add(c, set, p->second);
            }
        }
    }
}

/* All pairs of neighbouring cells whose symbols some production joins. The
 * tests of bits come before the searches: nearly all pairs fail there. */
static void cell_fill(chart *c, uint32_t first, uint32_t end)
{
    cell *own = cell_at(c, first, end);
    const uint64_t *wanted = wanted_at(c, first);
    for (uint32_t split = first + 1; split < end; split++) {
        const cell *left = cell_at(c, first, split);
        const cell *right = cell_at(c, split, end);
        if (right->count == 0)
            continue;
        for (uint32_t k = 0; k < left->count; k++) {
            uint16_t symbol = left->entries[k].symbol;
            for (int32_t i = c->grammar->binary[symbol]; i >= 0;
                 i = c->grammar->productions[i].next) {
                const chart_production *p = &c->grammar->productions[i];
                if (!set_has(right->has, p->second) ||
                    !set_has(wanted, p->left))
                    continue;
                const entry *second = entry_find(right, p->second);
                if (second)
                    pair_add(c, own, i, &left->entries[k], second);
            }
        }
    }
}

/* ---- trees ---- */

/* NULL: its children belong to the node above. */
static const char *edge_name(const chart *c, const edge *e)
{
    return e->production < 0 ? e->terminal->category
                             : c->grammar->productions[e->production].name;
}

/* How many children the edge gives to the node above. */
static uint32_t children_count(const chart *c, const edge *e)
{
    if (edge_name(c, e))
        return 1;
    return children_count(c, e->left) +
           (e->right ? children_count(c, e->right) : 0);
}

static const chart_node *node_make(chart *c, const edge *e, const char *name);

/* Writes the children from *at on. */
static bool children_make(chart *c, const edge *e, const chart_node ***at)
{
    const char *name = edge_name(c, e);
    if (!name)
        return children_make(c, e->left, at) &&
               (!e->right || children_make(c, e->right, at));
    const chart_node *node = node_make(c, e, name);
    *(*at)++ = node;
    return node != NULL;
}

/* NULL: out of memory. */
static const chart_node *node_make(chart *c, const edge *e, const char *name)
{
    chart_node *node = etna_arena_alloc(c->arena, 1, sizeof *node);
    if (!node)
        return NULL;
    *node = (chart_node){.name = name, .first = e->first, .end = e->end};
    if (e->production < 0) {
        node->is_terminal = true;
        node->value = e->terminal->value;
        node->variant = e->terminal->variant;
        return node;
    }
    uint32_t count = children_count(c, e->left) +
                     (e->right ? children_count(c, e->right) : 0);
    const chart_node **children =
        etna_arena_alloc(c->arena, count, sizeof *children);
    const chart_node **at = children;
    if (!children || !children_make(c, e->left, &at) ||
        (e->right && !children_make(c, e->right, &at)))
        return NULL;
    node->children = children;
    node->child_count = count;
    return node;
}

static bool chart_open(chart *c)
{
    size_t side = c->token_count + 1u;
    c->words = c->grammar->symbol_count / 64 + 1u;
    c->cells = etna_arena_alloc(c->arena, side * side, sizeof *c->cells);
    c->wanted = etna_arena_alloc(c->arena, (size_t)c->token_count * c->words,
                                 sizeof *c->wanted);
    return c->cells && c->wanted;
}

/* A category that the grammar does not use is passed over: the lexicon also
 * serves other readers. */
static void terminals_add(chart *c,
                          const chart_terminal *terminals,
                          uint32_t count,
                          uint32_t first,
                          uint32_t end)
{
    for (uint32_t i = 0; i < count; i++) {
        const chart_terminal *t = &terminals[i];
        if (t->first != first || t->end != end)
            continue;
        uint16_t symbol =
            chart_symbol(c->grammar, t->category, strlen(t->category));
        edge leaf = {.cost = t->cost,
                     .production = -1,
                     .terminal = t,
                     .first = (uint16_t)first,
                     .end = (uint16_t)end};
        if (symbol)
            edge_add(c, cell_at(c, first, end), symbol, &leaf);
    }
}

/* The readings of all tokens, cheapest first; how many. */
static uint32_t chart_trees(chart *c, chart_tree ret[CHART_TREES_MAX])
{
    const entry *roots =
        entry_find(cell_at(c, 0, c->token_count), c->grammar->start);
    uint32_t count = roots ? roots->count : 0;
    for (uint32_t i = 0; i < count; i++) {
        const chart_node *root = node_make(c, roots->edges[i], "text");
        if (!root)
            c->no_memory = true;
        ret[i] = (chart_tree){.root = root, .cost = roots->edges[i]->cost};
    }
    return count;
}

/* Ends from left to right, and for each end its beginnings from right to left,
 * so that both parts of any edge are complete before it is made. */
etna_code chart_parse(const chart_grammar *grammar,
                      uint32_t token_count,
                      const chart_terminal *terminals,
                      uint32_t terminal_count,
                      etna_arena *arena,
                      chart_tree ret[CHART_TREES_MAX],
                      uint32_t *ret_count,
                      etna_error *err)
{
    assert(grammar->start != 0);
    chart c = {.grammar = grammar,
               .arena = arena,
               .token_count = token_count,
               .best = grammar->again ? BEST_AGAIN : BEST};
    *ret_count = 0;
    if (token_count > CHART_TOKENS_MAX)
        return etna_fail(err, ETNA_E_INPUT,
                         "a sentence has %u words; at most %d are read",
                         token_count, CHART_TOKENS_MAX);
    if (token_count == 0)
        return ETNA_OK;
    for (uint32_t i = 0; i < terminal_count; i++) {
        if (terminals[i].variant && !grammar->again)
            c.best = BEST_OF_VARIANTS;
    }
    if (!chart_open(&c))
        return etna_fail(err, ETNA_E_NOMEM, "no memory for a chart");
    for (uint32_t end = 1; end <= token_count && !c.no_memory; end++) {
        wanted_find(&c, end - 1);
        for (uint32_t first = end; first-- > 0;) {
            terminals_add(&c, terminals, terminal_count, first, end);
            cell_fill(&c, first, end);
        }
    }
    uint32_t count = c.no_memory ? 0 : chart_trees(&c, ret);
    if (c.no_memory)
        return etna_fail(err, ETNA_E_NOMEM, "no memory for a chart");
    *ret_count = count;
    return ETNA_OK;
}

/* The first child of that name; NULL: none. */
const chart_node *chart_child(const chart_node *node, const char *name)
{
    for (uint32_t i = 0; node && i < node->child_count; i++) {
        if (strcmp(node->children[i]->name, name) == 0)
            return node->children[i];
    }
    return NULL;
}

/* The first node of that name, depth first, the node itself included. */
const chart_node *chart_find(const chart_node *node, const char *name)
{
    if (!node || strcmp(node->name, name) == 0)
        return node;
    for (uint32_t i = 0; i < node->child_count; i++) {
        const chart_node *found = chart_find(node->children[i], name);
        if (found)
            return found;
    }
    return NULL;
}
