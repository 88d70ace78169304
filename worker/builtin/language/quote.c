/* See quote.h. */
#include "worker/builtin/language/quote.h"

#include "proto/array.h"
#include "proto/ascii.h"

#include <string.h>

/* Typographic ones are three bytes. */
static const struct {
    const char *open, *close;
} quotes[] = {{"\"", "\""},
              {"'", "'"},
              {"`", "`"},
              {"\xE2\x80\x9C", "\xE2\x80\x9D"},
              {"\xE2\x80\x98", "\xE2\x80\x99"}};

/* Where the quotation that begins at text ends; NULL: none begins there, or it
 * is empty or not closed. `ends`: what may follow a closing quote; so the
 * apostrophe in "'the cup's lid'" closes nothing. */
const char *quote_close(const char *text,
                        const char *ends,
                        const char **ret_start,
                        size_t *ret_close)
{
    for (size_t i = 0; i < COUNT_OF(quotes); i++) {
        const size_t open = strlen(quotes[i].open);
        const size_t close = strlen(quotes[i].close);
        if (strncmp(text, quotes[i].open, open) != 0)
            continue;
        for (const char *at = strstr(text + open, quotes[i].close); at;
             at = strstr(at + 1, quotes[i].close)) {
            const char next = at[close];
            const bool is_end =
                !next || ascii_is_blank(next) || strchr(ends, next);
            if (at == text + open || !is_end)
                continue;
            *ret_start = text + open;
            *ret_close = close;
            return at;
        }
    }
    return NULL;
}
