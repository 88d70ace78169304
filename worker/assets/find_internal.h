/* One search in hand: find.c scores, find_terms.c says by which terms. */
#ifndef ETNA_WORKER_ASSETS_FIND_INTERNAL_H
#define ETNA_WORKER_ASSETS_FIND_INTERNAL_H

#include "worker/assets/find.h"
#include "worker/builtin/language/kinds.h"

enum {
    FINDING_TERMS_MAX = 256,
    /* docs whose rows stay in a processor's cache while all terms are added */
    FINDING_WINDOW = 1 << 14
};

typedef struct finding_term {
    char text[FIELD_TERM_SIZE];
    double weight;
    /* the word of the request that it stands for: of one concept a doc gets the
     * best term alone */
    uint32_t concept;
} finding_term;

/* What is added up for a doc: together, since a list's docs are far apart. */
typedef struct finding_row {
    int32_t score;
    int32_t best; /* of the concept in hand, where that is `of` */
    /* what of the score is of words that do not tell what it is: half of those
     * behind the head, all of those of looks */
    int32_t aside;
    uint8_t covers; /* how many of the words before the head it has */
    uint8_t told;   /* how many of the request's own words beside the head */
    uint8_t of;     /* 1 + the last concept that it has */
} finding_row;

typedef enum leniency {
    FIND_STRICT,
    FIND_LOOSE /* whatever its size, colours and outline */
} leniency;

/* The best so far. `licensed` and `sized` count docs that pass. */
typedef struct ranking {
    leniency how;
    uint32_t k, count, licensed, sized;
    struct {
        uint32_t doc;
        int32_t score;
        uint8_t told; /* as a row has it */
    } hits[FIND_MAX];
} ranking;

typedef struct finding {
    const index_view *v;
    const find_options *options;
    find_result *ret;
    const char *text;
    query q;
    finding_term terms[FINDING_TERMS_MAX];
    uint32_t term_count, concept_count;
    /* the terms concept by concept, and what is to come of their postings */
    uint32_t order[FINDING_TERMS_MAX], ordered;
    index_list lists[FINDING_TERMS_MAX];
    bool head_known; /* `head` tells what the request is for */
    kinds_id head;
    /* of a compound of what it is for and the head, "park bench" for "a bench
     * in a park" */
    kinds_id purpose;
    bool has_purpose;
    finding_row *rows; /* of FINDING_WINDOW docs, from `from` on */
    uint32_t from;
    query_part parts[QUERY_WORDS_MAX + 2]; /* of a concept's word */
    /* it is a colour, a size, a stuff or an outline */
    bool is_look[QUERY_WORDS_MAX + 2];
    uint32_t before; /* words before the head */
    /* by doc: how much it is of the head's kind, of INDEX_KIND */
    uint16_t *kappa;
    uint8_t *bears; /* by doc: it is named by the head's words */
    double *volumes, *heights, *widths; /* of what is of the kind, sorted */
    uint32_t peers;
    bool kind_is_here; /* a doc is of the kind */
    bool is_one_here;  /* one that was ranked is */
    int32_t looks;     /* what reading a doc can bring */
    ranking strict, loose;
} finding;

/* The language, the head's kind, and the terms with their weights; `bears`. */
void finding_read(finding *f);
/* How many of the colours and outlines that the request names a doc has not;
 * `word` is the one of that number. */
uint32_t finding_lacks(const finding *f,
                       uint32_t doc,
                       uint32_t number,
                       char word[TEXT_WORD_SIZE]);
/* Says of a hit why it is one, and what it lacks. */
void finding_reason(const finding *f, find_hit *hit);

#endif
