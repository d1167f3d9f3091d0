// node: a place in a document: asked, walked from, changed. Never owns: good until its document is loaded
// anew. Never means another value than it was made for.
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
/// Steps never fail by themselves: what goes wrong is remembered and reported by whatever is asked at the
/// end, as views do it. A step opens the value it leads through (once); after that it is O(1) in lists, in
/// structs O(1) to O(log fields), in maps by hash from a dozen entries on. Each change is kept in the
/// document; the message's bytes are never written to. Every call that raises has a try_ twin. After an error
/// the document is as before the call. A field's node stays good while other fields come and go. An element's
/// or entry's node is absent once its neighbours were moved: by insert and erase in a list, by sort and
/// filter, by erasing many entries.
class node {
 public:
  node() noexcept = default;

  // ---- steps ----
  /// The field of that name; of a map, the entry with that key.
  [[nodiscard]] node operator[](std::string_view name) const {
    return wire() == ttype::map ? key(name) : field(name);
  }
  /// A struct's field by id, a list's or set's element by index (negative: from the end), a map's value by
  /// key.
  template <integer_value Int>
  [[nodiscard]] node operator[](Int which) const {
    const auto number = static_cast<std::int64_t>(which);
    // Beyond std::int64_t it is the index, key or id of nothing.
    const bool fits = !std::is_unsigned_v<Int> || number >= 0;
    if (wire() == ttype::map) return fits ? key(number) : failed(errc::value_range);
    if (wire() != ttype::struct_) return fits ? index(number) : failed(errc::bad_index);
    const auto id = static_cast<std::int16_t>(number);
    return fits && number == id ? field(id) : failed(errc::no_such_field);
  }
  [[nodiscard]] node field(std::string_view name) const;
  /// With a schema an id that the IDL does not know is found where the bytes have it, else absent.
  [[nodiscard]] node field(std::int16_t id) const;
  [[nodiscard]] node index(std::int64_t index) const;
  /// The value of the first entry with that key. Errors: value_type, value_range, unknown_enum_name for a key
  /// that cannot be.
  [[nodiscard]] node key(map_key key) const;
  /// Along a path of one value; see path.hpp.
  [[nodiscard]] node at(const path& way) const;
  /// Compiles the text at each call: keep a compiled path for many values. A path that does not compile
  /// raises; where this node is broken, it stays what it is.
  [[nodiscard]] node at(std::string_view text) const { return try_at(text).value(); }
  [[nodiscard]] result<node> try_at(std::string_view text) const;

  // ---- what it is ----

  [[nodiscard]] thriftlens::presence presence() const noexcept {
    if (code() == errc::ok) return thriftlens::presence::present;
    return code() == errc::absent || code() == errc::bad_index ? thriftlens::presence::absent
                                                               : thriftlens::presence::error;
  }
  [[nodiscard]] explicit operator bool() const noexcept { return code() == errc::ok; }
  /// ok, or what went wrong first; absent for a node that was erased.
  [[nodiscard]] errc code() const noexcept {
    THRIFTLENS_ASSERT(tree_ == nullptr || generation_ == tree_->generation);
    if (code_ != errc::ok) return code_;
    const detail::dom::slot* at = slot();
    return at == nullptr || at->erased() ? errc::absent : errc::ok;
  }
  /// The whole error; one with code ok where nothing went wrong. Cold.
  [[nodiscard]] class error error() const;
  /// The IDL type; false without a schema or for a field that the IDL does not know.
  [[nodiscard]] thriftlens::type type() const noexcept;
  [[nodiscard]] ttype wire() const noexcept { return code() == errc::ok ? slot()->wire : ttype::stop; }
  /// Of a field: its id.
  [[nodiscard]] std::int16_t id() const noexcept { return code() == errc::ok ? slot()->id : std::int16_t{0}; }
  /// "$.user.ids[3]". Cold.
  [[nodiscard]] std::string path() const;
  /// It or something in it was changed since the load.
  [[nodiscard]] bool changed() const noexcept {
    return code() == errc::ok && slot()->expanded && slot()->below->changed;
  }

  // ---- scalars: O(1) ----

