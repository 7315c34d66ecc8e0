// SPDX-License-Identifier: BSD-2-Clause
// The controls, the keys, and which picture is shown.
let timeline;
let newest = 0;

async function show() {
    const mine = ++newest;
    const opened = await Promise.all(streams.map((stream) => openPicture(stream, state.display)));
    if (mine !== newest) return;
    stages.forEach((stage, s) => {
        stage.opened = opened[s];
    });
    paint();
    document.documentElement.dataset.shown = state.display;
}

function paint() {
    const layer = layerNow();
    for (const stage of stages) paintStage(stage, layer, rangeFor(stage, layer));
    byId("legend").replaceChildren(...legendNodes(layer));
    placeView();
    showBlock();
    markTimeline();
    const order = ordered();
    byId("where").textContent = `picture ${state.display}, ${order.indexOf(state.display) + 1} of ${order.length}`;
    for (const one of document.querySelectorAll("[data-layer]"))
        one.setAttribute("aria-pressed", one.dataset.layer === state.layer);
    for (const one of document.querySelectorAll("[data-toggle]"))
        one.setAttribute("aria-pressed", state[one.dataset.toggle]);
}

function goTo(display) {
    if (display === undefined || display === state.display) return undefined;
    state.display = display;
    return show();
}

function step(by, order) {
    const before = state.order;
    state.order = order;
    const all = ordered();
    state.order = before;
    return goTo(all[all.indexOf(state.display) + by]);
}

function setLayer(key) {
    state.layer = key;
    paint();
}

function toggle(name) {
    state[name] = !state[name];
    paint();
}

const keys = {
    ArrowLeft: ["the picture before, in display order", () => step(-1, "display")],
    ArrowRight: ["the next picture", () => step(1, "display")],
    ",": ["the picture coded before", () => step(-1, "coding")],
    ".": ["the picture coded next", () => step(1, "coding")],
    v: ["vectors", () => toggle("vectors")],
    b: ["outlines of blocks", () => toggle("blocks")],
    p: ["the picture itself", () => toggle("picture")],
    "+": ["closer to the block", () => zoomTo(state.zoom * 2)],
    "-": ["further away", () => zoomTo(state.zoom / 2)],
    z: ["the whole picture", () => zoomTo(1)],
};
const keyNames = {
    ArrowLeft: "←",
    ArrowRight: "→",
    "-": "−"
};

function onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (["SELECT", "INPUT"].includes(event.target.tagName)) return;
    const shown = layers.filter((layer) => streams.some((stream) => hasLayer(layer, stream)));
    const layer = shown[Number(event.key) - 1];
    if (layer)
        setLayer(layer.key);
    else if (keys[event.key])
        keys[event.key][1]();
    else
        return;
    event.preventDefault();
}

function button(text, action, attributes = {}) {
    return make("button", {type: "button", onclick: action, ...attributes}, text);
}

function controls() {
    byId("steps").append(
        button("←", () => step(-1, "display"), {"aria-label": "The picture before"}),
        button("→", () => step(1, "display"), {"aria-label": "The next picture"}),
        button("coded before", () => step(-1, "coding")), button("coded next", () => step(1, "coding")));
    for (const layer of layers)
        if (streams.some((stream) => hasLayer(layer, stream)))
            byId("layers").append(button(layer.label, () => setLayer(layer.key), {"data-layer": layer.key}));
    for (const [name, label] of [["vectors", "Vectors"], ["blocks", "Blocks"], ["picture", "Picture"]])
        byId("toggles").append(button(label, () => toggle(name), {class: "toggle", "data-toggle": name}));
    byId("zooms").append(
        button("−", () => zoomTo(state.zoom / 2), {"aria-label": "Further away"}), make("output", {id: "zoom"}, "1×"),
        button("+", () => zoomTo(state.zoom * 2), {"aria-label": "Closer"}));
    const measured = measures.filter(isMeasured).map((measure) => [measure.key, measure.label]);
    const repaint = (name) => (value) => {
        state[name] = value;
        timeline.repaint();
        markTimeline();
        paint();
    };
    byId("timeline-controls")
        .append(
            choice("Of each picture", measured, state.measure, repaint("measure")),
            choice("Order", [["display", "display"], ["coding", "coding"]], state.order, repaint("order")));
    byId("keys").append(
        ...Object.entries(keys).flatMap(
            ([key, [says]]) => [make("dt", {}, make("kbd", {}, keyNames[key] || key)), make("dd", {}, says)]),
        make("dt", {}, make("kbd", {}, "1"), "…"), make("dd", {}, "what the colours show"));
}

function lead() {
    const rate = ([pictures, seconds]) => Number((pictures / seconds).toFixed(3));
    const about = (stream) => (streams.length > 1 ? `${stream.name}: ` : "") +
        `${stream.codec}, ${stream.width}×${stream.height}, ` +
        `${plural(stream.pictures.length, "picture")} from ${stream.pictures[0].display} on, ` +
        `${rate(stream.frame_rate)} a second` + (stream.decisions ? "" : "; what libavcodec tells of it");
    byId("lead").replaceChildren(...streams.flatMap((stream, s) => [s ? make("br") : "", about(stream)]));
}

function settingsTables() {
    const told = streams.filter((stream) => stream.settings);
    const names = [...new Set(told.flatMap((stream) => Object.keys(stream.settings)))];
    const text = (value) => value === undefined || value === null ? "–" : String(value);
    const rows = names.map((name) => {
        const values = told.map((stream) => text(stream.settings[name]));
        return {row: [left(name), ...values.map(left)], name: new Set(values).size > 1 ? "differs" : ""};
    });
    byId("settings").hidden = !told.length;
    byId("settings-table").append(table("Settings", [left("setting"), ...told.map((one) => left(one.name))], rows));
}

function start() {
    theme(keptTheme());
    if (!layers.some((layer) => layer.key === state.layer)) state.layer = "none";
    lead();
    if (streams.length > 1)
        byId("timeline-legend")
            .append(make("span", {}, make("i", {style: "background:var(--ink)"}), `line: ${streams[1].name}`));
    byId("stages").append(...stages.map((stage) => stage.node));
    document.querySelector(".look").classList.toggle("two", stages.length > 1);
    controls();
    settingsTables();
    timeline = figure("Timeline", timelineChart);
    byId("timeline").append(timeline);
    addEventListener("keydown", onKey);
    timeline.repaint();
    show();
}
start();
