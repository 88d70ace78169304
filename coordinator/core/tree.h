/* The search tree and what decides in it (tree.c, arrange.c, search.c,
 * failure.c, refusal.c, memory.c). */
#ifndef ETNA_COORDINATOR_CORE_TREE_H
#define ETNA_COORDINATOR_CORE_TREE_H

#include "coordinator/core/base.h"

/* A planner's answer, as it counts. Texts are the run's. */
typedef struct plan {
    /* its result is there; it has counted (arrange.c, "ordered") */
    bool arrived, applied;
    uint32_t status; /* arrange_plan_status */
    const char *instruction, *reason;
    double coordinate[2];
    bool is_bottom;
    uint32_t item;           /* of a list, from 1; 0: not said */
    arrange_part part;       /* of a goal */
    bool makes_way;          /* for what is asked for, and is not */
    arrange_refusal refusal; /* its texts are the run's */
    const char *camera;      /* its picture's; NULL: the run's */
    message_usage used;
} plan;

/* An evaluator's verdict on a branch. */
typedef struct poll {
    bool arrived, applied;
    bool refused; /* no worker could ask */
    uint32_t verdict;
    const char *reason;
    message_usage used;
} poll;

/* One try of a step: an executor's place for its plan's edit, and what
 * evaluators say of it. */
typedef struct branch {
    core_branch_state state;
    plan *plan; /* its own, or the node's only one */
    bool arrived, applied;
    /* its step had failed by unreadable answers before its turn came */
    bool untried;
    /* arrange_branch_status; 0: none (refused, or its plan gave no edit) */
    uint32_t status;
    const char *object, *plane, *reason, *constraints;
    arrange_obstacle obstacle; /* its texts are the run's */
    arrange_pose pose;
    double loss, elsewhere;
    etna_hash snapshot;
    uint32_t candidates, survivors, collision_checks;
    uint32_t tries[BRANCH_REPEATED]; /* as arrange_result's */
    message_usage used;
    poll *polls;
    uint32_t polls_begun, polls_arrived;
    double mean;
} branch;

/* One step that was begun at one place of the search (METHODS.md 2). */
typedef struct node {
    /* the generation grows when the node is decided: handles of open nodes go
     * stale */
    uint32_t number, generation;
    uint32_t parent, step;
    /* of a list with one edit for each: the instruction it is for, from 1; else
     * 0 */
    uint32_t item;
    core_node_state state;
    etna_hash before;
    /* d_a when it was begun, for the narration */
    uint32_t anchor_before;
    /* in recorded time, for reports; decided 0: open */
    uint64_t begun_ms, decided_ms;
    bool last_look; /* step s_max + 1: only Complete counts */
    /* its network planner says that the goal is reached: that is measured */
    bool claimed;
    message_usage measured; /* what that took */
    const char *unproven; /* FAILED by FAILURE_UNPROVEN: what speaks against */
    plan *plans;
    uint32_t plan_count;
    branch *branches;
    uint32_t branch_count;
    /* branches that may be tried by now: all, or those up to --branches-at-once
     * and its multiples */
    uint32_t opened;
    /* `ordered`: the next result to be applied */
    uint32_t apply_branch, apply_poll;
    int32_t winner;
    /* branches judged or failed when it was decided */
    uint32_t judged;
    const char *reason;        /* why it failed or stopped */
    core_failure_kind failure; /* FAILED */
    /* FAILED: why, in parts; its texts are the run's */
    arrange_refusal cause;
    /* FAILED: the item of what was passed over then; 0: nothing */
    uint32_t passed;
    const char *later;     /* GIVEN_UP: what failed because of it */
    uint32_t given_up_for; /* GIVEN_UP: the node that did */
    /* FAILED: canonical bytes of what failed, to know an identical failure */
    const uint8_t *fingerprint;
    size_t fingerprint_size;
} node;

