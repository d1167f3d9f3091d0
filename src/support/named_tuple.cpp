// named_tuple: creates classes.
#include "support/named_tuple.hpp"

#include <cstring>

namespace thriftlens::python {

named_tuple::named_tuple(const char* name, const char* doc, std::initializer_list<const char*> members)
    : qualified_name_(name), doc_(doc) {
  for (const char* member : members) members_.push_back({member, nullptr});
  members_.push_back({nullptr, nullptr});
  classes().push_back(this);
}

std::vector<named_tuple*>& named_tuple::classes() {
  static std::vector<named_tuple*> registered;
  return registered;
}
PyTypeObject* named_tuple::create() {
  PyStructSequence_Desc of{qualified_name_, doc_, members_.data(), static_cast<int>(members_.size()) - 1};
  return cls_ = PyStructSequence_NewType(&of);
}
const char* named_tuple::name() const noexcept { return std::strrchr(qualified_name_, '.') + 1; }

}  // namespace thriftlens::python
