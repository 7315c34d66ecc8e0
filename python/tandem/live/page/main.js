// SPDX-License-Identifier: BSD-2-Clause
// The page: a source's frames go through the link, answers are drawn when the screen next is.
import { Beside } from "./beside.js";
import { Controls } from "./controls.js";
import { layers } from "./drawing/painter.js";
import { byId, fixed, segments, toggle } from "./elements.js";
import { Figures } from "./figures.js";
import { startKeys } from "./keys.js";
import { Link } from "./link.js";
import { Sourcing } from "./sourcing.js";
import { Stage } from "./stage.js";
import { startTheme } from "./theme.js";

const figures = new Figures(), stages = [new Stage("Motion"), new Stage("Motion on the GPU")];
const view = { layer: "arrows", sign: -1, grid: false, trails: false };
let newest = null; // The answer that is drawn next, with its samples and when it came.
let last = null; // The one that is drawn.
let serial = 0; // Of the last settings that were sent.

const link = new Link({
    hello: (greeting) => {
        const isBack = controls.rows.length > 0, values = { ...greeting.settings, ...(isBack ? controls.values : {}) };
        controls.build(greeting.rows, values, greeting.without);
        send(isBack ? { ...controls.values, prediction: beside.needsPrediction } : { prediction: beside.needsPrediction });
        sourcing.greet(greeting);
    },
    answer: (answer) => {
        const samples = sourcing.samplesOf(answer);
        if (!samples) return; // Of a source that is no longer shown.
        figures.answered(answer);
        newest = { answer, samples, came: performance.now() };
        controls.refuse("");
        requestDraw();
    },
    message: (message) => {
        if (message.refused) controls.refuse(message.refused);
        if (message.settings && message.serial === serial) controls.show(message.settings);
    },
    state: (state, reason) => {
        document.documentElement.dataset.link = state;
        byId("state").textContent = state === "open" ? "connected" : `no server${reason ? `: ${reason}` : ""}, trying again`;
        if (state === "closed") figures.reset();
    },
});

function send(settings) {
    serial += 1;
    link.say({ settings, serial });
}

const controls = new Controls(byId("controls"), (name, value) => send({ [name]: value }));
const beside = new Beside((isWanted) => send({ prediction: isWanted }));
const sourcing = new Sourcing(link, figures, () => {
    newest = last = null;
    stages.forEach((stage) => stage.painter.trails.points.splice(0));
});

let isDrawAsked = false;
function requestDraw() {
    if (isDrawAsked) return;
    isDrawAsked = true;
    requestAnimationFrame(() => {
        isDrawAsked = false;
        if (newest) drawNewest();
    });
}

function drawNewest() {
    const { answer, samples, came } = newest;
    newest = null;
    carryTrails(answer);
    last = { answer, samples };
    draw();
    if (answer.isAgain) return; // Nothing new was captured.
    figures.shown(answer.picture ? answer.serverMs + performance.now() - came : performance.now() - answer.time);
    document.documentElement.dataset.drawn = String(figures.count.drawn);
}

function carryTrails(answer) {
    const passed = last ? answer.number - last.answer.number : 0;
    if (!view.trails || passed <= 0 || answer.isAgain) return;
    const share = passed / Math.max(1, answer.number - answer.reference);
    answer.fields.forEach((field, i) => stages[i].painter.trails.step(field, share));
}

function draw() {
    if (!last) return;
    const { answer, samples } = last;
    byId("stages").classList.toggle("two", answer.fields.length > 1);
    stages[1].node.hidden = answer.fields.length < 2;
    stages[0].title.textContent = answer.fields.length > 1 ? "Motion on the CPU" : "Motion";
    answer.fields.forEach((field, i) => stages[i].paint({ samples, field, ms: answer.searchMs[i] }, view));
    beside.paint({ samples, reference: sourcing.kept.get(answer.reference) || null, prediction: answer.prediction, fields: answer.fields,
        psnr: answer.psnr, psnrUnmoved: answer.psnrUnmoved, reach: Number(controls.values.range) || 16 }, view.sign);
    byId("same").textContent = answer.fields.length < 2 ? "" : answer.fieldsDiffer ? "The two fields differ." : "Both fields are the same.";
    window.tandemLive = { last, view, figures, stages }; // For tests and the curious.
}

function showFigures() {
    const now = figures.now(), show = (name, text) => { byId(name).textContent = text; };
    show("rate-in", fixed(now.in, 1));
    show("rate-searched", fixed(now.searched, 1));
    show("rate-drawn", fixed(now.drawn, 1));
    show("latency", fixed(now.latency, 1));
    show("latency-95", fixed(now.latency95, 1));
    show("search-ms", Number.isFinite(now.second) ? `${fixed(now.search, 2)} / ${fixed(now.second, 2)}` : fixed(now.search, 2));
    show("left-out", String(now.leftOut));
    show("left-out-of", `of ${now.came} frames left out`);
}
setInterval(showFigures, 500);

const layerButtons = segments("What is drawn over the picture", Object.entries(layers), view.layer, (layer) => { view.layer = layer; draw(); });
const trailsButton = toggle("Trails", view.trails, (isOn) => { view.trails = isOn; draw(); });
const gridButton = toggle("Grid", view.grid, (isOn) => { view.grid = isOn; draw(); });
byId("layers").append(layerButtons, trailsButton, gridButton,
    segments("What an arrow shows", [["-1", "Movement"], ["1", "Vectors"]], String(view.sign), (sign) => { view.sign = Number(sign); draw(); }));
byId("stages").append(...stages.map((stage) => stage.node));
stages[1].node.hidden = true;

const layerNames = Object.keys(layers), turn = (name) => (key) => controls.turn(name, key === key.toUpperCase() ? -1 : 1);
startKeys([
    [[" "], "pauses and goes on", () => sourcing.togglePause()],
    [["."], "one picture on", () => sourcing.step()],
    [layerNames.map((_, i) => String(i + 1)), Object.values(layers).join(", ").toLowerCase(), (key) => layerButtons.children[key - 1].click()],
    [["t"], "trails", () => trailsButton.click()],
    [["g"], "grid", () => gridButton.click()],
    [["s", "S"], "the next search, the one before", turn("search")],
    [["b", "B"], "the next block size, the one before", turn("block")],
    [["p", "P"], "finer precision, coarser", turn("precision")],
    [["m", "M"], "the next metric, the one before", turn("metric")],
    [["r", "R"], "a longer range, a shorter one", turn("range")],
    [["f", "F"], "a reference further back, a nearer one", turn("reference")],
], byId("keys"));
startTheme(byId("theme"), draw);
addEventListener("resize", draw);
