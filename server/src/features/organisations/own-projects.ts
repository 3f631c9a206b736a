import type { OwnProjects } from '@tollgate/contract'
import type { Kysely } from 'kysely'
import type { Tables } from '../../db/schema.ts'
import type { ProjectKeys } from './keys.ts'
import { accessTo, may, notSuspended } from './rights.ts'
import { projectsOf, teamsOf } from './structure.ts'

/** The projects that can pay for a person's keys, and the keys for which they do. */
export const readOwnProjects = async (
  on: Kysely<Tables>,
  keys: Pick<ProjectKeys, 'list'>,
  userId: number,
): Promise<OwnProjects> => {
  const rows = await on
    .selectFrom('memberships as m')
    .innerJoin('organisations as o', 'o.id', 'm.organisation_id')
    .select('o.id')
    .distinct()
    .where('m.user_id', '=', userId)
    .where(notSuspended)
    .where('o.deleted_at', 'is', null)
    .orderBy('o.id')
    .execute()
  const all = await Promise.all(
    rows.map(async ({ id }) => {
      const access = await accessTo(on, id, userId)
      const [projects, teams, own] = await Promise.all([projectsOf(on, access), teamsOf(on, access), keys.list(access)])
      const placeOf = (projectId: number) => {
        const name = projects.find((project) => project.id === projectId)?.name ?? ''
        return { organisation_id: id, organisation: access.name, project_id: projectId, project: name }
      }
      return {
        payers: projects
          .filter(({ team_id }) => may(access, 'use', team_id))
          .map((project) => ({
            ...placeOf(project.id),
            team: teams.find((team) => team.id === project.team_id)?.name ?? '',
          })),
        keys: own
          .filter(({ member_id }) => member_id === userId)
          .map((key) => ({ ...key, ...placeOf(key.project_id) })),
      }
    }),
  )
  return {
    payers: all.flatMap(({ payers }) => payers),
    keys: all.flatMap(({ keys: own }) => own).sort((left, right) => right.id - left.id),
  }
}
