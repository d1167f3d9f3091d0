// fwd: forward declarations of simd.
#pragma once

#include <thriftlens/core/fwd.hpp>

#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI::detail::simd {

enum class level : std::uint8_t;
enum class base64_form : std::uint8_t;
struct json_escaped;
struct json_quoted;
enum class text_form : std::uint8_t;
struct json_unescaped;

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail::simd
