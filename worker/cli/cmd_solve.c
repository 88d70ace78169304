/* `etna solve`: constraints from a file, one pose out, or why there is none
 * (METHODS.md 5).
 *
 * Begin at run_solve: the constraints are read before the scene, since they are
 * wrong more often and cost nothing to check; then the scene, a camera for
 * pixels, and the solver that a run's executors use, with the same rules. So a
 * place that is found here is the place that a run would find with these
 * constraints and this seed. A failure is an answer (exit code 1), told in the
 * same members as a success. */
#include "worker/cli/cli.h"
#include "worker/cli/load.h"
#include "worker/scene/export.h"
#include "worker/solve/solve.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char help[] =
    "usage: etna solve SCENE --constraints FILE [-o OUT.glb] [OPTION...]\n"
    "Finds a place for one object that meets the constraints, collides with nothing and leaves everything supported.\n"
    "What stands on it, lies in it or hangs on it goes along.\n\n"
    "FILE (- for stdin) holds a JSON array of\n"
    "  [\"ObjectName\", NAME]                                    what is moved: exactly once\n"
    "  [\"CloseToPix\", \"center\"|\"down\", [X, Y]]                at least once, or Place; (0, 0) is the top left\n"
    "  [\"Contact\", \"down\"|\"side\"|\"up\", PLANE]\n"
    "  [\"NoOverhang\", \"down\", PLANE, \"full_only\"|\"center\"]\n"
    "  [\"Distance\", OBJECT, METRES]                           between the boxes' centres\n"
    "  [\"FaceTo\"|\"BackTo\", OBJECT|PLANE|\"camera\"]\n"
    "  [\"Rotate\", DEGREES] or [\"Heading\", DEGREES]             by so much; to that yaw_deg of scene info\n"
    "  [\"Place\", [X, Y, Z]], then perhaps METRES or [X, Y, Z]   instead of CloseToPix: where the middle of its bottom\n"
    "      (with Contact side: its centre) is to be, in metres of the world; or within METRES of there; or on the\n"
    "      segment to the second point. With Contact down it is lowered there until it rests, with side moved against\n"
    "      what is named, with no Contact put there exactly. Its Contacts may name objects\n"
    "A PLANE is a name that etna probe gives, OBJECT_up, or ray:X,Y for the plane that is seen there.\n\n"
    "  --constraints FILE  at most 1 MiB\n"
    "  -o, --output FILE   the scene with the object moved, as GLB; only when solved, whole or not at all\n"
    "  --seed S            of the 64 starts (default 0); the same seed gives the same pose\n"
    "  --camera C          a camera's name or index, auto, cutaway (a doll's house), top (a plan) or\n"
    "                     orbit:AZ,EL (degrees; default: the file's first, else a derived one)\n"
    "  --paper-solver      the published solver without our additions; without it the whole plane is\n"
    "                      searched when nothing near the pixel is free\n"
    "  --reach off         it may be put where no hand could bring it, as into a closed cupboard\n"
    "  --collision paper, --floating paper  the published rules of the checks\n" LOAD_MESH_MEMORY_HELP
    "  --unit METRES, --up Y|Z  as for etna scene info\n"
    "  --json              one JSON document on stdout\n"
    "Exit codes: 0 solved; 1 there is no such place, and the reason is told; 2 usage; 3 the scene or FILE is at fault.\n";

enum {
    CONSTRAINT_FILE_MAX = 1 << 20
};

/* Texts are borrowed from argv. */
typedef struct solve_args {
    scene_options options;
    space_rules rules;
    const char *scene, *constraints, *output, *camera;
    uint64_t seed;
    bool paper_solver, any_place, as_json;
} solve_args;

/* What is loaded for one solve, and its result. */
typedef struct solving {
    loaded_scene loaded;
    probe_shared *probes;
    scene_camera camera;
    etna_arena arena;
    constraint_list list;
    solve_result result;
} solving;

/* Also of one that was filled in part. */
static void solving_free(solving *s)
{
    etna_arena_free(&s->arena);
    probe_shared_free(s->probes);
    load_scene_free(&s->loaded);
}

/* For what is told of speed alone. */
static double solve_clock_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

/* The file is read once, before the scene: what is wrong with it is told at
 * once. */
static etna_code solve_read_constraints(const char *path,
                                        solving *s,
                                        etna_error *err)
{
    bool standard = strcmp(path, "-") == 0;
    FILE *file = standard ? stdin : fopen(path, "re");
    if (!file)
        return etna_fail(err, ETNA_E_INPUT,
                         "cannot read the constraints %s: %s", path,
                         strerror(errno));
    char *text = etna_arena_alloc(&s->arena, CONSTRAINT_FILE_MAX + 1, 1);
    size_t size = text ? fread(text, 1, CONSTRAINT_FILE_MAX + 1, file) : 0;
    int why = ferror(file) ? errno : 0;
    if (!standard)
        fclose(file);
    if (!text)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory for the constraints");
    if (why)
        return etna_fail(err, ETNA_E_INPUT,
                         "cannot read the constraints %s: %s", path,
                         strerror(why));
    if (size > CONSTRAINT_FILE_MAX)
        return etna_fail(err, ETNA_E_LIMIT,
                         "the constraints %s are larger than 1 MiB", path);
    etna_code code = constraint_parse(text, size, &s->arena, &s->list, err);
    return code == ETNA_OK ? code : etna_error_prefix(err, "%s", path);
}

