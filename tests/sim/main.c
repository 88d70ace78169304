/* The etna-simulate program: see its usage below. */
#include "proto/flags.h"
#include "tests/sim/worlds.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char usage[] =
    "usage: etna simulate --seed N [--world W] [--faults LIST]\n"
    "       etna simulate --from N --count M [--faults LIST] [--progress FILE]\n"
    "Plays worlds: the coordinator's and the workers' own decisions, messages, tickets and store, under a virtual clock,\n"
    "network, disk and model, with faults that follow from the seed. A seed is four worlds: 0 one worker and no fault, 1 a\n"
    "crew without a fault, 2 and 3 with faults. They must end with the same snapshots and the same accounts.\n\n"
    "  --seed N         tells one world line by line: what was decided and what went wrong\n"
    "  --world W        which of its worlds; 3\n"
    "  --faults LIST    of these kinds at the most, with commas between, or all (default) or none:\n"
    "                   network cut slow kill slip stop clock disk lie rot twin owner build hostile client model deadly\n"
    "                   wave pause\n"
    "  --from N --count M  plays all worlds of so many seeds and sums up\n"
    "  --progress FILE  notes there how far it came, and goes on from there when it is started again\n"
    "Exit codes: 0 everything held; 1 something did not, and the seeds are named; 2 usage; 4 a file cannot be written.\n";

/* Worlds come and go by the thousand: what one gives back the next one takes,
 * and the kernel need not hear of it. */
static void memory_keep(void)
{
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 16 << 20);
    mallopt(M_TRIM_THRESHOLD, 64 << 20);
#endif
}

static volatile sig_atomic_t stopped;

static void stop(int number)
{
    (void)number;
    stopped = 1;
}

static void tell(void *context, const char *line)
{
    (void)context;
    puts(line);
}

static int simulate_fail(const etna_error *err)
{
    fprintf(stderr, "etna: %s\n", err->text);
    return etna_exit_code(err->code);
}

static int simulate_one(uint64_t seed, uint32_t which, uint64_t faults)
{
    static sim_report report;
    char what[512];
    const sim_options options = world_options(seed, which, faults);
    world_describe(&options, what, sizeof what);
    printf("-- seed %llu, world %u: %s\n", (unsigned long long)seed,
           (unsigned)which, what);
    bool holds = world_tell(seed, which, faults, tell, NULL, &report);
    if (!holds) {
        printf("-- %s\n", report.text);
        return 1;
    }
    printf(
        "-- %s after %.3f s: %u calls, %u messages of which %u were lost, %u kills, %u restarts\n",
        run_state_name(report.state), (double)report.ended_ms / 1000,
        (unsigned)report.calls, (unsigned)report.messages,
        (unsigned)report.lost_messages, (unsigned)report.kills,
        (unsigned)report.restarts);
    return fflush(stdout) ? 4 : 0;
}

typedef struct progress {
    uint64_t next, failed;
} progress;

static bool progress_read(const char *path, progress *p)
{
    FILE *file = fopen(path, "r");
    unsigned long long next, failed;
    if (!file)
        return false;
    bool is_read = fscanf(file, "%llu %llu", &next, &failed) == 2;
    fclose(file);
    if (is_read)
        *p = (progress){next, failed};
    return is_read;
}

static etna_code progress_write(const char *path,
                                const progress *p,
                                etna_error *err)
{
    char part[4096];
    snprintf(part, sizeof part, "%s.part", path);
    FILE *file = fopen(part, "w");
    bool is_written =
        file && fprintf(file, "%llu %llu\n", (unsigned long long)p->next,
                        (unsigned long long)p->failed) > 0;
    if (file && fclose(file))
        is_written = false;
    if (is_written && !rename(part, path))
        return ETNA_OK;
    return etna_fail(err, ETNA_E_IO, "%s cannot be written", path);
}

