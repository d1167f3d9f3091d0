// type_resolver: links names of types and services to their declarations.
#pragma once

#include <thriftlens/core/number_table.hpp>
#include <thriftlens/idl/declaration_states.hpp>
#include <thriftlens/idl/options.hpp>
#include <thriftlens/idl/scope.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI::idl {

/// Resolves all programs of a load; declarations may be used before they are declared. A typedef of an
/// unknown name or of a constant is an error in strict mode; in lenient mode the error is reported at the
/// uses of the typedef, and an unused typedef is left unresolved with a warning.
class type_resolver {
 public:
  type_resolver(program_set& set, scope& names, const load_options& options, findings& to)
      : set_(set), names_(names), options_(options), findings_(to) {}

  THRIFTLENS_COLD void run() {
    for (at_ = 0; at_ < set_.programs.size(); ++at_) {
      program& in = set_.programs[at_];
      link(in);
      typedefs_.add_program(in.typedefs.size());
      services_.add_program(in.services.size());
    }
    for (at_ = 0; at_ < set_.programs.size(); ++at_) check_program(set_.programs[at_]);
    if (!broken_.empty()) report_broken();
  }

  /// The type without typedefs; null if it is unresolved.
  [[nodiscard]] THRIFTLENS_NOINLINE const type_ref* see_through(const type_ref& type) const noexcept {
    const type_ref* at = &type;
    while (at->shape == type_ref::form::name) {
      if (at->target.kind == declaration_kind::none) return nullptr;
      if (at->target.kind != declaration_kind::typedef_) return at;
      if (typedefs_.at(at->target.program, at->target.index).stage != stage::resolved) return nullptr;
      at = &set_.programs[at->target.program].typedefs[at->target.index].type;
    }
    return at;
  }
  /// The struct, union or exception of a type without typedefs, or null.
  [[nodiscard]] const struct_* struct_of(const type_ref& type) const noexcept {
    if (type.shape != type_ref::form::name || type.target.kind != declaration_kind::struct_) return nullptr;
    return &set_.programs[type.target.program].structs[type.target.index];
  }
  /// The enum of a type without typedefs, or null.
  [[nodiscard]] const enum_* enum_of(const type_ref& type) const noexcept {
    if (type.shape != type_ref::form::name || type.target.kind != declaration_kind::enum_) return nullptr;
    return &set_.programs[type.target.program].enums[type.target.index];
  }

 private:
  enum class stage : std::uint8_t { fresh, busy, resolved, failed };
  static constexpr std::uint32_t none = 0xFFFFFFFFu;
  /// Size of a type: depth of typedefs and containers down to a base type, enum or struct (0: unresolved),
  /// and the length of its name with typedefs expanded, which `map<T, T>` doubles.
  struct extent {
    std::uint32_t height = 0;
    std::uint32_t cause = none;  ///< if height is 0: the name in `broken_` that it refers to, if any
    std::uint64_t size = 0;

    [[nodiscard]] static extent of(std::uint32_t height, std::uint64_t size) noexcept {
      return {height, none, size};
    }
    /// Adds an argument of a container; fails if the argument failed.
    void add(const extent& argument) noexcept {
      height = argument.height == 0 ? 0 : thriftlens::detail::greatest(height, argument.height + 1);
      cause = argument.cause;
      size += argument.size;
    }
  };
  /// A typedef's target name that is not a type.
  struct broken_name {
    std::uint32_t program;
    const type_ref* type;
    bool is_const;
    bool used = false;
  };
  struct progress {
    enum stage stage = stage::fresh;
    struct extent extent;
  };

  // ---- links

