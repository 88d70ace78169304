/* What the parts of the built-in planner share. Nobody else includes this.
 *
 *   plan/planner.c  reads the task: a goal, or a list (plan/instructions.c); the next edit of its moves
 *   plan/meaning.c  a sentence -> moves of one thing each, or why not
 *   plan/agenda.c   which thing is next: what is missing, what waits
 *   plan/tactics.c  how it comes to where it is to be: a table, tried in order
 *   plan/history.c  what was done and tried: no edit twice, no plan again that failed
 *   plan/recall.c   what "it" and "them" are after an instruction or a run
 *   plan/expand.c   moves of several things -> moves of one thing each to one place (rows, piles, laid tables ...)
 *   plan/seek.c     a move of one thing -> the places in the world where it would hold, best first (seek_*.c: its searches)
 *   plan/find.c     what the thing is to stand on where its neighbour's support has no room
 *   plan/keep_height.c  what stands at a height keeps one
 *   plan/hold.c     what was told to stay stays
 *   plan/go_back.c  what made way returns
 *   plan/in_way.c   what is in the way of a place, blocker.c of a plan
 *   plan/move_over.c    where it stands on the same thing and leaves room
 *   plan/aside.c    where else that is put
 *   plan/step.c     does a move hold, and how it is said
 *   plan/measure.c  rows and rings as they stand at last
 *   plan/no_place.c why it cannot be */
#ifndef ETNA_WORKER_BUILTIN_PLAN_PLANNER_INTERNAL_H
#define ETNA_WORKER_BUILTIN_PLAN_PLANNER_INTERNAL_H

#include "worker/builtin/hang.h"
#include "worker/builtin/place/exact.h"
#include "worker/builtin/relation.h"
#include "worker/builtin/spot.h"

enum {
    PLANS_MAX = 24,
    NEIGHBOURS_MAX = 4,
    PARTS_MAX = 32 /* of a goal, that may be left out */
};

typedef struct plan { /* one edit */
    builtin_exact exact;
    uint32_t other_count; /* places that would do as well */
    const builtin_exact *others;
    const char *because; /* a sentence with a space after it, or "" */
    bool hidden;         /* something may stand before it in the picture */
    /* by boxes only: the solver will say what it is worth */
    bool uncertain;
    /* nobody asked for it: it is undone where what it makes way for fails */
    bool makes_way;
    /* the row of the table that it comes from; NULL: none */
    const char *tactic;
} plan;

typedef struct plan_list {
    uint32_t count;
    plan items[PLANS_MAX]; /* best first */
} plan_list;

typedef struct planner {
    builtin_talk *talk;
    const builtin_facts *facts;
    /* the scene before the first edit of the current instruction */
    builtin_facts then;
    uint32_t instruction; /* the current one, from 1; of a goal 1 */
    builtin_reading reading;
    /* the same before moves of several things were taken apart; NULL: not yet */
    const builtin_reading *said;
    uint32_t left; /* edits that may still be made, this one included */
    /* times that the facts have the thing turned so that it stands tidily */
    uint32_t turns;
    bool list_mode;
    /* nothing is planned: does all that was asked hold? */
    bool measures;
    /* measures: parts of the goal that could not be read, by where they
     * begin */
    uint32_t unread[PARTS_MAX][2];
    uint32_t unread_count;
    /* of a goal of several wishes: bytes of the one that is spoken of; both 0:
     * of none */
    uint32_t part[2];
    /* of several things that it asks for alike the one that is spoken of, by its
     * number, from 1; 0: of all */
    uint32_t thing;
    uint32_t *scratch; /* room for every object */
    /* of every object: an earlier instruction said where it is to be */
    bool *served;
    /* of every object: it was told to stay where it is, and nothing since has
     * asked to move it */
    bool *stays;
    bool *refused; /* what was said last is why something cannot be */
    etna_error *err;
} planner;

