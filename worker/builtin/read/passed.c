/* Whether words may be passed over. Each way of reading a text that leaves
 * words out as asking for nothing comes by here: a thing and a place for it are
 * a wish unless something shows that they are none. What shows it is the form
 * ("who left", "is still", "is too close"), a mishap ("trips over"), that
 * people speak of themselves, or the scene, where it is so already. */
#include "worker/builtin/read/passed.h"
#include "worker/builtin/read/clause.h"
#include "worker/builtin/read/coverage.h"
#include "worker/builtin/read/details.h"
#include "worker/builtin/read/refer_internal.h"
#include "worker/builtin/read/set.h"
#include "worker/builtin/read/telling_internal.h"

#include <math.h>

typedef struct passage { /* words that are to be passed over */
    const sentence *s;
    uint32_t first, end;
} passage;

static const char *passage_word(const passage *p, uint32_t at)
{
    return at < p->end ? p->s->tokens[at].text : "";
}

static bool passage_lists(const passage *p, uint32_t at, const char *class)
{
    return lexicon_lists(class, passage_word(p, at));
}

/* Has any of the words before `end` the class? */
static bool passage_has(const passage *p, uint32_t end, const char *class)
{
    for (uint32_t at = p->first; at < end; at++) {
        if (passage_lists(p, at, class))
            return true;
    }
    return false;
}

/* ---- things and places in it ---- */

/* The things that the word alone calls so. */
static etna_code word_things(reader *r, const char *word, builtin_set *ret)
{
    match_query q;
    candidates called;
    *ret = (builtin_set){0};
    if (lexicon_is_function_word(word))
        return ETNA_OK;
    etna_code code =
        gather_called(r, &word, 1, MATCH_NOT_HEAD - 1, &q, &called);
    return code == ETNA_OK ? candidates_set(r, &called, called.count, ret)
                           : code;
}

static bool set_moves(const reader *r, const builtin_set *things)
{
    for (uint32_t i = 0; i < things->count; i++) {
        const builtin_object *o = &r->facts->objects[things->objects[i]];
        if (!o->is_static && !o->immovable)
            return true;
    }
    return false;
}

/* "On the old round table": behind the preposition stands what is here. */
static etna_code place_is_here(reader *r,
                               const passage *p,
                               uint32_t at,
                               bool *ret)
{
    enum {
        WORDS_OF_PLACE = 5
    };
    *ret = false;
    for (uint32_t i = at + 1; i < p->end && i <= at + WORDS_OF_PLACE; i++) {
        const char *const word = passage_word(p, i);
        builtin_set things;
        if (p->s->tokens[i].is_mark)
            return ETNA_OK;
        if (word_is_ground(word) || lexicon_lists("$zone", word)) {
            *ret = true;
            return ETNA_OK;
        }
        const bool before = lexicon_lists("told: determiner", word) ||
                            lexicon_lists("told: leads", word);
        if (!before && lexicon_is_function_word(word))
            return ETNA_OK;
        etna_code code = word_things(r, word, &things);
        if (code != ETNA_OK)
            return code;
        if (things.count > 0) {
            *ret = true;
            return ETNA_OK;
        }
    }
    return ETNA_OK;
}

/* The first place of something here; p->end: there is none. */
static etna_code passage_find_place(reader *r, const passage *p, uint32_t *ret)
{
    *ret = p->end;
    for (uint32_t at = p->first + 1; at < p->end && *ret == p->end; at++) {
        bool here = false;
        if (!passage_lists(p, at, "told: leads"))
            continue;
        etna_code code = place_is_here(r, p, at, &here);
        if (code != ETNA_OK)
            return code;
        if (here)
            *ret = at;
    }
    return ETNA_OK;
}

/* "Table lamp": the things with these two words in their names are none of the
 * tables. */
static etna_code pair_things(reader *r,
                             const passage *p,
                             uint32_t at,
                             builtin_set *ret)
{
    etna_code code = ETNA_OK;
    *ret = (builtin_set){0};
    for (uint32_t i = 0; i < r->facts->object_count && code == ETNA_OK; i++) {
        const builtin_object *o = &r->facts->objects[i];
        bool has = false;
        for (uint32_t k = 0; k + 1 < o->word_count; k++)
            has =
                has || (strcmp(o->words[k], passage_word(p, at)) == 0 &&
                        strcmp(o->words[k + 1], passage_word(p, at + 1)) == 0);
        const builtin_set one = set_one(r, i);
        if (has)
            code = set_union(r, ret, &one, ret);
    }
    return code;
}