  void link(program& in) {
    in_typedef_ = options_.mode == mode::lenient;
    for (typedef_& node : in.typedefs) link(node.type);
    in_typedef_ = false;
    for (struct_& node : in.structs) link(node.fields);
    for (const_& node : in.consts) link(node.type);
    for (service& node : in.services) {
      link_base(node);
      for (function& call : node.functions) {
        link(call.returns);
        link(call.arguments);
        link(call.throws);
      }
    }
  }
  THRIFTLENS_NOINLINE void link(std::span<field> fields) {
    for (field& member : fields) link(member.type);
  }
  THRIFTLENS_NOINLINE void link(type_ref& type) {
    if (type.shape == type_ref::form::base) return;
    if (type.shape == type_ref::form::name) return link_name(type);
    // Safe: the parser created them as mutable objects in the arena.
    for (const type_ref& argument : type.arguments) link(const_cast<type_ref&>(argument));
  }
  THRIFTLENS_NOINLINE void link_name(type_ref& type) {
    const lookup_result match = names_.find_type(at_, type.name);
    if (match.ambiguous) return report_ambiguous(type.name, type.where);
    if (match.target.kind == declaration_kind::service) {
      return error("not-a-type", type.where, "expected a type, found the service %", {quoted_arg(type.name)});
    }
    if (match.target.kind == declaration_kind::none && !match.excused) return report_unknown(type);
    type.target = match.target;
  }
  THRIFTLENS_COLD void report_unknown(const type_ref& type) {
    const bool is_const = names_.find_const(at_, type.name).target.kind == declaration_kind::const_;
    const broken_name broken{at_, &type, is_const};
    if (!in_typedef_) {
      error(kind_of(broken), type.where, "expected a type, found the %%",
            {describe(broken), advice_for(broken)});
      return;
    }
    broken_index_.insert(&type, static_cast<std::uint32_t>(broken_.size()));
    broken_.push_back(broken);
  }
  [[nodiscard]] THRIFTLENS_COLD std::string advice_for(const broken_name& of) const {
    const std::string_view usual = of.is_const ? "" : hint(of.type->name);
    return usual.empty() ? suggestion_for(of) : std::string(usual);
  }
  [[nodiscard]] static const char* hint(std::string_view name) noexcept {
    if (name == "slist") return "; slist is no longer part of the IDL, use string";
    if (name == "int" || name == "int32") return "; did you mean 'i32'?";
    if (name == "long" || name == "int64") return "; did you mean 'i64'?";
    if (name.starts_with("requ")) return "; did you mean 'required'?";
    if (name.starts_with("opti")) return "; did you mean 'optional'?";
    const bool is_fbthrift = name == "float" || name == "stream" || name == "sink";
    return is_fbthrift ? "; it is of the fbthrift dialect, which is not supported" : "";
  }
  THRIFTLENS_COLD void report_ambiguous(std::string_view name, position where) {
    error("ambiguous-name", where, "the name % is in two included files of the same base name",
          {quoted_arg(name)});
  }
  /// Apache's compiler resolves the base of a service and its exceptions during parsing.
  void check_order(position use, std::string_view name, const declaration_ref& to, position declared) {
    if (options_.mode == mode::strict && to.program == at_ && use < declared)
      error("used-before-declaration", use, "% is used before its declaration", {quoted_arg(name)});
  }
  THRIFTLENS_COLD void link_base(service& node) {
    if (node.extends.empty()) return;
    const lookup_result match = names_.find_type(at_, node.extends);
    if (match.ambiguous) return report_ambiguous(node.extends, node.extends_where);
    if (match.target.kind == declaration_kind::service) {
      node.base = match.target;
      check_order(node.extends_where, node.extends, match.target,
                  set_.programs[match.target.program].services[match.target.index].where);
    } else if (!match.excused) {
      report_no_service(node, match.target.kind != declaration_kind::none);
    }
  }
  THRIFTLENS_COLD void report_no_service(const service& in, bool is_type) {
    error("undefined-service", in.extends_where, "expected a service, found the %%",
          {{is_type ? message_arg::form::type_name : message_arg::form::unknown_name, in.extends},
           names_.suggest(at_, in.extends, declaration_kind::service)});
  }

  // ---- checks

