import { role } from '@tollgate/contract'
import { sql } from 'kysely'
import { moduleRights } from '../../../../modules/lists/rights.ts'
import { withSession } from '../calls.ts'
import { pictureText } from '../module-rights.ts'
import type { People, Person } from '../people.ts'
import type { RightsSite } from '../site.ts'

/** A recognisable value of one organisation: letters and digits, so that it passes for names, keys and models. */
export const fenced = (organisation: string, kind: string): string => `fenceZ${organisation}Z${kind.replace(/_/g, '')}Z`

/** The kinds of planted values of an organisation in a text. */
export const fencedIn = (text: string, organisation: string): string[] => [
  ...new Set([...text.matchAll(new RegExp(`fenceZ${organisation}Z([a-z0-9]+)Z`, 'gi'))].map(([, kind = '']) => kind)),
]

/** The places that somebody can have in an organisation. */
export const places = ['owner', 'admin', 'billing', 'member', 'viewer', 'team admin', 'team member'] as const
export type Place = (typeof places)[number]

/** An organisation with people in every place, and a row of its own in every table that can hold one. */
export interface PlantedOrganisation {
  readonly label: string
  readonly id: number
  readonly walletId: number
  readonly teamId: number
  readonly projectId: number
  /** A key of a machine in the project. */
  readonly keyId: number
  readonly key: string
  /** A key of the person in the place `member`. */
  readonly memberKeyId: number
  readonly invitationId: number
  readonly secret: string
  readonly people: Readonly<Record<Place, Person>>
  /** Ids of planted rows, by table. */
  readonly rows: ReadonlyMap<string, number>
}

const now = (): number => Math.floor(Date.now() / 1000)
const hour = (): number => Math.floor(now() / 3600) * 3600

/** Columns by which a row belongs to an organisation, its wallet or one of its keys. */
const owning = [
  ...['organisation_id', 'project_id', 'team_id', 'user_id', 'token_id', 'account_id', 'owner_id', 'target_id'],
  ...['used_user_id', 'actor_id', 'wallet_user_id', 'subject_id'],
]
/** Written by the calls that found the organisation. */
const founded = ['organisations', 'teams', 'projects', 'memberships', 'organisation_invitations', 'users', 'tokens']
/** Rows of people and of the site: a wallet has none, because nobody signs in there, or nothing that could be asked for. */
const notOfWallets: Readonly<Record<string, string>> = {
  sessions: 'nobody signs in',
  identities: 'nobody signs in',
  second_factors: 'nobody signs in',
  recovery_codes: 'nobody signs in',
  challenges: 'nobody signs in',
  preferences: 'nobody signs in',
  ...Object.assign({}, ...moduleRights.map(({ notOfWallets }) => notOfWallets)),
}

const texts = (label: string): Readonly<Record<string, string>> => ({
  'logs.other': JSON.stringify({ admin_info: {}, parameters: { stop: fenced(label, 'parameters') } }),
  'ledger_entries.account': 'user',
  'ledger_entries.reason': 'charge',
  'ledger_entries.detail': JSON.stringify({ note: fenced(label, 'ledgerdetail') }),
  'ledger_hours.account': 'user',
  'ledger_hours.reason': 'topup',
  'opening_uses.account': 'user',
  'audit.before': '{}',
  'audit.after': JSON.stringify({ note: fenced(label, 'trail') }),
  'tasks.data': JSON.stringify({ song: fenced(label, 'taskdata') }),
  'tasks.properties': '{}',
  'tasks.platform': 'suno',
  'tasks.status': 'SUCCESS',
  'tasks.progress': '100%',
  'midjourneys.buttons': '[]',
  'midjourneys.properties': '{}',
  'midjourneys.status': 'SUCCESS',
  'midjourneys.progress': '100%',
  'call_limits.spec': JSON.stringify({
    measure: 'requests',
    amount: 1_000_000,
    window: 'day',
    subjects: [{ kind: 'user', value: fenced(label, 'limitsubject') }],
  }),
  'spend_caps.subject': 'project',
  'spend_caps.period': 'month',
  'failure_hours.class': 'upstream',
  // Reports read the sums of an hour or, in the last one of a day, those of the day.
  'usage_hours.model_name': fenced(label, 'usagemodelname'),
  'usage_days.model_name': fenced(label, 'usagemodelname'),
  'top_ups.money': '1.00',
  'top_ups.status': 'success',
  ...Object.assign({}, ...moduleRights.map(({ columns }) => columns)),
})

