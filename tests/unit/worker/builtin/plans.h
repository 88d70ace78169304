/* The planner's answers to goals over small worlds. */
#ifndef ETNA_TESTS_BUILTIN_PLANS_H
#define ETNA_TESTS_BUILTIN_PLANS_H

#include "read_world.h"

/* The planner's answer to a goal, at its first step; the front of `fronted`
 * (-1: of nothing) is known. */
const char *plan_with_front(const facts_world *w,
                            const char *goal,
                            int fronted,
                            etna_arena *arena);

const char *plan(const facts_world *w, const char *goal, etna_arena *arena);

/* The planner's answer to a task of JSON is to hold `part`. */
void assert_answers(const facts_world *w, const char *task, const char *part);

void assert_says(const facts_world *w, const char *goal, const char *part);

/* A laid table, and right beside it a bench with a hat on it. */
facts_world garden(double hat);

/* A tray with a box in its middle, and another box beside it that would fit if
 * the first stood at an end. */
facts_world two_boxes(void);

facts_world walled_room(void);

/* A ball, a hat and a board on a floor, with a rug between the two. */
facts_world playroom(void);

#endif
