// SPDX-License-Identifier: MIT
// The part of a portable build (old_libc.c) that only programs have: their start.
#define HIDDEN __attribute__((visibility("hidden")))

#if defined(__x86_64__)
#define BASE "GLIBC_2.2.5"
#elif defined(__aarch64__)
#define BASE "GLIBC_2.17"
#endif

// A program's start: libc runs its constructors since 2.34, the program itself before.
typedef void (*Constructor)(int, char**, char**);
extern Constructor __preinit_array_start[] HIDDEN, __preinit_array_end[] HIDDEN, __init_array_start[] HIDDEN, __init_array_end[] HIDDEN;
extern void _init(void);

static void construct(int count, char** arguments, char** environment)
{
    for (Constructor* one = __preinit_array_start; one < __preinit_array_end; ++one)
        (*one)(count, arguments, environment);
    _init();
    for (Constructor* one = __init_array_start; one < __init_array_end; ++one)
        (*one)(count, arguments, environment);
}

typedef int (*Main)(int, char**, char**);
extern int old_start(Main, int, char**, Constructor, void (*)(void), void (*)(void), void*);
__asm__(".symver old_start,__libc_start_main@" BASE);

HIDDEN int __wrap___libc_start_main(Main main, int count, char** arguments, Constructor init, void (*fini)(void), void (*end)(void),
                                    void* stack)
{
    (void)init;
    (void)fini;
    return old_start(main, count, arguments, construct, 0, end, stack);
}
