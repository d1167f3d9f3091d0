// load: bodies of load.hpp.
#pragma once

#include <thriftlens/core/hash.hpp>
#include <thriftlens/core/pod_vector.hpp>
#include <thriftlens/idl/load.hpp>
#include <thriftlens/idl/parser.hpp>
#include <thriftlens/idl/resolve.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::idl {

namespace detail {

/// State of one load.
class loader {
 public:
  explicit loader(const load_options& options) : options_(options), findings_(options.limits.errors) {}

  [[nodiscard]] THRIFTLENS_COLD result<program_set> load_file(const std::string& file) {
    program_index root = open_file(file);
    if (!root) root = open_stream(file);
    if (!root) return error(errc::io, compose("cannot read '%'%", {file, why_not(file)}));
    return finish();
  }
  [[nodiscard]] THRIFTLENS_COLD result<program_set> load_text(std::string_view text, std::string_view name) {
    add(name, name, text, std::nullopt);
    return finish();
  }
  [[nodiscard]] THRIFTLENS_COLD result<program_set> load_sources(const source_set& sources) {
    if (sources.files.empty()) return error(errc::schema_invalid, "the set of IDL sources has no file");
    sources_ = &sources;
    find_source(0);
    return finish();
  }

 private:
  using file_path = std::filesystem::path;
  /// Folder where a program's includes are looked up first; nullopt for text from memory.
  using folder = std::optional<std::string_view>;
  /// Nullopt if there is no such program.
  using program_index = std::optional<std::uint32_t>;

  [[nodiscard]] THRIFTLENS_COLD result<program_set> finish() {
    for (std::uint32_t i = 0; i < set_.programs.size(); ++i) {
      if (!fits(i)) {
        skipped_.add_unknown(i);
        continue;
      }
      parser(set_.programs[i], i, options_, set_.memory, findings_).parse(skipped_);
      const std::span<include> includes = set_.programs[i].includes;
      for (std::size_t at = 0; at < includes.size(); ++at)
        includes[at].program = find(i, includes[at], at).value_or(no_program);
    }
    check_includes();
    resolve(set_, skipped_, options_, findings_);
    return finish_findings();
  }
  [[nodiscard]] THRIFTLENS_COLD result<program_set> finish_findings() {
    std::vector<diagnostic> reported = findings_.diagnostics({set_.programs.data(), set_.programs.size()});
    if (findings_.failed()) return error(std::move(reported));
    set_.warnings = std::move(reported);
    return std::move(set_);
  }
  /// Adds a program with that identity, to be parsed later.
  THRIFTLENS_COLD std::uint32_t add(std::string_view key, std::string_view file, std::string_view text,
                                    folder from) {
    total_size_ += text.size();
    program& to = set_.programs.emplace_back();
    to.source = copy(text);
    to.file = copy(file);
    to.name = without_brackets(program_name(to.file));
    to.key = copy(key);
    if (from) from = copy(*from);
    folders_.push_back(from);
    const auto index = static_cast<std::uint32_t>(set_.programs.size() - 1);
    // A text of the name of another file has no other identity; the later one counts.
    if (!keys_.insert(to.key, index).second) keys_.replace(key, index);
    return index;
  }
  /// A copy for the lifetime of the set, followed by a NUL byte.
  [[nodiscard]] THRIFTLENS_COLD std::string_view copy(std::string_view text) {
    auto* const to = static_cast<char*>(set_.memory.allocate(text.size() + 1, 1));
    if (!text.empty()) std::memcpy(to, text.data(), text.size());
    to[text.size()] = '\0';
    return {to, text.size()};
  }
  /// "text" of "<text>".
  [[nodiscard]] static std::string_view without_brackets(std::string_view name) noexcept {
    const bool has_brackets = name.size() > 2 && name.front() == '<' && name.back() == '>';
    return has_brackets ? name.substr(1, name.size() - 2) : name;
  }
  [[nodiscard]] THRIFTLENS_COLD bool fits(std::uint32_t index) {
    const std::size_t max_size = options_.limits.source_size;
    if (set_.programs[index].source.size() <= max_size) return true;
    findings_.error("size-limit", index, {1, 1}, "the file is larger than % bytes", {max_size});
    return false;
  }

  // ---- includes

