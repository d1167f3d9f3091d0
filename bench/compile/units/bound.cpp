// Encodes and decodes twelve structs of the program's own.
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thriftlens/codec.hpp>
#include <vector>
namespace shop {
struct price {
  std::int64_t units = 0;
  std::int32_t nanos = 0;
  std::string currency;
};
struct address {
  std::string street, city, zip, country;
  std::optional<std::string> note;
};
struct contact {
  std::string name, email, phone;
  std::optional<address> home;
};
struct dimension {
  double width = 0, height = 0, depth = 0;
};
struct article {
  std::string sku, title;
  price cost;
  std::optional<dimension> size;
  std::vector<std::string> tags;
};
struct item {
  article what;
  std::int32_t count = 0;
  std::map<std::string, std::string> attributes;
};
struct discount {
  std::string code;
  double share = 0;
  std::optional<price> at_most;
};
struct payment {
  std::string method;
  price amount;
  std::int64_t paid_at = 0;
  bool captured = false;
};
struct parcel {
  std::string carrier, tracking;
  address to;
  std::vector<item> items;
};
struct event {
  std::int64_t at = 0;
  std::string kind;
  std::map<std::string, std::string> details;
};
struct customer {
  std::int64_t id = 0;
  contact who;
  std::vector<address> addresses;
};
struct order {
  std::int64_t id = 0;
  customer buyer;
  std::vector<item> items;
  std::vector<discount> discounts;
  std::vector<payment> payments;
  std::vector<parcel> parcels;
  std::vector<event> history;
};
}  // namespace shop
namespace tl = thriftlens;
template <>
struct tl::binding<shop::price> : tl::numbered {};
template <>
struct tl::binding<shop::address> : tl::numbered {};
template <>
struct tl::binding<shop::contact> : tl::numbered {};
template <>
struct tl::binding<shop::dimension> : tl::numbered {};
template <>
struct tl::binding<shop::article> : tl::numbered {};
template <>
struct tl::binding<shop::item> : tl::numbered {};
template <>
struct tl::binding<shop::discount> : tl::numbered {};
template <>
struct tl::binding<shop::payment> : tl::numbered {};
template <>
struct tl::binding<shop::parcel> : tl::numbered {};
template <>
struct tl::binding<shop::event> : tl::numbered {};
template <>
struct tl::binding<shop::customer> : tl::numbered {};
template <>
struct tl::binding<shop::order> : tl::numbered {};
tl::result<shop::order> read(tl::byte_view bytes) { return tl::try_decode<shop::order>(bytes); }
tl::result<void> write(const shop::order& value, tl::buffer& out) {
  return tl::try_append_encoded(value, out);
}
