import type {
  BodyOf,
  changeProjectKey,
  createProjectKey,
  LimitState,
  moveProjectKey,
  ProjectKey,
} from '@tollgate/contract'
import type { Selectable } from 'kysely'
import type { Tables } from '../../db/schema.ts'
import type { Actor } from '../../http/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { unixSeconds } from '../../lib/clock.ts'
import type { KeyOwner, Keys, OrganisationParts } from './parts.ts'
import { accessTo, assertMay, may, type OrganisationAccess } from './rights.ts'
import { projectOf, projectsOf } from './structure.ts'

type TokenRow = Selectable<Tables['tokens']>

export interface ProjectKeys {
  /** Own keys, and those of projects in which the person manages keys. */
  list(access: OrganisationAccess): Promise<ProjectKey[]>
  /** The answer alone holds the whole key. */
  create(access: OrganisationAccess, actor: Actor, body: BodyOf<typeof createProjectKey>): Promise<ProjectKey>
  change(access: OrganisationAccess, actor: Actor, body: BodyOf<typeof changeProjectKey>): Promise<void>
  /**
   * What counts for the calls of one of the keys that `list` shows, without the names that the site gave to limits. Throws `not_found`
   * for others.
   */
  limits(access: OrganisationAccess, keyId: number): Promise<LimitState[]>
  /** Answers the number of the key that goes on. */
  move(access: OrganisationAccess, actor: Actor, body: BodyOf<typeof moveProjectKey>): Promise<number>
}

export const openProjectKeys = (
  parts: Pick<OrganisationParts, 'database' | 'clock' | 'limitStates'>,
  tokens: Keys,
): ProjectKeys => {
  const { query } = parts.database

  const rowsOf = async (access: OrganisationAccess): Promise<TokenRow[]> => {
    const projects = new Map((await projectsOf(query, access)).map((project) => [project.id, project]))
    if (projects.size === 0) return []
    const rows = await query
      .selectFrom('tokens')
      .selectAll()
      .where('user_id', '=', access.walletId)
      .where('project_id', 'in', [...projects.keys()])
      .where('deleted_at', 'is', null)
      .orderBy('id', 'desc')
      .execute()
    return rows.filter(
      ({ member_id, project_id }) =>
        member_id === access.userId || may(access, 'manage_keys', projects.get(project_id)?.team_id),
    )
  }

  /** The wallet's owner of tokens; the trail names the person. */
  const ownerOf = async (
    access: OrganisationAccess,
    actor: Actor,
    project?: KeyOwner['project'],
  ): Promise<KeyOwner> => {
    const wallet = await query
      .selectFrom('users')
      .select(['username', 'group'])
      .where('id', '=', access.walletId)
      .executeTakeFirstOrThrow()
    return { id: access.walletId, ...wallet, ip: actor.ip, actor, ...(project && { project }) }
  }

  const shown = (row: TokenRow): ProjectKey => ({
    ...tokens.show(row, unixSeconds(parts.clock)),
    project_id: row.project_id,
    member_id: row.member_id,
  })

  return {
    list: async (access) => (await rowsOf(access)).map(shown),

    async limits(access, keyId) {
      if (!(await rowsOf(access)).some(({ id }) => id === keyId)) throw new AppError('not_found')
      return (await parts.limitStates(keyId)).map((state) => ({ ...state, name: '' }))
    },

    async create(access, actor, { project_id, member_id, ...fields }) {
      const project = await projectOf(query, access, project_id)
      const isOwn = member_id === access.userId
      assertMay(access, isOwn ? 'use' : 'manage_keys', project.team_id)
      if (member_id !== 0 && !isOwn) await accessTo(query, access.organisationId, member_id)
      const owner = await ownerOf(access, actor, { project_id, member_id })
      const token = await tokens.create(owner, fields)
      return { ...token, project_id, member_id }
    },

    async move(access, actor, { key_id, project_id }) {
      const key = (await rowsOf(access)).find(({ id }) => id === key_id)
      if (key === undefined) throw new AppError('not_found')
      const project = await projectOf(query, access, project_id)
      if (project.id === key.project_id) throw new AppError('invalid_parameter')
      assertMay(access, key.member_id === access.userId ? 'use' : 'manage_keys', project.team_id)
      return tokens.move(await ownerOf(access, actor), key_id, { project_id, member_id: key.member_id })
    },

    async change(access, actor, { key_id, status, deleted }) {
      const key = (await rowsOf(access)).find(({ id }) => id === key_id)
      if (key === undefined) throw new AppError('not_found')
      const owner = await ownerOf(access, actor)
      if (deleted) await tokens.remove(owner, key_id)
      else if (status !== undefined) await tokens.setStatus(owner, key_id, status)
    },
  }
}
