/* See failure_report.h. The class of a failure comes from what is recorded (the kind of its cause, states of branches); texts of
 * the solver are only looked into for the names in them and for the kind of place that was missing. */
#include "coordinator/report/failure_report.h"
#include "coordinator/report/constraint_text.h"
#include "coordinator/report/page.h"

#include <stdarg.h>
#include <string.h>

typedef struct teller {
    const json_t *document, *node; /* the step that stood in the way; NULL: none */
    page sentence;
    json_t *advice;
} teller;

static const char *failure_string_of(const json_t *of, const char *key)
{
    const char *s = json_string_value(json_object_get(of, key));
    return s ? s : "";
}

static long long failure_integer_of(const json_t *of, const char *key)
{
    return json_integer_value(json_object_get(of, key));
}

__attribute__((format(printf, 2, 3))) static void failure_advise(teller *t, const char *format, ...)
{
    json_t *line;
    va_list args;
    va_start(args, format);
    line = json_vsprintf(format, args);
    va_end(args);
    if (line) json_array_append_new(t->advice, line);
}

/* What the run was refused or failed for, in parts; NULL in documents without. */
static const json_t *cause_in(const json_t *document)
{
    const json_t *failure = json_object_get(document, "failure");
    return failure ? failure : json_object_get(document, "error");
}

/* The step that barred the first way: what failed after it failed on the way round. */
static const json_t *first_failed(const json_t *document)
{
    const json_t *node;
    size_t i;
    json_array_foreach(json_object_get(document, "tree"), i, node)
    {
        if (!strcmp(failure_string_of(node, "state"), "failed")) return node;
    }
    return NULL;
}

/* ---- one branch's obstacle ---- */

/* Names in double quotes between `from` and `until` in the reasons of all branches of that status:
 * "A, B and others". */
static void failure_add_names(page *to, const json_t *node, const char *status, const char *from, const char *until,
                              const char *but)
{
    json_t *branch, *seen = json_object();
    size_t i, count = 0;
    json_array_foreach(json_object_get(node, "branches"), i, branch)
    {
        const char *at = strcmp(failure_string_of(branch, "status"), status)
                             ? NULL
                             : strstr(failure_string_of(branch, "reason"), from);
        const char *end = at ? strstr(at, until) : NULL;
        for (at = at ? strchr(at, '"') : NULL; at && end && at < end; at = strchr(at, '"')) {
            const char *close = strchr(++at, '"');
            if (!close || close > end) break;
            json_t *name = json_stringn(at, (size_t)(close - at));
            const char *word = json_string_value(name);
            if (word && strcmp(word, but) != 0 && !json_object_get(seen, word)) {
                json_object_set_new(seen, word, json_true());
                if (count < 3) page_add(to, "%s%s", count ? ", " : "", word);
                count++;
            }
            json_decref(name);
            at = close + 1;
        }
    }
    if (count > 3) page_raw(to, " and others");
    if (!count) page_raw(to, "something else");
    json_decref(seen);
}

static const char *object_of(const json_t *branch)
{
    const char *name = failure_string_of(branch, "object");
    return *name ? name : "the object";
}

/* The first clause: what follows a semicolon is advice to an agent. */
static int failure_clause(const char *reason) { return (int)strcspn(reason, ";"); }

static void tell_plane(teller *t, const char *reason)
{
    const char *at = strstr(reason, "plane \""), *name = at ? at + strlen("plane \"") : NULL,
               *end = name ? strchr(name, '"') : NULL;
    if (!end) {
        page_raw(&t->sentence, "the surface");
        return;
    }
    page plane = {0};
    page_add(&plane, "%.*s", (int)(end - name), name);
    if (plane.data) constraint_text_plane(&t->sentence, plane.data);
    page_free(&plane);
}

static void tell_unsolved(teller *t, const json_t *branch)
{
    const char *reason = failure_string_of(branch, "reason");
    bool wide = strstr(reason, "width are missing") != NULL;
    if (wide || strstr(reason, "over the edge of plane") || strstr(reason, "over the real surface")) {
        page_add(&t->sentence, "%s %s ", object_of(branch), wide ? "is too large for" : "would hang over the edge of");
        tell_plane(t, reason);
        if (!wide) page_raw(&t->sentence, " at every place tried");
        failure_advise(t, "Choose a bigger or emptier surface, or something smaller to put there.");
    } else {
        page_add(&t->sentence, "no place for %s meets every constraint (%.*s)", object_of(branch),
                 failure_clause(reason), reason);
        failure_advise(t, "Name another place or surface, or say less exactly where.");
    }
    failure_advise(t, "Look from another camera: --camera NAME (etna scene info lists them), or --camera auto.");
    failure_advise(t, "Try more places a step: --branches 8, or another --seed.");
}