typedef struct planner_way { /* a place for a thing, and what stands there */
    plan chosen;
    builtin_facts as_placed; /* the thing turned as it is to stand there */
    /* things in the way; blocker: the first of them, or BUILTIN_NONE */
    uint32_t count;
    uint32_t blocker;
} planner_way;

typedef struct planner_agenda { /* the move that is next */
    uint32_t move;
    /* things missing of it; 0: all moves hold, or each waits for another */
    uint32_t count;
    uint32_t *list; /* these; room for every object */
    uint32_t total; /* missing of all moves */
    bool is_circle;
} planner_agenda;

typedef struct planner_job { /* one thing to be placed */
    const builtin_move *move;
    /* reference: what it is to stand on; BUILTIN_NONE: not known */
    uint32_t object, reference;
    /* the thing, and what goes to the same place after it */
    const uint32_t *list;
    uint32_t count;
    uint32_t depth; /* of things that make way for things that make way */
    plan_list *plans;
} planner_job;

/* Fails with ETNA_E_NOMEM. */
etna_code planner_no_memory(const planner *p);

/* Does the move hold for one of its things, as the scene stands? */
bool planner_holds(const planner *p, const builtin_move *move, uint32_t object);
/* Metres between the thing at that place and what it is to be beside, at its
 * end too; 0 where the move asks for no such. */
double planner_gap(const planner *p,
                   const builtin_move *move,
                   uint32_t object,
                   const double at[3]);
/* What stood on the moved thing alone, was to go along with it and stayed where
 * it was; BUILTIN_NONE: nothing. */
uint32_t planner_left_behind(const planner *p,
                             const builtin_move *move,
                             uint32_t object);
/* A pile counts as a whole: does the thing stand on `support`, or on a thing of
 * the set that does? */
bool planner_is_piled_on(const planner *p,
                         const builtin_set *set,
                         uint32_t object,
                         uint32_t support);
/* As many of its things as it needs are where they should be. */
bool planner_is_satisfied(const planner *p, const builtin_move *move);
/* Does it turn things where they stand? */
bool planner_is_turn(const builtin_move *move);
/* Is the place of the object the business of a later move? Then only that one
 * counts for it ("put A on B, then A on C"). Where it looks is another
 * matter. */
bool planner_is_taken_later(const planner *p, uint32_t move, uint32_t object);
/* How many of a set's things must be where it says when so many of them have
 * their place elsewhere. */
uint32_t planner_need_of(const builtin_set *objects, uint32_t elsewhere);
/* How many things are missing of a move; these, in the order they are to be
 * done. */
uint32_t planner_missing(const planner *p, uint32_t index, uint32_t *ret);
/* Is what the move refers to itself to be moved first? */
bool planner_waits(const planner *p, const builtin_move *move);
/* The first move with something missing that waits for none; ret->list is the
 * caller's. */
void planner_find_next(const planner *p, planner_agenda *ret);
/* Adds what other moves bring to the same place: it needs room, too. */
void planner_add_companions(const planner *p, planner_agenda *ret);
/* What brings the job's thing nearer to where it is to be, or why nothing does;
 * *ret_done false: no tactic has an answer. */
etna_code planner_try_tactics(const planner *p,
                              const planner_job *j,
                              model_reply *ret,
                              bool *ret_done);
/* Where the job's move says one place in the world: what stands there and may
 * leave does so. *ret_done false: nothing is to. */
etna_code planner_clear_place(const planner *p,
                              const planner_job *j,
                              model_reply *ret,
                              bool *ret_done);
/* Would another place do as well? Not where the move says one. */
bool planner_has_choice(const planner *p, const planner_job *j);
/* Whether the job puts the thing on a wall. */
bool planner_hangs(const planner *p, const planner_job *j);
/* What takes the room that the plan needs and would make way: what stood there
 * and is to be replaced, or goes somewhere else anyway; `any`: also a
 * bystander. BUILTIN_NONE: nothing. */
