// idl_text: generates the IDL of a binding. Enums are i32, as C++ has no names of their members.
#pragma once

#include <thriftlens/codec/check.hpp>
#include <thriftlens/codec/parts.hpp>
#include <thriftlens/codec/text.hpp>
#include <thriftlens/core/quote.hpp>

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI {

namespace detail::codec {

/// "order" for `shop::order`, "box" for `box<int>`.
template <class T>
[[nodiscard]] constexpr std::string_view class_name() noexcept {
#if defined(__clang__)
  std::string_view text = __PRETTY_FUNCTION__;
  text = text.substr(text.find("T = ") + 4);
  text = text.substr(0, text.rfind(']'));
#else
  std::string_view text = __PRETTY_FUNCTION__;
  text = text.substr(text.find("T = ") + 4);
  text = text.substr(0, text.rfind("; std::string_view"));
#endif
  return detail::last_name(text.substr(0, text.find('<')));
}

/// Collects declarations of all structs and unions in a type.
class idl_writer {
 public:
  /// The IDL type of T: "i32", "list<Order>" …
  template <class T>
  std::string type_word() {
    constexpr value_kind kind = kind_of<T>;
    if constexpr (kind == value_kind::nullable)
      return type_word<pointed<T>>();
    else if constexpr (kind == value_kind::adapted)
      return type_word<adapted_wire<T>>();
    else if constexpr (kind == value_kind::structure || kind == value_kind::union_)
      return declared<T>();
    else if constexpr (is_container(wire_type<T>()))
      return container_word<T>();
    else if constexpr (kind == value_kind::text)
      return is_characters<T> ? "string" : "binary";
    else
      return wire_word<T>();
  }

  /// All declarations, in order of dependency.
  std::string text;

 private:
  template <class T>
  static constexpr char tag = 0;
  template <class T>
  static constexpr bool is_characters = requires { typename T::traits_type; };

  template <class T>
  static std::string wire_word() {
    return std::string(to_string(wire_type<T>()));
  }
  template <class C>
  std::string container_word() {
    if constexpr (wire_type<C>() == ttype::map)
      return "map<" + type_word<key_type<C>>() + ", " + type_word<mapped_type<C>>() + '>';
    else
      return wire_word<C>() + '<' + type_word<element_type<C>>() + '>';
  }

  // Names the functions for all structs that T leads to, as readers_named does with readers.
  template <class... T>
  static constexpr bool name_declared(type_list<T...>) noexcept {
    (static_cast<void>(&idl_writer::declared<T>), ...);
    return true;
  }
  template <class T>
  std::string declared() {
    static_assert(name_declared(parts_of<T>()));
    const auto [at, fresh] = names_.try_emplace(&tag<T>);
    if (fresh) {
      at->second = free_name(std::string(class_name<T>()));
      const std::string name = at->second;
      std::string body;
      if constexpr (is_union_value<T>)
        body = union_body<T>(name);
      else
        body = struct_body<T>(name);
      text += body;
    }
    return names_.at(&tag<T>);
  }
  std::string free_name(const std::string& requested) {
    std::string name =
        requested.empty() || (requested[0] >= '0' && requested[0] <= '9') ? "T" + requested : requested;
    for (char& c : name)
      if (static_cast<unsigned char>(c) >= 0x80) c = '_';
    for (int i = 2; !taken_.insert(name).second; ++i) name = requested + std::to_string(i);
    return name;
  }

  template <class T>
  std::string struct_body(const std::string& name) {
    std::string body = "struct " + name + " {\n";
    for_each_member<T>([&](auto index) {
      body += "  " + std::to_string(members<T>::template id<index>) + ": " + member_text<T, index>() + '\n';
      return true;
    });
    return body + "}\n";
  }
  template <class T, std::size_t Index>
  std::string member_text() {
    using list = members<T>;
    std::string line;
    if (list::template required<Index>)
      line = "required ";
    else if (is_nullable_value<member_type<T, Index>>)
      line = "optional ";
    const std::string type = type_word<member_type<T, Index>>();
    line += list::template as_set<Index> ? "set" + type.substr(4) : type;
    return line + ' ' + field_word(list::template name<Index>(), Index);
  }
  // Names that are not identifiers are in the annotation that JSON uses.
  static std::string field_word(std::string_view name, std::size_t index) {
    bool plain = !name.empty() && !(name[0] >= '0' && name[0] <= '9');
    for (char c : name) plain = plain && detail::is_name_byte(c) && static_cast<unsigned char>(c) < 0x80;
    if (plain) return std::string(name);
    std::string quoted = "field_" + std::to_string(index) + " (api.key = ";
    append_quoted(quoted, name);
    return quoted + ')';
  }
  template <class T>
  std::string union_body(const std::string& name) {
    using list = union_members<T>;
    std::string body = "union " + name + " {\n";
    for_each_index<0, list::count>([&](auto member) {
      const std::string id = std::to_string(list::id(member));
      body += "  " + id + ": " + type_word<typename list::template type<member>>() + " member_" + id + '\n';
      return true;
    });
    return body + "}\n";
  }

  std::map<const char*, std::string> names_;
  std::set<std::string> taken_;
};

}  // namespace detail::codec

/// IDL declarations of the structs and unions in T, and the IDL name of T.
struct idl_of_type {
  std::string text;
  std::string name;
};
/// The IDL of the binding of T. Members of a variant are named member_<id>; enums are i32; defaults of C++
/// are omitted.
template <class T>
[[nodiscard]] idl_of_type idl_of() {
  static_assert(detail::codec::check_value<T>());
  detail::codec::idl_writer writer;
  std::string name = writer.type_word<T>();
  return {std::move(writer.text), std::move(name)};
}

}  // namespace thriftlens::inline THRIFTLENS_ABI
