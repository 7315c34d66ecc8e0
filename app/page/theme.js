// SPDX-License-Identifier: BSD-2-Clause
// Light, dark, or as the system has it.
/* exported theme, keptTheme */
const themes = {
    auto: "System theme",
    light: "Light",
    dark: "Dark"
};
function theme(next) {
    document.documentElement.dataset.theme = next;
    const button = byId("theme");
    button.textContent = themes[next];
    button.setAttribute("aria-label", `Theme: ${themes[next]}. Change`);
    button.onclick = () => {
        const after = Object.keys(themes)[(Object.keys(themes).indexOf(next) + 1) % 3];
        theme(after);
        try {
            localStorage.setItem("tandem-theme", after);
        } catch { /* A page that may not keep anything forgets. */
        }
    };
}

function keptTheme() {
    const asked = new URLSearchParams(location.search).get("theme");
    if (asked in themes) return asked;
    try {
        return localStorage.getItem("tandem-theme") in themes ? localStorage.getItem("tandem-theme") : "auto";
    } catch {
        return "auto";
    }
}
