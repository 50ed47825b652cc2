import { useState } from "react"
import styles from "./CopyButton.module.css"

const SAID_MILLIS = 1_500

/** Copies a text; says so for a moment. */
export const CopyButton = ({ text, what }: { readonly text: string; readonly what: string }) => {
  const [said, setSaid] = useState<string>()
  const copy = async () => {
    const done = await navigator.clipboard.writeText(text).then(
      () => "Copied",
      () => "Not copied",
    )
    setSaid(done)
    setTimeout(() => setSaid(undefined), SAID_MILLIS)
  }
  return (
    <button
      type="button"
      className={styles.copy}
      aria-label={`Copy ${what}`}
      title={`Copy ${what}`}
      onClick={() => void copy()}
    >
      <span aria-hidden="true">{said === undefined ? "⧉" : said === "Copied" ? "✓" : "✕"}</span>
      <span className="hidden" role="status">
        {said}
      </span>
    </button>
  )
}
