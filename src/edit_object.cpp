// edit_object: arguments, values and functions of an edit.
#include "edit_object.hpp"

#include "bytes_like.hpp"
#include "guarded.hpp"
#include "path_cache.hpp"
#include "type_docs.hpp"
#include "unlocked.hpp"

#include <thriftlens/edit/edit.hpp>
#include <thriftlens/json/from_json.hpp>

#include <iterator>
#include <optional>
#include <span>
#include <variant>
#include <vector>

namespace thriftlens::python {

namespace {

using thriftlens::detail::edit_action;

/// What is behind the head of the Python object.
struct edit_state {
  std::shared_ptr<schema_keys> keys;
  type of;
  protocol_id protocol = protocol_id::binary;
  object owner;  // of the bytes
  bytes_like data;
  std::variant<std::monostate, edit<binary>, edit<compact>> edits;
  std::vector<object> changes;  // a function for each replace, in order
  bool applying = false;
  bool raised = false;  // by a function, while it is applied: the Python error is set
};

struct edit_object {
  PyObject_HEAD edit_state state;
};

edit_state& state_of(PyObject* self) noexcept { return reinterpret_cast<edit_object*>(self)->state; }

template <class Work>
void with_edit(edit_state& at, Work&& work) {
  if (at.protocol == protocol_id::binary)
    work(std::get<1>(at.edits));
  else
    work(std::get<2>(at.edits));
}

/// False with a Python error set.
[[nodiscard]] bool is_idle(const edit_state& at) {
  if (!at.applying) return true;
  PyErr_SetString(PyExc_RuntimeError, "an edit can be neither changed nor applied while it is being applied");
  return false;
}

// ---- arguments by position or name

/// Names of the arguments of a method, the first of them also by position, the first of those required.
struct signature {
  const char* method;
  std::span<const char* const> names;
  Py_ssize_t by_position;
  Py_ssize_t required;
};

std::size_t index_of(const signature& of, PyObject* name) {
  std::size_t at = 0;
  while (at < of.names.size() && PyUnicode_CompareWithASCIIString(name, of.names[at]) != 0) ++at;
  return at;
}

[[nodiscard]] bool read_names(const signature& of, PyObject* const* values, PyObject* names,
                              PyObject** found) {
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(names); ++i) {
    PyObject* const name = PyTuple_GET_ITEM(names, i);
    const std::size_t at = index_of(of, name);
    if (at == of.names.size()) {
      PyErr_Format(PyExc_TypeError, "%s() got an unexpected keyword argument '%U'", of.method, name);
      return false;
    }
    if (found[at] != nullptr) {
      PyErr_Format(PyExc_TypeError, "%s() got multiple values for argument '%U'", of.method, name);
      return false;
    }
    found[at] = values[i];
  }
  return true;
}

/// Puts the arguments of a METH_FASTCALL | METH_KEYWORDS call into `found`, which is all null.
/// False with TypeError set.
[[nodiscard]] bool read(const signature& of, PyObject* const* arguments, Py_ssize_t given, PyObject* names,
                        PyObject** found) {
  if (given > of.by_position) {
    PyErr_Format(PyExc_TypeError, "%s() takes at most %zd positional arguments, %zd given", of.method,
                 of.by_position, given);
    return false;
  }
  for (Py_ssize_t i = 0; i < given; ++i) found[i] = arguments[i];
  if (names != nullptr && !read_names(of, arguments + given, names, found)) return false;
  for (Py_ssize_t i = given; i < of.required; ++i) {
    if (found[i] != nullptr) continue;
    const char* const missing = of.names[static_cast<std::size_t>(i)];
    PyErr_Format(PyExc_TypeError, "%s() misses the argument '%s'", of.method, missing);
    return false;
  }
  return true;
}

// ---- values

/// The forms in which a new value may be given; in the order of the arguments behind the path.
enum class form : std::uint8_t { value, json, wire };

/// False with a Python error set.
[[nodiscard]] bool append_json(protocol_id protocol, type to, PyObject* given, buffer& out) {
  bytes_like bytes;
  std::string_view text;
  if (PyUnicode_Check(given)) {
    if (!utf8_of(given, text, errc::json_syntax, family::json)) return false;
  } else {
    if (!bytes.take(given)) return false;
    text = bytes.bytes().text();
  }
  const result<void> done = try_append_from_json(protocol, to, text, out);
  if (!done) raise(done.error(), family::json);
  return static_cast<bool>(done);
}

/// The wire bytes of a new value at the end of `out`. False with a Python error set.
[[nodiscard]] bool append_given(edit_state& at, type to, PyObject* given, form as, buffer& out) {
  if (as == form::value) return append_encoded(*at.keys, to, given, out, {.protocol = at.protocol});
  if (as == form::json) return append_json(at.protocol, to, given, out);
  bytes_like bytes;
  if (!bytes.take(given)) return false;
  out.append(bytes.bytes());
  return true;
}

/// The type of what an action puts at a path.
type type_put(edit_action action, const path& way) {
  const type to = way.to();
  const bool has_elements = to.kind() == type_kind::list || to.kind() == type_kind::set;
  return action == edit_action::append && has_elements ? to.element() : to;
}

/// Which of the arguments of `put` holds the value. Nothing with TypeError set unless it is one.
std::optional<form> only_form(const char* method, PyObject* const* found) {
  std::optional<form> only;
  for (const form each : {form::value, form::json, form::wire}) {
    PyObject* const given = found[1 + static_cast<int>(each)];
    const bool is_given = given != nullptr && (each == form::value || given != Py_None);
    if (!is_given) continue;
    if (only) {
      only.reset();
      break;
    }
    only = each;
  }
  if (only) return only;
  PyErr_Format(PyExc_TypeError, "%s() takes a value, json= or wire=, and one of them only", method);
  return std::nullopt;
}

// ---- changes

template <edit_action Action>
void record(edit_state& at, const path& way, const wire_bytes& value) {
  with_edit(at, [&](auto& edits) {
    if constexpr (Action == edit_action::set)
      edits.set(way, value);
    else if constexpr (Action == edit_action::create)
      edits.create(way, value);
    else if constexpr (Action == edit_action::insert)
      edits.insert(way, value);
    else
      edits.append(way, value);
  });
}

constexpr const char* name_of(edit_action action) {
  switch (action) {
    case edit_action::set:
      return "set";
    case edit_action::create:
      return "create";
    case edit_action::insert:
      return "insert";
    default:
      return "append";
  }
}

template <edit_action Action>
PyObject* put_method(PyObject* self, PyObject* const* arguments, Py_ssize_t given, PyObject* names) {
  static constexpr const char* list[] = {"path", "value", "json", "wire"};
  PyObject* found[std::size(list)] = {};
  if (!read({name_of(Action), list, 2, 1}, arguments, given, names, found)) return nullptr;
  const std::optional<form> as = only_form(name_of(Action), found);
  edit_state& at = state_of(self);
  if (!as || !is_idle(at)) return nullptr;
  const std::optional<path> way = paths_of(*at.keys).find(at.of, found[0]);
  if (!way) return nullptr;
  kept_buffer memory;
  buffer& bytes = memory.get();
  if (!append_given(at, type_put(Action, *way), found[1 + static_cast<int>(*as)], *as, bytes)) return nullptr;
  if (!is_idle(at)) return nullptr;  // the value's own code ran
  record<Action>(at, *way, wire_bytes{{bytes.data(), bytes.size()}});
  return new_reference(self);
}

PyObject* erase_method(PyObject* self, PyObject* const* arguments, Py_ssize_t given, PyObject* names) {
  static constexpr const char* list[] = {"path"};
  PyObject* found[std::size(list)] = {};
  if (!read({"erase", list, 1, 1}, arguments, given, names, found)) return nullptr;
  edit_state& at = state_of(self);
  if (!is_idle(at)) return nullptr;
  const std::optional<path> way = paths_of(*at.keys).find(at.of, found[0]);
  if (!way) return nullptr;
  with_edit(at, [&](auto& edits) { edits.erase(*way); });
  return new_reference(self);
}

/// Calls a Python function with the old value; the bytes of its answer are kept until the next call.
class changer {
 public:
  changer(edit_state& owner, type to, std::size_t which) : owner_(&owner), to_(to), which_(which) {}
  template <protocol Protocol>
  wire_bytes operator()(const view<Protocol>& old) {
    bytes_.clear();
    if (!owner_->raised) owner_->raised = !call(old);
    return {{bytes_.data(), bytes_.size()}};
  }

