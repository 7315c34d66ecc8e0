// SPDX-License-Identifier: BSD-2-Clause
// Full search of several pictures in one launch, for blocks of at most one tile and one candidate: small pictures alone
// leave most of a device idle. The columns of vectors of all pictures' blocks of a row of blocks stand side by side.
#include "cuda/full/full_sweep.cuh"

namespace tandem::cuda {

namespace {

struct ManyPictures {
    const PictureBatch& batch;

    __device__ int column_of(const SearchTask& task, int block_column) const {
        return BatchColumn(task, block_column).column;
    }
    __device__ std::size_t number_of(const SearchTask& task, int block_column, int row) const {
        return BatchColumn(task, block_column).block_number(task, row);
    }
    __device__ Mv predictor(const SearchTask& task, int block_column, int row) const {
        return task.predictors == nullptr ? Mv{} : task.predictors[number_of(task, block_column, row)];
    }
    /// On the whole-pel grid.
    __device__ TileSource source(const SearchTask& task, int block_column, int x, int y, Position first) const {
        const PictureBatch::Picture& picture = batch.picture[BatchColumn(task, block_column).picture];
        const int stride = task.reference.whole.stride;
        return {picture.current + static_cast<std::ptrdiff_t>(y) * picture.current_stride + x,
                picture.reference + static_cast<std::ptrdiff_t>(y + first.y) * stride + x + first.x,
                picture.current_stride, stride};
    }
};
using BatchColumns = SweepColumnsOf<ManyPictures>;

/// Keeps the best of a column.
template <Metric metric> class ColumnBest {
  public:
    __device__ ColumnBest(const BatchColumns& columns, const SweepColumn& column, const RowTables<metric>& tables)
        : addends_(columns.addends_of(tables, column)) {}

    __device__ void row(std::uint32_t distortion) {
        best_.take(distortion, *addends_);
        ++addends_;
    }
    __device__ void rows_done(int) {}

    __device__ VectorKey key(const BatchColumns& columns, const SweepColumn& column,
                             const RowTables<metric>& tables) const {
        return vector_key(best_.cost(), column.x, columns.y_of(tables.row_of_rank[best_.rank()]));
    }

  private:
    const typename BestOf<metric>::Type::Addend* addends_;
    typename BestOf<metric>::Type best_;
};

template <int words, int rows>
__global__ void __launch_bounds__(full_search_workspaces, resident_groups(words, rows))
    full_sweep_batch(const __grid_constant__ SearchTask task, const __grid_constant__ FullSearchLayout layout,
                     const __grid_constant__ PictureBatch batch) {
    extern __shared__ uint4 shared[];
    const RowTables<Metric::sad> tables(shared, layout);
    const int first_thread = static_cast<int>(blockIdx.x) * full_search_workspaces;
    const BatchColumns columns(task, layout, first_thread, full_search_workspaces, {batch});
    if (columns.count() <= 0) return;
    const SweepColumn column = columns.column(first_thread + static_cast<int>(threadIdx.x));
    BlockSweep<Metric::sad, words, rows> sweep(columns.source(column, 0, 0));
    columns.fill(tables, static_cast<int>(threadIdx.x), full_search_workspaces);
    __syncthreads();

    ColumnBest<Metric::sad> best(columns, column, tables);
    const bool whole = column.block.width == 4 * words && column.block.height == rows && columns.count() >= rows;
    if (__all_sync(0xFFFFFFFFu, whole)) {
        sweep.run_whole(columns.count(), best);
    } else {
        sweep.run_cut(columns.count(), column.block.width, column.block.height, best);
    }
    columns.settle(column, best.key(columns, column, tables));
}

constexpr SweepVariant<void(SearchTask, FullSearchLayout, PictureBatch)> variants[] = {
    {{4, 16}, full_sweep_batch<4, 16>}, {{4, 8}, full_sweep_batch<4, 8>}, {{4, 4}, full_sweep_batch<4, 4>},
    {{2, 16}, full_sweep_batch<2, 16>}, {{2, 8}, full_sweep_batch<2, 8>}, {{2, 4}, full_sweep_batch<2, 4>},
    {{1, 16}, full_sweep_batch<1, 16>}, {{1, 8}, full_sweep_batch<1, 8>}, {{1, 4}, full_sweep_batch<1, 4>},
};

} // namespace

void launch_full_sad_batch(const SearchTask& task, const FullSearchLayout& layout, SweepTile tile,
                           const PictureBatch& batch, cudaStream_t stream) {
    const int groups = (layout.thread_count + full_search_workspaces - 1) / full_search_workspaces;
    const dim3 grid(static_cast<unsigned>(groups), static_cast<unsigned>(task.rows),
                    static_cast<unsigned>(layout.chunks));
    auto* const kernel = kernel_of_tile(variants, tile);
    kernel<<<grid, full_search_workspaces, row_table_bytes<Metric::sad>(layout), stream>>>(task, layout, batch);
    check_launch("full search of several pictures");
}

} // namespace tandem::cuda
