import { z } from 'zod'
import type { MovedLimit, OpenSiteParts } from '../site.ts'
import { real, text } from '../source/cells.ts'
import { pagesOf } from '../source/source.ts'
import { type Bounded, type LimitParts, limitsOf, modelLimitsOf, windowBounds } from './bound-limits.ts'
import { boundColumns, noteRenewal, unbounded, withShared } from './budgets.ts'
import type { SourceModel } from './channels.ts'
import { internalUsers } from './place-ids.ts'
import type { Structure } from './structure.ts'
import { keyRows, tokenName } from './tokens.ts'

const userRow = z.object({ user_id: text, user_alias: text, spend: real, ...boundColumns })

/** Bounds of a row that may have several windows of money beside its one budget. */
const allOf = (bounded: Bounded, windows: string, parts: LimitParts): readonly MovedLimit[] => [
  ...limitsOf(bounded, parts),
  ...windowBounds(windows).flatMap((bounds) => limitsOf({ ...bounded, bounds, spend: 0 }, parts)),
]

const ofKeys = async function* (parts: OpenSiteParts, { budgets }: Structure, limits: LimitParts) {
  for await (const rows of keyRows(parts)) {
    yield rows.flatMap((row) => {
      const bounds = withShared(row, budgets.get(row.budget_id))
      const bounded = {
        subject: { kind: 'key', sourceId: row.token },
        name: `key ${tokenName(row)}`,
        bounds,
        spend: row.spend ?? 0,
        limitsOnce: false,
      } as const
      const { model_rpm_limit: rpm, model_tpm_limit: tpm } = row.metadata
      return [
        ...allOf(bounded, row.budget_limits, limits),
        ...modelLimitsOf(bounded, { rpm, tpm, budgets: row.model_max_budget }, limits),
      ]
    })
  }
}

const ofUsers = async function* ({ source }: OpenSiteParts, limits: LimitParts) {
  for await (const rows of pagesOf(source, 'LiteLLM_UserTable', 'user_id')) {
    yield rows
      .map((cells) => userRow.parse(cells))
      .filter(({ user_id: id }) => !internalUsers.has(id))
      .flatMap((row) =>
        limitsOf(
          {
            subject: { kind: 'user', sourceId: row.user_id },
            name: `user ${row.user_alias || row.user_id}`,
            bounds: row,
            spend: row.spend ?? 0,
            limitsOnce: false,
          },
          limits,
        ),
      )
  }
}

/** Budgets of an organisation for once are its balance; those of teams and projects within it are limits in any case. */
const ofPlaces = (parts: OpenSiteParts, structure: Structure, limits: LimitParts): readonly MovedLimit[] => {
  const { notes } = parts
  const made: MovedLimit[] = []
  for (const row of structure.sourceOrganisations) {
    const name = row.organization_alias || row.organization_id
    noteRenewal(row.bounds, name, notes)
    const subject = { kind: 'organisation', sourceId: row.organization_id } as const
    const bounded = { subject, name: `organisation ${name}`, bounds: row.bounds, spend: row.spend ?? 0 }
    made.push(...limitsOf({ ...bounded, limitsOnce: false }, limits))
  }
  const organisations = new Set(structure.sourceOrganisations.map(({ organization_id: id }) => id))
  for (const row of structure.teams.values()) {
    const name = row.team_alias || row.team_id
    noteRenewal(row, name, notes)
    const subject = { kind: 'team', sourceId: row.team_id } as const
    // A team of no organisation has a wallet of its own.
    const limitsOnce = organisations.has(row.organization_id)
    const bounded = { subject, name: `team ${name}`, bounds: row, spend: row.spend ?? 0, limitsOnce }
    const { model_rpm_limit: rpm, model_tpm_limit: tpm } = row.metadata
    made.push(...allOf(bounded, row.budget_limits, limits))
    made.push(...modelLimitsOf(bounded, { rpm, tpm, budgets: row.model_max_budget }, limits))
  }
  for (const row of structure.sourceProjects.values()) {
    const name = row.project_alias || row.project_id
    noteRenewal(row.bounds, name, notes)
    const subject = { kind: 'project', sourceId: row.project_id } as const
    const bounded = { subject, name: `project ${name}`, bounds: row.bounds, spend: row.spend ?? 0, limitsOnce: true }
    made.push(...limitsOf(bounded, limits))
    made.push(...modelLimitsOf(bounded, { rpm: row.model_rpm_limit, tpm: row.model_tpm_limit }, limits))
  }
  return made
}

const ofModels = (models: readonly SourceModel[], limits: LimitParts): readonly MovedLimit[] =>
  models.flatMap(({ id, name, figures }) =>
    limitsOf(
      {
        subject: { kind: 'channel', sourceId: id },
        name: `channel ${name} (${id})`,
        bounds: {
          ...unbounded,
          rpm_limit: figures.rpm ?? null,
          tpm_limit: figures.tpm ?? null,
          max_parallel_requests: figures.max_parallel_requests ?? null,
        },
        spend: 0,
        limitsOnce: false,
      },
      limits,
    ),
  )

export interface LimitSources {
  readonly structure: Structure
  readonly models: readonly SourceModel[]
  readonly timeZone: string
}

/** Budgets that renew themselves, and limits of rate, of keys, users, organisations, teams, their members, projects and deployments. */
export async function* litellmLimits(
  parts: OpenSiteParts,
  { structure, models, timeZone }: LimitSources,
): AsyncGenerator<readonly MovedLimit[]> {
  const limits = { quotaPerUnit: parts.quotaPerUnit, now: parts.now, timeZone }
  yield ofPlaces(parts, structure, limits)
  yield structure.memberBounds.flatMap((bounded) => limitsOf(bounded, limits))
  yield ofModels(models, limits)
  yield* ofUsers(parts, limits)
  yield* ofKeys(parts, structure, limits)
}
