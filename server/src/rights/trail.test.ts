import { type Endpoint, isChange, role } from '@tollgate/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { moduleRights } from '../../../modules/lists/rights.ts'
import { callOf, nameOf, withSession } from '../../test/rights/calls.ts'
import { kindOf, needsOutside } from '../../test/rights/kinds.ts'
import { createPeople, type People, type Person } from '../../test/rights/people.ts'
import { openRightsSite, type RightsSite } from '../../test/rights/site.ts'

/** Every administrative change leaves a trace. */

let site: RightsSite
let people: People

beforeAll(async () => {
  site = await openRightsSite()
  people = createPeople(site)
})
afterAll(() => site?.close())

/** Lets the relay know the planted channels, and gives the resets of the ratios and of a model's card something to put back. */
const prepare = async (root: Person): Promise<void> => {
  const headers = withSession(root)
  await site.ask({ method: 'POST', path: '/api/channel/fix', headers })
  const body = { key: 'ModelRatio', value: '{"gpt-4o":7}' }
  await site.ask({ method: 'PUT', path: '/api/option/', body, headers })
  const card = { model: 'gpt-4o', description: 'the model of the house' }
  await site.ask({ method: 'PUT', path: '/api/models/card', body: card, headers })
}

/** Changes one endpoint the way its rightful caller would; answers what the trail gained and how the call ended. */
const tracesOf = async (endpoint: Endpoint, callerRole: number) => {
  const caller = await people.make(callerRole)
  if (callerRole === role.root) await prepare(caller)
  const target = await people.make(role.user, { protectedBy2fa: true })
  const before = await people.traces()
  const ask = callOf(endpoint, { target, owner: caller, publicSession: '' })
  const { json } = await site.ask({ ...ask, headers: withSession(caller) })
  return { gained: (await people.traces()) - before, success: json.success, code: json.code }
}

const changesOf = (...access: readonly Endpoint['access'][]): readonly Endpoint[] =>
  site.endpoints().filter((endpoint) => isChange(endpoint) && access.includes(endpoint.access))

it('keeps a trace of every change that administrators make', async () => {
  const unaudited: string[] = []
  for (const endpoint of changesOf('admin', 'root')) {
    const { gained, success, code } = await tracesOf(endpoint, role.root)
    if (gained === 0) unaudited.push(`${nameOf(endpoint)}: ${success ? 'done' : code}`)
  }
  expect(unaudited).toEqual([])
})

/** Users' actions on their own account that need no entry in the audit log. */
const untraced: Readonly<Record<string, string>> = {
  'POST /api/user/self/confirm': 'proves who one is; failures slow down',
  'POST /api/user/2fa/setup': 'nothing has changed yet',
  'POST /api/oauth/:provider/bind': 'nothing has changed yet',
  'POST /api/sso/:slug/bind': 'nothing has changed yet',
  'PUT /api/user/self/preferences': 'how the console looks to its owner',
  'POST /api/user/setting/test': 'sends a notice to oneself',
  ...Object.assign({}, ...moduleRights.map(({ untraced }) => untraced)),
}

it('records changes that users make to their sign-in, possessions and identity', async () => {
  const unaudited: string[] = []
  for (const endpoint of changesOf('user')) {
    const name = nameOf(endpoint)
    if (Object.hasOwn(untraced, name) || needsOutside.has(name)) continue
    const { gained, success, code } = await tracesOf(endpoint, role.user)
    if (gained === 0 && success) unaudited.push(`${name}: ${code ?? 'done'}`)
  }
  expect(unaudited).toEqual([])
  expect(Object.keys(untraced).filter((name) => !kindOf.has(name))).toEqual([])
})

it('never holds a secret', async () => {
  const rows = await site.database.query.selectFrom('audit').selectAll().where('action', '!=', 'planted').execute()
  const kept = JSON.stringify(rows.map(({ before, after }) => [before, after]))
  expect(rows.length).toBeGreaterThan(20)
  for (const kind of ['password', 'accesstoken', 'webhooksecret', 'channelkey', 'apikey', 'totp', 'credential']) {
    expect(kept).not.toContain(`canaryZ${kind}Z`)
  }
})

it('states which administrators signed in, failed to, and signed out', async () => {
  const root = { username: 'root', password: 'correct horse battery' }
  const login = (body: object) => site.ask({ method: 'POST', path: '/api/user/login', body })
  await login({ ...root, password: 'a wrong guess' })
  const { headers } = await login(root)
  const cookie =
    headers
      .getSetCookie()
      .find((text) => text.startsWith('session='))
      ?.split(';')[0] ?? ''
  await site.ask({ method: 'GET', path: '/api/user/logout', headers: { cookie } })
  const rows = await site.database.query
    .selectFrom('audit')
    .selectAll()
    .where('object', '=', 'session')
    .orderBy('id')
    .execute()
  expect(rows.map(({ action, actor_name, ip }) => [action, actor_name, ip !== ''])).toEqual([
    ['session.refused', '', true],
    ['session.start', 'root', true],
    ['session.end', 'root', true],
  ])
  expect(JSON.stringify(rows)).not.toContain('a wrong guess')
})
