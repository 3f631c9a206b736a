import { z } from 'zod'
import type { MovedOrganisation, MovedPlace, MovedProject, MovedTeam, OpenSiteParts } from '../site.ts'
import { text } from '../source/cells.ts'
import { pagesOf } from '../source/source.ts'
import { type Bounds, dollarsForOnce, readBudgets, type SharedBudget, unbounded, withShared } from './budgets.ts'
import { dollarsWithoutBudget, unitsOf } from './figures.ts'
import { type Members, readMembers } from './members.ts'
import type { ModelNames } from './model-names.ts'
import { ofOrganisation, ofTeam, sessionTeam } from './place-ids.ts'
import { rowsOf } from './rows.ts'
import {
  organisationRow,
  projectRow,
  type SourceOrganisation,
  type SourceProject,
  type SourceTeam,
  teamRow,
} from './structure-rows.ts'

const keyRow = z.object({ user_id: text, team_id: text, organization_id: text })

/** Columns of a key that name its user, team, organisation and project. */
export interface KeyPlace {
  readonly user_id: string
  readonly team_id: string
  readonly organization_id: string
  readonly project_id: string
}

/** Organisations, teams, projects and who belongs to them. */
export interface Structure extends Members {
  readonly budgets: ReadonlyMap<string, SharedBudget>
  readonly teams: ReadonlyMap<string, SourceTeam>
  readonly sourceOrganisations: readonly SourceOrganisation[]
  readonly sourceProjects: ReadonlyMap<string, SourceProject>
  readonly organisations: readonly MovedOrganisation[]
  readonly movedTeams: readonly MovedTeam[]
  readonly projects: readonly MovedProject[]
  /** True if there are keys that belong to no user, team or organisation. */
  readonly hasServiceKeys: boolean
  /** Names that a team alone has for models. */
  namesOfTeam(teamId: string): readonly string[]
  /** Organisation and project of a key; undefined if its user pays. */
  placeOf(key: KeyPlace): MovedPlace | undefined
}

const readRows = async (parts: OpenSiteParts, budgets: ReadonlyMap<string, Bounds>) => {
  const organisations = await rowsOf(parts, {
    table: 'LiteLLM_OrganizationTable',
    column: 'organization_id',
    shape: organisationRow,
  })
  const teams = await rowsOf(parts, { table: 'LiteLLM_TeamTable', column: 'team_id', shape: teamRow })
  const projects = await rowsOf(parts, { table: 'LiteLLM_ProjectTable', column: 'project_id', shape: projectRow })
  const withBounds = <Row extends { readonly budget_id: string }>(row: Row): Row & { readonly bounds: Bounds } => ({
    ...row,
    bounds: withShared(unbounded, budgets.get(row.budget_id)),
  })
  return {
    organisations: organisations.map(withBounds),
    teams: new Map(teams.map((team) => [team.team_id, team])),
    projects: new Map(projects.map((project) => [project.project_id, withBounds(project)])),
  }
}

/** Which keys need a place that no table names. */
const readKeys = async ({ source }: OpenSiteParts, hasTeam: (id: string) => boolean) => {
  const organisationsWithoutTeam = new Set<string>()
  /** Users of keys of a team, by team. */
  const users = new Map<string, Set<string>>()
  let hasServiceKeys = false
  for await (const rows of pagesOf(source, 'LiteLLM_VerificationToken', 'token')) {
    for (const { user_id: user, team_id: team, organization_id: organisation } of rows.map((row) =>
      keyRow.parse(row),
    )) {
      if (team === sessionTeam) continue
      const place = hasTeam(team) ? ofTeam(team) : ofOrganisation(organisation)
      if (!hasTeam(team) && organisation !== '') organisationsWithoutTeam.add(organisation)
      if (!hasTeam(team) && organisation === '') hasServiceKeys ||= user === ''
      else if (user !== '') users.set(place, (users.get(place) ?? new Set()).add(user))
    }
  }
  return { organisationsWithoutTeam, users, hasServiceKeys }
}

