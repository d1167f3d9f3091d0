// Bytes into a document, a script of edits, and out again: first byte chooses protocol and schema, then
// edits, then the message.
#include <thriftlens/compare/compare.hpp>
#include <thriftlens/dom/document.hpp>
#include <thriftlens/policy/validate.hpp>
#include <thriftlens/schema/schema.hpp>

#include <cstdint>
#include <cstdlib>

namespace tl = thriftlens;

namespace {

const tl::schema& schema() {
  static const tl::schema loaded = tl::schema::parse(R"(
    enum Color { RED = 0, GREEN = 1, BLUE = 5 }
    struct Leaf { 1: bool on, 2: i8 tiny, 3: i16 small, 4: i32 number (vt.gt = "0"), 5: i64 big, 6: double real, 7: string text (vt.pattern = "^a+b"), 8: binary raw, 9: Color color, 10: uuid id }
    union Pick { 1: i32 number, 2: string text, 3: Leaf leaf }
    struct Tree {
      1: optional Leaf leaf, 2: optional list<Tree> kids, 3: optional map<string, Tree> named, 4: optional list<i32> numbers,
      5: optional set<string> words, 6: optional map<i64, bool> flags, 7: optional list<list<bool>> bits,
      8: optional map<Color, list<double>> reals, 9: optional Pick pick, 10: optional string name, 11: optional bool yes,
      40: optional map<Leaf, i32> by_leaf, 2000: required i16 far
    }
  )");
  return loaded;
}

void check(bool holds) {
  if (!holds) std::abort();
}

// The node that a byte chooses below another.
tl::node below(const tl::node& of, std::uint8_t which) {
  const tl::result<std::size_t> size = of.try_size();
  if (!size || *size == 0) return of;
  std::size_t left = which % *size;
  if (of.wire() == tl::ttype::struct_) {
    for (const tl::node_field& each : of.fields())
      if (left-- == 0) return each.value;
  } else if (of.wire() == tl::ttype::map) {
    for (const tl::node_entry& each : of.entries())
      if (left-- == 0) return which % 2 == 0 ? each.value : each.key;
  }
  return of.wire() == tl::ttype::map || of.wire() == tl::ttype::struct_ ? of
                                                                        : of[static_cast<std::int64_t>(left)];
}

// A merge that fails changes nothing.
void merge(const tl::document& doc, const tl::node& into, const tl::node& from) {
  tl::buffer before, after;
  const bool written = bool(doc.try_append_to(before));
  const bool changed = doc.changed();
  if (into.try_merge(from)) return;
  check(doc.changed() == changed && bool(doc.try_append_to(after)) == written &&
        before.text() == after.text());
}

void edit(tl::document& doc, std::uint8_t what, std::uint8_t where, tl::node& at) {
  const tl::node child = below(at, where);
  const auto number = static_cast<std::int16_t>(where);
  switch (what % 16) {
    case 0:
      at = doc.root();
      break;
    case 1:
      at = child;
      break;
    case 2:
      static_cast<void>(child.try_set(number));
      break;
    case 3:
      static_cast<void>(child.try_set("text"));
      break;
    case 4:
      static_cast<void>(child.try_erase());
      break;
    case 5:
      static_cast<void>(at.try_append(child));
      break;
    case 6:
      static_cast<void>(at.try_set(number, child));
      break;
    case 7:
      static_cast<void>(at.try_create(number));
      break;
    case 8:
      static_cast<void>(at.try_rename(number, number / 2));
      break;
    case 9:
      static_cast<void>(at.try_sort());
      break;
    case 10:
      static_cast<void>(at.try_filter(
          [&](const tl::node& each) { return each.wire() != static_cast<tl::ttype>(where % 17); }));
      break;
    case 11:
      merge(doc, at, child);
      break;
    case 12:
      static_cast<void>(at.try_insert(number % 8, tl::empty_value{static_cast<tl::ttype>(where % 17)}));
      break;
    case 13:
      static_cast<void>(at.try_move(number % 8, child));
      break;
    case 14:
      static_cast<void>(doc.root().try_move(number % 32, at));
      break;
    default:
      static_cast<void>(at.try_set("key", child));
      break;
  }
}

template <class P>
void run(const std::uint8_t* data, std::size_t size, tl::type type) {
  const std::size_t edits = size == 0 ? 0 : data[0] % 32;
  if (size < 1 + 2 * edits) return;
  const std::uint8_t* script = data + 1;
  const tl::byte_view bytes(data + 1 + 2 * edits, size - 1 - 2 * edits);
  tl::document_options options;
  options.limits.output_size = std::size_t{1} << 22;
  tl::document doc;
  if (const tl::result<void> loaded = doc.try_load<P>(bytes, type, options); !loaded) {
    check(loaded.error().code() != tl::errc::internal);
    check(!doc.root());
    check(!doc.try_load_all<P>(bytes, type, options));
    return;
  }
  tl::buffer out;
  doc.append_to(out);
  check(!doc.changed() && tl::byte_view(out) == bytes);
  const bool all = bool(doc.try_load_all<P>(bytes, type, options));
  if (!all) doc.load<P>(bytes, type, options);
  tl::node at = doc.root();
  for (std::size_t i = 0; i < edits; ++i) edit(doc, script[2 * i], script[2 * i + 1], at);
  out.clear();
  const tl::result<void> written = doc.try_append_to(out);
  check(written || written.error().code() != tl::errc::internal);
  if (written) {
    tl::document again;
    if (out.size() != 0)
      check(bool(again.try_load<P>(out, {}, {.limits = {.depth = tl::limits::max_depth}})));
    const tl::view<P> left(bytes, type), right(out, type);
    const tl::result<bool> same = tl::try_equal(left, right);
    if (same) check(*same == tl::differences(left, right).empty());
  }
  const tl::validator check_all =
      tl::validator::compile(type, {.keys = tl::validate_options::key_check::unique});
  check(check_all.valid<P>(bytes) == check_all.findings<P>(bytes).empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const tl::type type = (data[0] & 2) != 0 ? schema().type("Tree") : tl::type();
  if ((data[0] & 1) != 0)
    run<tl::binary>(data + 1, size - 1, type);
  else
    run<tl::compact>(data + 1, size - 1, type);
  return 0;
}
