// path: a compiled path from a value to nested values, checked against a type once.
#pragma once

#include <thriftlens/core/result.hpp>
#include <thriftlens/path/fwd.hpp>
#include <thriftlens/path/map_key.hpp>
#include <thriftlens/schema/type.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI {

namespace detail {

/// Paths in braces. Functions of one path delete it: two literals in braces would be a std::string_view.
using path_list = std::initializer_list<std::string_view>;

inline constexpr std::string_view several_values_text = "the path selects several values";

/// The prefix template of a struct: its first bytes in Binary if all leading fields are present. Owned by the
/// schema.
struct struct_prefix : shape_ref {
  std::uint8_t size = 0;  ///< number of segments
  bool complete = false;  ///< it covers the entire struct

  struct_prefix() noexcept = default;
  struct_prefix(const schema_image& image, const image::struct_node& of) noexcept
      : shape_ref(image.prefix(of)),
        size(static_cast<std::uint8_t>(of.prefix.segments.size)),
        complete(of.prefix.complete) {}
};

}  // namespace detail

/// One compiled step. The path owns the text of `key`.
struct path_step {
  enum class form : unsigned char { field, index, key, elements, entries, key_at };
  static constexpr std::int64_t open = INT64_MAX;  ///< `last` of an open slice

  form kind = form::field;
  std::int16_t id = 0;                        ///< field: its id
  std::uint32_t field = detail::image::none;  ///< field: its node, or none without a schema
  std::uint32_t type = detail::image::none;   ///< of the selected value, or none without a schema
  std::uint32_t offset = 0;                   ///< of the step in the path's text
  ttype wire = ttype::stop;                   ///< of the selected value
  detail::image::prefix_position place;  ///< field: position of its header in the struct's prefix template
  detail::struct_prefix prefix;          ///< field: the struct's prefix template
  std::int64_t first = 0;  ///< index, or first of a slice, negative counts from the end; number of an entry
  std::int64_t last = open;
  map_key key = 0;

  /// Selects all elements, a slice or all entries.
  [[nodiscard]] bool is_many() const noexcept { return kind == form::elements || kind == form::entries; }
  /// Selects the same values, regardless of spelling.
  friend bool operator==(const path_step& lhs, const path_step& rhs) noexcept {
    if (lhs.kind != rhs.kind || lhs.id != rhs.id) return false;
    if (lhs.kind == form::key) return lhs.key == rhs.key;
    return lhs.kind == form::field || (lhs.first == rhs.first && lhs.last == rhs.last);
  }
  /// Consistent with operator==.
  [[nodiscard]] std::size_t hash() const noexcept {
    if (kind == form::key) return std::hash<map_key>()(key);
    return static_cast<std::size_t>(kind == form::field ? id : first);
  }
};

/// A compiled path. Copies share the steps; safe to share between threads. Must not outlive the schema.
class path {
 public:
  /// The empty path, which selects the value itself.
  path() noexcept = default;
  // No move operations: a moved-from path remains valid.
  path(const path&) noexcept = default;
  path& operator=(const path&) noexcept = default;
  ~path() = default;

  /// Compiles the text for values of type `from`; grammar in syntax.hpp. Linear in the text.
  /// Errors: path_syntax, no_such_field, wrong_type (a step that the type does not have), value_type,
  /// value_range and unknown_enum_name (a key that cannot be in the map); offset() counts in the text.
  [[nodiscard]] static result<path> try_compile(type from, std::string_view text);
  [[nodiscard]] static path compile(type from, std::string_view text) {
    return try_compile(from, text).value();
  }
  /// Compiles several paths, which share memory. Fails with the error of the first invalid text.
  [[nodiscard]] static result<std::vector<path>> try_compile_all(type from,
                                                                 std::span<const std::string_view> texts);
  [[nodiscard]] static std::vector<path> compile_all(type from, std::span<const std::string_view> texts) {
    return try_compile_all(from, texts).value();
  }
  /// Compiles without a schema: fields by id only.
  [[nodiscard]] static result<path> try_compile(std::string_view text) {
    return try_compile(thriftlens::type(), text);
  }
  [[nodiscard]] static path compile(std::string_view text) { return try_compile(text).value(); }
  static void try_compile(type from, detail::path_list) = delete;
  static void compile(type from, detail::path_list) = delete;
  static void try_compile(detail::path_list) = delete;
  static void compile(detail::path_list) = delete;

  [[nodiscard]] std::span<const path_step> steps() const& noexcept THRIFTLENS_LIFETIMEBOUND {
    return data_ == nullptr ? std::span<const path_step>()
                            : std::span<const path_step>(data_->steps, data_->size);
  }
  void steps() const&& = delete;
  [[nodiscard]] bool empty() const noexcept { return steps().empty(); }
  /// The type it was compiled for; invalid without a schema.
  [[nodiscard]] thriftlens::type from() const noexcept {
    return data_ == nullptr ? thriftlens::type() : data_->from;
  }
  /// The type of the selected values; invalid without a schema.
  [[nodiscard]] thriftlens::type to() const noexcept {
    if (empty()) return from();
    return from() ? thriftlens::type(from().image(), steps().back().type) : thriftlens::type();
  }
  /// Selects at most one value: no `[*]`, slice or `{*}`.
  [[nodiscard]] bool is_single() const noexcept {
    for (const path_step& step : steps())
      if (step.is_many()) return false;
    return true;
  }
  /// Selects a key or part of one (`{key 3}`): supported by views only.
  [[nodiscard]] bool enters_key() const noexcept { return data_ != nullptr && data_->enters_key; }
  /// A wrong_type error for a caller that does not support this path; `offset`: of the unsupported step.
  [[nodiscard]] error misfit(std::string message, std::size_t offset) const;
  /// wrong_type where one value is needed and the path has a step over several; `advice` ends the message.
  [[nodiscard]] error misfit_of_several(std::string_view advice) const;
  /// The text as passed to compile().
  [[nodiscard]] std::string_view text() const& noexcept THRIFTLENS_LIFETIMEBOUND {
    return data_ == nullptr ? std::string_view("$") : data_->text;
  }
  void text() const&& = delete;
  /// Same type and steps, regardless of spelling. O(steps).
  friend bool operator==(const path& lhs, const path& rhs) noexcept {
    const std::span<const path_step> lhs_steps = lhs.steps(), rhs_steps = rhs.steps();
    return lhs.from() == rhs.from() &&
           std::equal(lhs_steps.begin(), lhs_steps.end(), rhs_steps.begin(), rhs_steps.end());
  }
  /// Consistent with operator==.
  [[nodiscard]] std::size_t hash() const noexcept {
    std::size_t hash_value = from().hash();
    for (const path_step& step : steps())
      hash_value = (hash_value ^ step.hash()) * 0x9e3779b1u + static_cast<unsigned>(step.kind);
    return hash_value;
  }

 private:
  struct data {
    thriftlens::type from;
    std::string_view text;
    const path_step* steps = nullptr;
    std::size_t size = 0;
    bool enters_key = false;
  };
  class block;
  class compiler;

  path(const std::shared_ptr<const block>& in, const data& contents) noexcept : data_(in, &contents) {}

  std::shared_ptr<const data> data_;
};

template <>
inline constexpr bool detail::is_printed<path> = true;

}  // namespace thriftlens::inline THRIFTLENS_ABI

template <>
struct std::hash<thriftlens::path> {
  [[nodiscard]] std::size_t operator()(const thriftlens::path& of) const noexcept { return of.hash(); }
};

#if !defined(THRIFTLENS_COMPILED)
#include <thriftlens/path/path.ipp>
#endif
