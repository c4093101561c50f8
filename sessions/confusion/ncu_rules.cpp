// SPDX-License-Identifier: MIT
#include "sessions/confusion/ncu_rules.h"

#include "core/base/try.h"
#include "core/codec/fields.h"
#include "core/codec/json.h"
#include "core/codec/model_fields.h"

namespace kl::inline confusion {

template <class V> void fields(V& v, NcuVerdict& n)
{
    v("rules", n.rules);
    v("metrics", n.metrics);
}

Result<NcuRules> parseNcuRules(std::string_view json, std::string_view where)
{
    KL_ASSIGN(const Json parsed, parseJson(json, where));
    if (!parsed.is_object() || !parsed.contains("kernels"))
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("{} contains no Nsight Compute rules.", where),
                     .hint = "tests/bench/ncu_rules.py writes such a file on a GPU.",
                     .where = std::string(where)};
    return fromJson<NcuRules>(parsed["kernels"], where);
}

Result<NcuVerdict> ncuVerdictFromJson(const Json& json, std::string_view where)
{
    return fromJson<NcuVerdict>(json, where);
}

} // namespace kl::inline confusion
