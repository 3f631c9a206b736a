import { type Endpoint, endpoints, isChange, leastRole, ownAreaOf, role, userStatus } from '@tollgate/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type About,
  callOf,
  cookieOnly,
  nameOf,
  withAccessToken,
  withNamedToken,
  withSession,
} from '../../test/rights/calls.ts'
import { columnsIn, kindsIn, leaksIn, type Reader } from '../../test/rights/canaries.ts'
import { kindOf, needsOutside, reveals } from '../../test/rights/kinds.ts'
import { createPeople, type People, type Person } from '../../test/rights/people.ts'
import { type Answer, openRightsSite, type RightsSite } from '../../test/rights/site.ts'

/** Every endpoint of the console × every kind of caller, with the outcome that its access rule requires. */

let site: RightsSite
let people: People
const ready: Record<string, Person> = {}

beforeAll(async () => {
  site = await openRightsSite()
  people = createPeople(site)
  await plantOptions()
})
afterAll(() => site?.close())

/** Somebody of this role who has done nothing yet, or whoever is left from a call that changed nothing. */
const createPerson = async (label: string, userRole: number): Promise<Person> => {
  ready[label] ??= await people.make(userRole)
  return ready[label]
}

const plantOptions = async (): Promise<void> => {
  const root = await people.make(role.root)
  const put = (key: string, value: string) =>
    site.ask({ method: 'PUT', path: '/api/option/', body: { key, value }, headers: withSession(root) })
  const secrets = [
    'SMTPToken',
    'GitHubClientSecret',
    'DiscordClientSecret',
    'LinuxDOClientSecret',
    'oidc.client_secret',
    'TelegramBotToken',
  ]
  for (const key of secrets) await put(key, 'canaryZoptionsecretZ0Z')
  for (const key of ['SMTPAccount', 'SMTPFrom']) await put(key, 'canaryZrootoptionZ0Z')
  const listed = await site.ask({ method: 'GET', path: '/api/option/', headers: withSession(root) })
  expect(listed.text).toContain('canaryZrootoptionZ0Z')
  expect(listed.text).toContain('"SMTPToken"')
}

const publicSessionOf = async (person: Person): Promise<string> => {
  const listed = await site.ask({ method: 'GET', path: '/api/user/self/sessions', headers: withSession(person) })
  const sessions = listed.json.data as { id: string; current: boolean }[]
  return sessions.find(({ current }) => !current)?.id ?? ''
}

const aboutOf = async (endpoint: Endpoint, target: Person, owner: Person): Promise<About> => {
  const named = endpoint.path.startsWith('/api/user/self/sessions/:') ? owner : target
  return { target, owner, publicSession: /\/sessions\/:/.test(endpoint.path) ? await publicSessionOf(named) : '' }
}

const assertNoLeak = (answer: Answer, reader: Reader): void => {
  expect(leaksIn(answer.text, reader)).toEqual([])
  expect(columnsIn(answer.text)).toEqual([])
}

const unknownReader: Reader = { id: 0, role: 0 }
const fiveCases = ['not_signed_in', 'user_id_header_missing', 'user_id_header_malformed', 'user_id_header_mismatch']
const gateCodes = [...fiveCases, 'access_token_invalid', 'user_banned', 'permission_denied']
/** Messages for users of the same or a higher role. */
const levelCodes = ['user_read_denied', 'user_update_denied', 'user_delete_denied', 'permission_denied']

const sessionCode = (
  { access }: Endpoint,
  person: Person,
  header: 'right' | 'missing' | 'wrong',
): string | undefined => {
  if (access === 'visitor') return undefined
  if (access === 'token') return 'any'
  if (access !== 'session' && header !== 'right')
    return `user_id_header_${header === 'missing' ? 'missing' : 'mismatch'}`
  return person.role < (leastRole[access] ?? 0) ? 'permission_denied' : undefined
}

/** How one signs in is closed to named tokens. */
const namedTokenCode = (endpoint: Endpoint, person: Person): string | undefined =>
  endpoint.access === 'user' && ownAreaOf(endpoint) === 'sign_in'
    ? 'access_token_not_supported'
    : tokenCode(endpoint, person)

const tokenCode = (endpoint: Endpoint, person: Person): string | undefined => {
  if (endpoint.access === 'visitor') return undefined
  return endpoint.access === 'session' ? 'not_signed_in' : sessionCode(endpoint, person, 'right')
}

