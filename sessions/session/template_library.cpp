// SPDX-License-Identifier: MIT
#include "sessions/session/template_library.h"

#include "core/base/data_folder.h"
#include "core/base/read_file.h"
#include "core/base/resource.h"
#include "sessions/session/session_template.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kl::inline session {
namespace {

constexpr std::int64_t kLargestTemplate = 16 << 20;
constexpr std::string_view kFolder = "sessions/templates/";
constexpr const char* kOrder[] = {"baseline", "profile", "optimize", "expert", "debug"};

struct Found {
    KindRow row;
    std::string text;
};

void describe(Found& found)
{
    const Result<SessionTemplate> plan = parseTemplate(found.text, found.row.where);
    if (!plan) {
        found.row.broken = plan.error();
        return;
    }
    if (const std::string name = unknownThreshold(*plan); !name.empty()) {
        std::vector<std::string> known;
        for (const Threshold& threshold : kThresholds)
            known.emplace_back(threshold.name);
        found.row.broken = Error{.code = ErrorCode::badInput,
                                 .message = fmt::format("{}: unknown threshold: \"{}\".", found.row.where, name),
                                 .hint = fmt::format("Known: {}.", fmt::join(known, ", ")),
                                 .where = found.row.where};
        return;
    }
    found.row.kind = plan->kind;
    found.row.title = plan->title;
    found.row.budgetMinutes = plan->budgetMinutes;
    for (const SessionTemplate::Phase& phase : plan->phases)
        found.row.phases.push_back(phase.title);
    for (const SessionTemplate::Gate& gate : plan->gates)
        found.row.gates.push_back(gate.id);
}

std::vector<Found> listCarried()
{
    std::vector<Found> all;
    for (const char* kind : kOrder)
        if (const auto text = resource(fmt::format("{}{}.json", kFolder, kind))) {
            Found found{{kind}, std::string(*text)};
            found.row.where = fmt::format("{}{}.json", kFolder, kind);
            describe(found);
            all.push_back(std::move(found));
        }
    return all;
}

void addOwn(std::vector<Found>& all)
{
    std::error_code trouble;
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(ownTemplatesFolder(), trouble))
        if (entry.path().extension() == ".json")
            files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    for (const std::filesystem::path& file : files) {
        Found found{{file.stem().string()}, {}};
        found.row.own = true;
        found.row.where = file.string();
        if (Result<std::string> text = readFile(file.string(), kLargestTemplate)) {
            found.text = std::move(*text);
            describe(found);
        } else {
            found.row.broken = text.error();
        }
        const auto taken =
            std::find_if(all.begin(), all.end(), [&](const Found& other) { return other.row.kind == found.row.kind && !other.row.broken; });
        if (!found.row.broken && taken != all.end())
            found.row.broken = Error{
                .code = ErrorCode::badInput,
                .message = fmt::format("{}: the kind \"{}\" is already defined by {}.", file.string(), found.row.kind, taken->row.where),
                .hint = "Choose another name for \"kind\".",
                .where = file.string()};
        all.push_back(std::move(found));
    }
}

std::vector<Found> findAll()
{
    std::vector<Found> all = listCarried();
    addOwn(all);
    return all;
}

} // namespace

std::filesystem::path ownTemplatesFolder()
{
    return dataFolder() / "templates";
}

std::vector<KindRow> sessionKinds()
{
    std::vector<KindRow> rows;
    for (Found& found : findAll())
        rows.push_back(std::move(found.row));
    return rows;
}

Result<std::string> templateText(const std::string& kind)
{
    std::vector<std::string> names;
    for (Found& found : findAll()) {
        if (found.row.kind == kind)
            return found.row.broken ? Result<std::string>(*found.row.broken) : Result<std::string>(std::move(found.text));
        if (!found.row.broken)
            names.push_back(found.row.kind);
    }
    return Error{.code = ErrorCode::badInput,
                 .message = fmt::format("There is no session kind \"{}\".", kind),
                 .hint = fmt::format("Kinds: {}. Put your own in {}.", fmt::join(names, ", "), ownTemplatesFolder().string()),
                 .where = kind};
}

} // namespace kl::inline session
