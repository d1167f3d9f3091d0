// node: a handle of a value in a document, to read and change it. Valid until the next load of the document.
#pragma once

#include <thriftlens/core/buffer.hpp>
#include <thriftlens/core/result.hpp>
#include <thriftlens/dom/arrange.hpp>
#include <thriftlens/dom/merge_options.hpp>
#include <thriftlens/dom/node_range.hpp>
#include <thriftlens/dom/tree.hpp>
#include <thriftlens/dom/value.hpp>
#include <thriftlens/path/path.hpp>
#include <thriftlens/protocol/select.hpp>
#include <thriftlens/view/scalar.hpp>
#include <thriftlens/view/view.hpp>

#include <concepts>
#include <cstdint>
#include <iosfwd>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI {

struct node_field;
struct node_entry;

/// A value of a document. By value, 40 bytes.
///
/// Steps do not fail: as in views, an error is stored and reported when the value is read. A step opens its
/// parent once; after that it is O(1) in lists, O(1) to O(log fields) in structs, and by hash in maps from a
/// dozen entries on. Changes are stored in the document; the bytes of the message are not written to. Every
/// raising function has a try_ variant. After an error the document is unchanged. A node of a field stays
/// valid while other fields change. A node of an element or entry becomes absent when its neighbours move: by
/// insert and erase in a list, by sort and filter, by erasing many entries.
class node {
 public:
  node() noexcept = default;

  // ---- steps ----
  /// The field with that name or, of a map, the value with that key.
  [[nodiscard]] node operator[](std::string_view name) const {
    return wire() == ttype::map ? key(name) : field(name);
  }
  /// A field by id, an element by index (negative: from the end) or a value of a map by key.
  template <integer_value Int>
  [[nodiscard]] node operator[](Int which) const {
    const auto number = static_cast<std::int64_t>(which);
    // No index, key or id exceeds std::int64_t.
    const bool fits = !std::is_unsigned_v<Int> || number >= 0;
    if (wire() == ttype::map) return fits ? key(number) : failed(errc::value_range);
    if (wire() != ttype::struct_) return fits ? index(number) : missing_index(std::to_string(which));
    const auto id = static_cast<std::int16_t>(number);
    return fits && number == id ? field(id) : failed(errc::no_such_field);
  }
  [[nodiscard]] node field(std::string_view name) const;
  /// Also finds fields that the IDL does not know.
  [[nodiscard]] node field(std::int16_t id) const;
  [[nodiscard]] node index(std::int64_t index) const;
  /// The value of the first entry with that key. Errors: value_type, value_range, unknown_enum_name for a key
  /// that the key type does not have.
  [[nodiscard]] node key(map_key key) const;
  /// The value at a path; see path.hpp.
  [[nodiscard]] node at(const path& compiled) const;
  /// Compiles the text on every call: compile a path once for many values. Raises the error of an invalid
  /// path; a node with an error stays unchanged.
  [[nodiscard]] node at(std::string_view text) const { return try_at(text).value(); }
  [[nodiscard]] result<node> try_at(std::string_view text) const;
  void at(detail::path_list) const = delete;
  void try_at(detail::path_list) const = delete;

  // ---- properties ----

  [[nodiscard]] thriftlens::presence presence() const noexcept {
    if (code() == errc::ok) return thriftlens::presence::present;
    return code() == errc::absent || code() == errc::bad_index ? thriftlens::presence::absent
                                                               : thriftlens::presence::error;
  }
  [[nodiscard]] explicit operator bool() const noexcept { return code() == errc::ok; }
  /// ok, or the first error; absent for an erased node.
  [[nodiscard]] errc code() const noexcept {
    THRIFTLENS_ASSERT(tree_ == nullptr || generation_ == tree_->generation);
    if (code_ != errc::ok) return code_;
    const detail::dom::slot* at = slot();
    return at == nullptr || at->erased() ? errc::absent : errc::ok;
  }
  /// The complete error; its code is ok without one. Cold.
  [[nodiscard]] class error error() const;
  /// The IDL type; empty without a schema and for fields that the IDL does not know.
  [[nodiscard]] thriftlens::type type() const noexcept;
  [[nodiscard]] ttype wire() const noexcept { return code() == errc::ok ? slot()->wire : ttype::stop; }
  /// The id of a field.
  [[nodiscard]] std::int16_t id() const noexcept { return code() == errc::ok ? slot()->id : std::int16_t{0}; }
  /// "$.user.ids[3]". Cold.
  [[nodiscard]] std::string path() const;
  /// Whether it or a value in it was changed since the load.
  [[nodiscard]] bool changed() const noexcept {
    return code() == errc::ok && slot()->expanded && slot()->below->changed;
  }

