import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import {
  openTestChannels,
  openTestRelay,
  testCaller,
  testChannel,
  testOptions,
} from '../../../test/support/relay/ports.ts'
import { decimal } from '../../billing/decimal.ts'
import type { JsonObject } from '../../dialects/conversation/json.ts'
import { dialects } from '../../dialects/index.ts'
import { AppError } from '../../lib/app-error.ts'
import type { RelayCall } from '../../relay/call.ts'
import { createFileFence } from '../../relay/direct/file-fence.ts'
import { openSourceVersion } from '../../relay/plan/source-version.ts'
import type { Caller, RelayOptions } from '../../relay/ports.ts'
import { programOf } from '../../relay/programs/program-of.ts'
import { bodyBoundsOf, parseBody } from '../bodies/parsed-body.ts'
import { createCallPlans } from '../plan/call-plans.ts'
import type { RequestContext } from '../request-context.ts'
import { createRoutes } from '../routes.ts'
import { createStoredTurns } from '../stored/stored-turns.ts'
import { admitBody } from './admit.ts'
import type { AdmitParts } from './admit-parts.ts'
import { admitPlain } from './admit-plain.ts'
import { createKeyFinder } from './key-of.ts'

/** A call that is admitted in one step is the one that the general way makes of the same request. */

const options: RelayOptions = {
  ...testOptions,
  modelAliases: new Map([['default', new Map([['fast', 'gpt-4o']])]]),
  modelEnds: new Map([['gpt-4', { at: 500, replacedBy: 'gpt-4o' }]]),
}
const channels = openTestChannels(
  testChannel({ models: new Set(['gpt-4o', 'gpt-4', 'ft:gpt-4o:me']) }),
  testChannel({
    id: 2,
    models: new Set(['guarded']),
    passthrough: { groups: new Set(['default']), price: decimal(0), shared: false, keys: new Set(), paths: [] },
  }),
)
const relay = openTestRelay({ settings: options, channels })
afterAll(() => relay.close())

const bounds = bodyBoundsOf(dialects)
const { routeOf } = createRoutes(dialects)
const plans = createCallPlans({
  channels,
  options: relay.options,
  prices: relay.prices,
  sources: openSourceVersion(),
})
/** Without a plan at first, so that every call goes the general way. */
const withoutPlans: AdmitParts = {
  bodies: {
    paid: () => Promise.reject(new Error('no body is read')),
    free: () => Promise.reject(new Error('no body is read')),
    parsed: (_, bytes) => parseBody(bytes, bounds),
  },
  channels,
  groups: { usable: () => ({}), hasRatio: () => true },
  keys: createKeyFinder(dialects),
  options: relay.options,
  turns: createStoredTurns(relay),
  files: createFileFence(relay),
  plans: { ...plans, of: () => undefined },
}
/** As messages of a WebSocket are admitted, which may go on from each other. */
const socketTurns = createStoredTurns({ ...relay, all: true })
const withPlans: AdmitParts = { ...withoutPlans, plans }

interface Request {
  readonly path: string
  readonly body: JsonObject
  readonly headers: Readonly<Record<string, string>>
  readonly caller: Caller
}

const contextOf = ({ path, headers, caller }: Request): RequestContext => {
  const request = new IncomingMessage(new Socket())
  Object.assign(request.headers, headers)
  const [plain = path, query] = path.split('?')
  return {
    id: 'a-call',
    startedAt: 1000,
    request,
    client: { gone: false, begun: false, head() {}, write: () => true, end() {}, abandon() {}, listen() {} },
    path: plain,
    query: query === undefined ? '' : `?${query}`,
    ip: '192.0.2.1',
    program: programOf(request.headers),
    route: routeOf('POST', plain),
    caller,
    model: '',
    stream: false,
    answerHeaders: [],
  }
}

/** All that a call says; its functions by what they do. */
const said = (call: RelayCall): unknown => {
  const { plan: _, withModel, limited, ...facts } = call
  let other: unknown
  try {
    const {
      plan: __,
      withModel: ___,
      limited: ____,
      ...rest
    } = withModel?.(call, { model: 'gpt-4', limit: 'l' }) ?? call
    other = rest
  } catch (error) {
    other = error instanceof AppError ? error.code : error
  }
  return { facts, other, limits: limited !== undefined }
}