  /// The value as T (lens/scalar.hpp says which). Text borrows from the message, or from the document where
  /// it was set.
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
  /// The cheap form: only the code is returned, and `value` is set only when it is ok.
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
  /// The value, or the fallback where it is absent.
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
  /// For loops. Opens the value; raises where it is none of that kind. The children may be set meanwhile, not
  /// moved.
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

  // ---- changes; a step is a field's name or id, an index, or a map's key ----

  /// Gives this node another value. Errors: absent; value_type, value_range, unknown_enum_name for a value
  /// that the type does not take; wrong_type for what lies in a map's key.
  void set(const node_value& value) const { try_set(value).value(); }
  [[nodiscard]] result<void> try_set(const node_value& value) const;
  /// Sets a field, element or entry below; fields (in id order) and entries (at the end) are added where they
  /// are absent. A union's other members go. The new node.
  node set(map_key step, const node_value& value) const { return try_set(step, value).value(); }
  result<node> try_set(map_key step, const node_value& value) const;
  /// Puts an element in front of another (negative: from the end; size(): at the end). O(elements after it).
  node insert(std::int64_t index, const node_value& value) const { return try_insert(index, value).value(); }
  result<node> try_insert(std::int64_t index, const node_value& value) const;
  /// Puts an element at the end of a list or set. Amortised O(1).
  node append(const node_value& value) const { return try_append(value).value(); }
  result<node> try_append(const node_value& value) const;
  /// The node that the step leads to, made without content where it is absent.
  node create(map_key step) const { return try_create(step).value(); }
  result<node> try_create(map_key step) const;
  /// Takes this node out of its parent; of an entry also the key. absent for the root. O(1), in lists
  /// O(elements after it).
  void erase() const { try_erase().value(); }
  [[nodiscard]] result<void> try_erase() const;
  /// Takes a child out. Whether it was there.
  bool erase(map_key step) const { return try_erase(step).value(); }
  result<bool> try_erase(map_key step) const;
  /// Gives a field another id or an entry another key. Errors: absent; duplicate_field and duplicate_key
  /// where the new one is taken; value_type for fields of different types.
  void rename(map_key from, map_key to) const { try_rename(from, to).value(); }
  [[nodiscard]] result<void> try_rename(map_key from, map_key to) const;

  /// Takes `from` out of its place and puts it below this node: as a field or entry as set() does, in a list
  /// in front of that element (size(): at the end; indices as they were before). In one document it is
  /// linked, with its changes and the nodes made in it, in O(levels opened below it) and its bytes are not
  /// touched; where the types differ, or from another document, it is copied and then erased. Errors: those
  /// of set and insert; wrong_type for the root and what lies in a map's key; edit_conflict into itself.
  node move(map_key step, const node& from) const { return try_move(step, from).value(); }
  result<node> try_move(map_key step, const node& from) const;

  /// Takes over all that `from` has and this lacks, deeply; what both have is from's. `from` is of the same
  /// type and may be of another document; its bytes are copied.
  void merge(const node& from, const merge_options& options = {}) const { try_merge(from, options).value(); }
  [[nodiscard]] result<void> try_merge(const node& from, const merge_options& options = {}) const;

  /// Orders elements by `less(node, node)`, entries by `less` of their keys. Stable, O(n log n) for any
  /// `less`.
  template <class Less>
  void sort(Less&& less) const {
    try_sort(std::forward<Less>(less)).value();
  }
  template <class Less>
  [[nodiscard]] result<void> try_sort(Less&& less) const;
  /// The natural order of numbers, bools and texts (bytes): of elements or keys.
  void sort() const { try_sort().value(); }
  [[nodiscard]] result<void> try_sort() const;
  /// Keeps the fields, elements or entries for which `keep(node)` holds (of entries: of their values); how
  /// many were dropped. O(n).
  template <class Keep>
  std::size_t filter(Keep&& keep) const {
    return try_filter(std::forward<Keep>(keep)).value();
  }
  template <class Keep>
  result<std::size_t> try_filter(Keep&& keep) const;

  // ---- for the other parts of dom ----

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
  /// Null where the slot is not to be found any more.
  [[nodiscard]] detail::dom::slot* slot() const noexcept {
    if (in_ == nullptr) return tree_ == nullptr ? nullptr : &tree_->root;
    if (in_->version == version_) [[likely]]
      return &in_->items[number_];
    return moved_slot();
  }

