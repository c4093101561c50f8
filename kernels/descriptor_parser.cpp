// SPDX-License-Identifier: MIT
#include "kernels/descriptor_parser.h"

#include "kernels/work_fields.h"

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
}
template <class V> void fields(V& v, LaunchFormula& l)
{
    v("entry", l.entry);
    v("grid", l.grid);
    v("block", l.block);
    v("dynamic_smem", l.dynamicSmem);
    v("args", l.args);
    v("repeat", l.repeat);
}
template <class V> void fields(V& v, Variant& x)
{
    v("id", x.id);
    v("title", x.title);
    v("summary", x.summary);
    v("planted", x.planted);
    v("planted_when", x.plantedWhen);
    v("constants", x.constants);
    v("mends", x.mends);
    v("fix_title", x.fixTitle);
    v("source", x.sourcePath);
    v("options", x.options);
    v("tunables", x.tunables);
    v("launches", x.launches);
    v("graph", x.graph);
}
template <class V> void fields(V& v, KernelFamily::Buffer& b)
{
    v("name", b.name);
    v("type", b.type);
    v("count", b.count);
    v("role", b.role);
    v("fill", b.fill);
    v("scale", b.scale);
}
template <class V> void fields(V& v, KernelFamily::Reference& r)
{
    v("function", r.function);
    v("params", r.params);
    v("inputs", r.inputs);
    v("output", r.output);
}
template <class V> void fields(V& v, KernelFamily::BaselineFormula& b)
{
    v("kind", b.kind);
    v("name", b.name);
    v("op", b.op);
    v("params", b.params);
    v("fallback", b.fallback);
}

namespace {

template <class V> void fields(V& v, RawDescriptor& d)
{
    KernelFamily& f = d.family;
    v("id", f.id);
    v("title", f.title);
    v("source", f.sourcePath);
    v("sizes", f.sizes);
    v("problems", d.problems);
    v("smallest", d.smallest);
    v("suite", d.suite);
    v("buffers", f.buffers);
    v("reference", f.reference);
    v("tolerance", f.tolerance);
    v("baseline", f.baseline);
    v("flops", f.flops);
    v("ideal_bytes", f.idealBytes);
    v("tunables", f.tunables);
    v("constraints", f.constraints);
    v("variants", f.variants);
}

Error badDescriptor(std::string_view where, const std::string& what)
{
    return {ErrorCode::badInput,
            fmt::format("The kernel descriptor {} is not usable: {}.", where, what),
            "Compare it with the descriptors under kernels/.",
            std::string(where),
            {}};
}

/// The path of the first key that the parsed form does not know, or empty: a misspelt field must not be ignored.
std::string unknownField(const Json& file, const Json& known, const std::string& path)
{
    if (file.is_object() && known.is_object()) {
        for (const auto& [key, value] : file.items()) {
            const std::string here = path.empty() ? key : path + '.' + key;
            if (!known.contains(key))
                return here;
            if (std::string inner = unknownField(value, known[key], here); !inner.empty())
                return inner;
        }
    }
    if (file.is_array() && known.is_array())
        for (std::size_t i = 0; i < std::min(file.size(), known.size()); ++i)
            if (std::string inner = unknownField(file[i], known[i], fmt::format("{}[{}]", path, i)); !inner.empty())
                return inner;
    return {};
}

Result<Params> parseSizes(const std::string& text, const KernelFamily& family, std::string_view where)
{
    Result<Params> params = parseParams(text);
    if (!params)
        return badDescriptor(where, params.error().message);
    for (const std::string& size : family.sizes)
        if (numberIn(*params, size) == nullptr)
            return badDescriptor(where, fmt::format("the problem \"{}\" gives no number for {}", text, size));
    if (params->size() != family.sizes.size())
        return badDescriptor(where, fmt::format("the problem \"{}\" names a size that \"sizes\" does not list", text));
    return params;
}

Status checkVariants(const KernelFamily& family, std::string_view where)
{
    std::vector<std::string> seen;
    for (const Variant& variant : family.variants) {
        if (variant.id.empty() || variant.launches.empty())
            return badDescriptor(where, fmt::format("variant \"{}\" needs an id and at least one launch", variant.id));
        if (!variant.mends.empty() && std::find(seen.begin(), seen.end(), variant.mends) == seen.end())
            return badDescriptor(where, fmt::format("variant {} mends \"{}\", which does not stand before it", variant.id, variant.mends));
        for (const std::string& name : variant.tunables)
            if (std::none_of(family.tunables.begin(), family.tunables.end(), [&](const Tunable& t) { return t.name == name; }))
                return badDescriptor(where, fmt::format("variant {} uses the unknown tunable {}", variant.id, name));
        if (std::find(seen.begin(), seen.end(), variant.id) != seen.end())
            return badDescriptor(where, fmt::format("variant {} is given twice", variant.id));
        seen.push_back(variant.id);
    }
    if (seen.empty())
        return badDescriptor(where, "it has no variants");
    return {};
}

} // namespace

Result<KernelFamily> parseDescriptor(std::string_view text, std::string_view where)
{
    const Result<Json> json = parseJson(text, where);
    if (!json)
        return json.error();
    Result<RawDescriptor> raw = fromJson<RawDescriptor>(*json, where);
    if (!raw)
        return raw.error();
    if (const std::string field = unknownField(*json, toJson(*raw), {}); !field.empty())
        return badDescriptor(where, fmt::format("the field \"{}\" is not known", field));

    KernelFamily family = std::move(raw->family);
    if (family.id.empty() || family.sourcePath.empty() || raw->problems.empty() || raw->smallest.empty())
        return badDescriptor(where, "id, source, problems and smallest are needed");
    for (const std::string& problem : raw->problems) {
        Result<Params> params = parseSizes(problem, family, where);
        if (!params)
            return params.error();
        family.problems.push_back(std::move(*params));
    }
    for (const std::string& problem : raw->suite) {
        Result<Params> params = parseSizes(problem, family, where);
        if (!params)
            return params.error();
        family.suite.push_back(std::move(*params));
    }
    Result<Params> smallest = parseSizes(raw->smallest, family, where);
    if (!smallest)
        return smallest.error();
    family.smallest = std::move(*smallest);
    if (Status status = checkVariants(family, where); !status)
        return status.error();
    return family;
}

} // namespace kl