  // ---- scalars: O(1) ----

  /// The value as T (see view/scalar.hpp). Text borrows from the message or, once set, from the document.
  template <class T>
  [[nodiscard]] T as() const {
    if constexpr (!scalar_value<T>)
      return try_as<T>().value();
    else if (T value{}; get(value) == errc::ok)
      return value;
    else
      return try_as<T>().value();
  }
  template <class T>
  [[nodiscard]] result<T> try_as() const {
    static_assert(thriftlens::detail::check_scalar<T>());
    if constexpr (scalar_value<T>) {
      T value{};
      const errc code = get(value);
      if (code == errc::ok) return value;
      if (code_ == errc::ok && code != errc::absent)
        return misread(code, thriftlens::detail::scalar_word<T>());
    }
    return error();
  }
  /// Returns only the code; sets `value` if it is ok.
  template <scalar_value T>
  [[nodiscard]] errc get(T& value) const {
    if (const errc reached = code(); reached != errc::ok) return reached;
    const detail::dom::slot& from = *slot();
    if (from.expanded) return errc::wrong_type;
    return visit_protocol(tree_->protocol, [&](auto tag) {
      using P = decltype(tag);
      T read{};
      typename P::reader in(detail::dom::bytes_of(from));
      const errc code = thriftlens::detail::read_scalar<P>(in, from.wire, read);
      if (code == errc::ok) value = std::move(read);
      return code;
    });
  }
  /// The value, or `fallback` if it is absent.
  template <class T>
  [[nodiscard]] T value_or(std::type_identity_t<T> fallback) const {
    static_assert(thriftlens::detail::check_scalar<T>());
    T value{};
    const errc code = get(value);
    if (code == errc::ok) [[likely]]
      return value;
    return code == errc::absent || code == errc::bad_index ? fallback : as<T>();
  }

  // ---- structs and containers ----

  /// Fields, elements or entries. Opens the value.
  [[nodiscard]] std::size_t size() const { return try_size().value(); }
  [[nodiscard]] result<std::size_t> try_size() const;
  /// Ranges for loops. Open the value; raise for values of other kinds. The children may be set during
  /// iteration, but not moved.
  [[nodiscard]] node_range<node_field> fields() const { return children<node_field>(ttype::struct_).value(); }
  [[nodiscard]] node_range<node> elements() const { return children<node>(ttype::list).value(); }
  [[nodiscard]] node_range<node_entry> entries() const { return children<node_entry>(ttype::map).value(); }
  [[nodiscard]] result<node_range<node_field>> try_fields() const {
    return children<node_field>(ttype::struct_);
  }
  [[nodiscard]] result<node_range<node>> try_elements() const { return children<node>(ttype::list); }
  [[nodiscard]] result<node_range<node_entry>> try_entries() const {
    return children<node_entry>(ttype::map);
  }

  /// Appends the value to a buffer, in the document's protocol. Errors: as document::append_to.
  void append_to(buffer& out) const { try_append_to(out).value(); }
  [[nodiscard]] result<void> try_append_to(buffer& out) const;

  // ---- changes; a step is a field name or id, an index, or a key of a map ----

  /// Replaces the value. Errors: absent; value_type, value_range, unknown_enum_name for a value that the type
  /// does not accept; wrong_type for values in keys of maps.
  void set(const node_value& value) const { try_set(value).value(); }
  [[nodiscard]] result<void> try_set(const node_value& value) const;
  /// Sets a child; adds absent fields (in id order) and entries (at the end). Erases other members of a
  /// union. Returns the child.
  node set(map_key step, const node_value& value) const { return try_set(step, value).value(); }
  result<node> try_set(map_key step, const node_value& value) const;
  /// Inserts an element before another (negative: from the end; size(): at the end). O(elements after it).
  node insert(std::int64_t index, const node_value& value) const { return try_insert(index, value).value(); }
  result<node> try_insert(std::int64_t index, const node_value& value) const;
  /// Appends an element to a list or set. Amortised O(1).
  node append(const node_value& value) const { return try_append(value).value(); }
  result<node> try_append(const node_value& value) const;
  /// The child, created as an empty value if absent.
  node create(map_key step) const { return try_create(step).value(); }
  result<node> try_create(map_key step) const;
  /// Removes this value from its parent, with the key of an entry. Errors: absent for the root. O(1), in
  /// lists O(elements after it).
  void erase() const { try_erase().value(); }
  [[nodiscard]] result<void> try_erase() const;
  /// Removes a child; returns whether it existed.
  bool erase(map_key step) const { return try_erase(step).value(); }
  result<bool> try_erase(map_key step) const;
  /// Changes the id of a field or the key of an entry. Errors: absent; duplicate_field and duplicate_key if
  /// the new one exists; value_type for fields of different types.
  void rename(map_key from, map_key to) const { try_rename(from, to).value(); }
  [[nodiscard]] result<void> try_rename(map_key from, map_key to) const;

