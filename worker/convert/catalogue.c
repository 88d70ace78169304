/* Java properties (ISO 8859-1 with \uXXXX) to models. Keys may come in any
 * order; the models are sorted by their numbers. */
#include "worker/convert/catalogue.h"
#include "proto/array.h"
#include "proto/utf8.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char ENTRY[] = "PluginFurnitureCatalog.properties";
enum {
    LINE_MAX_BYTES = 1 << 16
};

typedef struct parsing {
    const char *at, *end;
    char *key, *value; /* of the present line, LINE_MAX_BYTES each */
    catalogue *out;
    /* by a model's number: where it is in the list, from 1; 0: nowhere */
    uint32_t *place;
    uint32_t room;
} parsing;

/* ---- lines ---- */

/* \uXXXX of four digits; surrogate halves stay as they are and become '?' where
 * text is cleaned. */
static unsigned take_escape(parsing *p)
{
    unsigned char c = (unsigned char)*p->at++;
    unsigned code = 0;
    static const char letters[] = "ntrf", meant[] = "\n\t\r\f";
    const char *known = c ? strchr(letters, c) : NULL;
    if (c != 'u')
        return known ? meant[known - letters] : c;
    for (int i = 0; i < 4 && p->at < p->end && isxdigit((unsigned char)*p->at);
         i++, p->at++) {
        unsigned char d = (unsigned char)*p->at;
        code = code * 16 +
               (unsigned)(isdigit(d) ? d - '0' : (d | 0x20) - 'a' + 10);
    }
    return code ? code : '?';
}

/* Blanks of Java's: a line's end is none. */
static void skip_blank(parsing *p)
{
    while (p->at < p->end && *p->at && strchr(" \t\f", *p->at))
        p->at++;
}

/* At one of `stops`, or where the line ends. */
static bool parsing_is_at_stop(const parsing *p, const char *stops)
{
    if (p->at >= p->end || *p->at == '\n' || *p->at == '\r')
        return true;
    return *p->at && strchr(stops, *p->at);
}

/* Up to one of `stops` or the line's end, with escapes and continued lines
 * resolved; cut at LINE_MAX_BYTES. */
static void parsing_take_text(parsing *p, const char *stops, char *to)
{
    size_t n = 0;
    while (!parsing_is_at_stop(p, stops)) {
        unsigned code = (unsigned char)*p->at++;
        if (code == '\\' && p->at < p->end) {
            if (*p->at == '\r' || *p->at == '\n') {
                p->at +=
                    *p->at == '\r' && p->at + 1 < p->end && p->at[1] == '\n'
                        ? 2
                        : 1;
                skip_blank(p);
                continue;
            }
            code = take_escape(p);
        }
        if (n + 4 < LINE_MAX_BYTES)
            n += etna_utf8_put(code ? code : '?', to + n);
    }
    to[n] = 0;
}

/* Past blanks and empty lines; whether a comment begins there. */
static bool parsing_at_comment(parsing *p)
{
    while (p->at < p->end && isspace((unsigned char)*p->at))
        p->at++;
    return p->at < p->end && (*p->at == '#' || *p->at == '!');
}

/* The next key and value; false at the end. */
static bool next_line(parsing *p)
{
    while (parsing_at_comment(p)) {
        while (p->at < p->end && *p->at != '\n' && *p->at != '\r')
            p->at++;
    }
    if (p->at >= p->end)
        return false;
    parsing_take_text(p, "=: \t\f", p->key);
    skip_blank(p);
    if (p->at < p->end && (*p->at == '=' || *p->at == ':'))
        p->at++;
    skip_blank(p);
    parsing_take_text(p, "", p->value);
    return true;
}

/* ---- models ---- */