/* What the words before `end` name that can be moved, else what "it" is. */
static etna_code passage_find_subject(reader *r,
                                      const passage *p,
                                      uint32_t end,
                                      builtin_set *ret)
{
    bool looks_back = false;
    *ret = (builtin_set){0};
    for (uint32_t at = p->first; at < end; at++) {
        builtin_set things;
        looks_back = looks_back || passage_lists(p, at, "told: moved");
        etna_code code = pair_things(r, p, at, &things);
        if (code == ETNA_OK && things.count == 0)
            code = word_things(r, passage_word(p, at), &things);
        else
            at++;
        if (code == ETNA_OK && set_moves(r, &things))
            code = set_union(r, ret, &things, ret);
        if (code != ETNA_OK)
            return code;
    }
    if (ret->count == 0 && looks_back)
        *ret = r->memory.last;
    return ETNA_OK;
}

/* "The shelf is missing it", "it prefers the shelf": what is told of is told of
 * something else here, and that is neither beside it ("and the lamp"), a part
 * of it ("of the lamp") nor the same ("is the lamp"). */
static etna_code passage_find_object(reader *r, const passage *p, uint32_t *ret)
{
    *ret = p->end;
    for (uint32_t at = p->first + 2; at < p->end && *ret == p->end; at++) {
        const bool determined = passage_lists(p, at - 1, "told: determiner");
        const uint32_t before = determined ? at - 2 : at - 1;
        builtin_set things = {0};
        if (passage_lists(p, before, "passed: joins") ||
            passage_lists(p, before, "told: be"))
            continue;
        etna_code code =
            determined ? word_things(r, passage_word(p, at), &things) : ETNA_OK;
        if (code != ETNA_OK)
            return code;
        if (things.count > 0 || passage_lists(p, at, "passed: object"))
            *ret = at;
    }
    return ETNA_OK;
}

/* Do the words before `end` name what is here, or look back at it? */
static etna_code passage_names_any(reader *r,
                                   const passage *p,
                                   uint32_t end,
                                   bool *ret)
{
    *ret = passage_lists(p, p->first, "told: again");
    for (uint32_t at = p->first; at < end && !*ret; at++) {
        builtin_set things;
        etna_code code = word_things(r, passage_word(p, at), &things);
        if (code != ETNA_OK)
            return code;
        *ret = things.count > 0;
    }
    return ETNA_OK;
}

/* ---- what shows that it only tells ---- */

/* "Who left it on the floor?", "why is it there?", and neither "why not put it
 * there?" nor "how about the floor?". */
static bool passage_questions(const passage *p)
{
    if (!passage_lists(p, p->first, "passed: question"))
        return false;
    return !passage_lists(p, p->first + 1, "told: no question") &&
           !passage_has(p, p->end, "told: why not");
}

/* "Somebody will step on it": people and what befalls them, and no thing that
 * they have somewhere. */
static etna_code passage_is_of_people(reader *r,
                                      const passage *p,
                                      uint32_t place,
                                      bool *ret)
{
    const sentence_part all = {.first = p->first, .end = p->end};
    const uint32_t people = stretch_people(p->s, &all);
    *ret = people > p->first && !passage_lists(p, p->first, "passed: there");
    for (uint32_t at = people; at < place && *ret; at++) {
        builtin_set things;
        const bool looks_back = passage_lists(p, at, "told: moved") ||
                                passage_lists(p, at, "passed: that");
        etna_code code = word_things(r, passage_word(p, at), &things);
        if (code != ETNA_OK)
            return code;
        *ret = !looks_back && !set_moves(r, &things);
    }
    return ETNA_OK;
}

/* "Trips over it", "falling off": what nobody wishes. */
static bool passage_tells_mishap(const passage *p)
{
    for (uint32_t at = p->first; at < p->end; at++) {
        char lemma[64];
        const char *const word = passage_word(p, at);
        if (lexicon_lists("passed: mishap", word))
            return true;
        if (kinds_verb_lemma(word, lemma, sizeof lemma) > 0 &&
            lexicon_lists("passed: mishap", lemma))
            return true;
    }
    return false;
}

/* "There is a cup on the table", and neither "there is room for it" nor "there
 * has to be". */
static bool passage_finds(const passage *p)
{
    return passage_lists(p, p->first, "passed: there") &&
           !passage_has(p, p->end, "passed: room") &&
           !passage_has(p, p->end, "told: may ask") &&
           !passage_has(p, p->end, "told: asks");
}

typedef enum passage_truth {
    TRUTH_UNKNOWN,
    TRUTH_SO,
    TRUTH_NOT_SO
} passage_truth;

