// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/file_writer.h"
#include "core/model/run.h"

#include <memory>
#include <string>
#include <vector>

namespace kl::inline imports {

/// Writes runs into a file, a few at a time: a bundle (bundle.h), or plain JSON {schema: "kernelloop.runs/1", results: […]} where the name
/// ends in ".json". Nothing of the file appears before finish().
class BundleWriter {
public:
    /// Errors: writeFile's.
    static Result<BundleWriter> begin(const std::string& file);
    BundleWriter(BundleWriter&&) noexcept;
    BundleWriter& operator=(BundleWriter&&) = delete;
    ~BundleWriter();

    /// Encodes them on all processors. Errors: writeFile's; badInput for a run that takes more than kMostRunBytes.
    Status add(const std::vector<RunRecord>& runs);
    Status finish();

    std::size_t runs() const { return runs_; }
    std::uint64_t bytes() const { return file_.size(); } ///< in the file

private:
    struct Frame;
    BundleWriter(FileWriter file, bool pretty);
    Status write(std::string_view text, bool last = false);

    FileWriter file_;
    bool pretty_;
    std::unique_ptr<Frame> frame_; ///< null: not compressed
    std::size_t runs_ = 0;
    std::string end_; ///< of the text
};

} // namespace kl::inline imports
