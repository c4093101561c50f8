// SPDX-License-Identifier: MIT
#pragma once

#include "core/codec/json.h"
#include "core/model/comparison.h"
#include "core/model/environment.h"
#include "core/model/run.h"

namespace kl {

/// The answer of `kloop run --json`; with metrics and diagnosis, of `kloop profile --json`: run's fields and
/// {metrics, missing, plan, finding, secondary}. `schema` comes first.
Json runToJson(const RunRecord& run);

/// The same without the machine code, which is long and has a command of its own.
Json runToJsonWithoutCode(const RunRecord& run);

/// Inverse of runToJson, nothing lost: the store keeps runs in this form.
Result<RunRecord> runFromJson(const Json& json);

/// The answer of `kloop compare` and `kloop ab`.
Json comparisonToJson(const Comparison& comparison);
Result<Comparison> comparisonFromJson(const Json& json);

/// The answer of `kloop env`: {schema, verdict, checks}.
Json envToJson(const EnvReport& report);
Result<EnvReport> envFromJson(const Json& json);

} // namespace kl
