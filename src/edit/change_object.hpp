// change_object: what Edit and Rewrite have in common: changes to the bytes of one value, collected and
// applied in one pass.
#pragma once

#include "caches/schema_keys.hpp"
#include "call/method.hpp"
#include "convert/value.hpp"
#include "support/bytes_like.hpp"
#include "support/locked.hpp"
#include "support/unlocked.hpp"

#include <thriftlens/edit/edit.hpp>
#include <thriftlens/policy/rewrite.hpp>

#include <memory>
#include <variant>
#include <vector>

namespace thriftlens::python {

/// What is behind the head of the Python object.
struct change_state {
  std::shared_ptr<schema_keys> keys;
  type of;
  protocol_id protocol = protocol_id::binary;
  object owner;  // of the bytes
  bytes_like data;
  std::size_t size = 0;  // of the bytes
  std::variant<std::monostate, edit<binary>, edit<compact>, rewrite<binary>, rewrite<compact>> changes;
  std::vector<object> functions;  // one for each replace, in order
  bool applying = false;
  bool raised = false;  // by a function, while it is applied: the Python error is set
};

struct change_object {
  PyObject_HEAD change_state state;
};
[[nodiscard]] inline change_state& state_of(PyObject* self) noexcept {
  return reinterpret_cast<change_object*>(self)->state;
}

/// Calls `work` with the edit or rewrite, whichever protocol it speaks.
template <class Work>
void with_changes(change_state& at, Work&& work) {
  switch (at.changes.index()) {
    case 1:
      return work(std::get<1>(at.changes));
    case 2:
      return work(std::get<2>(at.changes));
    case 3:
      return work(std::get<3>(at.changes));
    default:
      return work(std::get<4>(at.changes));  // throws where the collector has cleared it
  }
}

/// False with a Python error set.
[[nodiscard]] inline bool is_idle(const change_state& at) {
  if (!at.applying) return true;
  PyErr_SetString(PyExc_RuntimeError, "an edit can be neither changed nor applied while it is being applied");
  return false;
}

/// Runs `apply(buffer, error)`, which answers false with the error, and gives the bytes. Null with a Python
/// error set.
template <class Apply>
[[nodiscard]] PyObject* applied(change_state& at, Apply&& apply) {
  struct scope {
    bool& flag;
    ~scope() { flag = false; }
  };
  if (!is_idle(at)) return nullptr;
  kept_buffer memory;
  error why;
  bool done = false;
  at.raised = false;
  at.applying = true;
  {
    const scope working{at.applying};
    const unlocked free(at.functions.empty() ? at.size : 0);  // functions need the GIL
    done = apply(memory.get(), why);
  }
  if (at.raised) return nullptr;
  return done ? bytes_from(memory.get()) : raise_error(why);
}

/// set, create, insert, append, erase and replace.
[[nodiscard]] std::vector<method> change_methods();
/// A class of such objects. Null with a Python error set.
[[nodiscard]] PyTypeObject* make_change_class(const char* name, PyMethodDef* methods, const char* doc);
/// An object of the class that has collected nothing yet. Null with a Python error set.
[[nodiscard]] PyObject* make_change_object(PyTypeObject* of, std::shared_ptr<schema_keys> keys, type to,
                                           protocol_id protocol);
/// Holds the bytes of `data`. False with a Python error set.
[[nodiscard]] bool hold_data(change_state& at, PyObject* data);

/// Begins to collect: Changes is edit or rewrite.
template <template <protocol> class Changes, protocol Protocol>
void start_changes(change_state& at, const view<Protocol>& of, std::size_t output_size) {
  auto& changes = at.changes.emplace<Changes<Protocol>>(of);
  if (output_size != limits::automatic) changes.output_size(output_size);
}
/// An object of the class that collects changes to `data`. Null with a Python error set.
template <template <protocol> class Changes>
[[nodiscard]] PyObject* make_changes(PyTypeObject* of, std::shared_ptr<schema_keys> keys, type to,
                                     PyObject* data, protocol_id protocol, const limits& bounds) {
  object made(make_change_object(of, std::move(keys), to, protocol));
  if (!made || !hold_data(state_of(made.get()), data)) return nullptr;
  change_state& at = state_of(made.get());
  visit_protocol(protocol, [&]<class Protocol>(Protocol) {
    start_changes<Changes>(at, view<Protocol>(at.data.bytes(), to, bounds), bounds.output_size);
  });
  return made.release();
}

}  // namespace thriftlens::python
