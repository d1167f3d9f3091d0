// shape_builder: matches a C++ type with an IDL type, member by member, by name.
#pragma once

#include <thriftlens/codec/parts.hpp>
#include <thriftlens/codec/shape.hpp>
#include <thriftlens/core/joined.hpp>
#include <thriftlens/core/nearest.hpp>
#include <thriftlens/core/small_algorithm.hpp>
#include <thriftlens/schema/type.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::detail::codec {

/// Shapes of one binding.
using shape_store = std::vector<std::unique_ptr<shape>>;

class shape_builder {
 public:
  /// The shape of T for the IDL type; null for types without one (numbers, text …). `path`: of the value.
  /// Adds to mismatches.
  template <class T>
  const shape* build(type idl, const std::string& path) {
    constexpr value_kind kind = kind_of<T>;
    if constexpr (kind == value_kind::nullable)
      return build<pointed<T>>(idl, path);
    else if constexpr (kind == value_kind::adapted)
      return build<adapted_wire<T>>(idl, path);
    else if (!fits<T>(idl))
      return report(path, joined({name_of<T>(), " for the IDL type ", idl.name()}));
    else if constexpr (has_shape<T>())
      return enter<T>(idl, path);
    return nullptr;
  }

  /// One sentence per value that does not fit, with its path.
  std::vector<std::string> mismatches;
  shape_store shapes;

 private:
  // A unique address per C++ type.
  template <class T>
  static constexpr char tag = 0;

  template <class T>
  [[nodiscard]] static constexpr bool has_shape() noexcept {
    return wire_type<T>() == ttype::struct_ || is_container(wire_type<T>());
  }
  // The name of T in errors.
  template <class T>
  [[nodiscard]] static std::string name_of() {
    if constexpr (is_union_value<T>) return "a std::variant";
    return joined({"a C++ ", to_string(wire_type<T>())});
  }
  template <class T>
  [[nodiscard]] static bool fits(type idl) {
    constexpr value_kind kind = kind_of<T>;
    if constexpr (is_union_value<T> || is_struct_value<T>)
      return idl.is_struct() && (idl.kind() == type_kind::union_) == is_union_value<T>;
    else if constexpr (kind == value_kind::sequence)
      return is_sequence(idl.wire());
    else if constexpr (kind == value_kind::enumeration)
      return idl.is_enum() || idl.kind() == type_kind::i32;
    else
      return idl.wire() == wire_type<T>();
  }
  const shape* report(const std::string& path, const std::string& sentence) {
    mismatches.push_back(joined({path, ": ", sentence}));
    return nullptr;
  }

  // The shape of T, registered before it is filled, as types may be recursive.
  template <class T>
  const shape* enter(type idl, const std::string& path) {
    if constexpr (is_struct_value<T> || is_union_value<T>) static_assert(name_entries(parts_of<T>()));
    auto [at, is_new] = known_.try_emplace({&tag<T>, idl.index()}, nullptr);
    if (!is_new) return at->second;
    shapes.push_back(std::make_unique<shape>());
    shape* const result = shapes.back().get();
    at->second = result;
    fill<T>(*result, idl, path);
    return result;
  }
  // Names the functions for all structs that T leads to, as readers_named does with readers.
  template <class... T>
  static constexpr bool name_entries(type_list<T...>) noexcept {
    (static_cast<void>(&shape_builder::enter<T>), ...);
    return true;
  }
  template <class T>
  void fill(shape& result, type idl, const std::string& path) {
    if constexpr (is_struct_value<T>)
      fill_struct<T>(result, idl, path);
    else if constexpr (is_union_value<T>)
      fill_union<T>(result, idl, path);
    else
      fill_container<T>(result, idl, path);
  }

  template <class T>
  void fill_struct(shape& result, type idl, const std::string& path) {
    result.fields.resize(members<T>::count);
    for_each_member<T>([&](auto index) {
      fill_member<T, index>(result.fields[index], idl, path);
      return true;
    });
    finish(result);
    report_required(result, idl, path);
  }
  void report_required(const shape& result, type idl, const std::string& path) {
    for (field_info field : idl.fields()) {
      if (field.required() && result.find(field.id()) == result.fields.size())
        report(path, joined({"no member for the required field '", field.name(), "'"}));
    }
  }
  template <class T, std::size_t Index>
  void fill_member(shape::slot& slot, type idl, const std::string& path) {
    const std::string name(members<T>::template name<Index>());
    const field_info field = idl.find_field(name);
    if (!field) {
      report(path, joined({"no field '", name, "' in ", idl.name(), did_you_mean(name, field_names(idl))}));
      return;
    }
    fill_slot<member_type<T, Index>>(slot, field, wire_as(member_wire<T, Index>, field), path + '.' + name);
    slot.required = field.required();
  }
  // A C++ sequence matches a set of the IDL.
  [[nodiscard]] static ttype wire_as(ttype own, field_info field) {
    return own == ttype::list && field.type().wire() == ttype::set ? ttype::set : own;
  }
  template <class Value>
  void fill_slot(shape::slot& slot, field_info field, ttype wire, const std::string& path) {
    slot.id = field.id();
    slot.wire = wire;
    slot.bound = true;
    slot.value = build<Value>(field.type(), path);
  }

  // Alternatives have no names: they match the members of the union in the order of the IDL.
  template <class T>
  void fill_union(shape& result, type idl, const std::string& path) {
    using list = union_members<T>;
    const auto fields = idl.fields();
    if (fields.size() != list::count) {
      report(path,
             joined({list::count, " alternatives for the ", fields.size(), " members of ", idl.name()}));
      return;
    }
    result.fields.resize(list::count);
    for_each_index<0, list::count>([&](auto member) {
      fill_alternative<typename list::template type<member>>(result.fields[member], fields[member], path);
      return true;
    });
    finish(result);
  }

  template <class Alternative>
  void fill_alternative(shape::slot& slot, field_info field, const std::string& path) {
    fill_slot<Alternative>(slot, field, wire_type<Alternative>(), path + '.' + std::string(field.name()));
  }

  template <class C>
  void fill_container(shape& result, type idl, const std::string& path) {
    if constexpr (wire_type<C>() == ttype::map) {
      result.first = build<key_type<C>>(idl.key(), joined({path, "{key}"}));
      result.second = build<mapped_type<C>>(idl.value(), joined({path, "{}"}));
    } else {
      result.first = build<element_type<C>>(idl.element(), joined({path, "[]"}));
    }
  }

  static void finish(shape& result) {
    for (std::size_t i = 0; i < result.fields.size(); ++i) {
      const std::int16_t id = result.fields[i].id;
      const auto is_lower = [id](const auto& entry) { return entry.first < id; };
      if (result.fields[i].bound)
        result.by_id.emplace(thriftlens::detail::end_of(result.by_id.begin(), result.by_id.end(), is_lower),
                             id, i);
    }
  }
  [[nodiscard]] static std::vector<std::string> field_names(type idl) {
    std::vector<std::string> names;
    for (field_info field : idl.fields()) names.emplace_back(field.name());
    return names;
  }

  std::map<std::pair<const char*, std::uint32_t>, shape*> known_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail::codec
