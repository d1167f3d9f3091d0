// heap_class: creates classes.
#include "support/heap_class.hpp"

#include <algorithm>

namespace thriftlens::python {

PyTypeObject* new_class(const class_head& head, class_slots slots) {
  const bool is_abstract =
      std::none_of(slots.begin(), slots.end(), [](const PyType_Slot& row) { return row.slot == Py_tp_new; });
  slots.push_back({0, nullptr});
  PyType_Spec spec = {head.name, static_cast<int>(head.size), 0, head.flags, slots.data()};
  auto* const cls = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
  if (cls != nullptr && is_abstract) cls->tp_new = nullptr;
  return cls;
}

}  // namespace thriftlens::python