uint32_t planner_blocker(const planner *p,
                         const planner_job *j,
                         const plan *chosen,
                         bool any);
/* What hangs on a wall and could leave, so that the thing could hang there as
 * asked, and where that is; BUILTIN_NONE: nothing. ETNA_E_NOMEM. */
etna_code planner_hang_blocker(const planner *p,
                               const planner_job *j,
                               double ret_at[3],
                               uint32_t *ret);
/* Would the two boxes meet as they are turned, seen from above? A counter that
 * stands askew has a far wider footprint. */
bool planner_boxes_meet(const builtin_object *a,
                        const double at[2],
                        const builtin_object *b,
                        const double b_at[2]);
/* Where the way from `at` to a thing ends that is to grow or to shrink: at its
 * middle, of a wall at the nearest point of it, at that height. */
void planner_way_end(const builtin_facts *facts,
                     uint32_t reference,
                     const double at[3],
                     double ret[3]);
/* Of a move nearer to something, or farther from it: is that so at `at`? Of any
 * other it is. */
bool planner_comes_along(const planner *p,
                         const builtin_move *move,
                         uint32_t object,
                         const double *at);
/* Is the other thing so much larger that it makes no way for this one? A
 * fridge does not for a chair. */
bool planner_outweighs(const planner *p, uint32_t other, uint32_t object);
/* Something movable on the reference, with nothing on it, that the goal does
 * not want there and that makes way for the object; where the move says one of its boards, on that board.
 * BUILTIN_NONE: nothing. */
uint32_t planner_first_unwanted(const planner *p,
                                const builtin_move *move,
                                uint32_t object,
                                uint32_t reference);
/* Why the last edit of this step was given up; NULL: none was. *ret_times: so
 * often for that reason. */
const char *planner_given_up_cause(const planner *p, uint32_t *ret_times);
/* A sentence on the scene p->then -> p->reading; what that holds before is what
 * "it" means, and is gone then. ETNA_E_INPUT: it cannot be read,
 * p->reading.refusal says why. */
etna_code planner_read_sentence(planner *p, const char *sentence);
/* Takes what was read apart, or says why it was not read (`read`: what came of
 * reading). *ret_said: it is refused, in *ret. */
etna_code planner_take_apart(planner *p,
                             etna_code read,
                             const char *sentence,
                             model_reply *ret,
                             bool *ret_said);
/* Once every move holds: do rows and rings, as they stand, have the gaps, the
 * order and the turn that were said? *ret_said: they do not, and *ret says
 * so. */
etna_code planner_measure(const planner *p, model_reply *ret, bool *ret_said);
/* What the sentence that was read asks for: an edit, or a measure of what is
 * asked. *ret_done false: it asks for neither. */
etna_code planner_answer(planner *p, model_reply *ret, bool *ret_done);
/* The next edit of the moves in p->reading; *ret_done false: every move
 * holds. */
etna_code planner_plan_moves(planner *p, model_reply *ret, bool *ret_done);
/* Notes in p->stays what the reading tells to stay, and forgets what it
 * moves. */
void planner_note_stays(planner *p);
/* planner_plan_moves, with what stays in its place: it makes no way, is not
 * carried along, and is the cause that is told where it is one. */
etna_code planner_plan_held(planner *p, model_reply *ret, bool *ret_done);
/* What is said next is of the wish of that move of a reading, where the goal
 * has several. */
void planner_speak_of(planner *p,
                      const builtin_reading *reading,
                      const builtin_move *move);
/* And of that thing of it, where the rest of the things can be done without it
 * (without.c). */
void planner_speak_of_thing(planner *p,
                            const builtin_move *move,
                            uint32_t object);
/* Was of a part that was passed over one thing only? */
bool planner_is_of_thing(const struct json_t *row);
/* Takes out of p->reading the single things that were passed over.
 * ETNA_E_NOMEM. */
