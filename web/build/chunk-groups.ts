/** A file of the unplanned build with its styles. */
export interface Part {
  readonly file: string
  readonly imports: readonly string[]
  readonly modules: readonly string[]
  readonly bytes: number
  readonly hasStyles: boolean
  /** A file that is loaded by its name stays as it is. */
  readonly isFixed: boolean
}

/** Files that are loaded together. */
export interface Load {
  readonly files: ReadonlySet<string>
  readonly weight: number
}

/** Bytes, gzip before they are minified, that are worth a request. */
const requestBytes = 4800
/** Loads with more requests than this pay several times as much for each. */
const manyRequests = 22
const manyFactor = 3

/** Bytes beyond this count that one load fetches in vain by one join cost several times as much: no page pays for what most others share. */
const muchInVain = 10_000
const muchInVainFactor = 4

const costInVain = (bytes: number): number => bytes + (muchInVainFactor - 1) * Math.max(0, bytes - muchInVain)

/** Parts in one file. */
interface Group {
  readonly parts: Part[]
  bytes: number
  hasStyles: boolean
  readonly isFixed: boolean
  /** 1 for each load that fetches it. */
  readonly fetched: Uint8Array
}

const union = (a: Group, b: Group): Uint8Array => a.fetched.map((is, load) => is | (b.fetched[load] ?? 0))

/**
 * Joins the parts into files, smallest first, each with the one that it saves most with, until no two save anything. Returns
 * the modules of each file, without the fixed ones, the most loaded first.
 */
export const groupParts = (parts: readonly Part[], loads: readonly Load[]): string[][] => {
  const weights = loads.map(({ weight }) => weight)
  const groups = new Set<Group>()
  const groupOf = new Map<string, Group>()
  for (const part of parts) {
    const fetched = Uint8Array.from(loads, ({ files }) => Number(files.has(part.file)))
    const group = { parts: [part], bytes: part.bytes, hasStyles: part.hasStyles, isFixed: part.isFixed, fetched }
    groups.add(group)
    groupOf.set(part.file, group)
  }

  /** These groups and all that they import. */
  const startOf = (roots: readonly Group[]): Set<Group> => {
    const found = new Set(roots)
    for (const { parts: own } of found)
      for (const { imports } of own)
        for (const file of imports) {
          const group = groupOf.get(file)
          if (group) found.add(group)
        }
    return found
  }

  let prices = weights.map((weight) => weight * requestBytes)
  /** Bytes that loads would fetch in vain, less what the requests are worth. */
  const costOf = (a: Group, b: Group): number => {
    const saved = a.hasStyles && b.hasStyles ? 2 : 1
    let cost = 0
    for (const [load, weight] of weights.entries()) {
      const [inA, inB] = [a.fetched[load], b.fetched[load]]
      if (inA && inB) cost -= saved * (prices[load] ?? 0)
      else if (inA) cost += costInVain(b.bytes) * weight
      else if (inB) cost += costInVain(a.bytes) * weight
    }
    return cost
  }
  /** The same of what the two import. Infinite where a fixed file would import what imports it. */
  const costOfImports = (a: Group, b: Group): number => {
    const loaded = union(a, b)
    let cost = 0
    for (const group of startOf([a, b])) {
      if (group === a || group === b) continue
      if (group.isFixed && [...startOf([group])].some((each) => each === a || each === b))
        return Number.POSITIVE_INFINITY
      for (const [load, weight] of weights.entries())
        if (loaded[load] && !group.fetched[load]) cost += group.bytes * weight + (prices[load] ?? 0)
    }
    return cost
  }
  const join = (a: Group, b: Group): void => {
    const loaded = union(a, b)
    a.parts.push(...b.parts)
    a.bytes += b.bytes
    a.hasStyles ||= b.hasStyles
    for (const { file } of b.parts) groupOf.set(file, a)
    groups.delete(b)
    for (const group of startOf([a])) group.fetched.set(loaded.map((is, load) => is | (group.fetched[load] ?? 0)))
  }
  const partnerOf = (group: Group): Group | undefined => {
    const others = [...groups]
      .filter((other) => other !== group && !other.isFixed)
      .map((other) => ({ other, cost: costOf(group, other) }))
      .filter(({ cost }) => cost < 0)
      .toSorted((a, b) => a.cost - b.cost)
    let best: { other: Group; cost: number } | undefined
    for (const { other, cost } of others) {
      // Imports only add to the cost, so no later candidate is cheaper.
      if (best && cost >= best.cost) break
      const whole = cost + costOfImports(group, other)
      if (whole < (best?.cost ?? 0)) best = { other, cost: whole }
    }
    return best?.other
  }
  const joinAll = (): void => {
    let isDone = false
    while (!isDone) {
      isDone = true
      for (const group of [...groups].filter(({ isFixed }) => !isFixed).toSorted((a, b) => a.bytes - b.bytes)) {
        const partner = groups.has(group) ? partnerOf(group) : undefined
        if (!partner) continue
        join(partner, group)
        isDone = false
      }
    }
  }
  joinAll()
  const requests = weights.map((_, load) =>
    [...groups].reduce((sum, { fetched, hasStyles }) => sum + (fetched[load] ? (hasStyles ? 2 : 1) : 0), 0),
  )
  prices = prices.map((price, load) => ((requests[load] ?? 0) > manyRequests ? manyFactor * price : price))
  joinAll()

  const loadsFor = ({ fetched }: Group): number => fetched.reduce((sum, is) => sum + is, 0)
  return [...groups]
    .filter(({ isFixed }) => !isFixed)
    .toSorted((a, b) => loadsFor(b) - loadsFor(a))
    .map(({ parts: own }) => own.flatMap(({ modules }) => modules))
}
