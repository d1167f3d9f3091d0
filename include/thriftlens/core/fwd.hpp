// fwd: forward declarations of core.
#pragma once

#include <thriftlens/core/config.hpp>

#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI {

enum class errc : unsigned char;
struct fault;
struct diagnostic;
struct limits;
enum class on_missing : std::uint8_t;
class arena;
class buffer;
class byte_view;
class error;
enum class error_source : std::uint8_t;
namespace detail {

class path_builder;

}  // namespace detail

template <class T>
class result;

}  // namespace thriftlens::inline THRIFTLENS_ABI
