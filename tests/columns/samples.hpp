// samples: a schema and bytes for the tests of module columns, and columns as text.
#pragma once

#include <thriftlens/columns/columns.hpp>
#include <thriftlens/schema/schema.hpp>

#include <cstring>
#include <string>
#include <string_view>

namespace thriftlens_test {

namespace tl = thriftlens;

inline const tl::schema& column_schema() {
  static const tl::schema result = tl::schema::parse(
      "enum E { A = 1, B = 3 } union U { 1: i32 a, 2: string b } struct In { 1: i32 x, 2: string y }\n"
      "struct Node { 1: i32 v, 2: list<Node> next } struct Must { 1: required i32 x, 2: i32 y = 9 }\n"
      "struct Row {\n 1: i32 a\n 2: list<i64> l\n 3: map<string, In> m\n 4: In i\n 5: E e\n 6: U u\n 7: bool "
      "b\n"
      " /** words */ 8: string s\n 9: binary bin\n 10: uuid id\n}");
  return result;
}
inline tl::selection all_of(const char* name) { return tl::selection::all(column_schema().type(name)); }

/// A value of an array as text. The offset of the array is ignored.
inline std::string shown(const ArrowSchema& schema, const ArrowArray& array, std::size_t at);

inline std::string shown_members(const ArrowSchema& schema, const ArrowArray& array, std::size_t at) {
  std::string text = "{";
  for (std::int64_t i = 0; i < schema.n_children; ++i)
    text += (i == 0 ? "" : " ") + std::string(schema.children[i]->name) + '=' +
            shown(*schema.children[i], *array.children[i], at);
  return text + '}';
}
template <class T>
T column_value(const ArrowArray& array, std::size_t buffer, std::size_t at) {
  T value;
  std::memcpy(&value, static_cast<const std::uint8_t*>(array.buffers[buffer]) + at * sizeof value,
              sizeof value);
  return value;
}
inline std::string shown_list(const ArrowSchema& schema, const ArrowArray& array, std::size_t at) {
  std::string text = "[";
  const auto begin = column_value<std::int32_t>(array, 1, at),
             end = column_value<std::int32_t>(array, 1, at + 1);
  for (std::int32_t i = begin; i < end; ++i)
    text +=
        (i == begin ? "" : " ") + shown(*schema.children[0], *array.children[0], static_cast<std::size_t>(i));
  return text + ']';
}
inline std::string shown(const ArrowSchema& schema, const ArrowArray& array, std::size_t at) {
  const std::string_view format = schema.format;
  if (format == "n") return "none";
  if (format.starts_with("+u")) {
    const auto member = static_cast<std::size_t>(column_value<std::int8_t>(array, 0, at));
    const auto position = static_cast<std::size_t>(column_value<std::int32_t>(array, 1, at));
    return std::string(schema.children[member]->name) + ':' +
           shown(*schema.children[member], *array.children[member], position);
  }
  const auto* valid = static_cast<const std::uint8_t*>(array.buffers[0]);
  if (valid != nullptr && (valid[at / 8] >> at % 8 & 1) == 0) return "null";
  if (format == "+s") return shown_members(schema, array, at);
  if (format == "+l" || format == "+m") return shown_list(schema, array, at);
  if (format == "u" || format == "z") {
    const auto begin = column_value<std::int32_t>(array, 1, at),
               end = column_value<std::int32_t>(array, 1, at + 1);
    return '"' +
           std::string(static_cast<const char*>(array.buffers[2]) + begin,
                       static_cast<std::size_t>(end - begin)) +
           '"';
  }
  if (schema.dictionary != nullptr)
    return shown(*schema.dictionary, *array.dictionary,
                 static_cast<std::size_t>(column_value<std::int32_t>(array, 1, at)));
  if (format == "b")
    return (column_value<std::uint8_t>(array, 1, at / 8) >> at % 8 & 1) != 0 ? "true" : "false";
  if (format == "i") return std::to_string(column_value<std::int32_t>(array, 1, at));
  if (format == "l") return std::to_string(column_value<std::int64_t>(array, 1, at));
  return '<' + std::string(format) + '>';
}

/// An array with its schema, released at the end of the scope.
class batch {
 public:
  explicit batch(tl::columns& rows) {
    rows.export_schema(schema_);
    rows.take(array_);
  }
  batch(const batch&) = delete;
  batch& operator=(const batch&) = delete;
  ~batch() {
    schema_.release(&schema_);
    array_.release(&array_);
  }
  [[nodiscard]] const ArrowSchema& schema() const { return schema_; }
  [[nodiscard]] const ArrowArray& array() const { return array_; }
  [[nodiscard]] std::string text() const {
    std::string joined;
    for (std::int64_t i = 0; i < array_.length; ++i)
      joined += shown(schema_, array_, static_cast<std::size_t>(i)) + '\n';
    return joined;
  }

 private:
  ArrowSchema schema_;
  ArrowArray array_;
};

inline const std::string& five() {
  static const std::string bytes("\x08\0\1\0\0\0\5\0", 8);
  return bytes;
}

}  // namespace thriftlens_test
