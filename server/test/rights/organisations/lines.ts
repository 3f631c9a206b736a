import { moduleRights } from '../../../../modules/lists/rights.ts'
import { fenced, type PlantedOrganisation, places } from './plant.ts'

/**
 * Effect of a call that names things of another organisation, by id or in its body:
 * `refused`: every attempt is answered as for a thing that does not exist.
 * `empty`: it answers, without them.
 * `unaware`: it takes nothing that could belong to another organisation; it is called with their values all the same.
 */
export type Outcome = 'refused' | 'empty' | 'unaware'

export interface Line {
  readonly outcome: Outcome
  /** Values for `:id` in the path, each in turn; 0 for an endpoint without. */
  readonly ids?: (theirs: PlantedOrganisation) => readonly (number | string)[]
  /** Bodies that name things of theirs; `mine` is the caller's own organisation. */
  readonly bodies?: (theirs: PlantedOrganisation) => readonly object[]
  /** Bodies with which the caller's own organisation is asked for things of theirs. */
  readonly underMine?: (theirs: PlantedOrganisation) => readonly object[]
}

const key = { name: 'k', unlimited_quota: true }
const keyIds = ({ keyId, memberKeyId }: PlantedOrganisation) => [keyId, memberKeyId]
const whole = ({ id }: PlantedOrganisation) => [id]
const limit = ({ keyId, projectId }: PlantedOrganisation) =>
  [
    { kind: 'key', value: String(keyId) },
    { kind: 'project', value: String(projectId) },
  ].map((subject) => ({ name: 'l', measure: 'requests', amount: 1, window: 'day', subjects: [subject] }))
const row =
  (table: string) =>
  ({ rows }: PlantedOrganisation) => [rows.get(table) ?? 0]
const unaware: Line = { outcome: 'unaware' }
const empty: Line = { outcome: 'empty' }

const ofModules = moduleRights.flatMap(({ organisations = [] }) => organisations)

