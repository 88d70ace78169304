/* What the parts of the reader share. Nobody else includes this.
 *
 *   read/read.c    a text -> parts; what the scene's names are made of
 *   read/part.c    a part -> trees of the grammar; the reading that fits the scene best; its steps: read/part_internal.h
 *   read/clause.c  one clause: by its verb, to moves; its parts: read/clause.h
 *   read/correct.c "no, the blue one": a clause and its correction
 *   read/where.c   what is said of where and how; where_zone.c: in which corner, at which end
 *   read/refer.c   a noun phrase -> things: what it may mean, and which of these it does; its parts: read/refer_internal.h
 *   read/advise.c  what a refusal offers instead
 *   read/remark.c  what is said around a wish: how things are, and why
 *   read/telling.c what a stretch of words does: it tells, it opens a wish
 *   read/passed.c  may words be passed over: no place of a thing may
 *   read/leave.c   a text without a wish that was passed over
 *   read/match.c   does a thing answer to a phrase's words, and how well (match_internal.h); match_memory.c: remembered
 *
 * A tree is read for one scene. What a reading costs says how far it is from
 * what people say and from what the scene has; of a sentence's trees the
 * cheapest that means something here wins. */
#ifndef ETNA_WORKER_BUILTIN_READ_READER_H
#define ETNA_WORKER_BUILTIN_READ_READER_H

#include "proto/array.h"
#include "proto/ascii.h"
#include "worker/builtin/builtin.h"
#include "worker/builtin/hang.h"
#include "worker/builtin/language/kinds.h"
#include "worker/builtin/language/lexicon.h"
#include "worker/builtin/language/sentence.h"
#include "worker/builtin/relation.h"
#include "worker/builtin/spot.h"

#include <string.h>

enum {
    REFER_WORDS_MAX = 16,
    READER_DENIED_MAX = 8,
    TOLD_PAIRS_MAX = 8
};

/* What is told not to be so: a clause, and where its words are. */
typedef struct reader_unmet {
    const struct chart_node *said; /* NULL: nothing */
    const sentence *s;
    const sentence_part *part;
    bool is_gap; /* "there's a gap between them" */
} reader_unmet;

/* Where something was put, or is told to be: "put the cup there, too". */
typedef struct reader_there {
    uint32_t object; /* 1 + what it is by; 0: nothing was told */
    builtin_relation relation;
    uint32_t level; /* of it; 0: none is said */
} reader_there;

enum {
    MENTIONS_MAX = 8
};

typedef struct reader_mention { /* a phrase that meant one thing */
    uint32_t at;                /* its first token in the text */
    uint32_t object;
} reader_mention;

typedef enum conditional_state {
    CONDITIONAL_NONE, /* no condition was read */
    CONDITIONAL_MET,
    CONDITIONAL_UNMET
} conditional_state;

/* What a phrase meant, and those before it. */
typedef struct reader_meant {
    const struct reader_meant *before;
    uint32_t first, end; /* tokens of the text */
    builtin_set things;
} reader_meant;

/* Where things are not to be; things.count 0: nothing is denied. */
typedef struct reader_denial {
    builtin_set things;
    builtin_condition place;
    bool due; /* "it shouldn't be there", and not "don't put it there" */
} reader_denial;

