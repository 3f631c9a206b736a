import { AppError } from '#server/lib/app-error.ts'

/** A number of a query between 1 and `most`; `usual` where it names none. Throws AppError('invalid_text_request'). */
export const limitIn = (
  query: URLSearchParams,
  { name, most, usual }: { readonly name: string; readonly most: number; readonly usual: number },
): number => {
  const text = query.get(name)
  if (text === null || text === '') return usual
  const limit = /^\d{1,6}$/.test(text) ? Number(text) : 0
  if (limit < 1 || limit > most)
    throw new AppError('invalid_text_request', { params: { detail: `${name} must be between 1 and ${most}` } })
  return limit
}

const longestId = 200

/** An id of a query; undefined for none. */
export const idIn = (query: URLSearchParams, name: string): string | undefined =>
  query.get(name)?.slice(0, longestId) || undefined
