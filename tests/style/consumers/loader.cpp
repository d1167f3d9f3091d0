// The loader is declared, the rest is compiled here.
#include <thriftlens/thriftlens.hpp>

#include <cstdint>

#if !defined(THRIFTLENS_COMPILED_LOADER) || defined(THRIFTLENS_COMPILED)
#error "the target says it"
#endif

namespace tl = thriftlens;

int main() {
  const tl::schema schema = tl::schema::parse("struct Order { 1: i64 id, 2: string note = 'n' }");
  const tl::type order = schema.type("Order");
  const auto failed = tl::schema::try_parse("struct Order {");
  tl::buffer bytes;
  tl::binary::writer out(bytes);
  out.write_field(tl::ttype::i64, 1);
  out.write_i64(7);
  out.write_stop();
  const tl::buffer changed = tl::edit(tl::view(bytes, order)).set("$.id", 9).apply();
  const bool works = tl::view(changed, order)["id"].as<std::int64_t>() == 9 &&
                     !tl::describe(schema).empty() && !failed && tl::schema_store(schema).version() == 1;
  return works ? 0 : 1;
}