/* A new node for `step`, behind the last of the path. NULL: core.failure. */
node *tree_add(run *r, uint32_t step);
/* By its number, from 1; NULL: there is none. */
node *tree_node(const run *r, uint32_t number);
node_handle tree_handle(const node *n);
node *tree_open(const run *r, node_handle handle); /* NULL once it is decided */
/* Changes the state and nothing else; what the tables do not allow is
 * core_broken(). */
void node_state_set(run *r, node *n, core_node_state state);
void branch_state_set(run *r, branch *b, core_branch_state state);
/* Whether nothing of it is under way any more. */
bool branch_terminal(const branch *b);
/* Lets the first branches be tried, or the next ones (--branches-at-once). */
void tree_open_branches(const run *r, node *n);
/* Of so many edited nodes those that a result keeps where nothing follows: edits
 * at the end that only made way for something made it for nothing. */
uint32_t tree_kept(const run *r, const uint32_t *nodes, uint32_t count);
/* of an edited node; borrows the run's texts */
void tree_edit(const node *n, arrange_edit *ret);

/* arrange.c: begins step r->step: a node and its plan, or the end of a list. */
void step_begin(run *r);
/* Results of the step's tasks, live and in replay; each may decide the step. */
void step_plan_arrived(run *r,
                       node *n,
                       uint32_t plan_number,
                       const arrange_result *result);
void step_branch_arrived(run *r,
                         node *n,
                         uint32_t branch_number,
                         const arrange_result *result);
void step_poll_arrived(run *r,
                       node *n,
                       uint32_t branch_number,
                       uint32_t poll_number,
                       const arrange_result *result);
/* Does a branch's executor wait with its next call, because another branch may
 * end the step first? */
bool step_holds_back(const run *r, const etna_slot *slot);
/* No worker could do the branch's task; `text` is the run's. */
void step_branch_refused(run *r,
                         node *n,
                         uint32_t branch_number,
                         const char *text);
/* An abstention, but none of the model's doing. */
void step_poll_refused(run *r,
                       node *n,
                       uint32_t branch_number,
                       uint32_t poll_number,
                       const char *text);

/* search.c, Algorithm 2: the import is there, and the first step begins. */
void search_begin(run *r);
/* The step says that nothing is left to do. */
void search_complete(run *r, node *n, const char *reason);
/* Branch `winner` is the step's edit: on to the next step. */
void search_edited(run *r, node *n, uint32_t winner);
/* The step failed: back to the anchor, or the run ends. */
void search_failed(run *r, node *n, core_failure_kind failure);
/* Closes the step as failed and begins it anew by another node. */
void search_once_more(run *r, node *n, core_failure_kind failure);
/* The step failed and the run ends by that: nothing is left to be tried. */
void search_unproven(run *r, node *n);
/* habit.c: nothing that the models of `role` answered in the step could be
 * read. It is closed and begun anew by another node; where that has happened
 * too often the run is suspended, so that another model can go on with it. */
void search_unread(run *r, node *n, uint32_t role);
/* The goal, or an instruction of a list, cannot be read: the run ends, or goes
 * on without it. */
void search_unreadable(run *r, node *n);
/* The run ends: its open node, if there is one, is closed undecided. */
void search_stop_node(run *r);

/* claim.c: a step's planner says that the goal is reached, or a list has all
 * its edits. What a network model says of it is measured before the run is
 * complete by it. */
void claim_begin(run *r, node *n, const char *reason);
void claim_measured(run *r, node *n, const arrange_result *result);
/* No worker could measure it. */
void claim_unmeasured(run *r, node *n);

/* pass.c: of a list, and of a goal of several parts, what cannot be done is
 * passed over */
/* The instruction of a step where each has one edit; 0: there is none any more,
 * or the run has another kind of list. */
