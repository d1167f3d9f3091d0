// plan: many paths compiled into one trie, so that one pass over the bytes finds all values. Running it
// stops reading after the last requested value, and allocates only for keys that are structs or containers.
#pragma once

#include <thriftlens/core/result.hpp>
#include <thriftlens/path/path.hpp>
#include <thriftlens/path/step_trie.hpp>
#include <thriftlens/view/view.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Paths of one type, compiled together. Copies share the data, also across threads. Valid while the schema
/// lives.
class plan {
 public:
  // No move operations: a moved-from plan stays valid.
  plan(const plan&) noexcept = default;
  plan& operator=(const plan&) noexcept = default;
  ~plan() = default;

  enum class form : std::uint8_t { leaf, fields, elements, entries };

  /// One step down the trie.
  struct edge {
    std::int16_t id = 0;
    ttype wire = ttype::stop;                  ///< fields: the IDL's wire type, or stop
    bool required = false;                     ///< fields: by the IDL
    detail::image::prefix_position place;      ///< fields: of its header in the node's prefix template
    std::uint32_t type = detail::image::none;  ///< of its value
    std::uint32_t node = detail::image::none;  ///< none if there is a slot
    std::uint32_t slot = detail::image::none;  ///< the path, if exactly one ends here and none continues
    std::int64_t index = 0;                    ///< elements: the index; fields: their node, or none
    map_key key = 0;
  };
  /// Edges are sorted by id; by index, negative ones last; keys by their first path.
  struct node {
    form kind = form::leaf;
    std::uint32_t edges_begin = 0, edges_end = 0;
    std::uint32_t negative_begin = 0;          ///< elements: first edge that counts from the end
    std::uint32_t own_begin = 0, own_end = 0;  ///< in slots: paths that end here
    std::uint32_t slots_end = 0;               ///< slots from own_begin to here: paths of the branch
    std::uint32_t place = 0;                   ///< its index in the step trie
    bool wire_keys = false;                    ///< entries: some edges have wire bytes as key
    detail::struct_prefix prefix;              ///< fields: the prefix template of the struct
  };

  /// Compiles path texts for values of type `from`. Errors: those of path::try_compile, and wrong_type for
  /// paths of several values.
  [[nodiscard]] static result<plan> try_compile(type from, std::span<const std::string_view> texts);
  [[nodiscard]] static result<plan> try_compile(type from, detail::path_list texts);
  [[nodiscard]] static plan compile(type from, std::span<const std::string_view> texts) {
    return try_compile(from, texts).value();
  }
  [[nodiscard]] static plan compile(type from, detail::path_list texts) {
    return try_compile(from, texts).value();
  }
  /// Combines compiled paths. Expected O(steps), and O(n log n) for n unsorted fields or indices of one
  /// value.
  [[nodiscard]] static result<plan> try_compile(type from, std::vector<path> paths);
  [[nodiscard]] static plan compile(type from, std::vector<path> paths) {
    return try_compile(from, std::move(paths)).value();
  }

  /// Number of paths.
  [[nodiscard]] std::size_t size() const noexcept { return data_->paths.size(); }
  /// Throws bad_index if `at` is not below size().
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
  /// The edge of that key, or edges_end. `key` must be in the form of detail::plain_key(). Expected O(1).
  [[nodiscard]] std::uint32_t find(const node& of, const map_key& key) const noexcept {
    return edge_of(of, data_->steps.find(of.place, key));
  }
  /// Path indices in the order of the trie.
  [[nodiscard]] std::span<const std::uint32_t> path_slots() const& noexcept THRIFTLENS_LIFETIMEBOUND {
    return data_->path_slots;
  }
  void path_slots() const&& = delete;

 private:
  struct data {
    type from;
    std::vector<path> paths;
    detail::pod_vector<node> nodes;
    detail::pod_vector<edge> edges;
    detail::pod_vector<std::uint32_t> path_slots;
    detail::step_trie steps;  // holds the texts of the edges' keys
  };
  class compiler;

  [[nodiscard]] std::uint32_t edge_of(const node& of, std::uint32_t step) const noexcept {
    return step == detail::step_trie::none ? of.edges_end : of.edges_begin + data_->steps[step].position;
  }

  explicit plan(std::shared_ptr<const data> compiled) noexcept : data_(std::move(compiled)) {}

  std::shared_ptr<const data> data_;
};

namespace detail {
/// get_many without its fast path. Returns the number of present values.
template <protocol P>
std::size_t generic_get_many(const view<P>& from, const plan& paths, std::span<view<P>> out) noexcept;
}  // namespace detail

/// Finds the values of all paths in one pass: out[i] becomes the view of path i, absent or broken if there is
/// none; errors of one path do not affect others. Returns the number of present values. `out` must have the
/// plan's size, else every view in it becomes buffer_too_small. Stops reading after the last requested value;
/// of duplicate fields and keys the first is taken. Allocates only to compare keys that are structs or
/// containers: their bytes once; if that fails, the views of these paths are no_memory.
template <protocol P>
std::size_t get_many(const view<P>& from, const plan& paths, std::span<view<P>> out) noexcept;
template <protocol P>
std::size_t get_many(const view<P>& from, const plan& paths, std::vector<view<P>>& out) {
  out.resize(paths.size());
  return get_many(from, paths, std::span<view<P>>(out));
}
/// Compiles the texts at each call: use a plan for many values.
/// Errors: those of plan::try_compile.
template <protocol P>
[[nodiscard]] result<std::vector<view<P>>> try_get_many(const view<P>& from,
                                                        std::span<const std::string_view> texts) {
  if (from.code() != errc::ok) return from.error();
  const result<plan> paths = plan::try_compile(from.type(), texts);
  if (!paths) return paths.error();
  std::vector<view<P>> views;
  get_many(from, *paths, views);
  return views;
}
template <protocol P>
[[nodiscard]] result<std::vector<view<P>>> try_get_many(const view<P>& from, detail::path_list texts) {
  return try_get_many(from, std::span<const std::string_view>(texts.begin(), texts.size()));
}
template <protocol P>
[[nodiscard]] std::vector<view<P>> get_many(const view<P>& from, std::span<const std::string_view> texts) {
  return try_get_many(from, texts).value();
}
template <protocol P>
[[nodiscard]] std::vector<view<P>> get_many(const view<P>& from, detail::path_list texts) {
  return try_get_many(from, texts).value();
}

/// The value of one path, as view::at: absent or broken if there is none.
template <protocol P>
[[nodiscard]] view<P> get(const view<P>& from, const path& path) noexcept {
  return from.at(path);
}
/// Compiles the text at each call. Errors: those of path::try_compile.
template <protocol P>
[[nodiscard]] view<P> get(const view<P>& from, std::string_view text) {
  return from.at(text);
}
template <protocol P>
[[nodiscard]] result<view<P>> try_get(const view<P>& from, std::string_view text) {
  return from.try_at(text);
}
template <protocol P>
void get(const view<P>& from, detail::path_list) = delete;
template <protocol P>
void try_get(const view<P>& from, detail::path_list) = delete;

}  // namespace thriftlens::inline THRIFTLENS_ABI

#if !defined(THRIFTLENS_COMPILED)
#include <thriftlens/view/plan.ipp>
#endif
