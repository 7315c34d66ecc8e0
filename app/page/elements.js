// SPDX-License-Identifier: BSD-2-Clause
// How elements, numbers, tables and hints are made. Text goes in as text, never as HTML.
/* exported byId, breakable, make, draw, minus, fixed, signed, short, milliseconds, mean, plural, withTip, walkable,
   choice, table, folded, left */
const byId = (id) => document.getElementById(id);

function fill(node, attributes, children) {
    for (const [name, value] of Object.entries(attributes)) {
        if (name.startsWith("on"))
            node.addEventListener(name.slice(2), value);
        else if (value !== undefined && value !== null && value !== false)
            node.setAttribute(name, value === true ? "" : value);
    }
    node.append(...children.flat().filter((child) => child !== null && child !== undefined));
    return node;
}
// Long names of files break after their underscores, where a narrow screen must break them.
const breakable = (text) =>
    text.split(/(?<=_)/).flatMap((part, i) => i ? [document.createElement("wbr"), part] : [part]);
const make = (tag, attributes = {}, ...children) => fill(
    document.createElement(tag), attributes,
    tag === "option" ? children :
                       children.flat().flatMap((child) => typeof child === "string" ? breakable(child) : [child]));
const draw = (tag, attributes = {}, ...children) =>
    fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

// Numbers: a real minus sign, thin spaces between thousands, "inf" and what is unknown as such.
const minus = (text) => text.replace(/(?<![\p{L}\d])-(?=\d)/gu, "−");
const known = Number.isFinite;
function fixed(value, digits) {
    if (value === "inf") return "∞";
    if (!known(value)) return "–";
    const [whole, rest] = Math.abs(value).toFixed(digits).split(".");
    const grouped = whole.length > 4 ? whole.replace(/\B(?=(\d{3})+$)/g, "\u202f") : whole;
    return (value < 0 && Number(value.toFixed(digits)) !== 0 ? "−" : "") + grouped + (rest ? "." + rest : "");
}
const signed = (value, digits) =>
    !known(value) ? "–" : (value > 0 && Number(value.toFixed(digits)) !== 0 ? "+" : "") + fixed(value, digits);
const short = (value) =>
    (!known(value) ? "–" : minus(Number(value.toPrecision(3)).toLocaleString("en", {useGrouping: false})));
const milliseconds = (value) => (!known(value) ? "–" : fixed(value, value < 1 ? 3 : value < 100 ? 2 : 1));
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
const plural = (count, one, many = one + "s") => `${count} ${count === 1 ? one : many}`;

// The hint beside a point; the same text is the point's label for those who do not see it.
// One that stands beside what has the focus moves with it: getting the focus may scroll the page.
const tip = byId("tip");
let showAgain = null;
function showTip(text, x, y, again = null) {
    showAgain = again;
    tip.textContent = text;
    tip.hidden = false;
    const {width, height} = tip.getBoundingClientRect();
    tip.style.left = `${Math.max(8, Math.min(x + 14, innerWidth - width - 8))}px`;
    tip.style.top = `${y + 18 + height > innerHeight ? Math.max(8, y - height - 12) : y + 18}px`;
}
const hideTip = () => {
    tip.hidden = true;
    showAgain = null;
};
addEventListener("scroll", () => (showAgain ? showAgain() : hideTip()), {passive: true});
addEventListener("keydown", (event) => {
    if (event.key === "Escape") hideTip();
});

function withFocusTip(node, text) {
    const atNode = () => {
        const box = node.getBoundingClientRect();
        showTip(text, box.right - 8, box.top + box.height / 2, atNode);
    };
    return fill(node, {onfocus: atNode, onblur: hideTip}, []);
}

function withTip(node, text) {
    const atPointer = (event) => showTip(text, event.clientX, event.clientY);
    return fill(withFocusTip(node, text), {onpointerenter: atPointer, onpointerleave: hideTip, onclick: atPointer}, []);
}

// Left and right walk along one curve, up and down to the next; a chart is a single stop of the tab key.
function walkable(rows) {
    const all = rows.flat();
    all.forEach((node, i) => node.setAttribute("tabindex", i === 0 ? 0 : -1));
    const go = (to) => {
        if (!to) return;
        all.forEach((node) => node.setAttribute("tabindex", -1));
        to.setAttribute("tabindex", 0);
        to.focus();
    };
    rows.forEach((row, r) => row.forEach((node, c) => node.addEventListener("keydown", (event) => {
        const beside = (next) => next && next[Math.min(c, next.length - 1)];
        const to = {
            ArrowLeft: row[c - 1],
            ArrowRight: row[c + 1],
            Home: row[0],
            End: row[row.length - 1],
            ArrowUp: beside(rows[r - 1]),
            ArrowDown: beside(rows[r + 1])
        }[event.key];
        if (to) {
            event.preventDefault();
            go(to);
        }
    })));
}

function choice(label, options, value, change) {
    const list = make(
        "select", {onchange: () => change(list.value)},
        options.map(([key, text]) => make("option", {value: key, selected: String(key) === String(value)}, text)));
    return make("label", {}, label, list);
}

function table(caption, head, rows) {
    const cell = (tag, content, i) => {
        const {text = content, ...attributes} =
            content !== null && typeof content === "object" && !(content instanceof Node) && !Array.isArray(content) ?
            content :
            {text: content};
        const {title, ...others} = attributes;
        const scope = tag === "th" ? {scope: i === undefined ? "col" : "row"} : {};
        // A phone shows a row as a list, each value after its column's name.
        const label = tag === "td" ? {"data-label": headings[i]} : {};
        const node = make(tag, {...scope, ...label, ...others}, ...(Array.isArray(text) ? text : [text]));
        // A touch has no title.
        return title ? withTip(fill(node, {tabindex: 0, "aria-description": title}, []), title) : node;
    };
    const plain = (content) => content !== null && typeof content === "object" ? content.text : content;
    const headings = head.map((content) => String(plain(content)));
    return make(
        "table", {"aria-label": caption}, make("thead", {}, make("tr", {}, head.map((content) => cell("th", content)))),
        make(
            "tbody", {},
            rows.map(
                ({row, name}) =>
                    make("tr", {class: name}, row.map((content, i) => cell(i === 0 ? "th" : "td", content, i))))));
}
// What most readers need not see, until they ask for it.
const folded = (name, ...content) => make("details", {}, make("summary", {}, name), ...content);
const left = (text) => ({text, class: "text"});
