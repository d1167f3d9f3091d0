// path_builder: builds paths for errors, differences and listings: "$.user.ids[3]{\"key\"}".
#pragma once

#include <thriftlens/core/byte_view.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Builds the path from the root to a value. Every step returns false, so that a failing function can return
/// its result.
///
///     .name  .#5          a field; by id if it is not in the IDL
///     [3]                 an element of a list or set
///     {true} {-7} {1.5}   the value of a map entry, by its key; enum keys by number
///     {"text"}            a UTF-8 key; a uuid as text
///     {x"0800"}           any other key: its wire bytes in hex
///     {key 3}             the key of the fourth entry, for an error in that key
///
/// A key whose text or hex exceeds max_key_size is truncated and marked with `…` after its closing quote:
/// such a path does not parse, so it cannot select another value.
class path_builder {
 public:
  enum class order : unsigned char { outermost_first, innermost_first };
  /// Maximum bytes of a key's text, or digits of its hex.
  static constexpr std::size_t max_key_size = 64;

  path_builder() = default;
  explicit path_builder(order steps) noexcept : order_(steps) {}

  /// A field by name, or by id if it has none.
  THRIFTLENS_COLD bool field(std::string_view name, std::int16_t id) {
    return name.empty() ? field_id(id) : field(name);
  }
  bool field(std::string_view name);
  bool field_id(std::int16_t id);
  bool index(std::size_t at);

  // The value of a map entry, by its key.
  bool boolean_key(bool key);
  bool integer_key(std::int64_t key);
  /// `wire`: wire bytes of the key, for NaNs that decimal text does not distinguish.
  bool real_key(double key, byte_view wire = {});
  /// `wire`: wire bytes of the key, for text that is not UTF-8; without them the text is truncated at its
  /// first invalid byte.
  bool text_key(std::string_view key, byte_view wire = {});
  bool uuid_key(const std::uint8_t* id);
  /// Any key by its wire bytes.
  bool wire_key(byte_view wire);
  /// The key of the entry with that number.
  bool key_at(std::size_t entry);

  /// Appends all steps of another path.
  bool steps_of(const path_builder& inside);

  [[nodiscard]] bool empty() const noexcept { return steps_.empty(); }
  /// The steps so far, for back_to().
  [[nodiscard]] std::size_t mark() const noexcept { return steps_.size(); }
  /// Removes the steps added since.
  void back_to(std::size_t mark) { steps_.resize(mark); }

  /// The path, starting with `$`.
  [[nodiscard]] std::string text() const { return '$' + steps(); }
  /// The steps without `$`, to append to the path of the value where they begin.
  [[nodiscard]] std::string steps() const {
    std::string result = steps_;
    if (order_ == order::innermost_first) turn(result, 0);
    return result;
  }

 private:
  bool step(std::string_view open, std::string_view text, std::string_view close);
  bool close_key(std::size_t begin, bool cut);
  // For innermost_first the text is stored in reverse, so that adding a step does not move the others.
  bool added(std::size_t begin) {
    if (order_ == order::innermost_first) turn(steps_, begin);
    return false;
  }
  static void turn(std::string& text, std::size_t begin) noexcept {
    for (std::size_t end = text.size(); begin + 1 < end; ++begin) std::swap(text[begin], text[--end]);
  }

  std::string steps_;
  order order_ = order::outermost_first;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail

#if !defined(THRIFTLENS_COMPILED)
#include <thriftlens/core/path_builder.ipp>
#endif
