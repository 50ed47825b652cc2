import { useEffect, useRef, useState } from "preact/hooks"
import { Ago } from "../Ago.ts"
import { html, type View } from "../Html.ts"
import { follow } from "../Registry.ts"
import { Empty, Stale } from "../States.ts"
import { CopyButton } from "../CopyButton.ts"
import { EVENTS_MAX, type SeenEvent, withEvents } from "./SeenEvents.ts"
import { curlOf, MINTS_MAX, mintsOf, STREAM_TYPES, type StreamFilter, typescriptOf } from "./StreamCode.ts"

const DRAW_MILLIS = 500

const baseUrl = (): string => new URL(".", document.baseURI).href

const Code = ({ name, text }: { readonly name: string; readonly text: string }): View =>
  html`<details>
    <summary>${name}</summary>
    <pre tabindex="0"><code>${text}</code></pre>
    <${CopyButton} text=${text} what=${name} />
  </details>`

const EventRow = ({ seen: { at, event } }: { readonly seen: SeenEvent }): View => {
  const { data, event: type } = event
  const mint = "mintAddress" in data ? data.mintAddress : ""
  return html`<li>
    <details>
      <summary><b>${type}</b> <${Ago} time=${new Date(at).toISOString()} /> <code>${mint}</code></summary>
      <pre tabindex="0"><code>${JSON.stringify(event, null, 2)}</code></pre>
    </details>
  </li>`
}

/** Events of `/api/stream` as they arrive. Paused, they are counted and kept as far as they fit. */
export const StreamInspector = (): View => {
  const [filter, setFilter] = useState<StreamFilter>({ types: [], mints: [] })
  const [wrong, setWrong] = useState<ReadonlyArray<string>>([])
  const [isPaused, setIsPaused] = useState(false)
  const [isLive, setIsLive] = useState(false)
  const [shown, setShown] = useState<ReadonlyArray<SeenEvent>>([])
  const [waiting, setWaiting] = useState(0)
  const arrived = useRef<ReadonlyArray<SeenEvent>>([])
  const paused = useRef(false)
  paused.current = isPaused

  const draw = (): void => {
    const events = arrived.current
    arrived.current = []
    setWaiting(0)
    if (events.length > 0) setShown((seen) => withEvents(seen, events.toReversed()))
  }
  useEffect(() => {
    const ended = new AbortController()
    let number = 0
    setShown([])
    setIsLive(false)
    arrived.current = []
    const reader = {
      onEvent: (event: SeenEvent["event"]): void => {
        arrived.current = withEvents(arrived.current, [{ number: ++number, at: Date.now(), event }])
      },
      onState: setIsLive,
    }
    const mint = filter.mints.length > 0 ? { mintAddresses: filter.mints.join() } : {}
    void follow(filter.types.length > 0 ? filter.types : STREAM_TYPES, reader, ended.signal, mint)
    const timer = setInterval(() => (paused.current ? setWaiting(arrived.current.length) : draw()), DRAW_MILLIS)
    return () => {
      clearInterval(timer)
      ended.abort()
    }
  }, [filter])

  const choose = (event: Event): void => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget as HTMLFormElement)
    const { mints, wrong } = mintsOf(String(fields.get("mints") ?? ""))
    setWrong(mints.length > MINTS_MAX ? [`${mints.length} mints; at most ${MINTS_MAX}`] : wrong)
    if (wrong.length > 0 || mints.length > MINTS_MAX) return
    setFilter({ types: STREAM_TYPES.filter((type) => fields.get(type) !== null), mints })
  }
  return html`<form class="filter" onSubmit=${choose}>
      <fieldset>
        <legend>Types (none: all)</legend>
        ${STREAM_TYPES.map((type) => html`<label><input type="checkbox" name=${type} /> ${type}</label>`)}
      </fieldset>
      <label>Mints (none: all) <input name="mints" autocomplete="off" spellcheck=${false} /></label>
      <button>Follow these</button>
      <p role="alert">${wrong.length === 0 ? "" : `Not an address: ${wrong.slice(0, 3).join(", ").slice(0, 200)}`}</p>
    </form>
    <${Code} name="With curl" text=${curlOf(baseUrl(), filter)} />
    <${Code} name="With the client package" text=${typescriptOf(baseUrl(), filter)} />
    <div class="bar">
      <button
        aria-pressed=${isPaused}
        onClick=${() => {
          if (isPaused) draw()
          setIsPaused(!isPaused)
        }}
      >
        ${isPaused ? `Go on${waiting === 0 ? "" : `: ${waiting} waiting`}` : "Pause"}
      </button>
      <${Stale} isLive=${isLive} readAt=${undefined} failure=${undefined} />
    </div>
    ${
      shown.length === 0
        ? html`<${Empty}>No event has arrived yet.<//>`
        : html`<ul class="rows events" aria-label=${`The newest events, at most ${EVENTS_MAX}`}>
            ${shown.map((seen) => html`<${EventRow} key=${seen.number} seen=${seen} />`)}
          </ul>`
    }`
}