typedef struct reader_memory { /* what is carried from clause to clause */
    builtin_set last;          /* "it", "them" */
    uint32_t last_reference;   /* BUILTIN_NONE: none yet */
    /* 1 + what a pronoun of a place meant last, and the move whose place it is:
     * "a cup behind it and a plate to its left" are of one thing; 0: none */
    uint32_t topic;
    uint32_t topic_move;
    /* taken up and not put down yet; count 0: nothing */
    builtin_set taken;
    /* not to stand on each other: "unstack the plates" */
    builtin_set apart;
    builtin_set cleared; /* "the rest" of these stays */
    /* what the clause before left out: "except the grey one, that goes there" */
    builtin_set spared;
    /* left where it is when a thing was cleared: "all but the mug" */
    builtin_set kept;
    /* said to stay before anything was asked: "leave the mug where it is and
     * clear the table" */
    builtin_set stays;
    bool rest_stays;       /* "nothing else changes" */
    builtin_set unshifted; /* may only be turned where it is */
    bool discarded;        /* something was taken out; it is nothing's `last` */
    /* of the list that is being resolved, the part before: "table 3 and its
     * chairs"; count 0: none is */
    builtin_set conjunct;
    /* "the other one", "the red one": of the noun said last */
    uint32_t noun_count;
    const char *nouns[REFER_WORDS_MAX];
    /* and of the things moved last: "with the white one in the middle" */
    uint32_t mover_noun_count;
    const char *mover_nouns[REFER_WORDS_MAX];
    /* and of the place named last: "the salt on the left candle, the vase on
     * the right one" */
    uint32_t place_noun_count;
    const char *place_nouns[REFER_WORDS_MAX];
    /* 1 + the move of a row or a pile whose order may still be told; 0: none */
    uint32_t ordered;
    /* the same of the clause before, while what was read of a clause is held
     * against its words */
    uint32_t ordered_before;
    /* of a pile: which is told to bear which, in that move */
    uint32_t told_pair_count, told_pairs_of;
    uint32_t told_pairs[TOLD_PAIRS_MAX][2];
    /* 1 + what is told to be at its bottom, and on its top; 0: nothing is */
    uint32_t told_low, told_high, told_ends_of;
    bool sized; /* it is by size: one end tells the other */
    /* the whole order of it is told, so that no place in it is free any more */
    bool order_told;
    /* what is listed for it is told from its end: "from right to left" */
    bool backward;
    /* 1 + the place in it behind the one that was told last; 0: none was */
    uint32_t ordered_next;
    uint32_t table;       /* 1 + the move that lays a table */
    uint32_t group_count; /* things named one by one, in order */
    /* of the last phrase that named some: for "the other" */
    builtin_set named;
    lexicon_verb verb; /* of the clause before, for one without */
    /* 1 + what "everything" does not mean: where it goes itself; 0: nothing */
    uint32_t not_moved;
    /* 1 + what a thing is said to be too far from or too near to; 0: nothing */
    uint32_t complained;
#define COMPLAINED_OF_UNKNOWN UINT32_MAX /* of nothing that is known here */
    /* "15 cm too high": what is, and by how many metres */
    builtin_set off_things;
    double off_metres;
    /* what is said not to be where it is: something must be asked of it */
    builtin_set denied;
    /* what is said of it may be how it is to be: it must be asked for behind the
     * first `awaited_from` moves */
    builtin_set awaited;
    uint32_t awaited_from;
    uint32_t denied_at_count; /* and on what they are not to be */
    uint32_t denied_at[READER_DENIED_MAX];
    reader_denial denial; /* until a move takes it */
    builtin_set single;   /* the last one thing that was spoken of */
    /* what "that chair" may point back to; the last ones alone are kept */
    uint32_t mention_count;
    reader_mention mentions[MENTIONS_MAX];
    /* 1 + where the last thing told by its place stands; 0: none was */
    uint32_t told_at;
    reader_there there;
    reader_unmet unmet; /* until "change that" asks for it */
    /* 1 + what is to be tidied: "on the left" is of it; 0: nothing */
    uint32_t tidied;
    /* bytes of the clause that asks for all to be tidied; both 0: none does */
    uint32_t tidying[2];
    /* of "if ...", for an "otherwise" right behind it: the token behind its
     * part */
    conditional_state conditional;
    uint32_t conditional_end;
    /* "if there is no cup on it": is there one? */
    conditional_state conditional_exists;
    uint32_t context;       /* what was cleared or made room on, BUILTIN_NONE */
    uint32_t context_level; /* and which of its levels; 0: all */
} reader_memory;

typedef enum reader_gap { /* what was left out before a part */
    GAP_NONE,
    /* a placing, as what goes on from it may be */
    GAP_PLAIN,
    /* something else was to be done: a clause without a verb would go on from
     * that */
    GAP_STRANGE
} reader_gap;

