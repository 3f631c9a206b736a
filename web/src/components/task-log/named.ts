import type { FacetOption } from '../data-table/columns/column.ts'

interface Row {
  channel_id: number
  user_id: number
  channel_name?: string | undefined
  username?: string | undefined
}

/** What an id is called; `#3` where it has no name because it was deleted. */
export const nameOrId = (name: string | undefined, id: number): string => name || (id > 0 ? `#${id}` : '')

/** The channels or users of the rows on the page, by name; those of other rows are named where they are counted. */
export const namedOf = (rows: readonly Row[], of: 'channel_id' | 'user_id'): FacetOption[] => [
  ...new Map(
    rows
      .filter((row) => row[of] > 0)
      .map((row) => {
        const label = nameOrId(of === 'channel_id' ? row.channel_name : row.username, row[of])
        return [row[of], { value: String(row[of]), label }] as const
      }),
  ).values(),
]