  /// Whether the maximum number of files is reached, which is reported once.
  [[nodiscard]] THRIFTLENS_COLD bool is_full(std::uint32_t from, position where) {
    const idl_limits& bounds = options_.limits;
    if (set_.programs.size() < bounds.files && total_size_ <= bounds.total_size) return false;
    if (!std::exchange(full_, true))
      findings_.error("size-limit", from, where, "the included files exceed the limit of number or size");
    return true;
  }
  /// `at`: index in the includes of `from`.
  [[nodiscard]] THRIFTLENS_COLD program_index find(std::uint32_t from, const include& entry, std::size_t at) {
    if (is_full(from, entry.where)) return std::nullopt;
    if (sources_ != nullptr) return find_linked(from, entry, at);
    if (program_index match = find_in_memory(from, entry.path)) return match;
    if (program_index match = ask_loader(from, entry.path)) return match;
    return find_allowed(from, entry);
  }
  [[nodiscard]] THRIFTLENS_COLD program_index find_allowed(std::uint32_t from, const include& entry) {
    if (!allowed(from, entry.path)) {
      findings_.error("include-refused", from, entry.where, "the include % is outside the searched folders",
                      {quoted_arg(entry.path)});
      return std::nullopt;
    }
    const program_index match = find_on_disk(from, entry.path);
    if (!match) report_missing(from, entry);
    return match;
  }
  THRIFTLENS_COLD void report_missing(std::uint32_t from, const include& entry) {
    findings_.error("include-not-found", from, entry.where, "the include % was not found%",
                    {quoted_arg(entry.path), searched(from, entry.path)});
  }
  /// Searched locations of an include, in order.
  [[nodiscard]] THRIFTLENS_COLD std::string searched(std::uint32_t from, std::string_view path) const {
    constexpr std::size_t max_places = 16;
    thriftlens::detail::pod_vector<std::string_view> places;
    if (sources_ == nullptr) {
      if (!options_.includes.empty()) places.push_back("the included texts");
      if (options_.loader) places.push_back("the loader");
      if (!file_path(path).is_absolute()) {
        if (const folder own = folders_[from]) places.push_back(own->empty() ? "." : *own);
        for (const std::string& directory : options_.include_dirs) places.push_back(directory);
      }
    }
    std::string text;
    for (std::size_t i = 0; i < places.size() && i <= max_places; ++i) {
      text += i == 0 ? "; searched: " : ", ";
      text += i < max_places ? places[i] : "\u2026";
    }
    return text.empty() ? "; no directory is searched" : text;
  }
  [[nodiscard]] THRIFTLENS_COLD program_index find_linked(std::uint32_t from, const include& entry,
                                                          std::size_t at) {
    const std::vector<std::uint32_t>& links = sources_->files[source_of_[from]].includes;
    if (at < links.size() && links[at] < sources_->files.size()) return find_source(links[at]);
    report_missing(from, entry);
    return std::nullopt;
  }
  /// The program of a file of the source set.
  THRIFTLENS_COLD std::uint32_t find_source(std::uint32_t index) {
    const std::string key = compose("source:%", {index});
    if (program_index known = find_known(key)) return *known;
    source_of_.push_back(index);
    const source_file& from = sources_->files[index];
    return add(key, from.file, from.text, std::nullopt);
  }
  [[nodiscard]] program_index find_known(std::string_view key) const {
    const std::uint32_t match = keys_.find(key);
    return match == name_table::none ? program_index() : match;
  }
  /// Looks up the path as written, else relative to the including source.
  [[nodiscard]] THRIFTLENS_COLD program_index find_in_memory(std::uint32_t from, std::string_view path) {
    const auto& sources = options_.includes;
    auto source = sources.find(std::string(path));
    if (source == sources.end()) source = sources.find(path_beside(from, path));
    if (source == sources.end()) return std::nullopt;
    const std::string key = compose("memory:%", {source->first});
    if (program_index known = find_known(key)) return known;
    return add(key, source->first, source->second, std::nullopt);
  }
  [[nodiscard]] THRIFTLENS_COLD std::string path_beside(std::uint32_t from, std::string_view path) const {
    const file_path beside = file_path(set_.programs[from].file).parent_path() / path;
    return beside.lexically_normal().generic_string();
  }
  [[nodiscard]] THRIFTLENS_COLD program_index ask_loader(std::uint32_t from, std::string_view path) {
    if (!options_.loader) return std::nullopt;
    std::optional<std::string> text = options_.loader(path, set_.programs[from].file);
    if (!text) return std::nullopt;
    return add_loaded(path, *text);
  }
  /// One path may refer to different sources in different files; programs are identified by source.
  [[nodiscard]] THRIFTLENS_COLD std::uint32_t add_loaded(std::string_view path, std::string_view text) {
    const std::uint64_t hash = thriftlens::detail::hash_text(text, 0);
    for (std::size_t copy = 0;; ++copy) {
      const std::string key = compose("loader:%:%:%", {hash, copy, path});
      const program_index known = find_known(key);
      if (!known) return add(key, path, text, std::nullopt);
      if (set_.programs[*known].source == text) return *known;
    }
  }
  /// Text from memory includes only files in the include directories. A file may include any IDL file, such
  /// as
  /// "../base.thrift", but no other files outside, whose content messages could quote.
  [[nodiscard]] THRIFTLENS_COLD bool allowed(std::uint32_t from, std::string_view path) const {
    const file_path written(path), plain = written.lexically_normal();
    const bool escapes = written.has_root_path() || (!plain.empty() && *plain.begin() == "..");
    return !escapes || (folders_[from] && has_idl_extension(path));
  }
  [[nodiscard]] static bool has_idl_extension(std::string_view path) noexcept {
    constexpr std::string_view extension = ".thrift";
    const std::string_view name = path.substr(path.find_last_of("/\\") + 1);
    return name.size() > extension.size() && name.ends_with(extension);
  }
  [[nodiscard]] THRIFTLENS_COLD program_index find_on_disk(std::uint32_t from, std::string_view path) {
    if (file_path(path).is_absolute()) return open_file(std::string(path));
    if (const folder own = folders_[from]) {
      if (program_index index = open_file(joined(*own, path))) return index;
    }
    for (const std::string& directory : options_.include_dirs) {
      if (program_index index = open_file(joined(directory, path))) return index;
    }
    return std::nullopt;
  }
  [[nodiscard]] THRIFTLENS_COLD static std::string joined(std::string_view directory, std::string_view path) {
    return (file_path(directory) / path).string();
  }
  [[nodiscard]] THRIFTLENS_COLD program_index open_file(const std::string& file) {
    if (const std::uint32_t known = paths_.find(file); known != name_table::none) return known;
    std::error_code failed;
    const file_path real = std::filesystem::canonical(file, failed);
    if (failed || !std::filesystem::is_regular_file(real, failed)) return std::nullopt;
    const program_index index = open_real(real.string(), file);
    if (index) paths_.insert(set_.memory.copy(file), *index);
    return index;
  }
  /// `real`: with links resolved; `file`: as looked up.
  [[nodiscard]] THRIFTLENS_COLD program_index open_real(const std::string& real, const std::string& file) {
    if (program_index known = find_known(real)) return known;
    std::optional<std::string> text = read(real);
    if (!text) return std::nullopt;
    return add(real, file, *text, file_path(file).parent_path().string());
  }
  /// The usual reasons why a file cannot be read.
  [[nodiscard]] THRIFTLENS_COLD static const char* why_not(const std::string& file) {
    std::error_code unused;
    const std::filesystem::file_status status = std::filesystem::status(file, unused);
    if (status.type() == std::filesystem::file_type::not_found) return ": there is no such file";
    return status.type() == std::filesystem::file_type::directory ? ": it is a folder" : "";
  }
  /// The root may be a pipe or a terminal, as in `describe <(git show HEAD:shop.thrift)`; it has no folder
  /// for includes.
  [[nodiscard]] THRIFTLENS_COLD program_index open_stream(const std::string& file) {
    std::error_code failed;
    const std::filesystem::file_status status = std::filesystem::status(file, failed);
    if (failed || !(std::filesystem::is_fifo(status) || std::filesystem::is_character_file(status)))
      return std::nullopt;
    constexpr std::size_t piece = 1u << 16;
    std::optional<std::string> text = read_to_end(file, piece);
    if (!text) return std::nullopt;
    return add(file, file, *text, std::nullopt);
  }
  [[nodiscard]] THRIFTLENS_COLD std::optional<std::string> read(const std::string& file) const {
    std::error_code failed;
    const std::uintmax_t size = std::filesystem::file_size(file, failed);
    if (failed) return std::nullopt;
    const std::size_t limit = options_.limits.source_size;
    return read_to_end(file, size < limit ? static_cast<std::size_t>(size) + 1 : limit);
  }
  /// Reads in pieces, because sizes may be wrong (0 for files in /proc). Nullopt if reading fails. Stops one
  /// piece beyond the limit.
  [[nodiscard]] THRIFTLENS_COLD std::optional<std::string> read_to_end(const std::string& file,
                                                                       std::size_t piece) const {
    constexpr std::size_t least = 1u << 12;
    const stream in = open(file);
    if (in == nullptr) return std::nullopt;
    std::string text;
    while (read_piece(in.get(), thriftlens::detail::greatest(piece, least), text) &&
           text.size() <= options_.limits.source_size) {
    }
    if (std::ferror(in.get()) != 0) return std::nullopt;
    return text;
  }
  /// False at the end of the file.
  [[nodiscard]] THRIFTLENS_COLD static bool read_piece(std::FILE* in, std::size_t size, std::string& text) {
    const std::size_t previous_size = text.size();
    text.resize(previous_size + size);
    const std::size_t got = std::fread(text.data() + previous_size, 1, size, in);
    text.resize(previous_size + got);
    return got == size;
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

  /// Depth-first traversal of includes without recursion: there may be thousands of files.
  THRIFTLENS_COLD void check_includes() {
    heights_.resize(set_.programs.size());
    enter(0);
    while (!open_files_.empty()) {
      visit& at = open_files_.back();
      if (at.next != set_.programs[at.program].includes.size()) {
        follow(at);
        continue;
      }
      const std::uint32_t height = heights_[at.program] = at.height;
      open_files_.pop_back();
      if (!open_files_.empty()) pass_up(open_files_.back(), height);
    }
  }
  void enter(std::uint32_t program) {
    heights_[program] = busy;
    open_files_.push_back({program});
  }
  THRIFTLENS_COLD void follow(visit& at) {
    const include& entry = set_.programs[at.program].includes[at.next++];
    if (entry.program == no_program) return;
    const std::uint32_t height = heights_[entry.program];
    if (height == 0) return enter(entry.program);
    if (height != busy) return pass_up(at, height);
    findings_.error("include-cycle", at.program, entry.where, "the file includes itself by way of %",
                    {quoted_arg(entry.path)});
  }
  /// The include just followed has `below` levels.
  THRIFTLENS_COLD void pass_up(visit& at, std::uint32_t below) {
    at.height = thriftlens::detail::greatest(at.height, below + 1);
    if (below + 1 != options_.limits.depth + 1) return;
    const include& entry = set_.programs[at.program].includes[at.next - 1];
    findings_.error("depth-limit", at.program, entry.where, "includes are nested deeper than % files",
                    {options_.limits.depth});
  }

  const load_options& options_;
  const source_set* sources_ = nullptr;  ///< where the texts come from, if not from elsewhere
  thriftlens::detail::pod_vector<std::uint32_t> source_of_;  ///< of programs: index of the file in sources_
  findings findings_;
  program_set set_;
  skipped_names skipped_;
  thriftlens::detail::pod_vector<folder> folders_;
  name_table keys_;   ///< by program::key
  name_table paths_;  ///< by path as looked up, so that links are resolved once
  thriftlens::detail::pod_vector<std::uint32_t>
      heights_;  ///< of programs: files below and the file itself; 0: not visited
  thriftlens::detail::pod_vector<visit> open_files_;  ///< from the root to the file that is checked
  std::size_t total_size_ = 0;
  bool full_ = false;
};

}  // namespace detail

THRIFTLENS_LOADER_BODY result<program_set> try_load(const std::string& file, const load_options& options) {
  return detail::loader(options).load_file(file);
}
THRIFTLENS_LOADER_BODY result<program_set> try_parse(std::string_view text, const load_options& options,
                                                     std::string_view name) {
  return detail::loader(options).load_text(text, name);
}
THRIFTLENS_LOADER_BODY result<program_set> try_load(const source_set& sources, const load_options& options) {
  return detail::loader(options).load_sources(sources);
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::idl
