/* The kinds of things: pairs of everyday words, British and American, that must
 * and must not be taken for one another. */
#include "proto/seed.h"
#include "worker/builtin/language/kinds.h"
#include "worker/builtin/language/kinds_table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

enum nearness {
    SAME,
    ABOVE,
    NEAR,
    BELOW,
    NONE
};
static const char *const nearness_names[] = {"same", "above", "near", "below",
                                             "unrelated"};

static enum nearness nearness_of(uint32_t distance)
{
    if (distance == KINDS_UNRELATED)
        return NONE;
    if (distance < KINDS_STEP)
        return SAME;
    if (distance < KINDS_NEAR)
        return ABOVE;
    return distance < KINDS_BELOW ? NEAR : BELOW;
}

typedef struct pair {
    const char *named, *said;
    enum nearness nearness;
} pair;

static const pair pairs[] = {
    /* seats */
    {"couch", "sofa", SAME},
    {"sofa", "settee", SAME},
    {"sofa", "couch", SAME},
    {"outdoor sofa", "couch", ABOVE},
    {"sofa", "chair", NONE},
    {"chair", "sofa", NONE},
    {"armchair", "chair", ABOVE},
    {"armchair left", "chair", ABOVE},
    {"chair a wood", "chair", SAME},
    {"locker", "wardrobe", NEAR},
    {"armchair left", "armchair", SAME},
    {"lounge chair", "armchair", SAME},
    {"chair", "armchair", BELOW},
    {"chair", "recliner", BELOW},
    {"chair", "seat", ABOVE},
    {"chair", "furniture", ABOVE},
    {"stool", "chair", NONE},
    {"bar stool", "stool", ABOVE},
    {"deck chair", "chair", ABOVE},
    {"desk chair", "office chair", SAME},
    {"desk chair", "desk", NONE},
    {"deck chair", "beach chair", SAME},
    {"ottoman", "pouf", SAME},
    {"ottoman", "footstool", SAME},
    {"bench", "seat", ABOVE},
    {"workbench", "bench", NEAR},
    {"rocking chair", "chair", ABOVE},
    {"rocking horse", "chair", NONE},
    /* rare senses */
    {"coffee_machine", "car", NONE},
    {"dart board", "dining table", NONE},
    {"BookBlue", "clothes", NONE},
    {"teapot_lid", "hat", NONE},
    {"toy train", "cloth", NONE},
    {"RootNode", "computer", NONE},
    {"punching_bag", "ball", NONE},
    {"table leg", "food", NONE},
    /* tables */
    {"coffee table", "table", ABOVE},
    {"coffee table", "coffee", NONE},
    {"coffee table", "kitchen table", NONE},
    {"coffee table", "low table", SAME},
    {"side table", "end table", SAME},
    {"dining table", "table", ABOVE},
    {"dining table", "kitchen table", SAME},
    {"dining table", "dinner table", SAME},
    {"dining table", "desk", NONE},
    {"cafe table", "table", ABOVE},
    {"nightstand", "bedside table", SAME},
    {"nightstand", "night table", SAME},
    {"nightstand", "table", ABOVE},
    {"nightstand", "bed", NONE},
    {"desk", "writing desk", SAME},
    {"desk", "chair", NONE},
    {"workbench", "table", ABOVE},
    {"vanity", "dressing table", SAME},
    {"kitchen island", "counter", ABOVE},
    {"counter", "worktop", SAME},
    {"table", "chair", NONE},
    {"table", "data", NONE},
    {"table", "furniture", ABOVE},
    {"table lamp", "table", NONE},
    {"table cloth", "table", NONE},
    {"tablecloth", "table", NONE},
    {"pool table", "pool", NONE},
    /* storage */
    {"cupboard", "cabinet", SAME},
    {"cabinet", "cupboard", SAME},
    {"wardrobe", "closet", SAME},
    {"wardrobe", "armoire", SAME},
    {"wardrobe", "cupboard", NEAR},
    {"dresser", "chest of drawers", SAME},
    {"chest of drawers", "bureau", SAME},
    {"chest of drawers", "commode", SAME},
    {"dresser", "furniture", ABOVE},
    {"dresser", "drawers", SAME},
    {"sideboard", "buffet", SAME},
    {"sideboard", "cabinet", ABOVE},
    {"bookcase", "bookshelf", SAME},
    {"bookcase", "book shelf", SAME},
    {"bookcase", "book", NONE},
    {"bookcase", "shelf", ABOVE},
    {"shelf unit", "bookcase", SAME},
    {"wall shelf", "shelf", ABOVE},
    {"shelf", "shelves", SAME},
    {"filing cabinet", "cabinet", ABOVE},
    {"wall cabinet", "cupboard", ABOVE},
    {"medicine cabinet", "medicine", NONE},
    {"tv stand", "tv", NONE},
    {"tv stand", "television", NONE},
    {"tv stand", "stand", ABOVE},
    {"tv stand", "media console", SAME},
    {"tv stand", "furniture", ABOVE},
    {"coat rack", "coat", NONE},
    {"wine cabinet", "wine", NONE},
    {"shoe rack", "shoe", NONE},
    {"drying rack", "clothes horse", SAME},
    {"drying rack", "horse", NONE},
    /* containers */
    {"trash can", "bin", SAME},
    {"bin", "rubbish bin", SAME},
    {"trash can", "waste basket", SAME},
    {"trash can", "dustbin", SAME},
    {"trash can", "garbage can", SAME},
    {"bin", "basket", NEAR},
    {"hamper", "laundry basket", SAME},
    {"laundry basket", "basket", ABOVE},
    {"bucket", "pail", SAME},
    {"bucket", "container", ABOVE},
    {"box large", "box", SAME},
    {"box", "container", ABOVE},
    {"crate", "box", ABOVE},
    {"toy box", "box", ABOVE},
    {"toy box", "toy chest", SAME},
    {"toybox", "box", ABOVE},
    {"toolbox", "tool", NONE},
    {"suitcase", "luggage", ABOVE},
    {"suitcase", "bag", ABOVE},
    {"backpack", "rucksack", SAME},
    {"tin red", "can", SAME},
    {"jewel box", "jewelry box", SAME},
    {"vase", "vessel", ABOVE},
    {"vase", "jug", NONE},
    {"vase", "decoration", ABOVE},
    {"bottle", "vessel", ABOVE},
    {"soap bottle", "bottle", ABOVE},
    {"bottle", "box", NONE},
    {"planter", "flower pot", SAME},
    {"planter", "plant", NONE},
    {"planter", "pot", SAME},
    /* crockery */
    {"mug", "cup", NEAR},
    {"cup", "mug", NEAR},
    {"red mug", "cup", NEAR},
    {"mug", "vessel", ABOVE},
    {"mug", "glass", NEAR},
    {"wine glass", "glass", ABOVE},
    {"tumbler", "glass", ABOVE},
    {"glass", "window", NONE},
    {"jug", "pitcher", SAME},
    {"glass jug", "pitcher", ABOVE},
    {"glass jug", "glass", NONE},
    {"plate", "dish", NEAR},
    {"plate", "crockery", ABOVE},
    {"bowl", "dish", NEAR},
    {"bowl", "stadium", NONE},
    {"bowl with fruits", "bowl", ABOVE},
    {"bowl with fruits", "fruit", NONE},
    {"spoon", "cutlery", ABOVE},
    {"spoon", "silverware", ABOVE},
    {"knife", "cutlery", ABOVE},
    {"fork", "spoon", NONE},
    {"frying pan", "pan", ABOVE},
    {"cutting board", "chopping board", SAME},
    {"salt shaker", "salt", SAME},
    {"paper towels", "kitchen roll", SAME},
    {"paper towels", "towel", ABOVE},
    {"teapot", "kettle", NEAR},
    {"plate", "book", NONE},
    /* appliances */
    {"fridge", "refrigerator", SAME},
    {"refrigerator", "fridge", SAME},
    {"fridge", "appliance", ABOVE},
    {"cooktop", "hob", SAME},
    {"cooktop", "stove", NEAR},
    {"stove", "cooker", SAME},
    {"oven", "stove", NEAR},
    {"extractor hood", "range hood", SAME},
    {"washing machine", "washer", SAME},
    {"dryer", "tumble dryer", SAME},
    {"microwave", "microwave oven", SAME},
    {"coffee machine", "coffee maker", SAME},
    {"coffee machine", "machine", ABOVE},
    {"toaster", "appliance", ABOVE},
    {"fridge", "stove", NONE},
    {"hair dryer", "washing machine", NONE},
    /* electronics */
    {"television", "tv", SAME},
    {"television", "telly", SAME},
    {"tv", "television set", SAME},
    {"television", "screen", NEAR},
    {"television", "electronics", ABOVE},
    {"television", "remote", NONE},
    {"remote control", "remote", SAME},
    {"remote control", "device", ABOVE},
    {"monitor", "screen", SAME},
    {"screen", "monitor", SAME},
    {"monitor", "lizard", NONE},
    {"laptop", "notebook", SAME},
    {"laptop", "computer", ABOVE},
    {"computer", "pc", SAME},
    {"phone", "telephone", SAME},
    {"mobile phone", "cell phone", SAME},
    {"mobile phone", "phone", ABOVE},
    {"game console", "playstation", SAME},
    {"game console", "console", SAME},
    {"mouse", "animal", ABOVE},
    /* light */
    {"lamp", "light", SAME},
    {"table lamp", "lamp", ABOVE},
    {"desk lamp", "light", ABOVE},
    {"floor lamp", "standard lamp", SAME},
    {"chandelier", "lamp", ABOVE},
    {"flashlight", "torch", SAME},
    {"candle", "fridge", NONE},
    {"lamp", "furniture", NONE},
    {"lantern", "light", ABOVE},
    /* walls and windows */
    {"painting", "picture", SAME},
    {"picture", "painting", SAME},
    {"poster", "picture", ABOVE},
    {"painting", "poster", NEAR},
    {"portrait", "picture", ABOVE},
    {"picture frame", "frame", SAME},
    {"painting", "decoration", ABOVE},
    {"curtain", "drapes", SAME},
    {"mirror", "looking glass", SAME},
    {"mirror", "window", NONE},
    {"clock", "watch", BELOW},
    {"alarm clock", "clock", ABOVE},
    /* textiles and clothes */
    {"rug", "carpet", SAME},
    {"carpet", "mat", NEAR},
    {"bath mat", "rug", ABOVE},
    {"cushion", "pillow", SAME},
    {"blue cushion", "pillow", ABOVE},
    {"pillow", "cushion", SAME},
    {"quilt", "duvet", SAME},
    {"blanket", "duvet", NEAR},
    {"shoes brown", "footwear", SAME},
    {"shoes brown", "shoe", SAME},
    {"hat", "clothing", ABOVE},
    {"cap", "hat", ABOVE},
    {"helmet", "hat", ABOVE},
    {"sneakers", "shoes", ABOVE},
    {"towel blue", "towel", SAME},
    /* beds and bathrooms */
    {"crib", "cot", SAME},
    {"crib", "bed", ABOVE},
    {"bunk bed", "bed", ABOVE},
    {"bed", "furniture", ABOVE},
    {"dog bed", "dog", NONE},
    {"sink", "washbasin", SAME},
    {"sink", "faucet", NONE},
    {"faucet", "tap", SAME},
    {"bathtub", "bath", SAME},
    {"toilet", "loo", SAME},
    {"toilet paper", "toilet", NONE},
    {"toilet brush", "toilet", NONE},
    /* living things and food */
    {"plant", "houseplant", SAME},
    {"plant", "pot plant", SAME},
    {"plant", "flower", NEAR},
    {"cactus", "plant", ABOVE},
    {"plant", "factory", NONE},
    {"tree", "plant", ABOVE},
    {"dog", "animal", ABOVE},
    {"dog", "cat", NONE},
    {"dog house", "kennel", SAME},
    {"dog house", "dog", NONE},
    {"orange", "fruit", ABOVE},
    {"orange", "plant", NONE},
    {"apple", "food", ABOVE},
    {"stone", "rock", SAME},
    /* toys, books, tools */
    {"teddy bear", "teddy", SAME},
    {"teddy bear", "toy", ABOVE},
    {"blue block", "cube", ABOVE},
    {"blue block", "toy", ABOVE},
    {"toy car", "car", ABOVE},
    {"toy car", "toy", ABOVE},
    {"doll house", "doll", NONE},
    {"doll house", "toy", ABOVE},
    {"football", "ball", ABOVE},
    {"basketball", "ball", ABOVE},
    {"football", "basketball", NONE},
    {"book red", "book", SAME},
    {"dino book", "book", ABOVE},
    {"magazine", "newspaper", NEAR},
    {"newspaper", "paper", SAME},
    {"bicycle", "bike", SAME},
    {"motorcycle", "bike", NONE},
    {"hammer", "tool", ABOVE},
    {"wrench", "spanner", SAME},
    {"drill", "animal", NONE},
    {"saw", "tool", ABOVE},
    {"shovel", "spade", SAME},
    {"step ladder", "ladder", ABOVE},
    {"traffic cone", "cone", SAME},
    {"parasol", "umbrella", NEAR},
    {"pram", "stroller", SAME},
    {"barbecue", "grill", SAME},
    {"picture book", "picture", NONE},
    {"flower pot", "flower", NONE},
    {"plant", "pot", NONE},
    /* parted and joined words, contents, what is of something else */
    {"tvstand", "tv", NONE},
    {"tvstand", "tv stand", SAME},
    {"vacuumcleaner", "hoover", SAME},
    {"gardenchair", "chair", ABOVE},
    {"stack of books", "book", ABOVE},
    {"set of keys", "key", ABOVE},
    {"cup of tea", "cup", ABOVE},
    {"cup of tea", "tea", NONE},
    {"light switch", "light", NONE},
    {"door handle", "door", NONE},
    {"fish tank", "fish", NONE},
    {"cookie jar", "cookie", NONE},
    {"vase", "jar", NEAR},
    {"jar", "vase", NEAR},
    {"vase", "vessel", ABOVE},
    {"dining chair", "dining table", NONE},
    {"guest chair", "guest", NONE},
    {"bishop white", "chess piece", ABOVE},
    /* too general to mean one */
    {"chair", "object", NONE},
    {"chair", "thing", NONE},
    {"mug", "entity", NONE},
    {"foam roller", "machine", NONE},
    {"foam roller", "rowing machine", NONE},
    {"rowing machine", "rower", SAME},
    {"lamp", "artifact", NONE},
};