 private:
  /// False with a Python error set.
  template <protocol Protocol>
  [[nodiscard]] bool call(const view<Protocol>& old) {
    const object before(decode_view(*owner_->keys, old, {.protocol = Protocol::id}));
    if (!before) return false;
    const object change = object::share(owner_->changes[which_].get());
    const object after(PyObject_CallOneArg(change.get(), before.get()));
    return after && append_encoded(*owner_->keys, to_, after.get(), bytes_, {.protocol = Protocol::id});
  }

  edit_state* owner_;
  type to_;
  std::size_t which_;
  buffer bytes_;
};

PyObject* replace_method(PyObject* self, PyObject* const* arguments, Py_ssize_t given, PyObject* names) {
  static constexpr const char* list[] = {"path", "change"};
  PyObject* found[std::size(list)] = {};
  if (!read({"replace", list, 2, 2}, arguments, given, names, found)) return nullptr;
  edit_state& at = state_of(self);
  if (!is_idle(at)) return nullptr;
  const std::optional<path> way = paths_of(*at.keys).find(at.of, found[0]);
  if (!way) return nullptr;
  const std::size_t which = at.changes.size();
  at.changes.push_back(object::share(found[1]));  // one that no edit knows does no harm
  with_edit(at, [&](auto& edits) { edits.replace(*way, changer(at, way->to(), which)); });
  return new_reference(self);
}

/// True for the length of a scope.
class scope {
 public:
  explicit scope(bool& flag) noexcept : flag_(flag) { flag_ = true; }
  scope(const scope&) = delete;
  scope& operator=(const scope&) = delete;
  ~scope() { flag_ = false; }

