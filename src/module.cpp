// module: the contents page of thriftlens._core; each room registers itself in bind_<room>.cpp.
#include "bind.hpp"

PYBIND11_MODULE(_core, module) {
  module.doc() = "The compiled part of thriftlens; use the package thriftlens instead.";
  thriftlens::python::bind_core(module);
  thriftlens::python::bind_schema(module);  // Schema, and Type with decode, encode, to_json, from_json, get, get_many, view
  thriftlens::python::bind_lens(module);    // View, Edit
}
