// Parses a text recursively and writes it again; only what a style changes is different.
#include "json_styles.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <random>
#include <utility>

namespace bench {
namespace {

class restyler {
 public:
  restyler(std::string_view style, std::string_view json) : style_(style), rest_(json) {}

  std::string value(std::size_t level) {
    if (rest_.front() == '{') return nested(level, '}');
    if (rest_.front() == '[') return nested(level, ']');
    if (rest_.front() == '"') return string();
    return std::string(take(rest_.find_first_of(",]}")));
  }

 private:
  std::string_view take(std::size_t size) {
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(taken.size());
    return taken;
  }
  // Members of an object, or elements.
  std::string nested(std::size_t level, char close) {
    std::vector<std::pair<std::string, std::string>> members;
    std::string out(take(1));
    while (rest_.front() != close) {
      if (rest_.front() == ',') take(1);
      std::string key;
      if (close == '}') {
        key = string();
        take(1);
      }
      members.emplace_back(std::move(key), value(level + 1));
    }
    take(1);
    if (close == '}') reorder(members);
    for (std::size_t i = 0; i < members.size(); ++i) {
      out += i == 0 ? "" : style_ == "dumps" || style_ == "spaces" ? ", " : ",";
      new_line(out, level + 1);
      if (close == '}') out += members[i].first + (has_blanks() ? ": " : ":");
      out += members[i].second;
    }
    if (!members.empty()) new_line(out, level);
    return out + close;
  }
  void reorder(std::vector<std::pair<std::string, std::string>>& members) {
    if (style_ == "sorted") std::sort(members.begin(), members.end());
    if (style_ == "shuffled") std::shuffle(members.begin(), members.end(), dice_);
  }
  [[nodiscard]] bool has_blanks() const {
    return style_ == "dumps" || style_ == "spaces" || style_ == "indented";
  }
  void new_line(std::string& out, std::size_t level) const {
    if (style_ == "indented") out += '\n' + std::string(2 * level, ' ');
  }
  std::string string() {
    std::size_t end = 1;
    while (rest_[end] != '"') end += rest_[end] == '\\' ? std::size_t{2} : std::size_t{1};
    const std::string_view plain = take(end + 1);
    if (style_ == "sonic") return with_letters_by_number(plain);
    return style_ == "dumps" ? with_ascii(plain) : std::string(plain);
  }
  static std::string with_letters_by_number(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
      const bool escape = text[i] == '\\';
      if (escape && (text[i + 1] == 'b' || text[i + 1] == 'f'))
        out += text[++i] == 'b' ? "\\u0008" : "\\u000c";
      else if (escape)
        out += text.substr(i++, 2);
      else
        out += text[i];
    }
    return out;
  }
  static std::string with_ascii(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size();) {
      const auto lead = static_cast<unsigned char>(text[i]);
      if (lead < 0x80) {
        out += text[i++];
        continue;
      }
      const std::size_t size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
      std::uint32_t point = lead & (0xffu >> (size + 1));
      for (std::size_t n = 1; n < size; ++n)
        point = point << 6 | (static_cast<unsigned char>(text[i + n]) & 63u);
      i += size;
      if (point >= 0x10000) {
        put_unit(out, 0xd800 + ((point - 0x10000) >> 10));
        point = 0xdc00 + ((point - 0x10000) & 0x3ff);
      }
      put_unit(out, point);
    }
    return out;
  }
  static void put_unit(std::string& out, std::uint32_t unit) {
    char digits[16];
    std::snprintf(digits, sizeof digits, "\\u%04x", unit);
    out += digits;
  }

  std::string_view style_, rest_;
  std::mt19937 dice_{1};
};

}  // namespace

const std::vector<std::string>& json_styles() {
  static const std::vector<std::string> styles = {"sonic",    "dumps",  "spaces",
                                                  "indented", "sorted", "shuffled"};
  return styles;
}

std::string in_style(std::string_view style, std::string_view json) { return restyler(style, json).value(0); }

}  // namespace bench