static const chart_node *tree_find_place(const chart_node *node)
{
    static const char *const places[] = {"REL", "ZONE", "BETWEEN"};
    if (WORD_IS_OF(node->name, places))
        return node;
    for (uint32_t i = 0; i < node->child_count; i++) {
        const chart_node *found = tree_find_place(node->children[i]);
        if (found)
            return found;
    }
    return NULL;
}

/* Is one of the things where a tree says? TRUTH_UNKNOWN: what it says is not
 * here. */
static etna_code place_compare(reader *own,
                               const chart_node *where,
                               const builtin_set *subject,
                               passage_truth *ret)
{
    for (uint32_t i = 0; i < subject->count && *ret != TRUTH_SO; i++) {
        double way = INFINITY;
        etna_code code = where_holds(own, where, subject->objects[i], &way);
        if (code != ETNA_OK)
            return code;
        *ret = isfinite(way) ? TRUTH_SO : TRUTH_NOT_SO;
    }
    return ETNA_OK;
}

/* The words from `place` on as trees; those that no tree has at the end are
 * left out: "on the floor | for ages". */
static etna_code place_parse(reader *own,
                             sentence_part *part,
                             chart_tree trees[CHART_TREES_MAX],
                             uint32_t *ret_count)
{
    etna_code code = sentence_parse(own->s, part, own->vocabulary, own->arena,
                                    trees, ret_count, own->err);
    while (code == ETNA_OK && *ret_count == 0 && part->end > part->first + 2) {
        part->end--;
        code = sentence_parse(own->s, part, own->vocabulary, own->arena, trees,
                              ret_count, own->err);
    }
    return code;
}

/* Is one of the things where the words from `place` on say? The first of their
 * trees whose place is here tells it: "on the coffee | table" is none. */
static etna_code passage_compare(reader *r,
                                 const passage *p,
                                 uint32_t place,
                                 const builtin_set *subject,
                                 passage_truth *ret)
{
    chart_tree trees[CHART_TREES_MAX];
    sentence_part part = {.first = place, .end = p->end};
    uint32_t count = 0;
    etna_error local = {0};
    reader own = *r;
    own.part = &part;
    own.err = &local;
    *ret = TRUTH_UNKNOWN;
    etna_code code = place_parse(&own, &part, trees, &count);
    for (uint32_t i = 0;
         i < count && code != ETNA_E_NOMEM && *ret == TRUTH_UNKNOWN; i++) {
        const chart_node *where = tree_find_place(trees[i].root);
        if (where && where->first == trees[i].root->first)
            code = place_compare(&own, where, subject, ret);
    }
    return code == ETNA_E_NOMEM ? reader_no_memory(r) : ETNA_OK;
}

etna_code passed_is_so(reader *r,
                       const sentence_part *words,
                       uint32_t object,
                       bool *ret_so)
{
    const passage p = {.s = r->s, .first = words->first, .end = words->end};
    const builtin_set subject = set_one(r, object);
    passage_truth truth = TRUTH_UNKNOWN;
    etna_code code = passage_compare(r, &p, p.first, &subject, &truth);
    *ret_so = truth != TRUTH_NOT_SO;
    return code;
}

/* ---- all of it ---- */

/* What is said not to be so is no remark only: something must be asked of that
 * thing, where it is one. */
static etna_code passage_deny(reader *r, const builtin_set *subject)
{
    if (subject->count != 1 || !set_moves(r, subject))
        return ETNA_OK;
    return set_union(r, &r->memory.denied, subject, &r->memory.denied);
}

static etna_code passage_refuse(reader *r, const passage *p)
{
    const uint32_t from = p->s->tokens[p->first].at;
    const uint32_t to = p->s->tokens[p->end - 1].end;
    const int most = 160;
    const int size = (int)(to - from) < most ? (int)(to - from) : most;
    etna_code code =
        reader_refuse(r, CODE_UNREAD, NULL, "\"%.*s\" is not understood", size,
                      r->text + from);
    r->refusal.from = from;
    r->refusal.to = to;
    return code;
}

/* "The dog has chewed it": what has happened, and neither "has to be" nor "has
 * put it there", whose place may be asked about. */
static bool passage_has_happened(const passage *p)
{
    for (uint32_t at = p->first + 1; at + 1 < p->end; at++) {
        uint32_t next = at + 1;
        char lemma[64];
        if (!passage_lists(p, at, "told: have"))
            continue;
        while (passage_lists(p, next, "told: merely") ||
               passage_lists(p, next, "told: how often") ||
               passage_lists(p, next, "passed: so it is now"))
            next++;
        const char *const word = passage_word(p, next);
        const bool happened = word_is_verb_form(word) && !word_is_doing(word) &&
                              kinds_verb_lemma(word, lemma, sizeof lemma) > 0;
        if (happened && !word_moves(word) && !word_arranges(word) &&
            !lexicon_lists("told: have", word) &&
            !lexicon_lists("told: modal", word))
            return true;
    }
    return false;
}

