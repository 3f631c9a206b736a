import { deflateRawSync } from 'node:zlib'
import type { Endpoint } from '@tollgate/contract'
import { z } from 'zod'
import { moduleRights } from '../../../modules/lists/rights.ts'
import type { Person } from './people.ts'
import type { Ask } from './site.ts'

/** Whom and what a call is about. */
export interface About {
  /** A user named in a path or body. */
  readonly target: Person
  /** Owner of the named token, session or channel. */
  readonly owner: Person
  /** The session of `owner`, or of `target` where the path names one, as its list names it. */
  readonly publicSession: string
}

type Json = Readonly<Record<string, unknown>>

/** A value that a schema takes, as small as possible. */
const sampleOf = (schema: Json): unknown => {
  if ('const' in schema) return schema.const
  if (Array.isArray(schema.enum)) return schema.enum[0]
  const [first] = (schema.anyOf ?? schema.oneOf ?? []) as readonly Json[]
  if (first) return sampleOf(first)
  const { type, minLength = 1, minimum = 1, minItems = 0, items = {} } = schema as Record<string, never>
  if (type === 'string') return 'x'.repeat(Number(minLength))
  if (type === 'integer' || type === 'number') return Math.max(Number(minimum), 1)
  if (type === 'boolean') return false
  if (type === 'array') return Array.from({ length: Number(minItems) }, () => sampleOf(items))
  const { properties = {}, required = [] } = schema as { properties?: Record<string, Json>; required?: string[] }
  return Object.fromEntries(required.map((name) => [name, sampleOf(properties[name] ?? {})]))
}

const jsonSchemas = new Map<z.ZodType, Json>()

/** Made once for each schema: thousands of calls ask for it. */
const jsonSchemaOf = (schema: z.ZodType): Json => {
  const known = jsonSchemas.get(schema)
  if (known !== undefined) return known
  const made = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Json
  jsonSchemas.set(schema, made)
  return made
}

const sampleFor = (schema: z.ZodType): unknown => sampleOf(jsonSchemaOf(schema))

/** The names that a schema of a query or body knows. */
export const fieldsOf = (schema: z.ZodType | undefined): readonly string[] =>
  schema === undefined ? [] : Object.keys((jsonSchemaOf(schema).properties ?? {}) as object)

/** Another value than the one before, and never the default 0: saving what is there changes nothing. */
let retryTimes = 0
const nextRetryTimes = (): string => {
  retryTimes = (retryTimes % 99) + 1
  return String(retryTimes)
}

const provider = (slug: string) => ({
  slug,
  name: 'Provider',
  connection: { kind: 'oidc', issuer: 'https://idp.example', client_id: 'gate' },
})
const limitRule = (key = 1) => ({
  name: 'limit',
  measure: 'requests',
  amount: 1_000_000,
  window: 'day',
  subjects: [{ kind: 'key', value: String(key) }],
})
/** A price list as the console sends it. */
const pricesFile = deflateRawSync(
  '[{"provider":"openai","model":"gpt-4o","source":"","prices":[{"rates":{"input":"3","output":"12"}}]}]',
).toString('base64')

/** Names and weights that no call before has sent: a change to what is there already would leave no trace. */
let sent = 0
const newName = (beginning: string): string => {
  sent += 1
  return `${beginning}${sent}`
}
const newWeight = (): number => {
  sent += 1
  return 101 + (sent % 900)
}

