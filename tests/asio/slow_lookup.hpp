// slow_lookup: makes lookups of "slow.invalid" wait until a test lets them fail.
#pragma once

namespace thriftlens_test {

/// One at a time. Lookups of other names are not affected.
class slow_lookup {
 public:
  slow_lookup();
  ~slow_lookup();
  slow_lookup(const slow_lookup&) = delete;
  slow_lookup& operator=(const slow_lookup&) = delete;
  /// Lets all lookups of the name fail, now and later.
  void finish();
};

}  // namespace thriftlens_test
