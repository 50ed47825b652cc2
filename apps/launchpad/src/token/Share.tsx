import { Button } from "../design/Button.tsx"
import { useSaid } from "../design/useSaid.ts"
import { shareLinkOf } from "../registry/ShareLink.ts"

/** Shares the link to a token: by the device where it can, else by copying it. */
export const Share = ({ mint, title }: { readonly mint: string; readonly title: string }) => {
  const [said, say] = useSaid()
  const url = shareLinkOf(mint)
  const share = async () => {
    try {
      if (navigator.share !== undefined) return await navigator.share({ title, url })
      await navigator.clipboard.writeText(url)
      say("Link copied")
    } catch (error) {
      // Who closes the dialog has changed their mind.
      if (error instanceof DOMException && error.name === "AbortError") return
      say("Not copied")
    }
  }
  return (
    <Button onClick={() => void share()}>
      <span role="status">{said ?? "Share"}</span>
    </Button>
  )
}
