// codec_object: thriftlens.Decoder and thriftlens.Encoder, a type with parsed options.
#pragma once

#include "caches/schema_keys.hpp"
#include "call/signature.hpp"
#include "convert/model.hpp"
#include "convert/value.hpp"

#include <memory>

namespace thriftlens::python {

/// The options of Type.decoder and Type.encoder, and of the classes.
[[nodiscard]] const signature_of<decode_options>& decoder_signature();
[[nodiscard]] const signature_of<encode_options>& encoder_signature();
/// The class, created by the first call. Borrowed; null with a Python error set.
[[nodiscard]] PyTypeObject* decoder_class();
[[nodiscard]] PyTypeObject* encoder_class();
/// Like decode(), but lets other threads run now and then; they must not change the bytes or options.
/// `taken`: the memory of the objects, as counted against the limit.
[[nodiscard]] PyObject* decode_yielding_gil(schema_keys& keys, type of, byte_view data,
                                            const decode_options& options, const model_node* model,
                                            std::size_t& taken);
/// An instance; `model` may be null. Null with a Python error set.
[[nodiscard]] PyObject* make_decoder(std::shared_ptr<schema_keys> keys, type of,
                                     const decode_options& options, object model);
[[nodiscard]] PyObject* make_encoder(std::shared_ptr<schema_keys> keys, type of,
                                     const encode_options& options);

}  // namespace thriftlens::python
