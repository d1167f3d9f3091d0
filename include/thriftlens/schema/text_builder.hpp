// text_builder: adds names, docs and annotations of the IDL to an image.
#pragma once

#include <thriftlens/core/quote.hpp>
#include <thriftlens/idl/program.hpp>
#include <thriftlens/schema/image.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// The number of elements of a container in 32 bits, as the image counts.
[[nodiscard]] std::uint32_t count(const auto& of) noexcept { return static_cast<std::uint32_t>(of.size()); }
/// A slice of the next elements of a pool, of the size of `from`.
[[nodiscard]] image::slice slice_for(const auto& pool, const auto& from) noexcept {
  return {count(pool), count(from)};
}

/// Texts that all declarations have.
struct declared_texts {
  image::slice name, doc, annotations;
};

/// Borrows the image.
class text_builder {
 public:
  explicit text_builder(schema_image& into) noexcept : into_(into) {}

  THRIFTLENS_NOINLINE image::slice text(std::string_view from) {
    const image::slice part = slice_for(into_.text, from);
    into_.text += from;
    return from.empty() ? image::slice{} : part;
  }
  /// Stores `prefix"name"suffix` for JSON; the plain name is a part of it unless it needs escapes.
  THRIFTLENS_NOINLINE image::slice quoted(std::string_view name, std::string_view prefix,
                                          std::string_view suffix, image::slice& plain) {
    const std::size_t begin = into_.text.size();
    into_.text += prefix;
    append_quoted(into_.text, name);
    const bool verbatim = into_.text.size() - begin == prefix.size() + name.size() + 2;
    into_.text += suffix;
    const image::slice full_text{static_cast<std::uint32_t>(begin),
                                 static_cast<std::uint32_t>(into_.text.size() - begin)};
    plain = verbatim ? image::slice{full_text.begin + count(prefix) + 1, count(name)} : text(name);
    return full_text;
  }

  THRIFTLENS_NOINLINE void add_annotations(std::span<const idl::annotation> from) {
    for (const idl::annotation& entry : from)
      into_.annotations.push_back({text(entry.key), text(entry.value)});
  }
  THRIFTLENS_NOINLINE image::slice annotations(std::span<const idl::annotation> from) {
    if (from.empty()) return {};
    const image::slice part = slice_for(into_.annotations, from);
    add_annotations(from);
    return part;
  }
  [[nodiscard]] THRIFTLENS_NOINLINE declared_texts add(std::string_view name, std::string_view doc,
                                                       std::span<const idl::annotation> from) {
    const image::slice name_text = text(name), doc_text = text(doc);
    return {name_text, doc_text, annotations(from)};
  }

 private:
  schema_image& into_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
