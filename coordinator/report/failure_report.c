/* Why a run failed, and what to try. Which sentence applies is decided by kinds
 * and names that the document holds as data; a reason in words is only ever
 * shown, never searched.
 *
 *   how the run ended (tell_end)
 *     could not read the goal, passed parts over, an error: their own words
 *     a cap, or the same failure twice: ... and the step that stood in the way
 *       (tell_node): the planner's refusal, or what most of its branches met
 *       (tell_branches, by the table `outcomes`) */
#include "coordinator/report/failure_report.h"
#include "coordinator/core/core.h"
#include "coordinator/report/constraint_text.h"
#include "coordinator/report/field.h"
#include "coordinator/report/json_memory.h"
#include "coordinator/report/page.h"

#include "proto/arrange.h"
#include "proto/array.h"

#include <stdarg.h>
#include <string.h>

/* A report in the making. `node` is borrowed from the document. */
typedef struct failure_report {
    /* the step that stood in the way; NULL: none */
    const json_t *document, *node;
    page sentence;
    json_t *advice;
} failure_report;

/* A missing field is "". */
static bool field_is(const json_t *of, const char *key, const char *value)
{
    return !strcmp(field_string(of, key), value);
}

/* A sentence that a user can act on. Lost memory loses it. */
__attribute__((format(printf, 2, 3))) static void failure_advise(
    failure_report *f, const char *format, ...)
{
    json_t *line;
    va_list args;
    va_start(args, format);
    line = json_vsprintf(format, args);
    va_end(args);
    if (line)
        json_array_append_new(f->advice, line);
}

/* Not for the built-in agent: it plans in the world, so which camera shows it
 * makes no difference. */
static void advise_camera(failure_report *f)
{
    if (field_is(f->document, "model", "builtin"))
        return;
    failure_advise(
        f,
        "Look from another camera: --camera NAME (etna scene info lists them), or --camera auto.");
}

/* The run's failure or error as data; NULL in documents without one. */
static const json_t *cause_in(const json_t *document)
{
    const json_t *failure = json_object_get(document, "failure");
    return failure ? failure : json_object_get(document, "error");
}

/* The step that barred the first way. Later failures are of the detours that
 * were taken because of it. */
static const json_t *first_failed(const json_t *document)
{
    const json_t *node;
    size_t i;
    json_array_foreach(json_object_get(document, "tree"), i, node)
    {
        if (field_is(node, "state", "failed"))
            return node;
    }
    return NULL;
}

/* ---- one branch's obstacle ---- */

/* By kind, never by words. */
static bool obstacle_is(const json_t *branch, arrange_obstacle_kind kind)
{
    return field_is(json_object_get(branch, "obstacle"), "kind",
                    arrange_obstacle_name(kind));
}

/* The objects that were an obstacle of this kind to any branch, each once: "A,
 * B, C and others". */
static void add_others(page *to, const json_t *node, arrange_obstacle_kind kind)
{
    enum {
        NAMED_MAX = 3
    };
    json_t *branch, *name;
    json_t *seen = json_object();
    size_t i, k, count = 0;
    json_array_foreach(json_object_get(node, "branches"), i, branch)
    {
        if (!obstacle_is(branch, kind))
            continue;
        json_array_foreach(
            json_object_get(json_object_get(branch, "obstacle"), "others"), k,
            name)
        {
            const char *word = json_string_value(name);
            if (!word || json_object_get(seen, word))
                continue;
            json_object_set_new(seen, word, json_true());
            if (count < NAMED_MAX)
                page_add(to, "%s%s", count ? ", " : "", word);
            count++;
        }
    }
    if (count > NAMED_MAX)
        page_raw(to, " and others");
    if (!count)
        page_raw(to, "something else");
    json_decref(seen);
}

/* "the object" where it has no name. */
static const char *object_of(const json_t *branch)
{
    const char *name = field_string(branch, "object");
    return *name ? name : "the object";
}

/* Bytes of the first clause: what follows a semicolon is advice to an agent. */
static int failure_clause(const char *reason)
{
    return (int)strcspn(reason, ";");
}

/* Too wide for the surface, or over its edge wherever it was tried. */
static void tell_edge(failure_report *f, const json_t *branch)
{
    const char *plane =
        field_string(json_object_get(branch, "obstacle"), "plane");
    bool wide = obstacle_is(branch, OBSTACLE_TOO_WIDE);
    page_add(&f->sentence, "%s %s ", object_of(branch),
             wide ? "is too large for" : "would hang over the edge of");
    if (*plane) {
        constraint_text_plane(&f->sentence, plane);
    } else {
        page_raw(&f->sentence, "the surface");
    }
    if (!wide)
        page_raw(&f->sentence, " at every place tried");
    failure_advise(
        f,
        "Choose a bigger or emptier surface, or something smaller to put there.");
}

