// SPDX-License-Identifier: BSD-2-Clause
// Everything that is known of one macroblock: in a few lines beside the pointer, and all of it in a panel.
const patternNames = ["Y0", "Y1", "Y2", "Y3", "Cb", "Cr"];
const patternText = (pattern) => patternNames.filter((_, block) => pattern & (32 >> block)).join(" ") || "none";

function blockLines(opened, column, row) {
    const {stream} = opened, i = row * stream.columns + column, lines = [`macroblock (${column}, ${row})`];
    const flags = opened.column("flags");
    if (flags) lines[0] += `, ${modeName(flags[i])}`;
    for (const one of vectorsAt(opened, column * 16 + 8, row * 16 + 8))
        lines.push(`${one.forward ? "forward" : "backward"} ${vectorText(one.dx, one.dy)} pels`);
    if (quantiserOf(opened, i)) lines.push(`quantiser ${quantiserOf(opened, i)}`);
    if (bitsOf(opened, i) !== undefined) lines.push(`bits ${bitsOf(opened, i)}`);
    if (opened.column("residual")) lines.push(`residual ${opened.column("residual")[i]}`);
    if (distortionOf(opened, i) !== undefined) lines.push(`error ${distortionOf(opened, i)}`);
    if (known(opened.column("importance")?.[i])) lines.push(`importance ${fixed(opened.column("importance")[i], 3)}`);
    return lines.join("\n");
}

function blockFacts(opened, column, row) {
    const {stream} = opened, i = row * stream.columns + column, facts = [];
    const has = (name) => opened.column(name);
    const add = (name, text) => facts.push(make("dt", {}, name), make("dd", {}, text));
    add("from", `(${16 * column}, ${16 * row}) pels on`);
    if (has("flags")) add("mode", modeName(has("flags")[i]));
    const references = has("references");
    for (const one of opened.vectors.filter(({x, y}) => Math.floor(x / 16) === column && Math.floor(y / 16) === row)) {
        const from = references ? references[one.forward ? 0 : 1] : -1;
        add(one.forward ? "forward" : "backward",
            `${vectorText(one.dx, one.dy)} pels` + (from >= 0 ? `, from picture ${from}` : "") +
                (one.width === 16 && one.height === 16 ? "" : `; ${one.width}×${one.height} at (${one.x}, ${one.y})`));
    }
    if (quantiserOf(opened, i)) {
        const offset = has("offset")?.[i];
        add("quantiser",
            String(quantiserOf(opened, i)) +
                (Math.abs(offset) >= .005 ? `, asked ${signed(offset, 2)} on the picture's` : ""));
    }
    if (has("pattern")) add("blocks", patternText(has("pattern")[i]));
    if (has("distortion"))
        add("error", ["Y", "Cb", "Cr"].map((name, p) => `${name} ${has("distortion")[3 * i + p]}`).join(", "));
    if (has("residual")) add("residual", `energy ${has("residual")[i]}, luma`);
    if (known(has("importance")?.[i])) add("importance", `quantiser times ${fixed(has("importance")[i], 3)}`);
    return make("dl", {class: "facts"}, facts);
}

function bitsTable(opened, i) {
    const bits = opened.column("element_bits");
    if (!bits) return [];
    const own = elements.map((name, e) => ({name, bits: bits[i * elements.length + e]}));
    const most = Math.max(1, ...own.map((one) => one.bits));
    const bar = (one) => make("i", {class: "bar", style: `width:${(6 * one.bits / most).toFixed(2)}em`});
    const rows = own.map((one) => ({row: [left(one.name), left(bar(one)), one.bits]}));
    const all = table(
        "Bits by syntax element", [left("element"), "", "bits"],
        [...rows, {row: [left("all"), "", bitsOf(opened, i)], name: "sum"}]);
    return [make("div", {class: "scroll"}, fill(all, {class: "narrow"}, []))];
}

function candidateRow(opened, i, k, chosen) {
    const of = (name) => opened.column("candidate_" + name);
    const at = of("flags").length / opened.column("candidates").length * i + k;
    const flags = of("flags")[at], vectors = [];
    for (const name of ["forward", "backward"])
        if (flags & flag[name]) vectors.push(vectorText(of(name)[2 * at] / eighths, of(name)[2 * at + 1] / eighths));
    const name =
        (k === chosen ? "✓ " : "") + modeName(flags & 7) + (flags & flag.withoutResidual ? ", no residual" : "");
    const excess = minus(of("excess")[at].toFixed(0)).replace(/^(?=\d)/, "+");
    return {
        row: [
            left([name, make("br"), make("small", {}, vectors.join(" "))]), of("distortion")[at], of("bits")[at],
            k === chosen ? "–" : excess
        ],
        name: k === chosen ? "chosen" : ""
    };
}

function candidatesTable(opened, i) {
    const counts = opened.column("candidates");
    if (!counts) return [];
    if (!counts[i]) return [make("p", {class: "soft"}, "No other mode was measured.")];
    const rows = Array.from({length: counts[i]}, (_, k) => candidateRow(opened, i, k, opened.column("chosen")[i]));
    return [make(
        "div", {class: "scroll", tabindex: 0, role: "region", "aria-label": "Candidates"},
        table("Candidates", [left("candidate"), "distortion", "bits", "costs more"], rows))];
}

// The block and what is around it, enlarged.
function closeUp(opened, column, row) {
    const margin = 16, x = 16 * column - margin, y = 16 * row - margin, side = 16 + 2 * margin;
    return draw(
        "svg",
        {class: "closeup", viewBox: `${x} ${y} ${side} ${side}`, role: "img", "aria-label": "The block, enlarged"},
        draw("image", {
            href: opened.picture.image,
            width: opened.stream.width,
            height: opened.stream.height,
            style: "image-rendering:pixelated"
        }),
        draw("g", {}, arrows({vectors: vectorsAt(opened, 16 * column + 8, 16 * row + 8)})),
        draw(
            "rect",
            {x: 16 * column, y: 16 * row, width: 16, height: 16, fill: "none", stroke: "#fff", "stroke-width": .7}));
}

function blockPanel(opened, column, row) {
    const i = row * opened.stream.columns + column;
    if (column >= opened.stream.columns || row >= opened.stream.rows) return [];
    return [
        make("div", {class: "beside"}, closeUp(opened, column, row), blockFacts(opened, column, row)),
        ...bitsTable(opened, i), ...candidatesTable(opened, i)
    ];
}
