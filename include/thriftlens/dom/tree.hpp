// tree: what a document is made of: 16-byte slots in contiguous levels, all in one arena.
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

/// How a document takes what its type does not expect. First value = default.
struct document_options {
  thriftlens::limits limits = {};  ///< output_size bounds what is written, and the document's own memory
  on_duplicate duplicates = on_duplicate::error;
  choice<on_mismatch::error, on_mismatch::keep> mismatch = {};
  /// Required fields that a struct lacks: looked at when it is opened and, where it was changed, when it is
  /// written.
  choice<on_missing::error, on_missing::omit> missing_required = {};
};

namespace detail::dom {

struct level;

/// One value: its wire bytes (a Compact bool as an element has it), or the level below them. In a struct with
/// its field id; a map's entry takes two slots, key and value. An erased slot has wire type stop until its
/// level is compacted.
struct slot {
  union {
    const std::uint8_t* bytes = nullptr;
    level* below;
  };
  std::uint32_t size = 0;  ///< of the bytes; of an expanded value its level knows
  std::int16_t id = 0;
  ttype wire = ttype::stop;
  bool expanded = false;

  [[nodiscard]] bool erased() const noexcept { return wire == ttype::stop; }
  /// A value of that field, in the type that the IDL says.
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
  const std::uint8_t* bytes = nullptr;  ///< the value as it was before it was changed
  key_index* index = nullptr;
  std::uint32_t size = 0;   ///< of the bytes
  std::uint32_t count = 0;  ///< slots in use, erased ones included
  std::uint32_t capacity = 0;
  std::uint32_t dead = 0;            ///< erased slots (of entries: pairs)
  std::uint32_t type = image::none;  ///< of the value
  std::uint32_t version = 0;         ///< counts how often slots changed their numbers
  std::uint16_t depth_left = 0;      ///< for the children
  ttype wire = ttype::stop;
  ttype key = ttype::stop;
  ttype value = ttype::stop;  ///< of entries and elements
  bool changed = false;       ///< it or something below
  bool ascending = true;      ///< struct: ids strictly ascending, erased ones included
  bool frozen = false;        ///< it is, or lies in, a map's key

  /// The slots have got other numbers.
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
  slot made;
  made.bytes = bytes.data();
  made.size = static_cast<std::uint32_t>(bytes.size());
  made.wire = wire;
  return made;
}

/// The bytes of a value that was not changed.
[[nodiscard]] inline byte_view bytes_of(const slot& of) noexcept {
  return of.expanded ? byte_view(of.below->bytes, of.below->size) : byte_view(of.bytes, of.size);
}

/// Memory and facts of one document. Reused from message to message.
class tree {
 public:
  arena memory{16384};
  mutable buffer key_memory;  ///< of key_index: the encoding of the key that was read last
  std::vector<slot> scratch;  ///< children of the structs that are being read, innermost last
  byte_view source;
  const schema_image* image = nullptr;
  slot root;
  std::uint32_t root_type = image::none;
  protocol_id protocol = {};
  document_options options;
  std::uint32_t generation = 0;  ///< counts loads: handles of an earlier one are stale
  std::uint64_t seed = 0;        ///< of the key indices

  /// Another message.
  void set_source(byte_view bytes, const document_options& how) noexcept {
    source = bytes;
    options = how;
    max_used_ = how.limits.max_objects(bytes.size());
  }
  /// Forgets the message, keeps the memory.
  void reset() noexcept {
    memory.reset();
    scratch.clear();
    used_ = 0;
    root = {};
    ++generation;
  }

  /// False if the document's memory would exceed its bound: limits.max_objects() of the source.
  [[nodiscard]] THRIFTLENS_INLINE bool charge(std::uint64_t bytes) noexcept {
    used_ += bytes;
    return used_ <=
           (options.limits.output_size != limits::automatic ? options.limits.output_size : max_used_);
  }
  /// The same for what the caller adds, which an automatic bound leaves to him.
  [[nodiscard]] bool charge_given(std::uint64_t bytes) noexcept {
    max_used_ += bytes;
    return charge(bytes);
  }
  [[nodiscard]] slot* make_slots(std::size_t count) {
    return count == 0 ? nullptr : static_cast<slot*>(memory.allocate(count * sizeof(slot), alignof(slot)));
  }
  [[nodiscard]] level* make_level() { return memory.make<level>(); }
  /// That of a value of the level `parent` (null: of the root), whose own children may nest so deep.
  [[nodiscard]] level& make_level(level* parent, ttype wire, std::uint32_t type, std::uint32_t depth_left) {
    level& made = *make_level();
    made.parent = parent;
    made.wire = wire;
    made.type = type;
    made.depth_left = static_cast<std::uint16_t>(depth_left);
    made.frozen = parent != nullptr && parent->frozen;
    return made;
  }

  /// Capacity for `count` more slots at the end of a level. Amortised O(count).
  void grow(level& in, std::uint32_t count);

  /// What the IDL says of a struct of that type (image::none: nothing), or null.
  [[nodiscard]] const image::struct_node* structure(std::uint32_t type) const noexcept {
    return type == image::none ? nullptr : &image->structs[image->types[type].first];
  }
  /// What elements, keys and values of a container of that type are; none where the IDL does not say.
  [[nodiscard]] image::type_node contents(std::uint32_t type) const noexcept {
    return type == image::none ? image::type_node() : image->types[type];
  }
  /// The wire type that the IDL says, or `otherwise`.
  [[nodiscard]] ttype wire_of(std::uint32_t type, ttype otherwise) const noexcept {
    return type == image::none ? otherwise : image->types[type].wire;
  }
  /// How deep values in a level (null: the root) may nest.
  [[nodiscard]] std::uint32_t depth_left(const level* in) const noexcept {
    return in == nullptr ? options.limits.depth : in->depth_left;
  }
  [[nodiscard]] std::span<const image::field_node> fields(const image::struct_node& in) const noexcept {
    return {image->fields.data() + in.fields.begin, in.fields.size};
  }
  /// What the IDL says of a field of a struct (null: nothing), or null.
  [[nodiscard]] const image::field_node* field(const image::struct_node* in, std::int16_t id) const noexcept {
    if (in == nullptr) return nullptr;
    const std::uint32_t at = image->find_field(*in, id);
    return at == image::none ? nullptr : &image->fields[at];
  }
  /// The first required field that is not among the slots of a struct, or null. Cold: O(required * slots).
  [[nodiscard]] const image::field_node* missing_field(const image::struct_node& in,
                                                       std::span<const slot> items) const noexcept;

  /// Marks a level and all above it as changed.
  static void touch(level* in) noexcept {
    for (; in != nullptr && !in->changed; in = in->parent) in->changed = true;
  }

  /// True once for each id until forget(); for fields that are out of order.
  [[nodiscard]] bool first_time(std::int16_t id) { return seen_.add(id); }
  void forget(std::span<const slot> fields) noexcept {
    for (const slot& each : fields) seen_.clear_near(each.id);
  }

  /// What went wrong last, for the handles that asked.
  error failure;
  std::uint32_t failures = 0;

 private:
  std::uint64_t used_ = 0;
  std::uint64_t max_used_ = limits().max_objects(0);  // where output_size is automatic
  id_bits seen_;
};

}  // namespace detail::dom
}  // namespace thriftlens::inline THRIFTLENS_ABI

#if !defined(THRIFTLENS_COMPILED)
#include <thriftlens/dom/tree.ipp>
#endif