/* Constraints that nothing meets. */
static void tell_unsolved(failure_report *f, const json_t *branch)
{
    if (obstacle_is(branch, OBSTACLE_TOO_WIDE) ||
        obstacle_is(branch, OBSTACLE_EDGE)) {
        tell_edge(f, branch);
    } else {
        const char *reason = field_string(branch, "reason");
        page_add(&f->sentence, "no place for %s meets every constraint (%.*s)",
                 object_of(branch), failure_clause(reason), reason);
        failure_advise(
            f, "Name another place or surface, or say less exactly where.");
    }
    advise_camera(f);
    failure_advise(f,
                   "Try more places a step: --branches 8, or another --seed.");
}

/* Names what stands there, as that can be moved. */
static void tell_collision(failure_report *f, const json_t *branch)
{
    page names = {0};
    add_others(&names, f->node, OBSTACLE_TAKEN);
    const char *others = names.data ? names.data : "what stands there";
    page_add(&f->sentence, "every place tried for %s is taken by %s",
             object_of(branch), others);
    failure_advise(
        f,
        "Clear the place first: move %s out of the way, in a sentence or step of its own.",
        others);
    failure_advise(f, "Choose another place, or a bigger or emptier surface.");
    advise_camera(f);
    page_free(&names);
}

/* It would fall. */
static void tell_unsteady(failure_report *f, const json_t *branch)
{
    const char *plane = field_string(branch, "plane");
    page_add(&f->sentence, "%s would be left without firm support",
             object_of(branch));
    if (*plane)
        page_raw(&f->sentence, " on ");
    constraint_text_plane(&f->sentence, plane);
    failure_advise(
        f,
        "Choose a larger, flatter surface for it, or something smaller to put there.");
    failure_advise(f,
                   "Try more places a step: --branches 8, or another --seed.");
}

/* Something stands on it, or it would fall itself. */
static void tell_floating(failure_report *f, const json_t *branch)
{
    if (!obstacle_is(branch, OBSTACLE_BURDEN)) {
        tell_unsteady(f, branch);
        return;
    }
    page names = {0};
    add_others(&names, f->node, OBSTACLE_BURDEN);
    const char *others = names.data ? names.data : "what stands on it";
    page_add(&f->sentence, "moving %s would leave %s without support",
             object_of(branch), others);
    failure_advise(f, "Move %s first.", others);
    page_free(&names);
}

/* The evaluation by who liked it least, as that one says what is wrong; NULL:
 * none spoke. */
static const json_t *lowest_evaluation(const json_t *branch)
{
    const json_t *list = json_object_get(branch, "evaluations");
    const json_t *one;
    for (uint32_t verdict = VERDICT_TERRIBLE; verdict <= VERDICT_EXCELLENT;
         verdict++) {
        size_t i;
        json_array_foreach(list, i, one)
        {
            if (field_is(one, "verdict", arrange_verdict_name(verdict)))
                return one;
        }
    }
    return NULL;
}

/* In the words of the least content evaluator. */
static void tell_rejected(failure_report *f, const json_t *branch)
{
    const char *seen = field_string(lowest_evaluation(branch), "text");
    page_raw(&f->sentence, "the evaluators accepted no place");
    if (*seen)
        page_add(&f->sentence, ": %s", seen);
    failure_advise(
        f, "Name another place for it, or say more exactly where it is to go.");
    failure_advise(f,
                   "Try more places a step: --branches 8, or another --seed.");
}

/* The model's fault; another may do better. */
static void tell_malformed(failure_report *f, const json_t *branch)
{
    const char *reason = field_string(branch, "reason");
    page_add(&f->sentence, "the model's answer could not be used (%.*s)",
             failure_clause(reason), reason);
    failure_advise(f, "Use another model: --model NAME.");
}

/* Everything near was given up before. */
static void tell_repeated(failure_report *f, const json_t *branch)
{
    page_add(&f->sentence,
             "for %s only a place was found that had been given up before",
             object_of(branch));
    failure_advise(f,
                   "Try more places a step: --branches 8, or another --seed.");
}

/* Nobody said anything that could be read. */
static void tell_unjudged(failure_report *f, const json_t *branch)
{
    (void)branch;
    page_raw(&f->sentence,
             "too few evaluators gave a verdict that could be read");
    failure_advise(
        f,
        "Use another model: --model NAME, or ask more evaluators: --polls 5.");
}

