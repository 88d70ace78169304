/* One search in hand: find_terms.c says by which terms, in other languages
 * find_language.c, find_score.c adds up what they bring, find.c judges what it is
 * worth. */
#ifndef ETNA_WORKER_ASSETS_FIND_INTERNAL_H
#define ETNA_WORKER_ASSETS_FIND_INTERNAL_H

#include "worker/assets/find.h"
#include "worker/builtin/language/kinds.h"

#include <string.h>

enum {
    FINDING_TERMS_MAX = 256,
    /* docs whose rows stay in a processor's cache while all terms are added */
    FINDING_WINDOW = 1 << 14,
    /* points of score of what is wholly of the kind */
    FINDING_KAPPA = 8,
    FINDING_CONCEPTS_MAX = QUERY_WORDS_MAX + 2
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

/* A concept's terms, as places in the order of terms. */
typedef struct finding_concept {
    uint32_t from, to;
    uint32_t postings; /* of all of them */
    int32_t most;      /* what it can bring a doc */
    /* what it and those behind it can bring */
    int32_t rest;
} finding_concept;

#define FINDING_SLACK 0.005 /* metres: half a centimetre is no matter */
/* weights of terms: the request's own word, one that means the same; of "small":
 * definitions say it of a whole kind, sizes are compared anyway */
#define FINDING_OWN 1.0
#define FINDING_SAME 0.6
#define FINDING_SIZE_TOLD 0.3

typedef enum leniency {
    FIND_STRICT,
    FIND_LOOSE /* whatever its size, colours and outline */
} leniency;

/* The best so far. `licensed` and `sized`: a doc of the kind, or where none is
 * known any, passes so far. */
typedef struct ranking {
    leniency how;
    bool licensed, sized;
    bool is_known; /* of these two nothing is left to be learnt */
    bool is_idle;  /* whatever it may find is not asked for */
    uint32_t k, count;
    struct {
        uint32_t doc;
        int32_t score;
        uint8_t told; /* as a row has it */
    } hits[FIND_MAX];
} ranking;

/* Of sides by query_axis, classes (index_size_class) that may fit. */
typedef struct size_limits {
    bool are_some; /* else every size fits */
    uint8_t least[QUERY_AXES], most[QUERY_AXES];
} size_limits;

typedef struct finding {
    const index_view *v;
    const find_options *options;
    find_result *ret;
    const char *text;
    query q;
    finding_term terms[FINDING_TERMS_MAX];
    uint32_t term_count, concept_count;
    /* the terms concept by concept, those first that tell most for what reading
     * them costs; what is to come of their postings */
    finding_concept concepts[FINDING_CONCEPTS_MAX];
    uint32_t concepts_read; /* those that any doc has */
    uint32_t order[FINDING_TERMS_MAX];
    index_list lists[FINDING_TERMS_MAX];
    bool head_known; /* `head` tells what the request is for */
    kinds_id head;
    /* of a compound of what it is for and the head, "park bench" for "a bench
     * in a park" */
    kinds_id purpose;
    bool has_purpose;
    finding_row *rows; /* of FINDING_WINDOW docs, from `from` on */
    uint32_t from;
    uint32_t *candidates; /* of the window, those that may be of use */
    query_part parts[FINDING_CONCEPTS_MAX]; /* of a concept's word */
    /* it is a colour, a size, a stuff or an outline */
    bool is_look[FINDING_CONCEPTS_MAX];
    uint32_t before; /* words before the head */
    /* by doc: how much it is of the head's kind, of INDEX_KIND */
    uint16_t *kappa;
    uint8_t *bears; /* by doc: it is named by the head's words */
    double *volumes, *heights, *widths; /* of what is of the kind, sorted */
    uint32_t peers;
    bool kind_is_here; /* a doc is of the kind */
    int32_t looks;     /* what reading a doc can bring */
    size_limits limits;
    ranking strict, loose;
} finding;

/* A term of the concept in hand. */
void finding_term_add(finding *f, const char *text, double weight);
/* The request as a whole name, a concept of its own. */
void finding_whole_add(finding *f);
/* English is what everything else is written in. */
static inline bool finding_is_foreign(const finding *f)
{
    return strcmp(f->ret->language, "en") != 0;
}
/* English, unless another language knows more of the words. */
void finding_language(finding *f);
/* The terms of a request in that language, and the kinds that are meant. */
void finding_foreign(finding *f);
/* The language, the head's kind, and the terms with their weights; `bears`. */
void finding_read(finding *f);
static inline finding_row *finding_row_of(const finding *f, uint32_t doc)
{
    return &f->rows[doc - f->from];
}
/* Opens the lists of all terms. */
void finding_open(finding *f);
/* Makes the rows of the docs from f->from to `to`, which are no more than
 * FINDING_WINDOW, and lists in f->candidates those that share something with
 * the request and may get more than `near`, or more than `found` and have a size
 * that fits; the rows of others may be unfinished. Returns how many. */
uint32_t finding_score(finding *f, uint32_t to, int32_t found, int32_t near);
/* What its bounds and the options leave of sizes. */
void finding_limit(finding *f);
/* False: the doc is not within them. */
bool finding_may_fit(const finding *f, uint32_t doc);
/* How many of the colours and outlines that the request names a doc has not;
 * `word` is the one of that number. */
uint32_t finding_lacks(const finding *f,
                       uint32_t doc,
                       uint32_t number,
                       char word[TEXT_WORD_SIZE]);
/* Says of a hit why it is one, and what it lacks. */
void finding_reason(const finding *f, find_hit *hit);

#endif
