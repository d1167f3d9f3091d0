// stream_machine: trims a value whose bytes come in segments, with an explicit stack instead of recursion.
#pragma once

#include <thriftlens/core/error.hpp>
#include <thriftlens/core/joined.hpp>
#include <thriftlens/edit/attempt_budget.hpp>
#include <thriftlens/edit/stream_frame.hpp>
#include <thriftlens/protocol/convert.hpp>
#include <thriftlens/rewrite/fast/fast_elements.hpp>
#include <thriftlens/rewrite/fast/fast_trim.hpp>
#include <thriftlens/rewrite/program.hpp>
#include <thriftlens/view/view.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Steps return false if more bytes are needed or at a fault.
template <protocol P>
class stream_machine {
 public:
  stream_machine(const selection& selected, const trim_options& options)
      : selection_(selected),
        options_(options),
        max_depth_((std::min)(options.limits.depth, limits::max_depth)) {
    is_fast_ = fast_trim<P>::serves(selected, options);
    const type root = selected.from();
    next_ = {root.wire(), root.index(), selected.root(), stream_mode::trimmed};
    if (selected.root() == selection_node::entire) next_.mode = stream_mode::copied;
  }

  [[nodiscard]] bool is_complete() const noexcept { return state_ == state::complete; }
  [[nodiscard]] const std::optional<error>& failure() const noexcept { return failure_; }
  [[nodiscard]] std::size_t dropped_fields() const noexcept { return dropped_; }

  /// Continues with the segment that begins at `offset` of the input, up to its end or at least to `enough`,
  /// and appends the output. Returns the end of the consumed bytes: the segment's end except for the start of
  /// one primitive, at most max_rest bytes.
  byte_ptr run(byte_view segment, std::size_t offset, byte_ptr enough, buffer& out) {
    begin_ = at_ = copied_ = segment.begin();
    end_ = segment.end();
    base_ = offset;
    out_ = &out;
    move_keys();
    while (state_ != state::complete && at_ < enough) {
      if (!step()) break;
    }
    // Steps that need no byte.
    while (at_ == end_ && state_ == state::frame && step()) {
    }
    save_keys();
    flush(at_);
    return at_;
  }
  static constexpr std::size_t max_rest = 20;

  /// Stops the output: the value is followed to its end by its wire types alone. Clears a failure; a fault of
  /// the bytes is reported again.
  void drop_rest() noexcept {
    failure_.reset();
    for (std::size_t i = 0; i < depth_; ++i) frames_[i].mode = stream_mode::dropped;
    next_.mode = stream_mode::dropped;
    dropping_ = true;
  }
  /// Lower bound of the bytes of the value that were not consumed.
  [[nodiscard]] std::uint64_t least_left() const noexcept {
    if (is_complete()) return 0;
    std::uint64_t count = state_ == state::bytes ? pending_ : 0;
    for (std::size_t i = 0; i < depth_; ++i) count += least_inside<P>(frames_[i]);
    return count != 0 ? count : 1;
  }

  /// The error of an input that ends here, with `rest` bytes that were not consumed.
  [[nodiscard]] THRIFTLENS_COLD error cut_off(std::size_t offset, std::size_t rest) const {
    const std::size_t size = offset + rest;
    for (std::size_t i = 0; i < depth_; ++i) {
      const stream_frame& frame = frames_[i];
      if (lacks_bytes<P>(frame, size)) return error_at(errc::truncated, frame.header_at, i);
    }
    if (state_ == state::frame) return error_at(errc::truncated, offset, depth_ - 1);
    if (state_ == state::bytes) return error_at(errc::truncated, value_at_, depth_);
    return is_too_deep() ? error_at(errc::depth_limit, offset, depth_) : cut_value(offset);
  }
  /// The error of output that became too long.
  [[nodiscard]] THRIFTLENS_COLD error too_long(std::size_t offset) const {
    return error_at(errc::output_limit, offset, state_ == state::frame ? depth_ - 1 : depth_);
  }

