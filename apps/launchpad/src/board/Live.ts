import { useSyncExternalStore } from "react"

/** A value that changes outside of React. What shows it is drawn again in the next frame, and nothing else is. */
export interface Live<Value> {
  readonly get: () => Value
  readonly set: (value: Value) => void
  readonly subscribe: (onChange: () => void) => () => void
}

let due = new Set<() => void>()

const draw = (): void => {
  const drawn = due
  due = new Set()
  for (const onChange of drawn) onChange()
}

export const live = <Value>(value: Value): Live<Value> => {
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    set: (next) => {
      if (next === value) return
      value = next
      if (listeners.size > 0 && due.size === 0) requestAnimationFrame(draw)
      for (const onChange of listeners) due.add(onChange)
    },
    subscribe: (onChange) => {
      listeners.add(onChange)
      return () => {
        listeners.delete(onChange)
        due.delete(onChange)
      }
    },
  }
}

const never = () => () => {}

/** The value as it changes, or, where it is out of sight, as it is when it is drawn for another reason. */
export const useLive = <Value>({ get, subscribe }: Live<Value>, isSeen = true): Value =>
  useSyncExternalStore(isSeen ? subscribe : never, get)