  THRIFTLENS_COLD void check_program(const program& in) {
    for (std::uint32_t i = 0; i < in.typedefs.size(); ++i) measure({declaration_kind::typedef_, at_, i});
    for (const enum_& node : in.enums) check_names(node.members, "duplicate-enum-member", "member");
    for (const struct_& node : in.structs) check_struct(node);
    for (std::uint32_t i = 0; i < in.services.size(); ++i) check_service(in.services[i], i);
  }
  THRIFTLENS_NOINLINE void check_names(const named_nodes& list, const char* kind, const char* kind_name) {
    if (list.size() < 2) return;
    seen_.reset(list.size());
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (!seen_.insert(list.name(i), 0).second)
        error(kind, list.where(i), "duplicate % %", {kind_name, quoted_arg(list.name(i))});
    }
  }
  void check_struct(const struct_& in) {
    check_names(in.fields, "duplicate-field-name", "field");
    if (in.kind == struct_kind::union_) check_union(in);
  }
  THRIFTLENS_COLD void check_union(const struct_& in) {
    bool has_default = false;
    for (const field& member : in.fields) {
      if (member.default_value == nullptr) continue;
      if (has_default)
        error("union-defaults", member.default_value->where,
              "expected one default in a union, found another");
      has_default = true;
    }
  }
  void check_service(const service& in, std::uint32_t index) {
    check_names(in.functions, "duplicate-function", "function");
    const bool based = measure_service({declaration_kind::service, at_, index});
    if (based && options_.mode == mode::strict) check_inherited(in);
    for (const function& call : in.functions) check_function(call);
  }
  void check_function(const function& call) {
    check_names(call.arguments, "duplicate-field-name", "argument");
    check_names(call.throws, "duplicate-field-name", "exception");
    for (const field& thrown : call.throws) check_throws(thrown);
  }
  THRIFTLENS_COLD void check_throws(const field& thrown) {
    const type_ref* type = see_through(thrown.type);
    if (type == nullptr) return;
    const struct_* structure = struct_of(*type);
    if (structure != nullptr && structure->kind == struct_kind::exception_)
      return check_order(thrown.type.where, thrown.type.name, type->target, structure->where);
    error("not-an-exception", thrown.type.where, "expected an exception, found %",
          {quoted_arg(thrown.type.name)});
  }
  /// Looks up own functions in the bases, not vice versa: a base may be large and have many derived services.
  THRIFTLENS_COLD void check_inherited(const service& in) {
    for (const function& call : in.functions) {
      for (declaration_ref at = in.base; at.kind != declaration_kind::none;) {
        const service& base = set_.programs[at.program].services[at.index];
        if (names_.find_function(base, call.name) != name_table::none) {
          error("duplicate-function", call.where, "the function % is inherited from %",
                {quoted_arg(call.name), quoted_arg(base.name)});
          break;
        }
        at = base.base;
      }
    }
  }

  // ---- cycles

  THRIFTLENS_COLD extent measure(const declaration_ref& of) {
    progress& own = typedefs_.at(of.program, of.index);
    const typedef_& in = set_.programs[of.program].typedefs[of.index];
    if (own.stage == stage::busy) {
      findings_.error("typedef-cycle", of.program, in.type.where, "the typedef % refers to itself",
                      {quoted_arg(in.name)});
      own.stage = stage::failed;
    }
    if (own.stage == stage::fresh) measure(in, of.program, own);
    return own.extent;
  }
  THRIFTLENS_COLD void measure(const typedef_& in, std::uint32_t program, progress& own) {
    own.stage = stage::busy;
    ++level_;
    const extent below = level_ > options_.limits.depth ? extent::of(level_, 0) : measure(in.type);
    --level_;
    // Otherwise a cycle through it was reported, or its target is unknown.
    const bool known = own.stage == stage::busy && below.height != 0;
    const bool sound = known && !exceeds_limits(below, program, in.type.where);
    own.stage = sound ? stage::resolved : stage::failed;
    if (sound) own.extent = extent::of(below.height + 1, below.size);
    if (!known) own.extent.cause = below.cause;
  }
  [[nodiscard]] bool exceeds_limits(const extent& of, std::uint32_t program, position where) {
    const idl_limits& max = options_.limits;
    if (of.height > max.depth) {
      findings_.error("depth-limit", program, where,
                      "typedefs and containers are nested deeper than % levels", {max.depth});
    } else if (of.size > max.type_size) {
      findings_.error("size-limit", program, where,
                      "the type has more than % characters with typedefs expanded", {max.type_size});
    }
    return of.height > max.depth || of.size > max.type_size;
  }
  THRIFTLENS_COLD extent measure(const type_ref& type) {
    if (type.shape == type_ref::form::name) return measure_named(type);
    constexpr std::size_t base_name = 8;
    extent total = extent::of(1, base_name);
    ++level_;
    for (const type_ref& argument : type.arguments) {
      if (total.height != 0) total.add(measure(argument));
    }
    --level_;
    return total;
  }
  extent measure_named(const type_ref& type) {
    const declaration_ref& to = type.target;
    if (to.kind == declaration_kind::none) return {0, cause_of(type), 0};
    if (to.kind == declaration_kind::typedef_) return measure(to);
    return extent::of(1, set_.programs[to.program].name.size() + 1 + type.name.size());
  }
  /// False if its bases form a cycle or are too many.
  THRIFTLENS_COLD bool measure_service(const declaration_ref& of) {
    progress& own = services_.at(of.program, of.index);
    const service& in = set_.programs[of.program].services[of.index];
    if (own.stage == stage::busy) {
      findings_.error("service-cycle", of.program, in.extends_where, "the service % extends itself",
                      {quoted_arg(in.name)});
      own.stage = stage::failed;
    }
    if (own.stage == stage::fresh) measure_bases(in, of.program, own);
    return own.stage == stage::resolved;
  }
  THRIFTLENS_COLD void measure_bases(const service& in, std::uint32_t program, progress& own) {
    own.stage = stage::busy;
    own.extent.height = 1;
    ++level_;
    const bool sound = in.base.kind != declaration_kind::service || measure_base(in, program, own);
    --level_;
    own.stage = sound && own.stage == stage::busy ? stage::resolved : stage::failed;
  }
  [[nodiscard]] THRIFTLENS_COLD bool measure_base(const service& in, std::uint32_t program, progress& own) {
    const std::uint32_t max = options_.limits.depth;
    const bool sound = level_ <= max && measure_service(in.base);
    own.extent.height = sound ? services_.at(in.base.program, in.base.index).extent.height + 1 : 0;
    if (level_ <= max && own.extent.height <= max) return sound;
    findings_.error("depth-limit", program, in.extends_where,
                    "services extend each other deeper than % levels", {max});
    return false;
  }

  // ---- typedefs without a valid type

  [[nodiscard]] std::uint32_t cause_of(const type_ref& type) const { return broken_index_.find(&type); }
  /// Reports errors for uses of broken typedefs, then warnings for unused ones.
  THRIFTLENS_COLD void report_broken() {
    for (at_ = 0; at_ < set_.programs.size(); ++at_) {
      program& in = set_.programs[at_];
      for (const struct_& node : in.structs) report_uses(node.fields);
      for (const const_& node : in.consts) report_uses(node.type);
      for (const service& node : in.services) report_uses(node);
      mark_unresolved(in.typedefs);
    }
    for (const broken_name& name : broken_)
      if (!name.used) warn_of(name);
  }
  THRIFTLENS_COLD void mark_unresolved(std::span<typedef_> typedefs) const {
    for (std::uint32_t i = 0; i < typedefs.size(); ++i)
      typedefs[i].unresolved = typedefs_.at(at_, i).stage == stage::failed;
  }
  THRIFTLENS_COLD void warn_of(const broken_name& name) {
    findings_.warning(kind_of(name), name.program, name.type->where,
                      "expected a type, found the %%; no other declaration uses this typedef",
                      {describe(name), suggestion_for(name)});
  }
  THRIFTLENS_COLD void report_uses(const service& in) {
    for (const function& call : in.functions) {
      report_uses(call.returns);
      report_uses(call.arguments);
      report_uses(call.throws);
    }
  }
  THRIFTLENS_NOINLINE void report_uses(std::span<const field> fields) {
    for (const field& member : fields) report_uses(member.type);
  }
  THRIFTLENS_NOINLINE void report_uses(const type_ref& type) {
    for (const type_ref& argument : type.arguments) report_uses(argument);
    if (type.shape != type_ref::form::name || type.target.kind != declaration_kind::typedef_) return;
    const std::uint32_t cause = typedefs_.at(type.target.program, type.target.index).extent.cause;
    if (cause == none) return;
    broken_[cause].used = true;
    error(kind_of(broken_[cause]), type.where, "expected a type, found %, a typedef of the %%",
          {quoted_arg(type.name), describe(broken_[cause]), suggestion_for(broken_[cause])});
  }
  [[nodiscard]] static const char* kind_of(const broken_name& of) noexcept {
    return of.is_const ? "not-a-type" : "undefined-type";
  }
  [[nodiscard]] static message_arg describe(const broken_name& of) noexcept {
    return {of.is_const ? message_arg::form::const_name : message_arg::form::unknown_name, of.type->name};
  }
  [[nodiscard]] std::string suggestion_for(const broken_name& of) const {
    if (of.is_const || findings_.is_full()) return {};
    return names_.suggest(of.program, of.type->name, declaration_kind::none);
  }

  THRIFTLENS_COLD void error(const char* kind, position where, const char* text, message_args args = {}) {
    findings_.error(kind, at_, where, text, args);
  }

  program_set& set_;
  scope& names_;
  const load_options& options_;
  findings& findings_;
  std::uint32_t at_ = 0;
  std::uint32_t level_ = 0;  ///< typedefs and containers, or services, that are being measured
  bool in_typedef_ = false;  ///< of a lenient load
  thriftlens::detail::pod_vector<broken_name> broken_;
  thriftlens::detail::number_table broken_index_;  ///< by type
  name_table seen_;
  declaration_states<progress> typedefs_;
  declaration_states<progress> services_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::idl
