import { ownMember } from '@tollgate/contract/own-member'
import { call } from '../../lib/api/api.ts'
import {
  type BodyInputOf,
  calls,
  role,
  type updateLimit,
  type updateToken,
  userStatus,
} from '../../lib/api/contract.ts'
import type { SessionUser } from '../../lib/api/session.ts'
import { mayWrite } from '../../lib/api/staff.ts'
import type { Inverse } from './inverse.ts'

type Fields = Readonly<Record<string, unknown>>
type Numbered = Exclude<Inverse, { kind: 'option' }>

/** True if the reader may make the change that the inverse is. Keys are their owner's: of others none is found. */
export const mayPutBack = (user: SessionUser | undefined, inverse: Inverse): boolean => {
  switch (inverse.kind) {
    case 'option':
      return mayWrite(user, 'settings')
    case 'channel':
      return mayWrite(user, 'channels')
    case 'limit':
      return mayWrite(user, 'limits')
    case 'token':
      return user !== undefined
    case 'user':
      if (Object.hasOwn(inverse.before, 'quota') && !mayWrite(user, 'billing')) return false
      if (inverse.before.role === role.admin && user?.role !== role.root) return false
      return mayWrite(user, 'users')
  }
}

const readLimit = async (id: number): Promise<Fields | undefined> =>
  (await call(calls.listLimits)).find((limit) => limit.id === id)

const readNumbered = async ({ kind, id }: Numbered): Promise<Fields | undefined> => {
  const parts = { params: { id } }
  switch (kind) {
    case 'channel':
      return call(calls.getChannel, parts)
    case 'user':
      return call(calls.getUser, parts)
    case 'token':
      return call(calls.getToken, parts)
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
  else if (kind === 'token')
    await call(calls.updateToken, { body: { ...before, id } as BodyInputOf<typeof updateToken> })
  else {
    const { id: _id, owner_id: _owner, changed_time: _time, ...now } = (await readLimit(id)) ?? {}
    const body = { ...now, ...before } as BodyInputOf<typeof updateLimit>
    await call(calls.updateLimit, { params: { id }, body })
  }
}
