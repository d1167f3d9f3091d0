// router: paths of requests to what answers them, by patterns with :name and *rest. Never lets a path
// stand for another: no dot segment, no encoded slash, no empty segment is passed over.
#pragma once

#include <thriftlens/core/result.hpp>
#include <thriftlens/http/message.hpp>
#include <thriftlens/http/url_text.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI {

/// What a path leads to.
struct http_match {
  bool is_found = false;
  std::uint32_t target = 0;
  std::vector<http_response::pair> params;  ///< decoded
  std::vector<std::string> allowed;         ///< verbs of that path, where only the verb does not fit
};

/// Patterns as Hertz has them: `/users/:id` takes one segment that is not empty, `/files/*rest` all that
/// follows, slashes too, at least nothing. Of several patterns that fit, the one counts whose first different
/// segment is a fixed text; a fixed text before :name, :name before *rest.
///
/// Paths are compared segment by segment after each was decoded: `%2F` is a slash inside a segment, never one
/// between two. `.` and `..`, as they are or encoded, and NUL fit no pattern at all: what a proxy would have
/// resolved is not guessed. Empty segments (`//`) are segments that only `*rest` takes. A slash at the end
/// counts.
class http_router {
 public:
  /// Errors: path_syntax for what is no pattern; already_there for one that takes the same paths as another.
  [[nodiscard]] result<void> try_add(std::string_view method, std::string_view pattern,
                                     std::uint32_t target) {
    route made{std::string(method), {}, target};
    if (result<void> good = split_pattern(pattern, made.segments); !good) return good;
    for (const route& each : routes_)
      if (each.method == made.method && is_same_path(each, made))
        return error(errc::already_there, made.method + ' ' + std::string(pattern) + " takes the paths of " +
                                              made.method + ' ' + pattern_of(each));
    routes_.push_back(std::move(made));
    std::ranges::stable_sort(routes_, [](const route& left, const route& right) {
      return std::ranges::lexicographical_compare(left.segments, right.segments, {}, &segment::kind,
                                                  &segment::kind);
    });
    return {};
  }
  /// The routes that fit a path, still encoded, without its query. Linear in routes and in the path.
  [[nodiscard]] http_match find(std::string_view method, std::string_view path) const {
    http_match found;
    std::vector<std::string> segments;
    if (!split_path(path, segments)) return found;
    for (const route& each : routes_) {
      std::vector<http_response::pair> params;
      if (!fits(each, segments, params)) continue;
      if (each.method != method && each.method != "*") {
        if (std::ranges::find(found.allowed, each.method) == found.allowed.end())
          found.allowed.push_back(each.method);
        continue;
      }
      return {true, each.target, std::move(params), {}};
    }
    return found;
  }

 private:
  enum class segment_kind : std::uint8_t { fixed, name, rest };
  struct segment {
    segment_kind kind = segment_kind::fixed;
    std::string text;
  };
  struct route {
    std::string method;
    std::vector<segment> segments;
    std::uint32_t target = 0;
  };

  [[nodiscard]] static result<void> split_pattern(std::string_view pattern, std::vector<segment>& made) {
    if (!pattern.starts_with('/')) return error(errc::path_syntax, "a route begins with a slash");
    while (!pattern.empty()) {
      made.push_back(segment_of(take_segment(pattern)));
      const segment& last = made.back();
      if (last.kind != segment_kind::fixed && last.text.empty())
        return error(errc::path_syntax, "a parameter of a route has no name");
      if (last.kind == segment_kind::rest && !pattern.empty())
        return error(errc::path_syntax, "nothing may follow *name in a route");
    }
    return {};
  }
  // The text between a slash and the next one, which is left in `path`.
  [[nodiscard]] static std::string_view take_segment(std::string_view& path) noexcept {
    const std::size_t end = path.find('/', 1);
    const std::string_view text = path.substr(1, end == std::string_view::npos ? end : end - 1);
    path = end == std::string_view::npos ? std::string_view() : path.substr(end);
    return text;
  }
  [[nodiscard]] static segment segment_of(std::string_view text) {
    if (text.starts_with(':')) return {segment_kind::name, std::string(text.substr(1))};
    if (text.starts_with('*')) return {segment_kind::rest, std::string(text.substr(1))};
    return {segment_kind::fixed, std::string(text)};
  }
  [[nodiscard]] static std::string pattern_of(const route& of) {
    std::string text;
    for (const segment& each : of.segments) {
      text += '/';
      if (each.kind != segment_kind::fixed) text += each.kind == segment_kind::name ? ':' : '*';
      text += each.text;
    }
    return text;
  }
  [[nodiscard]] static bool is_same_path(const route& left, const route& right) {
    return std::ranges::equal(left.segments, right.segments, [](const segment& a, const segment& b) {
      return a.kind == b.kind && (a.kind != segment_kind::fixed || a.text == b.text);
    });
  }
  // False for a path that stands for none.
  [[nodiscard]] static bool split_path(std::string_view path, std::vector<std::string>& segments) {
    if (!path.starts_with('/')) return false;
    while (!path.empty()) {
      std::string made;
      if (!detail::append_decoded(take_segment(path), false, made)) return false;
      if (made == "." || made == ".." || made.find('\0') != std::string::npos) return false;
      segments.push_back(std::move(made));
    }
    return true;
  }
  [[nodiscard]] static bool fits(const route& of, const std::vector<std::string>& path,
                                 std::vector<http_response::pair>& params) {
    for (std::size_t i = 0; i < of.segments.size(); ++i) {
      const segment& each = of.segments[i];
      if (each.kind == segment_kind::rest) return take_rest(each, path, i, params);
      if (i >= path.size()) return false;
      if (each.kind == segment_kind::fixed && each.text != path[i]) return false;
      if (each.kind == segment_kind::name && path[i].empty()) return false;
      if (each.kind == segment_kind::name) params.push_back({each.text, path[i]});
    }
    return path.size() == of.segments.size();
  }
  // An encoded slash inside what is left would be taken for one between segments.
  [[nodiscard]] static bool take_rest(const segment& of, const std::vector<std::string>& path,
                                      std::size_t from, std::vector<http_response::pair>& params) {
    if (from >= path.size()) return false;
    std::string text;
    for (std::size_t i = from; i < path.size(); ++i) {
      if (path[i].find('/') != std::string::npos) return false;
      if (i != from) text += '/';
      text += path[i];
    }
    params.push_back({of.text, std::move(text)});
    return true;
  }

  std::vector<route> routes_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI
