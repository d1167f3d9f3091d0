#include <thriftlens/schema/describe.hpp>

#include <gtest/gtest.h>

namespace tl = thriftlens;

namespace {
const tl::schema& sample() {
  static const tl::schema schema = tl::schema::parse(R"(
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
)", {.includes = {{"base.thrift", "struct User { 1: string name }\nservice Health {}"}}}, "shop.thrift");
  return schema;
}
}  // namespace

// Written by hand from the description of thriftlens.describe/1.
TEST(describe_json, follows_the_schema_describe_1) {
  EXPECT_EQ(tl::describe_json(sample()),
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
            R"({"name":"find","oneway":false,"returns":{"struct":"Order"},"args":[{"id":1,"name":"id","type":"i64","req":"default"}],)"
            R"("throws":[{"id":1,"name":"bad","type":{"exception":"Bad"},"req":"optional"}]},)"
            R"({"name":"log","oneway":true,"returns":"void","args":[{"id":1,"name":"line","type":"string","req":"default"}],"throws":[]}]}]})");
}

TEST(describe, prints_declarations_as_idl_has_them) {
  const std::string text = tl::describe(sample());
  for (const char* line : {"program shop\n", "namespace py shop\n", "include base\n", "typedef list<base.User> Users\n", "// States.\nenum State {\n  NEW = 0\n  PAID = 5\n}\n",
                           "struct Order {\n  2: required i64 id\n", "  1: optional list<base.User> users (pii = \"name\")\n", "  3: State state = 5\n",
                           "  4: map<string, set<uuid>> m\n}\n", "union U {\n  1: i32 a\n}\n", "exception Bad {\n  1: string why\n}\n", "const i32 LIMIT = 7\n",
                           "service Shop extends base.Health {\n  Order find(1: i64 id) throws (1: Bad bad)\n  oneway void log(1: string line)\n}\n"}) {
    EXPECT_NE(text.find(line), std::string::npos) << line << "\nin\n" << text;
  }
}

TEST(describe, prints_one_type) {
  EXPECT_EQ(tl::describe(sample().type("base.User")), "struct base.User {\n  1: string name\n}\n");
  EXPECT_EQ(tl::describe(sample().type("Users")), "list<base.User>\n");
  EXPECT_EQ(tl::describe_json(sample().type("State")), R"({"name":"State","values":[["NEW",0],["PAID",5]],"doc":"States."})");
  EXPECT_EQ(tl::describe_json(sample().type("Users")), R"({"list":{"struct":"base.User"}})");
}