typedef struct reader {
    const builtin_facts *facts;
    const char *text;
    const sentence *s;
    const sentence_part *part;
    etna_arena *arena;
    builtin_reading *reading;
    uint32_t first_move; /* of this text: those before are another's */
    builtin_set moving;  /* of this clause, as soon as it is known */
    /* the clause is about to move each of several things: "each cup on a
     * saucer" */
    bool deals;
    etna_error *err;
    const kinds_id *kinds;        /* one an object */
    struct match_memory *matches; /* NULL: nothing is remembered */
    const sentence_vocabulary *vocabulary;
    /* of each object its own: what a set of one points to */
    const uint32_t *indices;
    uint8_t *account; /* a builtin_became a token; NULL: none is kept */
    /* a token: 1 where it names that of whose zone something is asked */
    uint8_t *zoned;
    const reader_meant *meant; /* NULL: nothing yet */
    reader_memory memory;
    /* 1 + what the clause puts things on, while its zones are read; 0: nothing */
    uint32_t upon;
    bool is_elliptic; /* the clause has no verb: "and a plate to its left" */
    /* of this clause: "the tray without the glass"; what of it stands on a
     * moved thing stays behind */
    builtin_set excepted;
    uint32_t cost; /* hundredths */
    bool strained; /* it asks for two places that are far apart */
    /* bytes of the clause that is read; both 0: none is */
    uint32_t clause[2];
    /* it asks for something of its own, and bounds nothing else */
    bool is_wish;
    reader_gap gap; /* before it */
    builtin_refusal refusal;
} reader;

/* ---- refusals: ETNA_E_INPUT with a code, a span and a text ---- */
/* A doubtful one is passed over for any dearer reading of the words; a certain
 * one understood them and is the answer. The table of read.c says how certain
 * each is. */
typedef enum reader_code {
    CODE_UNREAD,
    CODE_UNKNOWN,
    CODE_AMBIGUOUS,
    CODE_IMPOSSIBLE,
    CODE_NO_PLACE,
    CODE_LEFT_OVER, /* told as unread: a part of it shows in no move */
    CODE_UNMET,     /* told as unread: understood, and nothing can be so */
    CODE_ABSENT     /* told as unknown: understood, and it is not here */
} reader_code;
etna_code reader_refuse(reader *r,
                        reader_code code,
                        const chart_node *node,
                        const char *format,
                        ...) __attribute__((format(printf, 4, 5)));
/* "... is not understood": of a node that has no meaning here.
 * ETNA_E_INPUT. */
etna_code reader_refuse_unread(reader *r, const chart_node *node);
/* "what ... means is not clear": of a node that may mean several things.
 * ETNA_E_INPUT. */
etna_code reader_refuse_unclear(reader *r, const chart_node *node);
/* The node's words, and why they are refused. ETNA_E_INPUT. */
etna_code reader_refuse_said(reader *r,
                             reader_code code,
                             const chart_node *node,
                             const char *why);
/* Makes the refusal that `code` is of certain: no dearer reading of the words is
 * meant. Returns the code, whatever it is. */
etna_code reader_refuse_finally(reader *r, etna_code code);
/* Always ETNA_E_NOMEM. */
etna_code reader_no_memory(reader *r);
/* Notes that the node's words, or without one all of the part's, tell how
 * things are and ask for nothing. */
void reader_remark(reader *r, const chart_node *node);

/* ---- tokens of nodes ---- */
const char *reader_word(const reader *r, uint32_t token); /* of the part */
/* The text that a node covers, as written; at most 160 bytes, in the arena. */
const char *reader_said(const reader *r, const chart_node *node);
void reader_span(const reader *r, const chart_node *node, uint32_t ret[2]);
/* False for NULL, too. */
bool node_is(const chart_node *node, const char *name);
/* Does it begin with a digit? */
static inline bool word_is_number(const char *word)
{
    return ascii_is_digit(word[0]);
}

/* ---- phrases ---- */
typedef struct refer_scope {
    bool movers; /* things to move */
    bool flat;   /* rather something that things can stand on */
    bool laden;  /* rather something that things stand on */
    bool many;   /* a plural reference is welcome */
    /* of several that answer any will do: what tells which thing another is */
    bool any;
    const builtin_set *barred; /* what is itself moved; NULL */
    uint32_t on;               /* only what stands on this; BUILTIN_NONE */
    uint32_t on_level;         /* and on that level of it; 0: any */
} refer_scope;
/* For phrases that name what is moved. */
refer_scope refer_scope_movers(void);
refer_scope refer_scope_place(const builtin_set *movers);

/* What a phrase (things, THING, AND, PRON ...) means. A singular set has count
 * 1; an indefinite one need < count. */
