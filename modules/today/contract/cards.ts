import { refusalFields } from '@tollgate/contract/errors/refusal'
import { cardSeverities, siteCardWords } from '@tollgate/contract/records/site-cards'
import { z } from 'zod'

export { type CardSeverity, cardSeverities } from '@tollgate/contract/records/site-cards'

/** Rules about the whole site, in the order of their cards where the severity is the same. */
export const siteRules = [
  'channel_disabled',
  'channel_failing',
  'records_refused',
  'model_ended',
  'key_refused',
  'balance_low',
  'limit_reached',
  'limit_ending',
  'user_refused',
  'below_cost',
  'provisional',
  'unpriced',
  'notices_waiting',
  'key_expiring',
  'prices_proposed',
  /** Rules that other parts of the product bring, with their own words. */
  'joined',
] as const
export type SiteRule = (typeof siteRules)[number]

/** Rules about the calls, keys and balance of one user. */
export const ownRules = [
  'own_refused',
  'own_balance_low',
  'own_limit_reached',
  'own_limit_ending',
  'own_key_spent',
  'own_model_ended',
  'own_key_expiring',
] as const
export type OwnRule = (typeof ownRules)[number]

/** A card of the start page. Fields that a rule does not use are 0 or empty; the reference of the module lists them by rule. */
export const todayCard = z.object({
  /** Address of the card: the rule, and what it is about. */
  id: z.string(),
  rule: z.enum([...siteRules, ...ownRules]),
  severity: z.enum(cardSeverities),
  /** Id of the channel, user, key or limit. */
  object_id: z.int(),
  /** Name of the channel, model, user, key or limit. */
  name: z.string(),
  /** Three at most: callers, models, or the owner of a key. */
  names: z.array(z.string()),
  /** Calls, models, keys or notices that the fact counts, and the number that they are part of. */
  count: z.int(),
  total: z.int(),
  /** Quota units. */
  amount: z.int(),
  /** Balance at the provider in its currency, the use of a limit, or days that a balance lasts. */
  value: z.number(),
  /** Unix seconds of the beginning, the end or the forecast that the fact names. */
  at: z.int(),
  /** Measure of a limit, or the replacement of a model. */
  detail: z.string(),
  /** Why, in the language of the reader. */
  reason: z.string(),
  ...refusalFields,
  /** Only of `joined`. */
  words: siteCardWords.optional(),
  /** Unix seconds until which the reader does not want to see it; 0 where it is shown. */
  snoozed_until: z.int(),
})
export type TodayCard = z.output<typeof todayCard>
