/** How a job ended, and what is said of it. */
export interface Outcome {
  readonly state: "done" | "failed"
  readonly detail: string
}

export const done = (detail: string): Outcome => ({ state: "done", detail })
export const failed = (detail: string): Outcome => ({ state: "failed", detail })
