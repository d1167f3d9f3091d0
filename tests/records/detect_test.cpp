#include <thriftlens/records/detect.hpp>

#include <thriftlens/protocol/binary.hpp>
#include <thriftlens/protocol/compact.hpp>
#include <thriftlens/protocol/convert.hpp>
#include <thriftlens/protocol/message.hpp>

#include "support/test.hpp"
#include "support/vectors.hpp"

namespace {
std::string best(const std::string& bytes, const tl::detect_options& options = {}) {
  const std::vector<tl::guess> actual = tl::detect(bytes, options);
  return actual.empty() ? "nothing" : actual.front().to_string();
}
std::string frame(const std::string& bytes) {
  std::string framed;
  for (int shift = 24; shift >= 0; shift -= 8) framed += static_cast<char>(bytes.size() >> shift);
  return framed + bytes;
}
template <class P>
std::string message(const std::string& body, bool strict = true) {
  tl::buffer out;
  typename P::writer writer(out);
  tl::write_message(writer, {.name = "getOrder", .sequence_id = 7, .strict = strict});
  out.append(body);
  return out.str();
}
// An order of a shop: number, name, two lines.
const std::string order = [] {
  tl::buffer out;
  tl::binary::writer to(out);
  to.write_field(tl::ttype::i64, 1);
  to.write_i64(471100000001);
  to.write_field(tl::ttype::string, 2);
  to.write_bytes({"Zoe Mueller", 11});
  to.write_field(tl::ttype::list, 3);
  to.write_list({tl::ttype::i32, 2});
  to.write_i32(7);
  to.write_i32(9);
  to.write_stop();
  return out.str();
}();
const std::string compact_order = tl::convert<tl::binary, tl::compact>(order).str();
}  // namespace

TEST(detect, structs_in_all_framings) {
  EXPECT_EQ(best(order), "Binary, one struct");
  EXPECT_EQ(best(compact_order), "Compact, one struct");
  EXPECT_EQ(best(frame(order)), "Binary, one struct in a frame (u32)");
  EXPECT_EQ(best(order + order), "Binary, structs back to back");
  EXPECT_EQ(best(compact_order + compact_order), "Compact, structs back to back");
  EXPECT_EQ(best(frame(compact_order) + frame(compact_order)), "Compact, structs in frames (u32)");
  const std::string little = std::string(1, static_cast<char>(order.size())) + std::string(3, '\0') + order;
  EXPECT_EQ(best(little + little), "Binary, structs in frames (u32le)");
  const std::string delimited = static_cast<char>(order.size()) + order;
  EXPECT_EQ(best(delimited + delimited), "Binary, structs in frames (varint)");
  EXPECT_EQ(best(frame(order) + "\xff\xff\xff\xff" + frame(order)), "Binary, structs in frames (kafka)");
  EXPECT_EQ(best("0800010000000500\n0800010000000600\n"), "Binary, structs in lines of hex");
  EXPECT_EQ(best("CAABAAAABQA=\nCAABAAAABgA=\n"), "Binary, structs in lines of base64");
  EXPECT_EQ(best("\x01" + order), "Binary, one struct after 1 byte");
  EXPECT_EQ(best(std::string("\0", 1) + order), "Binary, one struct after 1 byte")
      << "no empty struct in front";
  EXPECT_EQ(best(std::string("\0\0\0\0\x2a", 5) + order), "Binary, one struct after 5 bytes");
}

TEST(detect, messages) {
  EXPECT_EQ(best(message<tl::binary>(order)), "Binary, one message");
  EXPECT_EQ(best(message<tl::binary>(order, false)), "Binary, one message");
  EXPECT_EQ(best(message<tl::compact>(compact_order)), "Compact, one message");
  const std::string framed = frame(message<tl::compact>(compact_order));
  EXPECT_EQ(best(framed), "Compact, one message in a frame (u32)");
  EXPECT_EQ(best(framed + framed), "Compact, messages in frames (u32)");
  EXPECT_EQ(best(message<tl::binary>(order) + message<tl::binary>(order)), "Binary, messages back to back");
}

TEST(detect, text_of_the_json_protocol_and_other_json) {
  EXPECT_EQ(best(R"( {"12":{"lst":["i32",0]}})"), "Apache's JSON protocol, one struct");
  EXPECT_EQ(best(R"([1,"add",1,0,{}])"), "Apache's JSON protocol, one message");
  EXPECT_EQ(best(R"({"name":"Zoe"})"), "nothing");
  EXPECT_EQ(best(R"({"12":{"name":1}})"), "nothing");
}