static void tell_collision(teller *t, const json_t *branch)
{
    page names = {0};
    failure_add_names(&names, t->node, "collision", " collide: ", "; move", object_of(branch));
    page_add(&t->sentence, "every place tried for %s is taken by %s", object_of(branch),
             names.data ? names.data : "something else");
    failure_advise(t, "Clear the place first: move %s out of the way, in a sentence or step of its own.",
                   names.data ? names.data : "what stands there");
    failure_advise(t, "Choose another place, or a bigger or emptier surface.");
    failure_advise(t, "Look from another camera: --camera NAME (etna scene info lists them), or --camera auto.");
    page_free(&names);
}

static void tell_floating(teller *t, const json_t *branch)
{
    page own = {0}, others = {0};
    page_add(&own, "\"%s\"", object_of(branch));
    bool itself = own.data && strstr(failure_string_of(branch, "reason"), own.data);
    if (itself || !*failure_string_of(branch, "object")) {
        page_add(&t->sentence, "%s would be left without firm support", object_of(branch));
        if (*failure_string_of(branch, "plane")) page_raw(&t->sentence, " on ");
        constraint_text_plane(&t->sentence, failure_string_of(branch, "plane"));
        failure_advise(t, "Choose a larger, flatter surface for it, or something smaller to put there.");
        failure_advise(t, "Try more places a step: --branches 8, or another --seed.");
    } else {
        failure_add_names(&others, t->node, "floating", "after the edit ", " without support", object_of(branch));
        page_add(&t->sentence, "moving %s would leave %s without support", object_of(branch),
                 others.data ? others.data : "something else");
        failure_advise(t, "Move %s first.", others.data ? others.data : "what stands on it");
    }
    page_free(&own);
    page_free(&others);
}

static void tell_rejected(teller *t, const json_t *branch)
{
    const char *reason = failure_string_of(branch, "reason"), *seen = strchr(reason, ';');
    page_raw(&t->sentence, "the evaluators accepted no place");
    if (seen) page_add(&t->sentence, ": %s", seen + 1 + strspn(seen + 1, " "));
    failure_advise(t, "Say more exactly where it is to go, or name another place.");
    failure_advise(t, "Try more places a step: --branches 8, or another --seed.");
}

static void tell_malformed(teller *t, const json_t *branch)
{
    page_add(&t->sentence, "the model's answer could not be used (%.*s)",
             failure_clause(failure_string_of(branch, "reason")), failure_string_of(branch, "reason"));
    failure_advise(t, "Use another model: --model NAME.");
}

static void tell_repeated(teller *t, const json_t *branch)
{
    page_add(&t->sentence, "for %s only a place was found that had been given up before", object_of(branch));
    failure_advise(t, "Try more places a step: --branches 8, or another --seed.");
}

static void tell_unjudged(teller *t, const json_t *branch)
{
    (void)branch;
    page_raw(&t->sentence, "too few evaluators gave a verdict that could be read");
    failure_advise(t, "Use another model: --model NAME, or ask more evaluators: --polls 5.");
}

static void tell_other(teller *t, const json_t *branch)
{
    page_raw(&t->sentence,
             *failure_string_of(branch, "reason") ? failure_string_of(branch, "reason") : "no place was found");
}

/* ---- the step that stood in the way ---- */

static const struct obstacle {
    const char *status, *state; /* of a branch; NULL: any */
    void (*tell)(teller *t, const json_t *branch);
} obstacles[] = {{"unsolved", NULL, tell_unsolved},   {"collision", NULL, tell_collision},
                 {"floating", NULL, tell_floating},   {NULL, "rejected", tell_rejected},
                 {"malformed", NULL, tell_malformed}, {"repeated", NULL, tell_repeated},
                 {NULL, "unjudged", tell_unjudged},   {NULL, "failed", tell_other}};
