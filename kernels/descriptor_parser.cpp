// SPDX-License-Identifier: MIT
#include "kernels/descriptor_parser.h"

#include "core/base/resource.h"
#include "core/codec/json_positions.h"
#include "core/codec/json_reader.h"
#include "core/codec/json_schema.h"
#include "kernels/descriptor_checks.h"
#include "kernels/model/work_fields.h"

#include <algorithm>

namespace kl {
namespace {

/// The file as it stands: sizes are texts ("M=32,N=32") until they are checked.
struct RawDescriptor {
    KernelFamily family;
    std::vector<std::string> problems;
    std::string smallest;
    std::vector<std::string> suite;
};

} // namespace

template <class V> void fields(V& v, Tunable& t)
{
    v("name", t.name);
    v("values", t.values);
    v("default", t.defaultValue);
    v("help", t.help);
    v("raising", t.raising);
    v("lowering", t.lowering);
    v("meaning", t.meaning);
}
template <class V> void fields(V& v, TensorMapFormula& m)
{
    v("tensor_map", m.buffer);
    v("dims", m.dims);
    v("strides", m.strides);
    v("box", m.box);
    v("element_strides", m.elementStrides);
    v("swizzle", m.swizzle);
    v("interleave", m.interleave);
    v("l2_promotion", m.promotion);
    v("oob_fill", m.outside);
}
template <class V> void fields(V& v, ArgFormula& a)
{
    v("text", a.text);
    v.inlined(a.map);
}
template <class V> void fields(V& v, LaunchFormula& l)
{
    v("entry", l.entry);
    v("grid", l.grid);
    v("block", l.block);
    v("dynamic_smem", l.dynamicSmem);
    v("args", l.args);
    v("repeat", l.repeat);
    v("cluster", l.cluster);
    v("cooperative", l.cooperative);
    v("programmatic", l.programmatic);
}
template <class V> void fields(V& v, SearchRules::Fragment& f)
{
    v("name", f.name);
    v("count", f.count);
}
template <class V> void fields(V& v, SearchRules::WarpAccess& a)
{
    v("name", a.name);
    v("bytes", a.bytes);
    v("lanes", a.lanes);
    v("pitch", a.pitch);
    v("lane_stride", a.laneStride);
}
template <class V> void fields(V& v, SearchRules::TileRead& t)
{
    v("name", t.name);
    v("pitch", t.pitch);
    v("row_mask", t.rowMask);
}
template <class V> void fields(V& v, SearchRules& s)
{
    v("static_smem", s.staticSmem);
    v("fragments", s.fragments);
    v("most_fragments", s.mostFragments);
    v("other_registers", s.otherRegisters);
    v("min_blocks", s.minBlocks);
    v("min_occupancy", s.minOccupancy);
    v("min_sector_efficiency", s.minSectorEfficiency);
    v("global", s.global);
    v("shared", s.shared);
}
template <class V> void fields(V& v, Variant& x)
{
    v("id", x.id);
    v("title", x.title);
    v("summary", x.summary);
    v("planted", x.planted);
    v("planted_when", x.plantedWhen);
    v("planted_why", x.plantedWhy);
    v("constants", x.constants);
    v("mends", x.mends);
    v("fix_title", x.fixTitle);
    v("changes", x.changes);
    v("source", x.sourcePath);
    v("options", x.options);
    v("targets", x.targets);
    v("when", x.when);
    v("tunables", x.tunables);
    v("constraints", x.constraints);
    v("launches", x.launches);
    v("graph", x.graph);
    v("deterministic", x.deterministic);
    v("state", x.state);
    v("arithmetic", x.arithmetic);
    v("search", x.search);
}
template <class V> void fields(V& v, KernelFamily::Buffer& b)
{
    v("name", b.name);
    v("type", b.type);
    v("type_when", b.typeWhen);
    v("count", b.count);
    v("role", b.role);
    v("fill", b.fill);
    v("fill_when", b.fillWhen);
    v("scale", b.scale);
    v("file", b.file);
}
template <class V> void fields(V& v, KernelFamily::Reference& r)
{
    v("function", r.function);
    v("params", r.params);
    v("inputs", r.inputs);
    v("output", r.output);
    v("expression", r.expression);
    v("index", r.index);
    v("sum", r.sum);
    v("kernel", r.kernel);
    v("file", r.file);
    v("python", r.python);
    v("timeout_s", r.timeoutSeconds);
}
template <class V> void fields(V& v, KernelFamily::BaselineFormula& b)
{
    v("kind", b.kind);
    v("name", b.name);
    v("op", b.op);
    v("params", b.params);
    v("fallback", b.fallback);
    v("id", b.id);
}

namespace {

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

/// Turns what is wrong into errors that name the place in the text.
class Faults {
public:
    Faults(std::string_view text, std::string_view where) : where_(where), positions_(text) {}

    Error at(const DescriptorFault& fault) const { return error(positions_.of(fault.path), inText(fault), fault.hint); }

    Error at(const std::vector<SchemaFault>& faults) const
    {
        Error first = at(DescriptorFault{faults.front().path, faults.front().message, faults.front().hint});
        for (std::size_t i = 1; i < std::min<std::size_t>(faults.size(), 20); ++i) {
            const TextPosition place = positions_.of(faults[i].path);
            first.detail += fmt::format("{}{}:{}:{}: {}.", i > 1 ? "\n" : "", where_, place.line, place.column,
                                        inText({faults[i].path, faults[i].message, {}}));
        }
        return first;
    }

    std::optional<Error> duplicate() const
    {
        if (positions_.duplicates().empty())
            return {};
        return at(DescriptorFault{positions_.duplicates().front(), "stands twice", "Keep one of the two."});
    }

