/* See json_line.h. */
#include "referee/json_line.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct cursor {
    const char *at, *end;
} cursor;

static void skip_space(cursor *c)
{
    while (c->at < c->end && *c->at && strchr(" \t\r\n", *c->at))
        c->at++;
}

static void skip_string(cursor *c)
{
    for (c->at++; c->at < c->end && *c->at != '"'; c->at++) {
        if (*c->at == '\\' && c->at + 1 < c->end)
            c->at++;
    }
    if (c->at < c->end)
        c->at++;
}

/* Over a value of any kind; brackets are counted, so that depth costs no
 * stack. */
static void skip_value(cursor *c)
{
    size_t depth = 0;
    skip_space(c);
    do {
        if (c->at >= c->end)
            return;
        if (*c->at == '"') {
            skip_string(c);
            continue;
        }
        if (*c->at == '{' || *c->at == '[')
            depth++;
        if ((*c->at == '}' || *c->at == ']') && depth-- == 0)
            return; /* the end of what it is in */
        if (*c->at == ',' && depth == 0)
            return;
        c->at++;
    } while (depth > 0 || (c->at < c->end && !strchr(",}]", *c->at)));
}

/* To the value of a key; false: the object has none, and the cursor stays. */
static bool enter_key(cursor *c, const char *key, size_t length)
{
    cursor in = *c;
    skip_space(&in);
    if (in.at >= in.end || *in.at != '{')
        return false;
    in.at++;
    for (;;) {
        skip_space(&in);
        if (in.at >= in.end || *in.at != '"')
            return false;
        const char *from = in.at + 1;
        skip_string(&in);
        bool is_it = (size_t)(in.at - from) == length + 1 &&
                     memcmp(from, key, length) == 0;
        skip_space(&in);
        if (in.at < in.end)
            in.at++; /* : */
        skip_space(&in);
        if (is_it)
            break;
        skip_value(&in);
        skip_space(&in);
        if (in.at < in.end && *in.at == ',')
            in.at++;
    }
    *c = in;
    return true;
}

static bool enter_index(cursor *c, unsigned long index)
{
    cursor in = *c;
    skip_space(&in);
    if (in.at >= in.end || *in.at != '[')
        return false;
    in.at++;
    for (unsigned long i = 0; i < index; i++) {
        skip_value(&in);
        skip_space(&in);
        if (in.at >= in.end || *in.at != ',')
            return false;
        in.at++;
    }
    skip_space(&in);
    *c = in;
    return true;
}

unsigned json_line_of(const char *text, size_t size, const char *path)
{
    cursor c = {text, text + size};
    bool found = true;
    while (found && *path) {
        if (*path == '.')
            path++;
        if (*path == '[') {
            char *end = NULL;
            unsigned long index = strtoul(path + 1, &end, 10);
            found = enter_index(&c, index);
            path = *end ? end + 1 : end;
            continue;
        }
        size_t length = strcspn(path, ".[");
        found = enter_key(&c, path, length);
        path += length;
    }
    skip_space(&c);
    unsigned line = 1;
    for (const char *at = text; at < c.at; at++)
        line += *at == '\n';
    return line;
}
