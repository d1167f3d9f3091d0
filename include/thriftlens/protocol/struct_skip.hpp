// struct_skip: finds the end of a struct that arrives in pieces. Examines a byte at most two times; uses a
// stack on the heap instead of recursion.
#pragma once

#include <thriftlens/core/byte_view.hpp>
#include <thriftlens/core/fault.hpp>
#include <thriftlens/core/limits.hpp>
#include <thriftlens/protocol/dispatch.hpp>
#include <thriftlens/protocol/select.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Headers of strings and containers whose contents have not arrived. Functions return the end of the header,
/// or nullptr with `code`; truncated: the header is incomplete.
template <class P>
struct single_header;

template <>
struct single_header<binary> {
  static byte_ptr string(byte_ptr from, byte_ptr end, std::uint32_t& size, errc& code) noexcept {
    return sized(from, end, 0, size, code);
  }
  static byte_ptr list(byte_ptr from, byte_ptr end, list_header& list, errc& code) noexcept {
    const byte_ptr next = sized(from, end, 1, list.size, code);
    if (next != nullptr) list.element = type_at(from);
    return next;
  }
  static byte_ptr map(byte_ptr from, byte_ptr end, map_header& map, errc& code) noexcept {
    const byte_ptr next = sized(from, end, 2, map.size, code);
    if (next == nullptr) return nullptr;
    map.key = type_at(from);
    map.value = type_at(from + 1);
    return next;
  }
  /// Whether a header has undefined types.
  [[nodiscard]] static bool is_bad(byte_ptr from, const list_header& list) noexcept {
    return list.element == ttype::stop && !binary_gets::is_empty_of(list.size, *from);
  }
  [[nodiscard]] static bool is_bad(byte_ptr from, const map_header& map) noexcept {
    const bool is_known = map.key != ttype::stop && map.value != ttype::stop;
    return !is_known && !binary_gets::is_empty_of(map.size, from[0], from[1]);
  }
  [[nodiscard]] static std::size_t width(ttype type) noexcept { return fixed_width(type); }
  [[nodiscard]] static std::size_t least(ttype type) noexcept { return binary_least(type); }

 private:
  [[nodiscard]] static ttype type_at(byte_ptr at) noexcept {
    return is_value_type(*at) ? static_cast<ttype>(*at) : ttype::stop;
  }
  // A size after so many type bytes.
  static byte_ptr sized(byte_ptr from, byte_ptr end, std::ptrdiff_t types, std::uint32_t& size,
                        errc& code) noexcept {
    code = errc::truncated;
    if (end - from < types + 4) return nullptr;
    size = load_be<std::uint32_t>(from + types);
    code = errc::negative_size;
    return size > 0x7fffffffu ? nullptr : from + types + 4;
  }
};

template <>
struct single_header<compact> {
  static byte_ptr string(byte_ptr from, byte_ptr end, std::uint32_t& size, errc& code) noexcept {
    return compact_gets::get_size(from, end, size, code);
  }
  static byte_ptr list(byte_ptr from, byte_ptr end, list_header& list, errc& code) noexcept {
    code = errc::truncated;
    if (from == end) return nullptr;
    list = {from_compact_nibble(*from), std::uint32_t{*from} >> 4};
    return list.size == 15 ? compact_gets::get_size(from + 1, end, list.size, code) : from + 1;
  }
  static byte_ptr map(byte_ptr from, byte_ptr end, map_header& map, errc& code) noexcept {
    const byte_ptr types = compact_gets::get_size(from, end, map.size, code);
    if (types == nullptr || map.size == 0) return types;
    code = errc::truncated;
    if (types == end) return nullptr;
    map.key = from_compact_nibble(*types >> 4);
    map.value = from_compact_nibble(*types);
    return types + 1;
  }
  [[nodiscard]] static bool is_bad(byte_ptr from, const list_header& list) noexcept {
    return list.element == ttype::stop && (list.size != 0 || (*from & 15u) != 0);
  }
  [[nodiscard]] static bool is_bad(byte_ptr /*from*/, const map_header& map) noexcept {
    return map.size != 0 && (map.key == ttype::stop || map.value == ttype::stop);
  }
  [[nodiscard]] static std::size_t width(ttype type) noexcept { return compact_width(type); }
  [[nodiscard]] static std::size_t least(ttype type) noexcept { return compact_least(type); }
};