etna_code refer_things(reader *r,
                       const chart_node *node,
                       const refer_scope *scope,
                       builtin_set *ret);
/* From here on the text has named the object by the phrase. */
void refer_mention(reader *r, const chart_node *thing, uint32_t object);
/* A later phrase without a noun borrows that of the first of these.
 * ETNA_E_NOMEM. */
etna_code refer_remember_noun(reader *r, const chart_node *things);
/* One thing; who looks ("me") is none. */
etna_code refer_one(reader *r,
                    const chart_node *node,
                    const refer_scope *scope,
                    uint32_t *ret);
/* What these would say: the reader is as it was, with no refusal of theirs.
 * After ETNA_E_NOMEM the diagnosis is the caller's. */
etna_code refer_peek_things(reader *r,
                            const chart_node *node,
                            const refer_scope *scope,
                            builtin_set *ret);
etna_code refer_peek_one(reader *r,
                         const chart_node *node,
                         const refer_scope *scope,
                         uint32_t *ret);
/* "the top shelf", "the second board from the bottom of the bookcase": the
 * thing and which of its levels; false: the phrase says no level. */
etna_code refer_level(reader *r,
                      const chart_node *node,
                      const builtin_set *movers,
                      bool *ret_is_level,
                      uint32_t *ret_object,
                      uint32_t *ret_level);
/* Is the phrase said with "each", "every" or as a plural of several? */
bool phrase_is_each(const chart_node *node);
/* The number that a phrase says: "two cups"; 0: none, or it is NULL or a list. */
uint32_t phrase_number(const chart_node *node);
bool phrase_is_plural(const reader *r, const chart_node *node);
/* The word of a pronoun; NULL: the phrase is none. */
const chart_node *phrase_pronoun(const chart_node *node);
bool phrase_is_pronoun(const chart_node *node, lexicon_pronoun pronoun);
bool phrase_means_room(const reader *r, const chart_node *node);
/* "The floor", "the grass": what things stand on where nothing of the scene is
 * called so. */
bool word_is_ground(const char *word);
bool phrase_means_floor(const reader *r, const chart_node *node);
/* "The kitchen" of a whole flat, which no file tells where it is. */
bool phrase_is_a_room_of_several(const reader *r, const chart_node *thing);
/* "The room", "the whole scene", and a room's kind where there is but one
 * room. */
bool phrase_means_whole_scene(const reader *r, const chart_node *node);
/* "the wall", and no more said of it. */
bool phrase_is_wall(const reader *r, const chart_node *thing);
uint32_t refer_floor(const builtin_facts *facts); /* BUILTIN_NONE: none */

/* ---- what is brought in: read/bring.c ---- */
/* What came for a phrase, by its very words ("a floor lamp"); NULL: nothing
 * did. */
const builtin_staged *staged_named(const reader *r, const chart_node *node);
/* Do these words say by what something was replaced? */
bool staged_replaces(const reader *r, const chart_node *node);
/* Is it spoken of as what is taken out? */
bool staged_removes(const reader *r, const chart_node *node);
/* Was anything taken out? */
bool staged_is_any_gone(const reader *r);

/* ---- matching: read/match.c ---- */
typedef struct match_query { /* a phrase's own words */
    uint32_t count;
    const char *words[REFER_WORDS_MAX];
    /* of each word: colour, size, side, stuff, state */
    bool is_property[REFER_WORDS_MAX];
    bool generic; /* "one", "thing": any kind */
    bool has_noun;
    uint32_t colour; /* lexicon's; 0: none */
    int size;
    bool superlative;
    bool mid_size;                              /* "the medium box" */
    unsigned sides;                             /* "the left lamp" */
    uint32_t ordinal;                           /* 0: none */
    bool ordinal_from_side, ordinal_from_right; /* "the second from the left" */
    bool
        first_few; /* "the first three", "the last two": sides says from where */
    /* "the bedroom desk": its room */
    const char *room;
    kinds_id said;
    const char *whole; /* all words, for an exact name */
    /* "the smaller of the two books": which of them is settled already */
    bool partitive;
} match_query;
/* Words of a phrase, lower case, without determiners. ETNA_E_NOMEM. */
etna_code match_query_make(const char *const *words,
                           uint32_t count,
                           etna_arena *arena,
                           match_query *ret,
                           etna_error *err);
