// session_trims: replies that are trimmed while they arrive. Never holds a whole reply.
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

/// One reply.
class reply_trim {
 public:
  reply_trim(std::shared_ptr<schema_keys> keys, const selection& what, const trim_options& options)
      : keys_(std::move(keys)), what_(what), options_(options) {}

  /// In the protocol of the reply, which need not be that of the call.
  void begin(const session_event& head) {
    is_open_ = head.is_open;
    visit_protocol(thriftlens::detail::protocol_of(head.protocol),
                   [&](auto tag) { trimmer_.emplace<stream_trimmer<decltype(tag)>>(what_, options_); });
  }
  /// Whether the session does not know where the reply ends.
  [[nodiscard]] bool is_open() const noexcept { return is_open_; }
  /// A part with a bound of its own. After a fault the rest is dropped.
  void feed(byte_view part) {
    if (why_.code() != errc::ok) return;
    visit_trimmer([&](auto& trimmer) {
      const result<std::size_t> used = trimmer.try_feed(part, kept_);
      if (!used)
        why_ = used.error();
      else if (*used != part.size())
        why_ = error(errc::trailing_bytes, {}, trimmer.offset());
    });
  }
  /// An open part. What is against the selection's type does not hinder that the end is found.
  [[nodiscard]] taken_part take(byte_view part) {
    taken_part taken;
    visit_trimmer([&](auto& trimmer) {
      const std::size_t before = trimmer.offset();
      if (const result<std::size_t> kept = trimmer.try_feed(part, kept_); !kept) {
        why_ = kept.error();
        trimmer.drop_rest();
        const std::size_t passed = trimmer.offset() - before;
        const result<std::size_t> dropped = trimmer.try_feed(part.part(passed, part.size() - passed), kept_);
        if (!dropped) taken.fault = {.code = dropped.error().code(), .offset = dropped.error().offset()};
      }
      taken.used = trimmer.offset() - before;
      taken.least_left = trimmer.least_left();
    });
    return taken;
  }
  /// Nobody waits for it any more: only its end is looked for.
  void give_up() {
    is_given_up_ = true;
    kept_ = {};
    visit_trimmer([](auto& trimmer) { trimmer.drop_rest(); });
  }
  [[nodiscard]] bool is_given_up() const noexcept { return is_given_up_; }
  void finish() {
    if (why_.code() != errc::ok) return;
    visit_trimmer([&](auto& trimmer) {
      const result<trim_report> done = trimmer.try_finish();
      if (!done) why_ = done.error();
    });
  }
  [[nodiscard]] byte_view kept() const noexcept { return kept_; }
  /// Of code ok: nothing is wrong.
  [[nodiscard]] const error& why() const noexcept { return why_; }

 private:
  template <class Function>
  void visit_trimmer(Function&& use) {
    if (auto* const of_binary = std::get_if<stream_trimmer<binary>>(&trimmer_)) use(*of_binary);
    if (auto* const of_compact = std::get_if<stream_trimmer<compact>>(&trimmer_)) use(*of_compact);
  }

  std::shared_ptr<schema_keys> keys_;  // the selection borrows from its schema
  selection what_;
  trim_options options_;
  std::variant<std::monostate, stream_trimmer<binary>, stream_trimmer<compact>> trimmer_;
  buffer kept_;
  error why_;
  bool is_open_ = false;
  bool is_given_up_ = false;
};

/// Of calls in flight.
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
