// selection: the fields of a type to retain, as a tree of its structs.
#pragma once

#include <thriftlens/core/pod_vector.hpp>
#include <thriftlens/core/result.hpp>
#include <thriftlens/core/small_algorithm.hpp>
#include <thriftlens/path/fwd.hpp>
#include <thriftlens/path/path.hpp>
#include <thriftlens/schema/type.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI {

namespace detail {

/// Selected fields of one struct, ordered by id.
struct selection_node {
  /// Used instead of a node index: the entire value is selected.
  static constexpr std::uint32_t entire = 0xffffffffu;

  struct part {
    std::int16_t id = 0;
    std::uint32_t field = image::none;  ///< its index in the source type
    std::uint32_t child = entire;       ///< node for the structs within its value, or entire
  };

  /// Consecutive unselected fields in a segment of the struct's prefix template.
  struct cut {
    static constexpr std::uint16_t past_counted_end = 0xffff;
    std::uint16_t begin = 0;               ///< offset in the segment
    std::uint16_t end = past_counted_end;  ///< offset, or past_counted_end: the end of the segment
    std::uint16_t fields = 0;
    std::uint8_t segment = 0;
  };

  /// A field of a struct of numbers and strings.
  struct flat_field {
    std::uint32_t header = 0;  ///< its three bytes in Binary, as loaded by load_le
    std::uint8_t size = 0;     ///< of the header and the number; 0: a string
    bool is_selected = false;
  };

  type structure;  ///< source struct
  type target;     ///< target struct if compiled from a target type; else invalid
  pod_vector<part> parts;
  bool unknown = false;  ///< retains fields that are not in the IDL
  struct_prefix prefix;  ///< of the struct
  pod_vector<cut> cuts;  ///< unselected parts of the prefix template
  /// All fields, if they are numbers and strings, else none.
  pod_vector<flat_field> flat;
  /// The same by id, for Compact: the nibble of the type, that of true for bool, and is_selected. Unknown ids
  /// have no_type. Empty if an id is not in [1, 255].
  pod_vector<std::uint8_t> flat_types;
  static constexpr std::uint8_t is_selected = 0x80, no_type = 0x0f;

  [[nodiscard]] const part* find(std::int16_t id) const noexcept {
    const part* const candidate = position(id);
    return candidate != parts.end() && candidate->id == id ? candidate : nullptr;
  }
  /// Position of the part with that id, or where to insert it.
  [[nodiscard]] const part* position(std::int16_t id) const noexcept {
    return detail::end_of(parts.begin(), parts.end(), [id](const part& entry) { return entry.id < id; });
  }
};

}  // namespace detail

/// A compiled selection. Copies share their data; safe to share between threads. Must not outlive the schema.
///
/// - `{ id user { name } items { sku price } }`: these fields; braces lead through lists, sets and map values
/// - `{ * }`: everything, unknown fields too
/// - `{ * -debug }`, `{ -debug }`: everything but debug; exclusions alone imply `*`
/// - `{ #7 user { #1 } }`: by id
///
/// Fields are separated by blanks or commas; naming and excluding the same field is an error. Unknown fields
/// are retained only with `*` or an exclusion.
class selection {
 public:
  // No move operations: a moved-from selection remains valid.
  selection(const selection&) noexcept = default;
  selection& operator=(const selection&) noexcept = default;
  ~selection() = default;

  using node = detail::selection_node;

  /// Errors, with the offset in the text: path_syntax, no_such_field, wrong_type (braces after a value
  /// without fields).
  [[nodiscard]] static result<selection> try_compile(type from, std::string_view text);
  [[nodiscard]] static selection compile(type from, std::string_view text) {
    return try_compile(from, text).value();
  }

