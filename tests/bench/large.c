/* etna-large: writes a scene as large as wanted, for what is measured of
 * growth: vases that stand on one floor, in rows, a few leaning into their
 * neighbours and a few in the air. Every vase of a mesh of its own, or a few
 * meshes shared; or dressed: of its own with normals, texture coordinates and a
 * seam along every strip, as modellers leave them. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SHAPES = 10,
    RINGS_MIN = 3,
    OBJECTS_MAX = 100000
};

typedef struct large {
    FILE *out;
    uint32_t objects, meshes, rings, segments; /* of each vase */
    bool dressed;
    uint32_t vertices, triangles;
} large;

static void must(bool fine, const char *what)
{
    if (fine)
        return;
    fprintf(stderr, "etna-large: %s\n", what);
    exit(4);
}

static double noise(uint32_t a, uint32_t b)
{
    uint64_t x = ((uint64_t)a << 32 | b) * 0x9e3779b97f4a7c15ull;
    x = (x ^ x >> 29) * 0xbf58476d1ce4e5b9ull;
    return (double)((x ^ x >> 32) >> 11) / 9007199254740992.0;
}

/* A pole below, rings, a pole above: 2 * segments * rings triangles. Dressed,
 * every strip has both its columns for itself. */
static void write_vase(const large *l, uint32_t mesh)
{
    uint32_t columns = l->dressed ? 2 * l->segments : l->segments, n = 0,
             at = 3;
    float *p = malloc((size_t)l->vertices * 3 * sizeof *p);
    uint32_t *t = malloc((size_t)l->triangles * 3 * sizeof *t);
    must(p && t, "out of memory");
    double belly = 0.05 + 0.05 * noise(mesh, 1),
           height = 0.25 + 0.1 * noise(mesh, 2);
    p[0] = p[1] = p[2] = 0;
    for (uint32_t r = 0; r < l->rings; r++)
        for (uint32_t c = 0; c < columns; c++) {
            uint32_t s = l->dressed ? (c + 1) / 2 % l->segments : c;
            double up = (double)r / (l->rings - 1),
                   turn = 6.283185307179586 * s / l->segments;
            double radius =
                0.08 + belly * 4 * up * (1 - up) +
                0.002 * noise(mesh, 16 + r * l->segments + s) * (r > 0);
            p[at++] = (float)(radius * cos(turn));
            p[at++] = (float)(height * up);
            p[at++] = (float)(-radius * sin(turn));
        }
    p[at++] = 0;
    p[at++] = (float)height;
    p[at++] = 0;
    for (uint32_t s = 0; s < l->segments; s++) {
        uint32_t here = l->dressed ? 2 * s : s,
                 next = l->dressed ? 2 * s + 1 : (s + 1) % l->segments,
                 top = 1 + (l->rings - 1) * columns;
        uint32_t cap[6] = {0,          1 + next,  1 + here, l->vertices - 1,
                           top + here, top + next};
        memcpy(t + n, cap, sizeof cap);
        n += 6;
        for (uint32_t r = 0; r + 1 < l->rings; r++) {
            uint32_t a = 1 + r * columns + here, b = 1 + r * columns + next;
            uint32_t side[6] = {a, b, b + columns, a, b + columns, a + columns};
            memcpy(t + n, side, sizeof side);
            n += 6;
        }
    }
    must(n == 3 * l->triangles, "a vase of another size than said");
    must(fwrite(p, 12, l->vertices, l->out) == l->vertices, "cannot write");
    /* outward and a little up */
    for (uint32_t v = 0; l->dressed && v < l->vertices; v++) {
        double length = hypot((double)p[3 * v], (double)p[3 * v + 2]);
        float normal[3] = {length > 0 ? (float)((double)p[3 * v] / length) : 0,
                           length > 0 ? 0 : 1,
                           length > 0 ? (float)((double)p[3 * v + 2] / length)
                                      : 0};
        must(fwrite(normal, sizeof normal, 1, l->out) == 1, "cannot write");
    }
    for (uint32_t v = 0; l->dressed && v < l->vertices; v++) {
        float uv[2] = {(float)(v % columns) / (float)columns,
                       (float)((double)p[3 * v + 1] / height)};
        must(fwrite(uv, sizeof uv, 1, l->out) == 1, "cannot write");
    }
    must(fwrite(t, 12, l->triangles, l->out) == l->triangles, "cannot write");
    free(p);
    free(t);
}

