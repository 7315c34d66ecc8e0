// SPDX-License-Identifier: BSD-2-Clause
// The controls of the search, made from the server's rows. A change is told at once.
import {byId, make} from "./elements.js";

const names = {
    full: "Full",
    tss: "Three-step",
    log: "Logarithmic",
    diamond: "Diamond",
    hexagon: "Hexagon",
    smpuhex: "SmpUHex",
    hier: "Hierarchical",
    predictive: "Predictive",
    poc: "Phase correlation",
    sad: "SAD",
    ssd: "SSD",
    satd: "SATD",
    zsad: "Zero-mean SAD",
    ncc: "Normalised correlation",
    cpu: "CPU",
    gpu: "GPU",
    both: "CPU and GPU",
    1: "1 pel",
    2: "1/2 pel",
    4: "1/4 pel",
    8: "1/8 pel"
};
const wordText = (word) => names[word] || word.replace("x", " × ");

export class Controls {
    /** `change(name, value)` is called for each change that a user makes. */
    constructor(place, change) { Object.assign(this, {place, change, rows: [], values: {}, inputs: {}}); }

    /** `without`: device -> why it is not there. */
    build(rows, values, without) {
        this.rows = rows.filter((row) => row.kind !== "switch");
        this.values = {...values};
        this.inputs = {};
        this.place.replaceChildren(...this.rows.map((row) => this.control(row, without)));
    }

    control(row, without) {
        const input = row.kind === "choice" || row.kind === "size" ? this.list(row, without) : this.slider(row);
        const unit = row.unit && row.kind !== "size" ? ` ${row.unit}` : "";
        const output = make("output", {"for": `set-${row.name}`});
        input.id = `set-${row.name}`;
        input.setAttribute("aria-describedby", `help-${row.name}`);
        this.inputs[row.name] = {
            input,
            tell: () => {
                output.textContent =
                    row.kind === "choice" || row.kind === "size" ? "" : `${this.values[row.name]}${unit}`;
            }
        };
        this.inputs[row.name].tell();
        return make(
            "div", {class: `control ${row.kind}`}, make("label", {"for": input.id}, row.label), output, input,
            make("p", {id: `help-${row.name}`, class: "help"}, row.help));
    }

    list(row, without) {
        const value = String(this.values[row.name]),
              words = row.words.includes(value) ? row.words : [...row.words, value];
        const missing = row.name === "device" ? Object.entries(without) : [];
        const list = make(
            "select", {title: row.help},
            words.map((word) => make("option", {value: word, selected: word === value}, wordText(word))),
            missing.map(([name, why]) => make("option", {disabled: true, title: why}, `${wordText(name)}: not here`)));
        list.addEventListener("change", () => this.user(row.name, list.value));
        return list;
    }

    slider(row) {
        const slider = make("input", {
            type: "range",
            min: row.least,
            max: row.most,
            step: row.step,
            value: this.values[row.name],
            title: row.help
        });
        slider.addEventListener("input", () => this.user(row.name, Number(slider.value)));
        return slider;
    }

    user(name, value) {
        this.values[name] = value;
        this.inputs[name].tell();
        this.change(name, value);
    }

    /** What the server has; it need not be what was asked for. */
    show(values) {
        Object.assign(this.values, values);
        for (const [name, {input, tell}] of Object.entries(this.inputs)) {
            input.value = String(this.values[name]);
            tell();
        }
    }

    /** The next value of a control, or the one before; as a key presses it. */
    turn(name, by) {
        const row = this.rows.find((one) => one.name === name);
        if (!row) return;
        if (row.words.length) {
            const at = row.words.indexOf(String(this.values[name]));
            this.user(name, row.words[(at + by + row.words.length) % row.words.length]);
        } else {
            this.user(name, Math.min(row.most, Math.max(row.least, this.values[name] + by * row.step)));
        }
        this.inputs[name].input.value = String(this.values[name]);
    }

    refuse(text) {
        const place = byId("refusal");
        place.textContent = text;
        place.hidden = !text;
    }
}
