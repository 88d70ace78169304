/* What the parts of the resolution of noun phrases share. Nobody else includes
 * this.
 *
 *   refer.c         a phrase -> things, by the kind of its node; lists
 *   refer_pronoun.c what was spoken of last, and everything that stands somewhere
 *   refer_owned.c   whose a thing is; a part of several
 *   refer_denied.c  what is meant beside what is denied
 *   refer_named.c   names of the file; two phrases for one thing
 *   refer_thing.c   the stages from the words of one noun to what it means (stage_internal.h)
 *   phrase.c        what a phrase's determiners and words say
 *   gather.c        the things that answer to the words: candidates
 *   modify.c        what is said of them besides, which leaves out some
 *   rank.c          order, size, side, colour and number among them
 *   choose.c        which of those that are left are meant, or that nobody can know;
 *                   its rules: choose_internal.h
 *   refuse.c        how it is said that nothing, too much or something immovable is meant
 *   refer_level.c   phrases that mean one level of a thing
 *   level_told.c    levels that are told by what is on them
 *   gather_beside.c furniture that is told by more than its name
 *   candidates.c    the list of candidates */
#ifndef ETNA_WORKER_BUILTIN_READ_REFER_INTERNAL_H
#define ETNA_WORKER_BUILTIN_READ_REFER_INTERNAL_H

#include "worker/builtin/read/set.h"
#include "worker/builtin/read/trait.h"

/* bytes of a refusal's list of names, with its NUL */
enum {
    REFER_NAMES_SIZE = 320
};

/* ---- what a phrase says: phrase.c ---- */
enum { /* bits of quantity.says */
    SAYS_DEFINITE = 1,
    SAYS_INDEFINITE = 2,
    SAYS_ALL = 4,
    SAYS_BOTH = 8,
    SAYS_EACH = 16,
    SAYS_ANY = 32,
    SAYS_OTHER = 64,
    SAYS_REST = 128,
    SAYS_ONLY = 256,
    SAYS_NONE = 512,
    SAYS_POINTED = 1024 /* "that chair" */
};
typedef struct quantity { /* what determiners and numbers say */
    unsigned says;
    uint32_t number; /* 0: none is said */
} quantity;
/* What the phrase's own determiners and numbers say; those of what it excepts
 * do not count. */
quantity phrase_quantity(const chart_node *thing);
/* False for NULL, too. */
bool phrase_counts(const chart_node *node);
/* The phrase without what it excepts. */
const chart_node *phrase_thing(const chart_node *node);
/* "Its own table" */
bool phrase_is_own(const reader *r, const chart_node *phrase);
/* What "on it" is behind a move onto something: that, or what was moved onto it
 * where the movers stand there already. */
uint32_t it_stands_upon(const reader *r, const builtin_set *movers);
/* The words of its core without marks; how many, 0: it has no core. */
uint32_t phrase_words(const reader *r,
                      const chart_node *thing,
                      const char *ret[REFER_WORDS_MAX]);
/* The query of these words. ETNA_E_NOMEM. */
etna_code phrase_query(reader *r, const chart_node *thing, match_query *ret);
/* Is it a THING whose query has (lacks) a noun? *ret is the query where it is a
 * THING. */
bool phrase_has_noun(reader *r, const chart_node *thing, match_query *ret);
bool phrase_lacks_noun(reader *r, const chart_node *thing, match_query *ret);
/* Is anything told of it behind its words, as where it stands? */
bool phrase_is_modified(const chart_node *thing);
/* "The one on the floor", "the two by the door": without a word of its own. */
bool phrase_is_modified_alone(const chart_node *name);
/* "jar", "reel": what holds another thing, and may be no thing of its own
 * here. */
bool phrase_word_holds(const char *word);
/* Is its core a name just as the file writes it? */
bool phrase_is_name(const reader *r,
                    const chart_node *thing,
                    uint32_t *ret_object);
/* "The red chair ChairD_003": is its last word such a name, and others before
 * it? */
bool phrase_ends_in_name(const reader *r,
                         const chart_node *thing,
                         uint32_t *ret_object);
