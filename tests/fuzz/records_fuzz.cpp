// Any bytes as records: in chunks of any size they have the same records and the same error as in one piece,
// records are consecutive and inside the input, each value is exactly one struct, and so is Finagle's header
// before a message. First input byte: framing and protocol; second: size of the chunks and of the prefix of
// values.
#include <thriftlens/protocol/select.hpp>
#include <thriftlens/records/records.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

namespace tl = thriftlens;

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

struct event {
  std::string bytes;  // of a record, or the words of an error
  std::uint64_t number = 0, offset = 0, size = 0;

  friend bool operator==(const event&, const event&) = default;
};

bool is_one_struct(tl::byte_view bytes, tl::protocol_id which) {
  return tl::visit_protocol(which, [&](auto tag) {
    typename decltype(tag)::reader in(bytes);
    return in.skip(tl::ttype::struct_) && in.at_end();
  });
}

// False if the stream ends in an error.
bool drain(tl::records& from, std::vector<event>& events) {
  for (;;) {
    tl::record found;
    const tl::result<bool> done = from.try_next(found);
    if (!done) {
      events.push_back({done.error().what(), from.number(), done.error().offset(), 0});
      if (!from.can_continue()) return false;
    } else if (*done) {
      require(found.header.empty() || is_one_struct(found.header, tl::protocol_id::binary) ||
              is_one_struct(found.header, tl::protocol_id::compact));
      require(found.is_null ? found.bytes.empty() : is_one_struct(found.bytes, found.protocol));
      events.push_back({std::string(found.bytes.text()), found.number, found.offset, found.size});
    } else {
      return true;
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  tl::records_options how{
      .framing = static_cast<tl::framing>(data[0] % tl::detail::framing_count),
      .protocol = (data[0] & 0x80) != 0 ? tl::protocol_id::compact : tl::protocol_id::binary,
      .record_size = 4096,
      .prefix_size = data[1] / 16u % 7u};
  const std::size_t chunk = data[1] % 16u + 1u;
  const tl::byte_view bytes(data + 2, size - 2);

  std::vector<event> whole, cut;
  tl::records all(bytes, how);
  drain(all, whole);
  tl::records in(how);
  bool goes_on = true;
  for (std::size_t at = 0; goes_on && at < bytes.size(); at += chunk) {
    in.feed(bytes.part(at, chunk < bytes.size() - at ? chunk : bytes.size() - at));
    goes_on = drain(in, cut);
  }
  in.finish();
  if (goes_on) drain(in, cut);
  require(whole == cut);

  std::uint64_t last = 0, number = 0;
  for (const event& each : whole) {
    if (each.size == 0) continue;  // an error
    require(each.offset >= last && each.offset + each.size <= bytes.size() && each.number >= number);
    last = each.offset + each.size;
    number = each.number + 1;
  }
  return 0;
}
