// build: bodies of build.hpp. Never reports errors (parse and resolve have; an alias that is taken is a
// warning).
#pragma once

#include <thriftlens/core/quote.hpp>
#include <thriftlens/idl/findings.hpp>
#include <thriftlens/idl/program.hpp>
#include <thriftlens/protocol/binary.hpp>
#include <thriftlens/protocol/compact.hpp>
#include <thriftlens/schema/build.hpp>
#include <thriftlens/schema/encode_const.hpp>
#include <thriftlens/schema/image.hpp>
#include <thriftlens/schema/name_tables.hpp>
#include <thriftlens/schema/prefix_template.hpp>
#include <thriftlens/schema/streaming.hpp>

#include <algorithm>
#include <iterator>
#include <memory>
#include <numeric>
#include <unordered_map>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Parses a Go struct tag such as `json:"name,omitempty" form:"name"`. Ignores the quoting of IDL files:
/// enclosing backquotes, backslashes before quotes.
class go_tag_reader {
 public:
  explicit go_tag_reader(std::string_view tag) noexcept : rest_(tag) {}

  /// The value of a key, or empty.
  [[nodiscard]] std::string_view value(std::string_view key) noexcept {
    for (skip(" `"); !rest_.empty(); skip(" `")) {
      const std::string_view current_key = take(": ");
      if (!rest_.starts_with(':')) continue;
      rest_.remove_prefix(1);
      const bool quoted = quote();
      const std::string_view value = take(quoted ? "\"\\" : " `");
      if (quoted) quote();
      if (current_key == key) return value;
    }
    return {};
  }

 private:
  void skip(std::string_view any) noexcept {
    rest_.remove_prefix((std::min)(rest_.find_first_not_of(any), rest_.size()));
  }
  std::string_view take(std::string_view stops) noexcept {
    const std::string_view part = rest_.substr(0, rest_.find_first_of(stops));
    rest_.remove_prefix(part.size());
    return part;
  }
  bool quote() noexcept {
    skip("\\");
    const bool is_quoted = rest_.starts_with('"');
    if (is_quoted) rest_.remove_prefix(1);
    return is_quoted;
  }

  std::string_view rest_;
};
[[nodiscard]] inline std::string_view go_tag_value(std::string_view tag, std::string_view key) noexcept {
  return go_tag_reader(tag).value(key);
}

/// The JSON name of a field with names = alias: `api.key`, else the name in `go.tag`'s json, else empty.
[[nodiscard]] inline std::string_view alias_of(std::span<const idl::annotation> annotations) noexcept {
  for (const idl::annotation& entry : annotations) {
    if (entry.key == "api.key" && !entry.value.empty()) return entry.value;
  }
  for (const idl::annotation& entry : annotations) {
    if (entry.key != "go.tag") continue;
    const std::string_view value = go_tag_value(entry.value, "json");
    const std::string_view name = value.substr(0, value.find(','));
    if (!name.empty() && value != "-") return name;
  }
  return {};
}

/// The number of elements of a container in 32 bits, as the image counts.
[[nodiscard]] std::uint32_t count(const auto& of) noexcept { return static_cast<std::uint32_t>(of.size()); }
/// A slice of the next elements of a pool, of the size of `from`.
[[nodiscard]] image::slice slice_for(const auto& pool, const auto& from) noexcept {
  return {count(pool), count(from)};
}
/// Sorts a range that is mostly sorted already.
template <class Iterator, class Less>
void sort_if_needed(Iterator begin, Iterator end, Less less) {
  if (!std::is_sorted(begin, end, less)) std::stable_sort(begin, end, less);
}

/// Builds one image. Linear in the IDL; assigns the indices of declarations first.
class image_builder {
 public:
  explicit image_builder(const idl::program_set& from)
      : from_(from), out_(std::make_shared<schema_image>()) {}

  [[nodiscard]] std::shared_ptr<const schema_image> run() {
    reserve();
    lay_out();
    for (filling_ = 0; filling_ < from_.programs.size(); ++filling_) fill_program(from_.programs[filling_]);
    for (filling_ = 0; filling_ < from_.programs.size(); ++filling_) fill_values(from_.programs[filling_]);
    build_symbols();
    return finish();
  }

