import { Button } from "./Button.tsx"
import { useSaid } from "./useSaid.ts"

/** Two sheets, a tick, a cross. */
const ICONS = {
  idle: "M5.5 5.5V3h7.5v7.5h-2.5M3 5.5h7.5V13H3z",
  Copied: "M3 8.5l3.5 3.5L13 4.5",
  "Not copied": "M4 4l8 8M12 4l-8 8",
} as const

/** Copies a text; says so for a moment. */
export const CopyButton = ({ text, what }: { readonly text: string; readonly what: string }) => {
  const [said, say] = useSaid<"Copied" | "Not copied">()
  const copy = async () => {
    await navigator.clipboard.writeText(text).then(
      () => say("Copied"),
      () => say("Not copied"),
    )
  }
  return (
    <Button look="icon" aria-label={`Copy ${what}`} title={`Copy ${what}`} onClick={() => void copy()}>
      <svg viewBox="0 0 16 16" width="16" height="16" fill="none" stroke="currentColor" aria-hidden="true">
        <path d={ICONS[said ?? "idle"]} strokeWidth="1.4" strokeLinejoin="round" strokeLinecap="round" />
      </svg>
      <span className="hidden" role="status">
        {said}
      </span>
    </Button>
  )
}