/* Nobody wishes what is so already, or a mishap. */
static bool passage_tells(const passage *p)
{
    const bool hopes = passage_has(p, p->end, "passed: hopes");
    const bool is_so = !hopes && passage_has(p, p->end, "passed: so it is");
    return is_so || passage_tells_mishap(p) ||
           (!hopes && passage_has_happened(p));
}

/* "There are three plates on the table": how many; 0: that is not said. */
static uint32_t passage_number(const passage *p, uint32_t place)
{
    if (!passage_lists(p, p->first, "passed: there"))
        return 0;
    for (uint32_t at = p->first + 1; at < place; at++) {
        const uint32_t number = lexicon_number(passage_word(p, at));
        if (number > 1)
            return number;
    }
    return 0;
}

/* Where so many are told of, so many must stand there. */
static etna_code passage_check_number(reader *r,
                                      const passage *p,
                                      uint32_t place,
                                      const builtin_set *subject)
{
    const uint32_t number = passage_number(p, place);
    const sentence_part where = {.first = place, .end = p->end};
    uint32_t there = 0;
    for (uint32_t i = 0; i < subject->count && number > 0; i++) {
        bool so = false;
        etna_code code = passed_is_so(r, &where, subject->objects[i], &so);
        if (code != ETNA_OK)
            return code;
        there += so;
    }
    return number > 0 && there != number ? passage_refuse(r, p) : ETNA_OK;
}

/* "The lamp has been on the floor for ages", "is still there": refused where it
 * is elsewhere. */
static etna_code passage_check_now(reader *r,
                                   const passage *p,
                                   uint32_t place,
                                   const builtin_set *subject)
{
    passage_truth truth = TRUTH_UNKNOWN;
    etna_code code = passage_compare(r, p, place, subject, &truth);
    return code == ETNA_OK && truth == TRUTH_NOT_SO ? passage_refuse(r, p)
                                                    : code;
}

/* Of one with a place. */
static etna_code passage_check_place(reader *r,
                                     const passage *p,
                                     uint32_t place)
{
    builtin_set subject;
    passage_truth truth = TRUTH_UNKNOWN;
    bool people = false;
    etna_code code = passage_find_subject(r, p, place, &subject);
    if (code != ETNA_OK)
        return code;
    if (passage_has(p, p->end, "passed: denial"))
        return passage_deny(r, &subject);
    if (passage_has(p, p->end, "passed: so it is now") && subject.count == 1)
        return passage_check_now(r, p, place, &subject);
    if (passage_tells(p))
        return ETNA_OK;
    code = passage_is_of_people(r, p, place, &people);
    if (code == ETNA_OK && !people)
        code = passage_compare(r, p, place, &subject, &truth);
    if (code == ETNA_OK && truth == TRUTH_SO)
        return passage_check_number(r, p, place, &subject);
    if (code != ETNA_OK || people)
        return code;
    const bool found = truth == TRUTH_UNKNOWN && passage_finds(p);
    return found ? ETNA_OK : passage_refuse(r, p);
}

/* "On the sofa is a cup": the place first, then what is there. *ret_verb: the
 * word between the two; p->end: it is none of that form. */
static etna_code passage_find_inverted(reader *r,
                                       const passage *p,
                                       uint32_t *ret_verb,
                                       builtin_set *ret_subject)
{
    bool here = false;
    passage rest = *p;
    uint32_t at = p->first + 1;
    *ret_verb = p->end;
    if (!passage_lists(p, p->first, "told: leads"))
        return ETNA_OK;
    while (at < p->end && !passage_lists(p, at, "clause: is"))
        at++;
    rest.first = at;
    etna_code code = place_is_here(r, p, p->first, &here);
    if (code != ETNA_OK || !here || at == p->end)
        return code;
    code = passage_find_subject(r, &rest, p->end, ret_subject);
    if (code == ETNA_OK && ret_subject->count > 0)
        *ret_verb = at;
    return code;
}

/* Refused where it is not so. */
static etna_code passage_check_inverted(reader *r,
                                        const passage *p,
                                        uint32_t verb,
                                        const builtin_set *subject)
{
    passage_truth truth;
    const passage where = {.s = p->s, .first = p->first, .end = verb};
    if (passage_has(p, p->end, "passed: denial"))
        return passage_deny(r, subject);
    etna_code code = passage_compare(r, &where, where.first, subject, &truth);
    if (code != ETNA_OK || truth == TRUTH_SO)
        return code;
    return passage_refuse(r, p);
}

