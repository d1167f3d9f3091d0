// edit_object: arguments, values and functions of an edit.
#include "edit_object.hpp"

#include "bytes_like.hpp"
#include "json_text.hpp"
#include "method.hpp"
#include "path_cache.hpp"
#include "type_docs.hpp"
#include "unlocked.hpp"

#include <thriftlens/edit/edit.hpp>
#include <thriftlens/json/from_json.hpp>

#include <optional>
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

// ---- values

/// A new value, in one of three forms; null where it was not given.
struct given_value {
  PyObject* object = nullptr;
  PyObject* json = nullptr;
  PyObject* wire = nullptr;

  [[nodiscard]] static bool is_given(PyObject* part) noexcept { return part != nullptr && part != Py_None; }
  /// False with TypeError set unless it was given once.
  [[nodiscard]] bool is_one(const char* method) const {
    const int count = (object != nullptr ? 1 : 0) + (is_given(json) ? 1 : 0) + (is_given(wire) ? 1 : 0);
    if (count == 1) return true;
    PyErr_Format(PyExc_TypeError, "%s() takes a value, json= or wire=, and one of them only", method);
    return false;
  }
};

/// False with a Python error set.
[[nodiscard]] bool append_json(protocol_id protocol, type to, PyObject* given, buffer& out) {
  json_text text;
  if (!text.take(given)) return false;
  const result<void> done = try_append_from_json(protocol, to, text.text(), out);
  if (!done) raise(done.error(), family::json);
  return static_cast<bool>(done);
}

/// The wire bytes of a new value at the end of `out`. False with a Python error set.
[[nodiscard]] bool append_given(edit_state& at, type to, const given_value& given, buffer& out) {
  if (given.object != nullptr)
    return append_encoded(*at.keys, to, given.object, out, {.protocol = at.protocol});
  if (given_value::is_given(given.json)) return append_json(at.protocol, to, given.json, out);
  bytes_like bytes;
  if (!bytes.take(given.wire)) return false;
  out.append(bytes.bytes());
  return true;
}

/// The type of what an action puts at a path.
type type_put(edit_action action, const path& target) {
  const type to = target.to();
  const bool has_elements = to.kind() == type_kind::list || to.kind() == type_kind::set;
  return action == edit_action::append && has_elements ? to.element() : to;
}

// ---- changes

