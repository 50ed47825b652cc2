import { useEffect, useState } from "react"

/** A value once it has been the same for so long. */
export const useSettled = <Value>(value: Value, millis: number): Value => {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), millis)
    return () => clearTimeout(timer)
  }, [value, millis])
  return settled
}
