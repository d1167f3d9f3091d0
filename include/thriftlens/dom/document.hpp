// document: a message as a tree over its borrowed bytes, opened level by level, changed, and written back.
#pragma once

#include <thriftlens/core/buffer.hpp>
#include <thriftlens/core/located_error.hpp>
#include <thriftlens/dom/node.hpp>
#include <thriftlens/view/fwd.hpp>

#include <concepts>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Owner of one message's tree. Keep one and load it again and again: after the first few messages nothing is
/// allocated. One that was moved from is empty and may be loaded again. One thread at a time, for asking
/// opens levels too. The bytes given to load() must live, unchanged, until the next load.
class document {
 public:
  document() : tree_(new_tree()) {}

  /// Takes the value that the bytes are, all of them, read as `of` (a struct without a schema if that is
  /// false). Checks their structure in one pass (sizes, wire types, nesting, the end), so that nothing opened
  /// later runs out of them, and opens the topmost level. What concerns the IDL (types, required fields,
  /// duplicate fields, unions) is checked when a level is opened. Errors: truncated, bad_ttype,
  /// depth_limit, trailing_bytes …; the document is then empty.
  template <thriftlens::protocol P>
  [[nodiscard]] result<void> try_load(byte_view bytes, type of = {}, const document_options& options = {}) {
    static_assert(is_known<P>());
    return take<P>(bytes, of, options, false);
  }
  template <thriftlens::protocol P>
  void load(byte_view bytes, type of = {}, const document_options& options = {}) {
    try_load<P>(bytes, of, options).value();
  }
  /// The same with all levels opened, in one pass. All errors show here.
  template <thriftlens::protocol P>
  [[nodiscard]] result<void> try_load_all(byte_view bytes, type of = {},
                                          const document_options& options = {}) {
    static_assert(is_known<P>());
    return take<P>(bytes, of, options, true);
  }
  template <thriftlens::protocol P>
  void load_all(byte_view bytes, type of = {}, const document_options& options = {}) {
    try_load_all<P>(bytes, of, options).value();
  }
  /// For the sentence alone.
  template <class Bytes>
    requires std::convertible_to<const Bytes&, byte_view>
  void load(const Bytes&, type = {}, const document_options& = {}) {
    static_assert(!std::convertible_to<const Bytes&, byte_view>,
                  "thriftlens: document::load(bytes, type): bytes do not say their protocol: write "
                  "load<binary>(…) or load<compact>(…)");
  }
  /// The value of a view.
  template <thriftlens::protocol P>
  [[nodiscard]] result<void> try_load(const view<P>& from, const document_options& options = {}) {
    if (from.code() != errc::ok) return from.error();
    if (from.is_root()) return try_load<P>(from.whole(), from.root_type(), options);
    result<byte_view> bytes = from.try_bytes();
    if (!bytes) return std::move(bytes).error();
    clear();
    const result<void> loaded = take<P>(*bytes, from.type(), options, false, from.wire());
    return loaded ? loaded : detail::located_error(from, loaded.error());
  }
  template <thriftlens::protocol P>
  void load(const view<P>& from, const document_options& options = {}) {
    try_load(from, options).value();
  }
  /// Starts with a struct (of type `of`) without fields, or an empty container.
  template <thriftlens::protocol P>
  void start(type of = {}, const document_options& options = {}) {
    static_assert(is_known<P>());
    make_root<P>(of, options);
  }
  /// Forgets the message; keeps the memory.
  void clear() noexcept {
    if (tree_ != nullptr) tree_->reset();
  }

  /// The whole value; absent in an empty document. Nodes of the message before are stale from here on.
  [[nodiscard]] node root() const& noexcept THRIFTLENS_LIFETIMEBOUND {
    return tree_ == nullptr ? node() : node(*tree_);
  }
  void root() const&& = delete;
  [[nodiscard]] node operator[](std::string_view name) const& THRIFTLENS_LIFETIMEBOUND {
    return root()[name];
  }
  void operator[](std::string_view name) const&& = delete;
  template <integer_value Int>
  [[nodiscard]] node operator[](Int which) const& THRIFTLENS_LIFETIMEBOUND {
    return root()[which];
  }
  [[nodiscard]] node at(const path& way) const& THRIFTLENS_LIFETIMEBOUND { return root().at(way); }
  void at(const path& way) const&& = delete;
  [[nodiscard]] node at(std::string_view text) const& THRIFTLENS_LIFETIMEBOUND { return root().at(text); }
  void at(std::string_view text) const&& = delete;
  [[nodiscard]] result<node> try_at(std::string_view text) const& THRIFTLENS_LIFETIMEBOUND {
    return root().try_at(text);
  }
  void try_at(std::string_view text) const&& = delete;

  [[nodiscard]] protocol_id protocol() const noexcept {
    return tree_ == nullptr ? protocol_id() : tree_->protocol;
  }
  /// Anything was changed since the load.
  [[nodiscard]] bool changed() const noexcept {
    return tree_ != nullptr && tree_->root.expanded && tree_->root.below->changed;
  }
  /// Bytes of memory held for nodes, used or not.
  [[nodiscard]] std::size_t reserved() const noexcept {
    return tree_ == nullptr ? 0 : tree_->memory.reserved();
  }

  /// Appends the value in the protocol it was loaded in. An unchanged document gives its bytes back as they
  /// were; of a changed one all that nobody changed is copied as it was (in Compact the field headers around
  /// a change are made anew). Errors: absent (nothing loaded), output_limit (of a bound that was given: no
  /// more is written than was read and added), missing_required in a struct that was changed; the buffer is
  /// then as before (core/rollback.hpp).
  [[nodiscard]] result<void> try_append_to(buffer& out) const { return root().try_append_to(out); }
  void append_to(buffer& out) const { try_append_to(out).value(); }
  /// Appends it in protocol P; converted (see convert.hpp) where that is another.
  template <thriftlens::protocol P>
  [[nodiscard]] result<void> try_append_to(buffer& out) const;
  template <thriftlens::protocol P>
  void append_to(buffer& out) const {
    try_append_to<P>(out).value();
  }

 private:
  [[nodiscard]] static std::unique_ptr<detail::dom::tree> new_tree();
  template <thriftlens::protocol P>
  static consteval bool is_known() {
    static_assert(
        listed_protocol<P>,
        "thriftlens: document: a protocol of a program's own: convert<P, binary>() the bytes first");
    return true;
  }
  template <thriftlens::protocol P>
  void make_root(type of, const document_options& options);
  template <thriftlens::protocol P>
  void prepare(byte_view bytes, type of, const document_options& options);
  template <thriftlens::protocol P>
  [[nodiscard]] result<void> take(byte_view bytes, type of, const document_options& options, bool deep,
                                  ttype wire = ttype::struct_);

  std::unique_ptr<detail::dom::tree> tree_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI

#if !defined(THRIFTLENS_COMPILED)
#include <thriftlens/dom/document.ipp>
#endif
