// fwd: forward declarations of schema.
#pragma once

#include <thriftlens/core/config.hpp>

namespace thriftlens::inline THRIFTLENS_ABI {

class schema;
class schema_store;
class type;
class written_type;
class field_info;
class function_info;
class service_info;
struct schema_image;
enum class type_kind : unsigned char;
template <class Handle>
class handle_range;

}  // namespace thriftlens::inline THRIFTLENS_ABI
