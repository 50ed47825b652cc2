/** A colour of the page's theme as a canvas takes it: `light-dark()` is for styles alone. */
export const colourOf = (element: HTMLElement, name: string): string => {
  const probe = document.createElement("span")
  probe.style.color = `var(${name})`
  element.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

/** Calls back when the theme of the page changes, by choice or with the system. */
export const onThemeChange = (changed: () => void): (() => void) => {
  const observer = new MutationObserver(changed)
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] })
  const system = matchMedia("(prefers-color-scheme: dark)")
  system.addEventListener("change", changed)
  return () => {
    observer.disconnect()
    system.removeEventListener("change", changed)
  }
}
