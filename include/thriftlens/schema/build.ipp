// build: bodies of build.hpp. Never reports errors (parse and resolve have; an alias that is taken is a
// warning).
#pragma once

#include <thriftlens/core/number_table.hpp>
#include <thriftlens/core/small_algorithm.hpp>
#include <thriftlens/idl/findings.hpp>
#include <thriftlens/idl/name_table.hpp>
#include <thriftlens/idl/program.hpp>
#include <thriftlens/schema/build.hpp>
#include <thriftlens/schema/build_values.hpp>
#include <thriftlens/schema/image.hpp>
#include <thriftlens/schema/json_alias.hpp>
#include <thriftlens/schema/name_tables.hpp>
#include <thriftlens/schema/prefix_template.hpp>
#include <thriftlens/schema/streaming.hpp>
#include <thriftlens/schema/text_builder.hpp>

#include <bit>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Builds one image. Linear in the IDL; assigns the indices of declarations first.
class image_builder {
 public:
  THRIFTLENS_COLD explicit image_builder(idl::program_set& from)
      : from_(from), out_(std::make_shared<schema_image>()), texts_(*out_), values_(from, *out_, texts_) {}

  [[nodiscard]] THRIFTLENS_COLD std::shared_ptr<const schema_image> run() {
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

  [[nodiscard]] THRIFTLENS_COLD std::shared_ptr<const schema_image> finish() {
    out_->text.append(64, '\0');
    out_->bytes.resize(out_->bytes.size() + 64);
    out_->warnings =
        merged(from_.warnings, findings_.diagnostics({from_.programs.data(), from_.programs.size()}));
    return std::move(out_);
  }

  [[nodiscard]] THRIFTLENS_COLD static std::vector<diagnostic> merged(std::vector<diagnostic>& first,
                                                                      std::vector<diagnostic> last) {
    std::vector<diagnostic> result(first.size() + last.size());
    for (std::size_t i = 0; i < result.size(); ++i)
      result[i] = std::move(i < first.size() ? first[i] : last[i - first.size()]);
    return result;
  }

  static constexpr std::pair<type_kind, ttype> base_kinds[] = {
      {type_kind::void_, ttype::void_},     {type_kind::bool_, ttype::bool_},
      {type_kind::i8, ttype::i8},           {type_kind::i16, ttype::i16},
      {type_kind::i32, ttype::i32},         {type_kind::i64, ttype::i64},
      {type_kind::double_, ttype::double_}, {type_kind::string, ttype::string},
      {type_kind::binary, ttype::string},   {type_kind::uuid, ttype::uuid}};
  static constexpr std::uint32_t base_types = std::size(base_kinds);
  static constexpr std::uint32_t unvisited = image::none - 1;

  [[nodiscard]] static std::size_t fields_in(const idl::program& program) noexcept {
    std::size_t fields = 0;
    for (const idl::struct_& declaration : program.structs) fields += declaration.fields.size();
    for (const idl::service& declaration : program.services) {
      for (const idl::function& function : declaration.functions)
        fields += function.arguments.size() + function.throws.size() + 1;
    }
    return fields;
  }
  THRIFTLENS_COLD void reserve() {
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
  THRIFTLENS_COLD void lay_out() {
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
  THRIFTLENS_COLD void resize(const offsets& totals) {
    out_->enums.resize(totals.enums);
    out_->structs.resize(totals.structs);
    out_->consts.resize(totals.consts);
    out_->services.resize(totals.services);
    out_->programs.resize(from_.programs.size());
    typedef_types_.assign(totals.typedefs, image::none);
    typedefs_written_.assign(totals.typedefs, unvisited);
  }
  /// Computes the offsets of the programs' declarations; returns the totals.
  [[nodiscard]] THRIFTLENS_COLD offsets count_declarations() {
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

  THRIFTLENS_NOINLINE std::uint32_t add_type(type_kind kind, ttype wire, std::uint32_t first = image::none,
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
  THRIFTLENS_NOINLINE std::uint32_t intern(type_kind kind, ttype wire, std::uint32_t first,
                                           std::uint32_t second = image::none) {
    const std::uint64_t key = (static_cast<std::uint64_t>(first) << 32 | second) * 3 +
                              static_cast<std::uint64_t>(wire) - static_cast<std::uint64_t>(ttype::map);
    const auto [type, fresh] = containers_.insert(key, count(out_->types));
    if (fresh) add_type(kind, wire, first, second);
    return type;
  }

  THRIFTLENS_NOINLINE std::uint32_t type_of(const idl::type_ref& ref) {
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

  void declare(auto& node, const auto& from) {
    const declared_texts texts = texts_.add(from.name, from.doc, from.annotations);
    node.name = texts.name;
    node.doc = texts.doc;
    node.annotations = texts.annotations;
    node.program = filling_;
  }

  /// Annotations of a type reference, of its typedefs and of its arguments, or none.
  THRIFTLENS_COLD std::uint32_t written(const idl::type_ref& from) {
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
    if (typedefs_written_[index] == unvisited) {
      const idl::typedef_& declared = from_.programs[target.program].typedefs[target.index];
      const std::uint32_t annotated = with_annotations(written(declared.type), declared.annotations);
      typedefs_written_[index] = annotated;
    }
    return typedefs_written_[index];
  }
  THRIFTLENS_COLD std::uint32_t with_annotations(std::uint32_t of, std::span<const idl::annotation> own) {
    if (own.empty()) return of;
    return add_written(of == image::none ? image::written_type{} : out_->written_types[of], own);
  }
  /// Puts own annotations before the inherited ones, whose number is limited.
  THRIFTLENS_COLD std::uint32_t add_written(image::written_type entry, std::span<const idl::annotation> own) {
    if (!own.empty()) entry.annotations = joined(own, entry.annotations);
    out_->written_types.push_back(entry);
    return count(out_->written_types) - 1;
  }
  THRIFTLENS_COLD image::slice joined(std::span<const idl::annotation> own, image::slice inherited) {
    constexpr std::uint32_t max_inherited = 64;
    const std::uint32_t begin = count(out_->annotations);
    texts_.add_annotations(own);
    for (std::uint32_t i = 0; i < (std::min)(inherited.size, max_inherited); ++i)
      out_->annotations.push_back(out_->annotations[inherited.begin + i]);
    return {begin, count(out_->annotations) - begin};
  }

  THRIFTLENS_COLD void fill_program(const idl::program& program) {
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
  THRIFTLENS_COLD void fill_header(image::program_node& node, const idl::program& program) {
    node.name = texts_.text(program.name);
    node.file = texts_.text(program.file);
    node.doc = texts_.text(program.doc);
    node.namespaces = slice_for(out_->namespaces, program.namespaces);
    for (const idl::namespace_& declaration : program.namespaces)
      out_->namespaces.push_back({texts_.text(declaration.scope), texts_.text(declaration.name)});
    fill_includes(node, program);
  }
  THRIFTLENS_COLD void fill_includes(image::program_node& node, const idl::program& program) {
    node.includes = slice_for(out_->indices, program.includes);
    node.include_paths = count(out_->include_paths);
    for (const idl::include& declaration : program.includes) {
      out_->indices.push_back(declaration.program);
      out_->include_paths.push_back(texts_.text(declaration.path));
    }
  }

  THRIFTLENS_COLD image::slice fill_typedefs(const idl::program& program) {
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

  THRIFTLENS_COLD void fill(std::uint32_t index, const idl::enum_& from) {
    image::enum_node& node = out_->enums[index];
    declare(node, from);
    node.type = base_types + index;
    node.members = slice_for(out_->enum_members, from.members);
    names_.clear();
    for (const idl::enum_member& declaration : from.members) add_member(declaration);
    node.names = build_names(out_->name_slots, all_of(names_), node.members.begin, scratch_);
    index_by_value(node);
  }
  THRIFTLENS_COLD void index_by_value(image::enum_node& node) {
    node.by_value = count(out_->indices);
    keys_.clear();
    for (const std::uint32_t at : node.members.indices())
      keys_.push_back(ascending_key(out_->enum_members[at].value));
    order_of(keys_, order_);
    for (const std::uint32_t at : order_) out_->indices.push_back(node.members.begin + at);
  }
  THRIFTLENS_COLD void add_member(const idl::enum_member& from) {
    image::enum_member_node member;
    member.json_name = texts_.quoted(from.name, "", "", member.name);
    member.value = from.value;
    member.doc = texts_.text(from.doc);
    member.annotations = texts_.annotations(from.annotations);
    out_->enum_members.push_back(member);
    names_.push_back(from.name);
  }

  THRIFTLENS_COLD void fill(std::uint32_t index, const idl::struct_& from) {
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
    keys_.clear();
    for (const idl::field* part : parts_) keys_.push_back(ascending_key(part->id));
    order_of(keys_, order_);
  }
  [[nodiscard]] static std::uint64_t ascending_key(std::int32_t value) noexcept {
    return static_cast<std::uint32_t>(value) ^ 0x80000000u;
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
  THRIFTLENS_COLD void list_declared(image::struct_node& node) {
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
  THRIFTLENS_NOINLINE void add_field_text(const idl::field& from) {
    image::field_text texts;
    texts.json_name = texts_.quoted(from.name, ",", ":", texts.name);
    texts.alias = texts.name;
    texts.json_alias = texts.json_name;
    texts.doc = texts_.text(from.doc);
    texts.annotations = texts_.annotations(from.annotations);
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

  THRIFTLENS_COLD void build_id_table(image::struct_node& node) {
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

  THRIFTLENS_COLD void build_field_names(image::struct_node& node) {
    names_.clear();
    aliases_.clear();
    for (const std::uint32_t at : order_) {
      const std::string_view name = parts_[at]->name, alias = alias_of(parts_[at]->annotations);
      names_.push_back(name);
      aliases_.push_back(alias.empty() ? name : alias);
      node.has_aliases |= aliases_.back() != name;
    }
    node.names = build_names(out_->name_slots, all_of(names_), node.fields.begin, scratch_);
    if (node.has_aliases) build_aliases(node);
  }
  THRIFTLENS_COLD void build_aliases(image::struct_node& node) {
    settle_aliases();
    node.aliases = build_names(out_->name_slots, all_of(aliases_), node.fields.begin, scratch_);
    for (std::uint32_t i = 0; i < node.fields.size; ++i) {
      if (aliases_[i] == names_[i]) continue;
      image::field_text& texts = out_->field_texts[node.fields.begin + i];
      texts.json_alias = texts_.quoted(aliases_[i], ",", ":", texts.alias);
    }
  }

  // JSON objects must not have duplicate keys: a key belongs to the field of that name unless it uses an
  // alias, else to the first field with that alias; the others use their names. Linear: a field changes at
  // most once.
  THRIFTLENS_COLD void settle_aliases() {
    owners_.reset(aliases_.size());
    for (std::uint32_t i = 0; i < aliases_.size(); ++i) settle_alias(i);
  }
  THRIFTLENS_COLD void settle_alias(std::uint32_t at) {
    for (;;) {
      const auto [owner, fresh] = owners_.insert(aliases_[at], at);
      if (fresh) return;
      if (aliases_[at] == names_[at]) {
        owners_.replace(aliases_[at], at);
        at = owner;
        if (aliases_[at] == names_[at]) return;
      }
      report_alias(*parts_[order_[at]], aliases_[at]);
      aliases_[at] = names_[at];
    }
  }
  [[nodiscard]] static std::span<const std::string_view> all_of(const pod_vector<std::string_view>& texts) {
    return {texts.data(), texts.size()};
  }

  THRIFTLENS_COLD void report_alias(const idl::field& of, std::string_view alias) {
    findings_.warning("alias-taken", filling_, of.where,
                      "another field is called '%' in JSON; '%' keeps its own name", {alias, of.name});
  }

  THRIFTLENS_COLD void fill(std::uint32_t index, const idl::service& from) {
    image::service_node& node = out_->services[index];
    declare(node, from);
    if (from.base.kind == idl::declaration_kind::service)
      node.base = at_[from.base.program].services + from.base.index;
    node.functions = slice_for(out_->functions, from.functions);
    for (const idl::function& declared : from.functions) add_function(declared);
  }
  THRIFTLENS_COLD void add_function(const idl::function& from) {
    if (!knows_streaming(from.annotations))
      findings_.warning("streaming-mode", filling_, from.where, "unknown streaming.mode: bidirectional");
    image::function_node function;
    function.name = texts_.text(from.name);
    function.oneway = from.oneway;
    function.returns = type_of(from.returns);
    function.written = written(from.returns);
    function.doc = texts_.text(from.doc);
    function.annotations = texts_.annotations(from.annotations);
    parts_.clear();
    add_parts(from.arguments);
    function.arguments = add_struct(from.name, "_args", false);
    function.result = add_result(from, function.returns != 0);
    out_->functions.push_back(function);
  }

  THRIFTLENS_COLD std::uint32_t add_result(const idl::function& from, bool returns) {
    idl::field success;
    success.name = "success";
    success.type = from.returns;
    parts_.clear();
    if (returns) parts_.push_back(&success);
    add_parts(from.throws);
    return add_struct(from.name, "_result", true);
  }

  /// An unnamed struct from parts_: arguments or result of a function.
  THRIFTLENS_COLD std::uint32_t add_struct(std::string_view function, std::string_view suffix,
                                           bool all_optional) {
    const std::uint32_t index = count(out_->structs);
    out_->structs.emplace_back();
    const std::uint32_t type = add_type(type_kind::struct_, ttype::struct_, index);
    fill_struct(index, all_optional);
    image::struct_node& node = out_->structs[index];
    node.type = type;
    node.program = filling_;
    node.name = texts_.text(std::string(function).append(suffix));
    return index;
  }

  /// Called after all structs are stored, so that constants of any type can be encoded.
  THRIFTLENS_COLD void fill_values(const idl::program& program) {
    const offsets& at = at_[filling_];
    fill_each_value(at.structs, program.structs);
    fill_each_value(at.services, program.services);
    fill_each_value(at.consts, program.consts);
  }
  void fill_each_value(std::uint32_t index, const auto& declarations) {
    for (const auto& declaration : declarations) fill_value(index++, declaration);
  }
  void fill_value(std::uint32_t index, const idl::struct_& from) {
    values_.add_defaults(out_->structs[index], from.fields);
  }
  THRIFTLENS_COLD void fill_value(std::uint32_t index, const idl::service& from) {
    std::uint32_t function = out_->services[index].functions.begin;
    for (const idl::function& declaration : from.functions)
      values_.add_defaults(out_->structs[out_->functions[function++].arguments], declaration.arguments);
  }
  THRIFTLENS_COLD void fill_value(std::uint32_t index, const idl::const_& from) {
    image::const_node& node = out_->consts[index];
    declare(node, from);
    node.type = type_of(from.type);
    node.written_as = written(from.type);
    if (from.value != nullptr) values_.add(node.type, *from.value, node.value, node.written);
  }
  THRIFTLENS_COLD void add_symbols(image::symbol_kind kind, std::uint32_t program, image::slice part,
                                   const image::slice* name, std::size_t node_size) {
    const auto* at = reinterpret_cast<const std::byte*>(name);
    for (const std::uint32_t i : part.indices()) {
      out_->symbols.push_back({program, i, *reinterpret_cast<const image::slice*>(at), kind});
      at += node_size;
    }
  }
  void add_symbols(image::symbol_kind kind, std::uint32_t program, image::slice part, const auto& nodes) {
    if (part.size != 0) add_symbols(kind, program, part, &nodes[part.begin].name, sizeof(nodes[0]));
  }
  THRIFTLENS_COLD void build_symbols() {
    using kind = image::symbol_kind;
    for (std::uint32_t program = 0; program < out_->programs.size(); ++program) {
      const image::program_node& node = out_->programs[program];
      add_symbols(kind::struct_, program, node.structs, out_->structs);
      add_symbols(kind::enum_, program, node.enums, out_->enums);
      add_symbols(kind::typedef_, program, node.typedefs, out_->typedefs);
      add_symbols(kind::service, program, node.services, out_->services);
      add_symbols(kind::const_, program, node.consts, out_->consts);
    }
    index_symbols();
  }
  THRIFTLENS_COLD void index_symbols() {
    out_->symbol_slots.assign(std::bit_ceil(out_->symbols.size() * 2 + 2), 0u);
    std::uint32_t entry = 0;
    for (const image::symbol& named : out_->symbols) {
      std::uint32_t at = out_->symbol_home(out_->view(named.name), named.seed());
      while (out_->symbol_slots[at] != 0) at = out_->next_symbol_slot(at);
      out_->symbol_slots[at] = ++entry;
    }
  }

  idl::program_set& from_;
  std::shared_ptr<schema_image> out_;
  pod_vector<offsets> at_;  ///< of programs
  std::uint32_t first_struct_ = 0;
  pod_vector<std::uint32_t> typedef_types_;
  number_table containers_;
  pod_vector<std::uint32_t> typedefs_written_;
  pod_vector<const idl::field*> parts_;
  pod_vector<std::uint32_t> order_;
  pod_vector<std::uint64_t> keys_;
  pod_vector<std::string_view> names_;
  pod_vector<std::string_view> aliases_;
  idl::name_table owners_;
  std::uint32_t filling_ = 0;  // the program
  idl::findings findings_{100};
  pod_vector<named_value> scratch_;
  text_builder texts_;
  value_builder values_;
};

THRIFTLENS_LOADER_BODY std::shared_ptr<const schema_image> build_image(idl::program_set& from) {
  return detail::image_builder(from).run();
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
