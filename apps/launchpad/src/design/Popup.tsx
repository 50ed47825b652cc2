import type { ReactNode } from "react"
import buttons from "./Button.module.css"
import styles from "./Popup.module.css"

export const closePopup = (id: string): void => document.getElementById(id)?.hidePopover()

/** What opens below a button at the end of the header: the browser's own popover, which Escape and a press elsewhere close. */
export const Popup = ({
  children,
  id,
  label,
  look,
  trigger,
}: {
  readonly children: ReactNode
  /** By which other buttons open it, too. */
  readonly id: string
  readonly trigger: ReactNode
  readonly label: string
  readonly look: "main" | "plain"
}) => (
  <>
    <button type="button" popoverTarget={id} className={`${buttons.button} ${buttons[look]}`}>
      {trigger}
    </button>
    <div id={id} popover="auto" className={`surface ${styles.popup}`} role="dialog" aria-label={label}>
      {children}
    </div>
  </>
)
