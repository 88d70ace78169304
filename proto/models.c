/* models.yaml and its canonical JSON, read by one reader: YAML becomes a JSON
 * tree first (models_yaml.c), so that there is one set of fields, bounds and
 * complaints.
 *
 * A table per object (endpoint_fields, model_fields, ...) names every key, its
 * type and its bounds; keys that are in no table are refused, as a misspelt
 * limit would be no limit. The same tables write the list again (models_cut),
 * cut down to the models that a run can call: that text travels with the run
 * and is what its workers see. Keys of endpoints are never in it, only the
 * names of files and variables that hold them. */
#include "proto/models.h"

#include "proto/arrange.h"
#include "proto/array.h"
#include "proto/models_internal.h"

#include <jansson.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    NAME_MAX_BYTES = 128,
    TEXT_MAX_BYTES = 2048
};

static const char *const wire_names[MODELS_WIRE_COUNT] = {
    [MODELS_BUILTIN] = "builtin",
    [MODELS_CHAT] = "chat",
    [MODELS_RESPONSES] = "responses",
    [MODELS_GEMINI] = "gemini",
    [MODELS_ANTHROPIC] = "anthropic"};

/* A list under way; `where` is what errors begin with. */
typedef struct reader {
    etna_arena *arena;
    etna_error *err;
    char where[NAME_MAX_BYTES * 2 + 64]; /* "models: gpt" */
} reader;

typedef enum field_kind {
    FIELD_TEXT = 1,
    FIELD_U32,
    FIELD_U64,
    FIELD_OWN
} field_kind;
typedef struct field { /* OWN: known, read elsewhere */
    const char *name;
    field_kind kind;
    size_t offset;
    uint64_t least, most;
} field;

static etna_code models_no_memory(const reader *r)
{
    return etna_fail(r->err, ETNA_E_NOMEM,
                     "out of memory while reading the list of models");
}

/* The one shape of a complaint. `wanted` goes on after "must be". */
static etna_code models_wrong(const reader *r,
                              const char *name,
                              const char *wanted)
{
    return etna_fail(r->err, ETNA_E_USAGE,
                     "list of models, %s: \"%.80s\" must be %s", r->where, name,
                     wanted);
}

/* Not empty, at most `most` bytes, and nothing that would end a line. */
static bool models_is_text(const json_t *value, size_t most)
{
    if (!json_is_string(value) || json_string_length(value) == 0 ||
        json_string_length(value) > most)
        return false;
    const char *text = json_string_value(value);
    for (const char *c = text; *c; c++) {
        if ((unsigned char)*c < 0x20 || *c == 0x7f)
            return false; /* a header or a terminal would obey it */
    }
    return strlen(text) == json_string_length(value);
}

/* `base` + offset is where the number goes. */
static etna_code models_read_number(const reader *r,
                                    const field *f,
                                    const json_t *value,
                                    char *base)
{
    char wanted[96];
    snprintf(wanted, sizeof wanted, "a whole number from %llu to %llu",
             (unsigned long long)f->least, (unsigned long long)f->most);
    if (!json_is_integer(value) || json_integer_value(value) < 0)
        return models_wrong(r, f->name, wanted);
    uint64_t number = (uint64_t)json_integer_value(value);
    if (number < f->least || number > f->most)
        return models_wrong(r, f->name, wanted);
    if (f->kind == FIELD_U32) {
        *(uint32_t *)(void *)(base + f->offset) = (uint32_t)number;
    } else {
        *(uint64_t *)(void *)(base + f->offset) = number;
    }
    return ETNA_OK;
}

/* Every key of `object` must be in the table; what is not there keeps its
 * default. */
