// SPDX-License-Identifier: MIT
#include "sessions/edit/kernel_files.h"

#include "core/base/ids.h"
#include "core/base/read_file.h"
#include "core/base/try.h"
#include "core/codec/json.h"
#include "kernels/data/base64.h"
#include "sessions/target/target_family.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <unistd.h>

namespace kl::inline edit {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMostBytes = std::int64_t{1} << 30; ///< of a file, data and compiled code included

bool isCompiled(const std::string& path)
{
    return path.ends_with(".cubin") || path.ends_with(".ptx");
}

Error cannotWrite(const std::string& path, int reason)
{
    return {.code = ErrorCode::badInput,
            .message = fmt::format("{} cannot be written: {}. Nothing is changed.", path, std::strerror(reason)),
            .hint = "Make it writable, then try again.",
            .where = path};
}

template <class Texts> std::set<std::string> findDiffering(const Texts& before, const Texts& after)
{
    std::set<std::string> paths;
    for (const auto& [path, text] : before)
        if (const auto found = after.find(path); found == after.end() || found->second != text)
            paths.insert(path);
    for (const auto& [path, text] : after)
        if (!before.contains(path))
            paths.insert(path);
    return paths;
}

bool isSource(const KernelFiles& files, const std::string& path)
{
    return path != files.descriptor && (files.program || !path.ends_with(".py"));
}

} // namespace

Result<KernelFiles> readKernelFiles(const std::string& descriptor)
{
    KL_ASSIGN(const KernelFamily family, loadFamily(descriptor));
    KernelFiles files;
    files.program = family.isProgram();
    files.descriptor = family.origin.descriptor;
    const auto add = [&](const std::string& path, bool asText) -> Status {
        KL_ASSIGN(std::string bytes, readFile(path, kMostBytes));
        if (asText)
            files.texts[path] = std::move(bytes);
        else
            files.other[path] = contentHash(bytes);
        return {};
    };
    KL_TRY(add(files.descriptor, true));
    for (const std::string& path : family.origin.sources)
        KL_TRY(add(path, files.program || !isCompiled(path)));
    for (const std::string& path : family.origin.others)
        KL_TRY(add(path, !files.program && path.ends_with(".py")));
    return files;
}

std::string encodeFiles(const KernelFiles& files)
{
    Json json{{"descriptor", files.descriptor}, {"texts", Json::object()}, {"other", files.other}, {"program", files.program}};
    for (const auto& [path, text] : files.texts)
        json["texts"][path] = toBase64(text);
    return encode(json);
}

Result<KernelFiles> decodeFiles(const std::string& text)
{
    const Error damaged = Error{.code = ErrorCode::badInput,
                                .message = "The copy of the kernel's files is damaged.",
                                .hint = "Check the database.",
                                .where = "artifact"}
                              .leadTo({StepId::checkDatabase});
    const Result<Json> json = parseJson(text, "copy of a kernel's files");
    if (!json || !json->is_object() || !json->contains("texts") || !json->contains("descriptor") || !json->contains("other"))
        return damaged;
    KernelFiles files;
    files.descriptor = (*json)["descriptor"].get<std::string>();
    files.program = json->value("program", false);
    files.other = (*json)["other"].get<std::map<std::string, std::string>>();
    for (const auto& [path, content] : (*json)["texts"].items()) {
        std::optional<std::string> bytes = fromBase64(content.get<std::string>());
        if (!bytes)
            return damaged;
        files.texts[path] = std::move(*bytes);
    }
    return files;
}

KernelEdit editBetween(const KernelFiles& before, const KernelFiles& after)
{
    KernelEdit edit;
    for (const std::string& path : findDiffering(before.other, after.other))
        if (!before.program || before.other.contains(path)) // what a program writes beside its sources is not part of it
            edit.others.push_back(path);
    const fs::path folder = fs::path(before.descriptor).parent_path();
    for (const std::string& path : findDiffering(before.texts, after.texts)) {
        if (!isSource(before, path)) {
            edit.others.push_back(path);
            continue;
        }
        edit.sources.push_back(path);
        const auto text = [&](const KernelFiles& files) {
            const auto found = files.texts.find(path);
            return found == files.texts.end() ? std::string() : found->second;
        };
        const TextDiff diff = diffTexts(fs::path(path).lexically_relative(folder).generic_string(), text(before), text(after));
        edit.diff.added += diff.added;
        edit.diff.removed += diff.removed;
        edit.diff.unified += diff.unified;
    }
    return edit;
}

Status restoreFiles(const KernelFiles& files, const std::vector<std::string>& sources)
{
    for (const std::string& path : sources) {
        std::error_code none;
        const std::string checked = fs::exists(path, none) ? path : fs::path(path).parent_path().string();
        if (::access(checked.c_str(), W_OK) != 0)
            return cannotWrite(path, errno);
    }
    for (const std::string& path : sources) {
        const auto text = files.texts.find(path);
        if (text == files.texts.end())
            continue;
        std::ofstream stream(path, std::ios::binary | std::ios::trunc);
        stream << text->second;
        stream.close();
        if (!stream)
            return Error{.code = ErrorCode::badInput,
                         .message = fmt::format("{} could not be written completely.", path),
                         .hint = "Free some space and try again: the text is kept in the database.",
                         .where = path};
    }
    return {};
}

} // namespace kl::inline edit
