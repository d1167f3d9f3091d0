// schema: IDL loaded at run time; the owner of types.
// In: a file, a text or a map of texts. Out: types, constants and services by name.
// Never changes after loading; copies share one image, threads may share a copy.
#pragma once

#include <thriftlens/core/quote.hpp>
#include <thriftlens/core/result.hpp>
#include <thriftlens/idl/load.hpp>
#include <thriftlens/schema/build.hpp>
#include <thriftlens/schema/nearest.hpp>
#include <thriftlens/schema/suggest.hpp>

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI {

using idl::load_options;

/// A constant of the IDL: its type and its value as Binary, good while the schema lives.
struct constant_info {
  thriftlens::type type;
  byte_view value;
};

/// Types, constants and services of one root file and everything it includes. 16 bytes; copying shares, and
/// so does moving: there is no empty schema. Handles taken from it are good while any copy lives; none can be
/// taken from a temporary.
class schema {
 public:
  // Without moves of their own: what is moved from stays as it was.
  schema(const schema&) noexcept = default;
  schema& operator=(const schema&) noexcept = default;
  ~schema() = default;

  /// Loads a file and its includes. Errors: schema_invalid with all findings; io as a finding of the root.
  [[nodiscard]] static result<schema> try_load(const std::string& file, const load_options& options = {}) {
    return from(idl::try_load(file, options));
  }
  [[nodiscard]] static schema load(const std::string& file, const load_options& options = {}) {
    return try_load(file, options).value();
  }
  /// Loads a text; its includes come from the options. `name` is what messages call it.
  [[nodiscard]] static result<schema> try_parse(std::string_view text, const load_options& options = {},
                                                std::string_view name = "<text>") {
    return from(idl::try_parse(text, options, name));
  }
  [[nodiscard]] static schema parse(std::string_view text, const load_options& options = {},
                                    std::string_view name = "<text>") {
    return try_parse(text, options, name).value();
  }
  /// Of an image that was built before. Raises schema_invalid for none.
  explicit schema(std::shared_ptr<const schema_image> image) : image_(std::move(image)) {
    if (image_ == nullptr) [[unlikely]]
      detail::raise_empty(errc::schema_invalid, "a schema of no image");
  }

  /// A struct, union, exception, enum or typedef by name ("Order", "base.User" for included files), or a base
  /// type ("i32"). O(1); O(files) with a prefix. Error: type_not_found with the nearest names.
  [[nodiscard]] result<thriftlens::type> try_type(std::string_view name) const& THRIFTLENS_LIFETIMEBOUND {
    const std::uint32_t found = find_type(name);
    if (found == image::none) return not_found("type", types_, name);
    return thriftlens::type(image_.get(), found);
  }
  [[nodiscard]] thriftlens::type type(std::string_view name) const& THRIFTLENS_LIFETIMEBOUND {
    return try_type(name).value();
  }
  void try_type(std::string_view name) const&& = delete;
  void type(std::string_view name) const&& = delete;

  /// A service by name. Error: type_not_found with the nearest names.
  [[nodiscard]] result<service_info> try_service(std::string_view name) const& THRIFTLENS_LIFETIMEBOUND {
    const image::symbol* found = find(name, image::symbol_kind::service);
    if (found == nullptr || found->kind != image::symbol_kind::service)
      return not_found("service", services_, name);
    return service_info(image_.get(), found->index);
  }
  [[nodiscard]] service_info service(std::string_view name) const& THRIFTLENS_LIFETIMEBOUND {
    return try_service(name).value();
  }
  void try_service(std::string_view name) const&& = delete;
  void service(std::string_view name) const&& = delete;

  /// A constant by name. Error: type_not_found with the nearest names.
  [[nodiscard]] result<constant_info> try_constant(std::string_view name) const& THRIFTLENS_LIFETIMEBOUND {
    const image::symbol* found = find(name, image::symbol_kind::const_);
    if (found == nullptr) return not_found("constant", constants_, name);
    const image::const_node& node = image_->consts[found->index];
    return constant_info{{image_.get(), node.type}, image_->value(node.value)};
  }
  [[nodiscard]] constant_info constant(std::string_view name) const& THRIFTLENS_LIFETIMEBOUND {
    return try_constant(name).value();
  }
  void try_constant(std::string_view name) const&& = delete;
  void constant(std::string_view name) const&& = delete;

  /// Names of all types of the root file, then of the included ones with their prefix, in source order.
  /// Allocates.
  [[nodiscard]] std::vector<std::string> type_names() const { return names(types_); }
  [[nodiscard]] std::vector<std::string> service_names() const { return names(services_); }

  /// Findings that did not stop the load.
  [[nodiscard]] const std::vector<diagnostic>& warnings() const& noexcept THRIFTLENS_LIFETIMEBOUND {
    return image_->warnings;
  }
  [[nodiscard]] std::vector<diagnostic> warnings() const&& { return image_->warnings; }
  [[nodiscard]] const std::shared_ptr<const schema_image>& image() const& noexcept THRIFTLENS_LIFETIMEBOUND {
    return image_;
  }
  [[nodiscard]] std::shared_ptr<const schema_image> image() const&& noexcept { return image_; }

 private:
  static result<schema> from(result<idl::program_set> loaded) {
    if (!loaded) return std::move(loaded).error();
    return schema(build_image(*loaded));
  }

  /// What stands behind the prefix: in an include of the root first, then in any file of that name that has
  /// it.
  [[nodiscard]] const image::symbol* find(std::string_view name, image::symbol_kind kind) const noexcept {
    if (const image::symbol* local = image_->find_symbol(0, name, kind)) return local;
    const std::size_t dot = name.rfind('.');
    if (dot == std::string_view::npos) return nullptr;
    const std::string_view prefix = name.substr(0, dot), last = name.substr(dot + 1);
    const auto in_program = [&](std::uint32_t program) {
      const bool is_meant = image_->view(image_->programs[program].name) == prefix;
      return is_meant ? image_->find_symbol(program, last, kind) : nullptr;
    };
    return find_included(in_program);
  }
  /// The first that `find(program)` finds: in an include of the root, then in any file.
  [[nodiscard]] const image::symbol* find_included(auto find) const noexcept {
    for (const std::uint32_t i : image_->programs[0].includes.indices()) {
      if (const image::symbol* found = find(image_->indices[i])) return found;
    }
    for (std::uint32_t p = 0; p < image_->programs.size(); ++p) {
      if (const image::symbol* found = find(p)) return found;
    }
    return nullptr;
  }
  [[nodiscard]] std::uint32_t find_type(std::string_view name) const noexcept {
    const image::symbol* found = find(name, image::symbol_kind::struct_);
    if (found == nullptr || found->kind == image::symbol_kind::service) return find_base_type(name);
    if (found->kind == image::symbol_kind::struct_) return image_->structs[found->index].type;
    if (found->kind == image::symbol_kind::enum_) return image_->enums[found->index].type;
    return image_->typedefs[found->index].type;
  }
  [[nodiscard]] std::uint32_t find_base_type(std::string_view name) const noexcept {
    for (std::uint32_t i = 1; i <= 9; ++i) {
      if (to_string(image_->types[i].kind) == name) return i;
    }
    return name == "byte" ? 2 : image::none;
  }
  using kinds = std::span<const image::symbol_kind>;
  static constexpr image::symbol_kind types_[] = {image::symbol_kind::struct_, image::symbol_kind::enum_,
                                                  image::symbol_kind::typedef_};
  static constexpr image::symbol_kind services_[] = {image::symbol_kind::service};
  static constexpr image::symbol_kind constants_[] = {image::symbol_kind::const_};

  /// Calls `visit(name, prefix)` for all of these kinds; the root's have no prefix.
  void for_each_name(kinds of, auto visit) const {
    for (const image::symbol& each : image_->symbols) {
      if (std::find(of.begin(), of.end(), each.kind) == of.end()) continue;
      visit(image_->view(each.name),
            each.program == 0 ? std::string_view() : image_->view(image_->programs[each.program].name));
    }
  }
  [[nodiscard]] std::vector<std::string> names(kinds of) const {
    std::vector<std::string> found;
    for_each_name(of, [&](std::string_view name, std::string_view prefix) {
      found.push_back(prefix.empty() ? std::string(name) : std::string(prefix) + '.' + std::string(name));
    });
    return found;
  }
  [[nodiscard]] error not_found(std::string_view what, kinds of, std::string_view name) const {
    nearest_names near(name);
    for_each_name(of, [&](std::string_view known, std::string_view prefix) { near.offer(known, prefix); });
    return error(errc::type_not_found, "no " + std::string(what) + " named " + in_quotes(name) + near.text());
  }

  std::shared_ptr<const schema_image> image_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI
