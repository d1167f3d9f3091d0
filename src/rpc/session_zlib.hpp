// session_zlib: compressed frames by Python's zlib. Never imported before a frame is compressed.
#pragma once

#include "support/object.hpp"

#include <thriftlens/transport/payload_transform.hpp>

namespace thriftlens::python {

/// Called with the GIL. Python errors become false: the session says what is wrong.
class session_zlib final : public payload_transform {
 public:
  [[nodiscard]] bool undo(std::uint32_t transform, byte_view in, std::size_t max_size, buffer& out) override;
  [[nodiscard]] bool apply(std::uint32_t transform, byte_view in, buffer& out) override;
};

}  // namespace thriftlens::python
