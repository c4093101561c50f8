// SPDX-License-Identifier: MIT
// Included before every source of a build with small faults (sites.py): the environment variable KL_MUTANT chooses one, and KL_REACHED
// names a file in which every place that a process and its children come to is marked, one byte per fault.
#pragma once
#if defined(__cplusplus) && __cplusplus >= 202002L
#include <cstdlib>
#include <fcntl.h>
#include <sys/mman.h>
#include <type_traits>
#include <unistd.h>
#include <utility>

namespace klm {

inline constexpr int kMost = 1 << 17;
inline unsigned char unwatched[kMost];
inline constinit unsigned char* reached = unwatched;
inline constinit int active = 0;

/// Before other static objects, since their constructors have faults, too.
__attribute__((constructor(101), unused)) static void start()
{
    if (const char* id = std::getenv("KL_MUTANT"))
        active = std::atoi(id);
    const char* name = std::getenv("KL_REACHED");
    if (reached != unwatched || !name)
        return;
    const int file = ::open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0)
        return;
    void* shared = ::ftruncate(file, kMost) == 0 ? ::mmap(nullptr, kMost, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) : MAP_FAILED;
    ::close(file);
    if (shared != MAP_FAILED)
        reached = static_cast<unsigned char*>(shared);
}

/// Whether this fault is the chosen one.
inline bool on(int id)
{
    reached[id] = 1;
    return id == active;
}

/// + for -, * for /, and the reverse, of numbers; of anything else what it says.
template <char op, class A, class B> decltype(auto) arithmetic(int id, A&& a, B&& b)
{
    if constexpr (std::is_arithmetic_v<std::decay_t<A>> && std::is_arithmetic_v<std::decay_t<B>>) {
        const bool other = on(id);
        if constexpr (op == '+')
            return other ? a - b : a + b;
        else if constexpr (op == '-')
            return other ? a + b : a - b;
        else {
            using Result = decltype(a * b);
            const bool divides = (op == '/') != other;
            return divides ? (other && b == std::decay_t<B>{} ? Result{} : static_cast<Result>(a / b)) : static_cast<Result>(a * b);
        }
    } else if constexpr (op == '+')
        return std::forward<A>(a) + std::forward<B>(b);
    else if constexpr (op == '-')
        return std::forward<A>(a) - std::forward<B>(b);
    else if constexpr (op == '*')
        return std::forward<A>(a) * std::forward<B>(b);
    else
        return std::forward<A>(a) / std::forward<B>(b);
}

/// An empty value in the place of a member's.
template <class T> T emptied(int id, T&& value)
{
    using Plain = std::remove_cvref_t<T>;
    if constexpr (!std::is_default_constructible_v<Plain> || std::is_array_v<Plain>)
        return std::forward<T>(value);
    else if constexpr (std::is_reference_v<T>) {
        static Plain empty{};
        return on(id) ? static_cast<T>(empty) : static_cast<T>(value);
    } else
        return on(id) ? Plain{} : std::forward<T>(value);
}

} // namespace klm
#endif
