// SPDX-License-Identifier: MIT
#include "profiler/remote/worker_socket.h"

#include "core/base/try.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace kl::inline remote {
namespace {

constexpr std::size_t kLongestName = 64;
constexpr mode_t kMine = 0700;
constexpr mode_t kPermissions = 0777;

Error socketFailure(const std::filesystem::path& path, ErrorCode code, const std::string& why)
{
    return {.code = code,
            .message = fmt::format("The socket of a worker cannot be used: {}.", why),
            .hint = "Remove the folder as its owner; it will be created again.",
            .where = path.string()};
}

Result<sockaddr_un> makeSocketAddress(const std::filesystem::path& path)
{
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.string().size() >= sizeof address.sun_path)
        return socketFailure(path, ErrorCode::environment, "its path is too long");
    path.string().copy(address.sun_path, sizeof address.sun_path - 1);
    return address;
}

Fd newSocket()
{
    return Fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
}

} // namespace

bool isWorkerName(const std::string& name)
{
    const auto isPart = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; };
    return !name.empty() && name.size() <= kLongestName && name.front() != '-' && std::all_of(name.begin(), name.end(), isPart);
}

Result<std::filesystem::path> workerSocket(const std::string& name)
{
    const std::filesystem::path folder = fmt::format("/tmp/kernelloop-{}", ::geteuid());
    if (::mkdir(folder.c_str(), kMine) != 0 && errno != EEXIST)
        return socketFailure(folder, ErrorCode::environment, std::strerror(errno));
    struct stat found = {};
    if (::lstat(folder.c_str(), &found) != 0)
        return socketFailure(folder, ErrorCode::environment, std::strerror(errno));
    if (!S_ISDIR(found.st_mode) || found.st_uid != ::geteuid() || (found.st_mode & kPermissions) != kMine)
        return socketFailure(folder, ErrorCode::environment, "its folder is not one that only you may enter");
    return folder / (name + ".socket");
}

Result<Fd> listenForClients(const std::filesystem::path& socket)
{
    KL_ASSIGN(const sockaddr_un address, makeSocketAddress(socket));
    Fd listener = newSocket();
    if (!listener || ::bind(listener.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
        ::listen(listener.get(), 4) != 0)
        return socketFailure(socket, ErrorCode::environment, std::strerror(errno));
    return listener;
}

Result<Fd> connectToWorker(const std::filesystem::path& socket)
{
    KL_ASSIGN(const sockaddr_un address, makeSocketAddress(socket));
    Fd connection = newSocket();
    if (connection && ::connect(connection.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0)
        return connection;
    const bool nobody = errno == ENOENT || errno == ECONNREFUSED;
    return socketFailure(socket, nobody ? ErrorCode::notFound : ErrorCode::environment, std::strerror(errno));
}

Fd acceptClient(const Fd& listener)
{
    return Fd(::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
}

} // namespace kl::inline remote
