// edit: changes of a value and smaller values, made in one pass over the bytes.
// In: nothing. Out: what room edit offers; thriftlens.hpp opens all rooms but json.
#pragma once

#include <thriftlens/edit/edit.hpp>
#include <thriftlens/edit/stream_trim.hpp>
#include <thriftlens/edit/trim.hpp>
