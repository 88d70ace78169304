/* See chart.h. Productions longer than two symbols become chains of two; chains
 * share their beginnings. A cell holds, for each symbol, the few cheapest
 * edges; an edge points to the edges that it is made of, which never change.
 * Cells are filled by their ends, from left to right, so that all that stands
 * before a token is known when anything is made that begins there: only symbols
 * are made that could continue it. Of a long sentence that leaves out nine
 * edges in ten. */
#include "worker/builtin/language/chart.h"

#include "proto/ascii.h"

#include <assert.h>
#include <string.h>

enum {
    BEST = 6,
    BEST_OF_VARIANTS = 10,
    BEST_AGAIN = 16,
    RIGHT_MAX = 8,
    UNARY_DEPTH = 10,
    TABLE_SIZE = 4 * CHART_SYMBOLS_MAX, /* so that a search in it ends soon */
    CELL_SIZE = 8
};

typedef struct production {
    uint16_t left, first, second; /* second: 0 for one symbol */
    uint16_t cost;
    const char *name; /* NULL: its children belong to the node above */
    int32_t next;     /* of the same first symbol; -1: the last */
    int32_t beside;   /* of the same left symbol; -1: the last */
} production;

struct chart_grammar {
    uint32_t symbol_count, production_count;
    const char *symbols[CHART_SYMBOLS_MAX];
    uint16_t table[TABLE_SIZE]; /* open addressing: symbol number, 0 is free */
    /* by the first symbol */
    int32_t unary[CHART_SYMBOLS_MAX], binary[CHART_SYMBOLS_MAX];
    /* by the left symbol: what it may begin with, each once, from begin[left] to
     * begin[left + 1] */
    uint32_t begin[CHART_SYMBOLS_MAX + 1];
    uint16_t *firsts;
    int32_t made[CHART_SYMBOLS_MAX];
    production *productions;
    uint32_t capacity;
    uint16_t start;
    bool again; /* a second look */
    bool no_memory;
};

/* ---- compiling ---- */

static uint32_t symbol_hash(const char *text, size_t size)
{
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ (unsigned char)text[i]) * 16777619u;
    return hash;
}

/* 0: it is none. */
static uint16_t symbol_find(const chart_grammar *g,
                            const char *text,
                            size_t size)
{
    for (uint32_t at = symbol_hash(text, size) % TABLE_SIZE; g->table[at];
         at = (at + 1) % TABLE_SIZE) {
        const char *own = g->symbols[g->table[at]];
        if (strncmp(own, text, size) == 0 && own[size] == 0)
            return g->table[at];
    }
    return 0;
}

/* 0: out of memory or too many. */
static uint16_t symbol_intern(chart_grammar *g,
                              const char *text,
                              size_t size,
                              etna_arena *arena)
{
    uint16_t known = symbol_find(g, text, size);
    if (known)
        return known;
    if (g->symbol_count + 1 >= CHART_SYMBOLS_MAX)
        return 0;
    char *copy = etna_arena_strndup(arena, text, size);
    g->no_memory = !copy;
    if (!copy)
        return 0;
    uint16_t number = (uint16_t)++g->symbol_count;
    g->symbols[number] = copy;
    g->unary[number] = g->binary[number] = g->made[number] = -1;
    uint32_t at = symbol_hash(text, size) % TABLE_SIZE;
    while (g->table[at])
        at = (at + 1) % TABLE_SIZE;
    g->table[at] = number;
    return number;
}

/* Productions are chained by number, not by pointer: the array moves when it
 * grows. */
static bool production_add(chart_grammar *g, production p, etna_arena *arena)
{
    if (g->production_count == g->capacity) {
        uint32_t capacity = g->capacity ? 2 * g->capacity : 1024;
        production *grown = etna_arena_alloc(arena, capacity, sizeof *grown);
        g->no_memory = !grown;
        if (!grown)
            return false;
        if (g->capacity)
            memcpy(grown, g->productions, g->production_count * sizeof *grown);
        g->productions = grown;
        g->capacity = capacity;
    }
    int32_t *head = p.second ? &g->binary[p.first] : &g->unary[p.first];
    p.next = *head;
    *head = (int32_t)g->production_count;
    p.beside = g->made[p.left];
    g->made[p.left] = (int32_t)g->production_count;
    g->productions[g->production_count++] = p;
    return true;
}

