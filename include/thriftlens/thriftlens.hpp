// thriftlens: everything but JSON.
// In: nothing. Out: every room that needs the standard library alone.
// Never includes simdjson: that is json.hpp.
#pragma once

#include <thriftlens/core/arena.hpp>
#include <thriftlens/core/buffer.hpp>
#include <thriftlens/core/byte_view.hpp>
#include <thriftlens/core/config.hpp>
#include <thriftlens/core/diagnostic.hpp>
#include <thriftlens/core/endian.hpp>
#include <thriftlens/core/errc.hpp>
#include <thriftlens/core/error.hpp>
#include <thriftlens/core/fault.hpp>
#include <thriftlens/core/fwd.hpp>
#include <thriftlens/core/hash.hpp>
#include <thriftlens/core/limits.hpp>
#include <thriftlens/core/quote.hpp>
#include <thriftlens/core/result.hpp>
