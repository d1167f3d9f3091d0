// path: paths and selections, compiled for a type.
#pragma once

#include <thriftlens/path/borrowed_selection.hpp>
#include <thriftlens/path/map_key.hpp>
#include <thriftlens/path/path.hpp>
#include <thriftlens/path/selection.hpp>
