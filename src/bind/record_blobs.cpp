// record_blobs: record_blobs, which returns records as an Arrow array.
#include "arrow/arrow_capsules.hpp"
#include "arrow/arrow_functions.hpp"
#include "call/cut_call.hpp"
#include "convert/value.hpp"
#include "support/bytes_like.hpp"
#include "support/named_tuple.hpp"
#include "support/unlocked.hpp"

#include <thriftlens/columns/arrow_owner.hpp>

#include <algorithm>
#include <array>
#include <cstring>
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

cut_status cut(blobs_owner& to, byte_view data, const cut_call& call) {
  to.referred = data.part(call.start, data.size() - call.start);
  cut_status end = cut(data, call, [&](const record& item, byte_view window, byte_view rest) {
    to.add_place(item, window, call.options.offset);
    if (item.is_null)
      to.add_null();
    else
      to.add(item.bytes, window);
    return to.views.size() < call.count && to.copied.size() < max_extent &&
           window.size() - rest.size() < max_extent;
  });
  to.sizes = {static_cast<std::int64_t>(to.referred.size()), static_cast<std::int64_t>(to.copied.size())};
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

constexpr auto blobs_signature = signature_from<"record_blobs", cut_data, cut_options, passing::by_name_too>;
named_tuple blobs_class("thriftlens._core.RecordBlobs",
                        "Capsules of records as an Arrow array; `locations`: offset, size and offset of the "
                        "value or -1 of every record as int64. The other members are those of CutRecords.",
                        {"schema", "array", "locations", "next", "needed", "error", "can_continue"});
PyObject* result_of(std::unique_ptr<blobs_owner> owner, const cut_status& end) {
  const std::vector<std::int64_t>& places = owner->places;
  object locations(to_python(byte_view(places.data(), places.size() * sizeof places[0])));
  return blobs_class.make(capsule_of(blobs_schema()), capsule_of(blobs_array(std::move(owner))),
                          std::move(locations), end.next, end.bytes_needed,
                          exception_or_none(end.reason, family::decode), end.can_continue);
}
PyObject* blobs_function(PyObject*, PyObject** positionals, cut_call& call) {
  auto owner = std::make_unique<blobs_owner>();
  if (!owner->buffer.take(positionals[0])) return nullptr;
  owner->data = object::share(positionals[0]);
  const byte_view data = owner->buffer.bytes();
  call.start = std::min<std::uint64_t>(call.start, data.size());
  call.options.record_size =
      std::min(call.options.record_size, decltype(call.options.record_size){max_extent});
  const cut_status end = without_gil(data.size() - call.start, [&] { return cut(*owner, data, call); });
  return result_of(std::move(owner), end);
}

constexpr const char* blobs_doc =
    "\n\nLike cut_records, but returns the records as an Arrow array of binary views into the data.";

}  // namespace

std::span<const method> record_blobs_functions() {
  static const method methods[] = {method_of<blobs_signature, blobs_function>(blobs_doc)};
  return methods;
}

}  // namespace thriftlens::python
