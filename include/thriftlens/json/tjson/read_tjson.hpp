// read_tjson: converts text of Apache's JSON protocol to Binary or Compact. The IDL is optional: it only
// determines which strings are base64.
#pragma once

#include <thriftlens/core/joined.hpp>
#include <thriftlens/core/limits.hpp>
#include <thriftlens/core/path_builder.hpp>
#include <thriftlens/core/small_algorithm.hpp>
#include <thriftlens/json/read/text_source.hpp>
#include <thriftlens/json/tjson/tjson_names.hpp>
#include <thriftlens/protocol/concept.hpp>
#include <thriftlens/protocol/key_equality.hpp>
#include <thriftlens/protocol/key_step.hpp>
#include <thriftlens/schema/type.hpp>
#include <thriftlens/schema/walk_types.hpp>
#include <thriftlens/simd/base64.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Strict: only keys have quoted numbers, a bool is 0 or 1, the object of a field holds one value, and sizes
/// of containers must be right.
template <protocol To>
class tjson_reader {
 public:
  tjson_reader(std::string_view text, const schema_image* image, buffer& to, const limits& bounds)
      : types_(image),
        out_(to),
        bounds_(bounds),
        max_size_(output_end(to.size(), bounds.max_output(text.size()))),
        depth_left_(least(bounds.depth, limits::max_depth)) {
    if (in_.open(text, at_) == errc::ok) return;
    ill_formed_ = at_;
    in_.open_part(text.substr(0, static_cast<std::size_t>(at_ - in_.begin())), at_);
  }

  /// Reads the text. After false see fault(); the output then holds part of the result.
  [[nodiscard]] bool run(ttype wire, std::uint32_t type) {
    const bool is_valid = value(wire, type) && ends();
    if (ill_formed_ == nullptr || (!is_valid && stop_ < ill_formed_)) return is_valid;
    return fail_at(ill_formed_, errc::invalid_utf8);
  }
  [[nodiscard]] error fault() const {
    return error(code_, message_, static_cast<std::size_t>(stop_ - in_.begin()), path_.text())
        .in(error_source::json);
  }

 private:
  bool ends() { return (in_.peek(at_) == 0 && at_ == in_.end()) || reject(errc::trailing_bytes); }
  bool reject(errc code, std::string reason = {}) { return fail_at(at_, code, std::move(reason)); }
  THRIFTLENS_COLD bool fail_at(const std::uint8_t* at, errc code, std::string reason = {}) {
    code_ = code;
    stop_ = at;
    message_ = std::move(reason);
    return false;
  }
  // Rejects the token at the current position.
  THRIFTLENS_COLD bool expected(std::string_view token) {
    if (at_ == in_.end())
      return reject(errc::json_syntax, joined({"the text ends where ", token, " is expected"}));
    return reject(errc::json_syntax, joined({"expected ", token}));
  }
  [[nodiscard]] bool take(char symbol, std::string_view token) {
    if (in_.peek(at_) != static_cast<std::uint8_t>(symbol)) return expected(token);
    in_.advance(at_);
    return true;
  }
  [[nodiscard]] bool fits() { return out_.output().size() <= max_size_ || reject(errc::output_limit); }

  bool value(ttype wire, std::uint32_t type, bool is_key = false) {
    const bool is_nested =
        wire == ttype::struct_ || wire == ttype::list || wire == ttype::set || wire == ttype::map;
    if (is_nested) return nested(wire, type);
    const bool written = wire == ttype::string    ? text(type)
                         : wire == ttype::double_ ? real(is_key)
                         : wire == ttype::uuid    ? unique()
                                                  : integer(wire, is_key);
    return written && fits();
  }
  bool nested(ttype wire, std::uint32_t type) {
    if (depth_left_ == 0) return reject(errc::depth_limit);
    --depth_left_;
    if (type != image::none && types_.wire(type) != wire) type = image::none;
    const bool written = wire == ttype::struct_ ? structure(type)
                         : wire == ttype::map   ? mapping(type)
                                                : sequence(wire, type);
    ++depth_left_;
    return written && fits();
  }

