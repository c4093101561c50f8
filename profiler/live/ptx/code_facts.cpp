// SPDX-License-Identifier: MIT
#include "profiler/live/ptx/code_facts.h"

#include "core/base/ids.h"
#include "core/codec/fields.h"
#include "profiler/live/ptx/code_sections.h"
#include "profiler/live/ptx/opcodes.h"

namespace kl::inline live {

template <class V> void fields(V& v, KernelResources& r)
{
    v("registers", r.registers);
    v("stack_bytes", r.stackBytes);
    v("spill_stores", r.spillStores);
    v("spill_loads", r.spillLoads);
    v("static_smem", r.staticSmem);
    v("barriers", r.barriers);
}
template <class V> void fields(V& v, CodeFacts::Kernel& k)
{
    v("resources", k.resources);
    v("opcodes", k.opcodes);
}
template <class V> void fields(V& v, CodeFacts& f)
{
    v("code", f.code);
    v("seconds", f.seconds);
    v("kernels", f.kernels);
}

CodeFacts collectCodeFacts(std::string_view cubin, std::string_view ptx, std::string_view log)
{
    CodeFacts facts;
    const std::string code = codeSections(cubin);
    facts.code = contentHash(code.empty() ? ptx : std::string_view(code));
    for (const auto& [name, resources] : kernelResources(log))
        facts.kernels[name] = {resources, opcodeMix(ptx, name)};
    return facts;
}

std::string packFacts(const CodeFacts& facts)
{
    return encode(toJson(facts));
}

std::optional<CodeFacts> unpackFacts(const std::string& text)
{
    const Result<Json> json = parseJson(text, "facts");
    Result<CodeFacts> facts = json ? fromJson<CodeFacts>(*json, "facts") : Result<CodeFacts>(json.error());
    if (!facts || facts->code.empty())
        return {};
    return std::move(*facts);
}

} // namespace kl::inline live
