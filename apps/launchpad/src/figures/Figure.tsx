import { formatChange } from "./Format.ts"

/** What is not known. */
export const Unknown = () => (
  <span role="img" aria-label="not known" className="muted">
    –
  </span>
)

/** A decimal string, shortened by `format` and exact on hover. */
export const Figure = ({
  format,
  unit = "",
  value,
}: {
  readonly value: string | null | undefined
  readonly format: (text: string) => string
  /** Behind the figure; `$` stands before it. */
  readonly unit?: string
}) => {
  if (value === null || value === undefined) return <Unknown />
  const isDollars = unit === "$"
  return (
    <span title={isDollars ? `$${value}` : `${value} ${unit}`.trim()}>
      {isDollars && "$"}
      {format(value)}
      {!isDollars && unit !== "" && <small className="muted"> {unit}</small>}
    </span>
  )
}

/** A change in percent, coloured by its sign. */
export const Change = ({ percent }: { readonly percent: number | null | undefined }) =>
  percent === null || percent === undefined ? (
    <Unknown />
  ) : (
    <span className={percent > 0 ? "up" : percent < 0 ? "down" : "muted"}>{formatChange(percent)}</span>
  )
