import type { SiteCard, SiteCardRule } from '@tollgate/contract/records/site-cards'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { describeEachEngine } from '#server-test/support/db/databases.ts'
import { now, openTodaySite, type TodaySite } from '../../tests/today-site.ts'

const card = (about: number, severity: SiteCard['severity']): SiteCard => ({
  severity,
  about: [about],
  at: now - 60,
  reason: 'the disk is full',
  words: {
    fact: { text: { zh: '{{name}} 失败', en: '{{name}} failed' }, values: { name: 'copy' } },
    button: { zh: '打开', en: 'Open' },
    path: '/setting/other',
  },
})

const rule = (name: string, cards: readonly SiteCard[]): SiteCardRule => ({
  name,
  area: 'settings',
  read: async () => cards,
})

describeEachEngine('cards of other parts of the product', (open) => {
  let database: Database
  let site: TodaySite

  beforeAll(async () => {
    database = await open()
  })
  beforeEach(async () => {
    site = await openTodaySite(database)
  })

  it('stand among the others by severity, with their own words and address', async () => {
    site.state.parts = { siteCards: () => [rule('copies', [card(4, 'note'), card(5, 'bad')])] }
    const cards = await site.cardsOf(site.root)
    expect(cards.map(({ id, rule: name, severity }) => [id, name, severity])).toEqual([
      ['copies:5', 'joined', 'bad'],
      ['copies:4', 'joined', 'note'],
    ])
    expect(cards[0]).toMatchObject({
      reason: 'the disk is full',
      words: { path: '/setting/other', button: { en: 'Open' }, fact: { values: { name: 'copy' } } },
    })
  })

  it('are for those who may read their area', async () => {
    site.state.parts = { siteCards: () => [rule('copies', [card(5, 'bad')])] }
    expect(await site.rulesOf(site.support)).toEqual([])
    expect(await site.rulesOf(site.root)).toEqual(['joined'])
  })

  it('fail alone, by the name of their rule', async () => {
    const failed: string[] = []
    const broken: SiteCardRule = { ...rule('broken', []), read: async () => Promise.reject(new Error('gone')) }
    site.state.parts = {
      siteCards: () => [broken, rule('copies', [card(5, 'bad')])],
      failed: (name) => void failed.push(name),
    }
    expect(await site.rulesOf(site.root)).toEqual(['joined'])
    expect(failed).toEqual(['broken'])
  })
})
