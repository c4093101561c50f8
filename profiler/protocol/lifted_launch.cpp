// SPDX-License-Identifier: MIT
#include "profiler/protocol/lifted_launch.h"

#include "core/base/try.h"
#include "core/codec/fields.h"

#include <fmt/format.h>

namespace kl::inline protocol {

template <class V> void fields(V& v, LiftedRange& r)
{
    v("offset", r.offset);
    v("bytes", r.bytes);
}
template <class V> void fields(V& v, LiftedParameter& p)
{
    v("offset", p.offset);
    v("bytes", p.bytes);
}
template <class V> void fields(V& v, LiftedVariable& x)
{
    v("name", x.name);
    v("file", x.file);
}
template <class V> void fields(V& v, LiftedMemory& m)
{
    v("address", m.address);
    v("bytes", m.bytes);
    v("reached", m.reached);
    v("before", m.before);
    v("after", m.after);
    v("changed", m.changed);
}
template <class V> void fields(V& v, LiftedLaunch& l)
{
    v("schema", l.schema);
    v("kernel", l.kernel);
    v("launch", l.launch);
    v("command", l.command);
    v("host", l.host);
    v("gpu", l.gpu);
    v("driver", l.driver);
    v("compute_capability", l.computeCapability);
    v("at", l.at);
    for (std::size_t i = 0; i < 3; ++i) {
        constexpr std::array kGrid{"grid_x", "grid_y", "grid_z"};
        constexpr std::array kBlock{"block_x", "block_y", "block_z"};
        constexpr std::array kCluster{"cluster_x", "cluster_y", "cluster_z"};
        v(kGrid[i], l.grid[i]);
        v(kBlock[i], l.block[i]);
        v(kCluster[i], l.cluster[i]);
    }
    v("cooperative", l.cooperative);
    v("dynamic_smem", l.dynamicSmem);
    v("attributes", l.attributes);
    v("parameters", l.parameters);
    v("arguments", l.arguments);
    v("image", l.image);
    v("variables", l.variables);
    v("memory", l.memory);
    v("bytes", l.bytes);
    v("too_large", l.tooLarge);
    v("notes", l.notes);
    v("refusal", l.refusal);
}

std::string encodeLift(const LiftedLaunch& launch)
{
    return encodePretty(toJson(launch)) + '\n';
}

Result<LiftedLaunch> parseLift(std::string_view text, const std::string& where)
{
    KL_ASSIGN(const Json json, parseJson(text, where));
    KL_ASSIGN(LiftedLaunch launch, fromJson<LiftedLaunch>(json, where));
    if (launch.schema != kLiftSchema)
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("{} has the schema \"{}\" instead of {}.", where, launch.schema, kLiftSchema),
                     .hint = "It was written by another version: lift the launch again.",
                     .where = where};
    return launch;
}

} // namespace kl::inline protocol