/* The first thing whose name is byte for byte this; false leaves *ret_object
 * alone. */
bool phrase_name_find(const reader *r, const char *name, uint32_t *ret_object);

/* ---- candidates: candidates.c ---- */
typedef struct candidate {
    uint32_t object;
    uint32_t cost; /* hundredths */
} candidate;
typedef struct candidates {
    uint32_t count;
    candidate *items; /* room for every object */
} candidates;
typedef bool candidate_test(const void *context, uint32_t object);
/* less comes first */
typedef double candidate_measure(const void *context, uint32_t object);

/* An empty list in the reader's arena. ETNA_E_NOMEM. */
etna_code candidates_make(reader *r, candidates *ret);
/* All of a set, at no cost. ETNA_E_NOMEM. */
etna_code candidates_of_set(reader *r, const builtin_set *set, candidates *ret);
/* Appends it; the caller adds no object twice, since the list has no room for
 * more than all. */
void candidates_add(candidates *c, uint32_t object, uint32_t cost);
/* cost; UINT32_MAX: there are none */
uint32_t candidates_least(const candidates *c);
etna_code candidates_copy(reader *r, const candidates *c, candidates *ret);
/* "The folding chairs at the table", where other chairs are: has a word of the
 * phrase besides its noun gone with those that were left out? */
bool candidates_lose_word(const reader *r,
                          const match_query *q,
                          const candidates *before,
                          const candidates *after);
/* How many answer as well as the best does. */
uint32_t candidates_near(const candidates *c);
/* Keeps those that cost at most so much more than the cheapest. */
enum {
    SLACK_ONE = 5,
    SLACK_CALLED = 11,
    SLACK_RANKED = 64,
    SLACK_MANY = 26
}; /* CALLED: so, with a word more */
void candidates_within(candidates *c, uint32_t slack);
/* Keeps those of which the test tells `wanted`. */
void candidates_select(candidates *c,
                       candidate_test *test,
                       const void *context,
                       bool wanted);
uint32_t candidates_count(const candidates *c,
                          candidate_test *test,
                          const void *context); /* that pass */
/* Keeps those that pass, if any does; false: none does. */
bool candidates_prefer(candidates *c,
                       candidate_test *test,
                       const void *context);
/* Keeps the one at this place of the list, which is below its count. */
void candidates_only(candidates *c, uint32_t index);
/* Keeps the first of the least measure; without candidates nothing. */
void candidates_pick(candidates *c,
                     candidate_measure *measure,
                     const void *context);
/* Ascending; equal ones stay in their order. */
void candidates_sort(candidates *c,
                     candidate_measure *measure,
                     const void *context);
/* Candidates as a set of which `need` are wanted. ETNA_E_NOMEM. */
etna_code candidates_set(reader *r,
                         const candidates *c,
                         uint32_t need,
                         builtin_set *ret);

/* Neither a fixed part of the scene nor skinned or animated. */
bool object_moves(const builtin_facts *facts, uint32_t object);
/* the same as a test */
bool candidate_moves(const void *facts, uint32_t object);
/* nothing stands on it */
bool candidate_is_bare(const void *facts, uint32_t object);

/* ---- one phrase on its way to things ---- */
typedef struct resolution {
    reader *r;
    const chart_node *thing;
    refer_scope scope;
    quantity amount;
    uint32_t word_count;
    const char *words[REFER_WORDS_MAX];
    match_query query;
    bool plural;
    candidates found;
} resolution;

/* "At the garden table, facing the table": does a bare noun mean what the thing
 * is put by? */
etna_code phrase_is_again(reader *r,
                          const chart_node *what,
                          uint32_t reference,
                          bool *ret);

/* ---- gathering: gather.c ---- */
/* What answers to the query within scope and quantity; it replaces what was
 * found. */
void gather(const resolution *t, const match_query *query, candidates *ret);
/* May the scope and the quantity mean it? */
bool gather_allows(const resolution *t, uint32_t object);
/* Where nothing that was found is called so: "the nightstand" is the cabinet by
 * the bed; gather_beside.c. Empty: the query is no such kind, or one is. */
