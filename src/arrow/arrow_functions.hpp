// arrow_functions: module functions that export and import Arrow arrays. Columns are in columns_object.hpp.
#pragma once

#include "call/method.hpp"

namespace thriftlens::python {

[[nodiscard]] std::span<const method> record_blobs_functions();
[[nodiscard]] std::span<const method> arrow_buffer_functions();
[[nodiscard]] std::span<const method> arrow_list_functions();
[[nodiscard]] std::span<const method> arrow_stream_functions();

}  // namespace thriftlens::python
