// Sizes on the wire whose elements take more than 2^32 bytes: in 32 bits the product would look right.
#include <thriftlens/json.hpp>

#include <thriftlens/thriftlens.hpp>
#include "support/test.hpp"

#include <tuple>

using tl::errc;

namespace {

struct wide {
  std::vector<std::int64_t> numbers;
  std::vector<double> doubles;
  std::map<double, double> pairs;
};

}  // namespace

template <>
struct thriftlens::binding<wide> : thriftlens::numbered {};

namespace {

const tl::schema& known() {
  static const tl::schema loaded = tl::schema::parse(R"idl(
    struct Wide {
      1: list<i64> numbers
      2: list<double> doubles
      3: map<double, double> pairs
      4: set<uuid> ids
      5: map<uuid, string> texts
    })idl");
  return loaded;
}
tl::type known_type() { return known().type("Wide"); }

template <class P>
std::string field(tl::ttype wire, std::int16_t id, const std::string& header) {
  tl::buffer out;
  typename P::writer writer(out);
  static_cast<void>(writer.begin_struct());
  writer.write_field(wire, id);
  return out.str() + header + std::string(48, '\0');
}
// A size and its types as the protocol has them, in front of nothing.
template <class P>
std::string list_head(tl::ttype element, std::uint32_t size) {
  std::uint8_t storage[16];
  const std::uint8_t* const end = P::put_list(storage, {element, size});
  return std::string(tl::byte_view(storage, static_cast<std::size_t>(end - storage)).text());
}
template <class P>
std::string map_head(tl::ttype key, tl::ttype value, std::uint32_t size) {
  std::uint8_t storage[16];
  const std::uint8_t* const end = P::put_map(storage, {key, value, size});
  return std::string(tl::byte_view(storage, static_cast<std::size_t>(end - storage)).text());
}
template <class P>
std::vector<std::string> messages() {
  using enum tl::ttype;
  std::vector<std::string> names = {
      field<P>(list, 2, list_head<P>(double_, 0x20000001)),
      field<P>(map, 3, map_head<P>(double_, double_, 0x10000002)),
      field<P>(set, 4, list_head<P>(uuid, 0x10000002)),
      field<P>(map, 5, map_head<P>(uuid, string, P::traits.size_width == 4 ? 0x0ccccccd : 0x0f0f0f10)),
  };
  if (P::traits.size_width == 4) names.push_back(field<P>(list, 1, list_head<P>(i64, 0x20000001)));
  return names;
}

template <class P>
struct wide_sizes : testing::Test {};
TYPED_TEST_SUITE(wide_sizes, protocols);

TYPED_TEST(wide_sizes, are_truncated_for_readers_and_skippers) {
  for (const std::string& bytes : messages<TypeParam>()) {
    typename TypeParam::reader in{tl::byte_view(bytes)};
    EXPECT_FALSE(in.skip(tl::ttype::struct_));
    EXPECT_EQ(in.fault().code, errc::truncated);
    tl::detail::struct_skip piecewise;
    piecewise.start(TypeParam::id, 64, std::uint64_t{1} << 50);
    piecewise.feed(tl::byte_view(bytes));
    EXPECT_FALSE(piecewise.at_end());
    for (const tl::type& type : {tl::type(), known_type()}) {
      EXPECT_EQ(errc_of(tl::try_validate(tl::view<TypeParam>(bytes, type))), errc::truncated);
    }
  }
}

TYPED_TEST(wide_sizes, are_truncated_for_operations_on_whole_messages) {
  const tl::selection full = tl::selection::all(known_type());
  for (const std::string& bytes : messages<TypeParam>()) {
    const tl::view<TypeParam> lens(bytes, known_type());
    tl::buffer out;
    EXPECT_EQ(tl::try_append_json<TypeParam>(known_type(), bytes, out).error().code(), errc::truncated);
    tl::document doc;
    EXPECT_EQ(doc.try_load_all<TypeParam>(tl::byte_view(bytes), known_type()).error().code(),
              errc::truncated);
    EXPECT_EQ(tl::try_append_trimmed(lens, full, out).error().code(), errc::truncated);
    EXPECT_EQ((tl::try_append_converted<TypeParam, tl::binary>(bytes, out).error().code()), errc::truncated);
    EXPECT_EQ(tl::try_equal(lens, lens).error().code(), errc::truncated);
    tl::columns rows = tl::columns::compile(full);
    EXPECT_EQ(rows.try_append<TypeParam>(bytes, 0, 0).error().code(), errc::truncated);
    EXPECT_EQ((tl::try_decode<wide, TypeParam>(bytes).error().code()), errc::truncated);
    EXPECT_TRUE(out.empty());
  }
}

TYPED_TEST(wide_sizes, are_truncated_for_the_stream_trim) {
  for (const char* picked : {"{ numbers }", "{ doubles pairs ids texts }"}) {
    const tl::selection selected = tl::selection::compile(known_type(), picked);
    for (const std::string& bytes : messages<TypeParam>()) {
      tl::stream_trimmer<TypeParam> trimmer(selected);
      tl::buffer out;
      const auto used = trimmer.try_feed(bytes, out);
      EXPECT_FALSE(used && trimmer.done());
      EXPECT_FALSE(trimmer.try_finish());
    }
  }
}

}  // namespace
