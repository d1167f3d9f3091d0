namespace * shop.base

typedef i64 Timestamp

/** What every message carries: who sent it, and when. */
struct Base {
  1: string log_id
  2: string caller
  3: Timestamp sent_at  // milliseconds since 1970
}
