import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import type { FigureReport, OwnToday, SiteToday, TodayCard } from '#web/lib/api/contract.ts'
import { storeUser } from '#web/lib/api/session.ts'
import { setLanguage } from '#web/lib/i18n.ts'
import { applyStatus, statusStore } from '#web/lib/status.ts'
import { fakeFetch } from '#web/test/fake-fetch.ts'
import { renderConsole } from '#web/test/render-console.tsx'
import { buttonsOf } from './cards/card-links.ts'
import { NeedsYou } from './cards/needs-you.tsx'
import { OwnTodayPage } from './own/own-today.tsx'
import { SiteTodayPage } from './site-today.tsx'
import '#web/test/forget-notifications.ts'

beforeEach(() => {
  storeUser({ id: 1, username: 'root', display_name: '', role: 100, status: 1, group: 'default' })
  setLanguage('en')
  applyStatus({ ...statusStore.get(), enable_data_export: true })
})

const origin = 'http://console.test'
const at = Math.floor(Date.now() / 1000)
const dollar = 500_000

const sums = (quota: number, answered: number, failures = 0) => ({
  from: at - 86_400,
  to: at,
  quota,
  answered,
  failures,
  cost: quota / 2,
  costed: answered,
  costed_quota: quota,
})

const card = (more: Partial<TodayCard>): TodayCard => ({
  id: 'channel_failing:7',
  rule: 'channel_failing',
  severity: 'bad',
  object_id: 7,
  name: 'Azure',
  names: [],
  count: 3,
  total: 3,
  amount: 0,
  value: 0,
  at: at - 100 * 86_400,
  detail: '',
  reason: '',
  snoozed_until: 0,
  ...more,
})

const site = (more: Partial<SiteToday> = {}): SiteToday => ({
  at,
  yesterday: sums(2 * dollar, 18, 1),
  before: sums(4 * dollar, 20),
  today: sums(dollar, 4),
  cards: [],
  more: 0,
  ...more,
})

const none: FigureReport = {
  from: at - 86_400,
  to: at,
  rollup: 'hour',
  utc_days: false,
  buckets: [],
  series: [],
  sums: [],
  rows: [],
  rest_values: 0,
  more: false,
  total: { value: 0, before: null, share: null, calls: 0, cache_share: null, first_p95: null },
  refresh_minutes: 5,
}

const open = async (today: SiteToday, report: FigureReport = none) => {
  const sent = fakeFetch({
    'GET /api/today': () => today,
    'GET /api/explore': () => report,
    'PUT /api/today/snooze': () => ({ until: at + 3600 }),
  })
  await renderConsole(<SiteTodayPage />, '/today')
  await screen.findByRole('region', { name: 'Top spenders' })
  return sent
}

it('says in one line what yesterday came to, and that of today where yesterday had nothing', async () => {
  await open(site())
  const line = screen.getByRole('region', { name: 'Yesterday in one line' })
  expect(line.textContent).toContain('Yesterday $2.00 −50.0%')
  for (const text of ['19 calls', '94.7% answered', 'Margin $1.00']) expect(within(line).getByText(text)).toBeTruthy()
  expect(line.textContent).toContain('Today so far: $1.00, 4 calls')
})

it('speaks of today on a site without yesterday, and of the first steps without any call', async () => {
  await open(site({ yesterday: sums(0, 0), today: sums(dollar, 1) }))
  expect(screen.getByText('Today so far $1.00')).toBeTruthy()
  expect(screen.getByText('1 call')).toBeTruthy()
})

it('leads to the most expensive calls of the chosen time, and to the changes of yesterday', async () => {
  await open(site())
  const dearest = new URL(screen.getByRole('link', { name: 'Most expensive calls' }).getAttribute('href') ?? '', origin)
  expect(dearest.pathname).toBe('/log')
  const [from = 0, to = 0] = (dearest.searchParams.get('range') ?? '').split('..').map(Number)
  expect([dearest.searchParams.get('sort'), dearest.searchParams.get('type'), to - from]).toEqual([
    '-quota',
    '2',
    86_399,
  ])
  const changes = new URL(
    screen.getByRole('link', { name: 'Changes made yesterday' }).getAttribute('href') ?? '',
    origin,
  )
  expect([changes.pathname, changes.searchParams.get('range')]).toEqual(['/audit', `${at - 86_400}..${at - 1}`])
})

