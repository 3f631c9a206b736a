/**
 * `make`, which runs once for each text that comes again and again. At `most` texts all are forgotten, so what callers send
 * cannot fill the memory; none should be long. Cheap enough for what every call asks.
 */
export const remembered = <T extends object | string | boolean>(
  most: number,
  make: (text: string) => T,
): ((text: string) => T) => {
  const known = new Map<string, T>()
  return (text) => {
    const before = known.get(text)
    if (before !== undefined) return before
    const made = make(text)
    if (known.size >= most) known.clear()
    known.set(text, made)
    return made
  }
}
