// SPDX-License-Identifier: BSD-2-Clause
// Drawings that follow their width, and are saved as they are seen.
/* exported figure, saveSvg, savePng */
function exportStyles(from, to) {
    const style = getComputedStyle(from);
    for (const name
             of ["fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "stroke-linejoin", "opacity",
                 "font-size", "font-weight", "font-family", "text-anchor"])
        to.setAttribute(name, style.getPropertyValue(name));
    for (const name of ["tabindex", "style", "class"]) to.removeAttribute(name);
    [...from.children].forEach((child, i) => exportStyles(child, to.children[i]));
}

// With its title above and its legend below, since neither the page nor the figure goes along.
function titled(svg, {title, legend}, [x, y, width, height]) {
    const top = 34, below = legend(width), whole = top + height + below.height + 8;
    below.group.setAttribute("transform", `translate(0,${top + height + 12})`);
    return draw(
        "svg", {
            class: svg.getAttribute("class"),
            viewBox: `0 0 ${width} ${whole}`,
            style: "position:absolute;visibility:hidden;left:0;top:0"
        },
        draw("text", {class: "title", x: 12, y: 22}, title),
        draw("g", {transform: `translate(${- x},${top - y})`}, [...svg.cloneNode(true).children]), below.group);
}

function standaloneSvg(svg) {
    const boxOf = (drawing) => drawing.getAttribute("viewBox").split(" ").map(Number);
    const place = svg.closest("figure"), whole = svg.saved ? titled(svg, svg.saved, boxOf(svg)) : svg;
    if (svg.saved) place.append(whole);  // Styles are known of what is in the page.
    const copy = whole.cloneNode(true), [x, y, width, height] = boxOf(whole);
    exportStyles(whole, copy);
    if (svg.saved) whole.remove();
    copy.prepend(draw("rect", {x, y, width, height, fill: getComputedStyle(place).backgroundColor}));
    fill(copy, {xmlns: "http://www.w3.org/2000/svg", width, height}, []);
    return {text: new XMLSerializer().serializeToString(copy), width, height};
}

function download(url, name) { make("a", {href: url, download: name}).click(); }

function saveSvg(svg, name) {
    download("data:image/svg+xml;charset=utf-8," + encodeURIComponent(standaloneSvg(svg).text), name + ".svg");
}

function savePng(svg, name) {
    const {text, width, height} = standaloneSvg(svg), scale = Math.max(3, Math.ceil(1200 / width)), image = new Image();
    image.onload = () => {
        const canvas = make("canvas", {width: width * scale, height: height * scale});
        canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
        download(canvas.toDataURL("image/png"), name + ".png");
    };
    image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(text);
}

// A figure whose drawing follows its width; `paint(width)` gives the SVG element. `legend(width)`: what
// a saved picture has below it, as {group, height}.
function figure(title, paint, legend = () => ({group: draw("g"), height: 0})) {
    const place = make("div");
    const name = title.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "").toLowerCase();
    const save = (kind, action) => make(
        "button", {
            type: "button",
            class: "quiet small",
            "aria-label": `Save ${title} as ${kind}`,
            onclick: () => action(place.firstChild, name)
        },
        kind);
    const node = make(
        "figure", {},
        make(
            "figcaption", {}, make("span", {}, title),
            make("span", {class: "save"}, save("SVG", saveSvg), save("PNG", savePng))),
        place);
    let drawn = 0;
    node.repaint = () => {
        const width = Math.round(place.clientWidth) || 520;
        drawn = width;
        place.replaceChildren(paint(width));
        place.firstChild.saved = {title, legend};
    };
    // In the next frame: a drawing of another height would change what is being observed.
    new ResizeObserver(() => requestAnimationFrame(() => {
                           if (place.clientWidth && Math.abs(place.clientWidth - drawn) > 2) node.repaint();
                       }))
        .observe(place);
    return node;
}