/* Is the word at one of wanting, said of people? */
static bool passage_wants_at(const passage *p, uint32_t at)
{
    const char *const word = passage_word(p, at);
    /* "I'm after the vase" */
    if (lexicon_lists("passed: wants", word) ||
        (strcmp(word, "after") == 0 && at == p->first + 1 &&
         lexicon_lists("told: who", passage_word(p, p->first))))
        return true;
    return at > p->first && lexicon_lists("passed: likes", word) &&
           lexicon_lists("passed: would", passage_word(p, at - 1));
}

/* "Sit around it": has it, from there on, a place by what is moved? */
static bool passage_is_by_moved(const passage *p, uint32_t first)
{
    for (uint32_t i = first; i + 1 < p->end; i++) {
        if (passage_lists(p, i, "$rel") &&
            passage_lists(p, i + 1, "told: moved"))
            return true;
    }
    return false;
}

/* Behind a word of wanting: "to sit", which asks for no move. */
static bool passage_does_at(const passage *p, uint32_t wants)
{
    return strcmp(passage_word(p, wants + 1), "to") == 0 &&
           passage_lists(p, wants + 2, "told: does");
}

/* "I want the vase there", "I want to see the lamp": a wish about what is here,
 * and neither "want to sit at the desk" nor "wanted a lamp". *ret false: it is
 * none. */
static etna_code passage_wishes(reader *r, const passage *p, bool *ret)
{
    uint32_t at = p->first;
    *ret = false;
    while (at < p->end && !passage_wants_at(p, at))
        at++;
    *ret = passage_is_by_moved(p, at + 1);
    if (*ret || at >= p->end || passage_does_at(p, at))
        return ETNA_OK;
    for (uint32_t i = at + 1; i < p->end && !*ret; i++) {
        builtin_set things = {0};
        /* "we'd like bread | and wine on the table" */
        const bool listed =
            i + 1 == p->end && i == at + 1 && p->end < p->s->token_count &&
            lexicon_lists("passed: joins", p->s->tokens[p->end].text);
        const bool definite =
            listed || passage_lists(p, i - 1, "told: definite");
        etna_code code =
            definite ? word_things(r, passage_word(p, i), &things) : ETNA_OK;
        if (code != ETNA_OK)
            return code;
        *ret = things.count > 0;
    }
    return ETNA_OK;
}

/* Of one without: a thing and another, or what people think of with it. */
static etna_code passage_check_object(reader *r, const passage *p)
{
    const sentence_part all = {.first = p->first, .end = p->end};
    const bool people = stretch_people(p->s, &all) > p->first &&
                        !passage_has(p, p->end, "passed: hopes");
    bool names = false;
    uint32_t object;
    if (people || passage_has(p, p->end, "passed: denial") || passage_tells(p))
        return ETNA_OK;
    etna_code code = passage_find_object(r, p, &object);
    if (code == ETNA_OK && object < p->end)
        code = passage_names_any(r, p, object, &names);
    return code == ETNA_OK && names ? passage_refuse(r, p) : code;
}

/* "Blue goes down first", "I'd like the yellow one up there": of a thing that
 * only its colour names, and no chat. */
static bool passage_is_of_one(const passage *p)
{
    for (uint32_t at = p->first; at + 1 < p->end; at++) {
        const char *const next = passage_word(p, at + 1);
        const bool one = lexicon_lists("noun: one", next);
        const bool goes = lexicon_lists("passed: goes", next);
        if (lexicon_colour(passage_word(p, at)) > 0 && (one || goes))
            return true;
    }
    return false;
}

/* "As soon as the sofa is cleared": what is to be so first. "As the table
 * allows": how far. */
static bool passage_waits(const passage *p)
{
    if (passage_has(p, p->end, "passed: bound"))
        return true;
    return passage_lists(p, p->first, "passed: condition") ||
           (strcmp(passage_word(p, p->first), "soon") == 0 &&
            strcmp(passage_word(p, p->first + 1), "as") == 0);
}

/* "Who left the mug on the sofa?", "why is it there?": asks for nothing, and
 * yet says where the thing is. */
