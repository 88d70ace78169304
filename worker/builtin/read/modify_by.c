/* What other things tell of a thing: it has them or bears them, is a part of
 * them, is full of them, is nearest to them. */
#include "worker/builtin/read/details.h"
#include "worker/builtin/read/modify_internal.h"
#include "worker/builtin/read/set.h"
#include "worker/math/vec.h"

#include <math.h>

enum {
    /* "from the table with the other plate": rather to that plate */
    COST_OF_OTHER = 40
};

/* "The helmet closer to the helmet": where it is to go, and nothing that tells
 * which. */
static bool way_is_to_itself(const modification *m, const builtin_set *to)
{
    return m->found->count == 1 && to->count == 1 &&
           m->found->items[0].object == to->objects[0];
}

/* "nearest", "farthest": one, or as many as the number says. */
etna_code modify_by_way(const modification *m)
{
    enum {
        FARTHEST = 2,
        TELLS_NOTHING = 30
    };
    const chart_node *word = chart_child(m->mod, "$nearest");
    const uint32_t number = phrase_quantity(m->thing).number;
    const bool farthest = word && word->value == FARTHEST;
    builtin_set to;
    refer_scope scope = {.on = BUILTIN_NONE};
    if (candidates_near(m->found) == 1)
        /* "the table closer to the sofa" is moved there */
        m->r->cost += TELLS_NOTHING;
    etna_code code = refer_things(m->r, node_last(m->mod), &scope, &to);
    if (code == ETNA_OK && way_is_to_itself(m, &to))
        return reader_refuse_said(m->r, CODE_UNREAD, m->mod,
                                  "it is that itself");
    /* "the plate nearest the jug": of the plates, and no tray */
    candidates_within(m->found, SLACK_CALLED);
    if (code == ETNA_OK && to.count == 1)
        m->r->memory.last_reference = to.objects[0];
    /* "the three desks nearest to the blackboard" */
    if (code == ETNA_OK && number > 1)
        candidates_by_way_several(m->r, m->found, &to, farthest, number);
    else if (code == ETNA_OK)
        candidates_by_way(m->r, m->found, &to, farthest);
    return code;
}

/* "with two drawers", "that has books on it". */
typedef struct possession {
    const reader *r;
    const builtin_set *had;
    quantity amount;
    /* which of several: of one alone it would tell nothing, and means what is
     * to come along */
    bool tells;
} possession;

/* "With only a plate on it": and nothing else. */
static bool object_bears_others(const possession *p, uint32_t object)
{
    for (uint32_t i = 0; i < p->r->facts->object_count; i++) {
        if (i != object && builtin_stands_on(p->r->facts, i, object) &&
            !set_has(p->had, i))
            return true;
    }
    return false;
}

/* "The cups on the tray, then the tray with the cups on it": by what this text
 * does with it last. */
static bool object_is_put_onto(const reader *r, uint32_t object, uint32_t onto)
{
    bool there = false;
    for (uint32_t i = 0; i < r->reading->count; i++) {
        const builtin_move *const m = &r->reading->moves[i];
        if (!set_has(&m->objects, object) ||
            m->objects.need != m->objects.count)
            continue;
        there = m->reference == onto && m->each.count == 0 &&
                bit_is_in(m->relation, BIT(RELATION_ON) | BIT(RELATION_IN));
    }
    return there;
}

/* Does it bear them, hold them or have them close by, as many as are said? */
static bool object_has(const void *context, uint32_t object)
{
    const double close = 0.5; /* metres */
    const possession *p = context;
    uint32_t count = 0;
    for (uint32_t k = 0; k < p->had->count; k++) {
        uint32_t had = p->had->objects[k];
        if (had == object)
            continue;
        bool near = p->tells && object_way(p->r, had, object) < close;
        count += near || builtin_is_above(p->r->facts, had, object) ||
                 object_is_put_onto(p->r, had, object);
    }
    if ((p->amount.says & SAYS_ONLY) && object_bears_others(p, object))
        return false;
    if (p->amount.number == 0)
        return count > 0;
    return p->amount.says & SAYS_ONLY ? count == p->amount.number
                                      : count >= p->amount.number;
}

typedef struct name_colour {
    const reader *r;
    uint32_t colour;
} name_colour;

