import type {
  BodyOf,
  batchUsers,
  countUsers,
  createUser,
  manageUser,
  Page,
  QueryOf,
  StaffGrant,
  searchUsers,
  User,
  updateUser,
  ValueCounts,
} from '@tollgate/contract'
import { logType, role, userStatus } from '@tollgate/contract'
import type { UserRow } from '../../db/schema.ts'
import { assertPermitted } from '../../http/access.ts'
import type { RankedActor } from '../../http/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { type Batch, batchOf, batchSlice } from '../../lib/batch.ts'
import { unixSeconds } from '../../lib/clock.ts'
import { hashPassword } from '../../lib/security/password.ts'
import { createUserActivity } from './activity.ts'
import { cancelling, managed } from './manage.ts'
import type { UserParts } from './parts.ts'
import { presentUser } from './present.ts'
import { quotaChange } from './quota-change.ts'
import { assertAbove, assertRaise, checkedDisplayName, checkedPassword, checkedUsername } from './rules.ts'
import type { UserSaver } from './save.ts'
import type { UserStore } from './store.ts'
import type { Welcomer } from './welcome.ts'

/** Actions of admins on users. */
export interface UserAdministration {
  find(query: QueryOf<typeof searchUsers>): Promise<Page<User>>
  facet(query: QueryOf<typeof countUsers>): Promise<ValueCounts>
  /** The users that one call of a batch is about. */
  matching(
    which: BodyOf<typeof batchUsers>['which'],
  ): Promise<Batch<Pick<UserRow, 'id' | 'username' | 'status' | 'group'>>>
  activity: ReturnType<typeof createUserActivity>
  get(actor: RankedActor, id: number): Promise<User>
  /** Like `get`, cancelled users included: their books stay. */
  show(actor: RankedActor, id: number): Promise<User>
  /** Answers the id of the new user. */
  create(actor: RankedActor, body: BodyOf<typeof createUser>): Promise<number>
  update(actor: RankedActor, body: BodyOf<typeof updateUser>): Promise<void>
  manage(actor: RankedActor, body: BodyOf<typeof manageUser>): Promise<User>
  remove(actor: RankedActor, id: number): Promise<void>
  /** Says what the user may as an administrator, by area; null for everything. Throws AppError('root_permissions_denied'). */
  setPermissions(actor: RankedActor, id: number, grant: StaffGrant | null): Promise<User>
}

type Update = BodyOf<typeof updateUser>

type Needs = Pick<UserParts, 'database' | 'ledger' | 'audit' | 'writeNote' | 'groupExists' | 'clock'>