/// Reusable skipper. Accepts what the protocols' skippers accept, with the same code and offset; a size
/// beyond the limit is size_limit as soon as it is read.
class struct_skip {
 public:
  /// Begins a struct of at most `max_size` bytes. `depth` includes it.
  void start(protocol_id which, std::uint32_t depth, std::uint64_t max_size) {
    protocol_ = which;
    depth_ = depth < limits::max_depth ? depth : limits::max_depth;
    max_size_ = max_size;
    passed_ = raw_ = attempt_from_ = 0;
    fault_ = {};
    open_.clear();
    value_ = ttype::stop;
    at_end_ = false;
    begin_value(ttype::struct_);
  }

  /// Continues in bytes that follow those passed; returns the number of bytes passed now. The rest, part of a
  /// header or number, must be passed again in the next call. Allocates up to `depth` stack entries.
  std::size_t feed(byte_view bytes) {
    return visit_protocol(protocol_, [&](auto tag) { return run<decltype(tag)>(bytes); });
  }
  /// Whether the struct has ended.
  [[nodiscard]] bool at_end() const noexcept { return at_end_; }
  /// The error; its offset counts from the start of the struct.
  [[nodiscard]] const struct fault& fault() const noexcept { return fault_; }
  /// Number of bytes passed.
  [[nodiscard]] std::uint64_t passed() const noexcept { return passed_; }

 private:
  struct open_value {
    bool is_struct = true;
    ttype types[2] = {};          // of elements, or of keys and values
    std::int16_t last_id = 0;     // Compact
    std::uint64_t remaining = 0;  // elements, or keys and values
  };

  template <class P>
  std::size_t run(byte_view bytes) {
    const std::uint64_t previously_passed = passed_;
    at_ = bytes.begin();
    end_ = bytes.end();
    while (pass_raw() && step<P>()) {
    }
    return static_cast<std::size_t>(passed_ - previously_passed);
  }
  // False if more bytes are needed or the struct has ended.
  [[nodiscard]] bool pass_raw() noexcept {
    const auto there = static_cast<std::uint64_t>(end_ - at_);
    const std::uint64_t count = raw_ < there ? raw_ : there;
    at_ += count;
    passed_ += count;
    raw_ -= count;
    return raw_ == 0 && !at_end_ && !fault_;
  }
  template <class P>
  bool step() {
    if (value_ != ttype::stop) return read_value<P>();
    if (open_.empty()) {
      at_end_ = true;
      return false;
    }
    open_value& inner = open_.back();
    if (inner.is_struct) return read_field<P>(inner);
    if (inner.remaining == 0) {
      open_.pop_back();
      return true;
    }
    // Keys come where an even number is left.
    begin_value(inner.types[inner.remaining-- & 1u]);
    return true;
  }

  void begin_value(ttype type) noexcept { value_ = type; }

  template <class P>
  bool read_field(open_value& inner) {
    wire_field field;
    errc code = errc::ok;
    const byte_ptr next = P::get_field(at_, end_, inner.last_id, field, code);
    if (!pass(next, code)) return false;
    if (field.header.type == ttype::stop)
      open_.pop_back();
    else if (field.inline_bool < 0)
      begin_value(field.header.type);
    return true;
  }
  template <class P>
  bool read_value() {
    const ttype type = value_;
    if (has_children(type)) return open<P>(type);
    if (const std::size_t width = single_header<P>::width(type)) return take_raw(width, at_);
    if (type == ttype::string) return read_string<P>();
    return read_number<P>(type);
  }
  template <class P>
  bool read_string() {
    std::uint32_t size = 0;
    errc code = errc::ok;
    const byte_ptr start = at_;
    const byte_ptr next = single_header<P>::string(at_, end_, size, code);
    return pass(next, code) && take_raw(size, start);
  }
  // A varint: of other protocols' numbers the width is known.
  template <class P>
  bool read_number(ttype type) {
    errc code = errc::ok;
    byte_ptr next = nullptr;
    visit_ttype(type, [&](auto of) {
      constexpr ttype which = decltype(of)::value;
      if constexpr (which == ttype::i16) next = get<P, std::int16_t>(code);
      if constexpr (which == ttype::i32) next = get<P, std::int32_t>(code);
      if constexpr (which == ttype::i64) next = get<P, std::int64_t>(code);
    });
    if (!pass(next, code)) return false;
    value_ = ttype::stop;
    return true;
  }
  template <class P, class Number>
  byte_ptr get(errc& code) const noexcept {
    Number unused = 0;
    return P::get_number(at_, end_, unused, code);
  }

