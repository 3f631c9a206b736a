import type { Language } from '@tollgate/contract'
import { callOfKey, limitStatesOf } from '../../features/limits/states.ts'
import type { LogService } from '../../features/logs/service.ts'
import type { Notices } from '../../features/notices/notices.ts'
import { domainRecordMissing } from '../../features/notices/organisation-texts.ts'
import { languageOf, readSetting } from '../../features/notices/setting.ts'
import { openTextReader } from '../../features/organisations/dns-texts.ts'
import { type DomainLookParts, lookAtDomains } from '../../features/organisations/domain-looks.ts'
import { openInvitations } from '../../features/organisations/invitations.ts'
import { openProjectKeys } from '../../features/organisations/keys.ts'
import { openOrganisations } from '../../features/organisations/organisations.ts'
import type { InvitationNotice, OrganisationParts } from '../../features/organisations/parts.ts'
import { organisationRoutes } from '../../features/organisations/routes.ts'
import type { ProviderDirectory } from '../../features/third-party/identity-providers/directory.ts'
import { endEnforcement } from '../../features/third-party/identity-providers/store.ts'
import { toToken } from '../../features/tokens/present.ts'
import type { TokenService } from '../../features/tokens/service.ts'
import type { On } from '../../http/route.ts'
import { every } from '../../jobs/every.ts'
import { readBalanceMonth } from '../../ledger/months/balance-month.ts'
import { zonedMonth } from '../../ledger/months/months.ts'
import { openMonthSums } from '../../ledger/months/sums.ts'
import { unixSeconds } from '../../lib/clock.ts'
import type { Limiter } from '../../limits/limiter.ts'
import type { SendMail } from '../../mail/mail.ts'
import { invitationMail } from '../../mail/templates.ts'
import type { SharedParts } from '../parts.ts'

/** How often a node asks which records of domains are due. */
const lookEveryMs = 600_000

export interface OrganisationNeeds {
  readonly tokens: TokenService
  readonly logs: Pick<LogService, 'list'>
  readonly limiter: Pick<Limiter, 'countersOf'>
  readonly sendMail: SendMail
  readonly providers: Pick<ProviderDirectory, 'changed'>
  readonly userNotice: Notices['userNotice']
  userChanged(id: number): void
}

export interface OrganisationSide {
  /** For modules. */
  readonly parts: OrganisationParts
  /** Ends looking at domains. */
  close(): Promise<void>
}

/** Joins organisations to the ledger, the keys and the log. */
export const joinOrganisations = (
  { config, database, logDatabase, ledger, audit, secrets, options, log, clock }: SharedParts,
  { tokens, logs, limiter, sendMail, providers, userNotice, userChanged }: OrganisationNeeds,
  on: On,
): OrganisationSide => {
  /** What the account of an address reads; `otherwise` where there is none. */
  const languageOfAddress = async (address: string, otherwise: Language): Promise<Language> => {
    const account = await database.query
      .selectFrom('users')
      .select('setting')
      .where('email', '=', address)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    return account ? languageOf(readSetting(account.setting)) : otherwise
  }
  const sendInvitation = async ({ to, language, secret, ...text }: InvitationNotice): Promise<boolean> => {
    if (options.get('SMTPServer').trim() === '') return false
    const reader = { to, systemName: options.get('SystemName'), language: await languageOfAddress(to, language) }
    const url = `${options.get('ServerAddress') || `http://localhost:${config.port}`}/join#${secret}`
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
    limitStates: async (keyId) => {
      const call = await callOfKey(database, keyId)
      return call === undefined ? [] : limitStatesOf(limiter, call, clock())
    },
    usersFound: () => options.get('OrganisationsEnabled'),
    providers: { endEnforcement, changed: providers.changed },
    providersOpen: () => options.get('OrganisationProvidersEnabled'),
  }
  organisationRoutes(on, {
    ...parts,
    logs,
    organisations: openOrganisations(parts),
    invitations: openInvitations(parts),
    keys: openProjectKeys(parts, { ...tokens, show: toToken }),
  })
  const closing = new AbortController()
  const noticeTo: DomainLookParts['noticeTo'] = (userId, news) =>
    userNotice(userId, domainRecordMissing(news, options.get('ServerAddress')))
  const look = (): Promise<void> => lookAtDomains({ ...parts, log, noticeTo }, closing.signal)
  let turn: Promise<void> | undefined
  const late = (error: unknown): void => log.warn('domain_looks_late', { error })
  const stop = config.isSlave ? (): void => {} : every(lookEveryMs, () => (turn = look().catch(late)), late)
  return {
    parts,
    async close() {
      stop()
      closing.abort()
      await turn
    },
  }
}