 private:
  enum class state : std::uint8_t {
    value,  ///< of next_
    frame,  ///< at the next field header, element or entry of the innermost frame
    bytes,  ///< inside a scalar, or elements of fixed width
    complete,
  };
  struct coming_value {
    ttype wire = ttype::stop;
    std::uint32_t type = image::none;
    std::uint32_t selected = selection_node::entire;
    stream_mode mode = stream_mode::copied;
  };

  bool step() {
    if (state_ == state::value) return begin_value();
    if (state_ == state::bytes) return pass_bytes();
    stream_frame& top = frames_[depth_ - 1];
    if (top.wire == ttype::struct_) return field(top);
    return top.is_map() ? entry(top) : element(top);
  }

  // ---- places and faults ----

  [[nodiscard]] std::size_t offset_of(byte_ptr at) const noexcept {
    return base_ + static_cast<std::size_t>(at - begin_);
  }
  [[nodiscard]] std::size_t available() const noexcept { return static_cast<std::size_t>(end_ - at_); }
  [[nodiscard]] std::uint32_t levels_left() const noexcept {
    return max_depth_ - static_cast<std::uint32_t>(depth_);
  }
  /// `steps`: how many frames contribute a step to the path.
  [[nodiscard]] THRIFTLENS_COLD error error_at(errc code, std::size_t offset, std::size_t steps,
                                               std::string text = {}) const {
    stream_path<P> path = path_of(steps);
    return error(code, std::move(text), offset, path.text());
  }
  [[nodiscard]] stream_path<P> path_of(std::size_t steps) const {
    stream_path<P> path(selection_.from().image(), selection_.from().index());
    path.add({frames_.data(), steps});
    return path;
  }
  THRIFTLENS_COLD bool reject(errc code, byte_ptr at, std::size_t steps, std::string text = {}) {
    failure_ = error_at(code, offset_of(at), steps, std::move(text));
    return false;
  }
  /// Whether the next value exceeds the depth before a byte of it is read.
  [[nodiscard]] bool is_too_deep() const noexcept {
    if (levels_left() != 0) return false;
    return next_.wire == ttype::struct_ || (is_container(next_.wire) && next_.mode != stream_mode::trimmed);
  }
  /// The value at the current position could not be read: it ends beyond the segment, or is invalid.
  bool stuck(errc code, std::size_t steps) {
    return code == errc::truncated ? false : reject(code, at_, steps);
  }
  /// At the beginning of a value. Skipping a map reads a key of fixed width together with the size of its
  /// value.
  [[nodiscard]] error cut_value(std::size_t offset) const {
    if (depth_ != 0 && P::traits.size_width != 0 && next_.wire == ttype::string) {
      const stream_frame& top = frames_[depth_ - 1];
      const std::size_t width = element_width<P>(top.key_wire);
      if (top.is_map() && !top.in_key && width != 0) {
        stream_frame key = top;
        key.in_key = true;
        stream_path<P> path = path_of(depth_ - 1);
        path.add({&key, 1});
        return error(errc::truncated, {}, offset - width, path.text());
      }
    }
    return error_at(errc::truncated, offset, depth_);
  }

  // ---- output ----

  void flush(byte_ptr until) {
    if (!dropping_ && until != copied_) out_->append({copied_, static_cast<std::size_t>(until - copied_)});
    copied_ = until;
  }
  /// Bytes from `begin` to the end of the next value are not copied.
  void drop_from(byte_ptr begin) {
    flush(begin);
    dropping_ = true;
  }
  void stop_dropping() noexcept {
    if (!dropping_ || (depth_ != 0 && frames_[depth_ - 1].mode == stream_mode::dropped)) return;
    dropping_ = false;
    copied_ = at_;
  }

  // ---- keys ----

  void move_keys() noexcept {
    if (open_keys_ == 0) return;
    for (std::size_t i = 0; i < depth_; ++i) frames_[i].key_from = at_;
  }
  void save_keys() noexcept {
    if (open_keys_ == 0) return;
    for (std::size_t i = 0; i < depth_; ++i) {
      if (frames_[i].in_key) save_key(frames_[i]);
    }
  }
  void save_key(stream_frame& frame) noexcept {
    frame.key.add(frame.key_from, at_);
    frame.key_from = at_;
  }

  // ---- any value ----

