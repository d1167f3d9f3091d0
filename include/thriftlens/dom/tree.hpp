// tree: the memory of a document: 16-byte slots in contiguous levels, all in one arena.
#pragma once

#include <thriftlens/core/arena.hpp>
#include <thriftlens/core/buffer.hpp>
#include <thriftlens/core/choice.hpp>
#include <thriftlens/core/error.hpp>
#include <thriftlens/core/leniency.hpp>
#include <thriftlens/core/limits.hpp>
#include <thriftlens/dom/fwd.hpp>
#include <thriftlens/protocol/header.hpp>
#include <thriftlens/protocol/id_set.hpp>
#include <thriftlens/schema/type.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Treatment of values that the type does not expect.
struct document_options {
  thriftlens::limits limits = {};  ///< output_size bounds the output and the memory of the document
  on_duplicate duplicates = on_duplicate::error;
  choice<on_mismatch::error, on_mismatch::keep> mismatch = {};
  /// Missing required fields, checked when a struct is opened and, if changed, when it is written.
  choice<on_missing::error, on_missing::omit> missing_required = {};
};

namespace detail::dom {

struct level;

/// One value: its wire bytes (a Compact bool encoded like an element) or its level. A field has its id; an
/// entry takes two slots, key and value. An erased slot has wire type stop until its level is compacted.
struct slot {
  union {
    const std::uint8_t* bytes = nullptr;
    level* below;
  };
  std::uint32_t size = 0;  ///< of the bytes; of an expanded value in its level
  std::int16_t id = 0;
  ttype wire = ttype::stop;
  bool expanded = false;

  [[nodiscard]] bool erased() const noexcept { return wire == ttype::stop; }
  /// Whether it is the field, with the wire type of the IDL.
  [[nodiscard]] bool is(const image::field_node& field) const noexcept {
    return id == field.id && wire == field.wire;
  }
  void expand(level& into) noexcept;
};
static_assert(sizeof(void*) != 8 || sizeof(slot) == 16);

/// The children of one struct, list, set or map.
struct level {
  slot* items = nullptr;
  level* parent = nullptr;
  const std::uint8_t* bytes = nullptr;  ///< the original value
  key_index* index = nullptr;
  std::uint32_t size = 0;   ///< of the bytes
  std::uint32_t count = 0;  ///< slots in use, erased ones included
  std::uint32_t capacity = 0;
  std::uint32_t dead = 0;            ///< erased slots (of entries: pairs)
  std::uint32_t type = image::none;  ///< of the value
  std::uint32_t version = 0;         ///< incremented when slots are renumbered
  std::uint16_t depth_left = 0;      ///< for the children
  ttype wire = ttype::stop;
  ttype key = ttype::stop;
  ttype value = ttype::stop;  ///< of entries and elements
  bool changed = false;       ///< it or a level below
  bool ascending = true;      ///< struct: ids strictly ascending, erased ones included
  bool frozen = false;        ///< is, or is in, a key of a map

  /// Must be called after slots were renumbered.
  void renumber() noexcept {
    index = nullptr;
    ++version;
  }
  [[nodiscard]] std::uint32_t stride() const noexcept { return wire == ttype::map ? 2 : 1; }
  /// Fields, elements or entries.
  [[nodiscard]] std::uint32_t live() const noexcept { return count / stride() - dead; }
};

inline void slot::expand(level& into) noexcept {
  below = &into;
  wire = into.wire;
  expanded = true;
}
/// The slot of a value by its bytes.
[[nodiscard]] inline slot raw_slot(byte_view bytes, ttype wire) noexcept {
  slot result;
  result.bytes = bytes.data();
  result.size = static_cast<std::uint32_t>(bytes.size());
  result.wire = wire;
  return result;
}

/// The original bytes of a value.
[[nodiscard]] inline byte_view bytes_of(const slot& of) noexcept {
  return of.expanded ? byte_view(of.below->bytes, of.below->size) : byte_view(of.bytes, of.size);
}

/// State of one document. Reused for the next message.
class tree {
 public:
  arena memory{16384};
  mutable buffer key_memory;  ///< of key_index: encoding of the last key
  std::vector<slot> scratch;  ///< children of structs being read, innermost last
  byte_view source;
  const schema_image* image = nullptr;
  slot root;
  std::uint32_t root_type = image::none;
  protocol_id protocol = {};
  document_options options;
  std::uint32_t generation = 0;  ///< incremented by loads; nodes of earlier ones are invalid
  std::uint64_t seed = 0;        ///< of the key indices

