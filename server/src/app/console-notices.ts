import { amountText, bareAmountText } from '../billing/amounts/amount-text.ts'
import { createInvitations } from '../features/invitations/invitations.ts'
import { invitationRoutes } from '../features/invitations/routes.ts'
import { createDelivery, type NoticeMail } from '../features/notices/delivery.ts'
import { type Notices, openNotices } from '../features/notices/notices.ts'
import { noticeRoutes } from '../features/notices/routes.ts'
import { recordRefused } from '../features/notices/texts.ts'
import { createWebhookSender } from '../features/notices/webhook.ts'
import type { On } from '../http/route.ts'
import { every } from '../jobs/every.ts'
import { createEgressGuard, type EgressGuard } from '../lib/security/egress.ts'
import { composeMail } from '../mail/compose.ts'
import type { Mail, SendMail } from '../mail/mail.ts'
import type { SharedParts } from './parts.ts'

const workEveryMs = 5000
const purgeEveryMs = 3_600_000

export interface NoticeNeeds {
  readonly sendMail: SendMail
  userChanged(id: number): void
}

export interface NoticeSide {
  readonly notifyRoot: Notices['notifyRoot']
  /** Quota as notices write it. */
  amountText(quota: number): string
  readonly alertNotice: Notices['alertNotice']
  readonly userNotice: Notices['userNotice']
  readonly addressNotice: Notices['addressNotice']
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

/** Webhooks speak to web servers, not to whatever else listens on a public address. */
const webhookEgress = ({ egressAllow, webhookPorts }: SharedParts['config']): EgressGuard =>
  createEgressGuard({ allow: egressAllow, ports: [80, 443, ...webhookPorts] })

const deliveryOf = ({ config, options, secrets, operatorEgress }: SharedParts, sendMail: SendMail) =>
  createDelivery({
    sendMail: (mail) => sendMail(mailOf(mail, options.get('SystemName'))),
    mailReady: () => options.get('SMTPServer').trim() !== '',
    sendWebhook: createWebhookSender({
      egress: webhookEgress(config),
      operatorEgress,
      worker() {
        const url = options.get('WorkerUrl')
        return url === '' ? undefined : { url, key: options.get('WorkerValidKey') }
      },
    }),
    secrets,
  })

/** Joins notices, their queue and the quota warning, and what users earn with invitations. */
export const joinNotices = (shared: SharedParts, needs: NoticeNeeds): NoticeSide => {
  const { config, database, secrets, bus, audit, options, ledger, log, clock } = shared
  const style = () => ({
    inCurrency: options.get('DisplayInCurrencyEnabled'),
    quotaPerUnit: options.get('QuotaPerUnit'),
  })
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
    amountText: (quota) => bareAmountText(quota, style()),
    userChanged: needs.userChanged,
    warn: log.warn,
  })
  const invitations = createInvitations({
    database,
    ledger: ledger.movements,
    quotaPerUnit: () => options.get('QuotaPerUnit'),
    amountText: (quota) => amountText(quota, style()),
    bareAmountText: (quota) => bareAmountText(quota, style()),
  })
  ledger.whenCharged(notices.quotaWatch.charged)
  ledger.whenRefused(({ requestId, reason }) => notices.notifyRoot(recordRefused(requestId, reason)))
  const failed = (error: unknown): void => log.warn('notice_delivery_late', { error })
  const stops = [every(workEveryMs, notices.work, failed), every(purgeEveryMs, notices.purge, failed)]
  return {
    notifyRoot: notices.notifyRoot,
    amountText: (quota) => bareAmountText(quota, style()),
    alertNotice: notices.alertNotice,
    userNotice: notices.userNotice,
    addressNotice: notices.addressNotice,
    assertTarget: notices.assertTarget,
    routes(on) {
      noticeRoutes(on, notices)
      invitationRoutes(on, invitations)
    },
    async close() {
      for (const stop of stops) stop()
      await notices.close()
    },
  }
}
