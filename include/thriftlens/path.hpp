// path: paths and selections, compiled for a type.
// In: nothing. Out: what room path offers; thriftlens.hpp opens all rooms but json.
#pragma once

#include <thriftlens/path/borrowed_selection.hpp>
#include <thriftlens/path/map_key.hpp>
#include <thriftlens/path/path.hpp>
#include <thriftlens/path/selection.hpp>
