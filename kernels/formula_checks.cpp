// SPDX-License-Identifier: MIT
#include "kernels/descriptor_checks.h"

#include "kernels/work_builder.h"

#include <algorithm>
#include <fmt/format.h>

namespace kl {
namespace {

/// Evaluates formulas on one problem of one variant, and keeps the first that fails.
class FormulaCheck {
public:
    explicit FormulaCheck(const FamilyPoint& point) : point_(point) {}

    void count(const std::string& path, const std::string& formula, std::int64_t least)
    {
        if (!fault)
            keep(path, evaluateCount(formula, point_.scope, least));
    }
    void number(const std::string& path, const std::string& formula)
    {
        if (!fault)
            keep(path, evaluate(formula, point_.scope));
    }
    void text(const std::string& path, const std::string& text)
    {
        if (!fault)
            keep(path, substitute(text, point_.scope));
    }
    void counts(const std::string& path, const std::vector<std::string>& formulas)
    {
        for (std::size_t i = 0; i < formulas.size(); ++i)
            count(fmt::format("{}[{}]", path, i), formulas[i], 1);
    }
    void indices(const std::string& path, const std::vector<std::string>& texts)
    {
        for (std::size_t i = 0; i < texts.size(); ++i)
            count(fmt::format("{}[{}]", path, i), texts[i].substr(texts[i].find(':') + 1), 1);
    }
    void numbers(const std::string& path, const std::map<std::string, std::string>& formulas)
    {
        for (const auto& [name, formula] : formulas)
            number(path + '.' + name, formula);
    }

    std::optional<DescriptorFault> fault;

private:
    template <class T> void keep(const std::string& path, const Result<T>& result)
    {
        if (result)
            return;
        std::string message = result.error().message;
        message.erase(message.find_last_not_of('.') + 1);
        std::string names;
        for (const auto& [name, value] : point_.scope)
            names += (names.empty() ? "" : ", ") + name;
        fault = DescriptorFault{path, fmt::format("{} (at {})", message, toText(point_.sizes)),
                                fmt::format("It may use {}, and ceildiv(a,b), min, max, floor, ceil, mod(a,b).", names)};
    }

    const FamilyPoint& point_;
};

void checkSearch(const SearchRules& rules, const std::string& path, FormulaCheck& check)
{
    check.count(path + ".static_smem", rules.staticSmem, 0);
    check.count(path + ".min_blocks", rules.minBlocks, 1);
    if (!rules.otherRegisters.empty())
        check.number(path + ".other_registers", rules.otherRegisters);
    for (std::size_t i = 0; i < rules.fragments.size(); ++i)
        check.number(fmt::format("{}.fragments[{}].count", path, i), rules.fragments[i].count);
    for (std::size_t i = 0; i < rules.global.size(); ++i) {
        const std::string here = fmt::format("{}.global[{}]", path, i);
        check.count(here + ".bytes", rules.global[i].bytes, 1);
        check.count(here + ".lanes", rules.global[i].lanes, 1);
        check.count(here + ".pitch", rules.global[i].pitch, 0);
        if (!rules.global[i].laneStride.empty())
            check.count(here + ".lane_stride", rules.global[i].laneStride, 0);
    }
    for (std::size_t i = 0; i < rules.shared.size(); ++i) {
        const std::string here = fmt::format("{}.shared[{}]", path, i);
        check.count(here + ".pitch", rules.shared[i].pitch, 1);
        check.count(here + ".row_mask", rules.shared[i].rowMask, 0);
    }
}

void checkVariant(const Variant& variant, const std::string& path, FormulaCheck& check)
{
    if (!variant.tunables.empty())
        checkSearch(variant.search, path + ".search", check);
    for (std::size_t i = 0; i < variant.options.size(); ++i)
        check.text(fmt::format("{}.options[{}]", path, i), variant.options[i]);
    for (std::size_t i = 0; i < variant.launches.size(); ++i) {
        const LaunchFormula& launch = variant.launches[i];
        const std::string here = fmt::format("{}.launches[{}]", path, i);
        check.counts(here + ".grid", launch.grid);
        check.counts(here + ".block", launch.block);
        check.count(here + ".dynamic_smem", launch.dynamicSmem, 0);
        check.count(here + ".repeat", launch.repeat, 0);
        for (std::size_t j = 0; j < launch.args.size(); ++j)
            if (const auto colon = launch.args[j].find(':'); colon != std::string::npos)
                check.number(fmt::format("{}.args[{}]", here, j), launch.args[j].substr(colon + 1));
    }
}

void checkFamily(const KernelFamily& family, FormulaCheck& check)
{
    for (std::size_t i = 0; i < family.buffers.size(); ++i) {
        const std::string here = fmt::format("buffers[{}]", i);
        check.count(here + ".count", family.buffers[i].count, 1);
        check.numbers(here + ".type_when", family.buffers[i].typeWhen);
        check.numbers(here + ".fill_when", family.buffers[i].fillWhen);
    }
    check.numbers("reference.params", family.reference.params);
    check.indices("reference.index", family.reference.index);
    check.indices("reference.sum", family.reference.sum);
    check.numbers("baseline.params", family.baseline.params);
    for (std::size_t i = 0; i < family.baselines.size(); ++i)
        check.numbers(fmt::format("baselines[{}].params", i), family.baselines[i].params);
    check.number("tolerance_scale", family.toleranceScale);
    check.number("flops", family.flops);
    check.number("ideal_bytes", family.idealBytes);
}

} // namespace

std::optional<DescriptorFault> formulaFault(const KernelFamily& family)
{
    std::vector<Params> problems = family.problems;
    problems.push_back(family.smallest);
    problems.insert(problems.end(), family.suite.begin(), family.suite.end());
    for (std::size_t i = 0; i < family.variants.size(); ++i)
        for (const Params& problem : problems) {
            const Variant& variant = family.variants[i];
            const std::string path = fmt::format("variants[{}]", i);
            const Result<FamilyPoint> point = pointOf(family, variant, {}, problem);
            if (!point)
                return DescriptorFault{path, point.error().message, point.error().hint};
            FormulaCheck check(*point);
            checkVariant(variant, path, check);
            checkFamily(family, check);
            if (!variant.tunables.empty())
                for (std::size_t c = 0; c < family.constraints.size(); ++c)
                    check.number(fmt::format("constraints[{}]", c), family.constraints[c]);
            if (check.fault)
                return check.fault;
        }
    return {};
}

} // namespace kl