const organisationLines: Readonly<Record<string, Line>> = {
  'GET /api/organisation/': empty,
  'POST /api/organisation/': unaware,
  'GET /api/organisation/:id': { outcome: 'refused', ids: whole },
  'PUT /api/organisation/:id': { outcome: 'refused', ids: whole, bodies: () => [{ name: 'taken', domain: '' }] },
  'GET /api/organisation/:id/domain': { outcome: 'refused', ids: whole },
  'POST /api/organisation/:id/domain': { outcome: 'refused', ids: whole, bodies: () => [{ domain: 'x.example' }] },
  'POST /api/organisation/:id/transfer': {
    outcome: 'refused',
    ids: whole,
    bodies: () => ['in', 'out'].map((direction) => ({ direction, amount: 1, transfer_id: 'isolation' })),
  },
  'PUT /api/organisation/:id/team': {
    outcome: 'refused',
    ids: whole,
    bodies: ({ teamId }) => [
      { team_id: 0, name: 'new' },
      { team_id: teamId, name: 'taken' },
    ],
    underMine: ({ teamId }) => [{ team_id: teamId, name: 'taken' }],
  },
  'PUT /api/organisation/:id/project': {
    outcome: 'refused',
    ids: whole,
    bodies: ({ projectId, teamId }) => [{ project_id: projectId, team_id: teamId, name: 'taken' }],
    underMine: ({ projectId, teamId }) => [
      { project_id: projectId, team_id: teamId, name: 'taken' },
      { project_id: 0, team_id: teamId, name: 'inside' },
    ],
  },
  'PUT /api/organisation/:id/member': {
    outcome: 'refused',
    ids: whole,
    bodies: ({ people }) => [{ user_id: people.member.id, team_id: 0, role: 'viewer' }],
    underMine: ({ people, teamId }) => [
      { user_id: people.member.id, team_id: 0, role: 'viewer' },
      { user_id: people.owner.id, team_id: teamId, role: 'admin' },
    ],
  },
  'POST /api/organisation/:id/member/remove': {
    outcome: 'refused',
    ids: whole,
    bodies: ({ people }) => [{ user_id: people.member.id }],
    underMine: ({ people }) => [{ user_id: people.member.id }],
  },
  'PUT /api/organisation/:id/cap': {
    outcome: 'refused',
    ids: whole,
    bodies: ({ projectId }) => [{ subject: 'project', subject_id: projectId, amount: 1 }],
    underMine: ({ projectId, people }) => [
      { subject: 'project', subject_id: projectId, amount: 1 },
      { subject: 'member', subject_id: people.member.id, amount: 1 },
    ],
  },
  'GET /api/organisation/:id/invitations': { outcome: 'refused', ids: whole },
  'POST /api/organisation/:id/invitations': {
    outcome: 'refused',
    ids: whole,
    bodies: () => [{ team_id: 0, role: 'viewer' }],
    underMine: ({ teamId }) => [{ team_id: teamId, role: 'viewer' }],
  },
  'POST /api/organisation/:id/invitations/revoke': {
    outcome: 'refused',
    ids: whole,
    bodies: ({ invitationId }) => [{ invitation_id: invitationId }],
    underMine: ({ invitationId }) => [{ invitation_id: invitationId }],
  },
  // The secret of a link is what lets one in; without it there is nothing.
  'POST /api/organisation/invitation': unaware,
  'POST /api/organisation/invitation/accept': unaware,
  'POST /api/organisation/join': { outcome: 'refused', bodies: ({ id }) => [{ organisation_id: id }] },
  'GET /api/organisation/:id/keys': { outcome: 'refused', ids: whole },
  'GET /api/organisation/:id/keys/limits': { outcome: 'refused', ids: whole },
  'POST /api/organisation/:id/keys': {
    outcome: 'refused',
    ids: whole,
    bodies: ({ projectId }) => [{ ...key, project_id: projectId, member_id: 0 }],
    underMine: ({ projectId }) => [{ ...key, project_id: projectId, member_id: 0 }],
  },
  'PUT /api/organisation/:id/keys': {
    outcome: 'refused',
    ids: whole,
    bodies: ({ keyId }) => [{ key_id: keyId, deleted: true }],
    underMine: (theirs) => keyIds(theirs).map((key_id) => ({ key_id, deleted: true })),
  },
  'GET /api/organisation/self': empty,
  'GET /api/organisation/:id/identity_providers': { outcome: 'refused', ids: whole },
  'POST /api/organisation/:id/identity_providers': { outcome: 'refused', ids: whole },
  'POST /api/organisation/:id/identity_providers/test': { outcome: 'refused', ids: whole },
  'PUT /api/organisation/:id/identity_providers/:provider': { outcome: 'refused', ids: whole },
  'DELETE /api/organisation/:id/identity_providers/:provider': { outcome: 'refused', ids: whole },
  'POST /api/organisation/:id/keys/move': {
    outcome: 'refused',
    ids: whole,
    bodies: ({ keyId, projectId }) => [{ key_id: keyId, project_id: projectId }],
    underMine: (theirs) => keyIds(theirs).map((key_id) => ({ key_id, project_id: theirs.projectId })),
  },
  'POST /api/organisation/:id/keys/reveal': {
    outcome: 'refused',
    ids: whole,
    bodies: ({ keyId }) => [{ key_id: keyId }],
    underMine: (theirs) => keyIds(theirs).map((key_id) => ({ key_id })),
  },
  'POST /api/organisation/:id/keys/rotate': {
    outcome: 'refused',
    ids: whole,
    bodies: ({ keyId }) => [{ key_id: keyId }],
    underMine: (theirs) => keyIds(theirs).map((key_id) => ({ key_id })),
  },
  'GET /api/organisation/:id/statement': { outcome: 'refused', ids: whole },
  'GET /api/organisation/:id/statement/export': { outcome: 'refused', ids: whole },
  'GET /api/organisation/:id/spend': { outcome: 'refused', ids: whole },
  'GET /api/organisation/:id/explore': { outcome: 'refused', ids: whole },
  'GET /api/organisation/:id/dashboard': { outcome: 'refused', ids: whole },
  'GET /api/organisation/:id/log': { outcome: 'refused', ids: whole },
}

