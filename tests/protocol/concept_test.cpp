#include <thriftlens/protocol/concept.hpp>

#include <thriftlens/protocol/select.hpp>

#include "support/cases.hpp"
#include "support/test.hpp"
#include "value.hpp"

using thriftlens_test::random_values, thriftlens_test::value, tl::errc, tl::ttype;

static_assert(tl::protocol<tl::binary> && tl::protocol<tl::compact>);
static_assert(!tl::protocol<int> && !tl::protocol<tl::detail::wire_cursor>);

namespace {

template <class Protocol>
class any_protocol : public testing::Test {
 public:
  using reader = typename Protocol::reader;
  using writer = typename Protocol::writer;

  template <class Write>
  static std::string written(Write write) {
    tl::buffer bytes;
    writer out(bytes);
    write(out);
    return bytes.str();
  }
};
TYPED_TEST_SUITE(any_protocol, protocols);

}  // namespace

TYPED_TEST(any_protocol, random_values_round_trip_and_skip_finds_their_end) {
  random_values result{std::mt19937_64(42)};
  for (int round = 0; round < thriftlens_test::cases(3000); ++round) {
    const value expected = result.make(ttype::struct_, 1 + round % 5);
    const std::string bytes = thriftlens_test::to_bytes<TypeParam>(expected);
    ASSERT_EQ(thriftlens_test::to_bytes<TypeParam>(expected, true), bytes) << "sizes filled in afterwards";
    typename TestFixture::reader in{tl::byte_view(bytes)};
    value actual;
    ASSERT_TRUE(read_value(in, ttype::struct_, actual))
        << to_string(in.fault().code) << ' ' << in.fault().offset;
    ASSERT_TRUE(in.at_end());
    ASSERT_TRUE(actual == expected);
    typename TestFixture::reader skipping{tl::byte_view(bytes)};
    ASSERT_TRUE(skipping.skip(ttype::struct_));
    ASSERT_TRUE(skipping.at_end());
  }
}

TYPED_TEST(any_protocol, truncation_at_any_byte_is_reported) {
  random_values result{std::mt19937_64(43)};
  for (int round = 0; round < 60; ++round) {
    const std::string bytes = thriftlens_test::to_bytes<TypeParam>(result.make(ttype::struct_, 4));
    for (std::size_t size = 0; size < bytes.size() && size < 1500; ++size) {
      const std::string cut = bytes.substr(0, size);
      typename TestFixture::reader walking{tl::byte_view(cut)}, skipping{tl::byte_view(cut)};
      ASSERT_FALSE(thriftlens_test::walk(walking, ttype::struct_));
      ASSERT_FALSE(skipping.skip(ttype::struct_));
      ASSERT_EQ(walking.fault().code, errc::truncated) << size;
      ASSERT_EQ(skipping.fault().code, errc::truncated) << size;
      ASSERT_LE(skipping.fault().offset, size);
    }
  }
}

TYPED_TEST(any_protocol, walk_and_skip_agree_on_mutated_bytes) {
  random_values result{std::mt19937_64(44)};
  for (int round = 0; round < thriftlens_test::cases(30000); ++round) {
    std::string bytes = thriftlens_test::to_bytes<TypeParam>(result.make(ttype::struct_, 1 + round % 3));
    for (std::uint64_t n = 1 + result.below(3); n != 0; --n)
      bytes[result.below(bytes.size())] = static_cast<char>(result.random());
    typename TestFixture::reader walking{tl::byte_view(bytes)}, skipping{tl::byte_view(bytes)};
    const bool accepted = thriftlens_test::walk(walking, ttype::struct_);
    ASSERT_EQ(skipping.skip(ttype::struct_), accepted) << round;
    if (accepted) {
      ASSERT_EQ(walking.offset(), skipping.offset());
    }
  }
}

TYPED_TEST(any_protocol, the_first_error_is_kept) {
  const std::string bytes = TestFixture::written([](auto& out) { out.write_i32(5); });
  typename TestFixture::reader in{tl::byte_view(bytes)};
  EXPECT_FALSE(in.reject(errc::type_mismatch));
  std::int32_t number = 7;
  EXPECT_FALSE(in.read_i32(number));
  in.seek(in.begin());
  EXPECT_FALSE(in.read_i32(number));
  EXPECT_FALSE(in.reject(errc::truncated));
  EXPECT_EQ(in.fault().code, errc::type_mismatch);
  EXPECT_EQ(in.fault().offset, 0u);
  EXPECT_TRUE(in.at_end());
  EXPECT_EQ(number, 7);
}