void gather_beside(const resolution *t, candidates *ret);
/* "On the shelf", where no shelf is here but what people mix up with one: what has
 * several boards. Empty: one is, or nothing has. */
void gather_shelved(const resolution *t, candidates *ret);
/* Is a thing of that kind told by what it stands beside, and this one so? */
bool object_is_told_beside(const reader *r,
                           uint32_t object,
                           const kinds_id *said);
/* What the words alone call so, at a cost of `most` at the most, without a
 * phrase, scope or quantity; nothing where they have no noun. ETNA_E_NOMEM. */
etna_code gather_called(reader *r,
                        const char *const *words,
                        uint32_t count,
                        uint32_t most,
                        match_query *ret_query,
                        candidates *ret);
/* All that the phrase's noun calls so, wherever they are and however many are
 * meant; a later phrase borrows the noun. ETNA_E_INPUT: nothing is, or more is
 * said of them. */
etna_code gather_all_called(reader *r,
                            const chart_node *phrase,
                            builtin_set *ret);
/* Where nothing is called so: "the dining chairs" stand by a dining table. */
etna_code gather_by_place(const resolution *t, candidates *ret);
/* "The table in the kitchen", of several rooms: those that are called after it,
 * else those that are near to what makes one; false: none is. */
bool candidates_by_room(const reader *r, const char *word, candidates *c);
/* "The kitchen" of a scene that has none of what makes a kitchen, and what
 * makes another room: it is not shown. */
bool scene_is_another_room(const reader *r, const char *word);
/* Of a kind that differs from its kindred by size alone ("coffee table"),
 * leaves those of that size; false: it is none. */
bool candidates_by_kind_size(const resolution *t, candidates *c);
/* Where nothing is called so either: what is a ball or a box by its form. The
 * query asks for the rest of it then. */
etna_code gather_by_form(const resolution *t, match_query *q, candidates *ret);
/* The one thing without a name, where it is as large as what is said is, and of
 * its colour. */
void gather_by_default(const resolution *t, candidates *ret);
/* Where no thing of the kind has the colour: the only one of a kindred kind
 * that has. */
void gather_of_family(const resolution *t, candidates *ret);
/* Things of the same nouns without what is said besides: for the refusal. */
etna_code gather_nearly(const resolution *t, candidates *ret);

/* ---- levels that are told by what is on them: level_told.c ---- */
/* As refer_level has it: "the empty shelf", "the board with the tins", "their
 * shelf". ETNA_E_NOMEM. */
etna_code refer_level_told(reader *r,
                           const chart_node *node,
                           const builtin_set *movers,
                           bool *ret_is_level,
                           uint32_t *ret_object,
                           uint32_t *ret_level);
/* The board of the base on which most of the things stand, else the barest that
 * has room for them; 0: none has. */
uint32_t level_for_all(const reader *r,
                       uint32_t base,
                       const builtin_set *things);

/* "A cup on the left shelf, a jug on the right": did the text, before that
 * token, tell the last place's noun by the side that is opposite to the word? */
bool memory_opposes_side(const reader *r, uint32_t before, const char *word);

/* ---- parts that are no things of their own: stage_part.c ---- */
/* "Door", "bumper": may a phrase of place mean the whole by it? */
bool word_is_part(const char *word);
/* Does the phrase name a part of that thing on which nothing stands, for which
 * the file has no object: an armrest, a door? */
bool phrase_names_bare_part(const reader *r,
                            const chart_node *node,
                            uint32_t whole);
/* Does the phrase, which means `whole`, name what is at its front by a part that
 * it is not called? */
bool phrase_names_front(const reader *r,
                        const chart_node *node,
                        uint32_t whole);

/* ---- ranking: rank.c ---- */
/* Does it ask by size, side or ordinal, so that others of the kind are
 * expected? */
bool query_is_ranked(const match_query *q);
/* "The left one", "the two leftmost", "the middle one", "the second from the
 * left": keeps `wanted` of them, sorted by the side; all where no side is said;
 * none where an ordinal exceeds their count. */
void candidates_by_side(const reader *r,
                        candidates *c,
                        const match_query *q,
                        uint32_t wanted);
