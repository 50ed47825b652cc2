import { type InputHTMLAttributes, type ReactNode, useId } from "react"
import styles from "./Form.module.css"

type Native = Pick<InputHTMLAttributes<HTMLInputElement>, "inputMode" | "maxLength" | "placeholder" | "required">

/** A field with its rule, and beside it what is wrong with it. */
export const TextField = ({
  children,
  hint,
  isLong = false,
  issue,
  label,
  name,
  onText,
  unit,
  value,
  ...native
}: Native & {
  readonly label: string
  readonly name: string
  readonly value: string
  readonly onText: (text: string) => void
  readonly hint?: string | undefined
  readonly issue?: string | undefined
  readonly isLong?: boolean
  readonly unit?: string
  readonly children?: ReactNode
}) => {
  const id = useId()
  const words = issue ?? hint
  const attributes = {
    ...native,
    ...{ id: `${id}field`, name, value, autoComplete: "off", className: `surface ${styles.input}` },
    "aria-invalid": issue !== undefined,
    "aria-describedby": words === undefined ? undefined : `${id}words`,
    onChange: ({ target }: { readonly target: { readonly value: string } }) => onText(target.value),
  }
  return (
    <div className={styles.field}>
      <label htmlFor={`${id}field`}>
        {label} {unit !== undefined && <small className="muted">{unit}</small>}
      </label>
      {isLong ? <textarea rows={3} {...attributes} /> : <input type="text" {...attributes} />}
      {children}
      {words !== undefined && (
        <p id={`${id}words`} className={`small ${issue === undefined ? "muted" : "down"}`}>
          {words}
        </p>
      )}
    </div>
  )
}
