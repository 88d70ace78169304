/* A noun phrase -> things. Candidates are whatever answers to its words (builtin_match.c); what is said of them besides (where
 * they are, their colour, size, order) narrows them; then the determiner says how many are meant. What stays ambiguous is
 * refused with the candidates, for a guess would arrange the wrong thing. */
#include "worker/model/builtin_reader.h"

#include <math.h>
#include <stdio.h>

enum { COST_NOT_HEAD = 250, SLACK_ONE = 5, SLACK_RANKED = 64, SLACK_MANY = 26, NAMES_TOLD = 6 };

typedef struct quantity { /* what determiners say */
    bool definite, indefinite, all, both, each, any, other, rest, same, none, own, only;
    uint32_t number;
} quantity;

typedef struct candidates {
    uint32_t count;
    uint32_t *objects;
    uint32_t *costs; /* hundredths */
} candidates;

refer_scope refer_scope_movers(void) { return (refer_scope){.movers = true, .on = BUILTIN_NONE}; }

refer_scope refer_scope_place(const builtin_set *movers)
{
    return (refer_scope){.flat = true, .barred = movers, .on = BUILTIN_NONE};
}

bool node_is(const chart_node *node, const char *name) { return node && strcmp(node->name, name) == 0; }

/* ---- determiners ---- */

static quantity quantity_of(const chart_node *thing)
{
    quantity q = {0};
    for (uint32_t i = 0; i < thing->child_count; i++) {
        const chart_node *c = thing->children[i];
        if (node_is(c, "NUMBER")) {
            bool of_them = q.definite && (q.any || q.number); /* "one of the three" */
            if (!of_them) q.number = c->children[0]->value / 1000;
        }
        if (!node_is(c, "$det") && !node_is(c, "$quant")) continue;
        switch (c->value) {
        case DET_THE:
        case DET_THIS:
        case DET_OWN:
        case DET_ITS: q.definite = true; break;
        case DET_A: q.indefinite = true; break;
        case DET_SOME: break;
        case DET_ALL: q.all = true; break;
        case DET_BOTH: q.both = true; break;
        case DET_EACH: q.each = true; break;
        case DET_ANY: q.any = true; break;
        case DET_OTHER: q.other = true; break;
        case DET_REST: q.rest = true; break;
        case DET_SAME: q.same = true; break;
        case DET_NO: q.none = true; break;
        case DET_ONLY: q.only = true; break;
        case DET_COUPLE: q.number = 2; break;
        default: break;
        }
    }
    if (q.both) q.number = 2;
    return q;
}

static const chart_node *phrase_thing(const chart_node *node)
{
    while (node && (node_is(node, "EXCEPT") || node_is(node, "ALLOF")) && node->child_count) node = node->children[0];
    return node;
}

bool phrase_is_each(const chart_node *node)
{
    node = phrase_thing(node);
    if (!node_is(node, "THING") && !node_is(node, "OF")) return false;
    quantity q = quantity_of(node);
    for (uint32_t i = 0; i < node->child_count; i++) {
        bool every =
            node_is(node->children[i], "$quant") && node->children[i]->value == DET_ALL && node->child_count > 1;
        if (every && node->children[i]->end - node->children[i]->first == 1 && !phrase_is_plural(NULL, node))
            q.each = true;
    }
    return q.each;
}

bool phrase_is_pronoun(const chart_node *node, lexicon_pronoun pronoun)
{
    const chart_node *p = node_is(node, "PRON") ? chart_child(node, "$pron") : NULL;
    return p && p->value == (uint32_t)pronoun;
}

/* The CORE's words without marks; 0: it has none. */
static uint32_t core_words(const reader *r, const chart_node *thing, const char *ret[REFER_WORDS_MAX])
{
    const chart_node *core = chart_child(thing, "CORE");
    uint32_t count = 0;
    for (uint32_t i = 0; core && i < core->child_count && count < REFER_WORDS_MAX; i++) {
        if (node_is(core->children[i], "$w")) ret[count++] = r->s->tokens[core->children[i]->value].text;
    }
    return count;
}

bool phrase_is_plural(const reader *r, const chart_node *node)
{
    node = phrase_thing(node);
    if (node_is(node, "AND")) return true;
    if (!r || !node_is(node, "THING")) return false;
    const char *words[REFER_WORDS_MAX];
    uint32_t count = core_words(r, node, words);
    quantity q = quantity_of(node);
    return q.all || q.both || q.number > 1 || (count > 0 && match_is_plural_word(words[count - 1]));
}

bool phrase_means_room(const reader *r, const chart_node *node)
{
    const char *words[REFER_WORDS_MAX];
    uint32_t count = node_is(node, "THING") ? core_words(r, node, words) : 0;
    if (count == 0) return false;
    const char *last = words[count - 1];
    bool room = strcmp(last, "room") == 0 || strcmp(last, "scene") == 0 || strcmp(last, "bedroom") == 0 ||
                strcmp(last, "kitchen") == 0;
    return room && count <= 2;
}

uint32_t refer_floor(const builtin_facts *facts)
{
    const builtin_surface *best = NULL;
    for (uint32_t i = 0; i < facts->surface_count; i++) {
        const builtin_surface *s = &facts->surfaces[i];
        if (!facts->objects[s->object].is_static) continue;
        double area = s->cell * s->columns * s->cell * s->rows;
        double most = best ? best->cell * best->columns * best->cell * best->rows : 0;
        bool level = area > most - 1e-9 && best && s->height < best->height;
        if (!best || area > most + 1e-9 || level) best = s;
    }
    return best ? best->object : BUILTIN_NONE;
}

/* ---- sets ---- */

static bool set_has(const builtin_set *set, uint32_t object)
{
    for (uint32_t i = 0; set && i < set->count; i++) {
        if (set->objects[i] == object) return true;
    }
    return false;
}

static etna_code set_make(reader *r, const uint32_t *objects, uint32_t count, uint32_t need, builtin_set *ret)
{
    uint32_t *own = etna_arena_alloc(r->arena, count + 1u, sizeof *own);
    if (!own) return reader_no_memory(r);
    for (uint32_t i = 0; i < count; i++) { /* ascending */
        uint32_t at = i;
        for (; at > 0 && own[at - 1] > objects[i]; at--) own[at] = own[at - 1];
        own[at] = objects[i];
    }
    *ret = (builtin_set){.count = count, .objects = own, .need = need};
    return ETNA_OK;
}

/* ---- narrowing ---- */

static void candidates_keep(candidates *c, uint32_t index, uint32_t *kept)
{
    c->objects[*kept] = c->objects[index];
    c->costs[*kept] = c->costs[index];
    (*kept)++;
}

static uint32_t candidates_least(const candidates *c)
{
    uint32_t least = UINT32_MAX;
    for (uint32_t i = 0; i < c->count; i++) least = c->costs[i] < least ? c->costs[i] : least;
    return least;
}

static void candidates_within(candidates *c, uint32_t slack)
{
    uint32_t least = candidates_least(c), kept = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        if (c->costs[i] <= least + slack) candidates_keep(c, i, &kept);
    }
    c->count = kept;
}

typedef bool candidate_test(const builtin_facts *facts, uint32_t object);

/* Keeps those that pass, if any does. */
static void candidates_prefer(const builtin_facts *facts, candidates *c, candidate_test *test)
{
    uint32_t passed = 0, kept = 0;
    for (uint32_t i = 0; i < c->count; i++) passed += test(facts, c->objects[i]);
    if (passed == 0 || passed == c->count) return;
    for (uint32_t i = 0; i < c->count; i++) {
        if (test(facts, c->objects[i])) candidates_keep(c, i, &kept);
    }
    c->count = kept;
}

static bool object_moves(const builtin_facts *facts, uint32_t object)
{
    return !facts->objects[object].is_static && !facts->objects[object].immovable;
}

static bool object_is_seen(const builtin_facts *facts, uint32_t object) { return facts->objects[object].visible; }

static bool object_bears(const builtin_facts *facts, uint32_t object)
{
    for (uint32_t i = 0; i < facts->surface_count; i++) {
        if (facts->surfaces[i].object == object) return true;
    }
    return false;
}

/* Where its middle shows: x from the left, y from the top. */
static void object_in_image(const builtin_facts *facts, uint32_t object, double ret[2])
{
    const builtin_object *o = &facts->objects[object];
    ret[0] = 0.5 * (o->image_box[0] + o->image_box[2]);
    ret[1] = 0.5 * (o->image_box[1] + o->image_box[3]);
    if (o->visible) return;
    double right = 0, away = 0;
    for (int k = 0; k < 3; k++) {
        right += (o->centre[k] - facts->position[k]) * facts->right[k];
        away += (o->centre[k] - facts->position[k]) * facts->forward[k];
    }
    ret[0] = right;
    ret[1] = -away;
}

/* What the candidates are ranked by: less comes first. */
static double candidate_rank(const builtin_facts *facts, uint32_t object, unsigned side)
{
    const builtin_object *o = &facts->objects[object];
    double image[2], depth = 0;
    object_in_image(facts, object, image);
    for (int k = 0; k < 3; k++) depth += (o->centre[k] - facts->position[k]) * facts->forward[k];
    switch (side) {
    case LEXICON_LEFT: return image[0];
    case LEXICON_RIGHT: return -image[0];
    case LEXICON_FRONT: return depth;
    case LEXICON_BACK: return -depth;
    case LEXICON_TOP: return -o->centre[2];
    case LEXICON_BOTTOM: return o->centre[2];
    default: return 0;
    }
}