/** Bodies where the smallest one would do nothing, or not be about anybody. */
const bodies: Readonly<Record<string, (about: About) => unknown>> = {
  'POST /api/organisation/invitation': () => ({ secret: 'x'.repeat(43) }),
  'POST /api/organisation/invitation/accept': () => ({ secret: 'x'.repeat(43) }),
  'POST /api/organisation/:id/transfer': () => ({ direction: 'in', amount: 1, transfer_id: 'transfer-1' }),
  'POST /api/organisation/:id/keys/reveal': ({ owner }) => ({ key_id: owner.projectKeyId }),
  'POST /api/organisation/:id/keys/rotate': ({ owner }) => ({ key_id: owner.projectKeyId }),
  'POST /api/organisation/:id/member/remove': ({ owner }) => ({ user_id: owner.id }),
  'PUT /api/organisation/:id/member': ({ owner }) => ({ user_id: owner.id, team_id: 0, role: 'owner' }),
  'PUT /api/organisation/site/:id/fences': () => ({ subject: 'organisation', subject_id: 0, tags: ['eu'] }),
  'PUT /api/organisation/:id/cap': ({ owner }) => ({ subject: 'member', subject_id: owner.id, amount: 5 }),
  'PUT /api/user/self': () => ({ display_name: 'renamed' }),
  'DELETE /api/user/self': ({ owner }) => ({ username: owner.username }),
  'POST /api/user/': () => ({ username: newName('n'), password: 'long enough' }),
  'POST /api/user/add': () => ({ username: newName('n'), entry: { kind: 'key' } }),
  'POST /api/user/invitation/accept': () => ({ id: 1, secret: 'x'.repeat(43), password: 'long enough' }),
  'PUT /api/user/': ({ target }) => ({ id: target.id, display_name: 'renamed', quota_delta: 1, reason: 'test' }),
  'POST /api/user/manage': ({ target }) => ({ id: target.id, action: 'disable' }),
  'PUT /api/token/': ({ owner }) => ({ id: owner.tokenId, name: 'renamed' }),
  'POST /api/token/': () => ({ name: 'fresh', unlimited_quota: true }),
  'POST /api/token/batch/create': () => ({ name: 'fresh', unlimited_quota: true, count: 2 }),
  'POST /api/token/keys': ({ owner }) => ({ ids: [owner.tokenId] }),
  'POST /api/token/batch': ({ owner }) => ({ ids: [owner.tokenId] }),
  'POST /api/token/batch/status': ({ owner }) => ({ ids: [owner.tokenId], status: 2 }),
  'POST /api/token/batch/run': ({ owner }) => ({ which: { ids: [owner.tokenId] }, act: { kind: 'status', status: 2 } }),
  'POST /api/user/batch/run': ({ target }) => ({ which: { ids: [target.id] }, act: { kind: 'disable' } }),
  'PUT /api/user/setting': () => ({ notify_type: 'email', quota_warning_threshold: 1000 }),
  'PUT /api/view/shared': () => ({
    views: { [newName('v')]: { table: 'logs', name: 'v', search: {} } },
  }),
  'PUT /api/user/self/preferences': () => ({ time_zone: 'UTC' }),
  'PUT /api/models/card': () => ({ model: newName('m'), description: 'own words' }),
  'POST /api/channel/': () => ({ type: 1, name: 'fresh', key: 'sk-fresh', models: 'gpt-4o', group: 'default' }),
  'PUT /api/channel/': ({ owner }) => ({ id: owner.channelId, weight: newWeight() }),
  'POST /api/channel/batch': ({ owner }) => ({ ids: [owner.channelId] }),
  'POST /api/channel/batch/tag': ({ owner }) => ({ ids: [owner.channelId], tag: 'us' }),
  'POST /api/channel/batch/run': ({ owner }) => ({
    which: { ids: [owner.channelId] },
    act: { kind: 'weight', weight: newWeight() },
  }),
  'POST /api/channel/tag/enabled': () => ({ tag: 'eu' }),
  'POST /api/channel/tag/disabled': () => ({ tag: 'eu' }),
  'PUT /api/channel/tag': () => ({ tag: 'eu', weight: newWeight() }),
  'PUT /api/channel/:id/keys': ({ owner }) => ({ key_id: owner.channelKeyId, status: 2 }),
  'POST /api/channel/:id/keys/remove': ({ owner }) => ({ key_id: owner.channelKeyId }),
  'POST /api/channel/:id/keys': () => ({ keys: 'sk-another-key' }),
  'POST /api/channel/:id/key': () => ({}),
  'POST /api/channel/keys/compare': ({ owner }) => ({ channels: [{ id: owner.channelId, key: 'sk-x' }] }),
  'POST /api/channel/test/unsaved': ({ owner }) => ({ id: owner.channelId, channel: {} }),
  'POST /api/channel/fetch_models': () => ({ type: 1, base_url: 'http://127.0.0.1:9', key: 'sk-x' }),
  'POST /api/identity_providers': () => provider(newName('p')),
  'PUT /api/identity_providers/:id': () => provider(newName('p')),
  'POST /api/identity_providers/test': () => ({ connection: provider('p').connection }),
  'POST /api/organisation/:id/identity_providers/test': () => ({ connection: provider('p').connection }),
  'POST /api/organisation/:id/domain': () => ({ domain: 'x.example' }),
  'POST /api/organisation/:id/identity_providers': () => provider(newName('p')),
  'PUT /api/organisation/:id/identity_providers/:provider': () => provider(newName('p')),
  'POST /api/limits': () => limitRule(),
  'PUT /api/limits/:id': ({ owner }) => limitRule(owner.tokenId),
  'POST /api/limits/self': ({ owner }) => limitRule(owner.tokenId),
  'PUT /api/limits/self/:id': ({ owner }) => limitRule(owner.tokenId),
  'POST /api/option/price_preview': () => ({ changes: [{ key: 'ModelRatio', value: '{}' }] }),
  'POST /api/declared_usage/:id': () => ({ as: 'informative' }),
  'POST /api/price_lists/upload': () => ({ name: 'prices.json', packed: pricesFile }),
  'POST /api/option/compare': () => ({ secrets: [{ key: 'SMTPToken', value: 'x' }] }),
  'POST /api/option/test_mail': () => ({ to: 'operator@x.example' }),
  'PUT /api/option/': () => ({ key: 'RetryTimes', value: nextRetryTimes() }),
  'PUT /api/option/batch': () => ({ changes: [{ key: 'RetryTimes', value: nextRetryTimes() }] }),
  ...Object.assign({}, ...moduleRights.map(({ bodies }) => bodies)),
}

