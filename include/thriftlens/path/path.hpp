// path: a way from a value to values inside it, checked against a type once and then followed many times.
#pragma once

#include <thriftlens/core/result.hpp>
#include <thriftlens/path/fwd.hpp>
#include <thriftlens/path/map_key.hpp>
#include <thriftlens/schema/type.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI {

namespace detail {

/// The prefix template of a struct: how it begins in Binary where all its leading fields are there. It lies
/// in the schema.
struct struct_prefix : shape_ref {
  std::uint8_t size = 0;  ///< its segments
  bool complete = false;  ///< it is the whole struct

  struct_prefix() noexcept = default;
  struct_prefix(const schema_image& image, const image::struct_node& of) noexcept
      : shape_ref(image.prefix(of)),
        size(static_cast<std::uint8_t>(of.prefix.segments.size)),
        complete(of.prefix.complete) {}
};

}  // namespace detail

/// One compiled step. The text of `key` lives in the path.
struct path_step {
  enum class form : unsigned char { field, index, key, elements, entries, key_at };
  static constexpr std::int64_t open = INT64_MAX;  ///< last of a slice without an end

  form kind = form::field;
  std::int16_t id = 0;                        ///< field: its id
  std::uint32_t field = detail::image::none;  ///< field: its node, or none without a schema
  std::uint32_t type = detail::image::none;   ///< of the value this step leads to, or none without a schema
  std::uint32_t offset = 0;                   ///< of the step in the text
  ttype wire = ttype::stop;                   ///< of that value
  detail::image::prefix_position place;  ///< field: where its header is in the prefix template of its struct
  detail::struct_prefix prefix;          ///< field: that template
  std::int64_t first = 0;  ///< index, or first of a slice, negative counts from the end; number of an entry
  std::int64_t last = open;
  map_key key = 0;

  /// Leads to all elements, a slice or all entries.
  [[nodiscard]] bool is_many() const noexcept { return kind == form::elements || kind == form::entries; }
  /// Leads to the same values, however it is spelled.
  friend bool operator==(const path_step& left, const path_step& right) noexcept {
    if (left.kind != right.kind || left.id != right.id) return false;
    if (left.kind == form::key) return left.key == right.key;
    return left.kind == form::field || (left.first == right.first && left.last == right.last);
  }
  /// Of equal steps the same.
  [[nodiscard]] std::size_t hash() const noexcept {
    if (kind == form::key) return std::hash<map_key>()(key);
    return static_cast<std::size_t>(kind == form::field ? id : first);
  }
};

/// A compiled path. A value: copying shares the steps, threads may share a copy. Good while the schema lives.
class path {
 public:
  /// The path that leads nowhere: the value itself.
  path() noexcept = default;
  // Without moves: the source of a move stays as it was.
  path(const path&) noexcept = default;
  path& operator=(const path&) noexcept = default;
  ~path() = default;

  /// Compiles the text for values of type `from`; grammar in syntax.hpp. Linear in the text.
  /// Errors: path_syntax, no_such_field, wrong_type (a step that the type does not have), value_type,
  /// value_range and unknown_enum_name (a key that cannot be in the map); offset() is the place in the text.
  [[nodiscard]] static result<path> try_compile(type from, std::string_view text);
  [[nodiscard]] static path compile(type from, std::string_view text) {
    return try_compile(from, text).value();
  }
  /// Many at once, which share their memory: the first text that does not compile is the error.
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

  [[nodiscard]] std::span<const path_step> steps() const& noexcept THRIFTLENS_LIFETIMEBOUND {
    return data_ == nullptr ? std::span<const path_step>()
                            : std::span<const path_step>(data_->steps, data_->size);
  }
  void steps() const&& = delete;
  [[nodiscard]] bool empty() const noexcept { return steps().empty(); }
  /// The type it was compiled for; false without a schema.
  [[nodiscard]] thriftlens::type from() const noexcept {
    return data_ == nullptr ? thriftlens::type() : data_->from;
  }
  /// The type of the values it leads to; false without a schema.
  [[nodiscard]] thriftlens::type to() const noexcept {
    if (empty()) return from();
    return from() ? thriftlens::type(from().image(), steps().back().type) : thriftlens::type();
  }
  /// Leads to one value at most: no `[*]`, slice or `{*}`.
  [[nodiscard]] bool is_single() const noexcept {
    for (const path_step& each : steps())
      if (each.is_many()) return false;
    return true;
  }
  /// Leads to a key or into one (`{key 3}`): views alone follow it.
  [[nodiscard]] bool enters_key() const noexcept { return data_ != nullptr && data_->enters_key; }
  /// wrong_type for somebody whom this path does not suit; `offset`: of the step that does not.
  [[nodiscard]] error misfit(std::string words, std::size_t offset) const;
  /// As it was written.
  [[nodiscard]] std::string_view text() const& noexcept THRIFTLENS_LIFETIMEBOUND {
    return data_ == nullptr ? std::string_view("$") : data_->text;
  }
  void text() const&& = delete;
  /// Leads from the same type by the same steps, whatever the spelling. O(steps).
  friend bool operator==(const path& left, const path& right) noexcept {
    const std::span<const path_step> one = left.steps(), other = right.steps();
    return left.from() == right.from() && std::equal(one.begin(), one.end(), other.begin(), other.end());
  }
  /// For std::hash: equal paths have equal ones.
  [[nodiscard]] std::size_t hash() const noexcept {
    std::size_t all = from().hash();
    for (const path_step& each : steps())
      all = (all ^ each.hash()) * 0x9e3779b1u + static_cast<unsigned>(each.kind);
    return all;
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

  path(const std::shared_ptr<const block>& in, const data& what) noexcept : data_(in, &what) {}

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
