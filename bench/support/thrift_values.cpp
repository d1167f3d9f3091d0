// Made by way of JSON, which sorts keys; a missing field and one with a default value are the same here.
#include "thrift_values.hpp"

#include "json_values.hpp"
#include "lens.hpp"

#include <thriftlens/json.hpp>

namespace bench {

std::string thrift_values(std::string_view bytes, const char* type, bool compact) {
  const auto which = compact ? thriftlens::protocol_id::compact : thriftlens::protocol_id::binary;
  const auto json = thriftlens::try_to_json(which, lens::type(type), thriftlens::byte_view(bytes));
  return json ? json_values(json->text()) : "not readable";
}

}  // namespace bench
