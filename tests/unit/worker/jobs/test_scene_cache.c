/* Warm scenes under many hands: tasks of a scene that comes cold come several
 * at once. */
#include "worker/gltf/bundle.h"
#include "worker/jobs/scene_cache.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
    HANDS = 6
};

typedef struct hand {
    job_shared *shared;
    pthread_barrier_t *start;
    etna_hash hash;
    uint8_t *bundle;
    size_t size;
    cached_scene *got;
    etna_code code;
} hand;

static void *import(void *context)
{
    hand *h = context;
    pthread_barrier_wait(h->start);
    h->code = scene_cache_import(h->shared, &h->hash, h->bundle, h->size,
                                 &h->got, NULL);
    return NULL;
}

/* All at once; a hand whose bundle is cut short fails. */
static void import_all(job_shared *shared, hand *hands, bool cut)
{
    char path[4096];
    scene_options options = scene_options_default();
    uint8_t *bundle;
    size_t size;
    pthread_t threads[HANDS];
    pthread_barrier_t start;
    snprintf(path, sizeof path, "%s/scenes/bottles.glb", ETNA_BINARY_DIR);
    assert_int_equal(bundle_read(path, &options, &bundle, &size, NULL),
                     ETNA_OK);
    etna_hash hash = etna_hash_bytes(bundle, size);
    pthread_barrier_init(&start, NULL, HANDS);
    for (int i = 0; i < HANDS; i++) {
        hands[i] = (hand){.shared = shared,
                          .start = &start,
                          .hash = hash,
                          .size = cut ? size / 2 : size};
        hands[i].bundle = malloc(size);
        assert_non_null(hands[i].bundle);
        memcpy(hands[i].bundle, bundle, size);
        assert_int_equal(pthread_create(&threads[i], NULL, import, &hands[i]),
                         0);
    }
    for (int i = 0; i < HANDS; i++)
        pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&start);
    free(bundle);
}

/* Else a large scene takes the memory of as many as there are processors. */
static void a_scene_that_many_want_at_once_is_imported_once(void **state)
{
    (void)state;
    job_shared *shared;
    hand hands[HANDS];
    assert_int_equal(job_shared_new((size_t)1 << 30, &shared, NULL), ETNA_OK);
    import_all(shared, hands, false);
    for (int i = 0; i < HANDS; i++) {
        assert_int_equal(hands[i].code, ETNA_OK);
        assert_ptr_equal(hands[i].got, hands[0].got);
    }
    assert_int_equal(scene_cache_imports(shared), 1);
    assert_int_equal(hands[0].got->kept.item.pins, HANDS);
    for (int i = 0; i < HANDS; i++)
        scene_cache_release(shared, hands[i].got);
    job_shared_free(shared);
}

static void who_waits_for_an_import_that_fails_tries_himself(void **state)
{
    (void)state;
    job_shared *shared;
    hand hands[HANDS];
    assert_int_equal(job_shared_new((size_t)1 << 30, &shared, NULL), ETNA_OK);
    import_all(shared, hands, true);
    for (int i = 0; i < HANDS; i++)
        assert_int_not_equal(hands[i].code, ETNA_OK);
    assert_int_equal(scene_cache_imports(shared), HANDS);
    job_shared_free(shared);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_scene_that_many_want_at_once_is_imported_once),
        cmocka_unit_test(who_waits_for_an_import_that_fails_tries_himself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
