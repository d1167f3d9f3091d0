// memcpy as a lower bound for tasks that read or write all bytes of a message.
#include <list_i64/column.hpp>
#include <payloads.hpp>

#include <cstring>

namespace {

struct copy {
  std::string out;
  std::size_t run(const std::string& bytes) {
    if (out.size() < bytes.size()) out.resize(bytes.size());
    std::memcpy(out.data(), bytes.data(), bytes.size());
    benchmark::ClobberMemory();
    return bytes.size();
  }
};

const bool entered = [] {
  for (const bench::payload& payload : bench::payloads()) {
    for (const char* task :
         {"skip", "set_one", "set_many", "decode", "encode", "load", "load_reuse", "write"})
      bench::enter_limit<copy>(task, payload.name, payload.binary, "limit_memcpy");
  }
  for (const char* task : {"list_i64_decode", "list_i64_encode", "list_i64_sum"})
    bench::enter_limit<copy>(task, "1mb", bench::column_messages(), "limit_memcpy");
  return true;
}();

}  // namespace