/* In its own words. */
static void tell_other(failure_report *f, const json_t *branch)
{
    const char *reason = field_string(branch, "reason");
    page_raw(&f->sentence, *reason ? reason : "no place was found");
}

/* ---- the step that stood in the way ---- */

/* Which outcome of a branch is told how. The first row that fits counts: a
 * status of the solver is more telling than the state that follows from it. */
static const struct outcome {
    const char *status, *state; /* of a branch; NULL: any */
    void (*tell)(failure_report *f, const json_t *branch);
} outcomes[] = {
    {"unsolved", NULL, tell_unsolved},   {"collision", NULL, tell_collision},
    {"floating", NULL, tell_floating},   {NULL, "rejected", tell_rejected},
    {"malformed", NULL, tell_malformed}, {"repeated", NULL, tell_repeated},
    {NULL, "unjudged", tell_unjudged},   {NULL, "failed", tell_other}};
enum {
    OUTCOMES = COUNT_OF(outcomes)
};

/* A row without a status or state fits any. */
static bool outcome_fits(const struct outcome *outcome, const json_t *branch)
{
    if (outcome->status && !field_is(branch, "status", outcome->status))
        return false;
    return !outcome->state || field_is(branch, "state", outcome->state);
}

/* OUTCOMES: none fits. */
static size_t outcome_of(const json_t *branch)
{
    size_t i = 0;
    while (i < OUTCOMES && !outcome_fits(&outcomes[i], branch))
        i++;
    return i;
}

/* Tells what most branches came to, by the first of them. False: the step has
 * no branch. */
static bool tell_branches(failure_report *f)
{
    const json_t *first[OUTCOMES] = {NULL};
    size_t count[OUTCOMES + 1] = {0}, best = 0, i;
    json_t *branch;
    json_array_foreach(json_object_get(f->node, "branches"), i, branch)
    {
        size_t kind = outcome_of(branch);
        if (kind < OUTCOMES && !count[kind])
            first[kind] = branch;
        count[kind]++;
    }
    for (i = 1; i < OUTCOMES; i++) {
        if (count[i] > count[best])
            best = i;
    }
    if (count[best])
        outcomes[best].tell(f, first[best]);
    return count[best] != 0;
}

/* Advice of whoever found the cause, otherwise what helps with causes of this
 * kind. */
static void advise_by_cause(failure_report *f, const json_t *cause)
{
    static const struct {
        arrange_refusal_code code;
        const char *advice[2];
    } kinds[] = {
        {REFUSAL_NO_PLACE,
         {"Clear it first: say what is to leave it and where to.",
          "Choose a bigger or emptier surface."}},
        {REFUSAL_IMPOSSIBLE,
         {"Choose another place or thing, or say what comes first as a step of its own: --steps FILE."}},
        {REFUSAL_UNKNOWN,
         {"Say it with the names that etna scene info lists."}},
        {REFUSAL_AMBIGUOUS,
         {"Say which one is meant: by its name, its colour or its place."}},
        {REFUSAL_UNREAD,
         {"Say it like \"Put the red bottle on the table\", with the names that etna scene info lists.",
          "Connect a language model, which understands more: --model NAME."}}};
    const char *own = field_string(cause, "do");
    if (*own)
        failure_advise(f, "%s", own);
    bool unread = field_is(cause, "code", arrange_refusal_name(REFUSAL_UNREAD));
    if (*own && !unread)
        return; /* who found the cause knows best what helps */
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        if (!field_is(cause, "code", arrange_refusal_name(kinds[i].code)))
            continue;
        for (size_t k = 0; k < 2 && kinds[i].advice[k]; k++)
            failure_advise(f, "%s", kinds[i].advice[k]);
    }
    if (field_is(cause, "code", arrange_refusal_name(REFUSAL_NO_PLACE)))
        advise_camera(f);
}

/* Appends a sentence as the end of one of ours: without its full stop, and with
 * a small first letter where that is no name. */
static void add_sentence(page *to, const char *sentence)
{
    size_t size = strlen(sentence);
    if (size && sentence[size - 1] == '.')
        size--;
    bool there = !strncmp(sentence, "There ", strlen("There "));
    page_add(to, "%s%.*s", there ? "t" : "", (int)size - there,
             sentence + there);
}

/* The first text that is not ""; else the last. */
static const char *first_of(const char *const *texts, size_t count)
{
    size_t i = 0;
    while (i + 1 < count && !*texts[i])
        i++;
    return texts[i];
}