static void test_everyday_pairs_are_as_near_as_people_mean_them(void **state)
{
    (void)state;
    int wrong = 0;
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        const pair *p = &pairs[i];
        uint32_t distance = kinds_distance(p->named, p->said);
        enum nearness found = nearness_of(distance);
        if (found == p->nearness)
            continue;
        print_message("\"%s\" for a thing named \"%s\": %s (%d), not %s\n",
                      p->said, p->named, nearness_names[found], (int)distance,
                      nearness_names[p->nearness]);
        wrong++;
    }
    assert_int_equal(wrong, 0);
}

static void
test_the_same_phrase_is_at_no_distance_though_no_word_of_it_is_known(
    void **state)
{
    (void)state;
    assert_int_equal(kinds_distance("Zorblax_Qwerty", "zorblax qwerty"), 0);
    assert_int_equal(kinds_distance("zorblax", "qwerty"), KINDS_UNRELATED);
    assert_int_equal(kinds_distance("", ""), KINDS_UNRELATED);
}

static void test_plurals_mean_what_their_singulars_do(void **state)
{
    (void)state;
    static const char *const words[][2] = {
        {"shelf", "shelves"}, {"knife", "knives"}, {"glass", "glasses"},
        {"mouse", "mice"},    {"box", "boxes"},    {"sofa", "couches"},
        {"bin", "trash cans"}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        uint32_t distance = kinds_distance(words[i][0], words[i][1]);
        if (distance >= KINDS_STEP)
            fail_msg("%s, %s: %u", words[i][0], words[i][1], distance);
    }
}

