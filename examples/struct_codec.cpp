// Encodes and decodes your own structs without generated code: bind members to field ids.
#include <thriftlens/thriftlens.hpp>

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tl = thriftlens;

// Plain structs. An empty optional is not written.
struct item {
  std::string sku;
  double price = 0;
  std::int32_t count = 1;
  std::optional<std::map<std::string, std::string>> attributes;
};
// The part of shop.thrift's Order that this program uses. All other fields are retained as bytes and written
// back.
struct order {
  std::int64_t id = 0;
  std::vector<item> items;
  std::vector<std::string> tags;
  tl::unknown_fields rest;
};
// Borrows its text from the bytes it was decoded from: no copy, no allocation.
struct user_view {
  std::int64_t id = 0;
  std::string_view name;
};

// Members have the ids 1, 2, … in order, or each field sets its id and requiredness.
template <>
struct tl::binding<item> : tl::numbered {};
template <>
struct tl::binding<order>
    : tl::fields<tl::field<1, &order::id, tl::required>, tl::field<3, &order::items, tl::required>,
                 tl::field<6, &order::tags>, tl::keep_unknown<&order::rest>> {};

namespace {

std::string read_file(const char* name) {
  std::ifstream in(name, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

int main() {
  const std::string bytes = read_file("idl/order.bin");

  // Decode, change, encode.
  order bought = tl::decode<order>(bytes);
  double sum = 0;
  for (const item& line : bought.items) sum += line.price * line.count;
  std::printf("order %lld: %zu items, %.2f, %zu other fields\n", static_cast<long long>(bought.id),
              bought.items.size(), sum, bought.rest.entries().size());
  bought.tags.push_back("priority");
  tl::buffer changed;
  tl::append_encoded(bought, changed);
  std::printf("%zu bytes became %zu\n", bytes.size(), changed.size());

  // The other protocol is another template argument; the size is known without writing.
  std::printf("items alone: %zu bytes in Binary, %zu in Compact\n", tl::encoded_size(bought.items),
              tl::encoded_size<tl::compact>(bought.items));

  // A struct without any ids, laid over the IDL by the names of its members when the program starts.
  const auto schema = tl::schema::load("idl/shop.thrift");
  const auto users = tl::bind_by_name<user_view>(schema.type("User"));
  // A view locates the user in the order; its bytes are passed to the codec unchanged.
  const auto found = tl::view<tl::binary>(changed, schema.type("Order"))["user"];
  const user_view user = users.decode(found.bytes());
  std::printf("user %lld: %.*s\n", static_cast<long long>(user.id), static_cast<int>(user.name.size()),
              user.name.data());

  // A struct with its own binding can be decoded at any position located by a view.
  const auto second = tl::decode<item>(tl::view<tl::binary>(bytes, schema.type("Order")).at("$.items[1]"));
  std::printf("second item: %d of %s\n", second.count, second.sku.c_str());

  // Bytes are not trusted: the error has a text, a path in the struct and an offset in the bytes.
  const auto broken = tl::try_decode<order>(tl::byte_view(bytes.data(), 100));
  std::printf("cut: %s\n", broken ? "?" : broken.error().what());
}