static void candidates_sort(const builtin_facts *facts, candidates *c, unsigned side)
{
    for (uint32_t i = 1; i < c->count; i++) {
        for (uint32_t k = i; k > 0; k--) {
            bool after = candidate_rank(facts, c->objects[k - 1], side) <= candidate_rank(facts, c->objects[k], side);
            if (after) break;
            uint32_t swap = c->objects[k], cost = c->costs[k];
            c->objects[k] = c->objects[k - 1];
            c->costs[k] = c->costs[k - 1];
            c->objects[k - 1] = swap;
            c->costs[k - 1] = cost;
        }
    }
}

/* "the left one", "the two leftmost", "the middle one", "the second from the left". */
static void candidates_by_side(const builtin_facts *facts, candidates *c, const match_query *q, uint32_t wanted)
{
    if (q->ordinal) {
        unsigned from = q->ordinal_from_right || q->sides == LEXICON_RIGHT ? LEXICON_RIGHT : LEXICON_LEFT;
        if (q->sides & (LEXICON_TOP | LEXICON_BOTTOM)) from = q->sides & (LEXICON_TOP | LEXICON_BOTTOM);
        uint32_t at = q->ordinal == UINT32_MAX ? c->count : q->ordinal;
        candidates_sort(facts, c, from);
        if (at > c->count) {
            c->count = 0;
            return;
        }
        c->objects[0] = c->objects[at - 1];
        c->costs[0] = c->costs[at - 1];
        c->count = 1;
        return;
    }
    if (!q->sides || c->count <= wanted) return;
    if (q->sides & LEXICON_MIDDLE) {
        candidates_sort(facts, c, LEXICON_LEFT);
        if ((c->count - wanted) % 2) return;
        uint32_t skip = (c->count - wanted) / 2;
        memmove(c->objects, c->objects + skip, wanted * sizeof *c->objects);
        memmove(c->costs, c->costs + skip, wanted * sizeof *c->costs);
        c->count = wanted;
        return;
    }
    for (unsigned bit = 1; bit < LEXICON_MIDDLE; bit <<= 1) {
        if (!(q->sides & bit)) continue;
        candidates_sort(facts, c, bit);
        unsigned more = q->sides & ~(2 * bit - 1);
        uint32_t keep = more ? (c->count + 1) / 2 : wanted; /* "back left": of the back half the left one */
        c->count = c->count > keep ? keep : c->count;
    }
}

static double object_measure(const builtin_object *o, int size)
{
    double wide = o->half[0] > o->half[1] ? o->half[0] : o->half[1],
           narrow = o->half[0] > o->half[1] ? o->half[1] : o->half[0];
    double sign = size < 0 ? -1 : 1;
    switch (size < 0 ? -size : size) {
    case 1: return sign * o->half[0] * o->half[1] * o->half[2];
    case 2: return sign * o->half[2];
    case 3: return sign * wide;
    default: return sign * (narrow < o->half[2] ? narrow : o->half[2]);
    }
}

/* The one that is largest (smallest ...), if it is so by more than 2 %; of several wanted: these. */
static void candidates_by_size(const builtin_facts *facts, candidates *c, int size, uint32_t wanted)
{
    if (!size || c->count <= wanted) return;
    for (uint32_t i = 1; i < c->count; i++) {
        for (uint32_t k = i; k > 0; k--) {
            double before = object_measure(&facts->objects[c->objects[k - 1]], size),
                   own = object_measure(&facts->objects[c->objects[k]], size);
            if (before >= own) break;
            uint32_t swap = c->objects[k], cost = c->costs[k];
            c->objects[k] = c->objects[k - 1];
            c->costs[k] = c->costs[k - 1];
            c->objects[k - 1] = swap;
            c->costs[k - 1] = cost;
        }
    }
    double last = object_measure(&facts->objects[c->objects[wanted - 1]], size),
           next = object_measure(&facts->objects[c->objects[wanted]], size);
    if (last - next > 0.02 * fabs(last)) c->count = wanted;
}

/* Those of the colour: by name, by the nearest basic colour, by what a careless eye would grant, else the one that is much
 * more so than all others ("the red chair" is the pink one where it leads). */
static void candidates_by_colour(const reader *r, candidates *c, const match_query *q, bool many)
{
    const builtin_facts *facts = r->facts;
    builtin_colour colour = (builtin_colour)q->colour;
    const double lead = 12, most = 70; /* of CIELAB */
    for (int pass = many ? 1 : 0; pass < 3; pass++) {
        uint32_t kept = 0, fits = 0;
        for (int counting = 1; counting >= 0; counting--) {
            for (uint32_t i = 0; i < c->count; i++) {
                const builtin_object *o = &facts->objects[c->objects[i]];
                match_result m = match_object(facts, r->kinds, c->objects[i], q);
                bool fit = m.colour_by_name;
                if (pass >= 1) fit = fit || (o->has_colour && !m.colour_by_name && builtin_colour_of(o->lab) == colour);
                if (pass >= 2) fit = fit || (o->has_colour && builtin_colour_near(o->lab, colour));
                if (!fit) continue;
                if (counting)
                    fits++;
                else
                    candidates_keep(c, i, &kept);
            }
            if (counting && fits == 0) break;
        }
        if (fits == 0) continue;
        c->count = kept;
        return;
    }
    uint32_t best = 0;
    double least = 1e9, second = 1e9;
    for (uint32_t i = 0; i < c->count; i++) {
        const builtin_object *o = &facts->objects[c->objects[i]];
        double d = o->has_colour ? builtin_colour_distance(o->lab, colour) : 1e9;
        if (d < least) {
            second = least;
            least = d;
            best = i;
        } else if (d < second) {
            second = d;
        }
    }
    bool leads = c->count > 1 && least < most && second > least + lead;
    if (leads) {
        c->objects[0] = c->objects[best];
        c->costs[0] = c->costs[best] + 20;
    }
    c->count = leads ? 1 : 0;
}

/* "carpet 1" is Carpet_01_001 before Carpet_01_002: the last number of a name counts them. */
static void candidates_by_number(const builtin_facts *facts, candidates *c, const match_query *q)
{
    const char *number = NULL;
    for (uint32_t i = 0; i < q->count; i++) {
        if (q->words[i][0] >= '0' && q->words[i][0] <= '9') number = q->words[i];
    }
    if (!number || c->count < 2) return;
    uint32_t kept = 0;
    for (int counting = 1; counting >= 0; counting--) {
        uint32_t fits = 0;
        for (uint32_t i = 0; i < c->count; i++) {
            const builtin_object *o = &facts->objects[c->objects[i]];
            if (o->word_count == 0 || strcmp(o->words[o->word_count - 1], number) != 0) continue;
            fits++;
            if (!counting) candidates_keep(c, i, &kept);
        }
        if (fits == 0) return;
    }
    c->count = kept;
}

/* "The table" beside a side table is the one that is laid: it bears clearly more things than any other. */
static void candidates_laden(const builtin_facts *facts, candidates *c, bool clearing)
{
    uint32_t best = 0, most = 0, next = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        uint32_t on = facts->objects[c->objects[i]].on_count;
        if (facts->objects[c->objects[i]].half[2] < 0.02) return; /* what stands on a carpet stands in the room */
        if (on > most) {
            next = most;
            most = on;
            best = i;
        } else if (on > next) {
            next = on;
        }
    }
    bool clearly = most >= 2 && most >= 2 * next && most > next;
    if (!clearly && !(clearing && most > 0 && next == 0)) return;
    c->objects[0] = c->objects[best];
    c->costs[0] = c->costs[best];
    c->count = 1;
}

/* ---- what is said besides: modifiers ---- */

static etna_code thing_query(reader *r, const chart_node *thing, match_query *ret)
{
    const char *words[REFER_WORDS_MAX];
    uint32_t count = core_words(r, thing, words);
    return match_query_make(words, count, r->arena, ret, r->err);
}

/* Those that have another property: "that are red". */
static etna_code modify_that(reader *r, const chart_node *mod, candidates *c)
{
    const char *words[REFER_WORDS_MAX];
    const chart_node *holder = chart_child(mod, "CORE") ? mod : chart_find(mod, "THING");
    uint32_t count = holder ? core_words(r, holder, words) : 0, kept = 0;
    match_query q;
    etna_code code = match_query_make(words, count, r->arena, &q, r->err);
    if (code != ETNA_OK || count == 0) return code;
    if (q.colour) candidates_by_colour(r, c, &q, true);
    candidates_by_size(r->facts, c, q.size, 1);
    if (q.sides) candidates_by_side(r->facts, c, &q, 1);
    for (uint32_t i = 0; i < c->count && q.has_noun; i++) {
        if (match_object(r->facts, r->kinds, c->objects[i], &q).cost < COST_NOT_HEAD) candidates_keep(c, i, &kept);
    }
    if (q.has_noun) c->count = kept;
    return ETNA_OK;
}