  template <class P>
  bool open(ttype type) {
    if (open_.size() >= depth_) return reject(errc::depth_limit, at_);
    if (type == ttype::map) return open_map<P>();
    if (type != ttype::struct_) return open_list<P>();
    value_ = ttype::stop;
    if (!open_.empty() && passed_ >= attempt_from_ && pass_complete<P>()) return true;
    open_.push_back({});
    return true;
  }
  // Skips a struct that has arrived completely by the protocol's skipper. Bytes that it examined in vain,
  // because the struct is truncated or malformed, are stepped through before it is tried again.
  template <class P>
  bool pass_complete() {
    typename P::skipper skipper(end_);
    const byte_ptr next = skipper.skip_struct(at_, depth_ - static_cast<std::uint32_t>(open_.size()));
    if (next != nullptr && fits(static_cast<std::uint64_t>(next - at_))) return pass(next, errc::ok);
    attempt_from_ = passed_ + static_cast<std::uint64_t>(end_ - at_);
    return false;
  }
  template <class P>
  bool open_list() {
    using headers = single_header<P>;
    list_header list;
    errc code = errc::ok;
    const byte_ptr start = at_;
    const byte_ptr next = headers::list(at_, end_, list, code);
    if (next != nullptr && headers::is_bad(start, list)) return reject(errc::bad_ttype, start);
    if (!pass(next, code)) return false;
    if (const std::size_t width = headers::width(list.element))
      return take_raw(std::uint64_t{list.size} * width, start);
    return push(list.element, list.element, list.size, list.size * least<P>(list.element), start);
  }
  template <class P>
  bool open_map() {
    using headers = single_header<P>;
    map_header map;
    errc code = errc::ok;
    const byte_ptr start = at_;
    const byte_ptr next = headers::map(at_, end_, map, code);
    if (next != nullptr && headers::is_bad(start, map)) return reject(errc::bad_ttype, start);
    if (!pass(next, code)) return false;
    const std::size_t widths[] = {headers::width(map.key), headers::width(map.value)};
    if (widths[0] != 0 && widths[1] != 0)
      return take_raw(std::uint64_t{map.size} * (widths[0] + widths[1]), start);
    const std::uint64_t least_size = map.size * (least<P>(map.key) + least<P>(map.value));
    return push(map.key, map.value, std::uint64_t{map.size} * 2, least_size, start);
  }
  template <class P>
  [[nodiscard]] static std::uint64_t least(ttype type) noexcept {
    return type == ttype::stop ? 0 : single_header<P>::least(type);
  }
  // Pushes that many values, alternating these types, of at least `least_size` bytes.
  bool push(ttype first, ttype second, std::uint64_t count, std::uint64_t least_size, byte_ptr start) {
    if (!fits(least_size)) return reject(errc::size_limit, start);
    value_ = ttype::stop;
    // Indexed by the number left: even ones are first.
    if (count != 0) open_.push_back({.is_struct = false, .types = {first, second}, .remaining = count});
    return true;
  }

  [[nodiscard]] bool fits(std::uint64_t more) const noexcept {
    return passed_ <= max_size_ && more <= max_size_ - passed_;
  }
  // Passes the bytes of the value whose header is at `start`, unexamined.
  bool take_raw(std::uint64_t count, byte_ptr start) noexcept {
    if (!fits(count)) return reject(errc::size_limit, start);
    raw_ = count;
    value_ = ttype::stop;
    return true;
  }
  // Handles a header or number that was read, is incomplete or is malformed.
  bool pass(byte_ptr next, errc code) noexcept {
    if (next == nullptr) return code != errc::truncated && reject(code, at_);
    if (!fits(static_cast<std::uint64_t>(next - at_))) return reject(errc::size_limit, at_);
    passed_ += static_cast<std::uint64_t>(next - at_);
    at_ = next;
    return true;
  }
  THRIFTLENS_COLD bool reject(errc code, byte_ptr where) noexcept {
    fault_.code = failure_code(code);
    fault_.offset = static_cast<std::size_t>(passed_) - static_cast<std::size_t>(at_ - where);
    return false;
  }

  protocol_id protocol_ = default_protocol;
  ttype value_ = ttype::stop;  // to be read next; none where it is stop
  bool at_end_ = false;
  std::uint32_t depth_ = 0;
  std::uint64_t max_size_ = 0;
  std::uint64_t passed_ = 0;
  std::uint64_t raw_ = 0;           // to be passed unseen
  std::uint64_t attempt_from_ = 0;  // from here on the skipper may be tried again
  byte_ptr at_ = nullptr;
  byte_ptr end_ = nullptr;
  struct fault fault_;
  std::vector<open_value> open_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
