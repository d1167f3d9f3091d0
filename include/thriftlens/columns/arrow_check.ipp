// arrow_check: bodies of arrow_check.hpp. Functions that return bool return false after an error.
#pragma once

#include <thriftlens/columns/arrow_check.hpp>
#include <thriftlens/columns/arrow_format.hpp>
#include <thriftlens/columns/arrow_owner.hpp>
#include <thriftlens/core/byte_view.hpp>
#include <thriftlens/core/joined.hpp>
#include <thriftlens/core/path_builder.hpp>
#include <thriftlens/simd/utf8.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

class arrow_checker {
 public:
  [[nodiscard]] result<void> run(const ArrowSchema& schema, const ArrowArray& array) && {
    if (node(schema, array, 0)) return {};
    return std::move(error_);
  }

 private:
  /// A node whose structs are consistent. `values` includes those before its offset.
  struct checked_node {
    const ArrowSchema& schema;
    const ArrowArray& array;
    const arrow_array_owner& owner;
    std::string_view format;
    std::size_t values;

    [[nodiscard]] const std::uint8_t* buffer(std::size_t index) const noexcept {
      return static_cast<const std::uint8_t*>(owner.buffers[index]);
    }
    template <class T>
    [[nodiscard]] T value(std::size_t index, std::size_t at) const noexcept {
      T result;
      std::memcpy(&result, buffer(index) + at * sizeof result, sizeof result);
      return result;
    }
    [[nodiscard]] bool has_validity() const noexcept { return format != "n" && !format.starts_with("+u"); }
    [[nodiscard]] bool is_null(std::size_t at) const noexcept {
      const std::uint8_t* const bits = buffer(0);
      return bits != nullptr && (bits[at / 8] >> at % 8 & 1) == 0;
    }
  };

  bool reject(std::string text) {
    error_ = error(errc::wrong_type, std::move(text), error::no_offset, path_.text());
    return false;
  }

  /// `required`: the number of values that the parent refers to.
  bool node(const ArrowSchema& schema, const ArrowArray& array, std::size_t required) {
    if (schema.release == nullptr || schema.format == nullptr || array.release == nullptr)
      return reject("the Arrow array or schema was released");
    const arrow_array_owner* const owner = owner_of(array);
    if (owner == nullptr) return reject("the buffer sizes of an Arrow array of another library are unknown");
    if (depth_left_ == 0) return reject("the Arrow schema is nested too deeply");
    if (!fits_format(*owner, schema.format, array)) return reject(contradiction_text(*owner, schema.format));
    const checked_node of{schema, array, *owner, schema.format,
                          static_cast<std::size_t>(array.offset + array.length)};
    if (static_cast<std::size_t>(array.length) < required)
      return reject(joined({"expected ", required, " values, found ", array.length}));
    --depth_left_;
    const bool is_good = shape(of) && nulls(of) && contents(of);
    ++depth_left_;
    return is_good;
  }

  bool shape(const checked_node& of) {
    const std::size_t buffers = buffer_count(of.format);
    if (of.owner.buffers.size() != buffers) return count_fault("buffers", buffers, of.owner.buffers.size());
    if ((of.array.dictionary == nullptr) != (of.schema.dictionary == nullptr))
      return reject("the Arrow array or schema has no dictionary");
    return children(of);
  }
  bool children(const checked_node& of) {
    const std::int64_t count = of.schema.n_children;
    const bool is_list = of.format == "+l" || of.format == "+m";
    const bool fits = is_list ? count == 1 : count == 0 || (count > 0 && of.format.starts_with("+"));
    if (!fits || of.array.n_children != count)
      return count_fault("children", static_cast<std::size_t>(count),
                         static_cast<std::size_t>(of.array.n_children));
    if (count != 0 && (of.array.children == nullptr || of.schema.children == nullptr)) return no_children();
    for (std::int64_t i = 0; i < count; ++i)
      if (of.array.children[i] == nullptr || of.schema.children[i] == nullptr) return no_children();
    return true;
  }
  bool count_fault(const char* parts, std::size_t expected, std::size_t actual) {
    return reject(joined({"expected ", expected, ' ', parts, ", found ", actual}));
  }
  bool no_children() { return reject("the Arrow array has no children"); }
  [[nodiscard]] static std::size_t buffer_count(std::string_view format) noexcept {
    if (format == "n") return 0;
    if (format == "+s") return 1;
    return format == "u" || format == "z" ? 3 : 2;
  }

  bool nulls(const checked_node& of) {
    const std::int64_t stated = of.array.null_count;
    if (!of.has_validity()) {
      const bool fits = stated >= -1 && stated <= of.array.length;
      return fits || reject(joined({"invalid null count ", stated}));
    }
    const std::int64_t counted = of.buffer(0) == nullptr ? 0 : count_nulls(of);
    if (stated != -1 && stated != counted)
      return reject(joined({"expected ", stated, " nulls, found ", counted}));
    const bool may_be_null = (of.schema.flags & ARROW_FLAG_NULLABLE) != 0;
    return may_be_null || counted == 0 || reject("a column that is not nullable has nulls");
  }
  [[nodiscard]] static std::int64_t count_nulls(const checked_node& of) noexcept {
    const auto begin = static_cast<std::size_t>(of.array.offset);
    std::size_t at = begin;
    std::int64_t valid = 0;
    for (; at < of.values && at % 8 != 0; ++at) valid += of.is_null(at) ? 0 : 1;
    for (; at + 8 <= of.values; at += 8) valid += std::popcount(of.buffer(0)[at / 8]);
    for (; at < of.values; ++at) valid += of.is_null(at) ? 0 : 1;
    return static_cast<std::int64_t>(of.values - begin) - valid;
  }

