import { useState } from "react"
import { Button } from "./Button.tsx"

const isDark = (): boolean => {
  const { theme } = document.documentElement.dataset
  return theme === undefined ? !matchMedia("(prefers-color-scheme: light)").matches : theme === "dark"
}

/** Light or dark; as the system has it until it is pressed. */
export const ThemeSwitch = () => {
  const [dark, setDark] = useState(isDark)
  const change = () => {
    const theme = dark ? "light" : "dark"
    document.documentElement.dataset["theme"] = theme
    try {
      localStorage.setItem("theme", theme)
    } catch {
      // It holds for this page.
    }
    setDark(!dark)
  }
  return (
    <Button look="quiet" onClick={change} aria-label={dark ? "Light theme" : "Dark theme"}>
      <span aria-hidden="true">{dark ? "☀" : "☾"}</span>
    </Button>
  )
}
