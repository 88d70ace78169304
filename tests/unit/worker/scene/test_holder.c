/* What a node that only holds others stands for: one thing with parts, or a
 * group of things, as programs that draw rooms make both. */
#include "help.h"
#include "proto/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static gltf_builder *b;

static uint32_t holder(const char *name, uint32_t parent)
{
    gltf_builder_node node = gltf_builder_node_default(name);
    node.parent = parent;
    return gltf_builder_add_node(b, &node);
}

/* A box around a place, in the world's frame. */
static uint32_t box(const char *name,
                    uint32_t parent,
                    vec3 centre,
                    double x,
                    double y,
                    double z)
{
    const double t[3] = {centre.x, centre.z, -centre.y};
    gltf_builder_node node = gltf_builder_node_default(name);
    node.parent = parent;
    node.mesh = gltf_builder_box_mesh(b, v3(x, y, z), GLTF_NONE);
    node.translation = t;
    return gltf_builder_add_node(b, &node);
}

/* Two more roots, so that none is the only one. */
static void begin(void)
{
    b = gltf_builder_new();
    box("Crate", GLTF_NONE, v3(-4, -4, 0.2), 0.4, 0.4, 0.4);
    box("Barrel", GLTF_NONE, v3(4, 4, 0.2), 0.4, 0.4, 0.4);
}

static bool has(const scene *s, const char *name)
{
    for (uint32_t i = 0; i < s->object_count; i++) {
        if (strcmp(s->objects[i].name, name) == 0)
            return true;
    }
    return false;
}

static void expect_objects(const char *const *names, uint32_t count)
{
    opened o = open_builder(b);
    for (uint32_t i = 0; i < count; i++) {
        if (!has(o.s, names[i]))
            fail_msg("no object \"%s\"", names[i]);
    }
    assert_int_equal(o.s->object_count, count + 2);
    close_opened(&o);
}

/* A seat with a back and four legs, all standing exactly on each other. */
static void chair(const char *name, uint32_t parent, double x, double y)
{
    const uint32_t at = holder(name, parent);
    box("seat", at, v3(x, y, 0.43), 0.4, 0.4, 0.06);
    box("back", at, v3(x, y + 0.18, 0.66), 0.4, 0.04, 0.4);
    for (int k = 0; k < 4; k++)
        box("leg", at,
            v3(x + (k & 1 ? 0.18 : -0.18), y + (k & 2 ? 0.18 : -0.18), 0.2),
            0.04, 0.04, 0.4);
}

/* A plate on four legs, under which there is room. */
static void table(const char *name, uint32_t parent)
{
    const uint32_t at = holder(name, parent);
    box("plate", at, v3(0, 0, 0.72), 1.6, 0.9, 0.04);
    for (int k = 0; k < 4; k++)
        box("leg", at, v3(k & 1 ? 0.75 : -0.75, k & 2 ? 0.4 : -0.4, 0.35), 0.05,
            0.05, 0.7);
}

static void what_stands_on_its_legs_is_one_thing(void **state)
{
    (void)state;
    static const char *const wanted[] = {"Chair"};
    begin();
    chair("Chair", GLTF_NONE, 0, 0);
    expect_objects(wanted, COUNT_OF(wanted));
}

static void parts_that_are_named_after_it_are_one_thing(void **state)
{
    (void)state;
    static const char *const wanted[] = {"Luggage_Cart"};
    begin();
    const uint32_t cart = holder("Luggage_Cart", GLTF_NONE);
    box("Cart_Wheels", cart, v3(0, 0, 0.05), 0.9, 0.5, 0.1);
    box("CartPlatform", cart, v3(0, 0, 0.13), 1.1, 0.6, 0.06);
    box("cart hoop", cart, v3(0, 0, 0.9), 1.1, 0.05, 1.48);
    expect_objects(wanted, COUNT_OF(wanted));
}

