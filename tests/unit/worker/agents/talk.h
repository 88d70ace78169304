/* A conversation with one role's machine, answer by answer. The answers are the
 * test's: no agent of ours gives them. */
#ifndef ETNA_TESTS_AGENTS_TALK_H
#define ETNA_TESTS_AGENTS_TALK_H

#include "worker/agents/agent.h"

typedef etna_code talk_role(const arrange_task *task,
                            const agent_view *view,
                            agent **ret_agent,
                            agent_step *ret_step,
                            etna_error *err);

/* To put A on B: node 3, branch 2, poll 1, seed 9. */
arrange_task talk_task(task_kind kind);
/* Each fails the test when the machine does. What is asked first has its slot's
 * seed. */
agent *talk_begin(talk_role *role,
                  const arrange_task *task,
                  agent_step *ret_step);
void talk_say(agent *a,
              const char *text,
              bool cut_off,
              agent_step *ret_step); /* 10 tokens in, 1 out, one call */
const char *
/* the first user message's text with the [task] block */
talk_task_text(const agent_step *step);
const char *talk_last(const agent_step *step); /* text of what is asked last */

#endif
