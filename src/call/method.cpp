// method: builds method tables.
#include "call/method.hpp"

#include "arrow/arrow_functions.hpp"

#include <deque>

namespace thriftlens::python {

namespace {

std::vector<method> joined(std::initializer_list<std::span<const method>> groups) {
  std::vector<method> methods;
  for (const std::span<const method>& group : groups) {
    for (const method& row : group) methods.push_back(row);
  }
  return methods;
}

/// A copy that lives as long as the process.
const char* static_text(std::string text) {
  static std::deque<std::string> texts;
  return texts.emplace_back(std::move(text)).c_str();
}

}  // namespace

PyMethodDef* method_table(const char* self, std::span<const method> methods,
                          std::initializer_list<PyMethodDef> others) {
  static std::deque<std::vector<PyMethodDef>> tables;
  std::vector<PyMethodDef>& table = tables.emplace_back();
  for (const method& row : methods)
    table.push_back({row.takes.name(), row.call, fast_flags, static_text(row.takes.text(self) + row.doc)});
  table.insert(table.end(), others);
  table.push_back({nullptr, nullptr, 0, nullptr});
  return table.data();
}

std::vector<method> type_methods() {
  return joined({codec_methods(), json_methods(), view_methods(), edit_methods(), policy_methods(),
                 rewrite_methods(), compare_methods(), columns_methods(), rpc_methods()});
}

std::vector<method> module_functions() {
  return joined({view_functions(), rewrite_functions(), compare_functions(), protocol_functions(),
                 records_functions(), record_blobs_functions(), columns_functions(), arrow_buffer_functions(),
                 arrow_list_functions(), arrow_stream_functions(), parquet_functions()});
}

}  // namespace thriftlens::python
