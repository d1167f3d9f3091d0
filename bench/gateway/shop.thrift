struct Item { 1: required string sku, 2: i32 count, 3: double price, 4: list<string> tags }
struct Order { 1: required i64 id, 2: string customer, 3: list<Item> items, 4: map<string, string> notes, 5: bool paid }
struct Find { 1: required i64 id (api.path = "id"), 2: string lang (api.query = "lang"), 3: i32 size (api.query = "size") }
service Shop {
  Order find(1: Find find) (api.get = "/orders/:id")
  Order place(1: Order order) (api.post = "/orders")
}
