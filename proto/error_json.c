/* See error_json.h. */
#include "proto/error_json.h"

json_t *error_json_text(const char *value)
{
    json_t *string = json_string(value ? value : "");
    return string ? string : json_string("");
}

json_t *error_json_schema(const char *name, json_t *document)
{
    json_t *whole = document ? json_object() : NULL;
    bool ok =
        whole && json_object_set_new(whole, "schema", json_string(name)) == 0;
    ok = ok && json_object_update(whole, document) == 0;
    json_decref(document);
    if (ok)
        return whole;
    json_decref(whole);
    return NULL;
}

static json_t *error_json_parts(const char *code,
                                const char *what,
                                const char *where,
                                const char *advice,
                                json_t *span)
{
    json_t *error = json_object();
    bool ok =
        error && json_object_set_new(error, "code", json_string(code)) == 0;
    ok = json_object_set_new(error, "what", error_json_text(what)) == 0 && ok;
    ok = json_object_set_new(error, "where", error_json_text(where)) == 0 && ok;
    ok = json_object_set_new(error, "span", span) == 0 && ok;
    ok = json_object_set_new(error, "do", error_json_text(advice)) == 0 && ok;
    if (ok)
        return error;
    json_decref(error);
    return NULL;
}

json_t *error_json_refusal(const arrange_refusal *refusal)
{
    bool marked = refusal->from < refusal->to;
    json_t *span = marked ? json_pack("[I,I]", (json_int_t)refusal->from,
                                      (json_int_t)refusal->to)
                          : json_null();
    json_t *error =
        error_json_parts(arrange_refusal_name(refusal->code), refusal->what,
                         refusal->where, refusal->advice, span);
    if (error && refusal->item)
        json_object_set_new(error, "item", json_integer(refusal->item));
    return error;
}

json_t *error_json_document(json_t *error)
{
    json_t *document = error ? json_object() : NULL;
    if (document && json_object_set(document, "error", error) != 0) {
        json_decref(document);
        document = NULL;
    }
    json_decref(error);
    return error_json_schema("etna.error/1", document);
}

json_t *error_json(const etna_error *err)
{
    return error_json_document(error_json_parts(
        etna_code_name(err->code), err->text, "", "", json_null()));
}
