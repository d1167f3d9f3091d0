// Long vectors and benchmark payloads, truncated at every byte up to 16 KiB and at some later ones.
#include "codec/cuts.hpp"
#include "support/test.hpp"

#include <thriftlens/codec/decode.hpp>
#include <thriftlens/codec/encode.hpp>

#include "support/cases.hpp"
#include "support/vectors.hpp"

namespace borrowed {

using text = std::string_view;
template <class T>
using list = std::vector<T>;
template <class K, class V>
using pairs = std::vector<std::pair<K, V>>;
enum class color : std::int32_t {};

// ---- idl of the vectors ----

struct point {
  std::int32_t x, y;
};
struct empty {};
struct scalars {
  bool truth;
  std::int8_t i8;
  std::int16_t i16;
  std::int32_t i32;
  std::int64_t i64;
  double real;
  text string, binary;
  color shade;
  std::int64_t uid;
};
struct mixed {
  std::int32_t required;
  std::optional<std::int32_t> optional, usual;
  text required_text;
  std::optional<text> other_text;
  std::int64_t number;
  list<std::int32_t> numbers;
  pairs<text, std::int32_t> named;
  double real;
  bool truth;
};
struct lists {
  list<bool> l0;
  list<std::int8_t> l1;
  list<std::int16_t> l2;
  list<std::int32_t> l3;
  list<std::int64_t> l4;
  list<double> l5;
  list<text> l6, l7;
  list<color> l8;
  list<point> l9;
  list<empty> l10;
  list<list<std::int32_t>> l11;
  list<std::set<text>> l12;
  list<pairs<text, std::int64_t>> l13;
  list<list<text>> l14;
};
struct map_keys {
  pairs<bool, text> k0;
  pairs<std::int8_t, text> k1;
  pairs<std::int16_t, text> k2;
  pairs<std::int32_t, text> k3;
  pairs<std::int64_t, text> k4;
  pairs<double, text> k5;
  pairs<text, text> k6, k7;
  pairs<color, text> k8;
  pairs<std::int64_t, text> k9;
};
struct map_values {
  pairs<text, bool> v0;
  pairs<text, std::int8_t> v1;
  pairs<text, std::int16_t> v2;
  pairs<text, std::int32_t> v3;
  pairs<text, std::int64_t> v4;
  pairs<text, double> v5;
  pairs<text, text> v6, v7;
  pairs<text, color> v8;
  pairs<text, point> v9;
  pairs<text, list<text>> v10;
  pairs<text, pairs<std::int32_t, text>> v11;
};
struct nested {
  list<list<list<std::int16_t>>> a;
  pairs<text, pairs<std::int32_t, list<scalars>>> b;
  list<pairs<text, list<text>>> c;
  list<pairs<text, std::set<std::int64_t>>> d;
  std::optional<scalars> e;
  pairs<std::int64_t, mixed> f;
};
struct wide {
  text w1;
  bool w2;
  std::int64_t w3;
  double w4;
  std::int32_t w5;
};

// ---- idl of the payloads, with the field that one of the two sets of them has more ----

struct simple {
  std::int8_t i8;
  std::int64_t i64;
  double real;
  std::int32_t i32;
  text string, binary;
  std::optional<color> shade;
};
struct nesting {
  text string;
  list<simple> list_simple;
  double real;
  std::int32_t i32;
  list<std::int32_t> list_i32;
  std::int64_t i64;
  pairs<text, text> map_string_string;
  simple one;
  pairs<std::int32_t, std::int64_t> map_i32_i64;
  list<text> list_string;
  text binary;
  pairs<std::int64_t, text> map_i64_string;
  list<std::int64_t> list_i64;
  std::int8_t i8;
  pairs<text, simple> map_string_simple;
};
struct nesting2 {
  pairs<simple, nesting> map_simple_nesting;
  simple one;
  std::int8_t i8;
  double real;
  list<nesting> list_nesting;
  std::int64_t i64;
  nesting inner;
  text binary, string;
};

}  // namespace borrowed

