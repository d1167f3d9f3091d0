#include <thriftlens/protocol/key_step.hpp>

#include "support/test.hpp"

#include <thriftlens/protocol/binary.hpp>
#include <thriftlens/protocol/compact.hpp>

#include <cmath>

namespace {

template <class P>
struct key_step : testing::Test {
  template <class Write>
  static std::string of(tl::ttype wire, Write write) {
    tl::buffer bytes;
    typename P::writer out(bytes);
    write(out);
    tl::detail::path_builder path;
    EXPECT_FALSE(tl::detail::add_key_step<P>(path, tl::byte_view(bytes), wire));
    return path.steps();
  }
};
TYPED_TEST_SUITE(key_step, protocols);

TYPED_TEST(key_step, writes_keys_with_path_literals) {
  EXPECT_EQ(this->of(tl::ttype::bool_, [](auto& out) { out.write_bool(true); }), "{true}");
  EXPECT_EQ(this->of(tl::ttype::i8, [](auto& out) { out.write_i8(-1); }), "{-1}");
  EXPECT_EQ(this->of(tl::ttype::i64, [](auto& out) { out.write_i64(INT64_MIN); }), "{-9223372036854775808}");
  EXPECT_EQ(this->of(tl::ttype::double_, [](auto& out) { out.write_double(1.5); }), "{1.5}");
  EXPECT_EQ(this->of(tl::ttype::string, [](auto& out) { out.write_bytes(std::string_view("a\"b")); }),
            "{\"a\\\"b\"}");
  EXPECT_EQ(this->of(tl::ttype::uuid, [](auto& out) { out.write_uuid(tl::uuid_bytes{1}); }),
            "{\"01000000-0000-0000-0000-000000000000\"}");
}

TYPED_TEST(key_step, writes_other_keys_as_bytes) {
  constexpr bool is_binary = std::is_same_v<TypeParam, tl::binary>;
  EXPECT_EQ(this->of(tl::ttype::string, [](auto& out) { out.write_bytes(std::string_view("\xff")); }),
            is_binary ? "{x\"00000001ff\"}" : "{x\"01ff\"}");
  EXPECT_EQ(this->of(tl::ttype::list,
                     [](auto& out) {
                       out.write_list({tl::ttype::i8, 0});
                     }),
            is_binary ? "{x\"0300000000\"}" : "{x\"03\"}");
  EXPECT_EQ(this->of(tl::ttype::struct_,
                     [](auto& out) {
                       out.begin_struct();
                       out.write_stop();
                     }),
            "{x\"00\"}");
  EXPECT_EQ(this->of(tl::ttype::double_, [](auto& out) { out.write_double(std::nan("")); }),
            is_binary ? "{x\"7ff8000000000000\"}" : "{x\"000000000000f87f\"}");
}

}  // namespace