/* The nearest to (1) or the farthest from (2) another thing. */
static void candidates_by_way(const builtin_facts *facts, candidates *c, const builtin_set *to, bool farthest)
{
    uint32_t best = 0;
    double least = INFINITY;
    for (uint32_t i = 0; i < c->count; i++) {
        for (uint32_t k = 0; k < to->count; k++) {
            if (to->objects[k] == c->objects[i]) continue;
            double way = where_between(&facts->objects[c->objects[i]], &facts->objects[to->objects[k]]);
            if (farthest) way = -way;
            if (way >= least) continue;
            least = way;
            best = i;
        }
    }
    if (c->count == 0) return;
    c->objects[0] = c->objects[best];
    c->costs[0] = c->costs[best];
    c->count = 1;
}

static etna_code modify_nearest(reader *r, const chart_node *mod, candidates *c)
{
    const chart_node *word = chart_child(mod, "$nearest");
    builtin_set to;
    refer_scope scope = {.on = BUILTIN_NONE};
    etna_code code = refer_things(r, mod->children[mod->child_count - 1], &scope, &to);
    candidates_within(c, SLACK_ONE); /* "the plate nearest the jug": of the plates, and no tray */
    if (code == ETNA_OK) candidates_by_way(r->facts, c, &to, word && word->value == 2);
    return code;
}

/* Those that bear it, hold it or have it close by ("the nightstand with the book"), or have so many of it. */
static etna_code modify_having(reader *r, const chart_node *mod, bool none, candidates *c)
{
    const double close = 0.5; /* metres */
    const chart_node *what = mod->children[mod->child_count - 1];
    quantity q = node_is(what, "THING") ? quantity_of(what) : (quantity){0};
    match_query part;
    builtin_set had;
    refer_scope scope = {.on = BUILTIN_NONE, .many = true, .any = true};
    if (q.none) return reader_refuse(r, CODE_UNREAD, mod, "\"%s\" is not understood", reader_said(r, mod));
    etna_code code = node_is(what, "THING") ? thing_query(r, what, &part) : ETNA_OK;
    bool nameless = code == ETNA_OK && node_is(what, "THING") && !part.has_noun && !part.generic && part.count > 0;
    if (nameless && !q.definite) /* "a chair with no back": a part that is no thing of its own */
        return reader_refuse(r, CODE_UNKNOWN, what, "nothing here is \"%s\"", reader_said(r, what));
    reader_memory memory = r->memory;
    if (code == ETNA_OK) code = refer_things(r, what, &scope, &had);
    r->memory = memory;
    if (code != ETNA_OK) return code;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        uint32_t count = 0;
        for (uint32_t k = 0; k < had.count; k++) {
            bool bears = builtin_is_above(r->facts, had.objects[k], c->objects[i]);
            bool near = where_between(&r->facts->objects[had.objects[k]], &r->facts->objects[c->objects[i]]) < close;
            count += had.objects[k] != c->objects[i] && (bears || near);
        }
        bool fits = q.number && q.only ? count == q.number : q.number ? count >= q.number : count > 0;
        if (fits != none) candidates_keep(c, i, &kept);
    }
    c->count = kept;
    return ETNA_OK;
}

/* The one that stands farthest from all the others of its kind. */
static void modify_apart(const builtin_facts *facts, candidates *c)
{
    uint32_t best = 0;
    double most = -1;
    for (uint32_t i = 0; i < c->count; i++) {
        double nearest = INFINITY;
        for (uint32_t k = 0; k < c->count; k++) {
            double way = where_between(&facts->objects[c->objects[i]], &facts->objects[c->objects[k]]);
            if (k != i && way < nearest) nearest = way;
        }
        if (nearest <= most) continue;
        most = nearest;
        best = i;
    }
    if (c->count == 0) return;
    c->objects[0] = c->objects[best];
    c->costs[0] = c->costs[best];
    c->count = 1;
}

static etna_code modify_where(reader *r, const chart_node *where, bool not_there, candidates *c)
{
    uint32_t kept = 0;
    double least = INFINITY;
    double *ways = etna_arena_alloc(r->arena, c->count + 1u, sizeof *ways);
    if (!ways) return reader_no_memory(r);
    for (uint32_t i = 0; i < c->count; i++) {
        etna_code code = where_holds(r, where, c->objects[i], &ways[i]);
        if (code != ETNA_OK) return code;
        least = ways[i] < least ? ways[i] : least;
    }
    for (uint32_t i = 0; i < c->count; i++) {
        bool holds = isfinite(ways[i]) && ways[i] <= least + 0.5;
        if (holds != not_there) candidates_keep(c, i, &kept);
    }
    c->count = kept;
    return ETNA_OK;
}

/* "The lid of the sugar cup" lies on that one, not beside it. */
static etna_code modify_owned(reader *r, const chart_node *of, candidates *c)
{
    builtin_set whole;
    refer_scope any = {.on = BUILTIN_NONE, .many = true};
    reader_memory memory = r->memory;
    etna_code code = refer_things(r, of->children[of->child_count - 1], &any, &whole);
    r->memory = memory;
    uint32_t on = 0, kept = 0;
    for (int counting = 1; code == ETNA_OK && counting >= 0; counting--) {
        for (uint32_t i = 0; i < c->count; i++) {
            bool is_on = false;
            for (uint32_t k = 0; k < whole.count; k++)
                is_on = is_on || builtin_is_above(r->facts, c->objects[i], whole.objects[k]);
            if (!is_on) continue;
            if (counting)
                on++;
            else
                candidates_keep(c, i, &kept);
        }
        if (on == 0) return ETNA_OK;
    }
    if (code == ETNA_OK) c->count = kept;
    return code;
}

static etna_code candidates_modify(reader *r, const chart_node *thing, match_query *q, candidates *c)
{
    etna_code code = ETNA_OK;
    for (uint32_t i = 0; i < thing->child_count && code == ETNA_OK; i++) {
        const chart_node *mod = thing->children[i];
        const chart_node *last = mod->child_count ? mod->children[mod->child_count - 1] : NULL;
        if (node_is(mod, "MOD")) {
            for (uint32_t k = 0; k < mod->child_count && code == ETNA_OK; k++) {
                bool place = !mod->children[k]->is_terminal;
                if (place) code = modify_where(r, mod->children[k], false, c);
            }
        } else if (node_is(mod, "NOTMOD")) {
            code = modify_where(r, last, true, c);
        } else if (node_is(mod, "THAT")) {
            code = modify_that(r, mod, c);
        } else if (node_is(mod, "NEAREST")) {
            code = modify_nearest(r, mod, c);
        } else if (node_is(mod, "HAVING")) {
            code = modify_having(r, mod, false, c);
        } else if (node_is(mod, "HAVINGNO")) {
            code = modify_having(r, mod, true, c);
        } else if (node_is(mod, "APART")) {
            candidates_within(c, SLACK_ONE);
            modify_apart(r->facts, c);
        } else if (node_is(mod, "COUNTED")) { /* "up" is said of levels */
            r->cost += COST_NOT_HEAD;
        } else if (node_is(mod, "OF") && !q->partitive) {
            code = modify_where(r, mod, false, c);
            if (code == ETNA_OK) code = modify_owned(r, mod, c);
        } else if (node_is(mod, "FROMSIDE") || node_is(mod, "FARSIDE")) {
            const chart_node *side = chart_find(mod, "$side") ? chart_find(mod, "$side") : chart_find(mod, "$side_h");
            bool right = side && (side->value & LEXICON_RIGHT);
            if (node_is(mod, "FROMSIDE"))
                q->ordinal_from_right = right;
            else if (side)
                q->sides |= side->value;
            if (node_is(mod, "FROMSIDE") && !q->ordinal) q->ordinal = 1;
        }
    }
    return code;
}

/* ---- refusals ---- */

static void names_tell(const builtin_facts *facts, const candidates *c, char *text, size_t size)
{
    size_t used = 0;
    text[0] = 0;
    for (uint32_t i = 0; i < c->count && i < NAMES_TOLD && used + 1 < size; i++) {
        const builtin_object *o = &facts->objects[c->objects[i]];
        const char *colour = o->has_colour ? builtin_colour_name(builtin_colour_of(o->lab)) : NULL;
        int n = snprintf(text + used, size - used, "%s%.80s%s%s%s", i ? ", " : "", o->name, colour ? " (" : "",
                         colour ? colour : "", colour ? ")" : "");
        used += n > 0 ? (size_t)n : 0;
    }
    if (c->count > NAMES_TOLD && used + 8 < size) snprintf(text + used, size - used, ", ...");
}

static etna_code refuse_unknown(reader *r, const chart_node *thing, const candidates *near)
{
    char names[320];
    candidates all = *near;
    bool nearly = near->count > 0;
    for (uint32_t i = 0; !nearly && i < r->facts->object_count; i++) {
        if (object_moves(r->facts, i) && all.count < r->facts->object_count) all.objects[all.count++] = i;
    }
    names_tell(r->facts, &all, names, sizeof names);
    return reader_refuse(r, CODE_UNKNOWN, thing, "nothing here is \"%s\"; %s %s", reader_said(r, thing),
                         nearly ? "of that name there are" : "there are", names);
}