const outcome = async (request: Request, parts: AdmitParts): Promise<unknown> => {
  const context = contextOf(request)
  const parsed = parseBody(Buffer.from(JSON.stringify(request.body)), bounds)
  try {
    const { call, turn } = await admitBody(context, request.caller, parsed, parts)
    const { model, stream, answerHeaders } = context
    return { call: said(call), turn, model, stream, answerHeaders }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { code: error.code, message: error.message, model: context.model }
  }
}

const text = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.constantFrom(
    '<system-reminder>x</system-reminder> hi',
    '<system-reminder>x',
    'x-anthropic-billing-header: a\nbe',
    '',
  ),
  fc.constantFrom('You are the GitHub Copilot CLI, a', '{"file_id": "file-1"}', 'word '.repeat(300)),
)
const model = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('gpt-4o', 'gpt-4', 'fast') },
  fc.constantFrom('guarded', 'ft:gpt-4o:me', 'not-listed', '', 'a\u0000b'),
)
/** Nearly always with every member. */
const mostly = (shape: Record<string, fc.Arbitrary<unknown>>) =>
  fc.oneof({ weight: 6, arbitrary: fc.record(shape) }, fc.record(shape, { requiredKeys: [] }))
const some = (shape: Record<string, fc.Arbitrary<unknown>>) => fc.record(shape, { requiredKeys: [] })
const turnsOf = (roles: readonly string[], content: fc.Arbitrary<unknown>, member = 'content') =>
  fc.array(fc.record({ role: fc.constantFrom(...roles), [member]: content }), { minLength: 1, maxLength: 10 })
const settings = some({
  stream: fc.boolean(),
  max_tokens: fc.oneof({ weight: 4, arbitrary: fc.constant(5) }, fc.constantFrom(1_073_741_824, 0)),
  temperature: fc.constant(1),
})
/** Members of bodies that are no plain ones. */
const further = some({
  tools: fc.constant([{ type: 'function', function: { name: 'f' } }]),
  user: text,
  metadata: fc.constant({ session_id: 's', team: 'a' }),
  prompt_cache_key: text,
  store: fc.boolean(),
  models: fc.constant(['gpt-4']),
  previous_response_id: fc.constantFrom('', 'resp_1'),
  conversation: fc.constantFrom('', 'conv_1', null),
})
const parts = fc.array(fc.record({ type: fc.constant('text'), text }), { minLength: 1, maxLength: 3 })
const joined = (...all: readonly fc.Arbitrary<object>[]): fc.Arbitrary<JsonObject> =>
  fc.tuple(...all).map((each) => Object.assign({}, ...each) as JsonObject)

/** Queries that choose how the answer is written, hold a key, name models, or make another call of it. */
const queries = fc.oneof(
  { weight: 4, arbitrary: fc.constant('') },
  fc.constantFrom(
    ...['?', '?a=b', '?alt=sse', '?beta=true', '?key=sk-1', '?alt=sse&key=sk-1', '?key=sk-1&$fields=*', '?key='],
    ...['?model=gpt-4o', '?model=gpt-4', '?model=not-listed', '?models=gpt-4&beta=true', '?Model=', '?MODEL_id=gpt-4'],
    ...['?$httpMethod=GET', '?x-http-method-override=GET', '?%24method=GET', '?%ff=1', '?a%2562=1', '?a=%E0%A4%A'],
  ),
)
const withQuery = (path: string): fc.Arbitrary<string> => queries.map((query) => path + query)

const chat = {
  path: withQuery('/v1/chat/completions'),
  body: joined(mostly({ model, messages: turnsOf(['system', 'developer', 'user', 'assistant'], text) }), settings),
}
const kinds = {
  chat,
  messages: {
    path: withQuery('/v1/messages'),
    body: joined(
      mostly({ model, system: fc.oneof(text, parts), messages: turnsOf(['user', 'assistant'], fc.oneof(text, parts)) }),
      settings,
    ),
  },
  responses: {
    path: withQuery('/v1/responses'),
    body: joined(
      mostly({
        model,
        input: fc.oneof(
          text,
          turnsOf(['user', 'developer'], text),
          turnsOf(['user'], text).map((all) => all.map((turn) => ({ type: 'message', ...turn }))),
        ),
        instructions: text,
      }),
      some({ store: fc.boolean(), stream: fc.boolean() }),
    ),
  },
  gemini: {
    path: fc
      .constantFrom('gpt-4o:generateContent', 'fast:streamGenerateContent', 'gpt-4o:streamGenerateContent')
      .chain((action) => withQuery(`/v1beta/models/${action}`)),
    body: mostly({
      contents: turnsOf(['user', 'model'], fc.array(fc.record({ text }), { minLength: 1, maxLength: 2 }), 'parts'),
      systemInstruction: fc.record({ parts: fc.array(fc.record({ text }), { minLength: 1, maxLength: 2 }) }),
    }) as fc.Arbitrary<JsonObject>,
  },
}

