import { type Language, testNotice, updateSetting } from '@tollgate/contract'
import type { SharedParts } from '../../app/parts.ts'
import { bareAmountText } from '../../billing/amounts/amount-text.ts'
import type { On } from '../../http/route.ts'
import { every } from '../../jobs/every.ts'
import { composeMail } from '../../mail/compose.ts'
import type { Mail, SendMail } from '../../mail/mail.ts'
import { createDelivery, type NoticeMail } from './delivery.ts'
import { type Notices, openNotices } from './notices.ts'
import { domainRecordMissing, type MissingRecord } from './organisation-texts.ts'
import { languageOf, readSetting } from './setting.ts'
import { openSiteNews, type SiteNews } from './site-news.ts'
import { type BudgetReached, budgetReached, recordRefused } from './texts.ts'
import { createWebhookSender } from './webhook.ts'
import { webhookEgress, webhookParts } from './webhook-parts.ts'

/** The console's calls for the own notification settings. */
export const noticeRoutes = (on: On, notices: Pick<Notices, 'updateSetting' | 'test'>): void => {
  on(updateSetting, async ({ caller, ip, language, body }) => {
    await notices.updateSetting({ id: caller.id, ip, language }, body)
    return { message: '设置已更新' }
  })
  on(testNotice, async ({ caller, ip, language, body }) => ({
    data: await notices.test({ id: caller.id, ip, language }, body),
  }))
}

const workEveryMs = 5000
const purgeEveryMs = 3_600_000

export interface NoticeNeeds {
  readonly sendMail: SendMail
  userChanged(id: number): void
}

export interface NoticeSide {
  readonly news: SiteNews
  readonly userNotice: Notices['userNotice']
  /** Quota as notices write it. */
  amountText(quota: number): string
  budgetNotice(userId: number | undefined, reached: BudgetReached): ReturnType<Notices['userNotice']>
  budgetNoticeTo(
    target: Parameters<Notices['addressNotice']>[0],
    reached: BudgetReached,
  ): ReturnType<Notices['addressNotice']>
  /** Puts a notice about the domain of an organisation to a user in the queue. */
  domainNotice(userId: number, news: MissingRecord): ReturnType<Notices['userNotice']>
  /** Language in the stored settings of a user. */
  languageIn(setting: string): Language
  readonly assertTarget: Notices['assertTarget']
  routes(on: On): void
  /** Lets what is under way end; call it when nothing is charged any more. */
  close(): Promise<void>
}

const mailOf = ({ to, subject, content, link }: NoticeMail, systemName: string): Mail =>
  composeMail({
    to,
    subject,
    systemName,
    paragraphs: [content],
    ...(link ? { link } : {}),
  })

const deliveryOf = (shared: SharedParts, sendMail: SendMail) =>
  createDelivery({
    sendMail: (mail) => sendMail(mailOf(mail, shared.options.get('SystemName'))),
    mailReady: () => shared.options.get('SMTPServer').trim() !== '',
    sendWebhook: createWebhookSender(webhookParts(shared)),
    secrets: shared.secrets,
  })

/** Joins notices, their queue and the quota warning. */
export const joinNotices = (shared: SharedParts, needs: NoticeNeeds): NoticeSide => {
  const { config, database, secrets, bus, audit, options, ledger, log, clock } = shared
  const style = () => ({
    inCurrency: options.get('DisplayInCurrencyEnabled'),
    quotaPerUnit: options.get('QuotaPerUnit'),
  })
  const amountText = (quota: number): string => bareAmountText(quota, style())
  const notices = openNotices({
    database,
    secrets,
    bus,
    audit,
    clock,
    delivery: deliveryOf(shared, needs.sendMail),
    egress: webhookEgress(config),
    limit: config.noticeLimit,
    remindThreshold: () => options.get('QuotaRemindThreshold'),
    serverAddress: () => options.get('ServerAddress'),
    amountText,
    userChanged: needs.userChanged,
    warn: log.warn,
    workEveryMs,
  })
  ledger.whenCharged(notices.quotaWatch.charged)
  ledger.whenRefused(({ requestId, reason }) => notices.notifyRoot(recordRefused(requestId, reason)))
  const stopPurging = every(purgeEveryMs, notices.purge, (error) => log.warn('notice_delivery_late', { error }))
  return {
    news: openSiteNews(notices.notifyRoot, amountText),
    userNotice: notices.userNotice,
    amountText,
    budgetNotice: (userId, reached) => notices.userNotice(userId, budgetReached(reached)),
    budgetNoticeTo: (target, reached) => notices.addressNotice(target, budgetReached(reached)),
    domainNotice: (userId, news) => notices.userNotice(userId, domainRecordMissing(news, options.get('ServerAddress'))),
    languageIn: (setting) => languageOf(readSetting(setting)),
    assertTarget: notices.assertTarget,
    routes: (on) => noticeRoutes(on, notices),
    async close() {
      stopPurging()
      await notices.close()
    },
  }
}
