/* The etna-referee program: see its usage below. */
#include "proto/flags.h"
#include "referee/near.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: etna-referee SUITE.json SCENE START.glb [STATE.glb|-]...\n"
    "Judges SCENE of the suite: START is its file, and a STATE what it was after each step; - or nothing: the step was not\n"
    "reached. Prints one JSON document: of each step, which predicates hold and by what margin, what collides and what\n"
    "floats of all that has moved. It reads and measures with geometry of its own, so it may judge any program's scenes.\n\n"
    "  --goal   one STATE, judged by the scene's general goal instead of its steps\n"
    "  --facts  predicates alone: neither collisions nor what falls\n"
    "  --near FOLDER  judge nothing: of each STATE in which its step is done write one into FOLDER in which it nearly is,\n"
    "           near-01.glb and so on, and print which there are\n"
    "  --past M  how far behind the place where it would be done, in metres, or a hundred times as many degrees (0.05)\n"
    "Exit codes: 0 judged; 2 usage; 3 a file that is wrong; 4 out of memory or a failed write.\n";

static int referee_fail(const etna_error *err)
{
    fprintf(stderr, "etna-referee: %s\n", err->text);
    return etna_exit_code(err->code);
}

/* The states of a scene's steps as they stand in argv; what is missing was not
 * reached. */
static etna_code states_read(const suite_scene *scene,
                             int count,
                             char **states,
                             judge_request *to,
                             etna_error *err)
{
    uint32_t steps = to->is_goal ? 1 : scene->step_count;
    if (to->is_goal && !scene->goal.text)
        return etna_fail(err, ETNA_E_USAGE, "%.80s has no general goal",
                         scene->name);
    if ((uint32_t)count > steps)
        return etna_fail(err, ETNA_E_USAGE, "%d states of %.80s, which has %u",
                         count, scene->name, (unsigned)steps);
    to->states = calloc(steps, sizeof *to->states);
    if (!to->states)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory");
    to->state_count = steps;
    for (int i = 0; i < count; i++) {
        if (strcmp(states[i], "-") != 0)
            to->states[i] = states[i];
    }
    return ETNA_OK;
}

/* What is wanted of the scene, on stdout. */
typedef struct referee_wish {
    judge_request how;
    const char *near; /* the folder; NULL: a verdict */
    const char *past;
} referee_wish;

static etna_code near_tell(const referee_wish *wish,
                           const judge_request *request,
                           json_t **ret,
                           etna_error *err)
{
    char *end = NULL;
    double past_m = wish->past ? strtod(wish->past, &end) : 0.05;
    bool is_number = !end || (end != wish->past && !*end);
    if (!is_number || !(past_m > 0 && past_m <= 1))
        return etna_fail(err, ETNA_E_USAGE,
                         "--past wants metres, above 0 and at most 1");
    return near_scene(request, wish->near, past_m, ret, err);
}

static int referee_judge(int count, char **words, const referee_wish *wish)
{
    etna_arena arena = ETNA_ARENA_INIT;
    etna_error err = {ETNA_OK, ""};
    suite s;
    json_t *verdict = NULL;
    judge_request request = wish->how;
    request.start = words[2];
    etna_code code = suite_read(words[0], &arena, &s, &err);
    if (!code)
        request.scene = suite_find(&s, words[1]);
    if (!code && !request.scene)
        code = etna_fail(&err, ETNA_E_USAGE, "%.200s: has no scene %.80s",
                         words[0], words[1]);
    if (!code)
        code = states_read(request.scene, count - 3, words + 3, &request, &err);
    if (!code)
        code = wish->near ? near_tell(wish, &request, &verdict, &err)
                          : judge_scene(&request, &verdict, &err);
    if (!code &&
        (json_dumpf(verdict, stdout, JSON_COMPACT | JSON_REAL_PRECISION(9)) ||
         printf("\n") < 0 || fflush(stdout)))
        code = etna_fail(&err, ETNA_E_IO, "standard output cannot be written");
    json_decref(verdict);
    free(request.states);
    etna_arena_free(&arena);
    return code ? referee_fail(&err) : 0;
}

int main(int argc, char **argv)
{
    bool help = false;
    referee_wish wish = {.near = NULL};
    const flags_row flags[] = {{"goal", .yes = &wish.how.is_goal},
                               {"facts", .yes = &wish.how.facts_alone},
                               {"near", .text = &wish.near},
                               {"past", .text = &wish.past},
                               {0}};
    etna_error err = {ETNA_OK, ""};
    int first = 0;
    signal(SIGXFSZ, SIG_IGN); /* a file too large shows as a full disk */
    if (flags_read("etna-referee", argc, argv, flags, &help, &first, &err))
        return referee_fail(&err);
    if (help) {
        fputs(usage, stdout);
        return 0;
    }
    if (argc - first < 3) {
        fputs(usage, stderr);
        return 2;
    }
    return referee_judge(argc - first, argv + first, &wish);
}
