import { screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import type { FigureCondition, FigureReport, Organisation, UsageReport } from '#web/lib/api/contract.ts'
import { setLanguage } from '#web/lib/i18n.ts'
import { statusStore } from '#web/lib/status.ts'
import { fakeFetch } from '#web/test/fake-fetch.ts'
import { renderConsole } from '#web/test/render-console.tsx'
import { OrganisationExplore } from './organisation-explore.tsx'
import { logSearchOf } from './question/log-search.ts'
import { choicesFor } from './question/view.ts'

const day = 86_400
const start = 1_763_596_800
const organisation: Organisation = {
  id: 7,
  name: 'Northwind',
  time_zone: 'UTC',
  models: [],
  domain: '',
  role: 'billing',
  may: ['read_all'],
  own_providers: false,
  balance: 0,
  spent: 0,
  teams: [],
  projects: [],
  members: [
    {
      user_id: 5,
      username: 'ann',
      display_name: 'Ann Petit',
      suspended: false,
      role: 'member',
      teams: [],
      keys: 1,
      spent: null,
      cap: null,
    },
  ],
}

const figures = { value: 500_000, before: 400_000, share: 0.5, calls: 4, cache_share: null, first_p95: 900 }
const row = (key: string, name: string) => ({ key, name, rest: false, ...figures })
const report: FigureReport = {
  from: start,
  to: start + day,
  rollup: 'day',
  utc_days: false,
  buckets: [start],
  refresh_minutes: 5,
  series: [{ key: '3', name: 'billing-api', rest: false, values: [500_000] }],
  sums: [500_000],
  sums_before: [400_000],
  rest_values: 0,
  more: false,
  rows: [
    { ...row('3', 'billing-api'), rows: [row('5', 'ann')] },
    { ...row('0', ''), rows: [] },
  ],
  total: { ...figures, share: 1 },
}
const totals = { quota: 500_000, count: 8, prompt_tokens: 900, completion_tokens: 100, failures: 2 }
const usage: UsageReport = {
  from: start,
  to: start + day,
  granularity: 'day',
  utc_days: false,
  buckets: [],
  series: [],
  top: [],
  totals,
  before: { ...totals, quota: 250_000, failures: 0 },
  refresh_minutes: 5,
}

const draw = async (path = '/organisation/7?tab=explore&second=member') => {
  const sent = fakeFetch({
    'GET /api/organisation/7/explore': () => report,
    'GET /api/organisation/7/dashboard': () => usage,
  })
  await renderConsole(<OrganisationExplore organisation={organisation} />, path)
  return sent
}

beforeEach(() => {
  setLanguage('en')
  const shown = { enable_data_export: true, display_in_currency: true, quota_per_unit: 500_000 }
  statusStore.set({ ...statusStore.get(), ...shown })
})

describe('the figures of an organisation', () => {
  it('are asked by project within its fence, with the time before, and lead to its calls', async () => {
    const sent = await draw()
    const legend = within(await screen.findByRole('table', { name: 'Project, then Member' }))
    expect(screen.getByText('+100.0% vs previous period')).toBeTruthy()
    // Eight that were answered, and two that failed.
    expect(screen.getByText('10')).toBeTruthy()
    const asked = sent.find(({ path }) => path === '/api/organisation/7/explore')
    expect(asked?.query).toMatchObject({ by: 'project', second: 'member', compare: 'before' })
    expect(sent.map(({ path }) => path).filter((path) => path.startsWith('/api/explore'))).toEqual([])
    const link = new URL(
      legend.getByRole('link', { name: 'Log for Ann Petit' }).getAttribute('href') ?? '',
      'https://x',
    )
    expect([link.pathname, Object.fromEntries(link.searchParams)]).toEqual([
      '/organisation/7',
      { tab: 'calls', project_id: '3', member_id: '5', range: `${start}..${start + day - 1}` },
    ])
    // Calls of keys without a project cannot be listed alone.
    expect(legend.queryByRole('link', { name: 'Log for No project' })).toBeNull()
  })

  it('say so where the site sums nothing', async () => {
    statusStore.set({ ...statusStore.get(), enable_data_export: false })
    expect(await draw()).toEqual([])
    expect(screen.queryByRole('table')).toBeNull()
  })

  it('are split by what people of an organisation may see', () => {
    const { metrics, dimensions } = choicesFor({ mine: true, organisation: 7 })
    expect(metrics).not.toContain('margin')
    expect(dimensions).toEqual([
      'model',
      'key',
      'team',
      'project',
      'member',
      'group',
      'status',
      'session',
      'end_user',
      'tag',
    ])
  })

  it('narrow its calls only by what their list knows', () => {
    const filters: FigureCondition[] = [
      { dimension: 'tag', is: 'is', values: ['env=test'] },
      { dimension: 'project', is: 'not', values: ['3'] },
      { dimension: 'group', is: 'is', values: ['x'] },
    ]
    const search = logSearchOf({ organisation: 7 }, { from: 1, to: 2 }, { values: [], filters }, (_, key) => key)
    expect(search).toEqual({ range: '1..2', tag: 'env=test' })
  })
})