static etna_code read_fields(const reader *r,
                             json_t *object,
                             const field *fields,
                             size_t count,
                             void *base)
{
    const char *key = NULL;
    json_t *value = NULL;
    json_object_foreach(object, key, value)
    {
        const field *f = NULL;
        for (size_t i = 0; i < count && !f; i++)
            f = strcmp(fields[i].name, key) == 0 ? &fields[i] : NULL;
        if (!f) {
            return etna_fail(
                r->err, ETNA_E_USAGE,
                "list of models, %s: there is no setting \"%.80s\"; configs/README.md has them all",
                r->where, key);
        }
        if (f->kind == FIELD_TEXT) {
            if (!models_is_text(value, TEXT_MAX_BYTES))
                return models_wrong(
                    r, key,
                    "a text of at most 2,048 bytes without control characters");
            const char *text =
                etna_arena_strdup(r->arena, json_string_value(value));
            if (!text)
                return models_no_memory(r);
            *(const char **)(void *)((char *)base + f->offset) = text;
        } else if (f->kind != FIELD_OWN) {
            etna_code code = models_read_number(r, f, value, base);
            if (code)
                return code;
        }
    }
    return ETNA_OK;
}

#define TEXT(type, member) \
    { \
#member, FIELD_TEXT, offsetof(type, member), 0, 0 \
    }
#define U32(type, member, low, high) \
    { \
#member, FIELD_U32, offsetof(type, member), low, high \
    }
#define U64(type, member, low, high) \
    { \
#member, FIELD_U64, offsetof(type, member), low, high \
    }

/* An address that models are called at, with its limits. Times in milliseconds;
 * 0 of a limit: none. */
static const field endpoint_fields[] = {
    {"wire", FIELD_OWN, 0, 0, 0},
    {"headers", FIELD_OWN, 0, 0, 0},
    TEXT(models_endpoint, url),
    TEXT(models_endpoint, key_env),
    TEXT(models_endpoint, key_file),
    TEXT(models_endpoint, ca_file),
    TEXT(models_endpoint, proxy),
    U64(models_endpoint, requests_per_minute, 0, 1000000000),
    U64(models_endpoint, tokens_per_minute, 0, 1000000000000),
    U32(models_endpoint, in_flight, 0, 1000000),
    U32(models_endpoint, connect_ms, 1, 600000),
    U32(models_endpoint, first_byte_ms, 1, 86400000),
    U32(models_endpoint, total_ms, 1, 86400000),
    U32(models_endpoint, attempts, 1, 100),
    U32(models_endpoint, budget_ms, 1, 86400000),
    U32(models_endpoint, backoff_ms, 1, 60000),
    U32(models_endpoint, breaker, 0, 100000),
};

/* A model under the name that runs use; `id` is what the vendor calls it. */
static const field model_fields[] = {
    {"endpoint", FIELD_OWN, 0, 0, 0},
    {"price", FIELD_OWN, 0, 0, 0},
    {"price_micros", FIELD_OWN, 0, 0, 0},
    {"image_side", FIELD_OWN, 0, 0, 0},
    {"knobs", FIELD_OWN, 0, 0, 0},
    {"coordinates", FIELD_OWN, 0, 0, 0},
    TEXT(models_model, id),
    TEXT(models_model, fallback),
    TEXT(models_model, system_role),
    TEXT(models_model, token_field),
    U32(models_model, context_tokens, 0, 1000000000),
    U32(models_model, output_tokens, 0, 100000000),
    U32(models_model, images_max, 0, 100000),
    U32(models_model, image_quality, 0, 100),
};

/* Millionths of the currency's unit for a million tokens. */
static const field price_fields[] = {
    {"in", FIELD_U64, offsetof(models_model, price_in), 0, 1000000000000},
    {"out", FIELD_U64, offsetof(models_model, price_out), 0, 1000000000000},
    {"cached", FIELD_U64, offsetof(models_model, price_cached), 0,
     1000000000000},
    {"written", FIELD_U64, offsetof(models_model, price_written), 0,
     1000000000000},
};

/* The longest side of a picture in pixels, by role. */
static const field side_fields[] = {
    {"planner", FIELD_U32, 1 * sizeof(uint32_t), 64, 8192},
    {"executor", FIELD_U32, 2 * sizeof(uint32_t), 64, 8192},
    {"evaluator", FIELD_U32, 3 * sizeof(uint32_t), 64, 8192},
    {"judge", FIELD_U32, 4 * sizeof(uint32_t), 64, 8192},
};

