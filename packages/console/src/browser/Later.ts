import { useEffect, useState } from "preact/hooks"
import { html, type View } from "./Html.ts"
import { Failed, Loading } from "./States.ts"
import { Failure } from "./Failure.ts"

/** A screen whose modules are loaded when it is first opened, so that they are no part of the first view. */
export const later = <Props extends object>(
  what: string,
  load: () => Promise<(props: Props) => View>,
): ((props: Props) => View) => {
  let loaded: ((props: Props) => View) | undefined
  return (props) => {
    const [screen, setScreen] = useState(() => loaded)
    const [failure, setFailure] = useState<Failure>()
    const [attempt, setAttempt] = useState(0)
    useEffect(() => {
      if (loaded !== undefined) return
      let isOpen = true
      load().then(
        (module) => {
          loaded = module
          if (isOpen) setScreen(() => module)
        },
        () => {
          if (isOpen) setFailure(new Failure(0, "not_loaded", `The modules of ${what} could not be loaded`))
        },
      )
      return () => {
        isOpen = false
      }
    }, [attempt])
    if (screen !== undefined) return html`<${screen} ...${props} />`
    if (failure === undefined) return html`<${Loading} what=${`Loading ${what}`} />`
    const retry = (): void => {
      setFailure(undefined)
      // A browser remembers that a module failed, so the page is what is loaded again.
      if (attempt > 0) location.reload()
      setAttempt(attempt + 1)
    }
    return html`<${Failed} failure=${failure} onRetry=${retry} />`
  }
}