const keyLines: Readonly<Record<string, Line>> = {
  'GET /api/token/': empty,
  'GET /api/token/search': empty,
  'GET /api/token/browse': empty,
  'GET /api/token/facets': empty,
  'GET /api/token/usage': empty,
  'GET /api/token/:id': { outcome: 'refused', ids: keyIds },
  'GET /api/token/:id/history': { outcome: 'refused', ids: keyIds },
  'POST /api/token/:id/key': { outcome: 'refused', ids: keyIds, bodies: () => [{}] },
  'POST /api/token/:id/rotate': { outcome: 'refused', ids: keyIds, bodies: () => [{}] },
  'DELETE /api/token/:id': { outcome: 'refused', ids: keyIds },
  'PUT /api/token/': { outcome: 'refused', bodies: (theirs) => keyIds(theirs).map((id) => ({ id, name: 'taken' })) },
  'POST /api/token/keys': { outcome: 'refused', bodies: (theirs) => [{ ids: keyIds(theirs) }] },
  'POST /api/token/batch': { outcome: 'refused', bodies: (theirs) => [{ ids: keyIds(theirs) }] },
  'POST /api/token/batch/status': { outcome: 'refused', bodies: (theirs) => [{ ids: keyIds(theirs), status: 2 }] },
  'POST /api/token/batch/run': {
    outcome: 'refused',
    bodies: (theirs) => [{ which: { ids: keyIds(theirs) }, act: { kind: 'status', status: 2 } }],
  },
  'POST /api/token/': unaware,
  'POST /api/token/batch/create': unaware,
}

const recordLines: Readonly<Record<string, Line>> = {
  'GET /api/log/self': empty,
  'GET /api/log/self/stat': empty,
  'GET /api/log/self/volume': empty,
  'GET /api/log/self/facets': empty,
  'GET /api/log/self/search': empty,
  'GET /api/log/self/export': empty,
  'GET /api/log/self/entry/:id': { outcome: 'refused', ids: row('logs') },
  'GET /api/log/token': unaware,
  'GET /api/explore/self': empty,
  'GET /api/dashboard/self': empty,
  'GET /api/data/self': empty,
  'GET /api/user/self/ledger': empty,
  'GET /api/user/topup/self': empty,
  'GET /api/limits/self': empty,
  'POST /api/limits/self': { outcome: 'refused', bodies: limit },
  'PUT /api/limits/self/:id': { outcome: 'refused', ids: row('call_limits'), bodies: limit },
  'DELETE /api/limits/self/:id': { outcome: 'refused', ids: row('call_limits') },
  'GET /api/limits/self/state': empty,
  'GET /api/limits/self/standing': empty,
  'GET /api/limits/self/subjects': empty,
}

