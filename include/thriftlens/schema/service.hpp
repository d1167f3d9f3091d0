// service: cheap handles to services and their functions.
#pragma once

#include <thriftlens/schema/streaming.hpp>
#include <thriftlens/schema/type.hpp>

namespace thriftlens::inline THRIFTLENS_ABI {

namespace detail {
[[noreturn]] THRIFTLENS_COLD inline void raise_no_function() {
  raise_empty(errc::unknown_name,
              "an empty function handle was used: the service has no such function; test it, or take one "
              "from try_function(), which names the nearest");
}
[[nodiscard]] THRIFTLENS_COLD inline error no_service_error() {
  return error(
      errc::unknown_name,
      "an empty service handle was used: the service has no base, or it was default-constructed; test it");
}
[[noreturn]] THRIFTLENS_COLD inline void raise_no_service() { raise(no_service_error()); }
}  // namespace detail

/// A function of a service. Tests false if there is no such function; its other members then raise
/// unknown_name.
class function_info : detail::handle<detail::raise_no_function> {
 public:
  using handle::handle, handle::hash;

  [[nodiscard]] explicit operator bool() const noexcept { return image_ != nullptr; }
  [[nodiscard]] std::string_view name() const { return in().view(node().name); }
  [[nodiscard]] bool oneway() const { return node().oneway; }
  /// Kitex's annotation `streaming.mode`; bidirectional for unknown values, for which the schema has a
  /// warning. A streaming function cannot be called like others. O(annotations).
  [[nodiscard]] streaming_mode streaming() const {
    streaming_mode mode = streaming_mode::none;
    const auto value = annotations().find(detail::streaming_annotation);
    if (value) static_cast<void>(detail::parse_streaming(*value, mode));
    return mode;
  }
  /// The returned type; kind void_ for none.
  [[nodiscard]] type returns() const { return {image_, node().returns}; }
  /// The returned type with its annotations.
  [[nodiscard]] written_type written_returns() const { return {returns(), node().written}; }
  /// The struct of a call: one field per argument.
  [[nodiscard]] type arguments() const { return of_struct(node().arguments); }
  /// The struct of a reply: field 0 `success` unless void, then one optional field per exception.
  [[nodiscard]] type result() const { return of_struct(node().result); }
  [[nodiscard]] std::string_view doc() const { return in().view(node().doc); }
  [[nodiscard]] THRIFTLENS_NO_DANGLING annotation_range annotations() const {
    return {image_, node().annotations};
  }

  friend bool operator==(const function_info&, const function_info&) noexcept = default;

 private:
  [[nodiscard]] type of_struct(std::uint32_t index) const { return {image_, in().structs[index].type}; }
  [[nodiscard]] const detail::image::function_node& node() const { return in().functions[index_]; }
};

/// A service of the IDL. Tests false if a service has no base; its other members then raise unknown_name.
class service_info : detail::handle<detail::raise_no_service> {
 public:
  using handle::handle, handle::hash;

  [[nodiscard]] explicit operator bool() const noexcept { return image_ != nullptr; }
  /// "Shop", or "base.Shop" when another file declares it.
  [[nodiscard]] std::string name() const { return detail::qualified_name(in(), node()); }
  /// The service it extends, or an empty handle.
  [[nodiscard]] service_info base() const {
    return node().base == detail::image::none ? service_info() : service_info(image_, node().base);
  }
  /// Its own functions in source order, without inherited ones.
  [[nodiscard]] THRIFTLENS_NO_DANGLING handle_range<function_info> functions() const {
    return {image_, node().functions};
  }
  /// The own or inherited function with that name, or an empty handle. O(functions). try_function() returns
  /// the error unknown_name with the nearest names.
  [[nodiscard]] function_info find_function(std::string_view name) const {
    static_cast<void>(node());
    for (service_info at = *this; at; at = at.base()) {
      for (function_info candidate : at.functions()) {
        if (candidate.name() == name) return candidate;
      }
    }
    return {};
  }
  [[nodiscard]] function_info function(std::string_view name) const;
  [[nodiscard]] thriftlens::result<function_info> try_function(std::string_view name) const;
  [[nodiscard]] std::string_view doc() const { return in().view(node().doc); }
  [[nodiscard]] THRIFTLENS_NO_DANGLING annotation_range annotations() const {
    return {image_, node().annotations};
  }

  friend bool operator==(const service_info&, const service_info&) noexcept = default;

 private:
  [[nodiscard]] const detail::image::service_node& node() const { return in().services[index_]; }
};

template <>
inline constexpr bool detail::is_printed<function_info> = true;
template <>
inline constexpr bool detail::is_printed<service_info> = true;

}  // namespace thriftlens::inline THRIFTLENS_ABI

template <>
struct std::hash<thriftlens::function_info> : thriftlens::detail::hash_of_handle<thriftlens::function_info> {
};
template <>
struct std::hash<thriftlens::service_info> : thriftlens::detail::hash_of_handle<thriftlens::service_info> {};
