// document: thriftlens.Document, a message as an editable tree.
#include "bind/throwing.hpp"
#include "caches/path_cache.hpp"
#include "schema/type_object.hpp"
#include "support/bytes_like.hpp"
#include "support/scratch_buffer.hpp"
#include "support/unlocked.hpp"

#include <thriftlens/dom/document.hpp>

#include <atomic>

namespace thriftlens::python {

namespace {

namespace py = pybind11;

/// The child of a node that a step of a path leads to.
[[nodiscard]] node child_at(const node& parent, const path_step& step) {
  if (step.kind == path_step::form::field) return parent.field(step.id);
  return step.kind == path_step::form::index ? parent.index(step.first) : parent.key(step.key);
}
/// The step as the changes of a node take it.
[[nodiscard]] map_key key_of(const path_step& step) {
  if (step.kind == path_step::form::field) return std::int64_t{step.id};
  return step.kind == path_step::form::index ? map_key(step.first) : step.key;
}

class document_object {
 public:
  document_object(const py::object& of, const py::object& data, std::string_view protocol,
                  std::uint32_t depth)
      : keys_(type_argument(of).keys),
        type_(type_argument(of).of),
        protocol_(protocol_argument(protocol)),
        data_(owned<py::bytes>(PyBytes_FromObject(data.ptr()))) {
    document_options options;
    options.limits.depth = depth;
    require(visit_protocol(protocol_, [&](auto tag) {
      return document_.try_load<decltype(tag)>(bytes_in(data_.ptr()), type_, options);
    }));
  }

  [[nodiscard]] py::object get(const py::object& text, const py::object& otherwise) {
    const turn alone(*this);
    const node at = document_.at(compiled(text));
    return at.presence() == presence::absent ? otherwise : decoded(at);
  }
  void set(const py::object& text, const py::object& value) {
    const turn alone(*this);
    const path target = compiled(text);
    scratch_buffer memory;
    const node_value change = encoded_value(target.to(), value, memory.get());
    if (target.empty()) return require(document_.root().try_set(change));
    require(parent_of(target).try_set(key_of(target.steps().back()), change));
  }
  void append(const py::object& text, const py::object& value) {
    const turn alone(*this);
    const path target = compiled(text);
    if (!target.to().is_sequence())
      throw py::type_error("append() needs a list or set, not " + std::string(target.to().name()));
    scratch_buffer memory;
    const node_value change = encoded_value(target.to().element(), value, memory.get());
    node at = document_.at(target);
    if (at.presence() == presence::absent && !target.empty())
      at = value_or_throw(parent_of(target).try_create(key_of(target.steps().back())));
    require(at.try_append(change));
  }
  bool erase(const py::object& text) {
    const turn alone(*this);
    const node at = document_.at(compiled(text));
    if (at.presence() == presence::absent) return false;
    require(at.try_erase());
    return true;
  }
  void move(const py::object& source, const py::object& target_text) {
    const turn alone(*this);
    const path target = compiled(target_text);
    const node from = document_.at(compiled(source));
    if (target.empty()) throw py::value_error("move() cannot replace the document itself");
    require(parent_of(target).try_move(key_of(target.steps().back()), from));
  }
  void merge(document_object& from, bool appends_lists, bool replaces_maps) {
    const turn alone(*this);
    if (&from == this) return;
    const turn other(from);
    if (from.type_ != type_) throw py::type_error("merge() needs a document of the same type");
    merge_options options;
    if (appends_lists) options.lists = merge_options::lists_as::append;
    if (replaces_maps) options.maps = merge_options::maps_as::replace;
    require(document_.root().try_merge(from.document_.root(), options));
  }
  void sort(const py::object& text, const py::object& key) {
    const turn alone(*this);
    const node at = document_.at(compiled(text));
    if (key.is_none()) return require(at.try_sort());
    require(at.try_sort([&](const node& lhs, const node& rhs) {
      const py::object lhs_key = key(decoded(lhs)), rhs_key = key(decoded(rhs));
      return lhs_key < rhs_key;
    }));
  }
  std::size_t filter(const py::object& text, const py::object& keep) {
    const turn alone(*this);
    return value_or_throw(document_.at(compiled(text)).try_filter([&](const node& child) {
      return py::cast<bool>(py::bool_(keep(decoded(child))));
    }));
  }
  [[nodiscard]] py::object to_bytes(const py::object& protocol) {
    const turn alone(*this);
    const protocol_id target =
        protocol.is_none() ? protocol_ : protocol_argument(py::cast<std::string>(protocol));
    return owned(bytes_of(bytes_in(data_.ptr()).size(), [&](buffer& out) {
      return visit_protocol(target, [&](auto tag) { return document_.try_append_to<decltype(tag)>(out); });
    }));
  }
  [[nodiscard]] bool changed() const { return document_.changed(); }
  [[nodiscard]] std::string describe() const {
    return "<thriftlens.Document of " + std::string(type_.name()) + (changed() ? ", changed>" : ">");
  }

