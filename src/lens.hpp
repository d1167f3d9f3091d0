// lens: values at paths, without decoding what stands around them.
// In: bytes, compiled paths. Out: Python values; the fallback where there is nothing.
// Never reads past the last value that is asked for.
#pragma once

#include "path_cache.hpp"
#include "type_object.hpp"

#include <thriftlens/edit/trim.hpp>
#include <thriftlens/view/plan.hpp>

#include <memory>
#include <optional>
#include <vector>

namespace thriftlens::python {

/// Several paths, and one plan for those of them that lead to one value each.
struct path_list {
  std::vector<path> ways;
  std::vector<std::uint32_t>
      slots;  ///< for each path its place in the plan, or image::none where it leads to many values
  std::optional<plan> together;
};

/// The lists of paths that were used with a type.
class plan_cache {
 public:
  /// Null with a Python error set. A tuple or list of the same texts is found, and not compiled again.
  [[nodiscard]] std::shared_ptr<const path_list> find(type of, path_cache& paths, PyObject* texts);

 private:
  static constexpr std::size_t most = 32;
  struct entry {
    object texts;  // a tuple
    std::shared_ptr<const path_list> ways;
  };
  std::vector<entry> entries_;
};

/// The selections that were used with a type.
class selection_cache {
 public:
  /// `what`: text, a thriftlens.Type, or a list of paths. Nothing with a Python error set. The same text, and
  /// the same type, are not compiled again.
  [[nodiscard]] std::optional<selection> find(type of, PyObject* what);

 private:
  static constexpr std::size_t most = 32;
  // A type is held by its schema: an object that the garbage collector does not see through must not hold the
  // Type itself.
  struct entry {
    object text;
    type_parts to;
    selection kept;
  };
  std::vector<entry> entries_;
};

/// The part of the value that the selection keeps. Null with a Python error set.
[[nodiscard]] PyObject* trim(type of, byte_view data, const selection& what, protocol_id protocol,
                             const trim_options& options, const limits& bounds);
/// The value at the path; for a path with wildcards or slices the list of values. Null with a Python error
/// set.
[[nodiscard]] PyObject* get(schema_keys& keys, type of, byte_view data, const path& way, PyObject* fallback,
                            const decode_options& options);
/// The values at all paths, in one pass. Null with a Python error set.
[[nodiscard]] PyObject* get_many(schema_keys& keys, type of, byte_view data, const path_list& ways,
                                 PyObject* fallback, const decode_options& options);

}  // namespace thriftlens::python