  bool structure(std::uint32_t type) {
    if (!take('{', "the `{` of a struct")) return false;
    auto known = types_.fields(type);
    const struct_mark outer = out_.begin_struct();
    bool is_first = true;
    for (; in_.peek(at_) != '}'; is_first = false) {
      if (!is_first && !take(',', "`,` or `}`")) return false;
      std::int16_t id = 0;
      if (!field_id(id)) return false;
      const std::uint32_t node = types_.find(known, id);
      if (!field(id, node == no_type ? no_type : types_.field_type(node))) return at_field(node, id);
    }
    in_.advance(at_);
    out_.write_stop();
    out_.end_struct(outer);
    return true;
  }
  THRIFTLENS_COLD bool at_field(std::uint32_t node, std::int16_t id) {
    if (node == no_type) return path_.field_id(id);
    return path_.field(field_info(types_.image(), node).name(), id);
  }
  bool field_id(std::int16_t& id) {
    std::int64_t number = 0;
    const std::uint8_t* start = at_;
    if (in_.peek(at_) != '"') return expected("a field's id in quotes");
    start = at_;
    if (!quoted_integer(number)) return fail_at(start, errc::bad_field_id, "a field's id is not a number");
    id = static_cast<std::int16_t>(number);
    return (id == number || fail_at(start, errc::bad_field_id)) && take(':', "`:`");
  }
  // `{"i32":7}`
  bool field(std::int16_t id, std::uint32_t type) {
    ttype wire = ttype::stop;
    if (!take('{', "the `{` before a field's type") || !type_name(wire) || !take(':', "`:`")) return false;
    out_.write_field(wire, id);
    if (type != no_type && types_.wire(type) != wire) type = no_type;
    return value(wire, type) && take('}', "the `}` after a field's value");
  }
  bool type_name(ttype& wire) {
    std::string_view name;
    if (in_.peek(at_) != '"') return expected("the name of a wire type");
    const std::uint8_t* start = at_;
    if (!in_.take_plain_string(at_, name)) return reject(errc::bad_ttype);
    wire = tjson_type_of(name);
    return wire != ttype::stop ||
           fail_at(start, errc::bad_ttype,
                   joined({"\"", name.substr(0, 40), "\" is not a type of this protocol"}));
  }

  bool sequence(ttype wire, std::uint32_t type) {
    list_header list;
    if (!take('[', "the `[` of a list") || !type_name(list.element) || !container_size(list.size))
      return false;
    if (wire == ttype::set)
      out_.write_set(list);
    else
      out_.write_list(list);
    const std::uint32_t element = types_.first(type);
    const std::size_t first_key = keys_.size();
    for (std::uint32_t i = 0; i < list.size; ++i) {
      if (!comma(i, list.size)) return path_.index(i);
      const written_key key = begin_key();
      if (!value(list.element, matching(element, list.element))) return path_.index(i);
      if (wire == ttype::set) end_key(key);
    }
    return end(']', list.size) && differ(first_key, wire, list.element);
  }
  bool mapping(std::uint32_t type) {
    map_header map;
    if (!take('[', "the `[` of a map") || !type_name(map.key) || !take(',', "`,`") || !type_name(map.value) ||
        !container_size(map.size) || !take(',', "`,`") || !take('{', "the `{` of a map's entries"))
      return false;
    out_.write_map(map);
    const std::uint32_t key = matching(types_.first(type), map.key),
                        item = matching(types_.second(type), map.value);
    const std::size_t first_key = keys_.size();
    for (std::uint32_t i = 0; i < map.size; ++i) {
      if (i != 0 && !comma(i, map.size)) return false;
      if (!entry(map, key, item, i)) return false;
    }
    return end('}', map.size) && take(']', "the `]` of a map") && differ(first_key, ttype::map, map.key);
  }
  bool entry(const map_header& map, std::uint32_t key, std::uint32_t item, std::uint32_t number) {
    const written_key begun = begin_key();
    if (!value(map.key, key, true)) return path_.key_at(number);
    end_key(begun);
    const written_key key_bytes = keys_.back();
    if (take(':', "`:`") && value(map.value, item)) return true;
    return add_key_step<To>(path_, bytes_of(key_bytes), map.key);
  }

  // ---- equal keys

