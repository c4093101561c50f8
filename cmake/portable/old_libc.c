// SPDX-License-Identifier: MIT
// Linked into each program and library of a portable build (cmake/portable.cmake), so that it runs with glibc 2.27 and newer although it
// was built with a newer one. Three kinds of functions are in here:
// - those whose newer version a program does not need: calls go to the version that every glibc has (OLD; the linker's --wrap);
// - those that newer glibc alone has, written with what older ones have;
// - two that older ones cannot do: real where they exist, with a fallback or an error else.
// Headers of libc's that would name the newer ones are not included.
#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>

extern void* dlsym(void*, const char*); // of null: in all that is loaded

#define HIDDEN __attribute__((visibility("hidden")))

#if defined(__x86_64__)
#define BASE "GLIBC_2.2.5"
#define JUMP(target) "jmp *" target "@GOTPCREL(%rip)\n"
#elif defined(__aarch64__)
#define BASE "GLIBC_2.17"
#define JUMP(target) "adrp x16, :got:" target "\nldr x16, [x16, :got_lo12:" target "]\nbr x16\n"
#endif

/// Of a function, the version that the first glibc of this architecture had: a jump, which needs no signature.
#define OLD(name) OLD_OF(name, BASE)
#define OLD_OF(name, version)                                                                                                              \
    __asm__(".symver old_" #name "," #name "@" version "\n"                                                                                \
            ".text\n.hidden __wrap_" #name "\n.globl __wrap_" #name "\n.type __wrap_" #name ", %function\n__wrap_" #name                   \
            ":\n" JUMP("old_" #name));

#if defined(__x86_64__)
OLD_OF(dlinfo, "GLIBC_2.3.3")
#else
OLD_OF(dlinfo, BASE)
#endif
OLD(exp)
OLD(exp2)
OLD(log)
OLD(log2)
OLD(pow)
OLD(dladdr)
OLD(dlclose)
OLD(dlerror)
OLD(dlopen)
OLD(dlsym)
OLD(__pthread_key_create)
OLD(pthread_attr_setstacksize)
OLD(pthread_create)
OLD(pthread_detach)
OLD(pthread_getspecific)
OLD(pthread_join)
OLD(pthread_key_create)
OLD(pthread_key_delete)
OLD(pthread_kill)
OLD(pthread_mutex_timedlock)
OLD(pthread_mutex_trylock)
OLD(pthread_mutexattr_destroy)
OLD(pthread_mutexattr_init)
OLD(pthread_mutexattr_settype)
OLD(pthread_once)
OLD(pthread_rwlock_rdlock)
OLD(pthread_rwlock_unlock)
OLD(pthread_rwlock_wrlock)
OLD(pthread_setspecific)
OLD(pthread_sigmask)
OLD(sem_destroy)
OLD(sem_init)
OLD(sem_post)
OLD(sem_wait)

// These were functions of each program's own until 2.33.
#if defined(__x86_64__)
#define STAT_VERSION 1
#else
#define STAT_VERSION 0
#endif
extern int __xstat(int, const char*, void*), __lxstat(int, const char*, void*), __fxstat(int, int, void*);
extern int __fxstatat(int, int, const char*, void*, int);
#define STAT(suffix)                                                                                                                       \
    HIDDEN int stat##suffix(const char* path, void* out)                                                                                   \
    {                                                                                                                                      \
        return __xstat(STAT_VERSION, path, out);                                                                                           \
    }                                                                                                                                      \
    HIDDEN int lstat##suffix(const char* path, void* out)                                                                                  \
    {                                                                                                                                      \
        return __lxstat(STAT_VERSION, path, out);                                                                                          \
    }                                                                                                                                      \
    HIDDEN int fstat##suffix(int file, void* out)                                                                                          \
    {                                                                                                                                      \
        return __fxstat(STAT_VERSION, file, out);                                                                                          \
    }                                                                                                                                      \
    HIDDEN int fstatat##suffix(int folder, const char* path, void* out, int flags)                                                         \
    {                                                                                                                                      \
        return __fxstatat(STAT_VERSION, folder, path, out, flags);                                                                         \
    }
STAT()
STAT(64)

/// Larger files are no other thing on 64 bits.
extern int fcntl(int, int, ...);
HIDDEN int fcntl64(int file, int command, void* argument)
{
    return fcntl(file, command, argument);
}

/// What reads it takes the slower, always correct way.
HIDDEN char __libc_single_threaded = 0;

/// As the unwinder of GCC 12 and later expects it of glibc 2.35 (struct dl_find_object): it asks nothing else, so that without an answer
/// no exception is caught.
struct FoundObject {
    unsigned long long flags;
    void* begin;
    void* end;
    void* link_map; ///< not read by the unwinder
    void* eh_frame; ///< the PT_GNU_EH_FRAME segment
};
/// The beginning of struct dl_phdr_info.
struct LoadedObject {
    Elf64_Addr base;
    const char* name;
    const Elf64_Phdr* headers;
    Elf64_Half count;
};
extern int dl_iterate_phdr(int (*)(struct LoadedObject*, size_t, void*), void*);

struct Search {
    Elf64_Addr address;
    struct FoundObject* found;
};

static int findIn(struct LoadedObject* object, size_t size, void* data)
{
    const struct Search* const search = data;
    const Elf64_Phdr *part = 0, *frames = 0;
    (void)size;
    for (const Elf64_Phdr* one = object->headers; one < object->headers + object->count; ++one) {
        if (one->p_type == PT_GNU_EH_FRAME)
            frames = one;
        else if (one->p_type == PT_LOAD && search->address - object->base - one->p_vaddr < one->p_memsz)
            part = one;
    }
    if (!part)
        return 0;
    if (!frames)
        return -1;
    search->found->flags = 0;
    search->found->begin = (void*)(object->base + part->p_vaddr);
    search->found->end = (void*)(object->base + part->p_vaddr + part->p_memsz);
    search->found->link_map = 0;
    search->found->eh_frame = (void*)(object->base + frames->p_vaddr);
    return 1;
}

HIDDEN int _dl_find_object(void* address, struct FoundObject* found)
{
    struct Search search = {(Elf64_Addr)address, found};
    return dl_iterate_phdr(findIn, &search) == 1 ? 0 : -1;
}

/// Of 2.28; the kernels of older systems have it. Without it, the error is theirs.
extern long syscall(long, ...);
HIDDEN int statx(int folder, const char* path, int flags, unsigned wanted, void* out)
{
    return (int)syscall(SYS_statx, folder, path, flags, wanted, out);
}

extern int getentropy(void*, size_t);
HIDDEN unsigned arc4random(void)
{
    unsigned value = 0;
    if (getentropy(&value, sizeof value) != 0)
        abort();
    return value;
}

/// The same moment on the clock of pthread_cond_timedwait's.
static struct timespec onRealTime(int clock, const struct timespec* until)
{
    struct timespec now, real;
    if (clock == CLOCK_REALTIME)
        return *until;
    clock_gettime(clock, &now);
    clock_gettime(CLOCK_REALTIME, &real);
    real.tv_sec += until->tv_sec - now.tv_sec;
    real.tv_nsec += until->tv_nsec - now.tv_nsec;
    for (; real.tv_nsec < 0; real.tv_nsec += 1000000000L)
        --real.tv_sec;
    for (; real.tv_nsec >= 1000000000L; real.tv_nsec -= 1000000000L)
        ++real.tv_sec;
    return real;
}

extern int pthread_cond_timedwait(void*, void*, const struct timespec*), __wrap_pthread_mutex_timedlock(void*, const struct timespec*);

HIDDEN int pthread_cond_clockwait(void* condition, void* mutex, int clock, const struct timespec* until)
{
    const struct timespec real = onRealTime(clock, until);
    return pthread_cond_timedwait(condition, mutex, &real);
}

HIDDEN int pthread_mutex_clocklock(void* mutex, int clock, const struct timespec* until)
{
    const struct timespec real = onRealTime(clock, until);
    return __wrap_pthread_mutex_timedlock(mutex, &real);
}

// posix_spawn's newer actions. Without them, descriptors are closed one by one, and another folder is ENOSYS (core/process has another
// way).
extern int posix_spawn_file_actions_addclose(void*, int);
typedef int (*AddClosefrom)(void*, int);
typedef int (*AddChdir)(void*, const char*);
extern void* opendir(const char*);
extern int closedir(void*);
struct dirent64 {
    unsigned long long inode;
    long long offset;
    unsigned short length;
    unsigned char type;
    char name[256];
};
extern struct dirent64* readdir64(void*);

HIDDEN int posix_spawn_file_actions_addclosefrom_np(void* actions, int first)
{
    const AddClosefrom real = (AddClosefrom)dlsym(0, "posix_spawn_file_actions_addclosefrom_np");
    if (real)
        return real(actions, first);
    void* const folder = opendir("/proc/self/fd");
    int failure = folder ? 0 : errno;
    for (struct dirent64* one = 0; !failure && (one = readdir64(folder)) != 0;)
        if (one->name[0] != '.' && atoi(one->name) >= first)
            failure = posix_spawn_file_actions_addclose(actions, atoi(one->name));
    if (folder)
        closedir(folder);
    return failure;
}

HIDDEN int posix_spawn_file_actions_addchdir_np(void* actions, const char* folder)
{
    const AddChdir real = (AddChdir)dlsym(0, "posix_spawn_file_actions_addchdir_np");
    return real ? real(actions, folder) : ENOSYS;
}
