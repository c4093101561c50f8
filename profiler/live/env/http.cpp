// SPDX-License-Identifier: MIT
#include "profiler/live/env/http.h"

#include "core/base/try.h"

#include <arpa/inet.h>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace kl::inline live {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMost = 64 * 1024;

struct Socket {
    int number = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    Socket() = default;
    Socket(const Socket&) = delete;
    Socket& operator=(const Socket&) = delete;
    ~Socket()
    {
        if (number >= 0)
            ::close(number);
    }
};

/// Waits until the socket can do what `events` asks; false past the deadline.
bool await(int socket, short events, Clock::time_point last)
{
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(last - Clock::now()).count();
    pollfd waiting{socket, events, 0};
    return left > 0 && ::poll(&waiting, 1, static_cast<int>(left)) > 0;
}

Error silent(const HttpRequest& request, const char* what)
{
    return {
        .code = ErrorCode::environment, .message = fmt::format("{}:{} {}.", request.address, request.port, what), .where = request.path};
}

/// The whole answer as it came.
Status exchange(const HttpRequest& request, std::string& answer)
{
    const auto last = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(request.seconds));
    sockaddr_in place = {};
    place.sin_family = AF_INET;
    place.sin_port = htons(static_cast<std::uint16_t>(request.port));
    const Socket socket;
    if (socket.number < 0 || ::inet_pton(AF_INET, request.address.c_str(), &place.sin_addr) != 1)
        return silent(request, "is not a valid address");
    if (::connect(socket.number, reinterpret_cast<const sockaddr*>(&place), sizeof place) != 0 &&
        (errno != EINPROGRESS || !await(socket.number, POLLOUT, last)))
        return silent(request, "does not respond");
    std::string text = fmt::format("{} {} HTTP/1.0\r\nHost: {}\r\nConnection: close\r\n", request.method, request.path, request.address);
    for (const std::string& header : request.headers)
        text += header + "\r\n";
    if (request.method == "PUT")
        text += "Content-Length: 0\r\n";
    text += "\r\n";
    if (::send(socket.number, text.data(), text.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(text.size()))
        return silent(request, "does not respond");
    while (answer.size() < kMost) {
        if (!await(socket.number, POLLIN, last))
            return silent(request, "did not respond in time");
        char chunk[4096];
        const ssize_t got = ::recv(socket.number, chunk, sizeof chunk, 0);
        if (got == 0)
            return {};
        if (got < 0)
            return silent(request, "closed the connection early");
        answer.append(chunk, static_cast<std::size_t>(got));
    }
    return {};
}

} // namespace

Result<std::string> fetch(const HttpRequest& request)
{
    std::string answer;
    KL_TRY(exchange(request, answer));
    const auto space = answer.find(' ');
    const auto body = answer.find("\r\n\r\n");
    if (!answer.starts_with("HTTP/") || space == std::string::npos || body == std::string::npos)
        return silent(request, "does not speak HTTP");
    const std::string status = answer.substr(space + 1, 3);
    if (status == "404")
        return Error{.code = ErrorCode::notFound, .message = "There is nothing at " + request.path + '.', .where = request.path};
    if (status != "200")
        return silent(request, ("answered with status " + status).c_str());
    answer.erase(0, body + 4);
    return answer;
}

} // namespace kl::inline live
