// schema: bodies of schema.hpp.
#pragma once

#include <thriftlens/core/joined.hpp>
#include <thriftlens/core/nearest.hpp>
#include <thriftlens/core/quote.hpp>
#include <thriftlens/idl/load.hpp>
#include <thriftlens/schema/build.hpp>
#include <thriftlens/schema/schema.hpp>

namespace thriftlens::inline THRIFTLENS_ABI {

THRIFTLENS_COLD THRIFTLENS_LOADER_BODY result<schema> schema::try_load(const std::string& file,
                                                                       const load_options& options) {
  return from(&file, {}, options, {});
}
THRIFTLENS_COLD THRIFTLENS_LOADER_BODY result<schema> schema::try_parse(std::string_view text,
                                                                        const load_options& options,
                                                                        std::string_view name) {
  return from(nullptr, text, options, name);
}
THRIFTLENS_COLD THRIFTLENS_LOADER_BODY schema schema::load(const std::string& file,
                                                           const load_options& options) {
  return try_load(file, options).value();
}
THRIFTLENS_COLD THRIFTLENS_LOADER_BODY schema schema::parse(std::string_view text,
                                                            const load_options& options,
                                                            std::string_view name) {
  return try_parse(text, options, name).value();
}
THRIFTLENS_LOADER_BODY result<thriftlens::type> schema::try_type(std::string_view name) const& {
  const std::uint32_t match = find_type(name);
  if (match == detail::image::none) return unknown_name_error("type", types_, name);
  return thriftlens::type(image_.get(), match);
}
THRIFTLENS_LOADER_BODY result<service_info> schema::try_service(std::string_view name) const& {
  const detail::image::symbol* match = find(name, detail::image::symbol_kind::service);
  if (match == nullptr || match->kind != detail::image::symbol_kind::service)
    return unknown_name_error("service", services_, name);
  return service_info(image_.get(), match->index);
}
THRIFTLENS_LOADER_BODY result<constant_info> schema::try_constant(std::string_view name) const& {
  const detail::image::symbol* match = find(name, detail::image::symbol_kind::const_);
  if (match == nullptr) return unknown_name_error("constant", constants_, name);
  const detail::image::const_node& node = image_->consts[match->index];
  return constant_info{{image_.get(), node.type}, image_->value(node.value)};
}
THRIFTLENS_LOADER_BODY std::vector<std::string> schema::type_names() const { return names(types_); }
THRIFTLENS_LOADER_BODY std::vector<std::string> schema::service_names() const { return names(services_); }
THRIFTLENS_COLD THRIFTLENS_LOADER_BODY result<schema> schema::from(const std::string* file,
                                                                   std::string_view text,
                                                                   const load_options& options,
                                                                   std::string_view name) {
  result<idl::program_set> loaded =
      file != nullptr ? idl::try_load(*file, options) : idl::try_parse(text, options, name);
  if (!loaded) return std::move(loaded).error();
  return schema(detail::build_image(*loaded));
}
THRIFTLENS_LOADER_BODY const detail::image::symbol* schema::find(
    std::string_view name, detail::image::symbol_kind kind) const noexcept {
  if (const detail::image::symbol* local = image_->find_symbol(0, name, kind)) return local;
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) return nullptr;
  const std::string_view prefix = name.substr(0, dot), last = name.substr(dot + 1);
  const auto in_program = [&](std::uint32_t program) {
    const bool is_prefix = image_->view(image_->programs[program].name) == prefix;
    return is_prefix ? image_->find_symbol(program, last, kind) : nullptr;
  };
  return find_included(in_program);
}
THRIFTLENS_LOADER_BODY const detail::image::symbol* schema::find_included(auto find) const noexcept {
  for (const std::uint32_t i : image_->programs[0].includes.indices()) {
    if (const detail::image::symbol* match = find(image_->indices[i])) return match;
  }
  for (std::uint32_t p = 0; p < image_->programs.size(); ++p) {
    if (const detail::image::symbol* match = find(p)) return match;
  }
  return nullptr;
}
THRIFTLENS_LOADER_BODY std::uint32_t schema::find_type(std::string_view name) const noexcept {
  const detail::image::symbol* match = find(name, detail::image::symbol_kind::struct_);
  if (match == nullptr || match->kind == detail::image::symbol_kind::service) return find_base_type(name);
  if (match->kind == detail::image::symbol_kind::struct_) return image_->structs[match->index].type;
  if (match->kind == detail::image::symbol_kind::enum_) return image_->enums[match->index].type;
  return image_->typedefs[match->index].type;
}
THRIFTLENS_LOADER_BODY std::uint32_t schema::find_base_type(std::string_view name) const noexcept {
  for (std::uint32_t i = 1; i <= 9; ++i) {
    if (to_string(image_->types[i].kind) == name) return i;
  }
  return name == "byte" ? 2 : detail::image::none;
}
THRIFTLENS_LOADER_BODY void schema::for_each_name(kinds of, auto visit) const {
  for (const detail::image::symbol& entry : image_->symbols) {
    bool requested = false;
    for (const detail::image::symbol_kind kind : of) requested = requested || entry.kind == kind;
    if (!requested) continue;
    visit(image_->view(entry.name),
          entry.program == 0 ? std::string_view() : image_->view(image_->programs[entry.program].name));
  }
}
THRIFTLENS_COLD THRIFTLENS_LOADER_BODY std::vector<std::string> schema::names(kinds of) const {
  std::vector<std::string> qualified_names;
  for_each_name(of, [&](std::string_view name, std::string_view prefix) {
    qualified_names.push_back(detail::qualified_name(name, prefix));
  });
  return qualified_names;
}
THRIFTLENS_COLD THRIFTLENS_LOADER_BODY error schema::unknown_name_error(std::string_view noun, kinds of,
                                                                        std::string_view name) const {
  detail::nearest_names nearest(name);
  for_each_name(of, [&](std::string_view known, std::string_view prefix) { nearest.offer(known, prefix); });
  return error(errc::unknown_name,
               detail::joined({"no ", noun, " named ", detail::in_quotes(name), nearest.text()}));
}

}  // namespace thriftlens::inline THRIFTLENS_ABI
