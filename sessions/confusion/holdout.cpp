// SPDX-License-Identifier: MIT
#include "sessions/confusion/holdout.h"

#include "core/base/checksum.h"
#include "core/base/resource.h"
#include "core/base/try.h"
#include "core/codec/fields.h"
#include "core/codec/json.h"

#include <algorithm>

namespace kl::inline confusion {
namespace {

constexpr const char* kFile = "resources/diagnosis-holdout.json";

} // namespace

template <class V> void fields(V& v, Holdout& h)
{
    v("chosen_at", h.chosenAt);
    v("seed", h.seed);
    v("how", h.how);
    v("families", h.families);
    v("one_size_in", h.oneSizeIn);
    v("unseen", h.unseen);
}

bool Holdout::holds(const Address& kernel, const Params& problem) const
{
    if (std::ranges::find(families, kernel.family) != families.end())
        return true;
    return oneSizeIn > 0 &&
           computeChecksum(std::to_string(seed) + '/' + kernel.family + '/' + toText(problem)) % static_cast<unsigned>(oneSizeIn) == 0;
}

Result<Holdout> parseHoldout(std::string_view json, std::string_view where)
{
    KL_ASSIGN(const Json parsed, parseJson(json, where));
    return fromJson<Holdout>(parsed, where);
}

Result<Holdout> loadEmbeddedHoldout()
{
    const Result<std::string_view> text = resource(kFile);
    return text ? parseHoldout(*text, kFile) : Result<Holdout>(text.error());
}

} // namespace kl::inline confusion
