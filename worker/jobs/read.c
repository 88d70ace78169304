/* The read task: a text model reads the goal before the first plan. It needs
 * the scene's names alone. */
#include "worker/agents/reader.h"
#include "worker/jobs/task.h"

static void read_look(job *j)
{
    const scene *s = j->warm->scene;
    reader_thing *things =
        etna_arena_alloc(&j->arena, s->object_count, sizeof *things);
    if (!things) {
        j->error.code = etna_fail(&j->error, ETNA_E_NOMEM,
                                  "out of memory for the names of a scene");
        return;
    }
    for (uint32_t i = 0; i < s->object_count; i++) {
        const scene_object *o = &s->objects[i];
        things[i] =
            (reader_thing){.name = o->name,
                           .kind = *o->category ? o->category : o->description,
                           .is_static = o->is_static || o->immovable};
    }
    j->error.code = reader_begin(&j->task, things, s->object_count, &j->agent,
                                 &j->step, &j->error);
}

static void has_read(job *j, const job_event *event, job_want *want)
{
    (void)event;
    const reader_result *read = reader_done(j->agent);
    j->result.meaning = read->meaning;
    j->result.reason = read->reason;
    task_done(j, want);
}

static void read_begin(job *j, const job_event *event, job_want *want)
{
    (void)event;
    task_converse(j, want, read_look, has_read);
}

const job_kind task_read = {.name = "read", .begin = read_begin};