 private:
  bool& flag_;
};

PyObject* apply_method(PyObject* self, PyObject*) {
  edit_state& at = state_of(self);
  if (!is_idle(at)) return nullptr;
  kept_buffer memory;
  result<void> done;
  at.raised = false;
  {
    const scope working(at.applying);
    const unlocked free(at.changes.empty() ? at.data.bytes().size() : 0);  // functions need the GIL
    with_edit(at, [&](auto& edits) { done = edits.try_apply_to(memory.get()); });
  }
  if (at.raised) return nullptr;
  if (!done) return raise(done.error(), family_of(done.error().code()));
  return bytes_from(memory.get());
}

// ---- the object

int traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  for (const object& each : state_of(self).changes) Py_VISIT(each.get());
  return 0;
}

/// The functions are gone, and so are the edits that would call them.
int clear(PyObject* self) {
  edit_state& at = state_of(self);
  if (at.changes.empty()) return 0;
  at.edits.emplace<0>();
  std::vector<object>().swap(at.changes);
  return 0;
}

void destroy(PyObject* self) {
  PyTypeObject* of = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  std::destroy_at(&state_of(self));
  of->tp_free(self);
  Py_DECREF(of);
}

template <auto Method>
PyCFunction hot() {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(guarded<Method>::call));
}

}  // namespace

PyTypeObject* edit_class() {
  static PyTypeObject* made = nullptr;
  if (made != nullptr) return made;

  constexpr int kind = METH_FASTCALL | METH_KEYWORDS;
  static PyMethodDef methods[] = {{"set", hot<put_method<edit_action::set>>(), kind, edit_set_doc},
                                  {"create", hot<put_method<edit_action::create>>(), kind, edit_create_doc},
                                  {"insert", hot<put_method<edit_action::insert>>(), kind, edit_insert_doc},
                                  {"append", hot<put_method<edit_action::append>>(), kind, edit_append_doc},
                                  {"erase", hot<erase_method>(), kind, edit_erase_doc},
                                  {"replace", hot<replace_method>(), kind, edit_replace_doc},
                                  {"apply", guarded<apply_method>::call, METH_NOARGS, edit_apply_doc},
                                  {nullptr, nullptr, 0, nullptr}};
  static PyType_Slot slots[] = {{Py_tp_methods, methods},
                                {Py_tp_traverse, reinterpret_cast<void*>(traverse)},
                                {Py_tp_clear, reinterpret_cast<void*>(clear)},
                                {Py_tp_dealloc, reinterpret_cast<void*>(destroy)},
                                {Py_tp_doc, const_cast<char*>(edit_class_doc)},
                                {0, nullptr}};
  constexpr unsigned int flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC;
  static PyType_Spec spec = {"thriftlens.Edit", sizeof(edit_object), 0, flags, slots};
  made = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
  if (made != nullptr) made->tp_new = nullptr;
  return made;
}

PyObject* make_edit(std::shared_ptr<schema_keys> keys, type of, PyObject* data, const edit_bounds& bounds) {
  PyTypeObject* const as = edit_class();
  object made(as == nullptr ? nullptr : as->tp_alloc(as, 0));
  if (!made) return nullptr;
  edit_state& at = *std::construct_at(&state_of(made.get()));
  at.keys = std::move(keys);
  at.of = of;
  at.protocol = bounds.protocol;
  if (!at.data.take(data)) return nullptr;
  at.owner = object::share(data);
  visit_protocol(bounds.protocol, [&](auto tag) {
    using spoken = decltype(tag);
    auto& edits = at.edits.emplace<edit<spoken>>(view<spoken>(at.data.bytes(), of, {.depth = bounds.depth}));
    if (bounds.output_size != limits::automatic) edits.output_size(bounds.output_size);
  });
  return made.release();
}

}  // namespace thriftlens::python
