// schema_keys: the names of a schema as Python strings, made once and shared by everything decoded under
// it. Never made before the first value is decoded or encoded.
#pragma once

#include "convert/object_layout.hpp"

#include <thriftlens/json/options.hpp>
#include <thriftlens/schema/type.hpp>

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

namespace thriftlens::python {

/// A schema as the module holds it. Shared between the Schema and its types; dies with the last, under the
/// GIL.
class schema_keys {
 public:
  explicit schema_keys(std::shared_ptr<const schema_image> image) noexcept : image_(std::move(image)) {}
  schema_keys(const schema_keys&) = delete;
  schema_keys& operator=(const schema_keys&) = delete;
  ~schema_keys() {
    for (auto* list : {&fields_, &aliases_, &members_}) {
      for (PyObject* each : *list) Py_XDECREF(each);
    }
    for (const shared_object& each : member_objects_) Py_XDECREF(each.load());
  }

  [[nodiscard]] const schema_image& image() const noexcept { return *image_; }

  /// Of what is made when first asked for: the two below, and the strings.
  mutex making;
  /// The paths that were used with the schema's types; see path_cache.hpp.
  std::shared_ptr<void> paths;
  /// What was compiled for values of its types; see type_caches.hpp.
  std::shared_ptr<void> caches;
  /// How the classes that were encoded keep their fields.
  layout_cache layouts;

  /// Makes the strings unless they are there. False with a Python error set.
  [[nodiscard]] bool prepare() { return ready_.load(std::memory_order_acquire) || make(); }
  /// Keys by field index: names, or aliases. Borrowed. After prepare().
  [[nodiscard]] PyObject* const* fields(json_names names) const noexcept {
    return (names == json_names::alias ? aliases_ : fields_).data();
  }
  /// Names by enum member index. Borrowed. After prepare().
  [[nodiscard]] PyObject* const* members() const noexcept { return members_.data(); }
  /// A member of an IntEnum class by enum member index, as was kept; null before. Borrowed. After prepare().
  [[nodiscard]] PyObject* member_object(std::uint32_t at) const noexcept {
    return member_objects_[at].load(std::memory_order_acquire);
  }
  /// Unless one was kept before: that is of the same class.
  void keep_member_object(std::uint32_t at, object made) {
    static_cast<void>(made_once(member_objects_[at], [&] { return made.release(); }));
  }

 private:
  bool make() {
    const std::scoped_lock alone(making);
    if (ready_) return true;
    const std::size_t count = image_->fields.size();
    fields_.resize(count);
    aliases_.resize(count);
    members_.resize(image_->enum_members.size());
    if (member_objects_.size() != members_.size())
      member_objects_ = std::vector<shared_object>(members_.size());
    for (std::size_t i = 0; i < count; ++i) {
      const thriftlens::detail::image::field_text& text = image_->field_texts[i];
      if (!intern(text.name, fields_[i]) || !intern(text.alias, aliases_[i])) return false;
    }
    for (std::size_t i = 0; i < members_.size(); ++i) {
      if (!intern(image_->enum_members[i].name, members_[i])) return false;
    }
    ready_.store(true, std::memory_order_release);
    return true;
  }
  bool intern(thriftlens::detail::image::slice part, PyObject*& slot) {
    const std::string_view text = image_->view(part);
    PyObject* made = PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace");
    if (made == nullptr) return false;
    PyUnicode_InternInPlace(&made);
    PyObject* before = slot;
    slot = made;
    Py_XDECREF(before);
    return true;
  }

  std::shared_ptr<const schema_image> image_;
  std::vector<PyObject*> fields_;
  std::vector<PyObject*> aliases_;
  std::vector<PyObject*> members_;
  std::vector<shared_object> member_objects_;
  std::atomic<bool> ready_ = false;
};

}  // namespace thriftlens::python
