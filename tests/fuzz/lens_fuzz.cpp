// lens_fuzz: any bytes, as Binary or Compact, through every question of the lens.
#include "support/visit.hpp"

#include <thriftlens/schema/schema.hpp>

#include <cstdlib>

namespace tl = thriftlens;

namespace {

const tl::schema& schema() {
  static const tl::schema loaded = tl::schema::parse(
      "enum E { A, B = 7 } union U { 1: i32 i, 2: string s, 3: list<U> l }"
      "struct T { 1: required i32 v, 2: optional list<T> kids, 3: optional map<string, T> named, 4: optional "
      "U u, 5: set<E> e, 6: map<T, binary> by, "
      "7: bool b, 8: double d, 9: list<list<bool>> ll, 20: map<i16, i64> m, 21: uuid id, 300: i8 y }");
  return loaded;
}

template <class P>
void ask(std::string_view bytes, const thriftlens_test::lens_questions& questions) {
  questions.ask<P>(bytes);
  auto same = tl::edit(tl::view<P>(bytes, questions.type)).try_apply();
  if (same && same->text() != bytes) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const thriftlens_test::lens_questions structs(schema().type("T")), unions(schema().type("U"));
  if (size == 0) return 0;
  std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto& questions = (data[0] & 2) != 0 ? unions : structs;
  if ((data[0] & 1) != 0)
    ask<tl::compact>(bytes, questions);
  else
    ask<tl::binary>(bytes, questions);
  return 0;
}
