import { type BodyOf, type manageUser, role, userStatus } from '@tollgate/contract'
import type { UserRow } from '../../db/schema.ts'
import type { RankedActor } from '../../http/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import type { UserChange } from './store.ts'

type ActionName = BodyOf<typeof manageUser>['action']
type Action = (target: UserRow, actor: RankedActor, now: number) => UserChange

const refuseRoot = (
  target: UserRow,
  code: 'root_disable_denied' | 'root_delete_denied' | 'root_demote_denied',
): void => {
  if (target.role === role.root) throw new AppError(code)
}

const actions: Readonly<Record<ActionName, Action>> = {
  disable(target) {
    refuseRoot(target, 'root_disable_denied')
    return { status: userStatus.disabled }
  },
  enable(target) {
    // Older databases mark cancelled accounts with this status.
    if (target.status === userStatus.retired) throw new AppError('user_cancelled')
    return { status: userStatus.enabled }
  },
  delete(target, _, now) {
    refuseRoot(target, 'root_delete_denied')
    return cancelling(now)
  },
  promote(target, actor) {
    if (actor.role !== role.root) throw new AppError('promote_denied')
    if (target.role >= role.admin) throw new AppError('already_admin')
    return { role: role.admin }
  },
  demote(target) {
    refuseRoot(target, 'root_demote_denied')
    if (target.role === role.user) throw new AppError('already_user')
    return { role: role.user }
  },
}

/** Change that cancels a user. The row stays: logs and invitations point at it, and its name is not given again. */
export const cancelling = (now: number): UserChange => ({ deleted_at: now, access_token_hash: null })

/** Change by an action of `POST /api/user/manage`; throws the reason of a refusal. */
export const managed = (action: ActionName, target: UserRow, actor: RankedActor, now: number): UserChange => {
  if (target.deleted_at !== null) throw new AppError('user_cancelled')
  return actions[action](target, actor, now)
}