export const plantOrganisation = async (
  site: RightsSite,
  people: People,
  root: Person,
  label: string,
): Promise<PlantedOrganisation> => {
  const { query } = site.database
  const done = async (person: Person, method: string, path: string, body?: unknown) => {
    const headers = withSession(person)
    const answer = await site.ask({ method, path: `/api/${path}`, headers, ...(body ? { body } : {}) })
    if (answer.json.success !== true) throw new Error(`${path}: ${answer.text}`)
    return (answer.json.data ?? {}) as Readonly<Record<string, unknown>>
  }
  const word = (kind: string): string => fenced(label, kind)
  const owner = await people.make(role.user)
  const id = Number((await done(owner, 'POST', 'organisation/', { name: word('organisation') })).id)
  const at = `organisation/${id}`
  const team = { team_id: 0, name: word('team'), models: ['gpt-4o', word('teammodel')] }
  const teamId = Number((await done(owner, 'PUT', `${at}/team`, team)).id)
  const project = { project_id: 0, team_id: teamId, name: word('project'), models: ['gpt-4o', word('projectmodel')] }
  const projectId = Number((await done(owner, 'PUT', `${at}/project`, project)).id)
  const join = async (memberRole: string, team_id = 0): Promise<Person> => {
    const person = await people.make(role.user)
    const { secret } = await done(owner, 'POST', `${at}/invitations`, { team_id, role: memberRole })
    await done(person, 'POST', 'organisation/invitation/accept', { secret })
    const display_name = word('membername')
    await query.updateTable('users').set({ display_name }).where('id', '=', person.id).execute()
    return person
  }
  const inPlace: Record<Place, Person> = {
    owner,
    admin: await join('admin'),
    billing: await join('billing'),
    member: await join('member'),
    viewer: await join('viewer'),
    'team admin': await join('admin', teamId),
    'team member': await join('member', teamId),
  }
  const invitation = { team_id: 0, role: 'viewer', email: `${word('invited')}@x.example` }
  const { secret } = await done(owner, 'POST', `${at}/invitations`, invitation)
  const open = (await done(owner, 'GET', `${at}/invitations`)) as unknown as { id: number }[]
  const key = { name: word('keyname'), unlimited_quota: true, project_id: projectId, tags: { team: word('tag') } }
  const made = await done(owner, 'POST', `${at}/keys`, { ...key, member_id: 0 })
  const ofMember = await done(inPlace.member, 'POST', `${at}/keys`, {
    ...key,
    name: word('memberkey'),
    member_id: inPlace.member.id,
  })
  const limit = { name: word('limit'), measure: 'requests', amount: 1_000_000, window: 'day' }
  await done(root, 'POST', 'limits', { ...limit, subjects: [{ kind: 'project', value: String(projectId) }] })
  const { walletId } = await query
    .selectFrom('organisations')
    .select('wallet_user_id as walletId')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

  const values: Readonly<Record<string, number>> = {
    organisation_id: id,
    project_id: projectId,
    team_id: teamId,
    user_id: walletId,
    token_id: Number(made.id),
    account_id: walletId,
    owner_id: walletId,
    target_id: walletId,
    used_user_id: walletId,
    actor_id: walletId,
    wallet_user_id: walletId,
    subject_id: projectId,
    member_id: inPlace.member.id,
    batch_id: id,
    status: 1,
    type: 2,
    quota: 1,
    own_calls: 1,
    enabled: 1,
    count: 1,
    deleted_at: 0,
  }
  const chosen = texts(label)
  const rows = new Map<string, number>()
  for (const table of await query.introspection.getTables()) {
    if (founded.includes(table.name) || Object.hasOwn(notOfWallets, table.name)) continue
    if (!table.columns.some(({ name }) => owning.includes(name))) continue
    const row = Object.fromEntries(
      table.columns.flatMap(({ name, dataType, isAutoIncrementing, isNullable }): [string, string | number][] => {
        const isText = /text|char|clob/i.test(dataType)
        if (isAutoIncrementing || (name === 'id' && !isText) || name === 'deleted_at') return []
        const place = `${table.name}.${name}`
        if (Object.hasOwn(chosen, place)) return [[name, chosen[place] ?? '']]
        if (!isText && Object.hasOwn(values, name)) return [[name, values[name] ?? 0]]
        if (name === 'created_at') return [[name, hour()]]
        if (/_time$|_at$/.test(name)) return [[name, name === 'expires_time' ? now() + 3600 : now()]]
        if (isText) return [[name, fenced(label, `${table.name.replace(/s$/, '')}${name}`)]]
        return isNullable ? [] : [[name, 0]]
      }),
    )
    const columns = Object.keys(row).map((name) => sql.ref(name))
    const cells = Object.values(row).map((value) => sql.val(value))
    const returning = table.columns.some(({ name }) => name === 'id') ? sql`returning id` : sql``
    const inserted = await sql<{
      id: number
    }>`insert into ${sql.table(table.name)} (${sql.join(columns)}) values (${sql.join(cells)}) ${returning}`.execute(
      query,
    )
    rows.set(table.name, Number(inserted.rows[0]?.id ?? 0))
  }
  return {
    label,
    id,
    walletId,
    teamId,
    projectId,
    keyId: Number(made.id),
    key: String(made.key),
    memberKeyId: Number(ofMember.id),
    invitationId: Number(open[0]?.id),
    secret: String(secret),
    people: inPlace,
    rows,
  }
}

const ofModules = moduleRights.flatMap(({ ofUsers = [] }) => ofUsers)

/** Everything of an organisation that its own people alone may change, as one text. */
export const pictureOf = async (site: RightsSite, planted: PlantedOrganisation): Promise<string> => {
  const { query } = site.database
  const of = (table: string, column: string, value: number) =>
    sql`select * from ${sql.table(table)} where ${sql.ref(column)} = ${value}`.execute(query).then(({ rows }) => rows)
  const ofOrganisation = ['teams', 'projects', 'memberships', 'organisation_invitations', 'spend_caps']
  const pictured = [
    await of('organisations', 'id', planted.id),
    await Promise.all(ofOrganisation.map((table) => of(table, 'organisation_id', planted.id))),
    await of('users', 'id', planted.walletId),
    await Promise.all(
      ['tokens', 'tasks', 'midjourneys', 'top_ups', ...ofModules].map((table) =>
        of(table, 'user_id', planted.walletId),
      ),
    ),
    await of('ledger_entries', 'account_id', planted.walletId),
    await of('call_limits', 'owner_id', planted.walletId),
  ]
  return pictureText(pictured)
}
