/** Name that counts all names beyond the bound. */
export const otherName = 'other'

export interface BoundedNames {
  /** The name itself while it is among the most used, `other` otherwise. Counts one use. */
  of(name: string): string
  /**
   * Looks again which names are the most used; uses of the past count half each time. Returns the names that have lost
   * their place: their series should go, their later uses count as `other`.
   */
  settle(): readonly string[]
}

/** Candidates that are counted beside those that have a place. */
const candidatesPerPlace = 10

/**
 * Keeps the values of a label bounded: the `most` names that are used most have their own, all others share one. The first names
 * get a place at once; later ones when `settle` finds that they are used more. Memory is bounded, whatever names come.
 */
export const createBoundedNames = (most: number): BoundedNames => {
  let placed = new Set<string>()
  let uses = new Map<string, number>()
  return {
    of(name) {
      const before = uses.get(name)
      if (before !== undefined) uses.set(name, before + 1)
      else if (uses.size < most * (candidatesPerPlace + 1)) uses.set(name, 1)
      if (placed.has(name)) return name
      if (placed.size >= most) return otherName
      placed.add(name)
      return name
    },
    settle() {
      const ranked = [...uses].sort(
        // A name keeps its place against one that is used as much.
        (a, b) => b[1] - a[1] || Number(placed.has(b[0])) - Number(placed.has(a[0])),
      )
      const best = new Set(ranked.slice(0, most).map(([name]) => name))
      const lost = [...placed].filter((name) => !best.has(name))
      placed = placed.size < most ? placed : best
      uses = new Map(
        ranked.map(([name, count]) => [name, Math.floor(count / 2)] as const).filter(([, count]) => count > 0),
      )
      return placed === best ? lost : []
    },
  }
}
