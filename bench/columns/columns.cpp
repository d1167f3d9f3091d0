// columns: records to columns and back, compared with decoding into C++ structs and with copying the bytes.
// Not part of thriftlens_bench: run.py compiles and runs it.
#include "cpu_time.hpp"
#include "own.hpp"

#include <thriftlens/columns/columns.hpp>
#include <thriftlens/columns/from_columns.hpp>
#include <thriftlens/thriftlens.hpp>

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#else
#define CALLGRIND_TOGGLE_COLLECT
#endif

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace tl = thriftlens;
namespace own = bench::own;

namespace {

using simple = own::simple<own::standard, own::plain>;
using nesting = own::nesting<own::standard, own::plain>;

simple small(int n) {
  return {
      static_cast<std::int8_t>(n % 127 + 1),     std::int64_t{n} * 1'000'003 + 1,     (n + 1) / 7.0, n + 1,
      "the text of " + std::to_string(n % 1000), "some bytes of " + std::to_string(n)};
}
/// The shape of the benchmarks' Medium message.
nesting medium(int n) {
  const std::string text = "the text of " + std::to_string(n % 1000) + ", and some words behind it";
  const std::string raw(32, static_cast<char>(n));
  const simple simple_value = small(n);
  nesting made;
  made.string = text;
  made.double_ = n / 3.0;
  made.i32 = n;
  made.i64 = std::int64_t{n} << 20;
  made.simple_struct = simple_value;
  made.binary = raw;
  made.byte = 1;
  for (int i = 0; i < 16; ++i) {
    const std::string key = std::to_string(10 + i);
    made.list_simple.push_back(simple_value);
    made.list_i32.push_back(i - n);
    made.list_string.push_back(text);
    made.list_i64.push_back(std::int64_t{n} + i);
    made.map_string_string[key] = text;
    made.map_i32_i64[i] = n - i;
    made.map_i64_string[i] = text;
    made.map_string_simple[key] = simple_value;
  }
  return made;
}

template <class P, class Make>
std::vector<std::string> records(std::size_t count, Make make) {
  std::vector<std::string> made;
  for (std::size_t n = 0; n < count; ++n) {
    tl::buffer out;
    tl::append_encoded<P>(make(static_cast<int>(n)), out);
    made.push_back(out.str());
  }
  return made;
}
std::size_t size_of(const std::vector<std::string>& messages) {
  std::size_t total = 0;
  for (const std::string& message : messages) total += message.size();
  return total;
}

struct batch {
  ArrowSchema schema{};
  ArrowArray array{};
  batch() = default;
  batch(const batch&) = delete;
  batch& operator=(const batch&) = delete;
  ~batch() {
    if (schema.release != nullptr) schema.release(&schema);
    if (array.release != nullptr) array.release(&array);
  }
};
template <class P>
void fill(tl::columns& rows, const std::vector<std::string>& messages, batch& out) {
  for (std::size_t n = 0; n < messages.size(); ++n) {
    if (n == 256) rows.expect(messages.size(), size_of(messages));
    rows.append<P>(tl::byte_view(std::string_view(messages[n])));
  }
  rows.take(out.array);
}

template <class Work>
double seconds_of(Work work) {
  return bench::median_cpu_seconds(9, work);
}

struct runner {
  const char* only = nullptr;  // with --count
  template <class Work>
  void operator()(const std::string& task, std::size_t count, std::size_t bytes, Work work) const {
    if (only != nullptr) {
      if (task != only) return;
      work();
      CALLGRIND_TOGGLE_COLLECT;
      work();
      CALLGRIND_TOGGLE_COLLECT;
      return;
    }
    const double seconds = seconds_of(work);
    std::printf("| %-34s | %9.1f ns | %6.2f GB/s |\n", task.c_str(),
                seconds * 1e9 / static_cast<double>(count), static_cast<double>(bytes) / seconds / 1e9);
  }
};

template <class P, class Value, class Make>
void compare(const runner& run, const std::string& name, const tl::type& type, const char* column,
             std::size_t count, Make make) {
  const std::vector<std::string> messages = records<P>(count, make);
  const std::size_t bytes = size_of(messages);
  const auto columns_of = [&](const std::string& task, const tl::selection& selection) {
    tl::columns rows = tl::columns::compile(selection);
    run(name + task, count, bytes, [&] {
      batch out;
      fill<P>(rows, messages, out);
    });
  };
  columns_of(" all", tl::selection::all(type));
  columns_of(" one", tl::selection::compile(type, column));
  run(name + " decode", count, bytes, [&] {
    std::vector<Value> values(messages.size());
    for (std::size_t n = 0; n < messages.size(); ++n)
      if (!tl::try_decode_into<P>(messages[n], values[n])) std::abort();
  });
  run(name + " copy", count, bytes, [&] {
    std::string joined;
    joined.reserve(bytes);
    for (const std::string& message : messages) joined += message;
    asm volatile("" : : "r"(joined.data()) : "memory");
  });
  tl::columns rows = tl::columns::compile(tl::selection::all(type));
  batch out;
  rows.export_schema(out.schema);
  fill<P>(rows, messages, out);
  run(name + " from_columns", count, bytes, [&] {
    const tl::result<tl::arrow_rows> rows_of_batch =
        tl::arrow_rows::try_make(type, out.schema, out.array, {});
    std::size_t row = 0;
    if (!rows_of_batch || !tl::record_column::try_make<P>(*rows_of_batch, row)) std::abort();
  });
  std::vector<Value> values;
  for (std::size_t n = 0; n < count; ++n) values.push_back(make(static_cast<int>(n)));
  run(name + " encode", count, bytes, [&] {
    tl::buffer to;
    to.reserve(bytes);
    for (const Value& value : values) tl::append_encoded<P>(value, to);
    asm volatile("" : : "r"(to.data()) : "memory");
  });
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) return 2;
  const tl::schema schema = tl::schema::load(arguments[1]);
  runner run;
  if (count > 2) run.only = arguments[2];
  const std::size_t many = run.only == nullptr && !bench::runs_once() ? 100'000 : 2'000;
  compare<tl::binary, simple>(run, "Small", schema.type("Simple"), "{ I32Field }", many, small);
  compare<tl::compact, simple>(run, "Small Compact", schema.type("Simple"), "{ I32Field }", many, small);
  compare<tl::binary, nesting>(run, "Medium", schema.type("Nesting"), "{ I64 }", many / 20, medium);
  compare<tl::compact, nesting>(run, "Medium Compact", schema.type("Nesting"), "{ I64 }", many / 20, medium);
}
