// SPDX-License-Identifier: MIT
// Runs when KernelLoop is built: writes the sample's database, and its notice, for the programs to embed.
#include "core/base/write_file.h"
#include "sessions/learning/sample_builder.h"

#include <cstdio>
#include <filesystem>

int main(int argc, char** argv)
{
    if (argc != 3) {
        std::fprintf(stderr, "usage: make-sample DATABASE NOTICE\n");
        return 2;
    }
    const auto fail = [](const kl::Error& error) {
        std::fprintf(stderr, "make-sample: %s %s\n", error.message.c_str(), error.detail.c_str());
        return 1;
    };
    const auto store = kl::buildSampleStore();
    if (!store)
        return fail(store.error());
    std::error_code none;
    std::filesystem::remove(argv[1], none); // a backup never replaces a file
    if (const kl::Status copied = (*store)->backup(argv[1]); !copied)
        return fail(copied.error());
    if (const kl::Status written = kl::writeFile(argv[2], (*store)->notice()); !written)
        return fail(written.error());
    return 0;
}
