// inspect: wire bytes as an indented tree for people, with or without a schema. Never fails: what can be
// shown is shown. Output is linear in the bytes, and bounded.
#pragma once

#include <thriftlens/core/byte_view.hpp>
#include <thriftlens/core/fault.hpp>
#include <thriftlens/core/limits.hpp>
#include <thriftlens/protocol/binary.hpp>
#include <thriftlens/protocol/compact.hpp>
#include <thriftlens/schema/type.hpp>

#include <cstdint>
#include <string>

namespace thriftlens::inline THRIFTLENS_ABI {

struct inspect_options {
  thriftlens::limits limits =
      {};                        ///< output_size: bytes of text without the last line of a text that was cut
  type of = {};                  ///< names fields and enum members; none: ids only
  std::uint32_t text_size = 60;  ///< bytes of a string that are shown
  std::uint32_t elements = 0xffffffffu;  ///< elements or entries of a container that are shown
};

/// The tree of one value: a struct, or a value of `options.of`. Where the bytes are broken the text ends in a
/// line that begins with `!`, and `failure` (unless null) receives the fault. A line shows its depth, so one
/// byte may produce a line of 150 bytes: beyond 16 MiB and 8 bytes for every byte (or options.limits) the
/// text ends in the same way, with output_limit.
template <protocol P>
[[nodiscard]] std::string inspect(input_bytes bytes, const inspect_options& options = {},
                                  fault* failure = nullptr);

}  // namespace thriftlens::inline THRIFTLENS_ABI

#if !defined(THRIFTLENS_COMPILED)
#include <thriftlens/compare/inspect.ipp>
#endif
