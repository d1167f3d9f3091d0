/** A person. */
struct User { 1: required i64 id, 2: string name (pii = "name"), 3: optional string phone (pii = "phone") }
enum Status { NEW = 1, PAID = 2 }
struct Voucher { 1: string code }
union Payment { 1: string card, 2: i64 invoice, 3: Voucher voucher }
/** What was bought. */
struct Order {
  1: required i64 id
  2: list<string> tags
  3: Status status = Status.NEW
  4: User user
  5: map<i32, double> prices
  6: optional Payment payment
  7: string etag (api.header = "ETag")
  8: optional i32 code (api.http_code = "")
  9: binary blob
  10: set<i32> marks
}
exception NotFound { 1: i64 id, 2: string why } (api.http_code = "404")
exception Broken { 1: string why, 2: User who }
struct Find { 1: required i64 id (api.path = "id"), 2: list<string> tags (api.query = "tags"), 3: string token (api.cookie = "tok", api.header = "X-Token"), 4: Status status (api.query = "status") }
struct Upload { 1: string title (api.form = "title"), 2: binary file (api.form = "file"), 3: string text (api.form = "text") }
struct Page { 1: i32 size = 10 (api.query = "size") }
/** Orders of a shop. */
service Shop {
  /** One order. */
  Order get(1: Find req) throws (1: NotFound missing, 2: Broken broken) (api.get = "/orders/:id")
  Order put(1: Order order) (api.post = "/orders")
  list<Order> all(1: Page page) (api.get = "/orders")
  i32 upload(1: Upload form) (api.post = "/files")
  void drop_(1: i64 id (api.path = "id")) throws (1: NotFound missing) (api.delete = "/orders/:id")
  oneway void note(1: string text (api.body = "text")) (api.post = "/notes")
  string hello()
}
