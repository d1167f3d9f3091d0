// plan: many paths compiled into one trie, so that one pass over the bytes finds them all. Never allocates
// while it runs; never reads past the last value that is still wanted.
#pragma once

#include <thriftlens/core/result.hpp>
#include <thriftlens/path/path.hpp>
#include <thriftlens/path/step_trie.hpp>
#include <thriftlens/view/view.hpp>

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Paths of one type, compiled together. A value: copying and moving share, threads may share a copy. Good
/// while the schema lives.
class plan {
 public:
  // Without moves of their own: what is moved from stays as it was.
  plan(const plan&) noexcept = default;
  plan& operator=(const plan&) noexcept = default;
  ~plan() = default;

  enum class form : std::uint8_t { leaf, fields, elements, entries };

  /// One step down the trie.
  struct edge {
    std::int16_t id = 0;
    ttype wire = ttype::stop;                  ///< fields: what the IDL says, or stop
    bool required = false;                     ///< fields: by the IDL
    detail::image::prefix_position place;      ///< fields: where its header is in the node's prefix template
    std::uint32_t type = detail::image::none;  ///< of the value it leads to
    std::uint32_t node = detail::image::none;  ///< none where there is a slot
    std::uint32_t slot = detail::image::none;  ///< where one path ends and none goes on: that path
    std::int64_t index = 0;                    ///< elements: the index; fields: their node, or none
    map_key key = 0;
  };
  /// Edges are in order: by id; by index, the negative ones after the others; keys as they were first asked
  /// for.
  struct node {
    form kind = form::leaf;
    std::uint32_t edges_begin = 0, edges_end = 0;
    std::uint32_t negative_begin = 0;          ///< elements: first edge that counts from the end
    std::uint32_t own_begin = 0, own_end = 0;  ///< in slots: paths that end here
    std::uint32_t slots_end = 0;               ///< slots from own_begin to here: those of the whole branch
    std::uint32_t place = 0;                   ///< its number among the steps
    bool wire_keys = false;                    ///< entries: some are meant by the bytes of their key
    detail::struct_prefix prefix;              ///< fields: the prefix template of the struct
  };

  /// Compiles path texts for values of type `from`. Errors: those of path::try_compile, and wrong_type for
  /// paths that lead to many.
  [[nodiscard]] static result<plan> try_compile(type from, std::span<const std::string_view> texts);
  [[nodiscard]] static result<plan> try_compile(type from, std::initializer_list<std::string_view> texts);
  [[nodiscard]] static plan compile(type from, std::span<const std::string_view> texts) {
    return try_compile(from, texts).value();
  }
  [[nodiscard]] static plan compile(type from, std::initializer_list<std::string_view> texts) {
    return try_compile(from, texts).value();
  }
  /// From compiled paths. Expected O(steps), and O(n log n) for n fields or indices of one value that are not
  /// in order.
  [[nodiscard]] static result<plan> try_compile(type from, std::vector<path> paths);
  [[nodiscard]] static plan compile(type from, std::vector<path> paths) {
    return try_compile(from, std::move(paths)).value();
  }

  /// Number of paths.
  [[nodiscard]] std::size_t size() const noexcept { return data_->paths.size(); }
  /// Raises bad_index from size() on.
  [[nodiscard]] const path& operator[](std::size_t at) const& THRIFTLENS_LIFETIMEBOUND {
    if (at >= size()) [[unlikely]]
      detail::raise(error(errc::bad_index, "an index outside a plan's paths"));
    return data_->paths[at];
  }
  void operator[](std::size_t at) const&& = delete;
  [[nodiscard]] type from() const noexcept { return data_->from; }

