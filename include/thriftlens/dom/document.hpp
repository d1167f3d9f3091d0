// document: a message as a tree over its borrowed bytes, opened level by level, changed, and written back.
// In: wire bytes or a view. Out: nodes; the bytes again, with what was changed.
// Never copies a value that is not changed; never gives memory back between messages.
#pragma once

#include <thriftlens/dom/node.hpp>

#include <chrono>
#include <concepts>
#include <cstdint>
#include <memory>
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
    return take<P>(*bytes, from.type(), options, false, from.wire());
  }
  template <thriftlens::protocol P>
  void load(const view<P>& from, const document_options& options = {}) {
    try_load(from, options).value();
  }
  /// Starts with a struct (of type `of`) without fields, or an empty container.
  template <thriftlens::protocol P>
  void start(type of = {}, const document_options& options = {}) {
    prepare<P>({}, of, options);
    const empty_value nothing{of ? of.wire() : ttype::struct_};
    const errc code = dom::value_maker(*tree_).make(tree_->root, nothing, {tree_->root_type});
    if (code != errc::ok) tree_->root = {};
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
  [[nodiscard]] result<void> try_write(buffer& out) const { return root().try_write(out); }
  void write(buffer& out) const { try_write(out).value(); }
  /// Appends it in protocol P; converted (see convert.hpp) where that is another.
  template <thriftlens::protocol P>
  [[nodiscard]] result<void> try_write(buffer& out) const {
    if (protocol() == P::id || !root()) return try_write(out);
    buffer made;
    if (result<void> done = try_write(made); !done) return done;
    return visit_protocol(tree_->protocol, [&](auto from) {
      return try_append_converted<decltype(from), P>(made, out, tree_->options.bounds, tree_->root.wire);
    });
  }
  template <thriftlens::protocol P>
  void write(buffer& out) const {
    try_write<P>(out).value();
  }

 private:
  [[nodiscard]] static std::unique_ptr<dom::tree> new_tree() {
    auto made = std::make_unique<dom::tree>();
    // Keys that were made to collide under one seed should not do so under the next document's.
    const auto now = static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
    made->seed =
        thriftlens::detail::fold(now ^ reinterpret_cast<std::uintptr_t>(made.get()), 0x9e3779b97f4a7c15u);
    return made;
  }
  template <thriftlens::protocol P>
  void prepare(byte_view bytes, type of, const document_options& options) {
    static_assert(
        listed_protocol<P>,
        "thriftlens: document: a protocol of a program's own: convert<P, binary>() the bytes first");
    if (tree_ == nullptr) [[unlikely]]
      tree_ = new_tree();
    tree_->reset();
    tree_->set_source(bytes, options);
    tree_->image = of.image();
    tree_->root_type = of ? of.index() : image::none;
    tree_->protocol = P::id;
  }
  template <thriftlens::protocol P>
  [[nodiscard]] result<void> take(byte_view bytes, type of, const document_options& options, bool deep,
                                  ttype wire = ttype::struct_) {
    prepare<P>(bytes, of, options);
    // Slots count bytes in 32 bits.
    if (bytes.size() > 0xffffffffu) return error(errc::size_limit, {}, 0, "$");
    dom::expander<P> work(*tree_, bytes, options.bounds.depth, deep);
    const fault why = work.whole(tree_->root, of ? of.wire() : wire, tree_->root_type);
    if (!why) return {};
    clear();
    return explain<P>(bytes, of, why, options.bounds);
  }

  std::unique_ptr<dom::tree> tree_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI
