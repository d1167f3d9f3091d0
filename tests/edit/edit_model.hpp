// edit_model: applies batches of edits to trees, and generates random valid batches.
#pragma once

#include "support/random_data.hpp"

#include <cstdio>
#include <string>
#include <vector>

namespace thriftlens_test {

/// One edit: path as text and as steps, action and value.
struct model_edit {
  enum class action_kind { set, insert, append, erase, create, replace };
  struct step {
    char kind;  // 'f'ield, 'i'ndex, 'k'ey
    std::int16_t id = 0;
    std::size_t index = 0;
    tree key;
    thriftlens::type type;  // of the value it leads to
  };
  action_kind action = action_kind::set;
  std::string text = "$";
  std::vector<step> steps;
  thriftlens::type type;  // of the value
  tree value;
};

inline bool same_step(const model_edit::step& a, const model_edit::step& b) {
  return a.kind == b.kind && a.id == b.id && a.index == b.index && (a.kind != 'k' || a.key == b.key);
}
/// One path is the front of the other.
inline bool overlaps(const model_edit& a, const model_edit& b) {
  for (std::size_t i = 0; i < a.steps.size() && i < b.steps.size(); ++i) {
    if (!same_step(a.steps[i], b.steps[i])) return false;
  }
  return true;
}

inline tree* element_at(tree& in, std::size_t index) {
  for (tree& element : in.elements) {
    if (!element.added && index-- == 0) return &element;
  }
  return nullptr;
}
inline std::size_t count_elements(const tree& in) {
  return static_cast<std::size_t>(
      std::count_if(in.elements.begin(), in.elements.end(), [](const tree& item) { return !item.added; }));
}

template <class P>
void append_step(std::string& path, const model_edit::step& step, thriftlens::type key_type, bool from_end,
                 std::size_t size) {
  if (step.kind == 'f') {
    path += ".#" + std::to_string(step.id);
  } else if (step.kind == 'i') {
    path += '[' +
            std::to_string(static_cast<std::int64_t>(step.index) -
                           (from_end ? static_cast<std::int64_t>(size) : 0)) +
            ']';
  } else {
    auto hex = [&](std::string_view bytes) {
      char digits[3];
      for (char c : bytes) {
        std::snprintf(digits, sizeof digits, "%02x", static_cast<unsigned>(static_cast<unsigned char>(c)));
        path += (step.key.type == ttype::string ? "\\x" : "") + std::string(digits);
      }
    };
    path += '{';
    if (key_type.wire() == ttype::string)
      path += '"', hex(step.key.text), path += '"';
    else if (key_type.wire() == ttype::bool_)
      path += step.key.number ? "true" : "false";
    else if (key_type.wire() == ttype::double_)
      path += std::to_string(step.key.real);
    else if (key_type.is_struct() || key_type.is_container())
      path += "x\"", hex(encode<P>(step.key)), path += '"';
    else
      path += std::to_string(step.key.number);
    path += '}';
  }
}

/// Takes a random step; `at` is null below an absent value. False if there is nothing to step into.
template <class P>
struct random_walk {
  randomness& random;
  tree* at;
  thriftlens::type type;
  model_edit& edit;

