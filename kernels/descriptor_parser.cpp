// SPDX-License-Identifier: MIT
#include "kernels/descriptor_parser.h"

#include "core/base/resource.h"
#include "core/base/try.h"
#include "core/codec/json_reader.h"
#include "core/codec/json_schema.h"
#include "kernels/descriptor_checks.h"
#include "kernels/descriptor_errors.h"
#include "kernels/descriptor_fields.h"
#include "kernels/old_names.h"

#include <algorithm>

namespace kl::inline kernels {
namespace {

/// The file as written: sizes are texts ("M=32,N=32") until they are checked.
struct RawDescriptor {
    KernelFamily family;
    std::vector<std::string> problems;
    std::string smallest;
    std::vector<std::string> suite;
};

template <class V> void fields(V& v, RawDescriptor& d)
{
    KernelFamily& f = d.family;
    v("id", f.id);
    v("title", f.title);
    v("source", f.sourcePath);
    v("targets", f.targets);
    v("sizes", f.sizes);
    v("optional_sizes", f.optionalSizes);
    v("problems", d.problems);
    v("smallest", d.smallest);
    v("suite", d.suite);
    v("buffers", f.buffers);
    v("reference", f.reference);
    v("tolerance", f.tolerance);
    v("tolerance_scale", f.toleranceScale);
    v("baseline", f.baseline);
    v("baselines", f.baselines);
    v("flops", f.flops);
    v("ideal_bytes", f.idealBytes);
    v("tunables", f.tunables);
    v("constraints", f.constraints);
    v("variants", f.variants);
}

/// What the schema takes for a whole number may be written with a fraction or an exponent: 16.0.
void makeWhole(Json& value)
{
    if (value.is_array())
        for (Json& item : value)
            makeWhole(item);
    else if (value.is_number_float())
        value = static_cast<std::int64_t>(value.get<double>());
}

/// An argument is a text, or an object that describes a tensor map: one shape for both.
void nameTexts(Json& descriptor)
{
    for (Json& variant : descriptor["variants"])
        for (Json& launch : variant["launches"])
            for (Json& argument : launch["args"])
                if (argument.is_string())
                    argument = Json{{"text", argument}};
}

/// Variants without targets get those of the family.
void completeTargets(KernelFamily& family)
{
    for (Variant& variant : family.variants)
        if (variant.targets.empty())
            variant.targets = family.targets;
}

Result<Params> parseSizes(const std::string& text, const KernelFamily& family, const std::string& path, const DescriptorErrors& faults)
{
    Result<Params> params = parseParams(text);
    if (!params)
        return faults.at({path, fmt::format("\"{}\" is not a list of sizes", text), "Write it as \"M=1024,N=1024\"."});
    for (const std::string& size : family.sizes)
        if (numberIn(*params, size) == nullptr)
            return faults.at({path, fmt::format("\"{}\" has no whole number for {}", text, size),
                              fmt::format("Give each of \"sizes\" a whole number, e.g. {}=1024.", size)});
    for (const auto& [name, value] : *params)
        if (std::find(family.sizes.begin(), family.sizes.end(), name) == family.sizes.end() && !family.optionalSizes.contains(name))
            return faults.at({path, fmt::format("{} is not a size of this kernel", name), "Add it to \"sizes\", or leave it out."});
    for (const auto& [name, value] : *params)
        if (const std::int64_t* number = numberIn(*params, name); number == nullptr || *number < 0 || *number > kMaxCount)
            return faults.at(
                {path, fmt::format("{} is not a size", toText(Params{{name, value}})), "Sizes are whole numbers from 0 to 2^53."});
    return params;
}

Status parseProblems(const RawDescriptor& raw, KernelFamily& family, const DescriptorErrors& faults)
{
    const auto all = [&](const std::vector<std::string>& texts, const char* field, std::vector<Params>& out) -> Status {
        for (std::size_t i = 0; i < texts.size(); ++i) {
            KL_ASSIGN(Params params, parseSizes(texts[i], family, fmt::format("{}[{}]", field, i), faults));
            out.push_back(std::move(params));
        }
        return {};
    };
    KL_TRY(all(raw.problems, "problems", family.problems));
    KL_TRY(all(raw.suite, "suite", family.suite));
    KL_ASSIGN(Params smallest, parseSizes(raw.smallest, family, "smallest", faults));
    family.smallest = std::move(smallest);
    return {};
}

/// A reference names its output where there is one output only, and all inputs, by saying nothing.
void completeReference(KernelFamily& family)
{
    KernelFamily::Reference& reference = family.reference;
    std::vector<std::string> outputs;
    std::vector<std::string> inputs;
    for (const KernelFamily::Buffer& buffer : family.buffers) {
        if (buffer.role == BufferRole::output)
            outputs.push_back(buffer.name);
        if (buffer.role == BufferRole::input)
            inputs.push_back(buffer.name);
    }
    if (reference.output.empty() && outputs.size() == 1)
        reference.output = outputs.front();
    if (reference.inputs.empty() && (!reference.expression.empty() || !reference.python.empty()))
        reference.inputs = inputs;
}

const Result<JsonSchema>& descriptorSchema()
{
    static const Result<JsonSchema> schema = []() -> Result<JsonSchema> {
        KL_ASSIGN(const std::string_view text, resource(kDescriptorSchema));
        KL_ASSIGN(const Json json, parseJson(text, kDescriptorSchema));
        return JsonSchema::load(json, kDescriptorSchema);
    }();
    return schema;
}

Status checkSchema(const Json& descriptor, const DescriptorErrors& faults)
{
    KL_ASSIGN(const JsonSchema* schema, pointerTo(descriptorSchema()));
    if (const std::vector<SchemaFault> found = schema->check(descriptor); !found.empty())
        return faults.at(found);
    if (std::optional<Error> twice = faults.duplicate())
        return *twice;
    return {};
}

} // namespace

Result<KernelFamily> parseDescriptor(std::string_view text, std::string_view where, DescriptorChecks checks)
{
    Json json;
    if (const std::optional<JsonFault> fault = readJson(text, json))
        return DescriptorErrors::syntax(text, where, *fault);
    const DescriptorErrors faults(text, where);
    renameOldFields(json);
    if (checks != DescriptorChecks::none)
        KL_TRY(checkSchema(json, faults));
    if (json.contains("tunables"))
        for (Json& tunable : json["tunables"]) {
            makeWhole(tunable["values"]);
            makeWhole(tunable["default"]);
        }
    nameTexts(json);
    KL_ASSIGN(RawDescriptor raw, fromJson<RawDescriptor>(json, where));
    KernelFamily family = std::move(raw.family);
    KL_TRY(parseProblems(raw, family, faults));
    completeReference(family);
    completeTargets(family);
    if (checks == DescriptorChecks::none)
        return family;
    if (const auto fault = structureFault(family))
        return faults.at(*fault);
    if (checks == DescriptorChecks::formulas)
        if (const auto fault = formulaFault(family))
            return faults.at(*fault);
    return family;
}

} // namespace kl::inline kernels
