import { type ReportKind, sourceSettings } from '@tollgate/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { print } from '#server/billing/decimal.ts'
import { createEgressGuard } from '#server/lib/security/egress.ts'
import { openUndiciUpstream } from '#server/relay/upstream/upstream-undici.ts'
import { json, openTestUpstream, type TestUpstream } from '#server-test/support/gateway/upstream.ts'
import { createGetJson } from './get-json.ts'
import { reportApiOf } from './index.ts'
import { modelOfLineItem } from './openai.ts'

const from = Date.UTC(2026, 10, 5) / 1000
const day = 86_400
const period = { from, until: from + day }

let provider: TestUpstream
beforeAll(async () => {
  provider = await openTestUpstream()
})
afterAll(() => provider.close())

const rests: number[] = []
const egress = createEgressGuard({ allow: [], operator: true })
const upstream = openUndiciUpstream({ egress })

/** Reads a report over HTTP; answers come by path, each in the order of its calls. */
const read = async (kind: ReportKind, answers: Readonly<Record<string, readonly unknown[]>>, settings: object = {}) => {
  provider.received.length = 0
  const asked = new Map<string, number>()
  provider.answer = (call) => {
    const [path = ''] = call.path.split('?')
    const turn = asked.get(path) ?? 0
    asked.set(path, turn + 1)
    json(answers[path]?.[turn] ?? { data: [], has_more: false })(call)
  }
  const get = createGetJson({ upstream, egress, rest: async (ms) => void rests.push(ms) }, 'secret-key-of-the-account')
  const access = {
    baseUrl: provider.url,
    key: 'secret-key-of-the-account',
    settings: sourceSettings.parse(settings),
    get,
  }
  const lines = await reportApiOf(kind)?.read(access, period)
  return (lines ?? []).map(({ cost, ...line }) => ({ ...line, cost: cost === null ? null : print(cost) }))
}

const queries = (path: string) =>
  provider.received
    .filter((call) => call.path.startsWith(path))
    .map((call) => new URL(call.path, provider.url).searchParams)

describe('OpenAI', () => {
  const usage = '/v1/organization/usage/completions'
  const costs = '/v1/organization/costs'

  it('is asked page by page for tokens and dollars', async () => {
    const result = {
      model: 'gpt-4o-2024-08-06',
      num_model_requests: 3,
      input_tokens: 900,
      input_cached_tokens: 500,
      output_tokens: 70,
    }
    const amount = { value: 0.0017, currency: 'usd' }
    const lines = await read(
      'openai',
      {
        [usage]: [
          { data: [{ start_time: from, results: [result] }], has_more: true, next_page: 'page_2' },
          { data: [{ start_time: from + day, results: [] }], has_more: false, next_page: null },
        ],
        [costs]: [{ data: [{ start_time: from, results: [{ line_item: 'gpt-4o-2024-08-06, input', amount }] }] }],
      },
      { projects: ['proj_a', 'proj_b'] },
    )
    expect(lines).toEqual([
      {
        day: from,
        model: 'gpt-4o-2024-08-06',
        requestId: '',
        calls: 3,
        input: 400,
        cacheRead: 500,
        cacheWrite: null,
        output: 70,
        cost: null,
      },
      {
        day: from,
        model: 'gpt-4o-2024-08-06',
        requestId: '',
        calls: null,
        input: null,
        cacheRead: null,
        cacheWrite: null,
        output: null,
        cost: '0.0017',
      },
    ])
    const [first, second] = queries(usage)
    expect([first?.get('start_time'), first?.get('end_time'), first?.get('page')]).toEqual([
      String(from),
      String(from + 2 * day),
      null,
    ])
    expect([second?.get('page'), second?.getAll('project_ids[]')]).toEqual(['page_2', ['proj_a', 'proj_b']])
    expect(provider.received[0]?.headers.authorization).toBe('Bearer secret-key-of-the-account')
  })

  it.each([
    ['gpt-4o-mini-2024-07-18, cached input', 'gpt-4o-mini-2024-07-18'],
    ['priority | gpt-5.6-sol, output, long context', 'gpt-5.6-sol'],
    ['gpt-audio-mini-2025-12-15 audio, input', 'gpt-audio-mini-2025-12-15'],
    ['web search tool calls', ''],
  ])('line item %s', (item, model) => expect(modelOfLineItem(item)).toBe(model))
})

it('Anthropic is asked for tokens, which count no calls, and for cents', async () => {
  const starting_at = '2026-11-05T00:00:00Z'
  const usage = {
    model: 'claude-sonnet-4-6',
    uncached_input_tokens: 100,
    cache_read_input_tokens: 2_000,
    cache_creation: { ephemeral_1h_input_tokens: 30, ephemeral_5m_input_tokens: 20 },
    output_tokens: 7,
  }
  const cost = { model: 'claude-sonnet-4-6', amount: '123.4500', currency: 'USD', workspace_id: null }
  const search = { model: null, amount: '10', currency: 'USD', workspace_id: null }
  const lines = await read('anthropic', {
    '/v1/organizations/usage_report/messages': [{ data: [{ starting_at, results: [usage] }], has_more: false }],
    '/v1/organizations/cost_report': [{ data: [{ starting_at, results: [cost, search] }], has_more: false }],
  })
  expect(lines).toMatchObject([
    { day: from, model: 'claude-sonnet-4-6', calls: null, input: 100, cacheRead: 2_000, cacheWrite: 50, output: 7 },
    { day: from, model: 'claude-sonnet-4-6', input: null, cost: '1.2345' },
    { day: from, model: '', cost: '0.1' },
  ])
  expect(queries('/v1/organizations/usage_report')[0]?.get('ending_at')).toBe('2026-11-07T00:00:00Z')
  expect(provider.received[0]?.headers['x-api-key']).toBe('secret-key-of-the-account')
})