static bool object_is_named_by_colour(const void *context, uint32_t object)
{
    const name_colour *named = context;
    const builtin_object *o = object_at(named->r, object);
    for (uint32_t k = 0; k < o->word_count; k++) {
        if (lexicon_colour(o->words[k]) == named->colour)
            return true;
    }
    return false;
}

/* One of its materials is called so. */
static bool object_has_part_of_colour(const void *context, uint32_t object)
{
    const name_colour *named = context;
    const builtin_object *o = object_at(named->r, object);
    for (uint32_t k = 0; k < o->material_count; k++) {
        if (lexicon_colour(o->materials[k]) == named->colour)
            return true;
    }
    return false;
}

/* "The bottle with the red label", where no label is a thing of its own: the
 * one bottle that is called red, or has a material called so. */
static bool part_colour_tells(const modification *m, const chart_node *what)
{
    match_query q;
    name_colour named = {.r = m->r};
    if (!phrase_has_noun(m->r, what, &q) || !q.colour)
        return false;
    /* a stool is a seat */
    for (uint32_t i = 0; i < m->r->facts->object_count; i++) {
        if (!candidate_is_among(m->found, i) &&
            reader_match(m->r, i, &q).cost < MATCH_NOT_HEAD)
            return false;
    }
    named.colour = q.colour;
    candidate_test *const tests[] = {object_is_named_by_colour,
                                     object_has_part_of_colour};
    for (size_t i = 0; i < COUNT_OF(tests); i++) {
        if (candidates_count(m->found, tests[i], &named) != 1)
            continue;
        candidates_select(m->found, tests[i], &named, true);
        return true;
    }
    return false;
}

typedef struct content { /* the words behind "of" or "with" */
    uint32_t count;
    const char *words[REFER_WORDS_MAX];
} content;

typedef struct name_match {
    const reader *r;
    const content *of;
} name_match;

/* Is a word of its name that one, or of that kind: an apple of fruit? */
static bool name_has_word(const builtin_object *o, const char *word)
{
    kinds_id said;
    bool known = kinds_find(word, &said);
    for (uint32_t k = 0; k < o->word_count; k++) {
        kinds_id own;
        if (builtin_same_word(o->words[k], word))
            return true;
        if (!known || !kinds_find(o->words[k], &own))
            continue;
        if (kinds_id_distance(&own, &said) < KINDS_NEAR)
            return true;
    }
    return false;
}

static bool object_is_named_after(const void *context, uint32_t object)
{
    const name_match *match = context;
    for (uint32_t i = 0; i < match->of->count; i++) {
        if (!name_has_word(object_at(match->r, object), match->of->words[i]))
            return false;
    }
    return match->of->count > 0;
}

/* "The mug with the toothbrushes" is called toothbrush mug, where no toothbrush
 * is a thing of its own. */
static bool part_name_tells(const modification *m, const chart_node *what)
{
    match_query q;
    content of = {0};
    const name_match match = {.r = m->r, .of = &of};
    if (!phrase_has_noun(m->r, what, &q))
        return false;
    for (uint32_t i = 0; i < m->r->facts->object_count; i++) {
        if (reader_match(m->r, i, &q).cost < MATCH_NOT_HEAD)
            return false;
    }
    of.count = phrase_words(m->r, what, of.words);
    return candidates_prefer(m->found, object_is_named_after, &match);
}

static bool candidate_is_had(const void *context, uint32_t object)
{
    return set_has(context, object);
}

/* May a thing be told by having that? ETNA_E_INPUT: "no back", "a back" where no
 * thing is called so. */
static etna_code possession_check(const modification *m,
                                  const chart_node *what,
                                  unsigned says)
{
    match_query part;
    if (says & SAYS_NONE)
        return reader_refuse_unread(m->r, m->mod);
    /* "a chair with no back": a part that is no thing of its own */
    bool nameless = phrase_lacks_noun(m->r, what, &part) && !part.generic;
    if (nameless && !(says & SAYS_DEFINITE))
        return reader_refuse(m->r, CODE_UNKNOWN, what, "nothing here is \"%s\"",
                             reader_said(m->r, what));
    return ETNA_OK;
}

/* "The shoes with the heels", "the stool with the red seat" may be called so
 * themselves. */
static bool possession_is_name(const modification *m, const builtin_set *had)
{
    bool all = had->count > 0 && m->found->count > 1;
    for (uint32_t i = 0; i < had->count && all; i++)
        all = candidate_is_among(m->found, had->objects[i]);
    return all;
}

