import { setTimeout as wait } from 'node:timers/promises'
import type { Channel, ChannelHealth, LogEntry, Page, Token } from '@tollgate/contract'
import { startBusyProvider } from './busy-provider.ts'
import { addKey, type Person, signIn } from './operator.ts'
import type { ScriptedUpstream } from './scripted-upstream.ts'
import { type Site, startSite } from './site.ts'

/** A site as operators know it: channels in every state, keys in every state, people, and a log of real calls. */
export interface BusySite {
  readonly site: Site
  readonly upstream: ScriptedUpstream
  readonly root: Person
  /** The request that was tried twice before it was answered. */
  readonly retried: string
  /** Number of the operator's organisation, with a team, a project and money. */
  readonly organisation: number
  close(): Promise<void>
}

export const customerPassword = 'battery-staple'

const claude = 'claude-3-7-sonnet-20250219'

const channels = [
  {
    type: 1,
    name: 'OpenAI main',
    key: 'sk-main-4f7c91d2e8',
    models: 'gpt-4o,gpt-4o-mini,o3-mini,text-embedding-3-small',
    group: 'default,vip',
    priority: 10,
    weight: 5,
    tag: 'primary',
  },
  {
    type: 3,
    name: 'Azure Sweden',
    key: 'sk-crowded-4f7c91d2e8',
    other: '2024-12-01-preview',
    models: 'o3-mini',
    group: 'default,vip',
    priority: 20,
    weight: 3,
    tag: 'primary',
  },
  {
    type: 20,
    name: 'OpenRouter Claude',
    key: 'sk-caching-4f7c91d2e8',
    models: `${claude},claude-3-5-haiku-20241022`,
    group: 'default,vip',
    priority: 10,
    weight: 5,
    tag: 'claude',
  },
  {
    type: 48,
    name: 'xAI',
    key: 'sk-slow-4f7c91d2e8',
    models: 'grok-3-beta,grok-3-mini-beta',
    group: 'default,vip',
    priority: 5,
    weight: 1,
  },
  {
    type: 43,
    name: 'DeepSeek 官方',
    key: 'sk-revoked-4f7c91d2e8',
    models: 'deepseek-chat,deepseek-reasoner',
    group: 'default,vip',
    priority: 10,
    weight: 1,
  },
  {
    type: 40,
    name: 'SiliconFlow backup',
    key: 'sk-silicon-4f7c91d2e8',
    models: 'deepseek-chat',
    group: 'default,vip',
    priority: 0,
    weight: 1,
    tag: 'backup',
  },
  {
    type: 42,
    name: 'Mistral trial',
    key: 'sk-broken-4f7c91d2e8',
    models: 'gpt-4',
    group: 'default,vip',
    priority: 0,
    weight: 1,
  },
  {
    type: 8,
    name: 'Local vLLM',
    key: 'sk-local-4f7c91d2e8',
    models: 'gpt-4o-mini',
    group: 'internal',
    priority: -5,
    weight: 0,
  },
] as const

const people = [
  { username: 'alice', display_name: 'Alice Moreau', group: 'vip', dollars: 120, key: 'production' },
  { username: 'bob', display_name: 'Bob Lindqvist', group: 'default', dollars: 25, key: 'notebook' },
  { username: 'carol', display_name: 'Carol Okafor', group: 'vip', dollars: 60, key: 'support-desk' },
  { username: 'ci-bot', display_name: 'CI bot', group: 'internal', dollars: 5, key: 'nightly' },
  { username: 'dave', display_name: 'Dave', group: 'default', dollars: 0, key: 'first try' },
] as const