etna_code planner_go_without(planner *p);
/* Marks in p->served all that a reading moves or refers to. */
void planner_mark_spoken_of(const planner *p, const builtin_reading *reading);
/* The edit that brings back what only had to make way, once every move holds:
 * none of what p->served marks. *ret_done false: there is no such edit to make.
 * ETNA_E_NOMEM. */
etna_code planner_go_back(const planner *p, model_reply *ret, bool *ret_done);
etna_code planner_plan_instructions(planner *p,
                                    const struct json_t *rows,
                                    model_reply *ret);
/* Is there something missing of a move that the object is part of? */
bool planner_will_move(const planner *p, uint32_t object);
bool planner_goes_somewhere(const planner *p,
                            uint32_t object,
                            uint32_t *ret_move);
/* Is the object `base`, or on it, or on what is on it, and so on? */
bool planner_is_above(const builtin_facts *facts,
                      uint32_t object,
                      uint32_t base);
/* Attempts at this step with the object that failed before, counted by node. */
uint32_t planner_failures(const planner *p, uint32_t object);
/* Did it stand nowhere on the support, wherever this step tried it? A helmet is
 * round below, a plant of crossed cards is nothing but edges. */
bool planner_falls(const planner *p, uint32_t object, uint32_t support);
/* Was the object to come into the vessel at this step, and did not, where that
 * is hardly wider and has no other places? */
bool planner_is_too_tight(const planner *p, uint32_t object, uint32_t vessel);
/* Did this very plan fail at this step, or was it accepted and taken back? Then
 * it is not tried again. */
bool planner_was_refused(const planner *p, const plan *chosen);
/* Accepted edits of the object by the current instruction. */
uint32_t planner_edits_of(const planner *p, uint32_t object);
/* Places for the object where `move` holds or will, best first, those that
 * failed before left out; with room for the `rest` of things that go there too,
 * where there is such a place. ETNA_E_NOMEM. */
etna_code planner_seek(const planner *p,
                       const builtin_move *move,
                       uint32_t object,
                       const uint32_t *rest,
                       uint32_t rest_count,
                       plan_list *ret);
/* The first of these. */
etna_code planner_find_place(const planner *p,
                             const builtin_move *move,
                             const uint32_t *list,
                             uint32_t count,
                             plan *ret,
                             bool *ret_found);
/* The first of the list, with the others for when the solver refuses it. NULL
 * where memory is out. */
const plan *planner_first(const planner *p, const plan_list *list);
/* A plan that puts the thing on `support` with the middle of its bottom at
 * `at`. */
plan planner_put(uint32_t object,
                 uint32_t support,
                 const double at[3],
                 double slack);
/* Says that it is to come into what the move names, where the plan puts it
 * there. */
void planner_mark_into(const builtin_move *move, plan *chosen);
/* Free places around the thing at its own height, where nothing is known to
 * bear it. */
void planner_seek_free(const planner *p,
                       uint32_t object,
                       const builtin_rect *keep,
                       uint32_t keep_count,
                       plan_list *list);
/* TUCK: how much of the thing is beneath the reference's box when its middle is
 * at `at`, and how far its front is from facing it squarely, degrees. */
double planner_share_beneath(const builtin_facts *facts,
                             uint32_t object,
                             uint32_t reference,
                             const double at[3]);
double planner_tuck_off(const builtin_facts *facts,
                        uint32_t object,
                        uint32_t reference);
/* Metres along the table's edge from the middle of that side. */
double planner_tuck_aside(const builtin_facts *facts,
                          uint32_t object,
                          uint32_t reference);
/* SHIFT: where the middle of its box is to come. */
void planner_shifted(const planner *p,
                     const builtin_move *move,
                     uint32_t object,
                     double ret[3]);
/* SHIFT of what stands on something: what bears it there; BUILTIN_NONE: nothing
 * that is known. */
