import { neverExpires, tokenStatus } from '@tollgate/contract'
import { z } from 'zod'
import type { MovedToken, OpenSiteParts } from '../site.ts'
import { flag, moment, object, real, text, texts } from '../source/cells.ts'
import { pagesOf, type SourceRow } from '../source/source.ts'
import { modelBoundColumns } from './bound-limits.ts'
import { boundColumns, dollarsForOnce, noteRenewal, withShared } from './budgets.ts'
import { unitsOf } from './figures.ts'
import type { ModelNames } from './model-names.ts'
import { sessionTeam } from './place-ids.ts'
import type { Structure } from './structure.ts'
import { serviceUserId } from './users.ts'

export const tokenTable = 'LiteLLM_VerificationToken'

export const tokenRow = z.object({
  token: text,
  key_name: text,
  key_alias: text,
  spend: real,
  expires: moment,
  models: texts,
  access_group_ids: texts,
  aliases: object,
  router_settings: object,
  budget_fallbacks: object,
  user_id: text,
  team_id: text,
  project_id: text,
  organization_id: text,
  blocked: flag,
  budget_id: text,
  allowed_routes: texts,
  created_at: moment,
  last_active: moment,
  ...boundColumns,
  ...modelBoundColumns,
})
type TokenRow = z.output<typeof tokenRow>

/** Displayed name of the key. */
export const tokenName = ({ key_alias: alias, key_name: name }: Pick<TokenRow, 'key_alias' | 'key_name'>): string =>
  alias || name

const isSession = ({ team_id: team }: TokenRow): boolean => team === sessionTeam

/** Keys of people and machines, without those that LiteLLM's own pages sign in with; `left` gets the number of these. */
export async function* keyRows(
  { source }: Pick<OpenSiteParts, 'source'>,
  left: (sessions: number) => void = () => {},
): AsyncGenerator<readonly TokenRow[]> {
  for await (const cells of pagesOf(source, tokenTable, 'token')) {
    const rows = cells.map((row: SourceRow) => tokenRow.parse(row))
    left(rows.filter(isSession).length)
    yield rows.filter((row) => !isSession(row))
  }
}

const addressesOf = ({ metadata }: TokenRow): string =>
  (z.array(z.string()).safeParse(metadata.allowed_ips).data ?? []).join('\n')

/** Routes of models; a key without a list may use all of them. */
const callsModels = (routes: readonly string[]): boolean =>
  routes.length === 0 || routes.some((route) => route === 'llm_api_routes' || route.startsWith('/'))

const noteRoutes = (row: TokenRow, name: string, { notes }: OpenSiteParts): void => {
  if (!callsModels(row.allowed_routes)) notes.note('token_routes', name)
  const narrow = row.allowed_routes.filter((route) => route.startsWith('/'))
  if (narrow.length > 0) notes.note('token_paths', `${name}: ${narrow.join(', ')}`)
  for (const setting of ['router_settings', 'budget_fallbacks'] as const)
    if (Object.keys(row[setting]).length > 0) notes.note('route_left', `${name}: ${setting}`)
}

const userRow = z.object({ user_id: text, models: texts })

/** Models that users may call with keys of their own, where that is not every model. */
const readUserModels = async ({ source }: OpenSiteParts): Promise<ReadonlyMap<string, readonly string[]>> => {
  const models = new Map<string, readonly string[]>()
  for await (const rows of pagesOf(source, 'LiteLLM_UserTable', 'user_id')) {
    for (const row of rows.map((cells) => userRow.parse(cells)))
      if (row.models.length > 0) models.set(row.user_id, row.models)
  }
  return models
}

type Names = readonly string[] | undefined

/** Models that both lists allow; undefined for every model. */
const common = (one: Names, other: Names): Names => {
  if (one === undefined || other === undefined) return one ?? other
  return one.filter((name) => other.includes(name))
}

/** Keys as tokens. LiteLLM has the SHA-256 of a key alone. */
export async function* litellmTokens(
  parts: OpenSiteParts,
  structure: Structure,
  names: ModelNames,
): AsyncGenerator<readonly MovedToken[]> {
  const { notes, quotaPerUnit } = parts
  const userModels = await readUserModels(parts)

  const toToken = (row: TokenRow): MovedToken => {
    const name = tokenName(row)
    const place = structure.placeOf(row)
    const team = structure.teams.get(row.team_id)
    const project = structure.sourceProjects.get(row.project_id)
    const bounds = withShared(row, structure.budgets.get(row.budget_id))
    const limit = dollarsForOnce(bounds)
    const usedQuota = unitsOf(row.spend ?? 0, quotaPerUnit)
    noteRenewal(bounds, name, notes)
    noteRoutes(row, name, parts)
    if (place !== undefined && team === undefined && row.user_id !== '') notes.note('token_organisation', name)
    if (place === undefined && row.user_id === '') notes.note('token_team_owner', name)
    notes.note('token_hash_only', name)
    // A team's own names pass every list of models of the team and its keys.
    const listed = names.expand(row.models, { name, groups: row.access_group_ids })
    const own = listed && [...new Set([...listed, ...structure.namesOfTeam(row.team_id)])]
    const ofUser = place === undefined ? userModels.get(row.user_id) : undefined
    const isOff = row.blocked || team?.blocked === true || project?.blocked === true || !callsModels(row.allowed_routes)
    return {
      sourceId: row.token,
      userId: row.user_id === '' ? serviceUserId : row.user_id,
      ...(place && { place }),
      key: { sha256: row.token, hint: row.key_name.replace(/^sk-/, '') },
      name,
      status: isOff ? tokenStatus.disabled : tokenStatus.enabled,
      createdTime: row.created_at ?? 0,
      accessedTime: row.last_active ?? row.created_at ?? 0,
      expiredTime: row.expires ?? neverExpires,
      remainQuota: limit === null ? 0 : unitsOf(limit, quotaPerUnit) - usedQuota,
      usedQuota,
      unlimited: limit === null,
      models: ofUser === undefined ? own : common(own, names.expand(ofUser, { name: row.user_id })),
      allowIps: addressesOf(row),
      group: '',
      deletedAt: null,
    }
  }

  let sessions = 0
  const countSessions = (count: number): void => {
    sessions += count
  }
  for await (const rows of keyRows(parts, countSessions)) yield rows.map(toToken)
  if (sessions > 0) notes.note('internal_left', `${sessionTeam}: ${sessions}`)
}
