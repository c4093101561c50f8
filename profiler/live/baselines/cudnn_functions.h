// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

/// The part of cuDNN's backend API that KernelLoop calls, declared here so that the cuDNN headers are not needed. Numbers are those of
/// cuDNN 9's public cudnn_graph.h; they are part of its ABI. Calls return 0 on success.
namespace kl::inline live::cudnn {

using Handle = struct CudnnHandle*;
using Descriptor = void*;

struct Functions {
    std::size_t (*getVersion)() = nullptr; ///< 91900 for 9.19.0
    int (*create)(Handle* handle) = nullptr;
    int (*destroy)(Handle handle) = nullptr;
    int (*setStream)(Handle handle, void* stream) = nullptr;
    const char* (*errorString)(int status) = nullptr;
    void (*lastError)(char* text, std::size_t size) = nullptr;
    int (*createDescriptor)(int type, Descriptor* descriptor) = nullptr;
    int (*destroyDescriptor)(Descriptor descriptor) = nullptr;
    int (*setAttribute)(Descriptor descriptor, int name, int type, std::int64_t count, const void* values) = nullptr;
    int (*getAttribute)(Descriptor descriptor, int name, int type, std::int64_t room, std::int64_t* count, void* values) = nullptr;
    int (*finalize)(Descriptor descriptor) = nullptr;
    int (*execute)(Handle handle, Descriptor plan, Descriptor variantPack) = nullptr;
};

enum DescriptorType : int {
    pointwiseDescriptor = 0,
    engineConfigDescriptor = 3,
    engineHeuristicDescriptor = 4,
    executionPlanDescriptor = 5,
    pointwiseOperation = 13,
    operationGraphDescriptor = 15,
    variantPackDescriptor = 16,
    tensorDescriptor = 17,
    matmulDescriptor = 18,
    matmulOperation = 19,
    reductionDescriptor = 21,
    reductionOperation = 22,
};

enum AttributeType : int {
    typeHandle = 0,
    typeDataType = 1,
    typeBoolean = 2,
    typeInt64 = 3,
    typeVoidPointer = 6,
    typeHeuristicMode = 8,
    typePointwiseMode = 14,
    typeDescriptor = 15,
    typeReductionOperator = 18,
};

enum Attribute : int {
    pointwiseModeAttribute = 0,
    pointwisePrecision = 1,
    pointwiseAxis = 9,
    heuristicMode = 200,
    heuristicGraph = 201,
    heuristicResults = 202,
    planHandle = 400,
    planEngineConfig = 401,
    planWorkspaceSize = 402,
    pointwiseOpDescriptor = 750,
    pointwiseOpX = 751,
    pointwiseOpB = 752,
    pointwiseOpY = 753,
    pointwiseOpT = 758,
    graphHandle = 800,
    graphOperations = 801,
    tensorAlignment = 900,
    tensorDataType = 901,
    tensorDimensions = 902,
    tensorStrides = 903,
    tensorId = 906,
    tensorIsVirtual = 907,
    tensorIsByValue = 908,
    packIds = 1000,
    packPointers = 1001,
    packWorkspace = 1003,
    matmulComputeType = 1500,
    matmulOpA = 1520,
    matmulOpB = 1521,
    matmulOpC = 1522,
    matmulOpDescriptor = 1523,
    reductionOperator = 1600,
    reductionComputeType = 1601,
    reductionOpX = 1610,
    reductionOpY = 1611,
    reductionOpDescriptor = 1612,
};

enum DataType : int { dataFloat = 0, dataHalf = 2, dataInt32 = 4, dataBfloat16 = 9, dataBoolean = 11 };
enum PointwiseMode : int {
    add = 0,
    multiply = 1,
    divide = 6,
    subtract = 9,
    exponential = 13,
    logarithm = 15,
    compareGreaterEqual = 303,
    generateIndex = 501,
    select = 601
};
enum ReductionOperator : int { reduceAdd = 0, reduceMax = 3 };
enum HeuristicMode : int { heuristicFallback = 2, heuristicA = 3 };

} // namespace kl::inline live::cudnn
