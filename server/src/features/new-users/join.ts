import { acceptUserInvitation, addUser, invitationDays } from '@tollgate/contract'
import type { FeatureKit } from '../../app/parts.ts'
import { rankedActorOf } from '../../http/actor.ts'
import type { On } from '../../http/route.ts'
import type { SendMail } from '../../mail/mail.ts'
import { welcomeMail } from '../../mail/templates.ts'
import { openOneTimeCodes } from '../../verification/one-time-codes.ts'
import { type AddUser, createUserAdder } from './add.ts'
import { type AcceptInvitation, createInvitationAcceptor } from './invitations.ts'
import type { NewUserParts } from './parts.ts'

export interface NewUserNeeds extends Pick<NewUserParts, 'users' | 'requiredWays'> {
  readonly tokens: { readonly createFirstIn: NewUserParts['createKey'] }
  /** Keys by which calls are authenticated, on all nodes. */
  readonly apiKeys: { changed(change: { token: number }): void }
  readonly limits: { readonly createIn: NewUserParts['createLimit']; readonly refresh: NewUserParts['limitMade'] }
  readonly sendMail: SendMail
}

/** The console's calls for adding users and for invitations to an account. */
export const newUserRoutes = (on: On, { add, accept }: { add: AddUser; accept: AcceptInvitation }): void => {
  on(addUser, async (call) => ({ data: await add(rankedActorOf(call), call.body, call.language) }))
  on(acceptUserInvitation, async (call) => {
    await accept(call.body, call)
    return {}
  })
}

/** Joins adding users: account, balance, budget, and how they get in. */
export const joinNewUsers = (
  { database, secrets, clock, config, options, groups, log, audit, on }: FeatureKit,
  { users, requiredWays, tokens, apiKeys, limits, sendMail }: NewUserNeeds,
): void => {
  const sendInvitation: NewUserParts['sendInvitation'] = async ({ to, id, secret, ...text }, language) => {
    if (options.get('SMTPServer').trim() === '') return false
    const reader = { to, systemName: options.get('SystemName'), language }
    const address = options.get('ServerAddress') || `http://localhost:${config.port}`
    const query = new URLSearchParams({ id: String(id), name: text.username })
    try {
      await sendMail(
        welcomeMail(reader, { ...text, url: `${address}/invited?${query}#${secret}`, days: invitationDays }),
      )
      return true
    } catch (error) {
      log.warn('invitation_mail_not_sent', { error })
      return false
    }
  }
  const parts: NewUserParts = {
    users,
    requiredWays,
    createKey: tokens.createFirstIn,
    keyMade: (token) => apiKeys.changed({ token }),
    createLimit: limits.createIn,
    limitMade: limits.refresh,
    sendInvitation,
    audit,
    groupExists: groups.exists,
    codes: openOneTimeCodes({ database, secrets, clock }),
    usernameTaken: async (username) => {
      const found = database.query.selectFrom('users').select('id').where('username', '=', username)
      return (await found.executeTakeFirst()) !== undefined
    },
  }
  newUserRoutes(on, { add: createUserAdder(parts), accept: createInvitationAcceptor(parts) })
}