/* How many stand on a side: before the widest gap among them. Sorts them. */
uint32_t candidates_count_on_side(const reader *r,
                                  candidates *c,
                                  unsigned side);
/* Keeps the `wanted` (1 or more) that are largest, or smallest ...: `size` is
 * lexicon_size's sign and kind, 0: none is said. Keeps all, sorted, where the
 * next differs by no more than 2 %. */
void candidates_by_size(const reader *r,
                        candidates *c,
                        int size,
                        uint32_t wanted);
/* Do all, two at least, differ by no more than 2 % of the least? */
bool candidates_are_alike_in_size(const reader *r,
                                  const candidates *c,
                                  int size);
/* "The second largest", `nth` from 1: leaves all of them where it differs from
 * a neighbour by no more than 2 %, and none where there are fewer. */
void candidates_nth_by_size(const reader *r,
                            candidates *c,
                            int size,
                            uint32_t nth);
/* Is it of that colour, all in all or a good part of it? */
bool object_shows_colour(const builtin_object *o, builtin_colour colour);
/* How many of them are called after a colour. */
uint32_t candidates_called_by_colour(const reader *r, const candidates *c);
/* Those of the colour, told the more loosely the fewer there are; `number`: how
 * many are meant, 0 or 1: it does not say. */
void candidates_by_colour(const reader *r,
                          candidates *c,
                          const match_query *q,
                          bool many,
                          uint32_t number);
/* "Carpet 1" is Carpet_01_001 before Carpet_01_002: prefers those whose name
 * ends in the query's last number. */
void candidates_by_number(const reader *r, candidates *c, const match_query *q);
/* Keeps the one that bears at least two things and twice as many as any other,
 * or, where it is to be cleared, the only one that bears anything; else all. */
void candidates_by_load(const reader *r, candidates *c, bool clearing);
/* Keeps the candidate nearest to (farthest from) any of `to` but itself;
 * _several keeps `number` of them, in that order. */
void candidates_by_way(const reader *r,
                       candidates *c,
                       const builtin_set *to,
                       bool farthest);
void candidates_by_way_several(const reader *r,
                               candidates *c,
                               const builtin_set *to,
                               bool farthest,
                               uint32_t number);
/* Is the picture whose image places are told the one that the speaker has before
 * them, by which left and right are said? Another was made for what the
 * sentence names. */
bool facts_are_of_usual(const builtin_facts *facts);
/* The one of them that stands farthest from all the others of its kind. */
void candidates_by_solitude(const reader *r,
                            candidates *c,
                            const candidates *kind);
/* The seat that is farthest from every table; of anything else the solitary
 * one. */
void candidates_by_straying(const reader *r, candidates *c);

/* "The top plate of the stack": keeps those of the only heap that the candidates
 * make. *ret_done false: the phrase is no bare heap, or there are none or
 * several. ETNA_E_NOMEM. stage_heap.c */
etna_code heap_keep_members(reader *r,
                            const chart_node *heap,
                            candidates *c,
                            bool *ret_done);

/* ---- modifiers: modify.c ---- */
/* Leaves out what the phrase's modifiers do not allow; those of sides and
 * ordinals go to the query. */
etna_code candidates_modify(reader *r,
                            const chart_node *thing,
                            match_query *q,
                            candidates *c);

/* ---- choosing: choose.c ---- */
/* Narrow t->found by their rules, in order, to what is meant, and add its cost
 * to the reading's. Refuse (ETNA_E_INPUT) what is unknown, ambiguous or counted
 * wrongly; ETNA_E_NOMEM. */
etna_code choose_one(resolution *t, builtin_set *ret);
etna_code choose_many(resolution *t, builtin_set *ret);

/* ---- one noun: refer_thing.c ---- */
/* What a THING means within the scope. Refuses as choosing does. */
etna_code refer_thing(reader *r,
                      const chart_node *thing,
                      const refer_scope *scope,
                      builtin_set *ret);
/* Keeps the nouns that a later phrase without one borrows. ETNA_E_NOMEM. */
etna_code refer_remember(reader *r, const match_query *q, bool movers);

