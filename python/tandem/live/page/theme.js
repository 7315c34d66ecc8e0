// SPDX-License-Identifier: BSD-2-Clause
// Light, dark, or as the system has it; kept in the browser. ?theme=dark in the address decides for this once.
const themes = { auto: "System theme", light: "Light", dark: "Dark" };
const key = "tandem-theme";

function kept() {
    try { return localStorage.getItem(key); } catch { return null; } // A page that may keep nothing forgets.
}

export function startTheme(button, changed) {
    const use = (name) => {
        document.documentElement.dataset.theme = name;
        button.textContent = themes[name];
        button.setAttribute("aria-label", `Theme: ${themes[name]}. Change`);
        changed();
    };
    button.addEventListener("click", () => {
        const all = Object.keys(themes), next = all[(all.indexOf(document.documentElement.dataset.theme) + 1) % all.length];
        try { localStorage.setItem(key, next); } catch { /* As above. */ }
        use(next);
    });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", changed);
    const asked = new URLSearchParams(location.search).get("theme") || kept();
    use(asked in themes ? asked : "auto");
}
