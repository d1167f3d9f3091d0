// named_tuple: classes of results, which are tuples with named members (struct sequences).
#pragma once

#include "support/to_python.hpp"

#include <initializer_list>
#include <vector>

namespace thriftlens::python {

/// A class of the module. Its objects live as long as the process.
class named_tuple {
 public:
  named_tuple(const char* name, const char* doc, std::initializer_list<const char*> members);
  named_tuple(const named_tuple&) = delete;
  named_tuple& operator=(const named_tuple&) = delete;

  /// The classes, for the module to create and register.
  [[nodiscard]] static std::vector<named_tuple*>& classes();
  /// Creates the class. Null with a Python error set.
  [[nodiscard]] PyTypeObject* create();
  [[nodiscard]] const char* name() const noexcept;

  /// An instance with these members. Null with a Python error set, also if one of them is null.
  template <class... Values>
  [[nodiscard]] PyObject* make(Values&&... values) const {
    return filled(object(PyStructSequence_New(cls_)), {to_python(std::forward<Values>(values))...});
  }

 private:
  const char* qualified_name_;
  const char* doc_;
  std::vector<PyStructSequence_Field> members_;
  PyTypeObject* cls_ = nullptr;
};

}  // namespace thriftlens::python
