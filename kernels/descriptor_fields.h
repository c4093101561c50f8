// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/model/descriptor.h"
#include "kernels/model/work_fields.h"

/// The JSON shapes of a descriptor's parts, as core/codec/fields.h explains.
namespace kl::inline kernels {

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
    v.inlineFields(a.map);
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
    v("parameters", l.parameters);
    v("carveout", l.carveout);
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
    v("expected", x.expected);
    v("expected_when", x.expectedWhen);
    v("expected_why", x.expectedWhy);
    v("fault", x.fault);
    v("constants", x.constants);
    v("fixes", x.fixes);
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
    v("variables", x.variables);
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
    v("address", b.address);
    v("after", b.after);
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

} // namespace kl::inline kernels
