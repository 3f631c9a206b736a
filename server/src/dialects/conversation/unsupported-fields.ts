/** Collects fields that the target dialect lacks, under the client's names, e.g. `logit_bias`, `messages.audio`. */
export interface UnsupportedFields {
  add(field: string): void
  /** Sorted and unique. Beyond a hundred fields, the last entry states how many more there are. */
  list(): readonly string[]
}

const mostFields = 100
/** UTF-16 units. */
const longestField = 100

/** Clients and upstreams choose the names, so long ones are cut and end with `...`. */
const bounded = (field: string): string =>
  field.length <= longestField ? field : `${field.slice(0, longestField).toWellFormed()}...`

export const createUnsupportedFields = (): UnsupportedFields => {
  const fields = new Set<string>()
  let more = 0
  return {
    add: (field) => {
      const name = bounded(field)
      if (fields.size < mostFields || fields.has(name)) fields.add(name)
      else more += 1
    },
    list: () => (more === 0 ? [...fields].sort() : [...[...fields].sort(), `+${more} more`]),
  }
}
