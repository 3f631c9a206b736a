import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import type { ReconciledDay, ReportImport, ReportSource } from '#web/lib/api/contract.ts'
import { storeUser } from '#web/lib/api/session.ts'
import { setLanguage } from '#web/lib/i18n.ts'
import { fakeFetch } from '#web/test/fake-fetch.ts'
import { renderConsole } from '#web/test/render-console.tsx'
import { ResultScreen } from './result/screen.tsx'
import { ReconciliationScreen } from './screen.tsx'

beforeEach(() => {
  setLanguage('en')
  storeUser({ id: 1, username: 'root', display_name: '', role: 100, status: 1, group: '' })
})

/** 5 November 2026 (UTC). */
const day = Date.UTC(2026, 10, 5) / 1000

const settings: ReportSource['settings'] = {
  projects: [],
  user_id: '',
  columns: {},
  input_includes_cache: true,
  per_dollar: '1',
  utc_offset: 0,
}

const source = (change: Partial<ReportSource> = {}): ReportSource => ({
  id: 4,
  kind: 'openai',
  name: 'Organisation',
  channel_ids: [3],
  base_url: '',
  settings,
  key_hint: 'sk-a***wxyz',
  created_time: day,
  ...change,
})

const imported = (change: Partial<ReportImport> = {}): ReportImport => ({
  id: 9,
  source_id: 4,
  source_name: 'Organisation',
  kind: 'openai',
  channel_ids: [3],
  from: day,
  until: day + 86_400,
  utc_offset: 0,
  file_name: '',
  status: 'done',
  error: '',
  lines: 12,
  ours_cost: '0.41',
  theirs_cost: '0.46125',
  difference: '0.05125',
  causes: [{ cause: 'price_changed', amount: '0.05125' }],
  calls: null,
  created_time: day + 90_000,
  finished_time: day + 90_010,
  username: 'root',
  ...change,
})

const side = { calls: 41, input: 16_400, cache_read: 32_800, cache_write: 0, output: 12_300, cost: '0.205' }

const days: readonly ReconciledDay[] = [
  {
    day: day + 86_400,
    model: 'gpt-4o',
    ours: side,
    theirs: { ...side, cost: '0.25625' },
    difference: '0.05125',
    causes: [{ cause: 'price_changed', amount: '0.05125', factor: '1.25' }],
    lines: 4,
    detailed: true,
  },
  { day, model: 'gpt-4o', ours: side, theirs: side, difference: '0', causes: [], lines: 4, detailed: true },
]

const channels = { items: [{ id: 3, name: 'main' }], total: 1, page: 1, page_size: 100 }

const answers = (sources: readonly ReportSource[], imports: readonly ReportImport[]) => ({
  'GET /api/channel/browse': () => channels,
  'GET /api/reconciliation/sources': () => sources,
  'GET /api/reconciliation/imports': () => ({ items: imports, total: imports.length, page: 1, page_size: 10 }),
})

/** jsdom's files have no `text`. */
const csvFile = (text: string): File =>
  Object.assign(new File([text], 'bill.csv', { type: 'text/csv' }), { text: async () => text })

describe('the list of imports', () => {
  it('shows what differs and why', async () => {
    fakeFetch(answers([source()], [imported()]))
    await renderConsole(<ReconciliationScreen />, '/reconciliation')
    const row = within(await screen.findByRole('row', { name: /Organisation/ }))
    expect(row.getByText('5 Nov 2026')).toBeDefined()
    expect(row.getByText('6 Nov 2026')).toBeDefined()
    expect(await row.findByText('main #3')).toBeDefined()
    expect(row.getByText(/Price differs/)).toBeDefined()
    expect(row.getAllByText('+$0.0513').length).toBeGreaterThan(0)
  })

  it('asks for a source first', async () => {
    fakeFetch(answers([], []))
    await renderConsole(<ReconciliationScreen />, '/reconciliation')
    expect(await screen.findByText('No reports yet')).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Import report' })).toBeNull()
    expect(screen.getAllByRole('button', { name: 'Add source' }).length).toBeGreaterThan(0)
  })
})

