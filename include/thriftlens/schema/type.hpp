// type: cheap non-owning handles to types and fields of a schema, valid while a copy of the schema exists.
// Using an empty handle raises, in every build.
#pragma once

#include <thriftlens/core/joined.hpp>
#include <thriftlens/core/result.hpp>
#include <thriftlens/schema/fwd.hpp>
#include <thriftlens/schema/image.hpp>

#include <iterator>
#include <optional>
#include <string>

namespace thriftlens::inline THRIFTLENS_ABI {

namespace detail {
/// For empty handles: an unchecked "not found" result or a default-constructed handle.
[[noreturn]] THRIFTLENS_COLD inline void raise_empty(errc code, const char* text) {
  raise(error(code, text));
}
[[nodiscard]] THRIFTLENS_COLD inline error no_type_error() {
  return error(
      errc::unknown_name,
      "an empty type handle was used: none was found, or it was default-constructed; test it, or take "
      "one from try_type()");
}
[[noreturn]] THRIFTLENS_COLD inline void raise_no_type() { raise(no_type_error()); }
[[noreturn]] THRIFTLENS_COLD inline void raise_no_field() {
  raise_empty(errc::no_such_field,
              "an empty field handle was used: the type has no such field; test it, or take one from "
              "try_field(), which names the nearest");
}
[[noreturn]] THRIFTLENS_COLD inline void raise_no_entry() {
  raise_empty(errc::bad_index, "an index outside a range of fields, members, functions or annotations");
}

/// Base of the handles: a node of an image by its index. `Raise` is called if an empty one is used.
template <void (*Raise)()>
class handle {
 public:
  handle() noexcept = default;
  handle(const schema_image* image, std::uint32_t index) noexcept : image_(image), index_(index) {}

  friend bool operator==(const handle&, const handle&) noexcept = default;
  /// Consistent with operator==.
  [[nodiscard]] std::size_t hash() const noexcept {
    return std::hash<const void*>()(image_) + std::size_t{index_} * 0x9e3779b1u;
  }

 protected:
  ~handle() = default;
  [[nodiscard]] const schema_image& in() const {
    if (image_ == nullptr) [[unlikely]]
      Raise();
    return *image_;
  }

  const schema_image* image_ = nullptr;
  std::uint32_t index_ = image::none;
};

/// Base of std::hash of the handles.
template <class Handle>
struct hash_of_handle {
  [[nodiscard]] std::size_t operator()(const Handle& of) const noexcept { return of.hash(); }
};

/// "Order", or "base.Order" with a prefix.
[[nodiscard]] THRIFTLENS_COLD inline std::string qualified_name(std::string_view name,
                                                                std::string_view prefix) {
  return prefix.empty() ? std::string(name) : joined({prefix, '.', name});
}
/// Has a prefix if another file declares the type.
[[nodiscard]] std::string qualified_name(const schema_image& image, const auto& node) {
  return qualified_name(image.view(node.name), node.program == 0
                                                   ? std::string_view()
                                                   : image.view(image.programs[node.program].name));
}

}  // namespace detail

/// A range of handles over consecutive or listed node indices of one image. A std::ranges::view; its
/// iterators are valid while the schema exists.
template <class Handle>
class handle_range : public std::ranges::view_base {
 public:
  class iterator {
   public:
    using value_type = Handle;
    using difference_type = std::ptrdiff_t;
    using iterator_concept = std::forward_iterator_tag;
    iterator() = default;
    iterator(const schema_image* image, const std::uint32_t* listed, std::uint32_t at) noexcept
        : image_(image), listed_(listed), at_(at) {}
    Handle operator*() const noexcept { return Handle(image_, listed_ == nullptr ? at_ : listed_[at_]); }
    iterator& operator++() noexcept {
      ++at_;
      return *this;
    }
    iterator operator++(int) noexcept {
      iterator previous = *this;
      ++at_;
      return previous;
    }
    friend bool operator==(const iterator& lhs, const iterator& rhs) noexcept { return lhs.at_ == rhs.at_; }