    static Error syntax(std::string_view text, std::string_view where, const JsonFault& fault, const char* hint)
    {
        return Faults({}, where).error(positionAt(text, fault.offset), "this is not valid JSON: " + fault.message, hint);
    }

private:
    static std::string inText(const DescriptorFault& fault)
    {
        return fault.path.empty() ? "the descriptor " + fault.message : fault.path + ": " + fault.message;
    }

    Error error(TextPosition place, const std::string& what, const std::string& hint) const
    {
        const std::string spot = fmt::format("{}:{}:{}", where_, place.line, place.column);
        return {ErrorCode::badInput, fmt::format("{}: {}.", spot, what), hint, spot, {}};
    }

    std::string where_;
    JsonPositions positions_;
};

/// What a text that is no JSON most likely needs.
const char* syntaxHint(std::string_view text, const JsonFault& fault)
{
    if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff") || text.substr(0, 4).find('\0') != std::string_view::npos ||
        fault.message.find("UTF-8") != std::string::npos)
        return "Save the file as UTF-8.";
    if (text.substr(std::min(fault.offset, text.size())).starts_with('/') || fault.message.ends_with("/'"))
        return "JSON has no comments: take them out.";
    if (fault.message.find("overflow") != std::string::npos)
        return "Write a number that a double holds, below 1.8e308.";
    return "Look for a missing comma, quote or bracket there.";
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

/// What the family says of all its variants goes to those that say nothing of it.
void completeTargets(KernelFamily& family)
{
    for (Variant& variant : family.variants)
        if (variant.targets.empty())
            variant.targets = family.targets;
}

Result<Params> parseSizes(const std::string& text, const KernelFamily& family, const std::string& path, const Faults& faults)
{
    Result<Params> params = parseParams(text);
    if (!params)
        return faults.at({path, fmt::format("\"{}\" is no list of sizes", text), "Write it as \"M=1024,N=1024\"."});
    for (const std::string& size : family.sizes)
        if (numberIn(*params, size) == nullptr)
            return faults.at({path, fmt::format("\"{}\" gives no whole number for {}", text, size),
                              fmt::format("Give each of \"sizes\" a whole number, as {}=1024.", size)});
    for (const auto& [name, value] : *params)
        if (std::find(family.sizes.begin(), family.sizes.end(), name) == family.sizes.end() && !family.optionalSizes.contains(name))
            return faults.at({path, fmt::format("{} is no size of this kernel", name), "Add it to \"sizes\", or leave it out."});
    for (const auto& [name, value] : *params)
        if (const std::int64_t* number = numberIn(*params, name); number == nullptr || *number < 0 || *number > kMaxCount)
            return faults.at(
                {path, fmt::format("{} is not a size", toText(Params{{name, value}})), "Sizes are whole numbers from 0 to 2^53."});
    return params;
}

Status parseProblems(const RawDescriptor& raw, KernelFamily& family, const Faults& faults)
{
    const auto all = [&](const std::vector<std::string>& texts, const char* field, std::vector<Params>& out) -> Status {
        for (std::size_t i = 0; i < texts.size(); ++i) {
            Result<Params> params = parseSizes(texts[i], family, fmt::format("{}[{}]", field, i), faults);
            if (!params)
                return params.error();
            out.push_back(std::move(*params));
        }
        return {};
    };
    if (Status status = all(raw.problems, "problems", family.problems); !status)
        return status;
    if (Status status = all(raw.suite, "suite", family.suite); !status)
        return status;
    Result<Params> smallest = parseSizes(raw.smallest, family, "smallest", faults);
    if (!smallest)
        return smallest.error();
    family.smallest = std::move(*smallest);
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

const Result<Json>& descriptorSchema()
{
    static const Result<Json> schema = [] {
        const Result<std::string_view> text = resource(kDescriptorSchema);
        return text ? parseJson(*text, kDescriptorSchema) : Result<Json>(text.error());
    }();
    return schema;
}

} // namespace

Error placedIn(std::string_view text, std::string_view where, const std::string& path, Error error)
{
    if (const std::optional<TextPosition> place = JsonPositions(text).at(path)) {
        error.where = fmt::format("{}:{}:{}", where, place->line, place->column);
        error.message = fmt::format("{}: {}: {}", error.where, path, error.message);
    }
    return error;
}

Result<KernelFamily> parseDescriptor(std::string_view text, std::string_view where, FormulaChecks formulas)
{
    Json json;
    if (const std::optional<JsonFault> fault = readJson(text, json))
        return Faults::syntax(text, where, *fault, syntaxHint(text, *fault));
    const Result<Json>& schema = descriptorSchema();
    if (!schema)
        return schema.error();
    const Faults faults(text, where);
    if (const std::vector<SchemaFault> found = checkSchema(json, *schema); !found.empty())
        return faults.at(found);
    if (std::optional<Error> twice = faults.duplicate())
        return *twice;
    if (json.contains("tunables"))
        for (Json& tunable : json["tunables"]) {
            makeWhole(tunable["values"]);
            makeWhole(tunable["default"]);
        }
    nameTexts(json);
    Result<RawDescriptor> raw = fromJson<RawDescriptor>(json, where);
    if (!raw)
        return raw.error();
    KernelFamily family = std::move(raw->family);
    if (Status status = parseProblems(*raw, family, faults); !status)
        return status.error();
    completeReference(family);
    completeTargets(family);
    if (const auto fault = structureFault(family))
        return faults.at(*fault);
    if (formulas == FormulaChecks::yes)
        if (const auto fault = formulaFault(family))
            return faults.at(*fault);
    return family;
}

} // namespace kl
