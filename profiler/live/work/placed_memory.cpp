// SPDX-License-Identifier: MIT
#include "profiler/live/work/placed_memory.h"

#include "profiler/live/work/work_errors.h"

#include <algorithm>
#include <fmt/format.h>

namespace kl::inline live {
namespace {

constexpr std::size_t kLeastFree = 4; ///< times the memory of a place; a profile keeps a copy besides

/// What is mapped now; the worker's one GPU thread builds all works.
std::weak_ptr<PlacedMemory>& latest()
{
    static std::weak_ptr<PlacedMemory> memory;
    return memory;
}

} // namespace

std::vector<MemorySpan> widenToPages(std::vector<MemorySpan> spans, std::size_t page)
{
    std::ranges::sort(spans);
    std::vector<MemorySpan> pages;
    for (const auto& [address, bytes] : spans) {
        const CUdeviceptr begin = address / page * page;
        const CUdeviceptr end = (address + bytes + page - 1) / page * page;
        if (!pages.empty() && begin <= pages.back().first + pages.back().second)
            pages.back().second = std::max<std::size_t>(pages.back().second, end - pages.back().first);
        else
            pages.emplace_back(begin, end - begin);
    }
    return pages;
}

Result<std::shared_ptr<PlacedMemory>> PlacedMemory::map(const std::vector<MemorySpan>& spans)
{
    CUdevice device = 0;
    KL_TRY(KL_CUDA(CtxGetDevice, &device));
    CUmemAllocationProp kind{};
    kind.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    kind.location = {CU_MEM_LOCATION_TYPE_DEVICE, device};
    std::size_t page = 0;
    KL_TRY(KL_CUDA(MemGetAllocationGranularity, &page, &kind, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    std::vector<MemorySpan> pages = widenToPages(spans, page);
    if (std::shared_ptr<PlacedMemory> held = latest().lock(); held && held->pages_ == pages)
        return held;
    std::shared_ptr<PlacedMemory> memory(new PlacedMemory);
    memory->kind_ = kind;
    memory->pages_ = std::move(pages);
    for (const MemorySpan& block : widenToPages(memory->pages_, kReservedBlock))
        KL_TRY(memory->reserve(block));
    KL_ASSIGN(Place first, memory->create());
    memory->places_.push_back(std::move(first));
    for (std::size_t i = 0; i < memory->pages_.size(); ++i) {
        const MemorySpan& span = memory->pages_[i];
        KL_TRY(memory->mapPages(span, memory->places_.front()[i]));
        KL_TRY(KL_CUDA(MemsetD8Async, span.first, 0, span.second, nullptr));
    }
    KL_TRY(KL_CUDA(CtxSynchronize)); // streams of works do not wait for what is set
    latest() = memory;
    return memory;
}

Status PlacedMemory::reserve(const MemorySpan& block)
{
    const auto [address, bytes] = block;
    CUdeviceptr given = 0;
    KL_TRY(KL_CUDA(MemAddressReserve, &given, bytes, 0, address, 0));
    if (given != address) {
        cuda().MemAddressFree(given, bytes);
        return addressTaken(
            fmt::format("The lifted launch needs its memory at {:#x} ({} bytes), where this process has something else.", address, bytes));
    }
    reserved_.push_back(block);
    return {};
}

Result<PlacedMemory::Place> PlacedMemory::create() const
{
    Place place;
    for (const auto& [address, bytes] : pages_) {
        CUmemGenericAllocationHandle handle = 0;
        if (Status made = KL_CUDA(MemCreate, &handle, bytes, &kind_, 0); !made) {
            Error error = made.error();
            if (isDeviceLimit(error))
                error.message = fmt::format("Device memory is not enough for the lifted launch: {} bytes at {:#x}.", bytes, address);
            return error;
        }
        place.emplace_back(handle);
    }
    return place;
}

Status PlacedMemory::mapPages(const MemorySpan& span, const PhysicalMemory& memory)
{
    const auto [address, bytes] = span;
    KL_TRY(KL_CUDA(MemMap, address, bytes, 0, memory.get(), 0));
    mapped_.push_back(span);
    const CUmemAccessDesc access{kind_.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    return KL_CUDA(MemSetAccess, address, bytes, &access, 1);
}

Status PlacedMemory::unmap(const MemorySpan& span)
{
    std::erase(mapped_, span);
    return KL_CUDA(MemUnmap, span.first, span.second);
}

Status PlacedMemory::move()
{
    if (places_.size() < kPlaces) {
        KL_ASSIGN(const bool room, hasRoom());
        if (Result<Place> more = room ? create() : Place{}; more && !more->empty()) // without it there are fewer
            places_.push_back(std::move(*more));
    }
    const std::size_t next = (current_ + 1) % places_.size();
    if (next == current_)
        return {};
    KL_TRY(KL_CUDA(CtxSynchronize)); // nothing may run on what is unmapped
    for (std::size_t i = 0; i < pages_.size(); ++i) {
        KL_TRY(copyTo(places_[next][i], pages_[i]));
        KL_TRY(unmap(pages_[i]));
        KL_TRY(mapPages(pages_[i], places_[next][i]));
    }
    current_ = next;
    return {};
}

Result<bool> PlacedMemory::hasRoom() const
{
    std::size_t free = 0;
    std::size_t total = 0;
    KL_TRY(KL_CUDA(MemGetInfo, &free, &total));
    std::size_t bytes = 0;
    for (const MemorySpan& span : pages_)
        bytes += span.second;
    return bytes <= free / kLeastFree;
}

/// Through a second address, for as long as the copy takes.
Status PlacedMemory::copyTo(const PhysicalMemory& memory, const MemorySpan& span)
{
    const auto [address, bytes] = span;
    CUdeviceptr aside = 0;
    KL_TRY(KL_CUDA(MemAddressReserve, &aside, bytes, 0, 0, 0));
    reserved_.emplace_back(aside, bytes);
    KL_TRY(mapPages({aside, bytes}, memory));
    KL_TRY(KL_CUDA(MemcpyDtoDAsync, aside, address, bytes, nullptr));
    KL_TRY(KL_CUDA(CtxSynchronize));
    KL_TRY(unmap({aside, bytes}));
    reserved_.pop_back();
    return KL_CUDA(MemAddressFree, aside, bytes);
}

PlacedMemory::~PlacedMemory()
{
    if (contextLost())
        return;
    cuda().CtxSynchronize(); // nothing may run on what is unmapped
    for (const auto& [address, bytes] : mapped_)
        cuda().MemUnmap(address, bytes);
    for (const auto& [address, bytes] : reserved_)
        cuda().MemAddressFree(address, bytes);
}

} // namespace kl::inline live
