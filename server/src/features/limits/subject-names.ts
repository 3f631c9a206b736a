import type { FoundSubject, LimitSubject, NamedSubject } from '@tollgate/contract'
import { channelSubjects, mostFoundSubjects } from '@tollgate/contract'
import type { Database } from '../../db/database.ts'
import { containsText } from '../../db/dialect.ts'
import { nameOfEndUser } from '../../limits/compiled-limit.ts'
import type { ChannelNames } from './channel-names.ts'

/** Sources of subjects' names. */
export interface SubjectSources {
  readonly query: Database['query']
  readonly channels: ChannelNames
}

type Reader = Pick<Database['query'], 'selectFrom'>

interface Named {
  readonly value: string
  readonly name: string
  readonly note: string
}

/** Things with ids, by name. `ids` are read in one statement. */
interface Kind {
  byId(on: Reader, ids: readonly number[]): Promise<readonly Named[]>
  /** `owner` bounds keys to those of a user. */
  find(on: Reader, keyword: string, owner: number | undefined): Promise<readonly Named[]>
}

const idIn = (keyword: string): number => (/^#?\d{1,15}$/.test(keyword) ? Number(keyword.replace('#', '')) : -1)

const keys = (on: Reader) =>
  on
    .selectFrom('tokens')
    .leftJoin('users', 'users.id', 'tokens.user_id')
    .select(['tokens.id', 'tokens.name', 'users.username as note'])
    .where('tokens.deleted_at', 'is', null)

const users = (on: Reader) =>
  on
    .selectFrom('users')
    .select(['users.id', 'users.username as name', 'users.display_name as note'])
    .where('users.deleted_at', 'is', null)

const projects = (on: Reader) =>
  on
    .selectFrom('projects')
    .leftJoin('teams', 'teams.id', 'projects.team_id')
    .select(['projects.id', 'projects.name', 'teams.name as note'])
    .where('projects.deleted_at', 'is', null)

const teams = (on: Reader) =>
  on
    .selectFrom('teams')
    .leftJoin('organisations', 'organisations.id', 'teams.organisation_id')
    .select(['teams.id', 'teams.name', 'organisations.name as note'])
    .where('teams.deleted_at', 'is', null)

const named = ({ id, name, note }: { id: number; name: string; note: string | null }): Named => ({
  value: String(id),
  name,
  note: note ?? '',
})

const people: Kind = {
  byId: async (on, ids) => (await users(on).where('users.id', 'in', ids).execute()).map(named),
  find: async (on, keyword, owner) => {
    if (owner !== undefined) return []
    const fitting = users(on).where(({ or, eb }) =>
      or([
        containsText('users.username', keyword),
        containsText('users.display_name', keyword),
        eb('users.id', '=', idIn(keyword)),
      ]),
    )
    return (await fitting.orderBy('users.username').limit(mostFoundSubjects).execute()).map(named)
  },
}

const kinds: Partial<Record<LimitSubject, Kind>> = {
  key: {
    byId: async (on, ids) => (await keys(on).where('tokens.id', 'in', ids).execute()).map(named),
    find: async (on, keyword, owner) => {
      const fitting = keys(on).where(({ or, eb }) =>
        or([containsText('tokens.name', keyword), eb('tokens.id', '=', idIn(keyword))]),
      )
      const some = owner === undefined ? fitting : fitting.where('tokens.user_id', '=', owner)
      return (await some.orderBy('tokens.name').orderBy('tokens.id').limit(mostFoundSubjects).execute()).map(named)
    },
  },
  user: people,
  member: people,
  team: {
    byId: async (on, ids) => (await teams(on).where('teams.id', 'in', ids).execute()).map(named),
    find: async (on, keyword, owner) => {
      if (owner !== undefined) return []
      const fitting = teams(on).where(({ or, eb }) =>
        or([containsText('teams.name', keyword), eb('teams.id', '=', idIn(keyword))]),
      )
      return (await fitting.orderBy('teams.name').limit(mostFoundSubjects).execute()).map(named)
    },
  },
  project: {
    byId: async (on, ids) => (await projects(on).where('projects.id', 'in', ids).execute()).map(named),
    find: async (on, keyword, owner) => {
      if (owner !== undefined) return []
      const fitting = projects(on).where(({ or, eb }) =>
        or([containsText('projects.name', keyword), eb('projects.id', '=', idIn(keyword))]),
      )
      return (await fitting.orderBy('projects.name').limit(mostFoundSubjects).execute()).map(named)
    },
  },
}

/** Subjects by name; those without an id are names themselves, and what is gone has none. */
export const withNames = async (
  { query: on, channels }: SubjectSources,
  subjects: readonly Omit<NamedSubject, 'name'>[],
): Promise<(subject: Omit<NamedSubject, 'name'>) => NamedSubject> => {
  const names = new Map<string, string>()
  for (const [kind, { byId }] of Object.entries(kinds)) {
    const ids = subjects
      .filter((one) => one.kind === kind && /^\d{1,15}$/.test(one.value))
      .map(({ value }) => Number(value))
    if (ids.length === 0) continue
    for (const { value, name } of await byId(on, [...new Set(ids)])) names.set(`${kind} ${value}`, name)
  }
  const nameOf = (kind: LimitSubject, value: string): string => {
    if (value === '') return ''
    if (kind === 'end_user') return nameOfEndUser(value)
    if (channelSubjects.has(kind)) return channels.nameOf(kind, value)
    return kinds[kind] === undefined ? value : (names.get(`${kind} ${value}`) ?? '')
  }
  return ({ kind, value }) => ({ kind, value, name: nameOf(kind, value) })
}

/** Things that a limit can be on, found by name or number; with an owner only that user's keys. */
export const findSubjects = async (
  { query: on, channels }: SubjectSources,
  kind: LimitSubject,
  keyword: string,
  owner?: number,
): Promise<FoundSubject[]> => {
  if (channelSubjects.has(kind)) return owner === undefined ? channels.find(kind, keyword) : []
  return [...((await kinds[kind]?.find(on, keyword, owner)) ?? [])]
}
