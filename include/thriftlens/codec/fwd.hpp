// fwd: the names of room codec.
#pragma once

#include <thriftlens/core/fwd.hpp>

#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI {

/// How a struct of the user stands on the wire; the user specialises it. See binding.hpp.
template <class T>
struct binding;
/// How a type of the user travels as another one; the user specialises it. See adapter.hpp.
template <class T>
struct adapter;
/// How a container of the user is filled and walked; the user specialises it. See container.hpp.
template <class T>
struct container;

class unknown_fields;
struct encode_options;
struct decode_options;

namespace detail::codec {
/// Where a reader is in wire bytes, and where a writer is in its output: nullptr after a failure.
using read_cursor = const std::uint8_t*;
using write_cursor = std::uint8_t*;
}  // namespace detail::codec

}  // namespace thriftlens::inline THRIFTLENS_ABI
