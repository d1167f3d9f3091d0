// curve: the task `fields`: build a struct of 9 to 1033 fields, write it, read five of its fields; without a
// map and with one that has as many entries as the struct has fields. FlatBuffers' verifier is not run.
#pragma once

#include <contest.hpp>

#include <string>
#include <tuple>
#include <vector>

namespace bench::fields {

/// Keys of the map, created outside the timed loop.
inline const std::vector<std::string>& keys() {
  static const std::vector<std::string> key_texts = [] {
    std::vector<std::string> names;
    for (int i = 0; i < 1033; ++i) names.push_back("key " + std::to_string(i));
    return names;
  }();
  return key_texts;
}

template <class Operation>
void enter_size(int size, const std::string& name, int rank) {
  for (const int entries : {0, size}) {
    const std::string digits = std::to_string(size);
    contestant({.task = "fields",
                .payload = std::string(4 - digits.size(), '0') + digits + (entries == 0 ? "" : "_map"),
                .name = name,
                .answer = [entries] { return std::to_string(Operation().run(entries)); },
                .run =
                    [entries](benchmark::State& state) {
                      Operation operation;
                      for (auto _ : state) benchmark::DoNotOptimize(operation.run(entries));
                      state.counters["wire"] = static_cast<double>(operation.wire());
                    },
                .rank = rank});
  }
}

template <template <class> class Operation, class... Sizes>
bool enter_sizes(const std::tuple<Sizes...>*, const std::string& name, int rank) {
  (enter_size<Operation<Sizes>>(Sizes::size, name, rank), ...);
  return true;
}
/// Registers every size of `All` (called `all` in make_fields.py).
template <template <class> class Operation, class SizeTuple>
bool enter_curve(const std::string& name, int rank) {
  return enter_sizes<Operation>(static_cast<const SizeTuple*>(nullptr), name, rank);
}

}  // namespace bench::fields