const unawareOf = [
  ...['GET /api/user/self/access_tokens', 'POST /api/user/self/access_tokens'],
  'DELETE /api/user/self/access_tokens/:id',
  // Providers are known by their slug, which the login page shows to who has an address of their domain.
  ...['POST /api/sso/:slug/login', 'POST /api/sso/:slug/bind', 'GET /api/sso/:slug', 'POST /api/sso/:slug/acs'],
  ...['GET /api/sso/:slug/metadata', 'GET /api/sso/bindings', 'DELETE /api/sso/:slug'],
  ...['GET /api/sso/:slug/slo', 'POST /api/sso/:slug/slo', 'POST /api/sso/:slug/backchannel'],
  ...['GET /api/status', 'GET /api/notice', 'GET /api/about', 'GET /api/home_page_content', 'GET /api/offer'],
  ...['GET /api/pricing', 'GET /api/pricing/estimate', 'GET /api/pricing/history', 'GET /api/models'],
  ...['GET /api/models/cards', 'GET /api/models/measures', 'GET /api/session', 'GET /api/user/groups'],
  ...['GET /api/user/models', 'GET /api/user/self', 'GET /api/user/self/groups', 'GET /api/user/aff'],
  ...['GET /api/user/2fa/status', 'GET /api/user/self/preferences'],
  ...['GET /api/user/self/confirm', 'GET /api/user/self/sessions', 'GET /api/oauth/bindings'],
  ...['GET /api/user/topup/info', 'GET /api/user/epay/notify'],
  ...['POST /api/user/login', 'POST /api/user/login/2fa', 'POST /api/user/register', 'GET /api/user/logout'],
  ...['POST /api/user/reset', 'POST /api/user/invitation/accept'],
  ...['GET /api/verification', 'GET /api/reset_password', 'GET /api/oauth/state', 'GET /api/oauth/:provider'],
  ...['POST /api/oauth/:provider/login', 'POST /api/oauth/:provider/bind', 'DELETE /api/oauth/:provider'],
  ...['GET /api/oauth/wechat', 'GET /api/oauth/wechat/bind', 'GET /api/oauth/telegram/login'],
  ...['GET /api/oauth/telegram/bind', 'GET /api/oauth/email/bind', 'DELETE /api/oauth/email/bind'],
  ...['PUT /api/user/self', 'DELETE /api/user/self', 'GET /api/user/token', 'POST /api/user/token'],
  ...['POST /api/user/2fa/setup', 'POST /api/user/2fa/enable', 'POST /api/user/2fa/disable'],
  'POST /api/user/2fa/backup_codes',
  ...['DELETE /api/user/self/sessions/:id', 'DELETE /api/user/self/sessions', 'POST /api/user/self/confirm'],
  ...['PUT /api/user/self/preferences', 'PUT /api/user/setting', 'POST /api/user/setting/test'],
  ...['POST /api/user/aff_transfer', 'POST /api/user/amount', 'POST /api/user/pay'],
  'POST /api/user/epay/notify',
  ...moduleRights.flatMap(({ unaware: names = [] }) => names),
]

/** Outcome of each call that is open to users; a call without a line fails the test until its outcome is written here. */
export const lines: ReadonlyMap<string, Line> = new Map([
  ...Object.entries(organisationLines),
  ...Object.entries(keyLines),
  ...Object.entries(recordLines),
  ...ofModules.flatMap(({ lines: ofModule }) => Object.entries(ofModule)),
  ...unawareOf.map((name) => [name, unaware] as const),
  ...moduleRights.flatMap(({ empty: names = [] }) => names).map((name) => [name, empty] as const),
])