interface Caller {
  readonly label: string
  readonly role: number
  readonly headers: (person: Person, other: Person) => Readonly<Record<string, string>>
  /** The code of the refusal, undefined where the call goes through to its handler. */
  readonly refusal: (endpoint: Endpoint, person: Person) => string | undefined
  readonly unknown?: true
}

const closed = ({ access }: Endpoint, code: string): string | undefined => (access === 'visitor' ? undefined : code)

const callers: readonly Caller[] = [
  { label: 'nobody', role: 1, headers: () => ({}), refusal: (e) => closed(e, 'not_signed_in'), unknown: true },
  {
    label: 'a dead session',
    role: 1,
    headers: ({ id }) => ({ cookie: 'session=dead', 'new-api-user': String(id) }),
    refusal: (e) => closed(e, 'not_signed_in'),
    unknown: true,
  },
  {
    label: 'an API key',
    role: 100,
    headers: ({ apiKey, id }) => ({ authorization: `Bearer sk-${apiKey}`, 'new-api-user': String(id) }),
    refusal: (e) => closed(e, e.access === 'session' ? 'not_signed_in' : 'access_token_invalid'),
    unknown: true,
  },
  ...[role.user, role.admin, role.root].flatMap((userRole): Caller[] => [
    {
      label: `session of role ${userRole}`,
      role: userRole,
      headers: (person) => withSession(person),
      refusal: (e, person) => sessionCode(e, person, 'right'),
    },
    {
      label: `session of role ${userRole} without New-Api-User`,
      role: userRole,
      headers: cookieOnly,
      refusal: (e, person) => sessionCode(e, person, 'missing'),
    },
    {
      label: `session of role ${userRole} in another's name`,
      role: userRole,
      headers: (person, other) => withSession(person, other.id),
      refusal: (e, person) => sessionCode(e, person, 'wrong'),
    },
    {
      label: `access token of role ${userRole}`,
      role: userRole,
      headers: withAccessToken,
      refusal: tokenCode,
    },
    {
      label: `named access token of role ${userRole}`,
      role: userRole,
      headers: withNamedToken,
      refusal: namedTokenCode,
    },
    {
      label: `access token of role ${userRole} without New-Api-User`,
      role: userRole,
      headers: ({ accessToken }) => ({ authorization: accessToken }),
      refusal: (e) => closed(e, e.access === 'session' ? 'not_signed_in' : 'user_id_header_missing'),
    },
  ]),
]

/** True if it was done: a file is no envelope. */
const successOf = (endpoint: Endpoint, answer: Answer): boolean | undefined =>
  endpoint.answers === 'file' && answer.json.success === undefined ? answer.status === 200 : answer.json.success

const isOpen = (endpoint: Endpoint, answer: Answer): boolean =>
  // A refusal by the registry of options is not one by the gate.
  kindOf.get(nameOf(endpoint)) === 'option' || !gateCodes.includes(answer.json.code ?? '')

interface Attempt {
  readonly caller: Caller
  readonly person: Person
  readonly refusal: string | undefined
}

const attemptOf = async (endpoint: Endpoint, caller: Caller): Promise<Attempt> => {
  const person = await createPerson(caller.label, caller.role)
  return { caller, person, refusal: caller.refusal(endpoint, person) }
}

const ask = async (endpoint: Endpoint, { caller, person, refusal }: Attempt): Promise<Answer> => {
  const other = await createPerson('other', role.user)
  const call = callOf(endpoint, await aboutOf(endpoint, other, other))
  const answer = await site.ask({ ...call, headers: caller.headers(person, other) })
  if (refusal !== undefined || !reveals.has(nameOf(endpoint)))
    assertNoLeak(answer, caller.unknown ? unknownReader : person)
  return answer
}

const assertRefused = async (endpoint: Endpoint, attempt: Attempt): Promise<void> => {
  const { caller, refusal } = attempt
  const answer = await ask(endpoint, attempt)
  expect([answer.json.success, answer.json.code], caller.label).toEqual([false, refusal])
  expect(answer.status, caller.label).toBe(fiveCases.includes(refusal ?? '') ? 401 : 200)
}

const assertLetIn = async (endpoint: Endpoint, attempt: Attempt): Promise<void> => {
  const { label } = attempt.caller
  const answer = await ask(endpoint, attempt)
  expect(isOpen(endpoint, answer), `${label}: ${answer.text}`).toBe(true)
  // A caller whom the handler refused has changed nothing, and serves for the next call as well.
  if (isChange(endpoint) && answer.json.success !== false) for (const left of [label, 'other']) delete ready[left]
}

