// policy: redaction, rewriting in one pass, and validation.
#pragma once

#include <thriftlens/policy/annotation_check.hpp>
#include <thriftlens/policy/redact.hpp>
#include <thriftlens/policy/rewrite.hpp>
#include <thriftlens/policy/validate.hpp>
