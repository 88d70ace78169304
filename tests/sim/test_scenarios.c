/* Golden narrations: what a person would read of runs that teach the search,
 * line by line. A scenario is settings, a script of outcomes (a word for the
 * plan, then one per branch, as in the core's unit tests), what goes wrong, and
 * after the line "---" the narration. ETNA_REGENERATE=1 writes the narrations
 * anew; read the diff before it is committed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/sim/sim.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LINES_MAX = 64,
    FILE_MAX = 1 << 17,
    SCENARIOS_MAX = 64
};

typedef struct scenario {
    char head[FILE_MAX / 2]; /* up to and with the line "---" */
    char golden[FILE_MAX / 2];
    char words[FILE_MAX / 2]; /* the head again, cut up */
    sim_options options;
    const char *nodes[LINES_MAX], *steps[LINES_MAX];
    uint32_t node_count, step_count;
} scenario;

static void read_file(const char *path, scenario *ret)
{
    FILE *file = fopen(path, "r");
    if (!file)
        fail_msg("%s cannot be read", path);
    char line[4096];
    bool golden = false;
    while (fgets(line, sizeof line, file)) {
        char *to = golden ? ret->golden : ret->head;
        assert_true(strlen(to) + strlen(line) < FILE_MAX / 2);
        strcat(to, line);
        if (strcmp(line, "---\n") == 0)
            golden = true;
    }
    fclose(file);
    if (!golden)
        fail_msg("%s has no line ---", path);
}

static uint32_t choice(const char *said,
                       const char *const *words,
                       uint32_t count,
                       const char *path)
{
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(said, words[i]) == 0)
            return i + 1;
    }
    fail_msg("%s: \"%s\" is none of its words", path, said);
    return 0;
}

static void read_mishap(scenario *sc, const char *line, const char *path)
{
    sim_mishap *m = &sc->options.planned[sc->options.planned_count++];
    unsigned worker = 0;
    unsigned long long at, lasts;
    assert_true(sc->options.planned_count <= SIM_PLANNED_MAX);
    if (sscanf(line, "kill worker %u at %llu for %llu", &worker, &at, &lasts) ==
        3) {
        m->kind = MISHAP_KILL_WORKER;
    } else if (sscanf(line, "cut worker %u at %llu for %llu", &worker, &at,
                      &lasts) == 3) {
        m->kind = MISHAP_CUT_WORKER;
    } else if (sscanf(line, "kill coordinator at %llu for %llu", &at, &lasts) ==
               2) {
        m->kind = MISHAP_KILL_COORDINATOR;
    } else {
        fail_msg("%s: cannot read \"%s\"", path, line);
    }
    m->worker = worker ? worker - 1 : 0;
    m->at_ms = at;
    m->for_ms = lasts;
}

static void read_setting(scenario *sc, char *line, const char *path)
{
    static const char *const modes[] = {"first", "ordered", "off"},
                             *const anchors[] = {"half-anchor", "half-depth"};
    sim_options *o = &sc->options;
    char *value = strchr(line, ' ');
    if (line[0] == '#' || !line[0] || strcmp(line, "---") == 0)
        return;
    if (!value)
        fail_msg("%s: \"%s\" has no value", path, line);
    *value++ = 0;
    const struct {
        const char *name;
        uint32_t *to;
    } numbers[] = {{"workers", &o->workers},
                   {"slots", &o->slots},
                   {"branches", &o->config.branches},
                   {"branches-at-once", &o->config.branches_at_once},
                   {"max-steps", &o->config.max_steps},
                   {"max-backtracks", &o->config.max_backtracks},
                   {"tries", &o->tries},
                   {"fails", &o->fail_pct},
                   {"errors", &o->error_pct}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (strcmp(line, numbers[i].name) == 0) {
            *numbers[i].to = (uint32_t)strtoul(value, NULL, 10);
            return;
        }
    }
    if (strcmp(line, "open-list") == 0) {
        o->config.open_list =
            choice(value, (const char *const[]){"no", "yes"}, 2, path) == 2;
    } else if (strcmp(line, "models") == 0) {
        const uint32_t everybody =
            1u << ROLE_PLANNER | 1u << ROLE_EXECUTOR | 1u << ROLE_EVALUATOR;
        bool is_network =
            choice(value, (const char *const[]){"builtin", "network"}, 2,
                   path) == 2;
        o->config.foreign = is_network ? everybody : 0;
    } else if (strcmp(line, "goal") == 0) {
        o->config.goal = value;
    } else if (strcmp(line, "step") == 0) {
        sc->steps[sc->step_count++] = value;
    } else if (strcmp(line, "node") == 0) {
        sc->nodes[sc->node_count++] = value;
    } else if (strcmp(line, "seed") == 0) {
        o->seed = strtoull(value, NULL, 10);
    } else if (strcmp(line, "max-tokens") == 0) {
        o->config.max_tokens = strtoull(value, NULL, 10);
    } else if (strcmp(line, "max-wall-ms") == 0) {
        o->config.max_wall_ms = strtoull(value, NULL, 10);
    } else if (strcmp(line, "early-end") == 0) {
        o->config.early_end = choice(value, modes, 3, path);
    } else if (strcmp(line, "anchor") == 0) {
        o->config.anchor = choice(value, anchors, 2, path);
    } else if (strcmp(line, "fallback") == 0) {
        o->fallback =
            choice(value, (const char *const[]){"none", "spare"}, 2, path) == 2;
    } else if (strcmp(line, "down") == 0) {
        unsigned long long at, lasts;
        if (sscanf(value, "at %llu for %llu", &at, &lasts) != 2)
            fail_msg("%s: down %s?", path, value);
        o->down_ms = at;
        o->down_for_ms = lasts;
    } else if (strcmp(line, "exits") == 0) {
        o->supervised = choice(value, (const char *const[]){"unseen", "seen"},
                               2, path) == 2;
    } else {
        value[-1] = ' ';
        read_mishap(sc, line, path);
    }
}

