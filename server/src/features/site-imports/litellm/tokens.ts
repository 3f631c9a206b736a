import { neverExpires, tokenStatus } from '@tollgate/contract'
import { z } from 'zod'
import type { MovedToken, OpenSiteParts } from '../site.ts'
import { flag, moment, object, real, text, texts } from '../source/cells.ts'
import { pagesOf, type SourceRow } from '../source/source.ts'
import { unitsOf } from './figures.ts'
import { type Team, type Teams, teamOwnerId } from './teams.ts'

const tokenRow = z.object({
  token: text,
  key_name: text,
  key_alias: text,
  spend: real,
  expires: moment,
  models: texts,
  aliases: object,
  user_id: text,
  team_id: text,
  organization_id: text,
  metadata: object,
  blocked: flag,
  tpm_limit: real,
  rpm_limit: real,
  max_parallel_requests: real,
  max_budget: real,
  budget_duration: text,
  budget_id: text,
  model_max_budget: object,
  allowed_routes: texts,
  created_at: moment,
  last_active: moment,
})
type TokenRow = z.output<typeof tokenRow>

const budgetRow = z.object({ budget_id: text, max_budget: real, budget_duration: text })

const readBudgets = async ({ source }: OpenSiteParts): Promise<ReadonlyMap<string, z.output<typeof budgetRow>>> => {
  const budgets = new Map<string, z.output<typeof budgetRow>>()
  for await (const rows of pagesOf(source, 'LiteLLM_BudgetTable', 'budget_id')) {
    for (const row of rows.map((cells) => budgetRow.parse(cells))) budgets.set(row.budget_id, row)
  }
  return budgets
}

const everyModel = 'all-proxy-models'
const teamModels = 'all-team-models'
const noModels = 'no-default-models'

/** An empty list means all; undefined stands for that. */
const modelsOf = (row: TokenRow, team: Team | undefined): readonly string[] | undefined => {
  const ofTeam =
    team === undefined || team.models.length === 0 || team.models.includes(everyModel) ? undefined : team.models
  if (row.models.length === 0 || row.models.includes(teamModels)) return ofTeam
  if (row.models.includes(everyModel)) return undefined
  return row.models.filter((name) => name !== noModels)
}

const addressesOf = ({ metadata }: TokenRow): string =>
  (z.array(z.string()).safeParse(metadata.allowed_ips).data ?? []).join('\n')

const noteLimits = (row: TokenRow, name: string, { notes }: OpenSiteParts): void => {
  if (row.tpm_limit !== null || row.rpm_limit !== null || row.max_parallel_requests !== null)
    notes.note('rate_limit', name)
  const special = [row.aliases, row.model_max_budget].some((value) => Object.keys(value).length > 0)
  if (special || row.allowed_routes.length > 0) notes.note('token_aliases', name)
}

export async function* litellmTokens(parts: OpenSiteParts, teams: Teams): AsyncGenerator<readonly MovedToken[]> {
  const budgets = await readBudgets(parts)
  const { notes, quotaPerUnit } = parts

  const toToken = (cells: SourceRow): MovedToken => {
    const row = tokenRow.parse(cells)
    const team = teams.byId.get(row.team_id)
    const budget = budgets.get(row.budget_id)
    const name = row.key_alias || row.key_name
    const limit = row.max_budget ?? budget?.max_budget ?? null
    const usedQuota = unitsOf(row.spend ?? 0, quotaPerUnit)
    noteLimits(row, name, parts)
    const renews = row.budget_duration || budget?.budget_duration || ''
    if (renews !== '') notes.note('budget_reset', `${name}: ${renews}`)
    if (row.user_id === '') notes.note('token_team_owner', name)
    else if ((team?.max_budget ?? null) !== null || row.organization_id !== '') notes.note('token_team_budget', name)
    notes.note('token_hash_only', name)
    return {
      sourceId: row.token,
      userId: row.user_id === '' ? teamOwnerId(row.team_id) : row.user_id,
      key: { sha256: row.token, hint: row.key_name.replace(/^sk-/, '') },
      name,
      status: row.blocked || team?.blocked === true ? tokenStatus.disabled : tokenStatus.enabled,
      createdTime: row.created_at ?? 0,
      accessedTime: row.last_active ?? row.created_at ?? 0,
      expiredTime: row.expires ?? neverExpires,
      remainQuota: limit === null ? 0 : unitsOf(limit, quotaPerUnit) - usedQuota,
      usedQuota,
      unlimited: limit === null,
      models: modelsOf(row, team),
      allowIps: addressesOf(row),
      group: '',
      deletedAt: null,
    }
  }

  for await (const rows of pagesOf(parts.source, 'LiteLLM_VerificationToken', 'token')) yield rows.map(toToken)
}