/* The model of that number, made at its first line. NULL: no memory. */
static catalogue_model *parsing_model(parsing *p, uint32_t index)
{
    catalogue *c = p->out;
    if (p->place[index])
        return &c->models[p->place[index] - 1];
    if (c->count == p->room) {
        uint32_t room = p->room ? 2 * p->room : 64;
        catalogue_model *grown = realloc(c->models, room * sizeof *grown);
        if (!grown)
            return NULL;
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
                           .tags = "",
                           .information = "",
                           .licence = "",
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

/* Nine numbers of at most 1 (and a thousandth): what is no rotation leaves the
 * identity. */
static void take_rotation(const char *value, double rotation[9])
{
    double r[9];
    for (int i = 0; i < 9; i++) {
        char *end;
        r[i] = strtod(value, &end);
        if (end == value || !(fabs(r[i]) <= 1.001))
            return;
        value = end;
    }
    memcpy(rotation, r, sizeof r);
}

/* False: out of memory. */
static bool take_text_of(parsing *p, const char **to)
{
    const char *copy = etna_arena_strdup(&p->out->arena, p->value);
    if (copy)
        *to = copy;
    return copy != NULL;
}

/* The first size that is wrong is kept as the model's fault; a library of a
 * thousand models is not refused for one. */
static bool take_size(parsing *p, const char *key, catalogue_model *m)
{
    static const char *const sizes[] = {"width", "height", "depth"};
    for (int k = 0; k < 3; k++) {
        if (strcmp(key, sizes[k]) != 0)
            continue;
        m->size[k] = catalogue_metres(p->value);
        if (m->size[k] > 0 || m->fault)
            continue;
        m->fault = etna_arena_printf(&p->out->arena, "its %s is \"%.20s\"", key,
                                     p->value);
        return m->fault != NULL;
    }
    return true;
}

/* Zero for what is no height. */
static double catalogue_height(const char *value)
{
    double v = strtod(value, NULL) / 100;
    return v > 0 && v < 1e3 ? v : 0;
}

/* How it stands where it is put: movable, in a wall, above the floor. */
static void take_place(const char *key, const char *value, catalogue_model *m)
{
    bool yes = strcasecmp(value, "true") == 0;
    if (strcmp(key, "movable") == 0)
        m->movable = strcasecmp(value, "false") != 0;
    if (strcmp(key, "doorOrWindow") == 0)
        m->is_opening = yes;
    if (strcmp(key, "elevation") == 0)
        m->elevation = catalogue_height(value);
    if (strcmp(key, "dropOnTopElevation") == 0)
        m->top = catalogue_height(value);
    if (strncmp(key, "lightSource", 11) == 0)
        m->is_light = true;
}

/* Unknown keys are passed over: libraries have many of their own. */
static bool take_property(parsing *p, const char *key, catalogue_model *m)
{
    const struct {
        const char *key, **to;
    } texts[] = {{"id", &m->id},
                 {"name", &m->name},
                 {"category", &m->category},
                 {"creator", &m->creator},
                 {"license", &m->licence},
                 {"tags", &m->tags},
                 {"information", &m->information}};
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        if (strcmp(key, texts[i].key) == 0)
            return take_text_of(p, texts[i].to);
    }
    if (!take_size(p, key, m))
        return false;
    take_place(key, p->value, m);
    if (strcmp(key, "modelRotation") == 0)
        take_rotation(p->value, m->rotation);
    if (strcmp(key, "model") != 0)
        return true;
    while (p->value[0] == '/')
        memmove(p->value, p->value + 1, strlen(p->value));
    return take_text_of(p, &m->path);
}

/* "key#12" is of model 12; a key without a number is of the library. */
static etna_code take_line(parsing *p, etna_error *err)
{
    char *number = strrchr(p->key, '#');
    char *end = NULL;
    bool ok = true;
    if (!number) {
        if (strcmp(p->key, "name") == 0)
            ok = take_text_of(p, &p->out->name);
        if (strcmp(p->key, "license") == 0)
            ok = take_text_of(p, &p->out->licence);
        return ok ? ETNA_OK
                  : etna_fail(err, ETNA_E_NOMEM, "no memory for the catalogue");
    }
    unsigned long index = strtoul(number + 1, &end, 10);
    bool is_number = isdigit((unsigned char)number[1]) && !*end;
    if (!is_number || index == 0 || index > CATALOGUE_MODELS_MAX)
        return ETNA_OK; /* "#-1": left out */
    *number = 0;
    catalogue_model *m = parsing_model(p, (uint32_t)index);
    ok = m && take_property(p, p->key, m);
    return ok ? ETNA_OK
              : etna_fail(err, ETNA_E_NOMEM, "no memory for the catalogue");
}

/* Numbers are unique. */
static int by_index(const void *a, const void *b)
{
    uint32_t x = ((const catalogue_model *)a)->index;
    uint32_t y = ((const catalogue_model *)b)->index;
    return (x > y) - (x < y);
}

/* Leaves out numbers without a model (comments of the maker's). */
static void catalogue_settle(catalogue *c)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        if (c->models[i].path[0])
            c->models[kept++] = c->models[i];
    }
    c->count = kept;
    if (kept)
        qsort(c->models, kept, sizeof *c->models, by_index);
}

/* All numbers that the text has, also those without a model. */
static etna_code catalogue_take(const char *text,
                                size_t size,
                                catalogue *ret,
                                etna_error *err)
{
    catalogue c = {.name = "", .licence = ""};
    parsing p = {.at = text,
                 .end = text + size,
                 .key = malloc(LINE_MAX_BYTES),
                 .value = malloc(LINE_MAX_BYTES),
                 .place = calloc(CATALOGUE_MODELS_MAX + 1, sizeof *p.place),
                 .out = &c};
    etna_code code =
        p.key && p.value && p.place
            ? ETNA_OK
            : etna_fail(err, ETNA_E_NOMEM, "no memory for the catalogue");
    while (code == ETNA_OK && next_line(&p))
        code = take_line(&p, err);
    free(p.key);
    free(p.value);
    free(p.place);
    if (code != ETNA_OK) {
        catalogue_free(&c);
        return code;
    }
    *ret = c;
    return ETNA_OK;
}

