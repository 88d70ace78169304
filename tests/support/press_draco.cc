// Draco's encoder behind press.h.
#include "tests/support/press.h"

#include <draco/compression/expert_encode.h>
#include <draco/mesh/mesh.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

namespace
{

draco::GeometryAttribute::Type type_of(const std::string &semantic)
{
    using draco::GeometryAttribute;
    return semantic == "POSITION" ? GeometryAttribute::POSITION
           : semantic == "NORMAL" ? GeometryAttribute::NORMAL
           : semantic.compare(0, 9, "TEXCOORD_") == 0
               ? GeometryAttribute::TEX_COORD
           : semantic.compare(0, 6, "COLOR_") == 0 ? GeometryAttribute::COLOR
                                                   : GeometryAttribute::GENERIC;
}

draco::DataType data_of(uint32_t component)
{
    switch (component) {
    case 5120: return draco::DT_INT8;
    case 5121: return draco::DT_UINT8;
    case 5122: return draco::DT_INT16;
    case 5123: return draco::DT_UINT16;
    case 5125: return draco::DT_UINT32;
    default: return draco::DT_FLOAT32;
    }
}

} // namespace

extern "C" uint8_t *press_draco_mesh(const press_attribute *attributes,
                                     size_t attribute_count,
                                     uint32_t points,
                                     const uint32_t *index,
                                     uint32_t triangles,
                                     const press_options *options,
                                     size_t *ret_size,
                                     uint32_t *ret_points,
                                     uint32_t *ret_triangles)
{
    draco::Mesh mesh;
    mesh.set_num_points(points);
    for (size_t i = 0; i < attribute_count; i++) {
        const press_attribute &a = attributes[i];
        draco::GeometryAttribute plain;
        const draco::DataType type = data_of(a.component);
        const int64_t bytes =
            static_cast<int64_t>(draco::DataTypeLength(type)) * a.components;
        plain.Init(type_of(a.semantic), nullptr,
                   static_cast<uint8_t>(a.components), type,
                   a.component != 5126, bytes, 0);
        const int id = mesh.AddAttribute(plain, true, points);
        mesh.attribute(id)->set_unique_id(static_cast<uint32_t>(i));
        for (uint32_t p = 0; p < points; p++) {
            mesh.attribute(id)->SetAttributeValue(draco::AttributeValueIndex(p),
                                                  a.data + p * a.stride);
        }
    }
    mesh.SetNumFaces(triangles);
    for (uint32_t t = 0; t < triangles; t++) {
        mesh.SetFace(draco::FaceIndex(t),
                     {{draco::PointIndex(index[3 * t]),
                       draco::PointIndex(index[3 * t + 1]),
                       draco::PointIndex(index[3 * t + 2])}});
    }
    draco::ExpertEncoder encoder(mesh);
    encoder.SetTrackEncodedProperties(true);
    encoder.SetEncodingMethod(options->sequential
                                  ? draco::MESH_SEQUENTIAL_ENCODING
                                  : draco::MESH_EDGEBREAKER_ENCODING);
    for (size_t i = 0; i < attribute_count; i++) {
        if (options->bits && attributes[i].component == 5126)
            encoder.SetAttributeQuantization(static_cast<int32_t>(i),
                                             options->bits);
    }
    draco::EncoderBuffer buffer;
    if (!encoder.EncodeToBuffer(&buffer).ok())
        abort();
    uint8_t *out = static_cast<uint8_t *>(malloc(buffer.size() + 1));
    if (!out)
        abort();
    memcpy(out, buffer.data(), buffer.size());
    *ret_size = buffer.size();
    *ret_points = static_cast<uint32_t>(encoder.num_encoded_points());
    *ret_triangles = static_cast<uint32_t>(encoder.num_encoded_faces());
    return out;
}
