// SPDX-License-Identifier: MIT
#include "profiler/inject/import_patch.h"

#include <cstdint>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

namespace kl::inject {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t kSlotTypes[] = {R_X86_64_JUMP_SLOT, R_X86_64_GLOB_DAT};
#elif defined(__aarch64__)
constexpr std::uint32_t kSlotTypes[] = {R_AARCH64_JUMP_SLOT, R_AARCH64_GLOB_DAT};
#else
constexpr std::uint32_t kSlotTypes[] = {0};
#endif

struct Job {
    const char* function;
    void* replacement;
    const void* ownBase; ///< where our own library is loaded
    int changed = 0;
};

/// The parts of a library's dynamic section that its imports are found by.
struct Imports {
    const ElfW(Sym) * symbols = nullptr;
    const char* names = nullptr;
    const ElfW(Rela) * lists[2] = {};
    std::size_t bytes[2] = {};

    explicit Imports(const ElfW(Dyn) * entry)
    {
        for (; entry && entry->d_tag != DT_NULL; ++entry) {
            switch (entry->d_tag) {
            case DT_SYMTAB: symbols = reinterpret_cast<const ElfW(Sym)*>(entry->d_un.d_ptr); break;
            case DT_STRTAB: names = reinterpret_cast<const char*>(entry->d_un.d_ptr); break;
            case DT_JMPREL: lists[0] = reinterpret_cast<const ElfW(Rela)*>(entry->d_un.d_ptr); break;
            case DT_PLTRELSZ: bytes[0] = entry->d_un.d_val; break;
            case DT_RELA: lists[1] = reinterpret_cast<const ElfW(Rela)*>(entry->d_un.d_ptr); break;
            case DT_RELASZ: bytes[1] = entry->d_un.d_val; break;
            default: break;
            }
        }
    }
};

bool isSlot(const ElfW(Rela) & relocation)
{
    for (const std::uint32_t type : kSlotTypes)
        if (type != 0 && ELF64_R_TYPE(relocation.r_info) == type)
            return true;
    return false;
}

/// Writes the slot, whose page the loader may have made read-only.
bool write(void** slot, void* value)
{
    const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    void* start = reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(slot) & ~(page - 1));
    if (::mprotect(start, page, PROT_READ | PROT_WRITE) != 0)
        return false;
    *slot = value;
    return true;
}

int visit(dl_phdr_info* library, std::size_t, void* data)
{
    Job& job = *static_cast<Job*>(data);
    const auto base = static_cast<std::uintptr_t>(library->dlpi_addr);
    // The kernel's own object (linux-vdso) keeps unrelocated addresses, and so do statically linked programs.
    if (reinterpret_cast<const void*>(base) == job.ownBase || (library->dlpi_name && std::strstr(library->dlpi_name, "vdso")))
        return 0;
    for (int i = 0; i < library->dlpi_phnum; ++i) {
        if (library->dlpi_phdr[i].p_type != PT_DYNAMIC)
            continue;
        const Imports imports(reinterpret_cast<const ElfW(Dyn)*>(base + library->dlpi_phdr[i].p_vaddr));
        if (!imports.symbols || !imports.names || reinterpret_cast<std::uintptr_t>(imports.names) < base)
            continue;
        for (int list = 0; list < 2; ++list)
            for (std::size_t r = 0; imports.lists[list] && r < imports.bytes[list] / sizeof(ElfW(Rela)); ++r) {
                const ElfW(Rela)& relocation = imports.lists[list][r];
                if (!isSlot(relocation))
                    continue;
                const ElfW(Sym)& symbol = imports.symbols[ELF64_R_SYM(relocation.r_info)];
                if (std::strcmp(imports.names + symbol.st_name, job.function) == 0 && symbol.st_shndx == SHN_UNDEF)
                    job.changed += write(reinterpret_cast<void**>(base + relocation.r_offset), job.replacement) ? 1 : 0;
            }
    }
    return 0;
}

} // namespace

int patchImports(const char* function, void* replacement)
{
    Dl_info own{};
    (void)::dladdr(replacement, &own);
    Job job{function, replacement, own.dli_fbase};
    ::dl_iterate_phdr(visit, &job);
    return job.changed;
}

} // namespace kl::inject