uint32_t planner_shift_support(const planner *p,
                               const builtin_move *move,
                               uint32_t object);
/* TURN: the yaw it is to have. */
double planner_turned_yaw(const planner *p,
                          const builtin_move *move,
                          uint32_t object);
/* Planner and facts with the thing turned on its spot as the move says; `facts`
 * must live as long as *ret. *ret_known false: the move says nothing there.
 * ETNA_E_NOMEM. */
etna_code planner_as_turned(const planner *p,
                            const builtin_move *move,
                            uint32_t object,
                            planner *ret,
                            builtin_facts *facts,
                            bool *ret_known);
/* degrees between two yaws, [0, 180] */
double planner_yaw_apart(double a, double b);
/* Moves beside what stands on something without room for that get another
 * support, where one has such a place. ETNA_E_NOMEM. */
etna_code planner_choose_supports(planner *p);
/* Could the thing stand on `base` as asked, not far below what it is to be
 * beside, if all that can leave had left? *ret_gap: from that, untouched where
 * it could not. ETNA_E_NOMEM. */
etna_code planner_has_place_on(const planner *p,
                               const builtin_move *move,
                               uint32_t object,
                               uint32_t base,
                               bool *ret,
                               double *ret_gap);
/* Of a thing that stood at a height and would come down to `ground`: what bears
 * it beside that instead, as the move's support, where there is such.
 * ETNA_E_NOMEM. */
etna_code planner_keep_height(planner *p,
                              builtin_move *move,
                              uint32_t object,
                              uint32_t ground);
/* Moves of several things, some of which stood at a height, are parted: each of
 * these has what bears it for itself. ETNA_E_NOMEM. */
etna_code planner_part_by_height(planner *p);
/* Would it come down to the ground, where nobody looks for such things? */
bool planner_comes_down(const planner *p,
                        const builtin_move *move,
                        uint32_t object,
                        uint32_t ground);
/* A chair that is to stand close at a table stands near it where there is no
 * room at its edge. */
bool planner_gap_may_widen(const planner *p, const builtin_move *move);
/* What is to be moved beside a thing that it stands not far from goes nearer
 * only where there is a nearer place; else it stands as asked already.
 * ETNA_E_NOMEM. */
etna_code planner_forgo_no_nearer(planner *p);
/* How many things stand on `object`, and on these, and so on; and a topmost
 * one. */
uint32_t planner_pile_on(const builtin_facts *facts,
                         uint32_t object,
                         uint32_t *ret_top);
/* A free place for `object` anywhere but on `away_from`, outside the `keep`
 * rectangles and what the goal will need. ETNA_E_NOMEM. */
etna_code planner_put_aside(const planner *p,
                            uint32_t object,
                            uint32_t away_from,
                            const builtin_rect *keep,
                            uint32_t keep_count,
                            const char *because,
                            plan *ret,
                            bool *ret_found);
/* A place for `blocker` on `reference`, where it stands, that leaves room there
 * for `object` as the move asks: the nearest of those. `is_neighbour`: it is
 * what the place is beside, and goes aside, by as little as that takes.
 * ETNA_E_NOMEM. */
etna_code planner_move_over(const planner *p,
                            const builtin_move *move,
                            uint32_t object,
                            uint32_t blocker,
                            uint32_t reference,
                            bool is_neighbour,
                            plan *ret,
                            bool *ret_found);
/* What the move is to bring things beside or between, where that stands on
 * `base` and may be moved over there. How many. */
uint32_t planner_neighbours(const planner *p,
                            const builtin_move *move,
                            uint32_t object,
                            uint32_t base,
                            uint32_t ret[NEIGHBOURS_MAX]);
/* What is to stand against a wall stands with its back to it, where it has one:
 * that yaw. False: it has none, or the move says another. */
bool planner_back_to_wall(const planner *p,
                          const builtin_move *move,
                          uint32_t object,
                          double *ret_yaw);