/** Reads what teams and organisations the source has; each becomes what it is here. */
export const readStructure = async (
  parts: OpenSiteParts,
  names: ModelNames,
  namesOfTeam: Structure['namesOfTeam'],
): Promise<Structure> => {
  const { notes, quotaPerUnit } = parts
  const budgets = await readBudgets(parts)
  const { organisations, teams, projects } = await readRows(parts, budgets)
  const keys = await readKeys(parts, (id) => teams.has(id))
  const known = new Set(organisations.map(({ organization_id: id }) => id))
  const organisationOf = ({ team_id: id, organization_id: own }: SourceTeam): string =>
    known.has(own) ? own : ofTeam(id)
  const moneyOf = (bounds: Bounds, spend: number | null, name: string) => {
    if (bounds.max_budget === null) notes.note('wallet_no_budget', name)
    const usedQuota = unitsOf(spend ?? 0, quotaPerUnit)
    return { usedQuota, quota: unitsOf(dollarsForOnce(bounds) ?? dollarsWithoutBudget, quotaPerUnit) - usedQuota }
  }
  /** No list stands for every model here, so a list that allows none keeps what it said. */
  const fence = (models: readonly string[], name: string, groups: readonly string[] = []): readonly string[] => {
    const allowed = names.expand(models, { name, groups })
    return allowed?.length === 0 ? models : (allowed ?? [])
  }

  /** A list with the names that teams alone have for models: these pass every list above their keys. */
  const withNames = (models: readonly string[], teamIds: readonly string[]): readonly string[] =>
    models.length === 0 ? [] : [...new Set([...models, ...teamIds.flatMap(namesOfTeam)])]

  const movedOrganisations = organisations.map((row): MovedOrganisation => {
    const name = row.organization_alias || row.organization_id
    const own = [...teams.values()].filter((team) => team.organization_id === row.organization_id)
    const teamIds = own.map(({ team_id: id }) => id)
    return {
      sourceId: row.organization_id,
      name,
      models: withNames(fence(row.models, name), teamIds),
      ...moneyOf(row.bounds, row.spend, name),
      createdTime: row.created_at ?? 0,
    }
  })
  const movedTeams: MovedTeam[] = []
  const movedProjects: MovedProject[] = []
  const general = [...keys.organisationsWithoutTeam].filter((id) => known.has(id))
  for (const id of general) {
    const place = { sourceId: ofOrganisation(id), organisationId: id, name: 'General', models: [], createdTime: 0 }
    movedTeams.push(place)
    movedProjects.push({ ...place, teamId: place.sourceId })
  }
  for (const row of teams.values()) {
    const name = row.team_alias || row.team_id
    const organisationId = organisationOf(row)
    const createdTime = row.created_at ?? 0
    if (!known.has(organisationId)) {
      notes.note('team_alone', name)
      const money = moneyOf(row, row.spend, name)
      movedOrganisations.push({ sourceId: organisationId, name, models: [], ...money, createdTime })
    }
    const team = { sourceId: row.team_id, organisationId, name, createdTime }
    const models = fence(row.models, name, row.access_group_ids)
    movedTeams.push({ ...team, models: withNames(models, [row.team_id]) })
    if (Object.keys(row.router_settings).length > 0) notes.note('route_left', `${name}: router_settings`)
    movedProjects.push({ ...team, sourceId: ofTeam(row.team_id), teamId: row.team_id, models: [] })
  }
  for (const row of projects.values()) {
    const team = teams.get(row.team_id)
    if (team === undefined) continue
    const name = row.project_alias || row.project_id
    movedProjects.push({
      sourceId: row.project_id,
      organisationId: organisationOf(team),
      teamId: team.team_id,
      name,
      models: withNames(fence(row.models, name), [team.team_id]),
      createdTime: row.created_at ?? 0,
    })
  }

  const projectOf = ({ project_id: id }: KeyPlace, teamId: string): string =>
    projects.get(id)?.team_id === teamId ? id : ofTeam(teamId)
  const placeOf = (key: KeyPlace): MovedPlace | undefined => {
    const team = teams.get(key.team_id)
    if (team !== undefined) {
      const projectId = projectOf(key, team.team_id)
      return { organisationId: organisationOf(team), projectId, memberId: key.user_id }
    }
    if (!known.has(key.organization_id)) return undefined
    const projectId = ofOrganisation(key.organization_id)
    return { organisationId: key.organization_id, projectId, memberId: key.user_id }
  }

  const people = await readMembers(parts, {
    organisations: movedOrganisations,
    teams: [...teams.values()].map((team) => ({ ...team, organisationId: organisationOf(team) })),
    keyUsers: keys.users,
    budgets,
  })
  return {
    budgets,
    teams,
    sourceOrganisations: organisations,
    sourceProjects: projects,
    organisations: movedOrganisations,
    movedTeams,
    projects: movedProjects,
    ...people,
    hasServiceKeys: keys.hasServiceKeys,
    namesOfTeam,
    placeOf,
  }
}