const calls: readonly { model: string; stream?: boolean; by: readonly string[] }[] = [
  { model: 'gpt-4o', by: ['alice', 'bob', 'alice', 'root', 'bob', 'alice', 'carol'] },
  { model: 'gpt-4o', stream: true, by: ['alice', 'carol', 'alice', 'root'] },
  { model: claude, by: ['alice', 'carol', 'carol', 'alice', 'bob', 'carol', 'root'] },
  { model: claude, stream: true, by: ['carol', 'alice', 'alice'] },
  { model: 'gpt-4o-mini', by: ['bob', 'bob', 'root', 'alice', 'bob', 'carol', 'bob', 'bob'] },
  { model: 'gpt-4o-mini', stream: true, by: ['bob', 'carol'] },
  { model: 'deepseek-chat', by: ['bob', 'alice', 'carol', 'bob', 'root', 'alice'] },
  { model: 'o3-mini', by: ['alice', 'carol', 'bob'] },
  { model: 'text-embedding-3-small', by: ['carol', 'carol', 'alice', 'bob', 'carol', 'alice'] },
  { model: 'grok-3-mini-beta', by: ['alice', 'root'] },
  { model: 'gpt-4', by: ['bob', 'alice'] },
  { model: 'gpt-4o', by: ['dave'] },
]

const dollar = 500_000

const addPeople = async (url: string, root: Person): Promise<Map<string, string>> => {
  const keys = new Map<string, string>()
  for (const { username, display_name, group, dollars, key } of people) {
    await root.must('POST', '/api/user/', { username, password: customerPassword, display_name })
    const person = await signIn(url, username, customerPassword)
    await root.must('PUT', '/api/user/', { id: person.id, group, quota_delta: dollars * dollar, reason: 'invoice' })
    keys.set(username, await addKey(person, { name: key }))
  }
  keys.set('root', await addKey(root, { name: 'operations' }))
  return keys
}

/** Keys of the operator in every state that the list can show. */
const addKeys = async (root: Person): Promise<void> => {
  const now = Math.floor(Date.now() / 1000)
  const limited = { unlimited_quota: false }
  await addKey(root, { ...limited, name: 'billing export', remain_quota: 40 * dollar })
  await addKey(root, { ...limited, name: 'used up', remain_quota: 0 })
  await addKey(root, { name: 'two days left', expired_time: now + 2 * 86_400 })
  await addKey(root, { name: 'last winter', expired_time: now - 90 * 86_400 })
  await addKey(root, { name: 'chat widget', group: 'vip', model_limits_enabled: true, model_limits: 'gpt-4o-mini' })
  await addKey(root, { name: 'office only', allow_ips: '203.0.113.7' })
  await addKey(root, { name: 'left behind' })
  const { items } = await root.must<Page<Token>>('GET', '/api/token/browse?keyword=left behind')
  await root.must('PUT', '/api/token/?status_only=true', { id: items[0]?.id, status: 2 })
}

/** Limits that refuse nothing: one for each key, and budgets of a month. */
const addLimits = async (root: Person): Promise<void> => {
  const limits = [
    { name: 'requests of a key', measure: 'requests', amount: 500, window: 'month', subjects: [{ kind: 'key' }] },
    { name: 'budget of vip', measure: 'money', amount: 20 * dollar, window: 'month', tell_at: [50, 80, 100] },
    { name: 'tokens of vip', measure: 'tokens', amount: 2000, window: 'forever', action: 'tell' },
  ]
  const subjects = [{ kind: 'group', value: 'vip' }]
  for (const limit of limits) await root.must('POST', '/api/limits', { subjects, ...limit })
}

const addOrganisation = async (root: Person): Promise<number> => {
  const { id } = await root.must<{ id: number }>('POST', '/api/organisation/', { name: 'Northwind' })
  const at = `/api/organisation/${id}`
  const team = await root.must<{ id: number }>('PUT', `${at}/team`, { team_id: 0, name: 'Platform' })
  const project = { project_id: 0, team_id: team.id, name: 'billing-api' }
  const { id: projectId } = await root.must<{ id: number }>('PUT', `${at}/project`, project)
  await root.must('POST', `${at}/transfer`, { direction: 'in', amount: 40 * dollar, transfer_id: 'first-transfer' })
  await root.must('PUT', `${at}/cap`, { subject: 'project', subject_id: projectId, amount: 30 * dollar })
  await root.must('PUT', '/api/option/', { key: 'OrganisationProvidersEnabled', value: true })
  await root.must('POST', `${at}/identity_providers`, {
    slug: 'northwind',
    name: 'Company account',
    sign_up: false,
    connection: { kind: 'oidc', issuer: 'https://login.northwind.example', client_id: 'tollgate' },
    rules: [{ value: 'engineers', organisation_id: id, team_id: team.id, role: 'member' }],
  })
  return id
}