/** Refused callers come first: together they may not have changed anything of the person whom the calls are about. */
const assertGate = async (endpoint: Endpoint): Promise<void> => {
  const attempts: Attempt[] = []
  for (const caller of callers) attempts.push(await attemptOf(endpoint, caller))
  const other = await createPerson('other', role.user)
  const before = await people.picture(other)
  for (const attempt of attempts) if (attempt.refusal !== undefined) await assertRefused(endpoint, attempt)
  expect(await people.picture(other), nameOf(endpoint)).toBe(before)
  for (const { caller, refusal } of attempts)
    if (refusal === undefined) await assertLetIn(endpoint, await attemptOf(endpoint, caller))
}

/** Endpoints with the console's gate; those with an API key have a gate of their own, which the relay's tests check. */
const gated = (): Endpoint[] => site.endpoints().filter(({ access }) => access !== 'token')

describe('every endpoint', () => {
  it('that is served stands in the list of the contract, which the OpenAPI document is made from, and the other way round', () => {
    expect(site.endpoints().map(nameOf).toSorted()).toEqual(endpoints.map(nameOf).toSorted())
  })

  it('is classified, with an access level that fits', () => {
    const names = site.endpoints().map(nameOf)
    expect(names.filter((name) => !kindOf.has(name))).toEqual([])
    expect([...kindOf.keys()].filter((name) => !names.includes(name))).toEqual([])
    const fits = {
      public: ['visitor'],
      own: ['user', 'session', 'token'],
      owned: ['user', 'session'],
      user: ['admin'],
      site: ['admin'],
    }
    for (const endpoint of site.endpoints()) {
      const kind = kindOf.get(nameOf(endpoint))
      const allowed = { ...fits, root: ['root'], option: ['admin'] }[kind ?? 'public']
      expect([nameOf(endpoint), allowed]).toEqual([nameOf(endpoint), expect.arrayContaining([endpoint.access])])
    }
  })

  it('lets in the roles of its access level and no others, and answers 401 in the agreed cases only', async () => {
    for (const endpoint of gated()) await assertGate(endpoint)
  }, 600_000)

  it('that asks for an API key takes nothing else', async () => {
    const person = await people.make(role.root)
    for (const endpoint of site.endpoints().filter(({ access }) => access === 'token')) {
      const ask = callOf(endpoint, await aboutOf(endpoint, person, person))
      const refused = await site.ask({ ...ask, headers: withSession(person) })
      expect([nameOf(endpoint), refused.json.code]).toEqual([nameOf(endpoint), 'token_missing'])
      const letIn = await site.ask({ ...ask, headers: { authorization: `Bearer sk-${person.apiKey}` } })
      expect([nameOf(endpoint), letIn.json.success]).toEqual([nameOf(endpoint), true])
    }
  })

  it('is closed to banned users, however they call', async () => {
    for (const endpoint of gated().filter(({ access }) => access !== 'visitor')) {
      const banned = await people.make(role.root, { status: userStatus.disabled })
      const other = await createPerson('other', role.user)
      const ask = callOf(endpoint, await aboutOf(endpoint, other, other))
      for (const headers of [withSession(banned), withAccessToken(banned), withNamedToken(banned)]) {
        const answer = await site.ask({ ...ask, headers })
        const code = endpoint.access === 'session' && !('cookie' in headers) ? 'not_signed_in' : 'user_banned'
        expect([nameOf(endpoint), answer.json.code]).toEqual([nameOf(endpoint), code])
      }
    }
  })

  it('answers the least role that may call it, where no outside service is needed', async () => {
    const seen = new Set<string>()
    for (const endpoint of gated()) {
      const name = nameOf(endpoint)
      if (isChange(endpoint) || needsOutside.has(name)) continue
      const person = await people.make(leastRole[endpoint.access] ?? role.user)
      const target = await people.make(role.user, { protectedBy2fa: true })
      const ask = callOf(endpoint, await aboutOf(endpoint, target, person))
      const before = [await people.picture(person), await people.picture(target), await people.traces()]
      const answer = await site.ask({ ...ask, headers: withSession(person) })
      assertNoLeak(answer, person)
      // The wallet's prices are answered without `success`.
      const success = successOf(endpoint, answer) ?? answer.json.message === 'success'
      const { code } = answer.json
      expect([name, success, code]).toEqual([name, true, undefined])
      // Reading changes nothing: a GET that did would have to say so, or other sites could make people do it.
      const after = [await people.picture(person), await people.picture(target), await people.traces()]
      expect([name, after]).toEqual([name, before])
      for (const kind of kindsIn(answer.text)) seen.add(kind)
    }
    // Visible canaries were found, which proves that they stand in the sources of the answers.
    const visible = [
      'agent',
      'callback',
      'channelname',
      'identity',
      'ledgernote',
      'log',
      'mail',
      'order',
      'tokenname',
      'trail',
      'webhookpath',
    ]
    expect([...seen].toSorted()).toEqual(expect.arrayContaining(visible))
  })
})