/* Of the run's cause, where this step met it. */
static void tell_impossible(failure_report *f)
{
    /* The run's cause is the one that this step met; of one that failed later
     * only its own words are known. */
    const json_t *cause =
        f->node == first_failed(f->document) ? cause_in(f->document) : NULL;
    const char *const known[] = {field_string(cause, "what"),
                                 field_string(f->node, "plan_reason"),
                                 field_string(f->node, "reason")};
    add_sentence(&f->sentence, first_of(known, COUNT_OF(known)));
    advise_by_cause(f, cause);
}

/* "step N could not be done: ...", by the planner's refusal or the branches. */
static void tell_node(failure_report *f)
{
    bool unread = field_is(f->node, "plan", "malformed");
    page_add(&f->sentence,
             "step %lld could not be done: ", field_integer(f->node, "step"));
    if (field_is(f->node, "plan", "impossible")) {
        tell_impossible(f);
    } else if (unread || !tell_branches(f)) {
        page_raw(&f->sentence, field_string(f->node, "reason"));
        if (unread)
            failure_advise(f, "Use another model: --model NAME.");
    }
}

/* ---- the run ---- */

/* Two failures are the same if their kind and place are, whatever is counted in
 * their words: "62 places" and "64 places" are one obstacle. */
static bool is_same_refusal(const json_t *a, const json_t *b)
{
    const json_t *first = json_object_get(a, "refusal");
    const json_t *second = json_object_get(b, "refusal");
    if (!first != !second)
        return false;
    if (!first)
        return field_is(a, "plan_reason", field_string(b, "plan_reason"));
    return field_is(first, "code", field_string(second, "code")) &&
           field_is(first, "where", field_string(second, "where"));
}

/* Whether every way ended at the same obstacle. Going back more often would not
 * help then, so it is not advised. */
static bool fails_alike(const json_t *document)
{
    const json_t *node, *first = NULL;
    size_t i, count = 0;
    json_array_foreach(json_object_get(document, "tree"), i, node)
    {
        if (!field_is(node, "state", "failed"))
            continue;
        if (!field_is(node, "plan", "impossible") ||
            (first && !is_same_refusal(first, node)))
            return false;
        if (!first)
            first = node;
        count++;
    }
    return count > 1;
}

/* Going back more often helps only where failures differ. */
static void tell_cap_backtracks(failure_report *f, const json_t *limits)
{
    long long cap = field_integer(limits, "backtracks");
    long long times = field_integer(f->document, "backtracks");
    bool alike = fails_alike(f->document);
    page_add(&f->sentence,
             "it went back %lld time%s, as often as it may, and %s; ", times,
             times == 1 ? "" : "s",
             alike ? "met the same obstacle every time" : "found no way");
    if (!alike)
        failure_advise(
            f, "Let it go back more often: --backtracks %lld (it was %lld).",
            cap ? 2 * cap : 8, cap);
}

/* Twice as many are proposed. */
static void tell_cap_tokens(failure_report *f, const json_t *limits)
{
    long long cap = field_integer(limits, "max_tokens");
    page_add(&f->sentence, "it used the %lld tokens it was given; ", cap);
    failure_advise(
        f,
        "Give it more tokens: --max-tokens %lld, or leave it out for no limit.",
        2 * cap);
}

/* Twice as long is proposed. */
static void tell_cap_wall(failure_report *f, const json_t *limits)
{
    double seconds = json_number_value(json_object_get(limits, "max_wall_s"));
    page_add(&f->sentence, "it used the %g s it was given; ", seconds);
    failure_advise(f, "Give it more time: --max-wall %g.", 2 * seconds);
}

/* No advice: how much it may cost is the user's to say. */
static void tell_cap_money(failure_report *f, const json_t *limits)
{
    (void)limits;
    page_raw(&f->sentence, "it used the money it was given; ");
}

/* The cap that ended the run: a half sentence, and the flag that raises it.
 * False: no cap did. */
static bool tell_cap(failure_report *f)
{
    static void (*const tells[CAP_COUNT])(failure_report *, const json_t *) = {
        [CAP_BACKTRACKS] = tell_cap_backtracks,
        [CAP_TOKENS] = tell_cap_tokens,
        [CAP_WALL] = tell_cap_wall,
        [CAP_MONEY] = tell_cap_money,
    };
    const json_t *end = json_object_get(f->document, "end");
    if (!field_is(end, "kind", core_end_name(END_CAP)))
        return false;
    for (core_cap cap = CAP_BACKTRACKS; cap < CAP_COUNT; cap++) {
        if (!field_is(end, "cap", core_cap_name(cap)))
            continue;
        tells[cap](f, json_object_get(f->document, "limits"));
        return true;
    }
    return false;
}

