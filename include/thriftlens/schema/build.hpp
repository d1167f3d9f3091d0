// build: turns loaded and resolved IDL into the immutable image.
// In: a program_set. Out: a schema_image in which every name, default and annotation has its place.
// Never reports errors (parse and resolve have; an alias that is taken is a warning); never keeps a pointer
// into the program_set.
#pragma once

#include <thriftlens/core/quote.hpp>
#include <thriftlens/idl/findings.hpp>
#include <thriftlens/idl/program.hpp>
#include <thriftlens/protocol/binary.hpp>
#include <thriftlens/protocol/compact.hpp>
#include <thriftlens/schema/encode_const.hpp>
#include <thriftlens/schema/image.hpp>
#include <thriftlens/schema/lead.hpp>
#include <thriftlens/schema/name_tables.hpp>

#include <algorithm>
#include <iterator>
#include <memory>
#include <numeric>
#include <unordered_map>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// The value of a key in a Go struct tag such as `json:"name,omitempty" form:"name"`, or empty. Looks over
/// what IDL files quote it with: backquotes around the whole, backslashes before quotes.
[[nodiscard]] inline std::string_view go_tag_value(std::string_view tag, std::string_view wanted) noexcept {
  const auto skip = [&](std::string_view any) {
    tag.remove_prefix(std::min(tag.find_first_not_of(any), tag.size()));
  };
  const auto take = [&](std::string_view stops) {
    const std::string_view part = tag.substr(0, tag.find_first_of(stops));
    tag.remove_prefix(part.size());
    return part;
  };
  const auto quote = [&] {
    skip("\\");
    const bool found = tag.starts_with('"');
    if (found) tag.remove_prefix(1);
    return found;
  };
  for (skip(" `"); !tag.empty(); skip(" `")) {
    const std::string_view key = take(": ");
    if (!tag.starts_with(':')) continue;
    tag.remove_prefix(1);
    const bool quoted = quote();
    const std::string_view value = take(quoted ? "\"\\" : " `");
    if (quoted) quote();
    if (key == wanted) return value;
  }
  return {};
}

/// The name JSON uses for a field with names = alias: `api.key`, else the name in `go.tag`'s json, else
/// empty.
[[nodiscard]] inline std::string_view alias_of(std::span<const idl::annotation> annotations) noexcept {
  for (const idl::annotation& each : annotations) {
    if (each.key == "api.key" && !each.value.empty()) return each.value;
  }
  for (const idl::annotation& each : annotations) {
    if (each.key != "go.tag") continue;
    const std::string_view value = go_tag_value(each.value, "json");
    const std::string_view name = value.substr(0, value.find(','));
    if (!name.empty() && value != "-") return name;
  }
  return {};
}

/// Builds one image. Linear in the IDL; indices of declarations are known before anything is filled in.
class image_builder {
 public:
  explicit image_builder(const idl::program_set& from)
      : from_(from), out_(std::make_shared<schema_image>()) {}

  [[nodiscard]] std::shared_ptr<const schema_image> run() {
    reserve();
    lay_out();
    for (std::uint32_t p = 0; p < from_.programs.size(); ++p) fill_program(p);
    for (std::uint32_t p = 0; p < from_.programs.size(); ++p) fill_defaults(p);
    build_symbols();
    out_->text.append(64, '\0');
    out_->bytes.insert(out_->bytes.end(), 64, std::uint8_t{0});
    out_->warnings = from_.warnings;
    std::ranges::move(findings_.diagnostics(from_.programs), std::back_inserter(out_->warnings));
    return std::move(out_);
  }

 private:
  struct offsets {
    std::uint32_t enums = 0, structs = 0, typedefs = 0, consts = 0, services = 0;
  };

  static constexpr std::uint32_t base_types = 10;

  void reserve() {
    std::size_t source = 0, fields = 0;
    for (const idl::program& program : from_.programs) {
      source += program.source.size();
      for (const idl::struct_& each : program.structs) fields += each.fields.size();
      for (const idl::service& each : program.services) {
        for (const idl::function& function : each.functions)
          fields += function.arguments.size() + function.throws.size() + 1;
      }
    }
    out_->text.reserve(source);
    out_->fields.reserve(fields);
    out_->field_texts.reserve(fields);
    out_->indices.reserve(fields * 2);
    out_->slots.reserve(fields * 4);
  }

