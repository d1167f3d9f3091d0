// service: cheap handles to services and their functions.
// In: an image and an index. Out: names, argument and result structs, exceptions.
// Never owns, as type.
#pragma once

#include <thriftlens/schema/type.hpp>

namespace thriftlens::inline THRIFTLENS_ABI {

/// A function of a service.
class function_info {
 public:
  function_info() noexcept = default;
  function_info(const schema_image* image, std::uint32_t index) noexcept : image_(image), index_(index) {}

  [[nodiscard]] explicit operator bool() const noexcept { return image_ != nullptr; }
  [[nodiscard]] std::string_view name() const noexcept { return image_->view(node().name); }
  [[nodiscard]] bool oneway() const noexcept { return node().oneway; }
  /// The returned type; kind void_ for none.
  [[nodiscard]] type returns() const noexcept { return {image_, node().returns}; }
  /// The struct a call carries: one field an argument.
  [[nodiscard]] type arguments() const noexcept { return {image_, image_->structs[node().arguments].type}; }
  /// The struct a reply carries: field 0 `success` unless void, then one optional field an exception.
  [[nodiscard]] type result() const noexcept { return {image_, image_->structs[node().result].type}; }
  [[nodiscard]] std::string_view doc() const noexcept { return image_->view(node().doc); }
  [[nodiscard]] annotation_range annotations() const noexcept { return {image_, node().annotations}; }

 private:
  [[nodiscard]] const image::function_node& node() const noexcept { return image_->functions[index_]; }
  const schema_image* image_ = nullptr;
  std::uint32_t index_ = image::none;
};

/// A service of the IDL.
class service_info {
 public:
  service_info() noexcept = default;
  service_info(const schema_image* image, std::uint32_t index) noexcept : image_(image), index_(index) {}

  [[nodiscard]] explicit operator bool() const noexcept { return image_ != nullptr; }
  /// "Shop", or "base.Shop" when another file declares it.
  [[nodiscard]] std::string name() const {
    std::string text(image_->view(node().name));
    if (node().program == 0) return text;
    return std::string(image_->view(image_->programs[node().program].name)) + '.' + text;
  }
  /// The service it extends, or a false handle.
  [[nodiscard]] service_info base() const noexcept {
    return node().base == image::none ? service_info() : service_info(image_, node().base);
  }
  /// Its own functions in source order, without inherited ones.
  [[nodiscard]] handle_range<function_info> functions() const noexcept { return {image_, node().functions}; }
  /// The function of that name, its own or inherited, or a false handle. O(functions).
  [[nodiscard]] function_info function(std::string_view name) const noexcept {
    for (service_info in = *this; in; in = in.base()) {
      for (function_info each : in.functions()) {
        if (each.name() == name) return each;
      }
    }
    return {};
  }
  [[nodiscard]] std::string_view doc() const noexcept { return image_->view(node().doc); }
  [[nodiscard]] annotation_range annotations() const noexcept { return {image_, node().annotations}; }

 private:
  [[nodiscard]] const image::service_node& node() const noexcept { return image_->services[index_]; }
  const schema_image* image_ = nullptr;
  std::uint32_t index_ = image::none;
};

}  // namespace thriftlens