  bool begin_value() {
    const ttype wire = next_.wire;
    value_at_ = offset_of(at_);
    if (wire == ttype::struct_) return begin_struct();
    if (is_container(wire)) return begin_container();
    if (const std::size_t width = element_width<P>(wire)) return expect_bytes(width);
    if (wire == ttype::string) return begin_string();
    return pass_number();
  }
  bool expect_bytes(std::uint64_t count) {
    pending_ = count;
    state_ = state::bytes;
    return pass_bytes();
  }
  bool pass_bytes() {
    const auto size = static_cast<std::size_t>((std::min<std::uint64_t>)(pending_, available()));
    if (next_.wire == ttype::string && depth_ != 0 && frames_[depth_ - 1].in_key)
      frames_[depth_ - 1].key.add_text({at_, size});
    at_ += size;
    pending_ -= size;
    return pending_ == 0 && end_value();
  }
  bool begin_string() {
    errc code = errc::ok;
    std::uint32_t size = 0;
    const byte_ptr end = P::get_size(at_, end_, size, code);
    if (end == nullptr) return stuck(code, depth_);
    at_ = end;
    return expect_bytes(size);
  }
  /// A number of variable width.
  bool pass_number() {
    errc code = errc::ok;
    const byte_ptr end = after_number(code);
    if (end == nullptr) return stuck(code, depth_);
    at_ = end;
    return end_value();
  }
  [[nodiscard]] byte_ptr after_number(errc& code) const noexcept {
    if (next_.wire == ttype::i64) return after_number<std::int64_t>(code);
    return next_.wire == ttype::i32 ? after_number<std::int32_t>(code) : after_number<std::int16_t>(code);
  }
  template <class Number>
  [[nodiscard]] byte_ptr after_number(errc& code) const noexcept {
    Number unused = 0;
    return P::get_number(at_, end_, unused, code);
  }
  bool end_value() {
    stop_dropping();
    if (depth_ == 0) {
      state_ = state::complete;
      return true;
    }
    stream_frame& top = frames_[depth_ - 1];
    state_ = state::frame;
    if (top.in_key) {
      end_key(top);
    } else if (top.wire != ttype::struct_) {
      ++top.index;
      refund(top);
    }
    return true;
  }
  void end_key(stream_frame& top) {
    save_key(top);
    top.in_key = false;
    --open_keys_;
    if (top.mode == stream_mode::trimmed && trim_at_once(top, 1) != 0) {
      ++top.index;
      return;
    }
    next_ = inside(top);
    state_ = state::value;
  }
  /// An element of a list, or a value of a map.
  [[nodiscard]] coming_value inside(const stream_frame& of) const noexcept {
    coming_value value{of.value_wire, image::none, selection_node::entire, of.mode};
    if (of.mode != stream_mode::trimmed) return value;
    const image::type_node& self = image_of().types[of.type];
    value.type = of.is_map() ? self.second : self.first;
    value.selected = of.selected;
    return value;
  }
  [[nodiscard]] const schema_image& image_of() const noexcept { return *selection_.from().image(); }
  [[nodiscard]] const selection_node& node_of(const stream_frame& frame) const noexcept {
    return selection_.nodes()[frame.selected];
  }
  stream_frame& push() {
    if (depth_ == frames_.size()) frames_.emplace_back();
    stream_frame& top = frames_[depth_++];
    top.wire = next_.wire;
    top.mode = next_.mode;
    top.type = next_.type;
    top.selected = next_.selected;
    top.in_key = false;
    state_ = state::frame;
    return top;
  }
  bool pop() {
    --depth_;
    return end_value();
  }

  // ---- fast attempts ----

