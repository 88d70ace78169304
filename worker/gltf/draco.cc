// Draco's decoder behind the C header draco.h.
#include "worker/gltf/draco.h"

#include <draco/compression/decode.h>
#include <draco/core/decoder_buffer.h>
#include <draco/mesh/mesh.h>

#include <exception>
#include <memory>
#include <new>

namespace
{

using draco::AttributeValueIndex;
using draco::Mesh;
using draco::PointAttribute;
using draco::PointIndex;

/* An attribute's values lie in its buffer, and every point has one of them: a
 * damaged file may say otherwise. */
bool attribute_is_well_formed(const PointAttribute &a, uint32_t points)
{
    if (!a.buffer() || a.num_components() == 0)
        return false;
    if (a.byte_stride() <= 0 || a.byte_offset() < 0)
        return false;
    const uint64_t need = static_cast<uint64_t>(a.byte_offset()) +
                          static_cast<uint64_t>(a.size()) *
                              static_cast<uint64_t>(a.byte_stride());
    if (need > a.buffer()->data_size())
        return false;
    if (!a.is_mapping_identity() && a.indices_map_size() < points)
        return false;
    for (uint32_t i = 0; i < points; i++) {
        if (a.mapped_index(PointIndex(i)).value() >= a.size())
            return false;
    }
    return true;
}

template <typename T>
bool take_values(const PointAttribute &a,
                 uint32_t points,
                 uint32_t components,
                 void *out)
{
    T *at = static_cast<T *>(out);
    for (uint32_t i = 0; i < points; i++, at += components) {
        if (!a.ConvertValue<T>(a.mapped_index(PointIndex(i)),
                               static_cast<int8_t>(components), at))
            return false;
    }
    return true;
}

/* By the accessor's componentType. */
bool take_values_as(uint32_t component,
                    const PointAttribute &a,
                    uint32_t points,
                    uint32_t components,
                    void *out)
{
    switch (component) {
    case 5120: return take_values<int8_t>(a, points, components, out);
    case 5121: return take_values<uint8_t>(a, points, components, out);
    case 5122: return take_values<int16_t>(a, points, components, out);
    case 5123: return take_values<uint16_t>(a, points, components, out);
    case 5125: return take_values<uint32_t>(a, points, components, out);
    case 5126: return take_values<float>(a, points, components, out);
    default: return false;
    }
}

const char *take_attribute(const Mesh &mesh,
                           uint32_t points,
                           const draco_attribute &wanted)
{
    const PointAttribute *a = mesh.GetAttributeByUniqueId(wanted.id);
    if (!a)
        return "it does not hold an attribute that the file names";
    if (a->num_components() != wanted.components)
        return "an attribute has another number of components than its accessor";
    if (!attribute_is_well_formed(*a, points))
        return "an attribute has too few values";
    bool fits = take_values_as(wanted.component, *a, points, wanted.components,
                               wanted.out);
    return fits ? nullptr : "an attribute does not fit its accessor's type";
}

const char *draco_decode(const uint8_t *data,
                         size_t size,
                         uint32_t points,
                         uint32_t triangles,
                         uint32_t *index,
                         const draco_attribute *attributes,
                         size_t attribute_count)
{
    draco::DecoderBuffer buffer;
    draco::Decoder decoder;
    buffer.Init(reinterpret_cast<const char *>(data), size);
    auto decoded = decoder.DecodeMeshFromBuffer(&buffer);
    if (!decoded.ok())
        return "its data is damaged";
    const std::unique_ptr<Mesh> mesh = std::move(decoded).value();
    if (!mesh)
        return "its data is damaged";
    if (mesh->num_points() != points)
        return "it holds another number of vertices than its accessors say";
    if (mesh->num_faces() != triangles)
        return "it holds another number of triangles than its accessor says";
    for (uint32_t i = 0; i < triangles; i++) {
        const Mesh::Face &face = mesh->face(draco::FaceIndex(i));
        for (size_t k = 0; k < 3; k++) {
            if (face[k].value() >= points)
                return "a triangle names a vertex that is not there";
            index[3 * static_cast<size_t>(i) + k] = face[k].value();
        }
    }
    for (size_t i = 0; i < attribute_count; i++) {
        const char *wrong = take_attribute(*mesh, points, attributes[i]);
        if (wrong)
            return wrong;
    }
    return nullptr;
}

} // namespace

extern "C" const char *draco_take(const uint8_t *data,
                                  size_t size,
                                  uint32_t points,
                                  uint32_t triangles,
                                  uint32_t *index,
                                  const draco_attribute *attributes,
                                  size_t attribute_count)
{
    try {
        return draco_decode(data, size, points, triangles, index, attributes,
                            attribute_count);
    } catch (const std::bad_alloc &) {
        return "decoding it takes more memory than there is";
    } catch (const std::exception &) {
        return "its data is damaged";
    }
}