   private:
    const schema_image* image_ = nullptr;
    const std::uint32_t* listed_ = nullptr;
    std::uint32_t at_ = 0;
  };

  handle_range(const schema_image* image, detail::image::slice part) noexcept
      : image_(image), begin_(part.begin), end_(part.begin + part.size) {}
  handle_range(const schema_image* image, const std::uint32_t* listed, std::uint32_t count) noexcept
      : image_(image), listed_(listed), end_(count) {}

  [[nodiscard]] iterator begin() const noexcept { return {image_, listed_, begin_}; }
  [[nodiscard]] iterator end() const noexcept { return {image_, listed_, end_}; }
  [[nodiscard]] std::size_t size() const noexcept { return end_ - begin_; }
  [[nodiscard]] bool empty() const noexcept { return begin_ == end_; }
  /// Raises bad_index unless at < size().
  [[nodiscard]] Handle operator[](std::size_t at) const {
    if (at >= size()) [[unlikely]]
      detail::raise_no_entry();
    auto index = begin_ + static_cast<std::uint32_t>(at);
    return Handle(image_, listed_ == nullptr ? index : listed_[index]);
  }

 private:
  const schema_image* image_;
  const std::uint32_t* listed_ = nullptr;
  std::uint32_t begin_ = 0;
  std::uint32_t end_ = 0;
};

/// One `key = "value"` of the IDL.
class annotation_info : detail::handle<detail::raise_no_entry> {
 public:
  using handle::handle, handle::hash;
  [[nodiscard]] std::string_view key() const { return in().view(node().key); }
  [[nodiscard]] std::string_view value() const { return in().view(node().value); }

  friend bool operator==(const annotation_info&, const annotation_info&) noexcept = default;

 private:
  [[nodiscard]] const detail::image::annotation_node& node() const { return in().annotations[index_]; }
};

/// The annotations of one declaration, in source order.
class annotation_range : public handle_range<annotation_info> {
 public:
  using handle_range<annotation_info>::handle_range;
  /// The value of the first annotation with that key, if any. O(annotations).
  [[nodiscard]] std::optional<std::string_view> find(std::string_view key) const noexcept {
    for (annotation_info annotation : *this) {
      if (annotation.key() == key) return annotation.value();
    }
    return std::nullopt;
  }
};

/// One member of an enum.
class enum_member_info : detail::handle<detail::raise_no_entry> {
 public:
  using handle::handle, handle::hash;
  [[nodiscard]] std::string_view name() const { return in().view(node().name); }
  [[nodiscard]] std::int32_t value() const { return node().value; }
  [[nodiscard]] std::string_view doc() const { return in().view(node().doc); }
  [[nodiscard]] THRIFTLENS_NO_DANGLING annotation_range annotations() const {
    return {image_, node().annotations};
  }

  friend bool operator==(const enum_member_info&, const enum_member_info&) noexcept = default;

 private:
  [[nodiscard]] const detail::image::enum_member_node& node() const { return in().enum_members[index_]; }
};

/// A type: base type, enum, container, struct, union or exception; typedefs are resolved. 16 bytes, by value.
/// A default-constructed one tests false; its other members raise unknown_name. Members that do not apply
/// to the kind of type raise wrong_type.
class type : detail::handle<detail::raise_no_type> {
 public:
  using handle::handle, handle::hash;

  [[nodiscard]] explicit operator bool() const noexcept { return image_ != nullptr; }
  [[nodiscard]] type_kind kind() const { return node().kind; }
  [[nodiscard]] ttype wire() const { return node().wire; }
  /// struct, union or exception.
  [[nodiscard]] bool is_struct() const { return thriftlens::is_struct(kind()); }
  [[nodiscard]] bool is_container() const { return thriftlens::is_container(wire()); }
  [[nodiscard]] bool is_sequence() const { return thriftlens::is_sequence(kind()); }
  [[nodiscard]] bool is_enum() const { return kind() == type_kind::enum_; }
  /// "i32", "Order", "base.User" (when another file declares it), "map<string, list<i32>>". Allocates.
  [[nodiscard]] THRIFTLENS_COLD std::string name() const {
    if (is_enum()) return detail::qualified_name(in(), in().enums[node().first]);
    if (is_struct()) return detail::qualified_name(in(), structure());
    if (!is_container()) return std::string(to_string(kind()));
    const std::string first = type(image_, node().first).name();
    if (kind() != type_kind::map) return detail::joined({to_string(kind()), '<', first, '>'});
    return detail::joined({"map<", first, ", ", value().name(), '>'});
  }

