#include <thriftlens/protocol/struct_skip.hpp>

#include "support/cases.hpp"
#include "support/test.hpp"
#include "vectors.hpp"

using namespace thriftlens;
using namespace std::string_literals;
using detail::struct_skip;

namespace {

struct outcome {
  std::size_t size = 0;
  errc code = errc::ok;
  std::size_t at = 0;

  friend bool operator==(const outcome&, const outcome&) = default;
};
void PrintTo(const outcome& of, std::ostream* out) {
  *out << of.size << " bytes, " << to_string(of.code) << " at " << of.at;
}

outcome in_pieces(const std::string& bytes, protocol_id which, std::size_t chunk, std::uint32_t depth = 64,
                  std::uint64_t max_size = std::uint64_t{1} << 50) {
  struct_skip skip;
  skip.start(which, depth, max_size);
  std::string rest;
  for (std::size_t at = 0; at < bytes.size() && !skip.at_end() && !skip.fault(); at += chunk) {
    rest += bytes.substr(at, chunk);
    rest.erase(0, skip.feed(byte_view(rest)));
    EXPECT_TRUE(skip.at_end() || skip.fault() || rest.size() < 20);
  }
  if (skip.fault()) return {0, skip.fault().code, skip.fault().offset};
  if (!skip.at_end()) return {0, errc::truncated, 0};
  return {static_cast<std::size_t>(skip.passed())};
}
template <class P>
outcome at_once(const std::string& bytes, std::uint32_t depth = 64) {
  const byte_view full(bytes);
  typename P::skipper skipper(full.end());
  const byte_ptr next = skipper.skip_struct(full.begin(), depth);
  if (next != nullptr) return {static_cast<std::size_t>(next - full.begin())};
  if (skipper.code == errc::truncated) return {0, errc::truncated, 0};
  return {0, skipper.code, static_cast<std::size_t>(skipper.at - full.begin())};
}

// In parts of any size, it ends like the protocol's own skipper, with the same errors; only a truncated
// container, which a skipper with all bytes detects immediately, may have an error in its elements.
template <class P>
void check(const std::string& bytes) {
  const outcome expected = at_once<P>(bytes);
  const outcome actual = in_pieces(bytes, P::id, bytes.size() + 1);
  if (expected.code == errc::truncated)
    ASSERT_NE(actual.code, errc::ok);
  else
    ASSERT_EQ(actual, expected);
  for (const std::size_t chunk : {std::size_t{1}, std::size_t{2}, std::size_t{7}})
    ASSERT_EQ(in_pieces(bytes, P::id, chunk), actual) << "in pieces of " << chunk;
}

}  // namespace

TEST(struct_skip, vectors_in_every_protocol_in_any_parts) {
  int checked = 0;
  for (const auto& row : thriftlens_test::vector_rows("envelope")) {
    const std::string protocol = row.text("protocol");
    if (protocol == "json") continue;
    const std::string bytes = thriftlens_test::read_vector(row.text("file"));
    const bool is_compact = protocol.find("compact") != std::string::npos;
    // From any position; most bytes are not a struct.
    for (std::size_t from = 0; from < bytes.size(); ++from) {
      if (is_compact)
        check<compact>(bytes.substr(from));
      else
        check<binary>(bytes.substr(from));
      ++checked;
    }
  }
  EXPECT_GT(checked, 500);
}

TEST(struct_skip, nesting_is_bounded) {
  std::string bytes;
  for (int i = 0; i < 10; ++i) bytes += "\x0c\0\1"s;
  bytes.append(11, '\0');
  EXPECT_EQ(in_pieces(bytes, protocol_id::binary, 1, 11), outcome{41});
  EXPECT_EQ(in_pieces(bytes, protocol_id::binary, 1, 10), (outcome{0, errc::depth_limit, 30}));
  EXPECT_EQ(at_once<binary>(bytes, 10), (outcome{0, errc::depth_limit, 30}));
  EXPECT_EQ(in_pieces("\0"s, protocol_id::binary, 1, 0), (outcome{0, errc::depth_limit, 0}));
}

TEST(struct_skip, sizes_above_the_limit_are_errors_before_their_bytes_arrive) {
  const auto limited = [](const std::string& bytes, protocol_id which) {
    return in_pieces(bytes, which, 1, 64, 100);
  };
  EXPECT_EQ(limited("\x0b\0\1\0\0\0\x65"s, protocol_id::binary), (outcome{0, errc::size_limit, 3}));
  EXPECT_EQ(limited("\x0f\0\1\x0c\0\0\0\x65"s, protocol_id::binary), (outcome{0, errc::size_limit, 3}));
  EXPECT_EQ(limited("\x0f\0\1\x0a\0\0\0\x10"s, protocol_id::binary), (outcome{0, errc::size_limit, 3}));
  EXPECT_EQ(limited("\x0d\0\1\x0b\x0b\0\0\0\x20"s, protocol_id::binary), (outcome{0, errc::size_limit, 3}));
  EXPECT_EQ(limited("\x18\x65"s, protocol_id::compact), (outcome{0, errc::size_limit, 1}));
  EXPECT_EQ(limited("\x19\xf8\x65"s, protocol_id::compact), (outcome{0, errc::size_limit, 1}));
  std::string fields;
  for (int i = 0; i < 40; ++i) fields += "\x03\0\1x"s;
  EXPECT_EQ(limited(fields, protocol_id::binary), (outcome{0, errc::size_limit, 100}));
}

TEST(struct_skip, random_bytes_fail_as_in_the_protocols_skippers) {
  std::mt19937 engine(7);
  const auto below = [&](std::size_t limit) { return engine() % limit; };
  for (int i = 0; i < thriftlens_test::cases(4000); ++i) {
    std::string bytes(below(60), '\0');
    for (char& byte : bytes) byte = static_cast<char>(below(3) == 0 ? below(256) : below(17));
    check<binary>(bytes);
    check<compact>(bytes);
  }
}
