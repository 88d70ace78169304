/* A script goes in by a memfd, rows and times come out by another. */
#include "worker/cli/bench_fts5.h"
#include "proto/process.h"
#include "worker/assets/text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const char PROGRAM[] = "/usr/bin/sqlite3";

/* ---- the script ---- */

/* A literal of SQL. What is no text ends at its first control character. */
static void put_literal(FILE *to, const char *text)
{
    fputc('\'', to);
    for (; (unsigned char)*text >= ' '; text++) {
        if (*text == '\'')
            fputc('\'', to);
        fputc(*text, to);
    }
    fputc('\'', to);
}

static void put_others(FILE *to, const asset *a)
{
    fputc('\'', to);
    for (uint32_t i = 0; i < a->word_count; i++) {
        for (const char *at = a->words[i].name; (unsigned char)*at >= ' '; at++)
            fprintf(to, *at == '\'' ? "''" : "%c", *at);
        fputc(' ', to);
    }
    fputc('\'', to);
}

static void put_docs(FILE *to, const asset *assets, uint32_t count)
{
    uint32_t doc = 0;
    fputs("BEGIN;\n", to);
    for (uint32_t i = 0; i < count && !assets[i].fault[0]; i++) {
        const asset *a = &assets[i];
        bool is_again = i && etna_hash_equal(&a->hash, &assets[i - 1].hash);
        if (is_again)
            continue;
        fprintf(to,
                "INSERT INTO d(rowid,name,id,tags,category,others) VALUES(%u,",
                ++doc);
        const char *const texts[] = {a->name, a->id, a->tags, a->category};
        for (size_t k = 0; k < 4; k++) {
            put_literal(to, texts[k]);
            fputc(',', to);
        }
        put_others(to, a);
        fputs(");\n", to);
    }
    fputs("COMMIT;\n", to);
}

/* Any of its words; folded ones have no quotes in them. */
static void put_query(FILE *to, const char *text, uint32_t number)
{
    char word[TEXT_WORD_SIZE];
    const char *between = "";
    fprintf(to, "SELECT %u, rowid-1 FROM d WHERE d MATCH '", number);
    for (const char *at = text; text_next(&at, word);) {
        if (text_is_stop(word) || strchr(word, '\''))
            continue;
        fprintf(to, "%s\"%s\"", between, word);
        between = " OR ";
    }
    if (!*between)
        fputs("\"\"", to);
    fprintf(to, "' ORDER BY bm25(d,5,2.5,2.5,1,3) LIMIT %d;\nSELECT %u;\n",
            (int)FTS5_DEPTH, number);
}

/* ---- what it says ---- */

typedef struct telling {
    fts5_answer *answers;
    uint32_t count;
    fts5_told *told;
    bool is_built;
    double last; /* seconds of the statement before */
} telling;

/* "N|DOC" is a row, "N" alone ends a query, "built" the building. */
static void line_take(telling *t, const char *line)
{
    double real, user, sys;
    unsigned number, doc;
    char rest;
    if (sscanf(line, "Run Time: real %lf user %lf sys %lf", &real, &user,
               &sys) == 3) {
        t->last = user + sys;
        if (!t->is_built)
            t->told->build_s += t->last;
        return;
    }
    if (strcmp(line, "built") == 0) {
        t->is_built = true;
        return;
    }
    int fields = sscanf(line, "%u|%u%c", &number, &doc, &rest);
    if (fields < 1 || number >= t->count)
        return;
    fts5_answer *a = &t->answers[number];
    if (fields == 2 && a->count < FTS5_DEPTH)
        a->docs[a->count++] = doc;
    if (fields == 1)
        a->seconds = t->last;
}

static etna_code output_take(int fd, telling *t, etna_error *err)
{
    char line[256];
    FILE *from = fdopen(fd, "r");
    if (!from) {
        close(fd);
        return etna_fail(err, ETNA_E_NOMEM, "no memory for sqlite3's answers");
    }
    rewind(from);
    while (fgets(line, sizeof line, from)) {
        line[strcspn(line, "\n")] = 0;
        line_take(t, line);
    }
    fclose(from);
    return t->is_built ? ETNA_OK
                       : etna_fail(err, ETNA_E_IO,
                                   "%s built no full-text index", PROGRAM);
}

/* ---- the whole ---- */

static etna_code script_write(int fd,
                              const asset *assets,
                              uint32_t count,
                              const char *const *texts,
                              uint32_t text_count,
                              etna_error *err)
{
    int copy = dup(fd);
    FILE *to = copy >= 0 ? fdopen(copy, "w") : NULL;
    if (!to) {
        if (copy >= 0)
            close(copy);
        return etna_fail(err, ETNA_E_NOMEM, "no memory for a script");
    }
    fputs("PRAGMA journal_mode=off;\nPRAGMA synchronous=off;\n.timer on\n"
          "CREATE VIRTUAL TABLE d USING fts5(name, id, tags, category, others, "
          "tokenize='porter unicode61');\n",
          to);
    put_docs(to, assets, count);
    fputs("SELECT 'built';\n", to);
    for (uint32_t i = 0; i < text_count; i++)
        put_query(to, texts[i], i);
    bool is_written = fclose(to) == 0 && lseek(fd, 0, SEEK_SET) == 0;
    return is_written ? ETNA_OK
                      : etna_fail(err, ETNA_E_IO, "a script for sqlite3: %s",
                                  strerror(errno));
}

static etna_code script_run(int in,
                            int out,
                            const char *database,
                            etna_error *err)
{
    const char *const args[] = {"sqlite3", "-batch", database, NULL};
    process_options options = process_options_default();
    process_end end;
    pid_t pid;
    options.fds[STDIN_FILENO] = in;
    options.fds[STDOUT_FILENO] = out;
    etna_code code = process_start(PROGRAM, args, &options, &pid, err);
    if (code == ETNA_OK)
        code = process_wait(pid, 0, NULL, &end, err);
    return code;
}

etna_code fts5_ask(const asset *assets,
                   uint32_t count,
                   const char *const *texts,
                   uint32_t text_count,
                   fts5_answer *answers,
                   fts5_told *ret,
                   etna_error *err)
{
    char database[] = "/tmp/etna-fts5-XXXXXX";
    telling t = {answers, text_count, ret, false, 0};
    struct stat st;
    if (access(PROGRAM, X_OK) != 0)
        return etna_fail(err, ETNA_E_NOTFOUND,
                         "%s is not installed; Debian's package is sqlite3",
                         PROGRAM);
    *ret = (fts5_told){0};
    for (uint32_t i = 0; i < text_count; i++)
        answers[i] = (fts5_answer){.seconds = -1};
    int file = mkstemp(database);
    if (file < 0)
        return etna_fail(err, ETNA_E_IO, "%s: %s", database, strerror(errno));
    int in = memfd_create("etna-script", MFD_CLOEXEC);
    int out = memfd_create("etna-answers", MFD_CLOEXEC);
    etna_code code =
        in >= 0 && out >= 0
            ? script_write(in, assets, count, texts, text_count, err)
            : etna_fail(err, ETNA_E_NOMEM, "no memory for a script");
    if (code == ETNA_OK)
        code = script_run(in, out, database, err);
    if (code == ETNA_OK && fstat(file, &st) == 0)
        ret->bytes = (uint64_t)st.st_size;
    if (code == ETNA_OK)
        code = output_take(out, &t, err);
    else if (out >= 0)
        close(out);
    if (in >= 0)
        close(in);
    close(file);
    unlink(database);
    return code;
}