/* ---- the other forms of a phrase ----
 * What a node of one kind means within the scope. On failure *ret is not to be
 * used: ETNA_E_INPUT with the reader's diagnosis set, or ETNA_E_NOMEM. */
typedef etna_code refer_form(reader *r,
                             const chart_node *node,
                             const refer_scope *scope,
                             builtin_set *ret);
/* PRON: refer_pronoun.c */
refer_form refer_pronoun;
/* The pile that the text made last, whose order is known; NULL: it made none. */
const builtin_move *pile_last(const reader *r);
/* "Everything else", "all other things": but for what was spoken of. */
bool everything_is_the_rest(const reader *r, const chart_node *node);
/* Were the things of the text put to several places, and not onto one
 * another? */
bool memory_is_scattered(const reader *r);
/* "The red pills by the brown bottle, the blue ones by the blue bottle. All of
 * it on the counter": what the text moved, one by one. */
etna_code refer_lot(reader *r, builtin_set *ret);
/* OWNED "the desk's lamp", OF "two of the bottles": refer_owned.c */
refer_form refer_owned;
refer_form refer_part_of;
/* Has its name a word for somebody? The context is the reader. */
bool object_is_peoples(const void *reader, uint32_t object);
/* "The doctors chair", where nothing is called so: what "the doctor's chair"
 * means, and the query of its own words. *ret is empty: no person is said.
 * ETNA_E_NOMEM. refer_owned.c */
etna_code gather_of_person(const resolution *t,
                           match_query *ret_own,
                           candidates *ret);
/* EXCEPT and BUTFOR, NOTBUT, CORRECTED: refer_denied.c */
refer_form refer_except;
refer_form refer_contrast;
refer_form refer_corrected;
/* QUOTED, APPOSED: refer_named.c */
refer_form refer_quoted;
refer_form refer_apposed;

/* What is left out of `all`: one of these, where one answers; refer_denied.c. */
etna_code refer_excepted(reader *r,
                         const chart_node *but,
                         const builtin_set *all,
                         builtin_set *ret);
/* Takes what is left out of *ret, which the phrase `of` meant; of "everything"
 * what lies on it, too: it stays with it. ETNA_E_NOMEM. refer_denied.c */
etna_code refer_without(reader *r,
                        const chart_node *of,
                        const builtin_set *but,
                        builtin_set *ret);
/* The last child that is no word; NULL: there is none behind the first child.
 * refer.c */
const chart_node *node_last_phrase(const chart_node *node);

/* ---- refusals: refuse.c; each etna_code is ETNA_E_INPUT, the reader's
 * diagnosis set ---- */
/* The first six of their names, with colours where known, and ", ..." for
 * more. */
void refuse_names(const builtin_facts *facts,
                  const candidates *c,
                  char ret[REFER_NAMES_SIZE]);
/* "Nothing here is ...": with those that are nearly so or, where none is, six
 * that are most like. */
etna_code refuse_unknown(reader *r,
                         const chart_node *thing,
                         const candidates *near);
/* It cannot be moved: why, and what would make it movable. */
etna_code refuse_fixed(reader *r, const chart_node *thing, uint32_t object);
/* "asks for 4, but there are 3", with their names where `c` is given. */
etna_code refuse_count(reader *r,
                       reader_code code,
                       const chart_node *thing,
                       uint32_t number,
                       uint32_t count,
                       const candidates *c);

/* ---- what places are by, over clauses without a verb: refer_pronoun.c ----
 * "The vase on the table, a cup behind it and a plate to its left": what
 * stands in a row of places of one thing stays with that thing. */
/* Notes what a pronoun of the place of the next move means. */
void topic_note(reader *r, uint32_t owner);
/* What "its" is: the topic, or else the one thing that was moved last.
 * BUILTIN_NONE: neither, or it is one of the movers. */
uint32_t topic_owner(const reader *r, const builtin_set *movers);

/* "The counter next to the toaster", which stands on one of the counters: does
 * that tell where on that, and of no other counter? */
bool place_is_on_one_of(reader *r,
                        const chart_node *where,
                        const candidates *found);

#endif
