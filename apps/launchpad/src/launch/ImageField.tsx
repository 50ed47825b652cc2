import { type DragEvent, useEffect, useRef, useState } from "react"
import { Button } from "../design/Button.tsx"
import styles from "./Form.module.css"
import { editDraft, show, useLaunch } from "./LaunchStore.ts"
import { type ChosenImage, openImage, previewOf, squareImage } from "./SquareImage.ts"
import { uploadImage } from "./Uploads.ts"

/** Moving the square uploads nothing until it rests. */
const REST_MILLIS = 700

/** The image: chosen or dropped, cut to a square, uploaded at once. */
export const ImageField = () => {
  const { activity, draft, issues } = useLaunch()
  const [chosen, setChosen] = useState<ChosenImage>()
  const [moved, setMoved] = useState(50)
  const [isOver, setIsOver] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const isBusy = activity !== undefined
  const issue = issues["image"]

  const take = async (files: FileList | null) => {
    const file = files?.[0]
    if (file === undefined || isBusy) return
    const opened = await openImage(file)
    if (typeof opened === "string") return show({ issues: { ...issues, image: opened } })
    setChosen(opened)
    setMoved(50)
    await uploadImage(await squareImage(opened, 50))
  }
  const move = (image: ChosenImage, to: number) => {
    setMoved(to)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => void squareImage(image, to).then(uploadImage), REST_MILLIS)
  }
  const onDrag = (event: DragEvent) => {
    event.preventDefault()
    setIsOver(event.type === "dragover")
    if (event.type === "drop") void take(event.dataTransfer.files)
  }
  const preview = chosen !== undefined && !chosen.isSquare ? previewOf(chosen, moved) : draft.picture?.preview

  return (
    <div className={styles.field}>
      <label
        className={`${styles.drop} ${isOver ? styles.over : ""}`}
        onDragOver={onDrag}
        onDragLeave={onDrag}
        onDrop={onDrag}
      >
        {preview === undefined ? (
          <span className={styles.plus} aria-hidden="true">
            +
          </span>
        ) : (
          <img className={styles.picture} src={preview} alt="Chosen" />
        )}
        <span>
          <b>{preview === undefined ? "Choose an image, or drop one here" : "Choose or drop another one"}</b>
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
            void take(target.files)
            // So that the same file can be chosen again.
            target.value = ""
          }}
        />
      </label>
      {chosen !== undefined && !chosen.isSquare && draft.picture !== null && (
        <label className={styles.move}>
          Move the cut
          <input
            type="range"
            value={moved}
            disabled={isBusy && activity !== "uploading"}
            onChange={({ target }) => move(chosen, Number(target.value))}
          />
        </label>
      )}
      {draft.picture !== null && (
        <Button
          look="quiet"
          className={styles.small!}
          disabled={isBusy}
          onClick={() => {
            clearTimeout(timer.current)
            setChosen(undefined)
            editDraft({ picture: null, metadataUri: null }, ["image"])
          }}
        >
          Remove the image
        </Button>
      )}
      <p id="launch-image" role="status" className={issue === undefined ? styles.hint : styles.issue}>
        {activity === "uploading" ? "Uploading the image" : issue}
      </p>
    </div>
  )
}
