// json_messages: the payloads as JSON, in the order of their fields and map keys on the wire.
#pragma once

#include "payloads.hpp"

namespace bench {

/// Created once per payload: the complete message with all fields that Apache's generated code writes.
const std::vector<std::string>& json_messages(const payload& of);

/// The same as another writer spells them (json_styles.hpp).
const std::vector<std::string>& json_messages(const payload& of, const std::string& style);

}  // namespace bench