enum { OBSTACLES = sizeof obstacles / sizeof *obstacles };

static size_t obstacle_of(const json_t *branch)
{
    size_t i = 0;
    while (i < OBSTACLES &&
           !((!obstacles[i].status || !strcmp(obstacles[i].status, failure_string_of(branch, "status"))) &&
             (!obstacles[i].state || !strcmp(obstacles[i].state, failure_string_of(branch, "state"))))) {
        i++;
    }
    return i;
}

/* What the run's cause says is to be done, or what helps with its kind. */
static void advise_by_cause(teller *t, const json_t *cause)
{
    static const struct {
        const char *code, *advice[3];
    } kinds[] = {
        {"no_place",
         {"Clear it first: say what is to leave it and where to.", "Choose a bigger or emptier surface.",
          "Look from another camera that shows more of it: --camera NAME (etna scene info lists them), or --camera auto."}},
        {"impossible", {"Choose another place or thing, or say what comes first as a step of its own: --steps FILE."}},
        {"unknown", {"Say it with the names that etna scene info lists."}},
        {"ambiguous", {"Say which one is meant: by its name, its colour or its place."}},
        {"unread",
         {"Say it like \"Put the red bottle on the table\", with the names that etna scene info lists.",
          "Connect a language model, which understands more: --model NAME."}}};
    const char *own = failure_string_of(cause, "do"), *code = failure_string_of(cause, "code");
    if (*own) failure_advise(t, "%s", own);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(code, kinds[i].code) != 0) continue;
        for (size_t k = 0; k < 3 && kinds[i].advice[k]; k++) failure_advise(t, "%s", kinds[i].advice[k]);
    }
}

/* The run's cause, when it is the one that this step met: of a step that failed later only its own words are known. */
static const json_t *cause_here(const teller *t)
{
    return t->node == first_failed(t->document) ? cause_in(t->document) : NULL;
}

static void tell_impossible(teller *t)
{
    static const char prefix[] = "the planner says the goal cannot be reached from here: ";
    const json_t *cause = cause_here(t);
    const char *reason = failure_string_of(t->node, "reason"), *what = failure_string_of(cause, "what");
    if (!strncmp(reason, prefix, sizeof prefix - 1)) reason += sizeof prefix - 1;
    if (*what) reason = what;
    size_t size = strlen(reason);
    if (size && reason[size - 1] == '.') size--;
    bool there = !strncmp(reason, "There ", 6); /* it is in the middle of a sentence now */
    page_add(&t->sentence, "%s%.*s", there ? "t" : "", (int)size - there, reason + there);
    advise_by_cause(t, cause);
}

static void tell_node(teller *t)
{
    const json_t *branches = json_object_get(t->node, "branches"), *first[OBSTACLES] = {NULL};
    size_t count[OBSTACLES + 1] = {0}, best = 0, i;
    json_t *branch;
    const char *plan = failure_string_of(t->node, "plan");
    page_add(&t->sentence, "step %lld could not be done: ", failure_integer_of(t->node, "step"));
    if (!strcmp(plan, "impossible")) {
        tell_impossible(t);
        return;
    }
    json_array_foreach(branches, i, branch)
    {
        size_t kind = obstacle_of(branch);
        if (kind < OBSTACLES && !count[kind]) first[kind] = branch;
        count[kind]++;
    }
    for (i = 1; i < OBSTACLES; i++) {
        if (count[i] > count[best]) best = i;
    }
    if (strcmp(plan, "malformed") && count[best]) {
        obstacles[best].tell(t, first[best]);
    } else {
        page_raw(&t->sentence, failure_string_of(t->node, "reason"));
        if (!strcmp(plan, "malformed")) failure_advise(t, "Use another model: --model NAME.");
    }
}

/* ---- the run ---- */

/* The planner met the same obstacle whichever way was taken: then going back more often is no help. */
static bool fails_alike(const json_t *document)
{
    const char *reason = NULL;
    const json_t *node;
    size_t i, count = 0;
    json_array_foreach(json_object_get(document, "tree"), i, node)
    {
        if (strcmp(failure_string_of(node, "state"), "failed") != 0) continue;
        const char *own = failure_string_of(node, "reason");
        if (strcmp(failure_string_of(node, "plan"), "impossible") != 0 || (reason && strcmp(reason, own) != 0))
            return false;
        reason = own;
        count++;
    }
    return count > 1 && *reason;
}

