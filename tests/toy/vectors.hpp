// vectors: the valid sample vectors, in Binary and in the toy protocol.
#pragma once

#include "protocol/toy.hpp"
#include "support/vectors.hpp"

#include <thriftlens/protocol/convert.hpp>
#include <thriftlens/schema/schema.hpp>

#include <gtest/gtest.h>

#include <string>

namespace thriftlens_test {

struct toy_vector {
  tl::type type;
  std::string binary;  ///< as converted from the toy's bytes: sets of bools have one spelling
  std::string bytes;
  std::string structure;
};

/// Calls `use(vector)` for each.
template <class Use>
void for_each_toy_vector(Use use) {
  const auto path = [](const char* name) { return (vectors_dir() / name).string(); };
  const tl::schema open = tl::schema::load(path("open.thrift")),
                   uuids = tl::schema::load(path("uuids.thrift"));
  for (const valid_vector& vector : valid_vectors()) {
    if (vector.binary.size() > 65536) continue;
    SCOPED_TRACE(vector.id);
    const tl::type type = (vector.schema == "uuids" ? uuids : open).type(vector.structure);
    const tl::buffer bytes = tl::convert<tl::binary, toy>(tl::byte_view(vector.binary));
    use(toy_vector{type, tl::convert<toy, tl::binary>(bytes).str(), bytes.str(), vector.structure});
  }
}

/// The toy's bytes of a value as Binary's.
[[nodiscard]] inline std::string as_binary(tl::byte_view bytes) {
  return tl::convert<toy, tl::binary>(bytes).str();
}

}  // namespace thriftlens_test