template <edit_action Action>
void record(edit_state& at, const path& target, const wire_bytes& value) {
  with_edit(at, [&](auto& edits) {
    if constexpr (Action == edit_action::set)
      edits.set(target, value);
    else if constexpr (Action == edit_action::create)
      edits.create(target, value);
    else if constexpr (Action == edit_action::insert)
      edits.insert(target, value);
    else
      edits.append(target, value);
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

constexpr positional put_list[] = {{"path"}, {"value", "..."}};
constexpr auto put_table =
    table(any_object<&given_value::json>("json"), any_object<&given_value::wire>("wire"));

template <edit_action Action>
const signature_of<given_value>& put_signature() {
  static const signature_of<given_value> made(name_of(Action), {put_list, true}, put_table);
  return made;
}
template <edit_action Action>
PyObject* put_method(PyObject* self, const arguments& given) {
  positional_values found;
  given_value value;
  if (!put_signature<Action>().read(given, found, value)) return nullptr;
  value.object = found[1];
  edit_state& at = state_of(self);
  if (!value.is_one(name_of(Action)) || !is_idle(at)) return nullptr;
  const std::optional<path> target = paths_of(*at.keys).find(at.of, found[0]);
  if (!target) return nullptr;
  kept_buffer memory;
  buffer& bytes = memory.get();
  if (!append_given(at, type_put(Action, *target), value, bytes)) return nullptr;
  if (!is_idle(at)) return nullptr;  // the value's own code ran
  record<Action>(at, *target, wire_bytes{{bytes.data(), bytes.size()}});
  return new_reference(self);
}

constexpr positional erase_list[] = {{"path"}};
const signature_of<no_options>& erase_signature() {
  static const signature_of<no_options> made("erase", {erase_list, true}, empty_table);
  return made;
}
PyObject* erase_method(PyObject* self, const arguments& given) {
  positional_values found;
  no_options call;
  if (!erase_signature().read(given, found, call)) return nullptr;
  edit_state& at = state_of(self);
  if (!is_idle(at)) return nullptr;
  const std::optional<path> target = paths_of(*at.keys).find(at.of, found[0]);
  if (!target) return nullptr;
  with_edit(at, [&](auto& edits) { edits.erase(*target); });
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

constexpr positional replace_list[] = {{"path"}, {"change"}};
const signature_of<no_options>& replace_signature() {
  static const signature_of<no_options> made("replace", {replace_list, true}, empty_table);
  return made;
}
PyObject* replace_method(PyObject* self, const arguments& given) {
  positional_values found;
  no_options call;
  if (!replace_signature().read(given, found, call)) return nullptr;
  edit_state& at = state_of(self);
  if (!is_idle(at)) return nullptr;
  const std::optional<path> target = paths_of(*at.keys).find(at.of, found[0]);
  if (!target) return nullptr;
  const std::size_t which = at.changes.size();
  at.changes.push_back(object::share(found[1]));  // one that no edit knows does no harm
  with_edit(at, [&](auto& edits) { edits.replace(*target, changer(at, target->to(), which)); });
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
  if (!done) return raise_error(done.error());
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

template <edit_action Action>
method put(const char* doc) {
  return {put_signature<Action>(), fast_method<put_method<Action>>(), doc};
}

}  // namespace

PyTypeObject* edit_class() {
  static PyTypeObject* made = nullptr;
  if (made != nullptr) return made;

  static const PyMethodDef apply = {"apply", translate_exceptions<apply_method>::call, METH_NOARGS,
                                    edit_apply_doc};
  const method methods[] = {put<edit_action::set>(edit_set_doc),
                            put<edit_action::create>(edit_create_doc),
                            put<edit_action::insert>(edit_insert_doc),
                            put<edit_action::append>(edit_append_doc),
                            {erase_signature(), fast_method<erase_method>(), edit_erase_doc},
                            {replace_signature(), fast_method<replace_method>(), edit_replace_doc}};
  PyType_Slot slots[] = {{Py_tp_methods, method_table("$self", methods, {apply})},
                         {Py_tp_traverse, reinterpret_cast<void*>(traverse)},
                         {Py_tp_clear, reinterpret_cast<void*>(clear)},
                         {Py_tp_dealloc, reinterpret_cast<void*>(destroy)},
                         {Py_tp_doc, const_cast<char*>(edit_class_doc)},
                         {0, nullptr}};
  constexpr unsigned int flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC;
  PyType_Spec spec = {"thriftlens.Edit", sizeof(edit_object), 0, flags, slots};
  made = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
  if (made != nullptr) made->tp_new = nullptr;
  return made;
}

PyObject* make_edit(std::shared_ptr<schema_keys> keys, type of, PyObject* data, const edit_call& call) {
  PyTypeObject* const as = edit_class();
  object made(as == nullptr ? nullptr : as->tp_alloc(as, 0));
  if (!made) return nullptr;
  edit_state& at = *std::construct_at(&state_of(made.get()));
  at.keys = std::move(keys);
  at.of = of;
  at.protocol = call.protocol;
  if (!at.data.take(data)) return nullptr;
  at.owner = object::share(data);
  visit_protocol(call.protocol, [&](auto tag) {
    using spoken = decltype(tag);
    auto& edits = at.edits.emplace<edit<spoken>>(view<spoken>(at.data.bytes(), of, call.bounds));
    if (call.bounds.output_size != limits::automatic) edits.output_size(call.bounds.output_size);
  });
  return made.release();
}

}  // namespace thriftlens::python