  /// Base types first, then all enums, then all structs: their indices follow from counts alone.
  void lay_out() {
    constexpr type_kind base[] = {type_kind::void_,  type_kind::bool_, type_kind::i8,      type_kind::i16,
                                  type_kind::i32,    type_kind::i64,   type_kind::double_, type_kind::string,
                                  type_kind::binary, type_kind::uuid};
    constexpr ttype wire[] = {ttype::void_, ttype::bool_,   ttype::i8,     ttype::i16,    ttype::i32,
                              ttype::i64,   ttype::double_, ttype::string, ttype::string, ttype::uuid};
    static_assert(std::size(base) == base_types && std::size(wire) == base_types);
    for (std::uint32_t i = 0; i < base_types; ++i) add_type(base[i], wire[i]);
    offsets at;
    for (const idl::program& program : from_.programs) {
      at_.push_back(at);
      at.enums += static_cast<std::uint32_t>(program.enums.size());
      at.structs += static_cast<std::uint32_t>(program.structs.size());
      at.typedefs += static_cast<std::uint32_t>(program.typedefs.size());
      at.consts += static_cast<std::uint32_t>(program.consts.size());
      at.services += static_cast<std::uint32_t>(program.services.size());
    }
    for (std::uint32_t i = 0; i < at.enums; ++i) add_type(type_kind::enum_, ttype::i32, i);
    first_struct_ = static_cast<std::uint32_t>(out_->types.size());
    for (const idl::program& program : from_.programs) {
      for (const idl::struct_& each : program.structs)
        add_type(kind_of(each.kind), ttype::struct_, struct_count_++);
    }
    out_->enums.resize(at.enums);
    out_->structs.resize(at.structs);
    out_->consts.resize(at.consts);
    out_->services.resize(at.services);
    out_->programs.resize(from_.programs.size());
    typedef_types_.assign(at.typedefs, image::none);
  }

  static type_kind kind_of(idl::struct_kind kind) noexcept {
    if (kind == idl::struct_kind::union_) return type_kind::union_;
    return kind == idl::struct_kind::exception_ ? type_kind::exception_ : type_kind::struct_;
  }

  std::uint32_t add_type(type_kind kind, ttype wire, std::uint32_t first = image::none,
                         std::uint32_t second = image::none) {
    image::type_node node;
    node.kind = kind;
    node.wire = wire;
    node.width = fixed_width(wire);
    node.first = first;
    node.second = second;
    out_->types.push_back(node);
    return static_cast<std::uint32_t>(out_->types.size() - 1);
  }

  /// The index of a container type, the same for equal ones.
  std::uint32_t intern(type_kind kind, ttype wire, std::uint32_t first, std::uint32_t second = image::none) {
    const std::uint64_t key = (static_cast<std::uint64_t>(first) << 32 | second) * 3 +
                              static_cast<std::uint64_t>(wire) - static_cast<std::uint64_t>(ttype::map);
    auto [place, fresh] = containers_.try_emplace(key, 0u);
    if (fresh) place->second = add_type(kind, wire, first, second);
    return place->second;
  }

  std::uint32_t type_of(const idl::type_ref& ref) {
    switch (ref.shape) {
      case idl::type_ref::form::base:
        return static_cast<std::uint32_t>(ref.base);
      case idl::type_ref::form::list:
        return intern(type_kind::list, ttype::list, type_of(ref.arguments[0]));
      case idl::type_ref::form::set:
        return intern(type_kind::set, ttype::set, type_of(ref.arguments[0]));
      case idl::type_ref::form::map: {
        const std::uint32_t key = type_of(ref.arguments[0]);
        return intern(type_kind::map, ttype::map, key, type_of(ref.arguments[1]));
      }
      case idl::type_ref::form::name:
        break;
    }
    const offsets& at = at_[ref.target.program];
    if (ref.target.kind == idl::declaration_kind::enum_) return base_types + at.enums + ref.target.index;
    if (ref.target.kind == idl::declaration_kind::struct_)
      return first_struct_ + at.structs + ref.target.index;
    THRIFTLENS_ASSERT(ref.target.kind == idl::declaration_kind::typedef_);
    std::uint32_t& known = typedef_types_[at.typedefs + ref.target.index];
    if (known != image::none) return known;
    const std::uint32_t found = type_of(from_.programs[ref.target.program].typedefs[ref.target.index].type);
    return typedef_types_[at.typedefs + ref.target.index] = found;
  }

