import { useState } from "react"
import { REGISTRY_URL } from "../registry/Connection.ts"
import { shownImage } from "./ShownImage.ts"
import styles from "./TokenImage.module.css"

const { origin } = new URL(REGISTRY_URL)
const WIDTHS = { s: 32, m: 56, l: 88 }

/** The ground of a letter that stands for an image: one of twelve hues, by the token. */
const groundOf = (mint: string): string => {
  const sum = [...mint.slice(-6)].reduce((letters, letter) => letters + letter.charCodeAt(0), 0)
  return `oklch(0.55 0.13 ${(sum % 12) * 30})`
}

/** The image of a token, or the first letter of its symbol. */
export const TokenImage = ({
  imageUri,
  mint,
  size = "m",
  symbol,
}: {
  readonly imageUri: string | null | undefined
  readonly mint: string
  readonly symbol: string
  readonly size?: keyof typeof WIDTHS
}) => {
  const shown = shownImage(imageUri, origin)
  const [broken, setBroken] = useState<string>()
  const width = WIDTHS[size]
  if (shown === undefined || broken === shown)
    return (
      <span
        className={`${styles.image} ${styles.letter}`}
        style={{ width, background: groundOf(mint) }}
        aria-hidden="true"
      >
        {[...symbol][0] ?? "?"}
      </span>
    )
  return (
    <img
      className={styles.image}
      src={shown}
      alt=""
      width={width}
      height={width}
      loading="lazy"
      decoding="async"
      referrerPolicy="no-referrer"
      onError={() => setBroken(shown)}
    />
  )
}
