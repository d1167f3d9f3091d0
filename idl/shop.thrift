include "base.thrift"

namespace cpp shop
namespace py shop

typedef i64 OrderId

const i32 MAX_ITEMS = 1000

enum Status {
  NEW = 1
  PAID = 2
  SHIPPED = 3
}

struct User {
  1: required i64 id
  2: required string name (pii = "name")
  3: optional string email (pii = "email")
}

struct Item {
  1: required string sku
  2: required double price
  3: i32 count = 1
  4: optional map<string, string> attributes
}

/** How an order was paid: one of these. */
union Payment {
  1: string card (pii = "card")
  2: i64 voucher
}

struct Order {
  1: required OrderId id
  2: required User user
  3: required list<Item> items
  4: Status status = Status.NEW
  5: optional Payment payment
  6: list<string> tags
  7: optional map<i32, string> notes
  8: optional binary signature
  9: optional bool gift
  10: optional string debug
  255: optional base.Base base
}

exception NotFound {
  1: OrderId id
  2: string message
}

service Shop {
  Order get(1: OrderId id) throws (1: NotFound missing)
  OrderId place(1: Order order, 2: bool dry_run = false)
  oneway void touch(1: OrderId id)
}
