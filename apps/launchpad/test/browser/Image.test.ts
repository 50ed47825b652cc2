import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { TestServer } from "../../../../packages/service/test/TestServer.ts"
import { axeFaults, PHONE, until, withoutChromium } from "./Chromium.ts"
import { does, openApp, ownFaults, press, seen, STICKING_OUT } from "./OpenApp.ts"
import { suiteBrowser } from "./SuiteBrowser.ts"

const browser = suiteBrowser("the image of a launch in a browser")

/** A picture of twice its height: red to the left of its middle, blue to the right. */
const twoColours = (page: Page) =>
  does(async () => {
    const url = await page.evaluate<string>(`(() => {
      const canvas = document.createElement("canvas")
      canvas.width = 400
      canvas.height = 200
      const context = canvas.getContext("2d")
      for (const [colour, at] of [["red", 0], ["blue", 200]]) {
        context.fillStyle = colour
        context.fillRect(at, 0, 200, 200)
      }
      return canvas.toDataURL("image/png")
    })()`)
    return { name: "two.png", mimeType: "image/png", buffer: Buffer.from(url.split(",")[1]!, "base64") }
  })

/** Width of an image, and where from left to right it is red, at four places. */
const looksOf = (page: Page, url: string) =>
  does(() =>
    page.evaluate<readonly [number, string]>(`(async () => {
      const image = new Image()
      image.src = ${JSON.stringify(url)}
      await image.decode()
      const canvas = document.createElement("canvas")
      canvas.width = canvas.height = image.width
      const context = canvas.getContext("2d")
      context.drawImage(image, 0, 0)
      const { data } = context.getImageData(0, image.width / 2, image.width, 1)
      const places = [0.1, 0.4, 0.6, 0.9].map((share) => data[4 * Math.floor(share * image.width)])
      return [image.width, places.map((red) => (red > 127 ? "red" : "blue")).join(" ")]
    })()`),
  )

const stored = "JSON.parse(localStorage.getItem('launchpad launch'))?.picture"

/** What the card of the preview shows, and what was uploaded once the square stood still. */
const shownAndUploaded = Effect.fnUntraced(function* (page: Page) {
  yield* does(() => until(page, `typeof ${stored}?.uri === "string"`))
  const card = yield* does(() => page.getAttribute("[aria-labelledby=launch-preview] img", "src"))
  const uri = yield* does(() => page.evaluate<string>(`${stored}.uri`))
  return [(yield* looksOf(page, card!))[1], ...(yield* looksOf(page, new URL(uri).pathname))]
})

layer(TestServer.layer(), { excludeTestServices: true })("The image of a launch", (it) => {
  const test = withoutChromium === undefined ? it.effect : it.effect.skip

  test("is the square that was dragged, moved and zoomed to, in the preview and as it is uploaded", () =>
    Effect.gen(function* () {
      const { faults, page } = yield* openApp(browser(), "launch", { colorScheme: "dark", viewport: PHONE })
      const file = yield* twoColours(page)
      yield* does(() => page.setInputFiles("input[type=file]", file))
      assert.deepStrictEqual(yield* shownAndUploaded(page), ["red red blue blue", 200, "red red blue blue"])

      // Half a side to the right: the left half of the picture.
      const picture = page.locator("img[draggable=false]")
      yield* does(() => picture.scrollIntoViewIfNeeded())
      const box = (yield* does(() => picture.boundingBox()))!
      const [x, y] = [box.x + box.width * 0.25, box.y + box.height / 2]
      yield* does(() => page.mouse.move(x, y))
      yield* does(() => page.mouse.down())
      yield* does(() => page.mouse.move(x + box.width * 0.25, y, { steps: 4 }))
      yield* does(() => page.mouse.up())
      assert.deepStrictEqual(yield* shownAndUploaded(page), ["red red red blue", 200, "red red red blue"])

      // The keyboard alone: all to the right, then twice as near.
      yield* does(() => page.focus("label:has-text('Across') input"))
      yield* does(() => page.keyboard.press("End"))
      assert.deepStrictEqual(yield* shownAndUploaded(page), ["blue blue blue blue", 200, "blue blue blue blue"])
      yield* does(() => page.keyboard.press("Shift+Tab"))
      yield* does(() => page.keyboard.press("End"))
      assert.deepStrictEqual(yield* shownAndUploaded(page), ["blue blue blue blue", 40, "blue blue blue blue"])
      assert.deepStrictEqual(yield* does(() => axeFaults(page)), [])
      assert.deepStrictEqual(yield* does(() => page.evaluate(STICKING_OUT)), [])

      // What was uploaded is there after a reload, and is removed when it is not wanted.
      yield* does(() => page.reload())
      yield* seen(page, "main img[src^='data:']")
      yield* press(page, "Remove")
      yield* seen(page, "text=Choose an image, or drop one here")
      assert.deepStrictEqual(ownFaults(faults), [])
    }).pipe(Effect.scoped))
})
