// SPDX-License-Identifier: MIT
#include "app/kloop/program.h"

#include "sessions/learning/sample_builder.h"

#include <cstdio>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl {

Program::Program(const Options& options, std::stop_token stop) : options_(options), stop_(std::move(stop)), device_(options.on) {}

Result<const Catalogue*> Program::catalogue()
{
    if (!catalogue_) {
        Result<Catalogue> loaded = Catalogue::embedded();
        if (!loaded)
            return loaded.error();
        catalogue_.emplace(std::move(*loaded));
    }
    return &*catalogue_;
}

Result<const DiagnosisTree*> Program::tree()
{
    if (!tree_) {
        Result<DiagnosisTree> loaded = DiagnosisTree::embedded();
        if (!loaded)
            return loaded.error();
        tree_.emplace(std::move(*loaded));
    }
    return &*tree_;
}

Result<Store*> Program::store()
{
    if (!store_) {
        const std::string location = options_.db.empty() ? Store::defaultLocation() : options_.db;
        Result<std::unique_ptr<Store>> opened = location == ":sample:" ? openSampleStore() : Store::open(location);
        if (!opened)
            return opened.error();
        store_ = std::move(*opened);
        if (!store_->notice().empty())
            fmt::print(stderr, "kloop: {}\n", store_->notice());
    }
    return store_.get();
}

Result<Workbench*> Program::bench()
{
    if (!bench_) {
        const Result<const Catalogue*> kernels = catalogue();
        if (!kernels)
            return kernels.error();
        const Result<const DiagnosisTree*> questions = tree();
        if (!questions)
            return questions.error();
        const Result<Store*> database = store();
        if (!database)
            return database.error();
        bench_.emplace(**kernels, **questions, device_, **database);
    }
    return &*bench_;
}

Result<SessionEngine*> Program::engine()
{
    if (!engine_) {
        const Result<Workbench*> workbench = bench();
        if (!workbench)
            return workbench.error();
        engine_.emplace(**workbench);
    }
    return &*engine_;
}

Job Program::job()
{
    return {[this](const Progress& progress) { progress_.show(progress); }, stop_};
}

bool Program::printed(const Json& answer)
{
    progress_.clear();
    if (options_.json)
        fmt::print("{}\n", encodePretty(answer));
    return options_.json;
}

Result<Params> oneProblem(const Options& options)
{
    if (options.problems.size() > 1)
        return Error{ErrorCode::usage, "This command takes one --problem.", "Run it once for each size.", "--problem", {}};
    return options.problems.empty() ? Result<Params>(Params{}) : parseParams(options.problems.front());
}

Result<Address> variantAddress(const Catalogue& catalogue, const std::string& text)
{
    Result<Address> address = parseAddress(text);
    if (!address)
        return address;
    const Result<const KernelFamily*> family = catalogue.family(address->family);
    if (!family)
        return family.error();
    if (address->variant.empty()) {
        std::string names;
        for (const Variant& variant : (*family)->variants)
            names += fmt::format("{}{}/{}", names.empty() ? "" : ", ", address->family, variant.id);
        return Error{
            ErrorCode::badInput, fmt::format("\"{}\" names a family; say which variant.", text), "Its variants: " + names + '.', text, {}};
    }
    if (const Result<const Variant*> variant = catalogue.variant(*address); !variant)
        return variant.error();
    return address;
}

} // namespace kl
