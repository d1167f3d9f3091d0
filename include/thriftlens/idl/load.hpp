// load: a root and everything it includes, found, parsed and resolved.
// In: a file name or a text, options. Out: a program_set, or one error with the findings of all files.
// Never reads a file twice: files are known by their real path.
#pragma once

#include <thriftlens/core/hash.hpp>
#include <thriftlens/core/result.hpp>
#include <thriftlens/idl/parser.hpp>
#include <thriftlens/idl/resolve.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <utility>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::idl {

namespace detail {

/// One load. Lives as long as the call.
class loader {
 public:
  explicit loader(const load_options& options) : options_(options), findings_(options.limits.errors) {}

  [[nodiscard]] result<program_set> load_file(const std::string& file) {
    std::optional<std::uint32_t> root = open_file(file);
    if (!root) root = open_stream(file);
    if (!root) return error(errc::io, "cannot read '" + file + '\'');
    return finish();
  }
  [[nodiscard]] result<program_set> load_text(std::string_view text, std::string_view name) {
    add(std::string(name), std::string(name), std::string(text), std::nullopt);
    return finish();
  }

 private:
  /// Where a program came from: the folder its includes are looked up in first; nothing for text from memory.
  using folder = std::optional<std::filesystem::path>;

  [[nodiscard]] result<program_set> finish() {
    for (std::uint32_t i = 0; i < set_.programs.size(); ++i) {
      if (!fits(i)) continue;
      skipped_[i] = parser(set_.programs[i], i, options_, set_.memory, findings_).parse();
      for (include& each : set_.programs[i].includes) link(i, each);
    }
    check_includes();
    resolve(set_, skipped_, options_, findings_);
    return finish_findings();
  }
  [[nodiscard]] result<program_set> finish_findings() {
    std::vector<diagnostic> all = findings_.diagnostics(set_.programs);
    if (findings_.failed()) return error(std::move(all));
    set_.warnings = std::move(all);
    return std::move(set_);
  }
  /// A program of the given identity, to be parsed when its turn comes.
  std::uint32_t add(std::string key, std::string file, std::string text, folder from) {
    const auto index = static_cast<std::uint32_t>(set_.programs.size());
    total_size_ += text.size();
    set_.sources.push_back(std::make_unique<std::string>(std::move(text)));
    program& to = set_.programs.emplace_back();
    to.name = without_brackets(program_name(file));
    to.file = std::move(file);
    to.key = std::move(key);
    to.source = *set_.sources.back();
    keys_.emplace(to.key, index);
    folders_.push_back(std::move(from));
    skipped_.push_back(skipped_names::all());
    return index;
  }
  /// "text" of "<text>".
  [[nodiscard]] static std::string_view without_brackets(std::string_view name) noexcept {
    const bool has_brackets = name.size() > 2 && name.front() == '<' && name.back() == '>';
    return has_brackets ? name.substr(1, name.size() - 2) : name;
  }
  [[nodiscard]] bool fits(std::uint32_t index) {
    const idl_limits& bounds = options_.limits;
    if (set_.programs[index].source.size() > bounds.source_size) {
      findings_.error("size-limit", index, {1, 1},
                      "the file is larger than " + std::to_string(bounds.source_size) + " bytes");
      return false;
    }
    return true;
  }

  // ---- includes

