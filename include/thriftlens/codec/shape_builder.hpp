// shape_builder: lays a C++ type over an IDL type, member by member, by name.
// In: a C++ type, a type of a schema. Out: shapes, and a sentence for each place where the two do not fit.
// Never keeps a handle of the schema.
#pragma once

#include <thriftlens/codec/members.hpp>
#include <thriftlens/codec/shape.hpp>
#include <thriftlens/codec/unions.hpp>
#include <thriftlens/schema/nearest.hpp>
#include <thriftlens/schema/type.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::codec {

/// Shapes of one binding; they point at each other.
using shape_store = std::vector<std::unique_ptr<shape>>;

class shape_builder {
 public:
  /// The shape of T over the IDL type; null where T needs none (numbers, text …). Findings say what does not
  /// fit.
  template <class T>
  const shape* build(type idl, const std::string& place) {
    constexpr value_kind kind = kind_of<T>;
    if constexpr (kind == value_kind::nullable)
      return build<pointed<T>>(idl, place);
    else if constexpr (kind == value_kind::adapted)
      return build<adapted_wire<T>>(idl, place);
    else if constexpr (kind == value_kind::structure)
      return build_struct<T>(idl, place);
    else if constexpr (kind == value_kind::union_)
      return build_union<T>(idl, place);
    else if constexpr (is_container(wire_type<T>()))
      return build_container<T>(idl, place);
    else {
      if (!fits<T>(idl))
        report(place, "a C++ " + std::string(to_string(wire_type<T>())) + " for the IDL type " + idl.name());
      return nullptr;
    }
  }

  std::vector<std::string> findings;
  shape_store shapes;

 private:
  // One address for each C++ type.
  template <class T>
  static constexpr char tag = 0;

  template <class T>
  [[nodiscard]] static bool fits(type idl) {
    return idl.wire() == wire_type<T>() &&
           (kind_of<T> != value_kind::enumeration || idl.is_enum() || idl.kind() == type_kind::i32);
  }
  void report(const std::string& place, const std::string& sentence) {
    findings.push_back(place + ": " + sentence);
  }

  // A new shape, known before it is filled: types may contain themselves. Second: it was there already.
  template <class T>
  std::pair<shape*, bool> enter(type idl) {
    auto [at, fresh] = known_.try_emplace({&tag<T>, idl.index()}, nullptr);
    if (!fresh) return {at->second, true};
    shapes.push_back(std::make_unique<shape>());
    return {at->second = shapes.back().get(), false};
  }

  template <class T>
  const shape* build_struct(type idl, const std::string& place) {
    if (!idl.is_struct() || idl.kind() == type_kind::union_)
      return report(place, "a C++ struct for the IDL type " + idl.name()), nullptr;
    auto [made, done] = enter<T>(idl);
    if (done) return made;
    made->slots.resize(members<T>::count);
    for_each_member<T>([&, made = made]<std::size_t Index>(std::integral_constant<std::size_t, Index>) {
      fill_member<T, Index>(*made, idl, place);
      return true;
    });
    finish(*made);
    for (field_info field : idl.fields()) {
      if (field.required() && made->find(field.id()) == made->slots.size())
        report(place, "no member for the required field '" + std::string(field.name()) + "'");
    }
    return made;
  }
  template <class T, std::size_t Index>
  void fill_member(shape& into, type idl, const std::string& place) {
    const std::string_view name = members<T>::template name<Index>();
    const field_info field = idl.field(name);
    if (!field)
      return report(place, "no field '" + std::string(name) + "' in " + idl.name() +
                               did_you_mean(name, field_names(idl)));
    const std::string inner = place + '.' + std::string(name);
    const bool as_set = members<T>::template as_set<Index> || field.type().wire() == ttype::set;
    shape::slot& slot = into.slots[Index];
    slot = {field.id(), as_set && member_wire<T, Index> == ttype::list ? ttype::set : member_wire<T, Index>,
            true, field.required(), nullptr};
    slot.value = build<member_type<T, Index>>(field.type(), inner);
  }

  // Alternatives have no names: they stand for the members of the union in the order of the IDL.
  template <class T>
  const shape* build_union(type idl, const std::string& place) {
    using list = union_members<T>;
    if (idl.kind() != type_kind::union_)
      return report(place, "a std::variant for the IDL type " + idl.name()), nullptr;
    auto [made, done] = enter<T>(idl);
    if (done) return made;
    const auto fields = idl.fields();
    if (fields.size() != list::count) {
      return report(place, std::to_string(list::count) + " alternatives for the " +
                               std::to_string(fields.size()) + " members of " + idl.name()),
             made;
    }
    made->slots.resize(list::count);
    [&, made = made]<std::size_t... Member>(std::index_sequence<Member...>) {
      (fill_alternative<typename list::template type<Member>>(made->slots[Member], fields[Member], place),
       ...);
    }(std::make_index_sequence<list::count>{});
    finish(*made);
    return made;
  }
  template <class Alternative>
  void fill_alternative(shape::slot& slot, field_info field, const std::string& place) {
    slot = {field.id(), wire_type<Alternative>(), true, false, nullptr};
    slot.value = build<Alternative>(field.type(), place + '.' + std::string(field.name()));
  }

  template <class C>
  const shape* build_container(type idl, const std::string& place) {
    const ttype wire = wire_type<C>();
    const bool ordered_as_set = kind_of<C> == value_kind::sequence && idl.wire() == ttype::set;
    if (idl.wire() != wire && !ordered_as_set)
      return report(place, "a C++ " + std::string(to_string(wire)) + " for the IDL type " + idl.name()),
             nullptr;
    auto [made, done] = enter<C>(idl);
    if (done) return made;
    if constexpr (wire_type<C>() == ttype::map) {
      made->first = build<key_type<C>>(idl.key(), place + "{key}");
      made->second = build<mapped_type<C>>(idl.value(), place + "{}");
    } else {
      made->first = build<element_type<C>>(idl.element(), place + "[]");
    }
    return made;
  }

  static void finish(shape& made) {
    for (std::size_t i = 0; i < made.slots.size(); ++i)
      if (made.slots[i].bound) made.by_id.emplace_back(made.slots[i].id, i);
    std::sort(made.by_id.begin(), made.by_id.end());
  }
  [[nodiscard]] static std::vector<std::string> field_names(type idl) {
    std::vector<std::string> names;
    for (field_info field : idl.fields()) names.emplace_back(field.name());
    return names;
  }

  std::map<std::pair<const char*, std::uint32_t>, shape*> known_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::codec
