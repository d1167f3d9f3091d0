// Values encoded by Apache Thrift's Python library: read, printed, and written again to the same bytes.
#include <thriftlens/protocol/select.hpp>

#include "support/hex.hpp"
#include "support/shared.hpp"
#include "support/test.hpp"
#include "value.hpp"

#include <sstream>

using thriftlens_test::hex, thriftlens_test::value, tl::ttype;

namespace {

std::string from_hex(const std::string& digits) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2)
    bytes += static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16));
  return bytes;
}

// The text form that tests/data/make_vectors.py describes.
std::string text_form(const value& from) {
  const auto name = [](ttype type) { return std::string(to_string(type)); };
  if (from.type == ttype::string) return "'" + hex(from.bytes) + "'";
  if (from.type == ttype::uuid) return hex(from.bytes);
  if (from.type == ttype::double_) {
    std::uint8_t bytes[8];
    tl::detail::store_be(bytes, from.number);
    return hex(std::string(reinterpret_cast<char*>(bytes), 8));
  }
  if (from.type == ttype::struct_) {
    std::string text = "{";
    for (std::size_t i = 0; i < from.items.size(); ++i)
      text += (i == 0 ? "" : ",") + std::to_string(from.ids[i]) + ':' + name(from.items[i].type) + '=' +
              text_form(from.items[i]);
    return text + '}';
  }
  if (from.type == ttype::map) {
    if (from.items.empty()) return "map<>[]";
    std::string text = "map<" + name(from.key) + ',' + name(from.element) + ">[";
    for (std::size_t i = 0; i < from.items.size(); i += 2)
      text += (i == 0 ? "" : ",") + text_form(from.items[i]) + '=' + text_form(from.items[i + 1]);
    return text + ']';
  }
  if (from.type == ttype::list || from.type == ttype::set) {
    std::string text = name(from.type) + '<' + name(from.element) + ">[";
    for (std::size_t i = 0; i < from.items.size(); ++i)
      text += (i == 0 ? "" : ",") + text_form(from.items[i]);
    return text + ']';
  }
  return std::to_string(from.number);
}

template <class Protocol>
void check(const std::string& name, const std::string& expected, const std::string& bytes) {
  typename Protocol::reader in{tl::byte_view(bytes)};
  value actual;
  ASSERT_TRUE(read_value(in, ttype::struct_, actual)) << name;
  EXPECT_TRUE(in.at_end()) << name;
  EXPECT_EQ(text_form(actual), expected) << name;
  EXPECT_EQ(hex(thriftlens_test::to_bytes<Protocol>(actual)), hex(bytes)) << name;
  EXPECT_EQ(hex(thriftlens_test::to_bytes<Protocol>(actual, true)), hex(bytes)) << name;
}

}  // namespace

TEST(interop_python, apaches_python_bytes_are_read_and_written_alike) {
  std::istringstream lines(
      thriftlens_test::read_file(std::filesystem::path(THRIFTLENS_TEST_DATA) / "apache_python.tsv"));
  int checked = 0;
  for (std::string name, expected, binary, compact; std::getline(lines, name, '\t'); ++checked) {
    std::getline(lines, expected, '\t');
    std::getline(lines, binary, '\t');
    std::getline(lines, compact);
    check<tl::binary>(name, expected, from_hex(binary));
    check<tl::compact>(name, expected, from_hex(compact));
  }
  EXPECT_GE(checked, 35);
}