/* "The cup onto the tray with the other two", "into the basket with the others":
 * others of what is moved. */
static etna_code possession_find(const modification *m,
                                 const chart_node *what,
                                 builtin_set *ret)
{
    reader *r = m->r;
    const reader_memory before = r->memory;
    const char *words[REFER_WORDS_MAX];
    refer_scope scope = {.on = BUILTIN_NONE, .many = true, .any = true};
    const bool others =
        node_is(what, "THING") && r->moving.count > 0 &&
        r->memory.mover_noun_count > 0 &&
        (phrase_quantity(what).says & (SAYS_OTHER | SAYS_REST)) &&
        phrase_words(r, what, words) == 0;
    if (!others)
        return modifier_things(r, what, &scope, ret);
    scope.barred = &r->moving;
    r->memory.last = r->memory.named = r->moving;
    r->memory.noun_count = before.mover_noun_count;
    memcpy(r->memory.nouns, before.mover_nouns, sizeof before.mover_nouns);
    etna_code code = modifier_things(r, what, &scope, ret);
    r->memory = before;
    return code;
}

/* "The nightstand with the book", "the shelf with three books". */
static etna_code possession_select(const modification *m, bool wanted)
{
    const chart_node *what = node_things(m->mod, 0);
    builtin_set had;
    possession p = {
        .r = m->r, .had = &had, .tells = candidates_called(m->found) > 1};
    /* "with the orange in it": no colour, and no name of what has it */
    const bool within = m->mod->end > what->end;
    if (wanted && !within && m->found->count > 1 && part_colour_tells(m, what))
        return ETNA_OK;
    if (wanted && part_name_tells(m, what))
        return ETNA_OK;
    if (node_is(what, "THING"))
        p.amount = phrase_quantity(what);
    etna_code code = possession_check(m, what, p.amount.says);
    if (code != ETNA_OK)
        return code;
    if (p.amount.says & SAYS_OTHER)
        m->r->cost += COST_OF_OTHER;
    code = possession_find(m, what, &had);
    if (code != ETNA_OK)
        return code;
    if (wanted && !within && possession_is_name(m, &had))
        candidates_select(m->found, candidate_is_had, &had, true);
    else
        candidates_select(m->found, object_has, &p, wanted);
    return ETNA_OK;
}

etna_code modify_by_having(const modification *m)
{
    return possession_select(m, true);
}

etna_code modify_by_lacking(const modification *m)
{
    /* "the side table without a lamp" is no other table */
    candidates_within(m->found, SLACK_CALLED);
    return possession_select(m, false);
}

/* Did it bear one of them before anything was moved: "the table the globe came
 * from"? */
static bool object_bore(const void *context, uint32_t object)
{
    const possession *p = context;
    for (uint32_t k = 0; k < p->had->count; k++) {
        const builtin_object *had = object_at(p->r, p->had->objects[k]);
        for (uint32_t i = 0; i < had->start_by_count; i++) {
            if (had->start_by[i] == object)
                return true;
        }
    }
    return false;
}

/* "The shelf with the books", "the shelf it is on", "the table the globe came
 * from": what bears it, or bore it when the text before was read. */
etna_code modify_by_bearing(const modification *m)
{
    const refer_scope scope = {.on = BUILTIN_NONE, .many = true};
    const chart_node *what = node_things(m->mod, 0);
    builtin_set borne;
    possession p = {.r = m->r, .had = &borne};
    if (!what)
        return ETNA_OK;
    /* "the shelf it is on" */
    const bool mover = m->r->moving.count > 0 && node_is(what, "PRON");
    borne = m->r->moving;
    etna_code code =
        mover ? ETNA_OK : modifier_things(m->r, what, &scope, &borne);
    const bool once = chart_child(m->mod, "'from'") || place_is_past(m);
    if (code == ETNA_OK)
        candidates_select(m->found, once ? object_bore : object_has, &p, true);
    return code;
}

/* "The desk with nothing on it". */
etna_code modify_by_bareness(const modification *m)
{
    candidates_select(m->found, candidate_is_bare, m->r->facts, true);
    return ETNA_OK;
}

/* "The chair that stands alone on the right": of those on the right, the one
 * that is far from all chairs. */
