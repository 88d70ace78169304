/* Verbs. Some are verbs wherever a clause may begin; the many rarer ways to say "put" are nouns or adjectives elsewhere
 * ("a plant", "the back"), and count only where the thing that is moved follows them: "plant the red box on the tray".
 * What does something else to a thing (wash, cut, open) is in no list, and the sentence is refused. */
#include "worker/model/builtin_read_own.h"

static const struct {
    const char *word;
    verb verb;
} verbs[] = {{"put", VERB_PUT},          {"puts", VERB_PUT},       {"move", VERB_PUT},     {"moves", VERB_PUT},
             {"place", VERB_PUT},        {"set", VERB_PUT},        {"lay", VERB_PUT},      {"stand", VERB_PUT},
             {"bring", VERB_TAKE},       {"transfer", VERB_PUT},   {"shift", VERB_PUT},    {"carry", VERB_PUT},
             {"relocate", VERB_PUT},     {"rest", VERB_PUT},       {"position", VERB_PUT}, {"slide", VERB_PUT},
             {"push", VERB_PUT},         {"pull", VERB_PUT},       {"shove", VERB_PUT},    {"drag", VERB_PUT},
             {"stick", VERB_PUT},        {"drop", VERB_PUT},       {"pop", VERB_PUT},      {"plonk", VERB_PUT},
             {"plop", VERB_PUT},         {"deposit", VERB_PUT},    {"leave", VERB_PUT},    {"park", VERB_PUT},
             {"nestle", VERB_PUT},       {"tuck", VERB_PUT},       {"perch", VERB_PUT},    {"prop", VERB_PUT},
             {"arrange", VERB_PUT},      {"situate", VERB_PUT},    {"locate", VERB_PUT},   {"gather", VERB_PUT},
             {"collect", VERB_PUT},      {"load", VERB_PUT},       {"keep", VERB_PUT},     {"send", VERB_PUT},
             {"station", VERB_PUT},      {"seat", VERB_PUT},       {"hang", VERB_HANG},    {"mount", VERB_HANG},
             {"transport", VERB_PUT},    {"reposition", VERB_PUT}, {"stash", VERB_PUT},    {"store", VERB_PUT},
             {"return", VERB_PUT},       {"settle", VERB_PUT},     {"lean", VERB_PUT},     {"install", VERB_PUT},
             {"insert", VERB_PUT},       {"haul", VERB_PUT},       {"lower", VERB_PUT},    {"raise", VERB_PUT},
             {"pile", VERB_STACK},       {"stack", VERB_STACK},    {"take", VERB_TAKE},    {"remove", VERB_TAKE},
             {"get", VERB_TAKE},         {"fetch", VERB_TAKE},     {"grab", VERB_TAKE},    {"lift", VERB_TAKE},
             {"pick", VERB_TAKE},        {"swap", VERB_SWAP},      {"switch", VERB_SWAP},  {"exchange", VERB_SWAP},
             {"interchange", VERB_SWAP}, {"trade", VERB_SWAP},     {"clear", VERB_CLEAR},  {"empty", VERB_CLEAR},
             {"unload", VERB_CLEAR},     {"free", VERB_CLEAR},     {"turn", VERB_TURN},    {"rotate", VERB_TURN},
             {"spin", VERB_TURN},        {"pivot", VERB_TURN},     {"orient", VERB_TURN},  {"point", VERB_TURN},
             {"twist", VERB_TURN},       {"swivel", VERB_TURN},    {"line", VERB_LINE},    {"align", VERB_LINE},
             {"centre", VERB_CENTRE},    {"center", VERB_CENTRE}};

static const char *const putting[] = {
    "assemble", "attach",   "back",      "balance", "bung",     "butt",      "cart",     "cast",      "chuck",
    "conceal",  "convey",   "cram",      "deliver", "dip",      "ditch",     "dump",     "ease",      "edge",
    "embed",    "ensconce", "ferry",     "fit",     "flick",    "fling",     "guide",    "heap",      "heave",
    "heft",     "hide",     "hike",      "hurl",    "inch",     "jam",       "jostle",   "juxtapose", "kick",
    "land",     "lob",      "lodge",     "lug",     "maneuver", "manoeuvre", "migrate",  "nail",      "nudge",
    "offload",  "pack",     "pass",      "pitch",   "plant",    "plump",     "plunk",    "pose",      "press",
    "propel",   "punt",     "rearrange", "rehome",  "relegate", "repark",    "replant",  "reshelve",  "restack",
    "roll",     "rush",     "sandwich",  "schlep",  "scoot",    "shelve",    "shepherd", "shunt",     "shuttle",
    "sit",      "slam",     "slap",      "sling",   "slip",     "slot",      "smuggle",  "sneak",     "snuggle",
    "squash",   "squeeze",  "steer",     "stow",    "stuff",    "throw",     "thrust",   "toss",      "tote",
    "tow",      "truck",    "trundle",   "tug",     "usher",    "wedge",     "wheel",    "whisk",     "wiggle",
    "yank",     NULL};
static const char *const hanging[] = {"affix", "dangle", "hoist", "hook", "pin", "remount", "rehang", "suspend", NULL};
static const char *const taking[] = {"detach", "dislodge", "displace", "draw",    "eject",  "evict",    "extract",
                                     "oust",   "pluck",    "pry",      "relieve", "snatch", "withdraw", NULL};
static const char *const turning[] = {"aim", "angle", "revolve", "reorient", "swing", "twirl", "whirl", NULL};

/* Does something that can be moved begin at i? "the", "both", "it", "three", a name. */
static bool thing_follows(const reader *r, uint32_t i)
{
    static const char *const starts[] = {"the",        "a",        "an",   "all",  "both",  "every", "each",
                                         "any",        "some",     "it",   "them", "this",  "that",  "these",
                                         "those",      "my",       "your", "its",  "their", "one",   "another",
                                         "everything", "whatever", "our",  NULL};
    static const char *const particles[] = {"up", "down", "over", "out", "back", "off", "away", NULL};
    if (is_one_of(r, i, particles)) i++;
    return i < r->count && (r->words[i].quoted || is_one_of(r, i, starts) || builtin_number(r->words[i].text) > 0);
}

verb reader_verb_at(const reader *r, uint32_t i)
{
    for (size_t k = 0; k < sizeof verbs / sizeof verbs[0]; k++) {
        if (is_word(r, i, verbs[k].word)) return verbs[k].verb;
    }
    if (!thing_follows(r, i + 1)) return VERB_NONE;
    if (is_one_of(r, i, turning)) return VERB_TURN;
    if (is_one_of(r, i, hanging)) return VERB_HANG;
    if (is_one_of(r, i, taking)) return VERB_TAKE;
    if (is_word(r, i, "queue")) return VERB_LINE;
    return is_one_of(r, i, putting) ? VERB_PUT : VERB_NONE;
}

bool reader_is_verb(const reader *r, uint32_t i) { return reader_verb_at(r, i) != VERB_NONE; }
