import { useState } from "react"
import { Button } from "../design/Button.tsx"
import { shareLinkOf } from "../registry/ShareLink.ts"

const SAID_MILLIS = 1_500

/** Shares the link to a token: by the device where it can, else by copying it. */
export const Share = ({ mint, title }: { readonly mint: string; readonly title: string }) => {
  const [said, setSaid] = useState<string>()
  const url = shareLinkOf(mint)
  const share = async () => {
    try {
      if (navigator.share !== undefined) return await navigator.share({ title, url })
      await navigator.clipboard.writeText(url)
      setSaid("Link copied")
    } catch (error) {
      // Who closes the dialog has changed their mind.
      if (error instanceof DOMException && error.name === "AbortError") return
      setSaid("Not copied")
    }
    setTimeout(() => setSaid(undefined), SAID_MILLIS)
  }
  return (
    <Button onClick={() => void share()}>
      <span role="status">{said ?? "Share"}</span>
    </Button>
  )
}
