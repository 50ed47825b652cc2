import type { DeadLetter, DeadLetterBody, PoisonDelivery } from "@launch-registry/client"
import { useState } from "preact/hooks"
import { Ago } from "../Ago.ts"
import type { Failure } from "../Failure.ts"
import { formatWhole } from "../Format.ts"
import { html, type View } from "../Html.ts"
import { dataOf, registry } from "../Registry.ts"
import { Failed, Loading } from "../States.ts"
import { isRead } from "./Findings.ts"
import { usePolled } from "./Polled.ts"

const EVERY_MILLIS = 30_000
const ROWS_MAX = 20

interface Reading {
  readonly letters: ReadonlyArray<DeadLetter>
  readonly poison: ReadonlyArray<PoisonDelivery>
}

const readBoth = async (signal: AbortSignal): Promise<Reading | Failure> => {
  const [letters, poison] = await Promise.all([
    dataOf(registry.system.deadLetters({ limit: ROWS_MAX }, { signal })),
    dataOf(registry.system.poison({ limit: ROWS_MAX }, { signal })),
  ])
  if (!isRead(letters)) return letters
  return isRead(poison) ? { letters, poison } : poison
}

const bodyOf = ({ body, length }: DeadLetterBody): string => {
  if (body === null) return "It was deleted from the log."
  return body.length < length ? `${body} … (${length} characters)` : body
}

const Letter = ({ letter }: { readonly letter: DeadLetter }): View => {
  const [shown, setShown] = useState<string>()
  const show = async (event: Event): Promise<void> => {
    if (!(event.currentTarget as HTMLDetailsElement).open || shown !== undefined) return
    const body = await dataOf(registry.system.deadLetter({ id: letter.id }))
    setShown(isRead(body) ? bodyOf(body) : body.message)
  }
  const { reason, signature, slot } = letter
  return html`<li>
    <details onToggle=${show}>
      <summary>${`${reason}: slot ${formatWhole(slot)}, ${signature}`}</summary>
      <pre tabindex="0">${shown ?? "Reading …"}</pre>
    </details>
  </li>`
}

const Delivery = ({ delivery }: { readonly delivery: PoisonDelivery }): View => {
  const { bytes, excerpt, reason, receivedAt, source } = delivery
  return html`<li>
    <details>
      <summary><${Ago} time=${receivedAt} />${`, ${source}: ${reason}, ${formatWhole(bytes)} bytes`}</summary>
      <pre tabindex="0">${excerpt}</pre>
    </details>
  </li>`
}

const Listed = ({
  count,
  rows,
  what,
}: {
  readonly what: string
  readonly count: number
  readonly rows: ReadonlyArray<View>
}): View =>
  html`<h3>${what}</h3>
    ${
      rows.length === 0
        ? html`<p>None.</p>`
        : html`<ul class="rows">
            ${rows}
          </ul>`
    }
    ${rows.length < count ? html`<p><small>The newest ${rows.length} of ${formatWhole(count)}.</small></p>` : null}`

/** What was received and could not be used, with the reasons and the bytes; `deadLetters` and `poison` are how many there are. */
export const Unusable = ({ deadLetters, poison }: { readonly deadLetters: number; readonly poison: number }): View => {
  const reading = usePolled(EVERY_MILLIS, readBoth, [deadLetters, poison])
  if (reading === undefined) return html`<${Loading} what="Reading what could not be used" />`
  if (!isRead(reading)) return html`<${Failed} failure=${reading} />`
  const letters = reading.letters.map((letter) => html`<${Letter} key=${letter.id} letter=${letter} />`)
  const deliveries = reading.poison.map((delivery) => html`<${Delivery} key=${delivery.digest} delivery=${delivery} />`)
  return html`<${Listed} what="Transactions that could not be decoded" count=${deadLetters} rows=${letters} />
    <${Listed} what="Deliveries that could not be read, or were incomplete" count=${poison} rows=${deliveries} />`
}
