// edit: changes of a value and smaller values, made in one pass over the bytes.
#pragma once

#include <thriftlens/edit/edit.hpp>
#include <thriftlens/edit/stream_trim.hpp>
#include <thriftlens/edit/trim.hpp>
