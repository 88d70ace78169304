/* What the agents are told of a scene that a table of sentences names. */
#ifndef ETNA_TESTS_AGENTS_SCENE_FACTS_H
#define ETNA_TESTS_AGENTS_SCENE_FACTS_H

/* The facts JSON of a fixture of the build, "composed/NAME" among them, of
 * "house" or "tea_set", or of "goals/NAME" beside the test data; the caller
 * frees. NULL: the scene is not here. Fails the test when it can't be read. */
char *scene_facts(const char *name);

#endif