static etna_code passage_check_question(reader *r, const passage *p)
{
    builtin_set subject = {0};
    uint32_t place;
    etna_code code = passage_find_place(r, p, &place);
    /* "who lays a newspaper on a table?" is of no time */
    const bool now = passage_has(p, p->end, "passed: so it is now") ||
                     passage_has(p, p->end, "clause: is");
    if (code != ETNA_OK || place == p->end || !now ||
        passage_has(p, p->end, "passed: denial"))
        return code;
    code = passage_find_subject(r, p, place, &subject);
    return code == ETNA_OK && subject.count == 1
               ? passage_check_now(r, p, place, &subject)
               : code;
}

bool passed_arranges(const sentence *s, const sentence_part *w)
{
    const passage p = {.s = s, .first = w->first, .end = w->end};
    if (passage_tells(&p) || passage_has(&p, p.end, "passed: wrong"))
        return false;
    for (uint32_t at = p.first + 1; at < p.end; at++) {
        const char *const word = passage_word(&p, at);
        if (word_arranges(word))
            return true;
    }
    return false;
}

/* "It's centred", "there's a hand between them": of what was moved last. */
static etna_code passage_await(reader *r, const passage *p, bool *ret)
{
    const sentence_part all = {.first = p->first, .end = p->end};
    const bool again = passage_lists(p, p->first, "told: again") ||
                       passage_lists(p, p->first, "told: it is") ||
                       passage_lists(p, p->first, "passed: there");
    *ret = again && passed_arranges(p->s, &all);
    if (!*ret || r->memory.last.count == 0)
        return ETNA_OK;
    *ret = false;
    return unmet_await(r, &r->memory.last, r->reading->count);
}

/* "We'll take the vase as well", "somebody's moving the vase": what is done with
 * something that is here, be it by others. */
static etna_code passage_handles(reader *r, const passage *p, bool *ret)
{
    const stretch all = {.s = p->s, .first = p->first, .end = p->end};
    const bool none = stretch_handles_none(&all);
    bool will = false;
    *ret = false;
    for (uint32_t at = p->first; at + 1 < p->end && !*ret; at++) {
        const char *const word = passage_word(p, at);
        char lemma[64] = "";
        lexicon_verb verb;
        builtin_set things = {0};
        will = will || passage_lists(p, at, "passed: will");
        const uint32_t what =
            at + 1 + passage_lists(p, at + 1, "told: determiner");
        const bool moves = kinds_verb_lemma(word, lemma, sizeof lemma) > 0 &&
                           lexicon_find_verb(lemma, &verb) &&
                           verb != VERB_CANNOT;
        /* "somebody keeps moving the vase" */
        const bool keeps = at > p->first && stretch_goes_on(&all, at - 1);
        const bool soon = (will && strcmp(lemma, word) == 0) ||
                          (word_is_doing(word) && !keeps);
        etna_code code = (none || (moves && soon)) && at > p->first
                             ? word_things(r, passage_word(p, what), &things)
                             : ETNA_OK;
        if (code != ETNA_OK)
            return code;
        *ret = things.count > 0;
    }
    return ETNA_OK;
}

/* "Both turned to the wardrobe": how things are to stand, and neither what
 * people do nor "is turned to it", which tells. */
static etna_code passage_turns(reader *r, const passage *p, bool *ret)
{
    const sentence_part all = {.first = p->first, .end = p->end};
    uint32_t at = p->first;
    *ret = false;
    while (at < p->end && !passage_lists(p, at, "passed: turns"))
        at++;
    if (at >= p->end || passage_has(p, at, "told: be") ||
        stretch_people(p->s, &all) > p->first)
        return ETNA_OK;
    for (uint32_t i = at + 1; i < p->end && !*ret; i++) {
        builtin_set things;
        etna_code code = word_things(r, passage_word(p, i), &things);
        if (code != ETNA_OK)
            return code;
        *ret = things.count > 0;
    }
    return ETNA_OK;
}

/* "No stacking!", "not piling them up": what is not to be done with things. */
static bool passage_forbids(const passage *p)
{
    for (uint32_t at = p->first; at + 1 < p->end; at++) {
        const char *const next = passage_word(p, at + 1);
        /* "I'm not painting today" */
        const bool own = at > p->first && passage_lists(p, at - 1, "told: who");
        if (passage_lists(p, at, "account: denies") && !own &&
            word_is_doing(next) && word_moves(next))
            return true;
    }
    return false;
}

/* "It's the mug that goes in it", and no "that has chewed it": where what is
 * singled out is to be. */
static bool passage_singles_out(const passage *p)
{
    if (!passage_lists(p, p->first, "told: it is") &&
        !(strcmp(passage_word(p, p->first), "it") == 0 &&
          strcmp(passage_word(p, p->first + 1), "is") == 0))
        return false;
    for (uint32_t at = p->first + 2; at + 1 < p->end; at++) {
        const bool has = strcmp(passage_word(p, at + 1), "has") == 0 &&
                         strcmp(passage_word(p, at + 2), "to") != 0;
        if (strcmp(passage_word(p, at), "that") == 0 && !has &&
            passage_lists(p, at + 1, "passed: goes"))
            return true;
    }
    return false;
}