 private:
  struct offsets {
    std::uint32_t enums = 0, structs = 0, typedefs = 0, consts = 0, services = 0;
  };

  [[nodiscard]] std::shared_ptr<const schema_image> finish() {
    out_->text.append(64, '\0');
    out_->bytes.insert(out_->bytes.end(), 64, std::uint8_t{0});
    out_->warnings = from_.warnings;
    std::ranges::move(findings_.diagnostics(from_.programs), std::back_inserter(out_->warnings));
    return std::move(out_);
  }

  static constexpr std::pair<type_kind, ttype> base_kinds[] = {
      {type_kind::void_, ttype::void_},     {type_kind::bool_, ttype::bool_},
      {type_kind::i8, ttype::i8},           {type_kind::i16, ttype::i16},
      {type_kind::i32, ttype::i32},         {type_kind::i64, ttype::i64},
      {type_kind::double_, ttype::double_}, {type_kind::string, ttype::string},
      {type_kind::binary, ttype::string},   {type_kind::uuid, ttype::uuid}};
  static constexpr std::uint32_t base_types = std::size(base_kinds);

  [[nodiscard]] static std::size_t fields_in(const idl::program& program) noexcept {
    std::size_t fields = 0;
    for (const idl::struct_& declaration : program.structs) fields += declaration.fields.size();
    for (const idl::service& declaration : program.services) {
      for (const idl::function& function : declaration.functions)
        fields += function.arguments.size() + function.throws.size() + 1;
    }
    return fields;
  }
  void reserve() {
    std::size_t source = 0, fields = 0;
    for (const idl::program& program : from_.programs) {
      source += program.source.size();
      fields += fields_in(program);
    }
    out_->text.reserve(source);
    out_->fields.reserve(fields);
    out_->field_texts.reserve(fields);
    out_->indices.reserve(fields * 2);
    out_->name_slots.reserve(fields * 4);
  }

  /// Base types first, then all enums, then all structs: their indices follow from counts alone.
  void lay_out() {
    for (const auto& [kind, wire] : base_kinds) add_type(kind, wire);
    const offsets totals = count_declarations();
    for (std::uint32_t i = 0; i < totals.enums; ++i) add_type(type_kind::enum_, ttype::i32, i);
    first_struct_ = count(out_->types);
    std::uint32_t index = 0;
    for (const idl::program& program : from_.programs) {
      for (const idl::struct_& structure : program.structs)
        add_type(kind_of(structure.kind), ttype::struct_, index++);
    }
    resize(totals);
  }
  void resize(const offsets& totals) {
    out_->enums.resize(totals.enums);
    out_->structs.resize(totals.structs);
    out_->consts.resize(totals.consts);
    out_->services.resize(totals.services);
    out_->programs.resize(from_.programs.size());
    typedef_types_.assign(totals.typedefs, image::none);
  }
  /// Computes the offsets of the programs' declarations; returns the totals.
  [[nodiscard]] offsets count_declarations() {
    offsets at;
    for (const idl::program& program : from_.programs) {
      at_.push_back(at);
      at.enums += count(program.enums);
      at.structs += count(program.structs);
      at.typedefs += count(program.typedefs);
      at.consts += count(program.consts);
      at.services += count(program.services);
    }
    return at;
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
    return count(out_->types) - 1;
  }

  /// The index of a container type; equal types share it.
  std::uint32_t intern(type_kind kind, ttype wire, std::uint32_t first, std::uint32_t second = image::none) {
    const std::uint64_t key = (static_cast<std::uint64_t>(first) << 32 | second) * 3 +
                              static_cast<std::uint64_t>(wire) - static_cast<std::uint64_t>(ttype::map);
    auto [position, fresh] = containers_.try_emplace(key, 0u);
    if (fresh) position->second = add_type(kind, wire, first, second);
    return position->second;
  }

  std::uint32_t type_of(const idl::type_ref& ref) {
    using form = idl::type_ref::form;
    if (ref.shape == form::base) return static_cast<std::uint32_t>(ref.base);
    if (ref.shape == form::name) return type_of(ref.target);
    const std::uint32_t first = type_of(ref.arguments[0]);
    if (ref.shape == form::list) return intern(type_kind::list, ttype::list, first);
    if (ref.shape == form::set) return intern(type_kind::set, ttype::set, first);
    return intern(type_kind::map, ttype::map, first, type_of(ref.arguments[1]));
  }
  std::uint32_t type_of(const idl::declaration_ref& target) {
    const offsets& at = at_[target.program];
    if (target.kind == idl::declaration_kind::enum_) return base_types + at.enums + target.index;
    if (target.kind == idl::declaration_kind::struct_) return first_struct_ + at.structs + target.index;
    THRIFTLENS_ASSERT(target.kind == idl::declaration_kind::typedef_);
    return type_of_typedef(at.typedefs + target.index, target);
  }
  std::uint32_t type_of_typedef(std::uint32_t index, const idl::declaration_ref& target) {
    if (typedef_types_[index] == image::none) {
      const std::uint32_t aliased = type_of(from_.programs[target.program].typedefs[target.index].type);
      typedef_types_[index] = aliased;
    }
    return typedef_types_[index];
  }

  image::slice text(std::string_view from) {
    const image::slice part = slice_for(out_->text, from);
    out_->text += from;
    return from.empty() ? image::slice{} : part;
  }

  /// Stores `prefix"name"suffix` for JSON; the plain name is a part of it unless it needs escapes.
  image::slice quoted(std::string_view name, std::string_view prefix, std::string_view suffix,
                      image::slice& plain) {
    std::string json(prefix);
    append_quoted(json, name);
    const bool verbatim = json.size() == prefix.size() + name.size() + 2;
    json += suffix;
    const image::slice full_text = text(json);
    plain = verbatim ? image::slice{full_text.begin + count(prefix) + 1, count(name)} : text(name);
    return full_text;
  }

  void add_annotations(std::span<const idl::annotation> from) {
    for (const idl::annotation& entry : from)
      out_->annotations.push_back({text(entry.key), text(entry.value)});
  }
  image::slice annotations(std::span<const idl::annotation> from) {
    if (from.empty()) return {};
    const image::slice part = slice_for(out_->annotations, from);
    add_annotations(from);
    return part;
  }
  void declare(auto& node, const auto& from) {
    node.name = text(from.name);
    node.program = filling_;
    node.doc = text(from.doc);
    node.annotations = annotations(from.annotations);
  }

  /// Annotations of a type reference, of its typedefs and of its arguments, or none.
  std::uint32_t written(const idl::type_ref& from) {
    if (from.target.kind == idl::declaration_kind::typedef_)
      return with_annotations(written(from.target), from.annotations);
    image::written_type entry;
    if (!from.arguments.empty()) entry.first = written(from.arguments[0]);
    if (from.arguments.size() > 1) entry.second = written(from.arguments[1]);
    const bool is_plain = from.annotations.empty() && entry.is_empty();
    return is_plain ? image::none : add_written(entry, from.annotations);
  }
  /// Cached per typedef.
  std::uint32_t written(const idl::declaration_ref& target) {
    const std::uint32_t index = at_[target.program].typedefs + target.index;
    if (auto known = typedefs_written_.find(index); known != typedefs_written_.end()) return known->second;
    const idl::typedef_& declared = from_.programs[target.program].typedefs[target.index];
    const std::uint32_t annotated = with_annotations(written(declared.type), declared.annotations);
    return typedefs_written_[index] = annotated;
  }
  std::uint32_t with_annotations(std::uint32_t of, std::span<const idl::annotation> own) {
    if (own.empty()) return of;
    return add_written(of == image::none ? image::written_type{} : out_->written_types[of], own);
  }
  /// Puts own annotations before the inherited ones, whose number is limited.
  std::uint32_t add_written(image::written_type entry, std::span<const idl::annotation> own) {
    if (!own.empty()) entry.annotations = joined(own, entry.annotations);
    out_->written_types.push_back(entry);
    return count(out_->written_types) - 1;
  }
  image::slice joined(std::span<const idl::annotation> own, image::slice inherited) {
    constexpr std::uint32_t max_inherited = 64;
    const std::uint32_t begin = count(out_->annotations);
    add_annotations(own);
    for (std::uint32_t i = 0; i < (std::min)(inherited.size, max_inherited); ++i)
      out_->annotations.push_back(out_->annotations[inherited.begin + i]);
    return {begin, count(out_->annotations) - begin};
  }