static uint32_t side_of(uint32_t objects)
{
    uint32_t side = 1;
    while (side * side < objects)
        side++;
    return side;
}

static void write_json(const large *l, FILE *j, uint64_t bytes)
{
    uint32_t side = side_of(l->objects), floor_mesh = l->meshes;
    uint64_t at = 0;
    double half = 0.5 * side;
    fprintf(
        j,
        "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"buffers\":[{\"byteLength\":%llu}],\"materials\":[{\"name\":\"clay\"}],",
        (unsigned long long)bytes);
    fprintf(j, "\"bufferViews\":[");
    /* the floor, last, is never dressed */
    for (uint32_t m = 0; m <= l->meshes; m++) {
        uint32_t v = m == floor_mesh ? 4 : l->vertices,
                 t = m == floor_mesh ? 2 : l->triangles;
        uint32_t runs[4] = {12 * v, 12 * v, 8 * v, 12 * t};
        for (int k = 0; k < 4; k++) {
            if ((k == 1 || k == 2) && (!l->dressed || m == floor_mesh))
                continue;
            fprintf(j, "%s{\"buffer\":0,\"byteOffset\":%llu,\"byteLength\":%u}",
                    at ? "," : "", (unsigned long long)at, runs[k]);
            at += runs[k];
        }
    }
    fprintf(j, "],\"accessors\":[");
    uint32_t view = 0;
    for (uint32_t m = 0; m <= l->meshes; m++) {
        uint32_t v = m == floor_mesh ? 4 : l->vertices,
                 t = m == floor_mesh ? 2 : l->triangles;
        fprintf(
            j,
            "%s{\"bufferView\":%u,\"componentType\":5126,\"count\":%u,\"type\":\"VEC3\"},",
            m ? "," : "", view, v);
        view++;
        if (l->dressed && m != floor_mesh) {
            fprintf(
                j,
                "{\"bufferView\":%u,\"componentType\":5126,\"count\":%u,\"type\":\"VEC3\"},",
                view, v);
            fprintf(
                j,
                "{\"bufferView\":%u,\"componentType\":5126,\"count\":%u,\"type\":\"VEC2\"},",
                view + 1, v);
            view += 2;
        }
        fprintf(
            j,
            "{\"bufferView\":%u,\"componentType\":5125,\"count\":%u,\"type\":\"SCALAR\"}",
            view++, 3 * t);
    }
    fprintf(j, "],\"meshes\":[");
    uint32_t step = l->dressed ? 4 : 2;
    for (uint32_t m = 0; m <= l->meshes; m++) {
        bool dressed = l->dressed && m != floor_mesh;
        fprintf(j, "%s{\"primitives\":[{\"attributes\":{\"POSITION\":%u",
                m ? "," : "", step * m);
        if (dressed)
            fprintf(j, ",\"NORMAL\":%u,\"TEXCOORD_0\":%u", step * m + 1,
                    step * m + 2);
        fprintf(j, "},\"indices\":%u,\"material\":0}]}",
                step * m + (dressed ? 3 : 1));
    }
    fprintf(
        j,
        "],\"cameras\":[{\"type\":\"perspective\",\"perspective\":{\"yfov\":0.8,\"znear\":0.05,\"aspectRatio\":1.3333}}],\"nodes\":["
        "{\"name\":\"floor\",\"mesh\":%u},{\"name\":\"view\",\"camera\":0,\"translation\":[0,%g,%g],\"rotation\":[-0.25881905,0,0,0.96592583]}",
        floor_mesh, 0.45 * half + 1, 0.8 * half + 1.5);
    for (uint32_t i = 0; i < l->objects; i++) {
        double x = (i % side) - 0.5 * (side - 1),
               z = (double)(i / side) - 0.5 * (side - 1), y = 0,
               turn = 3.14159265 * noise(i, 5);
        if (i % 50 == 7)
            x -= 0.9; /* into the neighbour */
        if (i % 50 == 23)
            y = 0.3;
        fprintf(
            j,
            ",{\"name\":\"vase_%u\",\"mesh\":%u,\"translation\":[%.9g,%.9g,%.9g],\"rotation\":[0,%.9g,0,%.9g]}",
            i, i % l->meshes, x, y, z, sin(turn), cos(turn));
    }
    fprintf(j, "],\"scenes\":[{\"nodes\":[0");
    for (uint32_t i = 1; i < l->objects + 2; i++)
        fprintf(j, ",%u", i);
    fprintf(j, "]}]}");
}

