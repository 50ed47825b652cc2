import { useEffect } from "react"
import { Button } from "../design/Button.tsx"
import { SIGNS_WRITES } from "../registry/Connection.ts"
import { CropFields } from "./CropFields.tsx"
import styles from "./Form.module.css"
import { editDraft, show, useLaunch } from "./LaunchStore.ts"
import { canBeCut } from "./SquareImage.ts"
import { takeImage, uploadEarly } from "./Uploads.ts"

/** After the last move of the square. */
const SETTLED_MILLIS = 800

/** The image: chosen or dropped, cut to a square, uploaded once that stands still. */
export const ImageField = () => {
  const { chosen, draft, issues } = useLaunch()
  const { image: issue } = issues
  const { picture } = draft
  useEffect(() => {
    // Where a wallet signs each upload, there is one, when the token is launched.
    if (chosen === undefined || SIGNS_WRITES) return undefined
    const timer = setTimeout(() => void uploadEarly(), SETTLED_MILLIS)
    return () => clearTimeout(timer)
  }, [chosen])
  const remove = () => {
    editDraft({ picture: null, metadataUri: null }, ["image"])
    show({ chosen: undefined })
  }
  return (
    <div className={styles.field}>
      <label className={styles.drop}>
        {picture === null ? "Choose an image, or drop one here" : "Choose or drop another image"}
        <span className="muted small">PNG, JPEG, GIF or WebP, at most 15 MiB. It is cut to a square.</span>
        <input
          type="file"
          accept="image/png,image/jpeg,image/gif,image/webp"
          aria-invalid={issue !== undefined}
          aria-describedby="launch-image"
          onChange={({ target }) => {
            if (target.files?.[0] !== undefined) void takeImage(target.files[0])
            // So that the same file can be chosen again.
            target.value = ""
          }}
        />
      </label>
      <p id="launch-image" role="status" className="down small">
        {issue}
      </p>
      {picture !== null && (
        <div className="row">
          {chosen !== undefined && canBeCut(chosen) ? (
            <CropFields chosen={chosen} preview={picture.preview} />
          ) : (
            <img className={styles.picture} src={picture.preview} alt="" />
          )}
          <Button onClick={remove}>Remove</Button>
        </div>
      )}
    </div>
  )
}
