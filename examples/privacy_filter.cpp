// A privacy filter for a stream of messages with size prefixes: fields that the IDL marks as personal are
// blanked, hashed or truncated. Nothing is decoded or rebuilt; bytes without a rule are copied unchanged.
#include <thriftlens/json.hpp>
#include <thriftlens/thriftlens.hpp>

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>

namespace tl = thriftlens;

namespace {

constexpr std::uint32_t largest_frame = 1 << 20;

// Reads the next message; false at the end of the stream. The size is checked before memory is allocated.
bool read_frame(std::istream& in, std::string& frame) {
  std::uint8_t raw[4];
  if (!in.read(reinterpret_cast<char*>(raw), 4)) return false;
  const std::uint32_t size = std::uint32_t{raw[0]} << 24 | raw[1] << 16 | raw[2] << 8 | raw[3];
  if (size > largest_frame) return false;
  frame.resize(size);
  return static_cast<bool>(in.read(frame.data(), static_cast<std::streamsize>(size)));
}
void write_frame(std::ostream& out, const tl::buffer& frame) {
  for (int shift = 24; shift >= 0; shift -= 8) out.put(static_cast<char>(frame.size() >> shift));
  out.write(reinterpret_cast<const char*>(frame.data()), static_cast<std::streamsize>(frame.size()));
}

}  // namespace

int main() {
  const auto schema = tl::schema::load("idl/shop.thrift");
  const tl::type order = schema.type("Order");

  // Compiled once: every field with the annotation `pii` is redacted; the default action is blank, the
  // annotation's value may set another. Paths cover fields without annotations.
  const auto rules =
      tl::redaction::compile(order, {.annotation = "pii",
                                     .values = {{"name", "keep_last(2)"}, {"card", "keep_last(4)"}},
                                     .paths = {{"$.debug", "drop"}, {"$.notes", "drop"}}});

  std::ifstream in("idl/orders.frames", std::ios::binary);
  std::ostringstream out;
  std::string frame;
  tl::buffer safe;  // its memory is used again for every message
  int passed = 0, refused = 0;
  while (read_frame(in, frame)) {
    safe.clear();
    // An invalid message leaves the output unchanged and is not passed on.
    const auto done = tl::try_append_redacted(tl::view<tl::binary>(frame, order), rules, safe);
    if (!done) {
      ++refused;
      continue;
    }
    write_frame(out, safe);
    ++passed;

    const auto v = tl::view<tl::binary>(safe, order);
    std::printf("%s %s: %zu replaced, %zu dropped\n", tl::to_json(v["user"]).str().c_str(),
                v["payment"] ? tl::to_json(v["payment"]).str().c_str() : "-", done->replaced, done->dropped);
  }
  std::printf("%d passed, %d refused, %zu bytes\n", passed, refused, out.str().size());
}
