// SPDX-License-Identifier: BSD-2-Clause
// Decoded pictures of two series at nearly one rate, one over the other, with a slider between them.
const shownText = (one) => `${series[one.series].name}: ${short(one.kbps)} kbit/s` +
    (known(one.psnr_y) ? `, PSNR Y ${fixed(one.psnr_y, 2)} dB` : "");

function sliderFigure(first, second) {
    const {width, height} = first.shown;
    const image = (one, name) => make("img", {
        class: name,
        src: "data:image/png;base64," + one.shown.png,
        width,
        height,
        alt: `Picture ${one.shown.picture} as decoded from ${shownText(one)}`
    });
    const over = image(first, "over"),
          slider = make("input", {
              type: "range",
              min: 0,
              max: 100,
              step: "any",
              value: 50,
              "aria-label": `How much of the left picture, ${series[first.series].name}, is shown`,
              oninput: () => cut(slider.value)
          });
    const bar = make("div", {class: "bar"});
    const cut = (percent) => {
        over.style.clipPath = `inset(0 ${100 - percent}% 0 0)`;
        bar.style.left = `${percent}%`;
    };
    const stack = make("div", {class: "stack"}, image(second, "below"), over, bar);
    const atPointer = (event) => {
        const box = stack.getBoundingClientRect();
        slider.value = Math.max(0, Math.min(100, (event.clientX - box.left) / box.width * 100));
        cut(slider.value);
    };
    fill(stack, {onpointerdown: atPointer, onpointermove: (event) => event.buttons && atPointer(event)}, []);
    cut(50);
    return make(
        "figure", {class: "slider"},
        make("figcaption", {}, make("span", {}, `${clips[first.clip].name}, picture ${first.shown.picture}`)), stack,
        slider, make("p", {class: "sides"}, make("span", {}, shownText(first)), make("span", {}, shownText(second))));
}

function besideEachOther() {
    const shown = data.shown || [], place = byId("beside-pictures");
    const clipsShown = clips.map((_, c) => c).filter((c) => shown.filter((one) => one.clip === c).length > 1);
    byId("beside").classList.toggle("empty", !clipsShown.length);
    if (!clipsShown.length) return;
    let clip = clipsShown[0], one = null, other = null;
    const choices = () => shown.filter((item) => item.clip === clip);
    const pick = () => {
        const all = choices(), of = (index) => all.find((item) => item.series === Number(index));
        const best = bestSaving();
        one = of(one) ? one : best && of(best.i) ? best.i : all[0].series;
        other = of(other) && other !== one ? other :
                                             (all.find((item) => item.series === state.anchor && item.series !== one) ||
                                              all.find((item) => item.series !== one))
                                                 .series;
        place.replaceChildren(sliderFigure(of(one), of(other)));
        const names = all.map((item) => [item.series, series[item.series].name]);
        byId("beside-controls")
            .replaceChildren(choice("Clip", clipsShown.map((c) => [c, clips[c].name]), clip, (value) => {
                                 clip = Number(value);
                                 pick();
                             }), choice("Left", names, one, (value) => {
                                 one = Number(value);
                                 pick();
                             }), choice("Right", names.filter(([index]) => index !== one), other, (value) => {
                                 other = Number(value);
                                 pick();
                             }));
    };
    pick();
}
