// document: bodies of document.hpp.
#pragma once

#include <thriftlens/dom/document.hpp>

#include <thriftlens/core/hash.hpp>
#include <thriftlens/dom/expand.hpp>
#include <thriftlens/dom/make.hpp>
#include <thriftlens/protocol/convert.hpp>
#include <thriftlens/protocol/select.hpp>
#include <thriftlens/view/explain.hpp>

#include <chrono>
#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI {

namespace detail {
[[nodiscard]] inline std::optional<error> find_bad_option(const document_options& of) {
  return find_bad_option({{"mismatch", of.mismatch}, {"missing_required", of.missing_required}});
}
}  // namespace detail

THRIFTLENS_BODY std::unique_ptr<detail::dom::tree> document::new_tree() {
  auto created = std::make_unique<detail::dom::tree>();
  // Keys chosen to collide under one seed should not collide in the next document.
  const auto ticks = static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
  created->seed =
      thriftlens::detail::fold(ticks ^ reinterpret_cast<std::uintptr_t>(created.get()), 0x9e3779b97f4a7c15u);
  return created;
}
template <thriftlens::protocol P>
void document::prepare(byte_view bytes, type of, const document_options& options) {
  if (tree_ == nullptr) [[unlikely]]
    tree_ = new_tree();
  tree_->reset();
  tree_->set_source(bytes, options);
  tree_->image = of.image();
  tree_->root_type = of ? of.index() : detail::image::none;
  tree_->protocol = P::id;
}
template <thriftlens::protocol P>
void document::make_root(type of, const document_options& options) {
  if (std::optional<error> bad = thriftlens::detail::find_bad_option(options)) [[unlikely]]
    thriftlens::detail::raise(*std::move(bad));
  prepare<P>({}, of, options);
  const empty_value nothing{of ? of.wire() : ttype::struct_};
  const errc code = detail::dom::value_maker(*tree_).make(tree_->root, nothing, {tree_->root_type});
  if (code != errc::ok) tree_->root = {};
}
template <thriftlens::protocol P>
result<void> document::take(byte_view bytes, type of, const document_options& options, bool deep,
                            ttype wire) {
  if (std::optional<error> bad = thriftlens::detail::find_bad_option(options)) [[unlikely]]
    return *std::move(bad);
  prepare<P>(bytes, of, options);
  // Slots count bytes in 32 bits.
  if (bytes.size() > 0xffffffffu) return error(errc::size_limit, {}, 0, "$");
  detail::dom::expander<P> work(*tree_, bytes, options.limits.depth, deep);
  const fault failure = work.read_complete(tree_->root, of ? of.wire() : wire, tree_->root_type);
  if (!failure) return {};
  clear();
  return detail::explain<P>(bytes, of, failure, options.limits);
}
template <thriftlens::protocol P>
result<void> document::try_append_to(buffer& out) const {
  if (protocol() == P::id || !root()) return try_append_to(out);
  buffer encoded;
  if (result<void> appended = try_append_to(encoded); !appended) return appended;
  return visit_protocol(tree_->protocol, [&](auto from) {
    return try_append_converted<decltype(from), P>(encoded, out, tree_->options.limits, tree_->root.wire);
  });
}

#if defined(THRIFTLENS_COMPILED)
template void document::make_root<binary>(type, const document_options&);
template result<void> document::take<binary>(byte_view, type, const document_options&, bool, ttype);
template result<void> document::try_append_to<binary>(buffer&) const;
template void document::make_root<compact>(type, const document_options&);
template result<void> document::take<compact>(byte_view, type, const document_options&, bool, ttype);
template result<void> document::try_append_to<compact>(buffer&) const;
#endif

}  // namespace thriftlens::inline THRIFTLENS_ABI
