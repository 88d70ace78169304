/* See flags.h. */
#include "proto/flags.h"
#include "proto/ascii.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

enum {
    LONG_FLAG = 256 /* getopt's value of row 0; below it are letters */
};

etna_code flags_number(const char *name,
                       const char *value,
                       uint64_t least,
                       uint64_t most,
                       uint64_t *ret,
                       etna_error *err)
{
    char *end = NULL;
    errno = 0;
    unsigned long long number = strtoull(value, &end, 10);
    /* strtoull takes blanks and signs, too */
    bool is_number = ascii_is_digit(value[0]) && !*end;
    bool is_within = !errno && number >= least && number <= most;
    if (!is_number || !is_within) {
        return etna_fail(
            err, ETNA_E_USAGE,
            "--%s wants a whole number from %llu to %llu, not %.80s", name,
            (unsigned long long)least, (unsigned long long)most, value);
    }
    *ret = number;
    return ETNA_OK;
}

/* The value of one flag, put where its row says. */
static etna_code flags_take(const flags_row *row,
                            const char *value,
                            etna_error *err)
{
    uint64_t number = 0;
    if (row->yes)
        *row->yes = true;
    if (row->text)
        *row->text = value;
    if (row->read)
        return row->read(row->name, value, row->into, err);
    if (!row->number && !row->large)
        return ETNA_OK;
    etna_code code =
        flags_number(row->name, value, row->least, row->most, &number, err);
    if (code == ETNA_OK && row->number)
        *row->number = (uint32_t)number;
    if (code == ETNA_OK && row->large)
        *row->large = number;
    return code;
}

/* NULL: getopt knows none such. */
static const flags_row *flags_row_of(const flags_row *rows,
                                     uint32_t count,
                                     int flag)
{
    if (flag >= LONG_FLAG)
        return &rows[flag - LONG_FLAG];
    for (uint32_t i = 0; i < count; i++) {
        if (rows[i].letter == flag)
            return &rows[i];
    }
    return NULL;
}

/* getopt met `flag`, '?' or ':'; what it stopped at is in optopt: a letter, the
 * value of a long flag, or 0. */
static etna_code flags_refuse(const char *command,
                              int flag,
                              const flags_row *rows,
                              char **argv,
                              etna_error *err)
{
    char word[] = {'-', (char)optopt, 0};
    if (optopt >= LONG_FLAG || optopt == 'h') { /* 'h': --help=WORD */
        etna_fail(err, ETNA_E_USAGE, "--%s %s; see `%s --help`",
                  optopt == 'h' ? "help" : rows[optopt - LONG_FLAG].name,
                  flag == ':' ? "wants a value" : "takes no value", command);
    } else if (flag == ':') {
        etna_fail(err, ETNA_E_USAGE, "%s wants a value; see `%s --help`", word,
                  command);
    } else if (ascii_is_digit((char)optopt) || optopt == '.') {
        etna_fail(err, ETNA_E_USAGE,
                  "no number here may be negative; see `%s --help`", command);
    } else {
        const char *name = optopt ? word : argv[optind - 1];
        etna_fail(err, ETNA_E_USAGE, "unknown flag %.*s; see `%s --help`",
                  (int)strcspn(name, "="), name, command);
    }
    return ETNA_E_USAGE;
}

etna_code flags_read(const char *command,
                     int argc,
                     char **argv,
                     const flags_row *rows,
                     bool *ret_help,
                     int *ret_first,
                     etna_error *err)
{
    struct option known[FLAGS_MAX + 2] = {{0}};
    char letters[2 * FLAGS_MAX + 3] = ":h";
    char *letter = letters + 2;
    uint32_t count = 0;
    for (; count < FLAGS_MAX && rows[count].name; count++) {
        const flags_row *row = &rows[count];
        known[count] = (struct option){.name = row->name,
                                       .has_arg = row->yes ? no_argument
                                                           : required_argument,
                                       .val = LONG_FLAG + (int)count};
        if (row->letter)
            *letter++ = row->letter;
        if (row->letter && !row->yes)
            *letter++ = ':';
    }
    known[count] =
        (struct option){.name = "help", .has_arg = no_argument, .val = 'h'};
    opterr = 0;
    optind = 0; /* from the start */
    for (int flag;
         (flag = getopt_long(argc, argv, letters, known, NULL)) != -1;) {
        if (flag == 'h') {
            *ret_help = true;
            return ETNA_OK;
        }
        const flags_row *row =
            flag == '?' || flag == ':' ? NULL : flags_row_of(rows, count, flag);
        etna_code code = row ? flags_take(row, optarg, err)
                             : flags_refuse(command, flag, rows, argv, err);
        if (code != ETNA_OK)
            return code;
    }
    *ret_help = false;
    *ret_first = optind;
    return ETNA_OK;
}