  image::slice text(std::string_view from) {
    const image::slice part{static_cast<std::uint32_t>(out_->text.size()),
                            static_cast<std::uint32_t>(from.size())};
    out_->text += from;
    return from.empty() ? image::slice{} : part;
  }

  /// Lays `prefix"name"suffix` down for JSON; the plain name is a part of it unless it needs escapes.
  image::slice quoted(std::string_view name, std::string_view prefix, std::string_view suffix,
                      image::slice& plain) {
    auto& all = out_->text;
    const auto begin = static_cast<std::uint32_t>(all.size());
    all += prefix;
    append_quoted(all, name);
    const std::size_t inner = all.size() - begin - prefix.size() - 2;
    all += suffix;
    const image::slice whole{begin, static_cast<std::uint32_t>(all.size()) - begin};
    const bool verbatim = inner == name.size() && all.compare(begin + prefix.size() + 1, inner, name) == 0;
    plain = verbatim ? image::slice{begin + static_cast<std::uint32_t>(prefix.size()) + 1,
                                    static_cast<std::uint32_t>(inner)}
                     : text(name);
    return whole;
  }

  void add_annotations(std::span<const idl::annotation> from) {
    for (const idl::annotation& each : from) out_->annotations.push_back({text(each.key), text(each.value)});
  }
  image::slice annotations(std::span<const idl::annotation> from) {
    if (from.empty()) return {};
    const auto begin = static_cast<std::uint32_t>(out_->annotations.size());
    add_annotations(from);
    return {begin, static_cast<std::uint32_t>(from.size())};
  }
  /// What a reference carries: its own annotations, those of the typedefs it leads through, and what its
  /// arguments carry.
  std::uint32_t written(const idl::type_ref& from) {
    image::written_type made;
    if (from.target.kind == idl::declaration_kind::typedef_) {
      const std::uint32_t behind = written(from.target);
      if (from.annotations.empty()) return behind;
      if (behind != image::none) made = out_->written_types[behind];
    } else if (!from.arguments.empty()) {
      made.first = written(from.arguments[0]);
      if (from.arguments.size() > 1) made.second = written(from.arguments[1]);
    }
    if (!from.annotations.empty()) made.annotations = joined(from.annotations, made.annotations);
    if (made.annotations.size == 0 && made.first == image::none && made.second == image::none)
      return image::none;
    out_->written_types.push_back(made);
    return static_cast<std::uint32_t>(out_->written_types.size() - 1);
  }
  /// Made once for each typedef.
  std::uint32_t written(const idl::declaration_ref& target) {
    const std::uint32_t index = at_[target.program].typedefs + target.index;
    if (auto known = typedefs_written_.find(index); known != typedefs_written_.end()) return known->second;
    const idl::typedef_& declared = from_.programs[target.program].typedefs[target.index];
    std::uint32_t found = written(declared.type);
    if (!declared.annotations.empty()) {
      image::written_type made = found == image::none ? image::written_type{} : out_->written_types[found];
      made.annotations = joined(declared.annotations, made.annotations);
      found = static_cast<std::uint32_t>(out_->written_types.size());
      out_->written_types.push_back(made);
    }
    return typedefs_written_[index] = found;
  }
  /// Those, then the ones behind, of which there are at most a bounded number.
  image::slice joined(std::span<const idl::annotation> from, image::slice behind) {
    constexpr std::uint32_t most = 64;
    const auto begin = static_cast<std::uint32_t>(out_->annotations.size());
    add_annotations(from);
    for (std::uint32_t i = 0; i < behind.size && i < most; ++i)
      out_->annotations.push_back(out_->annotations[behind.begin + i]);
    return {begin, static_cast<std::uint32_t>(out_->annotations.size()) - begin};
  }

