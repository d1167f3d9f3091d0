// key_predictor: predicts the next key of a JSON object, to match it with one comparison. A key that it does
// not find may still be valid in another spelling.
#pragma once

#include <thriftlens/core/hash.hpp>
#include <thriftlens/json/options.hpp>
#include <thriftlens/json/read/text_source.hpp>
#include <thriftlens/schema/image.hpp>

#include <array>
#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Learns the order of keys in a text.
class key_predictor {
 public:
  key_predictor(const schema_image& image, json_names names) noexcept : image_(image), names_(names) {}

  /// The keys of one object while its members are read, with the comma before them.
  struct object_keys {
    const image::struct_node& node;
    const image::field_text* texts;
    const char* text;
    image::slice image::field_text::*key;
    std::uint32_t begin, size;
    std::uint32_t field;  ///< the field whose key is expected next, or was found last
    std::uint32_t last;   ///< the field before it
  };
  [[nodiscard]] THRIFTLENS_INLINE object_keys keys_of(const image::struct_node& node) const noexcept {
    const bool aliases = names_ == json_names::alias;
    const std::uint32_t previous = node.fields.begin - 1;
    return {node,
            image_.field_texts.data(),
            image_.text.data(),
            aliases ? &image::field_text::json_alias : &image::field_text::json_name,
            node.fields.begin,
            node.fields.size,
            previous,
            previous};
  }

  /// Predicts the key after that of `keys.field`, or the first key: the one that followed last time.
  THRIFTLENS_INLINE void expect_next(object_keys& keys) noexcept {
    keys.last = keys.field;
    keys.field += 1 + static_cast<std::uint32_t>(std::int32_t{detour(keys.last)});
  }
  /// Takes the expected key with its colon and the comma before it. False for another key or blanks.
  [[nodiscard]] THRIFTLENS_INLINE bool take_expected(text_source& in, const std::uint8_t*& at,
                                                     const object_keys& keys) const noexcept {
    return is_expected(keys) && take(in, at, keys, keys.field, 0);
  }
  /// Takes the key of any field and its colon; the comma was taken before. False for keys of more than 16
  /// bytes, with escapes, or with blanks before the colon.
  [[nodiscard]] THRIFTLENS_INLINE bool take_any(text_source& in, const std::uint8_t*& at,
                                                object_keys& keys) noexcept {
    return (is_expected(keys) && take(in, at, keys, keys.field, 1)) || take_other(in, at, keys);
  }
  /// Like take_any for a key that is not the expected one.
  [[nodiscard]] THRIFTLENS_INLINE bool take_other(text_source& in, const std::uint8_t*& at,
                                                  object_keys& keys) noexcept {
    if (names_ == json_names::both || in.remaining(at) < 32) return false;
    const std::uint8_t* name = at + 1;
    const auto size = static_cast<std::size_t>(simd::find_json_special(name, name + 16) - name);
    if (size - 1 > 15 || name[size] != '"') return false;
    const bool by_alias = names_ == json_names::alias && keys.node.has_aliases;
    const image::name_table& table = by_alias ? keys.node.aliases : keys.node.names;
    const std::uint32_t field =
        image_.find_hashed(table, hash_short_text(name, size, table.seed),
                           [&](std::uint32_t candidate) { return take(in, at, keys, candidate, 1); });
    if (field == image::none) return false;
    detour(keys.last) = static_cast<std::int8_t>(field - keys.last - 1);  // one too far is a wrong guess
    keys.field = field;
    return true;
  }
  /// The field of that key, or image::none.
  [[nodiscard]] std::uint32_t find(const image::struct_node& node, std::string_view key) const noexcept {
    if (names_ == json_names::alias) return image_.find_alias(node, key);
    const std::uint32_t field = image_.find_field(node, key);
    return field == image::none && names_ == json_names::both ? image_.find_alias(node, key) : field;
  }

 private:
  // Writers use one order of keys, if not that of the IDL. Stored as the distance from the next field of the
  // IDL, which is the first prediction; fields that share an entry are predicted less well.
  [[nodiscard]] THRIFTLENS_INLINE std::int8_t& detour(std::uint32_t field) noexcept {
    return detours_[field % detours_.size()];
  }
  [[nodiscard]] THRIFTLENS_INLINE static bool is_expected(const object_keys& keys) noexcept {
    return keys.field - keys.begin < keys.size;
  }
  // `skip`: 1 where the comma was passed before.
  [[nodiscard]] THRIFTLENS_INLINE static bool take(text_source& in, const std::uint8_t*& at,
                                                   const object_keys& keys, std::uint32_t field,
                                                   std::uint32_t skip) noexcept {
    const image::slice key = keys.texts[field].*keys.key;
    return in.take_key(at, keys.text + key.begin + skip, key.size - skip);
  }

  const schema_image& image_;
  json_names names_;
  std::array<std::int8_t, 64> detours_{};
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