  /// Of a list or set.
  [[nodiscard]] type element() const {
    if (!is_sequence()) [[unlikely]]
      raise_other_kind("elements");
    return {image_, node().first};
  }
  /// Of a map.
  [[nodiscard]] type key() const {
    if (kind() != type_kind::map) [[unlikely]]
      raise_other_kind("keys");
    return {image_, node().first};
  }
  /// Of a map.
  [[nodiscard]] type value() const {
    if (kind() != type_kind::map) [[unlikely]]
      raise_other_kind("values");
    return {image_, node().second};
  }

  /// Fields in source order; members of a union. Only for structs, unions and exceptions.
  [[nodiscard]] THRIFTLENS_NO_DANGLING handle_range<field_info> fields() const {
    const detail::image::struct_node& self = structure();
    return {image_, in().indices.data() + self.declared, self.fields.size};
  }
  /// The field with that id, or an empty handle. O(1).
  [[nodiscard]] field_info find_field(std::int16_t id) const;
  /// The field with that id. Errors: no_such_field, and those of fields().
  [[nodiscard]] field_info field(std::int16_t id) const;
  [[nodiscard]] result<field_info> try_field(std::int16_t id) const;
  /// The field with that name, or an empty handle. O(1).
  [[nodiscard]] field_info find_field(std::string_view name) const;
  /// The field with that name. Errors: no_such_field with the nearest names, and those of fields().
  [[nodiscard]] field_info field(std::string_view name) const;
  [[nodiscard]] result<field_info> try_field(std::string_view name) const;
  /// The field with that JSON name if names = alias, or an empty handle.
  [[nodiscard]] field_info field_by_alias(std::string_view alias) const;

  /// Members in source order. Only for enums.
  [[nodiscard]] THRIFTLENS_NO_DANGLING handle_range<enum_member_info> members() const {
    return {image_, in().enums[enumeration()].members};
  }
  /// The first name of that number, or empty. Only for enums.
  [[nodiscard]] std::string_view member_name(std::int32_t value) const {
    std::uint32_t at = in().find_member(in().enums[enumeration()], value);
    return at == detail::image::none ? std::string_view() : in().view(in().enum_members[at].name);
  }
  /// The number of that name, if any. Only for enums.
  [[nodiscard]] std::optional<std::int32_t> member_value(std::string_view name) const {
    std::uint32_t at = in().find_member(in().enums[enumeration()], name);
    if (at == detail::image::none) return std::nullopt;
    return in().enum_members[at].value;
  }

  /// Annotations of the declaration; none for base types and containers.
  [[nodiscard]] THRIFTLENS_NO_DANGLING annotation_range annotations() const {
    if (is_struct()) return {image_, structure().annotations};
    if (is_enum()) return {image_, in().enums[enumeration()].annotations};
    return {image_, detail::image::slice{}};
  }
  /// The doc comment of the declaration; empty without one.
  [[nodiscard]] std::string_view doc() const {
    if (is_struct()) return in().view(structure().doc);
    if (is_enum()) return in().view(in().enums[enumeration()].doc);
    return {};
  }

  /// Access for inner loops of other modules.
  [[nodiscard]] const schema_image* image() const noexcept { return image_; }
  [[nodiscard]] std::uint32_t index() const noexcept { return index_; }
  [[nodiscard]] const detail::image::type_node& node() const { return in().types[index_]; }
  [[nodiscard]] const detail::image::struct_node& structure() const {
    if (!is_struct()) [[unlikely]]
      raise_other_kind("fields");
    return in().structs[node().first];
  }