  bool contents(const checked_node& of) {
    if (of.schema.dictionary != nullptr) return dictionary(of);
    if (of.format == "z" || of.format == "u") return bytes(of);
    if (of.format == "+l" || of.format == "+m") return list(of);
    if (of.format == "+s") return members(of, of.values);
    if (of.format.starts_with("+ud:")) return dense_union(of);
    const bool is_known = of.format == "n" || of.format == "b" || arrow_value_width(of.format) != 0;
    return is_known || reject(joined({"unexpected ", arrow_type_name(of.format)}));
  }
  bool members(const checked_node& of, std::size_t required) {
    for (std::int64_t i = 0; i < of.array.n_children; ++i)
      if (!child(of, i, required)) return false;
    return true;
  }
  bool child(const checked_node& of, std::int64_t index, std::size_t required) {
    const ArrowSchema& schema = *of.schema.children[index];
    const std::size_t mark = path_.mark();
    path_.field(schema.name == nullptr ? std::string_view() : std::string_view(schema.name));
    if (!node(schema, *of.array.children[index], required)) return false;
    path_.back_to(mark);
    return true;
  }

  /// Checks that offsets ascend from zero or more; `end` is the last.
  bool offsets(const checked_node& of, std::int32_t& end) {
    end = 0;
    if (of.values == 0) return true;
    std::int32_t previous = 0;
    bool ascends = true;
    for (std::size_t at = 0; at <= of.values; ++at) {
      const auto offset = of.value<std::int32_t>(1, at);
      ascends = ascends && offset >= previous;
      previous = offset;
    }
    end = previous;
    return ascends || reject("the offsets are not ascending");
  }
  bool list(const checked_node& of) {
    std::int32_t end = 0;
    return offsets(of, end) && child(of, 0, static_cast<std::size_t>(end));
  }
  bool bytes(const checked_node& of) {
    std::int32_t end = 0;
    if (!offsets(of, end)) return false;
    if (static_cast<std::size_t>(end) > of.owner.sizes[2])
      return reject("the offsets are past the end of the data");
    return of.format == "z" || of.values == 0 || text(of, static_cast<std::size_t>(end)) ||
           reject("a column of strings has invalid UTF-8");
  }
  /// Validates all bytes at once if no string begins inside a character. Bytes of nulls are validated only
  /// there.
  [[nodiscard]] static bool text(const checked_node& of, std::size_t end) {
    const std::uint8_t* const data = of.buffer(2);
    const auto begin = static_cast<std::size_t>(of.value<std::int32_t>(1, 0));
    bool is_good = simd::valid_utf8(byte_view(data + begin, end - begin));
    for (std::size_t at = 0; is_good && at < of.values; ++at) {
      const auto from = static_cast<std::size_t>(of.value<std::int32_t>(1, at));
      is_good = from == end || (data[from] & 0xc0) != 0x80;
    }
    return is_good || each_text(of);
  }
  [[nodiscard]] static bool each_text(const checked_node& of) {
    for (std::size_t at = 0; at < of.values; ++at) {
      const auto from = of.value<std::int32_t>(1, at), end = of.value<std::int32_t>(1, at + 1);
      const byte_view value(of.buffer(2) + from, static_cast<std::size_t>(end - from));
      if (!of.is_null(at) && !simd::valid_utf8(value)) return false;
    }
    return true;
  }

  bool dictionary(const checked_node& of) {
    if (of.format != "i")
      return reject(joined({"expected dictionary indices of int32, found ", arrow_type_name(of.format)}));
    for (std::size_t at = 0; at < of.values; ++at) {
      const auto index = of.value<std::int32_t>(1, at);
      if (!of.is_null(at) && (index < 0 || index >= of.array.dictionary->length))
        return reject("a dictionary index is out of range");
    }
    return node(*of.schema.dictionary, *of.array.dictionary, 0);
  }
  bool dense_union(const checked_node& of) {
    if (!has_type_ids(of)) return reject("the type ids are not the positions of the members");
    for (std::size_t at = 0; at < of.values; ++at) {
      const auto member = of.value<std::int8_t>(0, at);
      const auto position = of.value<std::int32_t>(1, at);
      if (member < 0 || member >= of.array.n_children || position < 0 ||
          position >= of.array.children[member]->length)
        return reject("a member or offset of a union is out of range");
    }
    return members(of, 0);
  }
  /// Whether the format is "+ud:0,1,2,…".
  [[nodiscard]] static bool has_type_ids(const checked_node& of) {
    std::string ids = "+ud:";
    for (std::int64_t i = 0; i < of.array.n_children; ++i)
      ids.append(i == 0 ? "" : ",").append(std::to_string(i));
    return of.format == ids;
  }

  std::uint32_t depth_left_ = 1200;
  path_builder path_;
  error error_;
};

THRIFTLENS_BODY result<void> try_check_array(const ArrowSchema& schema, const ArrowArray& array) {
  return arrow_checker().run(schema, array);
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
