// payloads: the IDL files of the task idl_load, read from the shared corpus if it is present. They are not
// copied because of their licences.
#pragma once

#include <contest.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace bench::idl_load {

struct payload {
  std::string name;
  std::string file;
};

inline std::vector<payload> payloads() {
  const std::string shared = shared_dir();
  if (shared.empty()) return {};
  const std::string corpus = shared + "/corpus/open/";
  return {{"hive_metastore", corpus + "hive-metastore/src/main/thrift/hive_metastore.thrift"},
          {"evernote", corpus + "evernote/src/NoteStore.thrift"},
          {"doris_frontend", corpus + "doris-2021/gensrc/thrift/FrontendService.thrift"},
          {"ThriftTest", corpus + "apache-thrift/test/v0.16/ThriftTest.thrift"}};
}

/// The result to compare: structs of the root file with their field names, sorted.
inline std::string answer_of(std::vector<std::string> structs) {
  std::sort(structs.begin(), structs.end());
  std::string text;
  for (const std::string& structure : structs) text += structure + '\n';
  return text;
}

}  // namespace bench::idl_load
