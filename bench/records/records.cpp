// records: structs back to back in Binary, walked and trimmed, compared with Apache's templates. Not part of
// thriftlens_bench: run.py generates Apache's code and compiles it.
#include "cpu_time.hpp"
#include "span_types.h"
#include "span_types.tcc"

#include <thriftlens/edit.hpp>
#include <thriftlens/path.hpp>
#include <thriftlens/records.hpp>
#include <thriftlens/schema.hpp>
#include <thriftlens/view.hpp>

#include <thrift/protocol/TBinaryProtocol.h>
#include <thrift/transport/TBufferTransports.h>

#include <cstdio>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace tl = thriftlens;
using apache::thrift::protocol::T_STRUCT;
using apache::thrift::protocol::TBinaryProtocolT;
using apache::thrift::transport::TMemoryBuffer;
using protocol = TBinaryProtocolT<TMemoryBuffer>;

namespace {

template <class Work>
double seconds_of(Work work) {
  return bench::median_cpu_seconds(9, work);
}

thriftlens_bench::Span random_span(std::mt19937_64& random) {
  const auto below = [&](std::uint64_t bound) { return random() % bound; };
  const auto text = [&](std::uint64_t max_size) { return std::string(1 + below(max_size), 'a'); };
  thriftlens_bench::Span span;
  span.trace_id = static_cast<std::int64_t>(random());
  span.id = static_cast<std::int64_t>(random());
  span.name = text(30);
  if (below(4) != 0) span.__set_parent_id(static_cast<std::int64_t>(random()));
  span.timestamp = static_cast<std::int64_t>(below(1ull << 50));
  span.duration = static_cast<std::int64_t>(below(1u << 30));
  span.annotations.resize(below(5));
  for (auto& annotation : span.annotations) {
    annotation.timestamp = static_cast<std::int64_t>(below(1ull << 50));
    annotation.value = text(20);
    thriftlens_bench::Endpoint host;
    host.service_name = text(16);
    annotation.__set_host(host);
  }
  span.tags.resize(below(12));
  for (auto& tag : span.tags) {
    tag.key = text(16);
    tag.value = text(60);
  }
  return span;
}

std::string written(int count) {
  auto memory = std::make_shared<TMemoryBuffer>();
  protocol out(memory);
  std::mt19937_64 random(7);
  for (int i = 0; i < count; ++i) random_span(random).write(&out);
  return memory->getBufferAsString();
}

/// Calls `each` with Apache's protocol at every record; returns how many there were.
template <class OnRecord>
std::size_t by_apache(const std::string& bytes, OnRecord on_record) {
  auto memory = std::make_shared<TMemoryBuffer>();
  memory->resetBuffer(reinterpret_cast<std::uint8_t*>(const_cast<char*>(bytes.data())),
                      static_cast<std::uint32_t>(bytes.size()), TMemoryBuffer::OBSERVE);
  protocol in(memory);
  std::size_t count = 0;
  for (; memory->available_read() != 0; ++count) on_record(in);
  return count;
}

std::size_t walked(const std::string& bytes) {
  tl::records in{tl::byte_view(bytes)};
  std::size_t count = 0;
  for (tl::record record; in.next(record);) ++count;
  return count;
}
void trim(const std::string& bytes, const tl::type& type, const tl::selection& selection, tl::buffer& out) {
  out.clear();
  tl::records in{tl::byte_view(bytes)};
  for (tl::record record; in.next(record);)
    tl::append_trimmed(tl::view<tl::binary>(record.bytes, type), selection, out);
}
std::string trimmed_by_apache(const std::string& bytes) {
  auto memory = std::make_shared<TMemoryBuffer>(static_cast<std::uint32_t>(bytes.size()));
  protocol out(memory);
  thriftlens_bench::PartialSpan span;
  by_apache(bytes, [&](protocol& in) {
    span.read(&in);
    span.write(&out);
  });
  return memory->getBufferAsString();
}

void print(const char* task, std::size_t size, double own, double reading, double skipping) {
  const auto rate = [size](double seconds) { return static_cast<double>(size) / seconds / 1e9; };
  std::printf("| %s | %.2f GB/s | %.2f GB/s | %.1fx |", task, rate(own), rate(reading), reading / own);
  if (skipping != 0)
    std::printf(" %.2f GB/s | %.1fx |\n", rate(skipping), skipping / own);
  else
    std::puts(" | |");
}

}  // namespace

int main(int count, char** arguments) {
  const tl::schema schema = tl::schema::load(count > 1 ? arguments[1] : "span.thrift");
  const tl::type type = schema.type("Span");
  const tl::selection selection = tl::selection::compile(type, schema.type("PartialSpan"));
  const int count_of_records = bench::runs_once() ? 1'000 : 100'000;
  const std::string bytes = written(count_of_records);
  const auto read = [](protocol& in) {
    thriftlens_bench::Span span;
    span.read(&in);
  };
  const auto skip = [](protocol& in) { in.skip(T_STRUCT); };
  tl::buffer out;
  trim(bytes, type, selection, out);
  if (walked(bytes) != by_apache(bytes, read) || out.text() != trimmed_by_apache(bytes)) {
    std::puts("the answers differ, so nothing is timed");
    return 1;
  }
  std::printf("%.1f MB, %.0f bytes per record\n", static_cast<double>(bytes.size()) / 1e6,
              static_cast<double>(bytes.size()) / count_of_records);
  std::puts("| task | thriftlens | Apache, templates | | Apache's skip | |\n|---|--:|--:|--:|--:|--:|");
  print("walk", bytes.size(), seconds_of([&] { walked(bytes); }), seconds_of([&] { by_apache(bytes, read); }),
        seconds_of([&] { by_apache(bytes, skip); }));
  print("trim to three fields", bytes.size(), seconds_of([&] { trim(bytes, type, selection, out); }),
        seconds_of([&] { trimmed_by_apache(bytes); }), 0);
}
