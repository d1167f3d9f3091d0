#include <thriftlens/schema/describe.hpp>

#include "support/test.hpp"

#include <support/shared.hpp>

#include <sstream>

namespace {
const tl::schema& described() {
  static const tl::schema schema = tl::schema::parse(
      R"(
namespace py old
namespace py shop
include "base.thrift"
/** States. */
enum State { NEW, PAID = 5 }
typedef list<base.User> Users
struct Order {
  2: required i64 id
  /** Who. */
  1: optional Users users (pii = "name")
  3: State state = State.PAID
  4: map<string, set<uuid>> m
}
union U { 1: i32 a }
exception Bad { 1: string why }
const i32 LIMIT = 7
service Shop extends base.Health {
  Order find(1: i64 id) throws (1: Bad bad)
  oneway void log(1: string line)
}
)",
      {.includes = {{"base.thrift", "struct User { 1: string name }\nservice Health {}"}}}, "shop.thrift");
  return schema;
}
}  // namespace

// Written from the description of thriftlens.describe/1.
TEST(describe_json, follows_the_schema_describe_1) {
  EXPECT_EQ(
      tl::describe_json(described()),
      R"({"schema":"thriftlens.describe/1","program":"shop","namespaces":{"py":"shop"},"includes":["base"],)"
      R"("enums":[{"name":"State","values":[["NEW",0],["PAID",5]],"doc":"States."}],)"
      R"("typedefs":[{"name":"Users","type":{"list":{"struct":"base.User"}}}],)"
      R"("structs":[{"name":"Order","kind":"struct","fields":[{"id":2,"name":"id","type":"i64","req":"required"},)"
      R"({"id":1,"name":"users","type":{"list":{"struct":"base.User"}},"req":"optional","doc":"Who.","annotations":[["pii","name"]]},)"
      R"({"id":3,"name":"state","type":{"enum":"State"},"req":"default","default":5},)"
      R"({"id":4,"name":"m","type":{"map":["string",{"set":"uuid"}]},"req":"default"}]},)"
      R"({"name":"U","kind":"union","fields":[{"id":1,"name":"a","type":"i32","req":"optional"}]},)"
      R"({"name":"Bad","kind":"exception","fields":[{"id":1,"name":"why","type":"string","req":"default"}]}],)"
      R"("consts":[{"name":"LIMIT","type":"i32","value":7}],)"
      R"("services":[{"name":"Shop","extends":"base.Health","functions":[)"
      R"({"name":"find","oneway":false,"streaming":"none","returns":{"struct":"Order"},"args":[{"id":1,"name":"id","type":"i64","req":"default"}],)"
      R"("throws":[{"id":1,"name":"bad","type":{"exception":"Bad"},"req":"optional"}]},)"
      R"({"name":"log","oneway":true,"streaming":"none","returns":"void","args":[{"id":1,"name":"line","type":"string","req":"default"}],"throws":[]}]}]})");
}

TEST(describe, prints_declarations_as_idl) {
  const std::string text = tl::describe(described());
  for (const char* line :
       {"// program shop\n", "namespace py shop\n", "include \"base.thrift\"\n",
        "typedef list<base.User> Users\n", "/** States. */\nenum State {\n  NEW = 0\n  PAID = 5\n}\n",
        "struct Order {\n  2: required i64 id\n",
        "  /** Who. */\n  1: optional list<base.User> users (pii = \"name\")\n", "  3: State state = 5\n",
        "  4: map<string, set<uuid>> m\n}\n", "union U {\n  1: i32 a\n}\n",
        "exception Bad {\n  1: string why\n}\n", "const i32 LIMIT = 7\n",
        "service Shop extends base.Health {\n  Order find(1: i64 id) throws (1: Bad bad)\n  oneway void "
        "log(1: string line)\n}\n"}) {
    EXPECT_NE(text.find(line), std::string::npos) << line << "\nin\n" << text;
  }
}

TEST(describe, prints_one_type) {
  EXPECT_EQ(tl::describe(described().type("base.User")), "struct base.User {\n  1: string name\n}\n");
  EXPECT_EQ(tl::describe(described().type("Users")), "list<base.User>\n");
  EXPECT_EQ(tl::describe_json(described().type("State")),
            R"({"name":"State","values":[["NEW",0],["PAID",5]],"doc":"States."})");
  EXPECT_EQ(tl::describe_json(described().type("Users")), R"({"list":{"struct":"base.User"}})");
}

