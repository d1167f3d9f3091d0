// infer: a draft of the IDL that bytes were written by.
#pragma once

#include <thriftlens/core/byte_view.hpp>
#include <thriftlens/core/limits.hpp>
#include <thriftlens/core/result.hpp>
#include <thriftlens/protocol/concept.hpp>
#include <thriftlens/protocol/ttype.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI {

struct infer_options {
  thriftlens::limits limits = {};  ///< `depth` counts
  std::size_t places = 100'000;    ///< maximum number of distinct fields, elements, keys and values
  std::size_t enum_members = 16;   ///< an i32 with no more distinct small values is taken for an enum …
  std::size_t enum_samples = 8;    ///< … if it was seen at least that often
};

/// Learns from samples, one after another.
///
///     tl::inference draft;
///     for (const tl::record& sample : tl::records(bytes)) draft.add<tl::binary>(sample.bytes);
///     std::cout << draft.idl("Order");
class inference {
 public:
  explicit inference(const infer_options& options = {}) : options_(options), seen_(1) {}

  /// Adds one struct. O(bytes). Errors: those of the bytes, if they are not a struct (nothing is added);
  /// size_limit, if there are more fields than the options allow (the fields before are added).
  template <protocol P>
  [[nodiscard]] result<void> try_add(byte_view bytes);
  template <protocol P>
  void add(byte_view bytes) {
    try_add<P>(bytes).value();
  }
  /// Samples so far.
  [[nodiscard]] std::uint64_t count() const noexcept { return seen_.empty() ? 0 : seen_[0].count; }

  /// The draft; `name` is the root's, other structs are called after the fields that hold them. Fields that
  /// were in every struct of their kind are plain, the others optional. A field that had two wire types has
  /// the more frequent one, and a comment. The element type of a container that was always empty is that of
  /// its header; string where the protocol does not write it (maps of Compact). A struct that has no other
  /// fields than one of the 16 structs around it is taken for the same type. O(fields seen).
  [[nodiscard]] std::string idl(std::string_view name = "Record") const;

 private:
  struct field {
    std::int16_t id = 0;
    std::uint64_t count = 0;                ///< structs that had it
    std::vector<std::uint32_t> stats = {};  ///< indices in seen_, one for each wire type that it had
  };
  /// Statistics of the values of one field in all structs, or of all elements of a list.
  struct value_stats {
    ttype wire = ttype::struct_;
    bool is_text = true;     ///< all strings were UTF-8
    bool is_small = true;    ///< all numbers could be an enum's
    bool has_other = false;  ///< elements of several wire types
    std::uint64_t count = 0;
    std::uint32_t first = 0;                 ///< of elements or keys; 0: unknown
    std::uint32_t second = 0;                ///< of a map's values
    std::vector<std::int32_t> numbers = {};  ///< different ones, while they may be an enum's
  };
  template <protocol P>
  friend class infer_walk;
  class draft;

  [[nodiscard]] std::uint32_t make(ttype wire);
  /// Of the wire type that the field had most often.
  [[nodiscard]] std::uint32_t stats_of(const field& of) const noexcept;
  void note_number(value_stats& of, std::int64_t number) const;
  /// Order of fields: by index of the struct in seen_, then by id.
  [[nodiscard]] static std::uint64_t key_of(std::uint32_t at, std::int16_t id) noexcept {
    return std::uint64_t{at} << 16 | (static_cast<std::uint16_t>(id) ^ 0x8000u);
  }

  infer_options options_;
  std::vector<value_stats> seen_;          // [0]: the root
  std::map<std::uint64_t, field> fields_;  // by key_of()
  bool is_full_ = false;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI

#if !defined(THRIFTLENS_COMPILED)
#include <thriftlens/compare/infer.ipp>
#endif
