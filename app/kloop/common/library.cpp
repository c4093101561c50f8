// SPDX-License-Identifier: MIT
#include "app/kloop/common/library.h"

namespace kl {

Result<PatternLibrary> seededLibrary(Program& program)
{
    const Result<Store*> store = program.store();
    if (!store)
        return store.error();
    Result<PatternLibrary> library = PatternLibrary::embedded();
    if (!library || (*store)->readOnly())
        return library;
    if (const Status seeded = seedPatterns(**store, *library); !seeded)
        return seeded.error();
    return library;
}

} // namespace kl