static void put_u32(FILE *f, uint64_t value)
{
    uint32_t v = (uint32_t)value;
    must(value <= UINT32_MAX && fwrite(&v, 4, 1, f) == 1, "cannot write");
}

static uint32_t number(const char *text,
                       uint32_t least,
                       uint32_t most,
                       const char *what)
{
    char *end;
    unsigned long long n = strtoull(text, &end, 10);
    must(!*end && n >= least && n <= most, what);
    return (uint32_t)n;
}

int main(int argc, char **argv)
{
    must(argc == 5 && (!strcmp(argv[4], "shared") || !strcmp(argv[4], "own") ||
                       !strcmp(argv[4], "dressed")),
         "usage: etna-large OUT.glb OBJECTS TRIANGLES shared|own|dressed");
    large l = {.objects =
                   number(argv[2], 1, OBJECTS_MAX, "objects: 1 to 100,000")};
    uint32_t each =
        number(argv[3], 1, 49000000, "triangles: 1 to 49,000,000") / l.objects;
    l.dressed = !strcmp(argv[4], "dressed");
    l.meshes = strcmp(argv[4], "shared") != 0 || l.objects < SHAPES ? l.objects
                                                                    : SHAPES;
    for (l.segments = 3; 2 * (l.segments + 1) * (l.segments + 1) / 2 <= each;
         l.segments++) {
    }
    l.rings = each / (2 * l.segments) > RINGS_MIN ? each / (2 * l.segments)
                                                  : RINGS_MIN;
    l.vertices = l.rings * l.segments * (l.dressed ? 2 : 1) + 2;
    l.triangles = 2 * l.rings * l.segments;
    uint64_t bytes =
        (uint64_t)l.meshes * (12ull * (l.vertices + l.triangles) +
                              (l.dressed ? 20ull * l.vertices : 0)) +
        12 * 6;
    char *json = NULL;
    size_t size = 0;
    FILE *j = open_memstream(&json, &size);
    must(j != NULL, "out of memory");
    write_json(&l, j, bytes);
    while (ftell(j) % 4)
        fputc(' ', j);
    must(fclose(j) == 0, "out of memory");
    l.out = fopen(argv[1], "wb");
    must(l.out != NULL, "cannot write there");
    must(fwrite("glTF", 1, 4, l.out) == 4, "cannot write");
    put_u32(l.out, 2);
    put_u32(l.out, 12 + 8 + size + 8 + bytes);
    put_u32(l.out, size);
    must(fwrite("JSON", 1, 4, l.out) == 4 &&
             fwrite(json, 1, size, l.out) == size,
         "cannot write");
    put_u32(l.out, bytes);
    must(fwrite("BIN", 1, 4, l.out) == 4, "cannot write");
    for (uint32_t m = 0; m < l.meshes; m++)
        write_vase(&l, m);
    float half = 0.5f * (float)side_of(l.objects) + 0.5f,
          corner[12] = {-half, 0, half,  half,  0, half,
                        half,  0, -half, -half, 0, -half};
    uint32_t quad[6] = {0, 1, 2, 0, 2, 3};
    must(fwrite(corner, sizeof corner, 1, l.out) == 1 &&
             fwrite(quad, sizeof quad, 1, l.out) == 1 && fclose(l.out) == 0,
         "cannot write");
    free(json);
    printf("%u objects, %llu triangles placed, %u meshes, %llu bytes\n",
           l.objects + 1, (unsigned long long)l.objects * l.triangles + 2,
           l.meshes + 1, (unsigned long long)bytes);
    return 0;
}