TEST(describe, is_idl_that_loads_again_as_the_same) {
  const tl::load_options options{
      .includes = {{"sub/base.thrift",
                    "include \"deep.thrift\"\ntypedef deep.Far Far\nenum Size { S = 1, L = 3 }\nexception "
                    "Gone {}\nservice Health { void ping() }"},
                   {"sub/deep.thrift", "struct Far { 1: i32 a = 5 }"}}};
  const tl::schema schema = tl::schema::parse(R"(
    namespace * x.y
    include "sub/base.thrift"
    /** One line. */
    typedef map<base.Size, list<base.Far>> Sizes (a.b = "it's \"quoted\"\n\t\\")
    /**
     * More
     *   lines, indented.
     *
     * * and a star
     */
    enum E { A = -5 (x = ""), /** B's. */ B, C = 2147483647 }
    const double LARGE = 1e18
    const double WHOLE = -3
    const double ZERO = -0.0
    const double TINY = 5e-324
    const map<string, map<i32, list<bool>>> NESTED = {"a": {1: [true, false], 2: []}, "": {}}
    const binary RAW = "\xff\x00\x01 \xc3\xa9 \x7f"
    const base.Far FAR = {"a": -1}
    const uuid ID = "{00112233-4455-6677-8899-aaBBccDDeeFF}"
    union U { 1: i32 a = 7, 2: string b }
    struct S {
      3: required set<E> third = [E.C, E.A]
      1: optional base.Size size = base.Size.L (p = "q", r = "s")
      2: list<map<string, base.Far>> far = [{"k": {"a": 2}}, {}]
      string implicit
      -7: bool yes = 1
      8: byte wraps = 200
    } (api = "v")
    service Svc extends base.Health {
      /** Calls. */
      base.Far get(/** Which. */ 1: required i64 id = 5, 2: optional U u) throws (1: base.Gone gone) (api.get = "/x")
      oneway void fire()
    } (s = "t")
  )",
                                              options, "shop.thrift");
  const std::string text = tl::describe(schema);
  EXPECT_NE(text.find("include \"sub/base.thrift\"\ninclude \"sub/deep.thrift\"\n"), std::string::npos)
      << text;
  const auto again = tl::schema::try_parse(text, options, "shop.thrift");
  ASSERT_TRUE(again) << again.error().what() << '\n' << text;
  std::string json = tl::describe_json(schema);
  const std::string_view includes = R"("includes":["base"])";
  json.replace(json.find(includes), includes.size(), R"("includes":["base","deep"])");
  EXPECT_EQ(tl::describe_json(*again), json) << text;
  EXPECT_EQ(tl::describe(*again), text);
}

TEST(describe, shows_duplicate_set_elements_of_the_idl) {
  const tl::schema schema =
      tl::schema::parse("struct S { 1: set<i32> s = [1, 1, 2] }\nconst set<i32> C = [3, 3]");
  EXPECT_NE(tl::describe(schema).find("s = [1, 1, 2]"), std::string::npos);
  EXPECT_NE(tl::describe(schema).find("C = [3, 3]"), std::string::npos);
}

TEST(describe, of_the_corpus_loads_again_as_the_same) {
  SKIP_WITHOUT_CORPUS();
  const std::filesystem::path corpus = thriftlens_test::corpus_dir();
  std::istringstream table(thriftlens_test::read_file(corpus / "open" / "MANIFEST.tsv"));
  std::size_t same = 0;
  for (std::string line; std::getline(table, line);) {
    const std::filesystem::path file = corpus / line.substr(0, line.find('\t'));
    if (file.extension() != ".thrift") continue;
    const auto schema = tl::schema::try_load(file.string(), {.include_dirs = {(corpus / "open").string()}});
    if (!schema) continue;
    const std::string text = tl::describe(*schema);
    const auto again = tl::schema::try_parse(
        text, {.include_dirs = {file.parent_path().string(), (corpus / "open").string()}},
        file.filename().string());
    // A text from memory must not leave the folders.
    if (!again && again.error().diagnostics()[0].kind == "include-refused") continue;
    ASSERT_TRUE(again) << file << '\n' << again.error().what();
    same += tl::describe_json(*again) == tl::describe_json(*schema);
  }
  EXPECT_GE(same, 600u);
}
