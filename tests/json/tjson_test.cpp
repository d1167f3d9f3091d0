#include <thriftlens/json/tjson.hpp>

#include <thriftlens/protocol/binary.hpp>
#include <thriftlens/protocol/compact.hpp>
#include <thriftlens/schema/schema.hpp>

#include "support/random_data.hpp"
#include "support/shared.hpp"
#include "support/test.hpp"
#include "support/tree.hpp"
#include "support/vectors.hpp"

#include <thrift/protocol/TJSONProtocol.h>

using apache::thrift::protocol::TJSONProtocol, apache::thrift::transport::TMemoryBuffer;

namespace {

std::string by_apache(const thriftlens_test::tree& value) {
  auto memory = std::make_shared<TMemoryBuffer>();
  TJSONProtocol out(memory);
  thriftlens_test::by_apache::write(out, value);
  return memory->getBufferAsString();
}
thriftlens_test::tree to_apache(std::string text) {
  auto memory = std::make_shared<TMemoryBuffer>(reinterpret_cast<std::uint8_t*>(text.data()),
                                                static_cast<std::uint32_t>(text.size()));
  TJSONProtocol in(memory);
  return thriftlens_test::by_apache::read(in, tl::ttype::struct_);
}
std::string random_binary_idl(thriftlens_test::randomness& random) {
  std::string idl = thriftlens_test::random_idl(random);
  // The trees' strings are binaries to Apache's library.
  for (std::size_t at = 0; (at = idl.find("string", at)) != std::string::npos;) idl.replace(at, 6, "binary");
  return idl;
}

// Unknown fields of random_struct have texts, which Apache writes as binary.
void keep_known_fields(thriftlens_test::tree& value) {
  std::erase_if(value.fields, [](const auto& field) { return field.first >= 1000; });
  for (auto& field : value.fields) keep_known_fields(field.second);
  for (auto& element : value.elements) keep_known_fields(element);
  for (auto& entry : value.entries) {
    keep_known_fields(entry.first);
    keep_known_fields(entry.second);
  }
}

template <class P>
void both_ways_with_apache(std::uint64_t seed) {
  thriftlens_test::randomness random(seed);
  const tl::schema schema = tl::schema::parse(random_binary_idl(random));
  const tl::type type = schema.type("S0");
  for (int i = 0; i < 4; ++i) {
    thriftlens_test::tree value = thriftlens_test::random_struct(random, type, 4);
    keep_known_fields(value);
    const std::string bytes = thriftlens_test::encode<P>(value), text = by_apache(value);
    const tl::result<tl::buffer> converted = tl::try_convert<tl::tjson, P>(text, {.of = type});
    if (!converted) {  // without their unknown fields elements can be equal
      EXPECT_EQ(converted.error().code(), tl::errc::duplicate_key) << converted.error().what();
      EXPECT_EQ((tl::try_convert<P, tl::tjson>(bytes, {.of = type}).error().code()), tl::errc::duplicate_key);
      continue;
    }
    const tl::buffer& from_text = *converted;
    EXPECT_EQ(thriftlens_test::decode<P>(from_text.text()), thriftlens_test::decode<P>(bytes)) << text;
    const std::string ours = tl::convert<P, tl::tjson>(bytes, {.of = type}).str();
    EXPECT_EQ(to_apache(ours), to_apache(text)) << ours;
  }
}

tl::type type_of(const thriftlens_test::valid_vector& item) {
  static const std::map<std::string, tl::schema> schemas = [] {
    std::map<std::string, tl::schema> loaded;
    for (const char* name : {"open", "uuids"})
      loaded.emplace(name, tl::schema::load(
                               (thriftlens_test::vectors_dir() / (std::string(name) + ".thrift")).string()));
    return loaded;
  }();
  return schemas.at(item.schema).type(item.structure);
}

}  // namespace

TEST(tjson, apache_reads_what_it_writes_and_it_reads_what_apache_writes) {
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    both_ways_with_apache<tl::binary>(seed);
    both_ways_with_apache<tl::compact>(seed);
  }
}

