import type { Language } from '@tollgate/contract'
import type { FeatureKit } from '../../app/parts.ts'
import { unixSeconds } from '../../lib/clock.ts'
import type { SendMail } from '../../mail/mail.ts'
import { invitationMail } from '../../mail/templates.ts'
import { readBalanceMonth } from '../../reports/months/balance-month.ts'
import { zonedMonth } from '../../reports/months/months.ts'
import { openMonthSums } from '../../reports/months/sums.ts'
import { openTextReader } from './domains/dns-texts.ts'
import { type DomainLookParts, openDomainLooks } from './domains/domain-looks.ts'
import { openInvitations } from './invitations.ts'
import { openProjectKeys } from './keys.ts'
import { openOrganisations } from './organisations.ts'
import type { InvitationNotice, Keys, OrganisationParts, WalletLogs } from './parts.ts'
import { organisationRoutes } from './routes.ts'

/** How often a node asks which records of domains are due. */
const lookEveryMs = 600_000

export interface OrganisationNeeds extends Pick<OrganisationParts, 'limitStates' | 'providers' | 'userChanged'> {
  readonly tokens: Keys
  readonly logs: WalletLogs
  readonly sendMail: SendMail
  /** Puts a notice about a domain to one of its owners in the queue. */
  readonly noticeTo: DomainLookParts['noticeTo']
  /** Language in the stored settings of a user. */
  languageIn(setting: string): Language
}

export interface OrganisationSide {
  /** For modules. */
  readonly parts: OrganisationParts
  /** Ends looking at domains. */
  close(): Promise<void>
}

/** Joins organisations to the ledger, the keys and the log. */
export const joinOrganisations = (
  { config, database, logDatabase, ledger, audit, secrets, options, log, clock, on }: FeatureKit,
  { tokens, logs, sendMail, noticeTo, languageIn, limitStates, providers, userChanged }: OrganisationNeeds,
): OrganisationSide => {
  /** Language of the account with an address; `otherwise` if there is none. */
  const languageOfAddress = async (address: string, otherwise: Language): Promise<Language> => {
    const account = await database.query
      .selectFrom('users')
      .select('setting')
      .where('email', '=', address)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    return account ? languageIn(account.setting) : otherwise
  }
  const sendInvitation = async ({ to, language, secret, ...text }: InvitationNotice): Promise<boolean> => {
    if (options.get('SMTPServer').trim() === '') return false
    const reader = { to, systemName: options.get('SystemName'), language: await languageOfAddress(to, language) }
    const url = `${options.get('ServerAddress') || `http://localhost:${config.port}${config.basePath}`}/join#${secret}`
    try {
      await sendMail(invitationMail(reader, { ...text, url }))
      return true
    } catch (error) {
      log.warn('invitation_mail_not_sent', { error })
      return false
    }
  }
  const sums = openMonthSums(database, logDatabase)
  const walletMonth: OrganisationParts['walletMonth'] = async (walletId, query) => {
    const now = unixSeconds(clock)
    const { earlierCharges, ...month } = await readBalanceMonth({ sums, now }, walletId, zonedMonth(query, now))
    return { ...month, quota_per_unit: options.get('QuotaPerUnit') }
  }
  const parts: OrganisationParts = {
    database,
    ledger: ledger.movements,
    audit,
    secrets,
    userChanged,
    clock,
    sendInvitation,
    readTexts: openTextReader(config.dnsServers),
    walletMonth,
    limitStates,
    usersFound: () => options.get('OrganisationsEnabled'),
    providers,
    providersOpen: () => options.get('OrganisationProvidersEnabled'),
  }
  organisationRoutes(on, {
    ...parts,
    logs,
    organisations: openOrganisations(parts),
    invitations: openInvitations(parts),
    keys: openProjectKeys(parts, tokens),
  })
  const looks = openDomainLooks(
    { ...parts, log, noticeTo },
    {
      everyMs: config.isSlave ? undefined : lookEveryMs,
      failed: (error) => log.warn('domain_looks_late', { error }),
      clock: parts.clock,
    },
  )
  return { parts, close: looks.stop }
}
