/* Private to the room: the files of templates/, compiled in
 * (cmake/embed.cmake). */
#ifndef ETNA_COORDINATOR_LAUNCH_TEMPLATE_H
#define ETNA_COORDINATOR_LAUNCH_TEMPLATE_H

typedef struct launch_template {
    /* the file's name */
    const char *name;
    /* its text, where @KEY@ stands for a value of the plan */
    const char *text;
} launch_template;

extern const launch_template launch_templates[]; /* ends with a NULL name */

#endif
