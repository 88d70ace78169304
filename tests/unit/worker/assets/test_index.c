/* Records and the index as bytes: the same for any order, and nothing but an
 * error where they are damaged. */
#include "tests/unit/worker/assets/made.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void a_record_comes_back_as_it_was(void **state)
{
    (void)state;
    static asset_words words[2] = {{"de", "Stuhl", "Sitz", "B\xc3\xbcro"},
                                   {"fr", "Chaise", "", "Bureau"}};
    asset a = made_asset(7, "Chair", 0.5, 1, 0.5), b;
    asset_shape shape;
    etna_arena arena = ETNA_ARENA_INIT;
    uint8_t *bytes = NULL;
    size_t size = 0;
    etna_error err = {0};
    a.tags = "Seat";
    a.elevation = 0.25;
    a.light = true;
    a.words = words;
    a.word_count = 2;
    assert_int_equal(asset_encode(&a, &bytes, &size, &err), ETNA_OK);
    assert_int_equal(asset_decode(bytes, size, &arena, &b, &err), ETNA_OK);
    assert_string_equal(b.tags, "Seat");
    assert_string_equal(b.words[1].name, "Chaise");
    assert_true(b.light && b.movable && b.elevation > 0.24 && b.number == 7);
    for (size_t cut = 0; cut < size; cut++)
        assert_int_equal(asset_decode(bytes, cut, &arena, &b, &err),
                         ETNA_E_CORRUPT);
    free(bytes);
    assert_int_equal(asset_shape_encode(&a.shape, &bytes, &size, &err),
                     ETNA_OK);
    assert_int_equal(asset_shape_decode(bytes, size, &arena, &shape, &err),
                     ETNA_OK);
    assert_true(shape.size[1] > 0.99 && shape.triangles == 12);
    for (size_t cut = 0; cut < size; cut++)
        assert_int_equal(asset_shape_decode(bytes, cut, &arena, &shape, &err),
                         ETNA_E_CORRUPT);
    free(bytes);
    etna_arena_free(&arena);
}

static void put_file(shelf *s, const char *path, asset a)
{
    etna_error err = {0};
    a.path = path;
    a.number = 0;
    a.stamp = etna_hash_bytes(path, strlen(path));
    const lot_scan scan = {
        .stamp = a.stamp, .hash = a.hash, .fault = "", .shape = a.shape};
    assert_int_equal(shelf_put_scan(s, &scan, &err), ETNA_OK);
    assert_int_equal(shelf_put_path(s, path, &a, 1, &err), ETNA_OK);
}

/* Puts the assets on a shelf one by one, in this order, and hashes the
 * index. */
static etna_hash hash_of_order(const uint32_t *order)
{
    shelf *s = NULL;
    etna_hash hash = {{0}};
    etna_error err = {0};
    assert_int_equal(shelf_open_memory(&s, &err), ETNA_OK);
    for (uint32_t i = 0; i < MADE_COUNT; i++) {
        char path[64];
        snprintf(path, sizeof path, "/library/%u.glb",
                 made_flat[order[i]].number);
        put_file(s, path, made_flat[order[i]]);
    }
    assert_int_equal(index_refresh(s, &hash, NULL, &err), ETNA_OK);
    shelf_close(s);
    return hash;
}

static void the_index_is_the_same_for_any_order_of_files(void **state)
{
    (void)state;
    uint32_t order[MADE_COUNT];
    made_flat_fill();
    for (uint32_t i = 0; i < MADE_COUNT; i++)
        order[i] = i;
    etna_hash first = hash_of_order(order);
    for (uint32_t i = 0; i < MADE_COUNT; i++)
        order[i] = MADE_COUNT - 1 - i;
    etna_hash last = hash_of_order(order);
    assert_true(etna_hash_equal(&first, &last));
}

/* Models whose contents come twice and thrice, words that come late, and one
 * that failed: however they are divided, the bytes are the same. */
static void the_index_is_the_same_for_any_number_of_threads(void **state)
{
    (void)state;
    enum {
        MODELS = 200,
        THREADS = 9
    };
    static const char *const names[] = {"Red chair", "Oak table", "Floor lamp",
                                        "Sofa", "Tall bookcase"};
    etna_arena arena = ETNA_ARENA_INIT;
    asset all[MODELS];
    uint8_t *first = NULL;
    size_t first_size = 0;
    for (uint32_t i = 0; i < MODELS; i++) {
        char tags[40];
        snprintf(tags, sizeof tags, "shared, own%u", i);
        all[i] = made_asset(1 + i * 2 / 5, names[i % 5], 0.5, 1, 0.5);
        all[i].tags = etna_arena_strdup(&arena, tags);
    }
    made_sort(all, MODELS);
    all[MODELS - 1].fault = "broken";
    for (uint32_t threads = 1; threads <= THREADS; threads++) {
        const index_options options = {.threads = threads};
        uint8_t *data = NULL;
        size_t size = 0;
        uint32_t docs = 0;
        assert_int_equal(
            index_build(all, MODELS, &options, &data, &size, &docs, NULL),
            ETNA_OK);
        assert_int_equal(docs, 80);
        if (!first) {
            first = data;
            first_size = size;
            continue;
        }
        assert_int_equal(size, first_size);
        assert_memory_equal(data, first, size);
        free(data);
    }
    free(first);
    etna_arena_free(&arena);
}

