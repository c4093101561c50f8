// SPDX-License-Identifier: MIT
#include "kernels/descriptor_checks.h"

#include "kernels/reference/expression_reference.h"

#include <algorithm>
#include <fmt/format.h>

namespace kl::inline kernels {
namespace {

using Fault = std::optional<DescriptorFault>;

/// Functions are tried on zeros where inputs hold no more elements than this, and where elements and parameters together ask for no more
/// steps than that: reading a descriptor must not take long.
constexpr std::int64_t kMostElements = 1 << 16;
constexpr double kMostSteps = 1e7;

std::string withoutStop(std::string message)
{
    message.erase(message.find_last_not_of('.') + 1);
    return message;
}

/// The reference at one point; formulas are known to be sound.
class PointReference {
public:
    PointReference(const KernelFamily& family, const FamilyPoint& point) : family_(family), point_(point)
    {
        const KernelFamily::Reference& from = family.reference;
        spec_.function = from.function;
        spec_.expression = from.expression;
        spec_.inputs = from.inputs;
        spec_.output = from.output;
        for (const auto& [name, formula] : from.params)
            spec_.params[name] = *evaluate(formula, point.scope);
        if (!from.expression.empty())
            spec_.params = point.scope;
        spec_.index = indices(from.index);
        spec_.sum = indices(from.sum);
    }

    Fault expression()
    {
        const std::int64_t output = evaluateBufferCount(spec_.output);
        if (spec_.index.empty())
            spec_.index.push_back({"i", output});
        double all = 1;
        for (const IndexSpec& index : spec_.index)
            all *= static_cast<double>(index.count);
        if (all != static_cast<double>(output))
            return fault("reference.index", fmt::format("the indices cover {:.0f} elements, {} has {}", all, spec_.output, output),
                         "The product of the indices' counts must be the output's.");
        const Status sound = checkExpression(spec_, inputCounts());
        return sound ? Fault() : fault("reference.expression", withoutStop(sound.error().message), sound.error().hint);
    }

    Fault function() const
    {
        std::vector<std::vector<double>> inputs;
        std::int64_t elements = 1;
        for (const std::int64_t count : inputCounts()) {
            elements += count;
            if (elements > kMostElements)
                return {};
            inputs.emplace_back(static_cast<std::size_t>(count), 0.0);
        }
        double together = 1;
        for (const auto& [name, value] : spec_.params) {
            together *= std::max(1.0, value);
            if (value < 0 || together > kMostSteps || static_cast<double>(elements) * value > kMostSteps)
                return {};
        }
        const Result<Expected> expected = evaluateReference(spec_, inputs, 1);
        if (!expected)
            return fault("reference", withoutStop(expected.error().message), expected.error().hint);
        const std::int64_t output = evaluateBufferCount(spec_.output);
        const auto& places = expected->indices;
        const auto reached = static_cast<std::int64_t>(places.empty() ? expected->values.size() : 1 + *std::ranges::max_element(places));
        if (reached > output || (places.empty() && reached != output))
            return fault("reference.output", fmt::format("{} has {} elements, {} gives {}", spec_.output, output, spec_.function, reached),
                         "Correct the buffer's count or \"reference.params\".");
        return {};
    }

private:
    std::int64_t evaluateBufferCount(const std::string& name) const
    {
        const auto buffer = std::ranges::find(family_.buffers, name, &KernelFamily::Buffer::name);
        return *evaluateCount(buffer->count, point_.scope, 1);
    }
    std::vector<std::int64_t> inputCounts() const
    {
        std::vector<std::int64_t> counts;
        for (const std::string& name : spec_.inputs)
            counts.push_back(evaluateBufferCount(name));
        return counts;
    }
    std::vector<IndexSpec> indices(const std::vector<std::string>& texts) const
    {
        std::vector<IndexSpec> indices;
        for (const std::string& text : texts) {
            const auto colon = text.find(':');
            indices.push_back({text.substr(0, colon), *evaluateCount(text.substr(colon + 1), point_.scope, 1)});
        }
        return indices;
    }
    Fault fault(std::string path, const std::string& message, const std::string& hint) const
    {
        return DescriptorFault{std::move(path), fmt::format("{} (at {})", message, toText(point_.sizes)), hint};
    }

    const KernelFamily& family_;
    const FamilyPoint& point_;
    ReferenceSpec spec_;
};

} // namespace

std::optional<DescriptorFault> referenceFormulaFault(const KernelFamily& family, const FamilyPoint& point)
{
    if (!family.reference.expression.empty())
        return PointReference(family, point).expression();
    if (!family.reference.function.empty() && point.sizes == family.smallest)
        return PointReference(family, point).function();
    return {};
}

} // namespace kl::inline kernels