  /// Skips a value that is copied or dropped, if this segment has all of it.
  bool skip_at_once() {
    const std::size_t window = budget_.window(offset_of(at_), available());
    if (window == 0) return false;
    typename P::skipper skipper(at_ + window);
    const byte_ptr end = skipper.skip(at_, next_.wire, levels_left());
    if (end == nullptr) {
      budget_.lose(static_cast<std::size_t>(skipper.at - at_));
      return false;
    }
    at_ = end;
    return true;
  }
  /// Trims list elements, or the value of an entry, that are complete in this segment; returns their number.
  std::uint32_t trim_at_once(stream_frame& top, std::uint32_t count) {
    if (!is_fast_ || top.charge != 0) return 0;
    const std::size_t here = offset_of(at_), window = budget_.window(here, available());
    if (window == 0 || window < top.average_size(here)) return 0;
    const std::size_t trimmed = trim_in(window, inside(top), count);
    if (trimmed != count) charge(top, window - (offset_of(at_) - here));
    return static_cast<std::uint32_t>(trimmed);
  }
  std::size_t trim_in(std::size_t window, const coming_value& inner, std::uint32_t count) {
    flush(at_);
    const view<P> from({at_, window}, type(&image_of(), inner.type), options_.limits);
    const fast_request request{.selected = &selection_};
    fast_elements<P> pass(from, request, *out_);
    const std::size_t trimmed = pass.run(at_, inner.selected, inner.type, count, levels_left());
    dropped_ += pass.report.trimmed;
    copied_ = at_;
    return trimmed;
  }
  /// An attempt failed at the next element: records the bytes it read.
  void charge(stream_frame& top, std::size_t bytes) noexcept {
    budget_.lose(bytes);
    top.charge = bytes;
    top.element_at = offset_of(at_);
  }
  void refund(stream_frame& top) noexcept {
    if (top.charge == 0) return;
    const std::size_t size = offset_of(at_) - top.element_at;
    if (size < top.charge) budget_.win_back(top.charge - size);
    top.charge = 0;
  }

  // ---- structs ----

