// hex: bytes as lower-case hexadecimal digits.
#pragma once

#include <string>
#include <string_view>

namespace thriftlens_test {

[[nodiscard]] inline std::string hex(std::string_view bytes) {
  std::string digits;
  for (const char byte : bytes) {
    digits += "0123456789abcdef"[static_cast<unsigned char>(byte) >> 4];
    digits += "0123456789abcdef"[static_cast<unsigned char>(byte) & 15];
  }
  return digits;
}

}  // namespace thriftlens_test