it('shows no way to the changes to staff who may not read the audit log', async () => {
  const permissions = { set: 'custom', areas: { logs: 'read' } } as const
  storeUser({ id: 3, username: 'sam', display_name: '', role: 10, status: 1, group: 'default', permissions })
  await open(site())
  expect(screen.queryByRole('link', { name: 'Changes made yesterday' })).toBeNull()
})

it('has an honest empty state', async () => {
  await open(site({ yesterday: sums(0, 0), today: sums(0, 0) }))
  expect(screen.getByText('No calls yesterday or today')).toBeTruthy()
  expect(screen.getByText('Nothing needs a decision')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Show the first steps' })).toBeTruthy()
})

it('shows seven cards and the rest on demand, and snoozes one', async () => {
  const cards = Array.from({ length: 9 }, (_, index) => card({ id: `channel_failing:${index}`, name: `c${index}` }))
  const sent = await open(site({ cards, more: 2 }))
  expect(screen.getAllByRole('heading', { level: 3 })).toHaveLength(7)
  fireEvent.click(screen.getByRole('button', { name: 'Show 2 more' }))
  expect(screen.getAllByRole('heading', { level: 3 })).toHaveLength(9)
  expect(screen.getByText('2 more are not shown')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: /^Snooze “c0 / }))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Snooze for an hour' }))
  await waitFor(() => expect(sent.find(({ path }) => path === '/api/today/snooze')).toBeDefined())
  expect(sent.find(({ path }) => path === '/api/today/snooze')?.body).toMatchObject({
    card: 'channel_failing:0',
    span: 'hour',
  })
})

it('has words and a button for every kind of card', async () => {
  fakeFetch({})
  const rules = [
    'channel_disabled',
    'channel_failing',
    'records_refused',
    'model_ended',
    'key_refused',
    'balance_low',
    'limit_reached',
    'limit_ending',
    'user_refused',
    'below_cost',
    'provisional',
    'unpriced',
    'notices_waiting',
    'key_expiring',
    'prices_proposed',
    'own_refused',
    'own_balance_low',
    'own_limit_reached',
    'own_limit_ending',
    'own_key_spent',
    'own_model_ended',
    'own_key_expiring',
  ] as const satisfies readonly TodayCard['rule'][]
  for (const rule of rules) {
    const shown = card({ id: rule, rule, value: 1, amount: 1, detail: 'gpt-5', names: ['bob'] })
    const view = await renderConsole(<NeedsYou cards={[shown]} more={0} />, '/today')
    const fact = screen.getByRole('heading', { level: 3 }).textContent ?? ''
    expect(fact, rule).not.toContain('{{')
    expect(fact.length, rule).toBeGreaterThan(10)
    expect(buttonsOf(shown).length, rule).toBeGreaterThan(0)
    expect(buttonsOf(shown).length, rule).toBeLessThanOrEqual(3)
    view.unmount()
  }
})

it('gives a refused user an amount from the card, and takes it back', async () => {
  const sent = fakeFetch({ 'PUT /api/user/': () => null, 'GET /api/today': () => site() })
  const refusedUser = card({ id: 'user_refused:9', rule: 'user_refused', severity: 'warn', object_id: 9, name: 'dave' })
  await renderConsole(<NeedsYou cards={[refusedUser]} more={0} />, '/today')
  fireEvent.click(screen.getByRole('button', { name: 'Top up' }))
  const question = await screen.findByRole('dialog')
  expect(within(question).getByText('Balance $0.00 → $5.00')).toBeTruthy()
  fireEvent.change(within(question).getByLabelText('Amount'), { target: { value: '2.5' } })
  fireEvent.click(within(question).getByRole('button', { name: 'Give $2.50' }))
  const bodies = () => sent.filter(({ method }) => method === 'PUT').map(({ body }) => body)
  await screen.findByText('dave was given $2.50')
  expect(bodies()).toMatchObject([{ id: 9, quota_delta: 2.5 * dollar, reason: expect.stringContaining('refused') }])
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }))
  await screen.findByText('Top-up of dave undone')
  expect(bodies()).toMatchObject([{}, { id: 9, quota_delta: -2.5 * dollar }])
  expect(new Set(bodies().map((body) => (body as { adjustment: string }).adjustment)).size).toBe(2)
})

