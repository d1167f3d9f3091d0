// bind_core: the version.
#include "bind.hpp"

#include <thriftlens/core/config.hpp>

namespace thriftlens::python {

void bind_core(pybind11::module_& module) { module.attr("__version__") = THRIFTLENS_VERSION; }

}  // namespace thriftlens::python
