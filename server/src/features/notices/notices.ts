import { createHash } from 'node:crypto'
import type { SettingChange, TestedNotice } from '@tollgate/contract'
import type { Transaction } from 'kysely'
import type { Tables } from '../../db/schema.ts'
import { AppError } from '../../lib/app-error.ts'
import { type Clock, unixSeconds } from '../../lib/clock.ts'
import type { Bus } from '../../lib/redis/bus.ts'
import type { Delivery, Target } from './delivery.ts'
import { type NoticeLimit, purgeMarks, takeMark } from './marks.ts'
import { openNoticeQueue } from './queue.ts'
import { createQuotaWatch, type QuotaWatch } from './quota-watch.ts'
import { openRecipients, type Recipient } from './recipients.ts'
import { openSettings, type SettingParts, type SettingsOwner } from './save-setting.ts'
import { languageOf, readSetting, thresholdOf } from './setting.ts'
import { type Notice, type NoticeText, quotaWarning, testKind, testNotice } from './texts.ts'
import { DeliveryFailure } from './webhook.ts'

export interface NoticeParts extends Omit<SettingParts, 'recipients'> {
  readonly delivery: Delivery
  readonly bus: Pick<Bus, 'publish' | 'subscribe'>
  /** At most `count` notices of the same kind to the super admin in `seconds`. */
  readonly limit: NoticeLimit
  /** Option QuotaRemindThreshold. */
  remindThreshold(): number
  /** Option ServerAddress. */
  serverAddress(): string
  /** Quota as notices write it, e.g. `＄1.000000`. */
  amountText(quota: number): string
  /** Invalidates cached users on all nodes. */
  userChanged(userId: number): void
  /** For the operator's log. */
  warn(message: string, facts: Readonly<Record<string, unknown>>): void
  /** Milliseconds between looks for notices that are due; absent where only calls look. */
  readonly workEveryMs?: number
  readonly clock: Clock
}

export interface Notices {
  /** Stores a change of the own settings. Throws what is wrong with it. */
  updateSetting(owner: SettingsOwner, change: SettingChange): Promise<void>
  /** Delivers one notice at once, as the settings would be after `change`. Throws AppError. */
  test(owner: SettingsOwner, change: SettingChange): Promise<TestedNotice>
  /** Tells the super admin, when the limit allows; returns at once. */
  notifyRoot(noticeText: NoticeText): void
  /**
   * Function that queues a notice of an alert to its owner, in a transaction, unless they had too many lately; answers whether it did.
   * Undefined if the notice has no destination.
   */
  userNotice(userId: number | undefined, noticeText: NoticeText): Promise<AddNotice | undefined>
  /** The same for a reader by address: of mail, or of a webhook. */
  addressNotice(target: string, noticeText: NoticeText): Promise<AddNotice | undefined>
  /** Refuses an address of a webhook that may not be called. Throws AppError. */
  assertTarget(target: string): Promise<void>
  readonly quotaWatch: QuotaWatch
  /** Works on what is due. */
  work(): Promise<void>
  /** Removes what nothing asks for any more. */
  purge(): Promise<void>
  /** Resolves when what was asked for is delivered, or waits for its next attempt. */
  idle(): Promise<void>
  /** Stops listening and lets what is under way end. */
  close(): Promise<void>
}

/** Answers whether the limit allowed the notice. */
export type AddNotice = (trx: Transaction<Tables>) => Promise<boolean>

/** Messages are user ids. */
const topic = 'notice-settings'
/** At most one quota warning per user in 2 hours. */
const quotaLimit: NoticeLimit = { count: 1, seconds: 7200 }
/** Values may go to and fro around a threshold, and users may enter any address. */
const userLimit: NoticeLimit = { count: 30, seconds: 3600 }
/** Users may enter any address, so test notices are few: enough to try settings, too few to spam. */
const testLimit: NoticeLimit = { count: 10, seconds: 600 }

