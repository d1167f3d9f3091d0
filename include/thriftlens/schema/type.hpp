// type: cheap handles to types and fields of a schema.
// In: an image and an index. Out: answers about kind, fields, members, annotations.
// Never owns: a handle is good while the schema (or a copy of it) lives.
#pragma once

#include <thriftlens/schema/fwd.hpp>
#include <thriftlens/schema/image.hpp>

#include <iterator>
#include <optional>
#include <string>

namespace thriftlens::inline THRIFTLENS_ABI {

/// A range of handles over consecutive or listed node indices of one image.
template <class Handle>
class handle_range {
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
    iterator& operator++() noexcept { return ++at_, *this; }
    iterator operator++(int) noexcept {
      iterator before = *this;
      ++at_;
      return before;
    }
    friend bool operator==(const iterator& left, const iterator& right) noexcept { return left.at_ == right.at_; }

   private:
    const schema_image* image_ = nullptr;
    const std::uint32_t* listed_ = nullptr;
    std::uint32_t at_ = 0;
  };

  handle_range(const schema_image* image, image::slice part) noexcept
      : image_(image), begin_(part.begin), end_(part.begin + part.size) {}
  handle_range(const schema_image* image, const std::uint32_t* listed, std::uint32_t count) noexcept
      : image_(image), listed_(listed), end_(count) {}