  void fill_program(const idl::program& program) {
    const offsets& at = at_[filling_];
    image::program_node& node = out_->programs[filling_];
    fill_header(node, program);
    node.enums = fill_each(at.enums, program.enums);
    node.structs = fill_each(at.structs, program.structs);
    node.typedefs = fill_typedefs(program);
    node.consts = {at.consts, count(program.consts)};
    node.services = fill_each(at.services, program.services);
  }
  image::slice fill_each(std::uint32_t first, const auto& declarations) {
    std::uint32_t index = first;
    for (const auto& declaration : declarations) fill(index++, declaration);
    return {first, count(declarations)};
  }
  void fill_header(image::program_node& node, const idl::program& program) {
    node.name = text(program.name);
    node.file = text(program.file);
    node.doc = text(program.doc);
    node.namespaces = slice_for(out_->namespaces, program.namespaces);
    for (const idl::namespace_& declaration : program.namespaces)
      out_->namespaces.push_back({text(declaration.scope), text(declaration.name)});
    fill_includes(node, program);
  }
  void fill_includes(image::program_node& node, const idl::program& program) {
    node.includes = slice_for(out_->indices, program.includes);
    node.include_paths = count(out_->include_paths);
    for (const idl::include& declaration : program.includes) {
      out_->indices.push_back(declaration.program);
      out_->include_paths.push_back(text(declaration.path));
    }
  }

  image::slice fill_typedefs(const idl::program& program) {
    const std::uint32_t begin = count(out_->typedefs);
    for (const idl::typedef_& declaration : program.typedefs) {
      if (declaration.unresolved) continue;
      image::typedef_node& node = out_->typedefs.emplace_back();
      declare(node, declaration);
      node.type = type_of(declaration.type);
      node.written = written(declaration.type);
    }
    return {begin, count(out_->typedefs) - begin};
  }

  void fill(std::uint32_t index, const idl::enum_& from) {
    image::enum_node& node = out_->enums[index];
    declare(node, from);
    node.type = base_types + index;
    node.members = slice_for(out_->enum_members, from.members);
    names_.clear();
    for (const idl::enum_member& declaration : from.members) add_member(declaration);
    node.names = build_names(out_->name_slots, names_, node.members.begin, scratch_);
    index_by_value(node);
  }
  void index_by_value(image::enum_node& node) {
    node.by_value = count(out_->indices);
    out_->indices.resize(node.by_value + node.members.size);
    const auto sorted = out_->indices.end() - static_cast<std::ptrdiff_t>(node.members.size);
    std::iota(sorted, out_->indices.end(), node.members.begin);
    sort_if_needed(sorted, out_->indices.end(), [this](std::uint32_t lhs, std::uint32_t rhs) {
      return out_->enum_members[lhs].value < out_->enum_members[rhs].value;
    });
  }
  void add_member(const idl::enum_member& from) {
    image::enum_member_node member;
    member.json_name = quoted(from.name, "", "", member.name);
    member.value = from.value;
    member.doc = text(from.doc);
    member.annotations = annotations(from.annotations);
    out_->enum_members.push_back(member);
    names_.push_back(from.name);
  }

  void fill(std::uint32_t index, const idl::struct_& from) {
    parts_.clear();
    add_parts(from.fields);
    fill_struct(index, from.kind == idl::struct_kind::union_);
    image::struct_node& node = out_->structs[index];
    declare(node, from);
    node.kind = kind_of(from.kind);
    node.type = first_struct_ + index;
  }
  void add_parts(std::span<const idl::field> fields) {
    for (const idl::field& part : fields) parts_.push_back(&part);
  }