const headers = fc.oneof(
  {
    weight: 2,
    arbitrary: some({
      accept: fc.constant('*/*'),
      'user-agent': fc.constantFrom('OpenAI/Python 2.1', 'node', 'claude-cli/2.1'),
    }),
  },
  some({
    'user-agent': fc.constantFrom('OpenAI/Python 2.1', 'node'),
    'session-id': text,
    'helicone-session-id': fc.constant('s1'),
    'x-tollgate-end-user': text,
    'x-tollgate-tags': fc.constant('team=a'),
    'x-tollgate-include-cost': fc.constantFrom('true', 'false'),
    'anthropic-version': fc.constant('2023-06-01'),
    'anthropic-beta': fc.constant('b'),
  }),
) as fc.Arbitrary<Record<string, string>>

const callers: readonly Caller[] = [
  testCaller,
  { ...testCaller, modelLimits: new Set(['gpt-4o']) },
  { ...testCaller, modelLimits: new Set() },
  { ...testCaller, includeCost: true, tags: ';env=test;' },
  { ...testCaller, project: { id: 1, teamId: 2, memberId: 3 } },
  { ...testCaller, forcedChannel: 1 },
  { ...testCaller, tokenId: 0 },
]

describe.each(Object.entries(kinds))('calls of %s', (_, { path, body }) => {
  it('are admitted alike with a plan and without', async () => {
    const bodies = fc.oneof({ weight: 3, arbitrary: body }, joined(body, further))
    const requests = fc.record({
      path,
      body: bodies,
      headers,
      caller: fc.oneof(fc.constant(testCaller), fc.constantFrom(...callers)),
      isOnSocket: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(requests, async ({ isOnSocket, ...request }) => {
        // WebSockets speak Responses alone.
        const turns = isOnSocket && request.path.startsWith('/v1/responses') ? socketTurns : withPlans.turns
        const quick = await outcome(request, { ...withPlans, turns })
        const general = await outcome(request, { ...withoutPlans, turns })
        expect(quick).toEqual(general)
      }),
      { numRuns: 400 },
    )
  })
})

it('plain calls are admitted in one step, and no others', () => {
  const body = { model: 'fast', messages: [{ role: 'user', content: 'Hello' }] }
  const step = (more: Partial<Request>, isPlain = true) => {
    const request = { path: '/v1/chat/completions', body, headers: {}, caller: testCaller, ...more }
    const parsed = parseBody(Buffer.from(JSON.stringify(request.body)), bounds)
    return admitPlain(
      contextOf(request),
      request.caller,
      { ...parsed, form: undefined, ...(isPlain ? { plain: { maxTokens: 0 } } : {}) },
      withPlans,
    )?.call.model
  }
  const responses = { path: '/v1/responses', body: { model: 'fast', input: 'Hello' } }
  const plain: readonly Partial<Request>[] = [
    {},
    ...[{ path: '/v1/chat/completions?a=b' }, { headers: { 'session-id': 's' } }],
    ...['x-tollgate-end-user', 'x-tollgate-tags', 'x-tollgate-include-cost'].map((name) => ({
      headers: { [name]: 'team=a' },
    })),
    ...[responses, { ...responses, body: { ...responses.body, store: false } }],
    { path: '/v1/messages?beta=true', headers: { 'anthropic-version': '2023-06-01', 'anthropic-beta': 'b' } },
    {
      path: '/v1beta/models/fast:streamGenerateContent?alt=sse&key=sk-1',
      body: { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] },
    },
  ]
  for (const one of plain) expect(step(one), JSON.stringify(one)).toBe('gpt-4o')
  const others: readonly Partial<Request>[] = [
    ...['?model=gpt-4o', '?models=gpt-4'].map((query) => ({ path: `/v1/chat/completions${query}` })),
    { ...responses, body: { ...responses.body, previous_response_id: 'resp_1' } },
    ...['guarded', 'ft:gpt-4o:me', 'not-listed'].map((other) => ({ body: { ...body, model: other } })),
    ...callers
      .slice(2)
      .filter(({ includeCost, project }) => !includeCost && !project)
      .map((caller) => ({ caller })),
  ]
  for (const other of others) expect(step(other), JSON.stringify(other)).toBeUndefined()
  expect(step({}, false)).toBeUndefined()
})