  struct written_key {
    std::size_t begin, end;  // in the output
    const std::uint8_t* at;  // in the text
  };
  [[nodiscard]] written_key begin_key() {
    in_.peek(at_);
    return {out_.output().size(), 0, at_};
  }
  void end_key(written_key key) {
    key.end = out_.output().size();
    keys_.push_back(key);
  }
  [[nodiscard]] byte_view bytes_of(const written_key& key) const noexcept {
    return {out_.output().data() + key.begin, key.end - key.begin};
  }
  // Checks that the keys or set elements from `first` on differ, and removes them.
  bool differ(std::size_t first, ttype container, ttype wire) {
    comparable_keys<To> compared;
    for (std::size_t i = first; i < keys_.size(); ++i)
      if (!compared.add(bytes_of(keys_[i]), wire)) return fail_at(keys_[i].at, errc::depth_limit);
    const std::size_t repeated = compared.find_repeated();
    if (repeated == repeated_keys::none) {
      keys_.resize(first);
      return true;
    }
    const written_key& key = keys_[first + repeated];
    const bool is_set = container == ttype::set;
    fail_at(key.at, errc::duplicate_key, is_set ? std::string(duplicate_element_text) : std::string());
    return is_set ? path_.index(repeated) : add_key_step<To>(path_, bytes_of(key), wire);
  }
  [[nodiscard]] std::uint32_t matching(std::uint32_t type, ttype wire) const noexcept {
    return type == no_type || types_.wire(type) != wire ? no_type : type;
  }
  bool container_size(std::uint32_t& size) {
    if (!take(',', "`,` and a size")) return false;
    in_.peek(at_);
    const std::uint8_t* start = at_;
    std::int64_t number = 0;
    if (!plain_integer(number)) return false;
    if (number < 0) return fail_at(start, errc::negative_size);
    if (number > 0x7fffffff || static_cast<std::uint64_t>(number) > bounds_.container_size)
      return fail_at(start, errc::size_limit);
    size = static_cast<std::uint32_t>(number);
    return true;
  }
  // Elements take at least two characters, so memory is bounded by the text, not by a size in it.
  bool comma(std::uint32_t number, std::uint32_t size) {
    if (in_.peek(at_) == ',') {
      in_.advance(at_);
      return true;
    }
    return reject(errc::json_syntax, count_text(size, number, " follow"));
  }
  bool end(char bracket, std::uint32_t size) {
    const std::uint8_t next = in_.peek(at_);
    if (next == ',') return reject(errc::json_syntax, count_text(size, size, " are not all"));
    return take(bracket, bracket == ']' ? "the `]` of a list" : "the `}` of a map");
  }
  [[nodiscard]] THRIFTLENS_COLD static std::string count_text(std::uint32_t size, std::uint32_t actual,
                                                              std::string_view suffix) {
    return joined({"the container's size is ", size, ", but ", actual, suffix});
  }

  bool text(std::uint32_t type) {
    std::string_view content;
    if (!string_token(content)) return false;
    const bool is_binary = type != no_type && types_.image()->types[type].kind == type_kind::binary;
    if (is_binary) return base64(content);
    if (content.size() > bounds_.string_size || content.size() > 0x7fffffffu) return reject(errc::size_limit);
    out_.write_bytes(content);
    return true;
  }
  // `content` borrows from the text, or from plain_ if it has escapes.
  bool string_token(std::string_view& content) {
    if (in_.peek(at_) != '"') return expected("a string");
    token_ = at_;
    if (in_.take_long_plain_string(at_, content)) return true;
    std::uint8_t* to = plain_.prepare(in_.remaining(at_) + 32);
    const std::uint8_t* end = in_.take_string(at_, to);
    if (end == nullptr) {  // Apache's Python library writes control characters as they are
      at_ = token_;
      end = in_.take_string_with_controls(at_, to);
    }
    if (end == nullptr) return reject(errc::json_syntax, "unterminated string, or invalid escape in it");
    content = {reinterpret_cast<const char*>(to), static_cast<std::size_t>(end - to)};
    return true;
  }
  bool base64(std::string_view content) {
    std::uint8_t* to = bytes_.prepare(simd::base64_bytes_capacity(content.size()));
    const std::uint8_t* end = simd::decode_base64(to, byte_view(content), simd::base64_form::lenient);
    if (end == nullptr) return fail_at(token_, errc::bad_base64);
    const byte_view decoded(to, static_cast<std::size_t>(end - to));
    if (decoded.size() > bounds_.string_size) return fail_at(token_, errc::size_limit);
    out_.write_bytes(decoded);
    return true;
  }
  bool unique() {
    std::string_view content;
    uuid_bytes id{};
    if (!string_token(content)) return false;
    if (!parse_uuid(content, id)) return fail_at(token_, errc::bad_uuid);
    out_.write_uuid(id);
    return true;
  }

