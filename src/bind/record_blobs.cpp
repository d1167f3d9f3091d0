// record_blobs: record_blobs, which returns records as an Arrow array.
#include "arrow/arrow_capsules.hpp"
#include "arrow/arrow_functions.hpp"
#include "call/cut_call.hpp"
#include "convert/value.hpp"
#include "support/bytes_like.hpp"
#include "support/object.hpp"
#include "support/unlocked.hpp"

#include <thriftlens/columns/arrow_owner.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace thriftlens::python {

namespace {

/// The maximum size and offset of a record in an array: offsets of Arrow's views have 31 bits.
constexpr std::size_t max_extent = std::size_t{1} << 30;

/// The memory of an array: views of 16 bytes, and the bytes they refer to.
struct blobs_owner {
  using view = std::array<std::uint8_t, 16>;
  enum buffer_index : std::uint32_t { in_data, in_copied };

  object data;
  bytes_like buffer;
  byte_view referred = {};  ///< part of the data that views refer to
  std::vector<view> views = {};
  std::vector<std::uint8_t> validity = {};
  std::size_t nulls = 0;
  std::string copied = {};
  std::array<std::int64_t, 2> sizes = {};
  /// Per record: its first byte in the input, its size, and the first byte of its value or -1.
  std::vector<std::int64_t> places = {};

  void add_null() {
    mark(false);
    ++nulls;
    views.emplace_back();
  }
  void add_place(const record& of, byte_view window, std::uint64_t offset) {
    const bool has_value = !of.is_null && is_inside(of.bytes, window);
    const auto value = has_value ? of.bytes.data() - window.data() : 0;
    places.push_back(static_cast<std::int64_t>(of.offset));
    places.push_back(static_cast<std::int64_t>(of.size));
    places.push_back(has_value ? static_cast<std::int64_t>(offset) + std::int64_t{value} : -1);
  }
  void add(byte_view value, byte_view window) {
    mark(true);
    view entry{};
    put(entry, 0, value.size());
    if (value.size() <= 12) {
      if (!value.empty()) std::memcpy(entry.data() + 4, value.data(), value.size());
    } else {
      std::memcpy(entry.data() + 4, value.data(), 4);
      refer(entry, value, window);
    }
    views.push_back(entry);
  }

