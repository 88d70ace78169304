/* The tables of the codec and the .proto files are one agreement: same fields,
 * same order, same types. */
#include "compare.h"
#include "proto/message.h"
#include "sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static bool fits(const codec_field *f, const ProtobufCFieldDescriptor *d)
{
    bool list = f->type == CODEC_LIST || f->type == CODEC_HASHES ||
                f->type == CODEC_TEXTS;
    if (f->type == CODEC_SKIP)
        return true;
    if (d->label !=
        (list ? PROTOBUF_C_LABEL_REPEATED : PROTOBUF_C_LABEL_OPTIONAL))
        return false;
    switch (f->type) {
    case CODEC_U32: return d->type == PROTOBUF_C_TYPE_UINT32;
    case CODEC_U64:
        return d->type == PROTOBUF_C_TYPE_UINT64 ||
               d->type == PROTOBUF_C_TYPE_FIXED64;
    case CODEC_ENUM: return d->type == PROTOBUF_C_TYPE_ENUM;
    case CODEC_BOOL: return d->type == PROTOBUF_C_TYPE_BOOL;
    case CODEC_F64: return d->type == PROTOBUF_C_TYPE_DOUBLE;
    case CODEC_HASH:
    case CODEC_ID:
    case CODEC_BYTES:
    case CODEC_HASHES: return d->type == PROTOBUF_C_TYPE_BYTES;
    case CODEC_TEXT:
    case CODEC_TEXTS: return d->type == PROTOBUF_C_TYPE_STRING;
    default:
        return d->type == PROTOBUF_C_TYPE_MESSAGE &&
               d->descriptor == f->shape->descriptor;
    }
}

static void check_fields(const codec_shape *shape)
{
    for (size_t i = 0; i < shape->count; i++) {
        assert_string_equal(shape->fields[i].name,
                            shape->descriptor->fields[i].name);
        assert_true(fits(&shape->fields[i], &shape->descriptor->fields[i]));
    }
}

static void every_table_has_the_fields_of_its_message(void **state)
{
    (void)state;
    const codec_shape *const *sets[] = {message_shapes, arrange_shapes};
    for (size_t set = 0; set < 2; set++) {
        for (const codec_shape *const *shape = sets[set]; *shape; shape++) {
            assert_int_equal((*shape)->count, (*shape)->descriptor->n_fields);
            check_fields(*shape);
        }
    }
    check_fields(&message_envelope_shape);
}

static void every_kind_has_its_field_in_the_envelope(void **state)
{
    (void)state;
    const ProtobufCMessageDescriptor *envelope =
        message_envelope_shape.descriptor;
    for (uint32_t kind = 1; kind < MESSAGE_KIND_COUNT; kind++) {
        const ProtobufCFieldDescriptor *field =
            &envelope->fields[message_envelope_shape.count + kind - 1];
        assert_string_equal(field->name, message_kind_name(kind));
        assert_ptr_equal(field->descriptor,
                         message_body_shape(kind)->descriptor);
    }
}

static void enum_bounds_are_those_of_the_proto(void **state)
{
    (void)state;
    const codec_shape *const *sets[] = {message_shapes, arrange_shapes};
    for (size_t set = 0; set < 2; set++) {
        for (const codec_shape *const *shape = sets[set]; *shape; shape++) {
            for (size_t i = 0; i < (*shape)->count; i++) {
                if ((*shape)->fields[i].type != CODEC_ENUM)
                    continue;
                const ProtobufCEnumDescriptor *values =
                    (*shape)->descriptor->fields[i].descriptor;
                assert_int_equal((*shape)->fields[i].max + 1, values->n_values);
            }
        }
    }
}

static void samples_fill_every_field(void **state)
{
    (void)state;
    for (uint32_t kind = 1; kind < MESSAGE_KIND_COUNT; kind++) {
        message m = sample_message(kind);
        assert_null(unfilled_field(message_body_shape(kind), &m.body));
    }
}

/* What protobuf-c makes of the bytes when it has read them. */
static void check_bytes(const ProtobufCMessageDescriptor *descriptor,
                        const uint8_t *data,
                        size_t size)
{
    ProtobufCMessage *wire =
        protobuf_c_message_unpack(descriptor, NULL, size, data);
    assert_non_null(wire);
    assert_int_equal(protobuf_c_message_get_packed_size(wire), size);
    uint8_t *again = test_malloc(size + 1);
    protobuf_c_message_pack(wire, again);
    assert_memory_equal(again, data, size);
    test_free(again);
    protobuf_c_message_free_unpacked(wire, NULL);
}

static void check_message(const message *m)
{
    uint8_t *data;
    size_t size;
    assert_int_equal(message_pack(m, &data, &size, NULL), ETNA_OK);
    check_bytes(message_envelope_shape.descriptor, data, size);
    free(data);
}

static void we_write_the_bytes_that_protobuf_writes(void **state)
{
    (void)state;
    for (uint32_t kind = 1; kind < MESSAGE_KIND_COUNT; kind++) {
        message m = sample_message(kind);
        check_message(&m);
        m.epoch = UINT64_MAX;
        m.sender = UINT64_MAX;
        m.sequence = 127;
        m.incarnation = 128;
        check_message(&m);
    }
    for (const codec_shape *const *shape = arrange_shapes; *shape; shape++) {
        uint64_t zeros[128] = {0};
        uint8_t *data;
        size_t size;
        assert_true((*shape)->size <= sizeof zeros);
        if (codec_pack_shape(*shape, zeros, 4096, &data, &size, NULL))
            continue; /* without what must be there it is not written */
        check_bytes((*shape)->descriptor, data, size);
        free(data);
    }
}

static void check_payload(const codec_shape *shape, const void *plain)
{
    uint8_t *data;
    size_t size, said;
    assert_int_equal(
        codec_pack_shape(shape, plain, 1 << 20, &data, &size, NULL), ETNA_OK);
    assert_int_equal(codec_size_shape(shape, plain, &said, NULL), ETNA_OK);
    assert_int_equal(said, size);
    check_bytes(shape->descriptor, data, size);
    free(data);
    assert_int_equal(
        codec_pack_shape(shape, plain, size - 1, &data, &size, NULL),
        ETNA_E_LIMIT);
}

static const codec_shape *shape_named(const char *name)
{
    for (const codec_shape *const *shape = arrange_shapes; *shape; shape++) {
        if (strcmp((*shape)->descriptor->short_name, name) == 0)
            return *shape;
    }
    fail_msg("no shape is named %s", name);
    return NULL;
}

/* Small ones are written once, large ones a second time where they have
 * room. */
static void payloads_of_any_size_are_protobuf_s(void **state)
{
    (void)state;
    const arrange_config config = sample_config();
    const arrange_task task = sample_task();
    const arrange_result result = sample_result();
    check_payload(shape_named("Config"), &config);
    check_payload(shape_named("Task"), &task);
    check_payload(shape_named("Result"), &result);
    for (size_t size = 990; size < 1060; size++) {
        static const uint8_t bytes[1060] = {7};
        message m = sample_message(MESSAGE_RUN_SUBMIT);
        m.body.run_submit.config = bytes;
        m.body.run_submit.config_size = size;
        check_message(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_table_has_the_fields_of_its_message),
        cmocka_unit_test(every_kind_has_its_field_in_the_envelope),
        cmocka_unit_test(enum_bounds_are_those_of_the_proto),
        cmocka_unit_test(samples_fill_every_field),
        cmocka_unit_test(we_write_the_bytes_that_protobuf_writes),
        cmocka_unit_test(payloads_of_any_size_are_protobuf_s),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
