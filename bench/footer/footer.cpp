// footer: decodes a Parquet footer into the program's own structs, compared with Arrow's
// parquet::FileMetaData::Make. Not part of thriftlens_bench: run.py compiles it with the headers of pyarrow's
// wheel.
#include "cpu_time.hpp"
#include "structs.hpp"

#include <parquet/metadata.h>
#include <parquet/statistics.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace tl = thriftlens;

namespace {

template <class Work>
double median_ms(Work work) {
  return bench::median_cpu_seconds(21, work) * 1000;
}

std::string bytes_of(const char* path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::shared_ptr<parquet::FileMetaData> by_arrow(const std::string& bytes) {
  return parquet::FileMetaData::Make(bytes.data(), static_cast<std::int64_t>(bytes.size()));
}

/// The column chunks as text, to compare both results.
template <class Text>
std::string answer_of(const footer::metadata<Text>& of) {
  std::string text = std::to_string(of.num_rows) + std::to_string(of.schema.size());
  for (const auto& group : of.row_groups) {
    for (const auto& chunk : group.columns) {
      text += std::to_string(chunk.meta->num_values) + std::to_string(chunk.meta->data_page);
      for (const Text& name : chunk.meta->path) text += std::string(name) + ".";
      if (chunk.meta->stats && chunk.meta->stats->min_value) text += *chunk.meta->stats->min_value;
    }
  }
  return text;
}
std::string answer_of(const parquet::FileMetaData& of) {
  std::string text = std::to_string(of.num_rows()) + std::to_string(of.num_schema_elements());
  for (int g = 0; g < of.num_row_groups(); ++g) {
    const auto group = of.RowGroup(g);
    for (int c = 0; c < group->num_columns(); ++c) {
      const auto chunk = group->ColumnChunk(c);
      text += std::to_string(chunk->num_values()) + std::to_string(chunk->data_page_offset());
      const auto path = chunk->path_in_schema();
      for (const std::string& name : path->ToDotVector()) text += name + ".";
      const auto statistics = chunk->statistics();
      if (statistics != nullptr && statistics->HasMinMax()) text += statistics->EncodeMin();
    }
  }
  return text;
}

template <class Text>
double time_of(const std::string& bytes) {
  return median_ms([&] {
    const auto metadata = tl::decode<footer::metadata<Text>, tl::compact>(tl::byte_view(bytes));
    if (metadata.row_groups.empty()) std::puts("no row groups");
  });
}

/// The same over the object of the time before, whose memory is used again.
double time_of_reuse(const std::string& bytes) {
  footer::metadata<std::string> metadata;
  return median_ms([&] { tl::decode_into<tl::compact>(tl::byte_view(bytes), metadata); });
}

}  // namespace

int main(int count, char** paths) {
  for (int i = 1; i < count; ++i) {
    const std::string bytes = bytes_of(paths[i]);
    const auto own = tl::decode<footer::metadata<std::string>, tl::compact>(tl::byte_view(bytes));
    if (answer_of(own) != answer_of(*by_arrow(bytes))) {
      std::printf("%s: the answers differ, so it is not timed\n", paths[i]);
      return 1;
    }
    const double arrow = median_ms([&] { static_cast<void>(by_arrow(bytes)); });
    const double strings = time_of<std::string>(bytes), views = time_of<std::string_view>(bytes);
    const double reused = time_of_reuse(bytes);
    std::printf("| %s | %.2f ms | %.2f ms | %.1fx | %.2f ms | %.1fx | %.2f ms | %.1fx |\n", paths[i], arrow,
                strings, arrow / strings, views, arrow / views, reused, arrow / reused);
  }
}
