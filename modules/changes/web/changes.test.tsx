import { fireEvent, screen, within } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { ScreenParts } from '#web/components/parts/screen-parts.tsx'
import type { ChangeReport, ChangeTermShown, FigureCondition } from '#web/lib/api/contract.ts'
import { storeUser } from '#web/lib/api/session.ts'
import { setLanguage } from '#web/lib/i18n.ts'
import { statusStore } from '#web/lib/status.ts'
import { fakeFetch, type Sent } from '#web/test/fake-fetch.ts'
import { renderAmongPages, renderConsole } from '#web/test/render-console.tsx'

const signIn = (role: number): void =>
  storeUser({ id: 1, username: 'root', display_name: '', role, status: 1, group: 'default' })

beforeEach(() => {
  signIn(100)
  setLanguage('en')
  statusStore.set({
    ...statusStore.get(),
    enable_data_export: true,
    display_in_currency: true,
    quota_per_unit: 500_000,
  })
})

/** A Friday. */
const from = Date.parse('2026-11-20T00:00:00Z') / 1000
const day = 86_400
const sums = (calls: number, prompt: number, cached: number) => ({
  calls,
  quota: calls * 1_000,
  prompt,
  cached,
  written: 0,
  output: calls * 50,
})

const condition = (dimension: FigureCondition['dimension'], value: string): FigureCondition => ({
  dimension,
  is: 'is',
  values: [value],
})

const longer: ChangeTermShown = {
  effect: 'input',
  amount: 2_400_000,
  count: 1,
  user: { id: 3, name: 'carol' },
  key: { id: 11, name: 'support-desk' },
  filters: [condition('user', '3'), condition('key', '11')],
  now: sums(100, 300_000, 0),
  before: sums(400, 400_000, 0),
  by: 'model',
  rows: [
    {
      key: 'gpt-4o',
      name: 'gpt-4o',
      amount: 2_000_000,
      filters: [condition('key', '11'), condition('model', 'gpt-4o')],
    },
    { key: '', name: '', amount: 400_000, filters: [condition('key', '11')] },
  ],
}

const report: ChangeReport = {
  from,
  to: from + day,
  reference: [1, 2, 3, 4].map((weeks) => ({ from: from - weeks * 7 * day, to: from - weeks * 7 * day + day })),
  kind: 'weekday',
  now: { ...sums(500, 1, 0), quota: 8_940_000 },
  before: sums(1_000, 1, 0),
  usual: 5_890_000,
  difference: 3_050_000,
  calm: false,
  terms: [
    longer,
    {
      effect: 'cache',
      amount: 750_000,
      count: 1,
      model: 'claude-3-7-sonnet',
      filters: [condition('model', 'claude-3-7-sonnet')],
      now: sums(100, 100_000, 23_000),
      before: sums(400, 400_000, 240_000),
      by: 'channel',
      rows: [{ key: '4', name: 'OpenRouter Claude', amount: 750_000, filters: [condition('channel', '4')] }],
      event: {
        id: 5,
        at: from + 36_840,
        kind: 'channel_added',
        channel_id: 4,
        name: 'OpenRouter Claude',
        detail: '',
        actor: 'root',
        entry: { actor_id: 1, action: 'channel.create', object: 'channel', object_id: '4', before: {}, after: {} },
      },
    },
    {
      effect: 'calls',
      amount: -100_000,
      count: 12,
      filters: [],
      now: sums(500, 1, 0),
      before: sums(1_000, 1, 0),
      by: 'key',
      rows: [{ key: '0', name: '', owner: 'dave', amount: -100_000, filters: [condition('user', '4')] }],
    },
  ],
}

