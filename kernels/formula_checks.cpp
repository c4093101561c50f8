// SPDX-License-Identifier: MIT
#include "kernels/descriptor_checks.h"

#include "kernels/code_builder.h"
#include "kernels/compiler_options.h"
#include "kernels/work_builder.h"

#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kl::inline kernels {
namespace {

/// Most blocks and threads along x, y and z, and threads of a block, of every architecture since 3.0 (CUDA C++ Programming Guide,
/// "Technical Specifications per Compute Capability").
constexpr std::array<std::int64_t, 3> kMostBlocks{2147483647, 65535, 65535};
constexpr std::array<std::int64_t, 3> kMostThreads{1024, 1024, 64};
constexpr std::int64_t kMostThreadsOfBlock = 1024;

/// Evaluates formulas on one problem of one variant, and keeps the first that fails.
class FormulaCheck {
public:
    FormulaCheck(const Params& problem, const Scope& scope) : problem_(problem), scope_(scope) {}

    std::int64_t count(const std::string& path, const std::string& formula, std::int64_t least, std::int64_t most = kMaxCount)
    {
        if (fault)
            return least;
        const Result<std::int64_t> value = evaluateCount(formula, scope_, least, most);
        keep(path, value);
        return value ? *value : least;
    }
    double number(const std::string& path, const std::string& formula)
    {
        if (fault)
            return 0;
        const Result<double> value = evaluate(formula, scope_);
        keep(path, value);
        return value ? *value : 0;
    }
    void notNegative(const std::string& path, const std::string& formula)
    {
        if (const double value = number(path, formula); value < 0)
            say(path, fmt::format("\"{}\" is {}, below 0", formula, value), {});
    }
    void text(const std::string& path, const std::string& text)
    {
        if (!fault)
            keep(path, substitute(text, scope_));
    }
    void option(const std::string& path, const std::string& text)
    {
        if (fault)
            return;
        const Result<std::string> filled = substitute(text, scope_);
        keep(path, filled);
        if (!filled)
            return;
        if (const std::optional<OptionFault> refused = compilerOptionFault(*filled))
            say(path, refused->message, refused->hint);
    }
    void argument(const std::string& path, const KernelFamily& family, const ArgFormula& argument)
    {
        if (fault)
            return;
        const Result<ArgSpec> arg = buildArg(family, argument, scope_);
        if (arg || argument.map.buffer.empty())
            return keep(path, arg);
        mapFormulas(path, argument.map);
        if (!fault) { // the formulas are sound: a rule of tensor maps is broken
            std::string message = arg.error().message;
            message.erase(message.find_last_not_of('.') + 1);
            say(path + '.' + arg.error().where, message, arg.error().hint);
        }
    }
    /// All formulas of a map, so that the field of one that fails is named.
    void mapFormulas(const std::string& path, const TensorMapFormula& map)
    {
        for (const auto& [formulas, field] : {std::pair(&map.dims, "dims"), std::pair(&map.strides, "strides"), std::pair(&map.box, "box"),
                                              std::pair(&map.elementStrides, "element_strides")})
            for (std::size_t i = 0; i < formulas->size(); ++i)
                count(fmt::format("{}.{}[{}]", path, field, i), (*formulas)[i], 1);
    }
    std::vector<std::int64_t> counts(const std::string& path, const std::vector<std::string>& formulas,
                                     const std::array<std::int64_t, 3>& most)
    {
        std::vector<std::int64_t> values;
        for (std::size_t i = 0; i < formulas.size(); ++i)
            values.push_back(count(fmt::format("{}[{}]", path, i), formulas[i], 1, most[i]));
        return values;
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
    void say(const std::string& path, const std::string& message, const std::string& hint)
    {
        if (!fault)
            fault = DescriptorFault{path, fmt::format("{} (at {})", message, toText(problem_)), hint};
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
        for (const auto& [name, value] : scope_)
            names += (names.empty() ? "" : ", ") + name;
        say(path, message, fmt::format("It may use {}, and ceildiv(a,b), min, max, floor, ceil, mod(a,b).", names));
    }

    const Params& problem_;
    const Scope& scope_;
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

void checkLaunch(const KernelFamily& family, const LaunchFormula& launch, const std::string& path, FormulaCheck& check)
{
    LaunchSpec shape;
    shape.grid = check.counts(path + ".grid", launch.grid, kMostBlocks);
    shape.cluster = check.counts(path + ".cluster", launch.cluster, kMostBlocks);
    shape.grid.resize(3, 1);
    if (!shape.cluster.empty())
        shape.cluster.resize(3, 1);
    if (const std::optional<LaunchFault> fault = launchShapeFault(shape))
        check.say(path + '.' + fault->field, fault->message, fault->hint);
    std::int64_t threads = 1;
    const std::vector<std::int64_t> block = check.counts(path + ".block", launch.block, kMostThreads);
    for (const std::int64_t axis : block)
        threads *= axis;
    if (threads > kMostThreadsOfBlock)
        check.say(path + ".block",
                  fmt::format("{} are {} threads; the limit is {} per block", fmt::join(block, " × "), threads, kMostThreadsOfBlock),
                  "Use fewer threads per block.");
    check.count(path + ".dynamic_smem", launch.dynamicSmem, 0);
    check.count(path + ".repeat", launch.repeat, 0, kMaxRepeat);
    for (std::size_t j = 0; j < launch.args.size(); ++j)
        check.argument(fmt::format("{}.args[{}]", path, j), family, launch.args[j]);
}

void checkVariant(const KernelFamily& family, const Variant& variant, const std::string& path, FormulaCheck& check)
{
    if (!variant.when.empty())
        check.number(path + ".when", variant.when);
    if (!variant.tunables.empty())
        checkSearch(variant.search, path + ".search", check);
    for (std::size_t i = 0; i < variant.options.size(); ++i)
        check.option(fmt::format("{}.options[{}]", path, i), variant.options[i]);
    for (std::size_t i = 0; i < variant.launches.size(); ++i)
        checkLaunch(family, variant.launches[i], fmt::format("{}.launches[{}]", path, i), check);
}

/// A copy of no bytes, or a roof of no work, would be a time that means nothing.
void checkBaseline(const KernelFamily::BaselineFormula& baseline, const std::map<std::string, std::string>& params, const std::string& path,
                   FormulaCheck& check)
{
    double work = 0;
    for (const auto& [name, formula] : params) {
        check.notNegative(path + ".params." + name, formula);
        if (name == "bytes" || ((name == "flops" || name == "tensor_flops") && baseline.kind != "copy"))
            work += check.number(path + ".params." + name, formula);
    }
    if ((baseline.kind == "copy" || baseline.kind == "roof" || baseline.fallback == "roof") && work <= 0)
        check.say(path, fmt::format("of kind {} needs a value above 0 in its \"params\"", baseline.kind),
                  baseline.kind == "copy" ? "As \"params\": {\"bytes\": \"4*N\"}."
                                          : "As \"params\": {\"bytes\": \"8*N\", \"flops\": \"2*N\"}.");
}

void checkFamily(const KernelFamily& family, FormulaCheck& check)
{
    for (std::size_t i = 0; i < family.buffers.size(); ++i) {
        const std::string here = fmt::format("buffers[{}]", i);
        check.count(here + ".count", family.buffers[i].count, 1);
        check.numbers(here + ".type_when", family.buffers[i].typeWhen);
        check.numbers(here + ".fill_when", family.buffers[i].fillWhen);
        check.text(here + ".file", family.buffers[i].file);
    }
    check.numbers("reference.params", family.reference.params);
    check.indices("reference.index", family.reference.index);
    check.indices("reference.sum", family.reference.sum);
    check.text("reference.file", family.reference.file);
    checkBaseline(family.baseline, family.baseline.params, "baseline", check);
    for (std::size_t i = 0; i < family.baselines.size(); ++i) {
        const KernelFamily::BaselineFormula& one = family.baselines[i];
        checkBaseline(one, one.params.empty() ? family.baseline.params : one.params, fmt::format("baselines[{}]", i), check);
    }
    check.notNegative("tolerance_scale", family.toleranceScale);
    check.notNegative("flops", family.flops);
    check.notNegative("ideal_bytes", family.idealBytes);
}

/// What the sizes that a problem gives must suffice for.
std::optional<DescriptorFault> sizeFault(const KernelFamily& family, const Params& problem)
{
    Scope given;
    for (const std::string& name : family.sizes)
        given[name] = static_cast<double>(*numberIn(problem, name));
    FormulaCheck check(problem, given);
    for (const auto& [name, formula] : family.optionalSizes)
        check.count("optional_sizes." + name, formula, 0);
    for (const auto& [name, value] : problem)
        given[name] = static_cast<double>(*numberIn(problem, name));
    addChip(given, {});
    for (std::size_t i = 0; i < family.variants.size(); ++i)
        check.number(fmt::format("variants[{}].expected_when", i), family.variants[i].expectedWhen);
    return check.fault;
}

} // namespace

std::optional<DescriptorFault> formulaFault(const KernelFamily& family)
{
    std::vector<Params> problems = family.problems;
    problems.push_back(family.smallest);
    problems.insert(problems.end(), family.suite.begin(), family.suite.end());
    for (const Params& problem : problems)
        if (std::optional<DescriptorFault> fault = sizeFault(family, problem))
            return fault;
    for (std::size_t i = 0; i < family.variants.size(); ++i)
        for (const Params& problem : problems) {
            const Variant& variant = family.variants[i];
            const std::string path = fmt::format("variants[{}]", i);
            const Result<FamilyPoint> point = makeFamilyPoint(family, variant, {}, problem);
            if (!point)
                return DescriptorFault{path, point.error().message, point.error().hint};
            FormulaCheck check(point->sizes, point->scope);
            checkVariant(family, variant, path, check);
            checkFamily(family, check);
            if (!variant.tunables.empty())
                for (std::size_t c = 0; c < family.constraints.size(); ++c)
                    check.number(fmt::format("constraints[{}]", c), family.constraints[c]);
            for (std::size_t c = 0; c < variant.constraints.size(); ++c)
                check.number(fmt::format("{}.constraints[{}]", path, c), variant.constraints[c]);
            if (!check.fault)
                check.fault = referenceFormulaFault(family, *point);
            if (check.fault)
                return check.fault;
        }
    return {};
}

} // namespace kl::inline kernels
