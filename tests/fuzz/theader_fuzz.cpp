// Any bytes as a header of THeader: what it says is written, and read again it says the same.
#include <thriftlens/transport/theader.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

namespace tl = thriftlens;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tl::detail::frame_head head;
  if (tl::detail::theader_reader(tl::byte_view(data, size)).read(head)) return 0;
  for (const tl::header_entry& each : head.entries) {
    const bool is_token = each.kind == tl::header_entry::form::token;
    const auto* const key = reinterpret_cast<const std::uint8_t*>(each.key.data());
    const auto* const value = reinterpret_cast<const std::uint8_t*>(each.value.data());
    const bool is_key_inside =
        is_token || each.key.empty() || (key >= data && key + each.key.size() <= data + size);
    const bool is_value_inside =
        each.value.empty() || (value >= data && value + each.value.size() <= data + size);
    if (!is_key_inside || !is_value_inside) std::abort();
  }
  tl::buffer out;
  if (!tl::detail::try_append_theader(head, head.entries, out)) std::abort();
  tl::detail::frame_head again;
  if (tl::detail::theader_reader(out).read(again)) std::abort();
  tl::buffer twice;
  if (!tl::detail::try_append_theader(again, again.entries, twice)) std::abort();
  if (again.protocol != head.protocol || again.entries.size() != head.entries.size() ||
      out.text() != twice.text())
    std::abort();
  return 0;
}
