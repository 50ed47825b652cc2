import { useState } from "preact/hooks"
import { formatWhole } from "../Format.ts"
import { html, type View } from "../Html.ts"
import type { Picture } from "./Draft.ts"
import { useLaunch } from "./LaunchStore.ts"
import { chooseImage, removeImage } from "./Uploads.ts"

/** What became of a file: what is stored of it, and what is not. */
const strippedWords = ({ fileSize, size }: Picture): string =>
  fileSize > size
    ? `${formatWhole(fileSize - size)} bytes of metadata (such as place, time and camera) were removed`
    : "it had no metadata that had to be removed"

const Stored = ({ isFixed, picture }: { readonly picture: Picture; readonly isFixed: boolean }): View =>
  html`<div class="stored">
    ${picture.preview === "" ? null : html`<img src=${picture.preview} alt="The image of the token" />`}
    <div>
      <p><b>Stored</b> as ${picture.contentType}, ${formatWhole(picture.size)} bytes: ${strippedWords(picture)}.</p>
      <p>
        <small>CID <code>${picture.cid}</code></small>
      </p>
      ${isFixed ? null : html`<button type="button" onClick=${() => removeImage()}>Remove the image</button>`}
    </div>
  </div>`

/** The image: chosen or dropped, uploaded at once. */
export const ImageField = ({ isFixed }: { readonly isFixed: boolean }): View => {
  const { activity, draft, imageRefusal } = useLaunch()
  const [isOver, setIsOver] = useState(false)
  const isUploading = activity === "uploading"
  const take = (files: FileList | null | undefined): void => {
    const file = files?.[0]
    if (file !== undefined && !isFixed) void chooseImage(file)
  }
  const onDrag = (event: DragEvent): void => {
    event.preventDefault()
    setIsOver(event.type === "dragover")
  }
  const onDrop = (event: DragEvent): void => {
    onDrag(event)
    take(event.dataTransfer?.files)
  }
  const onChange = (event: { readonly currentTarget: HTMLInputElement }): void => {
    take(event.currentTarget.files)
    // So that the same file can be chosen again.
    event.currentTarget.value = ""
  }
  return html`<section aria-labelledby="launch-image">
    <h2 id="launch-image">Image</h2>
    ${draft.picture === null ? null : html`<${Stored} picture=${draft.picture} isFixed=${isFixed} />`}
    ${
      isFixed
        ? null
        : html`<label
            class=${isOver ? "drop over" : "drop"}
            onDragOver=${onDrag}
            onDragLeave=${onDrag}
            onDrop=${onDrop}
          >
            <span>${draft.picture === null ? "Choose an image, or drop one here" : "Choose or drop another one"}</span>
            <input
              type="file"
              accept="image/png,image/jpeg,image/gif,image/webp"
              aria-describedby="launch-image-rules launch-image-state"
              disabled=${activity !== undefined}
              onChange=${onChange}
            />
            <small id="launch-image-rules">PNG, JPEG, GIF or WebP, at most 15 MiB. Cameras' metadata is removed.</small>
          </label>`
    }
    <p id="launch-image-state" role="status" class=${imageRefusal === undefined ? "" : "issue"}>
      ${isUploading ? "Uploading the image …" : imageRefusal}
    </p>
  </section>`
}
