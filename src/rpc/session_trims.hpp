// session_trims: trims replies while they arrive, without buffering them.
#pragma once

#include "caches/schema_keys.hpp"

#include <thriftlens/core/buffer.hpp>
#include <thriftlens/edit/stream_trim.hpp>
#include <thriftlens/protocol/select.hpp>
#include <thriftlens/transport/session_event.hpp>

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>
#include <variant>

namespace thriftlens::python {

class reply_trim {
 public:
  reply_trim(std::shared_ptr<schema_keys> keys, const selection& selected, const trim_options& options)
      : keys_(std::move(keys)), selection_(selected), options_(options) {}

  /// The protocol of the reply may differ from that of the call.
  void begin(const session_event& head) {
    is_open_ = head.is_open;
    visit_protocol(detail::protocol_of(head.protocol),
                   [&](auto tag) { trimmer_.emplace<stream_trimmer<decltype(tag)>>(selection_, options_); });
  }
  /// Whether only parsing finds the end of the reply.
  [[nodiscard]] bool is_open() const noexcept { return is_open_; }
  /// A part of a reply of known size. Does nothing after an error.
  void feed(byte_view part) {
    if (error_.code() != errc::ok) return;
    visit_trimmer([&](auto& trimmer) {
      const result<std::size_t> used = trimmer.try_feed(part, output_);
      if (!used)
        error_ = used.error();
      else if (*used != part.size())
        error_ = error(errc::trailing_bytes, {}, trimmer.offset());
    });
  }
  /// A part of an open reply. After a type error, the end of the reply is still searched for.
  [[nodiscard]] taken_part take(byte_view part) {
    taken_part taken;
    visit_trimmer([&](auto& trimmer) {
      const std::size_t start = trimmer.offset();
      if (const result<std::size_t> consumed = trimmer.try_feed(part, output_); !consumed) {
        error_ = consumed.error();
        taken.fault = drop_rest(trimmer, part, start);
      }
      taken.used = trimmer.offset() - start;
      taken.least_left = trimmer.least_left();
    });
    return taken;
  }
  /// Drops the output; only the end of the reply is searched for.
  void abandon() {
    is_abandoned_ = true;
    output_ = {};
    visit_trimmer([](auto& trimmer) { trimmer.drop_rest(); });
  }
  [[nodiscard]] bool is_abandoned() const noexcept { return is_abandoned_; }
  void finish() {
    if (error_.code() != errc::ok) return;
    visit_trimmer([&](auto& trimmer) {
      const result<trim_report> report = trimmer.try_finish();
      if (!report) error_ = report.error();
    });
  }
  [[nodiscard]] byte_view output() const noexcept { return output_; }
  /// Code ok if there is no error.
  [[nodiscard]] const error& error_of() const noexcept { return error_; }

 private:
  /// Searches the rest of a part, which starts at `start`, for the end of the reply.
  [[nodiscard]] fault drop_rest(auto& trimmer, byte_view part, std::size_t start) {
    trimmer.drop_rest();
    const std::size_t passed = trimmer.offset() - start;
    const result<std::size_t> dropped = trimmer.try_feed(part.part(passed, part.size() - passed), output_);
    if (dropped) return {};
    return {.code = dropped.error().code(), .offset = dropped.error().offset()};
  }
  template <class Function>
  void visit_trimmer(Function&& use) {
    if (auto* const of_binary = std::get_if<stream_trimmer<binary>>(&trimmer_)) use(*of_binary);
    if (auto* const of_compact = std::get_if<stream_trimmer<compact>>(&trimmer_)) use(*of_compact);
  }

  std::shared_ptr<schema_keys> keys_;  // the selection borrows from its schema
  selection selection_;
  trim_options options_;
  std::variant<std::monostate, stream_trimmer<binary>, stream_trimmer<compact>> trimmer_;
  buffer output_;
  error error_;
  bool is_open_ = false;
  bool is_abandoned_ = false;
};

/// The trims of calls in flight, by sequence id.
class session_trims {
 public:
  [[nodiscard]] reply_trim* find(std::int32_t sequence_id) {
    const auto at = trims_.find(sequence_id);
    return at != trims_.end() ? &at->second : nullptr;
  }
  void add(std::int32_t sequence_id, reply_trim&& trim) {
    trims_.insert_or_assign(sequence_id, std::move(trim));
  }
  void remove(std::int32_t sequence_id) { trims_.erase(sequence_id); }
  [[nodiscard]] bool empty() const noexcept { return trims_.empty(); }

 private:
  std::unordered_map<std::int32_t, reply_trim> trims_;
};

}  // namespace thriftlens::python