  void fill_program(std::uint32_t p) {
    const idl::program& program = from_.programs[p];
    const offsets& at = at_[p];
    filling_ = p;
    image::program_node& node = out_->programs[p];
    node.name = text(program.name);
    node.file = text(program.file);
    node.doc = text(program.doc);
    node.namespaces = {static_cast<std::uint32_t>(out_->namespaces.size()),
                       static_cast<std::uint32_t>(program.namespaces.size())};
    for (const idl::namespace_& each : program.namespaces)
      out_->namespaces.push_back({text(each.scope), text(each.name)});
    node.includes = {static_cast<std::uint32_t>(out_->indices.size()),
                     static_cast<std::uint32_t>(program.includes.size())};
    node.include_paths = static_cast<std::uint32_t>(out_->include_paths.size());
    for (const idl::include& each : program.includes) {
      out_->indices.push_back(each.program);
      out_->include_paths.push_back(text(each.path));
    }
    node.enums = {at.enums, static_cast<std::uint32_t>(program.enums.size())};
    node.structs = {at.structs, static_cast<std::uint32_t>(program.structs.size())};
    node.typedefs.begin = static_cast<std::uint32_t>(out_->typedefs.size());
    node.consts = {at.consts, static_cast<std::uint32_t>(program.consts.size())};
    node.services = {at.services, static_cast<std::uint32_t>(program.services.size())};
    for (std::uint32_t i = 0; i < program.enums.size(); ++i) fill_enum(p, at.enums + i, program.enums[i]);
    for (std::uint32_t i = 0; i < program.structs.size(); ++i)
      fill_declared_struct(p, at.structs + i, program.structs[i]);
    for (const idl::typedef_& each : program.typedefs) {
      if (!each.unresolved) add_typedef(p, each);
    }
    node.typedefs.size = static_cast<std::uint32_t>(out_->typedefs.size()) - node.typedefs.begin;
    for (std::uint32_t i = 0; i < program.services.size(); ++i)
      fill_service(p, at.services + i, program.services[i]);
  }

  void add_typedef(std::uint32_t p, const idl::typedef_& from) {
    image::typedef_node& node = out_->typedefs.emplace_back();
    node.name = text(from.name);
    node.program = p;
    node.type = type_of(from.type);
    node.doc = text(from.doc);
    node.annotations = annotations(from.annotations);
  }

  void fill_enum(std::uint32_t p, std::uint32_t index, const idl::enum_& from) {
    image::enum_node& node = out_->enums[index];
    const auto first = static_cast<std::uint32_t>(out_->enum_members.size());
    const auto count = static_cast<std::uint32_t>(from.members.size());
    node.members = {first, count};
    node.program = p;
    node.type = base_types + index;
    node.name = text(from.name);
    node.doc = text(from.doc);
    node.annotations = annotations(from.annotations);
    names_.clear();
    for (const idl::enum_member& each : from.members) {
      image::enum_member_node member;
      member.json_name = quoted(each.name, "", "", member.name);
      member.value = each.value;
      member.doc = text(each.doc);
      member.annotations = annotations(each.annotations);
      out_->enum_members.push_back(member);
      names_.push_back(each.name);
    }
    node.names = build_names(out_->slots, names_, first, scratch_);
    node.by_value = static_cast<std::uint32_t>(out_->indices.size());
    for (std::uint32_t i = 0; i < count; ++i) out_->indices.push_back(first + i);
    auto sorted = out_->indices.begin() + node.by_value;
    auto by_value = [this](std::uint32_t left, std::uint32_t right) {
      return out_->enum_members[left].value < out_->enum_members[right].value;
    };
    if (!std::is_sorted(sorted, out_->indices.end(), by_value))
      std::stable_sort(sorted, out_->indices.end(), by_value);
  }

  void fill_declared_struct(std::uint32_t p, std::uint32_t index, const idl::struct_& from) {
    parts_.clear();
    for (const idl::field& each : from.fields) parts_.push_back(&each);
    fill_struct(index, parts_, from.kind == idl::struct_kind::union_);
    image::struct_node& node = out_->structs[index];
    node.kind = kind_of(from.kind);
    node.type = first_struct_ + index;
    node.program = p;
    node.name = text(from.name);
    node.doc = text(from.doc);
    node.annotations = annotations(from.annotations);
  }

