// method: tables of methods.
#include "call/method.hpp"

#include "arrow/arrow_functions.hpp"

#include <deque>

namespace thriftlens::python {

namespace {

std::vector<method> joined(std::initializer_list<std::span<const method>> rooms) {
  std::vector<method> all;
  for (const std::span<const method>& room : rooms) {
    for (const method& each : room) all.push_back(each);
  }
  return all;
}

/// Kept for the life of the process, as the classes are.
const char* kept_text(std::string text) {
  static std::deque<std::string> texts;
  return texts.emplace_back(std::move(text)).c_str();
}

}  // namespace

PyMethodDef* method_table(const char* self, std::span<const method> methods,
                          std::initializer_list<PyMethodDef> others) {
  static std::deque<std::vector<PyMethodDef>> tables;
  std::vector<PyMethodDef>& made = tables.emplace_back();
  for (const method& each : methods)
    made.push_back({each.takes.name(), each.call, fast_flags, kept_text(each.takes.text(self) + each.doc)});
  made.insert(made.end(), others);
  made.push_back({nullptr, nullptr, 0, nullptr});
  return made.data();
}

std::vector<method> type_methods() {
  return joined({codec_methods(), json_methods(), view_methods(), edit_methods(), policy_methods(),
                 rewrite_methods(), compare_methods(), columns_methods(), rpc_methods()});
}

std::vector<method> module_functions() {
  return joined({view_functions(), rewrite_functions(), compare_functions(), protocol_functions(),
                 records_functions(), record_blobs_functions(), columns_functions(), arrow_buffer_functions(),
                 arrow_list_functions(), parquet_functions()});
}

}  // namespace thriftlens::python