  void order_by_id() {
    order_.resize(parts_.size());
    std::iota(order_.begin(), order_.end(), 0u);
    sort_if_needed(order_.begin(), order_.end(), [this](std::uint32_t lhs, std::uint32_t rhs) {
      return parts_[lhs]->id < parts_[rhs]->id;
    });
  }
  /// Stores the fields of structs[index], parts_, in id order, and their tables.
  void fill_struct(std::uint32_t index, bool all_optional) {
    order_by_id();
    image::struct_node node;
    node.fields = slice_for(out_->fields, parts_);
    for (const std::uint32_t at : order_) {
      add_field(*parts_[at], all_optional, node.required_count);
      node.has_defaults |= parts_[at]->default_value != nullptr;
    }
    list_declared(node);
    build_id_table(node);
    if (!all_optional) build_prefix_template(*out_, node);
    out_->prefix_positions.resize(out_->fields.size());
    build_field_names(node);
    out_->structs[index] = node;
  }
  /// The fields in source order.
  void list_declared(image::struct_node& node) {
    node.declared = count(out_->indices);
    out_->indices.resize(node.declared + parts_.size());
    for (std::uint32_t i = 0; i < order_.size(); ++i)
      out_->indices[node.declared + order_[i]] = node.fields.begin + i;
  }

  void add_field(const idl::field& from, bool is_optional, std::uint32_t& required_count) {
    image::field_node node = layout_of(from);
    node.required_rank = static_cast<std::uint16_t>(required_count);  // ids are 16 bits wide
    node.flags = flags_of(from, is_optional);
    required_count += node.flags & image::required;
    out_->fields.push_back(node);
    add_field_text(from);
  }
  void add_field_text(const idl::field& from) {
    image::field_text texts;
    texts.json_name = quoted(from.name, ",", ":", texts.name);
    texts.alias = texts.name;
    texts.json_alias = texts.json_name;
    texts.doc = text(from.doc);
    texts.annotations = annotations(from.annotations);
    texts.written = written(from.type);
    out_->field_texts.push_back(texts);
  }
  [[nodiscard]] static std::uint8_t flags_of(const idl::field& from, bool is_optional) noexcept {
    std::uint8_t flags = 0;
    if (from.default_value != nullptr) flags |= image::has_default;
    if (is_optional || from.required == idl::requiredness::optional)
      flags |= image::optional;
    else if (from.required == idl::requiredness::required)
      flags |= image::required;
    return flags;
  }
  [[nodiscard]] image::field_node layout_of(const idl::field& from) {
    image::field_node node;
    node.type = type_of(from.type);
    const image::type_node& type = out_->types[node.type];
    node.id = from.id;
    node.wire = type.wire;
    node.kind = type.kind;
    node.width = type.width;
    node.header = header_of(type.wire, static_cast<std::uint16_t>(from.id));
    return node;
  }
  [[nodiscard]] static std::uint32_t header_of(ttype wire, std::uint32_t id) noexcept {
    return static_cast<std::uint32_t>(wire) | (id >> 8) << 8 | (id & 0xffu) << 16;
  }

  void build_id_table(image::struct_node& node) {
    if (node.fields.size == 0) return;
    node.lowest_id = out_->fields[node.fields.begin].id;
    const auto span = static_cast<std::uint32_t>(out_->fields.back().id - node.lowest_id + 1);
    if (span > node.fields.size * 4 + 64) return;
    node.id_span = span;
    node.id_table = count(out_->indices);
    out_->indices.resize(node.id_table + span);
    for (const std::uint32_t at : node.fields.indices())
      out_->indices[node.id_table + static_cast<std::uint32_t>(out_->fields[at].id - node.lowest_id)] =
          at + 1;
  }

  void build_field_names(image::struct_node& node) {
    names_.clear();
    aliases_.clear();
    for (const std::uint32_t at : order_) {
      const std::string_view name = parts_[at]->name, alias = alias_of(parts_[at]->annotations);
      names_.push_back(name);
      aliases_.push_back(alias.empty() ? name : alias);
    }
    node.names = build_names(out_->name_slots, names_, node.fields.begin, scratch_);
    node.has_aliases = aliases_ != names_;
    if (node.has_aliases) build_aliases(node);
  }
  void build_aliases(image::struct_node& node) {
    settle_aliases();
    node.aliases = build_names(out_->name_slots, aliases_, node.fields.begin, scratch_);
    for (std::uint32_t i = 0; i < node.fields.size; ++i) {
      if (aliases_[i] == names_[i]) continue;
      image::field_text& texts = out_->field_texts[node.fields.begin + i];
      texts.json_alias = quoted(aliases_[i], ",", ":", texts.alias);
    }
  }

