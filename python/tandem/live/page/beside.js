// SPDX-License-Identifier: BSD-2-Clause
// What stands beside the field: the difference to the prediction (or the prediction itself) and the vectors' histogram.
import { drawHistogram } from "./drawing/histogram.js";
import { paintDifference, paintLuma, SampleCanvas } from "./drawing/samples.js";
import { byId, fixed, segments } from "./elements.js";

const differenceKinds = [["difference", "Difference"], ["prediction", "Prediction"], ["unmoved", "Unmoved"], ["off", "Off"]];

export class Beside {
    /** `wantsPrediction(isWanted)` is told at each change. */
    constructor(wantsPrediction) {
        this.kind = "difference";
        this.target = new SampleCanvas();
        this.previous = null; // Samples of the reference, for "unmoved".
        byId("difference-kinds").append(segments("What is shown beside the field", differenceKinds, this.kind, (kind) => {
            this.kind = kind;
            byId("difference").classList.toggle("folded", kind === "off");
            wantsPrediction(this.needsPrediction);
            this.paint(this.shown, this.sign);
        }));
    }

    get needsPrediction() { return this.kind === "difference" || this.kind === "prediction"; }

    /** `shown`: { samples, reference (samples or null), prediction (samples or null), fields, psnr, psnrUnmoved, reach }. */
    paint(shown, sign) {
        this.shown = shown;
        this.sign = sign;
        if (!shown) return;
        byId("psnr").textContent = `${fixed(shown.psnr, 2)} dB`;
        byId("psnr-unmoved").textContent = `unmoved ${fixed(shown.psnrUnmoved, 2)} dB`;
        this.paintSamples(shown);
        this.paintHistogram(shown, sign);
    }

    paintSamples({ samples, reference, prediction, fields: [{ width, height }] }) {
        const others = this.kind === "unmoved" ? reference : prediction;
        if (this.kind === "off" || !others) return;
        const made = this.kind === "prediction" ? paintLuma(this.target, width, height, others, false)
            : paintDifference(this.target, width, height, samples, others);
        const canvas = byId("difference-picture");
        if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
        canvas.getContext("2d").drawImage(made, 0, 0);
    }

    paintHistogram({ fields: [field], reach }, sign) {
        const canvas = byId("histogram-picture"), side = Math.round(canvas.clientWidth * devicePixelRatio), tall = Math.round(canvas.clientHeight * devicePixelRatio);
        if (!side || !tall) return;
        if (canvas.width !== side || canvas.height !== tall) Object.assign(canvas, { width: side, height: tall });
        const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name);
        drawHistogram(canvas, field, reach, sign, { ground: colour("--plot"), line: colour("--line"), text: colour("--label") });
    }
}
