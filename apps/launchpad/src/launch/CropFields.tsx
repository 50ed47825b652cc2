import { type PointerEvent, useRef } from "react"
import { type Crop, movedBy, squareIn } from "./Crop.ts"
import styles from "./Form.module.css"
import type { ChosenImage } from "./SquareImage.ts"
import { cutTo } from "./Uploads.ts"

const RANGES = [
  ["zoom", "Zoom", 1, 5],
  ["left", "Across", 0, 1],
  ["top", "Down", 0, 1],
] as const satisfies ReadonlyArray<readonly [keyof Crop, label: string, min: number, max: number]>

/** Where in the image its square is: dragged, or set by ranges, which keys move too. */
export const CropFields = ({ chosen, preview }: { readonly chosen: ChosenImage; readonly preview: string }) => {
  const { bitmap, crop } = chosen
  const last = useRef({ clientX: 0, clientY: 0 })
  const { side } = squareIn(bitmap, crop)
  const isFixed = { zoom: false, left: bitmap.width === side, top: bitmap.height === side }
  const drag = ({ buttons, clientX, clientY, currentTarget }: PointerEvent) => {
    const { clientX: x, clientY: y } = last.current
    last.current = { clientX, clientY }
    const { clientWidth } = currentTarget
    if (buttons === 1)
      cutTo({ ...chosen, crop: movedBy(bitmap, crop, (clientX - x) / clientWidth, (clientY - y) / clientWidth) })
  }
  return (
    <>
      <img
        className={styles.picture}
        src={preview}
        alt=""
        draggable={false}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId)
          last.current = event
        }}
        onPointerMove={drag}
      />
      <div className={styles.ranges}>
        {RANGES.map(([name, label, min, max]) => (
          <label key={name}>
            {label}
            <input
              type="range"
              step="any"
              {...{ min, max }}
              value={crop[name]}
              disabled={isFixed[name]}
              onChange={({ target }) => cutTo({ ...chosen, crop: { ...crop, [name]: target.valueAsNumber } })}
            />
          </label>
        ))}
      </div>
    </>
  )
}