/* Which model plays a role, where it is not the run's. */
static const field role_fields[] = {
    {"planner", FIELD_TEXT, 1 * sizeof(char *), 0, 0},
    {"executor", FIELD_TEXT, 2 * sizeof(char *), 0, 0},
    {"evaluator", FIELD_TEXT, 3 * sizeof(char *), 0, 0},
    {"judge", FIELD_TEXT, 4 * sizeof(char *), 0, 0},
};

static const field top_fields[] = {
    {"currency", FIELD_TEXT, offsetof(models, currency), 0, 0},
    {"endpoints", FIELD_OWN, 0, 0, 0},
    {"models", FIELD_OWN, 0, 0, 0},
    {"roles", FIELD_OWN, 0, 0, 0},
};

enum {
    ENDPOINT_FIELDS = COUNT_OF(endpoint_fields),
    MODEL_FIELDS = COUNT_OF(model_fields)
};

/* A value as it is kept: a text as it is, or (as_json) any value as JSON. *ret
 * NULL: out of memory. */
static etna_code pair_value(const reader *r,
                            const char *key,
                            json_t *value,
                            bool as_json,
                            const char **ret)
{
    if (!as_json) {
        if (!models_is_text(value, TEXT_MAX_BYTES))
            return models_wrong(
                r, key,
                "a text of at most 2,048 bytes without control characters");
        *ret = etna_arena_strdup(r->arena, json_string_value(value));
        return ETNA_OK;
    }
    char *dumped =
        json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT | JSON_SORT_KEYS);
    *ret = dumped ? etna_arena_strdup(r->arena, dumped) : NULL;
    free(dumped);
    return ETNA_OK;
}

/* A header's name must not bring a second header. */
static bool pair_name_fits(const char *name)
{
    return *name && strlen(name) <= NAME_MAX_BYTES && !strpbrk(name, "\r\n: ");
}

/* {"name": value ...}, at most `most`: texts as they are, or (knobs) each value
 * as JSON text. */
static etna_code read_pairs(const reader *r,
                            json_t *object,
                            const char *name,
                            bool as_json,
                            uint32_t most,
                            const models_pair **ret,
                            uint32_t *ret_count)
{
    if (!object)
        return ETNA_OK;
    if (!json_is_object(object) || json_object_size(object) > most)
        return models_wrong(r, name,
                            "a list of names with values, and not a long one");
    models_pair *pairs =
        etna_arena_alloc(r->arena, json_object_size(object), sizeof *pairs);
    if (!pairs)
        return models_no_memory(r);
    uint32_t count = 0;
    const char *key = NULL;
    json_t *value = NULL;
    json_object_foreach(object, key, value)
    {
        models_pair *pair = &pairs[count++];
        etna_code code = pair_value(r, key, value, as_json, &pair->value);
        if (code)
            return code;
        pair->name = etna_arena_strdup(r->arena, key);
        if (!pair->name || !pair->value)
            return models_no_memory(r);
        if (!pair_name_fits(key) || strlen(pair->value) > TEXT_MAX_BYTES)
            return models_wrong(r, name, "short names with short values");
    }
    *ret = pairs;
    *ret_count = count;
    return ETNA_OK;
}

/* The defaults are those of a patient client: an answer may take ten minutes,
 * and a server that fails eight times in a row is left alone for a while. */
