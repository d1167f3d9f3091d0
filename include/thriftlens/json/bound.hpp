// bound: JSON of structs with a codec binding, without a schema file: an IDL is generated from the binding.
#pragma once

#include <thriftlens/codec/decode.hpp>
#include <thriftlens/codec/encode.hpp>
#include <thriftlens/codec/idl_text.hpp>
#include <thriftlens/json/from_json.hpp>
#include <thriftlens/json/to_json.hpp>
#include <thriftlens/schema/schema.hpp>

#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Converts the bound struct T to and from JSON. Construction parses the generated IDL: share one object,
/// also between threads. Fields have the names of the binding, members of a variant `member_<id>`.
/// std::string and string_view are JSON text, other bytes are base64.
template <class T>
class bound_json {
 public:
  bound_json() : bound_json(idl_of<T>()) {}

  /// Errors: those of try_encode and try_to_json.
  [[nodiscard]] result<buffer> try_to_json(const T& value, to_json_options options = {}) const {
    const result<buffer> bytes = try_encode<binary>(value, {.limits = options.limits});
    if (!bytes) return bytes.error();
    options.names = json_names::alias;
    return thriftlens::try_to_json<binary>(type_, *bytes, options);
  }
  [[nodiscard]] buffer to_json(const T& value, const to_json_options& options = {}) const {
    return try_to_json(value, options).value();
  }
  /// Errors: those of try_from_json and try_decode. T must own its data: views would dangle.
  [[nodiscard]] result<T> try_from_json(std::string_view json, from_json_options options = {}) const {
    options.names = json_names::alias;
    const result<buffer> bytes = thriftlens::try_from_json<binary>(type_, json, options);
    if (!bytes) return bytes.error();
    return try_decode<T, binary>(*bytes, {.limits = options.limits});
  }
  [[nodiscard]] T from_json(std::string_view json, const from_json_options& options = {}) const {
    return try_from_json(json, options).value();
  }

  /// The generated type; valid while this object or a copy of it lives.
  [[nodiscard]] type idl() const& noexcept THRIFTLENS_LIFETIMEBOUND { return type_; }
  void idl() const&& = delete;

 private:
  explicit bound_json(const idl_of_type& generated)
      : schema_(schema::parse(generated.text, {}, "<binding>")), type_(schema_.type(generated.name)) {}
  schema schema_;
  thriftlens::type type_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI
