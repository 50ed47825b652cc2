import { useEffect, useState } from "preact/hooks"
import { Failure } from "../Failure.ts"
import { html, type View } from "../Html.ts"
import { Empty, Failed, Loading } from "../States.ts"
import { type ErrorCode, errorCodes, matching } from "./ErrorCodes.ts"

const OPERATIONS_SHOWN = 4

const readCodes = async (signal: AbortSignal): Promise<ReadonlyArray<ErrorCode>> => {
  const response = await fetch(new URL("openapi.json", document.baseURI), { signal })
  if (!response.ok) throw new Failure(response.status, "not_read", "The OpenAPI document could not be read")
  return errorCodes(await response.json())
}

const Code = ({ error: { code, details, meaning, operations, statuses } }: { readonly error: ErrorCode }): View => {
  const more = operations.length - OPERATIONS_SHOWN
  return html`<li>
    <span>
      <b><code>${code}</code></b> ${statuses.join(", ")}<br />
      ${meaning}<br />
      ${details.map((detail) => html`${detail}<br />`)}
      <small>${operations.slice(0, OPERATIONS_SHOWN).join(", ")}${more > 0 ? ` and ${more} more` : ""}</small>
    </span>
  </li>`
}

/** Every error code of this version of the API, by its OpenAPI document; read when somebody opens it. */
export const ErrorTable = (): View => {
  const [isOpen, setIsOpen] = useState(false)
  const [codes, setCodes] = useState<ReadonlyArray<ErrorCode>>()
  const [failure, setFailure] = useState<Failure>()
  const [attempt, setAttempt] = useState(0)
  const [text, setText] = useState("")
  useEffect(() => {
    if (!isOpen || codes !== undefined) return
    const ended = new AbortController()
    setFailure(undefined)
    readCodes(ended.signal).then(setCodes, (error: unknown) => {
      if (ended.signal.aborted) return
      setFailure(error instanceof Failure ? error : new Failure(0, "unreachable", "The service does not answer"))
    })
    return () => ended.abort()
  }, [isOpen, attempt])
  const found = codes === undefined ? [] : matching(codes, text)
  return html`<details onToggle=${(event: Event) => setIsOpen((event.currentTarget as HTMLDetailsElement).open)}>
    <summary>Codes with their details, and the operations that answer them</summary>
    ${
      codes === undefined
        ? failure === undefined
          ? html`<${Loading} what="Reading the OpenAPI document" />`
          : html`<${Failed} failure=${failure} onRetry=${() => setAttempt(attempt + 1)} />`
        : html`<label
              >Code, status or words
              <input
                type="search"
                value=${text}
                onInput=${(event: Event) => setText((event.currentTarget as HTMLInputElement).value)}
            /></label>
            ${found.length === 0 ? html`<${Empty}>No code has these words.<//>` : null}
            <ul class="rows">
              ${found.map((error) => html`<${Code} key=${error.code} error=${error} />`)}
            </ul>`
    }
  </details>`
}
