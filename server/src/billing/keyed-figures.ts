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

/** How closely an entry names a model: 0 for every model, more for a longer prefix, most for its name; -1 when it does not. */
const closeness = ({ model: wanted }: Entry, model: string): number => {
  if (wanted === undefined) return 0
  if (!wanted.endsWith('*')) return wanted === model ? Number.POSITIVE_INFINITY : -1
  return model.startsWith(wanted.slice(0, -1)) ? wanted.length : -1
}

/**
 * Reads a map with keys `name`, `name:model` and `name:prefix*` for one model after another: the most specific entry of each
 * name counts, negative and infinite figures are no entries. undefined where none is left.
 */
export const keyedFigures = (figures: Figures): ((model: string) => Figures | undefined) => {
  const entries = Object.entries(figures)
    .filter(([, value]) => value >= 0 && Number.isFinite(value))
    .map(([key, value]) => entryOf(key, value))
  return (model) => {
    const found = new Map<string, { closeness: number; value: number }>()
    for (const entry of entries) {
      const score = closeness(entry, model)
      if (score >= 0 && score >= (found.get(entry.name)?.closeness ?? 0))
        found.set(entry.name, { closeness: score, value: entry.value })
    }
    return found.size === 0 ? undefined : Object.fromEntries([...found].map(([name, { value }]) => [name, value]))
  }
}
