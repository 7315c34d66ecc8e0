// SPDX-License-Identifier: BSD-2-Clause
// A stream's picture with its layers, and the block that is looked at.
const stages = streams.map((stream) => makeStage(stream));

function makeStage(stream) {
    const svg = draw("svg", {
        class: "stage",
        tabindex: 0,
        role: "img",
        "aria-label": `${stream.name}; arrow keys walk over the macroblocks`
    });
    const words = make("span", {class: "words"}),
          name = () => `${stream.name}-${state.display}`.replace(/[^\w-]+/g, "-");
    const save = (kind, action) => make(
        "button", {
            type: "button",
            class: "quiet small",
            "aria-label": `Save ${stream.name} as ${kind}`,
            onclick: () => action(svg, name())
        },
        kind);
    const figureNode = make(
        "figure", {},
        make(
            "figcaption", {}, make("span", {}, stream.name + " ", words),
            make("span", {class: "save"}, save("SVG", saveSvg), save("PNG", savePng))),
        svg);
    const stage = {stream, svg, words, node: figureNode, opened: undefined};
    const under = (event) => {
        const matrix = svg.getScreenCTM().inverse();
        const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
        const column = Math.floor(point.x / 16), row = Math.floor(point.y / 16);
        const inside = column >= 0 && row >= 0 && point.x < stream.width && point.y < stream.height;
        return inside ? {column, row} : undefined;
    };
    fill(
        svg, {
            onpointermove: (event) => {
                const at = under(event);
                if (at && stage.opened) {
                    showTip(blockLines(stage.opened, at.column, at.row), event.clientX, event.clientY);
                } else {
                    hideTip();
                }
            },
            onpointerleave: hideTip,
            onclick: (event) => chooseBlock(under(event)),
            ondblclick: (event) => {
                chooseBlock(under(event));
                zoomTo(state.zoom * 2);
            },
            onfocus: () => tipAtBlock(stage),
            onblur: hideTip,
            onkeydown: (event) => walkBlocks(event, stage)
        },
        []);
    return stage;
}

function chooseBlock(at) {
    if (!at) return;
    Object.assign(state, at);
    placeView();
    showBlock();
}

function walkBlocks(event, stage) {
    const [right, down] = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]}[event.key] ||
        [0, 0];
    if (!right && !down) return;
    event.preventDefault();
    event.stopPropagation();
    chooseBlock({
        column: Math.min(Math.max(state.column + right, 0), stage.stream.columns - 1),
        row: Math.min(Math.max(state.row + down, 0), stage.stream.rows - 1)
    });
    tipAtBlock(stage);
}

function tipAtBlock(stage) {
    const frame = stage.svg.querySelector(".cursor");
    if (!frame || !stage.opened) return;
    const box = frame.getBoundingClientRect();
    showTip(blockLines(stage.opened, state.column, state.row), box.right, box.bottom, () => tipAtBlock(stage));
}

function zoomTo(zoom) {
    state.zoom = Math.min(Math.max(zoom, 1), 16);
    placeView();
}

// The part of the picture that is seen, and the frame of the block that is looked at.
function placeView() {
    for (const {svg, stream} of stages) {
        const width = stream.width / state.zoom, height = stream.height / state.zoom;
        const from = (middle, size, all) => Math.min(Math.max(middle - size / 2, 0), all - size);
        const x = from(16 * state.column + 8, width, stream.width), y = from(16 * state.row + 8, height, stream.height);
        svg.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
        svg.style.imageRendering = state.zoom >= 4 ? "pixelated" : "auto";
        const cursor = svg.querySelector(".cursor");
        if (cursor) fill(cursor, {x: 16 * state.column, y: 16 * state.row}, []);
    }
    byId("zoom").textContent = `${state.zoom}×`;
}

function pictureWords(opened) {
    const {picture} = opened;
    const parts = [
        `${picture.type} picture`, picture.bytes === null ? "" : `${fixed(picture.bytes, 0)} bytes`,
        picture.quantiser === null ? "" : `quantiser ${fixed(picture.quantiser, 2)}`,
        picture.psnr === null ? "" : `PSNR Y ${fixed(picture.psnr[0], 2)} dB`
    ];
    return parts.filter(Boolean).join(", ");
}

function paintStage(stage, layer, range) {
    const {svg, stream, opened} = stage;
    if (!opened) {
        svg.replaceChildren(
            draw("text", {x: 12, y: 24, fill: "currentColor"}, `There is no picture ${state.display}.`));
        stage.words.textContent = "";
        return;
    }
    svg.replaceChildren(
        ...(state.picture ? [draw("image", {href: opened.picture.image, width: stream.width, height: stream.height})] :
                            [draw("rect", {width: stream.width, height: stream.height, fill: "#181a20"})]),
        ...colourPaths(layer, opened, range), ...(state.blocks ? blockOutlines(opened) : []),
        ...(state.vectors ? arrows(opened) : []), draw("rect", {
            class: "cursor",
            width: 16,
            height: 16,
            fill: "none",
            stroke: "#fff",
            "stroke-width": 2,
            "vector-effect": "non-scaling-stroke"
        }));
    stage.words.textContent = pictureWords(opened);
}

function showBlock() {
    byId("block").replaceChildren(...stages.map((stage) => {
        const parts = stage.opened ? blockPanel(stage.opened, state.column, state.row) : [];
        return make("div", {}, ...(stages.length > 1 ? [make("h3", {}, stage.stream.name)] : []), ...parts);
    }));
    byId("block-name").textContent = `Macroblock (${state.column}, ${state.row})`;
}
