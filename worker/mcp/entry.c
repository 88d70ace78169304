/* See entry.h. Jansson says whether the text is JSON; where the entry goes is
 * found in the text itself, so that numbers, order and spacing of all else
 * stay; and in the end the new text is read again and held against the old. */
#include "worker/mcp/entry.h"
#include "proto/array.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const entry_client clients[] = {
    {"claude-desktop", "Claude Desktop", "$/Claude/claude_desktop_config.json",
     "mcpServers", false},
    {"claude-code", "Claude Code", "~/.claude.json", "mcpServers", true},
    {"cursor", "Cursor", "~/.cursor/mcp.json", "mcpServers", false},
    {"vscode", "VS Code", "$/Code/User/mcp.json", "servers", true}};

const entry_client *entry_find_client(const char *name)
{
    for (size_t i = 0; i < COUNT_OF(clients); i++) {
        if (strcmp(clients[i].name, name) == 0)
            return &clients[i];
    }
    return NULL;
}

const char *entry_client_names(void)
{
    return "claude-desktop, claude-code, cursor or vscode";
}

json_t *entry_make(const entry_client *client,
                   const char *command,
                   const json_t *args)
{
    json_t *entry = json_object();
    if (client->has_type)
        json_object_set_new(entry, "type", json_string("stdio"));
    bool good =
        json_object_set_new(entry, "command", json_string(command)) == 0 &&
        json_object_set_new(entry, "args", json_deep_copy(args)) == 0;
    if (good)
        return entry;
    json_decref(entry);
    return NULL;
}

/* Ends with a newline, as editors write files. */
char *entry_document(const entry_client *client,
                     const char *server,
                     const json_t *entry)
{
    json_t *whole = json_pack("{s:{s:O}}", client->key, server, entry);
    char *text = whole ? json_dumps(whole, JSON_INDENT(2)) : NULL;
    char *ended = NULL;
    if (text && asprintf(&ended, "%s\n", text) < 0)
        ended = NULL;
    free(text);
    json_decref(whole);
    return ended;
}

/* ---- where things stand in a text that is known to be JSON ---- */

typedef struct span {
    size_t begin, end;
} span;

static size_t skip_space(const char *text, size_t at)
{
    return at + strspn(text + at, " \t\r\n");
}

static size_t skip_string(const char *text, size_t at)
{
    at++;
    while (text[at] && text[at] != '"')
        at += text[at] == '\\' && text[at + 1] ? 2 : 1;
    return text[at] ? at + 1 : at;
}

/* Brackets are only counted, not matched by kind: Jansson has read the text
 * before and found it well formed. */
static size_t skip_value(const char *text, size_t at)
{
    size_t depth = 0;
    do {
        char c = text[at];
        if (!c)
            return at;
        if (c == '"') {
            at = skip_string(text, at);
        } else if (strchr("{[", c)) {
            depth++;
            at++;
        } else if (strchr("}]", c)) {
            depth--;
            at++;
        } else if (depth) {
            at++;
        } else {
            return at + strcspn(text + at, " \t\r\n,]}");
        }
    } while (depth);
    return at;
}

/* The value of `key` in the object that opens at `at`. */
static bool entry_member_find(const char *text,
                              size_t at,
                              const char *key,
                              span *ret)
{
    size_t length = strlen(key);
    at = skip_space(text, at + 1);
    while (text[at] == '"') {
        size_t name = at + 1;
        size_t name_end = skip_string(text, at) - 1;
        at = skip_space(text, name_end + 1);
        span value = {skip_space(text, at + 1), 0};
        value.end = skip_value(text, value.begin);
        if (name_end - name == length &&
            strncmp(text + name, key, length) == 0) {
            *ret = value;
            return true;
        }
        at = skip_space(text, value.end);
        if (text[at] == ',')
            at = skip_space(text, at + 1);
    }
    return false;
}

/* The lengths are those of a configuration file, far below what an int
 * holds. */
static char *text_replace(const char *text, span old, const char *fresh)
{
    char *made = NULL;
    return asprintf(&made, "%.*s%s%s", (int)old.begin, text, fresh,
                    text + old.end) < 0
               ? NULL
               : made;
}

/* JSON on lines of its own, `depth` levels in. */
static char *value_indent(const json_t *value, int depth)
{
    char *plain = json_dumps(value, JSON_INDENT(2));
    char *made = NULL;
    size_t lines = 0, used = 0;
    for (const char *c = plain; c && *c; c++)
        lines += *c == '\n';
    if (plain)
        made = malloc(strlen(plain) + lines * 2 * (size_t)depth + 1);
    for (const char *c = plain; made && *c; c++) {
        made[used++] = *c;
        for (int i = 0; *c == '\n' && i < 2 * depth; i++)
            made[used++] = ' ';
    }
    if (made)
        made[used] = 0;
    free(plain);
    return made;
}

