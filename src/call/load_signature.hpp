// load_signature: the enum options of load().
#pragma once

#include "call/common_options.hpp"
#include "call/signature.hpp"

#include <thriftlens/idl/options.hpp>

namespace thriftlens::python {

[[nodiscard]] const signature_of<idl::load_options>& load_signature();

}  // namespace thriftlens::python
