import { html, type View } from "../Html.ts"
import type { Details } from "./Draft.ts"
import { useLaunch } from "./LaunchStore.ts"
import { TextField } from "./TextField.ts"
import { changeDetails, saveMetadata } from "./Uploads.ts"

interface FieldWords {
  readonly name: keyof Details
  readonly label: string
  readonly hint?: string
  readonly isLong?: boolean
  readonly inputMode?: "url"
}

const FIELDS: ReadonlyArray<FieldWords> = [
  { name: "name", label: "Name", hint: "At most 32 bytes in UTF-8." },
  { name: "symbol", label: "Symbol", hint: "At most 10 bytes, such as SMPL." },
  { name: "description", label: "Description", isLong: true, hint: "At most 5,000 characters. Optional." },
  { name: "website", label: "Website", inputMode: "url", hint: "Begins with https://. Optional." },
  { name: "twitter", label: "X (Twitter)", inputMode: "url", hint: "Such as https://x.com/example. Optional." },
  { name: "telegram", label: "Telegram", inputMode: "url", hint: "Such as https://t.me/example. Optional." },
]

/** Name, symbol, text and links, and the metadata document of them. */
export const DetailsFields = ({ isFixed }: { readonly isFixed: boolean }): View => {
  const { activity, draft, issues } = useLaunch()
  const { details, metadataUri } = draft
  const isSaving = activity === "saving"
  return html`<section aria-labelledby="launch-details">
    <h2 id="launch-details">Details</h2>
    ${FIELDS.map(
      ({ hint, inputMode, isLong, label, name }) =>
        html`<${TextField}
          key=${name}
          ...${{ hint, inputMode, isLong, label, isFixed }}
          id=${name}
          value=${details[name]}
          issue=${issues[name]}
          onText=${(text: string) => changeDetails({ [name]: text })}
        />`,
    )}
    ${
      isFixed
        ? null
        : html`<button type="button" disabled=${activity !== undefined} onClick=${() => void saveMetadata()}>
            Store the metadata
          </button>`
    }
    <p role="status">
      ${
        isSaving
          ? "Storing the metadata …"
          : metadataUri === null
            ? null
            : html`<b>Metadata stored</b> <small><code>${metadataUri}</code></small>`
      }
    </p>
  </section>`
}
