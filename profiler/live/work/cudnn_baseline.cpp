// SPDX-License-Identifier: MIT
#include "profiler/live/baselines/cudnn_attention.h"
#include "profiler/live/baselines/cudnn_library.h"
#include "profiler/live/work/attention_tensors.h"

namespace kl {
namespace {

class CudnnBaseline final : public StreamBaseline {
public:
    CudnnBaseline(AttentionTensors tensors, std::unique_ptr<cudnn::Session> session)
        : tensors_(std::move(tensors)), session_(std::move(session))
    {
    }

    Status prepare(const AttentionSizes& sizes)
    {
        Result<std::unique_ptr<cudnn::Attention>> planned = cudnn::Attention::plan(session_->functions(), session_->handle(), sizes);
        if (!planned)
            return planned.error();
        attention_ = std::move(*planned);
        if (attention_->workspaceBytes() > 0) {
            Result<DeviceMemory> workspace = allocate(static_cast<std::size_t>(attention_->workspaceBytes()));
            if (!workspace)
                return workspace.error();
            workspace_ = std::move(*workspace);
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
    const Result<AttentionSizes> sizes = attentionSizes(spec.params);
    if (!sizes)
        return sizes.error();
    const Result<const cudnn::Functions*> functions = cudnn::load(place.libraryFolders);
    if (!functions)
        return functions.error();
    Result<std::unique_ptr<cudnn::Session>> session = cudnn::Session::open(**functions, place.stream);
    if (!session)
        return session.error();
    Result<AttentionTensors> tensors = AttentionTensors::make(*sizes, place);
    if (!tensors)
        return tensors.error();
    auto baseline = std::make_unique<CudnnBaseline>(std::move(*tensors), std::move(*session));
    if (Status prepared = baseline->prepare(*sizes); !prepared)
        return prepared.error();
    return std::unique_ptr<StreamBaseline>(std::move(baseline));
}

} // namespace kl
