// schema: IDL loaded at run time; owns the types. Immutable; copies share one image; safe to share between
// threads.
#pragma once

#include <thriftlens/core/result.hpp>
#include <thriftlens/idl/fwd.hpp>
#include <thriftlens/idl/options.hpp>
#include <thriftlens/schema/service.hpp>
#include <thriftlens/schema/suggest.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI {

using idl::load_options;

/// A constant of the IDL: its type and its value as Binary. Must not outlive the schema.
struct constant_info {
  thriftlens::type type;
  byte_view value;
};

/// Types, constants and services of a root file and its includes. 16 bytes; copies and moves share the data,
/// so a schema is never empty. Handles are valid while any copy exists; they cannot be taken from a
/// temporary.
class schema {
 public:
  // No move operations: a moved-from schema remains valid.
  schema(const schema&) noexcept = default;
  schema& operator=(const schema&) noexcept = default;
  ~schema() = default;

  /// Loads a file and its includes. Errors: schema_invalid with all findings; io as a finding of the root.
  [[nodiscard]] static result<schema> try_load(const std::string& file,
                                               const load_options& options = load_options::defaults());
  [[nodiscard]] static schema load(const std::string& file,
                                   const load_options& options = load_options::defaults());
  /// Loads a text; its includes come from the options. `name` is used in messages.
  [[nodiscard]] static result<schema> try_parse(std::string_view text,
                                                const load_options& options = load_options::defaults(),
                                                std::string_view name = "<text>");
  [[nodiscard]] static schema parse(std::string_view text,
                                    const load_options& options = load_options::defaults(),
                                    std::string_view name = "<text>");
  /// Wraps an existing image. Raises schema_invalid for null.
  explicit schema(std::shared_ptr<const schema_image> image) : image_(std::move(image)) {
    if (image_ == nullptr) [[unlikely]]
      detail::raise_empty(errc::schema_invalid, "a schema of no image");
  }

  /// A struct, union, exception, enum or typedef by name ("Order", "base.User" for included files), or a base
  /// type ("i32"). O(1); O(files) with a prefix. Error: unknown_name with the nearest names.
  [[nodiscard]] result<thriftlens::type> try_type(std::string_view name) const& THRIFTLENS_LIFETIMEBOUND;
  [[nodiscard]] thriftlens::type type(std::string_view name) const& THRIFTLENS_LIFETIMEBOUND {
    return try_type(name).value();
  }
  void try_type(std::string_view name) const&& = delete;
  void type(std::string_view name) const&& = delete;

  /// A service by name. Error: unknown_name with the nearest names.
  [[nodiscard]] result<service_info> try_service(std::string_view name) const& THRIFTLENS_LIFETIMEBOUND;
  [[nodiscard]] service_info service(std::string_view name) const& THRIFTLENS_LIFETIMEBOUND {
    return try_service(name).value();
  }
  void try_service(std::string_view name) const&& = delete;
  void service(std::string_view name) const&& = delete;

  /// A constant by name. Error: unknown_name with the nearest names.
  [[nodiscard]] result<constant_info> try_constant(std::string_view name) const& THRIFTLENS_LIFETIMEBOUND;
  [[nodiscard]] constant_info constant(std::string_view name) const& THRIFTLENS_LIFETIMEBOUND {
    return try_constant(name).value();
  }
  void try_constant(std::string_view name) const&& = delete;
  void constant(std::string_view name) const&& = delete;

  /// Names of all types of the root file, then of included files with their prefix, in source order.
  /// Allocates.
  [[nodiscard]] std::vector<std::string> type_names() const;
  [[nodiscard]] std::vector<std::string> service_names() const;

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
  /// From a file, or from a text if `file` is null.
  static result<schema> from(const std::string* file, std::string_view text, const load_options& options,
                             std::string_view name);

  /// Looks up the qualified name: first in an include of the root, then in any file with that name.
  [[nodiscard]] const detail::image::symbol* find(std::string_view name,
                                                  detail::image::symbol_kind kind) const noexcept;
  /// The first match of `find(program)`: in an include of the root, then in any file.
  [[nodiscard]] const detail::image::symbol* find_included(auto find) const noexcept;
  [[nodiscard]] std::uint32_t find_type(std::string_view name) const noexcept;
  [[nodiscard]] std::uint32_t find_base_type(std::string_view name) const noexcept;
  using kinds = std::span<const detail::image::symbol_kind>;
  static constexpr detail::image::symbol_kind types_[] = {detail::image::symbol_kind::struct_,
                                                          detail::image::symbol_kind::enum_,
                                                          detail::image::symbol_kind::typedef_};
  static constexpr detail::image::symbol_kind services_[] = {detail::image::symbol_kind::service};
  static constexpr detail::image::symbol_kind constants_[] = {detail::image::symbol_kind::const_};

  /// Calls `visit(name, prefix)` for all of these kinds; the root's have no prefix.
  void for_each_name(kinds of, auto visit) const;
  [[nodiscard]] std::vector<std::string> names(kinds of) const;
  [[nodiscard]] error unknown_name_error(std::string_view noun, kinds of, std::string_view name) const;

  std::shared_ptr<const schema_image> image_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI

#if !defined(THRIFTLENS_COMPILED_LOADER)
#include <thriftlens/schema/schema.ipp>
#endif