TYPED_TEST(any_protocol, a_position_includes_bools_and_field_ids) {
  const std::string bytes = TestFixture::written([](auto& out) {
    const tl::struct_mark outer = out.begin_struct();
    out.write_field(ttype::bool_, 3);
    out.write_bool(true);
    out.write_field(ttype::bool_, 4);
    out.write_bool(false);
    out.write_field(ttype::struct_, 9);
    const tl::struct_mark middle = out.begin_struct();
    out.write_field(ttype::i16, 100);
    out.write_i16(-2);
    out.write_stop();
    out.end_struct(middle);
    out.write_field(ttype::i8, 10);
    out.write_i8(-3);
    out.write_stop();
    out.end_struct(outer);
  });
  typename TestFixture::reader in{tl::byte_view(bytes)};
  const tl::struct_mark outer = in.begin_struct();
  tl::field_header field;
  tl::detail::wire_position places[4];
  for (tl::detail::wire_position& item : places) {
    ASSERT_TRUE(in.read_field(field));
    item = in.here();
    ASSERT_TRUE(in.skip(field.type));
  }
  ASSERT_TRUE(in.read_field(field));
  EXPECT_EQ(field.type, ttype::stop);
  in.end_struct(outer);
  EXPECT_TRUE(in.at_end());

  bool flag = false;
  in.seek(places[0]);
  ASSERT_TRUE(in.read_bool(flag));
  EXPECT_TRUE(flag);
  in.seek(places[1]);
  ASSERT_TRUE(in.read_bool(flag));
  EXPECT_FALSE(flag);
  ASSERT_TRUE(in.read_field(field));  // continues after the value, ids included
  EXPECT_EQ(field, (tl::field_header{ttype::struct_, 9}));
  in.seek(places[2]);
  const tl::struct_mark middle = in.begin_struct();
  ASSERT_TRUE(in.read_field(field));
  EXPECT_EQ(field, (tl::field_header{ttype::i16, 100}));
  ASSERT_TRUE(in.skip(field.type) && in.read_field(field));
  in.end_struct(middle);
  ASSERT_TRUE(in.read_field(field));
  EXPECT_EQ(field, (tl::field_header{ttype::i8, 10}));
}

TYPED_TEST(any_protocol, depth_is_bounded_in_walk_and_skip) {
  for (const ttype type : {ttype::struct_, ttype::list, ttype::set, ttype::map})
    for (const std::uint32_t limit : {1u, 2u, 64u, 5000u})
      for (const std::uint32_t levels : {1u, 2u, 3u, 63u, 64u, 65u, 1024u, 1025u, 6000u}) {
        value deep;
        deep.type = type;
        deep.element = type == ttype::map ? ttype::stop : ttype::i8;
        tl::buffer bytes;
        typename TestFixture::writer out(bytes);
        std::vector<tl::struct_mark> marks;
        for (std::uint32_t level = 1; level < levels; ++level) {
          if (type == ttype::struct_) {
            marks.push_back(out.begin_struct());
            out.write_field(type, 1);
          } else if (type == ttype::map) {
            out.write_map({ttype::i8, type, 1});
            out.write_i8(0);
          } else {
            out.write_list({type, 1});
          }
        }
        thriftlens_test::write_value(out, deep, false);
        for (; !marks.empty(); marks.pop_back()) {
          out.write_stop();
          out.end_struct(marks.back());
        }
        const bool accepted = levels <= std::min(limit, tl::limits::max_depth);
        typename TestFixture::reader walking(bytes, {.depth = limit}), skipping(bytes, {.depth = limit});
        ASSERT_EQ(thriftlens_test::walk(walking, type), accepted) << levels << ' ' << limit;
        ASSERT_EQ(skipping.skip(type), accepted) << levels << ' ' << limit;
        if (!accepted) {
          EXPECT_EQ(walking.fault().code, errc::depth_limit);
          EXPECT_EQ(skipping.fault().code, errc::depth_limit);
        }
      }
}

TYPED_TEST(any_protocol, size_limits_bound_strings_and_containers) {
  const std::string text =
      TestFixture::written([](auto& out) { out.write_bytes(std::string_view("12345")); });
  typename TestFixture::reader in(tl::byte_view(text), {.string_size = 4});
  tl::byte_view bytes;
  EXPECT_FALSE(in.read_bytes(bytes));
  EXPECT_EQ(in.fault().code, errc::size_limit);
  const std::string list = TestFixture::written([](auto& out) {
    out.write_list({ttype::i8, 5});
    for (int i = 0; i < 5; ++i) out.write_i8(0);
  });
  typename TestFixture::reader small(tl::byte_view(list), {.container_size = 4}),
      enough(tl::byte_view(list), {.container_size = 5});
  tl::list_header header;
  EXPECT_FALSE(small.read_list(header));
  EXPECT_EQ(small.fault().code, errc::size_limit);
  EXPECT_TRUE(enough.read_list(header));
  const std::string map = TestFixture::written([](auto& out) {
    out.write_map({ttype::i8, ttype::i8, 2});
    for (int i = 0; i < 4; ++i) out.write_i8(0);
  });
  typename TestFixture::reader entries(tl::byte_view(map), {.container_size = 1});
  tl::map_header map_header;
  EXPECT_FALSE(entries.read_map(map_header));
  EXPECT_EQ(entries.fault().code, errc::size_limit);
}

TYPED_TEST(any_protocol, containers_larger_than_the_bytes_left_are_refused_before_their_elements) {
  for (const ttype type : {ttype::bool_, ttype::i8, ttype::i16, ttype::i32, ttype::i64, ttype::double_,
                           ttype::string, ttype::struct_, ttype::map, ttype::set, ttype::list, ttype::uuid}) {
    const std::string list = TestFixture::written([&](auto& out) {
                               out.write_list({type, 0x7fffffff});
                             }) +
                             std::string(64, '\0');
    typename TestFixture::reader in{tl::byte_view(list)};
    tl::list_header header;
    EXPECT_FALSE(in.read_list(header));
    EXPECT_EQ(in.fault().code, errc::truncated);
    const std::string map = TestFixture::written([&](auto& out) {
                              out.write_map({type, type, 0x7fffffff});
                            }) +
                            std::string(64, '\0');
    typename TestFixture::reader entries{tl::byte_view(map)};
    tl::map_header map_header;
    EXPECT_FALSE(entries.read_map(map_header));
    EXPECT_EQ(entries.fault().code, errc::truncated);
  }
}

TYPED_TEST(any_protocol, raw_bytes_are_read_completely_or_not_at_all) {
  const std::string bytes = "abcdef";
  typename TestFixture::reader in{tl::byte_view(bytes)};
  tl::byte_view taken;
  ASSERT_TRUE(in.read_raw(4, taken));
  EXPECT_EQ(taken.text(), "abcd");
  EXPECT_EQ(in.remaining(), 2u);
  EXPECT_FALSE(in.read_raw(3, taken));
  EXPECT_EQ(in.fault(), (tl::fault{.code = errc::truncated, .offset = 4}));
}

TYPED_TEST(any_protocol, put_functions_write_what_the_writer_writes) {
  const tl::uuid_bytes unique{1, 2, 3};
  const std::string expected = TestFixture::written([&](auto& out) {
    const tl::struct_mark outer = out.begin_struct();
    out.write_field(ttype::bool_, 1);
    out.write_bool(false);
    out.write_field(ttype::i16, -7);
    out.write_i16(-300);
    out.write_field(ttype::i64, 40);
    out.write_i64(std::int64_t{1} << 62);
    out.write_field(ttype::double_, 41);
    out.write_double(0.1);
    out.write_field(ttype::uuid, 42);
    out.write_uuid(unique);
    out.write_field(ttype::list, 43);
    out.write_list({ttype::bool_, 1});
    out.write_bool(false);
    out.write_field(ttype::map, 44);
    out.write_map({ttype::i32, ttype::i8, 1});
    out.write_i32(-1);
    out.write_i8(-1);
    out.write_field(ttype::string, 45);
    out.write_bytes(std::string_view());
    out.write_stop();
    out.end_struct(outer);
  });
  using P = TypeParam;
  std::uint8_t storage[200];
  std::int16_t last_id = 0;
  std::uint8_t* to = P::put_bool_field(storage, 1, false, last_id);
  to = P::put_i16(P::put_field(to, ttype::i16, -7, last_id), -300);
  to = P::put_i64(P::put_field(to, ttype::i64, 40, last_id), std::int64_t{1} << 62);
  to = P::put_double(P::put_field(to, ttype::double_, 41, last_id), 0.1);
  to = P::put_uuid(P::put_field(to, ttype::uuid, 42, last_id), unique);
  to = P::put_bool(P::put_list(P::put_field(to, ttype::list, 43, last_id), {ttype::bool_, 1}), false);
  to = P::put_i8(
      P::put_i32(P::put_map(P::put_field(to, ttype::map, 44, last_id), {ttype::i32, ttype::i8, 1}), -1), -1);
  to = P::put_stop(P::put_size(P::put_field(to, ttype::string, 45, last_id), 0));
  EXPECT_EQ(std::string(reinterpret_cast<char*>(storage), static_cast<std::size_t>(to - storage)), expected);
}
