import { useState } from "react"
import { REGISTRY_URL } from "../registry/Connection.ts"
import { shownImage } from "./ShownImage.ts"
import styles from "./TokenImage.module.css"

const { origin } = new URL(REGISTRY_URL)

/** Grounds of letters that stand for an image, by the token. */
const HUES = 12

const hueOf = (mint: string): number =>
  [...mint.slice(-6)].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % HUES

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
  readonly size?: "s" | "m" | "l"
}) => {
  const shown = shownImage(imageUri, origin)
  const [broken, setBroken] = useState<string>()
  const className = `${styles.image} ${styles[size]}`
  if (shown === undefined || broken === shown)
    return (
      <span className={`${className} ${styles.letter}`} data-hue={hueOf(mint)} aria-hidden="true">
        {[...symbol][0] ?? "?"}
      </span>
    )
  return (
    <img
      className={className}
      src={shown}
      alt=""
      loading="lazy"
      decoding="async"
      referrerPolicy="no-referrer"
      onError={() => setBroken(shown)}
    />
  )
}
