import { useEffect, useRef, useState } from "preact/hooks"
import { html, type View } from "./Html.ts"

const THEMES = ["system", "light", "dark"] as const
type Theme = (typeof THEMES)[number]

const NAME = "console-theme"

/** Storage can be switched off in a browser. */
const stored = (): Theme => {
  try {
    return THEMES.find((theme) => theme === localStorage.getItem(NAME)) ?? "system"
  } catch {
    return "system"
  }
}

const apply = (theme: Theme): void => {
  document.documentElement.dataset.theme = theme
  try {
    localStorage.setItem(NAME, theme)
  } catch {
    // It holds for this page.
  }
}

/** As the system has it, or light or dark. */
export const ThemeSwitch = (): View => {
  // As the service renders it, which does not know; `Opening` has applied it.
  const [theme, setTheme] = useState<Theme>("system")
  const select = useRef<HTMLSelectElement>(null)
  useEffect(() => {
    // What was chosen in the page before this ran.
    const chosen = THEMES.find((one) => one === select.current?.value) ?? "system"
    if (chosen !== "system") apply(chosen)
    setTheme(stored())
  }, [])
  return html`<label class="theme"
    >Theme
    <select
      ref=${select}
      value=${theme}
      onChange=${(event: { readonly currentTarget: HTMLSelectElement }) => {
        const chosen = event.currentTarget.value as Theme
        apply(chosen)
        setTheme(chosen)
      }}
    >
      ${THEMES.map((one) => html`<option value=${one}>${one}</option>`)}
    </select>
  </label>`
}
