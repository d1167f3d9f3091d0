// annotation_uses: the annotations of everything that a type reaches, and the values of one of them.
#pragma once

#include <thriftlens/schema/service.hpp>
#include <thriftlens/schema/type.hpp>

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Annotations of the fields, of their types as written (typedefs and types inside containers included), and
/// of the structs and enums that values of a type can hold, the type itself included. Texts live as long as
/// the schema.
class annotation_uses {
 public:
  /// Linear in the fields that `from` reaches; recursive types once.
  annotation_uses(type from, std::string_view key)
      : key_(key),
        seen_types_(from.image()->types.size()),
        seen_places_(from.image()->written_types.size()),
        todo_{from} {
    if (from.is_struct()) add_function(from);
    while (!todo_.empty()) {
      const written_type next = todo_.back();
      todo_.pop_back();
      visit(next);
    }
  }

  /// Keys of all annotations.
  [[nodiscard]] const std::set<std::string>& keys() const noexcept { return keys_; }
  /// Values of the annotations of that key.
  [[nodiscard]] const std::set<std::string>& values() const noexcept { return values_; }

 private:
  THRIFTLENS_COLD void add(const annotation_range& annotations) {
    for (const annotation_info annotation : annotations) {
      keys_.emplace(annotation.key());
      if (annotation.key() == key_) values_.emplace(annotation.value());
    }
  }
  /// Adds the functions that return the type.
  THRIFTLENS_COLD void add_function(type result) {
    const schema_image& image = *result.image();
    for (std::uint32_t i = 0; i < image.functions.size(); ++i) {
      if (image.structs[image.functions[i].result].type == result.index())
        add(function_info(&image, i).annotations());
    }
  }
  THRIFTLENS_COLD void visit(const written_type& of) {
    const type self = of.type();
    const bool new_place = of.place() != image::none && is_new(seen_places_, of.place());
    const bool new_type = is_new(seen_types_, self.index());
    if (new_place) add(of.annotations());
    if (new_type) add(self.annotations());
    if (new_type && self.is_struct()) fields(self);
    if ((new_place || new_type) && self.is_container()) inside(of);
  }
  [[nodiscard]] static bool is_new(std::vector<bool>& seen, std::uint32_t at) {
    const bool was_seen = seen[at];
    seen[at] = true;
    return !was_seen;
  }
  THRIFTLENS_COLD void inside(const written_type& of) {
    if (of.type().kind() != type_kind::map) return todo_.push_back(of.element());
    todo_.push_back(of.key());
    todo_.push_back(of.value());
  }
  THRIFTLENS_COLD void fields(type of) {
    for (const field_info field : of.fields()) {
      add(field.annotations());
      todo_.push_back(field.written());
    }
  }

  std::string_view key_;
  std::set<std::string> keys_, values_;
  std::vector<bool> seen_types_, seen_places_;
  std::vector<written_type> todo_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