/* A catalogue that lists nothing is refused: it is something else. */
etna_code catalogue_parse(const char *text,
                          size_t size,
                          catalogue *ret,
                          etna_error *err)
{
    catalogue c = {.name = ""};
    etna_code code = catalogue_take(text, size, &c, err);
    if (code != ETNA_OK)
        return code;
    catalogue_settle(&c);
    if (!c.count) {
        catalogue_free(&c);
        return etna_fail(err, ETNA_E_INPUT, "%s lists no model", ENTRY);
    }
    *ret = c;
    return ETNA_OK;
}

/* In the English of its own file; catalogue_read_words adds the others. */
etna_code catalogue_read(archive *a, catalogue *ret, etna_error *err)
{
    uint8_t *text;
    size_t size;
    etna_code code = archive_read(a, ENTRY, &text, &size, err);
    if (code == ETNA_E_NOTFOUND) {
        return etna_fail(
            err, ETNA_E_INPUT,
            "the archive has no %s: it is no furniture library of Sweet Home 3D",
            ENTRY);
    }
    if (code != ETNA_OK)
        return code;
    code = catalogue_parse((const char *)text, size, ret, err);
    free(text);
    return code;
}

/* NULL is fine. */
void catalogue_free(catalogue *c)
{
    if (!c)
        return;
    free(c->models);
    free(c->words);
    etna_arena_free(&c->arena);
    *c = (catalogue){.name = ""};
}

/* ---- other languages ---- */

/* By its number; NULL: none. */
static catalogue_model *catalogue_model_of(const catalogue *c, uint32_t index)
{
    uint32_t low = 0;
    uint32_t high = c->count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (c->models[middle].index < index)
            low = middle + 1;
        else
            high = middle;
    }
    return low < c->count && c->models[low].index == index ? &c->models[low]
                                                           : NULL;
}

/* Words of models that the catalogue does not have are passed over. */
static etna_code catalogue_words_add(catalogue *c,
                                     const char *language,
                                     const catalogue_model *said,
                                     etna_error *err)
{
    if (!catalogue_model_of(c, said->index) || !said->name[0])
        return ETNA_OK;
    if (c->words_count == c->words_room) {
        uint32_t room = c->words_room ? 2 * c->words_room : 256;
        catalogue_words *grown = realloc(c->words, room * sizeof *grown);
        if (!grown)
            return etna_fail(err, ETNA_E_NOMEM, "no memory for the catalogue");
        c->words = grown;
        c->words_room = room;
    }
    catalogue_words w = {.index = said->index,
                         .language = etna_arena_strdup(&c->arena, language),
                         .name = etna_arena_strdup(&c->arena, said->name),
                         .tags = etna_arena_strdup(&c->arena, said->tags),
                         .category =
                             etna_arena_strdup(&c->arena, said->category)};
    bool has_names = w.language && w.name;
    if (!has_names || !w.tags || !w.category)
        return etna_fail(err, ETNA_E_NOMEM, "no memory for the catalogue");
    c->words[c->words_count++] = w;
    return ETNA_OK;
}

/* A model's words stand together. */
static int words_order(const void *a, const void *b)
{
    const catalogue_words *x = a, *y = b;
    if (x->index != y->index)
        return x->index < y->index ? -1 : 1;
    return strcmp(x->language, y->language);
}

/* "de" of "PluginFurnitureCatalog_de.properties"; false for any other name, and
 * for English, which is the catalogue's own. */
