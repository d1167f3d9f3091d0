// policy: redaction, rewriting in one pass, and validation.
// In: nothing. Out: what room policy offers; thriftlens.hpp opens all rooms but json.
#pragma once

#include <thriftlens/policy/annotation_check.hpp>
#include <thriftlens/policy/redact.hpp>
#include <thriftlens/policy/rewrite.hpp>
#include <thriftlens/policy/validate.hpp>