/* Constraints first: they are checked in no time, the scene may take
 * seconds. */
static etna_code cmd_solve_run(const solve_args *args,
                               solving *s,
                               etna_error *err)
{
    etna_code code = solve_read_constraints(args->constraints, s, err);
    if (code == ETNA_OK)
        code = load_scene(args->scene, &args->options, NULL, &s->loaded, err);
    if (code == ETNA_OK)
        load_warn(&s->loaded);
    if (code == ETNA_OK)
        code = load_camera(&s->loaded, args->camera, &s->camera, err);
    if (code == ETNA_OK)
        code = probe_share(s->loaded.scene, &s->probes, err);
    if (code != ETNA_OK)
        return code;
    solve_request request = solve_request_default();
    request.constraints = &s->list;
    request.camera = &s->camera;
    request.seed = args->seed;
    request.rules = &args->rules;
    request.paper_solver = args->paper_solver;
    request.any_place = args->any_place;
    request.clock_ms = solve_clock_ms;
    return solve_run(s->loaded.space, s->probes, &request, &s->result, err);
}

/* The original's bytes with new transforms (scene_export_glb), not a file made
 * anew. */
static etna_code solve_write_scene(const solve_args *args,
                                   const solving *s,
                                   etna_error *err)
{
    snapshot base = {0}, edited = {0};
    uint8_t *data = NULL;
    size_t size = 0;
    etna_code code = snapshot_base(s->loaded.scene, &base, err);
    if (code == ETNA_OK)
        code = solve_snapshot(&s->result, &base, &edited, err);
    if (code == ETNA_OK)
        code =
            scene_export_glb(s->loaded.scene, s->loaded.bundle,
                             s->loaded.bundle_size, &edited, &data, &size, err);
    if (code == ETNA_OK)
        code = load_write(args->output, data, size, err);
    free(data);
    snapshot_free(&edited);
    snapshot_free(&base);
    return code;
}

/* (-180, 180]. */
static double solved_turn(double radians)
{
    double d = load_degrees(radians);
    d -= 360 * floor(d / 360);
    return d > 180 ? d - 360 : d;
}

/* What of the answer is not there for each solve. */
static void solving_describe_more(json_t *row,
                                  const solve_args *args,
                                  const solving *s)
{
    const solve_result *r = &s->result;
    const scene *of = s->loaded.scene;
    const bool solved = r->status == BRANCH_VALID;
    const bool named = of->objects[r->object].has_front;
    json_t *carried = json_array();
    json_object_set_new(row, "front",
                        json_string(named ? "side file" : "file axis"));
    for (uint32_t i = 0; i < r->carried_count; i++)
        json_array_append_new(carried,
                              json_string(of->objects[r->carried[i]].name));
    json_object_set_new(row, "carried", carried);
    if (!solved)
        json_object_set_new(row, "reason", json_string(r->reason));
    if (solved && args->output)
        json_object_set_new(row, "file", json_string(args->output));
}

/* A failure has the same members, its pose being where the object stays. */
static json_t *solving_describe(const solve_args *args, const solving *s)
{
    const solve_result *r = &s->result;
    bool solved = r->status == BRANCH_VALID;
    const double *p = r->pose.position;
    json_t *row = json_pack(
        "{s:s, s:s, s:o, s:f, s:f, s:i, s:i, s:i, s:f, s:f, s:s?, s:s, s:b, s:i, s:b, s:f, s:f}",
        "status", solved ? "solved" : "failed", "object",
        s->loaded.scene->objects[r->object].name, "position",
        load_vector(v3(p[0], p[1], p[2])), "yaw_deg", solved_turn(r->pose.yaw),
        "loss", r->loss, "candidates", (int)r->candidates, "survivors",
        (int)r->survivors, "collision_checks", (int)r->collision_checks,
        "solve_ms", r->solve_ms, "check_ms", r->check_ms, "plane",
        r->plane[0] ? r->plane : NULL, "camera", s->camera.name, "centered",
        r->centered, "support_checks", (int)r->support_checks, "widened",
        r->widened, "pixel_off", r->pixel_off, "place_off", r->place_off);
    if (row)
        solving_describe_more(row, args, s);
    return row;
}

/* FaceTo turns what the file calls the front, which the maker of the model may
 * have thought of otherwise. */