static bool language_of(const char *name, char to[16])
{
    static const char begin[] = "PluginFurnitureCatalog_",
                      end[] = ".properties";
    size_t from = sizeof begin - 1;
    size_t length = strlen(name);
    if (strncmp(name, begin, from) != 0 || length < from + sizeof end)
        return false;
    size_t n = length - from - (sizeof end - 1);
    if (strcmp(name + from + n, end) != 0 || n >= 16)
        return false;
    memcpy(to, name + from, n);
    to[n] = 0;
    bool is_plain =
        strspn(to, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_") ==
        n;
    return is_plain && strncmp(to, "en", 2) != 0;
}

/* A language that cannot be read is left out: only finding by its words
 * suffers. */
static etna_code language_read(archive *a,
                               const char *entry,
                               const char *language,
                               catalogue *c,
                               etna_error *err)
{
    uint8_t *text = NULL;
    size_t size = 0;
    catalogue said = {.name = ""};
    if (archive_read(a, entry, &text, &size, NULL) != ETNA_OK)
        return ETNA_OK;
    etna_code code = catalogue_take((const char *)text, size, &said, err);
    for (uint32_t i = 0; code == ETNA_OK && i < said.count; i++)
        code = catalogue_words_add(c, language, &said.models[i], err);
    catalogue_free(&said);
    free(text);
    return code;
}

/* On failure of memory alone; the models then have the words that were read. */
etna_code catalogue_read_words(archive *a, catalogue *c, etna_error *err)
{
    etna_code code = ETNA_OK;
    uint32_t entries = archive_count(a);
    for (uint32_t i = 0; code == ETNA_OK && i < entries; i++) {
        const char *entry = archive_name(a, i);
        char language[16];
        if (language_of(entry, language))
            code = language_read(a, entry, language, c, err);
    }
    if (c->words_count)
        qsort(c->words, c->words_count, sizeof *c->words, words_order);
    for (uint32_t i = 0; i < c->words_count; i++) {
        catalogue_model *m = catalogue_model_of(c, c->words[i].index);
        if (!m->word_count++)
            m->first_words = i;
    }
    return code;
}

/* ---- looking up ---- */

/* By the whole id, or by what stands behind its '#'. */
static bool has_id(const catalogue_model *m, const char *wanted)
{
    const char *tail = strrchr(m->id, '#');
    if (!m->id[0])
        return false;
    return strcmp(m->id, wanted) == 0 ||
           (tail && strcmp(tail + 1, wanted) == 0);
}

/* Lists their numbers, as far as there is room. */
static etna_code catalogue_refuse_several(const catalogue *c,
                                          const char *wanted,
                                          uint32_t count,
                                          etna_error *err)
{
    char list[200] = "";
    size_t n = 0;
    for (uint32_t i = 0; i < c->count && n + 16 < sizeof list; i++) {
        if (strcasecmp(c->models[i].name, wanted) != 0)
            continue;
        n += (size_t)snprintf(list + n, sizeof list - n, "%s#%u", n ? ", " : "",
                              c->models[i].index);
    }
    return etna_fail(err, ETNA_E_INPUT,
                     "%u models are named \"%.80s\": %s; take a number", count,
                     wanted, list);
}

/* A number, an id or a name, in this order; names in any case. */
etna_code catalogue_find(const catalogue *c,
                         const char *wanted,
                         const catalogue_model **ret,
                         etna_error *err)
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
    if (count > 1)
        return catalogue_refuse_several(c, wanted, count, err);
    if (!named) {
        return etna_fail(
            err, ETNA_E_INPUT,
            "the library has no model \"%.100s\"; `etna scene info LIBRARY` lists its %u models",
            wanted, c->count);
    }
    *ret = named;
    return ETNA_OK;
}

/* Sizes as width, depth, height: the catalogue's own order is width, height,
 * depth. */
json_t *catalogue_json(const catalogue *c)
{
    json_t *models = json_array();
    for (uint32_t i = 0; i < c->count; i++) {
        const catalogue_model *m = &c->models[i];
        json_array_append_new(
            models, json_pack("{s:I, s:s, s:s, s:s, s:[f,f,f], s:b, s:s}",
                              "index", (json_int_t)m->index, "id", m->id,
                              "name", m->name, "category", m->category, "size",
                              m->size[0], m->size[2], m->size[1], "movable",
                              m->movable, "creator", m->creator));
    }
    return json_pack("{s:s, s:s, s:o}", "name", c->name, "licence", c->licence,
                     "models", models);
}

/* By language: name, tags, category. */
static json_t *catalogue_words_json(const catalogue *c,
                                    const catalogue_model *m)
{
    json_t *all = json_object();
    for (uint32_t i = 0; i < m->word_count; i++) {
        const catalogue_words *w = &c->words[m->first_words + i];
        json_object_set_new(
            all, w->language,
            json_pack("[s,s,s]", w->name, w->tags, w->category));
    }
    return all;
}

/* For the index of assets. NULL: out of memory. */
json_t *catalogue_json_whole(const catalogue *c)
{
    json_t *whole = catalogue_json(c);
    json_t *row;
    size_t i;
    json_array_foreach(json_object_get(whole, "models"), i, row)
    {
        const catalogue_model *m = &c->models[i];
        json_t *more = json_pack(
            "{s:s, s:s, s:s, s:s, s:s?, s:f, s:f, s:b, s:b, s:o}", "tags",
            m->tags, "information", m->information, "licence", m->licence,
            "path", m->path, "fault", m->fault, "elevation", m->elevation,
            "top", m->top, "opening", m->is_opening, "light", m->is_light,
            "words", catalogue_words_json(c, m));
        bool is_whole = more && json_object_update(row, more) == 0;
        json_decref(more);
        if (is_whole)
            continue;
        json_decref(whole);
        return NULL;
    }
    return whole;
}
