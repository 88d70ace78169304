/* Private to the store: directories, and which file systems a store may live
 * on. LMDB maps its file and locks by the kernel; over a network neither holds,
 * and a journal that two hosts write is lost. */
#ifndef ETNA_STORE_FILESYSTEM_H
#define ETNA_STORE_FILESYSTEM_H

#include "proto/error.h"

#include <stdint.h>

/* The name of the network file system with this statfs magic; NULL: a local
 * one. `type` is mountinfo's type ("fuse.sshfs"; may be NULL), which alone
 * tells network FUSE from local FUSE. Pure. */
const char *filesystem_network(uint64_t magic, const char *type);

/* Makes `path` and what is missing above it, with mode 0700. ETNA_E_IO,
 * ETNA_E_FULL name the part that could not be made; parts above it stay. */
etna_code filesystem_make_directory(const char *path, etna_error *err);

/* ETNA_E_IO with a local path to use instead, when `path` (which exists) is on
 * a network file system. */
etna_code filesystem_check_local(const char *path, etna_error *err);

#endif
