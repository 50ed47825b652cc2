import { type DragEvent, useState } from "react"
import { Button } from "../design/Button.tsx"
import styles from "./Form.module.css"
import { editDraft, useLaunch } from "./LaunchStore.ts"
import { takeImage } from "./Uploads.ts"

/** The image: chosen or dropped, cut to a square, uploaded at once. */
export const ImageField = () => {
  const { activity, draft, issues } = useLaunch()
  const [isOver, setIsOver] = useState(false)
  const isBusy = activity !== undefined
  const { image: issue } = issues
  const { picture } = draft
  const take = (files: FileList | null) => {
    if (files?.[0] !== undefined && !isBusy) void takeImage(files[0])
  }
  const onDrag = (event: DragEvent) => {
    event.preventDefault()
    setIsOver(event.type === "dragover")
    if (event.type === "drop") take(event.dataTransfer.files)
  }
  return (
    <div className={styles.field}>
      <label className={styles.drop} data-over={isOver} onDragOver={onDrag} onDragLeave={onDrag} onDrop={onDrag}>
        {picture === null ? (
          <span className={styles.picture} aria-hidden="true">
            +
          </span>
        ) : (
          <img className={styles.picture} src={picture.preview} alt="" />
        )}
        <span>
          <b>{picture === null ? "Choose an image, or drop one here" : "Choose or drop another image"}</b>
          <span className={styles.hint}>PNG, JPEG, GIF or WebP, at most 15 MiB. It is cut to a square.</span>
        </span>
        <input
          type="file"
          className="hidden"
          accept="image/png,image/jpeg,image/gif,image/webp"
          aria-invalid={issue !== undefined}
          aria-describedby="launch-image"
          disabled={isBusy}
          onChange={({ target }) => {
            take(target.files)
            // So that the same file can be chosen again.
            target.value = ""
          }}
        />
      </label>
      <p id="launch-image" role="status" className={styles.issue}>
        {issue}
      </p>
      {picture !== null && (
        <Button disabled={isBusy} onClick={() => editDraft({ picture: null, metadataUri: null }, ["image"])}>
          Remove the image
        </Button>
      )}
    </div>
  )
}