  /// Selects the values of the paths, which may cross containers only by `[*]` and `{*}`. Errors: wrong_type.
  [[nodiscard]] static result<selection> try_compile(type from, std::span<const path> paths);
  [[nodiscard]] static selection compile(type from, std::span<const path> paths) {
    return try_compile(from, paths).value();
  }
  /// Same, from the texts of the paths. Errors: also those of path::try_compile().
  [[nodiscard]] static result<selection> try_compile(type from, std::span<const std::string_view> paths);
  [[nodiscard]] static selection compile(type from, std::span<const std::string_view> paths) {
    return try_compile(from, paths).value();
  }
  [[nodiscard]] static result<selection> try_compile(type from, detail::path_list paths) {
    return try_compile(from, std::span<const std::string_view>(paths.begin(), paths.size()));
  }
  [[nodiscard]] static selection compile(type from, detail::path_list paths) {
    return try_compile(from, paths).value();
  }

  /// Selects, recursively, the fields that `target` also has by id. Errors: type_mismatch if the wire types
  /// of such a field differ.
  [[nodiscard]] static result<selection> try_compile(type from, type target);
  [[nodiscard]] static selection compile(type from, type target) { return try_compile(from, target).value(); }

  /// Selects everything.
  [[nodiscard]] static selection all(type from) { return selection(from); }

  /// Union, intersection and difference. Errors: wrong_type if the types differ.
  [[nodiscard]] friend selection operator|(const selection& lhs, const selection& rhs) {
    return try_unite(lhs, rhs).value();
  }
  [[nodiscard]] friend selection operator&(const selection& lhs, const selection& rhs) {
    return try_intersect(lhs, rhs).value();
  }
  [[nodiscard]] friend selection operator-(const selection& lhs, const selection& rhs) {
    return try_subtract(lhs, rhs).value();
  }
  [[nodiscard]] static result<selection> try_unite(const selection& lhs, const selection& rhs) {
    return combine(lhs, rhs, united);
  }
  [[nodiscard]] static result<selection> try_intersect(const selection& lhs, const selection& rhs) {
    return combine(lhs, rhs, common);
  }
  [[nodiscard]] static result<selection> try_subtract(const selection& lhs, const selection& rhs) {
    return combine(lhs, rhs, without);
  }

  /// The source type, and the root node or node::entire.
  [[nodiscard]] type from() const noexcept { return data_->from; }
  [[nodiscard]] std::uint32_t root() const noexcept { return data_->root; }
  [[nodiscard]] std::span<const node> nodes() const& noexcept THRIFTLENS_LIFETIMEBOUND {
    return data_->nodes;
  }
  void nodes() const&& = delete;
  /// The target type, if compiled from one.
  [[nodiscard]] type target() const noexcept { return data_->target; }

  /// Whether a struct of the target type has required fields.
  [[nodiscard]] bool checks_required() const noexcept { return data_->checks_required; }

  /// The text form; recursive selections are truncated at `depth`.
  [[nodiscard]] std::string to_string(unsigned depth = 16) const;

 private:
  struct data {
    type from;
    type target;
    std::uint32_t root = node::entire;
    bool checks_required = false;
    std::vector<node> nodes;

    std::uint32_t add(node added) {
      nodes.emplace_back() = std::move(added);
      return static_cast<std::uint32_t>(nodes.size() - 1);
    }
    std::uint32_t add_struct(type structure) {
      node added;
      added.structure = structure;
      return add(std::move(added));
    }
  };
  enum operation { united, common, without };
  class parser;
  class collector;
  class reducer;
  class combiner;

  explicit selection(type from) : data_(std::make_shared<data>()) { data_->from = from; }
  [[nodiscard]] static error no_type() { return error(errc::wrong_type, "a selection needs a type"); }
  /// Completes compilation: computes the cuts of all nodes.
  selection ready() &&;
  static result<selection> combine(const selection& lhs, const selection& rhs, operation op);

  void append_text(std::string& out, std::uint32_t at, unsigned depth) const;

  std::shared_ptr<data> data_;  // immutable after compilation
};

template <>
inline constexpr bool detail::is_printed<selection> = true;

}  // namespace thriftlens::inline THRIFTLENS_ABI

#if !defined(THRIFTLENS_COMPILED)
#include <thriftlens/path/selection.ipp>
#endif