  [[nodiscard]] std::span<const node> nodes() const& noexcept THRIFTLENS_LIFETIMEBOUND {
    return data_->nodes;
  }
  void nodes() const&& = delete;
  [[nodiscard]] std::span<const edge> edges(const node& of) const& noexcept THRIFTLENS_LIFETIMEBOUND {
    return {data_->edges.data() + of.edges_begin, of.edges_end - of.edges_begin};
  }
  void edges(const node& of) const&& = delete;
  [[nodiscard]] const edge* all_edges() const& noexcept THRIFTLENS_LIFETIMEBOUND {
    return data_->edges.data();
  }
  void all_edges() const&& = delete;
  /// The edge of that key, or edges_end. `key` as detail::plain_key() has it. Expected O(1).
  [[nodiscard]] std::uint32_t find(const node& of, const map_key& key) const noexcept {
    return edge_of(of, data_->steps.find(of.place, key));
  }
  /// The same of the first key that is given by its bytes and for which `equals(bytes)` is true.
  template <class Equals>
  [[nodiscard]] std::uint32_t find_bytes(const node& of, Equals equals) const {
    return edge_of(of, data_->steps.find_bytes(of.place, equals));
  }
  /// Path numbers in the order of the trie.
  [[nodiscard]] std::span<const std::uint32_t> path_slots() const& noexcept THRIFTLENS_LIFETIMEBOUND {
    return data_->path_slots;
  }
  void path_slots() const&& = delete;

 private:
  struct data {
    type from;
    std::vector<path> paths;
    std::vector<node> nodes;
    std::vector<edge> edges;
    std::vector<std::uint32_t> path_slots;
    detail::step_trie steps;  // holds the texts of the edges' keys
  };
  class compiler;

  [[nodiscard]] std::uint32_t edge_of(const node& of, std::uint32_t step) const noexcept {
    return step == detail::step_trie::none ? of.edges_end : of.edges_begin + data_->steps[step].position;
  }

  explicit plan(std::shared_ptr<const data> made) noexcept : data_(std::move(made)) {}

  std::shared_ptr<const data> data_;
};

namespace detail {
/// get_many without its fast path. Returns how many are present.
template <protocol P>
std::size_t generic_get_many(const view<P>& from, const plan& way, std::span<view<P>> out) noexcept;
}  // namespace detail

/// Finds the values of all paths in one pass: out[i] becomes the view of path i, absent or broken where there
/// is none (the rest are found all the same). Returns how many are present. `out` has the plan's size, else
/// all of it is buffer_too_small. Stops reading after the last value wanted; of duplicate fields and keys
/// the first is taken. Allocates nothing.
template <protocol P>
std::size_t get_many(const view<P>& from, const plan& way, std::span<view<P>> out) noexcept;
template <protocol P>
std::size_t get_many(const view<P>& from, const plan& way, std::vector<view<P>>& out) {
  out.resize(way.size());
  return get_many(from, way, std::span<view<P>>(out));
}
/// The views of the paths with these texts, which are compiled at each call: keep a plan for many values.
/// Errors: those of plan::try_compile.
template <protocol P>
[[nodiscard]] result<std::vector<view<P>>> try_get_many(const view<P>& from,
                                                        std::span<const std::string_view> texts) {
  if (from.code() != errc::ok) return from.error();
  const result<plan> way = plan::try_compile(from.type(), texts);
  if (!way) return way.error();
  std::vector<view<P>> found;
  get_many(from, *way, found);
  return found;
}
template <protocol P>
[[nodiscard]] result<std::vector<view<P>>> try_get_many(const view<P>& from,
                                                        std::initializer_list<std::string_view> texts) {
  return try_get_many(from, std::span<const std::string_view>(texts.begin(), texts.size()));
}
template <protocol P>
[[nodiscard]] std::vector<view<P>> get_many(const view<P>& from, std::span<const std::string_view> texts) {
  return try_get_many(from, texts).value();
}
template <protocol P>
[[nodiscard]] std::vector<view<P>> get_many(const view<P>& from,
                                            std::initializer_list<std::string_view> texts) {
  return try_get_many(from, texts).value();
}

/// The value at the end of one path, as view::at: absent or broken where there is none.
template <protocol P>
[[nodiscard]] view<P> get(const view<P>& from, const path& way) noexcept {
  return from.at(way);
}
/// Compiles the text first: for one use. Errors: those of path::try_compile.
template <protocol P>
[[nodiscard]] view<P> get(const view<P>& from, std::string_view text) {
  return from.at(text);
}
template <protocol P>
[[nodiscard]] result<view<P>> try_get(const view<P>& from, std::string_view text) {
  return from.try_at(text);
}

}  // namespace thriftlens::inline THRIFTLENS_ABI

#if !defined(THRIFTLENS_COMPILED)
#include <thriftlens/view/plan.ipp>
#endif
