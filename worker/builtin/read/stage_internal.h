/* What the stages of one noun phrase share. Nobody else includes this.
 *
 *   refer_thing.c   the order of the stages; modifiers, colours and choosing
 *   stage_words.c   what the words say
 *   stage_borrow.c  the noun that a phrase without one borrows
 *   stage_find.c    the things that answer
 *   stage_heap.c    piles and sets, which are several meant as one
 *   stage_part.c    parts that are no things of their own
 *   stage_account.c what of the words these show
 *
 * A stage may change the query or the candidates of s->t, refuse
 * (ETNA_E_INPUT, reader_refuse), or know the answer: then s->done is set and
 * *s->ret is it. A stage that has nothing to say returns ETNA_OK. Each may run
 * out of memory. */
#ifndef ETNA_WORKER_BUILTIN_READ_STAGE_INTERNAL_H
#define ETNA_WORKER_BUILTIN_READ_STAGE_INTERNAL_H

#include "worker/builtin/read/refer_internal.h"

/* A noun phrase on its way through the stages. */
typedef struct stage {
    resolution t;
    builtin_set *ret;
    const refer_scope *given; /* the caller's: t.scope may bar more or less */
    /* "of the two books" behind words without a noun; NULL: none */
    const chart_node *of;
    builtin_set others; /* all but these */
    bool borrows;       /* its noun is another phrase's */
    bool side_alone;    /* it has but a side's word: "the right" */
    /* all candidates answer only as far as anybody knows */
    bool unproven;
    bool done; /* *ret is the answer */
} stage;

typedef etna_code stage_step(stage *s);

/* ---- what they share: refer_thing.c ---- */
/* Do the determiners say one of these SAYS_ bits? */
bool stage_says(const stage *s, unsigned bits);
/* "The others", "the rest": several, unless one is said. */
bool stage_says_all_others(const stage *s);
/* Ends the stages with this set. */
etna_code stage_answer(stage *s, builtin_set set);
/* Makes the words the query. */
etna_code stage_query(stage *s, const char *const *words, uint32_t count);
/* Leaves the candidates that the modifiers, or the colour, allow. */
stage_step stage_narrow_by_modifiers;
stage_step stage_narrow_by_colour;

/* Is what the phrase names said to be under something? stage_words.c */
bool phrase_is_stood_on(const stage *s);

/* ---- the words: stage_words.c ---- */
/* a name just as the file writes it */
stage_step stage_read_name;
stage_step stage_read_name_last;
/* "no chair" */
stage_step stage_refuse_no;
/* "Every second chair": in which order they are counted nothing says. */
stage_step stage_refuse_alternate;
/* "Three cushions side by side": a bare "side" is no thing's name. */
stage_step stage_refuse_bare_part;
/* The words of the core and what they say of number. */
stage_step stage_read_words;
/* "The first three plates" */
stage_step stage_read_first_few;
/* "Chairs 1, 2 and 4" */
stage_step stage_read_labels;
/* "Crates 1-3", "chairs A to D" */
stage_step stage_read_span;
/* "The left of the plate" is a place, and no thing. */
stage_step stage_refuse_plural_label;
stage_step stage_refuse_infinitive;
stage_step stage_refuse_bare_side;
/* "Green white red": a list without its commas. */
stage_step stage_refuse_colours;
/* "Two stacks of cups", where no thing is called a stack: how many each of them
 * has, and no cups by number. */
stage_step stage_refuse_piles;
/* "The smaller of the two books": everything but these is barred. */
stage_step stage_read_partitive;
/* "All of them", "both": what was spoken of last. */
stage_step stage_read_pile;
/* "The pile of plates", "the stacked bowls" of the scene: stage_heap.c */
stage_step stage_read_heap;
/* "The drum kit": all that are called drum something; stage_heap.c */
stage_step stage_read_collection;
stage_step stage_read_memory;
/* "On the right": beside what was named before, where there is but one. */
stage_step stage_refuse_only_side;
stage_step stage_refuse_side_of_moved;

/* ---- borrowed nouns: stage_borrow.c ---- */
/* "The rest" after "everything blue" is of no kind that was said. */
stage_step stage_refuse_rest_of_all;
/* A phrase without a noun borrows the one spoken of before. */
stage_step stage_find_moved_one;
stage_step stage_find_noun;
/* Where the borrowed words give nothing: the noun alone, or the name's own. */
stage_step stage_find_by_last_noun;
stage_step stage_find_by_last_name;
/* Where the place's noun has no such thing, that of what is moved: "on the
 * table next to the blue one" is the blue hat. */
stage_step stage_prefer_moved_of_colour;
stage_step stage_prefer_moved_called_so;
/* A place of which there is one has no other. */
stage_step stage_prefer_moved_to_place_again;
stage_step stage_find_of_moved;
stage_step stage_refuse_same_again;

/* ---- candidates: stage_find.c ---- */
/* "Stapler scissors pencil" */
stage_step stage_refuse_run_on;
stage_step stage_find_by_words;
/* "The oak one": whatever is of oak. */
stage_step stage_find_of_any_kind;
/* "The floor pillows" lie there. */
stage_step stage_find_by_ground;
/* "The third" counts what is moved, too. */
stage_step stage_find_counted;
/* "The kitchen chair": what stands in one. */
stage_step stage_find_by_place;
/* "The umbrella stand" that is called a pot: what holds umbrellas. */
stage_step stage_find_by_held;
/* "Its door", where that is no thing of its own: stage_part.c */
stage_step stage_find_part;
/* "The nightstand" is the cabinet by the bed. */
stage_step stage_find_beside;
/* "The doctors chair", without its apostrophe. */
stage_step stage_find_by_person;
/* "The bottles of beer" may be called just Beer. */
stage_step stage_find_by_content;
/* "The round table" where names tell nothing. */
stage_step stage_find_by_form;
/* "The folded towel": "folded" tells nothing that is known. */
stage_step stage_find_undescribed;
/* the one thing without a name */
stage_step stage_find_by_default;
/* "The coffee table" for the one low table there is. */
stage_step stage_prove_by_size;
/* "The wardrobe door" where a wardrobe stands by itself. */
stage_step stage_refuse_part;
/* What nobody knows to be one, unless nothing else can be meant. */
stage_step stage_refuse_unproven;
/* the room or its floor */
stage_step stage_find_room;
/* Nothing answers. */
stage_step stage_refuse_none;

/* ---- what of the words the chosen things show: stage_account.c ---- */
stage_step stage_refuse_unshown;

#endif
