// SPDX-License-Identifier: MIT
#include "sessions/shipped/sample_store.h"

#include "core/base/try.h"
#include "sessions/store/sqlite_store.h"

#include <fmt/format.h>
#include <string_view>

// Of the source that CMakeLists.txt generates.
extern "C" const char kl_sample_database[];
extern "C" const char kl_sample_database_end[];
extern "C" const char kl_sample_notice[];
extern "C" const char kl_sample_notice_end[];

namespace kl::inline shipped {

namespace {

/// What one of the histories consists of: its sessions, the patterns' uses in them, and the patterns that were learned in them.
std::string makeViewStatements(std::string_view location)
{
    const bool documents = location == kDocumentsLocation;
    return fmt::format("CREATE TEMP VIEW sessions AS SELECT rowid, * FROM main.sessions WHERE (kind = 'sample') = {0};"
                       "CREATE TEMP VIEW pattern_applications AS SELECT rowid, * FROM main.pattern_applications"
                       "  WHERE session_id IN (SELECT id FROM main.sessions WHERE (kind = 'sample') = {0});"
                       "CREATE TEMP VIEW patterns AS SELECT rowid, * FROM main.patterns WHERE kind <> 'own' OR {1}",
                       documents, !documents);
}

} // namespace

bool isSampleLocation(std::string_view location)
{
    return location == kSampleLocation || location == kDocumentsLocation;
}

Result<std::unique_ptr<Store>> openSampleStore(std::string_view location)
{
    const std::string_view image(kl_sample_database, static_cast<std::size_t>(kl_sample_database_end - kl_sample_database));
    KL_ASSIGN(std::unique_ptr<SqliteStore> store,
              SqliteStore::openImage(std::string(location), image, std::string(kl_sample_notice, kl_sample_notice_end),
                                     makeViewStatements(location)));
    return std::unique_ptr<Store>(std::move(store));
}

} // namespace kl::inline shipped
