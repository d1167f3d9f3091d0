// The shared sample vectors, decoded into bound structs and encoded again.
#include "codec/open_structs.hpp"

#include "support/vectors.hpp"

#include <gtest/gtest.h>

#include <string>
#include <type_traits>
#include <vector>

namespace tl = thriftlens;

using thriftlens_test::malicious_vector;
using thriftlens_test::valid_vector;

namespace {

// Decoding into an object is other code than decoding a new one; a few types that have everything in them say enough.
template <class T>
inline constexpr bool also_into = std::is_same_v<T, open_structs::nested> || std::is_same_v<T, open_structs::lists> ||
                                  std::is_same_v<T, open_structs::map_vals> || std::is_same_v<T, open_structs::uni_holder> ||
                                  std::is_same_v<T, open_structs::tree>;

template <class T, class Protocol>
void expect_round_trip(const std::string& wire, const std::string& id) {
  auto decoded = tl::try_decode<T, Protocol>(wire);
  ASSERT_TRUE(decoded) << id << ": " << decoded.error().what();
  tl::buffer out;
  tl::encode<Protocol>(*decoded, out);
  if (id.find("out_of_order") == std::string::npos) {
    EXPECT_EQ(out.text(), wire) << id;
  }
  EXPECT_EQ(tl::encoded_size<Protocol>(*decoded), out.size()) << id;
  if constexpr (also_into<T>) {
    T again{};
    for (int round = 0; round < 2; ++round) {
      tl::decode_into<Protocol>(wire, again);
      out.clear();
      tl::encode<Protocol>(again, out);
      EXPECT_EQ(out.text(), wire) << id << ", decoded into an object in round " << round;
    }
  }
  // Cut to every length, the value is refused.
  if (wire.size() > 16384) return;
  const std::size_t step = wire.size() <= 1024 ? 1 : wire.size() / 256;
  for (std::size_t size = 0; size < wire.size(); size += step) {
    // A copy of exact size lets the address sanitizer see a read past the end.
    const std::vector<char> cut(wire.begin(), wire.begin() + static_cast<std::ptrdiff_t>(size));
    decoded = tl::try_decode<T, Protocol>(tl::byte_view(cut));
    ASSERT_FALSE(decoded) << id << " cut to " << size;
    ASSERT_LE(decoded.error().offset(), size) << id;
  }
}

template <class T>
std::string outcome(const malicious_vector& vector, const tl::decode_options& options = {}) {
  const bool compact = vector.protocol == "compact";
  auto decoded = compact ? tl::try_decode<T, tl::compact>(vector.bytes, options) : tl::try_decode<T, tl::binary>(vector.bytes, options);
  if (!decoded) return std::string(to_string(decoded.error().code()));
  tl::buffer out;
  auto encoded = compact ? tl::try_encode<tl::compact>(*decoded, out) : tl::try_encode<tl::binary>(*decoded, out);
  EXPECT_TRUE(encoded) << encoded.error().what();
  return "ok";
}

}  // namespace

TEST(codec_vectors, valid_ones_come_back_byte_for_byte_and_are_refused_when_cut) {
  SKIP_WITHOUT_SHARED();
  int checked = 0;
  for (const valid_vector& vector : thriftlens_test::valid_vectors()) {
    open_structs::with_struct(vector.structure, [&]<class T>(std::type_identity<T>) {
      ++checked;
      expect_round_trip<T, tl::binary>(vector.binary, vector.id);
      expect_round_trip<T, tl::compact>(vector.compact, vector.id);
    });
  }
  EXPECT_EQ(checked, 384);
}

TEST(codec_vectors, malicious_ones_end_as_expected) {
  SKIP_WITHOUT_SHARED();
  const tl::decode_options lenient{.mismatch = tl::decode_mismatch::skip, .duplicates = tl::decode_duplicates::last, .trailing = tl::decode_trailing::ignore};
  int checked = 0;
  for (const malicious_vector& vector : thriftlens_test::malicious_vectors()) {
    open_structs::with_struct(vector.structure, [&]<class T>(std::type_identity<T>) {
      ++checked;
      const std::string found = outcome<T>(vector);
      if (vector.expect != "either") {
        EXPECT_EQ(found == "ok", vector.expect == "ok") << vector.id << ", found " << found;
      } else {
        EXPECT_EQ(outcome<T>(vector, lenient), "ok") << vector.id << ", found " << found;
      }
    });
  }
  EXPECT_GE(checked, 180);
}
