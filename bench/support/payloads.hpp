// payloads: the messages that the tasks work on, filled in code and written by Apache Thrift's own
// encoder. Never read from a file: every clone times the same bytes.
#pragma once

#include "contest.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace bench {

/// Structs of idl/bench.thrift: Simple, Nesting, SparseNesting.
enum class kind { simple, nesting, sparse };

/// Messages of one kind. A timed loop cycles through them.
struct payload {
  std::string name;  ///< "small", "medium", "medium_varied" (25 % absent), "varied_0" …, "1mb", "6mb"
  kind holds = kind::simple;
  std::vector<std::string> binary;
  std::vector<std::string> compact;

  [[nodiscard]] bool is_simple() const { return holds == kind::simple; }
  [[nodiscard]] const char* type() const {
    return is_simple() ? "Simple" : holds == kind::nesting ? "Nesting" : "SparseNesting";
  }
  [[nodiscard]] const char* partial_type() const {
    return is_simple() ? "PartialSimple" : holds == kind::nesting ? "PartialNesting" : "PartialSparseNesting";
  }
  /// The messages in the format of a contestant or protocol, by its name.
  template <class Protocol>
  [[nodiscard]] const std::vector<std::string>& messages() const {
    return std::string_view(Protocol::name).find("compact") != std::string_view::npos ? compact : binary;
  }
};

/// Made once, in the order above.
const std::vector<payload>& payloads();
/// The file idl/bench.thrift.
std::string bench_idl();

/// Cycles through messages, or through values made from them.
template <class Item>
class turn {
 public:
  explicit turn(const std::vector<Item>& items) : items_(&items) {}
  const Item& next() {
    const Item& item = (*items_)[at_];
    at_ = at_ + 1 == items_->size() ? 0 : at_ + 1;
    return item;
  }

 private:
  const std::vector<Item>* items_;
  std::size_t at_ = 0;
};

/// The input of an operation: the messages, or what its make() computes from each before the timed loop.
template <class Operation>
decltype(auto) work_of(Operation& operation, const std::vector<std::string>& messages) {
  if constexpr (requires { typename Operation::value; }) {
    std::vector<typename Operation::value> values;
    values.reserve(messages.size());
    for (const std::string& message : messages) values.push_back(operation.make(message));
    return values;
  } else {
    return (messages);
  }
}
template <class Operation, class Item>
void time_all(benchmark::State& state, Operation& operation, const std::vector<Item>& items) {
  turn<Item> turn(items);
  for (const Item& item : items) benchmark::DoNotOptimize(operation.run(item));
  for (auto _ : state) benchmark::DoNotOptimize(operation.run(turn.next()));
}

/// Mean bytes of a message.
inline std::size_t mean_size(const std::vector<std::string>& messages) {
  std::size_t sum = 0;
  for (const std::string& message : messages) sum += message.size();
  return sum / messages.size();
}

/// Registers an operation over messages. It is constructed once for the answers and once for the timing;
/// `answer(item)` returns a text to compare, `run(item)` is timed and returns a value. An item is a message,
/// or the result of `make(message)`, of type `value`.
template <class Operation, class... Args>
void enter(std::string task, const payload& of, const std::vector<std::string>& messages, std::string name,
           int rank, Args... args) {
  contestant({.task = std::move(task),
              .payload = of.name,
              .name = std::move(name),
              .answer =
                  [&messages, args...] {
                    Operation operation(args...);
                    decltype(auto) items = work_of(operation, messages);
                    std::string text;
                    for (const auto& item : items) text.append(operation.answer(item)).append(1, '\n');
                    return text;
                  },
              .run =
                  [&messages, args...](benchmark::State& state) {
                    Operation operation(args...);
                    decltype(auto) items = work_of(operation, messages);
                    time_all(state, operation, items);
                  },
              .bytes = mean_size(messages),
              .rank = rank});
}
/// Enters a limit: something simpler than the task, with no answer.
template <class Operation>
void enter_limit(std::string task, std::string payload, const std::vector<std::string>& messages,
                 std::string name) {
  contestant({.task = std::move(task),
              .payload = std::move(payload),
              .name = std::move(name),
              .answer = {},
              .run =
                  [&messages](benchmark::State& state) {
                    Operation operation;
                    decltype(auto) items = work_of(operation, messages);
                    time_all(state, operation, items);
                  },
              .bytes = mean_size(messages),
              .rank = 2});
}

}  // namespace bench
