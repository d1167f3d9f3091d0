// arrow_export: bodies of arrow_export.hpp.
#pragma once

#include <thriftlens/columns/arrow_export.hpp>
#include <thriftlens/columns/arrow_owner.hpp>

#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Releases what a parent still owns: a child that was moved out has no release.
template <class Node>
void release_node(Node* node) noexcept {
  if (node != nullptr && node->release != nullptr) node->release(node);
}

/// The owned parts of an exported schema or array: adjacent children, and pointers to them.
template <class Node>
struct arrow_family {
  std::vector<Node> children;
  std::vector<Node*> pointers;
  std::unique_ptr<Node> dictionary;

  explicit arrow_family(std::size_t count) : children(count), pointers(count) {
    for (std::size_t i = 0; i < count; ++i) pointers[i] = &children[i];
  }
  ~arrow_family() {
    for (Node& child : children) release_node(&child);
    release_node(dictionary.get());
  }
  arrow_family(const arrow_family&) = delete;
  arrow_family& operator=(const arrow_family&) = delete;

  void lend_to(Node& to) noexcept {
    to.n_children = static_cast<std::int64_t>(children.size());
    to.children = pointers.data();
    to.dictionary = dictionary.get();
  }
};

/// The release of a node whose private_data is an Owner.
template <class Owner, class Node>
void release_owner(Node* node) {
  delete static_cast<Owner*>(node->private_data);
  node->private_data = nullptr;
  node->release = nullptr;
}

/// The children in Arrow's schema: those of a flat struct replace it.
class arrow_children {
 public:
  struct child {
    std::uint32_t node;
    std::string name;
  };
  arrow_children(const column_plan& plan, const column_node& of) : plan_(plan) { add(of, ""); }

  [[nodiscard]] const std::vector<child>& list() const noexcept { return children_; }

 private:
  void add(const column_node& of, const std::string& prefix) {
    for (const std::uint32_t node : of.children) {
      const column_node& column = plan_.nodes[node];
      if (column.flat) {
        add(column, prefix + column.name + '.');
        continue;
      }
      children_.push_back({node, prefix + column.name});
    }
  }
  const column_plan& plan_;
  std::vector<child> children_;
};

/// Arrow's encoding of metadata: the count, then keys and values, each with its size, in native byte order.
class arrow_metadata {
 public:
  void add(std::string_view key, std::string_view value) {
    ++count_;
    put(key);
    put(value);
  }
  [[nodiscard]] std::string encoded() const { return count_ == 0 ? std::string() : number(count_) + pairs_; }

 private:
  [[nodiscard]] static std::string number(std::int32_t value) {
    char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    return std::string(bytes, sizeof value);
  }
  void put(std::string_view text) {
    pairs_ += number(static_cast<std::int32_t>(text.size()));
    pairs_ += text;
  }
  std::int32_t count_ = 0;
  std::string pairs_;
};

struct schema_owner : arrow_family<ArrowSchema> {
  using arrow_family::arrow_family;
  std::string format;
  std::string name;
  std::string metadata;
};

inline void fill_schema(ArrowSchema& out, std::unique_ptr<schema_owner> owner, std::int64_t flags) {
  out = ArrowSchema{};
  out.format = owner->format.c_str();
  out.name = owner->name.c_str();
  out.metadata = owner->metadata.empty() ? nullptr : owner->metadata.c_str();
  out.flags = flags;
  owner->lend_to(out);
  out.release = &release_owner<schema_owner, ArrowSchema>;
  out.private_data = owner.release();
}
[[nodiscard]] inline std::unique_ptr<ArrowSchema> text_schema() {
  auto result = std::make_unique<ArrowSchema>();
  auto owner = std::make_unique<schema_owner>(0);
  owner->format = "u";
  fill_schema(*result, std::move(owner), ARROW_FLAG_NULLABLE);
  return result;
}
/// Exports the fields of a plan, numbered if the plan has field ids.
class schema_exporter {
 public:
  explicit schema_exporter(const column_plan& plan) : plan_(plan) {}

  void root(ArrowSchema& out) { node(plan_.root(), "", {}, out); }

 private:
  void node(const column_node& from, std::string name, std::string metadata, ArrowSchema& out) {
    const arrow_children children(plan_, from);
    auto owner = std::make_unique<schema_owner>(children.list().size());
    owner->format = from.format;
    owner->name = std::move(name);
    owner->metadata = std::move(metadata);
    for (std::size_t i = 0; i < children.list().size(); ++i) {
      const column_node& child = plan_.nodes[children.list()[i].node];
      const bool is_entry = from.form == column_form::map;  // has no number in Parquet
      node(child, children.list()[i].name, metadata_of(child, !is_entry), owner->children[i]);
    }
    if (from.form == column_form::dictionary) owner->dictionary = text_schema();
    fill_schema(out, std::move(owner), from.nullable ? ARROW_FLAG_NULLABLE : 0);
  }
  [[nodiscard]] std::string metadata_of(const column_node& from, bool is_numbered) {
    arrow_metadata metadata;
    if (is_numbered && plan_.field_ids == column_field_ids::unique)
      metadata.add("PARQUET:field_id", std::to_string(++last_id_));
    if (!from.doc.empty()) metadata.add("doc", from.doc);
    return metadata.encoded();
  }