static etna_code refuse_fixed(reader *r, const chart_node *thing, uint32_t object)
{
    const builtin_object *o = &r->facts->objects[object];
    if (o->immovable && !o->is_static)
        return reader_refuse(r, CODE_IMPOSSIBLE, thing, "%.200s is skinned or animated and cannot be moved", o->name);
    const char *why = o->static_why && o->static_why[0] ? o->static_why : "it counts as static";
    if (strstr(why, "cuts into")) {
        return reader_refuse(
            r, CODE_IMPOSSIBLE, thing,
            "%.120s is a fixed part of the scene and cannot be moved: %.120s; if it is to move all the same, name it "
            "under \"movable\" in the side file",
            o->name, why);
    }
    return reader_refuse(
        r, CODE_IMPOSSIBLE, thing,
        "%.120s is a fixed part of the scene and cannot be moved: %.120s; if it is several things in one mesh, etna "
        "scene split SCENE '%.120s' divides it",
        o->name, why, o->name);
}

/* ---- choosing ---- */

/* How many answer as well as the best does. */
static uint32_t candidates_near(const candidates *c)
{
    uint32_t least = candidates_least(c), near = 0;
    for (uint32_t i = 0; i < c->count; i++) near += c->costs[i] <= least + SLACK_ONE;
    return near;
}

/* "The boxes", where several are called so: those, and no crates. */
static void candidates_called(const reader *r, const match_query *q, candidates *c)
{
    uint32_t called = 0, kept = 0;
    for (uint32_t i = 0; i < c->count; i++) called += !match_object(r->facts, r->kinds, c->objects[i], q).by_kind;
    if (called < 2 || called == c->count) return;
    for (uint32_t i = 0; i < c->count; i++) {
        if (!match_object(r->facts, r->kinds, c->objects[i], q).by_kind) candidates_keep(c, i, &kept);
    }
    c->count = kept;
}

static etna_code choose_one(reader *r, const chart_node *thing, const refer_scope *scope, const match_query *q,
                            const quantity *amount, candidates *c, builtin_set *ret)
{
    const builtin_facts *facts = r->facts;
    bool ranked = q->size || q->sides || q->ordinal;
    bool told = ranked && candidates_near(c) < 2; /* "the left cup" of two called so is none of their kin */
    candidates_within(c, told ? SLACK_RANKED : SLACK_ONE);
    if (scope->movers) candidates_prefer(facts, c, object_moves);
    if (scope->flat && !ranked) candidates_prefer(facts, c, object_bears);
    candidates_by_number(facts, c, q);
    if (!q->ordinal) candidates_by_size(facts, c, q->size, 1);
    candidates_by_side(facts, c, q, 1);
    candidates_within(c, SLACK_ONE);
    for (uint32_t i = 0, said = 0, which = 0; c->count > 1 && i <= c->count; i++) { /* the one that was spoken of */
        if (i < c->count && set_has(&r->memory.named, c->objects[i])) {
            said++;
            which = i;
        }
        if (i < c->count || said != 1 || amount->other || amount->indefinite) continue;
        c->objects[0] = c->objects[which];
        c->costs[0] = c->costs[which];
        c->count = 1;
    }
    bool any_will_do = scope->any || amount->indefinite || amount->any || (amount->number == 1 && !amount->definite);
    if (c->count > 1 && !any_will_do) candidates_prefer(facts, c, object_is_seen);
    if (c->count > 1 && scope->flat) candidates_laden(facts, c, scope->laden);
    if (c->count == 0) return refuse_unknown(r, thing, c);
    bool any =
        scope->any || amount->indefinite || amount->any || (amount->number == 1 && !amount->definite && !amount->only);
    if (c->count > 1 && !any) {
        char names[320];
        names_tell(facts, c, names, sizeof names);
        return reader_refuse(r, CODE_AMBIGUOUS, thing, "\"%s\" may be any of %u: %s", reader_said(r, thing), c->count,
                             names);
    }
    r->cost += candidates_least(c);
    return set_make(r, c->objects, c->count, 1, ret);
}

static etna_code choose_many(reader *r, const chart_node *thing, const refer_scope *scope, const match_query *q,
                             const quantity *amount, candidates *c, builtin_set *ret)
{
    const builtin_facts *facts = r->facts;
    uint32_t number = amount->number;
    bool by_name = candidates_least(c) < 12;
    candidates_within(c, by_name && !q->size ? SLACK_MANY : SLACK_RANKED);
    if (q->has_noun && !amount->all && !amount->each) candidates_called(r, q, c);
    if (scope->movers) candidates_prefer(facts, c, object_moves);
    if (number && number < c->count && !amount->any) { /* "the three books": those called so, not their kin */
        if (candidates_near(c) == number) candidates_within(c, SLACK_ONE);
    }
    uint32_t wanted = number ? number : 0;
    if (q->sides && wanted) candidates_by_side(facts, c, q, wanted);
    if (q->size && wanted) candidates_by_size(facts, c, q->size, wanted);
    if (q->size && !wanted && c->count > 1) { /* "the small plants": below the widest step in size */
        candidates_by_size(facts, c, q->size, 1 + (c->count - 1) / 2);
    }
    if (number && number < c->count) candidates_prefer(facts, c, object_is_seen);
    char names[320];
    names_tell(facts, c, names, sizeof names);
    if (number > c->count)
        return reader_refuse(r, CODE_UNKNOWN, thing, "\"%s\" asks for %u, but there are %u: %s", reader_said(r, thing),
                             number, c->count, names);
    bool definite = amount->definite || amount->all || amount->both;
    if (number && number < c->count && definite && !amount->any) {
        if (amount->all || amount->both)
            return reader_refuse(r, CODE_AMBIGUOUS, thing, "\"%s\" asks for %u, but there are %u: %s",
                                 reader_said(r, thing), number, c->count, names);
    }
    r->cost += candidates_least(c);
    uint32_t need = number ? number : amount->any ? 1 : c->count;
    return set_make(r, c->objects, c->count, need, ret);
}

/* ---- candidates ---- */

static bool candidate_allowed(const reader *r, const refer_scope *scope, const quantity *amount, uint32_t object)
{
    const builtin_object *o = &r->facts->objects[object];
    if (scope->barred && set_has(scope->barred, object)) return false;
    if (scope->on != BUILTIN_NONE && !builtin_stands_on(r->facts, object, scope->on)) return false;
    if (scope->on != BUILTIN_NONE &&
        builtin_off_level(r->facts, scope->on, scope->on_level, o->centre[2] - o->half[2]) > 0)
        return false;
    for (uint32_t i = r->first_move; amount->rest && i < r->reading->count;
         i++) { /* the rest is what was not spoken of */
        if (set_has(&r->reading->moves[i].objects, object)) return false;
    }
    if (amount->other && set_has(&r->memory.last, object)) return false;
    if (amount->other && set_has(&r->memory.named, object) && r->memory.named.count < r->facts->object_count)
        return false;
    return true;
}

/* Beds make a bedroom: how far a thing is from the nearest thing that tells the room. */
static double room_way(const reader *r, const char *room, uint32_t object)
{
    static const struct {
        const char *room, *marks[6];
    } rooms[] = {{"bedroom", {"bed", "wardrobe", "nightstand"}},
                 {"living", {"sofa", "television", "coffee table"}},
                 {"kitchen", {"refrigerator", "stove", "kitchen table", "kitchen counter"}},
                 {"bathroom", {"toilet", "bathtub", "basin"}},
                 {"dining", {"dining table"}},
                 {"office", {"desk"}},
                 {"study", {"desk"}},
                 {"lounge", {"sofa", "television"}},
                 {"hall", {"front door", "shoe rack"}}};
    double least = INFINITY;
    for (size_t i = 0; i < sizeof rooms / sizeof rooms[0]; i++) {
        if (strcmp(rooms[i].room, room) != 0) continue;
        for (size_t k = 0; k < 6 && rooms[i].marks[k]; k++) {
            kinds_id mark;
            kinds_find(rooms[i].marks[k], &mark);
            for (uint32_t n = 0; n < r->facts->object_count; n++) {
                if (n == object || kinds_id_distance(&r->kinds[n], &mark) > KINDS_STEP) continue;
                double way = where_between(&r->facts->objects[n], &r->facts->objects[object]);
                least = way < least ? way : least;
            }
        }
    }
    return least;
}

static bool word_is_room(const char *word)
{
    static const char *const rooms[] = {"bedroom", "living", "kitchen", "bathroom", "dining",
                                        "office",  "study",  "lounge",  "hall",     NULL};
    for (const char *const *p = rooms; *p; p++) {
        if (strcmp(*p, word) == 0) return true;
    }
    return false;
}

