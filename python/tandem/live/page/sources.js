// SPDX-License-Identifier: BSD-2-Clause
// Where pictures come from in the browser: the camera, or a video file. Each gives its frames to `take`:
//   { time (performance.now()), width, height, samples (Uint8Array of luma) }
// and has stop(), pause(isPaused) and step().
import { Y4mSource } from "./y4m.js";

/** Luma of what a video shows, at most `widest` pels wide; drawn by the browser, which converts any format. */
class LumaReader {
    constructor() {
        this.canvas = document.createElement("canvas");
        this.context = this.canvas.getContext("2d", { willReadFrequently: true });
    }

    read(video, widest) {
        const width = Math.min(video.videoWidth, widest), height = Math.max(1, Math.round(width * video.videoHeight / video.videoWidth));
        if (this.canvas.width !== width || this.canvas.height !== height) Object.assign(this.canvas, { width, height });
        this.context.drawImage(video, 0, 0, width, height);
        const { data } = this.context.getImageData(0, 0, width, height), samples = new Uint8Array(width * height);
        // ITU-R BT.601's weights in 1/256.
        for (let i = 0, at = 0; i < samples.length; ++i, at += 4) samples[i] = (77 * data[at] + 150 * data[at + 1] + 29 * data[at + 2] + 128) >> 8;
        return { width, height, samples };
    }
}

/** Frames of a video element, each once. */
class VideoSource {
    constructor(video, widest, take) {
        Object.assign(this, { video, widest, take, isPaused: false, isStopped: false, reader: new LumaReader() });
        this.next();
    }

    next() {
        if (this.isStopped) return;
        if (this.video.requestVideoFrameCallback) this.video.requestVideoFrameCallback(() => this.frame());
        else requestAnimationFrame(() => this.frameIfNew());
    }

    frameIfNew() {
        if (this.video.currentTime === this.lastTime) { this.next(); return; }
        this.lastTime = this.video.currentTime;
        this.frame();
    }

    frame() {
        if (this.isStopped) return;
        const time = performance.now();
        if (this.video.videoWidth && (!this.isPaused || this.isStep)) {
            this.isStep = false;
            this.take({ time, ...this.reader.read(this.video, this.widest) });
        }
        this.next();
    }

    stop() {
        this.isStopped = true;
        this.video.pause();
    }
}

class CameraSource extends VideoSource {
    constructor(stream, video, widest, take, ended) {
        super(video, widest, take);
        this.stream = stream;
        for (const track of stream.getTracks()) track.addEventListener("ended", () => { if (!this.isStopped) ended("The camera has gone."); });
    }
    pause(isPaused) { this.isPaused = isPaused; }
    step() { this.isStep = true; }
    stop() {
        super.stop();
        for (const track of this.stream.getTracks()) track.stop();
        this.video.srcObject = null;
    }
}

class FileSource extends VideoSource {
    constructor(address, video, widest, take) {
        super(video, widest, take);
        this.address = address;
    }
    pause(isPaused) { isPaused ? this.video.pause() : this.video.play(); }
    step() { this.video.currentTime += 1 / 30; }
    stop() {
        super.stop();
        URL.revokeObjectURL(this.address);
    }
}

const refusals = {
    NotAllowedError: "The camera was refused. Allow it in the browser's address bar, or choose a file or the clip.",
    NotFoundError: "There is no camera here. Choose a file or the clip.",
    NotReadableError: "The camera is in use elsewhere, or it fails.",
};

const makeVideo = () => Object.assign(document.createElement("video"), { muted: true, playsInline: true, loop: true });

/** The browser's camera. Throws an Error with words for people. */
export async function openCamera(widest, take, ended) {
    if (!navigator.mediaDevices) throw new Error("The browser gives the camera only to https pages and to this machine itself; docs/live.md tells of a tunnel.");
    const video = makeVideo();
    try {
        const size = Number.isFinite(widest) ? { width: { ideal: Math.max(widest, 320) } } : { width: { ideal: 1920 } };
        const stream = await navigator.mediaDevices.getUserMedia({ audio: false, video: { ...size, frameRate: { ideal: 30 } } });
        video.srcObject = stream;
        await video.play();
        return new CameraSource(stream, video, widest, take, ended);
    } catch (error) {
        throw new Error(refusals[error.name] || `The camera fails: ${error.message}`);
    }
}

/** A file that the browser plays, or a .y4m. Throws an Error with words for people. */
export async function openFile(file, widest, most, take) {
    if (file.name.toLowerCase().endsWith(".y4m")) return Y4mSource.open(file, most, take);
    const video = makeVideo(), address = URL.createObjectURL(file);
    video.src = address;
    try {
        await video.play();
    } catch {
        URL.revokeObjectURL(address);
        throw new Error(`The browser does not play ${file.name}. Make it a .y4m or give it to the server with --clip.`);
    }
    return new FileSource(address, video, widest, take);
}