enum {
    MATCH_NOT_HEAD = 250,
    MATCH_NONE = 0xffff
};
typedef struct match_result {
    /* hundredths; MATCH_NOT_HEAD and more: only its modifiers answer;
     * MATCH_NONE: nothing does */
    uint32_t cost;
    bool colour_by_name;
    bool by_kind; /* not by its name's words */
    bool whole;   /* the phrase is its whole name */
    /* a property was said that nothing of it shows: "the folding chairs" for a
     * chair */
    bool doubtful;
    /* the phrase is narrower than all that is known of the thing: "the garden
     * chair" for a chair */
    bool unproven;
} match_result;
match_result match_object(const builtin_facts *facts,
                          const kinds_id *kinds,
                          uint32_t object,
                          const match_query *q);

/* What came of it before: read/match_memory.c. */
typedef struct match_memory match_memory;
/* NULL: out of memory */
match_memory *match_memory_new(etna_arena *arena, uint32_t object_count);
/* match_query_make of the reader's arena. */
etna_code reader_query(const struct reader *r,
                       const char *const *words,
                       uint32_t count,
                       match_query *ret);
match_result reader_match(const struct reader *r,
                          uint32_t object,
                          const match_query *q);
/* The first object from `from` on that answers, at a cost below MATCH_NONE;
 * object_count: none does. */
uint32_t reader_match_next(const struct reader *r,
                           uint32_t from,
                           const match_query *q);
/* "A clean plate" is none that is called used. */
bool match_name_denies(const builtin_facts *facts,
                       const builtin_object *o,
                       const match_query *q);
/* By its form and the dictionary. */
bool match_is_plural_word(const char *word);
/* a colour, size or state */
bool match_word_is_trait(const char *word);
/* "left", "rear": a bit of LEXICON_LEFT and its like; 0: it is no side. */
unsigned match_word_side(const char *word);
/* "set", "stack": of what the word before it says */
bool match_is_collection(const char *word);
/* "floor": where what the word before it says is */
bool match_is_place(const char *word);
/* Do the names differ in their last words alone, and is that of `b` a mere
 * adjective: "kettlebell_light" beside "kettlebell_heavy"? */
bool match_names_differ_in_trait(const builtin_object *a,
                                 const builtin_object *b);
/* Do the names differ in one word alone, which in both says what the thing is
 * like: "tall vase" beside "round vase"? */
bool match_names_have_own_traits(const builtin_object *a,
                                 const builtin_object *b);
/* Is the name of `a` that of `b` with words that say what it is like: "tall
 * cabinet" and "cabinet"? */
bool match_name_adds_trait(const builtin_object *a, const builtin_object *b);
/* Is it called by that noun and nothing but colours, sizes and numbers: "red tin",
 * "bottle 2"? */
bool match_name_is_plain(const builtin_object *o, const char *noun);
/* Is the thing's name one word that ends in the noun: a basketball of
 * "balls"? */
bool match_is_compound_of(const builtin_object *o,
                          const kinds_id *kind,
                          const char *noun);

/* ---- places: read/where.c ---- */
enum {
    /* metres more for "with", where it is beside the thing and not on it */
    WAY_WITH_BESIDE = 1
};
/* Does the thing stand as the place says (a modifier: "the cup on the tray")?
 * *ret_way: metres, for ranking; INFINITY when not at all. */
etna_code where_holds(reader *r,
                      const chart_node *where,
                      uint32_t object,
                      double *ret_way);
/* The same of one thing after another: what the place is said by is found
 * once. */
typedef struct where_found {
    const chart_node *where;
    bool is_found, is_level;
    builtin_set of;        /* what a relation names */
    uint32_t owner, level; /* is_level: the thing, and which of its levels */
} where_found;
etna_code where_find(reader *r, const chart_node *where, where_found *ret);
etna_code where_found_holds(reader *r,
                            const where_found *found,
                            uint32_t object,
                            double *ret_way);
/* Is it on a table or the like, nearer to that seat than to others of its
 * kind? */
bool where_is_before_seat(const reader *r, uint32_t object, uint32_t seat);
/* Metres to what the place is said to be near to, however far that is;
 * INFINITY: it says no such. */