static void a_mesh_of_several_materials_is_one_thing(void **state)
{
    (void)state;
    static const char *const wanted[] = {"Lamp"};
    begin();
    const uint32_t lamp = holder("Lamp", GLTF_NONE);
    box("Lamp_Metal_0", lamp, v3(0, 0, 0.05), 0.3, 0.3, 0.1);
    box("Lamp_Glass_0", lamp, v3(0, 0, 0.5), 0.3, 0.3, 0.3);
    box("Lamp_Paper_0", lamp, v3(0.5, 0, 0.5), 0.3, 0.3, 0.3);
    expect_objects(wanted, COUNT_OF(wanted));
}

/* Nobody named its meshes; they stand on each other as a table's things do. */
static void parts_that_a_program_has_named_are_one_thing(void **state)
{
    (void)state;
    static const char *const wanted[] = {"Stool"};
    begin();
    const uint32_t stool = holder("Stool", GLTF_NONE);
    box("Cylinder.001", stool, v3(0, 0, 0.02), 0.4, 0.4, 0.04);
    box("Cylinder.002", stool, v3(0, 0, 0.29), 0.05, 0.05, 0.5);
    box("pCube3", stool, v3(0, 0, 0.56), 0.4, 0.4, 0.04);
    expect_objects(wanted, COUNT_OF(wanted));
}

/* All one stack, and a book leans against the shelf's side. */
static void what_is_named_a_group_is_one_where_its_things_have_names(
    void **state)
{
    (void)state;
    static const char *const wanted[] = {"Shelf", "Book", "Vase"};
    begin();
    const uint32_t zone = holder("Zone_3", GLTF_NONE);
    const uint32_t shelf = holder("Shelf", zone);
    box("board_low", shelf, v3(0, 0, 0.02), 0.9, 0.3, 0.04);
    box("board_top", shelf, v3(0, 0, 1.02), 0.9, 0.3, 0.04);
    box("side_left", shelf, v3(-0.47, 0, 0.52), 0.04, 0.3, 1.04);
    box("Book", zone, v3(-0.43, 0, 0.19), 0.04, 0.2, 0.3);
    box("Vase", zone, v3(0.2, 0, 1.14), 0.1, 0.1, 0.2);
    expect_objects(wanted, COUNT_OF(wanted));
}

/* Their boxes cut the table's, and they touch nothing of it. */
static void chairs_that_are_pushed_in_are_things_of_their_own(void **state)
{
    (void)state;
    static const char *const wanted[] = {"Table", "Chair_1", "Chair_2"};
    begin();
    const uint32_t set = holder("Dining_Set", GLTF_NONE);
    table("Table", set);
    chair("Chair_1", set, -0.35, 0.3);
    chair("Chair_2", set, 0.35, 0.3);
    expect_objects(wanted, COUNT_OF(wanted));
}

/* A carpet under all, a cushion that leans into its sofa's box, and a group
 * within the group. */
static void a_group_of_things_is_opened_with_the_groups_in_it(void **state)
{
    (void)state;
    static const char *const wanted[] = {"Rug",   "Sofa",    "Cushion",
                                         "Table", "Chair_1", "Vase",
                                         "Clock", "Mirror"};
    begin();
    const uint32_t group = holder("Seating_Group", GLTF_NONE);
    box("Rug", group, v3(0, 0, 0.005), 4, 4, 0.01);
    const uint32_t sofa = holder("Sofa", group);
    box("frame", sofa, v3(0, 1.5, 0.21), 2, 0.8, 0.4);
    box("back", sofa, v3(0, 1.85, 0.6), 2, 0.1, 0.5);
    box("Cushion", group, v3(0.4, 1.7, 0.6), 0.4, 0.2, 0.38);
    table("Table", group);
    chair("Chair_1", group, 0, -1.5);
    const uint32_t decor = holder("group_12", group);
    box("Clock", decor, v3(-3, 0, 1.8), 0.3, 0.05, 0.3);
    box("Mirror", decor, v3(3, 0, 1.5), 0.5, 0.05, 0.8);
    box("Vase", decor, v3(-3, 2, 0.2), 0.2, 0.2, 0.4);
    expect_objects(wanted, COUNT_OF(wanted));
}