/* "The basket can go", "it has got to disappear": what is here is not to stay,
 * whoever says so. */
static etna_code passage_dismisses(reader *r, const passage *p, bool *ret)
{
    *ret = false;
    for (uint32_t at = p->first + 2; at < p->end && !*ret; at++) {
        const char *const before = passage_word(p, at - 1);
        const bool must = lexicon_lists("told: modal", before) ||
                          lexicon_lists("talk: must", before) ||
                          (strcmp(before, "to") == 0 &&
                           passage_lists(p, at - 2, "passed: duty"));
        const bool ends =
            at + 1 == p->end || passage_lists(p, at + 1, "passed: away");
        if (!must || !ends || !passage_lists(p, at, "passed: vanishes"))
            continue;
        etna_code code = passage_names_any(r, p, at - 1, ret);
        if (code != ETNA_OK)
            return code;
    }
    return ETNA_OK;
}

/* "Nobody may see the cat": what people are not to do with what is here. */
static etna_code passage_forbids_people(reader *r, const passage *p, bool *ret)
{
    *ret = false;
    if (!passage_lists(p, p->first, "talk: denies") ||
        !passage_lists(p, p->first + 1, "passed: permits"))
        return ETNA_OK;
    return passage_names_any(r, p, p->end, ret);
}

/* "Dad likes the armchair nearer": how what is here is to be. */
static etna_code passage_prefers(reader *r, const passage *p, bool *ret)
{
    uint32_t at = p->first + 1;
    *ret = false;
    while (at < p->end && !passage_lists(p, at, "passed: prefers"))
        at++;
    const char *const last = passage_word(p, p->end - 1);
    if (at + 2 >= p->end ||
        !(lexicon_lists("clause: way", last) || word_arranges(last)))
        return ETNA_OK;
    return passage_names_any(r, p, p->end, ret);
}

/* Does it ask for something, in words that are read for no order? */
static etna_code passage_asks(reader *r,
                              const sentence_part *w,
                              const passage *p,
                              bool *ret)
{
    etna_code code = ETNA_OK;
    *ret = passage_is_of_one(p);
    if (!*ret && passage_waits(p))
        code = passage_names_any(r, p, p->end, ret);
    if (code == ETNA_OK && !*ret)
        code = stretch_wishes(r, w, ret);
    if (code == ETNA_OK && !*ret)
        code = passage_wishes(r, p, ret);
    if (code == ETNA_OK && !*ret)
        code = passage_dismisses(r, p, ret);
    if (code == ETNA_OK && !*ret)
        code = passage_handles(r, p, ret);
    if (code == ETNA_OK && !*ret)
        code = passage_await(r, p, ret);
    return code;
}

/* What it tells of a thing must be so. */
static etna_code passage_check_told(reader *r, const passage *p)
{
    builtin_set subject = {0};
    uint32_t verb, place;
    etna_code code = passage_find_inverted(r, p, &verb, &subject);
    if (code == ETNA_OK && verb < p->end)
        return passage_check_inverted(r, p, verb, &subject);
    if (code == ETNA_OK)
        code = passage_find_place(r, p, &place);
    if (code != ETNA_OK)
        return code;
    return place < p->end ? passage_check_place(r, p, place)
                          : passage_check_object(r, p);
}

/* "The chair is needed at | the bookcase": its place was cut off. */
static bool passage_is_cut_off(const passage *p)
{
    return p->end > p->first && passage_lists(p, p->end - 1, "passed: cut off");
}

/* "..., both touching it": of what was asked just before, and how it is to
 * stand. */
static bool passage_hangs_on(const passage *p)
{
    uint32_t at = p->first;
    while (passage_lists(p, at, "told: many"))
        at++;
    const bool behind = p->first > 0 && p->s->tokens[p->first - 1].is_mark &&
                        strcmp(p->s->tokens[p->first - 1].text, ",") == 0;
    return behind && passage_lists(p, at, "told: hangs on");
}

/* "But not where my feet are", "not so that it falls": a place that is denied,
 * whatever it is. */
static bool passage_denies_place(const passage *p)
{
    return passage_lists(p, p->first, "$not") &&
           passage_lists(p, p->first + 1, "passed: as it is");
}

/* "Everything from it on the board that has nothing on it": the only verb is of
 * what tells which board. */