static etna_code candidates_collect(reader *r, const refer_scope *scope, const quantity *amount, const match_query *q,
                                    candidates *c)
{
    c->count = 0;
    for (uint32_t i = 0; i < r->facts->object_count; i++) {
        if (!candidate_allowed(r, scope, amount, i)) continue;
        bool any_kind = !q->has_noun && q->generic;
        if (any_kind && r->facts->objects[i].is_static) continue;
        match_result m = match_object(r->facts, r->kinds, i, q);
        if (m.cost >= MATCH_NONE) continue;
        c->objects[c->count] = i;
        c->costs[c->count++] = m.cost;
    }
    uint32_t least = candidates_least(c), kept = 0;
    for (uint32_t i = 0; i < c->count;
         i++) { /* a lamp's shade is what "the table" means of a table lamp only for want of a table */
        if (least >= COST_NOT_HEAD || c->costs[i] < COST_NOT_HEAD) candidates_keep(c, i, &kept);
    }
    c->count = kept;
    return ETNA_OK;
}

/* "The dining chairs", where none is called so: the chairs by a dining table; "the bedroom desk": the desk in the room with
 * the bed; "the desk lamp": the lamp on the desk. The first words are the other thing's, the rest the thing's own. */
static etna_code candidates_by_place(reader *r, const refer_scope *scope, const quantity *amount, const match_query *q,
                                     candidates *c)
{
    const double within = 0.6, room_reach = 4, lead = 1; /* metres */
    if (q->count < 2 || lexicon_colour(q->words[0])) return ETNA_OK;
    uint32_t skip = 1;
    if (q->count > 2 && strcmp(q->words[1], "room") == 0) skip = 2;
    match_query own, where;
    etna_code code = match_query_make(q->words + skip, q->count - skip, r->arena, &own, r->err);
    if (code == ETNA_OK) code = match_query_make(q->words, 1, r->arena, &where, r->err);
    if (code == ETNA_OK) code = candidates_collect(r, scope, amount, &own, c);
    if (code != ETNA_OK) return code;
    bool room = word_is_room(q->words[0]);
    double least = INFINITY;
    for (uint32_t i = 0; i < c->count && room; i++) {
        double way = room_way(r, q->words[0], c->objects[i]);
        least = way < least ? way : least;
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        bool by = false;
        for (uint32_t k = 0; k < r->facts->object_count && !by; k++) {
            const builtin_object *o = &r->facts->objects[k];
            bool is_room = o->is_static && o->half[0] > 1 && o->half[1] > 1;
            if (k == c->objects[i] || is_room || match_object(r->facts, r->kinds, k, &where).cost >= COST_NOT_HEAD + 50)
                continue;
            by = builtin_is_above(r->facts, c->objects[i], k) ||
                 where_between(&r->facts->objects[c->objects[i]], o) < within;
        }
        double way = room && !by ? room_way(r, q->words[0], c->objects[i]) : INFINITY;
        by = by || (way < room_reach && way < least + lead);
        if (!by) continue;
        c->costs[i] += 30;
        candidates_keep(c, i, &kept);
    }
    c->count = kept;
    return ETNA_OK;
}

static etna_code candidates_make(reader *r, candidates *ret)
{
    ret->count = 0;
    ret->objects = etna_arena_alloc(r->arena, r->facts->object_count + 1u, sizeof *ret->objects);
    ret->costs = etna_arena_alloc(r->arena, r->facts->object_count + 1u, sizeof *ret->costs);
    return ret->objects && ret->costs ? ETNA_OK : reader_no_memory(r);
}

/* "the big blue box", where no box is blue: the only blue thing that is a container as a box is. */
static etna_code candidates_of_family(reader *r, const refer_scope *scope, const quantity *amount, const match_query *q,
                                      candidates *c)
{
    static const char *const families[] = {"container", "furniture", "tableware", "clothing", "toy"};
    c->count = 0;
    for (size_t f = 0; f < 2 * sizeof families / sizeof families[0] && c->count != 1; f++) {
        bool strict = f < sizeof families / sizeof families[0];
        kinds_id family;
        c->count = 0;
        kinds_find(families[f % (sizeof families / sizeof families[0])], &family);
        if (kinds_id_distance(&q->said, &family) >= KINDS_NEAR) continue;
        for (uint32_t i = 0; i < r->facts->object_count; i++) {
            const builtin_object *o = &r->facts->objects[i];
            bool kin = kinds_id_distance(&r->kinds[i], &family) < KINDS_NEAR && candidate_allowed(r, scope, amount, i);
            bool coloured = o->has_colour && (strict ? builtin_colour_of(o->lab) == (builtin_colour)q->colour
                                                     : builtin_colour_near(o->lab, (builtin_colour)q->colour));
            if (!kin || !coloured || o->is_static) continue;
            c->objects[c->count] = i;
            c->costs[c->count++] = 120;
        }
        candidates_by_size(r->facts, c, q->size, 1);
    }
    if (c->count > 1) c->count = 0;
    return ETNA_OK;
}

/* Things of the same nouns without what is said besides: for the refusal. */
static etna_code candidates_nearly(reader *r, const refer_scope *scope, const match_query *q, candidates *c)
{
    const char *nouns[REFER_WORDS_MAX];
    uint32_t count = 0;
    bool superlative;
    for (uint32_t i = 0; i < q->count; i++) {
        bool property = lexicon_colour(q->words[i]) || lexicon_size(q->words[i], &superlative);
        if (!property) nouns[count++] = q->words[i];
    }
    const quantity any = {0};
    etna_code code = ETNA_OK;
    for (uint32_t first = 0; first < count && c->count == 0 && code == ETNA_OK; first++) {
        match_query own;
        code = match_query_make(nouns + first, count - first, r->arena, &own, r->err);
        if (code == ETNA_OK) code = candidates_collect(r, scope, &any, &own, c);
    }
    return code;
}

static bool name_find(const reader *r, const char *name, uint32_t *ret)
{
    for (uint32_t i = 0; i < r->facts->object_count; i++) {
        if (strcmp(r->facts->objects[i].name, name) != 0) continue;
        *ret = i;
        return true;
    }
    return false;
}

