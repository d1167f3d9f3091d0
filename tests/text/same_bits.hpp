// same_bits: whether two doubles are the same, bit for bit. For tests of numbers in text.
#pragma once

#include <cstring>

namespace thriftlens_test {

inline bool same_bits(double lhs, double rhs) { return std::memcmp(&lhs, &rhs, sizeof lhs) == 0; }

}  // namespace thriftlens_test
