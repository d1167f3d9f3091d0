// edit_object: thriftlens.Edit, a batch of changes to the bytes of one value as a Python object.
#pragma once

#include "caches/schema_keys.hpp"
#include "call/common_options.hpp"
#include "convert/value.hpp"

#include <memory>

namespace thriftlens::python {

/// The class, created by the first call. Borrowed; null with a Python error set.
[[nodiscard]] PyTypeObject* edit_class();
/// The class Document, like edit_class().
[[nodiscard]] PyTypeObject* document_class();
/// The options of Type.edit and Type.rewrite.
struct edit_call {
  protocol_id protocol = protocol_id::binary;
  limits bounds = {};
};
inline constexpr auto edit_table =
    table(protocol_option<&edit_call::protocol>(), depth_option<&edit_call::bounds>(),
          output_size_option<&edit_call::bounds>());
/// An edit of a value of that type in `data`, a bytes-like object. Null with a Python error set.
[[nodiscard]] PyObject* make_edit(std::shared_ptr<schema_keys> keys, type of, PyObject* data,
                                  const edit_call& call);

}  // namespace thriftlens::python