/** Values of fields of queries that find things of theirs; fields that cannot are listed below. */
export const aimed: Readonly<Record<string, (theirs: PlantedOrganisation) => readonly string[]>> = {
  username: ({ label }) => [fenced(label, 'logusername')],
  token_name: ({ label }) => [fenced(label, 'logtokenname')],
  model_name: ({ label }) => [fenced(label, 'logmodelname')],
  model: ({ label }) => [fenced(label, 'usagemodelname')],
  request_id: ({ label }) => [fenced(label, 'logrequestid')],
  provider_request_id: ({ label }) => [fenced(label, 'logproviderrequestid')],
  session: ({ label }) => [fenced(label, 'logsession'), fenced(label, 'callsessionhoursession')],
  group: ({ label }) => [fenced(label, 'loggroup'), 'default'],
  keyword: ({ label }) => ['fence', fenced(label, 'logrequestid'), fenced(label, 'keyname')],
  token: ({ keyId, key }) => [String(keyId), key],
  ids: (theirs) => [keyIds(theirs).join(',')],
  key: ({ keyId, key }) => [String(keyId), key],
  user_id: ({ walletId }) => [String(walletId)],
  organisation_id: ({ id }) => [String(id)],
  project_id: ({ projectId }) => [String(projectId)],
  member_id: ({ people }) => [String(people.member.id)],
  channel: () => ['0'],
  channel_id: () => ['0'],
  mj_id: ({ label }) => [fenced(label, 'midjourneymjid')],
  task_id: ({ label }) => [fenced(label, 'tasktaskid')],
  trade_no: ({ label }) => [fenced(label, 'topuptradeno')],
  action: ({ label }) => [fenced(label, 'taskaction'), fenced(label, 'midjourneyaction')],
  platform: () => ['suno'],
  status: () => ['SUCCESS', 'success', '1'],
  facet: () => ['token_name', 'model_name', 'username', 'group', 'action', 'platform', 'status'],
  by: () => [
    'token',
    'model',
    'session',
    'user',
    'token_name',
    'key',
    'project',
    'team',
    'member',
    'tag',
    'end_user',
    'status',
  ],
  second: () => ['key', 'project', 'tag', 'end_user'],
  filters: ({ keyId, projectId }) =>
    [
      { dimension: 'key', values: [String(keyId)] },
      { dimension: 'project', values: [String(projectId)] },
    ].map((filter) => JSON.stringify([{ ...filter, is: 'is' }])),
  not: ({ label }) => [JSON.stringify({ model_name: [fenced(label, 'nothing')] })],
  kind: () => ['key', 'project', 'team', 'user'],
  end_user: ({ label }) => [fenced(label, 'logenduser'), fenced(label, 'callenduserhourenduser')],
  provisional: () => ['any', 'tier openai hyper'],
  tag: ({ label }) => ['team', `team=${fenced(label, 'tag')}`],
  models: ({ label }) => [fenced(label, 'teammodel')],
  columns: () => ['request_id'],
}

/** Fields that choose times, pages, order or texts, and find nothing by themselves. */
export const aimless: ReadonlySet<string> = new Set([
  ...['p', 'page_size', 'size', 'type', 'start_timestamp', 'end_timestamp', 'end', 'sort', 'after', 'before', 'format'],
  ...[
    'zone',
    'month',
    'metric',
    'granularity',
    'rollup',
    'top',
    'compare',
    'speed',
    'terms',
    'reason',
    'account',
    'from',
    'to',
    'at',
  ],
  ...[
    'prompt',
    'completion',
    'cached',
    'calls',
    'pictures',
    'quality',
    'address',
    'turnstile',
    'aff',
    'provider',
    'purpose',
    'code',
    'state',
  ],
  ...['error', 'error_description', 'iss', 'email', 'status_only', 'domain', 'client', 'min_quota'],
  ...['form', 'batch_id', 'video_id', 'response_id'],
  ...['SAMLRequest', 'SAMLResponse', 'RelayState', 'SigAlg', 'Signature'],
])

/** Kinds that members of the organisation find by the calls for users; they prove that the test looks in places with data. */
export const seenByOwner = [
  ...['organisation', 'team', 'teammodel', 'project', 'projectmodel', 'membername', 'invited', 'keyname', 'memberkey'],
  ...['tag', 'logrequestid', 'logmodelname', 'logtokenname', 'usagemodelname'],
  ...ofModules.flatMap(({ seenByOwner: kinds }) => kinds),
]

const readers = ['owner', 'admin', 'billing', 'team admin']

/** Which places of the organisation itself see values of a kind; undefined for what only the site knows. */
export const insidersOf = (kind: string): readonly string[] | undefined => {
  if (/^(log|usage|calltag|callsession|callenduser|failure)/.test(kind) || kind === 'parameters') return readers
  if (kind === 'keyname') return readers
  if (kind === 'memberkey') return [...readers, 'member']
  if (kind === 'tag') return [...readers, 'member']
  if (kind === 'invited') return ['owner', 'admin']
  for (const module of ofModules) {
    const insiders = module.insidersOf(kind)
    if (insiders !== undefined) return insiders
  }
  return seenByOwner.includes(kind) ? places : undefined
}
