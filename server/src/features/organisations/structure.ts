import type { BodyOf, saveProject, saveTeam } from '@tollgate/contract'
import type { Kysely, Selectable } from 'kysely'
import { insertReturningId } from '../../db/dialect.ts'
import type { Tables } from '../../db/schema.ts'
import type { Actor } from '../../http/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { unixSeconds } from '../../lib/clock.ts'
import { type OrganisationParts, traceOf } from './parts.ts'
import { assertMay, type OrganisationAccess, sees } from './rights.ts'

/** Teams, and projects, that one organisation may have. */
const most = 1000

type TeamRow = Selectable<Tables['teams']>
type ProjectRow = Selectable<Tables['projects']>

/** The teams that the person sees. */
export const teamsOf = async (on: Kysely<Tables>, access: OrganisationAccess): Promise<TeamRow[]> => {
  const rows = await on
    .selectFrom('teams')
    .selectAll()
    .where('organisation_id', '=', access.organisationId)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()
  return rows.filter(({ id }) => sees(access, id))
}

/** The projects of the teams that the person sees. */
export const projectsOf = async (on: Kysely<Tables>, access: OrganisationAccess): Promise<ProjectRow[]> => {
  const rows = await on
    .selectFrom('projects')
    .selectAll()
    .where('organisation_id', '=', access.organisationId)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()
  return rows.filter(({ team_id }) => sees(access, team_id))
}

/** A team that the person sees. Throws `not_found`. */
export const teamOf = async (on: Kysely<Tables>, access: OrganisationAccess, id: number): Promise<TeamRow> => {
  const team = (await teamsOf(on, access)).find((one) => one.id === id)
  if (team === undefined) throw new AppError('not_found')
  return team
}

/** A project that the person sees. Throws `not_found`. */
export const projectOf = async (on: Kysely<Tables>, access: OrganisationAccess, id: number): Promise<ProjectRow> => {
  const project = (await projectsOf(on, access)).find((one) => one.id === id)
  if (project === undefined) throw new AppError('not_found')
  return project
}

const columnsOf = (
  { name, models, archived }: { name: string; models: readonly string[]; archived: boolean },
  now: number,
) => ({ name, models: models.join(','), deleted_at: archived ? now : null })

/** Makes, changes or archives a team; answers its id. */
export const putTeam = async (
  parts: OrganisationParts,
  access: OrganisationAccess,
  actor: Actor,
  body: BodyOf<typeof saveTeam>,
): Promise<number> => {
  const { organisationId } = access
  if (body.team_id !== 0) await teamOf(parts.database.query, access, body.team_id)
  assertMay(access, 'manage_projects', body.archived ? 0 : body.team_id)
  const now = unixSeconds(parts.clock)
  const id = await parts.database.transaction(async (trx) => {
    await parts.audit.record(traceOf(actor, 'team', organisationId, body), trx)
    if (body.team_id !== 0) {
      await trx.updateTable('teams').set(columnsOf(body, now)).where('id', '=', body.team_id).execute()
      return body.team_id
    }
    if ((await teamsOf(trx, access)).length >= most) throw new AppError('invalid_parameter')
    return insertReturningId(trx, 'teams', {
      ...columnsOf(body, now),
      organisation_id: organisationId,
      created_time: now,
    })
  })
  parts.userChanged(access.walletId)
  return id
}

/** Makes, changes or archives a project; answers its id. A project stays with its team. */
export const putProject = async (
  parts: OrganisationParts,
  access: OrganisationAccess,
  actor: Actor,
  body: BodyOf<typeof saveProject>,
): Promise<number> => {
  const { query } = parts.database
  const { organisationId } = access
  const project = body.project_id === 0 ? undefined : await projectOf(query, access, body.project_id)
  const team = await teamOf(query, access, project?.team_id ?? body.team_id)
  assertMay(access, 'manage_projects', team.id)
  const now = unixSeconds(parts.clock)
  const id = await parts.database.transaction(async (trx) => {
    await parts.audit.record(traceOf(actor, 'project', organisationId, body), trx)
    if (project !== undefined) {
      await trx.updateTable('projects').set(columnsOf(body, now)).where('id', '=', project.id).execute()
      return project.id
    }
    if ((await projectsOf(trx, access)).length >= most) throw new AppError('invalid_parameter')
    const place = { organisation_id: organisationId, team_id: team.id, created_time: now }
    return insertReturningId(trx, 'projects', { ...columnsOf(body, now), ...place })
  })
  parts.userChanged(access.walletId)
  return id
}
