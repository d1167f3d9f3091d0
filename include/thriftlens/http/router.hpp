// router: maps paths of requests to targets, by patterns with :name and *rest. Does not normalize paths: dot
// segments, encoded slashes and empty segments keep their meaning.
#pragma once

#include <thriftlens/core/joined.hpp>
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

/// Result of a lookup.
struct http_match {
  bool is_match = false;
  std::uint32_t target = 0;
  std::vector<http_response::pair> params;  ///< decoded
  std::vector<std::string> allowed;         ///< verbs of the path if only the verb does not match
};

/// Patterns of Hertz: `/users/:id` takes one non-empty segment, `/files/*rest` the rest of the path, which
/// may be empty. If several patterns match, the first segment in which they differ decides: fixed text wins
/// over :name, :name over *rest.
///
/// Segments are decoded before they are compared: `%2F` is a slash inside a segment, not a separator. Paths
/// with
/// `.` or `..` (also encoded) or NUL match no pattern: the router does not guess what a proxy would have
/// resolved. Only `*rest` matches empty segments (`//`). A trailing slash counts.
class http_router {
 public:
  /// Errors: path_syntax for a malformed pattern; already_there for one that matches the paths of another.
  [[nodiscard]] result<void> try_add(std::string_view method, std::string_view pattern,
                                     std::uint32_t target) {
    route added{std::string(method), {}, target};
    if (result<void> split = split_pattern(pattern, added.segments); !split) return split;
    for (const route& known : routes_)
      if (known.method == added.method && is_same_path(known, added))
        return error(errc::already_there,
                     detail::joined({added.method, ' ', pattern, " matches the same paths as ", added.method,
                                     ' ', pattern_of(known)}));
    routes_.push_back(std::move(added));
    std::ranges::stable_sort(routes_, [](const route& lhs, const route& rhs) {
      return std::ranges::lexicographical_compare(lhs.segments, rhs.segments, {}, &segment::kind,
                                                  &segment::kind);
    });
    return {};
  }
  /// The route that matches an encoded path without its query. Linear in the routes and in the path.
  [[nodiscard]] http_match find(std::string_view method, std::string_view path) const {
    http_match match;
    std::vector<std::string> segments;
    if (!split_path(path, segments)) return match;
    for (const route& candidate : routes_) {
      std::vector<http_response::pair> params;
      if (!fits(candidate, segments, params)) continue;
      if (candidate.method != method && candidate.method != "*") {
        if (std::ranges::find(match.allowed, candidate.method) == match.allowed.end())
          match.allowed.push_back(candidate.method);
        continue;
      }
      return {true, candidate.target, std::move(params), {}};
    }
    return match;
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

  [[nodiscard]] static result<void> split_pattern(std::string_view pattern, std::vector<segment>& segments) {
    if (!pattern.starts_with('/')) return error(errc::path_syntax, "a route must begin with a slash");
    while (!pattern.empty()) {
      segments.push_back(segment_of(take_segment(pattern)));
      if (result<void> valid = check_segment(segments.back(), pattern.empty()); !valid) return valid;
    }
    return {};
  }
  [[nodiscard]] static result<void> check_segment(const segment& of, bool is_last) {
    if (of.kind != segment_kind::fixed && of.text.empty())
      return error(errc::path_syntax, "a parameter of the route has no name");
    if (of.kind == segment_kind::rest && !is_last)
      return error(errc::path_syntax, "nothing may follow *name in a route");
    return {};
  }
  // Removes the first segment of `path` and returns it.
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
    for (const segment& part : of.segments) {
      text += '/';
      if (part.kind != segment_kind::fixed) text += part.kind == segment_kind::name ? ':' : '*';
      text += part.text;
    }
    return text;
  }
  [[nodiscard]] static bool is_same_path(const route& lhs, const route& rhs) {
    return std::ranges::equal(lhs.segments, rhs.segments, [](const segment& a, const segment& b) {
      return a.kind == b.kind && (a.kind != segment_kind::fixed || a.text == b.text);
    });
  }
  // False for a path that matches no pattern.
  [[nodiscard]] static bool split_path(std::string_view path, std::vector<std::string>& segments) {
    if (!path.starts_with('/')) return false;
    while (!path.empty()) {
      std::string segment;
      if (!detail::append_decoded(take_segment(path), false, segment)) return false;
      if (segment == "." || segment == ".." || segment.find('\0') != std::string::npos) return false;
      segments.push_back(std::move(segment));
    }
    return true;
  }
  [[nodiscard]] static bool fits(const route& of, const std::vector<std::string>& path,
                                 std::vector<http_response::pair>& params) {
    for (std::size_t i = 0; i < of.segments.size(); ++i) {
      const segment& part = of.segments[i];
      if (part.kind == segment_kind::rest) return take_rest(part, path, i, params);
      if (i >= path.size()) return false;
      if (part.kind == segment_kind::fixed && part.text != path[i]) return false;
      if (part.kind == segment_kind::name && path[i].empty()) return false;
      if (part.kind == segment_kind::name) params.push_back({part.text, path[i]});
    }
    return path.size() == of.segments.size();
  }
  // Refuses encoded slashes: they would look like separators in the joined text.
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
