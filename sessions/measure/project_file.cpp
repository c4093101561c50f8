// SPDX-License-Identifier: MIT
#include "sessions/measure/project_file.h"

#include "core/base/nearest.h"
#include "core/base/read_file.h"
#include "core/base/sha256.h"
#include "core/base/try.h"
#include "core/codec/json.h"
#include "sessions/target/target_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::inline measure {
namespace {

const std::vector<std::string> kFields = {"$schema", "schema", "torch", "extension"};
const std::vector<std::string> kFields2 = {"$schema", "schema", "torch", "extension", "target"};
const std::vector<std::string> kExtensionFields = {"module", "folder", "build", "import_folder", "max_jobs", "timeout_s"};

/// Reads fields of one object of the file and keeps the first error.
class Fields {
public:
    Fields(const Json& json, std::string prefix, const std::filesystem::path& file, const std::vector<std::string>& known)
        : json_(json), prefix_(std::move(prefix)), file_(file)
    {
        if (!json.is_object()) {
            wrong(prefix_.empty() ? "(whole)" : prefix_, "should be an object");
            return;
        }
        for (const auto& [name, value] : json.items())
            if (std::find(known.begin(), known.end(), name) == known.end()) {
                const std::vector<std::string> near = nearestNames(name, known, 1);
                wrong(name, near.empty() ? "is not known" : fmt::format("is not known (did you mean \"{}\"?)", near.front()));
            }
    }

    const Json* get(const char* name) const
    {
        const auto found = json_.is_object() ? json_.find(name) : json_.end();
        return json_.is_object() && found != json_.end() ? &*found : nullptr;
    }
    void text(const char* name, std::string& value, bool needed)
    {
        const Json* found = get(name);
        if (!found && needed)
            wrong(name, "is missing");
        else if (found && (!found->is_string() || found->get_ref<const std::string&>().empty()))
            wrong(name, "should be a text that is not empty");
        else if (found)
            value = found->get<std::string>();
    }
    void number(const char* name, double& value, double least)
    {
        const Json* found = get(name);
        if (found && (!found->is_number() || found->get<double>() < least))
            wrong(name, fmt::format("should be a number of at least {}", least));
        else if (found)
            value = found->get<double>();
    }
    void wrong(const std::string& name, const std::string& what)
    {
        if (!error_)
            error_ = Error{.code = ErrorCode::badInput,
                           .message = fmt::format("{}: field \"{}{}\" {}.", file_.string(),
                                                  prefix_.empty() || name == prefix_ ? "" : prefix_ + ".", name, what),
                           .hint = "The fields are in docs/environment.md.",
                           .where = file_.string()};
    }
    const std::optional<Error>& error() const { return error_; }

private:
    const Json& json_;
    std::string prefix_;
    std::filesystem::path file_;
    std::optional<Error> error_;
};

Result<ExtensionSpec> readExtension(const Json& json, const std::filesystem::path& file)
{
    Fields fields(json, "extension", file, kExtensionFields);
    ExtensionSpec spec;
    std::string folder = ".";
    std::string importFolder;
    double jobs = spec.maxJobs;
    fields.text("module", spec.module, true);
    fields.text("folder", folder, false);
    fields.text("import_folder", importFolder, false);
    fields.number("max_jobs", jobs, 1);
    fields.number("timeout_s", spec.timeoutSeconds, 1);
    if (const Json* build = fields.get("build"); !build)
        fields.wrong("build", "is missing");
    else if (build->is_string() && !build->get_ref<const std::string&>().empty())
        spec.build = {"sh", "-c", build->get<std::string>()};
    else if (build->is_array() && !build->empty() &&
             std::all_of(build->begin(), build->end(), [](const Json& word) { return word.is_string(); }))
        spec.build = build->get<std::vector<std::string>>();
    else
        fields.wrong("build", "should be a command line, or a list of program and arguments");
    if (fields.error())
        return *fields.error();
    const std::filesystem::path base = file.parent_path();
    spec.folder = (base / folder).lexically_normal().string();
    spec.importFolder = importFolder.empty() ? spec.folder : (base / importFolder).lexically_normal().string();
    spec.maxJobs = static_cast<int>(jobs);
    spec.file = file.string();
    return spec;
}

} // namespace

Result<ProjectFile> parseProjectFile(std::string_view text, const std::filesystem::path& file)
{
    KL_ASSIGN(const Json json, parseJson(text, file.string()));
    const bool newer = json.is_object() && json.contains("schema") && json["schema"] == 2;
    Fields fields(json, {}, file, newer ? kFields2 : kFields);
    ProjectFile project;
    project.path = file.string();
    double schema = 0;
    fields.number("schema", schema, 1);
    if (!fields.error() && schema != 1 && schema != 2)
        fields.wrong("schema", schema == 0 ? "is missing; it is 1 or 2" : "should be 1 or 2; a newer KernelLoop wrote this file");
    if (newer) {
        KL_ASSIGN([[maybe_unused]] const auto target, parseTarget(text, file, file.string()));
    }
    fields.text("torch", project.torch, false);
    if (fields.error())
        return *fields.error();
    if (const Json* extension = fields.get("extension")) {
        KL_ASSIGN(ExtensionSpec spec, readExtension(*extension, file));
        Sha256 hash;
        hash.add(text);
        spec.fileHash = hash.hex();
        project.extension = std::move(spec);
    }
    return project;
}

Result<std::optional<ProjectFile>> findProjectFile(const std::string& named, const std::filesystem::path& folder)
{
    namespace fs = std::filesystem;
    std::error_code ignored;
    fs::path file = named.empty() ? fs::path() : fs::absolute(named, ignored);
    for (fs::path at = fs::absolute(folder, ignored); named.empty(); at = at.parent_path()) {
        if (fs::is_regular_file(at / kProjectFileName, ignored)) {
            file = at / kProjectFileName;
            break;
        }
        if (!at.has_relative_path())
            return std::optional<ProjectFile>{};
    }
    KL_ASSIGN(const std::string text, readFile(file));
    KL_ASSIGN(ProjectFile project, parseProjectFile(text, file));
    return std::optional<ProjectFile>(std::move(project));
}

} // namespace kl::inline measure