  // JSON objects must not have duplicate keys: a key belongs to the field of that name unless it uses an
  // alias, else to the first field with that alias; the others use their names. Linear: a field changes at
  // most once.
  void settle_aliases() {
    owners_.clear();
    for (std::uint32_t i = 0; i < aliases_.size(); ++i) settle_alias(i);
  }
  void settle_alias(std::uint32_t at) {
    for (;;) {
      const auto [owner, fresh] = owners_.try_emplace(aliases_[at], at);
      if (fresh) return;
      if (aliases_[at] == names_[at]) {
        std::swap(at, owner->second);
        if (aliases_[at] == names_[at]) return;
      }
      report_alias(*parts_[order_[at]], aliases_[at]);
      aliases_[at] = names_[at];
    }
  }

  void report_alias(const idl::field& of, std::string_view alias) {
    findings_.warning("alias-taken", filling_, of.where,
                      "another field is called '" + std::string(alias) + "' in JSON; '" +
                          std::string(of.name) + "' goes by its name");
  }

  void fill(std::uint32_t index, const idl::service& from) {
    image::service_node& node = out_->services[index];
    declare(node, from);
    if (from.base.kind == idl::declaration_kind::service)
      node.base = at_[from.base.program].services + from.base.index;
    node.functions = slice_for(out_->functions, from.functions);
    for (const idl::function& declared : from.functions) add_function(declared);
  }
  void add_function(const idl::function& from) {
    if (!knows_streaming(from.annotations))
      findings_.warning("streaming-mode", filling_, from.where, "unknown streaming.mode: bidirectional");
    image::function_node function;
    function.name = text(from.name);
    function.oneway = from.oneway;
    function.returns = type_of(from.returns);
    function.written = written(from.returns);
    function.doc = text(from.doc);
    function.annotations = annotations(from.annotations);
    parts_.clear();
    add_parts(from.arguments);
    function.arguments = add_struct(from.name, "_args", false);
    function.result = add_result(from, function.returns != 0);
    out_->functions.push_back(function);
  }

  std::uint32_t add_result(const idl::function& from, bool returns) {
    idl::field success;
    success.name = "success";
    success.type = from.returns;
    parts_.clear();
    if (returns) parts_.push_back(&success);
    add_parts(from.throws);
    return add_struct(from.name, "_result", true);
  }

  /// An unnamed struct from parts_: arguments or result of a function.
  std::uint32_t add_struct(std::string_view function, std::string_view suffix, bool all_optional) {
    const std::uint32_t index = count(out_->structs);
    out_->structs.emplace_back();
    const std::uint32_t type = add_type(type_kind::struct_, ttype::struct_, index);
    fill_struct(index, all_optional);
    image::struct_node& node = out_->structs[index];
    node.type = type;
    node.program = filling_;
    node.name = text(std::string(function).append(suffix));
    return index;
  }

  struct encoded_value {
    image::slice bytes;
    bool dropped;  ///< elements of sets
  };
  template <class Protocol>
  encoded_value encode(std::uint32_t type, const idl::const_value& from, repeated_elements repeated,
                       const_completion* completion = nullptr) {
    scratch_bytes_.clear();
    spellings_.clear();
    typename Protocol::writer writer(scratch_bytes_);
    const_encoder encoder(*out_, writer, repeated, spellings_, completion);
    encoder.value(type, from);
    const image::slice part = slice_for(out_->bytes, scratch_bytes_);
    out_->bytes.insert(out_->bytes.end(), scratch_bytes_.begin(), scratch_bytes_.end());
    return {part, encoder.dropped()};
  }
  /// Encodes as Binary and records spellings that the bytes do not preserve.
  encoded_value encode_spelled(std::uint32_t type, const idl::const_value& from, repeated_elements repeated) {
    const encoded_value value = encode<binary>(type, from, repeated);
    for (const auto& [at, spelling] : spellings_)
      out_->spellings.push_back({value.bytes.begin + static_cast<std::uint32_t>(at), text(spelling)});
    return value;
  }
  /// Encodes as Binary, for readers and for descriptions, which are nearly always equal.
  void encode_both(std::uint32_t type, const idl::const_value& from, image::slice& value,
                   image::slice& written) {
    const encoded_value first = encode_spelled(type, from, repeated_elements::dropped);
    value = first.bytes;
    written = first.dropped ? encode_spelled(type, from, repeated_elements::retained).bytes : value;
  }

