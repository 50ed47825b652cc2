import { useState } from "react"
import { store } from "../Stored.ts"
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
    store("theme", theme)
    setDark(!dark)
  }
  return (
    <Button look="quiet" onClick={change} aria-label={dark ? "Light theme" : "Dark theme"}>
      <span aria-hidden="true">{dark ? "☀" : "☾"}</span>
    </Button>
  )
}
