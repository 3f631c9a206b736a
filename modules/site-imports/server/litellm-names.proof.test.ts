import { virtualModelChange } from '@tollgate/contract'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { completion, json, openTestUpstream, type TestUpstream } from '#server-test/support/gateway/upstream.ts'
import { type LitellmRows, litellmKey, litellmStatements } from '../tests/litellm-rows.ts'
import { newMovedSite, sqliteFile } from '../tests/moved-site.ts'

// Names that stand for other models, and models that answer where others fail, as LiteLLM's router, teams and keys have them.

let upstream: TestUpstream
/** Models that the provider refuses, with the answer. */
const failures = new Map<string, { readonly status: number; readonly message: string }>()
beforeAll(async () => {
  upstream = await openTestUpstream()
  upstream.answer = (received) => {
    const model = String(JSON.parse(String(received.body)).model)
    const failure = failures.get(model)
    if (failure === undefined) return json({ ...completion('hello'), model })(received)
    return json({ error: { message: failure.message, type: 'error', code: null } }, failure.status)(received)
  }
})
afterAll(() => upstream.close())

const model = (name: string) => ({
  model_id: `id-${name}`,
  model_name: name,
  litellm_params: {
    model: `openai/${name}`,
    api_key: 'sk-upstream',
    api_base: `${upstream.url}/v1`,
    input_cost_per_token: 1e-6,
    output_cost_per_token: 1e-6,
  },
  model_info: { id: `id-${name}` },
})

const rows = (router: object, more: LitellmRows = {}): LitellmRows => ({
  Config: [{ param_name: 'router_settings', param_value: router }],
  UserTable: [{ user_id: 'boss', user_role: 'proxy_admin', user_email: 'boss@example.com', models: [] }],
  ProxyModelTable: ['big', 'small', 'wide', 'last'].map(model),
  VerificationToken: [litellmKey('any', { user_id: 'boss' })],
  ...more,
})

const moved = async (from: LitellmRows) => {
  const path = await sqliteFile(litellmStatements(from))
  const target = await newMovedSite()
  const dry = await target.import('litellm', '--from', path, '--dry-run')
  const { code, report } = await target.import('litellm', '--from', path)
  expect(code).toBe(0)
  const again = await target.import('litellm', '--from', path)
  for (const { kind, carried } of again.report.counts) expect([kind, carried]).toEqual([kind, 0])
  const site = await target.open()
  onTestFinished(() => site.close())
  const stored = await site.database.query.selectFrom('virtual_models').select(['name', 'spec']).execute()
  const models = new Map(
    stored.map(({ name, spec }) => [name, virtualModelChange.parse({ name, ...JSON.parse(spec) })] as const),
  )
  const countOf = (from: typeof report) => from.counts.find(({ kind }) => kind === 'virtual_model')?.carried ?? 0
  expect(countOf(dry.report)).toBe(countOf(report))
  const ask = async (key: string, name: string) => {
    const answer = await site.ask({
      method: 'POST',
      path: '/v1/chat/completions',
      headers: { authorization: `Bearer sk-${key}` },
      body: { model: name, messages: [{ role: 'user', content: 'hi' }] },
    })
    // The provider says which model it was asked for.
    return answer.status === 200
      ? upstream.received.map(({ body }) => JSON.parse(String(body)).model).at(-1)
      : answer.status
  }
  return { models, ask, notes: new Map(report.notes.map(({ code: note, examples }) => [note, examples])) }
}

const stepsOf = (models: Awaited<ReturnType<typeof moved>>['models'], name: string) =>
  models.get(name)?.steps.map(({ targets }) => targets.map((target) => target.model).join())

it('falls back on other models as the router does, and on those that these fall back on', async () => {
  const { models, ask, notes } = await moved(
    rows({ fallbacks: [{ big: ['small'] }, { small: ['last'] }, { gone: ['big'] }, { wide: ['elsewhere'] }] }),
  )
  expect([...models.keys()].toSorted()).toEqual(['big', 'small', 'wide'])
  expect(stepsOf(models, 'big')).toEqual(['big', 'small', 'last'])
  expect(models.get('big')?.falls_back_on.toSorted()).toEqual([
    'context',
    'credentials',
    'missing',
    'overload',
    'server',
    'timeout',
  ])
  expect(notes.get('route_left')).toEqual(['gone: gone'])
  expect(notes.get('model_in_file')).toEqual(['elsewhere (wide)'])
  expect(await ask('any', 'big')).toBe('big')
  failures.set('big', { status: 500, message: 'broken' }).set('small', { status: 429, message: 'busy' })
  onTestFinished(() => failures.clear())
  expect(await ask('any', 'big')).toBe('last')
})

it('falls back after prompts that are too long alone, where LiteLLM does', async () => {
  const { models, ask, notes } = await moved(
    rows({
      context_window_fallbacks: [{ small: ['wide'] }, { big: ['wide'] }],
      fallbacks: [{ big: ['last'] }, { last: ['big'] }],
    }),
  )
  expect(models.get('small')?.falls_back_on).toEqual(['context'])
  expect(stepsOf(models, 'small')).toEqual(['small', 'wide'])
  // One list for each virtual model: the other one is named.
  expect(stepsOf(models, 'big')).toEqual(['big', 'last'])
  expect(models.get('big')?.falls_back_on).not.toContain('context')
  expect(notes.get('route_left')).toEqual(['context_window_fallbacks big: wide'])
  failures.set('small', { status: 400, message: 'This model has a maximum context length of 10 tokens' })
  onTestFinished(() => failures.clear())
  expect(await ask('any', 'small')).toBe('wide')
  failures.set('small', { status: 500, message: 'broken' })
  expect(await ask('any', 'small')).toBe(500)
})