  /// Lays down the fields of structs[index] in id order, and their tables.
  void fill_struct(std::uint32_t index, std::span<const idl::field* const> source, bool is_union) {
    const auto first = static_cast<std::uint32_t>(out_->fields.size());
    const auto count = static_cast<std::uint32_t>(source.size());
    order_.resize(count);
    std::iota(order_.begin(), order_.end(), 0u);
    auto by_id = [&](std::uint32_t left, std::uint32_t right) {
      return source[left]->id < source[right]->id;
    };
    if (!std::is_sorted(order_.begin(), order_.end(), by_id))
      std::stable_sort(order_.begin(), order_.end(), by_id);
    std::uint32_t required_count = 0;
    bool defaults = false;
    for (std::uint32_t at : order_) {
      add_field(*source[at], is_union, required_count);
      defaults |= source[at]->default_value != nullptr;
    }
    image::struct_node node;
    node.fields = {first, count};
    node.required_count = required_count;
    node.has_defaults = defaults;
    node.declared = static_cast<std::uint32_t>(out_->indices.size());
    out_->indices.resize(out_->indices.size() + count);
    for (std::uint32_t i = 0; i < count; ++i) out_->indices[node.declared + order_[i]] = first + i;
    build_id_table(node);
    if (!is_union) build_lead(*out_, node);
    out_->lead_places.resize(out_->fields.size());
    build_field_names(node, source);
    out_->structs[index] = node;
  }

  void add_field(const idl::field& from, bool is_union, std::uint32_t& required_count) {
    image::field_node node;
    image::field_text texts;
    node.type = type_of(from.type);
    const image::type_node& type = out_->types[node.type];
    node.id = from.id;
    node.wire = type.wire;
    node.kind = type.kind;
    node.width = type.width;
    const std::uint32_t id = static_cast<std::uint16_t>(from.id);
    node.header = static_cast<std::uint32_t>(type.wire) | (id >> 8) << 8 | (id & 0xffu) << 16;
    node.required_rank = static_cast<std::uint16_t>(required_count);  // ids are 16 bits wide
    if (is_union || from.required == idl::requiredness::optional) {
      node.flags |= image::optional;
    } else if (from.required == idl::requiredness::required) {
      node.flags |= image::required;
      ++required_count;
    }
    if (from.default_value != nullptr) node.flags |= image::has_default;
    texts.json_name = quoted(from.name, ",", ":", texts.name);
    texts.alias = texts.name;
    texts.json_alias = texts.json_name;
    texts.doc = text(from.doc);
    texts.annotations = annotations(from.annotations);
    texts.written = written(from.type);
    out_->fields.push_back(node);
    out_->field_texts.push_back(texts);
  }

  void build_id_table(image::struct_node& node) {
    const std::uint32_t count = node.fields.size;
    if (count == 0) return;
    const image::field_node* fields = out_->fields.data() + node.fields.begin;
    const std::int32_t lowest = fields[0].id, highest = fields[count - 1].id;
    const auto span = static_cast<std::uint32_t>(highest - lowest + 1);
    if (span > count * 4 + 64) return;
    node.lowest_id = lowest;
    node.id_span = span;
    node.id_table = static_cast<std::uint32_t>(out_->indices.size());
    out_->indices.resize(out_->indices.size() + span);
    for (std::uint32_t i = 0; i < count; ++i) {
      out_->indices[node.id_table + static_cast<std::uint32_t>(fields[i].id - lowest)] =
          node.fields.begin + i + 1;
    }
  }

  void build_field_names(image::struct_node& node, std::span<const idl::field* const> source) {
    names_.clear();
    aliases_.clear();
    for (std::uint32_t i = 0; i < node.fields.size; ++i) {
      const idl::field& from = *source[order_[i]];
      const std::string_view alias =
          from.annotations.empty() ? std::string_view() : alias_of(from.annotations);
      names_.push_back(from.name);
      aliases_.push_back(alias.empty() ? from.name : alias);
      node.has_aliases |= !alias.empty() && alias != from.name;
    }
    node.names = build_names(out_->slots, names_, node.fields.begin, scratch_);
    if (node.has_aliases) settle_aliases(source);
    if (!node.has_aliases) return;
    node.aliases = build_names(out_->slots, aliases_, node.fields.begin, scratch_);
    for (std::uint32_t i = 0; i < node.fields.size; ++i) {
      if (aliases_[i] == names_[i]) continue;
      image::field_text& texts = out_->field_texts[node.fields.begin + i];
      texts.json_alias = quoted(aliases_[i], ",", ":", texts.alias);
    }
  }

