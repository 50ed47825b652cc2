import { formatRelative } from "./Format.ts"

const EVERY_MILLIS = 5_000

const relative = (time: string): string => formatRelative(Date.parse(time), Date.now())

/** What shows times, written again together: a board has hundreds, for which states and effects of their own would cost. */
const shown = new Set<HTMLTimeElement>()
setInterval(() => {
  for (const { dateTime, firstChild } of shown) {
    const text = relative(dateTime)
    if (firstChild!.nodeValue !== text) firstChild!.nodeValue = text
  }
}, EVERY_MILLIS)

const follow = (element: HTMLTimeElement) => {
  shown.add(element)
  return () => void shown.delete(element)
}

/** How long ago something was; the exact time on hover. */
export const Ago = ({ time }: { readonly time: string }) => (
  <time ref={follow} dateTime={time} title={new Date(time).toISOString()}>
    {relative(time)}
  </time>
)