describe('objects of other users', () => {
  it.each([role.user, role.admin, role.root])('are out of reach for role %s', async (userRole) => {
    for (const endpoint of site.endpoints()) {
      if (kindOf.get(nameOf(endpoint)) !== 'owned') continue
      const [caller, owner] = [await people.make(userRole), await people.make(role.user)]
      const before = await people.picture(owner)
      const ask = callOf(endpoint, await aboutOf(endpoint, owner, owner))
      const answer = await site.ask({ ...ask, headers: withSession(caller) })
      expect([nameOf(endpoint), answer.json.success]).toEqual([nameOf(endpoint), false])
      assertNoLeak(answer, { ...caller, role: role.user })
      expect(await people.picture(owner)).toBe(before)
    }
  })

  it('stay unchanged when a body about the caller names another user', async () => {
    for (const endpoint of site.endpoints()) {
      if (kindOf.get(nameOf(endpoint)) !== 'own' || !isChange(endpoint)) continue
      const [caller, other] = [await people.make(role.user), await people.make(role.user)]
      const before = await people.picture(other)
      const ask = callOf(endpoint, await aboutOf(endpoint, caller, caller))
      const body = {
        ...(ask.body as object),
        id: other.id,
        user_id: other.id,
        role: 100,
        quota: 999_999_999,
        status: 1,
      }
      const answer = await site.ask({ ...ask, ...(ask.body ? { body } : {}), headers: withSession(caller) })
      assertNoLeak(answer, caller)
      expect([nameOf(endpoint), await people.picture(other)]).toEqual([nameOf(endpoint), before])
      const { role: after } = await site.database.query
        .selectFrom('users')
        .select('role')
        .where('id', '=', caller.id)
        .executeTakeFirstOrThrow()
      expect([nameOf(endpoint), after]).toEqual([nameOf(endpoint), role.user])
    }
  })
})

describe('other users', () => {
  const levels = [
    { actor: role.admin, target: role.user, allowed: true },
    { actor: role.admin, target: role.admin, allowed: false },
    { actor: role.admin, target: role.root, allowed: false },
    { actor: role.root, target: role.user, allowed: true },
    { actor: role.root, target: role.admin, allowed: true },
  ]
  it.each(levels)(
    'of role $target may be seen and changed by role $actor: $allowed',
    async ({ actor, target, allowed }) => {
      for (const endpoint of site.endpoints()) {
        if (kindOf.get(nameOf(endpoint)) !== 'user') continue
        const [caller, other] = [await people.make(actor), await people.make(target, { protectedBy2fa: true })]
        const before = await people.picture(other)
        const ask = callOf(endpoint, await aboutOf(endpoint, other, caller))
        const answer = await site.ask({ ...ask, headers: withSession(caller) })
        expect([nameOf(endpoint), successOf(endpoint, answer)]).toEqual([nameOf(endpoint), allowed])
        if (endpoint.answers !== 'file' || !allowed) expect(answer.json.message).toEqual(expect.any(String))
        if (allowed) assertNoLeak(answer, caller)
        else {
          expect(levelCodes).toContain(answer.json.code)
          assertNoLeak(answer, { ...caller, role: role.user })
          expect(await people.picture(other)).toBe(before)
        }
      }
    },
  )

  it.each(['disable', 'delete', 'demote'])(
    'of the highest role cannot be changed by %s, not even by one another',
    async (action) => {
      const [caller, other] = [await people.make(role.root), await people.make(role.root)]
      const before = await people.picture(other)
      const body = { id: other.id, action }
      const answer = await site.ask({ method: 'POST', path: '/api/user/manage', body, headers: withSession(caller) })
      expect(answer.json.success).toBe(false)
      expect(await people.picture(other)).toBe(before)
    },
  )
})
