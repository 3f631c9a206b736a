import { type SiteRule, siteRules, type TodaySums } from '@tollgate/contract'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { openNamedJobs } from '#server/jobs/named-jobs.ts'
import { describeEachEngine } from '#server-test/support/db/databases.ts'
import { type NoticeSite, openNoticeSite } from '#server-test/support/features/notices.ts'
import { type CardFacts, cardOf } from '../rules/rule.ts'
import { type RuledCard, rules } from '../rules/rules.ts'
import { cardSentence } from './card-sentences.ts'
import { openTodayRounds } from './rounds.ts'

const hour = 3_600_000
const yesterday: TodaySums = {
  from: 0,
  to: 0,
  quota: 500_000,
  answered: 9,
  failures: 1,
  cost: 0,
  costed: 0,
  costed_quota: 0,
}

const found = (name: SiteRule, facts: CardFacts = {}): RuledCard => {
  const rule = rules.find((each) => each.rule === name)
  if (rule === undefined) throw new Error(`no rule ${name}`)
  return { rule, card: cardOf(name, 'warn', [facts.object_id ?? 0], { name: 'Azure', count: 3, total: 9, ...facts }) }
}

it('has a rule and a sentence for each kind of card of the site', () => {
  const own = siteRules.filter((rule) => rule !== 'joined')
  expect(rules.map(({ rule }) => rule).toSorted()).toEqual(own.toSorted())
  for (const rule of own) {
    const { card } = found(rule)
    const [zh, en] = [
      cardSentence(card, { language: 'zh', amountText: String }),
      cardSentence(card, { language: 'en', amountText: String }),
    ]
    expect(`${zh}${en}`).not.toMatch(/\{\{|undefined|NaN/)
    expect(zh).toMatch(/\p{Script=Han}/u)
    expect(en).not.toMatch(/\p{Script=Han}/u)
  }
})

it('writes the sentences of the screen, with moments of UTC and amounts of the site', () => {
  const { card } = found('limit_reached', {
    name: 'budget',
    names: ['alice'],
    detail: 'money',
    at: 1_900_000_000,
    count: 5,
    total: 9,
  })
  expect(cardSentence(card, { language: 'en', amountText: (quota) => `$${quota}` })).toBe(
    'Limit budget is used up for alice. $5 of $9 used. Calls are refused until 2030-03-17 17:46 UTC.',
  )
})

describeEachEngine('notices of cards', (open) => {
  let database: Database
  let site: NoticeSite
  let mode: 'off' | 'daily' | 'at_once'
  let cards: readonly RuledCard[]
  const clock = (): number => site.site.state.now

  beforeAll(async () => {
    database = await open()
    site = await openNoticeSite(database)
    await database.query.updateTable('users').set({ email: 'root@gate.example' }).where('role', '=', 100).execute()
  })
  beforeEach(async () => {
    for (const table of ['today_notices', 'cluster_jobs', 'notice_marks', 'notice_deliveries'] as const)
      await database.query.deleteFrom(table).execute()
    site.smtp.mails.length = 0
    site.receiver.received.length = 0
    site.site.state.now = Date.UTC(2026, 10, 21, 6)
    mode = 'at_once'
    cards = []
    await look()
  })
  afterAll(() => site.close())

  const look = async (): Promise<void> => {
    const rounds = openTodayRounds({
      database,
      jobs: openNamedJobs(database, clock),
      mode: () => mode,
      cards: async () => cards,
      yesterday: async () => yesterday,
      rootNotice: (text) => site.notices.userNotice(undefined, text),
      serverAddress: () => 'https://gate.example',
      amountText: String,
      failed: (error) => {
        throw error
      },
      clock,
    })
    await rounds.work()
    await rounds.idle()
    await site.notices.work()
  }
  const later = (hours: number): Promise<void> => {
    site.site.state.now += hours * hour
    return look()
  }
  const sent = (): number => site.smtp.mails.length + site.receiver.received.length

  it('sends a card once while it applies, and again when it comes back after it was away', async () => {
    cards = [found('channel_failing', { object_id: 7 })]
    await later(1)
    expect(sent()).toBe(1)
    await later(1)
    expect(sent()).toBe(1)
    cards = []
    await later(7)
    await later(1)
    cards = [found('channel_failing', { object_id: 7 })]
    await later(1)
    expect(sent()).toBe(2)
  })

  it('leaves cards out of which the kernel sends notices, and those that are no warnings', async () => {
    const { rule, card } = found('key_expiring')
    cards = [found('channel_disabled', { object_id: 7 }), { rule, card: { ...card, severity: 'note' } }]
    await later(1)
    expect(sent()).toBe(0)
  })

  it('sends the list of the day once, from eight o’clock', async () => {
    mode = 'daily'
    cards = [found('channel_disabled', { object_id: 7 })]
    await later(1)
    expect(sent()).toBe(0)
    await later(2)
    await later(1)
    expect(sent()).toBe(1)
    await later(24)
    expect(sent()).toBe(2)
  })

  it('sends nothing while it is off', async () => {
    mode = 'off'
    cards = [found('channel_failing')]
    await later(3)
    expect(sent()).toBe(0)
  })
})
