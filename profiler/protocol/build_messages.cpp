// SPDX-License-Identifier: MIT
#include "profiler/protocol/build_messages.h"

#include "core/codec/fields.h"

namespace kl::inline protocol {

template <class V> void fields(V& v, BuildPoint::Launch& l)
{
    v("entry", l.entry);
    v("threads", l.threads);
    v("dynamic_smem", l.dynamicSmem);
}
template <class V> void fields(V& v, BuildPoint& p)
{
    v("kernel", p.kernel);
    v("arch", p.arch);
    v("options", p.options);
    v("launches", p.launches);
}
template <class V> void fields(V& v, BuildManyRequest& r)
{
    v("source", r.source);
    v("headers", r.headers);
    v("arch", r.arch);
    v("jobs", r.jobs);
    v("lines", r.lines);
    v("points", r.points);
}
template <class V> void fields(V& v, CodeLine& l)
{
    v("line", l.line);
    v("opcodes", l.opcodes);
}
template <class V> void fields(V& v, CompiledLaunch& l)
{
    v("entry", l.entry);
    v("threads", l.threads);
    v("registers", l.registers);
    v("stack_bytes", l.stackBytes);
    v("spill_stores", l.spillStores);
    v("spill_loads", l.spillLoads);
    v("static_smem", l.staticSmem);
    v("dynamic_smem", l.dynamicSmem);
    v("barriers", l.barriers);
    v("opcodes", l.opcodes);
    v("lines", l.lines);
}
template <class V> void fields(V& v, BuiltPoint& p)
{
    v("kernel", p.kernel);
    v("ok", p.ok);
    v("arch", p.arch);
    v("log", p.log);
    v("seconds", p.seconds);
    v("cached", p.cached);
    v("code", p.code);
    v("launches", p.launches);
}
template <class V> void fields(V& v, BuildManyAnswer& a)
{
    v("compiler", a.compiler);
    v("arch", a.arch);
    v("jobs", a.jobs);
    v("seconds", a.seconds);
    v("points", a.points);
}

Json toJsonMessage(const BuildManyRequest& request)
{
    return toJson(request);
}

Json toJsonMessage(const BuildManyAnswer& answer)
{
    return toJson(answer);
}

template <> Result<BuildManyRequest> fromJsonMessage(const Json& json)
{
    return fromJson<BuildManyRequest>(json, "build-many");
}

template <> Result<BuildManyAnswer> fromJsonMessage(const Json& json)
{
    return fromJson<BuildManyAnswer>(json, "answer of build-many");
}

} // namespace kl::inline protocol