static etna_code read_endpoint(const reader *r,
                               json_t *object,
                               models_endpoint *e)
{
    e->connect_ms = 10000;
    e->first_byte_ms = 600000;
    e->total_ms = 1200000;
    e->attempts = 6;
    e->budget_ms = 600000;
    e->backoff_ms = 1000;
    e->breaker = 8;
    etna_code code =
        read_fields(r, object, endpoint_fields, ENDPOINT_FIELDS, e);
    if (code)
        return code;
    const char *wire = json_string_value(json_object_get(object, "wire"));
    for (uint32_t w = MODELS_CHAT; wire && w < MODELS_WIRE_COUNT; w++) {
        if (strcmp(wire_names[w], wire) == 0)
            e->wire = (models_wire)w;
    }
    if (!e->wire)
        return models_wrong(r, "wire", "chat, responses, gemini or anthropic");
    if (!e->url || (strncmp(e->url, "http://", 7) != 0 &&
                    strncmp(e->url, "https://", 8) != 0)) {
        return models_wrong(
            r, "url", "the base of the server's address, as https://host/v1");
    }
    if (strchr(e->url, '@') || strpbrk(e->url, " ?#"))
        return models_wrong(
            r, "url",
            "an address without user, query or fragment: keys go into key_env or key_file");
    bool is_nameless = e->proxy && strcmp(e->proxy, "$") == 0;
    if (is_nameless || (e->proxy && strchr(e->proxy, '@'))) {
        return models_wrong(
            r, "proxy",
            "an address without a name and password: with them it stands in an environment variable, as $NAME");
    }
    if (e->key_env && e->key_file)
        return models_wrong(r, "key_file", "left out where there is a key_env");
    return read_pairs(r, json_object_get(object, "headers"), "headers", false,
                      MODELS_HEADERS_MAX, &e->headers, &e->header_count);
}

/* Currency units per million tokens, with a fraction, to millionths. */
static etna_code read_price(const reader *r, json_t *price, models_model *m)
{
    enum {
        PRICES = 4
    };
    uint64_t *into[PRICES] = {&m->price_in, &m->price_out, &m->price_cached,
                              &m->price_written};
    static const char *const names[PRICES] = {"in", "out", "cached", "written"};
    const char *key = NULL;
    json_t *value = NULL;
    if (!json_is_object(price))
        return models_wrong(
            r, "price",
            "{in: .., out: .., cached: .., written: ..}, in units of the currency per million tokens");
    json_object_foreach(price, key, value)
    {
        int which = -1;
        for (int i = 0; i < PRICES; i++)
            which = strcmp(key, names[i]) == 0 ? i : which;
        double units = json_number_value(value);
        bool is_price = json_is_number(value) && units >= 0 && units <= 1e6;
        if (which < 0 || !is_price) {
            return models_wrong(
                r, "price",
                "{in: .., out: .., cached: .., written: ..}, in units of the currency per million tokens");
        }
        *into[which] = (uint64_t)floor(units * 1e6 + 0.5);
    }
    return ETNA_OK;
}

/* {in, out, cached, written} or {planner, ...}: numbers by name, into `ret`;
 * nothing where there is none. */
static etna_code read_numbers(const reader *r,
                              json_t *object,
                              const char *name,
                              const char *wanted,
                              const field *fields,
                              size_t count,
                              void *ret)
{
    if (!object)
        return ETNA_OK;
    return json_is_object(object) ? read_fields(r, object, fields, count, ret)
                                  : models_wrong(r, name, wanted);
}

/* This wire has prompts cached (worker/provider/provider_anthropic.c): what is
 * not said is its vendor's rule, a tenth for what is read from the cache and a
 * quarter more for what is put into it. */
static void price_complete(const models *all, models_model *m)
{
    if (all->endpoints[m->endpoint].wire != MODELS_ANTHROPIC)
        return;
    if (!m->price_cached)
        m->price_cached = m->price_in / 10;
    if (!m->price_written)
        m->price_written = m->price_in + m->price_in / 4;
}

/* What every request says by itself; and an answer that comes in pieces is not
 * read. */
static etna_code check_knobs(const reader *r, const json_t *knobs)
{
    static const char *const own[] = {
        "model",        "messages",          "input", "contents", "system",
        "instructions", "systemInstruction", "tools", "stream"};
    for (size_t i = 0; i < COUNT_OF(own); i++) {
        if (json_object_get(knobs, own[i]))
            return models_wrong(r, own[i],
                                "no knob: every request says it by itself");
    }
    return ETNA_OK;
}

