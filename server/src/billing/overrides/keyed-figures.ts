type Figures = Readonly<Record<string, number>>

interface Entry {
  readonly name: string
  /** undefined for every model. */
  readonly model: string | undefined
  readonly value: number
}

const entryOf = (key: string, value: number): Entry => {
  const colon = key.indexOf(':')
  return colon < 0
    ? { name: key, model: undefined, value }
    : { name: key.slice(0, colon), model: key.slice(colon + 1), value }
}

/** How specific a match is: 0 for all models, the length of a prefix, Infinity for the exact name; -1 without a match. */
const specificity = ({ model: pattern }: Entry, model: string): number => {
  if (pattern === undefined) return 0
  if (!pattern.endsWith('*')) return pattern === model ? Number.POSITIVE_INFINITY : -1
  return model.startsWith(pattern.slice(0, -1)) ? pattern.length : -1
}

/**
 * Compiles a map with keys `name`, `name:model` and `name:prefix*` into a look-up by model. The most specific entry of each name
 * applies; negative and infinite values are ignored. The look-up returns undefined when no entry matches.
 */
export const keyedFigures = (figures: Figures): ((model: string) => Figures | undefined) => {
  const entries = Object.entries(figures)
    .filter(([, value]) => value >= 0 && Number.isFinite(value))
    .map(([key, value]) => entryOf(key, value))
  return (model) => {
    const found = new Map<string, { specificity: number; value: number }>()
    for (const entry of entries) {
      const score = specificity(entry, model)
      if (score >= 0 && score >= (found.get(entry.name)?.specificity ?? 0))
        found.set(entry.name, { specificity: score, value: entry.value })
    }
    return found.size === 0 ? undefined : Object.fromEntries([...found].map(([name, { value }]) => [name, value]))
  }
}
