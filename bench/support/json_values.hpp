// json_values: JSON text as a canonical text of its values, so that answers can be compared however they
// are spelled.
#pragma once

#include <string>
#include <string_view>

namespace bench {

/// The values of a JSON text. Fields with a default value (0, "", [] or {}) are omitted, because generated
/// code writes fields that a message lacks.
std::string json_values(std::string_view json);
/// Padded base64, by Apache Thrift's own routine.
std::string base64(const std::string& bytes);
std::string from_base64(std::string_view text);

}  // namespace bench
