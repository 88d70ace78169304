/* See folder.h. */
#include "tests/support/folder.h"

#include <dirent.h>
#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

void folder_make(char ret[FOLDER_SIZE])
{
    const char *tmp = getenv("TMPDIR");
    snprintf(ret, FOLDER_SIZE, "%s/etna-test-XXXXXX",
             tmp && strlen(tmp) < FOLDER_SIZE - 20 ? tmp : "/tmp");
    assert_non_null(mkdtemp(ret));
}

void folder_put(const char *folder,
                const char *name,
                const void *data,
                size_t size)
{
    char path[512];
    assert_in_range(snprintf(path, sizeof path, "%s/%s", folder, name), 0,
                    sizeof path - 1);
    FILE *file = fopen(path, "wbe");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

uint32_t folder_count(const char *folder)
{
    uint32_t count = 0;
    DIR *d = opendir(folder);
    assert_non_null(d);
    while (readdir(d))
        count++;
    closedir(d);
    return count - 2;
}

static int remove_one(const char *path,
                      const struct stat *st,
                      int kind,
                      struct FTW *at)
{
    (void)st, (void)kind, (void)at;
    return remove(path);
}

void folder_remove(const char *folder)
{
    assert_int_equal(nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS), 0);
}