static void equal_contents_are_one_asset_with_all_its_names(void **state)
{
    (void)state;
    asset two[2] = {made_asset(1, "Chair", 0.5, 1, 0.5),
                    made_asset(1, "Throne", 0.5, 1, 0.5)};
    size_t size = 0;
    index_view v;
    uint8_t *data = made_index(two, 2, &size, &v);
    assert_int_equal(v.doc_count, 1);
    assert_int_equal(index_find(&v, "chair").count, 1);
    assert_int_equal(index_find(&v, "throne").count, 1);
    free(data);
}

/* A model that sees says which side of a file is its front, and its width is
 * what one sees from there; a catalogue's front is known. */
static void a_front_that_was_seen_turns_a_file_and_no_catalogue(void **state)
{
    (void)state;
    static const asset_caption right = {
        .model = "eyes", .name = "", .parts = {"", "", ""}, .front = 2};
    static const struct {
        uint32_t number, said, front;
        float width, depth;
    } rows[] = {{0, 2, 1, 0.4F, 1.5F}, {0, 3, 2, 1.5F, 0.4F},
                {0, 4, 3, 0.4F, 1.5F}, {0, 1, 0, 1.5F, 0.4F},
                {0, 0, 0, 1.5F, 0.4F}, {7, 2, 0, 1.5F, 0.4F}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        asset_caption said = right;
        asset a = made_asset(1, "Sideboard", 1.5, 0.8, 0.4);
        size_t size = 0;
        index_view v;
        said.front = rows[i].said;
        a.number = rows[i].number;
        a.caption = &said;
        uint8_t *data = made_index(&a, 1, &size, &v);
        const index_doc d = index_doc_at(&v, 0);
        assert_int_equal(d.front, rows[i].front);
        assert_float_equal(d.size[0], rows[i].width, 1e-6);
        assert_float_equal(d.size[1], 0.8, 1e-6);
        assert_float_equal(d.size[2], rows[i].depth, 1e-6);
        assert_false(d.light);
        free(data);
    }
}

/* Files come in the order of their paths' keys, in which copies of two models
 * stand mixed. */
static void copies_in_many_files_are_one_asset(void **state)
{
    (void)state;
    enum {
        FILES = 16
    };
    shelf *s = NULL;
    etna_hash hash;
    etna_error err = {0};
    uint32_t docs = 0;
    assert_int_equal(shelf_open_memory(&s, &err), ETNA_OK);
    for (uint32_t i = 0; i < FILES; i++) {
        char path[64];
        snprintf(path, sizeof path, "/library/%u.glb", i);
        put_file(s, path, made_asset(1 + i % 2, "Chair", 0.5, 1, 0.5));
    }
    assert_int_equal(index_refresh(s, &hash, &docs, &err), ETNA_OK);
    assert_int_equal(docs, 2);
    shelf_close(s);
}

static void an_index_of_nothing_finds_nothing(void **state)
{
    (void)state;
    size_t size = 0;
    index_view v;
    static find_result r;
    const find_options plain = {.k = 5};
    etna_error err = {0};
    uint8_t *data = made_index(NULL, 0, &size, &v);
    assert_int_equal(find_assets(&v, "a chair", &plain, &r, &err), ETNA_OK);
    assert_false(r.found);
    assert_int_equal(r.count, 0);
    free(data);
}

static void a_damaged_index_is_refused_or_read_within_its_bounds(void **state)
{
    (void)state;
    size_t size = 0;
    index_view v;
    static find_result r;
    const find_options plain = {.k = 5};
    etna_error err = {0};
    made_flat_fill();
    uint8_t *data = made_index(made_flat, MADE_COUNT, &size, &v),
            *copy = malloc(size);
    assert_non_null(copy);
    for (size_t cut = 0; cut < size; cut += 97)
        assert_int_not_equal(index_open(data, cut, &v, &err), ETNA_OK);
    uint64_t state_of = 1;
    for (int round = 0; round < 300; round++) {
        memcpy(copy, data, size);
        for (int i = 0; i < 20; i++) {
            state_of =
                state_of * UINT64_C(6364136223846793005) + 1442695040888963407u;
            copy[INDEX_HEAD + (state_of >> 33) % (size - INDEX_HEAD - 1)] =
                (uint8_t)(state_of >> 20);
        }
        if (index_open(copy, size, &v, &err) == ETNA_OK)
            find_assets(&v, "a red chair under 1 m", &plain, &r, &err);
    }
    free(copy);
    free(data);
}

