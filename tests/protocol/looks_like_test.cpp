#include <thriftlens/protocol/looks_like.hpp>

#include "support/test.hpp"

using tl::protocol_id, tl::ttype;

namespace {

template <class P>
std::string sample() {
  tl::buffer bytes;
  typename P::writer out(bytes);
  out.write_field(ttype::i32, 1);
  out.write_i32(70000);
  out.write_field(ttype::string, 2);
  out.write_bytes(std::string_view("text"));
  out.write_stop();
  return bytes.str();
}
template <class P>
std::string message(bool strict = true) {
  tl::buffer bytes;
  typename P::writer out(bytes);
  tl::write_message(out,
                    {.name = "getOrder", .type = tl::message_type::call, .sequence_id = 1, .strict = strict});
  return bytes.str() + sample<P>();
}
std::string framed(const std::string& inside) {
  std::string size(4, '\0');
  tl::detail::store_be(reinterpret_cast<std::uint8_t*>(size.data()),
                       static_cast<std::uint32_t>(inside.size()));
  return size + inside;
}
std::string looks(const std::string& bytes, protocol_id spoken) {
  return tl::detail::looks_like(bytes, spoken);
}

const std::string json = R"( {"id": 1})", gzip("\x1f\x8b\x08\0\0\0\0\0\0\3", 10);
constexpr protocol_id compared[] = {protocol_id::binary, protocol_id::compact};

}  // namespace

TEST(looks_like, has_no_hint_for_valid_bytes) {
  EXPECT_EQ(looks(sample<tl::binary>(), protocol_id::binary), "");
  EXPECT_EQ(looks(sample<tl::compact>(), protocol_id::compact), "");
  for (const protocol_id spoken : compared) {
    EXPECT_EQ(looks("", spoken), "");
    EXPECT_EQ(looks(std::string(1, '\0'), spoken), "");
  }
}

TEST(looks_like, recognizes_the_other_protocol) {
  EXPECT_EQ(looks(sample<tl::compact>(), protocol_id::binary), "Compact");
  EXPECT_EQ(looks(sample<tl::binary>(), protocol_id::compact), "Binary");
}

TEST(looks_like, recognizes_messages_frames_json_and_gzip) {
  for (const protocol_id spoken : compared) {
    EXPECT_EQ(looks(message<tl::binary>(), spoken), "a Binary message");
    EXPECT_EQ(looks(message<tl::binary>(false), spoken), "a Binary message")
        << "the old form, without a version";
    EXPECT_EQ(looks(message<tl::compact>(), spoken), "a Compact message");
    EXPECT_EQ(looks(framed(sample<tl::binary>()), spoken), "a 32-bit frame length before Binary");
    EXPECT_EQ(looks(framed(sample<tl::compact>()), spoken), "a 32-bit frame length before Compact");
    EXPECT_EQ(looks(framed(message<tl::binary>()), spoken), "a 32-bit frame length before a Binary message");
    EXPECT_EQ(looks(framed(sample<tl::binary>()) + framed(sample<tl::binary>()), spoken),
              "a 32-bit frame length before Binary")
        << "many";
    EXPECT_EQ(looks(framed("\xff\xff\xff"), spoken), "a 32-bit frame length");
    EXPECT_EQ(looks(json, spoken), "JSON text");
    EXPECT_EQ(looks("[1]", spoken), "JSON text");
    EXPECT_EQ(looks(gzip, spoken), "gzip");
  }
}

TEST(looks_like, does_not_guess_for_corrupted_bytes) {
  const std::string binary = sample<tl::binary>(), compact = sample<tl::compact>();
  for (std::size_t size = 1; size < binary.size(); ++size)
    EXPECT_EQ(looks(binary.substr(0, size), protocol_id::binary), "") << size;
  for (std::size_t size = 1; size < compact.size(); ++size)
    EXPECT_EQ(looks(compact.substr(0, size), protocol_id::compact), "") << size;
  EXPECT_EQ(looks(binary + "xy", protocol_id::binary), "");
  EXPECT_EQ(looks(std::string("\0\0\0\0\0\0", 6), protocol_id::binary), "");
  EXPECT_EQ(looks("{ no json", protocol_id::binary), "");
  EXPECT_EQ(looks(std::string("\x1f\x8b", 2), protocol_id::binary), "");
}

TEST(looks_like, values_other_than_structs) {
  tl::buffer bytes;
  tl::compact::writer out(bytes);
  out.write_list({ttype::i32, 2});
  out.write_i32(1), out.write_i32(-1);
  EXPECT_EQ(tl::detail::looks_like(bytes, protocol_id::compact, ttype::list), "");
  EXPECT_EQ(tl::detail::looks_like(bytes, protocol_id::binary, ttype::list), "Compact");
}

TEST(with_looks, adds_the_format_as_a_hint) {
  const std::string compact = sample<tl::compact>(), binary = sample<tl::binary>();
  const tl::error plain(tl::errc::type_mismatch, "expected i32", 3, "$.a");
  const tl::error hinted = tl::detail::with_looks(plain, compact, protocol_id::binary);
  EXPECT_STREQ(hinted.what(), "expected i32 at $.a (byte 3); the data looks like Compact");
  EXPECT_STREQ(hinted.option(), "protocol");
  EXPECT_EQ(tl::detail::with_looks(plain, binary, protocol_id::binary), plain);
}
TEST(with_looks, names_the_option_for_frames) {
  const std::string binary = sample<tl::binary>();
  std::string framed(4, '\0');
  framed[3] = static_cast<char>(binary.size());
  framed += binary;
  const tl::error hinted =
      tl::detail::with_looks(tl::error(tl::errc::bad_ttype), framed, protocol_id::binary);
  EXPECT_EQ(hinted.hint(), "the data looks like a 32-bit frame length before Binary");
  EXPECT_STREQ(hinted.option(), "framing");
  EXPECT_STREQ(tl::detail::with_looks(tl::error(tl::errc::bad_ttype), framed, protocol_id::compact).option(),
               "protocol");
}
