import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { type NoticeSite, openNoticeSite } from '../../../test/support/features/notices.ts'
import { channelDisabled, channelEnabled } from './texts.ts'

const minute = 60_000
const hour = 60 * minute

describeEachEngine('notices', (open) => {
  let site: NoticeSite
  beforeAll(async () => {
    site = await openNoticeSite(await open())
  })
  beforeEach(() => {
    site.receiver.received.length = 0
    site.receiver.state.answer = { status: 200 }
    site.smtp.mails.length = 0
    site.warnings.length = 0
  })
  afterAll(() => site.close())

  const later = (ms: number): void => {
    site.site.state.now += ms
  }
  const webhook = (threshold?: number) => ({
    notify_type: 'webhook',
    webhook_url: site.receiver.url,
    ...(threshold === undefined ? {} : { quota_warning_threshold: threshold }),
  })

  describe('the quota warning', () => {
    it('comes when a charge leaves less than the own threshold, with the balance that is left', async () => {
      const { id } = await site.person(webhook(5000))
      await site.charged({ id, balance: 5000 })
      expect(site.receiver.received).toEqual([])
      await site.charged({ id, balance: 4999 })
      expect(JSON.parse(site.receiver.received[0]?.body ?? '')).toEqual({
        type: 'quota_exceed',
        title: '您的额度即将用尽',
        content: expect.stringContaining('{{value}}，当前剩余额度为 {{value}}，'),
        values: ['您的额度即将用尽', '＄0.009998', 'https://gate.example/topup', 'https://gate.example/topup'],
        timestamp: Math.floor(site.site.state.now / 1000),
      })
      expect(await site.waiting()).toEqual([])
    })

    it('uses the threshold of the site for users without their own', async () => {
      const { id } = await site.person(webhook())
      await site.charged({ id, balance: 1000 })
      await site.charged({ id, balance: 999 })
      expect(site.receiver.received).toHaveLength(1)
    })

    it('goes by mail to users without settings, with the values filled in', async () => {
      const { id } = await site.person({}, { email: 'reader@example.com' })
      await site.charged({ id, balance: 1 })
      expect(site.smtp.mails).toMatchObject([{ to: ['reader@example.com'], subject: '您的额度即将用尽' }])
      expect(site.smtp.mails[0]?.body).toContain('您的额度即将用尽，当前剩余额度为 ＄0.000002，')
      expect(site.smtp.mails[0]?.body).toContain('https://gate.example/topup')
    })

    it('speaks the language in which the settings were saved', async () => {
      const user = await site.person({}, { email: 'reader@example.com' })
      await user.call('PUT', '/api/user/setting', { quota_warning_threshold: 5000 }, { 'accept-language': 'en' })
      await site.charged({ id: user.id, balance: 500 })
      expect(site.smtp.mails).toMatchObject([{ subject: 'Your balance is low' }])
      const { body = '' } = site.smtp.mails[0] ?? {}
      expect(body).toContain('Your balance is low: ＄0.001000 left.')
      expect(body).toContain('Button not working?')
      expect(body).not.toMatch(/\p{Script=Han}/u)
    })

    it('comes at most once in two hours', async () => {
      const { id } = await site.person(webhook(5000))
      await site.charged({ id, balance: 100 })
      for (let step = 0; step < 11; step += 1) {
        later(10 * minute)
        await site.charged({ id, balance: 90 - step })
      }
      expect(site.receiver.received).toHaveLength(1)
      later(11 * minute)
      await site.charged({ id, balance: 10 })
      expect(site.receiver.received).toHaveLength(2)
    })

    it('comes once, however many nodes see it at the same moment', async () => {
      const { id } = await site.person(webhook(5000))
      const nodes = [site.notices, site.openOther(), site.openOther(), site.openOther()]
      for (const node of nodes) node.quotaWatch.charged([{ id, balance: 4 }])
      await Promise.all(nodes.map((node) => node.quotaWatch.idle()))
      await Promise.all(nodes.map((node) => node.work()))
      expect(site.receiver.received).toHaveLength(1)
      for (const node of nodes.slice(1)) await node.close()
    })

    it('heeds a new threshold at once, on every node', async () => {
      const user = await site.person(webhook(10))
      const other = site.openOther()
      other.quotaWatch.charged([{ id: user.id, balance: 4000 }])
      await other.quotaWatch.idle()
      await user.call('PUT', '/api/user/setting', { quota_warning_threshold: 5000 })
      other.quotaWatch.charged([{ id: user.id, balance: 3999 }])
      await other.quotaWatch.idle()
      await other.work()
      expect(site.receiver.received).toHaveLength(1)
      await other.close()
    })

    it('is not used up while the user cannot be reached', async () => {
      const user = await site.person()
      await site.charged({ id: user.id, balance: 1 })
      await user.call('PUT', '/api/user/setting', webhook())
      later(6 * minute)
      await site.charged({ id: user.id, balance: 1 })
      expect(site.receiver.received).toHaveLength(1)
    })

    it('is not postponed where the site has no mail server', async () => {
      const { id } = await site.person({}, { email: 'reader@example.com' })
      site.state.mailReady = false
      await site.charged({ id, balance: 1 })
      expect(await site.waiting()).toEqual([])
      site.state.mailReady = true
    })
  })

  describe('the super admin', () => {
    const root = async (setting: object) => {
      const { query } = site.site.database
      await query
        .updateTable('users')
        .set({ setting: JSON.stringify(setting) })
        .where('role', '=', 100)
        .execute()
    }
    const sentNotices = async () => {
      await site.notices.idle()
      await site.notices.work()
      return site.receiver.received.map(({ body }) => JSON.parse(body) as { type: string; content: string })
    }

    it('is notified of a disabled channel, at most twice in ten minutes per channel', async () => {
      await root(webhook())
      const first = { id: 7, name: '主线<b>' }
      for (let times = 0; times < 4; times += 1)
        site.notices.notifyRoot(channelDisabled(first, { text: 'invalid "key"' }))
      site.notices.notifyRoot(channelDisabled({ id: 8, name: 'other' }, { text: 'x' }))
      site.notices.notifyRoot(channelEnabled(first))
      const kinds = (await sentNotices()).map(({ type }) => type).toSorted()
      expect(kinds).toEqual(['channel_update_7_1', 'channel_update_7_3', 'channel_update_7_3', 'channel_update_8_3'])
      later(10 * minute)
      site.notices.notifyRoot(channelDisabled(first, { text: 'again' }))
      expect((await sentNotices()).at(-1)).toEqual({
        type: 'channel_update_7_3',
        title: '渠道「主线<b>」（#7）已被禁用',
        content: '渠道「主线<b>」（#7）已被禁用，原因：again',
        timestamp: expect.any(Number),
      })
    })

    it('gets mails in which names and reasons are no markup', async () => {
      await root({ notification_email: 'root@example.com' })
      site.notices.notifyRoot(channelDisabled({ id: 9, name: '<img src=x>' }, { text: '<script>1</script>' }))
      await sentNotices()
      expect(site.smtp.mails[0]?.body).toContain('&lt;script&gt;')
      expect(site.smtp.mails[0]?.body).not.toContain('<script>1</script></p>')
    })
  })

  describe('delivery', () => {
    const failing = async () => {
      site.receiver.state.answer = { status: 503 }
      const user = await site.person(webhook(5000))
      await site.charged({ id: user.id, balance: 1 })
      return user
    }

    it('tries five times, each time waiting longer, then says so and stops', async () => {
      const { id } = await failing()
      const pauses = [30, 120, 480, 1920]
      for (const [index, seconds] of pauses.entries()) {
        expect(site.receiver.received).toHaveLength(index + 1)
        later((seconds - 1) * 1000)
        await site.notices.work()
        expect(site.receiver.received).toHaveLength(index + 1)
        expect(await site.waiting()).toMatchObject([
          { attempts: index + 1, last_error: 'Sending failed: it answered HTTP 503' },
        ])
        later(1000)
        await site.notices.work()
      }
      expect(site.receiver.received).toHaveLength(5)
      expect(await site.waiting()).toEqual([])
      expect(site.warnings).toEqual([
        {
          message: 'notice_undeliverable',
          facts: { userId: id, kind: 'quota_exceed', attempts: 5, error: 'Sending failed: it answered HTTP 503' },
        },
      ])
    })

    it('arrives when the receiver is back, with the time of the event', async () => {
      await failing()
      const happened = Math.floor(site.site.state.now / 1000)
      site.receiver.state.answer = { status: 200 }
      later(30_000)
      await site.notices.work()
      expect(JSON.parse(site.receiver.received[1]?.body ?? '')).toMatchObject({ timestamp: happened })
      expect(await site.waiting()).toEqual([])
    })

    it('is done by one node at a time', async () => {
      await failing()
      site.receiver.state.answer = { status: 200 }
      later(30_000)
      const others = [site.openOther(), site.openOther(), site.openOther()]
      await Promise.all([site.notices, ...others].map((node) => node.work()))
      expect(site.receiver.received).toHaveLength(2)
      for (const node of others) await node.close()
    })

    it('is taken over from a node that died in the middle of it', async () => {
      await failing()
      const { query } = site.site.database
      const leased = Math.floor(site.site.state.now / 1000) + 300
      await query.updateTable('notice_deliveries').set({ attempts: 2, next_time: leased }).execute()
      site.receiver.state.answer = { status: 200 }
      await site.notices.work()
      expect(site.receiver.received).toHaveLength(1)
      later(300_000)
      await site.notices.work()
      expect(site.receiver.received).toHaveLength(2)
      expect(await site.waiting()).toEqual([])
    })

    it('ends with the account', async () => {
      const user = await failing()
      const gone = { deleted_at: 1 }
      await site.site.database.query.updateTable('users').set(gone).where('id', '=', user.id).execute()
      later(hour)
      await site.notices.work()
      expect(site.receiver.received).toHaveLength(1)
      expect(await site.waiting()).toEqual([])
    })

    it('is not stopped by a row that cannot be read', async () => {
      const { query } = site.site.database
      const { id } = await failing()
      await query.updateTable('notice_deliveries').set({ body: 'not json' }).execute()
      site.receiver.state.answer = { status: 200 }
      const next = await site.person(webhook(5000))
      await site.charged({ id: next.id, balance: 1 })
      for (let times = 0; times < 5; times += 1) {
        later(hour)
        await site.notices.work()
      }
      expect(await site.waiting()).toEqual([])
      expect(site.receiver.received).toHaveLength(2)
      expect(site.warnings).toMatchObject([{ facts: { userId: id, attempts: 5 } }])
    })
  })

  it('forgets marks that no limit looks at', async () => {
    const { query } = site.site.database
    later(8 * 24 * hour)
    await site.notices.purge()
    expect(await query.selectFrom('notice_marks').selectAll().execute()).toEqual([])
  })
})