  /// Called after all structs are stored, so that constants of any type can be encoded.
  void fill_values(const idl::program& program) {
    const offsets& at = at_[filling_];
    fill_each_value(at.structs, program.structs);
    fill_each_value(at.services, program.services);
    fill_each_value(at.consts, program.consts);
  }
  void fill_each_value(std::uint32_t index, const auto& declarations) {
    for (const auto& declaration : declarations) fill_value(index++, declaration);
  }
  void fill_value(std::uint32_t index, const idl::struct_& from) {
    fill_defaults(out_->structs[index], from.fields);
  }
  void fill_value(std::uint32_t index, const idl::service& from) {
    std::uint32_t function = out_->services[index].functions.begin;
    for (const idl::function& declaration : from.functions)
      fill_defaults(out_->structs[out_->functions[function++].arguments], declaration.arguments);
  }
  void fill_value(std::uint32_t index, const idl::const_& from) {
    image::const_node& node = out_->consts[index];
    declare(node, from);
    node.type = type_of(from.type);
    node.written_as = written(from.type);
    if (from.value != nullptr) encode_both(node.type, *from.value, node.value, node.written);
  }
  void fill_defaults(const image::struct_node& node, std::span<const idl::field> source) {
    if (!node.has_defaults) return;
    for (std::uint32_t i = 0; i < source.size(); ++i) {
      if (const idl::const_value* value = source[i].default_value)
        fill_default(out_->indices[node.declared + i], *value);
    }
  }
  void fill_default(std::uint32_t field, const idl::const_value& value) {
    image::field_text& texts = out_->field_texts[field];
    const std::uint32_t type = out_->fields[field].type;
    encode_both(type, value, texts.default_binary, texts.default_written);
    const_completion* const completion = has_structs(value) ? &completion_ : nullptr;
    if (completion != nullptr)
      texts.default_binary = encode<binary>(type, value, repeated_elements::dropped, completion).bytes;
    texts.default_compact = encode<compact>(type, value, repeated_elements::dropped, completion).bytes;
  }

  void add_symbols(image::symbol_kind kind, image::slice part, const auto& nodes) {
    for (const std::uint32_t i : part.indices())
      out_->symbols.push_back({nodes[i].program, i, nodes[i].name, kind});
  }
  void build_symbols() {
    using kind = image::symbol_kind;
    for (const image::program_node& node : out_->programs) {
      add_symbols(kind::struct_, node.structs, out_->structs);
      add_symbols(kind::enum_, node.enums, out_->enums);
      add_symbols(kind::typedef_, node.typedefs, out_->typedefs);
      add_symbols(kind::service, node.services, out_->services);
      add_symbols(kind::const_, node.consts, out_->consts);
    }
    index_symbols();
  }
  void index_symbols() {
    out_->symbol_slots.assign(std::bit_ceil(out_->symbols.size() * 2 + 2), 0u);
    std::uint32_t entry = 0;
    for (const image::symbol& named : out_->symbols) {
      std::uint32_t at = out_->symbol_home(out_->view(named.name), named.seed());
      while (out_->symbol_slots[at] != 0) at = out_->next_symbol_slot(at);
      out_->symbol_slots[at] = ++entry;
    }
  }

  const idl::program_set& from_;
  std::shared_ptr<schema_image> out_;
  std::vector<offsets> at_;
  std::uint32_t first_struct_ = 0;

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
  const_completion completion_{declared_fields(from_)};
};

THRIFTLENS_BODY std::shared_ptr<const schema_image> build_image(const idl::program_set& from) {
  return detail::image_builder(from).run();
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