it.each([
  [{ users: 'write' }, 0],
  [{ users: 'write', billing: 'write' }, 1],
] as const)('offers a top-up from the card to administrators who may move money: %o', async (areas, offers) => {
  const ops = { id: 2, username: 'ops', display_name: '', role: 10, status: 1, group: 'default' }
  storeUser({ ...ops, permissions: { set: 'custom', areas } })
  fakeFetch({})
  const refusedUser = card({ id: 'user_refused:9', rule: 'user_refused', severity: 'warn', object_id: 9, name: 'dave' })
  await renderConsole(<NeedsYou cards={[refusedUser]} more={0} />, '/today')
  expect(screen.queryAllByRole('button', { name: 'Top up' })).toHaveLength(offers)
})

it('shows a snoozed card at its own address alone, and those of the list on demand', async () => {
  fakeFetch({})
  const cards = [card({ id: 'a', snoozed_until: at + 60 }), card({ id: 'b', snoozed_until: at + 60 })]
  await renderConsole(<NeedsYou cards={cards} more={0} />, '/today?card=b')
  expect(screen.getAllByRole('heading', { level: 3 })).toHaveLength(1)
  fireEvent.click(screen.getByRole('button', { name: '2 snoozed' }))
  expect(screen.getAllByRole('heading', { level: 3 })).toHaveLength(2)
})

it('ranks spenders with their change, and Other as a number', async () => {
  const row = { before: dollar, share: 0.5, calls: 3, cache_share: null, first_p95: null, rows: [] }
  await open(site(), {
    ...none,
    rows: [
      { ...row, key: '2', name: 'alice', value: 2 * dollar, rest: false },
      { ...row, key: 'rest', name: '', value: dollar, rest: true },
    ],
    series: [{ key: '2', name: 'alice', rest: false, values: [dollar, dollar] }],
    rest_values: 1995,
  })
  const who = screen.getByRole('region', { name: 'Top spenders' })
  expect(await within(who).findByText('alice')).toBeTruthy()
  for (const text of ['Other, 1,995', '+100.0%', '$2.00']) expect(within(who).getByText(text)).toBeTruthy()
})

it('shows users their week, budgets and cards', async () => {
  const { cost: _, costed: __, costed_quota: ___, ...day } = sums(dollar, 4)
  const own: OwnToday = {
    at,
    yesterday: day,
    before: day,
    today: day,
    week: { ...day, quota: 3 * dollar },
    balance: 9 * dollar,
    limits: [
      {
        id: 4,
        name: 'my budget',
        measure: 'money',
        window: 'week',
        hours: 0,
        refuses: true,
        fallback_model: '',
        subject: 'user 1',
        subjects: [],
        amount: 20 * dollar,
        used: 5 * dollar,
        left: 15 * dollar,
        free_at: 0,
        used_up_at: 0,
      },
    ],
    cards: [card({ id: 'own_key_expiring:3', rule: 'own_key_expiring', severity: 'note', name: 'laptop' })],
    more: 0,
  }
  const sent = fakeFetch({
    'GET /api/today/self': () => own,
    'GET /api/explore/self': () => none,
    'PUT /api/token/': () => undefined,
  })
  await renderConsole(<OwnTodayPage />, '/today')
  expect(await screen.findByText('my budget: $5.00 of $20.00 used')).toBeTruthy()
  for (const text of ['$3.00', 'of $20.00', '$9.00']) expect(screen.getByText(text)).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Extend by 30 days' }))
  await waitFor(() => expect(sent.find(({ method }) => method === 'PUT')?.body).toMatchObject({ id: 7 }))
})