template <>
struct thriftlens::binding<borrowed::point> : tl::numbered {};
template <>
struct thriftlens::binding<borrowed::empty> : tl::numbered {};
template <>
struct thriftlens::binding<borrowed::scalars> : tl::numbered {};
template <>
struct thriftlens::binding<borrowed::mixed> : tl::numbered {};
template <>
struct thriftlens::binding<borrowed::lists> : tl::numbered {};
template <>
struct thriftlens::binding<borrowed::map_keys> : tl::numbered {};
template <>
struct thriftlens::binding<borrowed::map_values> : tl::numbered {};
template <>
struct thriftlens::binding<borrowed::nested> : tl::numbered {};
template <>
struct thriftlens::binding<borrowed::wide> : tl::numbered {};
template <>
struct thriftlens::binding<borrowed::simple> : tl::numbered {};
template <>
struct thriftlens::binding<borrowed::nesting> : tl::numbered {};
template <>
struct thriftlens::binding<borrowed::nesting2> : tl::numbered {};

namespace {

// The error of decoding, if any. Templates end here.
using reader = std::optional<tl::error> (*)(tl::byte_view wire, bool compact);

template <class T>
T object{};
template <class T>
std::optional<tl::error> read(tl::byte_view wire, bool compact) {
  const auto status = compact ? tl::try_decode_into<tl::compact>(wire, object<T>)
                              : tl::try_decode_into<tl::binary>(wire, object<T>);
  if (status) return std::nullopt;
  return status.error();
}
reader reader_of(std::string_view structure) {
  if (structure == "Lists") return &read<borrowed::lists>;
  if (structure == "MapKeys") return &read<borrowed::map_keys>;
  if (structure == "MapVals") return &read<borrowed::map_values>;
  if (structure == "Nested") return &read<borrowed::nested>;
  if (structure == "Wide") return &read<borrowed::wide>;
  return nullptr;
}

template <class T>
void expect_cuts_refused(const char* file) {
  const std::string binary = thriftlens_test::read_file(thriftlens_test::samples_dir() / "payloads" / file);
  ASSERT_FALSE(read<T>(binary, false)) << file;
  tl::buffer compact;
  tl::append_encoded<tl::compact>(object<T>, compact);
  for (const std::string_view wire : {std::string_view(binary), compact.text()}) {
    const bool is_compact = wire.data() != binary.data();
    ASSERT_FALSE(read<T>(wire, is_compact)) << file;
    auto chosen = [full_size = wire.size()](std::size_t size) {
      if (thriftlens_test::is_sanitized && size % 5 != 0) return false;
      return full_size <= 16 * 1024 || size < 4096 || full_size - size <= 256 || size % 997 == 0;
    };
    EXPECT_EQ(codec_test::find_accepted_cut(
                  wire, [is_compact](tl::byte_view cut) { return read<T>(cut, is_compact); }, chosen),
              "")
        << file;
  }
}

}  // namespace

TEST(codec_cuts, truncated_long_vectors_are_errors) {
  int checked = 0;
  for (const thriftlens_test::valid_vector& vector : thriftlens_test::valid_vectors()) {
    if (!codec_test::cut_while_borrowing(vector.structure, vector.binary.size())) continue;
    SCOPED_TRACE(vector.id);
    const reader read = reader_of(vector.structure);
    ASSERT_NE(read, nullptr);
    ++checked;
    for (const bool compact : {false, true}) {
      const std::string& wire = compact ? vector.compact : vector.binary;
      ASSERT_FALSE(read(wire, compact)) << read(wire, compact)->what();
      EXPECT_EQ(codec_test::find_accepted_cut(wire, [=](tl::byte_view cut) { return read(cut, compact); }),
                "");
    }
  }
  EXPECT_GE(checked, 8);
}

TEST(codec_cuts, truncated_payloads_are_errors) {
  expect_cuts_refused<borrowed::simple>("small.bin");
  expect_cuts_refused<borrowed::simple>("frugal_small.bin");
  expect_cuts_refused<borrowed::nesting>("medium.bin");
  expect_cuts_refused<borrowed::nesting>("frugal_medium.bin");
  expect_cuts_refused<borrowed::nesting2>("large.bin");
  expect_cuts_refused<borrowed::nesting2>("frugal_large.bin");
}
