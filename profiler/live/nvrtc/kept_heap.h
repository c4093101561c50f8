// SPDX-License-Identifier: MIT
#pragma once

namespace kl::inline live {

/// While it lives, freed memory stays with the process. A compilation allocates and frees tens of megabytes; returning them to the system
/// each time causes four thousand page faults, which serialize the threads of a process. For glibc's
/// allocator; has no effect with others.
class KeptHeap {
public:
    KeptHeap();
    ~KeptHeap();
    KeptHeap(const KeptHeap&) = delete;
    KeptHeap& operator=(const KeptHeap&) = delete;
};

} // namespace kl::inline live
