import { ownMember } from '@tollgate/contract/own-member'
import { call } from '../../lib/api/api.ts'
import {
  type BodyInputOf,
  calls,
  role,
  tokenStatus,
  type updateLimit,
  type updateToken,
  userStatus,
} from '../../lib/api/contract.ts'
import { type SessionUser, storedUser } from '../../lib/api/session.ts'
import { mayWrite } from '../../lib/api/staff.ts'
import type { Inverse } from './inverse.ts'

type Fields = Readonly<Record<string, unknown>>
type Numbered = Exclude<Inverse, { kind: 'option' }>

/** The owner of a key that is not the reader's own. */
const otherOwner = ({ owner }: Pick<Numbered, 'owner'>, user = storedUser()): number | undefined =>
  owner === user?.id ? undefined : owner

/** True if the reader may make the change that the inverse is. */
export const mayPutBack = (user: SessionUser | undefined, inverse: Inverse): boolean => {
  switch (inverse.kind) {
    case 'option':
      return mayWrite(user, 'settings')
    case 'channel':
      return mayWrite(user, 'channels')
    case 'limit':
      return mayWrite(user, 'limits')
    case 'token':
      return user !== undefined && (otherOwner(inverse, user) === undefined || mayWrite(user, 'users'))
    case 'user':
      if (Object.hasOwn(inverse.before, 'quota') && !mayWrite(user, 'billing')) return false
      if (inverse.before.role === role.admin && user?.role !== role.root) return false
      return mayWrite(user, 'users')
  }
}

const readLimit = async (id: number): Promise<Fields | undefined> =>
  (await call(calls.listLimits)).find((limit) => limit.id === id)

const readToken = async (inverse: Numbered): Promise<Fields | undefined> => {
  const { id } = inverse
  const owner = otherOwner(inverse)
  if (owner === undefined) return call(calls.getToken, { params: { id } })
  return (await call(calls.listUserTokens, { params: { id: owner }, query: { ids: String(id) } })).items[0]
}

const readNumbered = async (inverse: Numbered): Promise<Fields | undefined> => {
  const { kind, id } = inverse
  const parts = { params: { id } }
  switch (kind) {
    case 'channel':
      return call(calls.getChannel, parts)
    case 'user':
      return call(calls.getUser, parts)
    case 'token':
      return readToken(inverse)
    case 'limit':
      return readLimit(id)
  }
}

/** True if every value is still what the entry left. Throws what reading it throws. */
export const isStillThere = async (inverse: Inverse): Promise<boolean> => {
  if (inverse.kind === 'option') {
    const options = await call(calls.listOptions)
    return options.some(({ key, value }) => key === inverse.key && value === inverse.was)
  }
  const now = await readNumbered(inverse)
  const isSame = ([field, value]: [string, unknown]): boolean =>
    JSON.stringify(ownMember(now ?? {}, field)) === JSON.stringify(value)
  return now !== undefined && Object.entries(inverse.after).every(isSame)
}

const putUserBack = async ({ id, before, after }: Numbered, note: { text: string; id: number }): Promise<void> => {
  if (before.quota !== undefined) {
    const quota_delta = Number(before.quota) - Number(after.quota)
    // The same for the same entry: asked for twice, it adjusts once.
    const adjustment = `undo_entry_${note.id}`
    await call(calls.updateUser, { body: { id, quota_delta, reason: note.text, adjustment } })
  } else if (before.status !== undefined) {
    const action = before.status === userStatus.enabled ? 'enable' : 'disable'
    await call(calls.manageUser, { body: { id, action } })
  } else if (before.role !== undefined) {
    const action = before.role === role.admin ? 'promote' : 'demote'
    await call(calls.manageUser, { body: { id, action } })
  } else await call(calls.updateUser, { body: { ...before, id } })
}

/** States that a key is set to; it expires or is used up by itself. */
const setStates: ReadonlySet<unknown> = new Set([tokenStatus.enabled, tokenStatus.disabled])

const putTokenBack = async (inverse: Numbered): Promise<void> => {
  const { id, before } = inverse
  const { status, ...fields } = before
  const state = setStates.has(status) ? { status: Number(status) } : {}
  const owner = otherOwner(inverse)
  if (owner !== undefined) {
    await call(calls.updateUserToken, { params: { id: owner, key: id }, body: { ...fields, ...state } })
    return
  }
  if (Object.keys(fields).length > 0)
    await call(calls.updateToken, { body: { ...fields, id } as BodyInputOf<typeof updateToken> })
  if (state.status !== undefined)
    await call(calls.updateToken, { query: { status_only: 'true' }, body: { id, ...state } })
}

/**
 * Puts the values back; throws an error with the text `changedSince` where one of them is not what the entry left. `note` is the
 * reason of an adjusted balance and the number of the entry.
 */
export const putBack = async (
  inverse: Inverse,
  { changedSince, note }: { changedSince: string; note: { text: string; id: number } },
): Promise<void> => {
  if (inverse.kind === 'option') {
    const { key, value, was } = inverse
    await call(calls.putOptions, { body: { changes: [{ key, value, was }] } })
    return
  }
  if (!(await isStillThere(inverse))) throw new Error(changedSince)
  const { kind, id, before } = inverse
  if (kind === 'channel') await call(calls.updateChannel, { body: { ...before, id } })
  else if (kind === 'user') await putUserBack(inverse, note)
  else if (kind === 'token') await putTokenBack(inverse)
  else {
    const { id: _id, owner_id: _owner, changed_time: _time, ...now } = (await readLimit(id)) ?? {}
    const body = { ...now, ...before } as BodyInputOf<typeof updateLimit>
    await call(calls.updateLimit, { params: { id }, body })
  }
}