  bool down(bool may_be_missing) {
    model_edit::step step;
    thriftlens::type key_type;
    bool from_end = false;
    std::size_t size = 0;
    tree* next = nullptr;
    if (type.is_struct()) {
      auto field = type.fields()[random.below(type.fields().size())];
      step.kind = 'f';
      step.id = field.id();
      step.type = field.type();
      next = at == nullptr ? nullptr : at->find(step.id);
    } else if (type.kind() == thriftlens::type_kind::map) {
      step.kind = 'k';
      step.type = type.value();
      key_type = type.key();
      std::size_t entries = at == nullptr ? 0 : at->entries.size();
      std::size_t chosen = random.below(entries + 1);
      if (chosen < entries)
        step.key = at->entries[chosen].first, next = &at->entries[chosen].second;
      else
        step.key = random_value(random, key_type, 2);
      for (std::size_t i = 0; chosen == entries && i < entries; ++i) {
        if (at->entries[i].first == step.key) next = &at->entries[i].second;
      }
    } else if (type.is_container()) {
      size = at == nullptr ? 0 : count_elements(*at);
      if (size == 0) return false;
      step.kind = 'i';
      step.type = type.element();
      step.index = random.below(size);
      from_end = random.one_in(3);
      next = element_at(*at, step.index);
    } else {
      return false;
    }
    if (next != nullptr && (next->erased || next->added)) return false;
    if (next == nullptr && !may_be_missing) return false;
    append_step<P>(edit.text, step, key_type, from_end, size);
    edit.steps.push_back(step);
    at = next;
    type = step.type;
    return true;
  }
};

/// A random edit of `root` that is compatible with the earlier ones. False if none was found.
template <class P>
bool random_edit(randomness& random, tree& root, thriftlens::type type,
                 const std::vector<model_edit>& previous, model_edit& edit) {
  edit = {};
  edit.action = static_cast<model_edit::action_kind>(random.below(6));
  using action_kind = model_edit::action_kind;
  random_walk<P> walk{random, &root, type, edit};
  std::size_t depth = 1 + random.below(5);
  for (std::size_t i = 0; i < depth; ++i) {
    bool last = i + 1 == depth;
    bool may_miss = edit.action == action_kind::create || (last && edit.action != action_kind::insert);
    tree* parent = walk.at;
    thriftlens::type parent_type = walk.type;
    if (!walk.down(may_miss)) break;
    static_cast<void>(parent);
    static_cast<void>(parent_type);
  }
  if (edit.steps.empty()) return false;
  edit.type = walk.type;
  if (edit.action == action_kind::append) {
    if (walk.type.kind() != thriftlens::type_kind::list && walk.type.kind() != thriftlens::type_kind::set)
      return false;
    if (walk.at == nullptr && edit.steps.back().kind != 'f' && edit.steps.back().kind != 'k') return false;
    edit.type = walk.type.element();
  }
  if (edit.action == action_kind::insert && edit.steps.back().kind != 'i') return false;
  for (const model_edit& other : previous) {
    bool both_extend = (edit.action == action_kind::append || edit.action == action_kind::insert ||
                        other.action == action_kind::append || other.action == action_kind::insert);
    if (!overlaps(edit, other)) continue;
    if (edit.action == action_kind::append && other.action == action_kind::append &&
        edit.steps.size() == other.steps.size())
      continue;
    if (edit.action == action_kind::insert && other.action == action_kind::insert &&
        edit.steps.size() == other.steps.size())
      continue;
    static_cast<void>(both_extend);
    return false;
  }
  // A union has the member that was set last: one edit of it per batch keeps the model simple.
  thriftlens::type at = type;
  for (std::size_t i = 0; i < edit.steps.size(); ++i) {
    if (at.kind() == thriftlens::type_kind::union_) {
      for (const model_edit& other : previous) {
        bool same_union = other.steps.size() > i;
        for (std::size_t j = 0; same_union && j < i; ++j)
          same_union = same_step(edit.steps[j], other.steps[j]);
        if (same_union) return false;
      }
    }
    at = edit.steps[i].type;
  }
  edit.value = random_value(random, edit.type, 2);
  return true;
}

/// Whether a struct that edits created, in a field or an entry, lacks a required field.
inline bool lacks_required(tree& value, thriftlens::type type) {
  const auto is_faulty = [](tree& part, thriftlens::type of) {
    bool lacks = lacks_required(part, of);
    if (part.added && of.is_struct()) {
      for (const thriftlens::field_info field : of.fields())
        lacks |= field.required() && part.find(field.id()) == nullptr;
    }
    return lacks;
  };
  bool lacks = false;
  if (type.is_struct()) {
    for (auto& [id, part] : value.fields) {
      if (const thriftlens::field_info field = type.find_field(id)) lacks |= is_faulty(part, field.type());
    }
  } else if (type.kind() == thriftlens::type_kind::map) {
    for (auto& [key, part] : value.entries) lacks |= is_faulty(part, type.value());
  } else if (type.is_container()) {
    for (tree& element : value.elements) lacks |= lacks_required(element, type.element());
  }
  return lacks;
}

/// Applies the edit; indices mean the original tree until purge().
inline void apply(tree& root, thriftlens::type type, const model_edit& edit) {
  using action_kind = model_edit::action_kind;
  tree* at = &root;
  for (std::size_t i = 0; i < edit.steps.size(); ++i) {
    const model_edit::step& step = edit.steps[i];
    bool last = i + 1 == edit.steps.size();
    bool makes = edit.action == action_kind::create || edit.action == action_kind::set ||
                 (edit.action == action_kind::append && last);
    tree* next = nullptr;
    tree fresh;
    if (!last || edit.action == action_kind::append) {
      fresh = step.type.is_struct() ? structure({})
              : step.type.kind() == thriftlens::type_kind::map
                  ? map(step.type.key().wire(), step.type.value().wire(), {})
              : step.type.is_container() ? list(step.type.element().wire(), {}, step.type.wire())
                                         : tree{};
      fresh.added = step.type.is_struct() && !last;
    }
    if (step.kind == 'f') {
      next = at->find(step.id);
      if (next == nullptr) {
        if (!makes) return;
        auto position = std::find_if(at->fields.begin(), at->fields.end(),
                                     [&](const auto& field) { return field.first > step.id; });
        next = &at->fields.insert(position, {step.id, fresh})->second;
      }
      if (type.kind() == thriftlens::type_kind::union_ && makes && last &&
          edit.action != action_kind::append) {
        for (auto& [id, value] : at->fields) value.erased = id != step.id;
      }
      if (type.kind() == thriftlens::type_kind::union_ && last && edit.action == action_kind::append)
        static_cast<void>(0);
    } else if (step.kind == 'k') {
      for (auto& [key, value] : at->entries) {
        if (key == step.key) next = &value;
      }
      if (next == nullptr) {
        if (!makes) return;
        if (at->entries.empty()) at->key_type = type.key().wire(), at->element_type = type.value().wire();
        next = &at->entries.emplace_back(step.key, fresh).second;
      }
    } else if (last && edit.action == action_kind::insert) {
      std::size_t remaining = step.index;
      auto position = at->elements.begin();
      for (; position != at->elements.end(); ++position) {
        if (!position->added && remaining-- == 0) break;
      }
      tree value = edit.value;
      value.added = true;
      at->elements.insert(position, std::move(value));
      return;
    } else {
      next = element_at(*at, step.index);
    }
    at = next;
    type = step.type;
  }
  if (edit.action == action_kind::append) {
    tree value = edit.value;
    value.added = true;
    if (at->elements.empty()) at->element_type = type.element().wire();
    at->elements.push_back(std::move(value));
  } else if (edit.action == action_kind::erase) {
    at->erased = true;
  } else {
    *at = edit.value;
  }
}

/// Whether a set outside of keys has two equal elements.
inline bool has_equal_elements(const tree& in) {
  std::vector<std::string> keys;
  for (const tree& item : in.elements) keys.push_back(key_text(item));
  std::ranges::sort(keys);
  if (in.type == ttype::set && std::ranges::adjacent_find(keys) != keys.end()) return true;
  const auto inside = [](const auto& part) { return has_equal_elements(part.second); };
  return std::ranges::any_of(in.fields, inside) || std::ranges::any_of(in.entries, inside) ||
         std::ranges::any_of(in.elements, has_equal_elements);
}

/// Removes erased values.
inline void purge(tree& in) {
  std::erase_if(in.fields, [](const auto& field) { return field.second.erased; });
  std::erase_if(in.elements, [](const tree& item) { return item.erased; });
  std::erase_if(in.entries, [](const auto& entry) { return entry.second.erased; });
  for (auto& [id, value] : in.fields) purge(value);
  for (tree& item : in.elements) purge(item);
  for (auto& [key, value] : in.entries) purge(value);
}

}  // namespace thriftlens_test
