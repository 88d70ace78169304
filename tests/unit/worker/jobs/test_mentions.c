/* What a sentence names, by names alone: mentions as "things" or "n of things",
 * '|' between them, '>' before what is not the first. */
#include "worker/jobs/mentions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum {
    OBJECTS = 13
};
static const char *const names[OBJECTS] = {
    "ChairA_01_001", "ChairA_01_002",     "Long Chair",   "TVCabinet_01_001",
    "TV_01_001",     "KitchenCabinet_01", "Trash_01_001", "Trash_01_002",
    "Cube",          "Cube.001",          "FloorB_01",    "Bed",
    "Couch_02"};

static void world(scene *s, scene_object *objects)
{
    memset(objects, 0, OBJECTS * sizeof *objects);
    *s = (scene){.object_count = OBJECTS, .objects = objects};
    for (uint32_t i = 0; i < OBJECTS; i++) {
        objects[i].name = (char *)(uintptr_t)names[i];
        objects[i].box.half = v3(0.3, 0.3, 0.3);
    }
    objects[10].is_static = true;
    objects[10].box.half = v3(4, 3, 0.1);
}

static void each_mention_is_what_bears_most_of_its_words(void **state)
{
    (void)state;
    static const struct {
        const char *text, *mentions;
    } rows[] = {
        {"Put the bed on the floor", "Bed"}, /* a floor is in every picture */
        {"Put a chair in front of the TV cabinet",
         "1 of ChairA_01_001 ChairA_01_002 Long Chair|>TVCabinet_01_001"},
        {"Put both trash cans next to the bed",
         "Trash_01_001 Trash_01_002|>Bed"},
        {"put the long chairs by the tv", "Long Chair|>TV_01_001"},
        {"Put all chairs on the bed",
         "ChairA_01_001 ChairA_01_002 Long Chair|>Bed"},
        {"Move one of the chairs to the bed",
         "1 of ChairA_01_001 ChairA_01_002 Long Chair|>Bed"},
        {"Stack Cube.001 on Cube. Put the bed on Cube.001",
         "Cube.001|>Cube|Bed|>Cube.001"},
        {"Put ChairA_01_002 on trash 1",
         /* which number counts is for a reader to say */
         "ChairA_01_002|>1 of Trash_01_001 Trash_01_002"},
        /* another word for it */
        {"Put the tv on the settee", "TV_01_001|>Couch_02"},
        {"Make it cosy", ""},
        {"", ""},
    };
    scene s;
    scene_object objects[OBJECTS];
    world(&s, objects);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        mention list[MENTIONS_MAX];
        uint32_t count = 0;
        char text[900] = "";
        mentions_find(&s, rows[i].text, list, &count);
        for (uint32_t k = 0; k < count; k++) {
            size_t used = strlen(text);
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s",
                                     k ? "|" : "", list[k].first ? "" : ">");
            if (list[k].need < list[k].count)
                used += (size_t)snprintf(text + used, sizeof text - used,
                                         "%u of ", list[k].need);
            for (uint32_t n = 0; n < list[k].count; n++)
                used +=
                    (size_t)snprintf(text + used, sizeof text - used, "%s%s",
                                     n ? " " : "", names[list[k].objects[n]]);
        }
        if (strcmp(text, rows[i].mentions) != 0)
            fail_msg("\"%s\": %s", rows[i].text, text);
    }
}

static void a_picture_of_the_place_is_worth_more_than_one_of_the_thing(
    void **state)
{
    (void)state;
    scene s;
    scene_object objects[OBJECTS];
    mention list[MENTIONS_MAX];
    uint32_t count = 0;
    bool shown[OBJECTS] = {false};
    world(&s, objects);
    mentions_find(&s, "Put both trash cans on the bed", list, &count);
    assert_int_equal(mentions_worth(list, count, shown), 0);
    shown[6] = true;
    assert_int_equal(mentions_worth(list, count, shown), 0); /* one of two */
    shown[7] = true;
    assert_int_equal(mentions_worth(list, count, shown), 1);
    shown[11] = true;
    assert_int_equal(mentions_worth(list, count, shown), 3);
    shown[6] = false;
    assert_int_equal(mentions_worth(list, count, shown), 2);
}

static void a_hostile_text_fills_no_more_than_there_is(void **state)
{
    (void)state;
    scene s;
    scene_object objects[OBJECTS];
    mention list[MENTIONS_MAX];
    char text[8000];
    world(&s, objects);
    for (size_t i = 0; i + 5 < sizeof text; i += 5)
        memcpy(text + i, i % 3 ? "bed 0" : "\xFF.tv ", 6);
    uint32_t count = 0;
    for (int i = 0; i < 3; i++)
        mentions_find(&s, text, list, &count);
    assert_true(count <= MENTIONS_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_mention_is_what_bears_most_of_its_words),
        cmocka_unit_test(
            a_picture_of_the_place_is_worth_more_than_one_of_the_thing),
        cmocka_unit_test(a_hostile_text_fills_no_more_than_there_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