static void note_front(const solving *s)
{
    const scene_object *o = &s->loaded.scene->objects[s->result.object];
    bool turned = false;
    for (uint32_t i = 0; i < s->list.count; i++) {
        turned = turned || s->list.items[i].kind == CONSTRAINT_FACE_TO ||
                 s->list.items[i].kind == CONSTRAINT_BACK_TO;
    }
    char name[1024];
    if (!turned || o->has_front)
        return;
    fprintf(
        stderr,
        "note: the front of %s is the file's +Z axis; where that is not its face, name it under \"fronts\" in SCENE.etna.json\n",
        load_plain(o->name, name, sizeof name));
}

/* Metres, degrees; a failure says for which object and plane. */
static void solving_print(const solve_args *args, const solving *s)
{
    const solve_result *r = &s->result;
    const double *p = r->pose.position;
    char name[ARRANGE_REASON_MAX];
    if (r->status == BRANCH_VALID) {
        printf("solved: %s",
               load_plain(s->loaded.scene->objects[r->object].name, name,
                          sizeof name));
        printf(" at %.4f %.4f %.4f m, yaw %.1f degrees", load_tidy(p[0]),
               load_tidy(p[1]), load_tidy(p[2]), solved_turn(r->pose.yaw));
        if (r->plane[0])
            printf(", on plane %s", load_plain(r->plane, name, sizeof name));
        putchar('\n');
        for (uint32_t i = 0; i < r->carried_count; i++)
            printf("along goes %s\n",
                   load_plain(s->loaded.scene->objects[r->carried[i]].name,
                              name, sizeof name));
        if (r->place_off > 0)
            printf("the place itself was not free: it is %.3f m away\n",
                   r->place_off);
        if (r->widened)
            printf(
                "nothing near its pixel was free: the whole plane was searched; it is %.3f of the image away\n",
                r->pixel_off);
        if (r->centered)
            puts("it does not fit on the plane whole: its middle stands on it");
    } else {
        printf("failed: %s\n", load_plain(r->reason, name, sizeof name));
        printf("object %s", load_plain(s->loaded.scene->objects[r->object].name,
                                       name, sizeof name));
        if (r->plane[0])
            printf(", plane %s", load_plain(r->plane, name, sizeof name));
        putchar('\n');
    }
    printf(
        "loss %.3g; %u candidates, %u met the constraints, %u collision checks; %.1f ms to solve, %.1f ms to check\n",
        r->loss, r->candidates, r->survivors, r->collision_checks, r->solve_ms,
        r->check_ms);
    if (r->status == BRANCH_VALID && args->output)
        printf("written to %s\n", load_plain(args->output, name, sizeof name));
}

/* Solves, and writes the scene where it was solved and one is asked for. */
static etna_code solve_and_write(const solve_args *args,
                                 solving *s,
                                 etna_error *err)
{
    etna_code code = ETNA_OK;
    if (args->output) {
        code = load_check_output(args->output, args->scene, err);
        if (code == ETNA_OK)
            code = load_check_output(args->output, args->constraints, err);
    }
    if (code == ETNA_OK)
        code = cmd_solve_run(args, s, err);
    const bool solved = code == ETNA_OK && s->result.status == BRANCH_VALID;
    return solved && args->output ? solve_write_scene(args, s, err) : code;
}

/* Exit 1: no pose was found. */
static int run_solve(const solve_args *args)
{
    etna_error err = {0};
    solving s = {.arena = ETNA_ARENA_INIT};
    const etna_code code = solve_and_write(args, &s, &err);
    int exit_code = s.result.status == BRANCH_VALID ? 0 : 1;
    if (code != ETNA_OK) {
        exit_code = load_report(&err);
    } else if (args->as_json) {
        note_front(&s);
        exit_code =
            load_print("etna.solve/1", solving_describe(args, &s), exit_code);
    } else {
        note_front(&s);
        solving_print(args, &s);
        exit_code = load_printed(exit_code);
    }
    solving_free(&s);
    return exit_code;
}

/* Exit codes are the help's. */
int worker_cmd_solve(int argc, char **argv)
{
    solve_args args = {.options = scene_options_default()};
    const flags_row flags[] = {
        {"constraints", .text = &args.constraints},
        {"output", 'o', .text = &args.output},
        {"seed", .large = &args.seed, .most = UINT64_MAX},
        {"camera", .text = &args.camera},
        {"paper-solver", .yes = &args.paper_solver},
        {"reach", .read = load_reach, .into = &args.any_place},
        {"collision", .read = load_paper, .into = &args.rules.paper_collision},
        {"floating", .read = load_paper, .into = &args.rules.paper_floating},
        LOAD_MESH_MEMORY,
        LOAD_UNIT_AND_UP(&args.options),
        {"json", .yes = &args.as_json},
        {0}};
    int exit_code;
    int first = load_flags("etna solve", argc, argv, flags, help, &exit_code);
    if (!first)
        return exit_code;
    if (first + 1 != argc)
        return load_usage("solve wants one scene; see `etna solve --help`");
    if (!args.constraints)
        return load_usage(
            "solve: say with --constraints which file holds them; see `etna solve --help`");
    args.scene = argv[first];
    return run_solve(&args);
}
