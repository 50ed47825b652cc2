import styles from "./Segments.module.css"

/** One of a few values, side by side. */
export const Segments = <Value extends string>({
  label,
  onChange,
  options,
  value,
}: {
  readonly label: string
  readonly options: ReadonlyArray<readonly [Value, string]>
  readonly value: Value
  readonly onChange: (value: Value) => void
}) => (
  <div className={`surface ${styles.segments}`} role="group" aria-label={label}>
    {options.map(([option, text]) => (
      <button key={option} type="button" aria-pressed={option === value} onClick={() => onChange(option)}>
        {text}
      </button>
    ))}
  </div>
)
