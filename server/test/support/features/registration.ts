import type { Database } from '../../../src/db/database.ts'
import { throttleOfCodes } from '../../../src/features/accounts/second-step-guesses.ts'
import { openAudit } from '../../../src/features/audit/audit.ts'
import type { RegistrationSettings } from '../../../src/features/registration/ports.ts'
import { createRecipientLimit } from '../../../src/features/registration/recipient-limit.ts'
import { openRegistration } from '../../../src/features/registration/registration.ts'
import { registrationRoutes } from '../../../src/features/registration/routes.ts'
import { silentLog } from '../../../src/lib/log.ts'
import { openSecrets } from '../../../src/lib/security/secrets.ts'
import { assertMailConfigured } from '../../../src/mail/mailer.ts'
import { openOneTimeCodes } from '../../../src/verification/one-time-codes.ts'
import { testRateLimiter } from '../limits/limiter.ts'
import { openTestSmtp } from '../mail/smtp.ts'
import { openConsole } from './accounts.ts'

const secrets = openSecrets({ cryptoSecret: 'a secret for tests', keyFile: 'unused' })

/** A console with registration, a real database and a real mail server; the clock and the options move by hand. */
export const openRegistrationSite = async (database: Database) => {
  const site = await openConsole(database)
  const clock = () => site.state.now
  const smtp = await openTestSmtp()
  const initial: RegistrationSettings = {
    ...smtp.settings(),
    RegisterEnabled: true,
    PasswordRegisterEnabled: true,
    SelfUseModeEnabled: false,
    EmailVerificationEnabled: false,
    EmailDomainRestrictionEnabled: false,
    EmailDomainWhitelist: ['example.com'],
    EmailAliasRestrictionEnabled: false,
    ServerAddress: 'https://gate.test',
  }
  const settings: { -readonly [K in keyof RegistrationSettings]: RegistrationSettings[K] } = { ...initial }
  const firstTokens: { id: number; username: string }[] = []
  const first = { wanted: false, fails: false }
  const { directory, links, welcome, resetPassword } = site.users
  // The mailer reads the settings when it sends, as in production.
  const sendMail: ReturnType<typeof smtp.mailerFor> = async (mail) => {
    assertMailConfigured(settings)
    await smtp.mailerFor({ SMTPPort: settings.SMTPPort })(mail)
  }
  const registration = openRegistration({
    users: { ...links, byId: directory.byId, welcome, resetPassword },
    codes: openOneTimeCodes({ database, secrets, clock }),
    sendMail,
    requiredWays: {
      ofAddress: (address) => site.state.requiredWays.ofAddress(address),
      ofAccount: (account) => site.state.requiredWays.ofAccount(account),
    },
    guesses: throttleOfCodes(site.throttle),
    recipients: createRecipientLimit({ limiter: testRateLimiter({ clock }), clock }),
    settings: () => settings,
    localAddress: 'http://localhost:3000',
    makeFirstToken: async ({ id, username }) => {
      if (first.fails) throw new Error('no key today')
      if (first.wanted) firstTokens.push({ id, username })
    },
    log: silentLog,
  })
  registrationRoutes(site.api.on, registration, openAudit(database, clock))

  let address = 0
  /** A call from an address of its own, so that the limit of sensitive calls stays out of the way. */
  const visit = async (
    method: string,
    path: string,
    body?: unknown,
    { from: place, ...headers }: Record<string, string> = {},
  ) => {
    address += 1
    const from = place ?? `10.7.${Math.floor(address / 250)}.${address % 250}`
    return (await site.call(method, path, { from, headers, ...(body === undefined ? {} : { body }) })).json
  }
  let names = 0

  return {
    site,
    smtp,
    settings,
    first,
    firstTokens,
    registration,
    visit,
    /** An unused username and address. */
    fresh: () => {
      names += 1
      return { username: `person${names}`, email: `person${names}@example.com` }
    },
    reset: () => {
      Object.assign(settings, initial)
      Object.assign(first, { wanted: false, fails: false })
      Object.assign(site.state, { newUserQuota: 0, invitationQuotas: { invitee: 0, inviter: 0 } })
      smtp.mails.length = 0
      firstTokens.length = 0
    },
    pass: (seconds: number) => {
      site.state.now += seconds * 1000
    },
    /** The code in the last mail. */
    codeSent: () => /<strong>([0-9a-f]{6})<\/strong>/.exec(smtp.mails.at(-1)?.body ?? '')?.[1] ?? '',
    /** The link in the last mail. */
    linkSent: () => new URL(/^https?:\S+user\/reset\S+$/m.exec(smtp.mails.at(-1)?.body ?? '')?.[0] ?? 'none:'),
    register: (form: object) =>
      visit('POST', '/api/user/register', { password: 'a good password', password2: 'a good password', ...form }),
    askForCode: (email: string, headers: Record<string, string> = {}) =>
      visit('GET', `/api/verification?${new URLSearchParams({ email })}`, undefined, headers),
    askForReset: (email: string, headers: Record<string, string> = {}) =>
      visit('GET', `/api/reset_password?${new URLSearchParams({ email })}`, undefined, headers),
    stored: (username: string) =>
      database.query.selectFrom('users').selectAll().where('username', '=', username).executeTakeFirst(),
  }
}
