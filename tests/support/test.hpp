/// What most tests use: GoogleTest, common headers of the standard library, and short names.
#pragma once

#include <thriftlens/protocol/fwd.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tl = thriftlens;

/// The type list of tests that run in both protocols.
using protocols = testing::Types<tl::binary, tl::compact>;

/// The error code of a result; ok for a value.
template <class Result>
auto errc_of(const Result& result) -> decltype(result.error().code()) {
  return result ? decltype(result.error().code())::ok : result.error().code();
}