/* A first member for the object that opens at `at`. In front of the other
 * members, where the comma is the easy one: behind the new member, and none in
 * an empty object. `depth` is the level of the member. */
static char *text_insert(const char *text,
                         size_t at,
                         const char *key,
                         const json_t *value,
                         int depth)
{
    char *words = value_indent(value, depth);
    char *member = NULL;
    char *made = NULL;
    bool is_empty = text[skip_space(text, at + 1)] == '}';
    span here = {at + 1, is_empty ? skip_space(text, at + 1) : at + 1};
    const char *then = is_empty ? "\n" : ",";
    int indent = is_empty ? 2 * depth - 2 : 0;
    int wrote = -1;
    if (words)
        wrote = asprintf(&member, "\n%*s\"%s\": %s%s%*s", 2 * depth, "", key,
                         words, then, indent, "");
    if (wrote >= 0)
        made = text_replace(text, here, member);
    if (wrote >= 0)
        free(member);
    free(words);
    return made;
}

/* Three cases: no list of servers yet, ours is in the list, or the list has
 * others only. */
static char *text_splice(const entry_client *client,
                         const char *server,
                         const json_t *entry,
                         const char *text)
{
    span servers, old;
    size_t root = skip_space(text, 0);
    char *made = NULL;
    if (!entry_member_find(text, root, client->key, &servers)) {
        json_t *all = json_pack("{s:O}", server, entry);
        made = all ? text_insert(text, root, client->key, all, 1) : NULL;
        json_decref(all);
    } else if (entry_member_find(text, servers.begin, server, &old)) {
        char *words = value_indent(entry, 2);
        made = words ? text_replace(text, old, words) : NULL;
        free(words);
    } else {
        made = text_insert(text, servers.begin, server, entry, 2);
    }
    return made;
}

/* ---- the whole ---- */

/* `before` with the entry is what `after` says. */
static bool entry_is_as_meant(const entry_client *client,
                              const char *server,
                              const json_t *entry,
                              const json_t *before,
                              const char *after)
{
    json_t *read = json_loads(after, JSON_REJECT_DUPLICATES, NULL);
    json_t *wanted = json_deep_copy(before);
    if (wanted && !json_object_get(wanted, client->key))
        json_object_set_new(wanted, client->key, json_object());
    json_t *servers = json_object_get(wanted, client->key);
    bool same =
        servers &&
        json_object_set(servers, server, (json_t *)(uintptr_t)entry) == 0 &&
        json_equal(read, wanted);
    json_decref(read);
    json_decref(wanted);
    return same;
}

/* The text is written by our own scanner, so it is not believed: the result is
 * parsed and compared with what Jansson makes of the same edit. A user's
 * configuration is never replaced by a guess. */
static etna_code entry_put_into(const entry_client *client,
                                const char *server,
                                json_t *entry,
                                const json_t *root,
                                const char *text,
                                char **ret_text,
                                entry_change *ret_change,
                                etna_error *err)
{
    const json_t *servers = json_object_get(root, client->key);
    if (!json_is_object(root))
        return etna_fail(err, ETNA_E_INPUT, "it holds no object");
    if (servers && !json_is_object(servers))
        return etna_fail(err, ETNA_E_INPUT, "its \"%s\" is no object",
                         client->key);
    const json_t *old = json_object_get(servers, server);
    char *made = text_splice(client, server, entry, text);
    if (!made)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory");
    if (!entry_is_as_meant(client, server, entry, root, made)) {
        free(made);
        return etna_fail(
            err, ETNA_E_INPUT,
            "it is written in a way in which the entry can't be put safely");
    }
    *ret_change = !old ? ENTRY_ADDED : ENTRY_REPLACED;
    if (old && json_equal(old, entry))
        *ret_change = ENTRY_SAME;
    *ret_text = made;
    return ETNA_OK;
}

etna_code entry_put(const entry_client *client,
                    const char *server,
                    const json_t *entry,
                    const char *text,
                    size_t size,
                    char **ret_text,
                    entry_change *ret_change,
                    etna_error *err)
{
    json_error_t where;
    if (strspn(text, " \t\r\n") == size) { /* no file, or an empty one */
        char *made = entry_document(client, server, entry);
        if (!made)
            return etna_fail(err, ETNA_E_NOMEM, "out of memory");
        *ret_text = made;
        *ret_change = ENTRY_ADDED;
        return ETNA_OK;
    }
    json_t *root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &where);
    if (!root)
        return etna_fail(err, ETNA_E_INPUT,
                         "it can't be read as JSON: line %d: %.120s",
                         where.line, where.text);
    json_t *kept = json_deep_copy(entry);
    etna_code code = kept ? entry_put_into(client, server, kept, root, text,
                                           ret_text, ret_change, err)
                          : etna_fail(err, ETNA_E_NOMEM, "out of memory");
    json_decref(kept);
    json_decref(root);
    return code;
}
