// held_bytes: the bytes of a Python object, held for longer than a call.
// In: what bytes_like takes. Out: a byte_view that is good as long as this lives.
// Never copies; a bytearray cannot be resized meanwhile.
#pragma once

#include "bytes_like.hpp"

#include <memory>

namespace thriftlens::python {

/// Shared by the views of one message. Made and given up under the GIL.
class held_bytes {
 public:
  /// Null with a Python error set.
  [[nodiscard]] static std::shared_ptr<const held_bytes> take(PyObject* data) {
    auto made = std::make_shared<held_bytes>();
    if (!made->buffer_.take(data)) return nullptr;
    made->owner_ = object::share(data);
    return made;
  }
  [[nodiscard]] byte_view bytes() const noexcept { return buffer_.bytes(); }

 private:
  object owner_;
  bytes_like buffer_;
};

}  // namespace thriftlens::python
