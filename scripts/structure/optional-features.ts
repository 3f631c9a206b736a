import { moduleData } from '../../modules/lists/data.ts'

/** A feature that a site can switch on and off, with what a plain call then meets of it. */
export interface OptionalFeature {
  readonly name: string
  /** Files that are there for this feature alone: paths in `server/src`, or from the root where they are in `modules`. */
  readonly own: RegExp
  /** Options with their values as `PUT /api/option/` takes them, where the feature is off. */
  readonly off: Readonly<Record<string, string>>
  /** On, in such a way that the traced call does not use it wherever the feature can be limited to some calls. */
  readonly on: Readonly<Record<string, string>>
}

const flag = (name: string): Pick<OptionalFeature, 'off' | 'on'> => ({
  off: { [name]: 'false' },
  on: { [name]: 'true' },
})

const modules = Object.entries(moduleData).map(([name, { switches }]) => ({
  name,
  own: new RegExp(`^modules/${name}/`),
  switches,
}))

export const optionalFeatures: readonly OptionalFeature[] = [
  {
    name: 'hedging',
    own: /hedg/,
    off: { HedgedGroups: '' },
    on: { HedgedGroups: 'vip' },
  },
  {
    name: 'blocked words in prompts',
    own: /sensitive/,
    ...flag('CheckSensitiveEnabled'),
  },
  {
    name: 'blocked words in answers',
    own: /sensitive-stream|sensitive-answer/,
    ...flag('CheckSensitiveOnCompletionEnabled'),
  },
  {
    name: 'session limits',
    // Every call belongs to a session, which needs its beginning; this file holds its limits.
    own: /relay\/sessions\/session-guard/,
    off: { SessionLimits: '{}' },
    on: { SessionLimits: '{"vip":{"calls":1000}}' },
  },
  {
    name: 'rate limit of models',
    own: /^limits\//,
    ...flag('ModelRequestRateLimitEnabled'),
  },
  {
    name: 'cache marks',
    own: /cache-marks/,
    off: { GroupCacheMarks: '{}' },
    on: { GroupCacheMarks: '{"vip":"5m"}' },
  },
  {
    name: 'stored answers',
    own: /(^|\/)stored(-responses)?\//,
    off: { StoredResponseDays: '0' },
    on: { StoredResponseDays: '30' },
  },
  {
    name: 'channels that lose money',
    own: /loss-watch|below-cost/,
    off: { LossWarningEnabled: 'false', RouteAroundLossEnabled: 'false' },
    on: { LossWarningEnabled: 'true', RouteAroundLossEnabled: 'true' },
  },
  {
    name: 'other names for models',
    own: /model-aliases|group-aliases/,
    off: { GroupModelAliases: '{}' },
    on: { GroupModelAliases: '{"vip":{"other-name":"gpt-4o"}}' },
  },
  {
    name: 'channels disabled after failures',
    own: /automatic-disable|auto-disable/,
    ...flag('AutomaticDisableChannelEnabled'),
  },
  {
    name: 'free models without balance',
    own: /free-models/,
    ...flag('FreeModelsWithoutBalance'),
  },
  {
    name: 'rows of charged calls',
    own: /ledger\/logs\//,
    ...flag('LogConsumeEnabled'),
  },
  {
    name: 'hourly figures',
    own: /ledger\/figures\/hourly|features\/dashboard/,
    ...flag('DataExportEnabled'),
  },
  ...modules.flatMap(({ switches, ...module }) => (switches === undefined ? [] : [{ ...module, ...switches }])),
]

/** Features that are switched on by other means than options; here they are off. */
export const alwaysOff: readonly Pick<OptionalFeature, 'name' | 'own'>[] = [
  { name: 'captures', own: /captures/ },
  { name: 'virtual models', own: /virtual/ },
  { name: 'cost in the answer', own: /cost-asked|call-cost/ },
  { name: 'telemetry', own: /^telemetry\/(otel|prometheus|traces?)/ },
  { name: 'a fence around direct calls', own: /relay\/direct\// },
  { name: 'header overrides', own: /header-override/ },
  ...modules.filter(({ switches }) => switches === undefined),
]
