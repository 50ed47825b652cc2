import type { Details, LinkKind } from "./Draft.ts"
import styles from "./Form.module.css"
import { ImageField } from "./ImageField.tsx"
import { editDraft, launchShown, useLaunch } from "./LaunchStore.ts"
import { TextField } from "./TextField.tsx"

const LINKS: ReadonlyArray<readonly [LinkKind, label: string, placeholder: string]> = [
  ["website", "Website", "example.com"],
  ["twitter", "X", "@handle"],
  ["telegram", "Telegram", "@group"],
]

const change = (field: keyof Details, text: string): void =>
  editDraft({ details: { ...launchShown().draft.details, [field]: text }, metadataUri: null }, [field])

/** Image, name, symbol, text and links. */
export const DetailsFields = () => {
  const { draft, issues } = useLaunch()
  const { details } = draft
  const field = (name: keyof Details) => ({
    ...{ name, value: details[name], issue: issues[name] },
    onText: (text: string) => change(name, text),
  })
  return (
    <section className={`surface stack ${styles.section}`} aria-labelledby="launch-token">
      <h2 id="launch-token">Token</h2>
      <ImageField />
      <div className={styles.pair}>
        <TextField {...field("name")} label="Name" placeholder="Harbour" maxLength={32} required />
        <TextField {...field("symbol")} label="Symbol" placeholder="HARB" maxLength={10} required />
      </div>
      <TextField
        {...field("description")}
        label="Description"
        isLong
        maxLength={5_000}
        placeholder="What is it about?"
      />
      <details open={LINKS.some(([kind]) => details[kind] !== "" || issues[kind] !== undefined)}>
        <summary>Links</summary>
        <div className={styles.pair}>
          {LINKS.map(([kind, label, placeholder]) => (
            <TextField key={kind} {...field(kind)} {...{ label, placeholder }} inputMode="url" maxLength={2_048} />
          ))}
        </div>
      </details>
    </section>
  )
}
