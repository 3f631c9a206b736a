import type { ChangeTerm, TermRow } from '#server/reports/change/terms.ts'

/** Readers of names by id. */
export interface TermNameParts {
  userNames(ids: readonly number[]): Promise<ReadonlyMap<number, string>>
  channelNames(ids: readonly number[]): Promise<ReadonlyMap<number, string>>
  /** Present names of keys. */
  tokenNames(ids: readonly number[]): Promise<ReadonlyMap<number, { name: string; owner: string }>>
}

/** Names of what terms and their rows are about; a deleted key has its last one. */
export interface TermNames {
  user(id: number): string
  key(id: number, last: string): string
  /** Owners only if `owners` is true. */
  row(term: ChangeTerm, row: TermRow, owners: boolean): { name: string; owner?: string }
}

const idsOf = (values: readonly (number | string | undefined)[]): readonly number[] =>
  [...new Set(values.map(Number))].filter((id) => id > 0)

/** Reads the names for some terms, one statement for each kind. */
export const readTermNames = async (parts: TermNameParts, terms: readonly ChangeTerm[]): Promise<TermNames> => {
  const rowsBy = (dimension: ChangeTerm['by']): readonly TermRow[] =>
    terms.flatMap(({ by, rows }) => (by === dimension ? rows : []))
  const keyRows = rowsBy('key')
  const [users, channels, keys] = await Promise.all([
    parts.userNames(idsOf([...terms.map(({ scope }) => scope.user), ...keyRows.map(({ user }) => user)])),
    parts.channelNames(idsOf(rowsBy('channel').map(({ key }) => key))),
    parts.tokenNames(idsOf([...terms.map(({ scope }) => scope.key), ...keyRows.map(({ key }) => key)])),
  ])
  const user = (id: number): string => users.get(id) ?? ''
  const key = (id: number, last: string): string => keys.get(id)?.name ?? last
  return {
    user,
    key,
    row: ({ by }, row, owners) => {
      if (by === 'channel') return { name: channels.get(Number(row.key)) ?? '' }
      if (by !== 'key' || row.key === '') return { name: row.name }
      return { name: key(Number(row.key), row.name), ...(owners ? { owner: user(row.user) } : {}) }
    },
  }
}
