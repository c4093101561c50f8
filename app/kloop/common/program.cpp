// SPDX-License-Identifier: MIT
#include "app/kloop/common/program.h"

#include "app/kloop/terminal/step_commands.h"
#include "app/kloop/terminal/streams.h"
#include "app/kloop/terminal/terminal_consent.h"
#include "app/kloop/terminal/timings_table.h"
#include "core/base/clean_text.h"
#include "core/base/timings.h"
#include "core/base/try.h"
#include "core/codec/json_list.h"
#include "kernels/user_kernel.h"
#include "kernels/variant_choice.h"
#include "sessions/shipped/sample_store.h"
#include "sessions/target/target_family.h"

#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::cli {
namespace {

/// "family/variant@TUNABLE=1" of a path's kernel; a path that names no variant means `otherwise`, the family alone where that is empty.
std::string formatAddress(const KernelFamily& family, const KernelPath& path, const std::string& otherwise)
{
    const auto at = path.rest.find('@');
    const std::string variant = at == 0 || path.rest.empty() ? otherwise : path.rest.substr(0, at);
    return family.id + (variant.empty() ? "" : '/' + variant) + (at == std::string::npos ? "" : path.rest.substr(at));
}

/// The address of a variant that the catalog has.
Result<Address> variantAddress(const Catalog& catalog, const std::string& text, const Params& problem, const std::function<Chip()>& chip)
{
    KL_ASSIGN(Address address, parseAddress(text));
    KL_ASSIGN(const KernelFamily* family, catalog.family(address.family));
    if (address.variant.empty()) { // which takes a device where the family chooses by it
        KL_ASSIGN(const Variant* chosen, chooseVariant(*family, problem, choosesByItself(*family) ? chip() : Chip{}));
        address.variant = chosen->id;
    }
    KL_ASSIGN([[maybe_unused]] const Variant* variant, catalog.variant(address));
    return address;
}

} // namespace

Program::Program(const GlobalOptions& options, std::stop_token stop)
    : options_(options), stop_(std::move(stop)), consent_(terminalConsent(options.trust, progress_)),
      device_(options.on.value_or(DeviceSpec::local()), consent_, job())
{
}

std::unique_ptr<LazyDevice> Program::makeLazyDevice(DeviceSpec device)
{
    return std::make_unique<LazyDevice>(std::move(device), workerOptions(consent_, job()));
}

Result<const Catalog*> Program::catalog()
{
    if (catalog_)
        return &*catalog_;
    const Timed time("catalog");
    if (!databaseOpen() && !databaseExists()) { // looking at kernels makes no database
        KL_ASSIGN(Catalog embedded, Catalog::loadEmbedded());
        return &catalog_.emplace(std::move(embedded));
    }
    KL_ASSIGN(auto* database, store());
    KL_ASSIGN(OpenCatalog open, openCatalog(*database));
    broken_ = std::move(open.broken);
    for (const BrokenKernel& kernel : broken_)
        say("kloop: a registered kernel is left out: {}\n", kernel.error.message);
    return &catalog_.emplace(std::move(open.catalog));
}

Result<const DiagnosisTree*> Program::tree()
{
    if (!tree_) {
        const Timed time("diagnosis tree");
        KL_ASSIGN(DiagnosisTree loaded, DiagnosisTree::loadConfigured(options_.tree));
        tree_.emplace(std::move(loaded));
    }
    return &*tree_;
}

std::string Program::location() const
{
    return options_.db.empty() ? Store::defaultLocation() : options_.db;
}

bool Program::databaseExists() const
{
    std::error_code failure;
    return isSampleLocation(location()) || std::filesystem::exists(location(), failure);
}

bool Program::databaseOpen()
{
    const std::lock_guard lock(opening_);
    return store_ != nullptr;
}

Result<Store*> Program::store()
{
    const std::lock_guard lock(opening_);
    if (!store_) {
        const Timed time("database");
        const bool created = !options_.db.empty() && !databaseExists(); // perhaps misspelled
        KL_ASSIGN(std::unique_ptr<Store> opened, isSampleLocation(location()) ? openSampleStore(location()) : Store::open(location()));
        store_ = std::move(opened);
        if (created)
            say("kloop: created the database {}\n", location());
        if (!store_->notice().empty())
            say("kloop: {}\n", store_->notice());
    }
    return store_.get();
}