static void simulate_sum(const world_sums *sums, double seconds)
{
    printf(
        "%llu worlds, %.2f ms of CPU each: %llu events, %llu messages (%llu lost), %llu leases (%llu again), %llu calls\n",
        (unsigned long long)sums->worlds,
        sums->worlds ? seconds * 1000 / (double)sums->worlds : 0,
        (unsigned long long)sums->events, (unsigned long long)sums->messages,
        (unsigned long long)sums->lost, (unsigned long long)sums->leases,
        (unsigned long long)sums->leases_again,
        (unsigned long long)sums->calls);
    printf(
        "%llu kills, %llu restarts, %llu deaths by their work; %llu complete, %llu partial, %llu failed; %llu backtracks\n",
        (unsigned long long)sums->kills, (unsigned long long)sums->restarts,
        (unsigned long long)sums->deaths, (unsigned long long)sums->complete,
        (unsigned long long)sums->partial, (unsigned long long)sums->failed,
        (unsigned long long)sums->backtracks);
    for (uint32_t i = 1; i < MISHAP_KINDS; i++)
        printf("%s %llu%s", sim_mishap_name(i),
               (unsigned long long)sums->mishaps[i],
               i + 1 < MISHAP_KINDS ? ", " : "\n");
}

static int simulate_many(uint64_t from,
                         uint64_t count,
                         uint64_t faults,
                         const char *path)
{
    enum {
        NOTE_EVERY = 250
    };
    world_sums sums = {0};
    progress p = {.next = from};
    etna_error err = {ETNA_OK, ""};
    clock_t begun = clock();
    if (path && progress_read(path, &p))
        fprintf(stderr, "goes on from seed %llu\n", (unsigned long long)p.next);
    while (p.next < from + count && !stopped) {
        char text[2048];
        if (!world_play(p.next, faults, &sums, text, sizeof text)) {
            printf("%s\n", text);
            fflush(stdout);
            p.failed++;
        }
        p.next++;
        bool is_noted =
            path && (p.next % NOTE_EVERY == 0 || p.next == from + count);
        if (is_noted && progress_write(path, &p, &err))
            return simulate_fail(&err);
    }
    if (path && stopped && progress_write(path, &p, &err))
        return simulate_fail(&err);
    simulate_sum(&sums, (double)(clock() - begun) / CLOCKS_PER_SEC);
    printf("next seed: %llu; %llu failed\n", (unsigned long long)p.next,
           (unsigned long long)p.failed);
    if (fflush(stdout))
        return 4;
    return p.failed ? 1 : 0;
}

static etna_code faults_read(const char *name,
                             const char *value,
                             void *into,
                             etna_error *err)
{
    if (world_faults_parse(value, into))
        return ETNA_OK;
    return etna_fail(err, ETNA_E_USAGE,
                     "--%s %.200s: kinds with commas between, see --help", name,
                     value);
}

int main(int argc, char **argv)
{
    uint64_t seed = 0, from = 0, count = 0, faults = FAULTS_ALL;
    uint32_t which = WORLDS_EACH - 1;
    const char *path = NULL;
    bool help = false;
    int first;
    etna_error err = {ETNA_OK, ""};
    const flags_row flags[] = {
        {.name = "seed", .large = &seed, .least = 1, .most = UINT64_MAX / 16},
        {.name = "world", .number = &which, .most = WORLDS_EACH - 1},
        {.name = "faults", .read = faults_read, .into = &faults},
        {.name = "from", .large = &from, .least = 1, .most = UINT64_MAX / 16},
        {.name = "count", .large = &count, .least = 1, .most = UINT64_MAX / 16},
        {.name = "progress", .text = &path},
        {.name = NULL},
    };
    if (flags_read("etna simulate", argc, argv, flags, &help, &first, &err))
        return simulate_fail(&err);
    if (help)
        return fputs(usage, stdout) < 0 || fflush(stdout) ? 4 : 0;
    bool is_one = seed && !from && !count, is_many = !seed && from && count;
    if (first < argc || is_one == is_many) {
        etna_fail(
            &err, ETNA_E_USAGE,
            "simulate: either --seed N, or --from N --count M; see `etna simulate --help`");
        return simulate_fail(&err);
    }
    memory_keep();
    signal(SIGINT, stop);
    signal(SIGTERM, stop);
    return is_one ? simulate_one(seed, which, faults)
                  : simulate_many(from, count, faults, path);
}
