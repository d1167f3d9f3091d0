// range: the fields, elements or entries of a value, for range-based for. Never allocates; reads every byte
// once however many children are visited.
#pragma once

#include <thriftlens/core/error.hpp>
#include <thriftlens/core/joined.hpp>
#include <thriftlens/schema/type.hpp>
#include <thriftlens/view/children.hpp>
#include <thriftlens/view/fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Behavior of a range at broken bytes: throw, or end and set code().
enum class at_fault : unsigned char { raises, ends };

/// A field on the wire.
template <protocol P>
struct field_item {
  std::int16_t id = 0;
  field_info info;  ///< false if the IDL does not know the field
  view<P> value;

  /// The field's name; empty if the IDL does not know it.
  [[nodiscard]] std::string_view name() const noexcept { return info ? info.name() : std::string_view(); }
};

/// An entry of a map.
template <protocol P>
struct entry_item {
  view<P> key;
  view<P> value;
};

/// A single-pass range over children; begin() may be called once. code() is set after the loop.
template <protocol P, class Item>
class child_range {
 public:
  class iterator {
   public:
    using value_type = Item;
    using difference_type = std::ptrdiff_t;
    using iterator_concept = std::input_iterator_tag;

    iterator() = default;
    explicit iterator(const child_range* range) : range_(range) { ++*this; }
    /// Asserts at the end; in release builds returns an absent item.
    [[nodiscard]] Item operator*() const {
      THRIFTLENS_ASSERT(range_ != nullptr);
      return range_ != nullptr ? range_->item() : Item{};
    }
    /// Asserts at the end; in release builds has no effect.
    iterator& operator++() {
      THRIFTLENS_ASSERT(range_ != nullptr);
      if (range_ != nullptr && !range_->next()) range_ = nullptr;
      return *this;
    }
    void operator++(int) { ++*this; }
    friend bool operator==(const iterator& at, std::default_sentinel_t) noexcept {
      return at.range_ == nullptr;
    }

   private:
    const child_range* range_ = nullptr;
  };

  /// The children of `of`; `opens`: its wire type is right (lists and sets are interchangeable).
  child_range(const view<P>& of, bool opens, at_fault policy) noexcept
      : of_(of),
        children_(opens && of.code() == errc::ok ? children<P>(of.whole(), of.image(), of.location())
                                                 : children<P>()),
        policy_(policy),
        code_(of.code() != errc::ok ? of.code()
              : opens               ? errc::ok
                                    : errc::wrong_type) {}

  [[nodiscard]] iterator begin() const& THRIFTLENS_LIFETIMEBOUND { return iterator(this); }
  void begin() const&& = delete;
  [[nodiscard]] std::default_sentinel_t end() const noexcept { return {}; }

  /// ok, or the reason why the range ended early.
  [[nodiscard]] errc code() const noexcept { return code_; }
  /// The error with message, path and offset. Cold.
  [[nodiscard]] THRIFTLENS_COLD class error error() const {
    if (code_ == errc::ok || of_.code() != errc::ok) return of_.error();
    if (children_.code() != errc::ok) return of_.broken(children_).error();
    return of_.value_error(
        code_, detail::joined({"the value is ", of_.described(), ", which has no ", item_noun()}));
  }

 private:
  [[nodiscard]] static const char* item_noun() noexcept {
    if (std::is_same_v<Item, field_item<P>>) return "fields";
    return std::is_same_v<Item, entry_item<P>> ? "entries" : "elements";
  }
  [[nodiscard]] bool next() const {
    if (code_ == errc::ok) {
      if (children_.next()) [[likely]]
        return true;
      if (children_.code() == errc::ok) return false;
      code_ = children_.code();
    }
    if (policy_ == at_fault::raises) detail::raise(error());
    return false;
  }
  [[nodiscard]] Item item() const {
    if constexpr (std::is_same_v<Item, field_item<P>>) {
      const view<P> value = of_.child(children_.value(), children_.field());
      return {children_.id(), value.field_info(), value};
    } else if constexpr (std::is_same_v<Item, entry_item<P>>) {
      return {of_.child(children_.key()), of_.child(children_.value())};
    } else {
      return of_.child(children_.value());
    }
  }

  view<P> of_;
  mutable children<P> children_;  // the iterator's state: one pass
  at_fault policy_;
  mutable errc code_;
};

template <protocol P>
class field_range : public child_range<P, field_item<P>> {
 public:
  using child_range<P, field_item<P>>::child_range;
};
template <protocol P>
class element_range : public child_range<P, view<P>> {
 public:
  using child_range<P, view<P>>::child_range;
};
template <protocol P>
class entry_range : public child_range<P, entry_item<P>> {
 public:
  using child_range<P, entry_item<P>>::child_range;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI
