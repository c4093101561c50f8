// SPDX-License-Identifier: MIT
#pragma once

#include "core/codec/json.h"
#include "profiler/protocol/messages.h"
#include "profiler/protocol/verb.h"

#include <string>

namespace kl::inline protocol {

Json toJsonMessage(const Hello& m);
Json toJsonMessage(const Progress& m);
Json toJsonMessage(const ProbeRequest& m);
Json toJsonMessage(const ProbeAnswer& m);
Json toJsonMessage(const EnvRequest& m);
Json toJsonMessage(const EnvReport& m);
Json toJsonMessage(const CompileRequest& m);
Json toJsonMessage(const CompileAnswer& m);
Json toJsonMessage(const RunRequest& m);
Json toJsonMessage(const RunAnswer& m);
Json toJsonMessage(const ProfileRequest& m);
Json toJsonMessage(const AbRequest& m);
Json toJsonMessage(const AbAnswer& m);

/// Inverse of toJsonMessage for each message type. Error badInput names the field.
template <class M> Result<M> fromJsonMessage(const Json& json);

/// The canonical key of a request: verb, kernel addresses, problems and the settings that change the answer; not the source
/// text (a recording answers for a changed source too, with a warning), so that replay finds it. 40 hexadecimal digits.
std::string requestKey(Verb verb, const Json& body);

} // namespace kl::inline protocol