/** Each caller's calls of Claude are one session, as of a coding agent. */
const sessionOf = (caller: string, model: string): Record<string, string> =>
  model === claude ? { 'x-session-id': `work of ${caller}` } : {}

interface MadeCall {
  readonly key: string
  readonly caller: string
  readonly model: string
  readonly stream: boolean
}

const call = async (url: string, { key, caller, model, stream }: MadeCall): Promise<void> => {
  const embedding = model.startsWith('text-embedding')
  const body = embedding
    ? { model, input: 'toll booth' }
    : { model, stream, messages: [{ role: 'user', content: 'Which gate is open?' }] }
  const response = await fetch(`${url}/v1/${embedding ? 'embeddings' : 'chat/completions'}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      ...sessionOf(caller, model),
    },
    body: JSON.stringify(body),
  })
  await response.text()
}

const patienceMs = 10_000

/** The id of a request for this model; rows are written after the answer, so `least` of them are waited for. */
const requestOf = async (root: Person, model: string, least: number): Promise<string> => {
  const until = Date.now() + patienceMs
  for (;;) {
    const { total } = await root.must<Page<LogEntry>>('GET', '/api/log/?page_size=1')
    const { items } = await root.must<Page<LogEntry>>('GET', `/api/log/?type=2&model_name=${model}`)
    const [row] = items
    if (row !== undefined && total >= least) return row.request_id
    if (Date.now() > until) throw new Error(`${total} of ${least} calls are in the log, ${items.length} for ${model}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** Starts from one end of every list in turn, so that people and models mix. */
const mixed = (): { model: string; stream: boolean; caller: string }[] => {
  const rounds = Math.max(...calls.map(({ by }) => by.length))
  return Array.from({ length: rounds }, (_, round) =>
    calls.flatMap(({ model, stream = false, by }) => {
      const caller = by[round]
      return caller === undefined ? [] : [{ model, stream, caller }]
    }),
  ).flat()
}

/** Models rest some seconds after a 429: pictures that come sooner or later would differ. */
const restEnds = async (root: Person): Promise<void> => {
  while ((await root.must<ChannelHealth[]>('GET', '/api/channel/health')).some(({ avoided }) => avoided > 0))
    await wait(200)
}

export const openBusySite = async (): Promise<BusySite> => {
  const upstream = await startBusyProvider()
  const site = await startSite({ GLOBAL_WEB_RATE_LIMIT_ENABLE: 'false', UPDATE_TASK: 'false' })
  const root = await signIn(site.url)
  const set = (key: string, value: unknown) => root.must('PUT', '/api/option/', { key, value })
  await set('GroupRatio', JSON.stringify({ default: 1, vip: 0.8, internal: 0.5 }))
  await set('AutomaticDisableChannelEnabled', true)
  await set('RetryTimes', 2)
  await set('SessionLimits', JSON.stringify({ '*': { money: 10, calls: 200, repeats: 5 } }))
  for (const channel of channels) await root.must('POST', '/api/channel/', { ...channel, base_url: upstream.url })
  const { items } = await root.must<Page<Channel>>('GET', '/api/channel/browse?page_size=100')
  const idOf = (name: string) => items.find((channel) => channel.name === name)?.id
  await root.must('PUT', '/api/channel/', { id: idOf('Local vLLM'), status: 2 })
  const keys = await addPeople(site.url, root)
  await addKeys(root)
  await addLimits(root)
  // One after the other: lists and bills are the same in every run.
  for (const name of ['OpenAI main', 'OpenRouter Claude', 'xAI', 'SiliconFlow backup'])
    await root.ask('GET', `/api/channel/test/${idOf(name)}`)
  const made = mixed()
  for (const entry of made) await call(site.url, { ...entry, key: keys.get(entry.caller) ?? '' })
  const retried = await requestOf(root, 'o3-mini', made.length)
  const organisation = await addOrganisation(root)
  await restEnds(root)
  return {
    organisation,
    site,
    upstream,
    root,
    retried,
    close: async () => {
      await site.remove()
      await upstream.close()
    },
  }
}