  /// Moves `from` below this node: sets a field or entry, or inserts before an element of a list (size(): at
  /// the end; indices before the move). Within one document the value is linked, with its changes and nodes,
  /// in O(levels opened below it); between types or documents it is copied and then erased. Errors: those of
  /// set and insert; wrong_type for the root and values in keys of maps; edit_conflict for a move into
  /// itself.
  node move(map_key step, const node& from) const { return try_move(step, from).value(); }
  result<node> try_move(map_key step, const node& from) const;

  /// Merges `from` into this value, deeply; values of `from` win. `from` must be of the same type and may be
  /// of another document; its bytes are copied. Errors: value_type for different structs (structs of two
  /// schemas are compared by name).
  void merge(const node& from, const merge_options& options = {}) const { try_merge(from, options).value(); }
  [[nodiscard]] result<void> try_merge(const node& from, const merge_options& options = {}) const;

  /// Sorts elements by `less(node, node)`, entries by `less` of their keys. Stable, O(n log n) for any
  /// `less`.
  template <class Less>
  void sort(Less&& less) const {
    try_sort(std::forward<Less>(less)).value();
  }
  template <class Less>
  [[nodiscard]] result<void> try_sort(Less&& less) const;
  /// Sorts elements, or entries by key, in the order of numbers, bools and texts (bytes).
  void sort() const { try_sort().value(); }
  [[nodiscard]] result<void> try_sort() const;
  /// Removes the fields, elements or entries (by value) for which `keep(node)` is false; returns their
  /// number. O(n).
  template <class Keep>
  std::size_t filter(Keep&& keep) const {
    return try_filter(std::forward<Keep>(keep)).value();
  }
  template <class Keep>
  result<std::size_t> try_filter(Keep&& keep) const;

  // ---- internal ----

  explicit node(detail::dom::tree& of) noexcept : tree_(&of), generation_(of.generation), code_(errc::ok) {}
  node(detail::dom::tree& of, detail::dom::level& in, std::uint32_t number) noexcept
      : tree_(&of),
        in_(&in),
        number_(number),
        generation_(of.generation),
        version_(in.version),
        id_(in.items[number].id),
        code_(errc::ok) {}
  node(detail::dom::tree& of, detail::dom::level& in, const detail::dom::slot& at) noexcept
      : node(of, in, static_cast<std::uint32_t>(&at - in.items)) {}
  [[nodiscard]] detail::dom::tree* tree() const noexcept { return tree_; }
  /// Null if the slot no longer exists.
  [[nodiscard]] detail::dom::slot* slot() const noexcept {
    if (in_ == nullptr) return tree_ == nullptr ? nullptr : &tree_->root;
    if (in_->version == version_) [[likely]]
      return &in_->items[number_];
    return moved_slot();
  }

