#include <thriftlens/core/copy_bytes.hpp>

#include "support/test.hpp"

TEST(copy_bytes, copies_exactly_every_length) {
  std::string from(130, '\0');
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<char>(i + 1);
  for (std::size_t size = 0; size <= from.size(); ++size) {
    std::vector<std::uint8_t> exact(size),
        source(from.begin(), from.begin() + static_cast<std::ptrdiff_t>(size));
    thriftlens::detail::copy_bytes(exact.data(), source.data(), size);
    EXPECT_EQ(exact, source) << size;
  }
}
