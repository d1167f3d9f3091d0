#pragma once

const void* shared_table_of_first();
const void* shared_table_of_second();
const void* shared_table_of_noexcept();
/// 0, or the number of the failed check.
int works_without_exceptions();