  friend bool operator==(const type&, const type&) noexcept = default;

 private:
  /// Error for types that have no `requested` ("fields").
  [[nodiscard]] THRIFTLENS_COLD error other_kind_error(const char* requested) const {
    return error(errc::wrong_type, detail::joined({"type ", name(), " has no ", requested}));
  }
  [[noreturn]] THRIFTLENS_COLD void raise_other_kind(const char* requested) const {
    detail::raise(other_kind_error(requested));
  }
  template <class Which>
  [[nodiscard]] result<field_info> field_or_error(const Which& which) const;
  [[nodiscard]] std::uint32_t enumeration() const {
    if (!is_enum()) [[unlikely]]
      raise_other_kind("members");
    return node().first;
  }
};

/// A type as written in the IDL, with the annotations at that place. 24 bytes, by value.
class written_type {
 public:
  written_type(thriftlens::type of, std::uint32_t place = detail::image::none) noexcept
      : type_(of), place_(place) {}  // NOLINT: implicit on purpose

  [[nodiscard]] const thriftlens::type& type() const noexcept { return type_; }
  /// Annotations of the written type and of its typedefs, nearest first.
  [[nodiscard]] THRIFTLENS_NO_DANGLING annotation_range annotations() const {
    return {type_.image(), place_ == detail::image::none ? detail::image::slice{}
                                                         : type_.image()->written_types[place_].annotations};
  }
  /// Of a list or set.
  [[nodiscard]] written_type element() const {
    return {type_.element(), inside(&detail::image::written_type::first)};
  }
  /// Of a map.
  [[nodiscard]] written_type key() const {
    return {type_.key(), inside(&detail::image::written_type::first)};
  }
  [[nodiscard]] written_type value() const {
    return {type_.value(), inside(&detail::image::written_type::second)};
  }
  /// Equal for types with the same annotations by the same typedef; none without annotations.
  [[nodiscard]] std::uint32_t place() const noexcept { return place_; }

 private:
  [[nodiscard]] std::uint32_t inside(std::uint32_t detail::image::written_type::*which) const {
    return place_ == detail::image::none ? detail::image::none : type_.image()->written_types[place_].*which;
  }
  thriftlens::type type_;
  std::uint32_t place_;
};

/// Requiredness of a field, as in the IDL.
enum class field_requiredness : std::uint8_t { default_, required, optional };

/// A field of a struct, union or exception, an argument, or an exception of a function. 16 bytes, by value.
/// Tests false if there is no such field; its other members then raise no_such_field.
class field_info : detail::handle<detail::raise_no_field> {
 public:
  using handle::handle, handle::hash;

  [[nodiscard]] explicit operator bool() const noexcept { return image_ != nullptr; }
  [[nodiscard]] std::int16_t id() const { return node().id; }
  [[nodiscard]] std::string_view name() const { return in().view(texts().name); }
  /// JSON name with names = alias: from `api.key`, `go.tag` (json) or the name. Unique within a struct.
  [[nodiscard]] std::string_view alias() const { return in().view(texts().alias); }
  [[nodiscard]] thriftlens::type type() const { return {image_, node().type}; }
  /// The type with its annotations and those of its elements, keys and values.
  [[nodiscard]] written_type written() const { return {type(), texts().written}; }
  [[nodiscard]] bool required() const { return (node().flags & detail::image::required) != 0; }
  [[nodiscard]] field_requiredness requiredness() const {
    if (required()) return field_requiredness::required;
    return (node().flags & detail::image::optional) != 0 ? field_requiredness::optional
                                                         : field_requiredness::default_;
  }
  [[nodiscard]] bool has_default() const { return (node().flags & detail::image::has_default) != 0; }
  /// The default value as Binary, without a field header; empty without one.
  [[nodiscard]] byte_view default_binary() const { return in().value(texts().default_binary); }
  /// The default value as Compact, a bool as list element; empty without one.
  [[nodiscard]] byte_view default_compact() const { return in().value(texts().default_compact); }
  /// The encoded default value by protocol, a bool as list element; empty without one.
  [[nodiscard]] detail::by_protocol<byte_view> defaults() const {
    return {{default_binary(), default_compact()}};
  }
  [[nodiscard]] std::string_view doc() const { return in().view(texts().doc); }
  /// Annotations of the field.
  [[nodiscard]] THRIFTLENS_NO_DANGLING annotation_range annotations() const {
    return {image_, texts().annotations};
  }
  /// Annotations of its type and of the typedefs of its type.
  [[nodiscard]] THRIFTLENS_NO_DANGLING annotation_range type_annotations() const {
    return written().annotations();
  }