 private:
  /// Where the slot is after slots of the level changed their numbers, or null.
  [[nodiscard]] detail::dom::slot* moved_slot() const noexcept;
  [[nodiscard]] node failed(errc code, std::int64_t which = 0) const noexcept {
    if (code_ != errc::ok) return *this;
    node made = *this;
    made.code_ = this->code() != errc::ok ? errc::absent : code;
    made.which_ = static_cast<std::int32_t>(which);
    made.note_ = 0;
    return made;
  }
  /// This node with an error whose words the tree keeps.
  [[nodiscard]] node noted(class error&& why) const;
  [[nodiscard]] node take(const path_step& step) const;
  [[nodiscard]] node take(std::span<const path_step> steps) const;
  [[nodiscard]] node child(std::uint32_t number) const noexcept { return {*tree_, *slot()->below, number}; }
  /// Makes the level below.
  [[nodiscard]] errc open() const;
  [[nodiscard]] node opened(errc code) const noexcept {
    node made = failed(code);
    // The tree has words for the fault of opening, not for what this node had before.
    if (this->code() == errc::ok && code != errc::wrong_type) made.note_ = tree_->failures;
    return made;
  }
  template <class Item>
  [[nodiscard]] result<node_range<Item>> children(ttype requested) const;
  [[nodiscard]] class error write_error(const fault& why, const detail::dom::level* where) const;
  /// The step that led nowhere, as paths have it.
  [[nodiscard]] std::string missing_step(errc code) const;
  /// Where its bytes stand in the message.
  [[nodiscard]] std::size_t offset() const noexcept;
  [[nodiscard]] class error misread(errc code, const char* requested) const;
  /// What a change of this node answered, as an error with its path.
  [[nodiscard]] class error refused(errc code, const map_key* step = nullptr, std::string words = {}) const;
  /// The same of a change that gave this node, or what a step leads to, a value.
  [[nodiscard]] class error refused_value(errc code, const node_value& value,
                                          const map_key* step = nullptr) const;
  /// This value, as the parent of what steps lead to.
  [[nodiscard]] detail::dom::parent here() const;
  [[nodiscard]] result<void> done(errc code) const {
    return code == errc::ok ? result<void>() : refused(code);
  }
  [[nodiscard]] errc find(const map_key& step, std::uint32_t& number) const;
  /// Opens a value whose children are to be put into another order, or fewer.
  [[nodiscard]] result<void> open_to_arrange() const;
  [[nodiscard]] result<void> open_to_sort() const;
  /// What try_merge does with two values of one wire type.
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

/// A field on the way through a struct.
struct node_field {
  node_field() noexcept = default;
  node_field(detail::dom::tree& of, detail::dom::level& in, std::uint32_t number) noexcept
      : id(in.items[number].id), value(of, in, number) {
    if (in.type == detail::image::none) return;
    const std::uint32_t field = of.image->find_field(of.image->structs[of.image->types[in.type].first], id);
    if (field != detail::image::none) info = field_info(of.image, field);
  }

  std::int16_t id = 0;
  field_info info;  ///< false where the IDL does not know the field
  node value;

  /// The field's name; empty where the IDL does not know it.
  [[nodiscard]] std::string_view name() const noexcept { return info ? info.name() : std::string_view(); }
};

/// An entry on the way through a map. The key is for reading only.
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
  detail::dom::sort_children(*slot()->below, [&](std::uint32_t left, std::uint32_t right) {
    return less(child(left), child(right));
  });
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
/// The text that views print of the node's bytes, which are written first where it was opened. A template:
/// compiled where one is printed.
template <std::same_as<node> Node>
[[nodiscard]] std::string printed(const Node& of);
}  // namespace detail::dom

/// As views are printed. O(bytes of the node) where it was opened.
template <class Traits, std::same_as<node> Node>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, const Node& of) {
  return out << detail::dom::printed(of);
}

}  // namespace thriftlens::inline THRIFTLENS_ABI

#if !defined(THRIFTLENS_COMPILED)
#include <thriftlens/dom/node.ipp>
#endif
