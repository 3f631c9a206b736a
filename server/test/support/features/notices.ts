import type { Database } from '../../../src/db/database.ts'
import { openAudit } from '../../../src/features/audit/audit.ts'
import { createDelivery } from '../../../src/features/notices/delivery.ts'
import { type NoticeParts, openNotices } from '../../../src/features/notices/notices.ts'
import { noticeRoutes } from '../../../src/features/notices/routes.ts'
import { createWebhookSender } from '../../../src/features/notices/webhook.ts'
import { silentLog } from '../../../src/lib/log.ts'
import { localBus } from '../../../src/lib/redis/local-bus.ts'
import { openSecrets } from '../../../src/lib/security/secrets.ts'
import { composeMail } from '../../../src/mail/compose.ts'
import { openTestSmtp } from '../mail/smtp.ts'
import { openConsole } from './accounts.ts'
import { openReceiver, testAuthority, testEgress } from './receiver.ts'

/** A console with notices, a receiver of webhooks and a mail server; all real, on this machine. The clock moves by hand. */
export const openNoticeSite = async (database: Database) => {
  const site = await openConsole(database)
  const receiver = await openReceiver()
  const smtp = await openTestSmtp()
  const sendMail = smtp.mailerFor()
  const state = { mailReady: true, threshold: 1000, serverAddress: 'https://gate.example' }
  const warnings: { message: string; facts: Readonly<Record<string, unknown>> }[] = []
  const clock = () => site.state.now
  const secrets = openSecrets({ cryptoSecret: 'a secret for tests', keyFile: 'unused' })
  const bus = localBus(silentLog)
  const parts: NoticeParts = {
    database,
    secrets,
    audit: openAudit(database, clock),
    egress: testEgress(),
    delivery: createDelivery({
      sendMail: ({ to, subject, content, link }) =>
        sendMail(
          composeMail({
            to,
            subject,
            systemName: 'Tollgate',
            paragraphs: [content],
            ...(link ? { link } : {}),
          }),
        ),
      mailReady: () => state.mailReady,
      sendWebhook: createWebhookSender({
        egress: testEgress(),
        operatorEgress: testEgress(),
        worker: () => undefined,
        ca: testAuthority,
        timeoutMs: 60_000,
      }),
      secrets,
    }),
    bus: {
      subscribe: bus.subscribe,
      publish: (topic, message = '') => bus.deliver(topic, { kind: 'message', message, own: true }),
    },
    limit: { count: 2, seconds: 600 },
    remindThreshold: () => state.threshold,
    serverAddress: () => state.serverAddress,
    amountText: (quota) => `＄${(quota / 500_000).toFixed(6)}`,
    userChanged: (id) => site.changed.push(id),
    warn: (message, facts) => warnings.push({ message, facts }),
    clock,
  }
  const notices = openNotices(parts)
  noticeRoutes(site.api.on, notices)
  const query = database.query
  let count = 0

  return {
    site,
    receiver,
    smtp,
    state,
    warnings,
    notices,
    /** Notices of another node of the same site. */
    openOther: () => openNotices(parts),
    /** A signed-in user of this role with these settings in the database. */
    async person(setting: object = {}, columns: { email?: string } = {}, role = 1) {
      count += 1
      const person = await site.person(`noticed${count}`, role)
      await query
        .updateTable('users')
        .set({ setting: JSON.stringify(setting), ...columns })
        .where('id', '=', person.id)
        .execute()
      return person
    },
    stored: (id: number) => query.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    waiting: () => query.selectFrom('notice_deliveries').selectAll().orderBy('id').execute(),
    /** Charges left a user with this balance; resolves when what follows from it is done. */
    async charged(...balances: { id: number; balance: number }[]) {
      notices.quotaWatch.charged(balances)
      await notices.quotaWatch.idle()
      await notices.work()
    },
    async close() {
      await notices.close()
      await receiver.close()
      await smtp.close()
    },
  }
}

export type NoticeSite = Awaited<ReturnType<typeof openNoticeSite>>