  // No JSON object may have a key twice: an alias belongs to the field of that name if it goes by it, else to
  // the first one that has the alias; the others go by their names. Linear, for each field gives way once at
  // most.
  void settle_aliases(std::span<const idl::field* const> source) {
    owners_.clear();
    for (std::uint32_t i = 0; i < aliases_.size(); ++i) {
      for (std::uint32_t at = i;;) {
        const auto [owner, fresh] = owners_.try_emplace(aliases_[at], at);
        if (fresh) break;
        if (aliases_[at] == names_[at]) {
          std::swap(at, owner->second);
          if (aliases_[at] == names_[at]) break;
        }
        const idl::field& loser = *source[order_[at]];
        findings_.warning("alias-taken", filling_, loser.where,
                          "another field is called '" + std::string(aliases_[at]) + "' in JSON; '" +
                              std::string(loser.name) + "' goes by its name");
        aliases_[at] = names_[at];
      }
    }
  }

  void fill_service(std::uint32_t p, std::uint32_t index, const idl::service& from) {
    image::service_node& node = out_->services[index];
    node.name = text(from.name);
    node.program = p;
    if (from.base.kind == idl::declaration_kind::service)
      node.base = at_[from.base.program].services + from.base.index;
    node.functions = {static_cast<std::uint32_t>(out_->functions.size()),
                      static_cast<std::uint32_t>(from.functions.size())};
    node.doc = text(from.doc);
    node.annotations = annotations(from.annotations);
    for (const idl::function& each : from.functions) {
      image::function_node function;
      function.name = text(each.name);
      function.oneway = each.oneway;
      function.returns = type_of(each.returns);
      function.doc = text(each.doc);
      function.annotations = annotations(each.annotations);
      parts_.clear();
      for (const idl::field& argument : each.arguments) parts_.push_back(&argument);
      function.arguments = add_struct(p, std::string(each.name) + "_args", false);
      idl::field success;
      success.name = "success";
      success.type = each.returns;
      parts_.clear();
      if (function.returns != 0) parts_.push_back(&success);
      for (const idl::field& thrown : each.throws) parts_.push_back(&thrown);
      function.result = add_struct(p, std::string(each.name) + "_result", true);
      out_->functions.push_back(function);
    }
  }

  /// A struct that no IDL names: arguments or result of a function, from parts_.
  std::uint32_t add_struct(std::uint32_t p, const std::string& name, bool all_optional) {
    const auto index = static_cast<std::uint32_t>(out_->structs.size());
    out_->structs.emplace_back();
    const std::uint32_t type = add_type(type_kind::struct_, ttype::struct_, index);
    fill_struct(index, parts_, all_optional);
    image::struct_node& node = out_->structs[index];
    node.type = type;
    node.program = p;
    node.name = text(name);
    return index;
  }

  template <class Protocol>
  image::slice encoded(std::uint32_t type, const idl::const_value& from,
                       repeated_elements repeated = repeated_elements::dropped, bool* dropped = nullptr) {
    scratch_bytes_.clear();
    spellings_.clear();
    typename Protocol::writer writer(scratch_bytes_);
    const_encoder encoder(*out_, writer, repeated, &spellings_);
    encoder.value(type, from);
    if (dropped != nullptr) *dropped = encoder.dropped();
    if constexpr (Protocol::id == protocol_id::binary) {
      for (const auto& [at, spelling] : spellings_) {
        out_->spellings.push_back({static_cast<std::uint32_t>(out_->bytes.size() + at), text(spelling)});
      }
    }
    const image::slice part{static_cast<std::uint32_t>(out_->bytes.size()),
                            static_cast<std::uint32_t>(scratch_bytes_.size())};
    out_->bytes.insert(out_->bytes.end(), scratch_bytes_.begin(), scratch_bytes_.end());
    return part;
  }
  /// As Binary, for readers and for descriptions; most often one and the same.
  void encode_both(std::uint32_t type, const idl::const_value& from, image::slice& value,
                   image::slice& written) {
    bool differs = false;
    value = encoded<binary>(type, from, repeated_elements::dropped, &differs);
    written = differs ? encoded<binary>(type, from, repeated_elements::kept) : value;
  }

