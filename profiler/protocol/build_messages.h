// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/codec/json.h"
#include "core/search/compiled_launch.h"

#include <map>
#include <string>
#include <vector>

namespace kl::inline protocol {

/// One way to compile a source, with its launch shapes.
struct BuildPoint {
    struct Launch {
        std::string entry;
        int threads = 0;              ///< a block
        std::int64_t dynamicSmem = 0; ///< bytes per block
    };
    std::string kernel; ///< address, for messages
    std::string arch;   ///< empty: the request's
    std::vector<std::string> options;
    std::vector<Launch> launches;
};

/// The request `build-many`: compile one source in many ways, on many threads, for an architecture, regardless of the GPU, or without one.
struct BuildManyRequest {
    std::string source;
    std::map<std::string, std::string> headers;
    std::string arch = "sm_90";
    int jobs = 0;       ///< threads; 0: one per processor
    bool lines = false; ///< whether CompiledLaunch::lines is wanted
    std::vector<BuildPoint> points;
};

struct BuiltPoint {
    std::string kernel;
    bool ok = false;
    std::string arch;
    std::string log;     ///< compiler and ptxas messages, or why there are none, where it does not compile
    double seconds = 0;  ///< spent compiling, when it was done
    bool cached = false; ///< taken from the cache
    std::string code;    ///< hash of machine code and launch shapes: points with the same hash are the same program
    std::vector<CompiledLaunch> launches;
};

struct BuildManyAnswer {
    std::string compiler; ///< "NVRTC 13.0"
    std::string arch;
    int jobs = 0;
    double seconds = 0;             ///< in all
    std::vector<BuiltPoint> points; ///< in the request's order
};

// As in message_codec.h.
Json toJsonMessage(const BuildManyRequest& request);
Json toJsonMessage(const BuildManyAnswer& answer);
template <class M> Result<M> fromJsonMessage(const Json& json);
template <> Result<BuildManyRequest> fromJsonMessage(const Json& json);
template <> Result<BuildManyAnswer> fromJsonMessage(const Json& json);

} // namespace kl::inline protocol