export const createUserAdministration = (
  parts: Needs,
  own: { store: UserStore; saver: UserSaver; welcome: Welcomer['made'] },
): UserAdministration => {
  const { store, saver } = own

  const rowOf = async (id: number): Promise<UserRow> => {
    const row = await store.byId(id)
    if (row === undefined) throw new AppError('user_not_found')
    return row
  }

  const living = async (id: number): Promise<UserRow> => {
    const row = await rowOf(id)
    if (row.deleted_at !== null) throw new AppError('user_not_found')
    return row
  }

  const checkedGroup = (group: string): string => {
    if (!parts.groupExists(group)) throw new AppError('group_unknown', { params: { group } })
    return group
  }

  /**
   * Absent fields stay as they are; so do empty ones, except the display name. What was sent back unchanged is not
   * checked: names of older databases may be longer.
   */
  const fieldsOf = (row: UserRow, body: Update) => ({
    ...(body.username && body.username !== row.username ? { username: checkedUsername(body.username) } : {}),
    ...(body.display_name === undefined || body.display_name === row.display_name
      ? {}
      : { display_name: checkedDisplayName(body.display_name) }),
    ...(body.group && body.group !== row.group ? { group: checkedGroup(body.group) } : {}),
  })

  const notifyQuotaChange = async (
    actor: RankedActor,
    row: UserRow,
    change: { from: number; to: number; reason: string },
  ) => {
    const { from, to, reason } = change
    const text = { code: 'quota_changed', params: { from, to } } as const
    await parts.writeNote({ userId: row.id, username: row.username, type: logType.manage, text })
    await parts.audit.record({
      actor: { id: actor.id, username: actor.username },
      action: 'user.quota',
      object: 'user',
      objectId: row.id,
      before: { quota: from },
      after: { quota: to, ...(reason === '' ? {} : { reason }) },
      ip: actor.ip,
    })
  }

  /** One ledger entry; `setTo` aims at a balance, whatever is charged meanwhile. */
  const changeQuota = async (actor: RankedActor, row: UserRow, body: Update): Promise<void> => {
    const { amount, setTo } = quotaChange(row, body)
    if (amount === 0) return
    assertPermitted(actor, 'billing', 'write')
    const reason = body.reason?.trim() ?? ''
    const movement = body.adjustment === undefined ? {} : { movement: `adjust:${row.id}:${body.adjustment}` }
    const why = { userId: row.id, detail: { by: actor.id, username: actor.username, reason }, ...movement }
    const { ledger } = parts
    const made =
      setTo === undefined
        ? await ledger.adjust({ ...why, amount })
        : await ledger.setBalance({ ...why, balance: setTo })
    if (!made) return
    const to = setTo ?? (await rowOf(row.id)).quota
    await notifyQuotaChange(actor, row, { from: setTo === undefined ? to - amount : row.quota, to, reason })
  }

  const remove = (actor: RankedActor, row: UserRow): Promise<void> =>
    saver.save(actor, row, { action: 'user.delete', change: cancelling(unixSeconds(parts.clock)), endSessions: true })

  return {
    async find({ p, page_size, sort, ...filter }) {
      const { rows, total } = await store.find(filter, { sort, offset: (p - 1) * page_size, limit: page_size })
      return { items: rows.map(presentUser), total, page: p, page_size }
    },

    facet: ({ facet, ...filter }) => store.facet(filter, facet),
    activity: createUserActivity(parts.database, parts.clock),

    async matching(which) {
      const filter =
        'ids' in which
          ? { keyword: '', group: '', role: [], status: [], kind: '', not: [], ids: which.ids }
          : { ...which.filter, before: which.before }
      return batchOf(which, await store.some(filter, { sort: undefined, ...batchSlice }))
    },

    async get(actor, id) {
      const row = await living(id)
      assertAbove(actor, row, 'user_read_denied')
      return presentUser(row)
    },

    async show(actor, id) {
      const row = await rowOf(id)
      assertAbove(actor, row, 'user_read_denied')
      return presentUser(row)
    },

    async create(actor, body) {
      if (body.username.trim() === '' || body.password === '') throw new AppError('invalid_parameter')
      const username = checkedUsername(body.username)
      const password = checkedPassword(body.password)
      const displayName = checkedDisplayName(body.display_name ?? '') || username
      if (body.role !== undefined && body.role >= actor.role) throw new AppError('user_create_denied')
      const by = { id: actor.id, username: actor.username, ip: actor.ip }
      const { quota, group } = body.opening ?? {}
      if (quota !== undefined) assertPermitted(actor, 'billing', 'write')
      const opening = { quota, group: group ? checkedGroup(group) : undefined }
      return own.welcome({ username, password, displayName, role: role.user, by, ...opening })
    },

    async update(actor, body) {
      const row = await living(body.id)
      assertAbove(actor, row, 'user_update_denied')
      assertRaise(actor, body.role)
      const fields = fieldsOf(row, body)
      const password = body.password ? checkedPassword(body.password) : undefined
      await saver.assertFree(row, fields.username)
      await changeQuota(actor, row, body)
      const change = { ...fields, ...(password === undefined ? {} : { password: await hashPassword(password) }) }
      await saver.save(actor, row, { action: 'user.update', change, endSessions: password !== undefined })
    },

    async manage(actor, { id, action }) {
      if (id < 1) throw new AppError('invalid_parameter')
      const row = await rowOf(id)
      assertAbove(actor, row, 'user_update_denied')
      const change = managed(action, row, actor, unixSeconds(parts.clock))
      const locksOut = change.deleted_at !== undefined || change.status === userStatus.disabled
      await saver.save(actor, row, { action: `user.${action}`, change, endSessions: locksOut })
      return presentUser(await rowOf(id))
    },

    async setPermissions(actor, id, grant) {
      const row = await living(id)
      assertAbove(actor, row, 'user_update_denied')
      if (row.role === role.root) throw new AppError('root_permissions_denied')
      const change = { staff_permissions: grant === null ? null : JSON.stringify(grant) }
      await saver.save(actor, row, { action: 'user.permissions', change, endSessions: false })
      return presentUser(await rowOf(id))
    },

    async remove(actor, id) {
      const row = await living(id)
      if (actor.role <= row.role) throw new AppError('user_delete_denied')
      await remove(actor, row)
    },
  }
}