static void walls_doors_and_floors_of_one_node_are_things_of_their_own(
    void **state)
{
    (void)state;
    static const char *const wanted[] = {"Floor", "Wall_Back", "Wall_Left",
                                         "Lift_Doors"};
    begin();
    const uint32_t house = holder("Architecture", GLTF_NONE);
    box("Floor", house, v3(0, 0, -0.05), 10, 10, 0.1);
    box("Wall_Back", house, v3(0, 4.95, 1.25), 10, 0.1, 2.5);
    box("Wall_Left", house, v3(-4.95, 0, 1.25), 0.1, 9.8, 2.5);
    box("Lift_Doors", house, v3(2, 4.88, 1), 1.2, 0.06, 2);
    expect_objects(wanted, COUNT_OF(wanted));
}

static void what_hangs_from_the_floors_node_is_a_thing_of_its_own(void **state)
{
    (void)state;
    static const char *const wanted[] = {"Ground", "Box", "Chest", "Chair"};
    begin();
    const uint32_t ground =
        box("Ground", GLTF_NONE, v3(0, 0, -0.05), 10, 10, 0.1);
    box("Box", ground, v3(1, 0, 0.25), 0.4, 0.4, 0.4);
    box("Chest", ground, v3(2, 0, 0.25), 0.4, 0.4, 0.4);
    chair("Chair", ground, -2, 0);
    expect_objects(wanted, COUNT_OF(wanted));
}

static void what_stands_on_its_parents_top_is_a_thing_of_its_own(void **state)
{
    (void)state;
    static const char *const wanted[] = {"Desk", "Lamp", "Laptop", "Stand"};
    begin();
    const uint32_t desk =
        box("Desk", GLTF_NONE, v3(0, 0, 0.37), 1.4, 0.7, 0.74);
    box("Lamp", desk, v3(0.5, 0, 0.57), 0.1, 0.1, 0.4);
    box("Laptop", desk, v3(0, 0, 0.38), 0.3, 0.2, 0.02);
    const uint32_t stand =
        box("Stand", GLTF_NONE, v3(2, 0, 0.2), 0.4, 0.4, 0.4);
    box("StandRim", stand, v3(0.1, 0, 0.21), 0.1, 0.4, 0.02);
    box("StandEdge", stand, v3(-0.1, 0, 0.21), 0.1, 0.4, 0.02);
    expect_objects(wanted, COUNT_OF(wanted));
}

/* Moved against its neighbour it leaves two stacks, which would be no group. */
static void a_result_is_divided_as_its_input_was(void **state)
{
    (void)state;
    size_t size;
    begin();
    const uint32_t group = holder("Luggage", GLTF_NONE);
    box("Trunk", group, v3(0, 0, 0.25), 0.8, 0.5, 0.5);
    box("Bag", group, v3(1.2, 0, 0.2), 0.4, 0.3, 0.4);
    box("Case", group, v3(0, 1.5, 0.25), 0.5, 0.3, 0.5);
    opened o = open_builder(b);
    assert_int_equal(o.s->object_count, 5);
    uint8_t *glb = export_moved(&o, "Bag", v3(-0.605, 0, 0), 0, &size);
    opened result = open_glb(glb, size);
    free(glb);
    assert_int_equal(result.s->object_count, 5);
    assert_true(has(result.s, "Trunk") && has(result.s, "Bag") &&
                has(result.s, "Case"));
    close_opened(&result);
    close_opened(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_stands_on_its_parents_top_is_a_thing_of_its_own),
        cmocka_unit_test(a_result_is_divided_as_its_input_was),
        cmocka_unit_test(what_stands_on_its_legs_is_one_thing),
        cmocka_unit_test(parts_that_are_named_after_it_are_one_thing),
        cmocka_unit_test(a_mesh_of_several_materials_is_one_thing),
        cmocka_unit_test(parts_that_a_program_has_named_are_one_thing),
        cmocka_unit_test(
            what_is_named_a_group_is_one_where_its_things_have_names),
        cmocka_unit_test(chairs_that_are_pushed_in_are_things_of_their_own),
        cmocka_unit_test(what_hangs_from_the_floors_node_is_a_thing_of_its_own),
        cmocka_unit_test(a_group_of_things_is_opened_with_the_groups_in_it),
        cmocka_unit_test(
            walls_doors_and_floors_of_one_node_are_things_of_their_own)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
