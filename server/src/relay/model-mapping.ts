import { AppError } from '../lib/app-error.ts'

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
