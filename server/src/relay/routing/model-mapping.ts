import { AppError } from '../../lib/app-error.ts'

/** The names of a circle in a mapping, its first name also at the end; undefined where every name leads to an end. */
export const mappingLoop = (mapping: ReadonlyMap<string, string>): readonly string[] | undefined => {
  for (const model of mapping.keys()) {
    const seen = [model]
    for (let next = mapping.get(model); next && next !== seen.at(-1); next = mapping.get(next)) {
      const at = seen.indexOf(next)
      seen.push(next)
      if (at >= 0) return seen.slice(at)
    }
  }
  return undefined
}

/** Follows a channel's mapping to its end. Throws AppError('model_mapped_error') when it runs in a circle. */
export const mappedModel = (mapping: ReadonlyMap<string, string>, model: string): string => {
  const seen = new Set([model])
  let current = model
  for (;;) {
    const next = mapping.get(current)
    if (next === undefined || next === '' || next === current) return current
    if (seen.has(next)) {
      throw new AppError('model_mapped_error', { params: { detail: [...seen, next].join(' → ') } })
    }
    seen.add(next)
    current = next
  }
}
