#pragma once

#include <thriftlens/protocol/canonical.hpp>

#include <gtest/gtest.h>

namespace thriftlens_test {

/// compare_keys with enough memory.
template <class P>
bool equal_keys(thriftlens::byte_view lhs, thriftlens::byte_view rhs, thriftlens::ttype wire) {
  bool equal = false;
  EXPECT_TRUE(thriftlens::detail::compare_keys<P>(lhs, rhs, wire, equal));
  return equal;
}

}  // namespace thriftlens_test