it('explains yesterday in amounts that add up, each with its figures and its parts', async () => {
  const requests = fakeFetch({ 'GET /api/changes': () => report })
  const title = { zh: '图表', en: 'Charts' }
  const charts = { path: '/charts', staticData: { title, leadsFrom: { figures: true } } } as const
  await renderAmongPages(<ScreenParts place="today" />, '/start', [charts])
  const why = within(await screen.findByRole('region', { name: 'Why it changed' }))
  await why.findByText('+$6.10')
  expect(why.getByText('$17.88, usually $11.78 · vs. the last 4 Fridays')).toBeTruthy()
  expect(why.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
    'prompts 3 × as long from key support-desk of carol (3,000 tokens per call)',
    expect.stringMatching(
      /^cache share of claude-3-7-sonnet fell from 60 ?% to 23 ?% after channel OpenRouter Claude was added on 20 Nov 10:14$/,
    ),
    'fewer calls by 12 other keys',
  ])
  expect(['+$4.80', '+$1.50', '−$0.20'].every((amount) => why.getAllByText(amount).length > 0)).toBe(true)
  const address = new URL(why.getAllByRole('link')[0]?.getAttribute('href') ?? '', 'http://console.test')
  expect(Object.fromEntries(address.searchParams)).toMatchObject({
    metric: 'input_tokens',
    by: 'model',
    range: `${from}..${from + day - 1}`,
    filter: JSON.stringify([
      ['user', 'is', '3'],
      ['key', 'is', '11'],
    ]),
  })
  const [first] = why.getAllByRole('button', { name: 'Breakdown' })
  if (first !== undefined) fireEvent.click(first)
  expect(why.getByText('+$4.00')).toBeTruthy()
  expect(why.getByText('+$0.80')).toBeTruthy()
  expect(why.getByRole('link', { name: 'gpt-4o' })).toBeTruthy()
  expect(why.getByText('Other')).toBeTruthy()
  expect(requests.length).toBe(1)
})

it('is calm on a usual day, and asks users about themselves', async () => {
  signIn(1)
  fakeFetch({
    'GET /api/changes/self': () => ({ ...report, usual: 8_900_000, difference: 40_000, calm: true, terms: [] }),
  })
  await renderConsole(<ScreenParts place="today" />, '/')
  expect(await screen.findByText('Like a usual Friday')).toBeTruthy()
})

it('says where there is nothing to compare with', async () => {
  fakeFetch({
    'GET /api/changes': () => ({ ...report, kind: 'days', reference: [], usual: 0, difference: 0, terms: [] }),
  })
  await renderConsole(<ScreenParts place="today" />, '/')
  expect(await screen.findByText('No earlier data to compare with yet')).toBeTruthy()
  expect(screen.getByRole('region', { name: 'Why it changed' }).dataset.short).toBe('true')
})

it('heads a call with the median of its model', async () => {
  fakeFetch({
    'GET /api/changes/call': () => ({
      model: 'gpt-4o',
      quota: 4_200,
      median: 1_000,
      calls: 80,
      prompt: 5_094,
      cached: 0,
    }),
  })
  await renderConsole(<ScreenParts place="about a call" about="202611290156" />, '/')
  const ratio = await screen.findByText('4.2 × the median of gpt-4o')
  expect(ratio.parentElement?.textContent).toBe(
    '4.2 × the median of gpt-4o: 5,094 input tokens, none of them from the cache',
  )
})

it('heads a session with the median of those of its user', async () => {
  signIn(1)
  fakeFetch({
    'GET /api/changes/self/session': () => ({ quota: 500, median: 1_000, sessions: 12, prompt: 100, cached: 25 }),
  })
  await renderConsole(<ScreenParts place="about a session" about="abc" />, '/')
  const ratio = await screen.findByText(/^50 ?% of the median of recent sessions$/)
  expect(ratio.parentElement?.textContent).toMatch(/: 100 input tokens, 25 ?% of them from the cache$/)
})

it.each([
  ['about a user', '7', 100, '/api/changes', [condition('user', '7')]],
  ['about a key', '11', 1, '/api/changes/self', [condition('key', '11')]],
  ['about a statement', `${from}..${from + day}@7`, 100, '/api/changes', [condition('user', '7')]],
  ['about a statement', `${from}..${from + day}@1`, 1, '/api/changes/self', []],
] as const)('compares %s %s for role %s', async (place, about, role, path, filters) => {
  signIn(role)
  const asked: string[] = []
  fakeFetch({
    [`GET ${path}`]: ({ query }: Sent) => {
      asked.push(query.filters ?? '')
      return { ...report, kind: 'before', reference: [{ from: from - day, to: from }], terms: [longer] }
    },
  })
  await renderConsole(<ScreenParts place={place} about={about} />, '/')
  const amount = await screen.findByText('+$4.80')
  expect(amount.parentElement?.textContent).toContain('$17.88, previously $11.78 · +$4.80 prompts 3 × as long')
  expect(asked).toEqual([JSON.stringify(filters)])
})
