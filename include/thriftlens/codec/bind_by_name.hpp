// bind_by_name: a plain C++ struct bound to an IDL type at run time: ids from the IDL, offsets from C++.
#pragma once

#include <thriftlens/codec/decode.hpp>
#include <thriftlens/codec/encode.hpp>
#include <thriftlens/codec/shape_builder.hpp>
#include <thriftlens/core/joined.hpp>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Encodes and decodes T by the IDL it was bound to, like tl::encode, tl::decode and so on, with the defaults
/// of C++ instead of the IDL. Cheap to copy, thread-safe.
template <class T>
class named_binding {
 public:
  // No moves: a moved-from binding stays usable.
  named_binding(const named_binding&) noexcept = default;
  named_binding& operator=(const named_binding&) noexcept = default;
  ~named_binding() = default;

  template <protocol Protocol = binary>
  [[nodiscard]] result<T> try_decode(detail::codec::decode_input<T> bytes,
                                     const decode_options& options = detail::codec::usual_decoding) const {
    static_assert(detail::codec::decodable<T>,
                  "thriftlens: decode: T must be default constructible and movable; see decode_into");
    T object{};
    detail::codec::decoding<Protocol, false, true> run(bytes, options, root());
    if (!run.read(object)) [[unlikely]]
      return run.reason(detail::codec::wire_type<T>());
    return object;
  }
  template <protocol Protocol = binary>
  [[nodiscard]] T decode(detail::codec::decode_input<T> bytes,
                         const decode_options& options = detail::codec::usual_decoding) const {
    return try_decode<Protocol>(bytes, options).value();
  }
  template <protocol Protocol = binary>
  [[nodiscard]] result<void> try_decode_into(
      detail::codec::decode_input<T> bytes, T& object,
      const decode_options& options = detail::codec::usual_decoding) const {
    detail::codec::decoding<Protocol, true, true> run(bytes, options, root());
    if (!run.read(object)) [[unlikely]]
      return run.reason(detail::codec::wire_type<T>());
    return {};
  }
  template <protocol Protocol = binary>
  void decode_into(detail::codec::decode_input<T> bytes, T& object,
                   const decode_options& options = detail::codec::usual_decoding) const {
    try_decode_into<Protocol>(bytes, object, options).value();
  }
  template <protocol Protocol = binary>
  [[nodiscard]] result<void> try_append_encoded(
      const T& value, buffer& out, const encode_options& options = detail::codec::usual_encoding) const {
    detail::codec::encoding<Protocol, true,
                            detail::codec::basic_buffer_sink<detail::codec::refers_to_bytes<T>>>
        run(root(), out, options.limits.max_given());
    if (!run.write(value, options)) [[unlikely]]
      return run.reason();
    return {};
  }
  template <protocol Protocol = binary>
  void append_encoded(const T& value, buffer& out,
                      const encode_options& options = detail::codec::usual_encoding) const {
    try_append_encoded<Protocol>(value, out, options).value();
  }
  template <protocol Protocol = binary>
  [[nodiscard]] result<buffer> try_encode(
      const T& value, const encode_options& options = detail::codec::usual_encoding) const {
    buffer out;
    if (result<void> appended = try_append_encoded<Protocol>(value, out, options); !appended)
      return std::move(appended).error();
    return out;
  }
  template <protocol Protocol = binary>
  [[nodiscard]] buffer encode(const T& value,
                              const encode_options& options = detail::codec::usual_encoding) const {
    return try_encode<Protocol>(value, options).value();
  }

  /// Created by bind_by_name.
  explicit named_binding(std::shared_ptr<const detail::codec::shape_store> shapes) noexcept
      : shapes_(std::move(shapes)) {}

 private:
  [[nodiscard]] const detail::codec::shape* root() const noexcept { return shapes_->front().get(); }
  std::shared_ptr<const detail::codec::shape_store> shapes_;
};

/// All differences of T and the IDL type: "$.items[].price: a C++ i32 for the IDL type double"; empty if T
/// fits. Every member needs a field of its name and wire type. Fields without a member are skipped or stored
/// as unknown, unless they are required. Alternatives of a variant match the members of a union in IDL order.
template <class T>
[[nodiscard]] std::vector<std::string> binding_faults(type idl) {
  static_assert(detail::codec::check_value<T, detail::codec::by_name>());
  if (!idl) return {"$: no IDL type"};
  detail::codec::shape_builder builder;
  builder.build<T>(idl, "$");
  return std::move(builder.mismatches);
}

namespace detail::codec {
[[nodiscard]] inline error no_binding(type idl, const std::vector<std::string>& mismatches) {
  std::string text = joined({"the C++ struct does not fit ", idl.name()});
  for (const std::string& mismatch : mismatches) text += joined({"\n  ", mismatch});
  return error(errc::value_type, std::move(text));
}
}  // namespace detail::codec

/// Binds the struct or variant T, and the structs in it, to an IDL type. Linear in both types. T is an
/// aggregate or has tl::fields, of which only the names are used. Error: value_type, with one difference per
/// line.
template <class T>
[[nodiscard]] result<named_binding<T>> try_bind_by_name(type idl) {
  namespace codec = detail::codec;
  static_assert(codec::check_value<T, codec::by_name>());
  static_assert(codec::wire_type<T>() == ttype::struct_,
                "thriftlens: bind_by_name<T>: T is a struct or a std::variant");
  if (!idl) return error(errc::wrong_type, "a binding by name needs a type");
  codec::shape_builder builder;
  builder.build<T>(idl, "$");
  if (!builder.mismatches.empty()) return codec::no_binding(idl, builder.mismatches);
  return named_binding<T>(std::make_shared<const codec::shape_store>(std::move(builder.shapes)));
}
template <class T>
[[nodiscard]] named_binding<T> bind_by_name(type idl) {
  return try_bind_by_name<T>(idl).value();
}

}  // namespace thriftlens::inline THRIFTLENS_ABI
