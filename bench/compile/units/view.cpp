// Reads fields; the type comes from elsewhere.
#include <thriftlens/view.hpp>
std::int64_t total(thriftlens::byte_view bytes, thriftlens::type type) {
  const thriftlens::view<thriftlens::binary> order(bytes, type);
  std::int64_t sum = order["id"].as<std::int64_t>();
  for (const auto& item : order["items"].elements()) sum += item["count"].as<std::int32_t>();
  return sum + static_cast<std::int64_t>(order.at("$.user.name").as<std::string_view>().size());
}
