// Requests of the benchmark (Case), and the struct they become.
struct Case {
  1: string name, 2: string method, 3: string url, 4: map<string, string> headers, 5: map<string, string> path_params, 6: string body
}
struct Cases { 1: list<Case> cases }

struct Item { 1: i64 sku, 2: string title, 3: double price, 4: list<string> tags, 5: bool gift }
struct Address { 1: string street, 2: string city, 3: string zip, 4: string country }
struct Order {
  1: required i64 id (api.path="id")
  2: string q (api.query="q")
  3: i32 page (api.query="page")
  4: i32 size (api.query="size")
  5: list<i32> marks (api.query="marks")
  6: string token (api.header="X-Token")
  7: string locale (api.cookie="locale")
  8: string coupon (api.form="coupon", api.query="coupon")
  9: string note
  10: Address address
  11: list<Item> items
  12: map<string, string> labels
  13: i64 total
  14: optional bool express
}
service Shop { Order place(1: Order req) (api.post="/orders/:id") }