describe('the form of a source', () => {
  it('needs a name, a channel and a key, and sends no key that was not entered', async () => {
    const user = userEvent.setup()
    const sent = fakeFetch({
      ...answers([source()], []),
      'POST /api/reconciliation/sources': () => source({ name: 'renamed' }),
    })
    await renderConsole(<ReconciliationScreen />, '/reconciliation?source=new')
    await user.click(await screen.findByRole('button', { name: 'Save' }))
    for (const text of ['Enter a name', 'Choose at least one channel', 'Enter the key'])
      expect(await screen.findByText(text)).toBeDefined()
    expect(sent.some(({ method }) => method === 'POST')).toBe(false)
  })

  it('keeps the stored key when it is left blank', async () => {
    const user = userEvent.setup()
    const sent = fakeFetch({
      ...answers([source()], []),
      'POST /api/reconciliation/sources': () => source({ name: 'renamed' }),
    })
    await renderConsole(<ReconciliationScreen />, '/reconciliation?source=4')
    const name = await screen.findByLabelText(/^Name/)
    await user.clear(name)
    await user.type(name, 'renamed')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(sent.find(({ method }) => method === 'POST')?.body).toMatchObject({ id: 4, key: '' }))
  })
})

describe('the form of an import', () => {
  it('sends whole days', async () => {
    const user = userEvent.setup()
    const sent = fakeFetch({ ...answers([source()], []), 'POST /api/reconciliation/imports': () => ({ id: 9 }) })
    await renderConsole(<ReconciliationScreen />, '/reconciliation?add=1')
    for (const [label, date] of [
      ['First day', '2026-11-05'],
      ['Last day', '2026-11-06'],
    ] as const) {
      const field = await screen.findByLabelText(label)
      await user.clear(field)
      await user.type(field, date)
    }
    await user.click(screen.getByRole('button', { name: 'Import' }))
    await waitFor(() =>
      expect(sent.find(({ method }) => method === 'POST')?.body).toEqual({
        source_id: 4,
        from: day,
        until: day + 86_400,
        utc_offset: 0,
      }),
    )
  })

  it('shows the first rows of a CSV file and what its columns seem to mean, and keeps that with the source', async () => {
    const user = userEvent.setup()
    const columns = { day: 'Date', cost: 'Amount' }
    const sent = fakeFetch({
      ...answers([source({ kind: 'csv', key_hint: '' })], []),
      'POST /api/reconciliation/preview': () => ({
        header: ['Date', 'Amount'],
        rows: [['2026-11-05', '1.5']],
        columns,
      }),
      'POST /api/reconciliation/sources': () => source({ kind: 'csv' }),
      'POST /api/reconciliation/imports': () => ({ id: 9 }),
    })
    await renderConsole(<ReconciliationScreen />, '/reconciliation?add=1')
    const file = csvFile('Date,Amount\n2026-11-05,1.5')
    await user.upload(await screen.findByLabelText('File', { selector: 'input' }), file)
    const preview = within(await screen.findByRole('region', { name: 'First rows' }))
    expect(preview.getByText('1.5')).toBeDefined()
    await user.click(screen.getByRole('button', { name: 'Import' }))
    await waitFor(() => {
      const posted = new Map(sent.filter(({ method }) => method === 'POST').map(({ path, body }) => [path, body]))
      expect(posted.get('/api/reconciliation/sources')).toMatchObject({ id: 4, settings: { columns } })
      expect(posted.get('/api/reconciliation/imports')).toMatchObject({ source_id: 4, file: { name: 'bill.csv' } })
    })
  })

  it('refuses a file that is too large before it is sent', async () => {
    const user = userEvent.setup()
    const sent = fakeFetch(answers([source({ kind: 'azure_csv', key_hint: '' })], []))
    await renderConsole(<ReconciliationScreen />, '/reconciliation?add=1')
    const file = csvFile('x'.repeat(8 * 1024 * 1024 + 1))
    await user.upload(await screen.findByLabelText('File', { selector: 'input' }), file)
    expect(await screen.findByText(/exceeds 8 MB/)).toBeDefined()
    expect(sent.some(({ method }) => method === 'POST')).toBe(false)
  })
})

