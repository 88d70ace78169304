/* What a command takes as flags, as a table of their names and where their
 * values go. Both programs read theirs by it: `etna` hands commands over to
 * `etna-worker`, and a wrong flag must be told alike by both. */
#ifndef ETNA_PROTO_FLAGS_H
#define ETNA_PROTO_FLAGS_H

#include "proto/error.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    FLAGS_MAX = 48 /* rows of a table */
};

typedef struct flags_row { /* one of yes, text, number, large and read is set */
    const char *name;      /* "output" for --output; NULL ends the table */
    char letter;           /* 'o': also -o */
    bool *yes;             /* takes no value */
    const char **text;     /* the value as it stands, in argv */
    uint32_t *number;      /* a whole number from least to most */
    uint64_t *large;       /* the same; both without a sign */
    uint64_t least, most;
    etna_code (*read)(const char *name,
                      const char *value,
                      void *into,
                      etna_error *err); /* ETNA_E_USAGE, and why */
    void *into;
} flags_row;

/* Reads the flags of argv[1] and on in their order, and --help and -h, which
 * every command has: *ret_help is true then, and what follows is not read. Else
 * argv[*ret_first] and on is what is no flag (argv is permuted). `command` is
 * what a person would type, as "etna scene info". ETNA_E_USAGE names the flag;
 * what was read before it may have been set. Not for several threads at once
 * (getopt_long). */
etna_code flags_read(const char *command,
                     int argc,
                     char **argv,
                     const flags_row *rows,
                     bool *ret_help,
                     int *ret_first,
                     etna_error *err);

/* The whole number of a text of digits alone, from `least` to `most`.
 * ETNA_E_USAGE names the flag and both bounds, and leaves *ret as it was. */
etna_code flags_number(const char *name,
                       const char *value,
                       uint64_t least,
                       uint64_t most,
                       uint64_t *ret,
                       etna_error *err);

#endif
