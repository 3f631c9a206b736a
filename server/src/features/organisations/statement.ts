import type { OrganisationStatement } from '@tollgate/contract'
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../db/schema.ts'
import { type CsvCell, csvLine, csvMark } from '../../http/csv.ts'
import type { OrganisationParts } from './parts.ts'
import { may, type OrganisationAccess } from './rights.ts'
import { readableKeys } from './spend.ts'

type Figures = OrganisationStatement['charges']
const nothing: Figures = { count: 0, quota: 0, prompt_tokens: 0, completion_tokens: 0 }

interface Part {
  readonly figures: Figures
  readonly model: string
  readonly projectId: number
  readonly memberId: number
}

const sumOf = (parts: readonly Part[]): Figures =>
  parts.reduce(
    (sum, { figures }) => ({
      count: sum.count + figures.count,
      quota: sum.quota + figures.quota,
      prompt_tokens: sum.prompt_tokens + figures.prompt_tokens,
      completion_tokens: sum.completion_tokens + figures.completion_tokens,
    }),
    nothing,
  )

const groupedBy = <Key>(parts: readonly Part[], keyOf: (part: Part) => Key): (Figures & { key: Key })[] =>
  [...Map.groupBy(parts, keyOf)]
    .map(([key, own]) => ({ key, ...sumOf(own) }))
    .sort((left, right) => right.quota - left.quota || right.count - left.count)

/** Tags of these keys in whole hours: the hour in which a month begins within it counts for the month before. */
const tagsOf = async (
  on: Kysely<Tables>,
  access: OrganisationAccess,
  keys: ReadonlySet<number>,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<OrganisationStatement['tags']> => {
  const rows = await on
    .selectFrom('call_tag_hours')
    .select(['token_id', 'tag'])
    .select([sql<number | string>`sum(quota)`.as('quota'), sql<number | string>`sum(${sql.ref('count')})`.as('calls')])
    .where('user_id', '=', access.walletId)
    .where('created_at', '>=', from)
    .where('created_at', '<', to)
    .groupBy(['token_id', 'tag'])
    .execute()
  const seen = rows.filter(({ token_id }) => keys.has(token_id))
  return [...Map.groupBy(seen, ({ tag }) => tag)]
    .map(([tag, own]) => ({
      tag,
      count: own.reduce((sum, row) => sum + Number(row.calls), 0),
      quota: own.reduce((sum, row) => sum + Number(row.quota), 0),
    }))
    .sort((left, right) => right.quota - left.quota || (left.tag < right.tag ? -1 : 1))
}

/** A month of an organisation in its time zone: all of it for who reads all, and own calls for others. */
export const statementOf = async (
  { database: { query }, walletMonth }: Pick<OrganisationParts, 'database' | 'walletMonth'>,
  access: OrganisationAccess,
  { month }: { readonly month?: string | undefined },
): Promise<OrganisationStatement> => {
  const readsAll = may(access, 'read_all')
  const { charges, ...whole } = await walletMonth(access.walletId, { month, zone: access.timeZone })
  const keys = new Map((await readableKeys(query, access)).map((key) => [key.id, key]))
  const parts = charges.flatMap(({ tokenId, model, count, quota, promptTokens, completionTokens }): Part[] => {
    const key = keys.get(tokenId)
    if (key === undefined && !readsAll) return []
    const figures = { count, quota, prompt_tokens: promptTokens, completion_tokens: completionTokens }
    return [{ figures, model, projectId: key?.projectId ?? 0, memberId: key?.memberId ?? 0 }]
  })
  const projects = groupedBy(parts, ({ projectId }) => projectId)
  const members = groupedBy(parts, ({ memberId }) => memberId)
  const [projectNames, memberNames] = await Promise.all([
    namesOf(query, 'projects', projects),
    namesOf(query, 'users', members),
  ])
  return {
    ...whole,
    ...(readsAll ? {} : { opening: null, closing: null, movements: [] }),
    charges: sumOf(parts),
    models: groupedBy(parts, ({ model }) => model).map(({ key, ...figures }) => ({ model: key, ...figures })),
    projects: projects.map(({ key, ...figures }) => ({
      project_id: key,
      name: projectNames.get(key) ?? '',
      ...figures,
    })),
    members: members.map(({ key, ...figures }) => ({
      member_id: key,
      name: memberNames.get(key) ?? '',
      ...figures,
    })),
    tags: await tagsOf(query, access, new Set(keys.keys()), whole),
  }
}

/** Names of projects and people, archived and deleted ones included. */
const namesOf = async (
  on: Kysely<Tables>,
  table: 'projects' | 'users',
  of: readonly { readonly key: number }[],
): Promise<ReadonlyMap<number, string>> => {
  const ids = of.map(({ key }) => key).filter((id) => id > 0)
  if (ids.length === 0) return new Map()
  const rows =
    table === 'projects'
      ? await on.selectFrom('projects').select(['id', 'name']).where('id', 'in', ids).execute()
      : await on.selectFrom('users').select(['id', 'username as name']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

const columns = ['section', 'item', 'count', 'prompt_tokens', 'completion_tokens', 'quota'] as const

type Line = Partial<Record<(typeof columns)[number], CsvCell>>

const charged = (
  section: string,
  item: string,
  figures: Pick<Figures, 'count' | 'quota'> & Partial<Figures>,
): Line => ({
  section,
  item,
  count: figures.count,
  quota: 0 - figures.quota,
  ...(figures.prompt_tokens === undefined ? {} : { prompt_tokens: figures.prompt_tokens }),
  ...(figures.completion_tokens === undefined ? {} : { completion_tokens: figures.completion_tokens }),
})

/** The statement as a file: opening + movements + charges = closing; the charges by project, member and model are views of the same. */
export const statementCsv = async function* (statement: OrganisationStatement): AsyncGenerator<string> {
  const time = (at: number): string => new Date(at * 1000).toISOString()
  const lines: Line[] = [
    ...(statement.opening === null
      ? []
      : [{ section: 'opening', item: time(statement.from), quota: statement.opening }]),
    ...statement.movements.map(({ reason, count, amount }) => ({
      section: 'movement',
      item: reason,
      count,
      quota: amount,
    })),
    ...statement.projects.map((one) => charged('charges_by_project', `${one.name} (#${one.project_id})`, one)),
    ...statement.members.map((one) =>
      charged('charges_by_member', one.member_id === 0 ? 'machines' : `${one.name} (#${one.member_id})`, one),
    ),
    ...statement.tags.map((one) => charged('charges_by_tag', one.tag, one)),
    ...statement.models.map((one) => charged('charges_by_model', one.model, one)),
    charged('charges', '', statement.charges),
    ...(statement.closing === null ? [] : [{ section: 'closing', item: time(statement.to), quota: statement.closing }]),
  ]
  yield csvMark + csvLine(columns)
  for (const line of lines) yield csvLine(columns.map((name) => line[name] ?? ''))
}
