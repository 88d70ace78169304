/* Java properties (ISO 8859-1 with \uXXXX) to models. Keys may come in any order; the models are sorted by their
 * numbers. */
#include "worker/convert/catalogue.h"
#include "proto/utf8.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char ENTRY[] = "PluginFurnitureCatalog.properties";
enum { LINE_MAX_BYTES = 1 << 16 };

typedef struct parsing {
    const char *at, *end;
    char *key, *value; /* of the present line, LINE_MAX_BYTES each */
    catalogue *out;
    uint32_t *place; /* by a model's number: where it is in the list, from 1; 0: nowhere */
    uint32_t room;
} parsing;

/* ---- lines ---- */

static unsigned take_escape(parsing *p)
{
    unsigned char c = (unsigned char)*p->at++;
    unsigned code = 0;
    static const char letters[] = "ntrf", meant[] = "\n\t\r\f";
    const char *known = c ? strchr(letters, c) : NULL;
    if (c != 'u') return known ? meant[known - letters] : c;
    for (int i = 0; i < 4 && p->at < p->end && isxdigit((unsigned char)*p->at); i++, p->at++) {
        unsigned char d = (unsigned char)*p->at;
        code = code * 16 + (unsigned)(isdigit(d) ? d - '0' : (d | 0x20) - 'a' + 10);
    }
    return code ? code : '?';
}

static void skip_blank(parsing *p)
{
    while (p->at < p->end && *p->at && strchr(" \t\f", *p->at)) p->at++;
}

static bool parsing_is_at_stop(const parsing *p, const char *stops)
{
    if (p->at >= p->end || *p->at == '\n' || *p->at == '\r') return true;
    return *p->at && strchr(stops, *p->at);
}

/* Up to one of `stops` or the line's end, with escapes and continued lines resolved; cut at LINE_MAX_BYTES. */
static void parsing_take_text(parsing *p, const char *stops, char *to)
{
    size_t n = 0;
    while (!parsing_is_at_stop(p, stops)) {
        unsigned code = (unsigned char)*p->at++;
        if (code == '\\' && p->at < p->end) {
            if (*p->at == '\r' || *p->at == '\n') {
                p->at += *p->at == '\r' && p->at + 1 < p->end && p->at[1] == '\n' ? 2 : 1;
                skip_blank(p);
                continue;
            }
            code = take_escape(p);
        }
        if (n + 4 < LINE_MAX_BYTES) n += etna_utf8_put(code ? code : '?', to + n);
    }
    to[n] = 0;
}

/* The next key and value; false at the end. */
static bool next_line(parsing *p)
{
    for (;;) {
        while (p->at < p->end && isspace((unsigned char)*p->at)) p->at++;
        if (p->at >= p->end) return false;
        if (*p->at != '#' && *p->at != '!') break;
        while (p->at < p->end && *p->at != '\n' && *p->at != '\r') p->at++;
    }
    parsing_take_text(p, "=: \t\f", p->key);
    skip_blank(p);
    if (p->at < p->end && (*p->at == '=' || *p->at == ':')) p->at++;
    skip_blank(p);
    parsing_take_text(p, "", p->value);
    return true;
}

/* ---- models ---- */

static catalogue_model *parsing_model(parsing *p, uint32_t index)
{
    catalogue *c = p->out;
    if (p->place[index]) return &c->models[p->place[index] - 1];
    if (c->count == p->room) {
        uint32_t room = p->room ? 2 * p->room : 64;
        catalogue_model *grown = realloc(c->models, room * sizeof *grown);
        if (!grown) return NULL;
        c->models = grown;
        p->room = room;
    }
    catalogue_model *m = &c->models[c->count++];
    p->place[index] = c->count;
    *m = (catalogue_model){.index = index,
                           .id = "",
                           .name = "",
                           .category = "",
                           .creator = "",
                           .path = "",
                           .rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                           .movable = true};
    return m;
}

/* Centimetres of the catalogue; what is no size is unsaid. */
static double catalogue_metres(const char *value)
{
    double v = strtod(value, NULL) / 100;
    return v > 1e-6 && v < 1e4 ? v : 0;
}

static void take_rotation(const char *value, double rotation[9])
{
    double r[9];
    for (int i = 0; i < 9; i++) {
        char *end;
        r[i] = strtod(value, &end);
        if (end == value || !(fabs(r[i]) <= 1.001)) return;
        value = end;
    }
    memcpy(rotation, r, sizeof r);
}

static bool take_text_of(parsing *p, const char **to)
{
    const char *copy = etna_arena_strdup(&p->out->arena, p->value);
    if (copy) *to = copy;
    return copy != NULL;
}

static bool take_property(parsing *p, const char *key, catalogue_model *m)
{
    static const char *const sizes[] = {"width", "height", "depth"};
    for (int k = 0; k < 3; k++) {
        if (strcmp(key, sizes[k]) == 0) m->size[k] = catalogue_metres(p->value);
    }
    if (strcmp(key, "id") == 0) return take_text_of(p, &m->id);
    if (strcmp(key, "name") == 0) return take_text_of(p, &m->name);
    if (strcmp(key, "category") == 0) return take_text_of(p, &m->category);
    if (strcmp(key, "creator") == 0) return take_text_of(p, &m->creator);
    if (strcmp(key, "movable") == 0) m->movable = strcasecmp(p->value, "false") != 0;
    if (strcmp(key, "modelRotation") == 0) take_rotation(p->value, m->rotation);
    if (strcmp(key, "model") != 0) return true;
    while (p->value[0] == '/') memmove(p->value, p->value + 1, strlen(p->value));
    return take_text_of(p, &m->path);
}