  void link(std::uint32_t from, include& each) {
    std::optional<std::uint32_t> found = find(from, each.path, each.where);
    if (found) each.program = *found;
  }
  /// No more files are read; that is reported once.
  [[nodiscard]] bool is_full(std::uint32_t from, position where) {
    const idl_limits& bounds = options_.limits;
    if (set_.programs.size() < bounds.files && total_size_ <= bounds.total_size) return false;
    if (!std::exchange(full_, true))
      findings_.error("size-limit", from, where, "too many files, or too large ones, are included");
    return true;
  }
  [[nodiscard]] std::optional<std::uint32_t> find(std::uint32_t from, std::string_view path, position where) {
    if (is_full(from, where)) return std::nullopt;
    if (auto found = find_in_memory(from, path)) return found;
    if (auto found = ask_loader(from, path)) return found;
    if (!allowed(from, path)) {
      findings_.error("include-refused", from, where,
                      "the include " + in_quotes(path) + " leads out of the folders to be searched");
      return std::nullopt;
    }
    if (auto found = find_on_disk(from, path)) return found;
    findings_.error("include-not-found", from, where,
                    "expected a file to include, found none of the name " + in_quotes(path));
    return std::nullopt;
  }
  /// As written, else relative to the including source.
  [[nodiscard]] std::optional<std::uint32_t> find_in_memory(std::uint32_t from, std::string_view path) {
    if (options_.includes.empty()) return std::nullopt;
    auto source = options_.includes.find(std::string(path));
    if (source == options_.includes.end()) {
      const std::filesystem::path beside =
          std::filesystem::path(set_.programs[from].file).parent_path() / path;
      source = options_.includes.find(beside.lexically_normal().generic_string());
    }
    if (source == options_.includes.end()) return std::nullopt;
    const std::string key = "memory:" + source->first;
    if (auto known = keys_.find(key); known != keys_.end()) return known->second;
    return add(key, source->first, source->second, std::nullopt);
  }
  [[nodiscard]] std::optional<std::uint32_t> ask_loader(std::uint32_t from, std::string_view path) {
    if (!options_.loader) return std::nullopt;
    std::optional<std::string> text = options_.loader(path, set_.programs[from].file);
    if (!text) return std::nullopt;
    // One path may mean two sources to two files: the same source is the same program.
    const std::string hash = std::to_string(hash_text(*text, 0));
    for (std::size_t copy = 0;; ++copy) {
      std::string key = "loader:" + hash + ':' + std::to_string(copy) + ':' + std::string(path);
      auto known = keys_.find(key);
      if (known == keys_.end()) return add(std::move(key), std::string(path), std::move(*text), std::nullopt);
      if (set_.programs[known->second].source == *text) return known->second;
    }
  }
  /// Text from memory reaches no file outside the include directories. A file may name any IDL file, so that
  /// "../base.thrift" works, but nothing else outside: no secret is read and quoted in a message.
  [[nodiscard]] bool allowed(std::uint32_t from, std::string_view path) const {
    const std::filesystem::path written(path);
    const std::filesystem::path plain = written.lexically_normal();
    const bool escapes = written.has_root_path() || (!plain.empty() && *plain.begin() == "..");
    return !escapes || (folders_[from] && written.extension() == ".thrift");
  }
  [[nodiscard]] std::optional<std::uint32_t> find_on_disk(std::uint32_t from, std::string_view path) {
    const std::filesystem::path written(path);
    if (written.is_absolute()) return open_file(written.string());
    if (folders_[from]) {
      if (auto found = open_file((*folders_[from] / written).string())) return found;
    }
    for (const std::string& each : options_.include_dirs) {
      if (auto found = open_file((std::filesystem::path(each) / written).string())) return found;
    }
    return std::nullopt;
  }
  [[nodiscard]] std::optional<std::uint32_t> open_file(const std::string& file) {
    if (auto known = paths_.find(file); known != paths_.end()) return known->second;
    std::error_code failed;
    const std::filesystem::path real = std::filesystem::canonical(file, failed);
    if (failed || !std::filesystem::is_regular_file(real, failed)) return std::nullopt;
    const std::string key = real.string();
    auto known = keys_.find(key);
    std::optional<std::uint32_t> found;
    if (known != keys_.end()) {
      found = known->second;
    } else if (std::optional<std::string> text = read(key)) {
      found = add(key, file, std::move(*text), std::filesystem::path(file).parent_path());
    }
    if (found) paths_.emplace(file, *found);
    return found;
  }
  /// The root may be a pipe or a terminal, as in `describe <(git show HEAD:shop.thrift)`; nothing lies beside
  /// it.
  [[nodiscard]] std::optional<std::uint32_t> open_stream(const std::string& file) {
    std::error_code failed;
    const std::filesystem::file_status status = std::filesystem::status(file, failed);
    if (failed || !(std::filesystem::is_fifo(status) || std::filesystem::is_character_file(status)))
      return std::nullopt;
    constexpr std::size_t piece = 1u << 16;
    std::optional<std::string> text = read_to_end(file, piece);
    if (!text) return std::nullopt;
    return add(file, file, *std::move(text), std::nullopt);
  }
  [[nodiscard]] std::optional<std::string> read(const std::string& file) const {
    std::error_code failed;
    const std::uintmax_t size = std::filesystem::file_size(file, failed);
    if (failed) return std::nullopt;
    const std::size_t limit = options_.limits.source_size;
    return read_to_end(file, size < limit ? static_cast<std::size_t>(size) + 1 : limit);
  }
  /// In pieces, the first of which takes a file whose size is right: that of a file in /proc is 0. Nothing
  /// where reading fails. One piece more than the limit is enough to know that it is passed.
  [[nodiscard]] std::optional<std::string> read_to_end(const std::string& file, std::size_t piece) const {
    constexpr std::size_t least = 1u << 12;
    const stream in = open(file);
    if (in == nullptr) return std::nullopt;
    piece = std::max(piece, least);
    std::string text;
    for (std::size_t got = piece; got == piece && text.size() <= options_.limits.source_size;) {
      text.resize(text.size() + piece);
      got = std::fread(text.data() + text.size() - piece, 1, piece, in.get());
      text.resize(text.size() - piece + got);
    }
    if (std::ferror(in.get()) != 0) return std::nullopt;
    return text;
  }
  using stream = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