static bool passage_lacks_verb(const passage *p, const sentence_part *w)
{
    const uint32_t verb = stretch_verb(p->s, w);
    return passage_lists(p, p->first, "passed: all of it") &&
           verb > p->first + 1 && verb < p->end &&
           passage_lists(p, verb - 1, "passed: relative");
}

etna_code passed_check(reader *r, const sentence_part *words)
{
    const sentence_part told = stretch_told(r->s, words);
    const sentence_part *const w = &told;
    passage p = {.s = r->s, .first = w->first, .end = w->end};
    bool asks = false;
    while (p.first < p.end && passage_lists(&p, p.first, "told: joint"))
        p.first++;
    bool talk = p.first == p.end;
    etna_code code = passage_turns(r, &p, &asks);
    asks = asks || passage_forbids(&p) || passage_is_cut_off(&p);
    asks = asks || passage_hangs_on(&p) || passage_singles_out(&p) ||
           passage_denies_place(&p) || passage_lacks_verb(&p, w);
    if (code == ETNA_OK && !asks)
        code = passage_forbids_people(r, &p, &asks);
    if (code == ETNA_OK && !asks)
        code = passage_prefers(r, &p, &asks);
    if (code == ETNA_OK && asks)
        return passage_refuse(r, &p);
    if (code == ETNA_OK && !talk)
        code = stretch_is_talk(r, w, true, &talk);
    if (code != ETNA_OK || talk)
        return code;
    if (passage_questions(&p))
        return passage_check_question(r, &p);
    code = passage_asks(r, w, &p, &asks);
    if (code != ETNA_OK)
        return code;
    return asks ? passage_refuse(r, &p) : passage_check_told(r, &p);
}

/* ---- complaints ---- */

/* "Too far left", "too close": where something is, and not as it should be. */
static bool passage_complains(const passage *p)
{
    for (uint32_t at = p->first; at + 1 < p->end; at++) {
        if (strcmp(passage_word(p, at), "too") == 0 &&
            passage_lists(p, at + 1, "passed: amiss"))
            return true;
    }
    return false;
}

/* "Seen from the sofa it is too far left": left and right are those of the
 * picture, and what is asked next would go the other way. */
static bool passage_is_of_viewer(const passage *p)
{
    bool from = false, too = false, side = false;
    for (uint32_t at = p->first; at < p->end; at++) {
        too = too || strcmp(passage_word(p, at), "too") == 0;
        from = from || (!too && strcmp(passage_word(p, at), "from") == 0);
        side = side || (too && passage_lists(p, at, "passed: of viewer"));
    }
    return from && side;
}

/* Is any of the things moved, kept, or what another is moved by? */
static bool things_are_asked_of(const reader *r, const builtin_set *things)
{
    for (uint32_t i = 0; i < things->count; i++) {
        const uint32_t object = things->objects[i];
        if (moves_name(r, r->first_move, object) ||
            set_has(&r->memory.stays, object))
            return true;
    }
    return false;
}

static etna_code passage_check_complaint(reader *r, const passage *p)
{
    builtin_set all = {0};
    if (passage_is_of_viewer(p))
        return passage_refuse(r, p);
    /* of what was spoken of: "it's too high for the table" */
    if (passage_lists(p, p->first, "told: again") ||
        passage_lists(p, p->first, "told: it is"))
        return ETNA_OK;
    for (uint32_t at = p->first; at < p->end; at++) {
        builtin_set things;
        etna_code code = pair_things(r, p, at, &things);
        if (code == ETNA_OK && things.count == 0)
            code = word_things(r, passage_word(p, at), &things);
        else
            at++;
        if (code == ETNA_OK)
            code = set_union(r, &all, &things, &all);
        if (code != ETNA_OK)
            return code;
    }
    if (all.count == 0 || things_are_asked_of(r, &all))
        return ETNA_OK;
    return passage_refuse(r, p);
}

etna_code passed_check_complaints(reader *r, uint32_t first)
{
    const sentence *const s = r->s;
    const builtin_reading *const reading = r->reading;
    for (uint32_t i = first; i < reading->remark_count; i++) {
        passage p = {.s = s};
        while (p.first < s->token_count &&
               s->tokens[p.first].at < reading->remarks[i][0])
            p.first++;
        p.end = p.first;
        while (p.end < s->token_count &&
               s->tokens[p.end].end <= reading->remarks[i][1])
            p.end++;
        etna_code code =
            passage_complains(&p) ? passage_check_complaint(r, &p) : ETNA_OK;
        if (code != ETNA_OK)
            return code;
    }
    return ETNA_OK;
}
