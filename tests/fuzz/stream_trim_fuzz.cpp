// stream_trim_fuzz: any bytes, trimmed in parts of any size, against a trim of the complete input.
#include <thriftlens/edit/stream_trim.hpp>
#include <thriftlens/schema/schema.hpp>

#include <algorithm>
#include <cstdlib>

namespace tl = thriftlens;

namespace {

const tl::schema& schema() {
  static const tl::schema loaded = tl::schema::parse(
      "struct T { 1: i32 v, 2: list<T> kids, 3: map<string, T> named, 4: string s, 5: set<i64> e, "
      "6: map<i32, string> by, 7: bool b, 8: double d = 2.5, 9: list<list<T>> ll, 20: map<T, i64> m, "
      "21: uuid id, 300: i8 y }");
  return loaded;
}
const tl::selection& selection_of(unsigned number) {
  static const tl::selection all[] = {
      tl::selection::compile(schema().type("T"), "{ v kids { s b } named { y d } ll { v } }"),
      tl::selection::compile(schema().type("T"), "{ -v -by }"), tl::selection::all(schema().type("T")),
      tl::selection::compile(schema().type("T"), "{ * kids { * named { d } } }")};
  return all[number % 4];
}

template <class P>
void compare(tl::byte_view bytes, unsigned choice, unsigned seed) {
  const tl::selection& what = selection_of(choice >> 1);
  const tl::trim_options options{.limits = {.depth = 12},
                                 .defaults = (choice & 8) != 0 ? tl::on_absent::write : tl::on_absent::omit};
  const auto whole = tl::try_trim(tl::view<P>(bytes, what.from(), options.limits), what, options);
  tl::stream_trimmer<P> trimmer(what, options);
  tl::buffer out;
  std::size_t at = 0;
  tl::error failure;
  while (at < bytes.size() && !trimmer.done() && failure.code() == tl::errc::ok) {
    seed = seed * 1103515245u + 12345u;
    const std::size_t size = std::min<std::size_t>(bytes.size() - at, 1 + (seed >> 16) % 90);
    const auto used = trimmer.try_feed({bytes.begin() + at, size}, out);
    if (used)
      at += *used;
    else
      failure = used.error();
  }
  if (const auto done = trimmer.try_finish(); !done) failure = done.error();
  if (failure.code() == tl::errc::ok && at != bytes.size())
    failure = tl::error(tl::errc::trailing_bytes, {}, at, "$");
  if (whole && failure.code() == tl::errc::ok && *whole == out) return;
  if (whole || failure.code() == tl::errc::ok) std::abort();
  const tl::error& expected = whole.error();
  if (expected.code() == tl::errc::truncated && failure.offset() >= expected.offset()) return;
  const bool same = expected.code() == failure.code() && expected.offset() == failure.offset();
  if (!same || expected.path() != failure.path()) std::abort();
}

// The end of the value is found where skip finds it, independent of the selection.
template <class P>
void find_end(tl::byte_view bytes, unsigned choice, unsigned seed) {
  typename P::skipper skipper(bytes.end());
  const tl::byte_ptr end = skipper.skip_struct(bytes.begin(), 12);
  tl::stream_trimmer<P> trimmer(selection_of(choice >> 1), {.limits = {.depth = 12}});
  tl::buffer out;
  int faults = 0;
  while (trimmer.offset() < bytes.size() && !trimmer.done() && faults < 2) {
    seed = seed * 1103515245u + 12345u;
    const std::size_t at = trimmer.offset();
    const std::size_t size = std::min<std::size_t>(bytes.size() - at, 1 + (seed >> 16) % 90);
    if (!trimmer.try_feed({bytes.begin() + at, size}, out)) {
      ++faults;
      trimmer.drop_rest();
    }
  }
  const bool is_same = end == nullptr || bytes.begin() + trimmer.offset() == end;
  if (trimmer.done() != (end != nullptr) || !is_same) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const tl::byte_view bytes(data + 2, size - 2);
  if ((data[0] & 1) != 0) {
    compare<tl::compact>(bytes, data[0], data[1]);
    find_end<tl::compact>(bytes, data[0], data[1]);
  } else {
    compare<tl::binary>(bytes, data[0], data[1]);
    find_end<tl::binary>(bytes, data[0], data[1]);
  }
  return 0;
}