/* A name written as the file has it: "Block" beside "Block.001". */
static bool core_is_name(const reader *r, const chart_node *thing, uint32_t *ret)
{
    const chart_node *core = chart_child(thing, "CORE");
    if (!core) return false;
    uint32_t from = r->s->tokens[r->part->first + core->first].at,
             to = r->s->tokens[r->part->first + core->end - 1].end;
    char *raw = etna_arena_strndup(r->arena, r->text + from, to - from);
    bool marked = raw && raw[strcspn(raw, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")] != 0;
    return marked && name_find(r, raw, ret);
}

/* Do all candidates answer only as far as anybody knows? */
static bool candidates_unproven(const reader *r, const match_query *q, const candidates *c)
{
    for (uint32_t i = 0; i < c->count; i++) {
        if (!match_object(r->facts, r->kinds, c->objects[i], q).unproven) return false;
    }
    return true;
}

static bool thing_is_modified(const chart_node *thing)
{
    for (uint32_t i = 0; i < thing->child_count; i++) {
        const chart_node *c = thing->children[i];
        if (!c->is_terminal && !node_is(c, "CORE") && !node_is(c, "NUMBER")) return true;
    }
    return false;
}

static bool query_borrows(uint32_t nouns, const match_query *q)
{
    return !q->has_noun && nouns > 0 && (q->generic || q->count > 0 || q->ordinal);
}

static etna_code refer_remember(reader *r, const match_query *q, bool movers)
{
    r->memory.noun_count = 0;
    bool superlative;
    for (uint32_t i = 0; i < q->count && r->memory.noun_count < REFER_WORDS_MAX; i++) {
        const char *w = q->words[i];
        bool property = lexicon_colour(w) || lexicon_size(w, &superlative) || (w[0] >= '0' && w[0] <= '9');
        bool side = !property && (strcmp(w, "left") == 0 || strcmp(w, "right") == 0 || strcmp(w, "middle") == 0 ||
                                  strcmp(w, "leftmost") == 0 || strcmp(w, "rightmost") == 0);
        bool last = i + 1 == q->count;
        if ((property || side) && !(last && kinds_known(w))) continue;
        char lemma[KINDS_WORD_SIZE];
        size_t size = kinds_lemma(w, lemma, sizeof lemma, NULL);
        const char *one =
            size && last ? etna_arena_strdup(r->arena, lemma) : w; /* "the largest" of the boxes is one box */
        if (!one) return reader_no_memory(r);
        r->memory.nouns[r->memory.noun_count++] = one;
    }
    if (!movers) return ETNA_OK;
    r->memory.mover_noun_count = r->memory.noun_count;
    memcpy(r->memory.mover_nouns, r->memory.nouns, sizeof r->memory.nouns);
    return ETNA_OK;
}

/* "of the two books" behind words without a noun: the phrase that says of what; NULL: none. */
static const chart_node *partitive_of(const reader *r, const chart_node *thing, const match_query *q)
{
    const chart_node *of = chart_child(thing, "OF");
    const chart_node *inner = of ? of->children[of->child_count - 1] : NULL;
    bool plural = inner && phrase_is_plural(r, inner);
    return !q->has_noun && !q->generic && plural && (q->size || q->sides || q->colour || q->ordinal) ? inner : NULL;
}

/* Bars everything but those of a set; `ret_words` are what they are called. */
static etna_code partitive_scope(reader *r, const chart_node *of, const refer_scope *scope, builtin_set *ret)
{
    builtin_set set;
    refer_scope many = *scope;
    many.many = true;
    etna_code code = refer_things(r, of, &many, &set);
    uint32_t *others = etna_arena_alloc(r->arena, r->facts->object_count + 1u, sizeof *others), count = 0;
    if (code != ETNA_OK || !others) return code != ETNA_OK ? code : reader_no_memory(r);
    for (uint32_t i = 0; i < r->facts->object_count; i++) {
        if (!set_has(&set, i)) others[count++] = i;
    }
    *ret = (builtin_set){.count = count, .objects = others, .need = count};
    return ETNA_OK;
}

/* "Green white red": a list without its commas is no thing of three colours. */
static bool query_contradicts(const match_query *q)
{
    uint32_t colour = 0;
    for (uint32_t i = 0; i < q->count; i++) {
        uint32_t own = lexicon_colour(q->words[i]);
        bool last = i + 1 == q->count; /* "the yellow orange" */
        if (own && colour && own != colour && !(last && kinds_known(q->words[i]))) return true;
        if (own) colour = own;
    }
    return false;
}

static etna_code refer_thing(reader *r, const chart_node *thing, const refer_scope *given, builtin_set *ret)
{
    refer_scope own_scope = *given;
    const refer_scope *scope = &own_scope;
    const char *words[2 * REFER_WORDS_MAX];
    uint32_t count = core_words(r, thing, words), own = 0;
    quantity amount = quantity_of(thing);
    if (core_is_name(r, thing, &own)) {
        if (scope->movers && !object_moves(r->facts, own)) return refuse_fixed(r, thing, own);
        return set_make(r, &own, 1, 1, ret);
    }
    if (amount.none)
        return reader_refuse(r, CODE_UNREAD, thing, "\"%s\": what not to do is not understood", reader_said(r, thing));
    match_query q;
    etna_code code = match_query_make(words, count, r->arena, &q, r->err);
    if (code != ETNA_OK) return code;
    if (query_contradicts(&q))
        return reader_refuse(r, CODE_UNREAD, thing, "\"%s\" has several colours", reader_said(r, thing));
    const chart_node *of = partitive_of(r, thing, &q);
    builtin_set others;
    if (of) {
        code = partitive_scope(r, of, given, &others);
        if (code != ETNA_OK) return code;
        own_scope.barred = &others;
    }
    bool plural = (count > 0 && match_is_plural_word(words[count - 1])) || amount.all || amount.both || amount.each ||
                  amount.number > 1;
    bool bare = count == 0;
    bool together = bare && !amount.other && !amount.rest && r->memory.last.count > 0 &&
                    (amount.all || amount.both || amount.number == r->memory.last.count);
    if (together) {
        *ret = r->memory.last;
        return ETNA_OK;
    }
    if (bare && !amount.rest && !amount.other && r->memory.noun_count == 0)
        return reader_refuse(r, CODE_AMBIGUOUS, thing, "what \"%s\" means is not clear", reader_said(r, thing));
    if (bare && (amount.rest || amount.other) && r->memory.noun_count == 0) q.generic = true;
    bool as_moved = scope->movers && r->memory.mover_noun_count > 0;
    const char *const *nouns = as_moved ? r->memory.mover_nouns : r->memory.nouns;
    uint32_t noun_count = as_moved ? r->memory.mover_noun_count : r->memory.noun_count;
    bool bare_or_borrowed = bare || query_borrows(noun_count, &q);
    if (bare_or_borrowed) {
        uint32_t borrowed = noun_count < REFER_WORDS_MAX - 1 ? noun_count : REFER_WORDS_MAX - 1;
        bool was_generic = q.generic, from_right = q.ordinal_from_right;
        uint32_t used = 0;
        const char *joined[2 * REFER_WORDS_MAX];
        for (uint32_t i = 0; i < count; i++) {
            bool one = i + 1 == count && (strcmp(words[i], "one") == 0 || strcmp(words[i], "ones") == 0);
            plural = plural || (one && words[i][3] == 's');
            if (!one && used + borrowed < REFER_WORDS_MAX) joined[used++] = words[i];
        }
        for (uint32_t i = 0; i < borrowed; i++) joined[used++] = nouns[i];
        code = match_query_make(joined, used, r->arena, &q, r->err);
        if (code != ETNA_OK) return code;
        q.generic = q.generic || (was_generic && borrowed == 0);
        q.ordinal_from_right = from_right;
        if (used == 0) q.generic = true;
        bool all_others = bare && (amount.rest || amount.other);
        plural = plural || (all_others && !amount.indefinite && amount.number != 1 && chart_find(thing, "$quant"));
    } else if (q.has_noun) {
        refer_remember(r, &q, scope->movers);
    }
    candidates c = {0}, near = {0};
    code = candidates_make(r, &c);
    if (code == ETNA_OK) code = candidates_make(r, &near);
    if (code == ETNA_OK) code = candidates_collect(r, scope, &amount, &q, &c);
    if (code == ETNA_OK && c.count == 0 && bare_or_borrowed &&
        r->memory.named.count > 0) { /* called otherwise than it was: by its own name's noun */
        const builtin_object *like = &r->facts->objects[r->memory.named.objects[0]];
        const char *own_words[REFER_WORDS_MAX];
        uint32_t used = 0;
        for (uint32_t i = 0; i < count && used + 1 < REFER_WORDS_MAX; i++) {
            if (strcmp(words[i], "one") != 0 && strcmp(words[i], "ones") != 0) own_words[used++] = words[i];
        }
        for (uint32_t k = like->word_count; k > 0; k--) {
            bool noun = like->words[k - 1][0] > '9' && !lexicon_colour(like->words[k - 1]);
            if (!noun) continue;
            own_words[used++] = like->words[k - 1];
            break;
        }
        code = match_query_make(own_words, used, r->arena, &q, r->err);
        if (code == ETNA_OK) code = candidates_collect(r, scope, &amount, &q, &c);
    }
    bool any_kind =
        code == ETNA_OK && c.count == 0 && bare_or_borrowed && count > 1 && strcmp(words[count - 1], "one") == 0;
    if (any_kind) { /* "the oak one": whatever is of oak */
        code = match_query_make(words, count, r->arena, &q, r->err);
        if (code == ETNA_OK) code = candidates_collect(r, scope, &amount, &q, &c);
    }
    q.partitive = of != NULL;
    bool counted = code == ETNA_OK && q.ordinal && given->barred && !of; /* "the third" counts what is moved, too */
    if (counted) {
        own_scope.barred = NULL;
        code = candidates_collect(r, scope, &amount, &q, &c);
    }
    bool unproven = code == ETNA_OK && c.count > 0 && candidates_unproven(r, &q, &c);
    if (code == ETNA_OK && (c.count == 0 || unproven)) {
        code = candidates_by_place(r, scope, &amount, &q, &near);
        if (code == ETNA_OK && near.count > 0) {
            c = near;
            unproven = false;
            code = candidates_make(r, &near);
        }
        near.count = 0;
    }
    if (code != ETNA_OK) return code;
    bool one_kind = amount.number ? c.count == amount.number : c.count == 1;
    if (unproven && !one_kind && !thing_is_modified(thing)) return refuse_unknown(r, thing, &c);
    if (c.count == 0 && !scope->movers && phrase_means_room(r, thing)) {
        uint32_t floor = refer_floor(r->facts);
        if (floor != BUILTIN_NONE) return set_make(r, &floor, 1, 1, ret);
    }
    if (c.count > 0) code = candidates_modify(r, thing, &q, &c);
    bool colours = code == ETNA_OK && c.count > 0 && q.colour;
    if (colours) candidates_by_colour(r, &c, &q, plural);
    if (colours && c.count == 0) code = candidates_of_family(r, scope, &amount, &q, &c);
    if (code != ETNA_OK) return code;
    if (c.count == 0) {
        code = candidates_nearly(r, scope, &q, &near);
        return code == ETNA_OK ? refuse_unknown(r, thing, &near) : code;
    }
    bool many = (plural || (amount.each && scope->movers)) && !(q.ordinal && amount.number < 2) &&
                !(q.superlative && amount.number < 2 && !match_is_plural_word(q.count ? q.words[q.count - 1] : ""));
    if (!scope->movers && !scope->many && amount.number < 2 && !amount.all && !amount.each) many = many && plural;
    code =
        many ? choose_many(r, thing, scope, &q, &amount, &c, ret) : choose_one(r, thing, scope, &q, &amount, &c, ret);
    if (code != ETNA_OK) return code;
    uint32_t fixed = 0;
    for (uint32_t i = 0; i < ret->count && scope->movers; i++) fixed += !object_moves(r->facts, ret->objects[i]);
    if (fixed == ret->count && fixed > 0) return refuse_fixed(r, thing, ret->objects[0]);
    if (fixed > 0) { /* of several: those that can be moved */
        uint32_t *kept = etna_arena_alloc(r->arena, ret->count, sizeof *kept), used = 0;
        if (!kept) return reader_no_memory(r);
        for (uint32_t i = 0; i < ret->count; i++) {
            if (object_moves(r->facts, ret->objects[i])) kept[used++] = ret->objects[i];
        }
        *ret = (builtin_set){.count = used, .objects = kept, .need = ret->need == ret->count ? used : ret->need};
    }
    return ETNA_OK;
}

/* ---- other phrases ---- */

static etna_code refer_everything(reader *r, const chart_node *node, const refer_scope *scope, builtin_set *ret)
{
    candidates c = {0};
    match_query q = {.generic = true, .whole = ""};
    const quantity all = {.all = true};
    etna_code code = candidates_make(r, &c);
    if (code == ETNA_OK) code = candidates_collect(r, scope, &all, &q, &c);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < c.count; i++) {
        if (object_moves(r->facts, c.objects[i])) candidates_keep(&c, i, &kept);
    }
    c.count = kept;
    if (code == ETNA_OK) code = candidates_modify(r, node, &q, &c);
    if (code != ETNA_OK) return code;
    bool restricted = node->child_count > 1 || scope->on != BUILTIN_NONE;
    if (!restricted)
        return reader_refuse(r, CODE_UNREAD, node, "which things \"%s\" means is not said", reader_said(r, node));
    if (c.count == 0) return reader_refuse(r, CODE_UNKNOWN, node, "nothing here is \"%s\"", reader_said(r, node));
    return set_make(r, c.objects, c.count, c.count, ret);
}

static etna_code refer_pronoun(reader *r, const chart_node *node, const refer_scope *scope, builtin_set *ret)
{
    const chart_node *word = chart_child(node, "$pron");
    if (!word) word = chart_child(node, "$what");
    uint32_t reference = r->memory.last_reference;
    bool itself = scope->barred && r->memory.last.count == 1 && set_has(scope->barred, r->memory.last.objects[0]);
    switch (word ? word->value : 0) {
    case PRON_EVERYTHING: return refer_everything(r, node, scope, ret);
    case PRON_IT:
    case PRON_HERE:
        if (scope->barred && (itself || r->memory.last.count == 0) && reference != BUILTIN_NONE)
            return set_make(r, &reference, 1, 1, ret);
        if (r->memory.last.count == 0 && reference != BUILTIN_NONE && object_moves(r->facts, reference))
            return set_make(r, &reference, 1, 1, ret);
        if (!scope->movers && r->memory.last.count > 1 && reference != BUILTIN_NONE)
            return set_make(r, &reference, 1, 1, ret);
        if (r->memory.last.count == 1 || (scope->movers && r->memory.last.count > 0)) {
            *ret = r->memory.last;
            return ETNA_OK;
        }
        return reader_refuse(r, CODE_AMBIGUOUS, node, "what \"%s\" means is not clear", reader_said(r, node));
    case PRON_THEM:
        if (r->memory.last.count > 0) {
            *ret = r->memory.last;
            return ETNA_OK;
        }
        return reader_refuse(r, CODE_AMBIGUOUS, node, "what \"%s\" means is not clear", reader_said(r, node));
    default: return reader_refuse(r, CODE_UNREAD, node, "\"%s\" is not understood here", reader_said(r, node));
    }
}

static etna_code set_join(reader *r, const builtin_set *a, const builtin_set *b, builtin_set *ret)
{
    uint32_t *all = etna_arena_alloc(r->arena, a->count + b->count + 1u, sizeof *all), count = 0;
    if (!all) return reader_no_memory(r);
    for (uint32_t i = 0; i < a->count; i++) all[count++] = a->objects[i];
    for (uint32_t i = 0; i < b->count; i++) {
        if (!set_has(a, b->objects[i])) all[count++] = b->objects[i];
    }
    uint32_t need = a->need == a->count && b->need == b->count ? count : a->need + b->need;
    return set_make(r, all, count, need, ret);
}

/* A conjunct without a noun ("the red and the green bottle") takes the next one's. */
static void nouns_ahead(reader *r, const chart_node *node, uint32_t from)
{
    for (uint32_t i = from; i < node->child_count; i++) {
        match_query q;
        const chart_node *thing = phrase_thing(node->children[i]);
        if (!node_is(thing, "THING") || thing_query(r, thing, &q) != ETNA_OK || !q.has_noun) continue;
        refer_remember(r, &q, true);
        return;
    }
}

static etna_code refer_many(reader *r, const chart_node *node, const refer_scope *scope, builtin_set *ret)
{
    builtin_set sum = {0}, one;
    for (uint32_t i = 0; i < node->child_count; i++) {
        const chart_node *child = node->children[i];
        if (child->is_terminal) continue;
        match_query q;
        const chart_node *thing = phrase_thing(child);
        bool lacks = node_is(thing, "THING") && thing_query(r, thing, &q) == ETNA_OK && !q.has_noun && q.count > 0;
        if (lacks) nouns_ahead(r, node, i + 1);
        etna_code code = refer_things(r, child, scope, &one);
        if (code == ETNA_OK) code = set_join(r, &sum, &one, &sum);
        if (code != ETNA_OK) return code;
    }
    *ret = sum;
    return ETNA_OK;
}

static etna_code refer_except(reader *r, const chart_node *node, const refer_scope *scope, builtin_set *ret)
{
    builtin_set all, but;
    refer_scope any = {.on = BUILTIN_NONE, .many = true};
    etna_code code = refer_things(r, node->children[0], scope, &all);
    const chart_node *last = NULL;
    for (uint32_t i = 1; i < node->child_count; i++) last = node->children[i]->is_terminal ? last : node->children[i];
    reader_memory memory = r->memory;
    if (code == ETNA_OK) code = refer_things(r, last, &any, &but);
    r->memory = memory;
    if (code != ETNA_OK) return code;
    r->excepted = but;
    uint32_t *kept = etna_arena_alloc(r->arena, all.count + 1u, sizeof *kept), count = 0;
    if (!kept) return reader_no_memory(r);
    for (uint32_t i = 0; i < all.count; i++) {
        if (!set_has(&but, all.objects[i])) kept[count++] = all.objects[i];
    }
    if (count == 0) return reader_refuse(r, CODE_UNKNOWN, node, "\"%s\" leaves nothing", reader_said(r, node));
    return set_make(r, kept, count, count, ret);
}

/* "the desk's lamp", "two of the bottles". */
static etna_code refer_owned(reader *r, const chart_node *node, const refer_scope *scope, builtin_set *ret)
{
    uint32_t owner;
    refer_scope any = {.on = BUILTIN_NONE};
    etna_code code = refer_one(r, node->children[0], &any, &owner);
    if (code != ETNA_OK) return code;
    if (owner >= r->facts->object_count) /* who looks at the picture owns nothing in it */
        return reader_refuse(r, CODE_UNREAD, node, "\"%s\" is not understood", reader_said(r, node));
    candidates c = {0};
    match_query q;
    const quantity amount = {.definite = true};
    code = thing_query(r, node, &q);
    if (code == ETNA_OK && !q.has_noun && !q.generic) /* "the shelf's front" is a place, and no thing */
        return reader_refuse(r, CODE_UNREAD, node, "\"%s\" is not understood", reader_said(r, node));
    if (code == ETNA_OK) code = candidates_make(r, &c);
    if (code == ETNA_OK) code = candidates_collect(r, scope, &amount, &q, &c);
    if (code != ETNA_OK) return code;
    const builtin_set to = {.count = 1, .objects = &owner, .need = 1};
    if (match_is_plural_word(q.count ? q.words[q.count - 1] : "")) {
        uint32_t kept = 0;
        for (uint32_t i = 0; i < c.count; i++) {
            if (where_between(&r->facts->objects[c.objects[i]], &r->facts->objects[owner]) < 1)
                candidates_keep(&c, i, &kept);
        }
        c.count = kept;
        if (c.count) return set_make(r, c.objects, c.count, c.count, ret);
    }
    candidates_by_way(r->facts, &c, &to, false);
    if (c.count == 0) return refuse_unknown(r, node, &c);
    return set_make(r, c.objects, c.count, c.count, ret);
}

static etna_code refer_part_of(reader *r, const chart_node *node, const refer_scope *scope, builtin_set *ret)
{
    quantity q = quantity_of(node);
    builtin_set whole;
    const chart_node *inner = node->children[node->child_count - 1];
    refer_scope all = *scope;
    all.many = true;
    etna_code code = refer_things(r, inner, &all, &whole);
    if (code != ETNA_OK) return code;
    *ret = whole;
    if (q.number && q.number < whole.count) ret->need = q.number;
    if (q.any && !q.number) ret->need = 1;
    if (q.number > whole.count)
        return reader_refuse(r, CODE_UNKNOWN, node, "\"%s\" asks for %u, but there are %u", reader_said(r, node),
                             q.number, whole.count);
    return ETNA_OK;
}

static etna_code refer_quoted(reader *r, const chart_node *node, const refer_scope *scope, builtin_set *ret)
{
    const chart_node *word = chart_child(node, "$quoted");
    const char *name = r->s->tokens[word->value].text;
    uint32_t object = BUILTIN_NONE;
    if (name_find(r, name, &object)) {
        if (scope->movers && !object_moves(r->facts, object)) return refuse_fixed(r, node, object);
        return set_make(r, &object, 1, 1, ret);
    }
    uint32_t count = 0;
    const char *const *words = builtin_name_words(name, r->arena, &count);
    match_query q;
    candidates c = {0};
    const quantity amount = {.definite = true};
    if (!words) return reader_no_memory(r);
    etna_code code = match_query_make(words, count < REFER_WORDS_MAX ? count : REFER_WORDS_MAX, r->arena, &q, r->err);
    if (code == ETNA_OK) code = candidates_make(r, &c);
    if (code == ETNA_OK && q.has_noun) code = candidates_collect(r, scope, &amount, &q, &c);
    if (code != ETNA_OK) return code;
    if (c.count == 0) return refuse_unknown(r, node, &c);
    return choose_one(r, node, scope, &q, &amount, &c, ret);
}

/* Is the phrase nothing but names as the file writes them? */
static bool phrase_is_names(const reader *r, const chart_node *node)
{
    uint32_t object;
    if (node_is(node, "QUOTED")) return true;
    if (node_is(node, "THING")) return core_is_name(r, node, &object);
    bool all = node_is(node, "AND");
    for (uint32_t i = 0; all && i < node->child_count; i++)
        all = node->children[i]->is_terminal || phrase_is_names(r, node->children[i]);
    return all;
}

/* "the lower glass plate (SecondGlass)", "the two bishops, Object_6 and Object_9": the names say which. */
static etna_code refer_apposed(reader *r, const chart_node *node, const refer_scope *scope, builtin_set *ret)
{
    const chart_node *name = NULL;
    for (uint32_t i = 1; i < node->child_count; i++) name = node->children[i]->is_terminal ? name : node->children[i];
    if (!phrase_is_names(r, name))
        return reader_refuse(r, CODE_UNREAD, node, "\"%s\" is not understood", reader_said(r, node));
    match_query q;
    const chart_node *thing = phrase_thing(node->children[0]);
    if (node_is(thing, "THING") && thing_query(r, thing, &q) == ETNA_OK && q.has_noun)
        refer_remember(r, &q, scope->movers);
    return refer_things(r, name, scope, ret);
}

etna_code refer_things(reader *r, const chart_node *node, const refer_scope *scope, builtin_set *ret)
{
    if (node_is(node, "THING")) return refer_thing(r, node, scope, ret);
    if (node_is(node, "PRON")) return refer_pronoun(r, node, scope, ret);
    if (node_is(node, "AND")) return refer_many(r, node, scope, ret);
    if (node_is(node, "EXCEPT")) return refer_except(r, node, scope, ret);
    if (node_is(node, "OWNED")) return refer_owned(r, node, scope, ret);
    if (node_is(node, "OF")) return refer_part_of(r, node, scope, ret);
    if (node_is(node, "QUOTED")) return refer_quoted(r, node, scope, ret);
    if (node_is(node, "ALLOF")) return refer_things(r, node->children[0], scope, ret);
    if (node_is(node, "OR")) {
        etna_code code = refer_many(r, node, scope, ret);
        if (code == ETNA_OK) ret->need = 1;
        return code;
    }
    if (node_is(node, "APPOSED")) return refer_apposed(r, node, scope, ret);
    return reader_refuse(r, CODE_UNREAD, node, "\"%s\" is not understood", reader_said(r, node));
}

etna_code refer_one(reader *r, const chart_node *node, const refer_scope *scope, uint32_t *ret)
{
    if (phrase_is_pronoun(node, PRON_ME)) {
        *ret = BUILTIN_CAMERA;
        return ETNA_OK;
    }
    builtin_set set;
    etna_code code = refer_things(r, node, scope, &set);
    if (code != ETNA_OK) return code;
    bool any = set.need < set.count && set.need == 1;
    if (set.count == 0 || (set.count > 1 && !any)) {
        char names[320];
        candidates c = {.count = set.count, .objects = (uint32_t *)(uintptr_t)set.objects};
        names_tell(r->facts, &c, names, sizeof names);
        return reader_refuse(r, CODE_AMBIGUOUS, node,
                             "\"%s\" means %u things (%s), and a place is by one of them: say it for each",
                             reader_said(r, node), set.count, names);
    }
    *ret = set.objects[0];
    return ETNA_OK;
}

/* ---- levels ---- */

static const builtin_word *level_words(const reader *r, const chart_node *node, uint32_t *ret_count)
{
    builtin_word *words = etna_arena_alloc(r->arena, node->end - node->first + 1u, sizeof *words);
    uint32_t count = 0;
    for (uint32_t i = node->first; words && i < node->end; i++) {
        const sentence_token *t = &r->s->tokens[r->part->first + i];
        const char *next = i + 2 < node->end ? r->s->tokens[r->part->first + i + 2].text : "";
        const char *near = i + 1 < node->end ? r->s->tokens[r->part->first + i + 1].text : "";
        const char *text = t->text;
        uint32_t end = t->end;
        if (strcmp(text, "from") == 0 && strcmp(near, "the") == 0 &&
            (strcmp(next, "top") == 0 || strcmp(next, "bottom") == 0)) {
            text = strcmp(next, "top") == 0 ? "from-top" : "from-bottom";
            end = r->s->tokens[r->part->first + i + 2].end;
            i += 2;
        }
        words[count++] = (builtin_word){.text = text, .quoted = t->quoted, .at = t->at, .end = end};
    }
    *ret_count = count;
    return words;
}

/* What has levels: of those called by the noun ("shelf"), else any that has several. */
static etna_code level_owner(reader *r, const chart_node *node, const builtin_level_words *said,
                             const builtin_word *words, const builtin_set *movers, uint32_t *ret)
{
    candidates c = {0};
    match_query q;
    const char *text[REFER_WORDS_MAX];
    uint32_t count = 0;
    const quantity amount = {.definite = true};
    for (uint32_t i = said->owner_first; i < said->owner_end && count < REFER_WORDS_MAX; i++) {
        if (!lexicon_is_function_word(words[i].text) || words[i].quoted) text[count++] = words[i].text;
    }
    bool owned = count > 0;
    if (!owned) text[count++] = said->noun;
    refer_scope scope = refer_scope_place(movers);
    etna_code code = candidates_make(r, &c);
    for (int pass = 0; pass < (owned ? 1 : 2) && c.count == 0 && code == ETNA_OK; pass++) {
        if (pass) text[0] = "shelf";
        code = match_query_make(text, count, r->arena, &q, r->err);
        if (code == ETNA_OK) code = candidates_collect(r, &scope, &amount, &q, &c);
        uint32_t kept = 0;
        for (uint32_t i = 0; i < c.count; i++) {
            if (owned || builtin_levels(r->facts, c.objects[i]) > 1) candidates_keep(&c, i, &kept);
        }
        c.count = kept;
    }
    for (uint32_t i = 0; i < r->facts->object_count && c.count == 0 && !owned && code == ETNA_OK; i++) {
        if (builtin_levels(r->facts, i) <= 1 || r->facts->objects[i].is_static) continue;
        c.objects[c.count] = i;
        c.costs[c.count++] = 40;
    }
    if (code != ETNA_OK) return code;
    if (c.count == 0) return refuse_unknown(r, node, &c);
    builtin_set set;
    code = choose_one(r, node, &scope, &q, &amount, &c, &set);
    if (code == ETNA_OK) *ret = set.objects[0];
    return code;
}

etna_code refer_level(reader *r, const chart_node *node, const builtin_set *movers, bool *ret_is_level,
                      uint32_t *ret_object, uint32_t *ret_level)
{
    builtin_level_words said;
    uint32_t count = 0;
    *ret_is_level = false;
    if (!node_is(node, "THING") && !node_is(node, "OWNED")) return ETNA_OK;
    uint32_t named;
    if (node_is(node, "THING") && core_is_name(r, node, &named)) return ETNA_OK;
    const builtin_word *words = level_words(r, node, &count);
    if (!words) return reader_no_memory(r);
    if (!builtin_level_said(words, 0, count, &said)) return ETNA_OK;
    uint32_t owner = BUILTIN_NONE;
    bool one = said.noun && strcmp(said.noun, "one") == 0;
    if (one && r->memory.last_reference != BUILTIN_NONE && builtin_levels(r->facts, r->memory.last_reference) > 1)
        owner = r->memory.last_reference;
    if (one && owner == BUILTIN_NONE) return ETNA_OK;
    if (owner == BUILTIN_NONE) {
        reader before = *r;
        etna_code code = level_owner(r, node, &said, words, movers, &owner);
        if (code == ETNA_E_INPUT &&
            said.owner_first == said.owner_end) { /* "the top shelf" that is a shelf of its own */
            *r = before;
            return ETNA_OK;
        }
        if (code != ETNA_OK) return code;
    }
    uint32_t levels = builtin_levels(r->facts, owner), shelves = builtin_shelves(r->facts, owner);
    bool of_level = said.noun && strcmp(said.noun, "level") == 0; /* the planner's own word counts the roof */
    uint32_t all = of_level ? levels : shelves;
    uint32_t level = builtin_level_of(&said, all);
    if (level == 0)
        return reader_refuse(r, said.middle ? CODE_AMBIGUOUS : CODE_UNKNOWN, node,
                             "%.200s has no \"%s\": it has %u levels", r->facts->objects[owner].name,
                             reader_said(r, node), all);
    *ret_is_level = true;
    *ret_object = owner;
    *ret_level = level;
    return ETNA_OK;
}
