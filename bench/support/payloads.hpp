// payloads: the messages that the tasks work on, filled in code and written by Apache Thrift's own encoder.
// In: nothing. Out: Small, Medium, a varied Medium (many different messages), 1 MB and 6 MB, in Binary and in Compact.
// Never read from a file: every clone times the same bytes.
#pragma once

#include "contest.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace bench {

/// Messages of one kind. A timed loop goes through them in turn.
struct payload {
  std::string name;                     ///< "small", "medium", "medium_varied", "1mb", "6mb"
  bool simple = false;                  ///< Simple of idl/bench.thrift, else Nesting
  std::vector<std::string> binary;
  std::vector<std::string> compact;

  [[nodiscard]] const char* type() const { return simple ? "Simple" : "Nesting"; }
  [[nodiscard]] const char* partial_type() const { return simple ? "PartialSimple" : "PartialNesting"; }
};

/// Made once, in the order above.
const std::vector<payload>& payloads();
/// The file idl/bench.thrift.
std::string bench_idl();

/// Turns through the messages of a payload.
class turn {
 public:
  explicit turn(const std::vector<std::string>& messages) : messages_(&messages) {}
  const std::string& next() {
    const std::string& now = (*messages_)[at_];
    at_ = at_ + 1 == messages_->size() ? 0 : at_ + 1;
    return now;
  }

 private:
  const std::vector<std::string>* messages_;
  std::size_t at_ = 0;
};

/// One text of all messages' answers, for the comparison.
template <class Answer>
std::string answer_all(const std::vector<std::string>& messages, Answer answer) {
  std::string all;
  for (const std::string& each : messages) all += answer(each) + '\n';
  return all;
}

/// Mean bytes of a message.
inline std::size_t mean_size(const std::vector<std::string>& messages) {
  std::size_t sum = 0;
  for (const std::string& each : messages) sum += each.size();
  return sum / messages.size();
}

/// Enters an operation over messages. It is default-made once for the answers and once for the timing;
/// `answer(bytes)` gives a text to compare, `run(bytes)` is what is timed and returns something.
template <class Operation, class... Args>
void enter(std::string task, const payload& of, const std::vector<std::string>& messages, std::string name, int rank, Args... args) {
  contestant({.task = std::move(task), .payload = of.name, .name = std::move(name),
              .answer = [&messages, args...] {
                Operation operation(args...);
                return answer_all(messages, [&](const std::string& bytes) { return operation.answer(bytes); });
              },
              .run = [&messages, args...](benchmark::State& state) {
                Operation operation(args...);
                turn turn(messages);
                for (const std::string& each : messages) benchmark::DoNotOptimize(operation.run(each));
                for (auto _ : state) benchmark::DoNotOptimize(operation.run(turn.next()));
              },
              .bytes = mean_size(messages), .rank = rank});
}

}  // namespace bench
