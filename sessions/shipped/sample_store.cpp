// SPDX-License-Identifier: MIT
#include "sessions/shipped/sample_store.h"

#include "core/base/try.h"
#include "sessions/store/sqlite_store.h"

#include <string_view>

// Of the source that CMakeLists.txt generates.
extern "C" const char kl_sample_database[];
extern "C" const char kl_sample_database_end[];
extern "C" const char kl_sample_notice[];
extern "C" const char kl_sample_notice_end[];

namespace kl::inline shipped {

Result<std::unique_ptr<Store>> openSampleStore()
{
    const std::string_view image(kl_sample_database, static_cast<std::size_t>(kl_sample_database_end - kl_sample_database));
    KL_ASSIGN(std::unique_ptr<SqliteStore> store,
              SqliteStore::openImage(":sample:", image, std::string(kl_sample_notice, kl_sample_notice_end)));
    return std::unique_ptr<Store>(std::move(store));
}

} // namespace kl::inline shipped