describe('the result', () => {
  const result = {
    'GET /api/channel/browse': () => channels,
    // The test's router has no routes, so that the address holds no id.
    'GET /api/reconciliation/imports/NaN': () => ({ ...imported(), days }),
    'GET /api/reconciliation/imports/9/lines': () => ({
      items: [{ id: 1, day, model: 'gpt-4o-2024-08-06', request_id: '', ...side }],
      total: 1,
      page: 1,
      page_size: 20,
    }),
  }

  it('can be narrowed to what differs', async () => {
    fakeFetch(result)
    await renderConsole(<ResultScreen />, '/reconciliation/9?show=different')
    expect(await screen.findByText(/×1.25/)).toBeDefined()
    expect(screen.getAllByRole('row')).toHaveLength(2)
    expect(screen.queryByText('Matched')).toBeNull()
  })

  const counts = { ids: 'matched', matched: 40, there: 1, here: 0, different: 2, unnamed: 3, unasked: 60 } as const
  const listedCall = {
    id: 1,
    at: day + 60,
    model: 'gpt-4o',
    provider_request_id: 'gen-7',
    request_id: 'req-7',
    ours: { ...side, calls: 1, cost: '0.005' },
    theirs: { ...side, calls: 1, cost: '0.01' },
    difference: '0.005',
    causes: [{ cause: 'price_changed', amount: '0.005', factor: '2' }],
  }

  it('shows single calls that differ, and each opens its entry in the log', async () => {
    const user = userEvent.setup()
    const sent = fakeFetch({
      ...result,
      'GET /api/reconciliation/imports/NaN': () => ({ ...imported({ id: 9, calls: counts }), days }),
      'GET /api/reconciliation/imports/9/calls': ({ query }) => ({
        items: query.list === 'different' ? [listedCall] : [],
        total: query.list === 'different' ? 1 : 0,
        page: 1,
        page_size: 10,
      }),
    })
    await renderConsole(<ResultScreen />, '/reconciliation/9')
    expect(await screen.findByText(/Matched 40 calls.* 3 more recorded calls.*60 more recorded calls/)).toBeDefined()
    await user.click(screen.getByText('By call'))
    const row = within(await screen.findByRole('row', { name: /gen-7/ }))
    expect(row.getByText(/Price differs/)).toBeDefined()
    expect(row.getByRole('link', { name: 'req-7' }).getAttribute('href')).toBe('/log?request=req-7')
    await user.click(screen.getByText('Only reported (1)'))
    expect(await screen.findByText('No such calls')).toBeDefined()
    expect(sent.some(({ query }) => query?.list === 'there')).toBe(true)
  })

  it('says that the ids are of another kind', async () => {
    const none = { ...counts, ids: 'other_ids', matched: 0 } as const
    fakeFetch({
      ...result,
      'GET /api/reconciliation/imports/NaN': () => ({ ...imported({ calls: none }), days }),
    })
    await renderConsole(<ResultScreen />, '/reconciliation/9')
    expect(await screen.findByText(/different request IDs/)).toBeDefined()
    expect(screen.queryByText('By call')).toBeNull()
  })

  it('opens a day with both sides, the causes in words, and the lines of the report', async () => {
    const sent = fakeFetch(result)
    await renderConsole(<ResultScreen />, `/reconciliation/9?open=${day + 86_400}.gpt-4o`)
    const sheet = within(await screen.findByRole('dialog'))
    expect(await sheet.findByText(/Same tokens, but not the list price/)).toBeDefined()
    expect(sheet.getAllByText('32,800').length).toBeGreaterThan(1)
    expect(await sheet.findByText('gpt-4o-2024-08-06')).toBeDefined()
    expect(sent.some(({ path }) => path === '/api/reconciliation/imports/9/lines')).toBe(true)
  })
})