/* Endpoints are read first. */
static etna_code read_model_endpoint(const reader *r,
                                     const json_t *object,
                                     const models *all,
                                     models_model *m)
{
    const char *endpoint =
        json_string_value(json_object_get(object, "endpoint"));
    for (uint32_t i = 0; endpoint && i < all->endpoint_count; i++) {
        if (strcmp(all->endpoints[i].name, endpoint) != 0)
            continue;
        m->endpoint = i;
        return ETNA_OK;
    }
    return models_wrong(r, "endpoint", "the name of one of the endpoints");
}

/* How the model counts places in a picture; not said: by what its answers
 * show. */
static etna_code read_coordinates(const reader *r,
                                  const json_t *value,
                                  models_model *m)
{
    const char *name = json_string_value(value);
    if (!value)
        return ETNA_OK;
    for (uint32_t i = COORDINATES_SHARES; name && i < COORDINATES_COUNT; i++) {
        if (strcmp(name, arrange_coordinates_name(i)) != 0)
            continue;
        m->coordinates = i;
        return ETNA_OK;
    }
    return models_wrong(
        r, "coordinates",
        "shares, thousandths, pixels, percent or thousandths_y_first");
}

/* The vendor's id is the name where none is given. */
static etna_code read_model(const reader *r,
                            json_t *object,
                            const models *all,
                            models_model *m)
{
    etna_code code = read_fields(r, object, model_fields, MODEL_FIELDS, m);
    if (!code)
        code = read_model_endpoint(r, object, all, m);
    if (code)
        return code;
    if (!m->id)
        m->id = m->name;
    json_t *price = json_object_get(object, "price");
    json_t *micros = json_object_get(object, "price_micros");
    json_t *sides = json_object_get(object, "image_side");
    json_t *knobs = json_object_get(object, "knobs");
    if (price && micros)
        return models_wrong(r, "price_micros",
                            "left out where there is a price");
    if (price)
        code = read_price(r, price, m);
    if (!code)
        code = read_numbers(r, micros, "price_micros",
                            "{in, out, cached, written}", price_fields,
                            COUNT_OF(price_fields), m);
    if (!code) {
        code = read_numbers(
            r, sides, "image_side",
            "{planner: pixels, executor: .., evaluator: .., judge: ..}",
            side_fields, COUNT_OF(side_fields), m->image_side);
    }
    price_complete(all, m);
    if (!code)
        code = read_coordinates(r, json_object_get(object, "coordinates"), m);
    if (!code)
        code = check_knobs(r, knobs);
    if (code)
        return code;
    return read_pairs(r, knobs, "knobs", true, MODELS_KNOBS_MAX, &m->knobs,
                      &m->knob_count);
}

/* Opens {"name": {...}}: checks its size and the names. */
static etna_code open_list(
    reader *r, json_t *root, const char *what, json_t **ret, size_t *ret_count)
{
    snprintf(r->where, sizeof r->where, "%s", what);
    *ret = json_object_get(root, what);
    *ret_count = json_object_size(*ret);
    if (*ret && !json_is_object(*ret))
        return models_wrong(r, what, "a list of names, each with its settings");
    if (*ret_count > MODELS_COUNT_MAX)
        return models_wrong(r, what, "at most 256");
    const char *key = NULL;
    json_t *value = NULL;
    json_object_foreach(*ret, key, value)
    {
        if (!*key || strlen(key) > NAME_MAX_BYTES || !json_is_object(value))
            return models_wrong(r, key, "a short name with settings");
        if (strcmp(key, "builtin") == 0)
            return models_wrong(
                r, key,
                "another name: builtin is the agent in this program, always there");
    }
    return ETNA_OK;
}

typedef etna_code read_one(
    reader *r, const char *name, json_t *value, const models *m, void *ret);

/* For models_read_list. */
static etna_code one_endpoint(
    reader *r, const char *name, json_t *value, const models *m, void *ret)
{
    (void)m;
    ((models_endpoint *)ret)->name = name;
    return read_endpoint(r, value, ret);
}

/* For models_read_list. */
static etna_code one_model(
    reader *r, const char *name, json_t *value, const models *m, void *ret)
{
    ((models_model *)ret)->name = name;
    return read_model(r, value, m, ret);
}

