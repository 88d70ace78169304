/* See cpus.h. */
#include "proto/cpus.h"

#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

uint32_t cpus_of_quota(const char *line)
{
    unsigned long long quota, period;
    if (sscanf(line, "%llu %llu", &quota, &period) != 2 || !period || !quota)
        return 0;
    unsigned long long whole = quota / period + (quota % period != 0);
    return whole > UINT32_MAX ? 0 : (uint32_t)whole;
}

/* Our cgroup of version 2, from the root on; "" when there is none. False: it
 * cannot be told. */
static bool cgroup_own(char *ret, size_t size)
{
    char line[1024];
    FILE *file = fopen("/proc/self/cgroup", "re");
    if (!file)
        return false;
    *ret = 0;
    while (fgets(line, sizeof line, file)) {
        if (strncmp(line, "0::/", 4) != 0)
            continue;
        line[strcspn(line, "\n")] = 0;
        snprintf(ret, size, "%s", line + 3);
    }
    fclose(file);
    return true;
}

/* The least limit on the way from our cgroup to the root (version 2; others set
 * no cpu.max). */
static uint32_t cgroup_limit(void)
{
    char line[1024], path[1200], group[1024] = "";
    uint32_t least = 0;
    if (!cgroup_own(group, sizeof group))
        return 0;
    for (;;) {
        snprintf(path, sizeof path, "/sys/fs/cgroup%s/cpu.max", group);
        FILE *file = fopen(path, "re");
        uint32_t limit =
            file && fgets(line, sizeof line, file) ? cpus_of_quota(line) : 0;
        if (file)
            fclose(file);
        if (limit && (!least || limit < least))
            least = limit;
        char *slash = strrchr(group, '/');
        if (!slash)
            break;
        *slash = 0;
    }
    return least;
}

uint32_t cpus_usable(void)
{
    cpu_set_t set;
    uint32_t count = 1;
    uint32_t limit = cgroup_limit();
    if (!sched_getaffinity(0, sizeof set, &set) && CPU_COUNT(&set) > 0)
        count = (uint32_t)CPU_COUNT(&set);
    return limit && limit < count ? limit : count;
}