/* The symbol that stands for two others in a chain. */
static uint16_t symbol_chain(chart_grammar *g,
                             uint16_t first,
                             uint16_t second,
                             etna_arena *arena,
                             bool *ret_new)
{
    enum {
        BITS = 6,
        LOW = (1 << BITS) - 1,
        LETTER = 64
    }; /* two letters hold any symbol's number */
    const char name[] = {
        '+', (char)(LETTER + (first >> BITS)), (char)(LETTER + (first & LOW)),
        (char)(LETTER + (second >> BITS)), (char)(LETTER + (second & LOW))};
    *ret_new = symbol_find(g, name, sizeof name) == 0;
    return symbol_intern(g, name, sizeof name, arena);
}

/* A right side of more than two symbols as a chain of pairs: "NP -> a b c"
 * becomes "ab -> a b" and "NP -> ab c". A chain that another production has
 * begun already is used again. */
static bool production_chain(chart_grammar *g,
                             production p,
                             const uint16_t *right,
                             uint32_t count,
                             etna_arena *arena)
{
    uint16_t first = right[0];
    for (uint32_t i = 1; i + 1 < count; i++) {
        bool is_new = false;
        uint16_t chain = symbol_chain(g, first, right[i], arena, &is_new);
        if (!chain)
            return false;
        const production link = {
            .left = chain, .first = first, .second = right[i]};
        if (is_new && !production_add(g, link, arena))
            return false;
        first = chain;
    }
    p.first = first;
    p.second = count > 1 ? right[count - 1] : 0;
    return production_add(g, p, arena);
}

typedef struct right_side {
    uint32_t count;
    uint16_t symbols[RIGHT_MAX];
    bool optional[RIGHT_MAX];
} right_side;

/* Every choice of the optional symbols: a bit for each that is left out. */
static bool right_side_add(chart_grammar *g,
                           const production *p,
                           const right_side *r,
                           etna_arena *arena)
{
    uint32_t optional = 0;
    for (uint32_t i = 0; i < r->count; i++)
        optional |= (uint32_t)r->optional[i] << i;
    uint32_t choice = 0;
    do {
        uint16_t right[RIGHT_MAX];
        uint32_t count = 0;
        for (uint32_t i = 0; i < r->count; i++) {
            if (!(choice >> i & 1))
                right[count++] = r->symbols[i];
        }
        if (count > 0 && !production_chain(g, *p, right, count, arena))
            return false;
        choice = (choice - optional) & optional; /* the next one of its bits */
    } while (choice != 0);
    return true;
}

static const char *text_skip(const char *at)
{
    while (*at == ' ' || *at == '\t')
        at++;
    return at;
}

static bool text_at_end(const char *at)
{
    return *at == 0 || *at == '\n' || *at == '#';
}

static size_t word_size(const char *at)
{
    size_t size = 0;
    while (!text_at_end(at + size) && at[size] != ' ' && at[size] != '\t')
        size++;
    return size;
}

/* Digits only; none is a cost of 0. */
static const char *cost_compile(const char *at, uint16_t *ret)
{
    for (; ascii_is_digit(*at); at++)
        *ret = (uint16_t)(*ret * 10 + (*at - '0'));
    return at;
}

/* "left/NAME cost =", up to what follows; NULL: it is none. */
static const char *left_compile(chart_grammar *g,
                                const char *at,
                                etna_arena *arena,
                                production *ret)
{
    size_t size = word_size(at);
    const char *slash = memchr(at, '/', size);
    size_t left = slash ? (size_t)(slash - at) : size;
    ret->left = symbol_intern(g, at, left, arena);
    if (!ret->left)
        return NULL;
    if (!g->start)
        g->start = ret->left;
    if (slash) {
        ret->name = etna_arena_strndup(arena, slash + 1, size - left - 1);
        g->no_memory = !ret->name;
        if (!ret->name)
            return NULL;
    }
    at = text_skip(at + size);
    at = cost_compile(at, &ret->cost);
    if (*at == '~') {
        uint16_t again = 0;
        at = cost_compile(at + 1, &again);
        if (g->again)
            ret->cost = again;
    }
    at = text_skip(at);
    return *at == '=' ? at + 1 : NULL;
}

/* One symbol of a right side, which may be missing where a "?" follows; NULL:
 * there is no room. */
