// SPDX-License-Identifier: MIT
#pragma once

namespace kl {

/// While it lives, freed memory stays with the process. A compilation takes and frees tens of megabytes; given back to the system and
/// taken again each time, that is four thousand page faults, which wait for one another among the threads of a process. Of glibc's
/// allocator; does nothing with another.
class KeptHeap {
public:
    KeptHeap();
    ~KeptHeap();
    KeptHeap(const KeptHeap&) = delete;
    KeptHeap& operator=(const KeptHeap&) = delete;
};

} // namespace kl