 private:
  /// The slot after slots of the level were renumbered, or null.
  [[nodiscard]] detail::dom::slot* moved_slot() const noexcept;
  [[nodiscard]] node failed(errc code, std::int64_t which = 0) const noexcept {
    if (code_ != errc::ok) return *this;
    node copy = *this;
    copy.code_ = this->code() != errc::ok ? errc::absent : code;
    copy.which_ = static_cast<std::int32_t>(which);
    copy.note_ = 0;
    return copy;
  }
  /// This node with an error whose text the tree stores.
  [[nodiscard]] node noted(class error&& failure) const;
  [[nodiscard]] node missing_index(std::int64_t index) const;
  [[nodiscard]] node missing_index(const std::string& digits) const;
  [[nodiscard]] node take(const path_step& step) const;
  [[nodiscard]] node take(std::span<const path_step> steps) const;
  [[nodiscard]] node child(std::uint32_t number) const noexcept { return {*tree_, *slot()->below, number}; }
  /// Opens the level below.
  [[nodiscard]] errc open() const;
  [[nodiscard]] node opened(errc code) const noexcept {
    node copy = failed(code);
    // The tree stores the text of the fault of opening, not of an earlier one.
    if (this->code() == errc::ok && code != errc::wrong_type) copy.note_ = tree_->failures;
    return copy;
  }
  template <class Item>
  [[nodiscard]] result<node_range<Item>> children(ttype requested) const;
  [[nodiscard]] class error write_error(const fault& failure, const detail::dom::level* where) const;
  /// The type of the slot, which must exist.
  [[nodiscard]] thriftlens::type slot_type() const noexcept;
  /// The failed step in path syntax.
  [[nodiscard]] std::string missing_step(errc code) const;
  /// Offset of its bytes in the message.
  [[nodiscard]] std::size_t offset() const noexcept;
  [[nodiscard]] class error misread(errc code, const char* requested) const;
  /// The error of a change of this node, with the path.
  [[nodiscard]] class error refused(errc code, const map_key* step = nullptr, std::string text = {}) const;
  /// The error of a set, with the value in the text.
  [[nodiscard]] class error refused_value(errc code, const node_value& value,
                                          const map_key* step = nullptr) const;
  /// This value as a parent of children.
  [[nodiscard]] detail::dom::parent here() const;
  [[nodiscard]] result<void> to_result(errc code) const {
    return code == errc::ok ? result<void>() : refused(code);
  }
  [[nodiscard]] errc find(const map_key& step, std::uint32_t& number) const;
  /// Opens a value to sort or filter its children.
  [[nodiscard]] result<void> open_to_arrange() const;
  [[nodiscard]] result<void> open_to_sort() const;
  /// Merges values of one wire type.
  [[nodiscard]] errc merge_from(const node& from, const merge_options& options) const;

  detail::dom::tree* tree_ = nullptr;
  detail::dom::level* in_ = nullptr;  // null: the root
  std::uint32_t number_ = 0;          // of the slot, while the level has the version
  std::uint32_t generation_ = 0;
  std::uint32_t version_ = 0;
  std::uint32_t note_ = 0;  // which failure of the tree, 0 for none
  std::int32_t which_ = 0;  // the field id or index that was absent
  std::int16_t id_ = 0;
  errc code_ = errc::absent;
};

/// A field in a loop.
struct node_field {
  node_field() noexcept = default;
  node_field(detail::dom::tree& of, detail::dom::level& in, std::uint32_t number) noexcept
      : id(in.items[number].id), value(of, in, number) {
    if (in.type == detail::image::none) return;
    const std::uint32_t field = of.image->find_field(of.image->struct_of(in.type), id);
    if (field != detail::image::none) info = field_info(of.image, field);
  }

  std::int16_t id = 0;
  field_info info;  ///< empty if the IDL does not know the field
  node value;

  /// The name of the field; empty if the IDL does not know it.
  [[nodiscard]] std::string_view name() const noexcept { return info ? info.name() : std::string_view(); }
};

/// An entry in a loop. The key is read-only.
struct node_entry {
  node_entry() noexcept = default;
  node_entry(detail::dom::tree& of, detail::dom::level& in, std::uint32_t number) noexcept
      : key(of, in, number), value(of, in, number + 1) {}

  node key;
  node value;
};

template <class Less>
result<void> node::try_sort(Less&& less) const {
  if (result<void> opened = open_to_sort(); !opened) return opened;
  detail::dom::sort_children(
      *slot()->below, [&](std::uint32_t lhs, std::uint32_t rhs) { return less(child(lhs), child(rhs)); });
  return {};
}
template <class Keep>
result<std::size_t> node::try_filter(Keep&& keep) const {
  if (result<void> opened = open_to_arrange(); !opened) return std::move(opened).error();
  detail::dom::level& below = *slot()->below;
  const std::uint32_t value = below.stride() - 1;
  return std::size_t{detail::dom::filter_children(
      below, [&](std::uint32_t at) { return static_cast<bool>(keep(this->child(at + value))); })};
}

namespace detail::dom {
/// The text of a view of the node, whose bytes are written first if it was opened. A template, to be compiled
/// on use only.
template <std::same_as<node> Node>
[[nodiscard]] std::string printed(const Node& of);
}  // namespace detail::dom

/// Prints like a view. O(bytes of the node) if it was opened.
template <class Traits, std::same_as<node> Node>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, const Node& of) {
  return out << detail::dom::printed(of);
}

}  // namespace thriftlens::inline THRIFTLENS_ABI

#if !defined(THRIFTLENS_COMPILED)
#include <thriftlens/dom/node.ipp>
#endif
