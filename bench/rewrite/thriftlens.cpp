// rewrite by thriftlens: a selection, a redaction and an edit, fused in one pass and one after the other;
// each alone is a limit. The fused pass should cost at most 1.3 of the dearest of them.
#include <lens.hpp>
#include <thrift_values.hpp>

#include <thriftlens/edit/trim.hpp>
#include <thriftlens/policy/rewrite.hpp>

#include <utility>

namespace {

namespace tl = thriftlens;

/// The compiled rewrite: selects the fields of the partial type, blanks its binary fields, sets one number.
struct request {
  tl::type type;
  tl::selection selection;
  tl::redaction rules;
  tl::path value_path;

  explicit request(const bench::payload& of)
      : type(bench::lens::type(of.type())),
        selection(tl::selection::compile(type, bench::lens::type(of.partial_type()))),
        rules(tl::redaction::compile(
            type, {.paths = {{of.is_simple() ? "$.BinaryField" : "$.ListSimple[*].BinaryField", "blank"}}})),
        value_path(tl::path::compile(type, of.is_simple() ? "$.DoubleField" : "$.SimpleStruct.DoubleField")) {
  }
};

template <class Protocol>
struct operation {
  using view = tl::view<Protocol>;

  request prepared;
  tl::buffer out, trimmed, redacted;

  explicit operation(request prepared_request) : prepared(std::move(prepared_request)) {}
  std::string answer_of() { return bench::thrift_values<Protocol>(out.text(), prepared.type.name().c_str()); }
  std::size_t trim(const view& from, tl::buffer& to) {
    to.clear();
    return tl::try_append_trimmed(from, prepared.selection, to) ? to.size() : 0;
  }
  std::size_t redact(const view& from, tl::buffer& to) {
    to.clear();
    return tl::try_append_redacted(from, prepared.rules, to) ? to.size() : 0;
  }
  std::size_t set(const view& from) {
    out.clear();
    return tl::edit(from).create(prepared.value_path, 2.5).try_append_to(out) ? out.size() : 0;
  }
};

template <class Protocol>
struct fused : operation<Protocol> {
  using operation<Protocol>::operation;

  std::size_t run(const std::string& bytes) {
    this->out.clear();
    const tl::view<Protocol> from(bytes, this->prepared.type);
    const auto is_written = tl::rewrite(from)
                                .trim(this->prepared.selection)
                                .redact(this->prepared.rules)
                                .create(this->prepared.value_path, 2.5)
                                .try_append_to(this->out);
    return is_written ? this->out.size() : 0;
  }
  std::string answer(const std::string& bytes) { return run(bytes), this->answer_of(); }
};

template <class Protocol>
struct in_turn : operation<Protocol> {
  using operation<Protocol>::operation;

  std::size_t run(const std::string& bytes) {
    const tl::type type = this->prepared.type;
    if (this->trim({bytes, type}, this->trimmed) == 0) return 0;
    if (this->redact({this->trimmed, type}, this->redacted) == 0) return 0;
    return this->set({this->redacted, type});
  }
  std::string answer(const std::string& bytes) { return run(bytes), this->answer_of(); }
};

template <class Protocol>
struct trim_alone : operation<Protocol> {
  using operation<Protocol>::operation;
  std::size_t run(const std::string& bytes) { return this->trim({bytes, this->prepared.type}, this->out); }
};
template <class Protocol>
struct redact_alone : operation<Protocol> {
  using operation<Protocol>::operation;
  std::size_t run(const std::string& bytes) { return this->redact({bytes, this->prepared.type}, this->out); }
};
template <class Protocol>
struct set_alone : operation<Protocol> {
  using operation<Protocol>::operation;
  std::size_t run(const std::string& bytes) { return this->set({bytes, this->prepared.type}); }
};

template <class Operation>
void enter_part(const std::string& task, const bench::payload& of, const std::vector<std::string>& messages,
                const std::string& name) {
  bench::contestant({.task = task,
                     .payload = of.name,
                     .name = "limit_" + name,
                     .answer = {},
                     .run =
                         [&of, &messages](benchmark::State& state) {
                           Operation part{request(of)};
                           bench::time_all(state, part, messages);
                         },
                     .bytes = bench::mean_size(messages),
                     .rank = 2});
}

template <class Protocol>
void enter_all(const bench::payload& of) {
  const std::string task = bench::lens::task<Protocol>("rewrite"), name = bench::lens::name<Protocol>();
  const std::vector<std::string>& messages = of.messages<Protocol>();
  bench::enter<in_turn<Protocol>>(task, of, messages, name + "_in_turn", 0, request(of));
  bench::enter<fused<Protocol>>(task, of, messages, name, 1, request(of));
  enter_part<trim_alone<Protocol>>(task, of, messages, "trim");
  enter_part<redact_alone<Protocol>>(task, of, messages, "redact");
  enter_part<set_alone<Protocol>>(task, of, messages, "set");
}

const bool entered = [] {
  for (const bench::payload& payload : bench::payloads()) {
    enter_all<tl::binary>(payload);
    enter_all<tl::compact>(payload);
  }
  return true;
}();

}  // namespace