 private:
  static void put(view& to, std::size_t index, std::size_t value) {
    const auto narrow = static_cast<std::int32_t>(value);
    std::memcpy(to.data() + index * 4, &narrow, sizeof narrow);
  }
  static bool is_inside(byte_view part, byte_view window) noexcept {
    return std::less_equal<>()(window.begin(), part.begin()) && std::less_equal<>()(part.end(), window.end());
  }
  void refer(view& to, byte_view value, byte_view window) {
    const bool inside = is_inside(value, window);
    put(to, 2, inside ? in_data : in_copied);
    put(to, 3, inside ? static_cast<std::size_t>(value.data() - window.data()) : copied.size());
    if (!inside) copied.append(value.text());
  }
  void mark(bool valid) {
    const std::size_t at = views.size();
    if (at % 8 == 0) validity.push_back(0);
    if (valid) validity.back() = static_cast<std::uint8_t>(validity.back() | 1U << at % 8);
  }
};

/// The outcome of a call of record_blobs.
struct blobs_end {
  error reason;
  bool can_continue = true;
  std::size_t bytes_needed = 0;
  std::size_t next = 0;  ///< in the data
};

blobs_end cut(blobs_owner& to, byte_view data, const cut_call& call) {
  blobs_end end;
  const byte_view window = data.part(call.start, data.size() - call.start);
  records in(call.options);
  in.borrow(window, call.last != 0);
  while (to.views.size() < call.count && to.copied.size() < max_extent &&
         window.size() - in.rest().size() < max_extent) {
    record item;
    const result<bool> status = in.try_next(item);
    if (!status) end.reason = status.error();
    if (!status || !*status) break;
    to.add_place(item, window, call.options.offset);
    if (item.is_null)
      to.add_null();
    else
      to.add(item.bytes, window);
  }
  end.can_continue = in.can_continue();
  end.bytes_needed = in.required();
  end.next = data.size() - in.rest().size();
  to.sizes = {static_cast<std::int64_t>(window.size()), static_cast<std::int64_t>(to.copied.size())};
  to.referred = window;
  return end;
}

void release_schema(ArrowSchema* schema) { schema->release = nullptr; }
std::unique_ptr<ArrowSchema> blobs_schema() {
  auto result = std::make_unique<ArrowSchema>();
  *result = ArrowSchema{};
  result->format = "vz";
  result->name = "";
  result->flags = ARROW_FLAG_NULLABLE;
  result->release = release_schema;
  return result;
}
/// The owner of the array; a thread without the GIL may release it.
struct blobs_array_owner final : detail::arrow_array_owner {
  explicit blobs_array_owner(std::unique_ptr<blobs_owner> owner) : blobs(std::move(owner)) {
    format = "vz";
    add_buffer(blobs->validity.data(), blobs->validity.size());
    add_buffer(blobs->views.data(), blobs->views.size() * sizeof(blobs_owner::view));
    add_buffer(blobs->referred.data(), blobs->referred.size());
    add_buffer(blobs->copied.data(), blobs->copied.size());
    add_buffer(blobs->sizes.data(), sizeof blobs->sizes);
  }
  ~blobs_array_owner() override {
    const PyGILState_STATE state = PyGILState_Ensure();
    blobs.reset();
    PyGILState_Release(state);
  }
  std::unique_ptr<blobs_owner> blobs;
};
std::unique_ptr<ArrowArray> blobs_array(std::unique_ptr<blobs_owner> blobs) {
  auto array = std::make_unique<ArrowArray>();
  *array = ArrowArray{};
  array->length = static_cast<std::int64_t>(blobs->views.size());
  array->null_count = static_cast<std::int64_t>(blobs->nulls);
  detail::give_owner(*array, std::make_unique<blobs_array_owner>(std::move(blobs)));
  return array;
}
PyObject* bytes_of_places(const std::vector<std::int64_t>& places) {
  return PyBytes_FromStringAndSize(reinterpret_cast<const char*>(places.data()),
                                   static_cast<Py_ssize_t>(places.size() * sizeof places[0]));
}

const signature_of<cut_call>& blobs_signature() {
  static const signature_of<cut_call> signature("record_blobs", {cut_data, true}, cut_options);
  return signature;
}
PyObject* blobs_function(PyObject*, const arguments& args) {
  positional_values positionals;
  cut_call call;
  auto owner = std::make_unique<blobs_owner>();
  if (!blobs_signature().read(args, positionals, call) || !owner->buffer.take(positionals[0])) return nullptr;
  owner->data = object::share(positionals[0]);
  const byte_view data = owner->buffer.bytes();
  call.start = std::min<std::uint64_t>(call.start, data.size());
  call.options.record_size =
      std::min(call.options.record_size, decltype(call.options.record_size){max_extent});
  const blobs_end end = [&] {
    const unlocked free(data.size() - call.start);
    return cut(*owner, data, call);
  }();
  const object places(bytes_of_places(owner->places));
  const object reason(end.reason.code() == errc::ok ? new_reference(Py_None)
                                                    : exception_of(end.reason, family::decode));
  const object schema(capsule_of(blobs_schema()));
  const object array(capsule_of(blobs_array(std::move(owner))));
  if (!places || !reason || !schema || !array) return nullptr;
  return Py_BuildValue("(OOOnnOO)", schema.get(), array.get(), places.get(),
                       static_cast<Py_ssize_t>(end.next), static_cast<Py_ssize_t>(end.bytes_needed),
                       reason.get(), end.can_continue ? Py_True : Py_False);
}

constexpr const char* blobs_doc =
    "\n\nLike cut_records, but returns the records as an Arrow array of binary views into the data: (schema, "
    "array, (offset, size, offset of the value or -1) of the records as int64, next, bytes needed, error, "
    "can_continue).";

}  // namespace

std::span<const method> record_blobs_functions() {
  static const method methods[] = {{blobs_signature(), fast_method<blobs_function>(), blobs_doc}};
  return methods;
}

}  // namespace thriftlens::python
