// SPDX-License-Identifier: MIT
#include "sessions/measure/registered_kernels.h"

#include "core/base/try.h"
#include "core/codec/json.h"
#include "kernels/user_kernel.h"
#include "sessions/store/store.h"
#include "sessions/target/target_family.h"
#include "sessions/target/target_file.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::inline measure {
namespace {

constexpr const char* kSetting = "user-kernels";

Status write(Store& store, const std::vector<std::string>& paths)
{
    return store.setSetting(kSetting, encode(Json(paths)));
}

} // namespace

std::vector<std::string> listRegisteredKernels(const Store& store)
{
    const std::optional<std::string> text = store.setting(kSetting);
    const Result<Json> json = text ? parseJson(*text, kSetting) : Result<Json>(Json::array());
    std::vector<std::string> paths;
    if (json && json->is_array())
        for (const Json& path : *json)
            if (path.is_string())
                paths.push_back(path.get<std::string>());
    return paths;
}

Result<OpenCatalog> openCatalog(const Store& store)
{
    KL_ASSIGN(Catalog embedded, Catalog::loadEmbedded());
    OpenCatalog open{std::move(embedded), {}};
    for (const std::string& path : listRegisteredKernels(store)) {
        Result<KernelFamily> family = loadFamily(path);
        const Status added = family ? open.catalog.add(std::move(*family)) : Status(family.error());
        if (!added)
            open.broken.push_back({path, added.error()});
    }
    return open;
}

Result<KernelFamily> registerKernel(Store& store, const std::string& path)
{
    KL_ASSIGN(KernelFamily family, loadFamily(path));
    KL_ASSIGN(OpenCatalog open, openCatalog(store));
    KL_TRY(open.catalog.add(family));
    std::vector<std::string> paths = listRegisteredKernels(store);
    if (std::find(paths.begin(), paths.end(), family.origin.descriptor) != paths.end())
        return family;
    paths.push_back(family.origin.descriptor);
    KL_TRY(write(store, paths));
    return family;
}

Result<std::string> unregisterKernel(Store& store, const std::string& pathOrId)
{
    std::vector<std::string> paths = listRegisteredKernels(store);
    const std::optional<std::filesystem::path> program = targetFileAt(pathOrId);
    const std::string asPath = program ? program->string() : descriptorAt(pathOrId).string();
    for (const std::string& path : paths) {
        const Result<KernelFamily> family = loadFamily(path);
        if (path != asPath && !(family && family->id == pathOrId))
            continue;
        const std::string removed = path;
        std::erase(paths, removed);
        KL_TRY(write(store, paths));
        return removed;
    }
    Error error{.code = ErrorCode::notFound,
                .message = fmt::format("No kernel \"{}\" is registered.", pathOrId),
                .hint = paths.empty() ? "None is registered yet." : fmt::format("Registered: {}.", fmt::join(paths, ", ")),
                .where = pathOrId};
    if (paths.empty())
        error.next.push_back({StepId::addKernel, {}, {{StepArgument::file, "Which kernel.json?"}}});
    return error;
}

} // namespace kl::inline measure
