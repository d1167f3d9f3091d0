// schema_keys: the names of a schema as Python strings, created with the first decoded or encoded value.
#pragma once

#include "convert/object_layout.hpp"
#include "support/to_python.hpp"

#include <thriftlens/json/options.hpp>
#include <thriftlens/schema/type.hpp>

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

namespace thriftlens::python {

/// Shared by the Schema and its types. Destroyed with the GIL.
class schema_keys {
 public:
  explicit schema_keys(std::shared_ptr<const schema_image> image) noexcept : image_(std::move(image)) {}
  schema_keys(const schema_keys&) = delete;
  schema_keys& operator=(const schema_keys&) = delete;
  ~schema_keys() {
    for (auto* list : {&fields_, &aliases_, &members_}) {
      for (PyObject* key : *list) Py_XDECREF(key);
    }
    for (const shared_object& key : member_objects_) Py_XDECREF(key.load());
  }

  [[nodiscard]] const schema_image& image() const noexcept { return *image_; }

  /// Guards the creation of `paths`, `caches` and the strings.
  mutex making;
  /// See path_cache.hpp.
  std::shared_ptr<void> paths;
  /// See type_caches.hpp.
  std::shared_ptr<void> caches;
  /// The attribute layouts of encoded classes.
  layout_cache layouts;
  /// A weak reference to the Python table of the types; null before there is one.
  object table;

  /// Creates the strings on first use. False with a Python error set.
  [[nodiscard]] bool prepare() { return ready_.load(std::memory_order_acquire) || make(); }
  /// Keys by field index: names, or aliases. Borrowed. After prepare().
  [[nodiscard]] PyObject* const* fields(json_names names) const noexcept {
    return (names == json_names::alias ? aliases_ : fields_).data();
  }
  /// Names by enum member index. Borrowed. After prepare().
  [[nodiscard]] PyObject* const* members() const noexcept { return members_.data(); }
  /// The cached IntEnum member by enum member index, or null. Borrowed. After prepare().
  [[nodiscard]] PyObject* member_object(std::uint32_t at) const noexcept {
    return member_objects_[at].load(std::memory_order_acquire);
  }
  /// Caches a member unless there is one, which is of the same class.
  void keep_member_object(std::uint32_t at, object member) {
    static_cast<void>(create_once(member_objects_[at], [&] { return member.release(); }));
  }

 private:
  bool make() {
    const std::scoped_lock alone(making);
    if (ready_) return true;
    if (!make_fields() || !make_members()) return false;
    ready_.store(true, std::memory_order_release);
    return true;
  }
  bool make_fields() {
    fields_.resize(image_->fields.size());
    aliases_.resize(image_->fields.size());
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      const detail::image::field_text& text = image_->field_texts[i];
      if (!intern(text.name, fields_[i]) || !intern(text.alias, aliases_[i])) return false;
    }
    return true;
  }
  bool make_members() {
    members_.resize(image_->enum_members.size());
    if (member_objects_.size() != members_.size())
      member_objects_ = std::vector<shared_object>(members_.size());
    for (std::size_t i = 0; i < members_.size(); ++i) {
      if (!intern(image_->enum_members[i].name, members_[i])) return false;
    }
    return true;
  }
  bool intern(detail::image::slice part, PyObject*& slot) {
    const std::string_view text = image_->view(part);
    PyObject* text_object = shown_text(text);
    if (text_object == nullptr) return false;
    PyUnicode_InternInPlace(&text_object);
    PyObject* previous = slot;
    slot = text_object;
    Py_XDECREF(previous);
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