static void read_settings(scenario *sc, const char *path)
{
    sc->options = sim_options_default();
    sc->options.slots = 1;
    memcpy(sc->words, sc->head, sizeof sc->head);
    for (char *line = sc->words, *next; line && *line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = 0;
        assert_true(sc->node_count < LINES_MAX && sc->step_count < LINES_MAX);
        read_setting(sc, line, path);
    }
    if (sc->step_count) {
        sc->options.config.goal = NULL;
        sc->options.config.steps = sc->steps;
        sc->options.config.step_count = sc->step_count;
    }
    sc->options.script = sc->nodes;
    sc->options.script_count = sc->node_count;
}

static void regenerate(const char *path, const scenario *sc, const char *lines)
{
    FILE *file = fopen(path, "w");
    if (!file)
        fail_msg("%s cannot be written", path);
    fprintf(file, "%s%s", sc->head, lines);
    fclose(file);
}

static void compare(const char *path, const char *want, const char *got)
{
    for (unsigned number = 1; *want || *got; number++) {
        size_t a = strcspn(want, "\n"), b = strcspn(got, "\n");
        if (a != b || memcmp(want, got, a) != 0) {
            fail_msg(
                "%s, line %u after ---:\n  golden: %.*s\n  now:    %.*s\n(ETNA_REGENERATE=1 writes it anew)",
                path, number, (int)a, want, (int)b, got);
        }
        want += a + (want[a] != 0);
        got += b + (got[b] != 0);
    }
}

static void play(const char *path)
{
    scenario *sc = calloc(1, sizeof *sc);
    sim_report *report = malloc(sizeof *report);
    assert_true(sc && report);
    read_file(path, sc);
    read_settings(sc, path);
    sim_run(&sc->options, report);
    if (report->broken)
        fail_msg("%s: %s\n%s", path, report->text, report->lines);
    if (getenv("ETNA_REGENERATE")) {
        regenerate(path, sc, report->lines);
    } else {
        compare(path, sc->golden, report->lines);
    }
    free(report);
    free(sc);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(a, b);
}

static void every_scenario_tells_its_golden_story(void **state)
{
    (void)state;
    static char names[SCENARIOS_MAX][256];
    size_t count = 0;
    DIR *folder = opendir(ETNA_SOURCE_DIR "/tests/sim/scenarios");
    assert_non_null(folder);
    for (const struct dirent *entry = readdir(folder); entry;
         entry = readdir(folder)) {
        size_t size = strlen(entry->d_name);
        if (size < 5 || strcmp(entry->d_name + size - 4, ".txt") != 0)
            continue;
        assert_true(count < SCENARIOS_MAX);
        snprintf(names[count++], sizeof names[0], "%s", entry->d_name);
    }
    closedir(folder);
    assert_true(count >= 7);
    qsort(names, count, sizeof names[0], by_name);
    for (size_t i = 0; i < count; i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/tests/sim/scenarios/%s",
                 ETNA_SOURCE_DIR, names[i]);
        play(path);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_scenario_tells_its_golden_story)};
    return cmocka_run_group_tests_name("scenarios", tests, NULL, NULL);
}