/** Queries where the smallest one would be refused. */
const queries: Readonly<Record<string, (about: About) => Readonly<Record<string, string>>>> = {
  'GET /api/log/clear': () => ({ target_timestamp: '1' }),
  'DELETE /api/log/': () => ({ target_timestamp: '1' }),
  'GET /api/models/use': () => ({ model: 'gpt-4o' }),
  'GET /api/organisation/:id/domain': () => ({ domain: 'x.example' }),
  'GET /api/organisation/:id/keys/limits': ({ owner }) => ({ key: String(owner.projectKeyId) }),
  'GET /api/limits/self/state': () => ({ key: '0' }),
  'GET /api/route/explain': () => ({ model: 'gpt-4o' }),
  'DELETE /api/models/card': () => ({ model: 'gpt-4o' }),
}

const idFor = (path: string, { target, owner, publicSession }: About): string => {
  if (path.startsWith('/api/user/self/sessions/')) return publicSession
  if (path.startsWith('/api/user/self/access_tokens/')) return String(owner.namedTokenId)
  if (path.startsWith('/api/organisation/')) return String(owner.organisationId)
  if (path === '/api/user/topup/:id/complete') return String(owner.pendingOrderId)
  if (path.startsWith('/api/declared_usage/')) return String(owner.unknownUsageId)
  if (path.startsWith('/api/user/topup/')) return String(owner.orderId)
  if (path === '/api/price_lists/:id/undo') return String(owner.appliedId)
  if (path.startsWith('/api/price_lists/')) return String(owner.proposalId)
  const inModule = moduleRights.flatMap(({ ids = [] }) => ids).find(([beginning]) => path.startsWith(beginning))
  if (inModule !== undefined) return String(owner.inModules[inModule[1]])
  const ofUser = moduleRights.flatMap(({ userIds = [] }) => userIds).some((beginning) => path.startsWith(beginning))
  if (path.startsWith('/api/identity_providers/')) return String(owner.siteProviderId)
  if (path.startsWith('/api/limits/')) return String(owner.limitId)
  if (path.startsWith('/api/log/')) return String(owner.logId)
  if (path.startsWith('/api/user/') || ofUser) return String(target.id)
  if (path.startsWith('/api/channel/')) return String(owner.channelId)
  return String(owner.tokenId)
}

/** Replaces the parameters of modules by numbers of this person's things. */
const withNumbers = (path: string, { inModules }: Person): string =>
  moduleRights
    .flatMap(({ params = {} }) => Object.entries(params))
    .reduce((text, [param, name]) => text.replace(param, String(inModules[name])), path)

export const nameOf = ({ method, path }: Endpoint): string => `${method} ${path}`

/** A call of an endpoint that its schemas take, without credentials. */
export const callOf = (endpoint: Endpoint, about: About): Ask => {
  const path = withNumbers(endpoint.path, about.target)
    .replace('identity_providers/:provider', `identity_providers/${about.owner.ownProviderId}`)
    .replace(':provider', 'github')
    .replace(':slug', `site-${about.owner.id}`)
    .replace(':id', idFor(endpoint.path, about))
    .replace(':session', about.publicSession)
    .replace(':token', String(about.target.namedTokenId))
  const sample = (endpoint.query ? sampleFor(endpoint.query) : {}) as Record<string, string>
  const name = nameOf(endpoint)
  const ofModule = moduleRights.find(({ queries: named }) => named?.[name])?.queries?.[name]
  const query = new URLSearchParams({ ...sample, ...queries[name]?.(about), ...ofModule })
  const body = bodies[name]?.(about) ?? (endpoint.body ? sampleFor(endpoint.body) : undefined)
  return {
    method: endpoint.method,
    path: query.size > 0 ? `${path}?${query}` : path,
    ...(body === undefined ? {} : { body }),
  }
}

/** Credentials in the forms that callers use. */
export const withSession = (
  person: Person,
  userId: number | undefined = person.id,
): Readonly<Record<string, string>> => ({
  cookie: `session=${person.session}`,
  ...(userId === undefined ? {} : { 'new-api-user': String(userId) }),
})
export const cookieOnly = (person: Person): Readonly<Record<string, string>> => ({
  cookie: `session=${person.session}`,
})
export const withNamedToken = (person: Person): Readonly<Record<string, string>> => ({
  authorization: `Bearer ${person.namedToken}`,
  'new-api-user': String(person.id),
})
export const withAccessToken = (person: Person): Readonly<Record<string, string>> => ({
  authorization: `Bearer ${person.accessToken}`,
  'new-api-user': String(person.id),
})
