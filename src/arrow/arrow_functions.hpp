// arrow_functions: the functions of the module that lend memory as Arrow arrays and take it from them.
// Never what columns are made by: that is in columns_object.
#pragma once

#include "call/method.hpp"

namespace thriftlens::python {

[[nodiscard]] std::span<const method> record_blobs_functions();
[[nodiscard]] std::span<const method> arrow_buffer_functions();
[[nodiscard]] std::span<const method> arrow_list_functions();

}  // namespace thriftlens::python
