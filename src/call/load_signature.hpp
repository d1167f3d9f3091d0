// load_signature: the options of load that are words. Never read but by the load: the rest of its
// parameters are objects of Python's.
#pragma once

#include "call/signature.hpp"
#include "call/spelling.hpp"

#include <thriftlens/idl/options.hpp>

namespace thriftlens::python {

[[nodiscard]] const signature_of<idl::load_options>& load_signature();

}  // namespace thriftlens::python