  [[nodiscard]] static stream open(const std::string& file) {
    stream in(std::fopen(file.c_str(), "rb"), &std::fclose);
    if (in != nullptr) std::setvbuf(in.get(), nullptr, _IONBF, 0);
    return in;
  }

  // ---- cycles

  static constexpr std::uint32_t busy = 0xFFFFFFFFu;  ///< height of files on the way down
  struct visit {
    std::uint32_t program;
    std::size_t next = 0;      ///< the include to follow
    std::uint32_t height = 1;  ///< files on the longest way down so far
  };

  /// Depth first over includes, without recursion: files may be thousands.
  void check_includes() {
    std::vector<std::uint32_t> height(set_.programs.size(), 0);
    std::vector<visit> way{{0}};
    height[0] = busy;
    while (!way.empty()) {
      visit& at = way.back();
      if (at.next != set_.programs[at.program].includes.size()) {
        follow(at, height, way);
        continue;
      }
      const std::uint32_t done = at.height;
      height[at.program] = done;
      way.pop_back();
      if (!way.empty()) pass_up(way.back(), done);
    }
  }
  void follow(visit& at, std::vector<std::uint32_t>& height, std::vector<visit>& way) {
    const include& each = set_.programs[at.program].includes[at.next++];
    if (each.program == no_program) return;
    std::uint32_t& below = height[each.program];
    if (below == busy) {
      findings_.error("include-cycle", at.program, each.where,
                      "the file includes itself by way of " + in_quotes(each.path));
    } else if (below != 0) {
      pass_up(at, below);
    } else {
      below = busy;
      way.push_back({each.program});
    }
  }
  /// The include just followed leads `below` files down.
  void pass_up(visit& at, std::uint32_t below) {
    at.height = std::max(at.height, below + 1);
    if (below + 1 != options_.limits.depth + 1) return;
    const include& each = set_.programs[at.program].includes[at.next - 1];
    findings_.error("depth-limit", at.program, each.where,
                    "includes are nested deeper than " + std::to_string(options_.limits.depth) + " files");
  }

  const load_options& options_;
  findings findings_;
  program_set set_;
  std::vector<skipped_names> skipped_;
  std::vector<folder> folders_;
  std::unordered_map<std::string, std::uint32_t> keys_;  ///< by program::key
  std::unordered_map<std::string, std::uint32_t>
      paths_;  ///< by path as looked up, so that links are resolved once
  std::size_t total_size_ = 0;
  bool full_ = false;
};

}  // namespace detail

/// Loads a file, or what a pipe gives, and its includes. Linear in their sizes. The error is errc::io where
/// the file cannot be read, else errc::schema_invalid with every error and warning of every file, each with
/// its line and a caret.
[[nodiscard]] THRIFTLENS_HEAVY result<program_set> try_load(const std::string& file,
                                                            const load_options& options = {}) {
  return detail::loader(options).load_file(file);
}
/// The same for a text; `name` is what messages call it and, without extension, the program's name.
/// Its includes come from `options`: in-memory sources, the loader, the include directories; never from
/// elsewhere on the disk.
[[nodiscard]] THRIFTLENS_HEAVY result<program_set> try_parse(std::string_view text,
                                                             const load_options& options = {},
                                                             std::string_view name = "<text>") {
  return detail::loader(options).load_text(text, name);
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::idl
