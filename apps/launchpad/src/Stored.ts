/** What this browser keeps of a page, as text by a name; nothing where storage is off. */
export const readStored = (name: string): string | null => {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}

/** Keeps a text, or drops what was kept. `false`: this browser keeps nothing. */
export const store = (name: string, text: string | undefined): boolean => {
  try {
    if (text === undefined) localStorage.removeItem(name)
    else localStorage.setItem(name, text)
    return true
  } catch {
    return false
  }
}
