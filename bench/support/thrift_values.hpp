// thrift_values: a Thrift value as a canonical text, so that answers can be compared whatever the order of
// map entries.
#pragma once

#include <string>
#include <string_view>

namespace bench {

std::string thrift_values(std::string_view bytes, const char* type, bool compact);

/// Way or Protocol: the writer of the bytes; those with "compact" in their name are Compact.
template <class Protocol>
std::string thrift_values(std::string_view bytes, const char* type) {
  return thrift_values(bytes, type,
                       std::string_view(Protocol::name).find("compact") != std::string_view::npos);
}

}  // namespace bench
