// SPDX-License-Identifier: BSD-2-Clause
#include "cuda/texture/texture.h"

#include "cuda/device/check.h"

namespace tandem::cuda {

Texture::Texture(const SamplePlane& plane) {
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = const_cast<std::uint8_t*>(plane.samples);
    resource.res.pitch2D.desc = cudaCreateChannelDesc(8, 0, 0, 0, cudaChannelFormatKindUnsigned);
    resource.res.pitch2D.width = static_cast<std::size_t>(plane.width);
    resource.res.pitch2D.height = static_cast<std::size_t>(plane.height);
    resource.res.pitch2D.pitchInBytes = static_cast<std::size_t>(plane.pitch);
    cudaTextureDesc how{};
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
    how.filterMode = cudaFilterModeLinear;
    how.readMode = cudaReadModeNormalizedFloat;
    check(cudaCreateTextureObject(&object_, &resource, &how, nullptr), "making a texture");
}

Texture::~Texture() {
    if (object_ != 0) static_cast<void>(cudaDestroyTextureObject(object_));
}

} // namespace tandem::cuda
