/* The text of a grammar -> its tables. Productions longer than two symbols become
 * chains of two; chains share their beginnings. The grammar of sentences is
 * compiled so while Etna is built (tools/grammar). */
#include "worker/builtin/language/chart_internal.h"

#include "proto/ascii.h"

#include <string.h>

enum {
    RIGHT_MAX = 8
};

typedef struct compiler { /* its tables as they grow; `own` points to them */
    chart_grammar own;
    const char *symbols[CHART_SYMBOLS_MAX];
    uint16_t table[CHART_TABLE_SIZE];
    int32_t unary[CHART_SYMBOLS_MAX], binary[CHART_SYMBOLS_MAX];
    uint32_t begin[CHART_SYMBOLS_MAX + 1];
    uint16_t *firsts;
    chart_production *productions;
    uint32_t capacity;
    bool no_memory;
} compiler;

/* 0: out of memory or too many. */
static uint16_t symbol_intern(compiler *g,
                              const char *text,
                              size_t size,
                              etna_arena *arena)
{
    uint16_t known = chart_symbol(&g->own, text, size);
    if (known)
        return known;
    if (g->own.symbol_count + 1 >= CHART_SYMBOLS_MAX)
        return 0;
    char *copy = etna_arena_strndup(arena, text, size);
    g->no_memory = !copy;
    if (!copy)
        return 0;
    uint16_t number = (uint16_t)++g->own.symbol_count;
    g->symbols[number] = copy;
    g->unary[number] = g->binary[number] = -1;
    uint32_t at = chart_hash(text, size) % CHART_TABLE_SIZE;
    while (g->table[at])
        at = (at + 1) % CHART_TABLE_SIZE;
    g->table[at] = number;
    return number;
}

/* Productions are chained by number, not by pointer: the array moves when it
 * grows. */
static bool production_add(compiler *g, chart_production p, etna_arena *arena)
{
    if (g->own.production_count == g->capacity) {
        uint32_t capacity = g->capacity ? 2 * g->capacity : 1024;
        chart_production *grown =
            etna_arena_alloc(arena, capacity, sizeof *grown);
        g->no_memory = !grown;
        if (!grown)
            return false;
        if (g->capacity)
            memcpy(grown, g->productions,
                   g->own.production_count * sizeof *grown);
        g->productions = grown;
        g->capacity = capacity;
    }
    int32_t *head = p.second ? &g->binary[p.first] : &g->unary[p.first];
    p.next = *head;
    *head = (int32_t)g->own.production_count;
    g->productions[g->own.production_count++] = p;
    return true;
}

/* The symbol that stands for two others in a chain. */
static uint16_t symbol_chain(compiler *g,
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
    *ret_new = chart_symbol(&g->own, name, sizeof name) == 0;
    return symbol_intern(g, name, sizeof name, arena);
}

/* A right side of more than two symbols as a chain of pairs: "NP -> a b c"
 * becomes "ab -> a b" and "NP -> ab c". A chain that another production has
 * begun already is used again. */
static bool production_chain(compiler *g,
                             chart_production p,
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
        const chart_production link = {
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
static bool right_side_add(compiler *g,
                           const chart_production *p,
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
static const char *left_compile(compiler *g,
                                const char *at,
                                etna_arena *arena,
                                chart_production *ret)
{
    size_t size = word_size(at);
    const char *slash = memchr(at, '/', size);
    size_t left = slash ? (size_t)(slash - at) : size;
    ret->left = symbol_intern(g, at, left, arena);
    if (!ret->left)
        return NULL;
    if (!g->own.start)
        g->own.start = ret->left;
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
        if (g->own.again)
            ret->cost = again;
    }
    at = text_skip(at);
    return *at == '=' ? at + 1 : NULL;
}

/* One symbol of a right side, which may be missing where a "?" follows; NULL:
 * there is no room. */
static const char *symbol_compile(compiler *g,
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
static const char *line_compile(compiler *g, const char *at, etna_arena *arena)
{
    chart_production p = {0};
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

/* What each symbol may begin with stands in one row: it is asked at every
 * token. */
static bool grammar_find_firsts(compiler *g, etna_arena *arena)
{
    const uint32_t count = g->own.production_count;
    g->firsts = etna_arena_alloc(arena, count, sizeof *g->firsts);
    if (!g->firsts)
        return false;
    for (uint32_t i = 0; i < count; i++)
        g->begin[g->productions[i].left]++;
    for (uint32_t k = 1; k <= g->own.symbol_count + 1; k++)
        g->begin[k] += g->begin[k - 1];
    for (uint32_t i = count; i-- > 0;) {
        const chart_production *const p = &g->productions[i];
        g->firsts[--g->begin[p->left]] = p->first;
    }
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
    compiler *g = etna_arena_alloc(arena, 1, sizeof *g);
    if (!g)
        return etna_fail(err, ETNA_E_NOMEM, "no memory for a grammar");
    g->own = (chart_grammar){.symbols = g->symbols,
                             .table = g->table,
                             .unary = g->unary,
                             .binary = g->binary,
                             .begin = g->begin,
                             .again = again};
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
    g->own.firsts = g->firsts;
    g->own.productions = g->productions;
    *ret = &g->own;
    return ETNA_OK;
}