it('gives every model of today the fallbacks of all models', async () => {
  const { models } = await moved(rows({ fallbacks: [{ small: ['wide'] }], default_fallbacks: ['last'] }))
  expect([...models.keys()].toSorted()).toEqual(['big', 'small', 'wide'])
  expect(stepsOf(models, 'big')).toEqual(['big', 'last'])
  expect(stepsOf(models, 'small')).toEqual(['small', 'wide', 'last'])
})

it('moves names of the router, whose fallbacks are those of the name itself', async () => {
  const { models, ask, notes } = await moved(
    rows({
      model_group_alias: { 'gpt-4': 'big', hidden: { model: 'small', hidden: true }, lost: 'nowhere' },
      fallbacks: [{ 'gpt-4': ['last'] }, { big: ['small'] }],
    }),
  )
  expect(stepsOf(models, 'gpt-4')).toEqual(['big', 'last'])
  expect(stepsOf(models, 'hidden')).toEqual(['small'])
  expect(notes.get('route_left')).toEqual(['lost: nowhere'])
  expect(notes.get('option_unknown')).toBeUndefined()
  expect(await ask('any', 'gpt-4')).toBe('big')
})

it('moves names that single teams and keys have for models', async () => {
  const team = { team_id: 'core', team_alias: 'Core', organization_id: 'org', models: ['small', 'big'], model_id: 1 }
  const { models, ask, notes } = await moved(
    rows(
      { fallbacks: [{ small: ['last'] }] },
      {
        ModelTable: [{ id: 1, aliases: { fast: 'small', big: 'wide' } }],
        OrganizationTable: [{ organization_id: 'org', organization_alias: 'Org', models: ['small', 'big'] }],
        TeamTable: [team],
        VerificationToken: [
          litellmKey('any', { user_id: 'boss' }),
          litellmKey('in-core', { team_id: 'core', models: ['big'], aliases: { fast: 'small' } }),
          litellmKey('own', { user_id: 'boss', aliases: { big: 'last', mine: 'wide' } }),
          litellmKey('barred', { user_id: 'boss', models: ['small'], aliases: { big: 'small' } }),
        ],
      },
    ),
  )
  expect([...models.keys()].toSorted()).toEqual(['big', 'fast', 'mine', 'small'])
  expect(notes.get('route_all')?.toSorted()).toEqual(['fast', 'mine'])
  // Keys and teams that mean the same by a name need no rules.
  expect(models.get('fast')?.rules).toEqual([])
  expect(
    models
      .get('big')
      ?.rules.map(({ name }) => name)
      .toSorted(),
  ).toEqual(['API keys: last', 'API keys: small', 'Teams: wide'])
  expect(await ask('any', 'big')).toBe('big')
  expect(await ask('in-core', 'big')).toBe('wide')
  expect(await ask('own', 'big')).toBe('last')
  // A team's name passes the lists of its keys; a key's own does not.
  expect(await ask('in-core', 'fast')).toBe('small')
  expect(await ask('barred', 'big')).toBe(403)
  expect(await ask('own', 'mine')).toBe('wide')
  failures.set('small', { status: 500, message: 'broken' })
  onTestFinished(() => failures.clear())
  expect(await ask('in-core', 'fast')).toBe('last')
})

it('limits calls of a model that has fallbacks as those of its virtual model', async () => {
  const { ask } = await moved(
    rows(
      { fallbacks: [{ big: ['small'] }] },
      {
        VerificationToken: [
          litellmKey('slow', { user_id: 'boss', metadata: { model_rpm_limit: { big: 1, wide: 1 } } }),
        ],
      },
    ),
  )
  expect([await ask('slow', 'big'), await ask('slow', 'big')]).toEqual(['big', 429])
  expect([await ask('slow', 'wide'), await ask('slow', 'wide')]).toEqual(['wide', 429])
  expect(await ask('slow', 'small')).toBe('small')
})

it('names settings of keys and teams that have no counterpart', async () => {
  const { notes } = await moved(
    rows(
      {},
      {
        TeamTable: [
          {
            team_id: 'core',
            team_alias: 'Core',
            models: [],
            members: ['boss'],
            router_settings: { num_retries: 1 },
          },
        ],
        VerificationToken: [
          litellmKey('any', { user_id: 'boss', budget_fallbacks: { big: ['small'] }, allowed_routes: ['/v1/models'] }),
        ],
        BudgetTable: [{ budget_id: 'b', max_budget: null, allowed_models: ['small'] }],
        TeamMembership: [{ user_id: 'boss', team_id: 'core', budget_id: 'b', spend: 0 }],
      },
    ),
  )
  expect(notes.get('route_left')).toEqual(['Core: router_settings', 'any: budget_fallbacks'])
  expect(notes.get('token_paths')).toEqual(['any: /v1/models'])
  expect(notes.get('member_models')).toEqual(['boss (Core): small'])
})