  const column_plan& plan_;
  std::int32_t last_id_ = 0;
};

THRIFTLENS_BODY void export_schema(const column_plan& plan, ArrowSchema& out) {
  schema_exporter(plan).root(out);
}

// ---- arrays

struct array_owner final : arrow_array_owner, arrow_family<ArrowArray> {
  /// `from`: the source of the buffers' memory; may be null.
  array_owner(std::string_view format_of_array, std::size_t count, std::shared_ptr<column_memory> from)
      : arrow_family(count), memory(std::move(from)) {
    format = format_of_array;
  }
  ~array_owner() override {
    for (const column_block& block : blocks) column_buffer::give_back(memory.get(), block);
  }
  void take(column_buffer& from) {
    const std::size_t size = from.size();
    blocks.push_back(from.release());
    add_buffer(blocks.back().data, size);
  }
  std::shared_ptr<column_memory> memory;
  std::vector<column_block> blocks;
};

inline void fill_array(ArrowArray& out, std::unique_ptr<array_owner> owner, std::size_t length,
                       std::size_t nulls) {
  out = ArrowArray{};
  out.length = static_cast<std::int64_t>(length);
  out.null_count = static_cast<std::int64_t>(nulls);
  owner->lend_to(out);
  give_owner(out, std::move(owner));
}
/// The names of the enum's members, then the digits of unnamed numbers.
[[nodiscard]] inline std::unique_ptr<ArrowArray> dictionary_of(const column_node& node,
                                                               const column_data& data) {
  column_buffer validity, offsets, text;
  offsets.put(std::int32_t{0});
  std::size_t count = 0;
  const auto add = [&](std::string_view name) {
    text.append(byte_view(name));
    offsets.put(static_cast<std::int32_t>(text.size()));
    ++count;
  };
  for (const enum_member_info member : node.of.members()) add(member.name());
  for (const std::int32_t number : data.unnamed) add(std::to_string(number));
  auto result = std::make_unique<ArrowArray>();
  auto owner = std::make_unique<array_owner>("u", 0, nullptr);
  owner->add_buffer(nullptr, 0);
  owner->take(offsets);
  owner->take(text);
  fill_array(*result, std::move(owner), count, 0);
  return result;
}
[[nodiscard]] inline bool has_validity(column_form form) noexcept {
  return form != column_form::nothing && form != column_form::dense_union;
}
inline void take_buffers(array_owner& owner, const column_node& node, column_data& data) {
  if (has_validity(node.form)) {
    if (data.nulls == 0) {
      owner.add_buffer(nullptr, 0);
    } else {
      owner.take(data.validity);
    }
  }
  switch (node.form) {
    case column_form::nothing:
    case column_form::structure:
      return;
    case column_form::list:
    case column_form::map:
      return owner.take(data.offsets);
    case column_form::bytes:
      owner.take(data.offsets);
      return owner.take(data.values);
    case column_form::dense_union:
      owner.take(data.values);
      return owner.take(data.offsets);
    default:
      return owner.take(data.values);
  }
}
inline void export_column(const column_plan& plan, column_set& columns, std::uint32_t index,
                          ArrowArray& out) {
  const column_node& node = plan.nodes[index];
  column_data& data = columns[index];
  const arrow_children nested(plan, node);
  const std::vector<arrow_children::child>& children = nested.list();
  auto owner = std::make_unique<array_owner>(node.format, children.size(), columns.memory());
  for (std::size_t i = 0; i < children.size(); ++i)
    export_column(plan, columns, children[i].node, owner->children[i]);
  if (node.form == column_form::dictionary) owner->dictionary = dictionary_of(node, data);
  take_buffers(*owner, node, data);
  const std::size_t nulls = node.form == column_form::nothing ? data.length : data.nulls;
  fill_array(out, std::move(owner), data.length, nulls);
  columns.begin(node, index);
}

THRIFTLENS_BODY void export_array(const column_plan& plan, column_set& columns, std::size_t rows,
                                  ArrowArray& out) {
  columns[0].length = rows;
  export_column(plan, columns, 0, out);
  for (std::uint32_t i = 0; i < plan.nodes.size(); ++i) columns.begin(plan.nodes[i], i);
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
