// session_zlib: compresses frames with Python's zlib, which is imported on first use.
#pragma once

#include "support/object.hpp"

#include <thriftlens/transport/payload_transform.hpp>

namespace thriftlens::python {

/// Needs the GIL. Python errors are cleared and become false, which the session reports.
class session_zlib final : public payload_transform {
 public:
  [[nodiscard]] bool undo(std::uint32_t transform, byte_view in, std::size_t max_size, buffer& out) override;
  [[nodiscard]] bool apply(std::uint32_t transform, byte_view in, buffer& out) override;
};

}  // namespace thriftlens::python
