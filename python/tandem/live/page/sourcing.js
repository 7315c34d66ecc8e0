// SPDX-License-Identifier: BSD-2-Clause
// Which source plays: buttons, dropped files, the camera's refusals; numbers frames and keeps their samples until they
// are drawn.
import { byId, make } from "./elements.js";
import { openCamera, openFile } from "./sources.js";

const mostKept = 16; // Frames whose samples are kept: for drawing, and as a reference that is not moved.
const sizes = [["360", "360 wide"], ["640", "640 wide"], ["960", "960 wide"], ["1280", "1280 wide"], ["1920", "1920 wide"]];

export class Sourcing {
    /** `changed()` is called when another source begins. */
    constructor(link, figures, changed) {
        Object.assign(this, { link, figures, changed, kept: new Map(), kind: "", number: 0, isPaused: false, source: null, most: 1920 * 1088 });
        this.size = make("select", { id: "size", "aria-label": "Width of camera pictures and videos" }, sizes.map(([value, text]) => make("option", { value }, text)));
        this.size.addEventListener("change", () => this.again());
        this.file = make("input", { type: "file", accept: "video/*,.y4m", hidden: true, "aria-label": "A video file" });
        this.file.addEventListener("change", () => { if (this.file.files[0]) this.useFile(this.file.files[0]); this.file.value = ""; });
        this.buttons = { camera: this.button("Camera", () => this.useCamera()), file: this.button("File…", () => this.file.click()),
            clip: this.button("Clip", () => this.useClip()) };
        this.pauseButton = make("button", { type: "button", id: "pause", disabled: true, onclick: () => this.togglePause() }, "Pause");
        this.stepButton = make("button", { type: "button", id: "step", disabled: true, title: "One picture on", onclick: () => this.step() }, "Step");
        byId("sources").append(make("div", { class: "segments", role: "group", "aria-label": "Where pictures come from" }, Object.values(this.buttons)),
            this.file, this.size, this.pauseButton, this.stepButton);
        this.acceptDrops();
        this.show();
    }

    button(text, action) {
        return make("button", { type: "button", "aria-pressed": "false", onclick: action }, text);
    }

    acceptDrops() {
        const mark = (isOver) => document.documentElement.classList.toggle("dropping", isOver);
        addEventListener("dragover", (event) => { event.preventDefault(); mark(true); });
        addEventListener("dragleave", (event) => { if (!event.relatedTarget) mark(false); });
        addEventListener("drop", (event) => {
            event.preventDefault();
            mark(false);
            if (event.dataTransfer.files[0]) this.useFile(event.dataTransfer.files[0]);
        });
    }

    /** At each connection: the server knows nothing of what played before. */
    greet({ clip, most_samples: most }) {
        this.most = most;
        this.buttons.clip.textContent = clip.name === "drawn scene" ? "Drawn scene" : "Clip";
        this.buttons.clip.title = `${clip.name}, ${clip.width}x${clip.height}, ${Number(clip.rate.toFixed(3))} pictures a second`;
        this.lastClip = 0;
        if (this.kind === "clip") this.link.say({ clip: this.isPaused ? "step" : "play" });
        else if (!this.kind && new URLSearchParams(location.search).get("source") in this.buttons) this.buttons[new URLSearchParams(location.search).get("source")].click();
    }

    useCamera() { return this.start("camera", () => openCamera(this.widest, (frame) => this.take(frame), (why) => this.fail(why))); }
    useFile(file) { return this.start("file", () => openFile(file, this.widest, this.most, (frame) => this.take(frame)), file); }
    useClip() {
        return this.start("clip", async () => {
            this.link.say({ clip: "play" });
            return { stop: () => this.link.say({ clip: "off" }), pause: (isPaused) => this.link.say({ clip: isPaused ? "pause" : "play" }),
                step: () => this.link.say({ clip: "step" }) };
        });
    }

    /** The width that is wanted and that the server takes, of pictures that may be as high as wide. */
    get widest() { return Math.min(Number(this.size.value), Math.floor(Math.sqrt(this.most * 4 / 3))); }

    async start(kind, open, file = null) {
        const turn = this.turn = (this.turn || 0) + 1; // A later click overtakes one that still waits for its camera.
        this.stop();
        this.figures.reset();
        this.changed();
        this.link.say({ forget: true });
        this.note("");
        try {
            const source = await open();
            if (turn !== this.turn) { source.stop(); return; }
            Object.assign(this, { source, kind, dropped: file, lastClip: 0 });
            this.show();
        } catch (error) {
            if (turn === this.turn) this.fail(error.message);
        }
    }

    stop() {
        if (this.source) this.source.stop();
        this.source = null;
        this.kind = "";
        this.isPaused = false;
        this.kept.clear();
        this.show();
    }

    /** The same source with another size. */
    again() {
        if (this.kind === "camera") this.useCamera();
        if (this.kind === "file") this.useFile(this.dropped);
    }

    fail(why) {
        this.stop();
        this.note(why);
    }

    note(text) {
        byId("note").textContent = text;
        byId("note").hidden = !text;
    }

    show() {
        document.documentElement.dataset.source = this.kind || "none";
        for (const [kind, button] of Object.entries(this.buttons)) button.setAttribute("aria-pressed", String(kind === this.kind));
        this.pauseButton.disabled = this.stepButton.disabled = !this.kind;
        this.size.disabled = this.kind === "clip";
        this.pauseButton.textContent = this.isPaused ? "Go on" : "Pause";
    }

    take(frame) {
        this.figures.frameCame();
        this.number += 1;
        if (this.link.send({ ...frame, number: this.number })) this.keep(this.number, frame.samples);
    }

    keep(number, samples) {
        this.kept.set(number, samples);
        while (this.kept.size > mostKept) this.kept.delete(this.kept.keys().next().value);
    }

    /** The samples of an answer's picture; null for one of a source before. */
    samplesOf(answer) {
        if (!answer.picture !== (this.kind !== "clip")) return null;
        if (!answer.picture) return this.kept.get(answer.number) || null;
        if (!answer.isAgain) {
            this.figures.frameCame(this.lastClip ? Math.max(1, answer.number - this.lastClip) : 1);
            this.lastClip = answer.number;
        }
        this.keep(answer.number, answer.picture);
        return answer.picture;
    }

    togglePause() {
        if (!this.source) return;
        this.isPaused = !this.isPaused;
        this.source.pause(this.isPaused);
        this.show();
    }

    step() {
        if (!this.source) return;
        if (!this.isPaused) this.togglePause();
        this.source.step();
    }
}