 private:
  /// One call at a time: a function that sort or filter calls must not use the document. Throws
  /// runtime_error if another call is in progress.
  class turn {
   public:
    explicit turn(document_object& of) : of_(of) {
      if (of.is_busy_.exchange(true)) throw std::runtime_error("the document is in use");
    }
    turn(const turn&) = delete;
    turn& operator=(const turn&) = delete;
    ~turn() { of_.is_busy_ = false; }

   private:
    document_object& of_;
  };

  static const type_object& type_argument(const py::object& of) {
    if (!is_type(of.ptr())) throw py::type_error("expected a thriftlens.Type");
    return type_of(of.ptr());
  }
  static protocol_id protocol_argument(std::string_view name) {
    if (name == "binary") return protocol_id::binary;
    if (name == "compact") return protocol_id::compact;
    throw py::value_error("protocol must be one of 'binary', 'compact'");
  }

  /// A path to one value.
  [[nodiscard]] path compiled(const py::object& text) const {
    const std::optional<path> target = paths_of(*keys_).find(type_, text.ptr());
    require(target.has_value());
    if (!target->is_single()) require(result<void>(target->misfit_of_several("")));
    if (target->enters_key()) require(result<void>(target->misfit("documents have no paths to keys", 0)));
    return *target;
  }
  [[nodiscard]] node parent_of(const path& target) const {
    node at = document_.root();
    for (const path_step& step : target.steps().first(target.steps().size() - 1)) at = child_at(at, step);
    return at;
  }
  [[nodiscard]] py::object decoded(const node& at) const {
    scratch_buffer memory;
    require(at.try_append_to(memory.get()));
    const byte_view bytes(memory.get().data(), memory.get().size());
    return owned(visit_protocol(protocol_, [&](auto tag) {
      return decode(*keys_, at.type(), bytes, {.protocol = decltype(tag)::id});
    }));
  }
  /// The value of a change; valid while `out` is.
  [[nodiscard]] node_value encoded_value(type to, const py::object& value, buffer& out) const {
    encode_options options{.protocol = protocol_, .unknown = {.of_views = on_unknown::keep}};
    require(append_encoded(*keys_, to, value.ptr(), out, options));
    return node_value::wire({out.data(), out.size()}, to.wire(), protocol_);
  }

  std::shared_ptr<schema_keys> keys_;
  type type_;
  protocol_id protocol_;
  py::bytes data_;
  document document_;
  std::atomic<bool> is_busy_ = false;
};

}  // namespace

void bind_document(py::module_& module) {
  using namespace py::literals;
  py::class_<document_object>(module, "Document",
                              "A value as an editable tree over its bytes, whose parts are opened when they "
                              "are used. Paths lead to one value. After an error it is unchanged.")
      .def(py::init<const py::object&, const py::object&, std::string_view, std::uint32_t>(), "type"_a,
           "data"_a, py::kw_only(), "protocol"_a = "binary", "depth"_a = 64)
      .def("get", &document_object::get, "path"_a, "default"_a = py::none(),
           "The value at a path, decoded; the default if it is absent.")
      .def("set", &document_object::set, "path"_a, "value"_a,
           "Replaces a value, or adds an absent field or entry.")
      .def("append", &document_object::append, "path"_a, "value"_a,
           "Appends an element to a list or set; an absent one is created.")
      .def("erase", &document_object::erase, "path"_a, "Removes a value; returns whether it existed.")
      .def("move", &document_object::move, "source"_a, "target"_a,
           "Moves a value to another field or key, or before an element of a list.")
      .def("merge", &document_object::merge, "other"_a, py::kw_only(), "append_lists"_a = false,
           "replace_maps"_a = false,
           "Merges another document of the type, deeply; its values have priority. Lists and sets are "
           "replaced, maps merged.")
      .def("sort", &document_object::sort, "path"_a, "key"_a = py::none(),
           "Sorts elements, or entries by key: in their natural order, or by a function of the value.")
      .def("filter", &document_object::filter, "path"_a, "keep"_a,
           "Removes the fields, elements or entries for whose value `keep` is false; returns how many.")
      .def("to_bytes", &document_object::to_bytes, py::kw_only(), "protocol"_a = py::none(),
           "The bytes; unchanged parts are copied. protocol: that of the document by default.")
      .def_property_readonly("changed", &document_object::changed, "Whether it was changed.")
      .def("__repr__", &document_object::describe);
}

}  // namespace thriftlens::python
