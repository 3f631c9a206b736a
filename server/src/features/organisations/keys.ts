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
import { accessTo, assertMay, enabledAccess, may, type OrganisationAccess } from './rights.ts'
import { projectOf, projectsOf } from './structure.ts'

type TokenRow = Selectable<Tables['tokens']>

export interface ProjectKeys {
  /** Own keys, and those of projects in which the person manages keys. */
  list(access: OrganisationAccess): Promise<ProjectKey[]>
  /**
   * The answer holds the whole key, except where it is for another person, who reveals it. Throws `not_found` for a person who may not
   * use the project.
   */
  create(access: OrganisationAccess, actor: Actor, body: BodyOf<typeof createProjectKey>): Promise<ProjectKey>
  change(access: OrganisationAccess, actor: Actor, body: BodyOf<typeof changeProjectKey>): Promise<void>
  /**
   * States of the limits for calls of one of the keys that `list` shows, without the names that the site gave to limits. Throws
   * `not_found` for others.
   */
  limits(access: OrganisationAccess, keyId: number): Promise<LimitState[]>
  /** The secret of an own key. Throws `not_found` for keys of machines and of others. */
  reveal(access: OrganisationAccess, actor: Actor, keyId: number): Promise<string>
  /** An own key under a new secret. Throws `not_found` for keys of machines and of others. */
  rotate(access: OrganisationAccess, actor: Actor, keyId: number): Promise<ProjectKey>
  /**
   * Answers the number of the key that goes on. Throws `not_found` where the person of the key may not use the project, and
   * `key_secret_shared` where others may know the secret of a person's key, who would read there through it.
   */
  move(access: OrganisationAccess, actor: Actor, body: BodyOf<typeof moveProjectKey>): Promise<number>
}

/** True if somebody else than the person of the key may know its secret. */
const isShared = ({ member_id, secret_for }: TokenRow): boolean => member_id !== 0 && secret_for !== member_id

/** The person who was shown the secret of a machine's key; undefined for other keys, and where that is not known. */
const makerOf = ({ member_id, secret_for }: TokenRow): number | undefined =>
  member_id === 0 && secret_for !== 0 ? secret_for : undefined

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

  /** The machines' keys among `rows` whose secret is known to somebody who may not use their project. */
  const leftBehind = async (access: OrganisationAccess, rows: readonly TokenRow[]): Promise<ReadonlySet<number>> => {
    const { organisationId } = access
    const makers = new Set(rows.flatMap((row) => makerOf(row) ?? []))
    const places = new Map<number, OrganisationAccess | undefined>()
    for (const maker of makers)
      places.set(maker, maker === access.userId ? access : await enabledAccess(query, organisationId, maker))
    const teams = new Map((await projectsOf(query, access)).map(({ id, team_id }) => [id, team_id]))
    const isLeft = (row: TokenRow): boolean => {
      const maker = makerOf(row)
      if (maker === undefined) return false
      const place = places.get(maker)
      return place === undefined || !may(place, 'use', teams.get(row.project_id))
    }
    return new Set(rows.filter(isLeft).map(({ id }) => id))
  }

  const shown = async (access: OrganisationAccess, rows: readonly TokenRow[]): Promise<ProjectKey[]> => {
    const left = await leftBehind(access, rows)
    return rows.map((row) => ({
      ...tokens.show(row, unixSeconds(parts.clock)),
      project_id: row.project_id,
      member_id: row.member_id,
      shared: isShared(row) || left.has(row.id),
    }))
  }

  /** A key of the person who asks, in a project that this person may use. */
  const ownKey = async (access: OrganisationAccess, keyId: number): Promise<TokenRow> => {
    const key = (await rowsOf(access)).find(({ id, member_id }) => id === keyId && member_id === access.userId)
    if (key === undefined) throw new AppError('not_found')
    assertMay(access, 'use', (await projectOf(query, access, key.project_id)).team_id)
    return key
  }

  /** Throws `not_found` where a person does not exist for a team's projects. Machines are 0. */
  const assertUsedBy = async (access: OrganisationAccess, memberId: number, teamId: number): Promise<void> => {
    if (memberId === 0 || memberId === access.userId) return
    const member = await accessTo(query, access.organisationId, memberId)
    if (!may(member, 'use', teamId)) throw new AppError('not_found')
  }

  return {
    list: async (access) => shown(access, await rowsOf(access)),

    async limits(access, keyId) {
      if (!(await rowsOf(access)).some(({ id }) => id === keyId)) throw new AppError('not_found')
      return (await parts.limitStates(keyId)).map((state) => ({ ...state, name: '' }))
    },

    async create(access, actor, { project_id, member_id, ...fields }) {
      const project = await projectOf(query, access, project_id)
      const isOwn = member_id === access.userId
      assertMay(access, isOwn ? 'use' : 'manage_keys', project.team_id)
      await assertUsedBy(access, member_id, project.team_id)
      const owner = await ownerOf(access, actor, { project_id, member_id })
      const token = await tokens.create(owner, fields)
      return { ...token, project_id, member_id, shared: false }
    },

    async reveal(access, actor, keyId) {
      const { id } = await ownKey(access, keyId)
      return tokens.reveal(await ownerOf(access, actor), id)
    },

    async rotate(access, actor, keyId) {
      const { id, project_id, member_id } = await ownKey(access, keyId)
      const token = await tokens.rotate(await ownerOf(access, actor), id)
      return { ...token, project_id, member_id, shared: false }
    },

    async move(access, actor, { key_id, project_id }) {
      const key = (await rowsOf(access)).find(({ id }) => id === key_id)
      if (key === undefined) throw new AppError('not_found')
      const project = await projectOf(query, access, project_id)
      if (project.id === key.project_id) throw new AppError('invalid_parameter')
      assertMay(access, key.member_id === access.userId ? 'use' : 'manage_keys', project.team_id)
      await assertUsedBy(access, key.member_id, project.team_id)
      if (isShared(key)) throw new AppError('key_secret_shared')
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
