// Converts HTTP requests to Thrift bytes by a plan, compared with the results of dynamicgo.
//   thriftlens_bench_http IDL REQUESTS PEER   PEER: lines of name, hex of the struct, nanoseconds

#include "cpu_time.hpp"

#include <thriftlens/http.hpp>
#include <thriftlens/json.hpp>
#include <thriftlens/thriftlens.hpp>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace tl = thriftlens;

namespace {

struct peer_answer {
  std::string bytes;
  double nanoseconds = 0;
};
std::string from_hex(const std::string& text) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2)
    bytes += static_cast<char>(std::stoi(text.substr(i, 2), nullptr, 16));
  return bytes;
}
std::map<std::string, peer_answer> read_peer(const char* path) {
  std::map<std::string, peer_answer> answers;
  std::ifstream file(path);
  for (std::string name, hex, time; file >> name >> hex >> time;)
    answers[name] = {from_hex(hex), std::stod(time)};
  return answers;
}
template <class Run>
double measure(const Run& run) {
  std::size_t count = 1;
  const auto times = [&] {
    const double begin = bench::cpu_seconds();
    for (std::size_t i = 0; i < count; ++i) run();
    return (bench::cpu_seconds() - begin) * 1e9;
  };
  if (bench::runs_once()) return times();
  while (times() < 20e6) count *= 2;
  std::vector<double> samples;
  for (int i = 0; i < 15; ++i) samples.push_back(times() / static_cast<double>(count));
  std::sort(samples.begin(), samples.end());
  return samples[samples.size() / 2];
}
std::vector<tl::http_pair> pairs(const tl::view<tl::binary>& map) {
  std::vector<tl::http_pair> pairs_of_map;
  for (const auto& [key, value] : map.entries())
    pairs_of_map.push_back({key.as<std::string_view>(), value.as<std::string_view>()});
  return pairs_of_map;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 4) return std::fputs("usage: thriftlens_bench_http IDL REQUESTS PEER\n", stderr), 2;
  const tl::schema schema = tl::schema::load(arguments[1]);
  std::ifstream file(arguments[2]);
  const std::string json{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const tl::buffer cases = tl::from_json<tl::binary>(schema.type("Cases"), json);
  const std::map<std::string, peer_answer> peer = read_peer(arguments[3]);
  const tl::type order = schema.type("Order");
  tl::http_options options;
  options.request.unknown = tl::on_unknown::drop;
  const tl::http_plan plan = tl::http_plan::compile(order, options);
  std::printf("%-12s %12s %12s %8s\n", "request", "thriftlens", "dynamicgo", "ratio");
  int differing = 0;
  for (const auto test_case : tl::view<tl::binary>(cases, schema.type("Cases"))["cases"].elements()) {
    const std::string name(test_case["name"].as<std::string_view>());
    const std::vector<tl::http_pair> headers = pairs(test_case["headers"]),
                                     path = pairs(test_case["path_params"]);
    const tl::http_request request{.method = test_case["method"].as<std::string_view>(),
                                   .url = test_case["url"].as<std::string_view>(),
                                   .headers = headers,
                                   .path_params = path,
                                   .body = test_case["body"].as<std::string_view>()};
    tl::buffer out = plan.request<tl::binary>(request);
    const auto peer_case = peer.find(name);
    const bool known = peer_case != peer.end();
    if (known &&
        !tl::equal(tl::view<tl::binary>(out, order), tl::view<tl::binary>(peer_case->second.bytes, order))) {
      std::printf("%-12s NOT TIMED: the answers differ\n", name.c_str());
      ++differing;
      continue;
    }
    const double time = measure([&] {
      out.clear();
      plan.try_append_request<tl::binary>(request, out).value();
    });
    const double peer_time = known ? peer_case->second.nanoseconds : 0;
    std::printf("%-12s %9.0f ns %9.0f ns %8.1f\n", name.c_str(), time, peer_time, peer_time / time);
  }
  return differing;
}