  bool begin_struct() {
    if (levels_left() == 0) return reject(errc::depth_limit, at_, depth_);
    if (next_.mode != stream_mode::trimmed && skip_at_once()) return end_value();
    stream_frame& frame = push();
    frame.ids = {};
    if (frame.mode != stream_mode::trimmed) return true;
    const selection_node& node = node_of(frame);
    frame.next_part = node.parts.data();
    frame.seen.clear();
    frame.seen_parts.assign(tracks(node) ? node.parts.size() : 0, false);
    return true;
  }
  void skip_plain_fields() noexcept {
    if constexpr (requires { P::skipper::skip_plain_fields(at_, end_); })
      at_ = P::skipper::skip_plain_fields(at_, end_);
  }
  bool field(stream_frame& top) {
    if (top.mode != stream_mode::trimmed) skip_plain_fields();
    const byte_ptr begin = at_;
    std::int16_t last_id = top.ids.in;
    wire_field read;
    errc code = errc::ok;
    const byte_ptr end = P::get_field(at_, end_, last_id, read, code);
    if (end == nullptr) return stuck(code, depth_ - 1);
    if (read.header.type == ttype::stop) return end_struct(top, end);
    top.id = read.header.id;
    at_ = end;
    next_ = {read.header.type, image::none, selection_node::entire, top.mode};
    if (top.mode == stream_mode::trimmed && !apply_selection(top, read, begin)) {
      at_ = begin;
      return false;
    }
    top.ids.in = read.header.id;
    state_ = state::value;
    return read.inline_bool < 0 || end_value();
  }
  bool apply_selection(stream_frame& top, const wire_field& read, byte_ptr begin) {
    const std::int16_t id = read.header.id;
    if (!top.seen.add(id)) return reject(errc::duplicate_field, begin, depth_);
    const selection_node& node = node_of(top);
    const selection_node::part* part = find_part(top, node, id);
    if (part == nullptr) return apply_unselected(top, node, read, begin);
    return keep_part(top, *part, read, begin);
  }
  bool keep_part(stream_frame& top, const selection_node::part& part, const wire_field& read,
                 byte_ptr begin) {
    const auto number = static_cast<std::size_t>(&part - node_of(top).parts.data());
    if (!top.seen_parts.empty()) top.seen_parts[number] = true;
    const image::field_node& known = image_of().fields[part.field];
    if (known.wire != read.header.type) return fail_type(known.type, read, begin);
    next_.mode = part.child == selection_node::entire ? stream_mode::copied : stream_mode::trimmed;
    next_.selected = part.child;
    next_.type = known.type;
    keep_header(top, read, begin);
    return true;
  }
  [[nodiscard]] static const selection_node::part* find_part(stream_frame& top, const selection_node& node,
                                                             std::int16_t id) noexcept {
    const selection_node::part* const end = node.parts.data() + node.parts.size();
    const selection_node::part* part = top.next_part;
    if (part == end || part->id != id) part = node.find(id);
    if (part != nullptr) top.next_part = part + 1;
    return part;
  }
  bool apply_unselected(stream_frame& top, const selection_node& node, const wire_field& read,
                        byte_ptr begin) {
    const bool drops = options_.unknown == on_unknown::drop ||
                       (options_.unknown == on_unknown::selected && !node.unknown) ||
                       node.structure.find_field(read.header.id);
    if (!drops && options_.unknown == on_unknown::error) return reject(errc::unknown_field, begin, depth_);
    next_.mode = drops ? stream_mode::dropped : stream_mode::copied;
    if (drops) {
      ++dropped_;
      drop_from(begin);
    } else {
      keep_header(top, read, begin);
    }
    return true;
  }
  THRIFTLENS_COLD bool fail_type(std::uint32_t expected, const wire_field& read, byte_ptr begin) {
    return reject(
        errc::type_mismatch, begin, depth_,
        joined({"expected ", type(&image_of(), expected).name(), ", found ", to_string(read.header.type)}));
  }
  /// Rewrites a header whose delta counts from a dropped or new field.
  void keep_header(stream_frame& top, const wire_field& read, byte_ptr begin) {
    if (P::traits.headers_are_deltas && top.ids.out != top.ids.in) {
      flush(begin);
      out_->commit(
          put_header<P>(out_->prepare(P::max_field_header), read.header, read.inline_bool == 1, top.ids.out));
      copied_ = at_;
    }
    top.ids.out = read.header.id;
  }
  /// `end`: the byte after the stop byte, which is not consumed yet.
  bool end_struct(stream_frame& top, byte_ptr end) {
    if (top.mode == stream_mode::trimmed && tracks(node_of(top)) && !finish_selection(top)) return false;
    at_ = end;
    return pop();
  }
  [[nodiscard]] bool writes_defaults() const noexcept { return options_.defaults == on_absent::write; }
  /// Whether the result depends on which parts existed.
  [[nodiscard]] bool tracks(const selection_node& node) const noexcept {
    return writes_defaults() || (node.target && node.target.structure().required_count != 0);
  }
  bool finish_selection(stream_frame& top) {
    const selection_node& node = node_of(top);
    if (writes_defaults()) write_defaults(top, node);
    if (!node.target) return true;
    for (const field_info field : node.target.fields()) {
      if (field.required() && !was_seen(top, node, field.id())) return fail_missing(field.id());
    }
    return true;
  }
  [[nodiscard]] static bool was_seen(const stream_frame& top, const selection_node& node,
                                     std::int16_t id) noexcept {
    const selection_node::part* part = node.find(id);
    return part != nullptr && top.seen_parts[static_cast<std::size_t>(part - node.parts.data())];
  }
  THRIFTLENS_COLD bool fail_missing(std::int16_t id) {
    stream_path<P> path = path_of(depth_ - 1);
    path.add_missing(id);
    failure_ = error(errc::missing_required, {}, offset_of(at_), path.text());
    return false;
  }
  void write_defaults(stream_frame& top, const selection_node& node) {
    flush(at_);
    for (std::size_t i = 0; i < node.parts.size(); ++i) {
      if (top.seen_parts[i]) continue;
      const selection_node::part& part = node.parts[i];
      const field_info field =
          node.target ? node.target.find_field(part.id) : field_info(&image_of(), part.field);
      if (field.has_default()) write_default(field, top.ids.out);
    }
  }
  void write_default(const field_info& field, std::int16_t& last) {
    const ttype wire = field.type().wire();
    append_raw_field<P>(*out_, {wire, field.id()}, bytes_in<P>(field.defaults(), wire, scratch_), last);
  }

  // ---- containers ----

