// parent: a struct or container of a document, to find and change children by step.
#pragma once

#include <thriftlens/core/joined.hpp>
#include <thriftlens/dom/change.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace thriftlens::inline THRIFTLENS_ABI::detail::dom {

/// Valid while the slot does not move. Functions that access children need an open level.
class parent {
 public:
  /// `type`: of the value, empty without a schema.
  parent(tree& in, slot& of, thriftlens::type type) noexcept : tree_(&in), slot_(&of), type_(type) {}

  [[nodiscard]] tree& in() const noexcept { return *tree_; }
  [[nodiscard]] level& below() const noexcept { return *slot_->below; }
  [[nodiscard]] bool is_struct() const noexcept { return slot_->wire == ttype::struct_; }
  [[nodiscard]] bool is_map() const noexcept { return slot_->wire == ttype::map; }
  /// A list or set.
  [[nodiscard]] bool is_list() const noexcept { return is_sequence(slot_->wire); }

  /// The index of an element from the front, or -1. Negative indices count from the end.
  [[nodiscard]] std::int64_t element(std::int64_t index) const noexcept {
    const std::int64_t count = below().count, at = index < 0 ? index + count : index;
    return at < count ? at : -1;
  }
  /// Sets `number` to the slot number of a child (of an entry: of its key). Errors: absent and bad_index for
  /// missing children; no_such_field, value_type, value_range and unknown_enum_name for impossible ones.
  [[nodiscard]] errc find(const map_key& step, std::uint32_t& number) const {
    if (is_struct()) return find_field(step, number);
    if (is_map()) return find_entry(step, number);
    const std::int64_t at = step.kind() == map_key::form::integer ? element(step.integer()) : -1;
    if (at < 0) return errc::bad_index;
    number = static_cast<std::uint32_t>(at);
    return errc::ok;
  }
  /// The slot number of the value of a child that find() or set() returned.
  [[nodiscard]] std::uint32_t value_number(std::uint32_t number) const noexcept {
    return is_map() ? number + 1 : number;
  }
  /// Sets a child; adds absent fields and entries.
  [[nodiscard]] errc set(const map_key& step, const node_value& value, std::uint32_t& number) const {
    changer work(*tree_);
    level& in = below();
    if (is_struct()) {
      const auto id = field_id(step);
      return id ? work.put_field(in, *id, value, number) : errc::no_such_field;
    }
    if (is_map()) return work.put_entry(in, step, value, number);
    const errc code = find(step, number);
    return code == errc::ok ? work.set(in.items[number], &in, value) : code;
  }
  /// Like set, but inserts before the element, or at the end, of a list or set.
  [[nodiscard]] errc set_or_insert(const map_key& step, const node_value& value,
                                   std::uint32_t& number) const {
    if (!is_list()) return set(step, value, number);
    if (step.kind() == map_key::form::integer && step.integer() == std::int64_t{below().count})
      number = below().count;
    else if (const errc code = find(step, number); code != errc::ok)
      return code;
    return changer(*tree_).insert(below(), number, value);
  }
  /// Changes the id or key of a child.
  [[nodiscard]] errc rename(const map_key& from, const map_key& to) const {
    std::uint32_t number = 0;
    if (const errc code = find(from, number); code != errc::ok) return code;
    changer work(*tree_);
    if (is_map()) return work.rename_entry(below(), number, to);
    if (!is_struct()) return errc::wrong_type;
    const auto id = field_id(to);
    return id ? work.rename_field(below(), number, *id) : errc::no_such_field;
  }

  /// The IDL type of a child; empty if unknown.
  [[nodiscard]] thriftlens::type type_of(const map_key& step) const {
    if (type_ && type_.kind() == type_kind::map) return type_.value();
    if (type_ && type_.is_container()) return type_.element();
    const field_info which = field(step);
    return which ? which.type() : thriftlens::type();
  }
  /// The step in path syntax: ".user", "[3]", "{\"key\"}". Cold.
  [[nodiscard]] std::string spelled(const map_key& step) const {
    const bool by_number = step.kind() == map_key::form::integer;
    if (is_list() && by_number) return '[' + std::to_string(step.integer()) + ']';
    const bool by_name = step.kind() == map_key::form::text;
    return is_struct() && (by_number || by_name) ? spelled_field(step) : spelled_key(step);
  }
  /// The step to a map's value. Cold.
  [[nodiscard]] static std::string spelled_key(const map_key& key) {
    return key_step(key.kind(), key.text(), key.integer());
  }

 private:
  [[nodiscard]] std::string spelled_field(const map_key& step) const {
    path_builder path;
    if (const field_info which = field(step))
      path.field(which.name());
    else if (step.kind() == map_key::form::text)
      path.field(utf8_cut(step.text(), path_builder::max_key_size));
    else
      return joined({".#", step.integer()});
    return path.steps();
  }
  /// The id of a step; nullopt for other steps and beyond i16.
  [[nodiscard]] static std::optional<std::int16_t> id_of(const map_key& step) noexcept {
    const auto id = static_cast<std::int16_t>(step.integer());
    if (step.kind() != map_key::form::integer || id != step.integer()) return {};
    return id;
  }
  [[nodiscard]] field_info field(const map_key& step) const {
    if (!type_ || !type_.is_struct()) return {};
    if (step.kind() == map_key::form::text) return type_.find_field(step.text());
    const auto id = id_of(step);
    return id ? type_.find_field(*id) : field_info();
  }
  [[nodiscard]] std::optional<std::int16_t> field_id(const map_key& step) const {
    if (step.kind() == map_key::form::integer) return id_of(step);
    const field_info which = field(step);
    return which ? std::optional(which.id()) : std::nullopt;
  }
  [[nodiscard]] errc find_field(const map_key& step, std::uint32_t& number) const {
    const auto id = field_id(step);
    if (!id) return errc::no_such_field;
    number = changer(*tree_).find_field(below(), *id);
    return number == key_index::none ? errc::absent : errc::ok;
  }
  [[nodiscard]] errc find_entry(map_key key, std::uint32_t& number) const {
    const changer work(*tree_);
    if (const errc code = work.fit_key(below(), key); code != errc::ok) return code;
    number = work.find_entry(below(), key);
    return number == key_index::none ? errc::absent : errc::ok;
  }

  tree* tree_;
  slot* slot_;
  thriftlens::type type_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail::dom