  bool real(bool is_key) {
    double number = 0;
    if (in_.peek(at_) == '"') {
      std::string_view content;
      if (!string_token(content)) return false;
      if (!named_double(content, number) && !(is_key && double_of(content, number)))
        return fail_at(token_, errc::json_type, "a string that is not a number");
    } else {
      if (is_key) return expected("a key in quotes");
      token_ = at_;
      json_number parsed;
      if (!in_.take_number(at_, parsed)) return expected("a number");
      if (!to_double(parsed, number)) return fail_at(token_, errc::double_range);
    }
    out_.write_double(number);
    return true;
  }
  [[nodiscard]] static bool double_of(std::string_view text, double& number) noexcept {
    json_number parsed;
    parsed.begin = reinterpret_cast<const std::uint8_t*>(text.data());
    const std::uint8_t* end = parsed.begin + text.size();
    return parse_number(parsed, end) && parsed.end == end && to_double(parsed, number);
  }
  [[nodiscard]] static bool named_double(std::string_view text, double& number) noexcept {
    return nonfinite_of_text(text, number);
  }

  bool integer(ttype wire, bool is_key) {
    std::int64_t number = 0;
    const bool is_quoted = in_.peek(at_) == '"';
    const std::uint8_t* start = at_;
    if (is_key != is_quoted) return expected(is_key ? "a key in quotes" : "a number without quotes");
    if (is_quoted ? !quoted_integer(number) && no_integer(start) : !plain_integer(number)) return false;
    if (put_integer_of(wire, number)) return true;
    return fail_at(start, wire == ttype::bool_ ? errc::json_type : errc::integer_range,
                   wire == ttype::bool_ ? "a bool is 0 or 1 here" : std::string());
  }
  THRIFTLENS_COLD bool no_integer(const std::uint8_t* start) {
    static_cast<void>(fail_at(start, errc::json_type, "a key that is not an integer of its type"));
    return true;
  }
  // False without a fault if the token is something else.
  [[nodiscard]] bool quoted_integer(std::int64_t& number) {
    std::uint64_t magnitude = 0;
    bool is_negative = false;
    return in_.take_quoted_integer(at_, magnitude, is_negative) && has_sign(magnitude, is_negative, number);
  }
  [[nodiscard]] bool plain_integer(std::int64_t& number) {
    in_.peek(at_);
    const std::uint8_t* start = at_;
    std::uint64_t magnitude = 0;
    bool is_negative = false;
    if (in_.take_plain_integer(at_, magnitude, is_negative))
      return has_sign(magnitude, is_negative, number) || fail_at(start, errc::integer_range);
    json_number parsed;
    if (!in_.take_number(at_, parsed)) return expected("a number");
    const number_fit fit = to_integer(parsed, number);
    return fit == number_fit::fits ||
           fail_at(start, fit == number_fit::range ? errc::integer_range : errc::json_type);
  }
  [[nodiscard]] static bool has_sign(std::uint64_t magnitude, bool is_negative,
                                     std::int64_t& number) noexcept {
    constexpr auto max = static_cast<std::uint64_t>((std::numeric_limits<std::int64_t>::max)());
    number = static_cast<std::int64_t>(is_negative ? 0 - magnitude : magnitude);
    return magnitude <= max + (is_negative ? 1 : 0);
  }
  // False where the number does not fit.
  [[nodiscard]] bool put_integer_of(ttype wire, std::int64_t number) {
    if (wire == ttype::i8) return put_in_range<std::int8_t>(number, &To::writer::write_i8);
    if (wire == ttype::i16) return put_in_range<std::int16_t>(number, &To::writer::write_i16);
    if (wire == ttype::i32) return put_in_range<std::int32_t>(number, &To::writer::write_i32);
    if (wire == ttype::i64) return out_.write_i64(number), true;
    return (number == 0 || number == 1) && (out_.write_bool(number == 1), true);
  }
  template <class Int>
  [[nodiscard]] bool put_in_range(std::int64_t number, void (To::writer::*write)(Int)) {
    if (number != static_cast<Int>(number)) return false;
    (out_.*write)(static_cast<Int>(number));
    return true;
  }

  text_source in_;
  const std::uint8_t* at_ = nullptr;
  schema_types types_;
  typename To::writer out_;
  const limits& bounds_;
  std::size_t max_size_;
  std::uint32_t depth_left_;
  const std::uint8_t* token_ = nullptr;  // the last string
  buffer plain_;
  buffer bytes_;
  errc code_ = errc::ok;
  const std::uint8_t* stop_ = nullptr;
  const std::uint8_t* ill_formed_ = nullptr;  // the first byte that is not UTF-8: in_ ends before it
  std::string message_;
  std::vector<written_key> keys_;  // of open maps and sets
  path_builder path_{path_builder::order::innermost_first};
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
