/* Directories and file systems of a store: see filesystem.h. */
#include "store/filesystem.h"
#include "proto/array.h"
#include "store/wholefile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

static const uint64_t MAGIC_FUSE = 0x65735546;

const char *filesystem_network(uint64_t magic, const char *type)
{
    static const struct {
        uint64_t magic;
        const char *name;
    } known[] = {
        {0x6969, "NFS"},         {0x517b, "SMB"},
        {0xff534d42, "CIFS"},    {0xfe534d42, "SMB2"},
        {0x00c36400, "Ceph"},    {0x0bd00bd0, "Lustre"},
        {0x47504653, "GPFS"},    {0x5346414f, "AFS"},
        {0x6b414653, "AFS"},     {0x01021997, "9P"},
        {0x19830326, "BeeGFS"},  {0xaad7aaea, "PanFS"},
        {0x73757245, "Coda"},    {0x564c, "NCP"},
        {0x01161970, "GFS2"},    {0x7461636f, "OCFS2"},
        {0x786f4256, "vboxsf"},  {0xbacbacbc, "VMware HGFS"},
        {0x2030528, "OrangeFS"},
    };
    static const char *const fuse[] = {
        "sshfs",     "s3fs",    "glusterfs", "ceph",    "rclone",  "davfs",
        "curlftpfs", "gcsfuse", "goofys",    "juicefs", "JuiceFS", "smbnetfs",
        "beegfs",    "moosefs", "mfs",       "lizardfs"};
    for (size_t i = 0; i < COUNT_OF(known); i++) {
        if (known[i].magic == (magic & 0xffffffff))
            return known[i].name;
    }
    if ((magic & 0xffffffff) != MAGIC_FUSE || !type ||
        strncmp(type, "fuse.", 5) != 0)
        return NULL;
    for (size_t i = 0; i < COUNT_OF(fuse); i++) {
        if (!strcmp(type + 5, fuse[i]))
            return fuse[i];
    }
    return NULL;
}

/* 0, or the errno that tells why it is not there. */
static int directory_make(const char *path)
{
    struct stat st;
    if (mkdir(path, 0700) == 0)
        return 0;
    if (errno != EEXIST)
        return errno;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode) ? 0 : ENOTDIR;
}

etna_code filesystem_make_directory(const char *path, etna_error *err)
{
    char part[4096];
    size_t size = strlen(path);
    if (!size || size >= sizeof part)
        return etna_fail(err, ETNA_E_IO,
                         "a path of %zu bytes cannot be a store", size);
    memcpy(part, path, size + 1);
    for (size_t i = 1; i <= size; i++) {
        if (part[i] && part[i] != '/')
            continue;
        char kept = part[i];
        part[i] = 0;
        const int why = directory_make(part);
        if (why)
            return etna_fail(
                err, wholefile_code(why),
                "%s: cannot make the directory: %s; choose another with --store",
                part, strerror(why));
        part[i] = kept;
    }
    return ETNA_OK;
}

/* The file system's type by its device, from /proc/self/mountinfo: "ID PARENT
 * MAJOR:MINOR ... - TYPE SOURCE OPTIONS". */
static void mount_type(const char *path, char type[64])
{
    struct stat st;
    type[0] = 0;
    FILE *file = stat(path, &st) ? NULL : fopen("/proc/self/mountinfo", "re");
    if (!file)
        return;
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, file) > 0) {
        unsigned major_number, minor_number;
        const char *dash = strstr(line, " - ");
        if (dash &&
            sscanf(line, "%*s %*s %u:%u", &major_number, &minor_number) == 2 &&
            major_number == major(st.st_dev) &&
            minor_number == minor(st.st_dev)) {
            sscanf(dash, " - %63s", type);
        }
    }
    free(line);
    fclose(file);
}

static const char *network_name(const char *path)
{
    struct statfs fs;
    char type[64] = "";
    if (statfs(path, &fs))
        return NULL;
    uint64_t magic = (uint64_t)(unsigned long)fs.f_type;
    if ((magic & 0xffffffff) == MAGIC_FUSE)
        mount_type(path, type);
    return filesystem_network(magic, type);
}

etna_code filesystem_check_local(const char *path, etna_error *err)
{
    const char *name = network_name(path);
    if (!name)
        return ETNA_OK;
    static const char *const places[] = {"/var/tmp", "/tmp", "/dev/shm"};
    for (size_t i = 0; i < COUNT_OF(places); i++) {
        if (!access(places[i], W_OK) && !network_name(places[i])) {
            return etna_fail(
                err, ETNA_E_IO,
                "%s: is on %s, a network file system, where a store is not safe; use --store %s/etna-%u",
                path, name, places[i], (unsigned)getuid());
        }
    }
    return etna_fail(
        err, ETNA_E_IO,
        "%s: is on %s, a network file system, where a store is not safe; use --store on a local disk",
        path, name);
}