static const char *symbol_compile(chart_grammar *g,
                                  const char *at,
                                  etna_arena *arena,
                                  right_side *r)
{
    size_t size = word_size(at);
    if (r->count == RIGHT_MAX)
        return NULL;
    bool optional = size > 1 && at[size - 1] == '?';
    uint16_t symbol = symbol_intern(g, at, size - optional, arena);
    r->optional[r->count] = optional;
    r->symbols[r->count++] = symbol;
    return symbol ? at + size : NULL;
}

/* Reads one line, to its end or what follows there; NULL: it is none. */
static const char *line_compile(chart_grammar *g,
                                const char *at,
                                etna_arena *arena)
{
    production p = {0};
    right_side r = {0};
    at = left_compile(g, at, arena, &p);
    while (at) {
        at = text_skip(at);
        bool last = text_at_end(at);
        if (!last && *at != '|') {
            at = symbol_compile(g, at, arena, &r);
            continue;
        }
        if (r.count == 0 || !right_side_add(g, &p, &r, arena))
            return NULL;
        if (last)
            return at;
        r.count = 0;
        at++;
    }
    return NULL;
}

/* Many productions of a symbol begin alike, and what it may begin with is asked
 * at every token. */
static bool grammar_find_firsts(chart_grammar *g, etna_arena *arena)
{
    uint16_t of[CHART_SYMBOLS_MAX] = {0}; /* the last left that begins so */
    uint32_t count = 0;
    g->firsts =
        etna_arena_alloc(arena, g->production_count + 1, sizeof *g->firsts);
    if (!g->firsts)
        return false;
    for (uint32_t left = 1; left <= g->symbol_count; left++) {
        g->begin[left] = count;
        for (int32_t i = g->made[left]; i >= 0; i = g->productions[i].beside) {
            const uint16_t first = g->productions[i].first;
            if (of[first] == left)
                continue;
            of[first] = (uint16_t)left;
            g->firsts[count++] = first;
        }
    }
    g->begin[g->symbol_count + 1] = count;
    return true;
}

/* One production a line; '#' begins a comment. `again`: a grammar for the
 * second look, which keeps more edges and accepts what is rarer. A bad line is
 * a programmer's error, with its number. */
etna_code chart_compile(const char *text,
                        bool again,
                        etna_arena *arena,
                        const chart_grammar **ret,
                        etna_error *err)
{
    chart_grammar *g = etna_arena_alloc(arena, 1, sizeof *g);
    if (!g)
        return etna_fail(err, ETNA_E_NOMEM, "no memory for a grammar");
    g->again = again;
    uint32_t line = 0;
    for (const char *at = text; *at; at++) {
        line++;
        at = text_skip(at);
        if (!text_at_end(at))
            at = line_compile(g, at, arena);
        bool no_memory = !at && g->no_memory;
        if (no_memory)
            return etna_fail(err, ETNA_E_NOMEM, "no memory for a grammar");
        if (!at)
            return etna_fail(
                err, ETNA_E_INTERNAL,
                "line %u of the grammar is no production, or one too many",
                line);
        while (*at && *at != '\n')
            at++;
        if (!*at)
            break;
    }
    if (!grammar_find_firsts(g, arena))
        return etna_fail(err, ETNA_E_NOMEM, "no memory for a grammar");
    *ret = g;
    return ETNA_OK;
}

/* ---- parsing ---- */

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
    uint64_t hash = symbol_hash(t->category, strlen(t->category));
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
    e->said = row_mix(symbol_hash(name, strlen(name)), e->said);
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
        const production *p = &c->grammar->productions[i];
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
    const production *p = &c->grammar->productions[index];
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
                const production *p = &c->grammar->productions[i];
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
        const cell *left = cell_at(c, first, split),
                   *right = cell_at(c, split, end);
        if (right->count == 0)
            continue;
        for (uint32_t k = 0; k < left->count; k++) {
            uint16_t symbol = left->entries[k].symbol;
            for (int32_t i = c->grammar->binary[symbol]; i >= 0;
                 i = c->grammar->productions[i].next) {
                const production *p = &c->grammar->productions[i];
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
                         etna_arena_alloc(c->arena, count, sizeof *children),
                     **at = children;
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
            symbol_find(c->grammar, t->category, strlen(t->category));
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
