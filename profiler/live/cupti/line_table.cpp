// SPDX-License-Identifier: MIT
#include "profiler/live/cupti/line_table.h"

#include "profiler/live/cupti/cupti_api.h"

#include <cstdlib>
#include <memory>

namespace kl::inline live {
namespace {

using CText = std::unique_ptr<char, decltype(&std::free)>; // CUPTI hands out malloc'd texts

std::string nullableText(const CText& text)
{
    return text ? text.get() : "";
}

} // namespace

std::optional<SourcePlace> sourcePlace(std::string_view cubin, const std::string& function, std::uint64_t offset)
{
    const Result<CuptiApi>& api = CuptiApi::load();
    if (!api || cubin.empty())
        return {};
    CUpti_GetSassToSourceCorrelationParams params{};
    params.size = CUpti_GetSassToSourceCorrelationParamsSize;
    params.cubin = cubin.data();
    params.cubinSize = cubin.size();
    params.functionName = function.c_str();
    params.pcOffset = offset;
    const CUptiResult result = api->GetSassToSourceCorrelation(&params);
    const CText file(params.fileName, &std::free);
    const CText folder(params.dirName, &std::free);
    if (result != CUPTI_SUCCESS || !file || params.lineNumber == 0)
        return {};
    return SourcePlace{nullableText(file), nullableText(folder), static_cast<int>(params.lineNumber)};
}

} // namespace kl::inline live
