/* The fixture scenes, a file each (or one for those that are alike); README.md
 * says what each is for. Each function writes its scenes into an existing
 * folder and ends the program when it cannot. */
#ifndef ETNA_TESTS_SCENES_SCENES_H
#define ETNA_TESTS_SCENES_SCENES_H

/* bottles, bottles_plain, desk, crowded, crowded_strip, stacked */
void scenes_table(const char *folder);
void scenes_office(const char *folder);
void scenes_kitchen(const char *folder);
void scenes_study(const char *folder);
void scenes_shelf(const char *folder);
void scenes_outdoor(const char *folder);
void scenes_living(const char *folder);
void scenes_closed(const char *folder); /* the only one without a camera */

#endif
