// SPDX-License-Identifier: BSD-2-Clause
// The table of searches. A new search is a file in search/ and a row here; nothing else switches over algorithms.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "machine/workers.h"
#include "me/coprocessor/buffer_pool.h"
#include "me/kernels/distortion.h"
#include "me/motion_field.h"
#include "me/samples/chroma.h"
#include "me/samples/interpolation.h"
#include "me/search_params.h"
#include "video/plane.h"

namespace tandem {

class PyramidStore;

/// What a search reads. Views and pointers, all valid while the Search lives.
struct SearchInput {
    PlaneView current;
    PlaneView reference;                        ///< Whole positions; readable `border` samples beyond each edge.
    int border = 0;                             ///< 0, or at least the range + 1 where the boundary is padded.
    const SubpelPlanes* planes = nullptr;       ///< All positions, where params->precision > 1.
    const SearchParams* params = nullptr;       ///< Valid parameters.
    const MotionField* hint = nullptr;          ///< Predictors: same grid as the field to be filled, or null.
    const MotionField* given = nullptr;         ///< The request's hint, for searches that take its vectors, or null.
    const DistortionKernels* kernels = nullptr; ///< The SIMD level in force.
    Workers* workers = nullptr;                 ///< For what a search prepares once per request,
    BufferPool* buffers = nullptr;              ///< and the memory for it.
    const ChromaPair* chroma = nullptr;         ///< Where params->planes is Planes::all.
    PyramidStore* pyramids = nullptr;           ///< Of the pictures below and of others.
    std::uint64_t current_picture = 0, reference_picture = 0; ///< Frame::serial() of both.
    VectorLimits limits; ///< vector_limits() of the parameters and the picture: every block asks.
};

struct Walk;

/// One search over one pair of pictures. Constant after construction but for what its passes write.
class Search {
  public:
    virtual ~Search() = default;
    /// Fills block rows first_row..end_row-1 of the field, which has the geometry of the request and is new there:
    /// slots for which nothing is found stay as they are. Thread-safe for disjoint rows.
    virtual void search_rows(int first_row, int end_row, MotionField& field) const = 0;
};

/// A search. To add one that walks takes a pattern (search/pattern.h) and a row, on every machine:
///
///     walking({.name = "cross", .description = "a small cross until its centre wins", .walk = &walks::cross}),
struct SearchRow {
    std::string_view name;        ///< As options and reports say it.
    std::string_view description; ///< Half a line for a help text.
    /// Prepares the search of block rows first_row..end_row-1 (and whatever those depend on).
    std::unique_ptr<Search> (*make)(const SearchInput& input, int first_row, int end_row) = nullptr;
    const Walk* walk = nullptr;         ///< Of a search that is a walk and nothing else.
    const Walk* halving_walk = nullptr; ///< The same with StepSequence::halving, where that is another.
    /// Takes the vectors of MotionRequest::hint as they are: the request needs one, and no refinement follows. Range
    /// and precision bind no vector; a block keeps empty slots where the hint has none, or one that the boundary
    /// forbids.
    bool from_hint = false;
    /// How many rows above first_row are searched too, because the first ones depend on them: their predictors are
    /// read. Null: none.
    int (*rows_above)(const SearchParams& params, int first_row) = nullptr;
    bool walks = false;                ///< SearchParams::start says where it begins.
    bool begins_at_predictors = false; ///< It does so whatever that says.
    int usual_range = 16;              ///< Pels: the reach about predictors or zero that suits most content.
    bool is_half_as_high = false;      ///< Where one number is chosen, it reaches half as far up and down, rounded up.
    Algorithm algorithm = Algorithm::full; ///< The row's place in the table, which sets it.

    int vertical_range(int range) const { return is_half_as_high ? (range + 1) / 2 : range; }
};

/// In the order of Algorithm.
std::span<const SearchRow> search_table();
const SearchRow& search_row(Algorithm algorithm);
/// SearchRow::rows_above of the parameters' search.
int rows_searched_above(const SearchParams& params, int first_row);
/// Whether this build has what the search needs: phase correlation needs a Fourier transform.
bool is_built(const SearchRow& row);
std::optional<Algorithm> algorithm_by_name(std::string_view name);
/// All names with `between` between them; those that need a hint (SearchRow::from_hint) where `with_hints`.
std::string search_names(std::string_view between, bool with_hints);

} // namespace tandem
