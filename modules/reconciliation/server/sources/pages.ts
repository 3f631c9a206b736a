import type { z } from 'zod'
import { AppError } from '#server/lib/app-error.ts'
import type { GetJson } from './get-json.ts'

/** A page that names the next one. */
interface Page {
  readonly has_more?: boolean | null | undefined
  readonly next_page?: string | null | undefined
}

const mostPages = 500

/** Reads pages until none is left, in order. `query` is changed. Throws `report_unreadable` where they do not end. */
export const readPages = async <T extends Page>(
  get: (url: string, shape: z.ZodType<T>) => Promise<T>,
  { url, query, shape }: { readonly url: string; readonly query: URLSearchParams; readonly shape: z.ZodType<T> },
  onPage: (page: T) => void,
): Promise<void> => {
  for (let count = 0; count < mostPages; count += 1) {
    const answer = await get(`${url}?${query}`, shape)
    onPage(answer)
    if (!answer.has_more || !answer.next_page) return
    query.set('page', answer.next_page)
  }
  throw new AppError('report_pages', { params: { pages: mostPages } })
}

/** The same headers for every page. */
export const withHeaders =
  (get: GetJson, headers: Readonly<Record<string, string>>) =>
  <T>(url: string, shape: z.ZodType<T>): Promise<T> =>
    get(url, headers, shape)
