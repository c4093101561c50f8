// SPDX-License-Identifier: MIT
#include "core/base/try.h"
#include "profiler/live/baselines/cudnn_attention.h"
#include "profiler/live/baselines/cudnn_library.h"
#include "profiler/live/work/attention_tensors.h"

namespace kl::inline live {
namespace {

class CudnnBaseline final : public StreamBaseline {
public:
    CudnnBaseline(AttentionTensors tensors, std::unique_ptr<cudnn::Session> session)
        : tensors_(std::move(tensors)), session_(std::move(session))
    {
    }

    Status prepare(const AttentionSizes& sizes)
    {
        KL_ASSIGN(std::unique_ptr<cudnn::Attention> planned, cudnn::Attention::plan(session_->functions(), session_->handle(), sizes));
        attention_ = std::move(planned);
        if (attention_->workspaceBytes() > 0) {
            KL_ASSIGN(DeviceMemory workspace, allocate(static_cast<std::size_t>(attention_->workspaceBytes())));
            workspace_ = std::move(workspace);
        }
        return attention_->bind(tensors_.q(), tensors_.k(), tensors_.v(), tensors_.o(), AttentionTensors::address(workspace_));
    }

    Status issue() override { return attention_->run(); }
    std::string version() const override { return "cuDNN " + cudnn::versionText(session_->functions()); }
    Result<std::optional<std::vector<std::byte>>> output() override { return tensors_.output(); }

private:
    AttentionTensors tensors_;
    DeviceMemory workspace_;
    std::unique_ptr<cudnn::Session> session_;
    std::unique_ptr<cudnn::Attention> attention_;
};

} // namespace

Result<std::unique_ptr<StreamBaseline>> makeCudnnBaseline(const BaselineSpec& spec, const StreamPlace& place)
{
    KL_ASSIGN(const AttentionSizes sizes, attentionSizes(spec.params));
    KL_ASSIGN(const cudnn::Functions* functions, cudnn::load(place.libraryFolders));
    KL_ASSIGN(std::unique_ptr<cudnn::Session> session, cudnn::Session::open(*functions, place.stream));
    KL_ASSIGN(AttentionTensors tensors, AttentionTensors::make(sizes, place));
    auto baseline = std::make_unique<CudnnBaseline>(std::move(tensors), std::move(session));
    KL_TRY(baseline->prepare(sizes));
    return std::unique_ptr<StreamBaseline>(std::move(baseline));
}

} // namespace kl::inline live
