import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { Search } from './url-state.ts'

export type SetSearch = (changes: Readonly<Record<string, string | undefined>>, options?: { replace?: boolean }) => void

/** The address's search parameters as plain text, and a way to change some of them; empty ones disappear. */
export const useSearchParams = (): [Search, SetSearch] => {
  const search = useSearch({ strict: false }) as Search
  const navigate = useNavigate()
  const set: SetSearch = useCallback(
    (changes, { replace = false } = {}) => {
      void navigate({
        to: '.',
        search: (before: Search) => {
          const kept = Object.entries({ ...before, ...changes }).filter(
            ([, value]) => value !== undefined && value !== '',
          )
          return Object.fromEntries(kept)
        },
        replace,
        resetScroll: false,
      } as never)
    },
    [navigate],
  )
  return [search, set]
}