  bool begin_container() {
    const bool is_trimmed = next_.mode == stream_mode::trimmed;
    if (!is_trimmed && levels_left() == 0) return reject(errc::depth_limit, at_, depth_);
    if (!is_trimmed && skip_at_once()) return end_value();
    map_header read;
    errc code = errc::ok;
    const byte_ptr end = get_header(read, code);
    if (end == nullptr) return stuck(code, depth_);
    if (read.size > 0x7fffffffu) return reject(errc::negative_size, at_, depth_);
    if (is_trimmed && levels_left() == 0) return reject(errc::depth_limit, end, depth_);
    if (is_trimmed && read.size != 0 && !has_type(read)) return fail_contents(read);
    const byte_ptr header = std::exchange(at_, end);
    if (!is_trimmed && fixed_size(read) != 0)
      return expect_bytes(std::uint64_t{read.size} * fixed_size(read));
    return open_container(read, header);
  }
  /// For a list or set, value is the element and key is stop.
  [[nodiscard]] byte_ptr get_header(map_header& read, errc& code) const noexcept {
    if (next_.wire == ttype::map) return P::get_map_header(at_, end_, read, code);
    list_header list;
    const byte_ptr end = P::get_list_header(at_, end_, list, code);
    read = {ttype::stop, list.element, list.size};
    return end;
  }
  /// Size of an element or entry; 0 if it varies.
  [[nodiscard]] static std::size_t fixed_size(const map_header& read) noexcept {
    const std::size_t value = element_width<P>(read.value);
    if (read.key == ttype::stop || value == 0) return value;
    const std::size_t key = element_width<P>(read.key);
    return key == 0 ? 0 : key + value;
  }
  bool open_container(const map_header& read, byte_ptr header) {
    stream_frame& frame = push();
    frame.key_wire = read.key;
    frame.value_wire = read.value;
    frame.size = read.size;
    frame.index = 0;
    frame.charge = 0;
    frame.header_at = offset_of(header);
    frame.body_at = offset_of(at_);
    return true;
  }
  [[nodiscard]] bool has_type(const map_header& read) const noexcept {
    const auto& types = image_of().types;
    const image::type_node& self = types[next_.type];
    if (next_.wire != ttype::map) return types[self.first].wire == read.value;
    return types[self.first].wire == read.key && types[self.second].wire == read.value;
  }
  THRIFTLENS_COLD bool fail_contents(const map_header& read) {
    const image::type_node& self = image_of().types[next_.type];
    const bool other_key = next_.wire == ttype::map && image_of().types[self.first].wire != read.key;
    return reject(
        errc::type_mismatch, at_, depth_,
        joined({"expected ", type(&image_of(), next_.type).name(), ", found ", to_string(next_.wire),
                next_.wire == ttype::map ? " with " : " of ", to_string(other_key ? read.key : read.value)}));
  }
  bool element(stream_frame& top) {
    if (top.mode == stream_mode::trimmed) top.index += trim_at_once(top, top.size - top.index);
    if (top.index == top.size) return pop();
    next_ = inside(top);
    state_ = state::value;
    return true;
  }
  bool entry(stream_frame& top) {
    if (top.index == top.size) return pop();
    top.in_key = true;
    ++open_keys_;
    top.key.clear();
    top.key_from = at_;
    // A trimmed map has trimmed values; its keys are copied.
    next_ = {top.key_wire, image::none, selection_node::entire,
             top.mode == stream_mode::trimmed ? stream_mode::copied : top.mode};
    state_ = state::value;
    return true;
  }

  selection selection_;
  trim_options options_;
  std::uint32_t max_depth_;
  bool is_fast_ = false;
  std::optional<error> failure_;
  std::size_t dropped_ = 0;
  buffer scratch_;

  // the position
  std::vector<stream_frame> frames_;
  std::size_t depth_ = 0;
  state state_ = state::value;
  coming_value next_;
  std::uint64_t pending_ = 0;  // bytes of the present scalar
  std::size_t value_at_ = 0;   // offset of the present scalar
  std::size_t open_keys_ = 0;
  bool dropping_ = false;
  attempt_budget budget_;

  // the current segment
  byte_ptr begin_ = nullptr;
  byte_ptr at_ = nullptr;
  byte_ptr end_ = nullptr;
  byte_ptr copied_ = nullptr;
  std::size_t base_ = 0;
  buffer* out_ = nullptr;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
