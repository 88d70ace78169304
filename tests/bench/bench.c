/* etna-bench: what the engine promises of time and space, every line beside its
 * goal, its peer and its floor. */
#include "tests/bench/bench_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct {
    const char *prefix; /* of its lines' ids */
    void (*lines)(bench *b);
} groups[] = {{"solve", lines_solve},           {"verdict", lines_verdict},
              {"first_free", lines_first_free}, {"rays", lines_rays},
              {"plane", lines_plane},           {"view", lines_view},
              {"restore", lines_restore},       {"import", lines_import},
              {"memory", lines_memory},         {"keeping", lines_keeping},
              {"replay", lines_replay},         {"calls", lines_calls},
              {"trust", lines_trust},           {"pool", lines_pool},
              {"growth", lines_growth}};

enum {
    LARGE_TRIANGLES = 20240000,
    LARGE_OBJECTS = 10000
}; /* vases come in rings: no fewer than 20 M */

static const char usage[] =
    "usage: etna-bench [--lines REGEX] [--quick] [--json] [--no-peers] [--results DIR | --no-results]\n"
    "       etna-bench placements [COUNT]\n"
    "       etna-bench large [TRIANGLES [OBJECTS]]\n"
    "       etna-bench pool [WORKERS [RUNS [ipc|tcp|tls [SLOTS [RATE]]]]]\n"
    "  --lines REGEX   only lines whose id it meets: solve.avx2, verdict.free, growth.check.objects\n"
    "  --quick         three repeats of each; nothing is kept\n"
    "  --results DIR   where <cpu>.csv is kept (tests/bench/results); some lines alone are kept only when this is said,\n"
    "                  and then the file's other lines stay as they were\n";

void bench_say(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fputs("etna-bench: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
}

void bench_die(const char *what, const char *why)
{
    fprintf(stderr, "etna-bench: %s: %s\n", what, why);
    exit(4);
}

bool bench_wants(const bench *b, const char *id)
{
    return !b->has_lines || regexec(&b->lines, id, 0, NULL, 0) == 0;
}

bool bench_wants_any(const bench *b, const char *const *ids, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (bench_wants(b, ids[i]))
            return true;
    return false;
}

void bench_add(bench *b, const bench_row *row)
{
    if (b->row_count == ROWS_MAX)
        bench_die(row->id, "more lines than there is room for");
    bench_row *kept = &b->rows[b->row_count];
    *kept = *row;
    kept->note = NULL;
    if (row->note) {
        snprintf(b->notes[b->row_count], TEXT_MAX, "%s", row->note);
        kept->note = b->notes[b->row_count];
    }
    b->row_count++;
    bench_say("%-24s %.4g %s (%.4g to %.4g, %u times)", row->id,
              row->ours.median, row->unit, row->ours.low, row->ours.high,
              row->ours.samples);
}

void bench_grow(bench *b, const bench_growth *g)
{
    if (b->growth_count == GROWTHS_MAX)
        bench_die(g->id, "more lines than there is room for");
    b->growths[b->growth_count++] = *g;
    bench_say("%-24s exponent %.2f", g->id, report_exponent(g));
}

static void read_machine(bench *b)
{
    char line[512];
    FILE *f = fopen("/proc/cpuinfo", "r");
    while (f && fgets(line, sizeof line, f)) {
        if (strncmp(line, "model name", 10) != 0 || !strchr(line, ':'))
            continue;
        snprintf(b->cpu, sizeof b->cpu, "%.180s", strchr(line, ':') + 2);
        b->cpu[strcspn(b->cpu, "\n")] = 0;
        break;
    }
    if (f)
        fclose(f);
    if (!b->cpu[0])
        snprintf(b->cpu, sizeof b->cpu, "unknown");
    b->cores = (unsigned)sysconf(_SC_NPROCESSORS_ONLN);
    if (getloadavg(&b->load, 1) != 1)
        b->load = 0;
}

static void read_options(bench *b, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *a = argv[i];
        if (strcmp(a, "--quick") == 0) {
            b->quick = true;
        } else if (strcmp(a, "--json") == 0) {
            b->json = true;
        } else if (strcmp(a, "--no-peers") == 0) {
            b->peers = false;
        } else if (strcmp(a, "--no-results") == 0) {
            b->results = NULL;
        } else if (strcmp(a, "--results") == 0 && i + 1 < argc) {
            b->results = argv[++i];
            b->keep = true;
        } else if (strcmp(a, "--lines") == 0 && i + 1 < argc) {
            if (b->has_lines ||
                regcomp(&b->lines, argv[++i], REG_EXTENDED | REG_NOSUB))
                bench_die("--lines", "no regular expression, or given twice");
            b->has_lines = true;
        } else {
            fputs(usage, stderr);
            exit(2);
        }
    }
    b->keep |= !b->has_lines && !b->quick;
}

static char folder[sizeof((bench *)0)->folder];

static void remove_folder(void) /* also when a line ends the program */
{
    char command[600];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (system(command))
        bench_say("left %s behind", folder);
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "placements") == 0) {
        bench_placements(argc > 2 ? (unsigned)atoi(argv[2]) : 500);
        return 0;
    }
    if (argc == 3 && strcmp(argv[1], "--child-memory") == 0)
        return bench_child_memory(argv[2], false);
    if (argc == 3 && strcmp(argv[1], "--child-checks") == 0)
        return bench_child_memory(argv[2], true);
    static bench b;
    b.peers = true;
    b.results = ETNA_SOURCE_DIR "/tests/bench/results";
    bool large = argc > 1 && strcmp(argv[1], "large") == 0;
    bool pool = argc > 1 && strcmp(argv[1], "pool") == 0;
    if (!large && !pool)
        read_options(&b, argc, argv);
    read_machine(&b);
    const char *place = getenv("ETNA_BENCH_DIR");
    snprintf(b.folder, sizeof b.folder, "%s/bench.XXXXXX",
             place ? place : ETNA_BINARY_DIR);
    if (!mkdtemp(b.folder))
        bench_die(b.folder, "cannot make a folder there");
    memcpy(folder, b.folder, sizeof folder);
    atexit(remove_folder);
    if (large) {
        bench_large(&b, argc > 2 ? (unsigned)atoi(argv[2]) : LARGE_TRIANGLES,
                    argc > 3 ? (unsigned)atoi(argv[3]) : LARGE_OBJECTS);
        return 0;
    }
    if (pool) {
        bench_pool(&b, argc > 2 ? (unsigned)atoi(argv[2]) : 64,
                   argc > 3 ? (unsigned)atoi(argv[3]) : 256,
                   argc > 4 ? argv[4] : "tcp",
                   argc > 5 ? (unsigned)atoi(argv[5]) : 0,
                   argc > 6 ? (unsigned)atoi(argv[6]) : 0);
        return 0;
    }
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        groups[i].lines(&b);
    if (b.json) {
        report_json(&b);
    } else {
        report_table(&b);
    }
    if (b.results && b.keep)
        report_csv(&b);
    if (b.row_count + b.growth_count == 0) {
        bench_say("no line is of that name");
        return 2;
    }
    return 0;
}