/* The named entries of `what`, each of `size` bytes and read by `read`, in an
 * array of the reader's arena. */
static etna_code models_read_list(reader *r,
                                  json_t *root,
                                  const char *what,
                                  size_t size,
                                  read_one *read,
                                  const models *m,
                                  void **ret,
                                  uint32_t *ret_count)
{
    json_t *list = NULL, *value = NULL;
    const char *key = NULL;
    size_t count = 0;
    etna_code code = open_list(r, root, what, &list, &count);
    if (code)
        return code;
    char *at = etna_arena_alloc(r->arena, count, size);
    if (!at)
        return models_no_memory(r);
    *ret = at;
    json_object_foreach(list, key, value)
    {
        snprintf(r->where, sizeof r->where, "%.*s %s", (int)strlen(what) - 1,
                 what, key);
        const char *name = etna_arena_strdup(r->arena, key);
        if (!name)
            return models_no_memory(r);
        code = read(r, name, value, m, at);
        if (code)
            return code;
        at += size;
        ++*ret_count;
    }
    return ETNA_OK;
}

/* Endpoints before the models that name them. */
static etna_code read_lists(reader *r, json_t *root, models *m)
{
    void *list = NULL;
    etna_code code =
        models_read_list(r, root, "endpoints", sizeof(models_endpoint),
                         one_endpoint, m, &list, &m->endpoint_count);
    m->endpoints = list;
    list = NULL;
    if (!code)
        code = models_read_list(r, root, "models", sizeof(models_model),
                                one_model, m, &list, &m->model_count);
    m->models = list;
    return code;
}

/* The built-in agent is in every list. */
static bool models_is_known(const models *m, const char *name)
{
    return strcmp(name, "builtin") == 0 || models_find(m, name);
}

/* Names that stand for models must be some, and no fallback may lead back to
 * where it began. */
static etna_code models_check_names(reader *r, const models *m)
{
    for (uint32_t i = 0; i < m->model_count; i++) {
        const models_model *at = &m->models[i];
        snprintf(r->where, sizeof r->where, "model %s", at->name);
        for (uint32_t steps = 0; at && at->fallback; steps++) {
            if (!models_is_known(m, at->fallback))
                return models_wrong(r, at->fallback,
                                    "the name of a model, as a fallback");
            if (steps > m->model_count)
                return models_wrong(r, at->fallback,
                                    "a fallback that does not lead back here");
            at = models_find(m, at->fallback);
        }
    }
    snprintf(r->where, sizeof r->where, "roles");
    for (uint32_t role = 1; role < MODELS_ROLES; role++) {
        if (m->role_model[role] && !models_is_known(m, m->role_model[role]))
            return models_wrong(r, m->role_model[role], "the name of a model");
    }
    return ETNA_OK;
}

/* *ret is set on success alone; its texts lie in the arena. */
etna_code models_read_tree(json_t *root,
                           etna_arena *arena,
                           models *ret,
                           etna_error *err)
{
    reader r = {.arena = arena, .err = err, .where = "its top"};
    models m = {.currency = "USD"};
    if (!json_is_object(root))
        return models_wrong(&r, "all",
                            "a list with endpoints, models and roles");
    etna_code code =
        read_fields(&r, root, top_fields, COUNT_OF(top_fields), &m);
    if (!code)
        code = read_lists(&r, root, &m);
    json_t *roles = json_object_get(root, "roles");
    snprintf(r.where, sizeof r.where, "roles");
    if (!code && roles) {
        code =
            json_is_object(roles)
                ? read_fields(&r, roles, role_fields, COUNT_OF(role_fields),
                              m.role_model)
                : models_wrong(
                      &r, "roles",
                      "{planner: model, executor: .., evaluator: .., judge: ..}");
    }
    if (!code)
        code = models_check_names(&r, &m);
    if (!code)
        *ret = m;
    return code;
}

