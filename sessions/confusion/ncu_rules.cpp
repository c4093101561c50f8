// SPDX-License-Identifier: MIT
#include "sessions/confusion/ncu_rules.h"

#include "core/codec/fields.h"
#include "core/codec/json.h"
#include "core/codec/model_fields.h"

namespace kl {

template <class V> void fields(V& v, NcuVerdict& n)
{
    v("rules", n.rules);
    v("metrics", n.metrics);
}

Result<NcuRules> parseNcuRules(std::string_view json, std::string_view where)
{
    const Result<Json> parsed = parseJson(json, where);
    if (!parsed)
        return parsed.error();
    if (!parsed->is_object() || !parsed->contains("kernels"))
        return Error{ErrorCode::badInput,
                     fmt::format("{} contains no Nsight Compute rules.", where),
                     "tests/bench/ncu_rules.py writes such a file on a GPU.",
                     std::string(where),
                     {}};
    return fromJson<NcuRules>((*parsed)["kernels"], where);
}

} // namespace kl