TEST(tjson, apache_reads_escaped_strings) {
  const tl::schema schema = tl::schema::parse("struct S { 1: string s  2: map<string, string> m }");
  std::string joined = "\xc3\xa9\xf0\x9f\x98\x80\xe2\x80\xa8 \x7f</script>";
  for (int number = 1; number < 128; ++number) joined += static_cast<char>(number);
  auto memory = std::make_shared<TMemoryBuffer>();
  TJSONProtocol out(memory);
  namespace tp = apache::thrift::protocol;
  out.writeStructBegin("");
  out.writeFieldBegin("", tp::T_STRING, 1);
  out.writeString(joined);
  out.writeFieldEnd();
  out.writeFieldBegin("", tp::T_MAP, 2);
  out.writeMapBegin(tp::T_STRING, tp::T_STRING, 1);
  out.writeString(joined);
  out.writeString(std::string());
  out.writeMapEnd();
  out.writeFieldEnd();
  out.writeStructEnd();
  const tl::tjson_options options{.of = schema.type("S")};
  const std::string by_apache = memory->getBufferAsString();
  const tl::buffer bytes = tl::convert<tl::tjson, tl::binary>(by_apache, options);
  EXPECT_EQ(bytes.text().substr(7, joined.size()), joined);

  std::string text = tl::convert<tl::binary, tl::tjson>(bytes, options).str();
  TJSONProtocol in(std::make_shared<TMemoryBuffer>(reinterpret_cast<std::uint8_t*>(text.data()),
                                                   static_cast<std::uint32_t>(text.size())));
  std::string name, read;
  tp::TType type{};
  std::int16_t id = 0;
  in.readStructBegin(name);
  in.readFieldBegin(name, type, id);
  in.readString(read);
  EXPECT_EQ(read, joined);
}

TEST(tjson, apache_reads_its_messages) {
  tl::buffer text;
  tl::tjson::append_message({.name = "add", .type = tl::message_type::call, .sequence_id = 7}, "{}", text);
  std::string copy = text.str();
  TJSONProtocol in(std::make_shared<TMemoryBuffer>(reinterpret_cast<std::uint8_t*>(copy.data()),
                                                   static_cast<std::uint32_t>(copy.size())));
  std::string name;
  apache::thrift::protocol::TMessageType type{};
  std::int32_t sequence = 0;
  in.readMessageBegin(name, type, sequence);
  EXPECT_EQ(name, "add");
  EXPECT_EQ(type, apache::thrift::protocol::T_CALL);
  EXPECT_EQ(sequence, 7);
}

TEST(tjson, valid_vectors_both_ways) {
  int seen = 0;
  for (const thriftlens_test::valid_vector& vector : thriftlens_test::valid_vectors()) {
    if (vector.tjson.empty()) continue;
    ++seen;
    const tl::tjson_options options{.of = type_of(vector)};
    EXPECT_EQ((tl::convert<tl::tjson, tl::binary>(vector.tjson, options).str()), vector.binary) << vector.id;
    EXPECT_EQ((tl::convert<tl::tjson, tl::compact>(vector.tjson, options).str()), vector.compact)
        << vector.id;
    const std::string text = tl::convert<tl::binary, tl::tjson>(vector.binary, options).str();
    EXPECT_EQ((tl::convert<tl::compact, tl::tjson>(vector.compact, options).str()), text) << vector.id;
    EXPECT_EQ((tl::convert<tl::tjson, tl::binary>(text, options).str()), vector.binary) << vector.id;
    // Digits of doubles and the letters of escapes apart, it is the same text.
    if (text.find("dbl") == std::string::npos && text.find('\\') == std::string::npos) {
      EXPECT_EQ(text, vector.tjson) << vector.id;
    }
  }
  EXPECT_GE(seen, 200);
}

TEST(tjson, unescaped_control_characters_are_accepted_in_strings) {
  for (const std::size_t size : {1u, 40u, 400u}) {
    const std::string held = std::string("\x01\x1f\n\\\"", 5) + std::string(size, 'a') + std::string(1, '\0');
    std::string text = R"({"1":{"str":")" + std::string("\x01\x1f\n\\\\\\\"", 7) + std::string(size, 'a') +
                       std::string(1, '\0') + R"("},"2":{"i32":7}})";
    const auto bytes = tl::convert<tl::tjson, tl::binary>(text);
    tl::buffer expected;
    tl::binary::writer out(expected);
    out.write_field(tl::ttype::string, 1);
    out.write_bytes(held);
    out.write_field(tl::ttype::i32, 2);
    out.write_i32(7);
    out.write_stop();
    EXPECT_EQ(bytes.str(), expected.str());
    text.resize(text.size() - 16);
    EXPECT_FALSE((tl::try_convert<tl::tjson, tl::binary>(text)));
    EXPECT_FALSE((tl::try_convert<tl::tjson, tl::binary>("{\"1\":{\"str\":\"\x01\\q\"}}")));
  }
}

