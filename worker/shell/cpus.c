/* See cpus.h. */
#include "worker/shell/cpus.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>

/* Whole processors of "QUOTA PERIOD", rounded up; 0: "max PERIOD" or not such a line. */
static uint32_t processors_of(const char *line)
{
    unsigned long long quota, period;
    if (sscanf(line, "%llu %llu", &quota, &period) != 2 || !quota || !period) return 0;
    unsigned long long whole = quota / period + (quota % period != 0);
    return whole > UINT32_MAX ? 0 : (uint32_t)whole;
}

static uint32_t limit_of(const char *group)
{
    char path[1200], line[128];
    snprintf(path, sizeof path, "/sys/fs/cgroup%s/cpu.max", group);
    FILE *file = fopen(path, "re");
    if (!file) return 0;
    uint32_t limit = fgets(line, sizeof line, file) ? processors_of(line) : 0;
    fclose(file);
    return limit;
}

/* The least limit from our cgroup up to the root: each of them holds. */
static uint32_t cgroup_limit(void)
{
    char line[1024], group[1024] = "";
    FILE *file = fopen("/proc/self/cgroup", "re");
    if (!file) return 0;
    while (fgets(line, sizeof line, file)) {
        if (strncmp(line, "0::/", 4) != 0) continue;
        line[strcspn(line, "\n")] = 0;
        snprintf(group, sizeof group, "%s", line + 3);
    }
    fclose(file);
    uint32_t least = 0;
    for (;;) {
        uint32_t limit = limit_of(group);
        if (limit && (!least || limit < least)) least = limit;
        char *slash = strrchr(group, '/');
        if (!slash) return least;
        *slash = 0;
    }
}

uint32_t cpus_of_worker(void)
{
    cpu_set_t set;
    uint32_t count = 1, limit = cgroup_limit();
    if (!sched_getaffinity(0, sizeof set, &set) && CPU_COUNT(&set) > 0) count = (uint32_t)CPU_COUNT(&set);
    return limit && limit < count ? limit : count;
}