etna_code modify_by_solitude(const modification *m)
{
    const unsigned sides = m->query->sides;
    candidates all;
    etna_code code = candidates_make(m->r, &all);
    if (code != ETNA_OK)
        return code;
    candidates_within(m->found, SLACK_CALLED);
    for (uint32_t i = 0; i < m->found->count; i++)
        candidates_add(&all, m->found->items[i].object, 0);
    if (sides)
        candidates_by_side(m->r, m->found, m->query,
                           candidates_count_on_side(m->r, m->found, sides));
    candidates_by_solitude(m->r, m->found, &all);
    return ETNA_OK;
}

typedef struct whole {
    const builtin_facts *facts;
    builtin_set set;
} whole;

static bool object_is_on_whole(const void *context, uint32_t object)
{
    const whole *w = context;
    for (uint32_t k = 0; k < w->set.count; k++) {
        if (builtin_is_above(w->facts, object, w->set.objects[k]))
            return true;
    }
    return false;
}

/* "To the left of the cup" is one place, and hardly a thing "to the left" that
 * is the cup's. */
static uint32_t whole_cost(const modification *m)
{
    const uint32_t as_place = 40; /* hundredths */
    const chart_node *before = NULL;
    for (uint32_t i = 0;
         i < m->thing->child_count && m->thing->children[i] != m->mod; i++)
        before = m->thing->children[i];
    return before && node_is(before, "FARSIDE") ? as_place : 0;
}

static bool word_tells_nothing(const char *word)
{
    bool superlative;
    const bool counts =
        ascii_is_digit(word[0]) || lexicon_number(word) > 0 || strlen(word) < 2;
    const bool looks = lexicon_colour(word) || lexicon_material(word) ||
                       lexicon_size(word, &superlative);
    return counts || looks || match_word_side(word) ||
           lexicon_is_mere_adjective(word);
}

/* "Red tin", "bottle 2": what is called after nothing that is in it. */
static bool name_is_plain(const builtin_object *o)
{
    const char *noun = builtin_noun(o);
    for (uint32_t k = 0; k < o->word_count && noun; k++) {
        if (o->words[k] != noun && !word_tells_nothing(o->words[k]))
            return false;
    }
    return noun != NULL;
}

typedef struct compound {
    const reader *r;
    const match_query *query;
} compound;

/* Itself; no sibling, as a demijohn is of a water bottle. */
static bool object_is_of_compound(const void *context, uint32_t object)
{
    const compound *c = context;
    const uint32_t distance =
        kinds_id_distance(&c->r->kinds[object], &c->query->said);
    return reader_match(c->r, object, c->query).cost < MATCH_NOT_HEAD &&
           distance < KINDS_NEAR;
}

/* As far as its name says anything. */
static bool object_may_be_of_compound(const void *context, uint32_t object)
{
    const compound *c = context;
    const match_result m = reader_match(c->r, object, c->query);
    return m.cost < MATCH_NOT_HEAD && m.unproven &&
           name_is_plain(object_at(c->r, object));
}

/* Is what is said a holder of something: "the reels of white thread"? */
static bool content_is_held(const content *of, const match_query *said)
{
    return of->count > 0 && of->count < REFER_WORDS_MAX && said->count > 0 &&
           phrase_word_holds(said->words[said->count - 1]);
}

/* "The reels of white thread" are white thread reels, and what is known by that
 * name. */
static etna_code content_is_compound(const modification *m,
                                     const content *of,
                                     bool *ret)
{
    const match_query *said = m->query;
    const char *words[REFER_WORDS_MAX];
    match_query said_whole;
    *ret = false;
    if (!content_is_held(of, said))
        return ETNA_OK;
    memcpy(words, of->words, of->count * sizeof words[0]);
    words[of->count] = said->words[said->count - 1];
    etna_code code = reader_query(m->r, words, of->count + 1, &said_whole);
    const kinds_id *kind = &said_whole.said;
    /* a pickle jar is any jar, as far as the dictionary knows */
    if (code != ETNA_OK || kind->head_words < kind->words)
        return code;
    const compound c = {.r = m->r, .query = &said_whole};
    const uint32_t number = phrase_quantity(m->thing).number;
    const uint32_t open =
        candidates_count(m->found, object_may_be_of_compound, &c);
    *ret = candidates_prefer(m->found, object_is_of_compound, &c) ||
           (open == (number ? number : 1) &&
            candidates_prefer(m->found, object_may_be_of_compound, &c));
    if (*ret && said->colour == 0)
        m->query->colour = said_whole.colour;
    return ETNA_OK;
}

