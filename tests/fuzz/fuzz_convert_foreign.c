/* Hostile OBJ, FBX, PLY, STL, DAE and .sh3f: any bytes are converted in a child
 * as the program does it, and what comes out is a GLB that import takes or
 * refuses.
 *
 * Assimp has faults of its own; that is what the child is for. So a child that
 * dies within Assimp is an answer like any other, and counted, and so is one
 * that is stopped after two seconds; the finding is a fault in code of ours, in
 * the child or after it. AddressSanitizer tells whose code it was by the
 * report's first frame outside of the runtime. The child hands its counters of
 * coverage over at its end, so libFuzzer learns from what happens there.
 *
 * The first byte says which format. In texts, what lies behind a byte 0x1e is
 * the file "m.mtl", behind a second one "p.png". */
#include "tests/fuzz/fuzz.h"
#include "tests/support/zip_builder.h"
#include "worker/convert/child.h"
#include "worker/convert/foreign.h"
#include "worker/gltf/bundle.h"
#include "worker/scene/scene.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

enum {
    CPU_S = 2,
    WALL_S = 120,
    REPORT_BYTES = 1 << 16,
    INPUT_MAX = 1 << 16,
    COUNTERS_MAX = 1 << 18
};
#define CHILD_BYTES_KB (1500L << 10)

static const char *const names[] = {"a.obj", "a.fbx", "a.ply",
                                    "a.stl", "a.dae", "a.sh3f"};
enum {
    FORMATS = sizeof names / sizeof *names,
    LIBRARY = FORMATS - 1
};

static struct both { /* memory of both processes */
    char report[REPORT_BYTES];
    uint8_t counters[COUNTERS_MAX];
} * both;
static pid_t parent;
static unsigned long converted, refused, died, endless;

/* ---- coverage in the child ---- */

/* Where the counters lie is asked in assembly: in C the names would be taken,
 * and the compiler's own ones lead nowhere. */
static uint8_t *find_counters(size_t *ret_count)
{
    *ret_count = 0;
#if defined(__x86_64__) && defined(__has_feature)
#if __has_feature(coverage_sanitizer)
    uint8_t *begin, *end;
    __asm__(
        ".weak __start___sancov_cntrs\n\tmov __start___sancov_cntrs@GOTPCREL(%%rip), %0"
        : "=r"(begin));
    __asm__(
        ".weak __stop___sancov_cntrs\n\tmov __stop___sancov_cntrs@GOTPCREL(%%rip), %0"
        : "=r"(end));
    if (begin && end > begin)
        *ret_count = (size_t)(end - begin) < COUNTERS_MAX
                         ? (size_t)(end - begin)
                         : COUNTERS_MAX;
    return begin;
#endif
#endif
    return NULL;
}

static void hand_over_counters(void)
{
    size_t count;
    const uint8_t *counters = find_counters(&count);
    for (size_t i = 0; i < count; i++)
        both->counters[i] = counters[i];
}

static void take_counters(void)
{
    size_t count;
    uint8_t *counters = find_counters(&count);
    for (size_t i = 0; i < count; i++) {
        if (both->counters[i] > counters[i])
            /* the child began with the parent's */
            counters[i] = both->counters[i];
        both->counters[i] = 0;
    }
}

/* ---- what the sanitizers say in the child ---- */

/* The first frame that is none of the sanitizers' or of libc: "#1 0x...
 * (/usr/lib/.../libassimp.so.5+0x...)". */
static bool of_assimp(const char *report)
{
    for (const char *at = strstr(report, "    #"); at;
         at = strstr(at + 1, "    #")) {
        const char *end = strchr(at + 5, '\n'),
                   *assimp = strstr(at, "libassimp");
        bool runtime = false;
        static const char *const known[] = {
            "asan_",      "__interceptor", "sanitizer_", "libc.so",
            "libstdc++",  "libc++",        "libz.so",    " in operator ",
            "libpugixml", "compiler-rt",   "libminizip"};
        for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
            const char *met = strstr(at, known[i]);
            runtime = runtime || (met && (!end || met < end));
        }
        if (assimp && (!end || assimp < end))
            return true;
        if (!runtime)
            return false;
    }
    return false;
}