  /// After all structs are laid out: constants of any type can be encoded.
  void fill_defaults(std::uint32_t p) {
    const idl::program& program = from_.programs[p];
    for (std::uint32_t i = 0; i < program.structs.size(); ++i)
      fill_field_defaults(out_->structs[at_[p].structs + i], program.structs[i].fields);
    for (std::uint32_t i = 0; i < program.services.size(); ++i) {
      const image::slice functions = out_->services[at_[p].services + i].functions;
      for (std::uint32_t f = 0; f < functions.size; ++f) {
        const image::function_node& node = out_->functions[functions.begin + f];
        fill_field_defaults(out_->structs[node.arguments], program.services[i].functions[f].arguments);
      }
    }
    for (std::uint32_t i = 0; i < program.consts.size(); ++i) {
      const idl::const_& from = program.consts[i];
      image::const_node& node = out_->consts[at_[p].consts + i];
      node.name = text(from.name);
      node.program = p;
      node.type = type_of(from.type);
      node.doc = text(from.doc);
      node.annotations = annotations(from.annotations);
      if (from.value != nullptr) encode_both(node.type, *from.value, node.value, node.written);
    }
  }
  void fill_field_defaults(const image::struct_node& node, std::span<const idl::field> source) {
    if (!node.has_defaults) return;
    for (std::uint32_t i = 0; i < source.size(); ++i) {
      if (source[i].default_value == nullptr) continue;
      const std::uint32_t index = out_->indices[node.declared + i];
      image::field_text& texts = out_->field_texts[index];
      const std::uint32_t type = out_->fields[index].type;
      encode_both(type, *source[i].default_value, texts.default_binary, texts.default_written);
      texts.default_compact = encoded<compact>(type, *source[i].default_value);
    }
  }

  void add_symbols(image::symbol_kind kind, std::uint32_t program, image::slice nodes, auto name_of) {
    for (std::uint32_t i = nodes.begin; i < nodes.begin + nodes.size; ++i)
      out_->symbols.push_back({program, i, name_of(i), kind});
  }
  void build_symbols() {
    using kind = image::symbol_kind;
    for (std::uint32_t p = 0; p < out_->programs.size(); ++p) {
      const image::program_node& node = out_->programs[p];
      add_symbols(kind::struct_, p, node.structs, [&](std::uint32_t i) { return out_->structs[i].name; });
      add_symbols(kind::enum_, p, node.enums, [&](std::uint32_t i) { return out_->enums[i].name; });
      add_symbols(kind::typedef_, p, node.typedefs, [&](std::uint32_t i) { return out_->typedefs[i].name; });
      add_symbols(kind::service, p, node.services, [&](std::uint32_t i) { return out_->services[i].name; });
      add_symbols(kind::const_, p, node.consts, [&](std::uint32_t i) { return out_->consts[i].name; });
    }
    out_->symbol_slots.assign(std::bit_ceil(out_->symbols.size() * 2 + 2), 0u);
    const auto mask = static_cast<std::uint32_t>(out_->symbol_slots.size() - 1);
    for (std::uint32_t i = 0; i < out_->symbols.size(); ++i) {
      const image::symbol& each = out_->symbols[i];
      auto at = static_cast<std::uint32_t>(
                    hash_text(out_->view(each.name), image::symbol_seed(each.program, each.kind))) &
                mask;
      while (out_->symbol_slots[at] != 0) at = (at + 1) & mask;
      out_->symbol_slots[at] = i + 1;
    }
  }

  const idl::program_set& from_;
  std::shared_ptr<schema_image> out_;
  std::vector<offsets> at_;
  std::uint32_t first_struct_ = 0;
  std::uint32_t struct_count_ = 0;
  std::vector<std::uint32_t> typedef_types_;
  std::unordered_map<std::uint64_t, std::uint32_t> containers_;
  std::unordered_map<std::uint32_t, std::uint32_t> typedefs_written_;
  std::vector<const idl::field*> parts_;
  std::vector<std::uint32_t> order_;
  std::vector<std::string_view> names_;
  std::vector<std::string_view> aliases_;
  std::unordered_map<std::string_view, std::uint32_t> owners_;
  std::uint32_t filling_ = 0;  // the program
  idl::findings findings_{100};
  std::vector<named_value> scratch_;
  buffer scratch_bytes_;
  std::vector<std::pair<std::size_t, std::string>> spellings_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail

namespace thriftlens::inline THRIFTLENS_ABI {

/// The image of a loaded and resolved set of programs. Linear; the set may die afterwards.
[[nodiscard]] THRIFTLENS_HEAVY std::shared_ptr<const schema_image> build_image(const idl::program_set& from) {
  return detail::image_builder(from).run();
}

}  // namespace thriftlens::inline THRIFTLENS_ABI