/* Whoever asks for docs that grow by steps hears what asking for each says. */
static void walks_as_it_is_asked(const index_list *l, uint32_t docs)
{
    static const uint32_t steps[] = {1, 2, 7, 63, 64, 65, 200, 700};
    for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
        for (uint32_t from = 0; from < 3; from++) {
            index_walk w = index_walk_along(l);
            for (uint32_t doc = from; doc <= docs; doc += steps[k]) {
                const bool is_in = index_list_has(l, doc);
                assert_int_equal(index_walk_to(&w, doc) != NULL, is_in);
                assert_int_equal(index_walk_to(&w, doc) != NULL, is_in);
            }
        }
    }
}

/* Some words in all docs, some in few and far between: each list tells its own
 * docs, by walking and by asking, and bytes that are cut tell none that is
 * not. */
static void long_lists_tell_their_docs(void **state)
{
    (void)state;
    enum {
        DOCS = 1500
    };
    static const struct {
        const char *word;
        uint32_t each, from;
    } words[] = {
        {"chair", 1, 0}, {"vase", 3, 1}, {"lamp", 131, 7}, {"sofa", 1499, 0}};
    etna_arena arena = ETNA_ARENA_INIT;
    const index_options options = {.threads = 1};
    asset *all = calloc(DOCS, sizeof *all);
    uint8_t *data = NULL;
    size_t size = 0;
    uint32_t docs = 0;
    index_view v;
    for (uint32_t i = 0; i < DOCS; i++) {
        char tags[100] = "";
        all[i] = asset_empty();
        all[i].hash.bytes[0] = (uint8_t)(i >> 8);
        all[i].hash.bytes[1] = (uint8_t)i;
        all[i].hash.bytes[2] = 1;
        for (size_t k = 0; k < 4; k++) {
            bool is_in =
                i >= words[k].from && (i - words[k].from) % words[k].each == 0;
            if (is_in)
                strcat(strcat(tags, " "), words[k].word);
        }
        all[i].tags = etna_arena_strdup(&arena, tags);
    }
    assert_int_equal(
        index_build(all, DOCS, &options, &data, &size, &docs, NULL), ETNA_OK);
    assert_int_equal(docs, DOCS);
    assert_int_equal(index_open(data, size, &v, NULL), ETNA_OK);
    for (size_t k = 0; k < 4; k++) {
        const index_list l = index_find(&v, words[k].word);
        index_list walk = l;
        index_posting p;
        uint32_t next = words[k].from;
        uint32_t most = 0;
        while (index_list_next(&walk, &p)) {
            assert_int_equal(p.doc, next);
            assert_true(p.named);
            next += words[k].each;
            most = p.impact > most ? p.impact : most;
        }
        assert_int_equal(l.most, most);
        assert_true(l.has_names);
        assert_true(next >= DOCS);
        for (uint32_t i = 0; i < DOCS; i++) {
            bool is_in =
                i >= words[k].from && (i - words[k].from) % words[k].each == 0;
            assert_int_equal(index_list_has(&l, i), is_in);
        }
        assert_false(index_list_has(&l, DOCS));
        walks_as_it_is_asked(&l, DOCS);
    }
    free(data);
    free(all);
    etna_arena_free(&arena);
}

static void what_is_longer_is_of_no_less_a_class(void **state)
{
    (void)state;
    uint8_t before = 0;
    for (float metres = 0.0005F; metres < 300; metres *= 1.01F) {
        const uint8_t class = index_size_class(metres);
        assert_true(class >= before);
        before = class;
    }
    assert_int_equal(index_size_class(0), 0);
    assert_int_equal(index_size_class(-1), 0);
    assert_int_equal(index_size_class(0.001F), 0);
    assert_true(index_size_class(0.5F) < index_size_class(0.55F));
    assert_int_equal(before, UINT8_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_longer_is_of_no_less_a_class),
        cmocka_unit_test(long_lists_tell_their_docs),
        cmocka_unit_test(a_record_comes_back_as_it_was),
        cmocka_unit_test(the_index_is_the_same_for_any_order_of_files),
        cmocka_unit_test(the_index_is_the_same_for_any_number_of_threads),
        cmocka_unit_test(equal_contents_are_one_asset_with_all_its_names),
        cmocka_unit_test(a_front_that_was_seen_turns_a_file_and_no_catalogue),
        cmocka_unit_test(copies_in_many_files_are_one_asset),
        cmocka_unit_test(an_index_of_nothing_finds_nothing),
        cmocka_unit_test(a_damaged_index_is_refused_or_read_within_its_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