/* "The glass of water" is called Glass_of_Water, "the bowl of fruit"
 * Apple_Bowl: no water and no fruit is looked for. */
static etna_code content_select(const modification *m, bool *ret)
{
    content of = {0};
    const name_match match = {.r = m->r, .of = &of};
    of.count = phrase_words(m->r, node_last(m->mod), of.words);
    *ret = candidates_prefer(m->found, object_is_named_after, &match);
    return *ret ? ETNA_OK : content_is_compound(m, &of, ret);
}

/* "A sheet of", "a pair of": so much of something. */
static bool noun_is_piece(const char *noun)
{
    for (const char *const *piece = nouns_of(NOUNS_PIECE); *piece; piece++) {
        if (builtin_same_word(noun, *piece))
            return true;
    }
    return false;
}

/* Is what is said without an article behind "of" called like no thing here? */
static bool content_is_absent(const modification *m)
{
    const chart_node *of = node_last(m->mod);
    match_query q;
    const bool is_told = chart_child(of, "$det") || chart_child(of, "$quant") ||
                         chart_child(of, "NUMBER");
    if (!node_is(of, "THING") || is_told || !phrase_has_noun(m->r, of, &q))
        return false;
    for (uint32_t i = 0; i < m->r->facts->object_count; i++) {
        if (reader_match(m->r, i, &q).cost < MATCH_NOT_HEAD)
            return false;
    }
    return true;
}

/* "A glass of water" is "Glass A", which is called after nothing that is in it;
 * the olive oil bottle is none of water. */
static bool object_may_hold_any(const void *context, uint32_t object)
{
    const modification *m = context;
    return reader_match(m->r, object, m->query).cost < MATCH_NOT_HEAD &&
           name_is_plain(object_at(m->r, object));
}

/* "A sheet of music", where no music is: what a piece is of, or what is in a
 * vessel, is no thing of its own then. False: the words behind "of" must say
 * which. */
static bool content_is_nothing(const modification *m)
{
    const char *head =
        m->query->count > 0 ? m->query->words[m->query->count - 1] : "";
    const bool is_piece = noun_is_piece(head);
    const bool holds = !is_piece && phrase_word_holds(head);
    if ((!is_piece && !holds) || !content_is_absent(m))
        return false;
    if (holds && !candidates_prefer(m->found, object_may_hold_any, m))
        return false;
    candidates_within(m->found, SLACK_CALLED);
    return m->found->count > 0 && m->found->items[0].cost < MATCH_NOT_HEAD;
}

/* "The lid of the sugar cup" is by it, and where one lies on it, it is that. */
etna_code modify_by_whole(const modification *m)
{
    enum {
        COST_OF_IT = 40,
        COST_OF_SIDE = 8
    };
    /* "clear the desk of everything" */
    bool all = phrase_is_pronoun(node_last(m->mod), PRON_EVERYTHING);
    bool named = false;
    if (m->query->partitive || all)
        return ETNA_OK;
    etna_code code =
        heap_keep_members(m->r, node_last(m->mod), m->found, &named);
    if (code == ETNA_OK && !named)
        code = content_select(m, &named);
    if (code != ETNA_OK || named)
        return code;
    m->r->cost += whole_cost(m);
    /* "the red one on the left of the tin, the blue one on the right of it":
     * rather where it is to go */
    if (phrase_is_pronoun(node_last(m->mod), PRON_IT))
        m->r->cost += COST_OF_IT;
    /* "the bottles at the front | of the counter": rather a place */
    else if (m->mod->first > 0 &&
             match_word_side(reader_word(m->r, m->mod->first - 1)) != 0)
        m->r->cost += COST_OF_SIDE;
    if (content_is_nothing(m))
        return ETNA_OK;
    whole w = {.facts = m->r->facts};
    refer_scope any = {.on = BUILTIN_NONE, .many = true};
    code = place_select(m->r, m->mod, true, m->found);
    if (code == ETNA_OK)
        code = modifier_things(m->r, node_last(m->mod), &any, &w.set);
    if (code == ETNA_OK)
        candidates_prefer(m->found, object_is_on_whole, &w);
    return code;
}