  [[nodiscard]] const schema_image* image() const noexcept { return image_; }
  [[nodiscard]] std::uint32_t index() const noexcept { return index_; }
  [[nodiscard]] const detail::image::field_node& node() const { return in().fields[index_]; }
  [[nodiscard]] const detail::image::field_text& texts() const { return in().field_texts[index_]; }

  friend bool operator==(const field_info&, const field_info&) noexcept = default;
};

inline field_info type::find_field(std::int16_t id) const {
  const detail::image::struct_node& self = structure();
  std::uint32_t at = image_->find_field(self, id);
  return at == detail::image::none ? field_info() : field_info(image_, at);
}
inline field_info type::find_field(std::string_view name) const {
  const detail::image::struct_node& self = structure();
  std::uint32_t at = image_->find_field(self, name);
  return at == detail::image::none ? field_info() : field_info(image_, at);
}
inline field_info type::field_by_alias(std::string_view alias) const {
  const detail::image::struct_node& self = structure();
  std::uint32_t at = image_->find_alias(self, alias);
  return at == detail::image::none ? field_info() : field_info(image_, at);
}

namespace detail {
/// The name of a struct without the prefix of its file.
[[nodiscard]] inline std::string_view declared_name(const type& of) {
  return of.image()->view(of.structure().name);
}
/// False if the types have different structs in the same position: of one schema, or of two schemas with
/// different names. An empty type, of a value without a schema, is equal to any.
[[nodiscard]] THRIFTLENS_COLD inline bool same_structs(const type& lhs, const type& rhs) {
  if (!lhs || !rhs || lhs == rhs || lhs.wire() != rhs.wire()) return true;
  if (lhs.is_sequence()) return same_structs(lhs.element(), rhs.element());
  if (lhs.is_container()) return same_structs(lhs.key(), rhs.key()) && same_structs(lhs.value(), rhs.value());
  return !lhs.is_struct() || (lhs.image() != rhs.image() && declared_name(lhs) == declared_name(rhs));
}
}  // namespace detail

template <>
inline constexpr bool detail::is_printed<enum_member_info> = true;
template <>
inline constexpr bool detail::is_printed<type> = true;
template <>
inline constexpr bool detail::is_printed<field_info> = true;

}  // namespace thriftlens::inline THRIFTLENS_ABI

/// Iterators point into the schema.
template <class Handle>
inline constexpr bool std::ranges::enable_borrowed_range<thriftlens::handle_range<Handle>> = true;
template <>
inline constexpr bool std::ranges::enable_borrowed_range<thriftlens::annotation_range> = true;

// Consistent with operator==: same declaration of the same schema.
template <>
struct std::hash<thriftlens::annotation_info>
    : thriftlens::detail::hash_of_handle<thriftlens::annotation_info> {};
template <>
struct std::hash<thriftlens::enum_member_info>
    : thriftlens::detail::hash_of_handle<thriftlens::enum_member_info> {};
template <>
struct std::hash<thriftlens::type> : thriftlens::detail::hash_of_handle<thriftlens::type> {};
template <>
struct std::hash<thriftlens::field_info> : thriftlens::detail::hash_of_handle<thriftlens::field_info> {};