/* From a run's configuration: bounded, as it came over the wire. */
etna_code models_from_json(const char *json,
                           size_t size,
                           etna_arena *arena,
                           models *ret,
                           etna_error *err)
{
    if (size > MODELS_JSON_MAX)
        return etna_fail(
            err, ETNA_E_USAGE,
            "the list of models is over 64 KiB: let the run name fewer of them");
    json_error_t where;
    json_t *root = json_loadb(json, size, JSON_REJECT_DUPLICATES, &where);
    if (!root)
        return etna_fail(err, ETNA_E_USAGE,
                         "the list of models is not JSON: %.120s at byte %d",
                         where.text, where.position);
    etna_code code = models_read_tree(root, arena, ret, err);
    json_decref(root);
    return code;
}

/* NULL: there is none. */
const models_model *models_find(const models *m, const char *name)
{
    for (uint32_t i = 0; i < m->model_count; i++) {
        if (strcmp(m->models[i].name, name) == 0)
            return &m->models[i];
    }
    return NULL;
}

/* ---- out ---- */

/* Takes the value; false: out of memory. */
static bool models_put(json_t *object, const char *name, json_t *value)
{
    return json_object_set_new(object, name, value) == 0;
}

/* The mirror of read_fields: a text that is not there is left out, a number
 * below its least as well. */
static bool put_fields(json_t *object,
                       const field *fields,
                       size_t count,
                       const void *base)
{
    bool ok = true;
    for (size_t i = 0; i < count; i++) {
        const char *at = (const char *)base + fields[i].offset;
        if (fields[i].kind == FIELD_TEXT) {
            const char *text = *(const char *const *)(const void *)at;
            if (text)
                ok =
                    models_put(object, fields[i].name, json_string(text)) && ok;
        } else if (fields[i].kind == FIELD_U32) {
            uint32_t number = *(const uint32_t *)(const void *)at;
            if (number >= fields[i].least)
                ok = models_put(object, fields[i].name, json_integer(number)) &&
                     ok;
        } else if (fields[i].kind == FIELD_U64) {
            uint64_t number = *(const uint64_t *)(const void *)at;
            ok = models_put(object, fields[i].name,
                            json_integer((json_int_t)number)) &&
                 ok;
        }
    }
    return ok;
}

/* Knobs are any JSON, headers texts. */
static bool put_pairs(json_t *object,
                      const char *name,
                      const models_pair *pairs,
                      uint32_t count,
                      bool as_json)
{
    if (count == 0)
        return true;
    json_t *list = json_object();
    bool ok = list != NULL;
    for (uint32_t i = 0; ok && i < count; i++) {
        ok = models_put(list, pairs[i].name,
                        as_json
                            ? json_loads(pairs[i].value, JSON_DECODE_ANY, NULL)
                            : json_string(pairs[i].value));
    }
    return models_put(object, name, list) && ok;
}

/* NULL: out of memory. */
static json_t *endpoint_tree(const models_endpoint *e)
{
    json_t *tree = json_object();
    bool ok = tree &&
              models_put(tree, "wire", json_string(wire_names[e->wire])) &&
              put_fields(tree, endpoint_fields, ENDPOINT_FIELDS, e) &&
              put_pairs(tree, "headers", e->headers, e->header_count, false);
    if (!ok)
        json_decref(tree);
    return ok ? tree : NULL;
}

/* Nothing where the list said nothing. */
static bool put_coordinates(json_t *tree, const models_model *m)
{
    return !m->coordinates ||
           models_put(tree, "coordinates",
                      json_string(arrange_coordinates_name(m->coordinates)));
}

/* Prices in millionths, so that nothing is rounded on the way. */
static json_t *model_tree(const models *all, const models_model *m)
{
    json_t *tree = json_object();
    json_t *price = json_object();
    json_t *sides = json_object();
    bool ok = tree && price && sides;
    ok = ok &&
         models_put(tree, "endpoint",
                    json_string(all->endpoints[m->endpoint].name)) &&
         put_fields(tree, model_fields, MODEL_FIELDS, m) &&
         put_pairs(tree, "knobs", m->knobs, m->knob_count, true) &&
         put_fields(price, price_fields, COUNT_OF(price_fields), m) &&
         put_fields(sides, side_fields, COUNT_OF(side_fields), m->image_side) &&
         put_coordinates(tree, m) &&
         json_object_set(tree, "price_micros", price) == 0 &&
         json_object_set(tree, "image_side", sides) == 0;
    json_decref(price);
    json_decref(sides);
    if (!ok)
        json_decref(tree);
    return ok ? tree : NULL;
}

