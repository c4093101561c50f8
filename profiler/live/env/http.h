// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <string>
#include <vector>

namespace kl::inline live {

struct HttpRequest {
    std::string address; ///< IPv4, as "169.254.169.254"
    int port = 80;
    std::string method = "GET";
    std::string path;
    std::vector<std::string> headers; ///< "Name: value"
    double seconds = 0.5;             ///< for the whole exchange
};

/// The body of a plain HTTP answer, at most 64 KiB: for a cloud's metadata service, which supports nothing else. Errors: notFound for
/// status 404; environment for any other that is not 200, and when there is no response in time.
Result<std::string> fetch(const HttpRequest& request);

} // namespace kl::inline live