void __asan_set_error_report_callback(void (*told)(const char *report))
    __attribute__((weak));
__attribute__((visibility("default"))) void __ubsan_on_report(void);

static void on_report(const char *report)
{
    if (getpid() == parent)
        return;
    hand_over_counters();
    if (of_assimp(report))
        _exit(3);
    snprintf(both->report, sizeof both->report, "%s", report);
    _exit(4);
}

/* The runtime's own hook: only code of ours is built to tell of undefined
 * behaviour. */
void __ubsan_on_report(void)
{
    if (!both || getpid() == parent || both->report[0])
        return;
    snprintf(
        both->report, sizeof both->report,
        "undefined behaviour in the child: take its work out of child_run to see where");
}

static void too_large(int number)
{
    struct rusage usage;
    (void)number;
    if (getrusage(RUSAGE_SELF, &usage) == 0 && usage.ru_maxrss > CHILD_BYTES_KB)
        _exit(5);
}

static void tell(void)
{
    if (getpid() == parent)
        printf(
            "%lu converted, %lu refused; contained: %lu deaths within Assimp, %lu without an end\n",
            converted, refused, died, endless);
}

static void begin(void)
{
    both = mmap(NULL, sizeof *both, PROT_READ | PROT_WRITE,
                MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (both == MAP_FAILED)
        abort();
    parent = getpid();
    if (__asan_set_error_report_callback)
        __asan_set_error_report_callback(on_report);
    atexit(tell);
}

/* ---- the conversion ---- */

typedef struct job {
    unsigned format;
    uint8_t *zip;
    size_t zip_size;
} job;

/* As worker/convert/convert.c does it, but for where the bytes come from. */
static etna_code work(void *context,
                      uint8_t **ret_data,
                      size_t *ret_size,
                      etna_error *err)
{
    const job *j = context;
    const struct itimerval often = {{0, 20000}, {0, 20000}};
    signal(SIGPROF, too_large);
    /* an abort of Assimp is no finding of the fuzzer's */
    signal(SIGABRT, SIG_DFL);
    setitimer(ITIMER_PROF, &often, NULL);
    archive *a = NULL;
    catalogue c = {.count = 0};
    glb *out = glb_new();
    foreign_options options = {0};
    source files = {.folder = -1, .base = ""};
    const char *name = names[j->format];
    char base[512] = "";
    etna_code code =
        out ? archive_open(j->zip, j->zip_size, &a, err) : ETNA_E_NOMEM;
    files.archive = a;
    if (code == ETNA_OK && j->format == LIBRARY) {
        code = catalogue_read(a, &c, err);
        if (code == ETNA_OK && c.count == 0)
            code = etna_fail(err, ETNA_E_INPUT, "no model");
        if (code == ETNA_OK) {
            const char *slash = strrchr(c.models[0].path, '/');
            name = slash ? slash + 1 : c.models[0].path;
            snprintf(base, sizeof base, "%.*s", (int)(name - c.models[0].path),
                     c.models[0].path);
            files.base = base;
            options.model = &c.models[0];
        }
    }
    if (code == ETNA_OK)
        code = foreign_convert(&files, name, &options, out, err);
    if (code == ETNA_OK)
        code = glb_finish(out, ret_data, ret_size, err);
    glb_free(out);
    catalogue_free(&c);
    archive_close(a);
    hand_over_counters();
    return code;
}

static void import(const uint8_t *data, size_t size)
{
    uint8_t *bundle = NULL;
    size_t bundle_size = 0;
    scene *s = NULL;
    etna_error err = {0};
    if (bundle_around(data, size, NULL, 0, NULL, &bundle, &bundle_size, &err) ==
            ETNA_OK &&
        scene_import(bundle, bundle_size, &s, &err) == ETNA_OK)
        scene_free(s);
    free(bundle);
}

static void make_zip(job *j, const uint8_t *data, size_t size)
{
    zip_builder z = {0};
    const uint8_t *mtl = j->format == 0 || j->format == 4
                             ? memchr(data, 0x1e, size)
                             : NULL,
                  *end = data + size;
    const uint8_t *png =
        mtl ? memchr(mtl + 1, 0x1e, (size_t)(end - mtl - 1)) : NULL;
    if (j->format == LIBRARY) { /* any archive */
        j->zip = malloc(size + 1);
        if (!j->zip)
            abort();
        memcpy(j->zip, data, size);
        j->zip_size = size;
        return;
    }
    zip_builder_add(&z, names[j->format], data,
                    (size_t)((mtl ? mtl : end) - data));
    if (mtl)
        zip_builder_add(&z, "m.mtl", mtl + 1,
                        (size_t)((png ? png : end) - mtl - 1));
    if (png)
        zip_builder_add(&z, "p.png", png + 1, (size_t)(end - png - 1));
    j->zip = zip_builder_finish(&z, &j->zip_size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const child_limits limits = {
        .memory = (uint64_t)2 << 30, .cpu_s = CPU_S, .wall_s = WALL_S};
    etna_error err = {0};
    uint8_t *made = NULL;
    size_t made_size = 0;
    if (!both)
        begin();
    if (size < 2 || size > INPUT_MAX)
        return 0;
    job j = {.format = data[0] % FORMATS};
    make_zip(&j, data + 1, size - 1);
    etna_code code = child_run("a", &limits, work, &j, &made, &made_size, &err);
    free(j.zip);
    take_counters();
    if (both->report[0]) {
        fprintf(stderr, "%s\n", both->report);
        abort();
    }
    if (code == ETNA_OK) {
        converted++;
        import(made, made_size);
    } else if (strstr(err.text, "reading it ended")) {
        died++;
    } else if (strstr(err.text, "reading it takes more than")) {
        endless++;
    } else {
        refused++;
    }
    free(made);
    return 0;
}

/* ---- seeds ---- */

static void add_as(unsigned format,
                   const void *data,
                   size_t size,
                   void (*add)(const void *data, size_t size))
{
    uint8_t *seed = malloc(size + 1);
    if (!seed)
        abort();
    seed[0] = (uint8_t)format;
    memcpy(seed + 1, data, size);
    add(seed, size + 1);
    free(seed);
}

static void add_binary(void (*add)(const void *data, size_t size))
{
    static const float corner[4][3] = {
        {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static const uint8_t face[4][3] = {
        {0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
    static const char ply[] =
        "ply\nformat binary_little_endian 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
        "element face 4\nproperty list uchar uint vertex_indices\nend_header\n";
    uint8_t data[1024] = {0};
    size_t n = 84;
    data[80] = 4;
    for (int f = 0; f < 4; f++) { /* STL: a normal, three corners, two bytes */
        n += 12;
        for (int k = 0; k < 3; k++, n += 12)
            memcpy(data + n, corner[face[f][k]], 12);
        n += 2;
    }
    add_as(3, data, n, add);
    memcpy(data, ply, n = sizeof ply - 1);
    memcpy(data + n, corner, sizeof corner);
    n += sizeof corner;
    for (int f = 0; f < 4; f++) {
        data[n++] = 3;
        for (int k = 0; k < 3; k++, n += 4)
            memcpy(data + n, &(uint32_t){face[f][k]}, 4);
    }
    add_as(2, data, n, add);
}

void fuzz_seeds(void (*add)(const void *data, size_t size))
{
    static const char obj[] =
        "mtllib m.mtl\no box\nv 0 0 0\nv 1 0 0\nv 1 1 .5\nv -0 1e0 0 1 0 0\nvt 0 0\nvt 1 .5\nvn 0 0 1\nusemtl red\ns 1\n"
        "f 1/1/1 2/2/1 3/1/1 4/2/1\ng lid\nusemtl glass\nf -4//1 -3//1 -2//1\nl 1 2\n"
        "\x1enewmtl red\nKd 1 .2 0\nmap_Kd -s 2 2 1 p.png\nnewmtl glass\nd 0.4\nKd 0.1 0.1 0.1\n"
        "\x1e\x89PNG\r\n\x1a\n";
    static const char ply[] =
        "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\nproperty uchar red\n"
        "property uchar green\nproperty uchar blue\nelement face 2\nproperty list uchar int vertex_indices\nend_header\n"
        "0 0 0 255 0 0\n1 0 0 0 255 0\n1 1 0 0 0 255\n0 1 0 9 9 9\n3 0 1 2\n3 0 2 3\n";
    static const char stl[] =
        "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid a\n";
    static const char dae[] =
        "<?xml version=\"1.0\"?><COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" version=\"1.4.1\"><asset><unit meter=\"0.01\" "
        "name=\"cm\"/><up_axis>Z_UP</up_axis></asset><library_effects><effect id=\"e\"><profile_COMMON><technique sid=\"t\"><phong><diffuse>"
        "<color>1 0 0 1</color></diffuse></phong></technique></profile_COMMON></effect></library_effects><library_materials><material id=\"m\">"
        "<instance_effect url=\"#e\"/></material></library_materials><library_geometries><geometry id=\"g\"><mesh><source id=\"p\"><float_array "
        "id=\"pa\" count=\"9\">0 0 0 1 0 0 0 1 0</float_array><technique_common><accessor source=\"#pa\" count=\"3\" stride=\"3\"><param "
        "name=\"X\" type=\"float\"/><param name=\"Y\" type=\"float\"/><param name=\"Z\" type=\"float\"/></accessor></technique_common></source>"
        "<vertices id=\"v\"><input semantic=\"POSITION\" source=\"#p\"/></vertices><triangles count=\"1\" material=\"m\"><input "
        "semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/><p>0 1 2</p></triangles></mesh></geometry></library_geometries><library_visual_scenes>"
        "<visual_scene id=\"s\"><node id=\"n\" name=\"box\"><translate>1 2 3</translate><rotate>0 0 1 90</rotate><instance_geometry url=\"#g\">"
        "<bind_material><technique_common><instance_material symbol=\"m\" target=\"#m\"/></technique_common></bind_material></instance_geometry>"
        "</node></visual_scene></library_visual_scenes><scene><instance_visual_scene url=\"#s\"/></scene></COLLADA>";
    static const char fbx[] =
        "; FBX 7.3.0 project file\nFBXHeaderExtension:  {\n\tFBXVersion: 7300\n}\nGlobalSettings:  {\n\tVersion: 1000\n\tProperties70:  {\n"
        "\t\tP: \"UpAxis\", \"int\", \"Integer\", \"\",1\n\t\tP: \"UnitScaleFactor\", \"double\", \"Number\", \"\",1\n\t}\n}\nObjects:  {\n"
        "\tGeometry: 1, \"Geometry::a\", \"Mesh\" {\n\t\tVertices: *9 {\n\t\t\ta: 0,0,0,1,0,0,0,1,0\n\t\t}\n\t\tPolygonVertexIndex: *3 {\n"
        "\t\t\ta: 0,1,-3\n\t\t}\n\t\tGeometryVersion: 124\n\t}\n\tModel: 2, \"Model::a\", \"Mesh\" {\n\t\tVersion: 232\n\t\tProperties70:  {\n"
        "\t\t\tP: \"Lcl Translation\", \"Lcl Translation\", \"\", \"A\",1,2,3\n\t\t}\n\t}\n}\nConnections:  {\n\tC: \"OO\",2,0\n\tC: \"OO\",1,2\n}\n";
    static const char list[] =
        "id=x\nname=A library\nname#1=Chair\nid#1=A#chair\nmodel#1=/a/chair.obj\nwidth#1=40\ndepth#1=50.5\nheight#1=90\n"
        "modelRotation#1=1 0 0 0 0 -1 0 1 0\n";
    static const char chair[] =
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\n";
    const struct {
        unsigned format;
        const char *text;
        size_t size;
    } texts[] = {{0, obj, sizeof obj - 1},
                 {1, fbx, sizeof fbx - 1},
                 {2, ply, sizeof ply - 1},
                 {3, stl, sizeof stl - 1},
                 {4, dae, sizeof dae - 1}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        add_as(texts[i].format, texts[i].text, texts[i].size, add);
    add_binary(add);
    zip_builder z = {0};
    size_t size;
    zip_builder_add(&z, "PluginFurnitureCatalog.properties", list,
                    sizeof list - 1);
    zip_builder_add(&z, "a/chair.obj", chair, sizeof chair - 1);
    uint8_t *data = zip_builder_finish(&z, &size);
    add_as(LIBRARY, data, size, add);
    free(data);
}