/* The cap that ended it: a half sentence, and which flag gives it more. */
static bool tell_cap(teller *t, const char *reason)
{
    const json_t *limits = json_object_get(t->document, "limits");
    if (!strcmp(reason, "the cap of backtracks is reached")) {
        long long cap = failure_integer_of(limits, "backtracks");
        long long times = failure_integer_of(t->document, "backtracks");
        bool alike = fails_alike(t->document);
        page_add(&t->sentence, "it went back %lld time%s, as often as it may, and %s; ", times, times == 1 ? "" : "s",
                 alike ? "met the same obstacle every time" : "found no way");
        if (!alike)
            failure_advise(t, "Let it go back more often: --backtracks %lld (it was %lld).", cap ? 2 * cap : 8, cap);
    } else if (!strcmp(reason, "the cap of tokens is reached")) {
        page_add(&t->sentence, "it used the %lld tokens it was given; ", failure_integer_of(limits, "max_tokens"));
        failure_advise(t, "Give it more tokens: --max-tokens %lld, or leave it out for no limit.",
                       2 * failure_integer_of(limits, "max_tokens"));
    } else if (!strcmp(reason, "the cap of wall time is reached")) {
        double s = json_number_value(json_object_get(limits, "max_wall_s"));
        page_add(&t->sentence, "it used the %g s it was given; ", s);
        failure_advise(t, "Give it more time: --max-wall %g.", 2 * s);
    } else if (!strcmp(reason, "the cap of money is reached")) {
        page_raw(&t->sentence, "it used the money it was given; ");
    } else {
        return false;
    }
    return true;
}

static bool is_unreadable(const json_t *document)
{
    const json_t *tree = json_object_get(document, "tree");
    return !strcmp(failure_string_of(json_array_get(tree, json_array_size(tree) - 1), "plan"), "unreadable");
}

static void tell_unreadable(teller *t, const char *reason)
{
    const json_t *cause = cause_in(t->document);
    const char *what = *failure_string_of(cause, "what") ? failure_string_of(cause, "what") : reason;
    size_t size = strlen(what);
    if (size && what[size - 1] == '.') size--;
    page_add(&t->sentence, "%s%.*s",
             strcmp(failure_string_of(cause, "code"), "unread") ? "" : "the instruction was not understood: ",
             (int)size, what);
    advise_by_cause(t, cause);
}

static void failure_tell(teller *t)
{
    const char *reason = failure_string_of(t->document, "reason");
    if (is_unreadable(t->document)) {
        tell_unreadable(t, reason);
        return;
    }
    if (failure_integer_of(t->document, "exit_code") > 1) {
        page_raw(&t->sentence, reason);
        return;
    }
    bool capped = tell_cap(t, reason);
    if (t->node && !strcmp(failure_string_of(t->node, "reason"),
                           "the goal is not reached within the most edits a sequence may hold")) {
        long long most = failure_integer_of(json_object_get(t->document, "limits"), "max_steps");
        page_add(&t->sentence, "the goal was not reached within the %lld edits that were allowed", most);
        failure_advise(t, "Allow more edits: --max-steps %lld.", 2 * most);
    } else if (t->node && !capped && !strstr(reason, "failed exactly as it did before")) {
        page_raw(&t->sentence, reason);
    } else if (t->node) {
        tell_node(t);
    } else if (!capped) {
        page_raw(&t->sentence, reason);
    } else {
        page_raw(&t->sentence, "no step had failed until then");
    }
}

void failure_report_add(json_t *document)
{
    const char *status = failure_string_of(document, "status");
    teller t = {.document = document, .node = first_failed(document), .advice = json_array()};
    if (!strcmp(status, "partial") || !strcmp(status, "failed")) failure_tell(&t);
    if (!strcmp(status, "cancelled")) page_raw(&t.sentence, "it was cancelled");
    if (!t.sentence.failed) json_object_set_new(document, "why", json_string(t.sentence.data ? t.sentence.data : ""));
    if (t.advice) json_object_set(document, "advice", t.advice);
    json_decref(t.advice);
    page_free(&t.sentence);
}
