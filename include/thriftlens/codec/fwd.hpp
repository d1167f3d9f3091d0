// fwd: declarations of module codec.
#pragma once

#include <thriftlens/core/fwd.hpp>

#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Customization point: the fields of a struct. See binding.hpp.
template <class T>
struct binding;
/// Customization point: conversion of a type to a wire type. See adapter.hpp.
template <class T>
struct adapter;
/// Customization point: access to a container. See container.hpp.
template <class T>
struct container;

class unknown_fields;
struct encode_options;
struct decode_options;

namespace detail::codec {
/// Positions of a reader in wire bytes and of a writer in its output: nullptr after a failure.
using read_cursor = const std::uint8_t*;
using write_cursor = std::uint8_t*;
}  // namespace detail::codec

}  // namespace thriftlens::inline THRIFTLENS_ABI