  void set_source(byte_view bytes, const document_options& settings) noexcept {
    source = bytes;
    options = settings;
    max_used_ = settings.limits.max_objects(bytes.size());
  }
  /// Removes the message, retains the memory.
  void reset() noexcept {
    memory.reset();
    scratch.clear();
    used_ = 0;
    root = {};
    ++generation;
  }

  /// False if memory would exceed its bound, by default limits.max_objects() of the source.
  [[nodiscard]] THRIFTLENS_INLINE bool charge(std::uint64_t bytes) noexcept {
    used_ += bytes;
    return used_ <=
           (options.limits.output_size != limits::automatic ? options.limits.output_size : max_used_);
  }
  /// Like charge, for added values, which an automatic bound does not limit.
  [[nodiscard]] bool charge_added(std::uint64_t bytes) noexcept {
    max_used_ += bytes;
    return charge(bytes);
  }
  [[nodiscard]] slot* make_slots(std::size_t count) {
    return count == 0 ? nullptr : static_cast<slot*>(memory.allocate(count * sizeof(slot), alignof(slot)));
  }
  [[nodiscard]] level* make_level() { return memory.make<level>(); }
  /// Creates a level below `parent` (null: of the root). `depth_left`: remaining depth of its children.
  [[nodiscard]] level& make_level(level* parent, ttype wire, std::uint32_t type, std::uint32_t depth_left) {
    level& result = *make_level();
    result.parent = parent;
    result.wire = wire;
    result.type = type;
    result.depth_left = static_cast<std::uint16_t>(depth_left);
    result.frozen = parent != nullptr && parent->frozen;
    return result;
  }

  /// Capacity for `count` more slots at the end of a level. Amortised O(count).
  void grow(level& in, std::uint32_t count);

  /// The struct of a type, or null for image::none.
  [[nodiscard]] const image::struct_node* structure(std::uint32_t type) const noexcept {
    return type == image::none ? nullptr : &image->struct_of(type);
  }
  /// The types of elements, keys and values of a container type.
  [[nodiscard]] image::type_node contents(std::uint32_t type) const noexcept {
    return type == image::none ? image::type_node() : image->types[type];
  }
  /// The wire type of a type, or `fallback` for image::none.
  [[nodiscard]] ttype wire_of(std::uint32_t type, ttype fallback) const noexcept {
    return type == image::none ? fallback : image->types[type].wire;
  }
  /// Remaining depth of values in a level (null: the root).
  [[nodiscard]] std::uint32_t depth_left(const level* in) const noexcept {
    return in == nullptr ? options.limits.depth : in->depth_left;
  }
  [[nodiscard]] std::span<const image::field_node> fields(const image::struct_node& in) const noexcept {
    return {image->fields.data() + in.fields.begin, in.fields.size};
  }
  /// A field of a struct (may be null), or null.
  [[nodiscard]] const image::field_node* field(const image::struct_node* in, std::int16_t id) const noexcept {
    if (in == nullptr) return nullptr;
    const std::uint32_t at = image->find_field(*in, id);
    return at == image::none ? nullptr : &image->fields[at];
  }
  /// The first required field without a slot, or null. Cold: O(required * slots).
  [[nodiscard]] const image::field_node* missing_field(const image::struct_node& in,
                                                       std::span<const slot> items) const noexcept;

  /// Marks a level and all above it as changed.
  static void touch(level* in) noexcept {
    for (; in != nullptr && !in->changed; in = in->parent) in->changed = true;
  }

  /// True for the first use of an id until forget().
  [[nodiscard]] bool first_time(std::int16_t id) { return seen_.add(id); }
  void forget(std::span<const slot> fields) noexcept {
    for (const slot& field : fields) seen_.clear_near(field.id);
  }

  /// The last error, for the nodes that report it.
  error failure;
  std::uint32_t failures = 0;

 private:
  std::uint64_t used_ = 0;
  std::uint64_t max_used_ = limits().max_objects(0);  // if output_size is automatic
  id_bits seen_;
};

}  // namespace detail::dom
}  // namespace thriftlens::inline THRIFTLENS_ABI

#if !defined(THRIFTLENS_COMPILED)
#include <thriftlens/dom/tree.ipp>
#endif
