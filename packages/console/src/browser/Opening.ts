/**
 * Runs before anything is painted, as a script that imports nothing. It applies the theme that was chosen, hides the board that the
 * service rendered where another place is opened, and starts the modules once a frame of the whole page is painted: they would hold it up.
 * Until they have taken over, nothing listens to a button: the last one that is pressed is noted, and pressed again by them.
 */
{
  const { dataset } = document.documentElement
  try {
    dataset["theme"] = localStorage.getItem("console-theme") ?? "system"
  } catch {
    // Storage is switched off: it is as the system has it.
  }
  if (!/^(#\/?(board(\/(new)?)?)?)?$/.test(location.hash)) dataset["elsewhere"] = ""

  const note = ({ target }: Event): void => {
    const button = target instanceof Element ? target.closest("button") : null
    if (button !== null) dataset["pressed"] = button.innerText
  }
  addEventListener("click", note, true)
  addEventListener("interactive", () => removeEventListener("click", note, true), { once: true })

  const modules = document.createElement("script")
  modules.type = "module"
  modules.src = document.currentScript!.dataset["then"]!
  // Not in a frame before the whole page has arrived: a script that is added does not wait for that by itself.
  document.addEventListener("DOMContentLoaded", () => {
    requestAnimationFrame(() => setTimeout(() => document.head.append(modules)))
  })
}
