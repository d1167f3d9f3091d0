// parquet_tree: reads the list of SchemaElements.
#include "bind/parquet_tree.hpp"

namespace thriftlens::python {

namespace {

// Field ids of FileMetaData and SchemaElement.
constexpr std::int16_t schema_id = 2, type_id = 1, name_id = 4, num_children_id = 5;

}  // namespace

parquet_tree::parquet_tree(byte_view footer, const std::unordered_set<std::string_view>* names)
    : in_(footer, limits{}), names_(names) {
  if (names == nullptr) return;
  for (const std::string_view name : *names) {
    if (!name.empty()) last_bytes_.set(static_cast<std::uint8_t>(name.back()));
  }
}

result<parquet_tree> parquet_tree::try_read(byte_view footer,
                                            const std::unordered_set<std::string_view>* names) {
  parquet_tree tree(footer, names);
  if (tree.read_schema()) return tree;
  if (tree.error_.code() != errc::ok) return tree.error_;
  return error(tree.in_.fault().code, {}, tree.in_.fault().offset, "$.schema");
}

bool parquet_tree::fail(errc code, const char* message, const std::string& path) {
  error_ = error(code, message, offset(), path);
  return false;
}

bool parquet_tree::read_schema() {
  in_.begin_struct();
  field_header header;
  while (in_.read_field(header)) {
    if (header.type == ttype::stop) return fail(errc::broken_rule, "the schema is empty", "$.schema");
    if (header.id == schema_id) return read_list(header.type);
    if (!in_.skip(header.type)) return false;
  }
  return false;
}
bool parquet_tree::read_list(ttype type) {
  if (type != ttype::list) return fail(errc::type_mismatch, "the schema is not a list", "$.schema");
  list_header list;
  if (!in_.read_list(list)) return false;
  if (list.size == 0) return fail(errc::broken_rule, "the schema is empty", "$.schema");
  if (list.element != ttype::struct_)
    return fail(errc::type_mismatch, "the schema is not a list of structs", "$.schema");
  return read_elements(list.size);
}

bool parquet_tree::read_elements(std::uint32_t count) {
  element root;
  if (!read_element(root)) return false;
  open_.push_back({root.children, no_group, 0});
  for (std::uint32_t number = 1; number < count; ++number) {
    const std::uint32_t begin = offset();
    element item;
    if (!read_element(item) || !add(item, begin, number)) return false;
  }
  return close_all();
}

bool parquet_tree::read_element(element& item) {
  const struct_mark outer = in_.begin_struct();
  field_header header;
  while (in_.read_field(header)) {
    if (header.type == ttype::stop) {
      in_.end_struct(outer);
      return true;
    }
    if (!read_part(header, item)) return false;
  }
  return false;
}
bool parquet_tree::read_part(const field_header& header, element& item) {
  if (header.id == name_id && header.type == ttype::string) return in_.read_bytes(item.name);
  if (header.id == num_children_id && header.type == ttype::i32) return in_.read_i32(item.children);
  if (header.id == name_id || header.id == num_children_id)
    return fail(errc::type_mismatch, "a name or number of children has a wrong type", "$.schema");
  item.has_type = item.has_type || header.id == type_id;
  return in_.skip(header.type);
}

/// Closes the full groups; false if no group is left open for the node, or too many are.
bool parquet_tree::open_parent(std::uint32_t number) {
  while (!open_.empty() && open_.back().remaining <= 0) close_group();
  if (!open_.empty() && open_.size() <= max_levels) return true;
  const std::string path = "$.schema[" + std::to_string(number) + "]";
  return open_.empty()
             ? fail(errc::broken_rule, "the schema has more nodes than its groups have children", path)
             : fail(errc::depth_limit, "the schema has more than 64 levels", path);
}
bool parquet_tree::add(const element& item, std::uint32_t begin, std::uint32_t number) {
  if (!open_parent(number)) return false;
  open_group& group = open_.back();
  --group.remaining;
  const auto index = static_cast<std::uint32_t>(nodes_.size());
  const bool is_leaf = item.children <= 0 && item.has_type;
  nodes_.push_back({item.name, begin, offset(), group.index, static_cast<std::uint32_t>(open_.size()) - 1,
                    leaves_, leaves_ + 1, is_leaf, names_ == nullptr});
  if (names_ != nullptr && (!is_leaf || may_be_requested(item.name))) {
    extend_path(item.name);
    request(index);
  }
  if (is_leaf)
    ++leaves_;
  else
    open_.push_back({item.children, index, path_.size()});
  return true;
}
/// Sets `path_` to the dotted path of a node in the open group.
void parquet_tree::extend_path(byte_view name) {
  path_.resize(open_.back().path_size);
  if (nodes_.back().level != 0) path_ += '.';
  path_ += name.text();
}
/// Marks the node at `path_` and its groups if the path is one of the names.
void parquet_tree::request(std::uint32_t index) {
  if (!names_->contains(path_)) return;
  for (; index != no_group; index = nodes_[index].group) nodes_[index].requested = true;
}

void parquet_tree::close_group() {
  if (open_.back().index != no_group) nodes_[open_.back().index].last_leaf = leaves_;
  open_.pop_back();
}
bool parquet_tree::close_all() {
  for (; !open_.empty(); close_group()) {
    if (open_.back().remaining > 0)
      return fail(errc::broken_rule, "the schema has fewer nodes than its groups have children", "$.schema");
  }
  return true;
}

}  // namespace thriftlens::python
