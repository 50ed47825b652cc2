import type { ButtonHTMLAttributes } from "react"
import styles from "./Button.module.css"

interface Looks {
  /** `main`: the one thing to do here. */
  readonly look?: "main" | "plain" | "quiet" | "icon" | "buy" | "sell"
  readonly isWide?: boolean
}

export const Button = ({
  className = "",
  isWide = false,
  look = "plain",
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & Looks) => (
  <button
    type="button"
    {...rest}
    className={[styles.button, styles[look], isWide && styles.wide, className].filter(Boolean).join(" ")}
  />
)
