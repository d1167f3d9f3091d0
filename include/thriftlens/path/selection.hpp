// selection: which parts of a type to keep, as a tree over its structs. Never touches wire bytes; never
// holds a value.
#pragma once

#include <thriftlens/core/result.hpp>
#include <thriftlens/core/small_algorithm.hpp>
#include <thriftlens/path/fwd.hpp>
#include <thriftlens/path/path.hpp>
#include <thriftlens/schema/type.hpp>

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI {

namespace detail {

/// What of one struct is kept. Fields in order of ids.
struct selection_node {
  /// Instead of a node index: the value is kept whole.
  static constexpr std::uint32_t whole = 0xffffffffu;

  struct part {
    std::int16_t id = 0;
    std::uint32_t field = image::none;  ///< its node in the source type
    std::uint32_t child = whole;        ///< node for the structs inside its value, or whole
  };

  /// Fields next to each other in a segment of the struct's prefix template that are dropped.
  struct cut {
    static constexpr std::uint16_t behind = 0xffff;
    std::uint16_t begin = 0;     ///< offset in the segment
    std::uint16_t end = behind;  ///< offset, or after what the segment's size counts
    std::uint16_t fields = 0;
    std::uint8_t segment = 0;
  };

  type structure;  ///< the struct it cuts
  type target;     ///< the struct it cuts to, where it was made from another type; else false
  std::vector<part> parts;
  bool unknown = false;   ///< fields that the IDL does not know are kept
  struct_prefix prefix;   ///< of the struct
  std::vector<cut> cuts;  ///< what is dropped of the prefix template

  [[nodiscard]] const part* find(std::int16_t id) const noexcept {
    const auto found = position(id);
    return found != parts.end() && found->id == id ? &*found : nullptr;
  }
  /// Where the part of that id is or would be.
  [[nodiscard]] std::vector<part>::const_iterator position(std::int16_t id) const noexcept {
    return detail::end_of(parts.begin(), parts.end(), [id](const part& each) { return each.id < id; });
  }
};

}  // namespace detail

/// A compiled selection. A value: copying and moving share, threads may share a copy. Good while the schema
/// lives.
///
/// - `{ id user { name } items { sku price } }`: these fields; braces lead through lists, sets and map values
/// - `{ * }`: everything, unknown fields too
/// - `{ * -debug }`, `{ -debug }`: everything but debug; with exclusions alone, `*` is meant
/// - `{ #7 user { #1 } }`: by id
///
/// Fields are separated by blanks or commas; one that is both named and excluded is an error. Without `*` or
/// an exclusion, unknown fields are not kept.
class selection {
 public:
  // Without moves of their own: what is moved from stays as it was.
  selection(const selection&) noexcept = default;
  selection& operator=(const selection&) noexcept = default;
  ~selection() = default;

  using node = detail::selection_node;

  /// Errors: path_syntax, no_such_field, wrong_type (braces on a value without fields), each with the offset
  /// in the text.
  [[nodiscard]] static result<selection> try_compile(type from, std::string_view text);
  [[nodiscard]] static selection compile(type from, std::string_view text) {
    return try_compile(from, text).value();
  }

  /// Everything the paths lead to. They may step over containers by `[*]` and `{*}` only. Errors: wrong_type.
  [[nodiscard]] static result<selection> try_compile(type from, std::span<const path> paths);
  [[nodiscard]] static selection compile(type from, std::span<const path> paths) {
    return try_compile(from, paths).value();
  }
  /// The same by the paths' texts. Errors: also those of path::try_compile.
  [[nodiscard]] static result<selection> try_compile(type from, std::span<const std::string_view> paths);
  [[nodiscard]] static selection compile(type from, std::span<const std::string_view> paths) {
    return try_compile(from, paths).value();
  }
  [[nodiscard]] static result<selection> try_compile(type from,
                                                     std::initializer_list<std::string_view> paths) {
    return try_compile(from, std::span<const std::string_view>(paths.begin(), paths.size()));
  }
  [[nodiscard]] static selection compile(type from, std::initializer_list<std::string_view> paths) {
    return try_compile(from, paths).value();
  }

  /// The fields whose ids `target` knows too, and so on inside them. Errors: type_mismatch where both know
  /// the id but the wire types differ.
  [[nodiscard]] static result<selection> try_compile(type from, type target);
  [[nodiscard]] static selection compile(type from, type target) { return try_compile(from, target).value(); }

  /// All of it.
  [[nodiscard]] static selection all(type from) { return selection(from); }

  /// What either, both, or only the left one keeps. Errors: wrong_type where they are not over the same type.
  [[nodiscard]] friend selection operator|(const selection& left, const selection& right) {
    return try_unite(left, right).value();
  }
  [[nodiscard]] friend selection operator&(const selection& left, const selection& right) {
    return try_intersect(left, right).value();
  }
  [[nodiscard]] friend selection operator-(const selection& left, const selection& right) {
    return try_subtract(left, right).value();
  }
  [[nodiscard]] static result<selection> try_unite(const selection& left, const selection& right) {
    return combine(left, right, united);
  }
  [[nodiscard]] static result<selection> try_intersect(const selection& left, const selection& right) {
    return combine(left, right, common);
  }
  [[nodiscard]] static result<selection> try_subtract(const selection& left, const selection& right) {
    return combine(left, right, without);
  }

  /// The type it cuts, and the root node or node::whole.
  [[nodiscard]] type from() const noexcept { return data_->from; }
  [[nodiscard]] std::uint32_t root() const noexcept { return data_->root; }
  [[nodiscard]] std::span<const node> nodes() const& noexcept THRIFTLENS_LIFETIMEBOUND {
    return data_->nodes;
  }
  void nodes() const&& = delete;
  /// The type it cuts to, where it was made from one.
  [[nodiscard]] type target() const noexcept { return data_->target; }

  /// Made from a type some struct of which has required fields.
  [[nodiscard]] bool checks_required() const noexcept { return data_->checks_required; }

  /// Back to text; recursive selections are cut at `depth`.
  [[nodiscard]] std::string to_string(unsigned depth = 16) const;

 private:
  struct data {
    type from;
    type target;
    std::uint32_t root = node::whole;
    bool checks_required = false;
    std::vector<node> nodes;

    std::uint32_t add(node made) {
      nodes.push_back(std::move(made));
      return static_cast<std::uint32_t>(nodes.size() - 1);
    }
    std::uint32_t add_struct(type structure) {
      node made;
      made.structure = structure;
      return add(std::move(made));
    }
  };
  enum operation { united, common, without };
  class parser;
  class collector;
  class reducer;
  class combiner;

  /// All of it, for now.
  explicit selection(type from) : data_(std::make_shared<data>()) { data_->from = from; }
  [[nodiscard]] static error no_type() { return error(errc::wrong_type, "a selection needs a type"); }
  /// Lays out what its nodes drop of the prefix templates of their structs.
  selection ready() &&;
  static result<selection> combine(const selection& left, const selection& right, operation how);

  void append_text(std::string& out, std::uint32_t at, unsigned depth) const;

  std::shared_ptr<data> data_;  // written only before it is handed out
};

template <>
inline constexpr bool detail::is_printed<selection> = true;

}  // namespace thriftlens::inline THRIFTLENS_ABI

#if !defined(THRIFTLENS_COMPILED)
#include <thriftlens/path/selection.ipp>
#endif