uint32_t pass_item_at(const run *r, uint32_t step);
/* A step has failed: remembers the first since the search last got further. */
void pass_note(run *r, const node *n);
/* Whether the failed step's cause is something that may be passed over. */
bool pass_is_possible(const run *r, const node *n);
/* The instruction, or the goal's part, by which the search does not get on is
 * passed over, and what is done so far stands; n is the step that just failed,
 * `end` and `error` what the run would end by. False: there is nothing else to
 * be done, or which it is is not known. */
bool pass_over(run *r, node *n, core_end end, etna_code error);
/* The rest is done: the run ends partial, or by what was passed over first. */
void pass_end(run *r);
/* A goal's part as the user wrote it, for a precision and a text of a format; 0
 * and "" where it is none. */
int part_size(const run *r, const arrange_part *part);
const char *part_text(const run *r, const arrange_part *part);
/* What was passed over of a goal: the part in quotes, before it the one thing of
 * it where only that was. */
void part_text_add(core_text *text, const run *r, const arrange_refusal *over);

/* failure.c: why a step failed and a run ended, in words: the one place that
 * has them */
/* failure.c has all words of failures: of a FAILED node. */
void failure_text_add(core_text *text, const run *r, const node *n);
/* Of a FAILED node: its cause alone, as whoever found it said it. */
const char *failure_words(const node *n);
/* Of r->end but for a completion and an error; whole false: without the words
 * of the step that failed. */
void end_text_add(core_text *text, const run *r, bool whole);

/* habit.c: models whose answers cannot be read */
/* The conversation of a role is over; `why`: what was wrong with its answers,
 * NULL: they could be read. */
void habit_note(run *r, uint32_t role, const char *why);
/* Is the role played by a network model of which nothing could be read so far?
 * Then it is tried by one conversation at a time. */
bool habit_is_unproven(const run *r, uint32_t role);
/* Whether so little of it could be read that it will not be tried again. */
bool habit_is_hopeless(const run *r, uint32_t role);
/* The role by whose answers all of the step failed, or which is hopeless;
 * ROLE_NONE: something else was in its way, too. */
uint32_t habit_of_branches(const run *r, const node *n);
/* Whether a network model plays the role. */
bool habit_is_foreign(const run *r, uint32_t role);
/* A reply came: a conversation's first answer, or the repair of one. */
void habit_count(run *r, const etna_slot *slot);
/* Whether its answers often have to be asked for twice. */
bool habit_slips(const run *r, uint32_t role);
/* Other models play from now on: nothing is known of them. */
void habit_forget(run *r);

/* refusal.c: the first cause of a failure, as data */
/* refusal.c: a copy with bounded texts in the run's arena. */
arrange_refusal refusal_copy(run *r, const arrange_refusal *from);
/* the same */
arrange_obstacle refusal_copy_obstacle(run *r, const arrange_obstacle *from);
/* The cause of a failed node, from its plan or from its branches. Sets
 * n->cause, and the run's refusal where it is the first. */
void refusal_of_plan(run *r, node *n, const plan *p);
/* no branch was accepted */
void refusal_of_branches(run *r, node *n);
/* The run's refusal, where it is the first. */
void refusal_say(run *r, uint32_t code, const char *what);

/* memory.c */
/* Fills what a planner at n's place is told: the failures there and the edits
 * that were given up. In core.scratch; the oldest are left out where they are
 * too many for a message. */
void memory_fill(const run *r, const node *n, arrange_task *ret);
/* The edits at n's place that were given up later, and for what. */
void memory_given_up(const run *r, const node *n, arrange_task *ret);
/* Why the branch came to nothing, in words, in `arena`; never NULL. */
const char *memory_branch_reason(const run *r,
                                 const branch *b,
                                 etna_arena *arena);
/* Sets n->fingerprint: canonical bytes of what failed, free of counts and of
 * chance. */
void memory_fingerprint(run *r, node *n);
/* An earlier node that failed with the same fingerprint; NULL: none. */
const node *memory_identical_failure(const run *r, const node *n);

#endif