/* The sentence was not understood, or names what is not there. */
static void tell_unreadable(failure_report *f)
{
    const json_t *cause = cause_in(f->document);
    const char *const known[] = {field_string(cause, "what"),
                                 field_string(f->document, "reason")};
    const char *what = first_of(known, COUNT_OF(known));
    size_t size = strlen(what);
    if (size && what[size - 1] == '.')
        size--;
    bool unread = field_is(cause, "code", arrange_refusal_name(REFUSAL_UNREAD));
    page_add(&f->sentence, "%s%.*s",
             unread ? "the instruction was not understood: " : "", (int)size,
             what);
    advise_by_cause(f, cause);
}

/* The goal needs more edits than it may have. */
static void failure_tell_edits(failure_report *f)
{
    long long most =
        field_integer(json_object_get(f->document, "limits"), "max_steps");
    page_add(&f->sentence,
             "the goal was not reached within the %lld edits that were allowed",
             most);
    failure_advise(f, "Allow more edits: --max-steps %lld.", 2 * most);
}

/* How much was not done, and the first of it with its reason; the whole list
 * stands beside the sentence. */
static void tell_passed(failure_report *f)
{
    const json_t *passed = json_object_get(f->document, "passed_over");
    const json_t *first = json_array_get(passed, 0);
    const size_t count = json_array_size(passed);
    const bool is_goal = json_is_string(json_object_get(f->document, "goal"));
    const char *thing = field_string(first, "thing");
    if (is_goal)
        page_add(&f->sentence,
                 "%zu part%s of the goal %s not done; %s%s\"%s\": ", count,
                 count == 1 ? "" : "s", count == 1 ? "is" : "are", thing,
                 *thing ? " of " : "", field_string(first, "instruction"));
    else
        page_add(
            &f->sentence,
            "%zu of %zu instructions %s not done; instruction %lld: ", count,
            json_array_size(json_object_get(f->document, "instructions")),
            count == 1 ? "is" : "are", field_integer(first, "item"));
    add_sentence(&f->sentence, field_string(first, "what"));
    advise_by_cause(f, first);
}

/* Was each of several things passed over? Then why the first had no place says
 * more than where it was tried. */
static bool things_are_passed(const failure_report *f)
{
    const json_t *passed = json_object_get(f->document, "passed_over");
    return *field_string(json_array_get(passed, 0), "thing") != '\0';
}

/* Chooses the sentence by how the run ended. */
static void tell_end(failure_report *f)
{
    const json_t *end = json_object_get(f->document, "end");
    if (field_is(end, "kind", core_end_name(END_UNREADABLE))) {
        tell_unreadable(f);
        return;
    }
    const bool is_again = field_is(end, "kind", core_end_name(END_IDENTICAL));
    if (field_is(end, "kind", core_end_name(END_PASSED_OVER)) ||
        (is_again && things_are_passed(f))) {
        tell_passed(f);
        return;
    }
    if (field_integer(f->document, "exit_code") > 1) {
        page_raw(&f->sentence, field_string(f->document, "reason"));
        return;
    }
    bool capped = tell_cap(f);
    bool by_step = capped || is_again;
    if (f->node &&
        field_is(f->node, "failure", core_failure_name(FAILURE_EDITS))) {
        failure_tell_edits(f);
    } else if (f->node && by_step) {
        tell_node(f);
    } else if (capped) {
        page_raw(&f->sentence, "no step had failed until then");
    } else {
        page_raw(&f->sentence, field_string(f->document, "reason"));
    }
}

/* Adds "why" and "advice"; a run that is complete has neither. */
void failure_report_add(json_t *document)
{
    failure_report f = {.document = document,
                        .node = first_failed(document),
                        .advice = json_array()};
    if (field_is(document, "status", "partial") ||
        field_is(document, "status", "failed"))
        tell_end(&f);
    if (field_is(document, "status", "cancelled"))
        page_raw(&f.sentence, "it was cancelled");
    if (f.sentence.failed)
        json_memory_fail();
    else
        json_object_set_new(
            document, "why",
            json_string(f.sentence.data ? f.sentence.data : ""));
    if (f.advice)
        json_object_set(document, "advice", f.advice);
    json_decref(f.advice);
    page_free(&f.sentence);
}