TEST(detect, probability) {
  const std::vector<tl::guess> guesses = tl::detect(order), empty = tl::detect(std::string_view("\0", 1));
  EXPECT_GT(guesses.at(0).probability, 0.99);
  for (const tl::guess& item : empty) EXPECT_LT(item.probability, 0.6);
  EXPECT_TRUE(tl::detect(tl::byte_view()).empty());
  double full = 0;
  const std::string framed = frame(order) + frame(order);
  for (const tl::guess& item : tl::detect(framed)) full += item.probability;
  EXPECT_LE(full, 1);
}

TEST(detect, random_bytes_have_low_probability) {
  std::mt19937 random(7);
  int claimed = 0;
  for (int i = 0; i < 2000; ++i) {
    std::string bytes(1 + random() % 200, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random());
    const std::vector<tl::guess> actual = tl::detect(bytes);
    claimed += !actual.empty() && actual.front().probability > 0.9;
  }
  EXPECT_LT(claimed, 20);
}

TEST(detect, the_beginning_of_a_file_is_enough) {
  std::string many;
  for (int i = 0; i < 100; ++i) many += frame(order);
  EXPECT_EQ(best(many.substr(0, many.size() / 2 + 3), {.is_all = false}), "Binary, structs in frames (u32)");
  EXPECT_EQ(best(order.substr(0, order.size() - 6), {.is_all = false}), "Binary, one struct");
  EXPECT_EQ(best(order.substr(0, order.size() - 6)), "nothing");
}

TEST(detect, sample_vectors) {
  std::map<std::string, int> wrong;
  int seen = 0;
  for (const thriftlens_test::valid_vector& vector : thriftlens_test::valid_vectors()) {
    if (vector.compact.size() < 3) continue;  // an empty struct is one in every protocol
    ++seen;
    wrong["binary"] += best(vector.binary) != "Binary, one struct";
    wrong["framed"] += best(frame(vector.binary)) != "Binary, one struct in a frame (u32)";
    wrong["many"] += best(vector.binary + vector.binary) != "Binary, structs back to back";
    wrong["compact"] += best(vector.compact) != "Compact, one struct";
    wrong["compact, many"] += best(vector.compact + vector.compact) != "Compact, structs back to back";
    if (!vector.tjson.empty()) wrong["tjson"] += best(vector.tjson) != "Apache's JSON protocol, one struct";
  }
  EXPECT_GT(seen, 200);
  EXPECT_EQ(wrong["binary"], 0);
  EXPECT_EQ(wrong["framed"], 0);
  EXPECT_EQ(wrong["many"], 0);
  EXPECT_EQ(wrong["tjson"], 0);
  EXPECT_LE(wrong["compact"], 4) << "a few bytes of Compact may be anything";
  EXPECT_LE(wrong["compact, many"], 6);
}

TEST(detect, lists_of_structs) {
  const auto list = [](const std::string& header, const std::string& text) {
    return header + text + text + text;
  };
  EXPECT_EQ(best(list(std::string("\x0c\0\0\0\3", 5), order)), "Binary, a list of structs");
  EXPECT_EQ(best(list("\x3c", compact_order)), "Compact, a list of structs");
  const std::string bytes = list(std::string("\x0c\0\0\0\3", 5), order);
  EXPECT_EQ(tl::detect(bytes)[0].prefix_size, 5u);
  EXPECT_EQ(tl::detect(bytes)[0].count, 3u);
}

TEST(detect, schema_numbers_of_confluent) {
  const std::string id("\0\0\0\1\xa1", 5);
  EXPECT_EQ(best(id + order), "Binary, one struct after 5 bytes");
  EXPECT_EQ(best(id + compact_order), "Compact, one struct after 5 bytes");
  const std::string two = frame(id + compact_order) + frame(id + compact_order);
  EXPECT_EQ(best(two), "Compact, structs in frames (u32) after 5 bytes");
}

TEST(detect, nested_too_deeply) {
  std::string bytes(1, '\0');
  for (int i = 0; i < 100; ++i) bytes = std::string("\x0c\0\1", 3) + bytes + std::string(1, '\0');
  EXPECT_EQ(best(bytes), "Binary, one struct nested too deeply");
  EXPECT_TRUE(tl::detect(bytes)[0].is_too_deep);
  EXPECT_EQ(best(bytes, {.limits = {.depth = 200}}), "Binary, one struct");
}

TEST(detect, messages_without_their_end) {
  for (const std::string& complete : {message<tl::binary>(order), frame(message<tl::binary>(order))}) {
    const std::string cut = complete.substr(0, complete.size() - 7);
    EXPECT_EQ(best(cut), "nothing");
    EXPECT_EQ(best(cut, {.is_all = false}).substr(0, 19), "Binary, one message");
  }
}
