// parquet_tree: the schema of a Parquet footer, which lists the nodes of a tree in depth-first order. Not
// recursive.
#pragma once

#include <thriftlens/core/result.hpp>
#include <thriftlens/protocol/compact.hpp>

#include <bitset>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace thriftlens::python {

/// Nodes are numbered without the root.
class parquet_tree {
 public:
  static constexpr std::uint32_t no_group = 0xffffffffu;
  static constexpr std::uint32_t max_levels = 64;

  struct node {
    byte_view name;
    std::uint32_t begin = 0, end = 0;  ///< of its SchemaElement, in the footer
    std::uint32_t group = no_group;    ///< the parent; none below the root
    std::uint32_t level = 0;
    std::uint32_t first_leaf = 0, last_leaf = 0;
    bool is_leaf = false;
    bool requested = false;  ///< its path, or that of a descendant, is one of the names
  };

  /// Reads all nodes; with `names`, marks those whose dotted path is one of them. Errors: those of decoding,
  /// and broken_rule if the counts of children do not form one tree.
  [[nodiscard]] static result<parquet_tree> try_read(byte_view footer,
                                                     const std::unordered_set<std::string_view>* names);

  [[nodiscard]] const std::vector<node>& nodes() const noexcept { return nodes_; }

 private:
  struct element {
    byte_view name;
    std::int32_t children = 0;
    bool has_type = false;
  };
  struct open_group {
    std::int64_t remaining = 0;
    std::uint32_t index = no_group;
    std::size_t path_size = 0;
  };

  parquet_tree(byte_view footer, const std::unordered_set<std::string_view>* names);

  [[nodiscard]] bool read_schema();
  [[nodiscard]] bool read_list(ttype type);
  [[nodiscard]] bool read_elements(std::uint32_t count);
  [[nodiscard]] bool read_element(element& item);
  [[nodiscard]] bool read_part(const field_header& header, element& item);
  [[nodiscard]] bool open_parent(std::uint32_t number);
  [[nodiscard]] bool add(const element& item, std::uint32_t begin, std::uint32_t number);
  void extend_path(byte_view name);
  void request(std::uint32_t index);
  [[nodiscard]] bool may_be_requested(byte_view name) const noexcept {
    return name.empty() || last_bytes_[name[name.size() - 1]];
  }
  void close_group();
  [[nodiscard]] bool close_all();
  [[nodiscard]] bool fail(errc code, const char* message, const std::string& path);
  [[nodiscard]] std::uint32_t offset() const noexcept {
    return static_cast<std::uint32_t>(in_.at() - in_.begin());
  }

  compact::reader in_;
  const std::unordered_set<std::string_view>* names_;
  std::bitset<256> last_bytes_;  // of the names
  std::vector<node> nodes_;
  std::vector<open_group> open_;
  std::string path_;
  std::uint32_t leaves_ = 0;
  error error_;
};

}  // namespace thriftlens::python
