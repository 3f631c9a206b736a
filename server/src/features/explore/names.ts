import type { ExploreDimension } from '@tollgate/contract'
import type { FigureCell } from '../../ledger/figures/read-figures.ts'

export interface NameParts {
  userNames(ids: readonly number[]): Promise<ReadonlyMap<number, string>>
  channelNames(ids: readonly number[]): Promise<ReadonlyMap<number, string>>
  /** Names of organisations, teams and projects. */
  placeNames(
    table: 'organisations' | 'teams' | 'projects',
    ids: readonly number[],
  ): Promise<ReadonlyMap<number, string>>
  /** Present names of keys, and their owners. */
  tokenNames(ids: readonly number[]): Promise<ReadonlyMap<number, { name: string; owner: string }>>
}

interface Named {
  readonly key: string
  readonly name: string
  readonly owner?: string
}

/** Names of the dimensions' values; a deleted key has its last name. Owners only if `owners` is true. */
export const readNames = async (
  parts: NameParts,
  { by, second }: { readonly by: ExploreDimension; readonly second?: ExploreDimension | undefined },
  cells: readonly FigureCell[],
  owners: boolean,
): Promise<(dimension: ExploreDimension, key: string) => Named> => {
  const keysOf = (dimension: ExploreDimension): readonly string[] =>
    [by, second].flatMap((one, index) => (one === dimension ? cells.flatMap(({ keys }) => keys[index] ?? []) : []))
  const idsOf = (dimension: ExploreDimension): readonly number[] =>
    [...new Set(keysOf(dimension).map(Number))].filter((id) => id > 0)
  const [users, members, channels, tokens, organisations, teams, projects] = await Promise.all([
    parts.userNames(idsOf('user')),
    parts.userNames(idsOf('member')),
    parts.channelNames(idsOf('channel')),
    parts.tokenNames(idsOf('key')),
    parts.placeNames('organisations', idsOf('organisation')),
    parts.placeNames('teams', idsOf('team')),
    parts.placeNames('projects', idsOf('project')),
  ])
  const labels = new Map<string, string>()
  for (const { keys, label } of cells)
    if (label !== '') labels.set(keys[second === 'key' && by !== 'key' ? 1 : 0] ?? '', label)
  const named = {
    user: users,
    member: members,
    channel: channels,
    organisation: organisations,
    team: teams,
    project: projects,
  } as const
  return (dimension, key) => {
    if (dimension in named) return { key, name: named[dimension as keyof typeof named].get(Number(key)) ?? '' }
    if (dimension !== 'key') return { key, name: key }
    const token = tokens.get(Number(key))
    const name = token?.name ?? labels.get(key) ?? ''
    return { key, name, ...(owners && token !== undefined ? { owner: token.owner } : {}) }
  }
}