static etna_code take_line(parsing *p, etna_error *err)
{
    char *number = strrchr(p->key, '#'), *end = NULL;
    bool ok = true;
    if (!number) {
        if (strcmp(p->key, "name") == 0) ok = take_text_of(p, &p->out->name);
        if (strcmp(p->key, "license") == 0) ok = take_text_of(p, &p->out->licence);
        return ok ? ETNA_OK : etna_fail(err, ETNA_E_NOMEM, "no memory for the catalogue");
    }
    unsigned long index = strtoul(number + 1, &end, 10);
    bool is_number = isdigit((unsigned char)number[1]) && !*end;
    if (!is_number || index == 0 || index > CATALOGUE_MODELS_MAX) return ETNA_OK; /* "#-1": left out */
    *number = 0;
    catalogue_model *m = parsing_model(p, (uint32_t)index);
    ok = m && take_property(p, p->key, m);
    return ok ? ETNA_OK : etna_fail(err, ETNA_E_NOMEM, "no memory for the catalogue");
}

static int by_index(const void *a, const void *b)
{
    uint32_t x = ((const catalogue_model *)a)->index, y = ((const catalogue_model *)b)->index;
    return (x > y) - (x < y);
}

/* Leaves out numbers without a model (comments of the maker's). */
static void catalogue_settle(catalogue *c)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        if (c->models[i].path[0]) c->models[kept++] = c->models[i];
    }
    c->count = kept;
    if (kept) qsort(c->models, kept, sizeof *c->models, by_index);
}

etna_code catalogue_parse(const char *text, size_t size, catalogue *ret, etna_error *err)
{
    catalogue c = {.name = "", .licence = ""};
    parsing p = {.at = text,
                 .end = text + size,
                 .key = malloc(LINE_MAX_BYTES),
                 .value = malloc(LINE_MAX_BYTES),
                 .place = calloc(CATALOGUE_MODELS_MAX + 1, sizeof *p.place),
                 .out = &c};
    etna_code code =
        p.key && p.value && p.place ? ETNA_OK : etna_fail(err, ETNA_E_NOMEM, "no memory for the catalogue");
    while (code == ETNA_OK && next_line(&p)) code = take_line(&p, err);
    free(p.key);
    free(p.value);
    free(p.place);
    catalogue_settle(&c);
    if (code == ETNA_OK && !c.count) code = etna_fail(err, ETNA_E_INPUT, "%s lists no model", ENTRY);
    if (code != ETNA_OK) {
        catalogue_free(&c);
        return code;
    }
    *ret = c;
    return ETNA_OK;
}

etna_code catalogue_read(archive *a, catalogue *ret, etna_error *err)
{
    uint8_t *text;
    size_t size;
    etna_code code = archive_read(a, ENTRY, &text, &size, err);
    if (code == ETNA_E_NOTFOUND) {
        return etna_fail(err, ETNA_E_INPUT, "the archive has no %s: it is no furniture library of Sweet Home 3D",
                         ENTRY);
    }
    if (code != ETNA_OK) return code;
    code = catalogue_parse((const char *)text, size, ret, err);
    free(text);
    return code;
}

void catalogue_free(catalogue *c)
{
    if (!c) return;
    free(c->models);
    etna_arena_free(&c->arena);
    *c = (catalogue){.name = ""};
}

/* ---- looking up ---- */

static bool has_id(const catalogue_model *m, const char *wanted)
{
    const char *tail = strrchr(m->id, '#');
    if (!m->id[0]) return false;
    return strcmp(m->id, wanted) == 0 || (tail && strcmp(tail + 1, wanted) == 0);
}

static etna_code catalogue_refuse_several(const catalogue *c, const char *wanted, uint32_t count, etna_error *err)
{
    char list[200] = "";
    size_t n = 0;
    for (uint32_t i = 0; i < c->count && n + 16 < sizeof list; i++) {
        if (strcasecmp(c->models[i].name, wanted) != 0) continue;
        n += (size_t)snprintf(list + n, sizeof list - n, "%s#%u", n ? ", " : "", c->models[i].index);
    }
    return etna_fail(err, ETNA_E_INPUT, "%u models are named \"%.80s\": %s; take a number", count, wanted, list);
}

etna_code catalogue_find(const catalogue *c, const char *wanted, const catalogue_model **ret, etna_error *err)
{
    char *end;
    unsigned long index = strtoul(wanted, &end, 10);
    bool number = isdigit((unsigned char)wanted[0]) && !*end;
    const catalogue_model *named = NULL;
    uint32_t count = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        const catalogue_model *m = &c->models[i];
        if ((number && m->index == index) || has_id(m, wanted)) {
            *ret = m;
            return ETNA_OK;
        }
        if (strcasecmp(m->name, wanted) == 0) {
            named = m;
            count++;
        }
    }
    if (count > 1) return catalogue_refuse_several(c, wanted, count, err);
    if (!named) {
        return etna_fail(err, ETNA_E_INPUT,
                         "the library has no model \"%.100s\"; `etna scene info LIBRARY` lists its %u models", wanted,
                         c->count);
    }
    *ret = named;
    return ETNA_OK;
}

json_t *catalogue_json(const catalogue *c)
{
    json_t *models = json_array();
    for (uint32_t i = 0; i < c->count; i++) {
        const catalogue_model *m = &c->models[i];
        json_array_append_new(models,
                              json_pack("{s:I, s:s, s:s, s:s, s:[f,f,f], s:b, s:s}", "index", (json_int_t)m->index,
                                        "id", m->id, "name", m->name, "category", m->category, "size", m->size[0],
                                        m->size[2], m->size[1], "movable", m->movable, "creator", m->creator));
    }
    return json_pack("{s:s, s:s, s:o}", "name", c->name, "licence", c->licence, "models", models);
}