static void
test_a_name_without_a_known_word_is_found_by_its_ending_or_not_at_all(
    void **state)
{
    (void)state;
    kinds_id id;
    assert_true(kinds_find("quxish floor lamp", &id));
    assert_int_equal(id.words, 3);
    assert_int_equal(id.head_words, 2);
    assert_int_equal(id.self_count, 0);
    assert_false(kinds_find("zorb 042", &id));
    assert_int_equal(id.head_words, 0);
    assert_true(kinds_known("coffee tables"));
    assert_false(kinds_known("quxish table"));
    assert_false(kinds_known("quickly"));
}

static void test_the_table_keeps_its_order_and_its_size(void **state)
{
    (void)state;
    assert_true(kinds_entry_count > 20000);
    assert_true(kinds_block_count ==
                (kinds_entry_count + KINDS_BLOCK - 1) / KINDS_BLOCK);
    assert_true(kinds_block_at[kinds_block_count - 1] < 600 * 1000);
    for (size_t i = 1; i < kinds_further_count; i++)
        assert_true(kinds_further[i - 1].kind <= kinds_further[i].kind);
    for (size_t i = 0; i < kinds_further_count; i++) {
        assert_true(kinds_further[i].kind < kinds_group);
        assert_true(kinds_further[i].above != 0);
    }
}

