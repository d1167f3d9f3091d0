// json: Thrift to JSON and JSON to Thrift, under a schema; needs simdjson (CMake target thriftlens::json).
// In: nothing. Out: the room json and all it stands on.
// Never declares anything itself.
#pragma once

#include <thriftlens/thriftlens.hpp>