/* Of the roles that have a model of their own, those whose model goes along. */
static bool put_roles(json_t *root, const json_t *list, const models *all)
{
    json_t *roles = json_object();
    bool ok = roles != NULL;
    for (uint32_t role = 1; ok && role < MODELS_ROLES; role++) {
        const char *name = all->role_model[role];
        if (name &&
            (strcmp(name, "builtin") == 0 || json_object_get(list, name)))
            ok = models_put(roles, role_fields[role - 1].name,
                            json_string(name));
    }
    if (ok && json_object_size(roles))
        ok = json_object_set(root, "roles", roles) == 0;
    json_decref(roles);
    return ok;
}

typedef struct model_list { /* part of a list of models in the making */
    json_t *root, *endpoints, *list;
    bool ok; /* false: out of memory */
} model_list;

/* The model called so and those it falls back to, each once, with their
 * endpoints. */
static etna_code model_list_add(model_list *part,
                                const models *all,
                                const char *name,
                                etna_error *err)
{
    while (name && strcmp(name, "builtin") != 0 &&
           !json_object_get(part->list, name)) {
        const models_model *m = models_find(all, name);
        if (!m) {
            return etna_fail(
                err, ETNA_E_USAGE,
                "no model is called \"%.80s\": name one of configs/models.yaml (or of the file of --models), or builtin",
                name);
        }
        const models_endpoint *e = &all->endpoints[m->endpoint];
        part->ok = part->ok && models_put(part->list, name, model_tree(all, m));
        part->ok =
            part->ok && models_put(part->endpoints, e->name, endpoint_tree(e));
        if (!part->ok)
            return ETNA_OK;
        name = m->fallback;
    }
    return ETNA_OK;
}

/* As text, malloc'd; NULL: out of memory. */
static char *model_list_dump(model_list *part, const models *all)
{
    part->ok = part->ok &&
               json_object_set(part->root, "endpoints", part->endpoints) == 0;
    part->ok =
        part->ok && json_object_set(part->root, "models", part->list) == 0;
    part->ok = part->ok && put_roles(part->root, part->list, all);
    return part->ok ? json_dumps(part->root, JSON_COMPACT | JSON_SORT_KEYS)
                    : NULL;
}

/* `names` with all that they fall back to. The text is canonical enough to be
 * compared: keys stand in the tables' order. */
etna_code models_cut(const models *all,
                     const char *const *names,
                     uint32_t count,
                     etna_arena *arena,
                     const char **ret_json,
                     etna_error *err)
{
    model_list part = {.root = json_object(),
                       .endpoints = json_object(),
                       .list = json_object()};
    part.ok = part.root && part.endpoints && part.list;
    part.ok = part.ok &&
              models_put(part.root, "currency", json_string(all->currency));
    etna_code code = ETNA_OK;
    for (uint32_t i = 0; part.ok && !code && i < count; i++)
        code = model_list_add(&part, all, names[i], err);
    char *text = code ? NULL : model_list_dump(&part, all);
    json_decref(part.list);
    json_decref(part.endpoints);
    json_decref(part.root);
    if (code)
        return code;
    const char *copy = text ? etna_arena_strdup(arena, text) : NULL;
    size_t size = text ? strlen(text) : 0;
    free(text);
    if (!copy)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory while writing the list of models");
    if (size > MODELS_JSON_MAX) {
        return etna_fail(
            err, ETNA_E_USAGE,
            "the models of this run take over 64 KiB of settings: name fewer, or shorten their headers");
    }
    *ret_json = copy;
    return ETNA_OK;
}
