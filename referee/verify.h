/* Holds a result against its start: what moved must lie in nothing, cut
 * nothing, stand or hang, be in reach, and have taken along what stood on it.
 * METHODS.md promises it; this decides it again from the triangles alone. */
#ifndef ETNA_REFEREE_VERIFY_H
#define ETNA_REFEREE_VERIFY_H

#include "referee/pair.h"

typedef enum finding_kind {
    FINDING_WITHIN, /* inside a closed solid that it was not in */
    /* deeper in something than at the start, and than is let pass */
    FINDING_CUTS,
    FINDING_FLOATS, /* nothing holds it, and something did */
    /* its middle is not over what it stands on, and was */
    FINDING_TIPS,
    /* no straight way leads from it to open air, and one did */
    FINDING_UNREACHED,
    FINDING_LEFT_BEHIND, /* it stood on what moved, and did not move */
    /* by VULCAN's rule: deeper than 1 cm in something, whatever was at the
     * start */
    FINDING_PAPER_CUTS,
    /* by VULCAN's rule: a ray down from the middle of its bottom meets nothing
     * within 1 cm */
    FINDING_PAPER_FLOATS,
    FINDING_UNSTABLE, /* by gravity.h: it does not stay where it was put */
    /* the same, but it did not stay where it was at the start either */
    FINDING_UNSTABLE_EVER,
    FINDING_STAYS, /* no fault: by gravity.h it stays where it was put */
    FINDING_KINDS
} finding_kind;
const char *finding_word(finding_kind kind);

typedef struct finding {
    finding_kind kind;
    const char *name;  /* a piece's */
    const char *other; /* a piece's, or NULL */
    /* of FINDING_CUTS; of FINDING_UNSTABLE how far it came */
    double depth_m;
    double turn_deg; /* of FINDING_UNSTABLE */
} finding;

typedef struct findings {
    finding *list;
    size_t count;
    size_t bodies; /* that moved */
    /* of these, those whose fall was asked for: they do not hang */
    size_t fallen;
} findings;

typedef struct verify_wish {
    bool paper;    /* VULCAN's rules, too */
    bool gravity;  /* what stays put, by an engine of others, too */
    bool no_reach; /* not whether it can be drawn out: that takes longest */
} verify_wish;

/* Pieces whose own or root's name is in `named` may be left behind. False: out
 * of memory, or no scene that has bounds. Names are the pair's; `wish` NULL:
 * none. The caller frees the list. */
bool pair_verify(const pair *p,
                 const char *const *named,
                 size_t named_count,
                 const verify_wish *wish,
                 findings *ret);

#endif