/* Does it stand where the goal wants it, having been moved there? Then it does
 * not make room for others. */
bool planner_is_settled(const planner *p, uint32_t object);
/* Could the goal do without `other` where it stands? Not if it is spoken of, or
 * carries what is. */
bool planner_can_leave(const planner *p, uint32_t other, uint32_t object);
/* The place on `reference` where the move holds that takes the fewest other
 * things away. ETNA_E_NOMEM. */
etna_code planner_find_way(const planner *p,
                           const builtin_move *move,
                           uint32_t object,
                           uint32_t reference,
                           planner_way *ret,
                           bool *ret_found);
/* Would there be a place where the move holds if all that can leave had left?
 * What cannot be seen or is too small is known so before anything is moved for
 * it. ETNA_E_NOMEM. */
etna_code planner_could_hold(const planner *p,
                             const builtin_move *move,
                             uint32_t object,
                             uint32_t reference,
                             bool *ret);
/* Leaves in p->reading one move that names what `said`, the reading of
 * instruction `item`, has moved, or nothing; and in p->then where things stood
 * in `earlier` (NULL: not told). ETNA_E_NOMEM. */
etna_code planner_recall(planner *p,
                         const builtin_reading *said,
                         const builtin_facts *earlier,
                         const struct json_t *edits,
                         uint32_t item);
/* The same of the run that this one goes on from: the thing edited last, or all
 * of its last instruction where the sentence speaks of several; as that run's
 * sentence asks it of them, where that can be read. ETNA_E_NOMEM. */
etna_code planner_recall_run(planner *p, const char *sentence);
/* Moves of several things in p->reading that depend on each other (rows, piles,
 * trades, laid tables, "each") become moves of one thing to one place, by the
 * scene before the instruction's first edit: the same at each step.
 * ETNA_E_INPUT: too many, or what is asked of them does not fit. */
etna_code planner_expand(planner *p);

/* Is the thing so much larger than what it is to stand on or in that nobody
 * would put it there? */
bool planner_is_too_large(const planner *p,
                          const builtin_move *move,
                          uint32_t object,
                          uint32_t base);
/* May the thing stand on that other one, where both go to one place? */
bool planner_mate_bears(const planner *p, uint32_t mate, uint32_t object);
/* Are the things of the list more than ever fits side by side on `base`?
 * *ret_why says so (NULL: out of memory). */
bool planner_lacks_room(const planner *p,
                        uint32_t base,
                        const uint32_t *list,
                        uint32_t count,
                        const char **ret_why);

/* Why there is no place for it on a wall. */
etna_code planner_say_no_hook(const planner *p,
                              const builtin_move *move,
                              uint32_t object,
                              model_reply *ret);
/* The chosen edit as a planner's answer. */
etna_code planner_say(const planner *p, const plan *chosen, model_reply *ret);
/* <impossible> with a [refusal] block; code: "impossible", "no_place",
 * "ambiguous", "unknown". ETNA_E_NOMEM also where `why` is NULL: there was no
 * memory to say it. */
etna_code planner_say_impossible(const planner *p,
                                 const char *code,
                                 model_reply *ret,
                                 const char *why);
/* The same with what would help; "": what helps with the code. */
etna_code planner_say_refused(const planner *p,
                              const char *code,
                              model_reply *ret,
                              const char *why,
                              const char *advice);
/* What the reader refused, with the bytes of the sentence: <unreadable> and a
 * [refusal] block. */
etna_code planner_say_unreadable(const planner *p,
                                 const builtin_refusal *refusal,
                                 const char *sentence,
                                 model_reply *ret);
/* There is no place for the object as the move wants it on `base`
 * (BUILTIN_NONE: on anything). */
etna_code planner_say_no_place(const planner *p,
                               uint32_t object,
                               const builtin_move *move,
                               uint32_t base,
                               model_reply *ret);

#endif