TEST(tjson, truncated_valid_vectors_are_errors) {
  for (const thriftlens_test::valid_vector& vector : thriftlens_test::valid_vectors()) {
    const std::size_t step = vector.tjson.size() <= 1024 ? 1 : vector.tjson.size() / 64;
    for (std::size_t size = 0; size < vector.tjson.size(); size += step) {
      const std::string cut = vector.tjson.substr(0, size);
      EXPECT_FALSE((tl::try_convert<tl::tjson, tl::binary>(cut, {.of = type_of(vector)}))) << cut;
      EXPECT_FALSE((tl::try_convert<tl::tjson, tl::compact>(cut))) << cut;
    }
  }
}

TEST(tjson, malicious_vectors) {
  const tl::schema schema = tl::schema::load((thriftlens_test::vectors_dir() / "open.thrift").string());
  int seen = 0;
  for (const thriftlens_test::malicious_vector& item : thriftlens_test::malicious_vectors_of("tjson")) {
    const auto status =
        tl::try_convert<tl::tjson, tl::binary>(item.bytes, {.of = schema.type(item.structure)});
    EXPECT_EQ(static_cast<bool>(status), item.expect == "ok") << item.id;
    ++seen;
  }
  EXPECT_GE(seen, 10);
}

TEST(tjson, syntax_errors_have_offset_and_path) {
  const tl::schema schema = tl::schema::parse("struct S { 1: list<string> a, 2: i32 n }");
  const tl::type of = schema.type("S");
  const auto fault = [&](std::string_view text) {
    const tl::error why = tl::try_convert<tl::tjson, tl::binary>(text, {.of = of}).error();
    return std::string(to_string(why.code())) + " " + std::string(why.path()) + " " +
           std::to_string(why.offset());
  };
  EXPECT_EQ(fault("{\"1\":{\"lst\":[\"str\",2,\"a\",\"\xff\"]}}"), "invalid_utf8 $.a[1] 26");
  EXPECT_EQ(fault("{\"2\":{\"i32\":true},\"1\":{\"lst\":[\"str\",1,\"\xff\"]}}"), "json_syntax $.n 12");
  EXPECT_EQ(fault("{}\xff"), "invalid_utf8 $ 2");
}

TEST(tjson, message_returns_its_header_and_struct) {
  const std::string text = "[1,\"a\\u00e9\\n\",4, -7 ,{\"1\":{\"i32\":3}}]\n";
  const tl::tjson::message actual = tl::tjson::read_message(text);
  EXPECT_EQ(actual.name, "a\xc3\xa9\n");
  EXPECT_EQ(actual.type, tl::message_type::oneway);
  EXPECT_EQ(actual.sequence_id, -7);
  EXPECT_EQ(actual.body, R"({"1":{"i32":3}})");
  EXPECT_EQ(text.substr(actual.offset, actual.body.size()), actual.body);
}

TEST(tjson, message_that_it_writes_reads_back) {
  tl::buffer out;
  tl::tjson::append_message({.name = "q\"\\", .type = tl::message_type::exception, .sequence_id = -1}, "{}",
                            out);
  EXPECT_EQ(out.text(), R"([1,"q\"\\",3,-1,{}])");
  EXPECT_EQ(tl::tjson::read_message(out.text()).name, "q\"\\");
  const tl::result<void> bad = tl::tjson::try_append_message({.name = "\xff"}, "{}", out);
  EXPECT_EQ(bad.error().code(), tl::errc::invalid_utf8);
  EXPECT_EQ(out.text(), R"([1,"q\"\\",3,-1,{}])") << "an error leaves the output as it was";
}

TEST(tjson, rejects_invalid_messages) {
  const auto code = [](std::string_view text) { return tl::tjson::try_read_message(text).error().code(); };
  EXPECT_EQ(code(R"([2,"a",1,0,{}])"), tl::errc::bad_message);
  EXPECT_EQ(code(R"([1,"a",0,0,{}])"), tl::errc::bad_message);
  EXPECT_EQ(code(R"([1,"a",5,0,{}])"), tl::errc::bad_message);
  EXPECT_EQ(code(R"([1,"a",257,0,{}])"), tl::errc::bad_message);
  EXPECT_EQ(code(R"([1,"a",1,2147483648,{}])"), tl::errc::integer_range);
  EXPECT_EQ(code("[1,\"\xff\",1,0,{}]"), tl::errc::invalid_utf8);
  const std::string complete = R"([1,"a",1,0,{}])";
  for (std::size_t size = 0; size < complete.size(); ++size)
    EXPECT_EQ(code(complete.substr(0, size)), tl::errc::json_syntax) << size;
  EXPECT_EQ(code(complete + "x"), tl::errc::json_syntax);
}
