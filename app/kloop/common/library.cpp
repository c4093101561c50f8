// SPDX-License-Identifier: MIT
#include "app/kloop/common/library.h"

#include "core/base/try.h"

namespace kl::cli {

Result<PatternLibrary> seedLibrary(Program& program)
{
    KL_ASSIGN(auto* store, program.store());
    Result<PatternLibrary> library = PatternLibrary::loadEmbedded();
    if (!library || store->readOnly())
        return library;
    KL_TRY(seedPatterns(*store, *library));
    return library;
}

} // namespace kl::cli