it('OpenRouter is asked for its activity, of which the days of the period count', async () => {
  const row = {
    model: 'openai/gpt-4.1',
    model_permaslug: 'openai/gpt-4.1-2025-04-14',
    usage: 0.015,
    requests: 5,
    prompt_tokens: 50,
    completion_tokens: 125,
  }
  const lines = await read('openrouter', {
    '/api/v1/activity': [
      {
        data: [
          { ...row, date: '2026-11-04' },
          { ...row, date: '2026-11-05' },
        ],
      },
    ],
  })
  expect(lines).toMatchObject([
    { day: from, model: 'openai/gpt-4.1-2025-04-14', calls: 5, input: 50, cacheRead: null, output: 125, cost: '0.015' },
  ])
})

describe("another panel's log", () => {
  const row = (change: object = {}) => ({
    created_at: from + 60,
    type: 2,
    model_name: 'gpt-4o',
    quota: 2_500,
    prompt_tokens: 900,
    completion_tokens: 70,
    other: '{"cache_tokens":500,"request_id":"20261105x"}',
    ...change,
  })
  const status = { success: true, data: { quota_per_unit: 500_000 } }

  it('is read in pages, and as a list without pages', async () => {
    const page = { success: true, data: { items: [row(), row({ type: 5 })], total: 2 } }
    const claude = row({ prompt_tokens: 400, other: '{"cache_tokens":500,"claude":true}' })
    const line = { day: from, model: 'gpt-4o', calls: 1, input: 400, cacheRead: 500, output: 70, cost: '0.005' }
    expect(
      await read('panel', { '/api/status': [status], '/api/log/self': [page, page] }, { user_id: '7' }),
    ).toMatchObject([{ ...line, requestId: '20261105x' }])
    expect(provider.received.at(-1)?.headers).toMatchObject({
      'new-api-user': '7',
      authorization: 'secret-key-of-the-account',
    })
    const list = { success: true, data: [claude] }
    const lists = [list, list, { success: true, data: [] }]
    expect(await read('panel', { '/api/status': [status], '/api/log/self': lists })).toMatchObject([line])
    expect(queries('/api/log/self').map((query) => query.get('p'))).toEqual(['1', '0', '1'])
  })
})

describe('what goes wrong', () => {
  const answering = async (status: number, body: unknown, headers: Record<string, string> = {}) => {
    let calls = 0
    const get = createGetJson(
      { upstream, egress, rest: async (ms) => void rests.push(ms) },
      'secret-key-of-the-account',
    )
    provider.answer = (call) => {
      calls += 1
      if (typeof body === 'string') call.response.writeHead(status, headers).end(body)
      else json(body, status, headers)(call)
    }
    const api = reportApiOf('openai')
    const access = { baseUrl: provider.url, key: 'secret-key-of-the-account', settings: sourceSettings.parse({}), get }
    const error = await api?.read(access, period).catch((thrown: unknown) => thrown)
    return { error: String(error), calls }
  }

  it.each([401, 403])('a key that is refused with %i is not tried again', async (status) => {
    const { error, calls } = await answering(status, { error: { message: 'bad key secret-key-of-the-account' } })
    expect(error).toContain(`The provider rejected the key (status ${status})`)
    expect(error).not.toContain('secret-key')
    expect(calls).toBe(1)
  })

  it('limits are waited for as long as the provider says, and named in the end', async () => {
    rests.length = 0
    const { error, calls } = await answering(429, {}, { 'retry-after': '7' })
    expect(error).toContain('The provider is rate limiting')
    expect([calls, rests]).toEqual([3, [7_000, 7_000]])
  })

  it('failures of the provider are tried again', async () => {
    rests.length = 0
    const { error, calls } = await answering(503, {})
    expect(error).toContain('status code: 503')
    expect([calls, rests]).toEqual([3, [2_000, 4_000]])
  })

  it.each([
    ['no JSON', '<html>', 'isn’t JSON'],
    ['another shape', { data: [{ start_time: 'today', results: [] }] }, 'cannot be read: data.0.start_time'],
    ['a negative count', { data: [{ start_time: 1, results: [{ num_model_requests: -1 }] }] }, 'num_model_requests'],
  ])('an answer with %s is refused', async (_, body, text) =>
    expect((await answering(200, body)).error).toContain(text),
  )

  it('pages that do not end are refused', async () => {
    const { error } = await answering(200, { data: [], has_more: true, next_page: 'again' })
    expect(error).toContain('more than 500 pages')
  })

  it('addresses pass the egress guard', async () => {
    const get = createGetJson({ upstream, egress, rest: async () => {} }, 'key')
    const access = { baseUrl: 'http://169.254.169.254', key: 'key', settings: sourceSettings.parse({}), get }
    await expect(reportApiOf('openai')?.read(access, period)).rejects.toThrow('Address 169.254.169.254 is not allowed')
  })
})
