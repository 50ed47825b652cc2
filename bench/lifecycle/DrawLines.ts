/** A panel of a picture: values over minutes, one line a name. */
export interface Panel {
  readonly title: string
  readonly lines: Readonly<Record<string, ReadonlyArray<readonly [minute: number, value: number]>>>
}

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [760, 190, 60, 190, 30, 30]
const COLOURS = ["#3566d6", "#c4452f", "#2b8a4b", "#9150b8", "#b07d12", "#12808c", "#7a7a7a", "#d04a8b"]
const GRID = 4

const rounded = (value: number): string =>
  value >= 10 ? String(Math.round(value)) : value === 0 ? "0" : value.toPrecision(2)

const panel = ({ lines, title }: Panel, index: number): string => {
  const points = Object.values(lines).flat()
  const last = Math.max(1, ...points.map(([minute]) => minute))
  const most = Math.max(1, ...points.map(([, value]) => value)) * 1.05
  const x = (minute: number): string => (LEFT + (minute / last) * (WIDTH - LEFT - RIGHT)).toFixed(1)
  const y = (value: number): string => (HEIGHT - BOTTOM - (value / most) * (HEIGHT - TOP - BOTTOM)).toFixed(1)
  const steps = Array.from({ length: GRID + 1 }, (_, step) => step / GRID)
  const grid = steps.map(
    (share) =>
      `<path d="M${LEFT} ${y(share * most)}H${WIDTH - RIGHT}" stroke="#ddd"/><text x="${LEFT - 6}" y="${Number(y(share * most)) + 4}" text-anchor="end">${rounded(share * most)}</text>` +
      `<text x="${x(share * last)}" y="${HEIGHT - BOTTOM + 16}" text-anchor="middle">${rounded(share * last)}</text>`,
  )
  const drawn = Object.entries(lines).map(([name, values], at) => {
    const colour = COLOURS[at % COLOURS.length]
    const path = values.map(([minute, value]) => `${x(minute)} ${y(value)}`).join("L")
    return (
      `<path d="M${path}" fill="none" stroke="${colour}" stroke-width="1.5"/>` +
      `<text x="${WIDTH - RIGHT + 10}" y="${TOP + 12 + at * 16}" fill="${colour}">${name}</text>`
    )
  })
  return `<g transform="translate(0 ${index * HEIGHT})"><text x="${LEFT}" y="18" font-weight="bold">${title}</text>${grid.join("")}${drawn.join("")}</g>`
}

/** An SVG of panels below one another; minutes are at the bottom of each. */
export const drawLines = (panels: ReadonlyArray<Panel>): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${panels.length * HEIGHT}" font-family="sans-serif" font-size="12">` +
  `<rect width="100%" height="100%" fill="#fff"/>${panels.map(panel).join("")}</svg>\n`