etna_code where_way(reader *r,
                    const chart_node *where,
                    uint32_t object,
                    double *ret_metres);
/* Metres of an amount; < 0 for "a bit". `ret_most` of a range, else the
 * same. */
double where_metres(const reader *r, const chart_node *dist, double *ret_most);
/* metres between boxes */
double where_between(const builtin_object *a, const builtin_object *b);

/* ---- vague wishes: read/propose.c ---- */
bool propose_is_vague(const sentence *s);
/* "say what is to go where, for instance ...", "" when nothing comes to mind;
 * NULL: out of memory. */
const char *propose_sentences(reader *r);
/* Appends the moves that tidy up all of the scene: no small thing left on the
 * floor where a table is, seats at their tables, nothing askew. No move:
 * nothing lies about. ETNA_E_NOMEM. */
etna_code tidy_read(reader *r);

/* ---- what a refusal offers: read/advise.c ---- */
/* Names the clause that was not read, and a sentence that is. ETNA_E_INPUT: the
 * refusal; ETNA_E_NOMEM. */
etna_code refusal_advise(reader *r);
/* Reads another text over the same scene, as if nothing had been read, without
 * advice for what is refused. */
etna_code reader_read_plainly(const reader *like,
                              const char *text,
                              builtin_reading *reading);

/* Reads r's text anew, as if nothing of it had been read, but for what
 * `reading` leaves out, without advice. */
etna_code reader_read_rest(const reader *r, builtin_reading *reading);

/* ---- what is left over: read/coverage.c ---- */
/* Do the moves from `first_move` on show all that the clause says of how and
 * where? ETNA_E_INPUT: what they drop. */
etna_code coverage_check(reader *r,
                         const chart_node *said,
                         uint32_t first_move);
/* Does a clause that names no place ask for something all the same ("must",
 * "should")? */
bool coverage_is_request(const reader *r, const chart_node *said);

/* ---- moves that say one thing together: read/settle.c ---- */
/* Lets the moves from `from` on, made by one clause, take in earlier ones of
 * the text. ETNA_E_NOMEM. */
etna_code moves_settle(reader *r, uint32_t from);
/* Once all is read: what was told to be so before an order must be so.
 * ETNA_E_INPUT: it is not. */
etna_code moves_check_told(reader *r);
/* And: what something is put instead of must leave. */
etna_code moves_check_instead(reader *r);
/* And: what is not to be somewhere is put elsewhere (read/deny.c).
 * ETNA_E_INPUT: where is not said. */
etna_code moves_deny(reader *r);
/* "The mug shouldn't be on the desk", and no more, where it is: off with it. */
etna_code moves_take_off(reader *r);
/* And: a table and its seats go one by one, unless by the same way; and the way
 * back to where a thing belongs is not known. */
etna_code moves_check_ways(reader *r);
/* And: a trade of what an earlier move of the text puts elsewhere becomes what
 * it comes to, and what is only told of those that trade is dropped
 * (read/trades.c). ETNA_E_INPUT: it is not clear what it comes to. */
etna_code moves_check_trades(reader *r);
/* Memory that counts moves is counted down. */
void move_drop(reader *r, uint32_t at);
/* "One on either side, the red one on the left": the move that says so is taken
 * up by the two before it, or refused. */
etna_code moves_deal_sides(reader *r);
/* And: what is to go onto a board "where the jar stands" goes
 * beside the jar, where that stays. */
void moves_spare_stayers(reader *r);
/* And: after "nothing else changes" all that no move takes makes no way, either.
 * ETNA_E_NOMEM. */
etna_code moves_hold_rest(reader *r);

/* The move that this text asked for last; NULL: it asked for none yet. */
static inline builtin_move *reader_last_move(const reader *r)
{
    builtin_reading *all = r->reading;
    return all->count > r->first_move ? &all->moves[all->count - 1] : NULL;
}

/* ---- one part: read/part.c ---- */
/* The moves of r->part, behind those that are there. */
etna_code part_read(reader *r, const sentence_vocabulary *vocabulary);

/* ---- clauses: read/clause.c ---- */
etna_code clause_read(reader *r, const chart_node *said);
/* A clause and what of it is corrected behind it: read/correct.c. */
etna_code correction_read(reader *r, const chart_node *correction);

#endif
