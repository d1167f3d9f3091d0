// main: runs one kernel of the module simd a number of times, to count its instructions on another machine.
//   thriftlens_bench_kernels KERNEL TIMES     KERNEL: swap, compare, find, escape, unescape, ascii
// Prints a checksum, which a build with THRIFTLENS_NO_SIMD must print too.
#include <thriftlens/simd/byteswap.hpp>
#include <thriftlens/simd/json_unescape.hpp>
#include <thriftlens/simd/masked_compare.hpp>
#include <thriftlens/simd/utf8.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace {

namespace simd = thriftlens::detail::simd;

/// 4096 bytes of words, a quote in every 100.
std::string sample() {
  std::string text;
  while (text.size() < 4096) text += text.size() % 100 < 8 ? "a \"name\" " : "of words ";
  text.resize(4096);
  return text;
}

std::uint64_t count_swapped(const std::string& text) {
  std::vector<std::uint64_t> numbers(text.size() / 8);
  simd::load_be_array(numbers.data(), reinterpret_cast<const std::uint8_t*>(text.data()), numbers.size());
  std::uint64_t checksum = 0;
  for (std::size_t i = 0; i < numbers.size(); i += 64) checksum ^= numbers[i];
  return checksum;
}
std::uint64_t count_same(const std::string& text) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  std::uint64_t same = 0;
  for (std::size_t at = 0; at + 64 <= text.size(); at += 16)
    same += simd::same_leading(bytes, bytes + at, 9 + at / 16 % 16);
  return same;
}
std::uint64_t count_special(const std::string& text) {
  const auto* at = reinterpret_cast<const std::uint8_t*>(text.data());
  const auto* const end = at + text.size();
  std::uint64_t count = 0;
  for (; (at = simd::find_json_special(at, end)) != end; ++at) ++count;
  return count;
}
std::string escaped(const std::string& text) {
  std::string output(simd::json_escape_capacity(text.size()), '\0');
  auto* to = reinterpret_cast<std::uint8_t*>(output.data());
  output.resize(static_cast<std::size_t>(simd::escape_json(to, thriftlens::byte_view(text)).end - to));
  return output;
}
std::uint64_t count_unescaped(const std::string& body) {
  std::string output(simd::json_unescape_capacity(body.size()), '\0');
  auto* to = reinterpret_cast<std::uint8_t*>(output.data());
  const auto* from = reinterpret_cast<const std::uint8_t*>(body.data());
  return static_cast<std::uint64_t>(simd::unescape_json(to, from, from + body.size()).end - to);
}

}  // namespace

int main(int count, char** arguments) {
  const std::string text = sample(), body = escaped(text) + '"';
  const std::map<std::string, std::function<std::uint64_t()>> kernels{
      {"swap", [&] { return count_swapped(text); }},
      {"compare", [&] { return count_same(text); }},
      {"find", [&] { return count_special(text); }},
      {"escape", [&] { return std::uint64_t{escaped(text).size()}; }},
      {"unescape", [&] { return count_unescaped(body); }},
      {"ascii", [&] { return std::uint64_t{simd::is_ascii(thriftlens::byte_view(text))}; }},
  };
  const auto chosen = count == 3 ? kernels.find(arguments[1]) : kernels.end();
  if (chosen == kernels.end()) return std::fputs("usage: thriftlens_bench_kernels KERNEL TIMES\n", stderr), 2;
  std::uint64_t sum = 0;
  for (int runs = std::atoi(arguments[2]); runs > 0; --runs) sum += chosen->second();
  std::printf("%llu\n", static_cast<unsigned long long>(sum));
}
