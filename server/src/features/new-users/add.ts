import {
  type addUser,
  type BodyOf,
  type DataOf,
  invitationDays,
  type Language,
  type LimitChange,
} from '@tollgate/contract'
import { longestTokenNameBytes } from '@tollgate/contract/sizes'
import type { Transaction } from 'kysely'
import type { Tables } from '../../db/schema.ts'
import { assertPermitted } from '../../http/access.ts'
import type { Actor, RankedActor } from '../../http/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { newSessionId } from '../../lib/ids.ts'
import { ssoRequired } from '../../verification/required-way.ts'
import { checkedDisplayName, checkedEmail, checkedPassword, usernameFor } from './fields.ts'
import { codeNameOf } from './invitations.ts'
import type { NewUserParts } from './parts.ts'

type Body = BodyOf<typeof addUser>

/**
 * Adds a user with all that was asked for, or nothing; each part has an entry in the audit log. Only the mail follows afterwards: where
 * none was sent, the secret of the link is still in the answer. Throws the error of the field that is wrong, and `area_denied` or
 * `user_create_denied` for a part that the actor may not give.
 */
export type AddUser = (actor: RankedActor, body: Body, language: Language) => Promise<DataOf<typeof addUser>>

/** A key of the whole balance, which never ends; named after the user where the name fits. */
const firstKey = (username: string) => ({
  name: Buffer.byteLength(username) > longestTokenNameBytes ? 'key' : username,
  remain_quota: 0,
  unlimited_quota: true,
  expired_time: -1,
  model_limits_enabled: false,
  model_limits: '',
  allow_ips: '',
  group: '',
})

const budgetOf = (user: { id: number; username: string }, budget: NonNullable<Body['budget']>): LimitChange => ({
  name: user.username,
  enabled: true,
  measure: 'money',
  amount: budget.amount,
  window: 'month',
  hours: 1,
  time_zone: budget.time_zone,
  subjects: [{ kind: 'user', value: String(user.id) }],
  action: 'refuse',
  fallback_model: '',
  tell_at: [],
  tell_unusual: false,
  also_notify: [],
})

/** Throws unless the actor may give all that the body names. */
const assertMayGive = (actor: RankedActor, { role: given, quota, budget }: Body): void => {
  if (given >= actor.role) throw new AppError('user_create_denied')
  if (quota !== undefined) assertPermitted(actor, 'billing', 'write')
  if (budget !== undefined) assertPermitted(actor, 'limits', 'write')
}

const invitationSeconds = invitationDays * 86_400

export const createUserAdder = (parts: NewUserParts): AddUser => {
  const { users, audit, codes } = parts

  const invite = async (trx: Transaction<Tables>, user: { id: number; email: string }, by: Actor, secret: string) => {
    const { ip, ...actor } = by
    await codes.issue(trx, codeNameOf(user.id), secret, invitationSeconds)
    const after = { email: user.email, days: invitationDays }
    await audit.record({ actor, action: 'user.send_invitation', object: 'user', objectId: user.id, after, ip }, trx)
  }

  /** Name, address and password, each refused by its own error. */
  const checkedAccount = async ({ username, email: address, display_name: shown, entry }: Body) => {
    const email = checkedEmail(address)
    if (email !== '' && (await users.links.emailTaken(email))) throw new AppError('email_taken')
    const name = await usernameFor({ username, email }, parts.usernameTaken)
    const required = entry.kind === 'invitation' ? parts.requiredWays.ofAddress(email) : undefined
    if (required !== undefined) throw ssoRequired(required)
    return {
      username: name,
      email,
      displayName: checkedDisplayName(shown) || name,
      password: entry.kind === 'password' ? checkedPassword(entry.password) : undefined,
    }
  }

  return async (actor, body, language) => {
    assertMayGive(actor, body)
    if (body.group !== '' && !parts.groupExists(body.group)) {
      throw new AppError('group_unknown', { params: { group: body.group } })
    }
    const { username, email, displayName, password } = await checkedAccount(body)
    const group = body.group || 'default'
    const by = { id: actor.id, username: actor.username, ip: actor.ip }
    const made = { key: { id: 0, key: '' }, secret: body.entry.kind === 'invitation' ? newSessionId() : '' }
    const id = await users.made({
      username,
      displayName,
      password,
      role: body.role,
      group,
      quota: body.quota,
      by,
      identities: email === '' ? [] : [{ provider: 'email', subject: email }],
      async joined(trx, userId) {
        if (body.budget) await parts.createLimit(trx, budgetOf({ id: userId, username }, body.budget), by)
        if (body.entry.kind === 'key') {
          const owner = { id: userId, username, group, ip: by.ip, actor: { id: by.id, username: by.username } }
          made.key = await parts.createKey(trx, owner, firstKey(username))
        }
        if (made.secret !== '') await invite(trx, { id: userId, email }, by, made.secret)
      },
    })
    if (body.budget) await parts.limitMade()
    if (made.key.id > 0) parts.keyMade(made.key.id)
    const notice = { to: email, inviter: actor.username, username, id, secret: made.secret }
    const mailed = made.secret !== '' && email !== '' && (await parts.sendInvitation(notice, language))
    return { id, username, key: made.key.key, secret: made.secret, mailed }
  }
}
