// SPDX-License-Identifier: MIT
#include "kernels/user_kernel.h"

#include "core/base/read_file.h"
#include "core/base/try.h"
#include "kernels/data/base64.h"
#include "kernels/descriptor_errors.h"
#include "kernels/descriptor_parser.h"
#include "kernels/inclusions.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>

namespace kl::inline kernels {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMaxDescriptor = 4 << 20;
constexpr std::int64_t kMaxSource = 16 << 20;
constexpr std::int64_t kMaxImage = 64 << 20;

void remember(std::vector<std::string>& paths, const fs::path& path)
{
    if (std::find(paths.begin(), paths.end(), path.string()) == paths.end())
        paths.push_back(path.string());
}

/// Whether a file, or where one would be, lies in a folder, links followed.
bool liesIn(const fs::path& folder, const fs::path& file)
{
    std::error_code failure;
    const fs::path relative = fs::weakly_canonical(file, failure).lexically_relative(fs::weakly_canonical(folder, failure));
    return !failure && !relative.empty() && *relative.begin() != "..";
}

/// As the user would write it from the current folder, where that is shorter.
std::string shortenPath(const fs::path& path)
{
    std::error_code failure;
    const fs::path relative = fs::relative(path, failure);
    return failure || relative.empty() || *relative.begin() == ".." ? path.string() : relative.string();
}

class Loader {
public:
    Loader(fs::path descriptor, const std::map<std::string, std::string>& instead)
        : descriptor_(std::move(descriptor)), folder_(descriptor_.parent_path()), instead_(instead)
    {
    }

    Result<KernelFamily> load()
    {
        KL_ASSIGN(const std::string text, read(descriptor_, kMaxDescriptor));
        KL_ASSIGN(KernelFamily family, parseDescriptor(text, shortenPath(descriptor_), DescriptorChecks::formulas));
        origin_.descriptor = descriptor_.string();
        const auto placed = [&](const std::string& field, const Error& error) {
            return placeError(text, shortenPath(descriptor_), field, error);
        };
        if (Status status = readCode(family.sourcePath, family.source, family.headers, family.image); !status)
            return placed("source", status.error());
        for (std::size_t i = 0; i < family.variants.size(); ++i) {
            Variant& variant = family.variants[i];
            if (!variant.sourcePath.empty())
                if (Status status = readCode(variant.sourcePath, variant.source, variant.headers, variant.image); !status)
                    return placed(fmt::format("variants[{}].source", i), status.error());
        }
        if (Status status = readOthers(family); !status)
            return placed("reference.python", status.error());
        family.origin = std::move(origin_);
        if (family.title.empty())
            family.title = family.id;
        return family;
    }

private:
    Result<std::string> read(const fs::path& path, std::int64_t limit) const
    {
        const auto found = instead_.find(path.string());
        return found == instead_.end() ? readFile(path.string(), limit) : Result<std::string>(found->second);
    }

    Status readCode(const std::string& name, std::string& text, std::map<std::string, std::string>& headers,
                    std::optional<ImageSpec>& image)
    {
        const fs::path path = (folder_ / name).lexically_normal();
        const bool ptx = path.extension() == ".ptx";
        const bool cubin = path.extension() == ".cubin";
        KL_ASSIGN(std::string content, read(path, ptx || cubin ? kMaxImage : kMaxSource));
        remember(origin_.sources, path);
        if (!ptx && !cubin) {
            text = std::move(content);
            return readHeaders(path, text, headers);
        }
        if (cubin && !content.starts_with("\x7f"
                                          "ELF"))
            return notThat(path, "a cubin (nvcc -cubin -arch=sm_90 -o k.cubin k.cu)");
        if (ptx && content.find(".version") == std::string::npos)
            return notThat(path, "PTX (nvcc -ptx -o k.ptx k.cu)");
        image = ImageSpec{ptx, path.filename().string(), toBase64(content)};
        return {};
    }

    static Status notThat(const fs::path& path, const char* what)
    {
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("{}: the file is not {}.", path.string(), what),
                     .hint = "Compile it again, or use the .cu as \"source\".",
                     .where = path.string()};
    }

    /// Headers beside the source, and those beside them; one that is not there is left for the compiler to miss. What lies neither in the
    /// descriptor's folder nor beside the source is refused: a kernel must not access the rest of this machine.
    Status readHeaders(const fs::path& source, const std::string& text, std::map<std::string, std::string>& headers,
                       const fs::path& prefix = {})
    {
        const fs::path folder = source.parent_path();
        const fs::path file = prefix.empty() ? source : folder / prefix;
        for (const Inclusion& inclusion : findInclusions(text)) {
            const std::string& name = inclusion.name;
            const fs::path path = (folder / prefix.parent_path() / name).lexically_normal();
            if (inclusion.form != Inclusion::Form::quoted
                    ? inclusion.form == Inclusion::Form::computed || leadsOut(name)
                    : fs::path(name).is_absolute() || !(liesIn(folder_, path) || liesIn(folder, path)))
                return makeRefusedInclusionError(inclusion, shortenPath(file));
            std::error_code failure;
            if (inclusion.form != Inclusion::Form::quoted || headers.contains(name) ||
                (!instead_.contains(path.string()) && !fs::is_regular_file(path, failure)))
                continue;
            KL_ASSIGN(std::string content, read(path, kMaxSource));
            remember(origin_.sources, path);
            headers[name] = content;
            KL_TRY(readHeaders(source, content, headers, prefix.parent_path() / name));
        }
        return {};
    }

    Status readOthers(KernelFamily& family)
    {
        for (const KernelFamily::Buffer& buffer : family.buffers)
            if (!buffer.file.empty() && buffer.file.find('{') == std::string::npos)
                remember(origin_.others, (folder_ / buffer.file).lexically_normal());
        for (const KernelFamily::Buffer& buffer : family.buffers)
            if (!buffer.after.empty())
                remember(origin_.others, (folder_ / buffer.after).lexically_normal());
        for (const Variant& variant : family.variants)
            for (const auto& [name, file] : variant.variables)
                remember(origin_.others, (folder_ / file).lexically_normal());
        for (const Variant& variant : family.variants)
            for (const LaunchFormula& launch : variant.launches)
                if (!launch.parameters.empty())
                    remember(origin_.others, (folder_ / launch.parameters).lexically_normal());
        KernelFamily::Reference& reference = family.reference;
        if (!reference.file.empty() && reference.file.find('{') == std::string::npos)
            remember(origin_.others, (folder_ / reference.file).lexically_normal());
        if (reference.python.empty())
            return {};
        const fs::path script = (folder_ / reference.python).lexically_normal();
        KL_ASSIGN(std::string content, read(script, kMaxSource));
        remember(origin_.others, script);
        reference.script = std::move(content);
        return {};
    }

    fs::path descriptor_;
    fs::path folder_;
    const std::map<std::string, std::string>& instead_;
    KernelOrigin origin_;
};

bool isCode(const fs::path& path)
{
    const std::string kind = path.extension().string();
    return kind == ".cu" || kind == ".ptx" || kind == ".cubin";
}

NextStep startKernel()
{
    return {StepId::newKernel, {}, {{StepArgument::name, "What is it called?"}}};
}

} // namespace

fs::path descriptorAt(const fs::path& path)
{
    std::error_code failure;
    const std::string text = path.string();
    const char* home = std::getenv("HOME");
    fs::path descriptor = text.starts_with("~/") && home ? fs::path(home) / text.substr(2) : path;
    descriptor = fs::absolute(descriptor, failure).lexically_normal();
    if (!descriptor.has_filename()) // a trailing slash
        descriptor = descriptor.parent_path();
    return fs::is_directory(descriptor, failure) ? descriptor / kDescriptorName : descriptor;
}

Result<KernelFamily> loadKernel(const fs::path& path, const std::map<std::string, std::string>& instead)
{
    std::error_code failure;
    const fs::path descriptor = descriptorAt(path);
    if (!fs::exists(descriptor, failure))
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("No kernel was found at {}.", path.string()),
                     .hint = "Name a kernel.json, or a folder that holds one, or start a new one.",
                     .where = path.string()}
            .leadTo(startKernel());
    if (isCode(descriptor))
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("{} is code; a kernel is given by its kernel.json.", path.string()),
                     .hint = "Name the kernel.json that has it as its \"source\", or start a new one.",
                     .where = path.string()}
            .leadTo(startKernel());
    return Loader(descriptor, instead).load();
}

Error placeError(const KernelFamily& family, const Error& error)
{
    const Result<std::string> text = readFile(family.origin.descriptor, kMaxDescriptor);
    return text ? placeError(*text, shortenPath(family.origin.descriptor), error.where, error) : error;
}

std::optional<KernelPath> kernelPathIn(const std::string& text)
{
    KernelPath found;
    std::size_t end = std::string::npos;
    if (const auto json = text.find(".json"); json != std::string::npos) {
        end = json + 5;
    } else if (isCode(text)) {
        end = text.size();
    } else if (text.starts_with('.') || text.starts_with('/') || text.starts_with('~')) {
        end = text.find_first_of(":@");
    } else {
        return {};
    }
    found.path = text.substr(0, end);
    if (end != std::string::npos && end < text.size())
        found.rest = text[end] == ':' ? text.substr(end + 1) : text.substr(end);
    return found;
}

} // namespace kl::inline kernels