static void random_text(etna_random *random, char *ret, size_t size)
{
    static const char letters[] = "aeinorstlcdhbmp -_s'";
    size_t length = (size_t)(etna_random_unit(random) * (double)size);
    bool is_wordy = etna_random_unit(random) < 0.7;
    for (size_t i = 0; i < length; i++) {
        double unit = etna_random_unit(random);
        int byte = 1 + (int)(unit * 255);
        ret[i] = is_wordy ? letters[(size_t)(unit * (sizeof letters - 1))]
                          : (char)byte;
    }
    ret[length] = 0;
}

static void test_any_bytes_are_taken(void **state)
{
    (void)state;
    etna_random random = etna_random_from(7);
    for (int i = 0; i < 30000; i++) {
        char a[160], b[160], lemma[8];
        random_text(&random, a, sizeof a - 1);
        random_text(&random, b, i % 2 ? 12 : sizeof b - 1);
        kinds_id id;
        kinds_find(a, &id);
        assert_true(id.self_count <= KINDS_SENSES_MAX &&
                    id.above_count <= KINDS_ABOVE_MAX);
        assert_true(id.head_words <= id.words);
        uint32_t distance = kinds_distance(a, b);
        assert_int_equal(distance, kinds_distance(a, b));
        kinds_noun readings[KINDS_READINGS_MAX];
        assert_true(kinds_noun_readings(b, readings) <= KINDS_READINGS_MAX);
        assert_true(kinds_lemma(b, lemma, sizeof lemma, NULL) < sizeof lemma);
        assert_true(kinds_verb_lemma(b, lemma, sizeof lemma) < sizeof lemma);
        assert_true(kinds_verb_class(b) <= KINDS_VERB_SWAP);
        kinds_word(b);
        kinds_known(b);
        assert_int_equal(kinds_spelling_distance(a, b),
                         kinds_spelling_distance(b, a));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_everyday_pairs_are_as_near_as_people_mean_them),
        cmocka_unit_test(
            test_the_same_phrase_is_at_no_distance_though_no_word_of_it_is_known),
        cmocka_unit_test(test_plurals_mean_what_their_singulars_do),
        cmocka_unit_test(
            test_a_name_without_a_known_word_is_found_by_its_ending_or_not_at_all),
        cmocka_unit_test(test_the_table_keeps_its_order_and_its_size),
        cmocka_unit_test(test_any_bytes_are_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
