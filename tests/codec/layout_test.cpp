#include <thriftlens/codec/layout.hpp>

#include "support/test.hpp"

#include <thriftlens/protocol/binary.hpp>

namespace codec = thriftlens::detail::codec;

namespace {
struct mixed {
  bool a = false;
  std::int64_t b = 0;
  std::string c;
  double d = 0;
};
struct sparse_ids {
  int z = 0, y = 0, x = 0;
};
struct dense_ids {
  int a = 0, b = 0;
};
struct no_ids {};

template <class T>
std::size_t slot_of(std::int16_t id) {
  return codec::find_slot(codec::member_slots<T>.data(), codec::members<T>::count, id);
}
}  // namespace
template <>
struct tl::binding<sparse_ids> : tl::fields<tl::field<900, &sparse_ids::z>, tl::field<-1, &sparse_ids::y>,
                                            tl::field<5, &sparse_ids::x>> {};
template <>
struct tl::binding<dense_ids> : tl::numbered {};
template <>
struct tl::binding<no_ids> : tl::fields<> {};
template <>
struct tl::binding<mixed> : tl::fields<tl::field<1, &mixed::a>, tl::field<2, &mixed::b>,
                                       tl::field<3, &mixed::c>, tl::field<0x1234, &mixed::d>> {};

TEST(codec_layout, slots_are_found_by_dense_sparse_and_no_ids) {
  EXPECT_EQ(slot_of<sparse_ids>(900), 2u);
  EXPECT_EQ(slot_of<sparse_ids>(-1), 0u);
  EXPECT_EQ(slot_of<sparse_ids>(6), 3u);
  EXPECT_EQ(slot_of<dense_ids>(2), 1u);
  EXPECT_EQ(slot_of<dense_ids>(0), 2u);
  EXPECT_EQ(slot_of<dense_ids>(-32768), 2u);
  EXPECT_EQ(slot_of<no_ids>(1), 0u);
}

TEST(codec_layout, headers_are_the_bytes_that_binary_writes) {
  EXPECT_EQ((codec::member_header<mixed, 0>), 0x010002u);
  EXPECT_EQ((codec::member_header<mixed, 3>), 0x341204u);
  EXPECT_EQ(codec::binary_header(tl::ttype::i32, -1), 0xffff08u);
}

TEST(codec_layout, runs_of_fixed_fields_are_grouped) {
  static_assert(codec::field_groups<mixed>.size() == 3);
  EXPECT_EQ(codec::field_groups<mixed>[0].end, 2u);
  EXPECT_EQ(codec::field_groups<mixed>[1].end, 3u);
  EXPECT_EQ((codec::run_size<mixed, 0, 2>), 4 + 11u);
  EXPECT_EQ((codec::field_reach<mixed, 2>), 7u);
  EXPECT_EQ((codec::fixed_field_size<mixed, 2>), 0u);
}

TEST(codec_layout, runs_of_fields_are_skipped_up_to_the_first_checked_one) {
  tl::buffer out;
  tl::binary::writer writer(out);
  const auto add = [&](tl::ttype type, std::int16_t id) {
    return writer.write_field(type, id), out.size() - 3;
  };
  add(tl::ttype::bool_, 1), writer.write_bool(true);
  add(tl::ttype::uuid, 2), writer.write_uuid({});
  const std::size_t text = add(tl::ttype::string, 3);
  writer.write_bytes(std::string_view("twenty bytes of text"));
  const std::size_t far = add(tl::ttype::i64, 9);
  writer.write_i64(1);
  const std::size_t list = add(tl::ttype::list, 4);
  writer.write_list({tl::ttype::i64, 2}), writer.write_i64(1), writer.write_i64(1);

  const std::uint8_t* begin = out.data();
  const auto suffix = [&](std::int32_t above, std::int32_t below, std::size_t size) {
    const std::string part(out.text().substr(0, size));
    const tl::byte_view bytes(part);
    return codec::skip_fields(bytes.begin(), bytes.end(), above, below) - bytes.begin();
  };
  const auto full = out.size();
  EXPECT_EQ(suffix(0, 9, full), static_cast<std::ptrdiff_t>(far));
  EXPECT_EQ(suffix(-0x8001, 0x8000, full), static_cast<std::ptrdiff_t>(list));
  EXPECT_EQ(suffix(1, 9, full), 0);
  EXPECT_EQ(suffix(0, 3, full), static_cast<std::ptrdiff_t>(text));
  // Truncated bytes are not read past their end.
  for (std::size_t size = 0; size < full; ++size)
    EXPECT_LE(suffix(0, 100, size), static_cast<std::ptrdiff_t>(size));
  out.data()[text + 3] = 0xff;
  EXPECT_EQ(codec::skip_fields(begin, begin + full, 0, 9), begin + text);
}