Result<Store*> Program::existingStore()
{
    if (!options_.db.empty() && !databaseExists())
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("There is no database {}.", options_.db),
                     .hint = "Check its path.",
                     .where = options_.db};
    return store();
}

Result<Workbench*> Program::bench()
{
    if (!bench_) {
        KL_ASSIGN(const Catalog* kernels, catalog());
        KL_ASSIGN(const DiagnosisTree* questions, tree());
        KL_ASSIGN(auto* database, store());
        recommender_.emplace(*database, *kernels, *questions);
        bench_.emplace(*kernels, *questions, device_, *database, *recommender_);
    }
    return &*bench_;
}

Result<SessionEngine*> Program::engine()
{
    if (!engine_) {
        KL_ASSIGN(auto* workbench, bench());
        reports_.emplace(workbench->store(), workbench->catalog());
        engine_.emplace(*workbench, *reports_);
    }
    return &*engine_;
}

void Program::reloadKernels()
{
    engine_.reset();
    reports_.reset();
    bench_.reset();
    recommender_.reset();
    catalog_.reset();
}

Job Program::job()
{
    Job job{[this](const Progress& progress) { progress_.show(progress); }, stop_};
    job.notice = [this](const std::string& text) { progress_.tell(text); };
    return job;
}

bool Program::printAsJson(const Json& answer)
{
    progress_.clear();
    if (!options_.json)
        return false;
    Json whole = answer;
    addStepCommands(whole);
    if (options_.timings)
        whole["phases"] = phasesToJson(timings());
    printJson(encodePretty(whole));
    return true;
}

void Program::printList(const Json& answer, const std::string& name, std::vector<std::string> items)
{
    progress_.clear();
    Json around = answer;
    addStepCommands(around);
    for (const std::string& piece : encodePrettyAround(around, name, std::move(items)))
        printRaw(escapeHidden(piece));
    printRaw("\n");
}

Result<std::vector<Params>> allProblems(const std::vector<std::string>& texts)
{
    std::vector<Params> problems;
    for (const std::string& text : texts) {
        KL_ASSIGN(Params problem, parseParams(text));
        problems.push_back(std::move(problem));
    }
    if (problems.empty())
        problems.emplace_back();
    return problems;
}

Result<Params> oneProblem(const std::vector<std::string>& texts)
{
    if (texts.size() > 1)
        return Error{.code = ErrorCode::usage,
                     .message = "This command takes one --problem.",
                     .hint = "Run it once for each size.",
                     .where = "--problem"};
    return texts.empty() ? Result<Params>(Params{}) : parseParams(texts.front());
}

Result<std::string> Program::plainAddress(const std::string& text)
{
    const std::optional<KernelPath> path = kernelPathIn(text);
    if (!path)
        return text;
    KL_ASSIGN([[maybe_unused]] const Catalog* kernels, catalog());
    KL_ASSIGN(KernelFamily family, loadFamily(path->path));
    std::string plain = formatAddress(family, *path, choosesByItself(family) ? std::string() : family.variants.front().id);
    nameFamilyByPath(family.id, path->path.string());
    KL_TRY(catalog_->add(std::move(family)));
    return plain;
}

Result<Address> Program::kernel(const std::string& text, const Params& problem, const std::optional<Chip>& on)
{
    KL_ASSIGN(const Catalog* kernels, catalog());
    const Result<std::string> plain = plainAddress(text);
    return plain ? variantAddress(*kernels, *plain, problem, [&] { return on ? *on : chip(); }) : Result<Address>(plain.error());
}

Result<std::string> Program::registerKernelPath(const std::string& text)
{
    const std::optional<KernelPath> path = kernelPathIn(text);
    if (!path)
        return text;
    KL_ASSIGN(auto* database, store());
    KL_ASSIGN(const KernelFamily family, registerKernel(*database, path->path.string()));
    KL_ASSIGN([[maybe_unused]] const Catalog* kernels, catalog());
    KL_TRY(catalog_->add(family));
    return formatAddress(family, *path, {});
}

} // namespace kl::cli
