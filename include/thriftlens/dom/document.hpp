// document: a message as an editable tree over its borrowed bytes, opened level by level.
#pragma once

#include <thriftlens/core/buffer.hpp>
#include <thriftlens/core/located_error.hpp>
#include <thriftlens/dom/node.hpp>
#include <thriftlens/view/fwd.hpp>

#include <concepts>
#include <memory>
#include <string_view>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Owns the tree of one message. Reuse one object: after the first few messages a load allocates nothing. A
/// moved-from document is empty and can be loaded. Not thread-safe: reading opens levels too. The bytes
/// passed to load() must stay valid and unchanged until the next load.
class document {
 public:
  document() : tree_(new_tree()) {}

  /// Loads bytes that hold exactly one value of type `of` (default: a struct without a schema). Checks sizes,
  /// wire types, nesting and the end in one pass and opens the top level. Types, required fields, duplicate
  /// fields and unions are checked when a level is opened. Errors: truncated, bad_ttype, depth_limit,
  /// trailing_bytes …; the document is then empty.
  template <thriftlens::protocol P>
  [[nodiscard]] result<void> try_load(byte_view bytes, type of = {}, const document_options& options = {}) {
    static_assert(is_known<P>());
    return take<P>(bytes, of, options, false);
  }
  template <thriftlens::protocol P>
  void load(byte_view bytes, type of = {}, const document_options& options = {}) {
    try_load<P>(bytes, of, options).value();
  }
  /// Loads and opens all levels in one pass. Reports all errors.
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
  /// Deleted by a static_assert that explains the missing protocol.
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
  /// Removes the message; retains the memory.
  void clear() noexcept {
    if (tree_ != nullptr) tree_->reset();
  }

  /// The root value; absent in an empty document. Nodes of earlier messages are invalid.
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
  [[nodiscard]] node at(const path& compiled) const& THRIFTLENS_LIFETIMEBOUND { return root().at(compiled); }
  void at(const path& compiled) const&& = delete;
  [[nodiscard]] node at(std::string_view text) const& THRIFTLENS_LIFETIMEBOUND { return root().at(text); }
  void at(std::string_view text) const&& = delete;
  [[nodiscard]] result<node> try_at(std::string_view text) const& THRIFTLENS_LIFETIMEBOUND {
    return root().try_at(text);
  }
  void try_at(std::string_view text) const&& = delete;
  void at(detail::path_list) const = delete;
  void try_at(detail::path_list) const = delete;

  [[nodiscard]] protocol_id protocol() const noexcept {
    return tree_ == nullptr ? protocol_id() : tree_->protocol;
  }
  /// Whether anything was changed since the load.
  [[nodiscard]] bool changed() const noexcept {
    return tree_ != nullptr && tree_->root.expanded && tree_->root.below->changed;
  }
  /// Bytes of memory reserved for nodes.
  [[nodiscard]] std::size_t reserved() const noexcept {
    return tree_ == nullptr ? 0 : tree_->memory.reserved();
  }

  /// Appends the value in the protocol it was loaded in. Unchanged values are copied (in Compact the field
  /// headers around a change are rewritten). Errors, after which the buffer is unchanged: absent (nothing
  /// loaded), output_limit (only with an explicit limit), missing_required in a changed struct,
  /// duplicate_key in a changed set.
  [[nodiscard]] result<void> try_append_to(buffer& out) const { return root().try_append_to(out); }
  void append_to(buffer& out) const { try_append_to(out).value(); }
  /// Appends the value in protocol P, converted if necessary (see convert.hpp).
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
