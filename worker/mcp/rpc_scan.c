/* What can be told of a message without parsing it. A message may be too large,
 * too deep or no JSON (Python writes NaN), and yet its sender waits for an
 * answer to its id. */
#include "worker/mcp/rpc_internal.h"

#include <string.h>

/* The quote that ends a string of JSON which begins behind `at`; size: nothing
 * ends it. */
static size_t scan_text_end(const char *text, size_t size, size_t at)
{
    while (at < size && text[at] != '"')
        at += text[at] == '\\' ? 2 : 1;
    return at < size ? at : size;
}

static bool scan_opens(char c)
{
    return c == '[' || c == '{';
}

static bool scan_closes(char c)
{
    return c == ']' || c == '}';
}

bool rpc_scan_too_deep(const char *text, size_t size)
{
    uint32_t depth = 0;
    for (size_t i = 0; i < size; i++) {
        const bool closes = scan_closes(text[i]);
        depth += scan_opens(text[i]);
        if (text[i] == '"')
            i = scan_text_end(text, size, i + 1);
        depth -= closes && depth > 0;
        if (depth > RPC_DEPTH_MAX)
            return true;
    }
    return false;
}

static size_t scan_blanks(const char *text, size_t size, size_t at)
{
    while (at < size && memchr(" \t\r\n", text[at], 4))
        at++;
    return at;
}

/* The value behind a key's closing quote; size: the text was no key. */
static size_t scan_value(const char *text, size_t size, size_t quote)
{
    size_t at = scan_blanks(text, size, quote + 1);
    bool is_key = at < size && text[at] == ':';
    return is_key ? scan_blanks(text, size, at + 1) : size;
}

/* A text or number that begins at `at`, and is of no more bytes than an id may
 * have with every character escaped. */
static json_t *scan_scalar(const char *text, size_t size, size_t at)
{
    size_t end = at;
    if (text[at] == '"') {
        end = scan_text_end(text, size, at + 1) + 1;
    } else {
        while (end < size && memchr("+-.0123456789eE", text[end], 15))
            end++;
    }
    bool is_whole = end < size && end - at <= 6 * RPC_ID_MAX;
    return is_whole ? json_loadb(text + at, end - at, JSON_DECODE_ANY, NULL)
                    : NULL;
}

/* Only a request's own id counts, which is a member of the outermost object:
 * an argument may be called "id", too. */
json_t *rpc_scan_id(const char *text, size_t size)
{
    static const char key[] = "\"id\"";
    size_t first = scan_blanks(text, size, 0);
    uint32_t depth = 0;
    if (first == size || text[first] != '{')
        return NULL;
    for (size_t i = first; i < size; i++) {
        depth += scan_opens(text[i]);
        if (scan_closes(text[i]) && --depth == 0)
            break;
        if (text[i] != '"')
            continue;
        size_t quote = scan_text_end(text, size, i + 1);
        bool is_id = depth == 1 && quote < size && quote - i == 3 &&
                     memcmp(text + i, key, sizeof key - 1) == 0;
        size_t value = is_id ? scan_value(text, size, quote) : size;
        if (value < size)
            return scan_scalar(text, size, value);
        i = quote;
    }
    return NULL;
}