/** Notices to users and to the super admin: settings, limits, a durable queue, the quota warning. */
export const openNotices = (parts: NoticeParts): Notices => {
  const { database, delivery, clock } = parts
  const recipients = openRecipients(database)
  const settings = openSettings({ ...parts, recipients })
  const failed = (error: unknown): void => parts.warn('notice_delivery_late', { error })
  const now = (): number => unixSeconds(clock)

  const queue = openNoticeQueue({
    database,
    async deliver({ userId, way, to, notice, timestamp }) {
      if (to !== undefined) return delivery.send(delivery.targetAt(to), notice, timestamp)
      const recipient = await recipients.byId(userId)
      const target = recipient && delivery.targetOf(recipient, readSetting(recipient.setting), way)
      if (target) await delivery.send(target, notice, timestamp)
    },
    gaveUp: (facts) => parts.warn('notice_undeliverable', facts),
    failed,
    everyMs: parts.workEveryMs,
    clock,
  })

  /** Function that queues a notice if the limit allows it; undefined if the notice has no destination. */
  const prepare = (
    recipient: Recipient | undefined,
    noticeText: NoticeText,
    limit: NoticeLimit,
  ): AddNotice | undefined => {
    const setting = readSetting(recipient?.setting ?? '')
    const way = delivery.wayOf(setting)
    if (recipient === undefined || delivery.targetOf(recipient, setting, way) === undefined) return undefined
    const notice = noticeText(languageOf(setting))
    const mark = { userId: recipient.id, kind: notice.kind, now: now(), limit }
    return async (trx) => {
      if (!(await takeMark(database, trx, mark))) return false
      await queue.add(trx, { userId: mark.userId, way, notice, timestamp: mark.now })
      return true
    }
  }

  const notify = async (
    recipient: Recipient | undefined,
    noticeText: NoticeText,
    limit: NoticeLimit,
  ): Promise<void> => {
    const add = prepare(recipient, noticeText, limit)
    if (add === undefined) return
    await database.transaction(add)
    queue.wake()
  }

  const quotaWatch = createQuotaWatch({
    async thresholds(ids) {
      const thresholds = new Map<number, number>()
      for (const { id, setting } of await recipients.settingsOf(ids)) {
        const own = thresholdOf(readSetting(setting))
        if (own !== undefined) thresholds.set(id, own)
      }
      return thresholds
    },
    fallback: parts.remindThreshold,
    warn: async (userId, balance) =>
      notify(await recipients.byId(userId), quotaWarning(parts.amountText(balance), parts.serverAddress()), quotaLimit),
    failed,
    clock,
  })
  const stopListening = parts.bus.subscribe(topic, (notice) =>
    quotaWatch.forget(notice.kind === 'message' ? Number(notice.message) : undefined),
  )

  const assertMayTest = async (userId: number): Promise<void> => {
    const mark = { userId, kind: testKind, now: now(), limit: testLimit }
    const may = await database.transaction((trx) => takeMark(database, trx, mark))
    if (!may) throw new AppError('notice_test_too_soon')
  }

  const sendTest = async (target: Target, notice: Notice): Promise<void> => {
    try {
      await delivery.send(target, notice, now())
    } catch (cause) {
      if (!(cause instanceof DeliveryFailure)) throw cause
      throw cause.error
    }
  }

  const rootNotices = new Set<Promise<void>>()
  const idle = async (): Promise<void> => {
    await Promise.all([quotaWatch.idle(), ...rootNotices])
    await queue.idle()
  }

  return {
    quotaWatch,

    async updateSetting(owner, change) {
      if (!(await settings.save(owner, change))) return
      parts.userChanged(owner.id)
      parts.bus.publish(topic, String(owner.id))
    },

    async test(owner, change) {
      const { row, setting } = await settings.changed(owner, change)
      const target = delivery.targetOf(row, setting, delivery.wayOf(setting))
      if (target === undefined) throw new AppError('notice_target_missing')
      await assertMayTest(row.id)
      const began = performance.now()
      await sendTest(target, testNotice(parts.amountText(row.quota))(owner.language))
      const to = target.way === 'email' ? target.to : new URL(target.url).host
      return { way: target.way, to, duration_ms: Math.round(performance.now() - began) }
    },

    notifyRoot(noticeText) {
      const sent = recipients
        .root()
        .then((root) => notify(root, noticeText, parts.limit))
        .catch(failed)
      rootNotices.add(sent)
      void sent.finally(() => rootNotices.delete(sent))
    },

    userNotice: async (userId, noticeText) =>
      prepare(await (userId === undefined ? recipients.root() : recipients.byId(userId)), noticeText, userLimit),

    async addressNotice(target, noticeText) {
      const way = delivery.targetAt(target).way
      if (way === 'email' && !delivery.mailReady()) return undefined
      const notice = noticeText('en')
      const kind = `${notice.kind} ${createHash('sha256').update(target).digest('base64url').slice(0, 16)}`
      return async (trx) => {
        if (!(await takeMark(database, trx, { userId: 0, kind, now: now(), limit: userLimit }))) return false
        await queue.add(trx, { userId: 0, way, to: target, notice, timestamp: now() })
        return true
      }
    },

    async assertTarget(target) {
      if (delivery.targetAt(target).way === 'webhook') await parts.egress.check(target)
    },

    work: queue.work,
    purge: () => purgeMarks(database, now()),

    idle,
    async close() {
      stopListening()
      await idle()
      await queue.stop()
    },
  }
}
