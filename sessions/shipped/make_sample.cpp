// SPDX-License-Identifier: MIT
// Runs when KernelLoop is built: writes the sample's database, and its notice, for the programs to embed.
#include "core/base/read_file.h"
#include "core/base/try.h"
#include "core/base/write_file.h"
#include "sessions/learning/sample_builder.h"
#include "sessions/store/blob.h"
#include "sessions/store/sqlite_store.h"

#include <cstdio>
#include <filesystem>

namespace {

constexpr std::int64_t kMostBytes = 64 << 20; ///< of the packed sessions

void removeDatabase(const std::string& file)
{
    std::error_code none;
    for (const char* part : {"", "-wal", "-shm"})
        std::filesystem::remove(file + part, none);
}

/// All of the sample added to the database of recorded sessions that is packed in `sessions`, as a copy without a log.
kl::Status make(const std::string& sessions, const std::string& database, const std::string& notice)
{
    const std::string work = database + ".work";
    removeDatabase(work);
    removeDatabase(database); // a backup never replaces a file
    KL_ASSIGN(const std::string packed, kl::readFile(sessions, kMostBytes));
    KL_ASSIGN(const std::string bytes, kl::unpackBytes(packed));
    KL_TRY(kl::writeFile(work, bytes));
    KL_ASSIGN(const kl::Catalog catalog, kl::Catalog::loadEmbedded());
    KL_ASSIGN(const kl::DiagnosisTree tree, kl::DiagnosisTree::loadEmbedded());
    {
        KL_ASSIGN(const std::unique_ptr<kl::SqliteStore> store, kl::SqliteStore::openFile(work));
        KL_ASSIGN(const std::string text, kl::fillSampleStore(*store, catalog, tree));
        KL_TRY(store->backup(database));
        KL_TRY(kl::writeFile(notice, text));
    }
    removeDatabase(work);
    return {};
}

} // namespace

int main(int argc, char** argv)
{
    if (argc != 4) {
        std::fprintf(stderr, "usage: make-sample SESSIONS DATABASE NOTICE\n");
        return 2;
    }
    if (const kl::Status made = make(argv[1], argv[2], argv[3]); !made) {
        std::fprintf(stderr, "make-sample: %s %s\n", made.error().message.c_str(), made.error().detail.c_str());
        return 1;
    }
    return 0;
}