  [[nodiscard]] iterator begin() const noexcept { return {image_, listed_, begin_}; }
  [[nodiscard]] iterator end() const noexcept { return {image_, listed_, end_}; }
  [[nodiscard]] std::size_t size() const noexcept { return end_ - begin_; }
  [[nodiscard]] bool empty() const noexcept { return begin_ == end_; }
  [[nodiscard]] Handle operator[](std::size_t at) const noexcept {
    THRIFTLENS_ASSERT(at < size());
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
class annotation_info {
 public:
  annotation_info(const schema_image* image, std::uint32_t index) noexcept : image_(image), index_(index) {}
  [[nodiscard]] std::string_view key() const noexcept { return image_->view(image_->annotations[index_].key); }
  [[nodiscard]] std::string_view value() const noexcept { return image_->view(image_->annotations[index_].value); }

 private:
  const schema_image* image_;
  std::uint32_t index_;
};

/// The annotations of one declaration, in source order.
class annotation_range : public handle_range<annotation_info> {
 public:
  using handle_range<annotation_info>::handle_range;
  /// The value of the first annotation with that key, if any. O(annotations).
  [[nodiscard]] std::optional<std::string_view> find(std::string_view key) const noexcept {
    for (annotation_info each : *this) {
      if (each.key() == key) return each.value();
    }
    return std::nullopt;
  }
};

/// One member of an enum.
class enum_member_info {
 public:
  enum_member_info(const schema_image* image, std::uint32_t index) noexcept : image_(image), index_(index) {}
  [[nodiscard]] std::string_view name() const noexcept { return image_->view(node().name); }
  [[nodiscard]] std::int32_t value() const noexcept { return node().value; }
  [[nodiscard]] std::string_view doc() const noexcept { return image_->view(node().doc); }
  [[nodiscard]] annotation_range annotations() const noexcept { return {image_, node().annotations}; }

 private:
  [[nodiscard]] const image::enum_member_node& node() const noexcept { return image_->enum_members[index_]; }
  const schema_image* image_;
  std::uint32_t index_;
};

/// A type: base type, enum, container, struct, union or exception; typedefs are seen through. 16 bytes, by value.
/// A default-made one is false and answers nothing else.
class type {
 public:
  type() noexcept = default;
  type(const schema_image* image, std::uint32_t index) noexcept : image_(image), index_(index) {}

  [[nodiscard]] explicit operator bool() const noexcept { return image_ != nullptr; }
  [[nodiscard]] type_kind kind() const noexcept { return node().kind; }
  [[nodiscard]] ttype wire() const noexcept { return node().wire; }
  /// struct, union or exception.
  [[nodiscard]] bool is_struct() const noexcept { return thriftlens::is_struct(kind()); }
  [[nodiscard]] bool is_container() const noexcept { return thriftlens::is_container(wire()); }
  [[nodiscard]] bool is_enum() const noexcept { return kind() == type_kind::enum_; }
  /// "i32", "Order", "base.User" (when another file declares it), "map<string, list<i32>>". Allocates.
  [[nodiscard]] std::string name() const {
    const image::type_node& self = node();
    switch (self.kind) {
      case type_kind::enum_: return qualified(image_->enums[self.first].program, image_->enums[self.first].name);
      case type_kind::struct_:
      case type_kind::union_:
      case type_kind::exception_: return qualified(image_->structs[self.first].program, image_->structs[self.first].name);
      case type_kind::list: return "list<" + element().name() + '>';
      case type_kind::set: return "set<" + element().name() + '>';
      case type_kind::map: return "map<" + key().name() + ", " + value().name() + '>';
      default: return std::string(to_string(self.kind));
    }
  }

  /// Of a list or set.
  [[nodiscard]] type element() const noexcept {
    THRIFTLENS_ASSERT(kind() == type_kind::list || kind() == type_kind::set);
    return {image_, node().first};
  }
  /// Of a map.
  [[nodiscard]] type key() const noexcept {
    THRIFTLENS_ASSERT(kind() == type_kind::map);
    return {image_, node().first};
  }
  /// Of a map.
  [[nodiscard]] type value() const noexcept {
    THRIFTLENS_ASSERT(kind() == type_kind::map);
    return {image_, node().second};
  }

  /// Fields in source order; members of a union. Only for structs, unions and exceptions.
  [[nodiscard]] handle_range<field_info> fields() const noexcept {
    const image::struct_node& self = structure();
    return {image_, image_->indices.data() + self.declared, self.fields.size};
  }
  /// The field with that id, or a false handle.
  [[nodiscard]] field_info field(std::int16_t id) const noexcept;
  /// The field of that name, or a false handle.
  [[nodiscard]] field_info field(std::string_view name) const noexcept;
  /// The field that JSON calls so when aliases are in use, or a false handle.
  [[nodiscard]] field_info field_by_alias(std::string_view alias) const noexcept;

  /// Members in source order. Only for enums.
  [[nodiscard]] handle_range<enum_member_info> members() const noexcept {
    return {image_, image_->enums[enumeration()].members};
  }
  /// The first name of that number; empty where the IDL names none. Only for enums.
  [[nodiscard]] std::string_view member_name(std::int32_t value) const noexcept {
    std::uint32_t at = image_->find_member(image_->enums[enumeration()], value);
    return at == image::none ? std::string_view() : image_->view(image_->enum_members[at].name);
  }
  /// The number of that name, if any. Only for enums.
  [[nodiscard]] std::optional<std::int32_t> member_value(std::string_view name) const noexcept {
    std::uint32_t at = image_->find_member(image_->enums[enumeration()], name);
    if (at == image::none) return std::nullopt;
    return image_->enum_members[at].value;
  }

  /// Annotations of the declaration; none for base types and containers.
  [[nodiscard]] annotation_range annotations() const noexcept {
    if (is_struct()) return {image_, structure().annotations};
    if (is_enum()) return {image_, image_->enums[enumeration()].annotations};
    return {image_, image::slice{}};
  }
  /// The doc comment of the declaration; empty without one.
  [[nodiscard]] std::string_view doc() const noexcept {
    if (is_struct()) return image_->view(structure().doc);
    if (is_enum()) return image_->view(image_->enums[enumeration()].doc);
    return {};
  }

  /// For the inner loops of later rooms.
  [[nodiscard]] const schema_image* image() const noexcept { return image_; }
  [[nodiscard]] std::uint32_t index() const noexcept { return index_; }
  [[nodiscard]] const image::type_node& node() const noexcept {
    THRIFTLENS_ASSERT(image_ != nullptr);
    return image_->types[index_];
  }
  [[nodiscard]] const image::struct_node& structure() const noexcept {
    THRIFTLENS_ASSERT(is_struct());
    return image_->structs[node().first];
  }

  friend bool operator==(const type&, const type&) noexcept = default;

 private:
  [[nodiscard]] std::uint32_t enumeration() const noexcept {
    THRIFTLENS_ASSERT(is_enum());
    return node().first;
  }
  [[nodiscard]] std::string qualified(std::uint32_t program, image::slice name) const {
    std::string text(image_->view(name));
    return program == 0 ? text : std::string(image_->view(image_->programs[program].name)) + '.' + text;
  }

  const schema_image* image_ = nullptr;
  std::uint32_t index_ = image::none;
};

/// A type as it is written at one place of the IDL: the type and the annotations that stand there. 24 bytes, by value.
class written_type {
 public:
  written_type(thriftlens::type of, std::uint32_t place = image::none) noexcept : type_(of), place_(place) {}  // NOLINT: implicit on purpose

  [[nodiscard]] const thriftlens::type& type() const noexcept { return type_; }
  /// Those of the place and of the typedefs it names, nearest first.
  [[nodiscard]] annotation_range annotations() const noexcept {
    return {type_.image(), place_ == image::none ? image::slice{} : type_.image()->written_types[place_].annotations};
  }
  /// Of a list or set.
  [[nodiscard]] written_type element() const noexcept { return {type_.element(), inside(&image::written_type::first)}; }
  /// Of a map.
  [[nodiscard]] written_type key() const noexcept { return {type_.key(), inside(&image::written_type::first)}; }
  [[nodiscard]] written_type value() const noexcept { return {type_.value(), inside(&image::written_type::second)}; }
  /// Equal where the same is written, by way of one typedef; none where nothing is.
  [[nodiscard]] std::uint32_t place() const noexcept { return place_; }

 private:
  [[nodiscard]] std::uint32_t inside(std::uint32_t image::written_type::*which) const noexcept {
    return place_ == image::none ? image::none : type_.image()->written_types[place_].*which;
  }
  thriftlens::type type_;
  std::uint32_t place_;
};

/// How a field must appear; the words of the IDL.
enum class field_requiredness : std::uint8_t { default_, required, optional };

/// A field of a struct, union or exception, an argument, or an exception of a function. 16 bytes, by value.
class field_info {
 public:
  field_info() noexcept = default;
  field_info(const schema_image* image, std::uint32_t index) noexcept : image_(image), index_(index) {}

  [[nodiscard]] explicit operator bool() const noexcept { return image_ != nullptr; }
  [[nodiscard]] std::int16_t id() const noexcept { return node().id; }
  [[nodiscard]] std::string_view name() const noexcept { return image_->view(texts().name); }
  /// What JSON calls it with names = alias: from `api.key`, `go.tag` (json) or the name. No two fields of a struct are called the same.
  [[nodiscard]] std::string_view alias() const noexcept { return image_->view(texts().alias); }
  [[nodiscard]] thriftlens::type type() const noexcept { return {image_, node().type}; }
  /// The type with what is written about it and about its elements, keys and values.
  [[nodiscard]] written_type written() const noexcept { return {type(), texts().written}; }
  [[nodiscard]] bool required() const noexcept { return (node().flags & image::required) != 0; }
  [[nodiscard]] field_requiredness requiredness() const noexcept {
    if (required()) return field_requiredness::required;
    return (node().flags & image::optional) != 0 ? field_requiredness::optional : field_requiredness::default_;
  }
  [[nodiscard]] bool has_default() const noexcept { return (node().flags & image::has_default) != 0; }
  /// The default value as Binary, without a field header; empty without one.
  [[nodiscard]] byte_view default_binary() const noexcept { return image_->value(texts().default_binary); }
  /// The default value as Compact, a bool as list elements have it; empty without one.
  [[nodiscard]] byte_view default_compact() const noexcept { return image_->value(texts().default_compact); }
  [[nodiscard]] std::string_view doc() const noexcept { return image_->view(texts().doc); }
  /// Those behind the field.
  [[nodiscard]] annotation_range annotations() const noexcept { return {image_, texts().annotations}; }
  /// Those of its type as written and of the typedefs it names.
  [[nodiscard]] annotation_range type_annotations() const noexcept { return written().annotations(); }

  [[nodiscard]] const schema_image* image() const noexcept { return image_; }
  [[nodiscard]] std::uint32_t index() const noexcept { return index_; }
  [[nodiscard]] const image::field_node& node() const noexcept { return image_->fields[index_]; }
  [[nodiscard]] const image::field_text& texts() const noexcept { return image_->field_texts[index_]; }

  friend bool operator==(const field_info&, const field_info&) noexcept = default;

 private:
  const schema_image* image_ = nullptr;
  std::uint32_t index_ = image::none;
};

inline field_info type::field(std::int16_t id) const noexcept {
  std::uint32_t at = image_->find_field(structure(), id);
  return at == image::none ? field_info() : field_info(image_, at);
}
inline field_info type::field(std::string_view name) const noexcept {
  std::uint32_t at = image_->find_field(structure(), name);
  return at == image::none ? field_info() : field_info(image_, at);
}
inline field_info type::field_by_alias(std::string_view alias) const noexcept {
  std::uint32_t at = image_->find_alias(structure(), alias);
  return at == image::none ? field_info() : field_info(image_, at);
}

}  // namespace thriftlens
