// idl_fuzz: any bytes as IDL in both modes, including themselves and a fixed file.
#include <thriftlens/idl/load.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

namespace idl = thriftlens::idl;

namespace {

/// Walks a loaded schema: every name must be linked and every value resolved.
void walk(const idl::type_ref& type, unsigned depth) {
  if (depth > 200) std::abort();
  if (type.shape == idl::type_ref::form::name && type.target.kind == idl::declaration_kind::none)
    std::abort();
  for (const idl::type_ref& argument : type.arguments) walk(argument, depth + 1);
}
void walk(const idl::const_value& value, unsigned depth) {
  if (depth > 200 || value.shape == idl::const_value::form::identifier) std::abort();
  for (const idl::const_value& item : value.items) walk(item, depth + 1);
}
void walk(std::span<const idl::field> fields) {
  for (const idl::field& member : fields) {
    walk(member.type, 0);
    if (member.default_value != nullptr) walk(*member.default_value, 0);
  }
}
void walk(const idl::program& in) {
  for (const auto& alias : in.typedefs) walk(alias.type, 0);
  for (const auto& struct_ : in.structs) walk(struct_.fields);
  for (const auto& constant : in.consts) walk(*constant.value, 0);
  for (const auto& service : in.services) {
    for (const auto& call : service.functions) {
      walk(call.returns, 0);
      walk(call.arguments);
      walk(call.throws);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  idl::load_options options;
  options.limits.const_values = 10'000;
  options.includes["base.thrift"] =
      "enum Color { RED, BLUE = 5 } struct Base { 1: i32 a } const list<i32> LIST = [1, 2] typedef Color "
      "Tint";
  for (idl::mode mode : {idl::mode::lenient, idl::mode::strict}) {
    options.mode = mode;
    options.implicit_ids = size % 2 == 0 ? idl::implicit_ids::apache : idl::implicit_ids::cloudwego;
    auto loaded = idl::try_parse(text, options, "self.thrift");
    if (!loaded) {
      if (loaded.error().diagnostics().empty() || loaded.error().what()[0] == '\0') std::abort();
      continue;
    }
    for (const idl::program& program : loaded->programs) walk(program);
  }
  return 0;
}
