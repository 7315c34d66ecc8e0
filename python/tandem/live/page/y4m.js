// SPDX-License-Identifier: BSD-2-Clause
// A .y4m file in the browser: luma, round and round, at its own rate. Only the picture that is shown is read.
const longestLine = 512;
const chromaOf = {
    420: (width, height) => 2 * Math.ceil(width / 2) * Math.ceil(height / 2),
    422: (width, height) => 2 * Math.ceil(width / 2) * height,
    444: (width, height) => 2 * width * height,
    mono: () => 0,
};

async function lineAt(file, place) {
    const bytes = new Uint8Array(await file.slice(place, place + longestLine).arrayBuffer()), end = bytes.indexOf(10);
    return end < 0 ? null : { text: String.fromCharCode(...bytes.subarray(0, end)), next: place + end + 1 };
}

export class Y4mSource {
    /** Throws an Error with words for people. `most`: samples of a picture. */
    static async open(file, most, take) {
        const line = await lineAt(file, 0), words = line ? line.text.split(" ") : [];
        if (words[0] !== "YUV4MPEG2") throw new Error(`${file.name} is no y4m file.`);
        const tag = (letter) => (words.slice(1).find((word) => word[0] === letter) || "").slice(1);
        const width = Number(tag("W")), height = Number(tag("H")), colours = /^(420|422|444|mono)(jpeg|paldv|mpeg2)?$/.exec(tag("C") || "420");
        if (!colours) throw new Error(`${file.name}: its colour space ${tag("C")} is not read; 8-bit 420, 422, 444 and mono are.`);
        if (!(width >= 1 && height >= 1 && width * height <= most))
            throw new Error(`${file.name}: ${width}x${height}; at most ${most} samples are taken.`);
        const [over, under] = tag("F").split(":").map(Number), rate = over > 0 && under > 0 ? over / under : 25;
        const source = new Y4mSource(file, { width, height, chroma: chromaOf[colours[1]](width, height), first: line.next, rate }, take);
        source.play();
        return source;
    }

    constructor(file, format, take) {
        Object.assign(this, { file, format, take, place: format.first, isPaused: false, isStopped: false });
    }

    async play() {
        let due = performance.now();
        while (!this.isStopped) {
            if (!this.isPaused || this.isStep) {
                this.isStep = false;
                await this.frame();
            }
            due = Math.max(due + 1000 / this.format.rate, performance.now() - 250);
            await new Promise((resolve) => { setTimeout(resolve, Math.max(0, due - performance.now())); });
        }
    }

    async frame() {
        const { width, height, chroma, first } = this.format, line = await lineAt(this.file, this.place);
        const end = line && line.next + width * height + chroma;
        if (!line || !line.text.startsWith("FRAME") || end > this.file.size) {
            this.place = first;
            return;
        }
        const samples = new Uint8Array(await this.file.slice(line.next, line.next + width * height).arrayBuffer());
        this.place = end;
        if (!this.isStopped) this.take({ time: performance.now(), width, height, samples });
    }

    pause(isPaused) { this.isPaused = isPaused; }
    step() { this.isStep = true; }
    stop() { this.isStopped = true; }
}
